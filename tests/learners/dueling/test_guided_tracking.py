"""Trackers guided by a model: on the cells of a test set, and with a margin."""

import itertools
import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.beliefs import PairBeliefs
from cpe_opt.learners.dueling.guided_tracking import GuidedCondorcet, GuidedCopeland
from cpe_opt.learners.exchange import Exchange
from cpe_opt.problems.dueling.random_matrices import random_cycle
from cpe_opt.problems.queries import Window
from cpe_opt.proofs.dueling.predictable_bets import PredictableBets

GOALS = {"copeland-tracking": GuidedCopeland, "condorcet-tracking": GuidedCondorcet}


def items(arms, cells, seed, spread=0.5, ties=0.3, equal=0):
    """Answers of a judge with noise; the first arms are equally strong."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, spread, arms)
    strength[:equal] = strength.max()
    outcomes = np.full((arms, arms, cells), np.nan)
    for i, j in itertools.combinations(range(arms), 2):
        latent = strength[i] - strength[j] + rng.normal(0.0, 1.0, cells)
        outcomes[i, j] = np.where(np.abs(latent) < ties, 0.5, latent > 0)
    return cpe.ItemDuels(outcomes)


def tracker(goal, problem, delta, margin=0.0, parallel=1):
    arms = len(problem.labels)
    beliefs = PairBeliefs(problem.cells.astype(float), 0.5 - margin)
    bets = PredictableBets(arms, margin)
    plain = () if goal is GuidedCopeland else (PredictableBets(arms) if margin else bets,)
    return goal(beliefs, bets, delta, np.ones((arms, arms)), parallel, *plain)


@pytest.mark.parametrize("goal", GOALS.values())
@pytest.mark.parametrize("margin", [0.0, 0.08])
def test_it_stops_at_the_proof_and_not_before(goal, margin):
    problem = items(5, 60, seed=3)
    tracked = tracker(goal, problem, 0.05, margin)
    environment, evidence = problem.environment(np.random.default_rng(1)), []
    while (answer := tracked.proved()) is None:
        evidence.append(tracked.evidence())
        tracked.count(environment.answer(tracked.open_queries()[0]))
    assert len(evidence) > 10
    assert max(evidence) < math.log(20) <= tracked.evidence()
    found = answer if goal is GuidedCopeland else answer.answer
    assert found in problem.copeland_winners


def full(rows):
    """A table from the outcomes of the pairs (0, 1), (0, 2), (1, 2)."""
    outcomes = np.full((3, 3, len(rows[0])), np.nan)
    for (i, j), row in zip(((0, 1), (0, 2), (1, 2)), rows, strict=True):
        outcomes[i, j] = row
    return cpe.ItemDuels(outcomes)


@pytest.mark.parametrize("delta", [1e-9])
@pytest.mark.parametrize(
    ("rows", "copeland", "condorcet"),
    [
        (([0.5, 0.5], [0.5, 0.5], [0.5, 0.5]), {0, 1, 2}, None),
        (([1, 0], [1, 0], [1, 0]), {0, 1, 2}, None),
        (([1, 0.5], [1, 1], [0, 1]), {0}, 0),
        (([1, 0.5], [0, 0], [1, 1]), {0, 1, 2}, None),
        (([0, 1], [1, 1], [1, 1]), {0, 1}, None),
        (([0, 0.5], [1, 0], [0.5, 0.5]), {1, 2}, None),
    ],
)
def test_a_table_that_is_asked_in_full_is_known(rows, copeland, condorcet, delta):
    problem = full(rows)
    assert set(problem.copeland_winners) == copeland
    for seed in range(4):
        trace = cpe.simulate("copeland-tracking", problem, delta=delta, seed=seed)
        assert trace.proved
        assert trace.answer in copeland
        assert trace.samples <= 6
        trace = cpe.simulate("condorcet-tracking", problem, delta=delta, seed=seed)
        assert trace.samples <= 6
        if condorcet is not None:
            assert (trace.answer, trace.doubt) == (condorcet, "")


def test_with_a_margin_ties_end_before_the_table_does():
    problem = items(4, 120, seed=8, equal=3)
    calls = [
        cpe.simulate("copeland-tracking", problem, delta=0.05, margin=margin, seed=1).samples
        for margin in (0.0, 0.1, 0.2)
    ]
    assert calls[0] > calls[1] > calls[2]
    assert calls[1] < 0.6 * problem.cells.sum() / 2


@pytest.mark.parametrize("learner", GOALS)
def test_coins_with_a_margin_are_decided_although_they_tie(learner):
    mu = np.array([[0.5, 0.5, 0.8], [0.5, 0.5, 0.8], [0.2, 0.2, 0.5]])
    trace = cpe.simulate(
        learner, cpe.PreferenceMatrix(mu), delta=0.1, margin=0.15, max_samples=20_000
    )
    assert trace.claim in (
        "proved: no arm is ahead of it by more than 0.15",
        "proved, if there is a Condorcet winner: the Condorcet winner beats it by at most 0.15",
    )
    assert trace.answer in (0, 1)
    assert trace.samples < 3000


@pytest.mark.parametrize(
    ("learner", "margin"), [("copeland-tracking", 0.05), ("condorcet-tracking", 0.0)]
)
def test_wrong_answers_are_rare(learner, margin):
    wrong = proved = 0
    for seed in range(12):
        problem = items(4, 20, seed, spread=0.15)
        trace = cpe.simulate(learner, problem, delta=0.2, margin=margin, seed=seed)
        table = problem.table.array
        if trace.doubt or (learner == "condorcet-tracking" and problem.condorcet_winner is None):
            continue
        proved += 1
        unbeaten = (table >= 0.5 + margin - 1e-9).sum(axis=1) - (margin == 0)
        beating = (table < 0.5 - margin - 1e-9).sum(axis=1)
        i = trace.answer
        wrong += any(unbeaten[j] + beating[i] >= 4 for j in range(4) if j != i)
    assert proved >= 4
    assert wrong <= 2


@pytest.mark.slow
@pytest.mark.parametrize("learner", GOALS)
def test_five_hundred_runs_are_wrong_with_the_probability_asked_for(learner):
    wrong = 0
    for seed in range(500):
        problem = items(4, 12, seed, spread=0.1)
        if learner == "condorcet-tracking" and problem.condorcet_winner is None:
            continue
        trace = cpe.simulate(learner, problem, delta=0.2, seed=seed)
        wrong += trace.answer not in problem.copeland_winners and not trace.doubt
    print(f"{learner}: {wrong} wrong of 500 at delta = 0.2")
    assert wrong <= 100


@pytest.mark.parametrize("learner", GOALS)
def test_as_many_are_open_as_are_to_be_and_no_cell_twice(learner):
    problem = items(4, 15, seed=5)
    exchange = Exchange(
        cpe.learners.LEARNERS[learner], 4, delta=1e-12, parallel=7, cells=problem.cells
    )
    environment, asked = problem.environment(np.random.default_rng(2)), np.zeros((4, 4))
    while not exchange.finished:
        duels = exchange.query.queries if isinstance(exchange.query, Window) else [exchange.query]
        opened = asked.copy()
        for duel in duels:
            assert duel.times == 1
            opened[duel.i, duel.j] += 1
        assert ((opened + opened.T) <= problem.cells).all()
        assert len(duels) == min(7, (problem.cells.sum() - asked.sum() * 2) / 2)
        asked[duels[0].i, duels[0].j] += 1
        exchange.tell(environment.answer(duels[0]))
    assert exchange.answer in problem.copeland_winners or problem.condorcet_winner is None


@pytest.mark.parametrize("learner", GOALS)
def test_answers_are_used_in_the_order_of_questions_for_the_arm_to_prove_by_then(learner):
    """All that decides is what was used before; the arm to prove may have changed meanwhile."""
    problem = items(4, 40, seed=5)
    tracked = tracker(GOALS[learner], problem, 1e-9, parallel=6)
    environment, champions = problem.environment(np.random.default_rng(2)), set()
    add, used = tracked.bets.add, []

    def bet(i, j, gained):
        used.append((tracked.bets.target, {i, j}))
        add(i, j, gained)

    tracked.bets.add = bet
    for _ in range(60):
        tracked.proved()
        duels = tracked.open_queries()
        champions.add(tracked.champion)
        used.clear()
        tracked.count(environment.answer(duels[0]))
        assert all(each == (tracked.champion, {duels[0].i, duels[0].j}) for each in used)
        assert tracked.open_queries()[:5] == duels[1:]
    assert len(champions) > 1


def test_bets_of_coins_count_in_q_for_arms_that_may_be_proved_and_to_win_back_what_is_lost():
    mu = random_cycle(6, seed=2)
    cells = np.full((6, 6), np.inf)
    np.fill_diagonal(cells, 0.0)
    tracked = GuidedCopeland(PairBeliefs(cells, 0.5), PredictableBets(6), 1e-6, np.ones((6, 6)))
    environment, reasons = mu.environment(np.random.default_rng(1)), set()
    add = tracked.bets.add

    def bet(i, j, gained):
        inferiors, lost = tracked.beliefs.inferiors, tracked.bets.log_q[i, j] < 0
        contends = inferiors[i] >= inferiors[tracked.champion] - 0.5
        contends &= tracked.beliefs.asked[i, j] >= 8
        late = tracked.beliefs.duels >= 18
        reasons.add((late, i == tracked.champion, bool(contends), bool(lost)))
        before = tracked.bets.log_q[i, j]
        add(i, j, gained)
        counted = late and (i == tracked.champion or contends or lost)
        assert (tracked.bets.log_q[i, j] != before) == counted

    tracked.bets.add = bet
    for _ in range(400):
        assert tracked.proved() is None
        tracked.count(environment.answer(tracked.open_queries()[0]))
    assert {(True, False, True, False), (True, False, False, True)} <= reasons


@pytest.mark.parametrize("learner", GOALS)
def test_of_several_coins_at_once_the_others_are_enough_for_all_who_ask(learner):
    """However many coins the oldest question has, and however many of these have come."""
    mu = cpe.PreferenceMatrix(np.array([[0.5, 0.6, 0.6], [0.4, 0.5, 0.6], [0.4, 0.4, 0.5]]))
    exchange = Exchange(cpe.learners.LEARNERS[learner], 3, delta=1e-6, margin=0.05, parallel=5)
    environment, most = mu.environment(np.random.default_rng(0)), 1
    while not exchange.finished and most < 4:
        duels = exchange.query.queries
        assert sum(duel.times for duel in duels[1:]) >= 4
        most = max(most, duels[0].times)
        exchange.tell(environment.answer(duels[0]))
    assert most == 4


@pytest.mark.parametrize("learner", GOALS)
def test_a_tracker_goes_on_from_its_state_with_its_open_questions(learner):
    problem = items(4, 40, seed=5)
    first, second = (tracker(GOALS[learner], problem, 1e-9, 0.05, parallel=6) for _ in range(2))
    environment = problem.environment(np.random.default_rng(2))
    for _ in range(50):
        first.proved()
        first.count(environment.answer(first.open_queries()[0]))
    second.restore(first.state())
    for _ in range(50):
        assert first.proved() == second.proved()
        assert first.open_queries() == second.open_queries()
        shown = environment.answer(first.open_queries()[0])
        first.count(shown)
        second.count(shown)


def test_answered_cells_count_as_known():
    problem = items(4, 40, seed=2)
    array = problem.table.array
    total = 30 * array * (1 - np.eye(4))
    left = np.round(problem.cells * 0.25).astype(int)
    exchange = Exchange(cpe.learners.copeland_tracking, 4, delta=0.05, cells=left, answered=total)
    fresh = Exchange(cpe.learners.copeland_tracking, 4, delta=0.05, cells=problem.cells)
    calls = []
    for each in (exchange, fresh):
        environment = problem.environment(np.random.default_rng(0))
        made = 0
        while not each.finished:
            each.tell(environment.answer(each.query))
            made += 1
        calls.append(made)
        assert each.answer in problem.copeland_winners
    assert calls[0] < 0.6 * calls[1]


def test_dear_pairs_are_asked_about_less():
    problem = items(4, 80, seed=11)
    winner = problem.copeland_winners[0]
    prices = np.ones((4, 4))
    other = (winner + 1) % 4
    prices[winner, other] = prices[other, winner] = 30.0
    np.fill_diagonal(prices, 0.0)
    draws = []
    for price in (None, prices):
        trace = cpe.simulate("copeland-tracking", problem, delta=0.05, prices=price, seed=3)
        draws.append(trace.draws[winner, other] + trace.draws[other, winner])
    assert draws[1] <= draws[0]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"margin": 0.5}, "margin is 0.5, expected a number from 0 to below 0.5"),
        ({"margin": -0.1}, "margin is -0.1, expected a number, at least 0"),
        ({"margin": 0.1, "method": "cuts"}, "method and solver have no effect"),
        (
            {"cells": 1 - np.eye(3, dtype=int), "prior": np.zeros((3, 3))},
            "votes do not say which cells they answer",
        ),
    ],
)
def test_bad_arguments_are_refused(parameters, message):
    with pytest.raises(cpe.InputError, match=message):
        Exchange(cpe.learners.copeland_tracking, 3, delta=0.1, **parameters)
