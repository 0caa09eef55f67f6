"""The rows of a log or a table one by one, with all that cannot be read, in place of the first.

Readers refuse a file at its first bad row. Here such rows are left out and counted by what is wrong
with them; so a file can be mended at once. Whether the readers take the rest is asked of them at
the end, so that a file without unread rows is one that they read.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cpe_opt.errors import InputError, listed, shortened
from cpe_opt.formats.observations import (
    read_item_duels,
    read_item_scores,
    read_observations,
)
from cpe_opt.formats.tables import (
    COLUMNS,
    COUNT,
    FIRST,
    FORMS,
    GRADED,
    HINT,
    ITEM,
    MISSING,
    NO_ARMS,
    Format,
    LogForm,
    cells_or_faults,
    form_of,
    format_of,
    has_items,
    header_of,
    number_expected,
    parse_number,
    seconds_of,
)
from cpe_opt.formats.text import read_text, require_file, stem_of
from cpe_opt.problems.answer_rows import AnswerRows, UnreadRows
from cpe_opt.progress_line import ShowProgress, shows_progress, step
from cpe_opt.validation import checked_types

TIMES = ("timestamp", "time", "tstamp", "date", "datetime", "created_at", "at")
"""What columns of times are called."""
_SHOWN = 5  # of the places of unread rows
_STEP = 10_000  # rows


class _Unread(Exception):
    """What is wrong with a row."""


@checked_types
@shows_progress("reading rows")
def read_answer_rows(path: str | os.PathLike[str], *, progress: ShowProgress = None) -> AnswerRows:
    r"""Read a log or a table row by row, for :func:`cpe_opt.check_answers`.

    Parameters
    ----------
    path : path
        A log of duels, with a column ``item`` one over the items of a test set; a log of duels at
        positions; a log of teams; or a table of scores with the columns ``arm, item, score``. Of a
        session :meth:`cpe_opt.Session.answer_rows` has the rows.
    progress
        As for :func:`cpe_opt.read_votes`.

    Returns
    -------
    AnswerRows
        Those that can be read, and for what reason others cannot.

    Raises
    ------
    InputError
        Where there is no such file, or it has no rows of answers, as a matrix has none.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "duels.csv"
    ...     _ = path.write_text("winner,loser\ntea,coffee\ntea,tea\ntea\n")
    ...     rows = read_answer_rows(path)
    >>> rows.rows, [(each.reason, each.places) for each in rows.unread][0]
    (1, ('a duel of an arm against itself', ('line 3',)))
    """
    path = require_file(path)
    kind = _kind_of(path)
    found = _AddedRows(kind)
    unread: dict[str, list[str]] = {}
    for number, (place, cells) in enumerate(cells_or_faults(path)):
        try:
            if isinstance(cells, str):
                raise _Unread(cells)
            found.add(cells)
        except _Unread as error:
            unread.setdefault(str(error), []).append(place)
        if not number % _STEP:
            step("rows read", number)
    if not unread:
        try:
            kind.read(path)
        except InputError as error:
            unread[str(error).removeprefix(f"{path.name}, ")] = ["the whole file"]
    faults = [UnreadRows(why, len(all_), tuple(all_[:_SHOWN])) for why, all_ in unread.items()]
    faults.sort(key=lambda each: -each.rows)
    return found.answers(stem_of(path), tuple(faults))


@dataclass(frozen=True)
class _Kind:
    """A format that has rows of answers."""

    what: str
    columns: tuple[str, ...]
    read: Callable[[Path], object]
    form: LogForm | None = None  # of duels
    over_items: bool = False

    @property
    def arm(self) -> str:
        """The column of what has a score."""
        return self.columns[0]


def _kind_of(path: Path) -> _Kind:
    """What a file is; a log is one by its columns, also where some of its rows are odd."""
    kind, header = format_of(path), header_of(path)
    form = form_of(header, items=has_items(path))
    if form is GRADED:  # a log with words for winners has votes, of which items are clusters
        what = "a table of duels over the items of a test set"
        return _Kind(what, (*form.columns, ITEM), read_item_duels, form, over_items=True)
    if kind in (Format.LOG, Format.POSITION_LOG):
        if form is None:
            forms = "; or ".join(", ".join(each.columns) for each in FORMS)
            raise InputError(
                f"{path.name}: no log of duels; found {listed(header)}; expected {forms}"
            )
        position = ("position",) * (kind is Format.POSITION_LOG)
        return _Kind(kind.what, (*position, *form.columns), read_observations, form)
    if kind is Format.TEAMS:
        return _Kind(kind.what, COLUMNS[kind], read_observations)
    if kind is Format.ITEM_SCORES:
        return _Kind(kind.what, COLUMNS[kind], read_item_scores, over_items=True)
    if kind is Format.MATRIX:  # or what is none of the others
        read_text(path, only_start=True)
    raise InputError(
        f"{path.name} has no rows of answers; its first line has {listed(header)}; expected a log "
        "of duels or of teams, or a table of scores with the columns arm, item, score"
    )


class _AddedRows:
    """Rows as they are added."""

    def __init__(self, kind: _Kind) -> None:
        self.kind, self.apart = kind, {*kind.columns, COUNT, FIRST, HINT} - {ITEM}
        self.number: dict[str, int] = {}
        self.numbers: list[tuple[int, int, float, float]] = []
        self.columns: dict[str, list[str]] = {}

    def add(self, cells: Mapping[str, str]) -> None:
        """Take a row, or raise :class:`_Unread`."""
        kind, first_shown = self.kind, True
        for name in kind.columns:
            if name not in cells:
                raise _Unread(f"it has no {name!r}")
            if cells[name] in MISSING:
                raise _Unread(f"the cell of {name!r} is empty, or stands for a missing value")
        if kind.form is None:
            members = [cells[kind.arm]] if kind.over_items else cells[kind.arm].split("+")
            named, value = [" + ".join(sorted(map(str.strip, members)))], self._score(cells)
        else:
            position = f"{cells['position']}: " if "position" in kind.columns else ""
            arms = [cells[name] for name in kind.form.columns[:2]]
            value = _share(kind.form, cells, arms)
            if FIRST in cells and cells[FIRST] not in MISSING:
                first_shown = cells[FIRST].lower() in (kind.form.columns[0], arms[0].lower())
            named = [f"{position}{arm}" for arm in arms]
        count = parse_number(cells.get(COUNT) or "1")
        if count is None or not (count >= 0.0 and count == round(count)):
            raise _Unread(f"count is {shortened(cells[COUNT], 30)!r}, expected a whole number")
        if not count:
            return
        if not first_shown:
            named, value = named[::-1], 1.0 - value
        first, second = (
            self.number.setdefault(arm, len(self.number)) for arm in (named[0], named[-1])
        )
        for name in cells:
            if name not in self.columns and name not in self.apart:
                self.columns[name] = [""] * len(self.numbers)
        for name, column in self.columns.items():
            cell = cells.get(name, "")
            column.append("" if cell in MISSING else cell)
        self.numbers.append((first, second, value, count))

    def _score(self, cells: Mapping[str, str]) -> float:
        """A score, of teams any number."""
        score = parse_number(cells["score"])
        if score is None or not math.isfinite(score):
            raise _Unread(f"score is no number, expected {number_expected(cells['score'])}")
        if self.kind.over_items and not 0.0 <= score <= 1.0:
            raise _Unread("the score is not from 0 to 1")
        return score

    def answers(self, name: str, unread: tuple[UnreadRows, ...]) -> AnswerRows:
        """All rows that were taken."""
        kind, table = self.kind, np.array(self.numbers, dtype=np.float64).reshape(-1, 4)
        form, first = kind.form, table[:, 0].astype(np.int64)
        times = None
        for column in TIMES:
            if times is None and column in self.columns:
                seconds = np.array([seconds_of(cell) for cell in self.columns[column]])
                times = None if np.isnan(seconds).any() else seconds
        return AnswerRows(
            name=name,
            what=kind.what,
            labels=tuple(self.number),
            first=first,
            second=None if form is None else table[:, 1].astype(np.int64),
            value=table[:, 2],
            count=table[:, 3],
            named_first=form is not None and form.has_ties,
            columns=self.columns,
            times=times,
            item=ITEM if ITEM in self.columns else "",
            over_items=kind.over_items,
            unread=unread,
        )


def _share(form: LogForm, cells: Mapping[str, str], arms: list[str]) -> float:
    """What the first arm of a duel gets."""
    if arms[0] == arms[1]:
        raise _Unread("a duel of an arm against itself")
    if not form.has_ties:
        if {arm.lower() for arm in arms} & NO_ARMS:
            raise _Unread("a tie, and a log with ties has the columns model_a, model_b, winner")
        return 1.0
    name = form.columns[2]
    said = cells[name]
    if form.graded:
        share = parse_number(said)
        if share is None or not 0.0 <= share <= 1.0:
            raise _Unread(f"{name} is {shortened(said, 30)!r}, expected a number from 0 to 1")
        return share
    if said in arms:
        return float(said == arms[0])
    if said.lower() not in form.shares:
        wish = f"{', '.join(form.shares)}, or the name of one of the two"
        raise _Unread(f"{name} is {shortened(said, 30)!r}, expected {wish}")
    return form.shares[said.lower()]
