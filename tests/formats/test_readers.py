"""Readers give plain data and the class builds itself: of a subclass, the subclass."""

import json

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe

SOC = "# NUMBER ALTERNATIVES: 2\n# ALTERNATIVE NAME 1: Ann\n# ALTERNATIVE NAME 2: Bob\n3: 1,2\n"
FILES = {
    "matrix.csv": ",a,b\na,0.5,0.6\nb,0.4,0.5\n",
    "duels.csv": "winner,loser\na,b\n",
    "election.soc": SOC,
    "edges.csv": "candidate,position\nAnn,desk\nBob,desk\n",
    "scores.csv": "who,desk\nAnn,1\nBob,0\n",
    "places.csv": "position,winner,loser\ndesk,Ann,Bob\n",
    "pairs.csv": "position,candidate,opponent,probability\ndesk,Ann,Bob,0.7\n",
    "pairs.txt": "# winner loser\n0 1\n1 0\n",
    "wins.csv": ",a,b\na,0,7\nb,3,0\n",
    "battles.jsonl": '{"model_a": "a", "model_b": "b", "winner": "tie"}\n',
    "teams.csv": "team,score\na b,1\nb c,2\nc a,3\n",
    "teams.jsonl": '{"team": "a b", "score": 1}\n{"team": "b c", "score": 2.5}\n',
    "edges-means.csv": "from,to,mean\na,b,1\n",
    "long.csv": "question,worker,correct\nq,a,1\nq,b,0\n",
    "means.csv": "element,mean\na,1\nb,2\nc,3\n",
    "answer.csv": "question_id,Ann,Bob,Eve\n1,x,y,x\n",
    "truth.csv": "question_id,truth\n1,x\n",
    "seen.csv": "a,b\n0.5,0.2\n",
    "coins.json": json.dumps(
        {
            "model": "best-k",
            "k": 1,
            "arms": [
                {"label": "a", "distribution": {"bernoulli": {"p": 0.5}}},
                {"label": "b", "distribution": {"bernoulli": {"p": 0.2}}},
            ],
        }
    ),
}
CALLS = {
    (cpe.PreferenceMatrix, "from_csv"): ("matrix.csv",),
    (cpe.PreferenceMatrix, "from_duels"): ("duels.csv",),
    (cpe.PreferenceMatrix, "from_file"): ("duels.csv",),
    (cpe.PreferenceMatrix, "from_preflib"): ("election.soc",),
    (cpe.PreferenceMatrix, "from_votes"): (cpe.Votes([[0, 3], [1, 0]]),),
    (cpe.BipartiteGraph, "from_csv"): ("edges.csv",),
    (cpe.BipartiteGraph, "from_labels"): ([("Ann", "desk")],),
    (cpe.BipartiteGraph, "from_networkx"): (nx.Graph([("Ann", "desk")]), ["desk"]),
    (cpe.MatchingDuels, "from_csv"): ("pairs.csv",),
    (cpe.MatchingDuels, "from_duels"): ("places.csv",),
    (cpe.MatchingDuels, "from_preferences"): ({"desk": cpe.PreferenceMatrix(np.eye(2) * 0 + 0.5)},),
    (cpe.MatchingDuels, "from_preflib"): ({"desk": "election.soc"},),
    (cpe.MatchingDuels, "from_scores"): ("scores.csv",),
    (cpe.SubsetBandit, "from_crowdsourcing"): (".", 2),
    (cpe.SubsetBandit, "from_file"): ("means.csv", 2),
    (cpe.SubsetBandit, "from_outcomes"): (np.eye(3), 2),
    (cpe.SeparableProblem, "from_csv"): (
        "seen.csv",
        cpe.BestSet(cpe.TopK(2, 1, ["a", "b"])),
    ),
    (cpe.SeparableProblem, "from_json"): ("coins.json",),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_every_reader_is_tested():
    classes = {kind for kind, _ in CALLS}
    names = {(kind, name) for kind in classes for name in dir(kind)}
    assert {pair for pair in names if pair[1].startswith("from_") or pair[1] == "read"} == {*CALLS}


@pytest.mark.parametrize(("kind", "name"), CALLS, ids=str)
def test_a_subclass_reads_itself(kind, name):
    class Own(kind):
        pass

    assert type(getattr(Own, name)(*CALLS[kind, name])) is Own


def test_other_makers_of_subclasses():
    class Arms(cpe.PreferenceMatrix):
        pass

    class Graph(cpe.BipartiteGraph):
        pass

    assert type(Arms(cpe.load_instance("gap").array).submatrix([0, 1])) is Arms
    assert type(Graph.complete(2, 2)) is Graph


@pytest.mark.parametrize(
    ("file", "k", "kind"),
    [
        ("matrix.csv", None, cpe.PreferenceMatrix),
        ("duels.csv", None, cpe.PreferenceMatrix),
        ("election.soc", None, cpe.PreferenceMatrix),
        ("places.csv", None, cpe.MatchingDuels),
        ("pairs.csv", None, cpe.MatchingDuels),
        ("means.csv", 2, cpe.SubsetBandit),
        (".", 2, cpe.SubsetBandit),
        ("coins.json", None, cpe.SeparableProblem),
        ("sushi", None, cpe.PreferenceMatrix),
    ],
)
def test_load_problem_tells_files_and_instances_apart(file, k, kind, tmp_path):
    path = tmp_path if file == "." else file
    assert type(cpe.load_problem(path, k)) is kind


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("duels.csv", cpe.Votes),
        ("battles.jsonl", cpe.Votes),
        ("pairs.txt", cpe.Votes),
        ("wins.csv", cpe.Votes),
        ("election.soc", cpe.Votes),
        ("places.csv", cpe.MatchingDuels),
        ("teams.csv", cpe.TeamScores),
        ("teams.jsonl", cpe.TeamScores),
    ],
)
def test_read_observations_tells_votes_and_scores_apart(file, kind):
    seen = cpe.read_observations(file)
    assert type(seen) is kind
    assert seen.name == file.partition(".")[0]


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("matrix.csv", "the diagonal entry is 0.5, expected 0; if these are probabilities, Prefer"),
        (
            "pairs.csv",
            "pairs.csv is a table of probabilities at positions, which load_problem reads",
        ),
        ("means.csv", "means.csv is a table of elements and their means, which load_problem reads"),
        (
            "edges-means.csv",
            "edges-means.csv is a table of edges and their means, which load_problem reads",
        ),
        ("long.csv", "long.csv is a table of answers, right or wrong, which load_problem reads"),
        ("coins.json", "coins.json is a problem of separable rewards, which load_problem reads"),
        (".", ". is a folder of answers, which load_problem reads"),
        ("none.csv", "no file 'none.csv'"),
    ],
)
def test_problems_are_no_observations(file, message):
    with pytest.raises(cpe.InputError) as error:
        cpe.read_observations(file)
    assert message in str(error.value)


def test_only_elections_have_unranked_alternatives(tmp_path):
    lists = tmp_path / "lists.soi"
    lists.write_text("3\n1,a\n2,b\n3,c\n100,100,2\n60,1,3\n40,2,1\n", encoding="utf-8")
    assert cpe.read_observations(lists).counts.selected is None
    assert cpe.read_observations(lists, unranked="ignore").counts.selected.any()
    with pytest.raises(cpe.InputError, match="has no effect on a log of duels"):
        cpe.read_observations("duels.csv", unranked="last")


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl", ".json"])
def test_tables_of_every_family_may_be_parquet_or_json(suffix):
    for name, columns, k in (("means", ["element", "mean"], 1), ("teams", ["team", "score"], 1)):
        table, path = pd.read_csv(f"{name}.csv"), f"{name}-again{suffix}"
        if suffix == ".parquet":
            table.to_parquet(path)
        else:
            table.to_json(path, orient="records", lines=suffix == ".jsonl")
        plain, read = cpe.load_problem(f"{name}.csv", k), cpe.load_problem(path, k)
        assert list(table.columns) == columns
        assert read.labels == plain.labels
        assert read.theta.tolist() == plain.theta.tolist()


def test_both_directions_of_a_pair_are_one_number_in_every_order_of_candidates(tmp_path):
    """One third and two thirds: the lower triangle follows from the upper one, at each position."""
    log = "position,winner,loser\nx,b,c\nx,a,c\nx,a,c\nx,c,a\nx,b,a\ny,a,b\ny,b,a\ny,b,a\n"
    (tmp_path / "log.csv").write_text(log)
    duels = cpe.MatchingDuels.from_duels("log.csv")
    comparable = duels.array + duels.array.T
    assert set(comparable.ravel().tolist()) == {0.0, 1.0}
    (tmp_path / "x.csv").write_text("winner,loser\nb,c\na,c\na,c\nc,a\nb,a\n")
    single = cpe.PreferenceMatrix.from_duels("x.csv")
    edges = [duels.labels.index(f"x: {label}") for label in single.labels]
    assert duels.array[np.ix_(edges, edges)].tolist() == single.array.tolist()
