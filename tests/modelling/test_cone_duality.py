"""Bounds of cone programs: true whatever the multipliers, tight where a solver's are good."""

import cvxpy
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.modelling.cone_duality import ConeData, cone_proof
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.registry import get_backend

X = cvxpy.Variable(2, name="x")
Y = cvxpy.Variable(3, name="y")
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
    "power": (
        cvxpy.Maximize(T),
        [cvxpy.PowCone3D(X[0], X[1], T, 0.3), cvxpy.sum(X) <= 2],
        2 * 0.3**0.3 * 0.7**0.7,
    ),
    "power of three": (
        cvxpy.Maximize(T),
        [cvxpy.PowConeND(Y, T, np.array([0.2, 0.3, 0.5])), cvxpy.sum(Y) <= 2],
        2 * 0.2**0.2 * 0.3**0.3 * 0.5**0.5,
    ),
    "quadratic": (cvxpy.Minimize(cvxpy.sum_squares(X) - X[0] + 1), [X >= 1], 2.0),
    "quadratic, inside": (cvxpy.Minimize(cvxpy.sum_squares(X) - X[0]), [X <= 9], -0.25),
    "quadratic, singular": (cvxpy.Minimize(cvxpy.square(X[0] - X[1])), [cvxpy.sum(X) == 3], 0.0),
    "large costs": (cvxpy.Minimize(1e9 * cvxpy.norm(X)), [X >= 1], 1e9 * np.sqrt(2)),
}
CURVED = [name for name in KNOWN if name not in ("orthant", "quadratic, singular")]


def program(name):
    objective, constraints, optimum = KNOWN[name]
    return cpe.ConicProgram("known", cvxpy.Problem(objective, constraints)), optimum


@pytest.mark.parametrize("solver", ["clarabel", "scs", "highs"])
@pytest.mark.parametrize("name", KNOWN)
def test_optima_have_bounds_from_the_dual_cone(name, solver):
    known, optimum = program(name)
    if known.kind not in get_backend(solver).solves:
        pytest.skip(f"{solver} does not solve {known.kind} programs")
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
    if result.status is Status.IMPRECISE and "says 'optimal'" in result.message:
        assert "proved only within a gap of" in result.message


def data_and_multipliers(name):
    """The program in CVXPY's form, Clarabel's point and multipliers, and the optimum."""
    objective, constraints, optimum = KNOWN[name]
    problem = cvxpy.Problem(objective, constraints)
    data, chain, inverse = problem.get_problem_data(cvxpy.CLARABEL)
    solution = chain.solve_via_data(problem, data)
    sign = 1.0 if objective.NAME == "minimize" else -1.0
    least = sign * optimum - inverse[-1].inverse_data["offset"]
    return ConeData.of(data), np.array(solution.x), np.array(solution.z), least


@pytest.mark.parametrize("name", KNOWN)
def test_bounds_are_true_of_any_multipliers(name):
    """Near the optimum or not, from a wrong point, too; and tight for small errors."""
    data, x, z, least = data_and_multipliers(name)
    rng = np.random.default_rng(0)
    tight = 0
    for error in (0.0, 1e-9, 1e-6, 1e-3, 0.1, 1.0):
        for _ in range(10):
            noise = 1.0 + error * rng.normal(size=(2, len(z)))
            point = x * (1.0 + error * rng.normal(size=len(x)))
            proof = cone_proof(data, point, z * noise[0])
            if proof is not None:
                assert proof.bound <= least + 1e-12 * max(1.0, abs(least), proof.terms)
                tight += proof.bound >= least - 1e-5 * max(1.0, abs(least))
    assert tight >= 8


@pytest.mark.parametrize("name", CURVED)
def test_multipliers_outside_of_the_dual_cone_prove_nothing(name):
    data, x, z, _ = data_and_multipliers(name)
    assert cone_proof(data, x, -np.abs(z) - 1.0) is None
    assert cone_proof(data, x, np.full_like(z, np.nan)) is None


def test_what_is_left_of_the_equation_is_charged():
    """min x_0 + x_1 over x >= 1: z = (1, 1) proves 2; without columns in a row nothing repairs."""
    data, x, z, least = data_and_multipliers("orthant")
    assert cone_proof(data, x, z).bound == pytest.approx(least)
    rows = type(data)(data.costs + 1e-6, data.quadratic, data.matrix * 0.0, data.sides, data.dims)
    charge = 1000.0 * (np.abs(data.costs + 1e-6) @ (1.0 + np.abs(x)))
    assert cone_proof(rows, x, z).bound == pytest.approx(-data.sides @ z - charge)


def test_a_proof_leaves_the_values_of_variables_alone():
    known, optimum = program("second order")
    known.problem.solve(solver=cvxpy.SCS)
    before = X.value.copy(), known.problem.constraints[0].dual_value.copy()
    bound, terms = get_backend("clarabel").prove_conic(known.problem, SolverSettings())
    assert bound == pytest.approx(optimum)
    assert terms > abs(optimum)
    np.testing.assert_array_equal(before[0], X.value)
    np.testing.assert_array_equal(before[1], known.problem.constraints[0].dual_value)
    assert get_backend("scs").prove_conic(known.problem, SolverSettings()) == (None, 0.0)


def test_a_point_that_is_not_the_best_is_not_called_optimal(monkeypatch):
    """The bound is Clarabel's, of a solve of its own; the point is 0.01 above the optimum."""
    from cpe_opt.solvers.base import RawSolution
    from cpe_opt.solvers.conic import Scs

    known, _ = program("second order")

    def solve_conic(self, problem, options):
        X.value = np.array([1.0, 1.01])
        return RawSolution(Status.OPTIMAL, X.value), float(problem.objective.value)

    monkeypatch.setattr(Scs, "solve_conic", solve_conic)
    result = cpe.solve(known, "scs", check=False)
    assert result.status is Status.IMPRECISE
    assert "its point is proved only within a gap of 0.012" in result.message
    assert result.bound == pytest.approx(np.sqrt(2) - 2)


@pytest.mark.parametrize("goal", [cvxpy.Minimize, cvxpy.Maximize])
def test_programs_with_whole_variables_have_the_solver_s_bound(goal):
    whole = cvxpy.Variable(3, integer=True, name="n")
    sign = 1 if goal is cvxpy.Minimize else -1
    value = sign * (3 * whole[0] + 2 * whole[1] + 4 * whole[2]) - 3
    limits = [2 * whole[0] + whole[1] + 3 * whole[2] >= 7, whole >= 0, whole <= 2]
    stuffed = cpe.ConicProgram("whole", cvxpy.Problem(goal(value), limits))
    result = cpe.solve(stuffed, "highs")
    assert (result.objective, result.bound) == (sign * 10 - 3, sign * 10 - 3)
    assert result.gap == 0.0


def test_a_gap_that_options_allow_is_said_of_programs_with_whole_variables():
    rng = np.random.default_rng(0)
    whole = cvxpy.Variable(6, integer=True, name="n")
    weights, worth = rng.uniform(1, 5, size=(2, 6))
    limits = [weights @ whole <= 17.3, whole >= 0, whole <= 3]
    knapsack = cpe.ConicProgram("knapsack", cvxpy.Problem(cvxpy.Maximize(worth @ whole), limits))
    result = cpe.solve(knapsack, "highs", solver_options={"mip_rel_gap": 0.5}, check=False)
    assert result.status in (Status.GAP_LIMIT, Status.OPTIMAL)
    assert result.bound >= cpe.solve(knapsack, "highs").objective * (1 - 1e-12)
