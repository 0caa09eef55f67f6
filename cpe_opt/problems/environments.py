"""Simulated duels, of a preference matrix or of the edges of a graph, and what a run notes.

**Common random numbers: duels whose outcomes are the same for every learner, for each seed.**

In an ordinary simulation a duel takes the next number of one stream, so that two learners with the
same seed see different outcomes as soon as they ask for different duels. Here every pair has a
stream of its own: the n-th duel of a pair ends alike whoever asks for it, and whatever was asked
before. Each learner's runs have the law that they always have, and the difference of two learners
on the same seed varies less. By how much depends on the learners: those that duel the same pairs
gain the most.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.queries import Duel, Pull, PullSets
from cpe_opt.validation import Interval, Rounds, checked_types

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


# What a run notes as it goes: draws, rounds and, where a problem has such a thing, regret.


POINTS = 200
MOST_POINTS = 1_000_000
"""How many rounds a trace can note."""


@functools.lru_cache(maxsize=64)
def time_grid(horizon: int, points: int) -> IntArray:
    """About ``points`` rounds from 1 to the horizon, evenly spaced on a log scale; read-only."""
    exact = np.geomspace(1, horizon, max(2, points))
    grid = np.unique(np.append(np.round(exact[:-1]), horizon).astype(np.int64))
    grid.flags.writeable = False
    return grid


class DuelRecorder:
    """Counts duels and notes cumulative regret at the rounds of a grid.

    ``regret``, shape (n, n), is that of one duel of each pair, NaN if there is no such thing, in
    ``units``. About ``points`` rounds are noted, 200 by default.
    """

    @checked_types
    def __init__(
        self,
        regret: FloatArray,
        *,
        horizon: Rounds | None = None,
        points: Annotated[int, Interval(2, MOST_POINTS)] | None = None,
        units: str = "",
    ) -> None:
        self.units = units
        self._regret = regret.tolist()
        self._draws = [[0] * len(regret) for _ in range(len(regret))]
        self._grid = time_grid(horizon or 2**62, points or POINTS).tolist()
        self._next = 0
        self._due: float = self._grid[0]
        self._noted: list[float] = []
        self._total = 0.0
        self._idle = 0
        self.rounds = self.queries = 0

    @property
    def samples(self) -> int:
        """Duels of two different arms so far."""
        return self.rounds - self._idle

    def note(self, query: Duel, times: int) -> None:
        """Book ``times`` rounds of a query."""
        i, j = query.i, query.j
        rate = self._regret[i][j]
        end = self.rounds + times
        if end >= self._due:
            self._note_regret(rate, end)
        self._total += rate * times
        self.rounds = end
        self.queries += 1
        self._draws[i][j] += times
        if i == j:
            self._idle += times

    def _note_regret(self, rate: float, end: int) -> None:
        """Note the rounds of the grid up to ``end``, all of them at one rate."""
        while self._next < len(self._grid) and self._grid[self._next] <= end:
            self._noted.append(self._total + rate * (self._grid[self._next] - self.rounds))
            self._next += 1
        self._due = self._grid[self._next] if self._next < len(self._grid) else math.inf

    def finish(self) -> tuple[IntArray, FloatArray]:
        """The rounds noted and the regret there; the last round is always among them."""
        times, values = self._grid[: self._next], list(self._noted)
        if self.rounds and (not times or times[-1] != self.rounds):
            times, values = [*times, self.rounds], [*values, self._total]
        return np.array(times, dtype=np.int64), np.array(values, dtype=np.float64)

    def draw_counts(self) -> IntArray:
        """Duels of each pair, symmetric."""
        counts = np.array(self._draws, dtype=np.int64)
        return counts + counts.T - np.diag(np.diag(counts))


class PullRecorder:
    """Counts pulls; sets are pulled to find the best one, so there is no regret."""

    units = ""

    def __init__(self, size: int) -> None:
        self._draws = np.zeros(size, dtype=np.int64)
        self._sets: tuple[tuple[int, ...], ...] = ()
        self._times: IntArray = np.zeros(0, dtype=np.int64)
        self.rounds = self.samples = self.queries = 0

    def note(self, query: PullSets | Pull, times: int) -> None:
        """Book a query; one that the horizon cuts is booked in proportion."""
        self.rounds += times
        self.samples += times
        self.queries += 1
        if isinstance(query, Pull):
            self._draws[query.arm] += times
            return
        if query.sets is not self._sets:
            self._book()
            self._sets, self._times = query.sets, np.zeros(len(query.sets), dtype=np.int64)
        pulls = np.array(query.times, dtype=np.int64)
        self._times += pulls if times == query.rounds else pulls * times // query.rounds

    def finish(self) -> tuple[IntArray, FloatArray]:
        """The last round alone, without a regret."""
        times = np.array([self.rounds] if self.rounds else [], dtype=np.int64)
        return times, np.full(len(times), np.nan)

    def draw_counts(self) -> IntArray:
        """Pulls of sets that hold each element."""
        self._book()
        return self._draws.copy()

    def _book(self) -> None:
        """Count the elements of the sets pulled so far."""
        for members, pulls in zip(self._sets, self._times.tolist(), strict=True):
            self._draws[list(members)] += pulls
        self._sets, self._times = (), self._times[:0]


def refuse_units(kind: str, regret: str | None, points: int | None = None) -> None:
    """Raise :class:`InputError` where regret, or its rounds, is asked of problems without any."""
    why = {"regret": (regret, "its learners explore until they can answer"),
           "points": (points, "of its runs only the last round is noted")}  # fmt: skip
    for name, (value, reason) in why.items():
        if value is not None:
            raise InputError(
                f"{name} is {value!r}, and has no effect on a problem of {kind}: {reason}"
            )


# Common random numbers: duels whose outcomes are the same for every learner, for each seed.


_BLOCK = 64


class CommonDuels(DuelEnvironment):
    """Answers duels by streams of the pairs; arguments are those of :class:`DuelEnvironment`."""

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
