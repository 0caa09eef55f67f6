"""``cpe-opt session run``: a person at the terminal, and programs."""

import re
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.sessions.journal import read_journal
from cpe_opt.sessions.mcp_server import SessionTools
from tests.commands.test_cli import RUNNER, run
from tests.support import waited_for

PROGRAM = Path(__file__).parents[1] / "sessions" / "judge_program.py"
BY_HAND = [sys.executable, "-m", "cpe_opt", "session", "run"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "taste.jsonl"
    assert run("session", "new", path, "--labels", "tuna,salmon,squid").exit_code == 0
    return path


@pytest.fixture
def judge(tmp_path):
    """A program that prefers what is earlier in the alphabet, and misbehaves as it is told."""

    def judge(**wishes):
        wishes.setdefault("count", tmp_path / "count")
        told = [f"{wish}={value}" for wish, value in wishes.items()]
        return " ".join(f"'{part}'" for part in (sys.executable, "-S", str(PROGRAM), *told))

    return judge


def typed(file, lines, *options):
    """What is printed when these lines are typed."""
    done = RUNNER.invoke(
        app, ["session", "run", str(file), *map(str, options)], input="\n".join([*lines, ""])
    )
    assert done.exit_code == 0, done.output
    return done.stdout


def answers(file):
    return cpe.Session.read(file).answers()


def test_lines_are_answers(file):
    said = typed(file, ["1", "2", "t", "s", "tie", "0"], "--rater", "ann")
    assert answers(file)["outcome"].tolist() == [1, 0, 0.5, 0.5, 0]
    assert set(answers(file)["rater"]) == {"ann"}
    assert cpe.Session.read(file).status().skips == 1
    assert said.count("which is better?") == 7
    assert re.search(
        r"\n(\S+): which is better\?\n  1  salmon\n  2  tuna\n  \[0 answers.*\]\n  salmon", said
    )
    assert "\nstopped: 5 answers, 5 in all\nbest answer: " in said
    assert f"nothing is lost; to go on: cpe-opt session run {file}" in said.replace("\n ", " ")


def test_what_cannot_be_read_is_asked_again(file):
    said = typed(file, ["what?", "", "first", "q", "1"], "--rater", "ann")
    assert said.count("is no outcome, expected first (salmon), second (tuna), tie or skip") == 2
    assert len(answers(file)) == 1
    assert cpe.Session.read(file).status().leased == 0  # who stops holds nothing


def test_content_is_shown_under_the_labels(file, tmp_path):
    items = tmp_path / "items.csv"
    items.write_text('label,text,image\ntuna,"red\nand fat",t.png\nsalmon,pink,\nsquid,white,\n')
    said = typed(file, ["q"], "--content", items)
    assert "  1  salmon\n     pink\n  2  tuna\n     red\n     and fat\n     t.png\n" in said


def test_the_budget_of_a_person(file):
    said = typed(file, ["1"] * 20, "--budget", 3)
    assert "the budget is used up: 3 answers, 3 in all" in said
    assert len(answers(file)) == 3
    assert "the budget is used up: 0 answers, 3 in all" in typed(file, ["1"], "--budget", 3.9)


def test_ctrl_c_of_a_person_loses_nothing(file, monkeypatch):
    typed = iter(["1\n"])

    def readline():
        for line in typed:
            return line
        raise KeyboardInterrupt

    stdin = SimpleNamespace(stdin=SimpleNamespace(readline=readline))
    monkeypatch.setattr("cpe_opt.commands.session_run.sys", stdin)
    done = run("session", "run", file)
    assert done.exit_code == 130
    assert "\nstopped: 1 answer, 1 in all\n" in done.stdout
    assert len(answers(file)) == 1


def test_it_ends_with_a_proof(tmp_path):
    path = tmp_path / "two.jsonl"
    run("session", "new", path, "--labels", "a,b")
    said = typed(path, ["a"] * 40)
    assert re.search(r"\nfinished: \d+ answers, \d+ in all\nbest answer: a\nproved: a, as ", said)
    assert "to go on" not in said


def test_programs_answer_and_failures_are_told(file, judge):
    done = run("session", "run", file, "--command", judge(garbage=3), "--rater", "gpt")
    assert done.exit_code == 0, done.stderr
    assert "the program wrote a line that is no JSON: 'I think the first is better'" in done.stderr
    assert "best answer: salmon\nproved: salmon" in done.stdout
    frame = answers(file)
    assert (frame["outcome"] == (frame["first"] < frame["second"])).all()
    assert set(frame["rater"]) == {"gpt"}


def test_a_program_that_fails_is_one_line_and_nothing_is_lost(file, judge):
    typed(file, ["1", "2"])
    before = file.read_bytes()
    done = run("session", "run", file, "--command", judge(exit=1), "--retries", 0)
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1].startswith("error: no question was answered: at last, the")
    assert "saying 'no key was given'" in done.stderr
    done = run("session", "run", file, "--command", "/no/such/judge")
    assert done.exit_code == 2
    assert done.stderr == "error: cannot start '/no/such/judge': No such file or directory\n"
    assert file.read_bytes().startswith(before)
    assert len(answers(file)) == 2


def test_ctrl_c_ends_programs_and_says_how_to_go_on(file, judge):
    process = subprocess.Popen(
        [*BY_HAND, str(file), "--command", judge(hang=5)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    waited_for(lambda: file.read_bytes().count(b'{"answer":') == 4)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate()
    assert process.returncode == 130
    assert errors == ""
    assert said.startswith("stopped: 4 answers, 4 in all\n")
    assert "nothing is lost; to go on: cpe-opt session run" in said
    shown = subprocess.run(["ps", "-ewwo", "args"], capture_output=True, text=True, check=True)
    assert str(file.parent) not in shown.stdout


def test_content_that_has_changed_is_refused(file, tmp_path):
    """Of programs and people, on pages and to assistants; an image by what its file holds."""
    picture, content = tmp_path / "squid.png", tmp_path / "content.csv"
    picture.write_bytes(b"one")
    content.write_text("label,text,image\ntuna,red,\nsalmon,pink,\nsquid,,squid.png\n")
    options = ("--command", "true", "--content", content)

    def refused():
        done = run("session", "run", file, *options)
        return "is not what it was" in " ".join(done.stderr.split()) and done.exit_code == 2

    assert not refused()
    assert read_journal(file)[1]["contents"].keys() == {"tuna", "salmon", "squid"}
    assert not refused()
    picture.write_bytes(b"two")
    assert refused()
    with pytest.raises(cpe.InputError, match="'squid' is not what it was"):
        SessionTools(file, content=content).ask()
    served = run("session", "serve", file, "--content", content)
    assert "'squid' is not what it was" in " ".join(served.stderr.split())
    other = run("session", "run", file, "--command", "true", "--judge-id", "one")
    assert "the judge is" not in other.stderr
    done = run("session", "run", file, "--command", "true", "--judge-id", "two")
    assert "the judge is 'two'" in " ".join(done.stderr.split())
