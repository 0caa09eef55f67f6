"""Arguments that public functions refuse: kinds, ranges and shapes."""

from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.designs.design import efficient_rounding
from cpe_opt.formulations.matchings.assignment import second_best_matching
from cpe_opt.formulations.separable.water_plan import plan_value
from cpe_opt.formulations.subsets.best_subset import second_best_subset
from cpe_opt.modelling.certificate import read_certificate
from cpe_opt.modelling.certify import certify
from cpe_opt.modelling.lazy import CutOptions
from cpe_opt.problems.generators import cycle_and_chain
from tests.support import all_of

NAN, INF = float("nan"), float("inf")
MU, DUELS = cpe.load_instance("gap"), cpe.load_instance("figure1")
GRAPH = cpe.BipartiteGraph(3, 2, [(0, 0), (1, 0), (1, 1), (2, 1)])
EDGES = [("a", "b"), ("b", "c"), ("a", "c")]
TOP = cpe.TopK(4, 2)
WEIGHTS = [1.0, 2.0, 3.0, 4.0]
BANDIT = cpe.SubsetBandit(TOP, [0.9, 0.8, 0.2, 0.1])
COSTS = [cpe.Quadratic(1.0), cpe.Quadratic(2.0)]
WATER = cpe.WaterPlan(COSTS, [2.0, 2.0], 3.0)
ASK = cpe.OpinionSampling([5, 5], 4)
ARMS = [cpe.Bernoulli(0.5), cpe.Bernoulli(0.2)]
ASKED = cpe.SeparableProblem(ASK, ARMS)
LOTTERY = cpe.von_neumann_winner_program(MU)
BORDA, CONDORCET = cpe.borda_hardness(DUELS), cpe.condorcet_hardness(DUELS)
GAPS = cpe.subset_hardness(BANDIT)
FRAME = pd.DataFrame({"winner": ["a", "b"], "loser": ["b", "a"]})


def built(**changes):
    builder = cpe.ProgramBuilder("p")
    builder.columns("x", 2, **changes.pop("columns", {}))
    builder.rows(
        **{"block": "r", "keys": 1, "row": [0, 0], "column": [0, 1], "value": [1.0, 1.0], **changes}
    )
    return builder.build()


def pandas_weights(index):
    return pd.Series([3.0, 2.0, 1.0], index=index)


LETTERS = cpe.TopK(3, 1, ["a", "b", "c"])
OUTCOMES = pd.DataFrame({"b": [1, 1], "a": [False, False], "d": [0.5, 0.5]})
PAIR = [[0.5, 0.6], [0.4, 0.5]]
ROWS = [
    # Labels, and numbers that go with labels.
    (
        lambda: cpe.best_subset(LETTERS, pandas_weights(["a", "b", "d"])),
        "weights: the index has 'd', expected the labels a, b, c",
    ),
    (
        lambda: cpe.best_subset(LETTERS, pandas_weights(["a", "b", "b"])),
        "weights: the index has 'b' twice, expected every label once",
    ),
    (
        lambda: cpe.SubsetBandit(LETTERS, pandas_weights(["a", "b", "d"])),
        "theta: the index has 'd', expected the labels a, b, c",
    ),
    (lambda: cpe.PreferenceMatrix(PAIR, {"a", "b"}), "expected a list of labels in their order"),
    (lambda: cpe.PreferenceMatrix(PAIR, {"a": 1, "b": 2}), "expected a list of labels in their"),
    (lambda: cpe.PreferenceMatrix(PAIR, iter("ab")), "expected a list of labels in their order"),
    (lambda: cpe.PreferenceMatrix(PAIR, [b"a", "b"]), "labels[0] is b'a', expected a text"),
    (lambda: cpe.PreferenceMatrix(PAIR, ["\ud800", "b"]), "labels[0] is '\\ud800', half of a"),
    (
        lambda: cpe.PreferenceMatrix(PAIR, ["é", "e\u0301"]),
        "labels: arms 0 and 1 are both called 'e\u0301'",
    ),
    (lambda: cpe.TopK(2, 1, ["é", "e\u0301"]), "label 'e\u0301' is given to several elements"),
    (
        lambda: cpe.BipartiteGraph(2, 1, [(0, 0)], candidate_labels=["é", "e\u0301"]),
        "candidate label 'e\u0301' is given twice",
    ),
    (lambda: cpe.OpinionSampling([1, 2], 3, ["é", "e\u0301"]), "expected 2 different labels"),
    # Numbers that are too large or too small.
    (lambda: cpe.BipartiteGraph.complete(10**5, 10**5), "candidates × positions is 10,000,000,000"),
    (lambda: cpe.planted_condorcet(10**9, 2), "candidates × positions is 2,000,000,000, expected"),
    (lambda: cpe.PreferenceMatrix([[0.5, 10**400], [0.4, 0.5]]), "a number is beyond all floats"),
    # What is said of the argument that is wrong.
    (
        lambda: cpe.TeamScores([["a", "b"]], [NAN]),
        "scores[0], of team 1, is nan, expected a finite",
    ),
    (
        lambda: cpe.ProgramBuilder("p").columns("x", 2, cost=[1.0, NAN]),
        "cost of 'x': number 1 is nan, expected a number",
    ),
    (lambda: cpe.load_problem("s.py"), "'s.py' is a script: expected the name of a problem in it"),
    (lambda: cpe.TopK(np.int64(2), np.int64(3)), "k is 3, expected at most the number of elements"),
    (lambda: cpe.PreferenceMatrix.from_csv(np.int64(2)), "expected the path of a file"),
    # Preferences and logs of duels.
    (lambda: cpe.PreferenceMatrix([]), "preference matrix: expected a square array, got 0"),
    (lambda: cpe.PreferenceMatrix([[0.5]]), "preference matrix: expected at least 2 arms, got 1"),
    (
        lambda: cpe.PreferenceMatrix([[0.5, 0.6, 0.7], [0.4, 0.5, 0.6]]),
        "preference matrix: expected a square array, got 2 × 3",
    ),
    (
        lambda: cpe.PreferenceMatrix([[0.5, 0.6], [0.4]]),
        "preference matrix: not an array of numbers (lists of unequal",
    ),
    (
        lambda: cpe.PreferenceMatrix([[0.5, NAN], [0.4, 0.5]]),
        "preference matrix, row 0, column 1: the entry is NaN, expected",
    ),
    (
        lambda: cpe.PreferenceMatrix([[0.5, -INF], [0.4, 0.5]]),
        "preference matrix, row 0, column 1: the entry is -inf, expected",
    ),
    (
        lambda: cpe.PreferenceMatrix([[0.5, 0.6j], [0.4, 0.5]]),
        "preference matrix: not an array of numbers (it holds complex",
    ),
    (
        lambda: cpe.PreferenceMatrix(np.full((2, 2, 2), 0.5)),
        "preference matrix: expected a square array, got 2 × 2 × 2",
    ),
    (lambda: cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]], ["a"]), "labels: 1 given for 2 arms"),
    (
        lambda: cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]], ["a", "a"]),
        "labels: arms 0 and 1 are both called 'a'",
    ),
    (lambda: MU.submatrix([0]), "preference matrix: expected at least 2 arms, got 1"),
    (lambda: MU.submatrix([0, 0]), "labels: arms 0 and 1 are both called '1'"),
    (lambda: MU.submatrix([0, 9]), "arm 9 does not exist, expected 0 … 4"),
    (lambda: MU.superiors(-1), "arm -1 does not exist, expected 0 … 4"),
    (lambda: cpe.PreferenceMatrix.from_csv("no\0where.csv"), "no file 'no\\x00where.csv'"),
    (lambda: cpe.PreferenceMatrix.from_csv("x" * 5000), "cannot read"),
    (lambda: cpe.PreferenceMatrix.from_csv(Path(__file__).parent), "'"),
    (
        lambda: cpe.PreferenceMatrix.from_duels(FRAME.rename(columns={"loser": "l"})),
        "duels: no log of duels; found winner, l; expected winner,",
    ),
    (
        lambda: cpe.PreferenceMatrix.from_duels(FRAME.assign(loser=[None, "a"])),
        "duels, row 0: the cell of 'loser' is empty",
    ),
    (
        lambda: cpe.PreferenceMatrix.from_duels(FRAME.assign(loser="a")),
        "duels, row 0: a duel of 'a' against itself",
    ),
    (
        lambda: cpe.PreferenceMatrix.from_duels(FRAME.assign(count=[1, NAN])),
        "duels, row 1: the cell of 'count' is empty, expected a whole",
    ),
    (
        lambda: cpe.PreferenceMatrix.from_duels(FRAME.assign(count=[1, 0.5])),
        "duels, row 1: count is '0.5', expected a whole number, 0 or more",
    ),
    (
        lambda: cpe.PreferenceMatrix.from_duels(FRAME.assign(count=[1, -1])),
        "duels, row 1: count is '-1', expected a whole number, 0 or more",
    ),
    (
        lambda: cpe.PreferenceMatrix.from_duels(FRAME.assign(count=[1, 1j])),
        "duels, row 0: count is '(1+0j)', expected a whole number, 0 or",
    ),
    (
        lambda: cpe.PreferenceMatrix.from_duels(FRAME.assign(count=0)),
        "duels: no duels, for every count is 0",
    ),
    (
        lambda: cpe.PreferenceMatrix.from_duels(FRAME.assign(winner=[["a"], ["b"]])),
        "duels: column 'winner' cannot be read (unhashable type: 'list')",
    ),
    (lambda: cpe.PreferenceMatrix.from_duels(FRAME.head(0)), "duels: the data frame has no rows"),
    (
        lambda: cpe.PreferenceMatrix.from_duels(pd.DataFrame()),
        "duels: no column 'winner'; found none; expected winner, loser",
    ),
    (
        lambda: cpe.PreferenceMatrix.from_duels([("a", "b")]),
        "duels, pair 0: found ('a', 'b'), expected two whole numbers, 0 or more: who won",
    ),
    (
        lambda: cpe.PreferenceMatrix.from_duels({"a": "b"}),
        "path is {'a': 'b'}, expected the path of a file",
    ),
    (
        lambda: cpe.PreferenceMatrix.from_preflib(__file__),
        "test_arguments.py: expected one of the suffixes .soc, .soi,",
    ),
    (
        lambda: cpe.PreferenceMatrix.from_preflib("x.soc", unranked="first"),
        "unknown treatment of unranked alternatives 'first'; known:",
    ),
    # Graphs and matchings.
    (
        lambda: cpe.BipartiteGraph(2, 1, [(0, 0), (2, 0)]),
        "edges[1] = (2, 0): candidate 2 does not exist, expected 0 … 1",
    ),
    (lambda: cpe.BipartiteGraph(2, 1, [(0, 0), (0, 0)]), "edge (0, 0) is given twice"),
    (
        lambda: cpe.BipartiteGraph(2, 1, [(0, 0)], candidate_labels=["a", "a"]),
        "candidate label 'a' is given twice",
    ),
    (
        lambda: cpe.BipartiteGraph(1, 2, [(0, 0), (0, 1)]),
        "no matching fills every position: 2 position(s) (s0, s1) have 1",
    ),
    (
        lambda: cpe.BipartiteGraph.from_labels([("a", "p"), ("a", "p")]),
        "edge (0, 0) is given twice",
    ),
    (lambda: cpe.BipartiteGraph.from_networkx(3, ["p"]), "graph is 3, expected a NetworkX graph"),
    (
        lambda: cpe.BipartiteGraph.from_networkx(nx.Graph([("a", "p")]), ["q"]),
        "position 'q' is not a node of the graph",
    ),
    (lambda: GRAPH.edge(0, 1), "candidate 0 may not take position 1"),
    (lambda: GRAPH.label(99), "edge 99 does not exist, expected 0 … 3"),
    (lambda: GRAPH.check_matching([0]), "(0,) is no matching: expected one edge for each position"),
    (lambda: GRAPH.check_matching([1, 2]), "(1, 2) is no matching: a candidate has two positions"),
    (
        lambda: cpe.MatchingDuels(GRAPH, [[0.5]]),
        "probabilities: got 1 × 1, expected 4 × 4, one row per edge",
    ),
    (
        lambda: cpe.MatchingDuels.from_preferences({"p": 3}),
        "position 'p' has 3, expected a PreferenceMatrix",
    ),
    (lambda: cpe.MatchingDuels.from_preflib({"p": "none.soc"}), "no file 'none.soc'"),
    (
        lambda: cpe.MatchingDuels.from_scores(pd.DataFrame({"p": [1, 2]}, ["a", None])),
        "scores, row 1: the first cell is empty",
    ),
    (
        lambda: cpe.MatchingDuels.from_scores(pd.DataFrame({"p": [1, 2]}, ["a", "a"])),
        "scores, row 1: 'a' stands there twice",
    ),
    (
        lambda: cpe.MatchingDuels.from_duels(FRAME),
        "duels: no column 'position'; found winner, loser; expected",
    ),
    (
        lambda: DUELS.preference((0, 4), (0, 1)),
        "(0, 1) is no matching: expected one edge for each position",
    ),
    (
        lambda: cpe.best_matching(GRAPH, [1, 2]),
        "weights have shape (2,), expected (4,): one an edge",
    ),
    (
        lambda: cpe.best_matching(GRAPH, [1, 2, 3, NAN]),
        "the weight of edge 3 is nan, expected a finite number",
    ),
    (
        lambda: cpe.best_matching(GRAPH, WEIGHTS, include=[99]),
        "edge 99 does not exist, expected 0 … 3",
    ),
    (
        lambda: cpe.best_matching(GRAPH, WEIGHTS, include=[0], exclude=[0]),
        "edge 0 (s0: c0) is both in and out",
    ),
    (
        lambda: second_best_matching(GRAPH, WEIGHTS, than=[0]),
        "(0,) is no matching: expected one edge for each position",
    ),
    (lambda: cpe.condorcet_value(GRAPH, [[0.5]]), "the matrix has shape (1, 1), expected (4, 4)"),
    (
        lambda: cpe.condorcet_value(DUELS.graph, DUELS.array, include_x=[-1]),
        "edge -1 does not exist, expected 0 … 4",
    ),
    # Copeland, ECW, voting.
    (lambda: cpe.copeland_bound(MU, 3), "arm 3 (4) is no Copeland winner; the winners are 0"),
    (lambda: cpe.ecw_bound_program(MU, 99), "arm 99 does not exist, expected 0 … 4"),
    (lambda: cycle_and_chain(10, 0.5), "beats is 0.5, expected a probability above 0.5"),
    # Decision classes and linear maximisation.
    (lambda: cpe.TopK(3, 4), "k is 4, expected at most the number of elements, 3"),
    (lambda: cpe.TopK(3, 1, ["a", "b"]), "2 labels for 3 elements"),
    (lambda: cpe.TopK(3, 1, ["a", "b", "b"]), "label 'b' is given to several elements"),
    (lambda: TOP.check([0]), "{0} is no set of 2 of 4"),
    (lambda: TOP.check([0, 0]), "a set has an element twice: (0, 0)"),
    (lambda: TOP.check([0, 9]), "a set has element 9, expected 0 … 3"),
    (lambda: cpe.PartitionMatroid([0, 0, 1], [1]), "1 capacities for 2 groups"),
    (lambda: cpe.SpanningTrees([]), "the graph has no edges"),
    (lambda: cpe.SpanningTrees([("a", "a")]), "edge 0 is a loop at a"),
    (lambda: cpe.Paths(EDGES, "a", "z"), "target 'z' is no vertex of the graph"),
    (lambda: cpe.Paths(EDGES, "a", "a"), "source and target are the same vertex"),
    (lambda: cpe.Paths(EDGES, "c", "a"), "there is no path from c to a"),
    (
        lambda: cpe.best_subset(TOP, [1, 2, 3]),
        "weights have shape (3,), expected (4,): one an element",
    ),
    (
        lambda: cpe.best_subset(TOP, [1, 2, 3, INF]),
        "the weight of element 3 is inf, expected a finite number",
    ),
    (
        lambda: cpe.best_subset(TOP, WEIGHTS, include=[0, 1, 2]),
        "no set of 2 of 4 contains {0, 1, 2}",
    ),
    (lambda: cpe.best_subset(TOP, WEIGHTS, exclude=[0, 1, 2]), "no set of 2 of 4 avoids {0, 1, 2}"),
    (
        lambda: cpe.best_subset(TOP, WEIGHTS, time_limit=1.0),
        "method 'combinatorial' solves no program, so",
    ),
    (lambda: second_best_subset(TOP, WEIGHTS, than=[0]), "{0} is no set of 2 of 4"),
    (
        lambda: cpe.best_subset_program(TOP, [[1, 2], [3, 4]]),
        "weights have shape (2, 2), expected (4,): one an element",
    ),
    # Ellipsoids and designs.
    (
        lambda: cpe.ellipsoid_maximum(4, np.eye(3)),
        "k is 4, expected at most the number of elements, 3",
    ),
    (
        lambda: cpe.ellipsoid_maximum(2, np.eye(3)[:2]),
        "the matrix has shape (2, 3), expected a square one",
    ),
    (
        lambda: cpe.ellipsoid_maximum(1, [[1, 2], [0, 1]]),
        "the matrix is not symmetric: (0, 1) is 2.0, (1, 0) 0.0",
    ),
    (
        lambda: cpe.ellipsoid_maximum(1, [[1, NAN], [NAN, 1]]),
        "entry (0, 1) of the matrix is nan, expected a number",
    ),
    (
        lambda: cpe.ellipsoid_maximum(TOP, np.eye(4), linear=[1.0]),
        "weights have shape (1,), expected (4,): one an element",
    ),
    (lambda: cpe.g_design([]), "actions have shape (0,), expected (actions, dimension)"),
    (lambda: cpe.g_design([[1.0, NAN]]), "action 0 has an entry that is no finite number"),
    (
        lambda: cpe.xy_design(np.eye(2)[0]),
        "actions have shape (2,), expected (actions, dimension)",
    ),
    (
        lambda: efficient_rounding([0.5, 0.6], 3),
        "weights: expected positive numbers that add up to 1",
    ),
    (lambda: cpe.SubsetBandit(TOP, [1, 2, 3]), "theta has shape (3,), expected (4,)"),
    (
        lambda: cpe.SubsetBandit(TOP, WEIGHTS, outcomes=[]),
        "outcomes has shape (0,), expected (0, 4)",
    ),
    (
        lambda: cpe.SubsetBandit.from_outcomes([[1, 0]], 3),
        "k is 3, expected at most the number of elements, 2",
    ),
    (
        lambda: cpe.SubsetBandit.from_outcomes([[1, 0]], cpe.TopK(2, 1), labels=["a", "b"]),
        "labels were given, and the elements of decisions have their own",
    ),
    (
        lambda: cpe.SubsetBandit.from_outcomes(OUTCOMES, LETTERS),
        "outcomes: the header has 'd', expected the labels a, b, c",
    ),
    (
        lambda: cpe.SubsetBandit(LETTERS, [1, 0, 0], outcomes=OUTCOMES),
        "outcomes: the header has 'd', expected the labels a, b, c",
    ),
    (
        lambda: cpe.SubsetBandit.from_outcomes(OUTCOMES, 1, labels=["a", "b", "c"]),
        "outcomes: the header has 'd', expected the labels a, b, c",
    ),
    (
        lambda: cpe.SubsetBandit.from_outcomes(OUTCOMES.set_axis(["a", "a", "b"], axis=1), 1),
        "label 'a' is given to several elements",
    ),
    (
        lambda: cpe.SubsetBandit.from_crowdsourcing(None, 1),
        "'None' is no folder, expected one of answer.csv and truth.csv",
    ),
    (
        lambda: cpe.SubsetBandit.from_crowdsourcing("nowhere", 1),
        "'nowhere' is no folder, expected one of answer.csv and truth.csv",
    ),
    (lambda: BANDIT.value([0, 9]), "a set has element 9, expected 0 … 3"),
    (lambda: cpe.planted_subsets(4, 4), "k is 4, expected less than the number of elements, 4"),
    # Separable rewards.
    (lambda: cpe.Empirical(()), "values: expected numbers in [0, 1], at least one"),
    (lambda: cpe.Empirical((0.5, 2.0)), "values: expected numbers in [0, 1], at least one"),
    (
        lambda: cpe.PiecewiseLinear((1.0,), (1.0,)),
        "breaks are (1.0,), expected growing numbers from 0",
    ),
    (
        lambda: cpe.PiecewiseLinear((0.0, 1.0), (2.0, 1.0)),
        "slopes are (2.0, 1.0), not convex: they must not fall",
    ),
    (lambda: cpe.PiecewiseLinear(0.0, 1.0), "breaks 0.0, slopes 1.0: expected two lists"),
    (lambda: cpe.OpinionSampling([5, 5], 1), "budget is 1, expected at least one for each of 2"),
    (lambda: cpe.WaterPlan(COSTS, [2.0], 3.0), "caps have shape (1,), expected (2,)"),
    (lambda: cpe.WaterPlan(COSTS, [2.0, 2.0], 5.0), "demand is 5, and the caps add up to 4"),
    (
        lambda: cpe.CustomModel(2, np.sign, bi_monotone=True, tau=3),
        "tau is 3, expected 1 for means or 2 for variances",
    ),
    (lambda: cpe.SeparableProblem(ASK, ARMS[:1]), "1 distributions for 2 arms"),
    (lambda: cpe.SeparableProblem.from_json("none.json"), "no file 'none.json'"),
    (
        lambda: cpe.sample_allocation([0.2], [5, 5], 4),
        "sizes has shape (2,), expected (1,)",
    ),
    (
        lambda: cpe.sample_allocation([0.2, -1], [5, 5], 4),
        "theta has -1.0, expected variances, 0 or more",
    ),
    (
        lambda: cpe.sample_allocation([0.2, 0.2], [5, 5], 1),
        "budget is 1, expected at least one for each of 2",
    ),
    (lambda: cpe.water_plan(WATER, [0.5]), "theta has shape (1,), expected (2,)"),
    (lambda: plan_value(WATER, [0.5, 0.5], [1.0]), "amounts has shape (1,), expected (2,)"),
    # Programs and solvers.
    (
        lambda: built(columns={"cost": [1, 2, 3]}),
        "cost of 'x': (3,) numbers given, expected one or 2",
    ),
    (
        lambda: built(columns={"lower": 2, "upper": 1}),
        "program 'p': column 'x_0' has the bounds [2.0, 1.0], expected",
    ),
    (lambda: built(columns={"cost": INF}), "program 'p': costs must be finite numbers"),
    (lambda: built(row=[0, 1]), "rows 'r': row is [0, 1], expected whole numbers from 0 to 0"),
    (lambda: built(row=[0, NAN]), "rows 'r': row is [0, nan], expected whole numbers"),
    (lambda: built(column=[0, 5]), "rows 'r': column is [0, 5], expected whole numbers"),
    (lambda: built(column=[0, 0.5]), "rows 'r': column is [0, 0.5], expected whole numbers"),
    (lambda: built(value=[NAN, 1.0]), "values of 'r': number 0 is nan, expected a number"),
    (lambda: built(value=[1.0]), "values of 'r': (1,) numbers given, expected one or 2"),
    (lambda: built(lower=2, upper=1), "program 'p': row 'r_0' has the bounds [2.0, 1.0], expected"),
    (lambda: built(block="a b"), "row 0 has the name 'a b_0': expected letters, digits and"),
    (lambda: LOTTERY.objective([1.0]), "x has shape (1,), expected (6,), a column"),
    (lambda: certify(LOTTERY, [1.0]), "x has shape (1,), expected (6,)"),
    (
        lambda: certify(LOTTERY, np.zeros(6), row_duals=[1.0]),
        "row_duals has shape (1,), expected (6,)",
    ),
    (lambda: cpe.solve(None), "cannot solve a NoneType: expected a LinearProgram, a"),
    (
        lambda: cpe.solve([1, 2]),
        "cannot solve a list: expected a LinearProgram, a QuadraticProgram",
    ),
    (
        lambda: cpe.solve(LOTTERY, "cp-sat"),
        "solver 'cp-sat' does not solve LP programs (it solves MIP);",
    ),
    (
        lambda: cpe.solve(LOTTERY, solver_options={"no_such": 1}),
        "unknown highs option 'no_such'; known:",
    ),
    (
        lambda: CutOptions(tolerance=-1),
        "cutting planes: tolerance is -1, expected a number, at least 0",
    ),
    (
        lambda: cpe.certificate(cpe.copeland_bound_program(MU)),
        "expected a LinearProgram",
    ),
    (
        lambda: cpe.certificate(LOTTERY).write("p.json", model="none.lp"),
        "no file 'none.lp'",
    ),
    (lambda: read_certificate("none.json"), "cannot read 'none.json': No such file or directory"),
    (
        lambda: cpe.export(LOTTERY, "p.txt"),
        "cannot tell the format of 'p.txt': expected .lp, .mps, .mps.gz",
    ),
    (
        lambda: cpe.export(MU, "p.lp"),
        "cannot export a PreferenceMatrix: expected a LinearProgram, a",
    ),
    (lambda: cpe.read_program("none.lp"), "no file 'none.lp'"),
    (
        lambda: cpe.read_program(__file__),
        "cannot tell the format of 'test_arguments.py': expected .lp,",
    ),
    # Simulations and experiments.
    (
        lambda: cpe.simulate("ccb", DUELS),
        "ccb is for a PreferenceMatrix, and figure1 is a MatchingDuels",
    ),
    (
        lambda: cpe.simulate("ccb", MU, horizon=10, nonsense=1),
        "unknown parameter of ccb 'nonsense'; known: alpha",
    ),
    (lambda: cpe.LearnerSpec(3), "learner is 3, expected the name of a learner"),
    (
        lambda: cpe.run_experiment(["ccb"], ["nowhere"]),
        "unknown instance 'nowhere'; did you mean 'water'?",
    ),
    (
        lambda: cpe.run_experiment(["ccb"], ["gap"], jobs=0),
        "jobs is 0, expected a number of processes or -1 for one a core",
    ),
    (lambda: cpe.load_instance("suhsi"), "unknown instance 'suhsi'; did you mean 'sushi'?"),
]


@all_of(("call", "message"), ROWS)
def test_bad_arguments_are_refused_in_words(call, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(cpe.CpeOptError) as error:
        call()
    assert message in str(error.value)
    assert not list(tmp_path.iterdir())


def test_series_of_pandas_are_read_by_their_labels():
    by_label = cpe.best_subset(LETTERS, pandas_weights(["c", "b", "a"]))
    assert by_label.elements == (2,)
    assert cpe.best_subset(LETTERS, pandas_weights(None)).elements == (0,)
    assert cpe.best_subset(TOP, pd.Series([4.0, 3, 2, 1], index=[3, 2, 1, 0])).elements == (2, 3)
    bandit = cpe.SubsetBandit(LETTERS, pandas_weights(["c", "b", "a"]))
    assert bandit.theta.tolist() == [1.0, 2.0, 3.0]


def test_outcomes_of_pandas_are_read_by_their_header():
    named = OUTCOMES.rename(columns={"d": "c"})
    by_order = cpe.SubsetBandit.from_outcomes(named, 1)
    assert by_order.labels == ("b", "a", "c")
    assert by_order.theta.tolist() == [1.0, 0.0, 0.5]
    for bandit in (
        cpe.SubsetBandit.from_outcomes(named, LETTERS),
        cpe.SubsetBandit.from_outcomes(named, 1, labels=["a", "b", "c"]),
        cpe.SubsetBandit(LETTERS, [0.0, 1.0, 0.5], outcomes=named),
    ):
        assert bandit.labels == ("a", "b", "c")
        assert bandit.outcomes.tolist() == [[0.0, 1.0, 0.5]] * 2
    counted = pd.DataFrame(np.eye(2))
    assert cpe.SubsetBandit.from_outcomes(counted, cpe.TopK(2, 1, ["a", "b"])).labels == ("a", "b")


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_matrices_of_fewer_digits_are_what_was_written(kind):
    matrix = np.array([[0.5, 0.8, 0.123], [0.2, 0.5, 0.7], [0.877, 0.3, 0.5]])
    exact = cpe.PreferenceMatrix(matrix)
    np.testing.assert_allclose(cpe.PreferenceMatrix(matrix.astype(kind)).array, exact.array)
    wrong = matrix.astype(kind)
    wrong[0, 1] += 20 * np.finfo(kind).eps
    with pytest.raises(cpe.InputError, match="do not add up to 1"):
        cpe.PreferenceMatrix(wrong)
