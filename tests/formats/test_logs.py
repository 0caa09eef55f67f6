"""Logs of duels in every kind of file: who won, how often, in which clusters."""

import json
from contextlib import nullcontext
from html import unescape

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.reports.decision import evidence_report
from cpe_opt.reports.evidence import evidence
from tests.support import all_of

# a beats b, b beats a, a ties with c, c beats a, c beats a.
WINS = [[0, 1, 0.5], [1, 0, 0], [2.5, 0, 0]]

BATTLES = [
    ("a", "b", "model_a"),
    ("a", "b", "model_b"),
    ("c", "a", "tie (bothbad)"),
    ("c", "a", "model_a"),
    ("a", "c", "model_b"),
]

ARENA = [{"model_a": a, "model_b": b, "winner": word} for a, b, word in BATTLES]

TOLD = [
    {**battle, "Turn": turn, "conversation_a": [{"role": "user", "content": "{\n\u2028\"'}"}]}
    for turn, battle in enumerate(ARENA)
]

LINES = "".join(json.dumps(battle) + "\n" for battle in ARENA)

TEXTS = ('Why?\n\n# Say it,\nplease; "now"', "Because", "no,\r\n\tno\n")

TEXT = dict(zip(("prompt", "chosen", "rejected"), TEXTS, strict=True))

WON = [{**TEXT, "winner": i, "loser": j} for i, j in (*["ab", "ba", "ca", "ca"],)]


def lines_of(objects):
    return "".join(json.dumps(each) + "\n" for each in objects)


@pytest.fixture
def read(tmp_path):
    """Votes of a file with this content, as read_votes and the readers of preferences see them."""

    def votes(name, content):
        path = tmp_path / name
        if isinstance(content, str):
            content = content.encode()
        path.write_bytes(content)
        found = cpe.read_votes(path)
        mu = cpe.load_problem(path)
        assert mu.votes == found
        assert found.name == mu.name == path.stem
        assert found.independent
        return found

    return votes


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("battles.jsonl", LINES),
        ("battles.ndjson", LINES),
        ("battles.json", LINES),
        ("BATTLES.JSONL", LINES.replace("\n", "\r\n")),
        ("battles.jsonl", LINES.replace("\n", "\r")),
        ("battles.jsonl", "\n" + LINES.replace("\n", "\n \n\n").rstrip()),
        ("battles.jsonl", "\ufeff" + LINES),
        (
            "battles.jsonl",
            LINES.replace("model_a", " Model_A ").replace('" Model_A "}', '"MODEL_A"}'),
        ),
        ("battles.json", json.dumps(ARENA)),
        ("battles.json", "\ufeff \n" + json.dumps(ARENA, indent=2)),
        ("battles.csv", pd.DataFrame(ARENA).to_csv(index=False)),
    ],
)
def test_battles(read, name, content):
    votes = read(name, content)
    assert votes.labels == ("a", "b", "c")
    assert votes.wins.tolist() == WINS
    assert votes.tied.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert votes.summary.unused == ()


@pytest.mark.parametrize(
    "content", [lines_of(TOLD), json.dumps(TOLD, indent=2, ensure_ascii=False)]
)
def test_further_keys_are_named_and_left_out(read, content):
    votes = read("battles.json", content)
    assert votes.wins.tolist() == WINS
    assert votes.summary.unused == ("turn", "conversation_a")


def test_numbers_are_labels_and_counts(read):
    duels = [{"winner": 7, "loser": "b", "count": 2.0}, {"winner": "b", "loser": 7, "count": "3"}]
    votes = read("duels.jsonl", lines_of(duels))
    assert votes.labels == ("7", "b")
    assert votes.wins.tolist() == [[0, 2], [3, 0]]


@pytest.mark.parametrize("size", [40, 200_000])
def test_long_texts_are_read_a_line_at_a_time(read, size):
    rows = [{**row, "chosen": '# "x"\n,;\t' * (size // 8)} for row in WON]
    content = pd.DataFrame(rows).to_csv(index=False)
    votes = read("prefs.csv", content)
    assert votes.wins.tolist() == [[0, 1, 0], [1, 0, 0], [2, 0, 0]]
    assert read("prefs.csv", "\ufeff" + content.replace("\n", "\r\n")) == votes
    with pytest.raises(cpe.InputError, match=rf"line {content.count(chr(10)) + 1}: the cell of 'l"):
        read("prefs.csv", f"{content}p,q,r,c,\n")


@pytest.mark.parametrize("indent", [None, 2])
def test_damaged_arrays_are_refused_whole(read, indent):
    whole = json.dumps(TOLD, indent=indent, ensure_ascii=False)
    for damaged in (whole[:-2], whole.replace("tie (", '"', 1), f"{whole} ]"):
        with pytest.raises(cpe.InputError, match=r"battles.json: no JSON: .* column"):
            read("battles.json", damaged)


def test_where_votes_come_from_is_no_count(read):
    rows = [{**battle, "country": "CH", "county": 7} for battle in ARENA]
    assert read("battles.jsonl", lines_of(rows)).wins.tolist() == WINS
    with pytest.raises(cpe.InputError, match="is 'counts' how many duels a line stands for"):
        read("battles.jsonl", lines_of([{**battle, "counts": 1} for battle in ARENA]))


# x beats y twice, y beats x once, y and z tie, of which once both are bad.
ROWS = [("x", "y", 1), ("y", "x", 0), ("y", "x", 1), ("y", "z", 0.5), ("z", "y", -0.5)]

FRAME_WINS = [[0, 2, 0], [1, 0, 1], [0, 1, 0]]


def frame(words):
    """The rows with words for 1, 0, a tie, and both bad."""
    told = [(a, b, words(a, b)[{1: 0, 0: 1, 0.5: 2, -0.5: 3}[share]]) for a, b, share in ROWS]
    return pd.DataFrame(told, columns=["model_a", "model_b", "winner"])


FRAMES = {
    "names": frame(lambda a, b: (a, b, "tie", "both_bad")),
    "places": frame(lambda a, b: ("Model_A", "model_b", "Tie", "tie (bothbad)")),
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


SUFFIXES = [".csv", ".csv.gz", ".parquet", ".jsonl", ".jsonl.gz", ".json", ".json.gz"]


@pytest.mark.parametrize(
    ("name", "suffix"), [("places", ".csv"), *(("names", suffix) for suffix in SUFFIXES)]
)
def test_outcomes_in_all_files(tmp_path, name, suffix):
    votes = cpe.read_votes(written(tmp_path, FRAMES[name], suffix))
    assert votes.labels == ("x", "y", "z")
    assert votes.wins.tolist() == FRAME_WINS
    assert votes.tied[1, 2] == 2
    assert votes.name == "log"
    assert votes.summary.unused == votes.summary.clusters == ()
    assert votes == cpe.read_votes(FRAMES[name])
    assert cpe.load_problem(tmp_path / f"log{suffix}").votes == votes


def test_ties_that_say_both_are_bad_are_said_to_be_ties(tmp_path):
    counted = FRAMES["names"].assign(count=[1, 1, 1, 4, 3])
    votes = cpe.read_votes(written(tmp_path, counted, ".csv"))
    assert votes.summary.both_bad == 3
    found = evidence(votes)
    words = "ties that say that both are bad, and count as ties: 3"
    assert words in str(found)
    assert words in evidence_report(found).html()
    assert found.as_dict()["votes"]["both_bad"] == 3


@all_of(
    ("rows", "message"),
    [
        (["A,B,A", "B,C,A"], "line 3: winner is 'A', expected model_a, model_b, tie, tie (bothb"),
        (["x,y,x", "x,y,model_b"], "line 3: winner is 'model_b', expected"),
        (["x,tie,x", "x,tie,tie"], "line 3: winner is 'tie', a tie and an arm"),
        (["x,y,x", "x,y,"], "line 3: winner is '', expected model_a, model_b"),
        (["x,y,1"], "line 2: winner is '1', expected model_a, model_b, tie, tie (bothbad), b"),
    ],
)
def test_outcomes_that_can_be_read_in_two_ways_or_none_are_refused(tmp_path, rows, message):
    path = tmp_path / "log.csv"
    path.write_text("model_a,model_b,winner\n" + "\n".join(rows) + "\n")
    with pytest.raises(cpe.InputError) as error:
        cpe.read_votes(path)
    assert message in str(error.value)


@all_of(
    ("columns", "rows", "message"),
    [
        ("model_a,model_b,winner,outcome", "x,y,x,1 x,y,tie,0.5 x,y,y,1", "line 4: outcome is '1'"),
        ("model_a,model_b,winner,outcome", "x,y,x,0.9 x,y,y,0.6", "line 3: outcome is '0.6'"),
        ("model_a,model_b,winner,tie_flag", "x,y,x,0 x,y,y,1", "line 3: tie_flag is '1'"),
        ("model_a,model_b,winner,is_tie", "x,y,x,False x,y,tie,False", "line 3: is_tie is 'False'"),
        ("model_a,model_b,winner,is_tie", "x,y,x,False x,y,tie,True", ""),
        ("model_a,model_b,winner,draw", "x,y,x,1 x,y,y,2", ""),  # of which draw, not whether
        ("model_a,model_b,outcome,is_tie", "x,y,1,yes", "is_tie is 'yes', and outcome says"),
        ("winner,loser,label", "x,y,ham x,y,Draw", "line 3: label is 'Draw', and loser says"),
        ("winner,loser,tie_flag", "x,y,0", "is 'tie_flag' a column of outcomes"),
    ],
)
def test_columns_that_contradict_who_won_are_refused(tmp_path, columns, rows, message):
    path = tmp_path / "log.csv"
    path.write_text("\n".join([columns, *rows.split()]) + "\n")
    with pytest.raises(cpe.InputError) if message else nullcontext() as error:
        cpe.read_votes(path)
    assert message in str(error and error.value)


def test_not_every_object_has_the_column_that_says_the_same_again(tmp_path):
    path = tmp_path / "log.jsonl"
    row = {"model_a": "x", "model_b": "y", "winner": "model_a"}
    rows = [row | {"is_tie": False}, row, row | {"is_tie": None}]
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    assert cpe.read_votes(path).wins[0, 1] == 3.0
    path.write_text("".join(json.dumps(each) + "\n" for each in [*rows, row | {"is_tie": True}]))
    with pytest.raises(cpe.InputError, match="line 4: is_tie is '1', and winner says something"):
        cpe.read_votes(path)


def test_the_words_of_the_form_are_places_whatever_arms_are_called(read):
    votes = read("log.csv", "model_a,model_b,winner\nmodel_b,x,model_a\nx,model_b,model_b\n")
    assert votes.wins.tolist() == [[0, 2], [0, 0]]


@all_of(
    ("content", "wins"),
    [
        ("winner,loser,judge\nwinner,loser,ann\nloser,winner,bob\n", [[0, 1], [1, 0]]),
        ("winner,loser,turn\nwinner,loser,1\n", [[0, 1], [0, 0]]),
        ("model_a,model_b,winner\nmodel_a,model_b,model_a\n", [[0, 1], [0, 0]]),
        ("winner,loser,turn\nx,y,1\nWinner,LOSER, turn\n", "line 3: the header again"),
    ],
)
def test_a_line_is_the_header_again_only_if_all_its_cells_are(tmp_path, content, wins):
    path = tmp_path / "log.csv"
    path.write_text(content)
    if isinstance(wins, str):
        with pytest.raises(cpe.InputError, match=wins):
            cpe.read_votes(path)
    else:
        assert cpe.read_votes(path).wins.tolist() == wins


@pytest.mark.parametrize(
    ("column", "suffix"),
    [
        *((column, ".csv") for column in ("judge", "Rater", "annotator_id", "user", "ip")),
        *(("workers", suffix) for suffix in (".csv.gz", ".parquet", ".jsonl", ".json")),
    ],
)
def test_columns_by_which_votes_may_depend_are_named(tmp_path, column, suffix):
    table = FRAMES["names"].assign(**{column: ["p", "q", None, "p", "p"], "turn": 1})
    votes = cpe.read_votes(written(tmp_path, table, suffix))
    name = column.lower()
    assert votes.summary.unused == (name, "turn")
    (cluster,) = votes.summary.clusters
    assert (cluster.column, cluster.values, cluster.observations) == (name, 2, 4)
    words = f"the column '{name}' has 2 different values in 4 votes"
    found = evidence(votes)
    assert f"warning: {words}" in str(found)
    assert f"warning: {words}" in unescape(evidence_report(found).html())
    assert json.loads(json.dumps(found.as_dict()))["votes"]["clusters"] == [
        {"column": name, "values": 2, "observations": 4}
    ]
    assert words in str(cpe.analyse(cpe.load_problem(tmp_path / f"log{suffix}")))
    assert cpe.read_votes(table).summary.clusters == votes.summary.clusters


def test_values_that_do_not_repeat_are_no_clusters():
    table = FRAMES["names"].assign(judge=list("pqrst"), prompt=None, turn=1)
    assert cpe.read_votes(table).summary.clusters == ()
    counted = cpe.read_votes(table.assign(count=[1, 1, 1, 1, 2]))
    assert [each.column for each in counted.summary.clusters] == ["judge"]
    one = cpe.read_votes(table.assign(judge="gpt"))
    assert [each.values for each in one.summary.clusters] == [1]


def test_positions_have_the_clusters_of_the_whole_log(tmp_path):
    table = pd.DataFrame(
        {"position": ["u", "v", "u"], "winner": list("aab"), "loser": list("bba"), "rater": "r"}
    )
    path = written(tmp_path, table, ".parquet")
    for duels in (cpe.read_panel(table), cpe.load_problem(path)):
        (cluster,) = duels.vote_summary.clusters
        assert (cluster.values, cluster.observations) == (1, 3)


def test_what_pandas_makes_of_other_forms_is_read():
    """The lines by which the changelog replaces forms that are not read."""
    pairs = pd.DataFrame([(1, 0), (0, 4), (1, 0)], columns=["winner", "loser"])
    assert cpe.read_votes(pairs).wins[0].tolist() == [0, 2, 0]
    sides = pd.DataFrame({"left": ["x", "y"], "right": ["y", "z"], "label": ["y", "tie"]})
    renamed = sides.rename(columns={"left": "model_a", "right": "model_b", "label": "winner"})
    assert np.array_equal(cpe.read_votes(renamed).wins, [[0, 0, 0], [1, 0, 0.5], [0, 0.5, 0]])
