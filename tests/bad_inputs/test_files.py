"""Files that cannot be what they are read as."""

import pytest

import cpe_opt as cpe
from cpe_opt.formats.problems import read_problem
from cpe_opt.formats.votes import read_log
from tests.support import all_of

ARENA = "model_a,model_b,winner\n"
FLAGS = "model_a,model_b,winner_model_a,winner_model_b,winner_tie\n"
PAIRS = "position,candidate,opponent,probability\n"
DUEL = '{"winner": "a", "loser": "b"}'
SOC = "# NUMBER ALTERNATIVES: 3\n# NUMBER VOTERS: 4\n3: 1,2,3\n1: 3,2,1\n"

# Logs in which every line is a cell of a test set.
ITEM = "model_a,model_b,item,winner\n"
FIRST = "model_a,model_b,item,first,winner\n"
ITEMS = [
    (
        "model_a,model_b,winner\nx,y,tie\n",
        "x.csv, line 1: no column 'item'; found model_a, model_b",
    ),
    ("a,b,item\nx,y,1\n", "x.csv: no log of duels; found a, b, item; expected winner, loser;"),
    (ITEM + "x,y,,tie\n", "x.csv, line 2: the cell of 'item' is empty"),
    (ITEM + "x,x,1,tie\n", "x.csv, line 2: a duel of 'x' against itself"),
    (ITEM + "x,y,1,z\n", "x.csv, line 2: winner is 'z', expected model_a, model_b, tie,"),
    (
        ITEM + "x,y,1,tie\nx,y,2,tie\n\ny,x,1,model_a\n",
        "x.csv, line 5: 'y' against 'x' on item '1', as on line 2; each cell is asked once",
    ),
    (
        FIRST + "x,y,1,x,tie\nx,y,1,y,tie\ny,x,1,x,tie\n",
        "x.csv, line 4: 'y' against 'x' on item '1', in the same order, as on line 2; each cell",
    ),
    (FIRST + "x,y,1,z,tie\n", "x.csv, line 2: first is 'z', expected the name of one of the two"),
    (FIRST + "x,y,1,,tie\n", "x.csv, line 2: the cell of 'first' is empty"),
    (FIRST + "x,y,1,x,tie\nx,y,2,left,tie\n", "x.csv, line 3: first is 'left', expected the name"),
    (FIRST + "A,B,1,A,tie\nB,A,1,A,tie\n", "x.csv, line 3: first is 'A', which may be an arm's"),
    (
        "model_a,model_b,item,outcome\nx,y,1,1.5\n",
        "line 2: outcome is 1.5, expected a number from 0",
    ),
    ("model_a,model_b,item,outcome\nx,y,1,x\n", "x.csv, line 2: outcome is 'x', expected a number"),
    ("winner,loser,item,count\nx,y,1,2\n", "x.csv, line 2: a line for 2 duels, expected 1: each"),
    ("winner,loser,item,tie\nx,y,1,0\n", "x.csv: is 'tie' a column of outcomes? A log of ties has"),
]

# What the file has, and what is said; read as a log of duels, as a matrix and as any of these.
LOGS = [
    ("winner,loser\na,b,c\n", "x.csv, line 2: 3 cells, expected 2, as the header has (winner,"),
    ("winner,loser\na,b\na,b,\n", "x.csv, line 3: 3 cells, expected 2, as the header has (winner,"),
    ("winner,loser\na,b\nb\n", "x.csv, line 3: 1 cell, expected 2, as the header has (winner,"),
    ("winner,loser,\na,b,\n", "x.csv, line 1: column 3 of the header has no name"),
    ("winner,loser,count\na,b\n", "x.csv, line 2: 2 cells, expected 3, as the header has (winner,"),
    (
        "winner,loser\na,b,nice game\n",
        "x.csv, line 2: 3 cells, expected 2, as the header has (winner,",
    ),
    (
        "winner,loser\na,b # nice game\n",
        "x.csv, line 2: loser is 'b # nice game'; comments are on",
    ),
    ("winner,loser\n'a' b\n", "x.csv, line 2: 1 cell, expected 2, as the header has (winner,"),
    ('winner,loser\n"a,b\n', "x.csv, line 2: a quote is not closed"),
    ('winner,loser\na,"b\nc,d\n', "x.csv, line 2: a quote is not closed"),
    ('winner,loser\n"a" x,b\n', "x.csv, line 2: ',' expected after '\"'"),
    ("winner,winner,loser\na,b,c\n", "x.csv, line 1: two columns are called 'winner'"),
    ("winner,loser,Loser\na,b,c\n", "x.csv, line 1: two columns are called 'Loser'"),
    (
        "winner,loser;judge\na,b;c\n",
        "x.csv, line 1: the header 'winner,loser;judge' has commas and",
    ),
    ("winner|loser\na|b\n", "x.csv: no log of duels; found winner|loser; expected winner,"),
    ("winner loser\na b\n", "x.csv: no log of duels; found winner loser; expected winner,"),
    ("winner;loser\na,b\n", "x.csv, line 2: 1 cell, expected 2, as the header has (winner,"),
    ("winner\na\n", "x.csv: no log of duels; found winner; expected winner, loser;"),
    ("who,whom\na,b\n", "x.csv: no log of duels; found who, whom; expected winner,"),
    ("a,b\nc,d\n", "x.csv: no log of duels; found a, b; expected winner, loser; or"),
    ("winner,loser\n", "x.csv: the file has no lines below its header"),
    ("winner,loser\n\n# nothing\n", "x.csv: the file has no lines below its header"),
    ("winner,loser\na,a\n", "x.csv, line 2: a duel of 'a' against itself"),
    ("winner,loser\na,A\nb,b\n", "x.csv, line 3: a duel of 'b' against itself"),
    ("winner,loser\na,\n", "x.csv, line 2: the cell of 'loser' is empty"),
    ("winner,loser\n,b\n", "x.csv, line 2: the cell of 'winner' is empty"),
    ("winner,loser\n ,b\n", "x.csv, line 2: the cell of 'winner' is empty"),
    ("winner,loser\nNA,b\n", "x.csv, line 2: the cell of 'winner' is 'NA', which stands for a"),
    ("winner,loser\na,NaN\n", "x.csv, line 2: the cell of 'loser' is 'NaN', which stands for a"),
    ("winner,loser\na,None\n", "x.csv, line 2: the cell of 'loser' is 'None', which stands for"),
    ("winner,loser\ntie,b\n", "x.csv, line 2: 'tie' is no arm; a log with ties has the columns"),
    (
        "winner,loser\na,b\na,Tie (bothbad)\n",
        "x.csv, line 3: 'tie (bothbad)' is no arm; a log with ties has",
    ),
    ("winner,loser\ndraw,b\n", "x.csv, line 2: 'draw' is no arm; a log with ties has the"),
    ("winner,loser,tie\na,b,1\n", "x.csv: is 'tie' a column of outcomes? A log of ties has the"),
    (
        "winner,loser,result\na,b,draw\n",
        "x.csv: is 'result' a column of outcomes? A log of ties has the",
    ),
    ("winner,loser,counts\na,b,1\n", "x.csv: is 'counts' how many duels a line stands for? That"),
    ("winner,loser,n\na,b,1\n", "x.csv: is 'n' how many duels a line stands for? That column is"),
    (
        "winner,loser,cuont\na,b,1\n",
        "x.csv: is 'cuont' how many duels a line stands for? That column",
    ),
    ("winner,loser,count\na,b,0\n", "x.csv: no duels, for every count is 0"),
    (
        "winner,loser,count\na,b,-1\n",
        "x.csv, line 2: count is '-1', expected a whole number, 0 or more",
    ),
    (
        "winner,loser,count\na,b,nan\n",
        "x.csv, line 2: count is 'nan', expected a whole number, 0 or",
    ),
    (
        "winner,loser,count\na,b,inf\n",
        "x.csv, line 2: count is 'inf', expected a whole number, 0 or",
    ),
    (
        "winner,loser,count\na,b,1e300\n",
        "x.csv, line 2: count is '1e300', expected a whole number, 0 or",
    ),
    (
        "winner,loser,count\na,b,0.5\n",
        "x.csv, line 2: count is '0.5', expected a whole number, 0 or",
    ),
    ("winner,loser,count\na,b,\n", "x.csv, line 2: the cell of 'count' is empty, expected a whole"),
    (
        "winner,loser,count\na,b,many\n",
        "x.csv, line 2: count is 'many', expected a whole number, 0 or",
    ),
    (
        "winner,loser,count\na,b,1_000\n",
        "x.csv, line 2: count is '1_000', expected a whole number, 0 or",
    ),
    (
        "winner,loser,count\na,b,1+2j\n",
        "x.csv, line 2: count is '1+2j', expected a whole number, 0 or",
    ),
    (
        "winner;loser;count\na;b;1.000,5\n",
        "x.csv, line 2: count is '1.000,5'; a column has either decimal",
    ),
    (
        "position,winner,loser\np,a,b\n",
        "x.csv: a log with a column 'position' is one of matchings,",
    ),
    (ARENA + "x,y,z\n", "x.csv, line 2: winner is 'z', expected model_a, model_b, tie,"),
    (ARENA + "x,y,Y\n", "x.csv, line 2: winner is 'Y', expected model_a, model_b, tie,"),
    (ARENA + "x,y,\n", "x.csv, line 2: winner is '', expected model_a, model_b, tie,"),
    (ARENA + "x,y,model_a\nx,x,tie\n", "x.csv, line 3: a duel of 'x' against itself"),
    (ARENA + ",y,model_a\n", "x.csv, line 2: the cell of 'model_a' is empty"),
    (ARENA + "x,y\n", "x.csv, line 2: 2 cells, expected 3, as the header has (model_a,"),
    ("model_a,model_b\nx,y\n", "x.csv: no log of duels; found model_a, model_b; expected"),
    (
        "model_a,winner\nx,model_a\n",
        "x.csv: no log of duels; found model_a, winner; expected winner,",
    ),
    (FLAGS + "x,y,1,1,0\n", "x.csv, line 2: winner_model_a, winner_model_b, winner_tie are"),
    (FLAGS + "x,y,0,0,0\n", "x.csv, line 2: winner_model_a, winner_model_b, winner_tie are"),
    (
        FLAGS + "x,y,1,0,0\nx,y,0,0,0.5\n",
        "x.csv, line 3: winner_model_a, winner_model_b, winner_tie are",
    ),
    (
        FLAGS + "x,y,True,False,False\n",
        "x.csv, line 2: winner_model_a is 'True', expected a number",
    ),
    ("", "x.csv: the file is empty, expected a header of winner, loser"),
    ("\n \n", "x.csv: the file is empty, expected a header of winner, loser"),
    ("# only a comment\n", "x.csv: the file is empty, expected a header of winner, loser"),
]
JSON = [
    ("", "x.jsonl: no log of duels; nothing is in it; expected one JSON object a line, or an"),
    ("\n \n", "x.jsonl: no log of duels; nothing is in it"),
    ("[]", "x.jsonl: no log of duels; nothing is in it"),
    ("3\n", "x.jsonl: no log of duels; found 3 on line 1; expected one JSON object a line, or"),
    ('"winner"\n', 'x.jsonl: no log of duels; found "winner" on line 1; expected one JSON'),
    (
        "winner,loser\na,b\n",
        "x.jsonl, line 1: no JSON: Expecting value at column 1: 'winner",
    ),
    ('{"winner": "a"', "x.jsonl, line 1: no JSON: Expecting ',' delimiter at column 15: '{"),
    ("{'winner': 'a'}", "x.jsonl, line 1: no JSON: Expecting property name enclosed in double"),
    (
        '{"who": "a", "whom": "b"}',
        "x.jsonl, line 1: no log of duels; found who, whom; expected one JSON object a line, or an "
        "array of them, with the keys winner, loser; or model_a, model_b, winner; or model_a, "
        "model_b, winner_model_a, winner_model_b, winner_tie; or left, right, winner; or "
        "left, right, label; or generator_1, generator_2, preference; or chosen_model, "
        "rejected_model; and, optionally, count; or pairs of numbers",
    ),
    (f"{DUEL}\n\n{{}}\n", "x.jsonl, line 3: no key 'winner'; found none; expected winner, loser"),
    (f'{DUEL}\n{{"winner": "a"}}', "x.jsonl, line 2: no key 'loser'; found winner; expected"),
    (f"{DUEL}\n7\n", "x.jsonl, line 2: 7, expected an object with the keys winner, loser"),
    (f"{DUEL}\n[1, 2]\n", "x.jsonl, line 2: an array, expected an object with the keys winner"),
    (f"{DUEL}\n{DUEL[:-1]}\n{DUEL}\n", "x.jsonl, line 2: no JSON: Expecting ',' delimiter at"),
    (f"{DUEL} {DUEL}\n", "x.jsonl, line 1: no JSON: Extra data at column 31"),
    (f"{DUEL}\n{'[' * 100_000}", "x.jsonl, line 2: no JSON: nested too deeply"),
    ('{"winner": "a", "winner": "b", "loser": "c"}', "line 1: no JSON: an object has the key"),
    ('{"winner": "a", "Winner": "b", "loser": "c"}', "line 1: two keys are called 'Winner'"),
    (f'{DUEL}\n{{"winner": "a", "loser": null}}', "x.jsonl, line 2: the cell of 'loser' is 'null'"),
    (f'{DUEL}\n{{"winner": "a", "loser": " "}}', "x.jsonl, line 2: the cell of 'loser' is empty"),
    (f'{DUEL}\n{{"winner": "a", "loser": ["b"]}}', "line 2: loser is an array, expected a text or"),
    ('{"winner": {"0": "a"}, "loser": {"0": "b"}}', "line 1: winner is an object, expected a text"),
    (f'{DUEL}\n{{"winner": "a", "loser": "a"}}', "x.jsonl, line 2: a duel of 'a' against itself"),
    ('{"winner": "tie", "loser": "b"}', "x.jsonl, line 1: 'tie' is no arm; a log with ties has"),
    (f'{DUEL}\n{DUEL[:-1]}, "count": 2}}', "line 2: 'count' is a key of some objects, and not of"),
    (f'{DUEL[:-1]}, "count": 1.5}}', "x.jsonl, line 1: count is '1.5', expected a whole number"),
    (f'{DUEL[:-1]}, "count": NaN}}', "x.jsonl, line 1: count is 'nan', expected a whole number"),
    (f'{DUEL[:-1]}, "outcome": 1}}', "x.jsonl: is 'outcome' a column of outcomes? A log of ties"),
    (f'{DUEL[:-1]}, "position": "p"}}', "x.jsonl: a log with a column 'position' is one of"),
    (f"[{DUEL},\n{DUEL[:-1]}\n]", "x.jsonl, line 3: no JSON: Expecting ',' delimiter at column 1"),
    (f"[{DUEL}\n{DUEL}]", "x.jsonl, line 2: expected ',' or ']' after a value, found '{'"),
    (f"[{DUEL},\n{DUEL}", "x.jsonl, line 2: expected ',' or ']' after a value, found the end of"),
    (f"[{DUEL},\n]", "x.jsonl, line 2: no JSON: Expecting value at column 1: ']'"),
    (f"[{DUEL}]\n{DUEL}", 'x.jsonl, line 2: \'{"winner": "a", "loser": "b"}\' after the end'),
    (f'[{DUEL},\n\n{{"winner": "a", "loser": "a"}}]', "x.jsonl, line 3: a duel of 'a' against"),
    (f'[{DUEL},\n{{"a": 1, "a": 2}}]', "x.jsonl, line 2: no JSON: an object has the key 'a' twice"),
    (
        '{"model_a": "a", "model_b": "b", "winner": "top"}',
        "x.jsonl, line 1: winner is 'top', expected model_a, model_b, tie, tie (bothbad) or both_",
    ),
    (
        '{"left": "a", "right": "b", "winner": "model_a"}',
        "x.jsonl, line 1: winner is 'model_a', expected left, right or tie",
    ),
    (
        '{"left": "a", "right": "b", "winner": "left", "weight": 0.5}',
        "x.jsonl, line 1: weight is '0.5', expected a whole number, 0 or more",
    ),
    (
        '{"left": "a", "right": "b", "winner": "left", "weight": 1, "count": 2}',
        "x.jsonl: 'count' and 'weight' are columns, expected one that says how many duels",
    ),
    (
        '{"prompt": "p", "chosen": [{"role": "user"}], "rejected": "n"}',
        "x.jsonl, line 1: pairs of texts, chosen and rejected, of which none of the keys says "
        "which models they are by; found prompt, chosen, rejected; expected",
    ),
    ('{"chosen_model": "tie", "rejected_model": "b"}', "x.jsonl, line 1: 'tie' is no arm"),
    (
        "[0, 1]\n[0]\n",
        "x.jsonl, line 2: found '[0]', expected two whole numbers, 0 or more: who won",
    ),
    ("[0, 1]\n[1, -1]\n", "x.jsonl, line 2: found '[1, -1]', expected two whole numbers"),
    ("[0, 1]\n[true, 2]\n", "x.jsonl, line 2: found '[true, 2]', expected two whole numbers"),
    ("[0, 1]\n[1.5, 2]\n", "x.jsonl, line 2: found '[1.5, 2]', expected two whole numbers"),
    ("[0, 1]\n[NaN, 2]\n", "x.jsonl, line 2: found '[NaN, 2]', expected two whole numbers"),
    ('[[0, 1],\n ["0", 2]]', "x.jsonl, line 2: found '[\"0\", 2]', expected two whole numbers"),
    ("[[0, 1],\n {}]", "x.jsonl, line 2: found '{}', expected two whole numbers"),
    ("[[0, 1],\n [2, 2]]", "x.jsonl, line 2: a duel of '2' against itself"),
    (b'{"winner": "Jos\xe9", "loser": "b"}', "x.jsonl, line 1: the byte 0xE9 is not UTF-8"),
]
# Tables of the newer forms, and pairs as text.
TABLES = [
    ("left,right,winner\na,b,ignore\n", "line 2: winner is 'ignore', expected left, right or tie"),
    ("left,right,winner\na,b,\n", "x.csv, line 2: winner is '', expected left, right or tie"),
    ("left,right\na,b\n", "x.csv is no preference matrix: line 2: 'b' is not a number"),
    ("left,right,winner,weights\na,b,tie,0.5\n", "line 2: weights is '0.5', expected a whole"),
    (
        "left,right,winner,weight,weights\na,b,tie,1,1\n",
        "x.csv: 'weight' and 'weights' are columns",
    ),
    ("left,right,winner,times\na,b,tie,1\n", "x.csv: is 'times' how many duels a line stands for?"),
    (
        "prompt,chosen,rejected\np,yes,no\n",
        "x.csv: pairs of texts, chosen and rejected, of which none of the columns says "
        "which models they are by; found prompt, chosen, rejected; expected also "
        "chosen_model, rejected_model; or chosen-model, rejected-model; or",
    ),
    ('chosen_model,rejected_model,chosen\na,b,"one\ntwo\n', "x.csv, line 2: a quote is not"),
    (
        'chosen,chosen_model,rejected_model\n"one\n\n# two, three",a,b\n"one\ntwo",a,a\n',
        "x.csv, line 5: a duel of 'a' against itself",
    ),
    ("chosen_model,rejected_model\na,draw\n", "x.csv, line 2: 'draw' is no arm; a log with ties"),
    ("chosen_model,rejected_model,is_tie\na,b,1\n", "x.csv: is 'is_tie' a column of outcomes?"),
    ("0 1\n1 2\n2 0\n0 2\n1 x\n", "x.csv, line 5: found '1 x', expected two whole numbers, 0 or"),
    ("0 1\n1 2\n2 0\n0 2\n1 2 3\n", "x.csv, line 5: found '1 2 3', expected two whole numbers"),
    ("0 1\n1 2\n2 0\n\n# x\n0 2\n1 1\n", "x.csv, line 7: a duel of '1' against itself"),
    ("# winner loser\n", "x.csv: no pairs, expected two whole numbers, 0 or more"),
    ("# winner loser\n0 1.5\n", "x.csv, line 2: found '0 1.5', expected two whole numbers"),
    ("# winner loser\n0 -1\n", "x.csv, line 2: found '0 -1', expected two whole numbers"),
    ("# winner loser\n0 nan\n", "x.csv, line 2: found '0 nan', expected two whole numbers"),
    ("# winner loser\n0 1e300\n", "x.csv, line 2: found '0 1e300', expected two whole numbers"),
    ("0 1\n1 2\n2 0\n", "x.csv: votes, row 0, column 0: the diagonal entry is 1.0, expected 0"),
]
# Whatever the reader.
BYTES = [
    (
        "winner,loser\nJosé,b\n".encode("latin-1"),
        "x.csv, line 2: the byte 0xE9 is not UTF-8. The file seems to be",
    ),
    (
        "winner,loser\na,b\n“x”,b\n".encode("cp1252"),
        "x.csv, line 3: the byte 0x93 is not UTF-8. The file seems to be",
    ),
    (
        "winner,loser\nИван,b\n".encode("cp1251"),
        "x.csv, line 2: the byte 0xC8 is not UTF-8. The file seems to be",
    ),
    (
        "winner,loser\na,b\n".encode("utf-16-le"),
        "x.csv has NUL bytes: it is a binary file, or UTF-16 without a",
    ),
    (
        b"\xff\xfe" + "winner,loser\na,b\n".encode("utf-16-le")[:-1],
        "x.csv: its byte order mark says UTF-16, and it is no UTF-16",
    ),
    (b"\xff\xfe\x00\xd8a\x00", "x.csv: its byte order mark says UTF-16, and it is no UTF-16"),
    (b"winner,loser\na\0,b\n", "x.csv has NUL bytes: it is a binary file, or UTF-16 without a"),
    ("winner,loser\na\0,b\n".encode("utf-16"), "x.csv has NUL characters, expected text"),
    (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "x.csv is a PDF document, expected a text file"),
    (
        b"PK\x03\x04\x14\x00\x06\x00",
        "x.csv is a zip archive, as Excel workbooks are, expected a text",
    ),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "x.csv is an old Excel or Word document, expected a text file",
    ),
    (b"\x1f\x8b\x08\x00abc", "x.csv: the gzip archive is damaged: "),
    (b"PAR1\x15\x04", "x.csv: the Parquet file cannot be read: "),
    (b"\x93NUMPY\x01", "x.csv is a NumPy array, expected a text file"),
    (b"\x89PNG\r\n\x1a\n", "x.csv is a picture, expected a text file"),
    (b"SQLite format 3\x00", "x.csv is an SQLite database, expected a text file"),
    (b"\x01\x02\x03\x9f\x92\x96\x80", "x.csv is a binary file, expected text in UTF-8"),
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
    refused(lambda path: read_log(path).counted(), tmp_path, content, message)


@all_of(("content", "message"), JSON)
def test_lists_of_json(tmp_path, content, message):
    for read in (cpe.read_votes, cpe.read_votes):
        refused(read, tmp_path, content, message, "x.jsonl")


@all_of(("content", "message"), TABLES)
def test_logs_of_other_forms(tmp_path, content, message):
    refused(cpe.read_votes, tmp_path, content, message)


@all_of(("content", "message"), ITEMS)
def test_logs_over_items(tmp_path, content, message):
    refused(cpe.read_item_duels, tmp_path, content, message)


@pytest.mark.parametrize(("content", "message"), BYTES)
@all_of("name", ["x.csv", "x.json", "x.soc"])
def test_files_that_are_no_text_in_a_known_encoding(tmp_path, content, message, name):
    if name == "x.soc" and content.startswith(b"PAR1"):
        message = "x.soc is a Parquet file, expected a text file"
    refused(read_problem, tmp_path, content, message.replace("x.csv", name), name)
