"""``cpe-opt`` over the items of a test set: sessions, runs, and the files between them."""

import json
import sys
from pathlib import Path

import pytest

import cpe_opt as cpe
from cpe_opt.commands.session_run import Person
from cpe_opt.learners.registry import LEARNERS
from tests.commands.test_cli import run
from tests.items import random_items, round_robin

PROGRAM = Path(__file__).parents[1] / "sessions" / "judge_program.py"


@pytest.fixture(autouse=True)
def learner(monkeypatch):
    monkeypatch.setitem(LEARNERS, "round-robin", round_robin)


@pytest.fixture
def items(tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text('{"item": "q1", "text": "Why?\\nSo."}\n{"item": "q2", "level": 2}\n')
    return path


def new(file, *options):
    done = run("session", "new", file, "round-robin", "--labels", "a,b,c", *options)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def asked(file, *options):
    return json.loads(run("session", "next", file, "--json", *options).stdout)


def stands(file):
    return json.loads(run("session", "status", file, "--json").stdout)


def test_a_session_over_items_from_the_first_command_to_the_last(tmp_path, items):
    file = tmp_path / "s.jsonl"
    said = new(file, "--items", items, "--orders", "both", "--seed", 3)
    assert "asks about 3 arms in 12 cells of a test set" in said
    [question] = asked(file)
    assert question["item"] in ({"id": "q1", "text": "Why?\nSo."}, {"id": "q2", "level": 2})
    shown = run("session", "next", file).stdout
    assert question["item"]["id"] in shown
    assert "item" in shown
    done = run("session", "answer", file, question["id"], "0.75")
    assert done.stdout == f"{question['id']}: {question['labels'][0]} gets 0.75\n"
    [other] = asked(file)
    done = run("session", "answer", file, other["id"], "leave-out")
    assert done.stdout == f"{other['id']}: left out; it counts as the worst for what is proved\n"
    status = stands(file)
    assert (status["cells"], status["left_out"], status["answers"]) == (12, 1, 1)
    text = " ".join(run("session", "status", file).stdout.split())
    assert "3 arms in 12 cells of a test set" in text
    assert "1 (1 left out)" in text
    assert "position shown first wins 100 % of 1 (95 % interval 21 to 100 %)" in text
    command = f"{sys.executable} -S {PROGRAM} count={tmp_path / 'count'}"
    done = run("session", "run", file, "--command", command)
    assert "finished: 10 answers, 11 in all" in done.stdout
    assert "whatever the 1 cell that nobody answered would say" in done.stdout
    assert run("session", "export", file, tmp_path / "log.csv", "--items").exit_code == 0
    again = tmp_path / "again.jsonl"
    options = ("--items", items, "--orders", "both", "--prior", tmp_path / "log.csv")
    new(again, *options)
    assert len(asked(again, "-n", 9)) == 1  # what was left out
    played = run("run", "round-robin", tmp_path / "log.csv", "--runs", 2, "--jobs", 1, "--json")
    assert [each["duels"] for each in json.loads(played.stdout)] == [11, 11]


def test_a_person_sees_the_item(tmp_path, items, monkeypatch, capsys):
    with cpe.Session.open(
        tmp_path / "s.jsonl",
        "round-robin",
        labels=["a", "b"],
        items=[json.loads(line) for line in items.read_text().splitlines()],
        orders="random",
    ) as session:
        lines = iter(["s\n", "1\n", "q\n"])
        monkeypatch.setattr("sys.stdin.readline", lambda: next(lines), raising=False)
        reason = Person(session, None, 100.0, {}).run()
        status = session.status()
    assert (reason, status.answers, status.skips) == ("stopped", 1, 1)
    out = capsys.readouterr().out
    assert "  item q1\n    text: Why?\n      So.\n" in out
    assert "  item q2\n    level: 2\n" in out


def test_learners_of_cells_are_compared_over_items(tmp_path):
    cpe.write_item_duels(random_items(3, 6, seed=2), tmp_path / "log.csv")
    done = run(
        *("compare", "round-robin", "--on", tmp_path / "log.csv", "--runs", 2, "--jobs", 1),
        *("--out", tmp_path / "results", "--json"),
    )
    [row] = json.loads(done.stdout)["rows"]
    assert (row["learner"], row["samples"], row["units"]) == ("round-robin", 36, "samples")
    # Whatever counts votes reads the same file as votes, of which some share an item.
    assert "warning: the column 'item'" in run("evidence", tmp_path / "log.csv").stdout
    votes = "model_a,model_b,item,winner\nx,y,1,model_a\n"
    (tmp_path / "votes.csv").write_text(votes)
    assert run("evidence", tmp_path / "votes.csv").exit_code == 0
    assert run("analyse", tmp_path / "votes.csv").exit_code == 0


def test_a_session_of_scores_from_the_first_command_to_the_last(tmp_path, items):
    file, cheap = tmp_path / "s.jsonl", tmp_path / "cheap.csv"
    cheap.write_text("arm,item,score\na,q1,0.5\na,q2,1\nb,q1,0\n")
    options = ("--labels", "a,b,c", "--items", items, "--scores", "--hints", cheap)
    done = run("session", "new", file, *options)
    assert done.exit_code == 0, done.stderr
    assert "score-tracking (delta 0.05) asks about 3 arms, scored in 6 cells" in done.stdout
    assert "hints: of 3 outputs, and none of 3; nothing that is proved rests on them" in done.stdout
    [question] = asked(file)
    assert (question["kind"], len(question["labels"])) == ("pull", 1)
    done = run("session", "answer", file, question["id"], "7")
    assert "expected a number from 0 to 1, or skip" in done.stderr
    answered = {}
    while open_questions := asked(file):
        [question] = open_questions
        answered[question["labels"][0], question["item"]["id"]] = score = (
            0.25 * "abc".index(question["labels"][0]) + 0.1
        )
        assert run("session", "answer", file, question["id"], score).exit_code == 0
    status = stands(file)
    assert (status["finished"], status["answer"], status["cells"]) == (True, "c", 6)
    assert "off by" in status["cheap"]
    text = " ".join(run("session", "status", file).stdout.split())
    assert "c has the highest mean on the full table of these 2 items" in text
    assert "cheap judge off by" in text
    assert run("session", "export", file, tmp_path / "out.csv", "--items").exit_code == 0
    back = cpe.read_item_scores(tmp_path / "out.csv")
    assert {
        (arm, item): back.scores[i, t]
        for i, arm in enumerate(back.labels)
        for t, item in enumerate(back.items)
        if back.scores[i, t] == back.scores[i, t]
    } == answered


def test_the_best_two_are_looked_for_and_what_is_missing_is_said(tmp_path, items):
    file = tmp_path / "s.jsonl"
    done = run("session", "new", file, "--labels", "a,b,c", "--scores")
    assert "what is scored? Give --labels and --items with --scores" in done.stderr
    options = ("--labels", "a,b,c", "--items", items, "--scores", "--k", "2")
    assert run("session", "new", file, *options, "--orders", "both").exit_code == 2
    assert run("session", "new", file, *options).exit_code == 0
    with cpe.Session.open(file) as session:
        assert session.header.question_set.known.k == 2


def test_hints_are_a_log_of_cells_or_scores_of_outputs(tmp_path, items):
    (tmp_path / "log.csv").write_text("model_a,model_b,outcome,item\na,b,0.75,q1\nb,c,0,q2\n")
    (tmp_path / "scores.csv").write_text("arm,item,score\na,q1,1\nb,q1,0\n")
    for name, of, count in (("log.csv", "cells", 4), ("scores.csv", "outputs", 2)):
        file = tmp_path / f"{name}.jsonl"
        options = ("--labels", "a,b,c", "--items", items, "--hints", tmp_path / name)
        done = run("session", "new", file, *options)
        assert f"hints: of {count} {of}" in done.stdout
        with cpe.Session.open(file) as session:
            assert (session.header.hints.of, session.header.hints.known.sum()) == (of, count)
            assert session.header.hints.of_duels[0, 1, 0, 0] > 0.7
