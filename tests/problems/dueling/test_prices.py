"""Prices of duels: arrays and files, and what is wrong with them."""

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.problems.dueling.prices import checked_prices
from tests.support import all_of

MU = cpe.PreferenceMatrix(
    [[0.5, 0.6, 0.7], [0.4, 0.5, 0.8], [0.3, 0.2, 0.5]], labels=["tuna", "eel", "egg"]
)
EXPECTED = [[0, 2, 3], [2, 0, 4.5], [3, 4.5, 0]]


def written(folder, text):
    path = folder / "prices.csv"
    path.write_text(text, encoding="utf-8")
    return path


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


@pytest.mark.parametrize(
    "text",
    [
        "first,second,price\ntuna,eel,2\negg,tuna,3\neel,egg,4.5\n",
        "Price;Second;First\n4,5;eel;egg\n3;egg;tuna\n2;tuna;eel\n",
        "# in cents\n0,2,3\n2,0,4.5\n3,4.5,0\n",
        "tuna,eel,egg\n0,2,3\n2,0,4.5\n3,4.5,0\n",
        "tuna,0,2,3\neel,2,0,4.5\negg,3,4.5,0\n",
        ",egg,tuna,eel\negg,0,3,4.5\ntuna,3,0,2\neel,4.5,2,0\n",
    ],
)
def test_files(tmp_path, text):
    path = written(tmp_path, text)
    assert checked_prices(path, MU).tolist() == EXPECTED
    assert checked_prices(str(path), MU).tolist() == EXPECTED


def test_arms_may_be_called_like_columns(tmp_path):
    mu = cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]], labels=["first", "second"])
    for text in ("first,second\n0,2\n2,0\n", "first,second,price\nsecond,first,2\n"):
        assert checked_prices(written(tmp_path, text), mu).tolist() == [[0, 2], [2, 0]]


def test_the_prices_of_a_file_are_those_of_the_oracle(tmp_path):
    path = written(tmp_path, "first,second,price\ntuna,eel,2\negg,tuna,3\neel,egg,4.5\n")
    assert cpe.copeland_time(MU, prices=path).value == cpe.copeland_time(MU, prices=EXPECTED).value
    assert cpe.copeland_time(MU, prices=path).value > cpe.copeland_time(MU).value


ARRAYS = [
    (np.ones((2, 2)), "prices: 2 × 2 numbers, expected 3 × 3, a price for every pair of arms"),
    ([1.0, 2.0, 3.0], "prices: 3 numbers, expected 3 × 3"),
    (0, r"prices, row 0 \(tuna\), column 1 \(eel\): the price is 0, expected a number above 0"),
    (float("inf"), "the price is inf, expected a number above 0"),
    ([[0, 1, 1], [1, 0, np.nan], [1, np.nan, 0]], r"row 1 \(eel\), column 2 \(egg\): .* nan,"),
    ([[0, 1, -2], [1, 0, 1], [-2, 1, 0]], r"row 0 \(tuna\), column 2 \(egg\): the price is -2"),
    ([[0, 1, 2], [1, 0, 1], [3, 1, 0]], r"column 2 \(egg\): the price is 2, and 3 in the other"),
    ([[0, 1, 2], [1, 0, 1], [0, 1, 0]], "the price is 0, expected a number above 0"),
    ({"a": 1}, "prices"),
    ("no-such.csv", "no file 'no-such.csv'"),
    (pd.DataFrame(EXPECTED, index=list("abc"), columns=list("abc")), "prices: row 1 is of 'a', wh"),
    (pd.DataFrame(EXPECTED, index=list("abc"), columns=list("acb")), "prices: row 1 is labelled"),
]


@pytest.mark.parametrize(("prices", "message"), ARRAYS)
def test_arrays_that_are_no_prices(prices, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.copeland_time(MU, prices=prices)


FILES = [
    ("first,second,price\ntuna,eel,2\n", "prices.csv: no price of the pair tuna – egg, nor of 1 o"),
    ("first,second,price\ntuna,eel,2\negg,tuna,3\n", "no price of the pair eel – egg; expected a"),
    ("first,second,price\ntuna,eel,2\neel,tuna,2\n", "line 3: the pair eel – tuna stands there tw"),
    ("first,second,price\ntuna,eel,2\neel,tuna,2\n", "twice, first in line 2"),
    ("first,second,price\ntuna,tuna,2\n", "line 2: a pair of 'tuna' and itself"),
    (
        "first,second,price\ntuna,ale,2\n",
        "line 2: second is 'ale', which is no arm; the a",
    ),
    ("first,second,price\n*,*,2\n", r"line 2: first is '\*', which is no arm"),
    ("first,second,price\ntuna,eel,0\n", "line 2: price is 0, expected a number above 0"),
    ("first,second,price\ntuna,eel,dear\n", "line 2: price is 'dear', expected a number"),
    ("first,second,price\ntuna,eel,inf\n", "line 2: price is 'inf', expected a number"),
    ("first,second,price\ntuna,eel\n", "line 2: 2 cells, expected 3"),
    ("first,second\ntuna,eel\n", "line 1: no column 'price'; found first, second"),
    ("first,second,price,unit\ntuna,eel,2,c\n", "unknown column 'unit'"),
    ("first,second,price\n", "no lines below its header"),
    ("", "prices.csv: the file is empty, expected a matrix of prices"),
    ("a,b,c\n1,2\n", "prices.csv is no matrix of prices"),
    ("winner,loser\ntuna,eel\n", "A file of prices is a square matrix of them, or a list with"),
    ("tuna,eel,ale\n0,2,3\n2,0,4\n3,4,0\n", "prices.csv: row 3 is of 'ale', which is no arm"),
    ("tuna,eel\n0,2\n2,0\n", "prices.csv: no row for egg, expected every arm"),
    ("0,2\n2,0\n", "prices.csv: 2 × 2 numbers, expected 3 × 3"),
    (
        "0,2,3\n2,0,4\n3,5,0\n",
        r"row 1 \(eel\), column 2 \(egg\): the price is 4, and 5",
    ),
    ("0,2,3\n2,0,-4\n3,-4,0\n", r"prices.csv, row 1 \(eel\), column 2 \(egg\): the price is -4"),
    ("0,2,3\n2,0,x\n3,4,0\n", "prices.csv, line 2: 'x' is not a number"),
]


@all_of(("text", "message"), FILES)
def test_files_that_are_no_prices(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(cpe.InputError, match=message):
        cpe.copeland_time(MU, prices=path)
