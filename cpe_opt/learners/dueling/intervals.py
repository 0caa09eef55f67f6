r"""Confidence intervals of duels around their estimates, and which of them rule out ½.

With :math:`N_{ij}` duels, of which i won the share :math:`\hat p_{ij}`, the interval of (i, j) at
round t is :math:`\hat p_{ij} \pm \sqrt{\alpha \ln t / N_{ij}}`. It rules out ½ while
:math:`\ln t < z_{ij} = N_{ij} (\hat p_{ij} - \frac12)^2 / \alpha`: one of the two arms has beaten
the other. A duel moves one :math:`z_{ij}`. Time alone can only undo what is ruled out, at a moment
known in advance, :math:`t = e^{z_{ij}}`.

A heap lists for each pair that is ruled out a moment at or before this one; an entry that is early
is put right when it is the next. So a duel makes an entry only where the moment comes forward, and
a round costs what has changed in it. The largest upper bounds are for
:mod:`cpe_opt.learners.dueling.upper_bounds`.
"""

from __future__ import annotations

import heapq
import math

from cpe_opt.learners.dueling.crossing_times import FOREVER, first_reaching
from cpe_opt.learners.dueling.upper_bounds import UpperBounds
from cpe_opt.learners.uniforms import Uniforms


class DuelIntervals:
    """Intervals of every pair of K arms at the current round.

    Parameters
    ----------
    arms : int
        K.
    alpha : float
        Width of the intervals, positive.
    uniforms : Uniforms
        For ties.
    bar_beaters : bool
        Whether :meth:`strongest_against` leaves out the arms that have beaten c.

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

    def __init__(
        self, arms: int, alpha: float, uniforms: Uniforms, *, bar_beaters: bool = False
    ) -> None:
        self._arms, self._alpha, self._uniforms = arms, alpha, uniforms
        self._bar_beaters = bar_beaters
        self._won = [[0] * arms for _ in range(arms)]
        self._upper = [UpperBounds(arms, arm) for arm in range(arms)]
        self._sign = [[0] * arms for _ in range(arms)]
        # The moment at which a pair is listed in the heap.
        self._listed = [[math.inf] * arms for _ in range(arms)]
        self._moments: list[tuple[float, int, int]] = []
        self._log_t = self._width = 0.0
        self.losses = [0] * arms
        self.wins = [0] * arms
        self.unbeaten = list(range(arms))
        self.changes = 0

    def advance(self, t: int) -> None:
        """Move on to round t: intervals widen, and some reach ½ again."""
        log_t = self._log_t = math.log(t)
        self._width = math.sqrt(self._alpha * log_t)
        while self._moments and self._moments[0][0] <= log_t:
            following = self._next_moment()
            if following is None or following[0] > log_t:
                return
            _, i, j = following
            self._settle(i, j, 0)

    def add(self, i: int, j: int, won: int, times: int = 1) -> None:
        """Count duels of two different arms, of which i won ``won``."""
        wins_of_i, wins_of_j = self._won[i], self._won[j]
        a = wins_of_i[j] = wins_of_i[j] + won
        b = wins_of_j[i] = wins_of_j[i] + times - won
        draws = a + b
        radius = 1.0 / math.sqrt(draws)
        self._upper[i].change(j, b / draws, radius)
        self._upper[j].change(i, a / draws, radius)
        ahead = a - b
        strength = ahead * ahead / (4.0 * draws * self._alpha)
        sign = 0
        if strength > self._log_t:
            sign = 1 if ahead > 0 else -1
            if strength < self._listed[i][j]:
                self._list(strength, i, j)
        if sign != self._sign[i][j]:
            self._settle(i, j, sign)

    def sign(self, i: int, j: int) -> int:
        """1 where i has beaten j, -1 where j has beaten i, 0 while the interval holds ½."""
        return self._sign[i][j]

    def beaters(self, i: int) -> list[int]:
        """The arms that have beaten i, ascending."""
        return [arm for arm, sign in enumerate(self._sign[i]) if sign < 0]

    def strongest_against(self, c: int, among: list[int] | None = None) -> int:
        """An arm with the largest upper bound against c; on a tie at random, and not c itself.

        All arms are eligible that are not barred, or those ``among`` a list, ascending.
        """
        upper = self._upper[c]
        if among is None:
            leader = upper.leader(self._width)
            if leader is not None:
                return leader
            best = upper.maximisers(self._width)
        else:
            best = upper.maximisers_among(among, self._width)
        if len(best) == 1:
            return best[0]
        others = [arm for arm in best if arm != c]
        return others[self._uniforms.below(len(others))]

    def valid_until(self) -> int:
        """The first round at which some interval that rules out ½ no longer does."""
        following = self._next_moment()
        # The sign stands while ln t < moment.
        return FOREVER if following is None else first_reaching(following[0])

    def fewest_losses(self) -> int:
        """The first arm with the fewest losses."""
        return min(range(self._arms), key=self.losses.__getitem__)

    def _next_moment(self) -> tuple[float, int, int] | None:
        """When time next undoes a sign, and on which pair."""
        moments = self._moments
        while moments:
            moment, i, j = moments[0]
            if moment == self._listed[i][j]:
                strength = self._strength(i, j)
                if self._sign[i][j] and strength == moment:
                    return moments[0]
                self._listed[i][j] = self._listed[j][i] = math.inf
                if self._sign[i][j]:
                    self._list(strength, i, j)
            heapq.heappop(moments)
        return None

    def _strength(self, i: int, j: int) -> float:
        """Z of a pair: up to which ln t its interval rules out ½."""
        a, b = self._won[i][j], self._won[j][i]
        return (a - b) * (a - b) / (4.0 * (a + b) * self._alpha)

    def _list(self, moment: float, i: int, j: int) -> None:
        self._listed[i][j] = self._listed[j][i] = moment
        heapq.heappush(self._moments, (moment, i, j))

    def _settle(self, i: int, j: int, sign: int) -> None:
        """Set the sign on a pair: 1 if i has beaten j, -1 the other way, 0 if open."""
        before = self._sign[i][j]
        self.changes += 1
        self._sign[i][j], self._sign[j][i] = sign, -sign
        for side, winner, loser in ((1, i, j), (-1, j, i)):
            change = (sign == side) - (before == side)
            self.wins[winner] += change
            self.losses[loser] += change
            if self._bar_beaters and change:
                upper = self._upper[loser]
                (upper.bar if change > 0 else upper.admit)(winner)
        self.unbeaten = [arm for arm in range(self._arms) if not self.losses[arm]]
