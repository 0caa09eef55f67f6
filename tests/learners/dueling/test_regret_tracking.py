"""Regret tracking: the weakest ways by brute force over truths, and its rules."""

import math
from itertools import combinations, product

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling import regret_tracking
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.regret_tracking import FlipCosts, RegretTracker, SignBeliefs
from tests.learners.dueling.reference_regret_tracking import Reference
from tests.support import random_preferences


def some_duels(arms, rng):
    """A tally in which some pairs have not met, and some are level."""
    tally = DuelTally(arms)
    pairs = list(combinations(range(arms), 2))
    flips = [(i, j, int(rng.integers(0, 9))) for i, j in pairs for _ in range(2)]
    counted = [(i, j, int(rng.integers(0, times + 1)), times) for i, j, times in flips if times]
    return tally, counted


def cheapest_truths(tally, discounts, signs):
    """For each arm, the least cost of signs, one per pair, under which it is no Copeland winner.

    Signs are 1, -1, or 0 for a tie, which is neither a loss nor a win.
    """
    pairs = list(combinations(range(tally.arms), 2))
    truths = np.array(list(product(signs, repeat=len(pairs))))
    losses, costs = np.zeros((len(truths), tally.arms)), np.zeros(len(truths))
    for truth, (a, b) in zip(truths.T, pairs, strict=True):
        losses[:, a] += truth == -1
        losses[:, b] += truth == 1
        ahead = np.sign(tally.estimate[a, b] - 0.5)
        flipped = (b, a) if ahead > 0 else (a, b)
        costs += (truth * ahead < abs(ahead)) * max(0.0, tally.evidence[a, b] - discounts[flipped])
    unseated = losses > losses.min(axis=1, keepdims=True)
    return np.where(unseated, costs[:, None], math.inf).min(axis=0)


@pytest.mark.parametrize(
    ("arms", "seeds", "signs"),
    [(2, 10, (1, 0, -1)), (3, 40, (1, 0, -1)), (4, 200, (1, 0, -1)), (5, 100, (1, -1))],
)
def test_the_weakest_way_is_the_cheapest_of_all_truths(arms, seeds, signs):
    for seed in range(seeds):
        rng = np.random.default_rng([seed, arms])
        tally, duels = some_duels(arms, rng)
        flips = FlipCosts(tally, 0.0)
        discounts = rng.uniform(0.0, 1.0, (arms, arms)) * (seed % 2)
        for place, (i, j, won, times) in enumerate(duels):
            if place == len(duels) // 2:
                flips.discount(discounts)
            tally.add(i, j, won, times)
            flips.update(i, j)
        flips.discount(discounts)
        indices = [flips.weakest(arm)[0].index for arm in range(arms)]
        assert indices == pytest.approx(cheapest_truths(tally, discounts, signs), abs=1e-9)


@pytest.mark.parametrize(
    ("arms", "seeds", "met", "most"), [(5, 40, 1.0, 400), (24, 4, 1.0, 40), (24, 4, 0.3, 40)]
)
def test_blocks_of_challengers_give_the_weakest_ways_of_all(arms, seeds, met, most, monkeypatch):
    for seed in range(seeds):
        rng = np.random.default_rng([seed, arms])
        tally = DuelTally(arms)
        flips = FlipCosts(tally, 0.7)
        for i, j in combinations(range(arms), 2):
            times = int(rng.integers(1, most))
            won = int(rng.binomial(times, rng.uniform(0.45, 0.8)))
            if rng.random() < met:
                tally.add(i, j, won, times)
                flips.update(i, j)
        for arm, below in product((0, 1, arms - 1), (0.0, 10.0, 30.0)):
            found = []
            for block in (3, arms):
                monkeypatch.setattr(regret_tracking, "_BLOCK", block)
                ways = flips.weakest(arm, 3, below)
                pairs = [tuple(zip(way.ahead, way.behind, strict=True)) for way in ways]
                found.append([(w.challenger, w.index, p) for w, p in zip(ways, pairs, strict=True)])
            assert found[0] == found[1]


def test_winners_that_cost_fifteen_percent_more_are_left_out():
    # 0 beats 1 beats 2 beats 0; each beats 3 and 4, and its constant falls with these margins.
    tally = DuelTally(5)
    flips = FlipCosts(tally, 0.7)
    beliefs = SignBeliefs(tally, flips.leads)
    for i, j in combinations(range(5), 2):
        share = 0.4 if (i, j) == (0, 2) else 0.6
        if i < 3 <= j:
            share = 0.5 + 0.2 / math.sqrt((1.0, 1.1, 1.2)[i])
        tally.add(i, j, round(20_000 * share), 20_000)
        flips.update(i, j)
        beliefs.update(i, j)
    beliefs.refresh()
    assert beliefs.dear_winners(regret_tracking._DEARER) == {2}


def played(learner, mu, seed, horizon):
    """The queries of a run, and its answer."""
    rng, queries, t = np.random.default_rng(seed), [], 0
    while t < horizon:
        query = learner.ask()
        i, j, times = query if isinstance(query, tuple) else (query.i, query.j, query.times)
        times = min(times, horizon - t)
        queries.append((i, j, times))
        t += times
        if t < horizon:
            learner.tell(0 if i == j else int(rng.binomial(times, mu.array[i, j])))
    return queries, learner.answer


@pytest.mark.parametrize(
    ("name", "seed", "horizon"),
    [("gap", 1, 1500), ("cyclic", 2, 10**5), ("multisol", 3, 2000), ("arxiv", 4, 250)],
)
def test_it_plays_exactly_what_the_reference_plays(name, seed, horizon):
    mu = cpe.load_instance(name)
    ours = played(RegretTracker(mu.arms, 0.7, 0.03), mu, seed, horizon)
    assert ours == played(Reference(mu.arms), mu, seed, horizon)


@pytest.mark.parametrize("seed", range(4))
def test_it_plays_what_the_reference_plays_with_other_parameters(seed):
    mu = random_preferences(2 + seed, np.random.default_rng(seed), ties=seed % 2)
    ours = played(RegretTracker(mu.arms, 1.0, 0.4), mu, seed, 500)
    assert ours == played(Reference(mu.arms, 1.0, 0.4), mu, seed, 500)
