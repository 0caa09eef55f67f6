"""CCB: what its reference plays, and what its paper claims."""

import types

import numpy as np
import pytest
from scipy.stats import ks_2samp

import cpe_opt as cpe
from cpe_opt.learners.dueling.ccb import Beliefs
from cpe_opt.learners.uniforms import Uniforms
from tests.learners.conformance import DuelLearnerConformance
from tests.learners.dueling.reference_confidence import reference_ccb
from tests.learners.support import duels_of, rounds_played
from tests.support import random_preferences

THREE = cpe.PreferenceMatrix([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]])


class TestCcb(DuelLearnerConformance):
    learner = "ccb"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["cyclic", "mslr5-condorcet", "gap"])
def test_ccb_plays_exactly_what_the_reference_plays(name, seed):
    """One winner each, so that idle stretches leave no choice."""
    mu = cpe.load_instance(name)
    theirs = reference_ccb(mu.arms, duels_of(mu, seed), 1000, np.random.default_rng([seed, 1]))
    assert rounds_played(cpe.learners.ccb, mu, seed, 1000) == theirs


def test_with_many_arms_few_upper_bounds_decide_alike():
    mu = random_preferences(12, np.random.default_rng(4))
    theirs = reference_ccb(12, duels_of(mu, 0), 2000, np.random.default_rng([0, 1]))
    assert rounds_played(cpe.learners.ccb, mu, 0, 2000) == theirs


@pytest.mark.slow
def test_ccb_has_the_reference_distribution_with_several_winners():
    """Informative duels and regret; two-sample Kolmogorov-Smirnov at level 0.001 each."""
    rng = np.random.default_rng(1)
    for mu in (cpe.load_instance("multisol"), THREE):
        regret, ours, theirs = mu.regret(), [], []
        for seed in range(25):
            trace = cpe.simulate("ccb", mu, horizon=900, seed=seed)
            ours.append((trace.samples, trace.regret[-1]))
            pairs = reference_ccb(mu.arms, duels_of(mu, 500 + seed), 900, rng)
            theirs.append((sum(i != j for i, j in pairs), sum(regret[pair] for pair in pairs)))
        for mine, other in zip(np.array(ours).T, np.array(theirs).T, strict=True):
            assert ks_2samp(mine, other).pvalue > 0.001


@pytest.mark.parametrize(
    ("name", "horizon"), [("cyclic", 10**9), ("gap", 10**7), ("multisol", 10**7)]
)
def test_regret_is_logarithmic_with_a_condorcet_winner_and_without(name, horizon):
    mu = cpe.load_instance(name)
    runs = [cpe.simulate("ccb", mu, horizon=horizon, seed=s) for s in range(2)]
    assert all(trace.answer in mu.copeland_winners for trace in runs)
    short = np.mean([np.interp(1e5, trace.time, trace.regret) for trace in runs])
    assert np.mean([trace.regret[-1] for trace in runs]) < 4 * short


def test_proofs_of_ccb_have_one_arm_more_than_a_winner_has_losses():
    """Steps B and C on their own."""
    intervals = types.SimpleNamespace(beaters=lambda arm: [9], changes=0)
    beliefs = Beliefs(intervals, 3, Uniforms(np.random.default_rng(0)))
    beliefs.losses_of_winner, beliefs.proofs = 0, [set(), set(), {1}]
    beliefs._remove(losses=[0, 1, 2], wins=[2, 1, 0])
    assert (beliefs.possible, beliefs.proofs) == ({0}, [set(), {9}, {1}])
    beliefs = Beliefs(intervals, 4, Uniforms(np.random.default_rng(0)))
    beliefs.proofs = [{1}, {2}, {0, 1}, {0, 1, 2}]
    beliefs._add(0, losses=1)
    assert beliefs.proofs[:3] == [set(), set(), {0, 1}]
    assert len(beliefs.proofs[3]) == 2
    assert beliefs.proofs[3] < {0, 1, 2}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": 0.3}, "alpha is 0.3, expected a number above 0.5"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.simulate("ccb", cpe.load_instance("gap"), horizon=10, **parameters)
