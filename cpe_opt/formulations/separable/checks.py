"""The numbers of separable models, checked and brought to a common size."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, check_sums, checked_array, unit_of
from cpe_opt.errors import InputError

MOST_SAMPLES = 1e15


def checked_scale(
    theta: npt.ArrayLike, sizes: npt.ArrayLike, budget: int
) -> tuple[FloatArray, float]:
    """A in a unit of its size, and that unit; or :class:`InputError`."""
    variance = checked_array("theta", theta)
    if variance.ndim != 1 or not variance.size:
        raise InputError(f"theta has shape {variance.shape}, expected (m,)")
    variance = checked_vector("theta", theta, len(variance))
    people = checked_vector("sizes", sizes, len(variance))
    if (variance < 0).any():
        raise InputError(f"theta has {variance.min()}, expected variances, 0 or more")
    if not (people > 0).all():
        raise InputError(f"sizes has {people.min():g}, expected numbers above 0")
    if budget < len(variance):
        raise InputError(f"budget is {budget}, expected at least one for each of {len(variance)}")
    if budget > MOST_SAMPLES:
        raise InputError(f"budget is {budget:.3g}, expected at most {MOST_SAMPLES:g} samples")
    # The root of a power of four is exact.
    root = math.ldexp(1.0, math.frexp(unit_of(variance))[1] // 2)
    unit = unit_of(people)
    return people / unit * np.sqrt(variance / root / root), unit * root


def in_full(scale: FloatArray, unit: float) -> FloatArray:
    """A itself, or :class:`InputError` if the objective, a sum of its squares, overflows."""
    if unit > math.sqrt(np.finfo(np.float64).max / (16.0 * len(scale))):
        raise InputError(f"the squares of sizes times theta, of size {unit:g}², overflow")
    return scale * unit


def checked_vector(what: str, values: npt.ArrayLike, size: int) -> FloatArray:
    """The values as a finite vector of this size, or :class:`InputError`."""
    array = checked_array(what, values)
    if array.shape != (size,):
        raise InputError(f"{what} has shape {array.shape}, expected ({size},)")
    if not np.isfinite(array).all():
        raise InputError(f"{what} has an entry that is no finite number")
    check_sums(what, array)
    return array
