"""What confidence costs, for every kind of characteristic time."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.dueling.characteristic_time import CharacteristicTime
from cpe_opt.formulations.information import cost_of_confidence
from cpe_opt.formulations.matchings.matching_time import MatchingTime
from cpe_opt.formulations.subsets.characteristic_time import SubsetTime

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
    assert cost_of_confidence(7.0, 0.1) == pytest.approx(expected)
    assert cost_of_confidence(7.0, 0.5) == cost_of_confidence(7.0, 0.8) == 0.0


@pytest.mark.parametrize("kind", COSTS)
def test_a_coin_is_as_good_where_errors_are_as_frequent(kind):
    """Nothing is asked from δ = ½ on, however long it takes otherwise."""
    cost = COSTS[kind]
    assert cost(0.4) == math.inf
    assert cost(0.5) == cost(0.7) == 0.0
    with pytest.raises(cpe.InputError, match="delta is 0"):
        cost(0)
