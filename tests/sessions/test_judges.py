"""Programs that answer: well, late, never, in pieces, too much; and what is left of a session."""

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import combinations, starmap
from pathlib import Path

import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError, WriteFailed
from cpe_opt.sessions import judges
from cpe_opt.sessions.content import Item
from cpe_opt.sessions.journal import read_journal
from cpe_opt.sessions.judges import Calling, JudgeFailed
from tests.items import round_robin
from tests.support import A_HANG, waited_for

PROGRAM = Path(__file__).with_name("judge_program.py")
LABELS = list("abcdef")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(judges, "GRACE", 2.0)
    monkeypatch.setattr(judges, "PAUSE", 0.001)


def run_judges(session, judge, content=None, stop=None, on_event=None, **calling):
    others = {"content": content, "stop": stop, "on_event": on_event}
    return judges.run_judges(session, judge, Calling(**calling), **others)


def all_pairs(arms):
    """Every pair twice, a round at a time; answers with who won most."""
    wins = [0] * arms
    for _ in range(2):
        pairs = list(combinations(range(arms), 2))
        for (i, j), won in zip(
            pairs, (yield cpe.Batch(tuple(starmap(cpe.Duel, pairs)))), strict=True
        ):
            wins[i if won else j] += 1
    return wins.index(max(wins))


@pytest.fixture
def judge(tmp_path):
    """The command of a program that does as it is told."""

    def judge(**wishes):
        wishes.setdefault("count", tmp_path / "count")
        return [sys.executable, "-S", str(PROGRAM), *(f"{k}={v}" for k, v in wishes.items())]

    return judge


@pytest.fixture
def session(tmp_path):
    with cpe.Session.open(tmp_path / "s.jsonl", all_pairs, labels=LABELS, seed=1) as session:
        yield session


def running(folder):
    """Processes that have the folder in their arguments."""
    done = subprocess.run(["ps", "-ewwo", "pid,args"], capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if str(folder) in line]


def right(session):
    """Whether all answers there are those that the program gives."""
    frame = session.answers()
    return (frame["outcome"] == (frame["first"] < frame["second"])).all()


def test_programs_answer_until_the_learner_has_finished(session, judge, tmp_path):
    log, events = tmp_path / "log", []
    report = run_judges(session, judge(log=log), parallel=3, rater="gpt", on_event=events.append)
    assert (report.reason, report.answers, report.failures, report.put_back) == (
        *("finished", 30, 0),
        (),
    )
    assert report.at_once == 3
    assert right(session)
    assert session.status().answer == "a"
    assert session.status().raters == {"gpt": 30}
    assert [event.kind for event in events] == ["answer"] * 30
    asked = [json.loads(line) for line in log.read_text().splitlines()]
    assert len({process for process, _ in asked}) <= 3  # they are kept
    assert all(question.keys() == {"id", "kind", "labels", "about"} for _, question in asked)
    assert sorted(question["id"] for _, question in asked) == sorted(session.answers()["id"])


def test_a_command_may_be_a_text_and_content_is_sent(tmp_path, judge):
    log = tmp_path / "log"
    parts = " ".join(f"'{part}'" for part in judge(log=log))
    with cpe.Session.open(tmp_path / "t.jsonl", all_pairs, labels=["a", "b"]) as session:
        run_judges(session, parts, content={"a": Item("so\nlong"), "b": Item(image="b.png")})
    for line in log.read_text().splitlines():
        question = json.loads(line)[1]
        shown = dict(zip(question["labels"], question["content"], strict=True))
        assert shown == {"a": {"text": "so\nlong"}, "b": {"image": "b.png"}}


@pytest.mark.parametrize(
    ("wish", "failures", "why"),
    [
        ({"die": 4}, 1, "was ended by signal 9"),
        ({"die": "every5"}, 7, "was ended by signal 9"),
        ({"garbage": 3}, 1, "wrote a line that is no JSON: 'I think the first is better'"),
        ({"other": 5}, 1, "answered another question than"),
        ({"bad": 2}, 1, "3 is no outcome, expected 1 where the first of the two won"),
        ({"twice": 2}, 1, "answered another question than"),
        ({"torn": 6}, 1, 'ended in the middle of a line: \'{"id"'),
        ({"huge": 2}, 1, "wrote a line of more than 1,048,576 bytes: 'xxxxxxxxx"),
        ({"loud": "every3"}, 0, ""),
        ({"slowly": "every7"}, 0, ""),
        ({"once": "every3"}, 0, ""),
    ],
    ids=str,
)
def test_what_goes_wrong_is_asked_anew_and_never_an_answer(session, judge, wish, failures, why):
    events = []
    report = run_judges(session, judge(**wish), on_event=events.append)
    assert (report.reason, report.answers, report.failures) == ("finished", 30, failures)
    assert right(session)
    assert report.put_back == ()
    said = [event for event in events if event.kind == "failure"]
    assert len(said) == failures
    assert all(why in event.message for event in said)


@pytest.fixture
def leap(monkeypatch):
    """A function after which the clocks of all event loops are beyond any limit."""
    loops, ahead, clock = set(), [0.0], asyncio.BaseEventLoop.time

    def time_of(loop):
        loops.add(loop)
        return clock(loop) + ahead[0]

    def leap():
        ahead[0] += 10 * A_HANG
        for loop in list(loops):
            with suppress(RuntimeError):  # it is closed
                loop.call_soon_threadsafe(lambda: None)  # so that it looks

    monkeypatch.setattr(asyncio.BaseEventLoop, "time", time_of)
    return leap


@pytest.mark.parametrize("wish", ["hang", "family"])
def test_one_that_is_late_is_killed_with_its_children(session, judge, tmp_path, leap, wish):
    hung = tmp_path / "hung"
    program = judge(**{wish: 5}, hung=hung)
    threading.Thread(target=lambda: waited_for(hung.exists) and leap()).start()
    report = run_judges(session, program, timeout=A_HANG, parallel=2, retries=9)
    assert (report.reason, report.answers) == ("finished", 30)
    assert 1 <= report.failures <= 2  # the other program may have had a question, too
    assert right(session)
    assert running(session.path.parent) == []


def test_a_question_that_fails_too_often_is_put_back(session, judge):
    """The first is asked three times, the others are answered."""
    events = []
    program = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    q = json.loads(line)\n"
        "    print(json.dumps({'id': q['id'], 'outcome': 1}) * (q['id'] != '0-1.1'), flush=True)\n"
    )
    report = run_judges(session, [sys.executable, "-c", program], on_event=events.append)
    assert (report.reason, report.answers, report.failures) == ("unanswered", 14, 3)
    assert report.put_back == ("0-1.1",)
    assert session.status().skips == 1
    kinds = [event.kind for event in events if event.kind != "answer"]
    assert kinds == ["failure"] * 3 + ["put back"]
    assert [question.id for question in session.ask(9)] == ["0-1.1"]


def test_skips_come_last_and_only_so_often(session, judge):
    report = run_judges(session, judge(skip=1), retries=1)
    assert (report.reason, report.answers, report.skips) == ("finished", 30, 1)
    assert session.answers()["id"].tolist().index("0-1.1") == 14


def test_skipping_for_ever_ends(session, judge):
    report = run_judges(session, judge(skip="every1"), retries=1)
    assert (report.reason, report.answers, report.skips) == ("unanswered", 0, 15 + 12)
    assert len(report.put_back) == 12


def test_a_program_that_cannot_be_started_is_said(session):
    with pytest.raises(InputError, match="cannot start '/no/such': No such file or directory"):
        run_judges(session, "/no/such program", parallel=3)
    with pytest.raises(InputError, match=r"cannot start .*: Permission denied"):
        run_judges(session, [str(PROGRAM)])


def test_a_program_that_always_ends_is_given_up(session, judge):
    events = []
    with pytest.raises(JudgeFailed, match="no question was answered: at last, the program ended w"):
        run_judges(session, judge(exit=1), retries=1, on_event=events.append)
    assert [event.kind for event in events] == ["failure", "failure", "put back"] * 12
    with pytest.raises(JudgeFailed, match="saying 'no key was given'"):
        run_judges(session, judge(exit=1), parallel=8, retries=0)
    assert session.status().answers == 0
    assert len(session.ask(99)) == 15  # none is held


def test_a_program_that_just_leaves_is_given_up(tmp_path, judge):
    """With status 0, which is nothing bad of one that has answered something."""
    stop = threading.Event()
    timer = threading.Timer(A_HANG, stop.set)
    timer.start()
    with (
        cpe.Session.open(tmp_path / "t.jsonl", all_pairs, labels=["a", "b"]) as session,
        pytest.raises(JudgeFailed, match="no question was answered: at last, the program ended w"),
    ):
        run_judges(session, judge(leave=1), stop=stop)
    timer.cancel()


def test_a_program_that_stops_answering_is_given_up_with_what_it_has_answered(session, judge):
    program = (
        "import json, os, sys\n"
        "for number, line in enumerate(sys.stdin):\n"
        "    if os.path.exists(sys.argv[1]): sys.exit(3)\n"
        "    if number == 2: open(sys.argv[1], 'w').close()\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'outcome': 1}), flush=True)\n"
    )
    command = [sys.executable, "-c", program, f"{session.path}.end"]
    with pytest.raises(JudgeFailed, match="none of 12 questions was answered: at last, the progr"):
        run_judges(session, command, retries=0)
    assert session.status().answers == 3


def test_a_program_that_does_not_listen_to_sigterm_is_killed(session, judge):
    report = run_judges(session, judge(deaf=1), parallel=2)
    assert report.answers == 30
    assert threading.active_count() < 10
    assert running(session.path.parent) == []


def test_the_budget_holds_with_questions_in_flight(tmp_path, judge):
    """Of every state: what answers cost and what programs have is within it."""
    prices = [[0, 1, 2, 7], [1, 0, 2, 1], [2, 2, 0, 1], [7, 1, 1, 0]]
    path, log = tmp_path / "p.jsonl", tmp_path / "log"
    with cpe.Session.open(path, all_pairs, labels=list("abcd"), prices=prices) as session:
        seen = []

        def look(event):
            held = session._state.leases.by_question
            seen.append(
                session.status().spent + sum(session.price(session.question(q)) for q in held)
            )

        report = run_judges(session, judge(log=log), parallel=4, budget=6.5, on_event=look)
        # Of the prices 1, 2, 7, 2, 1, 1 in this order those that fit.
        assert (report.reason, report.spent, report.answers) == ("budget", 6.0, 4)
        assert max(seen) <= 6.5
        # With more, the others; what was spent counts, and a second round does not fit.
        report = run_judges(session, judge(log=log), parallel=4, budget=14.0)
        assert (report.reason, report.spent, report.answers) == ("budget", 14.0, 2)
    assert len(log.read_text().splitlines()) == 6


def test_a_budget_of_answers_where_there_are_no_prices(session, judge):
    assert run_judges(session, judge(), parallel=8, budget=10).answers == 10
    report = run_judges(session, judge(), parallel=8, budget=10)
    assert (report.reason, report.answers, report.spent) == ("budget", 0, 10)
    assert run_judges(session, judge(), parallel=8, budget=1e6).reason == "finished"


def test_failed_askings_keep_their_share_of_the_budget(session, judge):
    report = run_judges(session, judge(garbage="every2"), parallel=5, budget=7)
    assert (report.reason, report.answers) == ("budget", 7)
    assert right(session)


def test_stopping_ends_programs_and_loses_nothing(session, judge):
    stop = threading.Event()

    def at_the_tenth(event):
        if session.status().answers >= 10:
            stop.set()

    report = run_judges(session, judge(hang=20), parallel=3, stop=stop, on_event=at_the_tenth)
    assert report.reason == "stopped"
    assert 10 <= report.answers == session.status().answers < 30
    assert len(session.ask(99)) == session.status().waiting  # none is held
    assert running(session.path.parent) == []
    assert run_judges(session, judge(), stop=stop).answers == 0


def test_an_interruption_ends_programs(session, judge):
    def interrupt(event):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_judges(session, judge(hang=5), parallel=3, on_event=interrupt)
    assert running(session.path.parent) == []
    assert 1 <= session.status().answers == len(read_journal(session.path)) - 1


def test_judges_are_run_where_a_loop_runs_and_in_any_thread(session, judge):
    """In a notebook there is a loop; and not only the main thread may wait for programs."""

    async def notebook():
        return run_judges(session, judge(), parallel=2, budget=20)

    assert asyncio.run(notebook()).answers == 20
    with ThreadPoolExecutor(1) as thread:
        report = thread.submit(run_judges, session, judge(die=25), parallel=2).result()
    assert (report.reason, report.answers, report.failures) == ("finished", 10, 1)
    assert running(session.path.parent) == []


def test_an_interruption_where_a_loop_runs_ends_programs(session, judge):
    def interrupt(event):
        raise KeyboardInterrupt

    async def notebook():
        run_judges(session, judge(hang=5), parallel=3, on_event=interrupt)

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(notebook())
    assert running(session.path.parent) == []


def test_an_answer_in_time_counts_however_late_it_is_looked_at(session, judge, tmp_path, leap):
    log, looked = tmp_path / "log", []

    def busy(event):
        """Once every program runs, let it answer, and look at the clock long after that."""
        programs = {json.loads(line)[0] for line in log.read_text().splitlines()}
        if len(programs) == 3 and not looked:
            looked.append(time.sleep(1.0))
            leap()

    report = run_judges(session, judge(log=log), parallel=3, timeout=A_HANG, on_event=busy)
    assert (report.answers, report.failures) == (30, 0)


def test_a_full_disk_ends_programs(session, judge, monkeypatch):
    def full(*arguments, **options):
        raise WriteFailed("cannot write: No space left on device")

    monkeypatch.setattr(session._journal, "append", full)
    with pytest.raises(WriteFailed, match="No space left"):
        run_judges(session, judge(hang=3), parallel=3)
    assert running(session.path.parent) == []
    assert session.status().answers == 0


def test_questions_that_others_have_are_waited_for(tmp_path, judge):
    now = 1000.0
    path = tmp_path / "s.jsonl"
    with cpe.Session.open(path, all_pairs, labels=["a", "b"], clock=lambda: now) as session:
        session.ask(rater="ann", lease=50.0)
        events = []

        def later(event):
            nonlocal now
            events.append(event.kind)
            now += 60.0

        report = run_judges(session, judge(), on_event=later)
    assert (report.reason, report.answers) == ("finished", 2)
    assert events == ["waiting", "answer", "answer"]


def test_what_somebody_else_has_answered_is_no_failure(session, judge):
    """Another thread of the same process answers what a program has."""
    told = []

    def also(event):
        for question in list(session._state.leases.by_question):
            if len(told) < 3:
                told.append(question)
                session.tell(question, 0.5, rater="ann")

    report = run_judges(session, judge(), parallel=4, rater="gpt", on_event=also)
    assert (report.reason, report.failures) == ("finished", 0)
    assert session.status().raters == {"ann": 3, "gpt": report.answers}
    assert report.answers == 27


def test_pulls_are_numbers_within_their_range(tmp_path):
    program = (
        "import json, sys\n"
        "for number, line in enumerate(sys.stdin):\n"
        "    outcome = 7 if number == 2 else 0.25\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'outcome': outcome}), flush=True)\n"
    )
    problem, events = cpe.load_instance("opinions"), []
    with cpe.Session.open(tmp_path / "w.jsonl", "coci", problem=problem, delta=0.1) as session:
        command = [sys.executable, "-c", program]
        report = run_judges(session, command, budget=6, on_event=events.append)
        assert (report.answers, report.failures) == (6, 1)
        assert set(session.answers()["outcome"]) == {0.25}
    [failure] = [event for event in events if event.kind == "failure"]
    assert "answered 7: the outcome is 7, expected a number in [0, 1]" in failure.message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"parallel": 0}, "parallel is 0, expected a whole number, at least 1"),
        ({"timeout": 0}, "timeout is 0, expected a number above 0"),
        ({"retries": -1}, "retries is -1, expected a whole number, at least 0"),
        ({"budget": -1}, "budget is -1, expected a number, at least 0"),
        ({"budget": float("inf")}, "budget is inf, expected a finite number"),
        ({"rater": ""}, "a rater needs a name of at most 60 letters"),
        ({"judge": ""}, "the command is '', expected a program and its arguments"),
        ({"judge": []}, "expected a program and its arguments"),
        ({"judge": "'judge"}, "cannot be read: No closing quotation"),
        ({"judge": ["a", 1]}, "expected a program and its arguments"),
        ({"judge": "a\0b"}, "cannot start 'a.*b': embedded null byte"),
    ],
)
def test_bad_arguments_are_refused(session, arguments, message):
    with pytest.raises(InputError, match=message):
        run_judges(session, **{"judge": "true", **arguments})


ITEMS = [{"item": "q1", "text": "Why?"}, {"item": "q2", "rubric": ["short"]}, {"item": "q3"}]


def over_items(folder, orders="both", parallel=3):
    """A session whose learner asks so many cells at once."""
    options = {
        "labels": LABELS[:3],
        "items": ITEMS,
        "orders": orders,
        "parallel": parallel,
        "seed": 9,
    }
    return cpe.Session.open(folder / f"{orders}.jsonl", round_robin, **options)


@pytest.mark.parametrize("orders", ["random", "both", "paired"])
def test_programs_are_told_item_content_and_order(tmp_path, judge, orders):
    log = tmp_path / "log"
    with over_items(tmp_path, orders) as session:
        report = run_judges(session, judge(log=log), parallel=2)
        assert (report.reason, report.failures, report.left_out) == ("finished", 0, ())
        assert (session.item_duels().table.array[0, 1:] == 1).all()
        assert session.position_bias().disagree == 0
        frame = session.answers().set_index("id")
    asked = [json.loads(line)[1] for line in log.read_text().splitlines()]
    assert len(asked) == (18 if orders == "both" else 9)
    for question in asked:
        item = dict(question["item"])
        assert {"item": item.pop("id"), **item} in ITEMS
        row = frame.loc[question["id"]]
        assert [row["first"], row["second"]] == question["labels"]
        assert row["item"] == question["item"]["id"]
        assert ("orders" in question) == (orders == "paired")


@pytest.mark.parametrize("wish", ["fails_at", "skips_at"])
@pytest.mark.parametrize("parallel", [1, 3])
def test_cells_without_an_answer_are_left_out_after_three_tries(tmp_path, judge, wish, parallel):
    events = []
    with over_items(tmp_path, "random", parallel) as session:
        report = run_judges(session, judge(**{wish: "q2"}), on_event=events.append)
        status = session.status()
        assert status.answer == "a"
    assert (report.reason, report.answers, report.put_back) == ("finished", 6, ())
    assert status.left_out == len(report.left_out) == 3
    assert report.failures + report.skips == 9
    assert [each.message for each in events if each.kind == "left out"] == [*report.left_out]


def test_a_program_that_stops_working_has_no_cells_left_out(tmp_path, judge):
    """After a dozen, or all that are there, those since the last answer are opened again."""
    with over_items(tmp_path, "both", 1) as session:
        for question in session.ask(1):
            session.tell(question.id, 1)
        events = []
        with pytest.raises(JudgeFailed, match="no question was answered: at last, the program"):
            run_judges(session, judge(exit=1), retries=0, on_event=events.append)
        assert [event.kind for event in events] == ["failure", "put back", "left out"] * 12
        assert session.status().left_out == 0
        report = run_judges(session, judge(skip="every1"), retries=0)
        assert (report.reason, report.left_out, len(report.put_back)) == ("unanswered", (), 12)
        with pytest.raises(JudgeFailed, match="none of 12 questions was answered: at last, the pr"):
            run_judges(session, judge(lasts=4, count=tmp_path / "again"), retries=0)
        assert (session.status().answers, session.status().left_out) == (5, 0)
        for question in session.ask(9):
            session.tell(question.id, 1)
    with over_items(tmp_path, "both", 1) as session:
        while session.status().answers < 14:
            session.tell(session.ask(1)[0].id, 1)
        with pytest.raises(JudgeFailed):  # although the learner has finished without these
            run_judges(session, judge(exit=1), retries=0)
        assert (session.status().answers, session.status().left_out) == (14, 0)
        assert run_judges(session, judge()).reason == "finished"


PARENT = """
import signal, sys
import cpe_opt as cpe

for each in (signal.SIGHUP, signal.SIGQUIT):  # which whoever runs the tests may ignore
    signal.signal(each, signal.SIG_DFL)

with cpe.Session.open(sys.argv[1], "copeland-tracking", labels=["a", "b"], delta=0.1) as session:
    session.run(sys.argv[2:])
"""


@pytest.mark.parametrize("name", ["SIGHUP", "SIGQUIT", "SIGKILL"])
def test_programs_and_what_they_have_started_end_with_their_parent(tmp_path, judge, name):
    command = [sys.executable, "-c", PARENT, str(tmp_path / "s.jsonl"), *judge(family=1)]
    with subprocess.Popen(command) as parent:
        waited_for(lambda: len(running(tmp_path)) == 3)
        parent.send_signal(getattr(signal, name))
    waited_for(lambda: not running(tmp_path))


def test_a_few_questions_more_are_open_than_programs_ask():
    assert [judges.open_at_once(workers) for workers in (1, 4, 16)] == [1, 5, 20]
