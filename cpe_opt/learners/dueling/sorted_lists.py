r"""Every arm's list of the pairs that it loses, by ascending cost: shared by all empirical winners.

With them C^E* of each winner is a few operations on arrays (Theorem 5 of Komiyama, Honda, Nakagawa,
ICML 2016; :mod:`cpe_opt.formulations.dueling.ecw`). The value of a challenger :math:`i_2` for the
winner :math:`i_1` is :math:`\min_{h > k} P_h / (h - k)`, P the sums of the cheapest costs of its
list :math:`O_{i_2}` without :math:`i_1`, and k the number of pairs that a row leaves out:
:math:`L^{(1)} - 1`, or one less where :math:`i_1` beats :math:`i_2`; where that is negative there
is no row. So

- the lists are sorted once an arm. Where :math:`i_1` does not beat :math:`i_2`, nothing is left
  out, and the value is the same for all such winners;
- where it does and its cost stands at rank r (from 0), the sums without it are :math:`P_h` for
  :math:`h \le r` and :math:`P_{h+1} - c_r` beyond.

**A lower bound on C*.** Of all rows of a challenger keep two of level :math:`L^{(1)} - 1` and
:math:`L^{(1)}`: that of ECW, without a pair of the winner's, and where the winner beats the
challenger the one that has their own pair and leaves out :math:`L^{(1)}` of the list. Those of
different challengers have no pair in common. The second alone costs the less of the pair's cost and
of the list's value with that k, so that a challenger costs no less than the larger of this and its
value for ECW.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.confusing_instances import prefix_sums
from cpe_opt.learners.dueling.tournament import Tournament
from cpe_opt.ties import ascending


class SortedLists:
    """Every arm's list O by ascending cost, padded with inf."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament, self._spare = tournament, tournament.first - 1
        self._winners = np.array(tournament.winners)
        self._beats = tournament.beaten.T[self._winners]
        self._own = tournament.costs[self._winners]
        most = int(tournament.losses.max())
        costs = np.where(tournament.beaten, tournament.costs, math.inf)
        self._order = ascending(costs)[:, :most]
        self._costs = costs[np.arange(len(costs))[:, None], self._order]
        self._prefixes = prefix_sums(self._costs)

    def without(self, winner: int) -> tuple[IntArray, FloatArray]:
        """Orders and costs with one arm left out of every list, shape (K, M)."""
        most = self._order.shape[1]
        at = self._order == winner
        listed = self._tournament.beaten[:, winner]
        rank = np.where(listed, at.argmax(axis=1) if most else 0, most)
        places = np.arange(most)
        places = np.minimum(places + (places >= rank[:, None]), max(most - 1, 0))
        order = np.take_along_axis(self._order, places, axis=1)
        costs = np.take_along_axis(self._costs, places, axis=1)
        if most:
            # The place given free at the end; the arm itself takes it in the order.
            costs[listed, most - 1] = math.inf
            order[listed, most - 1] = winner
        return order, costs

    def relaxed_optima(self) -> FloatArray:
        """C^E* of each winner; shape (winners,)."""
        own = np.where(self._beats, self._own, 0.0).sum(axis=1)
        return np.asarray(own + self._others() + self._sums(self._without(self._spare - 1)))

    def lower_bounds(self) -> FloatArray:
        """Lower bounds on C* of each winner; shape (winners,)."""
        lists, with_own = self._without(self._spare - 1), self._without(self._spare + 1)
        own = self._own[self._beats]
        return np.asarray(self._others() + self._sums(np.maximum(lists, np.minimum(own, with_own))))

    def _others(self) -> FloatArray:
        """The values of the challengers that a winner does not beat, summed for each winner."""
        if self._spare < 0:
            return np.zeros(len(self._winners))
        sums = self._prefixes[:, 1:]
        whole = _least_ratio(sums, np.arange(1, sums.shape[1] + 1) - self._spare)
        apart = self._beats.copy()
        apart[np.arange(len(self._winners)), self._winners] = True
        return np.asarray(np.where(apart, 0.0, whole).sum(axis=1))

    def _without(self, spare: int) -> FloatArray:
        """The values of lists without their winner, of which rows leave out so many pairs.

        One for each pair of a winner and a challenger that it beats, in order; 0 where the number
        is negative, inf where no list is as long.
        """
        row, challenger = np.nonzero(self._beats)
        if spare < 0:
            return np.zeros(len(row))
        most = self._order.shape[1]
        at = self._order[challenger] == self._winners[row, None]
        rank = at.argmax(axis=1)[:, None]
        cost = self._costs[challenger, rank[:, 0]][:, None]
        size = np.arange(1, most + 1)
        sums = self._prefixes[challenger, 1:]
        before = np.where(size <= rank, sums, math.inf)
        beyond = np.where(size >= rank + 2, sums - cost, math.inf)
        return np.minimum(
            _least_ratio(before, size - spare), _least_ratio(beyond, size - spare - 1)
        )

    def _sums(self, values: FloatArray) -> FloatArray:
        """Such values, summed for each winner."""
        row = np.nonzero(self._beats)[0]
        return np.bincount(row, weights=values, minlength=len(self._winners)).astype(np.float64)


def _least_ratio(sums: FloatArray, margin: IntArray) -> FloatArray:
    """The least ``sums / margin`` of each row where the margin is positive."""
    ratio = np.where(margin > 0, sums / np.maximum(margin, 1), math.inf)
    return np.asarray(ratio.min(axis=1, initial=math.inf))
