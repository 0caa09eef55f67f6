"""Mutants of formulations: rows, coefficients and bounds of programs, and measures of hardness."""

from tests.mutants import killed_by

ANSWERS = "formulations/separable/test_answers.py"
ASSIGNMENT = "formulations/matchings/test_assignment.py"
BORDA_TIME = "formulations/dueling/test_borda_time.py"
BOX_TEST = "formulations/separable/test_box_test.py"
CHEAPEST_FLIPS = "formulations/dueling/test_cheapest_flips.py"
COCI = "learners/separable/test_coci.py"
CONDORCET = "formulations/matchings/test_condorcet.py"
CONDORCET_TIME = "formulations/dueling/test_condorcet_time.py"
COPELAND_TIME = "formulations/dueling/test_copeland_time.py"
CUTTING_PLANES = "formulations/dueling/test_cutting_planes.py"
ECW = "formulations/dueling/test_ecw.py"
INFORMATION = "formulations/test_information.py"
LOWER_BOUND = "formulations/dueling/test_lower_bound.py"
MATCHINGS = "hardness/test_matchings.py"
MATCHING_TIME = "formulations/matchings/test_matching_time.py"
MAXIMISE = "formulations/quadratic/test_maximise.py"
OPTIMAL = "formulations/designs/test_optimal.py"
ORACLE = "formulations/subsets/test_oracle.py"
RANKED = "formulations/subsets/test_ranked.py"
ROWS = "formulations/dueling/test_rows.py"
SAMPLE_ALLOCATION = "formulations/separable/test_sample_allocation.py"
SEPARABLE = "hardness/test_separable.py"
SUBSETS = "hardness/test_subsets.py"
SUBSET_TIME = "formulations/subsets/test_subset_time.py"
SUMS_OF_SETS = "formulations/subsets/test_sums_of_sets.py"
THRIFTY_PLAN = "formulations/dueling/test_thrifty_plan.py"
TRANSDUCTIVE = "formulations/designs/test_transductive.py"
VOTING = "formulations/dueling/test_voting.py"

FORMULATIONS = [
    *killed_by(
        LOWER_BOUND,
        ("unattainable", "q[tied, winner] = math.inf", "q[tied, winner] = 0.0"),
        (
            "enumerated_program",
            "column[pairs[:, 0], pairs[:, 1]], lower=1.0)",
            "column[pairs[:, 0], pairs[:, 1]], lower=0.9)",
        ),
        ("best_winner", "by_winner, min(bounds)", "by_winner, max(bounds)"),
    ),
    *killed_by(
        f"{ROWS} {LOWER_BOUND} {ECW}",
        (
            "confusing_rows",
            "max(0, first - 1 + free)), second + 1)",
            "max(0, first + free)), second + 1)",
        ),
        (
            "confusing_rows",
            "max(0, first - 1 + free)), second + 1)",
            "max(0, first - 1 + free)), second)",
        ),
        ("confusing_rows", "[levels + 1 - first, levels - first]", "[levels + 1, levels - first]"),
        ("confusing_rows", "np.maximum(0, heads - free)", "heads"),
        ("ecw_rows", "losses[winner] + 1 - free)", "losses[winner] - free)"),
    ),
    *killed_by(
        ECW,
        (
            "cheapest_pairs",
            "sums.shape[1]) - spare[:, None]",
            "sums.shape[1]) - spare[:, None] + 1",
        ),
    ),
    *killed_by(
        f"{CUTTING_PLANES} {LOWER_BOUND} {ECW}",
        (
            "MonotoneColumns.column_costs",
            "families.sizes[:, None] - place, 0)",
            "families.sizes[:, None] - place - 1, 0)",
        ),
        ("MonotoneColumns.separate", ") < 1.0 - tolerance", ") < 0.5 - tolerance"),
        ("MonotoneColumns.undominated", "np.minimum.at(least", "np.maximum.at(least"),
    ),
    *killed_by(
        COPELAND_TIME,
        ("identification_rows", "len(winner_ties(preferences, winner)))", "0)"),
    ),
    *killed_by(
        f"{COPELAND_TIME} {SUBSET_TIME} {INFORMATION}",
        ("least_cost", "if len(sorted_times) * delta >= 1.0 - delta:", "if False:"),
        ("_information", "(math.log1p(-p) - math.log1p(-delta))", "-math.log1p(-delta)"),
        ("confidence_information", "(1.0 - 2.0 * delta) *", "(1.0 - delta) *"),
    ),
    *killed_by(
        CONDORCET_TIME,
        (
            "condorcet_time_program",
            "np.ones(len(columns)), lower=1.0)",
            "np.ones(len(columns)), lower=0.5)",
        ),
        (
            "_cheapest_losses",
            "x[arm, chosen[arm]] = x[chosen[arm], arm] = 1.0",
            "x[arm, chosen[arm]] = 1.0",
        ),
    ),
    *killed_by(
        BORDA_TIME,
        (
            "InverseRows.cone_program",
            "np.full(count, 2.0), inverse",
            "np.full(count, 1.0), inverse",
        ),
        ("InverseRows.bound", ".sum() ** 2)", ".sum())"),
        ("borda_time", "min(value, spaces.bound(weights))", "value / 2"),
        ("HalfSpaces.of", "np.repeat([4.0, 1.0]", "np.repeat([2.0, 1.0]"),
        ("HalfSpaces.of", "(arms - 1)) ** 2", "arms) ** 2"),
    ),
    *killed_by(
        SUBSET_TIME,
        (
            "_without_program",
            "np.where(tied != 0.0, math.inf, 0.0)",
            "np.where(tied > 0.0, math.inf, 0.0)",
        ),
        ("inverse_rows", "shares = 2.0 * (sigma", "shares = (sigma"),
        ("single_time", "q[used] = amounts * max(1.0, ratio)", "q[used] = amounts"),
        ("Separation.ratios", "** 2 / (2.0 * self._variance)", "** 2 / self._variance"),
        ("Separation._program", "upper=best - 1.0)", "upper=best - 2.0)"),
        (
            "Separation._program",
            "lower=slopes * best - np.array(touched) ** 2",
            "lower=slopes * best",
        ),
    ),
    *killed_by(
        THRIFTY_PLAN,
        ("settled_plan", "(needed / margin + charge)", "(needed + charge)"),
        ("settled_plan", "losses - losses[winner] + 1", "losses - losses[winner]"),
    ),
    *killed_by(
        CHEAPEST_FLIPS,
        ("_program", "np.where(lost, -1.0, 1.0)", "np.where(lost, 1.0, 1.0)"),
    ),
    *killed_by(
        VOTING,
        (
            "von_neumann_winner_program",
            "payoff = preferences.array - 0.5",
            "payoff = preferences.array",
        ),
    ),
    *killed_by(
        CONDORCET,
        (
            "saddle_point",
            "mirror.program(-replies.matrix.T, replies.constraints_y)",
            "mirror.program(-replies.matrix, replies.constraints_y)",
        ),
        ("_template", "scale = 1.0 / graph.positions", "scale = 1.0"),
    ),
    *killed_by(
        f"{CONDORCET}::test_winners_are_those_of_enumeration",
        (
            "condorcet_winner",
            "condorcet_lead(duels, matching) <= _STRICT",
            "condorcet_lead(duels, matching) <= -1.0",
        ),
    ),
    *killed_by(
        f"{CONDORCET}::test_the_subgradient_oracle_keeps_its_epsilon",
        ("subgradient_ascent", "- best <= epsilon", "- best <= 50 * epsilon"),
    ),
    *killed_by(
        MATCHING_TIME,
        ("SIGMA", "SIGMA = 0.5", "SIGMA = 1.0"),
        ("_asked", "0.5 - duels.array[rivals, each]", "1.0 - duels.array[rivals, each]"),
    ),
    *killed_by(
        f"{ASSIGNMENT} {CONDORCET}",
        ("Matchings.program_rows", "columns, ones, upper=1.0", "columns, ones, upper=2.0"),
    ),
    *killed_by(
        OPTIMAL,
        ("xy_values", "2.0 * min(k, n - k) * n * (n - 1)", "min(k, n - k) * n * (n - 1)"),
        ("g_design", "value=max(float(norms.max()), bound)", "value=bound"),
        ("xy_design", "value=max(saddle.value, saddle.bound)", "value=saddle.bound"),
        ("g_columns", "excess = worst / r - 1.0", "excess = worst / r - 1.1"),
        (
            "saddle_columns",
            "above <= below * (1.0 + tolerance)",
            "above <= below * (1.2 + tolerance)",
        ),
        (
            "DifferencePricing.bound",
            "return 2.0 * min(decisions.k, n - decisions.k) * top",
            "return min(decisions.k, n - decisions.k) * top",
        ),
        ("saddle_at", "trace ** 2 / largest, trace", "2.0 * trace ** 2 / largest, trace"),
        (
            "efficient_rounding",
            "times / shares, (times + 1) / shares",
            "times * shares, (times + 1) * shares",
        ),
    ),
    *killed_by(
        TRANSDUCTIVE,
        ("TransductiveDesigns.of", "bound * (1.0 + _CLAIMED)", "bound * (1.0 + 4.0 * _CLAIMED)"),
        ("TransductiveDesigns.of", "(1.0 - _MIXED) * weights + equal", "weights + equal"),
    ),
    *killed_by(
        f"{SUMS_OF_SETS}::test_penalties_of_the_affine_hull_keep_the_bound",
        ("penalised", "float(levels @ levels) / k", "float(levels @ levels)"),
    ),
    *killed_by(
        f"{SUMS_OF_SETS}::test_branching_bounds_the_largest_value",
        (
            "_node_bound",
            "2.0 * matrix[np.ix_(rest, inside)].sum(axis=1),",
            "matrix[np.ix_(rest, inside)].sum(axis=1),",
        ),
        (
            "branched_bound",
            "for chosen in (np.append(inside, split), inside):",
            "for chosen in (np.append(inside, split),):",
        ),
    ),
    *killed_by(
        SUMS_OF_SETS,
        ("sums_time", "math.sqrt(2.0)", "2.0"),
        ("RatioPricing.bound", "max(0.0, most) / self._least ** 2)", "max(0.0, most) * 0.0)"),
        ("RatioPricing._widest", "result.bound + float(best @ form @ best)", "result.bound"),
    ),
    *killed_by(
        MAXIMISE,
        (
            "ellipsoid_maximum_program",
            "cost=2.0 * matrix[first, second]",
            "cost=matrix[first, second]",
        ),
        (
            "ellipsoid_maximum_program",
            "np.full(n, 1.0 - decisions.rank)",
            "np.full(n, -1.0 * decisions.rank)",
        ),
        ("_bound", "k * (n - k) / n", "0.5 * k * (n - k) / n"),
        (
            "_bound",
            "bound = constant + level * radius + 0.25",
            "bound = constant + level * radius - 0.25",
        ),
        ("peeling", "(n - 2) * own + own.sum", "(n - 1) * own + own.sum"),
    ),
    *killed_by(
        SAMPLE_ALLOCATION,
        ("greedy_allocation", "(-a / math.sqrt(y * (y + 1.0)), -i)", "(-a / math.sqrt(y * y), -i)"),
    ),
    *killed_by(
        f"{SAMPLE_ALLOCATION} {ANSWERS}",
        ("_increments", "/ (y * (y - 1.0))", "/ (y * (y + 1.0))"),
        ("_dual_bound", "2.0 * scale * math.sqrt(price)", "4.0 * scale * math.sqrt(price)"),
    ),
    *killed_by(
        ANSWERS,
        ("_at", "-price * plan.demand, 0.0", "-2.0 * price * plan.demand, 0.0"),
    ),
    *killed_by(
        f"{BOX_TEST} {COCI}",
        ("BoxTest.__init__", "self.proves = self.two_calls or", "self.proves = self.two_calls and"),
    ),
    *killed_by(
        ORACLE,
        (
            "PartitionMatroid.program_rows",
            "columns, lower=capacities, upper=capacities",
            "columns, lower=0.0, upper=capacities",
        ),
    ),
    *killed_by(
        f"{ORACLE}::test_the_best_set_is_that_of_enumeration",
        (
            "GraphicMatroid.program_rows",
            "columns, lower=self.rank, upper=self.rank",
            "columns, lower=0, upper=self.rank",
        ),
    ),
    *killed_by(
        f"{ORACLE} {ASSIGNMENT}",
        ("SubsetOracle.optimum", "value + unit * error, None)", "value - unit * error, None)"),
    ),
    *killed_by(
        RANKED,
        ("ranked_subsets", "(*exclude, element)", "(element,)"),
    ),
    *killed_by(
        MATCHINGS,
        ("_PROOF_CONSTANT", "_PROOF_CONSTANT = 32.0", "_PROOF_CONSTANT = 16.0"),
    ),
    *killed_by(
        f"{SEPARABLE} {COCI}",
        (
            "SeparableHardness._bound",
            "12.0 * hardness * math.log(24.0 * hardness)",
            "12.0 * hardness * math.log(12.0 * hardness)",
        ),
    ),
    *killed_by(
        SUBSETS,
        (
            "SubsetHardness.corollary_1",
            "8.0 * (3.0 + 1.0 / alpha) ** 2",
            "8.0 * (3.0 + alpha) ** 2",
        ),
    ),
]
