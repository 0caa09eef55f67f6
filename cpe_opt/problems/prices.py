"""Prices of observations as they are given: one for all, or an array of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray, checked_array, checked_shape
from cpe_opt.errors import InputError
from cpe_opt.problems.pairs import TOLERANCE

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
        return np.full(shape, float(array))
    return checked_shape("prices", array, shape, f", a price for every {priced}, or one for all")


def pair_prices(
    matrix: FloatArray, pairs: IntArray, place: Callable[[int, int], str]
) -> FloatArray:
    """The matrix with a price above 0 for each of some pairs, the same in both orders, else 0."""
    i, j = pairs.T
    price, mirror = matrix[i, j], matrix[j, i]
    checked = np.zeros_like(matrix)
    checked[i, j] = checked[j, i] = price
    bad, bad_mirror = (~((each > 0.0) & np.isfinite(each)) for each in (price, mirror))
    for row in np.flatnonzero(bad | bad_mirror)[:1].tolist():
        pair = (i[row], j[row]) if bad[row] else (j[row], i[row])
        raise InputError(
            f"prices{place(*pair)}: the price is {matrix[pair]:g}, expected a number above 0"
        )
    for row in np.flatnonzero(np.abs(price - mirror) > TOLERANCE * price)[:1].tolist():
        raise InputError(
            f"prices{place(i[row], j[row])}: the price is {price[row]:g}, and {mirror[row]:g} in "
            "the other order; a pair has one price"
        )
    return checked
