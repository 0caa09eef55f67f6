"""Versatile-DB: what its reference plays, and what its paper proves."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.versatile_db import tsallis_weights
from tests.learners.conformance import DuelLearnerConformance
from tests.learners.support import duels_of, rounds_played
from tests.support import random_preferences, with_gaps


class TestVersatileDb(DuelLearnerConformance):
    learner = "versatile-db"


def tsallis_by_bisection(losses, eta):
    """Weights 4 / (eta (L - x))^2 that add up to 1."""

    def weights(x):
        return [4 / (eta * (loss - x)) ** 2 for loss in losses]

    low, high = min(losses) - 2 * len(losses) / eta, min(losses) - 1 / eta
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if sum(weights(middle)) > 1 else (middle, high)
    return weights(low)


def reference_versatile_db(arms, duel, horizon, rng):
    losses = [[0.0] * arms, [0.0] * arms]
    played = []
    while len(played) < horizon:
        eta = 2 / math.sqrt(len(played) + 1)
        p = [tsallis_by_bisection(own, eta) for own in losses]
        chosen = []
        for weights in p:
            uniform, arm = rng.random() * sum(weights), 0
            while arm < arms - 1 and uniform >= sum(weights[: arm + 1]):
                arm += 1
            chosen.append(arm)
        k, j = chosen
        played.append((k, j))
        won = duel(k, j)
        if k == j:
            won = 0.5
        losses[0][k] += (1 - won) / p[0][k]
        losses[1][j] += won / p[1][j]
    return played


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", ["cyclic", "multisol", "random"])
def test_versatile_db_plays_exactly_what_the_reference_plays(name, seed):
    """For 400 rounds: differences in the last bit grow by a factor of 10 in a hundred."""
    random = random_preferences(2 + 3 * seed, np.random.default_rng(seed))
    mu = random if name == "random" else cpe.load_instance(name)
    theirs = reference_versatile_db(
        mu.arms, duels_of(mu, seed), 400, np.random.default_rng([seed, 1])
    )
    assert rounds_played(cpe.learners.versatile_db, mu, seed, 400) == theirs


@pytest.mark.parametrize("seed", range(10))
def test_weights_minimise_the_regularised_loss_from_any_start(seed):
    rng = np.random.default_rng(seed)
    losses = rng.exponential(10.0 ** rng.integers(-3, 6), size=1 + rng.integers(1, 30))
    rate = 10.0 ** rng.uniform(-4, 0.3)
    expected = tsallis_by_bisection(losses.tolist(), rate)
    for start in (-1e9, -1.0, 0.0, losses.min(), 1e9):
        weights, x = tsallis_weights(losses, rate, start)
        np.testing.assert_allclose(weights, expected, rtol=1e-9)
        assert weights.sum() == pytest.approx(1.0, abs=1e-14)
        assert x < losses.min()


def ordered(arms, gap):
    """The first arm beats all by the gap, the others each other at random."""
    mu = with_gaps(random_preferences(arms, np.random.default_rng(arms)), gap).array.copy()
    mu[0, 1:], mu[1:, 0] = 0.5 + gap, 0.5 - gap
    return cpe.PreferenceMatrix(mu)


@pytest.mark.parametrize(
    "mu", [cpe.load_instance("cyclic"), ordered(3, 0.35)], ids=["cyclic", "ordered"]
)
def test_regret_is_below_its_bounds(mu):
    """Both bounds of the theorem, with their constants, at two horizons."""
    (winner,) = mu.copeland_winners
    gaps = mu.array[winner] - 0.5
    runs = [rounds_played(cpe.learners.versatile_db, mu, s, 4000) for s in range(3)]
    for horizon in (500, 4000):
        log, least = math.log(horizon), min(gap for gap in gaps if gap > 0)
        tight = sum((4 * log + 12) / gap for gap in gaps if gap > 0)
        tight += 4 * log + 1 / least + 1.5 * math.sqrt(mu.arms) + 8
        bound = min(tight, 4 * math.sqrt(mu.arms * horizon) + 1)
        regrets = [sum(gaps[k] + gaps[j] for k, j in played[:horizon]) / 2 for played in runs]
        assert np.mean(regrets) < bound


def test_regret_of_versatile_db_is_bounded_where_preferences_change():
    """The first arm wins for a quarter of the rounds, then another: against that one."""
    horizon, arms = 3000, 4
    early, late = np.full((arms, arms), 0.5), np.full((arms, arms), 0.5)
    early[0, 1:], early[1:, 0] = 0.9, 0.1
    late[3, :3], late[:3, 3] = 0.9, 0.1
    regrets = []
    for seed in range(2):
        rng = np.random.default_rng(seed)
        exchange = cpe.learners.Exchange(cpe.learners.versatile_db, arms, seed)
        regret = 0.0
        for t in range(horizon):
            k, j = exchange.query.i, exchange.query.j
            mu = early if t < horizon / 4 else late
            regret += (mu[3, k] + mu[3, j]) / 2 - 0.5
            exchange.tell(int(k != j and rng.random() < mu[k, j]))
        exchange.stop()
        assert exchange.answer == 3
        regrets.append(regret)
    assert np.mean(regrets) < 4 * math.sqrt(arms * horizon) + 1
