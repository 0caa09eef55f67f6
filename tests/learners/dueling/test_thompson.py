"""D-TS and D-TS+: what their reference plays, and what their paper proves."""

import math
from functools import partial

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.problems.queries import Duel
from tests.learners.reference_thompson import reference_d_ts
from tests.learners.support import rounds_played
from tests.support import random_preferences

D_TS = ["d-ts", "d-ts-plus"]


def problems(seed):
    rng = np.random.default_rng(seed)
    yield cpe.load_instance(["cyclic", "mslr5-condorcet", "gap", "multisol"][seed % 4])
    yield random_preferences(2 + seed % 6, rng, ties=seed % 3)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", D_TS)
def test_d_ts_plays_exactly_what_the_reference_plays(name, seed):
    for mu in problems(seed):
        ours = rounds_played(cpe.learners.get_learner(name), mu, seed, 700)
        environment = mu.environment(np.random.default_rng(seed))
        theirs = reference_d_ts(
            mu.arms,
            lambda i, j, env=environment: env.answer(Duel(i, j)),
            700,
            np.random.default_rng([seed, 1]),
            plus=name == "d-ts-plus",
        )
        assert ours == theirs


def test_the_width_of_its_intervals_is_alpha():
    """A wide one keeps more candidates."""
    mu = cpe.load_instance("cyclic")
    learner = partial(cpe.learners.d_ts, alpha=3.0)
    environment = mu.environment(np.random.default_rng(0))
    theirs = reference_d_ts(
        4,
        lambda i, j: environment.answer(Duel(i, j)),
        1500,
        np.random.default_rng([0, 1]),
        alpha=3.0,
    )
    assert rounds_played(learner, mu, 0, 1500) == theirs


@pytest.mark.parametrize("name", D_TS)
@pytest.mark.parametrize("instance", ["cyclic", "multisol", "mslr5-condorcet"])
def test_regret_is_below_the_theorem_s_main_term(name, instance):
    """Theorem 1: ln T times the sum over pairs of 4 α/Δ² + (1 + ε)/d, and a constant; ε -> 0.

    That is much, so below a twentieth of a unit a round, too.
    """
    mu, horizon, alpha = cpe.load_instance(instance), 5000, 0.51
    bound = 0.0
    for i in range(mu.arms):
        for j in range(mu.arms):
            if (p := mu.array[i, j]) < 0.5:
                divergence = p * math.log(2 * p) + (1 - p) * math.log(2 * (1 - p))
                bound += (4 * alpha / (p - 0.5) ** 2 + 1 / divergence) * math.log(horizon)
    runs = [cpe.simulate(name, mu, horizon=horizon, seed=s) for s in range(5)]
    assert all(trace.answer in mu.copeland_winners for trace in runs)
    assert np.mean([trace.regret[-1] for trace in runs]) < min(bound, 0.05 * horizon)


@pytest.mark.parametrize("name", D_TS)
@pytest.mark.parametrize("instance", ["cyclic", "multisol"])
def test_regret_is_logarithmic_with_a_condorcet_winner_and_without(name, instance):
    mu = cpe.load_instance(instance)
    runs = [cpe.simulate(name, mu, horizon=20_000, seed=s) for s in range(3)]
    short = np.mean([np.interp(2000, trace.time, trace.regret) for trace in runs])
    assert np.mean([trace.regret[-1] for trace in runs]) < 2.5 * short


@pytest.mark.parametrize("name", D_TS)
def test_at_the_horizon_it_names_the_candidate_that_leads_most(name):
    """Arm 2 wins whatever it plays, too few duels for any verdict."""
    exchange = cpe.learners.Exchange(cpe.learners.get_learner(name), 4, rng=1)
    for _ in range(25):
        query = exchange.query
        exchange.tell(int(query.i != query.j and (query.i == 2 or query.j != 2)))
    exchange.stop()
    assert exchange.answer == 2


@pytest.mark.parametrize("name", D_TS)
def test_parameters_are_checked(name):
    with pytest.raises(cpe.InputError, match=r"alpha is 0\.5, expected a number above 0\.5"):
        cpe.simulate(name, cpe.load_instance("gap"), horizon=10, alpha=0.5)
