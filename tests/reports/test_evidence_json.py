"""The page on the JSON of evidence names its keys, and no others."""

import re
from pathlib import Path

import pytest

import cpe_opt as cpe

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "evidence-json.md"


def keys_of(part):
    """The keys in the first column of a table."""
    cells = re.findall(r"^\| (`[^|]*) \|", part, re.MULTILINE)
    return {key for cell in cells for key in re.findall(r"`(\w+)`", cell)}


@pytest.fixture(scope="module")
def found():
    return cpe.evidence(cpe.Votes([[0, 60, 9], [20, 0, 30], [6, 8, 0]]), margin=0.1, top=1)


def test_the_page_has_every_key(found):
    whole, votes = PAGE.read_text(encoding="utf-8").split("\n`votes` has:\n")
    said = found.as_dict()
    assert keys_of(whole) == said.keys()
    assert keys_of(votes) == said["votes"].keys()
    boards = cpe.evidence_by({"a": found.votes}, by="x").as_dict()
    assert set(re.findall(r"`(\w+)`", votes[votes.index("With `--by") :])) >= boards.keys()


def test_labels_are_keys_in_the_order_of_ranks(found):
    said = found.as_dict()
    order = [found.votes.labels[arm] for arm in found.ranking]
    for key in ("copeland", "condorcet", "borda", "within_margin", "ranks", "copeland_ranks"):
        assert list(said[key]) == order
