"""ECW-RMED against the plain reference, and its idle stretches."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling import copeland_rmed
from cpe_opt.learners.dueling.copeland_rmed import idle_rounds
from cpe_opt.learners.dueling.ecw_rmed import ecw_rmed
from cpe_opt.learners.queries import HorizonReached
from tests.learners.dueling.reference_rmed import reference_ecw_rmed
from tests.learners.support import duels_of, singly
from tests.support import random_preferences


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
@pytest.mark.parametrize("name", ["cyclic", "mslr5-cycle"])
def test_plays_exactly_what_the_reference_plays(name, seed):
    mu = cpe.load_instance(name)
    assert play_learner(mu, seed, 700) == play_reference(mu, seed, 700)


@pytest.mark.parametrize(("alpha", "beta"), [(3.0, 0.0), (0.5, 0.3)])
def test_plays_what_the_reference_plays_with_other_parameters(alpha, beta):
    mu = random_preferences(4, np.random.default_rng(1), ties=1)
    ours = play_learner(mu, 1, 800, alpha=alpha, beta=beta)
    assert ours == play_reference(mu, 1, 800, alpha=alpha, beta=beta)


@pytest.mark.parametrize("seed", [1, 3])
def test_what_saves_time_with_many_arms_changes_nothing(seed, monkeypatch):
    mu = random_preferences(5 + 2 * seed, np.random.default_rng(seed), ties=seed)
    expected = play_learner(mu, seed, 800)
    monkeypatch.setattr(copeland_rmed, "_MANY", 0)
    assert play_learner(mu, seed, 800) == expected


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
