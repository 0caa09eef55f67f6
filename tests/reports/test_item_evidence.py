"""What a table of scores proves of new items, in words, as values and as a page."""

import json

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.reports.decision import write_evidence_page
from tests.commands.test_cli import run

LEVEL = np.array([0.8, 0.8, 0.5, 0.2])[:, None]
NAMES = ["terse", "plain", "long", "odd <b>"]


def table(n=1500, seed=0):
    common = np.random.default_rng(seed).random(n)
    return cpe.ItemScores((common < LEVEL).astype(float), NAMES, name="prompts")


@pytest.fixture
def path(tmp_path):
    scores, path = table(400), tmp_path / "prompts.csv"
    rows = [
        (NAMES[a], f"q{t}", scores.scores[a, t], f"d{t // 4}") for a in range(4) for t in range(400)
    ]
    frame = pd.DataFrame(rows, columns=["arm", "item", "score", "document"])
    frame.to_csv(path, index=False)
    return path


def test_statuses_follow_from_ranks():
    found = cpe.evidence(table(), margin=0.05)
    assert found.ranks == ((1, 2), (1, 2), (3, 3), (4, 4))
    assert [*found.best.values()] == ["possible", "possible", "ruled out", "ruled out"]
    text = str(found)
    assert "the best: possible for terse, plain; ruled out for long, odd <b>" in text
    assert "all that may be the best are equal: terse, plain" in text


def test_values_are_plain_and_complete():
    plain = json.loads(json.dumps(cpe.evidence(table(), margin=0.05).as_dict()))
    assert (plain["items"], plain["scores"], plain["clusters"]) == (1500, 6000, None)
    assert plain["equal"] == [["terse", "plain"]]
    assert ["terse", "long"] in plain["better"]
    assert plain["tied_set"] == ["terse", "plain"]
    assert plain["lower"][0][2] > 0.2


def test_the_table_has_the_best_first_and_by_how_much_others_are_behind():
    frame = cpe.evidence(table()).table()
    assert frame["label"].tolist() == NAMES
    assert (frame["behind_least"] <= frame["mean"][0] - frame["mean"]).all()
    assert (frame["behind_most"] >= frame["mean"][0] - frame["mean"]).all()


def test_missing_scores_are_said():
    scores = np.array(table(60).scores)
    scores[0, :7] = np.nan
    text = str(cpe.evidence(cpe.ItemScores(scores[:2], NAMES[:2])))
    assert "7 of 120 scores are missing" in text


def test_an_arm_without_scores_may_have_any_rank():
    scores = np.array(table(600).scores)
    scores[0] = np.nan
    found = cpe.evidence(cpe.ItemScores(scores, NAMES))
    assert found.ranks == ((1, 4), (1, 2), (2, 3), (3, 4))
    assert found.order.tolist() == [1, 2, 3, 0]
    assert "terse – 1–4 -0." in " ".join(str(found).split())


def test_what_has_no_effect_is_refused():
    with pytest.raises(InputError, match="prices has no effect on scores"):
        cpe.evidence(table(9), prices=1.0)
    with pytest.raises(InputError, match="clusters has no effect on votes"):
        cpe.evidence(cpe.Votes([[0, 2], [1, 0]]), clusters=["x"])
    with pytest.raises(InputError, match="top has no effect on scores"):
        cpe.evidence(table(9), top=1)


def test_the_page_and_the_command_say_the_same(path, tmp_path):
    page = write_evidence_page(cpe.evidence(table()), tmp_path / "page.html").read_text()
    assert "odd &lt;b&gt;" in page
    assert "drawn independently from one source" in page
    done = run("evidence", path, "--margin", 0.05, "--report", tmp_path / "r.html")
    assert done.exit_code == 0
    assert "prompts: 4 arms, 400 items" in done.stdout
    assert "warning: the column 'document' has 100 different values" in done.stdout
    by = run("evidence", path, "--cluster", "document", "--json")
    plain = json.loads(by.stdout)
    assert (plain["clusters"], plain["warnings"]) == (100, [])
    same = cpe.evidence(cpe.read_item_scores(path), clusters=[t // 4 for t in range(400)])
    assert plain["lower"] == same.as_dict()["lower"]


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--plot=p.png", "--plot has no effect here"),
        ("--prices=p.csv", "--prices has no effect here"),
        ("--by=document", "--by has no effect on a table of scores"),
        ("--where=document=d1", "--where has no effect on a table of scores"),
        ("--planned", "--planned has no effect here"),
        ("--cluster=who", "no column 'who'"),
        ("--cluster=score", "cluster is 'score', expected a further column"),
    ],
)
def test_options_of_other_files_are_refused(path, option, words):
    done = run("evidence", path, option)
    assert done.exit_code == 2
    assert words in done.stderr


def test_an_item_is_of_one_cluster(path):
    text = path.read_text().replace("plain,q7,1.0,d1", "plain,q7,1.0,d9")
    path.write_text(text)
    with pytest.raises(InputError, match="document of the item 'q7' is 'd9', and on an earlier"):
        cpe.read_item_clusters(path, "document", ["q7"])
