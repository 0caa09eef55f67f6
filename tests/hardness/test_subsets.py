"""Hardness of identification from sums, against numbers worked out by hand."""

import math

import numpy as np
import pytest

import cpe_opt as cpe


def hardness_of(theta):
    """Pairs of four, sampled equally: Λ = I/3 + J/6, so that Λ⁻¹ = 3I - J/2 and ρ = 4."""
    decisions = cpe.TopK(4, 2)
    return cpe.subset_hardness(cpe.SubsetBandit(decisions, theta), cpe.g_design(decisions))


def test_gap_and_ratios_of_pairs():
    hard = hardness_of([0.9, 0.6, 0.3, 0.0])
    assert (hard.best, hard.gap) == ((0, 1), pytest.approx(0.3))
    assert hard.rho == pytest.approx(4.0)
    assert hard.rho_elements == pytest.approx((2 * 2 * math.sqrt(2.5)) ** 2)
    assert hard.hardness() == pytest.approx(4 / 0.09)
    assert hard.hardness(0.1) == pytest.approx(4 / 0.16)


def test_bounds_have_the_paper_s_constants():
    hard = hardness_of([0.9, 0.6, 0.3, 0.0])
    log = math.log(6 * 6 / (math.pi**2 * 0.05))
    saqm = 8 * (3 + 2) ** 2 * 4 * (4 / 0.16) * log
    assert hard.corollary_1(delta=0.05, alpha=0.5, margin=0.1) == pytest.approx(saqm)
    icb = 4 * 40 / 0.16 * math.log(4 / 0.05)
    assert hard.icb_sample_bound(delta=0.05, margin=0.1) == pytest.approx(icb)


def test_two_best_sets_are_infinitely_hard_to_tell_apart():
    hard = hardness_of([0.9, 0.6, 0.6, 0.0])
    assert hard.gap == 0.0
    assert hard.hardness() == hard.icb_sample_bound(delta=0.1) == math.inf
    assert hard.hardness(0.5) == pytest.approx(16.0)
    alone = cpe.subset_hardness(cpe.SubsetBandit(cpe.TopK(2, 2), np.zeros(2)))
    assert alone.gap == math.inf
    assert alone.hardness() == 0.0
