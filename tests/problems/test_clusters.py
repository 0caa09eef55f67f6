"""Votes in clusters: outcomes are means of clusters, and what crosses them is said."""

from html import unescape

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.registry import get_learner
from cpe_opt.problems.clusters import row_codes
from cpe_opt.reports.decision import evidence_report
from tests.commands.test_cli import run

ROWS = [
    # model_a, model_b, winner, prompt, rater, turn
    ("a", "b", "model_a", "p1", "r1", "t1"),
    ("b", "a", "model_a", "p1", "r2", "t1"),
    ("a", "b", "tie", "p1", "r1", "t2"),
    ("a", "c", "model_b", "p1", "r1", "t2"),
    ("a", "b", "model_a", "p2", "r2", "t3"),
    ("b", "c", "model_a", "p3", "r3", "t4"),
    ("c", "b", "model_b", "p3", "r3", "t4"),
]
COLUMNS = ["model_a", "model_b", "winner", "prompt", "rater", "session"]


@pytest.fixture
def frame():
    return pd.DataFrame(ROWS, columns=COLUMNS)


def test_the_mean_of_a_cluster_on_a_pair_is_one_outcome(frame):
    votes = cpe.read_votes(frame, cluster="Prompt")
    assert votes.labels == ("a", "b", "c")
    expected = [[0, 1.5, 0], [0.5, 0, 1], [1, 0, 0]]
    assert votes.proving_wins.tolist() == expected
    assert votes.fractions[0].tolist() == [0.5, 0.75, 0.0]
    assert votes.wins[0, 1] == 2.5  # as many as there are
    assert votes.duels.sum() == 2 * len(ROWS)
    assert not votes.independent  # p1 has two pairs
    by = votes.summary.clustering
    assert (by.column, by.clusters, by.smallest, by.median, by.largest) == ("prompt", 3, 1, 2.0, 4)
    assert by.crossed == ("rater",)  # r2 is in p1 and p2; sessions are within prompts
    assert votes.summary.clusters == ()


def test_votes_of_one_pair_a_cluster_stay_independent(frame):
    one = frame[frame["model_b"] != "c"]
    votes = cpe.read_votes(one[one["model_a"] != "c"], cluster="prompt")
    assert votes.independent
    assert votes != cpe.read_votes(one[one["model_a"] != "c"])


def test_counts_weigh_within_a_cluster_and_lines_of_none_are_no_votes(frame):
    frame["count"] = [3, 1, 0, 2, 5, 1, 1]
    votes = cpe.read_votes(frame, cluster="prompt")
    assert votes.proving_wins[0, 1] == 0.75 + 1.0
    assert votes.summary.clustering.largest == 6
    frame["count"] = [3, 1, 0, 2, 0, 1, 1]
    assert cpe.read_votes(frame, cluster="prompt").summary.clustering.clusters == 2


def test_the_order_of_lines_and_of_arms_is_no_difference():
    rng = np.random.default_rng(0)
    lines = [
        (f"m{i}", f"m{j}", ["model_a", "model_b", "tie"][rng.integers(3)], f"p{rng.integers(30)}")
        for i, j in (rng.choice(4, 2, replace=False) for _ in range(400))
    ]
    log = pd.DataFrame(lines, columns=COLUMNS[:4])
    votes = cpe.read_votes(log, cluster="prompt")
    order = [votes.labels.index(f"m{k}") for k in range(4)]
    for seed in range(4):
        again = cpe.read_votes(log.sample(frac=1.0, random_state=seed), cluster="prompt")
        place = [again.labels.index(f"m{k}") for k in range(4)]
        same = np.ix_(place, place), np.ix_(order, order)
        assert (again.proving_wins[same[0]] == votes.proving_wins[same[1]]).all()
        assert again.submatrix(place) == votes.submatrix(order)
        some = again.submatrix(place[2:0:-1])
        assert (some.proving_wins == votes.submatrix(order[2:0:-1]).proving_wins).all()


def test_scores_of_some_clusters_at_a_time_add_up(frame, monkeypatch):
    whole = cpe.read_votes(frame, cluster="prompt").counts.scores
    monkeypatch.setattr("cpe_opt.problems.clusters._BLOCK", 1)
    parts = cpe.read_votes(frame, cluster="prompt").counts.scores
    assert parts.votes.sum() > 0
    for name in ("won", "votes", "leads"):
        assert getattr(parts, name) == pytest.approx(getattr(whole, name))


@pytest.mark.parametrize("unit", [1, 2**40])
def test_large_numbers_are_told_apart_row_by_row(unit):
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 3, (4, 500)) * unit
    codes = row_codes(columns)
    rows = [tuple(row) for row in columns.T.tolist()]
    order = np.argsort(codes, kind="stable").tolist()
    assert [rows[k] for k in order] == sorted(rows)
    assert len(set(codes.tolist())) == len(set(rows))


def test_the_first_vote_of_each_combination_counts_alone(frame):
    votes = cpe.read_votes(frame, unique=("rater", "pair"))
    assert votes.wins.tolist() == [[0, 1, 0], [1, 0, 1], [1, 0, 0]]
    assert not votes.independent  # r1 has two pairs
    assert (votes.summary.unique, votes.summary.left_out) == (("rater", "pair"), 3)
    told = {each.column: (each.values, each.observations) for each in votes.summary.clusters}
    assert told == {"prompt": (2, 4), "session": (3, 4)}  # and of raters none votes twice on a pair
    alone = cpe.read_votes(frame, unique=["rater"])
    assert alone.independent
    assert alone.duels.sum() == 2 * 3
    both = cpe.read_votes(frame, unique=("session", "pair"), cluster="prompt")
    assert both.proving_wins[0, 1] == 0.75 + 1.0
    assert both.summary.clustering.largest == 3
    assert both.summary.left_out == 2
    repeated = cpe.read_votes(frame, unique=("rater", "prompt", "pair"))
    # r2 votes on a and b for two prompts, and p1 has them from two raters
    assert [each.column for each in repeated.summary.clusters] == COLUMNS[3:]


def test_a_column_has_to_be_there_and_to_be_one_of_clusters(frame, tmp_path):
    with pytest.raises(cpe.InputError, match=r"no column 'judge' to choose votes by"):
        cpe.read_votes(frame, cluster="judge")
    with pytest.raises(cpe.InputError, match="'winner' says how votes went"):
        cpe.read_votes(frame, unique=("winner",))
    frame.loc[3, "prompt"] = None
    with pytest.raises(cpe.InputError, match="row 3: the cell of 'prompt' is empty"):
        cpe.read_votes(frame, cluster="prompt")
    matrix = tmp_path / "wins.csv"
    matrix.write_text("0,3\n2,0\n")
    with pytest.raises(cpe.InputError, match=r"wins\.csv is a matrix, and unique has"):
        cpe.read_votes(matrix, unique=("rater",))


def test_votes_in_clusters_are_no_duels_of_their_own(frame, tmp_path):
    votes = cpe.read_votes(frame, cluster="prompt")
    with pytest.raises(cpe.InputError, match="these come in clusters or from rankings"):
        cpe.write_votes(votes, tmp_path / "votes.csv")
    with pytest.raises(cpe.InputError, match=r"prior: .* has votes in clusters"):
        cpe.Session.open(
            tmp_path / "s.jsonl", "copeland-tracking", labels=votes.labels, prior=votes
        )
    one = cpe.read_votes(frame[:1], cluster="prompt")
    assert one.independent
    with pytest.raises(cpe.InputError, match="prior: votes in clusters"):
        Exchange(get_learner("copeland-tracking"), 2, delta=0.1, prior=one)


def test_clusters_on_different_pairs_are_warned_of_where_their_votes_may_have_chosen_them(tmp_path):
    log = tmp_path / "log.csv"
    for pairs, differ in (
        ("ab ab ac | ab ac", False),  # all on the same pairs
        ("ab ab | ac | bc bc", False),  # one pair each, which is before all votes
        ("ab ac | ab", True),
        ("ab ac | ab bc | ac bc", True),
    ):
        rows = [
            (pair[0], pair[1], "model_a", number)
            for number, cluster in enumerate(pairs.split("|"))
            for pair in cluster.split()
        ]
        columns = ["model_a", "model_b", "winner", "prompt"]
        pd.DataFrame(rows, columns=columns).to_csv(log, index=False)
        read = cpe.read_votes(log, cluster="prompt")
        assert read.summary.clustering.pairs_differ == differ, pairs
        for said in (run("evidence", log, "--cluster", "prompt").stdout, html(read)):
            words = " ".join(said.split())
            assert "pairs it votes on, and how often, not on its own votes" in words
            assert ("warning: clusters have votes on different pairs" in words) == differ, pairs
    pair_of_first = cpe.read_votes(log, unique="prompt")
    assert pair_of_first.summary.duels == 3


def html(votes):
    """The page, as a reader sees it, of what votes prove."""
    page = unescape(evidence_report(cpe.evidence(votes)).html())
    assert "may depend on the clusters before it, and not on its own votes" in page
    assert "however the pairs were chosen" not in page
    assert "whichever clusters come next" in page
    return page
