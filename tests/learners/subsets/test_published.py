"""Published learners of the best set, held to their theorems: failures are at most delta.

The instances are hard: near ties, classes that are not all sets, noise of different size.
"""

import numpy as np
import pytest

import cpe_opt as cpe
from tests.support import binomial_margin

DELTA = 0.2
LOUD = np.random.default_rng(8).choice([-1.0, 1.0], size=(4000, 4)) * [0.3, 1.0, 0.3, 0.1]
NEAR = {
    "near ties": cpe.SubsetBandit(cpe.TopK(4, 2), [0.8, 0.53, 0.5, 0.45], noise=0.03),
    "partition": cpe.SubsetBandit(
        cpe.PartitionMatroid([0, 0, 1, 1, 1], [1, 1]), [0.5, 0.46, 0.7, 0.65, 0.2], noise=0.04
    ),
    "trees": cpe.SubsetBandit(
        cpe.SpanningTrees([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]),
        [0.9, 0.71, 0.8, 0.3, 0.76],
        noise=0.05,
    ),
    "paths": cpe.SubsetBandit(
        cpe.Paths([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)], 0, 3),
        [0.5, 0.7, 0.2, 0.45, 0.2],
        noise=0.04,
    ),
    "uneven noise": cpe.SubsetBandit.from_outcomes(
        LOUD - LOUD.mean(axis=0) + np.array([1.4, 0.6, 0.0, -0.2]), 1
    ),
}
SINGLE = [
    ("fws", {}),
    ("comb-game", {"player": "adahedge"}),
    ("comb-game", {"player": "frank-wolfe"}),
]
ids = {"ids": lambda each: each if isinstance(each, str) else " ".join(each.values()) or "usual"}


def scale(bandit):
    """Of the noise of one element: the entries of the table are ±1 at most."""
    return bandit.noise or 1.0


def failures(name, bandit, seeds, **parameters):
    """How often an answer is not the best set; every one is claimed to be proved."""
    best = cpe.best_subset(bandit.decisions, bandit.theta).elements
    wrong = 0
    for seed in seeds:
        trace = cpe.simulate(
            name, bandit, seed=seed, delta=DELTA, noise=scale(bandit), **parameters
        )
        assert trace.proved
        wrong += trace.answer != best
    return wrong


@pytest.mark.parametrize(("name", "parameters"), SINGLE, **ids)
@pytest.mark.parametrize("kind", NEAR)
def test_single_rewards(name, parameters, kind):
    assert failures(name, NEAR[kind], range(4), **parameters) <= binomial_margin(4, DELTA)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters"), SINGLE, **ids)
@pytest.mark.parametrize("kind", NEAR)
def test_single_rewards_over_many_seeds(name, parameters, kind):
    assert failures(name, NEAR[kind], range(500), **parameters) <= 500 * DELTA
