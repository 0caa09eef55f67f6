"""What a learner may ask, and how its rounds end.

A learner is a generator: it yields a query, receives the observation, and returns its answer. The
first argument of a learner is what it may know (``problem.known``); all its randomness comes from
the ``rng`` it is given.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Duel:
    """``times`` duels of arm i against arm j; the observation is how many of them i won.

    ``Duel(i, i, times=n)`` is an idle stretch: n rounds in which the learner plays i against itself
    because nothing it could observe would change its mind. Its observation means nothing.
    """

    i: int
    j: int
    times: int = 1

    @property
    def rounds(self) -> int:
        """How many rounds it takes."""
        return self.times


@dataclass(frozen=True, slots=True)
class Pull:
    """``times`` pulls of an arm; the observation is the array of its rewards."""

    arm: int
    times: int = 1

    @property
    def rounds(self) -> int:
        """How many rounds it takes."""
        return self.times


@dataclass(frozen=True, slots=True)
class PullSets:
    """Pulls of sets, ``times[s]`` of ``sets[s]``; the observation is the array of their sums.

    The sum over all pulls of a set of the sums of its elements' rewards; 0 for a set not pulled.
    """

    sets: tuple[tuple[int, ...], ...]
    times: tuple[int, ...]

    @property
    def rounds(self) -> int:
        """How many rounds it takes."""
        return sum(self.times)


class HorizonReached(Exception):  # a signal, not an error
    """Thrown into a learner at the query that used up its last round.

    A learner that has an answer at any time catches it and returns that answer.
    """


@dataclass(frozen=True)
class Unproved:
    """What a learner returns instead of an answer where it stops without its guarantee.

    ``answer`` is its best guess, or None; ``doubt`` says why it is no more than that.
    """

    answer: Any
    doubt: str


Learner: TypeAlias = Generator[Any, Any, Any]
