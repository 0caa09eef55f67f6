"""The sizes of the numbers of a program: a unit for them, and sums that floats can hold."""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError

# Values, bounds and slopes are sums of entries, each taken a few times.
_ROOM = 16.0


def unit_of(*arrays: FloatArray) -> float:
    """A power of two of the size of the largest entry: dividing by it rounds nothing else."""
    largest = max((float(np.abs(array).max(initial=0.0)) for array in arrays), default=0.0)
    return math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest else 1.0


def check_sums(what: str, array: FloatArray) -> None:
    """Raise :class:`InputError` where finite entries are so large that their sums are not."""
    largest = float(np.abs(array).max(initial=0.0))
    if largest > np.finfo(np.float64).max / (_ROOM * max(1, array.size)):
        raise InputError(
            f"{what} {'have' if what.endswith('s') else 'has'} an entry of size {largest:g}, so "
            "large that sums of such entries overflow; divide all by a common factor"
        )
