"""What a session over items says of new ones: by which answers, and how often it is wrong."""

import json
import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners import registry
from cpe_opt.learners.declaration import declare
from cpe_opt.proofs.winner_on_new_items import on_new_items
from cpe_opt.sessions.new_items import of_answer, outcomes_of
from cpe_opt.sessions.questions import Cells, ItemSet, OutputCells, Slot
from cpe_opt.sessions.report import session_report
from tests.commands.test_cli import run

ARMS = ["ant", "bee", "cat"]


def best_wins(question):
    return max(question.labels)


# Which outcomes count


def told_of(cells, row, values):
    return {Slot(row, k, duel=isinstance(row, tuple)).id: y for k, y in enumerate(values, 1)}


@pytest.mark.parametrize("orders", ["both", "random"])
def test_of_an_item_in_two_cells_the_first_that_comes_counts(orders):
    cells = Cells(ItemSet.of(8, orders), 3, 5)
    values = np.arange(1, cells.items.cells + 1) / 32
    told = told_of(cells, (0, 2), values)
    first = {}
    for number, value in enumerate(values, 1):
        first.setdefault(cells.cell(Slot((0, 2), number, duel=True)).item, value)
    assert len(first) == 8
    expected = np.array([*first.values()])
    assert outcomes_of(told, cells, 0, 2).tolist() == (2 * expected - 1).tolist()
    assert outcomes_of(told, cells, 2, 0).tolist() == (1 - 2 * expected).tolist()


def test_a_cell_that_nobody_answers_is_the_worst_in_both_directions():
    cells = Cells(ItemSet.of(3, "random"), 2, 0)
    told = told_of(cells, (0, 1), [1.0, math.nan, 0.0])
    assert outcomes_of(told, cells, 0, 1).tolist() == [1.0, -1.0, -1.0]
    assert outcomes_of(told, cells, 1, 0).tolist() == [-1.0, -1.0, 1.0]


def test_scores_are_compared_as_far_as_both_arms_have_them_and_no_further():
    cells = OutputCells(replace(ItemSet.of(5), orders=None), 2, 0)
    told = told_of(cells, 0, [0.5, 1.0, math.nan, 1.0]) | told_of(cells, 1, [1.0, 0.25, 0.5])
    assert outcomes_of(told, cells, 0, 1).tolist() == [-0.5, 0.75, -0.5]
    assert outcomes_of(told, cells, 1, 0).tolist() == [0.5, -0.75, -0.5]
    del told[Slot(1, 2, duel=False).id]  # what came later may have come because of what it says
    assert outcomes_of(told, cells, 0, 1).tolist() == [-0.5]


# How often it is wrong


def equal_arms(seed, learner, behind, items=10):
    """A table of items on which arms are equally good on average, but for a last one behind."""
    quality = np.random.default_rng([seed, 1]).random((3, items)) ** 2
    quality[2] *= not behind
    return quality if learner == "score-tracking" else 1.0 * (quality[:, None] > quality)


def wrong_of(runs, folder, learner, delta, behind=True):
    """Of how many tables something is proved of new items, where the best arms are equal."""
    wrong = 0
    for seed in range(runs):
        table = equal_arms(seed, learner, behind)

        def judge(question, table=table):
            return table[(*map(int, question.labels), int(question.item["id"]))].item()

        options = {"labels": ["0", "1", "2"], "items": 10, "seed": seed}
        with cpe.Session.open(folder / f"{seed}.jsonl", learner, **options) as session:
            session.run(judge)
            answer = np.atleast_1d(session.best().answer).tolist()
            outcomes = partial(outcomes_of, session.state.values, session.header.cells)
        wrong += on_new_items(outcomes, answer, 3, delta).status != "not yet"
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["copeland-tracking", "condorcet-tracking", "score-tracking"])
@pytest.mark.parametrize(("delta", "behind"), [(0.05, False), (0.05, True), (0.5, True)])
def test_of_a_thousand_tables_at_most_delta_are_wrong(tmp_path, learner, delta, behind):
    assert wrong_of(1000, tmp_path, learner, delta, behind) <= 1000 * delta


# What is said


@declare(family="dueling", goal="identification", guarantee="cat", paper="tests", winner="Copeland")
def asks_all(arms, *, cells, delta=0.05):
    for i, j in np.argwhere(np.triu(cells)).tolist():
        for _ in range(int(cells[i, j])):
            yield cpe.Duel(i, j)
    return 2


def test_it_is_proved_where_enough_was_asked_and_refuted_of_another_arm(path, monkeypatch):
    """Best, report and status say the same, within delta."""
    monkeypatch.setitem(registry.LEARNERS, "ask-all", asks_all)
    with cpe.Session.open(path, "ask-all", labels=ARMS, items=25, delta=0.05) as session:
        session.run(best_wins)
        found, report = session.best().new_items, session_report(session)
        stood = json.loads(run("session", "status", path, "--json").stdout)
        told = {answer.id: answer.value for answer in session.state.answers.values()}
        other = of_answer(session.header, told, 1)
    parts = [part.delta for part in report.delta_parts]
    assert parts == pytest.approx([0.0475, 0.0025])
    assert found.status == stood["new_items"] == "proved"
    assert found.clause == ", and on new ones if all are drawn independently from one source"
    assert (other.status, other.ahead, other.behind) == ("refuted", "cat", "bee")
    assert "refuted on new ones, where cat is ahead if all are drawn" in other.clause
    assert "drawn independently from one source: nothing is ahead of cat." in report.summary
    assert any("drawn independently from one source" in line for line in report.about)


@pytest.mark.parametrize(("margin", "status"), [(0.4, "proved"), (0.0, "not yet")])
def test_a_margin_is_that_of_the_session(path, margin, status):
    options = {"labels": ARMS[:2], "items": 40, "margin": margin, "seed": 3}
    with cpe.Session.open(path, "copeland-tracking", **options) as session:
        session.run(lambda question: "tie")
        assert session.best().new_items.status == status


@pytest.mark.parametrize("how", ["borda", "prior"])
def test_where_nothing_can_be_said_no_part_of_delta_is_spent(path, how):
    learner, prior = "borda-tracking", None
    if how == "prior":  # whose cells may have been asked, and left, because of what they say
        outcomes = np.full((3, 3, 5, 2), np.nan)
        outcomes[0, 1, 0, 0] = 1.0
        learner, prior = "copeland-tracking", cpe.ItemDuels(outcomes, ARMS, [*map(str, range(5))])
    with cpe.Session.open(path, learner, labels=ARMS, items=5, prior=prior) as session:
        session.run(best_wins)
        assert session.header.shares.learner == session.header.shares.delta
        assert session.best().new_items is None
        said = "what is proved holds on these 5 items, not on new ones"
        assert said in session.status().warnings
        assert "not of new ones" in session_report(session).summary
