"""Who beats whom by the estimates: losses, empirical Copeland winners, costs of evidence.

It is shared by all empirical winners. A duel that leaves every sign as it was moves one cost; only
where an estimate reaches or crosses ½ are losses, winners and regrets found again, and not before
somebody asks: of many such duels in a row, as forced exploration makes them, the last one pays.
Learners that identify a winner have prices of duels, which stay, in place of regrets.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.dueling.best_winner import unit_costs
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.problems.dueling.scores import copeland_regret


class Tournament:
    """The relation "beats" of K arms by the estimates of a tally.

    Parameters
    ----------
    tally : DuelTally
    prices : float array, shape (K, K), optional
        What a duel of each pair costs; by default the regret at the losses of now.

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
        What a unit of evidence costs, r/d with the regret, 0 where an estimate is ½.
    pattern : int
        How often the relation was found again: what was kept for another number is void.
    """

    def __init__(self, tally: DuelTally, prices: FloatArray | None = None) -> None:
        self.tally = tally
        self._given = prices
        self.beaten: BoolArray = tally.estimate < 0.5
        self.losses: IntArray = self.beaten.sum(axis=1, dtype=np.int64)
        self.pattern = 0
        self._stale = True

    def count(self, i: int, j: int, won: int, times: int = 1) -> tuple[bool, float, float]:
        """Count duels of two different arms, of which i won ``won``.

        Returns
        -------
        voided : bool
            Whether the relation has to be found again.
        gained, change : float
            By how much the evidence and, unless voided, the cost of the pair have grown.
        """
        flipped, gained = self.tally.add(i, j, won, times)
        if flipped:
            self._flip(i, j)
        if self._stale:
            return True, gained, 0.0
        # A sign that stays is not that of a tie, but by a tie that stays: no duel keeps it.
        before = self.costs.item(i, j)
        cost = self._prices.item(i, j) / self.tally.divergence.item(i, j)
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
        given = self._given
        self._prices: FloatArray = copeland_regret(self.losses) if given is None else given
        self.costs: FloatArray = unit_costs(self._prices, self.tally.divergence)

    def _flip(self, i: int, j: int) -> None:
        self._stale = True
        for arm, other in ((i, j), (j, i)):
            loses = self.tally.leads(other, arm)
            self.losses[arm] += int(loses) - int(self.beaten[arm, other])
            self.beaten[arm, other] = loses
