"""Arguments that public functions refuse: kinds, ranges and shapes."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.experiments.significance import paired_tests
from cpe_opt.formulations.designs.design import efficient_rounding
from cpe_opt.formulations.models import get_model
from cpe_opt.formulations.separable.water_plan import plan_value
from cpe_opt.modelling.certify import certify
from cpe_opt.modelling.quadratic import QuadraticProgram
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
FRAME = pd.DataFrame({"winner": ["a", "b"], "loser": ["b", "a"]})


def built(**changes):
    builder = cpe.ProgramBuilder("p")
    builder.columns("x", 2, **changes.pop("columns", {}))
    builder.rows(
        **{"block": "r", "keys": 1, "row": [0, 0], "column": [0, 1], "value": [1.0, 1.0], **changes}
    )
    return builder.build()


def terms(term):
    builder = cpe.ProgramBuilder("terms")
    builder.columns("x", 3)
    builder.sums("r", 2, term)


def squares(*arguments):
    builder = cpe.ProgramBuilder("p")
    builder.columns("x", 2)
    builder.quadratic(*arguments)


def form(matrix):
    builder = cpe.ProgramBuilder("p")
    builder.columns("x", 2)
    QuadraticProgram(builder.build(), sp.csr_array(np.array(matrix)))


def duels(entry, value):
    array = np.array([[0.5, 0.7, 0.0], [0.3, 0.5, 0.0], [0.0, 0.0, 0.5]])
    array[entry] = value
    cpe.MatchingDuels(cpe.BipartiteGraph(2, 2, [(0, 0), (1, 0), (1, 1)]), array)


def pandas_weights(index):
    return pd.Series([3.0, 2.0, 1.0], index=None if index is None else list(index))


LETTERS = cpe.TopK(3, 1, ["a", "b", "c"])
OUTCOMES = pd.DataFrame({"b": [1, 1], "a": [False, False], "d": [0.5, 0.5]})
PAIR = [[0.5, 0.6], [0.4, 0.5]]
ROWS = [
    (lambda: cpe.best_subset(LETTERS, pandas_weights("abd")), "index has a, b, d, expected a, b"),
    (
        lambda: cpe.best_subset(LETTERS, pandas_weights("abb")),
        "index has a, b, b, expected a, b",
    ),
    (lambda: cpe.PreferenceMatrix(PAIR, ["é", "e\u0301"]), "labels: arms 0 and 1 are both called"),
    (lambda: cpe.TopK(2, 1, ["é", "e\u0301"]), "labels: elements 0 and 1 are both called"),
    (
        lambda: cpe.OpinionSampling([1, 2], 3, ["é", "e\u0301"]),
        "labels: arms 0 and 1 are both called",
    ),
    (lambda: cpe.BipartiteGraph.complete(10**5, 10**5), "candidates × positions is 10,000,000,000"),
    (lambda: cpe.PreferenceMatrix([[0.5, 10**400], [0.4, 0.5]]), "(int too large to"),
    (lambda: cpe.TeamScores([["a", "b"]], [NAN]), "scores[0] is nan, expected a"),
    (lambda: cpe.ProgramBuilder("p").columns("x", 2, cost=[1.0, NAN]), "cost of 'x': number 1 is"),
    (lambda: cpe.load_problem("s.py"), "'s.py' is a script: expected the name of a problem in it"),
    (lambda: cpe.TopK(np.int64(2), np.int64(3)), "k is 3, expected at most the number of elements"),
    (lambda: cpe.PreferenceMatrix([]), "preference matrix: expected a square array, got 0"),
    (lambda: cpe.PreferenceMatrix([[0.5]]), "preference matrix: expected at least 2 arms, got 1"),
    (lambda: cpe.PreferenceMatrix([[0.5, 0.6], [0.4]]), "preference matrix: not an array of"),
    (lambda: cpe.PreferenceMatrix([[0.5, NAN], [0.4, 0.5]]), "preference matrix, row 0, column"),
    (lambda: cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]], ["a"]), "labels: 1 given for 2 arms"),
    (lambda: cpe.PreferenceMatrix([[0.5, 1.2], [-0.2, 0.5]]), "row 0, column 1: the entry is 1.2,"),
    (lambda: cpe.PreferenceMatrix([[0.5, 0.6], [0.5, 0.5]]), "0.6 and its mirror image 0.5 do not"),
    (lambda: cpe.PreferenceMatrix([[0.6, 0.6], [0.4, 0.5]]), "row 0, column 0: the diagonal entry"),
    (lambda: cpe.PreferenceMatrix(pd.DataFrame(PAIR, ["a", "b"], ["b", "a"])), "row 0 is labelled"),
    (lambda: cpe.PreferenceMatrix(np.ma.masked_less(PAIR, 0.45)), "some of its entries are masked"),
    (lambda: MU.submatrix([0, 9]), "arm 9 does not exist, expected 0 … 4"),
    (lambda: cpe.PreferenceMatrix(PAIR, votes=cpe.Votes([[0, 6], [4, 0]], ["0", "b"])), "on 0, b,"),
    (lambda: cpe.ItemScores(np.zeros((2, 3, 4))), "expected arms × items, at least 2 arms and 1"),
    (lambda: cpe.ItemScores(np.full((2, 1), NAN)), "every entry is NaN, expected at least one"),
    (
        lambda: cpe.ItemScores([[0.5, 1.5], [0, 1]], ["a", "b"]),
        "scores, arm 'a', item '1': 1.5, expected",
    ),
    (lambda: cpe.ItemScores(np.eye(2), hints=np.eye(3)), "hints have shape (3, 3), expected that"),
    (lambda: cpe.ItemScores(np.eye(2), hints=-np.eye(2)), "hints, arm '0', item '0': -1, expected"),
    (lambda: cpe.ItemScores(np.eye(2), top=2), "top is 2, expected fewer than the 2 arms"),
    (lambda: cpe.ItemDuels(np.zeros((2, 3, 4))), "(× 2 orders), got 2 × 3 × 4"),
    (lambda: cpe.ItemDuels(np.zeros((2, 2, 4, 3))), "expected 1 or 2 orders on the last axis, got"),
    (lambda: cpe.ItemDuels(np.full((2, 2, 1), NAN)), "every entry is NaN, expected at least one"),
    (lambda: cpe.ItemDuels([[[NAN], [1.5]], [[NAN], [NAN]]]), "item '0': the outcome is 1.5"),
    (lambda: cpe.ItemDuels([[[NAN], [1]], [[NAN], [1]]]), "the outcome of an arm against itself"),
    (lambda: cpe.ItemDuels([[[NAN], [0.6]], [[0.6], [NAN]]]), "what the other arm gets do not add"),
    (lambda: cpe.ConicProgram("p", "norm"), "'p' holds a str, expected a cvxpy.Problem"),
    (lambda: MU.superiors(-1), "arm -1 does not exist, expected 0 … 4"),
    (lambda: cpe.read_matrix("no\0where.csv"), "no file 'no\\x00where.csv'"),
    (lambda: cpe.read_matrix("x" * 5000), "cannot read"),
    (lambda: cpe.read_matrix(Path(__file__).parent), "'"),
    (lambda: cpe.read_votes(FRAME.assign(winner="a", loser="a")), "row 0: a duel"),
    (lambda: cpe.read_votes(FRAME.assign(count=0)), "duels: no duels, for every"),
    (lambda: cpe.read_votes(FRAME.head(0)), "duels: no rows"),
    (lambda: cpe.read_votes(pd.DataFrame()), "duels: no column 'winner'; found"),
    (lambda: cpe.read_votes([("a", "b")]), "path is ('a', 'b'), expected the path of a file"),
    (lambda: cpe.read_votes({"a": "b"}), "path is {'a': 'b'}, expected the path of a file"),
    (lambda: cpe.read_votes("x.soc", unranked="first"), "unknown unranked 'first'; known"),
    (lambda: cpe.BipartiteGraph(2, 1, [(0, 0), (2, 0)]), "edges[1] = (2, 0): candidate 2 does"),
    (lambda: cpe.BipartiteGraph(2, 1, [(0, 0), (0, 0)]), "edge (0, 0) is given twice"),
    (lambda: cpe.BipartiteGraph(1, 2, [(0, 0), (0, 1)]), "no matching fills every position: 2"),
    (lambda: GRAPH.edge(0, 1), "candidate 0 may not take position 1"),
    (lambda: GRAPH.label(99), "edge 99 does not exist, expected 0 … 3"),
    (lambda: GRAPH.check_matching([0]), "(0,) is no matching: expected one edge for each position"),
    (lambda: GRAPH.check_matching([1, 2]), "(1, 2) is no matching: a candidate has two positions"),
    (lambda: cpe.MatchingDuels(GRAPH, [[0.5]]), "array has shape (1, 1), expected (4, 4), one"),
    (lambda: duels((0, 1), 0.8), "edge 0 (s0: c0) against edge 1 (s0: c1): 0.8 and 0.3 the other"),
    (lambda: duels((0, 1), 1.8), "1.8, expected a probability in [0, 1]"),
    (lambda: duels((0, 0), 0.4), "0.4, expected 0.5 against itself"),
    (lambda: duels((0, 2), 0.5), "0.5, expected 0 for edges of different positions"),
    (lambda: cpe.planted_condorcet(5, 3, gap=0.4), "gap is 0.4, expected at most 0.1667 for this"),
    (lambda: cpe.planted_condorcet(5, 6), "5 candidates cannot fill 6 positions"),
    (lambda: cpe.planted_condorcet(5, 3, density=1e-9), "has a single matching: no gap to choose"),
    (lambda: cpe.BipartiteGraph(3, 3, [(0, 0), (0, 1), (1, 2), (2, 2)]), "2 position(s) (s0, s1)"),
    (lambda: cpe.MatchingDuels.from_preferences({"p": 3}), "position 'p' has 3, expected a"),
    (lambda: cpe.best_matching(GRAPH, [1, 2]), "weights have shape (2,), expected (4,): one an"),
    (lambda: cpe.best_matching(GRAPH, [1, 2, 3, NAN]), "the weight of edge 3 is nan, expected a"),
    (lambda: cpe.condorcet_value(GRAPH, [[0.5]]), "the matrix has shape (1, 1), expected (4, 4)"),
    (lambda: cpe.copeland_bound(MU, 3), "arm 3 (4) is no Copeland winner; the winners are 0"),
    (lambda: cpe.cheapest_flips(MU, 1, -np.ones((5, 5))), "column 0: -1.0, and -1.0 in the other"),
    (lambda: cpe.cheapest_flips(MU, 1, np.full((5, 5), 1e308)), "sums of such entries overflow"),
    (lambda: cpe.copeland_bound(MU, rows=["x_0_9 >= 1"]), "unknown column 'x_0_9'; did you mean"),
    (lambda: cpe.copeland_bound(MU, rows=["x_0_3 >="]), "expected such as 'x_0_1 >= 0.9'"),
    (lambda: paired_tests({"first": [1.0], "second": [1.0]}), "at least 2"),
    (
        lambda: paired_tests({"first": [1.0, -2.0], "second": [1.0, 2.0]}),
        "first: a ratio of means needs finite numbers",
    ),
    (lambda: get_model("g-desing"), "did you mean 'g-design'"),
    (lambda: get_model("g-design").build(MU), "g-design is a model of subsets, and gap is a"),
    (lambda: get_model("ecw-bound").build(MU, "closed"), "'closed' solves no program"),
    (lambda: cpe.simulate("subset-tracking", BANDIT, prior=[((0, 9), 1, 1.0)]), "has element 9,"),
    (lambda: cycle_and_chain(10, 0.5), "beats is 0.5, expected a probability above 0.5"),
    (lambda: cpe.TopK(3, 1, ["a", "b"]), "labels: 2 given for 3 elements"),
    (lambda: TOP.check([0]), "{0} is no set of 2 of 4"),
    (lambda: TOP.check([0, 0]), "a set has an element twice: (0, 0)"),
    (lambda: TOP.check([0, 9]), "a set has element 9, expected 0 … 3"),
    (lambda: cpe.PartitionMatroid([0, 0, 1], [1]), "1 capacities for 2 groups"),
    (lambda: cpe.SpanningTrees([]), "the graph has no edges"),
    (lambda: cpe.SpanningTrees([("a", "a")]), "edge 0 is a loop at a"),
    (lambda: cpe.Paths(EDGES, "a", "z"), "target 'z' is no vertex of the graph"),
    (lambda: cpe.Paths(EDGES, "a", "a"), "source and target are the same vertex"),
    (lambda: cpe.Paths(EDGES, "c", "a"), "there is no path from c to a"),
    (lambda: cpe.best_subset(TOP, [1, 2, 3, INF]), "the weight of element 3 is inf, expected a"),
    (lambda: cpe.best_subset(TOP, WEIGHTS, include=[0, 1, 2]), "no set of 2 of 4 contains {0, 1,"),
    (lambda: cpe.best_subset(TOP, WEIGHTS, time_limit=1.0), "method 'combinatorial' solves no"),
    (lambda: cpe.ellipsoid_maximum(1, [[1, 2], [0, 1]]), "the matrix is not symmetric: (0, 1) is"),
    (lambda: cpe.ellipsoid_maximum(1, [[1, NAN], [NAN, 1]]), "entry (0, 1) of the matrix is nan,"),
    (lambda: cpe.g_design([]), "actions have shape (0,), expected (actions, dimension)"),
    (lambda: cpe.g_design([[1.0, NAN]]), "action 0 has an entry that is no finite number"),
    (lambda: efficient_rounding([0.5, 0.6], 3), "weights: expected positive numbers that add up"),
    (lambda: cpe.SubsetBandit(TOP, [1, 2, 3]), "theta has shape (3,), expected (4,)"),
    (lambda: cpe.SubsetBandit(TOP, WEIGHTS, outcomes=[]), "outcomes has shape (0,), expected (0,"),
    (
        lambda: cpe.SubsetBandit.from_outcomes(OUTCOMES, LETTERS),
        "outcomes: the header has b, a, d",
    ),
    (lambda: cpe.planted_subsets(4, 4), "k is 4, expected less than the number of elements, 4"),
    (lambda: cpe.Empirical(()), "values: expected numbers in [0, 1], at least one"),
    (lambda: cpe.PiecewiseLinear((1.0,), (1.0,)), "breaks are (1.0,), expected growing numbers"),
    (lambda: cpe.PiecewiseLinear((0.0, 1.0), (2.0, 1.0)), "slopes are (2.0, 1.0), not convex:"),
    (lambda: cpe.PiecewiseLinear(0.0, 1.0), "breaks 0.0, slopes 1.0: expected two lists"),
    (lambda: cpe.OpinionSampling([5, 5], 1), "budget is 1, expected at least one for each of 2"),
    (lambda: cpe.WaterPlan(COSTS, [2.0], 3.0), "caps has shape (1,), expected (2,)"),
    (lambda: cpe.WaterPlan(COSTS, [2.0, 2.0], 5.0), "demand is 5, and the caps add up to 4"),
    (lambda: cpe.CustomModel(2, np.sign, bi_monotone=True, tau=3), "tau is 3, expected 1 for"),
    (lambda: cpe.SeparableProblem(ASK, ARMS[:1]), "1 distributions for 2 arms"),
    (lambda: cpe.sample_allocation([0.2], [5, 5], 4), "sizes has shape (2,), expected (1,)"),
    (lambda: cpe.sample_allocation([0.2, -1], [5, 5], 4), "theta has -1.0, expected variances, 0"),
    (lambda: plan_value(WATER, [0.5, 0.5], [1.0]), "amounts has shape (1,), expected (2,)"),
    (lambda: built(columns={"cost": [1, 2, 3]}), "cost of 'x': (3,) numbers given, expected one"),
    (lambda: built(columns={"lower": 2, "upper": 1}), "program 'p': column 'x_0' has the bounds"),
    (lambda: built(columns={"cost": INF}), "program 'p': costs must be finite numbers"),
    (lambda: built(row=[0, 1]), "rows 'r': row is [0, 1], expected whole numbers from 0 to 0"),
    (lambda: built(column=[0, 5]), "rows 'r': column is [0, 5], expected whole numbers"),
    (lambda: built(value=[NAN, 1.0]), "values of 'r': number 0 is nan, expected a number"),
    (lambda: built(value=[1.0]), "values of 'r': (1,) numbers given, expected one or 2"),
    (lambda: terms((1.0, [0, 1, 2])), "3 lists of columns, expected 2"),
    (lambda: terms((1.0, np.arange(3))), "3 columns of a term, expected 1 or 2"),
    (lambda: terms((np.ones((2, 2)), np.arange(3))), "shape (2, 2), expected (2, 3)"),
    (lambda: LOTTERY.with_row({"odd": 1.0}, upper=1.0), "unknown column 'odd'"),
    (lambda: LOTTERY.with_row({}, lower=2.0, upper=1.0), "has the bounds [2.0, 1.0]"),
    (lambda: squares([0, 1], [0], 1.0), "2 first columns, 1 second ones"),
    (lambda: squares([0], [2], 1.0), "whole numbers from 0 to 1"),
    (lambda: form([[1.0]]), "shape (1, 1), expected (2, 2)"),
    (lambda: form([[1.0, 2.0], [0.0, 5.0]]), "not symmetric: 2 of 'x_0' and 'x_1', 0 of 'x_1' and"),
    (lambda: cpe.SubsetBandit(TOP, WEIGHTS, outcomes=[[1] * 4]), "column means are theta"),
    (lambda: built(lower=2, upper=1), "program 'p': row 'r_0' has the bounds [2.0, 1.0], expected"),
    (lambda: built(block="a b"), "row 0 has the name 'a b_0': expected letters, digits and"),
    (lambda: LOTTERY.objective([1.0]), "x has shape (1,), expected (6,), a column"),
    (lambda: certify(LOTTERY, np.zeros(6), row_duals=[1.0]), "row_duals has shape (1,), expected"),
    (lambda: cpe.solve(None), "program is None, expected a LinearProgram or a"),
    (lambda: cpe.solve(LOTTERY, "cp-sat"), "solver 'cp-sat' does not solve LP programs (it"),
    (lambda: cpe.solve(LOTTERY, solver_options={"no_such": 1}), "unknown highs option 'no_such';"),
    (lambda: cpe.certificate(cpe.copeland_bound_program(MU)), "expected a LinearProgram"),
    (lambda: cpe.export(LOTTERY, "p.txt"), "cannot tell the format of 'p.txt': expected .lp,"),
    (lambda: cpe.export(MU, "p.lp"), "expected a LinearProgram or a"),
    (lambda: cpe.simulate("ccb", DUELS), "ccb is for a PreferenceMatrix, and figure1 is a"),
    (lambda: cpe.simulate("ccb", MU, horizon=10, nonsense=1), "unknown parameter of ccb"),
    (lambda: cpe.run_experiment(["ccb"], ["nowhere"]), "unknown instance 'nowhere'; did you mean"),
    (lambda: cpe.run_experiment(["ccb"], ["gap"], jobs=0), "jobs is 0, expected a number of"),
]


@all_of(("call", "message"), ROWS)
def test_bad_arguments_are_refused_in_words(call, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(cpe.CpeOptError) as error:
        call()
    assert message in str(error.value)
    assert not list(tmp_path.iterdir())
