"""Files that cannot be what they are read as."""

import pytest

import cpe_opt as cpe
from cpe_opt.formats.votes import read_log
from tests.support import all_of

ARENA = "model_a,model_b,winner\n"
PAIRS = "position,candidate,opponent,probability\n"
DUEL = '{"winner": "a", "loser": "b"}'
SOC = "# NUMBER ALTERNATIVES: 3\n# NUMBER VOTERS: 4\n3: 1,2,3\n1: 3,2,1\n"

# Logs in which every line is a cell of a test set.
ITEM = "model_a,model_b,item,winner\n"
FIRST = "model_a,model_b,item,first,winner\n"
ITEMS = [
    ("model_a,model_b,winner\nx,y,tie\n", "x.csv, line 1: no column 'item'; found model_a,"),
    ("a,b,item\nx,y,1\n", "x.csv: no log of duels; found a, b, item; expected the columns"),
    (ITEM + "x,y,,tie\n", "x.csv, line 2: the cell of 'item' is empty"),
    (ITEM + "x,x,1,tie\n", "x.csv, line 2: a duel of 'x' against itself"),
    (ITEM + "x,y,1,z\n", "x.csv, line 2: winner is 'z', expected model_a, model_b, tie,"),
    (
        ITEM + "x,y,1,tie\nx,y,2,tie\n\ny,x,1,model_a\n",
        "x.csv, line 5: these arms stand there twice",
    ),
    (
        FIRST + "x,y,1,z,tie\n",
        "x.csv, line 2: first is 'z', expected model_a, model_b, or in all lines",
    ),
    (
        "model_a,model_b,item,outcome\nx,y,1,1.5\n",
        "line 2: outcome is 1.5, expected numbers from 0 to 1",
    ),
    ("model_a,model_b,item,outcome\nx,y,1,x\n", "x.csv, line 2: outcome is 'x', expected a number"),
    ("winner,loser,item,tie\nx,y,1,0\n", "x.csv: is 'tie' a column of outcomes? A log of ties has"),
]

# What the file has, and what is said; read as a log of duels, as a matrix and as any of these.
LOGS = [
    ("winner,loser\na,b,c\n", "x.csv, line 2: 3 cells, expected 2, as the header has (winner,"),
    ("winner,loser,\na,b,\n", "x.csv, line 1: column 3 of the header has no name"),
    ("winner,loser\na,b # nice game\n", "x.csv, line 2: loser is 'b # nice game'; comments are on"),
    ('winner,loser\n"a,b\n', "x.csv, line 2: a quote is not closed"),
    ('winner,loser\n"a" x,b\n', "x.csv, line 2: ',' expected after '\"'"),
    ("winner,winner,loser\na,b,c\n", "x.csv, line 1: two columns are called 'winner'"),
    ("winner,loser;judge\na,b;c\n", "x.csv: no log of duels; found winner,loser, judge; expected"),
    ("model_a,model_b,winner,winner\nx,y,tie,tie\n", "line 1: two columns are called 'winner'"),
    ("winner|loser\na|b\n", "x.csv: no log of duels; found winner|loser; expected"),
    ("winner,loser\nNA,b\n", "x.csv, line 2: the cell of 'winner' is 'NA', which stands for a"),
    ("winner,loser\n", "x.csv: no rows, expected some of winner"),
    ("winner,loser,counts\na,b,1\n", "x.csv: is 'counts' how many duels a line stands for? That"),
    ("winner,loser,count\na,b,0\n", "x.csv: no duels, for every count is 0"),
    ("winner,loser,count\na,b,-1\n", "x.csv, line 2: count is '-1', expected a whole number, 0"),
    ("position,winner,loser\np,a,b\n", "x.csv: a log with a column 'position' is one of"),
    ("winner,loser,winner_tie\na,b,1\n", "x.csv: is 'winner_tie' a column of outcomes?"),
    (
        "left,right,winner\na,b,left\n",
        "x.csv: no log of duels; found left, right, winner; expected",
    ),
    ("", "x.csv: the file is empty, expected a header of winner, loser"),
]
JSON = [
    ("", "x.jsonl: no rows, expected some of winner"),
    ("winner,loser\na,b\n", "x.jsonl, line 1: no JSON: Expecting value at column 1"),
    ('{"winner": "a", "winner": "b", "loser": "c"}', "line 1: no JSON: an object has the key"),
    (f'{DUEL}\n{{"winner": "a", "loser": ["b"]}}', "line 2: loser is an array, expected a text or"),
    (f'{DUEL}\n{DUEL[:-1]}, "count": 2}}', "line 2: 'count' is a key of some objects, and not of"),
    (f'{DUEL[:-1]}, "outcome": 1}}', "x.jsonl: is 'outcome' a column of outcomes? A log of ties"),
    (f'{DUEL[:-1]}, "position": "p"}}', "x.jsonl: a log with a column 'position' is one of"),
]
# Whatever the reader.
BYTES = [
    ("winner,loser\nJosé,b\n".encode("latin-1"), "x.csv, line 2: the byte 0xE9 is not UTF-8; ex"),
    ("winner,loser\na,b\n".encode("utf-16-le"), "x.csv has NUL bytes; expected text in UTF-8"),
    (b"\xff\xfe" + "winner,loser\na,b\n".encode("utf-16-le")[:-1], "x.csv, line 1: the byte 0xFF"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "x.csv, line 1: the byte 0xD0 is not UTF-8"),
    (b"\x1f\x8b\x08\x00abc", "x.csv: the gzip archive is damaged: "),
    (b"PAR1\x15\x04", "x.csv: the Parquet file cannot be read: "),
]


def refused(read, tmp_path, content, message, name="x.csv"):
    path = tmp_path / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        path.write_text(content, encoding="utf-8", newline="")
    else:
        path.unlink(missing_ok=True)
    with pytest.raises(cpe.CpeOptError) as error:
        read(path)
    assert message in str(error.value)


@all_of(("content", "message"), LOGS)
def test_logs_of_duels(tmp_path, content, message):
    def read(path):
        log = read_log(path)
        log.counted(log.read[0])

    refused(read, tmp_path, content, message)


@all_of(("content", "message"), JSON)
def test_lists_of_json(tmp_path, content, message):
    refused(cpe.read_votes, tmp_path, content, message, "x.jsonl")


@all_of(("content", "message"), ITEMS)
def test_logs_over_items(tmp_path, content, message):
    refused(cpe.read_item_duels, tmp_path, content, message)


@pytest.mark.parametrize(("content", "message"), BYTES)
@all_of("name", ["x.csv", "x.json", "x.soc"])
def test_files_that_are_no_text_in_a_known_encoding(tmp_path, content, message, name):
    if name == "x.soc" and content.startswith(b"PAR1"):
        message = "x.soc, line 1: found 'PAR1"
    refused(cpe.load_problem, tmp_path, content, message.replace("x.csv", name), name)
