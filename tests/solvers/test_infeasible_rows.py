"""Sets of rows and bounds that contradict each other: infeasible, and each member needed.

Judged by scipy, on programs with one side a member.
"""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import Bounds, LinearConstraint, milp

import cpe_opt as cpe
from cpe_opt.errors import CpeOptError
from cpe_opt.solvers import infeasible_rows as module
from tests.catalogue import ENTRIES

LINEAR = [each for each in ENTRIES if not each.is_conic]
PER_KIND = 60


def has_point(program, members):
    """Whether a point satisfies these members, (what, name, side), by scipy."""
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


def members_of(found):
    """The members of a set as :func:`has_point` takes them."""
    return {
        (what, each.name, side)
        for what, some in (("row", found.rows), ("column", found.bounds))
        for each in some
        for side in (("lower", "upper") if each.side == "both" else (each.side,))
    }


def check_members(program, members):
    """Infeasible together, and a point without any one."""
    assert not has_point(program, members)
    for member in members:
        assert has_point(program, members - {member}), f"{member} is not needed"


def check(program, found):
    """The set is irreducible, and its factors add up to a contradiction."""
    assert found.irreducible
    check_members(program, members_of(found))
    if found.whole:
        return
    total, sides, terms = np.zeros(program.shape[1]), 0.0, 0.0
    for what, each in [("row", m) for m in found.rows] + [("column", m) for m in found.bounds]:
        names = getattr(program, f"{what}_names")
        place, sign = names.index(each.name), 1 if each.side == "lower" else -1
        vectors = program.matrix if what == "row" else sp.eye_array(program.shape[1], format="csr")
        vector = vectors[[place]].toarray()[0]
        total += sign * each.factor * vector
        terms = max(terms, abs(each.factor * vector).max(initial=0.0))
        sides += sign * each.factor * getattr(program, f"{what}_{each.side}")[place]
    assert (np.abs(total) <= 1e-9 * terms).all()
    assert sides > 0
    assert found.total == pytest.approx(sides)


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
        if not has_point(program, all_members(program)):
            return program


def all_members(program):
    kinds = (("row", program.row_names), ("column", program.column_names))
    return {(w, name, side) for w, names in kinds for name in names for side in ("lower", "upper")}


def planted_infeasible(seed):
    """Rows with one combination that vanishes, among rows that do no harm; and their numbers."""
    rng = np.random.default_rng([seed, 7])
    while True:
        size, columns, others = rng.integers(2, 7), rng.integers(2, 8), rng.integers(0, 12)
        rows = rng.integers(-3, 4, size=(size, columns))
        times = rng.integers(1, 4, size=size)
        rows[-1] = -(times[:-1] @ rows[:-1])
        times[-1] = 1
        sides = rng.integers(-3, 4, size=size)
        sides[-1] = 1 - times[:-1] @ sides[:-1]
        matrix = np.vstack([rows, rng.integers(-3, 4, size=(others, columns))]).astype(float)
        free = rng.random(size) < 0.5  # <= in place of >=
        matrix[:size][free] *= -1
        low = np.concatenate([np.where(free, -np.inf, sides), np.full(others, -1e4)])
        high = np.concatenate([np.where(free, -sides, np.inf), np.full(others, 1e4)])
        order = rng.permutation(size + others)
        ends = np.full(columns, 1e3)
        program = built("planted", matrix[order], low[order], high[order], -ends, ends)
        planted = [program.row_names[row] for row in np.flatnonzero(order < size)]
        every = all_members(program)
        if all(has_point(program, {m for m in every if m[1] != name}) for name in planted):
            return program, planted


def noun_infeasible(entry):
    """A stored program of a noun, with a row that asks for more than its optimum."""
    program = cpe.read_program(entry.folder / f"{entry.stem}.lp")
    best = cpe.solve(program).objective - program.offset
    costs = dict(zip(program.column_names, program.costs.tolist(), strict=True))
    worst = best - 0.05 * max(abs(best), 1.0) * (1 if program.sense == "min" else -1)
    side = {"upper": worst} if program.sense == "min" else {"lower": worst}
    return program.with_row({n: c for n, c in costs.items() if c}, name="too_good", **side)


@pytest.mark.parametrize("seed", range(PER_KIND))
def test_sets_of_random_programs_are_irreducible(seed):
    program = random_infeasible(seed)
    check(program, cpe.infeasible_rows(program))


@pytest.mark.parametrize("seed", range(PER_KIND))
def test_planted_rows_are_found(seed):
    program, planted = planted_infeasible(seed)
    found = cpe.infeasible_rows(program)
    assert [each.name for each in found.rows] == planted
    assert found.bounds == ()
    check(program, found)


@pytest.mark.parametrize("seed", range(PER_KIND))
def test_sets_of_integer_programs_are_irreducible(seed):
    program = random_infeasible(seed, integer=True)
    found = cpe.infeasible_rows(program)
    check(program, found)
    relaxed = replace(program, integer=np.zeros(program.shape[1], dtype=bool))
    assert bool(found.whole) == has_point(relaxed, members_of(found))


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(each, marks=() if number % 9 == 1 else pytest.mark.slow, id=each.stem)
        for number, each in enumerate(LINEAR)
    ],
)
def test_sets_of_every_noun_are_irreducible(entry):
    program = noun_infeasible(entry)
    found = cpe.infeasible_rows(program)
    assert "too_good" in [each.name for each in found.rows]
    check(program, found)


def shifts():
    builder = cpe.ProgramBuilder("shifts")
    hours = builder.columns("hours", ["ann", "bob"], upper=8)
    spare = builder.columns("spare", [()], upper=3)
    builder.row("open", [*hours, *spare], [1, 1, -1], lower=18)
    builder.row("budget", hours, [30, 20], lower=10, upper=1000)
    return builder.build()


def test_members_are_named_with_their_side_and_shown_as_expressions():
    found = cpe.infeasible_rows(shifts())
    text = "open: hours_ann + hours_bob - spare >= 18"
    row = {"name": "open", "side": "lower", "text": text, "factor": 1.0}
    assert found.as_dict()["rows"] == [row]
    assert [(each.name, each.side) for each in found.bounds] == [
        ("hours_ann", "upper"),
        ("hours_bob", "upper"),
        ("spare", "lower"),
    ]
    assert "\n  1 × bound: spare >= 0\n" in found.text
    assert found.text.endswith("0 >= 2.\nWithout any one of them there is a point.")
    assert found.program.row_names == ("open",)


def test_the_side_of_a_range_and_of_an_equality_is_told():
    builder = cpe.ProgramBuilder("two")
    x = builder.columns("x", 2, lower=-np.inf)
    builder.row("range", x, [2, 3], lower=1, upper=4)
    builder.row("equal", x, [4, 6], lower=9, upper=9)
    found = cpe.infeasible_rows(builder.build())
    assert [(each.text, each.side, each.factor) for each in found.rows] == [
        ("range: 2 x_0 + 3 x_1 <= 4", "upper", 2.0),
        ("equal: 4 x_0 + 6 x_1 >= 9", "lower", 1.0),
    ]


def test_whole_columns_are_named_where_they_matter():
    """2x + 2y = 3 has points, none of them whole; both sides of the equality are needed."""
    builder = cpe.ProgramBuilder("parity")
    x = builder.columns("x", 3, upper=5, integer=True)
    builder.row("odd", x[:2], [2, 2], lower=3, upper=3)
    builder.row("other", x, lower=1)
    found = cpe.infeasible_rows(builder.build())
    (row,) = found.rows
    assert (row.text, row.side, row.factor) == ("odd: 2 x_0 + 2 x_1 = 3", "both", None)
    assert "Whole columns: x_0, x_1." in found.text


def test_rows_and_bounds_that_exclude_everything_alone():
    builder = cpe.ProgramBuilder("bare")
    builder.row("no", [], lower=1)
    (row,) = cpe.infeasible_rows(builder.build()).rows
    assert (row.text, row.factor) == ("no: 0 >= 1", 1.0)
    builder = cpe.ProgramBuilder("narrow")
    builder.columns("x", 1, lower=0.2, upper=0.8, integer=True)
    found = cpe.infeasible_rows(builder.build())
    (bound,) = found.bounds
    assert (bound.text, bound.side) == ("bound: 0.2 <= x_0 <= 0.8", "both")
    assert (found.rows, found.whole) == ((), ("x_0",))


def test_what_is_not_infeasible_or_not_linear_is_refused():
    message = "'shifts' has a point that satisfies every row and bound, expected an infeasible"
    with pytest.raises(cpe.InputError, match=message):
        cpe.infeasible_rows(shifts().keeping_rows(np.array([False, True])))
    lazy = cpe.copeland_bound_program(cpe.load_instance("gap"))
    with pytest.raises(cpe.InputError, match=r"program is .*, expected a LinearProgram"):
        cpe.infeasible_rows(lazy)


def test_what_was_not_found_out_is_said(monkeypatch):
    """Without time nothing is known, and later nothing is called irreducible."""
    with pytest.raises(CpeOptError, match="whether 'shifts' has a point was not found out: highs"):
        cpe.infeasible_rows(shifts(), time_limit=1e-9)
    monkeypatch.setattr(module, "_left", lambda _: 1e-9)
    found = cpe.infeasible_rows(random_infeasible(3, integer=True))
    assert not found.irreducible
    assert set(found.undecided) == {each.name for each in (*found.rows, *found.bounds)}
    assert "It was not found out whether all are needed" in found.text
    assert not has_point(found.program, all_members(found.program))


def scaled(program, r, s):
    """The program with rows in units of 1 / r and columns in units of s."""
    return replace(
        program,
        matrix=sp.csr_array(program.matrix.toarray() * r[:, None] * s),
        row_lower=program.row_lower * r,
        row_upper=program.row_upper * r,
        column_lower=program.column_lower / s,
        column_upper=program.column_upper / s,
    )


@pytest.mark.parametrize("seed", range(6))
def test_factors_are_in_the_units_of_the_program(seed):
    program, planted = planted_infeasible(seed)
    rng = np.random.default_rng(seed)
    r, s = 10.0 ** rng.integers(-6, 7, program.shape[0]), 10.0 ** rng.integers(-3, 4)
    plain, found = cpe.infeasible_rows(program), cpe.infeasible_rows(scaled(program, r, s))
    assert [each.name for each in found.rows] == planted
    times = [each.factor * r[program.row_names.index(each.name)] for each in found.rows]
    expected = [each.factor for each in plain.rows]
    assert np.divide(times, times[0]) == pytest.approx(np.divide(expected, expected[0]))


@pytest.mark.parametrize("seed", range(20))
def test_numbers_far_apart_have_a_right_set_or_a_refusal(seed):
    """Entries from 1e-12 to 1e12, by powers of 2, which change no digit."""
    program, rng = random_infeasible(seed), np.random.default_rng(seed)
    r, s = (2.0 ** rng.integers(-20, 21, size) for size in program.shape)
    with suppress(CpeOptError):
        found = cpe.infeasible_rows(scaled(program, r, s))
        if found.irreducible:
            check_members(program, members_of(found))


def test_a_linear_program_is_searched_from_the_members_of_a_proof(monkeypatch):
    """One solve to begin with, then one a member, however many rows do no harm."""
    program, planted = planted_infeasible(4)
    harmless = program.row_block.select(np.zeros(200, dtype=int))
    names = tuple(f"harmless_{number}" for number in range(200))
    sides = {"lower": np.full(200, -1e4), "upper": np.full(200, 1e4)}
    program = program.with_rows(replace(harmless, **sides, names=names))
    seen, plain = [], module.solve

    def counted(*arguments, **named):
        seen.append(arguments)
        return plain(*arguments, **named)

    monkeypatch.setattr(module, "solve", counted)
    assert [each.name for each in cpe.infeasible_rows(program).rows] == planted
    assert len(seen) == 1 + len(planted)
