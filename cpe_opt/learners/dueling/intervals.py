r"""Confidence intervals of duels: which rule out ½, and which reach highest against an arm.

With :math:`N_{ij}` duels, of which i won the share :math:`\hat p_{ij}`, the interval of (i, j) at
round t is :math:`\hat p_{ij} \pm \sqrt{\alpha \ln t / N_{ij}}`. It rules out ½ while
:math:`\ln t < z_{ij} = N_{ij} (\hat p_{ij} - \frac12)^2 / \alpha`: one of the two arms has beaten
the other. A duel moves one :math:`z_{ij}`. Time alone can only undo what is ruled out, at a moment
known in advance, :math:`t = e^{z_{ij}}`.

A heap lists for each pair that is ruled out a moment at or before this one; an entry that is early
is put right when it is the next. So a duel makes an entry only where the moment comes forward, and
a round costs what has changed in it.

The arm whose interval reaches highest against another: :class:`UpperBounds`. The round at which
:math:`\ln t` passes a threshold, where an idle stretch ends: :func:`first_above`,
:func:`first_reaching`.
"""

from __future__ import annotations

import heapq
import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from cpe_opt.arrays import FloatArray

# Later than any round; _LOG_OF_FOREVER is below its logarithm.
FOREVER = 2**62
_LOG_OF_FOREVER = 42
# The bound against an arm that was never met is 2.
_NEVER_MET = (2.0, 0.0)
# With no more arms all bounds are found faster one by one than as an array.
_MANY = 48
# How much wider than now the intervals are that S is made for.
_WIDER = 1.0 + 2.0**-9


class DuelIntervals:
    """Intervals of every pair of K arms at the current round.

    ``uniforms`` break ties; with ``bar_beaters``, :meth:`strongest_against` leaves out the arms
    that have beaten c.
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
        self.losses = [0] * arms  # how many arms each arm has lost to: intervals wholly below ½
        self.wins = [0] * arms  # how many arms each arm has beaten: intervals wholly above ½
        self.unbeaten = list(range(arms))  # the arms without a loss, ascending
        self.changes = 0  # how often a sign has changed

    def advance(self, t: int) -> None:
        """Move on to round t: intervals widen, and some reach ½ again."""
        log_t = self._log_t = math.log(t)
        self._width = math.sqrt(self._alpha * log_t)
        while self._moments and self._moments[0][0] <= log_t:
            following = self._next_moment()
            if following is None or following[0] > log_t:
                return
            _, i, j = following
            self._set_sign(i, j, 0)

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
            self._set_sign(i, j, sign)

    def sign(self, i: int, j: int) -> int:
        """1 where i has beaten j, -1 where j has beaten i, 0 while the interval holds ½."""
        return self._sign[i][j]

    def beaters(self, i: int) -> list[int]:
        """The arms that have beaten i, ascending."""
        return [arm for arm, sign in enumerate(self._sign[i]) if sign < 0]

    def strongest_against(self, c: int, among: list[int] | None = None) -> int:
        """An arm with the largest upper bound against c, not barred, not c; on a tie at random."""
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

    def _set_sign(self, i: int, j: int, sign: int) -> None:
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


class UpperBounds:
    r"""The largest of the upper bounds against one of K arms, from the few that can be it.

    Let c be this arm, :math:`\hat p_j` the share of the duels against c that j won, and
    :math:`N_j` how many there were. The upper bounds :math:`u_j(s) = \hat p_j + s\,N_j^{-1/2}`,
    of width :math:`s = \sqrt{\alpha \ln t}`, are lines that rise with s, and s never falls. So
    let :math:`\bar s` be a later width, S the arms that have the few largest
    :math:`u_j(\bar s)`, and :math:`\beta` the largest :math:`u_j(\bar s)` of the others. As long
    as :math:`s \le \bar s` and no duel of the others against c is counted,

    .. math:: u_j(s) \le u_j(\bar s) \le \beta \qquad \forall j \notin S ,

    in floating-point numbers, too, where products and sums are rounded monotonically. Hence, where
    some arm of S has a bound above :math:`\beta`, every maximiser is in S, and only its few lines
    are evaluated. An arm whose duels are counted joins S unless its new :math:`u_j(\bar s) \le
    \beta`. Where no arm of S is above :math:`\beta`, or :math:`s > \bar s`, all K lines are
    evaluated, and S is made anew. The answer is that of all K lines to the last bit.

    When it is made, S has an eighth of the arms, at least six, and those that are equal to the last
    of them. After few duels many lines are the same; where that makes S three times as large, there
    is none until s has grown. The bound of c itself is ½.
    """

    __slots__ = (
        "_barred",
        "_ceiling",
        "_changed",
        "_contenders",
        "_lines",
        "_many",
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
        # Of many arms the lines as arrays, except those that have changed; the share of a barred
        # arm is -inf.
        self._many = arms > _MANY
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
        if self._many:
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
        """The arm with the largest bound, or None if this is not quickly told."""
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
        if width > self._valid_width or self._contenders:
            self._choose_contenders(width * _WIDER)
        bounds = self._all_bounds(width)
        largest = max(bounds)
        return [arm for arm, bound in enumerate(bounds) if bound == largest]

    def maximisers_among(self, arms: list[int], width: float) -> list[int]:
        """Those of some arms that have the largest bound of these, in their order."""
        lines = [self._lines[arm] for arm in arms]
        bounds = [share + width * radius for share, radius in lines]
        largest = max(bounds)
        return [arm for arm, bound in zip(arms, bounds, strict=True) if bound == largest]

    def _all_bounds(self, width: float) -> list[float]:
        """The bounds of all arms; -inf for those that are barred."""
        if not self._many:
            bounds = [share + width * radius for share, radius in self._lines]
            for arm in self._barred:
                bounds[arm] = -math.inf
            return bounds
        for arm in self._changed:
            share, self._radius[arm] = self._lines[arm]
            self._share[arm] = -math.inf if arm in self._barred else share
        self._changed.clear()
        upper: list[float] = (self._share + width * self._radius).tolist()
        return upper

    def _choose_contenders(self, width: float) -> None:
        """Choose S for bounds up to a width; no arm, below infinity, where it is too large."""
        bounds = self._all_bounds(width)
        ascending = sorted(bounds)
        least = ascending[-self._size]
        others = bisect_left(ascending, least)
        self._valid_width = width
        if len(bounds) - others > 3 * self._size:
            self._contenders, self._ceiling = {}, math.inf
            return
        self._contenders = {
            arm: self._lines[arm]
            for arm, bound in enumerate(bounds)
            if bound >= least and arm not in self._barred
        }
        self._ceiling = ascending[others - 1] if others else -math.inf


def first_above(increasing: Callable[[int], float], threshold: float, log_guess: float) -> int:
    """The first integer s with ``increasing(s) > threshold``, at most FOREVER.

    ``exp(log_guess)`` is near it.
    """
    if log_guess > _LOG_OF_FOREVER:
        return FOREVER
    s = max(1, int(math.exp(log_guess)) - 1)
    while increasing(s) <= threshold:
        s += 1
    while s > 1 and increasing(s - 1) > threshold:
        s -= 1
    return s


def first_reaching(threshold: float) -> int:
    """The first round s with ``ln s >= threshold``, at most FOREVER."""
    s = first_above(math.log, threshold, threshold)
    return s - 1 if s > 1 and math.log(s - 1) == threshold else s


# Uniform random numbers for learners that draw in most rounds.


T = TypeVar("T")

_BLOCK = 1024


class Uniforms:
    """The stream of ``rng.random()``, in blocks: a number at a time costs eight times more."""

    __slots__ = ("_block", "_rng")

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._block: list[float] = []

    def next(self) -> float:
        """The next number, in [0, 1)."""
        return self._block.pop() if self._block else self._refill()

    def below(self, count: int) -> int:
        """A whole number from 0 to count - 1, as n (1 - 2^-53) is rounded below n."""
        return int(count * (self._block.pop() if self._block else self._refill()))

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Some of the items, every choice of so many alike, from a number for each."""
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in range(count)]

    def _refill(self) -> float:
        self._block = self._rng.random(_BLOCK)[::-1].tolist()
        return self._block.pop()
