import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.errors import UnknownName
from cpe_opt.problems.dueling.preferences import binary_divergence
from tests.support import random_preferences


def test_what_beats_what():
    mu = cpe.PreferenceMatrix(
        [[0.5, 0.7, 0.4, 0.5], [0.3, 0.5, 0.8, 0.9], [0.6, 0.2, 0.5, 0.6], [0.5, 0.1, 0.4, 0.5]],
        labels=["a", "b", "c", "d"],
    )
    assert mu.arms == mu.known == 4
    assert mu.superiors(0) == (2,)
    assert mu.inferiors(0) == (1,)
    assert mu.losses.tolist() == [1, 1, 1, 2]
    assert mu.copeland_scores.tolist() == [1, 2, 2, 0]
    assert mu.copeland_winners == (0, 1, 2)
    assert mu.condorcet_winner is None
    assert mu.ties == ((0, 3),)
    assert mu.borda_scores == pytest.approx([1.6 / 3, 2 / 3, 1.4 / 3, 1 / 3])
    assert mu.gaps[0].tolist() == pytest.approx([0, 0.2, 0.1, 0])
    assert "Copeland winners: a, b, c" in repr(mu)


def test_regret_in_both_units():
    mu = cpe.load_instance("gap")
    means = mu.regret()
    losses = mu.losses
    assert means[1, 3] == (losses[1] + losses[3] - 2 * losses.min()) / 8
    assert means[0, 0] == 0
    assert np.allclose(mu.regret("sum"), 2 * means)  # nothing is tied
    tied = cpe.load_instance("arxiv")
    assert not np.allclose(tied.regret("sum"), 2 * tied.regret())
    with pytest.raises(UnknownName, match="unknown regret unit 'nats'"):
        mu.regret("nats")


@given(seed=st.integers(0, 10**6), arms=st.integers(2, 9), ties=st.integers(0, 3))
@settings(max_examples=15)
def test_invariants(seed, arms, ties):
    mu = random_preferences(arms, np.random.default_rng(seed), ties=ties)
    assert np.allclose(mu.array + mu.array.T, 1)
    assert (mu.losses + mu.copeland_scores + (mu.array == 0.5).sum(axis=1)).tolist() == [
        arms
    ] * arms
    assert mu.losses.sum() == mu.copeland_scores.sum()
    assert (mu.regret() >= 0).all()
    assert (mu.regret()[np.ix_(mu.copeland_winners, mu.copeland_winners)] == 0).all()
    if mu.condorcet_winner is not None:
        assert mu.copeland_winners == (mu.condorcet_winner,)


def test_divergences_that_are_equal_on_paper_are_equal():
    """Costs are made of them: which pair is cheaper may not hang on how 0.7 was written."""
    ways = [0.7, 1.0 - 0.3, 0.1 * 7, 0.3, 1.0 - 0.7, 0.1 + 0.2]
    assert len(set(ways)) > 2
    arms = len(ways) + 1
    array = np.full((arms, arms), 0.5)
    array[0, 1:], array[1:, 0] = ways, 1.0 - np.array(ways)
    divergences = cpe.PreferenceMatrix(array).divergences
    assert len({*divergences[0, 1:].tolist(), *divergences[1:, 0].tolist()}) == 1
    expected = 0.7 * math.log(1.4) + 0.3 * math.log(0.6)
    assert divergences[0, 1] == pytest.approx(expected, rel=1e-12)


def test_divergence_is_accurate_near_one_half():
    for margin in (1e-2, 1e-3, 9.9e-4, 1e-4, 1e-6):
        p = 0.5 + margin
        exact = math.fsum(
            2 * (2 * margin) ** (2 * k) / (2 * (2 * k) * (2 * k - 1)) for k in (1, 2, 3)
        )
        assert binary_divergence(p) == pytest.approx(exact, rel=1e-8)
    assert binary_divergence([0.0, 1.0, 0.5]).tolist() == [math.log(2), math.log(2), 0.0]


def test_the_array_cannot_be_changed_and_submatrices_keep_labels():
    mu = cpe.load_instance("sushi")
    with pytest.raises(ValueError, match="read-only"):
        mu.array[0, 1] = 1
    part = mu.submatrix([3, 0])
    assert part.labels == ("tuna", "mildly fatty tuna")
    assert part.array[0, 1] == mu.array[3, 0]


VALUES = [[0.5, 0.6], [0.4, 0.5]]


@pytest.mark.parametrize(
    ("index", "columns", "labels"),
    [
        (["a", "b"], ["a", "b"], ("a", "b")),
        (["a", "b"], None, ("a", "b")),
        (None, ["a", "b"], ("a", "b")),
    ],
)
def test_a_data_frame_keeps_its_labels(index, columns, labels):
    frame = pd.DataFrame(VALUES, index=index, columns=columns)
    assert cpe.PreferenceMatrix(frame).labels == labels
    assert cpe.PreferenceMatrix(frame, ["x", "y"]).labels == ("x", "y")


@pytest.mark.parametrize(
    ("array", "labels", "message"),
    [
        (pd.DataFrame(VALUES, ["a", "b"], ["b", "a"]), None, "row 0 is labelled 'a' and column 0"),
        (np.array(VALUES) + 0j, None, "it holds complex128"),
        (np.ma.masked_less(VALUES, 0.45), None, "some of its entries are masked"),
        (VALUES, ["a", None], r"labels\[1\] is None, expected a text"),
        (VALUES, ["a", " "], r"labels\[1\] is ' ', expected a text that is not blank"),
        (VALUES, "ab", "labels is 'ab', expected a list of labels in their order"),
    ],
)
def test_arrays_that_are_no_numbers_and_labels_that_are_none(array, labels, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.PreferenceMatrix(array, labels)
