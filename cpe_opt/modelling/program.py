"""Linear and mixed-integer programs as values.

A :class:`LinearProgram` is::

    minimise (or maximise)  offset + costs' x
    subject to              row_lower <= A x <= row_upper
                            column_lower <= x <= column_upper
                            x_j integer where integer[j],

with a sparse matrix ``A`` and a readable, unique name for every row and column. It is frozen;
:class:`~cpe_opt.modelling.builder.ProgramBuilder` assembles one.

**Programs with more rows than can be listed.**

A :class:`LazyProgram` is a relaxation (the rows worth listing from the start) and a separator: a
function that looks at a point and returns rows of the full program which that point violates. It
speaks for all rows: a point at which it finds nothing satisfies every one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.validation import Finite, NonNegative, PositiveInt, checked, checked_types

Sense = Literal["min", "max"]
ENDLESS = 1e20  # solvers and readers take this and more for infinite
LARGEST = 1e15  # solvers refuse coefficients of rows from here on


@dataclass(frozen=True, eq=False)
class RowBlock:
    """Rows ``lower <= matrix @ x <= upper`` that belong together.

    Attributes
    ----------
    matrix : csr_array, shape (rows, columns)
    lower, upper : float arrays, shape (rows,)
        Either may be infinite.
    names : tuple of str
        One name a row; empty where whoever adds the rows is to name them.
    """

    matrix: sp.csr_array
    lower: FloatArray
    upper: FloatArray
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    def violation(self, x: FloatArray) -> FloatArray:
        """By how much ``x`` breaks each row: 0 where it holds; shape (rows,)."""
        activity = self.matrix @ x
        below, above = self.lower - activity, activity - self.upper
        return np.asarray(np.maximum(np.maximum(below, above), 0.0), dtype=np.float64)

    def stacked(self, block: RowBlock) -> RowBlock:
        """These rows, and those of another block after them."""
        return RowBlock(
            sp.csr_array(sp.vstack([self.matrix, block.matrix], format="csr")),
            np.concatenate([self.lower, block.lower]),
            np.concatenate([self.upper, block.upper]),
            self.names + block.names,
        )

    def select(self, rows: npt.NDArray[np.generic]) -> RowBlock:
        """The rows with these numbers (or under this mask), in this order."""
        numbers = np.arange(len(self))[rows]
        names = tuple(map(self.names.__getitem__, numbers.tolist())) if self.names else ()
        return RowBlock(self.matrix[numbers], self.lower[numbers], self.upper[numbers], names)


@dataclass(frozen=True, eq=False, repr=False)
class LinearProgram:
    """A linear or mixed-integer program; see the module's first lines for what it means.

    Attributes
    ----------
    name : str
    sense : "min" or "max"
    costs, column_lower, column_upper : float arrays, shape (columns,)
    integer : bool array, shape (columns,)
    matrix : csr_array, shape (rows, columns)
    row_lower, row_upper : float arrays, shape (rows,)
    column_names, row_names : tuples of str
    offset : float
        The constant of the objective.
    build_seconds : float
        Wall-clock time its builder took.
    """

    name: str
    sense: Sense
    costs: FloatArray
    column_lower: FloatArray
    column_upper: FloatArray
    integer: BoolArray
    matrix: sp.csr_array
    row_lower: FloatArray
    row_upper: FloatArray
    column_names: tuple[str, ...]
    row_names: tuple[str, ...]
    offset: float = 0.0
    build_seconds: float = field(default=0.0, compare=False)

    def __post_init__(self) -> None:
        rows, columns = self.matrix.shape
        sizes = dict.fromkeys(("costs", "column_lower", "column_upper", "integer"), columns)
        sizes |= {"column_names": columns, "row_names": rows, "row_lower": rows, "row_upper": rows}
        for what, size in sizes.items():
            if (entries := len(getattr(self, what))) != size:
                raise InputError(
                    f"program {self.name!r}: {what} has {entries} entries, expected {size}"
                )
        if self.sense not in ("min", "max"):
            raise InputError(f"sense is {self.sense!r}, expected 'min' or 'max'")
        for what, names in (("column", self.column_names), ("row", self.row_names)):
            if len(set(names)) < len(names):
                twice = next(name for name, count in Counter(names).items() if count > 1)
                raise InputError(f"program {self.name!r}: two {what}s have the name {twice[:60]!r}")
        _check_finite(self)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return int(self.matrix.shape[0]), int(self.matrix.shape[1])

    @property
    def linear(self) -> LinearProgram:
        """The program itself: what a quadratic one is without its quadratic terms."""
        return self

    @property
    def is_integer(self) -> bool:
        """Whether any column must be whole."""
        return bool(self.integer.any())

    @property
    def kind(self) -> Literal["LP", "MIP"]:
        """What a solver must be able to solve."""
        return "MIP" if self.is_integer else "LP"

    @property
    def row_block(self) -> RowBlock:
        """All rows as one block."""
        return RowBlock(self.matrix, self.row_lower, self.row_upper, self.row_names)

    @checked_types
    def objective(self, x: FloatArray) -> float:
        """The objective at ``x``, shape (columns,)."""
        if np.shape(x) != self.costs.shape:
            raise InputError(f"x has shape {np.shape(x)}, expected {self.costs.shape}, a column")
        return float(self.costs @ x) + self.offset

    @checked_types
    def with_rows(self, block: RowBlock) -> LinearProgram:
        """The same program with the rows of ``block`` appended."""
        return self._of_rows(self.row_block.stacked(block))

    @checked_types
    def with_row(
        self,
        coefficients: Mapping[str, float],
        *,
        lower: float = -math.inf,
        upper: float = math.inf,
        name: str = "",
    ) -> LinearProgram:
        """The same program with one more row, by the names of its columns.

        Parameters
        ----------
        coefficients : mapping of column names to finite numbers
        lower, upper : float
            ``lower <= sum of coefficients times columns <= upper``.
        name : str
            Of the row; ``row_`` and its number by default. No other row has it.

        Raises
        ------
        UnknownName
            For a column that the program does not have.
        InputError
            For bounds that no point can meet, and a name that is taken.

        Examples
        --------
        >>> import cpe_opt as cpe
        >>> program = cpe.copeland_bound_program(cpe.load_instance("gap"), method="compact")
        >>> more = program.with_row({"x_0_3": 1.0}, lower=0.9, name="enough_of_0_3")
        >>> more.row_names[-1], more.shape[0] - program.shape[0]
        ('enough_of_0_3', 1)
        """
        name = name or f"row_{self.shape[0]}"
        at = {column: place for place, column in enumerate(self.column_names)}
        matrix = sp.lil_array((1, self.shape[1]))
        for column, coefficient in coefficients.items():
            if column not in at:
                raise UnknownName("column", column, self.column_names)
            matrix[0, at[column]] = checked(f"the coefficient of {column}", coefficient, Finite)
        row = RowBlock(sp.csr_array(matrix), np.array([lower]), np.array([upper]), (name,))
        return self.with_rows(row)

    def keeping_rows(self, keep: BoolArray) -> LinearProgram:
        """The same program with only the rows under the mask ``keep``."""
        return self._of_rows(self.row_block.select(keep))

    def _of_rows(self, block: RowBlock) -> LinearProgram:
        return replace(
            self,
            matrix=block.matrix,
            row_lower=block.lower,
            row_upper=block.upper,
            row_names=block.names,
        )

    def keeping_columns(self, keep: BoolArray) -> LinearProgram:
        """The same program with only the columns under the mask ``keep``."""
        return replace(
            self,
            costs=self.costs[keep],
            column_lower=self.column_lower[keep],
            column_upper=self.column_upper[keep],
            integer=self.integer[keep],
            matrix=sp.csr_array(self.matrix[:, np.flatnonzero(keep)]),
            column_names=tuple(np.array(self.column_names, dtype=object)[keep]),
        )

    def with_costs(self, columns: npt.NDArray[np.integer], costs: FloatArray) -> LinearProgram:
        """The same program with new objective coefficients for some columns."""
        changed = self.costs.copy()
        changed[columns] = costs
        return replace(self, costs=changed)

    def with_upper(self, columns: npt.NDArray[np.integer], upper: FloatArray) -> LinearProgram:
        """The same program with new upper bounds for some columns."""
        changed = self.column_upper.copy()
        changed[columns] = upper
        return replace(self, column_upper=changed)

    def __repr__(self) -> str:
        rows, columns = self.shape
        whole = int(self.integer.sum())
        return (
            f"LinearProgram({self.name!r}, {columns} column{'s' * (columns != 1)}"
            f"{f' ({whole} whole)' if whole else ''}, {rows} row{'s' * (rows != 1)}, {self.sense})"
        )


def _check_finite(program: LinearProgram) -> None:
    for what, array in (("costs", program.costs), ("matrix", program.matrix.data)):
        if not np.isfinite(array).all():
            raise InputError(f"program {program.name!r}: {what} must be finite numbers")
    for what, lower, upper, names in (
        ("column", program.column_lower, program.column_upper, program.column_names),
        ("row", program.row_lower, program.row_upper, program.row_names),
    ):
        far = np.isfinite(lower) & (np.abs(lower) >= ENDLESS)
        far |= np.isfinite(upper) & (np.abs(upper) >= ENDLESS)
        wrong = ~(lower <= upper) | (lower == math.inf) | (upper == -math.inf) | far
        if wrong.any():
            first = int(wrong.argmax())
            raise InputError(
                f"program {program.name!r}: {what} {names[first]!r} has the bounds "
                f"[{lower[first]}, {upper[first]}], expected lower <= upper, each infinite or of "
                f"a size below {ENDLESS:g}"
            )


# Programs with more rows than can be listed.


Separator: TypeAlias = Callable[[FloatArray, float], RowBlock]


@dataclass(frozen=True, eq=False, repr=False)
class LazyProgram:
    """A linear program of which only some rows are listed.

    Attributes
    ----------
    relaxation : LinearProgram
        All columns, and the rows listed from the start (there may be none).
    separate : callable
        ``separate(x, tolerance)`` returns a :class:`RowBlock` of rows, not listed in the
        relaxation, that ``x`` violates by more than ``tolerance``: at least one where there are
        any, and none else.
    """

    relaxation: LinearProgram
    separate: Separator

    @property
    def name(self) -> str:
        """The relaxation's name."""
        return self.relaxation.name

    @property
    def kind(self) -> str:
        """What a solver must be able to solve."""
        return self.relaxation.kind

    def __repr__(self) -> str:
        rows, columns = self.relaxation.shape
        return (
            f"LazyProgram({self.name!r}, {columns} column{'s' * (columns != 1)}, "
            f"{rows} row{'s' * (rows != 1)} listed and more found by separation, "
            f"{self.relaxation.sense})"
        )


@checked_types
@dataclass(frozen=True)
class CutOptions:
    """How the cutting-plane loop behaves.

    Attributes
    ----------
    tolerance : float
        A row violated by at most this is satisfied; keep it above the solver's own tolerance.
    max_cuts : int or None
        At most this many rows a round, the most violated first.
    purge_after : int or None
        Remove an added row after this many consecutive solves in which its dual was zero (None:
        never); only where a solve begins or the bound has improved, so that the loop ends.
    max_rounds : int
    """

    tolerance: NonNegative = 1e-8
    max_cuts: PositiveInt | None = None
    purge_after: PositiveInt | None = 10
    max_rounds: PositiveInt = 10_000
