r"""Duels that are asked for and not answered yet, counted as if they were made.

A learner that tracks chooses the duels of a batch one after another. The :math:`n_{ij}` duels of a
pair that are chosen already count as made with the share of wins that the pair has: its evidence
is :math:`\hat d_{ij} (N_{ij} + n_{ij})`, so that the next choice falls on another pair as soon as
that is further behind.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.problems.queries import Duel
from cpe_opt.ties import first_largest, first_smallest


class PendingDuels:
    """The duels of one batch, as they are chosen.

    Parameters
    ----------
    tally : DuelTally
        Of the duels that were made; it does not change while the batch is chosen.

    Attributes
    ----------
    draws, evidence : float arrays, shape (K, K)
        Those of the tally and of the batch together.
    duels, choices : int
        How many duels the batch has, and of how many choices.
    """

    def __init__(self, tally: DuelTally) -> None:
        self.draws, self.evidence = tally.draws, tally.evidence
        self._tally = tally
        self._times: dict[tuple[int, int], int] = {}
        self.duels = self.choices = 0

    def add(self, i: int, j: int, times: int) -> None:
        """Choose so many duels of a pair."""
        if not self._times:
            self.draws, self.evidence = self.draws.copy(), self.evidence.copy()
        pair = (j, i) if (j, i) in self._times else (i, j)
        self._times[pair] = self._times.get(pair, 0) + times
        self.duels += times
        self.choices += 1
        draws = self.draws.item(i, j) + times
        self.draws[i, j] = self.draws[j, i] = draws
        self.evidence[i, j] = self.evidence[j, i] = draws * self._tally.divergence.item(i, j)

    def queries(self) -> list[Duel]:
        """One query a pair, in the order in which they were chosen first."""
        return [Duel(i, j, times) for (i, j), times in self._times.items()]

    def furthest_behind(
        self, pairs: list[tuple[int, int]], x: FloatArray, costs: Callable[[], FloatArray]
    ) -> tuple[int, int]:
        """The pair with the largest share x for its evidence; the cheapest where none has a share.

        Pairs without evidence, whose estimate is ½, come last.
        """
        first, second = np.array(pairs).T
        shares, known = x[first, second], self.evidence[first, second]
        if not (shares > 0.0).any():
            shares = _ratios(np.ones_like(known), costs()[first, second])
        return pairs[int(first_largest(_ratios(shares, known)))]

    def doubtful(self, arms: IntArray) -> tuple[int, int] | None:
        """Of the pairs of these arms that with the smallest index, unless all are known well."""
        index = self.evidence[arms] + np.log(np.maximum(self.draws[arms], 1.0))
        index[np.arange(len(arms)), arms] = math.inf
        place, other = divmod(first_smallest(index.ravel()), self._tally.arms)
        arm = int(arms[place])
        known_well = index[place, other] >= math.log(self.draws.sum() / 2)
        return None if known_well else (arm, other)


def _ratios(above: FloatArray, below: FloatArray) -> FloatArray:
    """Elementwise quotients; 0 where there is nothing to divide by."""
    quotients: FloatArray = np.divide(above, below, out=np.zeros_like(below), where=below > 0.0)
    return quotients
