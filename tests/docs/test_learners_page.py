"""The command beside each learner in the table of the site runs, and answers what it should.

Each is run as it stands but for its size: one run, in this process, of at most ``ROUNDS`` rounds,
where what it would play to the end may take minutes.
"""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

import cpe_opt as cpe
from cpe_opt.learners.registry import LEARNERS, learner_entry
from tests.commands.test_cli import run

DOCS = Path(__file__).parents[2] / "docs"
ROUNDS = 300
ROW = re.compile(r"^\| \[`([\w-]+)`\].*<br>`cpe-opt (run [^`]*)` \|", re.M)


@pytest.fixture(scope="module")
def commands():
    """The arguments of each learner's command, from the page as it is built."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        import generated_pages

        page = generated_pages.learners_page()
        sys.modules.pop("generated_pages")
    return {name: shlex.split(command) for name, command in ROW.findall(page)}


def shortened(arguments):
    """The same with few rounds, one run, JSON."""
    if "--horizon" in arguments:
        place = arguments.index("--horizon")
        arguments = [*arguments[:place], *arguments[place + 2 :]]
    return [*arguments, "--horizon", str(ROUNDS), "--runs", "1", "--jobs", "1", "--json"]


@pytest.mark.parametrize("name", LEARNERS)
def test_the_command_of_a_learner_runs(name, commands):
    arguments = commands[name]
    assert arguments[:2] == ["run", name]
    done = run(*shortened(arguments))
    assert done.exit_code == 0, done.output
    (row,) = json.loads(done.stdout)
    assert row["rounds"] <= ROUNDS
    assert 0 < row["duels" if "duels" in row else "pulls"] <= ROUNDS
    problem = cpe.load_instance(arguments[2])
    assert learner_entry(name).declaration.family == problem.family
    assert SHAPES[problem.family](row["answer"], problem)


def arm_or_ranking(answer, problem):
    if isinstance(answer, list):
        return sorted(answer) == list(range(problem.arms))
    return answer is None or answer in range(problem.arms)


def matching(answer, problem):
    return tuple(answer) in set(problem.graph.matchings())


def member_of_the_class(answer, problem):
    return tuple(answer) in set(problem.decisions.sets())


def plan(answer, problem):
    return re.fullmatch(r"lake: \d+, river: \d+, well: \d+.*", problem.known.describe(answer))


SHAPES = {
    "dueling": arm_or_ranking,
    "matchings": matching,
    "subsets": member_of_the_class,
    "separable": plan,
}


def test_every_learner_s_command_names_itself(commands):
    assert set(commands) == set(LEARNERS)
    assert not any("…" in word for arguments in commands.values() for word in arguments)
