"""Who beats whom by the estimates, and what evidence costs: what all empirical winners share.

A duel that leaves every sign as it was changes one cost. Where an estimate reaches or crosses ½,
losses, winners and regrets are found again, when somebody next asks for them: of many such duels in
a row, as forced exploration makes them, only the last one costs that time. As long as the least
number of losses stays the same, only the regrets of the arms that met have changed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.problems.dueling.scores import copeland_regret, unit_costs

_FEWER = 8  # where more arms have changed than K divided by this, all are found again


@dataclass(frozen=True, eq=False)
class Tournament:
    """The relation "beats" of K arms at one moment; no later duel changes it."""

    version: int  # grows from one tournament of a learner to its next
    # Whether the row's arm loses to the column's by the estimates, below ½; (K, K).
    beaten: BoolArray
    losses: IntArray  # L_i, how many arms beat each arm, shape (K,)
    first: int  # the least number of losses
    second: int  # the least of the other arms
    winners: list[int]  # the arms with the fewest losses, ascending: the empirical Copeland winners


class Estimates:
    """The duels of K arms so far, the tournament by them, and the costs of evidence.

    Learners that identify a winner give prices; for others a duel costs the regret at the losses.
    """

    def __init__(self, tally: DuelTally, prices: FloatArray | None = None) -> None:
        self.tally = tally
        self._given = prices
        # The last tournament, and the arms of pairs whose signs have changed since.
        self._tournament: Tournament | None = None
        self._flipped: set[int] = set()
        self._prices: FloatArray
        self._costs: FloatArray

    def count(self, i: int, j: int, won: int, times: int = 1) -> tuple[float, float | None]:
        """Count duels; by how much the evidence grew, and its cost, None if the signs changed."""
        flipped, gained = self.tally.add(i, j, won, times)
        if flipped:
            self._flipped |= {i, j}
        if self._tournament is None:
            return gained, None
        before = self._costs.item(i, j)
        # Several duels at once may keep a tie.
        divergence = self.tally.divergence.item(i, j)
        cost = self._prices.item(i, j) / divergence if divergence else 0.0
        self._costs[i, j] = self._costs[j, i] = cost
        return gained, None if self._flipped else cost - before

    @property
    def tournament(self) -> Tournament:
        """Who beats whom by the current estimates."""
        if self._tournament is None or self._flipped:
            self._tournament = self._new_tournament(self._tournament)
            self._flipped.clear()
        return self._tournament

    @property
    def costs(self) -> FloatArray:
        """What a unit of evidence of each pair costs: r/d, 0 where an estimate is ½; (K, K)."""
        _ = self.tournament
        return self._costs

    def _new_tournament(self, before: Tournament | None) -> Tournament:
        """The tournament by the current estimates; prices and costs follow it."""
        beaten = self.tally.beaten
        arms = np.array(sorted(self._flipped))
        few = before is not None and len(arms) <= self.tally.arms // _FEWER
        if before is not None and few:
            losses = before.losses.copy()
            losses[arms] = beaten[arms].sum(axis=1)
        else:
            losses = beaten.sum(axis=1, dtype=np.int64)
        first, second = np.partition(losses, 1)[:2].tolist()
        winners: list[int] = np.flatnonzero(losses == first).tolist()
        if before is not None and few and before.first == first:
            if self._given is None:
                self._prices[arms] = copeland_regret(losses, arms)
                self._prices[:, arms] = self._prices[arms].T
            self._costs[arms] = unit_costs(self._prices[arms], self.tally.divergence[arms])
            self._costs[:, arms] = self._costs[arms].T
        else:
            self._prices = copeland_regret(losses) if self._given is None else self._given
            self._costs = unit_costs(self._prices, self.tally.divergence)
        version = 1 if before is None else before.version + 1
        return Tournament(version, beaten, losses, first, second, winners)
