r"""What votes at positions prove: which assignment is the best, and who holds which position in it.

The best assignment is the Condorcet winner :math:`x^*` among the M matchings of the graph:
:math:`B_x(y) = \sum_{j : x_j \ne y_j} (P_{x_j y_j} - \frac12) > 0` for :math:`x = x^*` and every
other y. Votes of pair a, two candidates for one position, are :math:`N_a` outcomes in [0, 1] with
mean :math:`P_a` given all before; :math:`\hat P_a` is what they are on average.

**Two e-values.** For the pairs D in which x and y differ, all sums over those of D that met, let
:math:`\hat\Delta` be the estimate of :math:`B_x(y)`, with :math:`-\frac12` for a pair that never
met. With :math:`V = \sum 1/N_a`, :math:`S = \sum 1/N_a^2` and the number d of these pairs

.. math:: G_{\tau\kappa} = \prod_{a \in D} \Bigl(1 + \frac{N_a}\tau\Bigr)^{-\frac12}
    \Bigl(1 + \frac1\kappa \sum_{a \in D} \frac{N_a \tau}{N_a + \tau}\Bigr)^{-\frac12}
    \exp\frac{2\hat\Delta^2}{V + \tau\bigl(S - V^2/(d + \kappa/\tau)\bigr)}, \qquad
    F_\tau = \prod_{\text{all } a} \Bigl(1 + \frac{N_a}\tau\Bigr)^{-\frac12}
    \exp\frac{2\hat\Delta^2}{V + \tau S} .

With G and F their means over fixed grids, say that **x is preferred to y** where
:math:`\hat\Delta > 0` and

.. math:: E_{xy} = \frac12 \Bigl(\frac{G}{M} + F\Bigr) \ge \frac1\delta .

**Theorem.** Whatever rule chose the pairs, and at all times together, with probability at least
:math:`1 - \delta`: where there is a best assignment, no other one is said to be preferred to it;
and where there is none, no assignment is said to be preferred to all others.

*Proof.* For every :math:`\lambda`, :math:`\exp(\lambda^T X - \frac18 \sum_a \lambda_a^2 N_a)` with
:math:`X_a = N_a (\hat P_a - P_a)` at the truth P is a supermartingale that starts at 1 (Hoeffding's
lemma), and so are its means over :math:`\lambda \sim N(0, \frac4\tau I + \frac4\kappa c c^T)` on D,
where c are the signs of D, and over :math:`N(0, \frac4\tau I)` on all pairs. Call these
:math:`g^{xy}`, the same for y and x, and f. Fix for every x one other matching y(x): the best
assignment where there is one, of which itself needs none; else one with :math:`B_x(y(x)) \le 0`.
Then :math:`W = \frac12 \bigl(\frac1M \sum_x g^{x y(x)} + f\bigr)` is a supermartingale that starts
at 1 at most, as there are at most M terms in the sum, and ever reaches :math:`1/\delta` with
probability at most :math:`\delta` (Ville). If :math:`B_x(y) \le 0`, the least of :math:`g^{xy}` and
of f over all P with this is G and F, by the inequality of Cauchy and Schwarz as in
:mod:`cpe_opt.proofs.dueling.borda`. So a wrong statement that x is preferred to y(x) asks for
:math:`W \ge E_{xy} \ge 1/\delta`. ∎

G pays for one number and a union over M assignments, F for every pair and no union: with few
assignments the first is smaller, with millions the second.

**Votes in clusters** (:mod:`cpe_opt.problems.clusters`). What a cluster says of a pair, the mean y
of its votes, is an outcome; a cluster with outcomes on d pairs, of any positions, counts 1/d times
on each: :math:`N_a = \sum 1/d`, and :math:`\hat P_a` is the mean with these weights. The proof
stands, as exp of :math:`\sum_a \lambda_a (y_a - P_a)/d - \frac18 \sum_a \lambda_a^2/d` has a mean
of at most 1 given all clusters before and the pairs of this one, however its outcomes depend on
each other: the sum has a range of :math:`\sum_a |\lambda_a|/d`, whose square is at most
:math:`\sum_a \lambda_a^2/d` (Cauchy and Schwarz), and Hoeffding's lemma asks for no more.

**Who holds a position.** An assignment is *left* where no other one is said to be preferred to it;
so the best assignment is left, if there is one. A candidate is *proved* at a position where every
assignment that is left has it there, *ruled out* where none has, else *possible*. That no other is
as good as the one that is ahead, :math:`\hat x`, is said where it is preferred to all of them.

An assignment may lose to one that differs from it in a few pairs that met often, when against
:math:`\hat x` other pairs make the comparison vague. So it is compared with :math:`\hat x`, and
then with others, by their Borda scores, as many as time allows.

**Too many to list.** One term of G alone, with :math:`\kappa = \infty`, asks of the n terms of the
grid for

.. math:: \hat\Delta^2 \ge \frac12 \sum_{a \in D} \Bigl(\frac1{N_a} + \frac\tau{N_a^2}\Bigr)
          \Bigl(\ln \frac{2 n M}\delta + \frac12 \sum_{a \in D} \ln
          \bigl(1 + \frac{N_a}\tau\bigr)\Bigr) ,

a product of two sums over edges, as thresholds of likelihood ratios are
(:class:`cpe_opt.proofs.subsets.glr_threshold.ThresholdRadius`). So the largest root of the right
side less :math:`\hat\Delta` against :math:`\hat x`, under forced and forbidden edges, is bounded by
assignments (:mod:`cpe_opt.proofs.subsets.optimistic_gap`). An edge of :math:`\hat x` is
proved where :math:`\hat x` is preferred to all that lack it, another is ruled out where it is
to all that have it.

**What remains.** The optimal exploration of :func:`cpe_opt.matching_time` at the estimates, from
the votes that are there: the fewest duels :math:`\max(0, t q_a - N_a)` after which
:math:`\hat x` is proved, if estimates stay.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain, islice
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray, log_sum
from cpe_opt.errors import InputError
from cpe_opt.formulations.matchings.condorcet_value import borda_winner, condorcet_winner
from cpe_opt.formulations.matchings.matching_time import matching_time, opponents
from cpe_opt.formulations.subsets.alternatives import MOST_ALTERNATIVES
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.matchings.bipartite import checked_edge_prices
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.proofs.subsets.glr_threshold import ThresholdRadius
from cpe_opt.proofs.subsets.optimistic_gap import OptimisticGap, SetPool
from cpe_opt.ties import just_below, on_grid
from cpe_opt.validation import Numbers

Standing: TypeAlias = Literal["proved", "possible", "ruled out"]
Further: TypeAlias = tuple[tuple[tuple[int, int], int], ...]
"""Duels to come: two edges, and how many."""
_TAUS = (8.0, 64.0, 4096.0)
_KAPPAS = (16.0, 128.0, math.inf)
_TAUS_OF_ALL = (8.0, 64.0, 512.0)
_MOST_COMPARED = 300_000  # pairs of assignments
_GRID = 1e-9  # what a lead must exceed
_UNMET = 1e-12  # in place of no information, so that no radius is 0
_DOUBLINGS, _HALVINGS = 60, 30


@dataclass(frozen=True, eq=False, kw_only=True)
class PanelStatements:
    """What votes at positions prove, and which duels would prove the rest."""

    duels: MatchingDuels
    delta: float
    best: tuple[int, ...]  # the edges of the assignment that is ahead
    unbeaten: bool  # whether it is preferred to every other assignment by the estimates
    proved: bool  # whether it is proved to be preferred to every other one
    none: bool  # whether it is proved that there is no best assignment
    # whether each edge, a candidate at a position, is in the best assignment if there is one
    standing: tuple[Standing, ...]
    # what the further duels cost that prove it, if estimates stay; 0 where it is proved, infinite
    # where that is not known
    missing: float
    next: Further  # those duels: two edges, the first of them of `best`; how many, the most first


def panel_statements(
    duels: MatchingDuels, delta: float, *, prices: Numbers | None = None
) -> PanelStatements:
    """What votes at positions prove; arguments as for :func:`cpe_opt.panel_evidence`."""
    votes = PanelVotes.of(duels)
    condorcet = condorcet_winner(duels)
    best = borda_winner(duels).edges if condorcet is None else condorcet
    level = -math.log(delta)
    chi: BoolArray = np.zeros((0, duels.graph.size), dtype=np.bool_)
    none = False
    if votes.count <= MOST_ALTERNATIVES:
        chi = Matchings(duels.graph).indicator_matrix(MOST_ALTERNATIVES) > 0.5
        proved = bool((votes.log_e_values(best, chi) >= level).all())
        left = votes.left(best, chi, level)
        none = not left.any()
        standing = _listed_standing(chi[left])
    else:
        standing = _searched_standing(votes, best, delta)
        proved = all(standing[edge] == "proved" for edge in best)
    following: Further = ()
    missing = 0.0 if proved else math.inf
    if not proved and condorcet is not None and len(chi):
        missing, following = _remaining(votes, best, chi, delta, prices)
    return PanelStatements(
        duels=duels,
        delta=delta,
        best=best,
        unbeaten=condorcet is not None,
        proved=proved,
        none=none,
        standing=standing,
        missing=missing,
        next=following,
    )


@dataclass(frozen=True, eq=False)
class PanelVotes:
    """How often each pair of edges met, and the share that the row's edge won; shape (m, m).

    ``count`` is M.
    """

    duels: MatchingDuels
    times: FloatArray
    shares: FloatArray
    count: int

    @classmethod
    def of(cls, duels: MatchingDuels) -> PanelVotes:
        """The votes of a log; :class:`InputError` where they prove nothing."""
        counts = duels.counts
        if counts is None:
            raise InputError(
                f"{duels.name} has probabilities, which prove nothing without how often each pair "
                "met; expected a log with the columns position, winner, loser"
            )
        if not counts.independent or counts.selected is not None:
            raise InputError(
                f"{duels.name} has votes of rankings, whose pairs are not independent, so that "
                "they prove nothing together; expected votes on single pairs"
            )
        wins = counts.proving
        times = wins + wins.T
        shares = np.divide(wins, times, out=np.zeros_like(times), where=times > 0.0)
        return cls(duels, times, shares, duels.graph.count_matchings())

    def with_times(self, times: FloatArray) -> PanelVotes:
        """The same shares of other numbers of duels; a pair that never met has its estimate."""
        shares = np.where(self.times > 0.0, self.shares, self.duels.array)
        return PanelVotes(self.duels, times, shares, self.count)

    def against(self, best: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
        """The votes of every edge with that of the matching, and its lead; shapes (m,)."""
        rivals, each = opponents(self.duels.graph, best), np.arange(self.duels.graph.size)
        times = self.times[rivals, each]
        lead = np.where(times > 0.0, self.shares[rivals, each], 0.0) - 0.5
        lead[list(best)] = times[list(best)] = 0.0
        return times, lead

    def log_e_values(self, best: tuple[int, ...], chi: BoolArray) -> FloatArray:
        """``ln E`` of the matching against each other one; infinite against itself; (J,)."""
        times, lead = self.against(best)
        other = chi.copy()
        other[:, list(best)] = False
        d = (other & (times > 0.0)).astype(np.float64)
        delta_hat = np.where(other, lead, 0.0).sum(axis=1)
        inverse = np.divide(1.0, times, out=np.zeros_like(times), where=times > 0.0)
        size, v, s = d.sum(axis=1), (d * inverse).sum(axis=1), (d * inverse**2).sum(axis=1)
        single = []
        for tau in _TAUS:
            paid = (d * np.log1p(times / tau)).sum(axis=1)
            shrunk = (d * (times * tau / (times + tau))).sum(axis=1)
            for kappa in _KAPPAS:
                spread = v + tau * (s - v**2 / np.maximum(size + kappa / tau, 1.0))
                exponent = 2.0 * delta_hat**2 / np.maximum(spread, _UNMET)
                single.append(exponent - 0.5 * (paid + np.log1p(shrunk / kappa)))
        whole = [
            2.0 * delta_hat**2 / np.maximum(v + tau * s, _UNMET) - self.paid_of_all(tau)
            for tau in _TAUS_OF_ALL
        ]
        g = log_sum(np.stack(single), axis=0)[0] - math.log(len(single)) - math.log(self.count)
        f = log_sum(np.stack(whole), axis=0)[0] - math.log(len(whole))
        log_e = just_below(np.logaddexp(g, f) - math.log(2.0))
        log_e = np.where(delta_hat > _GRID, log_e, -math.inf)
        return np.where(other.any(axis=1), log_e, math.inf)

    def left(self, best: tuple[int, ...], chi: BoolArray, level: float) -> BoolArray:
        """Which matchings none is said to be preferred to, the best and many others; (J,)."""
        weights = self.duels.borda_weights
        order = np.argsort(-on_grid((chi * weights).sum(axis=1)), kind="stable")
        others = (tuple(np.flatnonzero(chi[place]).tolist()) for place in order.tolist())
        left: BoolArray = np.ones(len(chi), dtype=np.bool_)
        for other in islice(chain([best], others), max(1, _MOST_COMPARED // len(chi))):
            if not left.any():
                break
            log_e = self.log_e_values(other, chi[left])
            left[left] = (log_e < level) | np.isinf(log_e)
        return left

    def paid_of_all(self, tau: float) -> float:
        """What F pays at this tau: half the logarithm of its determinant."""
        first, second = self.duels.graph.pairs.T
        return 0.5 * float(np.log1p(self.times[first, second] / tau).sum())


def _listed_standing(left: BoolArray) -> tuple[Standing, ...]:
    """Of every edge, by the indicators of the matchings that are left."""
    standing: list[Standing] = []
    for column in left.T:
        every, some = bool(column.all()) and len(left) > 0, bool(column.any())
        standing.append("proved" if every else "possible" if some else "ruled out")
    return tuple(standing)


def _searched_standing(
    votes: PanelVotes, best: tuple[int, ...], delta: float
) -> tuple[Standing, ...]:
    """Of every edge, by assignments under forced and forbidden edges."""
    graph = votes.duels.graph
    times, lead = votes.against(best)
    met = times > 0.0
    inverse = np.divide(1.0, times, out=np.zeros_like(times), where=met)
    outside = np.ones(graph.size, dtype=np.bool_)
    outside[list(best)] = False
    needed = math.log(2.0 * len(_TAUS) * len(_KAPPAS) * votes.count) - math.log(delta)
    radii = []
    for tau in _TAUS:
        spread = np.where(met, inverse + tau * inverse**2, _UNMET) / 2.0 * outside
        costs = 0.5 * np.log1p(times / tau)
        radii.append(ThresholdRadius(spread, costs, np.array([needed]), np.zeros(1)))
    typical = [
        float(radius.spread.sum() * (needed + graph.positions * radius.costs.mean()))
        for radius in radii
    ]
    radius = radii[int(np.argmin(typical))]
    oracle = SubsetOracle(Matchings(graph))
    pool = SetPool(oracle.decisions)
    gap = OptimisticGap(oracle, pool, best, -lead, radius)
    standing: list[Standing] = []
    for edge in range(graph.size):
        inside = edge in best
        part = ((), (edge,)) if inside else ((edge,), ())
        sure = gap.at_most(-_GRID, *part) <= -_GRID
        standing.append("possible" if not sure else "proved" if inside else "ruled out")
    return tuple(standing)


def _remaining(
    votes: PanelVotes,
    best: tuple[int, ...],
    chi: BoolArray,
    delta: float,
    prices: Numbers | None,
) -> tuple[float, Further]:
    """What further duels cost, and which they are: pairs of edges and how many."""
    graph = votes.duels.graph
    q = matching_time(votes.duels, prices=prices).exploration

    def times(scale: float) -> FloatArray:
        return np.maximum(votes.times, np.ceil(scale * q))

    def enough(scale: float) -> bool:
        with_more = votes.with_times(times(scale))
        return bool((with_more.log_e_values(best, chi) >= -math.log(delta)).all())

    high = 1.0
    for _ in range(_DOUBLINGS):
        if enough(high):
            break
        high *= 2.0
    else:
        return math.inf, ()
    low = 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if enough(middle) else (middle, high)
    further: IntArray = np.ceil(times(high) - votes.times).astype(np.int64)
    rivals = opponents(graph, best)
    listed = [
        ((int(rivals[edge]), edge), int(further[rivals[edge], edge]))
        for edge in range(graph.size)
        if edge not in best and further[rivals[edge], edge]
    ]
    cost = float((np.triu(further) * checked_edge_prices(prices, graph)).sum())
    return cost, tuple(sorted(listed, key=lambda entry: -entry[1]))
