r"""Ranging: how far one number of a linear program may move until its optimal basis changes.

With a variable for each row, :math:`Ax - s = 0`, an optimal *basis* has as many variables as there
are rows; the others lie at a bound. One number moves, all others stay:

- the *cost* of a column, until a reduced cost changes its sign: within the interval the point stays
  optimal, and the optimum changes by its value;
- the *side* of a row or *bound* of a column at which a variable outside of the basis lies, until a
  variable in the basis meets a bound, or the side meets the other one: within the interval the
  optimum changes by the dual. Both sides of an equality move together;
- any other side, until the variable meets it; its dual is 0.

The intervals are HiGHS's (``getRanging``), of one optimal basis at the given point, therefore inner
ones. Where the point is *degenerate* (a basic variable lies at a bound), those of costs may be
wider; where *other points* are optimal (a reduced cost outside of the basis is 0), those of sides.
Else they are exact.

They are refused unless HiGHS's optimum is that of the result, which was verified. Values, duals and
reduced costs are computed from it in the units of the program.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass, fields
from typing import Any, Literal

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.highs import Highs, HighsSession
from cpe_opt.validation import checked_types

_ZERO = 1e-9  # of the terms of a reduced cost, and of a value: how near a bound is at it
_AGREE = 1e-6  # what two numbers of one optimum may differ by, absolute below 1


@dataclass(frozen=True)
class Range:
    """Between which numbers a cost keeps the point optimal, or a side or bound keeps its dual.

    Attributes
    ----------
    kind : "cost", "row" or "bound"
    name : str
        Of the column or the row.
    side : "lower", "upper" or "equal"; "" of a cost
        Both sides of an equality, or of a fixed column, move together.
    now, lowest, highest : float
    point : float
        The value of the column or the row at the point.
    marginal : float
        Of a cost the reduced cost; of a side the dual, the change of the optimum by one unit of it,
        which is 0 where the point does not lie at it.
    """

    kind: Literal["cost", "row", "bound"]
    name: str
    side: Literal["", "lower", "upper", "equal"]
    now: float
    lowest: float
    highest: float
    point: float
    marginal: float


HEAD = tuple(each.name for each in fields(Range))


@dataclass(frozen=True)
class Ranging:
    """Intervals of all costs, sides and bounds of a linear program, for one optimal basis.

    Attributes
    ----------
    program_name : str
    ranges : tuple of Range
        One for each cost, then for each finite side of a row, then for each finite bound.
    degenerate : bool
        Whether a basic variable lies at a bound: the point may stay optimal beyond the intervals of
        costs, and other duals are optimal, too.
    other_optima : bool
        Whether other points may be optimal, too: a dual may stay valid beyond its interval.
    """

    program_name: str
    ranges: tuple[Range, ...]
    degenerate: bool
    other_optima: bool

    @property
    def notes(self) -> str:
        """What the intervals mean for this program, in sentences."""
        words = "One number moves, the others stay; the intervals are those of one optimal basis."
        if self.degenerate:
            words += " The point is degenerate: it may stay optimal beyond an interval of costs."
        if self.other_optima:
            words += " Other points may be optimal, too: a dual may stay valid beyond its interval."
        return words

    @property
    def text(self) -> str:
        """All intervals as a table, and what they mean."""
        rows = [HEAD, *self.cells()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        return "\n".join([*lines, self.notes])

    def cells(self) -> list[tuple[str, ...]]:
        """The rows of the table for people, under :data:`HEAD`."""
        return [
            tuple(f"{cell:.7g}" if isinstance(cell, float) else cell for cell in astuple(each))
            for each in self.ranges
        ]

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return asdict(self)


@checked_types
def ranging(result: SolveResult) -> Ranging:
    """How far each cost, side and bound of a solved linear program may move on its own.

    The basis is one at the point of the result; where that is no vertex, at a vertex nearby that is
    optimal, too.

    Parameters
    ----------
    result : SolveResult
        An optimum of a linear program without whole columns, by any solver.

    Raises
    ------
    NotOptimal
        Where the solve ended without an optimum.
    InputError
        For an integer or a cone program, for one whose rows were added on demand, or have no
        entries.
    CpeOptError
        Where no optimal basis was found.
    SolverMissing
        Without HiGHS.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> builder = cpe.ProgramBuilder("bakery", sense="max")
    >>> bread = builder.columns("bake", ["rye", "wheat"], cost=[3, 2])
    >>> _ = builder.row("oven", bread, upper=10)
    >>> _ = builder.row("flour", bread, [2, 1], upper=16)
    >>> print(cpe.ranging(cpe.solve(builder.build())).text)
    kind   name        side   now  lowest  highest  point  marginal
    cost   bake_rye           3    2       4        6      0
    cost   bake_wheat         2    1.5     3        4      0
    row    oven        upper  10   8       16       10     1
    row    flour       upper  16   10      20       16     1
    bound  bake_rye    lower  0    -inf    6        6      0
    bound  bake_wheat  lower  0    -inf    4        4      0
    One number moves, the others stay; the intervals are those of one optimal basis.
    """
    if not result.is_optimal or result.x is None:
        raise NotOptimal(result)
    program = result.program
    if not isinstance(program, LinearProgram) or program.is_integer or not program.matrix.nnz:
        raise InputError(
            f"{result.program_name!r} has no optimal basis: expected a linear program without "
            "whole columns, and with entries"
        )
    if result.cut_rounds:
        raise InputError(
            f"{program.name!r} was solved with rows on demand, and the others would limit its "
            "sides, too: expected a program with all rows listed, such as of the method 'compact', "
            "or solve(result.program), with the rows that were needed"
        )
    session = HighsSession(Highs(), program, SolverSettings())
    session.set_start(result.x)
    raw, intervals, basis = session.optimise(None), session.ranging(), session.basis()
    if intervals is None or basis is None or raw.x is None or raw.row_duals is None:
        raise CpeOptError(f"highs ended without an optimal basis of {program.name!r}")
    best = program.objective(raw.x)
    if abs(best - program.objective(result.x)) > _AGREE * max(1.0, abs(best)):
        raise CpeOptError(f"highs ended with another optimum of {program.name!r}, {best:.10g}")
    return _ranging(program, raw.x, raw.row_duals, [*basis[0], *basis[1]], intervals)


def _ranging(
    program: LinearProgram, x: FloatArray, y: FloatArray, lies: list[str], intervals: Any
) -> Ranging:
    """HiGHS's intervals at its optimum x and duals y."""
    columns, matrix = program.shape[1], program.matrix
    terms = np.abs(program.costs) + abs(matrix).T @ np.abs(y)  # of the reduced costs
    shares = np.divide(1.0, terms, out=np.zeros(columns), where=terms > 0.0)
    marginal = np.concatenate([program.costs - matrix.T @ y, y])
    flat = np.abs(marginal) * np.concatenate([shares, abs(matrix) @ shares]) <= _ZERO
    marginal[flat] = 0.0
    values = np.concatenate([x, matrix @ x]) + 0.0
    lower = np.concatenate([program.column_lower, program.row_lower])
    upper = np.concatenate([program.column_upper, program.row_upper])
    basic = np.array([word == "basic" for word in lies], dtype=np.bool_)
    tight = np.minimum(values - lower, upper - values) <= _ZERO * (1.0 + np.abs(values))
    costs, points, duals = program.costs.tolist(), values.tolist(), marginal.tolist()
    names = (*program.column_names, *program.row_names)
    falls, rises = intervals.col_cost_dn.value_, intervals.col_cost_up.value_
    ranges = [
        Range("cost", names[j], "", costs[j], falls[j], rises[j], points[j], duals[j])
        for j in range(columns)
    ]
    falls = [*intervals.col_bound_dn.value_, *intervals.row_bound_dn.value_]
    rises = [*intervals.col_bound_up.value_, *intervals.row_bound_up.value_]
    for k in [*range(columns, len(names)), *range(columns)]:
        kind: Literal["row", "bound"] = "bound" if k < columns else "row"
        for side, number, *away in _sides(float(lower[k]), float(upper[k]), points[k]):
            moves = lies[k] != "basic" and side in (lies[k], "equal")
            low, high = (falls[k], rises[k]) if moves else away
            dual = duals[k] if moves else 0.0
            ranges.append(Range(kind, names[k], side, number, low, high, points[k], dual))
    return Ranging(
        program_name=program.name,
        ranges=tuple(ranges),
        degenerate=bool((basic & tight).any()),
        other_optima=bool((flat & ~basic & (lower < upper)).any()),
    )


def _sides(
    lower: float, upper: float, value: float
) -> Iterator[tuple[Literal["lower", "upper", "equal"], float, float, float]]:
    """The finite sides, and between which numbers each does not meet the value."""
    if lower == upper:
        yield "equal", lower, value, value
        return
    if lower > -math.inf:
        yield "lower", lower, -math.inf, value
    if upper < math.inf:
        yield "upper", upper, value, math.inf
