"""The best set for weights that change: that of the oracle in every round, with few problems."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.alternatives import LeadingSet
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.ties import on_grid
from tests.formulations.subsets.test_oracle import CLASSES


@pytest.mark.parametrize("name", [name for name, sets in CLASSES.items() if not sets.obstacle])
@pytest.mark.parametrize("unit", [1.0, 1e9])
def test_it_is_the_set_of_the_oracle_as_weights_wander(name, unit):
    """Means that settle, of rewards with a few values, so that some are equal for a while."""
    decisions, rng = CLASSES[name], np.random.default_rng(3)
    oracle = SubsetOracle(decisions)
    truth, total = rng.integers(0, 5, decisions.size) / 4, np.zeros(decisions.size)
    pulls = np.zeros(decisions.size)
    leading = LeadingSet(oracle, np.zeros(decisions.size))
    weights, seen = np.zeros(decisions.size), set()
    for _ in range(600):
        element = int(rng.integers(decisions.size))
        total[element] += truth[element] + rng.integers(-2, 3) / 2
        pulls[element] += 1
        weights[element] = unit * total[element] / pulls[element]
        leading.change(element, weights[element])
        seen.add(leading.best())
        assert leading.best() == oracle.maximise(on_grid(weights))
    assert len(seen) > 1 or name == "all"


def test_a_lead_within_the_grid_is_none():
    """Near 2^30 the grid has the step 1: the lead of ½ is gone when 0.6 becomes 0.45."""
    oracle = SubsetOracle(cpe.TopK(2, 1))
    leading = LeadingSet(oracle, 2.0**30 + np.array([0.1, 0.6]))
    assert leading.best() == (1,)
    leading.change(1, 2.0**30 + 0.45)
    assert leading.best() == (0,) == oracle.maximise(on_grid(2.0**30 + np.array([0.1, 0.45])))
