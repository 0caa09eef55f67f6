"""Learners that ask in rounds: what is open, when the next is chosen, how large rounds are."""

import itertools
import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.copeland_tracking import CopelandTracker
from cpe_opt.learners.exchange import Exchange
from cpe_opt.problems.queries import CellSums, Pull, Window
from tests.learners.dueling.support import CLEAR


def duels(arms=5, items=40, seed=0):
    rng = np.random.default_rng(seed)
    strength = np.linspace(1.2, 0.0, arms)
    outcomes = np.full((arms, arms, items), np.nan)
    for i, j in itertools.combinations(range(arms), 2):
        outcomes[i, j] = strength[i] - strength[j] + rng.normal(0.0, 1.0, items) > 0.0
    return cpe.ItemDuels(outcomes)


def scores(arms=5, items=200, seed=0):
    rng = np.random.default_rng(seed)
    right = rng.random((arms, items)) < np.linspace(0.8, 0.4, arms)[:, None]
    return cpe.ItemScores(1.0 * right)


def played(learner, problem, seed=0, most=math.inf, **options):
    """The open questions at each wait, and the exchange at its end or after more waits."""
    order, own = np.random.SeedSequence(seed).spawn(2)
    environment = problem.environment(np.random.default_rng(order))
    exchange = Exchange(
        cpe.learners.LEARNERS[learner],
        problem.known,
        np.random.default_rng(own),
        family=problem.family,
        cells=getattr(problem, "cells", None),
        **options,
    )
    waits, left = [], ()
    while not exchange.finished and len(waits) <= most:
        query = exchange.query
        open_ = query.queries if isinstance(query, Window) else (query,)
        if left:
            assert open_ == left  # nothing is chosen while questions of a round are open
        else:
            waits.append(open_)
        left = open_[1:]
        exchange.tell(environment.answer(environment.check(open_[0])))
    return waits, exchange


PROBLEMS = {
    "copeland-tracking": duels(),
    "condorcet-tracking": duels(),
    "score-tracking": scores(),
}


@pytest.mark.parametrize("learner", PROBLEMS)
def test_nothing_is_chosen_while_a_round_is_open(learner):
    waits, exchange = played(learner, PROBLEMS[learner], delta=0.05, rounds=4)
    right = {(0,), 0}
    assert exchange.answer in right
    assert not exchange.doubt
    assert 2 <= len(waits) <= 12


@pytest.mark.parametrize("learner", ["copeland-tracking", "condorcet-tracking"])
def test_coins_are_asked_in_rounds_too(learner):
    waits, exchange = played(learner, CLEAR, delta=0.1, rounds=5)
    assert exchange.answer == 0
    assert len(waits) < 30


@pytest.mark.parametrize("rounds", [2, 9])
def test_rounds_have_one_size_and_are_smaller_at_the_end(rounds):
    problem = duels(seed=3)
    waits, _ = played("copeland-tracking", problem, delta=1e-6, rounds=rounds)
    tracker = CopelandTracker(1e-6, np.ones((5, 5)), cells=problem.cells, rounds=rounds, seed=0)
    need = tracker._expected_need()
    whole = min(1.6 / rounds, 0.7) * need
    sizes = [len(each) for each in waits]
    assert sizes[0] == round(whole)
    assert max(sizes) <= round(1.6 / rounds * need)
    assert min(sizes[:-1]) >= round(0.4 / rounds * need) - 1


def test_one_round_is_all_that_is_expected_to_be_needed():
    (first, *_), _ = played("copeland-tracking", duels(), most=1, delta=0.05, rounds=1)
    tracker = CopelandTracker(0.05, np.ones((5, 5)), cells=duels().cells, rounds=1, seed=0)
    assert len(first) == round(tracker._expected_need())


def test_the_first_round_is_spread_over_all_pairs():
    (first, *_), _ = played("copeland-tracking", duels(items=200), most=1, delta=0.05, rounds=5)
    times = {}
    for each in first:
        pair = frozenset((each.i, each.j))
        times[pair] = times.get(pair, 0) + 1
    assert len(times) == 10
    assert max(times.values()) <= 3 * min(times.values()) + 1


def test_an_open_question_counts_for_all_of_its_kind():
    """With a share of a half as two answers, so that a pair gets half of what it needs."""
    problem = duels(3, 100)
    tracker = CopelandTracker(0.05, np.ones((3, 3)), cells=problem.cells, rounds=9, seed=0)
    tracker._share = 0.5
    before = tracker.supposed()
    tracker._open_more(1)
    i, j = tracker._open[0].i, tracker._open[0].j
    rate = tracker.beliefs.rate[i, j] / tracker.beliefs.belief[i, j]
    assert not before.any()
    assert tracker.supposed()[i, j] == pytest.approx(2.0 * rate)


@pytest.mark.parametrize("learner", ["copeland-tracking", "condorcet-tracking"])
def test_a_tracker_goes_on_from_its_state_in_the_middle_of_a_round(learner):
    from tests.learners.dueling.test_pair_tracking import GOALS

    problem = duels(4, 60)
    rng = np.random.default_rng(4)
    outcomes = rng.random(100) < 0.6
    one = GOALS[learner](1e-9, np.ones((4, 4)), cells=problem.cells, rounds=4, seed=7)
    for turn, outcome in enumerate(outcomes):
        open_ = one.open_queries()
        one.count(CellSums(float(outcome), 1.0 - outcome))
        if turn == 60:
            other = GOALS[learner](1e-9, np.ones((4, 4)), cells=problem.cells, rounds=4, seed=7)
            other.restore(one.state())
        if turn > 60:
            assert other.open_queries() == open_
            other.count(CellSums(float(outcome), 1.0 - outcome))


def test_scores_are_asked_of_all_arms_that_are_left():
    waits, _ = played("score-tracking", scores(), delta=0.05, rounds=5)
    arms = [np.bincount([each.arm for each in open_], minlength=5) for open_ in waits]
    assert all(isinstance(each, Pull) for open_ in waits for each in open_)
    assert len({*arms[0].tolist()}) == 1
    asked = arms[0].copy()
    for number in arms[1:]:
        left = number > 0
        assert asked[left].max() == asked[left].min()
        assert number.max() == arms[0].max() == round(0.6 * 200 / 5)
        asked += number


def test_orders_of_a_round_s_answers_prove_nothing_false():
    """All orders of a pair's 5 cells, 2 of which arm 0 wins, in rounds of several cells."""
    false, orders = 0, list(itertools.combinations(range(5), 2))
    for wins in orders:
        exchange = Exchange(
            cpe.learners.copeland_tracking,
            2,
            delta=0.3,
            cells=5 * (1 - np.eye(2, dtype=int)),
            rounds=2,
        )
        told, truth = 0, [float(cell in wins) for cell in range(5)]
        lost = [1.0 - outcome for outcome in truth]
        while not exchange.finished:
            query = exchange.query
            first = query.queries[0] if isinstance(query, Window) else query
            exchange.tell((truth if first.i == 0 else lost)[told])
            told += 1
        false += exchange.answer == 0 and not exchange.doubt
    assert false <= math.floor(0.3 * len(orders))


@pytest.mark.parametrize("rounds", [0, 1.5, "3"])
def test_a_number_of_rounds_is_whole(rounds):
    with pytest.raises(cpe.InputError, match="rounds is"):
        played("copeland-tracking", duels(), rounds=rounds)
