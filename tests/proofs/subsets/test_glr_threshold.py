"""The threshold of single rewards: its constants and affine bounds."""

import math

import numpy as np
import pytest
from scipy.special import zeta

from cpe_opt.proofs.subsets.glr_threshold import GlrThreshold, deviation_constant, glr_terms


@pytest.mark.parametrize("x", [0.1, 1.0, 3.0, 10.0, 100.0])
def test_the_constant_is_the_least_over_a_grid_of_powers(x):
    powers = np.linspace(0.5, 1.0, 200_001)[1:-1]
    bounds = x + 2 * powers - 2 * powers * np.log(4 * powers)
    bounds += np.log(zeta(2 * powers)) - np.log(1 - powers) / 2
    assert deviation_constant(x) == pytest.approx((bounds / powers).min(), rel=1e-6)
    assert x < deviation_constant(x)


@pytest.mark.parametrize("log", [3.0, 30.0])
def test_affine_bounds_are_never_below_and_the_best_of_them_is_near(log):
    threshold, sizes = GlrThreshold(log), np.arange(1.0, 41.0)
    exact = threshold.constants(sizes)
    assert exact == pytest.approx([d * deviation_constant(log / d) for d in sizes])
    constants, slopes = threshold.affine(40)
    bounds = constants[:, None] + slopes[:, None] * sizes
    assert (bounds >= exact * (1 - 1e-9)).all()
    assert (bounds.min(axis=0) <= exact * 1.01).all()
    assert bounds[:, [0, -1]].min(axis=0) == pytest.approx(exact[[0, -1]])


def test_elements_cost_what_the_corollary_says():
    assert glr_terms(np.array([1.0, math.e])) == pytest.approx(2 * np.log([4.0, 5.0]))
