r"""The threshold of generalised likelihood ratios that tells two sets apart by single rewards.

Of :math:`N_e` rewards of each element, σ-sub-Gaussian whatever decided what was pulled,
:math:`\hat\theta` are the means. For a fixed set D of d elements, at all times except with
probability :math:`e^{-X}`,

.. math:: \sum_{e \in D} N_e \frac{(\hat\theta_e - \theta_e)^2}{2 \sigma^2} \le
    \beta_D = 2 \sum_{e \in D} \ln(4 + \ln N_e) + h(d), \qquad h(d) = d\, C(X/d) ,

.. math:: C(x) = \min_{1/2 < \lambda < 1} \frac1\lambda \bigl(x + g(\lambda)\bigr), \qquad
    g(\lambda) = 2\lambda - 2\lambda \ln(4\lambda) + \ln \zeta(2\lambda) -
    \tfrac12 \ln(1 - \lambda)

(Kaufmann, Koolen, "Mixture martingales revisited with applications to sequential tests and
confidence intervals", JMLR 22, 2021, corollary 10).

**Affine bounds.** :math:`h(d) = \min_\lambda \frac1\lambda (X + d\, g(\lambda))` is the least of
functions that are affine in d. So h is concave, and any :math:`\lambda` gives

.. math:: \beta_D \le \frac X\lambda + \sum_{e \in D} \Bigl(2 \ln(4 + \ln N_e) +
    \frac{g(\lambda)}\lambda\Bigr) ,

a sum over the elements of D and a constant, with equality for the d that :math:`\lambda` is best
for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy.optimize as so
import scipy.special

from cpe_opt.arrays import FloatArray

_SIZES = 10


class GlrThreshold:
    """β of sets of elements, for X = ``log``, that of the number of sets D over δ."""

    def __init__(self, log: float) -> None:
        self._log = log

    def constants(self, sizes: FloatArray) -> FloatArray:
        """``h(d)`` of each d; of the same shape, (sets,)."""
        return np.array([size * deviation_constant(self._log / size) for size in sizes.tolist()])

    def affine(self, largest: int) -> tuple[FloatArray, FloatArray]:
        """Constants and slopes of bounds on h up to a size; shapes (bounds,)."""
        sizes = np.unique(np.rint(np.geomspace(1.0, max(1, largest), _SIZES)))
        powers = np.array([best_power(self._log / size) for size in sizes.tolist()])
        return self._log / powers, np.array([_addend(power) for power in powers.tolist()]) / powers


def glr_terms(pulls: FloatArray) -> FloatArray:
    """What each element adds to β of the sets that it is in, without h; of the same shape."""
    return np.asarray(2.0 * np.log(4.0 + np.log(pulls)))


@dataclass(frozen=True, eq=False)
class ThresholdRadius:
    r"""Radii of differences of sets by the threshold, :math:`R = \sqrt{A B}`.

    .. math:: A = \sum_{e \in D} a_e, \qquad
              B = \min_l \Bigl(k_l + \sum_{e \in D} (b_e + c_l)\Bigr) .

    For single rewards :math:`a_e = 2\sigma^2 / N_e`, and B is the threshold :math:`\beta_D`,
    by affine bounds on it. For any s > 0 and l

    .. math:: R \le \frac12 \Bigl(s A +
              \frac1s \Bigl(k_l + \sum_{e \in D} (b_e + c_l)\Bigr)\Bigr) ,

    with equality for the l of the minimum and :math:`s = \sqrt{B / A}`. Where the threshold holds,
    a set M is better than :math:`\hat M` by no more than :math:`R - \Delta`, with
    :math:`\Delta = \hat\theta(\hat M) - \hat\theta(M)` for the means: if
    :math:`\theta(M) - \theta(\hat M) > R - \Delta`, then
    :math:`\sum_D |\hat\theta_e - \theta_e| > R`, and by the inequality of Cauchy and Schwarz

    .. math:: R^2 < \sum_{e \in D} \frac1{N_e}\,
              \sum_{e \in D} N_e (\hat\theta_e - \theta_e)^2 ,
              \qquad\text{so that}\qquad
              \sum_{e \in D} N_e \frac{(\hat\theta_e - \theta_e)^2}{2 \sigma^2} > B \ge \beta_D .
    """

    spread: FloatArray  # a, shape (n,)
    costs: FloatArray  # b, shape (n,)
    constants: FloatArray  # k, shape (L,)
    slopes: FloatArray  # c, shape (L,)

    @property
    def features(self) -> FloatArray:
        """A, b, and 1."""
        return np.stack([self.spread, self.costs, np.ones(len(self.costs))], axis=1)

    def radii(self, sums: FloatArray) -> FloatArray:
        """The root of A B."""
        return np.asarray(np.sqrt(sums[:, 0] * self._thresholds(sums)))

    def places(self, sums: FloatArray) -> FloatArray:
        """The root of B/A."""
        with np.errstate(divide="ignore"):  # of no difference
            return np.asarray(np.sqrt(self._thresholds(sums) / sums[:, 0]))

    def lines(self, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """For every s, and every l."""
        s, lines = np.repeat(places, len(self.slopes)), len(places)
        slopes = np.stack([s / 2.0, 0.5 / s, np.tile(self.slopes, lines) / s / 2.0], axis=1)
        return np.tile(self.constants, lines) / s / 2.0, slopes

    def _thresholds(self, sums: FloatArray) -> FloatArray:
        """B."""
        terms = sums[:, 1, None] + self.constants + sums[:, 2, None] * self.slopes
        return np.asarray(terms.min(axis=1))


@cache
def deviation_constant(x: float) -> float:
    """C(x) for x above 0: any λ gives a bound, the best one the least."""
    power = best_power(x)
    return (x + _addend(power)) / power


@cache
def best_power(x: float) -> float:
    """The λ of C(x)."""
    least = so.minimize_scalar(
        lambda power: (x + _addend(power)) / power,
        bounds=(0.5 + 1e-9, 1.0 - 1e-12),
        method="bounded",
    )
    return float(least.x)


def _addend(power: float) -> float:
    """``g(λ)``."""
    entropy = 2.0 * power - 2.0 * power * math.log(4.0 * power)
    zeta = math.log(float(scipy.special.zeta(2.0 * power)))
    return entropy + zeta - 0.5 * math.log1p(-power)
