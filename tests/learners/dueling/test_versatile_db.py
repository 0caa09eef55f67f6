"""Versatile-DB: what its reference plays, and what its paper proves."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.versatile_db import tsallis_weights
from tests.learners.support import duels_of, rounds_played
from tests.support import random_preferences


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


@pytest.mark.parametrize(("name", "seed"), [("cyclic", 0), ("random", 1)])
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
