"""Logs of duels of every form and in every kind of file: who won, how often, in which clusters."""

import json
from html import unescape

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.formats.problems import read_problem
from cpe_opt.reports.decision import evidence_report
from cpe_opt.reports.evidence import evidence

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

WON = [("a", "b"), ("b", "a"), ("c", "a"), ("c", "a")]

TEXTS = ('Why?\n\n# Say it,\nplease; "now"', "Because", "no,\r\n\tno\n")

CHOSEN = [
    dict(
        zip(("prompt", "chosen", "rejected"), TEXTS, strict=True), chosen_model=i, rejected_model=j
    )
    for i, j in WON
]


def lines_of(objects, **options):
    return "".join(json.dumps(each, **options) + "\n" for each in objects)


@pytest.fixture
def read(tmp_path):
    """Votes of a file with this content, as read_votes and the readers of preferences see them."""

    def votes(name, content):
        path = tmp_path / name
        if isinstance(content, str):
            content = content.encode()
        path.write_bytes(content)
        found = cpe.read_votes(path)
        assert cpe.read_votes(path) == found
        mu = read_problem(path)
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
        ("battles.txt", LINES),
        ("battles.json", LINES),
        ("BATTLES.JSONL", LINES.replace("\n", "\r\n")),
        ("battles.jsonl", LINES.replace("\n", "\r")),
        ("battles.jsonl", "\n" + LINES.replace("\n", "\n \n\n").rstrip()),
        ("battles.jsonl", "\ufeff" + LINES),
        ("battles.jsonl", LINES.encode("utf-16")),
        (
            "battles.jsonl",
            LINES.replace("model_a", " Model_A ").replace('" Model_A "}', '"MODEL_A"}'),
        ),
        ("battles.json", json.dumps(ARENA)),
        ("battles.json", "\ufeff \n" + json.dumps(ARENA, indent=2)),
        ("battles.jsonl", json.dumps(ARENA)),
        ("battles.csv", json.dumps(ARENA, indent=1).encode("utf-16")),
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


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".json"])
def test_preference_pairs(read, suffix):
    frame = pd.DataFrame(CHOSEN)
    content = {
        ".csv": frame.to_csv(index=False),
        ".jsonl": frame.to_json(orient="records", lines=True),
        ".json": frame.to_json(orient="records"),
    }[suffix]
    votes = read(f"prefs{suffix}", content)
    assert votes.wins.tolist() == [[0, 1, 0], [1, 0, 0], [2, 0, 0]]
    assert votes.summary.unused == ("prompt", "chosen", "rejected")
    told = cpe.read_votes(frame)
    assert told == votes
    assert told.summary == votes.summary


@pytest.mark.parametrize(
    "weights", [{}, {"weight": [1, 1, 1, 2]}, {"weights": [1, 1, 1, 2]}, {"count": [1, 1, 1, 2]}]
)
def test_what_evalica_reads(read, weights):
    sides = [("a", "b", "left"), ("a", "b", "Right"), ("c", "a", "TIE"), ("a", "c", "right")]
    frame = pd.DataFrame(sides, columns=["left", "right", "winner"]).assign(**weights)
    votes = read("food.csv", frame.to_csv(index=False))
    last = 2 if weights else 1
    assert votes.wins.tolist() == [[0, 1, 0.5], [1, 0, 0], [0.5 + last, 0, 0]]
    assert votes.tied[0, 2] == 1
    assert read("food.jsonl", frame.to_json(orient="records", lines=True)) == votes
    assert cpe.read_votes(frame) == votes


NUMBERS = [(10, 2), (2, 10), (0, 10), (0, 10)]

COUNTED = [[0, 0, 2], [0, 0, 1], [0, 1, 0]]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", json.dumps(NUMBERS)),
        ("a.json", json.dumps(NUMBERS, indent=4)),
        ("a.jsonl", lines_of(NUMBERS)),
        ("a.jsonl", json.dumps(NUMBERS)),
        ("a.txt", "10 2\n2 10\n0 10\n0 10\n"),
        ("a.csv", "10,2\n2,10\n\n# more\n0,10\n0,10"),
        ("a.csv", "10; 2\r\n2;10\r\n0 ;10\r\n0;10\r\n"),
        ("a.tsv", "10\t2\n2\t10\n0\t10\n0\t10\n"),
        ("a.txt", "10 2\n2 10\n0.0 10.0\n0.000000000000000000e+00 1.000000000000000000e+01\n"),
    ],
)
def test_pairs_of_numbers_as_choix_takes_them(read, name, content):
    votes = read(name, content)
    assert votes.labels == ("0", "2", "10")
    assert votes.wins.tolist() == COUNTED
    assert not votes.tied.any()
    for pairs in (NUMBERS, tuple(NUMBERS), np.array(NUMBERS), [*map(np.array, NUMBERS)]):
        assert cpe.read_votes(pairs) == votes
    assert cpe.PreferenceMatrix.from_votes(cpe.read_votes(NUMBERS)).votes == votes


def test_few_pairs_are_told_from_a_matrix_by_a_comment(read, tmp_path):
    assert read("a.txt", "# winner loser\n0 3\n").labels == ("0", "3")
    assert read("b.txt", "#  winner  loser \n0 3\n3 0\n").wins.tolist() == [[0, 1], [1, 0]]
    (tmp_path / "c.txt").write_text("0 3\n2 0\n")
    assert cpe.read_votes(tmp_path / "c.txt").wins.tolist() == [[0, 3], [2, 0]]
    (tmp_path / "d.txt").write_text("0 1\n0 3\n2 0\n")
    assert cpe.read_votes(tmp_path / "d.txt").wins.tolist() == [[0, 3], [2, 0]]


@pytest.mark.parametrize("size", [40, 200_000])
def test_long_texts_are_read_a_line_at_a_time(read, size):
    rows = [{**row, "chosen": '# "x"\n,;\t' * (size // 8)} for row in CHOSEN]
    content = pd.DataFrame(rows).to_csv(index=False)
    votes = read("prefs.csv", content)
    assert votes.wins.tolist() == [[0, 1, 0], [1, 0, 0], [2, 0, 0]]
    assert read("prefs.csv", "\ufeff" + content.replace("\n", "\r\n")) == votes
    with pytest.raises(
        cpe.InputError, match=rf"line {content.count(chr(10)) + 1}: a duel of 'c' ag"
    ):
        read("prefs.csv", f"{content}p,q,r,c,c\n")


@pytest.mark.parametrize("indent", [None, 2])
def test_damaged_arrays_name_the_row(read, indent):
    whole = json.dumps(TOLD, indent=indent, ensure_ascii=False)
    for damaged, place in (
        (whole[:-2], ", row 4: "),
        (whole.replace("tie (", '"', 1), ", row 2: "),
        (f"{whole} ]", ": ']' after the end"),
    ):
        with pytest.raises(cpe.InputError, match=rf"battles.json{place}"):
            read("battles.json", damaged)


def test_where_votes_come_from_is_no_count(read):
    rows = [{**battle, "country": "CH", "county": 7} for battle in ARENA]
    assert read("battles.jsonl", lines_of(rows)).wins.tolist() == WINS
    with pytest.raises(cpe.InputError, match="is 'counts' how many duels a line stands for"):
        read("battles.jsonl", lines_of([{**battle, "counts": 1} for battle in ARENA]))


# x beats y twice, y beats x once, y and z tie, of which once both are bad.
ROWS = [("x", "y", 1), ("y", "x", 0), ("y", "x", 1), ("y", "z", 0.5), ("z", "y", -0.5)]

FRAME_WINS = [[0, 2, 0], [1, 0, 1], [0, 1, 0]]


def frame(columns, words):
    """The rows with these columns, and words for 1, 0, a tie, and both bad."""
    told = [(a, b, words(a, b)[{1: 0, 0: 1, 0.5: 2, -0.5: 3}[share]]) for a, b, share in ROWS]
    return pd.DataFrame(told, columns=columns)


ARENA_COLUMNS = ["model_a", "model_b", "winner"]

FRAMES = {
    "names": frame(ARENA_COLUMNS, lambda a, b: (a, b, "tie", "both bad")),
    "letters": frame(ARENA_COLUMNS, lambda a, b: ("A", "B", "tie", "bothbad")),
    "mixed case": frame(ARENA_COLUMNS, lambda a, b: ("Model A", "model b", "Draw", "Both_Bad")),
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


SUFFIXES = [".csv", ".csv.gz", ".parquet", ".jsonl", ".jsonl.gz", ".json", ".json.gz"]


@pytest.mark.parametrize(
    ("name", "suffix"),
    [*((name, ".csv") for name in FRAMES), *(("crowd-kit", suffix) for suffix in SUFFIXES[1:])],
)
def test_all_forms_in_all_files(tmp_path, name, suffix):
    votes = cpe.read_votes(written(tmp_path, FRAMES[name], suffix))
    assert votes.labels == ("x", "y", "z")
    assert votes.wins.tolist() == FRAME_WINS
    assert votes.tied[1, 2] == 2
    assert votes.name == "log"
    assert votes.summary.unused == (("worker",) if name == "crowd-kit" else ())
    assert votes.summary.clusters == ()
    assert votes == cpe.read_votes(FRAMES[name])
    assert read_problem(tmp_path / f"log{suffix}").votes == votes


def test_ties_that_say_both_are_bad_are_said_to_be_ties(tmp_path):
    counted = FRAMES["names"].assign(count=[1, 1, 1, 4, 3])
    votes = cpe.read_votes(written(tmp_path, counted, ".csv"))
    assert votes.summary.both_bad == 3
    found = evidence(votes)
    words = "of the ties, 3 say that both are bad; they count as ties"
    assert words in str(found)
    assert words in evidence_report(found).html()
    assert found.as_dict()["votes"]["both_bad"] == 3
    for name in ("alpaca", "evalica"):
        assert cpe.read_votes(FRAMES[name]).summary.both_bad == 0


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        # "A" is an arm and a place, and the two readings differ.
        (["A,B,A", "B,A,A"], "line 3: winner is 'A', expected model_a or model_b: it may be"),
        (["A,B,A", "C,B,B", "B,A,B"], "line 4: winner is 'B', expected model_a or model_b"),
        (["x,y,x", "x,y,A"], "line 3: winner is 'A', expected model_a, model_b, tie"),
        (["x,y,x", "x,z,y"], "line 3: winner is 'y', expected model_a, model_b, tie, tie (bothba"),
        (["x,tie,x", "x,tie,tie"], "line 3: winner is 'tie', expected model_a or model_b: it"),
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


def test_arms_called_as_places_are_read_where_both_readings_agree(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("model_a,model_b,winner\nA,B,A\nA,B,B\nA,C,A\n")
    assert cpe.read_votes(path).wins.tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    # The form's own words always are places.
    path.write_text("model_a,model_b,winner\nmodel_b,x,model_a\nx,model_b,model_b\n")
    assert cpe.read_votes(path).wins.tolist() == [[0, 2], [0, 0]]


def test_weighted_preferences_are_no_votes():
    table = FRAMES["alpaca"].assign(preference=[1.0, 2.0, 1.37, 1.5, 0.0])
    with pytest.raises(cpe.InputError, match=r"row 2: preference is '1.37', expected 1, 2, 1.5"):
        cpe.read_votes(table)
    with pytest.raises(cpe.InputError, match=r"row 1: preference is '', expected 1, 2, 1.5"):
        cpe.read_votes(table.assign(preference=[1.0, np.nan, 1.0, 1.0, 1.0]))


@pytest.mark.parametrize(
    ("column", "suffix"),
    [
        *(
            (column, ".csv")
            for column in ("judge", "Rater", "annotator_id", "user", "prompt", "ip")
        ),
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
    assert words in str(cpe.analyse(read_problem(tmp_path / f"log{suffix}")))
    assert cpe.read_votes(table).summary.clusters == votes.summary.clusters


def test_values_that_do_not_repeat_are_no_clusters(tmp_path):
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
    for duels in (cpe.read_panel(table), read_problem(path)):
        (cluster,) = duels.vote_summary.clusters
        assert (cluster.values, cluster.observations) == (1, 3)


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


ARENA_TEXT = """model_a,model_b,winner
x,y,model_a
y,x,Model_A
x,y,tie
y,z,tie (bothbad)
z,y,both_bad
z,x,model_b
"""
