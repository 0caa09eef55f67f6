"""Kinds of sessions, answers that follow from a question, and logs as they are on the disk."""

import json
import resource
import shutil
import zlib
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import cpe_opt as cpe
from cpe_opt.sessions.answers import Parallel
from tests.items import round_robin

LABELS = ["ant", "bär", "кот", '{"}\n', "eel"]
GRAPH = cpe.BipartiteGraph.from_labels(
    [(who, where) for where in ("lead", "cook") for who in ("ann", "bob", "eve")]
)
HINTS = np.random.default_rng(0).random((5, 40))  # of each output
# Of each kind a learner and what it asks about; none comes to its end soon.
KINDS = {
    "plain": ("savage", {"labels": LABELS, "delta": 1e-9}),
    "parallel": ("copeland-tracking", {"labels": LABELS, "delta": 1e-9, "parallel": 7}),
    "borda": ("borda-tracking", {"labels": LABELS[:3], "delta": 1e-9}),
    "items": (round_robin, {"labels": LABELS, "items": 40, "parallel": 12}),
    "hinted": (
        "copeland-tracking",
        {"labels": LABELS, "items": 40, "hints": HINTS, "delta": 1e-9, "parallel": 3},
    ),
    "rounds": ("copeland-tracking", {"labels": LABELS, "items": 40, "delta": 1e-9}),
    "scored": ("score-tracking", {"labels": LABELS, "items": 400, "delta": 1e-9, "parallel": 3}),
    "games": ("sequential-test", {"labels": LABELS[:2], "low": 0.5, "high": 0.501, "parallel": 3}),
    "panel": ("matching-tracking", {"problem": GRAPH, "delta": 1e-9}),
    "teams": ("subset-tracking", {"problem": cpe.TopK(5, 2), "delta": 1e-9}),
}
LONG = 150  # records of a session that leaves a snapshot, by the fixture ``long_soon``
SETTLED = ("items", "hinted", "rounds", "scored")  # kinds whose cells can be left out


def begin(path, kind, **options):
    """A session of a kind; the same call opens it again."""
    learner, given = KINDS[kind]
    session = cpe.Session.open(path, learner, **{"seed": 1, **given, **options})
    if kind == "rounds":
        session.ask_in_rounds(6)
    return session


def read(path, kind):
    return cpe.Session.read(path, round_robin if kind == "items" else None)


def said(question, salt=""):
    """The outcome of a question, which its name decides; with salt another one, perhaps."""
    drawn = zlib.crc32(f"{question.id}{salt}".encode()) % 5 / 4
    plain = question.kind == "duel" and question.item is None
    return round(drawn * 2) / 2 if plain else drawn


def answer(session, question):
    """Answer it; a cell now and then is left out."""
    if question.item is not None and zlib.crc32(question.id.encode()) % 7 == 0:
        session.leave_out(question.id)
    else:
        session.tell(question.id, said(question))


def answer_some(session, count):
    """Answer so many questions, one at a time, or all that there are."""
    for _ in range(count):
        for question in session.ask():
            answer(session, question)
    return session


def open_questions(session):
    """Those that nobody has, and nobody has afterwards."""
    questions = session.ask(10**4)
    for question in questions:
        session.hand_back(question.id)
    return questions


def waiting(path, kind, *, alone=False):
    """The open questions, by a copy of the log ``alone``, or by its snapshot where that counts."""
    with TemporaryDirectory() as folder:
        for each in (path,) if alone else (path, Path(f"{path}.snapshot")):
            if each.is_file():
                shutil.copy(each, folder)
        with begin(Path(folder, path.name), kind, clock=lambda: 2.0**32) as session:
            return sorted(question.id for question in session.ask(10**4))  # all leases have ended


def records_due(kind):
    """The kinds of records that acts add to a session of this kind."""
    due = ["answer", "skip", "ask", "withdraw"]
    due += ["leave_out"] if kind in SETTLED else []
    return [*due, "parallel"] if kind == "borda" else due  # begun without a number of its own


def something_to_do(session, record):
    """A call that adds a record of a kind, and what the record is about."""
    if record == "ask":
        return lambda: session.ask(rater="bob", lease=0.5), None
    if record == "parallel":
        number = 20 + sum("parallel" in each for each in records_of(session.path))
        return lambda: session.ask_at_once(number), number
    if record == "withdraw":
        last = session.last_of(None)
        return lambda: session.answer_of(last) and session.withdraw(last), last
    question = open_questions(session)[0]
    call = {
        "answer": lambda: answer(session, question),
        "skip": lambda: session.skip(question.id, rater="ann"),
        "leave_out": lambda: session.leave_out(question.id),
    }
    return call[record], question.id


def lengthen(session, lines=LONG):
    """Add so many lines that change nothing."""
    raters = ("nobody", "ann", "bob", "cleo", "dan")
    rater = next(each for each in raters if session.ask(rater=each, lease=1e-9))
    for _ in range(lines):
        session.ask(rater=rater, lease=1e-9)
    return session


def records_of(path):
    """The records of a log whose checksums are right, without these."""
    check, records = 0, []
    for line in Path(path).read_bytes().splitlines():
        body, found = line[:-20], line[-20:]
        check = zlib.crc32(body, check)
        assert found == b',"check":"%08x"}' % check
        records.append(json.loads(body + b"}"))
    return records


def log_of(records):
    """The bytes of a log of these records, whose checksums are right."""
    check, lines = 0, []
    for record in records:
        body = json.dumps(record, ensure_ascii=False, separators=(",", ":"))[:-1]
        data = body.encode("utf-8", "surrogatepass")
        check = zlib.crc32(data, check)
        lines.append(b'%s,"check":"%08x"}\n' % (data, check))
    return b"".join(lines)


def answered_in(path):
    """The questions that are answered or left out in a log, in its order; not those taken back."""
    given = []
    for record in records_of(path):
        if "withdraw" in record:
            given.remove(record["withdraw"])
        given += [record[name] for name in ("answer", "leave_out") if name in record]
    return given


def check_log(path, kind):
    """Each answer is there once, and what is open is what it is without accidents."""
    given = answered_in(path)
    assert len(given) == len(set(given)), "an answer is there twice"
    in_peace = path.with_name(f"{path.name}.in-peace")
    in_peace.unlink(missing_ok=True)
    left, view = set(given), read(path, kind)
    with begin(in_peace, kind) as session:
        for record in records_of(path):
            if "parallel" in record:
                session._write(Parallel(record["parallel"], record["told"], 0.0))
        while asked := [each for each in open_questions(session) if each.id in left]:
            for question in asked:
                told = view.answer_of(question.id)
                if told is None:
                    session.leave_out(question.id)
                else:
                    session.tell(question.id, told.outcome)
                left.remove(question.id)
        frame = view.answers()
        assert not left & {*frame["id"][frame["told"]]}, "an answer to what is never asked"
        answers, best = session.status().told, session.best().answer
    alone, some = waiting(path, kind, alone=True), waiting(path, kind)
    assert alone == waiting(in_peace, kind, alone=True)
    assert {*some} <= {*alone}  # a snapshot knows those that were open when it was made
    assert bool(some) == bool(alone)
    assert (view.status().told, view.best().answer) == (answers, best)


def all_pairs(arms, *, times=1):
    """A learner: each pair so many times at once, and once more; then the arm of the most wins."""
    pairs, won = [*combinations(range(arms), 2)], [0] * arms
    for _ in range(2):
        wins = yield cpe.Batch(tuple(cpe.Duel(*pair, times) for pair in pairs))
        for (i, j), first in zip(pairs, wins, strict=True):
            won[i] += first
            won[j] += times - first
    return won.index(max(won))


def better(question):
    """The later label in the alphabet."""
    return max(question.labels)


@contextmanager
def room_for(size):
    """The system lets files grow to this size alone."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
