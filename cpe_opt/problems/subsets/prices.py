"""Prices of pulls: what one observation of an element costs, in any unit."""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.prices import Prices, price_array
from cpe_opt.problems.subsets.decisions import DecisionClass


def checked_element_prices(prices: Prices, decisions: DecisionClass) -> FloatArray:
    """The price of a pull of each element, shape (n,), positive and finite."""
    array = price_array(prices, (decisions.size,), decisions.noun)
    for label, price in zip(decisions.labels, array.tolist(), strict=True):
        if not 0.0 < price < np.inf:
            raise InputError(
                f"prices: {decisions.noun} {label}: the price is {price:g}, expected a number "
                "above 0"
            )
    return array
