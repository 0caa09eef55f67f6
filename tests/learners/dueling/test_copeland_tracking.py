"""copeland-tracking: its proof, its plan, its duels, and votes to start from."""

import math
from functools import partial

import numpy as np
import pytest
from cpe_opt.learners.dueling.copeland_exploration import CopelandGoal, first_duels
from cpe_opt.learners.dueling.guided_tracking import GuidedCopeland, beliefs_and_bets

import cpe_opt as cpe
from cpe_opt.learners.dueling.exact_optimum import ExactOptimum
from cpe_opt.learners.dueling.pair_tracking import PairTracker
from cpe_opt.learners.dueling.prior_votes import prior_tally
from cpe_opt.learners.exchange import Exchange
from cpe_opt.proofs.dueling.copeland import weakest_truth
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.predictable_bets import coin_stake
from tests.learners.dueling.support import KEPT, stepped, tracked


def of_strengths(arms):
    """Bradley and Terry's model with normal strengths."""
    strength = np.random.default_rng(3).normal(size=arms)
    return cpe.PreferenceMatrix(1.0 / (1.0 + np.exp(strength - strength[:, None])))


def test_no_bet_is_for_a_champion_at_first_and_each_is_placed_before_the_duel():
    """Stakes follow from what was known before, and favourites that are doubtful have none."""
    mu, spared = of_strengths(16), 0
    arms = mu.arms
    beliefs, bets = beliefs_and_bets(arms, margin=0.0, cells=None, answered=None, prior=None)
    tracker = GuidedCopeland(beliefs, bets, 1e-3, np.ones((arms, arms)), 1)
    environment = mu.environment(np.random.default_rng(6))
    log_f, log_q = np.zeros((2, arms, arms))
    while tracker.proved() is None:
        (duel,) = tracker.open_queries()
        won = environment.answer(duel)
        for i, j, got in ((duel.i, duel.j, won), (duel.j, duel.i, duel.times - won)):
            share, _ = beliefs.stake(i, j, 0.5, 0.9)
            if beliefs.belief[i, j] < 0.9 or share == 0.0:
                continue
            mean = beliefs.mean[i, j]
            expected = (mean - 0.5) / (mean * (1.0 - mean) + (mean - 0.5) ** 2)
            assert share == pytest.approx(min(1.8, expected), abs=0.05)
            gained = got * math.log1p(share / 2) + (duel.times - got) * math.log1p(-share / 2)
            log_f[i, j] += gained
            late = beliefs.asked.sum() / 2 >= 3 * arms
            log_q[i, j] += gained * (late and i == tracker.champion)
            spared += not late and i == tracker.champion
        tracker.count(won)
    np.testing.assert_allclose(bets.log_f, log_f, atol=1e-4)
    np.testing.assert_allclose(bets.log_q, log_q, atol=1e-4)
    assert spared > 3


def test_below_some_delta_the_exploration_is_tracked():
    asked = [
        tracked("copeland-tracking", cpe.load_instance("cyclic"), 1, delta=delta, **way)[0]
        for delta, way in ((1e-41, {}), (1e-41, {"method": "kept"}), (1e-41, {"method": "model"}))
    ]
    assert asked[0] == asked[1] != asked[2]


def tracker_of(arms, delta, prior=None):
    prices = np.ones((arms, arms)) - np.eye(arms)
    goal = CopelandGoal(prior_tally(arms, prior), prices, partial(ExactOptimum, **KEPT))
    return PairTracker(goal, delta)


@pytest.mark.parametrize(("name", "seed"), [("cyclic", 0), ("gap", 3)])
def test_it_stops_as_soon_as_a_look_finds_the_proof(name, seed):
    mu, delta = cpe.load_instance(name), 0.03
    tracker, looks = tracker_of(mu.arms, delta), []
    assess = tracker._goal.assess
    tracker._goal.assess = lambda evidence: looks.append(assess(evidence)) or looks[-1]
    answer = stepped(tracker, mu, seed)
    weakest = tracker.evidence.bets.weakest_truth(answer)
    assert weakest.evidence == looks[-1].evidence >= math.log(1 / delta)
    assert all(look.evidence < math.log(1 / delta) for look in looks[:-1])
    assert len(looks) > 20
    # The same run as a learner.
    asked, _, exchange = tracked("copeland-tracking", mu, seed, delta=delta, method="kept")
    assert exchange.answer == answer
    assert sum(query.times for query, _ in asked) == tracker._goal.tally.draws.sum() / 2


def test_bets_are_those_of_the_counts_before_each_duel():
    mu = cpe.load_instance("cyclic")
    tracker = tracker_of(mu.arms, 0.1)
    environment = mu.environment(np.random.default_rng(4))
    wins = np.zeros_like(mu.array)
    log_f, log_q = np.zeros_like(wins), np.zeros_like(wins)
    for _ in range(150):
        tracker.proved()
        target = tracker._assessment.arms[0] if tracker._assessment else -1
        (duel,) = next(tracker.block())
        won = environment.answer(duel)
        i, j = duel.i, duel.j
        stake = coin_stake(wins[i, j], wins[j, i])
        first, second, got = (i, j, won) if stake > 0 else (j, i, duel.times - won)
        gained = got * math.log1p(abs(stake)) + (duel.times - got) * math.log1p(-abs(stake))
        log_f[first, second] += gained
        log_q[first, second] += gained * (first == target)
        wins[i, j] += won
        wins[j, i] += duel.times - won
        tracker.count(duel, won)
    bets = tracker.evidence.bets
    np.testing.assert_allclose(bets.log_f, log_f, atol=1e-4)
    np.testing.assert_allclose(bets.log_q, log_q, atol=1e-4)
    assert np.abs(log_f - log_q).max() > 0.1  # not all were of the arm to prove


def test_votes_that_are_there_are_used():
    mu = cpe.load_instance("cyclic")
    _, wins, exchange = tracked("copeland-tracking", mu, delta=0.05)
    again = Exchange(cpe.learners.copeland_tracking, mu.arms, delta=0.05, prior=3 * wins)
    assert (again.finished, again.answer, again.doubt) == (True, exchange.answer, "")
    log_e = log_e_values(3 * wins, 3 * wins.T)
    by_counts = weakest_truth(log_e, exchange.answer).evidence
    start = tracker_of(mu.arms, 0.05, 3 * wins).evidence.weakest_truth(exchange.answer)
    assert by_counts - math.log(2) - 1e-5 <= start.evidence < by_counts


def test_the_first_questions_are_those_that_evidence_lists():
    numbers = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        strengths, shares = rng.normal(size=7), rng.dirichlet(np.full(7, 2.0))
        wins = np.zeros((7, 7))
        for _ in range(250):
            i, j = rng.choice(7, 2, replace=False, p=shares)
            won = rng.random() < 1 / (1 + math.exp(strengths[j] - strengths[i]))
            wins[(i, j) if won else (j, i)] += 1
        votes = cpe.Votes(wins)
        remaining = cpe.evidence(votes).remaining
        exchange = Exchange(cpe.learners.copeland_tracking, 7, delta=0.04, prior=votes)
        listed = set(remaining.undecided)
        if remaining.duels is not None:
            listed = set(map(tuple, np.argwhere(np.triu(remaining.duels)).tolist()))
            numbers += 1
        for _ in range(1 if remaining.duels is None else 4):
            query = exchange.query
            if query is None:
                break
            assert tuple(sorted((query.i, query.j))) in listed
            exchange.tell(query.times)
    assert 1 <= numbers < 6


def test_a_tracker_that_starts_from_votes_goes_on_from_its_state_on_its_list_and_after_it():
    wins = np.array([[0, 9, 12, 12], [3, 0, 8, 11], [2, 6, 0, 9], [0, 1, 4, 0]])
    mu = cpe.load_instance("cyclic")

    def begun():
        made = beliefs_and_bets(4, margin=0.0, cells=None, answered=None, prior=wins)
        outlook = partial(first_duels, prior_tally(4, wins), 1e-9, np.ones((4, 4)))
        return GuidedCopeland(*made, 1e-9, np.ones((4, 4)), 1, outlook)

    tracker, environment = begun(), mu.environment(np.random.default_rng(4))
    for _ in range(120):
        again = begun()
        again.restore(tracker.state())
        assert tracker.proved() is again.proved() is None
        assert again.evidence() == tracker.evidence()
        assert again.open_queries() == tracker.open_queries()
        tracker.count(environment.answer(tracker.open_queries()[0]))
    assert tracker.beliefs.duels > 1.25 * wins.sum()  # the list is left behind


def test_an_assessment_names_pairs_that_lead_and_plans_go_by_prices_at_shrunk_estimates():
    rng = np.random.default_rng(2)
    duels = np.triu(rng.integers(3, 30, (6, 6)) * 2 + 1, 1)
    won = rng.binomial(duels, 0.55)
    wins = won + np.tril((duels - won).T, -1).astype(float)
    prices = np.triu(rng.uniform(1, 9, (6, 6)), 1)
    prices = prices + prices.T
    goal = CopelandGoal(prior_tally(6, wins), prices, partial(ExactOptimum, **KEPT))
    assessment = goal.assess(goal.evidence())
    assert assessment.pairs
    assert all(wins[pair] > wins[pair[::-1]] for pair in assessment.pairs)
    i, j = 1, 4
    p = (wins[i, j] + 1) / (wins[i, j] + wins[j, i] + 2)
    divergence = p * math.log(2 * p) + (1 - p) * math.log(2 * (1 - p))
    assert goal.costs()[i, j] == pytest.approx(prices[i, j] / divergence)
    x, cost = goal.plan(assessment, 3.0)
    charged = np.triu(goal.costs() * (4.0 * x + 3.0 * (x > 0)), 1).sum()
    assert cost == pytest.approx(charged)


def test_any_empirical_winner_may_be_the_one_that_is_proved():
    mu = cpe.load_instance("multisol")
    tracker = tracker_of(mu.arms, 0.05)
    answer = next(
        answer
        for seed in range(20)
        if (answer := stepped(tracker := tracker_of(mu.arms, 0.05), mu, seed))
        != tracker._goal.estimates.tournament.winners[0]
    )
    winners = tracker._goal.estimates.tournament.winners
    assert answer in winners[1:]
    bets = tracker.evidence.bets
    assert bets.weakest_truth(answer).evidence >= math.log(20)
    assert bets.weakest_truth(winners[0]).evidence < math.log(20)


def test_the_kept_program_makes_the_run_of_plain_programs():
    rng = np.random.default_rng(0)
    prices = np.triu(rng.uniform(0.5, 2.0, (5, 5)), 1)
    prices = prices + prices.T
    mu = cpe.load_instance("gap")
    runs = [
        tracked("copeland-tracking", mu, 0, delta=0.05, prices=prices, method=way)[0]
        for way in ("kept", "compact")
    ]
    assert runs[0] == runs[1]
    assert len(runs[0]) > 100
