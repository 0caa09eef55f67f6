"""Evidence of single rewards: distances, nearest instances, and thresholds."""

import math

import cvxpy as cp
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.subsets.single_rewards import SingleEvidence
from cpe_opt.proofs.subsets.glr_threshold import deviation_constant
from tests.formulations.subsets.test_oracle import classes


def filled(decisions, seed, sigma=0.7, **parameters):
    """Evidence of random rewards, 1 to 9 an element."""
    rng = np.random.default_rng(seed)
    evidence = SingleEvidence(SubsetOracle(decisions), sigma, 0.1, **parameters)
    for element in range(decisions.size):
        for reward in rng.normal(size=rng.integers(1, 10)):
            evidence.add(element, float(reward))
    return evidence


def others(decisions, best):
    return [members for members in decisions.sets() if members != best]


@classes
def test_the_least_distance_is_that_of_all_sets(decisions):
    evidence = filled(decisions, 0)
    best = evidence.best()
    assert best == SubsetOracle(decisions).maximise(evidence.mean)
    found = evidence.distances(evidence.gaps(), evidence.pulls)
    expected = []
    for members in others(decisions, best):
        gap = evidence.mean[list(best)].sum() - evidence.mean[list(members)].sum()
        apart = sorted(set(best) ^ set(members))
        expected.append(gap**2 / (2 * 0.7**2 * (1 / evidence.pulls[apart]).sum()))
    assert found.min(initial=math.inf) == pytest.approx(min(expected, default=math.inf))


def test_a_distance_is_that_of_the_nearest_instance():
    evidence = filled(cpe.Paths([("s", "a"), ("a", "t"), ("s", "b"), ("b", "t")], "s", "t"), 4)
    best = evidence.best()
    other = next(m for m in ((0, 1), (2, 3)) if m != best)
    nearest = cp.Variable(4)
    apart = cp.multiply(np.sqrt(evidence.pulls), nearest - evidence.mean) / 0.7
    rows = [cp.sum(nearest[list(other)]) >= cp.sum(nearest[list(best)])]
    problem = cp.Problem(cp.Minimize(cp.sum_squares(apart) / 2), rows)
    problem.solve(solver="CLARABEL")
    gaps = evidence.gaps()
    assert evidence.distances(gaps, evidence.pulls)[0] == pytest.approx(problem.value, rel=1e-5)
    slopes = (nearest.value - evidence.mean) ** 2 / (2 * 0.7**2)
    found = evidence.gradients(gaps, evidence.pulls, np.array([0]))[0]
    assert np.allclose(found, slopes, atol=1e-5)


@classes
def test_it_is_enough_where_every_distance_is_above_its_own_threshold(decisions):
    """On the way from few pulls to many, with the means as they are."""
    evidence = filled(decisions, 2)
    gaps, best = evidence.gaps(), evidence.best()
    matroid = decisions.exchanges(best) is not None
    rivals = others(decisions, best)
    if matroid:
        rivals = [members for members in rivals if len(set(members) ^ set(best)) == 2]
    count = len(best) * (decisions.size - len(best)) if matroid else len(rivals)
    outcomes = []
    for factor in 16.0 ** np.arange(0, 12, 3):
        pulls = evidence.pulls * factor
        missing = []
        for members in rivals:
            apart = sorted(set(best) ^ set(members))
            gap = evidence.mean[list(best)].sum() - evidence.mean[list(members)].sum()
            distance = gap**2 / (2 * 0.7**2 * (1 / pulls[apart]).sum())
            threshold = len(apart) * deviation_constant(math.log(count / 0.1) / len(apart))
            missing.append(distance <= threshold + 2 * np.log(4 + np.log(pulls[apart])).sum())
        copy = filled(decisions, 2)
        copy.pulls[:] = pulls
        assert copy.enough() == (not any(missing))
        outcomes.append(copy.enough())
    assert outcomes[-1]
    assert not outcomes[0] or not len(gaps)


def test_the_heuristic_threshold_is_a_logarithm_of_the_pulls():
    evidence = filled(cpe.TopK(3, 1), 0, threshold="heuristic")
    least = evidence.distances(evidence.gaps(), evidence.pulls).min()
    factors = np.linspace(0.5, 4.0, 60) * math.log(1 / 0.1) / least
    for factor in factors:
        copy = filled(cpe.TopK(3, 1), 0, threshold="heuristic")
        copy.pulls *= factor
        expected = least * factor > math.log((1 + math.log(copy.pulls.sum())) / 0.1)
        assert copy.enough() == expected


def test_equal_sets_are_never_told_apart():
    evidence = SingleEvidence(SubsetOracle(cpe.TopK(3, 1)), 1.0, 0.1)
    for element, reward in enumerate((0.3, 0.1 + 0.2, 0.0)):
        evidence.add(element, reward)
    assert evidence.gaps().min() == 0.0
    evidence.pulls *= 1e12
    assert not evidence.enough()
