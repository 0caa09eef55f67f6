"""Votes come back from every form as they went out, and what a form cannot say is refused."""

import csv
import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.formats.kinds import NO_ARMS
from cpe_opt.formats.tables import MISSING
from cpe_opt.formats.votes import WRITTEN_FORMS, suffixes_of
from tests.problems.dueling.test_votes import random_votes
from tests.support import all_of

TIES = ("arena", "flags", "evalica")
FILES = [(form, suffix) for form in WRITTEN_FORMS for suffix in suffixes_of(form)]
SIGNS = st.characters(codec="utf-8", exclude_characters="\0")
LABELS = st.lists(st.text(SIGNS, max_size=6).map(str.strip), min_size=2, max_size=6, unique=True)
TIED = cpe.Votes([[0, 2.5, 1], [0.5, 0, 0], [0, 0, 0]], ["a", "b", "c"])
PLAIN = cpe.Votes([[0, 2, 0], [1, 0, 3], [0, 0, 0]], ["0", "2", "10"])


def votes_of(seed, labels, form):
    """Random votes that the form can say; every arm met another."""
    wins, tied = random_votes(seed, len(labels))
    if form not in TIES:
        wins, tied = wins - tied / 2, np.zeros_like(tied)
    for arm in np.flatnonzero(~(wins + wins.T).any(axis=1)):
        wins[arm, arm - 1] += 1
    if form == "matrix":
        wins[0, 1] += 2
    votes = cpe.Votes(wins, labels, tied=tied)
    return votes if form != "matrix" else cpe.Votes(wins, labels)


def by_label(votes):
    """The same votes with labels in order."""
    return votes.submatrix(sorted(range(votes.arms), key=lambda arm: votes.labels[arm]))


@pytest.mark.parametrize(("form", "suffix"), FILES)
@given(st.integers(0, 10**6), st.integers(2, 7))
@settings(max_examples=4)
def test_votes_come_back(form, suffix, tmp_path_factory, seed, arms):
    folder = tmp_path_factory.mktemp("votes")
    labels = [str(3 * k) if form == "choix" else f"arm {k}" for k in range(arms)]
    votes = votes_of(seed, labels, form)
    path = cpe.write_votes(votes, folder / f"votes{suffix}", form)
    assert [*folder.iterdir()] == [path]
    read = cpe.read_votes(path)
    assert by_label(read) == by_label(votes)
    assert by_label(read).tied.tolist() == by_label(votes).tied.tolist()
    assert read.summary.unused == ()
    if form in ("choix", "matrix"):
        assert read == votes
    again = cpe.write_votes(read, folder / f"again{suffix}", form)
    assert cpe.read_votes(again) == read


@given(LABELS, st.sampled_from([(form, s) for form, s in FILES if form not in ("choix", "matrix")]))
@settings(max_examples=100)
@example(["#x", 'a"b', "a,b", "a;b\tc", "'", "1.50"], ("arena", ".csv"))
@example(["model #2", "tie", "b"], ("arena", ".jsonl"))
@example(["\x85", "a\u2028b", "a\x0bb", "\ufeffa", "a\x1cb"], ("winners", ".csv"))
@example(["-", "[", "{", '"', "\\", "\\u0041"], ("pairs", ".json"))
@example(["tie", "b"], ("pairs", ".csv"))
@example(["nan", "b"], ("evalica", ".csv"))
def test_any_label_comes_back_or_is_refused(tmp_path_factory, labels, kind):
    form, suffix = kind
    path = tmp_path_factory.mktemp("votes") / f"votes{suffix}"
    if not all(label.strip() for label in labels):
        return
    wins = np.triu(np.ones((len(labels), len(labels))), 1)
    votes = cpe.Votes(wins, labels)
    said = form in TIES
    refused = any(
        label in MISSING
        or {"\n", "\r", "\0"} & {*label}
        or (not said and label.lower() in NO_ARMS)
        or (suffix == ".csv" and re.search(r"\s#", label))
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
    for form in ("arena", "winners", "pairs"):
        assert cpe.read_votes(cpe.write_votes(votes, tmp_path / f"{form}.csv", form)) == votes
    late = votes.submatrix([0, 2, 3, 1, 4, 5])
    read = cpe.read_votes(cpe.write_votes(late, tmp_path / "late.csv"))
    assert by_label(read) == by_label(late)


def test_other_programs_can_read_the_files(tmp_path):
    """In the terms of those whose form it is, one line a vote."""
    arena = json.loads(cpe.write_votes(TIED, tmp_path / "b.json").read_text())
    assert len(arena) == 4
    assert pd.DataFrame(arena)["winner"].value_counts().to_dict() == {"model_a": 3, "tie": 1}
    with cpe.write_votes(TIED, tmp_path / "e.csv", "evalica").open() as file:
        told = [*csv.DictReader(file)]
    assert told[0] == {"left": "a", "right": "b", "winner": "left"}
    assert [row["winner"] for row in told].count("tie") == 1
    flags = pd.read_csv(cpe.write_votes(TIED, tmp_path / "f.csv", "flags"))
    assert flags.sum()[2:].to_dict() == {"winner_model_a": 3, "winner_model_b": 0, "winner_tie": 1}
    pairs = [(0, 2)] * 2 + [(2, 0)] + [(2, 10)] * 3
    for suffix, delimiter in ((".txt", None), (".csv", ",")):
        text = np.loadtxt(
            cpe.write_votes(PLAIN, tmp_path / f"c{suffix}"[:5], "choix"), delimiter=delimiter
        )
        assert sorted(map(tuple, text.astype(int).tolist())) == pairs
    told = json.loads(cpe.write_votes(PLAIN, tmp_path / "c.json", "choix").read_text())
    assert sorted(map(tuple, told)) == pairs
    chosen = pd.read_json(cpe.write_votes(PLAIN, tmp_path / "p.jsonl", "pairs"), lines=True)
    assert [*chosen.columns] == ["chosen_model", "rejected_model"]
    assert len(chosen) == 6
    counted = pd.read_csv(cpe.write_votes(PLAIN, tmp_path / "w.csv", "winners"))
    assert counted.to_numpy().tolist() == [[0, 2, 2], [2, 0, 1], [2, 10, 3]]


def test_nothing_is_overwritten_unless_told(tmp_path):
    path = cpe.write_votes(TIED, tmp_path / "new" / "b.csv")
    before = path.read_bytes()
    with pytest.raises(cpe.InputError, match=r"b.csv' exists; force=True overwrites it"):
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
MANY = cpe.Votes([[0, 2], [2, 0]], tied=[[0, 4], [4, 0]])
BAD = [
    (TIED, "b.csv", "winners", "'a' and 'b' tied, and the form 'winners' has no ties; arena, fla"),
    (TIED, "b.txt", None, "'a' and 'b' tied, and the form 'choix' has no ties"),
    (ALONE, "b.csv", None, "'c' met no other arm, and a log names only arms that did; form='mat"),
    (cpe.Votes(np.zeros((2, 2))), "b.csv", None, "'0' met no other arm, and a log names only"),
    (RANKED, "b.csv", None, "these come in clusters or from rankings"),
    (RANKED, "b.csv", "matrix", "these come in clusters or from rankings"),
    (ALONE.submatrix([0, 1]), "b.txt", None, "labels a, b: arms of the form 'choix' are"),
    (PLAIN.submatrix([1, 0]), "b.json", "choix", "labels 2, 0: arms of the form 'choix' are"),
    (cpe.Votes([[0, 1], [0, 0]]), "b.csv", "matrix", "no pair met more than once, so that a"),
    (MANY, "b.csv", "matrix", "a matrix of wins does not say how many votes were ties; the form"),
    (TIED, "b", "flags", "expected a name that ends in .csv, .jsonl"),
    (PLAIN, "b.json", "matrix", "expected a name that ends in .csv"),
    (TIED, "b.csv", "elo", "unknown form of votes 'elo'"),
]


@all_of(("votes", "name", "form", "message"), BAD)
def test_what_a_form_cannot_say_is_refused(tmp_path, votes, name, form, message):
    with pytest.raises(cpe.CpeOptError) as error:
        cpe.write_votes(votes, tmp_path / name, form)
    assert message in str(error.value)
    assert not [*tmp_path.iterdir()]


def test_an_arm_that_met_no_other_stays_in_a_matrix(tmp_path):
    assert cpe.read_votes(cpe.write_votes(ALONE, tmp_path / "m.csv", "matrix")) == ALONE
