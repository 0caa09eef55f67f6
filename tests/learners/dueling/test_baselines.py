"""RUCB, CCB, RMED1 and Random: what their references play, and what their papers claim."""

import math
from functools import partial

import numpy as np
import pytest
from scipy.stats import ks_2samp

import cpe_opt as cpe
from cpe_opt.learners import get_learner
from cpe_opt.learners.dueling import rmed as min_divergence
from cpe_opt.learners.dueling.intervals import DuelIntervals, first_reaching
from cpe_opt.learners.uniforms import Uniforms
from cpe_opt.problems.queries import Duel
from tests.learners.reference_baselines import (
    reference_ccb,
    reference_rmed,
    reference_rucb,
)
from tests.learners.support import singly
from tests.support import random_preferences


def environment_of(mu, seed):
    return mu.environment(np.random.default_rng(seed))


def play_learner(learner, mu, seed, horizon):
    """The pairs played round by round, idle stretches written out."""
    environment = environment_of(mu, seed)
    generator = singly(learner(mu.arms, rng=np.random.default_rng([seed, 1])))
    played, answer, stretches = [], None, 0
    while len(played) < horizon:
        query = generator.send(answer)
        stretches += query.times > 1
        played += [(query.i, query.j)] * min(query.times, horizon - len(played))
        answer = environment.answer(query)
    return played, stretches


def problems(seed):
    rng = np.random.default_rng(seed)
    yield cpe.load_instance(["cyclic", "mslr5-condorcet", "gap", "mslr5-cycle"][seed % 4])
    yield random_preferences(3 + seed % 4, rng, ties=seed % 3)


@pytest.mark.parametrize("seed", range(12))
def test_rucb_plays_exactly_what_the_reference_plays(seed):
    for mu in problems(seed):
        environment = environment_of(mu, seed)
        ours, _ = play_learner(cpe.learners.rucb, mu, seed, 1000)
        theirs = reference_rucb(
            mu.arms,
            lambda i, j, env=environment: env.answer(Duel(i, j)),
            1000,
            np.random.default_rng([seed, 1]),
        )
        assert ours == theirs


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["cyclic", "mslr5-condorcet", "gap"])
def test_ccb_plays_exactly_what_the_reference_plays(name, seed):
    """One winner each, so that idle stretches leave no choice."""
    mu = cpe.load_instance(name)
    environment = environment_of(mu, seed)
    ours, _ = play_learner(cpe.learners.ccb, mu, seed, 1000)
    theirs = reference_ccb(
        mu.arms,
        lambda i, j: environment.answer(Duel(i, j)),
        1000,
        np.random.default_rng([seed, 1]),
    )
    assert ours == theirs


@pytest.mark.parametrize(
    ("learner", "reference"),
    [(cpe.learners.rucb, reference_rucb), (cpe.learners.ccb, reference_ccb)],
)
def test_with_many_arms_few_upper_bounds_decide_alike(learner, reference):
    mu = random_preferences(12, np.random.default_rng(4))
    environment = environment_of(mu, 0)
    ours, _ = play_learner(learner, mu, 0, 2500)
    rng = np.random.default_rng([0, 1])
    assert ours == reference(12, lambda i, j: environment.answer(Duel(i, j)), 2500, rng)


@pytest.mark.parametrize("name", ["multisol", "three"])
def test_ccb_has_the_reference_distribution_with_several_winners(name):
    """Informative duels and regret; two-sample Kolmogorov-Smirnov at level 0.001 each."""
    rng = np.random.default_rng(1)
    three = cpe.PreferenceMatrix([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]])
    mu = three if name == "three" else cpe.load_instance(name)
    regret, ours, theirs = mu.regret(), [], []
    for seed in range(50):
        trace = cpe.simulate("ccb", mu, horizon=1200, seed=seed)
        ours.append((trace.samples, trace.regret[-1]))
        environment = environment_of(mu, 500 + seed)
        pairs = reference_ccb(
            mu.arms, lambda i, j, env=environment: env.answer(Duel(i, j)), 1200, rng
        )
        theirs.append((sum(i != j for i, j in pairs), sum(regret[pair] for pair in pairs)))
    for mine, other in zip(np.array(ours).T, np.array(theirs).T, strict=True):
        assert ks_2samp(mine, other).pvalue > 0.001


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["rmed1", "rmed2fh"])
def test_rmed_plays_exactly_what_the_reference_plays(monkeypatch, name, seed):
    """Duel by duel; its batches are compared with that elsewhere."""
    monkeypatch.setattr(min_divergence, "_FEWEST", 2**60)
    known = {"horizon": 1200} if name == "rmed2fh" else {}
    for mu in problems(seed):
        environment = environment_of(mu, seed)
        learner = partial(get_learner(name), **known)
        ours, _ = play_learner(learner, mu, seed, 1200)
        theirs = reference_rmed(
            mu.arms,
            lambda i, j, env=environment: env.answer(Duel(i, j)),
            1200,
            fixed_horizon=bool(known),
        )
        assert ours == theirs


def test_rmed2fh_meets_its_rivals():
    """Where the winner barely beats an arm, a rival shows sooner that it is not the winner."""
    mu = cpe.PreferenceMatrix([[0.5, 0.55, 0.6], [0.45, 0.5, 0.05], [0.4, 0.95, 0.5]])
    one, two = (
        [cpe.simulate(name, mu, horizon=10**7, seed=s) for s in range(8)]
        for name in ("rmed1", "rmed2fh")
    )
    assert all(trace.answer == 0 for trace in one + two)
    assert np.mean([t.draws[1, 2] for t in two]) > 2 * np.mean([t.draws[1, 2] for t in one])
    assert np.mean([t.regret[-1] for t in two]) < np.mean([t.regret[-1] for t in one])


@pytest.mark.parametrize("name", ["ccb", "rucb", "rmed1", "rmed2fh"])
def test_idle_stretches_occur_in_the_comparisons_above(name):
    """On an easy problem, so that equality with the reference covers them."""
    mu = cpe.load_instance("cyclic")
    known = {"horizon": 1500} if name == "rmed2fh" else {}
    _, stretches = play_learner(partial(get_learner(name), **known), mu, 0, 1500)
    assert stretches > 3


@pytest.mark.parametrize("name", ["ccb", "rucb", "rmed1", "rmed2fh"])
def test_with_a_condorcet_winner_regret_is_logarithmic(name):
    mu = cpe.load_instance("cyclic")
    runs = [cpe.simulate(name, mu, horizon=10**9, seed=s) for s in range(6)]
    assert all(trace.answer == 0 for trace in runs)
    short = np.mean([np.interp(1e5, trace.time, trace.regret) for trace in runs])
    assert np.mean([trace.regret[-1] for trace in runs]) < 4 * short


@pytest.mark.parametrize("name", ["rucb", "rmed1"])
def test_without_a_condorcet_winner_regret_can_be_linear(name):
    """A winner that loses to one arm (gap): neither algorithm may settle on it."""
    mu = cpe.load_instance("gap")
    trace = cpe.simulate(name, mu, horizon=100_000, seed=1)
    half = np.interp(50_000, trace.time, trace.regret)
    assert trace.regret[-1] > 1.8 * half


@pytest.mark.parametrize("name", ["gap", "multisol"])
def test_ccb_needs_no_condorcet_winner(name):
    """Its regret grows like ln T where those of RUCB and RMED1 grow like T."""
    mu = cpe.load_instance(name)
    runs = [cpe.simulate("ccb", mu, horizon=10**7, seed=s) for s in range(2)]
    assert all(trace.answer in mu.copeland_winners for trace in runs)
    short = np.mean([np.interp(1e5, trace.time, trace.regret) for trace in runs])
    assert np.mean([trace.regret[-1] for trace in runs]) < 4 * short


def test_random_pairs_are_uniform_and_regret_is_their_mean():
    mu = cpe.load_instance("sushi")
    trace = cpe.simulate("random-pairs", mu, horizon=60_000, seed=0)
    draws = trace.draws[np.triu_indices(16, 1)]
    expected = 60_000 / len(draws)
    chi_square = ((draws - expected) ** 2 / expected).sum()
    assert chi_square < 119 + 4 * math.sqrt(2 * 119)  # 119 degrees of freedom
    mean = mu.regret()[np.triu_indices(16, 1)].mean()
    assert trace.regret[-1] / 60_000 == pytest.approx(mean, rel=0.02)
    assert trace.answer in (0, 1)  # 0.512 apart


def test_intervals_follow_their_definition():
    """Verdicts, scores and the moment of the next change against the formula."""
    rng = np.random.default_rng(5)
    arms, alpha = 5, 0.7
    intervals = DuelIntervals(arms, alpha, Uniforms(rng))
    wins = np.zeros((arms, arms))
    for t in range(1, 3000):
        intervals.advance(t)
        n = wins + wins.T
        share = np.divide(wins, n, out=np.full_like(wins, 0.5), where=n > 0)
        radius = np.sqrt(alpha * math.log(t) / np.maximum(n, 1))
        above = (n > 0) & (share - radius > 0.5)
        assert intervals.wins == above.sum(axis=1).tolist()
        assert intervals.losses == above.sum(axis=0).tolist()
        assert intervals.unbeaten == np.flatnonzero(above.sum(axis=0) == 0).tolist()
        i, j = rng.permutation(arms)[:2].tolist()
        won = int(rng.random() < 0.5 + 0.1 * (j - i))
        intervals.add(i, j, won)
        wins[i, j] += won
        wins[j, i] += 1 - won
    until = intervals.valid_until()
    before = list(intervals.wins)
    intervals.advance(until - 1)
    assert intervals.wins == before
    intervals.advance(until)
    assert intervals.wins != before


def test_the_first_round_whose_logarithm_reaches_a_value():
    for s in (2, 3, 10, 12345):
        assert first_reaching(math.log(s)) == s
        assert first_reaching(math.nextafter(math.log(s), 99)) == s + 1
    assert first_reaching(-1.0) == 1


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("ccb", {"alpha": 0.3}, "alpha is 0.3, expected a number above 0.5"),
        ("rucb", {"alpha": 0.5}, "alpha is 0.5, expected a number above 0.5"),
        ("rmed1", {"f": -1}, "f is -1, expected a number, at least 0"),
    ],
)
def test_parameters_are_checked(name, parameters, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.simulate(name, cpe.load_instance("gap"), horizon=10, **parameters)
