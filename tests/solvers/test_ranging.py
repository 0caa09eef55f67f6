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
from cpe_opt.solvers import ranging as module
from tests.catalogue import ENTRIES
from tests.support import random_program

TOLERANCE = 1e-7
QUICK, ALL = 5, 60


def with_number(program, kind, name, side, number):
    """The program with another cost, side or bound; None where its sides would cross."""
    if kind == "cost":
        costs = program.costs.copy()
        costs[program.column_names.index(name)] = number
        return replace(program, costs=costs)
    what, names = ("row", program.row_names) if kind == "row" else ("column", program.column_names)
    changed = {}
    for each in ("lower", "upper") if side == "equal" else (side,):
        numbers = getattr(program, f"{what}_{each}").copy()
        numbers[names.index(name)] = number
        changed[f"{what}_{each}"] = numbers
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
    result = cpe.solve(changed, "glop", check=False)
    if result.status in (Status.INFEASIBLE, Status.UNBOUNDED):
        return False
    assert result.is_optimal
    said = best + (number - now) * (point if kind == "cost" else marginal)
    return abs(result.objective - said) <= TOLERANCE * max(1.0, abs(said))


def inside(now, low, high):
    """Numbers within the interval, next to its ends and between."""
    ends = [np.clip(end, now - 1e3, now + 1e3) for end in (low, high)]
    return {now + share * (end - now) for end in ends for share in (0.4, 1.0)}


def beyond(low, high):
    """Numbers outside of the interval, on either side where it ends."""
    return [
        end + way * 0.1 * max(1.0, abs(end))
        for end, way in ((low, -1), (high, 1))
        if np.isfinite(end)
    ]


def check(program, found, best):
    """Every interval; beyond its ends only where it is said to be exact. The ends that were."""
    passed = 0
    for row in found.rows():
        kind, _, _, now, low, high, *_ = row
        assert low <= now + 1e-9
        assert now <= high + 1e-9
        for number in inside(now, low, high):
            assert on_the_line(program, best, row, number) in (True, None), (row, number)
        exact = not (found.degenerate if kind == "cost" else found.other_optima)
        for number in beyond(low, high) if exact else ():
            assert on_the_line(program, best, row, number) in (False, None), (row, number)
            passed += 1
    return passed


def seeds(quick=QUICK):
    return [
        pytest.param(seed, marks=() if seed < quick else pytest.mark.slow) for seed in range(ALL)
    ]


@pytest.mark.parametrize("seed", seeds())
def test_intervals_of_random_programs_end_where_they_say(seed):
    rng = np.random.default_rng(seed)
    size = {"columns": int(rng.integers(2, 8)), "rows": int(rng.integers(1, 6))}
    program = random_program(rng, sense=("min", "max")[seed % 2], **size)
    result = cpe.solve(program, ("highs", "glop", "clarabel")[seed % 3])
    found = cpe.ranging(result)
    assert check(program, found, result.objective) > 0
    listed = [(row[0], row[1], row[2]) for row in found.rows()]
    expected = [("cost", name, "") for name in program.column_names]
    for kind, names, lower, upper in (
        ("row", program.row_names, program.row_lower, program.row_upper),
        ("bound", program.column_names, program.column_lower, program.column_upper),
    ):
        for name, low, high in zip(names, lower, upper, strict=True):
            sides = ["equal"] if low == high else ["lower", "upper"]
            ends = [low, high]
            expected += [
                (kind, name, each)
                for each, end in zip(sides, ends, strict=False)
                if np.isfinite(end)
            ]
    assert listed == expected


def test_random_programs_are_of_both_kinds():
    """Most intervals are exact, so that their ends are tested."""
    kinds = []
    for seed in range(30):
        program = random_program(np.random.default_rng(seed))
        found = cpe.ranging(cpe.solve(program))
        kinds.append((found.degenerate, found.other_optima))
    assert kinds.count((False, False)) > 15


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(each, marks=() if number % 12 == 1 else pytest.mark.slow, id=each.stem)
        for number, each in enumerate(e for e in ENTRIES if not e.is_conic)
    ],
)
def test_intervals_of_nouns_hold(entry):
    program = cpe.read_program(entry.folder / f"{entry.stem}.lp")
    if program.is_integer:
        program = replace(program, integer=np.zeros(program.shape[1], dtype=bool))
    result = cpe.solve(program)
    found = cpe.ranging(result)
    rows = list(found.rows())
    rng = np.random.default_rng(0)
    for place in rng.permutation(len(rows))[:25]:
        row = rows[place]
        _, _, _, now, low, high, *_ = row
        for number in inside(now, low, high):
            assert on_the_line(program, result.objective, row, number) in (True, None), row


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
    sides = {(each.name, each.side): each for each in found.sides}
    oven, rye = sides["oven", "upper"], sides["bake_rye", "lower"]
    assert (oven.number, oven.lowest, oven.highest) == pytest.approx((10, 8, 16))
    assert (oven.value, oven.dual) == pytest.approx((10, sign))
    assert (rye.kind, rye.lowest, rye.highest, rye.dual) == ("bound", -np.inf, 6, 0)
    assert not found.degenerate
    assert not found.other_optima


def test_sides_end_where_they_meet_the_other_side():
    """minimise x + y over 2 <= x + y <= 3 and 0 <= x <= 1: two sides meet before any basis ends."""
    builder = cpe.ProgramBuilder("meet")
    x, y = builder.columns("x", 1, cost=1, upper=1), builder.columns("y", 1, cost=1.5)
    builder.row("range", [*x, *y], lower=2, upper=3)
    found = cpe.ranging(cpe.solve(builder.build()))
    sides = {(each.name, each.side): (each.lowest, each.highest) for each in found.sides}
    assert sides["range", "lower"] == pytest.approx((1, 3))
    assert sides["range", "upper"] == (2, np.inf)
    assert sides["x_0", "upper"] == pytest.approx((0, 2))
    assert sides["x_0", "lower"] == (-np.inf, 1)


def test_numbers_of_many_sizes_have_intervals_in_their_units():
    r, s = np.array([1e6, 1e-4]), np.array([1e3, 1e-5])
    plain = bakery()
    odd = bakery(
        costs=plain.costs * s * 1e7,
        matrix=sp.csr_array(plain.matrix.toarray() * r[:, None] * s),
        row_upper=plain.row_upper * r,
    )
    known, found = (cpe.ranging(cpe.solve(each)) for each in (plain, odd))
    for each, other, unit in zip(known.costs, found.costs, s, strict=True):
        ends = other.lowest / unit / 1e7, other.highest / unit / 1e7, other.value * unit
        assert ends == pytest.approx((each.lowest, each.highest, each.value))
    unit = np.concatenate([r, 1 / s])
    for each, other, size in zip(known.sides, found.sides, unit, strict=True):
        ends = other.lowest / size, other.highest / size, other.value / size
        assert ends == pytest.approx((each.lowest, each.highest, each.value))
        assert other.dual * size / 1e7 == pytest.approx(each.dual)


def test_degenerate_points_and_other_optima_are_said():
    """A third row through the vertex; then costs that are level along a row."""
    through = bakery().with_row({"bake_rye": 1.0}, upper=6.0, name="more")
    result = cpe.solve(through)
    found = cpe.ranging(result)
    assert found.degenerate
    assert "The point is degenerate" in found.text
    check(through, found, result.objective)
    level = bakery(costs=np.array([2.0, 2.0]))
    result = cpe.solve(level)
    found = cpe.ranging(result)
    assert found.other_optima
    assert "Other points may be optimal" in found.notes
    check(level, found, result.objective)
    assert "degenerate" not in cpe.ranging(cpe.solve(bakery())).notes


def test_an_optimum_that_is_no_vertex_has_the_intervals_of_one_nearby():
    """Clarabel ends in the middle of the optimal edge."""
    level = bakery(costs=np.array([2.0, 2.0]))
    result = cpe.solve(level, "clarabel")
    assert abs(result.values["bake_rye"] - np.array([0, 6])).min() > 0.1
    found = cpe.ranging(result)
    check(level, found, result.objective)


def test_free_columns_and_programs_without_rows():
    builder = cpe.ProgramBuilder("free")
    x = builder.columns("x", 2, lower=-np.inf, cost=[1.0, 0.0])
    y = builder.columns("y", 1, cost=1.0, upper=4)
    builder.row("r", [x[0], y[0]], lower=3)
    program = builder.build()
    result = cpe.solve(program)
    found = cpe.ranging(result)
    check(program, found, result.objective)
    assert (found.costs[1].lowest, found.costs[1].highest) == (0.0, 0.0)
    builder = cpe.ProgramBuilder("box", sense="max")
    builder.columns("x", 3, cost=[1.0, -2.0, 0.0], lower=[1, 2, 3], upper=[5, 6, 3])
    program = builder.build()
    result = cpe.solve(program)
    found = cpe.ranging(result)
    assert check(program, found, result.objective) > 0
    assert [(each.lowest, each.highest) for each in found.costs] == [
        (0, np.inf),
        (-np.inf, 0),
        (-np.inf, np.inf),
    ]


def test_rows_without_columns_and_without_sides():
    builder = cpe.ProgramBuilder("rows")
    builder.row("zero", [], lower=-1, upper=2)
    sides = cpe.ranging(cpe.solve(builder.build())).sides
    assert [(each.side, each.lowest, each.highest, each.dual) for each in sides] == [
        ("lower", -np.inf, 0, 0),
        ("upper", 0, np.inf, 0),
    ]
    loose = bakery().with_rows(
        replace(
            bakery().row_block.select(np.array([0])), upper=np.array([np.inf]), names=("loose",)
        )
    )
    found, plain = (cpe.ranging(cpe.solve(each)) for each in (loose, bakery()))
    assert list(found.rows()) == list(plain.rows())


def test_a_table_is_written(tmp_path):
    found = cpe.ranging(cpe.solve(bakery()))
    path = found.write(tmp_path / "ranging.csv")
    head, *rows = csv.reader(path.read_text().splitlines())
    assert head == ["kind", "name", "side", "now", "from", "to", "point", "marginal"]
    assert len(rows) == 6
    assert rows[2][:3] == ["row", "oven", "upper"]
    assert [float(cell) for cell in rows[2][3:]] == pytest.approx([10, 8, 16, 10, 1])
    assert found.as_dict()["costs"][0]["column"] == "bake_rye"
    assert len(found.text.splitlines()) == 8


def test_what_has_no_basis_is_refused():
    whole = bakery(integer=np.array([True, False]))
    with pytest.raises(cpe.InputError, match="'bakery' is an integer program, which has no"):
        cpe.ranging(cpe.solve(whole))
    design = cpe.solve(cpe.g_design_program(np.eye(2)), "clarabel")
    with pytest.raises(cpe.InputError, match="is a cone program, which has no optimal basis"):
        cpe.ranging(design)
    lazy = cpe.solve(cpe.copeland_bound_program(cpe.load_instance("gap")))
    with pytest.raises(cpe.InputError, match="was solved with rows on demand"):
        cpe.ranging(lazy)
    assert cpe.ranging(cpe.solve(lazy.program)).costs
    with pytest.raises(cpe.NotOptimal, match="infeasible"):
        cpe.ranging(cpe.solve(bakery().with_row({"bake_rye": 1.0}, lower=99.0), check=False))


@pytest.mark.parametrize(
    ("statuses", "message"),
    [
        ([0, 0, 1, 1], "no basis of 'bakery' was found that is optimal"),  # at (0, 0)
        ([1, 0, 1, 2], "no basis of 'bakery' was found that is optimal"),  # at (8, 0)
        ([1, 0, 2, 1], "no basis of 'bakery' was found that is optimal"),  # at (10, 0)
        ([1, 1, 1, 2], "ended without a whole basis"),
        ([1, 1, 4, 2], "ended without a whole basis"),
    ],
)
def test_a_basis_that_is_not_optimal_is_not_believed(statuses, message, monkeypatch):
    result = cpe.solve(bakery())
    monkeypatch.setattr(module, "_statuses", lambda *_: np.array(statuses))
    with pytest.raises(CpeOptError, match=message):
        cpe.ranging(result)


def test_a_result_has_its_ranging():
    result = cpe.solve(bakery())
    assert result.ranging().as_dict() == cpe.ranging(result).as_dict()
    with pytest.raises(CpeOptError, match="'bakery' does not come from a solve"):
        replace(result, ranger=None).ranging()
    assert pickle.loads(pickle.dumps(result)).ranging().costs
