"""A judge in one call: what is found and proved, how it goes on, and judges that fail."""

import asyncio
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.sessions import judges
from cpe_opt.sessions.journal import Journal, read_journal
from cpe_opt.sessions.judges import JudgeFailed
from cpe_opt.sessions.report import session_report
from tests.support import A_HANG

LABELS = ["a", "b", "c", "d"]
TABLE = cpe.random_items(4, 30, seed=3, spread=1.5)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(judges, "PAUSE", 0.001)


def outcome(question):
    """What the first one gets in the cell of the table that is asked."""
    i, j = (LABELS.index(label) for label in question.labels)
    return float(TABLE.outcomes[i, j, int(question.item["id"]), 0])


def better(question):
    return max(question.labels)


def test_the_winner_of_the_table_is_proved_with_fewer_calls_than_cells():
    found = cpe.best_of(LABELS, outcome, items=30, orders="both", seed=2)
    assert found.proved
    assert LABELS.index(found.best) in TABLE.copeland_winners
    assert found.status.cells == 6 * 60
    assert found.calls + found.saved == 6 * 60
    assert found.saved > 60
    assert str(found) == (
        f"proved on these 30 items, not on new ones: {found.best}, after {found.calls} calls of 360"
    )
    assert len(found.session.answers()) == found.calls  # although its file is gone
    assert found.session.item_duels().labels == tuple(LABELS)


@pytest.mark.parametrize("kind", ["thread", "coroutine", "callable object", "awaitable"])
def test_judges_of_every_kind_are_asked_at_once(kind):
    inside, most, lock = 0, 0, threading.Lock()

    def enter(change):
        nonlocal inside, most
        with lock:
            inside += change
            most = max(most, inside)

    def slow(question):
        enter(1)
        time.sleep(0.02)
        enter(-1)
        return outcome(question)

    async def slow_coroutine(question):
        enter(1)
        await asyncio.sleep(0.02)
        enter(-1)
        return outcome(question)

    def promised(question):
        return slow_coroutine(question)

    class Judge:
        async def __call__(self, question):
            return await slow_coroutine(question)

    judge = {
        "thread": slow,
        "coroutine": slow_coroutine,
        "callable object": Judge(),
        "awaitable": promised,
    }[kind]
    found = cpe.best_of(LABELS, judge, items=30, orders="both", workers=5, seed=2)
    assert found.proved
    assert most == 5


def test_a_second_call_goes_on_and_asks_no_cell_again(tmp_path):
    asked = []

    def judge(question):
        asked.append((frozenset(question.labels), question.first, question.item["id"]))
        return outcome(question)

    def call(budget=None):
        return cpe.best_of(
            LABELS, judge, items=30, orders="both", budget=budget, path=tmp_path / "choice.jsonl"
        )

    first = call(20)
    assert (first.proved, first.reason, first.calls, len(asked)) == (False, "budget", 20, 20)
    assert str(first).startswith(f"not proved, ahead: {first.best}, after 20 calls of 360; the")
    second = call()
    assert second.proved
    assert second.calls == len(asked) == len(set(asked))
    assert call().calls == len(asked)
    with pytest.raises(InputError, match="margin"):
        cpe.best_of(
            LABELS, judge, items=30, orders="both", margin=0.1, path=tmp_path / "choice.jsonl"
        )


def test_with_a_margin_near_ties_end_and_the_answer_says_so():
    found = cpe.best_of(["a", "b"], lambda question: "tie", items=500, margin=0.1)
    assert found.proved
    assert found.saved > 300
    assert "ahead of it by more than 0.1" in found.extent
    assert found.extent in str(found)


def test_a_judge_without_opinions_is_named(tmp_path):
    """It says "first" in 85 of 100 cases; what is printed says so, and that items are not new."""
    rng = np.random.default_rng(5)

    def judge(question):
        return "first" if rng.random() < 0.85 else "second"

    found = cpe.best_of(["a", "b", "c"], judge, items=30, seed=1, path=tmp_path / "choice.jsonl")
    assert found.status.cells == 3 * 60  # both orders
    assert "on these 30 items, not on new ones" in str(found)
    headline = session_report(found.session).summary
    assert "not of new ones" in headline
    for text in (str(found), repr(found), headline):
        assert "he order matters: shown first wins 8" in text
    assert any("the order matters" in each for each in found.status.warnings)
    coins = cpe.best_of(["a", "b"], lambda question: "first", budget=20)
    assert "the order matters: shown first wins 100 % of 20" in str(coins)
    assert any("drawn for each duel" in each for each in coins.status.warnings)


def test_arms_that_may_be_as_good_within_the_margin_are_named():
    """All but those that the cells which were not asked cannot put level."""
    quality = {"a": 0, "b": 2, "c": 2}

    def judge(question):
        one, other = (quality[label] for label in question.labels)
        return 0.5 + (one - other) / 4

    found = cpe.best_of(quality, judge, items=200, margin=0.1)
    assert found.extent.endswith(
        "ahead of it by more than 0.1; the answers leave open which others are as good"
    )
    found = cpe.best_of(quality, judge, items=3, orders="random", margin=0.1, delta=1e-9)
    equal = "c" if found.best == "b" else "b"
    assert found.extent.endswith(f"ahead of it by more than 0.1; {equal} may be as good")
    assert found.extent in str(found)


def test_without_items_a_repeated_question_is_a_new_sample():
    rng = np.random.default_rng(0)
    found = cpe.best_of(["x", "y"], lambda question: "y" if rng.random() < 0.8 else "x", delta=0.1)
    assert (found.best, found.proved, found.saved) == ("y", True, None)


def test_what_a_judge_raises_is_tried_again_then_the_cell_is_left_out():
    tries = []

    def judge(question):
        if question.item["id"] == "3":
            tries.append(question.id)
            raise ConnectionError("no answer today")
        return "tie"

    found = cpe.best_of(["a", "b"], judge, items=6, retries=2)
    assert found.status.left_out == 2
    assert (len(tries), found.calls, found.saved) == (6, 10, 0)


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        (lambda question: 1 / 0, "raised ZeroDivisionError: division by zero"),
        (lambda question: next(iter(())), "raised StopIteration: "),
        (lambda question: None, "returned what is no outcome: None"),
        (lambda question: "nobody", "returned what is no outcome: 'nobody'"),
        (lambda question: 1.5, "returned what is no outcome"),
    ],
)
def test_a_judge_that_only_fails_is_named(judge, message):
    with pytest.raises(
        JudgeFailed, match=f"no question was answered: at last, the func.* {message}"
    ):
        cpe.best_of(["a", "b"], judge, items=8, timeout=A_HANG, retries=1)


def test_a_judge_that_is_always_late_is_named():
    over = threading.Event()
    with pytest.raises(JudgeFailed, match=r"the function gave no answer in 0\.05 s"):
        cpe.best_of(
            ["a", "b"], lambda question: over.wait(A_HANG), items=8, timeout=0.05, retries=0
        )
    over.set()


@pytest.mark.parametrize("count", [1, 11, 12])
def test_the_first_cells_may_fail_but_a_dozen_ends_the_run_with_the_judge_s_error(count):
    tried = set()

    def judge(question):
        tried.add(question.id)
        if len(tried) <= count:
            raise OSError("quota used up")
        return better(question)

    if count < 12:
        found = cpe.best_of(["x", "y"], judge, items=20, retries=1)
        assert (found.best, found.status.left_out) == ("y", count)
        return
    with pytest.raises(JudgeFailed, match="at last, the function raised OSError: quota") as failed:
        cpe.best_of(["x", "y"], judge, items=20, retries=1)
    assert isinstance(failed.value.__cause__, OSError)
    assert len(tried) == 12


def test_a_timeout_that_the_judge_raises_is_its_own():
    def judge(question):
        raise TimeoutError("the model is busy")

    with pytest.raises(JudgeFailed, match="raised TimeoutError: the model is busy"):
        cpe.best_of(["a", "b"], judge, items=8, retries=0)


def test_what_comes_late_is_no_answer():
    said, asked_another = iter(["first"]), threading.Event()

    def judge(question):
        for late in said:
            asked_another.wait(A_HANG)
            return late
        asked_another.set()
        return "second"

    found = cpe.best_of(["a", "b"], judge, items=[f"{k}" for k in range(9)], timeout=1.0)
    position = found.status.position
    assert found.calls > 0
    assert "first wins 0 %" in position


def test_a_judge_that_skips_everything_leaves_nothing_to_say():
    found = cpe.best_of(["a", "b"], lambda question: "skip", items=4)
    assert (found.best, found.proved, found.reason, found.calls) == ("", False, "unanswered", 0)
    assert str(found).startswith("not proved, ahead: nothing, after 0 calls of 8; only questions")


def test_prices_and_a_bar_with_what_was_spent(capsys):
    found = cpe.best_of(LABELS, outcome, items=30, prices=0.25, budget=10.0, progress=True)
    assert found.spent <= 10.0
    assert found.spent == found.calls * 0.25
    shown = capsys.readouterr().err
    left = found.status.cells - found.calls
    assert f"calls, {found.spent:g} of 10 spent, at most {left} left" in shown
    assert not cpe.best_of(LABELS, better, items=5, progress=False).status.left_out
    assert capsys.readouterr().err == ""


KILLED = """
import os, sys, time
import cpe_opt as cpe

calls = os.open(sys.argv[1] + ".calls", os.O_CREAT | os.O_APPEND | os.O_WRONLY)

def judge(question):
    time.sleep(0.001)
    os.write(calls, f"{question.id}\\n".encode())
    if os.lseek(calls, 0, os.SEEK_CUR) > 240:
        os.kill(os.getpid(), 9)
    return max(question.labels)

cpe.best_of([*"abcdef"], judge, items=40, orders="both", workers=8, path=sys.argv[1])
"""


def test_killed_at_work_it_goes_on_and_asks_no_answered_cell_again(tmp_path):
    path = tmp_path / "choice.jsonl"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == -9
    called = Path(f"{path}.calls").read_text().split()
    before = {each["answer"] for each in read_journal(path) if "answer" in each}
    assert len(called) - 2 * 8 <= len(before) <= len(called)  # the others were with the judges
    asked = []

    def judge(question):
        asked.append(question.id)
        return max(question.labels)

    found = cpe.best_of([*"abcdef"], judge, items=40, orders="both", workers=8, path=path)
    assert (found.best, found.proved) == ("f", True)
    assert found.calls == len(before) + len(asked) == len(before | set(asked))


def test_more_workers_than_there_is_to_ask():
    found = cpe.best_of(["a", "b"], better, items=3, workers=50)
    assert (found.best, found.calls + found.saved) == ("b", 6)


def test_the_disk_is_waited_for_once_by_answers_that_come_together(tmp_path, monkeypatch):
    """An answer is said to be one after it is on the disk, and not before."""
    commits, durable, said = [], set(), []
    commit = Journal.commit

    def slow(journal):
        written = {*session._known.answers.by_id}
        time.sleep(0.02)
        commit(journal)
        commits.append(len(written - durable))
        durable.update(written)

    def on_event(event):
        if event.kind == "answer":  # a judge may also wait for what others have
            said.append(event.question.id)
            assert event.question.id in durable

    monkeypatch.setattr(Journal, "commit", slow)
    options = {"labels": LABELS, "items": 30, "delta": 1e-9}
    with cpe.Session.open(tmp_path / "s.jsonl", "copeland-tracking", **options) as session:
        session.run(outcome, workers=8, on_event=on_event)
        assert len(said) == len(set(said)) == session.status().answers
    assert max(commits) > 1


def test_in_a_loop_that_runs(tmp_path):
    async def notebook():
        return cpe.best_of(LABELS, outcome, items=30, orders="both", workers=2)

    assert asyncio.run(notebook()).proved


def test_of_a_mapping_the_keys_are_the_arms():
    found = cpe.best_of({"dull": "Say no.", "kind": "Please."}, better, items=20)
    assert found.best == "kind"


def test_changed_arms_and_another_judge_are_refused_by_name(tmp_path):
    path = tmp_path / "prompts.jsonl"
    prompts = {"a": "Be brief.", "b": {"role": "Be kind.", "shots": 3}, "c": {1: len, "t": b"1"}}

    def called(arms, **options):
        return cpe.best_of(arms, better, items=8, path=path, budget=5, **options)

    assert called(prompts, judge_id="large of May").calls == 5
    log = path.read_bytes()
    changed = {**prompts, "b": {"role": "Be kind.", "shots": 4}}
    with pytest.raises(
        InputError, match=r"^'b' is not what it was when .*: .* new file; .*prior"
    ) as refusal:
        called(changed)
    assert "prompts.jsonl" in str(refusal.value)
    for other in (len, "1", {1: len, "t": b"2"}, {1: "len", "t": b"1"}, {2: len, "t": b"1"}):
        with pytest.raises(InputError, match="'c' is not what it was when"):
            called({**prompts, "c": other})
    with pytest.raises(InputError, match=r"judge is 'large of June', .* it was 'large of May'"):
        called(prompts, judge_id="large of June")
    assert path.read_bytes() == log
    same = MappingProxyType({"shots": 3, "role": "Be kind."})
    same = {"a": "Be brief.", "b": same, "c": {"t": b"1", 1: max}}
    assert called(same, judge_id="large of May").calls == 5
    assert called(["a", "b", "c"]).calls == 5
    assert path.read_bytes() == log


def test_what_is_first_given_later_is_compared_from_then_on(tmp_path):
    path = tmp_path / "prompts.jsonl"
    options = {"items": 8, "path": path, "budget": 2}
    cpe.best_of(["a", "b"], better, **options)
    cpe.best_of({"a": "one", "b": "two"}, better, judge_id="j", **options)
    with pytest.raises(InputError, match="'a' is not what it was"):
        cpe.best_of({"a": "three", "b": "two"}, better, **options)
    with pytest.raises(InputError, match="the judge is 'k'"):
        cpe.best_of({"a": "one", "b": "two"}, better, judge_id="k", **options)


def test_coroutines_that_hold_each_other_up_are_not_late(tmp_path):
    """One that blocks does so for all, but the time of each begins with itself."""

    async def blocking(question):
        time.sleep(0.04)
        return better(question)

    options = {"labels": ["x", "y"], "items": 8, "orders": "random", "delta": 1e-9}
    with cpe.Session.open(tmp_path / "s.jsonl", "copeland-tracking", **options) as session:
        report = session.run(blocking, workers=8, timeout=0.1, retries=0)
        assert (report.answers, report.failures) == (session.status().answers, 0)
