"""Quadratic programs solved: closed forms, conditions of optimality, and refused claims."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import SolverUnable
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import NotOptimal, Status
from cpe_opt.solvers.base import RawSolution
from cpe_opt.solvers.registry import get_backend

QP_SOLVERS = [name for name in cpe.SOLVERS if "QP" in get_backend(name).solves]
MIQP_SOLVERS = [name for name in cpe.SOLVERS if "MIQP" in get_backend(name).solves]


def installed(name):
    """The name of a solver that is installed."""
    if not get_backend(name).available:
        pytest.skip(f"{name} is not installed")
    return name


@pytest.fixture(params=QP_SOLVERS)
def solver(request):
    """Every solver of quadratic programs that is installed."""
    return installed(request.param)


@pytest.fixture(params=MIQP_SOLVERS)
def integer_solver(request):
    """Every solver of mixed-integer quadratic programs that is installed."""
    return installed(request.param)


def projection(target, *, sense="min"):
    """Of the points of the unit simplex the nearest one to a target."""
    target = np.asarray(target, dtype=np.float64)
    sign = 1.0 if sense == "min" else -1.0
    builder = cpe.ProgramBuilder("projection", sense=sense, offset=sign * float(target @ target))
    x = builder.columns("x", len(target), cost=-2.0 * sign * target)
    builder.quadratic(x, x, sign)
    builder.row("sum", x, lower=1, upper=1)
    return builder.build()


def simplex_projection(target):
    """The same by sorting (Held, Wolfe and Crowder 1974)."""
    ordered = np.sort(target)[::-1]
    shifts = (np.cumsum(ordered) - 1.0) / np.arange(1, len(target) + 1)
    shift = shifts[np.flatnonzero(ordered > shifts)[-1]]
    return np.maximum(target - shift, 0.0), shift


@pytest.mark.parametrize("sense", ["min", "max"])
def test_the_nearest_point_of_the_simplex(solver, sense):
    target = np.array([0.9, 0.7, -0.2, 0.1])
    expected, shift = simplex_projection(target)
    result = cpe.solve(projection(target, sense=sense), solver)
    accuracy = 10 * get_backend(solver).accuracy
    sign = 1.0 if sense == "min" else -1.0
    assert result.x == pytest.approx(expected, abs=accuracy)
    assert result.objective == pytest.approx(sign * ((expected - target) ** 2).sum(), abs=accuracy)
    assert result.bound == pytest.approx(result.objective, abs=accuracy)
    assert sign * (result.objective - result.bound) >= -1e-9
    # The dual is the derivative of the optimum by the side of the row.
    assert result.duals["sum"] == pytest.approx(-2.0 * sign * shift, abs=100 * accuracy)
    assert isinstance(result.program, QuadraticProgram)


def test_least_squares_are_the_normal_equations(solver):
    rng = np.random.default_rng(3)
    matrix, sides = rng.normal(size=(12, 4)), rng.normal(size=12)
    builder = cpe.ProgramBuilder("least_squares", offset=float(sides @ sides))
    x = builder.columns("x", 4, cost=-2.0 * matrix.T @ sides, lower=-np.inf)
    one, other = np.indices((4, 4)).reshape(2, -1)
    builder.quadratic(x[one], x[other], (matrix.T @ matrix).ravel())
    result = cpe.solve(builder.build(), solver)
    expected, value, *_ = np.linalg.lstsq(matrix, sides)
    assert result.x == pytest.approx(expected, abs=1e-4)
    assert result.objective == pytest.approx(value[0], rel=1e-6)
    assert result.bound == pytest.approx(value[0], rel=1e-4)


def random_program(rng, *, sense="min", scale=False, size=6):
    """A random program with a point, perhaps unbounded; numbers of very different sizes."""
    columns, rows = int(rng.integers(1, size + 1)), int(rng.integers(0, size))
    factor = rng.normal(size=(int(rng.integers(0, columns + 1)), columns))
    factor *= rng.random(factor.shape) < 0.7
    matrix = rng.normal(size=(rows, columns)) * (rng.random((rows, columns)) < 0.6)
    if rng.random() < 0.5:
        factor, matrix = np.round(2 * factor) / 2, np.round(2 * matrix) / 2
    point, costs = rng.normal(size=columns), rng.normal(size=columns)
    lower = np.where(rng.random(columns) < 0.6, point - rng.random(columns), -np.inf)
    upper = np.where(rng.random(columns) < 0.4, point + rng.random(columns), np.inf)
    side = matrix @ point
    low = np.where(rng.random(rows) < 0.6, side - rng.random(rows), -np.inf)
    high = np.where(rng.random(rows) < 0.4, side + rng.random(rows), np.inf)
    equal = rng.random(rows) < 0.2
    low[equal] = high[equal] = side[equal]
    quadratic = factor.T @ factor
    if scale:
        unit, weight = 10.0 ** rng.integers(-3, 4, size=columns), 10.0 ** rng.integers(-4, 5)
        quadratic, costs = weight * quadratic * unit * unit[:, None], weight * costs * unit
        matrix, lower, upper = matrix * unit, lower / unit, upper / unit
    sign = 1.0 if sense == "min" else -1.0
    linear = LinearProgram(
        "random",
        sense,
        sign * costs,
        lower,
        upper,
        np.zeros(columns, dtype=np.bool_),
        sp.csr_array(matrix),
        low,
        high,
        tuple(f"x_{j}" for j in range(columns)),
        tuple(f"r_{i}" for i in range(rows)),
        offset=float(rng.normal()),
    )
    return QuadraticProgram(linear, sp.csr_array(sign * 0.5 * (quadratic + quadratic.T)))


def check_optimal(result):
    """The conditions of Karush, Kuhn and Tucker, from the program alone."""
    program, x, point = result.program, result.x, result.tangent_point
    linear = program.linear
    sign = 1.0 if program.sense == "min" else -1.0
    reduced = sign * (program.gradient(point) - linear.matrix.T @ result.row_duals)
    duals = sign * result.row_duals
    bound = linear.offset - 0.5 * point @ (program.quadratic @ point)
    multipliers = np.concatenate([duals, reduced])
    lower = np.concatenate([linear.row_lower, linear.column_lower])
    upper = np.concatenate([linear.row_upper, linear.column_upper])
    terms = np.abs(linear.costs) + abs(program.quadratic) @ np.abs(point)
    terms += abs(linear.matrix).T @ np.abs(duals)
    terms = np.concatenate([np.zeros(len(duals)), terms])
    multipliers[np.abs(multipliers) <= 2e-12 * terms] = 0.0
    sides = np.where(multipliers > 0, lower, upper)[multipliers != 0.0]
    assert np.isfinite(sides).all()
    bound += sign * float(multipliers[multipliers != 0.0] @ sides)
    size = 1.0 + abs(result.objective) + np.abs(multipliers[multipliers != 0.0]) @ np.abs(sides)
    assert bound == pytest.approx(result.bound, abs=1e-8 * size)
    assert result.objective == pytest.approx(program.objective(x), rel=1e-12)


def agree(seeds, solvers, **options):
    """Solve random programs by several solvers; returns how many of each ended with an optimum."""
    proved = dict.fromkeys(solvers, 0)
    for seed in seeds:
        rng = np.random.default_rng(seed)
        program = random_program(rng, sense=("min", "max")[seed % 2], **options)
        results = [cpe.solve(program, solver, check=False, time_limit=5) for solver in solvers]
        known = [each for each in results if each.is_optimal]
        ends = {each.status for each in results} & {Status.INFEASIBLE, Status.UNBOUNDED}
        assert not (known and ends), seed
        assert Status.INFEASIBLE not in ends, seed
        for result in known:
            check_optimal(result)
            proved[result.solver] += 1
        for result in results:
            proved[result.solver] += result.status is Status.UNBOUNDED
        if known:
            best = known[0].objective
            sign = 1.0 if program.sense == "min" else -1.0
            for result in results:
                if result.bound is not None:
                    slack = 1e-4 * (1.0 + abs(best) + abs(program.linear.offset))
                    assert sign * (result.bound - best) <= slack, (seed, result.solver)
            for result in known:
                tolerance = 3e-4 if {"scs", "osqp"} & set(solvers) else 1e-5
                assert result.objective == pytest.approx(best, rel=tolerance, abs=tolerance), seed
    return proved


def test_solvers_agree_on_random_programs():
    proved = agree(range(60), ["highs", "clarabel"])
    assert proved["highs"] >= 56
    assert proved["clarabel"] >= 58


def test_splitting_methods_agree_on_random_programs():
    solvers = ["clarabel", *(name for name in ("scs", "osqp") if get_backend(name).available)]
    proved = agree(range(100, 140), solvers)
    assert min(proved.values()) >= 39


@pytest.mark.slow
@pytest.mark.parametrize("scale", [False, True])
def test_solvers_agree_on_many_random_programs(scale):
    proved = agree(range(1000, 1600), ["highs", "clarabel"], scale=scale)
    assert proved["highs"] >= 560
    assert proved["clarabel"] >= 570


def test_a_program_without_rows_and_one_without_quadratic_terms():
    builder = cpe.ProgramBuilder("p")
    x = builder.columns("x", 1, cost=-3, upper=5)
    builder.quadratic(x, x, 0.0)
    program = builder.build()
    assert isinstance(program, QuadraticProgram)
    for solver in ("highs", "clarabel"):
        assert cpe.solve(program, solver).objective == pytest.approx(-15)


def test_there_is_no_optimum(solver):
    builder = cpe.ProgramBuilder("p")
    x = builder.columns("x", 2, cost=[0, -1])
    builder.quadratic(x[0], x[0])
    unbounded = builder.build()
    assert cpe.solve(unbounded, solver, check=False).status is Status.UNBOUNDED
    builder.row("one", x, lower=2)
    builder.row("other", x, upper=1)
    assert cpe.solve(builder.build(), solver, check=False).status is Status.INFEASIBLE


def test_a_curved_direction_is_not_taken_for_a_ray():
    # Along x_1 the costs improve, and the quadratic part ends that.
    builder = cpe.ProgramBuilder("p")
    x = builder.columns("x", 2, cost=[0, -1])
    builder.quadratic(x, x, [1.0, 1e-3])
    assert cpe.solve(builder.build()).objective == pytest.approx(-250.0)


def slope(curvature):
    """Minimise x_0² - x_1 + curvature x_1², which has an optimum unless the curvature is 0."""
    builder = cpe.ProgramBuilder("slope")
    x = builder.columns("x", 2, cost=[0, -1], lower=-np.inf)
    builder.quadratic(x, x, [1.0, curvature])
    return builder.build()


@pytest.mark.parametrize(
    ("curvature", "says", "status"),
    [
        (0.0, Status.OPTIMAL, Status.UNBOUNDED),
        (0.5, Status.UNBOUNDED, Status.IMPRECISE),
        (0.0, Status.UNBOUNDED, Status.UNBOUNDED),
    ],
)
def test_a_ray_decides_whether_there_is_an_optimum(monkeypatch, curvature, says, status):
    far = RawSolution(says, np.array([0.0, 1e9]), np.zeros(0))
    monkeypatch.setattr(get_backend("highs"), "solve_quadratic", lambda *given: far)
    assert cpe.solve(slope(curvature), check=False).status is status


def test_a_solver_that_cannot_says_which_can():
    program = projection([0.3, 0.3])
    with pytest.raises(SolverUnable, match=r"does not solve QP programs .*able: highs, clarabel"):
        cpe.solve(program, "cp-sat")
    builder = cpe.ProgramBuilder("p")
    x = builder.columns("x", 2, integer=True)
    builder.quadratic(x, x)
    with pytest.raises(SolverUnable, match="does not solve MIQP programs"):
        cpe.solve(builder.build(), "highs")
    with pytest.raises(SolverUnable, match="takes no warm start of QP programs"):
        cpe.solve(program, warm_start={"x_0": 1.0, "x_1": 0.0})


LIES = {
    "a point off the optimum": (
        lambda raw: replace(raw, x=np.array([1.0, 0.0, 0.0])),
        "its point is proved only within a gap",
    ),
    "a point that breaks the row": (lambda raw: replace(raw, x=2.0 * raw.x), "breaks row 'sum'"),
    "a point outside the bounds": (
        lambda raw: replace(raw, x=raw.x + np.array([0.1, 0.0, -0.1])),
        "breaks a bound of column 'x_2'",
    ),
    "no point": (lambda raw: replace(raw, x=None), "gives no point"),
    "no number": (lambda raw: replace(raw, x=np.full(3, np.nan)), "point is not finite"),
    "infeasible": (
        lambda raw: replace(raw, status=Status.INFEASIBLE),
        "there is a point that satisfies every row",
    ),
    "unbounded": (
        lambda raw: replace(raw, status=Status.UNBOUNDED),
        "no improving ray was found",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_lies_are_not_believed(monkeypatch, lie):
    change, words = LIES[lie]
    backend = get_backend("clarabel")
    honest = backend.solve_quadratic
    monkeypatch.setattr(backend, "solve_quadratic", lambda *given: change(honest(*given)))
    with pytest.raises(NotOptimal, match=words) as refused:
        cpe.solve(projection([0.9, 0.7, -0.2]), "clarabel")
    assert refused.value.result.status is Status.IMPRECISE


def test_a_quadratic_program_goes_to_a_process_of_its_own_and_back():
    here = cpe.solve(projection([0.9, 0.7, -0.2]), "clarabel")
    there = cpe.solve(projection([0.9, 0.7, -0.2]), "clarabel", process="child")
    assert there.objective == here.objective
    assert there.bound == here.bound
    assert there.options["process"] == "child"


def test_wrong_duals_prove_less_and_missing_ones_are_found_by_a_second_solver(monkeypatch):
    backend = get_backend("clarabel")
    honest = backend.solve_quadratic
    expected = cpe.solve(projection([0.9, 0.7, -0.2])).objective

    def lying(*given):
        raw = honest(*given)
        return replace(raw, row_duals=raw.row_duals + 1.0)

    monkeypatch.setattr(backend, "solve_quadratic", lying)
    result = cpe.solve(projection([0.9, 0.7, -0.2]), "clarabel", check=False)
    assert result.status is Status.IMPRECISE
    assert result.bound < expected - 0.01
    monkeypatch.setattr(
        backend, "solve_quadratic", lambda *given: replace(honest(*given), row_duals=None)
    )
    assert cpe.solve(projection([0.9, 0.7, -0.2]), "clarabel").bound == pytest.approx(expected)


def test_the_objective_is_that_of_the_program_whatever_its_numbers():
    # Costs of 1e9 and columns of 1e-4: the same projection in other units.
    program = projection([0.9, 0.7, -0.2])
    unit, weight = 2.0**13, 1e9
    linear = program.linear
    other = QuadraticProgram(
        replace(
            linear,
            costs=weight * unit * linear.costs,
            matrix=unit * linear.matrix,
            column_upper=linear.column_upper / unit,
            offset=weight * linear.offset,
        ),
        sp.csr_array(weight * unit**2 * program.quadratic),
    )
    for solver in ("highs", "clarabel"):
        one, two = cpe.solve(program, solver), cpe.solve(other, solver)
        assert two.objective == pytest.approx(weight * one.objective, rel=1e-5)
        assert two.x * unit == pytest.approx(one.x, abs=1e-5)
        assert two.row_duals * unit / weight / unit == pytest.approx(one.row_duals, abs=1e-4)


def subset(whole=True):
    """Of four numbers those whose sum is nearest to 10, as a mixed-integer quadratic program."""
    sizes = np.array([2.0, 3.0, 4.5, 6.0])
    builder = cpe.ProgramBuilder("subset", offset=100.0)
    x = builder.columns("x", 4, cost=-20.0 * sizes, upper=1, integer=whole)
    one, other = np.indices((4, 4)).reshape(2, -1)
    builder.quadratic(x[one], x[other], np.outer(sizes, sizes).ravel())
    return builder.build()


def enumerated(program, options):
    """The best of all points with entries of 0 and 1."""
    points = np.array(list(np.ndindex(*(2,) * program.shape[1])), dtype=np.float64)
    values = [program.objective(point) for point in points]
    best = int(np.argmin(values))
    return RawSolution(Status.OPTIMAL, points[best], None, values[best])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda raw: raw, ""),
        (lambda raw: replace(raw, x=np.zeros(4)), "its point is proved only within a gap"),
        (lambda raw: replace(raw, x=np.full(4, 0.5)), "has columns that are not whole"),
        (lambda raw: replace(raw, bound=raw.bound + 1.0), "contradicts its point"),
        (lambda raw: replace(raw, bound=None), "nothing proves a bound"),
    ],
)
def test_mixed_integer_optima_are_believed_where_point_and_bound_agree(monkeypatch, change, words):
    backend = get_backend("highs")
    monkeypatch.setattr(type(backend), "solves", backend.solves | {"MIQP"})
    monkeypatch.setattr(
        backend, "solve_quadratic", lambda program, options: change(enumerated(program, options))
    )
    result = cpe.solve(subset(), check=False)
    if words:
        assert result.status is Status.IMPRECISE
        assert words in result.message
        return
    assert result.is_optimal
    assert result.x.tolist() == [0.0, 0.0, 1.0, 1.0]
    assert result.objective == pytest.approx(0.25)
    assert result.bound == pytest.approx(0.25)
    assert result.row_duals is None


def random_integer_program(rng, sense):
    """A random program with columns of 0 or 1, bounded, now and then without a point."""
    program = random_program(rng, sense=sense)
    linear = program.linear
    rows, columns = program.shape
    whole = rng.random(columns) < 0.7
    whole[0] = True
    lower = np.where(whole, 0.0, np.maximum(linear.column_lower, -5.0))
    upper = np.where(whole, 1.0, np.minimum(linear.column_upper, 5.0))
    point = np.where(whole, rng.integers(0, 2, columns), 0.5 * (lower + upper))
    side = linear.matrix @ point
    low = np.where(np.isfinite(linear.row_lower), side - 0.1, -np.inf)
    high = np.where(np.isfinite(linear.row_upper), side + 0.3, np.inf)
    if rows and rng.random() < 0.25:
        low[0] = high[0] = side[0] + 0.37
    return program.with_linear(
        replace(
            linear,
            integer=whole,
            column_lower=lower,
            column_upper=upper,
            row_lower=low,
            row_upper=high,
        )
    )


def best_of_all(program):
    """The optimum over all values of the columns of 0 or 1, None where there is no point."""
    linear = program.linear
    whole = np.flatnonzero(linear.integer)
    found = []
    for values in np.ndindex(*(2,) * len(whole)):
        lower, upper = linear.column_lower.copy(), linear.column_upper.copy()
        lower[whole] = upper[whole] = values
        free = np.zeros_like(linear.integer)
        fixed = replace(linear, integer=free, column_lower=lower, column_upper=upper)
        result = cpe.solve(program.with_linear(fixed), "clarabel", check=False)
        assert result.status in (Status.OPTIMAL, Status.INFEASIBLE)
        if result.is_optimal:
            found.append(result.objective)
    best = min if program.sense == "min" else max
    return best(found) if found else None


def test_licensed_solvers_agree_with_clarabel(integer_solver):
    proved = agree(range(60, 100), [integer_solver, "clarabel"])
    assert min(proved.values()) >= 39


def test_integer_optima_are_the_best_of_all_points(integer_solver):
    infeasible = 0
    for seed in range(300, 330):
        rng = np.random.default_rng(seed)
        program = random_integer_program(rng, ("min", "max")[seed % 2])
        expected = best_of_all(program)
        result = cpe.solve(program, integer_solver, check=False)
        if expected is None:
            assert result.status is Status.INFEASIBLE, seed
            infeasible += 1
            continue
        assert result.is_optimal, (seed, result.message)
        assert result.objective == pytest.approx(expected, rel=1e-6, abs=1e-6), seed
        assert result.bound == pytest.approx(expected, rel=1e-6, abs=1e-6), seed
        assert result.row_duals is None
    assert infeasible > 0


def test_the_subset_whose_sum_is_nearest(integer_solver):
    result = cpe.solve(subset(), integer_solver)
    assert result.x.tolist() in ([0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.0])
    assert result.objective == pytest.approx(0.25)
    assert result.bound == pytest.approx(0.25)
    other = cpe.solve(subset().negated(), integer_solver)
    assert other.objective == pytest.approx(-0.25)
    relaxed = cpe.solve(subset(whole=False), integer_solver)
    assert relaxed.objective == pytest.approx(0.0, abs=1e-6)


def whole_line(cost):
    """Minimise x_0² + cost x_1 over whole numbers without bounds above."""
    builder = cpe.ProgramBuilder("line")
    x = builder.columns("x", 2, cost=[0, cost], integer=True)
    builder.quadratic(x[0], x[0])
    builder.row("sum", x, lower=2.5)
    return builder.build()


def test_integer_programs_without_bounds_and_without_optimum(integer_solver):
    result = cpe.solve(whole_line(2), integer_solver)
    assert result.objective == pytest.approx(5.0)  # at (1, 2), where (0, 3) has 6
    assert result.x.tolist() == [1.0, 2.0]
    endless = cpe.solve(whole_line(-1), integer_solver, check=False)
    assert endless.status is Status.UNBOUNDED


# The columns that the licence allows for without a file, next to one row.
MOST = {"gurobi": 200, "copt": 2000, "xpress": 199, "cplex": 1000}


def wide(columns):
    """The least sum of squares of columns of 0 or 1 that are not all 0."""
    builder = cpe.ProgramBuilder("wide")
    x = builder.columns("x", columns, upper=1, integer=True)
    builder.quadratic(x, x)
    builder.row("sum", x, lower=1)
    return builder.build()


def test_limits_of_licensed_solvers_hold_for_quadratic_programs(integer_solver):
    program = random_integer_program(np.random.default_rng(300), "min")
    result = cpe.solve(program, integer_solver, check=False, time_limit=1e-9)
    assert result.status is Status.TIME_LIMIT
    most = MOST[integer_solver]
    assert cpe.solve(wide(most), integer_solver).objective == pytest.approx(1.0)
    message = (
        f"has a size-limited licence here .*'wide' has {most + 1:,} columns and 1 row; a full "
    )
    with pytest.raises(SolverUnable, match=message):
        cpe.solve(wide(most + 1), integer_solver)


def test_osqp_says_which_limit_it_met():
    pytest.importorskip("osqp")
    program = projection([0.9, 0.7, -0.2])
    result = cpe.solve(program, "osqp", check=False, solver_options={"max_iter": 2})
    assert result.status is Status.ITERATION_LIMIT
    result = cpe.solve(projection([0.9, 0.7, -0.2]), "osqp", check=False, time_limit=1e-9)
    assert result.status is Status.TIME_LIMIT


def test_osqp_solves_quadratic_problems_of_cvxpy():
    pytest.importorskip("osqp")
    import cvxpy

    x = cvxpy.Variable(2, name="x")
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(x - [1, 2])), [x >= 1.5])
    program = cpe.ConicProgram("nearest", problem)
    assert program.kind == "QP"
    result = cpe.solve(program, "osqp")
    assert result.objective == pytest.approx(0.25)
    assert result.bound == pytest.approx(0.25)
