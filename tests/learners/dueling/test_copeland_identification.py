"""The identification of SCB: against a plain version, duel by duel, and its guarantee."""

import math
from itertools import count

import numpy as np
import pytest
from scipy.optimize import brentq

from cpe_opt.learners.dueling.scb import (
    copeland_identification,
    divergence,
    divergence_interval,
    kl_elimination,
)
from cpe_opt.problems.queries import Duel
from tests.learners.support import driven, run_to_the_end
from tests.support import random_preferences, with_gaps


def plain_identification(arms, duel, rng, delta):
    """Algorithms 2 and 4 duel by duel; returns the arm and the number of duels."""
    opponents = [rng.permutation([o for o in range(arms) if o != a]).tolist() for a in range(arms)]
    known, duels = {}, 0

    def verdict(i, j):
        nonlocal duels
        if (i, j) not in known:
            n = won = 0
            while True:
                won += duel(i, j)
                n += 1
                width = math.sqrt(math.log(math.pi**2 * n**2 * arms**2 / (3 * delta)) / (2 * n))
                if abs(won / n - 0.5) > width * (1 + 1e-15):
                    break
            duels += n
            known[i, j], known[j, i] = won / n > 0.5, won / n < 0.5
        return known[i, j]

    active, total = list(range(arms)), [0] * arms
    for t in range(1, arms):
        for arm in active:
            total[arm] += verdict(arm, opponents[arm].pop())
        if t == arms - 1:
            return max(active, key=lambda a: (total[a], -a)), duels
        if t < 2:
            continue
        radius = (
            math.log(4 * t * arms / delta) + 2 * max(0.0, math.log(max(1.0, math.log(t))))
        ) / t
        grid = {a: divergence_interval(total[a] / t, radius) for a in active}
        best = max(low for low, _ in grid.values())
        active = [a for a in active if grid[a][1] >= best]
        if len(active) == 1 or best >= max(grid[a][1] for a in active):
            return max(active, key=lambda a: (grid[a][0], -a)), duels
    return active[0], duels


@pytest.mark.parametrize("seed", range(6))
def test_it_duels_what_the_plain_version_duels(seed):
    """The same stream of outcomes duel by duel gives the same arm after as many duels."""
    rng = np.random.default_rng(seed)
    mu = with_gaps(random_preferences(4 + seed % 5, rng), 0.1)
    ours = run_to_the_end(
        copeland_identification(mu.arms, rng=np.random.default_rng(seed), delta=0.1),
        mu.environment(np.random.default_rng(77)),
    )
    environment = mu.environment(np.random.default_rng(77))
    theirs = plain_identification(
        mu.arms,
        lambda i, j: environment.answer(Duel(i, j)),
        np.random.default_rng(seed),
        0.1,
    )
    assert ours == theirs


def test_divergence_intervals_have_the_radius_at_their_ends():
    for mean in (0.0, 0.2, 0.5, 1.0):
        for radius in (0.01, 0.3, 2.0):
            low, high = divergence_interval(mean, radius)
            assert low <= mean <= high
            for end, limit in ((low, 0.0), (high, 1.0)):
                if end != limit:
                    assert divergence(mean, end) == pytest.approx(radius, abs=1e-9)
    assert divergence(0.5, 0.0) == math.inf
    assert divergence(0.0, 0.0) == 0.0


def test_elimination_drops_an_arm_in_the_round_of_the_threshold():
    """One arm always has 1, one 0: their intervals part where exp(-x) > 1/2, x = threshold/t."""
    asked = []

    def reward(arm):
        asked.append(arm)
        yield Duel(0, 1)
        return 1 - arm

    learner = kl_elimination(2, reward, population=1000, delta=0.1, margin=0.0)
    assert driven(learner, lambda query: 0)[1] == 0

    def parted(t):
        log = math.log(4 * t * 2 / 0.1) + 2 * max(0.0, math.log(math.log(t)))
        return math.exp(-log / t) > 0.5

    assert len(asked) == 2 * next(t for t in count(2) if parted(t))


def test_elimination_stops_when_losses_are_within_a_factor():
    """Two arms of mean ½ and ε = 1: where 1 - low <= 2 (1 - high)."""
    asked = []

    def reward(arm):
        asked.append(arm)
        yield Duel(0, 1)
        return asked.count(arm) % 2

    learner = kl_elimination(2, reward, population=2000, delta=0.1, margin=1.0)
    assert driven(learner, lambda query: 0)[1] == 0

    def stops(t):
        mean = (t + 1) // 2 / t
        log = math.log(4 * t * 2 / 0.1) + 2 * max(0.0, math.log(math.log(t)))

        def excess(q):
            return mean * math.log(mean / q) + (1 - mean) * math.log((1 - mean) / (1 - q)) - log / t

        return 1 - brentq(excess, 1e-12, mean) <= 2 * (1 - brentq(excess, mean, 1 - 1e-12))

    assert len(asked) == 2 * next(t for t in count(3) if stops(t))
