"""Quadratic programs solved: closed forms, conditions of optimality, and refused claims."""

import re
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import RawSolution
from cpe_opt.solvers.registry import get_backend

both = pytest.mark.parametrize("solver", ["highs", "clarabel"])


def projection(target, *, sense="min"):
    """Of the points of the unit simplex the nearest one to a target."""
    target = np.asarray(target, dtype=np.float64)
    sign = 1.0 if sense == "min" else -1.0
    builder = cpe.ProgramBuilder("projection", sense=sense, offset=sign * float(target @ target))
    x = builder.columns("x", len(target), cost=-2.0 * sign * target)
    builder.quadratic(x, x, sign)
    builder.row("sum", x, lower=1, upper=1)
    return builder.build()


@both
@pytest.mark.parametrize("sense", ["min", "max"])
def test_the_nearest_point_of_the_simplex(solver, sense):
    # (0.9 + 0.7 - 1) / 2 = 0.3 is taken from the two largest (Held, Wolfe and Crowder 1974).
    target, expected = np.array([0.9, 0.7, -0.2, 0.1]), np.array([0.6, 0.4, 0.0, 0.0])
    result = cpe.solve(projection(target, sense=sense), solver)
    sign = 1.0 if sense == "min" else -1.0
    assert result.x == pytest.approx(expected, abs=1e-5)
    assert result.bound == pytest.approx(sign * ((expected - target) ** 2).sum(), abs=1e-5)
    # The dual is the derivative of the optimum by the side of the row.
    assert result.duals["sum"] == pytest.approx(-0.6 * sign, abs=1e-4)


def random_program(rng, sense):
    """A random program with a point, perhaps unbounded."""
    columns, rows = int(rng.integers(1, 7)), int(rng.integers(0, 6))
    factor = rng.normal(size=(int(rng.integers(0, columns + 1)), columns))
    factor *= rng.random(factor.shape) < 0.7
    point, matrix = rng.normal(size=columns), rng.normal(size=(rows, columns))

    def sides(middle, below, above):
        size = len(middle)
        lower = np.where(rng.random(size) < below, middle - rng.random(size), -np.inf)
        return lower, np.where(rng.random(size) < above, middle + rng.random(size), np.inf)

    builder = cpe.ProgramBuilder("random", sense=sense, offset=float(rng.normal()))
    lower, upper = sides(point, 0.6, 0.4)
    x = builder.columns("x", columns, cost=rng.normal(size=columns), lower=lower, upper=upper)
    for row, (low, high) in enumerate(zip(*sides(matrix @ point, 0.6, 0.4), strict=True)):
        builder.row(f"r_{row}", x, matrix[row], lower=low, upper=high)
    sign = 1.0 if sense == "min" else -1.0
    return QuadraticProgram(builder.build(), sp.csr_array(sign * factor.T @ factor))


def check_optimal(result):
    """The conditions of Karush, Kuhn and Tucker, from the program alone."""
    linear, x = result.program.linear, result.x
    sign = 1.0 if linear.sense == "min" else -1.0
    reduced = linear.costs + result.program.quadratic @ x - linear.matrix.T @ result.row_duals
    multipliers = sign * np.concatenate([result.row_duals, reduced])
    value = np.concatenate([linear.matrix @ x, x])
    below = value - np.concatenate([linear.row_lower, linear.column_lower])
    above = np.concatenate([linear.row_upper, linear.column_upper]) - value
    assert (np.minimum(below, above) >= -1e-6).all()
    room = np.where(multipliers > 0.0, below, above)
    assert (np.minimum(np.abs(multipliers), np.abs(room)) < 2e-3).all()


def test_solvers_agree_on_random_programs_and_their_optima_are_some():
    proved, unbounded = 0, 0
    for seed in range(20):
        program = random_program(np.random.default_rng(seed), ("min", "max")[seed % 2])
        results = [cpe.solve(program, each, check=False) for each in ("highs", "clarabel")]
        ends = {result.status for result in results}
        assert Status.INFEASIBLE not in ends
        assert not {Status.OPTIMAL, Status.UNBOUNDED} <= ends
        optima = [result for result in results if result.is_optimal]
        for result in optima:
            check_optimal(result)
            assert result.objective == pytest.approx(optima[0].objective, rel=1e-5, abs=1e-5)
        proved += len(optima)
        unbounded += sum(result.status is Status.UNBOUNDED for result in results)
    assert proved + unbounded >= 37
    assert unbounded > 1


@both
def test_there_is_no_optimum(solver, monkeypatch):
    builder = cpe.ProgramBuilder("p")
    x = builder.columns("x", 2, cost=[0, -1])
    builder.quadratic(x[0], x[0])
    assert cpe.solve(builder.build(), solver, check=False).status is Status.UNBOUNDED
    curved = QuadraticProgram(builder.build().linear, sp.diags_array([2.0, 2e-3]))
    assert cpe.solve(curved, solver).objective == pytest.approx(-250.0)
    builder.row("one", x, lower=2)
    builder.row("other", x, upper=1)
    assert cpe.solve(builder.build(), solver, check=False).status is Status.INFEASIBLE
    backend = type(get_backend(solver))
    honest, endless = backend.solve, RawSolution(Status.UNBOUNDED)
    monkeypatch.setattr(
        backend,
        "solve",
        lambda self, each, given: endless if each is curved else honest(self, each, given),
    )
    assert cpe.solve(curved, solver, check=False).status is Status.IMPRECISE


@pytest.mark.parametrize("row_duals", [None, np.array([0.4])])
def test_duals_that_prove_nothing_are_replaced_by_a_second_solver_s(monkeypatch, row_duals):
    highs = type(get_backend("highs"))
    honest = highs.solve
    poor = lambda self, *given: replace(honest(self, *given), row_duals=row_duals)  # noqa: E731
    monkeypatch.setattr(highs, "solve", poor)
    assert cpe.solve(projection([0.9, 0.7, -0.2])).bound == pytest.approx(0.22)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, ""),
        ({"x": np.zeros(4)}, "its value is .* apart from its bound"),
        ({"x": np.full(4, 0.5)}, "has columns that are not whole"),
        ({"bound": 1.25}, "contradicts its point"),
        ({"bound": None}, "nothing proves a bound"),
    ],
)
def test_mixed_integer_optima_are_believed_where_point_and_bound_agree(monkeypatch, change, words):
    """Of the numbers 2, 3, 4.5 and 6 those whose sum is nearest to 10: the last two, 0.25 off."""
    sizes = np.array([2.0, 3.0, 4.5, 6.0])
    builder = cpe.ProgramBuilder("subset", offset=100.0)
    x = builder.columns("x", 4, cost=-20.0 * sizes, upper=1, integer=True)
    one, other = np.indices((4, 4)).reshape(2, -1)
    builder.quadratic(x[one], x[other], np.outer(sizes, sizes).ravel())
    best = RawSolution(Status.OPTIMAL, np.array([0.0, 0.0, 1.0, 1.0]), bound=0.25)
    highs = get_backend("highs")
    monkeypatch.setattr("cpe_opt.solvers.solve.require_backend", lambda *given: highs)
    monkeypatch.setattr(type(highs), "solve", lambda *given: replace(best, **change))
    result = cpe.solve(builder.build(), check=False)
    assert (result.status is Status.IMPRECISE) == bool(words)
    assert re.search(words, result.message)
    assert result.row_duals is None
