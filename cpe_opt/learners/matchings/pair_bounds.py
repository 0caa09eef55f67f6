r"""Duels of pairs of edges, and the bounds that CAR-Cond and CAR-Verify put on their probabilities.

With :math:`\hat p` the share of T duels of a comparable pair that the first edge won, after t
rounds

.. math:: \hat p \pm c_t , \qquad c_t = \sqrt{\ln(4 K t^3 / \delta) / 2T} ,

cut to [0, 1]; K is the number of comparable pairs.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
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
