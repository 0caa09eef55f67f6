"""The reader of MPS files, free and fixed.

A line that begins with a character is a section; data begin with a blank. Lines that are empty or
begin with ``*`` are comments, as is what follows a ``$`` that begins where a third or fifth field
would begin. The sections, each at most once::

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
    SOS       S1 [name], or S2                  a special ordered set, whose members follow:
              column weight
    INDICATORS
              IF row column value               the row is asked for where the column is 0 or 1
    ENDATA                                      what follows is not read

- The side of the objective is the constant with its sign changed, as CPLEX, HiGHS and cbc read it.
  Rows of kind N other than the objective restrict nothing, and are left out.
- A range R of a row with side b: L gives [b - abs(R), b], G [b, b + abs(R)], E [b, b + R] or, where
  R is negative, [b + R, b].
- Bounds: UP, LO, FX, FR, MI (no lower one), PL (no upper one), BV (0 or 1), LI and UI (whole, too);
  SC and SI, with the upper bound, make semi-continuous columns of them
  (:mod:`cpe_opt.modelling.conditional`). FR, MI, PL, BV take no value; a number after them has no
  meaning. A negative UP or UI asks for a lower bound: some readers put it at 0 and others at -∞.
- A column between markers without any bound is 0 or 1, as all readers have it. One with a lower
  bound alone must state the upper one (UP or PL), which is 1 for some readers and ∞ for others.
- Under QUADOBJ and QSECTION an entry off the diagonal stands for the one opposite, too, and it may
  be of either triangle, but not of both; under QMATRIX both are given, and equal. A QSECTION of a
  row, as a QCMATRIX, is refused.
- Every name is declared, no entry, side or range is given twice, no section has a second set.

Words are divided at blanks. A file that cannot be read so is read by the columns of the fixed
format, 2-3, 5-12, 15-22, 25-36, 40-47, 50-61, where names may have blanks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NoReturn

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.modelling.conditional import Indicator, OrderedSet
from cpe_opt.modelling.model_file import LARGEST, FaultyFile, ModelText, NumberCache, ProgramParts
from cpe_opt.modelling.program import LinearProgram, Sense
from cpe_opt.modelling.quadratic import QuadraticProgram

_SENSES: dict[str, Sense] = {
    "MIN": "min",
    "MINIMIZE": "min",
    "MINIMISE": "min",
    "MINIMUM": "min",
    "MAX": "max",
    "MAXIMIZE": "max",
    "MAXIMISE": "max",
    "MAXIMUM": "max",
}
_QUADRATIC = ("QUADOBJ", "QSECTION", "QMATRIX")
_SECTIONS = (
    *("NAME", "OBJSENSE", "OBJNAME", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS"),
    *_QUADRATIC,
    "SOS",
    "INDICATORS",
    "ENDATA",
)
_OTHER_PROGRAMS = {
    "QCMATRIX": "quadratic rows",
    "CSECTION": "cones",
    "PSD": "matrices",
    "SOS1": "special ordered sets",
    "SOS2": "special ordered sets",
    "SETS": "special ordered sets",
    "GENCONS": "general constraints",
    "PWLOBJ": "a piecewise linear objective",
    "LAZYCONS": "lazy constraints",
    "USERCUTS": "user cuts",
}
_WITH_VALUE = ("UP", "LO", "FX", "LI", "UI", "SC", "SI")
_WITHOUT_VALUE = ("FR", "MI", "PL", "BV")
_FIELDS = ((1, 3), (4, 12), (14, 22), (24, 36), (39, 47), (49, 61))
_MARKER = "'MARKER'"
_MANY = 10_000  # lines of data that are worth the import of pyarrow
_EXPONENT = re.compile(r"(?<=[\d.])[dD](?=[+-]?\d)")  # of Fortran


def read_mps(text: ModelText, name: str) -> LinearProgram | QuadraticProgram:
    """The program of an MPS file, under this name.

    Raises :class:`FaultyFile` where the file does not keep to the format, with the line.
    """
    try:
        return _MpsReader(text, str.split).program(name)
    except FaultyFile as error:
        try:
            return _MpsReader(text, _fixed_words).program(name)
        except FaultyFile as other:
            raise (other if 0 < error.line < other.line else error) from None


def _fixed_words(line: str) -> list[str] | None:
    """The fields, without those that are empty at the ends; None where a character is outside."""
    if "\t" in line or len(line.rstrip()) > _FIELDS[-1][1]:
        return None
    rest = list(line)
    for start, end in _FIELDS:
        rest[start:end] = " " * len(rest[start:end])
    if "".join(rest).strip():
        return None
    words = [line[start:end].strip() for start, end in _FIELDS]
    words = words[1:] if not words[0] else words
    while words and not words[-1]:
        words.pop()
    return words


def _table(
    text: str, count: int
) -> tuple[list[str], IntArray, list[str], IntArray, FloatArray] | None:
    """Lines, ``count`` of them, of two names and a number: names by number, twice, and values.

    None where a line has another number of words, or another number than ``12.5e-3``.
    """
    import pyarrow as pa
    from pyarrow import csv

    signs = np.frombuffer(text.replace("\t", " ").encode() + b"\n", dtype=np.uint8)
    blank = signs == ord(" ")
    kept = ~blank
    kept[:-1] |= ~(blank[1:] | (signs[1:] == ord("\n")))  # the last blank before a word
    name = pa.dictionary(pa.int32(), pa.string())
    types = {"": pa.string(), "column": name, "row": name, "value": pa.float64()}
    try:
        read = csv.read_csv(
            pa.py_buffer(signs[kept].tobytes()),
            read_options=csv.ReadOptions(use_threads=False, column_names=list(types)),
            parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
            convert_options=csv.ConvertOptions(column_types=types, null_values=[]),
        ).combine_chunks()
    except pa.ArrowInvalid:
        return None
    columns, rows = (read[which].unify_dictionaries().chunk(0) for which in ("column", "row"))
    values = read["value"].to_numpy()
    if len(values) != count or not np.isfinite(values).all():
        return None
    numbers = (each.indices.to_numpy().astype(np.int64) for each in (columns, rows))
    column, row = numbers
    return columns.dictionary.to_pylist(), column, rows.dictionary.to_pylist(), row, values


class _FortranNumbers(NumberCache):
    """Numbers whose exponent may begin with D."""

    def __missing__(self, word: str) -> float:
        has_d = "D" in word or "d" in word
        return super().__missing__(_EXPONENT.sub("e", word) if has_d else word)


class _MpsReader:
    """One pass through the lines of a file."""

    def __init__(self, text: ModelText, words: Callable[[str], list[str] | None]) -> None:
        self.text, self.divided = text, words
        self.parts = ProgramParts(text)
        self.number = _FortranNumbers()
        self.line = 0
        self.kinds: dict[str, str] = {}
        self.row_lines: dict[str, int] = {}
        self.rhs: dict[str, tuple[float, int]] = {}
        self.ranges: dict[str, tuple[float, int]] = {}
        self.objective: str | None = None
        self.objective_line = 0
        self.sets: dict[str, str] = {}
        self.marked: dict[int, None] = {}  # columns between markers
        self.seen: set[str] = set()
        self.section: list[str] | None = None  # a line that has been read ahead
        self.lines = self._data()

    def program(self, name: str) -> LinearProgram | QuadraticProgram:
        """Read all sections."""
        readers: dict[str, Callable[[list[str]], None]] = {
            "NAME": lambda _: None,
            "OBJSENSE": self._read_objsense,
            "OBJNAME": self._read_objname,
            "ROWS": self._read_rows,
            "COLUMNS": self._read_columns,
            "RHS": self._read_rhs,
            "RANGES": self._read_ranges,
            "BOUNDS": self._read_bounds,
            **dict.fromkeys(_QUADRATIC, self._read_quadratic),
            "SOS": self._read_sets,
            "INDICATORS": self._read_indicators,
            "ENDATA": lambda _: None,
        }
        while words := self.section or next(self.lines, None):
            self.section = None
            self._check_section(words[0], words)
            self.seen.add(words[0])
            readers[words[0]](words)
            if words[0] == "ENDATA":
                break
        else:
            self.refuse("the file ends without ENDATA, as if it had been cut off")
        self._finish()
        return self.parts.program(name)

    def refuse(self, what: str, line: int | None = None) -> NoReturn:
        """Raise that the line has ``what``."""
        raise self.text.refused(self.line if line is None else line, what) from None

    def _data(self) -> Iterator[list[str]]:
        """The lines that are not empty, as words, without comments in data."""
        lines = self.text.lines
        while self.line < len(lines):
            line = lines[self.line]
            self.line += 1
            if not line or line[0] == "*":
                continue
            words = line.split() if line[0] not in " \t" else self.divided(line)
            if words is None:
                self.refuse("characters outside of the fields of the fixed format")
            if "$" in line and line[0] in " \t":
                cut = (k for k, word in enumerate(words) if k and word.startswith("$"))
                words = words[: next(cut, len(words))]
            if words:
                yield words

    def _within(self) -> Iterator[list[str]]:
        """The lines of data up to the next section."""
        for words in self.lines:
            if self.text.lines[self.line - 1][0] not in " \t":
                self.section = words
                return
            yield words

    def _check_section(self, section: str, words: list[str]) -> None:
        if self.text.lines[self.line - 1][0] in " \t":
            self.refuse(f"{' '.join(words)[:40]!r}, expected a section such as ROWS")
        if section in _OTHER_PROGRAMS:
            self.refuse(
                f"the section {section}: the program has {_OTHER_PROGRAMS[section]}, expected "
                "linear rows and a linear or quadratic objective"
            )
        if section not in _SECTIONS:
            self.refuse(
                f"the section {section[:40]!r}, expected one of {', '.join(_SECTIONS)}; lines of "
                "data begin with a blank"
            )
        if section in self.seen:
            self.refuse(f"a second section {section}")
        if section in _QUADRATIC and (other := self.seen.intersection(_QUADRATIC)):
            self.refuse(f"the section {section} after {other.pop()}, expected one of the two")
        if section == "QSECTION" and words[1:] not in ([], [self.objective]):
            self.refuse(
                f"the section QSECTION of {' '.join(words[1:])[:40]!r}, which is not the "
                "objective: expected linear rows"
            )
        if len(words) > 1 and section not in ("NAME", "OBJSENSE", "OBJNAME", "QSECTION"):
            self.refuse(f"{words[1][:40]!r} behind {section}; lines of data begin with a blank")
        needed = {"ROWS": "NAME", "COLUMNS": "ROWS", "OBJNAME": "NAME", "OBJSENSE": "NAME"}
        if section != "NAME" and (before := needed.get(section, "COLUMNS")) not in self.seen:
            self.refuse(f"the section {section} without {before} before it")

    def _read_objsense(self, words: list[str]) -> None:
        sense = " ".join(words[1:] or next(self.lines, []))
        if sense.upper() not in _SENSES:
            self.refuse(f"the sense {sense[:40]!r}, expected MIN or MAX")
        self.parts.sense = _SENSES[sense.upper()]

    def _read_objname(self, words: list[str]) -> None:
        if "ROWS" in self.seen:
            self.refuse("the section OBJNAME after ROWS, expected before it")
        self.objective = " ".join(words[1:] or next(self.lines, []))
        self.objective_line = self.line

    def _read_rows(self, _: list[str]) -> None:
        for words in self._within():
            if len(words) != 2 or words[0] not in ("N", "L", "G", "E"):
                self.refuse(f"{' '.join(words)[:40]!r}, expected N, L, G or E and a name")
            kind, name = words
            if name in self.kinds:
                self.refuse(f"a second row {name!r}; the first is in line {self.row_lines[name]}")
            self.kinds[name], self.row_lines[name] = kind, self.line
            if kind != "N":
                self.parts.add_row(name, 0.0, 0.0, self.line)
        free = [name for name, kind in self.kinds.items() if kind == "N"]
        if self.objective is None:
            self.objective = free[0] if free else None
        elif self.objective not in free:
            self.refuse(
                f"the objective {self.objective[:40]!r}, but no row of kind N has this name",
                self.objective_line,
            )

    def _read_columns(self, _: list[str]) -> None:
        lines = self.text.lines
        data = range(self.line, len(lines))
        end = next((place for place in data if lines[place] >= "!"), len(lines))
        long = end - self.line >= _MANY and self.divided is str.split
        if not (long and self._read_columns_at_once(end)):
            self._read_columns_by_line()

    def _read_columns_at_once(self, end: int) -> bool:
        """Read the section, which has lines of data up to this one, as a table.

        It has a column, a row and a plain number in each line; False, with nothing read, where it
        has other lines, or ones with something wrong, which :meth:`_read_columns_by_line` finds.
        """
        parts, lines = self.parts, self.text.lines
        data = range(self.line, end)
        text = "\n".join(lines[data.start : end])
        marks = [place for place in data if _MARKER in lines[place]] if _MARKER in text else []
        kinds = [lines[place].split()[1:] for place in marks]
        turns = [[_MARKER, ("'INTORG'", "'INTEND'")[turn % 2]] for turn in range(len(marks))]
        if kinds != turns or end == len(lines) or lines[end].startswith("*"):
            return False
        numbers = np.delete(np.array(data), np.array(marks, dtype=np.int64) - self.line)
        if marks:
            text = "\n".join([lines[place] for place in numbers.tolist()])
        table = None if "$" in text else _table(text, len(numbers))
        if table is None:
            return False
        names, column, row_names, place, values = table
        for zero in np.flatnonzero(values == 0.0).tolist():
            try:
                self.number[lines[numbers[zero]].split()[2]]
            except ValueError:
                return False
        begins = np.flatnonzero(np.diff(column, prepend=-1))
        if len(begins) != len(names) or not all(name in self.kinds for name in row_names):
            return False
        key = np.sort(column * len(row_names) + place)
        row = np.array([parts.rows.get(name, -1) for name in row_names])[place]
        inside = row >= 0
        if (key[1:] == key[:-1]).any() or not (np.abs(values[inside]) < LARGEST).all():
            return False
        costs = np.zeros(len(names))
        if self.objective in row_names:
            shown = place == row_names.index(self.objective)
            costs[column[shown]] = values[shown]
        within = np.searchsorted(marks, numbers[begins]) % 2 == 1
        parts.columns = {name: number for number, name in enumerate(names)}
        parts.costs.frombytes(costs.tobytes())
        parts.integer.extend(within.tobytes())
        parts.column_lines.frombytes((numbers[begins] + 1).astype(np.int64).tobytes())
        parts.entry_rows.frombytes(row[inside].astype(np.int32).tobytes())
        parts.entry_columns.frombytes(column[inside].astype(np.int32).tobytes())
        parts.entries.frombytes(values[inside].tobytes())
        self.marked = dict.fromkeys(np.flatnonzero(within).tolist())
        self.line = end
        return True

    def _read_columns_by_line(self) -> None:
        parts, number, rows = self.parts, self.number, self.parts.rows
        append_row, append_column = parts.entry_rows.append, parts.entry_columns.append
        append_value = parts.entries.append
        last = dict.fromkeys(self.kinds, -1)  # the last column with an entry in a row
        current, column, whole = None, -1, False
        for words in self._within():
            name, count = words[0], len(words)
            if count > 2 and words[1] == _MARKER:
                whole = self._marker(words, whole=whole)
                continue
            if count not in (3, 5) or not name:
                self.refuse(
                    f"{count} words, expected a column, a row and a number, and perhaps another "
                    "row and number"
                )
            if name != current:
                current, column = name, self._new_column(name, whole=whole)
            for place in (1, 3)[: count // 2]:
                row = words[place]
                if last.get(row, column) == column:
                    self._known("row", row, self.kinds)
                    self.refuse(f"a second entry of column {name!r} in row {row!r}")
                last[row] = column
                try:
                    value = number[words[place + 1]]
                except ValueError as error:
                    self.refuse(f"of column {name!r} in row {row!r}: {error}")
                if row in rows:
                    if not -LARGEST < value < LARGEST:
                        self.refuse(
                            f"the entry {value:g} of column {name!r} in row {row!r}, expected one "
                            f"below {LARGEST:g}"
                        )
                    append_row(rows[row])
                    append_column(column)
                    append_value(value)
                elif row == self.objective:
                    parts.costs[column] = value

    def _new_column(self, name: str, *, whole: bool) -> int:
        parts = self.parts
        if name in parts.columns:
            first = parts.column_lines[parts.columns[name]]
            self.refuse(f"column {name!r} again, which begins in line {first}")
        column = parts.add_column(name, self.line, integer=whole)
        if whole:
            self.marked[column] = None
        return column

    def _marker(self, words: list[str], *, whole: bool) -> bool:
        word = " ".join(words[2:]).strip().strip("'\"")
        if word not in ("INTORG", "INTEND"):
            self.refuse(f"the marker {word[:40]!r}, expected 'INTORG' or 'INTEND'")
        if whole == (word == "INTORG"):
            self.refuse(f"a second {word}, expected the other marker before it")
        return not whole

    def _values(self, section: str, words: list[str]) -> Iterator[tuple[str, float]]:
        """The rows and numbers of a line of RHS or RANGES."""
        if len(words) in (3, 5):
            self._check_set(section, words[0])
            words = words[1:]
        elif len(words) not in (2, 4):
            self.refuse(f"{len(words)} words, expected a set, a row and a number")
        for place in range(0, len(words), 2):
            row = words[place]
            self._known("row", row, self.kinds)
            yield row, self._value(words[place + 1], f"row {row!r}")

    def _read_rhs(self, _: list[str]) -> None:
        for words in self._within():
            for row, value in self._values("RHS", words):
                if row in self.rhs:
                    self.refuse(f"a second side of row {row!r}")
                self.rhs[row] = value, self.line
                if row == self.objective:
                    if not np.isfinite(value):
                        self.refuse(f"the constant {value} of the objective")
                    self.parts.offset = 0.0 - value

    def _read_ranges(self, _: list[str]) -> None:
        for words in self._within():
            for row, value in self._values("RANGES", words):
                if row in self.ranges:
                    self.refuse(f"a second range of row {row!r}")
                if self.kinds[row] == "N":
                    self.refuse(f"a range of row {row!r}, which is of kind N and has no side")
                self.ranges[row] = value, self.line

    def _read_bounds(self, _: list[str]) -> None:
        columns = self.parts.columns
        for words in self._within():
            kind, rest = words[0], words[1:]
            if kind not in (*_WITH_VALUE, *_WITHOUT_VALUE):
                self.refuse(
                    f"a bound of kind {kind[:40]!r}, expected "
                    f"{', '.join((*_WITH_VALUE, *_WITHOUT_VALUE))}"
                )
            needs = kind in _WITH_VALUE
            named = len(rest) == 3 or (not needs and len(rest) == 2 and rest[1] in columns)
            if named:
                self._check_set("BOUNDS", rest[0])
                rest = rest[1:]
            valued = len(rest) == 2 and (rest[0] in columns or rest[1] not in columns)
            if not valued and (needs or len(rest) != 1):
                self.refuse(
                    f"{len(words)} words, expected {kind}, a set, a column{' and a number' * needs}"
                )
            self._known("column", rest[0], columns)
            value = self._value(rest[1], f"column {rest[0]!r}") if len(rest) > 1 else 0.0
            self._bound(kind, rest[0], value)

    def _bound(self, kind: str, name: str, value: float) -> None:
        sides = {
            "UP": (None, value),
            "UI": (None, value),
            "LO": (value, None),
            "LI": (value, None),
            "FX": (value, value),
            "FR": (-np.inf, np.inf),
            "MI": (-np.inf, None),
            "PL": (None, np.inf),
            "BV": (0.0, 1.0),
            "SC": (None, value),
            "SI": (None, value),
        }
        column = self.parts.columns[name]
        if kind in ("SC", "SI"):
            if value <= 0.0:
                self.refuse(
                    f"the semi-continuous column {name!r} with the upper bound {value:g}, which is "
                    "infinite for some readers; expected one above 0"
                )
            self.parts.conditions.semicontinuous[column] = self.line
        self.parts.bound(name, self.line, *sides[kind])
        if kind in ("LI", "UI", "BV", "SI"):
            self.parts.integer[column] = True

    def _read_quadratic(self, section: list[str]) -> None:
        """Entries of the matrix Q; each with its line, by the numbers of their columns."""
        columns = self.parts.columns
        entries: dict[tuple[int, int], tuple[float, int]] = {}
        for words in self._within():
            if len(words) != 3:
                self.refuse(f"{len(words)} words, expected two columns and a number")
            for name in words[:2]:
                self._known("column", name, columns)
            pair = f"columns {words[0]!r} and {words[1]!r}"
            place = columns[words[0]], columns[words[1]]
            if place in entries:
                self.refuse(f"a second quadratic term of {pair}")
            if section[0] != "QMATRIX" and place[::-1] in entries:
                self.refuse(
                    f"the quadratic term of {pair} again, the other way round in line "
                    f"{entries[place[::-1]][1]}; expected one triangle under {section[0]}"
                )
            entries[place] = self._value(words[2], pair), self.line
        for (one, other), (value, line) in entries.items():
            if section[0] != "QMATRIX":
                self.parts.add_quadratic(one, other, value, line)
                continue
            opposite = entries.get((other, one), (0.0, line))[0]
            if value != opposite:
                names = list(columns)
                self.refuse(
                    f"the quadratic term {value:g} of {names[one]!r} and {names[other]!r}, and "
                    f"{opposite:g} the other way round; expected both triangles under QMATRIX",
                    line,
                )
            if one <= other:
                self.parts.add_quadratic(one, other, value, line)

    def _read_sets(self, _: list[str]) -> None:
        sets, columns = self.parts.conditions.sets, self.parts.columns
        members: dict[int, float] | None = None
        for words in self._within():
            if words[0] in ("S1", "S2") and words[0] not in columns:
                name = words[1] if len(words) == 2 else f"set_{len(sets)}"
                if len(words) > 2 or name in sets:
                    self.refuse(f"{' '.join(words)[:40]!r}, expected {words[0]} and a new name")
                members = {}
                sets[name] = OrderedSet(int(words[0][1]), members, self.line)
                continue
            if members is None or len(words) != 2:
                self.refuse(
                    f"{' '.join(words)[:40]!r}, expected S1 or S2 and a name, or a column and its "
                    "weight"
                )
            self._known("column", words[0], columns)
            weight = self._value(words[1], f"column {words[0]!r}")
            column = columns[words[0]]
            if column in members or weight in members.values():
                self.refuse(f"column {words[0]!r} or the weight {weight:g} again in its set")
            members[column] = weight

    def _read_indicators(self, _: list[str]) -> None:
        indicators = self.parts.conditions.indicators
        for words in self._within():
            if len(words) != 4 or words[0] != "IF" or words[3] not in ("0", "1"):
                self.refuse(f"{' '.join(words)[:40]!r}, expected IF, a row, a column and 0 or 1")
            self._known("row", words[1], self.parts.rows)
            self._known("column", words[2], self.parts.columns)
            row = self.parts.rows[words[1]]
            if row in indicators:
                self.refuse(f"a second indicator of row {words[1]!r}")
            column = self.parts.columns[words[2]]
            indicators[row] = Indicator(column, int(words[3]), self.line)

    def _finish(self) -> None:
        """The sides of rows, and the bounds that follow from what is not stated."""
        for name in self.parts.rows:
            kind, (side, line) = self.kinds[name], self.rhs.get(name, (0.0, self.row_lines[name]))
            lower = side if kind in "GE" else -np.inf
            upper = side if kind in "LE" else np.inf
            if name in self.ranges:
                width, line = self.ranges[name]
                if kind == "L" or (kind == "E" and width < 0.0):
                    lower = side - abs(width)
                else:
                    upper = side + abs(width)
            self.parts.set_sides(name, lower, upper, line)
        names = list(self.parts.columns)
        lower_bounds, upper_bounds = self.parts.lower, self.parts.upper
        for column, (value, line) in upper_bounds.items():
            if value < 0.0 and column not in lower_bounds:
                self.refuse(
                    f"column {names[column]!r} has the upper bound {value:g} and no lower one, "
                    "which is 0 for some readers and -inf for others; expected LO or MI, too",
                    line,
                )
        for column in self.marked:
            if column in upper_bounds:
                continue
            if column in lower_bounds:
                self.refuse(
                    f"column {names[column]!r} is whole and has a lower bound alone; the upper one "
                    "is 1 for some readers and infinite for others; expected UP or PL, too",
                    lower_bounds[column][1],
                )
            self.parts.bound(names[column], self.parts.column_lines[column], upper=1.0)

    def _value(self, word: str, what: str) -> float:
        try:
            return self.number[word]
        except ValueError as error:
            self.refuse(f"of {what}: {error}")

    def _check_set(self, section: str, name: str) -> None:
        first = self.sets.setdefault(section, name) if name else ""
        if name and name != first:
            self.refuse(f"a second set of {section}, {name[:40]!r} after {first!r}; expected one")

    def _known(self, what: str, name: str, names: Mapping[str, object]) -> None:
        if name not in names:
            section = "ROWS" if what == "row" else "COLUMNS"
            self.refuse(f"the {what} {name[:60]!r}, which is not under {section}")
