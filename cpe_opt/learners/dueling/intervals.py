r"""Confidence intervals of duels around their estimates, and which of them rule out ½.

An interval :math:`\hat p_{ij} \pm \sqrt{\alpha \ln t / N_{ij}}` rules out ½ while
:math:`\ln t < z_{ij} = N_{ij} (\hat p_{ij} - \frac12)^2 / \alpha`. Time alone can only undo that,
at a moment known in advance: :math:`t = e^{z_{ij}}`. A heap of these moments makes a round cost
what has changed in it.
"""

from __future__ import annotations

import heapq
import math

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.learners.dueling.crossing_times import FOREVER, first_reaching

_NEVER_MET = 2.0


class DuelIntervals:
    """Intervals of every pair of K arms at the current round.

    Attributes
    ----------
    losses : list of int
        How many arms each arm has lost to: intervals wholly below ½.
    wins : list of int
        How many arms each arm has beaten: intervals wholly above ½.
    unbeaten : list of int
        The arms without a loss, ascending.
    changes : int
        How often a sign has changed.
    """

    def __init__(self, arms: int, alpha: float) -> None:
        self._arms, self._alpha = arms, alpha
        self._won = [[0] * arms for _ in range(arms)]
        # Row c holds, for every j, the estimate that j beats c and 1/sqrt(N).
        self._against: FloatArray = np.full((arms, arms), _NEVER_MET)
        np.fill_diagonal(self._against, 0.5)
        self._radius: FloatArray = np.zeros((arms, arms))
        self._sign = [[0] * arms for _ in range(arms)]
        self._strength = [[0.0] * arms for _ in range(arms)]
        self._moments: list[tuple[float, int, int]] = []
        self._log_t = 0.0
        self.losses = [0] * arms
        self.wins = [0] * arms
        self.unbeaten = list(range(arms))
        self.changes = 0

    def advance(self, t: int) -> None:
        """Move on to round t: intervals widen, and some reach ½ again."""
        self._log_t = math.log(t)
        while self._moments and self._moments[0][0] <= self._log_t:
            moment, i, j = heapq.heappop(self._moments)
            if self._sign[i][j] and self._strength[i][j] == moment:
                self._settle(i, j, 0)

    def add(self, i: int, j: int, won: int, times: int = 1) -> None:
        """Count duels of two different arms, of which i won ``won``."""
        i, j, won = (i, j, won) if i < j else (j, i, times - won)
        self._won[i][j] += won
        self._won[j][i] += times - won
        ahead = self._won[i][j] - self._won[j][i]
        draws = self._won[i][j] + self._won[j][i]
        self._against[j, i] = self._won[i][j] / draws
        self._against[i, j] = self._won[j][i] / draws
        self._radius[i, j] = self._radius[j, i] = 1.0 / math.sqrt(draws)
        strength = ahead * ahead / (4.0 * draws * self._alpha)
        self._strength[i][j] = strength
        resolved = strength > self._log_t
        self._settle(i, j, (1 if ahead > 0 else -1) if resolved else 0)
        if resolved:
            heapq.heappush(self._moments, (strength, i, j))

    def sign(self, i: int, j: int) -> int:
        """1 where i has beaten j, -1 where j has beaten i, 0 while the interval holds ½."""
        return self._sign[i][j]

    def beaters(self, i: int) -> list[int]:
        """The arms that have beaten i, ascending."""
        return [arm for arm, sign in enumerate(self._sign[i]) if sign < 0]

    def strongest_against(
        self, c: int, rng: np.random.Generator, among: list[int] | None = None
    ) -> int:
        """An arm with the largest upper bound against c; on a tie at random, and not c itself.

        All arms are eligible, or those ``among`` a list.
        """
        upper = self._against[c] + math.sqrt(self._alpha * self._log_t) * self._radius[c]
        if among is not None:
            kept = np.full(self._arms, -math.inf)
            kept[among] = upper[among]
            upper = kept
        best = np.flatnonzero(upper == upper.max()).tolist()
        if len(best) > 1:
            best = [arm for arm in best if arm != c]
        return int(best[0] if len(best) == 1 else best[int(rng.integers(len(best)))])

    def valid_until(self) -> int:
        """The first round at which some interval that rules out ½ no longer does."""
        while self._moments:
            moment, i, j = self._moments[0]
            if self._sign[i][j] and self._strength[i][j] == moment:
                # The sign stands while ln t < moment.
                return first_reaching(moment)
            heapq.heappop(self._moments)
        return FOREVER

    def fewest_losses(self) -> int:
        """The first arm with the fewest losses."""
        return min(range(self._arms), key=self.losses.__getitem__)

    def _settle(self, i: int, j: int, sign: int) -> None:
        """Set the sign on a pair: 1 if i has beaten j, -1 the other way, 0 if open."""
        before = self._sign[i][j]
        if before == sign:
            return
        self.changes += 1
        self._sign[i][j], self._sign[j][i] = sign, -sign
        for side, winner, loser in ((1, i, j), (-1, j, i)):
            change = (sign == side) - (before == side)
            self.wins[winner] += change
            self.losses[loser] += change
        self.unbeaten = [arm for arm in range(self._arms) if not self.losses[arm]]
