"""Graphs, their matchings, counts and widths, against enumeration."""

import itertools
import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

import cpe_opt as cpe
from cpe_opt.problems.matchings.bipartite import edge_frequencies, forward_table, largest_component
from tests.support import random_graph


def all_matchings(graph):
    """By trying every choice of one edge a position."""
    for edges in itertools.product(*(at.tolist() for at in graph.edges_at)):
        if len({graph.edges[edge][0] for edge in edges}) == graph.positions:
            yield edges


def test_edges_are_numbered_by_position_then_candidate():
    graph = cpe.BipartiteGraph(3, 2, [(2, 1), (0, 0), (1, 1), (1, 0)])
    assert graph.edges == ((0, 0), (1, 0), (1, 1), (2, 1))
    assert [at.tolist() for at in graph.edges_at] == [[0, 1], [2, 3]]
    assert graph.pairs.tolist() == [[0, 1], [2, 3]]
    assert graph.n_pairs == 2
    assert graph.edge(1, 1) == 2
    assert graph.label(3) == "s1: c2"


@given(st.integers(0, 10**6))
def test_matchings_counts_and_frequencies_are_those_of_enumeration(seed):
    graph = random_graph(np.random.default_rng(seed))
    expected = list(all_matchings(graph))
    assert list(graph.matchings()) == expected
    assert graph.count_matchings() == len(expected)
    counts = np.zeros(graph.size)
    for matching in expected:
        counts[list(matching)] += 1
    assert np.allclose(edge_frequencies(graph), counts / len(expected), atol=1e-12)
    assert forward_table(graph)[-1, -1] == 1.0


def test_counts_are_exact_where_floats_and_machine_integers_are_not():
    assert cpe.BipartiteGraph.complete(30, 3).count_matchings() == 30 * 29 * 28
    assert cpe.BipartiteGraph.complete(30, 14).count_matchings() == math.perm(30, 14) > 2**63
    with pytest.raises(cpe.InputError, match=r"too many to count .*mcmc"):
        cpe.BipartiteGraph.complete(40, 25).count_matchings()


def component_sizes(first, second):
    """By NetworkX: edges of the components of the union, over (candidate, position)."""
    union = nx.Graph()
    for matching in (first, second):
        union.add_edges_from((("c", c), ("s", j)) for j, c in enumerate(matching))
    return max(union.subgraph(nodes).number_of_edges() for nodes in nx.connected_components(union))


@pytest.mark.parametrize("seed", range(25))
def test_width_is_that_of_the_definition(seed):
    graph = random_graph(np.random.default_rng(seed), most=4)
    matchings = [tuple(graph.edges[e][0] for e in m) for m in all_matchings(graph)]
    if len(matchings) < 2:
        with pytest.raises(cpe.InputError, match="has a single matching and so no width"):
            graph.width()
        return
    pairs = list(itertools.combinations(matchings, 2))
    assert graph.width() == max(component_sizes(*pair) for pair in pairs)
    for pair in pairs:
        assert largest_component(*pair) == component_sizes(*pair)


@given(st.integers(0, 10**6))
def test_hall_violators_violate(seed):
    """Random graphs, mostly without a matching: the positions named have too few candidates."""
    rng = np.random.default_rng(seed)
    candidates, positions = (int(n) for n in rng.integers(1, 6, size=2))
    edges = [(i, j) for i in range(candidates) for j in range(positions) if rng.random() < 0.4]
    graph = object.__new__(cpe.BipartiteGraph)
    graph.candidates, graph.positions = candidates, positions
    graph.candidate, graph.position = graph._checked(edges)
    graph.edges_at = tuple(np.flatnonzero(graph.position == j) for j in range(positions))
    violator = graph.hall_violator()
    able = {
        edges_of for j in violator for e in graph.edges_at[j] for edges_of in [graph.edges[e][0]]
    }
    assert bool(violator) == (next(all_matchings(graph), None) is None)
    assert not violator or len(able) < len(violator)
