"""Sessions killed at random moments lose no answer, and ask on as if they had never been killed."""

import multiprocessing
import random
import threading
import time

import pytest

import cpe_opt as cpe
from cpe_opt.sessions import session as sessions
from cpe_opt.sessions.journal import read_journal
from cpe_opt.sessions.questions import question_of
from tests.sessions.test_session import outcome

RATERS = ("ann", "bob", "cleo", "dan")
KILLS_A_LOG = 50


def answer_until_killed(path, pipe, seed):
    """Four raters answer at once; what was taken is acknowledged."""
    mu = cpe.load_instance("sushi")
    session = cpe.Session.open(path, "savage", labels=mu.labels, delta=1e-9, seed=seed)
    sending = threading.Lock()

    def rate(rater):
        while True:
            for question in session.ask(2, rater=rater):
                session.tell(question.id, outcome(question, mu))
                with sending:
                    pipe.send_bytes(question.id.encode())

    pipe.send_bytes(b"begun")
    for rater in RATERS:
        threading.Thread(target=rate, args=(rater,), daemon=True).start()
    threading.Event().wait()


def open_anew_until_killed(path, pipe, seed):
    """One rater, for each of whose answers the session is opened anew, and leaves a snapshot."""
    sessions.LEAST_RECORDS = 0
    mu = cpe.load_instance("sushi")
    pipe.send_bytes(b"begun")
    while True:
        options = {"labels": mu.labels, "delta": 1e-9, "seed": seed}
        with cpe.Session.open(path, "savage", **options) as session:
            [question] = session.ask()
            session.tell(question.id, outcome(question, mu))
            pipe.send_bytes(question.id.encode())


def killed_at_random(path, rng, seed, processes):
    """What was acknowledged before the process was killed."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    target = rng.choice([answer_until_killed, open_anew_until_killed])
    process = processes.Process(target=target, args=(path, sending, seed))
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


def check_log(path, acknowledged, seed):
    """Every acknowledged answer is there once; what is open is what it is without any kill."""
    given = [record["answer"] for record in read_journal(path)[1:] if "answer" in record]
    assert len(given) == len(set(given)), "an answer is there twice"
    assert acknowledged <= set(given), "an acknowledged answer is lost"
    with cpe.Session.open(path) as session:
        asked = list(session._waiting())  # perhaps by a snapshot
        waiting, best = list(session._replayed().waiting), session.best().answer
    assert asked == waiting
    mu, left = cpe.load_instance("sushi"), set(given)
    never_killed = path.with_name("never-killed.jsonl")
    never_killed.unlink(missing_ok=True)
    options = {"labels": mu.labels, "delta": 1e-9, "seed": seed}
    with cpe.Session.open(never_killed, "savage", **options) as session:
        while asked := [name for name in session._replayed().waiting if name in left]:
            for name in asked:
                session.tell(name, outcome(question_of(name, session.question_set, seed), mu))
            left -= set(asked)
        assert not left
        assert list(session._replayed().waiting) == waiting
        assert session.best().answer == best
    return len(given)


def play(folder, kills, seed=0):
    """So many kills, a new session after every fifty."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["tests.sessions.test_kills"])
    rng, answers, path, acknowledged = random.Random(seed), 0, None, set()
    for kill in range(kills):
        if kill % KILLS_A_LOG == 0:
            path, acknowledged = folder / f"{kill}.jsonl", set()
        acknowledged |= killed_at_random(path, rng, seed, processes)
        if (kill + 1) % KILLS_A_LOG == 0 or kill == kills - 1:
            answers += check_log(path, acknowledged, seed)
    return answers


def test_kills_lose_nothing(tmp_path):
    assert play(tmp_path, 6) > 6


@pytest.mark.slow
def test_a_thousand_kills_lose_nothing(tmp_path):
    print(f"1,000 kills, {play(tmp_path, 1000, seed=1):,} answers, none lost, none doubled")
