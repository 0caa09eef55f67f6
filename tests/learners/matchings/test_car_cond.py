"""CAR-Cond: its reference, its certificates, and what it proves of its answer."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.matchings.car_cond import _safe_rounds
from cpe_opt.learners.matchings.pair_bounds import PairBounds
from cpe_opt.learners.queries import HAS_CONDORCET_WINNER
from tests.learners.matchings.reference_matchings import reference_car_cond
from tests.learners.matchings.support import (
    FORCED,
    PATH,
    TWO,
    MatchingOutcomes,
    chances,
    cycle,
    enumerated,
    plain,
    played,
)
from tests.learners.support import conversation


@pytest.mark.parametrize("slack", ["paper", "none"])
@pytest.mark.parametrize("graph", [TWO, PATH, FORCED])
def test_car_cond_duels_what_the_reference_duels(graph, slack):
    array = chances(graph)
    expected = plain(reference_car_cond(enumerated(graph), 0.5, slack), MatchingOutcomes(array))
    learner = cpe.learners.car_cond(graph, delta=0.5, slack=slack)
    assert played(learner, MatchingOutcomes(array)) == expected


def test_bounds_move_no_further_than_assumed():
    """All duels of the safe rounds won, or all lost: no bound moves by half the margin or more."""
    graph = cpe.BipartiteGraph.complete(3, 1)
    for rounds_before in (50, 1000, 20_000):
        for allowed in (0.01, 0.05, 0.2):
            bounds = PairBounds(graph)
            for e, f in graph.pairs.tolist():
                bounds.add(e, f, rounds_before // 3, rounds_before)
            before = bounds.bounds(rounds_before, 0.05)
            rounds = _safe_rounds(bounds, allowed, rounds_before, 0.05, "none")
            for won in (0, rounds):
                moved = PairBounds(graph)
                for e, f in graph.pairs.tolist():
                    moved.add(e, f, rounds_before // 3 + won, rounds_before + rounds)
                after = moved.bounds(rounds_before + rounds, 0.05)
                for old, new in zip(before, after, strict=True):
                    assert 2 * np.abs(new - old).max() <= allowed


@pytest.mark.parametrize("kind", ["proved", "open", "refuted", "all rejected"])
def test_car_cond_proves_what_its_bounds_show(kind):
    """Whether it proves or refutes its answer, against an enumeration of all matchings."""
    seed = {"proved": 1, "open": 5, "refuted": 0, "all rejected": 0}[kind]
    if kind in ("proved", "open"):
        duels = random_duels(np.random.default_rng(seed))
    else:
        duels = cycle(0.9 if kind == "refuted" else 1.0)
    counts, outcomes = {}, MatchingOutcomes(duels.array, seed)
    exchange = Exchange(cpe.learners.car_cond, duels.graph, counts=counts, delta=0.1)
    answer, _ = conversation(exchange, outcomes)
    assert (answer is not None) == (kind in ("proved", "open"))
    assert (not exchange.doubt) == (kind in ("proved", "open"))
    assert (exchange.assumption == HAS_CONDORCET_WINNER) == (kind == "open")
    upper, lower = bounds_after(duels.graph, outcomes, counts["rounds"], 0.1)
    chances = {
        chosen: [
            [sum(matrix[e, f] for e, f in zip(rival, chosen, strict=True)) for matrix in both]
            for both in [(upper, lower)]
            for rival in duels.graph.matchings()
            if rival != chosen
        ]
        for chosen in duels.graph.matchings()
    }
    half = duels.graph.positions / 2
    if answer is None:
        assert all(any(low > half for _, low in rivals) for rivals in chances.values())
    else:
        assert (not exchange.assumption) == all(high <= half for high, _ in chances[answer])


def random_duels(rng):
    """A random problem of three candidates and two positions with clear preferences."""
    graph = cpe.BipartiteGraph.complete(3, 2)
    array = np.zeros((6, 6))
    for block in (slice(0, 3), slice(3, 6)):
        above = np.triu(rng.choice([0.05, 0.95], size=(3, 3)), 1)
        array[block, block] = above + np.tril(1 - above.T, -1) + 0.5 * np.eye(3)
    return cpe.MatchingDuels(graph, array)


def bounds_after(graph, outcomes, rounds, delta):
    """The paper's bounds from the outcomes that a run has used."""
    upper, lower = (np.where(np.eye(graph.size), 0.5, value) for value in (1.0, 0.0))
    for (e, f), draws in outcomes.duels.items():
        share = outcomes.won[e, f] / draws
        radius = np.sqrt(np.log(4 * graph.n_pairs * rounds**3 / delta) / (2 * draws))
        for (i, j), p in (((e, f), share), ((f, e), 1 - share)):
            upper[i, j], lower[i, j] = min(1.0, p + radius), max(0.0, p - radius)
    return upper, lower
