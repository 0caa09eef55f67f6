"""The reader of MPS files, whose words are divided by blanks.

A line that begins with a character is a section; data begin with a blank. Lines that are empty or
begin with ``*`` are comments. The sections, each at most once and in any order::

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
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, pairwise
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.modelling.model_file import (
    OTHER_SECTIONS,
    ModelText,
    Places,
    column_bounds,
    program_of,
)
from cpe_opt.modelling.program import LinearProgram, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram

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
    """The words of a file, the first one of each line, and the lines of sections, from 0."""

    def __init__(self, text: ModelText) -> None:
        self.text = text
        code = re.sub(r"(?m)^\*.*$", "", text.text) if "*" in text.text else text.text
        signs = np.frombuffer(f"\n{code}\n".encode(), dtype=np.uint8)
        breaks, blank = np.flatnonzero(signs == ord("\n")), signs <= ord(" ")
        self.words = code.split()
        self.starts = np.searchsorted(np.flatnonzero(blank[:-1] & ~blank[1:]), breaks)
        self.markers = np.zeros(0, dtype=np.int64)  # the lines of markers
        self.sections = self._divided(np.flatnonzero(~blank[breaks[:-1] + 1]).tolist())

    def _divided(self, heads: list[int]) -> dict[str, tuple[int, int]]:
        """The sections of the file, of which these lines are the first."""
        sections: dict[str, tuple[int, int]] = {}
        first = int(np.searchsorted(self.starts, 0, side="right")) - 1
        if self.words and first not in heads:
            self._unexpected(first + 1, "a section such as ROWS first")
        for head, end in pairwise([*heads, len(self.starts) - 1]):
            section, *rest = self._at(head + 1)
            if section.lower() in OTHER_SECTIONS:
                self.text.refuse_other(head + 1, section)
            if (
                section not in _MPS_SECTIONS
                or section in sections
                or (rest and section in _PLAIN_SECTIONS)
            ):
                expected = f"one of {', '.join(_MPS_SECTIONS)}, each once; data begin with a blank"
                self._unexpected(head + 1, expected)
            sections[section] = head, end
            if section == "ENDATA":
                break
        else:
            last = int(np.searchsorted(self.starts, len(self.words)))
            self.text.refuse(
                max(last, 1), "the file ends without ENDATA, as if it had been cut off"
            )
        for missing in {"ROWS", "COLUMNS"} - sections.keys():
            self.text.refuse(sections["ENDATA"][0] + 1, f"the end without the section {missing}")
        return sections

    def _at(self, line: int) -> list[str]:
        return self.words[self.starts[line - 1] : self.starts[line]]

    def _unexpected(self, line: int, expected: str) -> NoReturn:
        self.text.refuse(line, f"{' '.join(self._at(line))[:60]!r}, expected {expected}")

    def _lines(self, section: str) -> IntArray:
        """The numbers, from 1, of the lines of data of a section."""
        head, end = self.sections.get(section, (0, 0))
        return head + 2 + np.flatnonzero(np.diff(self.starts[head + 1 : end + 1]))

    def _data(self, section: str) -> Iterator[tuple[int, list[str]]]:
        """The lines of data of a section, with their words."""
        for line in self._lines(section).tolist():
            yield line, self._at(line)

    def _known(
        self, what: str, names: Sequence[str], lines: Places, known: Mapping[str, int]
    ) -> IntArray:
        """The numbers of rows or columns by name."""
        numbers = list(map(known.get, names))
        if None in numbers:
            k = numbers.index(None)
            self.text.refuse(lines[k], f"the {what} {names[k][:60]!r}, which is not declared")
        return np.array(numbers, dtype=np.int64)

    def _table(self, section: str, what: str, known: Mapping[str, int]) -> _Table:
        """The pairs of a section: the word before them, names' numbers, values and lines.

        A line has a column or set, which RHS and RANGES may leave out, and one or two pairs of a
        row (under QUADOBJ and QMATRIX, one of a column) and a number. A set left out is "".
        """
        lines = self._lines(section)
        counts = self.starts[lines] - self.starts[lines - 1]
        if lines.size and (counts == 3).all():  # at once
            words = self.words[self.starts[lines[0] - 1] : self.starts[lines[-1]]]
        else:
            words, repeated, most = [], [], 3 if what == "column" else 5
            for line, row in self._data(section):
                if section in ("RHS", "RANGES") and len(row) in (2, 4):
                    row.insert(0, "")
                if len(row) not in (3, most):
                    self._unexpected(line, f"a name, a {what} and a number, at most {most} words")
                for place in range(1, len(row), 2):
                    words += row[0], *row[place : place + 2]
                    repeated.append(line)
            lines = np.array(repeated, dtype=np.int64)
        heads, names, numbers = words[::3], words[1::3], words[2::3]
        if section == "COLUMNS" and "'MARKER'" in names:
            marks = np.array(names, dtype=object) == "'MARKER'"
            self.markers = lines[marks]
            for k, line in enumerate(self.markers.tolist()):
                if self._at(line)[2:] != ["'INTEND'" if k % 2 else "'INTORG'"]:
                    self._unexpected(line, "the markers 'INTORG' and 'INTEND' in turn")
            heads, names, numbers = (
                list(compress(each, ~marks)) for each in (heads, names, numbers)
            )
            lines = lines[~marks]
        places = self._known(what, names, lines, known)
        return heads, places, self.text.numbers(numbers, lines), lines

    def _check_set(self, section: str, sets: Sequence[str], lines: Places) -> None:
        """Refuse a second set; one that is left out is as any."""
        first, *others = dict.fromkeys(filter(None, sets)) or [""]
        if others:
            line = lines[sets.index(others[0])]
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
        if "OBJSENSE" not in self.sections:
            return "min"
        line = self.sections["OBJSENSE"][0] + 1
        words = self._at(line)[1:]
        for line, more in self._data("OBJSENSE"):  # noqa: B007
            words += more
        sense = " ".join(words).lower()
        if not re.fullmatch("(min|max)(imum|imi[sz]e)?", sense):
            self._unexpected(line, "MIN or MAX, once")
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
            self._unexpected(self.sections["QMATRIX"][0] + 1, "one of QUADOBJ and QMATRIX")
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
