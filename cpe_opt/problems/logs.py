r"""Logs of duels: their forms, and how they are counted: which pairs met, how often, who won.

A log is a table (CSV, Parquet, a data frame) or a list of JSON objects: one a line (``.jsonl``,
``.ndjson``) or all of them in one array (``.json``), their keys the columns. Every form may have a
column ``count`` for lines that stand for many duels, and evalica's may call it ``weight`` or
``weights``. Further columns, such as ``judge`` or ``turn``, are left out; those whose names sound
as if they said who won or how often are refused. Of those that say whose a vote is, or what it is
about (:mod:`cpe_opt.problems.clusters`), the different values are counted: votes that share one may
depend on each other.

=========== ============================ ====================================================
form        columns                      a line as CSV, or as JSON
=========== ============================ ====================================================
``winners`` ``winner, loser``            ``tuna,squid,3``
``winners`` ``winner_name, loser_name``  ``tuna,squid``
``arena``   ``model_a, model_b,          ``{"model_a": "gpt-4", "model_b": "alpaca-13b",
            winner``                     "winner": "tie (bothbad)", "turn": 1}``
``arena``   ``player_a, player_b,        ``gpt-4,alpaca-13b,gpt-4``
            winner``
``flags``   ``model_a, model_b,          ``gpt-4,alpaca-13b,0,0,1``
            winner_model_a,
            winner_model_b, winner_tie``
``evalica`` ``left, right, winner``      ``Pizza,Sushi,left``
``crowd``   ``left, right, label``       ``Pizza,Sushi,Pizza``
``alpaca``  ``generator_1, generator_2,  ``{"generator_1": "gpt-4", "generator_2":
            preference``                 "alpaca-13b", "preference": 1.0}``
``pairs``   ``chosen_model,              ``{"prompt": "Why?", "chosen": "For…", "rejected":
            rejected_model``, and texts  "No.", "chosen_model": "gpt-4", "rejected_model":
                                         "alpaca-13b"}``
``choix``   two numbers, no header       ``0 1``, ``[0, 1]``
=========== ============================ ====================================================

* ``arena`` is what Chatbot Arena publishes (Zheng et al., NeurIPS 2023 Datasets and Benchmarks:
  data set ``chatbot_arena_conversations``; FastChat's ``clean_battle_data.py`` writes one array):
  ``winner`` is ``model_a``, ``model_b``, or one of the ties ``tie``, ``tie (bothbad)``,
  ``both_bad``. It may be the name of one of the two arms as well, or a place in other words
  (:data:`PLACES`), such as ``A`` and ``B``. ``flags`` is the form of the competition
  "LMSYS - Chatbot Arena Human Preference Predictions" (Kaggle, 2024): 1 in the column of what
  happened, 0 in the others.
* ``evalica`` is what the command line of evalica reads (Ustalov, COLING 2025): ``winner`` is
  ``left``, ``right`` or ``tie``. Words that evalica would leave out are refused here, except for
  those of ``arena``. Its functions take weights; here they are counts, whole numbers.
* ``crowd`` is what the pairwise aggregations of crowd-kit take (Ustalov et al., 2021): ``label`` is
  the name of the one that won.
* ``alpaca`` is what alpaca_eval writes (Li et al., 2023): ``preference`` is 1 where the first
  generator won, 2 where the second did, 1.5 or 0 for a tie. A weighted one, between 1 and 2, is a
  probability and no vote, and refused.
* ``pairs`` are preferences as models are trained on: ``prompt, chosen, rejected``, of which only
  the names of the two models are read. They are in ``chosen_model, rejected_model`` (RewardBench,
  Capybara-Preferences), ``chosen-model, rejected-model`` (argilla's ultrafeedback-binarized-
  preferences), ``chosen_policy, rejected_policy`` (OpenHermesPreferences), or in one of
  :data:`PAIRS`; HuggingFaceH4's ultrafeedback_binarized and many more do not say the model.
* ``choix`` is what the functions of choix take (L. Maystre): pairs ``(i, j)`` of numbers, where i
  won. It has no format of files; what its users keep is that list: as JSON, ``[[1, 0], [0, 4]]`` or
  one pair ``[1, 0]`` a line; or as lines of text, as ``numpy.savetxt`` writes them: ``1 0``, or
  with a comma, a semicolon or a tab between the two. Two columns of numbers may also be a matrix of
  two arms: text is taken for pairs where it has more than three lines, or starts with the comment
  ``# winner loser``. Labels are the numbers, in their order; those that are in no pair are no arms.

A log over the items of a fixed test set (:mod:`cpe_opt.problems.dueling.items`) has a column
``item`` as well, and may have a column ``first``: which of the two arms was shown first, by its
name or its place. In place of the columns of a form such a log may have ``model_a, model_b,
outcome``, where ``outcome`` is a number from 0 to 1: what ``model_a`` gets.

Two ways to read votes that depend on each other (:mod:`cpe_opt.problems.clusters`): by *clusters*,
of which a column says which vote is of which; or *unique* in some columns, and perhaps in the pair,
the first vote of each combination alone. Which votes are read at all,
:mod:`cpe_opt.problems.vote_filters` says. Several logs are read as one, whatever their forms.

A tie is half a win for each, also one that says that both are bad: how many do is said wherever
votes are reported. ``winners``, ``pairs`` and ``choix`` have none.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError, listed, shortened
from cpe_opt.problems.clusters import (
    PAIR,
    ClusterColumn,
    Clustering,
    is_cluster_name,
    outcomes_of,
    row_codes,
)
from cpe_opt.problems.json_values import first_value, is_json, json_values, kind_of
from cpe_opt.problems.pairs import MOST_ARMS, LogNotes, PairTable, VoteCounts, counted_table
from cpe_opt.problems.tables import (
    Table,
    header_of,
    is_parquet,
    joined_tables,
    parse_number,
    read_table,
)
from cpe_opt.problems.vote_filters import VoteFilter, refuse_outcomes, require_columns
from cpe_opt.text import MOST_ROWS, check_size, read_text, require_file, stem_of, text_lines

if TYPE_CHECKING:
    import pandas as pd

TIES = ("tie", "tie (bothbad)", "both_bad")
BOTH_BAD = frozenset({"tie (bothbad)", "both_bad", "both bad", "both-bad", "bothbad"})
"""Ties that say that both arms are bad."""
NO_ARMS = frozenset({*TIES, *BOTH_BAD, "draw"})
"""Words that stand for ties where an arm would be named."""
PLACES = {
    **dict.fromkeys(("a", "model a", "player_a", "player a", "left", "first"), 1.0),
    **dict.fromkeys(("b", "model b", "player_b", "player b", "right", "second"), 0.0),
    **dict.fromkeys((*sorted(NO_ARMS), "tied", "tie (inconsistent)"), 0.5),
}
"""The share of the first arm by further words for who won."""


@dataclass(frozen=True)
class LogForm:
    """A form of logs.

    Attributes
    ----------
    name : str
    columns : tuple of str
        Those that it needs; the first two name the arms.
    shares : mapping from word to float
        The share of the win that the first arm has, for each word of the column of outcomes; empty
        where the first arm is the winner, or flags say who is.
    counts : tuple of str
        The columns of which one may say how many duels a line stands for.
    named : bool
        Whether an outcome may be the name of an arm, or one of :data:`PLACES`.
    graded : bool
        Whether the third column has numbers from 0 to 1.
    hint : str
        What a message on a wrong outcome ends with.
    """

    name: str
    columns: tuple[str, ...]
    shares: Mapping[str, float] = field(default_factory=dict)
    counts: tuple[str, ...] = ("count",)
    named: bool = False
    graded: bool = False
    hint: str = ""

    @property
    def outcome(self) -> str:
        """The column that says who won, where there is one."""
        return self.columns[2] if self.shares else ""

    @property
    def places(self) -> Mapping[str, float]:
        """The share of the first arm by all words that say which of the two places won."""
        return {**PLACES, **self.shares} if self.named else self.shares

    @property
    def flags(self) -> tuple[str, ...]:
        """The columns of which one is 1."""
        return self.columns[2:] if len(self.columns) > 3 else ()

    @property
    def names_winner(self) -> bool:
        """Whether the first of the two arms is the winner."""
        return not self.has_ties

    @property
    def has_ties(self) -> bool:
        """Whether a line can be a tie."""
        return bool(self.shares or self.flags or self.graded)


WINNERS = LogForm("winners", ("winner", "loser"))
WINNER_NAMES = LogForm("winners", ("winner_name", "loser_name"))
ARENA = LogForm(
    "arena",
    ("model_a", "model_b", "winner"),
    {"model_a": 1.0, "model_b": 0.0, **dict.fromkeys(TIES, 0.5)},
    named=True,
)
PLAYERS = LogForm(
    "arena",
    ("player_a", "player_b", "winner"),
    {"player_a": 1.0, "player_b": 0.0, **dict.fromkeys(TIES, 0.5)},
    named=True,
)
FLAGS = LogForm("flags", ("model_a", "model_b", "winner_model_a", "winner_model_b", "winner_tie"))
EVALICA = LogForm(
    "evalica",
    ("left", "right", "winner"),
    {"left": 1.0, "right": 0.0, "tie": 0.5},
    ("count", "weight", "weights"),
    named=True,
)
CROWD = LogForm(
    "crowd", ("left", "right", "label"), {"left": 1.0, "right": 0.0, "tie": 0.5}, named=True
)
ALPACA = LogForm(
    "alpaca",
    ("generator_1", "generator_2", "preference"),
    {"1": 1.0, "2": 0.0, "1.5": 0.5, "0": 0.5, "1.0": 1.0, "2.0": 0.0, "0.0": 0.5},
    hint="; a weighted preference between 1 and 2 is a probability, and no vote",
)
PAIRS = tuple(
    LogForm("pairs", columns)
    for columns in (
        ("chosen_model", "rejected_model"),
        ("chosen-model", "rejected-model"),
        ("model_chosen", "model_rejected"),
        ("model-chosen", "model-rejected"),
        ("chosen_model_name", "rejected_model_name"),
        ("chosen_policy", "rejected_policy"),
    )
)
"""The columns of preference pairs that name the models of the two texts."""
FORMS = (WINNERS, WINNER_NAMES, ARENA, PLAYERS, FLAGS, EVALICA, CROWD, ALPACA, *PAIRS)
GRADED = LogForm("outcomes", ("model_a", "model_b", "outcome"), graded=True)
"""Columns of logs over items; in other logs a vote is won, lost or tied."""
ITEM, FIRST = "item", "first"
_NAMED_IN_MESSAGES = (WINNERS, ARENA, FLAGS, EVALICA, CROWD, ALPACA, PAIRS[0])
TEXTS = ("chosen", "rejected")


def form_of(header: tuple[str, ...]) -> LogForm | None:
    """The form of a log with these columns, in lower case; None if it is not one."""
    return next((form for form in FORMS if set(form.columns) <= set(header)), None)


def is_log(header: tuple[str, ...]) -> bool:
    """Whether these columns are those of a log, if only of one that lacks the models' names."""
    return form_of(header) is not None or set(TEXTS) <= set(header)


def no_form(source: str, header: tuple[str, ...], *, keys: bool = False) -> InputError:
    """Why these columns, or keys of JSON objects, are those of no log."""
    what = "keys" if keys else "columns"
    said = f"found {listed(header, what)}"
    if set(TEXTS) <= set(header):
        models = "; or ".join(", ".join(form.columns) for form in PAIRS)
        return InputError(
            f"{source}: pairs of texts, chosen and rejected, of which none of the {what} says "
            f"which models they are by; {said}; expected also {models}"
        )
    return InputError(f"{source}: no log of duels; {said}; expected {forms_of_logs(keys=keys)}")


def forms_of_logs(*, keys: bool = False) -> str:
    """The columns of all forms, for messages."""
    forms = [", ".join(form.columns) for form in _NAMED_IN_MESSAGES]
    if keys:
        return (
            f"one JSON object a line, or an array of them, with the keys {'; or '.join(forms)}; "
            "and, optionally, count; or pairs of numbers"
        )
    return f"{'; or '.join(forms)}; and, optionally, count; separated by commas, semicolons or tabs"


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
    shown_first : bool array
        Where a column says so: whether the first arm of a row was shown first.
    """

    table: Table
    labels: list[str]
    first: IntArray
    second: IntArray
    share: FloatArray
    count: FloatArray
    both_bad: BoolArray
    shown_first: BoolArray

    @property
    def appearance(self) -> IntArray:
        """All arms, in the order in which lines name them."""
        return _order_of_appearance(self.first, self.second, len(self.labels))

    def counted(
        self,
        rows: IntArray | None = None,
        *,
        cluster: str | None = None,
        unique: Sequence[str] = (),
        clusters: Sequence[ClusterColumn] | None = None,
    ) -> tuple[list[str], VoteCounts]:
        """Labels and counts, of some rows alone where these are given.

        Parameters
        ----------
        rows : int array, optional
        cluster : str, optional
            The column of clusters.
        unique : sequence of str
            Columns of which the first vote of each combination counts alone.
        clusters : sequence of ClusterColumn, optional
            The columns that tell clusters in which values repeat; by default in these rows.
        """
        first, second, share, count = self.first, self.second, self.share, self.count
        among = int((count if rows is None else count[rows]).sum())
        if unique:
            rows, count = self._first_of_each(unique, rows), np.ones_like(count)
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
        names = [self.labels[arm] for arm in order.tolist()]
        tied = tied + tied.T
        kept = np.arange(len(self.first)) if rows is None else rows
        kept, met = kept[count > 0], count[count > 0]
        told = self.table.clusters(met, kept) if clusters is None else clusters
        notes = LogNotes(
            unused=self.table.unused,
            clusters=tuple(told),
            both_bad=int(met[self.both_bad[kept]].sum()),
            unique=tuple(unique),
            left_out=among - int(met.sum()),
        )
        if cluster is None and not unique:
            return names, VoteCounts(wins=wins, tied=tied, notes=notes)

        pair = np.minimum(self.first, self.second) * len(self.labels)
        pair = (pair + np.maximum(self.first, self.second))[kept]
        if cluster is None:
            found = (self._repeated(each, kept, pair, unique) for each in notes.clusters)
            notes = replace(notes, clusters=tuple(each for each in found if each is not None))
            apart = not _several_pairs(self._combined(unique, kept), pair)
            return names, VoteCounts(wins, tied, notes, independent=apart)
        keys = self.table.keys(cluster)[kept]
        one, other = place[self.first[kept]], place[self.second[kept]]
        outcomes, scores = outcomes_of(keys, one, other, self.share[kept], met, size)
        notes = replace(notes, clusters=(), clustering=self._clustering(cluster, kept, met, pair))
        return names, VoteCounts(
            wins, tied, notes, independent=scores is None, outcomes=outcomes, scores=scores
        )

    def _first_of_each(self, columns: Sequence[str], rows: IntArray | None) -> IntArray:
        """The first row of each combination of the values of columns, among some rows or all."""
        voted = self.count > 0
        rows = np.flatnonzero(voted) if rows is None else rows[voted[rows]]
        keys = [self._combined(columns, rows)]
        if PAIR in columns and PAIR not in self.table.hashed:
            one, other = self.first[rows], self.second[rows]
            keys += [np.minimum(one, other), np.maximum(one, other)]
        return rows[np.sort(np.unique(row_codes(keys), return_index=True)[1])]

    def _combined(self, columns: Sequence[str], rows: IntArray) -> IntArray:
        """A number for each combination of the values of columns other than the pair."""
        keys = [self.table.keys(name)[rows] for name in columns if name in self.table.hashed]
        return row_codes([np.zeros(len(rows), dtype=np.int64), *keys])

    def _repeated(
        self, told: ClusterColumn, rows: IntArray, pair: IntArray, unique: Sequence[str]
    ) -> ClusterColumn | None:
        """A column of clusters, if it is one of ``unique`` only if a value repeats on one pair."""
        if told.column not in unique:
            return told
        keys = row_codes([self.table.keys(told.column)[rows], pair])
        return told if len(np.unique(keys)) < len(keys) else None

    def _clustering(
        self, column: str, rows: IntArray, count: FloatArray, pair: IntArray
    ) -> Clustering:
        """The sizes of clusters, which other columns cross them, and whether their pairs differ."""
        cluster = self.table.keys(column)[rows]
        each = np.unique(row_codes([cluster, pair]), return_index=True)[1]
        pairs = np.unique(np.unique(cluster[each], return_counts=True)[1])
        sizes = np.bincount(cluster, weights=count)
        sizes = sizes[sizes > 0]
        crossed = []
        for name, hashes in self.table.hashed.items():
            known = hashes[rows] > 0
            values = hashes[rows][known]
            if name != column and is_cluster_name(name):
                keys = np.unique(values, return_inverse=True)[1]
                if _several_pairs(keys.ravel(), cluster[known]):
                    crossed.append(name)
        return Clustering(
            column,
            len(sizes),
            int(sizes.min()),
            float(np.median(sizes)),
            int(sizes.max()),
            tuple(crossed),
            pairs_differ=bool(pairs[-1] > 1 and pairs[0] < len(np.unique(pair))),
        )


def _several_pairs(keys: IntArray, values: IntArray) -> bool:
    """Whether some key has several different values."""
    return len(np.unique(keys)) < len(np.unique(row_codes([keys, values])))


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
    log: str | os.PathLike[str] | pd.DataFrame,
    *,
    position: bool = False,
    items: bool = False,
    apart: Sequence[str] = (),
    by: str | None = None,
    chosen: VoteFilter | None = None,
) -> DuelLog:
    """The rows of a log with named columns.

    Parameters
    ----------
    log : path or data frame
    position : bool
        Whether it is one of matchings, with a column of that name.
    items : bool
        Whether it is one over items: with a column ``item``, and perhaps ``first``.
    apart : sequence of str
        Further columns that it needs, by which votes are told apart.
    by : str, optional
        A further column that it needs, whose values are names of groups.
    chosen : VoteFilter, optional
        Further columns that it needs are those of the filter.

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
        source, header = path.name, header_of(path)
        in_json = not is_parquet(path) and is_json(path)
    if "position" in header and not position:
        raise InputError(
            f"{source}: a log with a column 'position' is one of matchings, which "
            "cpe.read_panel reads; otherwise rename the column"
        )
    form = form_of(header)
    if form is None and items and set(GRADED.columns) <= set(header):
        form = GRADED
    if form is None and (header or in_json):
        raise _no_form(path, source, header) if in_json else no_form(source, header)
    form = form or WINNERS
    needed = (*(("position",) if position else ()), *form.columns, *((ITEM,) if items else ()))
    optional = (*form.counts, *((FIRST,) if items else ()))
    for name in apart:
        if name in needed or name in optional:
            raise InputError(f"{source}: {name!r} says how a vote went, and not whose it is")
    chosen = chosen or VoteFilter()
    told = (*chosen.columns, *((by,) if by else ()))
    time = chosen.time_column(source, header)
    arms = form.columns[: 0 if form.names_winner else 2]
    outcome = [name for name in (*needed, *optional) if name not in (*arms, "position", ITEM)]
    refuse_outcomes(source, (*told, *((time,) if time else ())), outcome)
    require_columns(source, header, (*told, *((time,) if time else ())), "to choose votes by")
    needed += tuple(name for name in dict.fromkeys(told) if name not in needed)
    table = read_table(
        log, needed, optional, others=True, apart=tuple(apart), time=time, name=source
    )
    _refuse_misnamed(table, form)
    return log_of(table, form)


def _no_form(path: str | os.PathLike[str], source: str, keys: tuple[str, ...]) -> InputError:
    """Why a JSON file is no log: what its first value is."""
    line, value = next(json_values(path), (0, None))
    if isinstance(value, dict) and keys:
        return no_form(f"{source}, line {line}", keys, keys=True)
    found = f"found {kind_of(value)} on line {line}" if line else "nothing is in it"
    return InputError(f"{source}: no log of duels; {found}; expected {forms_of_logs(keys=True)}")


def joined_logs(logs: Sequence[DuelLog]) -> DuelLog:
    """Several logs as one, one after another: the arms are those of all."""
    if len(logs) == 1:
        return logs[0]
    number: dict[str, int] = {}
    places = [
        np.array([number.setdefault(label, len(number)) for label in log.labels]) for log in logs
    ]

    def whole(*parts: Any) -> Any:
        return np.concatenate(parts)

    return DuelLog(
        joined_tables([log.table for log in logs]),
        list(number),
        whole(*(place[log.first] for place, log in zip(places, logs, strict=True))),
        whole(*(place[log.second] for place, log in zip(places, logs, strict=True))),
        whole(*(log.share for log in logs)),
        whole(*(log.count for log in logs)),
        whole(*(log.both_bad for log in logs)),
        whole(*(log.shown_first for log in logs)),
    )


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
    share, both_bad = _outcomes(table, form, first, second, list(names))
    shown = _shown_first(table, form, first, second, names) if FIRST in table else first >= 0
    return DuelLog(table, list(names), first, second, share, _counts(table, form), both_bad, shown)


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


def _outcomes(
    table: Table, form: LogForm, first: IntArray, second: IntArray, names: Sequence[str]
) -> tuple[FloatArray, BoolArray]:
    """The share of the win that the first arm of each row has, and which ties say "both bad".

    A column of outcomes is read as a whole. It has *places*, such as ``model_a`` or ``B``, or
    *names* of arms, each of which is one of the two of its line; words for ties go with either.
    Where both readings are possible and differ, as for arms that are called "A" and "B" and change
    sides, the log is refused.
    """
    if form.flags:
        return _flagged(table, form), np.zeros(table.rows, dtype=np.bool_)
    if form.graded:
        return _graded(table, form.columns[2]), np.zeros(table.rows, dtype=np.bool_)
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


def _graded(table: Table, column: str) -> FloatArray:
    """The same from a column of numbers."""
    shares = table.numbers(column)
    wrong = np.flatnonzero((shares < 0.0) | (shares > 1.0))
    if wrong.size:
        row = int(wrong[0])
        raise InputError(
            f"{table.place(row)}: {column} is {shares[row]:g}, expected a number from 0 to 1"
        )
    return shares


def _shown_first(
    table: Table, form: LogForm, first: IntArray, second: IntArray, names: Mapping[str, int]
) -> BoolArray:
    """Whether the first arm of each row was shown first: by its name, or by places all along."""
    codes, words = table.labels(FIRST)
    places = {word: share == 1.0 for word, share in PLACES.items() if share != 0.5}
    places |= {form.columns[0]: True, form.columns[1]: False}
    by_place = np.array([places.get(word.lower(), -1) for word in words], dtype=np.int64)[codes]
    arm = np.array([names.get(word, -1) for word in words], dtype=np.int64)[codes]
    by_name = np.where(arm == first, 1, np.where(arm == second, 0, -1))
    placed, named = (by_place >= 0).all(), (by_name >= 0).all()
    if placed and named and (by_place != by_name).any():
        row = int(np.argmax(by_place != by_name))
        raise InputError(
            f"{table.place(row)}: {FIRST} is {words[codes[row]]!r}, which may be an arm's name or "
            f"a place; write {form.columns[0]} or {form.columns[1]}"
        )
    if not (placed or named):
        unknown = (by_place < 0) & (by_name < 0)
        row = int(np.argmax(unknown if unknown.any() else by_name < 0))
        raise InputError(
            f"{table.place(row)}: {FIRST} is {shortened(words[codes[row]])!r}, expected the name "
            f"of one of the two arms, or in all lines {form.columns[0]} or {form.columns[1]}"
        )
    return np.equal(by_name if named else by_place, 1)


# Pairs of numbers, the form ``choix``.


PAIRS_COMMENT = "# winner loser"
"""The first line of a text of pairs, however few they are."""
_MATRIX_LINES = 3  # a matrix of two arms has as many at most
_SEPARATORS = re.compile(r"\s*[,;]\s*|\s+")
_LARGEST_NUMBER = 2**53
_EXPECTED = "expected two whole numbers, 0 or more: who won, and who lost"


def is_number_pairs(path: str | os.PathLike[str]) -> bool:
    """Whether a file has pairs of numbers and nothing else, and is no matrix of two arms."""
    path = require_file(path)
    if is_parquet(path):
        return False
    if is_json(path):
        return isinstance(first_value(path), list)
    lines = [line for line in read_text(path, only_start=True).split("\n") if line.strip()]
    if lines and lines[0].split() == PAIRS_COMMENT.split():
        return True
    pairs = [line for line in lines if not line.lstrip().startswith("#")][: _MATRIX_LINES + 1]
    return len(pairs) > _MATRIX_LINES and all(_of_text(line) is not None for line in pairs)


def read_number_pairs(pairs: str | os.PathLike[str] | Iterable[object]) -> PairTable:
    """Count pairs from a file, from a list, or from an array of shape (n, 2).

    Raises
    ------
    InputError
        With the line or the pair that is none.
    """
    source, name, what = "duels", "duels", "pair"
    parse: Callable[[Any], tuple[int, int] | None] = _of_values
    if isinstance(pairs, str | os.PathLike):
        path = require_file(pairs)
        source, name, what = path.name, stem_of(path), "line"
        parse = _of_values if is_json(path) else _of_text
    elif getattr(pairs, "ndim", 1) == 0:
        raise InputError(f"duels is {pairs!r}, {_EXPECTED}")

    def entries() -> Iterator[tuple[int, Any]]:
        if not isinstance(pairs, str | os.PathLike):
            yield from enumerate(pairs)
        elif parse is _of_values:
            yield from json_values(path)
        else:
            for number, line in enumerate(text_lines(path), 1):
                if line.strip() and not line.lstrip().startswith("#"):
                    yield number, line

    numbers = array("q")
    for number, entry in entries():
        pair = parse(entry)
        if pair is None:
            found = json.dumps(entry) if what == "line" and parse is _of_values else entry
            found = shortened(repr(found.strip() if isinstance(found, str) else found))
            raise InputError(f"{source}, {what} {number}: found {found}, {_EXPECTED}")
        numbers.extend(pair)
        if what == "line":
            check_size(source, len(numbers) // 2, MOST_ROWS, "lines")
    if not numbers:
        raise InputError(f"{source}: no pairs, {_EXPECTED}")
    items, codes = np.unique(np.array(numbers, dtype=np.int64), return_inverse=True)
    labels = [str(item) for item in items.tolist()]
    columns = WINNERS.columns
    coded = {column: (codes.ravel()[side::2], labels) for side, column in enumerate(columns)}

    def place(row: int) -> str:
        return f"{source}, {what} {next(islice(entries(), row, None))[0]}"

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


def _of_values(entry: Any) -> tuple[int, int] | None:
    """Two whole numbers, or None."""
    if isinstance(entry, np.ndarray):
        entry = entry.tolist()
    if not isinstance(entry, list | tuple) or len(entry) != 2:
        return None
    for value in entry:
        if isinstance(value, bool) or not isinstance(value, int | float | np.integer):
            return None
        if not 0 <= value < _LARGEST_NUMBER or value != int(value):
            return None
    return int(entry[0]), int(entry[1])
