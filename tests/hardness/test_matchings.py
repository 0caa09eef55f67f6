"""Gaps and hardness of matching problems, by enumeration."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.hardness.matchings import CondorcetHardness
from tests.support import random_matchings


def gap_by_enumeration(every, value, winner, edge):
    wanted = [m for m in every if (edge in m) != (edge in winner)]
    return value(winner) - max((value(m) for m in wanted), default=-math.inf)


@pytest.mark.parametrize("seed", range(20))
def test_borda_gaps(seed):
    duels = random_matchings(np.random.default_rng(seed), most=4)
    every = list(duels.graph.matchings())
    hard = cpe.borda_hardness(duels)

    def value(matching):
        return duels.borda_score(matching) * duels.graph.positions

    assert value(hard.winner) == pytest.approx(max(map(value, every)))
    for edge in range(duels.graph.size):
        expected = gap_by_enumeration(every, value, hard.winner, edge)
        assert hard.gap[edge] == pytest.approx(expected, abs=1e-9)
    if len(every) > 1:
        assert hard.hardness == pytest.approx((hard.gap**-2.0).sum())
        assert hard.approximate_hardness(0.1, 4) <= 100 * duels.graph.size


@pytest.mark.parametrize("seed", range(12))
def test_condorcet_and_verification_gaps(seed):
    duels = cpe.planted_condorcet(5, 2 + seed % 3, gap=0.02, seed=seed, density=0.8)
    every = list(duels.graph.matchings())
    hard = cpe.condorcet_hardness(duels)
    winner = hard.winner

    def value(matching):
        return duels.preference(matching, winner)

    for edge in range(duels.graph.size):
        expected = gap_by_enumeration(every, value, winner, edge)
        assert hard.gap[edge] == pytest.approx(expected, abs=1e-9)
        if edge in winner:
            assert math.isinf(hard.verification_gap[edge])
            continue
        ratios = [
            duels.graph.positions
            / sum(a != b for a, b in zip(m, winner, strict=True))
            * (0.5 - value(m))
            for m in every
            if edge in m
        ]
        assert hard.verification_gap[edge] == pytest.approx(min(ratios, default=math.inf))
    assert min(hard.gap) == pytest.approx(0.02)
    assert hard.pair_gaps.shape == (duels.graph.n_pairs,)


def test_the_bounds_of_the_theorems():
    duels = cpe.planted_condorcet(4, 2, gap=0.1, seed=1)
    borda = cpe.borda_hardness(duels)
    width = duels.graph.width()
    total = borda.pac_sample_bound(delta=0.1, margin=0.2, width=width)
    rate = 32 * borda.approximate_hardness(0.2, width)
    log = math.log(4 * duels.graph.n_pairs * total**3 / 0.1)
    assert total == pytest.approx(rate * log + duels.graph.size)
    lower = borda.sample_lower_bound(delta=0.005)
    assert 0 < borda.sample_lower_bound(delta=0.05) < lower
    assert lower < borda.exact_sample_bound(delta=0.005, width=width)


def test_without_a_condorcet_winner_its_hardness_is_refused():
    seeds = (random_matchings(np.random.default_rng(seed), most=4) for seed in range(50))
    duels = next(d for d in seeds if cpe.condorcet_winner(d) is None)
    with pytest.raises(cpe.InputError, match="has no Condorcet winner"):
        cpe.condorcet_hardness(duels)


def test_bounds_of_the_condorcet_winner_by_hand():
    """Two positions, one pair each: gaps 1/2 and 1/4, H = 20, K = 2."""
    graph = cpe.BipartiteGraph(4, 2, [(0, 0), (1, 0), (2, 1), (3, 1)])
    duels = cpe.MatchingDuels(graph, 0.5 * (graph.position[:, None] == graph.position[None, :]))
    gap = np.array([0.25, 0.5, 0.25, 0.125])
    hard = CondorcetHardness(duels, (0, 2), gap, gap, 20.0)
    np.testing.assert_allclose(hard.pair_gaps, [0.5, 0.25])
    four = 4 * math.log(2 * 4 / 0.01) + 16 * math.log(2 * 16 / 0.01)
    assert hard.car_cond_sample_bound(delta=0.01) == pytest.approx(four)
    five = 4 * math.log(2 * 4) + 16 * math.log(2 * 16) + 20 * math.log(20 / 0.01)
    assert hard.car_parallel_sample_bound(delta=0.01) == pytest.approx(five)
    assert hard.sample_lower_bound(delta=0.01) == pytest.approx((4 + 64) / 4 * math.log(100))
