"""Logs of every form and in every kind of file say the same."""

import json

import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.problems.files import read_problem
from cpe_opt.problems.logs import PAIRS

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
    """Votes of a file with this content, as Votes.read and the readers of preferences see them."""

    def votes(name, content):
        path = tmp_path / name
        if isinstance(content, str):
            content = content.encode()
        path.write_bytes(content)
        found = cpe.Votes.read(path)
        assert cpe.Votes.from_duels(path) == found
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


def test_keys_may_differ_where_they_are_not_read(read):
    further = [{f"key {k}": k, "loser": "b", "winner": "a"} for k in range(2500)]
    votes = read("duels.jsonl", lines_of(further))
    assert votes.wins.tolist() == [[0, 2500], [0, 0]]
    assert len(votes.summary.unused) == 2500


def test_numbers_are_labels_and_counts(read):
    duels = [{"winner": 7, "loser": "b", "count": 2.0}, {"winner": "b", "loser": 7, "count": "3"}]
    votes = read("duels.jsonl", lines_of(duels))
    assert votes.labels == ("7", "b")
    assert votes.wins.tolist() == [[0, 2], [3, 0]]


def test_flags_may_be_true_and_false(read):
    keys = ("winner_model_a", "winner_model_b", "winner_tie")
    told = {"model_a": (True, False, False), "model_b": (0, 1, 0)}
    rows = [
        {"model_a": a, "model_b": b, **dict(zip(keys, told.get(word, (0, 0, 1)), strict=True))}
        for a, b, word in BATTLES
    ]
    assert read("battles.jsonl", lines_of(rows)).wins.tolist() == WINS


@pytest.mark.parametrize("form", PAIRS, ids=lambda form: form.columns[0])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".json"])
def test_preference_pairs(read, form, suffix):
    frame = pd.DataFrame(CHOSEN).rename(
        columns=dict(zip(("chosen_model", "rejected_model"), form.columns, strict=True))
    )
    content = {
        ".csv": frame.to_csv(index=False),
        ".jsonl": frame.to_json(orient="records", lines=True),
        ".json": frame.to_json(orient="records"),
    }[suffix]
    votes = read(f"prefs{suffix}", content)
    assert votes.wins.tolist() == [[0, 1, 0], [1, 0, 0], [2, 0, 0]]
    assert votes.summary.unused == ("prompt", "chosen", "rejected")
    told = cpe.Votes.from_duels(frame)
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
    assert cpe.Votes.from_duels(frame) == votes


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
        assert cpe.Votes.from_duels(pairs) == votes
    assert cpe.PreferenceMatrix.from_duels(NUMBERS).votes == votes


def test_few_pairs_are_told_from_a_matrix_by_a_comment(read, tmp_path):
    assert read("a.txt", "# winner loser\n0 3\n").labels == ("0", "3")
    assert read("b.txt", "#  winner  loser \n0 3\n3 0\n").wins.tolist() == [[0, 1], [1, 0]]
    (tmp_path / "c.txt").write_text("0 3\n2 0\n")
    assert cpe.Votes.read(tmp_path / "c.txt").wins.tolist() == [[0, 3], [2, 0]]
    (tmp_path / "d.txt").write_text("0 1\n0 3\n2 0\n")
    assert cpe.Votes.read(tmp_path / "d.txt").wins.tolist() == [[0, 3], [2, 0]]


def test_positions_in_json(tmp_path):
    path = tmp_path / "duels.jsonl"
    rows = [
        {"position": place, "winner": i, "loser": j, "note": None}
        for place, i, j in (("desk", "a", "b"), ("bar", "b", "c"), ("desk", "b", "a"))
    ]
    path.write_text(lines_of(rows))
    read = read_problem(path)
    told = cpe.MatchingDuels.from_duels(pd.DataFrame(rows))
    assert read.labels == told.labels
    assert read.counts.wins.tolist() == told.counts.wins.tolist()
    assert read.counts.wins.sum() == 3


@pytest.mark.parametrize("size", [40, 200_000])
def test_long_texts_are_read_a_line_at_a_time(read, monkeypatch, size):
    rows = [{**row, "chosen": '# "x"\n,;\t' * (size // 8)} for row in CHOSEN]
    content = pd.DataFrame(rows).to_csv(index=False)
    votes = read("prefs.csv", content)
    assert votes.wins.tolist() == [[0, 1, 0], [1, 0, 0], [2, 0, 0]]
    monkeypatch.setattr("cpe_opt.problems.text._LONGEST_BLOCK", 0)
    monkeypatch.setattr("cpe_opt.problems.text._BLOCK", 20)
    assert read("prefs.csv", "\ufeff" + content.replace("\n", "\r\n")) == votes
    with pytest.raises(
        cpe.InputError, match=rf"line {content.count(chr(10)) + 1}: a duel of 'c' ag"
    ):
        read("prefs.csv", f"{content}p,q,r,c,c\n")


@pytest.mark.parametrize("chunk", [1, 7, 64])
@pytest.mark.parametrize("indent", [None, 2])
def test_arrays_are_read_a_piece_at_a_time(read, monkeypatch, chunk, indent):
    whole = json.dumps(TOLD, indent=indent, ensure_ascii=False)
    plain, numbers = read("battles.json", whole), read("n.json", json.dumps(NUMBERS, indent=indent))
    monkeypatch.setattr("cpe_opt.problems.json_values._CHUNK", chunk)
    assert read("battles.json", whole) == plain
    assert read("n.json", json.dumps(NUMBERS, indent=indent)) == numbers
    end = whole.rindex("}")
    broken = whole.replace("tie (", '"', 1)
    for damaged in (whole[:-2], whole[:end] + whole[end + 1 :], broken, f"{whole} ]"):
        messages = []
        for size in (chunk, 1 << 20):
            monkeypatch.setattr("cpe_opt.problems.json_values._CHUNK", size)
            with pytest.raises(cpe.InputError, match=r"battles.json, line \d+: ") as error:
                read("battles.json", damaged)
            messages.append(str(error.value).split(": '")[0])
        assert messages[0] == messages[1]


def test_where_votes_come_from_is_no_count(read):
    rows = [{**battle, "country": "CH", "county": 7} for battle in ARENA]
    assert read("battles.jsonl", lines_of(rows)).wins.tolist() == WINS
    with pytest.raises(cpe.InputError, match="is 'counts' how many duels a line stands for"):
        read("battles.jsonl", lines_of([{**battle, "counts": 1} for battle in ARENA]))
