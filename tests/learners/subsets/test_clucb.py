"""CLUCB: its reference, where it stops, and its guarantee."""

import math
from itertools import combinations

import numpy as np
import pytest

import cpe_opt as cpe
from tests.learners.support import driven


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("n", "k"), [(4, 2), (3, 1), (5, 4)])
def test_clucb_pulls_what_the_reference_pulls(n, k, seed):
    theta = np.random.default_rng(seed).permutation(n) / n
    rewards = [np.random.default_rng([seed, e]).normal(theta[e], 0.2, 3000) for e in range(n)]

    def fresh():
        left = [row.tolist() for row in rewards]
        return lambda e: left[e].pop()

    sets, pull = list(combinations(range(n), k)), fresh()
    expected = driven(reference_clucb(n, sets, delta=0.1, noise=0.2), fresh())
    learner = cpe.learners.clucb(cpe.TopK(n, k), delta=0.1, noise=0.2)
    asked, answer = driven(learner, lambda query: np.array([pull(query.arm)]))
    assert ([query.arm for query in asked], answer) == expected
    assert len(asked) > 5 * n


def test_clucb_stops_between_two_elements_when_both_radii_make_up_their_gap():
    """One of 1, one of 0: the two radii R √(2 ln(8 t³/δ)/T) add up to 1 at most."""
    learner = cpe.learners.clucb(cpe.TopK(2, 1), delta=0.05, noise=0.25)
    asked, answer = driven(learner, lambda query: np.array([1.0 - query.arm]))
    assert answer == (0,)

    def open_at(t):
        log = 2 * math.log(8 * t**3 / 0.05)
        return 0.25 * (math.sqrt(log / (t // 2)) + math.sqrt(log / (t - t // 2))) > 1

    assert len(asked) == next(t for t in range(2, 1000) if not open_at(t))


def reference_clucb(size, sets, delta, noise):
    """Chen et al. 2014, Algorithm 1, with their Theorem 1's radius: one pull at a time."""
    total, pulls = [0.0] * size, [0] * size
    for e in range(size):
        total[e] += yield e
        pulls[e] += 1
    t = size
    while True:
        mean = [total[e] / pulls[e] for e in range(size)]
        radius = [
            noise * math.sqrt(2 * math.log(4 * size * t**3 / delta) / pulls[e]) for e in range(size)
        ]
        best = max(sets, key=lambda m: sum(mean[e] for e in m))
        tilted = [mean[e] - radius[e] if e in best else mean[e] + radius[e] for e in range(size)]
        rival = max(sets, key=lambda m: sum(tilted[e] for e in m))
        if sum(tilted[e] for e in rival) <= sum(tilted[e] for e in best) + 1e-9:
            return best
        p = max(sorted(set(best) ^ set(rival)), key=lambda e: radius[e])
        total[p] += yield p
        pulls[p] += 1
        t += 1


def test_cut_off_it_answers_the_best_set_for_the_means():
    exchange = cpe.learners.Exchange(cpe.learners.clucb, cpe.TopK(3, 1), 0)
    exchange.tell([[0.0], [0.5], [1.0]])
    exchange.stop()
    assert exchange.answer == (2,)
