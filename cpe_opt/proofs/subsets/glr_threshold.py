r"""The threshold that tells two sets apart by single rewards, and affine bounds on it.

Of :math:`N_e` rewards of each element, σ-sub-Gaussian whatever decided what was pulled,
:math:`\hat\theta` are the means. For a fixed set D of d elements, at all times but for a
probability of :math:`e^{-X}`,

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

import numpy as np
import scipy.optimize as so
import scipy.special

from cpe_opt.arrays import FloatArray

_SIZES = 10


class SingleThreshold:
    """β of sets of elements.

    Parameters
    ----------
    log : float
        X: the logarithm of how many sets D there are, over δ.
    """

    def __init__(self, log: float) -> None:
        self._log = log
        self._constant_of: dict[int, float] = {}
        self._affine_to: dict[int, tuple[FloatArray, FloatArray]] = {}

    def constants(self, sizes: FloatArray) -> FloatArray:
        """H of each d; of the same shape, (sets,)."""
        return np.array([self._constant(size) for size in sizes.astype(int).tolist()])

    def affine(self, largest: int) -> tuple[FloatArray, FloatArray]:
        """Constants and slopes of bounds on h up to a size; shapes (bounds,)."""
        if largest not in self._affine_to:
            sizes = np.unique(np.rint(np.geomspace(1.0, max(1, largest), _SIZES)))
            powers = [best_power(self._log / size) for size in sizes.tolist()]
            self._affine_to[largest] = (
                np.array([self._log / power for power in powers]),
                np.array([_addend(power) / power for power in powers]),
            )
        return self._affine_to[largest]

    def _constant(self, size: int) -> float:
        if size not in self._constant_of:
            self._constant_of[size] = size * deviation_constant(self._log / size)
        return self._constant_of[size]


def glr_terms(pulls: FloatArray) -> FloatArray:
    """What each element adds to β of the sets that it is in, beside h; of the same shape."""
    return np.asarray(2.0 * np.log(4.0 + np.log(pulls)))


def deviation_constant(x: float) -> float:
    """C(x) for x above 0: any λ gives a bound, the best one the least."""
    power = best_power(x)
    return (x + _addend(power)) / power


def best_power(x: float) -> float:
    """The λ of C(x)."""
    found = so.minimize_scalar(
        lambda power: (x + _addend(power)) / power,
        bounds=(0.5 + 1e-9, 1.0 - 1e-12),
        method="bounded",
    )
    return float(found.x)


def _addend(power: float) -> float:
    """G of a λ."""
    entropy = 2.0 * power - 2.0 * power * math.log(4.0 * power)
    zeta = math.log(float(scipy.special.zeta(2.0 * power)))
    return entropy + zeta - 0.5 * math.log1p(-power)
