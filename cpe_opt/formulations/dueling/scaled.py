r"""Sums of e-values that may be too large for a floating-point number.

A proof at :math:`\delta` asks a mixture of e-values for :math:`1/\delta`, up to 1e306, and each of
them may be larger still, or as small as what is left of a lost bet. They are added up as
:math:`E\, e^{-300}`, those above :math:`e^{980}` taken for as much, and those below
:math:`e^{-400}` as well. The first makes a mixture smaller. The second may raise it by 1e-173, far
less than the step by which evidence is rounded down (:func:`cpe_opt.ties.just_below`).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray

_SHIFT, _LEAST, _MOST = 300.0, -400.0, 980.0
ONE = math.exp(-_SHIFT)
"""The number 1, scaled."""


def scaled(log_e: FloatArray) -> FloatArray:
    """The scaled numbers of these logarithms, of the same shape.

    Examples
    --------
    >>> import numpy as np
    >>> sums = scaled(np.array([0.0, 700.0, 900.0])).cumsum()
    >>> unscaled(sums).round(3).tolist()
    [0.0, 700.0, 900.0]
    """
    return np.asarray(np.exp(np.minimum(np.maximum(log_e, _LEAST), _MOST) - _SHIFT))


def unscaled(numbers: FloatArray) -> FloatArray:
    """The logarithms of what was scaled, of the same shape."""
    return np.asarray(np.log(numbers) + _SHIFT)


def log_bet(e: FloatArray, number: npt.ArrayLike) -> FloatArray:
    """``ln(1 + (E - 1)/n)`` of scaled E: that of a bet of a share 1/n."""
    count = np.asarray(number, dtype=np.float64)
    return unscaled((e + (count - 1.0) * ONE) / count)
