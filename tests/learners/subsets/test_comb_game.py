"""CombGame: its gains, its pulls, where it tends to, and what it costs."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners import comb_game
from cpe_opt.learners.subsets.comb_game import AdaHedge, optimistic_gains
from cpe_opt.learners.subsets.single_rewards import SingleEvidence
from cpe_opt.ties import first_smallest
from tests.formulations.subsets.test_oracle import CLASSES
from tests.learners.subsets.support import pulled_by


def nearest(decisions, means, best, shares, sigma):
    """The nearest instance in which another set is as good, all sets gone through in a loop."""
    least, found = math.inf, None
    for members in decisions.sets():
        apart = sorted(set(best) ^ set(members))
        if not apart:
            continue
        gap = means[list(best)].sum() - means[list(members)].sum()
        total = (1 / shares[apart]).sum()
        distance = gap**2 / (2 * sigma**2 * total)
        if distance < least * (1 - 1e-9):
            least, found = distance, means.copy()
            for element in apart:
                sign = -1.0 if element in best else 1.0
                found[element] += sign * gap / (shares[element] * total)
    return found


@pytest.mark.parametrize("name", ["top", "trees", "dag", "matchings"])
def test_gains_are_the_most_that_the_bounds_allow(name):
    decisions, sigma, bonus = CLASSES[name], 0.6, 1.7
    rng = np.random.default_rng(2)
    evidence = SingleEvidence(SubsetOracle(decisions), sigma, 0.1)
    for element in range(decisions.size):
        for reward in rng.normal(size=rng.integers(1, 5)):
            evidence.add(element, float(reward))
    shares = rng.dirichlet(np.ones(decisions.size))
    instance = nearest(decisions, evidence.mean, evidence.best(), shares, sigma)
    radius = np.sqrt(2 * sigma**2 * bonus / evidence.pulls)
    ends = np.array([evidence.mean - radius, evidence.mean + radius])
    expected = ((ends - instance) ** 2 / (2 * sigma**2)).max(axis=0)
    assert np.allclose(optimistic_gains(evidence, shares, bonus), expected)


def test_an_element_without_a_share_is_what_the_nearest_instance_moves():
    evidence = SingleEvidence(SubsetOracle(cpe.TopK(3, 1)), 1.0, 0.1)
    for element, reward in enumerate((3.0, 2.0, 1.0)):
        evidence.add(element, reward)
    gains = optimistic_gains(evidence, np.array([0.5, 0.5, 0.0]), 0.0)
    assert np.allclose(gains, [0.0, 0.0, 2.0**2 / 2])


def reference(decisions, rewards, sigma):
    """The elements pulled, by the paper's lines."""
    size = decisions.size
    pulls, sums, total = np.ones(size), rewards[:size].copy(), np.ones(size)
    pulled, players, sets = list(range(size)), {}, list(decisions.sets())
    for t in range(size, len(rewards)):
        means = sums / pulls
        best = max(sets, key=lambda s: means[list(s)].sum())
        learner = players.setdefault(best, AdaHedge(size))
        shares = learner.shares
        total = total + shares
        element = first_smallest(pulls / total)
        instance = nearest(decisions, means, best, np.maximum(shares, 1e-100), sigma)
        radius = np.sqrt(2 * sigma**2 * math.log(t) / pulls)
        ends = np.array([means - radius, means + radius])
        learner.gain(((ends - instance) ** 2 / (2 * sigma**2)).max(axis=0))
        pulled.append(element)
        pulls[element] += 1
        sums[element] += rewards[t]
    return pulled


@pytest.mark.parametrize("name", ["trees", "matchings"])
def test_it_pulls_what_the_plain_reference_pulls(name):
    decisions, sigma = CLASSES[name], 0.4
    rewards = np.random.default_rng(3).normal(size=100)
    learner = comb_game(decisions, noise=sigma, delta=1e-300)
    assert pulled_by(learner, decisions.size, rewards) == reference(decisions, rewards, sigma)
