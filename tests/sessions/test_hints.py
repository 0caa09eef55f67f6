"""What a cheap judge says of a session's cells: what is told, kept, refused, and said of it."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.sessions.hints import Hints
from cpe_opt.sessions.judges import JudgeFailed
from cpe_opt.sessions.questions import Cells, ItemSet, QuestionSet, Slot
from tests.items import random_items
from tests.sessions.support import log_of, records_of
from tests.support import all_of

LABELS = ["ant", "bee", "cow"]
IDS = [f"q{number}" for number in range(12)]
EVERY_ORDER = pytest.mark.parametrize("orders", ["both", "random"])
pytestmark = pytest.mark.usefixtures("asked_anew_at_once")


def hints_of(orders=2, seed=0, missing=0.0):
    """Distinct numbers of all cells, in both directions."""
    duels = random_items(3, 12, orders, seed=seed, ties=0)
    rng = np.random.default_rng(seed)
    values = np.where(np.isnan(duels.outcomes), np.nan, rng.random(duels.outcomes.shape))
    values[rng.random(values.shape) < missing] = np.nan
    values[np.tril(np.ones((3, 3), dtype=bool))] = np.nan
    return cpe.ItemDuels(values, LABELS, IDS)


def hints_on(arms, values):
    return Hints.of_given(values, arms)


def over(path, orders="both", learner="copeland-tracking", **options):
    given = {"labels": LABELS, "items": IDS, "orders": orders, **options}
    return cpe.Session.open(path, learner, **given)


def better(question):
    """The later in the alphabet, whatever the order."""
    return float(question.labels[0] > question.labels[1])


# What is told


@EVERY_ORDER
def test_a_learner_hears_the_hint_of_the_cell_and_knows_those_that_are_left(path, orders):
    given, told, heard = hints_of(2 if orders == "both" else 1), {}, []

    def listening(arms, *, cells, hints):
        told.update(hints)
        for turn in range(int(cells.max())):
            for i in range(arms):
                for j in range(i):
                    one, other = (i, j) if turn % 2 else (j, i)
                    heard.append((one, other, (yield cpe.Duel(one, other))))
        return 0

    with over(path, orders, listening, hints=given) as session:
        asked = []
        while questions := session.ask():
            asked += questions
            if len(asked) % 5:
                session.tell(questions[0].id, better(questions[0]))
            else:
                session.leave_out(questions[0].id)
    assert len(asked) == len(heard) == (72 if orders == "both" else 36)
    for question, (i, j, sums) in zip(asked, heard, strict=True):
        shown_second = question.first != LABELS[i]
        order = int(orders == "both" and shown_second)
        x = given.outcomes[i, j, IDS.index(question.item_id), order]
        assert sums.hint == pytest.approx(x, abs=2**-20)
    for (i, j), values in told.items():
        every = given.outcomes[i, j].ravel()
        assert i < j
        assert values.tolist() == pytest.approx(sorted(every.tolist()), abs=2**-20)


def test_of_cells_that_were_answered_before_no_hint_is_told(path):
    given, told = hints_of(), {}
    before = np.full((3, 3, 12, 2), np.nan)
    before[0, 1, :5, 1] = 0.5
    prior = cpe.ItemDuels(before, LABELS, IDS)

    def listening(arms, *, cells, hints, answered=None):
        told.update(hints)
        return (yield cpe.Duel(0, 1))

    over(path, learner=listening, hints=given, prior=prior).close()
    left = np.ones((12, 2), dtype=bool)
    left[:5, 1] = False
    assert told[0, 1] == pytest.approx(np.sort(given.outcomes[0, 1][left]), abs=2**-20)
    assert len(told[0, 2]) == 24


def test_a_cell_without_a_hint_has_the_mean_of_its_pair_and_outputs_foretell_cells():
    arms = QuestionSet.of_labels(LABELS).over(ItemSet.of(2, "both"))
    values = np.full((3, 3, 2), np.nan)
    values[0, 1] = [0.25, np.nan]
    hints = hints_on(arms, values)
    told = Cells(arms.items, 3, 0, hints=hints.of_duels).told["hints"]
    assert told[0, 1].tolist() == [0.25] * 4
    assert told[0, 2].tolist() == [0.5] * 4
    hints = hints_on(arms, [[1, 0], [0, 0], [0.5, 1]])
    x = 1 / (1 + math.exp(-4))
    told = Cells(arms.items, 3, 0, hints=hints.of_duels).told["hints"]
    assert told[0, 1] == pytest.approx([0.5, 0.5, x, x], abs=2**-20)
    assert hints.of_duels[0, 2, 1] == pytest.approx([1 - x, 1 - x])
    for each in (hints, hints_on(arms, values)):
        again = Hints.of_json(each.as_json(), arms)
        assert np.array_equal(again.of_duels, each.of_duels, equal_nan=True)
        assert (again.of, again.known.sum()) == (each.of, each.known.sum())


# What stays, and what is refused


@all_of(
    ("given", "message"),
    [
        ({"hints": np.zeros((3, 3, 4))}, r"found 3 × 3 × 4, expected 3 × 3 × 12 \(× 2 orders\) or"),
        ({"hints": np.full((3, 12), 1.5)}, "expected numbers from 0 to 1, or NaN"),
        ({"hints": np.full((3, 12), np.nan)}, "there is none for a cell"),
        ({"hints": np.zeros((3, 12)), "items": None, "orders": None}, "expected items as well"),
        ({"hints": random_items(3, 12)}, "there is none for a cell"),
        ({"hints": np.zeros((3, 12)), "learner": "copeland-budget", "budget": 5}, "hints"),
    ],
)
def test_hints_that_do_not_fit_are_refused(path, given, message):
    with pytest.raises(InputError, match=message):
        over(path, **given)
    assert not path.exists()


def test_hints_never_change_and_none_come_late(path, tmp_path):
    given = hints_of()
    with over(path, hints=given) as session:
        asked = session.ask()
    [header, *_] = records_of(path)
    assert header["hints"]["of"] == "cells"
    with over(path, hints=given) as session:
        assert session.ask() == asked
        assert session.header.hints.known.sum() == 72
    with pytest.raises(InputError, match="which never change"):
        over(path, hints=hints_of(seed=1))
    over(tmp_path / "without").close()
    with pytest.raises(InputError, match="fresh order: begin a new file with them"):
        over(tmp_path / "without", hints=given)
    header["hints"]["values"][0] = [[0.5, 0.5]] * 12
    (tmp_path / "changed").write_bytes(log_of([header]))
    with pytest.raises(InputError, match="the first line is none"):
        cpe.Session.read(tmp_path / "changed")


# In one call


TABLE = cpe.random_items(4, 40, seed=3, spread=1.0)
ARMS = ["a", "b", "c", "d"]


def outcome(question):
    i, j = (ARMS.index(label) for label in question.labels)
    return float(TABLE.outcomes[i, j, int(question.item["id"]), 0])


def nearly(question, rate=0.9):
    """What the judge says in most cells, else the opposite."""
    i, j, item = *sorted(question.labels), int(question.item["id"])
    said, drawn = outcome(question), np.random.default_rng([*map(ord, (i, j)), item]).random()
    return said if drawn < rate else 1 - said


def test_a_cheap_judge_is_asked_first_and_once(tmp_path):
    asked, cheap = [], []

    def cheaply(question):
        cheap.append((question.labels, question.item_id))
        if len(cheap) == 100 and not asked and not begun:
            begun.append(True)
            raise KeyboardInterrupt
        return nearly(question)

    def judge(question):
        asked.append(question.id)
        return outcome(question)

    def call(**more):
        options = {"items": 20, "path": tmp_path / "choice.jsonl", **more}
        return cpe.best_of(ARMS, judge, cheap=cheaply, **options)

    begun = []
    with pytest.raises(KeyboardInterrupt):
        call()
    assert not asked
    first = call(budget=10)
    assert len(asked) == 10
    assert len(set(cheap)) == 6 * 40 <= len(cheap) <= 6 * 40 + 1
    before = len(cheap)
    found = call()
    assert len(cheap) == before
    assert first.session.header.hints.known.sum() == 6 * 40
    assert found.proved
    assert ARMS.index(found.best) in cpe.ItemDuels(TABLE.outcomes[:, :, :20]).copeland_winners
    assert "nothing that is proved rests on it" in found.status.cheap
    assert "an estimate" in found.status.cheap
    kept = cpe.Session.read(tmp_path / "choice.jsonl.cheap")
    assert len(kept.answers()) == 6 * 40
    assert kept.status().learner == "every_cell"
    assert kept.status().finished


@pytest.mark.parametrize("scored", [False, True])
def test_what_a_cheap_judge_fails_of_is_said_to_be_its_own(scored):
    def fails(question):
        raise RuntimeError("out of memory")

    given = {"score": lambda question: 1.0} if scored else {"judge": outcome}
    with pytest.raises(JudgeFailed, match=r"^cheap, the cheap judge: no question .*memory"):
        cpe.best_of(ARMS, items=40, cheap=fails, **given)


def test_some_cells_are_drawn_evenly_and_not_along_the_order(tmp_path):
    path = tmp_path / "some.jsonl"
    cpe.best_of(ARMS, outcome, cheap=nearly, cheap_budget=60, items=40, path=path, budget=1, seed=1)
    with cpe.Session.open(path) as session:
        hints, cells = session.header.hints, session.header.cells
        known = ~np.isnan(hints.of_duels[0, 1])
        ahead = sum(known[c.item, int(c.second)] for c in cells._permutation(0, 1)[:10])
    assert hints.known.sum() == 60
    assert known.sum() == 10
    assert ahead < 8
    cpe.best_of(ARMS, outcome, items=40, path=tmp_path / "late", budget=1)
    with pytest.raises(InputError, match="begin a new file"):
        cpe.best_of(ARMS, outcome, cheap=nearly, items=40, path=tmp_path / "late")


def test_cheap_scores_spare_scores():
    rng = np.random.default_rng(2)
    rates = zip("abc", (0.4, 0.6, 0.8), strict=True)
    right = {label: rng.random(100) < rate for label, rate in rates}
    noise = {label: rng.random(100) < 0.05 for label in right}

    def score(question):
        return bool(right[question.label][int(question.item_id)])

    def cheap(question):
        return score(question) ^ bool(noise[question.label][int(question.item_id)])

    calls = []
    for given in ({}, {"cheap": cheap}):
        found = cpe.best_of(right, score=score, items=100, seed=0, **given)
        assert found.best == "c"
        calls.append(found.calls)
    assert calls[1] < 0.85 * calls[0]
    assert "off by 0.0" in found.status.cheap


# What is said of it


def test_agreement_is_that_of_answers_and_hints():
    """Of decided answers that have a hint, and of scores by how much hints are off."""
    arms = QuestionSet.of_labels(["x", "y"]).over(ItemSet.of(100, "random"))
    y = (np.random.default_rng(4).random(100) < 0.6).astype(float)
    x = np.where(np.arange(100) % 5, y, 1 - y)
    values, outcomes = np.full((2, 2, 2, 100), np.nan)
    values[0, 1], outcomes[0, 1] = x, y
    outcomes[0, 1, 50:] = np.nan
    values[0, 1, 0] = outcomes[0, 1, 1] = 0.5
    hints, answers = hints_on(arms, values), cpe.ItemDuels(outcomes, ["x", "y"])
    found = hints.agreement(answers, 1000)
    assert found.startswith("agrees in 81 % of 48 decided answers; saved about ")
    r = np.corrcoef(values[0, 1, :].reshape(-1)[:50], outcomes[0, 1].reshape(-1)[:50])[0, 1]
    assert f"about {round(50 * ((1 - r**2) ** (-2 / 3) - 1))} answers" in found
    assert "about 7 answers" in hints.agreement(answers, 7)
    outcomes[0, 1, 9:] = np.nan
    assert "saved" not in hints.agreement(cpe.ItemDuels(outcomes, ["x", "y"]), 1000)
    scored = QuestionSet.of_scored(["x", "y"]).over(ItemSet.of(3))
    hints = hints_on(scored, [[0.5, 0.25, np.nan], [0, 1, 1]])
    found = hints.agreement(cpe.ItemScores([[1, np.nan, 0], [0, np.nan, 0.75]], ["x", "y"]), 9)
    assert found.startswith("off by 0.25 on average in 3 answers; nothing")


def test_the_cheap_judge_has_a_position_bias_of_its_own(path):
    first = np.full((3, 3, 12, 2), np.nan)
    first[np.triu_indices(3, 1)] = [0.75, 0.5]  # the first shown gets ¾ or ½
    with over(path, hints=first) as session:
        assert session.status().cheap == ""
        for _ in range(3):
            [question] = session.ask()
            session.tell(question.id, better(question))
        assert "gives what is shown first 62 % on average" in session.status().cheap


@pytest.mark.parametrize("scored", [False, True])
def test_answers_of_a_session_with_the_same_seed_are_hints_of_a_fresh_order(tmp_path, scored):
    """They were made along its order, so that a bet on the first cells would know them."""
    learner = "score-tracking" if scored else "copeland-tracking"
    given = {"labels": LABELS, "items": IDS, "seed": 5}
    orders = []
    for number in range(3):
        values = np.full((3, 12), np.nan)
        values[:, : max(1, number)] = 1.0
        hints = {"hints": values} if number else {}
        with cpe.Session.open(tmp_path / f"{number}", learner, **given, **hints) as session:
            row = 0 if scored else (0, 1)
            slots = [Slot(row, place, duel=not scored) for place in range(1, 13)]
            orders.append([session.header.cells.cell(slot) for slot in slots])
        with cpe.Session.open(tmp_path / f"{number}") as again:
            assert [again.header.cells.cell(slot) for slot in slots] == orders[-1]
    assert orders[0] != orders[1] != orders[2] != orders[0]
