"""Columns of a log by which votes or scores may come in clusters: of one judge, user or prompt.

Votes with the same judge or prompt may depend on each other, and what votes prove assumes that they
do not; scores of teams likewise. Such columns are known by their names alone; how many different
values they have is counted by :mod:`cpe_opt.problems.tables`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WHOSE = (
    "judge|rater|annotator|evaluator|labell?er|grader|assessor|reviewer|worker|voter|user|expert|"
    "person|participant|respondent|subject|client|visitor|account|member|ip|session|conversation|"
    "conv|chat|thread|prompt|question|query|item|task|instruction|input|document|topic|sample|"
    "scenario|opening|match|game"
)
_NAME = re.compile(
    rf"(?:{_WHOSE})s?(?:[ _-]?(?:id|ids|uid|uuid|name|key|hash|no|nr|number|index|address|email))?"
)


@dataclass(frozen=True)
class ClusterColumn:
    """A column of a log in which values repeat: what shares a value may depend on each other.

    ``values`` is how many different ones it has, ``observations`` how many votes or scores have
    one.
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


def is_cluster_name(column: str) -> bool:
    """Whether a column of this name says whose a vote is, or what it is about.

    Examples
    --------
    >>> [is_cluster_name(name) for name in ("Judge", "user_id", "promptId", "turn")]
    [True, True, True, False]
    """
    return _NAME.fullmatch(column.strip().lower()) is not None
