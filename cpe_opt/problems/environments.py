"""Simulated duels: the answers of a preference matrix, or of the edges of a graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.queries import Duel

_BUFFER = 4096
ONE_BY_ONE = 2**16


class DuelEnvironment:
    """Answers :class:`Duel` queries by the probabilities, shape (n, n), that the row's arm wins.

    A duel takes one uniform number from the stream, whether it is asked for alone or in a batch; a
    duel of an arm with itself takes none. So runs with and without batches and idle stretches see
    the same randomness. (Batches of more than 2^16 duels take one binomial number.) Where arms are
    edges of a graph, those of different ``position`` do not duel.
    """

    def __init__(
        self, probability: FloatArray, rng: np.random.Generator, position: IntArray | None = None
    ) -> None:
        self._probability = probability.tolist()
        self._arms = len(probability)
        self._place: list[int] | None = None if position is None else position.tolist()
        self._rng = rng
        self._uniform: list[float] = []

    def check(self, query: object) -> Duel:
        """The query, or :class:`InputError` if it is not a legal one."""
        return checked_duel(query, self._arms, self._place)

    def answer(self, query: Duel) -> int:
        """How many of the duels arm i wins; 0 for an idle stretch."""
        i, j = query.i, query.j
        if i == j:
            return 0
        probability = self._probability[i][j]
        if query.times == 1:
            uniform = self._uniform
            if not uniform:
                uniform = self._uniform = self._rng.random(_BUFFER).tolist()
            return 1 if uniform.pop() < probability else 0
        if query.times > ONE_BY_ONE:
            return int(self._rng.binomial(query.times, probability))
        return sum(map(probability.__gt__, self._next(query.times)))

    def _next(self, count: int) -> list[float]:
        """The next numbers of the stream, as single duels would take them."""
        taken: list[float] = []
        while len(taken) < count:
            if not self._uniform:
                self._uniform = self._rng.random(_BUFFER).tolist()
            some = min(count - len(taken), len(self._uniform))
            taken += self._uniform[-some:]
            del self._uniform[-some:]
        return taken


def checked_duel(query: object, arms: int, position: Sequence[int] | None = None) -> Duel:
    """The query, or :class:`InputError` if it is no duel of so many arms, or edges of positions."""
    if not isinstance(query, Duel):
        raise InputError(f"this problem answers Duel queries, the learner asked {query!r}")
    i, j, times = query.i, query.j, query.times
    plain = type(i) is type(j) is type(times) is int  # the common case, and cheap to tell
    if not (plain or all(isinstance(number, int | np.integer) for number in (i, j, times))):
        raise InputError(f"the learner asked {query!r}, expected whole numbers")
    if not (0 <= i < arms and 0 <= j < arms and times >= 1):
        raise InputError(
            f"the learner asked {query!r}; arms are 0 … {arms - 1} and times at least 1"
        )
    if position is not None and position[i] != position[j]:
        raise InputError(f"the learner asked {query!r}, edges of different positions")
    return query
