"""Bounds of cone programs: true whatever the multipliers, tight where a solver's are good."""

import cvxpy
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import RawSolution, SolverSettings
from cpe_opt.solvers.cones import (
    ConeData,
    cone_proof,
    largest_excess,
    proves_infeasible,
    solved_cones,
)
from cpe_opt.solvers.registry import get_backend

X = cvxpy.Variable(2, name="x")
T = cvxpy.Variable(name="t")
S = cvxpy.Variable((3, 3), symmetric=True, name="s")
C = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.25], [0.0, -0.25, 3.0]])
LEAST, LARGEST = np.linalg.eigvalsh(C)[[0, -1]]
ON_SIMPLEX = [cvxpy.trace(S) == 1, S >> 0]

# Each cone in turn, with the optimum in closed form.
KNOWN = {
    "orthant": (cvxpy.Minimize(3 * X[0] + X[1] + 5), [X >= 1, X[0] + X[1] >= 4], 11.0),
    "second order": (cvxpy.Minimize(cvxpy.norm(X) - 2), [X >= 1], np.sqrt(2) - 2),
    "rotated": (cvxpy.Maximize(cvxpy.geo_mean(X) + 5), [cvxpy.sum(X) <= 3], 6.5),
    "least eigenvalue": (cvxpy.Minimize(cvxpy.trace(C @ S)), ON_SIMPLEX, LEAST),
    "largest eigenvalue": (cvxpy.Maximize(cvxpy.trace(C @ S) + 7), ON_SIMPLEX, LARGEST + 7),
    "determinant": (cvxpy.Maximize(cvxpy.log_det(S)), ON_SIMPLEX, -3 * np.log(3)),
    "exponential": (cvxpy.Minimize(cvxpy.exp(T) - 2 * T), [], 2 - 2 * np.log(2)),
    "quadratic": (cvxpy.Minimize(cvxpy.sum_squares(X) - X[0] + 1), [X >= 1], 2.0),
    "in a ball": (cvxpy.Minimize(cvxpy.sum_squares(X - 3)), [cvxpy.norm(X) <= 1], 19 - 18**0.5 * 2),
    "quadratic, singular": (cvxpy.Minimize(cvxpy.square(X[0] - X[1])), [cvxpy.sum(X) == 3], 0.0),
    "large costs": (cvxpy.Minimize(1e9 * cvxpy.norm(X)), [X >= 1], 1e9 * np.sqrt(2)),
}
CURVED = [name for name in KNOWN if name not in ("orthant", "quadratic, singular")]


def program(name):
    objective, constraints, optimum = KNOWN[name]
    return cpe.ConicProgram("known", cvxpy.Problem(objective, constraints)), optimum


@pytest.mark.parametrize("solver", ["clarabel", "scs"])
@pytest.mark.parametrize("name", KNOWN)
def test_optima_have_bounds_from_the_dual_cone(name, solver):
    known, optimum = program(name)
    result = cpe.solve(known, solver)
    assert result.is_optimal
    assert result.bound == pytest.approx(optimum, rel=1e-6, abs=1e-7)
    lead = (optimum - result.bound) * (1 if known.sense == "min" else -1)
    assert lead >= -1e-13 * max(1.0, abs(optimum))
    assert result.residuals.gap == result.gap


@pytest.mark.parametrize(
    ("objective", "constraints"),
    [
        (cvxpy.Minimize(cvxpy.inv_pos(T)), []),
        (cvxpy.Minimize(X[0]), [cvxpy.geo_mean(X) >= 1]),
        (cvxpy.Minimize(1e-9 * T), [cvxpy.quad_over_lin(1, X[0]) <= T]),
    ],
)
@pytest.mark.parametrize("solver", ["clarabel", "scs"])
def test_an_infimum_that_is_not_attained_is_no_optimum(objective, constraints, solver):
    endless = cpe.ConicProgram("endless", cvxpy.Problem(objective, constraints))
    options = {"max_iters": 2000} if solver == "scs" else {}
    result = cpe.solve(endless, solver, check=False, solver_options=options)
    assert not result.is_optimal
    assert result.bound is None or result.bound <= 0.0


def test_of_power_cones_nothing_is_proved():
    cone = cvxpy.PowCone3D(X[0], X[1], T, 0.3)
    power = cpe.ConicProgram("power", cvxpy.Problem(cvxpy.Maximize(T), [cone, cvxpy.sum(X) <= 2]))
    result = cpe.solve(power, "clarabel", check=False)
    assert (result.status, result.bound) == (Status.IMPRECISE, None)
    assert "nothing proves a bound" in result.message
    assert result.objective == pytest.approx(2 * 0.3**0.3 * 0.7**0.7, abs=1e-6)


def data_and_multipliers(name):
    """The program in CVXPY's form, Clarabel's point and multipliers, and the optimum."""
    objective, constraints, optimum = KNOWN[name]
    problem = cvxpy.Problem(objective, constraints)
    data, chain, inverse = problem.get_problem_data(cvxpy.CLARABEL)
    solution = chain.solve_via_data(problem, data)
    sign = 1.0 if objective.NAME == "minimize" else -1.0
    least = sign * optimum - inverse[-1].inverse_data["offset"]
    return ConeData.of(problem), np.array(solution.x), np.array(solution.z), least


@pytest.mark.parametrize("name", KNOWN)
def test_bounds_are_true_of_any_multipliers(name):
    """Near the optimum or not, from a wrong point, too; and tight for small errors."""
    data, x, z, least = data_and_multipliers(name)
    rng = np.random.default_rng(0)
    tight = 0
    sizes = 1.0 + abs(least) + float(np.abs(data.sides) @ np.abs(z))
    for error in (0.0, 1e-9, 1e-6, 1e-3, 0.1, 1.0):
        for _ in range(5):
            noise = 1.0 + error * rng.normal(size=(2, len(z)))
            point = x * (1.0 + error * rng.normal(size=len(x)))
            proof = cone_proof(data, point, z * noise[0])
            if proof is not None:
                assert proof <= least + 1e-9 * sizes
                tight += proof >= least - 1e-5 * max(1.0, abs(least))
    assert tight >= 4


@pytest.mark.parametrize("name", CURVED)
def test_multipliers_outside_of_the_dual_cone_prove_nothing(name):
    data, x, z, _ = data_and_multipliers(name)
    assert cone_proof(data, x, -np.abs(z) - 1.0) is None
    assert cone_proof(data, x, np.full_like(z, np.nan)) is None


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        (RawSolution(Status.OPTIMAL, np.array([1.0, 1.01]), multipliers=(None,)), "gap of 0.00709"),
        (RawSolution(Status.OPTIMAL, np.array([1.0, 0.99]), multipliers=(None,)), "breaks a const"),
        (RawSolution(Status.INFEASIBLE), "nothing confirms it"),
    ],
)
def test_lies_are_not_believed(lie, words, monkeypatch):
    """Of the least norm of x >= 1; the bound is Clarabel's, of a solve of its own."""
    known, optimum = program("second order")
    scs = get_backend("scs")
    monkeypatch.setattr(scs, "solve_conic", lambda program, settings: lie, raising=False)
    raw = solved_cones(known, scs, SolverSettings())
    assert raw.status is Status.IMPRECISE
    assert words in raw.message
    assert lie.x is None or raw.bound == pytest.approx(optimum)


def test_sides_make_room_for_rounding_of_their_own_entry_alone():
    """Of x >= (1e9, 1) the first entry may be 900 short, the second one 1e-6."""
    limits = [np.array([1e9, 1.0]) <= X]
    near = cpe.ConicProgram("near", cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(X)), limits))
    near.put(np.array([1e9 - 900.0, 1.0]))
    assert largest_excess(near) == pytest.approx(0.9)
    near.put(np.array([1e9, 0.999]))
    assert largest_excess(near) == pytest.approx(1000.0)
    np.testing.assert_array_equal(X.value, [1e9, 0.999])
    positive = cvxpy.Variable(2, nonneg=True, name="positive")
    declared = cpe.ConicProgram("declared", cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(positive))))
    declared.put(np.array([-0.001, 1.0]))
    assert largest_excess(declared) == pytest.approx(1000.0)


WITHOUT = {
    "second order": [cvxpy.norm(X) <= 1, X[0] >= 2],
    "negative norm": [cvxpy.norm(X) <= -1],
    "semidefinite": [S >> 0, S[0, 0] <= -1],
    "exponential": [cvxpy.exp(T) <= -1],
}


@pytest.mark.parametrize("solver", ["clarabel", "scs"])
@pytest.mark.parametrize("name", WITHOUT)
def test_programs_without_a_point_have_multipliers_that_prove_it(name, solver):
    X.value = np.ones(2)
    without = cpe.ConicProgram(
        "without", cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(X)), WITHOUT[name])
    )
    assert cpe.solve(without, solver, check=False).status is Status.INFEASIBLE
    assert all(variable.value is None for variable in without.problem.variables())


@pytest.mark.parametrize("name", ["second order", "semidefinite", "exponential"])
def test_rays_are_checked_by_their_entries(name):
    """A proof that holds does not hold for its negative, nor for one that is a tenth off."""
    problem = cvxpy.Problem(cvxpy.Minimize(0), WITHOUT[name])
    data, chain, _ = problem.get_problem_data(cvxpy.CLARABEL)
    z = np.array(chain.solve_via_data(problem, data).z)
    data = ConeData.of(problem)
    assert proves_infeasible(data, z)
    assert not proves_infeasible(data, -z)
    assert not proves_infeasible(data, z * np.linspace(1, 3, len(z)))
