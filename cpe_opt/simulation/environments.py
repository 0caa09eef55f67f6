"""Simulated answers to a learner's queries."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.learners.queries import Duel, Pull, PullSets
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.problem import Problem
from cpe_opt.problems.separable.model import SeparableProblem
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import indicators

_BUFFER = 4096
_ONE_BY_ONE = 2**16


class Environment(Protocol):
    """What answers the queries of a learner."""

    def check(self, query: object) -> Any:
        """The query, or :class:`InputError` if it is not a legal one."""

    def answer(self, query: Any) -> Any:
        """The observation of a legal query."""


def environment_of(problem: Problem, rng: np.random.Generator) -> Environment:
    """The environment of a problem."""
    if isinstance(problem, SubsetBandit):
        return PullEnvironment(problem, rng)
    if isinstance(problem, SeparableProblem):
        return ArmEnvironment(problem, rng)
    return DuelEnvironment(problem, rng)


class DuelEnvironment:
    """Answers :class:`Duel` queries by the probabilities of a problem.

    Arms are those of a preference matrix, or the edges of a graph, which duel at their position.

    A duel takes one uniform number from the stream, whether it is asked for alone or in a batch; a
    duel of an arm with itself takes none. So runs with and without batches and idle stretches see
    the same randomness. (Batches of more than 2^16 duels take one binomial number.)
    """

    def __init__(self, problem: PreferenceMatrix | MatchingDuels, rng: np.random.Generator) -> None:
        self._probability = problem.array.tolist()
        self._arms = len(problem.array)
        self._place: list[int] | None = None
        if isinstance(problem, MatchingDuels):
            self._place = problem.graph.position.tolist()
        self._rng = rng
        self._uniform: list[float] = []

    def check(self, query: object) -> Duel:
        """The query, or :class:`InputError` if it is not a legal one."""
        if not isinstance(query, Duel):
            raise InputError(f"this problem answers Duel queries, the learner asked {query!r}")
        if not (0 <= query.i < self._arms and 0 <= query.j < self._arms and query.times >= 1):
            raise InputError(
                f"the learner asked {query!r}; arms are 0 … {self._arms - 1} and times at least 1"
            )
        # Plain ints are the common case, and cheap to tell.
        if not type(query.i) is type(query.j) is type(query.times) is int and not all(
            isinstance(number, int | np.integer) for number in (query.i, query.j, query.times)
        ):
            raise InputError(f"the learner asked {query!r}, expected whole numbers")
        if self._place is not None and self._place[query.i] != self._place[query.j]:
            raise InputError(f"the learner asked {query!r}, edges of different positions")
        return query

    def answer(self, query: Duel) -> int:
        """How many of the duels arm i wins; 0 for an idle stretch."""
        if query.i == query.j:
            return 0
        probability = self._probability[query.i][query.j]
        if query.times > _ONE_BY_ONE:
            return int(self._rng.binomial(query.times, probability))
        if query.times == 1:
            if not self._uniform:
                self._uniform = self._rng.random(_BUFFER).tolist()
            return int(self._uniform.pop() < probability)
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


class PullEnvironment:
    """Answers :class:`PullSets` and :class:`Pull` queries by the rewards of a problem.

    Sums over many pulls are drawn as such: one normal number a set, or, from a table of outcomes,
    how often each of its rows was drawn.
    """

    def __init__(self, problem: SubsetBandit, rng: np.random.Generator) -> None:
        self._problem, self._rng = problem, rng
        self._sets: tuple[tuple[int, ...], ...] = ()
        self._vectors: FloatArray = np.zeros((0, problem.decisions.size))

    def check(self, query: object) -> PullSets | Pull:
        """The query, or :class:`InputError` if it is not a legal one."""
        if isinstance(query, Pull):
            if not (0 <= query.arm < self._problem.decisions.size and query.times >= 1):
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
                self._problem.decisions.check(members)
            self._sets = query.sets
            self._vectors = indicators(query.sets, self._problem.decisions.size)
        return query

    def answer(self, query: PullSets | Pull) -> FloatArray:
        """The sums of rewards of the sets, or the rewards of an element one by one."""
        if isinstance(query, Pull):
            vector = indicators([(query.arm,)], self._problem.decisions.size)
            return self._sums(np.repeat(vector, query.times, axis=0), np.ones(query.times, int))
        times = np.array(query.times)
        asked = np.flatnonzero(times)
        sums = np.zeros(len(times))
        sums[asked] = self._sums(self._vectors[asked], times[asked])
        return sums

    def _sums(self, vectors: FloatArray, times: IntArray) -> FloatArray:
        outcomes = self._problem.outcomes
        if outcomes is None:
            spread = self._problem.noise * np.sqrt(vectors.sum(axis=1) * times)
            # No product of matrices: its last bits depend on the machine.
            means = (vectors * self._problem.theta).sum(axis=1)
            return np.asarray(times * means + spread * self._rng.normal(size=len(times)))
        shares = np.full(len(outcomes), 1.0 / len(outcomes))
        drawn = self._rng.multinomial(times, shares)
        return np.asarray((drawn * (vectors @ outcomes.T)).sum(axis=1))


class ArmEnvironment:
    """Answers :class:`Pull` queries by the distributions of the arms.

    Each arm has a stream of its own: its n-th observation does not depend on the other arms.
    """

    def __init__(self, problem: SeparableProblem, rng: np.random.Generator) -> None:
        self._arms = problem.arms
        self._streams = rng.spawn(len(problem.arms))
        self._ahead = [np.zeros(0) for _ in problem.arms]

    def check(self, query: object) -> Pull:
        """The query, or :class:`InputError` if it is not a legal one."""
        if not isinstance(query, Pull):
            raise InputError(f"this problem answers Pull queries, the learner asked {query!r}")
        if not (0 <= query.arm < len(self._arms) and query.times >= 1):
            raise InputError(f"the learner asked {query!r}; arms are 0 … {len(self._arms) - 1}")
        return query

    def answer(self, query: Pull) -> FloatArray:
        """The next observations of the arm."""
        ahead = self._ahead[query.arm]
        if len(ahead) < query.times:
            count = max(query.times, _BUFFER)
            more = self._arms[query.arm].sample(self._streams[query.arm], count)
            ahead = np.concatenate([ahead, more])
        self._ahead[query.arm] = ahead[query.times :]
        return ahead[: query.times]
