"""Why programs have no optimum: sets that are infeasible with each member needed, and rays.

Sets are judged by scipy, on programs with one side a member; rays in fractions.
"""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import Bounds, LinearConstraint, milp

import cpe_opt as cpe
from cpe_opt.errors import CpeOptError
from cpe_opt.solvers import explain as module
from cpe_opt.solvers.solve import improves
from tests.catalogue import ENTRIES
from tests.support import all_of

LINEAR = [each for each in ENTRIES if not each.is_conic]


def members_of(program):
    """The finite sides of rows and bounds of columns, as (what, name, side)."""
    return {
        (what, name, side)
        for what in ("row", "column")
        for side in ("lower", "upper")
        for name, end in zip(
            getattr(program, f"{what}_names"), getattr(program, f"{what}_{side}"), strict=True
        )
        if np.isfinite(end)
    }


def has_point(program, members):
    """Whether a point satisfies these members, by scipy."""
    sides = []
    for what, names in (("row", program.row_names), ("column", program.column_names)):
        for side, infinite in (("lower", -np.inf), ("upper", np.inf)):
            kept = [(what, name, side) in members for name in names]
            sides.append(np.where(kept, getattr(program, f"{what}_{side}"), infinite))
    rows = [LinearConstraint(program.matrix, *sides[:2])] if program.shape[0] else []
    costs, whole = np.zeros(program.shape[1]), program.integer.astype(int)
    status = milp(costs, integrality=whole, bounds=Bounds(*sides[2:]), constraints=rows).status
    assert status in (0, 2)
    return status == 0


def check_set(program, found):
    """Infeasible together, and a point without any one."""
    assert found.irreducible
    members = members_of(found.program)
    assert not has_point(program, members)
    for member in members:
        assert has_point(program, members - {member}), f"{member} is not needed"


def built(name, matrix, low, high, lower, upper, integer=False):
    builder = cpe.ProgramBuilder(name)
    x = builder.columns("x", matrix.shape[1], lower=lower, upper=upper, integer=integer)
    row, column = np.nonzero(matrix)
    builder.rows("r", len(matrix), row, x[column], matrix[row, column], lower=low, upper=high)
    return builder.build()


def random_infeasible(seed, integer=False):
    """An infeasible program of random rows; of integer ones, the relaxation may have a point."""
    rng = np.random.default_rng([seed, integer])
    while True:
        columns, rows = rng.integers(2, 5 if integer else 9), rng.integers(2, 5 if integer else 14)
        matrix = rng.integers(-3, 4, size=(rows, columns)) * (rng.random((rows, columns)) < 0.7)
        matrix = (2 if integer else 1) * matrix.astype(float)
        middle = matrix @ rng.integers(-3, 4, size=columns) + rng.integers(-4, 5, size=rows)
        kind, room = rng.integers(0, 4, size=rows), rng.integers(0, 4, rows)
        low = np.where(kind == 0, -np.inf, middle)
        high = np.where(kind == 1, np.inf, middle + np.where(kind == 2, 0, room))
        lower = np.where(rng.random(columns) < 0.7, rng.integers(-3, 1, columns), -np.inf)
        upper = np.where(rng.random(columns) < 0.5, rng.integers(0, 4, columns), np.inf)
        if integer:
            lower, upper = np.fmax(lower, -6.0), np.fmin(upper, 6.0)
        program = built("random", matrix, low, high, lower, upper, integer)
        if not has_point(program, members_of(program)):
            return program


@all_of(("seed", "integer"), product(range(5), [False, True]))
def test_sets_of_random_programs_are_irreducible(seed, integer):
    program = random_infeasible(seed, integer)
    check_set(program, cpe.infeasible_rows(program))


@all_of("seed", range(6))
def test_numbers_far_apart_have_a_right_set_or_a_refusal(seed):
    """Entries from 1e-12 to 1e12, by powers of 2, which change no digit."""
    program, rng = random_infeasible(seed), np.random.default_rng(seed)
    r, s = (2.0 ** rng.integers(-20, 21, size) for size in program.shape)
    scaled = replace(
        program,
        matrix=sp.csr_array(program.matrix.toarray() * r[:, None] * s),
        row_lower=program.row_lower * r,
        row_upper=program.row_upper * r,
        column_lower=program.column_lower / s,
        column_upper=program.column_upper / s,
    )
    with suppress(CpeOptError):
        found = cpe.infeasible_rows(scaled)
        if found.irreducible:
            check_set(program, found)


@pytest.mark.parametrize("entry", LINEAR[1::9], ids=lambda each: each.stem)
def test_sets_of_stored_programs_are_irreducible(entry):
    """A stored program of a noun, with a row that asks for more than its optimum."""
    program = cpe.read_program(entry.folder / f"{entry.stem}.lp")
    best, sign = cpe.solve(program).objective - program.offset, 1 if program.sense == "min" else -1
    costs = zip(program.column_names, program.costs.tolist(), strict=True)
    side = {"upper" if sign == 1 else "lower": best - 0.05 * max(abs(best), 1.0) * sign}
    program = program.with_row({name: c for name, c in costs if c}, name="too_good", **side)
    found = cpe.infeasible_rows(program)
    assert "too_good" in found.program.row_names
    check_set(program, found)


def shifts():
    builder = cpe.ProgramBuilder("shifts")
    hours = builder.columns("hours", ["ann", "bob"], upper=8)
    spare = builder.columns("spare", [()], upper=3)
    builder.row("open", [*hours, *spare], [1, 1, -1], lower=18)
    builder.row("budget", hours, [30, 20], lower=10, upper=1000)
    return builder.build()


def test_whole_columns_are_named_and_both_sides_may_be_needed():
    """2x + 2y = 3 has points, none of them whole."""
    builder = cpe.ProgramBuilder("parity")
    x = builder.columns("x", 3, upper=5, integer=True)
    builder.row("odd", x[:2], [2, 2], lower=3, upper=3)
    builder.row("other", x, lower=1)
    found = cpe.infeasible_rows(builder.build())
    assert found.members == ["odd: 2 x_0 + 2 x_1 = 3"]
    assert "Whole columns: x_0, x_1." in found.text
    builder = cpe.ProgramBuilder("narrow")
    builder.columns("x", 1, lower=0.2, upper=0.8, integer=True)
    assert cpe.infeasible_rows(builder.build()).members == ["bound: 0.2 <= x_0 <= 0.8"]
    builder.row("no", [], lower=1)
    assert cpe.infeasible_rows(builder.build()).members == ["no: 0 >= 1"]


def test_a_program_with_a_point_is_refused():
    message = "'shifts' has a point that satisfies every row and bound, expected an infeasible"
    with pytest.raises(cpe.InputError, match=message):
        cpe.infeasible_rows(shifts().keeping_rows(np.array([False, True])))


def test_a_linear_program_is_searched_from_the_members_of_a_proof(monkeypatch):
    """One solve to begin with, then one a member, however many rows do no harm."""
    program = shifts()
    harmless = program.row_block.select(np.ones(200, dtype=int))
    names = tuple(f"harmless_{number}" for number in range(200))
    program = program.with_rows(replace(harmless, names=names))
    seen, plain = [], module.solve
    monkeypatch.setattr(module, "solve", lambda *a, **named: seen.append(a) or plain(*a, **named))
    assert len(cpe.infeasible_rows(program).members) == 4
    assert len(seen) == 1 + 4


# Rays


def shop(integer=False, sense="max", lower=0.0):
    sign = 1.0 if sense == "max" else -1.0
    builder = cpe.ProgramBuilder("shop", sense=sense)
    boxes = builder.columns(
        "boxes", ["sold", "bought"], cost=[6 * sign, -4 * sign], lower=lower, integer=integer
    )
    builder.row("stock", boxes, [1, -1.5], upper=5)
    return builder.build()


def random_unbounded(seed, integer=False):
    """Rows that a planted ray keeps to, of whole numbers."""
    rng = np.random.default_rng([seed, integer])
    columns, rows = int(rng.integers(2, 7)), int(rng.integers(1, 7))
    ray = rng.integers(0, 4, size=columns)
    ray[0] = 1 + rng.integers(3)
    matrix = rng.integers(-3, 4, size=(rows, columns))
    matrix[:, 0] -= matrix @ ray // ray[0]  # what is left lies in 0 … ray[0] - 1
    matrix[rng.random(rows) < 0.5] *= -1
    falls = matrix @ ray < 0
    low = np.where(falls, -np.inf, -rng.integers(0, 4, rows))
    high = np.where(falls, rng.integers(0, 4, rows), np.inf)
    program = built("ray", matrix, low, high, 0.0, np.inf, integer)
    costs = rng.integers(-3, 4, size=columns)
    costs[0] -= (costs @ ray) // ray[0] + 1
    return replace(program, costs=costs.astype(float))


def check_ray(program, found):
    """The step changes no row beyond its sides, in exact arithmetic, and improves."""
    ray = [Fraction(found.direction.get(name, 0.0)) for name in program.column_names]
    rows = [*program.matrix.toarray().tolist(), program.costs.tolist()]
    *activities, change = (sum(Fraction(a) * d for a, d in zip(r, ray, strict=True)) for r in rows)
    lower = np.concatenate([program.row_lower, program.column_lower])
    upper = np.concatenate([program.row_upper, program.column_upper])
    for step, low, high in zip(activities + ray, lower, upper, strict=True):
        assert step >= 0 or low == -np.inf
        assert step <= 0 or high == np.inf
    assert found.change == pytest.approx(float(change))
    assert change < 0 if program.sense == "min" else change > 0
    assert all(
        step.denominator == 1 for step, must in zip(ray, program.integer, strict=True) if must
    )


@all_of(("seed", "integer"), product(range(10), [False, True]))
def test_rays_of_random_programs(seed, integer):
    program = random_unbounded(seed, integer)
    check_ray(program, cpe.unbounded_ray(program))


def test_only_whole_columns_need_whole_steps():
    """y = √2 x and 3x = 2z: there is a ray where x and z are whole, none where y is, too."""
    builder = cpe.ProgramBuilder("root", sense="max")
    builder.columns("x", [()], cost=1, integer=True)
    builder.columns("y", [()])
    builder.columns("z", [()], integer=True)
    builder.row("ratio", [0, 1], [2**0.5, -1], lower=0, upper=0)
    builder.row("thirds", [0, 2], [3, -2], lower=0, upper=0)
    program = builder.build()
    found = cpe.unbounded_ray(program)
    assert (found.direction["x"], found.direction["z"]) == (2.0, 3.0)
    assert found.direction["y"] == pytest.approx(2 * 2**0.5)
    with pytest.raises(CpeOptError, match="'root'"):
        cpe.unbounded_ray(replace(program, integer=np.array([True, True, True])))


def test_programs_with_an_end_are_refused():
    capped = shop().with_row({"boxes_sold": 1.0}, upper=9.0)
    with pytest.raises(cpe.InputError, match=r"no ray .* objective of 'shop' improves without end"):
        cpe.unbounded_ray(capped)
    impossible = shop().with_row({"boxes_sold": 1.0}, upper=-1.0)
    with pytest.raises(cpe.InputError, match="'shop' has no point, expected an unbounded"):
        cpe.unbounded_ray(impossible)


@pytest.mark.parametrize(
    ("ray", "expected"),
    [
        ([3, 2], True),
        ([2, 3], False),  # it costs as much as it gains
        ([3, 1], False),  # the stock ends it
        ([0, 0], False),
    ],
)
def test_what_a_ray_is(ray, expected):
    program, ray = shop(sense="min"), np.array(ray, dtype=float)
    assert improves(program, ray) is expected
    assert improves(shop(), ray) is expected
    turned = replace(
        program,
        costs=-program.costs,
        column_lower=np.full(2, -np.inf),
        column_upper=np.zeros(2),
        row_lower=-program.row_upper,
        row_upper=-program.row_lower,
    )
    assert improves(turned, -ray) is expected
    for each, way, far in ((program, 1, "column_upper"), (turned, -1, "column_lower")):
        assert not improves(replace(each, **{far: np.full(2, 9.0 * way)}), way * ray)
