"""Quadratic programs in the manner of Maros and Mészáros, with numbers as bad as theirs.

What Clarabel or HiGHS solve when called directly, without this package, is reported as solved by
the better of the two, with its value: by Clarabel where its point keeps the rows, else by HiGHS.
The other one may fail, but not claim another optimum.
"""

import operator

import cvxpy
import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from tests.suites import outcome
from tests.suites.packages import linear

FREE = (-np.inf, np.inf)


def program(name, hessian, costs, matrix, sides, bounds, offset=0.0):
    """A quadratic program; sides and bounds are pairs of arrays or numbers."""
    m, n = matrix.shape
    low, high = (np.broadcast_to(np.asarray(each, dtype=float), m) for each in sides)
    ends = tuple(np.broadcast_to(np.asarray(each, dtype=float), n) for each in bounds)
    whole = linear(name, costs, sp.csr_array(matrix), (low, high), ends, np.zeros(n), offset=offset)
    return cpe.QuadraticProgram(whole, sp.csr_array(hessian))


def noise(rng):
    """Sides that are 0 but for rounding: ±1e-16, as sums of decimals leave them."""
    root, matrix = rng.integers(-2, 3, (5, 8)), rng.integers(-4, 5, (6, 8)) / 10
    sides = rng.choice([-8.8e-16, 0.0, 2.2e-16, -1.1e-16], size=6)
    sides[0] = matrix[0].sum()
    matrix[0] = np.abs(matrix[0]) + 0.1
    return root.T @ root, rng.normal(size=8).round(2), matrix, (sides, np.inf), (0.0, np.inf)


def powers(rng):
    """Least squares on powers of t, a Hilbert-like Hessian, with the values of the fit bounded."""
    t, degree = np.linspace(0.0, 1.0, 30), 9
    basis = t[:, None] ** np.arange(degree)
    target = np.sin(3 * t) + 0.01 * rng.normal(size=30)
    rows = basis[::5]
    return basis.T @ basis, -basis.T @ target, rows, (-0.5, 1.2), (-50.0, 50.0)


def far_apart(rng):
    """Entries between 1e-6 and 1e6 in the Hessian's diagonal and in the rows."""
    n, m = 10, 6
    size = 10.0 ** rng.integers(-3, 4, size=n)
    matrix = rng.integers(-3, 4, (m, n)) * size
    inside = matrix @ (rng.uniform(0, 1, n) / size)
    return np.diag(size**2), -size * rng.uniform(0, 1, n), matrix, (inside - 1.0, inside), FREE


def free_simplex(rng):
    """PRIMAL's own shape: minimise ½|y|² with y = A'u free, over rows that a shift must keep."""
    a = rng.normal(size=(15, 6)) + 0.5
    hessian = np.diag(np.concatenate([np.ones(6), [0.0]]))
    matrix = np.hstack([a, -np.ones((15, 1))])
    costs = np.concatenate([np.zeros(6), [-1.0]])
    return hessian, costs, matrix, (0.0, np.inf), FREE


def semi_infinite(rng):
    """Many rows in few columns, like KSIP: Σ_j x_j t^j >= tan t at 300 points."""
    del rng
    t = np.linspace(0.0, 1.0, 300)
    matrix = t[:, None] ** np.arange(12)
    hessian = np.diag(1.0 / np.arange(1, 13))
    return hessian, 1.0 / np.arange(1, 13), matrix, (np.tan(t), np.inf), FREE


def few_terms(rng):
    """The rows of a linear program and three quadratic terms, like QAFIRO and QBORE3D."""
    m, n = 18, 24
    matrix = rng.integers(-2, 5, (m, n)) * (rng.random((m, n)) < 0.25) / 10.0
    inside = rng.integers(0, 50, n) * (rng.random(n) < 0.6)
    sides = matrix @ inside
    low, high = (
        np.where(np.arange(m) < 6, sides, -np.inf),
        sides + np.where(np.arange(m) < 6, 0, 80),
    )
    hessian = np.zeros((n, n))
    hessian[:3, :3] = [[10.0, 2.0, 0.0], [2.0, 6.0, 0.1], [0.0, 0.1, 0.002]]
    costs = -matrix.T @ rng.uniform(0, 1, m) + rng.uniform(0, 1, n) * (rng.random(n) < 0.7)
    return hessian, costs, matrix, (low, high), (0.0, np.where(rng.random(n) < 0.5, 300.0, 900.0))


def cancelling(rng):
    """An optimum of 0 of terms near 1e4, like HS268: |M (x - u)|² written out, offset and all."""
    m, u = rng.integers(-9, 10, (5, 5)) * 1.0, np.array([1.0, 2.0, -1.0, 3.0, -4.0])
    hessian = 2.0 * m.T @ m
    rows = rng.integers(-3, 4, (5, 5)) * 1.0
    return hessian, -hessian @ u, rows, (rows @ u - 1.0, np.inf), FREE, float(u @ hessian @ u) / 2


KINDS = (noise, powers, far_apart, free_simplex, semi_infinite, few_terms, cancelling)


def kept(each, x):
    """Whether a point keeps rows and bounds as results must."""
    rows = [(each.matrix, each.row_lower, each.row_upper),
            (sp.eye_array(len(x)), each.column_lower, each.column_upper)]  # fmt: skip
    for matrix, low, high in rows:
        value, terms = matrix @ x, abs(matrix) @ np.abs(x)
        for side, by in ((low, low - value), (high, value - high)):
            room = 1e-6 * np.maximum(1.0, np.abs(side)) + 1e-9 * terms
            if (np.where(np.isfinite(side), by - room, -1.0) > 0).any():
                return False
    return True


def directly(qp, solver):
    """The point of a solver as users of CVXPY call it; None where it fails."""
    each, x = qp.linear, cvxpy.Variable(qp.shape[1])
    low, high = (
        np.concatenate(ends)
        for ends in ((each.row_lower, each.column_lower), (each.row_upper, each.column_upper))
    )
    matrix, equal = sp.vstack([each.matrix, sp.eye_array(x.size)]).tocsr(), low == high
    sides = [
        (operator.eq, equal, high),
        (operator.le, np.isfinite(high) & ~equal, high),
        (operator.ge, np.isfinite(low) & ~equal, low),
    ]
    rows = [relation(matrix[keep] @ x, side[keep]) for relation, keep, side in sides if keep.any()]
    form = 0.5 * cvxpy.quad_form(x, cvxpy.psd_wrap(qp.quadratic.tocsc()))
    problem = cvxpy.Problem(cvxpy.Minimize(each.costs @ x + form), rows)
    try:
        problem.solve(solver=solver)
    except cvxpy.error.SolverError:
        return None
    return x.value if problem.status == "optimal" else None


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # CVXPY adds up unset memory
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_solved_directly_is_reported_as_solved(kind, seed):
    qp = program(kind.__name__, *kind(np.random.default_rng([7, seed])))
    points = {solver: directly(qp, solver.upper()) for solver in ("clarabel", "highs")}
    values = {
        name: qp.objective(x) for name, x in points.items() if x is not None and kept(qp.linear, x)
    }
    assert values  # one of both solves every program here
    better = "clarabel" if "clarabel" in values else "highs"  # Clarabel proves its value
    for solver in ("highs", "clarabel"):
        end, words = outcome(qp, solver, values[better])
        assert end == "right" if solver == better else end != "wrong", words
