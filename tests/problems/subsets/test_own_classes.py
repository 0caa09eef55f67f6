"""What methods of a decision class of one's own return is checked, and refused by name."""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.experiments.fingerprint import fingerprint

WEIGHTS = [1.0, 2.0, 3.0]


class Listed(cpe.DecisionClass):
    """Sets from a list, whatever they are."""

    def __init__(self, listed, size=3):
        super().__init__(size)
        self.listed = listed

    def sets(self):
        return self.listed if not isinstance(self.listed, list) else iter(self.listed)


class Answering(Listed):
    """The same with an algorithm that always answers so."""

    def __init__(self, listed, answer):
        super().__init__(listed)
        self.answer = answer

    def best(self, weights, include=(), exclude=()):
        return self.answer


class Remembering(cpe.DecisionClass):
    """All pairs of 30, by rows; a method that is right at first, and then answers one set."""

    sizes = (2,)

    def __init__(self, right):
        super().__init__(300)
        self.right = right

    def program_rows(self, builder, columns, *, integer=False, prefix=""):
        builder.row(f"{prefix}size", columns, lower=2, upper=2)

    def best(self, weights, include=(), exclude=()):
        if not self.right:
            return (0, 1)
        free = [e for e in np.argsort(-weights, kind="stable") if e not in {*include, *exclude}]
        return tuple(sorted([*include, *free[: 2 - len(include)]]))


SETS = "the method 'sets' of Listed "
BEST = "the method 'best' of Answering answers "
LISTS = [
    ([(-1, 0)], f"{SETS}lists (-1, 0), expected elements from 0 to 2"),
    ([(0, 3)], f"{SETS}lists (0, 3), expected elements from 0 to 2"),
    ([(0, 1), (0, 0)], f"{SETS}lists (0, 0), expected no element twice"),
    ([(0.0, 1.0)], f"{SETS}lists (0.0, 1.0), expected a set of whole numbers"),
    ([(True, False)], f"{SETS}lists (True, False), expected a set of whole numbers"),
    ([None], f"{SETS}lists None, expected a set of whole numbers"),
    ([(0, 1), (1, 2), (1, 0)], f"{SETS}lists (0, 1) twice, expected every set once"),
    ([(1,), (0, 1)], f"{SETS}lists (0, 1) and (1,), expected no set that contains another"),
    (5, f"{SETS}returns 5, expected a list of sets"),
]


@pytest.mark.parametrize(("listed", "message"), LISTS, ids=[str(row[0]) for row in LISTS])
def test_lists_of_what_is_no_set_are_refused(listed, message):
    bandit = cpe.SubsetBandit(Listed(listed), [0.9, 0.5, 0.1], noise=0.5)
    for use in (
        lambda: cpe.best_subset(Listed(listed), WEIGHTS),
        lambda: Listed(listed).indicator_matrix(),
        lambda: cpe.simulate("clucb", bandit, horizon=100),
    ):
        with pytest.raises(cpe.InputError) as refused:
            use()
        assert str(refused.value) == message


ANSWERS = [
    ((0, 2), f"{BEST}(0, 2), which is no set of Answering"),
    ((0, 1), f"{BEST}(0, 1), and the set (1, 2) is better, expected a best set"),
    (None, f"{BEST}None, and the set (1, 2) is one that fits, expected a best set"),
    ((1, 5), f"{BEST}(1, 5), expected elements from 0 to 2"),
    ((1, 1), f"{BEST}(1, 1), expected no element twice"),
    ((1.0, 2.0), f"{BEST}(1.0, 2.0), expected a set of whole numbers"),
]


@pytest.mark.parametrize(("answer", "message"), ANSWERS, ids=[str(row[0]) for row in ANSWERS])
def test_wrong_best_sets_are_refused(answer, message):
    with pytest.raises(cpe.InputError) as refused:
        cpe.best_subset(Answering([(0, 1), (1, 2)], answer), WEIGHTS)
    assert str(refused.value) == message


def test_best_sets_must_have_what_they_must_and_lack_what_they_must_lack():
    decisions = Answering([(0, 1), (1, 2)], (1, 2))
    assert cpe.best_subset(decisions, WEIGHTS).elements == (1, 2)
    with pytest.raises(cpe.InputError, match="expected a set with element 0"):
        cpe.best_subset(decisions, WEIGHTS, include=[0])
    with pytest.raises(cpe.InputError, match="expected a set without element 2"):
        cpe.best_subset(decisions, WEIGHTS, exclude=[2])


@pytest.mark.parametrize("answer", [(1, 2), (2, 1), [1, 2], {1, 2}, np.array([2, 1])])
def test_right_answers_of_any_form_are_taken(answer):
    best = cpe.best_subset(Answering([(0, 1), (1, 2)], answer), WEIGHTS)
    assert best.elements == (1, 2)
    assert {type(element) for element in best.elements} == {int}


def test_a_worse_set_than_one_of_a_call_before_is_refused():
    weights = np.zeros(300)
    weights[[7, 9]] = 1.0
    decisions = Remembering(right=False)
    assert cpe.best_subset(decisions, weights).elements == (0, 1)  # nothing better is known
    decisions.right = True
    assert cpe.best_subset(decisions, weights).elements == (7, 9)
    decisions.right = False
    with pytest.raises(cpe.InputError, match=r"answers \(0, 1\), and the set \(7, 9\) is better"):
        cpe.best_subset(decisions, weights)
    # Where that one may not be taken, it says nothing.
    assert cpe.best_subset(decisions, weights, exclude=[7]).elements == (0, 1)


def test_a_wrong_number_of_sets_is_refused():
    class Miscounted(Listed):
        def count(self):
            return 2

    bandit = cpe.SubsetBandit(Miscounted([(0, 1), (0, 2), (1, 2)]), [0.9, 0.5, 0.1])
    with pytest.raises(cpe.InputError, match="Miscounted counts 2 sets of at most 2 elements"):
        cpe.simulate("exhaustive", bandit, horizon=100, sigma=2.0)


def test_a_set_that_is_worse_by_rounding_alone_is_taken():
    decisions = Answering([(0, 1), (1, 2)], (0, 1))
    assert decisions.best_set(np.array([1.0, 2.0, 1.0 + 1e-12])) == (0, 1)
    with pytest.raises(cpe.InputError, match="is better"):
        decisions.best_set(np.array([1.0, 2.0, 1.0 + 1e-6]))


class WithRows(cpe.DecisionClass):
    """Sets within random rows, with coefficients of both signs."""

    def __init__(self, seed):
        super().__init__(8)
        rng = np.random.default_rng(seed)
        self.matrix = rng.integers(-3, 4, size=(3, 8)).astype(float)
        self.lower, self.upper = rng.integers(-4, 1, size=3), rng.integers(1, 5, size=3)

    sizes = (3, 4)

    def program_rows(self, builder, columns, *, integer=False, prefix=""):
        builder.row(f"{prefix}size", columns, lower=3, upper=4)
        row, column = np.indices(self.matrix.shape)
        entries = row.ravel(), columns[column.ravel()], self.matrix.ravel()
        builder.rows(f"{prefix}within", 3, *entries, lower=self.lower, upper=self.upper)


@pytest.mark.parametrize("seed", range(8))
def test_the_sets_within_rows_are_all_and_in_order(seed):
    decisions = WithRows(seed)
    every = (some for k in (3, 4) for some in itertools.combinations(range(8), k))
    held = [
        members
        for members in every
        if (decisions.matrix[:, members].sum(axis=1) >= decisions.lower).all()
        and (decisions.matrix[:, members].sum(axis=1) <= decisions.upper).all()
    ]
    assert held
    assert list(decisions.sets()) == held
    chi = decisions.indicator_matrix()
    assert [tuple(np.flatnonzero(row)) for row in chi] == held
    assert all(map(decisions.contains, held))
    assert fingerprint(decisions) == fingerprint(WithRows(seed))
    with pytest.raises(cpe.InputError, match="too many to list"):
        decisions.indicator_matrix(len(held) - 1)
