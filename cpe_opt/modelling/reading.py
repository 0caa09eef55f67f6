r"""Programs from model files: ``.lp``, ``.mps`` and ``.mps.gz`` by suffix.

**MPS files**, whose words are divided by blanks. A line that begins with a character is a section;
data begin with a blank. Lines that are empty or begin with ``*`` are comments. The sections, each
at most once and in any order::

    NAME      the name of the program, and FREE where the file says so
    OBJSENSE  MIN or MAX, on the same line or the next
    ROWS      kind name                         N: no side, L: <=, G: >=, E: =
    COLUMNS   column row value [row value]      the entries of a column one after another
              name 'MARKER' 'INTORG'            columns are whole from here on,
              name 'MARKER' 'INTEND'            up to here, or to the end of the section
    RHS       [set] row value [row value]
    RANGES    [set] row value [row value]
    BOUNDS    kind [set] column [value]
    QUADOBJ   column column value               Q, of which the objective has ½ x'Qx: one triangle
    QMATRIX   column column value               Q, both triangles
    ENDATA                                      what follows is not read

- The first row of kind N is the objective; others restrict nothing, and are left out. The side of
  the objective is the constant with its sign changed, as CPLEX, HiGHS and cbc read it.
- A range R of a row with side b: L gives [b - abs(R), b], G [b, b + abs(R)], E [b, b + R] or, where
  R is negative, [b + R, b].
- Bounds: UP, LO, FX, FR, MI (no lower one), PL (no upper one), BV (0 or 1), LI and UI (whole, too).
  FR, MI, PL, BV take no value; a number after them has no meaning. A negative UP or UI asks for a
  lower bound: some readers put it at 0 and others at -∞.
- A column between markers without any bound is 0 or 1, as all readers have it. With any bound it is
  as another: LO alone leaves it without an upper one, as in CPLEX, Gurobi and HiGHS.
- Under QUADOBJ an entry off the diagonal stands for the one opposite, too, and it may be of either
  triangle, but not of both; under QMATRIX both are given, and equal.
- Every name is declared, no entry, side or range is given twice, no section has a second set.

**LP files**, as CPLEX, Gurobi, HiGHS, SCIP, PuLP and linopy write them. What follows a ``\`` is a
comment. Keywords are in letters of any size, each alone on its line; the objective and the rows
come first, and each section is there once::

    Minimize | Maximize                     min, max, minimise, minimum, …
      [name:] terms + [factor] [ products ] / 2
    Subject To                              such that, st, s.t., st.
      [name:] terms relation number
      [name:] number relation terms relation number
    Bounds
      column relation number | number relation column [relation number] | column free, one a line
    General                                 gen, generals, integer, integers, int
      columns
    Binary                                  bin, binaries
      columns
    End

- Terms are ``3 x`` and ``x`` with signs between them, and break anywhere into lines; several signs
  before one term multiply, and a column that occurs twice in a row counts twice. A row ends with
  its number, and with it the line. The objective may have constants, too.
- Products are ``3 x ^ 2`` and ``3 x * y``, and are in the objective alone, once, in brackets of
  which the objective has one half: ``[ 2 x ^ 2 ] / 2`` is x², ``3 [ 2 x ^ 2 ] / 2`` is 3 x². Equal
  products are added up.
- A relation is ``<=``, ``=<``, ``<``, ``>=``, ``=>``, ``>`` or ``=``; a strict one is read as the
  other.
- A name has letters, digits and ``!"#$%&(),.;?@_`'{}~|``, brackets with what is between them
  (``x[0,1]``), begins with none of the digits, ``.``, ``,`` and ``;``, ends with none of ``,`` and
  ``;``, is no keyword, and closes what it opens. Rows without one are ``row_`` and their number.
- A bound, General or Binary of a column that no row and no objective has is refused; so is a bound
  of a binary column outside of 0 and 1.

A file is read strictly. Whatever would have to be guessed is refused, with the line: a name that
is not declared, a number with characters after it, a bound that is stated twice. Numbers are
decimal, with an exponent or not. Those from 1e20 on are infinite where a bound or a side may be.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.files import os_reason
from cpe_opt.modelling.export import is_negated
from cpe_opt.modelling.names import model_suffix, unused_name, with_own_names
from cpe_opt.modelling.program import ENDLESS, LARGEST, LinearProgram, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.validation import checked_text, checked_types

_BEGIN = re.compile("^(?:columns|min|max)", re.IGNORECASE | re.MULTILINE)  # of what is no comment


@checked_types
def read_program(path: str | os.PathLike[str]) -> LinearProgram | QuadraticProgram:
    r"""Read a model file; the program takes the file's name, its columns and rows theirs.

    A maximisation that :func:`cpe_opt.export` wrote as a minimisation is one again, and a changed
    name is given back. Rows of an LP file without a name are ``row_0``, ``row_1``, …, by their
    number.

    Files are read strictly: what would have to be guessed is refused.
    :mod:`cpe_opt.modelling.reading` describes the formats.

    Parameters
    ----------
    path : path ending in ``.lp``, ``.mps`` or ``.mps.gz``

    Raises
    ------
    InputError
        Where the file is missing, has another suffix, does not keep to its format (with the line,
        what it has and what was expected), holds an objective that is not convex (of a
        maximisation, not concave), or a program of another kind: cones, quadratic rows, special
        ordered sets, indicators, semi-continuous columns, several objectives, ….

    Examples
    --------
    >>> import tempfile
    >>> text = "Minimize\n cost: 3 x + 2 y\nSubject To\n need: x + y >= 4\nEnd\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "diet.lp")
    ...     _ = file.write_text(text, encoding="utf-8")
    ...     read_program(file)
    LinearProgram('diet', 2 columns, 1 row, min)
    """
    path = Path(path)
    suffix = model_suffix(path)
    if not path.is_file():
        raise InputError(f"no file {str(path)!r}")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {os_reason(error)}") from None
    if suffix.endswith(".gz"):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{str(path)!r} is no gzip file: {error}") from None
    text, name = ModelText(path, content), path.name.split(".")[0]
    program = (read_lp if suffix == ".lp" else read_mps)(text, name)
    begin = _BEGIN.search(text.text)
    top = text.text[: begin.start() if begin else 0].split("\n")
    linear = program.linear
    named = with_own_names(linear, top)
    negated = suffix != ".lp" and program.sense == "min" and is_negated(top)
    if isinstance(program, QuadraticProgram):
        program = program.with_linear(named)
        return program.negated() if negated else program
    if not negated:
        return named
    return replace(named, sense="max", costs=0.0 - named.costs, offset=0.0 - named.offset)


# What both readers share: the text, its numbers, and the program.


OTHER_SECTIONS = frozenset(  # of LP and MPS files of programs that are not read
    """sos sos1 sos2 sets semi-continuous semi semis sec semi-integer sin gencons lazycons usercuts
    indicators pwlobj qsection qcmatrix csection psd""".split()  # noqa: SIM905
) | {
    *("general constraints", "lazy constraints", "user cuts"),
    *("minimize multi-objectives", "maximize multi-objectives"),
}
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(?i:inf(inity)?)")
_PRINTED = bytes([*b"\t\n", *range(0x20, 0x7F)])
Places = npt.NDArray[np.integer[Any]]


class FaultyFile(InputError):
    """A model file does not keep to its format."""


class ModelText:
    """The text of a model file, called ``path`` in messages; lines end with a line feed."""

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
    """The bounds of all columns, and which of them lines state; (2, columns), lower ones first."""
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


# MPS files.


_PLAIN_SECTIONS = ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "QUADOBJ", "QMATRIX", "ENDATA")
_MPS_SECTIONS = ("NAME", "OBJSENSE", *_PLAIN_SECTIONS)
_BOUNDS = {  # lower and upper: nan for none, None for the value
    "UP": (np.nan, None),
    "UI": (np.nan, None),
    "LO": (None, np.nan),
    "LI": (None, np.nan),
    "FX": (None, None),
    "FR": (-np.inf, np.inf),
    "MI": (-np.inf, np.nan),
    "PL": (np.nan, np.inf),
    "BV": (0.0, 1.0),
}
_Table = tuple[list[str], IntArray, FloatArray, IntArray]


def read_mps(text: ModelText, name: str) -> LinearProgram | QuadraticProgram:
    """The program of an MPS file; :class:`FaultyFile` where it does not keep to the format."""
    return _MpsReader(text).program(name)


class _MpsReader:
    """The sections of a file: the number, from 1, and the content of their lines.

    The first line is that of the section's name, and has what follows that.
    """

    def __init__(self, text: ModelText) -> None:
        self.text = text
        self.markers: list[int] = []  # the lines of markers
        self.sections: dict[str, list[tuple[int, str]]] = {}
        self._divide()
        for missing in {"ROWS", "COLUMNS"} - self.sections.keys():
            end = self.sections["ENDATA"][0][0]
            self.text.refuse(end, f"the end without the section {missing}")

    def _divide(self) -> None:
        """Find the sections."""
        line, lines = 1, list[tuple[int, str]]()
        for number, content in enumerate(self.text.text.split("\n"), 1):
            if not content or content[0] == "*" or content.isspace():
                continue
            line = number
            if content[0].isspace():
                if not self.sections:
                    self._unexpected(line, "a section such as ROWS first")
                lines.append((line, content))
                continue
            section, *rest = content.split()
            if section.lower() in OTHER_SECTIONS:
                self.text.refuse_other(line, section)
            plain = section in _PLAIN_SECTIONS
            if section not in _MPS_SECTIONS or section in self.sections or (rest and plain):
                expected = f"one of {', '.join(_MPS_SECTIONS)}, each once; data begin with a blank"
                self._unexpected(line, expected)
            lines = self.sections[section] = [(line, " ".join(rest))]
            if section == "ENDATA":
                return
        self.text.refuse(line, "the file ends without ENDATA, as if it had been cut off")

    def _unexpected(self, line: int, expected: str) -> NoReturn:
        words = self.text.text.split("\n")[line - 1].split()
        self.text.refuse(line, f"{' '.join(words)[:60]!r}, expected {expected}")

    def _data(self, section: str) -> Iterator[tuple[int, list[str]]]:
        """The lines of data of a section, and their words."""
        for line, content in self.sections.get(section, [])[1:]:
            yield line, content.split()

    def _known(
        self, what: str, names: Sequence[str], lines: Places, known: Mapping[str, int]
    ) -> IntArray:
        """The numbers of rows or columns by name."""
        for name, line in zip(names, lines, strict=True):
            if name not in known:
                self.text.refuse(line, f"the {what} {name[:60]!r}, which is not declared")
        return np.array([known[name] for name in names], dtype=np.int64)

    def _table(self, section: str, what: str, known: Mapping[str, int]) -> _Table:
        """The pairs of a section: the word before them, names' numbers, values and lines.

        A line has a column or set, which RHS and RANGES may leave out, and one or two pairs of a
        row (under QUADOBJ and QMATRIX, one of a column) and a number. A set left out is "".
        """
        heads, names, values, lines = list[str](), list[str](), list[float](), list[int]()
        most = 3 if what == "column" else 5
        for line, words in self._data(section):
            if len(words) == 3 and words[1] != "'MARKER'":  # nearly all
                heads.append(words[0])
                names.append(words[1])
                values.append(self.text.number(words[2], line))
                lines.append(line)
                continue
            if section == "COLUMNS" and words[1:2] == ["'MARKER'"]:
                if words[2:] != ["'INTEND'" if len(self.markers) % 2 else "'INTORG'"]:
                    self._unexpected(line, "the markers 'INTORG' and 'INTEND' in turn")
                self.markers.append(line)
                continue
            optional = section in ("RHS", "RANGES") and len(words) in (2, 4)
            head, *pairs = ["", *words] if optional else words
            if len(pairs) not in (2, most - 1):
                self._unexpected(line, f"a name, a {what} and a number, at most {most} words")
            for name, word in zip(pairs[::2], pairs[1::2], strict=True):
                heads.append(head)
                names.append(name)
                values.append(self.text.number(word, line))
                lines.append(line)
        where = np.array(lines, dtype=np.int64)
        return heads, self._known(what, names, where, known), np.array(values), where

    def _check_set(self, section: str, sets: Sequence[str], lines: Places) -> None:
        """Refuse a second set; one that is left out is as any."""
        first, *others = dict.fromkeys(filter(None, sets)) or [""]
        if others:
            line = int(lines[sets.index(others[0])])
            self._unexpected(line, f"one set of {section}, which is {first[:40]!r} before")

    def program(self, name: str) -> LinearProgram | QuadraticProgram:
        """Read all sections."""
        for line, _ in self._data("NAME"):
            self._unexpected(line, "a section after NAME")
        kinds = self._read_rows()
        rows = [row for row, kind in kinds.items() if kind != "N"]
        # The objective gets the number -1, other rows of kind N less.
        free = [row for row, kind in kinds.items() if kind == "N"]
        known = {row: k for k, row in enumerate(rows)} | {row: -1 - k for k, row in enumerate(free)}
        columns, marked, entries = self._read_columns(known)
        sides, constant = self._read_sides(np.array([kinds[row] for row in rows], "U1"), known)
        bounds, integer = self._read_bounds(columns, marked)
        return program_of(
            self.text,
            name,
            self._read_sense(),
            columns=list(columns),
            rows=rows,
            constant=constant,
            entries=entries,
            sides=sides,
            bounds=bounds,
            integer=integer,
            quadratic=self._read_quadratic(columns),
        )

    def _read_sense(self) -> Sense:
        lines = self.sections.get("OBJSENSE", [(0, "min")])
        sense = " ".join(word for _, content in lines for word in content.split()).lower()
        if not re.fullmatch("(min|max)(imum|imi[sz]e)?", sense):
            self._unexpected(lines[-1][0], "MIN or MAX, once")
        return "max" if sense.startswith("max") else "min"

    def _read_rows(self) -> dict[str, str]:
        """The kinds of rows."""
        kinds: dict[str, str] = {}
        for line, words in self._data("ROWS"):
            if len(words) != 2 or words[0] not in ("N", "L", "G", "E") or words[1] in kinds:
                self._unexpected(line, "N, L, G or E and a name that no other row has")
            kinds[words[1]] = words[0]
        return kinds

    def _read_columns(
        self, rows: Mapping[str, int]
    ) -> tuple[dict[str, int], BoolArray, tuple[IntArray, IntArray, FloatArray]]:
        """The columns by number, which of them are between markers, and their entries."""
        heads, row, value, lines = self._table("COLUMNS", "row", rows)
        columns = {name: k for k, name in enumerate(dict.fromkeys(heads))}
        column = np.array(list(map(columns.__getitem__, heads)), dtype=np.int64)
        for k in np.flatnonzero(np.diff(column) < 0)[:1]:
            self._unexpected(lines[k + 1], "the lines of a column one after another")
        self.text.refuse_twice(column * len(rows) + row, lines, "entry of a row in a column")
        begins = np.flatnonzero(np.diff(column, prepend=-1))
        marked = np.searchsorted(self.markers, lines[begins]) % 2 == 1
        used = row >= -1
        return columns, marked, (row[used], column[used], value[used])

    def _read_sides(
        self, kind: npt.NDArray[np.str_], rows: Mapping[str, int]
    ) -> tuple[FloatArray, float]:
        """The lower and upper sides of rows, and the constant of the objective."""
        side, width, constant = np.zeros(len(kind)), np.full(len(kind), np.nan), 0.0
        for section, values in (("RHS", side), ("RANGES", width)):
            sets, row, value, lines = self._table(section, "row", rows)
            self._check_set(section, sets, lines)
            self.text.refuse_twice(row, lines, f"number of a row in {section}")
            values[row[row >= 0]] = value[row >= 0]
            for k in np.flatnonzero(row < 0).tolist():
                if section == "RANGES":
                    self._unexpected(lines[k], "no row of kind N, which has no side")
                if row[k] == -1:
                    constant = 0.0 - float(value[k])
        ranged = ~np.isnan(width)
        down = ranged & ((kind == "L") | ((kind == "E") & (width < 0.0)))
        lower = np.where(kind == "L", -np.inf, side)
        upper = np.where(kind == "G", np.inf, side)
        lower = np.where(down, side - np.abs(width), lower)
        upper = np.where(ranged & ~down, side + np.abs(width), upper)
        return np.array([lower, upper]), constant

    def _read_bounds(
        self, columns: Mapping[str, int], marked: BoolArray
    ) -> tuple[FloatArray, BoolArray]:
        """Bounds of columns, and which columns are whole."""
        sets, names, kinds, both, lines = [], [], [], [], []
        for line, words in self._data("BOUNDS"):
            kind = words[0]
            if kind not in _BOUNDS:
                self._unexpected(line, f"a bound of kind {', '.join(_BOUNDS)}")
            valued = None in _BOUNDS[kind]
            if not valued and len(words) == 4:
                words.pop()  # a number that means nothing
            if len(words) == 2 + valued:
                words.insert(1, "")
            if len(words) != 3 + valued:
                self._unexpected(line, "a kind, a set, a column and a number")
            value = self.text.number(words[3], line) if valued else np.nan
            both.append([value if bound is None else bound for bound in _BOUNDS[kind]])
            sets.append(words[1])
            names.append(words[2])
            kinds.append(kind)
            lines.append(line)
        where = np.array(lines, dtype=np.int64)
        self._check_set("BOUNDS", sets, where)
        column = self._known("column", names, where, columns)
        sides = np.array(both).reshape(-1, 2).T
        bounds, stated = column_bounds(self.text, len(columns), column, sides, where)
        bounds[1, marked & ~stated.any(axis=0)] = 1.0
        integer = marked.copy()
        integer[column[np.isin(kinds, ["LI", "UI", "BV"])]] = True
        return bounds, integer

    def _read_quadratic(self, columns: Mapping[str, int]) -> list[tuple[int, int, float]]:
        """The entries of Q, of both triangles."""
        section = "QMATRIX" if "QMATRIX" in self.sections else "QUADOBJ"
        if {"QMATRIX", "QUADOBJ"} <= self.sections.keys():
            self._unexpected(self.sections["QMATRIX"][0][0], "one of QUADOBJ and QMATRIX")
        heads, other, value, lines = self._table(section, "column", columns)
        one = self._known("column", heads, lines, columns)
        keys = one * len(columns) + other, other * len(columns) + one
        key = keys[0] if section == "QMATRIX" else np.minimum(*keys)
        self.text.refuse_twice(key, lines, f"term of two columns in {section}")
        entries = list(zip(one.tolist(), other.tolist(), value.tolist(), strict=True))
        if section == "QUADOBJ":
            return entries + [(j, i, term) for i, j, term in entries if i != j]
        terms = {(i, j): term for i, j, term in entries}
        for (i, j), line in zip(terms, lines.tolist(), strict=True):
            if terms.get((j, i)) != terms[i, j]:
                self._unexpected(line, "both triangles in QMATRIX, equal")
        return entries


# LP files.


_LP_SECTIONS = {
    **dict.fromkeys(("min", "minimize", "minimise", "minimum"), "min"),
    **dict.fromkeys(("max", "maximize", "maximise", "maximum"), "max"),
    **dict.fromkeys(("subject to", "such that", "st", "s.t.", "st."), "rows"),
    **dict.fromkeys(("bounds", "bound"), "bounds"),
    **dict.fromkeys(("general", "generals", "gen", "integer", "integers", "int"), "general"),
    **dict.fromkeys(("binary", "binaries", "bin"), "binary"),
    "end": "end",
    **{keyword: keyword for keyword in OTHER_SECTIONS},
}
_RESERVED = {*_LP_SECTIONS, "free", "inf", "infinity"}
_LETTER = r"[^\s<>=:+*^/\[\]\\-]"  # of names
_NAME = rf"(?![0-9.,;]){_LETTER}++(?:\[[^][\s<>=:]*\]{_LETTER}*+)*+"
_NO_TAIL = r"(?![^\sA-DF-Za-df-z<>=:+*^/\[\]\\-])"  # 1e, 1_0 and 1.2.3 are no numbers
_NUMBER = (
    rf"(?:(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+{_NO_TAIL}"
    rf"|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?+(?!{_LETTER}|\[))"
)
_SIGNS = r"[-+][-+\s]*+"
_SIDE, _RELATION = rf"[-+]?\s*{_NUMBER}", "[<>]=?|=[<>]?"
_LABEL = re.compile(rf"\s*({_NAME})\s*:")
_ROW = re.compile(
    rf"(?:{_LABEL.pattern})?\s*(?:({_SIDE})\s*({_RELATION}))?"
    rf"([^<>=:]*)({_RELATION})\s*({_SIDE})[ \t]*(?:\n\s*|\Z)"
)
# What is neither a sign nor a number nor a name is an item of nothing.
_TERM = re.compile(rf"(?=\S)({_SIGNS})?+({_NUMBER})?+\s*+({_NAME})?+")
_PRODUCTS = re.compile(rf"({_SIGNS}|^\s*)({_NUMBER})?\s*\[([^][]*)\]\s*/\s*2\s*(?=[-+]|\Z)")
_PRODUCT = re.compile(
    rf"(?=\S)({_SIGNS})?({_NUMBER})?\s*({_NAME})?\s*(?:(\^)\s*2(?![0-9.])|\*\s*({_NAME}))?"
)
_BOUND = re.compile(
    rf"(?:({_SIDE})\s*({_RELATION})\s*)?({_NAME})"
    rf"(?:\s*({_RELATION})\s*({_SIDE})|\s+((?i:free)))?"
)
_TURNED = {"<": ">", ">": "<", "": ""}  # without the sign of equality
_BOUND_KINDS = ([""], ["<"], [">"], ["<", ">"])
_EXPECTED = "[name:] terms relation number, with signs between terms, and then the end of the line"


def read_lp(text: ModelText, name: str) -> LinearProgram | QuadraticProgram:
    """The program of an LP file; :class:`FaultyFile` where it does not keep to the format."""
    return _LpReader(text).program(name)


def with_row_texts(program: LinearProgram, rows: Sequence[str]) -> LinearProgram:
    """The same program with rows appended, each a line of text in the grammar of LP files.

    A name may stand before the row, as in ``enough: x_0_3 + 2 x_0_1 >= 0.9``; two sides are written
    ``0.1 <= x_0_3 <= 0.9``. Without a name a row is called after its text's place among those
    given: ``extra_0``, ``extra_1``. Raises ``InputError`` where a text is no row, ``UnknownName``
    where it has a column that the program does not have.

    >>> import cpe_opt as cpe
    >>> program = cpe.copeland_bound_program(cpe.load_instance("gap"), method="compact")
    >>> with_row_texts(program, ["enough: x_0_3 >= 0.9", "x_0_1 - x_0_3 <= 0"]).row_names[-2:]
    ('enough', 'extra_1')
    """
    taken = set(program.row_names)
    for place, text in enumerate(rows):
        checked_text("row", text)
        lines = f"Minimize\nSubject To\n{text}\nEnd\n"
        try:
            read = read_lp(ModelText(Path("row"), lines.encode()), "row")
        except FaultyFile as error:
            what = str(error).partition(": ")[2]
            raise InputError(f"row {text!r}: {what}; expected such as 'x_0_1 >= 0.9'") from None
        if len(read.row_names) != 1:
            raise InputError(f"row {text!r}: expected one row, such as 'x_0_1 >= 0.9'")
        row = read.linear.matrix.tocoo()
        columns = [read.column_names[column] for column in row.coords[1]]
        program = program.with_row(
            dict(zip(columns, row.data.tolist(), strict=True)),
            lower=float(read.linear.row_lower[0]),
            upper=float(read.linear.row_upper[0]),
            name=read.row_names[0] if ":" in text else unused_name("extra", f"_{place}", taken),
        )
    return program


class _LpReader:
    """The sections of a file, without comments, and what they have said so far."""

    def __init__(self, text: ModelText) -> None:
        self.text = text
        self.columns: dict[str, int] = {}
        self.at: list[int] = []  # the columns of all terms
        self.values: list[float] = []
        self.counts: list[int] = []  # of the terms of the objective and of the rows
        self.quadratic: list[tuple[int, int, float]] = []
        self.sections = self._divided(re.sub(r"\\.*", "", text.text).split("\n"))

    def program(self, name: str) -> LinearProgram | QuadraticProgram:
        """Read all sections."""
        sense: Sense = "max" if "max" in self.sections else "min"
        constant = self._read_objective(*self.sections[sense])
        rows, sides = self._read_rows(*self.sections.get("rows", (0, "")))
        bounds, integer = self._read_bounds()
        row = np.repeat(np.arange(-1, len(rows)), self.counts)
        return program_of(
            self.text,
            name,
            sense,
            columns=list(self.columns),
            rows=rows,
            constant=constant,
            entries=(row, np.array(self.at, dtype=np.int64), np.array(self.values)),
            sides=sides,
            bounds=bounds,
            integer=integer,
            quadratic=self.quadratic,
        )

    def _unexpected(self, line: int, rest: str, expected: str) -> NoReturn:
        self.text.refuse(line, f"{' '.join(rest[:100].split())[:40]!r}, expected {expected}")

    def _divided(self, lines: list[str]) -> dict[str, tuple[int, str]]:
        """The sections of these lines: the first line, from 1, and the text."""
        words = [line.strip().lower() for line in lines]
        heads = [k for k, word in enumerate(words) if word in _LP_SECTIONS]
        texts = [k for k, word in enumerate(words) if word] or [0]
        if texts[0] not in heads:
            expected = "Minimize or Maximize first, alone on a line"
            self._unexpected(texts[0] + 1, lines[texts[0]], expected)
        sections: dict[str, tuple[int, str]] = {}
        for head, end in pairwise([*heads, len(lines)]):
            section, body = _LP_SECTIONS[words[head]], "\n".join(lines[head + 1 : end])
            if section in OTHER_SECTIONS:
                if body.strip():
                    self.text.refuse_other(head + 1, section)
                continue  # writers leave such a section empty
            late = section == "rows" and len(sections) > 1
            if late or (section in ("min", "max")) == bool(sections) or section in sections:
                expected = "the objective first, then Subject To, each section once, and End"
                self._unexpected(head + 1, lines[head], expected)
            sections[section] = head + 2, body
            if section == "end":
                break
        else:
            self.text.refuse(texts[-1] + 1, "the file ends without End, as if it had been cut off")
        if texts[-1] != head:
            self._unexpected(texts[-1] + 1, lines[texts[-1]], "nothing after End")
        return sections

    def _column(self, name: str, line: int, *, is_new: bool = False) -> int:
        """The number of a column, perhaps a new one."""
        if name not in self.columns:
            if not is_new:
                what = f"the column {name[:60]!r}, which no row and no objective has"
                self.text.refuse(line, what)
            self.columns[self._checked(name, line)] = len(self.columns)
        return self.columns[name]

    def _checked(self, name: str, line: int) -> str:
        """A name, or :class:`FaultyFile` where it is likely to be something else."""
        if (
            name.lower() in _RESERVED
            or name[-1] in ",;"
            or any(name.count(one) != name.count(other) for one, other in ("()", "{}"))
            or not all(sign.isascii() or sign.isalpha() for sign in name)
        ):
            expected = "a name of letters and digits that is no keyword, with brackets that close"
            self._unexpected(line, name, expected)
        return name

    def _read_objective(self, line: int, body: str) -> float:
        """Note the objective; its constant."""
        line += body[: len(body) - len(body.lstrip())].count("\n")
        if label := _LABEL.match(body):
            self._checked(label[1], line)
            body = body[label.end() :]
        if match := _PRODUCTS.search(body):
            signs, factor, products = match.groups()
            self._read_products(products, line, self._value(signs, factor, line))
            body = body[: match.start()] + body[match.end() :]
        return self._read_terms(line, body, constants=True)

    def _read_products(self, products: str, line: int, factor: float) -> None:
        """Terms of x'Qx, of which the objective has one half."""
        for item in _PRODUCT.finditer(products.strip()):
            signs, number, one, square, other = item.groups()
            if not one or not (square or other) or (item.start() and not signs):
                expected = "products with signs between them, such as 3 x ^ 2 - x * y"
                self._unexpected(line, item.string[item.start() :], expected)
            value = factor * self._value(signs, number, line)
            i, j = (self._column(each, line, is_new=True) for each in (one, other or one))
            # A square is on the diagonal, a product on both sides of it.
            for places in [(i, i)] if i == j else [(i, j), (j, i)]:
                self.quadratic.append((*places, value if i == j else value / 2.0))

    def _value(self, signs: str | None, word: str | None, line: int) -> float:
        value = self.text.number(word, line) if word else 1.0
        return -value if signs and signs.count("-") % 2 else value

    def _read_terms(self, line: int, body: str, *, constants: bool = False) -> float:
        """Note the terms of a row or the objective, which begins in this line; its constant."""
        constant, before = 0.0, len(self.at)
        for place, (signs, word, name) in enumerate(_TERM.findall(body)):
            if (place and not signs) or not (name or (word and constants)):
                item = list(_TERM.finditer(body))[place]
                self._unexpected(line, body[item.start() :], _EXPECTED)
            value = self._value(signs, word, line)
            if name:
                column = self.columns.get(name)
                self.at.append(self._column(name, line, is_new=True) if column is None else column)
                self.values.append(value)
            else:
                constant += value
        self.counts.append(len(self.at) - before)
        return constant

    def _read_rows(self, line: int, body: str) -> tuple[list[str], FloatArray]:
        """The names of rows, and their sides."""
        names, sides = [], []
        place = len(body) - len(body.lstrip())
        line += body.count("\n", 0, place)
        while place < len(body):
            row = _ROW.match(body, place)
            if not row or not row[4].strip():
                self._unexpected(line, body[place:], _EXPECTED)
            name, first, before, terms, relation, second = row.groups(default="")
            kind = relation.strip("=")
            if before and (not kind or before.strip("=") != kind):
                self._unexpected(line, row[0], "number <= terms <= number, or a row for each")
            names.append(name and self._checked(name, line))
            self._read_terms(line, terms)
            endless = "inf" if kind == ">" else "-inf"
            side = self.text.number(second, line)
            other = self.text.number(first or endless, line) if kind else side
            sides.append((side, other) if kind == ">" else (other, side))
            line += row[0].count("\n")
            place = row.end()
        taken = set(names)
        rows = [name or unused_name(f"row_{k}", "", taken) for k, name in enumerate(names)]
        return rows, np.array(sides).reshape(-1, 2).T

    def _lines(self, section: str) -> list[tuple[int, str]]:
        """The lines of a section that are not blank, with their numbers."""
        first, body = self.sections.get(section, (0, ""))
        lines = enumerate(body.split("\n"), first)
        return [(line, text.strip()) for line, text in lines if text.strip()]

    def _read_bounds(self) -> tuple[FloatArray, BoolArray]:
        """Bounds of columns, and which columns are whole."""
        lines = self._lines("bounds")
        bound_of = [self._bound(line, text) for line, text in lines]
        bounds, stated = column_bounds(
            self.text,
            len(self.columns),
            np.array([column for column, _, _ in bound_of], dtype=np.int64),
            np.array([both for _, *both in bound_of]).reshape(-1, 2).T,
            np.array([line for line, _ in lines], dtype=np.int64),
        )
        integer = np.zeros(len(self.columns), dtype=np.bool_)
        for section in ("general", "binary"):
            for line, text in self._lines(section):
                columns = [self._column(name, line) for name in text.split()]
                integer[columns] = True
                if section == "binary":
                    bounds[1, columns] = np.where(stated[1, columns], bounds[1, columns], 1.0)
                    if (bounds[0, columns] < 0.0).any() or (bounds[1, columns] > 1.0).any():
                        self._unexpected(line, text, "binary columns, with bounds of 0 and 1")
        return bounds, integer

    def _bound(self, line: int, text: str) -> tuple[int, float, float]:
        """The column of a bound, and the lower and upper one, or nan."""
        match = _BOUND.fullmatch(text)
        left, before, name, after, right, free = match.groups(default="") if match else [""] * 6
        sides = [(">", "-inf"), ("<", "inf")] if free else []
        sides += [(_TURNED[before.strip("=")], left)] if before else []
        sides += [(after.strip("="), right)] if after else []
        if sorted(kind for kind, _ in sides) not in _BOUND_KINDS:
            self._unexpected(line, text, "a bound such as x <= 4, 0 <= x <= 4 or x free")
        lower = upper = np.nan
        for kind, word in sides:
            value = self.text.number(word, line)
            lower = lower if kind == "<" else value
            upper = upper if kind == ">" else value
        return self._column(name, line), lower, upper
