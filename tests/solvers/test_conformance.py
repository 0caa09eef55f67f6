"""Small programs with answers known by hand, which every installed solver gives."""

from dataclasses import replace

import cvxpy
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import SolverUnable
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.bridge import _Rows
from cpe_opt.solvers.registry import SOLVERS, get_backend
from tests.solvers.test_interrupts import market_split

INSTALLED = [name for name in SOLVERS if get_backend(name).available]
# An option by which each solver stops after next to nothing, and one that takes no text.
STOPS = {
    "highs": {"ipm_iteration_limit": 0, "solver": "ipm", "presolve": "off"},
    "clarabel": {"max_iter": 1},
    "scs": {"max_iters": 2},
    "osqp": {"max_iter": 2},
    "pdlp": {"termination_criteria": {"iteration_limit": 1}},
    "gurobi": {"IterationLimit": 0, "Presolve": 0},
    "cplex": {"simplex.limits.iterations": 0, "preprocessing.presolve": 0},
    "xpress": {"lpiterlimit": 1, "presolve": 0},
    "copt": {"BarIterLimit": 1, "LpMethod": 2, "Presolve": 0},
}
NUMBERS = {
    "highs": "primal_feasibility_tolerance",
    "glop": "primal_feasibility_tolerance",
    "pdlp": "num_threads",
    "scip": "limits/gap",
    "cp-sat": "relative_gap_limit",
    "clarabel": "tol_feas",
    "scs": "eps_abs",
    "osqp": "eps_abs",
    "gurobi": "MIPGap",
    "copt": "RelGap",
    "xpress": "miprelstop",
    "cplex": "mip.tolerances.mipgap",
    "mosek": "MSK_DPAR_MIO_TOL_REL_GAP",
    "cuopt": "mip_relative_gap",
}


def able(kind):
    return [name for name in INSTALLED if kind in get_backend(name).solves]


def linear(sense="min", least=1.0):
    """3 x0 + x1 + 5 x2 + x3, with a range, an equation, a row of one side and one of none."""
    builder = cpe.ProgramBuilder("linear", sense=sense)
    x = builder.columns("x", 4, cost=[3, 1, 5, 1], lower=[0, -np.inf, 2, -np.inf])
    builder.row("range", x[:2], lower=1, upper=6)
    builder.row("equation", [x[1], x[3]], [1, -1], lower=3, upper=3)
    builder.row("side", [x[0], x[2], x[3]], lower=least)
    builder.row("none", x[:3])
    program = builder.build()
    program.column_upper[:] = [10, np.inf, 2, 0]
    return program


def knapsack(sense="max", rows=True):
    sign = 1 if sense == "max" else -1
    builder = cpe.ProgramBuilder("knapsack", sense=sense)
    x = builder.columns("x", 4, cost=[sign * c for c in (10, 7, 4, 4)], upper=1, integer=True)
    if rows:
        builder.row("weight", x, [6, 4, 3, 2], lower=2, upper=9)
    return builder.build()


def quadratic(sense="min", integer=False):
    """±((x0 - 2)² + (x1 + 1)²) over x0 + x1 = 2, x0 <= 4.5, x1 >= -3."""
    sign = 1 if sense == "min" else -1
    builder = cpe.ProgramBuilder("quadratic", sense=sense, offset=5.0 * sign)
    cost = [-4 * sign, 2 * sign]
    x = builder.columns("x", 2, cost=cost, lower=[-9, -3], upper=9, integer=integer)
    builder.quadratic(x, x, sign)
    builder.row("sum", x, lower=2, upper=2)
    builder.row("most", x[:1], lower=-20, upper=3.2 if integer else 4.5)
    return builder.build()


def small(solver):
    return linear() if "LP" in get_backend(solver).solves else knapsack()


@pytest.mark.parametrize("solver", able("LP"))
@pytest.mark.parametrize(
    ("sense", "least", "value", "x", "duals"),
    [
        ("min", 1.0, 11.0, [0, 2, 2, -1], [0, 1, 2, 0]),
        ("min", -5.0, 9.0, [0, 1, 2, -2], [2, -1, 0, 0]),
        ("max", 1.0, 29.0, [10, -4, 2, -7], [2, -1, 0, 0]),
    ],
)
def test_linear_programs(solver, sense, least, value, x, duals):
    program = linear(sense, least)
    raw = get_backend(solver).solve(program, SolverSettings())
    assert raw.status is Status.OPTIMAL
    np.testing.assert_allclose(raw.x, x, atol=1e-5)
    if solver != "scip":
        np.testing.assert_allclose(raw.row_duals, duals, atol=1e-5)
    result = cpe.solve(program, solver)
    assert result.objective == pytest.approx(value, abs=1e-6)
    assert result.bound == pytest.approx(value, abs=1e-6)
    np.testing.assert_allclose(result.row_duals, duals, atol=1e-5)


@pytest.mark.parametrize("solver", able("MIP"))
@pytest.mark.parametrize("sense", ["min", "max"])
def test_integer_programs_with_a_bound_of_the_solver(solver, sense):
    raw = get_backend(solver).solve(knapsack(sense), SolverSettings())
    value = 15.0 if sense == "max" else -15.0
    assert (raw.status, raw.row_duals) == (Status.OPTIMAL, None)
    assert raw.bound == pytest.approx(value, abs=1e-6)
    assert raw.x == pytest.approx([0, 1, 1, 1], abs=1e-6)
    if get_backend(solver).starts:
        for start in ({"x_0": 0, "x_1": 1, "x_2": 1, "x_3": 1}, {"x_2": 1}):
            result = cpe.solve(knapsack(sense), solver, warm_start=start)
            assert result.objective == pytest.approx(value)


@pytest.mark.parametrize("solver", able("QP"))
@pytest.mark.parametrize("sense", ["min", "max"])
def test_quadratic_programs(solver, sense):
    """x = (2.5, -0.5): of the sum's side s the optimum is (s - 1)² / 2, its derivative s - 1."""
    sign = 1 if sense == "min" else -1
    raw = get_backend(solver).solve(quadratic(sense), SolverSettings())
    np.testing.assert_allclose(raw.x, [2.5, -0.5], atol=1e-5)
    np.testing.assert_allclose(raw.row_duals, [sign, 0], atol=1e-5)
    result = cpe.solve(quadratic(sense), solver)
    assert result.objective == pytest.approx(0.5 * sign, abs=1e-6)
    assert result.bound == pytest.approx(0.5 * sign, abs=1e-6)
    if "MIQP" in get_backend(solver).solves:
        result = cpe.solve(quadratic(sense, integer=True), solver)
        assert result.objective == pytest.approx(sign, abs=1e-6)
        assert sorted(result.x.round(6)) in ([-1, 3], [0, 2])


@pytest.mark.parametrize("solver", able("conic"))
@pytest.mark.parametrize("sense", [1, -1])
def test_cone_programs_leave_values_and_multipliers_in_the_problem(solver, sense):
    """The least norm with sum s is s / √2, its derivative by s 1 / √2."""
    x = cvxpy.Variable(2, name="x")
    goal = cvxpy.Minimize(cvxpy.norm(x)) if sense == 1 else cvxpy.Maximize(-cvxpy.norm(x))
    total = cvxpy.sum(x) >= 2
    program = cpe.ConicProgram("norm", cvxpy.Problem(goal, [total]))
    assert program.kind == "conic"
    result = cpe.solve(program, solver)
    assert result.objective == pytest.approx(sense * np.sqrt(2), abs=1e-6)
    assert result.bound == pytest.approx(sense * np.sqrt(2), abs=1e-6)
    np.testing.assert_allclose(x.value, [1, 1], atol=1e-4)
    assert total.dual_value == pytest.approx(1 / np.sqrt(2), abs=1e-4)


@pytest.mark.parametrize(
    ("kind", "solver"), [(k, s) for k in ("LP", "MIP", "QP", "conic") for s in able(k)]
)
def test_programs_without_an_optimum(kind, solver):
    whole = kind == "MIP"
    x = cvxpy.Variable(2, name="x", integer=whole, bounds=[-5, 5] if whole else None)
    bent = {"QP": cvxpy.square(x[0]), "conic": cvxpy.norm(x - 1)}.get(kind, 0)
    sums = [x[0] + x[1] >= 1, 2 * x[0] + 2 * x[1] <= 1]
    infeasible = cpe.ConicProgram("p", cvxpy.Problem(cvxpy.Minimize(x[0] + x[1] + bent), sums))
    assert cpe.solve(infeasible, solver, check=False).status is Status.INFEASIBLE
    if whole:  # of what is bounded there is an optimum
        return
    endless = cpe.ConicProgram("p", cvxpy.Problem(cvxpy.Minimize(2 * x[1] + bent), [x[1] <= x[0]]))
    end = cpe.solve(endless, solver, check=False)
    if kind == "conic":  # its ray is not checked
        assert end.status is Status.IMPRECISE
        assert "says 'unbounded', and nothing confirms it" in end.message
    else:
        assert end.status is Status.UNBOUNDED


@pytest.mark.parametrize("solver", able("MIP"))
def test_a_time_limit_is_a_time_limit(solver):
    result = cpe.solve(market_split(5), solver, time_limit=0.1, check=False)
    assert result.status is Status.TIME_LIMIT


@pytest.mark.parametrize("solver", [name for name in STOPS if name in INSTALLED])
def test_a_limit_on_iterations_is_one(solver):
    raw = get_backend(solver).solve(linear(), SolverSettings(solver_options=STOPS[solver]))
    assert raw.status is Status.ITERATION_LIMIT


@pytest.mark.parametrize("solver", INSTALLED)
def test_nothing_is_printed_and_options_that_a_solver_does_not_take_are_refused(solver, capfd):
    cpe.solve(small(solver), solver)
    assert capfd.readouterr() == ("", "")
    for options in ({"nonsense": 1}, {NUMBERS[solver]: "many"}):
        with pytest.raises(cpe.InputError, match=solver):
            cpe.solve(small(solver), solver, solver_options=options)


@pytest.mark.parametrize("solver", INSTALLED)
def test_threads_seeds_and_no_rows(solver):
    backend = get_backend(solver)
    program = knapsack(rows=False) if "MIP" in backend.solves else linear()
    if backend.takes_threads:
        assert cpe.solve(program, solver, threads=2, seed=3).is_optimal
    else:
        with pytest.raises(SolverUnable, match="runs on one thread, threads is 2"):
            cpe.solve(program, solver, threads=2)
    assert cpe.solve(program, solver, seed=3).is_optimal
    if "LP" in backend.solves:
        builder = cpe.ProgramBuilder("free")
        builder.columns("x", 2, cost=[0, 2], lower=[-np.inf, -1])
        assert cpe.solve(builder.build(), solver).objective == pytest.approx(-2, abs=1e-6)


@pytest.mark.parametrize("wrong", ["fraction", "endless"])
def test_cp_sat_takes_whole_bounded_columns_alone(wrong):
    builder = cpe.ProgramBuilder("p")
    builder.columns("x", 2, upper=3, integer=True)
    builder.columns("y", 1, upper=3 if wrong == "fraction" else np.inf, integer=wrong != "fraction")
    with pytest.raises(SolverUnable, match="every column whole and bounded, column 'y_0' of 'p'"):
        cpe.solve(builder.build(), "cp-sat")


@pytest.mark.parametrize("whole", [[True, True], [True, False], [False, False]])
def test_bridged_programs_have_the_columns_that_are_whole(whole):
    """As CVXPY gets them, for the solvers that cannot be installed here."""
    builder = cpe.ProgramBuilder("p")
    columns = builder.columns("x", ["a", "b"], cost=[1.0, 2.0], upper=5.0)
    builder.row("r", columns, [1.0, 1.0], lower=2.5)
    rows = _Rows(replace(builder.build(), integer=np.array(whole)), None)
    rows.problem.solve(solver="HIGHS")
    assert rows.problem.value == pytest.approx(3.0 if whole[0] else 2.5)
