"""SAQM: the largest norm by its maximisers, where it stops, and its guarantee."""

import math
from typing import ClassVar

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.subsets.saqm import LargestNorm
from tests.formulations.subsets.test_oracle import classes
from tests.learners.conformance import SubsetLearnerConformance
from tests.learners.subsets.support import PAIRS, failures, first_look, look_at, norms, pulls_until
from tests.support import binomial_margin


class TestSaqm(SubsetLearnerConformance):
    learner = "saqm"
    parameters: ClassVar[dict] = {"growth": 1.1}


@pytest.mark.parametrize("maximiser", [None, "exact"])
@classes
def test_certified_norms_of_saqm_are_not_below_the_largest(decisions, maximiser):
    certified = LargestNorm(decisions, maximiser, "certified")
    for seed in range(2):
        look = look_at(decisions, seed)
        true = norms(look, look.support).max()
        assert certified(look) >= true - 1e-9
        if maximiser == "exact":
            assert certified(look) == pytest.approx(true, rel=1e-4)


@pytest.mark.parametrize("maximiser", ["peeling", "greedy", "swap", "ascent", "exact"])
def test_norms_of_saqm_are_those_of_its_maximiser_over_the_ratio(maximiser):
    decisions = cpe.TopK(6, 3)
    for seed in range(3):
        look = look_at(decisions, seed)
        true = norms(look, look.support).max()
        starts = {"starts": 10} if maximiser in ("swap", "ascent") else {}
        best = cpe.ellipsoid_maximum(decisions, look.inverse, maximiser, **starts).value ** 0.5
        plain = LargestNorm(decisions, maximiser, 1.0)(look)
        assert plain == pytest.approx(best)
        assert plain <= true + 1e-9
        assert LargestNorm(decisions, maximiser, 0.5)(look) == pytest.approx(2 * plain)
        if maximiser == "peeling":
            assert LargestNorm(decisions, maximiser, "theorem")(look) >= true - 1e-9
        if maximiser == "swap":
            assert LargestNorm(decisions, None, 1.0)(look) == plain


def test_the_maximisers_of_saqm_differ():
    """On some look peeling, greedy and swap search find sets with different norms."""
    decisions, found = cpe.TopK(9, 4), []
    for seed in range(20):
        look = look_at(decisions, seed, t=200)
        found.append([LargestNorm(decisions, m, 1.0)(look) for m in ("peeling", "greedy", "swap")])
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert any(abs(row[one] - row[other]) > 1e-6 for row in found)


def test_saqm_stops_at_the_first_look_that_its_rule_allows():
    """θ(M̂) - C‖χ_M̂‖ against the second best value, 1.2, and C/α times the largest norm."""
    chi = np.array([1.0, 1, 0, 0])

    def stops(inverse, c, _):
        norms = [math.sqrt(inverse[np.ix_(pair, pair)].sum()) for pair in PAIRS]
        return 1.5 - c * math.sqrt(chi @ inverse @ chi) >= 1.2 + c / 0.8 * max(norms) - 0.1

    expected = first_look(stops)
    assert expected > 20
    assert pulls_until("saqm", approximation_ratio=0.8) == expected


@pytest.mark.parametrize("parameters", [{}, {"maximiser": "peeling", "approximation_ratio": 0.9}])
def test_failures_are_within_delta(parameters):
    """25 seeds at delta = 0.05; the test errs with probability below 1e-3."""
    bandit = cpe.planted_subsets(6, 2, gap=0.5, seed=3)
    # Independent normal noise of two elements is √2-sub-Gaussian.
    assert failures("saqm", bandit, 0.0, sigma=2**0.5, **parameters) <= binomial_margin(25, 0.05)


@pytest.mark.slow
def test_a_guarantee_costs_more_than_a_guess():
    bandit = cpe.planted_subsets(6, 3, gap=0.5, seed=2)
    guesses = {"maximiser": "peeling", "growth": 1.02, "horizon": 10**9}
    samples = [
        cpe.simulate("saqm", bandit, approximation_ratio=ratio, **guesses).samples
        for ratio in (1.0, 0.9, "theorem")
    ]
    samples.insert(1, cpe.simulate("saqm", bandit, growth=1.02, horizon=10**9).samples)
    assert samples[0] <= samples[1] < samples[2] < samples[3]


def test_the_horizon_ends_it_with_the_best_set_so_far():
    bandit = cpe.planted_subsets(6, 3, gap=0.1, seed=2)
    trace = cpe.simulate("saqm", bandit, horizon=5000)
    assert trace.rounds == trace.samples == 5000
    assert bandit.decisions.contains(trace.answer)
    assert np.isnan(trace.regret).all()
    assert abs(trace.draws.sum() - 3 * 5000) <= 3 * 100
    assert bandit.decisions.contains(cpe.simulate("saqm", bandit, horizon=1).answer)
