"""Mutants of learners: radii, splits of δ, lengths of rounds, stopping inequalities."""

from tests.mutants import killed_by

ACTIVE_RANKING = "learners/dueling/test_active_ranking.py"
CAR_COND = "learners/matchings/test_car_cond.py"
CAR_PARALLEL = "learners/matchings/test_car_parallel.py"
CAR_VERIFY = "learners/matchings/test_car_verify.py"
CCB = "learners/dueling/test_ccb.py"
CLUCB = "learners/subsets/test_clucb.py"
CLUCB_BORDA = "learners/matchings/test_clucb_borda.py"
COCI = "learners/separable/test_coci.py"
COMB_GAME = "learners/subsets/test_comb_game.py"
COPELAND_IDENTIFICATION = "learners/dueling/test_copeland_identification.py"
COPELAND_RMED = "learners/dueling/test_copeland_rmed.py"
CW_RMED = "learners/dueling/test_cw_rmed.py"
DOUBLE_THOMPSON = "learners/dueling/test_double_thompson.py"
DUEL_COUNTS = "learners/dueling/test_duel_counts.py"
ECW_RMED = "learners/dueling/test_ecw_rmed.py"
EB_TC = "learners/subsets/test_eb_tc.py"
EDGE_DECISIONS = "learners/matchings/test_edge_decisions.py"
EXHAUSTIVE = "learners/subsets/test_exhaustive.py"
FIXED_BUDGET = "learners/dueling/test_fixed_budget.py"
FWS = "learners/subsets/test_fws.py"
ICB = "learners/subsets/test_icb.py"
IDENTIFICATION = "learners/dueling/test_identification.py"
INTERVALS = "learners/dueling/test_intervals.py"
MATCHING_TRACKING = "learners/matchings/test_matching_tracking.py"
PAIR_TRACKING = "learners/dueling/test_pair_tracking.py"
PLAIN_PROGRAMS = "learners/test_plain_programs.py"
POLY_ALBA = "learners/subsets/test_poly_alba.py"
RANDOM_PAIRS = "learners/dueling/test_random_pairs.py"
REGRET_TRACKING = "learners/dueling/test_regret_tracking.py"
RMED = "learners/dueling/test_rmed.py"
RUCB = "learners/dueling/test_rucb.py"
ROUNDS = "learners/test_rounds.py"
SAFE_PULLS = "learners/separable/test_safe_pulls.py"
SAQM = "learners/subsets/test_saqm.py"
SA_FOA = "learners/subsets/test_sa_foa.py"
SCB = "learners/dueling/test_scb.py"
SEQUENTIAL_TEST = "learners/dueling/test_sequential_test.py"
SHARE_PLAYERS = "learners/subsets/test_share_players.py"
STATIC_ALLOCATION = "learners/subsets/test_static_allocation.py"
VERSATILE_DB = "learners/dueling/test_versatile_db.py"

LEARNERS = [
    *killed_by(
        f"{SEQUENTIAL_TEST}::test_it_stops_at_the_pair_that_proves_it_by_the_bets_on_all_before",
        ("sequential_test", ".all()", ".any()"),
        ("sequential_test", "bets.evidence[0] < needed[0]", "bets.evidence[0] >= needed[0]"),
    ),
    *killed_by(
        f"{SEQUENTIAL_TEST}::test_each_answer_has_its_error",
        (
            "sequential_test",
            "-math.log(alpha), -math.log(beta)",
            "-math.log(beta), -math.log(alpha)",
        ),
    ),
    *killed_by(
        f"{ROUNDS}::test_nothing_is_chosen_while_a_round_is_open",
        ("PairTracker.open_queries", "if not self._open:", "if len(self._open) < 3:"),
        ("ScoreTracker.open_queries", "0 if self._open else ", ""),
    ),
    *killed_by(
        f"{PAIR_TRACKING}::test_of_many_open_questions_a_sixteenth_is_chosen_at_once",
        ("PairTracker.count", "self._at_once == 1 or self._few_open", "True"),
        ("PairTracker._open_more", "[[duel.i, duel.j], [duel.j, duel.i]] -= duel", "[:0] -= duel"),
        ("PairTracker._open_more", "self._left = left", "pass"),
    ),
    *killed_by(
        f"{PAIR_TRACKING}::test_a_tracker_goes_on_from_its_state",
        ("PairTracker.restore", "(i, j) for i, j in state['news']", "() for _ in state['news']"),
    ),
    *killed_by(
        f"{ROUNDS}::test_rounds_have_one_size_and_are_smaller_at_the_end",
        ("PairTracker._begin_round", "sizes.stretch * need / rounds", "sizes.stretch * need"),
        ("PairTracker._begin_round", "sizes.end * need", "need"),
    ),
    *killed_by(
        f"{ROUNDS}::test_a_tracker_goes_on_from_its_state_in_the_middle_of_a_round",
        ("PairTracker.restore", "float(state['size'])", "9.0"),
    ),
    *killed_by(
        f"{ROUNDS}::test_scores_are_asked_of_all_arms_that_are_left",
        ("ScoreTracker._last_item", "_OF_ITEMS * self.cells", "self.cells"),
    ),
    *killed_by(
        f"{REGRET_TRACKING}::test_the_weakest_way_is_the_cheapest_of_all_truths",
        ("FlipCosts._indices", "+ np.array([0, 2])", "+ np.array([0, 1])"),
        ("FlipCosts._indices", "own = self._costs[::-1, arm].T", "own = self._costs[:, arm].T"),
        ("FlipCosts._price", "- self._discounts[place]", "- 0.0"),
        ("FlipCosts.weakest", "len(costs) - 2", "len(costs) - 3"),
        ("sums_without", "number + inside", "number"),
        ("sums_without", "np.where(inside, member, 0.0)", "0.0"),
    ),
    *killed_by(
        f"{REGRET_TRACKING}::test_the_weakest_ways_are_those_of_all_challengers_below_a_limit",
        ("FlipCosts.weakest", "least[order] < below", "least[order] < 2.0 * below"),
        ("FlipCosts.weakest", "len(more) > len(losses)", "False"),
        ("FlipCosts._way", "tail[tail != arm]", "tail"),
        ("FlipCosts._way", "arms - 2 - size + 2 * kind", "arms - 2 - size"),
    ),
    *killed_by(
        f"{REGRET_TRACKING}::test_an_index_adds_w_ln_n_of_the_pairs_that_cost_something",
        ("FlipCosts._indices", "self._weight * np.log(", "2.0 * self._weight * np.log("),
    ),
    *killed_by(
        f"{REGRET_TRACKING}::test_winners_that_cost_fifteen_percent_more_are_left_out",
        ("SignBeliefs.dear_winners", "1.0 + _DEARER", "1.0 + 2.0 * _DEARER"),
    ),
    *killed_by(
        f"{REGRET_TRACKING}::test_the_constant_of_each_winner_is_that_of_ecw",
        ("ecw_constant", "sum() - 1", "sum()"),
        ("ecw_constant", "lists[:, winner] = math.inf", "pass"),
    ),
    *killed_by(
        f"{REGRET_TRACKING}::test_beliefs_are_those_of_the_posterior_and_of_the_shares_that_arms_lose_to",
        ("SignBeliefs._price", "* divergence / regret", "/ regret"),
        ("SignBeliefs.refresh", "np.log(odds.T / odds)", "np.log(odds / odds.T)"),
        ("SignBeliefs.update", "0.5 / (draws + 3.0)", "1.0 / (draws + 3.0)"),
    ),
    *killed_by(
        f"{REGRET_TRACKING}::test_every_query_is_that_of_the_rules",
        ("RegretTracker.ask", "index >= log_t", "index >= 0.9 * log_t"),
        ("RegretTracker.ask", "math.exp(index - way.index)", "1.0"),
        ("RegretTracker.tell", "* spent * self._spent", "* spent"),
        ("RegretTracker._explored", "/ faded * self._lost", "* self._lost"),
        ("RegretTracker._doubted", "log_t * float(", "float("),
    ),
    *killed_by(
        f"{CLUCB}::test_clucb_pulls_what_the_reference_pulls",
        ("clucb", "scale = 2.0 * noise ** 2", "scale = 0.5 * noise ** 2"),
        ("clucb", "decisions.size * t ** 3)", "decisions.size * t ** 2)"),
        ("clucb", "4.0 * decisions.size * t", "4.0 * t"),
    ),
    *killed_by(
        f"{SA_FOA}::test_leads_by_tangents_are_the_reference_s",
        ("first_order_gap_bound", "None, :] - 2.0 * gamma", "None, :] - gamma"),
    ),
    *killed_by(
        f"{SA_FOA}::test_sa_foa_stops_at_the_first_look_that_its_rule_allows",
        ("sa_foa", "gap_bound <= aim.margin / 2.0", "gap_bound <= aim.margin"),
    ),
    *killed_by(
        f"{CLUCB_BORDA}::test_borda_pac_duels_what_the_reference_duels",
        ("_epoch", "math.log(delta)) / 2.0", "math.log(delta)) / 8.0"),
        ("_epoch", "4.0 * pairs * t ** 3", "4.0 * t ** 3"),
        ("_epoch", "extra=margin / 4", "extra=margin / 8"),
        ("_epoch", "graph.positions * margin", "margin"),
    ),
    *killed_by(
        f"{CAR_COND}::test_car_cond_duels_what_the_reference_duels",
        (
            "accept_and_reject",
            "needed = epsilon if slack == 'paper'",
            "needed = epsilon if slack != 'paper'",
        ),
    ),
    *killed_by(
        f"{EDGE_DECISIONS}::test_radii_of_pairs_are_the_paper_s",
        ("PairBounds.log_term", "math.log(delta)) / 2.0", "math.log(delta)) / 8.0"),
        ("PairBounds.log_term", "4.0 * self._pairs * t ** 3", "4.0 * t ** 3"),
    ),
    *killed_by(
        f"{CAR_VERIFY}::test_car_verify_duels_what_the_reference_duels",
        ("FIRST_STAGE", "FIRST_STAGE = 0.01", "FIRST_STAGE = 0.1"),
    ),
    *killed_by(
        f"{CAR_PARALLEL}::test_copies_of_car_parallel_keep_their_rounds_and_their_delta",
        ("car_parallel", "delta / 2 ** (k + 1)", "delta / 2 ** k"),
    ),
    *killed_by(
        f"{EB_TC}::test_the_evidence_is_the_mean_of_what_the_nearest_truths_pay",
        ("pair_evidence", "(1.0 + LAMBDAS / other) / other", "1.0 / other"),
        ("pair_evidence", "(2.0 * variances)", "variances"),
        ("pair_evidence", "/ 2.0 + math.log", "/ 4.0 + math.log"),
        ("pair_evidence", "+ math.log(len(LAMBDAS))", "+ 0.0"),
    ),
    *killed_by(
        f"{EB_TC}::test_it_is_enough_at_delta_over_the_number_of_pairs_with_a_part_of_the_margin",
        ("ElementPairs.__init__", "self._k * (n - self._k)", "n - self._k"),
        ("ElementPairs.__init__", "margin / max(1, min(self._k, n - self._k))", "margin"),
    ),
    *killed_by(
        f"{EB_TC}::test_it_pulls_what_the_plain_reference_pulls",
        (
            "PairShare.choose",
            "float(pulls[challenger] / (pulls[leader] + pulls[challenger]))",
            "float(pulls[leader] / (pulls[leader] + pulls[challenger]))",
        ),
        ("ElementPairs.closest", "(gaps + slack)", "gaps"),
    ),
    *killed_by(
        f"{EB_TC}::test_the_slack_is_at_least_a_tenth_of_the_noise",
        ("_LEAST_SLACK", "_LEAST_SLACK = 0.1", "_LEAST_SLACK = 0.05"),
    ),
    *killed_by(
        f"{EB_TC}::test_the_other_thresholds_are_those_of_single_rewards",
        ("ElementPairs.enough", "self._glr + glr_terms(mine) + glr_terms(theirs)", "self._glr"),
    ),
    *killed_by(
        f"{STATIC_ALLOCATION}::test_radii_are_the_paper_s",
        (
            "Guarantee.ellipsoid_radius",
            "return 2.0 * math.sqrt(2.0) * self.sigma",
            "return math.sqrt(2.0) * self.sigma",
        ),
        ("Guarantee._log", "math.log(6.0 * t ** 2", "math.log(6.0 * t"),
        ("Guarantee.ellipsoid_radius", "+ decisions.log_count_bound()", "+ 0.0"),
        ("checked_aim", "chosen = decisions.rank * noise", "chosen = noise"),
    ),
    *killed_by(
        f"{SA_FOA}::test_leads_of_sa_foa_bracket_the_true_one",
        ("certified_gap_bound", "np.sqrt(2.0 * swaps * widest)", "np.sqrt(swaps * widest)"),
    ),
    *killed_by(
        f"{SAQM}::test_norms_of_saqm_are_those_of_its_maximiser_over_the_ratio",
        (
            "LargestNorm.__call__",
            "return norm / math.sqrt(peeling_ratio",
            "return norm * math.sqrt(peeling_ratio",
        ),
    ),
    *killed_by(
        f"{EXHAUSTIVE}::test_leads_are_those_of_enumeration",
        (
            "Enumeration.largest_gap_bound",
            "leads = differences @ look.theta + radius",
            "leads = differences @ look.theta - radius",
        ),
    ),
    *killed_by(
        f"{ICB}::test_icb_proves_nothing_about_three_elements_by_the_radius_of_single_ones",
        ("_ENOUGH_ELEMENTS", "_ENOUGH_ELEMENTS = 4", "_ENOUGH_ELEMENTS = 3"),
    ),
    *killed_by(
        f"{ICB}::test_icb_stops_at_the_first_look_that_its_rule_allows",
        ("icb", "aim.element_radius(look.t, decisions.size)", "aim.element_radius(look.t, 1)"),
    ),
    *killed_by(
        f"{EDGE_DECISIONS}::test_values_known_within_the_slack_decide_nothing",
        (
            "EdgeDecisions._exceeds",
            "low.at.low > high.at.high + slack",
            "low.at.low > high.at.high",
        ),
    ),
    *killed_by(
        f"{COCI}::test_coci_stops_when_the_radius_of_a_variance_is_below_its_threshold",
        ("ArmEstimates._root", "t ** 3 / self._tau)", "t ** 3)"),
        ("ArmEstimates._root", "math.log(4.0 * t ** 3", "math.log(4.0 * t ** 2"),
    ),
    *killed_by(
        f"{ACTIVE_RANKING}::test_leads_are_four_of_the_program_s_radii",
        ("lead_needed", "4.0 * math.sqrt", "2.0 * math.sqrt"),
    ),
    *killed_by(
        f"{ACTIVE_RANKING}::test_who_is_decided_about_is_as_in_the_plain_program",
        ("decided", "won - ranked[k] > needed", "won - ranked[k - 1] > needed"),
        ("decided", "ranked[k - 1] - won > needed", "ranked[k - 1] - won >= needed"),
    ),
    *killed_by(
        f"{FIXED_BUDGET}::test_p_values_are_valid",
        (
            "_assessed",
            "max(0.0, beliefs.evidence(answer))",
            "max(0.0, 2.0 * beliefs.evidence(answer))",
        ),
    ),
    *killed_by(
        f"{FIXED_BUDGET}::test_the_p_value_of_a_borda_winner_counts_all_pairs",
        ("BordaBeliefs.evidence", "- math.log(len(self.first))", ""),
    ),
    *killed_by(
        f"{FIXED_BUDGET}::test_estimates_are_calibrated_where_the_prior_is_true",
        (
            "BudgetBeliefs.moments",
            "(1.0 - mean) / (draws + 3.0)",
            "(1.0 - mean) / (4.0 * draws + 3.0)",
        ),
        ("CopelandBeliefs.answer", "beaten.max(axis=1, keepdims=True)", "beaten.max()"),
    ),
    *killed_by(
        f"{FIXED_BUDGET}::test_borda_fills_up_the_pairs_of_the_arms_that_are_close",
        ("BordaBeliefs.shares", "weights.sum() + 3.0 * weights", "weights.sum() - weights"),
    ),
    *killed_by(
        f"{FIXED_BUDGET}::test_disputed_pairs_are_those_that_unseat_the_leader",
        ("CopelandBeliefs._disputed", "(belief[winner] <= 0.5)", "(belief[winner] >= 0.5)"),
        ("CopelandBeliefs._disputed", "lost = ~truths[:, leader]", "lost = truths[:, leader]"),
        (
            "CopelandBeliefs.shares",
            "numbers[:, leader] < numbers.max(axis=1)",
            "numbers[:, leader] >= 0",
        ),
    ),
    *killed_by(
        f"{FIXED_BUDGET}::test_the_budget_is_spent_to_the_last_duel",
        ("_blocks", "(budget - start) * block // _BLOCKS", "budget * block // _BLOCKS"),
    ),
    *killed_by(
        f"{DUEL_COUNTS}::test_divergences_from_one_half_are_right_to_their_bits",
        ("bernoulli_divergence", "divergence = _LN2", "divergence = 2 * _LN2"),
    ),
    *killed_by(
        f"{DUEL_COUNTS}::test_an_arm_is_beaten_below_one_half_and_by_no_tie",
        ("DuelTally.beaten", "self.estimate < 0.5", "self.estimate <= 0.5"),
    ),
    *killed_by(
        f"{INTERVALS}::test_an_interval_that_holds_one_half_decides_nothing",
        ("DuelIntervals.add", "4.0 * draws * self._alpha", "2.0 * draws * self._alpha"),
    ),
    *killed_by(
        f"{CCB}::test_proofs_of_ccb_have_one_arm_more_than_a_winner_has_losses",
        ("Beliefs._remove", "!= self.losses_of_winner + 1", "!= self.losses_of_winner"),
        ("Beliefs._add", "len(proof) < losses + 1:", "len(proof) < losses:"),
    ),
    *killed_by(
        f"{IDENTIFICATION}::test_leads_needed_are_the_paper_s",
        ("at_any_time", "n ** 2 / 3)", "n ** 2 / 6)"),
        ("up_to", "math.log(2 * max_duels)", "math.log(max_duels)"),
    ),
    *killed_by(
        f"{IDENTIFICATION}::test_a_lead_that_only_equals_what_is_needed_is_no_verdict",
        ("duels_to_a_sign", "while lead + times <= (", "while lead + times < ("),
    ),
    *killed_by(
        f"{COPELAND_IDENTIFICATION}::test_elimination_drops_an_arm_in_the_round_of_the_threshold",
        ("kl_elimination", "math.log(4 * t * arms)", "math.log(t * arms)"),
        ("kl_elimination", "threshold / t)", "threshold)"),
        ("kl_elimination", "+ 2 * max(0.0, math.log", "+ 0 * max(0.0, math.log"),
    ),
    *killed_by(
        f"{SCB}::test_rounds_of_scb_have_a_confidence_of_their_own",
        ("scb", "math.log(budget) / budget", "1 / budget"),
    ),
    *killed_by(
        f"{POLY_ALBA}::test_the_list_is_complete_where_the_best_leads_by_the_width",
        ("Shortlist.__init__", "(4.0 if design.criterion", "(1.0 if design.criterion"),
        ("Shortlist.complete", "log = math.log(2.0 * self._looks", "log = math.log(self._looks"),
        ("Shortlist.complete", "log += self._oracle.decisions.log_count_bound()", "log += 0.0"),
        (
            "Shortlist.complete",
            "math.sqrt(2.0 * self._spread * log / sure)",
            "math.sqrt(self._spread * log / sure)",
        ),
    ),
    *killed_by(
        f"{POLY_ALBA}::test_every_round_is_as_precise_as_its_proof_needs_and_no_more",
        ("_round", "split * (len(left) - 1)", "split"),
    ),
    *killed_by(
        f"{SHARE_PLAYERS}::test_shares_are_those_of_the_plain_reference",
        ("AdaHedge._weights", "math.log(len(behind)) / self._gap", "1.0 / self._gap"),
    ),
    *killed_by(
        f"{COMB_GAME}::test_gains_are_the_most_that_the_bounds_allow",
        ("optimistic_gains", "np.sqrt(paid) + np.sqrt(bonus", "np.sqrt(paid) - np.sqrt(bonus"),
    ),
    *killed_by(
        f"{COMB_GAME}::test_it_pulls_what_the_plain_reference_pulls",
        ("comb_game", "shares, math.log(t))", "shares, math.log(t) / 2.0)"),
    ),
    *killed_by(
        f"{FWS}::test_it_pulls_what_the_plain_reference_pulls",
        ("fws", "t ** (-0.9)", "t ** (-0.5)"),
        ("fws", "math.isqrt(t // size) ** 2 == t // size", "math.isqrt(t) ** 2 == t"),
    ),
    *killed_by(
        f"{EDGE_DECISIONS}::test_two_edges_of_a_position_are_not_both_accepted",
        (
            "EdgeDecisions._exceeds",
            "> max(high.at.low + slack, high.at.high)",
            "> high.at.low + slack",
        ),
    ),
    *killed_by(
        f"{EDGE_DECISIONS}::test_without_slack_values_that_are_equal_but_for_rounding_decide_nothing",
        ("EdgeDecisions.decision", "max(slack, _EXACT)", "slack"),
    ),
    *killed_by(
        f"{COCI}::test_what_vertices_of_the_box_decide_is_proved_where_they_are_enough",
        ("_rounds", "decision if test.proves else", "decision if test.oracle else"),
        ("BoxTest.__init__", "self.proves = self.two_calls or", "self.proves = self.two_calls and"),
    ),
    *killed_by(
        f"{SAFE_PULLS}::test_no_observations_lead_out_of_the_range_of_boxes",
        ("ArmEstimates.add", "math.sqrt(0.5 / count)", "math.sqrt(0.25 / count)"),
    ),
    *killed_by(
        f"{SAFE_PULLS}::test_batches_pull_what_single_rounds_pull",
        ("SafePulls._is_safe", "return self._box.unchanged(below, boxes)", "return True"),
    ),
    *killed_by(
        f"{ECW_RMED}::test_plays_exactly_what_the_reference_plays[cyclic-1]",
        ("DuelTally.add", "evidence = draws * divergence", "evidence = divergence"),
    ),
    *killed_by(
        f"{INTERVALS}::test_the_first_round_whose_logarithm_reaches_or_exceeds_a_value",
        ("first_above", "while increasing(s) <= threshold", "while increasing(s) < threshold"),
    ),
    *killed_by(
        f"{RUCB}::test_rucb_plays_exactly_what_the_reference_plays",
        ("DuelIntervals.advance", "math.sqrt(self._alpha * log_t)", "math.sqrt(log_t)"),
        ("rucb", "uniforms.next() < 0.5", "uniforms.next() < 0.9"),
    ),
    *killed_by(
        f"{RMED}::test_rmed_plays_exactly_what_the_reference_plays[rmed2fh-0]",
        (
            "opponent_rule",
            "draws[best] * log_log(t) >= draws[rival]",
            "draws[best] >= draws[rival]",
        ),
        ("rmed2fh", "math.ceil(alpha * log_log(horizon))", "math.ceil(log_log(horizon))"),
    ),
    *killed_by(
        f"{RMED}::test_rmed_plays_exactly_what_the_reference_plays[rmed1-0]",
        ("rmed1", "default_slack(arms) if f is None", "0.0 if f is None"),
    ),
    *killed_by(
        f"{RANDOM_PAIRS}::test_random_pairs_are_uniform_and_regret_is_their_mean",
        ("random_pairs", "np.triu_indices(arms, 1)", "np.triu_indices(arms, 2)"),
    ),
    *killed_by(
        f"{DOUBLE_THOMPSON}::test_d_ts_plays_exactly_what_the_reference_plays",
        ("_eligible", "intervals.sign(arm, c) <= 0", "intervals.sign(arm, c) < 0"),
        ("PairPosteriors.add", "1 - won", "0"),
        (
            "PairPosteriors._values",
            "self._counts[j, i], self._counts[i, j]",
            "self._counts[i, j], self._counts[j, i]",
        ),
        ("least_estimated_regret", "2.0 * share - 1.0", "share"),
    ),
    *killed_by(
        f"{VERSATILE_DB}::test_versatile_db_plays_exactly_what_the_reference_plays",
        ("versatile_db", "rate = 2.0 / math.sqrt(t)", "rate = 1.0 / math.sqrt(t)"),
    ),
    *killed_by(
        f"{IDENTIFICATION}::test_the_posterior_ratio_is_that_of_the_densities",
        ("log_posterior_ratio", "draws * _LN2", "draws"),
    ),
    *killed_by(
        f"{IDENTIFICATION}::test_tournaments_duel_exactly_as_the_reference",
        ("pocowista", "math.log(arms * (arms - 1) / 2) -", "math.log(arms * (arms - 1)) -"),
    ),
    *killed_by(
        f"{IDENTIFICATION}::test_tournaments_duel_exactly_as_the_reference",
        ("dkwt", "delta / arms", "delta"),
        ("trial_size", "8.0 * 4.0 ** (s + 1)", "8.0 * 2.0 ** (s + 1)"),
    ),
    *killed_by(
        f"{IDENTIFICATION}::test_tournaments_duel_exactly_as_the_reference",
        ("lead_needed", "(0.5 + h) / (0.5 - h)", "0.5 + h"),
        (
            "noisy_tournament",
            "if leads[candidate][other] < 0:",
            "if leads[candidate][other] < -needed:",
        ),
    ),
    *killed_by(
        f"{RMED}::test_rmed_plays_exactly_what_the_reference_plays[rmed1-0]",
        ("minimum_divergence", "(log(t) + slack)", "log(t)"),
    ),
    *killed_by(
        f"{IDENTIFICATION}::test_savage_explores_exactly_as_the_reference[copeland-None-4]",
        ("PairRace.possible_winners", "most - losses >= least", "most - losses > least"),
    ),
    *killed_by(
        f"{IDENTIFICATION}::test_savage_explores_exactly_as_the_reference[copeland-None-0]",
        ("savage", "checked_delta(delta, horizon) / pairs", "checked_delta(delta, horizon)"),
    ),
    *killed_by(
        f"{IDENTIFICATION}::test_pbr_explores_exactly_as_the_reference",
        (
            "pbr",
            "checked_delta(delta, horizon) / arms ** 2",
            "checked_delta(delta, horizon) / arms",
        ),
    ),
    *killed_by(
        f"{IDENTIFICATION}::test_rankel_explores_exactly_as_the_reference",
        ("rankel", "checked_delta(delta, horizon) / pairs", "checked_delta(delta, horizon)"),
    ),
    *killed_by(
        f"{COPELAND_IDENTIFICATION}::test_it_duels_what_the_plain_version_duels",
        ("copeland_identification", "delta / arms ** 2", "delta"),
    ),
    *killed_by(
        f"{COPELAND_RMED}::test_evidence_of_all_winners_is_that_of_each",
        (
            "evidence_of_winners",
            "head(taken - 1) + tail(level + 1)",
            "head(taken - 1) + tail(level)",
        ),
    ),
    *killed_by(
        f"{COPELAND_RMED}::test_the_closed_form_is_kept_right_duel_by_duel",
        ("_keeps", "(total - largest) * margin", "(total + largest) * margin"),
        ("WinnerLists.optimum", "~(inside > members).any(axis=1)", "True"),
        ("WinnerLists.follow", "tournament.first - 1 - beaten", "tournament.first - beaten"),
        ("_keeps", "outside * margin", "math.inf"),
    ),
    *killed_by(
        f"{COPELAND_RMED}::test_a_pair_near_one_half_is_drawn_as_soon_as_ln_ln_t_is_positive",
        ("ForcedPairs.due", "self._beta / math.log(log_t)", "self._beta / log_t"),
    ),
    *killed_by(
        f"{COPELAND_RMED}::test_a_pair_with_too_few_draws_is_drawn",
        ("ForcedPairs.due", "self._alpha * math.sqrt(log_t)", "self._alpha * log_t"),
    ),
    *killed_by(
        f"{COPELAND_RMED}::test_forced_pairs_that_are_kept_are_those_found_from_scratch",
        ("ForcedPairs.due", "0 if due else idle_rounds", "0 if not due else idle_rounds"),
        ("ForcedPairs.due", "t < self._calm and all(", "t < self._calm or all("),
    ),
    *killed_by(
        f"{COPELAND_RMED}::test_wanted_pairs_that_are_kept_are_those_found_from_scratch",
        ("WantedPairs.pairs", "min(self._next, reached / share)", "self._next"),
        ("WantedPairs.pairs", "log_t >= self._next - _MARGIN", "log_t < self._next - _MARGIN"),
    ),
    *killed_by(
        f"{ECW_RMED}::test_plays_exactly_what_the_reference_plays[cyclic-1]",
        ("copeland_rmed", "L_N |= L_NC > L_R", "L_N |= L_NC"),
    ),
    *killed_by(
        f"{PLAIN_PROGRAMS}::test_learners_of_algorithm_1",
        ("ecw_rmed", "rows=partial(ecw_rows,", "rows=partial(copeland_rows,"),
        ("cw_rmed", "ties='literal'", "ties='free'"),
    ),
    *killed_by(
        f"{CW_RMED}::test_every_optimum_is_that_of_a_fresh_program",
        (
            "ExactOptimum.solution",
            "self._compare(tournament.winners.index(self._chosen.winner))",
            "pass",
        ),
    ),
    *killed_by(
        f"{MATCHING_TRACKING}::test_it_ends_with_the_first_block_that_proves_its_answer",
        ("matching_tracking", "graph, delta, charged", "graph, 4.0 * delta, charged"),
    ),
]
