"""The reader of the Conic Benchmark Format (:mod:`cpe_opt.modelling.cbf`).

A file of another hand may have cones of columns (``VAR``) and matrix variables (``PSDVAR``): both
become rows here, and the lower triangles of matrix variables, row by row, columns that follow those
of ``VAR``. Whole columns (``INT``) are read where all cones are linear, as no solver here takes
both; a second instance (``CHANGE``) is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from cpe_opt.errors import InputError
from cpe_opt.modelling.cones import CONES, POWERS, Cone, ConeForm, ConeName
from cpe_opt.modelling.names import program_name_of

_NEWEST = 4
_PLAIN_CONES = tuple(name for name in CONES if name not in ("PSD", *POWERS))
_LINEAR = ("L=", "L+", "L-", "F")
_POWER = re.compile(r"@(\d+):(POW\*?)", re.ASCII)
_LEAST = 1e-9  # share of an exponent in the sum of those of its cone
_SIZES = {"Q": (1, None), "QR": (2, None), "EXP": (3, 3), "EXP*": (3, 3)}
_MOST = 10_000_000  # columns or rows: arrays of this length are made before anything else is read
# How many whole numbers precede the value in a line of a section.
_COORDINATES = {
    "OBJFCOORD": 3,
    "OBJACOORD": 1,
    "FCOORD": 4,
    "ACOORD": 2,
    "BCOORD": 1,
    "HCOORD": 4,
    "DCOORD": 3,
}


def read_cone_form(path: Path) -> ConeForm:
    """The program of a ``.cbf`` file, with columns ``x_0``, ``x_1``, ….

    Raises :class:`InputError` if the file is missing or does not keep to the format, with the
    line, has whole columns next to other cones than linear ones, or several instances.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{str(path)!r} is no text") from None
    except OSError:
        raise InputError(f"no file {str(path)!r}") from None
    return _assembled(_Sections(path, text))


def triangles(matrices: list[Cone]) -> list[tuple[int, int, int]]:
    """Number, row and column of every entry of the lower triangles, in order."""
    return [
        (number, row, column)
        for number, cone in enumerate(matrices)
        for row in range(cone.order)
        for column in range(row + 1)
    ]


class _Sections:
    """The content of a file, section by section."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.sense = ""
        self.offset = 0.0
        self.columns: list[Cone] = []
        self.rows: list[Cone] = []
        self.matrices: list[Cone] = []
        self.variables: list[Cone] = []
        self.exponents: dict[str, list[tuple[float, ...]]] = {name: [] for name in POWERS}
        self.integer: list[int] = []
        self._integer_line = 0
        self.entries: dict[str, list[tuple[list[int], float]]] = {}
        self._line = 0
        self._lines = self._words(text)
        for keyword in self._lines:
            self._read(" ".join(keyword))
        other = [c.name for c in (*self.columns, *self.rows) if c.name not in _LINEAR]
        other += ["PSD"] * bool(self.matrices or self.variables)
        if self.integer and other:
            self._line = self._integer_line
            raise self._refused(
                f"whole columns next to a cone {other[0]}, which no solver here takes; expected "
                f"{', '.join(_LINEAR)} alone"
            )
        columns = self.columns or self.variables
        for section, there in (("OBJSENSE", self.sense), ("VAR", columns)):
            if not there:
                raise InputError(f"{str(path)!r} has no section {section}: it is no model file")

    def _words(self, text: str) -> Iterator[list[str]]:
        """The lines that say something, as words."""
        for number, line in enumerate(text.splitlines(), start=1):
            words = line.partition("#")[0].split()
            if words:
                self._line = number
                yield words

    def _read(self, keyword: str) -> None:
        """One section."""
        if keyword in _COORDINATES:
            (count,) = self._whole(self._next(1))
            for _ in range(count):
                row = self._next(_COORDINATES[keyword] + 1)
                entry = (self._whole(row[:-1]), self._value(row[-1]))
                self.entries.setdefault(keyword, []).append(entry)
        elif keyword in _READERS:
            _READERS[keyword](self)
        elif keyword == "CHANGE":
            raise self._refused("a second instance behind CHANGE, expected one instance in a file")
        else:
            known = ", ".join((*_READERS, *_COORDINATES))
            raise self._refused(
                f"the section {keyword[:40]!r}, which is not read: expected {known}"
            )

    def read_version(self) -> None:
        """``VER``."""
        (version,) = self._whole(self._next(1))
        if not 1 <= version <= _NEWEST:
            raise self._refused(f"version {version}, expected one up to {_NEWEST}")

    def read_sense(self) -> None:
        """``OBJSENSE``."""
        (sense,) = self._next(1)
        if sense not in ("MIN", "MAX"):
            raise self._refused(f"the sense {sense[:40]!r}, expected MIN or MAX")
        self.sense = sense

    def read_columns(self) -> None:
        """``VAR``."""
        self.columns = self._cones()

    def read_rows(self) -> None:
        """``CON``."""
        self.rows = self._cones()

    def read_variables(self) -> None:
        """``PSDVAR``."""
        self.variables = self._triangles()

    def read_matrices(self) -> None:
        """``PSDCON``."""
        self.matrices = self._triangles()

    def read_powers(self) -> None:
        """``POWCONES``."""
        self.exponents["POW"] = self._exponents()

    def read_dual_powers(self) -> None:
        """``POW*CONES``."""
        self.exponents["POW*"] = self._exponents()

    def read_offset(self) -> None:
        """``OBJBCOORD``."""
        self.offset = self._value(*self._next(1))

    def read_integer(self) -> None:
        """``INT``."""
        self._integer_line = self._line
        (count,) = self._whole(self._next(1))
        self.integer = [self._whole(self._next(1))[0] for _ in range(count)]
        columns = sum(cone.size for cone in self.columns)
        if not all(number < columns for number in self.integer):
            raise self._refused(f"the whole column {max(self.integer)}, of {columns} columns")

    def _triangles(self) -> list[Cone]:
        (count,) = self._whole(self._next(1))
        sides = [self._whole(self._next(1))[0] for _ in range(count)]
        if sum(side**2 for side in sides) > _MOST or 0 in sides:
            raise self._refused(
                f"matrices of the orders {sides[:5]}, expected 1 or more, and together at most "
                f"{_MOST:,} entries"
            )
        return [Cone("PSD", side * (side + 1) // 2) for side in sides]

    def _exponents(self) -> list[tuple[float, ...]]:
        """The exponents of power cones, a cone after another."""
        count, total = self._whole(self._next(2))
        table = []
        for _ in range(count):
            (size,) = self._whole(self._next(1))
            exponents = tuple(self._value(*self._next(1)) for _ in range(size))
            if not exponents or min(exponents) < _LEAST * sum(exponents) or min(exponents) <= 0.0:
                raise self._refused(
                    f"the exponents {exponents} of a power cone, expected positive ones, each at "
                    f"least {_LEAST:g} of their sum"
                )
            table.append(exponents)
        if sum(map(len, table)) != total:
            raise self._refused(f"{sum(map(len, table))} exponents, expected {total}")
        return table

    def _cones(self) -> list[Cone]:
        total, count = self._whole(self._next(2))
        if total > _MOST:
            raise self._refused(f"{total}, expected at most {_MOST:,} columns or rows")
        cones = []
        for _ in range(count):
            word, number = self._next(2)
            name, exponents = self._cone(word)
            (size,) = self._whole([number])
            least, largest = _SIZES.get(name, (1 + len(exponents), None))
            if size < least or size > (largest or size):
                raise self._refused(f"a cone {word} of size {size}")
            cones.append(Cone(name, size, exponents))
        if sum(cone.size for cone in cones) != total:
            raise self._refused(f"cones whose sizes do not add up to {total}")
        return cones

    def _cone(self, word: str) -> tuple[ConeName, tuple[float, ...]]:
        """What a word stands for: a cone, and its exponents."""
        for name in _PLAIN_CONES:
            if name == word:
                return name, ()
        for name in POWERS:
            match = _POWER.fullmatch(word)
            if match and match[2] == name:
                table = self.exponents[name]
                if int(match[1]) < len(table):
                    return name, table[int(match[1])]
                raise self._refused(
                    f"the cone {word[:40]!r}, but {len(table)} under {name}CONES before it"
                )
        expected = ", ".join((*_PLAIN_CONES, *(f"@0:{name}" for name in POWERS)))
        raise self._refused(f"the cone {word[:40]!r}, expected {expected}")

    def _next(self, width: int) -> list[str]:
        words = next(self._lines, None)
        if words is None:
            raise InputError(f"{str(self.path)!r} ends in the middle of a section")
        if len(words) != width:
            raise self._refused(f"{len(words)} words, expected {width}")
        return words

    def _whole(self, words: list[str]) -> list[int]:
        if not all(word.isdecimal() and word.isascii() for word in words):
            raise self._refused(f"{' '.join(words)[:40]!r}, expected whole numbers, 0 or more")
        return [int(word) for word in words]

    def _value(self, word: str) -> float:
        try:
            value = float(word)
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            raise self._refused(f"{word[:40]!r}, expected a finite number")
        return value

    def _refused(self, what: str) -> InputError:
        return InputError(f"{str(self.path)!r}, line {self._line}: it has {what}")


_READERS = {
    "VER": _Sections.read_version,
    "OBJSENSE": _Sections.read_sense,
    "POWCONES": _Sections.read_powers,
    "POW*CONES": _Sections.read_dual_powers,
    "VAR": _Sections.read_columns,
    "INT": _Sections.read_integer,
    "PSDVAR": _Sections.read_variables,
    "CON": _Sections.read_rows,
    "PSDCON": _Sections.read_matrices,
    "OBJBCOORD": _Sections.read_offset,
}


def _assembled(file: _Sections) -> ConeForm:
    """The matrices: the rows of ``CON``, then columns that lie in a cone, then ``PSDCON``.

    Entries of matrix variables are columns behind those of ``VAR``, and rows behind ``PSDCON``.
    """
    scalar = sum(cone.size for cone in file.columns)
    columns = {key: scalar + k for k, key in enumerate(triangles(file.variables))}
    count = scalar + len(columns)
    free = np.repeat([cone.name == "F" for cone in file.columns], [c.size for c in file.columns])
    bound = np.flatnonzero(~free.astype(np.bool_))
    rows = sum(cone.size for cone in file.rows)
    entries = {key: rows + len(bound) + k for k, key in enumerate(triangles(file.matrices))}
    matrices = rows + len(bound) + len(entries)
    costs, constants = np.zeros(count), np.zeros(matrices + len(columns))

    def row(number: int) -> int | None:
        return number if number < rows else None

    def column(number: int) -> int | None:
        return number if number < scalar else None

    def entry(
        places: dict[tuple[int, int, int], int], number: int, one: int, other: int
    ) -> int | None:
        return places.get((number, max(one, other), min(one, other)))

    def twice(*numbers: int) -> float:
        """An entry off the diagonal of a symmetric matrix counts twice in a product."""
        return 1.0 if numbers[-1] == numbers[-2] else 2.0

    # By row and column; the objective is a row, and constants are a column.
    goal = _cells(file, "OBJACOORD", lambda j: (0, column(j)))
    goal |= _cells(file, "OBJFCOORD", lambda j, k, m: (0, entry(columns, j, k, m)), twice)
    for (_, j), value in goal.items():
        costs[j] = value
    sides = _cells(file, "BCOORD", lambda i: (row(i), 0))
    sides |= _cells(file, "DCOORD", lambda i, k, m: (entry(entries, i, k, m), 0))
    for (i, _), value in sides.items():
        constants[i] = value
    cells = _cells(file, "ACOORD", lambda i, j: (row(i), column(j)))
    cells |= _cells(file, "FCOORD", lambda i, j, k, m: (row(i), entry(columns, j, k, m)), twice)
    cells |= _cells(file, "HCOORD", lambda i, j, k, m: (entry(entries, i, k, m), column(j)))
    cells |= {(rows + place, j): 1.0 for place, j in enumerate(bound.tolist())}
    cells |= {(matrices + place, scalar + place): 1.0 for place in range(len(columns))}
    places = np.array(list(cells), dtype=np.int64).reshape(len(cells), 2)
    triple = (np.array(list(cells.values())), (places[:, 0], places[:, 1]))
    matrix = sp.csr_array(sp.coo_array(triple, shape=(len(constants), count)))
    matrix.sort_indices()
    bounding = (cone for cone in file.columns if cone.name != "F")
    return ConeForm(
        name=program_name_of(file.path.stem),
        sense="min" if file.sense == "MIN" else "max",
        costs=costs,
        offset=file.offset,
        cones=(*file.rows, *bounding, *file.matrices, *file.variables),
        matrix=matrix,
        constants=constants,
        column_names=tuple(f"x_{number}" for number in range(count)),
        integer=tuple(sorted(set(file.integer))),
    )


def _cells(
    file: _Sections,
    keyword: str,
    place: Callable[..., tuple[int | None, int | None]],
    factor: Callable[..., float] = lambda *_: 1.0,
) -> dict[tuple[int, int], float]:
    """The values of a section by row and column, each once and inside the program."""
    cells: dict[tuple[int, int], float] = {}
    for numbers, value in file.entries.get(keyword, []):
        row, column = place(*numbers)
        shown = " ".join(map(str, numbers))
        if row is None or column is None:
            raise InputError(
                f"{str(file.path)!r}: the section {keyword} has an entry at {shown}, where there "
                "is no row or no column"
            )
        if (row, column) in cells:
            raise InputError(f"{str(file.path)!r}: the section {keyword} has {shown} twice")
        cells[row, column] = factor(*numbers) * value
    return cells
