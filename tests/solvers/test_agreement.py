"""Random linear, quadratic and conic programs: solvers that share no code agree."""

import cvxpy
import numpy as np
import pytest
from scipy.optimize import linprog

import cpe_opt as cpe
from cpe_opt.errors import SolverUnable
from tests.support import LICENSED, random_program

ACCURACY = {"highs": 1e-8, "glop": 1e-8, "scip": 1e-7, "clarabel": 1e-6, "pdlp": 1e-5, "scs": 1e-5}
ACCURACY |= dict.fromkeys(LICENSED, 1e-8)


@pytest.mark.parametrize("solver", ACCURACY)
def test_linear_programs(solver):
    rng = np.random.default_rng(11)
    for number in range(10):
        program = random_program(rng, sense="min" if number % 2 else "max")
        sign = 1 if program.sense == "min" else -1
        upper, lower = np.isfinite(program.row_upper), np.isfinite(program.row_lower)
        matrix = program.matrix.toarray()
        expected = linprog(
            sign * program.costs,
            A_ub=np.vstack([matrix[upper], -matrix[lower]]),
            b_ub=np.concatenate([program.row_upper[upper], -program.row_lower[lower]]),
            bounds=list(zip(program.column_lower, program.column_upper, strict=True)),
            method="highs-ipm",
        )
        result = cpe.solve(program, solver)
        tolerance = ACCURACY[solver]
        assert result.objective == pytest.approx(
            sign * expected.fun + program.offset, abs=10 * tolerance
        )
        assert result.residuals.primal <= 10 * tolerance


@pytest.mark.parametrize("solver", ["highs", "clarabel", "scs"])
def test_quadratic_programs_against_their_optimality_conditions(solver):
    """Projection onto a box of the minimum of ||Ax - b||: the projected gradient vanishes."""
    rng = np.random.default_rng(13)
    for _ in range(10):
        a, b = rng.normal(size=(8, 5)), rng.normal(size=8)
        x = cvxpy.Variable(5, name="x")
        problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(a @ x - b)), [x >= 0, x <= 0.4])
        result = cpe.solve(cpe.ConicProgram("norm", problem), solver)
        gradient = 2 * a.T @ (a @ result.x - b)
        step = result.x - np.clip(result.x - gradient, 0, 0.4)
        assert np.abs(step).max() < 1e-4
        assert result.residuals.primal < 1e-5
        assert result.objective == pytest.approx(((a @ result.x - b) ** 2).sum(), abs=1e-5)
        assert result.values["x_0"] == result.x[0]


@pytest.mark.parametrize("solver", ["clarabel", "scs"])
def test_cone_programs(solver):
    """The largest eigenvalue by an SDP, the norm by a second-order cone."""
    rng = np.random.default_rng(14)
    matrix = rng.normal(size=(4, 4))
    matrix = matrix + matrix.T
    bound = cvxpy.Variable(name="bound")
    problem = cvxpy.Problem(cvxpy.Minimize(bound), [bound * np.eye(4) - matrix >> 0])
    result = cpe.solve(cpe.ConicProgram("norm", problem), solver)
    assert result.objective == pytest.approx(np.linalg.eigvalsh(matrix)[-1], abs=1e-4)
    target = rng.normal(size=3)
    point = cvxpy.Variable(3)
    problem = cvxpy.Problem(cvxpy.Maximize(target @ point), [cvxpy.norm(point) <= 2])
    assert cpe.solve(cpe.ConicProgram("norm", problem), solver).objective == pytest.approx(
        2 * np.linalg.norm(target), 1e-4
    )


def test_cvxpy_problems_go_only_to_solvers_that_can():
    x = cvxpy.Variable(2)
    cone = cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(x)), [x >= 1])
    with pytest.raises(SolverUnable, match="'highs' does not solve conic programs"):
        cpe.solve(cpe.ConicProgram("norm", cone), "highs")
    with pytest.raises(SolverUnable, match="'glop' does not solve conic programs"):
        cpe.solve(cpe.ConicProgram("norm", cone), "glop")
    linear = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(x)), [x >= 1])
    assert cpe.solve(cpe.ConicProgram("norm", linear), "clarabel").objective == pytest.approx(
        2, abs=1e-6
    )
    with pytest.raises(SolverUnable, match="takes no ConicProgram"):
        cpe.solve(cpe.ConicProgram("norm", linear), "glop")
    concave = cvxpy.Problem(cvxpy.Maximize(cvxpy.norm(x)), [x <= 1])
    with pytest.raises(cpe.InputError, match="not convex"):
        cpe.solve(cpe.ConicProgram("norm", concave), "clarabel")
    infeasible = cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(x)), [x >= 1, x <= 0])
    with pytest.raises(cpe.NotOptimal, match="infeasible"):
        cpe.solve(cpe.ConicProgram("norm", infeasible), "clarabel")
