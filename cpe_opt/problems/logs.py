"""Logs of duels, counted: which pairs met, how often, and who won.

The forms of logs are those of :mod:`cpe_opt.problems.log_forms`, in a table or in a list of JSON
objects. Logs may have further columns, such as ``judge`` or ``turn``, which say nothing of who won;
those whose names sound as if they did are refused. Of those that say whose a vote is, or what it is
about (:mod:`cpe_opt.problems.clusters`), the different values are counted: votes that share one may
depend on each other.
"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.clusters import cluster_columns, is_cluster_name
from cpe_opt.problems.columns import Table, is_index_name
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
from cpe_opt.problems.parquet_tables import is_parquet, parquet_table
from cpe_opt.problems.tables import frame_table, read_table
from cpe_opt.problems.text import require_file

if TYPE_CHECKING:
    import pandas as pd
from collections.abc import Sequence

from cpe_opt.problems.log_forms import BOTH_BAD
from cpe_opt.problems.text import shortened

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
    both_bad : bool array
        Where a tie says that both arms were bad.
    """

    table: Table
    labels: list[str]
    first: IntArray
    second: IntArray
    share: FloatArray
    count: FloatArray
    both_bad: BoolArray

    def counted(self, rows: IntArray | None = None) -> tuple[list[str], VoteCounts]:
        """Labels and counts, of some rows alone where these are given."""
        first, second, share, count = self.first, self.second, self.share, self.count
        if rows is not None:
            first, second, share, count = first[rows], second[rows], share[rows], count[rows]
        order = _order_of_appearance(first, second, len(self.labels))
        if len(order) > MOST_ARMS:
            raise InputError(
                f"{self.table.source}: {len(order):,} different arms, expected at most "
                f"{MOST_ARMS:,}"
            )
        if not count.any():
            raise InputError(f"{self.table.source}: no duels, for every count is 0")
        place = np.zeros(len(self.labels), dtype=np.int64)
        place[order] = np.arange(len(order))
        size = len(order)

        def total(one: IntArray, other: IntArray, weights: FloatArray) -> FloatArray:
            codes = place[one] * size + place[other]
            summed = np.bincount(codes, weights=weights, minlength=size * size)
            return np.asarray(summed.reshape(size, size), dtype=np.float64)

        wins = total(first, second, count * share)
        if (share < 1.0).any():
            wins += total(second, first, count * (1.0 - share))
        tied = np.zeros_like(wins)
        if (share == 0.5).any():
            tied = total(first, second, count * (share == 0.5))
        counts = VoteCounts(wins=wins, tied=tied + tied.T, notes=self._notes(count, rows))
        return [self.labels[arm] for arm in order.tolist()], counts

    def _notes(self, count: FloatArray, rows: IntArray | None) -> LogNotes:
        """What has to be known of the log, and of some of its rows, to read what is said of it."""
        both_bad = self.both_bad if rows is None else self.both_bad[rows]
        return LogNotes(
            unused=tuple(
                name
                for name in self.table.columns
                if name not in self.table and not is_index_name(name)
            ),
            clusters=cluster_columns(self.table, int(self.count.sum())),
            both_bad=int(count[both_bad].sum()),
        )


def _order_of_appearance(first: IntArray, second: IntArray, count: int) -> IntArray:
    """The arms that occur, in the order in which lines name them."""
    rows = len(first)
    seen = np.full(count, 2 * rows, dtype=np.int64)
    for side, arms in enumerate((first, second)):
        earliest = np.full(count, 2 * rows, dtype=np.int64)
        earliest[arms[::-1]] = np.arange(2 * (rows - 1) + side, -1, -2)
        seen = np.minimum(seen, earliest)
    order = np.argsort(seen, kind="stable")
    return order[: int((seen < 2 * rows).sum())]


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
        path = require_file(log)
        source, in_json, header = path.name, not is_parquet(path) and is_json(path), header_of(path)
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
        table = frame_table(log, source, needed, form.counts, others=True, counted=is_cluster_name)
    elif is_parquet(path):
        table = parquet_table(path, needed, form.counts, counted=is_cluster_name)
    elif in_json:
        table = json_table(path, needed, form.counts, counted=is_cluster_name)
    else:
        table = read_table(path, needed, form.counts, others=True, counted=is_cluster_name)
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
    number = {name.lower(): number for name, number in names.items()}
    again = (first == number.get(form.columns[0], -1)) & (second == number.get(form.columns[1], -1))
    if again.any():
        raise InputError(
            f"{table.place(int(np.argmax(again)))}: the header again, expected a duel; files that "
            "are joined have one header in all"
        )
    alone = np.flatnonzero(first == second)
    if alone.size:
        row = int(alone[0])
        label = list(names)[first[row]]
        raise InputError(f"{table.place(row)}: a duel of {label!r} against itself")
    share, both_bad = outcomes(table, form, first, second, list(names))
    return DuelLog(table, list(names), first, second, share, _counts(table, form), both_bad)


def _counts(table: Table, form: LogForm) -> FloatArray:
    """How many duels each row stands for."""
    columns = [name for name in form.counts if name in table]
    if len(columns) > 1:
        raise InputError(
            f"{table.source}: {' and '.join(map(repr, columns))} are columns, expected one that "
            "says how many duels a line stands for"
        )
    return table.numbers(columns[0], whole=True) if columns else np.ones(table.rows)


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


# Who won: from the words, the names or the flags of a log of duels.
#
# A column of outcomes is read as a whole. It has *places*, such as ``model_a`` or ``B``, or *names*
# of arms, each of which is one of the two of its line; words for ties go with either. Where both
# readings are possible and differ, as for arms that are called "A" and "B" and change sides, the
# log is refused.


def outcomes(
    table: Table, form: LogForm, first: IntArray, second: IntArray, names: Sequence[str]
) -> tuple[FloatArray, BoolArray]:
    """The share of the win that the first arm of each row has, and which ties say "both bad".

    Parameters
    ----------
    table : Table
    form : LogForm
    first, second : int arrays, shape (rows,)
        The two arms of each row, as places in ``names``.
    names : sequence of str

    Raises
    ------
    InputError
        With the line whose outcome is none.
    """
    if form.flags:
        return _flagged(table, form), np.zeros(table.rows, dtype=np.bool_)
    if not form.shares:
        return np.ones(table.rows), np.zeros(table.rows, dtype=np.bool_)
    codes, words = table.coded[form.outcome]
    bad = np.array([word.lower() in BOTH_BAD for word in words], dtype=np.bool_)
    return _shares(table, form, first, second, names), bad[codes]


def _shares(
    table: Table, form: LogForm, first: IntArray, second: IntArray, names: Sequence[str]
) -> FloatArray:
    codes, words = table.coded[form.outcome]
    lower = [word.lower() for word in words]
    by_place = np.array([form.places.get(word, np.nan) for word in lower])[codes]
    if all(word in form.shares for word in lower):
        return by_place
    arm = {name: number for number, name in enumerate(names)}
    of_word = np.array([arm.get(word, -1) for word in words])
    tie = np.array([form.places.get(word) == 0.5 for word in lower], dtype=np.bool_)
    named = (of_word[codes] == first) | (of_word[codes] == second)
    by_name = np.where(named, 1.0 * (of_word[codes] == first), np.nan)
    ambiguous = tie & (of_word >= 0)
    by_name = np.where(tie[codes], 0.5, by_name) if form.named else np.full(table.rows, np.nan)
    placed, fits = not np.isnan(by_place).any(), not np.isnan(by_name).any()
    differ = by_place != by_name if placed and fits else (ambiguous[codes] if fits else None)
    if differ is not None and differ.any():
        row = int(np.argmax(differ))
        raise InputError(
            f"{table.place(row)}: {form.outcome} is {words[codes[row]]!r}, which may be an arm's "
            f"name or say which of the two won; write {form.columns[0]} or {form.columns[1]}"
        )
    if placed or fits:
        return by_place if placed else by_name
    row = int(np.argmax(np.isnan(by_place) & np.isnan(by_name)))
    known = list(form.shares)
    wish = f"{', '.join(known[:-1])} or {known[-1]}"
    if form.named:
        wish += ", or the name of one of the two"
    if not (np.isnan(by_place) & np.isnan(by_name)).any():
        row, wish = int(np.argmax(np.isnan(by_name))), "the name of one of the two, as elsewhere"
    raise InputError(
        f"{table.place(row)}: {form.outcome} is {shortened(words[codes[row]])!r}, expected {wish}"
        f"{form.hint}"
    )


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
