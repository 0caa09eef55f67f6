"""Published learners of the best set by single rewards need what their theorems say in the limit.

That they are right as often as promised is held by ``test_guarantees``.
"""

import math

import cvxpy as cp
import numpy as np
import pytest

import cpe_opt as cpe
from tests.learners.subsets.support import TREES

NEAR = cpe.SubsetBandit(TREES, [0.9, 0.71, 0.8, 0.3, 0.76], noise=0.05)


def least_pulls(bandit):
    """T* of pulls of whole sets, each element counted; by another program."""
    sets, theta = np.asarray(bandit.decisions.indicator_matrix(), dtype=float), bandit.theta
    pulls = cp.Variable(len(sets), nonneg=True) @ sets
    best = int((sets @ theta).argmax())
    rows = []
    for other in np.delete(np.arange(len(sets)), best):
        gap = float((sets[best] - sets[other]) @ theta)
        paid = [cp.inv_pos(pulls[e]) for e in np.flatnonzero(sets[other] != sets[best])]
        rows.append(sum(paid) <= gap**2 / (2.0 * bandit.noise**2))
    return float(cp.Problem(cp.Minimize(cp.sum(pulls)), rows).solve())


@pytest.mark.parametrize(
    ("name", "told", "most"),
    [
        ("fws", {}, 1.6),
        ("p-fws", {"actions": "elements"}, 1.6),
        ("p-fws", {"actions": "sets"}, 1.6),
        ("comb-game", {"player": "adahedge"}, 1.6),
        ("comb-game", {"player": "frank-wolfe"}, 2.0),
    ],
)
def test_pulls_tend_to_the_least_number(name, told, most):
    """As multiples of T* ln(1/δ), which no learner can do without in the limit."""
    by_sets = told.get("actions") == "sets"
    time = least_pulls(NEAR) if by_sets else cpe.subset_time(NEAR, sigma=NEAR.noise).value
    few, many = (
        cpe.simulate(name, NEAR, seed=0, delta=10.0**-power, noise=NEAR.noise, **told).samples
        / (time * power * math.log(10.0))
        for power in (3, 40)
    )
    assert few > many
    assert 0.8 < many < most
