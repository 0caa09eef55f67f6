r"""C^E*, the optimum of ECW, for all empirical winners: Theorem 5 from lists that they share.

ECW separates over challengers (:mod:`cpe_opt.formulations.dueling.ecw`; Komiyama, Honda, Nakagawa,
ICML 2016, Theorem 5). The value of a challenger :math:`i_2` for the winner :math:`i_1` is
:math:`\min_{h > k} P_h / (h - k)`, P the sums of the cheapest costs of its list
:math:`O_{i_2}` of the pairs that it loses, without :math:`i_1`, and k the number of pairs that a
row leaves out: :math:`L^{(1)} - 1`, or one less where :math:`i_1` beats :math:`i_2`; where that is
negative there is no row.

**Shared lists** (:class:`SortedLists`). The lists are sorted once per arm, whoever the winners are.
Where :math:`i_1` does not beat :math:`i_2`, nothing is left out, and the value is the same for all
such winners. Where it does and its cost stands at rank r (from 0), the sums without it are
:math:`P_h` for :math:`h \le r` and :math:`P_{h+1} - c_r` beyond.

**A lower bound on C\*.** Of all rows of a challenger keep two of level :math:`L^{(1)} - 1` and
:math:`L^{(1)}`: that of ECW, without a pair of the winner's, and where the winner beats the
challenger the one that has their own pair and leaves out :math:`L^{(1)}` of the list. Those of
different challengers have no pair in common. The second alone costs the less of the pair's cost and
of the list's value with that k, so that a challenger costs no less than the larger of this and its
value for ECW.

**Between sign changes** (:class:`RelaxedOptimum`) a duel moves one cost, which is in the list of
the pair's worse arm alone. The h cheapest pairs of a list of the chosen winner keep their shares
:math:`1/(h-k)` as long as they stay the cheapest and h stays best, for which it is enough (the
values fall and then rise) that

.. math:: c_{h+1} (h - k) > P_h \qquad\text{and}\qquad
          \frac{P_h - c_h}{h - 1 - k} > \frac{P_h}{h - k} ,

the second for :math:`h - 1 > k`. Together they say :math:`c_h < P_h / (h - k) < c_{h+1}` (without
the second, :math:`c_h \le P_h = P_h / (h - k)`), so the pairs inside are still the cheapest. Kept
are :math:`P_h`, an upper bound on the largest cost inside and a lower bound on the smallest
outside; where they do not prove it, the list is solved again.

**Which winner.** A cost that falls by a lowers an optimum by at most a, as :math:`x \le 1`, and one
that rises lowers none. While the chosen winner's value stays below what the others' least value can
have come down to, it stays the chosen one, and theirs are not computed.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.confusing_instances import prefix_sums
from cpe_opt.formulations.dueling.ecw import cheapest_pairs
from cpe_opt.learners.dueling.reference_optimum import EmpiricalOptimum, OptimalSolution
from cpe_opt.learners.dueling.tournament import Estimates, Tournament
from cpe_opt.ties import ascending, first_smallest

_SURE = 1.0 + 1e-8


class RelaxedOptimum(EmpiricalOptimum):
    """The closed form, kept up to date pair by pair."""

    def __init__(self, estimates: Estimates) -> None:
        super().__init__(estimates)
        self._version = 0  # the tournament that all below is about; 0 is that of none
        self._solution: OptimalSolution
        self._stale: set[int] = set()  # challengers whose lists are to be solved again

    def cost_changed(self, better: int, worse: int, change: float) -> None:
        """See whether the shares of the worse arm's list stay what they are."""
        if self._version != self.estimates.tournament.version:
            return
        self._others += min(0.0, change)
        winner = self._solution.winner
        if worse == winner:
            return
        if better == winner:
            self._value += change
        elif (
            self._chosen[worse]
            and worse not in self._stale
            and not self._keeps(better, worse, change)
        ):
            self._stale.add(worse)

    def solution(self) -> OptimalSolution:
        """Solve again what may have changed."""
        if self._version != self.estimates.tournament.version:
            self._choose_winner()
            return self._solution
        if self._stale:
            winner, x = self._solution.winner, self._solution.x.copy()
            for challenger in self._stale:
                self._solve_list(challenger, winner, x)
            self._stale.clear()
            self._solution = OptimalSolution(winner, x)
        if not self._value * _SURE < self._others:
            self._choose_winner()
        return self._solution

    def _choose_winner(self) -> None:
        """Choose the winner with the smallest value and solve all its lists."""
        tournament = self.estimates.tournament
        self._version = tournament.version
        self._stale.clear()
        lists = SortedLists(self.estimates.tournament, self.estimates.costs)
        self._others, best = math.inf, 0
        if len(tournament.winners) > 1:
            values = lists.relaxed_optima()
            best = first_smallest(values)
            self._others = float(np.delete(values, best).min())
        winner = tournament.winners[best]
        self._solution = OptimalSolution(winner, self._solve_lists(lists, winner))

    def _solve_lists(self, lists: SortedLists, winner: int) -> FloatArray:
        """Solve every list; returns the optimal x."""
        tournament, all_costs = self.estimates.tournament, self.estimates.costs
        arms = len(tournament.losses)
        beats = tournament.beaten[:, winner]
        x = np.zeros((arms, arms))
        self._value = float(all_costs[winner, beats].sum())
        self._chosen: list[int] = [0] * arms
        self._spare: list[int] = (tournament.first - 1 - beats).tolist()
        if tournament.first:
            order, costs = lists.without(winner)
            sums = prefix_sums(costs)
            spare = np.array(self._spare)
            chosen = cheapest_pairs(sums, spare)
            chosen[(spare < 0) | (np.arange(arms) == winner)] = 0
            rows = np.arange(arms)
            share = np.where(chosen > 0, 1.0 / np.maximum(chosen - spare, 1), 0.0)
            places = np.arange(order.shape[1])
            np.put_along_axis(
                x, order, np.where(places < chosen[:, None], share[:, None], 0.0), axis=1
            )
            total = sums[rows, chosen]
            self._value += float((total * share).sum())
            padded = np.concatenate([costs, np.full((arms, 1), math.inf)], axis=1)
            self._total: list[float] = total.tolist()
            self._largest: list[float] = padded[rows, np.maximum(chosen - 1, 0)].tolist()
            self._smallest_outside: list[float] = padded[rows, chosen].tolist()
            self._chosen = chosen.tolist()
        x[winner, beats] = 1.0
        return np.maximum(x, x.T)

    def _solve_list(self, challenger: int, winner: int, x: FloatArray) -> None:
        """Solve one list, and write its shares into x."""
        members = np.flatnonzero(self.estimates.tournament.beaten[challenger])
        members = members[members != winner]
        costs = self.estimates.costs[challenger, members]
        order = ascending(costs)
        costs = costs[order]
        sums = prefix_sums(costs[None, :])
        spare = self._spare[challenger]
        chosen = int(cheapest_pairs(sums, np.array([spare]))[0])
        margin = self._chosen[challenger] - spare
        self._value -= self._total[challenger] / margin
        self._chosen[challenger] = chosen
        self._total[challenger] = float(sums[0, chosen])
        self._value += self._total[challenger] / (chosen - spare)
        self._largest[challenger] = float(costs[chosen - 1])
        self._smallest_outside[challenger] = (
            float(costs[chosen]) if chosen < len(costs) else math.inf
        )
        shares = np.zeros(len(members))
        shares[order[:chosen]] = 1.0 / (chosen - spare)
        x[challenger, members] = x[members, challenger] = shares

    def _keeps(self, better: int, worse: int, change: float) -> bool:
        """Whether a list's shares stay optimal, by its bounds; its value follows if they do."""
        margin = self._chosen[worse] - self._spare[worse]
        cost = self.estimates.costs.item(worse, better)
        total = self._total[worse]
        inside = self._solution.x.item(worse, better) > 0.0
        if inside:
            total += change
            self._largest[worse] = max(self._largest[worse], cost)
        else:
            self._smallest_outside[worse] = min(self._smallest_outside[worse], cost)
        rest = total - self._largest[worse]
        if not total * _SURE < self._smallest_outside[worse] * margin:
            return False
        if margin > 1 and not total * (margin - 1) * _SURE < rest * margin:
            return False
        if inside:
            self._total[worse] = total
            self._value += change / margin
        return True


class SortedLists:
    """Every arm's list of the pairs that it loses, by ascending cost, padded with inf."""

    def __init__(self, tournament: Tournament, unit_costs: FloatArray) -> None:
        self._tournament, self._spare = tournament, tournament.first - 1
        self._winners = np.array(tournament.winners)
        self._beats = tournament.beaten.T[self._winners]
        self._own = unit_costs[self._winners]
        most = int(tournament.losses.max())
        costs = np.where(tournament.beaten, unit_costs, math.inf)
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
