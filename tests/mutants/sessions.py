"""Mutants of sessions: what the log holds, what replays, and which share of δ proves what."""

from tests.mutants import killed_by

ASKING = "sessions/test_asking.py"
DEPENDENCE = "sessions/test_dependence.py"
JOURNAL = "sessions/test_journal.py"
OPENING = "sessions/test_opening.py"
PRIOR_DATA = "sessions/test_prior_data.py"
SESSION = "sessions/test_session.py"
SHARES = "sessions/test_shares.py"
SNAPSHOTS = "sessions/test_snapshots.py"

CELLS = "sessions/test_items.py"
ITEMS = "problems/dueling/test_items.py"
OBSERVATIONS = "learners/test_observations.py"

SESSIONS = [
    *killed_by(
        f"{ITEMS}::test_the_other_arm_s_outcome_is_that_of_the_same_order",
        ("_both_directions", "transpose(1, 0, 2, 3)[..., ::-1])\n", "transpose(1, 0, 2, 3))\n"),
    ),
    *killed_by(
        f"{ITEMS}::test_either_arm_s_outcomes_will_do",
        ("_both_directions", "np.isnan(given), 1.0 - mirror", "np.isnan(given), mirror"),
    ),
    *killed_by(
        f"{ITEMS}::test_a_pair_s_cells_come_each_once_in_an_order_of_its_own",
        ("ItemEnvironment._cells", "[self._seed, low, high]", "self._seed + len(self._left)"),
    ),
    *killed_by(
        f"{ITEMS}::test_every_order_of_a_pair_is_equally_likely_and_pairs_do_not_depend_on_each_"
        "other",
        ("ItemEnvironment._cells", "[self._seed, low, high]", "self._seed"),
        (
            "ItemEnvironment._cells",
            ".permutation(len(cells))",
            ".integers(len(cells), size=len(cells))",
        ),
    ),
    *killed_by(
        f"{ITEMS}::test_several_cells_at_once_are_their_sum_and_both_arms_see_the_same_ones",
        ("ItemEnvironment.answer", "query.i > query.j", "query.i < 0"),
    ),
    *killed_by(
        f"{ITEMS}::test_a_column_says_which_arm_was_shown_first",
        ("_cells_of", "np.where(log.shown_first, 0, 1)", "np.where(log.shown_first, 1, 0)"),
        ("_shown_first", "np.where(arm == first, 1", "np.where(arm == first, 0"),
    ),
    *killed_by(
        "bad_inputs/test_files.py::test_logs_over_items",
        ("_cells_of", "order ^ swapped if orders == 2 else order", "order"),
        ("_cells_of", "again.size", "False"),
        ("_refuse_twice", "not repeats.size", "True"),
    ),
    *killed_by(
        f"{OBSERVATIONS}::test_no_cell_is_asked_twice",
        (
            "Exchange._take_cells",
            "unasked[each.i, each.j] = unasked[each.j, each.i]",
            "left = unasked",
        ),
        ("Exchange._take_cells", "if each.times > left", "if each.times > left + 1"),
    ),
    *killed_by(
        f"{OBSERVATIONS}::test_over_items_what_is_no_sum_is_refused",
        ("_checked_sum", "0 <= observation <= query.times", "0 <= observation"),
    ),
    *killed_by(
        f"{CELLS}::test_permutations_are_uniform_and_those_of_pairs_independent",
        ("Cells._permutation", "sorted(hashed)", "hashed"),
        ("Cells._permutation", "f'{i}-{j}/{name}'", "f'{name}'"),
    ),
    *killed_by(
        f"{CELLS}::test_cells_from_before_are_removed_whatever_they_say",
        ("Cells._permutation", "if (number, second) not in known", "if True"),
        ("Cells.__init__", "each - len(outcomes)\n", "each\n"),
    ),
    *killed_by(
        f"{CELLS}::test_a_learner_hears_what_a_simulation_of_the_table_tells",
        (
            "_observation",
            "math.fsum(outcomes) if items else int(sum(outcomes))",
            "sum(outcomes) // 1",
        ),
        ("Replay._valued", "outcome == 0.5 and (not self._items)", "outcome == 0.5"),
        ("Session._outcome", "(one + 1.0 - other) / 2.0", "(one + other) / 2.0"),
    ),
    *killed_by(
        f"{CELLS}::test_answers_begin_another_session_that_does_not_ask_them_again",
        (
            "CountedAnswers.item_duels",
            "answer.shown[0] > answer.shown[1]",
            "answer.shown[0] < answer.shown[1]",
        ),
        ("PriorData._of_items", "bool(order)", "not order"),
        (
            "question_of",
            "(query.j, query.i) if cell.second",
            "(query.j, query.i) if not cell.second",
        ),
    ),
    *killed_by(
        f"{CELLS}::test_a_cell_that_nobody_answers_is_left_out",
        (
            "State.apply",
            "self.answers.values[record['leave_out']] = 0.5",
            "self.answers.values[record['leave_out']] = 0.0",
        ),
    ),
    *killed_by(
        f"{CELLS}::test_a_cell_that_all_of_three_raters_skip_is_left_out",
        ("State.skipped_by_all", "len(skipped) >= 3", "len(skipped) >= 2"),
        ("State.skipped_by_all", "raters <= skipped", "True"),
    ),
    *killed_by(
        f"{CELLS}::test_a_snapshot_opens_a_session_over_items",
        ("read_snapshot", "s.number > cells.remaining[s.row]", "s.number < 0"),
    ),
    *killed_by(
        f"{CELLS}::test_cells_are_no_votes",
        ("Shares.of", "family == 'dueling' and (not items)", "family == 'dueling'"),
    ),
    *killed_by(
        "sessions/test_judges.py::test_a_program_that_stops_working_has_few_cells_left_out",
        ("_Run.end", "max(0, self.trust - 1)", "self.trust"),
    ),
    *killed_by(
        f"{JOURNAL}::test_a_file_that_was_moved_away_is_written_to_no_more",
        ("_line", "check = zlib.crc32(body, before)", "check = zlib.crc32(body)"),
    ),
    *killed_by(
        f"{JOURNAL}::test_a_last_line_that_has_lost_its_line_break_alone_counts",
        ("_parsed", "length + len(last), after, b'\\n'", "length, check, b''"),
    ),
    *killed_by(
        f"{JOURNAL}::test_records_that_cannot_be_brought_to_the_disk_are_taken_back",
        ("Journal.commit", "self._length = self._synced", "pass"),
    ),
    *killed_by(
        f"{SESSION}::test_a_session_asks_what_a_simulation_does[rucb]",
        ("_observation", "won if query.i < query.j else query.times - won", "won"),
    ),
    *killed_by(
        f"{SESSION}::test_a_tie_is_half_a_vote_and_a_coin_for_the_learner",
        ("drawn", "digest[0] & 1", "digest[0] & 0"),
    ),
    *killed_by(
        f"{ASKING}::test_an_answer_to_what_is_not_asked_for_any_more_is_kept",
        ("_next_slots", "range(before + 1, before + times + 1)", "range(1, times + 1)"),
    ),
    *killed_by(
        f"{ASKING}::test_second_answers_count_for_agreement_alone",
        ("CountedAnswer.value", "return 1.0 - self.outcome", "return self.outcome"),
        ("CountedAnswers.add", "if not answer.repeat", "if True"),
    ),
    *killed_by(
        f"{OPENING}::test_a_log_of_another_version_is_refused",
        ("_read_header", "form != FORMAT or version != __version__", "form != FORMAT"),
    ),
    *killed_by(
        f"{OPENING}::test_a_learner_of_ones_own_is_given_again",
        ("_stored_header", "fingerprint(learner) != record['code']", "False"),
    ),
    *killed_by(
        f"{OPENING}::test_problems_that_a_log_cannot_hold_are_given_again",
        ("_stored_header", "stored.fingerprint != record['subject']['fingerprint']", "False"),
    ),
    *killed_by(
        f"{OPENING}::test_a_log_that_cannot_be_written_is_refused",
        (
            "Session._write",
            "_journal.append(record, sync=sync)\n    self._state.apply(record)",
            "_state.apply(record)\n    self._journal.append(record, sync=sync)",
        ),
    ),
    *killed_by(
        f"{PRIOR_DATA}::test_a_learner_of_scores_shares_its_delta_where_none_is_given",
        ("Header.exchange", "parameters['delta'] = self.shares.learner", "pass"),
        ("_estimated_sigma", "SIGMA_SHARE * session_delta(", "session_delta("),
    ),
    *killed_by(
        f"{SHARES}::test_who_has_which_part",
        ("Shares.of", "delta - evidence - sigma if", "delta - sigma if"),
        ("promises_answer", ".goal == 'regret'", ".goal == 'PAC'"),
    ),
    *killed_by(
        f"{SHARES}::test_all_parts_are_at_most_delta",
        ("Shares.of", "delta - evidence - sigma if", "delta - evidence if"),
    ),
    *killed_by(
        f"{SHARES}::test_the_log_keeps_the_parts_that_its_learner_was_led_with",
        ("SessionView.best", "delta=self.header.shares.evidence", "delta=self.header.shares.delta"),
    ),
    *killed_by(
        f"{SHARES}::test_the_learner_and_the_evidence_get_their_parts",
        ("progress_of", "delta=shares.evidence", "delta=shares.delta"),
    ),
    *killed_by(
        f"{DEPENDENCE}::test_raters_of_numbers_are_said_where_a_set_is_proved",
        ("_several_answers", "count > 1 for", "count > 2 for"),
    ),
    *killed_by(
        f"{DEPENDENCE}::test_votes_of_rankings_from_before_stay_not_independent",
        ("CountedAnswers.votes", "prior is None or prior.independent", "True"),
    ),
    *killed_by(
        f"{DEPENDENCE}::test_an_answer_without_a_proof_has_no_line_on_raters",
        ("SessionView.status", "exchange.finished and (not exchange.doubt)", "exchange.finished"),
    ),
    *killed_by(
        f"{SNAPSHOTS}::test_a_snapshot_of_anything_else_counts_for_nothing",
        ("read_snapshot", "content['source'] == source_digest()", "True"),
        ("read_snapshot", "(content['digest'] == _digest(log))", "True"),
    ),
    *killed_by(
        f"{SNAPSHOTS}::test_an_answer_that_is_taken_back_is_open_again",
        ("read_snapshot", "or _taken_back(", "or False and _taken_back("),
    ),
]
