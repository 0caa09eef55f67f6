"""Regret tracking: the weakest ways by brute force over truths, and its rules."""

import math
from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import beta

import cpe_opt as cpe
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.regret_tracking import (
    FlipCosts,
    RegretTracker,
    SignBeliefs,
    ecw_constant,
)
from cpe_opt.problems.dueling.preferences import unit_costs


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
    [(2, 10, (1, 0, -1)), (3, 40, (1, 0, -1)), (4, 60, (1, 0, -1)), (5, 30, (1, -1))],
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


def cost_of(tally, statements):
    """Of statements "a beats b" without discounts."""
    return sum(tally.evidence[pair] for pair in statements if tally.estimate[pair] < 0.5)


def all_ways(arms, i, j):
    """Every way in which j is ahead of i, as statements "a beats b"."""
    others = [arm for arm in range(arms) if arm not in (i, j)]
    for m, loses in product(range(arms - 1), (True, False)):
        size = arms - 2 - m if loses else arms - m
        own = (j, i) if loses else (i, j)
        for lost, unbeaten in product(combinations(others, m), combinations(others, size)):
            yield [own, *((k, i) for k in lost), *((j, k) for k in unbeaten)]


@pytest.mark.parametrize(("arms", "seeds"), [(3, 20), (4, 20), (5, 8), (6, 2)])
def test_the_weakest_ways_are_those_of_all_challengers_below_a_limit(arms, seeds):
    for seed in range(seeds):
        tally, duels = some_duels(arms, np.random.default_rng([seed, arms]))
        flips = FlipCosts(tally, 0.0)
        for i, j, won, times in duels:
            tally.add(i, j, won, times)
            flips.update(i, j)
        for arm, below in product(range(arms), (0.0, 3.0, 10.0)):
            least = sorted(
                min(cost_of(tally, way) for way in all_ways(arms, arm, j))
                for j in range(arms)
                if j != arm
            )
            expected = [least[0], *(index for index in least[1:3] if index < below)]
            ways = flips.weakest(arm, 3, below)
            assert [way.index for way in ways] == pytest.approx(expected, abs=1e-9)
            for way in ways:
                statements = [divmod(flip, arms) for flip in way.flips.tolist()]
                assert all(tally.estimate[pair] <= 0.5 for pair in statements)
                assert cost_of(tally, statements) == pytest.approx(way.index, abs=1e-9)
                assert not statements or any(
                    set(statements) <= set(full) for full in all_ways(arms, arm, way.challenger)
                )


@pytest.mark.parametrize("seed", range(3))
def test_the_constant_of_each_winner_is_that_of_ecw(seed):
    # Each of five arms beats the next two of their circle, and all others.
    rng, matrix = np.random.default_rng(seed), np.full((8, 8), 0.5)
    for i, j in combinations(range(8), 2):
        loses = i < j < 5 and j - i > 2
        matrix[i, j] = 0.5 + (-1) ** loses * rng.uniform(0.05, 0.4)
        matrix[j, i] = 1 - matrix[i, j]
    mu = cpe.PreferenceMatrix(matrix)
    costs = unit_costs(mu.regret(), mu.divergences)
    for winner, expected in cpe.ecw_bound(mu).by_winner.items():
        assert ecw_constant(mu.array < 0.5, costs, winner) == pytest.approx(expected)


def test_winners_that_cost_fifteen_percent_more_are_left_out():
    # 0 beats 1 beats 2 beats 0; each beats 3 and 4, and its constant falls with these margins.
    tally = DuelTally(5)
    beliefs = SignBeliefs(tally)
    for i, j in combinations(range(5), 2):
        share = 0.4 if (i, j) == (0, 2) else 0.6
        if i < 3 <= j:
            share = 0.5 + 0.2 / math.sqrt((1.0, 1.1, 1.2)[i])
        tally.add(i, j, round(20_000 * share), 20_000)
        beliefs.update(i, j)
    beliefs.refresh()
    assert beliefs.dear_winners() == {2}


def test_an_index_adds_w_ln_n_of_the_pairs_that_cost_something():
    tally = DuelTally(2)
    flips = FlipCosts(tally, 0.7)
    tally.add(0, 1, 8, 10)
    flips.update(0, 1)
    expected = tally.evidence[0, 1] + 0.7 * math.log(10)
    assert [flips.weakest(arm)[0].index for arm in (0, 1)] == pytest.approx([expected, 0.0])


def test_beliefs_are_those_of_the_posterior_and_of_the_shares_that_arms_lose_to():
    tally = DuelTally(4)
    beliefs = SignBeliefs(tally)
    for i, j, won in ((0, 1, 130), (0, 2, 150), (1, 2, 110)):  # 3 has met nobody
        tally.add(i, j, won, 200)
        beliefs.update(i, j)
        chances = beta(won + 1, 201 - won).ppf((np.arange(4000) + 0.5) / 4000)
        divergences = chances * np.log(2 * chances) + (1 - chances) * np.log(2 * (1 - chances))
        assert beliefs._divergence[i, j] == pytest.approx(divergences.mean(), rel=0.02)
    beliefs.refresh()
    lost = np.array([1 / 4, 2 / 4, 3 / 4, 1 / 2])
    odds = np.log(lost / (1 - lost))
    expected = np.clip(odds - odds[:, None], 0.0, 3.0)
    assert beliefs.discounts == pytest.approx(expected)
    assert beliefs.behind[0, 3] == pytest.approx(0.25 / (0.25 + 0.75))
    doubt = 0.5 * math.erfc(math.sqrt(tally.evidence[0, 1]))
    losses = beliefs.losses
    assert losses == pytest.approx(beliefs.behind.sum(axis=1))
    regret = (losses[1:3].sum() - 2 * losses.min()) / 6
    assert beliefs.regrets[1, 2] == pytest.approx(regret)
    expected = doubt * beliefs._divergence[0, 1] / beliefs.regrets[0, 1]
    assert beliefs.doubts[0, 1] == pytest.approx(expected)
    expected = regret / (beliefs._divergence[1, 2] * max(beliefs.behind[1, 2], 0.05))
    assert beliefs.unit_costs[1, 2] == pytest.approx(expected)


def test_every_query_is_that_of_the_rules():
    """Idle while the answer is certified; else explored, doubted, or the answer to the ways."""
    mu, said = cpe.load_instance("cyclic"), Counter()
    tracker, rng = RegretTracker(mu.arms, 0.7, 0.2), np.random.default_rng(1)
    beliefs, flips, tally = tracker._beliefs, tracker._flips, tracker._tally
    while tracker._t < 10**6 and tracker._duels < 400:
        t, query = tracker._t, tracker.ask()
        shares, log_t = tracker._shares.copy(), math.log(t)
        answer, way = tracker.answer, flips.weakest(tracker.answer)[0]
        i, j, times = query.i, query.j, query.times
        if i == j:
            assert math.log(t + times - 1) <= way.index < math.log(t + times)
            said["idle"] += 1
            tracker.tell(0)
            continue
        assert way.index < log_t
        found = flips.weakest(answer, 6, log_t)
        ways = [[divmod(flip, mu.arms) for flip in each.flips.tolist()] for each in found]
        cheapest = min(beliefs.unit_costs[each] for each in ways[0])
        leads = tally.estimate > 0.5
        doubted = [(way.challenger, c) for c in np.flatnonzero(leads[way.challenger])]
        doubted = [each for each in doubted if each[1] != answer]
        doubted += [(c, answer) for c in np.flatnonzero(leads[:, answer])]
        worth = {each: 0.2 * cheapest * log_t * beliefs.doubts[each] for each in doubted}
        share = 0.2 / (1 + 0.3 * math.log1p(tracker._duels / mu.arms))
        exploring = tracker._lost_exploring <= share * tracker._lost
        assert tracker._exploring == exploring
        if exploring:
            assert tally.draws[i, j] == tally.draws[np.triu_indices(mu.arms, 1)].min()
        elif worth and max(worth.values()) >= 1.0 - 1e-9:
            assert worth[i, j] == pytest.approx(max(worth.values()))
        else:
            scores = [scored(tracker, shares, each, log_t) for pairs in ways for each in pairs]
            assert scored(tracker, shares, (i, j), log_t) == pytest.approx(max(scores))
        said["exploring" if exploring else "played"] += 1
        spent = times * beliefs.regrets[i, j]
        weights = [math.exp(-each.index) for each in found]
        for weight, pairs in zip(weights, ways, strict=True):
            for pair in pairs:
                place = min(pair) * mu.arms + max(pair)
                shares[place] += weight / sum(weights) * spent * (tracker._spent + spent)
        tracker.tell(int(rng.binomial(times, mu.array[i, j])))
        assert tracker._shares == pytest.approx(shares)
    assert said["exploring"] > 10
    assert min(said["idle"], said["played"]) > 30


def scored(tracker, shares, pair, log_t):
    share = shares[min(pair) * tracker._arms + max(pair)] if shares.any() else 1.0
    lacking = math.exp(-4 * tracker._tally.evidence[pair] / log_t**1.5)
    return share * lacking / tracker._beliefs.unit_costs[pair]
