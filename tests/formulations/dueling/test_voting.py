import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from tests.support import random_preferences


@given(arms=st.integers(2, 9), seed=st.integers(0, 10**6), ties=st.integers(0, 3))
@settings(max_examples=20)
def test_no_arm_beats_the_lottery(arms, seed, ties):
    mu = random_preferences(arms, np.random.default_rng(seed), ties=ties)
    lottery = cpe.von_neumann_winner(mu)
    assert lottery.weights.sum() == pytest.approx(1)
    assert lottery.value < 1e-9
    assert lottery.result.objective == pytest.approx(0, abs=1e-9)
    assert lottery.result.bound == pytest.approx(0, abs=1e-9)
    if mu.condorcet_winner is not None:
        assert lottery.support == (mu.condorcet_winner,)
