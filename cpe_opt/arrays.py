"""Arrays of numbers from whatever a caller hands over."""

from __future__ import annotations

from types import NoneType
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.errors import InputError

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_KINDS = {"c": "complex numbers", "U": "texts", "S": "bytes", "M": "dates", "m": "durations"}


def checked_array(what: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """A fresh array of floats, or :class:`InputError` where the values are no real numbers.

    Complex numbers, texts, None, masked entries and lists of unequal length are refused; NaN and
    infinities are left to the caller.
    """
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError(f"{what}: not an array of numbers (some of its entries are masked)")
    try:
        array: Any = np.array(values)
    except (TypeError, ValueError):
        raise InputError(f"{what}: not an array of numbers (lists of unequal length)") from None
    if array.ndim == 0 and array.dtype.kind in "OUS":
        raise InputError(f"{what} is {repr(values)[:60]}, expected an array of numbers")
    if array.dtype.kind in _KINDS:
        kind = _KINDS[array.dtype.kind]
        raise InputError(f"{what}: not an array of numbers (it holds {kind})")
    if array.dtype.kind == "O":
        strange = [entry for entry in array.ravel() if isinstance(entry, str | bytes | NoneType)]
        if strange:
            raise InputError(f"{what}: not an array of numbers (it has {strange[0]!r})")
    try:
        return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what}: not an array of numbers ({error})") from None
