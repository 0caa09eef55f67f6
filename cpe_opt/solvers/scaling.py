r"""What a solver is given instead of a program: whole bounds, and numbers of a common size.

Solvers compare with absolute tolerances, some 1e-9, and round what they are told to be whole. So

- the bounds of integer columns are rounded inwards, to :math:`\lceil \ell_j \rceil` and
  :math:`\lfloor u_j \rfloor`, a bound within 1e-9 of a whole number to that one;
- a row without entries that excludes 0 makes the program infeasible, by however little;
- costs, rows and (unless they are integer) columns are multiplied by powers of two, which changes
  no digit: with :math:`x_j = s_j x'_j`, :math:`a'_{ij} = r_i a_{ij} s_j`, :math:`c'_j = f c_j s_j`.
  Where all numbers have ordinary sizes, every factor is 1.

- quadratic terms become :math:`q'_{jk} = f s_j q_{jk} s_k`.

Bounds and duals of the original are :math:`\beta = \beta' / f` and :math:`y_i = y'_i r_i / f`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, row_entries
from cpe_opt.modelling.program import LinearProgram, RowBlock
from cpe_opt.solvers.base import RawSolution, Reoptimiser, SolverSettings

_WHOLE = 1e-9
_EMPTY = 1e-12
# Sizes that are left as they are. Costs may be larger: only their lower end meets a tolerance.
_ORDINARY = (2.0**-7, 2.0**7)
_ORDINARY_COSTS = (2.0**-4, 2.0**20)
_LEAST_COST = 2.0**-20  # that a solver of tolerance 1e-9 does not take for 0
_PASSES = 8


@dataclass(frozen=True, eq=False)
class Scaled:
    """A program as a solver gets it, and how its solutions are scaled back.

    ``program`` is ``original`` where nothing had to be changed; ``cost``, ``rows`` and ``columns``
    are f, r and s. ``quadratic`` has the quadratic terms, if any, in the units of ``program``.
    """

    original: LinearProgram
    program: LinearProgram
    cost: float
    rows: FloatArray
    columns: FloatArray
    quadratic: sp.csr_array | None = None

    def settings(self, options: SolverSettings) -> SolverSettings:
        """The options with the start, if any, in the units of the scaled program."""
        if options.start is None:
            return options
        return replace(options, start=options.start / self.columns)

    def restored(self, raw: RawSolution) -> RawSolution:
        """The solution in the units of the original program."""
        if self.program is self.original:
            return raw
        return replace(
            raw,
            x=None if raw.x is None else raw.x * self.columns,
            row_duals=None if raw.row_duals is None else raw.row_duals * self.rows / self.cost,
            bound=None if raw.bound is None else raw.bound / self.cost + self.original.offset,
            tangent_point=None if raw.tangent_point is None else raw.tangent_point * self.columns,
        )


def presolved(program: LinearProgram) -> LinearProgram | str:
    """The program with integer bounds rounded inwards, or why it has no point."""
    part = impossible_part(program)
    if part is not None:
        what, number = part
        if what == "row":
            return f"row {program.row_names[number]!r} has no entries and excludes 0"
        name = program.column_names[number]
        return f"no whole number lies within the bounds of column {name!r}"
    if not program.is_integer:
        return program
    lower, upper = _whole_bounds(program)
    if (lower == program.column_lower).all() and (upper == program.column_upper).all():
        return program
    return replace(program, column_lower=lower + 0.0, column_upper=upper + 0.0)


def impossible_part(program: LinearProgram) -> tuple[Literal["row", "column"], int] | None:
    """A row, or a column with its bounds, that no point satisfies whatever the others are.

    That is a row without entries that excludes 0, or an integer column without a whole number
    within its bounds. None if there is neither.
    """
    impossible = (program.row_lower > _EMPTY) | (program.row_upper < -_EMPTY)
    if impossible.any():
        entries = np.diff(program.matrix.indptr)
        if not program.matrix.data.all():
            entries = np.diff((program.matrix != 0.0).indptr)
        empty = np.flatnonzero(impossible & (entries == 0))
        if empty.size:
            return "row", int(empty[0])
    if program.is_integer:
        lower, upper = _whole_bounds(program)
        empty = np.flatnonzero(lower > upper)
        if empty.size:
            return "column", int(empty[0])
    return None


def _whole_bounds(program: LinearProgram) -> tuple[FloatArray, FloatArray]:
    """The column bounds, those of integer columns rounded inwards."""
    lower, upper = program.column_lower, program.column_upper
    return (
        np.where(program.integer, np.ceil(lower - _WHOLE), lower),
        np.where(program.integer, np.floor(upper + _WHOLE), upper),
    )


def scaled(program: LinearProgram, quadratic: sp.csr_array | None = None) -> Scaled:
    """The program, and the quadratic terms of its objective, in numbers of a common size."""
    rows, columns = np.ones(program.shape[0]), np.ones(program.shape[1])
    if not _ordinary(program):
        rows, columns = _equilibrated(program)
    costs = program.costs * columns
    terms = np.zeros(0)
    if quadratic is not None:
        quadratic = quadratic.copy()
        quadratic.data *= columns[quadratic.indices]
        quadratic.data *= np.repeat(columns, np.diff(quadratic.indptr))
        terms = quadratic.data
    cost = cost_factor(np.concatenate([costs, terms]))
    if quadratic is not None:
        quadratic.data *= cost
    if cost == 1.0 and (rows == 1.0).all() and (columns == 1.0).all():
        return Scaled(program, program, 1.0, rows, columns, quadratic)
    matrix = program.matrix.copy()
    matrix.data *= np.repeat(rows, np.diff(matrix.indptr))
    matrix.data *= columns[matrix.indices]
    inside = replace(
        program,
        costs=costs * cost,
        offset=0.0,
        matrix=matrix,
        row_lower=program.row_lower * rows,
        row_upper=program.row_upper * rows,
        column_lower=program.column_lower / columns,
        column_upper=program.column_upper / columns,
    )
    return Scaled(program, inside, cost, rows, columns, quadratic)


def cost_factor(costs: FloatArray) -> float:
    """A power of two that brings the largest cost to about 1, or 1 where all are ordinary.

    Large costs are not brought down where there are small ones too, which would be lost; and small
    ones are brought up as far as the large ones allow, since solvers take the smallest for 0.
    """
    sizes = np.abs(costs[costs != 0.0])
    if not sizes.size:
        return 1.0
    least, most = float(sizes.min()), float(sizes.max())
    if most < _ORDINARY_COSTS[0]:
        factor = _inverse(most)
    elif most > _ORDINARY_COSTS[1]:
        factor = min(1.0, max(_inverse(most), _inverse(least)))
    else:
        factor = 1.0
    if factor * least < _LEAST_COST:
        room = _ORDINARY_COSTS[1] * _inverse(most)
        factor = max(factor, min(_LEAST_COST * _inverse(least), room))
    return factor


class ScaledSession:
    """A session of a solver that holds a program with its costs multiplied by a factor."""

    def __init__(self, session: Reoptimiser, cost: float, offset: float) -> None:
        self._session, self._cost, self._offset = session, cost, offset

    def set_costs(self, columns: npt.NDArray[np.integer], costs: FloatArray) -> None:
        """Change objective coefficients."""
        self._session.set_costs(columns, costs * self._cost)

    def set_upper(self, columns: npt.NDArray[np.integer], upper: FloatArray) -> None:
        """Change upper bounds of columns."""
        self._session.set_upper(columns, upper)

    def add_rows(self, block: RowBlock) -> None:
        """Append rows."""
        self._session.add_rows(block)

    def keep_rows(self, keep: BoolArray) -> None:
        """Delete every row outside the mask."""
        self._session.keep_rows(keep)

    def optimise(self, time_limit: float | None) -> RawSolution:
        """Solve, and answer in the program's own units."""
        raw = self._session.optimise(time_limit)
        return replace(
            raw,
            row_duals=None if raw.row_duals is None else raw.row_duals / self._cost,
            bound=None if raw.bound is None else raw.bound / self._cost + self._offset,
        )


def _ordinary(program: LinearProgram) -> bool:
    """Whether no number in the rows and bounds has an unusual size."""
    low, high = _ORDINARY
    entries = np.abs(program.matrix.data)
    entries = entries[entries > 0.0]
    sides = _sizes(program.row_lower, program.row_upper, program.column_lower, program.column_upper)
    small = entries.min(initial=1.0) < low or entries.max(initial=1.0) > high
    # Sides may be large next to ordinary coefficients; together small, they meet the tolerance.
    return not small and (not sides.size or float(sides.max()) >= low) and not _odd_boxes(program)


def _odd_boxes(program: LinearProgram) -> bool:
    """Whether a column's bounds are so near that a tolerance spans them, or so far that none is."""
    width = (program.column_upper - program.column_lower)[~program.integer]
    odd = (width < _ORDINARY[0]) | (width > _ORDINARY_COSTS[1])
    return bool((odd & (width > 0.0) & np.isfinite(width)).any())


def _equilibrated(program: LinearProgram) -> tuple[FloatArray, FloatArray]:
    """Powers of two that bring rows and columns to about 1, by geometric means in turn.

    A finite bound counts as a row of its own, and all sides as one more column, of factor 1.
    """
    rows, columns = program.shape
    entries = program.matrix.tocoo()
    sides = _reach(program.row_lower, program.row_upper)
    bounds = _reach(program.column_lower, program.column_upper)
    bounded = np.flatnonzero(bounds)
    extra = rows + np.arange(len(bounded))
    row, column, size = row_entries(
        (*entries.coords, np.abs(entries.data)),
        (np.arange(rows), columns, sides),
        (extra, bounded, 1.0),
        (extra, columns, bounds[bounded]),
    )
    row, column, size = row[size > 0.0], column[size > 0.0], np.log2(size[size > 0.0])
    r, s = np.zeros(rows + len(bounded)), np.zeros(columns + 1)
    free = np.append(~program.integer, False)
    for _ in range(_PASSES):
        r = -_means(row, size + s[column], len(r))
        s = np.where(free, -_means(column, size + r[row], len(s)), 0.0)
    s = np.round(s)
    # At last the largest coefficient of each row comes to about 1, whatever its side.
    inside = row < rows
    inside &= column < columns
    largest = np.full(rows, -np.inf)
    np.maximum.at(largest, row[inside], (size + s[column])[inside])
    r = np.where(np.isfinite(largest), -np.floor(largest), 0.0)
    return np.asarray(2.0**r), np.asarray(2.0 ** s[:columns])


def _reach(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """The larger finite size of two sides, 0 without any."""
    return np.fmax(*(np.where(np.isfinite(side), np.abs(side), 0.0) for side in (lower, upper)))


def _means(index: npt.NDArray[np.integer], values: FloatArray, count: int) -> FloatArray:
    """The middle of the least and the largest value of each group; 0 without any."""
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, index, values)
    np.maximum.at(high, index, values)
    known = np.isfinite(low)
    return np.where(known, 0.5 * (np.where(known, low, 0.0) + np.where(known, high, 0.0)), 0.0)


def _sizes(*sides: FloatArray) -> FloatArray:
    """The sizes of all sides that are finite and not 0."""
    every = np.abs(np.concatenate(sides))
    return every[np.isfinite(every) & (every > 0.0)]


def _inverse(size: float) -> float:
    """The power of two that takes this size to between 1 and 2."""
    return float(2.0 ** -np.floor(np.log2(size)))
