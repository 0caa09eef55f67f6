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
    separator = _separator([line for _, line in lines[:_SAMPLE]])
    rows = [_split(path, *line, separator) for line in lines]
    check_size(f"{path.name}, line {lines[0][0]}", len(rows[0]), MOST_COLUMNS, "cells")
    numeric = [_is_number(cell, separator) for cell in rows[0]]
    headed = _headed(rows[0], numeric, len(rows))
    labels = head = rows.pop(0) if headed else []

    def refused(index: int, why: str) -> InputError:
        where = f"{path.name}, line {lines[index + headed][0]}"
        first_line = f"; the first line has {listed(head)}" * headed
        return InputError(f"{where}: {why}{first_line}; expected a {kind.name}. {kind.files}")

    if not rows:
        raise refused(-1, "there are no lines below this one")
    width, first = len(rows[0]), [row[0] for row in rows]
    labelled = not _is_number(first[0], separator)
    if headed and width == len(rows) + 1 and not labelled:
        labelled = first == labels[-len(first) :]  # labels may be numbers
    if headed and len(labels) not in (width, width - labelled):
        raise refused(0, f"{counted(rows[0], 'cell')}, and the first line has {len(labels)}")
    matrix = np.empty((len(rows), width - labelled))
    for index, row in enumerate(rows):
        if len(row) != width:
            raise refused(index, f"{counted(row, 'cell')}, expected {width}")
        for place, cell in enumerate(row[labelled:]):
            value = parse_number(cell, decimal_comma=separator != ",")
            if value is None or ("," in cell and any("." in other for other in row[labelled:])):
                raise refused(index, f"cell {place + 1}: {shortened(cell)!r} is not {kind.entry}")
            matrix[index, place] = value
    if len(rows) != width - labelled:
        raise refused(0, f"{len(rows)} × {width - labelled} numbers (rows × columns), not square")
    labels = labels[-len(rows) :]
    if labelled and labels and first != labels:
        place = next(k for k in range(len(rows)) if first[k] != labels[k])
        raise InputError(
            f"{path.name}: the labels of the rows differ from those of the header: row {place + 1} "
            f"is {first[place]!r}, column {place + 1} is {labels[place]!r}"
        )
    return PairTable(path.name, stem_of(path), matrix, labels or first * labelled)


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
    return parse_number(cell, decimal_comma=separator != ",") is not None
