r"""Why has a program no solution? Rows and bounds that contradict each other, and none too many.

The *members* of a program are the finite sides of its rows, :math:`a_i^\top x \ge l_i` and
:math:`a_i^\top x \le u_i`, and the finite bounds of its columns. A set of members is *irreducible
infeasible* (an IIS; Chinneck, *Feasibility and Infeasibility in Optimization*, 2008) where no point
satisfies all of them, and where without any one of them there is a point. That columns are whole is
part of the background: it is never left out.

1. The start. Where the program without whole columns is infeasible, too, multipliers prove it
   (Farkas' lemma):

   .. math:: \sum_i y_i a_i + z = 0, \qquad
             \sum_{y_i>0} y_i l_i + \sum_{y_i<0} y_i u_i
             + \sum_{z_j>0} z_j \ell_j + \sum_{z_j<0} z_j \upsilon_j > 0 ,

   and only the members with a multiplier matter (:meth:`Verifier.contradiction`). A row without
   entries that excludes 0, and a column without a whole number within its bounds, are sets of their
   own. Else all members are the start: rows first, then bounds, those of whole columns last.
2. The deletion filter. A part of the members is left out, and the rest solved again. If it is
   infeasible, the part stays out; if it has a point, and the part is a single member, this member
   is needed; a larger part is halved. What is needed next to a set is needed next to each part of
   it, so in the end every member is known to be.

Both answers are those of :func:`cpe_opt.solve`, which believes a solver only where numbers agree
with it: an infeasible set has its proof, a feasible one its point. So the set is checked as it is
made, for every solver in the same way.

For linear programs the multipliers of an irreducible set are unique up to a common factor, and none
is 0: added up with these *factors*, with rows at their upper side turned round, the members say
that 0 is at least something positive.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import CpeOptError, InputError, SolverUnable
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult, Status
from cpe_opt.solvers.base import Process, SolverSettings, decided_without_columns
from cpe_opt.solvers.registry import backend_in, get_backend
from cpe_opt.solvers.scaling import impossible_part, presolved, scaled
from cpe_opt.solvers.solve import solve, verifier_of
from cpe_opt.solvers.verification import Verifier
from cpe_opt.validation import PositiveOrInfinite, checked_types

_ZERO = 1e-9  # of the largest multiplier: below it a member has none
_PARTS = 8  # into which all members are divided at first
_PATIENCE = 10.0  # seconds, and times the first solve's: for one solve with whole columns
_WORDS = 12  # terms of a row that are shown
_DENOMINATOR = 1000  # of factors that are shown as whole numbers

Side = Literal["lower", "upper", "both"]


@dataclass(frozen=True)
class Member:
    """A row, or the bounds of a column, and the side that takes part in a contradiction.

    Attributes
    ----------
    name : str
        Of the row or the column.
    side : "lower", "upper" or "both"
        Which of its sides are members; those of an equality are one and the same number. Both only
        where columns are whole.
    text : str
        The row or the bound: ``demand_3: 2 x_1 + x_2 >= 5``.
    factor : float or None
        What it is multiplied by where the members are added up; None where whole columns matter.
    """

    name: str
    side: Side
    text: str
    factor: float | None = None


@dataclass(frozen=True, eq=False)
class InfeasibleRows:
    """Rows and bounds that no point satisfies together.

    Attributes
    ----------
    program : LinearProgram
        These rows and bounds alone, with the columns that they are about and no costs.
    rows, bounds : tuples of Member
    whole : tuple of str
        Columns of ``program`` that must be whole for the contradiction; empty if no numbers
        satisfy the rows and bounds, whole or not.
    irreducible : bool
        Whether each member is known to be needed: without it there is a point.
    undecided : tuple of str
        Where that is not so, the members of which it was not found out.
    """

    program: LinearProgram
    rows: tuple[Member, ...]
    bounds: tuple[Member, ...]
    whole: tuple[str, ...]
    irreducible: bool
    undecided: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.rows) + len(self.bounds)

    @property
    def text(self) -> str:
        """What contradicts what, in plain sentences, each row as an expression."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        these = " and ".join(
            f"{len(some)} {what}{'s' * (len(some) > 1)}"
            for what, some in (("row", self.rows), ("bound", self.bounds))
            if some
        )
        if len(self) == 1:
            yield f"No point satisfies this {these[2:]} of {self.program.name!r}:"
        else:
            yield f"No point satisfies these {these} of {self.program.name!r} together:"
        members = (*self.rows, *self.bounds)
        added = len(self) > 1 and all(each.factor for each in members)
        factors = [f"{each.factor:.6g}" if added else "" for each in members]
        width = max(map(len, factors))
        for each, factor in zip(members, factors, strict=True):
            yield f"  {f'{factor:>{width}} × ' if added else ''}{each.text}"
        if self.whole:
            yield f"Whole columns: {_listed(self.whole)}."
        if added:
            yield f"Added up with these factors, <= turned round, they say 0 >= {self._sum():.6g}."
        if self.irreducible and len(self) > 1:
            yield "Without any one of them there is a point."
        elif not self.irreducible:
            yield (
                "It was not found out whether all are needed; not decided: "
                f"{_listed(self.undecided)}."
            )

    def _sum(self) -> float:
        """The sum of the sides with the factors."""
        rows = dict(zip(self.program.row_names, range(len(self.rows)), strict=True))
        columns = {name: place for place, name in enumerate(self.program.column_names)}
        total = 0.0
        for members, places, lower, upper in (
            (self.rows, rows, self.program.row_lower, self.program.row_upper),
            (self.bounds, columns, self.program.column_lower, self.program.column_upper),
        ):
            for each in members:
                at, factor = places[each.name], each.factor or 0.0
                total += factor * (lower[at] if each.side == "lower" else -upper[at])
        return total

    def as_dict(self) -> dict[str, Any]:
        """All but the program, for JSON."""

        def listed(members: tuple[Member, ...]) -> list[dict[str, Any]]:
            return [
                {"name": m.name, "side": m.side, "text": m.text, "factor": m.factor}
                for m in members
            ]

        return {
            "rows": listed(self.rows),
            "bounds": listed(self.bounds),
            "whole": list(self.whole),
            "irreducible": self.irreducible,
            "undecided": list(self.undecided),
        }


@checked_types
def infeasible_rows(
    program: LinearProgram,
    solver: str = "highs",
    time_limit: PositiveOrInfinite | None = None,
    *,
    process: Process | None = None,
) -> InfeasibleRows:
    """Rows and bounds of an infeasible program that contradict each other, each of them needed.

    There may be many such sets; this is one. A program with whole columns is solved many times. A
    solve that takes more than ten seconds, and ten times as long as the first one, is given up; the
    member that it was to decide stays in the set, which is then not called irreducible.

    Parameters
    ----------
    program : LinearProgram
        With or without whole columns. Of a lazy program, its ``relaxation`` or a result's
        ``program``: the rows that are listed.
    solver : str
        Solves what is left without some of the members. HiGHS solves what this solver cannot, such
        as programs without bounds where the solver is ``cp-sat``.
    time_limit : float, optional
        Seconds for everything; after them the set so far is returned, not called irreducible.
    process : "here" or "child", optional
        Where the solver runs, as for :func:`cpe_opt.solve`.

    Raises
    ------
    InputError
        Where the program has a point.
    CpeOptError
        Where it is not known whether the program has a point, within the time limit or at all.
    UnknownName, SolverMissing, SolverUnable

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> builder = cpe.ProgramBuilder("shifts")
    >>> hours = builder.columns("hours", ["ann", "bob", "eve"], upper=8)
    >>> _ = builder.row("open", hours, lower=20)
    >>> _ = builder.row("budget", hours, [30, 20, 25], upper=300)
    >>> print(cpe.infeasible_rows(builder.build()).text)
    No point satisfies these 2 rows and 2 bounds of 'shifts' together:
      25 × open: hours_ann + hours_bob + hours_eve >= 20
       1 × budget: 30 hours_ann + 20 hours_bob + 25 hours_eve <= 300
       5 × bound: hours_ann >= 0 (of 0 <= … <= 8)
       5 × bound: hours_bob <= 8 (of 0 <= … <= 8)
    Added up with these factors, <= turned round, they say 0 >= 160.
    Without any one of them there is a point.
    """
    started = time.perf_counter()
    deadline = math.inf if time_limit is None else started + time_limit
    bare = replace(program, costs=np.zeros(program.shape[1]), offset=0.0)
    first = solve(bare, solver, time_limit=time_limit, check=False, process=process)
    if _has_point(first):
        raise InputError(
            f"{program.name!r} has a point that satisfies every row and bound, expected an "
            "infeasible program"
        )
    if first.status is not Status.INFEASIBLE:
        raise CpeOptError(
            f"whether {program.name!r} has a point was not found out: {NotOptimal(first).reason}"
        )
    settings = SolverSettings(time_limit=time_limit, process=process)
    verifier = verifier_of(backend_in("highs", process), settings, started)
    patience = math.inf
    if program.is_integer:
        patience = _PATIENCE * max(1.0, time.perf_counter() - started)
    members = _Filter(bare, solver, process, deadline, patience)
    members.start(verifier)
    undecided = members.reduce()
    return _described(members, verifier, undecided)


def _has_point(result: SolveResult) -> bool:
    """Whether a program without costs has a point that was verified."""
    return result.x is not None and result.status is not Status.IMPRECISE


class _Filter:
    """Members of an infeasible program, of which those that are not needed are left out.

    ``kept`` is a mask of the members, shape (2 rows + 2 columns,): the lower and the upper sides of
    the rows, the lower and the upper bounds of the columns.
    """

    def __init__(
        self,
        program: LinearProgram,
        solver: str,
        process: Process | None,
        deadline: float,
        patience: float,
    ) -> None:
        self.program, self._solver, self._process = program, solver, process
        self._deadline, self._patience = deadline, patience
        sides = (program.row_lower, program.row_upper, program.column_lower, program.column_upper)
        self.kept: BoolArray = np.isfinite(np.concatenate(sides))

    def start(self, verifier: Verifier) -> None:
        """Keep only what a proof of infeasibility needs, where there is one."""
        part = impossible_part(self.program)
        needed = self._multiplied(verifier) if part is None else self._members_of(*part)
        if needed is not None and self._infeasible(self.kept & needed):
            self.kept &= needed

    def reduce(self) -> IntArray:
        """Leave out what is not needed; returns the members of which that was not decided."""
        undecided: list[int] = []
        order = self._order()
        size = max(1, len(order) // _PARTS)
        parts = [order[place : place + size] for place in range(0, len(order), size)]
        parts.reverse()
        while parts:
            part = parts.pop()
            rest = self.kept.copy()
            rest[part] = False
            infeasible = self._infeasible(rest)
            if infeasible:
                self.kept = rest
            elif len(part) > 1 and time.perf_counter() < self._deadline:
                half = len(part) // 2
                parts += [part[half:], part[:half]]
            elif infeasible is None or len(part) > 1:
                undecided += part.tolist()
        return np.array(undecided, dtype=np.int64)

    def remaining(self) -> LinearProgram:
        """The members that are kept, as a program."""
        return self._restricted(self.kept)

    def _order(self) -> IntArray:
        """The members that are kept: rows, then bounds, those of whole columns last.

        The more bounds whole columns have, the sooner their programs are decided.
        """
        rows, columns = self.program.shape
        rank = np.concatenate([np.zeros(2 * rows), *2 * [1.0 + self.program.integer]])
        number = np.concatenate([*2 * [np.arange(rows)], *2 * [np.arange(columns)]])
        order = np.lexsort((number, rank))
        return np.asarray(order[self.kept[order]], dtype=np.int64)

    def _members_of(self, what: Literal["row", "column"], number: int) -> BoolArray:
        """The members of one row or column."""
        rows, columns = self.program.shape
        mask = np.zeros(2 * (rows + columns), dtype=np.bool_)
        first, step = (0, rows) if what == "row" else (2 * rows, columns)
        mask[[first + number, first + step + number]] = True
        return mask

    def _multiplied(self, verifier: Verifier) -> BoolArray | None:
        """The members with a multiplier in a proof, or None if nothing is proved.

        Whole columns have whole bounds in it.
        """
        whole = presolved(self.program)
        if isinstance(whole, str):
            return None
        inside = scaled(whole).program
        duals = verifier.contradiction(inside)
        if duals is None:
            return None
        duals, costs = _multipliers(inside, duals)
        return np.concatenate([duals > 0.0, duals < 0.0, costs > 0.0, costs < 0.0])

    def _infeasible(self, members: BoolArray) -> bool | None:
        """Whether no point satisfies these members; None if that was not decided."""
        left = min(self._patience, self._deadline - time.perf_counter())
        if left <= 0.0:
            return None
        program = self._restricted(members)
        if not program.shape[1]:
            return decided_without_columns(program).status is Status.INFEASIBLE
        able = program.kind in get_backend(self._solver).solves
        try:
            result = self._solved(program, self._solver if able else "highs", left)
        except SolverUnable:
            result = self._solved(program, "highs", left)
        if result.status is Status.INFEASIBLE:
            return True
        return False if _has_point(result) else None

    def _solved(self, program: LinearProgram, solver: str, left: float) -> SolveResult:
        limit = None if math.isinf(left) else left
        return solve(program, solver, time_limit=limit, check=False, process=self._process)

    def _restricted(self, members: BoolArray) -> LinearProgram:
        """The program with these members alone, and the columns that they are about."""
        program = self.program
        rows, columns = program.shape
        masks = np.split(members, np.cumsum([rows, rows, columns]))
        row_lower, row_upper, column_lower, column_upper = masks
        bare = replace(
            program,
            row_lower=np.where(row_lower, program.row_lower, -np.inf),
            row_upper=np.where(row_upper, program.row_upper, np.inf),
            column_lower=np.where(column_lower, program.column_lower, -np.inf),
            column_upper=np.where(column_upper, program.column_upper, np.inf),
        ).keeping_rows(row_lower | row_upper)
        used = np.bincount(bare.matrix.indices, minlength=columns) > 0
        return bare.keeping_columns(used | column_lower | column_upper)


def _multipliers(program: LinearProgram, duals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Multipliers of rows and of columns' bounds, without what rounding left of those that are 0.

    Of a program whose numbers have a common size.
    """
    duals = np.where(np.abs(duals) > _ZERO * np.abs(duals).max(initial=0.0), duals, 0.0)
    costs = -(program.matrix.T @ duals)
    terms = abs(program.matrix).T @ np.abs(duals)
    return duals, np.where(np.abs(costs) > _ZERO * terms, costs, 0.0)


def _described(members: _Filter, verifier: Verifier, undecided: IntArray) -> InfeasibleRows:
    """The members that are kept, with what is said of them."""
    program, given = members.remaining(), members.program
    factors = _factors(program, verifier)
    rows, columns = (None, None) if factors is None else factors
    names = (2 * given.row_names) + (2 * given.column_names)
    whole = tuple(np.array(program.column_names, dtype=object)[program.integer])
    return InfeasibleRows(
        program=program,
        rows=tuple(_members(program, given, "row", rows)),
        bounds=tuple(_members(program, given, "column", columns)),
        whole=whole if factors is None else (),
        irreducible=not undecided.size,
        undecided=tuple(dict.fromkeys(names[number] for number in undecided.tolist())),
    )


def _members(
    program: LinearProgram,
    given: LinearProgram,
    what: Literal["row", "column"],
    factors: FloatArray | None,
) -> Iterator[Member]:
    """The rows, or the columns with a bound, of the members' program, in words."""
    names = getattr(program, f"{what}_names")
    lower, upper = (getattr(program, f"{what}_{side}").tolist() for side in ("lower", "upper"))
    place = {name: number for number, name in enumerate(getattr(given, f"{what}_names"))}
    for number, name in enumerate(names):
        kept = (lower[number], upper[number])
        if np.isinf(kept).all():
            continue
        before = place[name]
        every = [float(getattr(given, f"{what}_{side}")[before]) for side in ("lower", "upper")]
        is_row = what == "row"
        head, expression = (name, _expression(program, number)) if is_row else ("bound", name)
        text = f"{head}: {_between(expression, *kept)}"
        if np.isfinite(every).all() and not np.isfinite(kept).all():
            text += f" (of {_between('…', *every)})"
        yield Member(name, _side(kept), text, None if factors is None else float(factors[number]))


def _factors(program: LinearProgram, verifier: Verifier) -> tuple[FloatArray, FloatArray] | None:
    """By what rows and bounds are multiplied to say that 0 is positive, as sizes.

    None where whole columns matter.
    """
    inside = scaled(program)
    duals = verifier.contradiction(inside.program)
    if duals is None:
        return None
    duals, costs = _multipliers(inside.program, duals)
    duals, costs = np.abs(duals * inside.rows), np.abs(costs / inside.columns)
    factor = _common_factor(np.concatenate([duals, costs]))
    return duals * factor, costs * factor


def _common_factor(sizes: FloatArray) -> float:
    """What makes all sizes whole, if anything small does; else what makes the least of them 1."""
    sizes = sizes[sizes > 0.0]
    if not sizes.size:
        return 1.0
    ratios = (sizes / sizes.min()).tolist()
    shares = [Fraction(ratio).limit_denominator(_DENOMINATOR) for ratio in ratios]
    multiple = math.lcm(*(share.denominator for share in shares))
    whole = multiple <= _DENOMINATOR and all(
        abs(float(share) - ratio) <= _ZERO * ratio
        for share, ratio in zip(shares, ratios, strict=True)
    )
    return (multiple if whole else 1.0) / float(sizes.min())


def _side(kept: tuple[float, float]) -> Side:
    if np.isfinite(kept).all():
        return "both"
    return "lower" if np.isfinite(kept[0]) else "upper"


def _between(expression: str, lower: float, upper: float) -> str:
    if lower == upper:
        return f"{expression} = {lower:.10g}"
    if np.isfinite(lower) and np.isfinite(upper):
        return f"{lower:.10g} <= {expression} <= {upper:.10g}"
    return (
        f"{expression} >= {lower:.10g}" if np.isfinite(lower) else f"{expression} <= {upper:.10g}"
    )


def _expression(program: LinearProgram, row: int) -> str:
    """The sum of a row's terms, the first ones of many."""
    entries = slice(program.matrix.indptr[row], program.matrix.indptr[row + 1])
    values = program.matrix.data[entries].tolist()
    columns = program.matrix.indices[entries].tolist()
    terms = [(value, column) for value, column in zip(values, columns, strict=True) if value]
    words = ""
    for value, column in terms[:_WORDS]:
        sign = "-" if value < 0.0 else "+" if words else ""
        size = "" if abs(value) == 1.0 else f"{abs(value):.10g} "
        words += f" {sign} " if words else sign
        words += f"{size}{program.column_names[column]}"
    if len(terms) > _WORDS:
        words += f" + … ({len(terms) - _WORDS} more)"
    return words or "0"


def _listed(names: tuple[str, ...]) -> str:
    more = len(names) - _WORDS
    return ", ".join(names[:_WORDS]) + (f" and {more} more" if more > 0 else "")
