"""Rounds at once: the pulls of single rounds, whatever is observed."""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.separable.coci import ArmEstimates, SafePulls
from tests.learners.separable.test_coci import PROBLEMS
from tests.learners.support import answered

MIXED = [cpe.Beta(a, b) for a, b in itertools.product((1, 2, 3), (1, 2))]
LONGER = {
    "water": PROBLEMS["water"],
    "ties": cpe.SeparableProblem(cpe.BestSet(cpe.TopK(5, 2)), [cpe.Bernoulli(0.5)] * 5),
    "means": cpe.SeparableProblem(cpe.BestSet(cpe.TopK(6, 3)), MIXED),
    "variances": cpe.SeparableProblem(cpe.OpinionSampling([9, 2, 4, 3, 5, 4], 20), MIXED),
}


@pytest.mark.parametrize("name", LONGER)
@pytest.mark.parametrize("learner", ["coci", "coci-uniform"])
def test_batches_pull_what_single_rounds_pull(learner, name, monkeypatch):
    """At a horizon, and until it stops where it does."""
    problem = LONGER[name]
    horizons = (777, 2500) if name in ("ties", "means", "variances") else (333, None)
    batched = [cpe.simulate(learner, problem, horizon=h, seed=5) for h in horizons]
    monkeypatch.setattr(SafePulls, "next", lambda self: [])
    for horizon, ours in zip(horizons, batched, strict=True):
        single = cpe.simulate(learner, problem, horizon=horizon, seed=5)
        assert ours.draws.tolist() == single.draws.tolist()
        assert (ours.answer, ours.doubt) == (single.answer, single.doubt)
        assert single.queries >= single.rounds - 2 * problem.model.size
    assert batched[1].queries < batched[1].rounds / 2


@pytest.mark.parametrize("tau", [1, 2])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_no_observations_lead_out_of_the_range_of_boxes(tau, share):
    """Extreme ones, alternating ones and random ones, and the range is not much too wide."""
    rng = np.random.default_rng(0)
    before = (rng.random(12) < share).astype(float)
    least, largest = np.full(2, np.inf), np.full(2, -np.inf)
    streams = [np.ones(8), np.zeros(8), np.arange(8) % 2, *(rng.random((20, 8)) < 0.5)]
    for stream in streams:
        estimates = ArmEstimates(2, tau=tau, delta=0.9)
        for arm in (0, 1):
            estimates.add(arm, np.tile(before, 30))
        boxes = estimates.reach([8, 0])
        for reward in stream:
            low, high = map(np.array, estimates.box())
            assert (boxes.outer_low <= low).all()
            assert (low <= boxes.inner_low).all()
            assert (boxes.inner_high <= high).all()
            assert (high <= boxes.outer_high).all()
            least, largest = np.minimum(least, low), np.maximum(largest, high)
            estimates.add(0, np.array([float(reward)]))
    assert (least - boxes.outer_low).max() < 0.005
    assert (boxes.outer_high - largest).max() < 0.005


def test_the_last_round_before_the_horizon_is_a_single_one():
    """What is observed in the rounds before it counts for the answer."""
    problem = LONGER["ties"]
    for horizon in range(600, 606):
        exchange = cpe.learners.Exchange(cpe.learners.coci, problem.model, horizon=horizon)
        environment, played = problem.environment(np.random.default_rng(0)), 0
        while played + exchange.query.rounds < horizon:
            played += exchange.query.rounds
            exchange.tell(answered(environment, exchange.query))
        assert (exchange.query.rounds, played) == (1, horizon - 1)
