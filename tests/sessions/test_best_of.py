"""A judge in one call: what is found and proved, how it goes on, and what it costs."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cpe_opt as cpe
from tests.sessions.support import answered_in, asked_anew_at_once, better

LABELS = ["a", "b", "c", "d"]
TABLE = cpe.random_items(4, 30, seed=3, spread=1.5)
OVER_ITEMS = {"items": 30, "orders": "both", "seed": 2}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    asked_anew_at_once(monkeypatch)


def outcome(question):
    """What the first one gets in the cell of the table that is asked."""
    i, j = (LABELS.index(label) for label in question.labels)
    return float(TABLE.outcomes[i, j, int(question.item["id"]), 0])


def test_the_winner_of_the_table_is_proved_with_fewer_calls_than_cells():
    found = cpe.best_of(LABELS, outcome, **OVER_ITEMS)
    assert found.proved
    assert LABELS.index(found.best) in TABLE.copeland_winners
    assert found.status.cells == found.calls + found.saved == 6 * 60
    assert found.saved > 60
    said = f"on these 30 items, not on new ones: {found.best}, after {found.calls} calls of 360"
    assert said in str(found)
    assert len(found.session.answers()) == found.calls  # although its file is gone
    assert found.session.item_duels().labels == tuple(LABELS)


def test_without_items_a_repeated_question_is_a_new_sample():
    rng = np.random.default_rng(0)
    found = cpe.best_of(["x", "y"], lambda question: "y" if rng.random() < 0.8 else "x", delta=0.1)
    assert (found.best, found.proved, found.saved) == ("y", True, None)


def test_with_a_margin_near_ties_end_and_the_answer_says_so():
    found = cpe.best_of(["a", "b"], lambda question: "tie", items=500, margin=0.1)
    assert found.proved
    assert found.saved > 300
    assert "ahead of it by more than 0.1" in found.extent
    assert found.extent in str(found)


def test_arms_that_may_be_as_good_within_the_margin_are_named():
    """All but those that the cells which were not asked cannot put level."""
    quality = {"a": 0, "b": 2, "c": 2}

    def judge(question):
        one, other = (quality[label] for label in question.labels)
        return 0.5 + (one - other) / 4

    options = {"items": 3, "orders": "random", "margin": 0.1, "delta": 1e-9}
    found = cpe.best_of(quality, judge, **options)
    equal = "c" if found.best == "b" else "b"
    assert found.extent.endswith(f"ahead of it by more than 0.1; {equal} may be as good")


def test_a_judge_without_opinions_is_named():
    """It says "first" in 85 of 100 cases."""
    rng = np.random.default_rng(5)

    def judge(question):
        return "first" if rng.random() < 0.85 else "second"

    found = cpe.best_of(["a", "b", "c"], judge, items=30, seed=1)
    assert found.status.cells == 3 * 60  # both orders
    for text in (str(found), repr(found), *found.status.warnings[-1:]):
        assert "the order matters: shown first wins 8" in text
    coins = cpe.best_of(["a", "b"], lambda question: "first", budget=20)
    assert "the order matters: shown first wins 100 % of 20" in str(coins)
    assert any("drawn for each duel" in each for each in coins.status.warnings)


def test_a_second_call_goes_on_and_asks_no_cell_again(tmp_path):
    asked = []

    def judge(question):
        asked.append((frozenset(question.labels), question.first, question.item["id"]))
        return outcome(question)

    def call(**more):
        return cpe.best_of(LABELS, judge, **OVER_ITEMS, path=tmp_path / "choice.jsonl", **more)

    first = call(budget=20)
    assert (first.proved, first.reason, first.calls, len(asked)) == (False, "budget", 20, 20)
    assert str(first).startswith(f"not proved, ahead: {first.best}, after 20 calls of 360; the")
    second = call()
    assert second.proved
    assert second.calls == len(asked) == len(set(asked)) == call().calls
    with pytest.raises(cpe.InputError, match="margin"):
        call(margin=0.1)


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
    path, asked = tmp_path / "choice.jsonl", []
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == -9
    called, before = Path(f"{path}.calls").read_text().split(), {*answered_in(path)}
    assert len(called) - 2 * 8 <= len(before) <= len(called)  # the others were with the judges

    def judge(question):
        asked.append(question.id)
        return max(question.labels)

    found = cpe.best_of([*"abcdef"], judge, items=40, orders="both", workers=8, path=path)
    assert (found.best, found.proved) == ("f", True)
    assert found.calls == len(before) + len(asked) == len(before | {*asked})


def test_arms_that_have_changed_and_another_judge_are_refused(tmp_path):
    """Of a mapping the keys are the arms, and the values are compared."""
    path, prompts = tmp_path / "prompts.jsonl", {"a": "Be brief.", "b": {"role": "kind"}}

    def called(arms, **options):
        return cpe.best_of(arms, better, items=8, path=path, budget=5, **options).calls

    assert called([*"ab"]) == called(prompts) == called(prompts, judge_id="May") == 5
    log = path.read_bytes()
    with pytest.raises(cpe.InputError, match=r"^'b' is not what it was when .*prompts\.jsonl"):
        called({**prompts, "b": {"role": "rude"}})
    with pytest.raises(cpe.InputError, match=r"judge is 'June', .* it was 'May'"):
        called(prompts, judge_id="June")
    assert path.read_bytes() == log


def test_prices_and_a_bar_with_what_was_spent(capsys):
    found = cpe.best_of(LABELS, outcome, items=30, prices=0.25, budget=10.0, progress=True)
    assert found.spent == found.calls * 0.25 <= 10.0
    shown = capsys.readouterr().err
    left = found.status.cells - found.calls
    nothing = cpe.best_of(["a", "b"], lambda question: "skip", items=4)
    assert (nothing.best, nothing.proved, nothing.reason) == ("", False, "unanswered")
    assert f"calls, {found.spent:g} spent, at most {left} left" in shown


def test_a_learner_with_a_budget_asks_as_often_as_that_says():
    options = {"budget": 40, "learner": "borda-budget"}
    found = cpe.best_of(["a", "b", "c"], better, **options)
    assert (found.best, found.proved, found.calls, found.reason) == ("c", False, 40, "finished")
    assert "estimated probability of being wrong" in str(found)
    with pytest.raises(cpe.InputError, match="prices are given, and borda-budget counts duels"):
        cpe.best_of(["a", "b", "c"], better, prices=2.0, **options)
    with pytest.raises(cpe.InputError, match="needs the parameter 'budget'"):
        cpe.best_of(["a", "b", "c"], better, learner="copeland-budget")
