import types

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from tests.support import random_preferences


@given(arms=st.integers(2, 9), seed=st.integers(0, 10**6), ties=st.integers(0, 3))
@settings(max_examples=40)
def test_no_arm_beats_the_lottery(arms, seed, ties):
    mu = random_preferences(arms, np.random.default_rng(seed), ties=ties)
    lottery = cpe.von_neumann_winner(mu)
    assert lottery.weights.sum() == pytest.approx(1)
    assert lottery.exploitability < 1e-9
    assert lottery.result.objective == pytest.approx(0, abs=1e-9)
    assert lottery.result.bound == pytest.approx(0, abs=1e-9)
    if mu.condorcet_winner is not None:
        assert lottery.support == (mu.condorcet_winner,)


@pytest.mark.parametrize("solver", ["highs", "glop", "scip", "clarabel", "pdlp"])
def test_every_solver_finds_the_lottery(solver):
    """A generic tournament has one von Neumann winner."""
    mu = random_preferences(7, np.random.default_rng(8))
    expected = cpe.von_neumann_winner(mu).weights
    assert len(cpe.von_neumann_winner(mu).support) > 1
    assert cpe.von_neumann_winner(mu, solver=solver).weights == pytest.approx(expected, abs=1e-4)


def test_a_lottery_that_an_arm_beats_says_by_how_much(monkeypatch):
    """Rock alone: paper beats it always."""
    mu = cpe.PreferenceMatrix([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]])
    unsolved = types.SimpleNamespace(x=np.array([1.0, 0.0, 0.0, 0.5]))
    monkeypatch.setattr("cpe_opt.formulations.dueling.voting.solve", lambda *_, **__: unsolved)
    assert cpe.von_neumann_winner(mu).exploitability == 0.5
