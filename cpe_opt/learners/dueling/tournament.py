"""Who beats whom by the estimates, and what evidence costs: what all empirical winners share.

A duel that leaves every sign as it was changes one cost. Where an estimate reaches or crosses ½,
losses, winners and regrets are found again, when somebody next asks for them: of many such duels in
a row, as forced exploration makes them, only the last one costs that time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.dueling.best_winner import unit_costs
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.problems.dueling.scores import copeland_regret


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

    The tally is changed by :meth:`count` alone. Learners that identify a winner give the price of a
    duel of each pair, shape (K, K); for others it is the regret at the losses of the tournament.
    """

    def __init__(self, tally: DuelTally, prices: FloatArray | None = None) -> None:
        self.tally = tally
        self._given = prices
        self._version = 0
        self._tournament: Tournament | None = None

    def count(self, i: int, j: int, won: int, times: int = 1) -> tuple[float, float | None]:
        """Count duels of two different arms, of which i won ``won``.

        Returns by how much the evidence of the pair has grown, and its cost; None for the cost
        where the tournament, and with it any cost, may have changed.
        """
        flipped, gained = self.tally.add(i, j, won, times)
        if flipped:
            self._tournament = None
        if self._tournament is None:
            return gained, None
        before = self._costs.item(i, j)
        # Several duels at once may keep a tie.
        divergence = self.tally.divergence.item(i, j)
        cost = self._prices.item(i, j) / divergence if divergence else 0.0
        self._costs[i, j] = self._costs[j, i] = cost
        return gained, cost - before

    @property
    def tournament(self) -> Tournament:
        """Who beats whom by the current estimates."""
        if self._tournament is None:
            self._tournament = self._new_tournament()
        return self._tournament

    @property
    def costs(self) -> FloatArray:
        """What a unit of evidence of each pair costs: r/d, 0 where an estimate is ½; (K, K)."""
        if self._tournament is None:
            self._tournament = self._new_tournament()
        return self._costs

    def _new_tournament(self) -> Tournament:
        beaten = self.tally.beaten
        losses: IntArray = beaten.sum(axis=1, dtype=np.int64)
        first, second = np.partition(losses, 1)[:2].tolist()
        winners: list[int] = np.flatnonzero(losses == first).tolist()
        self._prices = copeland_regret(losses) if self._given is None else self._given
        self._costs = unit_costs(self._prices, self.tally.divergence)
        self._version += 1
        return Tournament(self._version, beaten, losses, first, second, winners)
