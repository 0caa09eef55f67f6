"""Bounds of linear programs whose duals are right only up to a solver's tolerance.

An optional test reads the model files of a folder: ``CPE_OPT_MODEL_FILES=/some/netlib pytest
tests/solvers/test_dual_repair.py``; every file there has to be a bounded, feasible linear program.
"""

import os
from pathlib import Path

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.modelling.certify import (
    ROUNDING,
    blended_duals,
    dual_proof,
    interior_program,
    reduced_costs,
)
from cpe_opt.modelling.reading import read_program
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import RawSolution
from cpe_opt.solvers.registry import get_backend

FOLDER = os.environ.get("CPE_OPT_MODEL_FILES")


def staircase(seed, periods, size, spread):
    """Dense equations period by period, in columns of many sizes; and the optimum."""
    rng = np.random.default_rng(seed)
    count = 2 * size
    scale = 10.0 ** rng.uniform(-spread, spread, size=(periods, count)).ravel()
    used = rng.random((periods, count)) < 0.4
    point = np.where(used, rng.uniform(0.5, 2, (periods, count)), 0.0).ravel()
    matrix = np.zeros((periods * size, periods * count))
    for t in range(periods):
        rows = slice(t * size, (t + 1) * size)
        made = rng.uniform(0.2, 2, (size, count)) * (rng.random((size, count)) < 0.6)
        matrix[rows, t * count : (t + 1) * count] = made
        if t:
            kept = rng.uniform(0.2, 2, (size, count)) * (rng.random((size, count)) < 0.5)
            matrix[rows, (t - 1) * count : t * count] = -kept
    prices = rng.normal(size=periods * size)
    costs = matrix.T @ prices + np.where(point > 0, 0, rng.uniform(0, 1, len(point)))
    builder = cpe.ProgramBuilder("staircase")
    x = builder.columns("x", len(point), cost=costs * scale)
    row, column = np.nonzero(matrix)
    entries = (matrix * scale)[row, column]
    side = matrix @ point
    builder.rows("r", len(side), row, x[column], entries, lower=side, upper=side)
    return builder.build(), float(costs @ point)


@pytest.mark.parametrize(("seed", "shape"), [(9, (30, 8, 1.0)), (11, (10, 20, 3.0))])
def test_optima_of_staircases_are_proved(seed, shape):
    """HiGHS's duals of these leave columns of the wrong sign that a change of y cannot mend."""
    program, optimum = staircase(seed, *shape)
    result = cpe.solve(program)
    assert result.objective == pytest.approx(optimum, rel=1e-9)
    assert result.bound == pytest.approx(optimum, rel=1e-7)
    assert dual_proof(program, result.row_duals)[:2] == (result.bound, pytest.approx(0.0, abs=1e-9))


def crowded(sense="min", *, sides=1.0):
    """Three equations, sixty columns of reduced cost up to 1e-10, and duals off by up to 1e-9.

    ``sides`` -1 turns the columns round: x <= 0 in place of x >= 0.
    """
    rng = np.random.default_rng(3)
    matrix = sides * rng.uniform(0.5, 2, size=(3, 60))
    prices = np.array([1.0, -0.5, 2.0])
    costs = matrix.T @ prices + sides * 1e-10 * rng.random(60)
    sign = 1.0 if sense == "min" else -1.0
    builder = cpe.ProgramBuilder("crowded", sense=sense)
    ends = {"lower": 0.0} if sides > 0 else {"lower": -np.inf, "upper": 0.0}
    x = builder.columns("x", 60, cost=sign * costs, **ends)
    point = sides * rng.uniform(0.5, 2, 60)
    side = matrix @ point
    row, column = np.nonzero(matrix)
    builder.rows("r", 3, row, x[column], matrix[row, column], lower=side, upper=side)
    return builder.build(), point, sign * (prices + 1e-9 * rng.normal(size=3))


@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize("sides", [1.0, -1.0])
def test_interior_duals_make_every_sign_right(sense, sides):
    program, point, duals = crowded(sense, sides=sides)
    assert dual_proof(program, duals).bound is None
    larger = interior_program(program, point)
    inside = cpe.solve(larger)
    # The added columns move the given ones, at their costs and a little less.
    x, moves = np.split(inside.x, 2)
    own = program.objective(x + sides * moves)
    assert inside.objective == pytest.approx(own, rel=1e-4)
    np.testing.assert_allclose(larger.matrix @ inside.x, program.matrix @ (x + sides * moves))
    blend = blended_duals(program, duals, inside.row_duals)
    sign = 1.0 if sense == "min" else -1.0
    slack = sign * sides * reduced_costs(program, blend)
    assert (slack > 0.0).all()
    # Near the given duals: the share is what rounding asks for, and no more.
    assert np.abs(blend - duals).max() < 1e-6
    proof = dual_proof(program, blend)
    assert proof.residual == 0.0
    np.testing.assert_array_equal(proof.row_duals, blend)
    value = cpe.solve(program).objective
    assert 0.0 <= sign * (value - proof.bound) + 1e-13 * abs(value) <= 1e-6 * abs(value)


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
    program = builder.build()
    proof = dual_proof(program, np.array([3e3, 1e-12, *np.zeros(11)]))
    assert proof.residual == 1e-12
    assert (proof.bound, proof.row_duals.tolist()) == (3e3, [3e3, *np.zeros(12)])


def test_blends_are_none_where_interior_duals_have_wrong_signs_too():
    program, _, duals = crowded()
    assert blended_duals(program, duals, duals) is None


def test_columns_with_a_ray_of_no_cost_are_left_at_0():
    """x_0 and x_1 may grow together without end, so neither reduced cost can be positive."""
    builder = cpe.ProgramBuilder("ray")
    x = builder.columns("x", 3, cost=[1, -1, 1])
    builder.row("level", x, [1, -1, 1], lower=1, upper=1)
    program = builder.build()
    duals = np.array([1.0 + 1e-9])
    point = np.array([1.0, 0.0, 0.0])
    inside = cpe.solve(interior_program(program, point))
    assert inside.status is Status.OPTIMAL
    blend = blended_duals(program, duals, inside.row_duals)
    assert blend == pytest.approx([1.0], abs=2 * ROUNDING)
    assert dual_proof(program, blend).bound == pytest.approx(1.0)


def test_free_columns_are_taken_to_0():
    builder = cpe.ProgramBuilder("free")
    x = builder.columns("x", 1, cost=2.0, lower=-np.inf)
    z = builder.columns("z", 1, cost=3.0)
    builder.row("sum", np.concatenate([x, z]), [3, 1], lower=6, upper=6)
    builder.row("apart", np.concatenate([x, z]), [1, -1], lower=-5, upper=9)
    program = builder.build()
    wrong = np.array([2 / 3 + 1e-7, 0.0])
    inside = cpe.solve(interior_program(program, np.array([2.0, 0.0])))
    blend = blended_duals(program, wrong, inside.row_duals)
    assert abs(reduced_costs(program, blend)[0]) <= 4 * ROUNDING
    assert dual_proof(program, blend).bound == pytest.approx(4.0, rel=1e-6)


@pytest.mark.parametrize("solver", ["glop", "scip"])
def test_duals_that_prove_nothing_are_replaced_by_those_of_another_solver(solver, monkeypatch):
    program, point, duals = crowded()
    best = cpe.solve(program)
    raw = RawSolution(Status.OPTIMAL, best.x, duals)
    monkeypatch.setattr(type(get_backend(solver)), "solve", lambda *_: raw)
    result = cpe.solve(program, solver, process="here")
    assert result.bound == pytest.approx(result.objective, rel=1e-7)
    assert dual_proof(program, result.row_duals).bound == result.bound
    # A point that is none stays imprecise, whatever its duals prove.
    worse = RawSolution(Status.OPTIMAL, point + 1.0, duals)
    monkeypatch.setattr(type(get_backend(solver)), "solve", lambda *_: worse)
    assert cpe.solve(program, solver, process="here", check=False).status is Status.IMPRECISE


def test_bounds_hold_in_exact_arithmetic():
    """No feasible point is better than the bound by more than the documented share of its terms."""
    from fractions import Fraction

    program, point, duals = crowded()
    inside = cpe.solve(interior_program(program, point))
    blend = blended_duals(program, duals, inside.row_duals)
    matrix = program.matrix.toarray()
    exact = [[Fraction(value) for value in line] for line in matrix.tolist()]
    prices = [Fraction(value) for value in blend.tolist()]
    for column, cost in enumerate(program.costs.tolist()):
        terms = [prices[row] * exact[row][column] for row in range(3)]
        assert Fraction(cost) - sum(terms) > 0
    bound = sum(p * Fraction(side) for p, side in zip(prices, program.row_lower.tolist(),
                                                      strict=True))  # fmt: skip
    claimed = dual_proof(program, blend).bound
    assert abs(float(bound) - claimed) <= 1e-15 * abs(claimed)


@pytest.mark.slow
@pytest.mark.skipif(FOLDER is None, reason="CPE_OPT_MODEL_FILES names no folder")
def test_optima_of_model_files_are_proved():
    files = [path for path in Path(FOLDER).iterdir() if ".mps" in path.name]
    assert files
    ends = {path.name: cpe.solve(read_program(path), check=False) for path in sorted(files)}
    assert {name: r.message for name, r in ends.items() if not r.is_optimal} == {}
