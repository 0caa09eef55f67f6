"""What the readers of MPS and LP files share: lines, numbers, and columns and rows by name.

A file is read strictly. Whatever would have to be guessed is refused, with the line: a name that
is not declared, a number with characters after it, a bound that is stated twice. Numbers are
decimal, with an exponent or not, or rationals such as ``9/10``, which are rounded once, to the
nearest double. The numbers from 1e20 on are infinite where a bound or a side may be.
"""

from __future__ import annotations

import math
import re
from array import array
from fractions import Fraction
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from cpe_opt.errors import InputError
from cpe_opt.modelling.conditional import Conditions
from cpe_opt.modelling.program import ENDLESS, LinearProgram, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram

LARGEST = 1e15  # solvers refuse coefficients of rows from here on
UNSIGNED = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_DECIMAL = re.compile(rf"[+-]?{UNSIGNED}", re.ASCII)
_RATIONAL = re.compile(rf"([+-]?{UNSIGNED})/({UNSIGNED})", re.ASCII)
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_COMMA = re.compile(r"[+-]?\d*,\d+")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_KEPT = 100_000  # words whose values are kept


class FaultyFile(InputError):
    """A model file does not keep to its format; ``line`` counts from 1, and 0 is the whole file."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class ModelText:
    """The lines of a model file, and errors that say in which of them something is wrong.

    ``path`` is what the file is called in messages. Raises :class:`FaultyFile` where the content is
    not UTF-8, or has control characters or unusual blanks.
    """

    def __init__(self, path: Path, content: bytes) -> None:
        self.path = path
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = 1 + _plain_breaks(content[: error.start].decode("latin-1")).count("\n")
            raise self.refused(line, "bytes that are no UTF-8; expected a text") from None
        text = _plain_breaks(text.removesuffix("\x1a"))  # the end of a file of old systems
        self.lines = text.split("\n")
        if text.isascii() and not _CONTROLS.search(text):
            return
        for place, words in enumerate(self.lines, start=1):
            for sign in words:
                if sign != "\t" and not sign.isprintable():
                    raise self.refused(
                        place, f"the character {sign!r}; expected printed characters and blanks"
                    )

    def refused(self, line: int, what: str) -> FaultyFile:
        """The error that a line has ``what``."""
        return FaultyFile(f"{str(self.path)!r}, line {line}: {what}", line)


def _plain_breaks(text: str) -> str:
    r"""The text of any system with ``\n`` between its lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


class NumberCache(dict[str, float]):
    """The values of words, each worked out once; a word that is no number raises ``ValueError``."""

    def __missing__(self, word: str) -> float:
        value = number_of(word)
        if len(self) < _KEPT:
            self[word] = value
        return value


def number_of(word: str) -> float:
    """The value of a decimal number, a rational or an infinity; ``ValueError`` for anything else.

    Examples
    --------
    >>> number_of("-1.5e3"), number_of("9/10"), number_of("-inf")
    (-1500.0, 0.9, -inf)
    >>> number_of("1,5")
    Traceback (most recent call last):
    ...
    ValueError: '1,5' has a decimal comma, expected a decimal point
    """
    if _DECIMAL.fullmatch(word):
        value = float(word)
        if value == 0.0 and any(digit in "123456789" for digit in re.split("[eE]", word)[0]):
            raise ValueError(f"{word[:40]!r} is too small for a double, expected 0 or a larger one")
        return value
    if match := _RATIONAL.fullmatch(word):
        if not float(match[2]):
            raise ValueError(f"{word[:40]!r} divides by 0")
        try:
            return float(Fraction(match[1]) / Fraction(match[2]))
        except OverflowError:
            raise ValueError(f"{word[:40]!r} is too large for a double") from None
    if _INFINITE.fullmatch(word):
        return -np.inf if word.startswith("-") else np.inf
    if _COMMA.match(word):
        raise ValueError(f"{word[:40]!r} has a decimal comma, expected a decimal point")
    raise ValueError(f"{word[:40]!r} is no number, expected one such as 12, -0.5, 1e-3 or 9/10")


class ProgramParts:
    """The columns, rows and entries of a file, numbered as they are declared.

    A bound that nobody states is 0 or ∞; one that is stated twice, with two values, is refused.
    """

    def __init__(self, text: ModelText) -> None:
        self.text = text
        self.sense: Sense = "min"
        self.offset = 0.0
        self.columns: dict[str, int] = {}
        self.rows: dict[str, int] = {}
        self.costs = array("d")
        self.integer = bytearray()
        self.column_lines = array("q")
        self.row_lines = array("q")
        self.row_lower = array("d")
        self.row_upper = array("d")
        self.entry_rows = array("i")
        self.entry_columns = array("i")
        self.entries = array("d")
        self.lower: dict[int, tuple[float, int]] = {}  # of a column: the bound and its line
        self.upper: dict[int, tuple[float, int]] = {}
        self.quadratic: dict[tuple[int, int], float] = {}  # entries of Q, both triangles
        self.conditions = Conditions()

    def add_quadratic(self, one: int, other: int, value: float, line: int) -> None:
        """Add to an entry of Q and, off the diagonal, to the one opposite.

        Raises :class:`FaultyFile` where it is too large.
        """
        for place in {(one, other), (other, one)}:
            total = self.quadratic[place] = self.quadratic.get(place, 0.0) + value
        if not abs(total) < LARGEST:
            raise self.text.refused(
                line, f"the quadratic term {total:g}, expected one below {LARGEST:g}"
            )

    def add_column(self, name: str, line: int, *, integer: bool = False) -> int:
        """A new column; returns its number."""
        number = self.columns[name] = len(self.costs)
        self.costs.append(0.0)
        self.integer.append(integer)
        self.column_lines.append(line)
        return number

    def add_row(self, name: str, lower: float, upper: float, line: int) -> int:
        """A new row; returns its number.

        Raises :class:`FaultyFile` where another row has its name, or no point can keep it.
        """
        if name in self.rows:
            first = self.row_lines[self.rows[name]]
            raise self.text.refused(line, f"a second row {name!r}; the first is in line {first}")
        number = self.rows[name] = len(self.row_lines)
        self.row_lines.append(line)
        self.row_lower.append(0.0)
        self.row_upper.append(0.0)
        self.set_sides(name, lower, upper, line)
        return number

    def set_sides(self, name: str, lower: float, upper: float, line: int) -> None:
        """Bound a row; what is endless becomes infinite."""
        lower, upper = _endless(lower), _endless(upper)
        if not lower <= upper or lower == np.inf or upper == -np.inf:
            raise self.text.refused(
                line, f"row {name!r} lies between {lower:g} and {upper:g}, which no point does"
            )
        number = self.rows[name]
        self.row_lower[number], self.row_upper[number] = lower, upper

    def bound(
        self, name: str, line: int, lower: float | None = None, upper: float | None = None
    ) -> None:
        """State one bound of a column, or both."""
        column = self.columns[name]
        for what, stated, bound in (("lower", self.lower, lower), ("upper", self.upper, upper)):
            if bound is None:
                continue
            value = _endless(bound)
            if math.isnan(value) or value == (np.inf if what == "lower" else -np.inf):
                raise self.text.refused(line, f"column {name!r} has the {what} bound {value:g}")
            before, there = stated.setdefault(column, (value, line))
            if before != value:
                raise self.text.refused(
                    line,
                    f"column {name!r} has the {what} bound {value:g}, and {before:g} in line "
                    f"{there}; expected one",
                )

    def program(self, name: str) -> LinearProgram | QuadraticProgram:
        """All parts together.

        Raises :class:`FaultyFile` where there are no columns, a coefficient is too large, bounds
        exclude each other, or the objective is not convex (of a maximisation, not concave).
        """
        linear = self.conditions.applied(self._linear(name), self.text.refused)
        if not any(self.quadratic.values()):
            return linear
        rows, columns = np.array(list(self.quadratic)).T
        values = np.array(list(self.quadratic.values()))
        shape = linear.shape[1], linear.shape[1]
        matrix = sp.csr_array(sp.coo_array((values, (rows, columns)), shape=shape))
        try:
            return QuadraticProgram(linear, matrix)
        except InputError as error:
            raise FaultyFile(f"{str(self.text.path)!r}: {error}") from None

    def _linear(self, name: str) -> LinearProgram:
        if not self.columns:
            raise FaultyFile(f"{str(self.text.path)!r} has no columns: it is no model file")
        shape = len(self.rows), len(self.columns)
        values = np.array(self.entries)
        large = np.flatnonzero(~(np.abs(values) < LARGEST))
        if large.size:
            row, column = self.entry_rows[large[0]], self.entry_columns[large[0]]
            raise self.text.refused(
                self.row_lines[row],
                f"row {list(self.rows)[row]!r} has the coefficient {values[large[0]]:g} of column "
                f"{list(self.columns)[column]!r}, expected one below {LARGEST:g}",
            )
        places = np.array(self.entry_rows), np.array(self.entry_columns)
        matrix = sp.csr_array(sp.coo_array((values, places), shape=shape))
        matrix.eliminate_zeros()
        matrix.sort_indices()
        lower, upper = self._bounds()
        return LinearProgram(
            name=name,
            sense=self.sense,
            costs=self._checked_costs(),
            column_lower=lower,
            column_upper=upper,
            integer=np.array(self.integer, dtype=np.bool_),
            matrix=matrix,
            row_lower=np.array(self.row_lower),
            row_upper=np.array(self.row_upper),
            column_names=tuple(self.columns),
            row_names=tuple(self.rows),
            offset=self.offset,
        )

    def _checked_costs(self) -> np.ndarray:
        costs = np.array(self.costs)
        for column in np.flatnonzero(~(np.abs(costs) < ENDLESS)).tolist():
            raise self.text.refused(
                self.column_lines[column],
                f"column {list(self.columns)[column]!r} has the cost {costs[column]:g}, expected "
                f"one below {ENDLESS:g}",
            )
        return costs

    def _bounds(self) -> tuple[np.ndarray, np.ndarray]:
        lower, upper = np.zeros(len(self.columns)), np.full(len(self.columns), np.inf)
        for bounds, stated in ((lower, self.lower), (upper, self.upper)):
            bounds[list(stated)] = [value for value, _ in stated.values()]
        for column in np.flatnonzero(lower > upper).tolist():
            lines = [each[column][1] for each in (self.lower, self.upper) if column in each]
            usual = " that a column has if no other is stated" * (column not in self.lower)
            raise self.text.refused(
                max(lines),
                f"column {list(self.columns)[column]!r} has the upper bound {upper[column]:g}, "
                f"below its lower bound {lower[column]:g}{usual}",
            )
        return lower, upper


def _endless(value: float) -> float:
    return float(np.copysign(np.inf, value)) if abs(value) >= ENDLESS else value
