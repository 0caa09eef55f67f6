"""The example in the help of every command is run, and prints what the site shows below it.

One after another in one folder, as ``docs/command_examples.md`` has them; the longest of them with
the slow tests alone.
"""

import importlib
import re
import sys
from pathlib import Path

import pandas as pd
import pytest

import cpe_opt as cpe
from tests.docs.blocks import Reader, blocks_of

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "command_examples.md").read_text(encoding="utf-8")


@pytest.fixture
def commands_page(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    yield importlib.import_module("commands_page")
    sys.modules.pop("commands_page")


def test_every_command_s_example_is_shown(commands_page):
    """The sections are the commands, in their order, and begin with the example of the help."""
    shown = commands_page.examples()
    assert list(shown) == [name for name, _ in commands_page.commands()]
    for name, command in commands_page.commands():
        (console,) = [each for each in blocks_of(shown[name]) if each.language == "console"]
        first, *output = console.body.splitlines()
        assert command.epilog == f"Example: {first.removeprefix('$ ')}"
        assert first.startswith(f"$ {name}")
        assert any(line.strip(".") for line in output), f"no output of {name}"


# What takes more than a second or two, and what reads the results of that.
LONG = tuple(
    command
    for command in re.findall(r"^\$ (.*)$", PAGE, re.M)
    if re.match("cpe-opt (compare|report|session serve) ", command)
)


def test_they_print_what_the_site_shows(tmp_path, monkeypatch):
    assert len(LONG) == 3
    monkeypatch.chdir(tmp_path)
    Reader(tmp_path, Path(sys.executable).parent, LONG).read(PAGE, "command_examples.md")
    assert all((tmp_path / f"{name}.png").stat().st_size > 5000 for name in ("votes", "regret"))
    assert (tmp_path / "votes.html").stat().st_size > 5000
    assert round(cpe.solve(cpe.read_program("gap.lp")).objective, 4) == 11.0249
    team = cpe.load_problem("team.csv")
    assert (team.graph.candidates, team.graph.positions) == (5, 3)
    assert len(pd.read_csv("answers.csv")) == 18
    assert cpe.Session.read("taste.jsonl").status().withdrawn == 1


@pytest.mark.slow
def test_they_all_print_what_the_site_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Reader(tmp_path, Path(sys.executable).parent).read(PAGE, "command_examples.md")
    assert (tmp_path / "results.html").stat().st_size > 5000
