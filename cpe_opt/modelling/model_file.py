"""What the readers of LP and MPS files share: the text, its numbers, and the parts of a program.

A file is read strictly. Whatever would have to be guessed is refused, with the line: a name that
is not declared, a number with characters after it, a bound that is stated twice. Numbers are
decimal, with an exponent or not, or rationals such as ``9/10``, which are rounded once, to the
nearest double. The numbers from 1e20 on are infinite where a bound or a side may be.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.modelling.program import ENDLESS, LinearProgram, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram

LARGEST = 1e15  # solvers refuse coefficients of rows from here on
EXPECTED = "expected linear rows, a linear or quadratic objective, continuous and whole columns"
OTHER_PROGRAMS = {  # sections of LP and MPS files that are refused, and what they hold
    **dict.fromkeys(("sos", "sos1", "sos2", "sets"), "special ordered sets"),
    **dict.fromkeys(("semi-continuous", "semi", "semis", "sec"), "semi-continuous columns"),
    **dict.fromkeys(("semi-integer", "sin"), "semi-integer columns"),
    **dict.fromkeys(("general constraints", "gencons"), "general constraints"),
    **dict.fromkeys(("lazy constraints", "lazycons"), "lazy constraints"),
    **dict.fromkeys(("user cuts", "usercuts"), "user cuts"),
    "indicators": "indicator constraints",
    "pwlobj": "a piecewise linear objective",
    "qcmatrix": "quadratic rows",
    "csection": "cones",
    "psd": "matrices",
}
UNSIGNED = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_DECIMAL = re.compile(rf"[+-]?{UNSIGNED}")
_RATIONAL = re.compile(rf"([+-]?{UNSIGNED})/({UNSIGNED})")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")
Places = npt.NDArray[np.integer[Any]]
Entries = tuple[Places, Places, FloatArray, Places]  # rows, columns, values, lines
_PRINTED = bytes([*b"\t\n", *range(0x20, 0x7F)])
PLAIN = b"0123456789.eE+-"  # of numbers whose value float tells; it takes others, too


class FaultyFile(InputError):
    """A model file does not keep to its format; ``line`` counts from 1, and 0 is the whole file."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class ModelText:
    """The text of a model file, called ``path`` in messages; lines end with a line feed.

    Raises :class:`FaultyFile` where it is not UTF-8, or has control characters or unusual blanks.
    """

    def __init__(self, path: Path, content: bytes) -> None:
        self.path = path
        if b"\r" in content:
            content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = 1 + content[: error.start].count(b"\n")
            raise self.refused(line, "bytes that are no UTF-8; expected a text") from None
        self.text = text.removesuffix("\x1a")  # the end of a file of old systems
        if not content.translate(None, _PRINTED):
            return
        for line, words in enumerate(self.text.split("\n"), start=1):
            for sign in words:
                if sign != "\t" and not sign.isprintable():
                    raise self.refused(
                        line, f"the character {sign!r}; expected printed characters and blanks"
                    )

    def refused(self, line: int, what: str) -> FaultyFile:
        """The error that a line has ``what``."""
        return FaultyFile(f"{str(self.path)!r}, line {line}: {what}", int(line))

    def refuse(self, line: int, what: str) -> NoReturn:
        """Raise that a line has ``what``."""
        raise self.refused(line, what)


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
        if value == 0.0 and re.search("[1-9]", re.split("[eE]", word)[0]):
            raise ValueError(f"{word[:40]!r} is too small for a double, expected 0 or a larger one")
        return value
    if match := _RATIONAL.fullmatch(word):
        try:
            return float(Fraction(match[1]) / Fraction(match[2]))
        except ZeroDivisionError:
            raise ValueError(f"{word[:40]!r} divides by 0") from None
        except OverflowError:
            raise ValueError(f"{word[:40]!r} is too large for a double") from None
    if _INFINITE.fullmatch(word):
        return -np.inf if word.startswith("-") else np.inf
    if _COMMA.match(word):
        raise ValueError(f"{word[:40]!r} has a decimal comma, expected a decimal point")
    raise ValueError(f"{word[:40]!r} is no number, expected one such as 12, -0.5, 1e-3 or 9/10")


def numbers_of(words: Sequence[str], refuse: Callable[[int, str], NoReturn]) -> FloatArray:
    """The values of :func:`number_of`; ``refuse`` takes the place of a faulty word and why."""
    values, known = np.zeros(len(words)), {"0": 0.0}  # what is 0 is looked at one by one
    if not "".join(words).encode().translate(None, PLAIN):
        with contextlib.suppress(ValueError):
            values = np.fromiter(map(float, words), np.float64, len(words))
    for place in np.flatnonzero(values == 0.0).tolist():
        if (word := words[place]) not in known:
            try:
                known[word] = number_of(word)
            except ValueError as error:
                refuse(place, str(error))
        values[place] = known[word]
    return values


def column_bounds(
    text: ModelText, names: Sequence[str], column: Places, both: FloatArray, line: Places
) -> tuple[FloatArray, IntArray]:
    """The bounds of all columns from those that lines state, (2, lines): lower, upper, or nan.

    Two different ones of a column are refused. One that nobody states is 0 or ∞, and its line 0.
    """
    bounds = np.repeat([[0.0], [np.inf]], len(names), axis=1)
    lines = np.zeros(bounds.shape, dtype=np.int64)
    for side, what in enumerate(("lower", "upper")):
        given = np.flatnonzero(~np.isnan(both[side]))
        given = given[np.argsort(column[given], kind="stable")]
        place, value, stated = column[given], endless(both[side, given]), line[given]
        for k in np.flatnonzero(value == (np.inf, -np.inf)[side])[:1]:
            text.refuse(stated[k], f"column {names[place[k]]!r} has the {what} bound {value[k]:g}")
        for k in 1 + np.flatnonzero((place[1:] == place[:-1]) & (value[1:] != value[:-1]))[:1]:
            text.refuse(
                stated[k],
                f"column {names[place[k]]!r} has the {what} bound {value[k]:g}, and "
                f"{value[k - 1]:g} in line {stated[k - 1]}; expected one",
            )
        bounds[side, place], lines[side, place] = value, stated
    return bounds, lines


def assembled(
    text: ModelText,
    name: str,
    sense: Sense,
    *,
    columns: Sequence[str],
    rows: Mapping[str, int],
    constant: float | None,
    sides: FloatArray,
    entries: Entries,
    bounds: FloatArray,
    bound_lines: IntArray,
    integer: BoolArray,
    quadratic: Sequence[tuple[int, int, float, int]],
) -> LinearProgram | QuadraticProgram:
    """The program of these parts: rows with their lines, lower and upper sides and bounds.

    Entries of the row -1 are costs; those of one place are added up.

    Raises :class:`FaultyFile` where there are neither columns nor a constant, a number is too
    large, sides or bounds exclude each other, or the objective is not convex (of a maximisation,
    not concave).
    """
    shown, names, row_lines = repr(str(text.path)), list(rows), list(rows.values())
    if not columns and constant is None:
        raise FaultyFile(f"{shown} has no columns and no constant: it is no model file")
    row, column, value, line = entries
    for k in np.flatnonzero((row == -1) & ~(np.abs(value) < ENDLESS))[:1]:
        text.refuse(
            line[k],
            f"column {columns[column[k]]!r} has the cost {value[k]:g}, expected one below "
            f"{ENDLESS:g}",
        )
    costs = np.zeros(len(columns))
    np.add.at(costs, column[row == -1], value[row == -1])
    linear = row >= 0
    row, column, value, line = row[linear], column[linear], value[linear], line[linear]
    for k in np.flatnonzero(~(np.abs(value) < LARGEST))[:1]:
        text.refuse(
            line[k],
            f"row {names[row[k]]!r} has the coefficient {value[k]:g} of column "
            f"{columns[column[k]]!r}, expected one below {LARGEST:g}",
        )
    if constant is not None and not np.isfinite(constant):
        raise FaultyFile(f"{shown} has the constant {constant} in its objective")
    lower, upper = endless(sides)
    for k in np.flatnonzero(~(lower <= upper) | (lower == np.inf) | (upper == -np.inf))[:1]:
        text.refuse(
            row_lines[k],
            f"row {names[k]!r} lies between {lower[k]:g} and {upper[k]:g}, which no point does",
        )
    for k in np.flatnonzero(bounds[0] > bounds[1])[:1]:
        usual = " that a column has if no other is stated" * (not bound_lines[0, k])
        text.refuse(
            bound_lines[:, k].max(),
            f"column {columns[k]!r} has the upper bound {bounds[1, k]:g}, below its lower bound "
            f"{bounds[0, k]:g}{usual}",
        )
    matrix = sp.csr_array(sp.coo_array((value, (row, column)), shape=(len(names), len(columns))))
    matrix.eliminate_zeros()
    matrix.sort_indices()
    program = LinearProgram(
        name=name,
        sense=sense,
        costs=costs,
        column_lower=bounds[0],
        column_upper=bounds[1],
        integer=integer,
        matrix=matrix,
        row_lower=lower,
        row_upper=upper,
        column_names=tuple(columns),
        row_names=tuple(names),
        offset=constant or 0.0,
    )
    if not any(term for _, _, term, _ in quadratic):
        return program
    for _, _, term, where in quadratic:
        if not abs(term) < LARGEST:
            text.refuse(where, f"the quadratic term {term:g}, expected one below {LARGEST:g}")
    one, other, terms, _ = zip(*quadratic, strict=True)
    shape = len(columns), len(columns)
    try:
        return QuadraticProgram(program, sp.csr_array(sp.coo_array((terms, (one, other)), shape)))
    except InputError as error:
        raise FaultyFile(f"{shown}: {error}") from None


def endless(values: FloatArray) -> FloatArray:
    """What is from 1e20 on becomes infinite."""
    return np.where(np.abs(values) >= ENDLESS, np.copysign(np.inf, values), values)
