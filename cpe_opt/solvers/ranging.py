r"""Ranging: how far one number of a linear program may move until its optimal basis changes.

With a variable :math:`s_i` for each row the program is :math:`\min c^\top x`, :math:`Ax - s = 0`,
bounds on all variables. An optimal *basis* B has as many variables as there are rows; the others
lie at a bound (or, where they have none, at 0). With the columns :math:`a_k` of :math:`(A, -I)`,

.. math:: y = B^{-\top} c_B, \qquad d_k = c_k - a_k^\top y, \qquad \alpha_k = B^{-1} a_k ,

the basis is optimal as long as each :math:`d_k` has the sign that its bound asks for, and each
basic variable lies within its bounds. One number moves, all others stay:

- the *cost* of a variable outside of B changes its own :math:`d_k` alone. That of the p-th variable
  in B by δ changes all, to :math:`d_k - \delta\,\alpha_{pk}`; the ratios :math:`d_k / \alpha_{pk}`
  give the first δ that turns a sign. Within the interval the point stays optimal;
- the *side* of a row, or the *bound* of a column, where a variable outside of B lies, by t changes
  the basic variables to :math:`x_B - t\,\alpha_k`, until one meets a bound, or until the side meets
  the other one. Within the interval the dual stays what it is: the optimum changes by it times t.
  Both sides of an equality move together;
- any other side may move until the variable meets it; its dual is 0.

All intervals are those of one basis, therefore inner ones. Where the point is *degenerate* (a basic
variable lies at a bound), it may stay optimal beyond an interval of costs, and the duals are one
choice of several. Where *other points* are optimal (some :math:`d_k` outside of B is 0), a dual may
stay valid beyond an interval of sides. Where neither is so, the intervals are exact.

The basis is HiGHS's, from the given point; the numbers are computed from it here, in the units of
:mod:`cpe_opt.solvers.scaling`, and refused unless the basis is feasible and its reduced costs have
the right signs.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.files import write_csv
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.highs import Highs, HighsSession
from cpe_opt.solvers.scaling import Scaled, scaled
from cpe_opt.validation import checked_types

_ZERO = 1e-9  # entries of α, reduced costs and distances to bounds, in scaled units
_WRONG = 1e-7  # what a basic variable or a reduced cost may be beyond its side
_AT_ONCE = 256  # columns of a dense right-hand side
HEAD = ("kind", "name", "side", "now", "from", "to", "point", "marginal")
_LOWER, _BASIC, _UPPER, _FREE, _ELSEWHERE = range(5)
_NUMBERS = {
    "lower": _LOWER,
    "basic": _BASIC,
    "upper": _UPPER,
    "zero": _FREE,
    "nonbasic": _ELSEWHERE,
}


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

    kind: Literal["row", "bound"]
    name: str
    side: Literal["lower", "upper", "equal"]
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
        widths = [max(len(row[place]) for row in cells) for place in range(len(HEAD))]
        lines = (
            "  ".join(
                f"{cell:<{width}}" if place < 3 else f"{cell:>{width}}"
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in cells
        )
        return "\n".join([*(line.rstrip() for line in lines), self.notes])

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
    inside = scaled(program)
    basis = _Basis(inside.program, _statuses(inside, result.x))
    return _ranging(program, inside, basis)


def _statuses(inside: Scaled, x: FloatArray) -> IntArray:
    """Where each column and each row lies in HiGHS's basis at this point."""
    program, backend = inside.program, Highs()
    backend.require()
    if not program.shape[1]:
        return np.full(program.shape[0], _BASIC)
    if not program.shape[0]:
        below = x / inside.columns - program.column_lower
        above = program.column_upper - x / inside.columns
        bound = np.where(below <= above, _LOWER, _UPPER)
        return np.where(np.isinf(below) & np.isinf(above), _FREE, bound)
    session = HighsSession(backend, program, SolverSettings())
    session.set_start(x / inside.columns)
    session.optimise(None)
    basis = session.basis()
    if basis is None:
        raise CpeOptError(f"highs ended without a basis of {program.name!r}")
    return np.array([_NUMBERS[word] for part in basis for word in part])


class _Basis:
    """An optimal basis of a program, whose numbers have a common size, as a minimisation.

    Variables are the columns, and one for each row; ``values``, ``reduced``, ``lower`` and
    ``upper`` have the shape (columns + rows,).
    """

    def __init__(self, program: LinearProgram, statuses: IntArray) -> None:
        rows, columns = program.shape
        self.sign = 1.0 if program.sense == "min" else -1.0
        self.lower = np.concatenate([program.column_lower, program.row_lower])
        self.upper = np.concatenate([program.column_upper, program.row_upper])
        self.statuses, self._columns = statuses, columns
        self.basic = np.flatnonzero(statuses == _BASIC)
        self.place = np.full(rows + columns, -1)
        self.place[self.basic] = np.arange(len(self.basic))
        whole = sp.hstack([program.matrix, -sp.eye_array(rows)], format="csc")
        self.matrix = sp.csc_array(whole)
        if len(self.basic) != rows or (statuses > _FREE).any():
            raise CpeOptError(f"highs ended without a whole basis of {program.name!r}")
        costs = np.concatenate([self.sign * program.costs, np.zeros(rows)])
        try:
            self._factors = splu(sp.csc_matrix(self.matrix[:, self.basic])) if rows else None
        except RuntimeError as error:
            raise CpeOptError(f"the basis of {program.name!r} is singular: {error}") from None
        outside = np.select(
            [statuses == _LOWER, statuses == _UPPER], [self.lower, self.upper], default=0.0
        )
        self.values = np.where(statuses == _BASIC, 0.0, outside)
        self.values[self.basic] = -self.solved(self.matrix @ self.values)
        duals = self.solved(costs[self.basic], transposed=True)
        self.reduced = costs - self.matrix.T @ duals
        self.reduced[self.basic] = 0.0
        self.fixed = self.lower == self.upper
        self._check(program.name)

    def solved(self, right: FloatArray, *, transposed: bool = False) -> FloatArray:
        """``B x = right``, or with B', for one right-hand side or several; shape as ``right``."""
        if self._factors is None:
            return right
        return np.asarray(self._factors.solve(right, "T" if transposed else "N"))

    def _check(self, name: str) -> None:
        """Refuse a basis that is not optimal."""
        at, moves = self.statuses, ~self.fixed
        beyond = np.maximum(self.lower - self.values, self.values - self.upper)
        wrong = (beyond > _WRONG * (1.0 + np.abs(self.values))).any()
        size = 1.0 + np.abs(self.reduced)
        wrong |= (moves & (at == _LOWER) & (self.reduced < -_WRONG * size)).any()
        wrong |= (moves & (at == _UPPER) & (self.reduced > _WRONG * size)).any()
        wrong |= ((at == _FREE) & (np.abs(self.reduced) > _WRONG * size)).any()
        if wrong or not np.isfinite(self.values).all():
            raise CpeOptError(f"no basis of {name!r} was found that is optimal in its own numbers")

    def cost_moves(self) -> tuple[FloatArray, FloatArray]:
        """By how much the cost of each column may fall and rise, of the minimisation.

        Of the rows' variables, whose costs are 0, some are not computed.
        """
        falls = np.full(len(self.statuses), -np.inf)
        rises = np.full(len(self.statuses), np.inf)
        outside, moves = self.statuses != _BASIC, ~self.fixed
        room = np.maximum(0.0, np.where(self.statuses == _LOWER, self.reduced, -self.reduced))
        at_lower, at_upper = (outside & moves & (self.statuses == s) for s in (_LOWER, _UPPER))
        falls[at_lower], rises[at_upper] = -room[at_lower], room[at_upper]
        free = outside & (self.statuses == _FREE)
        falls[free] = rises[free] = 0.0
        others = np.flatnonzero(outside & moves)
        columns = self.matrix[:, others].T
        # Each of these turns positive when α d > 0 has grown to d, and the other way round.
        bounded = np.where(self.statuses == _UPPER, -1.0, 1.0)[others]
        distance, loose = room[others], (self.statuses == _FREE)[others]
        distance[loose] = 0.0
        for part in self._parts(self.basic[self.basic < self._columns]):
            unit = np.zeros((len(self.basic), len(part)))
            unit[self.place[part], np.arange(len(part))] = 1.0
            alpha = (columns @ self.solved(unit, transposed=True)) * bounded[:, None]
            low, high = _first_ratios(alpha, distance, np.where(loose, distance, np.inf))
            falls[part], rises[part] = low, high
        return falls, rises

    def side_moves(self) -> tuple[FloatArray, FloatArray]:
        """By how much the number where each variable outside of the basis lies may fall and rise.

        Other variables have 0 for both.
        """
        falls, rises = np.zeros((2, len(self.statuses)))
        below = np.maximum(0.0, self.values - self.lower)[self.basic]
        above = np.maximum(0.0, self.upper - self.values)[self.basic]
        outside = np.flatnonzero((self.statuses != _BASIC) & (self.statuses != _FREE))
        for part in self._parts(outside):
            alpha = self.solved(self.matrix[:, part].toarray())
            falls[part], rises[part] = _first_ratios(alpha, below, above)
        width = self.upper - self.lower
        at_lower, at_upper = ((self.statuses == s) & ~self.fixed for s in (_LOWER, _UPPER))
        rises = np.where(at_lower, np.minimum(rises, width), rises)
        falls = np.where(at_upper, np.maximum(falls, -width), falls)
        return falls, rises

    def _parts(self, variables: IntArray) -> Iterator[IntArray]:
        for first in range(0, len(variables), _AT_ONCE):
            yield variables[first : first + _AT_ONCE]


def _first_ratios(
    alpha: FloatArray, below: FloatArray, above: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The least and the largest t of each column with ``-above <= t alpha <= below``.

    ``alpha`` has the shape (rows, columns), ``below`` and ``above``, shape (rows,), are 0 or more.
    """
    size = np.abs(alpha)
    used = size > _ZERO * np.maximum(1.0, size.max(axis=0, initial=0.0))
    step = np.where(used, alpha, 1.0)
    up = np.where(step > 0.0, below[:, None], above[:, None]) / np.abs(step)
    down = np.where(step > 0.0, above[:, None], below[:, None]) / np.abs(step)
    up, down = (np.where(used, each, np.inf) for each in (up, down))
    return -down.min(axis=0, initial=math.inf), up.min(axis=0, initial=math.inf)


def _ranging(program: LinearProgram, inside: Scaled, basis: _Basis) -> Ranging:
    """The intervals in the units of the program."""
    columns = program.shape[1]
    unit = np.concatenate([inside.columns, 1.0 / inside.rows])  # of values
    price = basis.sign / (inside.cost * unit)  # of reduced costs and duals
    values = basis.values * unit + 0.0
    flat = np.abs(basis.reduced) <= _ZERO
    marginal = np.where(flat, 0.0, basis.reduced * price)
    ends = np.sort(np.stack(basis.cost_moves()) * price, axis=0)[:, :columns]
    costs = tuple(
        CostRange(name, *numbers)
        for name, *numbers in zip(
            program.column_names,
            program.costs.tolist(),
            *(program.costs + ends).tolist(),
            values[:columns].tolist(),
            marginal[:columns].tolist(),
            strict=True,
        )
    )
    falls, rises = (moves * unit for moves in basis.side_moves())
    sides = _SideMoves(basis, values, marginal, falls, rises)
    lower, upper = program.column_lower, program.column_upper
    outside = basis.statuses != _BASIC
    room = np.minimum(basis.values - basis.lower, basis.upper - basis.values)
    tight = ~outside & (room <= _ZERO * (1.0 + np.abs(basis.values)))
    return Ranging(
        program_name=program.name,
        costs=costs,
        sides=(
            *sides.ranges("row", program.row_names, program.row_lower, program.row_upper, columns),
            *sides.ranges("bound", program.column_names, lower, upper, 0),
        ),
        degenerate=bool(tight.any()),
        other_optima=bool((outside & ~basis.fixed & flat).any()),
    )


@dataclass(frozen=True, eq=False)
class _SideMoves:
    """Values, duals and ranges of all variables."""

    basis: _Basis
    values: FloatArray
    duals: FloatArray
    falls: FloatArray
    rises: FloatArray

    def ranges(
        self,
        kind: Literal["row", "bound"],
        names: tuple[str, ...],
        lower: FloatArray,
        upper: FloatArray,
        first: int,
    ) -> Iterator[SideRange]:
        """The sides of the variables from this one on."""
        for number, (name, low, high) in enumerate(
            zip(names, lower.tolist(), upper.tolist(), strict=True), start=first
        ):
            at, value = self.basis.statuses[number], float(self.values[number])
            sides: tuple[tuple[Literal["lower", "upper", "equal"], float, bool], ...] = (
                ("lower", low, at == _LOWER),
                ("upper", high, at == _UPPER),
            )
            if low == high:
                sides = (("equal", low, True),)
            for side, now, lies in sides:
                if not math.isfinite(now):
                    continue
                if lies:
                    ends = now + float(self.falls[number]), now + float(self.rises[number])
                else:
                    ends = (-math.inf, value) if side == "lower" else (value, math.inf)
                dual = float(self.duals[number]) if lies else 0.0
                yield SideRange(kind, name, side, now, *ends, value, dual)
