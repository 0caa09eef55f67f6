"""Snapshots: a long session opens fast, and asks what it would ask without one."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.sessions import session as sessions
from cpe_opt.sessions.header import Header
from cpe_opt.sessions.replay import Replay, snapshot_path

LABELS = ("ant", "bee", "cow", "doe")
BEGUN = {"learner": "copeland-tracking", "labels": LABELS, "delta": 0.01, "parallel": 7}


def answered(path, count, **begun):
    """A session with so many answers, closed while its learner waits for some more."""
    with cpe.Session.open(path, **(begun or BEGUN)) as session:
        for _ in range(count):
            [question] = session.ask()
            session.tell(question.id, question.query.i % 2 if question.kind == "duel" else 0.5)
        session.status()
        assert len(session._waiting()) > 0
    return path


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setattr(sessions, "LEAST_RECORDS", 20)
    return answered(tmp_path / "long.jsonl", 42)


@pytest.fixture
def no_learner(monkeypatch):
    def fails(self, *_):
        raise AssertionError("the learner was started")

    def forbid():
        monkeypatch.setattr(Header, "exchange", fails)

    return forbid


def asked(path):
    """What is open, and whether the learner had to be asked."""
    with cpe.Session.open(path) as session:
        waiting = list(session._waiting())
        return waiting, session._replay is not None


def true_waiting(path):
    """What is open, as the log alone says."""
    copy = path.with_name("copy.jsonl")
    copy.write_bytes(path.read_bytes())
    waiting, led = asked(copy)
    assert led
    copy.unlink()
    snapshot_path(copy).unlink(missing_ok=True)
    return waiting


def test_a_long_session_opens_without_its_learner(path, no_learner):
    waiting = true_waiting(path)
    assert len(waiting) == 7
    no_learner()
    for _ in range(len(waiting) - 1):  # and after every answer
        with cpe.Session.open(path) as session:
            [question] = session.ask()
            assert question.id == waiting.pop(0)
            assert session.question(question.id) == question
            assert session.free() == len(waiting)
            session.skip(question.id)
            session.ask(2, rater="ann", lease=1e-9)
            session.tell(question.id, 1)
            assert not session.finished
            with pytest.raises(InputError, match="was answered already"):
                session.tell(question.id, 0)
            with pytest.raises(InputError, match="is no open question"):
                session.tell("0-1.999", 0)
    assert asked(path) == (waiting, False)


def test_the_learner_moves_when_all_that_was_open_is_answered(path):
    with cpe.Session.open(path) as session:
        for question in session.ask(100):
            session.tell(question.id, 1)
        assert list(session._waiting()) == true_waiting(path) != []
    assert asked(path) == (true_waiting(path), False)


def test_an_answer_that_is_taken_back_is_open_again(path):
    with cpe.Session.open(path) as session:
        last = session.last_of(None)
        session.withdraw(last)
        assert last in session._waiting()
        assert session._replay is not None
    snapshot = snapshot_path(path).read_bytes()
    with cpe.Session.open(path) as session:
        session.withdraw(session.last_of(None))
    snapshot_path(path).write_bytes(snapshot)  # from before
    waiting = true_waiting(path)
    assert asked(path) == (waiting, True)
    assert asked(path) == (waiting, False)


def test_what_is_said_of_the_answer_is_led_through_the_log(path, no_learner):
    with cpe.Session.open(path) as session:
        status, best = session.status(), session.best()
    content = json.loads(snapshot_path(path).read_bytes())
    assert content["checkpoint"] is None
    assert cpe.Session.read(path).status() == status
    assert cpe.Session.read(path).best().description == best.description
    no_learner()
    for say in ("status", "best"):
        with cpe.Session.open(path) as session, pytest.raises(AssertionError, match="started"):
            getattr(session, say)()


def forged(path, **changes):
    content = json.loads(snapshot_path(path).read_bytes())
    snapshot_path(path).write_text(json.dumps({**content, **changes}))


@pytest.mark.parametrize(
    "changes",
    [
        {"cpe_opt_snapshot": 1},
        {"source": "another version"},
        {"digest": "0" * 64},
        {"bytes": 100},
        {"bytes": 10**9},
        {"bytes": -1},
        {"bytes": "all"},
        {"bytes": 1e400},
        {"waiting": {}},
        {"waiting": ["0-1.9999"]},
        {"waiting": []},
    ],
    ids=str,
)
def test_a_snapshot_of_anything_else_counts_for_nothing(path, changes):
    true = true_waiting(path)
    forged(path, **changes)
    assert asked(path) == (true, True)
    assert asked(path) == (true, False)


def test_a_damaged_snapshot_counts_for_nothing(path):
    true, whole = true_waiting(path), snapshot_path(path).read_bytes()
    for place in range(len(b'{"cpe_opt_snapshot":'), whole.index(b'"waiting":'), 13):
        damaged = bytearray(whole)
        damaged[place] ^= 4
        snapshot_path(path).write_bytes(damaged)
        assert asked(path) == (true, True)
        assert snapshot_path(path).read_bytes() == whole
    for end in range(0, len(whole) - 1, 17):
        snapshot_path(path).write_bytes(whole[:end] if not 0 < end < 20 else b"")
        assert asked(path) == (true, True)
        assert snapshot_path(path).read_bytes() == whole


def test_the_snapshot_of_another_log_counts_for_nothing(path, tmp_path):
    begun = {**BEGUN, "seed": 5}
    other = answered(tmp_path / "other.jsonl", 60, **begun)
    snapshot_path(path).write_bytes(snapshot_path(other).read_bytes())
    assert asked(path) == (true_waiting(path), True)
    records = path.read_bytes().splitlines(keepends=True)
    snapshot = snapshot_path(path).read_bytes()
    path.write_bytes(b"".join(records[:-3]))  # a copy that has lost its last answers
    assert snapshot_path(path).read_bytes() == snapshot
    assert asked(path) == (true_waiting(path), True)


@pytest.mark.parametrize("content", [b"mine", b"[]", b'{"cpe_opt_session":1}\n'])
def test_a_file_of_this_name_that_is_no_snapshot_is_left_alone(path, content):
    snapshot_path(path).write_bytes(content)
    assert asked(path) == (true_waiting(path), True)
    assert snapshot_path(path).read_bytes() == content


def test_a_snapshot_that_json_cannot_hold_counts_for_nothing(path):
    true, whole = true_waiting(path), snapshot_path(path).read_bytes()
    for waiting in (b"[" * 200_000, b"[" * 5000 + b"]" * 5000, b"1" * 5000, b"\xff"):
        snapshot_path(path).write_bytes(b'{"cpe_opt_snapshot": 1, "waiting": ' + waiting + b"}")
        assert asked(path) == (true, True)
        assert snapshot_path(path).read_bytes() == whole


def test_a_pipe_of_this_name_is_left_alone(path):
    """It would be read for ever."""
    snapshot_path(path).unlink()
    os.mkfifo(snapshot_path(path))
    assert asked(path) == (true_waiting(path), True)
    assert snapshot_path(path).is_fifo()


def test_neither_links_nor_folders_are_replaced(path, tmp_path):
    snapshot_path(path).rename(tmp_path / "elsewhere")
    snapshot_path(path).symlink_to(tmp_path / "elsewhere")
    with cpe.Session.open(path) as session:
        session.withdraw(session.last_of(None))
        session.ask()
    assert snapshot_path(path).is_symlink()
    snapshot_path(path).unlink()
    snapshot_path(path).mkdir()
    assert asked(path) == (true_waiting(path), True)
    assert list(snapshot_path(path).iterdir()) == []


def test_where_no_snapshot_can_be_written_the_session_goes_on(path, monkeypatch):
    def fails(*_, **__):
        raise OSError(28, "no space")

    snapshot_path(path).unlink()
    monkeypatch.setattr("cpe_opt.files.tempfile.mkstemp", fails)
    with cpe.Session.open(path) as session:
        session.tell(session.ask()[0].id, 1)
        session.status()
    assert not snapshot_path(path).exists()
    assert cpe.Session.read(path).status().answers == 43


def test_a_short_session_leaves_its_log_alone(tmp_path):
    path = answered(tmp_path / "short.jsonl", 40)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("learner", "problem"),
    [
        ("car-cond", cpe.BipartiteGraph(3, 2, [(0, 0), (1, 0), (1, 1), (2, 1)])),
        ("subset-tracking", cpe.TopK(5, 2)),
        ("clucb", cpe.TopK(5, 2)),
    ],
)
def test_other_problems_open_without_their_learner_too(tmp_path, monkeypatch, learner, problem):
    monkeypatch.setattr(sessions, "LEAST_RECORDS", 5)
    options = {"learner": learner, "problem": problem, "delta": 0.01}
    path = answered(tmp_path / "long.jsonl", 30, **options)
    assert asked(path) == (true_waiting(path), False)


@pytest.mark.parametrize("command", ["next", "answer"])
def test_commands_on_a_long_session_load_no_learner(path, command):
    question = asked(path)[0][0]
    arguments = ["session", command, str(path), *([question, "first"] * (command == "answer"))]
    code = (
        "import sys\n"
        "from cpe_opt.cli import app\n"
        f"app({arguments!r}, standalone_mode=False)\n"
        "print([name for name in ('cpe_opt.learners.registry', 'scipy', 'pandas', 'cvxpy') "
        "if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


# The state of a learner, which is written while the session runs.

OVER_ITEMS = {"labels": LABELS, "items": 120, "orders": "both", "delta": 1e-9}
LEARNERS = {
    "copeland-tracking": {},
    "condorcet-tracking": {"margin": 0.05, "parallel": 5},
}


def over_items(path, learner, answers, seed=0):
    """A session of even duels that was never closed; its log and what is beside it are kept."""
    rng = np.random.default_rng(seed)
    session = cpe.Session.open(path, learner, **OVER_ITEMS, **LEARNERS[learner])
    for number in range(answers):
        [question] = session.ask()
        session.tell(question.id, float(rng.choice([0.0, 0.5, 1.0])))
        if number == 150:
            session.leave_out(session.ask()[0].id)
    beside = snapshot_path(path).read_bytes()
    waiting = list(session._waiting())
    session.close()
    snapshot_path(path).write_bytes(beside)
    return waiting


@pytest.fixture
def counted(monkeypatch):
    """How many answers the learner is told, by the replays of this test."""
    told = []
    plain = Replay._tell

    def tell(self, observation):
        told.append(observation)
        return plain(self, observation)

    monkeypatch.setattr(Replay, "_tell", tell)
    return told


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_goes_on_from_its_state_as_if_led_through_all_answers(tmp_path, learner, counted):
    path = tmp_path / "cells.jsonl"
    waiting = over_items(path, learner, 333)
    counted.clear()
    view = cpe.Session.read(path)
    status, best = view.status(), view.best()
    assert 0 < len(counted) < 2 * 130
    counted.clear()
    assert true_waiting(path) == waiting
    assert len(counted) >= 333 // LEARNERS[learner].get("parallel", 1)
    state = view._replayed().exchange._generator.gi_yieldfrom.gi_frame.f_locals["tracker"].state()
    snapshot_path(path).unlink()
    view = cpe.Session.read(path)
    assert view.status() == status
    assert view.best().description == best.description
    assert view.best().doubt == best.doubt
    led = view._replayed().exchange._generator.gi_yieldfrom.gi_frame.f_locals["tracker"].state()
    assert led.keys() == state.keys()
    for name, value in led.items():
        np.testing.assert_array_equal(state[name], value, err_msg=name)


@pytest.mark.slow
def test_a_session_goes_on_from_the_state_to_the_same_end(tmp_path, counted):
    ends = []
    for name in ("kept", "led"):
        path, rng = tmp_path / f"{name}.jsonl", np.random.default_rng(3)
        given = {**OVER_ITEMS, "seed": 5}
        asked, told = [], 0
        cpe.Session.open(path, "copeland-tracking", **given).close()
        while True:
            with cpe.Session.open(path) as session:
                counted.clear()
                if session.finished:
                    ends.append((session.status().answer, session.status().doubt, asked))
                    break
                for _ in range(70):
                    for question in session.ask():
                        better = float(question.labels[0] < question.labels[1])
                        outcome = better if rng.random() < 0.7 else 1.0 - better
                        asked.append((question.id, outcome))
                        session.tell(question.id, outcome)
                told += len(counted)
            if name == "led":
                snapshot_path(path).unlink(missing_ok=True)
        assert len(asked) > 150
    assert ends[0] == ends[1]
    assert ends[0][0] == "ant"


def test_a_state_that_is_damaged_or_of_another_session_counts_for_nothing(tmp_path, counted):
    path = tmp_path / "cells.jsonl"
    over_items(path, "copeland-tracking", 230)
    whole = json.loads(snapshot_path(path).read_text())
    kept = whole["checkpoint"]
    assert sum(times for _, _, times in kept["asked"]) >= 200

    def answers_told():
        counted.clear()
        cpe.Session.read(path).status()
        return len(counted)

    assert answers_told() < 40
    data = kept["state"]["bets.f"]["data"]
    other = {**kept["state"]["bets.f"], "data": f"A{data[1:]}"[::-1]}
    over_items(tmp_path / "other.jsonl", "copeland-tracking", 230, seed=1)
    stranger = json.loads(snapshot_path(tmp_path / "other.jsonl").read_text())
    for changes in (
        {"checkpoint": {**kept, "state": {**kept["state"], "bets.f": other}}},
        {"checkpoint": {**kept, "asked": kept["asked"][1:]}},
        {"checkpoint": stranger["checkpoint"]},
        stranger,
        {"seal": ""},
        {"checkpoint": 7},
    ):
        forged(path, **{**whole, **changes})
        assert answers_told() == 231, changes.keys()
    forged(path, **whole)
    assert answers_told() < 40
    with cpe.Session.open(path) as session:
        session.withdraw(session.last_of(None))
    forged(path, **whole)
    assert answers_told() >= 230
