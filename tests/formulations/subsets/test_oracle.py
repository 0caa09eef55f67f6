"""Linear maximisation over decision classes: fast ways, programs and enumeration agree."""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import SolverUnable
from cpe_opt.formulations.subsets.oracle import SubsetOracle, ranked_subsets, second_best_subset
from cpe_opt.problems.subsets.matroids import TopK
from tests.support import all_of

RING = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)]
CLASSES = {
    "top": TopK(6, 3),
    "all": TopK(3, 3),
    "partition": cpe.PartitionMatroid([0, 1, 0, 1, 1, 2], [1, 2, 0]),
    "trees": cpe.SpanningTrees([*RING, (3, 4), (4, 0)]),
    "parallel": cpe.SpanningTrees([(0, 1), (0, 1), (1, 2), (1, 2), (0, 2)]),
    "dag": cpe.Paths([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (0, 4)], 0, 4),
    "cyclic": cpe.Paths([*RING, (2, 1), (3, 1)], 0, 3),
    "streets": cpe.Paths(RING, 0, 3, directed=False),
    "matchings": cpe.Matchings(cpe.BipartiteGraph.complete(4, 3)),
    "sparse": cpe.Matchings(
        cpe.BipartiteGraph(4, 3, [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2)])
    ),
}
classes = all_of("decisions", CLASSES.values())


def brute_force(decisions, weights, include=(), exclude=()):
    """The largest weight among the sets that are left, or None."""
    values = [
        sum(weights[e] for e in members)
        for members in decisions.sets()
        if set(include) <= set(members) and not set(exclude) & set(members)
    ]
    return max(values, default=None)


@classes
def test_members_are_exactly_the_sets_of_the_class(decisions):
    members = list(decisions.sets())
    assert len(set(members)) == len(members) == decisions.count()
    every = itertools.chain.from_iterable(
        itertools.combinations(range(decisions.size), k) for k in range(decisions.size + 1)
    )
    if decisions.size <= 8:
        assert {m for m in every if decisions.contains(m)} == set(members)
    assert {len(m) for m in members} <= set(decisions.sizes)
    assert decisions.rank == decisions.sizes[-1]
    assert np.log(len(members)) <= decisions.log_count_bound() + 1e-9
    assert decisions.indicator_matrix().sum(axis=1).tolist() == [len(m) for m in members]


def test_bounds_on_counts_are_exact_for_paths_without_cycles_and_complete_graphs():
    for decisions in (CLASSES["dag"], CLASSES["matchings"]):
        assert decisions.log_count_bound() == pytest.approx(np.log(decisions.count()))
    rng = np.random.default_rng(0)
    for _ in range(30):
        edges = [(i, j) for i in range(6) for j in range(4) if i == j or rng.random() < 0.5]
        sparse = cpe.Matchings(cpe.BipartiteGraph(6, 4, edges))
        assert np.log(sparse.count()) <= sparse.log_count_bound() + 1e-9
        assert sparse.log_count_bound() <= cpe.DecisionClass.log_count_bound(sparse) + 1e-9


@all_of(
    ("decisions", "solver"),
    itertools.product(CLASSES.values(), [None, "highs", "glop", "cp-sat"]),
)
def test_the_best_set_is_that_of_enumeration(decisions, solver):
    rng = np.random.default_rng(len(decisions.name))
    if decisions in (CLASSES["cyclic"], CLASSES["streets"]) and solver == "glop":
        with pytest.raises(SolverUnable, match="does not solve MIP"):
            cpe.best_subset(decisions, np.zeros(decisions.size), solver=solver)
        return
    for trial in range(3 if solver == "cp-sat" else 5):
        weights = (
            rng.integers(-3, 4, decisions.size) if trial % 2 else rng.normal(size=decisions.size)
        )
        chosen = rng.permutation(decisions.size)
        include, exclude = chosen[: trial % 3].tolist(), chosen[3 : 3 + trial // 3].tolist()
        expected = brute_force(decisions, weights, include, exclude)
        arguments = {"include": include, "exclude": exclude}
        if solver is not None:
            arguments["solver"] = solver
        if expected is None:
            with pytest.raises(cpe.InputError, match="no set of"):
                cpe.best_subset(decisions, weights, **arguments)
            continue
        best = cpe.best_subset(decisions, weights, **arguments)
        assert decisions.check(best.elements) == best.elements
        assert set(include) <= set(best.elements)
        assert not set(exclude) & set(best.elements)
        assert best.value == pytest.approx(expected, abs=1e-9)
        assert best.value == pytest.approx(sum(weights[e] for e in best.elements))


@classes
def test_the_second_best_set_is_that_of_enumeration(decisions):
    rng = np.random.default_rng(3)
    for _ in range(2):
        weights = rng.normal(size=decisions.size)
        values = sorted((sum(weights[e] for e in m) for m in decisions.sets()), reverse=True)
        for sense, ordered in (("max", values), ("min", values[::-1])):
            second = second_best_subset(decisions, weights, sense=sense)
            assert (second is None) == (len(values) == 1)
            if second is not None:
                assert second.value == pytest.approx(ordered[1])
                assert second.bound == pytest.approx(ordered[1])
        oracle = SubsetOracle(decisions)
        other = oracle.maximise_other(weights, oracle.maximise(weights))
        assert (other is None) == (len(values) == 1)
        assert other is None or weights[list(other)].sum() == pytest.approx(values[1])


def test_a_mixture_of_optima_is_rounded_to_one():
    """An interior point method ends amid the optima of a constant weight."""
    for name in ("top", "trees", "dag", "matchings"):
        decisions = CLASSES[name]
        weights = np.zeros(decisions.size)
        best = cpe.best_subset(decisions, weights, solver="clarabel")
        assert decisions.contains(best.elements)


@pytest.mark.parametrize("unit", [1e-310, 1e-9, 1e300])
def test_combinatorial_optima_do_not_depend_on_the_unit(unit):
    rng = np.random.default_rng(0)
    for name in ("trees", "top-k"):
        decisions = CLASSES.get(name, TopK(5, 2))
        weights = rng.integers(-9, 9, decisions.size).astype(float)
        for sense in ("min", "max"):
            best = cpe.best_subset(decisions, weights, sense=sense).elements
            assert cpe.best_subset(decisions, unit * weights, sense=sense).elements == best
    with pytest.raises(cpe.InputError, match=r"weights have an entry of size 1.7e\+308, so large"):
        cpe.best_subset(TopK(3, 2), [1.7e308, 1.7e308, 0.0])


def test_longest_paths_with_cycles_need_integers():
    with pytest.raises(SolverUnable, match="the graph has cycles"):
        SubsetOracle(CLASSES["streets"], "combinatorial")
    assert SubsetOracle(CLASSES["streets"]).method == "program"
    with pytest.raises(SolverUnable, match="method 'assignment' is for matchings, not for"):
        SubsetOracle(CLASSES["trees"], "assignment")


@classes
def test_bounds_hold_from_the_other_side(decisions):
    weights = np.random.default_rng(1).normal(size=decisions.size)
    values = [sum(weights[e] for e in members) for members in decisions.sets()]
    for sense, extreme in (("max", max(values)), ("min", min(values))):
        for method in ("combinatorial", "program"):
            if method == "combinatorial" and decisions.obstacle:
                continue
            best = cpe.best_subset(decisions, weights, sense=sense, method=method)
            assert best.value == pytest.approx(extreme)
            assert best.gap <= 1e-6
            sign = 1 if sense == "max" else -1
            assert sign * best.bound >= sign * best.value
            assert (best.result is None) == (method == "combinatorial")


def values_in_order(decisions, weights):
    return sorted((weights[list(members)].sum() for members in decisions.sets()), reverse=True)


@all_of(("decisions", "count"), itertools.product(CLASSES.values(), [1, 3, 1000]))
def test_ranked_sets_are_those_of_enumeration(decisions, count):
    weights = np.random.default_rng(0).normal(size=decisions.size)
    found = ranked_subsets(SubsetOracle(decisions), weights, count)
    expected = values_in_order(decisions, weights)[:count]
    assert np.allclose([value for _, value in found], expected, atol=1e-7)
    assert np.allclose([weights[list(members)].sum() for members, _ in found], expected)
    assert len({members for members, _ in found}) == len(found)
    assert all(decisions.contains(members) for members, _ in found)


@classes
def test_ties_leave_no_set_out(decisions):
    weights = np.random.default_rng(0).integers(0, 2, decisions.size).astype(float)
    found = ranked_subsets(SubsetOracle(decisions), weights, 10**6)
    assert {members for members, _ in found} == set(decisions.sets())
    assert [value for _, value in found] == values_in_order(decisions, weights)


def test_classes_that_nobody_lists_have_best_sets_too():
    weights = np.arange(40.0)
    found = ranked_subsets(SubsetOracle(cpe.TopK(40, 20)), weights, 4)
    best = set(range(20, 40))
    assert [set(members) for members, _ in found[:2]] == [best, best - {20} | {19}]
    assert [value for _, value in found] == [590.0, 589.0, 588.0, 588.0]
