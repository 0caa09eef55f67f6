r"""What the next block pulls: designs for the differences that need most.

For weights :math:`R_y \ge 0` of the differences y, and costs :math:`c_x` of the vectors x that can
be pulled, a design has shares p of the cost that minimise

.. math:: \max_y R_y \|y\|^2_{\Lambda_p^{-1}}, \qquad \Lambda_p = \sum_x p_x x x^\top / c_x ,

the XY-optimal design of the vectors :math:`x / \sqrt{c_x}` for the differences
:math:`\sqrt{R_y}\, y`. With :math:`R_y = 2 / \Delta_y^2` the optimum is the characteristic time.
With weights :math:`\pi` of the differences and
:math:`M = \Lambda_p^{-1} \sum_y \pi_y R_y y y^\top \Lambda_p^{-1}`, a step multiplies p by
:math:`\sqrt{x^\top M x / c_x}` and :math:`\pi` by :math:`R_y \|y\|^2_{\Lambda_p^{-1}}`, and gives a
hundredth of all alike: no direction is lost, at 1 % of the value. Both are kept from block to block
and go on; of a class with many sets, those join that pricing finds
(:mod:`cpe_opt.formulations.designs.pricing`), and those without a share leave.

A block pulls some vectors that span all once each, whatever their shares.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.designs.design import are_rows_of, inverse_of, span_of
from cpe_opt.formulations.designs.optimal import design_solving, g_design
from cpe_opt.formulations.designs.pricing import Pricing
from cpe_opt.formulations.designs.uniform import uniform_design
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.ties import in_bits, on_grid

_STEPS, _MORE_STEPS, _ROUNDS, _ACCURATE, _NEAR = 60, 20, 3, 0.01, 0.02
_KEPT = 0.99  # of shares and weights at every step, the rest alike
_UNUSED = 1e-4
_BITS = 24


class BlockDesign:
    """Vectors that can be pulled, shape (X, n), their prices, and their shares of the cost.

    The first vectors span all; ``basis``, shape (n, r), is an orthonormal one of that span. With a
    ``pricing`` more vectors, all of price 1, join.
    """

    def __init__(
        self,
        vectors: FloatArray,
        basis: FloatArray,
        prices: FloatArray,
        pricing: Pricing | None = None,
    ) -> None:
        self.vectors, self.basis, self.prices = vectors, basis, prices
        self.shares: FloatArray = prices / prices.sum()
        self._pricing = pricing
        self._rivals: FloatArray | None = None

    @classmethod
    def of_elements(cls, rows: FloatArray, prices: FloatArray) -> BlockDesign:
        """Single elements, those that differ in any of the differences."""
        used = np.flatnonzero(rows.any(axis=0))
        vectors = np.eye(rows.shape[1])[used]
        return cls(vectors, np.ascontiguousarray(vectors.T), prices[used])

    @classmethod
    def of_sets(
        cls, decisions: DecisionClass, rng: np.random.Generator, solver: str | None = None
    ) -> BlockDesign:
        """Sets of a class: at first those of a design that tells all of them apart."""
        spanning, basis = span_of(decisions, rng)
        if decisions.uniform_rank is None:
            support = uniform_design(decisions, seed=int(rng.integers(2**31))).vectors
        else:
            solving = design_solving(decisions, "G", solver)
            support = g_design(decisions, tolerance=_ACCURATE, **solving).vectors
        others = support[~are_rows_of(support, spanning)]
        vectors = np.vstack([spanning, others])
        return cls(vectors, basis, np.ones(len(vectors)), Pricing(decisions, rng))

    @property
    def dimension(self) -> int:
        """The dimension r of the span."""
        return int(self.basis.shape[1])

    def balance(self, differences: FloatArray, kept: bool) -> float:
        r"""Improve the shares for rows :math:`\sqrt{R_y}\, y`; the largest squared norm left."""
        inside = differences @ self.basis
        rivals, steps = np.ones(len(inside)), _STEPS
        if kept and self._rivals is not None:
            rivals, steps = self._rivals, _MORE_STEPS
        for _ in range(1 if self._pricing is None else _ROUNDS):
            value, rivals, against, mean = self._steps(inside, rivals, steps)
            steps = _MORE_STEPS
            if not self._join(self.basis @ against @ self.basis.T, mean):
                break
        self._rivals = rivals
        return value

    def _steps(
        self, inside: FloatArray, rivals: FloatArray, most: int
    ) -> tuple[float, FloatArray, FloatArray, float]:
        """Multiplicative steps; the shares become the best of them.

        The largest norm, the weights of the differences, M, and the mean of the norms by these.
        """
        scaled = self.vectors @ self.basis / np.sqrt(self.prices)[:, None]
        alike = 1.0 / len(scaled)
        shares, best, least = self.shares, self.shares, math.inf
        for _ in range(most):
            # Some of all, so that no direction is lost.
            shares = _KEPT * shares + (1.0 - _KEPT) * alike
            rivals = rivals / rivals.sum()
            rivals = _KEPT * rivals + (1.0 - _KEPT) / len(rivals)
            inverse = inverse_of(scaled, shares)
            norms = quadratic_forms(inside, inverse)
            if norms.max() < least:
                best, least = shares, float(norms.max())
            against = inverse @ (inside.T @ (rivals[:, None] * inside)) @ inverse
            against = (against + against.T) / 2.0
            mean = float(rivals @ norms)
            pull = np.maximum(0.0, quadratic_forms(scaled, against))
            # No shares of these vectors have a value below mean² / max of pull.
            if least * float(pull.max()) <= mean**2 * (1.0 + _NEAR):
                break
            shares = shares * np.sqrt(pull / mean)
            shares = shares / shares.sum()
            rivals = rivals * norms / mean
        self.shares = best
        return least, rivals, against, mean

    def _join(self, against: FloatArray, trace: float) -> bool:
        """Take sets in that would lower the value; whether there are any."""
        if self._pricing is None:
            return False
        used = self.shares > _UNUSED / len(self.shares)
        used[: self.dimension] = True
        self.vectors, self.shares = self.vectors[used], self.shares[used]
        fresh = self._pricing.columns(against)
        fresh = fresh[quadratic_forms(fresh, against) > trace * (1.0 + _ACCURATE)]
        fresh = fresh[~are_rows_of(fresh, self.vectors)]
        share = 0.5 * len(fresh) / (len(self.shares) + len(fresh))
        self.vectors = np.vstack([self.vectors, fresh])
        self.shares = np.concatenate(
            [(1.0 - share) * self.shares, np.full(len(fresh), share / max(1, len(fresh)))]
        )
        self.shares /= self.shares.sum()
        self.prices = np.ones(len(self.shares))
        return len(fresh) > 0

    def block(self, cost: float, least: int) -> IntArray:
        """How often each vector is pulled, for about this cost; at least ``least`` times in all."""
        shares = in_bits(self.shares / self.shares.sum(), _BITS)
        pulls = shares * cost / self.prices
        pulls *= max(1.0, least / pulls.sum())
        planned = whole_pulls(pulls)
        planned[: self.dimension] = np.maximum(1, planned[: self.dimension])
        return planned


def whole_pulls(pulls: FloatArray) -> IntArray:
    """Whole numbers of pulls near these; rounding the sums keeps small shares alive together."""
    return np.diff(np.rint(on_grid(np.cumsum(pulls))), prepend=0.0).astype(np.int64)
