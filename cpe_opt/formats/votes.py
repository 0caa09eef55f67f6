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
each further arm met an earlier one, or else the next arm.
"""

from __future__ import annotations

import datetime
import difflib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Unpack

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError, listed, shortened
from cpe_opt.files import atomic_write, check_output
from cpe_opt.formats.matrices import FORMATS, quoted_cell, read_square
from cpe_opt.formats.preflib import read_preflib
from cpe_opt.formats.tables import (
    ADVICE,
    ANSWERS,
    ARENA,
    BOTH_BAD,
    COUNT,
    FIRST,
    FORMS,
    ITEM,
    MISSING,
    NO_ARMS,
    PREFERRED,
    TIES,
    TOLD,
    WINNERS,
    CodeArray,
    Format,
    LogForm,
    Source,
    Table,
    Unread,
    form_of,
    format_of,
    header_of,
    is_export,
    parse_number,
    read_table,
    seconds_of,
    text_of,
)
from cpe_opt.formats.text import require_file, stem_of
from cpe_opt.problems.clusters import (
    PAIR,
    ClusterColumn,
    Clustering,
    ClusterVotes,
    clustering_of,
    has_several,
    is_cluster_name,
    outcomes_of,
    row_codes,
    single_outcomes,
)
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.pairs import MOST_ARMS, LogNotes, PairTable, VoteCounts, counted_table
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.validation import Name, checked_types

if TYPE_CHECKING:
    import pandas as pd

Duels: TypeAlias = (
    "str | os.PathLike[str] | pd.DataFrame | Sequence[str | os.PathLike[str] | pd.DataFrame]"
)
"""A log: a file or a data frame; or several with the same columns, as one."""
LogPaths: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""A file, or several."""
MOST_GROUPS = 1000  # different values of a column of groups


class ReadOptions(TypedDict, total=False):
    """Which votes of a log are read, and how; see :func:`read_votes`."""

    cluster: str | None
    unique: str | Sequence[str]
    where: Mapping[str, object] | None
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

    Logs have the columns ``winner, loser``, or ``model_a, model_b, winner``, of which the last says
    ``model_a``, ``model_b``, ``tie`` or ``both_bad``, or the name of the arm that won; or in its
    place ``outcome``, a number from 0 to 1 that ``model_a`` gets; or ``generator_1, generator_2,
    preference``, a number from 1, the first is preferred, to 2; or what a session exports; and
    optionally ``count``. Lines of an arm against itself are left out and counted. Logs are CSV,
    Parquet or JSON; text may be compressed by gzip. Several with the same columns are read as one.
    Arms take the order in which they first appear.

    Parameters
    ----------
    source : path, data frame, or sequence of paths or data frames
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
    where : mapping from column to a value, or a list of values, optional
        Only votes with one of the values in each column, such as ``{"language": "en", "turn": [1,
        2]}``. Columns that say how a vote went are refused; choose filters without looking at who
        wins with them.
    since, until : str, number, date or datetime, optional
        Only votes from ``since`` on and before ``until``; ``until`` a date includes that day.
        Without an offset times are of UTC.
    time : str, optional
        The column of times; by default the one that is called "timestamp", "time", "tstamp",
        "date", "datetime" or "created_at".

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
    sources, _ = checked_sources(source, None, {"by": by, **options})
    log = read_log(sources, VoteFilter.of(options, by))
    return {value: Votes.of_table(log.table_of(rows, value)) for value, rows in log.groups()}


def read_preferences(
    source: Duels,
    *,
    unranked: Literal["last", "ignore"] | None = None,
    **options: Unpack[ReadOptions],
) -> PairTable:
    """Read a matrix, logs or an election."""
    sources, kind = checked_sources(source, unranked, options)
    if kind is Format.MATRIX:
        return read_square(sources[0])
    if kind is Format.ELECTION:
        return read_preflib(sources[0], unranked=unranked or "last")
    if kind in (Format.LOG, Format.POSITION_LOG):
        log = read_log(sources, VoteFilter.of(options))
        return log.table_of(log.read[0])
    raise InputError(f"{Path(sources[0]).name} is {kind.what}; a file of preferences is {FORMATS}")


def checked_sources(
    source: Duels, unranked: str | None, options: Mapping[str, object]
) -> tuple[list[Any], Format]:
    """Files or data frames, and what the first is; options are refused where they do nothing."""
    sources: list[Any] = list(source) if isinstance(source, list | tuple) else [source]
    if not sources:
        raise InputError("paths: none are named, expected at least one file")
    places: set[object] = set()
    kinds = []
    for each in sources:
        frame = hasattr(each, "columns")
        place = id(each) if frame else require_file(each).resolve()
        if place in places:
            raise InputError(f"{str(each)!r} is named twice, and its votes would count twice")
        places.add(place)
        kinds.append(Format.LOG if frame else format_of(each))
    if unranked is not None and kinds[0] is not Format.ELECTION:
        raise InputError(
            f"{sources[0]}: unranked (--unranked on the command line) has no effect on "
            f"{kinds[0].what}; it says how the rankings of a PrefLib election are read"
        )
    given = " and ".join(name for name, value in options.items() if value)
    logs = {Format.LOG, *([Format.POSITION_LOG] if given == "cluster" and len(kinds) == 1 else [])}
    why = f"{given} has an effect" if given else "several files are read as one"
    for each, kind in zip(sources, kinds, strict=True):
        if (given or len(sources) > 1) and kind not in logs:
            name = Path(each).name
            raise InputError(f"{name} is {kind.what}, and {why} only where each is a log of duels")
    return sources, kinds[0]


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
    chosen: VoteFilter
    skipped: Mapping[str, BoolArray]  # rows that are no votes, by what they are

    @property
    def pair(self) -> IntArray:
        """The two arms of every row as one number."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        return low.astype(np.int64) * len(self.labels) + high

    def arms(self, rows: IntArray) -> IntArray:
        """Those of some rows, in the order in which lines name them."""
        named = np.stack([self.first[rows], self.second[rows]], axis=1).ravel()
        place = np.full(len(self.labels), len(named))
        place[named[::-1]] = np.arange(len(named) - 1, -1, -1, dtype=np.uint32)
        return np.argsort(place, kind="stable")[: int((place < len(named)).sum())]

    @cached_property
    def read(self) -> tuple[IntArray, tuple[tuple[str, int], ...]]:
        """The rows that the filters leave, and how many votes each of these leaves out."""
        return self.chosen.rows(self)

    def table_of(self, rows: IntArray, group: str = "") -> PairTable:
        """The counts of some rows, with what is to be known of the files."""
        labels, counts = self.counted(rows)
        parts = self.table.parts
        names = [part.source for part in parts]
        ends = np.searchsorted(rows, np.cumsum([part.rows for part in parts]))
        votes = [int(part.sum()) for part in np.split(self.count[rows], ends[:-1])]
        files = tuple(zip(names, votes, strict=True)) if len(names) > 1 else ()
        notes = replace(counts.notes, filters=self.read[1], files=files)
        stems = [*map(stem_of, names[:2]), *([f"{len(names) - 2} more"] if len(names) > 2 else [])]
        title = " + ".join(stems) + (f": {group}" if group else "")
        return counted_table(self.table.source, title, labels, replace(counts, notes=notes))

    def groups(self) -> Iterator[tuple[str, IntArray]]:
        """The rows of each value of a column, those with the most votes first."""
        table, by = self.table, self.chosen.by
        rows = self.read[0][self.count[self.read[0]] > 0]
        codes, values = table.coded[by]
        codes = codes[rows]
        missing = np.isin(codes, [k for k, value in enumerate(values) if value in MISSING])
        if missing.any():
            where = table.place(int(rows[np.argmax(missing)]))
            raise InputError(f"{where}: the cell of {by!r} is empty, and the vote of no group")
        votes = np.bincount(codes, self.count[rows], len(values))
        order = np.argsort(-votes, kind="stable")[: np.count_nonzero(votes)]
        if len(order) > MOST_GROUPS:
            raise InputError(
                f"{table.source}: {by!r} has {len(order):,} different values, expected at most "
                f"{MOST_GROUPS:,} groups"
            )
        for k in order.tolist():
            yield values[k], rows[codes == k]

    def counted(
        self, rows: IntArray, clusters: Sequence[ClusterColumn] | None = None
    ) -> tuple[list[str], VoteCounts]:
        """Labels and counts of some rows; ``clusters`` by default those of these."""
        table, count = self.table, self.count
        cluster, unique = self.chosen.cluster, self.chosen.unique
        among = int(count[rows].sum())
        if unique:
            rows = rows[count[rows] > 0]
            rows = rows[np.sort(np.unique(self._keys(unique, rows), return_index=True)[1])]
            count = np.ones_like(count)
        arms = self.arms(rows)
        size = len(arms)
        if size > MOST_ARMS:
            raise InputError(
                f"{table.source}: {size:,} different arms, expected at most {MOST_ARMS:,}"
            )
        rows = rows if count.all() else rows[count[rows] > 0]
        if not len(rows):
            raise InputError(f"{table.source}: no duels, for every count is 0")
        place = np.zeros(len(self.labels), dtype=np.int32)
        place[arms] = np.arange(size)
        kept = rows if len(rows) < table.rows else slice(None)  # without copies of them all
        count = count[kept]
        if clusters is None:
            clusters = table.clusters(count, kept)
        first, second = place[self.first[kept]], place[self.second[kept]]
        share = np.rint(self.share[kept] * _STEPS) / _STEPS  # on a grid, of which sums are exact
        wins = _sums(share, count, first, second, size)
        wins += _sums(1.0 - share, count, second, first, size)
        tied = _sums(share == 0.5, count, first, second, size)
        shared = ~np.isin(share, (0.0, 0.5, 1.0))
        labels = [self.labels[arm] for arm in arms.tolist()]
        notes = LogNotes(
            unused=table.unused if len(self.skipped) == 1 else (),  # an export's own
            clusters=tuple(clusters),
            both_bad=int(count[self.both_bad[kept]].sum()),
            unique=unique,
            left_out=among - int(count.sum()),
            skipped=tuple(
                (k, int(self.count[m].sum())) for k, m in self.skipped.items() if m.any()
            ),
            graded=int(count[shared].sum()),
            reading=next((_READ_AS[name] for name in _READ_AS if name in table), ""),
        )
        counts = VoteCounts(wins, tied + tied.T, notes)
        if shared.any() and not cluster:
            low_first = np.where(first < second, share, 1.0 - share)
            low, high = (each(first, second).astype(np.int64) for each in (np.minimum, np.maximum))
            outcomes = single_outcomes(low, high, low_first, count)
            counts = replace(counts, outcomes=outcomes)
        if cluster:
            keys = table.keys(cluster)[rows]
            ends = first.astype(np.int64), second.astype(np.int64)
            outcomes, scores = outcomes_of(keys, *ends, share, count, size)
            clustering = self.clustering(rows, self.pair[rows], count)
            notes = replace(notes, clusters=(), clustering=clustering)
            counts = replace(
                counts,
                notes=notes,
                independent=scores is None,
                outcomes=outcomes,
                scores=scores,
                by_cluster=ClusterVotes.of_rows(keys, *ends, share, count),
            )
        elif unique:
            pair = self.pair[rows]
            repeated = [
                told
                for told in notes.clusters
                if told.column not in unique
                or len(np.unique(row_codes([table.keys(told.column)[rows], pair]))) < len(rows)
            ]
            notes = replace(notes, clusters=tuple(repeated))
            apart = has_several(self._keys([name for name in unique if name != PAIR], rows), pair)
            counts = replace(counts, notes=notes, independent=not apart)
        return labels, counts

    def _keys(self, columns: Sequence[str], rows: IntArray) -> IntArray:
        """A number for each combination of the values of columns, of which one may be the pair."""
        keys = [np.zeros(len(rows), dtype=np.int64)]
        for name in columns:
            hashed = name in self.table.hashed
            keys.append(self.table.keys(name)[rows] if hashed else self.pair[rows])
        return row_codes(keys)

    def clustering(self, rows: IntArray, pair: IntArray, count: FloatArray) -> Clustering:
        """The sizes of clusters, which other columns cross them, and whether their pairs differ."""
        column = self.chosen.cluster
        others = {}
        for name, hashes in self.table.hashed.items():
            if name != column and is_cluster_name(name):
                keys = np.unique(hashes[rows], return_inverse=True)[1].ravel()
                others[name] = np.where(hashes[rows] != 0, keys, -1)
        cluster = self.table.keys(column)[rows]
        return clustering_of(column, cluster, pair, count, others)


def _sums(
    each: FloatArray | BoolArray, count: FloatArray, row: CodeArray, column: CodeArray, size: int
) -> FloatArray:
    """The sums of what each duel gives, by its arms; shape (K, K)."""
    summed = np.zeros(size * size)
    for start in range(0, len(each), _BLOCK):
        part = slice(start, start + _BLOCK)
        codes = row[part] * size + column[part]
        summed += np.bincount(codes, count[part] * each[part], size * size)
    return summed.reshape(size, size)


def read_log(
    log: Source | Sequence[Source],
    chosen: VoteFilter | None = None,
    *,
    position: bool = False,
    items: bool = False,
    unread: Unread | None = None,
) -> DuelLog:
    """The rows of a log that has a column of positions, or items, if they are asked for.

    Those that cannot be read are put into ``unread``, if it is there, and say nothing in the log.
    """
    first: Any = log[0] if isinstance(log, list) else log
    source = "duels" if hasattr(first, "columns") else require_file(first).name
    header = header_of(first)
    form = form_of(header)
    if form is None and header:
        forms = "; or ".join(", ".join(each.columns) for each in FORMS)
        advice = "".join(f". {words}" for column, words in ADVICE.items() if column in header)
        raise InputError(
            f"{source}: no log of duels; found {listed(header)}; expected the columns, or keys of "
            f"JSON objects, {forms}; and, optionally, {COUNT}{advice}"
        )
    form = form or WINNERS  # of a table without rows, which its reader refuses
    aliases = ANSWERS if is_export(header) else {}
    if aliases and (ITEM in header or TOLD not in header):
        raise InputError(
            f"{source}: answers of a session, "
            + (
                "over the items of a test set: `cpe-opt session report` says what they prove, and "
                "`cpe-opt session export --items` writes them for other commands"
                if ITEM in header
                else f"without the column {TOLD!r}, which says whether they count; export them by "
                "the version that began the session"
            )
        )
    header = tuple(aliases.get(name, name) for name in header)
    if "position" in header and not (position or aliases):
        raise InputError(_AT_POSITIONS.format(source))
    chosen = chosen or VoteFilter()
    time = chosen.time_column(source, header)
    apart = [name for name in (*chosen.unique, *filter(None, [chosen.cluster])) if name != PAIR]
    told = dict.fromkeys(name for name in (*chosen.where, chosen.by, time) if name)
    arms = form.columns[: 2 if form.has_ties else 0]
    optional = (COUNT, FIRST) if items else (COUNT,)
    outcome = {*form.columns, *optional} - {*arms}
    for name in (*apart, *told):
        if (
            name in outcome
            or (name in arms and name in apart)
            or (name in told and _OUTCOME.fullmatch(name))
        ):
            raise InputError(
                f"{source}: {name!r} says how votes went, and votes that are chosen by that prove "
                "nothing; expected a column that was known before, such as a language"
            )
        if name not in header:
            raise InputError(
                f"{source}: no column {name!r} to choose votes by; found {listed(header)}"
            )
    needed = ("position",) * (position or bool(aliases)) + form.columns + (ITEM,) * items
    needed += tuple(name for name in told if name not in needed)
    needed += (TOLD,) * bool(aliases)
    again = [n for n in header if n == "label" or (form.has_ties and _LIKE_TIE.fullmatch(n))]
    again = [name for name in again if name not in (*needed, *apart)]
    options: dict[str, Any] = {"apart": apart, "aliases": aliases, "name": source, "unread": unread}
    table = read_table(log, needed, optional, perhaps=again, others=True, **options)
    if aliases and table.coded["model_b"][1] == [""]:
        raise InputError(
            f"{source}: answers of a session about sets or elements, and no duels; `cpe-opt "
            "session export --scores` writes the log of teams, which is read"
        )
    if aliases and not position and table.coded["position"][1] != [""]:
        raise InputError(_AT_POSITIONS.format(source))
    _refuse_misnamed(table, form)
    strict, chosen = items or unread is not None, replace(chosen, time=time)
    read = _log_of(table, form, chosen, strict=strict, exported=bool(aliases))
    _refuse_contradictions(read, form, again)
    return read


_AT_POSITIONS = (
    "{}: a log with a column 'position' is one of matchings, which cpe_opt.read_observations "
    "reads; otherwise rename the column"
)
_STEPS = 2.0**24
_BLOCK = 1 << 18  # rows
_READ_AS = {
    "outcome": "outcome is read as what the arm that is named first gets, from 0 to 1",
    "preference": "preference is read from 1, generator_1 is preferred, to 2, generator_2 is",
}
_LIKE_COUNT = ("count", "counts", "n", "number", "times", "weight", "weights", "wins", "votes")
_LIKE_TIE = re.compile(r"(?:is_|winner_)?(?:tie|draw)(?:_flag)?|ties|tied|draws|outcome|result")
_FLAGS = {"1": 0.5, "true": 0.5, "yes": 0.5, "0": np.inf, "false": np.inf, "no": np.inf}
_COUNTRIES = ("country", "county", "countries")  # near "count", and said of judges


def _refuse_misnamed(table: Table, form: LogForm) -> None:
    """Refuse columns that are not read although they may say who won, or how often."""
    for name in table.columns:
        if name in table:
            continue
        near = difflib.get_close_matches(name, [COUNT], n=1, cutoff=0.8)
        like_count = (near and name not in _COUNTRIES) or name in _LIKE_COUNT
        if not form.has_ties and _LIKE_TIE.fullmatch(name):
            what = f"a column of outcomes? A log of ties has {', '.join(ARENA.columns)}"
        elif like_count and COUNT not in table:
            what = "how many duels a line stands for? That column is called 'count'"
        else:
            continue
        raise InputError(f"{table.source}: is {name!r} {what}; otherwise rename or remove it")


def _refuse_contradictions(log: DuelLog, form: LogForm, columns: Sequence[str]) -> None:
    """Refuse rows of which another column clearly says something else than the one that is read."""
    otherwise = f"and {form.columns[-1]} says something else; expected the same, or one alone"
    for name in columns:
        codes, words = log.table.coded[name]
        shares: dict[str, Any] = {**ARENA.shares, **dict.fromkeys(NO_ARMS, 0.5)}
        if name == "outcome":
            shares |= {word: parse_number(word) for word in words if parse_number(word) is not None}
        elif name != "label" and {*map(str.lower, {*words} - MISSING)} <= _FLAGS.keys():
            shares |= _FLAGS
        said = np.array([shares.get(word.lower(), np.nan) for word in words])[codes]
        other = np.sign(said - 0.5) != np.sign(log.share - 0.5)  # for another arm, or none
        wrong = (said >= 0.0) & (said <= 1.0) & other
        wrong |= np.isinf(said) & (log.share == 0.5)  # a flag says that it is no tie
        texts = np.array([f"{name} is {shortened(word)!r}, {otherwise}" for word in words], object)
        log.table.refuse(wrong, texts[codes].__getitem__)


def _log_of(
    table: Table, form: LogForm, chosen: VoteFilter, *, strict: bool, exported: bool
) -> DuelLog:
    """The rows of a table that has the columns of a form; ``strict``: each has to be a duel."""
    (first, first_names), (second, second_names) = map(table.labels, form.columns[:2])
    names = list(dict.fromkeys(first_names + second_names))
    number = {name: arm for arm, name in enumerate(names)}
    first = np.array([number[name] for name in first_names], dtype=np.int32)[first]
    second = np.array([number[name] for name in second_names], dtype=np.int32)[second]
    lower = {name.lower(): arm for name, arm in number.items()}
    header = [lower.get(column, -1) for column in form.columns[:2]]
    for row in np.flatnonzero((first == header[0]) & (second == header[1])).tolist():
        if table.line(row)[1]:
            again = np.arange(table.rows) == row
            table.refuse(again, "the header again, expected a duel")
    ties = [] if form.has_ties else [lower[word] for word in NO_ARMS & {*lower}]
    tie = np.isin(first, ties) | np.isin(second, ties)
    table.refuse(tie, f"a tie; a log with ties has the columns {', '.join(ARENA.columns)}")
    itself = first == second
    if strict or itself.all():
        table.refuse(itself, lambda row: f"a duel of {names[first[row]]!r} against itself")
    skipped = {"of an arm against itself": itself}
    if exported:
        codes, words = table.coded[TOLD]
        told = np.array([word.lower() in ("true", "1") for word in words], dtype=np.bool_)[codes]
        skipped["of which the session's learner was not told, so that they prove nothing"] = ~told
    both_bad = np.zeros(table.rows, dtype=np.bool_)
    share, shown_first = np.ones(table.rows), np.ones(table.rows, dtype=np.bool_)
    if form.ends is not None:
        share = _graded(table, form)
    elif form.has_ties:
        share = _named(table, form.columns[2], form.shares, (first, second), names)
        codes, words = table.coded[form.columns[2]]
        both_bad = np.array([word.lower() in BOTH_BAD for word in words], dtype=np.bool_)[codes]
    if FIRST in table:
        table.labels(FIRST)
        shown = {form.columns[0]: 1.0, form.columns[1]: 0.0}
        shown_first = _named(table, FIRST, shown, (first, second), names) == 1.0
    count = counts_of(table)
    arms = first, second
    return DuelLog(table, names, *arms, share, count, both_bad, shown_first, chosen, skipped)


def _graded(table: Table, form: LogForm) -> FloatArray:
    """The share of the first arm of each row, by a number between two ends."""
    assert form.ends is not None
    (first, second), column = form.ends, form.columns[2]
    numbers = table.numbers(column)
    share = (numbers - second) / (first - second)
    wrong = (share < 0.0) | (share > 1.0)
    one_value = form is PREFERRED and any(bool((numbers == end).all()) for end in form.ends)
    wrong |= one_value  # scales from 0 and from -1 end at 1, too, and one from 0 at 2
    ends = "0 to 1: what model_a gets"
    if form is PREFERRED:
        ends = (
            "1, generator_1 is preferred, to 2, generator_2 is, 1.5 for a tie; of another scale it "
            "is not sure which side is meant: give the columns model_a, model_b, outcome, the last "
            f"from {ends}"
        )
    why = "is {:g} in all lines" if one_value else "is {:g}"
    table.refuse(
        wrong, lambda row: f"{column} {why.format(numbers[row])}, expected numbers from {ends}"
    )
    return share


def counts_of(table: Table) -> FloatArray:
    """How many duels or scores each row stands for."""
    return table.numbers(COUNT, whole=True) if COUNT in table else np.ones(table.rows)


def _named(
    table: Table,
    column: str,
    places: Mapping[str, float],
    arms: tuple[CodeArray, CodeArray],
    names: Sequence[str],
) -> FloatArray:
    """The share of the first arm of each row: all cells name places, or all name arms, or tie."""
    codes, words = table.coded[column]
    by_place = np.array([places.get(word.lower(), np.nan) for word in words])[codes]
    if not np.isnan(by_place).any():
        return by_place
    number = {name: arm for arm, name in enumerate(names)}
    arm = np.array([number.get(word, -1) for word in words])[codes]
    share = np.where(arm == arms[0], 1.0, np.where(arm == arms[1], 0.0, np.nan))
    neither = np.isnan(by_place) & np.isnan(share)
    wish = f", expected {', '.join(places)}, or in all lines the name of one of the two"
    tie = by_place == 0.5

    def why(row: int) -> str:
        return f"{column} is {shortened(words[codes[row]])!r}" + (
            ", a tie and an arm" if tie[row] else wish
        )

    table.refuse(neither, why)
    if not np.isnan(by_place[~neither]).any():
        return by_place
    share[tie & (arm < 0)] = 0.5
    table.refuse(np.isnan(share) | (tie & (arm >= 0)), why)
    return share


# Which votes of a log are read.


_WON = (
    "winner|winners|winning|win|wins|won|loser|losers|loss|losses|lost|score|scores|rating|ratings|"
    "elo|outcome|outcomes|result|results|verdict|verdicts|preference|preferences|preferred|chosen|"
    "rejected"
)
_OUTCOME = re.compile(
    rf"(?:.*[ _-])?(?:{_WON})(?:[ _-].*)?|label|vote|votes|tie|ties|tied|is[ _-]tie|draw|draws|"
    r"is[ _-]draw|both[ _-]?bad|count|counts|weight|weights|times|number|n"
)
TIMES = ("timestamp", "time", "tstamp", "date", "datetime", "created_at")
"""What columns of times are called."""


@dataclass(frozen=True)
class VoteFilter:
    """Which votes are read, and which go together; ``words`` has each condition as given."""

    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    since: float | None = None
    until: float | None = None
    time: str | None = None
    words: tuple[str, ...] = ()
    cluster: str = ""
    unique: tuple[str, ...] = ()
    by: str = ""

    @staticmethod
    def of(options: ReadOptions, by: str = "") -> VoteFilter:
        """From what a user gives."""
        since, until, time = options.get("since"), options.get("until"), options.get("time")
        first = None if since is None else _time_of("since", since)
        last = None if until is None else _time_of("until", until, end=True)
        if first is not None and last is not None and first >= last:
            raise InputError(f"since is {since}, and until {until}, expected a later time")
        if time is not None and first is None and last is None:
            raise InputError("time (--time) has no effect without since or until")
        where = {}
        for column, values in (options.get("where") or {}).items():
            several = values if isinstance(values, list | tuple | set | frozenset) else [values]
            if not several:
                raise InputError(f"where: no values of {column!r}, expected at least one")
            where[_lower(column)] = tuple(text_of(each).strip() for each in several)
        words = [f"where {name} is {' or '.join(where[name])}" for name in where]
        words += [f"since {since}"] * (first is not None) + [f"until {until}"] * (last is not None)
        unique = options.get("unique") or ()
        unique = unique.split(",") if isinstance(unique, str) else unique
        return VoteFilter(
            where,
            first,
            last,
            None if time is None else _lower(time),
            tuple(words),
            _lower(options.get("cluster") or ""),
            tuple(dict.fromkeys(map(_lower, unique))),
            _lower(by),
        )

    def time_column(self, source: str, header: Sequence[str]) -> str | None:
        """The column of times of a log; None if none is needed."""
        if (self.since is None and self.until is None) or self.time is not None:
            return self.time
        named = [name for name in header if name in TIMES]
        if len(named) != 1:
            raise InputError(
                f"{source}: {len(named)} columns are called as times are, such as timestamp or "
                f"date; found {listed(named or header)}; name it by time= (--time)"
            )
        return named[0]

    def rows(self, log: DuelLog) -> tuple[IntArray, tuple[tuple[str, int], ...]]:
        """The rows that are read, and how many votes each condition leaves out of the rest."""
        table, count = log.table, log.count
        kept = ~np.logical_or.reduce([*log.skipped.values()])
        if not count[kept].any() and count.any():
            raise InputError(f"{table.source}: no votes, for all lines are left out")
        conditions: list[BoolArray] = []
        for column, values in self.where.items():
            codes, texts = table.coded[column]
            never = [value for value in values if value not in texts]
            if never:
                raise InputError(
                    f"{table.source}: {column} is never {never[0]!r}; found "
                    f"{listed(texts, 'values')}"
                )
            conditions.append(np.isin(texts, values)[codes])
        if self.time is not None:
            times = table.times(self.time)
            conditions += [times >= self.since] if self.since is not None else []
            conditions += [times < self.until] if self.until is not None else []
        left_out = []
        for k, condition in enumerate(conditions):
            left_out.append((self.words[k], int(count[kept & ~condition].sum())))
            kept &= condition
            if not count[kept].any():
                words = " and ".join(self.words[: k + 1])
                raise InputError(f"{table.source}: no vote is left {words}")
        return np.flatnonzero(kept), tuple(left_out)


def split_conditions(conditions: Iterable[str]) -> dict[str, list[str]]:
    """``language=en,de`` of a command line as ``where``."""
    where: dict[str, list[str]] = {}
    for text in conditions:
        column, mark, values = map(str.strip, text.partition("="))
        if not mark or not column or column in where:
            wish = "language=en or language=en,de, and each column once"
            raise InputError(f"--where is {text!r}, expected such as {wish}")
        where[column] = [*map(str.strip, values.split(","))]
    return where


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


def _lower(column: str) -> str:
    return column.strip().lower()


# Written votes.


@checked_types
def write_votes(votes: Votes, path: str | os.PathLike[str], *, force: bool = False) -> Path:
    r"""Write votes as a log, one line a vote, from which :func:`read_votes` gives the same.

    Parameters
    ----------
    votes : Votes
    path : path
        Of a ``.csv`` file.
    force : bool
        Whether a file that is there may be overwritten.

    Raises
    ------
    InputError
        Where a log cannot say it: arms that never met, votes that are not independent.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> votes = Votes([[0, 2.5], [0.5, 0]], ["tuna", "squid"])
    >>> with TemporaryDirectory() as folder:
    ...     path = write_votes(votes, f"{folder}/battles.csv")
    ...     path.read_text().splitlines()[-1], read_votes(path) == votes
    ('tuna,squid,tie', True)
    """
    path = Path(path)
    check_output(path, (".csv",), force=force)
    _check_log(votes)
    with atomic_write(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        file.write(",".join(ARENA.columns) + "\n")
        for i, j, word, copies in _lines(votes.counts):
            cells = quoted_cell(votes.labels[i]), quoted_cell(votes.labels[j]), word
            file.writelines(repeat(",".join(cells) + "\n", copies))
    return path


def _lines(counts: VoteCounts) -> Iterator[tuple[int, int, str, int]]:
    """Two arms, the word for the winner, and how many lines say so, arms in their order."""
    pairs = np.argwhere(np.triu(counts.duels > 0, 1)).tolist()
    for i, j in sorted(pairs, key=lambda pair: (pair[1], -pair[0])):
        tied = int(counts.tied[i, j])
        yield i, j, ARENA.columns[0], int(counts.wins[i, j] - tied / 2)
        yield i, j, ARENA.columns[1], int(counts.wins[j, i] - tied / 2)
        yield i, j, TIES[0], tied


def _check_log(votes: Votes) -> None:
    """Raise :class:`InputError` if a log cannot say what the votes are."""
    counts, labels = votes.counts, votes.labels
    if counts.outcomes is not None or not counts.independent or counts.selected is not None:
        raise InputError(
            "votes: these come in clusters or from rankings, or some pairs are selected by what "
            "they say, which a file of duels cannot say"
        )
    alone = np.flatnonzero(~counts.duels.any(axis=1))
    if alone.size:
        raise InputError(
            f"votes: {labels[alone[0]]!r} met no other arm, and a log names only arms that did; "
            "votes.submatrix leaves it out"
        )
    check_labels(labels)


def check_labels(names: Iterable[str]) -> None:
    """Raise :class:`InputError` if a log cannot hold some labels or ids."""
    for name in names:
        if name in MISSING or re.search(r"[\n\r\0\ud800-\udfff]|\s#", name):
            raise InputError(
                f"label {name!r} is one that no .csv of votes can hold: a missing value, a line "
                "break, a blank before #, or no UTF-8"
            )
