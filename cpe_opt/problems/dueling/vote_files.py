r"""Preferences and votes from files, and votes to files.

What a file is, :mod:`cpe_opt.problems.formats` says. Votes are written in forms of
:mod:`cpe_opt.problems.logs`, or as a matrix of wins:

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

What is read back are the same votes: labels, wins and ties. One vote a line is what the programs
that read these forms expect; they know no counts. Three things a log cannot say, and votes that
have them are refused:

* that an arm met no other (a matrix can),
* that votes are not independent, as those of rankings are not: whoever read the log would take each
  line for a duel of its own, and what it proves for more than it is,
* labels that a reader would take for something else: "nan" for a missing value.

Arms come back in their order if it is one in which lines can name them first: arms 0 and 1 met,
and each further arm met an earlier one, or else the next arm, which it beat at least once where
the winner is named first. Otherwise those that cannot come later. Choix's numbers keep theirs.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.files import atomic_write, check_output
from cpe_opt.formats.matrices import FORMATS, quoted_cell, read_square, write_square
from cpe_opt.formats.preflib import read_preflib
from cpe_opt.problems.clusters import PAIR
from cpe_opt.problems.formats import Format, format_of
from cpe_opt.problems.json_values import JSON_SUFFIXES
from cpe_opt.problems.logs import (
    ARENA,
    EVALICA,
    FLAGS,
    NO_ARMS,
    PAIRS,
    PAIRS_COMMENT,
    WINNERS,
    DuelLog,
    is_number_pairs,
    joined_logs,
    read_log,
    read_number_pairs,
)
from cpe_opt.problems.pairs import PairTable, VoteCounts, counted_table
from cpe_opt.problems.tables import MISSING
from cpe_opt.problems.vote_filters import ReadOptions, VoteFilter
from cpe_opt.text import require_file, stem_of

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


def read_preferences(path: LogPaths, **options: Unpack[ReadOptions]) -> PairTable:
    """Read a matrix, logs of duels or a PrefLib election.

    Parameters
    ----------
    path : path, or sequence of paths
        Several have to be logs of duels; what they say is taken together.
    **options
        As for :func:`read_duels`; refused where the file is no log.

    Raises
    ------
    InputError
        With the line concerned; or where the file is something else.
    """
    paths = list_of_paths(path)
    kind = format_of(paths[0])
    require_logs(paths, **options)
    if kind is Format.MATRIX:
        return read_square(paths[0])
    if kind is Format.ELECTION:
        return read_preflib(paths[0])
    if kind.family in ("dueling", "separable") or kind is Format.POSITION_LOG:
        # which says why a JSON file of another problem is no log
        return read_duels(path, **options)
    raise InputError(f"{Path(paths[0]).name} is {kind.what}; a file of preferences is {FORMATS}")


def list_of_paths(paths: LogPaths) -> list[str | os.PathLike[str]]:
    """The paths of one file or several, or :class:`InputError` if one is named twice."""
    if isinstance(paths, str | os.PathLike):
        return [paths]
    if not len(paths):
        raise InputError("paths: none are named, expected at least one file")
    seen: dict[str, object] = {}
    for path in paths:
        place = str(require_file(path).resolve())
        if place in seen:
            raise InputError(f"{str(path)!r} is named twice, and its votes would count twice")
        seen[place] = path
    return list(paths)


def require_logs(paths: Sequence[str | os.PathLike[str]], **options: Unpack[ReadOptions]) -> None:
    """Raise :class:`InputError` where files are no logs, and several, or read with options."""
    given = [name for name, value in options.items() if value]
    for path in paths if given or len(paths) > 1 else ():
        kind = format_of(path)
        if kind is not Format.LOG and given:
            names = " and ".join(given)
            raise InputError(
                f"{Path(path).name} is {kind.what}, on which {names} has no effect; columns are "
                "those of a log of duels"
            )
        if kind is not Format.LOG:
            raise InputError(
                f"{Path(path).name} is {kind.what}; several files are read as one where each is a "
                "log of duels"
            )


def read_duels(duels: Duels, **options: Unpack[ReadOptions]) -> PairTable:
    """Count logs of duels, in any of the forms of :mod:`cpe_opt.problems.logs`.

    An entry of the matrix is the fraction of its pair's duels that the row's arm won, ties counted
    as half a win; a pair that never met is tied. Arms take the order in which they first appear;
    where they are numbers, that of these.

    Parameters
    ----------
    duels : path of a table or a list of JSON, a data frame with the same columns, or pairs (i, j)
        Of such a pair of numbers, i won. A sequence of paths or data frames is read as one log.
    **options
        ``cluster``, ``unique``, ``where``, ``where_not``, ``since``, ``until`` and ``time``, as for
        :meth:`cpe_opt.Votes.read`.

    Raises
    ------
    InputError
        With the line concerned: on missing columns or labels, an arm against itself, counts that
        are no whole numbers, no duels.
    """
    if _are_pairs(duels):
        if given := [name for name, value in options.items() if value]:
            raise InputError(f"pairs of numbers have no columns, which {' and '.join(given)} name")
        return read_number_pairs(duels)
    return _ChosenVotes.read(duels, None, options).counted()


def read_duels_by(duels: Duels, by: str, **options: Unpack[ReadOptions]) -> dict[str, PairTable]:
    """The same for each value of a column, those with the most votes first."""
    if _are_pairs(duels):
        raise InputError("pairs of numbers have no columns, which by names")
    chosen = _ChosenVotes.read(duels, by.strip().lower(), options)
    return chosen.counted_by()


def _are_pairs(duels: Duels) -> bool:
    import pandas as pd

    if isinstance(duels, str | os.PathLike):
        return is_number_pairs(duels)
    if isinstance(duels, list | tuple):
        return not (duels and isinstance(duels[0], str | os.PathLike | pd.DataFrame))
    return isinstance(duels, np.ndarray)


@dataclass(frozen=True, eq=False)
class _ChosenVotes:
    """The rows of logs that are read, and how votes in them go together."""

    log: DuelLog
    rows: IntArray | None
    filters: tuple[tuple[str, int], ...]
    files: list[tuple[str, int]]
    name: str
    cluster: str | None
    unique: tuple[str, ...]
    by: str

    @classmethod
    def read(cls, duels: Duels, by: str | None, options: ReadOptions) -> Self:
        several = [*duels] if isinstance(duels, list | tuple) else [duels]
        if all(isinstance(each, str | os.PathLike) for each in several):
            several = [*list_of_paths(several)]  # type: ignore[arg-type]
        cluster, unique = options.get("cluster"), options.get("unique") or ()
        cluster = None if cluster is None else cluster.strip().lower()
        unique = unique.split(",") if isinstance(unique, str) else unique
        unique = tuple(dict.fromkeys(name.strip().lower() for name in unique))
        chosen = VoteFilter.of(*(options.get(name) for name in _FILTERS))  # type: ignore[arg-type]
        apart = [name for name in (*unique, *([cluster] if cluster else [])) if name != PAIR]
        logs = [
            read_log(each, apart=apart, by=by, chosen=chosen)  # type: ignore[arg-type]
            for each in several
        ]
        log = joined_logs(logs)
        rows, told = chosen.rows(log.table, log.count) if chosen else (None, ())
        files = [(each.table.source, each.table.rows) for each in logs]
        stems = [stem_of(each.table.source) for each in logs]
        name = " + ".join(stems[:_NAMED]) + f" + {len(stems) - _NAMED} more" * (len(stems) > _NAMED)
        return cls(log, rows, told, files, name, cluster, unique, by or "")

    def counted(self, rows: IntArray | None = None, group: str = "") -> PairTable:
        """All that are read, or those of a group."""
        chosen = self.rows if rows is None else rows
        labels, counts = self.log.counted(chosen, cluster=self.cluster, unique=self.unique)
        notes = replace(counts.notes, filters=self.filters, files=self._votes_of_files(chosen))
        counts = replace(counts, notes=notes)
        name = f"{self.name}: {group}" if group else self.name
        return counted_table(self.log.table.source, name, labels, counts)

    def _votes_of_files(self, rows: IntArray | None) -> tuple[tuple[str, int], ...]:
        """How many votes each of several files gave."""
        if len(self.files) < 2:
            return ()
        rows = np.arange(len(self.log.count)) if rows is None else rows
        ends = np.searchsorted(rows, np.cumsum([lines for _, lines in self.files]))
        parts = np.split(self.log.count[rows], ends[:-1])
        names = (name for name, _ in self.files)
        return tuple((name, int(votes.sum())) for name, votes in zip(names, parts, strict=True))

    def counted_by(self) -> dict[str, PairTable]:
        """The groups by their values, those with the most votes first."""
        table, count = self.log.table, self.log.count
        rows = np.flatnonzero(count > 0) if self.rows is None else self.rows[count[self.rows] > 0]
        codes, values = table.coded[self.by]
        codes = codes[rows]
        missing = np.isin(codes, [k for k, value in enumerate(values) if value in MISSING])
        if missing.any():
            raise InputError(
                f"{table.place(int(rows[np.argmax(missing)]))}: the cell of {self.by!r} is empty, "
                "and the vote of no group; where_not={…: ''} (--where 'column!=') leaves such out"
            )
        votes = np.bincount(codes, count[rows], len(values))
        order = np.argsort(-votes, kind="stable")
        order = order[votes[order] > 0]
        if len(order) > MOST_GROUPS:
            raise InputError(
                f"{table.source}: {self.by!r} has {len(order):,} different values, expected at "
                f"most {MOST_GROUPS:,} groups"
            )
        by_code = np.argsort(codes, kind="stable")
        ends = np.searchsorted(codes[by_code], np.arange(len(values) + 1))
        return {
            values[k]: self.counted(rows[by_code[ends[k] : ends[k + 1]]], values[k])
            for k in order.tolist()
        }


_FILTERS = ("where", "where_not", "since", "until", "time")
_NAMED = 2  # files, in a title
CHOIX, MATRIX = "choix", "matrix"
LOG_FORMS = {form.name: form for form in (WINNERS, ARENA, FLAGS, EVALICA, PAIRS[0])}
WRITTEN_FORMS = (*LOG_FORMS, CHOIX, MATRIX)
_MOST_COPIES = 10_000  # of a line that are in memory at once
_ARM_NUMBER = re.compile(r"0|[1-9][0-9]{0,14}")
PairCount: TypeAlias = tuple[int, int, float, int]
"""Two arms, the share of the win that the first has (1, 0 or ½), and how many such votes."""


def write_votes(
    path: str | os.PathLike[str],
    counts: VoteCounts,
    labels: Sequence[str],
    form: str | None = None,
    *,
    force: bool = False,
) -> Path:
    """Write votes; arguments as of :meth:`cpe_opt.Votes.write`."""
    path = Path(path)
    suffix = path.suffix.lower()
    form = form or (CHOIX if suffix == ".txt" else ARENA.name)
    if form not in WRITTEN_FORMS:
        raise UnknownName("form of votes", form, WRITTEN_FORMS)
    if path.is_file() and not force:
        raise InputError(f"{str(path)!r} exists; force=True overwrites it")
    check_output(path, suffixes_of(form), force=True)
    if form == MATRIX:
        _check_matrix(counts)
        write_square(path, counts.wins, labels)
        return path
    _check_log(form, suffix, counts, labels)
    header, texts = (_pair_texts if form == CHOIX else _log_texts)(form, suffix, counts, labels)
    with atomic_write(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        if suffix == ".json":
            file.write("[")
            before = "\n"
            for text, copies in texts:
                file.write(before + text + f",\n{text}" * (copies - 1))
                before = ",\n"
            file.write("\n]\n")
        else:
            file.write(header)
            file.writelines(f"{text}\n" * copies for text, copies in texts)
    return path


def suffixes_of(form: str) -> tuple[str, ...]:
    """Those of the files that hold votes in this form."""
    if form == MATRIX:
        return (".csv",)
    return (".csv", *JSON_SUFFIXES, *((".txt",) if form == CHOIX else ()))


def lines_of(counts: VoteCounts) -> Iterator[PairCount]:
    """What lines say, those that name arms in their order first; a long run comes in parts."""
    for i, j in _pairs(counts.duels > 0):
        tied = int(counts.tied[i, j])
        for first, second, share, count in (
            (i, j, 1.0, counts.wins[i, j] - tied / 2),
            (i, j, 0.0, counts.wins[j, i] - tied / 2),
            (i, j, 0.5, tied),
        ):
            for start in range(0, int(count), _MOST_COPIES):
                yield first, second, share, min(int(count) - start, _MOST_COPIES)


def _pairs(met: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    named: set[int] = set()
    pairs: dict[tuple[int, int], None] = {}
    for arm in range(len(met)):
        earlier = np.flatnonzero(met[arm, :arm])
        if arm not in named and earlier.size:
            pairs[int(earlier[0]), arm] = None
            named.add(arm)
        elif arm not in named and met[arm, arm + 1 : arm + 2].any():
            pairs[arm, arm + 1] = None
            named |= {arm, arm + 1}
    rest = np.argwhere(np.triu(met, 1)).tolist()
    return list(pairs | dict.fromkeys((i, j) for i, j in rest))


def _log_texts(
    name: str, suffix: str, counts: VoteCounts, labels: Sequence[str]
) -> tuple[str, Iterator[tuple[str, int]]]:
    """A header, if any, and lines without their ends, each with how often to write it."""
    form = LOG_FORMS[name]
    columns = (*form.columns, *(("count",) if form is WINNERS else ()))
    words = {share: word for word, share in reversed([*form.shares.items()])}
    in_json = suffix in JSON_SUFFIXES

    def cells(line: PairCount) -> tuple[str | int, ...]:
        i, j, share, count = line
        if form.shares:
            return labels[i], labels[j], words[share]
        if form.flags:
            return labels[i], labels[j], *(int(share == flag) for flag in (1.0, 0.0, 0.5))
        winner, loser = (i, j) if share else (j, i)
        return labels[winner], labels[loser], *((count,) if form is WINNERS else ())

    def text(line: PairCount) -> str:
        if in_json:
            return json.dumps(dict(zip(columns, cells(line), strict=True)), ensure_ascii=False)
        return ",".join(quoted_cell(str(cell)) for cell in cells(line))

    lines = ((text(line), 1 if form is WINNERS else line[3]) for line in lines_of(counts))
    return "" if in_json else ",".join(columns) + "\n", lines


def _pair_texts(
    _name: str, suffix: str, counts: VoteCounts, labels: Sequence[str]
) -> tuple[str, Iterator[tuple[str, int]]]:
    shape = {".txt": "{} {}", ".csv": "{},{}"}.get(suffix, "[{}, {}]")
    lines = (
        (shape.format(labels[i if share else j], labels[j if share else i]), count)
        for i, j, share, count in lines_of(counts)
    )
    return "" if suffix in JSON_SUFFIXES else f"{PAIRS_COMMENT}\n", lines


def _check_log(form: str, suffix: str, counts: VoteCounts, labels: Sequence[str]) -> None:
    """Raise :class:`InputError` if a log of this form cannot say what the votes are."""
    _check_independent(counts)
    alone = np.flatnonzero(~counts.duels.any(axis=1))
    if alone.size == len(labels):
        raise InputError("votes: there are none, and a log names only arms that met")
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
    if form == CHOIX:
        _check_numbers(labels)
        return
    for label in labels:
        if label in MISSING:
            raise InputError(f"label {label!r} stands for a missing value in files of votes")
        if not ties and label.lower() in NO_ARMS:
            raise InputError(f"label {label!r} stands for a tie in files of votes")
        if "\n" in label or "\r" in label or "\0" in label:
            raise InputError(f"label {label!r} has a line break or NUL, which no log can hold")
        if suffix == ".csv" and re.search(r"\s#", label):
            raise InputError(
                f"label {label!r} has a blank before #, as comments have; JSON can hold it"
            )
        try:
            label.encode()
        except UnicodeEncodeError:
            raise InputError(f"label {label!r} is no text that UTF-8 can hold") from None


def _check_numbers(labels: Sequence[str]) -> None:
    wrong = next((label for label in labels if not _ARM_NUMBER.fullmatch(label)), None)
    if wrong is not None:
        raise InputError(
            f"label {wrong!r} is no whole number, and arms of the form {CHOIX!r} are numbers; "
            "Votes(votes.wins) numbers the arms"
        )
    numbers = [int(label) for label in labels]
    if numbers != sorted(numbers):
        raise InputError(
            f"labels {', '.join(labels[:12])}: the arms of the form {CHOIX!r} are in the order of "
            "their numbers; votes.submatrix gives votes another order"
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
    if counts.outcomes is not None:
        raise InputError(
            "votes: these come in clusters, which a file of duels cannot say: whoever reads it "
            "would take each for a duel of its own"
        )
    if not counts.independent:
        raise InputError(
            "votes: these come from rankings and are not independent, which a file of duels cannot "
            "say: whoever reads it would take each for a duel of its own"
        )
    if counts.selected is not None:
        raise InputError(
            "votes: nothing is proved of some pairs, which are selected by what the votes say; a "
            "file of duels cannot say that"
        )
