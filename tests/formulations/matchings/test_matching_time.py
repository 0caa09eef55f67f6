"""T* of Condorcet matchings: cones, steps, cuts, against programs with every matching listed."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets import alternatives as listing
from tests.formulations import inverse_rows
from tests.support import some_quick

METHODS = ("cone", "multiplicative")


def leads(duels, winner):
    """The edges of each other matching that differ, and its lead, by definition."""
    found = []
    for other in duels.graph.matchings():
        pairs = [(e, f) for e, f in zip(winner, other, strict=True) if e != f]
        if pairs:
            found.append(([f for _, f in pairs], sum(duels.array[e, f] - 0.5 for e, f in pairs)))
    return found


def random_duels(seed):
    """A graph, complete or not, and probabilities with a Condorcet winner that may lose duels."""
    rng = np.random.default_rng([17, seed])
    while True:
        positions = int(rng.integers(1, 5))
        candidates = positions + int(rng.integers(0, 3)) + (positions == 1)
        density = 1.0 if seed % 2 else 0.6
        at = rng.permutation(candidates)[:positions].tolist()
        edges = [
            (c, j)
            for j in range(positions)
            for c in range(candidates)
            if c == at[j] or rng.random() < density
        ]
        graph = cpe.BipartiteGraph(candidates, positions, edges)
        if graph.count_matchings() == 1:
            continue
        winner = tuple(graph.edge(at[j], j) for j in range(positions))
        for _ in range(20):
            array = np.zeros((graph.size, graph.size))
            for e, f in graph.pairs.tolist():
                p = rng.uniform(0.5 - 0.2 * ((e in winner) or (f in winner)), 1.0)
                wins = e in winner or (f not in winner and rng.random() < 0.5)
                array[e, f] = p if wins else 1.0 - p
                array[f, e] = 1.0 - array[e, f]
            np.fill_diagonal(array, 0.5)
            duels = cpe.MatchingDuels(graph, array)
            if min(lead for _, lead in leads(duels, winner)) > 0.03:
                prices = rng.uniform(0.2, 3.0, (graph.size, graph.size))
                return duels, winner, prices + prices.T if seed % 3 else np.ones_like(prices)


def least_cost(duels, winner, prices):
    """The program of the definition, a row a matching."""
    every = leads(duels, winner)
    rows = np.zeros((len(every), duels.graph.size))
    for row, (edges, lead) in zip(rows, every, strict=True):
        row[edges] = 1 / (2 * lead**2)
    rivals = np.array(winner)[duels.graph.position]
    return inverse_rows.least_cost(rows, prices[rivals, np.arange(duels.graph.size)])


def check(duels, winner, prices, expected, **arguments):
    time = cpe.matching_time(duels, prices=prices, **arguments)
    assert time.matching == winner
    assert time.bound * (1 - 1e-6) <= expected <= time.value * (1 + 1e-6)
    assert time.bound <= time.value
    q = time.exploration
    assert (q == q.T).all()
    assert (prices * np.triu(q)).sum() == pytest.approx(time.value, rel=1e-12)
    others = np.delete(np.arange(duels.graph.size), winner)
    assert not q[np.ix_(others, others)].any()
    assert np.triu(time.proportions).sum() == pytest.approx(1.0)
    for edges, lead in leads(duels, winner):
        told = sum(1 / q[winner[duels.graph.position[f]], f] for f in edges)
        assert told <= 2 * lead**2 * (1 + 1e-9)
    return time


@pytest.mark.parametrize("seed", some_quick(range(6), range(6, 200)))
def test_the_program_with_every_matching_listed_has_the_same_optimum(seed, monkeypatch):
    duels, winner, prices = random_duels(seed)
    expected = least_cost(duels, winner, prices)
    time = check(duels, winner, prices, expected)
    assert time.value == pytest.approx(expected, rel=1e-6)
    assert time.gap <= 1e-6
    check(duels, winner, prices, expected, method="multiplicative")
    monkeypatch.setattr(listing, "MOST_ALTERNATIVES", 1)
    cut = check(duels, winner, prices, expected)
    assert cut.value == pytest.approx(expected, rel=3e-6)
    assert cut.gap <= 3e-6


@pytest.mark.parametrize("positions", some_quick([6], [8]))
def test_graphs_with_too_many_matchings_are_certified(positions, monkeypatch):
    """720 matchings, where 100 are too many, or 40,320."""
    if positions == 6:
        monkeypatch.setattr(listing, "MOST_ALTERNATIVES", 100)
    duels = cpe.planted_condorcet(positions, positions, gap=0.02, seed=1)
    time = cpe.matching_time(duels)
    assert time.gap <= 1e-6
    late = cpe.matching_time(duels, time_limit=1e-3)
    assert late.bound <= time.value * (1 + 1e-6)
    assert time.value * (1 - 1e-6) <= late.value < math.inf
    with pytest.raises(cpe.InputError, match="too many matchings to list all rows"):
        cpe.matching_time_program(duels)


@pytest.mark.parametrize("method", METHODS)
def test_one_position_costs_what_the_formula_says(method):
    graph = cpe.BipartiteGraph.complete(3, 1)
    duels = cpe.MatchingDuels(graph, [[0.5, 0.7, 0.6], [0.3, 0.5, 0.9], [0.4, 0.1, 0.5]])
    time = cpe.matching_time(duels, method=method)
    assert time.exploration[0] == pytest.approx([0.0, 1 / 0.08, 1 / 0.02])
    assert time.value == pytest.approx(62.5)
    assert time.duels(0.05) == pytest.approx(62.5 * 0.9 * math.log(19))
    assert time.duels(0.5) == 0.0
    paid = cpe.matching_time(duels, prices=[[0, 2, 4], [2, 0, 1], [4, 1, 0]], method=method)
    assert paid.value == pytest.approx(2 / 0.08 + 4 / 0.02)
    shares = time.report(duels)["largest shares"]
    assert shares == pytest.approx({"s0: c0 - c2": 0.8, "s0: c0 - c1": 0.2})


def test_a_single_matching_needs_no_duels():
    graph = cpe.BipartiteGraph(2, 2, [(0, 0), (0, 1), (1, 1)])
    array = np.zeros((3, 3))
    array[0, 0], array[1:, 1:] = 0.5, [[0.5, 0.9], [0.1, 0.5]]
    duels = cpe.MatchingDuels(graph, array)
    time = cpe.matching_time(duels)
    assert (time.value, time.bound, time.gap, time.matching) == (0.0, 0.0, 0.0, (0, 2))
    assert not time.exploration.any()
    assert not time.proportions.any()
    with pytest.raises(cpe.InputError, match="single matching, and nothing to tell apart"):
        cpe.matching_time_program(duels)
