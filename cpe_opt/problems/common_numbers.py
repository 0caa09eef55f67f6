"""Common random numbers: duels whose outcomes are the same for every learner, for each seed.

In an ordinary simulation a duel takes the next number of one stream, so that two learners with the
same seed see different outcomes as soon as they ask for different duels. Here every pair has a
stream of its own: the n-th duel of a pair ends alike whoever asks for it, and whatever was asked
before. Each learner's runs have the law that they always have, and the difference of two learners
on the same seed varies less. By how much depends on the learners: those that duel the same pairs
gain the most.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.environments import ONE_BY_ONE, DuelEnvironment

_BLOCK = 64


class CommonDuels(DuelEnvironment):
    """Answers duels by streams of the pairs; arguments are those of :class:`DuelEnvironment`.

    Of more than 2^16 duels at once the number of wins is drawn as a whole, from the same stream.
    """

    def __init__(
        self, probability: FloatArray, rng: np.random.Generator, position: IntArray | None = None
    ) -> None:
        super().__init__(probability, rng, position)
        self._root = int(rng.integers(2**63))
        self._streams: dict[tuple[int, int], _Stream] = {}

    def answer(self, query: Any) -> int:
        """How many of the duels arm i wins; 0 for an idle stretch."""
        i, j, times = int(query.i), int(query.j), int(query.times)
        if i == j:
            return 0
        pair = (i, j) if i < j else (j, i)
        stream = self._streams.get(pair)
        if stream is None:
            stream = self._streams[pair] = _Stream([self._root, *pair])
        won = stream.wins(times, self._probability[pair[0]][pair[1]])
        return won if i < j else times - won


class _Stream:
    """The outcomes of one pair."""

    def __init__(self, seed: list[int]) -> None:
        self._rng = np.random.default_rng(seed)
        self._left = np.empty(0)

    def wins(self, times: int, probability: float) -> int:
        """How many of the next duels its first arm wins."""
        if times > ONE_BY_ONE:
            return int(self._rng.binomial(times, probability))
        missing = times - len(self._left)
        if missing > 0:
            blocks = -(-missing // _BLOCK)
            self._left = np.concatenate([self._left, self._rng.random(blocks * _BLOCK)])
        taken, self._left = self._left[:times], self._left[times:]
        return int((taken < probability).sum())


class CommonNumbers:
    """A problem of duels as it is, with common random numbers."""

    def __init__(self, problem: Any) -> None:
        if problem.family not in ("dueling", "matchings") or not hasattr(problem, "array"):
            raise InputError(
                f"{problem.name} is a {type(problem).__name__}, and common random numbers are for "
                "duels of arms or of edges"
            )
        self.plain = problem

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__dict__["plain"], name)

    @property
    def fingerprint(self) -> Any:
        """What tells the problem from any other."""
        return self.plain

    def environment(self, rng: np.random.Generator) -> CommonDuels:
        """Simulated duels, a stream a pair."""
        edges = self.plain.family == "matchings"
        position = self.plain.graph.position if edges else None
        return CommonDuels(self.plain.array, rng, position)
