"""Scores on items: what a table says, how it is read, and how it answers."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import LearnerFault
from cpe_opt.problems.queries import CellScores
from cpe_opt.testing.problems import check_problem

NONE = np.nan


def test_means_and_winners_are_those_of_the_table():
    scores = cpe.ItemScores([[1, 0, 1, NONE], [0.5, 0.5, 1, 0], [1, 1, 0, NONE]], top=2)
    assert scores.means.tolist() == [2 / 3, 0.5, 2 / 3]
    assert scores.winners == ((0, 2),)
    tied = cpe.ItemScores([[0.1, 0.2], [0.3, 0.0], [0.0, 0.0]])
    assert tied.winners == ((0,), (1,))
    assert cpe.ItemScores([[NONE, NONE], [0.0, 0.0]]).winners == ((1,),)


def test_right_or_wrong_are_scores():
    scores = cpe.ItemScores([[True, False], [True, True]], hints=np.eye(2) > 0)
    assert scores.means.tolist() == [0.5, 1.0]
    assert scores.hints.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_hints_are_completed_by_the_mean_of_the_arm():
    scores = cpe.ItemScores([[1, 0], [0, 1]], hints=[[0.25, NONE], [NONE, NONE]])
    assert scores.hints.tolist() == [[0.25, 0.25], [0.5, 0.5]]


def test_it_is_a_problem_anywhere():
    scores = cpe.ItemScores(np.eye(3)[:, [0, 1, 2, 0, 0]], hints=np.full((3, 5), 0.5))
    check_problem(scores, [cpe.Pull(0), cpe.Pull(1, 3), cpe.Pull(0, 2)])


def test_one_order_for_all_arms_each_cell_once():
    scores = cpe.ItemScores(np.arange(12).reshape(3, 4) / 12)
    world = scores.environment(np.random.default_rng(1))
    first = world.answer(cpe.Pull(0, 4))
    second = [world.answer(cpe.Pull(2)), world.answer(cpe.Pull(2, 3))]
    assert sorted(first.items.tolist()) == [0, 1, 2, 3]
    assert np.concatenate([each.items for each in second]).tolist() == first.items.tolist()
    assert first.values.tolist() == scores.scores[0, first.items].tolist()
    with pytest.raises(LearnerFault, match="0 of its 4 cells left"):
        world.check(cpe.Pull(0))
    for wrong in (cpe.Pull(3), cpe.Pull(0, 0), cpe.Duel(0, 1)):
        with pytest.raises(cpe.InputError, match="the learner asked"):
            world.check(wrong)


def test_all_orders_are_equally_likely():
    scores, seen = cpe.ItemScores([[0.0, 0.5, 1.0], [0, 0, 0]]), {}
    for seed in range(1200):
        order = scores.environment(np.random.default_rng(seed)).answer(cpe.Pull(0, 3)).items
        seen[tuple(order.tolist())] = seen.get(tuple(order.tolist()), 0) + 1
    assert len(seen) == 6
    assert min(seen.values()) > 140


def test_a_table_is_read_by_arm_and_item(tmp_path):
    path = tmp_path / "prompts.csv"
    path.write_text("item;arm;score;hint;by\nq1;b;0.5;1;me\nq2;a;1;0.5;me\nq1;a;0;0;you\n")
    scores = cpe.read_item_scores(path)
    assert (scores.labels, scores.items, scores.name) == (("b", "a"), ("q1", "q2"), "prompts")
    np.testing.assert_array_equal(scores.scores, [[0.5, NONE], [0, 1]])
    assert scores.hints.tolist() == [[1, 1], [0, 0.5]]
    lines = tmp_path / "prompts.jsonl"
    lines.write_text(
        '{"arm": "a", "item": 7, "score": true}\n{"arm": "b", "item": 7, "score": 0}\n'
    )
    assert cpe.load_problem(lines).scores.tolist() == [[1], [0]]
    assert cpe.load_problem(path).top == 1
    with pytest.raises(cpe.InputError, match="top is 2, expected fewer than the 2 arms"):
        cpe.load_problem(path, 2)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a,q1,1", r"line 3: this arm stands there twice on this item"),
        ("a,q2,7", r"line 3: score is not from 0 to 1; divide"),
        ("a,q2,", r"line 3: there is no score; score an output that failed 0"),
        ("a,,1", r"line 3: the cell of 'item' is empty"),
        ("a,q2", r"line 3: 2 cells, expected 3"),
        ("a,q2,1", r"expected arms × items, at least 2 arms and 1 item, got 1 × 2"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, message):
    path = tmp_path / "scores.csv"
    path.write_text(f"arm,item,score\na,q1,0\n{line}\n")
    with pytest.raises(cpe.InputError, match=f"scores.csv.*{message}"):
        cpe.read_item_scores(path)


def test_cell_scores_are_what_an_environment_answers():
    world = cpe.ItemScores([[1, 0], [0, 0]]).environment(np.random.default_rng(0))
    assert isinstance(world.answer(cpe.Pull(1)), CellScores)
