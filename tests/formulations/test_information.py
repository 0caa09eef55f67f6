"""What confidence costs, for every kind of characteristic time."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.dueling.copeland_time import CharacteristicTime
from cpe_opt.formulations.information import asymptotic_cost, least_cost
from cpe_opt.formulations.matchings.matching_time import MatchingTime
from cpe_opt.formulations.subsets.subset_time import SubsetTime

ENDLESS = {"value": math.inf, "bound": math.inf, "method": "cone"}
COSTS = {
    "dueling": CharacteristicTime(
        **ENDLESS, winner=0, exploration=np.zeros((2, 2)), by_winner={}
    ).duels,
    "matchings": MatchingTime(**ENDLESS, matching=(0,), exploration=np.zeros((1, 1))).duels,
    "subsets": SubsetTime(
        **ENDLESS, elements=(0,), feedback="single", sigma=1.0, exploration=np.zeros(1)
    ).pulls,
}


def test_the_cost_is_that_of_two_coins():
    expected = 7.0 * (0.1 * math.log(0.1 / 0.9) + 0.9 * math.log(0.9 / 0.1))
    assert least_cost([7.0], 0.1) == pytest.approx(expected)
    assert least_cost([7.0], 0.5) == least_cost([7.0], 0.8) == 0.0
    assert asymptotic_cost(7.0, 0.1) == pytest.approx(7.0 * math.log(10))


def kl(p, q):
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


@pytest.mark.parametrize("delta", [0.2, 0.05, 1e-4])
@pytest.mark.parametrize("seed", range(4))
def test_several_right_answers_are_spread_as_is_cheapest(delta, seed):
    """Against all ways to share 1 - delta out in thousandths, between two answers."""
    times = np.random.default_rng(seed).uniform(1.0, 9.0, 2).tolist()
    best = math.inf
    for first in np.linspace(0.0, 1.0 - delta, 1001).tolist():
        named = (first, 1.0 - delta - first)
        costs = [t * kl(p, delta) for t, p in zip(times, named, strict=True) if p > delta]
        best = min(best, max(costs, default=0.0))
    found = least_cost(times, delta)
    assert best * (1 - 0.01) <= found <= best
    assert found >= min(times) * kl((1 - delta) / 2, delta) - 1e-9
    assert least_cost([*times, math.inf], delta) <= found
    assert least_cost([*times, 1e12], 1e-100) == pytest.approx(
        math.log(1e100) / sum(1 / t for t in times), rel=0.02
    )


@pytest.mark.parametrize("kind", COSTS)
def test_a_coin_is_as_good_where_errors_are_as_frequent(kind):
    """Nothing is asked from δ = ½ on, however long it takes otherwise."""
    cost = COSTS[kind]
    assert cost(0.4) == math.inf
    assert cost(0.5) == cost(0.7) == 0.0
    with pytest.raises(cpe.InputError, match="delta is 0"):
        cost(0)
