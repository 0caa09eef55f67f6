"""The rows of a log or a table one by one, with all that cannot be read, in place of the first.

They are read as by the strict readers, which refuse a file at its first bad row: here such rows are
left out and counted by what is wrong with them, so that a file can be mended at once. Whether the
readers take the rest is asked of them at the end.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formats.observations import read_item_duels, read_item_scores, read_observations
from cpe_opt.formats.tables import (
    COLUMNS,
    COUNT,
    GRADED,
    ITEM,
    MISSING,
    TOLD,
    Format,
    Table,
    Unread,
    form_of,
    format_of,
    has_items,
    header_of,
    read_table,
    seconds_of,
)
from cpe_opt.formats.text import require_file, stem_of
from cpe_opt.formats.votes import TIMES, counts_of, read_log
from cpe_opt.problems.answer_rows import AnswerRows, UnreadRows
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.validation import checked_types

_SHOWN = 5  # of the places of unread rows
_Rows: TypeAlias = "tuple[Table, list[npt.NDArray[np.object_]], FloatArray, FloatArray]"


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
    (1, ("a duel of 'tea' against itself", ('line 3',)))
    """
    path = require_file(path)
    kind = format_of(path)
    unread: Unread = {}
    what, over_items = kind.what, kind is Format.ITEM_SCORES
    strict: Callable[[Path], object] = read_item_scores if over_items else read_observations
    form, cells = form_of(header_of(path)), has_items(path)
    # A log with words for winners has votes, of which items are clusters.
    if form is GRADED and cells:
        what, strict = "a table of duels over the items of a test set", read_item_duels
        over_items = True
    elif kind not in (Format.LOG, Format.POSITION_LOG, Format.TEAMS, Format.ITEM_SCORES):
        raise InputError(
            f"{path.name} is {what}, which has no rows of answers; expected a log of duels or of "
            "teams, or a table of scores with the columns arm, item, score"
        )
    duels = kind not in (Format.TEAMS, Format.ITEM_SCORES)
    rows = _duels(path, cells and form is GRADED, unread) if duels else _scores(path, kind, unread)
    table, arms, value, count = rows
    good = count > 0.0
    good[[*unread]] = False
    columns = {
        name: np.array([text * (text not in MISSING) for text in texts], dtype=object)[codes][good]
        for name, (codes, texts) in {**table.others, **table.coded}.items()
        if name in table.others or name in (ITEM, TOLD)
    }
    times = (np.array([*map(seconds_of, columns[name])]) for name in TIMES if name in columns)
    if not unread:
        try:
            strict(path)
        except InputError as error:
            unread[-1] = str(error).removeprefix(f"{path.name}, "), "the whole file"
    return AnswerRows.of(
        [each[good].tolist() for each in arms],
        name=stem_of(path),
        what=what,
        value=value[good],
        count=count[good],
        named_first=duels and form is not None and form.has_ties,
        columns={name: texts.tolist() for name, texts in columns.items()},
        times=next((each for each in times if not np.isnan(each).any()), None),
        item=ITEM if ITEM in columns else "",
        over_items=over_items,
        unread=_by_reason(table, unread),
    )


def _duels(path: Path, items: bool, unread: Unread) -> _Rows:
    """The arm that is shown first, the other, and what the first gets."""
    position = "position" in header_of(path)
    log = read_log(path, position=position, items=items, unread=unread)
    labels, first = np.array(log.labels, dtype=object), log.shown_first
    arms = [labels[log.first], labels[log.second]]
    if position:
        places = np.array(log.table.texts("position"), dtype=object)
        arms = [places + ": " + each for each in arms]
    arms = [np.where(first, *arms), np.where(first, *arms[::-1])]
    return log.table, arms, np.where(first, log.share, 1.0 - log.share), log.count


def _scores(path: Path, kind: Format, unread: Unread) -> _Rows:
    """Arms or teams, whose members may be in any order, and their scores."""
    optional = (COUNT,) if kind is Format.TEAMS else ()
    table = read_table(path, COLUMNS[kind], optional, others=True, unread=unread)
    score = table.numbers("score")
    codes, labels = table.labels(COLUMNS[kind][0])
    if kind is Format.ITEM_SCORES:
        table.labels(ITEM)
        table.refuse((score < 0.0) | (score > 1.0), "the score is not from 0 to 1")
    else:
        labels = [" + ".join(sorted(map(str.strip, each.split("+")))) for each in labels]
    return table, [np.array(labels, dtype=object)[codes]], score, counts_of(table)


def _by_reason(table: Table, unread: Unread) -> tuple[UnreadRows, ...]:
    """The most frequent reason first, each with where some of its rows are."""
    rows: dict[str, list[int]] = defaultdict(list)
    for row, (why, _) in sorted(unread.items()):
        rows[why].append(row)
    line = table.parts[0].line
    return tuple(
        UnreadRows(why, len(all_), tuple(unread[k][1] or line(k)[0] for k in all_[:_SHOWN]))
        for why, all_ in sorted(rows.items(), key=lambda item: -len(item[1]))
    )
