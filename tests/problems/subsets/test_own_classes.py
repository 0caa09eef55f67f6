"""Classes of one's own: from a list, from rows, or from a test of membership, all the rest."""

import pickle
from itertools import combinations, pairwise

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.fingerprint import fingerprint
from cpe_opt.testing import check_decisions


def apart(chosen):
    return all(later - earlier > 1 for earlier, later in pairwise(chosen))


class Listed(cpe.DecisionClass):
    """Three of n, no two side by side."""

    def sets(self):
        return (chosen for chosen in combinations(range(self.size), 3) if apart(chosen))


class Rows(cpe.DecisionClass):
    sizes = (3,)

    def program_rows(self, builder, columns, *, integer=False, prefix=""):
        builder.row(f"{prefix}size", columns, lower=3.0, upper=3.0)
        count = self.size - 1
        ends = np.column_stack([columns[:-1], columns[1:]]).ravel()
        builder.rows(f"{prefix}apart", count, np.repeat(np.arange(count), 2), ends, upper=1.0)


class Members(cpe.DecisionClass):
    def contains(self, chosen):
        members = sorted(chosen)
        return len(members) == 3 and apart(members) and members[-1] < self.size


class Nothing(cpe.DecisionClass):
    pass


class Further(cpe.DecisionClass):
    """Rows with a further column."""

    sizes = (1, 2)

    def program_rows(self, builder, columns, *, integer=False, prefix=""):
        more = builder.columns(f"{prefix}y", 1)
        builder.row(f"{prefix}size", [*columns, *more], lower=1.0, upper=2.0)


def best(kind, **options):
    return cpe.best_subset(kind(7), np.ones(7), **options)


OWN = pytest.mark.parametrize("kind", [Listed, Rows, Members])


@OWN
def test_what_is_not_given_is_derived(kind):
    decisions, sets = kind(7), list(Listed(7).sets())
    assert (decisions.sizes, decisions.rank, decisions.count()) == ((3,), 3, 10)
    assert list(decisions.sets()) == sets
    assert decisions.name == kind.__name__
    assert not decisions.contains((0, 2, 7))
    assert not decisions.contains(())
    assert decisions.contains(iter([4, 0, 2]))
    check_decisions(decisions)


@OWN
def test_own_classes_are_told_apart_by_what_they_hold(kind):
    decisions = kind(7)
    before = fingerprint(decisions)
    assert decisions.contains((0, 2, 4))  # what was listed does not count
    assert fingerprint(decisions) == before == fingerprint(kind(7))
    assert fingerprint(kind(8)) != before
    assert fingerprint(pickle.loads(pickle.dumps(decisions))) == before


@OWN
def test_best_sets_designs_and_learners(kind):
    decisions, theta = kind(7), np.array([3.0, 1.0, 2.0, 2.5, 1.5, 4.0, 3.5])
    best = cpe.best_subset(decisions, theta)
    assert (best.elements, best.value) == ((0, 3, 5), 9.5)
    assert best.method == ("program" if kind is Rows else "enumerate")
    assert best.bound == pytest.approx(9.5)
    assert cpe.best_subset(decisions, theta, include=[6], exclude=[0, 2]).elements == (1, 3, 6)
    assert cpe.best_subset(decisions, theta, sense="min").value == 6.0
    with pytest.raises(InputError, match=r"no set of .* contains \{5, 6\}"):
        cpe.best_subset(decisions, theta, include=[5, 6])
    assert cpe.g_design(decisions).value == pytest.approx(7.0, abs=1e-4)
    bandit = cpe.SubsetBandit(decisions, theta, noise=0.1)
    for learner, told in (
        ("clucb", {}),
        ("icb", {"noise": 0.1}),
        ("exhaustive", {"noise": 0.1}),
        ("subset-tracking", {"noise": 0.1, "delta": 0.05, "feedback": "single"}),
        ("subset-tracking", {"noise": 0.1, "delta": 0.05, "feedback": "sums"}),
    ):
        trace = cpe.simulate(learner, bandit, seed=0, **told)
        assert (trace.answer, trace.proved) == ((0, 3, 5), True), learner


def test_classes_of_one_s_own_that_nobody_can_list():
    decisions, theta = Rows(60), np.random.default_rng(0).normal(size=60)
    best = cpe.best_subset(decisions, theta).elements
    brute = max(Listed(60).sets(), key=lambda chosen: theta[list(chosen)].sum())
    assert best == brute
    assert decisions.contains(best)
    assert not decisions.contains((0, 1, 5))


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: Nothing(4).contains((1,)), "neither of the methods"),
        (lambda: cpe.best_subset(Nothing(4), [1, 2, 3, 4]), "neither of the methods"),
        (lambda: Further(4).contains((1,)), "give it a method 'contains', too"),
        (lambda: Rows(30).count(), "Rows has no 'sets', and too many subsets to try"),
        (lambda: Members(30).sizes, "Members has no 'sizes', how many elements sets have"),
        (lambda: cpe.best_subset(Members(30), np.ones(30)), "Members has no 'sets'"),
        (lambda: best(Listed, solver="highs"), "no method 'program_rows'"),
        (lambda: best(Rows, method="combinatorial"), "method 'program' can"),
        (lambda: best(Listed, method="combinatorial"), "method 'enumerate' can"),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(ask, said):
    with pytest.raises(cpe.CpeOptError, match=said):
        ask()


def test_rows_are_not_taken_for_those_of_a_polytope():
    """Its own rows need integers: fractions would be better than any set."""

    class Odd(cpe.DecisionClass):
        sizes = (1,)

        def program_rows(self, builder, columns, *, integer=False, prefix=""):
            for first, second in combinations(range(3), 2):
                builder.row(
                    f"{prefix}not_both_{first}_{second}", columns[[first, second]], upper=1.0
                )
            builder.row(f"{prefix}one", columns, lower=1.0)

    best = cpe.best_subset(Odd(3), [1.0, 1.0, 1.0])
    assert (best.value, best.bound) == (1.0, 1.0)
