"""RUCB: what its reference plays, and what its paper claims."""

import numpy as np
import pytest

import cpe_opt as cpe
from tests.learners.dueling.reference_confidence import reference_rucb
from tests.learners.support import duels_of, rounds_played
from tests.support import random_preferences


@pytest.mark.parametrize("seed", range(6))
def test_rucb_plays_exactly_what_the_reference_plays(seed):
    named = cpe.load_instance(["cyclic", "mslr5-condorcet", "gap", "mslr5-cycle"][seed % 4])
    drawn = random_preferences(3 + seed % 4, np.random.default_rng(seed), ties=seed % 3)
    for mu in (named, drawn):
        theirs = reference_rucb(mu.arms, duels_of(mu, seed), 1000, np.random.default_rng([seed, 1]))
        assert rounds_played(cpe.learners.rucb, mu, seed, 1000) == theirs
