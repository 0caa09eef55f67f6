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
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.rows import prefix_sums
from cpe_opt.learners.dueling.tournament import Tournament
from cpe_opt.modelling.program import BoolArray
from cpe_opt.ties import ascending


class SortedLists:
    """Every arm's list O by ascending cost, padded with inf."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        most = int(tournament.losses.max())
        costs = np.where(tournament.beaten, tournament.costs, math.inf)
        self._order = ascending(costs)[:, :most]
        self._costs = costs[np.arange(len(costs))[:, None], self._order]

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

    def own_costs(self) -> FloatArray:
        """What each winner's own pairs cost, all of them settled; shape (winners,)."""
        tournament = self._tournament
        winners = np.array(tournament.winners)
        beats = tournament.beaten.T[winners]
        return np.asarray(np.where(beats, tournament.costs[winners], 0.0).sum(axis=1))

    def challenger_costs(self) -> FloatArray:
        """The challengers' values, summed for each winner; shape (winners,)."""
        tournament = self._tournament
        winners = np.array(tournament.winners)
        beats = tournament.beaten.T[winners]
        values = np.zeros(len(winners))
        spare = tournament.first - 1
        if spare < 0:
            return values
        sums = prefix_sums(self._costs)
        whole = _least_ratio(sums[:, 1:], np.arange(1, sums.shape[1]) - spare)
        own = np.zeros_like(beats)
        own[np.arange(len(winners)), winners] = True
        values += np.where(beats | own, 0.0, whole).sum(axis=1)
        if spare >= 1:
            values += self._values_without(winners, beats, sums, spare)
        return np.asarray(values)

    def _values_without(
        self, winners: IntArray, beats: BoolArray, sums: FloatArray, spare: int
    ) -> FloatArray:
        """For each winner the values of the challengers that it beats, whose lists lack it."""
        row, challenger = np.nonzero(beats)
        most = self._order.shape[1]
        rank = (self._order[challenger] == winners[row, None]).argmax(axis=1)[:, None]
        cost = self._costs[challenger, rank[:, 0]][:, None]
        size = np.arange(1, most + 1)
        sums = sums[challenger, 1:]
        before = np.where(size <= rank, sums, math.inf)
        beyond = np.where(size >= rank + 2, sums - cost, math.inf)
        value = np.minimum(
            _least_ratio(before, size - (spare - 1)), _least_ratio(beyond, size - spare)
        )
        return np.asarray(np.bincount(row, weights=value, minlength=len(winners)), dtype=np.float64)


def _least_ratio(sums: FloatArray, margin: IntArray) -> FloatArray:
    """The least ``sums / margin`` of each row where the margin is positive."""
    ratio = np.where(margin > 0, sums / np.maximum(margin, 1), math.inf)
    return np.asarray(ratio.min(axis=1, initial=math.inf))
