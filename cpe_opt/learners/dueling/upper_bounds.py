r"""The largest of the upper bounds against one arm, from the few that can be the largest.

Let c be an arm, :math:`\hat p_j` the share of the duels against c that j won, and :math:`N_j` how
many there were. The upper bounds :math:`u_j(s) = \hat p_j + s\,N_j^{-1/2}`, of width :math:`s =
\sqrt{\alpha \ln t}`, are lines that rise with s, and s never falls. So let :math:`\bar s` be a
later width, S the arms that have the few largest :math:`u_j(\bar s)`, and :math:`\beta` the largest
:math:`u_j(\bar s)` of the others. As long as :math:`s \le \bar s` and no duel of the others against
c is counted,

.. math:: u_j(s) \le u_j(\bar s) \le \beta \qquad \forall j \notin S ,

in floating-point numbers, too, where products and sums are rounded monotonically. Hence, where some
arm of S has a bound above :math:`\beta`, every maximiser is in S, and only its few lines are
evaluated. An arm whose duels are counted joins S unless its new :math:`u_j(\bar s) \le \beta`.
Where no arm of S is above :math:`\beta`, or :math:`s > \bar s`, all K lines are evaluated, and S is
made anew. The answer is that of all K lines to the last bit.

When it is made, S has an eighth of the arms, at least six, and those that are equal to the last of
them. After few duels many lines are the same; where that makes S three times as large, there is
none until s has grown.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import FloatArray

# The bound against an arm that was never met is 2.
_NEVER_MET = (2.0, 0.0)
# How much wider than now the intervals are that S is made for.
_WIDER = 1.0 + 2.0**-9


class UpperBounds:
    """Upper bounds of K arms against one of them.

    Parameters
    ----------
    arms : int
        K.
    against : int
        The arm c. Its own bound is ½.
    """

    __slots__ = (
        "_barred",
        "_ceiling",
        "_changed",
        "_contenders",
        "_lines",
        "_radius",
        "_share",
        "_size",
        "_valid_width",
    )

    def __init__(self, arms: int, against: int) -> None:
        self._size = min(arms, max(6, arms // 8))
        self._lines = [_NEVER_MET] * arms
        self._lines[against] = (0.5, 0.0)
        self._barred: set[int] = set()
        # The lines as arrays, but for those that have changed; the share of a barred arm is -inf.
        self._share: FloatArray = np.full(arms, _NEVER_MET[0])
        self._share[against] = 0.5
        self._radius: FloatArray = np.zeros(arms)
        self._changed: set[int] = set()
        # S with its lines, beta and the width up to which they hold.
        self._contenders: dict[int, tuple[float, float]] = {}
        self._ceiling = math.inf
        self._valid_width = -1.0

    def change(self, arm: int, share: float, radius: float) -> None:
        """Another share of duels that an arm won against c, and another :math:`N^{-1/2}`."""
        line = self._lines[arm] = (share, radius)
        self._changed.add(arm)
        if arm in self._contenders or (
            share + self._valid_width * radius > self._ceiling and arm not in self._barred
        ):
            self._contenders[arm] = line

    def bar(self, arm: int) -> None:
        """Leave an arm out of the maximum."""
        self._barred.add(arm)
        self._changed.add(arm)
        self._valid_width = -1.0

    def admit(self, arm: int) -> None:
        """Leave an arm out no more."""
        self._barred.discard(arm)
        self._changed.add(arm)
        self._valid_width = -1.0

    def leader(self, width: float) -> int | None:
        """The arm with the largest bound, or None where this is not quickly told."""
        leader = None
        if width <= self._valid_width:
            largest = self._ceiling
            for arm, (share, radius) in self._contenders.items():
                upper = share + width * radius
                if upper > largest:
                    largest, leader = upper, arm
                elif upper == largest:
                    leader = None
        return leader

    def maximisers(self, width: float) -> list[int]:
        """All arms with the largest bound, ascending."""
        if width <= self._valid_width and self._contenders:
            best = self.maximisers_among(sorted(self._contenders), width)
            share, radius = self._lines[best[0]]
            if share + width * radius > self._ceiling:
                return best
        for arm in self._changed:
            share, self._radius[arm] = self._lines[arm]
            self._share[arm] = -math.inf if arm in self._barred else share
        self._changed.clear()
        upper = self._share + width * self._radius
        if width > self._valid_width or self._contenders:
            self._choose_contenders(width * _WIDER)
        return np.flatnonzero(upper == upper.max()).tolist()

    def maximisers_among(self, arms: list[int], width: float) -> list[int]:
        """Those of some arms that have the largest bound of these, in their order."""
        lines = [self._lines[arm] for arm in arms]
        bounds = [share + width * radius for share, radius in lines]
        largest = max(bounds)
        return [arm for arm, bound in zip(arms, bounds, strict=True) if bound == largest]

    def _choose_contenders(self, width: float) -> None:
        """Choose S for bounds up to a width; no arm, below infinity, where it is too large."""
        upper = self._share + width * self._radius
        ascending = np.sort(upper)
        least = ascending[-self._size]
        others = int(ascending.searchsorted(least))
        self._valid_width = width
        if len(upper) - others > 3 * self._size:
            self._contenders, self._ceiling = {}, math.inf
            return
        arms = [arm for arm in np.flatnonzero(upper >= least).tolist() if arm not in self._barred]
        self._contenders = {arm: self._lines[arm] for arm in arms}
        self._ceiling = float(ascending[others - 1]) if others else -math.inf
