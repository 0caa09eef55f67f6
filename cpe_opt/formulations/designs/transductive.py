r"""Designs over a list of vectors for some differences of them alone, however few.

.. math:: \min_\lambda \max_{y \in Y} y^\top A(\lambda)^{-1} y, \qquad
    A(\lambda) = \sum_x \lambda_x x x^\top ,

is the XY-optimal design of :mod:`cpe_opt.formulations.designs.enumerated`, but an optimal
:math:`A(\lambda)` for few y may be singular: it sees only what these differ in. So designs are
sought among the mixtures of any shares with a trace, 1e-4, of equal ones, by the multiplicative
steps on both sides described there; the bound from the other side holds for every design. Shares
below 1e-5 are dropped at the end, where what is left tells every y: where y lies in the span of
the vectors that stay. The value is that of the shares that stay, by the inverse on their span, and
a design is answered only where it is at most 3 % above the bound.

A vector that sees no difference grows by a factor of 0 on paper, by the square root of rounding in
fact, 1e-8: it gets 1e-6 of the largest instead, alike on every machine. Shares are brought to a
grid before small ones are dropped.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import SolverFailed
from cpe_opt.formulations.designs.design import differences, span_coordinates
from cpe_opt.formulations.designs.enumerated import growth, saddle_at, xy_cvxpy
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.ties import in_bits

TransductiveMethod: TypeAlias = Literal["multiplicative", "cvxpy"]
_TRACE = 1e-4
_LEAST_SHARE = 1e-5
_MIXED = 1e-2  # of equal shares, where the large ones do not tell every difference
_GAP = 1e-2
_CLAIMED = 3e-2  # above the bound, at most: the gap, and what dropping or mixing costs
_MOST_STEPS = 2000
_SINGULAR = 1e-9  # of the largest eigenvalue: less is 0
_OUTSIDE = 1e-6  # of a difference outside the span of the vectors
_BITS_OF_SHARES = 24


class PairDesign(NamedTuple):
    """Rows of a list, their shares, the largest squared norm of a difference, and a lower bound."""

    rows: IntArray
    shares: FloatArray
    value: float
    bound: float


class TransductiveDesigns:
    """Designs over all rows of a list, shape (K, n), for the differences of some of them."""

    def __init__(
        self,
        vectors: FloatArray,
        method: TransductiveMethod = "multiplicative",
        **solving: Unpack[SolveOptions],
    ) -> None:
        if method != "cvxpy":
            refuse_unused(solving, f"method {method!r}", instead=("cvxpy",))
        self._vectors, self._method, self._solving = vectors, method, solving
        self._scaled, self._coordinates = span_coordinates(vectors)
        self._inside = self._scaled @ self._coordinates

    def of(self, left: IntArray) -> PairDesign:
        """A design for the differences of two rows or more, at most 3 % above the bound."""
        apart = differences(self._vectors[left])
        inside = differences(self._scaled[left]) @ self._coordinates
        if self._method == "cvxpy":
            saddle = xy_cvxpy(self._inside, inside, _GAP, **self._solving)[0]
            weights, bound = saddle.weights, saddle.bound
        else:
            weights, bound = _steps(self._inside, inside)
        count, most = len(weights), bound * (1.0 + _CLAIMED)
        # Shares that are equal on paper are equal, so that rounding decides no pull.
        weights = in_bits(weights / weights.sum(), _BITS_OF_SHARES)
        large = weights >= max(_LEAST_SHARE, 2.0 * _TRACE / count)
        design = self._rated(np.where(large, weights, 0.0), apart, bound)
        if design.value > most:
            equal = np.full(count, _MIXED / count)
            design = self._rated((1.0 - _MIXED) * weights + equal, apart, bound)
        if design.value > most:
            raise SolverFailed(
                f"{self._method}: the best design found for the differences of {len(left)} vectors "
                f"is {design.value / bound - 1.0:.3g} above the bound {bound:.6g}, expected at "
                f"most {_CLAIMED:g} above it"
            )
        return design

    def _rated(self, weights: FloatArray, apart: FloatArray, bound: float) -> PairDesign:
        """What weights are worth; infinite where they do not tell every difference."""
        rows = np.flatnonzero(weights)
        shares = weights[rows] / weights[rows].sum()
        used = self._vectors[rows]
        information = used.T @ (shares[:, None] * used)
        inverse = span_inverse(information)
        if np.abs(apart - apart @ inverse @ information).max() > _OUTSIDE:
            return PairDesign(rows, shares, math.inf, bound)
        return PairDesign(rows, shares, float(quadratic_forms(apart, inverse).max()), bound)


def span_inverse(information: FloatArray) -> FloatArray:
    """The inverse of a matrix Σ w x xᵀ on what its vectors span, 0 elsewhere; shape (n, n)."""
    return np.asarray(np.linalg.pinv(information, rcond=_SINGULAR, hermitian=True))


def _steps(vectors: FloatArray, apart: FloatArray) -> tuple[FloatArray, float]:
    """Weights by multiplicative steps, mixed with a trace of equal ones, and the best bound."""
    equal = np.full(len(vectors), 1.0 / len(vectors))
    mixture = np.full(len(apart), 1.0 / len(apart))
    free, weights, bound = equal, equal, 0.0
    for _ in range(_MOST_STEPS):
        saddle = saddle_at(vectors, apart, weights, mixture)
        bound = max(bound, saddle.bound)
        if saddle.value <= bound * (1.0 + _GAP):
            break
        free = free * growth(vectors, saddle.against)
        free = free / free.sum()
        mixture = mixture * quadratic_forms(apart, saddle.inverse)
        mixture = mixture / mixture.sum()
        weights = (1.0 - _TRACE) * free + _TRACE * equal
    return np.asarray(weights), bound
