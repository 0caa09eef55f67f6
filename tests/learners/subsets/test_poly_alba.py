"""PolyALBA: its list, its rounds, and the bounds of its proof."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.designs.design import efficient_rounding
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.subsets.poly_alba import Shortlist, alba, best_row, least_squares, led
from cpe_opt.learners.subsets.static_allocation import Guarantee, LeastSquaresFit
from tests.formulations.subsets.test_oracle import CLASSES, classes
from tests.learners.subsets.support import told_the_truth

SIGMA, DELTA = 0.7, 0.1
AIM = Guarantee(0.0, DELTA, SIGMA)


def largest_norm(vectors, sets, times):
    """Of a difference of two rows, squared, by the inverse of what was pulled."""
    chosen = np.array([[e in members for e in range(vectors.shape[1])] for members in sets], float)
    inverse = np.linalg.pinv(chosen.T @ (np.array(times)[:, None] * chosen), rcond=1e-9)
    apart = (vectors[:, None] - vectors[None, :]).reshape(-1, vectors.shape[1])
    return ((apart @ inverse) * apart).sum(axis=1).max()


@classes
@pytest.mark.parametrize("design", ["g", "xy"])
def test_the_list_is_complete_where_the_best_leads_by_the_width(decisions, design):
    """The width keeps the promise of its proof for what was pulled, and is not far from it."""
    if design == "xy" and decisions.count() == 1:
        return  # there is nothing to tell apart
    find = cpe.g_design if design == "g" else cpe.xy_design
    shortlist = Shortlist(SubsetOracle(decisions), find(decisions, tolerance=1e-3), AIM)
    vectors, rng = np.array(decisions.indicator_matrix()), np.random.default_rng(0)
    d = np.linalg.matrix_rank(vectors)
    assert shortlist.dimension == d
    theta, support = rng.normal(size=decisions.size), shortlist.design.vectors
    ordered = sorted(decisions.sets(), key=lambda s: -theta[list(s)].sum())
    values = [theta[list(s)].sum() for s in ordered]
    sets = [tuple(np.flatnonzero(row > 0.5).tolist()) for row in support]
    for j in range(1, 30):
        t = 40 * 2**j
        times = efficient_rounding(shortlist.design.weights, t)
        look = LeastSquaresFit(t, theta, np.zeros((0, 0)), (), np.zeros(0), 0.0, support)
        done = shortlist.complete(look)
        worst = max(1e-99, largest_norm(vectors, sets, times))
        exponent = shortlist.width**2 / (2 * SIGMA**2 * worst) - decisions.log_count_bound()
        needed = math.log(2 * j * (j + 1) / DELTA)
        assert exponent >= needed
        if design == "xy" and j > 6:
            assert exponent <= 1.1 * needed + 0.1 * decisions.log_count_bound()
        assert done == (len(values) <= d or values[0] - values[d] >= shortlist.width)
        if done:
            assert shortlist.sets == ordered[:d]
            return
        assert shortlist.sets == []
    raise AssertionError("never complete")


def test_before_its_design_is_pulled_twice_nothing_is_known():
    design = cpe.g_design(cpe.TopK(3, 1))
    shortlist = Shortlist(SubsetOracle(cpe.TopK(3, 1)), design, AIM)
    nothing = (np.zeros((0, 0)), (), np.zeros(0), 0.0, design.vectors)
    assert not shortlist.complete(LeastSquaresFit(3, np.array([9.0, 0.0, 0.0]), *nothing))
    assert shortlist.width == math.inf
    # All three sets are the list.
    assert shortlist.complete(LeastSquaresFit(4, np.array([9.0, 0.0, 1.0]), *nothing))
    assert shortlist.sets == [(0,), (2,), (1,)]


@pytest.mark.parametrize("name", ["trees", "matchings"])
def test_every_round_is_as_precise_as_its_proof_needs_and_no_more(name):
    vectors = np.array(CLASSES[name].indicator_matrix())[:6]
    theta, width = np.random.default_rng(4).random(CLASSES[name].size), 0.8
    values = vectors @ theta
    queries, answer = told_the_truth(alba(vectors, 6, width, AIM), theta)
    assert answer == tuple(np.flatnonzero(vectors[int(values.argmax())]).tolist())
    left, target, i = np.arange(6), 6, 0
    rounds = iter(queries)
    while len(left) > 1:
        target, accuracy = max(1, target // 2), width
        while len(left) > target:
            i, accuracy, query = i + 1, accuracy / 2, next(rounds)
            among = [tuple(np.flatnonzero(row).tolist()) for row in vectors[left]]
            assert set(query.sets) <= set(among)
            worst = largest_norm(vectors[left], query.sets, query.times)
            wrong = (len(left) - 1) * math.exp(-(accuracy**2) / (2 * SIGMA**2 * worst))
            allowed = DELTA / (2 * i * (i + 1))
            assert wrong <= allowed
            if query.rounds > 40 * len(query.sets):
                assert wrong >= allowed**1.06
            left = left[values[left].max() - values[left] < accuracy]
    assert next(rounds, None) is None


def test_a_set_is_left_out_where_the_best_leads_it_by_the_margin():
    """0.3 less 0.1 is short of 0.2 by a bit, and leads of estimates are no more precise."""
    assert led(np.array([3.0, 2.0, 1.0]), 1.5).tolist() == [False, False, True]
    assert 0.3 - 0.1 < 0.2
    assert led(np.array([0.3, 0.1]), 0.2).tolist() == [False, True]
    assert led(np.array([0.3, 0.1]), 0.2000002).tolist() == [False, False]


def test_of_sets_that_are_as_good_but_for_rounding_the_first_is_best():
    theta = np.array([0.1, 0.2, -0.3, 0.3, -0.3])
    vectors = np.array([[1.0, 1, 1, 0, 0], [0, 0, 0, 1, 1], [1, 1, 0, 0, 1]])
    assert 0.1 + 0.2 - 0.3 > 0.0
    for order in ([0, 1, 2], [1, 0, 2], [2, 1, 0]):
        assert best_row(vectors[order], theta).tolist() == vectors[order][0].tolist()


def test_estimates_are_those_of_least_squares_and_exact_for_what_was_pulled():
    vectors = cpe.TopK(4, 2).indicator_matrix()[[0, 5]]  # {0, 1} and {2, 3}
    theta = least_squares(vectors, np.array([2, 3]), np.array([2.0, 9.0]))
    assert np.allclose(vectors @ theta, [1.0, 3.0])
    assert np.allclose(theta, [0.5, 0.5, 1.5, 1.5])
