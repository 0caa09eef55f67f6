"""Linear, quadratic and mixed-integer programs from named blocks of columns and rows.

A knapsack::

    builder = ProgramBuilder("knapsack", sense="max")
    take = builder.columns("take", 3, cost=[60, 100, 120], upper=1, integer=True)
    builder.row("weight", take, [10, 20, 30], upper=50)
    program = builder.build()

Rows of sums, here ``load_j = sum_i weight_i take_i_j <= 50 open_j`` of knapsacks j::

    builder.sums("load", 3, ([[10, 20, 30]] * 3, take), (-50, open), upper=0)

With quadratic terms in its objective (:meth:`ProgramBuilder.quadratic`) it is a
:class:`~cpe_opt.modelling.quadratic.QuadraticProgram`.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.modelling.program import LinearProgram, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.validation import Finite, Numbers, checked_types

BlockKeys = int | Sequence[object] | npt.NDArray[np.generic]

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,149}\Z")
# Names that begin like these are numbers to some readers of LP files.
NUMBER = r"(?i:inf|nan|e[0-9])"
_PLAIN_NAME = re.compile(rf"(?!{NUMBER}){_WORD.pattern}")
LONGEST_NAME = 150  # cbc takes 159, glpsol 255
KEYWORDS = frozenset(
    """bin binaries binary bound bounds columns end endata free gen general generals inf infinity
    int integer integers marker max maximise maximize maximum min minimise minimize minimum name
    negated_objective obj objsense ranges rhs rows sec semi semis sin sos sos1 sos2 st subject such
    that to""".split()  # noqa: SIM905
)

_NOTHING = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))


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
    def __init__(self, name: str, *, sense: Sense = "min", offset: Finite = 0.0) -> None:
        check_program_name(name)
        self._name, self._sense = name, sense
        self._offset = float(offset)
        self._started = time.perf_counter()
        self._column_names: list[str] = []
        self._row_names: list[str] = []
        self._columns: list[tuple[FloatArray, FloatArray, FloatArray, BoolArray]] = []
        self._entries: list[tuple[IntArray, IntArray, FloatArray]] = []
        self._bounds: list[tuple[FloatArray, FloatArray]] = []
        self._products: list[tuple[IntArray, IntArray, FloatArray]] = []

    @checked_types
    def columns(
        self,
        block: str,
        keys: BlockKeys,
        *,
        cost: Numbers = 0.0,
        lower: Numbers = 0.0,
        upper: Numbers = math.inf,
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
        keys: BlockKeys,
        row: Numbers,
        column: Numbers,
        value: Numbers = 1.0,
        *,
        lower: Numbers = -math.inf,
        upper: Numbers = math.inf,
    ) -> IntArray:
        """Add rows ``block_key`` from entries (row within the block, column, value).

        Entries of the same row and column are added up. Returns the numbers of the rows.
        """
        names, what = block_names(block, keys), f"rows {block!r}"
        rows = _numbers(f"{what}: row", row, len(names))
        columns = _numbers(f"{what}: column", column, len(self._column_names))
        if rows.size != columns.size:
            raise InputError(f"{what}: {rows.size} row numbers, {columns.size} columns")
        values = _spread(value, rows.size, f"values of {block!r}")
        first, count = len(self._row_names), len(names)
        sides = (
            _spread(lower, count, f"lower side of {block!r}"),
            _spread(upper, count, f"upper side of {block!r}"),
        )
        self._row_names += names
        self._entries.append((rows + first, columns, values))
        self._bounds.append(sides)
        return np.arange(first, first + count)

    @checked_types
    def sums(
        self,
        block: str,
        keys: BlockKeys,
        *terms: tuple[Any, Any],
        lower: Numbers = -math.inf,
        upper: Numbers = math.inf,
    ) -> IntArray:
        """Add rows ``block_key``, each a sum of terms; returns their numbers.

        A term is a pair of coefficients and columns. For ``count`` rows it is one of

        - columns of shape (count,), one of each row, or a single one of all rows, with a number or
          ``count`` numbers as coefficients;
        - columns of shape (n,) with a matrix of coefficients, shape (count, n): the product of the
          two, of which zeros are no entries;
        - a list of ``count`` arrays, the columns of each row, with a number or a list of as many
          arrays as coefficients.

        Examples
        --------
        >>> builder = ProgramBuilder("assignment")
        >>> x = builder.columns("x", [(i, j) for i in range(2) for j in range(2)])
        >>> spare = builder.columns("spare", 2)
        >>> builder.sums("row", 2, (1.0, [x[:2], x[2:]]), (1.0, spare), lower=1.0, upper=1.0)
        array([0, 1])
        >>> builder.sums("column", 2, ([[1, 0, 1, 0], [0, 1, 0, 1]], x), upper=1.0)
        array([2, 3])
        >>> builder.build().matrix.toarray().astype(int)
        array([[1, 1, 0, 0, 1, 0],
               [0, 0, 1, 1, 0, 1],
               [1, 0, 1, 0, 0, 0],
               [0, 1, 0, 1, 0, 0]])
        """
        count = len(block_names(block, keys))
        parts = [_term(f"rows {block!r}", count, term) for term in terms] or [_NOTHING]
        row, column, value = (np.concatenate(part) for part in zip(*parts, strict=True))
        return self.rows(block, keys, row, column, value, lower=lower, upper=upper)

    @checked_types
    def row(
        self,
        name: str,
        column: Numbers,
        value: Numbers = 1.0,
        *,
        lower: float = -math.inf,
        upper: float = math.inf,
    ) -> int:
        """Add one row of this name; returns its number."""
        row = np.zeros(np.size(column))
        return int(self.rows(name, [()], row, column, value, lower=lower, upper=upper)[0])

    @checked_types
    def quadratic(self, first: Numbers, second: Numbers, value: Numbers = 1.0) -> None:
        """Add terms ``value * first * second`` to the objective, of columns by their numbers.

        There is no ½ in them: ``quadratic(x, x, 3)`` adds 3 x². ``value`` is a number or one for
        each pair; terms of the same two columns are added up.
        """
        columns = len(self._column_names)
        one = _numbers("quadratic: first", first, columns)
        other = _numbers("quadratic: second", second, columns)
        if one.size != other.size:
            raise InputError(f"quadratic: {one.size} first columns, {other.size} second ones")
        self._products.append((one, other, _spread(value, one.size, "values of quadratic")))

    def build(self) -> LinearProgram | Any:
        """The program: a ``LinearProgram``, or a ``QuadraticProgram`` if it has quadratic terms.

        Raises :class:`InputError` on illegal or repeated names, and where the quadratic terms make
        an objective that is not convex (of a maximisation, not concave).
        """
        linear = self._linear()
        if not self._products:
            return linear
        one, other, values = _joined(self._products, 3)
        half = self._matrix(linear.shape[1], one, other, values)
        program = QuadraticProgram(linear, sp.csr_array(half + half.T))
        seconds = time.perf_counter() - self._started
        return program.with_linear(replace(linear, build_seconds=seconds))

    def _linear(self) -> LinearProgram:
        check_names(self._column_names, "column")
        check_names(self._row_names, "row")
        costs, lower, upper, integer = _joined(self._columns, 4)
        row_lower, row_upper = _joined(self._bounds, 2)
        return LinearProgram(
            name=self._name,
            sense=self._sense,
            costs=costs,
            column_lower=lower,
            column_upper=upper,
            integer=integer.astype(np.bool_),
            matrix=self._matrix(len(self._row_names), *_joined(self._entries, 3)),
            row_lower=row_lower,
            row_upper=row_upper,
            column_names=tuple(self._column_names),
            row_names=tuple(self._row_names),
            offset=self._offset,
            build_seconds=time.perf_counter() - self._started,
        )

    def _matrix(
        self, count: int, rows: FloatArray, columns: FloatArray, values: FloatArray
    ) -> sp.csr_array:
        places = rows.astype(np.int32), columns.astype(np.int32)
        return sp.csr_array(sp.coo_array((values, places), (count, len(self._column_names))))


def _joined(blocks: Sequence[tuple[npt.NDArray[Any], ...]], parts: int) -> list[npt.NDArray[Any]]:
    """Each part of all blocks, one after another."""
    return [np.concatenate([np.zeros(0), *(block[k] for block in blocks)]) for k in range(parts)]


def _term(what: str, count: int, term: tuple[Any, Any]) -> tuple[IntArray, IntArray, FloatArray]:
    """Rows, columns and coefficients of a term of ``count`` rows."""
    if not isinstance(term, tuple) or len(term) != 2:
        raise InputError(f"{what}: term {str(term)[:60]}, expected coefficients and columns")
    coefficients, columns = term
    every = np.arange(count)
    if isinstance(columns, list):
        if len(columns) != count:
            raise InputError(f"{what}: {len(columns)} lists of columns, expected {count}")
        row = every.repeat([np.size(part) for part in columns])
        if isinstance(coefficients, list):
            coefficients = np.concatenate([np.zeros(0), *coefficients])
        column = np.concatenate([_NOTHING[1], *columns])
        return row, column, _spread(coefficients, len(row), f"{what}: coefficients")
    columns = np.asarray(columns).ravel()
    matrix = checked_array(f"{what}: coefficients", coefficients, booleans=True)
    if matrix.ndim == 2:
        expected = (count, len(columns))
        if matrix.shape != expected:
            raise InputError(f"{what}: coefficients of shape {matrix.shape}, expected {expected}")
        row, place = np.nonzero(matrix)
        return row, columns[place], _spread(matrix[row, place], len(row), f"{what}: coefficients")
    if len(columns) not in (1, count):
        raise InputError(f"{what}: {len(columns)} columns of a term, expected 1 or {count}")
    value = _spread(matrix, count, f"{what}: coefficients")
    return every, np.broadcast_to(columns, (count,)), value


def _numbers(what: str, numbers: npt.ArrayLike, end: int) -> IntArray:
    """Numbers of rows or columns, of which there are ``end``."""
    array = np.asarray(numbers).ravel()
    whole = array.dtype.kind in "iu" or (np.isfinite(array) & (array == np.rint(array))).all()
    if not whole or (array.size and not (array.min() >= 0 and array.max() < end)):
        raise InputError(
            f"{what} is {str(numbers)[:60]}, expected whole numbers from 0 to {end - 1}"
        )
    return np.asarray(array, dtype=np.int64)


def _spread(value: npt.ArrayLike, count: int, what: str) -> FloatArray:
    array = checked_array(what, value)
    if array.ndim and array.shape != (count,):
        raise InputError(f"{what}: {array.shape} numbers given, expected one or {count}")
    if np.isnan(array).any():
        raise InputError(f"{what}: number {np.isnan(array).argmax()} is nan, expected a number")
    return np.array(np.broadcast_to(array, (count,)))


# Names.


def block_names(block: str, keys: BlockKeys) -> list[str]:
    """The names ``block_key`` for every key of a block; ``block`` alone for the key ``()``."""
    if isinstance(keys, int | np.integer):
        return [f"{block}_{key}" for key in range(keys)]
    if isinstance(keys, np.ndarray) and keys.ndim == 2 and keys.shape[1]:
        parts = [map(str, part) for part in keys.T.tolist()]
        return [f"{block}_{key}" for key in map("_".join, zip(*parts, strict=True))]
    return [
        "_".join((block, *map(str, key))) if isinstance(key, list | tuple) else f"{block}_{key}"
        for key in (keys.tolist() if isinstance(keys, np.ndarray) else keys)
    ]


def check_program_name(name: str) -> None:
    """Refuse a name of a program that is no word of letters, digits and underscores."""
    if not isinstance(name, str) or not _WORD.match(name):
        raise InputError(
            f"a program has the name {str(name)[:60]!r}: expected up to {LONGEST_NAME} letters, "
            "digits and underscores, not starting with a digit"
        )


def check_names(names: Sequence[str], what: str) -> None:
    """Refuse names of columns or rows that some reader of model files cannot read."""
    if all_plain(names):
        return
    for number, name in enumerate(names):
        if not all_plain([name]):
            raise InputError(
                f"{what} {number} has the name {name[:60]!r}: expected letters, digits and "
                f"underscores, at most {LONGEST_NAME}, that begin like no number (2, inf, nan, "
                "e12) and are no keyword of model files"
            )


def all_plain(names: Sequence[str]) -> bool:
    """Whether every file can hold all of these names."""
    return all(map(_PLAIN_NAME.match, names)) and KEYWORDS.isdisjoint(map(str.lower, names))
