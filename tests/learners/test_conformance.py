from typing import ClassVar

import pytest

import cpe_opt as cpe
from cpe_opt.learners.registry import LEARNERS
from cpe_opt.problems.queries import Duel, Pull, PullSets
from tests.learners.conformance import (
    DuelLearnerConformance,
    MatchingLearnerConformance,
    SeparableLearnerConformance,
    SubsetLearnerConformance,
)


class TestEcwRmed(DuelLearnerConformance):
    name = "ecw-rmed"


class TestCwRmed(DuelLearnerConformance):
    name = "cw-rmed"
    horizon = 300


class TestCcb(DuelLearnerConformance):
    name = "ccb"


class TestCopelandIdentification(DuelLearnerConformance):
    name = "copeland-identification"
    parameters: ClassVar[dict] = {"delta": 0.1}


class TestScb(DuelLearnerConformance):
    name = "scb"


class TestPbr(DuelLearnerConformance):
    name = "pbr"


class TestRandomPairs(DuelLearnerConformance):
    name = "random-pairs"


class TestRankel(DuelLearnerConformance):
    name = "rankel"

    def legal(self, answer, mu):
        return sorted(answer) == list(range(mu.arms))


class TestRmed2fh(DuelLearnerConformance):
    name = "rmed2fh"


class TestSavage(DuelLearnerConformance):
    name = "savage"


class TestRmed1(DuelLearnerConformance):
    name = "rmed1"


class TestRucb(DuelLearnerConformance):
    name = "rucb"


class TestCarCond(MatchingLearnerConformance):
    name = "car-cond"


class TestCarVerify(MatchingLearnerConformance):
    name = "car-verify"


class TestCarParallel(MatchingLearnerConformance):
    name = "car-parallel"
    horizon = 200


class TestClucbBordaPac(MatchingLearnerConformance):
    name = "clucb-borda-pac"
    parameters: ClassVar[dict] = {"epsilon": 0.3}


class TestClucbBordaExact(MatchingLearnerConformance):
    name = "clucb-borda-exact"


class TestClucb(SubsetLearnerConformance):
    name = "clucb"
    horizon = 2000  # a query a pull


class TestExhaustive(SubsetLearnerConformance):
    name = "exhaustive"
    parameters: ClassVar[dict] = {"growth": 1.1}


class TestIcb(SubsetLearnerConformance):
    name = "icb"
    parameters: ClassVar[dict] = {"growth": 1.1}


class TestSaFoa(SubsetLearnerConformance):
    name = "sa-foa"
    parameters: ClassVar[dict] = {"approximation_ratio": 0.9, "growth": 1.1}


class TestSaqm(SubsetLearnerConformance):
    name = "saqm"
    parameters: ClassVar[dict] = {"growth": 1.1}


class TestCoci(SeparableLearnerConformance):
    name = "coci"


class TestCociUniform(SeparableLearnerConformance):
    name = "coci-uniform"


def test_every_learner_is_held_to_it():
    suites = (
        DuelLearnerConformance,
        MatchingLearnerConformance,
        SubsetLearnerConformance,
        SeparableLearnerConformance,
    )
    tested = {cls.name for suite in suites for cls in suite.__subclasses__()}
    assert tested == set(LEARNERS)


ILLEGAL = {
    DuelLearnerConformance: (
        cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]]),
        [Duel(1, 1, 5), Duel(0, 1)],
        [Duel(0, 2), Duel(-1, 0), Duel(0, 1, 0), Duel(0.0, 1), Duel(0, 1, 2.0), Pull(0), "duel"],
    ),
    MatchingLearnerConformance: (
        cpe.planted_condorcet(2, 2, gap=0.1, seed=0),
        [Duel(0, 1, 7)],
        [Duel(0, 0), Duel(0, 2), Duel(0, 4), Duel(-4, 1), Duel(0, 1, 0), Pull(0), None],
    ),
    SubsetLearnerConformance: (
        cpe.SubsetBandit(cpe.TopK(3, 2), [0.0, 1.0, 2.0]),
        [Pull(2, 3), PullSets(((0, 1), (0, 2)), (0, 4))],
        [
            Pull(3),
            Pull(0, 0),
            Duel(0, 1),
            PullSets(((0, 1),), (0,)),
            PullSets(((0, 1),), (1, 2)),
            PullSets(((0, 1), (1, 2)), (-1, 2)),
            PullSets(((0, 1, 2),), (1,)),
            PullSets(((1, 0),), (1,)),
            PullSets(((0, 0),), (1,)),
            PullSets(((0, 7),), (1,)),
            PullSets(((-1, 0),), (1,)),
        ],
    ),
    SeparableLearnerConformance: (
        cpe.load_instance("coins"),
        [Pull(0, 2)],
        [Pull(-1), Pull(99), Pull(0, 0), Pull(0, 1.0), PullSets(((0,),), (1,)), Duel(0, 1)],
    ),
}


@pytest.mark.parametrize("suite", ILLEGAL, ids=lambda suite: suite.__name__)
def test_the_suites_tell_legal_queries_from_others(suite):
    problem, legal, illegal = ILLEGAL[suite]
    for query in legal:
        assert suite().legal_query(query, problem), query
    for query in illegal:
        assert not suite().legal_query(query, problem), query


@pytest.mark.parametrize("name", ["ecw-rmed", "cw-rmed"])
@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("alpha", 0, "alpha is 0, expected a number above 0"),
        ("beta", -0.1, "beta is -0.1, expected a number, at least 0"),
        ("alpha", "3", "alpha is '3'"),
    ],
)
def test_parameters_are_checked(name, parameter, value, message):
    mu = cpe.load_instance("gap")
    with pytest.raises(cpe.InputError, match=message):
        cpe.simulate(name, mu, horizon=10, **{parameter: value})
