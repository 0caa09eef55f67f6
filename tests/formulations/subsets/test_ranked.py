"""The best sets in order, against all sets in order."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import SubsetOracle, ranked_subsets
from tests.formulations.subsets.test_oracle import CLASSES, classes


def values_in_order(decisions, weights):
    return sorted((weights[list(members)].sum() for members in decisions.sets()), reverse=True)


@classes
@pytest.mark.parametrize("count", [1, 3, 1000])
def test_they_are_those_of_enumeration(decisions, count):
    for seed in range(4):
        weights = np.random.default_rng(seed).normal(size=decisions.size)
        found = ranked_subsets(SubsetOracle(decisions), weights, count)
        expected = values_in_order(decisions, weights)[:count]
        assert np.allclose([value for _, value in found], expected, atol=1e-7)
        assert np.allclose([weights[list(members)].sum() for members, _ in found], expected)
        assert len({members for members, _ in found}) == len(found)
        assert all(decisions.contains(members) for members, _ in found)


@classes
def test_ties_leave_no_set_out(decisions):
    weights = np.random.default_rng(0).integers(0, 2, decisions.size).astype(float)
    found = ranked_subsets(SubsetOracle(decisions), weights, 10**6)
    assert {members for members, _ in found} == set(decisions.sets())
    assert [value for _, value in found] == values_in_order(decisions, weights)


@pytest.mark.parametrize("method", ["enumerate", "program"])
def test_every_way_to_find_the_best_set_will_do(method):
    weights = np.random.default_rng(1).normal(size=8)
    decisions = CLASSES["dag"]
    usual = ranked_subsets(SubsetOracle(decisions), weights, 5)
    assert ranked_subsets(SubsetOracle(decisions, method), weights, 5) == usual


def test_classes_that_nobody_lists_have_best_sets_too():
    weights = np.arange(40.0)
    found = ranked_subsets(SubsetOracle(cpe.TopK(40, 20)), weights, 4)
    best = set(range(20, 40))
    assert [set(members) for members, _ in found[:2]] == [best, best - {20} | {19}]
    assert [value for _, value in found] == [590.0, 589.0, 588.0, 588.0]
