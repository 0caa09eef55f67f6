"""Sessions in which outputs on the items of a test set are scored, one at a time."""

import collections

import numpy as np
import pytest
from scipy.stats import chisquare
from starlette.exceptions import HTTPException

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.sessions.content import Content
from cpe_opt.sessions.judges import JudgeFailed
from cpe_opt.sessions.mcp_server import SessionTools
from cpe_opt.sessions.questions import ItemSet, OutputCells, Slot
from cpe_opt.sessions.report import session_report
from cpe_opt.sessions.web import RaterPanel
from tests.sessions.support import records_of
from tests.support import all_of

LABELS = ["ant", "bee", "cow"]
ITEMS = [{"item": f"q{number}", "text": f"What is {number}?"} for number in range(30)]
RATES = {"ant": 0.3, "bee": 0.9, "cow": 0.5}
pytestmark = pytest.mark.usefixtures("asked_anew_at_once")


def over(path, learner="score-tracking", **options):
    return cpe.Session.open(path, learner, **{"labels": LABELS, "items": ITEMS, **options})


def table(arms=3, items=30, seed=0):
    """Whether each output is right; the items of all arms are drawn by the same numbers."""
    easy = np.random.default_rng(seed).random(items)
    rates = np.linspace(0.3, 0.9, arms) if arms != 3 else [*RATES.values()]
    return np.array([easy < rate for rate in rates])


RIGHT = table()


def right(question):
    """As a function that scores would say it."""
    return bool(RIGHT[LABELS.index(question.label), int(question.item_id[1:])])


def answer_all(session, score=right):
    asked = []
    while questions := session.ask(3):
        for question in questions:
            session.tell(question.id, score(question))
            asked.append(question)
    return asked


def every_score(known, *, cells, heard=None):
    """A learner that asks for all, and keeps what it hears."""
    for _ in range(cells):
        for arm in range(len(known.labels)):
            seen = yield cpe.Pull(arm)
            if heard is not None:
                heard.append((arm, seen))
    return (0,)


# The order


def test_one_order_of_the_items_is_common_to_all_arms(path):
    with over(path, every_score, problem=cpe.TopK(3, 1, LABELS), labels=None) as session:
        asked = answer_all(session)
        status, cells = session.status(), session.header.cells
    orders = collections.defaultdict(list)
    for question in asked:
        orders[question.label].append(question.item_id)
        assert (question.kind, question.id.partition(".")[0]) == (
            "pull",
            str(LABELS.index(question.label)),
        )
    assert orders["ant"] == orders["bee"] == orders["cow"] != sorted(orders["ant"])
    assert sorted(orders["ant"]) == sorted(item["item"] for item in ITEMS)
    assert (status.cells, status.answers, cells.count) == (90, 90, 90)


def test_the_order_is_uniform_over_seeds_and_the_same_on_every_machine(tmp_path):
    counts = collections.Counter()
    for seed in range(240):
        cells = OutputCells(ItemSet.of(3), arms=2, seed=seed)
        slots = (Slot(1, number, duel=False) for number in (1, 2, 3))
        counts[tuple(cells.cell(slot).item for slot in slots)] += 1
    assert len(counts) == 6
    assert chisquare(list(counts.values())).pvalue > 1e-3
    with over(tmp_path / "x", seed=7, items=6) as session:
        assert session.header.cells._order == [2, 5, 3, 1, 4, 0]


# What is told


def test_a_learner_hears_scores_and_the_numbers_of_their_items(path):
    heard = []

    def listening(known, *, cells):
        return (yield from every_score(known, cells=cells, heard=heard))

    given = {"problem": cpe.TopK(3, 1, LABELS), "labels": None}
    with over(path, listening, **given) as session:
        lost = session.ask()[0]
        session.leave_out(lost.id)
        answer_all(session)
        scores = session.item_scores()
    first = heard.pop(0)
    assert first[0] == LABELS.index(lost.label)
    assert np.isnan(first[1].values).all()
    assert first[1].items.tolist() == [int(lost.item_id[1:])]
    for arm, (values, items) in heard:
        assert values.tolist() == RIGHT[arm, items].tolist()
    assert np.isnan(scores.scores).sum() == 1
    known = ~np.isnan(scores.scores)
    assert (scores.scores[known] == RIGHT[known]).all()


def test_what_is_no_score_is_refused(path):
    with over(path) as session:
        [question] = session.ask()
        for said in (1.5, -0.1, "right", None, np.nan):
            with pytest.raises(InputError, match="expected a number from 0 to 1, or skip"):
                session.tell(question.id, said)
        session.tell(question.id, np.bool_(True))
        assert session.answers()["outcome"].tolist() == [1.0]
    line = path.read_bytes()
    assert b'"outcome":1.0' in line


@all_of(
    ("given", "message"),
    [
        ({"items": None}, "score-tracking scores arms on the items of a test set: expected items"),
        ({"orders": "both"}, "orders is 'both', and has no effect where outputs are scored"),
        ({"prior": cpe.ItemScores(RIGHT.astype(float), LABELS)}, "prior"),
        ({"learner": "subset-tracking", "noise": 0.1}, "is for problems of the family 'subsets'"),
        (
            {"learner": "subset-tracking", "noise": 0.1, "problem": cpe.TopK(3, 1), "labels": None},
            "has no parameter 'cells'",
        ),
        ({"problem": cpe.ItemScores(RIGHT.astype(float)), "labels": None}, "score-tracking"),
    ],
)
def test_what_does_not_go_with_scores_is_refused(path, given, message):
    with pytest.raises(InputError, match=message):
        over(path, **{"learner": "score-tracking", **given})
    assert not path.exists()


def test_it_is_opened_again_by_what_it_was_begun_with(path):
    with over(path, delta=0.1) as session:
        asked = session.ask(2)
    for given in ({"labels": LABELS, "items": ITEMS}, {"learner": "score-tracking"}, {}):
        with cpe.Session.open(path, **given) as session:
            assert session.ask(2) == asked
    for given in ({"labels": LABELS[::-1]}, {"items": 3}, {"orders": "both"}):
        with pytest.raises(InputError):
            cpe.Session.open(path, **given)


# What is said


def test_the_best_is_proved_and_said(path, tmp_path):
    with over(path) as session:
        while question := session.ask():
            session.tell(question[0].id, right(question[0]), rater="ann")
        status = session.status()
        report = session_report(session)
        scores = session.item_scores()
    assert (status.answer, status.doubt, status.cells) == ("bee", "", 90)
    assert status.answers < 90
    assert "these 30 items" in " ".join(status.warnings)
    assert report.proved
    assert report.summary.startswith("Proved at 95 %: bee has the highest mean on the full table")
    assert report.arms.rows[0][1:3] == ["bee", "proved"]
    assert scores.labels == (*LABELS,)
    for wrong in ("item_duels", "scores", "votes"):
        with pytest.raises(InputError):
            getattr(session, wrong)()
    with pytest.raises(InputError, match="item_duels"):
        cpe.Session.open(
            tmp_path / "duels", "copeland-tracking", labels=LABELS, items=3
        ).item_scores()


def test_answers_are_taken_back_and_second_ones_count_for_agreement(path):
    with over(path) as session:
        [question] = session.ask(rater="ann")
        session.tell(question.id, 1, rater="ann")
        session.withdraw(question.id)
        session.tell(question.id, 0, rater="ann")
        [again] = session.ask(rater="bob", repeat=True)
        assert (again.label, again.item) == (question.label, question.item)
        session.tell(again.id, 1, rater="bob")
        assert session.raters()["agree"].tolist() == [0.0, 0.0]
        assert np.nansum(session.item_scores().scores) == 0
    assert {"answer", "withdraw"} <= {key for each in records_of(path) for key in each}


def test_an_assistant_scores_one_output(path):
    over(path).close()
    tools = SessionTools(path)
    [question] = tools.ask()["questions"]
    assert (question["kind"], len(question["labels"])) == ("pull", 1)
    assert question["item"]["text"].startswith("What is")
    assert tools.tell(question["id"], 1)["noted"] == "1"
    assert tools.status()["answers"] == 1


# In one call


def test_the_best_by_score_in_one_call_that_goes_on(tmp_path):
    asked = []

    def score(question):
        asked.append((question.label, question.item_id))
        return right(question)

    def call(**more):
        return cpe.best_of(RATES, score=score, items=ITEMS, path=tmp_path / "s.jsonl", **more)

    first = call(budget=10)
    assert (first.proved, first.reason, first.calls) == (False, "budget", 10)
    found = call()
    assert (found.best, found.winners, found.proved) == ("bee", ("bee",), True)
    assert found.calls == len(asked) == len(set(asked)) == call().calls
    assert found.saved == 90 - found.calls
    assert f"on these 30 items, not yet on new ones: bee, after {found.calls} calls of 90" in str(
        found
    )


def test_the_two_best_are_named():
    found = cpe.best_of(LABELS, score=right, items=ITEMS, top=2)
    assert found.proved
    assert set(found.winners) == {"bee", "cow"}
    assert found.best == ", ".join(found.winners)


@all_of(
    ("given", "message"),
    [
        ({}, "neither is given, expected one"),
        ({"judge": right, "score": right}, "both are given"),
        ({"score": right}, "score is given, which is about the items"),
        ({"judge": right, "cheap": right}, "cheap is given, which is about the items"),
        ({"judge": right, "items": 3, "top": 2}, "top is 2"),
        ({"score": right, "items": 3, "cheap_budget": 2}, "no effect without cheap"),
        ({"score": right, "items": 3, "cheap": right, "hints": RIGHT}, "cheap and hints"),
    ],
)
def test_what_does_not_go_together_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        cpe.best_of(LABELS, **given)


def test_a_function_of_one_output_that_is_given_as_a_judge_is_told_so():
    with pytest.raises(JudgeFailed, match=r"scores one output is given to best_of as score="):
        cpe.best_of(LABELS, right, items=ITEMS)


def test_a_rater_sees_one_output_and_types_a_number(path):
    with over(path) as session:
        panel = RaterPanel(session, Content.of_labels(LABELS), question="How good?")
        reply = panel.ask("ann")
        shown = reply["question"]
        assert (shown["kind"], len(shown["things"])) == ("pull", 1)
        assert shown["item"]["text"].startswith("What is")
        with pytest.raises(HTTPException, match="expected a number from 0 to 1"):
            panel.answer("ann", shown["id"], "3", "first try")
        reply = panel.answer("ann", shown["id"], "0.5", "second try")
        assert (reply["answered"], reply["state"]) == (1, "question")
        assert session.item_scores().scores[~np.isnan(session.item_scores().scores)] == [0.5]
