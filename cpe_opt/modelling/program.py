"""Linear and mixed-integer programs as values.

A :class:`LinearProgram` is

    minimise (or maximise)  offset + costs' x
    subject to              row_lower <= A x <= row_upper
                            column_lower <= x <= column_upper
                            x_j integer where integer[j],

with a sparse matrix ``A`` and a readable, unique name for every row and column. It is frozen:
builders are pure functions from problem data to a program, and nothing solves one by side effect.

A :class:`ProgramBuilder` assembles one from named blocks::

    builder = ProgramBuilder("knapsack", sense="max")
    take = builder.columns("take", 3, cost=[60, 100, 120], upper=1, integer=True)
    builder.row("weight", take, [10, 20, 30], upper=50)
    program = builder.build()
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.validation import checked_types

Sense = Literal["min", "max"]
BoolArray = npt.NDArray[np.bool_]
Values = float | Sequence[float] | npt.NDArray[np.generic]
Keys = int | Sequence[object] | npt.NDArray[np.generic]

_LEGAL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_LOOKS_LIKE_NUMBER = re.compile(r"inf|nan", re.IGNORECASE)
_LOOKS_LIKE_EXPONENT = re.compile(r"[eE][0-9]+\Z")
LONGEST_NAME = 150  # cbc takes 159, glpsol 255
_KEYWORDS = frozenset(
    """bin binaries binary bound bounds columns end endata free gen general generals inf infinity
    int integer integers marker max maximise maximize maximum min minimise minimize minimum name
    negated_objective obj objsense ranges rhs rows sec semi semis sin sos sos1 sos2 st subject such
    that to""".split()  # noqa: SIM905
)


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

    def select(self, rows: npt.NDArray[np.generic]) -> RowBlock:
        """The rows with these numbers (or under this mask), in this order."""
        numbers = np.arange(len(self))[rows]
        names = tuple(self.names[row] for row in numbers) if self.names else ()
        return RowBlock(self.matrix[numbers], self.lower[numbers], self.upper[numbers], names)


@dataclass(frozen=True, eq=False)
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
        for what, array, size in (
            ("costs", self.costs, columns),
            ("column_lower", self.column_lower, columns),
            ("column_upper", self.column_upper, columns),
            ("integer", self.integer, columns),
            ("column_names", self.column_names, columns),
            ("row_lower", self.row_lower, rows),
            ("row_upper", self.row_upper, rows),
            ("row_names", self.row_names, rows),
        ):
            if len(array) != size:
                raise InputError(
                    f"program {self.name!r}: {what} has {len(array)} entries, expected {size}"
                )
        checked_sense(self.sense)
        _check_finite(self)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return int(self.matrix.shape[0]), int(self.matrix.shape[1])

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

    def with_rows(self, block: RowBlock) -> LinearProgram:
        """The same program with the rows of ``block`` appended."""
        return replace(
            self,
            matrix=sp.csr_array(sp.vstack([self.matrix, block.matrix], format="csr")),
            row_lower=np.concatenate([self.row_lower, block.lower]),
            row_upper=np.concatenate([self.row_upper, block.upper]),
            row_names=self.row_names + block.names,
        )

    def keeping_rows(self, keep: BoolArray) -> LinearProgram:
        """The same program with only the rows under the mask ``keep``."""
        block = self.row_block.select(keep)
        return replace(
            self,
            matrix=block.matrix,
            row_lower=block.lower,
            row_upper=block.upper,
            row_names=block.names,
        )

    def with_costs(self, columns: npt.NDArray[np.integer], costs: FloatArray) -> LinearProgram:
        """The same program with new objective coefficients for some columns."""
        changed = self.costs.copy()
        changed[columns] = costs
        return replace(self, costs=changed)


class ProgramBuilder:
    """Assembles a :class:`LinearProgram` from named blocks of columns and rows.

    Parameters
    ----------
    name : str
        Letters, digits and underscores, not starting with a digit.
    sense : "min" or "max"
    offset : float
        The constant of the objective.
    """

    @checked_types
    def __init__(self, name: str, *, sense: Sense = "min", offset: float = 0.0) -> None:
        if not _LEGAL_NAME.match(name) or len(name) > LONGEST_NAME:
            raise InputError(
                f"a program has the name {name[:60]!r}: expected up to {LONGEST_NAME} letters, "
                "digits and underscores, not starting with a digit"
            )
        checked_sense(sense)
        self._name, self._sense, self._offset = name, sense, offset
        self._started = time.perf_counter()
        self._column_names: list[str] = []
        self._row_names: list[str] = []
        self._columns: list[tuple[FloatArray, FloatArray, FloatArray, BoolArray]] = []
        self._entries: list[tuple[IntArray, IntArray, FloatArray]] = []
        self._bounds: list[tuple[FloatArray, FloatArray]] = []

    @checked_types
    def columns(
        self,
        block: str,
        keys: Keys,
        *,
        cost: Values = 0.0,
        lower: Values = 0.0,
        upper: Values = math.inf,
        integer: bool = False,
    ) -> IntArray:
        """Add columns ``block_key``; returns their numbers.

        ``keys`` is a count (keys 0, 1, …), a sequence of keys, or an array of shape (count, d) of
        whole numbers, of which row ``(3, 7)`` gives the name ``block_3_7``. ``cost``, ``lower``
        and ``upper`` are numbers or sequences of ``count`` numbers.
        """
        names = block_names(block, keys)
        first, count = len(self._column_names), len(names)
        parts = (
            _spread(cost, count, f"cost of {block!r}"),
            _spread(lower, count, f"lower bound of {block!r}"),
            _spread(upper, count, f"upper bound of {block!r}"),
            np.full(count, integer),
        )
        self._column_names += names
        self._columns.append(parts)
        return np.arange(first, first + count)

    @checked_types
    def rows(
        self,
        block: str,
        keys: Keys,
        row: npt.ArrayLike,
        column: npt.ArrayLike,
        value: npt.ArrayLike = 1.0,
        *,
        lower: Values = -math.inf,
        upper: Values = math.inf,
    ) -> IntArray:
        """Add rows ``block_key`` from entries (row within the block, column, value).

        Entries of the same row and column are added up. Returns the numbers of the rows.
        """
        names = block_names(block, keys)
        first, count = len(self._row_names), len(names)
        rows = _whole(row, f"rows {block!r}: row")
        columns = _whole(column, f"rows {block!r}: column")
        if rows.size != columns.size:
            raise InputError(f"rows {block!r}: {rows.size} row numbers, {columns.size} columns")
        values = _spread(value, rows.size, f"values of {block!r}")
        if rows.size and not (rows.min() >= 0 and rows.max() < count):
            raise InputError(f"rows {block!r}: a row number lies outside 0 … {count - 1}")
        sides = (
            _spread(lower, count, f"lower side of {block!r}"),
            _spread(upper, count, f"upper side of {block!r}"),
        )
        self._row_names += names
        self._entries.append((rows + first, columns, values))
        self._bounds.append(sides)
        return np.arange(first, first + count)

    @checked_types
    def row(
        self,
        name: str,
        column: npt.ArrayLike,
        value: npt.ArrayLike = 1.0,
        *,
        lower: float = -math.inf,
        upper: float = math.inf,
    ) -> int:
        """Add one row of this name; returns its number."""
        columns = _whole(column, f"row {name!r}: column")
        numbers = self.rows(
            name, [()], np.zeros_like(columns), columns, value, lower=lower, upper=upper
        )
        return int(numbers[0])

    def build(self) -> LinearProgram:
        """The program; raises :class:`InputError` on illegal or repeated names."""
        check_names(self._column_names, "column")
        check_names(self._row_names, "row")
        shape = (len(self._row_names), len(self._column_names))
        rows, columns, values = (
            np.concatenate([entry[part] for entry in self._entries] or [np.zeros(0)])
            for part in range(3)
        )
        if columns.size and not (columns.min() >= 0 and columns.max() < shape[1]):
            raise InputError(f"program {self._name!r}: an entry names a column that does not exist")
        matrix = sp.csr_array(
            sp.coo_array((values, (rows.astype(np.int32), columns.astype(np.int32))), shape=shape)
        )
        cost, lower, upper, integer = (
            np.concatenate([block[part] for block in self._columns] or [np.zeros(0)])
            for part in range(4)
        )
        sides = [
            np.concatenate([b[side] for b in self._bounds] or [np.zeros(0)]) for side in (0, 1)
        ]
        return LinearProgram(
            name=self._name,
            sense=self._sense,
            costs=cost,
            column_lower=lower,
            column_upper=upper,
            integer=integer.astype(np.bool_),
            matrix=matrix,
            row_lower=sides[0],
            row_upper=sides[1],
            column_names=tuple(self._column_names),
            row_names=tuple(self._row_names),
            offset=self._offset,
            build_seconds=time.perf_counter() - self._started,
        )


def _whole(numbers: npt.ArrayLike, what: str) -> IntArray:
    """Numbers of rows or columns."""
    array = np.asarray(numbers)
    if array.dtype.kind not in "iu" and not (np.isfinite(array) & (array == np.rint(array))).all():
        raise InputError(f"{what} is {str(numbers)[:60]}, expected whole numbers")
    return np.asarray(array, dtype=np.int64).ravel()


def checked_sense(sense: Sense) -> Sense:
    """The sense, or :class:`InputError` unless it is "min" or "max"."""
    if not isinstance(sense, str) or sense not in ("min", "max"):
        raise InputError(f"sense is {sense!r}, expected 'min' or 'max'")
    return sense


def block_names(block: str, keys: Keys) -> list[str]:
    """The names ``block_key`` for every key of a block; ``block`` alone for the key ``()``."""
    if isinstance(keys, int | np.integer):
        return [f"{block}_{key}" for key in range(keys)]
    listed: Sequence[object] = keys.tolist() if isinstance(keys, np.ndarray) else keys
    return [
        "_".join((block, *map(str, key))) if isinstance(key, list | tuple) else f"{block}_{key}"
        for key in listed
    ]


def check_names(names: Iterable[str], what: str) -> None:
    """Refuse names that some LP dialect cannot read.

    A legal name matches ``[A-Za-z_][A-Za-z0-9_]*``, has at most 150 characters, is no keyword of
    model files, begins like no number (``e12``, ``inf_0``, ``nan_1``), and is unique.

    Raises
    ------
    InputError
        Naming the first offender and the reason.
    """
    seen: set[str] = set()
    for number, name in enumerate(names):
        if not _LEGAL_NAME.match(name):
            reason = "expected letters, digits and underscores, not starting with a digit"
        elif len(name) > LONGEST_NAME:
            reason = f"it has {len(name)} characters, at most {LONGEST_NAME} are allowed"
        elif name.lower() in _KEYWORDS:
            reason = "it is a keyword of model files"
        elif _LOOKS_LIKE_EXPONENT.match(name):
            reason = "an LP reader may take it for an exponent"
        elif _LOOKS_LIKE_NUMBER.match(name):
            reason = f"an LP reader takes its first letters, {name[:3]!r}, for a number"
        elif name in seen:
            reason = "it is used twice"
        else:
            seen.add(name)
            continue
        raise InputError(f"{what} {number} has the name {name[:60]!r}: {reason}")


def _spread(value: npt.ArrayLike, count: int, what: str) -> FloatArray:
    array = checked_array(what, value)
    if array.ndim and array.shape != (count,):
        raise InputError(f"{what}: {array.shape} numbers given, expected one or {count}")
    return np.array(np.broadcast_to(array, (count,)))


def _check_finite(program: LinearProgram) -> None:
    for what, array in (("costs", program.costs), ("matrix", program.matrix.data)):
        if not np.isfinite(array).all():
            raise InputError(f"program {program.name!r}: {what} must be finite numbers")
    for what, lower, upper, names in (
        ("column", program.column_lower, program.column_upper, program.column_names),
        ("row", program.row_lower, program.row_upper, program.row_names),
    ):
        wrong = np.flatnonzero(~(lower <= upper) | (lower == math.inf) | (upper == -math.inf))
        if wrong.size:
            first = int(wrong[0])
            raise InputError(
                f"program {program.name!r}: {what} {names[first]!r} has the bounds "
                f"[{lower[first]}, {upper[first]}], expected lower <= upper"
            )
