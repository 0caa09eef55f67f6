"""What the estimates of duels imply: empirical winners, their evidence, the pairs they want drawn.

The state behind Algorithm 1 of Komiyama, Honda, Nakagawa (ICML 2016), see
:mod:`cpe_opt.learners.dueling.komiyama_loop`. It is kept up to date pair by pair; a
:class:`Tournament` lasts until some estimate crosses ½.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.dueling.lower_bound import unit_costs
from cpe_opt.formulations.dueling.rows import ConfusingRows, copeland_rows
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.problems.dueling.scores import copeland_regret
from cpe_opt.ties import first_smallest

_REMEMBERED_SIZE = 2**21  # entries of (K, K) arrays, one for each candidate
_FEW = 8
_MARGIN = 1e-9


class WinnerPlan(ABC):
    """An empirical Copeland winner under one pattern of who beats whom.

    It keeps the evidence of its rows up to date pair by pair. ``costs`` is r/d, shape (K, K),
    shared and kept up to date by the pattern.
    """

    def __init__(self, tally: DuelTally, winner: int, costs: FloatArray) -> None:
        self.tally, self.winner, self.costs = tally, winner, costs
        self.families: ConfusingRows = copeland_rows(tally.estimate, winner, "literal")
        self.resume()

    def resume(self) -> None:
        """Catch up with the tally after a while under another pattern."""
        tail_sums = self.families.tail_sums(self.tally.evidence)
        self._tails = tail_sums[self.families.block, self.families.o_size]

    def drawn(self, better: int, worse: int) -> None:
        """Take note that the estimate of this pair has moved (and not crossed ½)."""
        if self.winner in (better, worse):
            return
        families, block = self.families, self.families.block_of(worse)
        superiors = families.superiors[block, : families.sizes[block]]
        sums = np.zeros(len(superiors) + 1)
        np.sort(self.tally.evidence[worse, superiors]).cumsum(out=sums[1:])
        rows = slice(families.starts[block], families.starts[block + 1])
        self._tails[rows] = sums[families.o_size[rows]]

    def evidence(self) -> float:
        """The smallest left-hand side over all rows at x = evidence; inf without rows."""
        if not self.families.count:
            return math.inf
        heads = self.families.head_sums(self.tally.evidence[self.winner, self.families.inferiors])
        return float((heads + self._tails).min())

    @abstractmethod
    def optimum(self) -> FloatArray:
        """An optimal x at the current estimates, shape (K, K); the same object until it changes."""

    def value(self) -> float:
        """The optimum."""
        return float(np.vdot(self.optimum(), self.costs)) / 2


class Tournament:
    """Who beats whom by the estimates: it settles regret, winners and rows."""

    def __init__(self, tally: DuelTally, make: MakeWinnerPlan) -> None:
        self._tally = tally
        losses = tally.beaten.sum(axis=1)
        self._regret = copeland_regret(losses)
        self._costs = unit_costs(self._regret, tally.divergence)
        self.candidates = [
            make(tally, winner, self._costs)
            for winner in np.flatnonzero(losses == losses.min()).tolist()
        ]

    def resume(self) -> None:
        """Catch up with the tally after a while under another pattern."""
        self._costs[...] = unit_costs(self._regret, self._tally.divergence)
        for candidate in self.candidates:
            candidate.resume()

    def drawn(self, better: int, worse: int) -> None:
        """Take note that the estimate of this pair has moved (and not crossed ½)."""
        divergence = self._tally.divergence[better, worse]
        if divergence > 0.0:
            cost = self._regret[better, worse] / divergence
            self._costs[better, worse] = self._costs[worse, better] = cost
        for candidate in self.candidates:
            candidate.drawn(better, worse)


MakeWinnerPlan: TypeAlias = Callable[[DuelTally, int, FloatArray], WinnerPlan]


class Exploration:
    """The empirical winners, their evidence, and the pairs they want drawn.

    Evidence is a minimum of sums in which a pair occurs at most once, so it grows by no more than
    the pairs do. While this bound stays below ln t the rows cannot hold, and nothing is computed.
    """

    def __init__(self, tally: DuelTally, make: MakeWinnerPlan) -> None:
        self._tally, self._make = tally, make
        self._remembered: dict[bytes, Tournament] = {}
        self._wanted: frozenset[int] = frozenset()
        self._touched: set[int] = set()
        self._upper = np.triu(np.ones((tally.arms, tally.arms), dtype=np.bool_))
        self._pattern_changed()

    def drawn(self, i: int, j: int, won: int) -> None:
        """Count one duel."""
        flipped, gained = self._tally.add(i, j, won)
        if flipped:
            self._pattern_changed()
            return
        self._exact = False
        self._bound += max(0.0, gained)
        self._touched.add(i * self._tally.arms + j)
        better, worse = (i, j) if self._tally.leads(i, j) else (j, i)
        self._pattern.drawn(better, worse)

    @property
    def evidence(self) -> float:
        """The most evidence of an empirical winner."""
        self._refresh()
        return self._bound

    @property
    def safest(self) -> int:
        """The empirical winner with the most evidence."""
        self._refresh()
        return self._safest

    def wanted(self, log_t: float) -> frozenset[int]:
        """L_NC: what one check adds to the next list, as codes ``i * K + j`` with i <= j."""
        if self._bound >= log_t - _MARGIN and self.evidence >= log_t:
            return frozenset([self.safest * (self._tally.arms + 1)])
        if not self._wanted_still_holds(log_t):
            self._want(log_t)
        return self._wanted

    def _refresh(self) -> None:
        if not self._exact:
            candidates = self._pattern.candidates
            found = [candidate.evidence() for candidate in candidates]
            best = first_smallest([-evidence for evidence in found])
            self._bound, self._safest = found[best], candidates[best].winner
            self._exact = True

    def _target(self) -> WinnerPlan:
        """The empirical winner with the smallest optimum."""
        candidates = self._pattern.candidates
        if len(candidates) == 1:
            return candidates[0]
        return candidates[first_smallest([candidate.value() for candidate in candidates])]

    def _want(self, log_t: float) -> None:
        """Every pair with x* ln t above its evidence, and how long the others stay out."""
        self._last_target = target = self._target()
        self._x = target.optimum()
        evidence = self._tally.evidence
        mask = self._x * log_t > evidence
        codes = np.flatnonzero(mask & self._upper).tolist()
        with np.errstate(divide="ignore", invalid="ignore"):
            until = np.where(mask | (self._x == 0.0), np.inf, evidence / self._x)
        self._holds_until = float(until.min()) - _MARGIN
        self._wanted = frozenset([*codes, target.winner * (self._tally.arms + 1)])
        self._touched.clear()

    def _wanted_still_holds(self, log_t: float) -> bool:
        """Whether the last answer is right for the current estimates and this ln t."""
        if log_t >= self._holds_until or len(self._touched) > _FEW:
            return False
        if not self._touched:
            return True
        target = self._target()
        if target is not self._last_target or target.optimum() is not self._x:
            return False
        evidence = self._tally.evidence
        for code in self._touched:
            pair = divmod(code, self._tally.arms)
            if bool(self._x[pair] * log_t > evidence[pair]) != (code in self._wanted):
                return False
        return True

    def _pattern_changed(self) -> None:
        """Switch to the winners under the pattern that the estimates show now."""
        key = np.packbits(self._tally.beaten).tobytes()
        if key in self._remembered:
            self._pattern = self._remembered[key]
            self._pattern.resume()
        else:
            self._pattern = self._remembered[key] = Tournament(self._tally, self._make)
            size = sum(len(pattern.candidates) for pattern in self._remembered.values())
            while len(self._remembered) > 1 and size * self._tally.arms**2 > _REMEMBERED_SIZE:
                oldest = next(iter(self._remembered))
                size -= len(self._remembered.pop(oldest).candidates)
        self._exact = False
        self._bound = math.inf
        self._holds_until = -math.inf
        self._touched.clear()
