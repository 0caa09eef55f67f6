"""Square matrices as text files: preferences and wins.

Cells are separated by semicolons, tabs or commas, the first of these in the last line, or by
blanks. A header row of labels is optional, and so is a first column that repeats
them. Lines starting with ``#`` are comments.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, counted, listed, shortened
from cpe_opt.files import atomic_write
from cpe_opt.formats.preflib import READ_SUFFIXES
from cpe_opt.formats.tables import misquoted, parse_number, separator_of
from cpe_opt.formats.text import MOST_COLUMNS, check_size, numbered_lines, require_file, stem_of
from cpe_opt.problems.pairs import PairTable

FORMATS = (
    "a square matrix of probabilities; a log of duels, as CSV, JSON or Parquet, with the columns "
    f"winner, loser[, count] or model_a, model_b, winner; a table of scores with the "
    f"columns arm, item, score; PrefLib {' '.join(READ_SUFFIXES)}"
)


def read_square(path: str | os.PathLike[str]) -> PairTable:
    """The square matrix of a file, of any numbers, with its labels if it has some."""
    path = require_file(path)
    written = [(number, line) for number, line in numbered_lines(path) if line.strip()]
    if written and written[0][1].split() == ["#", "winner", "loser"]:
        raise InputError(f"{path.name}: pairs of arms below a comment; expected it without the #")
    lines = [each for each in written if not each[1].lstrip().startswith("#")]
    if not lines:
        raise InputError(f"{path.name}: the file is empty, expected a preference matrix")
    separator = separator_of(lines[-1][1], otherwise=" ")
    rows = [_split(path, *line, separator) for line in lines]
    check_size(f"{path.name}, line {lines[0][0]}", len(rows[0]), MOST_COLUMNS, "cells")
    # A label may be a number below a corner that is empty.
    headed = not rows[0][0] or any(parse_number(cell) is None for cell in rows[0][1:])
    labels = head = rows.pop(0) if headed else []

    def refused(index: int, why: str) -> InputError:
        where = f"{path.name}, line {lines[index + headed][0]}"
        first_line = f"; the first line has {listed(head)}" * headed
        return InputError(
            f"{where}: {why}{first_line}; expected a preference matrix. A file of preferences is "
            f"{FORMATS}"
        )

    if not rows:
        raise refused(-1, "there are no lines below this one")
    width, first = len(rows[0]), [row[0] for row in rows]
    labelled = parse_number(first[0]) is None or (headed and not labels[0])
    if headed and len(labels) not in (width, width - labelled):
        raise refused(0, f"{counted(rows[0], 'cell')}, and the first line has {len(labels)}")
    matrix = np.empty((len(rows), width - labelled))
    for index, row in enumerate(rows):
        if len(row) != width:
            raise refused(index, f"{counted(row, 'cell')}, expected {width}")
        for place, cell in enumerate(row[labelled:]):
            value = parse_number(cell)
            if value is None:
                raise refused(index, f"cell {place + 1}: {shortened(cell)!r} is not a number")
            matrix[index, place] = value
    if len(rows) != width - labelled:
        raise refused(0, f"{len(rows)} × {width - labelled} numbers (rows × columns), not square")
    labels = labels[-len(rows) :]
    if labelled and labels and first != labels:
        place = next(k for k in range(len(rows)) if first[k] != labels[k])
        other = f"column {place + 1} is {labels[place]!r}"
        raise InputError(f"{path.name}: row {place + 1} is {first[place]!r}, and {other}")
    return PairTable(path.name, stem_of(path), matrix, labels or first * labelled)


def write_square(path: str | os.PathLike[str], array: FloatArray, labels: Sequence[str]) -> None:
    """Write any square matrix, as :func:`read_square` reads it."""
    cells = [quoted_cell(label) for label in labels]
    with atomic_write(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        file.write(f",{','.join(cells)}\n")
        for cell, row in zip(cells, array, strict=True):
            numbers = (repr(number).removesuffix(".0") for number in row.tolist())
            file.write(f"{cell},{','.join(numbers)}\n")


def quoted_cell(label: str) -> str:
    """A label as a cell: in quotes where it would read as something else."""
    if "\n" in label or "\r" in label:
        raise InputError(f"label {label!r} has a line break, which a file of a matrix cannot hold")
    if label.startswith("#") or any(character in label for character in ',;\t"'):
        return '"' + label.replace('"', '""') + '"'
    return label


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
