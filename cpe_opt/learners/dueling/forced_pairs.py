r"""Step 1 of Algorithm 1: the pairs that are drawn whatever the optimal exploration says.

At round t a pair is due with :math:`N_{ij} < \alpha \sqrt{\ln t}`, or with
:math:`|\hat\mu_{ij} - \frac12| \le \beta / \ln\ln t` once :math:`\ln\ln t > 0`. Both are known
without a look at every pair: draws only grow, so until :math:`\alpha\sqrt{\ln t}` passes what was
the least number of them no pair falls short; the second bound only falls, so no pair comes near ½
but by being drawn.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.learners.dueling.crossing_times import first_above
from cpe_opt.learners.dueling.duel_counts import DuelTally


class ForcedPairs:
    """The pairs due at a round, as codes ``i * K + j``, i < j.

    Parameters
    ----------
    tally : DuelTally
    alpha, beta : float
    """

    def __init__(self, tally: DuelTally, alpha: float, beta: float) -> None:
        self._tally, self._alpha, self._beta = tally, alpha, beta
        self._upper = np.flatnonzero(np.triu(np.ones((tally.arms, tally.arms)), 1))
        self._near = set(self._upper.tolist())  # all that may be near one half
        self._short_from = 1  # the first round at which a pair may have too few draws

    def drawn(self, code: int) -> None:
        """Take note that a pair was drawn."""
        self._near.add(code)

    def due(self, t: int) -> list[int]:
        """The codes of the pairs due at round t, ascending; rounds may not go back."""
        log_t = math.log(t)
        due: set[int] = set()
        if log_t > 1.0:
            limit, estimate = self._beta / math.log(log_t), self._tally.estimate.item
            self._near = due = {code for code in self._near if abs(estimate(code) - 0.5) <= limit}
        if t < self._short_from:
            return sorted(due)
        least = self._alpha * math.sqrt(log_t)
        short = self._upper[self._tally.draws.ravel()[self._upper] < least]
        if not len(short):
            fewest = self.fewest()
            self._short_from = first_above(self._needed, fewest, (fewest / self._alpha) ** 2)
        return sorted(due.union(short.tolist()))

    def fewest(self) -> float:
        """The least number of draws of a pair."""
        return float(self._tally.draws.ravel()[self._upper].min())

    def _needed(self, t: int) -> float:
        return self._alpha * math.sqrt(math.log(t))
