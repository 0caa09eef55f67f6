"""Blocks of queries: mixtures, bounds with either kind of weights, candidates, and their size."""

import math

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import norm

from cpe_opt.proofs.blocks import BlockMixture, CommonWeights, OwnWeights, Pace, log_weight
from tests.formulations.subsets.test_oracle import classes

MIXTURE = BlockMixture.of_range(largest=2.0, smallest=1e-6, alike=0.003)


@pytest.mark.parametrize("variance", [0.1, 30.0, 1e4])
@pytest.mark.parametrize("block", [0.5, 200.0])
def test_a_block_without_a_lead_keeps_the_bet_on_average(variance, block):
    """By quadrature, from any sum: what E is after a block, in the mean, is what it was before."""
    for before in (0.0, math.sqrt(variance)):

        def after(z, before=before):
            sums = np.array([before + math.sqrt(block) * z])
            value = MIXTURE.log_values(sums, np.array([variance + block]))[0]
            return math.exp(value + norm.logpdf(z))

        mean = integrate.quad(after, -40.0, 80.0, limit=2000)[0]
        started = MIXTURE.log_values(np.array([before]), np.array([variance]))
        assert mean == pytest.approx(math.exp(started[0]), rel=1e-6)
    assert MIXTURE.log_values(np.zeros(1), np.zeros(1))[0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("mixture", [MIXTURE, BlockMixture.around(0.2)])
@pytest.mark.parametrize("needed", [0.5, 3.0, 40.0, 700.0])
def test_radii_are_where_the_bet_pays_and_lines_touch_them_and_are_nowhere_below(mixture, needed):
    blocks = CommonWeights(2, mixture)
    blocks.add(np.zeros(2), np.array([1.0, 4.0]), 3.0)
    radius = blocks.radius(needed)
    assert radius.features.tolist() == [[9.0], [36.0]]
    variances = np.geomspace(1e-3, 1e12, 40)
    radii = radius.radii(variances[:, None])
    assert (mixture.log_values(radii, variances) >= needed).all()
    assert mixture.least_sums(variances, needed) == pytest.approx(radii)
    paid = mixture.log_values(radii, variances)
    assert paid == pytest.approx(np.full(40, needed), abs=1e-6 * (1.0 + needed))
    constants, slopes = radius.lines(radius.places(variances[:, None]))
    heights = constants[:, None] + slopes * variances
    assert (heights >= radii * (1.0 - 1e-9)).all()
    assert np.diagonal(heights) == pytest.approx(radii, rel=1e-6)


@classes
def test_bounds_are_those_of_the_definition(decisions):
    """Least squares, variances and sums by hand; the bound is where the mixture pays."""
    rng, sets = np.random.default_rng(2), decisions.indicator_matrix()
    rows = sets[:1] - sets[1:]
    bounds = OwnWeights(MIXTURE, 4.0)
    sums, precisions = np.zeros(len(rows)), np.zeros(len(rows))
    for _ in range(3):
        times = rng.integers(1, 5, len(sets))
        inverse = np.linalg.pinv(sets.T @ (times[:, None] * sets), hermitian=True)
        theta = inverse @ (sets.T @ rng.normal(size=len(sets)))
        bounds.add(theta, inverse)
        for place, row in enumerate(rows):
            variance = row @ inverse @ row
            sums[place] += row @ theta / variance
            precisions[place] += 1.0 / variance
    found = bounds.sums(rows)
    assert found[0] == pytest.approx(sums)
    assert found[1] == pytest.approx(precisions)
    lower = bounds.lower(*found)
    paid = MIXTURE.log_values(sums - lower * precisions, precisions)
    assert (paid >= 4.0).all()
    assert paid == pytest.approx(np.full(len(rows), 4.0), abs=1e-5)


def test_a_block_of_elements_may_be_told_by_its_diagonal():
    rng, rows = np.random.default_rng(6), np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]])
    full, short = OwnWeights(MIXTURE, 4.0), OwnWeights(MIXTURE, 4.0)
    for _ in range(2):
        inverse, means = rng.uniform(0.1, 1.0, 3), rng.normal(size=3)
        full.add(means, np.diag(inverse))
        short.add(means, inverse)
    for mine, theirs in zip(short.sums(rows), full.sums(rows), strict=True):
        assert mine == pytest.approx(theirs)


def test_a_block_says_nothing_of_what_it_does_not_show():
    """Two of three elements are pulled: of the third nothing is known, of the two as usual."""
    bounds = OwnWeights(MIXTURE, 4.0)
    theta, inverse = np.array([0.7, 0.3, 0.0]), np.diag([0.25, 0.25, 0.0])
    bounds.add(theta, inverse, np.array([[0.0], [0.0], [1.0]]))
    sums, precisions = bounds.sums(np.array([[1.0, -1.0, 0.0], [1.0, 0.0, -1.0]]))
    assert sums.tolist() == pytest.approx([0.8, 0.0])
    assert precisions.tolist() == [2.0, 0.0]


def test_e_values_with_common_weights_are_those_of_the_definition():
    """One edge: the mixture of stakes of all blocks, whatever their weights."""
    blocks = CommonWeights(2, BlockMixture.around(0.25))
    parts = [(7.0, 10, 10.0), (30.0, 50, 50.0), (3.0, 4, 8.0)]
    for won, duels, weight in parts:
        blocks.add(np.array([0.0, won / duels - 0.5]), np.array([0.0, 0.25 / duels]), weight)
    s = sum(c * (w / n - 0.5) for w, n, c in parts)
    v = sum(c * c / (4 * n) for w, n, c in parts)
    assert blocks.weight == 68.0
    assert (blocks.sums[1], blocks.variances[1]) == (pytest.approx(s), pytest.approx(v))
    steps = np.arange(-60, 61)
    weights = 1 / (1 + (steps / 5) ** 2)
    rho = 0.25 * 1.2**steps
    expected = math.log((weights / weights.sum() * np.exp(rho * s - rho**2 * v / 2)).sum())
    found = blocks.log_e_values(np.array([[0.0, 1.0], [0.0, 0.0]]))
    assert found == pytest.approx([expected, 0.0], abs=1e-5)
    assert found[0] <= expected


def test_the_mean_of_an_e_value_is_at_most_one():
    """Two edges whose leads cancel; the second block is planned by the first."""
    rng, values = np.random.default_rng(5), []
    for _ in range(1500):
        blocks = CommonWeights(2, BlockMixture.around(1.0))
        won = rng.binomial([4, 2], [0.8, 0.2])
        blocks.add(won / [4, 2] - 0.5, 0.25 / np.array([4, 2]), 3.0)
        more = np.array([1, 9]) if won[0] == 4 else np.array([6, 1])
        means = rng.binomial(more, [0.8, 0.2]) / more - 0.5
        blocks.add(means, 0.25 / more, 2.0 + won[1])
        values.append(math.exp(blocks.log_e_values(np.array([[1.0, 1.0]]))[0]))
    assert np.mean(values) <= 1.0 + 4 * np.std(values) / math.sqrt(len(values))


def test_weights_of_the_candidates_taken_up_add_up_to_one():
    total = sum(math.exp(log_weight(number)) for number in range(1, 100_000))
    assert 0.9999 < total < 1.0


def test_a_block_costs_a_part_of_what_is_missing_within_its_growth_and_its_least():
    pace = Pace(part=0.25, growth=0.5)
    assert pace.cost(100.0, 80.0) == 20.0
    assert pace.cost(100.0, 400.0) == 50.0
    assert pace.cost(100.0, 8.0, least=3.0) == 3.0
