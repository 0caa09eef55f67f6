r"""The pairs that an optimal exploration wants drawn now, kept as time, evidence and optimum move.

A pair is wanted while :math:`x^*_{ij} \ln t > \hat d_{ij} N_{ij}`. Between two rounds few pairs
change: those just drawn, those whose x* has moved, and those that time alone makes due, once
:math:`\ln t` passes the pair's *moment* :math:`\hat d_{ij} N_{ij} / x^*_{ij}`. The nearest moments
stand in a heap and all others lie beyond a known one, so that a round costs what has changed in it.
"""

from __future__ import annotations

import heapq
import math

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.learners.dueling.duel_counts import DuelTally

_NEAREST = 256
_MARGIN = 1e-9


class WantedPairs:
    """Codes ``i * K + j``, i <= j, of the wanted pairs, and of one arm's pair with itself.

    Attributes
    ----------
    codes : set of int
    entered : set of int
        What has become wanted since it was last emptied; it may have left again.
    """

    def __init__(self, tally: DuelTally) -> None:
        self._tally = tally
        self._upper = np.triu(np.ones((tally.arms, tally.arms), dtype=np.bool_))
        self._x: FloatArray = np.zeros((tally.arms, tally.arms))
        self._moments: list[tuple[float, int]] = []
        self._beyond = math.inf
        self.codes: set[int] = set()
        self.entered: set[int] = set()

    def restart(self, x: FloatArray, winner: int, log_t: float) -> None:
        """Begin anew with an optimum.

        Parameters
        ----------
        x : float array, shape (K, K)
            Symmetric and contiguous. It may be changed in place; see :meth:`look_at`.
        winner : int
            The arm whose pair with itself is always wanted.
        log_t : float
        """
        self._x = x
        wanted = np.flatnonzero((x * log_t > self._tally.evidence) & self._upper)
        self.codes = {winner * (self._tally.arms + 1), *wanted.tolist()}
        self.entered = self.codes.copy()
        # The moments are found when the optimum has lasted for a round.
        self._moments, self._beyond = [], log_t

    def look_at(self, code: int, log_t: float) -> None:
        """Look again at a pair that was drawn, or whose x has been changed."""
        share, evidence = self._x.item(code), self._tally.evidence.item(code)
        if share * log_t > evidence:
            if code not in self.codes:
                self.codes.add(code)
                self.entered.add(code)
            return
        self.codes.discard(code)
        if share > 0.0 and (moment := evidence / share) < self._beyond:
            heapq.heappush(self._moments, (moment, code))

    def advance(self, log_t: float) -> None:
        """Move on to a later round, after :meth:`look_at` for what has changed."""
        if log_t >= self._beyond - _MARGIN or len(self._moments) > 4 * _NEAREST:
            self._sort(log_t)
            return
        close: list[int] = []
        while self._moments and self._moments[0][0] - _MARGIN <= log_t:
            _, code = heapq.heappop(self._moments)
            if code not in self.codes:
                close.append(code)
        for code in close:
            self.look_at(code, log_t)

    def _sort(self, log_t: float) -> None:
        """Test every pair, and find the nearest moments of those that are not wanted."""
        x, evidence = self._x, self._tally.evidence
        codes = np.flatnonzero((x > 0.0) & self._upper)
        shares, reached = x.ravel()[codes], evidence.ravel()[codes]
        wanted = shares * log_t > reached
        due = set(codes[wanted].tolist()) - self.codes
        self.codes |= due
        self.entered |= due
        codes, moments = codes[~wanted], (reached / shares)[~wanted]
        self._beyond = math.inf
        if len(codes) > _NEAREST:
            self._beyond = np.partition(moments, _NEAREST).item(_NEAREST)
            near = moments < self._beyond
            codes, moments = codes[near], moments[near]
        self._moments = list(zip(moments.tolist(), codes.tolist(), strict=True))
        heapq.heapify(self._moments)
