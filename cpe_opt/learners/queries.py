"""What a learner is, and how its rounds end.

A learner is a generator: it yields a query (:mod:`cpe_opt.problems.queries`), receives the
observation, and returns its answer. The first argument of a learner is what it may know
(``problem.known``); all its randomness comes from the ``rng`` it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from cpe_opt.errors import InputError
from cpe_opt.problems.queries import Batch, Duel, Pull, PullSets

Query = TypeVar("Query", Duel, Pull, PullSets)


class HorizonReached(Exception):  # a signal, not an error
    """Thrown into a learner at the query that used up its last round.

    A learner that has an answer at any time catches it and returns that answer.
    """


@dataclass(frozen=True)
class Unproved:
    """What a learner returns instead of an answer where it stops without its guarantee.

    ``answer`` is its best guess, or None; ``doubt`` says why it is no more than that, in words, for
    an empty doubt would be a proof.
    """

    answer: Any
    doubt: str

    def __post_init__(self) -> None:
        if not isinstance(self.doubt, str) or not self.doubt.strip():
            raise InputError(
                f"the doubt of an answer that is not proved is {self.doubt!r}, expected words"
            )


@dataclass(frozen=True)
class Assessed:
    """What a learner returns instead of an answer where it says how sure it is of it.

    ``error`` is an estimate of the probability that the answer is wrong, and bounds nothing.
    ``p_value`` is valid however the queries were chosen: for every alpha it is at most alpha, for a
    wrong answer, with probability at most alpha. ``doubt`` is that of :class:`Unproved`; where it
    is empty, the answer is proved.
    """

    answer: Any
    error: float
    p_value: float
    doubt: str = ""


@dataclass(frozen=True)
class Conditional:
    """What a learner returns instead of an answer where its guarantee rests on an assumption.

    ``assumption`` is what the queries do not show, so worded that it follows "proved, if", such as
    :data:`HAS_CONDORCET_WINNER`.
    """

    answer: Any
    assumption: str


HAS_CONDORCET_WINNER = "there is a Condorcet winner"
"""The assumption of learners that look for a Condorcet winner and do not show that it is one."""


def claim(doubt: str, assumption: str, extent: str = "") -> str:
    """What is said of an answer: "proved", "proved, if …", or "not proved: …"."""
    if doubt:
        return f"not proved: {doubt}"
    return f"proved{condition(assumption)}{f': {extent}' * bool(extent)}"


def condition(assumption: str) -> str:
    """What follows a statement that rests on an assumption: ", if …"; empty if it is."""
    return f", if {assumption}" if assumption else ""


def joined_assumptions(*assumptions: str) -> str:
    """Several assumptions as one; empty ones say nothing."""
    return ", and ".join(each for each in assumptions if each)


Learner: TypeAlias = Generator[Any, Any, Any]


def ask_all(queries: Sequence[Query]) -> Generator[Query | Batch, Any, list[Any]]:
    """Ask independent queries as one batch, a single one as itself; what is observed, in order."""
    if len(queries) > 1:
        observed: list[Any] = yield Batch(tuple(queries))
        return observed
    return [(yield queries[0])] if queries else []


def pull_each_once(
    size: int, add: Callable[[int, float], object]
) -> Generator[Pull | Batch, Any, None]:
    """Pull every element once, in one batch, and ``add`` each with its reward."""
    first = yield from ask_all([Pull(element) for element in range(size)])
    for element, rewards in enumerate(first):
        add(element, float(rewards[0]))
