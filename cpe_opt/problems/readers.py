"""Preference matrices from files: matrices, logs of duels, PrefLib elections."""

from __future__ import annotations

import csv
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.modelling.program import FloatArray
from cpe_opt.problems.preferences import PreferenceMatrix
from cpe_opt.problems.tables import existing, header_of, text_frame

if TYPE_CHECKING:
    import pandas as pd

PREFLIB_SUFFIXES = (".soc", ".soi", ".toc", ".toi")
_PREFLIB_NAME = re.compile(r"#\s*ALTERNATIVE NAME (\d+)\s*:\s*(.*)")
_PREFLIB_COUNT = re.compile(r"#\s*NUMBER ALTERNATIVES\s*:\s*(\d+)")
_PREFLIB_PART = re.compile(r"\{([^{}]*)\}|(\d+)")
_PREFLIB_ORDER = re.compile(r"\s*(?:\{[\d,\s]*\}|\d+)(?:\s*,\s*(?:\{[\d,\s]*\}|\d+))*\s*\Z")


def read_preferences(path: str | os.PathLike[str], *, name: str | None = None) -> PreferenceMatrix:
    """Read whichever of the formats below a file is in.

    PrefLib files are told by their suffix, logs of duels by their header ``winner,loser``; anything
    else is read as a matrix.
    """
    path = existing(path)
    if path.suffix.lower() in PREFLIB_SUFFIXES:
        return read_preflib(path, name=name)
    if {"winner", "loser"} <= set(header_of(path)):
        return read_duels(path, name=name)
    return read_matrix(path, name=name)


def read_matrix(path: str | os.PathLike[str], *, name: str | None = None) -> PreferenceMatrix:
    """Read a preference matrix from a text file.

    Cells are separated by commas or, where there are none, by white space. A header row of labels
    is optional, and so is a first column that repeats them. Lines starting with ``#`` are comments.

    Parameters
    ----------
    path : path
    name : str, optional
        The file's name without its suffix by default.

    Raises
    ------
    InputError
        With the line and the cell that cannot be read, or as for :class:`PreferenceMatrix`.
    """
    path = existing(path)
    lines = [
        (number, line)
        for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise InputError(f"{path.name}: the file is empty, expected a preference matrix")
    if any("," in line for _, line in lines):
        rows = [[cell.strip() for cell in row] for row in csv.reader(line for _, line in lines)]
    else:
        rows = [line.split() for _, line in lines]
    numbers = [number for number, _ in lines]
    labels = None
    if not all(_is_number(cell) for cell in rows[0]):
        labels, rows, numbers = rows[0], rows[1:], numbers[1:]
        if rows and len(labels) == len(rows) + 1:
            labels = labels[1:]
    elif len(rows) == len(rows[0]) + 1 and len(set(rows[0])) == len(rows[0]):
        # A header of numbers, such as 0, 1, 2, is a header when there is one row too many.
        labels, rows, numbers = rows[0], rows[1:], numbers[1:]
    if rows and all(len(row) == len(rows) + 1 for row in rows):
        first = [row[0] for row in rows]
        if labels is not None and first != labels:
            raise InputError(f"{path.name}: the labels of the rows differ from those of the header")
        labels, rows = first, [row[1:] for row in rows]
    matrix = np.zeros((len(rows), len(rows)))
    for index, (number, row) in enumerate(zip(numbers, rows, strict=True)):
        if len(row) != len(rows):
            raise InputError(
                f"{path.name}, line {number}: {len(row)} cells, expected {len(rows)} "
                "(a square matrix)"
            )
        for column, cell in enumerate(row):
            if not _is_number(cell):
                raise InputError(f"{path.name}, line {number}: {cell!r} is not a number")
            matrix[index, column] = float(cell)
    return PreferenceMatrix(matrix, labels, name=name or path.stem)


def read_duels(
    duels: str | os.PathLike[str] | pd.DataFrame, *, name: str | None = None
) -> PreferenceMatrix:
    """Count a log of duels: ``winner,loser[,count]``, one line a duel or a count of them.

    An entry of the matrix is the fraction of its pair's duels that the row's arm won; a pair that
    never met is tied. Arms take the order in which they first appear.

    Parameters
    ----------
    duels : path of a CSV file with a header, or a data frame with these columns
    name : str, optional

    Raises
    ------
    InputError
        On missing columns, an arm against itself, a negative or missing count, no duels.
    """
    import pandas as pd

    if isinstance(duels, pd.DataFrame):
        frame = duels.rename(columns=lambda column: str(column).strip().lower())
        source = "duels"
    else:
        frame, source = text_frame(duels), Path(duels).name
        name = name or Path(duels).stem
    missing = [column for column in ("winner", "loser") if column not in frame.columns]
    if missing:
        raise InputError(
            f"{source}: no column {missing[0]!r}; expected winner, loser and, optionally, count"
        )
    if frame.empty:
        raise InputError(f"{source}: no duels")
    if frame[["winner", "loser"]].isna().any(axis=None):
        raise InputError(f"{source}: a duel without a winner or a loser")
    winners = [str(arm).strip() for arm in frame["winner"]]
    losers = [str(arm).strip() for arm in frame["loser"]]
    counts = np.ones(len(frame))
    if "count" in frame.columns:
        counts = pd.to_numeric(frame["count"], errors="coerce").to_numpy(dtype=np.float64)
    number: dict[str, int] = {}
    for winner, loser in zip(winners, losers, strict=True):
        number.setdefault(winner, len(number))
        number.setdefault(loser, len(number))
    wins = np.zeros((len(number), len(number)))
    for row, (winner, loser, count) in enumerate(zip(winners, losers, counts, strict=True), 1):
        if winner == loser:
            raise InputError(f"{source}, duel {row}: {winner!r} against itself")
        if not (np.isfinite(count) and count >= 0):
            raise InputError(f"{source}, duel {row}: the count is {count}, expected 0 or more")
        wins[number[winner], number[loser]] += count
    return PreferenceMatrix(_fractions(wins), list(number), name=name or "duels")


def read_preflib(
    path: str | os.PathLike[str],
    *,
    unranked: Literal["ignore", "last"] = "ignore",
    name: str | None = None,
) -> PreferenceMatrix:
    """Count a PrefLib election: ``.soc``, ``.soi``, ``.toc`` or ``.toi``.

    A vote for i before j is a duel that i won; a tie within a vote is half a win for each.

    Parameters
    ----------
    path : path
    unranked : "ignore" or "last"
        What an incomplete vote says of the alternatives it leaves out: nothing, or that they come
        last, tied.
    name : str, optional

    Raises
    ------
    InputError
        With the line that cannot be read.
    """
    if unranked not in ("ignore", "last"):
        raise UnknownName("treatment of unranked alternatives", unranked, ("ignore", "last"))
    path = existing(path)
    if path.suffix.lower() not in PREFLIB_SUFFIXES:
        raise InputError(f"{path.name}: expected one of the suffixes {', '.join(PREFLIB_SUFFIXES)}")
    names, votes = _election(path)
    count = len(names)
    wins = np.zeros((count, count))
    for number, weight, order in votes:
        ranked = np.concatenate([np.array(group) - 1 for group in order])
        if len(set(ranked.tolist())) != len(ranked):
            raise InputError(f"{path.name}, line {number}: an alternative is ranked twice")
        if ranked.min() < 0 or ranked.max() >= count:
            raise InputError(f"{path.name}, line {number}: an alternative lies outside 1 … {count}")
        # A comparison with nan is false: an alternative without a place meets nobody.
        place = np.full(count, float(len(order)) if unranked == "last" else np.nan)
        place[ranked] = np.repeat(np.arange(len(order)), [len(group) for group in order])
        ahead = place[:, None] < place[None, :]
        level = place[:, None] == place[None, :]
        wins += weight * (ahead + 0.5 * level)
    np.fill_diagonal(wins, 0.0)
    return PreferenceMatrix(_fractions(wins), names, name=name or path.stem)


def _election(path: Path) -> tuple[list[str], list[tuple[int, float, list[list[int]]]]]:
    """Names of the alternatives, and the votes: line number, weight, groups best first."""
    labels: dict[int, str] = {}
    declared = 0
    votes: list[tuple[int, float, list[list[int]]]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if match := _PREFLIB_NAME.match(line):
            labels[int(match[1])] = match[2].strip()
        elif match := _PREFLIB_COUNT.match(line):
            declared = int(match[1])
        elif line.strip() and not line.startswith("#"):
            votes.append((number, *_vote(line, f"{path.name}, line {number}")))
    count = declared or max(labels, default=0)
    if not count or not votes:
        raise InputError(f"{path.name}: no alternatives or no votes; expected a PrefLib file")
    names = [labels.get(alternative, str(alternative)) for alternative in range(1, count + 1)]
    if len(set(names)) != count:
        names = [f"{label} ({number})" for number, label in enumerate(names, 1)]
    return names, votes


def _vote(line: str, where: str) -> tuple[float, list[list[int]]]:
    """The weight of a vote, and its groups of tied alternatives, best first."""
    weight, colon, order = line.partition(":")
    if not colon or not weight.strip().isdigit():
        raise InputError(f"{where}: expected 'count: ranking', got {line.strip()[:40]!r}")
    if not _PREFLIB_ORDER.match(order):
        raise InputError(f"{where}: {order.strip()[:40]!r} is not a ranking")
    groups = []
    for tied, single in _PREFLIB_PART.findall(order):
        members = [int(part) for part in (single or tied).replace(",", " ").split()]
        if members:
            groups.append(members)
    return float(weight), groups


def _fractions(wins: FloatArray) -> FloatArray:
    """``wins / (wins + wins.T)``, ½ where a pair never met."""
    met = wins + wins.T
    return np.divide(wins, met, out=np.full_like(wins, 0.5), where=met > 0)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
