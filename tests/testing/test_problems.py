"""The checks of problems and of decision classes find faults, and pass those of this package."""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.problems.problem import FAMILIES
from cpe_opt.testing import check_decisions, check_problem, is_legal_query, standard_problems


def some_queries(problem):
    if problem.family == "matchings":
        return [cpe.Duel(int(e), int(f), 3) for e, f in problem.graph.pairs[:4]]
    if problem.family == "subsets":
        chosen = next(problem.known.sets())
        return [cpe.Pull(0, 2), cpe.PullSets((chosen,), (4,)), cpe.PullSets((chosen,), (1,))]
    if problem.family == "separable":
        return [cpe.Pull(0, 2), cpe.Pull(1)]
    return [cpe.Duel(0, 1), cpe.Duel(1, 0, 70), cpe.Duel(1, 1, 9)]


@pytest.mark.parametrize("family", FAMILIES)
def test_standard_problems_are_problems(family):
    found = standard_problems(family)
    assert len({problem.name for problem in found}) == len(found) >= 5
    for problem in found:
        assert problem.family == family
        queries = some_queries(problem)
        assert all(is_legal_query(query, problem) for query in queries)
        check_problem(problem, queries)


class Coin:
    """A problem of one's own; each fault below is a change to it."""

    name, family, labels, known, fingerprint = "coin", "coins", ("heads", "tails"), 2, (1, 2)

    def environment(self, rng):
        return CoinEnvironment(rng)

    def recorder(self, *, horizon=None, regret=None, points=None):
        return cpe.load_instance("gap").recorder(horizon=horizon)


class CoinEnvironment:
    def __init__(self, rng):
        self.rng = rng

    def check(self, query):
        if not isinstance(query, cpe.Duel):
            raise cpe.InputError("no duel")
        return query

    def answer(self, query):
        return int(self.rng.integers(query.times + 1))


class Labelled(Coin):
    labels = ("heads", "heads")


class Numbered(Coin):
    labels = (1, 2)


class Restless(Coin):
    numbers = itertools.count()

    @property
    def fingerprint(self):
        return next(self.numbers)


class Random(Coin):
    def environment(self, rng):
        return CoinEnvironment(np.random.default_rng())


class Credulous(Coin):
    def environment(self, rng):
        environment = CoinEnvironment(rng)
        environment.check = lambda query: query
        return environment


class Miscounting(Coin):
    def recorder(self, *, horizon=None, regret=None, points=None):
        recorder = super().recorder(horizon=horizon)
        recorder.note = lambda query, times: None
        return recorder


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (Labelled(), "the problem 'coin' has the same label twice"),
        (Numbered(), "has labels that are no texts"),
        (Restless(), "has another fingerprint each time"),
        (Random(), "answers otherwise from the same seed"),
        (Credulous(), "takes any object for a query, expected InputError"),
        (Miscounting(), "its recorder counts 0 of 1000000001"),
        (3, "3 is no problem: it lacks name, family, known, labels, fingerprint, …"),
    ],
)
def test_faults_of_problems_are_found_and_named(problem, message):
    queries = [cpe.Duel(0, 1, 10**9), cpe.Duel(0, 1)]
    with pytest.raises(AssertionError, match=message):
        check_problem(problem, queries)
    check_problem(Coin(), queries)


@pytest.mark.parametrize(
    "decisions",
    [
        cpe.TopK(6, 3),
        cpe.PartitionMatroid([0, 0, 0, 1, 1], [2, 1]),
        cpe.Matchings(cpe.BipartiteGraph.complete(4, 2)),
    ],
    ids=lambda decisions: decisions.name,
)
def test_classes_of_the_package_pass(decisions):
    check_decisions(decisions)


class Pairs(cpe.DecisionClass):
    """Neighbouring elements; each fault below is a change to it."""

    name, sizes = "pairs", (2,)
    listed = ((0, 1), (1, 2), (2, 3))

    def __init__(self):
        super().__init__(4)

    def count(self):
        return 3

    def sets(self):
        return iter(self.listed)

    def contains(self, chosen):
        return tuple(chosen) in self.listed

    @property
    def fingerprint(self):
        return {}

    def best(self, weights, include=(), exclude=()):
        return max(self.listed, key=lambda members: weights[list(members)].sum())


FAULTS = {
    "has no set": {"listed": ()},
    "lists a set twice": {"listed": ((0, 1), (0, 1), (2, 3))},
    "counts 2 of 3 sets": {"count": lambda self: 2},
    r"lists \(1, 0\), expected ascending elements": {"listed": ((1, 0), (1, 2), (2, 3))},
    r"lists \(2, 4\), expected ascending": {"listed": ((0, 1), (1, 2), (2, 4))},
    "lists .* and does not contain it": {"contains": lambda self, chosen: False},
    "does not agree with sets": {"contains": lambda self, chosen: True},
    "has sets of .* elements, not what it says": {"sizes": (2, 3)},
    "and the set .* is better": {"best": lambda self, weights, i=(), e=(): (0, 1)},
    "answers .*, which is no set of pairs": {"best": lambda self, weights, i=(), e=(): (0, 3)},
}


@pytest.mark.parametrize("message", FAULTS)
def test_faults_of_classes_are_found_and_named(message):
    check_decisions(Pairs())
    with pytest.raises((AssertionError, cpe.InputError), match=message):
        check_decisions(type("Faulty", (Pairs,), FAULTS[message])())
