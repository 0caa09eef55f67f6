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

**From duel to duel** (:class:`WinnerLists`) a duel that leaves every sign as it was moves one cost,
which is in the list of the pair's worse arm alone. Where a sign changes, and :math:`L^{(1)}` stays
what it is, two lists gain or lose a pair, and the costs of the pairs of these two arms move, which
are in the lists of others, at most two in each. The h cheapest pairs of a list keep their shares
:math:`1/(h-k)` as long as they stay the cheapest and h stays best, for which it is enough (the
values fall and then rise) that

.. math:: c_{h+1} (h - k) > P_h \qquad\text{and}\qquad
          \frac{P_h - c_h}{h - 1 - k} > \frac{P_h}{h - k} ,

the second for :math:`h - 1 > k`. Together they say :math:`c_h < P_h / (h - k) < c_{h+1}` (without
the second, :math:`c_h \le P_h = P_h / (h - k)`), so the pairs inside are still the cheapest. Kept
are :math:`P_h`, an upper bound on the largest cost inside and a lower bound on the smallest
outside; where they do not prove it, the list is solved again. Where :math:`L^{(1)}` changes, or
there is another winner, all lists are.

**Which winner** (:class:`RelaxedOptimum`). With many arms, up to eight winners are followed so.
Otherwise only the chosen one is, and only while no sign changes: a cost that falls by a lowers an
optimum by at most a, as :math:`x \le 1`, and one that rises lowers none. While the chosen winner's
value stays below what the others' least value can have come down to, it stays the chosen one, and
theirs are not computed.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.confusing_instances import prefix_sums
from cpe_opt.formulations.dueling.ecw import cheapest_pairs
from cpe_opt.learners.dueling.duel_counts import Estimates, Tournament
from cpe_opt.learners.dueling.reference_optimum import EmpiricalOptimum, OptimalSolution
from cpe_opt.ties import ascending, first_smallest

_SURE = 1.0 + 1e-8
_MANY = 48  # with no more arms, to follow several winners or signs costs more than it saves
_FOLLOWED = 8  # winners that are followed, at most
_FEW = 8  # arms and pairs that have changed, at most, for lists to be followed


class RelaxedOptimum(EmpiricalOptimum):
    """The closed form, kept up to date list by list."""

    def __init__(self, estimates: Estimates) -> None:
        super().__init__(estimates)
        self._many = estimates.tally.arms > _MANY
        # The tournament and, of many arms, the costs that all below is about.
        self._tournament: Tournament | None = None
        self._costs: FloatArray = np.zeros_like(estimates.tally.draws)
        self._followed: dict[int, WinnerLists] = {}  # every winner, or of many the chosen one
        self._chosen: WinnerLists
        self._others = math.inf  # a lower bound on the values of the other winners

    def cost_changed(self, better: int, worse: int, change: float) -> None:
        """See whether the shares of the worse arm's list stay what they are."""
        if self._tournament is not self.estimates.tournament:
            return
        if self._many:
            cost = self.estimates.costs.item(worse, better)
            self._costs[worse, better] = self._costs[better, worse] = cost
        if change < 0.0:
            self._others += change
        for lists in self._followed.values():
            lists.cost_changed(better, worse, change)

    def solution(self) -> OptimalSolution:
        """Solve again what may have changed."""
        before, tournament = self._tournament, self.estimates.tournament
        if before is not tournament:
            self._tournament = tournament
            if before is None or not self._follow(before):
                self._start()
        elif not self._chosen.value * _SURE < self._others:
            if len(self._followed) == len(tournament.winners):
                self._choose()
            else:
                self._start()
        return self._chosen.solution

    def _start(self) -> None:
        """Solve all lists of every winner, or of many winners those of the chosen one."""
        winners, others = self.estimates.tournament.winners, math.inf
        if len(winners) > (_FOLLOWED if self._many else 1):
            values = SortedLists(self.estimates.tournament, self.estimates.costs).relaxed_optima()
            best = first_smallest(values)
            winners, others = [winners[best]], float(np.delete(values, best).min())
        if self._many:
            self._costs = self.estimates.costs.copy()
        self._followed = {winner: WinnerLists(winner, self.estimates) for winner in winners}
        self._choose()
        self._others = min(self._others, others)

    def _follow(self, before: Tournament) -> bool:
        """Solve what has changed since another tournament; returns False where that is much."""
        tournament, costs = self.estimates.tournament, self.estimates.costs
        if not self._many or before.first != tournament.first:
            return False
        if not self._followed.keys() >= set(tournament.winners):
            return False
        flipped = before.beaten != tournament.beaten
        arms = np.flatnonzero(flipped.any(axis=0) | flipped.any(axis=1))
        moved = self._costs != costs
        moved[arms] = False
        moved[:, arms] = False
        pairs = np.argwhere(np.triu(moved)).tolist() if moved.any() else []
        if len(arms) + len(pairs) > _FEW:
            return False
        self._followed = {winner: self._followed[winner] for winner in tournament.winners}
        for lists in self._followed.values():
            for i, j in pairs:
                better, worse = (i, j) if tournament.beaten[j, i] else (j, i)
                lists.cost_changed(better, worse, costs.item(i, j) - self._costs.item(i, j))
            lists.follow(arms, self._costs)
        self._costs = costs.copy()
        self._choose()
        return True

    def _choose(self) -> None:
        """Choose the winner with the smallest value of those that are followed."""
        followed = list(self._followed.values())
        values = [lists.value for lists in followed]
        best = first_smallest(values) if len(values) > 1 else 0
        self._chosen = followed[best]
        del values[best]
        self._others = min(values, default=math.inf)


class WinnerLists:
    """The optimum of one winner, as the shares and the value of each challenger's list."""

    def __init__(self, winner: int, estimates: Estimates) -> None:
        arms = len(estimates.costs)
        self._winner, self._estimates = winner, estimates
        self._x: FloatArray = np.zeros((arms, arms))
        self._solution: OptimalSolution | None = None  # with this x, which then does not change
        # Of each list: k, negative where it has no row; and h - k, P_h, and bounds on the largest
        # cost inside and the smallest outside, which are 1, 0, 0 and inf where it has none.
        self._spare: IntArray = np.full(arms, -1)
        self._margin: FloatArray = np.ones(arms)
        self._total: FloatArray = np.zeros(arms)
        self._largest: FloatArray = np.zeros(arms)
        self._smallest_outside: FloatArray = np.full(arms, math.inf)
        self._stale: set[int] = set()  # challengers whose lists are to be solved again
        self._solve(np.arange(arms))

    @property
    def value(self) -> float:
        """The optimum."""
        if self._stale:
            self._solve(np.array(sorted(self._stale)))
        return self._value

    @property
    def solution(self) -> OptimalSolution:
        """The optimal point; the last object if it is still optimal."""
        if self._stale:
            self._solve(np.array(sorted(self._stale)))
        if self._solution is None:
            self._solution = OptimalSolution(self._winner, self._x)
        return self._solution

    def cost_changed(self, better: int, worse: int, change: float) -> None:
        """See whether the shares of the worse arm's list stay what they are."""
        if better == self._winner:
            self._value += change
        elif (
            self._spare.item(worse) >= 0
            and worse not in self._stale
            and not self._keeps(better, worse, change)
        ):
            self._stale.add(worse)

    def _keeps(self, better: int, worse: int, change: float) -> bool:
        """Whether a list's shares stay optimal, by its bounds; its value follows if they do."""
        margin, total = self._margin.item(worse), self._total.item(worse)
        cost = self._estimates.costs.item(worse, better)
        inside = self._x.item(worse, better) > 0.0
        if inside:
            total += change
            self._largest[worse] = max(self._largest.item(worse), cost)
        elif cost < self._smallest_outside.item(worse):
            self._smallest_outside[worse] = cost
        rest = total - self._largest.item(worse)
        if not total * _SURE < self._smallest_outside.item(worse) * margin:
            return False
        if margin > 1.0 and not total * (margin - 1.0) * _SURE < rest * margin:
            return False
        if inside:
            self._total[worse] = total
            self._value += change / margin
        return True

    def follow(self, arms: IntArray, before: FloatArray) -> None:
        """Follow where signs among some arms changed; ``before`` has the costs of until then."""
        beaten, costs, total = self._estimates.tournament.beaten, self._estimates.costs, self._total
        has_row = self._spare >= 0
        for arm in arms[arms != self._winner].tolist():
            listed = beaten[:, arm] & has_row
            inside = listed & (self._x[arm] > 0.0)
            total += np.where(inside, costs[arm] - before[arm], 0.0)
            np.maximum(self._largest, costs[arm], out=self._largest, where=inside)
            np.minimum(
                self._smallest_outside,
                costs[arm],
                out=self._smallest_outside,
                where=listed > inside,
            )
        keeps = total * _SURE < self._smallest_outside * self._margin
        rest = total - self._largest
        keeps &= (self._margin <= 1.0) | (
            total * (self._margin - 1.0) * _SURE < rest * self._margin
        )
        keeps[arms] = False
        keeps[list(self._stale)] = False
        self._solve(np.flatnonzero(~keeps), among=arms)

    def _solve(self, challengers: IntArray, among: IntArray | None = None) -> None:
        """Solve some lists, those of the arms ``among`` which signs changed (default all) too."""
        if self._solution is not None:
            self._x, self._solution = self._x.copy(), None
        x, winner = self._x, self._winner
        tournament, costs = self._estimates.tournament, self._estimates.costs
        members = tournament.beaten[challengers]
        spare = tournament.first - 1 - members[:, winner]
        spare[challengers == winner] = -1
        members[:, winner] = False
        own = np.where(members, costs[challengers], math.inf)
        order = ascending(own)
        rows = np.arange(len(challengers))
        own = own[rows[:, None], order]
        sums = prefix_sums(own)
        chosen = np.where(spare >= 0, cheapest_pairs(sums, spare), 0)
        margin = np.where(chosen > 0, chosen - spare, 1)
        shares = np.zeros(own.shape)
        shares[rows[:, None], order] = (np.arange(len(costs)) < chosen[:, None]) / margin[:, None]
        if among is not None:
            x[among[:, None], among] = 0.0
        x[challengers] = np.where(members, shares, x[challengers])
        x[:, challengers] = np.where(members.T, shares.T, x[:, challengers])
        flipped = slice(None) if among is None else among
        beats = tournament.beaten[:, winner]
        x[winner, flipped] = x[flipped, winner] = beats[flipped]
        self._spare[challengers] = spare
        self._margin[challengers] = margin
        self._total[challengers] = sums[rows, chosen]
        self._largest[challengers] = np.where(chosen > 0, own[rows, chosen - 1], 0.0)
        self._smallest_outside[challengers] = np.where(chosen > 0, own[rows, chosen], math.inf)
        self._stale.clear()
        self._value = float(costs[winner, beats].sum() + (self._total / self._margin).sum())


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
        """The values of lists without their winner, one a pair of a winner and an inferior."""
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
