"""The rows of a log, a table of scores or a session: one answer each, and what is next to it.

Proofs need sums of answers alone. Whether what a proof assumes may hold is seen in single rows: who
answered, when, which of two was shown first. They are what :mod:`cpe_opt.reports.checks` reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

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

    Arrays have the shape (n,), an entry for each row.
    """

    name: str
    what: str  # what was read, such as "a log of duels"
    labels: tuple[str, ...]  # of the arms; of a log of teams the teams
    first: IntArray  # the arms of each row, of a score the same one twice
    second: IntArray
    value: FloatArray  # the share of the win that the first arm has, or the score
    count: FloatArray  # how many answers a row stands for
    named_first: bool = False  # whether `first` was shown or named first, and not the one that won
    # the cells of all further columns, the empty text where there is none
    columns: Mapping[str, list[str]] = field(default_factory=dict)
    times: FloatArray | None = None  # seconds since 1970, where a column has them
    item: str = ""  # the column of items; empty if there is none
    over_items: bool = False  # whether a row is a cell of a fixed test set, which is asked once
    adaptive: bool = False  # whether a learner chose the questions by the answers before
    unread: tuple[UnreadRows, ...] = ()

    @classmethod
    def of(cls, arms: Sequence[Sequence[str]], **others: Any) -> AnswerRows:
        """Rows by the names of the arms that each is about, a list or two; numbers as they come."""
        import pandas as pd

        named = np.array(arms, dtype=object).reshape(len(arms), -1).T
        codes, labels = pd.factorize(named.ravel())
        ends = np.asarray(codes, dtype=np.int64).reshape(named.shape).T
        return cls(labels=tuple(labels.tolist()), first=ends[0], second=ends[-1], **others)

    @property
    def rows(self) -> int:
        """How many were read."""
        return len(self.value)

    @property
    def duels(self) -> bool:
        """Whether they are about two arms each."""
        return not self.rows or bool((self.first != self.second).any())

    @cached_property
    def pair(self) -> IntArray:
        """The two arms of every row as one number, whichever is first."""
        return row_codes(list(np.sort([self.first, self.second], axis=0)))

    @cached_property
    def of_low(self) -> FloatArray:
        """What the arm of the smaller number gets in every row; or the score."""
        return np.where(self.first <= self.second, self.value, 1.0 - self.value)

    def codes(self, column: str) -> IntArray:
        """Numbers that tell the values of a column apart, in order of appearance; -1: no value."""
        import pandas as pd

        cells = np.array(self.columns[column], dtype=object)
        cells[cells == ""] = None
        return np.asarray(pd.factorize(cells)[0], dtype=np.int64)
