import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.experiments.fingerprint import fingerprint
from cpe_opt.formats.matrices import write_square
from tests.formats.test_preflib import SOC, write
from tests.support import all_of

WINS = [[0, 7.5, 3], [2.5, 0, 0], [1, 0, 0]]
LABELS = ["a", "b", "c"]


def random_votes(seed, arms):
    """Wins and ties of all pairs; about a third of the pairs never met."""
    rng = np.random.default_rng(seed)
    met = np.triu(rng.random((arms, arms)) < 0.7, 1)
    first, second, tied = (np.where(met, rng.integers(0, 9, met.shape), 0) for _ in range(3))
    wins = first + second.T + 0.5 * (tied + tied.T)
    return wins, tied + tied.T


def log_of(wins, tied, labels):
    """A line a pair and outcome; every arm is named, in order, in a line of no duels."""
    rows = [(label, labels[(k + 1) % len(labels)], "tie", 0) for k, label in enumerate(labels)]
    for i, j in np.argwhere(np.triu(np.ones_like(wins), 1)).tolist():
        ties = int(tied[i, j])
        for outcome, count in (
            ("model_a", wins[i, j] - ties / 2),
            ("model_b", wins[j, i] - ties / 2),
            ("tie", ties),
        ):
            rows.append((labels[i], labels[j], outcome, int(count)))
    return pd.DataFrame(rows, columns=["model_a", "model_b", "winner", "count"])


def test_what_votes_say():
    votes = cpe.Votes(WINS, LABELS, name="round one")
    assert votes.arms == 3
    assert votes.labels == ("a", "b", "c")
    assert votes.wins.tolist() == WINS
    assert votes.duels.tolist() == [[0, 10, 4], [10, 0, 0], [4, 0, 0]]
    assert votes.tied.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert votes.fractions.tolist() == [[0.5, 0.75, 0.75], [0.25, 0.5, 0.5], [0.25, 0.5, 0.5]]
    assert votes.independent
    summary = votes.summary
    assert (summary.duels, summary.pairs, summary.never_met) == (14, 3, ((1, 2),))
    assert (summary.fewest, summary.median, summary.most) == (4, 7, 10)
    assert (summary.tied, summary.tied_pairs) == (1, 1)
    assert repr(votes) == "Votes('round one', 3 arms, 14 votes on 2 of 3 pairs)"
    told = cpe.Votes(WINS, tied=[[0, 5, 2], [5, 0, 0], [2, 0, 0]], independent=False)
    assert told.summary.tied == 7
    assert repr(told) == "Votes('votes', 3 arms, 14 votes on 2 of 3 pairs, not independent)"


def test_equality_is_that_of_labels_wins_and_independence():
    votes = cpe.Votes(WINS, LABELS)
    assert votes == cpe.Votes(np.array(WINS), LABELS, name="another")
    assert votes == pickle.loads(pickle.dumps(votes))
    assert votes != cpe.Votes(WINS)
    assert votes != cpe.Votes(np.array(WINS) * 2, LABELS)
    assert votes != cpe.Votes(WINS, LABELS, independent=False)
    assert votes != WINS
    assert fingerprint(votes) == fingerprint(cpe.Votes(WINS))
    assert fingerprint(votes) != fingerprint(cpe.Votes(np.array(WINS) * 2, LABELS))
    with pytest.raises(TypeError, match="unhashable"):
        hash(votes)


def test_a_data_frame_keeps_its_labels():
    frame = pd.DataFrame(WINS, LABELS, LABELS)
    assert cpe.Votes(frame).labels == ("a", "b", "c")
    assert cpe.Votes(frame, ["x", "y", "z"]).labels == ("x", "y", "z")
    duels = pd.DataFrame({"winner": [*"aabbc"], "loser": [*"bccaa"]})
    assert cpe.Votes(pd.crosstab(duels.winner, duels.loser)) == cpe.read_votes(duels)


def test_the_estimate_keeps_its_votes():
    votes = cpe.Votes(WINS, LABELS, name="round one")
    mu = cpe.PreferenceMatrix.from_votes(votes)
    assert mu.votes is votes
    assert (mu.name, mu.labels) == ("round one", votes.labels)
    assert mu.array[0].tolist() == [0.5, 0.75, 0.75]
    assert mu.ties == ((1, 2),)
    assert cpe.PreferenceMatrix.from_votes(votes, name="other").name == "other"
    smoothed = (votes.wins + 1) / (votes.duels + 2)
    assert cpe.PreferenceMatrix(smoothed, LABELS, votes=votes).vote_summary.duels == 14
    part = mu.submatrix([2, 0])
    assert part.votes == cpe.Votes([[0, 1], [3, 0]], ["c", "a"])
    assert part.votes == votes.submatrix([2, 0])
    assert votes.submatrix([2, 0]).name == "round one-sub"
    assert votes.submatrix([1, 0]).tied.tolist() == [[0, 1], [1, 0]]
    assert not cpe.Votes(WINS, independent=False).submatrix([0, 1]).independent


@given(seed=st.integers(0, 10**6), arms=st.integers(2, 7))
@settings(max_examples=15)
def test_logs_matrices_and_arrays_give_the_same_votes(seed, arms, tmp_path_factory):
    folder = tmp_path_factory.mktemp("votes")
    wins, tied = random_votes(seed, arms)
    labels = [f"arm {arm}" for arm in range(arms)]
    votes = cpe.Votes(wins, labels, tied=tied)
    assert cpe.Votes(votes.wins, votes.labels) == votes
    if wins.any():
        log = log_of(wins, tied, labels)
        log.to_csv(folder / "log.csv", index=False)
        for read in (cpe.read_votes(log), cpe.read_votes(folder / "log.csv")):
            assert read == votes
            assert read.tied.tolist() == votes.tied.tolist()
            assert read.summary == votes.summary
        assert cpe.PreferenceMatrix.from_votes(
            cpe.read_votes(log)
        ) == cpe.PreferenceMatrix.from_votes(votes)
    if (votes.duels > 1).any():
        write_square(folder / "wins.csv", wins, labels)
        assert cpe.read_votes(folder / "wins.csv") == votes
        assert cpe.read_votes(folder / "wins.csv").name == "wins"
    order = np.random.default_rng(seed).permutation(arms)
    part = votes.submatrix(order.tolist())
    assert part.submatrix(np.argsort(order).tolist()) == votes
    assert part == cpe.Votes(wins[np.ix_(order, order)], [labels[arm] for arm in order])


def test_rankings_are_not_independent(tmp_path):
    path = write(tmp_path, "s.soi", SOC.replace("3: 1,2,3", "3: 1,2"))
    votes = cpe.read_votes(path)
    assert votes == cpe.read_votes(path)
    assert votes.wins.tolist() == [[0, 3, 3], [1, 0, 3], [1, 1, 0]]
    assert not votes.independent
    assert not cpe.load_problem(path).votes.independent
    ignored = cpe.read_votes(path, unranked="ignore", name="ignored")
    assert ignored.wins.tolist() == [[0, 3, 0], [1, 0, 0], [1, 1, 0]]
    assert ignored.name == "ignored"
    duels = cpe.MatchingDuels.from_preferences({"desk": cpe.load_problem(path)})
    assert not duels.counts.independent
    assert cpe.MatchingDuels.from_preferences(
        {"desk": cpe.PreferenceMatrix.from_votes(cpe.Votes(WINS, LABELS))}
    ).counts.independent


@pytest.mark.parametrize(
    ("text", "wins"),
    [
        (",a,b\na,0,3.5\nb,1.5,0\n", [[0, 3.5], [1.5, 0]]),
        ("a;b\n0;2.5\n0.5;0\n", [[0, 2.5], [0.5, 0]]),
        (",7,9\n7,0,3\n9,2,0\n", [[0, 3], [2, 0]]),
        ("0,1,0\n0,0,1\n1,1,0\n", [[0, 1, 0], [0, 0, 1], [1, 1, 0]]),
    ],
)
def test_square_files_of_counts(tmp_path, text, wins):
    assert cpe.read_votes(write(tmp_path, "m.csv", text)).wins.tolist() == wins


BAD = [
    ({"wins": [[0, 1, 2], [3, 0, 4]]}, "votes: expected a square array, got 2 × 3"),
    ({"wins": [["a", "b"], ["c", "d"]]}, "not an array of numbers"),
    ({"wins": [[0, math.nan], [1, 0]]}, "votes, row 0, column 1: the entry is nan, expected"),
    (
        {"wins": [[0, 1], [-1, 0]]},
        r"row 1, column 0: the entry is -1\.0, expected a number",
    ),
    ({"wins": [[0, 1], [1, 2]]}, r"row 1, column 1: the diagonal entry is 2\.0, expected 0"),
    (
        {"wins": [[0, 1.25], [1, 0]]},
        r"row 0, column 1: the entry is 1\.25, expected whole wins",
    ),
    ({"wins": [[0, 1.5], [1, 0]]}, r"1\.5 wins and 1\.0 of the other arm do not add up"),
    (
        {"wins": [[0, 1e16], [1, 0]]},
        r"votes: 1e\+16 in all, expected at most 9,007,199,254",
    ),
    ({"wins": WINS, "labels": ["a", "b", "a"]}, "labels: arms 0 and 2 are both called 'a'"),
    (
        {"wins": pd.DataFrame(WINS, LABELS, [*"acb"])},
        "votes: row 1 is labelled 'b' and col",
    ),
    ({"wins": WINS, "tied": np.zeros((3, 3))}, r"tied, row 0, column 1: 0\.0 ties do not fit 7\.5"),
    ({"wins": [[0, 1], [1, 0]], "tied": [[0, 2], [0, 0]]}, "2.0 ties do not fit 1.0 wins and 1.0"),
    ({"wins": WINS, "independent": "yes"}, "independent is 'yes', expected True or False"),
]


@all_of(("arguments", "message"), BAD)
def test_bad_votes_are_refused_with_the_pair(arguments, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.Votes(**arguments)
