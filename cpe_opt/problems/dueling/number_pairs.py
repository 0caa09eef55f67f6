r"""Votes as pairs of numbers ``(i, j)``, where i won: the form of choix.

The functions of choix (L. Maystre) take a list of such pairs, in which arms are the
numbers 0 to n-1. It has no format of files; what its users keep is that list, as

* JSON: ``[[1, 0], [0, 4]]``, or one pair ``[1, 0]`` a line,
* lines of text, as ``numpy.savetxt`` writes them: ``1 0``, or with a comma, a semicolon or a tab
  between the two; lines that start with ``#`` are comments,
* in Python the list itself, or an array of shape (n, 2).

Labels are the numbers, in their order; those that are in no pair are no arms. Two columns of
numbers may also be a matrix of two arms. Text is taken for pairs where it has more than three
lines, or starts with the comment ``# winner loser``.
"""

from __future__ import annotations

import json
import os
import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.columns import Table
from cpe_opt.problems.json_values import is_json, json_values
from cpe_opt.problems.log_forms import WINNERS
from cpe_opt.problems.logs import log_of
from cpe_opt.problems.pairs import MOST_ARMS, PairTable, counted_table
from cpe_opt.problems.rows import parse_number
from cpe_opt.problems.text import read_text, require_file, shortened, stem_of, text_lines

COMMENT = "# winner loser"
"""The first line of a text of pairs, however few they are."""
_MATRIX_LINES = 3  # a matrix of two arms has as many at most
_SEPARATORS = re.compile(r"\s*[,;]\s*|\s+")
_MOST = 2**53
_EXPECTED = "expected two whole numbers, 0 or more: who won, and who lost"


def is_number_pairs(path: str | os.PathLike[str]) -> bool:
    """Whether a text file has two numbers a line, and is no matrix of two arms."""
    lines = [line for line in read_text(path, only_start=True).split("\n") if line.strip()]
    if lines and lines[0].split() == COMMENT.split():
        return True
    pairs = [line for line in lines if not line.lstrip().startswith("#")][: _MATRIX_LINES + 1]
    return len(pairs) > _MATRIX_LINES and all(_of_text(line) is not None for line in pairs)


def is_json_pairs(path: str | os.PathLike[str]) -> bool:
    """Whether a JSON file starts with an array of two things, and not with an object."""
    try:
        return isinstance(next(json_values(path))[1], list)
    except (InputError, StopIteration):
        return False


def read_number_pairs(path: str | os.PathLike[str]) -> PairTable:
    """Count pairs from a file.

    Raises
    ------
    InputError
        With the line that is no pair.
    """
    path = require_file(path)
    in_json = is_json(path)

    def entries() -> Iterator[tuple[int, object]]:
        if in_json:
            yield from json_values(path)
        for number, line in enumerate(() if in_json else text_lines(path), 1):
            if line.strip() and not line.lstrip().startswith("#"):
                yield number, line

    def place(row: int) -> str:
        return f"{path.name}, line {next(n for r, (n, _) in enumerate(entries()) if r == row)}"

    numbers = array("q")
    for number, entry in entries():
        pair = _of_values(entry) if in_json else _of_text(str(entry))
        if pair is None:
            found = json.dumps(entry) if in_json else str(entry).strip()
            raise InputError(f"{path.name}, line {number}: found {shortened(found)!r}, {_EXPECTED}")
        numbers.extend(pair)
    return _table(path.name, stem_of(path), np.array(numbers, dtype=np.int64), place)


def count_number_pairs(pairs: Iterable[object]) -> PairTable:
    """The same of a list of pairs, or of an array of shape (n, 2)."""
    numbers = array("q")
    if getattr(pairs, "ndim", 1) == 0:
        raise InputError(f"duels is {pairs!r}, {_EXPECTED}")
    for row, entry in enumerate(pairs):
        pair = _of_values(entry)
        if pair is None:
            raise InputError(f"duels, pair {row}: found {shortened(repr(entry))}, {_EXPECTED}")
        numbers.extend(pair)
    return _table("duels", "duels", np.array(numbers, dtype=np.int64), "duels, pair {}".format)


def _table(source: str, name: str, numbers: IntArray, place: Callable[[int], str]) -> PairTable:
    if not len(numbers):
        raise InputError(f"{source}: no pairs, {_EXPECTED}")
    items, codes = np.unique(numbers, return_inverse=True)
    labels = [str(item) for item in items.tolist()]
    columns = WINNERS.columns
    coded = {column: (codes.ravel()[side::2], labels) for side, column in enumerate(columns)}
    table = Table(source, columns, len(numbers) // 2, coded, place)
    appeared, counts = log_of(table, WINNERS).counted()
    order = np.argsort(np.array([int(label) for label in appeared]), kind="stable")
    return counted_table(source, name, labels, counts.of(order))


def _of_text(line: str) -> tuple[int, int] | None:
    cells = line.split()
    if len(cells) != 2 or line.count(",") + line.count(";"):
        cells = _SEPARATORS.split(line.strip())
    return _of_values([_number(cell) for cell in cells])


@lru_cache(maxsize=2 * MOST_ARMS)
def _number(cell: str) -> float | None:
    try:
        return parse_number(cell)
    except ValueError:
        return None


def _of_values(entry: object) -> tuple[int, int] | None:
    """Two whole numbers, or None."""
    if isinstance(entry, np.ndarray):
        entry = entry.tolist()
    if not isinstance(entry, list | tuple) or len(entry) != 2:
        return None
    for value in entry:
        if isinstance(value, bool) or not isinstance(value, int | float | np.integer):
            return None
        if not 0 <= value < _MOST or value != int(value):
            return None
    return int(entry[0]), int(entry[1])
