"""Sessions killed at random moments lose no answer, and ask on as if they had never been killed."""

import multiprocessing
import random
import threading
import time
import zlib

import pytest

import cpe_opt as cpe
from cpe_opt.sessions import session as sessions
from cpe_opt.sessions.journal import read_journal
from tests.items import round_robin
from tests.sessions.test_session import outcome

RATERS = ("ann", "bob", "cleo", "dan")
KILLS_A_LOG = 50


def opened(path, kind, seed):
    """A session about coins, or about the cells of a test set."""
    options = {"labels": cpe.load_instance("sushi").labels, "delta": 1e-9, "seed": seed}
    if kind == "coins":
        return cpe.Session.open(path, "savage", **options)
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
        while True:
            for question in session.ask(2, rater=rater):
                answer(session, question, kind)
                with sending:
                    pipe.send_bytes(question.id.encode())

    pipe.send_bytes(b"begun")
    for rater in RATERS:
        threading.Thread(target=rate, args=(rater,), daemon=True).start()
    threading.Event().wait()


def open_anew_until_killed(path, pipe, kind, seed):
    """One rater, for each of whose answers the session is opened anew, and leaves a snapshot."""
    sessions.LEAST_RECORDS = 0
    opened(path, kind, seed).close()  # which loads what it needs
    pipe.send_bytes(b"begun")
    while True:
        with opened(path, kind, seed) as session:
            [question] = session.ask()
            answer(session, question, kind)
            pipe.send_bytes(question.id.encode())


def killed_at_random(path, rng, kind, seed, processes):
    """What was acknowledged before the process was killed."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    target = rng.choice([answer_until_killed, open_anew_until_killed])
    process = processes.Process(target=target, args=(path, sending, kind, seed))
    process.start()
    sending.close()
    assert receiving.recv_bytes() == b"begun"
    time.sleep(rng.random() * 0.1)
    process.kill()
    process.join()
    acknowledged = set()
    while True:
        try:
            acknowledged.add(receiving.recv_bytes().decode())
        except EOFError:
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
    assert play(tmp_path, 6, kind) > 6


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["coins", "items"])
def test_a_thousand_kills_lose_nothing(tmp_path, kind):
    answers = play(tmp_path, 1000, kind, seed=1)
    print(f"1,000 kills, {answers:,} answers, none lost, none doubled")
