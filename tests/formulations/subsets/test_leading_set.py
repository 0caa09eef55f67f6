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


def test_few_problems_are_solved_where_a_set_leads():
    rng, means = np.random.default_rng(0), np.linspace(0.0, 1.0, 10)
    leading = LeadingSet(SubsetOracle(cpe.TopK(10, 3)), means.copy())
    for _ in range(2000):
        element = int(rng.integers(10))
        leading.change(element, means[element] + 0.02 * rng.normal())
        assert leading.best() == (7, 8, 9)
    assert leading.solved < 200


def test_harm_up_to_the_lead_changes_nothing_and_beyond_it_the_set():
    """The lead is 0.25; a rise inside and a fall outside do no harm."""
    for inside, outside, harm in ((-0.1, 0.1, 0.2), (-0.24, -0.5, 0.24), (0.5, 0.24, 0.24)):
        leading = LeadingSet(SubsetOracle(cpe.TopK(3, 1)), np.array([0.0, 0.75, 1.0]))
        assert leading.best() == (2,)
        solved = leading.solved
        leading.change(2, 1.0 + inside)
        leading.change(1, 0.75 + outside)
        assert leading.best() == (2,)
        assert leading.solved == solved
        leading.change(0, 0.25 - harm + 0.02)
        leading.best()
        assert leading.solved > solved
    leading.change(1, 3.0)
    assert leading.best() == (1,)


def test_a_lead_within_the_grid_is_none():
    """Near 2^30 the grid has the step 1: the lead of ½ is gone when 0.6 becomes 0.45."""
    oracle = SubsetOracle(cpe.TopK(2, 1))
    leading = LeadingSet(oracle, 2.0**30 + np.array([0.1, 0.6]))
    assert leading.best() == (1,)
    leading.change(1, 2.0**30 + 0.45)
    assert leading.best() == (0,) == oracle.maximise(on_grid(2.0**30 + np.array([0.1, 0.45])))
