"""Active ranking: the plain rule of the authors' program, the radius, and the guarantee."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.active_ranking import decided, lead_needed


def plain(won, k, needed):
    """Select from the top, and drop from the bottom, as long as there is a lead."""
    ranked = sorted(range(len(won)), key=lambda arm: -won[arm])
    best, dropped = [], []
    for arm in ranked[:k]:
        if won[arm] - won[ranked[k]] <= needed:
            break
        best.append(arm)
    for arm in ranked[: k - 1 : -1]:
        if won[ranked[k - 1]] - won[arm] <= needed:
            break
        dropped.append(arm)
    return sorted(best), sorted(set(ranked) - set(best) - set(dropped))


def test_who_is_decided_about_is_as_in_the_plain_program():
    rng = np.random.default_rng(2)
    for _ in range(300):
        won = rng.integers(0, 30, rng.integers(2, 8)).astype(float)
        k, needed = int(rng.integers(1, len(won))), float(rng.integers(0, 12))
        best, rest, lead = decided(won, k, needed)
        assert (best.tolist(), rest.tolist()) == plain(won.tolist(), k, needed)
        assert lead == sorted(won)[-k] - sorted(won)[-k - 1]


def test_leads_are_four_of_the_program_s_radii():
    for t, arms, delta in ((1, 2, 0.5), (50, 8, 0.1), (10**5, 30, 0.01)):
        four = 4 * math.sqrt(0.75 * math.log(arms * (1 + math.log(t)) / delta) / t)
        assert lead_needed(t, arms, delta) == pytest.approx(four)


def test_half_the_lead_bounds_every_score_at_all_times():
    """The sum of the proof, and a union over arms; half of the radius would not do."""

    def probability(factor, arms, delta):
        starts = 2.0 ** np.arange(60)
        half = [factor * lead_needed(int(t), arms, delta) / 2 for t in starts]
        return 2 * arms * np.exp(-2 * (starts * half) ** 2 / (2 * starts)).sum()

    for arms, delta in ((2, 0.5), (2, 0.05), (40, 0.1)):
        assert probability(1.0, arms, delta) <= delta
    assert probability(0.5, 2, 0.5) > 0.5


def test_duels_count_for_the_arm_whose_turn_it_is():
    exchange = cpe.learners.Exchange(cpe.learners.active_ranking, 3, 5, delta=0.5, top=1)
    rounds = 0
    while not exchange.finished:
        duels = exchange.query.queries
        assert [duel.i for duel in duels] == sorted({duel.i for duel in duels})
        assert all(duel.i != duel.j for duel in duels)
        exchange.tell([int(duel.i == 2) for duel in duels])
        rounds += 1
    assert exchange.answer == 2
    expected = next(t for t in range(1, 999) if lead_needed(t, 3, 0.5) < 1.0)
    assert rounds == expected
