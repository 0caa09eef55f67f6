"""Linear maximisation over decision classes: fast ways, programs and enumeration agree."""

import itertools

import networkx as nx
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.subsets.matroids import TopK

RING = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)]
CLASSES = {
    "top": TopK(6, 3),
    "all": TopK(3, 3),
    "partition": cpe.PartitionMatroid([0, 1, 0, 1, 1, 2], [1, 2, 0]),
    "trees": cpe.SpanningTrees([*RING, (3, 4), (4, 0)]),
    "parallel": cpe.SpanningTrees([(0, 1), (0, 1), (1, 2), (1, 2), (0, 2)]),
    "forests": cpe.GraphicMatroid([*RING[:5], ("a", "b"), ("b", "c"), ("a", "c")]),
    "dag": cpe.Paths([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (0, 4)], 0, 4),
    "cyclic": cpe.Paths([*RING, (2, 1), (3, 1)], 0, 3),
    "streets": cpe.Paths(RING, 0, 3, directed=False),
    "matchings": cpe.Matchings(cpe.BipartiteGraph.complete(4, 3)),
    "sparse": cpe.Matchings(
        cpe.BipartiteGraph(4, 3, [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2)])
    ),
}
classes = pytest.mark.parametrize("decisions", CLASSES.values(), ids=CLASSES)


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


def test_trees_are_those_of_networkx():
    graph = nx.Graph(RING)
    trees = {
        tuple(sorted(RING.index(e) if e in RING else RING.index(e[::-1]) for e in tree.edges))
        for tree in nx.SpanningTreeIterator(graph)
    }
    assert set(cpe.SpanningTrees(RING).sets()) == trees


@classes
@pytest.mark.parametrize("solver", [None, "highs", "glop", "scip", "clarabel", "cp-sat"])
def test_the_best_set_is_that_of_enumeration(decisions, solver):
    rng = np.random.default_rng(len(decisions.name))
    kind = "MIP" if solver in ("scip", "cp-sat") else "LP"
    if decisions in (CLASSES["cyclic"], CLASSES["streets"]) and solver in ("glop", "clarabel"):
        with pytest.raises(cpe.SolverUnable, match="does not solve MIP"):
            cpe.best_subset(decisions, np.zeros(decisions.size), solver=solver)
        return
    for trial in range(4 if kind == "MIP" else 8):
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
    for _ in range(10):
        weights = rng.normal(size=decisions.size)
        values = sorted((sum(weights[e] for e in m) for m in decisions.sets()), reverse=True)
        second = cpe.second_best_subset(decisions, weights)
        assert (second is None) == (len(values) == 1)
        if second is not None:
            assert second.value == pytest.approx(values[1])


def test_the_least_weight_is_minus_the_largest_of_minus():
    weights = np.arange(8.0)
    trees = CLASSES["trees"]
    least = cpe.best_subset(trees, weights, sense="min")
    assert least.value == -cpe.best_subset(trees, -weights).value
    assert cpe.best_subset(trees, weights, sense="min", solver="highs").value == least.value


def test_a_mixture_of_optima_is_rounded_to_one():
    """An interior point method ends amid the optima of a constant weight."""
    for name in ("top", "trees", "dag", "matchings"):
        decisions = CLASSES[name]
        weights = np.zeros(decisions.size)
        best = cpe.best_subset(decisions, weights, solver="clarabel")
        assert decisions.contains(best.elements)


def test_a_program_exports_and_reads_back(tmp_path):
    for name, decisions in CLASSES.items():
        program = cpe.best_subset_program(
            decisions, np.arange(decisions.size), include=[], exclude=[]
        )
        cpe.export(program, tmp_path / f"{name}.lp")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: TopK(3, 4), "k is 4, expected at most the number of elements, 3"),
        (lambda: TopK(2, 1, ["a", "a"]), "label 'a' is given to several elements"),
        (lambda: cpe.PartitionMatroid([0, 1], 2), "group 0 has capacity 2 and 1 elements"),
        (lambda: cpe.SpanningTrees([(0, 1), (2, 3)]), "no spanning tree: no path from 0 to 2"),
        (lambda: cpe.SpanningTrees([(0, 0)]), "edge 0 is a loop at 0"),
        (lambda: cpe.Paths([("s", "a")], "s", "t"), "target 't' is no vertex"),
        (lambda: cpe.Paths([("a", "s"), ("a", "t")], "s", "t"), "no path from s to t"),
        (lambda: cpe.Paths([(0, 1), (1, 0)], 0, 1, directed=False), "edge 0, 1 is given twice"),
        (lambda: cpe.best_subset(TopK(3, 1), [1, 2]), r"shape \(2,\), expected \(3,\)"),
        (lambda: cpe.best_subset(TopK(2, 1), [1, np.nan]), "weight of element 1 is nan"),
        (lambda: cpe.best_subset(TopK(3, 1), [1, 2, 3], include=[5]), "element 5, expected 0 … 2"),
        (
            lambda: cpe.best_subset(TopK(3, 1), [1, 2, 3], include=[1], exclude=[1]),
            "element 1 is both in and out",
        ),
        (lambda: cpe.best_subset(TopK(3, 1), [1, 2, 3], solver="hihgs"), "did you mean 'highs'"),
        (lambda: TopK(4, 2).check([0, 1, 2]), r"\{0, 1, 2\} is no set of 2 of 4"),
        (lambda: TopK(40, 20).indicator_matrix(max_sets=1000), "more than 1,000 sets"),
    ],
)
def test_bad_input_is_refused_in_words(call, message):
    with pytest.raises(cpe.InputError, match=message):
        call()


@pytest.mark.parametrize("sense", ["maximize", "MAX", "", None, ["max"]])
@pytest.mark.parametrize("oracle", [cpe.best_subset, cpe.best_subset_program])
def test_another_sense_is_refused(oracle, sense):
    for decisions in (cpe.TopK(3, 1), CLASSES["streets"]):
        with pytest.raises(cpe.InputError, match=r"sense is .*, expected 'min' or 'max'"):
            oracle(decisions, np.arange(decisions.size), sense=sense)


@pytest.mark.parametrize("unit", [1e-310, 1e-9, 1e300])
def test_combinatorial_optima_do_not_depend_on_the_unit(unit):
    rng = np.random.default_rng(0)
    for name in ("trees", "forests", "top-k"):
        decisions = CLASSES.get(name, TopK(5, 2))
        weights = rng.integers(-9, 9, decisions.size).astype(float)
        for sense in ("min", "max"):
            best = cpe.best_subset(decisions, weights, sense=sense).elements
            assert cpe.best_subset(decisions, unit * weights, sense=sense).elements == best
    with pytest.raises(cpe.InputError, match=r"weights have an entry of size 1.7e\+308, so large"):
        cpe.best_subset(TopK(3, 2), [1.7e308, 1.7e308, 0.0])


def test_longest_paths_with_cycles_need_integers():
    with pytest.raises(cpe.SolverUnable, match="the graph has cycles"):
        SubsetOracle(CLASSES["streets"], "combinatorial")
    assert SubsetOracle(CLASSES["streets"]).solver == "highs"
