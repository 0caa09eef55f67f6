"""RMED1 and RMED2FH: what their reference plays, divergences, and batches that change nothing."""

from copy import deepcopy
from functools import partial
from itertools import combinations

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners import get_learner
from cpe_opt.learners.dueling import rmed
from cpe_opt.learners.dueling.rmed import Divergences
from cpe_opt.learners.queries import HorizonReached
from tests.learners.dueling.reference_rmed import divergence, reference_rmed
from tests.learners.support import duels_of, rounds_played, singly
from tests.support import random_preferences


def problems(seed):
    rng = np.random.default_rng(seed)
    yield cpe.load_instance(["cyclic", "mslr5-condorcet", "gap", "mslr5-cycle"][seed % 4])
    yield random_preferences(3 + seed % 4, rng, ties=seed % 3)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["rmed1", "rmed2fh"])
def test_rmed_plays_exactly_what_the_reference_plays(monkeypatch, name, seed):
    """Duel by duel; its batches are compared with that elsewhere."""
    monkeypatch.setattr(rmed, "_FEWEST", 2**60)
    known = {"horizon": 1200} if name == "rmed2fh" else {}
    for mu in problems(seed):
        learner = partial(get_learner(name), **known)
        theirs = reference_rmed(
            mu.arms,
            duels_of(mu, seed),
            1200,
            fixed_horizon=bool(known),
        )
        assert rounds_played(learner, mu, seed, 1200) == theirs


def check(state, wins):
    arms = range(len(wins))
    for i in arms:
        superiors = [j for j in arms if j != i and wins[i, j] <= wins[j, i]]
        evidence = 0.0
        for j in superiors:
            draws = wins[i, j] + wins[j, i]
            evidence += draws * divergence(wins[i, j] / draws) if draws else 0.0
        assert state.superiors[i] == len(superiors)
        assert state.values[i] == pytest.approx(evidence, rel=1e-9, abs=1e-9)
    assert state.best == state.values.index(min(state.values))
    assert state.draws == (wins + wins.T).tolist()


def check_lost_duels(state):
    """What I would be is what it is after these duels."""
    for arm, margins in enumerate(state.margins):
        if margins[state.best] < 0:
            lost = deepcopy(state)
            lost.count(arm, state.best, 0, 9)
            assert state.if_lost(arm, 9) == lost.values[arm]


@pytest.mark.parametrize("seed", range(3))
def test_divergences_follow_their_definition(seed):
    rng = np.random.default_rng(seed)
    arms = 4
    state, wins = Divergences(arms), np.zeros((arms, arms), dtype=int)
    for _ in range(150):
        i, j = rng.permutation(arms)[:2].tolist()
        times = int(rng.choice([1, 1, 1, 7]))
        won = int(rng.integers(times + 1))
        state.count(i, j, won, times)
        wins[i, j] += won
        wins[j, i] += times - won
        check(state, wins)
    check_lost_duels(state)


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


class Streaks:
    """Arms 0 and 4 lead against the others, and against each other in turn, by streaks of wins.

    The k-th duel of a pair has the same outcome in any order.
    """

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.draws = np.zeros((5, 5), dtype=int)
        self._wins, self._drawn = {}, {}
        for i, j in combinations(range(5), 2):
            wins = rng.random(10_000) < (0.85 if i == 0 else 0.15 if j == 4 else 0.5)
            if (i, j) == (0, 4):
                wins = turns(rng, 7.0 + 2.0 * seed, 1 - 2 * (seed % 2))
            self._wins[i, j] = np.concatenate([[0], np.cumsum(wins)])
            self._drawn[i, j] = 0

    def answer(self, query):
        pair = min(query.i, query.j), max(query.i, query.j)
        self.draws[pair] += query.times
        if query.i == query.j:
            return 0
        wins, drawn = self._wins[pair], self._drawn[pair]
        self._drawn[pair] += query.times
        won = int(wins[drawn + query.times] - wins[drawn])
        return won if pair[0] == query.i else query.times - won


def turns(rng, most, sign):
    """Wins and losses in streaks: leads in turn, at last of up to so many nats of evidence."""
    wins, lead = [], 0
    while len(wins) < 10_000:
        evidence = rng.uniform(0.0, 7.0 if len(wins) < 1500 else most)
        turn = sign * int(np.sqrt(2.0 * evidence * (len(wins) + 5)))
        wins += [turn > lead] * abs(turn - lead)
        lead, sign = turn, -sign
    return np.array(wins)


def played(learner, environment, horizon):
    """The samples before every single duel, by its round; the batches; the answer."""
    generator, answer, rounds, samples, batches = singly(learner(5)), None, 0, {}, []
    while True:
        query = generator.send(answer)
        if query.times == 1:
            samples[rounds] = np.triu(environment.draws, 1).sum()
        elif query.i != query.j:
            batches.append((rounds, query.times))
        rounds += query.times
        if rounds >= horizon:
            break
        answer = environment.answer(query)
    pair = min(query.i, query.j), max(query.i, query.j)
    environment.draws[pair] += query.times - (rounds - horizon)
    with pytest.raises(StopIteration) as finished:
        generator.throw(HorizonReached())
    return samples, batches, finished.value.value


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["rmed1", "rmed2fh"])
def test_batches_change_nothing(monkeypatch, name, seed):
    """However leads come and go: the same duels before every round between, and the answer."""
    horizon = 7000 + 501 * seed
    learner = partial(get_learner(name), horizon=horizon)
    fast, plain = Streaks(seed), Streaks(seed)
    samples, batches, answer = played(learner, fast, horizon)
    assert len(batches) > 50
    assert all(8 <= times <= rounds / 64 for rounds, times in batches)
    monkeypatch.setattr(rmed, "_FEWEST", 2**60)
    expected = played(learner, plain, horizon)
    assert samples.items() <= expected[0].items()
    assert ([], answer) == expected[1:]
    assert (fast.draws == plain.draws).all()
