"""What a session over items says of new ones: by which answers, and how often it is wrong."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners import registry
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.registry import get_learner
from cpe_opt.proofs.winner_on_new_items import on_new_items
from cpe_opt.sessions.new_items import of_answer, outcomes_of
from cpe_opt.sessions.questions import Cells, ItemSet, OutputCells, Slot
from cpe_opt.sessions.replay import Replay
from cpe_opt.sessions.report import session_report
from tests.commands.test_cli import run

ARMS = ["ant", "bee", "cat"]
RANK = {"ant": 0, "bee": 1, "cat": 2}


def best_wins(question):
    return max(question.labels, key=RANK.__getitem__)


# Which outcomes count


def told_of(cells, row, values):
    return {Slot(row, k, duel=isinstance(row, tuple)).id: y for k, y in enumerate(values, 1)}


@pytest.mark.parametrize("orders", ["both", "random", "paired"])
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
    assert outcomes_of(told, cells, 0, 1).tolist() == []


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


class Asked(dict):
    """Answers of a table to whatever a learner asks."""

    def __contains__(self, name):
        return True

    def __missing__(self, name):
        slot = Slot.of_id(name)
        cell = self.cells.cell(slot)
        order = () if len(slot.members) == 1 else (int(cell.second),)
        self[name] = float(self.table[(*slot.members, cell.item, *order)])
        return self[name]


def led(table, seed, learner):
    """A learner that has asked what it wanted of a table: its answer, what it was told, cells."""
    scored, arms = table.ndim == 2, len(table)
    items = ItemSet.of(table.shape[1 if scored else 2])
    if scored:
        items = replace(items, orders=None)
    cells = (OutputCells if scored else Cells)(items, arms, seed)
    family, known = ("subsets", cpe.TopK(arms, 1)) if scored else ("dueling", arms)

    def begin(_):
        return Exchange(get_learner(learner), known, seed, family=family, delta=0.05, **cells.told)

    answers = Asked()
    answers.table, answers.cells = table, cells
    replay = Replay(begin, answers, seed, cells=cells)
    return replay.exchange.answer, {name: answers[name] for name in replay.told()}, cells


def equal_arms(rng, learner, behind, arms=3, items=10):
    """A table of items on which arms are equally good on average, but for a last one behind.

    Both orders of an item say the same.
    """
    quality = rng.random((arms, items)) ** 2
    quality[arms - 1] *= not behind
    if learner == "score-tracking":
        return quality
    wins = (quality[:, None] > quality).astype(float)
    return np.repeat(wins[..., None], 2, axis=3)


def wrong_of(runs, learner, delta, *, behind):
    """Of how many tables something is proved of new items, where the best arms are equal."""
    wrong = 0
    for seed in range(runs):
        table = equal_arms(np.random.default_rng([seed, 1]), learner, behind)
        answer, told, cells = led(table, seed, learner)
        chosen = (answer,) if isinstance(answer, int) else answer
        found = on_new_items(lambda i, j: outcomes_of(told, cells, i, j), chosen, 3, delta)  # noqa: B023
        wrong += found.status != "not yet"
    return wrong


@pytest.mark.parametrize("learner", ["copeland-tracking", "score-tracking"])
def test_of_equal_arms_little_is_proved(learner):
    assert wrong_of(25, learner, 0.5, behind=True) <= 6


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["copeland-tracking", "condorcet-tracking", "score-tracking"])
@pytest.mark.parametrize(("delta", "behind"), [(0.05, False), (0.05, True), (0.5, True)])
def test_of_a_thousand_tables_with_equal_arms_at_most_delta_are_wrong(learner, delta, behind):
    assert wrong_of(1000, learner, delta, behind=behind) <= 1000 * delta


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
    options = {"labels": ARMS[:2], "items": 99, "margin": margin, "seed": 3}
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
