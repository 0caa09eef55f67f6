"""What trackers of duels share: right answers, bad input, early ends, duels at once."""

import re
from collections import Counter
from functools import partial

import numpy as np
import pytest
from cpe_opt.learners.dueling.copeland_exploration import CopelandGoal
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.learners.dueling.condorcet_tracking import CondorcetGoal
from cpe_opt.learners.dueling.exact_optimum import ExactOptimum
from cpe_opt.learners.dueling.pair_tracking import PairTracker
from cpe_opt.learners.dueling.prior_votes import prior_tally
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.tracking import batches_of
from cpe_opt.proofs.dueling.e_values import log_e_values
from tests.learners.dueling.support import KEPT, TRACKING, winners


@pytest.mark.parametrize(
    ("learner", "name", "most"),
    [
        ("condorcet-tracking", "cyclic", 130),
        ("copeland-tracking", "gap", 420),
        ("borda-tracking", "cyclic", 1300),
    ],
)
def test_winners_are_found_by_few_duels(learner, name, most):
    mu = cpe.load_instance(name)
    traces = [cpe.simulate(learner, mu, delta=0.05, seed=seed) for seed in range(2)]
    assert all(trace.proved for trace in traces)
    assert all(trace.answer in winners(learner, mu) for trace in traces)
    assert np.mean([trace.samples for trace in traces]) <= most


@pytest.mark.parametrize("learner", TRACKING)
def test_counts_that_prove_nothing_are_refused(learner):
    function = cpe.learners.LEARNERS[learner]
    with pytest.raises(cpe.InputError, match="prior: votes on 3 arms, expected 4"):
        Exchange(function, 4, delta=0.1, prior=np.zeros((3, 3)))
    rankings = cpe.Votes(np.zeros((3, 3)), independent=False)
    with pytest.raises(cpe.InputError, match="rankings"):
        Exchange(function, 3, delta=0.1, prior=rankings)
    with pytest.raises(cpe.InputError, match=r"price|prices"):
        Exchange(function, 3, delta=0.1, prices=np.zeros((3, 3)))
    with pytest.raises(cpe.InputError, match="delta"):
        Exchange(function, 3, delta=1.5)


@pytest.mark.parametrize("learner", TRACKING)
def test_a_run_does_not_depend_on_the_currency(learner):
    mu = cpe.load_instance("cyclic")
    common = {"delta": 0.3, "seed": 1}
    plain = cpe.simulate(learner, mu, **common)
    alike = cpe.simulate(learner, mu, prices=1e200, **common)
    assert (alike.samples, alike.answer, alike.doubt) == (plain.samples, plain.answer, plain.doubt)
    assert (alike.draws == plain.draws).all()


@pytest.mark.parametrize(
    ("learner", "name"),
    [
        ("copeland-tracking", "multisol"),
        ("condorcet-tracking", "cyclic"),
        ("borda-tracking", "cyclic"),
    ],
)
def test_the_smallest_probabilities_of_an_error_are_reached_or_refused(learner, name):
    mu = cpe.load_instance(name)
    trace = cpe.simulate(learner, mu, delta=1e-300, seed=0, horizon=10**6)
    assert trace.proved
    assert trace.answer in winners(learner, mu)
    with pytest.raises(cpe.InputError, match="delta is 5e-324, expected a probability from"):
        cpe.simulate(learner, mu, delta=5e-324)


@pytest.mark.parametrize("learner", TRACKING)
def test_an_early_end_says_what_is_proved_by_then(learner):
    mu = cpe.load_instance("cyclic")
    early = cpe.simulate(learner, mu, delta=1e-6, horizon=5)
    assert early.doubt == (
        "the horizon was reached before it stopped; nothing is proved of the answer by then"
    )
    late = cpe.simulate(learner, mu, delta=1e-200, seed=1, horizon=1500)
    assert late.answer in winners(learner, mu)
    assert not late.proved
    found = re.search(r"by then it has evidence ([\d.]+), and a proof .* needs 461", late.doubt)
    assert 0.0 < float(found[1]) < 461


def goal_of(kind, wins, prices):
    tally = prior_tally(len(wins), wins)
    if kind is CopelandGoal:
        return CopelandGoal(tally, prices, partial(ExactOptimum, **KEPT))
    return kind(tally, prices)


@pytest.mark.parametrize("kind", [CondorcetGoal, CopelandGoal])
@pytest.mark.parametrize("seed", range(3))
def test_a_batch_is_that_of_turns_whose_outcomes_keep_the_estimates(kind, seed):
    rng = np.random.default_rng(seed)
    mu = cpe.load_instance("sushi").array
    duels = np.triu(rng.integers(20, 60, mu.shape), 1)
    wins = rng.binomial(duels, mu).astype(float)
    wins += (duels - wins).T * (duels.T > 0)
    wins += np.triu(wins == wins.T, 1)
    prices, parallel = np.ones_like(mu), 8
    goal = goal_of(kind, wins, prices)
    at_once = PairTracker(goal, 1e-6, parallel)
    at_once._spent = 100.0  # so little that a choice is one duel
    at_once.proved()
    chosen = Counter()
    for duel in next(at_once.block()):
        chosen[frozenset((duel.i, duel.j))] += duel.times
    single = goal_of(kind, wins, prices)
    turns, expected = PairTracker(single, 1e-6), Counter()
    turns._spent = 99.0
    for _ in range(parallel):
        turns.proved()
        (duel,) = next(turns.block())
        assert duel.times == 1
        expected[frozenset((duel.i, duel.j))] += 1
        turns.count(duel, single.tally.estimate[duel.i, duel.j])
    assert chosen == expected
    # Nothing is left of it.
    left = at_once.evidence.log_e if kind is CondorcetGoal else at_once.evidence.bets.log_f
    np.testing.assert_array_equal(left, log_e_values(wins, wins.T))
    np.testing.assert_array_equal(goal.tally.draws, wins + wins.T)


@given(
    times=st.lists(st.integers(1, 400), min_size=6, max_size=6),
    parallel=st.integers(2, 60),
)
@settings(max_examples=30)
def test_every_batch_of_a_block_has_its_part_of_every_pair(times, parallel):
    planned = np.zeros((4, 4), dtype=np.int64)
    planned[np.triu_indices(4, 1)] = times
    planned += planned.T
    parts = list(batches_of(planned, parallel))
    total = Counter()
    for part in parts:
        assert sum(duel.times for duel in part) >= min(parallel, sum(times))
        for duel in part:
            total[duel.i, duel.j] += duel.times
            whole = planned[duel.i, duel.j]
            assert whole / len(parts) - 1 < duel.times < whole / len(parts) + 1
    assert total == {(i, j): planned[i, j] for i in range(4) for j in range(i + 1, 4)}
    assert len(parts) <= 100
    assert len(parts) == 100 or (len(parts) + 1) * (parallel + 6) > sum(times)
