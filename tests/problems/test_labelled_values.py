"""Values that pandas has labelled are read by their labels, and those of few digits as meant."""

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe

LETTERS = cpe.TopK(3, 1, ["a", "b", "c"])
OUTCOMES = pd.DataFrame({"b": [1, 1], "a": [False, False], "d": [0.5, 0.5]})


def pandas_weights(index):
    return pd.Series([3.0, 2.0, 1.0], index=index)


def test_series_of_pandas_are_read_by_their_labels():
    by_label = cpe.best_subset(LETTERS, pandas_weights(["c", "b", "a"]))
    assert by_label.elements == (2,)
    assert cpe.best_subset(LETTERS, pandas_weights(None)).elements == (0,)
    assert cpe.best_subset(
        cpe.TopK(4, 2), pd.Series([4.0, 3, 2, 1], index=[3, 2, 1, 0])
    ).elements == (2, 3)
    bandit = cpe.SubsetBandit(LETTERS, pandas_weights(["c", "b", "a"]))
    assert bandit.theta.tolist() == [1.0, 2.0, 3.0]


def test_outcomes_of_pandas_are_read_by_their_header():
    named = OUTCOMES.rename(columns={"d": "c"})
    by_order = cpe.SubsetBandit.from_outcomes(named, 1)
    assert by_order.labels == ("b", "a", "c")
    assert by_order.theta.tolist() == [1.0, 0.0, 0.5]
    for bandit in (
        cpe.SubsetBandit.from_outcomes(named, LETTERS),
        cpe.SubsetBandit.from_outcomes(named, 1, labels=["a", "b", "c"]),
        cpe.SubsetBandit(LETTERS, [0.0, 1.0, 0.5], outcomes=named),
    ):
        assert bandit.labels == ("a", "b", "c")
        assert bandit.outcomes.tolist() == [[0.0, 1.0, 0.5]] * 2
    counted = pd.DataFrame(np.eye(2))
    assert cpe.SubsetBandit.from_outcomes(counted, cpe.TopK(2, 1, ["a", "b"])).labels == ("a", "b")


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_matrices_of_fewer_digits_are_what_was_written(kind):
    matrix = np.array([[0.5, 0.8, 0.123], [0.2, 0.5, 0.7], [0.877, 0.3, 0.5]])
    exact = cpe.PreferenceMatrix(matrix)
    np.testing.assert_allclose(cpe.PreferenceMatrix(matrix.astype(kind)).array, exact.array)
    wrong = matrix.astype(kind)
    wrong[0, 1] += 20 * np.finfo(kind).eps
    with pytest.raises(cpe.InputError, match="do not add up to 1"):
        cpe.PreferenceMatrix(wrong)
