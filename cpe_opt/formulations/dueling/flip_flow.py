r"""The cheapest flips that make an arm a Copeland winner, as flows of losses.

Sets and costs are those of :mod:`cpe_opt.formulations.dueling.cheapest_flips`. Flipping a pair that
k has won, so that j wins it, takes a loss from j to k: a unit of flow on an arc :math:`j \to k` of
capacity 1 and cost :math:`x_{jk}`. An undecided pair gives its loss to either: it starts at one,
and an arc without cost leads to the other; :math:`L_j` counts those that start at j.

Fix t, the most losses that the arm i may end with. All others must end with t or more: node
:math:`j \ne i` has :math:`L_j - t` losses to spare, or lacks as many, and the arm has
:math:`L_i - t` to get rid of,

.. math:: V(t) = \min_{0 \le f \le 1} \sum_a x_a f_a \quad\text{s.t.}\quad
    L_j + \sum_{a \to j} f_a - \sum_{a \leftarrow j} f_a \ge t \;\forall j \ne i, \qquad
    L_i - \sum_{a \leftarrow i} f_a \le t .

Arcs into i are left out: to leave a pair that i has won as it is takes a loss from i, and no other
flip becomes necessary. (A flow :math:`k \to i \to j` does no more than its second half.)

**Every t is a flow.** The matrix is that of a network, so that for a whole t the linear program has
a whole optimum: a set of flips.

**A search over t is exact.** V is convex in real t: the right-hand sides are affine in t, so the
mean of feasible flows for t and for t' is feasible for the mean of t and t', and costs the mean.
Hence over whole t, where V is the least cost of a set of flips, the differences
:math:`V(t+1) - V(t)` never fall, and the first t with :math:`V(t+1) \ge V(t)` is the first
minimum. The line through two neighbours is a lower bound of V everywhere else, and so is

.. math:: \underline V(t) = A_i(L_i - t) + \sum_{j \ne i} B_j((t - \bar L_j)^+) ,

:math:`A_i(n)` the n cheapest pairs that i lost, :math:`B_j(n)` the n cheapest that j won, those
against i at no cost, so that none counts twice, and :math:`\bar L_j` with all undecided pairs of j:
what each arm needs, whatever the others can spare. Levels that these bounds exclude are not solved.

**Rounding.** OR-Tools' flows have whole costs. A first bound U of the optimum, the cost of all
pairs that i lost, measures them: costs are rounded to multiples of :math:`u / M`, u the power of
two next above U and M about :math:`2^{61} / (K+1)^2`; pairs that cost more than U are left out. A
set of flips then errs by at most m/2 such steps, m the number of pairs; where that is more than a
millionth of the value found, the value is the next U. Where only an optimum of at most a given
cutoff is asked for, the cutoff is such a U, too; the pairs of i then stay, at a cost beyond it, so
that there is a flow for t = 0.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.errors import SolverFailed
from cpe_opt.formulations.dueling.reversals import FlipSet, Reversals
from cpe_opt.solvers.min_cost_flow import MinCostFlow, largest_cost
from cpe_opt.ties import in_bits

_BITS = 40
"""Costs are told apart by so many bits, the same on every machine."""
_ACCURACY = 1e-6
_LEAST = math.ulp(0.0)
_ROUNDS = 30


def cheapest_set(pairs: Reversals, cutoff: float = math.inf) -> FlipSet | None:
    """The cheapest flips; None where they surely cost more than the cutoff.

    Raises
    ------
    SolverFailed
    """
    most = min(math.fsum(pairs.cost[pairs.winner == pairs.arm].tolist()), cutoff)
    for _ in range(_ROUNDS):
        network = _Network(pairs, most)
        found = network.search(cutoff)
        if found is None:
            return None
        value = math.fsum(pairs.cost[found.flipped].tolist())
        if value == 0.0 or network.error <= _ACCURACY * value:
            break
        most = value
    return found


class _Network:
    """The flows of one arm, with costs in whole numbers."""

    def __init__(self, pairs: Reversals, most: float) -> None:
        self.pairs = pairs
        own = pairs.winner == pairs.arm
        self.kept = np.flatnonzero(own | (pairs.cost <= most))
        top = largest_cost(pairs.arms + 1)
        unit = math.ldexp(1.0, math.frexp(most)[1]) if most else 1.0
        self.step = max(unit / top, _LEAST)
        self.error = self.step * len(self.kept) / 2.0
        costs = np.rint(in_bits(np.minimum(pairs.cost[self.kept], most), _BITS) / self.step)
        costs[pairs.cost[self.kept] > most] = top + len(self.kept)
        self.costs = costs.astype(np.int64)
        self.free = np.flatnonzero(pairs.free)
        self.losses = pairs.losses + np.bincount(pairs.second, minlength=pairs.arms)
        self._flow, self._flows = self._network(), dict[int, tuple[int, IntArray] | None]()

    def _network(self) -> MinCostFlow:
        """Arcs of flips, of undecided pairs, and from each arm to a sink for what it keeps."""
        pairs, arms = self.pairs, self.pairs.arms
        kept, free, every = self.kept, self.free, np.arange(arms)
        return MinCostFlow(
            np.concatenate([pairs.winner[kept], pairs.second[free], every]),
            np.concatenate([pairs.loser[kept], pairs.first[free], np.full(arms, arms)]),
            np.repeat([1, 2 * arms], [len(kept) + len(free), arms]),
            np.concatenate([self.costs, np.zeros(len(free) + arms, dtype=np.int64)]),
        )

    def flow(self, level: int) -> tuple[int, IntArray] | None:
        """V(t) and its flow for t, the most losses that the arm keeps; None where there is none."""
        if level not in self._flows:
            arm = self.pairs.arm
            self._flow.limit(len(self.kept) + len(self.free) + arm, level)
            supplies = self.losses - level
            supplies[arm] = self.losses[arm]
            self._flows[level] = self._flow.solve(np.append(supplies, -supplies.sum()))
        return self._flows[level]

    def least(self) -> dict[int, int]:
        r"""The bounds :math:`\underline V(t)`, of those t alone that they do not rule out."""
        pairs, arms = self.pairs, self.pairs.arms
        tail, head = pairs.winner[self.kept], pairs.loser[self.kept]
        own = tail == pairs.arm
        needs = np.sort(self.costs[own])
        costs = np.where(own, 0, self.costs)
        order = np.lexsort((costs, head))
        sums = np.append(0, np.cumsum(costs[order]))
        count = np.bincount(head, minlength=arms)
        first = np.append(0, np.cumsum(count))[:-1]
        # An undecided pair may give its loss to either.
        given = np.bincount(np.append(pairs.first[self.free], pairs.second), minlength=arms)
        held = pairs.losses + given
        held[pairs.arm] = arms
        levels = np.arange(int(pairs.losses[pairs.arm]) + 1)
        lack = np.maximum(levels - held[:, None], 0)
        able = (lack <= count[:, None]).all(axis=0)
        others = (sums[first[:, None] + np.minimum(lack, count[:, None])] - sums[first, None]).sum(
            0
        )
        rid = np.append(0, np.cumsum(needs))[levels[-1] - levels]
        return {t: int(rid[t] + others[t]) for t in np.flatnonzero(able).tolist()}

    def search(self, cutoff: float) -> FlipSet | None:
        """The flips at the first t of the least V(t); None where they cost more than the cutoff."""
        lower = self.least()
        low, high, best = 0, max(lower), math.inf
        while True:
            while lower[low] > best:
                low += 1
            while lower[high] > best:
                high -= 1
            if self.surely(min(lower[t] for t in range(low, high + 1))) > cutoff:
                return None
            if low == high:
                break
            t = min(range(low, high), key=lower.__getitem__)
            here, there = self.flow(t), self.flow(t + 1)
            if here is None:
                high = t - 1
                continue
            best = min(best, here[0])
            if there is None:
                high = t
                continue
            best = min(best, there[0])
            low, high = (low, t) if there[0] >= here[0] else (t + 1, high)
            for s in range(low, high + 1):
                lower[s] = max(lower[s], here[0] + (s - t) * (there[0] - here[0]))
        found = self.flow(low)
        if found is None:
            raise SolverFailed("OR-Tools found no flow of losses where there is one")
        if self.surely(found[0]) > cutoff:
            return None
        flipped, turned = (
            np.zeros(len(self.pairs.cost), np.bool_),
            np.zeros(len(self.pairs.first), np.bool_),
        )
        flipped[self.kept] = found[1][: len(self.kept)] > 0
        turned[self.free] = found[1][len(self.kept) : len(self.kept) + len(self.free)] > 0
        return FlipSet(flipped, turned, self.surely(found[0]))

    def surely(self, cost: int) -> float:
        """What flips cost at least, if rounded they cost so much."""
        return max(0.0, (cost * self.step - self.error) * (1.0 - 2.0 ** (1 - _BITS)))
