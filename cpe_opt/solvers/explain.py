r"""Why has a program no optimum? Rows that contradict each other, or a ray without end.

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

A *ray* is a direction :math:`d \ne 0` with :math:`a_i^\top d \ge 0` for each row with a lower side,
:math:`a_i^\top d \le 0` for each with an upper side, likewise for bounds of columns, and
:math:`c^\top d < 0` (of a minimisation). From any point x, :math:`x + t d` is a point for every
:math:`t \ge 0`, and the objective changes by :math:`t\,c^\top d`. A program with whole columns and
rational numbers is unbounded where it has a point and its relaxation a ray: a multiple of a
rational ray is whole (Meyer, 1974). The ray is the optimum of :math:`c^\top d` over the directions
in a box, by HiGHS, and is checked in the units of the program.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, Status
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.highs import Highs
from cpe_opt.solvers.solve import improves, solve, verifier_of
from cpe_opt.validation import PositiveOrInfinite, checked_types

_ZERO = 1e-9  # of the largest multiplier or step: below it there is none
_ROUNDING = 1e-12  # of the terms of a sum: what counts as 0
_MULTIPLES = 1_000  # of a ray, of which one may have whole steps
_SHOWN = 12  # of many columns, rows or terms


@dataclass(frozen=True, eq=False)
class InfeasibleRows:
    """Rows and bounds that no point satisfies together.

    Attributes
    ----------
    program : LinearProgram
        These rows and bounds alone, with the columns that they are about and no costs.
    irreducible : bool
        Whether each member is known to be needed: without it there is a point.
    """

    program: LinearProgram
    irreducible: bool

    @property
    def members(self) -> list[str]:
        """Each row and each bound as a text, such as ``demand_3: 2 x_1 + x_2 >= 5``."""
        program = self.program
        heads = [*program.row_names, *["bound"] * program.shape[1]]
        sums = [*(_sum(program, row) for row in range(program.shape[0])), *program.column_names]
        lower = [*program.row_lower.tolist(), *program.column_lower.tolist()]
        upper = [*program.row_upper.tolist(), *program.column_upper.tolist()]
        return [
            f"{head}: {_between(expression, low, up)}"
            for head, expression, low, up in zip(heads, sums, lower, upper, strict=True)
            if low > -math.inf or up < math.inf
        ]

    @property
    def text(self) -> str:
        """What contradicts what, in plain sentences."""
        lines = [
            f"No point satisfies these rows and bounds of {self.program.name!r}:",
            *(f"  {member}" for member in self.members),
        ]
        if self.program.is_integer:
            whole = list(itertools.compress(self.program.column_names, self.program.integer))
            lines.append(f"Whole columns: {', '.join(_shortened(whole))}.")
        needed = "Without any one of them there is a point."
        lines.append(needed if self.irreducible else "It was not found out whether all are needed.")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class UnboundedRay:
    """A direction along which the objective improves without end, from any point.

    Attributes
    ----------
    name : str
        Of the program.
    direction : mapping of str to float
        One step by column name, without the columns that stay; whole for whole columns.
    change : float
        Of the objective by one step: below 0 where it is minimised, above 0 where it is maximised.
    """

    name: str
    direction: dict[str, float]
    change: float

    @property
    def text(self) -> str:
        """In which direction the objective improves, in plain sentences."""
        steps = [f"{name}: {step:+.10g}" for name, step in self.direction.items()]
        lines = [
            f"The objective of {self.name!r} {'falls' if self.change < 0.0 else 'rises'} without "
            f"end: each step in this direction changes it by {self.change:.10g}:",
            *(f"  {step}" for step in _shortened(steps)),
            "No row and no bound ends it, from any point that satisfies all.",
        ]
        return "\n".join(lines)


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
      open: hours_ann + hours_bob + hours_eve >= 20
      budget: 30 hours_ann + 20 hours_bob + 25 hours_eve <= 300
      bound: hours_ann >= 0
      bound: hours_bob <= 8
    Without any one of them there is a point.
    """
    deadline = time.perf_counter() + (math.inf if time_limit is None else time_limit)
    if _has_point(program, deadline):
        raise InputError(
            f"{program.name!r} has a point that satisfies every row and bound, expected an "
            "infeasible program"
        )
    bare = replace(program, costs=np.zeros(program.shape[1]), offset=0.0)
    kept, irreducible = _contradicting(bare, _left(deadline)), True
    for member in np.flatnonzero(kept).tolist():
        rest = kept.copy()
        rest[member] = False
        result = solve(_restricted(bare, rest), time_limit=_left(deadline), check=False)
        if result.status is Status.INFEASIBLE:
            kept = rest
        irreducible &= result.is_optimal or result.status is Status.INFEASIBLE
    return InfeasibleRows(_restricted(bare, kept), irreducible)


@checked_types
def unbounded_ray(
    program: LinearProgram, time_limit: PositiveOrInfinite | None = None
) -> UnboundedRay:
    """A ray of an unbounded program, by the names of its columns, found by HiGHS.

    Parameters
    ----------
    program : LinearProgram
        With or without whole columns.
    time_limit : float, optional
        Seconds for everything.

    Raises
    ------
    InputError
        Where the program has no point, or no ray was found.
    CpeOptError
        Where it is not known whether the program has a point, or no ray is whole where columns are.
    SolverMissing
        Without HiGHS.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> builder = cpe.ProgramBuilder("shop", sense="max")
    >>> flows = builder.columns("boxes", ["sold", "bought"], cost=[6, -4])
    >>> _ = builder.row("stock", flows, [1, -1.5], upper=5)
    >>> print(cpe.unbounded_ray(builder.build()).text)
    The objective of 'shop' rises without end: each step in this direction changes it by 10:
      boxes_sold: +3
      boxes_bought: +2
    No row and no bound ends it, from any point that satisfies all.
    """
    deadline = time.perf_counter() + (math.inf if time_limit is None else time_limit)
    if not _has_point(program, deadline):
        raise InputError(f"{program.name!r} has no point, expected an unbounded program")
    settings = SolverSettings(time_limit=_left(deadline))
    ray = verifier_of(Highs(), settings, time.perf_counter()).improving_ray(program)
    if ray is None:
        raise InputError(
            f"no ray was found along which the objective of {program.name!r} improves without end, "
            "expected an unbounded program"
        )
    ray = _readable(program, ray)
    named = zip(program.column_names, ray.tolist(), strict=True)
    direction = {name: step for name, step in named if step}
    return UnboundedRay(program.name, direction, float(program.costs @ ray))


def _has_point(program: LinearProgram, deadline: float) -> bool:
    """Whether a point satisfies all rows and bounds; CpeOptError where that is not known."""
    bare = replace(program, costs=np.zeros(program.shape[1]), offset=0.0)
    result = solve(bare, time_limit=_left(deadline), check=False)
    if result.is_optimal or result.status is Status.INFEASIBLE:
        return result.is_optimal
    raise CpeOptError(
        f"whether {program.name!r} has a point was not found out: {NotOptimal(result).reason}"
    )


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


def _contradicting(program: LinearProgram, time_limit: float) -> BoolArray:
    """The members with a multiplier, by which no point satisfies them; all if nothing is proved."""
    from scipy.optimize import linprog

    unit = sp.eye_array(program.shape[1], format="csr")
    matrix = sp.vstack([program.matrix, -program.matrix, unit, -unit], format="csr")
    sides = np.concatenate(
        [program.row_lower, -program.row_upper, program.column_lower, -program.column_upper]
    )
    members: BoolArray = np.isfinite(sides)
    matrix, sides = matrix[np.flatnonzero(members)], sides[members]
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
        return members
    factors = np.where(solution > _ZERO * solution.max(initial=0.0), solution, 0.0) / sizes
    left = np.abs(matrix.T @ factors) > _ROUNDING * (abs(matrix).T @ factors)
    if not left.any() and sides @ factors > _ROUNDING * (np.abs(sides) @ factors):
        members[members] = factors > 0.0
    return members


def _readable(program: LinearProgram, ray: FloatArray) -> FloatArray:
    """The least multiple of the ray with whole steps (of an integer program, in whole columns)."""
    ray = ray / np.abs(ray[ray != 0.0]).min()
    chosen = program.integer if program.is_integer else np.ones(len(ray), dtype=np.bool_)
    for factor in range(1, _MULTIPLES):
        multiple = ray * factor
        whole = np.where(chosen, np.rint(multiple), multiple)
        if (np.abs(whole - multiple) <= _ZERO * np.abs(whole)).all() and improves(program, whole):
            return whole
    if not program.is_integer:
        return ray
    raise CpeOptError(
        f"{program.name!r} is unbounded, and no ray was found along which its whole columns stay "
        "whole"
    )


def _between(expression: str, lower: float, upper: float) -> str:
    """An expression between its sides, of which one is finite."""
    if lower == upper:
        return f"{expression} = {lower:.10g}"
    if upper == math.inf:
        return f"{expression} >= {lower:.10g}"
    return f"{f'{lower:.10g} <= ' * (lower > -math.inf)}{expression} <= {upper:.10g}"


def _sum(program: LinearProgram, row: int) -> str:
    """The sum of a row's terms, the first ones of many."""
    entries = program.matrix[[row]].tocoo()
    terms = []
    for value, column in zip(entries.data.tolist(), entries.coords[1].tolist(), strict=True):
        size = "" if abs(value) == 1.0 else f"{abs(value):.10g} "
        terms.append(f"{'-' if value < 0.0 else '+'} {size}{program.column_names[column]}")
    return " ".join(_shortened(terms)).removeprefix("+ ") or "0"


def _shortened(words: Sequence[str]) -> list[str]:
    """The first words of many, and how many more there are."""
    more = len(words) - _SHOWN
    return [*words[:_SHOWN], *([f"… ({more} more)"] if more > 0 else [])]
