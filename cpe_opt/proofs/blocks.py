r"""What blocks of queries prove of unknown means, at all times, and how large the next one is.

**A block** is a plan made before it begins, from all that was seen before it: how often each of
some vectors x is pulled, so that :math:`A = \sum x x^\top` is known. A pull shows
:math:`x^\top \theta` with noise that is 1-sub-Gaussian given all before it. With the least squares
estimate :math:`\hat\theta` of the block alone, for any y in the span of its vectors,

.. math:: X = y^\top \hat\theta, \qquad v = y^\top A^{-1} y

are an unbiased estimate of :math:`y^\top \theta` and its variance proxy,
:math:`E\, e^{s (X - y^\top\theta)} \le e^{s^2 v / 2}`: X is a sum of what was seen with the
coefficients :math:`y^\top A^{-1} x`, which the plan fixes and whose squares add up to v. Of single
elements, each pulled :math:`m_e` times, :math:`v = \sum_e y_e^2 / m_e`; of duels, whose outcomes in
[0, 1] are ½-sub-Gaussian, :math:`v = \sum_e y_e^2 / 4 m_e`.

**Theorem.** Let each block have a weight :math:`w > 0` for y, chosen before it begins. With sums
over all blocks so far,

.. math:: S = \sum w X, \qquad W = \sum w, \qquad V = \sum w^2 v, \qquad
          E_\mu = \sum_k p_k\, e^{\rho_k (S - \mu W) - \rho_k^2 V / 2}, \qquad
          \rho_k > 0, \quad \sum_k p_k = 1

is, for :math:`\mu = y^\top \theta`, a non-negative supermartingale that starts at 1: its factor in
a block is that inequality at :math:`s = \rho_k w`. Where :math:`y^\top \theta < \mu` the factors
are smaller, so that it is one, too. It ever reaches :math:`1/\delta` with probability at most
:math:`\delta` (Ville). Let s(V) be the sum at which
:math:`\sum_k p_k e^{\rho_k s - \rho_k^2 V / 2}` is :math:`1/\delta`: then
:math:`y^\top \theta > (S - s(V)) / W` after all blocks at once, except with probability
:math:`\delta`.

**Weights of its own** for each y, :math:`w = 1/v`, so that W = V, are the best: after n pulls in
the proportions q the exponent is :math:`n (y^\top\theta)^2 / 2 \|y\|^2_{\Lambda_q^{-1}}`, that of
the characteristic time. They are for those y that are named (:class:`OwnWeights`).

**One weight for all y** (:class:`CommonWeights`) is as good where blocks have the same proportions
and it is how large they are. For a y with entries -1, 0 and 1, the difference of two sets, S is
then linear in y, and V a sum over the elements in which they differ: a linear oracle goes through
all sets. The logarithm of E is convex in S and V, and the points at which it is at most
:math:`\ln(1/\delta)` are a convex set, of which s is the upper end: s is concave, and below its
tangents, as :mod:`cpe_opt.proofs.subsets.optimistic_gap` asks for (:class:`MixtureRadius`).

**The** :math:`\rho_k` are geometric. Where nothing is known of the mean they fall in steps of 15 %,
with weights that are alike for the larger ones and fall in proportion to :math:`\rho` below
(:meth:`BlockMixture.of_range`); around a likeliest mean, in steps of 20 %, with weights that fall
like the inverse square of the number of steps from it (:meth:`BlockMixture.around`).

**Candidates that are taken up one after the other.** Let a candidate x be wrong if the mean of some
y(x) of it is at most 0. When the k-th, :math:`x_k`, is taken up its blocks begin; it gets the
weight :math:`\omega_k = \frac1{k(k+1)}`, and is answered where :math:`\omega_k E_0 \ge 1/\delta`
for all y of it. Which one is taken up, and when, depends on the past alone, so that the
:math:`E_0` of :math:`y(x_k)`, 1 before it is taken up or where :math:`x_k` is right, is a
supermartingale that starts at 1. So is :math:`\sum_k \omega_k E_0`, as the weights add up to 1; it
ever reaches :math:`1/\delta` with probability at most :math:`\delta`, and a wrong answer asks for
that. The first one pays ln 2 for all candidates that there are, whether they are six or millions:
what led to it is not counted in its proof.

**The size of a block.** It costs a part of what is missing at the estimates, but no more than a
share of all that was spent before (:class:`Pace`): blocks are large in the middle of a run, where
looks would find nothing, and small near its end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray, log_sum
from cpe_opt.ties import just_below

_STEP = 1.15
_STEP_AROUND, _POINTS_AROUND, _WIDTH = 1.2, 60, 5.0
_NEWTON = 8
_ROUNDING, _HIDDEN = 1e-9, 1e-9


class BlockMixture:
    """The points and weights of a mixture, all above 0; the weights are divided by their sum."""

    def __init__(self, rho: FloatArray, weights: FloatArray) -> None:
        self._rho = rho
        self._log_weight: FloatArray = np.log(weights / weights.sum())

    @classmethod
    def of_range(cls, largest: float, smallest: float, alike: float) -> BlockMixture:
        """For means between two sizes, with weights that are alike down to ``alike``."""
        count = 1 + math.floor(math.log(largest / smallest) / math.log(_STEP))
        rho: FloatArray = largest * _STEP ** -np.arange(count, dtype=np.float64)
        return cls(rho, np.minimum(1.0, rho / alike))

    @classmethod
    def around(cls, mean: float) -> BlockMixture:
        """For a mean that is likely to be near this one."""
        steps = np.arange(-_POINTS_AROUND, _POINTS_AROUND + 1, dtype=np.float64)
        return cls(mean * _STEP_AROUND**steps, 1.0 / (1.0 + (steps / _WIDTH) ** 2))

    def log_values(self, sums: FloatArray, variances: FloatArray) -> FloatArray:
        """``ln E_0`` for S and V of the same shape, any."""
        return log_sum(self._exponents(sums, variances))[0]

    def values_and_slopes(
        self, sums: FloatArray, variances: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """``ln E_0`` and its slope in S, of the same shape."""
        value, shares = log_sum(self._exponents(sums, variances))
        return value, np.asarray(shares @ self._rho)

    def least_sums(self, variances: FloatArray, needed: float) -> FloatArray:
        """s(V): sums at which ``ln E_0`` is ``needed``, or a little more; shape of V.

        The logarithm is convex in S: steps of Newton's method from above stay above.
        """
        first = (needed - self._log_weight) / self._rho
        sums = (first + variances[..., None] * self._rho / 2.0).min(axis=-1)
        for _ in range(_NEWTON):
            value, slope = self.values_and_slopes(sums, variances)
            sums = sums - (value - needed) / slope
        return np.asarray(sums)

    def tangents(self, variances: FloatArray, needed: float) -> tuple[FloatArray, FloatArray]:
        """Lines in V that are never below s(V), and touch it at these V.

        Where the logarithm, convex in S and V, is replaced by its tangent plane, it is less.
        """
        sums = self.least_sums(variances, needed)
        shares = log_sum(self._exponents(sums, variances))[1]
        slopes = (shares @ self._rho**2) / (shares @ self._rho) / 2.0
        return sums - slopes * variances, np.asarray(slopes)

    def _exponents(self, sums: FloatArray, variances: FloatArray) -> FloatArray:
        exponents = sums[..., None] * self._rho - variances[..., None] * self._rho**2 / 2
        return np.asarray(exponents + self._log_weight)


class OwnWeights:
    """The estimates of blocks, weighted for each difference by what they tell of it.

    ``needed`` is the logarithm of one over the probability that a bound fails.
    """

    def __init__(self, mixture: BlockMixture, needed: float) -> None:
        self.mixture, self.needed = mixture, needed
        self._blocks: list[tuple[FloatArray, FloatArray, FloatArray | None]] = []

    def add(self, theta: FloatArray, inverse: FloatArray, unseen: FloatArray | None = None) -> None:
        """Count a block that shows nothing along some orthonormal columns, ``unseen``.

        The inverse of A may be a matrix, shape (n, n), or the diagonal of one, shape (n,).
        """
        self._blocks.append((theta, inverse, unseen))

    def sums(self, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
        """S and V of each row y; shape (rows,)."""
        sums, precisions = np.zeros(len(rows)), np.zeros(len(rows))
        for theta, inverse, unseen in self._blocks:
            moved = rows * inverse if inverse.ndim == 1 else rows @ inverse
            variances = (moved * rows).sum(axis=1)
            if unseen is not None:
                variances[((rows @ unseen) ** 2).sum(axis=1) > _HIDDEN] = math.inf
            sums += rows @ theta / variances
            precisions += 1.0 / variances
        return sums, precisions

    def lower(self, sums: FloatArray, precisions: FloatArray) -> FloatArray:
        """Bounds on means with these S and V, a little less so that rounding decides nothing."""
        least = self.mixture.least_sums(precisions, self.needed)
        numerators = sums - least - _ROUNDING * (np.abs(sums) + least)
        return np.asarray(numerators / precisions)


class CommonWeights:
    """S, W and V of blocks that have the same weight for all differences.

    ``sums`` and ``variances``, shape (n,), are the parts of S and V that are each element's, and
    ``weight`` is W.
    """

    def __init__(self, size: int, mixture: BlockMixture) -> None:
        self.mixture, self.weight = mixture, 0.0
        self.sums: FloatArray = np.zeros(size)
        self.variances: FloatArray = np.zeros(size)

    def add(self, means: FloatArray, variances: FloatArray, weight: float) -> None:
        """Count a block with these means of the elements, and their variance proxies."""
        self.weight += weight
        self.sums += weight * means
        self.variances += weight**2 * variances

    def log_e_values(self, rows: FloatArray) -> FloatArray:
        """``ln E_0`` of sums over the elements of each row, of entries 0 and 1; shape (rows,)."""
        return just_below(self.mixture.log_values(rows @ self.sums, rows @ self.variances))

    def radius(self, needed: float) -> MixtureRadius:
        """S as the radius of a difference, whose estimate is S."""
        return MixtureRadius(self.mixture, self.variances, needed)


@dataclass(frozen=True, eq=False)
class MixtureRadius:
    """s(V) for ``needed`` as the radius of differences, V being sums of ``variances``."""

    mixture: BlockMixture
    variances: FloatArray
    needed: float

    @property
    def features(self) -> FloatArray:
        """What each element adds to V; shape (n, 1)."""
        return self.variances[:, None]

    def radii(self, sums: FloatArray) -> FloatArray:
        """s(V); shape (sets,) for V of shape (sets, 1)."""
        return self.mixture.least_sums(sums[:, 0], self.needed) * (1.0 + _ROUNDING)

    def places(self, sums: FloatArray) -> FloatArray:
        """V: where the line of a set touches."""
        return np.asarray(sums[:, 0])

    def lines(self, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Tangents of s."""
        constants, slopes = self.mixture.tangents(places, self.needed)
        return constants * (1.0 + _ROUNDING), slopes[:, None] * (1.0 + _ROUNDING)


def log_weight(number: int) -> float:
    """``ln ω`` of the candidate that is taken up as the ``number``-th, from 1 on."""
    return -math.log(number * (number + 1.0))


@dataclass(frozen=True)
class Pace:
    """The two shares that bound the cost of a block.

    >>> Pace().cost(spent=100.0, missing=60.0), Pace().cost(spent=10.0, missing=60.0)
    (20.0, 5.0)
    """

    part: float = 1.0 / 3.0  # of what is missing at the estimates
    growth: float = 0.5  # the most, as a share of all that was spent before

    def cost(self, spent: float, missing: float, least: float = 0.0) -> float:
        """What the next block costs, at least ``least``."""
        return max(least, min(self.growth * spent, self.part * missing))
