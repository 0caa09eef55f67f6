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
from collections.abc import Mapping
from itertools import pairwise
from typing import NoReturn

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.modelling.model_file import (
    OTHER_PROGRAMS,
    ModelText,
    ProgramParts,
    column_bounds,
    numbers_of,
)
from cpe_opt.modelling.program import ENDLESS, LinearProgram, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram

_PLAIN = ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "QUADOBJ", "QMATRIX", "ENDATA")
_SECTIONS = ("NAME", "OBJSENSE", *_PLAIN)
_QUADRATIC = ("QUADOBJ", "QMATRIX")
_BOUNDS = {  # lower and upper: nan for none, v for the value
    "UP": ("nan", "v"),
    "UI": ("nan", "v"),
    "LO": ("v", "nan"),
    "LI": ("v", "nan"),
    "FX": ("v", "v"),
    "FR": ("-inf", "inf"),
    "MI": ("-inf", "nan"),
    "PL": ("nan", "inf"),
    "BV": ("0", "1"),
}


def read_mps(text: ModelText, name: str) -> LinearProgram | QuadraticProgram:
    """The program of an MPS file, under this name.

    Raises :class:`FaultyFile` where the file does not keep to the format, with the line.
    """
    return _MpsReader(text).parts().program(text, name)


class _MpsReader:
    """The words of a file, the first one of each line, and the lines of sections, from 0."""

    def __init__(self, text: ModelText) -> None:
        self.text, self.refuse = text, text.refuse
        code = re.sub(r"(?m)^\*.*$", "", text.text) if "*" in text.text else text.text
        signs = np.frombuffer(f"\n{code}\n".encode(), dtype=np.uint8)
        breaks, blank = np.flatnonzero(signs == ord("\n")), signs <= ord(" ")
        self.words = code.split()
        self.starts = np.searchsorted(np.flatnonzero(blank[:-1] & ~blank[1:]), breaks)
        self.sections = self._divided(np.flatnonzero(~blank[breaks[:-1] + 1]).tolist())

    def _divided(self, heads: list[int]) -> dict[str, tuple[int, int]]:
        """The sections of the file, of which these lines are the first."""
        sections: dict[str, tuple[int, int]] = {}
        first = int(np.searchsorted(self.starts, 0, side="right")) - 1
        if self.words and first not in heads:
            self._unexpected(first + 1, "a section such as ROWS first")
        for head, end in pairwise([*heads, len(self.starts) - 1]):
            section, *rest = self._at(head + 1)
            if section.lower() in OTHER_PROGRAMS:
                self.text.refuse_other(head + 1, section)
            if section not in _SECTIONS or section in sections or (rest and section in _PLAIN):
                expected = f"one of {', '.join(_SECTIONS)}, each once; data begin with a blank"
                self._unexpected(head + 1, expected)
            sections[section] = head, end
            if section == "ENDATA":
                break
        else:
            last = int(np.searchsorted(self.starts, len(self.words)))
            self.refuse(max(last, 1), "the file ends without ENDATA, as if it had been cut off")
        for missing in {"ROWS", "COLUMNS"} - sections.keys():
            self.refuse(sections["ENDATA"][0] + 1, f"the end without the section {missing}")
        return sections

    def _at(self, line: int) -> list[str]:
        return self.words[self.starts[line - 1] : self.starts[line]]

    def _unexpected(self, line: int, expected: str) -> NoReturn:
        self.refuse(line, f"{' '.join(self._at(line))[:60]!r}, expected {expected}")

    def _lines(self, section: str) -> tuple[IntArray, IntArray, IntArray]:
        """Of the lines of data of a section, the numbers, from 1, first words and how many."""
        head, end = self.sections.get(section, (0, 0))
        counts = np.diff(self.starts[head : end + 1])
        counts[:1] = 0
        lines = np.flatnonzero(counts)
        return lines + head + 1, self.starts[lines + head], counts[lines]

    def _words(self, places: IntArray) -> list[str]:
        steps = np.diff(places)
        if len(steps) and (steps == steps[0]).all() and steps[0] > 0:  # at once
            return self.words[places[0] : places[-1] + 1 : steps[0]]
        return [self.words[k] for k in places.tolist()]

    def _numbers(
        self, what: str, names: list[str], lines: IntArray, known: Mapping[str, int]
    ) -> IntArray:
        """The numbers of rows or columns by name."""
        try:
            return np.array(list(map(known.__getitem__, names)), dtype=np.int64)
        except KeyError as error:
            name = error.args[0]
            self.refuse(
                lines[names.index(name)], f"the {what} {name[:60]!r}, which is not declared"
            )

    def _table(
        self, section: str, known: Mapping[str, int], kept: BoolArray | slice = slice(None)
    ) -> tuple[list[str], IntArray, IntArray, FloatArray, IntArray]:
        """The pairs of a section: firsts of lines, and of pairs which line, name, value and where.

        A line has a column or set, which RHS and RANGES may leave out, and one or two pairs of a
        row (under QUADOBJ and QMATRIX, one of a column) and a number. A set left out is "".
        """
        lines, starts, counts = (each[kept] for each in self._lines(section))
        head, what = counts % 2, "column" if section in _QUADRATIC else "row"
        least = 2 if section in ("RHS", "RANGES") else 3
        most = 3 if section in _QUADRATIC else 5
        wrong = (counts < least) | (counts > most) | ((head == 0) & (least == 3))
        for k in np.flatnonzero(wrong)[:1]:
            self._unexpected(lines[k], f"a name, a {what} and a number, at most {most} words")
        again = np.flatnonzero(counts > 3)
        line = np.append(np.arange(len(lines)), again)
        place = np.append(starts + head, (starts + head)[again] + 2)
        firsts = self._words(starts)
        if not head.all():
            firsts = [word * has for word, has in zip(firsts, head.tolist(), strict=True)]
        where = lines[line]
        number = self._numbers(what, self._words(place), where, known)
        return firsts, line, number, numbers_of(self.text, self._words(place + 1), where), where

    def _refuse_twice(self, key: IntArray, lines: IntArray, what: str) -> None:
        if np.diff(np.sort(key)).all():
            return
        order = np.lexsort((lines, key))
        for k in order[1:][np.diff(key[order]) == 0][:1]:
            self._unexpected(lines[k], f"no second {what}")

    def _check_sets(self, section: str, sets: list[str], lines: IntArray) -> None:
        """Refuse a second set; one that is left out is as any."""
        named = [name for name in dict.fromkeys(sets) if name]
        if len(named) > 1:
            line = lines[sets.index(named[1])]
            self._unexpected(line, f"one set of {section}, which is {named[0][:40]!r} before")

    def parts(self) -> ProgramParts:
        """Read all sections."""
        rows = self._read_rows()
        columns, marked, entries = self._read_columns()
        sides, constant = self._read_sides(rows)
        bounds, bound_lines, integer = self._read_bounds(columns, marked)
        return ProgramParts(
            sense=self._sense(),
            columns=list(columns),
            rows=list(rows),
            row_lines=list(rows.values()),
            constant=constant,
            sides=sides,
            entries=entries,
            bounds=bounds,
            bound_lines=bound_lines,
            integer=integer,
            quadratic=self._read_quadratic(columns),
        )

    def _sense(self) -> Sense:
        if "OBJSENSE" not in self.sections:
            return "min"
        head, _ = self.sections["OBJSENSE"]
        line, words = head + 1, self._at(head + 1)[1:]
        for more in self._lines("OBJSENSE")[0].tolist():
            line, words = more, words + self._at(more)
        sense = " ".join(words).lower()
        if not re.fullmatch("(min|max)(imum|imi[sz]e)?", sense):
            self._unexpected(line, "MIN or MAX, once")
        return "max" if sense.startswith("max") else "min"

    def _read_rows(self) -> dict[str, int]:
        """The rows with their lines; the objective gets the number -1, others of kind N less."""
        self.kinds: dict[str, str] = {}
        lines: dict[str, int] = {}
        for line in self._lines("ROWS")[0].tolist():
            words = self._at(line)
            if len(words) != 2 or words[0] not in ("N", "L", "G", "E"):
                self._unexpected(line, "N, L, G or E and a name")
            kind, name = words
            if name in lines:
                self.refuse(line, f"a second row {name!r}; the first is in line {lines[name]}")
            self.kinds[name], lines[name] = kind, line
        rows = {name: line for name, line in lines.items() if self.kinds[name] != "N"}
        self.rows = {name: k for k, name in enumerate(rows)}
        free = [name for name, kind in self.kinds.items() if kind == "N"]
        self.rows |= {name: -1 - k for k, name in enumerate(free)}
        return rows

    def _read_columns(
        self,
    ) -> tuple[dict[str, int], BoolArray, tuple[IntArray, IntArray, FloatArray, IntArray]]:
        """The columns by number, which of them are between markers, and their entries."""
        lines, starts, _ = self._lines("COLUMNS")
        inside, kept = np.zeros((2, len(lines)), dtype=np.bool_)
        kept, whole = ~kept, False
        for k in [k for k, word in enumerate(self._words(starts + 1)) if word == "'MARKER'"]:
            mark = "'INTEND'" if whole else "'INTORG'"
            if self._at(lines[k])[2:] != [mark]:
                self._unexpected(lines[k], f"the marker {mark}")
            whole, kept[k] = not whole, False
            inside[k:] = whole
        heads, line, row, value, where = self._table("COLUMNS", self.rows, kept)
        columns = {name: k for k, name in enumerate(dict.fromkeys(heads))}
        column = np.array(list(map(columns.__getitem__, heads)), dtype=np.int64)
        begins = np.flatnonzero(np.diff(column, prepend=-1))
        for k in begins[column[begins] != np.arange(len(begins))][:1]:
            self._unexpected(lines[kept][k], "the lines of a column one after another")
        self._refuse_twice(column[line] * len(self.rows) + row, where, "entry of a row in a column")
        used = row >= -1
        entries = row[used], column[line][used], value[used], where[used]
        return columns, inside[kept][begins], entries

    def _read_sides(self, rows: dict[str, int]) -> tuple[FloatArray, float]:
        """The lower and upper sides of rows, and the constant of the objective."""
        side, width = np.zeros(len(rows)), np.full(len(rows), np.nan)
        names, constant = list(rows), 0.0
        for section, values in (("RHS", side), ("RANGES", width)):
            sets, _, row, value, where = self._table(section, self.rows)
            self._check_sets(section, sets, where)
            self._refuse_twice(row, where, f"number of a row in {section}")
            values[row[row >= 0]] = value[row >= 0]
            for k in np.flatnonzero((np.abs(value) >= ENDLESS) & (row >= 0)).tolist():
                rows[names[row[k]]] = int(where[k])
            for k in np.flatnonzero(row < 0).tolist():
                if section == "RANGES":
                    self._unexpected(where[k], "no row of kind N, which has no side")
                if row[k] == -1:
                    constant = 0.0 - float(value[k])
        kind = np.array([self.kinds[name] for name in names], dtype="U1")
        ranged = ~np.isnan(width)
        down = ranged & ((kind == "L") | ((kind == "E") & (width < 0.0)))
        lower = np.where(kind == "L", -np.inf, side)
        upper = np.where(kind == "G", np.inf, side)
        lower = np.where(down, side - np.abs(width), lower)
        upper = np.where(ranged & ~down, side + np.abs(width), upper)
        return np.array([lower, upper]), constant

    def _read_bounds(
        self, columns: Mapping[str, int], marked: BoolArray
    ) -> tuple[FloatArray, IntArray, BoolArray]:
        """Bounds of columns, the lines that state them, and which columns are whole."""
        lines, starts, counts = self._lines("BOUNDS")
        kinds = self._words(starts)
        for kind in dict.fromkeys(kinds):
            if kind not in _BOUNDS:
                expected = f"a bound of kind {', '.join(_BOUNDS)}"
                self._unexpected(lines[kinds.index(kind)], expected)
        code = np.array(list(map(list(_BOUNDS).index, kinds)), dtype=np.int64)
        valued = np.array(["v" in sides for sides in _BOUNDS.values()])[code]
        for k in np.flatnonzero((counts > 4) | (counts < 2 + valued))[:1]:
            self._unexpected(lines[k], "a kind, a set, a column and a number")
        # With a set, unless a column follows the kind, perhaps with a number that means nothing.
        named = counts - valued > 2
        for k in np.flatnonzero((counts == 3) & ~valued).tolist():
            named[k] = self.words[starts[k] + 2] in columns
        self._check_sets("BOUNDS", self._words(starts[named] + 1), lines[named])
        column = self._numbers("column", self._words(starts + 1 + named), lines, columns)
        words = self._words((starts + 2 + named)[valued])
        value = np.zeros(len(lines))
        value[valued] = numbers_of(self.text, words, lines[valued])
        table = np.array(list(_BOUNDS.values()))
        fixed = np.where(table == "v", "0", table).astype(float)
        stated = np.where((table == "v")[code].T, value, fixed[code].T)
        bounds, where = column_bounds(self.text, list(columns), column, stated, lines)
        for k in np.flatnonzero((bounds[1] < 0.0) & (where[0] == 0))[:1]:
            expected = "LO or MI, too: without, some readers take 0 and others -inf"
            self._unexpected(where[1, k], expected)
        bounds[1, marked & ~where.any(axis=0)] = 1.0
        whole = np.array([kind in ("LI", "UI", "BV") for kind in kinds], dtype=np.bool_)
        integer = marked.copy()
        integer[column[whole]] = True
        return bounds, where, integer

    def _read_quadratic(self, columns: Mapping[str, int]) -> list[tuple[int, int, float, int]]:
        """The entries of Q, of both triangles, with their lines."""
        given = [section for section in _QUADRATIC if section in self.sections]
        if not given:
            return []
        if len(given) > 1:
            self._unexpected(self.sections[given[1]][0] + 1, f"one of {' and '.join(given)}")
        heads, _, other, value, where = self._table(given[0], columns)
        one = self._numbers("column", heads, where, columns)
        self._refuse_twice(one * len(columns) + other, where, "quadratic term of two columns")
        entries = list(zip(*(each.tolist() for each in (one, other, value, where)), strict=True))
        terms = {(i, j): term for i, j, term, _ in entries}
        for i, j, term, line in entries:
            opposite = terms.get((j, i))
            if i != j and opposite != (term if given == ["QMATRIX"] else None):
                self._unexpected(line, "QUADOBJ with one triangle or QMATRIX with both, equal")
        if given == ["QUADOBJ"]:
            entries += [(j, i, term, line) for i, j, term, line in entries if i != j]
        return entries
