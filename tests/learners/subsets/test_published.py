"""Published learners of the best set by single rewards need what their theorems say in the limit.

That they are right as often as promised is held by ``test_guarantees``.
"""

import math

import pytest

import cpe_opt as cpe
from tests.learners.subsets.support import TREES

NEAR = cpe.SubsetBandit(TREES, [0.9, 0.71, 0.8, 0.3, 0.76], noise=0.05)


@pytest.mark.parametrize("name", ["fws", "comb-game"])
def test_pulls_tend_to_the_least_number(name):
    """As multiples of T* ln(1/δ), which no learner can do without in the limit."""
    time = cpe.subset_time(NEAR, sigma=NEAR.noise).value
    few, many = (
        cpe.simulate(name, NEAR, seed=0, delta=10.0**-power, noise=NEAR.noise).samples
        / (time * power * math.log(10.0))
        for power in (3, 20)
    )
    assert few > many
    assert 0.8 < many < 1.6
