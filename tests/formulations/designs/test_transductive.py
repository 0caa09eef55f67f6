"""Designs for some differences of a list, against a cone program of all of them."""

import cvxpy as cp
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import SolverFailed
from cpe_opt.formulations.designs.transductive import TransductiveDesigns

TREES = cpe.SpanningTrees([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])


def least_rho(vectors, apart):
    """The least of the largest squared norms: ρ = min Σ c²/λ where y = Σ c x, for every y."""
    shares = cp.Variable(len(vectors), nonneg=True)
    bound = cp.Variable()
    rows = [cp.sum(shares) == 1]
    for y in apart:
        parts = cp.Variable(len(vectors))
        norms = [cp.quad_over_lin(parts[i], shares[i]) for i in range(len(vectors))]
        rows += [vectors.T @ parts == y, cp.sum(cp.hstack(norms)) <= bound]
    problem = cp.Problem(cp.Minimize(bound), rows)
    problem.solve(solver="CLARABEL")
    return float(problem.value)


def pairs(vectors):
    """All differences, once for both signs, of vectors of zeros and ones."""
    apart = (vectors[:, None] - vectors[None, :]).reshape(-1, vectors.shape[1])
    return np.unique(
        apart[(np.sign(apart) * 2.0 ** -np.arange(apart.shape[1])).sum(axis=1) > 0], axis=0
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", ["multiplicative", "cvxpy"])
def test_designs_are_optimal_for_the_sets_that_are_left(method):
    vectors = TREES.indicator_matrix()
    designs = TransductiveDesigns(vectors, method)
    for left in ([0, 1], [0, 3, 5], range(len(vectors))):
        chosen, shares, rho, bound = designs.of(np.array(left))
        apart = pairs(vectors[list(left)])
        information = vectors[chosen].T @ (shares[:, None] * vectors[chosen])
        inverse = np.linalg.pinv(information, hermitian=True)
        assert np.allclose(apart @ inverse @ information, apart, atol=1e-6)
        assert rho == pytest.approx(((apart @ inverse) * apart).sum(axis=1).max(), rel=1e-6)
        assert shares.sum() == pytest.approx(1.0, abs=1e-6)
        least = least_rho(vectors, apart)
        assert 0.999 <= rho / least <= 1.02
        assert rho / 1.03 <= bound <= least * (1.0 + 1e-6)


@pytest.mark.parametrize(
    ("decisions", "left", "rows", "groups"),
    [
        (cpe.TopK(4, 2), [0, 5], [0, 5], [[0, 5]]),
        (cpe.TopK(5, 2), [0, 1], [0, 1, 5, 6, 7, 8], [[0, 1, 5, 6, 7, 8]]),
        (cpe.TopK(5, 2), [0, 9], [0, 1, 4, 7, 8, 9], [[0, 9], [1, 4, 7, 8]]),
        (TREES, [0, 1], [0, 1, 3, 4, 6, 7], [[0, 1, 3, 4, 6, 7]]),
    ],
)
def test_sets_that_see_no_difference_are_not_pulled_and_symmetric_ones_alike(
    decisions, left, rows, groups
):
    """No last bit decides which sets have a share, nor which of several equal ones has more."""
    design = TransductiveDesigns(decisions.indicator_matrix()).of(np.array(left))
    assert design.rows.tolist() == rows
    for group in groups:
        assert len({design.shares[rows.index(row)] for row in group}) == 1


@pytest.mark.parametrize(("bound", "refused"), [(5.0, True), (5.8, True), (5.85, False)])
def test_a_design_far_above_its_bound_is_refused(monkeypatch, bound, refused):
    """Equal shares of three elements have the value 6 for two of them: 3 % above 5.825."""
    room = "cpe_opt.formulations.designs.transductive._steps"
    equal = np.full(3, 1.0 / 3.0)
    monkeypatch.setattr(room, lambda inside, apart: (equal, bound))
    designs = TransductiveDesigns(np.eye(3))
    if not refused:
        assert designs.of(np.array([0, 1])).value == pytest.approx(6.0)
        return
    with pytest.raises(SolverFailed, match=rf"above the bound {bound:.6g}, expected at most"):
        designs.of(np.array([0, 1]))


def test_large_shares_that_do_not_tell_every_difference_are_mixed_with_equal_ones(monkeypatch):
    vectors = cpe.TopK(4, 2).indicator_matrix()
    name = "cpe_opt.formulations.designs.transductive._steps"
    monkeypatch.setattr(name, lambda inside, apart: (np.eye(len(inside))[0], 10_000.0))
    rows, shares, value, bound = TransductiveDesigns(vectors).of(np.array([0, 5]))
    assert bound == 10_000.0
    assert rows.tolist() == list(range(6))
    assert np.allclose(shares, [0.99 + 0.01 / 6, *[0.01 / 6] * 5], rtol=1e-6)
    assert 4.0 <= value < 10_000


def test_shares_that_cost_more_than_their_bound_allows_when_dropped_are_mixed(monkeypatch):
    """Without the third vector, the difference itself, its value is 4 instead of 3.08."""
    room = "cpe_opt.formulations.designs.transductive"
    vectors = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]])
    shares = np.array([0.45, 0.45, 0.1])
    monkeypatch.setattr(f"{room}._LEAST_SHARE", 0.2)
    monkeypatch.setattr(f"{room}._steps", lambda inside, apart: (shares, 3.1))
    rows, mixed, value, _ = TransductiveDesigns(vectors).of(np.array([0, 1]))
    assert rows.tolist() == [0, 1, 2]
    assert np.allclose(mixed, 0.99 * shares + 0.01 / 3, rtol=1e-6)
    inverse = np.linalg.inv(vectors.T @ (mixed[:, None] * vectors))
    assert value == pytest.approx(vectors[2] @ inverse @ vectors[2], rel=1e-6)
