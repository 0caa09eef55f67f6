"""SAVAGE: against a plain version, and against its guarantee."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from tests.learners.conformance import DuelLearnerConformance
from tests.learners.dueling.reference_races import (
    bears_on_the_condorcet_winner,
    bears_on_the_copeland_winner,
    hoeffding,
    race_problem,
    reference_savage,
)
from tests.learners.support import OutcomesByPair, run_to_the_end
from tests.support import binomial_margin, random_preferences, with_gaps


class TestSavage(DuelLearnerConformance):
    learner = "savage"


@pytest.mark.parametrize("seed", [0, 4])
@pytest.mark.parametrize("horizon", [None, 10**6])
@pytest.mark.parametrize("target", ["copeland", "condorcet"])
def test_savage_explores_exactly_as_the_reference(seed, horizon, target):
    mu = race_problem(seed)
    pairs = mu.arms * (mu.arms - 1) / 2
    delta = 0.05 if horizon is None else 1 / horizon
    eta = (
        (lambda n: math.pi**2 * pairs * n**2 / 3)
        if horizon is None
        else (lambda n: 2 * pairs * horizon)
    )
    bears = {
        "copeland": bears_on_the_copeland_winner,
        "condorcet": bears_on_the_condorcet_winner,
    }[target]
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    books, rounds = reference_savage(mu.arms, plain.duel, hoeffding(eta, delta), bears)
    answer, played = run_to_the_end(
        cpe.learners.savage(mu.arms, horizon=horizon, target=target), ours
    )
    np.fill_diagonal(ours.draws, 0)
    assert (ours.draws == plain.draws).all()
    assert played == (rounds if horizon is None else horizon)
    if target == "copeland":
        assert answer == books.leader()


@pytest.mark.parametrize("name", ["cyclic", "multisol", "strict"])
def test_failures_stay_below_delta(name):
    """delta = 0.1, 60 seeds: with more failures than this the claim is false (error 0.001)."""
    strict = with_gaps(random_preferences(6, np.random.default_rng(3)), 0.15)
    mu = strict if name == "strict" else cpe.load_instance(name)
    runs = [cpe.simulate("savage", mu, seed=seed, delta=0.1) for seed in range(60)]
    wrong = sum(trace.answer not in mu.copeland_winners for trace in runs)
    assert wrong <= binomial_margin(60, 0.1)


def test_savage_for_the_condorcet_winner_explores_less_and_is_right():
    mu = cpe.load_instance("sushi")
    broad, narrow = (
        [cpe.simulate("savage", mu, horizon=10**6, seed=s, target=t) for s in range(5)]
        for t in ("copeland", "condorcet")
    )
    assert all(trace.answer == 0 for trace in broad + narrow)
    assert sum(t.samples for t in narrow) < sum(t.samples for t in broad)
    assert sum(t.regret[-1] for t in narrow) < 0.7 * sum(t.regret[-1] for t in broad)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"delta": 0}, "delta is 0, expected a number above 0"),
        ({"delta": 1.0}, "delta is 1.0, expected a probability between 0 and 1"),
        ({"target": "borda"}, "unknown target 'borda'"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.simulate("savage", cpe.load_instance("gap"), horizon=10, **parameters)
