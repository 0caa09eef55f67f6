"""Numbers, and arrays of them, from whatever a caller hands over; sums of exponentials."""

from __future__ import annotations

import math
import numbers
from types import NoneType
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.errors import InputError

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

RawBytes = bytes | bytearray | memoryview
"""What is no list of numbers, although Python can go through it as if it were one."""


def checked_array(
    what: str, values: npt.ArrayLike, *, booleans: bool = False
) -> npt.NDArray[np.float64]:
    """A fresh array of floats, or :class:`InputError` if the values are no real numbers.

    Complex numbers, texts, bytes, None, masked entries and lists of unequal length are refused, and
    truth values, unless ``booleans`` lets an array of them count as 0 and 1; NaN and infinities are
    left to the caller.
    """
    fault = f"{what}: not an array of numbers"
    if isinstance(values, RawBytes):
        raise InputError(f"{fault} (it holds bytes)")
    if np.ma.is_masked(values):
        raise InputError(f"{fault} (some of its entries are masked)")
    try:
        array: Any = np.array(values)
    except Exception as error:  # whatever an object of somebody else's raises when looked at
        raise InputError(f"{fault} (a {type(values).__name__}: {str(error)[:60]})") from None
    kind = array.dtype.kind
    if kind not in ("biufO" if booleans else "iufO"):
        raise InputError(f"{fault} (it holds {array.dtype.name})")
    if kind == "O":
        odd = (str, bytes, NoneType) if booleans else (str, bytes, NoneType, bool, np.bool_)
        strange = [entry for entry in array.ravel() if isinstance(entry, odd)]
        if strange:
            raise InputError(f"{fault} (it has {strange[0]!r})")
    elif not booleans and _has_truth_value(values):
        raise InputError(f"{fault} (it has a truth value)")
    try:
        return np.asarray(array, dtype=np.float64)
    except (OverflowError, TypeError, ValueError) as error:
        raise InputError(f"{fault} ({error})") from None


def checked_shape(
    what: str,
    values: npt.ArrayLike,
    shape: tuple[int, ...],
    each: str = "",
    *,
    finite: bool = False,
) -> FloatArray:
    """The array of floats of this shape, or :class:`InputError`; ``each`` is what an entry is."""
    array = checked_array(what, values)
    if array.shape != shape:
        raise InputError(f"{what} has shape {array.shape}, expected {shape}{each}")
    if finite and not np.isfinite(array).all():
        place = tuple(int(index[0]) for index in np.nonzero(~np.isfinite(array)))
        raise InputError(f"{what}{list(place)} is {array[place]}, expected a finite number")
    return array


def row_entries(
    *terms: tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike],
) -> tuple[IntArray, IntArray, FloatArray]:
    """The entries of the rows of a program from terms: row numbers, columns and coefficients.

    The three parts of a term are broadcast together.
    """
    parts = [np.broadcast_arrays(*term) for term in terms]
    rows, columns, values = (
        np.concatenate([part[place].ravel() for part in parts] or [np.zeros(0)])
        for place in range(3)
    )
    return rows.astype(np.int64), columns.astype(np.int64), values.astype(np.float64)


def _has_truth_value(values: Any) -> bool:
    """Whether there is one in nested lists, of which numpy makes 0 or 1."""
    kinds = set(map(type, values)) if isinstance(values, list | tuple) else set()
    nested = not kinds.isdisjoint((list, tuple))
    return not kinds.isdisjoint((bool, np.bool_)) or (nested and any(map(_has_truth_value, values)))


def is_whole(value: Any) -> bool:
    """Whether it is a whole number, of Python or numpy; True and False are none."""
    whole = type(value) is int or isinstance(value, numbers.Integral)
    return whole and not isinstance(value, bool)


def log_sum(exponents: FloatArray, axis: int = -1) -> tuple[FloatArray, FloatArray]:
    """The logarithm of a sum of exponentials along an axis, and the share of each in the sum.

    A term of 0 is minus infinity, not all of a sum. Shares are the slopes of the logarithm in the
    exponents.

    >>> logarithm, shares = log_sum(np.log([1.0, 3.0]))
    >>> np.exp(logarithm).round(9).tolist(), shares.round(9).tolist()
    (4.0, [0.25, 0.75])
    """
    largest = exponents.max(axis=axis, keepdims=True)
    terms = np.exp(exponents - largest)
    total = terms.sum(axis=axis, keepdims=True)
    return np.asarray((largest + np.log(total)).squeeze(axis)), np.asarray(terms / total)


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
