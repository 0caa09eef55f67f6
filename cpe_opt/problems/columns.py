"""Columns of text: each as codes into its distinct values, in order of first appearance."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.rows import parse_number
from cpe_opt.problems.text import shortened

MISSING = frozenset({"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "None", "NULL", "null"})
_LARGEST_COUNT = 2.0**53


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of text, each as codes into its distinct values.

    Attributes
    ----------
    source : str
        The file's name, for messages.
    columns : tuple of str
        The header: in lower case where names were asked for, else as it is written.
    rows : int
    coded : mapping from column to (codes, values)
        ``values[codes[row]]`` is the stripped text of a cell.
    place : function of a row
        Where it stands, for messages: ``duels.csv, line 7``.
    decimal_commas : bool
        Whether a comma in a number is a decimal comma.
    comments : bool
        Whether lines that start with ``#`` were left out.
    counted : mapping from column to (int, int)
        Of columns that were not read but counted: how many different values they have, and how
        many rows have one.
    """

    source: str
    columns: tuple[str, ...]
    rows: int
    coded: Mapping[str, tuple[IntArray, list[str]]]
    place: Callable[[int], str]
    decimal_commas: bool = False
    comments: bool = True
    counted: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def __contains__(self, column: str) -> bool:
        return column in self.coded

    def texts(self, column: str) -> list[str]:
        """The cells of a column, row by row."""
        codes, values = self.coded[column]
        return [values[code] for code in codes.tolist()]

    def names(self, column: str) -> list[str]:
        """The same of a column that names things in every row, or :class:`InputError`."""
        self.labels(column)
        return self.texts(column)

    def distinct(self, column: str) -> list[str]:
        """The same of a column in which no name stands twice."""
        names = self.names(column)
        first: dict[str, int] = {}
        for row, name in enumerate(names):
            if first.setdefault(name, row) < row:
                what = f"{column} {name!r}" if column else repr(name)
                raise InputError(f"{self.place(row)}: {what} stands there twice")
        return names

    def labels(self, column: str) -> tuple[IntArray, list[str]]:
        """Codes and their names, of which none may be missing."""
        codes, values = self.coded[column]
        for code, value in enumerate(values):
            if value in MISSING:
                what = f"is {value!r}, which stands for a missing value" if value else "is empty"
                cell = f"the cell of {column!r}" if column else "the first cell"
                raise InputError(f"{self._first(codes, code)}: {cell} {what}")
            if "\n" in value:
                raise InputError(
                    f"{self._first(codes, code)}: {column} is {shortened(value)!r}, with a line "
                    "break; is a quote not closed?"
                )
            if self.comments and re.search(r"\s#", value):
                raise InputError(
                    f"{self._first(codes, code)}: {column} is {value!r}; comments stand on lines "
                    "of their own, and no label has a blank before #"
                )
        return codes, values

    def numbers(
        self, column: str, *, empty: float | None = None, whole: bool = False
    ) -> FloatArray:
        """A column of finite numbers, with ``empty`` for empty cells where that is given.

        ``whole`` asks for counts: whole numbers, 0 or more.
        """
        codes, values = self.coded[column]
        expected = "a whole number, 0 or more" if whole else "a number"
        commas = [code for code, value in enumerate(values) if "," in value]
        points = [code for code, value in enumerate(values) if "." in value]
        if self.decimal_commas and commas and points:
            comma, point = values[commas[0]], values[points[0]]
            elsewhere = "" if comma == point else f", and {point!r} elsewhere"
            raise InputError(
                f"{self._first(codes, commas[0])}: {column} is {comma!r}{elsewhere}; a column has "
                "either decimal commas or decimal points, and no thousands separators"
            )
        parsed = np.full(len(values), np.nan)
        for code, value in enumerate(values):
            if not value and empty is not None:
                parsed[code] = empty
                continue
            try:
                number = parse_number(value, decimal_comma=self.decimal_commas)
            except ValueError:
                number = math.nan
            good = math.isfinite(number)
            if whole:
                good = good and number.is_integer() and 0 <= number <= _LARGEST_COUNT
            if not good:
                found = f"{column} is {value!r}" if value else f"the cell of {column!r} is empty"
                raise InputError(f"{self._first(codes, code)}: {found}, expected {expected}")
            parsed[code] = number
        return parsed[codes]

    def _first(self, codes: IntArray, code: int) -> str:
        return self.place(int(np.argmax(codes == code)))


def is_index_name(column: str) -> bool:
    """Whether a column is the index of a data frame, which pandas writes without a name."""
    return column.lower() in ("", "unnamed: 0", "__index_level_0__")


def merged(codes: Any, values: Sequence[str]) -> tuple[IntArray, list[str]]:
    """Codes into the distinct stripped values that occur, in order of first appearance."""
    number: dict[str, int] = {}
    merge = np.array([number.setdefault(value.strip(), len(number)) for value in values], dtype=int)
    merged = merge[codes] if len(values) else np.zeros(0, dtype=np.int64)
    order, renamed = first_appearances(merged, len(number))
    names = list(number)
    return renamed, [names[code] for code in order.tolist()]


def first_appearances(codes: IntArray, count: int) -> tuple[IntArray, IntArray]:
    """The codes that occur, in order of first appearance, and all codes as places in that order."""
    first = np.full(count, len(codes), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    order = np.argsort(first, kind="stable")[: int((first < len(codes)).sum())]
    place = np.zeros(count, dtype=np.int64)
    place[order] = np.arange(len(order))
    return order, place[codes]
