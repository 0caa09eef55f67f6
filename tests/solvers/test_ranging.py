"""Intervals of ranging, by re-solves: within them the optimum moves along a line, beyond not."""

import csv
import pickle
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


def on_the_line(program, best, row, number):
    """Whether the optimum at this number is what the point, or the dual, says; None: no program."""
    kind, name, side, now, _, _, point, marginal = row
    changed = with_number(program, kind, name, side, number)
    if changed is None:
        return None
    result = cpe.solve(changed, check=False)
    if result.status in (Status.INFEASIBLE, Status.UNBOUNDED):
        return False
    said = best + (number - now) * (point if kind == "cost" else marginal)
    return abs(result.objective - said) <= TOLERANCE * max(1.0, abs(said))


def check(program):
    """Every interval; beyond its ends only where it is said to be exact. The ends that were."""
    result = cpe.solve(program)
    found, best, passed = cpe.ranging(result), result.objective, 0
    for row in found.rows():
        kind, _, _, now, low, high, *_ = row
        assert low <= now + 1e-9
        assert now <= high + 1e-9
        exact = not (found.degenerate if kind == "cost" else found.other_optima)
        for end, way in ((low, -1), (high, 1)):
            near = np.clip(end, now - 1e3, now + 1e3)
            for number in (now + 0.4 * (near - now), near):
                assert on_the_line(program, best, row, number) in (True, None), (row, number)
            if exact and np.isfinite(end):
                number = end + way * 0.1 * max(1.0, abs(end))
                assert on_the_line(program, best, row, number) in (False, None), (row, number)
                passed += 1
    return passed


@pytest.mark.parametrize("seed", range(12))
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
    costs = {each.column: sorted((sign * each.lowest, sign * each.highest)) for each in found.costs}
    assert costs["bake_rye"] == pytest.approx([2, 4])
    assert costs["bake_wheat"] == pytest.approx([1.5, 3])
    oven, _, rye, _ = found.sides
    assert (oven.kind, oven.name, oven.side) == ("row", "oven", "upper")
    numbers = (oven.number, oven.lowest, oven.highest, oven.value, oven.dual)
    assert numbers == pytest.approx((10, 8, 16, 10, sign))
    assert (rye.kind, rye.lowest, rye.highest, rye.dual) == ("bound", -np.inf, 6, 0)
    assert not found.degenerate
    assert not found.other_optima


def test_sides_end_where_they_meet_the_other_side():
    """minimise x + y over 2 <= x + y <= 3 and 0 <= x <= 1: two sides meet before any basis ends."""
    builder = cpe.ProgramBuilder("meet")
    x, y = builder.columns("x", 1, cost=1, upper=1), builder.columns("y", 1, cost=1.5)
    builder.row("range", [*x, *y], lower=2, upper=3)
    builder.row("fixed", builder.columns("z", 1, cost=1), lower=2, upper=2)
    found = cpe.ranging(cpe.solve(builder.build()))
    sides = {(each.name, each.side): (each.lowest, each.highest) for each in found.sides}
    assert sides["range", "lower"] == pytest.approx((1, 3))
    assert sides["range", "upper"] == (2, np.inf)
    assert sides["x_0", "upper"] == pytest.approx((0, 2))
    assert sides["x_0", "lower"] == (-np.inf, 1)
    assert sides["fixed", "equal"] == (0, np.inf)


def test_numbers_of_many_sizes_have_intervals_in_their_units():
    r, s = np.array([1e4, 1e-3]), np.array([1e3, 1e-4])
    plain = bakery()
    odd = bakery(
        costs=plain.costs * s * 1e4,
        matrix=sp.csr_array(plain.matrix.toarray() * r[:, None] * s),
        row_upper=plain.row_upper * r,
    )
    unit = np.concatenate([s * 1e4, r, 1 / s])  # of each row of the table
    price = np.concatenate([1 / s, r, 1 / s])  # of its point
    known, found = (list(cpe.ranging(cpe.solve(each)).rows()) for each in (plain, odd))
    for one, other, size, point in zip(known, found, unit, price, strict=True):
        assert np.divide(other[3:6], size) == pytest.approx(one[3:6])
        assert other[6] / point == pytest.approx(one[6])
        if one[0] != "cost":
            assert other[7] * size / 1e4 == pytest.approx(one[7])


def test_degenerate_points_and_other_optima_are_said():
    """A third row through the vertex; then costs that are level along a row."""
    through = bakery().with_row({"bake_rye": 1.0}, upper=6.0, name="more")
    found = cpe.ranging(cpe.solve(through))
    assert (found.degenerate, found.other_optima) == (True, False)
    assert "The point is degenerate" in found.text
    check(through)
    level = bakery(costs=np.array([2.0, 2.0]))
    found = cpe.ranging(cpe.solve(level))
    assert (found.degenerate, found.other_optima) == (False, True)
    assert "Other points may be optimal" in found.notes
    check(level)


def test_programs_without_rows_or_columns_or_entries():
    builder = cpe.ProgramBuilder("box", sense="max")
    builder.columns("x", 3, cost=[1.0, -2.0, 0.0], lower=[1, 2, 3], upper=[5, 6, 3])
    box = builder.build()
    assert check(box) > 0
    builder = cpe.ProgramBuilder("rows")
    builder.row("zero", [], lower=-1, upper=2)
    sides = cpe.ranging(cpe.solve(builder.build())).sides
    assert [(each.side, each.lowest, each.highest, each.dual) for each in sides] == [
        ("lower", -np.inf, 0, 0),
        ("upper", 0, np.inf, 0),
    ]


def test_a_table_is_written(tmp_path):
    result = cpe.solve(bakery())
    found = cpe.ranging(result)
    path = found.write(tmp_path / "ranging.csv")
    head, *rows = csv.reader(path.read_text().splitlines())
    assert head == ["kind", "name", "side", "now", "from", "to", "point", "marginal"]
    assert len(rows) == 6
    assert rows[2][:3] == ["row", "oven", "upper"]
    assert [float(cell) for cell in rows[2][3:]] == pytest.approx([10, 8, 16, 10, 1])
    assert pickle.loads(pickle.dumps(result)).ranging().as_dict() == found.as_dict()


def test_what_has_no_basis_is_refused():
    whole = bakery(integer=np.array([True, False]))
    with pytest.raises(cpe.InputError, match="'bakery' is an integer program, which has no"):
        cpe.ranging(cpe.solve(whole))
    lazy = cpe.solve(cpe.copeland_bound_program(cpe.load_instance("gap")))
    with pytest.raises(cpe.InputError, match="was solved with rows on demand"):
        cpe.ranging(lazy)
    with pytest.raises(cpe.NotOptimal, match="infeasible"):
        cpe.ranging(cpe.solve(bakery().with_row({"bake_rye": 1.0}, lower=99.0), check=False))
    wrong = replace(cpe.solve(bakery()), x=np.zeros(2))
    with pytest.raises(CpeOptError, match="highs ended with another optimum of 'bakery', 26"):
        cpe.ranging(wrong)
