"""Programs, functions and coroutines that answer: well, late, never, too much; and what is left.

Whatever a judge does, a run ends with answers that are in the log, once, or with the judge's
failure, and another run goes on from there.
"""

import asyncio
import json
import math
import subprocess
import sys
import threading
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

import cpe_opt as cpe
from cpe_opt.sessions.content import Item
from cpe_opt.sessions.judges import Calling, _Run, run_judges
from tests.items import round_robin
from tests.sessions.support import (
    all_pairs,
    answered_in,
    better,
    open_questions,
)
from tests.support import A_HANG, all_of, waited_for

PROGRAM = Path(__file__).with_name("judge_program.py")
LABELS = list("abcdef")
pytestmark = pytest.mark.usefixtures("asked_anew_at_once")
ITEMS = [{"item": "q1", "text": "Why?"}, {"item": "q2", "rubric": ["short"]}, {"item": "q3"}]


@pytest.fixture
def program(tmp_path):
    """The command of a program that does as it is told."""

    def program(**wishes):
        wishes.setdefault("count", tmp_path / "count")
        return [sys.executable, "-S", str(PROGRAM), *(f"{k}={v}" for k, v in wishes.items())]

    return program


@pytest.fixture
def session(tmp_path):
    with cpe.Session.open(tmp_path / "s.jsonl", all_pairs, labels=LABELS, seed=1) as session:
        yield session


def cells(folder, orders="both", parallel=3):
    """A session over three items, whose learner asks so many cells at once."""
    given = {"labels": LABELS[:3], "items": ITEMS, "orders": orders, "parallel": parallel}
    path = folder / f"{len([*folder.iterdir()])}.jsonl"  # anew at each call
    return cpe.Session.open(path, round_robin, **given, seed=9)


def running(folder):
    """Processes that have the folder in their arguments."""
    done = subprocess.run(["ps", "-ewwo", "pid,args"], capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if str(folder) in line]


def check(session, events=()):
    """All answers are those that the program gives, in the log, once, and said once; none runs."""
    frame = session.answers()
    assert (frame["outcome"] == (frame["first"] < frame["second"])).all()
    told = answered_in(session.path)
    assert len(told) == len(set(told)) == session.status().answers
    if events:
        said = [each.question.id for each in events if each.kind == "answer"]
        assert sorted(said) == sorted(told)
    assert running(session.path.parent) == []


# How judges are asked


@pytest.mark.parametrize("kind", ["function", "coroutine", "other"])
def test_functions_of_every_kind_are_asked_at_once_until_the_learner_has_finished(session, kind):
    """Of a pair the earlier in the alphabet wins; three are asked at once, and no more."""
    events, together, inside, most = [], threading.Barrier(3), [], []

    def function(question):
        inside.append(question)
        most.append(len(inside))
        together.wait(A_HANG)
        inside.pop()
        return min(question.labels)

    async def coroutine(question):
        return await asyncio.to_thread(function, question)

    def other(question):
        return asyncio.to_thread(function, question)

    judge = {"function": function, "coroutine": coroutine, "other": other}[kind]
    report = session.run(judge, workers=3, rater="gpt", on_event=events.append)
    assert (report.reason, report.answers, report.failures) == ("finished", 30, 0)
    assert (report.put_back, max(most)) == ((), 3)
    assert session.status().answer == "a"
    assert session.status().raters == {"gpt": 30}
    check(session, events)


def test_threads_are_used_again_and_end(session):
    before, hung, over = {*threading.enumerate()}, [], threading.Event()

    def judge(question):
        if not hung:
            hung.append(question)
            over.wait(A_HANG)
        alive.append(threading.active_count() - len(before))
        return better(question)

    alive = []
    assert session.run(judge, workers=2, timeout=0.5).answers == 30
    assert max(alive) < 25  # not one a call
    over.set()
    waited_for(lambda: {*threading.enumerate()} <= before)


def test_programs_are_told_item_and_content(tmp_path, program):
    """Whose command may be a text."""
    log = tmp_path / "log"
    command = " ".join(f"'{part}'" for part in program(log=log))
    content = {"a": Item("so\nlong"), "b": Item(image="b.png"), "c": Item("c")}
    sent = {"a": {"text": "so\nlong"}, "b": {"image": "b.png"}, "c": {"text": "c"}}
    with cells(tmp_path, "both") as session:
        report = run_judges(session, command, Calling(parallel=2), content=content)
        assert (report.reason, report.failures, report.left_out) == ("finished", 0, ())
        assert (session.item_duels().table.array[0, 1:] == 1).all()
        frame = session.answers().set_index("id")
    processes, asked = zip(*map(json.loads, log.read_text().splitlines()), strict=True)
    assert len({*processes}) <= 2  # they are kept
    assert len(asked) == 18
    for question in asked:
        item = dict(question["item"])
        assert {"item": item.pop("id"), **item} in ITEMS
        assert question["content"] == [sent[label] for label in question["labels"]]
        row = frame.loc[question["id"]]
        assert [row["first"], row["second"]] == question["labels"]
        assert row["item"] == question["item"]["id"]


# What goes wrong


@pytest.mark.parametrize(
    ("wish", "failures", "why"),
    [
        ({"die": "every5"}, 7, "ended with status -9"),
        ({"garbage": 3}, 1, "wrote a line that is no JSON: 'I think the first is better'"),
        ({"other": 5}, 1, "answered another question than"),
        ({"bad": 2}, 1, "3 is no outcome, expected first"),
        ({"twice": 2}, 1, "answered another question than"),
        ({"huge": 2}, 1, "wrote no whole line of up to 1,048,576 bytes: 'xxx"),
        ({"loud": "every3"}, 0, ""),
        ({"once": "every9"}, 0, ""),
        ({"deaf": 1}, 0, ""),  # to SIGTERM
    ],
    ids=str,
)
def test_what_goes_wrong_is_asked_anew_and_never_an_answer(session, program, wish, failures, why):
    events = []
    report = session.run(program(**wish), on_event=events.append)
    assert (report.reason, report.answers, report.failures) == ("finished", 30, failures)
    assert report.put_back == ()
    said = [event.message for event in events if event.kind == "failure"]
    assert len(said) == failures
    assert all(why in message for message in said)
    check(session, events)


@pytest.mark.parametrize("wish", ["hang", "family"])
def test_one_that_is_late_is_killed_with_its_children(session, program, wish):
    report = session.run(program(**{wish: 5}), timeout=1.0, workers=2, retries=9)
    assert (report.reason, report.answers) == ("finished", 30)
    assert report.failures >= 1  # others may be late, too, where the machine is busy
    check(session)


def test_a_question_that_fails_or_is_skipped_too_often_is_put_back(session):
    def judge(question):
        if question.id == "0-1.1":
            raise ConnectionError("no answer today")
        return "skip" if question.id == "0-2.1" else min(question.labels)

    report = session.run(judge)
    assert (report.reason, report.answers) == ("unanswered", 13)
    assert (report.failures, report.skips) == (3, 3)
    assert sorted(report.put_back) == ["0-1.1", "0-2.1"]
    assert {question.id for question in open_questions(session)} == {"0-1.1", "0-2.1"}
    report = session.run(lambda question: min(question.labels))
    assert (report.reason, report.answers) == ("finished", 17)


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ({"exit": 1}, "the program ended .*saying 'no key was given'"),
        (lambda question: 1 / 0, "the function raised ZeroDivisionError: division by zero"),
        (lambda question: "nobody", "the function returned what is no outcome: 'nobody'"),
    ],
)
def test_a_judge_that_only_fails_is_given_up_after_a_dozen(tmp_path, program, judge, message):
    events, judge = [], program(**judge) if isinstance(judge, dict) else judge
    with cells(tmp_path, "both", 5) as session:
        with pytest.raises(cpe.CpeOptError, match=f"no question was answered: at last, {message}"):
            session.run(judge, retries=0, on_event=events.append)
        assert [event.kind for event in events] == ["failure", "put back", "left out"] * 12
        assert (session.status().answers, session.status().left_out) == (0, 0)
        assert session.run(better).reason == "finished"


def test_a_judge_that_stops_working_has_no_cells_left_out(tmp_path):
    """Those since the last answer are opened again, and none was put back for good."""
    budget = [0]

    def tired(question):
        budget[0] -= 1
        return better(question) if budget[0] >= 0 else 1 / 0

    with cells(tmp_path, "both", 1) as session:
        report = session.run(lambda question: "skip", retries=0)
        assert (report.reason, report.left_out, len(report.put_back)) == ("unanswered", (), 12)
        budget[0] = 5
        with pytest.raises(cpe.CpeOptError, match="none of 12 questions was answered: at last"):
            session.run(tired, retries=0)
        assert (session.status().answers, session.status().left_out) == (5, 0)
        while session.status().answers < 14:
            session.tell(session.ask(1)[0].id, 1)
        with pytest.raises(cpe.CpeOptError):  # although the learner has finished without these
            session.run(tired, retries=0)
        assert (session.status().answers, session.status().left_out) == (14, 0)


# Budgets, others, and ends


def test_the_budget_holds_with_questions_in_flight(tmp_path, program):
    """Of every state: what answers cost and what programs have is within it."""
    prices = [[0, 1, 2, 7], [1, 0, 2, 1], [2, 2, 0, 1], [7, 1, 1, 0]]
    path, log, seen = tmp_path / "p.jsonl", tmp_path / "log", []
    with cpe.Session.open(path, all_pairs, labels=list("abcd"), prices=prices) as session:
        # Of the prices 1, 2, 7, 2, 1, 1 in this order those that fit; with more, the others; what
        # was spent counts, and a second round does not fit.
        for budget, spent, answers in ((6.5, 6.0, 4), (14.0, 14.0, 2), (14.0, 14.0, 0)):
            report = session.run(
                program(log=log),
                workers=4,
                budget=budget,
                on_event=lambda event: seen.append(session.status().spent),
            )
            assert (report.reason, report.spent, report.answers) == ("budget", spent, answers)
            assert max(seen) <= budget
        assert len(log.read_text().splitlines()) == 6  # no other was asked


@pytest.mark.parametrize("fails", [False, True])
def test_answers_that_wait_for_the_disk_are_brought_there_by_one_sync(session, monkeypatch, fails):
    """The first sync takes until nine answers are written, of which it has one."""
    begun, on_disk, said, first = [], [], [], iter([True])

    def judge(question):
        if not next(first, False):
            waited_for(lambda: begun)
        return 1

    def fsync(handle):
        begun.append(session.path.read_text())
        waited_for(lambda: len(begun) > 1 or len(answered_in(session.path)) == 9)
        if fails:
            raise OSError("no disk")
        on_disk.append(begun[-1])

    def on_event(event):
        said.append(f'"answer":"{event.question.id}"' in on_disk[-1] and len(on_disk))

    session.ask_at_once(11)
    monkeypatch.setattr("os.fsync", fsync)
    with pytest.raises(cpe.errors.WriteFailed, match="no disk") if fails else nullcontext():
        session.run(judge, workers=9, budget=9, on_event=on_event)
    assert (said, len(answered_in(session.path))) == (([], 0) if fails else ([1] + [2] * 8, 9))


def test_a_disk_that_fails_is_said_by_a_run_that_is_stopped(session, monkeypatch):
    stop, ending, end_judges = threading.Event(), threading.Event(), _Run.end_judges

    async def ended(run):
        ending.set()  # nobody waits for the disk any more
        await end_judges(run)

    def fsync(handle):
        stop.set()
        ending.wait(A_HANG)
        raise OSError("no disk")

    monkeypatch.setattr(_Run, "end_judges", ended)
    monkeypatch.setattr("os.fsync", fsync)
    with pytest.raises(cpe.errors.WriteFailed, match="no disk"):
        run_judges(session, better, Calling(), stop=stop)


def test_a_judge_that_ends_a_run_leaves_no_answer_unsaid(session, monkeypatch):
    """It interrupts the run while one answer is brought to the disk and another one waits."""
    synced, said, places, ending = [], [], iter(range(3)), threading.Event()

    def judge(question):
        place = next(places)
        waited_for(lambda: place == 0 or (synced and len(answered_in(session.path)) == place))
        if place == 2:
            raise KeyboardInterrupt
        return 1

    def fsync(handle):
        synced.append(answered_in(session.path))
        ending.wait(A_HANG)

    session.ask_at_once(3)
    monkeypatch.setattr(_Run, "open_again", lambda run: ending.set())  # all judges have ended
    monkeypatch.setattr("os.fsync", fsync)
    with pytest.raises(KeyboardInterrupt):
        session.run(judge, workers=3, on_event=lambda event: said.append(event.question.id))
    assert sorted(said) == sorted(synced[-1]) == answered_in(session.path)


def test_a_run_that_is_interrupted_before_it_begins_does_not_go_on(session, monkeypatch):
    before, begun = {*threading.enumerate()}, []
    start, report = threading.Thread.start, _Run.report

    def interrupted(thread):
        start(thread)
        if "Pool" in thread.name:
            raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    monkeypatch.setattr(_Run, "report", lambda *run: begun.append(run) or report(*run))
    with pytest.raises(KeyboardInterrupt):
        session.run(better)
    waited_for(lambda: {*threading.enumerate()} <= before)
    assert begun == []


def test_questions_that_others_have_are_waited_for(tmp_path):
    now, events = [1000.0], []
    path = tmp_path / "s.jsonl"
    with cpe.Session.open(path, all_pairs, labels=["a", "b"], clock=lambda: now[0]) as session:
        session.ask(rater="ann", lease=50.0)

        def later(event):
            events.append(event.kind)
            now[0] += 60.0

        report = session.run(better, on_event=later)
    assert (report.reason, report.answers) == ("finished", 2)
    assert events == ["waiting", "answer", "answer"]


@pytest.mark.parametrize("how", ["stopped", "interrupted", "interrupted in a loop", "an error"])
def test_stopping_ends_programs_and_loses_nothing(session, program, monkeypatch, how):
    stop, events = threading.Event(), []

    def at_the_tenth(event):
        events.append(event)
        if len(events) >= 10:
            stop.set()
            if how == "an error":
                raise OSError
            if how != "stopped":
                raise KeyboardInterrupt

    async def notebook():
        return run(hang=20)

    def run(**wish):
        calling = Calling(parallel=3)
        return run_judges(session, program(**wish), calling, stop=stop, on_event=at_the_tenth)

    if how == "stopped":
        assert run(hang=20).reason == "stopped"
        assert run().answers == 0
    else:
        with pytest.raises(OSError if how == "an error" else KeyboardInterrupt):
            asyncio.run(notebook()) if "loop" in how else run(hang=20)
    assert 10 <= session.status().answers < 30
    assert len(open_questions(session)) == session.status().waiting  # none is held
    check(session)


def test_programs_and_what_they_have_started_end_with_their_parent(tmp_path, program):
    path = tmp_path / "s.jsonl"
    cpe.Session.open(path, "copeland-tracking", labels=["a", "b"]).close()
    script = "import sys, cpe_opt; cpe_opt.Session.open(sys.argv[1]).run(sys.argv[2:])"
    command = [sys.executable, "-c", script, str(path), *program(family=1)]
    with subprocess.Popen(command) as parent:
        waited_for(lambda: len(running(tmp_path)) == 3)
        parent.kill()
    waited_for(lambda: not running(tmp_path))


# Judges of bad manners


class Bare(BaseException):
    """Neither an Exception nor a reason to end."""


RAISED = [Bare(), asyncio.CancelledError(), GeneratorExit()]


@all_of("said", [*RAISED, None, 10**5000, math.nan, "\ud800", "nothing", "skip"])
def test_cells_without_an_answer_are_left_out_after_three_tries(tmp_path, said):
    """Whatever a judge raises or returns; what it says elsewhere is there, once."""

    def function(question):
        if question.item_id != "q2":
            return better(question)
        if isinstance(said, BaseException):
            raise said
        return said

    async def coroutine(question):
        return function(question)

    for judge in (function, coroutine):
        events = []
        with cells(tmp_path, "random") as session:
            report = session.run(judge, workers=2, on_event=events.append)
            assert session.status().answer == "c"
            assert session.status().left_out == len(report.left_out) == 3
            told = answered_in(session.path)
        assert len(told) == len({*told}) == 9
        assert (report.reason, report.answers, report.put_back) == ("finished", 6, ())
        assert report.failures + report.skips == 9
        assert [each.message for each in events if each.kind == "left out"] == [*report.left_out]


def test_judges_that_cannot_be_cancelled_are_left_behind(tmp_path):
    over = threading.Event()

    async def swallow(question):
        while question.item_id == "q1" and not over.is_set():
            with suppress(BaseException):
                await asyncio.sleep(0.01)
        return better(question)

    with cells(tmp_path, "random") as session:
        report = session.run(swallow, workers=2, timeout=0.3, retries=0)
        over.set()
        assert (report.reason, report.answers + len(report.left_out)) == ("finished", 9)
        assert len(report.left_out) >= 3
