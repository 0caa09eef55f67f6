import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.formulations.dueling.confusing_instances import ecw_rows
from tests.learners.dueling.reference_rmed import ecw_solution
from tests.support import random_preferences


@given(arms=st.integers(2, 7), seed=st.integers(0, 10**6), ties=st.integers(0, 3))
@settings(max_examples=8)
def test_closed_form_equals_the_program(arms, seed, ties):
    mu = random_preferences(arms, np.random.default_rng(seed), ties=ties)
    for winner in mu.copeland_winners:
        closed = {way: cpe.ecw_bound(mu, winner, ties=way) for way in ("free", "literal")}
        reference = ecw_solution(winner, mu.array.tolist(), mu.divergences.tolist())[1]
        assert closed["literal"].value == pytest.approx(reference, rel=1e-9)
        assert closed["free"].value >= closed["literal"].value * (1 - 1e-9)
        for way, bound in closed.items():
            for method in ("cuts", "compact", "enumerate"):
                program = cpe.ecw_bound(mu, winner, method=method, ties=way)
                assert program.value == pytest.approx(bound.value, rel=1e-7, abs=1e-9)


@given(arms=st.integers(2, 8), seed=st.integers(0, 10**6), ties=st.integers(0, 3))
@settings(max_examples=20)
def test_theorem_6(arms, seed, ties):
    """Never below C*, and equal to it winner by winner where there are two or more."""
    mu = random_preferences(arms, np.random.default_rng(seed), ties=ties)
    for winner in mu.copeland_winners:
        lower, ecw = cpe.copeland_bound(mu, winner).value, cpe.ecw_bound(mu, winner).value
        assert ecw >= lower * (1 - 1e-9)
        if len(mu.copeland_winners) > 1 and not ties:
            assert ecw == pytest.approx(lower, rel=1e-7)


@given(arms=st.integers(2, 9), seed=st.integers(0, 10**6), ties=st.integers(0, 3))
@settings(max_examples=15)
def test_exploration_is_feasible_and_attains_the_value(arms, seed, ties):
    mu = random_preferences(arms, np.random.default_rng(seed), ties=ties)
    bound = cpe.ecw_bound(mu)
    if np.isinf(bound.value):
        assert np.isinf(bound.exploration).any()
        return
    x = bound.exploration * mu.divergences
    assert ecw_rows(mu.array, bound.winner).evidence(x) >= 1 - 1e-9
    assert (x[bound.winner, list(mu.inferiors(bound.winner))] >= 1 - 1e-9).all()
    assert np.triu(bound.exploration * mu.regret()).sum() == pytest.approx(bound.value)
