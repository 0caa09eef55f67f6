"""Maximisation of quadratic forms: brute force, other solvers, and certified bounds."""

import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.formulations.quadratic import local_search as search
from cpe_opt.formulations.quadratic.bounds import spectral_bound
from cpe_opt.formulations.quadratic.maximise import peeling_ratio
from tests.formulations.subsets.test_oracle import CLASSES, classes
from tests.support import all_of


def symmetric(rng, n, definite=False):
    """A random symmetric matrix."""
    square = rng.normal(size=(n, n))
    return np.linalg.inv(square @ square.T + np.eye(n)) if definite else square + square.T


def values(matrix, listed, linear=0.0):
    """The quadratic value of each row."""
    return ((listed @ matrix) * listed).sum(axis=1) + (listed * linear).sum(axis=1)


def choose(n, k):
    return cpe.TopK(n, k).indicator_matrix()


@all_of(("decisions", "solver"), itertools.product(CLASSES.values(), ["highs", "cp-sat"]))
def test_exact_is_brute_force(decisions, solver):
    rng = np.random.default_rng(decisions.size)
    for definite in (False, True):
        matrix, linear = symmetric(rng, decisions.size, definite), rng.normal(size=decisions.size)
        best = values(matrix, decisions.indicator_matrix(), linear).max()
        found = cpe.ellipsoid_maximum(decisions, matrix, "exact", linear=linear, solver=solver)
        assert found.value == pytest.approx(best, abs=1e-6)
        assert found.bound >= best - 1e-9
        assert decisions.contains(found.elements)


@classes
def test_bounds_hold_and_ascent_is_a_set(decisions):
    rng = np.random.default_rng(decisions.size + 1)
    for definite in (False, True):
        matrix = symmetric(rng, decisions.size, definite)
        best = values(matrix, decisions.indicator_matrix()).max()
        for method in ("ascent", "bound"):
            found = cpe.ellipsoid_maximum(decisions, matrix, method, starts=2)
            assert decisions.contains(found.elements)
            assert found.value <= best + 1e-9
            if np.isfinite(found.bound):
                assert found.bound >= best - 1e-9
                assert found.ratio in (None, 1.0, found.value / found.bound)


def test_ascent_ends_where_no_set_is_better_for_the_linearised_form():
    rng = np.random.default_rng(0)
    trees = CLASSES["trees"]
    listed = trees.indicator_matrix()
    for _ in range(10):
        matrix, linear = symmetric(rng, trees.size, definite=True), rng.normal(size=trees.size)
        found = cpe.ellipsoid_maximum(trees, matrix, "ascent", linear=linear, starts=1)
        chi = np.isin(np.arange(trees.size), found.elements).astype(float)
        slope = 2 * matrix @ chi + linear
        assert (listed @ slope).max() <= chi @ slope + 1e-9
        assert found.value == pytest.approx(chi @ matrix @ chi + linear @ chi)


@pytest.mark.parametrize(("n", "k"), [(2, 1), (5, 2), (7, 3), (8, 7), (6, 6), (9, 1)])
def test_bounds_are_never_below_the_optimum(n, k):
    rng = np.random.default_rng(10 * n + k)
    listed = choose(n, k)
    for trial in range(6):
        matrix, linear = symmetric(rng, n, trial % 2), rng.normal(size=n) * (trial % 3)
        best = values(matrix, listed, linear).max()
        for steps in (0, 5, 60):
            bound, shift = spectral_bound(matrix, k, linear, steps=steps, value=best)
            assert bound >= best - 1e-9
            again = spectral_bound(matrix, k, linear, steps=0, shift=shift)
            assert again.value == pytest.approx(bound)


def degenerate(rng, n, kind):
    """Symmetric matrices whose part orthogonal to 1 has eigenvalues that are zero or equal."""
    if kind == "zero":
        return np.zeros((n, n))
    if kind == "ones":
        return np.full((n, n), float(rng.normal()))
    if kind == "rank 1":
        row = rng.integers(-2, 3, size=n).astype(float)
        return np.outer(row, row) * rng.choice([-1.0, 1.0])
    if kind == "blocks":
        group = rng.integers(0, 2, size=n)
        return (group[:, None] == group) * float(rng.normal())
    if kind == "diagonal":
        return np.diag(rng.integers(-1, 2, size=n).astype(float))
    if kind == "sums":  # a_i + a_j: nothing is left of it orthogonal to 1
        row = rng.normal(size=n)
        return row[:, None] + row
    return symmetric(rng, n)


KINDS = ("zero", "ones", "rank 1", "blocks", "diagonal", "sums", "full")


@given(
    n=st.integers(2, 7),
    part=st.floats(0, 1),
    kind=st.sampled_from(KINDS),
    linear=st.sampled_from(["none", "one element", "ones", "any"]),
    scales=st.tuples(st.integers(-280, 280), st.integers(-12, 12)),
    seed=st.integers(0, 10**6),
)
@example(n=4, part=0.0, kind="zero", linear="one element", scales=(2, 0), seed=0)
@settings(max_examples=20)
def test_no_set_exceeds_the_bound_of_a_degenerate_matrix(n, part, kind, linear, scales, seed):
    rng = np.random.default_rng(seed)
    k = 1 + int(part * (n - 1))
    matrix = degenerate(rng, n, kind) * 10.0 ** scales[0]
    linear = {
        "none": np.zeros(n),
        "one element": np.eye(n)[0],
        "ones": np.ones(n),
        "any": rng.normal(size=n),
    }[linear] * 10.0 ** sum(scales)
    best = values(matrix, choose(n, k), linear).max()
    for steps in (0, 60):
        bound = spectral_bound(matrix, k, linear, steps=steps, value=best).value
        assert bound >= best - 1e-12 * abs(best)  # the values themselves are rounded sums


def test_the_bound_is_exact_for_a_linear_form_of_one_element():
    linear = np.array([100.0, 0.0, 0.0, 0.0])
    assert spectral_bound(np.zeros((4, 4)), 1, linear).value == pytest.approx(100, rel=1e-9)


def test_swap_search_stops_at_sets_that_no_swap_improves():
    rng = np.random.default_rng(3)
    matrix, linear = symmetric(rng, 9), rng.normal(size=(20, 9))
    scale = rng.uniform(0.1, 2.0, 20)
    start = search.random_starts(rng, 20, 9, 4)
    found = search.swap_search(matrix, scale, linear, start)
    reached = search.values(matrix, scale, linear, found)
    assert (reached >= search.values(matrix, scale, linear, start) - 1e-12).all()
    for chi, s, d, value in zip(found, scale, linear, reached, strict=True):
        assert chi.sum() == 4
        for i, j in itertools.product(np.flatnonzero(chi), np.flatnonzero(~chi)):
            other = chi.astype(float)
            other[[i, j]] = 0.0, 1.0
            assert s * other @ matrix @ other + d @ other <= value + 1e-9


def plain_peeling(matrix, k):
    """Vertex by vertex, as the paper has it, with weights shifted to be non-negative."""
    n = len(matrix)
    edge = matrix + np.diag(matrix)[:, None] + np.diag(matrix)[None, :]
    edge = edge - edge.min()
    left = list(range(n))
    while len(left) > k:
        degree = [sum(edge[i, j] for j in left if j != i) for i in left]
        left.pop(int(np.argmin(degree)))
    return tuple(left)


def test_peeling_is_the_paper_s():
    rng = np.random.default_rng(11)
    for n, k in ((5, 2), (8, 3), (12, 5)):
        for definite in (False, True):
            matrix = symmetric(rng, n, definite)
            assert cpe.ellipsoid_maximum(k, matrix, "peeling").elements == plain_peeling(matrix, k)
        linear, scale = rng.normal(size=(6, n)), rng.uniform(0.5, 2, 6)
        found = search.peeling(matrix, k, scale, linear)  # six problems at once
        for chi, s, d in zip(found, scale, linear, strict=True):
            assert tuple(np.flatnonzero(chi)) == plain_peeling(s * matrix + np.diag(d), k)


@all_of(("n", "k"), [(6, 1), (6, 2), (7, 5), (5, 5)])
def test_peeling_keeps_its_guarantee(n, k):
    rng = np.random.default_rng(n)
    for _ in range(20):
        matrix = symmetric(rng, n, definite=True)
        best = values(matrix, choose(n, k)).max()
        ratio = peeling_ratio(matrix, k)
        assert 0 < ratio <= 1
        assert cpe.ellipsoid_maximum(k, matrix, "peeling").value >= ratio * best - 1e-12


def test_the_ratio_is_a_share_of_the_optimum_or_none():
    def ratio(matrix, k, method="bound"):
        return cpe.ellipsoid_maximum(k, matrix, method).ratio

    assert ratio(np.zeros((3, 3)), 3) == 1.0  # the bound of all elements is exact
    assert ratio(-np.eye(3), 3) == 1.0
    assert ratio(-np.diag([1.0, 2.0, 5.0, 9.0]), 2) is None
    assert ratio(np.eye(3), 2, "swap") is None
    assert 0.9 < ratio(np.diag([1.0, 2.0, 3.0]), 2) <= 1.0


@all_of(
    ("unit", "method"),
    itertools.product([1e-310, 1e300], ["peeling", "greedy", "swap", "ascent", "bound"]),
)
def test_sets_do_not_depend_on_the_unit(unit, method):
    rng = np.random.default_rng(1)
    matrix, linear = symmetric(rng, 7), rng.normal(size=7)
    expected = cpe.ellipsoid_maximum(3, matrix, method, linear=linear)
    found = cpe.ellipsoid_maximum(3, unit * matrix, method, linear=unit * linear)
    assert found.elements == expected.elements
    assert found.bound >= found.value


@all_of("name", ["trees", "matchings", "dag"])
def test_a_set_can_be_left_out(name):
    decisions, rng = CLASSES[name], np.random.default_rng(4)
    matrix, linear = symmetric(rng, decisions.size), rng.normal(size=decisions.size)
    values = {
        m: matrix[np.ix_(m, m)].sum() + linear[list(m)].sum() for m in map(tuple, decisions.sets())
    }
    best = max(values, key=values.get)
    program = cpe.ellipsoid_maximum_program(decisions, matrix, linear=linear, other_than=best)
    del values[best]
    assert cpe.solve(program).objective == pytest.approx(max(values.values()))
    assert program.row_names[-1] == "other"
