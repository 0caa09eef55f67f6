"""Published learners of the best set, held to their theorems: failures are at most delta.

The instances are hard: near ties, classes that are not all sets, noise of different size. The quick
tests have few seeds at a small delta: none may fail.
"""

import math

import cvxpy as cp
import numpy as np
import pytest

import cpe_opt as cpe
from tests.learners.subsets.test_subset_tracking import HARD, SCALE

SURE = 1e-3
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
    ("p-fws", {"actions": "elements"}),
    ("p-fws", {"actions": "sets"}),
    ("comb-game", {"player": "adahedge"}),
    ("comb-game", {"player": "frank-wolfe"}),
]
SUMS = [
    ("rage", {"elimination": "gap"}),
    ("rage", {"elimination": "width"}),
    ("poly-alba", {"design": "g"}),
    ("poly-alba", {"design": "xy"}),
]


def failures(name, bandit, seeds, delta, **parameters):
    """How often an answer is not the best set; every one is claimed to be proved."""
    best = cpe.best_subset(bandit.decisions, bandit.theta).elements
    wrong = 0
    for seed in seeds:
        trace = cpe.simulate(name, bandit, seed=seed, delta=delta, **parameters)
        assert trace.proved
        wrong += trace.answer != best
    return wrong


def single(name, kind, seeds, delta, parameters):
    """Failures with single rewards; the entries of the table are within ±1 of their means."""
    bandit = NEAR[kind]
    return failures(name, bandit, seeds, delta, noise=bandit.noise or 1.0, **parameters)


def sums(name, kind, seeds, delta, parameters):
    """Failures with sums, the noise of elements independent."""
    sigma = SCALE[kind] * math.sqrt(HARD[kind].decisions.rank)
    return failures(name, HARD[kind], seeds, delta, sigma=sigma, **parameters)


def least_pulls(bandit, *, whole):
    """T* of pulls of elements, or of whole sets, each element counted; by another program."""
    sets, theta = np.asarray(bandit.decisions.indicator_matrix(), dtype=float), bandit.theta
    shares = cp.Variable(len(sets) if whole else bandit.decisions.size, nonneg=True)
    pulls = shares @ sets if whole else shares
    best = int((sets @ theta).argmax())
    rows = []
    for other in np.delete(np.arange(len(sets)), best):
        gap = float((sets[best] - sets[other]) @ theta)
        paid = [cp.inv_pos(pulls[e]) for e in np.flatnonzero(sets[other] != sets[best])]
        rows.append(sum(paid) <= gap**2 / (2.0 * bandit.noise**2))
    return float(cp.Problem(cp.Minimize(cp.sum(pulls)), rows).solve())


def named(values):
    return values if isinstance(values, str) else " ".join(values.values()) or "usual"


@pytest.mark.parametrize(("name", "parameters"), SINGLE, ids=named)
@pytest.mark.parametrize("kind", NEAR)
def test_single_rewards(name, parameters, kind):
    assert single(name, kind, range(1), SURE, parameters) == 0


@pytest.mark.parametrize(("name", "parameters"), SINGLE, ids=named)
def test_pulls_tend_to_the_least_number(name, parameters):
    """As multiples of T* ln(1/δ), which no learner can do without in the limit."""
    bandit, multiples = NEAR["trees"], []
    time = cpe.subset_time(bandit, sigma=bandit.noise).value
    if parameters.get("actions") == "sets":
        assert least_pulls(bandit, whole=False) == pytest.approx(time, rel=1e-4)
        time = least_pulls(bandit, whole=True)
        assert time == pytest.approx(12.2152, rel=1e-3)
    for exponent in (3, 40):
        told = {"delta": 10.0**-exponent, "noise": bandit.noise, **parameters}
        pulls = sum(cpe.simulate(name, bandit, seed=seed, **told).samples for seed in range(2))
        multiples.append(pulls / 2 / (time * exponent * math.log(10.0)))
    assert multiples[0] > multiples[1]
    assert 0.8 < multiples[1] < (2.0 if parameters.get("player") == "frank-wolfe" else 1.6)


@pytest.mark.parametrize(("name", "parameters"), SUMS, ids=named)
@pytest.mark.parametrize("kind", HARD)
def test_sums(name, parameters, kind):
    assert sums(name, kind, range(1), SURE, parameters) == 0
