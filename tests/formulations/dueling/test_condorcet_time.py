"""T* where a Condorcet winner is known to exist: closed form, program, brute force."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import UnknownName
from tests.formulations.dueling.flips import condorcet_cost, random_prices
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


@pytest.mark.parametrize("seed", range(20))
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


def test_published_instances():
    """On mslr5-condorcet it is no help to know that there is a Condorcet winner."""
    mu = cpe.load_instance("mslr5-condorcet")
    assert cpe.condorcet_time(mu).value == pytest.approx(460.6, abs=0.05)
    assert cpe.condorcet_time(cpe.load_instance("cyclic")).value == pytest.approx(8.1508, abs=5e-5)


def test_the_program_has_readable_names():
    mu = cpe.load_instance("mslr5-condorcet")
    program = cpe.condorcet_time_program(mu)
    assert program.row_names == ("loses_1", "loses_2", "loses_3", "loses_4")
    assert set(program.column_names) == {f"x_{i}_{j}" for j in range(5) for i in range(j)}


def test_arguments_are_checked():
    cycle, mu = cpe.load_instance("mslr5-cycle"), cpe.load_instance("cyclic")
    for oracle in (cpe.condorcet_time, cpe.condorcet_time_program):
        with pytest.raises(cpe.InputError, match="mslr5-cycle has no Condorcet winner, and cond"):
            oracle(cycle)
        with pytest.raises(UnknownName, match="unknown method 'closd'"):
            oracle(mu, method="closd")
        with pytest.raises(cpe.InputError, match="the price is -1, expected a number above 0"):
            oracle(mu, prices=-1)
