"""How far parameters are from a change of the best decision."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.separable.oracle import oracle_of
from tests.formulations.separable.test_box_test import WATER

PLAN = cpe.SeparableProblem(WATER, [cpe.Bernoulli(p) for p in (0.95, 0.1, 0.6)])
OPINIONS = cpe.SeparableProblem(
    cpe.OpinionSampling([3, 1], 6), [cpe.Bernoulli(0.5), cpe.Bernoulli(0.02)]
)


def test_radii_are_the_distances_to_a_change():
    """Λ for the best of three arms: half the gap; and by a search on a grid."""
    problem = cpe.SeparableProblem(
        cpe.BestSet(cpe.TopK(3, 1)), [cpe.Bernoulli(p) for p in (0.7, 0.5, 0.2)]
    )
    hard = cpe.separable_hardness(problem)
    np.testing.assert_allclose(hard.radius, [0.1, 0.1, 0.25], atol=1e-9)
    assert hard.hardness == pytest.approx(100 + 100 + 16)
    assert hard.uniform == pytest.approx(300)
    expected = 6 + 12 * 216 * math.log(24 * 216) + 4 * 216 * math.log(4 / 0.05)
    assert hard.coci_sample_bound(delta=0.05) == pytest.approx(expected)
    assert hard.coci_uniform_sample_bound(delta=0.05) > expected
    for problem in (PLAN, OPINIONS):
        hard = cpe.separable_hardness(problem)
        oracle, theta = oracle_of(problem.model), problem.theta
        rng = np.random.default_rng(1)
        for arm, radius in enumerate(hard.radius):
            inside = [
                np.clip(theta + 0.99 * min(radius, 1) * rng.uniform(-1, 1, len(theta)), 0, 1)
                for _ in range(200)
            ]
            assert all(oracle(point)[arm] == hard.decision[arm] for point in inside)


def test_an_arm_that_never_matters_has_an_infinite_radius():
    problem = cpe.SeparableProblem(cpe.BestSet(cpe.TopK(2, 2)), [cpe.Bernoulli(0.5)] * 2)
    hard = cpe.separable_hardness(problem)
    assert np.isinf(hard.radius).all()
    assert hard.hardness == 0.0
    assert hard.coci_sample_bound(delta=0.05) == 4.0
    assert cpe.simulate("coci", problem).rounds == 2


@pytest.mark.parametrize("seed", range(12))
def test_the_least_number_of_observations_is_between_its_bounds(seed):
    """For the best k of n T* is known: that of single rewards with a standard deviation of ½."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 7))
    top = cpe.TopK(size, int(rng.integers(1, size)))
    means = rng.permutation(np.linspace(0.1, 0.9, size) + rng.uniform(-0.04, 0.04, size))
    problem = cpe.SeparableProblem(cpe.BestSet(top), [cpe.Bernoulli(p) for p in means])
    least, most = cpe.separable_hardness(problem).time_bounds
    exact = cpe.subset_time(cpe.SubsetBandit(top, means, noise=0.5)).value
    assert least * (1 - 1e-6) <= exact <= most * (1 + 1e-6)
    assert most == pytest.approx(size * least)
    if size == 2:
        assert exact == pytest.approx(least)  # the nearest alternative moves both alike
