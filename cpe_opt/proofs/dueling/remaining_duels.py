r"""How many further duels of which pairs would prove a Copeland winner, if estimates stay.

**Two plans.** The exploration q of the characteristic time
(:mod:`cpe_opt.formulations.dueling.copeland_time`) says in which proportion the pairs of a winner
tell it from every other answer at the least cost, for small :math:`\delta`. At a moderate one the
*relaxed plan* may be cheaper. Both keep all rows, so that either leads to a proof.

**From a plan to duels.** Votes cast so far count: with :math:`N_a` votes of the pair a there are
:math:`N'_a = \max(N_a, \lceil s\, q_a \rceil)` after duels in the proportions q. The least s at
which votes :math:`N'`, won in the same fractions as N, prove the winner is found by bisection, for
both plans, and the cheaper one is kept. As votes are there in other proportions, some of the
further duels :math:`N' - N` are not needed: of the fifty pairs whose duels cost the most, the most
expensive first, each gives back as many of them as it can while the winner stays proved, where that
is a tenth at least.

**The relaxed plan.** At a given :math:`\delta` each row of
:mod:`cpe_opt.formulations.dueling.confusing_instances` needs an evidence of
:math:`\Lambda \approx \ln(1/\delta)` in all, and each pair that has a part in it needs
:math:`\kappa` as well, for the weight of its e-value and of its choice among others
(:mod:`cpe_opt.proofs.dueling.copeland`). A plan x, evidence in units of :math:`\Lambda`, thus costs
about

.. math:: \sum_{i < j} c_{ij} \bigl(\Lambda\, x_{ij} + \kappa\, \mathbb 1\{x_{ij} > 0\}\bigr),
          \qquad c_{ij} = \pi_{ij} / d_{ij},

prices :math:`\pi` over divergences. The exploration of T* is best as :math:`\Lambda \to \infty`,
but at a moderate :math:`\Lambda` it spreads a row over too many pairs: of 64 arms it may ask for a
twentieth of a row from each of a thousand pairs. The *relaxed plan* is that of ECW with this cost
(:func:`cpe_opt.formulations.dueling.confusing_instances.cheapest_pairs`).

Of votes in clusters, each further duel is that of a cluster of its own, with outcomes like those of
the clusters that are there.

It is an outlook and no guarantee: estimates will move. No number is given where by the votes the
winner ties with arms that may cost it its rank, or where such pairs never met: these have to be
asked about first.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.confusing_instances import ecw_rows, identification_rows
from cpe_opt.formulations.dueling.copeland_time import copeland_time, winner_ties
from cpe_opt.formulations.dueling.lower_bound import ecw_evidence
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, unit_costs
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.pairs import checked_prices
from cpe_opt.proofs.dueling.e_values import (
    log_e_of_stakes,
    log_e_of_votes,
    log_e_values,
    log_stakes_of_outcomes,
)
from cpe_opt.proofs.dueling.winners import COPELAND_SHARE, copeland_proved, pair_proof, pairs_share
from cpe_opt.solvers.options import SolveOptions

_PRECISION = 1e-3
_WORTH_IT, _SHARE_LEFT = 0.1, 0.01  # of a pair's duels
_MOST_VOTES = 2.0**50
_MOST_PAIRS = 50
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class RemainingDuels:
    """Further duels that would prove a Copeland winner."""

    winner: int  # the arm that would be proved, or is
    duels: IntArray | None  # (K, K); of each pair, symmetric; None if no number is known
    cost: float  # of all of them; infinite where `duels` is None
    # Then, the pairs to be asked about first: a winner, and an arm that it ties with or has never
    # met; the smaller number first
    undecided: tuple[tuple[int, int], ...] = ()


def remaining_duels(
    votes: Votes,
    estimate: PreferenceMatrix,
    delta: float,
    winner: int | None = None,
    *,
    prices: npt.ArrayLike | None = None,
    **solving: Unpack[SolveOptions],
) -> RemainingDuels:
    """The further duels, at a cost near the least, that prove a winner, or the one asked for.

    ``delta`` is that of all that is said; next to a margin, the part without it.
    """
    price = checked_prices(prices, estimate)
    time = copeland_time(estimate, winner, prices=price, **solving)
    arm = time.winner
    if math.isinf(time.value):
        ties = {
            (min(each, other), max(each, other))
            for each in time.by_winner
            for other in winner_ties(estimate.array, each).tolist()
        }
        return RemainingDuels(arm, None, math.inf, tuple(sorted(ties)))

    ways = []
    for plan in (time.exploration, _relaxed_exploration(estimate, arm, price, delta)):
        prospect = _Prospect(votes, estimate, plan, arm, delta)
        duels = prospect.least_multiple(plan)
        if duels is not None:
            ways.append((float((np.triu(duels) * price).sum()), duels, prospect))
    if not ways:
        return RemainingDuels(arm, None, math.inf)
    _, duels, prospect = min(ways, key=itemgetter(0))
    needed = _without_spare(duels, price, prospect.proved)
    return RemainingDuels(arm, needed.astype(np.int64), float((np.triu(needed) * price).sum()))


def round_robin_duels(votes: Votes, estimate: PreferenceMatrix, delta: float, winner: int) -> float:
    """How many duels, equally many of each pair, would prove a winner; infinite where none would.

    They are counted from the first one, and are won in the same fractions as the votes.
    """
    each = np.ones((votes.arms, votes.arms)) - np.eye(votes.arms)
    prospect = _Prospect(votes, estimate, each, winner, delta)
    prospect.duels = np.zeros_like(each)
    duels = prospect.least_multiple(each)
    return math.inf if duels is None else float(np.triu(duels).sum())


def _relaxed_exploration(
    estimate: PreferenceMatrix, winner: int, price: FloatArray, delta: float
) -> FloatArray:
    """The duels of each pair by the relaxed plan."""
    needed = -math.log(COPELAND_SHARE * delta)
    charge = math.log(max(2, estimate.arms - 1))
    costs = unit_costs(price, estimate.divergences)
    x = ecw_evidence(ecw_rows(estimate.array, winner, "literal"), costs, needed, charge)
    return unit_costs(needed * x + charge * (x > 0.0), estimate.divergences)


class _Prospect:
    """Whether an arm would be proved a Copeland winner after further duels of some pairs."""

    def __init__(
        self, votes: Votes, estimate: PreferenceMatrix, plan: FloatArray, arm: int, delta: float
    ) -> None:
        self.votes, self.array, self.arm, self.delta = votes, estimate.array, arm, delta
        self.pairs = np.nonzero(np.triu(plan) > 0.0)
        self._after = np.full(len(self.pairs[0]), math.nan)  # the duels of these pairs, asked last
        self._rows = identification_rows(self.array, arm)
        wins = votes.proving_wins
        self.duels = self._counted = wins + wins.T
        self.log_e = log_e_of_votes(votes)
        outcomes, (i, j) = votes.counts.outcomes, self.pairs
        self.stakes = (
            None
            if outcomes is None
            else [log_stakes_of_outcomes(outcomes, a, b) for a, b in ((i, j), (j, i))]
        )

    def proved(self, duels: FloatArray) -> bool:
        """After so many duels of each pair, won as before; shape (K, K)."""
        i, j = self.pairs
        before, self._after = self._after, self.duels[i, j] + duels[i, j]
        moved = np.flatnonzero(self._after != before)
        i, j, after = i[moved], j[moved], self._after[moved]
        if self.stakes is None:
            won, lost = after * self.array[i, j], after * self.array[j, i]
            self.log_e[i, j], self.log_e[j, i] = log_e_values(won, lost), log_e_values(lost, won)
        else:  # clusters like those that are there, as many times as many
            ratio = after / np.maximum(self._counted[i, j], 1.0)
            for a, b, stakes in ((i, j, self.stakes[0]), (j, i, self.stakes[1])):
                self.log_e[a, b] = log_e_of_stakes(ratio[:, None] * stakes[moved])
        independent = self.votes.independent
        share = pairs_share(self.votes.arms) * self.delta
        proof = pair_proof(self.array, self.log_e, share, independent=independent)
        share = COPELAND_SHARE * self.delta
        return copeland_proved(
            self._rows, self.log_e, proof, self.arm, share, independent=independent
        )

    def least_multiple(self, exploration: FloatArray) -> FloatArray | None:
        """The further duels of each pair in proportion; None if no number of them is enough."""

        def planned(scale: float) -> FloatArray:
            total = np.ceil(scale * exploration * (1.0 - _ROUNDING))
            return np.asarray(np.maximum(total - self.duels, 0.0))

        if self.proved(planned(0.0)):
            return planned(0.0)
        most = math.floor(math.log2(_MOST_VOTES / exploration.max()))
        power = bisect_left(range(most + 1), True, key=lambda k: self.proved(planned(2.0**k)))
        if power > most:
            return None
        low, high = 2.0 ** (power - 1) if power else 0.0, 2.0**power
        while high - low > _PRECISION * high:
            middle = (low + high) / 2.0
            low, high = (low, middle) if self.proved(planned(middle)) else (middle, high)
        return planned(high)


def _without_spare(
    duels: FloatArray, price: FloatArray, proved: Callable[[FloatArray], bool]
) -> FloatArray:
    """The duels without those that each pair can spare, the most expensive pairs first."""
    before, duels = duels, duels.copy()
    upper = np.triu(duels * price)
    order = np.argsort(-upper, axis=None, kind="stable")[
        : min(_MOST_PAIRS, np.count_nonzero(upper))
    ]
    for i, j in (divmod(place, len(duels)) for place in order.tolist()):
        least, most = -1.0, duels[i, j]  # too few, and enough
        tried = np.floor((1.0 - _WORTH_IT) * most)
        while most - least > max(1.0, _SHARE_LEFT * most):
            duels[i, j] = duels[j, i] = tried
            if proved(duels):
                most = tried
            elif most == before[i, j]:
                break
            else:
                least = tried
            tried = np.floor((least + most) / 2.0)
        duels[i, j] = duels[j, i] = most
    return duels
