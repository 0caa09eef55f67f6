"""The page on the JSON of evidence names its keys, and no others."""

import re
from pathlib import Path

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.problems.answer_rows import AnswerRows

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "evidence-json.md"


def keys_of(part):
    """The keys in the first column of a table."""
    cells = re.findall(r"^\| (`[^|]*) \|", part, re.MULTILINE)
    return {key for cell in cells for key in re.findall(r"`(\w+)`", cell)}


@pytest.fixture(scope="module")
def found():
    return cpe.evidence(cpe.Votes([[0, 60, 9], [20, 0, 30], [6, 8, 0]]), margin=0.1, top=1)


def test_the_page_has_every_key(found):
    page, _, checks = PAGE.read_text(encoding="utf-8").partition("\n## Checks\n")
    page, _, scores = page.partition("\n## Scores on items\n")
    scores, _, games = scores.partition("\n## Pairs of games\n")
    assert keys_of(games) == cpe.two_arms([1] * 5, low=0.5, high=0.6).as_dict().keys()
    whole, votes = page.split("\n`votes` has:\n")
    said = found.as_dict()
    assert keys_of(whole) == said.keys()
    assert keys_of(votes) == said["votes"].keys()
    boards = cpe.evidence_by({"a": found.votes}, by="x").as_dict()
    assert set(re.findall(r"`(\w+)`", votes[votes.index("With `--by") :])) >= boards.keys()
    said = cpe.evidence(cpe.ItemScores([[1, 0], [0, 1]])).as_dict()
    assert set(re.findall(r"`(\w+)`", scores)) >= said.keys()
    assert keys_of(scores) <= said.keys()
    rows = AnswerRows(
        name="log", what="a log of duels", labels=("a", "b"), count=np.ones(1), value=np.ones(1),
        first=np.zeros(1, np.int64), second=np.ones(1, np.int64),
    )  # fmt: skip
    assert keys_of(checks) == cpe.check_answers(rows).as_dict().keys()


def test_labels_are_keys_in_the_order_of_ranks(found):
    said = found.as_dict()
    order = [found.votes.labels[arm] for arm in found.ranking]
    for key in ("copeland", "condorcet", "borda", "within_margin", "ranks", "copeland_ranks"):
        assert list(said[key]) == order
