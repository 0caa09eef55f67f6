"""Intervals of ranging, by re-solves: within them the optimum moves along a line, beyond not."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import CpeOptError
from cpe_opt.modelling.result import Status
from tests.support import random_program

TOLERANCE = 1e-7


def with_number(program, kind, name, side, number):
    """The program with another cost, side or bound; None where its sides would cross."""
    what = "row" if kind == "row" else "column"
    fields = [f"{what}_{each}" for each in (("lower", "upper") if side == "equal" else (side,))]
    changed = {}
    for field in ["costs"] if kind == "cost" else fields:
        changed[field] = getattr(program, field).copy()
        changed[field][getattr(program, f"{what}_names").index(name)] = number
    try:
        return replace(program, **changed)
    except cpe.InputError:
        return None


def on_the_line(program, best, each, number):
    """Whether the optimum at this number is what the point, or the dual, says; None: no program."""
    changed = with_number(program, each.kind, each.name, each.side, number)
    if changed is None:
        return None
    result = cpe.solve(changed, check=False)
    if result.status in (Status.INFEASIBLE, Status.UNBOUNDED):
        return False
    said = best + (number - each.now) * (each.point if each.kind == "cost" else each.marginal)
    return abs(result.objective - said) <= TOLERANCE * max(1.0, abs(said))


def check(program, sides_end=True):
    """Every interval; beyond its ends only where it is exact. Returns how many ends were passed.

    Those of costs are exact at a vertex where no more sides meet than there are columns.
    """
    result = cpe.solve(program)
    best, passed, values = result.objective, 0, np.append(result.x, program.matrix @ result.x)
    room = np.minimum(
        values - np.append(program.column_lower, program.row_lower),
        np.append(program.column_upper, program.row_upper) - values,
    )
    costs_end = (room <= 1e-9).sum() == program.shape[1]
    for each in cpe.ranging(result).itertuples():
        now = each.now
        assert each.lowest - 1e-9 <= now <= each.highest + 1e-9
        exact = costs_end if each.kind == "cost" else sides_end
        for end, way in ((each.lowest, -1), (each.highest, 1)):
            near = np.clip(end, now - 1e3, now + 1e3)
            for number in (now + 0.4 * (near - now), near):
                assert on_the_line(program, best, each, number) in (True, None), (each, number)
            if exact and np.isfinite(end):
                number = end + way * 0.1 * max(1.0, abs(end))
                assert on_the_line(program, best, each, number) in (False, None), (each, number)
                passed += 1
    return passed


@pytest.mark.parametrize("seed", range(4))
def test_intervals_of_random_programs_end_where_they_say(seed):
    rng = np.random.default_rng(seed)
    size = {"columns": int(rng.integers(2, 8)), "rows": int(rng.integers(1, 6))}
    assert check(random_program(rng, sense=("min", "max")[seed % 2], **size)) > 0


def bakery(sense="max", **changes):
    sign = 1.0 if sense == "max" else -1.0
    builder = cpe.ProgramBuilder("bakery", sense=sense)
    bread = builder.columns("bake", ["rye", "wheat"], cost=[3 * sign, 2 * sign])
    builder.row("oven", bread, upper=10)
    builder.row("flour", bread, [2, 1], upper=16)
    return replace(builder.build(), **changes)


@pytest.mark.parametrize("sense", ["max", "min"])
def test_a_program_by_hand(sense):
    """rye + wheat <= 10 and 2 rye + wheat <= 16 hold with equality, at (6, 4)."""
    found = cpe.ranging(cpe.solve(bakery(sense)))
    sign = 1 if sense == "max" else -1
    rye_cost, _, oven, _, rye, _ = found.itertuples()
    assert sorted((sign * rye_cost.lowest, sign * rye_cost.highest)) == pytest.approx([2, 4])
    assert (oven.kind, oven.name, oven.side) == ("row", "oven", "upper")
    numbers = (oven.now, oven.lowest, oven.highest, oven.point, oven.marginal)
    assert numbers == pytest.approx((10, 8, 16, 10, sign))
    assert (rye.kind, rye.lowest, rye.highest, rye.marginal) == ("bound", -np.inf, 6, 0)


def test_sides_end_where_they_meet_the_other_side():
    """minimise x + y over 2 <= x + y <= 3 and 0 <= x <= 1: two sides meet before any basis ends."""
    builder = cpe.ProgramBuilder("meet")
    x, y = builder.columns("x", 1, cost=1, upper=1), builder.columns("y", 1, cost=1.5)
    builder.row("range", [*x, *y], lower=2, upper=3)
    builder.row("fixed", builder.columns("z", 1, cost=1), lower=2, upper=2)
    found = cpe.ranging(cpe.solve(builder.build())).itertuples()
    sides = {(each.name, each.side): (each.lowest, each.highest) for each in found}
    assert sides["range", "lower"] == pytest.approx((1, 3))
    assert sides["range", "upper"] == (2, np.inf)
    assert sides["x_0", "upper"] == pytest.approx((0, 2))
    assert sides["x_0", "lower"] == (-np.inf, 1)
    assert sides["fixed", "equal"] == (0, np.inf)


def test_at_degenerate_points_and_other_optima_intervals_are_inner_ones():
    """A third row through the vertex; then costs that are level along a row."""
    check(bakery().with_row({"bake_rye": 1.0}, upper=6.0, name="more"))
    check(bakery(costs=np.array([2.0, 2.0])), sides_end=False)


def test_what_has_no_basis_is_refused():
    whole = bakery(integer=np.array([True, False]))
    empty = bakery(matrix=sp.csr_array((2, 2)), column_upper=np.ones(2))
    for program in (whole, empty):
        with pytest.raises(cpe.InputError, match="'bakery' has no optimal basis"):
            cpe.ranging(cpe.solve(program))
    lazy = cpe.solve(cpe.copeland_bound_program(cpe.load_instance("gap")))
    with pytest.raises(cpe.InputError, match="was solved with rows on demand"):
        cpe.ranging(lazy)
    with pytest.raises(cpe.NotOptimal, match="infeasible"):
        cpe.ranging(cpe.solve(bakery().with_row({"bake_rye": 1.0}, lower=99.0), check=False))
    wrong = replace(cpe.solve(bakery()), x=np.zeros(2))
    with pytest.raises(CpeOptError, match="highs ended with another optimum of 'bakery', 26"):
        cpe.ranging(wrong)
