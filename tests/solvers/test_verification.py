"""What a solver says is believed only where numbers agree with it, in the program's own units."""

import math
from fractions import Fraction

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.modelling.certify import dual_proof
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import RawSolution
from cpe_opt.solvers.registry import get_backend


def one_row(costs, lower, upper, row, low=-math.inf, high=math.inf, *, sense="max", integer=True):
    builder = cpe.ProgramBuilder("small", sense=sense)
    x = builder.columns("x", len(costs), cost=costs, lower=lower, upper=upper, integer=integer)
    builder.row("r", x, row, lower=low, upper=high)
    return builder.build()


@pytest.fixture
def says(monkeypatch):
    """Let a solver of OR-Tools say what a test wants."""

    def say(raw, solver="scip"):
        monkeypatch.setattr(type(get_backend(solver)), "solve", lambda self, program, options: raw)

    return say


KNAPSACK = one_row([60, 100, 120], 0, [1, 1, 1], [10, 20, 30], high=50)
TRIANGLE = one_row([1.0, 1.0], 0, [2, 2], [1, 2], high=3, integer=False)


WITHOUT_OPTIMUM = [
    (KNAPSACK, Status.INFEASIBLE, "there is a point that satisfies every"),
    (KNAPSACK, Status.UNBOUNDED, "that could not be confirmed"),
    (TRIANGLE, Status.INFEASIBLE, "there is a point that satisfies every"),
    (TRIANGLE, Status.UNBOUNDED, "no improving ray was found"),
]
POINTS = [
    (KNAPSACK, [1, 1, 1], 280.0, "breaks row 'r' by 10"),
    (KNAPSACK, [0, 1, 0.5], 160.0, "has columns that are not whole"),
    (KNAPSACK, [1, 1, 0], 220.0, "its value is 60 apart from its bound"),
    (KNAPSACK, [0, 1, 1], 200.0, "its bound 200 contradicts its point of value 220"),
    (KNAPSACK, [0, 1, 1], None, "nothing proves"),
    (TRIANGLE, [0, 1.5], None, "its value is 1 apart from its bound"),
    (TRIANGLE, [2, 0.5 + 2e-6], None, "breaks row 'r' by 4e-06"),
    (TRIANGLE, [2 + 3e-6, 0.5], None, "breaks a bound of column 'x_0'"),
]


@pytest.mark.parametrize(
    ("program", "raw", "reason"),
    [
        *((program, RawSolution(status), reason) for program, status, reason in WITHOUT_OPTIMUM),
        *(
            (program, RawSolution(Status.OPTIMAL, np.array(x), np.array([0.5]), bound), reason)
            for program, x, bound, reason in POINTS
        ),
    ],
)
def test_what_numbers_contradict_is_not_believed(program, raw, reason, says):
    says(raw)
    result = cpe.solve(program, "scip", check=False)
    assert result.status is Status.IMPRECISE
    assert reason in result.message
    assert result.bound is None or result.bound >= 220.0 or program is TRIANGLE
    with pytest.raises(cpe.NotOptimal, match=r"'imprecise' \(scip says"):
        cpe.solve(program, "scip")


def test_an_answer_of_another_form_is_an_error(says):
    for raw in ("optimal", RawSolution(Status.OPTIMAL, np.ones(2))):
        says(raw)
        assert cpe.solve(KNAPSACK, "scip", check=False).status is Status.ERROR


def test_large_coefficients_do_not_hide_a_broken_row(says):
    """A solver that takes x_2 = 1e-10 for 0 says 1; no row holds there, and the optimum is 0."""
    builder = cpe.ProgramBuilder("switch", sense="max")
    x = builder.columns("x", 2, cost=[1, 0], upper=1, integer=True)
    builder.row("either", x, [100.4534, 1e12], upper=1e12)
    builder.row("switch", x, [100.4534, -1e12], upper=0)
    says(RawSolution(Status.OPTIMAL, np.array([1.0, 1e-10]), bound=1.0))
    result = cpe.solve(builder.build(), "scip", check=False)
    assert result.status is Status.IMPRECISE
    assert "breaks row 'switch' by 100" in result.message
    honest = cpe.solve(builder.build(), check=False)
    assert honest.objective == 0.0 or not honest.is_optimal


def test_sides_that_are_noise_make_no_program_infeasible():
    builder = cpe.ProgramBuilder("noise")
    x = builder.columns("x", 3, cost=[3, 2, 1])
    builder.row("noise", x[:2], [1.2, 1.1], upper=-8.8e-16)
    builder.row("need", x[[2, 0]], [1000, 1], lower=1)
    assert cpe.solve(builder.build()).objective == pytest.approx(0.001, rel=1e-9)


@pytest.mark.parametrize("integer", [False, True])
def test_a_coefficient_that_solvers_drop_makes_no_program_infeasible(integer):
    program = one_row([0], 0, [1e13], [1e-12], low=1, integer=integer)
    assert cpe.solve(program, check=False).status is not Status.INFEASIBLE


def test_no_word_of_two_solvers_makes_a_program_of_far_numbers_infeasible(says):
    """What they may both drop, 1e-11, is what the row holds by at (1, 3e6)."""
    builder = cpe.ProgramBuilder("far")
    a = builder.columns("a", [()], upper=1, integer=True)
    b = builder.columns("b", [()], upper=4e6, integer=True)
    builder.row("r", [*a, *b], [-3e-5, -1e-11], upper=-6e-5)
    for solver in ("scip", "cp-sat"):
        says(RawSolution(Status.INFEASIBLE), solver)
    assert cpe.solve(builder.build(), "cp-sat", check=False).status is Status.IMPRECISE


def test_what_residuals_may_move_is_said(says):
    """A row of dual 1e4 broken by 9e-7, which another one's slack hides in the gap."""
    builder = cpe.ProgramBuilder("hidden", offset=-2e4)
    x = builder.columns("x", 2, cost=1e4)
    builder.rows("r", 2, [0, 1], x, lower=1)
    says(RawSolution(Status.OPTIMAL, np.array([1 - 9e-7, 1 + 9e-7]), np.array([1e4, 1e4])))
    result = cpe.solve(builder.build(), "scip")
    assert result.gap <= 1e-9
    assert result.residuals.lead == pytest.approx(9e-3)
    assert "the optimum may be 0.009 worse" in result.message


def test_a_gap_that_the_caller_allows_is_said_and_is_not_optimal(says):
    """HiGHS stops at the first point within half of its bound; so the status says how far."""
    says(RawSolution(Status.OPTIMAL, np.array([1.0, 1.0, 0.0]), bound=220.0), "highs")
    result = cpe.solve(KNAPSACK, solver_options={"mip_rel_gap": 0.5}, check=False)
    assert result.status is Status.GAP_LIMIT
    assert (result.objective, result.bound) == (160.0, 220.0)
    assert "60 apart from its bound" in result.message


def test_programs_without_a_whole_point_are_infeasible():
    for program in (one_row([1, 1], 0, [5, 5], [2, 2], 3, 3), one_row([1], 0.2, [0.8], [1])):
        assert cpe.solve(program, check=False).status is Status.INFEASIBLE


@pytest.mark.parametrize("sense", ["min", "max"])
def test_an_unbounded_program_has_no_value_and_no_gap(sense):
    costs = [1, 1] if sense == "max" else [-1, -1]
    program = one_row(costs, 0, [np.inf, np.inf], [1, -1], high=1, sense=sense, integer=False)
    result = cpe.solve(program, check=False)
    assert result.status is Status.UNBOUNDED
    assert (result.objective, result.bound) == (None, None)
    assert math.isnan(result.gap)


def penalised(costs, rows):
    """The least costs over ``rows @ x <= 1``, x >= 0."""
    builder = cpe.ProgramBuilder("penalised", sense="min")
    x = builder.columns("x", len(costs), cost=costs)
    for number, row in enumerate(rows):
        builder.row(f"r_{number}", x, row, upper=1)
    return builder.build()


@pytest.mark.parametrize("status", [Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED])
@pytest.mark.parametrize(
    "program",
    [
        # Along (1, 1) the costs are 1e-8 of their terms, which is not told from rounding.
        penalised([1.0, -1.0 - 1e-8], [[1, -1], [-1, 1]]),
        penalised([1.0, 1.0], [[1, -1]]),  # the columns have no upper bounds, and rise at a cost
        # The second row ends every ray, at a distance of 1e6, or of 1e11.
        penalised([-1.0, 0.0], [[1, -1], [-1 + 1e-6, 1]]),
        penalised([-1.0, 0.0], [[1, -1], [-1 + 1e-11, 1]]),
    ],
)
def test_no_ray_is_claimed_where_there_is_an_optimum(program, status, says):
    says(RawSolution(status), "glop")
    assert cpe.solve(program, "glop", check=False).status is Status.IMPRECISE


def test_rows_that_contradict_each_other_only_by_rounding_are_not_called_infeasible(says):
    """Sides of 1e9 next to 1e-3, met by a point: what rounding takes of their sum is no proof."""
    says(RawSolution(Status.INFEASIBLE), "glop")
    rng = np.random.default_rng(0)
    for _ in range(20):
        matrix = rng.integers(-9, 10, size=(6, 4)).astype(float)
        side = matrix @ np.array([2.0**30, -(2.0**31), 3.0, 2.0**-10])
        builder = cpe.ProgramBuilder("level")
        x = builder.columns("x", 4, lower=-np.inf)
        row, column = np.nonzero(matrix)
        builder.rows("r", 6, row, x[column], matrix[row, column], lower=side, upper=side)
        assert cpe.solve(builder.build(), "glop", check=False).status is Status.IMPRECISE


def test_a_multiplier_for_an_infinite_side_is_repaired_or_gives_no_bound():
    """minimise 2x + 3y, x + y >= 4, x <= 3: the bound is 9, y has no upper side."""
    program = one_row([2, 3], 0, [3, np.inf], [1, 1], low=4, sense="min", integer=False)
    for dual in (3.0, 3.0 + 1e-9, 5.0):
        bound, residual, *_ = dual_proof(program, np.array([dual]))
        assert bound == pytest.approx(9.0)
        assert bound <= 9.0
        assert residual == pytest.approx(dual - 3.0, abs=1e-15)
    assert dual_proof(program, np.array([-1.0]))[:2] == (0.0, 1.0)
    falling = one_row([2, -3], 0, [3, np.inf], [1, 1], low=4, sense="min", integer=False)
    assert dual_proof(falling, np.array([0.0]))[:2] == (None, 3.0)


def test_what_rounding_left_of_a_multiplier_is_taken_for_0():
    """A least change of y would spread it over a chain of rows, one more at each repair."""
    builder = cpe.ProgramBuilder("noise")
    x = builder.columns("x", 1, cost=3e3)
    z = builder.columns("z", 11)
    builder.row("need", x, [1.0], lower=1.0)
    for k in range(12):
        near = z[max(0, k - 1) : k + 1]
        signs = [-1.0, 1.0] if 0 < k < 11 else [-1.0 if k else 1.0]
        builder.row(f"chain_{k}", near, signs, lower=-1.0, upper=1.0)
    proof = dual_proof(builder.build(), np.array([3e3, 1e-12, *np.zeros(11)]))
    assert proof.residual == 1e-12
    assert (proof.bound, proof.row_duals.tolist()) == (3e3, [3e3, *np.zeros(12)])


def test_bounds_hold_in_exact_arithmetic():
    """Σ y_i l_i is a bound of the given costs, and of none beyond it, digit by digit."""
    rng = np.random.default_rng(3)
    matrix = rng.uniform(0.5, 2, size=(3, 60))
    prices = np.array([1.0, -0.5, 2.0])
    builder = cpe.ProgramBuilder("crowded")
    x = builder.columns("x", 60, cost=matrix.T @ prices + 1e-6 * rng.random(60))
    side = matrix @ rng.uniform(0.5, 2, 60)
    row, column = np.nonzero(matrix)
    builder.rows("r", 3, row, x[column], matrix[row, column], lower=side, upper=side)
    program = builder.build()
    result = cpe.solve(program)
    y = [Fraction(value) for value in result.row_duals.tolist()]
    bound = sum(v * Fraction(s) for v, s in zip(y, program.row_lower.tolist(), strict=True))
    short = Fraction(0)
    for j in range(60):
        terms = [v * Fraction(a) for v, a in zip(y, program.matrix.toarray()[:, j], strict=True)]
        reduced = Fraction(float(program.costs[j])) - sum(terms)
        size = abs(Fraction(float(program.costs[j]))) + sum(map(abs, terms))
        assert reduced >= -Fraction(1, 10**12) * size
        short += max(Fraction(0), -reduced)
    assert abs(float(bound) - result.bound) <= 1e-14 * abs(result.bound)
    assert short < Fraction(1, 10**12)


def staircase(seed, periods, size, spread):
    """Dense equations period by period, in columns of many sizes; and the optimum."""
    rng = np.random.default_rng(seed)
    count = 2 * size
    scale = 10.0 ** rng.uniform(-spread, spread, size=(periods, count)).ravel()
    used = rng.random((periods, count)) < 0.4
    point = np.where(used, rng.uniform(0.5, 2, (periods, count)), 0.0).ravel()
    matrix = np.zeros((periods * size, periods * count))
    for t in range(periods):
        for before, share in ((0, 0.6), (1, 0.5))[: t + 1]:
            made = rng.uniform(0.2, 2, (size, count)) * (rng.random((size, count)) < share)
            columns = slice((t - before) * count, (t - before + 1) * count)
            matrix[t * size : (t + 1) * size, columns] = -made if before else made
    prices = rng.normal(size=periods * size)
    costs = matrix.T @ prices + np.where(point > 0, 0, rng.uniform(0, 1, len(point)))
    builder = cpe.ProgramBuilder("staircase")
    x = builder.columns("x", len(point), cost=costs * scale)
    row, column = np.nonzero(matrix)
    side = matrix @ point
    entries = (matrix * scale)[row, column]
    builder.rows("r", len(side), row, x[column], entries, lower=side, upper=side)
    return builder.build(), float(costs @ point)


@pytest.mark.parametrize(
    ("seed", "shape"), [(9, (30, 8, 1.0)), (6, (10, 20, 3.0)), (12, (20, 10, 2.0))]
)
def test_duals_of_wrong_signs_are_replaced_by_interior_ones(seed, shape):
    """HiGHS's simplex duals of these leave columns of a wrong sign that a change of y keeps."""
    program, optimum = staircase(seed, *shape)
    result = cpe.solve(program)
    assert result.objective == pytest.approx(optimum, rel=1e-9)
    assert result.bound == pytest.approx(optimum, rel=1e-7)
    assert dual_proof(program, result.row_duals).bound == result.bound
