r"""Why has a program no solution? Rows and bounds that contradict each other, and none too many.

The *members* of a program are the finite sides of its rows, :math:`a_i^\top x \ge l_i` and
:math:`a_i^\top x \le u_i`, and the finite bounds of its columns. A set of members is *irreducible
infeasible* (an IIS; Chinneck, *Feasibility and Infeasibility in Optimization*, 2008) where no point
satisfies all of them, and where without any one of them there is a point. That columns are whole is
part of the background: it is never left out.

1. The start. Every member is written as :math:`m_k^\top x \ge b_k`, divided by the sum of the sizes
   in :math:`m_k`. Without whole columns the members are infeasible together if and only if
   multipliers prove it (Farkas' lemma): if

   .. math:: \max\ b^\top y \quad\text{s.t.}\quad M^\top y = 0, \quad \textstyle\sum_k y_k = 1,
             \quad y \ge 0 ,

   has a positive value. The members with a multiplier in a vertex of it are an irreducible set
   (Gleeson and Ryan, *Identifying minimally infeasible subsystems of inequalities*, 1990), and a
   simplex method ends in a vertex. That :math:`M^\top y` is 0 and :math:`b^\top y` positive, both
   by more than rounding, is checked in the units of the program. Where nothing is proved, all
   members are the start: rows first, then bounds.
2. The deletion filter. Each member in turn is left out, and the rest solved. If it is infeasible,
   the member stays out; if it has a point, it is needed. What is needed next to a set is needed
   next to each part of it, so in the end every member is known to be. Both answers are those of
   :func:`cpe_opt.solve`, which believes HiGHS only where numbers agree with it.

For linear programs the multipliers of an irreducible set are unique up to a common factor, and none
is 0: added up with these *factors*, with rows at their upper side turned round, the members say
that 0 is at least something positive.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult, Status
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.highs import Highs
from cpe_opt.solvers.solve import solve
from cpe_opt.solvers.unbounded_ray import whole_factor
from cpe_opt.validation import PositiveOrInfinite, checked_types

_ZERO = 1e-9  # of the largest multiplier: below it a member has none
_ROUNDING = 1e-12  # of the terms of a sum: what counts as 0
_PATIENCE = 10.0  # seconds, and times the first solve's: for one solve with whole columns
_WORDS = 12  # terms of a row that are shown
_LARGEST = 10_000  # of factors that are shown as whole numbers

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
        What it is multiplied by where the members are added up; None where whole columns matter, or
        where rounding leaves no such factors.
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
    total : float or None
        What 0 would be at least, by the sum of the members with their factors.
    """

    program: LinearProgram
    rows: tuple[Member, ...]
    bounds: tuple[Member, ...]
    whole: tuple[str, ...]
    irreducible: bool
    undecided: tuple[str, ...]
    total: float | None = None

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
            yield f"Added up with these factors, <= turned round, they say 0 >= {self.total:.6g}."
        if self.irreducible and len(self) > 1:
            yield "Without any one of them there is a point."
        elif not self.irreducible:
            yield (
                "It was not found out whether all are needed; not decided: "
                f"{_listed(self.undecided)}."
            )

    def as_dict(self) -> dict[str, Any]:
        """All but the program, for JSON."""
        return {
            "rows": [asdict(each) for each in self.rows],
            "bounds": [asdict(each) for each in self.bounds],
            "whole": list(self.whole),
            "irreducible": self.irreducible,
            "undecided": list(self.undecided),
        }


@checked_types
def infeasible_rows(
    program: LinearProgram, time_limit: PositiveOrInfinite | None = None
) -> InfeasibleRows:
    """Rows and bounds of an infeasible program that contradict each other, each of them needed.

    There may be many such sets; this is one. HiGHS solves what is left without some members, many
    times where columns are whole. A solve that takes more than ten seconds, and ten times as long
    as the first one, is given up; the member that it was to decide stays in the set, which is then
    not called irreducible.

    Parameters
    ----------
    program : LinearProgram
        With or without whole columns. Of a lazy program, its ``relaxation`` or a result's
        ``program``: the rows that are listed.
    time_limit : float, optional
        Seconds for everything; after them the set so far is returned, not called irreducible.

    Raises
    ------
    InputError
        Where the program has a point.
    CpeOptError
        Where it is not known whether the program has a point, within the time limit or at all.
    SolverMissing
        Without HiGHS.

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
    first = solve(bare, time_limit=time_limit, check=False)
    if _has_point(first):
        raise InputError(
            f"{program.name!r} has a point that satisfies every row and bound, expected an "
            "infeasible program"
        )
    if first.status is not Status.INFEASIBLE:
        raise CpeOptError(
            f"whether {program.name!r} has a point was not found out: {NotOptimal(first).reason}"
        )
    patience = math.inf
    if program.is_integer:
        patience = _PATIENCE * max(1.0, time.perf_counter() - started)
    kept = np.isfinite(_members(bare)[1])
    multipliers = _multipliers(bare, kept, _seconds(deadline - time.perf_counter()))
    kept = kept if multipliers is None else multipliers > 0.0
    return _described(bare, *_filtered(bare, kept, deadline, patience))


def _filtered(
    program: LinearProgram, kept: BoolArray, deadline: float, patience: float
) -> tuple[BoolArray, list[int]]:
    """Of members that are infeasible together, those that are needed; and the undecided ones."""
    undecided: list[int] = []
    for member in np.flatnonzero(kept).tolist():
        rest = kept.copy()
        rest[member] = False
        infeasible = _infeasible(program, rest, min(patience, deadline - time.perf_counter()))
        if infeasible:
            kept = rest
        elif infeasible is None:
            undecided.append(member)
    return kept, undecided


def _infeasible(program: LinearProgram, members: BoolArray, seconds: float) -> bool | None:
    """Whether no point satisfies these members; None if that was not decided."""
    program = _restricted(program, members)
    if not program.shape[1]:
        return bool(((program.row_lower > 0.0) | (program.row_upper < 0.0)).any())
    if seconds <= 0.0:
        return None
    result = solve(program, time_limit=_seconds(seconds), check=False)
    if result.status is Status.INFEASIBLE:
        return True
    return False if _has_point(result) else None


def _has_point(result: SolveResult) -> bool:
    """Whether a program without costs has a point that was verified."""
    return result.x is not None and result.status is not Status.IMPRECISE


def _seconds(left: float) -> float | None:
    """A time limit, which is never 0; None without one."""
    return None if math.isinf(left) else max(left, 1e-9)


def _restricted(program: LinearProgram, members: BoolArray) -> LinearProgram:
    """The program with these members alone, and the columns that they are about."""
    rows, columns = program.shape
    row_lower, row_upper, column_lower, column_upper = np.split(
        members, np.cumsum([rows, rows, columns])
    )
    bare = replace(
        program,
        row_lower=np.where(row_lower, program.row_lower, -np.inf),
        row_upper=np.where(row_upper, program.row_upper, np.inf),
        column_lower=np.where(column_lower, program.column_lower, -np.inf),
        column_upper=np.where(column_upper, program.column_upper, np.inf),
    ).keeping_rows(row_lower | row_upper)
    used = np.bincount(bare.matrix.indices, minlength=columns) > 0
    return bare.keeping_columns(used | column_lower | column_upper)


def _members(program: LinearProgram) -> tuple[sp.csr_array, FloatArray]:
    """Every side of a row and bound of a column as ``m'x >= b``, with b = -inf where it is none."""
    unit = sp.eye_array(program.shape[1], format="csr")
    matrix = sp.vstack([program.matrix, -program.matrix, unit, -unit], format="csr")
    sides = (program.row_lower, -program.row_upper, program.column_lower, -program.column_upper)
    return sp.csr_array(matrix), np.concatenate(sides)


def _multipliers(
    program: LinearProgram, kept: BoolArray, time_limit: float | None = None
) -> FloatArray | None:
    """Multipliers of members, shape (2 rows + 2 columns,), that prove that no point satisfies them.

    None where nothing is proved, as where columns must be whole for the contradiction.
    """
    matrix, sides = _members(program)
    matrix, sides = matrix[np.flatnonzero(kept)], sides[kept]
    sizes = abs(matrix).sum(axis=1)
    sizes[sizes == 0.0] = 1.0
    count, columns = matrix.shape
    total = np.append(np.zeros(columns), 1.0)
    combinations = LinearProgram(
        name=program.name,
        sense="max",
        costs=sides / sizes,
        column_lower=np.zeros(count),
        column_upper=np.full(count, np.inf),
        integer=np.zeros(count, dtype=np.bool_),
        matrix=sp.csr_array(sp.vstack([(matrix / sizes[:, None]).T, np.ones((1, count))])),
        row_lower=total,
        row_upper=total,
        column_names=tuple(f"c{j}" for j in range(count)),
        row_names=tuple(f"r{i}" for i in range(columns + 1)),
    )
    solution = Highs().solve(combinations, SolverSettings(time_limit=time_limit)).x
    if solution is None:
        return None
    factors = np.where(solution > _ZERO * solution.max(initial=0.0), solution, 0.0) / sizes
    left = np.abs(matrix.T @ factors) > _ROUNDING * (abs(matrix).T @ factors)
    if left.any() or sides @ factors <= _ROUNDING * (np.abs(sides) @ factors):
        return None
    multipliers = np.zeros(len(kept))
    multipliers[kept] = factors
    return multipliers


def _described(program: LinearProgram, kept: BoolArray, undecided: list[int]) -> InfeasibleRows:
    """The members that are kept, with what is said of them."""
    rest, split = _restricted(program, kept), [2 * program.shape[0]]
    multipliers, total = _multipliers(program, kept), None
    if multipliers is not None:
        some = multipliers[multipliers > 0.0]
        multipliers *= whole_factor(some, _LARGEST) or 1.0 / some.min()
        total = float(_members(program)[1][kept] @ multipliers[kept])
    factors = np.full(len(kept), np.nan) if multipliers is None else multipliers
    rows, bounds = (
        tuple(_in_words(program, what, mask.reshape(2, -1), numbers.reshape(2, -1).sum(axis=0)))
        for what, mask, numbers in zip(
            ("row", "column"), np.split(kept, split), np.split(factors, split), strict=True
        )
    )
    names = (2 * program.row_names) + (2 * program.column_names)
    whole = tuple(np.array(rest.column_names, dtype=object)[rest.integer])
    return InfeasibleRows(
        program=rest,
        rows=rows,
        bounds=bounds,
        whole=whole if multipliers is None else (),
        irreducible=not undecided,
        undecided=tuple(dict.fromkeys(names[number] for number in undecided)),
        total=total,
    )


def _in_words(
    program: LinearProgram, what: str, kept: BoolArray, factors: FloatArray
) -> Iterator[Member]:
    """The rows, or the bounds of columns, of which a side is kept; ``kept`` has a row a side."""
    names, *ends = (getattr(program, f"{what}_{part}") for part in ("names", "lower", "upper"))
    for number in np.flatnonzero(kept.any(axis=0)).tolist():
        every = [float(end[number]) for end in ends]
        lower, upper = np.where(kept[:, number], every, (-np.inf, np.inf)).tolist()
        head, expression = "bound", names[number]
        if what == "row":
            head, expression = names[number], _expression(program, number)
        text = f"{head}: {_between(expression, lower, upper)}"
        if np.isfinite(every).all() and not kept[:, number].all():
            text += f" (of {_between('…', *every)})"
        side: Side = "both" if kept[:, number].all() else "lower" if kept[0, number] else "upper"
        factor = None if math.isnan(factors[number]) else float(factors[number])
        yield Member(names[number], side, text, factor)


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
