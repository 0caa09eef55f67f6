"""Prices of duels: numbers, arrays and data frames, and what is wrong with them."""

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.problems.pairs import checked_prices

MU = cpe.PreferenceMatrix(
    [[0.5, 0.6, 0.7], [0.4, 0.5, 0.8], [0.3, 0.2, 0.5]], labels=["tuna", "eel", "egg"]
)
EXPECTED = [[0, 2, 3], [2, 0, 4.5], [3, 4.5, 0]]


def test_numbers_and_arrays():
    assert checked_prices(None, MU).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert checked_prices(2, MU).tolist() == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]
    array = np.array([[np.nan, 2, 3], [2, -1, 4.5], [3, 4.5, 0]])  # the diagonal is not read
    found = checked_prices(array, MU)
    assert found.tolist() == EXPECTED
    found[0, 1] = 7
    assert array[0, 1] == 2


def test_a_data_frame_is_matched_by_its_labels():
    order = [2, 0, 1]
    names = [MU.labels[arm] for arm in order]
    frame = pd.DataFrame(np.array(EXPECTED)[np.ix_(order, order)], index=names, columns=names)
    assert checked_prices(frame, MU).tolist() == EXPECTED
    assert checked_prices(pd.DataFrame(EXPECTED), MU).tolist() == EXPECTED


ARRAYS = [
    (
        np.ones((2, 2)),
        r"prices has shape \(2, 2\), expected \(3, 3\), a price for every pair",
    ),
    (0, r"prices, row 0 \(tuna\), column 1 \(eel\): the price is 0, expected a number above 0"),
    ([[0, 1, 1], [1, 0, np.nan], [1, np.nan, 0]], r"row 1 \(eel\), column 2 \(egg\): .* nan,"),
    ([[0, 1, -2], [1, 0, 1], [-2, 1, 0]], r"row 0 \(tuna\), column 2 \(egg\): the price is -2"),
    ([[0, 1, 2], [1, 0, 1], [3, 1, 0]], r"column 2 \(egg\): the price is 2, and 3 in the other"),
    ("no-such.csv", "prices"),
    (
        pd.DataFrame(EXPECTED, index=list("abc"), columns=list("abc")),
        "rows are of a, b, c",
    ),
    (pd.DataFrame(EXPECTED, index=list("abc"), columns=list("acb")), "prices: row 1 is labelled"),
]


@pytest.mark.parametrize(("prices", "message"), ARRAYS)
def test_arrays_that_are_no_prices(prices, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.copeland_time(MU, prices=prices)
