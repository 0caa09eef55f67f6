"""Mutants of proofs: e-values, thresholds, mixtures, shares of δ, and what stops by them."""

from tests.mutants import killed_by

ADAPTIVE_SAMPLES = "proofs/subsets/test_adaptive_samples.py"
ANSWERS = "learners/test_answers.py"
BORDA_BLOCKS = "proofs/dueling/test_borda_blocks.py"
BORDA_CELLS = "proofs/dueling/test_borda_cells.py"
BORDA_TRACKING = "learners/dueling/test_borda_tracking.py"
CELL_HINTS = "proofs/dueling/test_cell_hints.py"
CLUSTERS = "problems/test_clusters.py"
CLUSTER_BETS = "proofs/dueling/test_cluster_bets.py"
IDENTIFICATION = "learners/dueling/test_identification.py"
PAIR_TRACKING = "learners/dueling/test_pair_tracking.py"
BLOCKS = "proofs/test_blocks.py"
BORDA_OF_CLUSTERS = "proofs/dueling/test_borda_of_clusters.py"
BORDA_PROOF = "proofs/dueling/test_borda.py"
DAVIDSON = "problems/dueling/test_davidson.py"
CHECKS = "reports/test_checks.py"
DUELING_PROOFS = "proofs/dueling/test_proofs.py"
EXCHANGEABLE = "proofs/test_exchangeable_answers.py"
GLR_THRESHOLD = "proofs/subsets/test_glr_threshold.py"
HUGE_CLASSES = "learners/subsets/test_huge_classes.py"
KINDS_OF_LOGS = "formats/test_kinds_of_logs.py"
LISTED_BLOCKS = "proofs/subsets/test_listed_blocks.py"
MARGINS = "proofs/dueling/test_margins.py"
MATCHING_TRACKING = "learners/matchings/test_matching_tracking.py"
MODEL_RANKS = "proofs/dueling/test_model_ranks.py"
NEW_ITEMS = "proofs/subsets/test_new_items.py"
NOISE_BOUND = "proofs/subsets/test_noise_bound.py"
OPTIMISTIC_GAP = "proofs/subsets/test_optimistic_gap.py"
PAIR_PROOF = "proofs/dueling/test_pairs.py"
PANEL_EVIDENCE = "proofs/matchings/test_panel_evidence.py"
PREDICTABLE_BETS = "proofs/dueling/test_predictable_bets.py"
PREFLIB = "formats/test_preflib.py"
RANKS = "proofs/dueling/test_ranks.py"
REMAINING_DUELS = "proofs/dueling/test_remaining_duels.py"
SCORE_BETS = "proofs/subsets/test_score_bets.py"
SCORE_TRACKING = "learners/subsets/test_score_tracking.py"
SINGLE_EVIDENCE = "learners/subsets/test_single_rewards.py"
SUBSET_TRACKING = "learners/subsets/test_subset_tracking.py"
TEAM_EVIDENCE = "reports/test_team_evidence.py"
TWO_ARMS = "proofs/dueling/test_two_arms.py"
UNPROVED_ANSWERS = "learners/test_unproved_answers.py"
VALIDITY = "proofs/test_validity.py"
VOTE_FILTERS = "formats/test_vote_filters.py"
WINNER_ON_NEW_ITEMS = "proofs/test_winner_on_new_items.py"

HELD_BY_HINTS = "missing_wins(cells, self._adjusted(row, column), self.null)"
PROOFS = [
    *killed_by(
        f"{SCORE_BETS}::test_no_bet_gains_on_average_at_any_node",
        (
            "ScoreBets.advance",
            "self.total * self.null - self.sum[now]) / remaining",
            "self.total * self.null - self.sum[now]) / self.total",
        ),
        (
            "ScoreBets.advance",
            "stakes * (d - m",
            "np.where((d > m)[..., None], stakes, 0.0) * (d - m",
        ),
        (
            "ScoreBets.advance",
            "(left[arms][:, None] - left[arms]) / remaining",
            "self.hints[arms].mean(axis=1)[:, None] - self.hints[arms].mean(axis=1)",
        ),
        ("ScoreBets.advance", "< -_ROUNDING", "<= _ROUNDING"),
        ("ScoreBets._stakes", "1.0 + m + b * furthest", "1.0 + m"),
        ("bounds_of", "np.where(missing, 1.0, scores)", "np.where(missing, 0.5, scores)"),
    ),
    *killed_by(
        f"{SCORE_BETS}::test_all_tables_of_two_arms_and_four_items_with_equal_means",
        ("ScoreBets._stakes", "1.0 + m + b * furthest", "1.0 + b * furthest"),
    ),
    *killed_by(
        f"{SCORE_BETS}::test_scores_of_other_arms_change_nothing",
        ("ScoreBets._slope", "product / spread", "product.mean() / spread.mean()"),
    ),
    *killed_by(
        f"{SCORE_BETS}::test_weights_of_wrong_pairs_add_up_to_one_at_most",
        ("subsets:weights_of", "1.0 / (top * (arms - top))", "1.0 / top"),
        ("subsets:weights_of", "each.sum() - each", "each.sum()"),
    ),
    *killed_by(
        f"{SCORE_BETS}::test_with_a_margin_the_answer_itself_has_to_be_compared",
        ("ScoreProof.look", "self._bets.null < 0.0", "self._bets.null < -1.0"),
        ("ScoreBets.__init__", "-margin", "margin"),
    ),
    *killed_by(
        f"{SCORE_BETS}::test_an_answer_is_given_only_where_no_other_set_is_possible",
        ("ScoreProof._rule_out", ">= top", ">= top - 1"),
        ("ScoreProof._rule_out", ">= arms - top", ">= arms - top - 1"),
    ),
    *killed_by(
        f"{TWO_ARMS}::test_no_bet_gains_on_average_after_any_pairs_whatever_nature_chooses",
        ("TwoArmBets.add", "(score - self.low)", "(self.low - score)"),
        ("TwoArmBets.add", "(score - self.low)", "(score - self.high)"),
        ("TwoArmBets.add", "(self.high - score)", "(self.low - score)"),
        ("TwoArmBets.add", "self.counts + _T", "self.counts + (score == SCORES) + _T"),
    ),
    *killed_by(
        f"{TWO_ARMS}::test_stakes_are_best_for_the_distribution_with_the_other_mean",
        ("growth_optimal_stake", "theta * SCORES", "0.0 * theta * SCORES"),
        ("growth_optimal_stake", "SCORES) - high", "SCORES) - low - (high - low) / 2"),
        ("growth_optimal_stake", "1.0 + stake * gain", "1.0"),
    ),
    *killed_by(
        f"{TWO_ARMS}::test_counts_without_their_order_are_wrong_at_most_as_often_as_said",
        ("log_evidence_of_counts", ".min()", ".max()"),
    ),
    *killed_by(
        f"{TWO_ARMS}::test_cells_of_variances_that_are_wrong_are_refuted_and_the_right_one_is_not",
        ("log_evidence_of_counts", "least(counts, low)", "least(counts, high)"),
        ("log_evidence_of_counts", "share * (above - 1.0)", "share * (below - 1.0)"),
        ("log_evidence_of_counts", "q / top[:, None]", "q / bottom.clip(0.005)[:, None]"),
        ("log_evidence_of_counts", "(1.0 - bottom)", "(1.0 - top.clip(None, 0.99))"),
    ),
    *killed_by(
        f"{TWO_ARMS}::test_the_report_says_what_is_proved_and_json_has_it",
        ("TwoArms.proved", "self.alpha", "self.beta"),
    ),
    *killed_by(
        f"{SCORE_TRACKING}::test_a_state_that_is_kept_leads_on_alike",
        ("ScoreTracker.restore", "self.bets.restore(state)", "pass"),
    ),
    *killed_by(
        f"{PANEL_EVIDENCE}::test_the_mean_of_an_e_value_is_at_most_one_where_votes_of_a_cluster_"
        "agree",
        ("divided_outcomes", "np.ones(of.sum()) / d", "np.ones(of.sum())"),
    ),
    *killed_by(
        f"{SUBSET_TRACKING}::test_earlier_sets_that_are_none_of_the_class_count_as_what_they_are",
        ("PlannedBlocks.recall", "inside[mixed] = vectors[mixed]", "pass"),
    ),
    *killed_by(
        f"{KINDS_OF_LOGS}::test_weighted_preferences_are_shares_of_which_the_mean_is_compared",
        (
            "single_outcomes",
            "np.bincount(line.ravel(), times)",
            "np.bincount(line.ravel(), 2.0 * times)",
        ),
        ("PREFERRED", "(1.0, 2.0)", "(2.0, 1.0)"),
    ),
    *killed_by(
        f"{KINDS_OF_LOGS}::test_the_answers_that_a_session_exports_are_read_as_its_votes",
        ("_log_of", "= ~told", "= told & ~told"),
    ),
    *killed_by(
        f"{WINNER_ON_NEW_ITEMS}::test_no_rule_that_sees_all_pairs_makes_a_pair_large_too_often",
        ("largest_evidence", "stakes / stakes.sum()", "stakes"),
    ),
    *killed_by(
        f"{WINNER_ON_NEW_ITEMS}::test_it_is_proved_once_every_pair_of_the_answer_has_enough",
        ("on_new_items", "max(arms, len(pairs))", "arms / 2.0"),
        ("on_new_items", "-margin", "margin"),
        ("on_new_items", "all(", "any("),
    ),
    *killed_by(
        f"{WINNER_ON_NEW_ITEMS}::test_of_several_arms_all_pairs_with_one_outside_are_looked_at",
        ("on_new_items", "max(arms, len(pairs))", "arms"),
    ),
    *killed_by(
        f"{WINNER_ON_NEW_ITEMS}::test_it_is_refuted_once_an_arm_outside_is_ahead",
        ("on_new_items", "arms * (arms - 1)", "arms"),
        ("on_new_items", "differences(j, a)", "differences(a, j)"),
    ),
    *killed_by(
        f"{VOTE_FILTERS}::test_each_group_has_an_equal_part_of_delta",
        ("evidence_by", "delta=delta / len(groups)", "delta=delta"),
    ),
    *killed_by(
        f"{VOTE_FILTERS}::test_filters_read_the_same_lines_of_every_kind_of_file",
        ("VoteFilter.rows", "times < self.until", "times <= self.until"),
        ("VoteFilter.rows", "times >= self.since", "times > self.since"),
    ),
    *killed_by(
        f"{CLUSTERS}::test_large_numbers_are_told_apart_row_by_row",
        ("row_codes", "> _LARGEST_CODE", "> 2 ** 100"),
        ("row_codes", "codes * size + column", "codes * (size - 1) + column"),
    ),
    *killed_by(
        f"{BORDA_CELLS}::test_the_mean_of_the_next_factor_is_one_at_the_null_and_at_most_one_below",
        ("BordaCells._left_of", "of_arm - self.left)", "of_arm)"),
        ("BordaCells.__init__", "mean * (arms - 1)", "mean * arms"),
        ("BordaCells._scores", "self.total - self.asked / 2.0", "self.total - self.asked / 3.0"),
        ("BordaCells.count", "(got - 0.5 - expected)", "(got - 0.5)"),
        ("BordaCells.count", "np.outer(self.in_play, self.in_play)", "np.ones_like(self.left) > 0"),
    ),
    *killed_by(
        f"{BORDA_CELLS}::test_with_hints_the_mean_of_the_next_factor_is_as_it_was",
        ("BordaCells.count", "hint - self._hints.of_left(i, j)", "hint - 0.5"),
        ("BordaCells.count", "slope * self._hints.farthest", "0.0 * self._hints.farthest"),
    ),
    *killed_by(
        f"{CELL_HINTS}::test_no_bet_on_a_true_null_gains_in_the_mean_whatever_the_hints",
        ("CellHints.of_left", "self._sum.item(i, j) / self._number.item(i, j)", "self.mean[i, j]"),
        ("PairTracker.count", "1.0 - hint)", "hint)"),
        ("PairBeliefs._of_nulls", "missing_wins(cells, total, self.null)", HELD_BY_HINTS),
        ("Stakes.placed", "hint - hints.of_left(i, j)", "abs(hint - hints.of_left(i, j))"),
    ),
    *killed_by(
        f"{CELL_HINTS}::test_a_bet_never_loses_more_than_nine_tenths_whatever_cell_comes",
        ("PairBeliefs.bet", "worst += slope * self.hints.largest(i, j)", "worst += 0.0"),
    ),
    *killed_by(
        f"{CELL_HINTS}::test_the_hints_left_are_those_that_are_not_told",
        ("CellHints.tell", "self._sum[pair[::-1]] -= 1.0 - x", "self._sum[pair[::-1]] -= x"),
        ("CellHints.largest", "values[left.argmax()]", "values[0]"),
    ),
    *killed_by(
        f"{CELL_HINTS}::test_the_slope_is_that_of_a_regression_with_a_ridge",
        ("PooledSlope.value", "max(0.0, products", "max(-1.0, products"),
        ("PooledSlope.value", "min(1.0, ", "min(9.0, "),
    ),
    *killed_by(
        f"{PAIR_TRACKING}::test_in_whatever_order_cells_come_leaving_them_out_proves_nothing_false",
        ("PairBeliefs.count", "times - left_out - outcome", "times - outcome"),
    ),
    *killed_by(
        f"{PAIR_TRACKING}::test_a_cell_that_is_left_out_counts_as_the_worst_for_both_arms",
        ("PairTracker.count", "(j, i, lost, ", "(j, i, times - won, "),
    ),
    *killed_by(
        f"{BORDA_CELLS}::test_a_cell_that_is_left_out_counts_as_the_worst_for_every_two_arms",
        ("BordaCells.count", "(0.5 - other - expected)", "(got - 0.5 - expected)"),
        ("BordaCells._scores", "self.asked / 2.0 - self.total.T", "self.total - self.asked / 2.0"),
    ),
    *killed_by(
        f"{BORDA_CELLS}::test_evidence_is_what_the_rule_adds_up",
        ("BordaCells.judge", "of_answer[arms, arms] = log_e[0", "of_answer[arms, arms] = log_e[1"),
    ),
    *killed_by(
        f"{BORDA_CELLS}::test_the_last_arm_is_not_dropped",
        ("BordaCells.judge", ".argmin()] = False", ".argmin()] = True"),
    ),
    *killed_by(
        f"{BORDA_CELLS}::test_an_arm_is_proved_as_soon_as_no_cells_left_can_change_it",
        ("BordaCells.judge", "sum(axis=1) / 2.0", "sum(axis=1)"),
    ),
    *killed_by(
        f"{BORDA_CELLS}::test_the_threshold_has_a_share_of_delta_for_every_other_arm",
        ("BordaCells.__init__", "math.log(arms - 1) - math.log(delta)", "-math.log(delta)"),
    ),
    *killed_by(
        f"{BORDA_TRACKING}::test_the_evidence_with_a_margin_is_that_of_scores_moved_by_it",
        ("BordaBlocks.add", "scores + self._margin)", "scores)"),
        ("borda_evidence", "(arms - 1) * margin", "margin"),
    ),
    *killed_by(
        f"{PREDICTABLE_BETS}::test_the_least_w_is_that_of_the_weakest_truth",
        ("PredictableBets.weakest_truth", "np.minimum(q, q.T)", "np.maximum(q, q.T)"),
        ("PredictableBets.weakest_truth", "self.margin > 0.0", "self.margin > 1.0"),
        ("PredictableBets.weakest_truth", "least_of.sum() / 2.0", "least_of.sum()"),
        ("weakest_sets", "most + held", "np.maximum(most - 1, 0) + held"),
        ("weakest_sets", "found[0] += of_answer", "found[0] += 0.0"),
        ("weakest_sets", "place, costs)", "place, 0.0 * own)"),
    ),
    *killed_by(
        f"{PREDICTABLE_BETS}::test_its_pairs_are_those_of_the_least_w",
        ("weakest_sets", "by_cost[by_cost != j]", "by_cost"),
    ),
    *killed_by(
        f"{PREDICTABLE_BETS}::test_a_bet_is_fair_at_the_null_and_loses_below",
        ("null_mean", "missing_wins(cells, total, null), null)", "cells * null - asked / 2, null)"),
    ),
    *killed_by(
        f"{PREDICTABLE_BETS}::test_cells_decide_for_certain",
        ("missing_wins", "np.where(close, 0.0, missing)", "missing"),
    ),
    *killed_by(
        f"{PREDICTABLE_BETS}::test_evidence_grows_by_no_more_than_is_noted",
        ("PredictableBets.add", "max(0.0, log_factor, of_target)", "max(0.0, log_factor)"),
        ("PredictableBets.add", "max(0.0, log_factor, of_target)", "max(0.0, of_target)"),
        ("PredictableBets.certain", "True, math.inf", "True, self.grown"),
    ),
    *killed_by(
        f"{PAIR_TRACKING}::test_the_weakest_truth_is_looked_for_only_where_the_proof_may_be_there",
        ("CopelandTracker.answered", "known[2].evidence + self.bets.grown", "known[2].evidence"),
        ("CopelandTracker.answered", "self._proof if self._log_e is None else None", "None"),
        ("CopelandTracker.answered", "known[0] == self.champion", "True"),
    ),
    *killed_by(
        f"{PREDICTABLE_BETS}::test_what_is_floored_is_a_mixture_with_one",
        ("floored", "math.log1p(-_FLOOR) + log_e", "log_e"),
    ),
    *killed_by(
        f"{PREDICTABLE_BETS}::test_the_mean_of_two_proofs_is_that_of_their_stakes",
        ("mean_of_proofs", "- math.log(2.0)", "- 0.0"),
    ),
    *killed_by(
        f"{PAIR_TRACKING}::test_a_bet_on_several_coins_is_fair_at_the_null_and_loses_below",
        ("PairBeliefs.log_mixture", "np.maximum(_BETS.probability, null)", "_BETS.probability"),
        ("PairBeliefs._for_bets", "posterior / posterior.sum()", "posterior / posterior.max()"),
    ),
    *killed_by(
        f"{PREDICTABLE_BETS}::test_only_the_bets_of_the_target_count_in_q",
        ("PredictableBets.add", "if i == self.target", "if i >= 0"),
    ),
    *killed_by(
        f"{PAIR_TRACKING}::test_a_stake_of_coins_is_divided_and_each_bet_is_placed_before_the_duel",
        ("PairTracker._target", "log_q < 0.0", "False"),
        ("PairTracker._target", "contends or", "False or"),
        ("PairTracker._target", "1.0 - self.tuning.doubt / len(self.prices)", "0.0"),
        ("PairTracker._target", "and log_q == 0.0", ""),
        ("Stakes.placed", "math.log1p(-self._counts) + self", "self"),
        ("Stakes.settle", "of_target=gained[0]", "of_target=gained[1]"),
    ),
    *killed_by(
        f"{PREDICTABLE_BETS}::test_a_condorcet_winner_is_ruled_out_by_the_product",
        ("condorcet_product", "least.sum(axis=0)", "least.max(axis=0)"),
        ("condorcet_product", "np.minimum(least, wide)", "np.maximum(least, wide)"),
        ("condorcet_product", "least[answer] = wide[answer]", "pass"),
    ),
    *killed_by(
        f"{PREDICTABLE_BETS}::test_w_of_the_truth_does_not_grow_on_average_over_all_outcomes_of_a_tracker",
        (
            "CondorcetTracker._against",
            "condorcet_product(self._plain.log_f, self.bets.log_f, answer)",
            "condorcet_product(self._plain.log_f) if answer is None else "
            "condorcet_product(self._plain.log_f, self.bets.log_f, answer)",
        ),
        ("CondorcetTracker.__init__", "len(prices), 0.0, won", "len(prices), 0.05, won"),
        ("Stakes.placed", "+ times - outcome", "+ times - outcome - 0.5"),
        (
            "PairTracker.count",
            "self._target(first, second)",
            "self._target(first, second) if won else -1",
        ),
        ("Bet.gain", "outcome - self.mean", "outcome"),
    ),
    *killed_by(
        f"{PAIR_TRACKING}::test_it_stops_at_the_proof_and_not_before",
        ("PairTracker.__init__", "-math.log(delta)", "-0.9 * math.log(delta)"),
        ("CopelandTracker.answered", "self.evidence() >= self.needed", "self.evidence() >= 0.8"),
    ),
    *killed_by(
        f"{PAIR_TRACKING}::test_a_table_that_is_asked_in_full_is_known",
        ("PairTracker._certain", "self.beliefs.held[i, j]", "False"),
        ("weakest_sets", "np.where(held, REFUTED, own)", "own"),
    ),
    *killed_by(
        f"{PAIR_TRACKING}::test_answers_are_used_in_the_order_of_questions_for_the_arm_to_prove_by_then[copeland-tracking]",
        ("PairTracker.count", "self._open.popleft()", "self._open.pop()"),
    ),
    *killed_by(
        f"{PAIR_TRACKING}::test_counts_that_prove_nothing_are_refused",
        ("prior_tally", "if not votes.independent:", "if votes is None:"),
    ),
    *killed_by(
        f"{BORDA_TRACKING}::test_votes_that_are_there_count_in_a_proof_of_borda_winners",
        ("BordaTracker.__init__", "self._needed = self._log_nulls - math", "self._needed = -math"),
    ),
    *killed_by(
        f"{PAIR_TRACKING}::test_the_smallest_probabilities_of_an_error_are_reached_or_refused",
        ("checked_delta", "ErrorProbability", "Positive"),
    ),
    *killed_by(
        f"{IDENTIFICATION}::test_noise_that_is_taken_for_low_is_an_assumption",
        (
            "Exchange._finish",
            "doubt, assumption = ('', self._declared)",
            "doubt, assumption = ('', '')",
        ),
    ),
    *killed_by(
        f"{BORDA_BLOCKS}::test_blocks_add_up_as_they_are_described",
        ("BordaBlocks.add", "(2.0 * others) ** 2", "(3.0 * others) ** 2"),
        ("BordaBlocks.add", "2.0 * inverse", "inverse"),
    ),
    *killed_by(
        f"{ANSWERS}::test_right_answers_are_kept_in_plain_numbers",
        ("Exchange.__init__", "'' if says.promises else NO_GUARANTEE", "''"),
    ),
    *killed_by(
        f"{UNPROVED_ANSWERS}::test_a_learner_of_rewards_names_the_noise_that_its_proof_rests_on",
        ("Exchange._finish", "joined_assumptions(assumption, self._noise_assumed)", "assumption"),
        ("NoiseBounds.of", "by_feedback and sums and (sigma is None)", "False"),
    ),
    *killed_by(
        f"{UNPROVED_ANSWERS}::test_a_promise_that_rests_on_less_noise_than_the_problem_has_is_refused",
        ("_check_noise", "bound < least * (1.0 - _ROUNDING)", "bound < 0.5 * least"),
        ("SubsetBandit.noise_of", "math.sqrt(self.decisions.rank)", "1.0"),
        ("checked_learner", "_check_noise(function, problem, parameters)", "pass"),
    ),
    *killed_by(
        f"{DUELING_PROOFS}::test_the_mixture_is_the_one_that_is_described",
        ("_grid", "weights / weights.sum()", "weights / weights[1:].sum()"),
        ("_grid", "growth * (1.0 - null)", "growth"),
        ("_log_e", "lost[..., None] * on_loss", "lost[..., None] * on_loss / 2"),
    ),
    *killed_by(
        f"{DUELING_PROOFS}::test_the_weakest_truth_is_that_of_brute_force",
        ("weakest_truth", "log_bet(rest, arms - 1)", "log_bet(rest, arms)"),
        ("weakest_truth", "(sums[:, size - 1] + own[:, None]) / size", "sums[:, size - 1] / size"),
        ("weakest_truth", "others_flip[:, level + 1]", "others_flip[:, level]"),
        (
            "weakest_truth",
            "[*order[row, :arms - 2 - case].tolist(), answer]",
            "order[row, :arms - 2 - case].tolist()",
        ),
        ("weakest_truth", "losses = case - (arms - 1) + 2", "losses = case - (arms - 1) + 1"),
        ("_others_flip", "ONE + _SHARE * least / count", "ONE + _SHARE * least"),
        ("log_bet", "(count - 1.0) * ONE", "count * ONE"),
        ("log_bet", "(e + (count - 1.0) * ONE) / count", "e + (count - 1.0) * ONE"),
    ),
    *killed_by(
        f"{MARGINS}::test_the_weakest_truth_within_a_margin_is_that_of_brute_force",
        ("_others_flip", "unscaled(_SHARE * least / count)", "unscaled(_SHARE * least)"),
        ("_log_share_of_mean", "(1.0 - _SHARE) * mean", "mean"),
        ("weakest_truth", "np.add if independent else np.logaddexp", "np.add"),
    ),
    *killed_by(
        f"{VALIDITY}::test_no_statement_is_wrong_before_a_process_is_at_its_threshold",
        ("PAIRS_SHARE", "(0.5, 0.25, 0.25)", "(1.0, 0.25, 0.25)"),
        ("PAIRS_SHARE", "(0.5, 0.25, 0.25)", "(0.5, 0.5, 0.25)"),
        ("PAIRS_SHARE", "(0.5, 0.25, 0.25)", "(0.5, 0.25, 0.5)"),
    ),
    *killed_by(
        f"{MARGINS}::test_what_a_margin_says_is_paid_for_by_what_is_said_without_it",
        ("delta_without_margin", "WITHOUT_MARGIN * delta if margin else delta", "delta"),
        ("statements", "COPELAND_SHARE) * (delta - part)", "COPELAND_SHARE) * delta"),
        ("statements", "0.5 - margin", "0.5 - 2.0 * margin"),
    ),
    *killed_by(
        f"{CLUSTER_BETS}::test_a_bet_on_a_cluster_is_the_line_between_its_win_and_its_loss",
        ("log_stakes_of_outcomes", "1.0 - outcomes.share", "outcomes.share"),
        ("log_stakes_of_outcomes", "outcomes.times[asked]", "1.0"),
        ("log_e_of_votes", "log_e_of_stakes(stakes, null)", "log_e_of_stakes(2.0 * stakes, null)"),
    ),
    *killed_by(
        f"{CLUSTERS}::test_the_mean_of_a_cluster_on_a_pair_is_one_outcome",
        ("_cluster_means", "won / votes", "won"),
        ("clustering_of", "crossed.append(name)", "pass"),
        ("VoteCounts.fractions", "self.outcomes is None", "True"),
    ),
    *killed_by(
        f"{CLUSTERS}::test_clusters_on_different_pairs_are_warned_of_where_their_votes_may_have_chosen_them",
        ("clustering_of", "pairs.max() > 1 and", ""),
        ("clustering_of", "pairs.min() < len(np.unique(pair))", "pairs.min() < pairs.max()"),
    ),
    *killed_by(
        f"{CLUSTERS}::test_the_first_vote_of_each_combination_counts_alone",
        ("DuelLog.counted", "independent=not apart)", "independent=True)"),
    ),
    *killed_by(
        f"{MARGINS}::test_equal_pairs_have_their_share_and_make_the_tied_set",
        ("statements", " share * (delta - part)", " share * delta"),
        ("Statements.tied_set", "len(left) > 1 and", "left and"),
    ),
    *killed_by(
        f"{MARGINS}::test_a_pair_is_equal_where_both_nulls_of_the_margin_are_refuted_for_all_pairs_at_once",
        ("equal_pairs", "np.minimum(log_e, log_e.T)", "log_e"),
        ("equal_pairs", "arms * (arms - 1) / 2.0", "arms - 1.0"),
    ),
    *killed_by(
        f"{MARGINS}::test_tiers_are_the_finest_order_of_groups_that_pairs_prove",
        ("tiers_of", "ranked[:cut, cut:].all()", "ranked[:cut, cut:].any()"),
    ),
    *killed_by(
        f"{PAIR_PROOF}::test_many_weak_pairs_refute_together_only_if_they_are_independent",
        ("pair_proof", "math.log(pairs) - math.log(delta)", "-math.log(delta)"),
    ),
    *killed_by(
        f"{PAIR_PROOF}::test_the_wealth_of_a_truth_is_what_its_contradictions_add_up_to",
        ("pair_proof", "math.log1p(-1.0 / pairs)", "math.log1p(-0.5 / pairs)"),
        ("pair_proof", "np.logaddexp(high, low) - math.log(2.0)", "np.logaddexp(high, low)"),
        ("pair_proof", "-math.log(delta) - math.fsum", "-math.log(delta) - 0.0 * math.fsum"),
        ("pair_proof", "just_below(bet(each) - lost)", "just_below(bet(each))"),
    ),
    *killed_by(
        f"{PAIR_PROOF}::test_what_is_said_of_winners_is_what_no_truth_below_the_threshold_contradicts",
        ("PairProof.beats", "self.cost >= self.threshold", "self.reversal >= self.threshold"),
        ("PairProof.against_condorcet", "self.leads.T, self.reversal", "self.leads, self.reversal"),
        ("copeland_statuses", "costs, proof.threshold)", "costs, proof.threshold / 2)"),
        ("condorcet_statuses", ".against_condorcet >= proof.threshold", ".against_condorcet > 0"),
        ("condorcet_statuses", "beaten == len(beaten) - 1", "beaten >= len(beaten) - 2"),
    ),
    *killed_by(
        f"{PAIR_PROOF}::test_the_weakest_truth_proves_what_pairs_do_not",
        ("copeland_proved", "independent=independent", "independent=True"),
        ("copeland_proved", ".evidence >= -math.log(delta)", ".evidence >= -math.log(2 * delta)"),
    ),
    *killed_by(
        f"{BORDA_PROOF}::test_the_order_is_the_evidence_above_the_number_of_pairs_over_delta",
        ("borda_order", ") * (len(evidence) - 1) / 2.0)", ") * (len(evidence) - 1) / 4.0)"),
    ),
    *killed_by(
        f"{BORDA_PROOF}::test_the_evidence_is_the_least_over_all_truths_of_the_mixture_by_its_definition",
        ("_mean_of_g", "3.0 * paid", "2.0 * paid"),
        ("_mean_of_g", "np.log1p(votes / tau)", "np.log1p(votes / tau / 2)"),
        ("_mean_of_g", "exponent = 2.0 * lead ** 2", "exponent = 4.0 * lead ** 2"),
        ("_mean_of_g", "votes * tau / (votes + tau)", "votes"),
    ),
    *killed_by(
        f"{BORDA_OF_CLUSTERS}::test_the_evidence_is_a_third_of_both_by_their_definitions",
        ("cluster_evidence", ".won / 2.0, clusters.votes / 2.0", ".won, clusters.votes"),
        ("cluster_evidence", "scores) - math.log(3.0)", "scores) - math.log(2.0)"),
        ("_terms", "-psi * rho ** 4", "-psi * rho ** 4 / 2"),
        ("_scores", "1.0 / np.bincount(place)", "1.0 / np.sqrt(np.bincount(place))"),
        ("_scores", "arms * (arms - 1)", "(arms - 1)"),
    ),
    *killed_by(
        f"{BORDA_TRACKING}::test_a_set_is_answered_once_all_its_arms_are_ahead_of_all_others",
        ("BordaTracker.__init__", "top * (tally.arms - top)", "tally.arms - 1"),
        ("BordaTracker._evidence", ".min()", ".max()"),
    ),
    *killed_by(
        f"{RANKS}::test_borda_ranks_are_those_of_all_orders_that_reverse_too_little_evidence",
        ("borda_ranks", "arms * (arms - 1) / 2.0", "arms * (arms - 1) / 4.0"),
        ("borda_ranks", "_tail_sums(evidence.T)", "_tail_sums(evidence)"),
    ),
    *killed_by(
        f"{RANKS}::test_arms_that_are_ahead_together_cost_a_rank_that_none_costs_alone",
        ("_tail_sums", "np.sort(others, axis=1)", "-np.sort(-others, axis=1)"),
    ),
    *killed_by(
        f"{RANKS}::test_copeland_ranks_are_those_of_all_truths_below_the_threshold",
        ("copeland_ranks", "1 - excess", "-excess"),
        ("copeland_ranks", "np.where(open_, 0.0, math.inf)", "math.inf"),
        ("_refuted", "one_less + more", "one_less"),
        ("_refuted", "np.minimum(alone, one_less + more)", "alone"),
    ),
    *killed_by(
        f"{RANKS}::test_a_pair_the_other_way_round_costs_more_than_a_tie_and_counts_once",
        ("copeland_ranks", "(leads, reversal, np.where(", "(leads, tie, np.where("),
        ("_without", "sums[rivals, number + skipped] - own", "sums[rivals, number]"),
    ),
    *killed_by(
        f"{RANKS}::test_what_is_proved_of_winners_bounds_their_ranks",
        ("with_winners", "1 + worse", "2 + worse"),
    ),
    *killed_by(
        f"{RANKS}::test_each_kind_of_rank_has_its_share_of_delta",
        ("statements", "BORDA_SHARE * delta", "2 * BORDA_SHARE * delta"),
    ),
    *killed_by(
        f"{RANKS}::test_of_two_arms_all_is_one_statement_at_all_of_delta",
        ("pairs_share", "1.0", "2.0"),
        ("statements", "reversal=pairs.cost", "reversal=pairs.reversal"),
    ),
    *killed_by(
        f"{MARGINS}::test_of_two_arms_what_a_margin_says_has_all_of_its_half",
        ("statements", "1.0 if two else", "2.0 if two else"),
        ("statuses_within", "log_e[arm, 1 - arm]", "log_e[1 - arm, arm]"),
    ),
    *killed_by(
        f"{DAVIDSON}::test_strengths_are_where_the_likelihood_is_largest",
        ("attained", "(won > 0.0) & (won.T > 0.0)", "won > 0.0"),
        ("attained", "connection='strong'", "connection='weak'"),
        ("_Likelihood.gradient", "self.prior * (1.0 - 2.0 * ties", "0.0 * (1.0 - 2.0 * ties"),
    ),
    *killed_by(
        f"{DAVIDSON}::test_the_inverse_is_that_of_the_second_derivatives",
        ("_Likelihood.newton", "decided * ties / 4.0", "decided * ties"),
        ("_Likelihood.newton", "(wins - wins.T) * ties", "(wins + wins.T) * ties"),
    ),
    *killed_by(
        f"{DAVIDSON}::test_of_many_arms_the_inverse_is_that_of_the_information",
        ("_solved", "rest[half:] + across.sum(axis=1)", "rest[half:]"),
        ("_solved", "rest[:half] + moved[:, half]", "rest[:half]"),
    ),
    *killed_by(
        f"{DAVIDSON}::test_numbers_of_any_size_have_strengths",
        ("_Likelihood.gradient", "2.0 * wins.T + ties", "1.0 - wins + wins.T"),
    ),
    *killed_by(
        f"{MODEL_RANKS}::test_the_sandwich_is_the_sum_of_squared_scores",
        ("_sandwich", "clusters / max(1, clusters - 1)", "1.0"),
        ("_scores", "surprise / 2.0, -surprise / 2.0", "surprise, -surprise"),
    ),
    *killed_by(
        f"{MODEL_RANKS}::test_votes_of_a_cluster_that_agree_count_once",
        ("_table", "np.maximum(design * spread, _differences(sandwich))", "spread"),
        ("_noise", "squares - variance", "0.0 * squares - variance"),
    ),
    *killed_by(
        f"{MODEL_RANKS}::test_critical_values_are_those_of_the_studentised_range",
        ("_critical", "1.0 - delta", "1.0 - 2.0 * delta"),
        ("_critical", "root.T", "root"),
    ),
    *killed_by(
        f"{MODEL_RANKS}::test_critical_values_are_those_of_all_pairs_whatever_their_variances",
        ("_critical", "(square + square.max(axis=1)[:, None]) / share", "square / 2.0"),
    ),
    *killed_by(
        f"{MODEL_RANKS}::test_ranks_count_who_is_above_and_below",
        ("StrengthTable.above", "self.critical * self.errors", "0.5 * self.critical * self.errors"),
        ("StrengthTable.ranks", "self.above.sum(axis=0)", "self.above.sum(axis=1)"),
    ),
    *killed_by(
        f"{MODEL_RANKS}::test_the_next_votes_are_those_that_bring_open_pairs_nearest_to_a_rank",
        ("StrengthTable.next_pairs", "1.0 + weight * spread", "1.0"),
        ("StrengthTable.next_pairs", "np.divide(share, spread,", "np.divide(1.0, spread,"),
    ),
    *killed_by(
        f"{MODEL_RANKS}::test_pairs_that_contradict_the_model_are_named_and_a_proved_cycle",
        ("_table", "1.0 - number * variance * spread[:-1, :-1] / 4.0", "0.2 + 0.0 * number"),
    ),
    *killed_by(
        f"{BORDA_OF_CLUSTERS}::test_with_nothing_known_of_clusters_votes_are_divided_among_all_pairs_of_an_arm",
        ("ClusterScores.of_counts", "wins / (len(wins) - 1)", "wins"),
    ),
    *killed_by(
        f"{REMAINING_DUELS}::test_the_duels_are_those_of_the_characteristic_time_and_no_pair_can_spare_many",
        ("_Prospect.proved", "pairs_share(self.votes.arms)", "10 * pairs_share(self.votes.arms)"),
        ("_Prospect.proved", "COPELAND_SHARE * self.delta", "10 * COPELAND_SHARE * self.delta"),
    ),
    *killed_by(
        f"{PREFLIB}::test_further_duels_of_selected_pairs_start_from_nothing",
        ("_Prospect.__init__", "wins = votes.proving_wins", "wins = votes.wins"),
    ),
    *killed_by(
        f"{BLOCKS}::test_radii_are_where_the_bet_pays_and_lines_touch_them_and_are_nowhere_below",
        ("BlockMixture.least_sums", "(value - needed) / slope", "1.1 * (value - needed) / slope"),
        ("BlockMixture.tangents", "(shares @ self._rho) / 2.0", "(shares @ self._rho)"),
        ("MixtureRadius.radii", "self.needed) * (1.0", "self.needed) * 0.5 * (1.0"),
        ("MixtureRadius.lines", "slopes[:, None] * (1.0 +", "slopes[:, None] * (0.9 +"),
    ),
    *killed_by(
        f"{BLOCKS}::test_a_block_costs_a_part_of_what_is_missing_within_its_growth_and_its_least",
        ("Pace.cost", "self.growth * spent", "spent"),
        ("Pace.cost", "self.part * missing", "missing"),
        ("Pace.cost", "max(least, ", "max(0.0, "),
    ),
    *killed_by(
        f"{MATCHING_TRACKING}::test_the_blocks_of_a_candidate_are_those_of_the_theorem",
        ("Candidate.add", "inverse / 4.0", "inverse / 8.0"),
    ),
    *killed_by(
        f"{BLOCKS}::test_e_values_with_common_weights_are_those_of_the_definition",
        ("CommonWeights.add", "weight ** 2 * variances", "weight * variances"),
        ("CommonWeights.add", "self.weight += weight", "self.weight = weight"),
        ("BlockMixture.__init__", "np.log(weights / weights.sum())", "np.log(weights)"),
        ("BlockMixture.around", "(steps / _WIDTH) ** 2", "2.0 * (steps / _WIDTH) ** 2"),
    ),
    *killed_by(
        f"{BLOCKS}::test_weights_of_the_candidates_taken_up_add_up_to_one",
        ("log_weight", "-math.log(number * (number + 1.0))", "-math.log(number)"),
    ),
    *killed_by(
        f"{MATCHING_TRACKING}::test_the_program_proves_what_the_list_proves",
        ("Candidate.proved", "gap.at_most(0.0) <= 0.0", "gap.at_most(0.0) > 0.0"),
    ),
    *killed_by(
        f"{MATCHING_TRACKING}::test_known_rivals_alone_prove_nothing_where_there_are_others",
        ("Candidate.proved", "if self.complete or not enough:", "if True:"),
    ),
    *killed_by(
        f"{ADAPTIVE_SAMPLES}::test_every_direction_is_paid_for_however_little_it_was_seen",
        ("SelfNormalizedBound.__init__", "volumes + math.log(len(LAMBDAS))", "volumes"),
        ("SelfNormalizedBound.__init__", ".sum(axis=1) / 2.0", ".sum(axis=1) / 4.0"),
    ),
    *killed_by(
        f"{ADAPTIVE_SAMPLES}::test_the_bound_with_blocks_is_where_a_third_of_the_three_bets_pays",
        ("SelfNormalizedBound.lower_with", "math.log(count) + math.log(3.0)", "math.log(count)"),
        ("SelfNormalizedBound.lower_with", "bounds.needed - math.log(count)", "bounds.needed"),
        ("SelfNormalizedBound.lower_with", "paid - math.log(count)", "paid"),
        ("SelfNormalizedBound.lower_with", "paid, of_log, paid + of_log])", "paid, of_log, paid])"),
    ),
    *killed_by(
        f"{NOISE_BOUND}::test_sigma_is_where_the_mixture_has_what_is_needed",
        ("largest_sigma", "-math.log(error) if", "-math.log(2.0 * error) if"),
        ("largest_sigma", "planned_mixture(lines - len(sizes)) if", "planned_mixture(lines) if"),
        ("exact_rank", "* pivot - product)", "* pivot + product)"),
        ("largest_sigma", "math.ceil(limit / unit)", "math.floor(limit / unit)"),
    ),
    *killed_by(
        f"{NOISE_BOUND}::test_planned_teams_and_more_lines_and_a_larger_error_say_more",
        ("adaptive_mixture", "logs + math.log(weight) - volumes", "logs + math.log(weight)"),
    ),
    *killed_by(
        f"{NOISE_BOUND}::test_logs_that_tell_no_sigma_are_refused",
        ("adaptive_mixture", "/ 2.0", "/ 4.0"),
    ),
    *killed_by(
        f"{NOISE_BOUND}::test_weights_add_up_to_at_most_one",
        ("adaptive_mixture", "weight = 2.0 / 3.0 /", "weight = 1.0 /"),
        ("planned_mixture", "- (place + 1.0) * math.log(2.0)", "- place * math.log(2.0)"),
    ),
    *killed_by(
        f"{TEAM_EVIDENCE}::test_sigma_is_that_of_the_residuals_and_costs_a_tenth_of_delta",
        ("score_evidence", "(1.0 - SIGMA_SHARE) * delta", "delta"),
        ("score_evidence", "delta, planned=planned", "delta, planned=True"),
    ),
    *killed_by(
        f"{TEAM_EVIDENCE}::test_what_an_estimated_sigma_takes_for_granted_stands_next_to_the_claim",
        ("score_evidence", "(scores, SIGMA_SHARE * delta", "(scores, delta"),
    ),
    *killed_by(
        f"{TEAM_EVIDENCE}::test_units_do_not_matter",
        ("score_evidence", "]) / sigma", "])"),
    ),
    *killed_by(
        f"{LISTED_BLOCKS}::test_the_loss_of_a_listed_class_is_that_of_its_worst_set",
        ("Differences.__init__", "max(1, len(self._listed) - 1)", "max(1, len(self._listed) // 2)"),
    ),
    *killed_by(
        f"{LISTED_BLOCKS}::test_the_loss_of_a_matroid_bounds_that_of_every_set",
        ("Differences.__init__", "max(1, len(some) * (decisions.size - len(some)))", "len(some)"),
    ),
    *killed_by(
        f"{LISTED_BLOCKS}::test_the_union_is_over_the_differences_and_planned_pulls_of_all_sets_span_it",
        ("Differences.bounds", "math.log(self.count) - math", "-math"),
        ("least_squares", "directions[:, ~seen]", "directions[:, :0]"),
    ),
    *killed_by(
        f"{BLOCKS}::test_bounds_are_those_of_the_definition",
        ("OwnWeights.lower", "sums - least", "sums - 0.9 * least"),
        ("OwnWeights.lower", "- _ROUNDING * (np.abs(sums) +", "+ _ROUNDING * (np.abs(sums) +"),
        ("OwnWeights.sums", "precisions += 1.0 / variances", "precisions += 0.5 / variances"),
    ),
    *killed_by(
        f"{BLOCKS}::test_a_block_of_elements_may_be_told_by_its_diagonal",
        ("OwnWeights.sums", "rows * inverse if", "rows * inverse ** 2 if"),
    ),
    *killed_by(
        f"{BLOCKS}::test_a_block_says_nothing_of_what_it_does_not_show",
        ("OwnWeights.sums", "> _HIDDEN", "> 2.0"),
    ),
    *killed_by(
        f"{GLR_THRESHOLD}::test_affine_bounds_are_never_below_and_the_best_of_them_is_near",
        (
            "GlrThreshold.constants",
            "size * deviation_constant(self._log / size)",
            "deviation_constant(self._log)",
        ),
    ),
    *killed_by(
        f"{GLR_THRESHOLD}::test_elements_cost_what_the_corollary_says",
        ("glr_terms", "2.0 * np.log(4.0 + np.log(pulls))", "np.log(4.0 + np.log(pulls))"),
    ),
    *killed_by(
        f"{OPTIMISTIC_GAP}::test_bounds_allow_for_a_margin",
        (
            "ThresholdRadius.radii",
            "np.sqrt(sums[:, 0] * self._thresholds(sums))",
            "np.sqrt(self._thresholds(sums) / 2)",
        ),
    ),
    *killed_by(
        f"{OPTIMISTIC_GAP}::test_the_bound_of_an_oracle_counts_not_its_value",
        ("OptimisticGap._oracle_bound", "optimum.bound + same +", "optimum.value + same +"),
    ),
    *killed_by(
        f"{OPTIMISTIC_GAP}::test_both_parts_are_bounded",
        ("_Part.halves", "element)), self._replace(exclude=(*self.exclude, element))", "element))"),
    ),
    *killed_by(
        f"{OPTIMISTIC_GAP}::test_sets_that_are_told_in_another_way_are_left_out_and_no_others",
        ("_Part.around", "(*self.include, *free[:place])", "(*self.include, *free[:place + 1])"),
        ("OptimisticGap._evaluate", "self._told_apart(fresh)", "np.ones(len(fresh), np.bool_)"),
    ),
    *killed_by(
        f"{OPTIMISTIC_GAP}::test_the_bound_is_above_the_largest_gap_and_near_it",
        ("OptimisticGap.at_most", "worst = max(worst, bound)", "worst = bound"),
    ),
    *killed_by(
        f"{SUBSET_TRACKING}::test_what_is_missing_is_what_the_proof_then_has",
        ("PlannedBlocks._needs", "level = 2.0 * (self._bounds", "level = 1.5 * (self._bounds"),
    ),
    *killed_by(
        f"{SUBSET_TRACKING}::test_what_is_missing_after_a_log_is_what_the_proof_then_has",
        ("PlannedBlocks._needs", "level += 2.0 * math.log(3.0)", "level += 20.0"),
        ("PlannedBlocks._add", "if proves:", "if True:"),
    ),
    *killed_by(
        f"{SUBSET_TRACKING}::test_logs_that_were_planned_prove_more",
        ("subset_tracking", "sums / sigma, planned=planned)", "sums / scale, planned=True)"),
    ),
    *killed_by(
        f"{SINGLE_EVIDENCE}::test_the_least_distance_is_that_of_all_sets",
        ("SingleEvidence.distances", "gaps ** 2 / (2.0 *", "gaps ** 2 / (4.0 *"),
    ),
    *killed_by(
        f"{SINGLE_EVIDENCE}::test_equal_sets_are_never_told_apart",
        ("SingleEvidence.enough", "> self.thresholds()).all()", "> self.thresholds()).any()"),
    ),
    *killed_by(
        f"{SINGLE_EVIDENCE}::test_it_is_enough_where_every_distance_is_above_its_own_threshold",
        ("SingleEvidence.__init__", "math.log(rivals.count) - math.log(delta)", "-math.log(delta)"),
    ),
    *killed_by(
        f"{SINGLE_EVIDENCE}::test_the_heuristic_threshold_is_a_logarithm_of_the_pulls",
        ("heuristic_threshold", "1.0 + math.log(pulls)", "math.log(pulls)"),
    ),
    *killed_by(
        f"{HUGE_CLASSES}::test_a_proof_that_is_left_open_is_none",
        ("ProofSchedule.proves", ".at_most(margin) <= margin", ".at_most(margin) < np.inf"),
    ),
    *killed_by(
        f"{HUGE_CLASSES}::test_old_pulls_that_were_planned_are_a_block_and_others_take_half_of_delta",
        ("OracleBlocks._start_blocks", "math.log((1.0 - _OWN) * delta)", "math.log(delta)"),
        ("OracleBlocks._start_blocks", "self._log_count - math.log(_OWN", "-math.log(_OWN"),
        ("OracleBlocks.recall", "1.0, half, margin", "1.0, self._delta, margin"),
    ),
    *killed_by(
        f"{HUGE_CLASSES}::test_no_answer_is_given_while_a_proof_is_open",
        ("OracleBlocks._add", "gap.at_most(most) <= most", "gap.largest_in_pool() <= most"),
    ),
    *killed_by(
        f"{HUGE_CLASSES}::test_a_block_has_the_variances_of_its_means",
        ("OracleBlocks._count_block", "1.0 / pulls[self._used]", "0.5 / pulls[self._used]"),
    ),
    *killed_by(
        f"{PANEL_EVIDENCE}::test_the_e_values_are_the_least_of_the_mixtures",
        ("PanelVotes.log_e_values", " - math.log(self.count)", ""),
        ("PanelVotes.log_e_values", "tau * (s", "0.5 * tau * (s"),
        ("PanelVotes.log_e_values", "np.logaddexp(g, f) - math.log(2.0)", "np.logaddexp(g, f)"),
        ("PanelVotes.log_e_values", "v + tau * s, _UNMET", "v, _UNMET"),
        ("PanelVotes.paid_of_all", "0.5 * float", "0.25 * float"),
        ("PanelVotes.against", "self.shares[rivals, each], 0.0", "self.shares[rivals, each], 0.5"),
    ),
    *killed_by(
        f"{PANEL_EVIDENCE}::test_searched_standings_are_those_of_a_list",
        ("_searched_standing", "/ 2.0 * outside", "/ 16.0 * outside"),
        ("OptimisticGap.at_most", "[_Part(include, exclude, np.inf)]", "[]"),
    ),
    *killed_by(
        f"{PANEL_EVIDENCE}::test_an_edge_is_proved_by_the_assignments_that_are_left",
        ("_listed_standing", "column.all()", "column.any()"),
        ("PanelVotes.left", "chain([best], others)", "[best]"),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_the_mean_over_all_tables_is_one_at_the_truth_and_below_it_at_most_one",
        ("log_e_value", "1.0 + s * (ratio - 1.0)", "1.0 + s * ratio"),
        ("log_e_value", " - math.log(len(STAKES))", ""),
        (
            "log_e_value",
            "(1.0 + differences) / (1.0 + c[:, None])",
            "1.0 + differences - c[:, None]",
        ),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_e_is_the_mean_over_stakes_by_its_definition_and_falls_in_c",
        ("log_e_value", "ratio[np.isnan(ratio)] = 1.0", "ratio[np.isnan(ratio)] = 0.5"),
        ("STAKES", "0.95", "1.5"),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_a_bound_is_the_largest_number_of_the_grid_that_is_refuted",
        ("lower_bounds", "math.log(1.0 / delta)", "math.log(0.5 / delta)"),
        ("lower_bounds", "np.asarray(low * _STEP", "np.asarray(high * _STEP"),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_each_pair_has_its_part_of_delta",
        ("new_item_statements", "delta / (arms * (arms - 1))", "delta / (arms - 1)"),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_bounds_follow_from_bounds_along_paths",
        ("new_item_statements", "lower[:, [k]] + lower[[k], :]", "lower[:, [k]]"),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_items_of_a_cluster_are_one_and_not_many",
        (
            "new_item_statements",
            "unit_means(scores[i] - scores[others], number)",
            "unit_means(scores[i] - scores[others], None)",
        ),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_the_unit_is_the_mean_of_a_cluster_over_what_both_have",
        ("unit_means", ".mean()", ".sum()"),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_what_is_said_follows_from_the_bounds",
        ("NewItemStatements.equal", "within & within.T", "within"),
    ),
    *killed_by(
        f"{NEW_ITEMS}::test_a_tied_set_is_equal_in_every_two",
        ("NewItemStatements.tied_set", "equal.all()", "equal.any()"),
    ),
    *killed_by(
        f"{EXCHANGEABLE}::test_the_variance_is_that_over_all_permutations",
        ("mark_test", "np.maximum(n - 1.0, 1.0)", "n"),
        ("mark_test", "abs(float(moved.sum())) - 0.5", "abs(float(moved.sum()))"),
    ),
    *killed_by(
        f"{EXCHANGEABLE}::test_in_clean_data_p_values_are_small_as_rarely_as_they_say",
        ("mark_test", "answer - (total(answer) / n)[stratum]", "answer - answer.mean()"),
        ("mark_test", "alone.sum() / 2.0", "alone.sum() / 4.0"),
    ),
    *killed_by(
        f"{EXCHANGEABLE}::test_a_rater_who_always_says_the_same_is_as_likely_as_by_what_others_say",
        (
            "always_the_same",
            "every[own['kind']].to_numpy() - own['n']",
            "every[own['kind']].to_numpy()",
        ),
    ),
    *killed_by(
        f"{CHECKS}::test_a_position_that_is_even_in_every_pair_costs_answers_alone",
        ("_position", "(np.abs(lead) <= 1.0).all()", "(np.abs(lead) < 0.0).all()"),
    ),
    *killed_by(
        f"{CHECKS}::test_clean_votes_have_no_findings",
        ("_changed_judge", "p_value < LEVEL / len(marks)", "p_value < 100.0 * LEVEL"),
    ),
    *killed_by(
        f"{CHECKS}::test_a_rater_who_says_what_nearly_all_say_is_not_suspected",
        ("_constant_raters", "if p < level", "if p < 1.1"),
    ),
]
