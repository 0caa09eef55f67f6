"""``cpe-opt evidence --check`` on logs, tables and sessions, with its exit status."""

import json

import pytest

import cpe_opt as cpe
from tests.commands.test_cli import run

FINE = "model_a,model_b,winner\n" + "a,b,model_a\nb,a,model_a\n" * 9


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        (FINE, 0, "nothing was found that makes a proof false"),
        (FINE.replace("winner\n", "winner,rater\n").replace("_a\n", "_a,ann\n"), 1, "--cluster"),
        (FINE + "a,a,tie\n", 2, "1 row cannot be read (line 20)"),
    ],
)
def test_the_status_says_what_was_found(tmp_path, text, status, words):
    path = tmp_path / "log.csv"
    path.write_text(text)
    done = run("evidence", "--check", path)
    assert done.exit_code == status
    assert words in done.stdout
    plain = run("evidence", "--check", path, "--json")
    assert (plain.exit_code, json.loads(plain.stdout)["status"]) == (status, status)


def test_of_several_files_the_worst_status_counts(tmp_path):
    for name, text in (("fine.csv", FINE), ("bad.csv", f"{FINE}a,a,tie\n")):
        (tmp_path / name).write_text(text)
    done = run("evidence", "--check", tmp_path / "bad.csv", tmp_path / "fine.csv")
    assert done.exit_code == 2
    assert "nothing was found" in done.stdout


@pytest.mark.parametrize(
    "option",
    ["--margin=0.1", "--plot=x.png", "--where=a=b", "--by=x", "--sigma=1", "--report=x.html"],
)
def test_options_of_proofs_have_no_effect(tmp_path, option):
    (tmp_path / "log.csv").write_text(FINE)
    done = run("evidence", "--check", tmp_path / "log.csv", option)
    assert done.exit_code == 2
    assert "has no effect with --check" in done.stderr


def test_a_file_without_rows_of_answers_is_refused(tmp_path):
    (tmp_path / "m.csv").write_text("0,2\n1,0\n")
    done = run("evidence", "--check", tmp_path / "m.csv")
    assert done.exit_code == 2
    assert "has no rows of answers" in done.stderr


def test_a_session_is_checked_by_its_answers(tmp_path):
    path = tmp_path / "taste.jsonl"
    with cpe.Session.open(path, "random-pairs", labels=["tea", "mate", "cocoa"], seed=0) as session:
        for number in range(60):
            (question,) = session.ask(1, rater="ann")
            session.tell(question.id, question.labels[0] if number < 57 else "tie", rater="ann")
    rows = cpe.Session.read_answers(path).answer_rows()
    assert (rows.rows, rows.named_first, rows.adaptive) == (60, True, True)
    assert rows.value.tolist() == [1.0] * 57 + [0.5] * 3
    done = run("evidence", "--check", path)
    assert done.exit_code == 1
    assert "position: an arm gets" in done.stdout


def test_a_session_over_items_has_its_items(tmp_path):
    path = tmp_path / "cells.jsonl"
    judge = lambda question: question.labels[0]  # noqa: E731
    with cpe.Session.open(
        path, "copeland-tracking", labels=["a", "b"], items=["x", "y", "z"]
    ) as session:
        session.run(judge)
    rows = cpe.Session.read_answers(path).answer_rows()
    assert rows.over_items
    assert {*rows.columns["item"]} <= {"x", "y", "z"}
    assert cpe.check_answers(rows).status in (0, 1)
