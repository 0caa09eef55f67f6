r"""Confidence intervals of duels: which rule out ½, and which reach highest against an arm.

With :math:`N_{ij}` duels, of which i won the share :math:`\hat p_{ij}`, the interval of (i, j) at
round t is :math:`\hat p_{ij} \pm \sqrt{\alpha \ln t / N_{ij}}`. It rules out ½ while
:math:`\ln t < z_{ij} = N_{ij} (\hat p_{ij} - \frac12)^2 / \alpha`: one of the two arms has beaten
the other. A duel moves one :math:`z_{ij}`. Time alone can only undo what is ruled out, at a moment
known in advance, :math:`t = e^{z_{ij}}`; an idle stretch lasts until the first of them
(:func:`first_reaching`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from cpe_opt.arrays import FloatArray

# Later than any round; _LOG_OF_FOREVER is below its logarithm.
FOREVER = 2**62
_LOG_OF_FOREVER = 42
_NEVER_MET = 2.0  # the bound against an arm that was never met


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
        # Of the bounds against the row's arm, -inf for an arm that is barred; ½ for itself.
        self._share: FloatArray = np.full((arms, arms), _NEVER_MET)
        np.fill_diagonal(self._share, 0.5)
        self._radius: FloatArray = np.zeros((arms, arms))
        self._sign = [[0] * arms for _ in range(arms)]
        # z of the pairs that are decided, else infinite, and a lower bound on the least of them.
        self._until: FloatArray = np.full((arms, arms), math.inf)
        self._first_end = math.inf
        self._log_t = self._width = 0.0
        self.losses = [0] * arms  # how many arms each arm has lost to: intervals wholly below ½
        self.wins = [0] * arms  # how many arms each arm has beaten: intervals wholly above ½
        self.unbeaten = list(range(arms))  # the arms without a loss, ascending
        self.changes = 0  # how often a sign has changed

    def advance(self, t: int) -> None:
        """Move on to round t: intervals widen, and some reach ½ again."""
        log_t = self._log_t = math.log(t)
        self._width = math.sqrt(self._alpha * log_t)
        if self._first_end <= log_t:
            for i, j in np.argwhere(np.triu(self._until <= log_t)).tolist():
                self._set_sign(i, j, 0)
                self._until[i, j] = self._until[j, i] = math.inf
            self._first_end = float(self._until.min())

    def add(self, i: int, j: int, won: int, times: int = 1) -> None:
        """Count duels of two different arms, of which i won ``won``."""
        a = self._won[i][j] = self._won[i][j] + won
        b = self._won[j][i] = self._won[j][i] + times - won
        draws, ahead = a + b, a - b
        self._radius[i, j] = self._radius[j, i] = 1.0 / math.sqrt(draws)
        strength = ahead * ahead / (4.0 * draws * self._alpha)
        sign = 0
        if strength > self._log_t:
            sign = 1 if ahead > 0 else -1
            self._first_end = min(self._first_end, strength)
        if sign or self._sign[i][j]:
            self._until[i, j] = self._until[j, i] = strength if sign else math.inf
        if sign != self._sign[i][j]:
            self._set_sign(i, j, sign)
        else:
            self._set_shares(i, j)

    def sign(self, i: int, j: int) -> int:
        """1 where i has beaten j, -1 where j has beaten i, 0 while the interval holds ½."""
        return self._sign[i][j]

    def beaters(self, i: int) -> list[int]:
        """The arms that have beaten i, ascending."""
        return [arm for arm, sign in enumerate(self._sign[i]) if sign < 0]

    def strongest_against(self, c: int, among: list[int] | None = None) -> int:
        """An arm with the largest upper bound against c, not barred, not c; on a tie at random."""
        bounds: list[float] = (self._share[c] + self._width * self._radius[c]).tolist()
        if among is not None:
            bounds = [bounds[arm] if arm in among else -math.inf for arm in range(self._arms)]
        largest = max(bounds)
        if bounds.count(largest) == 1:
            return bounds.index(largest)
        best = [arm for arm, bound in enumerate(bounds) if bound == largest and arm != c]
        return best[self._uniforms.below(len(best))]

    def valid_until(self) -> int:
        """The first round at which some interval that rules out ½ no longer does."""
        return first_reaching(float(self._until.min()))

    def _set_sign(self, i: int, j: int, sign: int) -> None:
        """Set the sign on a pair: 1 if i has beaten j, -1 the other way, 0 if open."""
        before = self._sign[i][j]
        self.changes += 1
        self._sign[i][j], self._sign[j][i] = sign, -sign
        for side, winner, loser in ((1, i, j), (-1, j, i)):
            change = (sign == side) - (before == side)
            self.wins[winner] += change
            self.losses[loser] += change
        self.unbeaten = [arm for arm in range(self._arms) if not self.losses[arm]]
        self._set_shares(i, j)

    def _set_shares(self, i: int, j: int) -> None:
        """The shares of a pair's bounds, by its duels and its sign."""
        a, b = self._won[i][j], self._won[j][i]
        self._share[j, i], self._share[i, j] = a / (a + b), b / (a + b)
        if self._bar_beaters and (sign := self._sign[i][j]):
            self._share[(j, i) if sign > 0 else (i, j)] = -math.inf


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
