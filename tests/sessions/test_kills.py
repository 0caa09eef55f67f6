"""Sessions killed, interrupted and forked at any moment lose no answer, and double none.

They ask on as if nothing had happened.
"""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import zlib
from contextlib import suppress

import pytest

import cpe_opt as cpe
from cpe_opt.errors import FileInUse
from cpe_opt.learners.declaration import parameters_of
from cpe_opt.sessions import session as sessions
from cpe_opt.sessions.journal import Journal, read_journal
from tests.items import round_robin
from tests.sessions.test_session import outcome

RATERS = ("ann", "bob", "cleo", "dan")
KILLS_A_LOG = 50


def opened(path, kind, seed):
    """A session about coins, one whose learner asks several at once, or one about cells."""
    options = {"labels": cpe.load_instance("sushi").labels, "delta": 1e-9, "seed": seed}
    if kind != "items":
        learner = "savage" if kind == "coins" else "copeland-tracking"
        return cpe.Session.open(path, learner, **options)
    options |= {"items": 100, "orders": "both", "parallel": 40}  # more than raters have at a time
    return cpe.Session.open(path, round_robin, **options)


def answer(session, question, kind):
    """Answer by the question alone; a cell now and then is left out."""
    if kind == "coins":
        session.tell(question.id, outcome(question, cpe.load_instance("sushi")))
        return
    drawn = zlib.crc32(question.id.encode())
    if drawn % 7:
        session.tell(question.id, drawn % 5 / 4)
    else:
        session.leave_out(question.id)


def answer_until_killed(path, pipe, kind, seed):
    """Four raters answer at once; what was taken is acknowledged."""
    session = opened(path, kind, seed)
    sending = threading.Lock()

    def rate(rater):
        try:
            while True:
                for question in session.ask(2, rater=rater):  # none while others have them all
                    answer(session, question, kind)
                    with sending:
                        pipe.send_bytes(question.id.encode())
        finally:
            os._exit(1)

    for rater in RATERS:
        threading.Thread(target=rate, args=(rater,), daemon=True).start()
    threading.Event().wait()


def open_anew_until_killed(path, pipe, kind, seed):
    """For each answer the session is opened anew, and leaves a snapshot.

    What raters of a process that was killed still have, they are asked.
    """
    sessions.LEAST_RECORDS = 0
    opened(path, kind, seed).close()  # which loads what it needs
    while True:
        with opened(path, kind, seed) as session:
            asked = (session.ask(rater=rater) for rater in (None, *RATERS))
            [question] = next(filter(None, asked))
            answer(session, question, kind)
            pipe.send_bytes(question.id.encode())


def killed_at_random(path, rng, kind, seed, processes):
    """What was acknowledged before the process was killed, which is after some answers."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    target = rng.choice([answer_until_killed, open_anew_until_killed])
    process = processes.Process(target=target, args=(path, sending, kind, seed))
    process.start()
    sending.close()
    acknowledged, wanted = set(), rng.randrange(1, 8)
    with suppress(EOFError):
        while True:
            acknowledged.add(receiving.recv_bytes().decode())
            if len(acknowledged) == wanted:
                process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL, "it ended by itself"
    return acknowledged


def check_log(path, acknowledged, kind, seed):
    """Every acknowledged answer is there once; what is open is what it is without any kill."""
    records = read_journal(path)[1:]
    given = [each.get("answer", each.get("leave_out")) for each in records if "ask" not in each]
    assert len(given) == len(set(given)), "an answer is there twice"
    assert acknowledged <= set(given), "an acknowledged answer is lost"
    with opened(path, kind, seed) as session:
        cells = [session.question(name) for name in session._waiting()] if kind == "items" else []
        cells += [session.header.question(name) for name in given] if kind == "items" else []
        cells = [(each.labels, each.item["id"]) for each in cells]
        assert len(cells) == len(set(cells)), "a cell is asked twice"
        asked = list(session._waiting())  # perhaps by a snapshot
        waiting, best = list(session._replayed().waiting), session.best().answer
    assert asked == waiting
    left = set(given)
    never_killed = path.with_name("never-killed.jsonl")
    never_killed.unlink(missing_ok=True)
    with opened(never_killed, kind, seed) as session:
        while asked := [name for name in session._replayed().waiting if name in left]:
            for name in asked:
                answer(session, session.header.question(name), kind)
            left -= set(asked)
        assert not left
        assert list(session._replayed().waiting) == waiting
        assert session.best().answer == best
    return len(given)


def play(folder, kills, kind, seed=0):
    """So many kills, a new session after every fifty."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["tests.sessions.test_kills"])
    rng, answers, path, acknowledged = random.Random(seed), 0, None, set()
    for kill in range(kills):
        if kill % KILLS_A_LOG == 0:
            path, acknowledged = folder / f"{kill}.jsonl", set()
        acknowledged |= killed_at_random(path, rng, kind, seed, processes)
        if (kill + 1) % KILLS_A_LOG == 0 or kill == kills - 1:
            answers += check_log(path, acknowledged, kind, seed)
    return answers


@pytest.mark.parametrize("kind", ["coins", "items"])
def test_kills_lose_nothing(tmp_path, kind):
    assert play(tmp_path, 6, kind) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["coins", "items"])
def test_hundreds_of_kills_lose_nothing(tmp_path, kind):
    answers = play(tmp_path, 250, kind, seed=1)
    print(f"250 kills, {answers:,} answers, none lost, none doubled")


# Processes that are forked while a session is open.


def coins(path):
    return cpe.Session.open(path, "savage", labels=["a", "b", "c"], delta=1e-9)


def misused(session):
    """What a process that was forked does with the session; how often it is refused."""
    refused = 0
    for act in (
        session.ask,
        lambda: session.tell("0-1.1", 1, sync=False),
        lambda: session.skip("0-1.1"),
        lambda: session.withdraw("0-1.1"),
        session.commit,
        session.status,
        lambda: session._journal.append({"skip": "0-1.1"}),
    ):
        try:
            act()
        except FileInUse as error:
            refused += "is in use" in str(error)
    session.close()
    return refused


REFUSED = 7


def in_child(act):
    """Fork, and have the child do something; its number, and a handle to read what came of it."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        said = b"raised"
        try:
            said = str(act()).encode()
        finally:
            os.write(writing, said)
            os._exit(0)
    os.close(writing)
    return child, reading


def came_of(child, reading):
    said = os.read(reading, 100).decode()
    os.close(reading)
    os.waitpid(child, 0)
    return said


def forked_plainly(path, session, told):
    """The child uses the session, and the parent goes on."""
    told(session)
    assert came_of(*in_child(lambda: misused(session))) == str(REFUSED)
    told(session)
    session.close()


def forked_for_a_pool(path, session, told):
    """A pool that is there when the session is closed has no part of the file."""
    told(session)
    with multiprocessing.get_context("fork").Pool(
        2, initializer=_keep, initargs=(session,)
    ) as pool:
        assert pool.map(_misused, range(2)) == [REFUSED] * 2
        told(session)
        session.close()
        with coins(path) as again:
            told(again)


def _keep(session):
    _keep.session = session


def _misused(_):
    return misused(_keep.session)


def started(path, session, told):
    """A program that has inherited the file keeps nobody from opening it."""
    told(session)
    program = [sys.executable, "-c", "input()"]
    inherited = (session._journal._handle,)
    with subprocess.Popen(program, stdin=subprocess.PIPE, pass_fds=inherited) as process:
        told(session)
        session.close()
        with coins(path) as again:
            told(again)
        process.communicate(b"\n")


def forked_in_a_thread(path, session, told):
    """While other threads answer, and have whatever locks there are."""
    stop, came, failed = threading.Event(), [], []

    def rate():
        try:
            while not stop.is_set():
                told(session)
        except Exception as error:  # raised below
            failed.append(error)

    def fork():
        came.extend(came_of(*in_child(lambda: misused(session))) for _ in range(3))

    raters = [threading.Thread(target=rate) for _ in range(2)]
    forking = threading.Thread(target=fork)
    for thread in (*raters, forking):
        thread.start()
    forking.join()
    stop.set()
    for thread in raters:
        thread.join()
    session.close()
    assert came == [str(REFUSED)] * 3
    assert not failed


def outlived_by_a_child(path, session, told):
    """The process with the session is killed; its child lives on."""
    told(session)
    session.close()
    reading, writing = os.pipe()

    def live_on(mine):
        os.write(writing, f"{misused(mine)} {os.getpid()}".encode())
        signal.pause()

    def begin():
        mine = coins(path)
        told(mine)
        in_child(lambda: live_on(mine))
        os.kill(os.getpid(), signal.SIGKILL)

    child, unread = in_child(begin)
    os.waitpid(child, 0)
    os.close(unread)
    os.close(writing)
    refused, child = os.read(reading, 100).split()
    os.close(reading)
    try:
        with coins(path) as again:  # nobody has it open
            told(again)
    finally:
        os.kill(int(child), signal.SIGKILL)
    assert int(refused) == REFUSED


WAYS = [
    *(forked_plainly, forked_for_a_pool, started, forked_in_a_thread, outlived_by_a_child),
]


class Telling:
    """Answers a question that is open, if one is free; ``given`` are those that were taken."""

    def __init__(self):
        self.given = []

    def __call__(self, session):
        for question in session.ask():
            session.tell(question.id, 1)
            self.given.append(question.id)


def fork(path, way):
    """Fork in some way while a session is open, and look at what is in its file."""
    told, session = Telling(), coins(path)
    before = len(read_journal(path))
    way(path, session, told)
    assert session._journal.closed
    given = [each["answer"] for each in read_journal(path)[1:]]
    assert set(told.given) <= set(given), "an acknowledged answer is lost"
    assert len(given) == len(set(given)), "an answer is there twice"
    assert len(told.given) == len(set(told.given))
    assert len(given) >= before + 1
    with coins(path) as session:
        assert list(session._state.answers.by_id) == given


@pytest.mark.parametrize("way", WAYS, ids=[way.__name__ for way in WAYS])
def test_a_process_that_is_forked_can_neither_write_nor_keep_the_file(tmp_path, way):
    fork(tmp_path / "log.jsonl", way)


@pytest.mark.slow
def test_a_hundred_forks(tmp_path):
    for number in range(100):
        fork(tmp_path / f"{number // 20}.jsonl", WAYS[number % len(WAYS)])


def test_a_child_cannot_open_what_its_parent_has_open(tmp_path):
    session = coins(tmp_path / "log.jsonl")
    with pytest.raises(FileInUse):
        coins(session.path)
    child = in_child(lambda: coins(session.path))
    assert came_of(*child) == "raised"
    session.close()
    assert came_of(*in_child(lambda: coins(session.path).status().answers)) == "0"


# Interrupts at any line.

PACKAGE = os.path.dirname(sessions.__file__)  # noqa: PTH120


def interrupted(act, line):
    """Whether ``KeyboardInterrupt`` was raised before a line of the sessions' code."""
    lines = 0

    def trace(frame, event, _):
        nonlocal lines
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        lines += event == "line"
        if lines == line and event == "line":
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def acts_on(session):
    """Calls that add records, each for a new thing to do, and what the log has then."""

    def first():
        return next(iter(session._waiting()))

    def telling(question):
        return lambda: session.tell(question, 1), lambda log: log["answer"].count(question) == 1

    def leaving_out(question):
        return lambda: session.leave_out(
            question
        ), lambda log: log["leave_out"].count(question) == 1

    def withdrawing(question):
        def once_more():
            if question in session._state.answers.by_id:
                session.withdraw(question)

        return once_more, lambda log: log["withdraw"].count(question) == 1

    def skipping(question):
        return lambda: session.skip(question, rater="ann"), lambda log: question in log["skip"]

    def asking(question):
        return lambda: session.ask(rater="bob", lease=0.5), lambda log: log["ask"]

    def more():
        number = 2 + sum("parallel" in each for each in read_journal(session.path))
        return lambda: session.ask_at_once(number), lambda log: number in log["parallel"]

    yield lambda: telling(first())
    yield lambda: skipping(first())
    yield lambda: asking(first())
    yield lambda: withdrawing(session.last_of(None))
    if session.question_set.items is not None:
        yield lambda: leaving_out(first())
    elif "parallel" in parameters_of(session.header.learner):
        yield more


def check_session(session):
    """What is known is what the file says, and the learner asks for what it would ask without."""
    view = cpe.Session.read(session.path, round_robin if session.header.given else None)
    assert session._state.answers.by_id == view._state.answers.by_id
    assert list(session._state.left_out) == list(view._state.left_out)
    assert session._state.answers.values == view._state.answers.values
    assert session._state.parallel == view._state.parallel
    assert session._state.answered == view._state.answered
    assert list(session._waiting()) == list(view._waiting())


def interrupt(path, kind, every, seed):
    """Interrupt every so many lines of each call; how many interrupts there were."""
    rng, interrupts = random.Random(seed), 0
    with opened(path, kind, seed) as session:
        for number in range(9):
            session.tell(session.ask()[0].id, number % 2)
        for act_on in acts_on(session):
            line = rng.randrange(1, every + 1)
            while True:
                act, done = act_on()
                if not interrupted(act, line):
                    break
                interrupts += 1
                if rng.random() < 0.3:  # and while the log is read again
                    with suppress(cpe.InputError):
                        interrupts += interrupted(act, rng.randrange(1, 60))
                with suppress(cpe.InputError):  # it was done, and says so
                    act()
                records = read_journal(path)[1:]
                log = {
                    kind: [each[kind] for each in records if kind in each]
                    for kind in ("answer", "leave_out", "withdraw", "skip", "ask", "parallel")
                }
                assert done(log), (act_on, line)
                check_session(session)
                line += every
    with opened(path, kind, seed) as session:
        check_session(session)
    return interrupts


@pytest.mark.parametrize("kind", ["coins", "parallel", "items"])
def test_an_interrupt_at_any_line_parts_nothing(tmp_path, kind):
    assert interrupt(tmp_path / "log.jsonl", kind, every=29, seed=1) > 10


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["coins", "parallel", "items"])
def test_interrupts_at_every_line_part_nothing(tmp_path, kind):
    every = 1 if kind == "coins" else 4
    count = interrupt(tmp_path / "log.jsonl", kind, every=every, seed=1)
    print(f"{count} interrupts")
    assert count > 100


def test_an_answer_that_is_there_twice_counts_once(tmp_path):
    """As logs of interrupted calls may have it: the first counts."""
    path = tmp_path / "log.jsonl"
    with coins(path) as session:
        session.tell("0-1.1", 1)
    first = read_journal(path)[-1]
    journal = Journal(path)
    for record in (
        {**first, "outcome": 0.5},
        {"withdraw": "0-2.1", "at": 0.0, "until": 1.0},
        {**first, "outcome": 0.5, "rater": "ann"},
    ):
        journal.append(record)
    journal.close()
    with coins(path) as session:
        assert session._state.answers.by_id["0-1.1"].outcome == 1.0
        assert session.turns_of("ann") == (0, 0)
        session.withdraw("0-1.1")
        session.tell("0-1.1", 0)
    assert cpe.Session.read(path).answer_of("0-1.1").outcome == 0.0
