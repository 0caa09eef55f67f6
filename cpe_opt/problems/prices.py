"""Prices of observations as they are given: one for all, or an array of them."""

from __future__ import annotations

import os
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError

Prices: TypeAlias = npt.ArrayLike | None


def price_array(prices: Prices, shape: tuple[int, ...], priced: str) -> FloatArray:
    """The array of prices, of any numbers: 1 by default, so that a sum of prices is a number.

    ``priced`` is what each price is of, such as "pair of arms".
    """
    if prices is None:
        return np.ones(shape)
    if isinstance(prices, str | os.PathLike):
        raise InputError(
            f"prices is {os.fspath(prices)!r}, expected a number or an array; "
            "cpe.read_prices(path, problem) reads a file"
        )
    array = checked_array("prices", prices)
    if array.ndim == 0:
        array = np.full(shape, float(array))
    if array.shape != shape:
        found, expected = (" × ".join(map(str, sizes)) for sizes in (array.shape, shape))
        raise InputError(
            f"prices: {found} numbers, expected {expected}, a price for every {priced}, or one "
            "number for all"
        )
    return array
