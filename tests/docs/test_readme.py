"""Every command and every line of the README, as somebody would type it."""

import re
import sys
from pathlib import Path

import cpe_opt as cpe
from tests.docs.blocks import Reader, blocks_of

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
INSTALL = "pip install ."  # the wheel is made and used in tests/test_package.py
VOTES = "votes = cpe.Votes([[0, 35, 30], [20, 0, 60], [28, 20, 0]]"
DUELS = """\
winner,loser,count
tuna,salmon,35
tuna,squid,30
salmon,tuna,20
salmon,squid,60
squid,tuna,28
squid,salmon,20
"""


def test_it_prints_what_it_says(tmp_path, monkeypatch):
    """Its script, its commands with one answer typed, and the files that they write."""
    monkeypatch.chdir(tmp_path)
    assert VOTES in README
    Path("duels.csv").write_text(DUELS, encoding="utf-8")
    typed = {"cpe-opt session run taste.jsonl": "1\n"}
    reader = Reader(tmp_path, Path(sys.executable).parent, (INSTALL,), typed)
    assert reader.read(README, "README.md") == len(blocks_of(README)) == 3
    assert round(cpe.solve(cpe.read_program(tmp_path / "sushi.lp")).objective, 4) == 142.6078
    assert all(Path(name).stat().st_size > 1000 for name in ("duels.html", "regret.png"))
    with cpe.Session.open("taste.jsonl") as session:
        assert session.status().answers == 1


def test_its_numbers_are_those_that_are_printed():
    """What the text below the script says is what the script prints."""
    script, _, rest = README.partition("## In Python")[2].partition("```\n\n")
    text = rest.partition("##")[0]
    needed, taken = re.findall(r"(?:# |True )(\d{4,5})$", script, re.M)
    assert f"fewer than {int(needed):,} duels" in text
    assert f"took {int(taken):,} here" in text
    assert "copeland_time(mu).duels(0.05)" in script
    assert "errs with probability at most 0.05" in text


def test_two_commands_begin():
    start = blocks_of(README.partition("## In Python")[0])
    commands = [line for block in start for line in block.body.splitlines() if line[:2] == "$ "]
    assert commands[0] == f"$ {INSTALL}"
    assert len(commands) == 3


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
