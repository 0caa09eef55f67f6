"""What a run notes as it goes: draws, rounds and, where a problem has such a thing, regret."""

from __future__ import annotations

import functools
import math

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.queries import Duel, Pull, PullSets
from cpe_opt.validation import checked_count, checked_rounds

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

    def __init__(
        self,
        regret: FloatArray,
        *,
        horizon: int | None = None,
        points: int | None = None,
        units: str = "",
    ) -> None:
        points = (
            POINTS if points is None else checked_count("points", points, least=2, most=MOST_POINTS)
        )
        if horizon is not None:
            checked_rounds("horizon", horizon)
        self.units = units
        self._regret = regret.tolist()
        self._draws = [[0] * len(regret) for _ in range(len(regret))]
        self._grid = time_grid(horizon or 2**62, points).tolist()
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
