"""Learners and problems by what a command line says: ``file.py:name``, ``generator:size``."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.experiments.results import read_results
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.generators import GENERATORS, bradley_terry, generated_problem
from cpe_opt.scripts import script_of

MINE = """
import cpe_opt as cpe
from cpe_opt.learners import HorizonReached, declare

@declare(family="dueling", goal="regret", guarantee="none", paper="mine", endless=True)
def follow(arms, *, rng=None, least=2):
    \"\"\"Duel the first two arms.\"\"\"
    try:
        while True:
            yield cpe.Duel(0, 1)
    except HorizonReached:
        return least

number = 7
"""


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def run(*arguments):
    return CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False)


def test_a_learner_of_a_file_is_taken_where_a_name_is(mine, tmp_path):
    name = f"{mine}:follow"
    short = ("--horizon", "50", "--runs", "2", "--jobs", "1")
    assert "Duel the first two arms" in run("algorithms", name).stdout
    rows = json.loads(run("run", name, "gap", *short, "--json", "-p", "least=1").stdout)
    assert [row["answer"] for row in rows] == [1, 1]
    assert cpe.simulate(name, cpe.load_instance("gap"), horizon=50).answer == 2
    out = tmp_path / "results"
    done = run("compare", f"{name}:least=3", "rucb", "--on", "gap", *short, "--out", out)
    assert done.exit_code == 0, done.output
    frame = read_results(out)
    assert set(frame["learner"]) == {"follow (least=3)", "rucb"}
    assert frame["answer"][frame["learner"] != "rucb"].tolist() == [3, 3]


def test_a_session_goes_on_with_the_learner_of_its_file(mine, tmp_path):
    log = tmp_path / "s.jsonl"
    assert run("session", "new", log, f"{mine}:follow", "--labels", "a,b,c").exit_code == 0
    first = run("session", "next", log)
    assert first.exit_code == 0
    assert {"a", "b"} <= set(first.stdout.split())
    mine.write_text(MINE.replace("Duel(0, 1)", "Duel(0, 2)"))
    changed = run("session", "next", log)
    assert changed.exit_code == 2
    assert "is not the one that the session was begun with" in changed.stderr


def test_a_learner_is_the_same_function_until_its_file_changes(mine):
    name = f"{mine}:follow"
    assert get_learner(name) is get_learner(name)
    assert script_of(get_learner(name)) == mine
    assert script_of(cpe.learners.ecw_rmed) is None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("{}:none", "no learner \\(it has no such name\\)"),
        ("{}:number", "no learner \\(it is a int\\)"),
        ("{}", "is a script: expected the name of a learner"),
        ("no{}:follow", "No such file"),
    ],
)
def test_what_is_no_learner_is_said(mine, name, message):
    with pytest.raises(cpe.InputError, match=message):
        get_learner(name.format(mine))


def test_a_random_problem_is_made_from_its_name():
    mu = cpe.load_problem("bradley-terry:9:seed=3:spread=0.5")
    again = bradley_terry(9, seed=3, spread=0.5)
    assert np.array_equal(mu.array, again.array)
    assert mu.name == "bradley-terry:9:seed=3:spread=0.5"
    sizes = {"planted-condorcet": "3:2", "planted-subsets": "6:2", "random-items": "3:8"}
    for generator in GENERATORS:
        problem = generated_problem(f"{generator}:{sizes.get(generator, '5')}")
        assert problem.family == ("matchings" if "condorcet" in generator else problem.family)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bradley-terry", "expected arms, such as bradley-terry:8"),
        ("bradley-terry:8:sed=1", "unknown argument of bradley-terry 'sed'; did you mean 'seed'"),
        ("bradley-terry:8:seed=x", "'x' is no number"),
        ("bradley-terry:1", "arms is 1, expected a whole number, at least 2"),
        ("random-items:3:8:name=2", "unknown argument of random-items 'name'"),
    ],
)
def test_a_wrong_name_of_a_random_problem_is_refused(name, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.load_problem(name)
