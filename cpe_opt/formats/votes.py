r"""Votes from files, and votes to files.

**Filters.** A filter has to be chosen without looking at who wins with it: whoever tries twenty and
reports the one with the best proof has proved nothing, for each of twenty statements at 95 % may be
wrong. Either the filter follows from the question, "which model is best on German prompts?", or the
probability of an error is divided among all filters that are looked at, as
:func:`cpe_opt.evidence_by` does. Columns that say how a vote went are refused: a filter on them
selects by outcome, and of what it leaves nothing can be proved
(:mod:`cpe_opt.problems.dueling.votes`, "Selection"). Two cells are the same value if their texts
are, or the numbers that they hold; true and false are 1 and 0.

**Written** votes are read back as they were. Arms come back in their order if arms 0 and 1 met, and
each further arm met an earlier one, or else the next arm, which it beat at least once where the
winner is named first.
"""

from __future__ import annotations

import csv
import datetime
import difflib
import json
import os
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName, listed, shortened
from cpe_opt.files import atomic_write, check_output
from cpe_opt.formats.kinds import (
    ARENA,
    BOTH_BAD,
    EVALICA,
    FIRST,
    FLAGS,
    GRADED,
    ITEM,
    NO_ARMS,
    PAIRS,
    PAIRS_COMMENT,
    PLACES,
    WINNERS,
    Format,
    LogForm,
    form_of,
    format_of,
    no_form,
    number_pair,
    numbers_of,
)
from cpe_opt.formats.matrices import FORMATS, quoted_cell, read_square, write_square
from cpe_opt.formats.preflib import read_preflib
from cpe_opt.formats.tables import (
    JSON_SUFFIXES,
    MISSING,
    CodeArray,
    Source,
    Table,
    header_of,
    is_json,
    joined_tables,
    json_values,
    parse_number,
    read_table,
    seconds_of,
)
from cpe_opt.problems.clusters import (
    PAIR,
    ClusterColumn,
    Clustering,
    is_cluster_name,
    outcomes_of,
    row_codes,
)
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.pairs import MOST_ARMS, LogNotes, PairTable, VoteCounts, counted_table
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.text import MOST_ROWS, check_size, require_file, stem_of, text_lines
from cpe_opt.validation import Name, checked_types

if TYPE_CHECKING:
    import pandas as pd

Duels: TypeAlias = (
    "str | os.PathLike[str] | pd.DataFrame | Sequence[tuple[int, int]] | npt.NDArray[np.integer] | "
    "Sequence[str | os.PathLike[str] | pd.DataFrame]"
)
"""A log: a file, a data frame, pairs of numbers; or several files or data frames, as one."""
LogPaths: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""A file, or several."""
MOST_GROUPS = 1000
"""How many different values a column of groups may have."""


class ReadOptions(TypedDict, total=False):
    """Which votes of a log are read, and how; see :func:`read_votes`."""

    cluster: str | None
    unique: str | Sequence[str]
    where: Mapping[str, object] | None
    where_not: Mapping[str, object] | None
    since: str | float | datetime.date | None
    until: str | float | datetime.date | None
    time: str | None


@checked_types
@shows_progress("reading votes")
def read_votes(
    source: Duels,
    *,
    unranked: Literal["last", "ignore"] | None = None,
    name: Name | None = None,
    progress: ShowProgress = None,
    **options: Unpack[ReadOptions],
) -> Votes:
    r"""Read votes: logs of duels, a PrefLib file, or a square matrix of counts.

    Logs may be of any form of :mod:`cpe_opt.formats.kinds`, as CSV, Parquet or JSON; text may be
    compressed by gzip. Several logs, also of different forms, are read as one. Arms take the order
    in which they first appear; where they are numbers, that of these.

    Parameters
    ----------
    source : path, data frame, pairs (i, j) of numbers, or sequence of paths or data frames
        Of a pair of numbers, i won.
    unranked : "last" or "ignore", optional
        What an incomplete ranking of an election says of the alternatives that it leaves out, see
        :func:`cpe_opt.formats.preflib.read_preflib`; "last" by default. Refused for other files,
        where it has no effect.
    name : str, optional
        For titles; by default that of the file.
    progress : bool or callable, optional
        Whether a line says how far it is: by default at a terminal or in a notebook, after a
        second. A function is told each step in words.
    cluster : str, optional
        A column of a log, such as "prompt": votes that share a value of it may depend on each
        other. Their mean on a pair is one outcome, and what is proved is about the mean over
        clusters, which have to be independent of each other, on pairs that their own votes did
        not choose (:mod:`cpe_opt.problems.clusters`).
    unique : str or sequence of str, optional
        Columns of a log, and "pair" for the two arms whichever is named first, such as
        ``("rater", "pair")`` or ``"rater,pair"``: of each combination the first vote counts
        alone.
    where, where_not : mapping from column to a value, or a list of values, optional
        Only votes with one of the values in each column of ``where``, such as
        ``{"language": "en", "turn": [1, 2]}``, and without those of ``where_not``. Columns that
        say how a vote went are refused; choose filters without looking at who wins with them.
    since, until : str, number, date or datetime, optional
        Only votes from ``since`` on and before ``until``; ``until`` a date includes that day.
        Without an offset times are of UTC.
    time : str, optional
        The column of times; by default the one that is called so, such as "timestamp", "date"
        or "created_at".

    Raises
    ------
    InputError
        With the line concerned, and where a matrix may be one of probabilities.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "duels.csv"
    ...     _ = path.write_text("winner,loser,count\ntuna,squid,3\nsquid,tuna,1\n")
    ...     read_votes(path).wins.tolist()
    [[0.0, 3.0], [1.0, 0.0]]
    """
    return Votes.of_table(read_preferences(source, unranked=unranked, **options), name)


@checked_types
@shows_progress("reading votes")
def read_votes_by(
    source: Duels, by: str, *, progress: ShowProgress = None, **options: Unpack[ReadOptions]
) -> dict[str, Votes]:
    r"""Read logs of votes, group by group: the votes of each value of a column.

    Parameters
    ----------
    source : path, data frame, or sequence of these
    by : str
        A column, such as "language"; not one that says how a vote went.
    progress
        As for :func:`read_votes`.
    **options
        As for :func:`read_votes`.

    Returns
    -------
    dict from value to Votes
        The largest group first. Arms of a group are those that its votes name.
        :func:`cpe_opt.evidence_by` says what all of them prove at once.

    Raises
    ------
    InputError
        With the line concerned, and where a vote is of no group, or there are more than 1,000.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "duels.csv"
    ...     _ = path.write_text("winner,loser,language\na,b,de\na,b,en\nb,a,en\n")
    ...     groups = read_votes_by(path, "language")
    >>> {value: votes.summary.duels for value, votes in groups.items()}
    {'en': 2, 'de': 1}
    """
    sources = _sources(source)
    if sources is None:
        raise InputError("pairs of numbers have no columns, which by names")
    require_logs(sources, by=by, **options)  # type: ignore[call-arg]
    log = _Log.read(sources, by.strip().lower(), options)
    return {value: Votes.of_table(log.counted(rows, value)) for value, rows in log.groups()}


def read_preferences(
    source: Duels,
    *,
    kind: Format | None = None,
    unranked: Literal["last", "ignore"] | None = None,
    **options: Unpack[ReadOptions],
) -> PairTable:
    """Read a matrix, logs or an election; ``kind`` is what the first file is, where known."""
    given = [name for name, value in options.items() if value]
    sources = _sources(source)
    if sources is None:
        if given:
            raise InputError(f"pairs of numbers have no columns, which {' and '.join(given)} name")
        return read_number_pairs(source)
    first: Any = sources[0]
    kind = kind_of_source(first) if kind is None else kind
    refuse_unranked(first, kind, unranked)
    if given or len(sources) > 1:
        require_logs(sources, **options)
    if kind is Format.NUMBER_PAIRS:
        return read_number_pairs(first)
    if kind is Format.MATRIX:
        return read_square(first)
    if kind is Format.ELECTION:
        return read_preflib(first, unranked=unranked or "last")
    if kind.family in ("dueling", "separable") or kind is Format.POSITION_LOG:
        # which says why a JSON file of another problem is no log
        return _Log.read(sources, None, options).counted()
    raise InputError(f"{Path(first).name} is {kind.what}; a file of preferences is {FORMATS}")


def kind_of_source(source: Source) -> Format:
    """What a file is; a data frame is a log."""
    return format_of(source) if isinstance(source, str | os.PathLike) else Format.LOG


def refuse_unranked(source: Source, kind: Format, unranked: str | None) -> None:
    """Raise :class:`InputError` where the option is given for what is no election."""
    if unranked is not None and kind is not Format.ELECTION:
        raise InputError(
            f"{source}: unranked (--unranked on the command line) has no effect on {kind.what}; it "
            "says how the rankings of a PrefLib election are read"
        )


def _sources(source: Duels) -> list[Source] | None:
    """Files or data frames, or None of pairs of numbers."""
    if isinstance(source, str | os.PathLike) or hasattr(source, "columns"):
        return [source]  # type: ignore[list-item]
    if isinstance(source, list | tuple) and not (
        source and isinstance(source[0], list | tuple | np.ndarray)
    ):
        return list_of_paths(source)
    return None


def list_of_paths(paths: Any) -> list[Any]:
    """The paths of one file or several, or :class:`InputError` if one is named twice."""
    if isinstance(paths, str | os.PathLike):
        return [paths]
    if not len(paths):
        raise InputError("paths: none are named, expected at least one file")
    seen: set[str] = set()
    for path in paths:
        place = f"{id(path)}" if hasattr(path, "columns") else str(require_file(path).resolve())
        if place in seen:
            raise InputError(f"{str(path)!r} is named twice, and its votes would count twice")
        seen.add(place)
    return list(paths)


def require_logs(sources: Sequence[Source], **options: Unpack[ReadOptions]) -> None:
    """Raise :class:`InputError` where one of several files, or one read with options, is no log."""
    given = " and ".join(name for name, value in options.items() if value)
    why = f"{given} has an effect" if given else "several files are read as one"
    for source in sources:
        kind = kind_of_source(source)
        if kind is not Format.LOG:
            name = Path(source).name  # type: ignore[arg-type]
            raise InputError(f"{name} is {kind.what}, and {why} only where each is a log of duels")


# The rows of a log.


@dataclass(frozen=True, eq=False)
class DuelLog:
    """The rows of a log: two arms, and how many duels, of which the first won a share."""

    table: Table
    labels: list[str]
    first: CodeArray
    second: CodeArray
    share: FloatArray
    count: FloatArray
    both_bad: BoolArray
    shown_first: BoolArray
    times: FloatArray | None = None

    @property
    def pair(self) -> IntArray:
        """The two arms of every row as one number."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        return low.astype(np.int64) * len(self.labels) + high

    def arms(self, rows: IntArray | None = None) -> IntArray:
        """All arms, or those of some rows, in the order in which lines name them."""
        chosen = slice(None) if rows is None else rows
        named = np.stack([self.first[chosen], self.second[chosen]], axis=1).ravel()
        place = np.full(len(self.labels), len(named))
        place[named[::-1]] = np.arange(len(named) - 1, -1, -1)
        return np.argsort(place, kind="stable")[: int((place < len(named)).sum())]

    def counted(
        self,
        rows: IntArray | None = None,
        *,
        cluster: str | None = None,
        unique: Sequence[str] = (),
        clusters: Sequence[ClusterColumn] | None = None,
    ) -> tuple[list[str], VoteCounts]:
        """Labels and counts of some rows or all; ``clusters`` by default those of these."""
        table = self.table
        rows = np.arange(table.rows) if rows is None else rows
        count = self.count
        among = int(count[rows].sum())
        if unique:
            rows = rows[count[rows] > 0]
            rows = rows[np.sort(np.unique(self._keys(unique, rows), return_index=True)[1])]
            count = np.ones_like(count)
        arms = self.arms(rows)
        size = _checked_size(table.source, len(arms))
        rows = rows if count.all() else rows[count[rows] > 0]
        if not len(rows):
            raise InputError(f"{table.source}: no duels, for every count is 0")
        place = np.zeros(len(self.labels), dtype=np.int32)
        place[arms] = np.arange(size)
        first, second = place[self.first[rows]], place[self.second[rows]]
        share, count = self.share[rows], count[rows]

        def total(weights: FloatArray, codes: CodeArray) -> FloatArray:
            summed = np.bincount(codes, weights=weights, minlength=size * size)
            return np.asarray(summed.reshape(size, size), dtype=np.float64)

        codes = first * size + second
        wins = total(count * share, codes)
        if (share < 1.0).any():
            wins += total(count * (1.0 - share), second * size + first)
        tied = total(count * (share == 0.5), codes) if (share == 0.5).any() else np.zeros_like(wins)
        labels = [self.labels[arm] for arm in arms.tolist()]
        notes = LogNotes(
            unused=table.unused,
            clusters=tuple(table.clusters(count, rows) if clusters is None else clusters),
            both_bad=int(count[self.both_bad[rows]].sum()),
            unique=tuple(unique),
            left_out=among - int(count.sum()),
        )
        counts = VoteCounts(wins, tied + tied.T, notes)
        if cluster is not None:
            keys = table.keys(cluster)[rows]
            ends = first.astype(np.int64), second.astype(np.int64)
            outcomes, scores = outcomes_of(keys, *ends, share, count, size)
            clustering = self._clustering(cluster, rows, count)
            notes = replace(notes, clusters=(), clustering=clustering)
            counts = replace(
                counts, notes=notes, independent=scores is None, outcomes=outcomes, scores=scores
            )
        elif unique:
            pair = self.pair[rows]
            notes = replace(
                notes,
                clusters=tuple(
                    told
                    for told in notes.clusters
                    if told.column not in unique
                    or _repeats(row_codes([table.keys(told.column)[rows], pair]))
                ),
            )
            apart = _several(self._keys([name for name in unique if name != PAIR], rows), pair)
            counts = VoteCounts(wins, counts.tied, notes, independent=not apart)
        return labels, counts

    def _keys(self, columns: Sequence[str], rows: IntArray) -> IntArray:
        """A number for each combination of the values of columns, of which one may be the pair."""
        keys = [np.zeros(len(rows), dtype=np.int64)]
        for name in columns:
            hashed = name in self.table.hashed
            keys.append(self.table.keys(name)[rows] if hashed else self.pair[rows])
        return row_codes(keys)

    def _clustering(self, column: str, rows: IntArray, count: FloatArray) -> Clustering:
        """The sizes of clusters, which other columns cross them, and whether their pairs differ."""
        cluster, pair = self.table.keys(column)[rows], self.pair[rows]
        each = np.unique(row_codes([cluster, pair]), return_index=True)[1]
        pairs = np.unique(cluster[each], return_counts=True)[1]
        sizes = np.bincount(cluster, weights=count)
        sizes = sizes[sizes > 0]
        crossed = []
        for name, hashes in self.table.hashed.items():
            known = hashes[rows] != 0
            if name != column and is_cluster_name(name):
                keys = np.unique(hashes[rows][known], return_inverse=True)[1].ravel()
                if _several(keys, cluster[known]):
                    crossed.append(name)
        return Clustering(
            column,
            len(sizes),
            int(sizes.min()),
            float(np.median(sizes)),
            int(sizes.max()),
            tuple(crossed),
            pairs_differ=bool(pairs.max() > 1 and pairs.min() < len(np.unique(pair))),
        )


def _repeats(keys: IntArray) -> bool:
    return len(np.unique(keys)) < len(keys)


def _several(keys: IntArray, values: IntArray) -> bool:
    """Whether some key has several different values."""
    return len(np.unique(keys)) < len(np.unique(row_codes([keys, values])))


def read_log(
    log: Source,
    *,
    position: bool = False,
    items: bool = False,
    apart: Sequence[str] = (),
    by: str | None = None,
    chosen: VoteFilter | None = None,
) -> DuelLog:
    """The rows of a log; by columns ``apart`` votes are told apart, values of ``by`` are groups."""
    source = "duels" if hasattr(log, "columns") else require_file(log).name
    header = header_of(log)
    if "position" in header and not position:
        raise InputError(
            f"{source}: a log with a column 'position' is one of matchings, which "
            "cpe_opt.read_observations reads; otherwise rename the column"
        )
    form = form_of(header)
    if form is None and items and set(GRADED.columns) <= set(header):
        form = GRADED
    if form is None and header:
        raise no_form(source, header)
    form = form or WINNERS  # of a table without rows, which its reader refuses
    needed = (*(("position",) if position else ()), *form.columns, *((ITEM,) if items else ()))
    optional = (*form.counts, *((FIRST,) if items else ()))
    chosen = chosen or VoteFilter()
    time = chosen.time_column(source, header)
    told = (*chosen.columns, *((by,) if by else ()), *((time,) if time else ()))
    arms = form.columns[: 2 if form.has_ties else 0]
    outcome = [name for name in (*needed, *optional) if name not in (*arms, "position", ITEM)]
    for name in (*apart, *told):
        known = (*needed, *optional) if name in apart else outcome
        if name in known or (name in told and _OUTCOME.fullmatch(name)):
            raise InputError(
                f"{source}: {name!r} says how votes went, and votes that are chosen by that prove "
                "nothing; expected a column that was known before, such as a language"
            )
        if name not in header:
            raise InputError(
                f"{source}: no column {name!r} to choose votes by; found {listed(header)}"
            )
    needed += tuple(name for name in dict.fromkeys(told) if name not in needed)
    table = read_table(log, needed, optional, others=True, apart=tuple(apart), name=source)
    _refuse_misnamed(table, form)
    return replace(log_of(table, form), times=table.times(time) if time else None)


_LIKE_COUNT = ("count", "counts", "n", "number", "times", "weight", "weights", "wins", "votes")
_LIKE_TIE = ("tie", "ties", "tied", "is_tie", "draw", "draws", "is_draw", "outcome", "result")
_COUNTRIES = ("country", "county", "countries")  # near "count", and said of judges


def _refuse_misnamed(table: Table, form: LogForm) -> None:
    """Refuse columns that are not read although they may say who won, or how often."""
    counted = any(name in table for name in form.counts)
    for name in table.columns:
        if name in table:
            continue
        near = difflib.get_close_matches(name, ["count"], n=1, cutoff=0.8)
        like_count = (near and name not in _COUNTRIES) or name in _LIKE_COUNT
        if not form.has_ties and name in (*_LIKE_TIE, FLAGS.columns[-1]):
            what = f"a column of outcomes? A log of ties has {', '.join(ARENA.columns)}"
        elif like_count and not counted:
            what = "how many duels a line stands for? That column is called 'count'"
        else:
            continue
        raise InputError(f"{table.source}: is {name!r} {what}; otherwise rename or remove it")


def joined_logs(logs: Sequence[DuelLog]) -> DuelLog:
    """Several logs as one, one after another: the arms are those of all."""
    if len(logs) == 1:
        return logs[0]
    labels = list(dict.fromkeys(label for log in logs for label in log.labels))
    number = {label: arm for arm, label in enumerate(labels)}
    places = [np.array([number[label] for label in log.labels]) for log in logs]

    def whole(name: str) -> Any:
        return np.concatenate([getattr(log, name) for log in logs])

    return DuelLog(
        joined_tables([log.table for log in logs]),
        labels,
        np.concatenate([place[log.first] for place, log in zip(places, logs, strict=True)]),
        np.concatenate([place[log.second] for place, log in zip(places, logs, strict=True)]),
        whole("share"),
        whole("count"),
        whole("both_bad"),
        whole("shown_first"),
        None if logs[0].times is None else whole("times"),
    )


def log_of(table: Table, form: LogForm) -> DuelLog:
    """The rows of a table that has the columns of a form."""
    (first, first_names), (second, second_names) = map(table.labels, form.columns[:2])
    names = list(dict.fromkeys(first_names + second_names))
    number = {name: arm for arm, name in enumerate(names)}
    first = np.array([number[name] for name in first_names], dtype=np.int32)[first]
    second = np.array([number[name] for name in second_names], dtype=np.int32)[second]
    lower = {name.lower(): arm for name, arm in number.items()}
    header = [lower.get(column, -1) for column in form.columns[:2]]
    ties = [] if form.has_ties else [lower[word] for word in NO_ARMS & {*lower}]
    for wrong, why in (
        (
            np.isin(first, ties) | np.isin(second, ties),
            "a tie; a log with ties has the columns model_a, model_b, winner",
        ),
        (
            (first == header[0]) & (second == header[1]),
            "the header again, expected a duel; files that are joined have one header in all",
        ),
    ):
        if wrong.any():
            raise InputError(f"{table.place(int(np.argmax(wrong)))}: {why}")
    if (first == second).any():
        row = int(np.argmax(first == second))
        raise InputError(f"{table.place(row)}: a duel of {names[first[row]]!r} against itself")
    both_bad = np.zeros(table.rows, dtype=np.bool_)
    if form.shares:
        codes, words = table.coded[form.columns[2]]
        both_bad = np.array([word.lower() in BOTH_BAD for word in words], dtype=np.bool_)[codes]
    shown_first = np.ones(table.rows, dtype=np.bool_)
    if FIRST in table:
        table.labels(FIRST)
        shown = {word: share for word, share in PLACES.items() if share != 0.5}
        shown |= {form.columns[0]: 1.0, form.columns[1]: 0.0}
        wish = f"the name of one of the two, or in all lines {' or '.join(form.columns[:2])}"
        shown_first = _named(table, form, FIRST, shown, (first, second), names, wish) == 1.0
    count = counts_of(table, form.counts)
    share = _shares(table, form, (first, second), names)
    return DuelLog(table, names, first, second, share, count, both_bad, shown_first)


def counts_of(table: Table, columns: Sequence[str]) -> FloatArray:
    """How many duels or scores each row stands for, as one of some columns says."""
    named = [name for name in columns if name in table]
    if len(named) > 1:
        raise InputError(
            f"{table.source}: {' and '.join(map(repr, named))} are columns, expected one that says "
            "how many a line stands for"
        )
    return table.numbers(named[0], whole=True) if named else np.ones(table.rows)


def _shares(
    table: Table, form: LogForm, arms: tuple[CodeArray, CodeArray], names: Sequence[str]
) -> FloatArray:
    """The share of the win that the first arm of each row has."""
    if form.flags:
        cells = np.column_stack([table.numbers(column) for column in form.flags])
        wrong = ~np.isin(cells, (0.0, 1.0)).all(axis=1) | (cells.sum(axis=1) != 1.0)
        share = np.asarray(cells @ np.array([1.0, 0.0, 0.5]), dtype=np.float64)
        what, wish = ", ".join(form.flags), "a single 1 and otherwise 0"
    elif form.graded:
        what, wish = form.columns[2], "a number from 0 to 1"
        share = table.numbers(what)
        cells = share[:, None]
        wrong = (share < 0.0) | (share > 1.0)
    elif form.shares:
        words = {word.lower() for word in table.coded[form.columns[2]][1]}
        named = form.named and not words <= {*form.shares}
        places = {**PLACES, **form.shares} if form.named else form.shares
        wish = f"{', '.join(form.shares)}" + ", or the name of one of the two" * form.named
        return _named(
            table, form, form.columns[2], places, arms if named else None, names, wish + form.hint
        )
    else:
        return np.ones(table.rows)
    if wrong.any():
        row = int(np.argmax(wrong))
        shown = ", ".join(f"{value:g}" for value in cells[row])
        raise InputError(f"{table.place(row)}: {what} is {shown}, expected {wish}")
    return share


def _named(
    table: Table,
    form: LogForm,
    column: str,
    places: Mapping[str, float],
    arms: tuple[CodeArray, CodeArray] | None,
    names: Sequence[str],
    wish: str,
) -> FloatArray:
    """1 where a column says the first arm of its row, 0 the second, ½ a tie.

    A column is read as a whole. It has *places*, such as ``model_a`` or ``B``, or *names* of arms,
    each of which is one of the two of its line; words for ties go with either. Where both readings
    are possible and differ, as for arms that are called "A" and "B" and change sides, the log is
    refused.
    """
    codes, words = table.coded[column]
    by_place = np.array([places.get(word.lower(), np.nan) for word in words])[codes]
    by_name, tie = np.full(table.rows, np.nan), by_place == 0.5
    if arms is not None:
        number = {name: arm for arm, name in enumerate(names)}
        arm = np.array([number.get(word, -1) for word in words])[codes]
        by_name = np.where(arm == arms[0], 1.0, np.where(arm == arms[1], 0.0, np.nan))
        by_name[tie] = 0.5
    no_place, no_name = np.isnan(by_place), np.isnan(by_name)
    if not no_name.any():
        wrong = tie & np.isin(words, names)[codes] if no_place.any() else by_place != by_name
        wish = f"{' or '.join(form.columns[:2])}: it may be the name of an arm or a place"
    else:
        neither = no_place & no_name
        wrong = neither if neither.any() else no_name & no_place.any()
    if wrong.any():
        row = int(np.argmax(wrong))
        found = shortened(words[codes[row]])
        raise InputError(f"{table.place(row)}: {column} is {found!r}, expected {wish}")
    return by_place if no_name.any() else by_name


def read_number_pairs(pairs: str | os.PathLike[str] | Iterable[object]) -> PairTable:
    """Count pairs from a file, from a list, or from an array of shape (n, 2)."""
    expected = "expected two different whole numbers, 0 or more: who won, and who lost"
    in_file = isinstance(pairs, str | os.PathLike)
    path = require_file(pairs) if in_file else Path("duels")  # type: ignore[arg-type]
    source = path.name
    entries: Iterable[tuple[str, Any]]
    in_text = in_file and not is_json(path)
    if in_file and not in_text:
        entries = json_values(path)
    elif in_file:
        entries = (
            (f"line {number}", line.strip())
            for number, line in enumerate(text_lines(path), 1)
            if line.strip() and not line.lstrip().startswith("#")
        )
    elif isinstance(pairs, Sequence | np.ndarray) and getattr(pairs, "ndim", 1) > 0:
        entries = ((f"pair {number}", entry) for number, entry in enumerate(pairs))
    else:
        raise InputError(f"duels is {pairs!r}, {expected}")
    numbers = array("q")
    for place, entry in entries:
        pair = number_pair(numbers_of(entry) if in_text else entry)
        if pair is None or pair[0] == pair[1]:
            raise InputError(f"{source}, {place}: found {shortened(repr(entry))}, {expected}")
        numbers.extend(pair)
        check_size(source, len(numbers) // 2 if in_file else 0, MOST_ROWS, "lines")
    if not numbers:
        raise InputError(f"{source}: no pairs, {expected}")
    items, codes = np.unique(np.array(numbers, dtype=np.int64), return_inverse=True)
    size = _checked_size(source, len(items))
    ends = codes.reshape(-1, 2) @ np.array([size, 1])
    wins = np.bincount(ends, minlength=size * size).reshape(size, size).astype(np.float64)
    labels = [str(item) for item in items.tolist()]
    return counted_table(source, stem_of(path), labels, VoteCounts(wins, np.zeros_like(wins)))


def _checked_size(source: str, arms: int) -> int:
    if arms > MOST_ARMS:
        raise InputError(f"{source}: {arms:,} different arms, expected at most {MOST_ARMS:,}")
    return arms


# Which votes of a log are read.


@dataclass(frozen=True, eq=False)
class _Log:
    """The rows of logs that are read, and how votes in them go together."""

    log: DuelLog
    rows: IntArray
    filters: tuple[tuple[str, int], ...]
    files: list[tuple[str, int]]
    cluster: str | None
    unique: tuple[str, ...]
    by: str

    @staticmethod
    def read(sources: Sequence[Source], by: str | None, options: ReadOptions) -> _Log:
        cluster, unique = options.get("cluster"), options.get("unique") or ()
        cluster = None if cluster is None else cluster.strip().lower()
        unique = unique.split(",") if isinstance(unique, str) else unique
        unique = tuple(dict.fromkeys(name.strip().lower() for name in unique))
        chosen = VoteFilter.of(*(options.get(name) for name in _FILTERS))  # type: ignore[arg-type]
        apart = [name for name in (*unique, *([cluster] if cluster else [])) if name != PAIR]
        logs = [read_log(each, apart=apart, by=by, chosen=chosen) for each in sources]
        log = joined_logs(logs)
        rows, filters = chosen.rows(log)
        files = [(each.table.source, each.table.rows) for each in logs]
        return _Log(log, rows, filters, files, cluster, unique, by or "")

    def counted(self, rows: IntArray | None = None, group: str = "") -> PairTable:
        """All that are read, or those of a group."""
        rows = self.rows if rows is None else rows
        labels, counts = self.log.counted(rows, cluster=self.cluster, unique=self.unique)
        ends = np.searchsorted(rows, np.cumsum([lines for _, lines in self.files]))
        votes = [int(part.sum()) for part in np.split(self.log.count[rows], ends[:-1])]
        names = [name for name, _ in self.files]
        files = tuple(zip(names, votes, strict=True)) if len(names) > 1 else ()
        counts = replace(counts, notes=replace(counts.notes, filters=self.filters, files=files))
        stems = [*map(stem_of, names[:2]), *([f"{len(names) - 2} more"] if len(names) > 2 else [])]
        title = " + ".join(stems) + (f": {group}" if group else "")
        return counted_table(self.log.table.source, title, labels, counts)

    def groups(self) -> Iterator[tuple[str, IntArray]]:
        """The rows of each value of a column, those with the most votes first."""
        table = self.log.table
        rows = self.rows[self.log.count[self.rows] > 0]
        codes, values = table.coded[self.by]
        codes = codes[rows]
        missing = np.isin(codes, [k for k, value in enumerate(values) if value in MISSING])
        if missing.any():
            raise InputError(
                f"{table.place(int(rows[np.argmax(missing)]))}: the cell of {self.by!r} is empty, "
                "and the vote of no group; where_not={…: ''} (--where 'column!=') leaves such out"
            )
        votes = np.bincount(codes, self.log.count[rows], len(values))
        order = np.argsort(-votes, kind="stable")[: np.count_nonzero(votes)]
        if len(order) > MOST_GROUPS:
            raise InputError(
                f"{table.source}: {self.by!r} has {len(order):,} different values, expected at "
                f"most {MOST_GROUPS:,} groups"
            )
        for k in order.tolist():
            yield values[k], rows[codes == k]


_FILTERS = ("where", "where_not", "since", "until", "time")
_WON = (
    "winner|winners|winning|win|wins|won|loser|losers|loss|losses|lost|score|scores|rating|ratings|"
    "elo|outcome|outcomes|result|results|verdict|verdicts|preference|preferences|preferred|chosen|"
    "rejected"
)
_OUTCOME = re.compile(
    rf"(?:.*[ _-])?(?:{_WON})(?:[ _-].*)?|label|vote|votes|tie|ties|tied|is[ _-]tie|draw|draws|"
    r"is[ _-]draw|both[ _-]?bad|count|counts|weight|weights|times|number|n"
)
_TIME = re.compile(
    r"(?:unix[ _-]?)?(?:time|timestamp|timestamps|tstamp|ts|date|datetime|date[ _-]time|day|epoch)"
    r"(?:[ _-]?(?:utc|ms|s))?"
    r"|(?:created|voted|judged|submitted|answered|rated|collected|recorded|completed|finished|"
    r"played|evaluated)[ _-]?(?:at|on|date|time|timestamp|utc)"
    r"|(?:creation|vote|judgment|judgement|submission|answer|start|end)"
    r"[ _-]?(?:time|date|timestamp)"
)
"""Names of columns of times."""
Conditions: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Columns in lower case, and the values of each as texts."""


@dataclass(frozen=True)
class VoteFilter:
    """Which votes are read; times are in seconds since 1970, ``words`` each condition as given."""

    where: Conditions = ()
    where_not: Conditions = ()
    since: float | None = None
    until: float | None = None
    time: str | None = None
    words: tuple[str, ...] = ()

    @staticmethod
    def of(
        where: Mapping[str, object] | None = None,
        where_not: Mapping[str, object] | None = None,
        since: object = None,
        until: object = None,
        time: str | None = None,
    ) -> VoteFilter:
        """From what a user gives."""
        first = None if since is None else _time_of("since", since)
        last = None if until is None else _time_of("until", until, end=True)
        if first is not None and last is not None and first >= last:
            raise InputError(f"since is {since}, and until {until}, expected a later time")
        if time is not None and first is None and last is None:
            raise InputError(
                "time (--time on the command line) has no effect without since or until"
            )
        kept, left_out = _conditions("where", where), _conditions("where_not", where_not)
        words = [
            f"where {column} {verb} {' or '.join(map(_quoted, values))}"
            for conditions, verb in ((kept, "is"), (left_out, "is not"))
            for column, values in conditions
        ]
        words += [f"since {since}"] * (first is not None) + [f"until {until}"] * (last is not None)
        time = None if time is None else time.strip().lower()
        return VoteFilter(kept, left_out, first, last, time, tuple(words))

    @property
    def columns(self) -> tuple[str, ...]:
        """Those whose values are compared."""
        return tuple(dict.fromkeys(column for column, _ in (*self.where, *self.where_not)))

    def time_column(self, source: str, header: Sequence[str]) -> str | None:
        """The column of times of a log; None if none is needed."""
        if (self.since is None and self.until is None) or self.time is not None:
            return self.time
        named = [name for name in header if _TIME.fullmatch(name)]
        if len(named) != 1:
            raise InputError(
                f"{source}: {len(named)} columns are called as times are, such as timestamp or "
                f"date; found {listed(named or header)}; name it by time= (--time on the command "
                "line)"
            )
        return named[0]

    def rows(self, log: DuelLog) -> tuple[IntArray, tuple[tuple[str, int], ...]]:
        """The rows that are read, and how many votes each condition leaves out of the rest."""
        table, count, times = log.table, log.count, log.times
        kept = np.ones(table.rows, dtype=np.bool_)
        conditions: list[BoolArray] = []
        for columns, wanted in ((self.where, True), (self.where_not, False)):
            for column, values in columns:
                codes, texts = table.coded[column]
                same = [_same(text) for text in texts]
                never = [value for value in values if wanted and _same(value) not in same]
                if never:
                    raise InputError(
                        f"{table.source}: {column} is never {never[0]!r}; found "
                        f"{listed(texts, 'values')}"
                    )
                chosen = np.isin(same, [_same(each) for each in values])
                conditions.append((chosen == wanted)[codes])
        if times is not None and self.since is not None:
            conditions.append(times >= self.since)
        if times is not None and self.until is not None:
            conditions.append(times < self.until)
        left_out = []
        for k, condition in enumerate(conditions):
            left_out.append((self.words[k], int(count[kept & ~condition].sum())))
            kept &= condition
            if not count[kept].any():
                words = " and ".join(self.words[: k + 1])
                raise InputError(f"{table.source}: no vote is left {words}")
        return np.flatnonzero(kept), tuple(left_out)


def split_conditions(
    conditions: Iterable[str],
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """``language=en,de`` and ``turn!="a, b"`` of a command line as ``where`` and ``where_not``."""
    where: dict[str, list[str]] = {}
    where_not: dict[str, list[str]] = {}
    for text in conditions:
        column, mark, values = text.partition("=")
        chosen = where_not if column.endswith("!") else where
        column = column.removesuffix("!").strip()
        if not mark or not column or (column in chosen and chosen is where):
            raise InputError(
                f"--where is {text!r}, expected such as language=en, language=en,de or "
                "language!=en, and each column once"
            )
        cells = next(csv.reader([values.strip()], skipinitialspace=True), [""])
        chosen.setdefault(column, []).extend(cell.strip() for cell in cells)
    return where, where_not


def _time_of(name: str, value: object, *, end: bool = False) -> float:
    """A time that a user gives, in seconds since 1970; of a date its first second, or its end."""
    known = isinstance(value, str | int | float | datetime.date) and not isinstance(value, bool)
    seconds = seconds_of(str(value).strip()) if known else np.nan
    if np.isnan(seconds):
        raise InputError(
            f"{name} is {value!r}, expected a time such as 2026-01-31 or 2026-01-31T12:00:00Z"
        )
    day = re.fullmatch(r"\d{4}-\d{2}-\d{2}", str(value).strip()) is not None
    return seconds + 86_400.0 * (day and end)


def _conditions(name: str, given: Mapping[str, object] | None) -> Conditions:
    found = []
    for column, values in (given or {}).items():
        several = values if isinstance(values, list | tuple | set | frozenset) else [values]
        known = str | int | float | np.number | np.bool_ | None
        if not isinstance(column, str) or not all(isinstance(each, known) for each in several):
            raise InputError(
                f"{name}: {column!r} is {shortened(repr(values))}, expected the name of a column, "
                "and a text, a number, or a list of these"
            )
        if not several:
            raise InputError(f"{name}: no values of {column!r}, expected at least one")
        found.append((column.strip().lower(), tuple(map(_value_text, several))))
    return tuple(found)


def _value_text(value: object) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool | np.bool_) else str(value).strip()


def _same(text: str) -> str:
    """One text for all that are the same value."""
    if text.lower() in ("true", "false"):
        return str(float(text.lower() == "true"))
    number = parse_number(text)
    return text if number is None else str(number + 0.0)


def _quoted(text: str) -> str:
    return text if re.fullmatch(r"[^\s,]+", text) else repr(text)


# Written votes.


CHOIX, MATRIX = "choix", "matrix"
LOG_FORMS = {form.name: form for form in (WINNERS, ARENA, FLAGS, EVALICA, PAIRS)}
WRITTEN_FORMS = (*LOG_FORMS, CHOIX, MATRIX)
_ARM_NUMBER = re.compile(r"0|[1-9][0-9]{0,14}")


@checked_types
def write_votes(
    votes: Votes, path: str | os.PathLike[str], form: str | None = None, *, force: bool = False
) -> Path:
    r"""Write votes as a log, from which :func:`read_votes` gives the same.

    ==================== ============================ ==== =====================================
    form                 suffixes                     ties lines
    ==================== ============================ ==== =====================================
    ``winners``          .csv .jsonl .ndjson .json    no   one a pair and winner, with a count
    ``arena``, ``flags`` .csv .jsonl .ndjson .json    yes  one a vote
    ``evalica``          .csv .jsonl .ndjson .json    yes  one a vote
    ``pairs``            .csv .jsonl .ndjson .json    no   one a vote: two models, no texts
    ``choix``            .txt and all of these        no   one a vote
    ``matrix``           .csv                         half one an arm: ties as half wins
    ==================== ============================ ==== =====================================

    Parameters
    ----------
    votes : Votes
    path : path
        ``.json`` is one array of objects, ``.txt`` pairs of numbers.
    form : str, optional
        By default "choix" for ``.txt``, else "arena", which has ties.
    force : bool
        Whether a file that is there may be overwritten.

    Raises
    ------
    InputError
        Where the form cannot say it: ties, arms that never met, votes that are not independent,
        labels that are no numbers.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> votes = Votes([[0, 2.5], [0.5, 0]], ["tuna", "squid"])
    >>> with TemporaryDirectory() as folder:
    ...     path = write_votes(votes, f"{folder}/battles.jsonl")
    ...     path.read_text().splitlines()[-1], read_votes(path) == votes
    ('{"model_a": "tuna", "model_b": "squid", "winner": "tie"}', True)
    """
    path, suffix = Path(path), Path(path).suffix.lower()
    form = form or (CHOIX if suffix == ".txt" else ARENA.name)
    if form not in WRITTEN_FORMS:
        raise UnknownName("form of votes", form, WRITTEN_FORMS)
    if path.is_file() and not force:
        raise InputError(f"{str(path)!r} exists; force=True overwrites it")
    check_output(path, suffixes_of(form), force=True)
    if form == MATRIX:
        _check_matrix(votes.counts)
        write_square(path, votes.counts.wins, votes.labels)
        return path
    _check_log(form, suffix, votes.counts, votes.labels)
    log = LOG_FORMS.get(form, WINNERS)
    columns = (*log.columns, "count") if form == WINNERS.name else log.columns

    def text(cells: Sequence[str | int]) -> str:
        if suffix in JSON_SUFFIXES and form == CHOIX:
            return json.dumps([int(cell) for cell in cells])
        if suffix in JSON_SUFFIXES:
            return json.dumps(dict(zip(columns, cells, strict=True)), ensure_ascii=False)
        return (" " if suffix == ".txt" else ",").join(quoted_cell(str(cell)) for cell in cells)

    with atomic_write(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        if suffix not in JSON_SUFFIXES:
            file.write(f"{PAIRS_COMMENT if form == CHOIX else ','.join(columns)}\n")
        between = ",\n" if suffix == ".json" else "\n"
        before = "[\n" * (suffix == ".json")
        for cells, copies in _lines(log, votes.counts, votes.labels):
            one = form == WINNERS.name
            line = text((*cells, copies) if one else cells)
            for each in repeat(line, 1 if one else copies):
                file.write(before + each)
                before = between
        file.write("\n" + "]\n" * (suffix == ".json"))
    return path


def suffixes_of(form: str) -> tuple[str, ...]:
    """Those of the files that hold votes in this form."""
    if form == MATRIX:
        return (".csv",)
    return (".csv", *JSON_SUFFIXES, *((".txt",) if form == CHOIX else ()))


def _lines(
    form: LogForm, counts: VoteCounts, labels: Sequence[str]
) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """What lines say, and how many of them say it, those that name arms in their order first."""
    words = {share: word for word, share in reversed([*form.shares.items()])}
    pairs = np.argwhere(np.triu(counts.duels > 0, 1)).tolist()
    for i, j in sorted(pairs, key=lambda pair: (pair[1], -pair[0])):
        tied = int(counts.tied[i, j])
        won, lost = (int(counts.wins[pair] - tied / 2) for pair in ((i, j), (j, i)))
        for share, copies in ((1.0, won), (0.0, lost), (0.5, tied)):
            pair = labels[i], labels[j]
            if form.flags:
                flags = (int(share == flag) for flag in (1.0, 0.0, 0.5))
                yield (*pair, *flags), copies
            elif form.shares:
                yield (*pair, words[share]), copies
            elif copies:
                yield (pair if share else pair[::-1]), copies


def _check_log(form: str, suffix: str, counts: VoteCounts, labels: Sequence[str]) -> None:
    """Raise :class:`InputError` if a log of this form cannot say what the votes are."""
    _check_independent(counts)
    alone = np.flatnonzero(~counts.duels.any(axis=1))
    if alone.size:
        raise InputError(
            f"votes: {labels[alone[0]]!r} met no other arm, and a log names only arms that did; "
            f"form={MATRIX!r} keeps it, and votes.submatrix leaves it out"
        )
    ties = form in LOG_FORMS and LOG_FORMS[form].has_ties
    if counts.tied.any() and not ties:
        i, j = (int(index[0]) for index in np.nonzero(counts.tied))
        raise InputError(
            f"votes: {labels[i]!r} and {labels[j]!r} tied, and the form {form!r} has no ties; "
            f"{', '.join(name for name, known in LOG_FORMS.items() if known.has_ties)} have"
        )
    numbers = all(_ARM_NUMBER.fullmatch(label) for label in labels)
    if form == CHOIX and not (numbers and [*labels] == sorted(labels, key=int)):
        raise InputError(
            f"labels {listed(labels)}: arms of the form {CHOIX!r} are whole numbers in their "
            "order; Votes(votes.wins) numbers the arms"
        )
    unsayable = re.compile(r"[\n\r\0\ud800-\udfff]" + r"|\s#" * (suffix == ".csv"))
    for label in labels:
        if label in MISSING or (not ties and label.lower() in NO_ARMS) or unsayable.search(label):
            raise InputError(
                f"label {label!r} is one that no {suffix} of votes can hold: a missing value, a "
                "tie, a line break, a blank before # in text, or no UTF-8"
            )


def _check_matrix(counts: VoteCounts) -> None:
    _check_independent(counts)
    if (counts.duels <= 1).all():
        raise InputError(
            "votes: no pair met more than once, so that a matrix of them would be read as one of "
            "probabilities; a log says how many votes there were"
        )
    if (counts.tied != 2.0 * counts.wins % 2.0).any():
        raise InputError(
            "votes: a matrix of wins does not say how many votes were ties; the form "
            f"{ARENA.name!r} does"
        )


def _check_independent(counts: VoteCounts) -> None:
    """Refuse votes of which a reader of a file would prove more than they do."""
    if counts.outcomes is not None or not counts.independent or counts.selected is not None:
        raise InputError(
            "votes: these come in clusters or from rankings, or some pairs are selected by what "
            "they say, which a file of duels cannot say: whoever reads it would take each for a "
            "duel of its own"
        )
