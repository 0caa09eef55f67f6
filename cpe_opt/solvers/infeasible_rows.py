r"""Why has a program no solution? Rows and bounds that contradict each other, and none too many.

The *members* of a program are the finite sides of its rows, :math:`a_i^\top x \ge l_i` and
:math:`a_i^\top x \le u_i`, and the finite bounds of its columns. A set of members is *irreducible
infeasible* (an IIS; Chinneck, *Feasibility and Infeasibility in Optimization*, 2008) where no point
satisfies all of them, and where without any one of them there is a point. That columns are whole is
part of the background: it is never left out.

1. The start. Every member is written as :math:`m_k^\top x \ge b_k`, divided by the sum of the sizes
   in :math:`m_k`. Without whole columns the members are infeasible together if and only if

   .. math:: \max\ b^\top y \quad\text{s.t.}\quad M^\top y = 0, \quad \textstyle\sum_k y_k = 1,
             \quad y \ge 0

   has a positive value (Farkas' lemma). The members with a multiplier in a vertex of it are an
   irreducible set (Gleeson and Ryan, *Identifying minimally infeasible subsystems of inequalities*,
   1990). That :math:`M^\top y` is 0 and :math:`b^\top y` positive, both by more than rounding, is
   checked in the units of the program. Where nothing is proved, all members are the start.
2. The deletion filter. Each member in turn is left out, and the rest solved. If it is infeasible,
   the member stays out; if it has a point, it is needed, next to each part of the rest, too. Both
   answers are those of :func:`cpe_opt.solve`, which believes HiGHS only where numbers agree.

For linear programs the multipliers of an irreducible set are unique up to a common factor: added up
with these *factors*, with rows at their upper side turned round, the members say that 0 is at least
something positive.
"""

from __future__ import annotations

import itertools
import math
import time
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult, Status
from cpe_opt.solvers.solve import solve
from cpe_opt.solvers.unbounded_ray import shortened, whole_factor
from cpe_opt.validation import PositiveOrInfinite, checked_types

_ZERO = 1e-9  # of the largest multiplier: below it a member has none
_ROUNDING = 1e-12  # of the terms of a sum: what counts as 0
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
    undecided : tuple of str
        The members of which it was not found out whether they are needed.
    total : float or None
        What 0 would be at least, by the sum of the members with their factors.
    """

    program: LinearProgram
    rows: tuple[Member, ...]
    bounds: tuple[Member, ...]
    whole: tuple[str, ...]
    undecided: tuple[str, ...]
    total: float | None = None

    @property
    def irreducible(self) -> bool:
        """Whether each member is known to be needed: without it there is a point."""
        return not self.undecided

    @property
    def text(self) -> str:
        """What contradicts what, in plain sentences, each row as an expression."""
        members = (*self.rows, *self.bounds)
        lines = [f"No point satisfies these rows and bounds of {self.program.name!r}:"]
        if self.total is None:
            lines += [f"  {each.text}" for each in members]
        else:
            lines += [f"  {each.factor:.6g} × {each.text}" for each in members]
            lines.append(
                f"Added up with these factors, <= turned round, they say 0 >= {self.total:.6g}."
            )
        if self.whole:
            lines.append(f"Whole columns: {', '.join(shortened(self.whole))}.")
        if self.irreducible:
            lines.append("Without any one of them there is a point.")
        else:
            undecided = ", ".join(shortened(self.undecided))
            lines.append(f"It was not found out whether all are needed; not decided: {undecided}.")
        return "\n".join(lines)

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
    times where columns are whole.

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
    No point satisfies these rows and bounds of 'shifts':
      25 × open: hours_ann + hours_bob + hours_eve >= 20
      1 × budget: 30 hours_ann + 20 hours_bob + 25 hours_eve <= 300
      5 × bound: hours_ann >= 0
      5 × bound: hours_bob <= 8
    Added up with these factors, <= turned round, they say 0 >= 160.
    Without any one of them there is a point.
    """
    deadline = time.perf_counter() + (math.inf if time_limit is None else time_limit)
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
    multipliers = _multipliers(bare, _left(deadline))
    kept = np.isfinite(_members(bare)[1]) if multipliers is None else multipliers > 0.0
    names = (2 * program.row_names) + (2 * program.column_names)
    undecided = []
    for member in np.flatnonzero(kept).tolist():
        rest = kept.copy()
        rest[member] = False
        result = solve(_restricted(bare, rest), time_limit=_left(deadline), check=False)
        if result.status is Status.INFEASIBLE:
            kept = rest
        elif not _has_point(result):
            undecided.append(names[member])
    return _described(_restricted(bare, kept), tuple(dict.fromkeys(undecided)))


def _has_point(result: SolveResult) -> bool:
    """Whether a program without costs has a point that was verified."""
    return result.x is not None and result.status is not Status.IMPRECISE


def _left(deadline: float) -> float:
    """Seconds for a solve, never 0."""
    return max(deadline - time.perf_counter(), 1e-9)


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


def _multipliers(program: LinearProgram, time_limit: float = math.inf) -> FloatArray | None:
    """Multipliers of members, shape (2 rows + 2 columns,), that prove that no point satisfies them.

    None where nothing is proved, as where columns must be whole for the contradiction.
    """
    from scipy.optimize import linprog

    matrix, sides = _members(program)
    kept = np.isfinite(sides)
    matrix, sides = matrix[np.flatnonzero(kept)], sides[kept]
    sizes = abs(matrix).sum(axis=1)
    sizes[sizes == 0.0] = 1.0
    sums = sp.vstack([(matrix / sizes[:, None]).T, np.ones((1, len(sides)))], format="csc")
    solution = linprog(
        -sides / sizes,
        A_eq=sums,
        b_eq=np.append(np.zeros(program.shape[1]), 1.0),
        method="highs-ds",
        options={"time_limit": time_limit},
    ).x
    if solution is None:
        return None
    factors = np.where(solution > _ZERO * solution.max(initial=0.0), solution, 0.0) / sizes
    left = np.abs(matrix.T @ factors) > _ROUNDING * (abs(matrix).T @ factors)
    if left.any() or sides @ factors <= _ROUNDING * (np.abs(sides) @ factors):
        return None
    multipliers = np.zeros(len(kept))
    multipliers[kept] = factors
    return multipliers


def _described(rest: LinearProgram, undecided: tuple[str, ...]) -> InfeasibleRows:
    """What is said of a program of which all rows and bounds are members."""
    rows, columns = rest.shape
    multipliers, sides = _multipliers(rest), _members(rest)[1]
    factors, total = np.full(rows + columns, np.nan), None
    if multipliers is not None:
        some = multipliers[multipliers > 0.0]
        multipliers *= whole_factor(some, _LARGEST) or 1.0 / some.min()
        total = float(multipliers @ np.where(np.isfinite(sides), sides, 0.0))
        parts = np.split(multipliers, np.cumsum([rows, rows, columns]))
        factors = np.concatenate([parts[0] + parts[1], parts[2] + parts[3]])
    names = (*rest.row_names, *rest.column_names)
    whole = itertools.compress(rest.column_names, rest.integer)
    heads = (*rest.row_names, *["bound"] * columns)
    sums = (*(_expression(rest, row) for row in range(rows)), *rest.column_names)
    lower = np.concatenate([rest.row_lower, rest.column_lower])
    upper = np.concatenate([rest.row_upper, rest.column_upper])
    given = (lower.tolist(), upper.tolist(), factors.tolist())
    found = [
        Member(name, *_relation(head, expression, *ends), None if math.isnan(factor) else factor)
        for name, head, expression, *ends, factor in zip(names, heads, sums, *given, strict=True)
        if math.isfinite(min(map(abs, ends)))
    ]
    return InfeasibleRows(
        program=rest,
        rows=tuple(found[:rows]),
        bounds=tuple(found[rows:]),
        whole=() if multipliers is not None else tuple(whole),
        undecided=undecided,
        total=total,
    )


def _relation(head: str, expression: str, lower: float, upper: float) -> tuple[Side, str]:
    """Which sides there are, and what they say."""
    if lower == upper:
        return "both", f"{head}: {expression} = {lower:.10g}"
    if upper == math.inf:
        return "lower", f"{head}: {expression} >= {lower:.10g}"
    if lower == -math.inf:
        return "upper", f"{head}: {expression} <= {upper:.10g}"
    return "both", f"{head}: {lower:.10g} <= {expression} <= {upper:.10g}"


def _expression(program: LinearProgram, row: int) -> str:
    """The sum of a row's terms, the first ones of many."""
    entries = program.matrix[[row]].tocoo()
    terms = []
    for value, column in zip(entries.data.tolist(), entries.coords[1].tolist(), strict=True):
        size = "" if abs(value) == 1.0 else f"{abs(value):.10g} "
        terms.append(f"{'-' if value < 0.0 else '+'} {size}{program.column_names[column]}")
    return " ".join(shortened(terms)).removeprefix("+ ") or "0"
