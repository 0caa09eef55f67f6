"""RUCB: what its reference plays, and what its paper claims."""

import numpy as np
import pytest

import cpe_opt as cpe
from tests.learners.conformance import DuelLearnerConformance
from tests.learners.dueling.reference_confidence import reference_rucb
from tests.learners.support import duels_of, rounds_played
from tests.support import random_preferences


class TestRucb(DuelLearnerConformance):
    learner = "rucb"


@pytest.mark.parametrize("seed", range(6))
def test_rucb_plays_exactly_what_the_reference_plays(seed):
    named = cpe.load_instance(["cyclic", "mslr5-condorcet", "gap", "mslr5-cycle"][seed % 4])
    drawn = random_preferences(3 + seed % 4, np.random.default_rng(seed), ties=seed % 3)
    for mu in (named, drawn):
        theirs = reference_rucb(mu.arms, duels_of(mu, seed), 1000, np.random.default_rng([seed, 1]))
        assert rounds_played(cpe.learners.rucb, mu, seed, 1000) == theirs


def test_with_many_arms_few_upper_bounds_decide_alike():
    mu = random_preferences(12, np.random.default_rng(4))
    theirs = reference_rucb(12, duels_of(mu, 0), 1500, np.random.default_rng([0, 1]))
    assert rounds_played(cpe.learners.rucb, mu, 0, 1500) == theirs


def test_with_a_condorcet_winner_regret_is_logarithmic():
    runs = [
        cpe.simulate("rucb", cpe.load_instance("cyclic"), horizon=10**9, seed=s) for s in range(6)
    ]
    assert all(trace.answer == 0 for trace in runs)
    short = np.mean([np.interp(1e5, trace.time, trace.regret) for trace in runs])
    assert np.mean([trace.regret[-1] for trace in runs]) < 4 * short


def test_without_a_condorcet_winner_regret_can_be_linear():
    """A winner that loses to one arm (gap): it may not settle on it."""
    trace = cpe.simulate("rucb", cpe.load_instance("gap"), horizon=50_000, seed=1)
    assert trace.regret[-1] > 1.8 * np.interp(25_000, trace.time, trace.regret)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": 0.5}, "alpha is 0.5, expected a number above 0.5"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.simulate("rucb", cpe.load_instance("gap"), horizon=10, **parameters)
