"""What the readers of LP and MPS files share: the text, its numbers, and the program.

A file is read strictly. Whatever would have to be guessed is refused, with the line: a name that
is not declared, a number with characters after it, a bound that is stated twice. Numbers are
decimal, with an exponent or not. Those from 1e20 on are infinite where a bound or a side may be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import InputError
from cpe_opt.modelling.program import ENDLESS, LARGEST, LinearProgram, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram

OTHER_SECTIONS = frozenset(  # of LP and MPS files of programs that are not read
    """sos sos1 sos2 sets semi-continuous semi semis sec semi-integer sin gencons lazycons usercuts
    indicators pwlobj qsection qcmatrix csection psd""".split()  # noqa: SIM905
) | {
    *("general constraints", "lazy constraints", "user cuts"),
    *("minimize multi-objectives", "maximize multi-objectives"),
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
        """Raise that a section of :data:`OTHER_SECTIONS` begins in a line."""
        self.refuse(
            line,
            f"the section {section!r}, expected a program of linear rows, a linear or quadratic "
            "objective, continuous and whole columns",
        )

    def refuse_twice(self, key: Places, lines: Places, what: str) -> None:
        """Refuse the first line that has the key of another one before it."""
        order = np.argsort(key, kind="stable")
        again = order[1:][np.diff(key[order]) == 0]
        if again.size:
            self.refuse(lines[again.min()], f"a second {what}")

    def number(self, word: str, line: int) -> float:
        """The value of a decimal number or an infinity."""
        try:
            return _number_of(word)
        except ValueError as error:
            self.refuse(line, str(error))

    def numbers(self, words: Sequence[str], lines: Places) -> FloatArray:
        """The values of words, each of a line."""
        try:
            values = np.fromiter(map(float, words), np.float64, len(words))
            plain = not "".join(words).encode().translate(None, _PLAIN)
        except ValueError:
            plain = False
        if plain and values.all():
            return values
        return np.array(list(map(self.number, words, lines)), dtype=np.float64)


@lru_cache(maxsize=4096)
def _number_of(word: str) -> float:
    word = "".join(word.split())
    match = _DECIMAL.fullmatch(word)
    if not match:
        raise ValueError(f"{word[:40]!r} is no number, expected one such as 12, -0.5 or 1e-3")
    value = float(word)
    if value == 0.0 and re.search("[1-9]", match[1]):
        raise ValueError(f"{word[:40]!r} is too small for a double, expected 0 or a larger one")
    return value


def column_bounds(
    text: ModelText, count: int, column: Places, both: FloatArray, line: Places
) -> tuple[FloatArray, BoolArray]:
    """The bounds of all columns, and which of them lines state; (2, columns), lower ones first.

    ``both`` has those of lines, or nan. A second one of a column is refused. One that nobody states
    is 0 or ∞.
    """
    bounds, stated = np.repeat([[0.0], [np.inf]], count, axis=1), np.zeros((2, count), np.bool_)
    for side, what in enumerate(("lower", "upper")):
        given = ~np.isnan(both[side])
        text.refuse_twice(column[given], line[given], f"{what} bound of a column")
        bounds[side, column[given]] = _endless(both[side, given])
        stated[side, column[given]] = True
    return bounds, stated


def program_of(
    text: ModelText,
    name: str,
    sense: Sense,
    *,
    columns: Sequence[str],
    rows: Sequence[str],
    constant: float,
    entries: tuple[Places, Places, FloatArray],
    sides: FloatArray,
    bounds: FloatArray,
    integer: BoolArray,
    quadratic: Sequence[tuple[int, int, float]],
) -> LinearProgram | QuadraticProgram:
    """The program of a file, or :class:`FaultyFile` where a number is too large or sides disagree.

    ``entries`` are rows, columns and values; those of the row -1 are costs, and those of one place
    are added up. ``sides`` and ``bounds`` are (2, rows or columns), lower ones first.
    ``quadratic`` has the entries of the matrix Q of ½ x'Qx: columns and value.
    """
    if not columns and not constant:
        raise FaultyFile(f"{text.shown} has no columns and no constant: it is no model file")
    if not np.isfinite(constant):
        raise FaultyFile(f"{text.shown} has the constant {constant} in its objective")
    row, column, value = entries
    linear = row >= 0
    for k in np.flatnonzero(~(np.abs(value) < np.where(linear, LARGEST, ENDLESS)))[:1]:
        where = f"in row {rows[row[k]]!r}" if linear[k] else "in the objective"
        most = LARGEST if linear[k] else ENDLESS
        raise FaultyFile(
            f"{text.shown}: column {columns[column[k]]!r} has the number {value[k]:g} {where}, "
            f"expected one below {most:g}"
        )
    costs, sides = np.zeros(len(columns)), _endless(sides)
    np.add.at(costs, column[~linear], value[~linear])
    places, shape = (row[linear], column[linear]), (len(rows), len(columns))
    matrix = sp.csr_array(sp.coo_array((value[linear], places), shape=shape))
    matrix.eliminate_zeros()
    matrix.sort_indices()
    try:
        program = LinearProgram(
            name=name,
            sense=sense,
            costs=costs,
            column_lower=bounds[0],
            column_upper=bounds[1],
            integer=integer,
            matrix=matrix,
            row_lower=sides[0],
            row_upper=sides[1],
            column_names=tuple(columns),
            row_names=tuple(rows),
            offset=constant,
        )
        if not any(term for *_, term in quadratic):
            return program
        one, other, terms = zip(*quadratic, strict=True)
        square = len(columns), len(columns)
        return QuadraticProgram(program, sp.csr_array(sp.coo_array((terms, (one, other)), square)))
    except InputError as error:
        raise FaultyFile(f"{text.shown}: {error}") from None


def _endless(values: FloatArray) -> FloatArray:
    """What is from 1e20 on becomes infinite."""
    return np.where(np.abs(values) >= ENDLESS, np.copysign(np.inf, values), values)
