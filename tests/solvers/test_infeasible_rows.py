"""Sets of rows and bounds that contradict each other: infeasible, and each member needed.

Programs with small whole numbers are judged in fractions, by linear algebra alone; others by a
solver that the set does not come from.
"""

import itertools
import math
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import CpeOptError, SolverUnable
from cpe_opt.modelling.result import Status
from cpe_opt.solvers import infeasible_rows as module
from cpe_opt.solvers.compatibility import importable
from tests.catalogue import ENTRIES

QUICK = 11
PER_KIND = 60


def sides_of(found):
    """Each member's side or sides: (what, name, side)."""
    for what, members in (("row", found.rows), ("column", found.bounds)):
        for each in members:
            both = ("lower", "upper") if each.side == "both" else (each.side,)
            yield from ((what, each.name, side) for side in both)


def only(program, sides):
    """The program with these sides alone, and no costs."""
    wide = {}
    for what, names in (("row", program.row_names), ("column", program.column_names)):
        for side, infinite in (("lower", -np.inf), ("upper", np.inf)):
            given = getattr(program, f"{what}_{side}")
            kept = [(what, name, side) in sides for name in names]
            wide[f"{what}_{side}"] = np.where(kept, given, infinite)
    return replace(program, costs=np.zeros(program.shape[1]), offset=0.0, **wide)


def check_by(solver, program, found):
    """By another solver: infeasible together, and a point without any one."""
    sides = set(sides_of(found))
    assert cpe.solve(only(program, sides), solver, check=False).status is Status.INFEASIBLE
    for side in sides:
        rest = only(program, sides - {side})
        point = cpe.solve(rest, solver, check=False)
        assert point.is_optimal, f"{side} is not needed"


def check_in_fractions(program, found):
    """In exact arithmetic: one combination of the members vanishes, uses all, and is positive.

    A unique combination with full support means that any part of the members is linearly
    independent, so that they hold with equality at some point.
    """
    matrix = program.matrix.toarray()
    system, right = [], []
    for what, name, side in sides_of(found):
        if what == "row":
            place = program.row_names.index(name)
            row, value = matrix[place], getattr(program, f"row_{side}")[place]
        else:
            place = program.column_names.index(name)
            row, value = np.eye(program.shape[1])[place], getattr(program, f"column_{side}")[place]
        sign = 1 if side == "lower" else -1
        system.append([sign * Fraction(entry) for entry in row.tolist()])
        right.append(sign * Fraction(float(value)))
    kernel = left_kernel(system)
    assert len(kernel) == 1, "the members are not irreducible"
    (combination,) = kernel
    if combination[0] < 0:
        combination = [-entry for entry in combination]
    assert min(combination) > 0
    assert sum(y * b for y, b in zip(combination, right, strict=True)) > 0
    # The factors are that combination.
    factors = [each.factor for each in (*found.rows, *found.bounds)]
    ratio = factors[0] / float(combination[0])
    assert factors == pytest.approx([ratio * float(y) for y in combination], rel=1e-6)


def left_kernel(system):
    """A basis of the vectors y with y'A = 0, by elimination in fractions."""
    size = len(system)
    rows = [[*row, *(Fraction(i == j) for j in range(size))] for i, row in enumerate(system)]
    width, done = len(system[0]), 0
    for column in range(width):
        pivot = next((r for r in range(done, size) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[done], rows[pivot] = rows[pivot], rows[done]
        for r in range(done + 1, size):
            factor = rows[r][column] / rows[done][column]
            if factor:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[done], strict=True)]
        done += 1
    return [row[width:] for row in rows[done:]]


def built(name, matrix, low, high, lower, upper, integer=False):
    builder = cpe.ProgramBuilder(name)
    x = builder.columns("x", matrix.shape[1], lower=lower, upper=upper, integer=integer)
    row, column = np.nonzero(matrix)
    builder.rows("r", len(matrix), row, x[column], matrix[row, column], lower=low, upper=high)
    return builder.build()


def random_sides(rng, activity):
    """Sides of all kinds around, above and below the activity of some point."""
    count = len(activity)
    middle = activity + rng.integers(-4, 5, size=count)
    kind = rng.integers(0, 4, size=count)
    low = np.where(kind == 0, -np.inf, middle)
    high = np.where(kind == 1, np.inf, middle + np.where(kind == 2, 0, rng.integers(0, 4, count)))
    return low.astype(float), high.astype(float)


def random_infeasible(seed, integer=False):
    """An infeasible program of random rows; of integer ones, the relaxation may have a point."""
    rng = np.random.default_rng([seed, integer])
    while True:
        columns = int(rng.integers(2, 5 if integer else 9))
        rows = int(rng.integers(2, 5 if integer else 14))
        matrix = rng.integers(-3, 4, size=(rows, columns)) * (rng.random((rows, columns)) < 0.7)
        matrix = (2 if integer else 1) * matrix.astype(float)
        low, high = random_sides(rng, matrix @ rng.integers(-3, 4, size=columns))
        lower = np.where(rng.random(columns) < 0.7, rng.integers(-3, 1, columns), -np.inf)
        upper = np.where(rng.random(columns) < 0.5, rng.integers(0, 4, columns), np.inf)
        if integer:
            lower, upper = np.fmax(lower, -6.0), np.fmin(upper, 6.0)
        program = built("random", matrix, low, high, lower, upper, integer)
        if cpe.solve(program, "scip" if integer else "glop", check=False).status is (
            Status.INFEASIBLE
        ):
            return program


def planted_infeasible(seed):
    """Rows with one combination that vanishes, among rows that do no harm; and their numbers.

    Without any one of the planted rows there is a point, so that every contradiction has them all.
    """
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
        low = np.where(free, -np.inf, sides)
        high = np.where(free, -sides, np.inf)
        low = np.concatenate([low, np.full(others, -1e4)])
        high = np.concatenate([high, np.full(others, 1e4)])
        order = rng.permutation(size + others)
        ends = np.full(columns, 1e3)
        program = built("planted", matrix[order], low[order], high[order], -ends, ends)
        place = np.flatnonzero(order < size)
        if all(
            cpe.solve(program.keeping_rows(np.arange(len(order)) != row), "glop", check=False)
            .is_optimal
            for row in place
        ):  # fmt: skip
            return program, [program.row_names[row] for row in place]


LINEAR = [each for each in ENTRIES if not each.is_conic]


def noun_infeasible(entry):
    """A stored program of a noun, with a row that asks for more than its optimum."""
    program = cpe.read_program(entry.folder / f"{entry.stem}.lp")
    best = cpe.solve(program).objective - program.offset
    costs = {
        name: cost
        for name, cost in zip(program.column_names, program.costs.tolist(), strict=True)
        if cost
    }
    worst = best - 0.05 * max(abs(best), 1.0) * (1 if program.sense == "min" else -1)
    side = {"upper": worst} if program.sense == "min" else {"lower": worst}
    return program.with_row(costs, name="too_good", **side)


def some(kind, quick=QUICK):
    """Seeds, of which all but the first ones are slow."""
    return [
        pytest.param(seed, marks=() if seed < quick else pytest.mark.slow, id=f"{kind}-{seed}")
        for seed in range(PER_KIND)
    ]


@pytest.mark.parametrize("seed", some("random"))
def test_sets_of_random_programs_are_irreducible_in_exact_arithmetic(seed):
    program = random_infeasible(seed)
    solver = ("highs", "glop", "scip", "clarabel")[seed % 4]
    found = cpe.infeasible_rows(program, solver)
    assert found.irreducible
    assert found.whole == ()
    check_in_fractions(program, found)


@pytest.mark.parametrize("seed", some("planted"))
def test_planted_rows_are_found(seed):
    program, planted = planted_infeasible(seed)
    found = cpe.infeasible_rows(program)
    assert found.irreducible
    assert [each.name for each in found.rows] == planted
    assert found.bounds == ()
    check_in_fractions(program, found)


@pytest.mark.parametrize("seed", some("whole", quick=8))
def test_sets_of_integer_programs_are_irreducible(seed):
    program = random_infeasible(seed, integer=True)
    found = cpe.infeasible_rows(program, ("highs", "cp-sat", "scip")[seed % 3])
    assert found.irreducible
    check_by("scip" if seed % 3 == 0 else "highs", program, found)
    relaxed = replace(only(program, set(sides_of(found))), integer=np.zeros(program.shape[1], bool))
    needs_whole = cpe.solve(relaxed, "glop", check=False).is_optimal
    assert bool(found.whole) == needs_whole
    if not needs_whole:
        check_in_fractions(program, found)


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
    assert found.irreducible
    assert "too_good" in [each.name for each in found.rows]
    check_by("scip" if program.is_integer else "glop", program, found)


def test_the_programs_are_at_least_200_of_four_families():
    assert 3 * PER_KIND + len(LINEAR) >= 200
    assert {each.known.family for each in LINEAR} >= {
        "dueling",
        "matchings",
        "subsets",
        "separable",
    }


def shifts():
    builder = cpe.ProgramBuilder("shifts")
    hours = builder.columns("hours", ["ann", "bob"], upper=8)
    spare = builder.columns("spare", [()], upper=3)
    builder.row("open", [*hours, *spare], [1, 1, -1], lower=18)
    builder.row("budget", hours, [30, 20], lower=10, upper=1000)
    return builder.build()


def test_members_are_named_with_their_side_and_shown_as_expressions():
    found = cpe.infeasible_rows(shifts())
    assert [(each.name, each.side) for each in found.rows] == [("open", "lower")]
    assert {(each.name, each.side) for each in found.bounds} == {
        ("hours_ann", "upper"),
        ("hours_bob", "upper"),
        ("spare", "lower"),
    }
    assert found.rows[0].text == "open: hours_ann + hours_bob - spare >= 18"
    assert "bound: spare >= 0 (of 0 <= … <= 3)" in found.text
    assert "1 row and 3 bounds of 'shifts'" in found.text
    assert "0 >= 2." in found.text
    assert found.text.endswith("Without any one of them there is a point.")
    assert len(found) == 4
    assert found.as_dict()["rows"] == [
        {
            "name": "open",
            "side": "lower",
            "text": "open: hours_ann + hours_bob - spare >= 18",
            "factor": 1.0,
        }
    ]


def test_the_side_of_a_range_and_of_an_equality_is_told():
    builder = cpe.ProgramBuilder("two")
    x = builder.columns("x", 2, lower=-np.inf)
    builder.row("range", x, [2, 3], lower=1, upper=4)
    builder.row("equal", x, [4, 6], lower=9, upper=9)
    found = cpe.infeasible_rows(builder.build())
    assert [(each.name, each.side, each.factor) for each in found.rows] == [
        ("range", "upper", 2.0),
        ("equal", "lower", 1.0),
    ]
    assert found.rows[0].text == "range: 2 x_0 + 3 x_1 <= 4 (of 1 <= … <= 4)"
    assert found.rows[1].text == "equal: 4 x_0 + 6 x_1 >= 9 (of … = 9)"


def test_whole_columns_are_named_where_they_matter():
    """2x + 2y = 3 has points, none of them whole; both sides of the equality are needed."""
    builder = cpe.ProgramBuilder("parity")
    x = builder.columns("x", 3, upper=5, integer=True)
    builder.row("odd", x[:2], [2, 2], lower=3, upper=3)
    builder.row("other", x, lower=1)
    found = cpe.infeasible_rows(builder.build())
    assert [(each.name, each.side, each.factor) for each in found.rows] == [("odd", "both", None)]
    assert found.irreducible == (found.bounds == ())
    # Without bounds HiGHS alone does not find out that no whole point is there.
    assert found.irreducible or not importable("ortools")
    assert found.whole == ("x_0", "x_1")
    assert "Whole columns: x_0, x_1." in found.text


def test_rows_and_bounds_that_exclude_everything_alone():
    builder = cpe.ProgramBuilder("alone")
    x = builder.columns("x", 2, upper=5)
    builder.row("fine", x, lower=1)
    program = builder.build()
    empty = program.with_rows(
        replace(program.row_block.select(np.array([0])), matrix=sp.csr_array((1, 2)), names=("no",))
    )
    found = cpe.infeasible_rows(empty)
    assert [(each.name, each.text) for each in found.rows] == [("no", "no: 0 >= 1")]
    assert (found.bounds, found.irreducible) == ((), True)
    assert found.text == "No point satisfies this row of 'alone':\n  no: 0 >= 1"
    builder = cpe.ProgramBuilder("bare")
    builder.row("no", [], lower=1)
    assert len(cpe.infeasible_rows(builder.build())) == 1
    narrow = replace(
        program,
        integer=np.array([True, False]),
        column_lower=np.array([0.2, 0.0]),
        column_upper=np.array([0.8, 5.0]),
    )
    found = cpe.infeasible_rows(narrow)
    assert [(each.text, each.side) for each in found.bounds] == [
        ("bound: 0.2 <= x_0 <= 0.8", "both")
    ]
    assert (found.rows, found.whole) == ((), ("x_0",))


def test_long_rows_are_cut():
    builder = cpe.ProgramBuilder("long")
    x = builder.columns("x", 40, upper=1)
    builder.row("many", x, lower=41)
    (row,) = cpe.infeasible_rows(builder.build()).rows
    assert row.text.endswith("x_11 + … (28 more) >= 41")


def test_feasible_programs_are_refused():
    message = "'shifts' has a point that satisfies every row and bound, expected an infeasible"
    with pytest.raises(cpe.InputError, match=message):
        cpe.infeasible_rows(shifts().keeping_rows(np.array([False, True])))


def test_what_was_not_found_out_is_said(monkeypatch):
    """Without time nothing is known; without patience nothing is called irreducible."""
    with pytest.raises(CpeOptError, match="whether 'shifts' has a point was not found out: highs"):
        cpe.infeasible_rows(shifts(), time_limit=1e-9)
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    program = random_infeasible(3, integer=True)
    found = cpe.infeasible_rows(program)
    assert not found.irreducible
    assert set(found.undecided) == {each.name for each in (*found.rows, *found.bounds)}
    assert "It was not found out whether all are needed" in found.text
    assert "Without any one" not in found.text
    assert cpe.solve(found.program, "scip", check=False).status is Status.INFEASIBLE


def test_the_time_limit_ends_the_search_with_the_set_so_far(monkeypatch):
    """The clock jumps after the third solve: what follows is not decided."""
    program = random_infeasible(0, integer=True)
    seen, plain = [], module.solve
    clock = itertools.count()
    monkeypatch.setattr(module.time, "perf_counter", lambda: 1e9 if len(seen) >= 3 else 0.0)

    def counted(*arguments, **named):
        seen.append(next(clock))
        return plain(*arguments, **named)

    monkeypatch.setattr(module, "solve", counted)
    found = cpe.infeasible_rows(program, time_limit=60.0)
    assert len(seen) == 3
    assert not found.irreducible
    assert found.undecided


def test_solvers_that_cannot_are_refused_and_rests_without_bounds_are_solved():
    with pytest.raises(SolverUnable, match="'cp-sat' does not solve LP"):
        cpe.infeasible_rows(shifts(), "cp-sat")
    with pytest.raises(cpe.InputError, match="unknown solver 'higs'"):
        cpe.infeasible_rows(shifts(), "higs")
    lazy = cpe.copeland_bound_program(cpe.load_instance("gap"))
    with pytest.raises(cpe.InputError, match=r"program is .*, expected a LinearProgram"):
        cpe.infeasible_rows(lazy)


def test_solvers_may_run_in_a_process_of_their_own(monkeypatch):
    asked, plain = set(), module.solve

    def noted(*arguments, **named):
        asked.add(named.get("process"))
        return plain(*arguments, **named)

    monkeypatch.setattr(module, "solve", noted)
    assert len(cpe.infeasible_rows(shifts(), process="child")) == 4
    assert asked == {"child"}


def test_a_set_is_a_program_of_its_own(tmp_path):
    found = cpe.infeasible_rows(shifts())
    again = cpe.read_program(cpe.export(found.program, tmp_path / "why.lp"))
    assert again.row_names == ("open",)
    assert cpe.solve(again, check=False).status is Status.INFEASIBLE
    assert len(cpe.infeasible_rows(again)) == len(found)


def test_numbers_of_many_sizes():
    """Rows and columns in units of 1e-6 to 1e6: the same members, with factors in these units."""
    rng = np.random.default_rng(0)
    for number in range(6):
        program, planted = planted_infeasible(number)
        r, s = 10.0 ** rng.integers(-6, 7, program.shape[0]), 10.0 ** rng.integers(-3, 4)
        odd = replace(
            program,
            matrix=sp.csr_array(program.matrix.toarray() * r[:, None] * s),
            row_lower=program.row_lower * r,
            row_upper=program.row_upper * r,
            column_lower=program.column_lower / s,
            column_upper=program.column_upper / s,
        )
        plain, found = cpe.infeasible_rows(program), cpe.infeasible_rows(odd)
        assert [each.name for each in found.rows] == planted
        unit = r[[program.row_names.index(name) for name in planted]]
        times = np.array([each.factor for each in found.rows]) * unit
        expected = np.array([each.factor for each in plain.rows])
        np.testing.assert_allclose(times / times[0], expected / expected[0], rtol=1e-6)


def test_a_linear_program_is_searched_from_the_members_of_a_proof(monkeypatch):
    """Two solves to begin with, then one a member, however many rows do no harm."""
    program, planted = planted_infeasible(4)
    harmless = program.row_block.select(np.zeros(200, dtype=int))
    lower, upper = np.full(200, -1e4), np.full(200, 1e4)
    names = tuple(f"harmless_{number}" for number in range(200))
    program = program.with_rows(replace(harmless, lower=lower, upper=upper, names=names))
    seen, plain = [], module.solve

    def counted(*arguments, **named):
        seen.append(arguments)
        return plain(*arguments, **named)

    monkeypatch.setattr(module, "solve", counted)
    assert [each.name for each in cpe.infeasible_rows(program).rows] == planted
    assert len(seen) == 2 + len(planted)


def test_factors_add_up_to_the_number_that_is_shown():
    program, _ = planted_infeasible(2)
    found = cpe.infeasible_rows(program)
    total = math.fsum(
        each.factor
        * (1 if each.side == "lower" else -1)
        * getattr(program, f"row_{each.side}")[program.row_names.index(each.name)]
        for each in found.rows
    )
    shown = float(re.search(r"they say 0 >= (\S+)\.$", found.text, re.MULTILINE)[1])
    assert shown == pytest.approx(total, rel=1e-5)
    assert total > 0
