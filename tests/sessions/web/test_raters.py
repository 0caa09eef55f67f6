"""What raters may do, over HTTP: ask, answer once, skip, undo, come back; also many at once."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

import cpe_opt as cpe
from tests.items import round_robin
from tests.sessions.web.client import ACCESS, Page, in_log, on_page, served

VALUES = {"first": 1.0, "second": 0.0, "tie": 0.5}
TEAMS = {
    "learner": "subset-tracking",
    "problem": cpe.TopK(4, 2, ("ann", "bob", "cleo", "dan")),
    "delta": 0.1,
    "feedback": "sums",
    "noise": 0.5,
}
OVER_ITEMS = {"learner": round_robin, "items": 3}


def labels_of(reply):
    return [thing["text"] for thing in reply["question"]["things"]]


def answer_until(page, answers):
    """Answer so many questions; those given, by their names on the page."""
    given, reply = {}, page.ask()
    while len(given) < answers and reply["state"] == "question":
        asked, outcome = reply["question"]["id"], [*VALUES][len(given) % 3]
        given[asked] = (*labels_of(reply), VALUES[outcome], page.name)
        reply = page.answer(asked, outcome)
        assert (reply["answered"], reply["undo"]) == (len(given), asked)
    return given


def test_answers_of_many_raters_are_those_that_were_given(path):
    """No answer is lost, doubled or changed, and names of questions say nothing of arms."""
    with served(path, seed=3) as (session, address):
        pages = [Page(address, f"rater {number}") for number in range(6)]
        with ThreadPoolExecutor(len(pages)) as pool:
            parts = list(pool.map(lambda page: answer_until(page, 8), pages))
        given = {name: said for part in parts for name, said in part.items()}
        key = session.header.key
    view = cpe.Session.read(path)
    answers, name = view.answers(), on_page(view)
    rows = answers[["id", "first", "second", "outcome", "rater"]].itertuples(index=False)
    assert {name(row[0]): tuple(row[1:]) for row in rows} == given
    assert len(answers) == len(given) == 48
    assert all(re.fullmatch("[0-9a-f]{24}", each) for each in given)
    with served(path.with_name("other"), seed=3) as (session, address):
        assert session.header.key != key
        assert Page(address, "ann").ask()["question"]["id"] not in given


def test_a_question_stays_when_the_page_or_the_server_is_started_anew(path):
    with served(path) as (_, address):
        ann, bea = Page(address, "ann"), Page(address, "bea")
        first = ann.ask()["question"]
        assert bea.ask()["question"]["id"] != first["id"]
        assert ann.ask()["question"] == first
        second = ann.answer(first["id"])["question"]
    with served(path) as (session, address):
        again = Page(address, "ann")
        assert Page(address, "eve").post("/api/undo", id=first["id"])[0] == 409
        assert again.answer(second["id"])["note"] == ""
        assert again.answer(first["id"], attempt="lost")["note"] == (
            "Your answer was counted already."
        )
        assert session.status().raters == {"ann": 2}
        assert again.undo(second["id"])["question"] == second


def test_an_answer_that_is_sent_twice_counts_once(path):
    with served(path) as (session, address):
        ann = Page(address, "ann")
        asked = ann.ask()["question"]["id"]
        once, again = (ann.answer(asked, attempt="a1") for _ in range(2))
        assert once["question"] == again["question"]
        assert session.status().answers == 1
        assert ann.answer(asked, "second")["note"] == "Your answer was counted already."
        assert session.answer_of(in_log(session, asked)).outcome == 1.0
        ann.undo(asked)
        ann.answer(asked, attempt="a1")  # was under way all the while
        assert session.status().answers == 0
        ann.answer(asked, "second", attempt="a3")
        assert session.answer_of(in_log(session, asked)).outcome == 0.0


def test_undo_takes_back_the_rater_s_own_last_answer(path):
    with served(path) as (session, address):
        ann, bea = Page(address, "ann"), Page(address, "bea")
        first = ann.ask()["question"]["id"]
        second = ann.answer(first)["question"]["id"]
        theirs = bea.ask()["question"]["id"]
        bea.answer(theirs)
        third = ann.answer(second)["question"]["id"]
        assert ann.post("/api/undo", id=theirs)[0] == 409
        assert ann.undo(first)["note"] == "Only your last answer can be taken back."
        for _ in range(2):  # the page sends it again
            reply = ann.undo(second)
            assert (reply["question"]["id"], reply["undo"]) == (second, first)
        assert set(session.answers()["id"].map(on_page(session))) == {first, theirs}
        assert ann.answer(second)["question"]["id"] == third


def test_who_skips_or_is_late_has_the_question_no_more(path):
    clock = [0.0]
    with served(path, "rucb", clock=lambda: clock[0]) as (session, address):
        ann, bea = Page(address, "ann"), Page(address, "bea")
        asked = ann.ask()["question"]["id"]
        clock[0] = 119.0
        assert bea.ask()["state"] == "waiting"
        clock[0] = 121.0
        assert bea.ask()["question"]["id"] == asked
        bea.answer(asked)
        reply = ann.answer(asked)
        assert reply["note"] == "Somebody else has answered this question meanwhile."
        assert session.answer_of(in_log(session, asked)).rater == "bea"
        clock[0] = 300.0
        asked = ann.ask()["question"]["id"]
        reply = ann.answer(asked, "skip")
        assert reply["note"] == "Nothing else is open: this is the question that you skipped."
        assert (reply["question"]["id"], session.status().skips) == (asked, 1)


def test_second_answers_are_a_share(path):
    with served(path, seed=5, serving={"repeats": 0.3}) as (session, address):
        pages = [Page(address, name) for name in ("ann", "bea")]
        for page in pages * 30:
            page.answer(page.ask()["question"]["id"], "first")
        status = session.status()
    assert status.raters == {"ann": 30, "bea": 30}
    assert 9 <= status.repeats <= 27  # 18 are a share of 0.3


def test_tokens_say_who_it_is_and_raters_with_tokens_answer_at_the_same_time(path):
    begun = {"learner": "copeland-tracking", "delta": 0.1, "access": ACCESS}
    with served(path, serving={"host": "0.0.0.0"}, **begun) as (session, address):
        pages = [Page(address, token=f"secret-of-{name}") for name in ("ann", "bea")]
        for _ in range(4):
            asked = [page.ask()["question"]["id"] for page in pages]
            assert len(set(asked)) == 2
            for page, question in zip(pages, asked, strict=True):
                page.answer(question)
        assert session.status().raters == {"ann": 4, "bea": 4}
        strangers = ("secret-of-eve", "secret-of-mine")
        for page in (Page(address, "ann"), *(Page(address, token=each) for each in strangers)):
            status, reply = page.post("/api/question")
            assert status == 401
            assert reply == {"error": "This link is not valid: open the one that you were given."}


def test_raters_take_turns_where_one_question_is_open(path, monkeypatch):
    """The first of those who wait is next, and who asks no more stands in no line."""
    now = [0.0]
    monkeypatch.setattr("cpe_opt.sessions.web.monotonic", lambda: now[0])
    with served(path, "rucb") as (_, address):
        ann, bea, cem = (Page(address, name) for name in ("ann", "bea", "cem"))
        asked = ann.ask()["question"]["id"]
        assert [page.ask()["state"] for page in (bea, cem, bea)] == ["waiting"] * 3
        assert ann.answer(asked)["state"] == "waiting"
        assert cem.ask()["state"] == "waiting"
        theirs = bea.ask()["question"]["id"]
        now[0] = 3.0
        assert bea.answer(theirs)["state"] == ann.ask()["state"] == "waiting"
        now[0] = 5.0  # cem has left
        assert ann.ask()["state"] == "question"


@pytest.mark.parametrize(
    ("begun", "outcome", "message"),
    [
        *[({}, each, "This is no answer") for each in (7, None, "leave-out")],
        *[(TEAMS, each, "expected a number") for each in (True, {"a": 1})],
        (OVER_ITEMS, [3, 0], "This is no answer"),
    ],
)
def test_what_is_no_answer_is_refused_and_the_question_stays(path, begun, outcome, message):
    with served(path, **begun) as (session, address):
        ann, eve = Page(address, "ann"), Page(address, "eve")
        asked = ann.ask()["question"]["id"]
        status, reply = ann.post("/api/answer", id=asked, outcome=outcome, attempt="a")
        assert status == 400
        assert message in reply["error"]
        good = 1 if begun is TEAMS else "tie"
        for other in (asked, in_log(session, asked), "0-1.99", "nonsense"):  # another rater's
            status, reply = eve.post("/api/answer", id=other, outcome=good, attempt="x")
            assert status == 409
            assert "no question that you were asked" in reply["error"]
        assert session.status().answers == 0
        assert ann.ask()["question"]["id"] == asked
        ann.answer(asked, good)
        assert session.answer_of(in_log(session, asked)).outcome in (0.5, 1)
