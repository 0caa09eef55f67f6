"""Who won: from the words, the names or the flags of a log of duels.

A column of outcomes is read as a whole. It has *places*, such as ``model_a`` or ``B``, or *names*
of arms, each of which is one of the two of its line; words for ties go with either. Where both
readings are possible and differ, as for arms that are called "A" and "B" and change sides, the log
is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.columns import Table
from cpe_opt.problems.log_forms import BOTH_BAD, LogForm
from cpe_opt.problems.pairs import BoolArray
from cpe_opt.problems.text import shortened


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
