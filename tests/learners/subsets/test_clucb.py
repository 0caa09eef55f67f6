"""CLUCB pulls what its reference pulls."""

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
