r"""ECW-RMED: Algorithm 1 of Komiyama, Honda, Nakagawa (ICML 2016) with the simpler program ECW.

The loop: :mod:`cpe_opt.learners.dueling.copeland_rmed`. The optimum: Theorem 5's closed form from
lists that all empirical winners share, or the program from scratch whenever an estimate has moved.

Whether a winner is sure is tested on the rows of equation (2), as for CW-RMED; ECW only says how to
explore. (The set of its optimal solutions is printed with :math:`C^*` where
:math:`C^{E*}` is meant.)

ECW separates over challengers (:mod:`cpe_opt.formulations.dueling.lower_bound`; Komiyama, Honda,
Nakagawa, ICML 2016, Theorem 5). The value of a challenger :math:`i_2` for the winner :math:`i_1` is
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

**From duel to duel** (:class:`WinnerLists`) the h cheapest pairs of a list keep their shares
:math:`1/(h-k)` as long as they stay the cheapest and h stays best, for which it is enough (the
values fall and then rise) that

.. math:: c_{h+1} (h - k) > P_h \qquad\text{and}\qquad
          \frac{P_h - c_h}{h - 1 - k} > \frac{P_h}{h - k} ,

the second for :math:`h - 1 > k`. Together they say :math:`c_h < P_h / (h - k) < c_{h+1}` (without
the second, :math:`c_h \le P_h = P_h / (h - k)`), so the pairs inside are still the cheapest. This
needs :math:`P_h`, the largest cost inside and the smallest outside, but no order. Lists that fail
the test, or have another k, are sorted and solved again.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from functools import partial
from typing import Any

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.dueling.confusing_instances import (
    cheapest_pairs,
    ecw_rows,
    prefix_sums,
)
from cpe_opt.formulations.dueling.lower_bound import EcwMethod
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.copeland_rmed import (
    MakeOptimum,
    OptimalSolution,
    ReferenceOptimum,
    copeland_rmed,
)
from cpe_opt.learners.dueling.duel_counts import Estimates, Tournament
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.solvers.options import refuse_unused, solver_option
from cpe_opt.solvers.registry import require_backend
from cpe_opt.ties import ascending, first_smallest
from cpe_opt.validation import Arms, NonNegative, Positive

_SURE = 1.0 + 1e-8
_FOLLOWED = 8  # of more winners only the best is solved for


@declare(
    family="dueling",
    goal="regret",
    guarantee="regret C^E* ln T + o(ln T) where optima are unique",
    paper="Komiyama, Honda, Nakagawa (ICML 2016), Algorithm 1",
    endless=True,
    batches="the pairs that are due, and the pairs of a list",
)
def ecw_rmed(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    alpha: Positive = 3.0,
    beta: NonNegative = 0.01,
    method: EcwMethod = "closed",
    solver: str | None = None,
) -> Generator[Duel | Batch, Any, int]:
    """Play near the best arm by duels, with regret about C^E* ln T (Theorem 4).

    A duel after which an estimate crosses ½ costs time of the order of K² ln K for all empirical
    winners together, any other that of what it changes: meant for hundreds of arms.

    Parameters
    ----------
    alpha, beta : float
        Forced exploration; 3 and 0.01 in the paper's experiments. ``beta=0`` is allowed. With 0.2
        and 0 some instances cost less, and single runs on others far more.
    method : "closed", "cuts", "compact" or "enumerate"
        Theorem 5's closed form; else the program of equations (4) and (5) in a formulation of
        :mod:`cpe_opt.formulations.dueling.lower_bound`, built and solved afresh whenever an
        estimate has moved. Where optima are unique all make the same run.
    solver : str, optional
        Of the program, any of linear ones; ``highs`` by default. The closed form takes none.

    Returns
    -------
    int
        The empirical Copeland winner with the most evidence when the horizon is reached.

    References
    ----------
    Komiyama, Honda, Nakagawa, "Copeland Dueling Bandit Problem: Regret Lower Bound, Optimal
    Algorithm, and Computationally Efficient Algorithm", ICML 2016, Algorithm 1 and Theorem 5.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("ecw-rmed", mu, horizon=10**9, seed=0)
    >>> trace.answer
    0
    """
    make: MakeOptimum
    solving = solver_option(solver)
    if method == "closed":
        refuse_unused(solving, "method 'closed'", instead=("cuts", "compact", "enumerate"))
        make = RelaxedOptimum
    else:
        require_backend(solving.get("solver", "highs"), "LP")
        make = partial(
            ReferenceOptimum,
            rows=partial(ecw_rows, ties="literal"),
            method=method,
            name="ecw",
            solving=solving,
        )
    return (yield from copeland_rmed(arms, make, alpha, beta))


class RelaxedOptimum:
    """The closed form, kept up to date list by list."""

    def __init__(self, estimates: Estimates) -> None:
        self.estimates = estimates
        self._tournament: Tournament | None = None
        self._lists: dict[int, WinnerLists] = {}
        self._solution: OptimalSolution | None = None  # None where a cost has changed

    def cost_changed(self, better: int, worse: int, change: float) -> None:
        """See whether the shares of the worse arm's list stay what they are."""
        self._solution = None
        if self._tournament is self.estimates.tournament:
            for lists in self._lists.values():
                lists.cost_changed(better, worse, change)

    def solution(self) -> OptimalSolution:
        """The first winner with the smallest optimum, and its point."""
        before, self._tournament = self._tournament, self.estimates.tournament
        if self._solution is not None and before is self._tournament:
            return self._solution
        winners = self._tournament.winners
        if before is not self._tournament or len(winners) > _FOLLOWED:
            if len(winners) > _FOLLOWED:
                optima = SortedLists(self._tournament, self.estimates.costs).relaxed_optima()
                winners = [winners[first_smallest(optima)]]
            known = self._lists
            self._lists = {
                winner: known.get(winner) or WinnerLists(winner, self.estimates)
                for winner in winners
            }
            for lists in self._lists.values():
                lists.follow()
        followed = list(self._lists.values())
        best = first_smallest([lists.optimum() for lists in followed])
        self._solution = followed[best].solution
        return self._solution


class WinnerLists:
    """The optimum of one winner, as the shares and the value of each challenger's list."""

    def __init__(self, winner: int, estimates: Estimates) -> None:
        arms = estimates.tally.arms
        self._winner, self._estimates = winner, estimates
        self._value = 0.0
        # The point, None where it is to be found again.
        self._solution: OptimalSolution | None = None
        # The costs and the relation that all below is about.
        self._costs: FloatArray = np.full((arms, arms), math.nan)
        self._beaten: BoolArray = np.zeros((arms, arms), dtype=np.bool_)
        self._spare: IntArray = np.full(arms, -2)  # k of each list, negative where it has no row
        # Of each list the k that it was solved for and its shares; and P_h, an upper bound on the
        # largest cost inside, a lower one on the smallest outside, and h - k.
        self._solved: IntArray = np.full(arms, -2)
        self._shares: FloatArray = np.zeros((arms, arms))
        self._sums = [[0.0, 0.0, 0.0, 1.0] for _ in range(arms)]
        self._stale: set[int] = set()  # challengers whose lists have another cost, pair or k

    @property
    def solution(self) -> OptimalSolution:
        """The point of the last optimum."""
        if self._solution is None:
            x, winner = self._shares + self._shares.T, self._winner
            x[winner] = x[:, winner] = self._beaten[:, winner]
            self._solution = OptimalSolution(winner, x)
        return self._solution

    def cost_changed(self, better: int, worse: int, change: float) -> None:
        """A cost of one list has changed, and no pair: its bounds may show that all shares stay."""
        cost = self._estimates.costs.item(worse, better)
        self._costs[better, worse] = self._costs[worse, better] = cost
        if better == self._winner:
            self._value += change
        elif self._spare.item(worse) >= 0 and worse not in self._stale:
            sums = self._sums[worse]
            if self._shares.item(worse, better) > 0.0:
                self._value += change / sums[3]
                sums[:2] = sums[0] + change, max(sums[1], cost)
            else:
                sums[2] = min(sums[2], cost)
            if not _keeps(*sums):
                self._stale.add(worse)

    def follow(self) -> None:
        """Find the lists with another cost, pair or k at the current tournament."""
        tournament, costs = self._estimates.tournament, self._estimates.costs
        beaten = tournament.beaten
        spare = tournament.first - 1 - beaten[:, self._winner]
        spare[self._winner] = -1
        changed = ((costs != self._costs) | (beaten != self._beaten)).any(axis=1)
        self._stale.update(np.flatnonzero(changed | (spare != self._spare)).tolist())
        self._costs, self._beaten, self._spare = costs.copy(), beaten, spare
        self._solution = None

    def optimum(self) -> float:
        """Test the lists that are stale, and solve those that fail."""
        if not self._stale:
            return self._value
        rows = np.array(sorted(self._stale))
        self._stale.clear()
        members, costs = self._beaten[rows], self._costs[rows]
        margin = np.array([self._sums[row][3] for row in rows])
        members[:, self._winner] = False
        inside = self._shares[rows] > 0.0
        shared = np.where(inside, costs, 0.0)
        total, largest = shared.sum(axis=1), shared.max(axis=1)
        outside = np.where(members > inside, costs, math.inf).min(axis=1)
        keeps = (self._solved[rows] == self._spare[rows]) & ~(inside > members).any(axis=1)
        keeps &= _keeps(total, largest, outside, margin)
        if not keeps.all():
            fails = ~keeps
            listed = np.where(members, costs, math.inf)[fails]
            total[fails], margin[fails] = self._sort(rows[fails], listed)
            outside[fails] = 0.0  # the next change is tested with all costs
        numbers = np.stack([total, largest, outside, margin], axis=1).tolist()
        for row, sums in zip(rows.tolist(), numbers, strict=True):
            self._sums[row] = sums
        own = self._costs[self._winner, self._beaten[:, self._winner]].sum()
        self._value = float(own) + sum(total / margin for total, _, _, margin in self._sums)
        return self._value

    def _sort(self, challengers: IntArray, costs: FloatArray) -> tuple[FloatArray, IntArray]:
        """P_h and h - k of lists by Theorem 5; costs are inf for arms that are in none."""
        spare, most = self._spare[challengers], int((costs < math.inf).sum(axis=1).max())
        order = ascending(costs)[:, :most]
        sums = prefix_sums(np.take_along_axis(costs, order, axis=1))
        number = np.where(spare >= 0, cheapest_pairs(sums, spare), 0)
        margin = np.where(number > 0, number - spare, 1)
        rows = np.arange(len(challengers))
        self._shares[challengers] = 0.0
        shares = (np.arange(most) < number[:, None]) / margin[:, None]
        self._shares[challengers[:, None], order] = shares
        self._solved[challengers] = spare
        self._solution = None
        return sums[rows, number], margin


def _keeps(total: Any, largest: Any, outside: Any, margin: Any) -> Any:
    """Whether the shares of lists stay optimal; numbers, or arrays of them."""
    most = (margin <= 1) | (total * (margin - 1) * _SURE < (total - largest) * margin)
    return (total * _SURE < outside * margin) & most


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
