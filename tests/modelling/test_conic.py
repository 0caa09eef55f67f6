"""Cone programs: their names, their kinds, and how far a point is from a cone."""

import cvxpy
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.modelling.conic import as_program
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.registry import get_backend

X = cvxpy.Variable(2, name="x")
MATRIX = cvxpy.Variable((2, 3), name="m")
NUMBER = cvxpy.Variable(name="t")
WHOLE = cvxpy.Variable(name="whole", integer=True)
SYMMETRIC = cvxpy.Variable((2, 2), symmetric=True, name="s")


def program(objective, constraints=(), name="p"):
    return cpe.ConicProgram(name, cvxpy.Problem(objective, list(constraints)))


def test_columns_are_named_by_their_places():
    named = program(cvxpy.Minimize(NUMBER + cvxpy.norm(MATRIX) + X[0]))
    MATRIX.value, NUMBER.value, X.value = np.arange(6.0).reshape(2, 3), 7.0, np.array([8.0, 9.0])
    expected = {"t": 7, "m_0_0": 0, "m_0_1": 1, "m_0_2": 2, "m_1_0": 3, "m_1_1": 4, "m_1_2": 5}
    values = dict(zip(named.column_names, named.x, strict=True))
    assert values == expected | {"x_0": 8, "x_1": 9}


@pytest.mark.parametrize(
    ("problem", "kind"),
    [
        (program(cvxpy.Minimize(cvxpy.norm(X)), [X >= 1]), "conic"),
        (program(cvxpy.Minimize(cvxpy.square(WHOLE) + NUMBER), [NUMBER >= 1]), "MIQP"),
        (program(cvxpy.Minimize(cvxpy.norm(X) + WHOLE)), "MICP"),
        (program(cvxpy.Minimize(cvxpy.norm1(X) - 2 * cvxpy.min(X))), "LP"),
        (program(cvxpy.Maximize(cvxpy.sum_squares(X))), "conic"),
    ],
)
def test_the_kind_is_that_of_the_problem(problem, kind):
    assert problem.kind == kind


@pytest.mark.parametrize(
    ("objective", "constraints", "value"),
    [
        (cvxpy.Minimize(cvxpy.norm1(X - 1) + 3), [X >= 2], 5.0),
        (cvxpy.Maximize(4 - cvxpy.max(X) + X[1]), [X[0] == 1, X[1] <= 7], 4.0),
        (cvxpy.Maximize(1 - cvxpy.sum_squares(X - 1) + NUMBER), [X <= 0, NUMBER <= 2], 1.0),
        (cvxpy.Minimize(cvxpy.trace(SYMMETRIC)), [np.array([[1, 2], [0, 3]]) <= SYMMETRIC], 4.0),
        (cvxpy.Minimize(3 * WHOLE + cvxpy.abs(NUMBER)), [WHOLE >= 0.5, NUMBER <= -1], 4.0),
        (cvxpy.Minimize(cvxpy.Parameter(value=2.0) * NUMBER), [NUMBER >= 3], 6.0),
    ],
)
def test_what_is_linear_or_quadratic_is_a_program_of_rows(objective, constraints, value):
    conic = program(objective, constraints)
    rows, put = as_program(conic)
    assert (rows.kind, rows.sense) == (conic.kind, conic.sense)
    point = get_backend("highs").solve(rows, SolverSettings()).x
    put(point)
    assert rows.objective(point) == pytest.approx(value, abs=1e-6)
    assert objective.value == pytest.approx(value, abs=1e-6)
    assert conic.violation() < 1e-6


def test_a_quadratic_program_keeps_its_whole_columns_and_its_bounds():
    flag = cvxpy.Variable(2, boolean=True, name="flag")
    square = cvxpy.sum_squares(flag - 0.4)
    rows, _ = as_program(program(cvxpy.Minimize(square), [cvxpy.sum(flag) == 1]))
    whole = rows.linear.integer
    assert (rows.kind, whole.sum()) == ("MIQP", 2)
    assert (rows.linear.column_lower[whole] == 0).all()
    assert (rows.linear.column_upper[whole] == 1).all()


def test_a_program_solved_in_another_process_has_its_values_and_multipliers():
    moved = program(cvxpy.Minimize(cvxpy.norm(X)), [X >= 1])
    result = cpe.solve(moved, "clarabel", process="child")
    assert result.values == pytest.approx({"x_0": 1, "x_1": 1}, abs=1e-5)
    assert moved.problem.constraints[0].dual_value == pytest.approx(0.5**0.5, abs=1e-5)


@pytest.mark.parametrize(
    ("point", "distance"),
    [
        ((1.0, 1.0, np.e), 0.0),
        ((1.5, 1.0, np.e), 0.5),
        ((-1.0, 0.0, 2.0), 0.0),
        ((2.0, 0.0, 2.0), 2.0),
        ((0.0, -0.25, 1.0), 0.25),
        ((0.0, 1e-9, -1e-6), 1e-6),
        ((1e-12, 1e-12, 1e-12), 0.0),
    ],
)
def test_the_distance_to_the_exponential_cone(point, distance):
    x, y, z = (cvxpy.Variable(1, name=name) for name in "xyz")
    exponential = program(cvxpy.Minimize(x[0]), [cvxpy.ExpCone(x, y, z)])
    for variable, value in zip((x, y, z), point, strict=True):
        variable.value = np.array([value])
    assert exponential.violation() == pytest.approx(distance, abs=1e-11)


def test_the_violation_is_the_largest_of_all_constraints():
    limits = [X >= 1, cvxpy.norm(X) <= 2]
    X.value = np.array([0.25, 3.0])
    assert program(cvxpy.Minimize(X[0]), limits[:1]).violation() == pytest.approx(0.75)
    assert program(cvxpy.Minimize(X[0]), limits).violation() == pytest.approx(np.hypot(0.25, 3) - 2)
