"""What a session asks follows from its answers, whatever their order, and with or without snapshot.

A learner that is led through answers asks what it asks in a simulation; a snapshot only saves that.
"""

import json
import os
import random
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.registry import get_learner
from tests.sessions.support import (
    KINDS,
    LABELS,
    answer,
    answer_some,
    begin,
    check_log,
    lengthen,
    open_questions,
    records_of,
    said,
    waiting,
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "session.jsonl"


@pytest.mark.parametrize("learner", ["copeland-tracking", "rucb", "savage", "dkwt", "ecw-rmed"])
def test_a_session_asks_what_a_simulation_does(path, learner):
    """The learner sees the same duels, whether it is simulated or led through answers."""
    mu = cpe.load_instance("cyclic")

    def first_wins(slot, i, j):
        return random.Random(slot).random() < mu.array[i, j]

    given = {} if learner in ("rucb", "ecw-rmed") else {"delta": 0.1}
    with cpe.Session.open(path, learner, labels=mu.labels, seed=5, **given) as session:
        for _ in range(55):
            for question in session.ask():
                i, j = sorted((question.query.i, question.query.j))
                won = first_wins(question.id, i, j)
                session.tell(question.id, float(won == (question.query.i == i)))
        told = session.answers()["id"].tolist()
        if given:
            given["delta"] = session.header.shares.learner
    exchange, numbers, slots = Exchange(get_learner(learner), mu.arms, 5, **given), {}, []
    while len(slots) < len(told) and not exchange.finished:
        query, observed = exchange.query, []
        for duel in getattr(query, "queries", (query,)):
            won = 0
            for _ in range(duel.times if duel.i != duel.j else 0):
                i, j = sorted((duel.i, duel.j))
                number = numbers[i, j] = numbers.get((i, j), 0) + 1
                slots.append(f"{i}-{j}.{number}")
                won += first_wins(slots[-1], i, j) == (duel.i == i)
            observed.append(won)
        exchange.tell(observed if isinstance(query, cpe.Batch) else observed[0])
    assert len(told) > 50
    assert set(told) <= set(slots)


@pytest.mark.parametrize("kind", KINDS)
def test_answers_in_any_order_taken_back_and_opened_anew_lead_to_the_same_questions(path, kind):
    rng, session = random.Random(kind), begin(path, kind)
    for step in range(10):
        questions = open_questions(session)[:4]
        for question in rng.sample(questions, len(questions) // 2 + 1):
            answer(session, question)
        if step % 4 == 1 and (last := session.last_of(None)) is not None:
            session.withdraw(last)
        if step == 7:
            lengthen(session)  # so that it leaves a snapshot from now on
        if step % 3 == 2 or step >= 7:
            session.close()
            session = begin(path, kind)
    session.close()
    taken_back = {each.get("withdraw") for each in records_of(path)} - {None}
    with begin(path, kind) as session:
        for question in open_questions(session):
            if question.id in taken_back:
                answer(session, question)
    assert Path(f"{path}.snapshot").exists()
    check_log(path, kind)


def test_another_answer_to_an_early_question_leads_elsewhere_and_back(path):
    """Answers that are not asked for now stay, and serve when they are asked for again."""
    with answer_some(begin(path, "parallel"), 120) as session:
        early = session.answers()["id"][1]
        before, outcome = waiting(path, "parallel"), session.answer_of(early).outcome
        told = session.status().told
        session.withdraw(early)
        assert early in {question.id for question in open_questions(session)}
        assert session.status().told < told
        session.tell(early, 1.0 - outcome)
        answer_some(session, 30)
        assert {question.id for question in open_questions(session)} != set(before)
        session.withdraw(early)
        session.tell(early, outcome)
        left = [each for each in before if session.answer_of(each) is None]
        assert left == [q.id for q in open_questions(session) if q.id in before]
        assert session.status().answers >= told
        assert session.status().withdrawn == 2


def test_labels_are_shown_in_an_order_that_the_seed_draws(tmp_path):
    first = []
    for seed in range(40):
        with begin(tmp_path / f"{seed}", "plain", seed=seed) as session:
            [question] = session.ask()
            shown = (question.query.i, question.query.j)
            assert question.labels == tuple(LABELS[arm] for arm in shown)
            first.append(shown[0] < shown[1])
    assert 8 < sum(first) < 32


def test_the_first_of_the_labels_wins_with_the_outcome_1(path):
    with cpe.Session.open(path, "random-pairs", labels=LABELS, seed=1) as session:
        for _ in range(40):
            [question] = session.ask()
            session.tell(question.id, 1 if min(question.labels) == question.labels[0] else 0)
        wins = session.votes().wins
    assert (np.triu(wins).sum(), np.tril(wins).sum()) == (40, 0)  # labels are in their order


def test_a_tie_is_half_a_vote_and_a_coin_for_the_learner(path):
    heard = []

    def listening(arms):
        while True:
            heard.append((yield cpe.Duel(0, 1)))

    with cpe.Session.open(path, listening, labels=LABELS[:2], seed=1) as session:
        for _ in range(60):
            session.tell(session.ask()[0].id, "tie")
        votes, status = session.votes(), session.status()
    assert status.ties == 60
    assert votes.wins.tolist() == [[0, 30], [30, 0]]
    assert votes.tied[0, 1] == 60
    assert set(heard) == {0, 1}
    assert 15 < sum(heard[:60]) < 45


# Snapshots


@pytest.fixture
def long(path):
    """A session with a snapshot and seven open questions."""
    with begin(path, "plain") as session:
        lengthen(answer_some(session, 23))
    return path


def snapshot_of(path):
    return Path(f"{path}.snapshot")


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
    for left in range(len(expected) - 1, 0, -1):  # and after every answer
        with begin(long, "plain") as session:
            [question] = session.ask()
            assert session.question(question.id) == question
            assert session.free() == left
            session.skip(question.id)
            session.ask(2, rater="ann", lease=1e-9)
            session.tell(question.id, 1)
            expected.remove(question.id)
            assert not session.finished
            for wrong, message in ((question.id, "was answered already"), ("0-1.999", "no open")):
                with pytest.raises(cpe.InputError, match=message):
                    session.tell(wrong, 0)
    assert not begun
    assert asked(long) == (expected, False)
    with begin(long, "plain") as session:
        session.tell(*expected, 1)
        moved = sorted(question.id for question in open_questions(session))
    assert moved == true(long) != []
    assert asked(long) == (moved, False)


def test_what_is_said_of_the_answer_is_led_through_the_log(long, asked, begun):
    """A snapshot is never trusted alone."""
    assert not asked(long)[1]
    for name in ("status", "best"):
        begun.clear()
        with begin(long, "plain") as session:
            getattr(session, name)()
        assert begun
    with begin(long, "plain") as session:
        last = session.last_of(None)
        session.withdraw(last)
        assert last in {question.id for question in session.ask(99)}


FORGED_WAITING = [
    *(["0-9.1"], ["1-0.99"], ["0-0.1"], ["0-1.9999"], ["0-1.0"], ["0.1"], ["0+1.1"], ["0-1.01"]),
    *(["x"], ["-1-1.1"], [7], 7, None, {}),
]
FORGED = [{"waiting": each} for each in FORGED_WAITING] + [
    {"cpe_opt_snapshot": 99},
    {"source": "another version"},
    {"digest": "0" * 64},
    *({"bytes": each} for each in (100, 10**9, -1, "all", 1e400)),
]


def test_a_snapshot_of_anything_else_counts_for_nothing(long, tmp_path, asked):
    """Forged, damaged, of another log or of another time; then there is a new one."""
    expected, whole = true(long), snapshot_of(long).read_bytes()
    content = json.loads(whole)
    with begin(tmp_path / "other.jsonl", "plain") as other:
        lengthen(answer_some(other, 40))
    contents = [json.dumps({**content, **changes}).encode() for changes in FORGED]
    contents += [snapshot_of(tmp_path / "other.jsonl").read_bytes()]
    contents += [whole[:place] + b"#" + whole[place + 1 :] for place in range(20, 140, 31)]
    contents += [whole[:end] for end in range(20, len(whole) - 1, 90)]
    begins = whole[: whole.index(b":") + 1] + b'1, "waiting": '
    contents += [begins + rest + b"}" for rest in (b"[" * 200_000, b"1" * 5000, b"\xff")]
    for forged in contents:
        snapshot_of(long).write_bytes(forged)
        assert asked(long) == (expected, True), forged[:200]
    assert asked(long) == (expected, False)
    with begin(long, "plain") as session:
        session.withdraw(session.last_of(None))
    expected = true(long)
    snapshot_of(long).write_bytes(whole)  # from before
    assert asked(long) == (expected, True)
    lines = long.read_bytes().splitlines(keepends=True)
    long.write_bytes(b"".join(lines[:20]))  # a copy that has lost its last answers
    snapshot_of(long).write_bytes(whole)
    assert asked(long) == (true(long), True)


@pytest.mark.parametrize("there", ["mine", "[]", '{"a": 1}', "pipe", "link", "folder"])
def test_a_file_of_this_name_that_is_no_snapshot_is_left_alone(long, tmp_path, there):
    snapshot, elsewhere = snapshot_of(long), tmp_path / "elsewhere"
    snapshot.rename(elsewhere)
    if there == "pipe":  # which would be read for ever
        os.mkfifo(snapshot)
    elif there == "link":
        snapshot.symlink_to(elsewhere)
    elif there == "folder":
        snapshot.mkdir()
    else:
        snapshot.write_text(there)
    before = elsewhere.read_bytes()
    with begin(long, "plain") as session:
        session.withdraw(session.last_of(None))
        assert session.ask()
    assert snapshot.is_symlink() == (there == "link")
    assert elsewhere.read_bytes() == before
    assert (snapshot.is_fifo(), snapshot.is_dir()) == (there == "pipe", there == "folder")
    if snapshot.is_file() and there != "link":
        assert snapshot.read_text() == there


def test_where_no_snapshot_can_be_written_the_session_goes_on(long):
    snapshot_of(long).unlink()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with begin(long, "plain") as session:
        [question] = session.ask()
        answer(session, question)
        session.status()
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, limits[1]))
        try:
            session.close()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert sorted(each.name for each in long.parent.iterdir()) == [long.name]
    assert cpe.Session.read(long).answer_of(question.id).outcome == said(question)


def test_a_short_session_leaves_its_log_alone(path):
    with begin(path, "plain") as session:
        answer_some(session, 40)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_commands_on_a_long_session_load_no_learner(path):
    with begin(path, "plain") as session:
        lengthen(session)
        [question, *_] = open_questions(session)
    code = (
        "import sys\n"
        "from cpe_opt.cli import app\n"
        f"app(['session', 'next', {str(path)!r}], standalone_mode=False)\n"
        f"app(['session', 'answer', {str(path)!r}, {question.id!r}, 'first'],"
        " standalone_mode=False)\n"
        "print([name for name in ('cpe_opt.learners.registry', 'scipy', 'pandas', 'cvxpy') "
        "if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


# The state of a learner, which is written while the session runs


OVER_ITEMS = {"labels": LABELS[:4], "items": 120, "orders": "both", "delta": 1e-9, "seed": 1}


@pytest.fixture
def counted(monkeypatch):
    """The observations that learners are told, by the sessions of this test."""
    told, plain = [], Exchange.tell

    def tell(self, observation):
        told.append(observation)
        return plain(self, observation)

    monkeypatch.setattr(Exchange, "tell", tell)
    return told


def over_items(path, learner, answers, **options):
    """A session of even duels that was never closed, but for its file."""
    rng = np.random.default_rng(0)
    session = cpe.Session.open(path, learner, **{**OVER_ITEMS, **options})
    for number in range(answers):
        [question] = session.ask()
        session.tell(question.id, float(rng.choice([0.0, 0.5, 1.0])), sync=False)
        if number == 70:
            session.leave_out(session.ask()[0].id)
    beside = snapshot_of(path).read_bytes()
    session.close()
    snapshot_of(path).write_bytes(beside)
    return beside


WITH_MARGIN = {"margin": 0.05, "parallel": 5}


@pytest.mark.parametrize(
    ("learner", "options"),
    [
        ("copeland-tracking", {}),
        pytest.param("condorcet-tracking", WITH_MARGIN, marks=pytest.mark.slow),
    ],
)
def test_a_learner_goes_on_from_its_state_as_if_led_through_all_answers(
    path, counted, learner, options
):
    over_items(path, learner, 130, **options)
    stated = []
    for kept in (True, False):
        if not kept:
            snapshot_of(path).unlink()
        counted.clear()
        view = cpe.Session.read(path)
        status = view.status()
        assert (0 < len(counted) < 40) == kept
        best = view.best()
        with cpe.Session.open(path) as session:
            questions = open_questions(session)
            for question in questions:  # and it goes on as if led
                session.tell(question.id, said(question))
            later = open_questions(session), session.best().answer
            for question in questions:
                session.withdraw(question.id)
        stated.append((status, best.description, best.doubt, questions, later))
    answers = [replace_withdrawn(each) for each in stated]
    assert answers[0] == answers[1]


def replace_withdrawn(stated):
    status, *rest = stated
    return {**vars(status), "withdrawn": 0}, *rest


def test_a_state_that_is_damaged_or_of_another_session_counts_for_nothing(path, tmp_path, counted):
    whole = json.loads(over_items(path, "copeland-tracking", 110))
    stranger = json.loads(over_items(tmp_path / "other", "copeland-tracking", 110, seed=2))
    checkpoint = whole["checkpoint"]
    damaged = json.loads(json.dumps(checkpoint).replace('"data": "', '"data": "A'))
    assert damaged != checkpoint

    def answers_told(changes):
        snapshot_of(path).write_text(json.dumps({**whole, **changes}))
        counted.clear()
        cpe.Session.read(path).status()
        return len(counted)

    assert answers_told({}) <= 12
    for changes in (
        {"checkpoint": damaged},
        {"checkpoint": {**checkpoint, "asked": checkpoint["asked"][1:]}},
        {"checkpoint": stranger["checkpoint"]},
        {"checkpoint": stranger["checkpoint"], "seal": stranger["seal"]},
        {"seal": ""},
        {"checkpoint": 7},
    ):
        assert answers_told(changes) >= 110, changes.keys()
    with cpe.Session.open(path) as session:
        session.withdraw(session.last_of(None))
    assert answers_told({}) >= 109
