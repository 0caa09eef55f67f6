"""RMED1 and RMED2FH: what their reference plays, and equal records."""

from functools import partial

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners import get_learner
from cpe_opt.learners.dueling.rmed import Divergences
from tests.learners.dueling.reference_rmed import reference_rmed
from tests.learners.support import duels_of, rounds_played
from tests.support import random_preferences


def problems(seed):
    rng = np.random.default_rng(seed)
    yield cpe.load_instance(["cyclic", "mslr5-condorcet", "gap", "mslr5-cycle"][seed % 4])
    yield random_preferences(3 + seed % 4, rng, ties=seed % 3)


@pytest.mark.parametrize(("name", "seed"), [("rmed1", 0), ("rmed1", 2), ("rmed2fh", 0)])
def test_rmed_plays_exactly_what_the_reference_plays(name, seed):
    known = {"horizon": 800} if name == "rmed2fh" else {}
    for mu in problems(seed):
        learner = partial(get_learner(name), **known)
        theirs = reference_rmed(
            mu.arms,
            duels_of(mu, seed),
            800,
            fixed_horizon=bool(known),
        )
        assert rounds_played(learner, mu, seed, 800) == theirs


@pytest.mark.parametrize("seed", range(2))
def test_arms_with_the_same_record_have_the_same_divergence(seed):
    """Against whomever, and in whatever order they got it."""
    rng = np.random.default_rng(seed)
    state = Divergences(10)
    duels = [(place, 498_000 + 10 * place, 1_000_003) for place in range(8)]
    duels += [(place, won, 1) for place in range(8) for won in (0, 0, 1, 0, 1)]
    for arm in (0, 1):
        others = rng.permutation(range(2, 10)).tolist()
        for place, won, times in rng.permutation(duels).tolist():
            state.count(arm, others[place], won, times)
    assert state.values[0] == state.values[1] > 5
