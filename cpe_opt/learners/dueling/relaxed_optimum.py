r"""Theorem 5's closed form for all empirical winners, from lists that they share.

The relaxation separates over challengers (:mod:`cpe_opt.formulations.dueling.ecw`). Every winner's
optimum comes from lists that all share (:mod:`cpe_opt.learners.dueling.sorted_lists`), and shares
are found for the winner with the smallest.

**Between sign changes** a duel moves one cost, which is in the list of the pair's worse arm alone.
The h cheapest pairs of a list of the chosen winner keep their shares :math:`1/(h-k)` as long as
they stay the cheapest and h stays best, for which it is enough (the values fall and then rise) that

.. math:: c_{h+1} (h - k) > P_h \qquad\text{and}\qquad
          \frac{P_h - c_h}{h - 1 - k} > \frac{P_h}{h - k} ,

the second for :math:`h - 1 > k`. Together they say :math:`c_h < P_h / (h - k) < c_{h+1}` (without
the second, :math:`c_h \le P_h = P_h / (h - k)`), so the pairs inside are still the cheapest. Kept
are :math:`P_h`, an upper bound on the dearest cost inside and a lower bound on the cheapest
outside; where they do not prove it, the list is solved again.

**Which winner.** A cost that falls by a lowers an optimum by at most a, as :math:`x \le 1`, and one
that rises lowers none. While the chosen winner's value stays below what the others' least value can
have come down to, it stays the chosen one, and theirs are not computed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from cpe_opt.formulations.dueling.confusing_instances import prefix_sums
from cpe_opt.formulations.dueling.ecw import cheapest_pairs
from cpe_opt.learners.dueling.copeland_rmed import OptimalPlan
from cpe_opt.learners.dueling.sorted_lists import SortedLists
from cpe_opt.learners.dueling.tournament import Tournament
from cpe_opt.ties import ascending, first_smallest

_SURE = 1.0 + 1e-8


class EcwPlan(OptimalPlan):
    """The closed form, kept up to date pair by pair."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(tournament)
        self._pattern = 0
        self._stale: set[int] = set()

    def moved(self, better: int, worse: int, change: float) -> None:
        """Look whether the shares of the worse arm's list stay what they are."""
        if self._pattern != self.tournament.pattern:
            return
        self._others += min(0.0, change)
        if worse == self.winner:
            return
        if better == self.winner:
            self._value += change
        elif (
            self._chosen[worse]
            and worse not in self._stale
            and not self._keeps(better, worse, change)
        ):
            self._stale.add(worse)

    def settle(self) -> Iterable[int] | None:
        """Solve again what may have changed."""
        if self._pattern != self.tournament.pattern:
            self._begin()
            return None
        codes: list[int] = []
        for challenger in self._stale:
            codes += self._solve_again(challenger)
        self._stale.clear()
        if self._value * _SURE < self._others:
            return codes
        self._begin()
        return None

    def _keeps(self, better: int, worse: int, change: float) -> bool:
        """Whether a list's shares stay optimal, by its bounds; its value follows if they do."""
        margin = self._chosen[worse] - self._spare[worse]
        cost = self.tournament.costs.item(worse, better)
        total = self._total[worse]
        inside = self.x.item(worse, better) > 0.0
        if inside:
            total += change
            self._dearest[worse] = max(self._dearest[worse], cost)
        else:
            self._outside[worse] = min(self._outside[worse], cost)
        rest = total - self._dearest[worse]
        if not total * _SURE < self._outside[worse] * margin:
            return False
        if margin > 1 and not total * (margin - 1) * _SURE < rest * margin:
            return False
        if inside:
            self._total[worse] = total
            self._value += change / margin
        return True

    def _begin(self) -> None:
        """Choose the winner and solve every list."""
        tournament = self.tournament
        self._pattern = tournament.pattern
        self._stale.clear()
        lists = SortedLists(tournament)
        self._others = math.inf
        self.winner = tournament.winners[0]
        if len(tournament.winners) > 1:
            values = lists.relaxed_optima()
            best = first_smallest(values)
            self.winner = tournament.winners[best]
            self._others = float(np.delete(values, best).min())
        self._solve_all(lists)

    def _solve_all(self, lists: SortedLists) -> None:
        tournament, winner = self.tournament, self.winner
        arms = len(tournament.losses)
        beats = tournament.beaten[:, winner]
        x = np.zeros((arms, arms))
        self._value = float(tournament.costs[winner, beats].sum())
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
            self._dearest: list[float] = padded[rows, np.maximum(chosen - 1, 0)].tolist()
            self._outside: list[float] = padded[rows, chosen].tolist()
            self._chosen = chosen.tolist()
        x[winner, beats] = 1.0
        self.x = np.maximum(x, x.T)

    def _solve_again(self, challenger: int) -> list[int]:
        """Solve one list; returns the codes of the pairs whose x has changed."""
        arms, winner = len(self._chosen), self.winner
        pool = self.tournament.beaten[challenger].copy()
        pool[winner] = False
        members = np.flatnonzero(pool)
        costs = self.tournament.costs[challenger, members]
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
        self._dearest[challenger] = float(costs[chosen - 1])
        self._outside[challenger] = float(costs[chosen]) if chosen < len(costs) else math.inf
        shares = np.zeros(len(members))
        shares[order[:chosen]] = 1.0 / (chosen - spare)
        changed = members[shares != self.x[challenger, members]]
        self.x[challenger, members] = self.x[members, challenger] = shares
        codes: list[int] = (
            np.minimum(changed, challenger) * arms + np.maximum(changed, challenger)
        ).tolist()
        return codes
