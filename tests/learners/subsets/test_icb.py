"""ICB: the lead of its rule, where it stops, and its guarantee."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.subsets.icb import largest_gap_bound
from tests.formulations.subsets.test_oracle import classes
from tests.learners.subsets.support import (
    PAIRS,
    THETA,
    first_look,
    look_at,
    others,
    pulls_until,
)


@classes
@pytest.mark.parametrize("seed", range(2))
def test_leads_are_those_of_enumeration(decisions, seed):
    look, radius = look_at(decisions, seed), 2.0
    apart = others(look)
    if not len(apart):
        assert largest_gap_bound(look, radius, SubsetOracle(decisions)) == -np.inf
        return
    width = np.sqrt(np.diag(look.inverse))
    expected = (apart @ look.theta + radius * (np.abs(apart) @ width)).max()
    assert largest_gap_bound(look, radius, SubsetOracle(decisions)) == pytest.approx(expected)


def test_icb_stops_at_the_first_look_that_its_rule_allows():
    """The lead of another pair, with the width of every element in one of both alone."""

    def stops(inverse, _, c):
        width = c * np.sqrt(np.diag(inverse))
        leads = [
            THETA[list(pair)].sum() - 1.5 + sum(width[e] for e in {0, 1} ^ set(pair))
            for pair in PAIRS[1:]
        ]
        return max(leads) < 0.1

    expected = first_look(stops)
    assert expected > 20
    assert pulls_until("icb") == expected


def test_icb_proves_nothing_about_three_elements_by_the_radius_of_single_ones():
    """Errors of π²δ/3t² each, from t = 3 on, add up to 1.3 δ; from t = 4 on to 0.93 δ."""
    for n, radius, proved in ((3, "elements", False), (3, "sets", True), (4, "elements", True)):
        bandit = cpe.SubsetBandit(cpe.TopK(n, 1), np.arange(n), noise=0.1)
        trace = cpe.simulate("icb", bandit, noise=0.1, radius=radius, seed=0)
        assert (trace.answer, trace.proved) == ((n - 1,), proved)
        assert ("fewer than 4 elements" in trace.doubt) == (not proved)
    alone = cpe.SubsetBandit(cpe.TopK(2, 2), np.zeros(2))
    assert cpe.simulate("icb", alone).proved
