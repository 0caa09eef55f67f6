"""What raters may do, over HTTP: ask, answer once, skip, undo, come back."""

import http.client
import json
import logging
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.sessions.web import app
from cpe_opt.sessions.web.panel import Access, RaterPanel, shown_name
from cpe_opt.sessions.web.serving import Serving
from tests.sessions.web.client import LABELS, Page, in_log, on_page, served
from tests.support import A_HANG, waited_for


@pytest.fixture
def path(tmp_path):
    return tmp_path / "session.jsonl"


def labels_of(reply):
    return [thing["text"] for thing in reply["question"]["things"]]


def test_answers_are_those_that_were_given(path):
    given = {}
    with served(path, "random-pairs", seed=3) as (_, address):
        ann = Page(address, "ann")
        reply = ann.ask()
        for number in range(30):
            outcome = ("first", "second", "tie")[number % 3]
            asked = reply["question"]["id"]
            given[asked] = (*labels_of(reply), {"first": 1.0, "second": 0.0, "tie": 0.5}[outcome])
            reply = ann.answer(asked, outcome)
            assert reply["answered"] == number + 1
            assert reply["undo"] == asked
    view = cpe.Session.read(path)
    answers, name = view.answers(), on_page(view)
    rows = answers[["id", "first", "second", "outcome"]].itertuples(index=False)
    assert {name(row[0]): tuple(row[1:]) for row in rows} == given
    assert set(answers["rater"]) == {"ann"}


def test_a_question_stays_when_the_page_is_loaded_anew(path):
    with served(path) as (_, address):
        ann, bea = Page(address, "ann"), Page(address, "bea")
        first = ann.ask()["question"]
        assert bea.ask()["question"]["id"] != first["id"]
        assert ann.ask()["question"] == first
    with served(path) as (_, address):  # and when the server was
        assert Page(address, "bea").ask()["question"]["id"] != first["id"]
        assert Page(address, "ann").ask()["question"] == first


def test_an_answer_that_is_sent_twice_counts_once(path):
    with served(path) as (session, address):
        ann = Page(address, "ann")
        asked = ann.ask()["question"]["id"]
        once = ann.answer(asked, attempt="a1")
        twice = ann.answer(asked, attempt="a1")
        other = ann.answer(asked, "second", attempt="a2")  # the other half of a double click
        assert twice["note"] == other["note"] == "Your answer was counted already."
        assert once["question"] == twice["question"] == other["question"]
        assert session.status().answers == 1
        assert session.answer_of(in_log(session, asked)).outcome == 1.0
        again = ann.undo(asked)
        assert again["question"]["id"] == asked
        late = ann.answer(asked, attempt="a1")  # was under way all the while
        assert late["note"] == "Your answer was counted already."
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
        assert ann.undo(theirs)["note"] == "This is the answer of another rater."
        assert ann.undo(first)["note"] == "Only your last answer can be taken back."
        reply = ann.undo(second)
        assert reply["question"]["id"] == second
        assert reply["undo"] == first
        assert ann.undo(second)["note"] == "This answer was taken back already."
        assert set(session.answers()["id"].map(on_page(session))) == {first, theirs}
        assert ann.ask()["question"]["id"] == second
        assert ann.answer(second)["question"]["id"] == third


def test_a_skipped_question_goes_to_another(path):
    with served(path, "rucb") as (session, address):
        ann, bea = Page(address, "ann"), Page(address, "bea")
        asked = ann.ask()["question"]["id"]
        assert bea.ask()["state"] == "waiting"
        reply = ann.skip(asked)
        assert reply["note"] == "Nothing else is open: this is the question that you skipped."
        assert reply["question"]["id"] == asked
        assert session.status().skips == 1
    with served(path.with_name("two"), "dkwt") as (session, address):
        ann, bea = Page(address, "ann"), Page(address, "bea")
        asked = ann.ask()["question"]["id"]
        assert ann.skip(asked)["question"]["id"] != asked
        others = []
        while (reply := bea.ask())["question"]["id"] != asked:
            others.append(reply["question"]["id"])
            bea.answer(others[-1])
        assert len(others) > 3


def test_who_is_late_is_told_so(path):
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
        assert reply["state"] == "waiting"
        assert session.answer_of(in_log(session, asked)).rater == "bea"


def test_the_end_and_undo_after_it(path):
    with served(path, labels=["x", "y"], delta=0.5) as (session, address):
        ann = Page(address, "ann")
        reply = ann.ask()
        while reply["state"] == "question":
            reply = ann.answer(
                reply["question"]["id"], "first" if labels_of(reply)[0] == "x" else "second"
            )
        assert reply["state"] == "finished"
        assert session.status().answer == "x"
        assert ann.undo(reply["undo"])["state"] == "question"
        assert not session.finished


def test_second_answers_are_a_share_that_timing_does_not_change(path):
    plans = []
    for number in range(2):
        log = path.with_name(f"{number}")
        with served(log, "dkwt", seed=5, serving={"repeats": 0.3}) as (session, address):
            ann, bea = Page(address, "ann"), Page(address, "bea")
            kinds = {"ann": [], "bea": []}
            for turn in range(60):  # bea is away at times, at other times in either run
                for page in (ann, bea) if turn % (2 + number) else (ann,):
                    asked = page.ask()["question"]["id"]
                    kinds[page.name].append("~" in in_log(session, asked))
                    page.answer(asked, "first")
        plans.append(kinds)
        raters = cpe.Session.read(log).raters().set_index("rater")
        assert raters.loc["ann", "compared"] >= 5
    shared = min(len(plan["bea"]) for plan in plans)
    assert plans[0]["bea"][:shared] == plans[1]["bea"][:shared]
    assert 10 <= sum(plans[0]["ann"]) <= 26
    assert sum(plans[0]["bea"]) >= 3


def test_tokens_say_who_it_is(path):
    access = Access({"ann": "secret-of-ann", "bea": "secret-of-bea"}, "secret-of-mine")
    with served(path, access=access) as (session, address):
        ann, eve = Page(address, token="secret-of-ann"), Page(address, token="secret-of-eve")
        reply = ann.ask()
        assert reply["rater"] == "ann"
        ann.answer(reply["question"]["id"])
        assert session.status().raters == {"ann": 1}
        for page in (eve, Page(address, "ann"), Page(address, token="secret-of-mine")):
            status, reply = page.post("/api/question")
            assert status == 401
            assert reply == {"error": "This link is not valid: open the one that you were given."}


def test_another_s_question_cannot_be_answered(path):
    with served(path) as (session, address):
        ann, eve = Page(address, "ann"), Page(address, "eve")
        asked = ann.ask()["question"]["id"]
        for question in (asked, in_log(session, asked), "0-1.99", "0-1.1~7", "nonsense"):
            status, reply = eve.post("/api/answer", id=question, outcome="first", attempt="x")
            assert status == 409
            assert reply["error"].endswith("is no question that you were asked.")
        status, reply = ann.post("/api/answer", id=asked, outcome="third", attempt="x")
        assert status == 400
        assert "the outcome is 'third', expected" in reply["error"]
        assert session.status().answers == 0


@pytest.mark.parametrize("name", ["", "  ", "=A1", "x" * 61, "a\x00b", None, 7, ["ann"]])
def test_a_rater_needs_a_name(path, name):
    with served(path) as (_, address):
        status, reply = Page(address, name).post("/api/question")
        assert status == 400
        assert "a rater needs a name of at most 60 letters" in reply["error"]


def test_what_cannot_be_served_is_refused_in_words(path, tmp_path):
    with cpe.Session.open(path, "rucb", labels=LABELS) as session:
        with pytest.raises(InputError, match="give each rater a token"):
            Serving(session, host="0.0.0.0")
        with pytest.raises(InputError, match=r"repeats is 0\.9, expected a share from 0 to 0\.5"):
            Serving(session, repeats=0.9)
        with (
            Serving(session, port=0) as serving,
            pytest.raises(InputError, match="Address already in use; port 0 is any that"),
            Serving(session, port=int(serving.address.rpartition(":")[2])),
        ):
            pass
        with (
            pytest.raises(InputError, match=r"Cannot assign requested address$"),
            Serving(session, access=Access({"ann": "secret-of-ann"}), host="192.0.2.1", port=0),
        ):
            pass


def test_an_address_for_others_is_one_of_this_machine(path):
    access = Access({"ann": "secret-of-ann"})
    with (
        cpe.Session.open(path, "rucb", labels=LABELS) as session,
        Serving(session, access=access, host="0.0.0.0", port=0) as serving,
    ):
        assert Page(serving.address, token="secret-of-ann").ask()["rater"] == "ann"


def test_bad_tokens_are_refused():
    with pytest.raises(InputError, match="12 to 200 letters, digits"):
        Access({"ann": "short"})
    with pytest.raises(InputError, match="12 to 200 letters, digits"):
        Access({"ann": "with a space in it"})
    with pytest.raises(InputError, match="two tokens are the same"):
        Access({"ann": "the-same-token", "bea": "the-same-token"})


@pytest.fixture
def line(monkeypatch):
    """The raters who have begun to wait, one after the other, for as long as it takes."""
    monkeypatch.setattr(app, "LONGEST_WAIT", A_HANG)
    names, join = [], RaterPanel.join

    def joined(panel, rater):
        join(panel, rater)
        names.append(rater)

    monkeypatch.setattr(RaterPanel, "join", joined)
    return names


def test_raters_take_turns_where_one_question_is_open(path, line):
    with served(path, "rucb") as (_, address):
        pages = [Page(address, name) for name in ("ann", "bea", "cem")]
        first = pages[0].ask()["question"]["id"]
        assert pages[1].ask()["state"] == "waiting"
        turns = []
        with ThreadPoolExecutor(2) as pool:
            for page in pages[1:]:
                pool.submit(wait_and_answer, page, turns)
                waited_for(lambda name=page.name: name in line)
            reply = pages[0].answer(first)
            assert reply["state"] == "waiting"
            turns.append(pages[0].post("/api/question", wait=True)[1]["rater"])
        assert turns == ["bea", "cem", "ann"]


def wait_and_answer(page, turns):
    reply = page.post("/api/question", wait=True)[1]
    turns.append(page.name)
    page.answer(reply["question"]["id"])


def test_who_left_the_line_gets_no_question(path, line):
    with served(path, "rucb") as (session, address):
        ann, bea = Page(address, "ann"), Page(address, "bea")
        asked = ann.ask()["question"]["id"]
        connection = http.client.HTTPConnection(bea.host)
        body = json.dumps({"rater": "bea", "wait": True})
        connection.request("POST", "/api/question", body, {"Content-Type": "application/json"})
        waited_for(lambda: "bea" in line)
        connection.close()
        reply = ann.answer(asked)
        if reply["state"] == "waiting":  # noticed within a second
            reply = ann.post("/api/question", wait=True)[1]
        assert reply["state"] == "question"
        assert session.held("bea") == []


def test_nobody_waits_for_a_server_that_stops(path, line):
    with ThreadPoolExecutor(1) as pool:
        with served(path, "rucb") as (_, address):
            Page(address, "ann").ask()
            waiting = pool.submit(Page(address, "bea").post, "/api/question", wait=True)
            waited_for(lambda: "bea" in line)
        assert waiting.result()[1]["state"] == "waiting"


def test_a_server_that_does_not_start_is_told(path, monkeypatch):
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: sockets[0].close())
    with cpe.Session.open(path, "random-pairs", labels=list(LABELS)) as session:
        with (
            pytest.raises(RuntimeError, match="ended before it was asked"),
            Serving(session, port=0),
        ):
            pass
        assert session.ask()


def test_the_caller_s_logging_is_left_alone(path, tmp_path):
    handler = logging.FileHandler(tmp_path / "caller.log")
    try:
        open_file = handler.stream
        with served(path) as (_, address):
            Page(address, "ann").ask()
        assert not open_file.closed
        assert handler.stream is open_file
    finally:
        handler.close()


def test_names_of_questions_say_nothing_of_arms_and_counts(path):
    with served(path, "dkwt", serving={"repeats": 0.5}) as (session, address):
        ann, bea = Page(address, "ann"), Page(address, "bea")
        names = []
        for page in (ann, bea) * 6:
            reply = page.ask()
            reply = page.answer(reply["question"]["id"])
            names += [reply["undo"], reply["question"]["id"]]
        assert any("~" in each for each in session.answers()["id"])
        key = session.header.key
    assert all(re.fullmatch("[0-9a-f]{24}", name) for name in names)
    other = path.with_name("other.jsonl")
    with served(other, "dkwt") as (session, address):
        first = Page(address, "ann").ask()["question"]["id"]
        first_in_log = in_log(session, first)
        assert shown_name(first_in_log, key) in names
        assert session.header.key != key
    assert first not in names  # the same question of another session has another name


def test_a_page_from_before_the_server_was_started_anew_goes_on(path):
    with served(path) as (_, address):
        ann = Page(address, "ann")
        first = ann.ask()["question"]["id"]
        second = ann.answer(first)["question"]["id"]
    with served(path) as (session, address):
        again = Page(address, "ann")
        assert Page(address, "eve").post("/api/undo", id=first)[0] == 409
        assert again.answer(first, attempt="lost")["note"] == "Your answer was counted already."
        assert again.answer(second)["note"] == ""
        assert session.status().raters == {"ann": 2}
        assert again.undo(second)["question"]["id"] == second


def test_raters_with_tokens_answer_at_the_same_time(path):
    access = Access({"ann": "secret-of-ann", "bea": "secret-of-bea"}, "secret-of-mine")
    begun = {"learner": "copeland-tracking", "delta": 0.1, "access": access}
    with served(path, **begun) as (session, address):
        pages = [Page(address, token=f"secret-of-{name}") for name in ("ann", "bea")]
        for _ in range(4):
            asked = [page.ask()["question"]["id"] for page in pages]
            assert len(set(asked)) == 2
            for page, question in zip(pages, asked, strict=True):
                page.answer(question)
        assert session.status().answers == 8
    with served(path) as (session, address):  # without tokens it stays
        assert len(session._waiting()) >= 2
        assert session.ask_at_once(2) == 2


@pytest.mark.parametrize(
    ("learner", "options", "at_once"),
    [
        ("copeland-tracking", {"delta": 0.1, "parallel": 1}, 1),
        ("copeland-tracking", {"delta": 0.1, "parallel": 5}, 5),
        ("rucb", {}, None),
    ],
)
def test_what_a_session_was_begun_with_stays(path, learner, options, at_once):
    access = Access({"ann": "secret-of-ann", "bea": "secret-of-bea"}, "secret-of-mine")
    with cpe.Session.open(path, learner, labels=LABELS, **options) as session:
        content = path.read_bytes()
        with Serving(session, access=access, port=0) as serving:
            assert serving.at_once == at_once
    assert path.read_bytes() == content
