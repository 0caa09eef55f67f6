"""A fixed budget: it is spent, p-values are valid, estimates are calibrated, duels well chosen."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.fixed_budget import (
    BordaBeliefs,
    CopelandBeliefs,
    filled_up,
    flattened,
)
from cpe_opt.proofs.dueling.borda import borda_evidence

LEARNERS = ["copeland-budget", "borda-budget"]


def winners(problem, learner):
    return problem.copeland_winners if "copeland" in learner else problem.borda_winners


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("method", ["adaptive", "halving", "uniform"])
@pytest.mark.parametrize("budget", [1, 7, 203])
def test_the_budget_is_spent_to_the_last_duel(learner, method, budget):
    mu = cpe.load_instance("gap")
    trace = cpe.simulate(learner, mu, budget=budget, method=method, seed=3)
    assert trace.samples == budget
    assert 0.0 <= trace.error_estimate <= 1.0


@pytest.mark.parametrize("learner", LEARNERS)
def test_uniform_is_uniform_and_halving_leaves_out_arms(learner):
    mu = cpe.load_instance("sushi")
    upper = np.triu_indices(16, 1)
    even = cpe.simulate(learner, mu, budget=1234, method="uniform").draws[upper]
    assert set(even.tolist()) == {10, 11}
    halving = cpe.simulate(learner, mu, budget=12_000, method="halving").draws
    # Four rounds of 3,000: all 120 pairs, then those of 8, 4 and 2 arms: 92, 54 and 29 pairs.
    rounds = 3000 / np.array([120, 92, 54, 29])
    expected = np.cumsum(rounds)
    assert abs(halving[upper].max() - expected[-1]) < 4
    assert abs(halving[upper].min() - expected[0]) < 1.5


@pytest.mark.parametrize(
    ("learner", "beliefs"), [("copeland-budget", CopelandBeliefs), ("borda-budget", BordaBeliefs)]
)
def test_p_values_are_valid(learner, beliefs):
    """Two arms, 40 duels: of an arm that does not beat the other, exactly, p <= alpha is rare."""
    p_values, chances = [], []
    for won in range(41):
        wins = np.array([[0.0, won], [40.0 - won, 0.0]])
        p_values.append(math.exp(-max(0.0, beliefs(2, np.random.default_rng(0), wins).evidence(0))))
        chances.append(math.comb(40, won) / 2**40)
    p_values, chances = np.array(p_values), np.array(chances)
    for alpha in p_values[p_values < 1.0]:
        assert chances[p_values <= alpha].sum() <= alpha
    assert (p_values < 0.01).sum() > 5  # not by proving nothing
    wins = np.array([[0.0, 35.0], [5.0, 0.0]])
    mu = cpe.PreferenceMatrix([[0.5, 0.9], [0.1, 0.5]])
    trace = cpe.simulate(learner, mu, budget=1, prior=wins - 0.5 * (wins > 0), seed=1)
    assert p_values[34] >= trace.p_value >= p_values[36]


@pytest.mark.parametrize("learner", LEARNERS)
def test_answers_are_proved_where_the_votes_prove_them(learner):
    """At a delta just above the p-value, and not just below it; of three arms, by all pairs."""
    wins = np.array([[0, 70, 66], [30, 0, 61], [34, 39, 0]])
    kwargs = {"budget": 1, "prior": wins, "seed": 2}
    mu = cpe.PreferenceMatrix([[0.5, 0.7, 0.7], [0.3, 0.5, 0.6], [0.3, 0.4, 0.5]])
    first = cpe.simulate(learner, mu, **kwargs)
    assert first.answer == 0
    assert 0.0 < first.p_value < 0.5
    above = cpe.simulate(learner, mu, **kwargs, delta=first.p_value * 1.001)
    below = cpe.simulate(learner, mu, **kwargs, delta=first.p_value * 0.999)
    assert above.proved
    assert not below.proved
    assert "estimated probability of being wrong" in below.doubt
    assert f"delta = {first.p_value * 0.999:g}" in below.doubt


def test_the_p_value_of_a_borda_winner_counts_all_pairs():
    """That of borda-budget: all that the theorem says of two arms each holds at once."""
    wins = np.array([[0.0, 70, 66], [30, 0, 61], [34, 39, 0]])
    found = BordaBeliefs(3, np.random.default_rng(0), wins).evidence(0)
    assert found == pytest.approx(borda_evidence(wins)[0, 1:].min() - math.log(3.0))


@pytest.mark.parametrize(
    ("learner", "tolerance"), [("copeland-budget", 0.0), ("borda-budget", 0.03)]
)
def test_estimates_are_calibrated_where_the_prior_is_true(learner, tolerance):
    """Over matrices drawn from it, as many answers are wrong as estimated."""
    rng, runs, excess = np.random.default_rng(5), 100, []
    for seed in range(runs):
        mu = np.full((4, 4), 0.5)
        upper = np.triu_indices(4, 1)
        mu[upper] = rng.random(6)
        mu.T[upper] = 1.0 - mu[upper]
        problem = cpe.PreferenceMatrix(mu)
        trace = cpe.simulate(learner, problem, budget=40, seed=seed)
        excess.append(trace.error_estimate - (trace.answer not in winners(problem, learner)))
    error = 3.0 * float(np.std(excess)) / math.sqrt(runs)
    assert abs(np.mean(excess)) <= error + tolerance


def by_pairs(beliefs, shares):
    return dict(zip(zip(beliefs.first, beliefs.second, strict=True), shares, strict=True))


def test_disputed_pairs_are_those_that_unseat_the_leader():
    """Arm 0 leads 1 and 2 by a little, and 1 and 2 stand clear: only pairs of 0 matter."""
    wins = np.array([[0.0, 12, 12, 40], [8, 0, 30, 40], [8, 10, 0, 40], [0, 0, 0, 0]])
    beliefs = CopelandBeliefs(4, np.random.default_rng(1), wins)
    shares = beliefs.shares(10)
    by_pair = by_pairs(beliefs, shares)
    assert by_pair[0, 1] + by_pair[0, 2] > 0.8 * shares.sum()
    assert by_pair[1, 3] + by_pair[2, 3] + by_pair[0, 3] < 0.05 * shares.sum()


def test_borda_fills_up_the_pairs_of_the_arms_that_are_close():
    wins = 10.0 * np.array([[0.0, 5, 9, 9], [5, 0, 9, 9], [1, 1, 0, 5], [1, 1, 5, 0]])
    beliefs = BordaBeliefs(4, np.random.default_rng(1), wins)
    by_pair = by_pairs(beliefs, beliefs.shares(100))
    # The pair of both counts twice, and its outcomes vary the most; nothing hangs on (2, 3).
    assert by_pair[0, 1] == max(by_pair.values())
    assert by_pair[2, 3] == 0.0
    assert sum(by_pair.values()) == pytest.approx(100)


def test_filling_up_reaches_the_proportions():
    rng = np.random.default_rng(3)
    for _ in range(50):
        wanted, made = rng.random(6) + 0.01, rng.integers(0, 30, 6).astype(float)
        more = filled_up(wanted, made, 25)
        assert more.min() >= 0.0
        assert more.sum() == pytest.approx(25)
        level = (made + more) / wanted
        assert level[more > 0] == pytest.approx(level[more > 0].max())
        assert (level[more == 0] >= level[more > 0].max() - 1e-9).all()


def test_flattened_beliefs_have_the_power_of_their_odds():
    belief = np.array([0.5, 0.8, 1.0])  # odds 1, 4, infinite
    assert flattened(belief, 0.5) == pytest.approx([1 / 2, 2 / 3, 1.0])
