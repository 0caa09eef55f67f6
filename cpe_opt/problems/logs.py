"""Logs of duels, counted: which pairs met, how often, and who won.

A log is a table with one line a duel, in one of three forms, each with an optional column ``count``
for lines that stand for many:

=============================================== ===================================================
columns                                         a line says
=============================================== ===================================================
``winner, loser``                               who beat whom
``model_a, model_b, winner``                    ``winner`` is ``model_a``, ``model_b``, or one of
                                                ``tie``, ``tie (bothbad)``, ``both_bad``
``model_a, model_b, winner_model_a,             1 in the column of what happened, 0 in the others
winner_model_b, winner_tie``
=============================================== ===================================================

A tie is half a win for each. Logs may have further columns, such as ``judge`` or ``turn``, which
say nothing of who won; those whose names sound as if they did are refused.
"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.columns import Table, first_appearances
from cpe_opt.problems.pairs import MOST_ARMS, VoteCounts
from cpe_opt.problems.rows import listed, read_header
from cpe_opt.problems.tables import frame_table, read_table
from cpe_opt.problems.text import require_file

if TYPE_CHECKING:
    import pandas as pd

WINNERS = ("winner", "loser")
SIDES = ("model_a", "model_b", "winner")
FLAGS = ("model_a", "model_b", "winner_model_a", "winner_model_b", "winner_tie")
LOGS = (WINNERS, SIDES, FLAGS)
TIES = frozenset({"tie", "tie (bothbad)", "both_bad"})
_NO_ARMS = TIES | {"draw", "bothbad", "both bad"}
_LIKE_COUNT = ("count", "counts", "n", "number", "times", "weight", "weights", "wins", "votes")
_LIKE_TIE = (
    "tie",
    "ties",
    "tied",
    "is_tie",
    "draw",
    "draws",
    "is_draw",
    "outcome",
    "result",
    FLAGS[-1],
)


@dataclass(frozen=True, eq=False)
class DuelLog:
    """The rows of a log.

    Attributes
    ----------
    table : Table
    labels : list of str
        Arms in the order in which they first appear.
    first, second : int arrays
        The two arms of every row.
    share : float array
        1 where the first won, 0 where the second did, ½ for a tie.
    count : float array
        How many duels a row stands for.
    """

    table: Table
    labels: list[str]
    first: IntArray
    second: IntArray
    share: FloatArray
    count: FloatArray

    def counted(self, rows: IntArray | None = None) -> tuple[list[str], VoteCounts]:
        """Labels and counts, of some rows alone where these are given."""
        chosen = np.arange(len(self.first)) if rows is None else rows
        met = np.column_stack([self.first[chosen], self.second[chosen]]).ravel()
        order, arms = first_appearances(met, len(self.labels))
        size, count, share = len(order), self.count[chosen], self.share[chosen]
        if size > MOST_ARMS:
            raise InputError(
                f"{self.table.source}: {size:,} different arms, expected at most {MOST_ARMS:,}"
            )
        if not count.any():
            raise InputError(f"{self.table.source}: no duels, for every count is 0")
        forth = arms[0::2] * size + arms[1::2]
        back = arms[1::2] * size + arms[0::2]

        def total(codes: IntArray, weights: FloatArray) -> FloatArray:
            summed = np.bincount(codes, weights=weights, minlength=size * size)
            return np.asarray(summed.reshape(size, size), dtype=np.float64)

        wins = total(forth, count * share)
        if (share < 1.0).any():
            wins += total(back, count * (1.0 - share))
        tied = np.zeros_like(wins)
        if (share == 0.5).any():
            tied = total(forth, count * (share == 0.5))
        counts = VoteCounts(
            wins=wins,
            tied=tied + tied.T,
            unused=tuple(name for name in self.table.columns if name not in self.table),
        )
        return [self.labels[arm] for arm in order.tolist()], counts


def is_log(header: tuple[str, ...]) -> bool:
    """Whether these columns are those of a log."""
    return any(set(columns) <= set(header) for columns in LOGS)


def read_log(
    log: str | os.PathLike[str] | pd.DataFrame, *, position: bool = False
) -> tuple[DuelLog, str]:
    """The rows of a log and its name; ``position`` says that it has a column of that name.

    Raises
    ------
    InputError
        With the line and the column concerned.
    """
    import pandas as pd

    frame = log if isinstance(log, pd.DataFrame) else None
    header = (
        read_header(log)  # type: ignore[arg-type]
        if frame is None
        else tuple(str(column).strip().lower() for column in frame.columns)
    )
    source = "duels" if frame is not None else require_file(log).name  # type: ignore[arg-type]
    if "position" in header and not position:
        raise InputError(
            f"{source}: a log with a column 'position' is one of matchings, which "
            "MatchingDuels.from_duels reads; otherwise rename the column"
        )
    form = next((columns for columns in LOGS if set(columns) <= set(header)), WINNERS)
    if header and not is_log(header):
        forms = "; or ".join(", ".join(columns) for columns in LOGS)
        raise InputError(
            f"{source}: no log of duels; found {listed(header)}; expected {forms}; and, "
            "optionally, count; separated by commas, semicolons or tabs"
        )
    needed = (*(("position",) if position else ()), *form)
    if frame is not None:
        table = frame_table(frame, "duels", needed, ("count",), others=True)
    else:
        table = read_table(log, needed, ("count",), others=True)  # type: ignore[arg-type]
    _refuse_misnamed(table, needed)
    return _log(table, form), source


def _log(table: Table, form: tuple[str, ...]) -> DuelLog:
    (first, first_names), (second, second_names) = table.labels(form[0]), table.labels(form[1])
    names = {name: number for number, name in enumerate(dict.fromkeys(first_names + second_names))}
    first = np.array([names[name] for name in first_names])[first]
    second = np.array([names[name] for name in second_names])[second]
    for word in _NO_ARMS & {name.lower() for name in names if form == WINNERS}:
        arm = next(number for name, number in names.items() if name.lower() == word)
        row = int(np.argmax((first == arm) | (second == arm)))
        raise InputError(
            f"{table.place(row)}: {word!r} is no arm; a log with ties has the columns "
            f"{', '.join(SIDES)}, where winner may be tie"
        )
    alone = np.flatnonzero(first == second)
    if alone.size:
        row = int(alone[0])
        label = list(names)[first[row]]
        raise InputError(f"{table.place(row)}: a duel of {label!r} against itself")
    count = table.numbers("count", whole=True) if "count" in table else np.ones(table.rows)
    share = np.ones(table.rows)
    if form == SIDES:
        share = _shares(table)
    elif form == FLAGS:
        share = _flagged(table)
    return DuelLog(table, list(names), first, second, share, count)


def _shares(table: Table) -> FloatArray:
    """The share of the win that model_a has, from the words of the column ``winner``."""
    codes, words = table.coded["winner"]
    share = {"model_a": 1.0, "model_b": 0.0, **dict.fromkeys(TIES, 0.5)}
    for code, word in enumerate(words):
        if word.lower() not in share:
            row = int(np.argmax(codes == code))
            raise InputError(
                f"{table.place(row)}: winner is {word!r}, expected model_a, model_b, tie, "
                "tie (bothbad) or both_bad"
            )
    return np.array([share[word.lower()] for word in words])[codes]


def _flagged(table: Table) -> FloatArray:
    """The same from three columns of which one is 1."""
    flags = np.column_stack([table.numbers(column) for column in FLAGS[2:]])
    wrong = np.flatnonzero(~np.isin(flags, (0.0, 1.0)).all(axis=1) | (flags.sum(axis=1) != 1.0))
    if wrong.size:
        row = int(wrong[0])
        shown = ", ".join(f"{value:g}" for value in flags[row])
        raise InputError(
            f"{table.place(row)}: {', '.join(FLAGS[2:])} are {shown}, expected a single 1 and "
            "otherwise 0"
        )
    return np.asarray(flags @ np.array([1.0, 0.0, 0.5]), dtype=np.float64)


def _refuse_misnamed(table: Table, needed: tuple[str, ...]) -> None:
    """Refuse columns that are not read although they may say who won, or how often."""
    for name in table.columns:
        if name in table:
            continue
        if needed[-1] == "loser" and name in _LIKE_TIE:
            raise InputError(
                f"{table.source}: is {name!r} a column of outcomes? A log of ties has the columns "
                f"{', '.join(SIDES)}, where winner may be tie; otherwise rename or remove it"
            )
        near = difflib.get_close_matches(name, ["count"], n=1, cutoff=0.8)
        if "count" not in table and (near or name in _LIKE_COUNT):
            raise InputError(
                f"{table.source}: is {name!r} how many duels a line stands for? That column is "
                "called 'count'; otherwise rename or remove it"
            )
