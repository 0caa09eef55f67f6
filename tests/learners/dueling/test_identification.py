"""POCOWISTA, DKWT and NTS: against plain versions, and against their guarantees."""

import math

import numpy as np
import pytest
from scipy.stats import beta

import cpe_opt as cpe
from cpe_opt.learners.dueling.dkwt import trial_size
from cpe_opt.learners.dueling.noisy_tournament import lead_needed
from cpe_opt.learners.dueling.pocowista import duels_to_a_decision, log_posterior_ratio
from tests.learners.reference_identification import (
    reference_dkwt,
    reference_nts,
    reference_pocowista,
)
from tests.learners.support import OutcomesByPair, run_to_the_end
from tests.support import binomial_margin, random_preferences, with_gaps

SEEDS = range(10)


def problem(seed, least=0.15):
    """Tournaments of 2 to 8 arms without ties, with a Condorcet winner or without."""
    return with_gaps(random_preferences(2 + seed % 7, np.random.default_rng(seed)), least)


def condorcet(arms, gap, seed=0):
    """The last arm beats all by the gap, the others each other as it comes."""
    mu = with_gaps(random_preferences(arms, np.random.default_rng(seed)), gap).array.copy()
    mu[-1, :-1], mu[:-1, -1] = 0.5 + gap, 0.5 - gap
    return cpe.PreferenceMatrix(mu)


def none_wins(arms, gap):
    """Every arm loses to the next."""
    mu = np.triu(np.full((arms, arms), 0.5 - gap), 1) + np.tril(np.full((arms, arms), 0.5 + gap))
    mu[0, -1], mu[-1, 0] = 0.5 + gap, 0.5 - gap
    np.fill_diagonal(mu, 0.5)
    return cpe.PreferenceMatrix(mu)


def off_diagonal(draws):
    return draws - np.diag(np.diag(draws))


# POCOWISTA


def test_the_posterior_ratio_is_that_of_the_densities():
    for wins, losses in ((0, 0), (1, 0), (0, 7), (5, 5), (40, 13), (3000, 2900)):
        density = beta.pdf(0.5, wins + 1, losses + 1)
        assert log_posterior_ratio(wins, losses) == pytest.approx(-math.log(density), abs=1e-9)


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (3, 9), (60, 52), (400, 400), (30, 2)])
@pytest.mark.parametrize("needed", [0.5, 6.2, 40.0])
def test_no_fewer_duels_could_decide_a_pair(wins, losses, needed):
    times = duels_to_a_decision(wins, losses, needed)
    ahead, behind = max(wins, losses), min(wins, losses)
    assert log_posterior_ratio(ahead + times, behind) >= needed
    for fewer in range(1, times):
        reached = (log_posterior_ratio(wins + w, losses + fewer - w) for w in range(fewer + 1))
        assert max(reached) < needed


@pytest.mark.parametrize("seed", SEEDS)
def test_pocowista_duels_exactly_as_the_reference(seed):
    mu = problem(seed)
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    winner = reference_pocowista(mu.arms, plain.duel, 0.1)
    answer, _ = run_to_the_end(cpe.learners.pocowista(mu.arms, delta=0.1), ours)
    assert answer == winner
    assert (ours.draws == plain.draws).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_pocowista_leaves_pairs_undecided(seed):
    mu = condorcet(9, 0.4, seed)
    trace = cpe.simulate("pocowista", mu, seed=seed)
    pairs = (trace.draws[np.triu_indices(9, 1)] > 0).sum()
    assert trace.answer == 8
    assert pairs <= 28  # of 36


# DKWT


@pytest.mark.parametrize("seed", SEEDS)
def test_dkwt_duels_exactly_as_the_reference(seed):
    mu = problem(seed)
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    order = np.random.default_rng(seed).permutation(mu.arms).tolist()
    winner = reference_dkwt(order, plain.duel, 0.1)
    learner = cpe.learners.dkwt(mu.arms, rng=np.random.default_rng(seed), delta=0.1)
    answer, _ = run_to_the_end(learner, ours)
    assert answer == winner
    assert (ours.draws == plain.draws).all()


def test_trials_of_dkwt_are_as_long_as_the_paper_says():
    """gamma = 0.05/4: 8 · 16 ln(4 π²/(6 · 0.0125)), and four times as long with ln 2² more."""
    assert trial_size(1, 0.0125) == math.ceil(128 * math.log(4 * math.pi**2 / 0.075)) == 803
    assert trial_size(2, 0.0125) == math.ceil(512 * math.log(16 * math.pi**2 / 0.075))


def test_dkwt_cut_off_names_the_arm_that_stays():
    mu = condorcet(3, 0.45)
    exchange = cpe.learners.Exchange(cpe.learners.dkwt, 3, rng=4)
    environment = OutcomesByPair(mu, 0)
    first = {exchange.query.i, exchange.query.j}
    while {exchange.query.i, exchange.query.j} == first:
        exchange.tell(environment.answer(exchange.query))
    stays = first & {exchange.query.i, exchange.query.j}
    exchange.stop()
    assert {exchange.answer} == stays


# Noisy tournament sampling


@pytest.mark.parametrize("seed", SEEDS)
def test_noisy_tournament_duels_exactly_as_the_reference(seed):
    mu = problem(seed)
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    winner, _ = reference_nts(mu.arms, plain.duel, 0.15, 0.1)
    answer, _ = run_to_the_end(cpe.learners.noisy_tournament(mu.arms, h=0.15, delta=0.1), ours)
    assert answer == winner
    assert (ours.draws == plain.draws).all()


@pytest.mark.parametrize("arms", range(2, 34))
def test_noisy_tournament_decides_no_more_pairs_than_any_algorithm_must(arms):
    """At most 2 K - floor(log2 K) - 2, wherever the Condorcet winner stands."""
    for winner in range(arms):
        mu = np.triu(np.ones((arms, arms)), 1) + np.eye(arms) / 2
        mu[winner], mu[:, winner] = 1.0, 0.0
        mu[winner, winner] = 0.5
        outcomes = OutcomesByPair(cpe.PreferenceMatrix(mu), 0)
        answer, _ = run_to_the_end(cpe.learners.noisy_tournament(arms, h=0.4), outcomes)
        assert answer == winner
        pairs = int((outcomes.draws + outcomes.draws.T > 0).sum()) // 2
        assert pairs <= 2 * arms - math.floor(math.log2(arms)) - 2


def test_a_lead_is_what_the_probability_ratio_test_needs():
    """ln 99 / ln (0.6/0.4) = 11.33."""
    assert lead_needed(0.1, 0.01) == 12
    assert lead_needed(0.49, 0.49) == 1


def test_noisy_tournament_says_that_nobody_wins():
    for seed in range(20):
        trace = cpe.simulate("noisy-tournament", none_wins(5, 0.3), h=0.3, seed=seed)
        assert trace.answer is None
        assert "there is no Condorcet winner" in trace.doubt


def test_noisy_tournament_cut_off_names_the_arm_that_leads_most():
    exchange = cpe.learners.Exchange(cpe.learners.noisy_tournament, 4, h=0.1)
    while exchange.query.i != exchange.query.j and {exchange.query.i, exchange.query.j} != {0, 2}:
        query = exchange.query
        exchange.tell(query.times if query.i in (0, 2) else 0)
    exchange.tell(0)
    exchange.stop()
    assert exchange.answer == 2


# All


@pytest.mark.parametrize(
    ("name", "parameters"), [("pocowista", {}), ("dkwt", {}), ("noisy-tournament", {"h": 0.1})]
)
@pytest.mark.parametrize("delta", [0.3, 0.05])
def test_failures_stay_below_delta(name, parameters, delta):
    """150 seeds: with more failures than this the claim is false (error 0.001)."""
    runs = 150
    mu = condorcet(5, 0.1, seed=2)
    traces = [cpe.simulate(name, mu, seed=s, delta=delta, **parameters) for s in range(runs)]
    assert all(trace.proved or trace.answer is None for trace in traces)
    assert sum(trace.answer != 4 for trace in traces) <= binomial_margin(runs, delta)


def test_errors_do_occur_where_delta_allows_them():
    """So that the test above could fail: next to ½, with delta = 0.6."""
    mu = condorcet(4, 0.02, seed=2)
    for name, parameters in (("pocowista", {}), ("noisy-tournament", {"h": 0.02})):
        answers = [
            cpe.simulate(name, mu, seed=s, delta=0.6, **parameters).answer for s in range(150)
        ]
        assert 0 < sum(answer != 3 for answer in answers) <= binomial_margin(150, 0.6)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("pocowista", {"delta": 1.5}, r"delta is 1\.5, expected a probability"),
        ("dkwt", {"delta": 0.0}, r"delta is 0\.0, expected a number above 0"),
        ("noisy-tournament", {"h": 0.5}, r"h is 0\.5, expected a number between 0 and 0\.5"),
        ("noisy-tournament", {"h": 0.0}, r"h is 0\.0, expected a number above 0"),
        ("noisy-tournament", {}, "noisy_tournament needs the parameter 'h'"),
    ],
)
def test_parameters_are_checked(name, parameters, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.simulate(name, cpe.load_instance("gap"), horizon=10, **parameters)
