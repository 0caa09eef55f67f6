"""What a session asks follows from its answers, whatever their order, and with or without snapshot.

A learner that is led through answers asks what it asks in a simulation; a snapshot only saves that.
"""

import json
import os
import random
import shutil
from collections import Counter
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.sessions.replay import Slot, _next_slots
from tests.commands.test_cli import run
from tests.sessions.support import (
    GRAPH,
    KINDS,
    LABELS,
    answer,
    answer_some,
    begin,
    check_log,
    lengthen,
    log_of,
    open_questions,
    records_of,
    said,
    waiting,
)
from tests.support import some_quick

pytestmark = pytest.mark.usefixtures("long_soon")


def test_a_learner_hears_what_a_simulation_tells_in_the_order_of_slots(tmp_path):
    """The seed draws what the learner draws, and which of two is shown first."""
    heard, orders = [], []

    def queries(rng):
        return rng.permutation([*permutations(range(3), 2)] * 6).tolist()

    def listening(arms, *, rng):
        for i, j in queries(rng):
            heard.append((i, j, (yield cpe.Duel(i, j, 2))))
        return 0

    for seed in (1, 2):
        path, firsts = tmp_path / f"{seed}", []
        with cpe.Session.open(path, listening, labels=[*"abc"], seed=seed) as session:
            while questions := session.ask():
                [question] = questions
                third = int(question.id.partition(".")[2]) % 3 == 0  # of its slots; the rest is low
                session.tell(question.id, (max if third else min)(question.labels))
                firsts.append(question.labels[0] < question.labels[1])
            votes = session.votes().wins
        slots, expected = Counter(), []
        for i, j in queries(np.random.default_rng(seed)):
            slots[i + j] += 2
            low = sum(number % 3 > 0 for number in (slots[i + j] - 1, slots[i + j]))
            expected.append((i, j, low if i < j else 2 - low))
        assert heard[-len(expected) :] == expected
        assert (np.triu(votes).sum(), np.tril(votes).sum()) == (48, 24)
        orders.append(firsts)
    assert orders[0] != orders[1]
    assert all(20 < sum(each) < 52 for each in orders)


@pytest.mark.parametrize("kind", some_quick(["parallel", "items", "panel", "teams"], KINDS))
def test_answers_in_any_order_taken_back_and_opened_anew_lead_to_the_same_questions(path, kind):
    rng, session = random.Random(kind), begin(path, kind)
    for step in range(10):
        questions = open_questions(session)[:4]
        for question in rng.sample(questions, len(questions) // 2 + 1):
            answer(session, question)
        if step % 4 == 1:  # another answer leads elsewhere, and back when it is taken back
            frame = session.answers()
            for changed in frame["id"][frame["told"]].tolist()[:1]:
                session.withdraw(changed)
                question = next(each for each in open_questions(session) if each.id == changed)
                session.tell(changed, said(question, "otherwise"))
                answer_some(session, 3)
                session.withdraw(changed)
        if step == 7:
            lengthen(session)  # so that it leaves a snapshot from now on
        if step % 3 == 2 or step >= 7:
            session.close()
            session = begin(path, kind)
    taken_back = {each.get("withdraw") for each in records_of(path)}
    for question in open_questions(session):
        if question.id in taken_back:
            answer(session, question)
    session.close()
    assert snapshot_of(path).exists()
    check_log(path, kind)


def test_a_tie_is_half_a_vote_and_a_coin_for_the_learner(path):
    heard = []

    def listening(arms):
        while True:
            heard.append((yield cpe.Duel(0, 1)))

    with cpe.Session.open(path, listening, labels=[*"ab"], seed=1) as session:
        for _ in range(60):
            session.tell(session.ask()[0].id, "tie")
        votes, status = session.votes(), session.status()
    assert status.ties == votes.tied[0, 1] == 60
    assert votes.wins.tolist() == [[0, 30], [30, 0]]
    assert set(heard) == {0, 1}
    assert 15 < sum(heard[:60]) < 45


# Snapshots


def snapshot_of(path):
    return Path(f"{path}.snapshot")


@pytest.fixture(scope="module")
def long_log(tmp_path_factory, long_soon):
    """A session with a snapshot and seven open questions."""
    path = tmp_path_factory.mktemp("long") / "session.jsonl"
    with begin(path, "plain") as session:
        lengthen(answer_some(session, 23))
    return path


@pytest.fixture
def long(long_log, path):
    shutil.copy(long_log, path)
    shutil.copy(snapshot_of(long_log), snapshot_of(path))
    return path


@pytest.fixture
def asked(begun):
    """A function of a log: what is open, and whether the learner was begun to find out."""

    def asked(path):
        begun.clear()
        with begin(path, "plain") as session:
            return sorted(question.id for question in open_questions(session)), bool(begun)

    return asked


def true(path):
    """What is open by the log alone."""
    return waiting(path, "plain", alone=True)


def test_a_long_session_opens_without_its_learner(long, asked, begun):
    expected = true(long)
    begun.clear()
    while len(expected) > 1:  # and after every answer
        with begin(long, "plain") as session:
            [question] = session.ask()
            session.ask(2, rater="ann", lease=1e-9)
            session.tell(question.id, 1)
            expected.remove(question.id)
            for wrong, message in ((question.id, "was answered already"), ("0-1.999", "no open")):
                with pytest.raises(cpe.InputError, match=message):
                    session.tell(wrong, 0)
        assert run("session", "next", long).exit_code == 0
    assert not begun
    assert asked(long) == (expected, False)
    for stated in (cpe.Session.status, cpe.Session.best):  # by the whole log
        begun.clear()
        with begin(long, "plain") as session:
            stated(session)
        assert begun
    with begin(long, "plain") as session:
        session.tell(*expected, 1)
        assert sorted(question.id for question in open_questions(session)) == true(long) != []


def test_a_snapshot_of_anything_else_counts_for_nothing(long, tmp_path, asked, monkeypatch):
    """Forged, damaged, of another log, version or time; then there is a new one."""
    expected, whole = true(long), snapshot_of(long).read_bytes()
    with begin(tmp_path / "other.jsonl", "plain") as other:
        lengthen(answer_some(other, 40))
    contents = [
        *(json.dumps({**json.loads(whole), name: value}).encode() for name, value in (
            ("waiting", ["0-1.9999"]), ("waiting", 7), ("bytes", 100), ("seal", ""),
        )),
        snapshot_of(tmp_path / "other.jsonl").read_bytes(),
        *(whole[:end] for end in range(20, len(whole) - 1, 200)),
        *(b'{"cpe_opt_snapshot":1, "waiting": ' + each for each in (b"[" * 200_000, b"1" * 5000)),
    ]  # fmt: skip
    for forged in contents:
        snapshot_of(long).write_bytes(forged)
        assert asked(long) == (expected, True), forged[:200]
    assert asked(long) == (expected, False)
    with monkeypatch.context() as patched:
        patched.setattr("cpe_opt.sessions.replay.source_digest", lambda: "another version")
        assert asked(long) == (expected, True)
    assert asked(long) == (expected, True)
    with begin(long, "plain") as session:
        session.withdraw(session.last_of(None))
    records = records_of(long)
    changed = [each | {"outcome": 0.5} if "answer" in each else each for each in records[:-1]]
    for kept in (records, changed, records[:20]):  # taken back, answered otherwise, or lost since
        long.write_bytes(log_of(kept))
        snapshot_of(long).write_bytes(whole)
        assert asked(long) == (true(long), True)


OTHERS = [os.mkfifo, lambda path: path.write_text('{"a": 1}'), lambda path: path.symlink_to("x")]


@pytest.mark.parametrize("make", OTHERS)
def test_a_file_of_this_name_that_is_no_snapshot_is_left_alone(long, make):
    snapshot_of(long).unlink()
    make(snapshot_of(long))
    before = os.lstat(snapshot_of(long))
    with begin(long, "plain") as session:
        session.withdraw(session.last_of(None))
        assert session.ask()
    assert os.lstat(snapshot_of(long))[:7] == before[:7]  # all but times


def test_a_short_session_leaves_its_log_alone(path):
    answer_some(begin(path, "plain"), 40).close()
    assert [*path.parent.iterdir()] == [path]


# More questions at once, from some answer on


GROWING = {
    "copeland-tracking": {"labels": LABELS, "delta": 1e-9},
    "condorcet-tracking": {"labels": LABELS, "items": 40, "delta": 1e-9},
    "borda-tracking": {"labels": LABELS, "items": 40, "delta": 1e-9},
    "score-tracking": {"labels": LABELS, "items": 400, "delta": 1e-9},
    "matching-tracking": {"problem": GRAPH, "delta": 1e-9},
    "subset-tracking": {"problem": cpe.TopK(4, 2), "delta": 1e-9},
}


def asked_by(session):
    """Which questions were told to the learner, and those that it has open."""
    told = session._learner.replay().told()
    return sorted(told), [each.id for each in open_questions(session)]


@pytest.mark.parametrize("learner", GROWING)
def test_more_at_once_changes_nothing_that_was_asked(path, learner):
    """One sequence of questions, however often it grows: each has one proof, not many."""
    most = 0
    with cpe.Session.open(path, learner, seed=2, **GROWING[learner]) as session:
        for number in (6, 20):
            answer_some(session, 12)
            before = session._learner.replay().told()
            assert session.ask_at_once(number) == number
            assert session._learner.replay().told() == before
            for _ in range(16):
                answer(session, open_questions(session)[0])
                most = max(most, len(open_questions(session)))
            assert session._learner.replay().told()[: len(before)] == before
            assert most >= number
        assert session.ask_at_once(3) == 20
        stands = asked_by(session)
    with cpe.Session.open(path) as session:
        assert asked_by(session) == stands
        lengthen(session)
        answer_some(session, 15)
        stands = asked_by(session)
    assert asked_by(cpe.Session.open(path)) == stands
    snapshot_of(path).unlink()
    assert asked_by(cpe.Session.open(path)) == stands


def test_what_was_asked_is_not_changed_by_a_record_of_more_at_once(path):
    """One that says how many from the beginning on, after an answer, is refused."""
    with cpe.Session.open(path, "copeland-tracking", labels=LABELS) as session:
        answer_some(session, 2)
        session._journal.append({"parallel": 5, "told": None, "at": 0.0})
    with pytest.raises(cpe.InputError, match="told is null after the first answer"):
        cpe.Session.open(path)


def test_who_keeps_no_state_keeps_its_number_after_the_first_answer(path):
    def asking(arms, parallel=2):
        while True:
            yield cpe.Batch((cpe.Duel(0, 1),) * parallel)

    with cpe.Session.open(path, asking, labels=LABELS) as session:
        assert session.ask_at_once(3) == 3
        answer_some(session, 4)
        assert session.ask_at_once(5) == 3
        assert len(open_questions(session)) <= 3


# The state of a learner, which is written while the session runs


OVER_ITEMS = {"labels": [*"abcd"], "items": 120, "orders": "both", "delta": 1e-9, "seed": 1}
WITH_MARGIN = {"margin": 0.05, "parallel": 5}


def goes_on(path):
    """How a copy of a session stands, and how it goes on from there."""
    with TemporaryDirectory() as folder:
        copied = shutil.copytree(path.parent, folder, dirs_exist_ok=True)
        with cpe.Session.open(Path(copied, path.name)) as session:
            stands, questions = (session.status(), session.best().answer), open_questions(session)
            for question in questions:
                session.tell(question.id, said(question))
            return stands, questions, open_questions(session), session.best().answer


@pytest.mark.parametrize(
    ("learner", "options"),
    [
        ("copeland-tracking", {}),
        pytest.param("condorcet-tracking", WITH_MARGIN, marks=pytest.mark.slow),
    ],
)
def test_a_learner_goes_on_from_its_state_as_if_led_through_all_answers(
    path, monkeypatch, learner, options
):
    rng, heard, tell = np.random.default_rng(0), [], Exchange.tell
    monkeypatch.setattr(Exchange, "tell", lambda self, each: heard.append(each) or tell(self, each))
    with cpe.Session.open(path, learner, **OVER_ITEMS, **options) as session:
        for number in range(50):
            [question] = session.ask()
            session.tell(question.id, float(rng.choice([0.0, 0.5, 1.0])), sync=False)
            if number == 25:
                session.leave_out(session.ask()[0].id)
        whole = snapshot_of(path).read_bytes()

    def told(snapshot):
        """How much the learner is told where this is the snapshot."""
        snapshot_of(path).write_bytes(snapshot)
        heard.clear()
        cpe.Session.read(path).status()
        return len(heard)

    every = told(b"")
    led = goes_on(path)
    assert 0 < told(whole) < every / 2
    assert goes_on(path) == led
    stranger = {**json.loads(whole)["checkpoint"], "state": {}}
    assert told(json.dumps({**json.loads(whole), "checkpoint": stranger}).encode()) == every
    with cpe.Session.open(path) as session:
        session.withdraw(session.last_of(None))
    assert told(whole) > every / 2


@pytest.mark.parametrize("kind", ["parallel", "hinted", "scored", "games", "rounds"])
def test_the_window_that_is_kept_is_the_window_made_anew(tmp_path, kind):
    """Its slots are the next ones of their rows, by what was told, without those answered."""
    rng, sizes = random.Random(0), set()
    with begin(tmp_path / "s.jsonl", kind) as session:
        for _ in range(30):
            some = session.open_questions()
            for question in rng.sample(some, rng.randint(1, min(9, len(some)))):
                answer(session, question)
            replay = session._learner.replay()
            asked = Counter(Slot.of_id(each).row for each in replay._told)
            anew = [each.id for each in _next_slots(replay.exchange.query.queries, asked)]
            assert [*replay.waiting] == [each for each in anew if each not in session.state.values]
            sizes.add(len(anew) - len(replay.waiting))
    assert len(sizes) > 1
