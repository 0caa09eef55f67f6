"""T* where a Condorcet winner is known to exist: closed form, program, brute force."""

import numpy as np
import pytest

import cpe_opt as cpe
from tests.formulations.dueling.flips import condorcet_cost, condorcet_cost_within, random_prices
from tests.support import random_preferences


def with_condorcet_winner(seed):
    """A matrix of 2 to 5 arms in which one beats all others, some other pairs tied, and prices."""
    rng = np.random.default_rng([15, seed])
    arms = int(rng.integers(2, 6))
    array = random_preferences(arms, rng, ties=int(rng.integers(0, 3))).array.copy()
    winner = int(rng.integers(arms))
    array[winner] = rng.uniform(0.55, 0.95, size=arms)
    array[:, winner] = 1 - array[winner]
    array[winner, winner] = 0.5
    prices = random_prices(arms, rng) if seed % 3 else np.ones((arms, arms))
    return cpe.PreferenceMatrix(array), winner, prices


@pytest.mark.parametrize("seed", range(10))
def test_the_closed_form_is_the_program_is_brute_force(seed):
    mu, winner, prices = with_condorcet_winner(seed)
    expected = condorcet_cost(mu.array, winner, prices)
    for method in ("closed", "linear"):
        time = cpe.condorcet_time(mu, prices=prices, method=method)
        assert time.value == pytest.approx(expected, rel=1e-9)
        assert time.gap < 1e-9
        assert (time.winner, time.by_winner) == (winner, {winner: time.value})
        q = time.exploration
        assert (q == q.T).all()
        assert np.triu(q * prices).sum() == pytest.approx(expected, rel=1e-9)
        shown = np.where(mu.array < 0.5, q * mu.divergences, 0.0).sum(axis=1)
        assert np.delete(shown, winner).min() >= 1 - 1e-9
        assert time.duels(0.05) == pytest.approx(time.value * 0.9 * np.log(19))
    assert time.value <= cpe.copeland_time(mu, prices=prices).value * (1 + 1e-9)
    for solver in ("glop", "scip"):
        linear = cpe.condorcet_time(mu, prices=prices, method="linear", solver=solver)
        assert linear.value == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("seed", range(6))
def test_with_a_margin_every_arm_that_loses_to_the_winner_by_less_is_right(seed):
    mu, winner, prices = with_condorcet_winner(seed)
    array = 0.5 + (mu.array - 0.5) / 3
    mu = cpe.PreferenceMatrix(array)
    margin = (0.03, 0.08, 0.15)[seed % 3]
    right = [arm for arm in range(mu.arms) if array[winner, arm] <= 0.5 + margin + 1e-9]
    expected = {arm: condorcet_cost_within(array, arm, prices, margin) for arm in right}
    for solving in ({}, {"method": "linear"}, {"method": "linear", "solver": "scip"}):
        time = cpe.condorcet_time(mu, prices=prices, margin=margin, **solving)
        assert time.by_winner == pytest.approx(expected, rel=1e-7)
        assert time.value == min(time.by_winner.values())
        assert np.triu(time.exploration * prices).sum() == pytest.approx(time.value, rel=1e-7)
    program = cpe.condorcet_time_program(mu, prices=prices, margin=margin)
    assert cpe.solve(program).objective == pytest.approx(time.value, rel=1e-7)
    assert time.value <= cpe.condorcet_time(mu, prices=prices).value * (1 + 1e-9)


def test_at_the_margin_no_number_of_duels_decides():
    mu = cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]])
    for method in ("closed", "linear"):
        assert cpe.condorcet_time(mu, 1, margin=0.1, method=method).value == np.inf
        assert cpe.condorcet_time(mu, margin=0.1, method=method).winner == 0
    with pytest.raises(cpe.InputError, match=r"arm 1 \(1\) is no right answer within 0\.05"):
        cpe.condorcet_time(mu, 1, margin=0.05)
