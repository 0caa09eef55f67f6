"""ICB: the lead of its rule, where it stops, and its guarantee."""

from typing import ClassVar

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.subsets.icb import largest_gap_bound
from cpe_opt.learners.subsets.static_allocation import Guarantee
from tests.formulations.subsets.test_oracle import classes
from tests.learners.conformance import SubsetLearnerConformance
from tests.learners.subsets.support import (
    PAIRS,
    THETA,
    TREES,
    failures,
    first_look,
    look_at,
    others,
    pulls_of,
    pulls_until,
)
from tests.support import binomial_margin


class TestIcb(SubsetLearnerConformance):
    learner = "icb"
    parameters: ClassVar[dict] = {"growth": 1.1}


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


@pytest.mark.slow
def test_icb_stops_by_the_radius_of_its_lemma_or_of_proposition_1():
    """Told the truth, it stops where C_t / √t has fallen to the same width."""
    decisions, theta = cpe.TopK(6, 3), np.array([1.0, 0.9, 0.8, 0.1, 0.0, -0.1])
    aim = Guarantee(0.0, 0.05, 3.0)
    width = {}
    for radius in ("elements", "sets"):
        queries, answer = pulls_of(
            cpe.learners.icb, decisions, theta, radius=radius, growth=1.001, delta=0.05
        )
        assert answer == (0, 1, 2)
        t = sum(query.rounds for query in queries)
        c_t = aim.ellipsoid_radius(t, decisions) if radius == "sets" else aim.element_radius(t, 6)
        width[radius] = c_t / np.sqrt(t)
    assert width["sets"] == pytest.approx(width["elements"], rel=2e-3)


def test_icb_proves_nothing_about_three_elements_by_the_radius_of_single_ones():
    """Errors of π²δ/3t² each, from t = 3 on, add up to 1.3 δ; from t = 4 on to 0.93 δ."""
    for n, radius, proved in ((3, "elements", False), (3, "sets", True), (4, "elements", True)):
        bandit = cpe.SubsetBandit(cpe.TopK(n, 1), np.arange(n), noise=0.1)
        trace = cpe.simulate("icb", bandit, noise=0.1, radius=radius, seed=0)
        assert (trace.answer, trace.proved) == ((n - 1,), proved)
        assert ("fewer than 4 elements" in trace.doubt) == (not proved)
    alone = cpe.SubsetBandit(cpe.TopK(2, 2), np.zeros(2))
    assert cpe.simulate("icb", alone).proved


@pytest.mark.parametrize("parameters", [{}, {"design": "uniform"}])
def test_failures_are_within_delta(parameters):
    """25 seeds at delta = 0.05; the test errs with probability below 1e-3."""
    bandit = cpe.planted_subsets(6, 2, gap=0.5, seed=3)
    # Independent normal noise of two elements is √2-sub-Gaussian.
    assert failures("icb", bandit, 0.0, sigma=2**0.5, **parameters) <= binomial_margin(25, 0.05)


def test_failures_are_within_delta_on_spanning_trees():
    bandit = cpe.SubsetBandit(TREES, [0.9, 0.1, 0.8, 0.2, 0.6])
    assert failures("icb", bandit, 0.3, sigma=3**0.5) <= binomial_margin(25, 0.05)
