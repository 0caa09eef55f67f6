"""Logs as other programs write them: index columns, names of winners, Parquet, gzip, clusters."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.problems import tables
from cpe_opt.problems.files import read_problem
from cpe_opt.problems.text import NotPlain
from cpe_opt.reports.evidence import evidence
from cpe_opt.reports.pages import evidence_page

# x beats y twice, y beats x once, y and z tie, of which once both are bad.
ROWS = [("x", "y", 1), ("y", "x", 0), ("y", "x", 1), ("y", "z", 0.5), ("z", "y", -0.5)]
WINS = [[0, 2, 0], [1, 0, 1], [0, 1, 0]]


def frame(columns, words):
    """The rows with these columns, and words for 1, 0, a tie, and both bad."""
    told = [(a, b, words(a, b)[{1: 0, 0: 1, 0.5: 2, -0.5: 3}[share]]) for a, b, share in ROWS]
    return pd.DataFrame(told, columns=columns)


ARENA = ["model_a", "model_b", "winner"]
FRAMES = {
    "names": frame(ARENA, lambda a, b: (a, b, "tie", "both bad")),
    "letters": frame(ARENA, lambda a, b: ("A", "B", "tie", "bothbad")),
    "mixed case": frame(ARENA, lambda a, b: ("Model A", "model b", "Draw", "Both_Bad")),
    "players": frame(
        ["player_a", "player_b", "winner"], lambda a, b: ("player_a", "b", "tie", "both-bad")
    ),
    "crowd-kit": frame(["left", "right", "label"], lambda a, b: (a, b, "tie", "both bad")).assign(
        worker=[f"w{k}" for k in range(5)]
    ),
    "alpaca": frame(
        ["generator_1", "generator_2", "preference"], lambda a, b: (1.0, 2.0, 1.5, 0.0)
    ),
    "evalica": frame(["left", "right", "winner"], lambda a, b: ("left", "right", "tie", "draw")),
}


def written(folder, table, suffix):
    """The table in a file of this kind."""
    path = folder / f"log{suffix}"
    if suffix.startswith(".csv"):
        table.to_csv(path)  # with its index, as pandas does if nobody says otherwise
    elif suffix.startswith(".parquet"):
        table.to_parquet(path)
    elif suffix.startswith(".jsonl"):
        table.to_json(path, orient="records", lines=True)
    else:
        table.to_json(path, orient="records")
    return path


@pytest.mark.parametrize(
    "suffix", [".csv", ".csv.gz", ".parquet", ".jsonl", ".jsonl.gz", ".json", ".json.gz"]
)
@pytest.mark.parametrize("name", FRAMES)
def test_all_forms_in_all_files(tmp_path, name, suffix):
    votes = cpe.Votes.read(written(tmp_path, FRAMES[name], suffix))
    assert votes.labels == ("x", "y", "z")
    assert votes.wins.tolist() == WINS
    assert votes.tied[1, 2] == 2
    assert votes.name == "log"
    assert votes.summary.unused == (("worker",) if name == "crowd-kit" else ())
    assert votes.summary.clusters == ()
    assert votes == cpe.Votes.from_duels(FRAMES[name])
    assert read_problem(tmp_path / f"log{suffix}").votes == votes


def test_winner_and_loser_names(tmp_path):
    table = pd.DataFrame({"winner_name": ["x", "x", "y"], "loser_name": ["y", "z", "x"]})
    table["Unnamed: 0"] = range(3)
    votes = cpe.Votes.read(written(tmp_path, table, ".csv"))
    assert votes.wins.tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    assert votes.summary.unused == ()


def test_ties_that_say_both_are_bad_are_said_to_be_ties(tmp_path):
    counted = FRAMES["names"].assign(count=[1, 1, 1, 4, 3])
    votes = cpe.Votes.read(written(tmp_path, counted, ".csv"))
    assert votes.summary.both_bad == 3
    found = evidence(votes)
    words = "of the ties, 3 say that both are bad; they count as ties"
    assert words in str(found)
    assert words in evidence_page(found)
    assert found.as_dict()["votes"]["both_bad"] == 3
    for name in ("alpaca", "evalica"):
        assert cpe.Votes.from_duels(FRAMES[name]).summary.both_bad == 0


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        # "A" is an arm and a place, and the two readings differ.
        (["A,B,A", "B,A,A"], "line 3: winner is 'A', which may be an arm's name or say which of"),
        (["A,B,A", "C,B,B", "B,A,B"], "line 4: winner is 'B', which may be an arm's name"),
        (["x,y,x", "x,y,A"], "line 3: winner is 'A', expected the name of one of the two, as els"),
        (["x,y,x", "x,z,y"], "line 3: winner is 'y', expected model_a, model_b, tie, tie (bothba"),
        (["x,tie,x", "x,tie,tie"], "line 3: winner is 'tie', which may be an arm's name or say"),
        (["x,y,x", "x,y,"], "line 3: winner is '', expected model_a, model_b"),
        (["x,y,1"], "line 2: winner is '1', expected model_a, model_b, tie, tie (bothbad) or b"),
    ],
)
def test_outcomes_that_can_be_read_in_two_ways_or_none_are_refused(tmp_path, rows, message):
    path = tmp_path / "log.csv"
    path.write_text("model_a,model_b,winner\n" + "\n".join(rows) + "\n")
    with pytest.raises(cpe.InputError) as error:
        cpe.Votes.read(path)
    assert message in str(error.value)


def test_arms_called_as_places_are_read_where_both_readings_agree(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("model_a,model_b,winner\nA,B,A\nA,B,B\nA,C,A\n")
    assert cpe.Votes.read(path).wins.tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    # The form's own words always are places.
    path.write_text("model_a,model_b,winner\nmodel_b,x,model_a\nx,model_b,model_b\n")
    assert cpe.Votes.read(path).wins.tolist() == [[0, 2], [0, 0]]


def test_weighted_preferences_are_no_votes():
    table = FRAMES["alpaca"].assign(preference=[1.0, 2.0, 1.37, 1.5, 0.0])
    with pytest.raises(cpe.InputError, match=r"row 2: preference is '1.37', expected 1, 2, 1.5"):
        cpe.Votes.from_duels(table)
    with pytest.raises(cpe.InputError, match=r"row 1: preference is '', expected 1, 2, 1.5"):
        cpe.Votes.from_duels(table.assign(preference=[1.0, np.nan, 1.0, 1.0, 1.0]))


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".jsonl", ".json"])
@pytest.mark.parametrize(
    "column", ["judge", "Rater", "annotator_id", "user", "prompt", "question_id", "ip", "workers"]
)
def test_columns_by_which_votes_may_depend_are_named(tmp_path, column, suffix):
    table = FRAMES["names"].assign(**{column: ["p", "q", None, "p", "p"], "turn": 1})
    votes = cpe.Votes.read(written(tmp_path, table, suffix))
    name = column.lower()
    assert votes.summary.unused == (name, "turn")
    (cluster,) = votes.summary.clusters
    assert (cluster.column, cluster.values, cluster.observations) == (name, 2, 4)
    words = f"the column '{name}' has 2 different values in 4 votes"
    found = evidence(votes)
    assert f"warning: {words}" in str(found)
    assert f"warning: {words}" in evidence_page(found).replace("&#x27;", "'")
    assert json.loads(json.dumps(found.as_dict()))["votes"]["clusters"] == [
        {"column": name, "values": 2, "observations": 4}
    ]
    assert words in str(cpe.analyse(read_problem(tmp_path / f"log{suffix}")))
    assert cpe.Votes.from_duels(table).summary.clusters == votes.summary.clusters


def test_values_that_do_not_repeat_are_no_clusters(tmp_path):
    table = FRAMES["names"].assign(judge=list("pqrst"), prompt=None, turn=1)
    assert cpe.Votes.from_duels(table).summary.clusters == ()
    counted = cpe.Votes.from_duels(table.assign(count=[1, 1, 1, 1, 2]))
    assert [each.column for each in counted.summary.clusters] == ["judge"]
    one = cpe.Votes.from_duels(table.assign(judge="gpt"))
    assert [each.values for each in one.summary.clusters] == [1]


def test_positions_have_the_clusters_of_the_whole_log(tmp_path):
    table = pd.DataFrame(
        {"position": ["u", "v", "u"], "winner": list("aab"), "loser": list("bba"), "rater": "r"}
    )
    path = written(tmp_path, table, ".parquet")
    for duels in (cpe.MatchingDuels.from_duels(table), read_problem(path)):
        (cluster,) = duels.vote_summary.clusters
        assert (cluster.values, cluster.observations) == (1, 3)


@pytest.mark.parametrize("block", [64, 1 << 23])
def test_different_values_are_counted_across_blocks(tmp_path, monkeypatch, block):
    monkeypatch.setattr(tables, "_UNSORTED", 10)
    monkeypatch.setattr(tables, "_ROWS", 7)
    monkeypatch.setattr("cpe_opt.problems.text._BLOCK", block)
    judges = [f"judge {k % 100}" for k in range(250)] + ["", "nan", "NA"]
    path = tmp_path / "log.csv"
    path.write_text("winner,loser,judge\n" + "".join(f"x,y,{judge}\n" for judge in judges))
    told = cpe.Votes.read(path).summary.clusters
    assert [(each.values, each.observations) for each in told] == [(100, 250)]
    with monkeypatch.context() as patched:
        slowly(patched)
        assert cpe.Votes.read(path).summary.clusters == told


TOLD = [
    {"model_a": a, "model_b": b, "winner": "model_a", "judge": k, "n\u00e4": [{"r": 1}]}
    for k, (a, b) in enumerate([("x", "y"), ("y", "z"), ("x", "z")] * 40)
]
BATTLES = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in TOLD)


def slowly(monkeypatch):
    """Have every file read line by line."""

    def refuse(*_, **__):
        raise NotPlain

    monkeypatch.setattr(tables, "line_blocks", refuse)


def quickly(monkeypatch, block=64):
    """Have every file read by blocks, small ones, and nothing line by line."""

    def refuse(*_, **__):
        raise AssertionError("read line by line")

    monkeypatch.setattr(tables._Columns, "add_all", refuse)
    monkeypatch.setattr("cpe_opt.problems.text._BLOCK", block)


CSV = pd.DataFrame(TOLD)[["model_a", "model_b", "winner", "judge"]]
COMMENTED = "# said\n\n" + CSV.to_csv(index=False).replace("\n", "\n#\n \n")
PLAIN = [
    ("a.jsonl", BATTLES),
    ("a.jsonl", "\ufeff" + BATTLES.replace("\n", "\r\n")),
    ("a.jsonl", "\n" + BATTLES.replace("\n", "\n \n").rstrip()),
    ("a.csv", CSV.to_csv(index=False)),
    ("a.csv", COMMENTED),
    ("a.csv", CSV.to_csv(index=False, quoting=1).replace("\n", "\r")),
    ("a.csv", CSV.assign(text='said, "so"\nand').to_csv(index=False, sep=";")),
    ("a.csv", CSV.assign(model_a="\u00e9\u2028").to_csv(sep="\t")),
]


@pytest.mark.parametrize("block", [1, 64, 1 << 20])
@pytest.mark.parametrize(("name", "text"), PLAIN)
def test_blocks_say_what_lines_say(tmp_path, monkeypatch, name, text, block):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    with monkeypatch.context() as patched:
        slowly(patched)
        told = cpe.Votes.read(path)
    quickly(monkeypatch, block)
    found = cpe.Votes.read(path)
    assert found == told
    assert found.summary == told.summary
    assert found.labels == told.labels
    compressed = tmp_path / f"{name}.gz"
    compressed.write_bytes(gzip.compress(path.read_bytes()))
    assert cpe.Votes.read(compressed) == told


STRANGE = [
    '{"model_a": "x", "model_b": "y", "winner": "tie"} {"model_a": "x", "model_b": "y", '
    '"winner": "tie"}\n',
    '{"model_a": "x",\n "model_b": "y", "winner": "tie"}\n',
    '{"model_a": "x", "model_a": "y", "model_b": "y", "winner": "tie"}\n',
    '{"model_a": "x", "model_b": "y", "winner": "tie", "count": 3}\n',
    '{"model_a": "x", "model_b": "y", "winner": "tie", " Count": 3}\n',
    '{"model_a": "x", "model_b": "y", "winner": null}\n',
    '{"model_a": "x", "model_b": "y"}\n',
    '{"model_a": "x", "model_b": "y", "Winner": "tie"}\n',
    '{"model_a": 1e400, "model_b": "y", "winner": "tie"}\n',
    '{"model_a": ["x"], "model_b": "y", "winner": "tie"}\n',
    '{"model_a": "x", "model_b": "y", "winner": "tie", "judge": {"a": 1}}\n',
    '{"model_a": "x", "model_b": "y", "winner": "tie", "deep": ' + "[" * 3000 + "]" * 3000 + "}\n",
    '{"model_a": "x", "model_b": "y", "winner": "tie", "deep": ' + "[" * 90000 + "\n",
    '["x", "y"]\n',
    "7\n",
    "model_a\n",
    '{"model_a": "\\ud800", "model_b": "y", "winner": "tie"}\n',
]


@pytest.mark.parametrize("line", STRANGE, ids=range(len(STRANGE)))
def test_strange_lines_are_what_they_are_line_by_line(tmp_path, monkeypatch, line):
    path = tmp_path / "a.jsonl"
    path.write_text(BATTLES + line + BATTLES, encoding="utf-8")

    def said():
        try:
            votes = cpe.Votes.read(path)
        except cpe.InputError as error:
            return str(error)
        return votes.wins.tolist(), votes.labels, votes.summary

    found = said()
    slowly(monkeypatch)
    assert found == said()


@pytest.mark.parametrize("row", ['"x"z,y,model_a', 'x"z",y,model_a', '"x,y,model_a', '"x""",y,A'])
def test_strange_quotes_are_what_they_are_line_by_line(tmp_path, monkeypatch, row):
    path = tmp_path / "a.csv"
    path.write_text(f'model_a,model_b,winner\n{row}\n"x","y","model_b"\n')

    def said():
        try:
            votes = cpe.Votes.read(path)
        except cpe.InputError as error:
            return str(error)
        return votes.wins.tolist(), votes.labels, votes.summary

    found = said()
    slowly(monkeypatch)
    assert found == said()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PAR1 and no more", "log.parquet: the Parquet file cannot be read: "),
        (
            pd.DataFrame({"model_a": ["x"], "winner": ["y"]}),
            "log.parquet: no log of duels; found model_a, winner; expected winner, loser",
        ),
        (
            pd.DataFrame({"winner": ["x", None], "loser": ["y", "y"]}),
            "log.parquet, row 1: the cell of 'winner' is empty",
        ),
        (
            pd.DataFrame({"winner": ["x", "y"], "loser": ["y", "y"]}),
            "log.parquet, row 1: a duel of 'y' against itself",
        ),
        (pd.DataFrame({"winner": ["x"], "Winner": ["x"], "loser": ["y"]}), "two columns are"),
        (pd.DataFrame({"winner": [], "loser": []}), "log.parquet: the file has no rows"),
        (
            pd.DataFrame({"winner": ["x"], "loser": ["y"], "count": [1.5]}),
            "log.parquet, row 0: count is '1.5', expected a whole number",
        ),
    ],
)
def test_parquet_files_that_are_no_logs_say_why(tmp_path, content, message):
    path = tmp_path / "log.parquet"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        content.to_parquet(path)
    for read in (cpe.Votes.read, read_problem):
        with pytest.raises(cpe.InputError) as error:
            read(path)
        assert message in str(error.value)


def test_parquet_of_numbers_and_categories(tmp_path):
    table = pd.DataFrame(
        {"winner": [3, 3, 7], "loser": pd.Categorical(["x", "y", "x"]), "judge": [[1], [1], [2]]}
    )
    votes = cpe.Votes.read(written(tmp_path, table, ".parquet"))
    assert votes.labels == ("3", "x", "y", "7")
    assert votes.summary.clusters[0].values == 2


@pytest.mark.parametrize("cut", [3, 12, 30, -9, -1])
def test_damaged_archives_are_refused(tmp_path, cut):
    path = tmp_path / "a.csv.gz"
    whole = gzip.compress(b"winner,loser\n" + b"".join(b"x%d,y\n" % k for k in range(3000)))
    path.write_bytes(whole[:cut])
    with pytest.raises(cpe.InputError, match=r"a.csv.gz: the gzip archive is damaged"):
        cpe.Votes.read(path)
