"""Logs of duels, counted: which pairs met, how often, and who won.

The forms of logs are those of :mod:`cpe_opt.problems.log_forms`, in a table or in a list of JSON
objects. Logs may have further columns, such as ``judge`` or ``turn``, which say nothing of who won;
those whose names sound as if they did are refused.
"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.columns import Table, first_appearances
from cpe_opt.problems.json_tables import header_of, json_table
from cpe_opt.problems.json_values import is_json, json_values, kind_of
from cpe_opt.problems.log_forms import (
    ARENA,
    NO_ARMS,
    WINNERS,
    LogForm,
    form_of,
    forms_of_logs,
    no_form,
)
from cpe_opt.problems.pairs import MOST_ARMS, LogNotes, VoteCounts
from cpe_opt.problems.tables import frame_table, read_table
from cpe_opt.problems.text import require_file, shortened

if TYPE_CHECKING:
    import pandas as pd

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
    "winner_tie",
)
_COUNTRIES = ("country", "county", "countries")  # near "count", and said of judges


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
            notes=LogNotes(
                unused=tuple(name for name in self.table.columns if name not in self.table)
            ),
        )
        return [self.labels[arm] for arm in order.tolist()], counts


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

    if isinstance(log, pd.DataFrame):
        source, in_json = "duels", False
        header = tuple(str(column).strip().lower() for column in log.columns)
    else:
        source, in_json, header = require_file(log).name, is_json(log), header_of(log)
    if "position" in header and not position:
        raise InputError(
            f"{source}: a log with a column 'position' is one of matchings, which "
            "MatchingDuels.from_duels reads; otherwise rename the column"
        )
    form = form_of(header)
    if form is None and (header or in_json):
        raise _no_form(log, source, header) if in_json else no_form(source, header)
    form = form or WINNERS
    needed = (*(("position",) if position else ()), *form.columns)
    if isinstance(log, pd.DataFrame):
        table = frame_table(log, source, needed, form.counts, others=True)
    elif in_json:
        table = json_table(log, needed, form.counts)
    else:
        table = read_table(log, needed, form.counts, others=True)
    _refuse_misnamed(table, form)
    return log_of(table, form), source


def _no_form(path: Any, source: str, keys: tuple[str, ...]) -> InputError:
    """Why a JSON file is no log: what its first value is."""
    line, value = next(json_values(path), (0, None))
    if isinstance(value, dict) and keys:
        return no_form(f"{source}, line {line}", keys, keys=True)
    found = f"found {kind_of(value)} on line {line}" if line else "nothing is in it"
    return InputError(f"{source}: no log of duels; {found}; expected {forms_of_logs(keys=True)}")


def log_of(table: Table, form: LogForm) -> DuelLog:
    """The rows of a table that has the columns of a form."""
    (first, first_names), (second, second_names) = (
        table.labels(form.columns[0]),
        table.labels(form.columns[1]),
    )
    names = {name: number for number, name in enumerate(dict.fromkeys(first_names + second_names))}
    first = np.array([names[name] for name in first_names])[first]
    second = np.array([names[name] for name in second_names])[second]
    for word in NO_ARMS & {name.lower() for name in names if not form.has_ties}:
        arm = next(number for name, number in names.items() if name.lower() == word)
        row = int(np.argmax((first == arm) | (second == arm)))
        raise InputError(
            f"{table.place(row)}: {word!r} is no arm; a log with ties has the columns "
            f"{', '.join(ARENA.columns)}, where winner may be tie"
        )
    alone = np.flatnonzero(first == second)
    if alone.size:
        row = int(alone[0])
        label = list(names)[first[row]]
        raise InputError(f"{table.place(row)}: a duel of {label!r} against itself")
    share = np.ones(table.rows)
    if form.shares:
        share = _shares(table, form)
    elif form.flags:
        share = _flagged(table, form)
    return DuelLog(table, list(names), first, second, share, _counts(table, form))


def _counts(table: Table, form: LogForm) -> FloatArray:
    """How many duels each row stands for."""
    columns = [name for name in form.counts if name in table]
    if len(columns) > 1:
        raise InputError(
            f"{table.source}: {' and '.join(map(repr, columns))} are columns, expected one that "
            "says how many duels a line stands for"
        )
    return table.numbers(columns[0], whole=True) if columns else np.ones(table.rows)


def _shares(table: Table, form: LogForm) -> FloatArray:
    """The share of the win that the first arm has, from the words of the column ``winner``."""
    codes, words = table.coded["winner"]
    known = list(form.shares)
    for code, word in enumerate(words):
        if word.lower() not in form.shares:
            row = int(np.argmax(codes == code))
            raise InputError(
                f"{table.place(row)}: winner is {shortened(word)!r}, expected "
                f"{', '.join(known[:-1])} or {known[-1]}"
            )
    return np.array([form.shares[word.lower()] for word in words])[codes]


def _flagged(table: Table, form: LogForm) -> FloatArray:
    """The same from three columns of which one is 1."""
    flags = np.column_stack([table.numbers(column) for column in form.flags])
    wrong = np.flatnonzero(~np.isin(flags, (0.0, 1.0)).all(axis=1) | (flags.sum(axis=1) != 1.0))
    if wrong.size:
        row = int(wrong[0])
        shown = ", ".join(f"{value:g}" for value in flags[row])
        raise InputError(
            f"{table.place(row)}: {', '.join(form.flags)} are {shown}, expected a single 1 and "
            "otherwise 0"
        )
    return np.asarray(flags @ np.array([1.0, 0.0, 0.5]), dtype=np.float64)


def _refuse_misnamed(table: Table, form: LogForm) -> None:
    """Refuse columns that are not read although they may say who won, or how often."""
    counted = any(name in table for name in form.counts)
    for name in table.columns:
        if name in table:
            continue
        if not form.has_ties and name in _LIKE_TIE:
            raise InputError(
                f"{table.source}: is {name!r} a column of outcomes? A log of ties has the columns "
                f"{', '.join(ARENA.columns)}, where winner may be tie; otherwise rename or remove "
                "it"
            )
        near = difflib.get_close_matches(name, ["count"], n=1, cutoff=0.8)
        if not counted and ((near and name not in _COUNTRIES) or name in _LIKE_COUNT):
            raise InputError(
                f"{table.source}: is {name!r} how many duels a line stands for? That column is "
                "called 'count'; otherwise rename or remove it"
            )
