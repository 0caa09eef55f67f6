"""Prices of duels: numbers, arrays and data frames, and what is wrong with them."""

import numpy as np
import pandas as pd

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
