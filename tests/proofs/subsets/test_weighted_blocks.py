"""Blocks with weights: what they add up, their radii, and the lines above these."""

import math

import numpy as np
import pytest

from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.proofs.mixture import BlockMixture
from cpe_opt.proofs.subsets.optimistic_gap import OptimisticGap, SetPool
from cpe_opt.proofs.subsets.planned_blocks import (
    _MIXTURE,
    Differences,
    ListedBlocks,
    OwnWeights,
    WeightedBlocks,
)
from tests.proofs.subsets.test_optimistic_gap import GRID, SQUARE


def filled(decisions, seed, blocks=3, times=40):
    """Blocks of random sizes and weights, and their parts."""
    rng, size = np.random.default_rng(seed), decisions.size
    sums = WeightedBlocks(size, math.log(decisions.count() / 0.1))
    theta, parts = rng.normal(size=size), []
    for _ in range(blocks):
        planned = rng.integers(1, times, size)
        weight = float(rng.uniform(0.5, 2.0) * times)
        means = rng.normal(theta, 1.0 / np.sqrt(planned))
        sums.add(np.arange(size), planned, means, weight)
        parts.append((planned, means, weight))
    return sums, parts


def test_sums_and_variances_are_those_of_the_definition():
    sums, parts = filled(SQUARE, 0)
    total = sum(weight for _, _, weight in parts)
    assert sums.weight == pytest.approx(total)
    assert sums.means == pytest.approx(sum(w * means for _, means, w in parts) / total)
    variances = sum(w**2 / planned for planned, _, w in parts)
    assert sums.features == pytest.approx(variances[:, None])
    different = np.array([[1.0, 1.0, *[0.0] * 14]])
    assert sums.precisions(different) == pytest.approx([total**2 / variances[:2].sum()])


def test_weights_of_its_own_tell_a_difference_where_the_list_does():
    """The bound is that of listed classes; halfway below it nothing is told."""
    rng, size = np.random.default_rng(6), SQUARE.size
    rows = SQUARE.indicator_matrix()[:1] - SQUARE.indicator_matrix()[1:]
    listed = ListedBlocks(Differences(SQUARE, (0, 5, 10, 15)), 0.1)
    own = OwnWeights(listed.needed)
    for _ in range(3):
        planned, means = rng.integers(1, 40, size), rng.normal(size=size)
        listed.add(means, np.diag(1.0 / planned))
        own.add(np.arange(size), planned, means, size)
    sums, information = listed.sums(rows)
    lower = listed.lower(rows, sums, information)
    for mine, theirs in zip(own.sums(rows), (sums, information), strict=True):
        assert mine == pytest.approx(theirs)
    assert own.tell(rows, 0.0).tolist() == (lower >= 0.0).tolist()
    for part in (0.99, 1.01):
        for row, low in zip(rows, lower, strict=True):
            assert own.tell(row[None, :], -part * low)[0] == ((part > 1.0) == (low < 0.0))
    assert own.tell(np.zeros((1, size)), 1.0).tolist() == [False]


def test_a_radius_is_where_the_mixture_pays():
    sums, _ = filled(SQUARE, 1)
    variances = np.geomspace(0.1, 1e5, 20)
    radii = sums.radii(variances[:, None])
    paid = _MIXTURE.log_values(radii * sums.weight, variances)
    assert (paid >= sums.needed).all()
    assert paid == pytest.approx(np.full(20, sums.needed), abs=1e-5)
    assert sums.places(variances[:, None]) == pytest.approx(variances)


def test_lines_are_never_below_and_touch():
    sums, _ = filled(SQUARE, 1)
    places = np.geomspace(0.1, 1e5, 30)
    radii = sums.radii(places[:, None])
    constants, slopes = sums.lines(places)
    values = constants[:, None] + slopes * places
    assert (values >= radii * (1 - 1e-9)).all()
    assert np.diagonal(values) == pytest.approx(radii, rel=1e-6)
    mixture = BlockMixture.of_range(2.0, 1e-3, 0.1)
    least = mixture.least_sums(places, 5.0)
    constants, slopes = mixture.tangents(places, 5.0)
    assert (constants[:, None] + slopes[:, None] * places >= least * (1 - 1e-9)).all()
    assert constants + slopes * places == pytest.approx(least)


@pytest.mark.parametrize("decisions", [SQUARE, GRID], ids=repr)
def test_the_largest_gap_is_that_of_a_list(decisions):
    for seed in range(12):
        sums, _ = filled(decisions, seed, times=(10, 100, 1000)[seed % 3])
        oracle, found = SubsetOracle(decisions), SetPool(decisions)
        best = oracle.maximise(sums.means)
        rows = -decisions.indicator_matrix()
        rows[:, list(best)] += 1.0
        rows = rows[rows.any(axis=1)]
        different = np.abs(rows)
        exact = float((sums.radii(different @ sums.features) - rows @ sums.means).max())
        gap = OptimisticGap(oracle, found, best, sums.means, sums)
        bound = gap.bound()
        assert bound >= exact
        assert bound <= max(0.0, 1.05 * exact)
        slack = 1e-3 * abs(exact)
        for target, proved in ((exact + slack, True), (exact - slack, False)):
            gap = OptimisticGap(oracle, found, best, sums.means, sums)
            assert (gap.at_most(target) <= target) == proved
