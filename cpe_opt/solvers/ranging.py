r"""Ranging: how far one number of a linear program may move until its optimal basis changes.

With a variable for each row, :math:`Ax - s = 0`, an optimal *basis* has as many variables as there
are rows; the others lie at a bound. One number moves, all others stay:

- the *cost* of a column, until a reduced cost changes its sign: within the interval the point stays
  optimal, and the optimum changes by its value;
- the *side* of a row or *bound* of a column at which a variable outside of the basis lies, until a
  variable in the basis meets a bound, or the side meets the other one: within the interval the
  optimum changes by the dual. Both sides of an equality move together;
- any other side, until the variable meets it; its dual is 0.

The intervals are HiGHS's (``getRanging``), of its basis at the given point, and are those of one
basis, therefore inner ones. Where the point is *degenerate* (a basic variable lies at a bound), it
may stay optimal beyond an interval of costs, and the duals are one choice of several. Where *other
points* are optimal (some reduced cost outside of the basis is 0), a dual may stay valid beyond an
interval of sides. Where neither is so, the intervals are exact.

They are refused unless HiGHS's optimum is that of the result, which was verified. Values, duals and
reduced costs are computed from it in the units of the program.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.files import write_csv
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.highs import Highs, HighsSession
from cpe_opt.validation import checked_types

_ZERO = 1e-9  # of the terms of a reduced cost, and of a value: how near a bound is at it
_AGREE = 1e-6  # what two numbers of one optimum may differ by, absolute below 1
Kind = Literal["row", "bound"]
SideName = Literal["lower", "upper", "equal"]
HEAD = ("kind", "name", "side", "now", "from", "to", "point", "marginal")


@dataclass(frozen=True)
class CostRange:
    """Between which costs of a column the basis stays optimal, and with it the point.

    Attributes
    ----------
    column : str
    cost, lowest, highest : float
    value : float
        Of the column, at all these costs.
    reduced_cost : float
    """

    column: str
    cost: float
    lowest: float
    highest: float
    value: float
    reduced_cost: float


@dataclass(frozen=True)
class SideRange:
    """Between which numbers the side of a row, or the bound of a column, keeps its dual.

    Attributes
    ----------
    kind : "row" or "bound"
    name : str
        Of the row or the column.
    side : "lower", "upper" or "equal"
        Both sides of an equality, or of a fixed column, move together.
    number, lowest, highest : float
    value : float
        Of the row or the column at the point.
    dual : float
        The change of the optimum by one unit of the side; 0 where the point does not lie at it.
    """

    kind: Kind
    name: str
    side: SideName
    number: float
    lowest: float
    highest: float
    value: float
    dual: float


@dataclass(frozen=True)
class Ranging:
    """Intervals of all costs, sides and bounds of a linear program, for one optimal basis.

    Attributes
    ----------
    program_name : str
    costs : tuple of CostRange
        One a column.
    sides : tuple of SideRange
        One for each finite side of a row and bound of a column; rows first.
    degenerate : bool
        Whether a basic variable lies at a bound: the point may stay optimal beyond the intervals of
        costs, and other duals are optimal, too.
    other_optima : bool
        Whether other points may be optimal, too: a dual may stay valid beyond its interval.
    """

    program_name: str
    costs: tuple[CostRange, ...]
    sides: tuple[SideRange, ...]
    degenerate: bool
    other_optima: bool

    @property
    def notes(self) -> str:
        """What the intervals mean for this program, in sentences."""
        words = "One number moves, the others stay; the intervals are those of one optimal basis."
        if self.degenerate:
            words += (
                " The point is degenerate: it may stay optimal beyond an interval of costs, and "
                "the duals are one choice of several."
            )
        if self.other_optima:
            words += " Other points may be optimal, too: a dual may stay valid beyond its interval."
        return words

    @property
    def text(self) -> str:
        """All intervals as a table, and what they mean.

        ``point`` is the value of the column or row; ``marginal`` the reduced cost of a column, the
        dual of a side.
        """
        cells = [HEAD, *self.cells()]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = []
        for row in cells:
            words = [cell.ljust(width) for cell, width in zip(row[:3], widths, strict=False)]
            words += [cell.rjust(width) for cell, width in zip(row[3:], widths[3:], strict=True)]
            lines.append("  ".join(words).rstrip())
        return "\n".join([*lines, self.notes])

    def rows(self) -> Iterator[tuple[str, str, str, float, float, float, float, float]]:
        """The rows of the table: costs, rows' sides, columns' bounds."""
        for c in self.costs:
            yield ("cost", c.column, "", c.cost, c.lowest, c.highest, c.value, c.reduced_cost)
        for s in self.sides:
            yield (s.kind, s.name, s.side, s.number, s.lowest, s.highest, s.value, s.dual)

    def cells(self) -> Iterator[tuple[str, ...]]:
        """The rows of the table for people, under :data:`HEAD`."""
        for row in self.rows():
            yield tuple(f"{cell:.7g}" if isinstance(cell, float) else cell for cell in row)

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the table as a CSV file; errors as for :func:`cpe_opt.files.atomic_write`."""
        path = Path(path)
        write_csv(path, HEAD, self.rows())
        return path

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
        For an integer or a cone program, and for one whose rows were added on demand.
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
    kind   name        side   now  from  to  point  marginal
    cost   bake_rye             3     2   4      6         0
    cost   bake_wheat           2   1.5   3      4         0
    row    oven        upper   10     8  16     10         1
    row    flour       upper   16    10  20     16         1
    bound  bake_rye    lower    0  -inf   6      6         0
    bound  bake_wheat  lower    0  -inf   4      4         0
    One number moves, the others stay; the intervals are those of one optimal basis.
    """
    if not result.is_optimal or result.x is None:
        raise NotOptimal(result)
    program = result.program
    if not isinstance(program, LinearProgram) or program.is_integer:
        kind = "an integer program" if isinstance(program, LinearProgram) else "a quadratic program"
        kind = "a cone program" if program is None else kind
        raise InputError(
            f"{result.program_name!r} is {kind}, which has no optimal basis: expected a linear "
            "program without whole columns"
        )
    if result.cut_rounds:
        raise InputError(
            f"{program.name!r} was solved with rows on demand, and the others would limit its "
            "sides, too: expected a program with all rows listed, such as of the method 'compact', "
            "or solve(result.program), with the rows that were needed"
        )
    session = HighsSession(Highs(), _padded(program), SolverSettings())
    session.set_start(np.append(result.x, 0.0))
    raw, intervals, basis = session.optimise(None), session.ranging(), session.basis()
    if intervals is None or basis is None or raw.x is None or raw.row_duals is None:
        raise CpeOptError(f"highs ended without an optimal basis of {program.name!r}")
    best = program.objective(raw.x[:-1])
    if abs(best - program.objective(result.x)) > _AGREE * max(1.0, abs(best)):
        raise CpeOptError(f"highs ended with another optimum of {program.name!r}, {best:.10g}")
    return _ranging(program, raw.x[:-1], raw.row_duals[:-1], basis, intervals)


def _padded(program: LinearProgram) -> LinearProgram:
    """The program with one more column, fixed at 0, in one more row without sides.

    HiGHS has no intervals of a program without entries.
    """
    return replace(
        program,
        costs=np.append(program.costs, 0.0),
        column_lower=np.append(program.column_lower, 0.0),
        column_upper=np.append(program.column_upper, 0.0),
        integer=np.append(program.integer, False),
        matrix=sp.csr_array(sp.block_diag([program.matrix, np.ones((1, 1))])),
        row_lower=np.append(program.row_lower, -np.inf),
        row_upper=np.append(program.row_upper, np.inf),
        column_names=(*program.column_names, ""),
        row_names=(*program.row_names, ""),
    )


def _ranging(
    program: LinearProgram,
    x: FloatArray,
    y: FloatArray,
    basis: tuple[list[str], list[str]],
    intervals: Any,
) -> Ranging:
    """HiGHS's intervals at its optimum x and duals y, without those of the padding."""
    columns, matrix = program.shape[1], program.matrix
    terms = np.abs(program.costs) + abs(matrix).T @ np.abs(y)  # of the reduced costs
    shares = np.divide(1.0, terms, out=np.zeros(columns), where=terms > 0.0)
    marginal = np.concatenate([program.costs - matrix.T @ y, y])
    flat = np.abs(marginal) * np.concatenate([shares, abs(matrix) @ shares]) <= _ZERO
    marginal[flat] = 0.0
    values = np.concatenate([x, matrix @ x]) + 0.0
    lower = np.concatenate([program.column_lower, program.row_lower])
    upper = np.concatenate([program.column_upper, program.row_upper])
    lies = [*basis[0][:-1], *basis[1][:-1]]
    basic = np.array([word == "basic" for word in lies], dtype=np.bool_)
    tight = np.minimum(values - lower, upper - values) <= _ZERO * (1.0 + np.abs(values))
    falls = [*intervals.col_bound_dn.value_[:-1], *intervals.row_bound_dn.value_[:-1]]
    rises = [*intervals.col_bound_up.value_[:-1], *intervals.row_bound_up.value_[:-1]]
    numbers = (each.tolist() for each in (lower, upper, values, marginal))
    names = [("bound", name) for name in program.column_names]
    names += [("row", name) for name in program.row_names]
    sides = [list(_sides(*row)) for row in zip(names, lies, falls, rises, *numbers, strict=True)]
    costs = zip(
        program.column_names,
        program.costs.tolist(),
        intervals.col_cost_dn.value_,
        intervals.col_cost_up.value_,
        values.tolist(),
        marginal.tolist(),
        strict=False,  # HiGHS has costs of rows, too
    )
    return Ranging(
        program_name=program.name,
        costs=tuple(CostRange(*row) for row in costs),
        sides=tuple(each for some in sides[columns:] + sides[:columns] for each in some),
        degenerate=bool((basic & tight).any()),
        other_optima=bool((flat & ~basic & (lower < upper)).any()),
    )


def _sides(
    named: tuple[Kind, str],
    lies: str,
    falls: float,
    rises: float,
    lower: float,
    upper: float,
    value: float,
    dual: float,
) -> Iterator[SideRange]:
    """The sides of one row, or the bounds of one column, that are finite."""
    away = {"lower": (-math.inf, value), "upper": (value, math.inf), "equal": (value, value)}
    sides: tuple[tuple[SideName, float], ...] = (("lower", lower), ("upper", upper))
    for side, number in sides if lower < upper else (("equal", lower),):
        if math.isfinite(number):
            moves = lies != "basic" and side in (lies, "equal")
            ends = (falls, rises) if moves else away[side]
            yield SideRange(*named, side, number, *ends, value, dual if moves else 0.0)
