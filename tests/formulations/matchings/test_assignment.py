"""Matchings of extreme weight: every solver against enumeration."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.formulations.matchings.assignment import constrained, second_best_matching
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from tests.support import random_constraints, random_graph

METHODS = [{"method": name} for name in ("assignment", "scipy", "networkx", "combinatorial")]
SOLVERS = [
    {"method": "program", "solver": name}
    for name in ("highs", "glop", "scip", "cp-sat", "clarabel")
]


def weighted(graph, weights):
    return {m: sum(weights[e] for e in m) for m in graph.matchings()}


def satisfying(found, include, exclude):
    return {m: v for m, v in found.items() if set(include) <= set(m) and not set(exclude) & set(m)}


@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize("seed", range(10))
def test_all_solvers_find_what_enumeration_finds(seed, sense):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng)
    weights = rng.normal(size=graph.size).round(3)
    include, exclude = random_constraints(rng, graph)
    allowed = satisfying(weighted(graph, weights), include, exclude)
    for way in [*METHODS, *(SOLVERS if seed < 5 else SOLVERS[:1])]:
        arguments = {"include": include, "exclude": exclude, "sense": sense, **way}
        if not allowed:
            with pytest.raises(cpe.InputError, match="no matching "):
                cpe.best_matching(graph, weights, **arguments)
            continue
        found = cpe.best_matching(graph, weights, **arguments)
        best = (max if sense == "max" else min)(allowed.values())
        assert found.edges in allowed
        assert found.value == pytest.approx(allowed[found.edges])
        assert abs(found.value - best) <= 1e-9 + abs(found.bound - found.value)
        assert abs(found.bound - best) <= 1e-6
        assert (found.bound - found.value) * (1 if sense == "max" else -1) >= 0
        assert found.method == way["method"]
        if found.result is not None:
            assert found.result.objective == pytest.approx(best, abs=1e-6)


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_second_best_and_best_different(seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, most=4)
    weights = rng.normal(size=graph.size)
    values = weighted(graph, weights)
    for sense, choose in (("max", max), ("min", min)):
        best = choose(values, key=values.get)
        for than in (None, next(iter(values))):
            others = {m: v for m, v in values.items() if m != (than or best)}
            for method in ("assignment", "combinatorial", "program"):
                found = second_best_matching(graph, weights, than=than, sense=sense, method=method)
                if not others:
                    assert found is None
                else:
                    assert found.edges in others
                    assert found.value == pytest.approx(choose(others.values()), abs=1e-9)
                    assert found.bound == pytest.approx(found.value, abs=1e-6)


def test_the_program_is_integral_and_named():
    graph = cpe.BipartiteGraph.complete(4, 3)
    weights = np.random.default_rng(0).normal(size=graph.size)
    relaxed = cpe.best_matching_program(graph, weights, include=[0], exclude=[5])
    assert relaxed.column_names[0] == "x_0_0"
    assert relaxed.row_names[:3] == ("position_0", "position_1", "position_2")
    whole = cpe.best_matching_program(graph, weights, include=[0], exclude=[5], integer=True)
    assert cpe.solve(relaxed).objective == pytest.approx(cpe.solve(whole).objective)


def test_several_optima_still_give_a_matching():
    """An interior-point solver stops inside the optimal face; the answer is a vertex of it."""
    graph = cpe.BipartiteGraph.complete(5, 3)
    found = cpe.best_matching(graph, np.ones(graph.size), solver="clarabel")
    assert graph.check_matching(found.edges) == found.edges
    assert found.value == 3.0


def test_forced_edges_exclude_others():
    graph = cpe.BipartiteGraph.complete(3, 2)
    free = constrained(graph, include=[graph.edge(0, 0)]).free
    assert np.flatnonzero(free).tolist() == [graph.edge(1, 1), graph.edge(2, 1)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"include": [0, 1]}, "include has two edges of position s0"),
        ({"include": [0, 3]}, "include has two edges of candidate c0"),
        ({"include": [0], "exclude": [0]}, r"edge 0 \(s0: c0\) is both in and out"),
        ({"include": [9]}, "edge 9 does not exist"),
        ({"exclude": [0, 1, 2]}, "no matching avoids s0: c0, s0: c1, s0: c2"),
        ({"solver": "higs"}, "unknown solver 'higs'"),
        ({"solver": "scipy"}, "solver 'scipy' solves assignments, no programs"),
        ({"method": "asignment"}, "unknown method 'asignment'; did you mean 'assignment'"),
        ({"method": "assignment", "solver": "highs"}, "solver has no effect: leave it out"),
    ],
)
def test_bad_constraints_are_refused(arguments, message):
    graph = cpe.BipartiteGraph.complete(3, 2)
    with pytest.raises(cpe.InputError, match=message):
        cpe.best_matching(graph, np.zeros(6), **arguments)


@pytest.mark.parametrize("sense", ["maximize", "MAX", "", None, ["max"]])
@pytest.mark.parametrize(
    "oracle", [cpe.best_matching, second_best_matching, cpe.best_matching_program]
)
def test_another_sense_is_refused(oracle, sense):
    graph = cpe.BipartiteGraph.complete(3, 2)
    matching = graph.edge(0, 0), graph.edge(1, 1)
    than = {"than": matching} if oracle is second_best_matching else {}
    with pytest.raises(cpe.InputError, match=r"unknown sense|sense is .*, expected 'min'"):
        oracle(graph, np.zeros(6), sense=sense, **than)


@pytest.mark.parametrize("method", ["assignment", "scipy", "networkx", "combinatorial"])
@pytest.mark.parametrize("unit", [1e-310, 1e-9, 1e300])
def test_matchings_do_not_depend_on_the_unit(method, unit):
    graph, weights = cpe.BipartiteGraph.complete(3, 2), np.array([3.0, 2, 0, 3, 0, 1])
    for oracle in (cpe.best_matching, second_best_matching):
        expected = oracle(graph, weights, method=method)
        found = oracle(graph, unit * weights, method=method)
        assert found.edges == expected.edges
        assert found.value == pytest.approx(unit * expected.value, rel=1e-9, abs=0)
        assert abs(found.bound - found.value) <= 1e-9 * unit
    with pytest.raises(cpe.InputError, match=r"weights have an entry of size 1.7e\+308, so large"):
        cpe.best_matching(graph, 1.7e308 * np.ones(6), method=method)


def test_bad_weights_are_refused():
    graph = cpe.BipartiteGraph.complete(3, 2)
    with pytest.raises(cpe.InputError, match=r"weights have shape \(5,\), expected \(6,\)"):
        cpe.best_matching(graph, np.zeros(5))
    with pytest.raises(cpe.InputError, match="the weight of edge 2 is nan"):
        cpe.best_matching(graph, [0, 0, np.nan, 0, 0, 0])


def test_the_oracle_of_learners_maximises():
    graph = cpe.BipartiteGraph.complete(3, 2)
    weights = np.array([3.0, 2, 0, 3, 0, 1])
    for method in ("combinatorial", "assignment", "program"):
        oracle = SubsetOracle(cpe.Matchings(graph), method)
        assert oracle.maximise(weights) == (1, 3)
        assert oracle.maximise(weights, (), (3,)) == (0, 5)
        assert oracle.maximise(weights, (0, 1)) is None
        assert oracle.maximise_other(weights, (1, 3)) == (0, 5)


def test_the_facade_is_the_oracle_of_the_class():
    """The program of record has names of its own, and the same columns and rows."""
    graph, weights = cpe.BipartiteGraph.complete(3, 2), np.array([3.0, 2, 0, 3, 0, 1])
    matchings = cpe.Matchings(graph)
    ours = cpe.best_matching_program(graph, weights, include=[0], exclude=[5])
    theirs = cpe.best_subset_program(matchings, weights, include=[0], exclude=[5])
    assert (ours.name, theirs.name) == ("matching", "subset")
    assert ours.column_names == theirs.column_names
    assert ours.row_names == theirs.row_names
    best = cpe.best_matching(graph, weights)
    assert best.edges == cpe.best_subset(matchings, weights).elements
    assert best.report(cpe.MatchingDuels(graph, halves(graph))) == {"matching": "s0: c1; s1: c0"}


def halves(graph):
    return np.where(graph.position[:, None] == graph.position[None, :], 0.5, 0.0)


def test_weights_that_are_no_numbers_are_not_taken_for_an_empty_class():
    matchings = cpe.Matchings(cpe.BipartiteGraph.complete(2, 2))
    with pytest.raises(cpe.InputError, match="not a finite number"):
        matchings.best(np.full(4, np.nan))
