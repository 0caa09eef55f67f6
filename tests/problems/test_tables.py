"""Tables of text, JSON and Parquet: blocks of lines say what single lines say, in any order."""

import gzip
import json

import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt import text
from cpe_opt.formats import matrices
from cpe_opt.formats.problems import read_problem
from cpe_opt.problems import json_values, logs, tables
from cpe_opt.text import NotPlain


@pytest.mark.parametrize("block", [64, 1 << 23])
def test_different_values_are_counted_across_blocks(tmp_path, monkeypatch, block):
    monkeypatch.setattr(tables, "_ROWS", 7)
    monkeypatch.setattr("cpe_opt.text._BLOCK", block)
    judges = [f"judge {k % 100}{' ' * (k % 2)}" for k in range(251)] + ["", "nan", "NA"]
    path = tmp_path / "log.csv"
    path.write_text("winner,loser,judge\n" + "".join(f"x,y,{judge}\n" for judge in judges))
    told = cpe.Votes.read(path).summary.clusters
    assert [(each.values, each.observations) for each in told] == [(100, 251)]
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
    monkeypatch.setattr("cpe_opt.text._BLOCK", block)


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


def said_of(path):
    """The votes of a file, or why there are none."""
    try:
        votes = cpe.Votes.read(path)
    except cpe.InputError as error:
        return str(error)
    return votes.wins.tolist(), votes.labels, votes.summary


@pytest.mark.parametrize("line", STRANGE, ids=range(len(STRANGE)))
def test_strange_lines_are_what_they_are_line_by_line(tmp_path, monkeypatch, line):
    path = tmp_path / "a.jsonl"
    path.write_text(BATTLES + line + BATTLES, encoding="utf-8")

    found = said_of(path)
    slowly(monkeypatch)
    assert found == said_of(path)


@pytest.mark.parametrize(
    "row",
    [
        "\u2028,y,model_a",
        "\u2028",
        "\x0c",
        '"x"z,y,model_a',
        'x"z",y,model_a',
        '"x,y,model_a',
        '"x""",y,A',
    ],
)
def test_strange_quotes_are_what_they_are_line_by_line(tmp_path, monkeypatch, row):
    path = tmp_path / "a.csv"
    path.write_text(f'model_a,model_b,winner\n{row}\n"x","y","model_b"\n')

    found = said_of(path)
    slowly(monkeypatch)
    assert found == said_of(path)


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
    path = tmp_path / "log.parquet"
    table.to_parquet(path)
    votes = cpe.Votes.read(path)
    assert votes.labels == ("3", "x", "y", "7")
    assert votes.summary.clusters[0].values == 2


@pytest.mark.parametrize("cut", [3, 12, 30, -9, -1])
def test_damaged_archives_are_refused(tmp_path, cut):
    path = tmp_path / "a.csv.gz"
    whole = gzip.compress(b"winner,loser\n" + b"".join(b"x%d,y\n" % k for k in range(3000)))
    path.write_bytes(whole[:cut])
    with pytest.raises(cpe.InputError, match=r"a.csv.gz: the gzip archive is damaged"):
        cpe.Votes.read(path)


def test_large_logs_are_read_by_columns(tmp_path, monkeypatch):
    """No line is looked at by itself where nothing is wrong, quoted or not."""

    def refuse(*_, **__):
        raise AssertionError("read line by line")

    monkeypatch.setattr("cpe_opt.problems.tables._Columns.add_all", refuse)
    for quote in ("", '"'):
        cells = [f"{quote}{cell}{quote}" for cell in ("a", "b", "b", "c")]
        lines = [f"{cells[k % 2]},{cells[2 + k % 2]}" for k in range(2)] * 500
        text = "# head\n" * (not quote) + "winner,loser\n\n" + "\n".join(lines)
        path = tmp_path / "d.csv"
        path.write_text(text)
        mu = cpe.PreferenceMatrix.from_votes(cpe.Votes.from_duels(path))
        assert mu.votes.wins.tolist() == [[0, 500, 0], [0, 0, 500], [0, 0, 0]]


LARGE = [
    ("_MOST_BYTES", "a.csv", "winner,loser\n" + "x,y\n" * 20, "more than 50 bytes"),
    ("_MOST_BYTES", "a.csv.gz", "winner,loser\n" + "x,y\n" * 20, "more than 50 bytes, decompr"),
    ("_MOST_BYTES", "a.jsonl.gz", BATTLES, "more than 50 bytes, decompressed"),
    ("_MOST_WHOLE", "a.csv.gz", "0.5,1\n" + " " * 100 + "\n0,0.5\n", "more than 50 bytes, decompr"),
    ("_MOST_LINES", "a.csv", "0.5,1\n" + "# more\n" * 100 + "0,0.5\n", "more than 50 lines"),
    (
        "LONGEST_LINE",
        "a.csv",
        "winner,loser\nx,y\ny,z\n" + "z" * 100 + ",x\n",
        "line 4: more than 50 ch",
    ),
    (
        "LONGEST_LINE",
        "a.csv",
        f"winner,loser,{'z' * 99}\nx,y,1\n",
        "line 1: more than 50 charac",
    ),
    ("LONGEST_LINE", "a.jsonl", BATTLES, "line 1: more than 50 characters"),
    (
        "LONGEST_LINE",
        "a.jsonl",
        f"[{BATTLES[:-1]}]".replace("\n", ","),
        "line 1: more than 50 char",
    ),
    ("MOST_ROWS", "a.csv", "winner,loser\n" + "x,y\n" * 60, "more than 50 rows"),
    ("MOST_ROWS", "a.csv", 'winner,loser\n "x",y\n' + "x,y\n" * 60, "more than 50 rows"),
    ("MOST_ROWS", "a.jsonl", BATTLES, "more than 50 rows"),
    ("MOST_ROWS", "a.txt", "0 1\n" * 60, "more than 50 lines"),
    (
        "MOST_COLUMNS",
        "a.csv",
        "winner,loser" + ",z" * 60 + "\nx,y" + ",1" * 60,
        "line 1: more than 50 columns",
    ),
    (
        "MOST_COLUMNS",
        "a.csv",
        "\n".join([",".join(["0.5"] * 60)] * 60),
        "line 1: more than 50 cells",
    ),
]


def test_limits_on_files_are_lifted_by_an_option(tmp_path, monkeypatch):
    """Each refused within the limits, with what lifts them; the same file is read without."""
    for limit, name, content, message in LARGE:
        path = tmp_path / name
        data = content.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        with monkeypatch.context() as patched:
            for module in (text, tables, json_values, logs, matrices):
                if hasattr(module, limit):
                    patched.setattr(module, limit, 50)
            patched.setattr(text, "_LONGEST_BLOCK", 50)
            patched.setattr(text, "_BLOCK", 20)
            patched.setattr(json_values, "_CHUNK", 20)
            patched.setattr(tables, "_ROWS", 20)
            case = f"{limit}, {name}"
            with pytest.raises(cpe.InputError) as refused:
                read_problem(path)
            assert str(refused.value).startswith(name), case
            assert message in str(refused.value), case
            assert "cpe.large_files() (cpe-opt --large-files, before" in str(refused.value), case
            with cpe.large_files():
                read_problem(path)
