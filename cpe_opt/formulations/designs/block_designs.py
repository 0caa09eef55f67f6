r"""What the next block pulls: designs for the differences that need most.

For weights :math:`R_y \ge 0` of the differences y, and costs :math:`c_x` of the vectors x that can
be pulled, a design has shares p of the cost that minimise

.. math:: \max_y R_y \|y\|^2_{\Lambda_p^{-1}}, \qquad \Lambda_p = \sum_x p_x x x^\top / c_x .

With :math:`R_y = 2 / \Delta_y^2` the optimum is the characteristic time. Shares are found to
within 2 %, and a hundredth of them is alike, so that no direction is lost.

*Single elements.* With :math:`\|y\|^2_{\Lambda_p^{-1}} = \sum_e y_e^2 c_e / p_e` these are rows of
:mod:`cpe_opt.formulations.inverse_rows`, balanced by its steps.

*Sets*, of cost 1: the XY-optimal design for the differences :math:`\sqrt{R_y}\, y`. With weights
:math:`\pi` of the differences and
:math:`M = \Lambda_p^{-1} \sum_y \pi_y R_y y y^\top \Lambda_p^{-1}`, a step multiplies p by
:math:`\sqrt{x^\top M x}` and :math:`\pi` by :math:`R_y \|y\|^2_{\Lambda_p^{-1}}`. The shares are
kept from block to block; of a class with many sets, those join that pricing finds
(:mod:`cpe_opt.formulations.designs.pricing`), and those without a share leave.

A block pulls some vectors that span all once each, whatever their shares.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.designs.design import are_rows_of, inverse_of, span_of
from cpe_opt.formulations.designs.optimal import design_solving, g_design
from cpe_opt.formulations.designs.pricing import Pricing
from cpe_opt.formulations.designs.uniform import uniform_design
from cpe_opt.formulations.inverse_rows import InverseRows
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.ties import in_bits, on_grid

_STEPS, _ROUNDS, _ACCURATE, _NEAR = 60, 3, 0.01, 0.02
_ALIKE = 0.01  # of shares and weights at every step
_UNUSED = 1e-4
_BITS = 24


class BlockDesign(ABC):
    """Vectors that can be pulled, shape (X, n), their prices, and their shares of the cost."""

    def __init__(self, vectors: FloatArray, basis: FloatArray, prices: FloatArray) -> None:
        self.vectors, self.basis, self.prices = vectors, basis, prices
        self.shares: FloatArray = prices / prices.sum()

    @abstractmethod
    def balance(self, differences: FloatArray) -> float:
        r"""Find shares for rows :math:`\sqrt{R_y}\, y`; the largest squared norm that is left."""

    @property
    def dimension(self) -> int:
        """The dimension r of the span."""
        return int(self.basis.shape[1])

    def block(self, cost: float, least: int) -> IntArray:
        """How often each vector is pulled, for about this cost; at least ``least`` times in all."""
        shares = in_bits(self.shares / self.shares.sum(), _BITS)
        pulls = shares * cost / self.prices
        pulls *= max(1.0, least / pulls.sum())
        # Rounding the sums keeps small shares alive together.
        planned = np.diff(np.rint(on_grid(np.cumsum(pulls))), prepend=0.0).astype(np.int64)
        planned[: self.dimension] = np.maximum(1, planned[: self.dimension])
        return planned


class ElementDesign(BlockDesign):
    """Single elements of n, those that are ``used``, at prices of shape (n,)."""

    def __init__(self, used: IntArray, prices: FloatArray) -> None:
        vectors = np.eye(len(prices))[used]
        super().__init__(vectors, np.ascontiguousarray(vectors.T), prices[used])
        self._used = used

    def balance(self, differences: FloatArray) -> float:
        """Find the shares from scratch; rows are 0 outside the elements that are used."""
        rows = differences[:, self._used] ** 2
        needed: BoolArray = np.asarray(rows.any(axis=0))
        program = InverseRows(self.prices[needed], rows[:, needed])
        spent = np.zeros(len(needed))
        amounts = program.amounts(program.balanced(_STEPS, accuracy=_NEAR))
        spent[needed] = self.prices[needed] * amounts
        self.shares = (1.0 - _ALIKE) * spent / spent.sum() + _ALIKE / len(spent)
        return float((rows @ (self.prices / self.shares)).max())


class SetDesign(BlockDesign):
    """Sets of a class, at first those of a design that tells all of them apart."""

    def __init__(
        self, decisions: DecisionClass, rng: np.random.Generator, solver: str | None = None
    ) -> None:
        spanning, basis = span_of(decisions, rng)
        if decisions.uniform_rank is None:
            support = uniform_design(decisions, seed=int(rng.integers(2**31))).vectors
        else:
            solving = design_solving(decisions, "G", solver)
            support = g_design(decisions, tolerance=_ACCURATE, **solving).vectors
        vectors = np.vstack([spanning, support[~are_rows_of(support, spanning)]])
        super().__init__(vectors, basis, np.ones(len(vectors)))
        self._pricing = Pricing(decisions, rng)
        self._rivals: FloatArray = np.zeros(0)

    def balance(self, differences: FloatArray) -> float:
        """Improve the shares, and let sets join."""
        inside = differences @ self.basis
        rivals = self._rivals if len(self._rivals) == len(inside) else np.ones(len(inside))
        for _ in range(_ROUNDS):
            value, rivals, against, mean = self._steps(inside, rivals)
            if not self._join(self.basis @ against @ self.basis.T, mean):
                break
        self._rivals = rivals
        return value

    def _steps(
        self, inside: FloatArray, rivals: FloatArray
    ) -> tuple[float, FloatArray, FloatArray, float]:
        """Multiplicative steps; the shares become the best of them."""
        scaled = self.vectors @ self.basis
        shares, best, least = self.shares, self.shares, math.inf
        for _ in range(_STEPS):
            shares = (1.0 - _ALIKE) * shares + _ALIKE / len(shares)
            rivals = (1.0 - _ALIKE) * rivals / rivals.sum() + _ALIKE / len(rivals)
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
        used = self.shares > _UNUSED / len(self.shares)
        used[: self.dimension] = True
        vectors, shares = self.vectors[used], self.shares[used]
        fresh = self._pricing.columns(against)
        fresh = fresh[quadratic_forms(fresh, against) > trace * (1.0 + _ACCURATE)]
        fresh = fresh[~are_rows_of(fresh, vectors)]
        share = 0.5 * len(fresh) / (len(shares) + len(fresh))
        of_fresh = np.full(len(fresh), share / max(1, len(fresh)))
        self.vectors = np.vstack([vectors, fresh])
        self.shares = np.concatenate([(1.0 - share) * shares / shares.sum(), of_fresh])
        self.prices = np.ones(len(self.shares))
        return len(fresh) > 0
