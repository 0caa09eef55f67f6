"""Problems of each family, and observations, from files; and back."""

import os

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from tests.support import all_of, random_matchings

SOC = "# NUMBER ALTERNATIVES: 2\n# ALTERNATIVE NAME 1: Ann\n# ALTERNATIVE NAME 2: Bob\n3: 1,2\n"
FILES = {
    "matrix.csv": ",a,b\na,0.5,0.6\nb,0.4,0.5\n",
    "duels.csv": "winner,loser\na,b\n",
    "election.soc": SOC,
    "places.csv": "position,winner,loser\ndesk,Ann,Bob\n",
    "pairs.csv": "position,candidate,opponent,probability\ndesk,Ann,Bob,0.7\n",
    "wins.csv": ",a,b\na,0,7\nb,3,0\n",
    "battles.jsonl": '{"model_a": "a", "model_b": "b", "winner": "tie"}\n',
    "teams.csv": "team,score\na b,1\nb c,2\nc a,3\n",
    "edges.csv": "from,to,mean\na,b,1\n",
    "means.csv": "element,mean\na,1\nb,2\nc,3\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@all_of(
    ("file", "k", "kind", "name"),
    [
        ("matrix.csv", None, cpe.PreferenceMatrix, "matrix"),
        ("duels.csv", None, cpe.PreferenceMatrix, "duels"),
        ("places.csv", None, cpe.MatchingDuels, "places"),
        ("pairs.csv", None, cpe.MatchingDuels, "pairs"),
        ("means.csv", 2, cpe.SubsetBandit, "means"),
        ("edges.csv", None, cpe.SubsetBandit, "edges"),
        ("sushi", None, cpe.PreferenceMatrix, "sushi"),
        ("bradley-terry:4:seed=3", None, cpe.PreferenceMatrix, "bradley-terry:4:seed=3"),
    ],
)
def test_load_problem_tells_files_and_names_apart(file, k, kind, name):
    problem = cpe.load_problem(file, k)
    assert (type(problem), problem.name) == (kind, name)


@all_of(
    ("file", "kind"),
    [
        ("duels.csv", cpe.Votes),
        ("battles.jsonl", cpe.Votes),
        ("wins.csv", cpe.Votes),
        ("election.soc", cpe.Votes),
        ("places.csv", cpe.MatchingDuels),
        ("teams.csv", cpe.TeamScores),
    ],
)
def test_read_observations_tells_votes_and_scores_apart(file, kind):
    seen = cpe.read_observations(file)
    assert (type(seen), seen.name) == (kind, file.partition(".")[0])


@all_of(
    ("file", "message"),
    [
        ("matrix.csv", "the diagonal entry is 0.5, expected 0; if these are probabilities, Prefer"),
        ("pairs.csv", "is a table of probabilities at positions, which load_problem reads"),
        ("means.csv", "means.csv is a table of elements and their means, which load_problem reads"),
        (".", "'.' is a folder, expected a file"),
    ],
)
def test_problems_are_no_observations(file, message):
    with pytest.raises(cpe.InputError) as refused:
        cpe.read_observations(file)
    assert message in str(refused.value)


def test_only_elections_have_unranked_alternatives(folder):
    lists = folder / "lists.soi"
    lists.write_text("# NUMBER ALTERNATIVES: 3\n60: 1,3\n40: 2,1\n", encoding="utf-8")
    assert cpe.read_observations(lists).counts.selected is None
    assert cpe.read_observations(lists, unranked="ignore").counts.selected.any()
    with pytest.raises(cpe.InputError, match="has no effect on a log of duels"):
        cpe.read_observations("duels.csv", unranked="last")


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl", ".json"])
def test_tables_of_every_family_may_be_parquet_or_json(suffix):
    for name, k in (("means", 1), ("teams", 1)):
        table, path = pd.read_csv(f"{name}.csv"), f"{name}-again{suffix}"
        if suffix == ".parquet":
            table.to_parquet(path)
        else:
            table.to_json(path, orient="records", lines=suffix == ".jsonl")
        plain, read = cpe.load_problem(f"{name}.csv", k), cpe.load_problem(path, k)
        assert read.labels == plain.labels
        assert read.theta.tolist() == plain.theta.tolist()


def test_written_matchings_are_read_back(folder):
    edges = [("ann", "a"), ("bob", "a"), ("bob", "b"), ("cat", "c")]  # alone at b and at c
    duels = random_matchings(np.random.default_rng(3), most=4)
    array = np.diag([0.5] * 4)
    array[0, 1], array[1, 0] = 1 / 3, 2 / 3
    for written in (duels, cpe.MatchingDuels(cpe.BipartiteGraph.from_labels(edges), array)):
        cpe.write_problem(written, folder / "p.csv")
        read = cpe.load_problem(folder / "p.csv")
        number = [read.labels.index(label) for label in written.labels]
        assert np.allclose(read.array[np.ix_(number, number)], written.array, rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", ["pipe", "a\0b", "\ud800", "."])
def test_what_is_no_ordinary_file_is_not_written_over(folder, name):
    os.mkfifo(folder / "pipe")
    for instance in ("gap", "figure1"):
        with pytest.raises(cpe.InputError, match="expected the"):
            cpe.write_problem(cpe.load_instance(instance), name)
    assert (folder / "pipe").is_fifo()


def test_a_log_at_positions_is_counted_and_a_pair_is_one_number(folder):
    """Thirds: the lower triangle follows from the upper one, in every order of candidates."""
    log = "position,winner,loser\nx,b,c\nx,a,c\nx,a,c\nx,c,a\nx,b,a\ny,a,b\ny,b,a\ny,b,a\n"
    (folder / "log.csv").write_text(log)
    duels = cpe.read_panel("log.csv")
    assert (duels.name, duels.labels[0]) == ("log", "x: b")
    assert set((duels.array + duels.array.T).ravel().tolist()) == {0.0, 1.0}
    (folder / "x.csv").write_text("winner,loser\nb,c\na,c\na,c\nc,a\nb,a\n")
    single = cpe.load_problem("x.csv")
    edges = [duels.labels.index(f"x: {label}") for label in single.labels]
    assert duels.array[np.ix_(edges, edges)].tolist() == single.array.tolist()
    assert duels.counts.wins[np.ix_(edges, edges)].tolist() == single.votes.wins.tolist()
    frame = cpe.read_panel(pd.read_csv("log.csv"), name="mine")
    assert frame.name == "mine"
    assert frame.array.tolist() == duels.array.tolist()


PAIRS = "position,candidate,opponent,probability\n"


@all_of(
    ("text", "message"),
    [
        ("position,winner,loser\n,a,b\n", "x.csv, line 2: the cell of 'position' is empty"),
        ("position,winner,loser,count\np,a,b,1\nq,a,b,0\n", "every count is 0 (position q)"),
        ("position,winner\np,a\n", "x.csv: no log of duels; found position, winner; expected"),
        (PAIRS + "p,a,b,1.6\n", "x.csv, line 2: probability is 1.6, expected a probability in"),
        (PAIRS + "p,a,a,0.6\n", "line 2: probability is 0.6, expected 0.5 against itself"),
        (PAIRS + "p,a,b,0.6\np,b,a,0.6\n", "x.csv, line 3: this pair has two probabilities"),
        (PAIRS + "p,a,b,0.6\np,b,c,0.6\n", "probability of edge 0 (p: a) against edge 2 (p: c):"),
        (PAIRS + "p,a,a,0.5\nq,a,a,0.5\n", "x.csv: no matching fills every position: 2 position"),
        (PAIRS.replace(",prob", ",p"), "x.csv, line 1: no column 'probability'; found position,"),
        ("element,mean\na,x\n", "x.csv, line 2: mean is 'x', expected a number"),
        ("element,mean\na,1\na,2\n", "x.csv, line 3: element 'a' stands there twice"),
        ("element,mean,sd\na,1,2\n", "x.csv, line 1: unknown column 'sd'; found element, mean,"),
        ("from,to,mean\na,b,1\nc,d,1\n", "csv: the graph has no spanning tree: no path from a to"),
    ],
)
def test_files_that_are_no_problem_are_refused_with_the_line(folder, text, message):
    (folder / "x.csv").write_text(text, encoding="utf-8")
    with pytest.raises(cpe.InputError) as refused:
        cpe.load_problem("x.csv", None if text.startswith(("position", "from")) else 1)
    assert message in str(refused.value)


@all_of(
    ("file", "k", "message"),
    [
        ("means.csv", None, "how many are to be chosen? Give k"),
        (
            "edges.csv",
            1,
            "edges.csv: k (--k on the command line) has no effect on a table of edges",
        ),
        ("matrix.csv", 1, "has no effect on a matrix; it says how many"),
        ("gap", 1, "gap: k (--k on the command line) has no effect on a problem that is made by"),
        ("sets.py:bandit", 1, "has no effect on a script"),
        ("sets.py", None, "expected the name of a problem in it, too, such as sets.py:problem"),
        ("sets.py:top", None, "such as `problem = cpe_opt.SubsetBandit(…)`"),
        ("gip", None, "unknown instance 'gip'; did you mean 'gap'"),
    ],
)
def test_k_and_names_that_have_no_effect_are_refused(folder, file, k, message):
    code = "import cpe_opt\ntop = cpe_opt.TopK(3, 1)\nbandit = cpe_opt.SubsetBandit(top, [1, 2, 3])"
    (folder / "sets.py").write_text(code)
    assert cpe.load_problem("sets.py:bandit").theta.tolist() == [1, 2, 3]
    with pytest.raises(cpe.CpeOptError) as refused:
        cpe.load_problem(file, k)
    assert message in str(refused.value)
