"""score-tracking: right with the stated probability, whatever is missing, hinted, open or kept."""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.subsets.score_tracking import ScoreTracker
from cpe_opt.learners.tracking import ALL_ASKED, Checkpoint
from cpe_opt.problems.queries import CellScores, Window

NONE = np.nan


def worlds(arms=8, items=500, agree=0.9, seeds=(0,)):
    """Right or wrong answers of different arms to the same items, and cheap scores of them."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        skill, noise = rng.normal(0, 0.35, (arms, 1)), rng.normal(0, 1.0, items)
        right = (skill + noise + rng.normal(0, 0.8, (arms, items)) > -0.4) * 1.0
        flipped = rng.random(right.shape) < 1.0 - agree
        yield right, np.where(flipped, 1.0 - right, right)


def asked(table, order, delta, top=1, **told):
    """What the learner answers along this order, and after how many scores."""
    arms, cells = table.shape
    tracker, number = ScoreTracker(arms, top, cells, delta, **told), 0
    while (answer := tracker.proved()) is None:
        arm = tracker.open_queries()[0].arm
        item = order[tracker.told[arm]]
        tracker.count(CellScores(table[[arm], item], np.array([item])))
        number += 1
    return answer, number


def is_wrong(answer, means, margin=0.0):
    """Whether an arm that is not among these is ahead of one of them by more than the margin."""
    others = [arm for arm in range(len(means)) if arm not in answer]
    return means[others].max() - means[list(answer)].min() > margin + 1e-9


@pytest.mark.parametrize("margin", [0.0, 0.2])
@pytest.mark.parametrize(("arms", "cells"), [(2, 4), (3, 2), (3, 3)])
def test_over_all_orders_it_is_wrong_with_at_most_this_probability(arms, cells, margin):
    rng, orders = np.random.default_rng(cells), list(itertools.permutations(range(cells)))
    for trial in range(6):
        table = rng.integers(0, 3, (arms, cells)) / 2.0
        told = {"margin": margin, "hints": (None, table, 1.0 - table)[trial % 3]}
        for delta in (0.2, 0.5):
            answers = [asked(table, order, delta, **told)[0] for order in orders]
            wrong = [is_wrong(answer, table.mean(axis=1), margin) for answer in answers]
            assert np.mean(wrong) <= delta


def near_tie(items, ahead):
    """Two arms, the second right on so many more items; they differ on half of all."""
    table, different = np.zeros((2, items)), items // 4
    table[0, :different] = 1.0
    table[1, different : 2 * different + ahead] = 1.0
    return table


@pytest.mark.parametrize(("delta", "ahead", "margin"), [(0.2, 1, 0.0), (0.5, 2, 0.05)])
def test_where_the_other_arm_is_just_too_good_it_is_rarely_wrong(delta, ahead, margin):
    table, rng, runs = near_tie(32, ahead), np.random.default_rng(1), 50
    answers = [asked(table, rng.permutation(32), delta, margin=margin)[0] for _ in range(runs)]
    wrong = np.mean([is_wrong(answer, table.mean(axis=1), margin) for answer in answers])
    assert delta / 8 < wrong < delta + 3 * np.sqrt(delta * (1 - delta) / runs)


def test_ties_end_with_the_table_and_any_of_the_best():
    table = np.array([[1, 0, 1, 0, 0.5], [0, 1, 0, 1, 0.5], [0, 0, 0, 0, 0]])
    for seed in range(10):
        trace = cpe.simulate("score-tracking", cpe.ItemScores(table), seed=seed)
        assert trace.answer in ((0,), (1,))
        assert trace.proved
    # a sum of tenths that rounding tells apart
    tenths = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    assert cpe.simulate("score-tracking", cpe.ItemScores(tenths)).proved


def test_missing_scores_leave_it_open_where_they_matter():
    table = np.array([[1, 1, 0, NONE, 0], [0, 1, 0, 0.5, 1]])
    trace = cpe.simulate("score-tracking", cpe.ItemScores(table))
    assert not trace.proved
    assert ALL_ASKED in trace.doubt
    clear = cpe.ItemScores([[1, 1, 1, NONE, 1], [0, 0, 0, NONE, 1]])
    assert cpe.simulate("score-tracking", clear).claim == "proved"


def test_scores_are_fewer_than_today_asked_for_and_hints_save_more():
    counts = []
    for right, cheap in worlds(seeds=(1, 3, 4)):
        for told in ({}, {"hints": cheap}, {"margin": 0.02}):
            order = np.random.default_rng(11).permutation(500)
            answer, number = asked(right, order, 0.05, **told)
            assert not is_wrong(answer, right.mean(axis=1), told.get("margin", 0.0))
            counts.append(number)
    plain, hinted, margin = np.reshape(counts, (3, 3)).mean(axis=0)
    assert plain < 1190
    assert hinted < 0.85 * plain
    assert margin < 0.9 * plain


def test_misleading_hints_cost_little():
    right, _ = next(worlds(items=300))
    order = np.random.default_rng(0).permutation(300)
    plain, misled = (asked(right, order, 0.05, hints=hints)[1] for hints in (None, 1.0 - right))
    assert misled < 1.35 * plain


def test_the_best_three_of_twenty():
    right, _ = next(worlds(arms=20, items=200))
    scores = cpe.ItemScores(right, top=3)
    trace = cpe.simulate("score-tracking", scores, seed=1)
    assert trace.answer in scores.winners
    assert trace.samples < 0.6 * right.size


@pytest.mark.parametrize("margin", [0.0, 0.03])
def test_a_state_that_is_kept_leads_on_alike(margin):
    right, cheap = next(worlds(arms=5, items=80))
    right[0, 3] = NONE
    problem = cpe.ItemScores(right, hints=cheap)
    told = {"delta": 0.3, "margin": margin, "parallel": 3}

    def begin(checkpoint):
        return Exchange(
            cpe.learners.score_tracking, problem.known, 0, cells=80, hints=cheap,
            checkpoint=checkpoint, **told,
        )  # fmt: skip

    checkpoint = Checkpoint()
    whole, world = begin(checkpoint), problem.environment(np.random.default_rng(3))
    number = 0
    while not whole.finished:
        if number % 7 == 5:
            resumed = begin(checkpoint.copy())
            assert resumed.query == whole.query
            resumed.close()
        query = whole.query
        arm = (query.queries[0] if isinstance(query, Window) else query).arm
        number, checkpoint.wanted = number + 1, number % 7 == 4
        before = dict(checkpoint.asked)
        whole.tell(world.answer(cpe.Pull(arm)))
        checkpoint.asked = {**before, arm: before.get(arm, 0) + 1}
    assert whole.answer is not None


@pytest.mark.parametrize("margin", [0.0, 0.03])
def test_whatever_is_open_when_an_arm_begins_to_rest_every_pair_counts_what_both_were_told(margin):
    for seed, (right, _) in enumerate(worlds(arms=5, items=120, seeds=range(4))):
        tracker = ScoreTracker(5, 1, 120, 0.2, margin=margin, parallel=9)
        order = np.random.default_rng(seed).permutation(120)
        while (answer := tracker.proved()) is None:
            arm = tracker.open_queries()[0].arm
            item = order[tracker.told[arm]]
            tracker.count(CellScores(right[[arm], item], np.array([item])))
            times = np.minimum.outer(tracker.counted, tracker.counted)
            assert (tracker.bets.time == times)[~np.eye(5, dtype=np.bool_)].all()
        assert not isinstance(answer, Unproved)


def test_several_open_scores_are_asked_ahead_and_told_in_order():
    right, _ = next(worlds(arms=3, items=60))
    exchange = Exchange(cpe.learners.score_tracking, cpe.TopK(3, 1), 0, cells=60, parallel=5)
    assert [each.arm for each in exchange.query.queries] == [0, 1, 2, 0, 1]
    exchange.tell(CellScores(right[[0], 7], np.array([7])))
    assert [each.arm for each in exchange.query.queries] == [1, 2, 0, 1, 2]
    with pytest.raises(cpe.InputError, match=r"item 8 is the 1[.] of the order, expected"):
        exchange.tell(CellScores(right[[1], 8], np.array([8])))
    exchange.tell(CellScores(right[[1], 7], np.array([7])))


@pytest.mark.parametrize(
    ("observation", "message"),
    [
        (CellScores([1.5], [0]), "a score of Pull.* is 1.5, expected numbers in"),
        (CellScores([1.0], [9]), "item 9 is the 1. of the order, expected items 0 … 3"),
        (CellScores([1.0, 0.0], [0, 1]), "expected CellScores of 1 score and of what items"),
        (CellScores(["a"], [0]), "expected CellScores of 1 score"),
        ([1.0], "expected CellScores of 1 score"),
        (None, "expected CellScores of 1 score"),
    ],
)
def test_what_is_no_score_is_refused_and_it_waits_on(observation, message):
    exchange = Exchange(cpe.learners.score_tracking, cpe.TopK(2, 1), 0, cells=4, hints=np.eye(2, 4))
    with pytest.raises(cpe.InputError, match=message):
        exchange.tell(observation)
    exchange.tell(CellScores([1.0], [2]))
    assert exchange.query == cpe.Pull(1)


def test_cells_are_told_as_they_are():
    learner, known = cpe.learners.score_tracking, cpe.TopK(2, 1)
    for told, message in (
        ({"cells": 0}, "cells is 0, expected how many items"),
        ({"cells": 4, "hints": np.zeros((2, 3))}, "hints has shape"),
        ({"cells": 4, "hints": np.full((2, 4), 2.0)}, "hints: expected numbers in"),
        ({"cells": 4, "answered": np.zeros((3, 3))}, "answered has shape"),
        ({}, "is for fixed test sets alone"),
    ):
        with pytest.raises(cpe.InputError, match=message):
            Exchange(learner, known, 0, **told)
    with pytest.raises(cpe.InputError, match="is for the best k of more arms"):
        Exchange(learner, cpe.TopK(2, 2), 0, cells=3)
    with pytest.raises(cpe.InputError, match="has no parameter 'cells'"):
        cpe.simulate("subset-tracking", cpe.ItemScores(np.eye(2)))
    with pytest.raises(cpe.InputError, match="margin is 1, expected from 0 to below 1"):
        Exchange(learner, known, 0, cells=3, margin=1.0)


def test_scores_from_before_count_in_the_table():
    before = np.tile([[1.0], [0.0]], 40)
    answer, number = asked(np.array([[0.0, 1.0], [1.0, 0.0]]), [0, 1], 0.05, answered=before)
    assert (answer, number) == ((0,), 0)
    tied = asked(np.array([[0.0, 0.0], [1.0, 1.0]]), [0, 1], 0.05, answered=before[:, :1])
    assert tied[0] == (1,)


def test_it_ends_with_a_doubt_where_it_is_cut_off():
    right, _ = next(worlds(arms=3, items=60))
    trace = cpe.simulate("score-tracking", cpe.ItemScores(right), horizon=9)
    assert len(trace.answer) == 1
    assert "horizon" in trace.doubt
    assert isinstance(asked(np.full((2, 2), NONE), [0, 1], 0.05)[0], Unproved)
