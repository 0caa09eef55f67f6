r"""Duels of pairs of edges, and the bounds that CAR-Cond and CAR-Verify put on their probabilities.

With :math:`\hat p` the share of T duels of a comparable pair that the first edge won, after t
rounds

.. math:: \hat p \pm c_t , \qquad c_t = \sqrt{\ln(4 K t^3 / \delta) / 2T} ,

cut to [0, 1]; K is the number of comparable pairs.

**The likeliest Condorcet winner by estimates: what CAR algorithms answer where their rounds end.**

With :math:`\hat P` the shares of duels won, nobody beats a matching M by the estimates where
:math:`\min_{M'} f(M, M', \hat P) \ge \frac12`. The guess is

1. the matching of the largest :math:`\sum_{e \in M} \hat w(e)`, :math:`\hat w(e)` the mean of
   :math:`\hat p_{ef}` over the other edges f at e's position, if nobody beats it;
2. otherwise the matching that the optimal strategy :math:`x^*` of the minimax problem for
   :math:`\hat P` plays most, if nobody beats it: where the estimates have a Condorcet winner, this
   is it, because :math:`x^*` plays nothing else;
3. otherwise, as there is no such winner, that of 1.

Edges that are accepted or rejected restrict both the matchings and their rivals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.matchings.assignment import constrained
from cpe_opt.formulations.matchings.condorcet_value import BestResponses, saddle_point
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.ties import on_grid


class PairBounds:
    """Duels of comparable edges, and bounds on their probabilities."""

    def __init__(self, graph: BipartiteGraph) -> None:
        shape = (graph.size, graph.size)
        self.draws: FloatArray = np.zeros(shape)
        self._wins: FloatArray = np.zeros(shape)
        self._pairs = max(1, graph.n_pairs)
        comparable = graph.position[:, None] == graph.position[None, :]
        self._diagonal: BoolArray = np.eye(graph.size, dtype=np.bool_)
        self._comparable: BoolArray = comparable & ~self._diagonal

    def add(self, e: int, f: int, won: float, times: float = 1) -> None:
        """Count duels of which e won ``won``, ties half a win."""
        self._wins[e, f] += won
        self._wins[f, e] += times - won
        self.draws[e, f] += times
        self.draws[f, e] += times

    def log_term(self, t: int, delta: float) -> float:
        """``ln(4 K t^3 / delta) / 2``: the squared radius times the draws."""
        return (math.log(4.0 * self._pairs * t**3) - math.log(delta)) / 2.0

    def radius(self, t: int, delta: float) -> FloatArray:
        """c_t; 1 without a duel; shape (m, m)."""
        one, drawn = np.ones_like(self.draws), self.draws > 0
        return np.asarray(np.sqrt(np.divide(self.log_term(t, delta), self.draws, one, where=drawn)))

    def bounds(self, t: int, delta: float) -> tuple[FloatArray, FloatArray]:
        """The upper and the lower bounds, to 2⁻³⁰: so programs are the same on all machines."""
        estimate = self._estimate
        radius = self.radius(t, delta)
        radius = np.where(self.draws > 0, radius, 2.0)  # nothing is known of these
        half = 0.5 * self._diagonal
        upper = np.where(self._comparable, np.minimum(1.0, estimate + radius), half)
        lower = np.where(self._comparable, np.maximum(0.0, estimate - radius), half)
        return on_grid(upper), on_grid(lower)

    def estimates(self) -> FloatArray:
        """The shares won, to 2⁻³⁰; ½ for a pair never duelled, 0 for incomparable edges."""
        known = self._comparable & (self.draws > 0)
        half = 0.5 * (self._comparable | self._diagonal)
        return on_grid(np.where(known, self._estimate, half))

    @property
    def _estimate(self) -> FloatArray:
        return np.asarray(self._wins / np.where(self.draws > 0, self.draws, 1.0))


# The likeliest Condorcet winner by estimates: what CAR algorithms answer where their rounds end.


def condorcet_guess(
    graph: BipartiteGraph,
    estimates: FloatArray,
    accepted: Sequence[int] = (),
    rejected: Sequence[int] = (),
    oracle: SubsetOracle | None = None,
) -> tuple[int, ...]:
    """The matching that is the Condorcet winner for all that the estimates say."""
    matchings = Matchings(graph)
    limits = constrained(graph, accepted, rejected)
    best_of = SubsetOracle(matchings) if oracle is None else oracle
    replies = BestResponses(matchings, estimates, limits, limits)

    def heaviest(weights: FloatArray) -> tuple[int, ...]:
        best = best_of.maximise(on_grid(weights), accepted, rejected)
        if best is None:
            raise InputError("no matching has the accepted edges and lacks the rejected ones")
        return best

    def unbeaten(matching: tuple[int, ...]) -> bool:
        chi = np.zeros(graph.size)
        chi[list(matching)] = 1.0
        return replies.against_x(chi)[0] >= 0.5

    others = np.bincount(graph.position)[graph.position] - 1
    strongest = heaviest((estimates.sum(axis=1) - 0.5) / np.maximum(1, others))
    if unbeaten(strongest):
        return strongest
    played = heaviest(saddle_point(replies).x)
    return played if unbeaten(played) else strongest
