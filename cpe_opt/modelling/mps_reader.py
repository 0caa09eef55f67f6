"""The reader of MPS files, free and fixed.

A line that begins with a character is a section; data begin with a blank. Lines that are empty or
begin with ``*`` are comments, as is what follows a word, but the first, that begins with ``$``.
The sections, each at most once and in any order::

    NAME      the name of the program, and FREE where the file says so
    OBJSENSE  MIN or MAX, on the same line or the next
    OBJNAME   which row of kind N is the objective; otherwise the first
    ROWS      kind name                         N: no side, L: <=, G: >=, E: =
    COLUMNS   column row value [row value]      the entries of a column one after another
              name 'MARKER' 'INTORG'            columns are whole from here on,
              name 'MARKER' 'INTEND'            up to here, or to the end of the section
    RHS       [set] row value [row value]
    RANGES    [set] row value [row value]
    BOUNDS    kind [set] column [value]
    QUADOBJ   column column value               Q, of which the objective has ½ x'Qx: one triangle
    QSECTION  [objective] column column value   the same
    QMATRIX   column column value               Q, both triangles
    ENDATA                                      what follows is not read

- The side of the objective is the constant with its sign changed, as CPLEX, HiGHS and cbc read it.
  Rows of kind N other than the objective restrict nothing, and are left out.
- A range R of a row with side b: L gives [b - abs(R), b], G [b, b + abs(R)], E [b, b + R] or, where
  R is negative, [b + R, b].
- Bounds: UP, LO, FX, FR, MI (no lower one), PL (no upper one), BV (0 or 1), LI and UI (whole, too).
  FR, MI, PL, BV take no value; a number after them has no meaning. A negative UP or UI asks for a
  lower bound: some readers put it at 0 and others at -∞.
- A column between markers without any bound is 0 or 1, as all readers have it. With any bound it is
  as another: LO alone leaves it without an upper one, as in CPLEX, Gurobi and HiGHS.
- Under QUADOBJ and QSECTION an entry off the diagonal stands for the one opposite, too, and it may
  be of either triangle, but not of both; under QMATRIX both are given, and equal. A QSECTION of a
  row, as a QCMATRIX, is refused.
- Every name is declared, no entry, side or range is given twice, no section has a second set.

Words are divided at blanks. A file that cannot be read so is read by the columns of the fixed
format, 2-3, 5-12, 15-22, 25-36, 40-47, 50-61, where names may have blanks.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.modelling.model_file import (
    EXPECTED,
    OTHER_PROGRAMS,
    Entries,
    FaultyFile,
    ModelText,
    assembled,
    column_bounds,
    numbers_of,
)
from cpe_opt.modelling.program import ENDLESS, LinearProgram, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram

_QUADRATIC = ("QUADOBJ", "QSECTION", "QMATRIX")
_PLAIN = ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "QUADOBJ", "QMATRIX", "ENDATA")
_SECTIONS = ("NAME", "OBJSENSE", "OBJNAME", "QSECTION", *_PLAIN)
_BOUNDS = {  # lower and upper, where the value v stands for itself, and - for none
    "UP": "-v",
    "UI": "-v",
    "LO": "v-",
    "LI": "v-",
    "FX": "vv",
    "FR": "mp",
    "MI": "m-",
    "PL": "-p",
    "BV": "01",
}
_VALUES = {"-": np.nan, "m": -np.inf, "p": np.inf, "0": 0.0, "1": 1.0}
_FIELDS = ((1, 3), (4, 12), (14, 22), (24, 36), (39, 47), (49, 61))
_FORMS = {
    "COLUMNS": "a column, a row and a number, and perhaps another row and number",
    **dict.fromkeys(("RHS", "RANGES"), "a set, a row and a number"),
}
_COMMENT = re.compile(r"(?m)^\*.*$")
_BEHIND = re.compile(r"(?m)^([ \t]+[^ \t\n]+(?:[ \t]+[^ \t\n$][^ \t\n]*)*)[ \t]+\$.*$")


def read_mps(text: ModelText, name: str) -> LinearProgram | QuadraticProgram:
    """The program of an MPS file, under this name.

    Raises :class:`FaultyFile` where the file does not keep to the format, with the line.
    """
    try:
        return _MpsReader(text, fixed=False).program(name)
    except FaultyFile as error:
        try:
            return _MpsReader(text, fixed=True).program(name)
        except FaultyFile as other:
            raise (other if 0 < error.line < other.line else error) from None


class _MpsReader:
    """The words of a file, and which of them each line has.

    Attributes
    ----------
    words : list of str
        Without comments.
    starts : int array, shape (lines + 1,)
        The number of the first word of each line.
    sections : dict of tuples
        Of each section, its line and the one of the next section, both from 0.
    """

    def __init__(self, text: ModelText, *, fixed: bool) -> None:
        self.text, self.refuse = text, text.refuse
        code = _COMMENT.sub("", text.text) if "*" in text.text else text.text
        code = _BEHIND.sub(r"\1", code) if "$" in code else code
        signs = np.frombuffer(f"\n{code}\n".encode(), dtype=np.uint8)
        breaks, blank = np.flatnonzero(signs == ord("\n")), signs <= ord(" ")
        heads = np.flatnonzero(~blank[breaks[:-1] + 1])
        if fixed:
            rows = [
                line.split() if line[:1] > " " else self._fields(number, line)
                for number, line in enumerate(code.split("\n"), start=1)
            ]
            self.words = [word for row in rows for word in row]
            self.starts = np.cumsum([0, *map(len, rows)])
        else:
            self.words = code.split()
            firsts = np.flatnonzero(blank[:-1] & ~blank[1:])
            self.starts = np.searchsorted(firsts, breaks)
        self.sections = self._divided(heads)

    def _fields(self, number: int, line: str) -> list[str]:
        """The fields of a line of data, without those that are empty at the ends."""
        rest = list(line)
        for start, end in _FIELDS:
            rest[start:end] = " " * len(rest[start:end])
        if "".join(rest).strip() or "\t" in line:
            self.refuse(number, "characters outside of the fields of the fixed format")
        words = [line[start:end].strip() for start, end in _FIELDS]
        while words and not words[-1]:
            words.pop()
        return words[1:] if words and not words[0] else words

    def _divided(self, heads: IntArray) -> dict[str, tuple[int, int]]:
        """The sections of the file, of which these lines are the first."""
        sections: dict[str, tuple[int, int]] = {}
        first = int(np.searchsorted(self.starts, 0, side="right")) - 1
        if self.words and (not heads.size or first < heads[0]):
            shown = " ".join(self._at(first))[:40]
            self.refuse(first + 1, f"{shown!r}, expected a section such as ROWS")
        for head, end in pairwise([*heads.tolist(), len(self.starts) - 1]):
            section, *rest = self._at(head)
            if other := OTHER_PROGRAMS.get(section.lower()):
                self.refuse(head + 1, f"the section {section}: the program has {other}, {EXPECTED}")
            if section not in _SECTIONS:
                self.refuse(
                    head + 1,
                    f"the section {section[:40]!r}, expected one of {', '.join(_SECTIONS)}; lines "
                    "of data begin with a blank",
                )
            if section in sections:
                self.refuse(head + 1, f"a second section {section}")
            if section in _QUADRATIC and (before := sections.keys() & {*_QUADRATIC}):
                self.refuse(
                    head + 1, f"the section {section} after {before.pop()}, expected one of the two"
                )
            if rest and section in _PLAIN:
                self.refuse(
                    head + 1, f"{rest[0][:40]!r} behind {section}; lines of data begin with a blank"
                )
            sections[section] = head, end
            if section == "ENDATA":
                return sections
        last = int(np.flatnonzero(np.diff(self.starts))[-1]) if self.words else 0
        raise self.text.refused(last + 1, "the file ends without ENDATA, as if it had been cut off")

    def _at(self, line: int) -> list[str]:
        return self.words[self.starts[line] : self.starts[line + 1]]

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
            name, section = error.args[0], "ROWS" if what == "row" else "COLUMNS"
            self.refuse(
                lines[names.index(name)], f"the {what} {name[:60]!r}, which is not under {section}"
            )

    def _values(self, words: list[str], lines: IntArray) -> FloatArray:
        return numbers_of(words, lambda place, why: self.refuse(lines[place], why))

    def _table(
        self, section: str, kept: BoolArray | slice, known: Mapping[str, int]
    ) -> tuple[list[str], IntArray, FloatArray, IntArray]:
        """The entries of a section: first words of lines, "" for none, rows, values and lines.

        A line has a column or set, which RHS and RANGES may leave out, and one or two pairs of a
        row (of QUADOBJ, a column) and a number. No pair is there twice.
        """
        lines, starts, counts = (each[kept] for each in self._lines(section))
        heads = counts % 2 if section in ("RHS", "RANGES") else np.ones_like(counts)
        pairs = counts - heads
        most = 2 if section in _QUADRATIC else 4
        for k in np.flatnonzero((pairs % 2 > 0) | (pairs < 2) | (pairs > most))[:1]:
            self.refuse(
                lines[k],
                f"{counts[k]} words, expected {_FORMS.get(section, 'two columns and a number')}",
            )
        line, start, pair, head = (
            np.repeat(each, pairs // 2) for each in (np.arange(len(lines)), starts, starts, heads)
        )
        pair = pair + head
        pair[1:][line[1:] == line[:-1]] += 2
        line = lines[line]
        firsts = self._words(start)
        if not heads.all():
            firsts = [word * int(has) for word, has in zip(firsts, head, strict=True)]
        what = "column" if section in _QUADRATIC else "row"
        number = self._numbers(what, self._words(pair), line, known)
        return firsts, number, self._values(self._words(pair + 1), line), line

    def _refuse_twice(self, key: IntArray, lines: IntArray, what: Callable[[int], str]) -> None:
        if not np.diff(np.sort(key)).all():
            order = np.argsort(key, kind="stable")
            k = int(order[1:][np.diff(key[order]) == 0][0])
            self.refuse(lines[k], f"a second {what(k)}")

    def _check_sets(self, section: str, sets: list[str], lines: IntArray) -> None:
        """Refuse a second set; one that is left out is as any."""
        named = [name for name in dict.fromkeys(sets) if name]
        if len(named) > 1:
            self.refuse(
                lines[sets.index(named[1])],
                f"a second set of {section}, {named[1][:40]!r} after {named[0]!r}; expected one",
            )

    def program(self, name: str) -> LinearProgram | QuadraticProgram:
        """Read all sections."""
        rows = self._read_rows()
        columns, integer, entries = self._read_columns()
        sides, constant = self._read_sides(rows)
        bounds, bound_lines, integer = self._read_bounds(columns, integer)
        return assembled(
            self.text,
            name,
            self._sense(),
            columns=list(columns),
            rows=rows,
            constant=constant,
            sides=sides,
            entries=entries,
            bounds=bounds,
            bound_lines=bound_lines,
            integer=integer,
            quadratic=self._read_quadratic(columns),
        )

    def _option(self, section: str) -> tuple[int, str]:
        """What a section of one entry says, on its line or the next one, and where."""
        line = self.sections[section][0] + 1
        words, lines = self._at(line - 1)[1:], self._lines(section)[0].tolist()
        if not words and lines:
            line = lines.pop(0)
            words = self._at(line - 1)
        if lines:
            self.refuse(lines[0], f"a second entry of {section}, expected one")
        return line, " ".join(words)

    def _sense(self) -> Sense:
        if "OBJSENSE" not in self.sections:
            return "min"
        line, sense = self._option("OBJSENSE")
        if not re.fullmatch("(min|max)(imum|imi[sz]e)?", sense.lower()):
            self.refuse(line, f"the sense {sense[:40]!r}, expected MIN or MAX")
        return "max" if sense.lower().startswith("max") else "min"

    def _read_rows(self) -> dict[str, int]:
        """The rows with their lines; the objective gets the number -1, others of kind N less."""
        if missing := [each for each in ("ROWS", "COLUMNS") if each not in self.sections]:
            self.refuse(len(self.starts) - 1, f"no section {missing[0]} in the whole file")
        self.kinds: dict[str, str] = {}
        lines: dict[str, int] = {}
        for line in self._lines("ROWS")[0].tolist():
            words = self._at(line - 1)
            if len(words) != 2 or words[0] not in ("N", "L", "G", "E"):
                self.refuse(line, f"{' '.join(words)[:40]!r}, expected N, L, G or E and a name")
            if words[1] in lines:
                first = lines[words[1]]
                self.refuse(line, f"a second row {words[1]!r}; the first is in line {first}")
            self.kinds[words[1]], lines[words[1]] = words[0], line
        free = [name for name, kind in self.kinds.items() if kind == "N"]
        self.objective = free[0] if free else None
        if "OBJNAME" in self.sections:
            line, name = self._option("OBJNAME")
            if name not in free:
                self.refuse(
                    line, f"the objective {name[:40]!r}, but no row of kind N has this name"
                )
            free.remove(name)
            free.insert(0, name)
            self.objective = name
        rows = {name: line for name, line in lines.items() if self.kinds[name] != "N"}
        self.rows = {name: k for k, name in enumerate(rows)}
        self.rows |= {name: -1 - k for k, name in enumerate(free)}
        return rows

    def _read_columns(self) -> tuple[dict[str, int], BoolArray, Entries]:
        """The columns by number, which of them are between markers, and their entries."""
        lines, starts, counts = self._lines("COLUMNS")
        inside, kept = np.zeros((2, len(lines)), dtype=np.bool_)
        kept, whole = ~kept, False
        for k in self._markers(starts, counts):
            word = " ".join(self._at(lines[k] - 1)[2:]).strip(" '\"")
            if word not in ("INTORG", "INTEND"):
                self.refuse(lines[k], f"the marker {word[:40]!r}, expected INTORG or INTEND")
            if whole == (word == "INTORG"):
                self.refuse(lines[k], f"a second {word}, expected the other marker before it")
            whole, kept[k] = not whole, False
            inside[k:] = whole
        heads, row, value, line = self._table("COLUMNS", kept, self.rows)
        columns = {name: k for k, name in enumerate(dict.fromkeys(heads))}
        column = np.array(list(map(columns.__getitem__, heads)), dtype=np.int64)
        begins = np.flatnonzero(np.diff(column, prepend=-1))
        for k in begins[np.flatnonzero(column[begins] != np.arange(len(begins)))[:1]]:
            first = line[begins[column[k]]]
            self.refuse(line[k], f"column {heads[k]!r} again, which begins in line {first}")
        names = {number: name for name, number in self.rows.items()}
        self._refuse_twice(
            column * len(self.rows) + row,
            line,
            lambda k: f"entry of column {heads[k]!r} in row {names[int(row[k])]!r}",
        )
        marked = inside[np.searchsorted(lines, line[begins])]
        return columns, marked, (row, column, value, line)

    def _markers(self, starts: IntArray, counts: IntArray) -> list[int]:
        """Which of these lines are markers: their second word says so."""
        at, found = -1, []
        with contextlib.suppress(ValueError):
            while True:
                at = self.words.index("'MARKER'", at + 1)
                found.append(at)
        line = np.searchsorted(starts, np.array(found, dtype=np.int64), side="right") - 1
        return [
            k
            for k, at in zip(line.tolist(), found, strict=True)
            if k >= 0 and at == starts[k] + 1 and counts[k] > 2
        ]

    def _read_sides(self, rows: dict[str, int]) -> tuple[FloatArray, float | None]:
        """The lower and upper sides of rows, and the constant of the objective, if there is one."""
        side, width = np.zeros(len(rows)), np.full(len(rows), np.nan)
        names = {number: name for name, number in self.rows.items()}
        constant = None
        for section, values, what in (("RHS", side, "side"), ("RANGES", width, "range")):
            sets, row, value, line = self._table(section, slice(None), self.rows)
            self._check_sets(section, sets, line)
            shown = [f"{what} of row {names[k]!r}" for k in row.tolist()]
            self._refuse_twice(row, line, shown.__getitem__)
            values[row[row >= 0]] = value[row >= 0]
            for k in np.flatnonzero(np.abs(value) >= ENDLESS).tolist():
                rows[names[int(row[k])]] = int(line[k])
            for k in np.flatnonzero(row < 0).tolist():
                if section == "RANGES":
                    self.refuse(line[k], f"a {shown[k]}, which is of kind N and has no side")
                if row[k] == -1:
                    constant = 0.0 - float(value[k])
                    if not np.isfinite(constant):
                        self.refuse(line[k], f"the constant {value[k]:g} of the objective")
        kind = np.array([self.kinds[name] for name in rows], dtype="U1")
        lower, upper = np.where(kind == "L", -np.inf, side), np.where(kind == "G", np.inf, side)
        down = ~np.isnan(width) & ((kind == "L") | ((kind == "E") & (width < 0.0)))
        up = ~np.isnan(width) & ~down
        sides = [
            np.where(down, side - np.abs(width), lower),
            np.where(up, side + np.abs(width), upper),
        ]
        return np.array(sides), constant

    def _read_bounds(
        self, columns: Mapping[str, int], marked: BoolArray
    ) -> tuple[FloatArray, IntArray, BoolArray]:
        """Bounds of columns, the lines that state them, and which columns are whole."""
        lines, starts, counts = self._lines("BOUNDS")
        kinds = self._words(starts)
        for kind in dict.fromkeys(kinds):
            if kind not in _BOUNDS:
                semi = f"the program has semi-continuous columns, {EXPECTED}"
                usual = f"expected {', '.join(_BOUNDS)}"
                self.refuse(
                    lines[kinds.index(kind)],
                    f"a bound of kind {kind[:40]!r}: {semi if kind in ('SC', 'SI') else usual}",
                )
        valued = np.array(["v" in _BOUNDS[kind] for kind in kinds], dtype=np.bool_)
        named = counts - valued > 2  # with a set, unless it is a column with or without a number
        wrong = (counts > 4) | (counts < 2 + valued)
        for k in np.flatnonzero(counts == 3).tolist():
            one, other = self.words[starts[k] + 1], self.words[starts[k] + 2]
            named[k] &= other in columns
            wrong[k] |= valued[k] and one not in columns and other in columns
        for k in np.flatnonzero(wrong)[:1]:
            number = " and a number" * int(valued[k])
            self.refuse(
                lines[k], f"{counts[k]} words, expected {kinds[k]}, a set, a column{number}"
            )
        sets = self._words(starts[named] + 1)
        self._check_sets("BOUNDS", sets, lines[named])
        column = self._numbers("column", self._words(starts + 1 + named), lines, columns)
        value = np.zeros(len(lines))
        value[valued] = self._values(self._words((starts + 2 + named)[valued]), lines[valued])
        stated = np.zeros((2, len(lines)))
        for side in (0, 1):
            signs = [_BOUNDS[kind][side] for kind in kinds]
            fixed = np.array([_VALUES.get(sign, 0.0) for sign in signs])
            stated[side] = np.where(np.array(signs, dtype="U1") == "v", value, fixed)
        bounds, where = column_bounds(self.text, list(columns), column, stated, lines)
        for k in np.flatnonzero((bounds[1] < 0.0) & (where[0] == 0))[:1]:
            self.refuse(
                where[1, k],
                f"column {list(columns)[k]!r} has the upper bound {bounds[1, k]:g} and no lower "
                "one, which is 0 for some readers and -inf for others; expected LO or MI, too",
            )
        bounds[1, marked & ~where.any(axis=0)] = 1.0
        whole = np.array([kind in ("LI", "UI", "BV") for kind in kinds], dtype=np.bool_)
        integer = marked.copy()
        integer[column[whole]] = True
        return bounds, where, integer

    def _read_quadratic(self, columns: Mapping[str, int]) -> list[tuple[int, int, float, int]]:
        """The entries of Q, of both triangles, with their lines."""
        section = next((each for each in _QUADRATIC if each in self.sections), "")
        head = self.sections.get(section, (0, 0))[0]
        if section == "QSECTION" and (row := self._at(head)[1:]) not in ([], [self.objective]):
            self.refuse(
                head + 1,
                f"the section QSECTION of {' '.join(row)[:40]!r}, which is not the objective: "
                "expected linear rows",
            )
        if not section:
            return []
        heads, other, value, line = self._table(section, slice(None), columns)
        one = self._numbers("column", heads, line, columns)
        names = list(columns)
        self._refuse_twice(
            one * len(columns) + other,
            line,
            lambda k: f"quadratic term of columns {names[one[k]]!r} and {names[other[k]]!r}",
        )
        places = list(zip(one.tolist(), other.tolist(), strict=True))
        terms = dict(zip(places, zip(value.tolist(), line.tolist(), strict=True), strict=True))
        entries = []
        for (i, j), (number, where) in terms.items():
            opposite, there = terms.get((j, i), (0.0, 0))
            entries.append((i, j, number, where))
            if section == "QMATRIX" and opposite != number:
                self.refuse(
                    where,
                    f"the quadratic term {number:g} of columns {names[i]!r} and {names[j]!r}, and "
                    f"{opposite:g} the other way round; expected both",
                )
            if section != "QMATRIX" and i != j:
                entries.append((j, i, number, where))
                if there:
                    self.refuse(
                        max(where, there),
                        f"a quadratic term, the other way round in line {min(where, there)}, "
                        f"expected one triangle under {section}",
                    )
        return entries
