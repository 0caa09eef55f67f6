"""What a session over items says of new ones: by which answers, and how often it is wrong."""

import json
import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners import registry
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.registry import get_learner
from cpe_opt.proofs.winner_on_new_items import on_new_items
from cpe_opt.sessions.new_items import NewItems, outcomes_of
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


def test_the_first_cell_of_an_item_is_either_order_as_often():
    """And whether it comes early says nothing of its order."""
    shown = []
    for seed in range(300):
        cells, seen = Cells(ItemSet.of(6, "both"), 2, seed), set()
        for number in range(1, 13):
            cell = cells.cell(Slot((0, 1), number, duel=True))
            if cell.item not in seen:
                shown.append((len(seen), cell.second))
                seen.add(cell.item)
    for place in range(6):
        share = np.mean([second for at, second in shown if at == place])
        assert abs(share - 0.5) < 4 * math.sqrt(0.25 / 300)


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


class Asked(Mapping):
    """Answers of a table to whatever a learner asks."""

    def __init__(self, table, cells):
        self.table, self.cells, self.given = table, cells, {}

    def __getitem__(self, name):
        slot = Slot.of_id(name)
        cell = self.cells.cell(slot)
        order = () if len(slot.members) == 1 else (int(cell.second),)
        self.given[name] = float(self.table[(*slot.members, cell.item, *order)])
        return self.given[name]

    def __contains__(self, name):
        return True

    def __iter__(self):
        return iter(self.given)

    def __len__(self):
        return len(self.given)


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

    answers = Asked(table, cells)
    replay = Replay(begin, answers, seed, cells=cells)
    told = {name: answers.given[name] for name in replay.told()}
    return replay.exchange.answer, told, cells


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


def asks_all(answer):
    """A learner that asks every cell in turn, and has its answer beforehand."""

    @declare(
        family="dueling", goal="identification", guarantee="none", paper="tests", winner="Copeland"
    )
    def ask_all(arms, *, cells, delta=0.05):
        for i, j in np.argwhere(np.triu(cells)).tolist():
            for _ in range(int(cells[i, j])):
                yield cpe.Duel(i, j)
        return answer

    return ask_all


def said_of(session):
    """By best, report and status, which say the same."""
    best, report = session.best().new_items, session_report(session)
    stood = json.loads(run("session", "status", session.path, "--json").stdout)
    assert stood["new_items"] == best.status
    assert sum(part.delta for part in report.delta_parts) == pytest.approx(stood["delta"])
    return best, report


@pytest.mark.parametrize(("answer", "status"), [(2, "proved"), (1, "refuted")])
def test_it_is_proved_or_refuted_where_enough_was_asked(path, monkeypatch, answer, status):
    monkeypatch.setitem(registry.LEARNERS, "ask-all", asks_all(answer))
    with cpe.Session.open(path, "ask-all", labels=ARMS, items=25, delta=0.05) as session:
        assert session.header.shares.new_items == pytest.approx(0.0025)
        assert session.header.shares.learner == pytest.approx(0.0475)
        session.run(best_wins)
        best, report = said_of(session)
    assert best.status == status
    assert (best.ahead, best.behind) == (("cat", "bee") if status == "refuted" else ("", ""))
    nothing = "nothing is ahead of cat" if status == "proved" else "cat is ahead of bee"
    for text in (str(best), report.summary):
        assert nothing in text
        assert "if all are drawn independently" in text
    assert any("drawn independently" in line for line in report.about)
    assert "not of new ones" not in report.summary


def test_a_margin_is_that_of_the_session(path, monkeypatch):
    """Duels of two arms: on half of the items a tie, on the others the worse one wins."""
    duels = {"ant": 0.5, "bee": 0.5}
    for margin, status in ((0.4, "proved"), (0.0, "not yet")):
        file = path.with_name(f"{margin}.jsonl")
        with cpe.Session.open(
            file, "copeland-tracking", labels=[*duels], items=99, margin=margin, seed=3
        ) as session:
            session.run(lambda question: "tie")
            assert session.best().new_items.status == status


@pytest.mark.parametrize("top", [1, 2])
def test_scores_are_said_with_their_answer(top):
    found = cpe.best_of(
        ARMS, score=lambda question: RANK[question.label] / 2, items=60, top=top, seed=0
    )
    assert found.new_items.status == "not yet"
    assert found.new_items.answer == ("cat" if top == 1 else "bee, cat")
    assert f"on these 60 items, not yet on new ones: {found.best}, after" in str(found)


def test_the_choice_says_it_in_half_a_sentence():
    common = {"answer": "b", "margin": 0.0}
    proved = NewItems(status="proved", ahead="", behind="", **common)
    refuted = NewItems(status="refuted", ahead="c", behind="b", **common)
    assert proved.clause == ", and on new ones if all are drawn independently from one source"
    assert refuted.clause.startswith(", refuted on new ones, where c is ahead if all are drawn")


@pytest.mark.parametrize("how", ["borda", "prior"])
def test_where_nothing_can_be_said_no_part_of_delta_is_spent(path, how):
    learner = "borda-tracking" if how == "borda" else "copeland-tracking"
    prior = None
    if how == "prior":
        outcomes = np.full((3, 3, 5, 2), np.nan)
        outcomes[0, 1, 0, 0] = 1.0  # which may have been asked, and left, because of what it says
        prior = cpe.ItemDuels(outcomes, ARMS, [*map(str, range(5))])
    with cpe.Session.open(
        path, learner, labels=ARMS, items=5, prior=prior, orders="both"
    ) as session:
        session.run(best_wins)
        assert session.header.shares.learner == session.header.shares.delta
        assert session.best().new_items is None
        assert "what is proved holds on these 5 items, not on new ones" in (
            session.status().warnings
        )
        assert "not of new ones" in session_report(session).summary
