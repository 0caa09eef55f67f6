"""Optimal designs: the theorem of Kiefer and Wolfowitz, brute force, solvers and constructions."""

from typing import get_args

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.designs import pricing
from cpe_opt.formulations.designs.design import (
    distinct_up_to_sign,
    efficient_rounding,
    independent_columns,
)
from cpe_opt.formulations.designs.enumerated import growth, saddle_at
from cpe_opt.formulations.designs.optimal import Method, XYMethod, cyclic_design
from cpe_opt.formulations.designs.uniform import uniform_design
from tests.formulations.subsets.test_oracle import CLASSES, classes
from tests.support import all_of, some_quick

G_METHODS, XY_METHODS = get_args(Method), get_args(XYMethod)


def criteria(design, listed):
    """The G and the XY value of a design over listed actions, from the definitions."""
    inverse = np.linalg.pinv(design.information, hermitian=True)
    apart = (listed[:, None, :] - listed[None, :, :]).reshape(-1, listed.shape[1])
    return tuple(float(((rows @ inverse) * rows).sum(axis=1).max()) for rows in (listed, apart))


def check_design(design, listed):
    """Weights of a distribution on actions, and a value and an optimum that are true."""
    assert design.weights.min() > 0
    assert design.weights.sum() == pytest.approx(1.0)
    assert len(design.support) == len(design.weights) == len(design.vectors)
    g, xy = criteria(design, listed)
    own = g if design.criterion == "G" else xy
    assert own <= design.value * (1 + 1e-9)
    assert design.value <= own * (1 + 1e-5) + 1e-9 or design.method in ("columns", "uniform")
    assert design.bound <= design.value
    assert design.gap == pytest.approx(1 - design.bound / design.value, abs=1e-15)


def xy_of_subsets(n, k):
    """2 min(k, n-k) / a, the paper notes' value of the uniform design."""
    return 2 * min(k, n - k) * n * (n - 1) / (k * (n - k))


@all_of(
    ("n", "k", "method"),
    [(*case, m) for case in [(6, 2), (5, 1), (4, 4)] for m in G_METHODS],
)
def test_g_value_of_k_subsets_is_n(n, k, method):
    subsets = cpe.TopK(n, k)
    design = cpe.g_design(subsets, method=method)
    check_design(design, subsets.indicator_matrix())
    assert design.value == pytest.approx(1 if k == n else n, rel=1e-4)
    assert design.bound == (1 if k == n else n)
    for members, row in zip(design.support, design.vectors, strict=True):
        if not isinstance(members, int):
            assert subsets.check(members) == tuple(np.flatnonzero(row))


@all_of(("n", "k", "method"), [(*case, m) for case in [(5, 1), (5, 3)] for m in XY_METHODS])
def test_xy_value_of_k_subsets_is_twice_min_over_a(n, k, method):
    subsets = cpe.TopK(n, k)
    design = cpe.xy_design(subsets, method=method)
    check_design(design, subsets.indicator_matrix())
    assert design.value == pytest.approx(xy_of_subsets(n, k), rel=1e-4)
    assert design.bound == pytest.approx(xy_of_subsets(n, k), rel=1e-4)


@pytest.mark.parametrize("seed", some_quick([0], [3]))
def test_methods_agree_on_random_lists_of_60_actions(seed):
    actions = np.random.default_rng(seed).normal(size=(60, 3 + seed))
    for optimal, methods in (
        (cpe.g_design, ("frank-wolfe", "cvxpy")),
        (cpe.xy_design, ("multiplicative", "cvxpy")),
    ):
        designs = [optimal(actions, method=method, tolerance=1e-5) for method in methods]
        for design in designs:
            check_design(design, actions)
            assert design.gap < 1e-4
            np.testing.assert_array_equal(actions[list(design.support)], design.vectors)
        assert max(d.value for d in designs) <= min(d.value for d in designs) * (1 + 1e-4)


@classes
def test_column_generation_is_the_design_of_the_list(decisions):
    listed = decisions.indicator_matrix()
    design = cpe.g_design(decisions, method="columns", tolerance=1e-5)
    check_design(design, listed)
    assert design.gap <= 1e-5
    assert design.bound == np.linalg.matrix_rank(listed)
    by_list = cpe.g_design(decisions, method="frank-wolfe", tolerance=1e-8)
    assert by_list.value == pytest.approx(design.value, rel=1e-4)


@all_of("name", ["partition", "parallel", "matchings"])
def test_xy_column_generation_is_the_design_of_the_list(name):
    decisions = CLASSES[name]
    listed = decisions.indicator_matrix()
    design = cpe.xy_design(decisions, method="columns", tolerance=1e-4)
    check_design(design, listed)
    by_list = cpe.xy_design(decisions, method="multiplicative", tolerance=1e-4)
    assert design.gap <= 1e-4
    assert by_list.value == pytest.approx(design.value, rel=3e-4)


def test_column_generation_by_pricing_where_the_class_is_too_long_to_list(monkeypatch):
    """The same optimum when nothing may be enumerated: local search and the integer program."""
    monkeypatch.setattr(pricing, "MOST_ENUMERATED", 1)
    monkeypatch.setattr(pricing, "MOST_ENTRIES", 1)
    trees = cpe.SpanningTrees([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
    design = cpe.g_design(trees, tolerance=1e-4)
    check_design(design, trees.indicator_matrix())
    assert design.gap <= 1e-4
    apart = cpe.xy_design(trees, tolerance=1e-3)
    check_design(apart, trees.indicator_matrix())
    assert apart.gap <= 1e-3


@all_of(("n", "k"), [(7, 3), (12, 4), (13, 12), (5, 1)])
def test_the_cyclic_construction_is_the_uniform_design(n, k):
    vectors, weights = cyclic_design(n, k)
    assert len(np.unique(vectors, axis=0)) == len(vectors)
    assert set(vectors.sum(axis=1)) == {k}
    a, b = k * (n - k) / (n * (n - 1)), k * (k - 1) / (n * (n - 1))
    information = vectors.T @ (weights[:, None] * vectors)
    np.testing.assert_allclose(information, a * np.eye(n) + b, atol=1e-12)


def test_any_weights_bracket_the_xy_optimum():
    """Weak duality, at random weights on both sides."""
    rng = np.random.default_rng(2)
    actions = rng.normal(size=(12, 3))
    best = cpe.xy_design(actions)
    apart = distinct_up_to_sign((actions[:, None] - actions[None]).reshape(-1, 3))
    for _ in range(50):
        saddle = saddle_at(
            actions, apart, rng.dirichlet(np.ones(12)), rng.dirichlet(np.ones(len(apart)))
        )
        assert saddle.bound <= best.value + 1e-9
        assert saddle.value >= best.bound - 1e-9


@classes
def test_uniform_designs_span_the_class(decisions):
    design = uniform_design(decisions, seed=3)
    listed = decisions.indicator_matrix()
    assert np.linalg.matrix_rank(design.information) == np.linalg.matrix_rank(listed)
    assert len(set(design.weights)) == 1
    assert criteria(design, listed)[0] <= design.value * (1 + 1e-9)
    assert design.support == uniform_design(decisions, seed=3).support


def plain_apportionment(weights, total):
    """Round by round: the action that is furthest behind."""
    times = np.zeros(len(weights), dtype=int)
    for _ in range(total):
        times[int((times / weights).argmin())] += 1
    return times


@pytest.mark.parametrize("method", ["frank-wolfe", "multiplicative", "cvxpy"])
def test_designs_do_not_depend_on_units(method):
    """Each entry in a unit of its own, from 1e-310 to 1e300: the same actions all the same."""
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(7, 3))
    units = np.array([1e-310, 1.0, 1e300])
    optimal = {"frank-wolfe": [cpe.g_design], "multiplicative": [cpe.xy_design]}
    for oracle in optimal.get(method, [cpe.g_design, cpe.xy_design]):
        expected, found = (oracle(rows, method=method) for rows in (vectors, vectors * units))
        accuracy = 1e-3 if method == "cvxpy" else 1e-5
        assert found.value == pytest.approx(expected.value, rel=accuracy)
        assert found.gap <= accuracy


def test_what_differs_by_little_is_told_from_rounding():
    near = cpe.g_design([[1, 1], [1, 1 + 1e-10]])
    assert near.weights == pytest.approx([0.5, 0.5])
    assert near.value == pytest.approx(2.0)
    # What is within rounding of a line is on it.
    line = cpe.g_design([[1, 1], [2, 2 + 1e-15]])
    assert line.bound == 1.0
    assert cpe.xy_design([[1, 0], [1, 1e-10]]).value == pytest.approx(4.0)


def test_rounding_is_what_pulling_the_furthest_behind_leads_to():
    rng = np.random.default_rng(4)
    for _ in range(15):
        weights = rng.dirichlet(np.ones(rng.integers(1, 9)))
        if rng.random() < 0.3:  # ties
            weights = np.full(len(weights), 1 / len(weights))
        for total in (0, 1, 5, 17, 200):
            times = efficient_rounding(weights, total)
            assert times.sum() == total
            np.testing.assert_array_equal(times, plain_apportionment(weights, total))


@pytest.mark.parametrize(
    ("optimal", "method"),
    [
        (cpe.g_design, "frank-wolfe"),
        (cpe.xy_design, "multiplicative"),
    ],
)
def test_designs_say_what_is_certain(optimal, method):
    """A design far from optimal has the value that it has, and a bound below it."""
    actions = np.random.default_rng(8).normal(size=(30, 4))
    design = optimal(actions, method=method, tolerance=0.4)
    g, xy = criteria(design, actions)
    assert design.value == pytest.approx(g if design.criterion == "G" else xy)
    assert 0.01 < design.gap < 0.4


def test_programs_are_in_columns_of_the_actions():
    """Where some columns decide the others, in so many of them as there are dimensions."""
    rng = np.random.default_rng(9)
    plain = rng.integers(-3, 4, size=(15, 3)).astype(float)
    plain[:3] += 4 * np.eye(3)
    actions = np.column_stack([plain[:, 0], plain[:, 0] - 2 * plain[:, 1], plain[:, 1:]])
    kept = independent_columns(actions)
    assert np.linalg.matrix_rank(kept) == kept.shape[1] == 3
    columns = {tuple(column) for column in actions.T}
    assert all(tuple(column) in columns for column in kept.T)
    assert independent_columns(plain) is plain
    apart = cpe.solve(cpe.xy_design_program(actions), "clarabel").objective
    assert apart == pytest.approx(cpe.xy_design(actions).value, rel=1e-4)


def test_differences_that_are_not_listed_are_bounded_by_their_length(monkeypatch):
    """Two sets of 3 of 6 differ in six elements at most: 6 for the unit matrix."""
    monkeypatch.setattr(pricing, "MOST_ENTRIES", 1)
    search = pricing.DifferencePricing(cpe.TopK(6, 3), np.random.default_rng(0))
    assert search.bound(np.eye(6), certify=True) == pytest.approx(6.0)


def test_an_action_that_sees_no_difference_falls_by_the_same_factor_everywhere():
    """Its square is 0 on paper, and a little more or less in fact."""
    actions = np.array([[1.0, 0.0], [0.0, 1.0]])
    for rounding in (0.0, 1e-17, -1e-17):
        factors = growth(actions, np.diag([4.0, rounding]))
        assert factors.tolist() == [2.0, 2e-6]
