"""Mutants of sessions: what the log holds, what replays, and which share of δ proves what."""

from tests.mutants import killed_by

ACCIDENTS = "sessions/test_accidents.py"
ASKING = "sessions/test_asking.py"
BEST_OF = "sessions/test_best_of.py"
CELLS = "sessions/test_test_sets.py"
HINTS = "sessions/test_hints.py"
NEW_ITEMS = "sessions/test_new_items.py"
SCORES = "sessions/test_scores.py"
PRIOR = "sessions/test_prior.py"
REPLAY = "sessions/test_replay.py"
ROUNDS = "sessions/test_rounds.py"
STATED = "sessions/test_stated.py"
ITEMS = "problems/dueling/test_items.py"

SESSIONS = [
    *killed_by(
        f"{ROUNDS}::test_a_session_is_answered_round_by_round_from_files",
        ("Header.exchange", "parameters['rounds'] = rounds", "pass"),
        ("State.apply", "self.rounds = entry.number", "pass"),
    ),
    *killed_by(
        f"{ROUNDS}::test_answers_that_are_there_are_passed_over_and_others_refused",
        ("note_answers", "known not in (None, outcome)", "False"),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_of_an_item_in_two_cells_the_first_that_comes_counts",
        ("outcomes_of", "cells.cell(Slot(row, number, duel=True)).item", "number"),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_a_cell_that_nobody_answers_is_the_worst_in_both_directions",
        ("outcomes_of", "np.isnan(d), -1.0", "np.isnan(d), 0.0"),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_scores_are_compared_as_far_as_both_arms_have_them_and_no_further",
        ("outcomes_of", "low[:, 0] - high[:, 1]", "high[:, 0] - low[:, 1]"),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_where_nothing_can_be_said_no_part_of_delta_is_spent",
        ("Shares.of", "begins and ", ""),
        ("says_of_new_items", "'Condorcet'", "'Borda'"),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_a_margin_is_that_of_the_session",
        ("of_answer", "2.0 * margin", "margin"),
    ),
    *killed_by(
        f"{BEST_OF}::test_arms_that_may_be_as_good_within_the_margin_are_named",
        ("SessionView._extent", "gets[j] <= half", "gets[j] < half"),
    ),
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
        ("_observation", "math.fsum(answered)", "sum(answered) // 1"),
        ("_observation", "CellSums(sums.lost, won, 1.0 - hint)", "sums"),
        ("Replay._valued", "outcome == 0.5 and self._coins", "outcome == 0.5"),
    ),
    *killed_by(
        f"{CELLS}::test_answers_begin_another_session_that_does_not_ask_them_again",
        (
            "SessionAnswers.item_duels",
            "answer.shown[0] > answer.shown[1]",
            "answer.shown[0] < answer.shown[1]",
        ),
        ("sessions:_cells", "bool(order)", "not order"),
        ("question_of", "else cell.second", "else not cell.second"),
    ),
    *killed_by(
        f"{CELLS}::test_an_order_is_that_of_one_session_alone",
        ("sessions:_begun", "fresh_seed() if given.seed is None", "0 if given.seed is None"),
        ("fresh_seed", "secrets.randbits(48)", "0"),
    ),
    *killed_by(
        f"{SCORES}::test_one_order_of_the_items_is_common_to_all_arms",
        ("OutputCells.cell", "slot.number - 1]", "slot.number - 1 - slot.row]"),
    ),
    *killed_by(
        f"{SCORES}::test_a_learner_hears_scores_and_the_numbers_of_their_items",
        ("_observation", "cells.cell(slot).item for slot", "slot.number - 1 for slot"),
    ),
    *killed_by(
        f"{HINTS}::test_a_learner_hears_the_hint_of_the_cell_and_knows_those_that_are_left",
        ("_observation", "won, 1.0 - hint)", "won, hint)"),
        ("Cells.hint", "self.items.orders == 'both' and cell.second", "False"),
    ),
    *killed_by(
        f"{HINTS}::test_of_cells_that_were_answered_before_no_hint_is_told",
        ("Cells._foretold", "= np.nan", "= 0.5"),
    ),
    *killed_by(
        f"{HINTS}::test_hints_never_change_and_none_come_late",
        ("opened_header", "given.hints is not None and 'hints' not in record", "False"),
        ("Hints.of_json", "content['fingerprint'] != json_digest(content['values'])", "False"),
    ),
    *killed_by(
        f"{HINTS}::test_agreement_is_that_of_answers_and_hints",
        ("Hints.agreement", "& (x != 0.5)", "& True"),
    ),
    *killed_by(
        f"{REPLAY}::test_the_window_that_is_kept_is_the_window_made_anew",
        ("Replay._begin", "open_[len(self._ahead):]", "open_[len(self._ahead) + 1:]"),
    ),
    *killed_by(
        "sessions/test_judges.py::test_a_disk_that_fails_is_said_by_a_run_that_is_stopped",
        ("_Run.commit", "[*self.written]", "[self.written.pop()]"),
    ),
    *killed_by(
        "sessions/test_judges.py::test_a_judge_that_ends_a_run_leaves_no_answer_unsaid",
        ("_Run.save", "self.batch.cancelling()", "False"),
    ),
    *killed_by(
        "sessions/test_judges.py::test_a_run_that_is_interrupted_before_it_begins_does_not_go_on",
        ("run_judges", "thread.submit(int).result()", "pass"),
    ),
    *killed_by(
        f"{ACCIDENTS}::test_an_answer_that_waits_for_a_disk_that_failed_is_never_called_safe",
        ("Journal._bring_to_disk", "self._length = self._synced", "pass"),
        ("Journal.append", "self._bring_to_disk()", "os.fsync(self._handle)"),
    ),
    *killed_by(
        "sessions/test_judges.py::test_threads_are_used_again_and_end",
        ("_Run.hear", "self.free.acquire(blocking=False)", "False"),
    ),
    *killed_by(
        "sessions/test_judges.py::test_answers_that_wait_for_the_disk_are_brought_there_by_one_sync",
        ("_Run.commit", "None, [*self.written]", "self.batch, [*self.written]"),
        ("_Run.commit", "[*self.written]", "self.written"),
        ("Journal.commit", "max(until, self._synced)", "self._length"),
    ),
    *killed_by(
        f"{REPLAY}::test_more_at_once_changes_nothing_that_was_asked",
        ("Session.ask_at_once", "told if self._state.begun else None", "None"),
        ("State.parallel", "since <= told", "True"),
        ("track_singly", "int(checkpoint.state['parallel'])", "tracker.parallel"),
    ),
    *killed_by(
        f"{STATED}::test_answers_before_their_turn_wait_for_those_before_them",
        ("SessionView._told", "self._learner.replay().told()", "self._state.values"),
    ),
    *killed_by(
        f"{CELLS}::test_a_cell_that_nobody_answers_is_left_out",
        (
            "State.apply",
            "self.values[entry.slot] = math.nan",
            "self.values[entry.slot] = 0.5",
        ),
    ),
    *killed_by(
        f"{CELLS}::test_a_cell_that_all_of_three_raters_skip_is_left_out",
        ("State.skipped_by_all", "len(skipped) >= 3", "len(skipped) >= 2"),
        ("State.skipped_by_all", "raters <= skipped", "True"),
    ),
    *killed_by(
        f"{STATED}::test_who_has_which_part",
        ("Shares.of", "share * delta if question_set.is_votes", "share * delta if True"),
    ),
    *killed_by(
        f"{REPLAY}::test_a_tie_is_half_a_vote_and_a_coin_for_the_learner",
        ("drawn", "digest[0] & 1", "digest[0] & 0"),
    ),
    *killed_by(
        f"{ASKING}::test_second_answers_count_for_agreement_alone",
        ("CountedAnswer.value", "return 1.0 - self.outcome", "return self.outcome"),
        (
            "State.apply",
            "if not entry.repeat:\n                self.values[entry.id]",
            "if True:\n                self.values[entry.slot.id]",
        ),
    ),
    *killed_by(
        f"{PRIOR}::test_an_estimate_of_sigma_and_the_learner_share_delta",
        ("Header.exchange", "parameters['delta'] = self.shares.learner", "pass"),
        ("Shares.of", "delta - evidence - sigma - new_items if", "delta - evidence if"),
        ("_estimated_sigma", "SIGMA_SHARE * session_delta(", "session_delta("),
    ),
    *killed_by(
        f"{STATED}::test_who_has_which_part",
        ("Shares.of", "delta - evidence - sigma - new_items if", "delta - sigma if"),
        ("SessionView.evidence", "header.shares.evidence", "header.shares.delta"),
    ),
    *killed_by(
        f"{STATED}::test_what_a_learner_for_regret_names_at_the_end_is_no_claim",
        ("promises_answer", ".goal == 'regret'", ".goal == 'PAC'"),
    ),
    *killed_by(
        f"{STATED}::test_the_log_keeps_the_parts_that_its_learner_was_led_with",
        ("SessionView.evidence", "header.shares.evidence", "self.header.shares.delta"),
    ),
    *killed_by(
        f"{STATED}::test_votes_of_rankings_from_before_stay_not_independent",
        ("SessionView.votes", "prior is None or prior.independent", "True"),
    ),
    *killed_by(
        f"{STATED}::test_raters_of_numbers_are_said_where_a_set_is_proved",
        ("SessionView.status", "exchange.finished and (not exchange.doubt)", "exchange.finished"),
    ),
    *killed_by(
        f"{ACCIDENTS}::test_a_process_that_is_forked_can_neither_write_nor_keep_the_file",
        ("Journal.forked", "os.close(self._handle)", "pass"),
        ("ProcessLock.get", "self._written is not None", "False"),
        ("_closed", "_unlock(handle)", "pass"),
    ),
    *killed_by(
        f"{ACCIDENTS}::test_an_interrupt_at_any_line_parts_nothing",
        ("Session._write", "self._parted = True", "pass"),
        ("Session._settle", "self._journal.read()", "self._journal.records"),
    ),
    *killed_by(
        f"{ACCIDENTS}::test_an_answer_that_is_there_twice_counts_once",
        ("State.apply", "entry.id not in self.answers and ", ""),
    ),
]
