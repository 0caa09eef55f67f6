"""The exhaustive learner: the lead over all sets, by a list or by an integer program."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.subsets.exhaustive import Enumeration, RivalProgram
from cpe_opt.learners.subsets.static_allocation import sample_until
from tests.formulations.subsets.test_oracle import CLASSES, classes
from tests.learners.subsets.support import look_at, norms, others


@classes
@pytest.mark.parametrize("seed", range(2))
def test_leads_are_those_of_enumeration(decisions, seed):
    look, radius = look_at(decisions, seed), 2.0
    apart = others(look)
    expected = (apart @ look.theta + radius * norms(look, apart)).max(initial=-np.inf)
    assert Enumeration(decisions).largest_gap_bound(look, radius) == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["top", "streets", "matchings"])
def test_the_integer_program_of_exhaustive_tells_whether_a_set_may_lead(name):
    decisions = CLASSES[name]
    bandit = cpe.SubsetBandit(
        decisions, np.random.default_rng(1).random(decisions.size), noise=0.1, name=name
    )
    listing, looks = Enumeration(decisions), []
    oracle = cpe.formulations.subsets.oracle.SubsetOracle(decisions)
    learner = sample_until(
        oracle, "uniform", looks.append,
        rng=np.random.default_rng(0), growth=2.0,
    )  # fmt: skip
    environment, observation = bandit.environment(np.random.default_rng(2)), None
    while len(looks) < 3:
        observation = environment.answer(environment.check(learner.send(observation)))
    for look in looks:
        for radius in (0.01, 0.3, 3.0):
            largest = listing.largest_gap_bound(look, radius)
            for margin in (max(0.0, 0.9 * largest), max(0.0, 1.1 * largest), 0.0):
                found = RivalProgram(decisions, margin).largest_gap_bound(look, radius)
                assert found <= largest + 1e-9
                assert (found >= margin) == (largest >= margin)
