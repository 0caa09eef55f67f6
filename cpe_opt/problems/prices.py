"""Prices of observations as they are given: one for all, an array, or the path of a file.

What a file of them holds, and of what each price is, is said by the families:
:mod:`cpe_opt.problems.dueling.prices`, :mod:`cpe_opt.problems.matchings.prices`,
:mod:`cpe_opt.problems.subsets.prices`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.formats.text import require_file

Prices: TypeAlias = npt.ArrayLike | str | os.PathLike[str] | None


def price_array(
    prices: Prices,
    shape: tuple[int, ...],
    priced: str,
    read: Callable[[str | os.PathLike[str]], FloatArray],
) -> tuple[str, FloatArray]:
    """Where prices come from, for messages, and the array of them.

    Parameters
    ----------
    prices : array_like, path or None
        None is the price 1 of every observation, so that a sum of prices is a number of these.
    shape : tuple of int
        Of the array.
    priced : str
        What each price is of, such as "pair of arms".
    read : callable
        The array in the file of a path, of any shape.

    Returns
    -------
    str
        The name of the file, or "prices".
    float array, shape ``shape``
        Any numbers.

    Raises
    ------
    InputError
        Where there is no such file, or the array has another shape.
    """
    where = "prices"
    if prices is None:
        return where, np.ones(shape)
    if isinstance(prices, str | os.PathLike):
        where, array = require_file(prices).name, read(prices)
    else:
        array = checked_array(where, prices)
        if array.ndim == 0:
            array = np.full(shape, float(array))
    if array.shape != shape:
        found, expected = (" × ".join(map(str, sizes)) for sizes in (array.shape, shape))
        raise InputError(
            f"{where}: {found} numbers, expected {expected}, a price for every {priced}, or one "
            "number for all"
        )
    return where, array
