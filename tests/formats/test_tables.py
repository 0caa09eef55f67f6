"""Tables of text, JSON and Parquet: what is read, what is refused, and how much of it."""

import gzip
import json
import re

import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.formats import matrices, tables, text


def test_different_values_are_counted_across_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "_ROWS", 7)
    monkeypatch.setattr(text, "_CHUNK", 64)
    judges = [f"judge {k % 100}{'é' * (k % 2)}{' ' * (k % 3)}" for k in range(251)]
    judges += ["", "nan", "NA"]
    path = tmp_path / "log.csv"
    for quote in ("", '"'):
        lines = (f"x,y,{quote}{judge}{quote}\n" for judge in judges)
        path.write_text("winner,loser,judge\n" + "".join(lines))
        told = cpe.read_votes(path).summary.clusters
        assert [(each.values, each.observations) for each in told] == [(100, 251)]


TOLD = [
    {"model_a": a, "model_b": b, "winner": "model_a", "judge": k, "n\u00e4": [{"r": 1}]}
    for k, (a, b) in enumerate([("x", "y"), ("y", "z"), ("x", "z")] * 40)
]

ROW = json.dumps({"model_a": "x", "model_b": "y", "winner": "tie"})
BATTLES = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in TOLD)

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


@pytest.mark.parametrize("lines", [1, 7, 1 << 15])
@pytest.mark.parametrize(("name", "text"), PLAIN)
def test_every_kind_of_text_says_the_same(tmp_path, monkeypatch, name, text, lines):
    """Plain, quoted, compressed, with comments; in blocks of any size."""
    monkeypatch.setattr("cpe_opt.formats.text._CHUNK", lines)
    monkeypatch.setattr(tables, "_ROWS", lines)
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    read = cpe.read_votes(path)
    assert read.wins.sum() == len(TOLD)
    compressed = tmp_path / f"{name}.gz"
    compressed.write_bytes(gzip.compress(path.read_bytes()))
    assert cpe.read_votes(compressed) == read


STRANGE = [
    (ROW + " " + ROW, "no JSON: Extra data at column 51"),
    ('{"model_a": "x",\n "model_b": "y", "winner": "tie"}', "no JSON: Expecting property name"),
    (ROW[:-1] + ', "winner": "tie"}', "an object has the key 'winner' twice"),
    (ROW[:-1] + ', "count": 3}', "'count' is a key of some objects, and not of all"),
    ('{"model_a": "x", "model_b": "y", "winner": null}', "winner is '', expected model_a"),
    ('{"model_a": "x", "model_b": "y"}', "no column 'winner'"),
    ('{"model_a": ["x"], "model_b": "y", "winner": "tie"}', "model_a is an array, expected a te"),
    (ROW[:-1] + ', "deep": ' + "[" * 90000, "nested too deeply"),
    ('["x", "y"]', "an array, expected an object"),
    ("7", "7, expected an object of model_a"),
    ("model_a", "no JSON: Expecting value at column 1"),
    (ROW.replace("model_b", " Model_B "), None),
    (ROW[:-1] + ', "deep": ' + "[" * 900 + "]" * 900 + "}", None),
    (ROW[:-1] + ', "judge": {"a": 1}}', None),
]


@pytest.mark.parametrize(("line", "message"), STRANGE, ids=range(len(STRANGE)))
def test_strange_lines_of_json_are_read_or_refused_with_their_number(tmp_path, line, message):
    path = tmp_path / "a.jsonl"
    path.write_text(BATTLES + line + "\n" + BATTLES, encoding="utf-8")
    if message is None:
        assert cpe.read_votes(path).wins.sum() == 2 * len(TOLD) + 1
        return
    with pytest.raises(cpe.InputError) as error:
        cpe.read_votes(path)
    assert str(error.value).startswith(f"a.jsonl, line {len(TOLD) + 1}: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("\ufeffx,y,model_a", ("\ufeffx", "y")),
        ("\u2028,y,model_a", "line 2: the cell of 'model_a' is empty"),
        ("\u2028", "line 2: 1 cell, expected 3"),
        ('"x"z,y,model_a', "line 2: ',' expected after"),
        ('x"z",y,model_a', ('x"z"', "y")),
        ('"x,y,model_a', "line 2: ',' expected after"),
        ('"x""",y,model_a', ('x"', "y")),
        ('"#1",y,model_a', ("#1", "y")),
        ('"a\n\n# b",y,model_a', "line 2: model_a is 'a\\n\\n# b', with a line break"),
    ],
)
def test_quotes_are_read_strictly(tmp_path, row, said):
    path = tmp_path / "a.csv"
    path.write_text(f'model_a,model_b,winner\n{row}\n"x","y","model_b"\n', encoding="utf-8")
    if isinstance(said, str):
        with pytest.raises(cpe.InputError, match=re.escape(said)):
            cpe.read_votes(path)
        return
    assert cpe.read_votes(path).labels[:2] == said


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PAR1 and no more", "log.parquet: the Parquet file cannot be read: "),
        (
            pd.DataFrame({"model_a": ["x"], "winner": ["y"]}),
            "log.parquet: no log of duels; found model_a, winner; expected the columns",
        ),
        (
            pd.DataFrame({"winner": ["x", None], "loser": ["y", "y"]}),
            "log.parquet, row 1: the cell of 'winner' is empty",
        ),
        (
            pd.DataFrame({"winner": ["x", "y"], "loser": ["x", "y"]}),
            "log.parquet, row 0: a duel of 'x' against itself",
        ),
        (pd.DataFrame({"winner": ["x"], "Winner": ["x"], "loser": ["y"]}), "two columns are"),
        (pd.DataFrame({"winner": [], "loser": []}), "log.parquet: no rows"),
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
    for read in (cpe.read_votes, cpe.load_problem):
        with pytest.raises(cpe.InputError) as error:
            read(path)
        assert message in str(error.value)


def test_parquet_of_numbers_and_categories(tmp_path):
    table = pd.DataFrame(
        {"winner": [3, 3, 7], "loser": pd.Categorical(["x", "y", "x"]), "judge": [[1], [1], [2]]}
    )
    path = tmp_path / "log.parquet"
    table.to_parquet(path)
    votes = cpe.read_votes(path)
    assert votes.labels == ("3", "x", "y", "7")
    assert votes.summary.clusters[0].values == 2


@pytest.mark.parametrize("cut", [3, 12, 30, -9, -1])
def test_damaged_archives_are_refused(tmp_path, cut):
    path = tmp_path / "a.csv.gz"
    whole = gzip.compress(b"winner,loser\n" + b"".join(b"x%d,y\n" % k for k in range(3000)))
    path.write_bytes(whole[:cut])
    with pytest.raises(cpe.InputError, match=r"a.csv.gz: the gzip archive is damaged"):
        cpe.read_votes(path)


LARGE = [
    ("_MOST_BYTES", "a.csv.gz", "winner,loser\n" + "x,y\n" * 20, "more than 50 bytes"),
    ("_MOST_WHOLE", "a.csv.gz", "0.5,1\n" + " " * 100 + "\n0,0.5\n", "more than 50 bytes"),
    ("LONGEST_LINE", "a.csv", f"winner,loser,{'z' * 99}\nx,y,1\n", "line 1: more than 50 charac"),
    ("MOST_ROWS", "a.csv", "winner,loser\n" + "x,y\n" * 60, "more than 50 rows"),
    ("MOST_ROWS", "a.csv", 'winner,loser\n "x",y\n' + "x,y\n" * 60, "more than 50 rows"),
    ("MOST_COLUMNS", "a.csv", f"winner,loser{',z' * 60}\nx,y{',1' * 60}", "more than 50 columns"),
    ("MOST_COLUMNS", "a.csv", "\n".join([",".join(["0.5"] * 60)] * 60), "more than 50 cells"),
]


def test_files_beyond_a_limit_are_refused(tmp_path, monkeypatch):
    """Each is read where the limit is the usual one."""
    for limit, name, content, message in LARGE:
        path = tmp_path / name
        data = content.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        with monkeypatch.context() as patched:
            for module in (text, tables, matrices):
                if hasattr(module, limit):
                    patched.setattr(module, limit, 50)
            patched.setattr(tables, "_ROWS", 20)
            patched.setattr(text, "_CHUNK", 20)
            case = f"{limit}, {name}"
            with pytest.raises(cpe.InputError) as refused:
                cpe.load_problem(path)
            assert str(refused.value).startswith(name), case
            assert message in str(refused.value), case
        cpe.load_problem(path)
