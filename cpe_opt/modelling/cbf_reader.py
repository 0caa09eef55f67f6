"""The reader of the Conic Benchmark Format (:mod:`cpe_opt.modelling.cbf`).

A file of another hand may have cones of columns (``VAR``), which become rows here; whole columns,
matrix variables and power cones are refused in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from cpe_opt.errors import InputError
from cpe_opt.modelling.cones import CONES, Cone, ConeForm
from cpe_opt.modelling.names import program_name_of

_NEWEST = 4
_SCALAR_CONES = tuple(name for name in CONES if name != "PSD")
_MOST = 10_000_000  # columns or rows: arrays of this length are made before anything else is read
# How many whole numbers precede the value in a line of a section.
_COORDINATES = {"OBJACOORD": 1, "ACOORD": 2, "BCOORD": 1, "HCOORD": 4, "DCOORD": 3}


def read_cone_form(path: Path) -> ConeForm:
    """The program of a ``.cbf`` file, with columns ``x_0``, ``x_1``, ….

    Raises :class:`InputError` where the file is missing or does not keep to the format, with the
    line, or has whole columns, matrix variables or power cones.
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
        self.entries: dict[str, list[tuple[list[int], float]]] = {}
        self._line = 0
        self._lines = self._words(text)
        for keyword in self._lines:
            self._read(" ".join(keyword))
        for section, there in (("OBJSENSE", self.sense), ("VAR", self.columns)):
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
        if keyword == "VER":
            (version,) = self._whole(self._next(1))
            if not 1 <= version <= _NEWEST:
                raise self._refused(f"version {version}, expected one up to {_NEWEST}")
        elif keyword == "OBJSENSE":
            (sense,) = self._next(1)
            if sense not in ("MIN", "MAX"):
                raise self._refused(f"the sense {sense[:40]!r}, expected MIN or MAX")
            self.sense = sense
        elif keyword == "VAR":
            self.columns = self._cones()
        elif keyword == "CON":
            self.rows = self._cones()
        elif keyword == "PSDCON":
            (count,) = self._whole(self._next(1))
            sides = [self._whole(self._next(1))[0] for _ in range(count)]
            self.matrices = [Cone("PSD", side * (side + 1) // 2) for side in sides]
        elif keyword == "OBJBCOORD":
            self.offset = self._value(*self._next(1))
        elif keyword in _COORDINATES:
            (count,) = self._whole(self._next(1))
            for _ in range(count):
                row = self._next(_COORDINATES[keyword] + 1)
                entry = (self._whole(row[:-1]), self._value(row[-1]))
                self.entries.setdefault(keyword, []).append(entry)
        else:
            known = ("VER", "OBJSENSE", "VAR", "CON", "PSDCON", "OBJBCOORD", *_COORDINATES)
            raise self._refused(
                f"the section {keyword[:40]!r}, which is not read: expected {', '.join(known)}"
            )

    def _cones(self) -> list[Cone]:
        total, count = self._whole(self._next(2))
        if total > _MOST:
            raise self._refused(f"{total}, expected at most {_MOST:,} columns or rows")
        cones = []
        for _ in range(count):
            word, number = self._next(2)
            name = next((cone for cone in _SCALAR_CONES if cone == word), None)
            if name is None:
                raise self._refused(f"the cone {word[:40]!r}, expected {', '.join(_SCALAR_CONES)}")
            (size,) = self._whole([number])
            if (name == "EXP" and size != 3) or size < {"QR": 2}.get(name, 1):
                raise self._refused(f"a cone {name} of size {size}")
            cones.append(Cone(name, size))
        if sum(cone.size for cone in cones) != total:
            raise self._refused(f"cones whose sizes do not add up to {total}")
        return cones

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


def _assembled(file: _Sections) -> ConeForm:
    """The matrices: the rows of ``CON``, then columns that lie in a cone, then ``PSDCON``."""
    columns = np.arange(sum(cone.size for cone in file.columns))
    free = np.repeat([cone.name == "F" for cone in file.columns], [c.size for c in file.columns])
    bound = columns[~free]
    rows = sum(cone.size for cone in file.rows)
    entries = {key: rows + len(bound) + k for k, key in enumerate(triangles(file.matrices))}
    size = rows + len(bound) + len(entries)
    costs, constants = np.zeros(len(columns)), np.zeros(size)

    def row(number: int) -> int | None:
        return number if number < rows else None

    def entry(number: int, one: int, other: int) -> int | None:
        return entries.get((number, max(one, other), min(one, other)))

    # By row and column; the objective is a row, and constants are a column.
    for (_, j), value in _cells(file, "OBJACOORD", lambda j: (0, j), len(columns)).items():
        costs[j] = value
    sides = _cells(file, "BCOORD", lambda i: (row(i), 0), 1)
    sides |= _cells(file, "DCOORD", lambda i, k, m: (entry(i, k, m), 0), 1)
    for (i, _), value in sides.items():
        constants[i] = value
    cells = _cells(file, "ACOORD", lambda i, j: (row(i), j), len(columns))
    cells |= _cells(file, "HCOORD", lambda i, j, k, m: (entry(i, k, m), j), len(columns))
    cells |= {(rows + place, j): 1.0 for place, j in enumerate(bound.tolist())}
    places = np.array(list(cells), dtype=np.int64).reshape(len(cells), 2)
    triple = (np.array(list(cells.values())), (places[:, 0], places[:, 1]))
    matrix = sp.csr_array(sp.coo_array(triple, shape=(size, len(columns))))
    matrix.sort_indices()
    return ConeForm(
        name=program_name_of(file.path.stem),
        sense="min" if file.sense == "MIN" else "max",
        costs=costs,
        offset=file.offset,
        cones=(*file.rows, *(c for c in file.columns if c.name != "F"), *file.matrices),
        matrix=matrix,
        constants=constants,
        column_names=tuple(f"x_{number}" for number in columns.tolist()),
    )


def _cells(
    file: _Sections, keyword: str, place: Callable[..., tuple[int | None, int]], columns: int
) -> dict[tuple[int, int], float]:
    """The values of a section by row and column, each once and inside the program."""
    cells: dict[tuple[int, int], float] = {}
    for numbers, value in file.entries.get(keyword, []):
        row, column = place(*numbers)
        shown = " ".join(map(str, numbers))
        if row is None or column >= columns:
            raise InputError(
                f"{str(file.path)!r}: the section {keyword} has an entry at {shown}, where there "
                "is no row or no column"
            )
        if (row, column) in cells:
            raise InputError(f"{str(file.path)!r}: the section {keyword} has {shown} twice")
        cells[row, column] = value
    return cells
