"""Simulated pulls of sets, of which only sums are seen, and of single elements."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.queries import Pull, PullSets
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators


class PullEnvironment:
    """Answers :class:`PullSets` and :class:`Pull` queries by the rewards of a problem.

    Sums over many pulls are drawn as such: one normal number a set, or, from a table of outcomes,
    how often each of its rows was drawn.

    Parameters
    ----------
    decisions : DecisionClass
        Whose sets can be pulled.
    theta : float array, shape (n,)
        Mean rewards.
    rng : generator
    noise : float
        The standard deviation of an element's normal noise.
    outcomes : float array, shape (tasks, n), optional
        A table of rewards in place of means and noise.
    """

    def __init__(
        self,
        decisions: DecisionClass,
        theta: FloatArray,
        rng: np.random.Generator,
        *,
        noise: float,
        outcomes: FloatArray | None = None,
    ) -> None:
        self._decisions, self._theta, self._rng = decisions, theta, rng
        self._noise, self._outcomes = noise, outcomes
        self._sets: tuple[tuple[int, ...], ...] = ()
        self._vectors: FloatArray = np.zeros((0, decisions.size))

    def check(self, query: object) -> PullSets | Pull:
        """The query, or :class:`InputError` if it is not a legal one."""
        if isinstance(query, Pull):
            if not (0 <= query.arm < self._decisions.size and query.times >= 1):
                raise InputError(f"the learner asked {query!r}, no pull of an element")
            return query
        if not isinstance(query, PullSets):
            raise InputError(f"this problem answers PullSets and Pull, the learner asked {query!r}")
        if len(query.times) != len(query.sets) or min(query.times) < 0 or query.rounds < 1:
            raise InputError(
                f"the learner asked for {query.rounds} pulls of {len(query.sets)} sets: expected a "
                "number for each, at least 1 in all"
            )
        if query.sets is not self._sets:
            for members in query.sets:
                self._check_set(members)
            self._sets = query.sets
            self._vectors = indicators(query.sets, self._decisions.size)
        return query

    def _check_set(self, members: Iterable[int]) -> None:
        try:
            self._decisions.check(members)
        except InputError as error:
            raise InputError(f"the learner asked for pulls of {members!r}: {error}") from None

    def answer(self, query: PullSets | Pull) -> FloatArray:
        """The sums of rewards of the sets, or the rewards of an element one by one."""
        if isinstance(query, Pull):
            vector = indicators([(query.arm,)], self._decisions.size)
            return self._sums(np.repeat(vector, query.times, axis=0), np.ones(query.times, int))
        times = np.array(query.times)
        asked = np.flatnonzero(times)
        sums = np.zeros(len(times))
        sums[asked] = self._sums(self._vectors[asked], times[asked])
        return sums

    def _sums(self, vectors: FloatArray, times: IntArray) -> FloatArray:
        outcomes = self._outcomes
        if outcomes is None:
            spread = self._noise * np.sqrt(vectors.sum(axis=1) * times)
            # No product of matrices: its last bits depend on the machine.
            means = (vectors * self._theta).sum(axis=1)
            return np.asarray(times * means + spread * self._rng.normal(size=len(times)))
        shares = np.full(len(outcomes), 1.0 / len(outcomes))
        drawn = self._rng.multinomial(times, shares)
        return np.asarray((drawn * (vectors @ outcomes.T)).sum(axis=1))
