"""Claims are true: statuses, optima, bounds and gaps of programs that misled solvers."""

import math
from dataclasses import replace

import cvxpy
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import NoDuals, SolverUnable
from cpe_opt.modelling.certify import dual_proof, relative_gap
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import RawSolution
from cpe_opt.solvers.cp_sat import whole_numbers
from cpe_opt.solvers.registry import get_backend
from cpe_opt.solvers.scaling import scaled
from tests.support import LICENSED, random_program

MIP_SOLVERS = ("highs", "scip", "cp-sat", *LICENSED)


def one_row(costs, lower, upper, row, low=-math.inf, high=math.inf, *, sense="max", integer=True):
    builder = cpe.ProgramBuilder("small", sense=sense)
    x = builder.columns("x", len(costs), cost=costs, lower=lower, upper=upper, integer=integer)
    builder.row("r", x, row, lower=low, upper=high)
    return builder.build()


MISLEADING = {
    "scip's presolve": (
        one_row([-1.1524, 1.0687, -1.3295], [-2, -2, -1], [1, 1, 2], [4 / 3, -1, 1], -7 / 3, 3),
        2.4819,
    ),
    "fractional bounds": (one_row([-1.5], [-0.5], [2.0], [-1.0], -1.0), 0.0),
    "tiny costs": (one_row([1e-9, 2e-9], 0, [1, 1], [1, 1], high=1), 2e-9),
    "huge costs": (one_row([1e9, 2e9 + 1], 0, [1, 1], [1, 1], high=1), 2e9 + 1),
    "costs that differ little": (
        one_row([1 + 1e-7, 1 + 2e-7, 1], 0, [1, 1, 1], [1, 1, 1], high=2),
        2 + 3e-7,
    ),
    "tiny rows": (one_row([1, 1], 0, [5, 5], [2e-9, 3e-9], high=7.1e-9), 3.0),
}


@pytest.mark.parametrize("solver", MIP_SOLVERS)
@pytest.mark.parametrize("name", MISLEADING)
def test_integer_programs_that_misled_solvers(name, solver):
    program, optimum = MISLEADING[name]
    result = cpe.solve(program, solver)
    assert result.objective == pytest.approx(optimum, rel=1e-12)
    assert result.bound >= result.objective
    assert result.gap <= 1e-9
    assert result.residuals.primal <= 1e-15


@pytest.mark.parametrize("solver", MIP_SOLVERS)
def test_programs_without_a_whole_point_are_infeasible(solver):
    even = one_row([1, 1], 0, [5, 5], [2, 2], 3, 3)
    assert cpe.solve(even, solver, check=False).status is Status.INFEASIBLE
    between = one_row([1], 0.2, [0.8], [1])
    result = cpe.solve(between, solver, check=False)
    assert result.status is Status.INFEASIBLE
    assert "no whole number lies within the bounds of column 'x_0'" in result.message


@pytest.mark.parametrize("solver", MIP_SOLVERS)
@pytest.mark.parametrize(("scale", "base"), [(1e-6, 0.0), (1e-6, 1.0)])
def test_default_gaps_are_zero(solver, scale, base):
    """The longest paths of K5, whose weights differ in the seventh digit, or are tiny."""
    arcs = [(i, j) for i in range(5) for j in range(5) if i != j]
    paths = cpe.Paths(arcs, 0, 4)
    weights = base + scale * np.random.default_rng(0).uniform(size=len(arcs))
    longest = float((paths.indicator_matrix() @ weights).max())
    best = cpe.best_subset(paths, weights, solver=solver)
    assert best.value == pytest.approx(longest, rel=1e-12)
    assert best.result.bound >= longest * (1 - 1e-12)


@pytest.mark.parametrize("solver", MIP_SOLVERS)
def test_ellipsoids_of_any_scale(solver):
    matrix = 1e-6 * np.array([[2, 1, 0], [1, 2, 0], [0, 0, 3]])
    found = cpe.ellipsoid_maximum(2, matrix, "exact", solver=solver)
    assert (found.elements, found.value) == ((0, 1), pytest.approx(6e-6))
    assert found.value <= found.bound <= 6e-6 * (1 + 1e-9)


@pytest.mark.parametrize("gap", [1e-5, 1e-7])
@pytest.mark.parametrize("method", ["cuts", "compact"])
@pytest.mark.parametrize("solver", ["clarabel", "scip", "glop", *LICENSED])
def test_lower_bounds_of_tiny_gaps(solver, method, gap):
    rng = np.random.default_rng(1)
    i, j = np.triu_indices(5, 1)
    array = np.full((5, 5), 0.5)
    array[i, j] += gap * rng.uniform(0.5, 1, size=10) * rng.choice([-1, 1], size=10)
    array[j, i] = 1 - array[i, j]
    mu = cpe.PreferenceMatrix(array)
    expected = cpe.copeland_bound(mu, method="compact").value
    found = cpe.copeland_bound(mu, method=method, solver=solver)
    assert found.value == pytest.approx(expected, rel=1e-6)
    assert found.result.bound <= expected * (1 + 1e-9)


class Says:
    """Let a backend report what a test wants, once."""

    def __init__(self, monkeypatch, solver, raw):
        backend = get_backend(solver)
        monkeypatch.setattr(type(backend), "solve", lambda self, program, options: raw)


KNAPSACK = one_row([60, 100, 120], 0, [1, 1, 1], [10, 20, 30], high=50)
TRIANGLE = one_row([1.0, 1.0], 0, [2, 2], [1, 2], high=3, integer=False)


@pytest.mark.parametrize(
    ("program", "raw", "reason"),
    [
        (KNAPSACK, RawSolution(Status.OPTIMAL), "'optimal', but it gives no point"),
        (
            KNAPSACK,
            RawSolution(Status.OPTIMAL, np.ones(3), bound=280.0),
            "its point breaks row 'r' by 10",
        ),
        (
            KNAPSACK,
            RawSolution(Status.OPTIMAL, np.array([0.0, 1.0, 0.5]), bound=160.0),
            "has columns that are not whole",
        ),
        (
            KNAPSACK,
            RawSolution(Status.OPTIMAL, np.array([1.0, 1.0, 0.0]), bound=220.0),
            "its point is proved only within a gap of 0.273",
        ),
        (
            KNAPSACK,
            RawSolution(Status.OPTIMAL, np.array([0.0, 1.0, 1.0]), bound=200.0),
            "its bound 200 contradicts its point of value 220",
        ),
        (
            KNAPSACK,
            RawSolution(Status.OPTIMAL, np.array([0.0, 1.0, 1.0])),
            "nothing proves a bound",
        ),
        (
            KNAPSACK,
            RawSolution(Status.INFEASIBLE),
            "another solver has a point that satisfies every row",
        ),
        (
            KNAPSACK,
            RawSolution(Status.UNBOUNDED),
            "there is a point, and no improving ray was found",
        ),
        (TRIANGLE, RawSolution(Status.INFEASIBLE), "there is a point that satisfies every"),
        (
            TRIANGLE,
            RawSolution(Status.OPTIMAL, np.array([0.0, 1.5]), np.array([0.5])),
            "its point is proved only within a gap of 0.4",
        ),
        (
            TRIANGLE,
            RawSolution(Status.OPTIMAL, np.array([2.0, np.nan]), np.array([0.5])),
            "its point is not finite",
        ),
    ],
)
def test_what_numbers_contradict_is_not_believed(program, raw, reason, monkeypatch):
    Says(monkeypatch, "scip", raw)
    result = cpe.solve(program, "scip", check=False, process="here")
    assert result.status is Status.IMPRECISE
    assert reason in result.message
    sign = 1 if program is KNAPSACK else 0
    assert result.bound is None or result.bound >= 220.0 * sign
    with pytest.raises(cpe.NotOptimal, match=r"'imprecise' \(scip says"):
        cpe.solve(program, "scip", process="here")


def test_a_gap_that_the_caller_allows_is_said_and_is_not_optimal(monkeypatch):
    """HiGHS stops at the first point within half of its bound; so the status says how far."""
    raw = RawSolution(Status.OPTIMAL, np.array([1.0, 1.0, 0.0]), bound=220.0)
    Says(monkeypatch, "highs", raw)
    result = cpe.solve(KNAPSACK, solver_options={"mip_rel_gap": 0.5}, check=False)
    assert result.status is Status.GAP_LIMIT
    assert (result.objective, result.bound) == (160.0, 220.0)
    assert result.gap == pytest.approx(60 / 220)
    assert "within a gap of 0.273" in result.message
    with pytest.raises(cpe.NotOptimal, match="gap limit"):
        cpe.solve(KNAPSACK, solver_options={"mip_rel_gap": 0.5})


@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize("solver", ["highs", "glop", "scip", "pdlp", "clarabel", "scs", *LICENSED])
def test_an_unbounded_program_has_no_value_and_no_gap(solver, sense):
    costs = [1, 1] if sense == "max" else [-1, -1]
    ends = [np.inf, np.inf]
    program = one_row(costs, 0, ends, [1, -1], high=1, sense=sense, integer=False)
    result = cpe.solve(program, solver, check=False)
    assert result.status is Status.UNBOUNDED
    assert result.objective is None
    assert result.bound is None
    assert math.isnan(result.gap)


def penalised(costs, rows, lower=-math.inf):
    """Rows ``rows @ x <= 1`` of columns x >= ``lower`` and more columns, with these costs."""
    builder = cpe.ProgramBuilder("penalised", sense="min")
    x = builder.columns("x", len(costs), cost=costs, lower=lower)
    for number, row in enumerate(rows):
        builder.row(f"r_{number}", x, row, upper=1)
    return builder.build()


@pytest.mark.parametrize("solver", ["highs", "glop", *LICENSED])
def test_a_ray_of_ordinary_costs_is_found_next_to_a_penalty(solver):
    """The penalty is 14 powers of ten above the gain, and has no part in the ray."""
    program = penalised([-1.0, 1e-6, 1e14], [[1, -1, 0], [0, -1, -1]], lower=0.0)
    assert cpe.solve(program, solver, check=False).status is Status.UNBOUNDED


@pytest.mark.parametrize("status", [Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED])
@pytest.mark.parametrize(
    "program",
    [
        # Along (1, 1) the costs are 1e-8 of their terms, which is not told from rounding.
        penalised([1.0, -1.0 - 1e-8], [[1, -1], [-1, 1]], lower=0.0),
        # The columns have no upper bounds, and rise at a cost.
        penalised([1.0, 1.0], [[1, -1]], lower=0.0),
        # The second row ends every ray, at a distance of 1e6.
        penalised([-1.0, 0.0], [[1, -1], [-1 + 1e-6, 1]], lower=0.0),
    ],
)
def test_no_ray_is_claimed_where_there_is_an_optimum(program, status, monkeypatch):
    Says(monkeypatch, "glop", RawSolution(status))
    result = cpe.solve(program, "glop", check=False, process="here")
    assert result.status is Status.IMPRECISE
    assert "there is a point, and no improving ray was found" in result.message


def test_rows_that_contradict_each_other_only_by_rounding_are_not_called_infeasible(monkeypatch):
    """Sides of 1e9 next to 1e-3, met by a point: what rounding takes of their sum is no proof."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        matrix = rng.integers(-9, 10, size=(6, 4)).astype(float)
        point = np.array([2.0**30, -(2.0**31), 3.0, 2.0**-10])
        builder = cpe.ProgramBuilder("level")
        x = builder.columns("x", 4, lower=-np.inf)
        row, column = np.nonzero(matrix)
        side = matrix @ point
        builder.rows("r", 6, row, x[column], matrix[row, column], lower=side, upper=side)
        Says(monkeypatch, "glop", RawSolution(Status.INFEASIBLE))
        result = cpe.solve(builder.build(), "glop", check=False, process="here")
        assert result.status is Status.IMPRECISE


@pytest.mark.parametrize(
    "status", [Status.INFEASIBLE, Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED]
)
def test_a_solver_that_always_says_there_is_no_optimum_is_not_believed(status, monkeypatch):
    """Random programs with numbers of many sizes; what is true of them is known."""
    from tests.solvers.fuzz import false_claim, instance

    Says(monkeypatch, "glop", RawSolution(status))
    ends = []
    for seed in range(150):
        known = instance(seed)
        if not known.program.is_integer:
            result = cpe.solve(known.program, "glop", check=False, process="here")
            assert false_claim(known, result) == ""
            ends.append(result.status)
    assert ends.count(Status.IMPRECISE) > len(ends) / 2


def test_gaps_are_relative_to_the_values_themselves():
    assert relative_gap(0.0, 0.0) == 0.0
    assert relative_gap(1e-9, 2e-9) == 0.5
    assert relative_gap(-2e9, -1e9) == 0.5
    assert relative_gap(-1.0, 1.0) == 2.0


def test_a_multiplier_for_an_infinite_side_is_repaired_or_gives_no_bound():
    """minimise 2x + 3y, x + y >= 4, x <= 3: the bound is 9, y has no upper side."""
    program = one_row([2, 3], 0, [3, np.inf], [1, 1], low=4, sense="min", integer=False)
    for dual in (3.0, 3.0 + 1e-9, 5.0):
        bound, residual, *_ = dual_proof(program, np.array([dual]))
        assert bound == pytest.approx(9.0)
        assert bound <= 9.0
        assert residual == pytest.approx(dual - 3.0, abs=1e-15)
    assert dual_proof(program, np.array([-1.0]))[:2] == (0.0, 1.0)
    falling = replace(program, costs=np.array([2.0, -3.0]))
    assert dual_proof(falling, np.array([0.0]))[:2] == (None, 3.0)


def test_scaling_changes_no_digit_and_leads_back():
    rng = np.random.default_rng(0)
    program = random_program(rng)
    r, s = 2.0 ** rng.integers(-30, 30, size=4), 2.0 ** rng.integers(-30, 30, size=6)
    odd = replace(
        program,
        costs=program.costs * s * 2.0**40,
        matrix=type(program.matrix)(program.matrix.toarray() * r[:, None] * s),
        row_lower=program.row_lower * r,
        row_upper=program.row_upper * r,
        column_lower=program.column_lower / s,
        column_upper=program.column_upper / s,
        offset=program.offset * 2.0**40,
    )
    inside = scaled(odd)
    for factors in (inside.rows, inside.columns, np.array([inside.cost])):
        assert (np.frexp(factors)[0] == 0.5).all()
    entries = np.abs(inside.program.matrix.data)
    assert entries.max() < 16
    assert 1 <= np.abs(inside.program.costs).min() < 2  # the least, so that it is not lost
    plain, result = cpe.solve(program), cpe.solve(odd)
    assert result.objective == pytest.approx(plain.objective * 2.0**40)
    np.testing.assert_allclose(result.row_duals, plain.row_duals * 2.0**40 / r, rtol=1e-9)
    assert result.bound == pytest.approx(plain.bound * 2.0**40)
    assert scaled(program).program is program


def test_whole_numbers_for_cp_sat():
    """Fractions exactly; other coefficients with an error that is known."""
    whole, scale, error = whole_numbers(np.array([4 / 3, -1.0, 0.25]), np.ones(3))
    assert (whole.tolist(), scale, error) == ([16.0, -12.0, 3.0], 12.0, 0.0)
    values, reach = np.random.default_rng(0).normal(size=50), np.full(50, 3.0)
    whole, scale, error = whole_numbers(values, reach)
    assert np.abs(whole).sum() * 3 < 2.0**61
    assert np.abs(whole - scale * values) @ reach <= error
    assert error / scale < 1e-14 * np.abs(values).sum()


def test_columns_too_wide_for_whole_numbers_are_refused():
    wide = one_row([1], 0, [1e15], [1], high=3)
    with pytest.raises(SolverUnable, match="column 'x_0' of 'small' reaches 1e\\+15"):
        cpe.solve(wide, "cp-sat")


@pytest.mark.parametrize(
    ("solver", "options", "status"),
    [
        ("glop", {"max_number_of_iterations": 1}, Status.ITERATION_LIMIT),
        ("highs", {"simplex_iteration_limit": 1, "presolve": "off"}, Status.ITERATION_LIMIT),
        ("clarabel", {"max_iter": 2}, Status.ITERATION_LIMIT),
        ("clarabel", {"time_limit": 1e-9}, Status.TIME_LIMIT),
        ("scs", {"max_iters": 3}, Status.ITERATION_LIMIT),
        ("scs", {"time_limit_secs": 1e-9}, Status.TIME_LIMIT),
    ],
)
def test_limits_are_what_they_are(solver, options, status):
    program = random_program(np.random.default_rng(0), columns=60, rows=40)
    result = cpe.solve(program, solver, solver_options=options, check=False)
    assert result.status is status
    # A point that breaks rows is none.
    assert result.objective is None
    assert math.isnan(result.gap)


@pytest.mark.parametrize("solver", cpe.SOLVERS)
def test_the_time_limit_includes_building_the_model(solver):
    program = KNAPSACK if solver == "cp-sat" else TRIANGLE
    result = cpe.solve(program, solver, time_limit=1e-9, check=False)
    assert result.status is Status.TIME_LIMIT


def test_an_optimal_conic_result_has_no_duals_and_says_so():
    x = cvxpy.Variable(2)
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(x)), [x >= 1])
    result = cpe.solve(cpe.ConicProgram("norm", problem), "clarabel")
    with pytest.raises(NoDuals, match="proved an optimum of 'norm', a conic program"):
        _ = result.duals


@pytest.mark.parametrize("status", [Status.INFEASIBLE, Status.UNBOUNDED])
def test_a_conic_problem_is_without_optimum_only_where_two_solvers_say_so(status, monkeypatch):
    from cpe_opt.solvers.conic import Clarabel

    x = cvxpy.Variable(2)
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(x)), [x >= 1])
    monkeypatch.setattr(Clarabel, "solve_conic", lambda *_: (RawSolution(status), None))
    result = cpe.solve(cpe.ConicProgram("norm", problem), "clarabel", check=False)
    assert result.status is Status.IMPRECISE
    assert f"clarabel says '{status.value}', but scs says 'optimal'" in result.message
    contradictory = cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(x)), [x >= 1, x <= 0])
    assert (
        cpe.solve(cpe.ConicProgram("norm", contradictory), "clarabel", check=False).status is status
    )


def test_an_ellipsoid_within_an_allowed_gap_has_a_bound(monkeypatch):
    raw = RawSolution(Status.OPTIMAL, np.eye(6)[0], bound=3.0)
    Says(monkeypatch, "highs", raw)
    allowed = {"solver_options": {"mip_rel_gap": 0.5}}
    found = cpe.ellipsoid_maximum(1, np.diag([2.0, 3.0, 1.0]), "exact", **allowed)
    assert (found.value, found.bound) == (2.0, 3.0)
    assert found.result.status is Status.GAP_LIMIT
    with pytest.raises(cpe.NotOptimal, match="proved only within a gap"):
        cpe.ellipsoid_maximum(1, np.diag([2.0, 3.0, 1.0]), "exact")


def test_a_conic_point_that_breaks_a_constraint_is_not_believed(monkeypatch):
    from cpe_opt.solvers.conic import Clarabel

    def solve_conic(self, problem, options):
        problem.variables()[0].value = np.array([1.0, 0.9])
        return RawSolution(Status.OPTIMAL, np.array([1.0, 0.9])), 1.9

    monkeypatch.setattr(Clarabel, "solve_conic", solve_conic)
    x = cvxpy.Variable(2)
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(x)), [x >= 1])
    result = cpe.solve(cpe.ConicProgram("norm", problem), "clarabel", check=False)
    assert result.status is Status.IMPRECISE
    assert "its point breaks a constraint by 0.1" in result.message


@pytest.mark.parametrize("solver", ["highs", "glop", "clarabel", "scs"])
def test_a_point_within_tolerances_is_no_optimum_of_rows_that_contradict_each_other(solver):
    """-3e11 y >= 700 asks for y <= -2.3e-9, and y >= 0: less than any solver's tolerance.

    Whether SCS comes to a point or gives up depends on the last bits of the machine.
    """
    builder = cpe.ProgramBuilder("contradiction")
    x = builder.columns("x", 2, cost=[1e-12, 7e-11], upper=[np.inf, 0.7])
    builder.row("far", x, [0, -3e11], lower=700, upper=9e9)
    builder.row("near", x, [0, -6e-12], lower=-6e-10)
    result = cpe.solve(builder.build(), solver, check=False)
    assert result.status in (Status.INFEASIBLE, Status.IMPRECISE, Status.ITERATION_LIMIT)


def test_an_objective_off_its_domain_is_what_the_solver_says(monkeypatch):
    """x^2.5 at -1e-10 is no number, and the point is right within the solver's tolerance."""
    amount = cvxpy.Variable(name="amount")
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.power(amount, 2.5)), [amount >= 0])
    program = cpe.ConicProgram("root", problem)
    solve = type(get_backend("scs")).solve_conic
    cpe.solve(program, "clarabel", check=False)

    def slightly_below(self, given, options):
        raw, _ = solve(self, given, options)
        amount.value = np.array(-1e-10)
        from cpe_opt.solvers.conic import _objective

        return replace(raw, x=np.array([-1e-10])), _objective(given, raw.x)

    monkeypatch.setattr(type(get_backend("scs")), "solve_conic", slightly_below)
    result = cpe.solve(program, "scs", check=False)
    assert result.objective == pytest.approx(0.0, abs=1e-6)
    assert not math.isnan(result.gap)


@pytest.mark.parametrize("solver", ["highs", "scip"])
def test_coefficients_that_solvers_drop_make_no_program_infeasible(solver):
    """2e5 next to 1e-4: both solvers see no whole point, and there is one, of value -2100."""
    builder = cpe.ProgramBuilder("far_apart", sense="max")
    x = np.concatenate(
        [
            builder.columns("a", 1, cost=-1e-6, lower=1, upper=1, integer=True),
            builder.columns("b", 1, cost=-1e2, upper=6, integer=True),
            builder.columns("c", 1, cost=-1e-5, lower=-4, upper=4, integer=True),
        ]
    )
    builder.row("r", x, [-2e-5, -1e-4, -2e5], lower=-2.2e-4, upper=-2.2e-4)
    program = builder.build()
    result = cpe.solve(program, solver, check=False)
    assert result.status is not Status.INFEASIBLE
    assert cpe.solve(program, "cp-sat").objective == pytest.approx(-200.000001)
