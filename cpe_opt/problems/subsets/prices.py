"""Prices of pulls: what one observation of an element costs, in any unit.

A file of prices is a table with the columns ``element`` and ``price`` and one line per
element, in any order.
"""

from __future__ import annotations

import os

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, listed
from cpe_opt.problems.formats import COLUMNS, Format
from cpe_opt.problems.prices import Prices, price_array
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.tables import read_table


def checked_element_prices(prices: Prices, decisions: DecisionClass) -> FloatArray:
    """The price of a pull of each element, shape (n,), positive and finite.

    ``prices`` are one for all elements, an array of shape (n,), or the path of a file; by default
    each is 1, so that a sum of prices is a number of pulls. Raises :class:`InputError` if a
    price is missing, not positive or not finite, with its place.
    """
    where, array = price_array(
        prices, (decisions.size,), decisions.noun, lambda path: _read(path, decisions)
    )
    for label, price in zip(decisions.labels, array.tolist(), strict=True):
        if not 0.0 < price < np.inf:
            raise InputError(
                f"{where}: {decisions.noun} {label}: the price is {price:g}, expected a number "
                "above 0"
            )
    return array


def _read(path: str | os.PathLike[str], decisions: DecisionClass) -> FloatArray:
    """The prices of a file, in the order of the elements."""
    table = read_table(path, COLUMNS[Format.ELEMENT_PRICES], comments=False)
    number = {label: element for element, label in enumerate(decisions.labels)}
    names, prices = table.distinct("element"), table.numbers("price")
    array = np.full(decisions.size, np.nan)
    for row, (name, price) in enumerate(zip(names, prices.tolist(), strict=True)):
        if name not in number:
            raise InputError(
                f"{table.place(row)}: element is {name!r}, which is none; the elements are "
                f"{listed(decisions.labels, 'elements')}"
            )
        array[number[name]] = price
    absent = [decisions.labels[element] for element in np.flatnonzero(np.isnan(array))]
    if absent:
        raise InputError(
            f"{table.source}: no price of {listed(absent, 'elements')}; expected a line for each"
        )
    return array
