"""Mutants of formulations: rows, coefficients and bounds of programs, and measures of hardness."""

from tests.mutants import killed_by

ANSWERS = "formulations/separable/test_answers.py"
ASSIGNMENT = "formulations/matchings/test_assignment.py"
BORDA_TIME = "formulations/dueling/test_borda_time.py"
CHEAPEST_FLIPS = "formulations/dueling/test_cheapest_flips.py"
CONDORCET = "formulations/matchings/test_condorcet.py"
CONDORCET_TIME = "formulations/dueling/test_condorcet_time.py"
COPELAND_TIME = "formulations/dueling/test_copeland_time.py"
ECW = "formulations/dueling/test_ecw.py"
INFORMATION = "formulations/test_information.py"
LOWER_BOUND = "formulations/dueling/test_lower_bound.py"
MATCHINGS = "hardness/test_matchings.py"
MATCHING_TIME = "formulations/matchings/test_matching_time.py"
MAXIMISE = "formulations/quadratic/test_maximise.py"
NESTED_COLUMNS = "formulations/dueling/test_nested_columns.py"
OPTIMAL = "formulations/designs/test_optimal.py"
ORACLE = "formulations/subsets/test_oracle.py"
REMAINING_DUELS = "proofs/dueling/test_remaining_duels.py"
ROWS = "formulations/dueling/test_confusing_instances.py"
SAMPLE_ALLOCATION = "formulations/separable/test_sample_allocation.py"
SEPARABLE = "hardness/test_separable.py"
SUBSETS = "hardness/test_subsets.py"
SUBSET_TIME = "formulations/subsets/test_subset_time.py"
PIECES = "formulations/quadratic/test_pieces.py"
SUMS_OF_SETS = "formulations/subsets/test_sums_of_sets.py"
TIMES = "formulations/test_times.py"
VOTING = "formulations/dueling/test_voting.py"

FORMULATIONS = [
    *killed_by(
        f"{LOWER_BOUND}::test_ties_that_cost_an_arm_its_rank_make_its_bound_infinite",
        ("endless_ties", "free_ties(preferences, winner)", "free_ties(preferences, winner)[:0]"),
    ),
    *killed_by(
        f"{LOWER_BOUND}::test_a_tie_of_the_winner_is_flipped_for_nothing",
        ("copeland_rows", "len(free_ties(preferences, winner, ties))", "0"),
    ),
    *killed_by(
        f"{LOWER_BOUND}::test_no_confusing_instance_is_forgotten",
        ("_PairColumns.add_rows", "columns), lower=1.0)", "columns), lower=0.9)"),
    ),
    *killed_by(
        f"{LOWER_BOUND}::test_the_bound_is_that_of_all_winners",
        ("least_answer", "min(bound, answer.bound)", "answer.bound"),
    ),
    *killed_by(
        f"{ROWS}::test_the_rows_of_gap_by_hand",
        ("_confusing_rows", "max(0, held - 1)), most + 1)", "max(0, held)), most + 1)"),
        ("_confusing_rows", "max(0, held - 1)), most + 1)", "max(0, held - 1)), most)"),
        ("_confusing_rows", "[levels + 1 - held, levels - held]", "[levels + 1, levels - held]"),
    ),
    *killed_by(
        f"{ROWS}::test_full_evidence_is_enough",
        ("ecw_rows", "losses[winner] + 1 - free)", "losses[winner] - free)"),
    ),
    *killed_by(
        f"{NESTED_COLUMNS}::test_dominated_columns_change_no_optimum",
        ("NestedColumns.column_costs", "(is_open, self.draws, 0)", "(is_open, self.draws - 1, 0)"),
    ),
    *killed_by(
        f"{NESTED_COLUMNS}::test_the_rows_found_are_the_tightest_of_their_families",
        ("NestedColumns.separate", "+ smallest < 1.0 - tol", "+ smallest < 0.5 - tol"),
    ),
    *killed_by(
        f"{ECW}::test_exploration_is_feasible_and_attains_the_value",
        ("cheapest_pairs", ".shape[1]) - spare[:, None]", ".shape[1]) - spare[:, None] + 1"),
    ),
    *killed_by(
        f"{COPELAND_TIME}::test_where_no_number_of_duels_is_enough",
        ("identification_rows", "(shares[winner] > 0.0)", "(preferences[winner] >= 0.5)"),
    ),
    *killed_by(
        f"{COPELAND_TIME}::test_duels_are_t_star_times_the_information_of_a_right_answer",
        ("confidence_information", "(1.0 - 2.0 * delta) *", "(1.0 - delta) *"),
    ),
    *killed_by(
        f"{CONDORCET_TIME}::test_the_closed_form_is_the_program_is_brute_force",
        ("_Losses.program", "x, lower=1.0)", "x, lower=0.5)"),
    ),
    *killed_by(
        f"{CONDORCET_TIME}::test_with_a_margin_every_arm_that_loses_to_the_winner_by_less_is_right",
        ("_Losses.of", "preferences.array, 0.5 - margin)", "preferences.array, 0.5)"),
    ),
    *killed_by(
        f"{COPELAND_TIME}::test_brute_force_over_all_sets_of_flips",
        ("_confusing_rows", "others - levels - 1]", "others - levels]"),
        ("identification_rows", "0.5 - margin", "0.5 - margin / 2"),
        ("RowFamilies.broken_rows", "self.shares * x", "x"),
        ("_PairColumns._smallest_sum", "(shares, columns), (-1.0", "(1.0, columns), (-1.0"),
        ("_PairColumns.__init__", "families.is_one_sided", "True"),
    ),
    *killed_by(
        f"{BORDA_TIME}::test_with_a_margin_an_independent_method_finds_the_same",
        ("HalfSpaces.of", "scores[arm] + margin)", "scores[arm])"),
    ),
    *killed_by(
        f"{TIMES}::test_the_optimum_of_the_program_is_the_time[borda]",
        ("InverseRows.cone_program", ".full(count, 2.0), inverse", ".full(count, 1.0), inverse"),
    ),
    *killed_by(
        f"{BORDA_TIME}::test_an_independent_method_finds_the_same",
        ("InverseRows.bound", ".sum() ** 2)", ".sum())"),
        ("_time_of", "min(value, spaces.bound(weights))", "value / 2"),
        ("HalfSpaces.of", "np.repeat([4.0, 1.0]", "np.repeat([2.0, 1.0]"),
        ("HalfSpaces.of", "(arms - 1)) ** 2", "arms) ** 2"),
    ),
    *killed_by(
        f"{INFORMATION}::test_a_coin_is_as_good_where_errors_are_as_frequent",
        ("least_cost", "if len(sorted_times) * delta >= 1.0 - delta:", "if False:"),
    ),
    *killed_by(
        f"{INFORMATION}::test_several_right_answers_are_spread_as_is_cheapest",
        ("_information", "(math.log1p(-p) - math.log1p(-delta))", "-math.log1p(-delta)"),
    ),
    *killed_by(
        f"{REMAINING_DUELS}::test_the_plan_keeps_all_rows_and_no_other_number_of_pairs_is_better",
        ("cheapest_pairs", "1) + charge)", "1))"),
        ("ecw_evidence", "(chosen - spare)[row]", "chosen[row]"),
    ),
    *killed_by(
        f"{CHEAPEST_FLIPS}::test_without_an_arm_it_is_the_nearest_that_is_no_winner",
        ("Flips.program", "(-1.0, [y[winner == j]", "(1.0, [y[winner == j]"),
    ),
    *killed_by(
        f"{CHEAPEST_FLIPS}::"
        "test_whether_flips_cost_less_than_a_limit_is_said_without_finding_the_cheapest",
        ("_Network.search", "(1.0 + _ACCURACY) < enough", "(1.0 + _ACCURACY) < 2.0 * enough"),
        ("flips_below", "found[1] < limit", "found[1] > limit"),
    ),
    *killed_by(
        f"{CHEAPEST_FLIPS}::test_bounds_by_sorts_enclose_the_cheapest_flips",
        ("_Bounds._lower", "(lack > 0)", "(lack > 1)"),
        ("_Bounds.easy", "(self.undecided & ~self.lost.T)", "self.undecided"),
        ("_Bounds.attained", "held[taken] -= 1", "held[taken] -= 0"),
    ),
    *killed_by(
        f"{VOTING}::test_no_arm_beats_the_lottery",
        ("von_neumann_winner_program", "preferences.array.T - 0.5", "preferences.array.T"),
    ),
    *killed_by(
        f"{CONDORCET}::test_the_saddle_lp_has_the_value_of_the_game",
        ("_template", "scale = 1.0 / graph.positions", "scale = 1.0"),
    ),
    *killed_by(
        f"{CONDORCET}::test_without_duals_the_other_player_has_a_program_of_its_own",
        ("saddle_point", "program(-replies.matrix.T, replies", "program(-replies.matrix, replies"),
    ),
    *killed_by(
        f"{CONDORCET}::test_winners_are_those_of_enumeration",
        ("condorcet_winner", "(duels, matching) <= _STRICT", "(duels, matching) <= -1.0"),
    ),
    *killed_by(
        f"{CONDORCET}::test_the_subgradient_oracle_keeps_its_accuracy",
        ("subgradient_ascent", "- best <= accuracy", "- best <= 50 * accuracy"),
    ),
    *killed_by(
        f"{MATCHING_TIME}::test_one_position_costs_what_the_formula_says",
        ("SIGMA", "SIGMA = 0.5", "SIGMA = 1.0"),
        ("_asked", "0.5 - duels.array[rivals, each]", "1.0 - duels.array[rivals, each]"),
    ),
    *killed_by(
        f"{ASSIGNMENT}::test_all_solvers_find_what_enumeration_finds",
        ("Matchings.program_rows", "columns, ones, upper=1.0", "columns, ones, upper=2.0"),
        ("SubsetOracle.optimum", "value + unit * error, None)", "value - unit * error, None)"),
    ),
    *killed_by(
        f"{OPTIMAL}::test_xy_value_of_k_subsets_is_twice_min_over_a",
        ("xy_values", "2.0 * min(k, n - k) * n * (n - 1)", "min(k, n - k) * n * (n - 1)"),
    ),
    *killed_by(
        f"{OPTIMAL}::test_designs_say_what_is_certain",
        ("g_design", "value=max(float(norms.max()), bound)", "value=bound"),
        ("xy_design", "value=max(saddle.value, saddle.bound)", "value=saddle.bound"),
    ),
    *killed_by(
        f"{OPTIMAL}::test_column_generation_is_the_design_of_the_list",
        ("g_columns", "excess = worst / r - 1.0", "excess = worst / r - 1.1"),
    ),
    *killed_by(
        f"{OPTIMAL}::test_xy_column_generation_is_the_design_of_the_list",
        ("saddle_columns", "<= below * (1.0 + tolerance)", "<= below * (1.2 + tolerance)"),
    ),
    *killed_by(
        f"{OPTIMAL}::test_differences_that_are_not_listed_are_bounded_by_their_length",
        ("DifferencePricing.bound", "return 2.0 * min(decisions.k, n", "return min(decisions.k, n"),
    ),
    *killed_by(
        f"{OPTIMAL}::test_methods_agree_on_random_lists_of_60_actions[0]",
        ("saddle_at", "trace ** 2 / largest, trace", "2.0 * trace ** 2 / largest, trace"),
    ),
    *killed_by(
        f"{OPTIMAL}::test_rounding_is_what_pulling_the_furthest_behind_leads_to",
        ("efficient_rounding", "/ shares, (times + 1) / shares", "* shares, (times + 1) * shares"),
    ),
    *killed_by(
        f"{SUMS_OF_SETS}::test_penalties_of_the_affine_hull_keep_the_bound[8]",
        ("penalised", "float(levels @ levels) / k", "float(levels @ levels)"),
    ),
    *killed_by(
        f"{SUMS_OF_SETS}::test_branching_bounds_the_largest_value",
        ("_node_bound", "2.0 * matrix[np.ix_(rest, inside)].", "matrix[np.ix_(rest, inside)]."),
        ("branched_bound", "in (np.append(inside, split), inside", "in (np.append(inside, split),"),
    ),
    *killed_by(
        f"{TIMES}::test_the_optimum_of_the_program_is_the_time[sums]",
        ("sums_time", "math.sqrt(2.0)", "2.0"),
    ),
    *killed_by(
        f"{SUMS_OF_SETS}::test_halves_bound_all_sets_and_all_alternatives",
        ("RatioPricing._search", "-2.0 * towards", "-1.0 * towards"),
        ("Pricing.bound", "matrix)[0].max()", "matrix)[0].min()"),
        ("block_forms", "2.0 * matrix", "1.0 * matrix"),
        ("RatioPricing._by_bands", "2 * known.decisions.rank", "0"),
    ),
    *killed_by(
        f"{SUMS_OF_SETS}::test_a_bound_of_a_band_bounds_its_ratios",
        ("_Band.ratio", "/ self.least ** 2", "/ self.least"),
        ("_Band.ratio", "max(0.0, self.search.value)", "0.0"),
    ),
    *killed_by(
        f"{PIECES}::test_a_form_of_single_elements_is_bounded_exactly_at_once",
        ("PiecewiseBound._program", "- level", "- 1.5 * level"),
    ),
    *killed_by(
        f"{PIECES}::test_every_bound_is_one_and_the_last_is_exact",
        ("PiecewiseBound._program", "float(excess[place] * low * high)", "0.0"),
        ("PiecewiseBound._add_pieces", "-weight * low * high", "-2.0 * weight * low * high"),
        ("PiecewiseBound._add_square", "- touched ** 2", "+ touched ** 2"),
        ("PiecewiseBound._range", "ends[1] - wider", "0.5 * ends[1]"),
    ),
    *killed_by(
        f"{SUMS_OF_SETS}::test_every_program_ends_in_time",
        ("SubsetOracle._solved", "limited_until(self._solving, self._deadline)", "self._solving"),
        ("PiecewiseBound._solve", "limited_until(self._exact, self._deadline)", "self._exact"),
    ),
    *killed_by(
        f"{MAXIMISE}::test_exact_is_brute_force",
        ("ellipsoid_maximum_program", "=2.0 * matrix[first, second]", "=matrix[first, second]"),
        ("ellipsoid_maximum_program", "(1.0 - decisions.rank, x)", "(-1.0 * decisions.rank, x)"),
    ),
    *killed_by(
        f"{MAXIMISE}::test_the_bound_is_exact_for_a_linear_form_of_one_element",
        ("_bound", "k * (n - k) / n", "0.5 * k * (n - k) / n"),
        ("_bound", "bound = constant + level * radius +", "bound = constant + level * radius -"),
    ),
    *killed_by(
        f"{SAMPLE_ALLOCATION}::test_greedy_is_brute_force",
        ("greedy_allocation", "(-a / math.sqrt(y * (y + 1.0)), -i)", "(-a / math.sqrt(y * y), -i)"),
    ),
    *killed_by(
        f"{SAMPLE_ALLOCATION}::test_the_integer_program_agrees",
        ("_increments", "/ (y * (y - 1.0))", "/ (y * (y + 1.0))"),
    ),
    *killed_by(
        f"{ANSWERS}::test_a_real_allocation_is_certified_by_a_price_without_a_solver",
        ("_dual_bound", "2.0 * scale * math.sqrt(price)", "4.0 * scale * math.sqrt(price)"),
    ),
    *killed_by(
        f"{ANSWERS}::test_the_whole_demand_may_be_all_there_is",
        ("_dual_value", "-price * plan.demand, 0.0", "-2.0 * price * plan.demand, 0.0"),
    ),
    *killed_by(
        f"{SUBSET_TIME}::test_sets_that_are_as_good_are_never_told_apart",
        ("_time_of", "np.where(tied != 0.0, math.inf, 0.0)", "np.where(tied > 0.0, math.inf, 0.0)"),
    ),
    *killed_by(
        f"{SUBSET_TIME}::test_two_elements_cost_what_the_formula_says",
        ("inverse_rows", "shares = 2.0 * (sigma", "shares = (sigma"),
    ),
    *killed_by(
        f"{SUBSET_TIME}::test_cut_off_after_few_rows_its_pulls_still_suffice",
        ("single_time", "q[used] = amounts * max(1.0, ratio)", "q[used] = amounts"),
    ),
    *killed_by(
        f"{SUBSET_TIME}::test_a_set_that_no_linear_objective_finds_is_found",
        ("Separation.ratios", "** 2 / (2.0 * self._variance)", "** 2 / self._variance"),
        ("Separation._program", "slopes * best - np.array(touched) ** 2", "slopes * best"),
    ),
    *killed_by(
        f"{SUBSET_TIME}::test_the_program_with_every_set_listed_has_the_same_optimum[19]",
        ("Separation._program", "upper=best - 1.0)", "upper=best - 2.0)"),
    ),
    *killed_by(
        f"{ORACLE}::test_the_best_set_is_that_of_enumeration",
        ("PartitionMatroid.program_rows", "capacities, upper=capacities", "0.0, upper=capacities"),
    ),
    *killed_by(
        f"{ORACLE}::test_bounds_hold_from_the_other_side",
        ("SpanningTrees.program_rows", ", lower=self.rank, upper=self.", ", lower=0, upper=self."),
    ),
    *killed_by(
        f"{MATCHINGS}::test_the_bounds_of_the_theorems",
        ("_PROOF_CONSTANT", "_PROOF_CONSTANT = 32.0", "_PROOF_CONSTANT = 16.0"),
    ),
    *killed_by(
        f"{SEPARABLE}::test_radii_are_the_distances_to_a_change",
        ("SeparableHardness._bound", "0 * hardness * math.log(24.", "0 * hardness * math.log(12."),
    ),
    *killed_by(
        f"{SUBSETS}::test_bounds_have_the_paper_s_constants",
        ("SubsetHardness.corollary_1", ".0 * (3.0 + 1.0 / alpha) ** 2", ".0 * (3.0 + alpha) ** 2"),
    ),
]
