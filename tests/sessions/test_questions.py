"""Outcomes as people and programs say them."""

import pytest

from cpe_opt.errors import InputError
from cpe_opt.problems.queries import Duel, Pull
from cpe_opt.sessions.questions import Question, read_outcome


def duel(first, second):
    return Question("0-1.1", Duel(0, 1), (first, second))


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("first", 1), (" Second ", 0), ("tie", 0.5), ("SKIP", None), (1, 1), (0, 0), (0.5, 0.5),
        ("1", 1), ("0", 0), ("0.5", 0.5), ("Tuna", 1), ("tuna", 1), ("SALMON", 0), (1.0, 1),
    ],
)  # fmt: skip
def test_words_labels_and_numbers(said, outcome):
    assert read_outcome(duel("Tuna", "salmon"), said) == outcome


@pytest.mark.parametrize(
    "said", ["", "third", 2, -1, 0.4, True, False, None, [1], {"a": 1}, "nan", float("nan"), "un"]
)
def test_what_is_none(said):
    with pytest.raises(InputError, match="is no outcome, expected"):
        read_outcome(duel("tuna", "salmon"), said)


def test_labels_in_capitals_and_small_letters():
    assert read_outcome(duel("c", "C"), "C") == 0
    assert read_outcome(duel("a", "A"), "a") == 1
    with pytest.raises(InputError, match="could mean two things"):
        read_outcome(duel("Aa", "aA"), "aa")


def test_a_letter_that_may_be_a_place_is_no_label():
    """Whichever is shown first: what is refused must not depend on the outcome."""
    for *labels, said in ("acA", "caA", "abA", "abB", "cbB"):
        with pytest.raises(InputError, match="could mean two things, expected first"):
            read_outcome(duel(*labels), said)
    assert read_outcome(duel("c", "a"), "a") == 0
    assert read_outcome(duel("a", "b"), "b") == 0
    for said in ("A", "B"):
        with pytest.raises(InputError, match="could mean two things"):
            read_outcome(duel("A", "B"), said)
    assert read_outcome(duel("c", "d"), "D") == 0


def test_what_could_mean_two_things_means_nothing():
    assert read_outcome(duel("1", "2"), "1") == 1
    assert read_outcome(duel("1", "2"), "2") == 0
    for labels, said in [
        (("2", "1"), "1"),
        (("0", "1"), "0"),
        (("second", "first"), "first"),
        (("tie", "x"), "tie"),
        (("x", "Skip"), "skip"),
    ]:
        with pytest.raises(InputError, match="could mean two things, expected first"):
            read_outcome(duel(*labels), said)
    assert read_outcome(duel("2", "1"), 1) == 1  # a number is no label


def test_of_a_pull_any_finite_number():
    pull = Question("3.1", Pull(3), ("town",))
    assert read_outcome(pull, "2.5") == 2.5
    assert read_outcome(pull, -7) == -7
    assert read_outcome(pull, "skip") is None
    for said in ("first", "town", "inf", True, "1,5"):
        with pytest.raises(InputError, match="is no outcome, expected a number, or skip"):
            read_outcome(pull, said)
