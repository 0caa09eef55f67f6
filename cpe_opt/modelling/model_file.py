"""What the readers of LP and MPS files share: the text, its numbers, and the parts of a program.

A file is read strictly. Whatever would have to be guessed is refused, with the line: a name that
is not declared, a number with characters after it, a bound that is stated twice. Numbers are
decimal, with an exponent or not. Those from 1e20 on are infinite where a bound or a side may be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
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
OTHER_PROGRAMS = {  # sections of LP and MPS files that are refused, and what they hold
    **dict.fromkeys(("sos", "sos1", "sos2", "sets"), "special ordered sets"),
    **dict.fromkeys(("semi-continuous", "semi", "semis", "sec"), "semi-continuous columns"),
    **dict.fromkeys(("semi-integer", "sin"), "semi-integer columns"),
    **dict.fromkeys(("general constraints", "gencons"), "general constraints"),
    **dict.fromkeys(("lazy constraints", "lazycons"), "lazy constraints"),
    **dict.fromkeys(("user cuts", "usercuts"), "user cuts"),
    "multi-objectives": "several objectives",
    "indicators": "indicator constraints",
    "pwlobj": "a piecewise linear objective",
    "qsection": "quadratic terms by rows",
    "qcmatrix": "quadratic rows",
    "csection": "cones",
    "psd": "matrices",
}
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(?i:inf(inity)?)")
_PLAIN = b"0123456789.eE+-"  # words of these alone mean to float what they mean here, or nothing
_PRINTED = bytes([*b"\t\n", *range(0x20, 0x7F)])
Places = npt.NDArray[np.integer[Any]]


class FaultyFile(InputError):
    """A model file does not keep to its format."""


class ModelText:
    """The text of a model file, called ``path`` in messages; lines end with a line feed.

    Raises :class:`FaultyFile` where it is not UTF-8, or has control characters or unusual blanks.
    """

    def __init__(self, path: Path, content: bytes) -> None:
        self.shown = repr(str(path))
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        try:
            self.text = content.decode("utf-8-sig").removesuffix("\x1a")  # an end of old systems
        except UnicodeDecodeError as error:
            line = 1 + content[: error.start].count(b"\n")
            self.refuse(line, "bytes that are no UTF-8; expected a text")
        if content.translate(None, _PRINTED):
            for place, sign in enumerate(self.text):
                if sign not in "\t\n" and not sign.isprintable():
                    line = 1 + self.text.count("\n", 0, place)
                    self.refuse(line, f"the character {sign!r}; expected printed ones and blanks")

    def refuse(self, line: int, what: str) -> NoReturn:
        """Raise that a line, from 1, has ``what``."""
        raise FaultyFile(f"{self.shown}, line {line}: {what}") from None

    def refuse_other(self, line: int, section: str) -> NoReturn:
        """Raise that a section of :data:`OTHER_PROGRAMS` begins in a line."""
        self.refuse(
            line,
            f"the section {section!r}: the program has {OTHER_PROGRAMS[section.lower()]}, expected "
            "linear rows, a linear or quadratic objective, continuous and whole columns",
        )


@lru_cache(maxsize=4096)
def number_of(word: str) -> float:
    """The value of a decimal number or an infinity; ``ValueError`` for anything else."""
    match = _DECIMAL.fullmatch(word)
    if not match:
        raise ValueError(f"{word[:40]!r} is no number, expected one such as 12, -0.5 or 1e-3")
    value = float(word)
    if value == 0.0 and re.search("[1-9]", match[1]):
        raise ValueError(f"{word[:40]!r} is too small for a double, expected 0 or a larger one")
    return value


def numbers_of(text: ModelText, words: Sequence[str], lines: Places) -> FloatArray:
    """The values of words, each of a line."""
    try:
        values = np.fromiter(map(float, words), np.float64, len(words))
        plain = not "".join(words).encode().translate(None, _PLAIN)
    except ValueError:
        values, plain = np.zeros(len(words)), False
    for place in np.flatnonzero(values == 0.0).tolist() if plain else range(len(words)):
        try:
            values[place] = number_of(words[place])
        except ValueError as error:
            text.refuse(lines[place], str(error))
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
        for k in 1 + np.flatnonzero((place[1:] == place[:-1]) & (value[1:] != value[:-1]))[:1]:
            text.refuse(
                stated[k],
                f"column {names[place[k]]!r} has the {what} bound {value[k]:g}, and "
                f"{value[k - 1]:g} in line {stated[k - 1]}; expected one",
            )
        bounds[side, place], lines[side, place] = value, stated
    return bounds, lines


@dataclass(frozen=True)
class ProgramParts:
    """What a reader found: sides and bounds are (2, rows or columns), lower first.

    ``entries`` are rows, columns, values and lines; those of the row -1 are costs, and those of one
    place are added up. ``quadratic`` has the entries of Q: columns, value and line.
    """

    sense: Sense
    columns: Sequence[str]
    rows: Sequence[str]
    row_lines: Sequence[int]
    constant: float
    sides: FloatArray
    entries: tuple[Places, Places, FloatArray, Places]
    bounds: FloatArray
    bound_lines: IntArray
    integer: BoolArray
    quadratic: Sequence[tuple[int, int, float, int]]

    def program(self, text: ModelText, name: str) -> LinearProgram | QuadraticProgram:
        """The program, or :class:`FaultyFile` where a number is too large or sides exclude all."""
        if not self.columns and not self.constant:
            raise FaultyFile(f"{text.shown} has no columns and no constant: it is no model file")
        row, column, value, line = self.entries
        for k in np.flatnonzero(~(np.abs(value) < np.where(row < 0, ENDLESS, LARGEST)))[:1]:
            what = "the cost" if row[k] < 0 else f"in row {self.rows[row[k]]!r} the coefficient"
            most = ENDLESS if row[k] < 0 else LARGEST
            text.refuse(
                line[k],
                f"column {self.columns[column[k]]!r} has {what} {value[k]:g}, expected one below "
                f"{most:g}",
            )
        if not np.isfinite(self.constant):
            raise FaultyFile(f"{text.shown} has the constant {self.constant} in its objective")
        sides = endless(self.sides)
        self._check_ranges(text, "row", self.rows, sides, np.array(self.row_lines))
        self._check_ranges(text, "column", self.columns, self.bounds, self.bound_lines.max(axis=0))
        linear = row >= 0
        costs = np.zeros(len(self.columns))
        np.add.at(costs, column[~linear], value[~linear])
        shape = len(self.rows), len(self.columns)
        places = row[linear], column[linear]
        matrix = sp.csr_array(sp.coo_array((value[linear], places), shape=shape))
        matrix.eliminate_zeros()
        matrix.sort_indices()
        program = LinearProgram(
            name=name,
            sense=self.sense,
            costs=costs,
            column_lower=self.bounds[0],
            column_upper=self.bounds[1],
            integer=self.integer,
            matrix=matrix,
            row_lower=sides[0],
            row_upper=sides[1],
            column_names=tuple(self.columns),
            row_names=tuple(self.rows),
            offset=self.constant,
        )
        return self._with_quadratic(text, program)

    def _check_ranges(
        self, text: ModelText, what: str, names: Sequence[str], both: FloatArray, lines: Places
    ) -> None:
        lower, upper = both
        for k in np.flatnonzero(~(lower <= upper) | (lower == np.inf) | (upper == -np.inf))[:1]:
            text.refuse(
                lines[k],
                f"{what} {names[k]!r} lies between {lower[k]:g} and {upper[k]:g}, which no point "
                "does",
            )

    def _with_quadratic(
        self, text: ModelText, program: LinearProgram
    ) -> LinearProgram | QuadraticProgram:
        """The program with ½ x'Qx, if Q is not 0."""
        for _, _, term, line in self.quadratic:
            if not abs(term) < LARGEST:
                text.refuse(line, f"the quadratic term {term:g}, expected one below {LARGEST:g}")
        if not any(term for _, _, term, _ in self.quadratic):
            return program
        one, other, terms, _ = zip(*self.quadratic, strict=True)
        shape = program.shape[1], program.shape[1]
        try:
            matrix = sp.csr_array(sp.coo_array((terms, (one, other)), shape))
            return QuadraticProgram(program, matrix)
        except InputError as error:
            raise FaultyFile(f"{text.shown}: {error}") from None


def endless(values: FloatArray) -> FloatArray:
    """What is from 1e20 on becomes infinite."""
    return np.where(np.abs(values) >= ENDLESS, np.copysign(np.inf, values), values)
