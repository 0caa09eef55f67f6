r"""A mixture of bets that bounds a mean from unbiased estimates, at all times.

Let :math:`X_1, X_2, \dots` be estimates of the same number :math:`\mu`, the next one unbiased and
:math:`v`-sub-Gaussian given those before, :math:`E e^{s (X - \mu)} \le e^{s^2 v / 2}`, with v known
before X is. With :math:`S = \sum X/v` and :math:`V = \sum 1/v`, for every :math:`\rho > 0`,
:math:`e^{\rho (S - \mu V) - \rho^2 V / 2}` is a non-negative supermartingale that starts at 1: its
factor is that inequality at :math:`s = \rho / v`. So is the mixture

.. math:: E_\mu = \sum_k w_k\, e^{\rho_k (S - \mu V) - \rho_k^2 V / 2}, \qquad
          \rho_k > 0, \quad \sum_k w_k = 1,

which ever reaches :math:`1/\delta` with probability at most :math:`\delta` (Ville). It grows with
:math:`S - \mu V`. So let s(V) be the sum at which :math:`\sum_k w_k e^{\rho_k s - \rho_k^2 V / 2}`
is :math:`1/\delta`: then :math:`\mu > (S - s(V)) / V` for all blocks at once, except with
probability :math:`\delta`.

The :math:`\rho_k` are geometric. Where nothing is known of the mean they fall in steps of 15 %,
with weights that are alike for the larger ones and fall in proportion to :math:`\rho` below
(:meth:`BlockMixture.of_range`); around a likeliest mean, in steps of 20 %, with weights that fall
like the inverse square of the number of steps from it (:meth:`BlockMixture.around`).

**Blocks.** Where a proof looks at whole blocks of queries only, a block costs a part of what is
missing at the estimates, but no more than a share of all that was spent before: blocks are large in
the middle of a run, where looks would find nothing, and small near its end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray, log_sum

_STEP = 1.15
_STEP_AROUND, _POINTS_AROUND, _WIDTH = 1.2, 60, 5.0
_NEWTON = 8


class BlockMixture:
    """The points and weights of a mixture.

    Parameters
    ----------
    rho : float array, shape (points,)
        Above 0.
    weights : float array, shape (points,)
        Above 0; they are divided by their sum.
    """

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

    def log_values(self, sums: FloatArray, information: FloatArray) -> FloatArray:
        """``ln E_0`` for S and V of the same shape, any."""
        return log_sum(self._exponents(sums, information))[0]

    def values_and_slopes(
        self, sums: FloatArray, information: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """``ln E_0`` and its slope in S, of the same shape."""
        value, shares = log_sum(self._exponents(sums, information))
        return value, np.asarray(shares @ self._rho)

    def least_sums(self, information: FloatArray, needed: float) -> FloatArray:
        """s(V): sums at which ``ln E_0`` is ``needed``, or a little more; shape of V.

        The logarithm is convex in S: steps of Newton's method from above stay above.
        """
        first = (needed - self._log_weight) / self._rho
        sums = (first + information[..., None] * self._rho / 2.0).min(axis=-1)
        for _ in range(_NEWTON):
            value, slope = self.values_and_slopes(sums, information)
            sums = sums - (value - needed) / slope
        return np.asarray(sums)

    def tangents(self, information: FloatArray, needed: float) -> tuple[FloatArray, FloatArray]:
        """Lines in V that are never below s(V), and touch it at these V.

        Where the logarithm, convex in S and V, is replaced by its tangent plane, it is less.
        """
        sums = self.least_sums(information, needed)
        shares = log_sum(self._exponents(sums, information))[1]
        slopes = (shares @ self._rho**2) / (shares @ self._rho) / 2.0
        return sums - slopes * information, np.asarray(slopes)

    def _exponents(self, sums: FloatArray, information: FloatArray) -> FloatArray:
        exponents = sums[..., None] * self._rho - information[..., None] * self._rho**2 / 2
        return np.asarray(exponents + self._log_weight)


@dataclass(frozen=True)
class Pace:
    """The two shares that bound the cost of a block.

    Attributes
    ----------
    part : float
        Of what is missing at the estimates.
    growth : float
        The most, as a share of all that was spent before.

    Examples
    --------
    >>> Pace().cost(spent=100.0, missing=60.0), Pace().cost(spent=10.0, missing=60.0)
    (20.0, 5.0)
    """

    part: float = 1.0 / 3.0
    growth: float = 0.5

    def cost(self, spent: float, missing: float, least: float = 0.0) -> float:
        """What the next block costs, at least ``least``."""
        return max(least, min(self.growth * spent, self.part * missing))
