"""Matchings of extreme weight: every solver against enumeration."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.formulations.matchings.assignment import second_best_matching
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
@settings(max_examples=10)
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
