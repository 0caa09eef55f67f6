"""Votes come back from every form as they went out, and what a form cannot say is refused."""

import csv
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.formats.tables import MISSING, NO_ARMS
from cpe_opt.formats.votes import LOG_FORMS
from tests.problems.dueling.test_votes import random_votes
from tests.support import all_of

SIGNS = st.characters(codec="utf-8", exclude_characters="\0")
LABELS = st.lists(st.text(SIGNS, max_size=6).map(str.strip), min_size=2, max_size=6, unique=True)
TIED = cpe.Votes([[0, 2.5, 1], [0.5, 0, 0], [0, 0, 0]], ["a", "b", "c"])
PLAIN = cpe.Votes([[0, 2, 0], [1, 0, 3], [0, 0, 0]], ["0", "2", "10"])


def votes_of(seed, labels, form):
    """Random votes that the form can say; every arm met another."""
    wins, tied = random_votes(seed, len(labels))
    if form == "winners":
        wins, tied = wins - tied / 2, np.zeros_like(tied)
    for arm in np.flatnonzero(~(wins + wins.T).any(axis=1)):
        wins[arm, arm - 1] += 1
    return cpe.Votes(wins, labels, tied=tied)


def by_label(votes):
    """The same votes with labels in order."""
    return votes.submatrix(sorted(range(votes.arms), key=lambda arm: votes.labels[arm]))


@pytest.mark.parametrize("form", LOG_FORMS)
@given(st.integers(0, 10**6), st.integers(2, 7))
@settings(max_examples=4)
def test_votes_come_back(form, tmp_path_factory, seed, arms):
    folder = tmp_path_factory.mktemp("votes")
    votes = votes_of(seed, [f"arm {k}" for k in range(arms)], form)
    path = cpe.write_votes(votes, folder / "votes.csv", form)
    assert [*folder.iterdir()] == [path]
    read = cpe.read_votes(path)
    assert by_label(read) == by_label(votes)
    assert by_label(read).tied.tolist() == by_label(votes).tied.tolist()
    assert read.summary.unused == ()
    again = cpe.write_votes(read, folder / "again.csv", form)
    assert cpe.read_votes(again) == read


@given(LABELS, st.sampled_from([*LOG_FORMS]))
@settings(max_examples=40)
@example(["#x", 'a"b', "a,b", "a;b\tc", "'", "1.50"], "arena")
@example(["\x85", "a\u2028b", "a\x0bb", "\ufeffa", "a\x1cb"], "winners")
@example(["-", "[", "{", '"', "\\", "\\u0041"], "winners")
@example(["tie", "b"], "winners")
@example(["winner", "loser"], "arena")
@example(["nan", "b"], "arena")
def test_any_label_comes_back_or_is_refused(tmp_path_factory, labels, form):
    path = tmp_path_factory.mktemp("votes") / "votes.csv"
    if not all(label.strip() for label in labels):
        return
    wins = np.triu(np.ones((len(labels), len(labels))), 1)
    votes = cpe.Votes(wins, labels)
    refused = any(
        label in MISSING
        or {"\n", "\r", "\0"} & {*label}
        or (form == "winners" and label.lower() in NO_ARMS)
        or re.search(r"\s#", label)
        or any("\ud800" <= letter <= "\udfff" for letter in label)
        for label in labels
    )
    if refused:
        with pytest.raises(cpe.InputError, match=r"^label "):
            cpe.write_votes(votes, path, form)
        assert not path.exists()
    else:
        assert cpe.read_votes(cpe.write_votes(votes, path, form)) == votes


def test_arms_keep_their_order_where_lines_can_name_them_so(tmp_path):
    wins = np.zeros((6, 6))
    wins[0, 1] = wins[2, 3] = wins[3, 1] = wins[5, 4] = wins[4, 0] = wins[5, 2] = 1
    votes = cpe.Votes(wins, list("abcdef"))
    for form in LOG_FORMS:
        assert cpe.read_votes(cpe.write_votes(votes, tmp_path / f"{form}.csv", form)) == votes
    late = votes.submatrix([0, 2, 3, 1, 4, 5])
    read = cpe.read_votes(cpe.write_votes(late, tmp_path / "late.csv"))
    assert by_label(read) == by_label(late)


def test_other_programs_can_read_the_files(tmp_path):
    with cpe.write_votes(TIED, tmp_path / "a.csv").open() as file:
        told = [*csv.DictReader(file)]
    assert told[0] == {"model_a": "a", "model_b": "b", "winner": "model_a"}
    assert [row["winner"] for row in told].count("tie") == 1
    counted = pd.read_csv(cpe.write_votes(PLAIN, tmp_path / "w.csv", "winners"))
    assert counted.to_numpy().tolist() == [[0, 2, 2], [2, 0, 1], [2, 10, 3]]


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
    (TIED, "b.csv", "winners", "'a' and 'b' tied, and the form 'winners' has no ties; arena has"),
    (ALONE, "b.csv", None, "'c' met no other arm, and a log names only arms that did; votes.sub"),
    (cpe.Votes(np.zeros((2, 2))), "b.csv", None, "'0' met no other arm, and a log names only"),
    (RANKED, "b.csv", None, "these come in clusters or from rankings"),
    (TIED, "b.jsonl", "arena", "expected a name that ends in .csv"),
    (TIED, "b.csv", "matrix", "unknown form of votes 'matrix'"),
]


@all_of(("votes", "name", "form", "message"), BAD)
def test_what_a_form_cannot_say_is_refused(tmp_path, votes, name, form, message):
    with pytest.raises(cpe.CpeOptError) as error:
        cpe.write_votes(votes, tmp_path / name, form)
    assert message in str(error.value)
    assert not [*tmp_path.iterdir()]
