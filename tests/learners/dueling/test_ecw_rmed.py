"""ECW-RMED against the plain reference, and its idle stretches."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.copeland_rmed import idle_rounds
from cpe_opt.learners.dueling.ecw_rmed import ecw_rmed
from cpe_opt.learners.queries import HorizonReached
from tests.learners.conformance import DuelLearnerConformance
from tests.learners.dueling.reference_rmed import reference_ecw_rmed
from tests.learners.support import duels_of, singly
from tests.support import random_preferences


class TestEcwRmed(DuelLearnerConformance):
    learner = "ecw-rmed"


def play_reference(mu, seed, horizon, **parameters):
    return reference_ecw_rmed(mu.arms, duels_of(mu, seed), horizon, **parameters)


def play_learner(mu, seed, horizon, **parameters):
    """The pairs played round by round, idle stretches written out."""
    environment = mu.environment(np.random.default_rng(seed))
    played = []
    learner = singly(ecw_rmed(mu.arms, **parameters))
    query = next(learner)
    while True:
        played += [(query.i, query.j)] * min(query.times, horizon - len(played))
        if len(played) == horizon:
            with pytest.raises(StopIteration):
                learner.throw(HorizonReached())
            return played
        query = learner.send(environment.answer(query))


@pytest.mark.parametrize("seed", [1])
@pytest.mark.parametrize("name", ["gap", "mslr5-cycle", "mslr5-condorcet", "multisol", "cyclic"])
def test_plays_exactly_what_the_reference_plays(name, seed):
    mu = cpe.load_instance(name)
    assert play_learner(mu, seed, 1000) == play_reference(mu, seed, 1000)


def test_plays_what_the_reference_plays_for_longer():
    mu = cpe.load_instance("gap")
    assert play_learner(mu, 11, 4000) == play_reference(mu, 11, 4000)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("alpha", "beta"), [(3.0, 0.0), (0.5, 0.3)])
def test_plays_what_the_reference_plays_with_other_parameters(seed, alpha, beta):
    rng = np.random.default_rng(seed)
    mu = random_preferences(4, rng, ties=seed % 2)
    ours = play_learner(mu, seed, 800, alpha=alpha, beta=beta)
    assert ours == play_reference(mu, seed, 800, alpha=alpha, beta=beta)


def test_idle_rounds_are_the_rounds_before_something_changes():
    """Compared with a walk through the rounds, whichever rule ends the stretch."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        evidence, fewest = rng.uniform(0, 8), int(rng.integers(1, 12))
        alpha, t = rng.uniform(0.5, 4), int(rng.integers(3, 60))
        walked = 0
        while walked < 5000:
            s = t + walked
            if fewest < alpha * math.sqrt(math.log(s)) or evidence < math.log(s):
                break
            walked += 1
        assert min(idle_rounds(evidence, fewest, t, alpha), 5000) == walked


def test_idle_rounds_wait_until_the_rule_with_beta_has_started():
    assert idle_rounds(math.inf, 10**9, 1, 3.0) == 0
    assert idle_rounds(math.inf, 10**9, 2, 3.0) == 0


def test_only_idle_time_is_added_by_a_longer_horizon():
    """Where nothing is close, exploration stops mattering: queries grow like ln T."""
    mu = cpe.load_instance("cyclic")
    short = cpe.simulate("ecw-rmed", mu, horizon=10**6, seed=5)
    long = cpe.simulate("ecw-rmed", mu, horizon=10**12, seed=5)
    assert long.queries < 2.5 * short.queries
    assert long.rounds == 10**12


@pytest.mark.parametrize("name", ["cyclic", "multisol"])
def test_regret_stays_near_the_bound(name):
    """Theorem 4 is asymptotic; at T = 10^6 a factor 3 and forced exploration of all pairs."""
    mu = cpe.load_instance(name)
    horizon = 10**6
    forced = mu.regret()[np.triu_indices(mu.arms, 1)].sum() * (3 * math.sqrt(math.log(horizon)) + 1)
    limit = 3 * cpe.ecw_bound(mu).value * math.log(horizon) + forced
    regrets = [cpe.simulate("ecw-rmed", mu, horizon=horizon, seed=s).regret[-1] for s in range(3)]
    assert np.mean(regrets) < limit


@pytest.mark.slow
def test_without_beta_an_estimate_of_one_half_is_drawn_again():
    """On sushi the first two arms are often level after the forced duels; neither may stay so."""
    mu = cpe.load_instance("sushi")
    runs = [cpe.simulate("ecw-rmed", mu, horizon=10**5, seed=s, beta=0.0) for s in range(2)]
    assert all(trace.answer == 0 for trace in runs)
    assert all(trace.draws[0, 1] > 1000 for trace in runs)


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("alpha", 0, "alpha is 0, expected a number above 0"),
        ("beta", -0.1, "beta is -0.1, expected a number, at least 0"),
        ("alpha", "3", "alpha is '3'"),
    ],
)
def test_parameters_are_checked(parameter, value, message):
    for name in ("ecw-rmed", "cw-rmed"):
        with pytest.raises(cpe.InputError, match=message):
            cpe.simulate(name, cpe.load_instance("gap"), horizon=10, **{parameter: value})
