"""RMED1 and RMED2FH: what their reference plays, equal records, batches that change nothing."""

from copy import deepcopy
from functools import partial

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners import Exchange, get_learner
from cpe_opt.learners.dueling import rmed
from cpe_opt.learners.dueling.rmed import Divergences
from tests.learners.dueling.reference_rmed import reference_rmed
from tests.learners.support import OutcomesByPair, asking_singly, duels_of, rounds_played
from tests.support import random_preferences


def problems(seed):
    rng = np.random.default_rng(seed)
    yield cpe.load_instance(["cyclic", "mslr5-condorcet", "gap", "mslr5-cycle"][seed % 4])
    yield random_preferences(3 + seed % 4, rng, ties=seed % 3)


@pytest.mark.parametrize(("name", "seed"), [("rmed1", 0), ("rmed1", 2), ("rmed2fh", 0)])
def test_rmed_plays_exactly_what_the_reference_plays(monkeypatch, name, seed):
    """Duel by duel; its batches are compared with that elsewhere."""
    monkeypatch.setattr(rmed, "_FEWEST", 2**60)
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


def test_what_would_be_said_against_a_loser_is_what_is_said_after_these_duels():
    state = Divergences(3)
    for other in (1, 2):
        state.count(0, other, 30, 50)
    lost = deepcopy(state)
    lost.count(1, state.best, 0, 9)
    assert state.if_lost(1, 9) == lost.values[1] > state.values[1]


@pytest.mark.parametrize(("name", "seed"), [("rmed1", 0), ("rmed1", 2), ("rmed2fh", 1)])
def test_batches_change_nothing(monkeypatch, name, seed):
    """Two arms beat the others and tie, so that leads come and go: the same duels and answer."""
    horizon, array = 7000 + 501 * seed, np.full((5, 5), 0.5)
    array[:2, 2:], array[2:, :2] = 0.85, 0.15
    mu, runs = cpe.PreferenceMatrix(array), []
    for fewest in (rmed._FEWEST, 2**60):
        monkeypatch.setattr(rmed, "_FEWEST", fewest)
        outcomes = OutcomesByPair(mu, seed)
        exchange = Exchange(asking_singly(get_learner(name)), 5, horizon=horizon)
        left, longest = horizon, 0
        while (query := exchange.query).times <= left:
            left, longest = left - query.times, max(longest, query.times * (query.i != query.j))
            exchange.tell(outcomes.answer(query))
        outcomes.draws[query.i, query.j] += left  # what it has begun at the horizon
        exchange.stop()
        duels = np.triu(outcomes.draws + outcomes.draws.T, 1).tolist()
        runs.append((duels, exchange.answer, longest))
    assert runs[0][:2] == runs[1][:2]
    assert runs[0][2] > 8
