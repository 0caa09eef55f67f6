import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from tests.support import random_preferences


@given(arms=st.integers(2, 9), seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_the_walk_is_stationary(arms, seed):
    mu = random_preferences(arms, np.random.default_rng(seed), spread=0.45)
    scores = mu.random_walk_scores
    assert scores.sum() == pytest.approx(1)
    for j in range(arms):
        inflow = sum(scores[i] * mu.array[j, i] for i in range(arms) if i != j)
        outflow = scores[j] * sum(mu.array[i, j] for i in range(arms) if i != j)
        assert inflow == pytest.approx(outflow, abs=1e-12)
    assert mu.random_walk_winners == (int(np.argmax(scores)),)


def test_two_arms_that_never_lose_to_each_others_groups():
    """Rock and paper tied at the top of two worlds: no single stationary distribution."""
    top = np.full((4, 4), 0.5)
    top[0, 2:] = top[1, 2:] = 1.0
    top[2:, 0] = top[2:, 1] = 0.0
    scores = cpe.PreferenceMatrix(top).random_walk_scores
    assert scores == pytest.approx([0.5, 0.5, 0, 0])


def test_an_arm_that_never_loses_keeps_the_walker():
    mu = cpe.PreferenceMatrix([[0.5, 1.0], [0.0, 0.5]])
    assert mu.random_walk_scores == pytest.approx([1.0, 0.0])
    assert mu.random_walk_winners == (0,)


def test_borda_winners_within_rounding_are_all_named():
    third = 1 / 3
    mu = cpe.PreferenceMatrix([[0.5, third, 1], [1 - third, 0.5, third + third], [0, third, 0.5]])
    assert mu.borda_scores[0] == pytest.approx(mu.borda_scores[1])
    assert mu.borda_winners == (0, 1)
