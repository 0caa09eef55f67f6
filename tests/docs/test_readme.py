"""Every command and every line of the README, as somebody would type it."""

import shlex
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cpe_opt as cpe
from cpe_opt.cli import app
from tests.docs.blocks import Reader, blocks_of

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PLAIN = [each.body.strip().splitlines() for each in blocks_of(README) if not each.language]
START, COMMANDS = PLAIN


def test_its_script_prints_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert Reader(tmp_path, Path(sys.executable).parent).read(README, "README.md") == 1
    assert round(cpe.solve(cpe.read_program(tmp_path / "sushi.lp")).objective, 4) == 142.6078


def test_three_commands_to_the_first_answered_duel(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    install, *others = START
    assert install == "pip install ."
    assert len(others) == 2
    for line in others:
        done = typed(line, input="1\n")
    assert "stopped: 1 answer, 1 in all" in done.stdout
    with cpe.Session.open("taste.jsonl") as session:
        assert session.status().answers == 1


@pytest.mark.parametrize("line", COMMANDS)
def test_its_other_commands_work(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("duels.csv").write_text("winner,loser,count\na,b,30\nb,a,2\n", encoding="utf-8")
    typed(line)
    names = ("duels.html", "regret.png")
    assert all(Path(name).stat().st_size > 1000 for name in names if name in line)


def test_it_names_what_there_is():
    """The table of families, and the files that are linked."""
    table = [line for line in README.splitlines() if line.startswith("| ") and "`" in line]
    assert len(table) == 4
    for line in table:
        nouns, learners = (cell.split("`")[1::2] for cell in line.split("|")[3:5])
        assert all(hasattr(cpe, noun) and hasattr(cpe, f"{noun}_program") for noun in nouns)
        assert all(hasattr(cpe.learners, name.replace("-", "_")) for name in learners)
    links = [part.split(")")[0] for part in README.split("](")[1:]]
    assert len(links) > 10
    assert all((ROOT / link).exists() for link in links)


def test_it_fits_a_screen_and_a_half():
    assert len(README.splitlines()) <= 100
    assert len(README.split()) <= 650


def typed(line, **how):
    name, *arguments = shlex.split(line, comments=True)
    assert name == "cpe-opt"
    done = CliRunner().invoke(app, arguments, catch_exceptions=False, **how)
    assert done.exit_code == 0
    return done
