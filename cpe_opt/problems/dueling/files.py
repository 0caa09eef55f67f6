"""Preferences from files of any of the formats: matrices, logs of duels, PrefLib elections."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.problems.dueling.matrix_files import read_matrix
from cpe_opt.problems.json_tables import header_of
from cpe_opt.problems.json_values import is_json
from cpe_opt.problems.log_forms import is_log
from cpe_opt.problems.logs import read_log
from cpe_opt.problems.pairs import PairTable, counted_table
from cpe_opt.problems.parquet_tables import is_parquet
from cpe_opt.problems.preflib import PREFLIB_SUFFIXES, read_preflib
from cpe_opt.problems.text import require_file, stem_of, suffix_of

if TYPE_CHECKING:
    import pandas as pd
import json
import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from cpe_opt.arrays import IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.files import atomic_write, check_output
from cpe_opt.problems.columns import MISSING, Table
from cpe_opt.problems.dueling.matrix_files import quoted_cell, write_matrix
from cpe_opt.problems.json_values import JSON_SUFFIXES, json_values
from cpe_opt.problems.log_forms import ARENA, EVALICA, FLAGS, NO_ARMS, PAIRS, WINNERS
from cpe_opt.problems.logs import log_of
from cpe_opt.problems.pairs import MOST_ARMS, VoteCounts
from cpe_opt.problems.rows import parse_number
from cpe_opt.problems.text import read_text, shortened, text_lines

Duels: TypeAlias = (
    "str | os.PathLike[str] | pd.DataFrame | Sequence[tuple[int, int]] | npt.NDArray[np.integer]"
)
"""A log: a file, a data frame, or pairs of numbers."""


def read_preferences(path: str | os.PathLike[str]) -> PairTable:
    """Read whichever of the formats a file is in.

    PrefLib files are told by their suffix, JSON by its suffix or its first characters, Parquet by
    its first bytes, logs of duels by their header or by two numbers a line; anything else is read
    as a matrix. Text may be compressed by gzip.
    """
    path = require_file(path)
    if suffix_of(path) in PREFLIB_SUFFIXES:
        return read_preflib(path)
    if is_parquet(path) or is_json(path) or is_log(header_of(path)) or is_number_pairs(path):
        return read_duels(path)
    return read_matrix(path)


def read_duels(duels: Duels) -> PairTable:
    """Count a log of duels, in any of the forms of :mod:`cpe_opt.problems.log_forms`.

    An entry of the matrix is the fraction of its pair's duels that the row's arm won, ties counted
    as half a win; a pair that never met is tied. Arms take the order in which they first appear;
    where they are numbers, that of these.

    Parameters
    ----------
    duels : path of a table or a list of JSON, a data frame with the same columns, or pairs (i, j)
        Of such a pair of numbers, i won.

    Raises
    ------
    InputError
        With the line concerned: on missing columns or labels, an arm against itself, counts that
        are no whole numbers, no duels.
    """
    import pandas as pd

    if isinstance(duels, list | tuple | np.ndarray):
        return count_number_pairs(duels)
    if not isinstance(duels, pd.DataFrame):
        duels = require_file(duels)  # type: ignore[arg-type]
        if not is_parquet(duels) and (
            is_json_pairs(duels) if is_json(duels) else is_number_pairs(duels)
        ):
            return read_number_pairs(duels)
    log, source = read_log(duels)
    labels, counts = log.counted()
    return counted_table(source, stem_of(source), labels, counts)


# Votes as files, in the forms of :mod:`cpe_opt.problems.log_forms`, or as a matrix of wins.
#
# ==================== ============================ ==== =====================================
# form                 suffixes                     ties lines
# ==================== ============================ ==== =====================================
# ``winners``          .csv .jsonl .ndjson .json    no   one a pair and winner, with a count
# ``arena``, ``flags`` .csv .jsonl .ndjson .json    yes  one a vote
# ``evalica``          .csv .jsonl .ndjson .json    yes  one a vote
# ``pairs``            .csv .jsonl .ndjson .json    no   one a vote: two models, no texts
# ``choix``            .txt and all of these        no   one a vote
# ``matrix``           .csv                         half one an arm: ties as half wins
# ==================== ============================ ==== =====================================
#
# What is read back are the same votes: labels, wins and ties. One vote a line is what the programs
# that read these forms expect; they know no counts. Three things a log cannot say, and votes that
# have them are refused:
#
# * that an arm met no other (a matrix can), * that votes are not independent, as those of rankings
# are not: whoever read the log would take each
#   line for a duel of its own, and what it proves for more than it is,
# * labels that a reader would take for something else: "nan" for a missing value.
#
# Arms come back in their order if it is one in which lines can name them first: arms 0 and 1 met,
# and each further arm met an earlier one, or else the next arm, which it beat at least once where
# the winner is named first. Otherwise those that cannot come later. Choix's numbers keep theirs.


CHOIX, MATRIX = "choix", "matrix"
LOG_FORMS = {form.name: form for form in (WINNERS, ARENA, FLAGS, EVALICA, PAIRS[0])}
WRITTEN_FORMS = (*LOG_FORMS, CHOIX, MATRIX)
_MOST_COPIES = 10_000  # of a line that are in memory at once
_NUMBER = re.compile(r"0|[1-9][0-9]{0,14}")
Line: TypeAlias = tuple[int, int, float, int]
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
        write_matrix(path, counts.wins, labels)
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


def lines_of(counts: VoteCounts) -> Iterator[Line]:
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

    def cells(line: Line) -> tuple[str | int, ...]:
        i, j, share, count = line
        if form.shares:
            return labels[i], labels[j], words[share]
        if form.flags:
            return labels[i], labels[j], *(int(share == flag) for flag in (1.0, 0.0, 0.5))
        winner, loser = (i, j) if share else (j, i)
        return labels[winner], labels[loser], *((count,) if form is WINNERS else ())

    def text(line: Line) -> str:
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
    return "" if suffix in JSON_SUFFIXES else f"{COMMENT}\n", lines


def _check_log(form: str, suffix: str, counts: VoteCounts, labels: Sequence[str]) -> None:
    """Raise :class:`InputError` where a log of this form cannot say what the votes are."""
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
    wrong = next((label for label in labels if not _NUMBER.fullmatch(label)), None)
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


# Votes as pairs of numbers ``(i, j)``, where i won: the form of choix.
#
# The functions of choix (L. Maystre) take a list of such pairs, in which arms are the
# numbers 0 to n-1. It has no format of files; what its users keep is that list, as
#
# * JSON: ``[[1, 0], [0, 4]]``, or one pair ``[1, 0]`` a line,
# * lines of text, as ``numpy.savetxt`` writes them: ``1 0``, or with a comma, a semicolon or a tab
#   between the two; lines that start with ``#`` are comments,
# * in Python the list itself, or an array of shape (n, 2).
#
# Labels are the numbers, in their order; those that are in no pair are no arms. Two columns of
# numbers may also be a matrix of two arms. Text is taken for pairs where it has more than three
# lines, or starts with the comment ``# winner loser``.


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
