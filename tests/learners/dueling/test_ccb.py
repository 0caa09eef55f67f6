"""CCB: what its reference plays, and what its paper claims."""

import types

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.ccb import Beliefs
from cpe_opt.learners.dueling.intervals import Uniforms
from tests.learners.dueling.reference_confidence import reference_ccb
from tests.learners.support import duels_of, rounds_played


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", ["cyclic", "mslr5-condorcet", "gap"])
def test_ccb_plays_exactly_what_the_reference_plays(name, seed):
    """One winner each, so that idle stretches leave no choice."""
    mu = cpe.load_instance(name)
    theirs = reference_ccb(mu.arms, duels_of(mu, seed), 1000, np.random.default_rng([seed, 1]))
    assert rounds_played(cpe.learners.ccb, mu, seed, 1000) == theirs


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
