"""Square matrices as text files: preferences, wins, prices.

Cells are separated by semicolons, tabs or commas, or by white space if there are none of these;
where the separator is no comma, numbers may have decimal commas. A header row of labels is
optional, and so is a first column that repeats them. Lines starting with ``#`` are comments.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, counted, listed, shortened
from cpe_opt.files import atomic_write
from cpe_opt.formats.preflib import READ_SUFFIXES
from cpe_opt.formats.tables import misquoted, parse_number
from cpe_opt.problems.pairs import PairTable
from cpe_opt.text import MOST_COLUMNS, check_size, numbered_lines, require_file, stem_of

FORMATS = (
    "a square matrix of probabilities; a log of duels, as CSV, JSON or Parquet, with the columns "
    "winner, loser[, count] or model_a, model_b, winner or model_a, model_b, winner_model_a, "
    "winner_model_b, winner_tie or left, right, winner or chosen_model, rejected_model, or of "
    f"more than three pairs of numbers; PrefLib {' '.join(READ_SUFFIXES)}"
)
_SAMPLE = 20  # lines that tell the separator
_QUOTED = re.compile(r'"[^"]*"')
_WITH_COMMA = re.compile(r"[+-]?\d+(?:,\d+)?")


@dataclass(frozen=True)
class MatrixKind:
    """What a matrix is called in messages, which files hold one, and what an entry is."""

    name: str
    files: str
    entry: str = "a number"


PREFERENCES = MatrixKind(
    "preference matrix",
    f"A file of preferences is {FORMATS}",
    "a number, on the diagonal 0.5",
)


def read_square(path: str | os.PathLike[str], *, kind: MatrixKind = PREFERENCES) -> PairTable:
    """The square matrix of a file, of any numbers, with its labels if it has some."""
    path = require_file(path)
    lines = [
        (number, line)
        for number, line in numbered_lines(path)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise InputError(f"{path.name}: the file is empty, expected a {kind.name}")
    layout = _layout(path, lines, kind)
    body = lines[1:] if layout.header else lines
    matrix = np.empty((len(body), layout.width - layout.labelled))
    first: list[str] = []
    for index, (number, line) in enumerate(body):
        cells = _split(path, number, line, layout.separator)
        if len(cells) != layout.width:
            raise InputError(
                f"{path.name}, line {number}: {counted(cells, 'cell')}, expected {layout.width}, "
                f"as line {body[0][0]} has"
            )
        if layout.labelled:
            first.append(cells.pop(0))
        try:
            matrix[index] = layout.numbers(line, cells)
        except ValueError as error:
            what = f"{shortened(str(error))!r} is not a number"
            if not str(error):
                place = cells.index("") + 1
                what = f"an empty cell, number {place} of {len(cells)}; expected {kind.entry}"
            if layout.fits(len(body), first, cells):
                raise InputError(f"{path.name}, line {number}: {what}") from None
            raise layout.refused(path, f"line {number}: {what}") from None
    rows, columns = matrix.shape
    if rows != columns:
        shape = f"{rows} × {columns} numbers (rows × columns)" if columns else "one cell a line"
        raise layout.refused(path, f"{shape}, expected a square matrix")
    labels = list(layout.header[-columns:])
    if layout.labelled and labels and first != labels:
        place = next(k for k in range(rows) if first[k] != labels[k])
        raise InputError(
            f"{path.name}: the labels of the rows differ from those of the header: row {place + 1} "
            f"is {first[place]!r}, column {place + 1} is {labels[place]!r}"
        )
    return PairTable(path.name, stem_of(path), matrix, labels or first)


def write_square(path: str | os.PathLike[str], array: FloatArray, labels: Sequence[str]) -> None:
    """Write any square matrix, as :func:`read_square` reads it."""
    import pyarrow as pa
    import pyarrow.csv as pc

    body = pa.BufferOutputStream()
    pc.write_csv(
        pa.Table.from_arrays(list(array.T), names=list(map(str, range(len(array))))),
        body,
        pc.WriteOptions(include_header=False),
    )
    rows = body.getvalue().to_pybytes().decode().splitlines()
    cells = [quoted_cell(label) for label in labels]
    with atomic_write(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        file.write(f",{','.join(cells)}\n")
        file.writelines(f"{cell},{row}\n" for cell, row in zip(cells, rows, strict=True))


def quoted_cell(label: str) -> str:
    """A label as a cell: in quotes where it would read as something else."""
    if "\n" in label or "\r" in label:
        raise InputError(f"label {label!r} has a line break, which a file of a matrix cannot hold")
    if label.startswith("#") or any(character in label for character in ',;\t"'):
        return '"' + label.replace('"', '""') + '"'
    return label


@dataclass(frozen=True)
class _Layout:
    """How a file is laid out: ``width`` cells a row, of which the first may be labels."""

    separator: str
    header: tuple[str, ...]
    width: int
    labelled: bool
    kind: MatrixKind

    def numbers(self, line: str, cells: Sequence[str]) -> FloatArray:
        """The numbers of a row, or :class:`ValueError` with the cell that is none."""
        if self.separator != ",":
            mixed = next((cell for cell in cells if "," in cell), "")
            if mixed and any("." in cell for cell in cells):
                raise ValueError(f"{mixed} (next to decimal points)")
            cells = [cell.replace(",", ".") for cell in cells] if mixed else cells
        if "_" not in line and line.isascii():
            # Faster than the next, and as strict for lines without underscores and other digits.
            with suppress(ValueError):
                return np.array(cells, dtype=np.float64)
        return np.array([parse_number(cell) for cell in cells])

    def fits(self, rows: int, first: Sequence[str], cells: Sequence[str]) -> bool:
        """Whether a row with a cell that is no number is nevertheless one of a matrix."""
        numbers = sum(_is_number(cell, self.separator) for cell in cells)
        labelled = not (first and self.header) or first[-1] in self.header
        return self.width - self.labelled == rows and 2 * numbers >= len(cells) and labelled

    def refused(self, path: Path, why: str) -> InputError:
        """An error that says what else could be read."""
        said = f"; its first line has {listed(self.header)}" if self.header else ""
        return InputError(f"{path.name} is no {self.kind.name}: {why}{said}. {self.kind.files}")


def _layout(path: Path, lines: Sequence[tuple[int, str]], kind: MatrixKind) -> _Layout:
    separator = _separator([line for _, line in lines[:_SAMPLE]])
    head = _split(path, *lines[0], separator)
    check_size(f"{path.name}, line {lines[0][0]}", len(head), MOST_COLUMNS, "cells")
    numeric = [_is_number(cell, separator) for cell in head]
    if not _headed(head, numeric, len(lines)):
        return _Layout(separator, (), len(head), not numeric[0], kind)
    bare = _Layout(separator, tuple(head), 0, labelled=False, kind=kind)
    if len(lines) == 1:
        raise bare.refused(path, "there are no lines below the first")
    row = _split(path, *lines[1], separator)
    labelled = not _is_number(row[0], separator)
    if len(row) == len(lines) and not labelled:
        # Labels may be numbers: then they are those of the header.
        first = [_split(path, *line, separator)[0] for line in lines[1:]]
        labelled = first == head[-len(first) :]
    if len(head) not in (len(row), len(row) - labelled):
        raise bare.refused(
            path, f"line {lines[1][0]} has {counted(row, 'cell')}, and the first line {len(head)}"
        )
    return _Layout(separator, tuple(head), len(row), labelled, kind)


def _headed(head: Sequence[str], numeric: Sequence[bool], lines: int) -> bool:
    """Whether the first line of a file is a header."""
    if all(numeric):
        # A header of whole numbers, such as 0, 1, 2, is one where there is one row too many.
        whole = all(cell.isdecimal() for cell in head)
        return whole and lines == len(head) + 1 and len(set(head)) == len(head)
    if numeric[0] and len(head) == lines:
        return False  # a square of which a cell is no number
    # A first row with a label of its own has one cell more than there are rows.
    return not (all(numeric[1:]) and len(head) == lines + 1)


def _separator(lines: Sequence[str]) -> str:
    """The separator; a blank stands for white space."""
    bare = [_QUOTED.sub("", line) for line in lines]
    words = bare[-1].split()
    if len(words) > 2 and words[0].isalpha():
        words = words[1:]
    tabs = [line.rstrip().count("\t") for line in bare]
    by_tabs = tabs[-1] > 0 and len(set(tabs)) == 1
    if len(words) > 1 and "," in bare[-1] and all(_WITH_COMMA.fullmatch(word) for word in words):
        return "\t" if by_tabs else " "
    if any(";" in line for line in bare):
        return ";"
    if by_tabs:
        return "\t"
    return "," if any("," in line for line in bare) else " "


def _split(path: Path, number: int, line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    if separator == "\t":
        line = line.rstrip()
    if '"' not in line:
        return [cell.strip() for cell in line.split(separator)]
    try:
        (cells,) = csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True)
    except csv.Error as error:
        raise InputError(f"{path.name}, line {number}: {misquoted(error)}") from None
    return [cell.strip() for cell in cells]


def _is_number(cell: str, separator: str) -> bool:
    try:
        parse_number(cell, decimal_comma=separator != ",")
    except ValueError:
        return False
    return True
