"""Votes come back from a log as they went out, and what it cannot say is refused."""

import csv
import re

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.formats.tables import MISSING
from tests.problems.dueling.test_votes import random_votes
from tests.support import all_of

SIGNS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
LABELS = st.lists(st.text(SIGNS, max_size=6).map(str.strip), min_size=2, max_size=6, unique=True)
TIED = cpe.Votes([[0, 2.5, 1], [0.5, 0, 0], [0, 0, 0]], ["a", "b", "c"])


def votes_of(seed, labels):
    """Random votes in which every arm met another."""
    wins, tied = random_votes(seed, len(labels))
    for arm in np.flatnonzero(~(wins + wins.T).any(axis=1)):
        wins[arm, arm - 1] += 1
    return cpe.Votes(wins, labels, tied=tied)


def by_label(votes):
    """The same votes with labels in order."""
    return votes.submatrix(sorted(range(votes.arms), key=lambda arm: votes.labels[arm]))


@given(st.integers(0, 10**6), st.integers(2, 7))
@settings(max_examples=8)
def test_votes_come_back(tmp_path_factory, seed, arms):
    folder = tmp_path_factory.mktemp("votes")
    votes = votes_of(seed, [f"arm {k}" for k in range(arms)])
    path = cpe.write_votes(votes, folder / "votes.csv")
    assert [*folder.iterdir()] == [path]
    read = cpe.read_votes(path)
    assert by_label(read) == by_label(votes)
    assert by_label(read).tied.tolist() == by_label(votes).tied.tolist()
    assert read.summary.unused == ()
    again = cpe.write_votes(read, folder / "again.csv")
    assert cpe.read_votes(again) == read


@given(LABELS)
@example(["#x", 'a"b', "a,b", "a;b\tc", "'", "1.50"])
@example(["\x85", "a\u2028b", "a\x0bb", "\ufeffa", "a\x1cb"])
@example(["-", "[", "{", '"', "\\", "\\u0041"])
@example(["tie", "b"])
@example(["winner", "loser"])
@example(["nan", "b"])
def test_any_label_comes_back_or_is_refused(tmp_path_factory, labels):
    path = tmp_path_factory.mktemp("votes") / "votes.csv"
    if not all(label.strip() for label in labels):
        return
    wins = np.triu(np.ones((len(labels), len(labels))), 1)
    votes = cpe.Votes(wins, labels)
    refused = any(
        label in MISSING
        or {"\n", "\r", "\0"} & {*label}
        or re.search(r"\s#", label)
        or any("\ud800" <= letter <= "\udfff" for letter in label)
        for label in labels
    )
    if refused:
        with pytest.raises(cpe.InputError, match=r"^label "):
            cpe.write_votes(votes, path)
        assert not path.exists()
    else:
        assert cpe.read_votes(cpe.write_votes(votes, path)) == votes


def test_arms_keep_their_order_where_lines_can_name_them_so(tmp_path):
    wins = np.zeros((6, 6))
    wins[0, 1] = wins[2, 3] = wins[3, 1] = wins[5, 4] = wins[4, 0] = wins[5, 2] = 1
    votes = cpe.Votes(wins, list("abcdef"))
    assert cpe.read_votes(cpe.write_votes(votes, tmp_path / "votes.csv")) == votes
    late = votes.submatrix([0, 2, 3, 1, 4, 5])
    read = cpe.read_votes(cpe.write_votes(late, tmp_path / "late.csv"))
    assert by_label(read) == by_label(late)


def test_other_programs_can_read_the_files(tmp_path):
    with cpe.write_votes(TIED, tmp_path / "a.csv").open() as file:
        told = [*csv.DictReader(file)]
    assert told[0] == {"model_a": "a", "model_b": "b", "winner": "model_a"}
    assert [row["winner"] for row in told].count("tie") == 1


def test_nothing_is_overwritten_unless_told(tmp_path):
    path = cpe.write_votes(TIED, tmp_path / "new" / "b.csv")
    before = path.read_bytes()
    with pytest.raises(cpe.InputError, match=r"b.csv' exists; --force overwrites it"):
        cpe.write_votes(cpe.Votes([[0, 1], [0, 0]]), path)
    assert path.read_bytes() == before
    cpe.write_votes(cpe.Votes([[0, 1], [0, 0]]), path, force=True)
    assert path.read_text() == "model_a,model_b,winner\n0,1,model_a\n"
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(cpe.InputError, match="is a folder"):
        cpe.write_votes(TIED, tmp_path / "folder.csv", force=True)


def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch):
    def full(self, *_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cpe_opt.files.os.fsync", full)
    with pytest.raises(cpe.CpeOptError, match="No space left"):
        cpe.write_votes(TIED, tmp_path / "b.csv")
    assert not [*tmp_path.iterdir()]


RANKED = cpe.Votes([[0, 2], [1, 0]], independent=False)
ALONE = cpe.Votes([[0, 2, 0], [1, 0, 0], [0, 0, 0]], ["a", "b", "c"])
BAD = [
    (ALONE, "b.csv", "'c' met no other arm, and a log names only arms that did; votes.sub"),
    (cpe.Votes(np.zeros((2, 2))), "b.csv", "'0' met no other arm, and a log names only"),
    (RANKED, "b.csv", "these come in clusters or from rankings"),
    (TIED, "b.jsonl", "expected a name that ends in .csv"),
]


@all_of(("votes", "name", "message"), BAD)
def test_what_a_log_cannot_say_is_refused(tmp_path, votes, name, message):
    with pytest.raises(cpe.CpeOptError) as error:
        cpe.write_votes(votes, tmp_path / name)
    assert message in str(error.value)
    assert not [*tmp_path.iterdir()]
