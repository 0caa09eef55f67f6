"""Prices of duels: what asking once about a pair costs, in any unit.

A file of prices is one of two, told apart by :mod:`cpe_opt.problems.formats`:

- a square matrix, in any of the layouts of :mod:`cpe_opt.formats.matrices`. Its
  labels, where it has some, are matched by name to the arms, in any order;
- a list with the columns ``first``, ``second``, ``price``: one line per pair, in either
  order.

A pair has one price; the diagonal of a matrix is not read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, listed
from cpe_opt.formats.matrices import MatrixKind, read_square
from cpe_opt.problems.dueling.checks import checked_labels, entry_place, labels_of
from cpe_opt.problems.formats import COLUMNS, Format, duel_prices_format
from cpe_opt.problems.pairs import TOLERANCE
from cpe_opt.problems.prices import Prices, price_array
from cpe_opt.problems.tables import read_table

_KIND = MatrixKind(
    "matrix of prices",
    "A file of prices is a square matrix of them, or a list with the columns first, second, price",
)


class Labelled(Protocol):
    """What has arms with labels: a preference matrix, say."""

    @property
    def labels(self) -> Sequence[str]:
        """A name for each arm."""


def checked_prices(prices: Prices, preferences: Labelled) -> FloatArray:
    """The price of a duel of each pair, shape (K, K), symmetric, with a diagonal of 0.

    Parameters
    ----------
    prices : array_like, path or None
        One price for all pairs, an array of shape (K, K), a data frame whose labels are matched by
        name, or the path of a file; by default each is 1, so that a sum of prices is a number of
        duels.
    preferences : PreferenceMatrix
        Or anything that has ``labels`` of arms.

    Raises
    ------
    InputError
        Where a price is missing, not positive, not finite, or is another one for the pair in the
        other order, and where a label is that of no arm: with its place.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]])
    >>> checked_prices(2.5, mu).tolist()
    [[0.0, 2.5], [2.5, 0.0]]
    """
    labels = preferences.labels
    shape = (len(labels), len(labels))
    where, matrix = price_array(prices, shape, "pair of arms", lambda path: _read(path, labels))
    names = None if isinstance(prices, str | os.PathLike) else labels_of(prices, where)
    if names is not None:
        matrix = _by_name(where, matrix, names, labels)
    _check(where, matrix, labels)
    upper = np.triu(matrix, 1)
    return np.asarray(upper + upper.T)


def _read(path: str | os.PathLike[str], labels: Sequence[str]) -> FloatArray:
    """The matrix of a file, in the order of the arms."""
    if duel_prices_format(path, labels) is Format.PAIR_PRICES:
        return _read_list(path, labels)
    table = read_square(path, kind=_KIND)
    if table.labels:
        return _by_name(table.source, table.array, table.labels, labels)
    return table.array


def _read_list(path: str | os.PathLike[str], labels: Sequence[str]) -> FloatArray:
    """The matrix of a list of pairs."""
    columns = COLUMNS[Format.PAIR_PRICES]
    table = read_table(path, columns)
    first, second = (
        _numbers(table.labels(column), labels, table.place, column) for column in columns[:2]
    )
    prices = table.numbers("price")
    matrix = np.full((len(labels), len(labels)), np.nan)
    line: dict[tuple[int, int], int] = {}
    for row, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        if i == j:
            raise InputError(f"{table.place(row)}: a pair of {labels[i]!r} and itself")
        before = line.setdefault((min(i, j), max(i, j)), row)
        if before < row:
            raise InputError(
                f"{table.place(row)}: the pair {labels[i]} – {labels[j]} stands there twice, first "
                f"in {table.place(before).rpartition(', ')[2]}"
            )
        if not prices[row] > 0:
            raise InputError(
                f"{table.place(row)}: price is {prices[row]:g}, expected a number above 0"
            )
        matrix[i, j] = matrix[j, i] = prices[row]
    absent = np.argwhere(np.triu(np.isnan(matrix), 1)).tolist()
    if absent:
        i, j = absent[0]
        others = len(absent) - 1
        more = f", nor of {others:,} other pair{'s' * (others > 1)}" if others else ""
        raise InputError(
            f"{table.source}: no price of the pair {labels[i]} – {labels[j]}{more}; expected a "
            "line for every pair"
        )
    return matrix


def _numbers(
    coded: tuple[IntArray, list[str]],
    labels: Sequence[str],
    place: Callable[[int], str],
    column: str,
) -> IntArray:
    """The arms that a column names, row by row."""
    codes, names = coded
    number = {label: arm for arm, label in enumerate(labels)}
    for code, name in enumerate(names):
        if name not in number:
            row = int(np.argmax(codes == code))
            raise InputError(f"{place(row)}: {column} is {name!r}, {_known(labels)}")
    return np.array([number[name] for name in names], dtype=np.int64)[codes]


def _known(labels: Sequence[str]) -> str:
    return f"which is no arm; the arms are {listed(labels, 'arms')}"


def _by_name(
    where: str, matrix: FloatArray, names: Sequence[str], labels: Sequence[str]
) -> FloatArray:
    """The matrix with rows and columns in the order of the arms."""
    names = checked_labels(names, len(matrix))
    known = set(labels)
    for place, name in enumerate(names):
        if name not in known:
            raise InputError(f"{where}: row {place + 1} is of {name!r}, {_known(labels)}")
    absent = [label for label in labels if label not in names]
    if absent:
        raise InputError(f"{where}: no row for {listed(absent, 'arms')}, expected every arm")
    order = [names.index(label) for label in labels]
    return matrix[np.ix_(order, order)]


def _check(where: str, matrix: FloatArray, labels: Sequence[str]) -> None:
    """Raise :class:`InputError` at the first price that is none."""
    pairs = ~np.eye(len(matrix), dtype=np.bool_)
    largest = np.maximum(np.abs(matrix), np.abs(matrix.T))
    with np.errstate(invalid="ignore"):
        differs = np.abs(matrix - matrix.T) > TOLERANCE * largest
    for wrong in (~((matrix > 0) & np.isfinite(matrix)), differs):
        for i, j in np.argwhere(pairs & wrong)[:1].tolist():
            found, mirror = matrix[i, j], matrix[j, i]
            place = f"{where}, {entry_place(i, j, labels)}"
            if found > 0 and mirror > 0 and np.isfinite(found + mirror):
                raise InputError(
                    f"{place}: the price is {found:g}, and {mirror:g} in the other order; a pair "
                    "has one price"
                )
            raise InputError(f"{place}: the price is {found:g}, expected a number above 0")
