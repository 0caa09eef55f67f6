from typing import ClassVar

import pytest

import cpe_opt as cpe
from cpe_opt.learners.registry import LEARNERS
from tests.learners.conformance import (
    DuelLearnerConformance,
    MatchingLearnerConformance,
    SeparableLearnerConformance,
    SubsetLearnerConformance,
)


class TestEcwRmed(DuelLearnerConformance):
    learner = "ecw-rmed"


class TestCwRmed(DuelLearnerConformance):
    learner = "cw-rmed"
    horizon = 300


class TestCcb(DuelLearnerConformance):
    learner = "ccb"


class TestDTs(DuelLearnerConformance):
    learner = "d-ts"


class TestDTsPlus(DuelLearnerConformance):
    learner = "d-ts-plus"


class TestCopelandIdentification(DuelLearnerConformance):
    learner = "copeland-identification"
    parameters: ClassVar[dict] = {"delta": 0.1}


class TestBordaTracking(DuelLearnerConformance):
    learner = "borda-tracking"
    parameters: ClassVar[dict] = {"delta": 0.1}
    at_once: ClassVar[dict] = {"parallel": 4}


class TestCondorcetTracking(DuelLearnerConformance):
    learner = "condorcet-tracking"
    parameters: ClassVar[dict] = {"delta": 0.1}
    at_once: ClassVar[dict] = {"parallel": 4}


class TestCopelandTracking(DuelLearnerConformance):
    learner = "copeland-tracking"
    parameters: ClassVar[dict] = {"delta": 0.1}
    at_once: ClassVar[dict] = {"parallel": 4}


class TestMergeDts(DuelLearnerConformance):
    learner = "merge-dts"


class TestVersatileDb(DuelLearnerConformance):
    learner = "versatile-db"


class TestScb(DuelLearnerConformance):
    learner = "scb"


class TestPbr(DuelLearnerConformance):
    learner = "pbr"


class TestPocowista(DuelLearnerConformance):
    learner = "pocowista"


class TestDkwt(DuelLearnerConformance):
    learner = "dkwt"


class TestNoisyTournament(DuelLearnerConformance):
    learner = "noisy-tournament"
    parameters: ClassVar[dict] = {"h": 0.1}
    may_abstain = True


class TestRandomPairs(DuelLearnerConformance):
    learner = "random-pairs"


class TestRankel(DuelLearnerConformance):
    learner = "rankel"


class TestRmed2fh(DuelLearnerConformance):
    learner = "rmed2fh"


class TestSavage(DuelLearnerConformance):
    learner = "savage"


class TestRmed1(DuelLearnerConformance):
    learner = "rmed1"


class TestRucb(DuelLearnerConformance):
    learner = "rucb"


class TestCarCond(MatchingLearnerConformance):
    learner = "car-cond"
    may_abstain = True


class TestMatchingTracking(MatchingLearnerConformance):
    learner = "matching-tracking"
    parameters: ClassVar[dict] = {"delta": 0.1}
    at_once: ClassVar[dict] = {"parallel": 4}


class TestCarVerify(MatchingLearnerConformance):
    learner = "car-verify"
    may_abstain = True


class TestCarParallel(MatchingLearnerConformance):
    learner = "car-parallel"
    horizon = 200


class TestClucbBordaPac(MatchingLearnerConformance):
    learner = "clucb-borda-pac"
    parameters: ClassVar[dict] = {"margin": 0.3}


class TestClucbBordaExact(MatchingLearnerConformance):
    learner = "clucb-borda-exact"


class TestClucb(SubsetLearnerConformance):
    learner = "clucb"
    horizon = 2000  # a query a pull


class TestCombGame(SubsetLearnerConformance):
    learner = "comb-game"
    horizon = 1000  # a query a pull


class TestExhaustive(SubsetLearnerConformance):
    learner = "exhaustive"
    parameters: ClassVar[dict] = {"growth": 1.1}


class TestFws(SubsetLearnerConformance):
    learner = "fws"
    horizon = 1000  # a query a pull


class TestIcb(SubsetLearnerConformance):
    learner = "icb"
    parameters: ClassVar[dict] = {"growth": 1.1}


class TestPolyAlba(SubsetLearnerConformance):
    learner = "poly-alba"


class TestRage(SubsetLearnerConformance):
    learner = "rage"
    parameters: ClassVar[dict] = {"unit": 4.0}


class TestSaFoa(SubsetLearnerConformance):
    learner = "sa-foa"
    parameters: ClassVar[dict] = {"approximation_ratio": 0.9, "growth": 1.1}


class TestSaqm(SubsetLearnerConformance):
    learner = "saqm"
    parameters: ClassVar[dict] = {"growth": 1.1}


class TestSubsetTracking(SubsetLearnerConformance):
    learner = "subset-tracking"
    parameters: ClassVar[dict] = {"delta": 0.1}


class TestCoci(SeparableLearnerConformance):
    learner = "coci"


class TestCociUniform(SeparableLearnerConformance):
    learner = "coci-uniform"


def test_every_learner_is_held_to_it():
    suites = (
        DuelLearnerConformance,
        MatchingLearnerConformance,
        SubsetLearnerConformance,
        SeparableLearnerConformance,
    )
    tested = {cls.learner for suite in suites for cls in suite.__subclasses__()}
    assert tested == set(LEARNERS)


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
