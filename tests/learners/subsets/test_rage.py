"""RAGE: its numbers of pulls, and what it leaves out."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners import rage
from cpe_opt.learners.subsets.rage import best_row, least_squares, led
from tests.formulations.designs.test_transductive import least_rho, pairs
from tests.formulations.subsets.test_oracle import classes
from tests.learners.subsets.support import told_the_truth


def phases_of(decisions, theta, **parameters):
    return told_the_truth(rage(decisions, **parameters), theta)


@classes
def test_every_phase_is_as_precise_as_it_has_to_be_and_no_more(decisions):
    """With the pulls of phase t every difference has the width u / 2^(t+2), hardly less."""
    theta = np.random.default_rng(1).random(decisions.size)
    sets = list(decisions.sets())
    delta, sigma, unit, rounding = 0.1, 3.0, 0.5, 0.2
    queries, answer = phases_of(
        decisions, theta, delta=delta, sigma=sigma, unit=unit, rounding=rounding
    )
    values = np.array([theta[list(s)].sum() for s in sets])
    assert answer == sets[int(values.argmax())]
    left, vectors = np.arange(len(sets)), decisions.indicator_matrix()
    for t, query in enumerate(queries, 1):
        chosen = np.array([sets.index(s) for s in query.sets])
        _, inverse = least_squares(vectors[chosen], np.array(query.times), np.zeros(len(chosen)))
        apart = pairs(vectors[left])
        norms = ((apart @ inverse) * apart).sum(axis=1)
        log = math.log(len(sets) ** 2 * t**2 / delta)
        largest = sigma * math.sqrt(2 * log * norms.max())
        assert largest <= unit * 2.0 ** -(t + 2)
        if query.rounds > 2 * len(query.sets) / rounding:
            assert largest >= unit * 2.0 ** -(t + 2) / math.sqrt((1 + rounding) * 1.03)
        assert query.rounds >= 2 * len(query.sets) / rounding
        left = left[values[left].max() - values[left] < unit * 2.0 ** -(t + 2)]
    assert len(left) == 1


def test_a_set_is_left_out_where_another_leads_it_by_the_margin_of_both():
    values = np.array([3.0, 2.0, 1.0])
    assert led(values, np.full((1, 3), 1.0)).tolist() == [False, True, True]
    assert led(values, np.full((1, 3), 1.5)).tolist() == [False, False, True]
    margins = np.array([[0.0, 5, 5], [5, 0, 1], [5, 1, 0]])
    assert led(values, margins).tolist() == [False, False, True]
    assert led(np.zeros(2), np.zeros((2, 2))).tolist() == [True, True]


def test_a_lead_of_the_margin_counts_whatever_its_last_bits_are():
    """0.3 less 0.1 is short of 0.2 by a bit, and leads of estimates are no more precise."""
    assert 0.3 - 0.1 < 0.2
    values = np.array([0.3, 0.1])
    for margins in (np.full((1, 2), 0.2), np.full((2, 2), 0.2)):
        assert led(values, margins).tolist() == [False, True]
        assert led(values, 1.000001 * margins).tolist() == [False, False]


def test_of_sets_that_are_as_good_but_for_rounding_the_first_is_best():
    theta = np.array([0.1, 0.2, -0.3, 0.3, -0.3])
    vectors = np.array([[1.0, 1, 1, 0, 0], [0, 0, 0, 1, 1], [1, 1, 0, 0, 1]])
    assert 0.1 + 0.2 - 0.3 > 0.0
    for order in ([0, 1, 2], [1, 0, 2], [2, 1, 0]):
        assert best_row(vectors[order], theta).tolist() == vectors[order][0].tolist()


@pytest.mark.parametrize("elimination", ["gap", "width"])
def test_pairs_are_told_apart_by_their_own_widths(elimination):
    """What is left after one phase, found set by set."""
    decisions, theta = cpe.TopK(5, 2), np.array([0.5, 0.45, 0.38, 0.2, 0.0])
    (first, second, *_), _ = phases_of(decisions, theta, delta=0.1, elimination=elimination)
    vectors = np.array(cpe.TopK(5, 2).indicator_matrix())
    chosen = vectors[[list(decisions.sets()).index(s) for s in first.sets]]
    inverse = np.linalg.inv(chosen.T @ (np.array(first.times)[:, None] * chosen))
    log, left = math.log(10**2 / 0.1), []
    for z in vectors:
        widths = [2 * math.sqrt(2 * log * (o - z) @ inverse @ (o - z)) for o in vectors]
        margins = widths if elimination == "width" else [1 / 8] * len(vectors)
        others = [(o - z) @ theta >= m for o, m in zip(vectors, margins, strict=True) if any(o - z)]
        if not any(others):
            left.append(z)
    precise = 8 * (2.0 * 8) ** 2 * least_rho(vectors, pairs(np.array(left)))
    expected = precise * 1.1 * math.log(10**2 * 4 / 0.1)
    assert expected <= second.rounds <= 1.02 * expected


def test_estimates_are_those_of_least_squares_and_exact_for_what_was_pulled():
    vectors = cpe.TopK(4, 2).indicator_matrix()[[0, 5]]  # {0, 1} and {2, 3}
    theta, _ = least_squares(vectors, np.array([2, 3]), np.array([2.0, 9.0]))
    assert np.allclose(vectors @ theta, [1.0, 3.0])
    assert np.allclose(theta, [0.5, 0.5, 1.5, 1.5])
