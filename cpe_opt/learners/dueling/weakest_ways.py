r"""The weakest ways in which an arm is no Copeland winner, from duels of any pairs so far.

An arm i is no Copeland winner if and only if some other arm j, the *challenger*, has at most
:math:`\ell` losses while i has more than :math:`\ell`. A *way* is a smallest set of statements "a
beats b" that make it so. With m losses of i against other arms than j there are two kinds:

* j beats i, i loses to m others, and j does not lose to :math:`K - 2 - m` others, as
  :math:`\ell = m` (:math:`0 \le m \le K - 2`);
* i beats j, i loses to m others, and j does not lose to :math:`K - m` others, as
  :math:`\ell = m - 1` (:math:`2 \le m \le K - 2`).

(A challenger that does not lose to an arm may tie with it; the cheapest way to that costs as much
as that it wins.) These are the rows of equation (2) of Komiyama, Honda, Nakagawa (ICML 2016) with
one difference: no sign is known, so that every level counts, and a pair without duels may lie on
either side.

**Costs.** With :math:`N_{ab}` duels, evidence :math:`x_{ab} = N_{ab}\, d_{KL}(\hat\mu_{ab}, ½)` and
a discount :math:`\kappa_{ab} \ge 0`, the statement "a beats b" costs

.. math:: c_{ab} = \max(0, x_{ab} - \kappa_{ab}) \text{ where b leads, else } 0 .

The index of a way R is that of Honda and Takemura's IMED (2015), for sums: with the pairs R⁺ that
have a positive cost,

.. math:: \sum_{R^+} c_{ab} + w \ln \sum_{R^+} N_{ab} , \qquad 0 \text{ where R⁺ is empty.}

**The weakest way of a challenger.** The sums are smallest with the cheapest pairs, so that a kind
and m need two prefixes: of the challenger's pairs by cost, sorted when one of them has met, and of
those of i. Both leave out the pair {i, j}: without a member of cost v, the sum of the n cheapest is
:math:`S(n + 1) - v` where it is among them, else :math:`S(n)`. A challenger's pairs cost nothing
more once i's own cost more than the weakest way that is known, so few m are tried. Of many
challengers blocks are taken in the order of lower bounds on their indices, until the others cannot
be among the weakest: for m from a to b the pairs of i cost no less than its a cheapest, those of
the challenger no less than its :math:`K - 2 - b` cheapest, or :math:`K - b` where i beats j.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.ties import TIE, ascending, first_largest

_BLOCK = 48  # challengers that are all looked at; of more, a third of that at first
_CELL = 8  # numbers of losses with one lower bound


@dataclass(frozen=True, eq=False)
class Way:
    """Statements "ahead beats behind", pair by pair, that make an arm no Copeland winner."""

    index: float
    challenger: int
    ahead: IntArray
    behind: IntArray


class FlipCosts:
    """What it costs that an arm beats another, sorted for every arm, and the weakest ways by it."""

    def __init__(self, tally: DuelTally, weight: float) -> None:
        arms = tally.arms
        self._tally, self._weight = tally, weight
        self._discounts = np.zeros((arms, arms))
        self._arms, self._rows = arms, np.arange(arms)[:, None]
        # (K, K); whether the row's arm has won more duels against the column's than it lost
        self.leads: BoolArray = np.zeros((arms, arms), dtype=np.bool_)
        self._costs = np.zeros((arms, arms))  # that the row's arm beats the column's
        # Of every arm: the others by ascending cost, their places, and sums of costs and of duels.
        self._order = np.zeros((arms, arms - 1), dtype=np.int64)
        self._place = np.zeros((arms, arms), dtype=np.int64)
        self._sums, self._duels = np.zeros((arms, arms)), np.zeros((arms, arms))
        self._sort(np.arange(arms))

    def update(self, i: int, j: int) -> None:
        """Take note of duels of i and j, which the tally has counted."""
        share, evidence = self._tally.estimate.item(i, j), self._tally.evidence.item(i, j)
        self.leads[i, j], self.leads[j, i] = share > 0.5, share < 0.5
        for a, b in ((i, j), (j, i)):
            cost = max(0.0, evidence - self._discounts.item(a, b))
            self._costs[a, b] = cost if self.leads[b, a] else 0.0
        self._sort(np.array([i, j]))

    def discount(self, discounts: FloatArray) -> None:
        """Take other discounts of "the row's arm beats the column's"; shape (K, K)."""
        self._discounts = discounts
        costs = np.maximum(0.0, self._tally.evidence - discounts)
        self._costs = np.where(self.leads.T, costs, 0.0)
        self._sort(np.arange(self._arms))

    def _sort(self, arms: IntArray) -> None:
        # Of pairs without a cost those that need no change come first.
        keys = self._costs[arms] + ~self.leads[arms]
        keys[np.arange(len(arms)), arms] = math.inf
        order = ascending(keys)[:, :-1]
        rows = arms[:, None]
        costs = self._costs[rows, order]
        self._order[arms] = order
        self._place[rows, order] = np.arange(self._arms - 1)
        self._sums[arms, 1:] = costs.cumsum(axis=1)
        draws = np.where(costs > 0.0, self._tally.draws[rows, order], 0.0)
        self._duels[arms, 1:] = draws.cumsum(axis=1)

    def weakest(self, arm: int, number: int = 1, below: float = 0.0) -> list[Way]:
        """The weakest way of each challenger, the weakest of these first.

        The first is always there; of the others at most ``number - 1``, and those alone whose index
        is less than ``below``. Of equally weak ones the first challenger's, with the least m, j
        beats i before i beats j.
        """
        heads = _Heads(self._tally.draws, self._costs, self.leads, arm)
        most = self._arms - 2
        first = max(0, min(int(np.count_nonzero(heads.sums == 0.0)) - 2, most))

        def last(limit: float) -> int:
            """The largest m whose pairs of the arm alone do not cost more."""
            place = heads.sums.searchsorted(limit * (1.0 + 2.0 * TIE), side="right")
            return min(max(first, int(place) - 1), most)

        sizes = np.arange(first, last(below) + 1)
        least, places = self._least(heads, sizes, number, below)
        least_of_all = float(least.min())
        if least_of_all > below and last(least_of_all) > sizes[-1]:
            sizes = np.arange(first, last(least_of_all) + 1)
            least, places = self._least(heads, sizes, number, below)
        order = ascending(least)[:number].tolist()
        chosen = [j for j in order if j == order[0] or least[j] < below]
        return [
            self._way(heads, j, float(least[j]), int(sizes[places[j] // 2]), bool(places[j] % 2))
            for j in chosen
        ]

    def _least(
        self, heads: _Heads, sizes: IntArray, number: int, below: float
    ) -> tuple[FloatArray, IntArray]:
        """The least index of each challenger and its place in a row of :meth:`_indices`.

        Infinite of those that are neither the weakest nor among the ``number`` weakest ``below``.
        """
        arms = self._arms
        least, places = np.full(arms, math.inf), np.zeros(arms, dtype=np.int64)
        bounds, order, start, size = np.zeros(arms), self._rows[:, 0], 0, _BLOCK
        if arms > _BLOCK:
            bounds = self._bounds(heads, sizes)
            order, size = ascending(bounds), _BLOCK // 3
        while True:
            rows = order[start : start + size]
            indices = self._indices(heads, sizes, rows).reshape(len(rows), -1)
            places[rows] = best = first_largest(-indices)
            least[rows] = indices[np.arange(len(rows)), best]
            start, size = start + size, 2 * size
            if start >= arms:
                return least, places
            known = float(np.partition(least, number - 1)[number - 1])
            # Of indices that are 0, as many with small numbers have been seen as are asked for.
            limit = min(known, max(below, float(least.min())))
            if known == 0.0 or bounds[order[start]] * (1.0 - 2.0 * TIE) > limit:
                return least, places

    def _bounds(self, heads: _Heads, sizes: IntArray) -> FloatArray:
        """Lower bounds on the index of each challenger."""
        least = sizes[::_CELL]
        tails = self._arms - 2 - np.minimum(least + _CELL - 1, sizes[-1])
        loses = self._sums[:, tails] + heads.costs[:, None]
        beats = self._sums[:, np.minimum(tails + 2, self._arms - 1)]
        return np.asarray((heads.sums[least] + np.minimum(loses, beats)).min(axis=1))

    def _indices(self, heads: _Heads, sizes: IntArray, rows: IntArray) -> FloatArray:
        """Index by challenger, m and kind; shape (challengers, M, 2)."""
        arm, arms = heads.arm, self._arms
        costs, counted = heads.costs[rows, None], heads.counted[rows, None]
        inside = heads.rank[rows, None] < sizes
        taken = np.minimum(sizes + inside, arms - 1)
        head = heads.sums[taken] - inside * costs
        head_duels = heads.duels[taken] - inside * counted
        found = np.full((len(rows), len(sizes), 2), math.inf)
        own = (costs, counted), (self._costs[arm, rows, None], heads.counted_back[rows, None])
        place = self._place[rows, arm, None]
        for kind, (cost, duels) in enumerate(own):
            skipped = max(0, 2 - int(sizes[0])) if kind else 0
            tails = arms - 2 + 2 * kind - sizes[skipped:]
            inside = place < tails
            taken = tails + inside
            total = self._sums[rows[:, None], taken] - inside * costs
            number = self._duels[rows[:, None], taken] - inside * counted
            total += head[:, skipped:] + cost
            number += head_duels[:, skipped:] + duels
            found[:, skipped:, kind] = total + self._weight * np.log(np.maximum(number, 1.0))
        found[rows == arm] = math.inf
        return found

    def _way(self, heads: _Heads, j: int, index: float, size: int, loses: bool) -> Way:
        """The pairs of a challenger's way with so many losses of the arm to others."""
        arm = heads.arm
        number = self._arms - size if loses else self._arms - 2 - size
        tail = self._order[j, : number + 1]
        tail = tail[tail != arm][:number]
        head = heads.order[: size + 1]
        head = head[head != j][:size]
        ahead = [np.full(len(tail), j), head, [arm if loses else j]]
        behind = [tail, np.full(len(head), arm), [j if loses else arm]]
        return Way(index, j, np.concatenate(ahead), np.concatenate(behind))


class _Heads:
    """The cheapest losses of an arm: others by the cost that they beat it, and prefix sums."""

    def __init__(self, draws: FloatArray, costs: FloatArray, leads: BoolArray, arm: int) -> None:
        self.arm, self.costs = arm, costs[:, arm]
        self.counted = np.where(self.costs > 0.0, draws[arm], 0.0)
        self.counted_back = np.where(costs[arm] > 0.0, draws[arm], 0.0)
        keys = self.costs + ~leads[:, arm]
        keys[arm] = math.inf
        self.order = ascending(keys)[:-1]
        self.rank = np.full(len(costs), len(costs))
        self.rank[self.order] = np.arange(len(self.order))
        self.sums = np.concatenate([[0.0], np.cumsum(self.costs[self.order])])
        self.duels = np.concatenate([[0.0], np.cumsum(self.counted[self.order])])
