"""Columns of a log by which votes or scores may come in clusters: of one judge, user or prompt.

Votes with the same judge or prompt may depend on each other, and what votes prove assumes that they
do not; scores of teams likewise. Such columns are known by their names alone. How many different
values they have is counted by 64-bit hashes, so that a column of long texts takes no more memory
than one of numbers; two of a million different texts have the same hash with a probability of 3e-8.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cpe_opt.problems.columns import MISSING, Table

_WHOSE = (
    "judge|rater|annotator|evaluator|labell?er|grader|assessor|reviewer|worker|voter|user|expert|"
    "person|participant|respondent|subject|client|visitor|account|member|ip|session|conversation|"
    "conv|chat|thread|prompt|question|query|item|task|instruction|input|document|topic|sample|"
    "scenario|opening|match|game"
)
_NAME = re.compile(
    rf"(?:{_WHOSE})s?(?:[ _-]?(?:id|ids|uid|uuid|name|key|hash|no|nr|number|index|address|email))?"
)
_HELD, _UNSORTED = 1 << 16, 1 << 20


@dataclass(frozen=True)
class ClusterColumn:
    """A column of a log in which values repeat: what shares a value may depend on each other.

    Attributes
    ----------
    column : str
        Such as "judge" or "prompt".
    values : int
        How many different ones there are.
    observations : int
        How many votes or scores have one.
    """

    column: str
    values: int
    observations: int

    def warning(self, noun: str) -> str:
        """What to know of all that ``noun``, "votes" or "scores", prove.

        Examples
        --------
        >>> print(ClusterColumn("judge", 2, 40).warning("votes").partition(";")[0])
        warning: the column 'judge' has 2 different values in 40 votes
        """
        values = f"{self.values:,} different value{'s' * (self.values != 1)}"
        return (
            f"warning: the column {self.column!r} has {values} in {self.observations:,} {noun}; "
            f"{noun} that share one may depend on each other, and whatever is called proved "
            "assumes that they do not"
        )


def cluster_columns(table: Table, observations: int) -> tuple[ClusterColumn, ...]:
    """The counted columns of a table in which values repeat.

    Parameters
    ----------
    table : Table
    observations : int
        How many votes or scores its rows stand for together.
    """
    columns = [
        ClusterColumn(name, values, observations - (table.rows - filled))
        for name, (values, filled) in table.counted.items()
    ]
    return tuple(each for each in columns if 0 < each.values < each.observations)


def is_cluster_name(column: str) -> bool:
    """Whether a column of this name says whose a vote is, or what it is about.

    Examples
    --------
    >>> [is_cluster_name(name) for name in ("Judge", "user_id", "promptId", "turn")]
    [True, True, True, False]
    """
    return _NAME.fullmatch(column.strip().lower()) is not None


class DistinctValues:
    """How many different values a column has, those for missing ones left out.

    Attributes
    ----------
    rows : int
        How many rows have a value.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._hashes = np.zeros(0, dtype=np.uint64)
        self._parts: list[npt.NDArray[np.uint64]] = []
        self._texts: list[str] = []

    @property
    def count(self) -> int:
        """The number of different values."""
        self._hash()
        return len(self._merged())

    def add(self, text: str) -> None:
        """Note the value of one row."""
        self._texts.append(text)
        if len(self._texts) == _HELD:
            self._hash()

    def add_all(self, texts: npt.NDArray[np.object_] | Sequence[str]) -> None:
        """The same of many rows; None is a missing value."""
        from pandas.util import hash_array

        values = np.array(texts, dtype=np.object_)
        hashes = hash_array(values, categorize=False)
        known = hashes[~np.isin(hashes, _missing())]
        self.rows += len(known)
        self._parts.append(known)
        if sum(map(len, self._parts)) > len(self._hashes) + _UNSORTED:
            self._merged()

    def _hash(self) -> None:
        if self._texts:
            texts, self._texts = self._texts, []
            self.add_all(texts)

    def _merged(self) -> npt.NDArray[np.uint64]:
        hashes = np.sort(np.concatenate([self._hashes, *self._parts]))
        self._hashes = hashes[np.append(True, hashes[1:] != hashes[:-1])[: len(hashes)]]
        self._parts = []
        return self._hashes


def _missing() -> npt.NDArray[np.uint64]:
    """The hashes of what stands for a missing value."""
    from pandas.util import hash_array

    words = np.array([*sorted(MISSING), None], dtype=np.object_)
    return np.asarray(hash_array(words, categorize=False), dtype=np.uint64)
