"""The rows of a log, a table of scores or a session: one answer each, and what is next to it.

Proofs need sums of answers alone. Whether what a proof assumes may hold is seen in single rows: who
answered, when, which of two was shown first. They are what :mod:`cpe_opt.reports.checks` reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.problems.clusters import row_codes


@dataclass(frozen=True)
class UnreadRows:
    """Rows that cannot be read for one reason."""

    reason: str
    rows: int
    places: tuple[str, ...]  # of the first of them


@dataclass(frozen=True, eq=False, kw_only=True)
class AnswerRows:
    """Answers row by row, as :func:`cpe_opt.read_answer_rows` and sessions have them.

    Attributes
    ----------
    name : str
    what : str
        What was read, such as "a log of duels".
    labels : tuple of str
        Of the arms; of a log of teams the teams.
    first, second : int array, shape (n,)
        The arms of each row; there is no ``second`` where a row has the score of one arm.
    value : float array, shape (n,)
        The share of the win that the first arm has, or the score.
    count : float array, shape (n,)
        How many answers a row stands for.
    named_first : bool
        Whether ``first`` is the arm that was shown or named first, and not the one that won.
    columns : mapping from str to list of str
        The cells of all further columns, the empty text where there is none.
    times : float array, shape (n,), or None
        Seconds since 1970, where a column has them.
    item : str
        The column of items; empty if there is none.
    over_items : bool
        Whether a row is a cell of a fixed test set, which is asked once.
    adaptive : bool
        Whether a learner chose the questions by the answers before, as in a session.
    unread : tuple of UnreadRows
    """

    name: str
    what: str
    labels: tuple[str, ...]
    first: IntArray
    second: IntArray | None
    value: FloatArray
    count: FloatArray
    named_first: bool = False
    columns: Mapping[str, list[str]] = field(default_factory=dict)
    times: FloatArray | None = None
    item: str = ""
    over_items: bool = False
    adaptive: bool = False
    unread: tuple[UnreadRows, ...] = ()

    @property
    def rows(self) -> int:
        """How many were read."""
        return len(self.value)

    @cached_property
    def pair(self) -> IntArray:
        """The two arms of every row as one number, whichever is first; the arm of a score."""
        if self.second is None:
            return self.first
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        return row_codes([low, high])

    @cached_property
    def of_low(self) -> FloatArray:
        """What the arm of the smaller number gets in every row; or the score."""
        if self.second is None:
            return self.value
        return np.where(self.first < self.second, self.value, 1.0 - self.value)

    def codes(self, column: str) -> IntArray:
        """Numbers that tell the values of a column apart, in order of appearance; -1: no value."""
        number: dict[str, int] = {"": -1}
        cells = self.columns[column]
        return np.array([number.setdefault(cell, len(number) - 1) for cell in cells], np.int64)
