"""Who beats whom by the estimates: losses, empirical Copeland winners, costs of evidence.

It is shared by all empirical winners. A duel that leaves every sign as it was moves one cost; only
where an estimate reaches or crosses ½ are losses, winners and regrets found again, and not before
somebody asks: of many such duels in a row, as forced exploration makes them, the last one pays.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.winners import unit_costs
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.modelling.program import BoolArray
from cpe_opt.problems.dueling.scores import copeland_regret


class Tournament:
    """The relation "beats" of K arms by the estimates of a tally.

    Attributes
    ----------
    tally : DuelTally
    beaten : bool array, shape (K, K)
        Whether the row's arm loses to the column's by the estimates, below ½.
    losses : int array, shape (K,)
        L_i, how many arms beat each arm.
    first, second : int
        The least number of losses, and the least of the other arms.
    winners : list of int
        The arms with the fewest losses, ascending: the empirical Copeland winners.
    costs : float array, shape (K, K)
        r/d, the regret of a unit of evidence; 0 where an estimate is ½.
    pattern : int
        How often the relation was found again: what was kept for another number is void.
    """

    def __init__(self, tally: DuelTally) -> None:
        arms = tally.arms
        self.tally = tally
        self.beaten: BoolArray = np.zeros((arms, arms), dtype=np.bool_)
        self.losses: IntArray = np.zeros(arms, dtype=np.int64)
        self.pattern = 0
        self._stale = True

    def count(self, i: int, j: int, won: int) -> tuple[bool, float, float]:
        """Count a duel of two different arms, of which i won ``won``.

        Returns
        -------
        voided : bool
            Whether the relation has to be found again.
        gained, change : float
            By how much the evidence and, unless voided, the cost of the pair have grown.
        """
        flipped, gained = self.tally.add(i, j, won)
        if flipped:
            self._flip(i, j)
        if self._stale:
            return True, gained, 0.0
        # A sign that stays is not that of a tie, but by a tie that stays: no duel keeps it.
        before = self.costs.item(i, j)
        cost = self._regret.item(i, j) / self.tally.divergence.item(i, j)
        self.costs[i, j] = self.costs[j, i] = cost
        return False, gained, cost - before

    def settle(self) -> None:
        """Find losses, winners, regrets and costs again where a sign has changed."""
        if not self._stale:
            return
        self._stale = False
        self.pattern += 1
        self.first, self.second = np.partition(self.losses, 1)[:2].tolist()
        self.winners: list[int] = np.flatnonzero(self.losses == self.first).tolist()
        self._regret: FloatArray = copeland_regret(self.losses)
        self.costs: FloatArray = unit_costs(self._regret, self.tally.divergence)

    def _flip(self, i: int, j: int) -> None:
        self._stale = True
        for arm, other in ((i, j), (j, i)):
            loses = self.tally.leads(other, arm)
            self.losses[arm] += int(loses) - int(self.beaten[arm, other])
            self.beaten[arm, other] = loses
