"""Files that cannot be what they are read as."""

import pytest

import cpe_opt as cpe
from cpe_opt.problems.files import read_problem
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
MATRICES = [
    ("", "x.csv: the file is empty, expected a preference matrix"),
    ("# nothing\n", "x.csv: the file is empty, expected a preference matrix"),
    ("a,b\n", "x.csv is no preference matrix: there are no lines below the"),
    ("0.5\n", "x.csv: preference matrix: expected at least 2 arms, got 1"),
    ("0.5,0.6\n0.4\n", "x.csv, line 2: 1 cell, expected 2, as line 1 has"),
    ("0.5,0.6\n0.4,0.5,1\n", "x.csv, line 2: 3 cells, expected 2, as line 1 has"),
    (
        "0.5,0.6,0.7\n0.4,0.5,0.6\n",
        "x.csv is no preference matrix: 2 × 3 numbers (rows × columns),",
    ),
    (
        "0.5,0.6\n0.4,0.5\n0.3,0.2\n",
        "x.csv is no preference matrix: 3 × 2 numbers (rows × columns),",
    ),
    (
        "a,b,c\n0.5,0.6,0.7\n0.4,0.5,0.6\n",
        "x.csv is no preference matrix: 2 × 3 numbers (rows × columns),",
    ),
    (
        "a,b\n0.5,0.6,0.7\n0.4,0.5,0.6\n",
        "x.csv is no preference matrix: line 2 has 3 cells, and the",
    ),
    (
        ",a,b\na,0.5,0.6\nc,0.4,0.5\n",
        "x.csv: the labels of the rows differ from those of the header:",
    ),
    (",a,a\na,0.5,0.6\na,0.4,0.5\n", "x.csv: labels: arms 0 and 1 are both called 'a'"),
    (",a,\na,0.5,0.6\n,0.4,0.5\n", "x.csv: labels[1] is '', expected a text that is not blank"),
    ("0.5,x\n0.4,0.5\n", "x.csv, line 1: 'x' is not a number"),
    ("0.5,\n0.4,0.5\n", "x.csv, line 1: an empty cell, number 2 of 2; expected a number, on the"),
    ("0.5,0.6,\n0.4,0.5,\n", "x.csv is no preference matrix: line 2: an empty cell, number 3 of 3"),
    (",a,b\na,,0.6\nb,0.4,\n", "x.csv, line 2: an empty cell, number 1 of 2; expected a number"),
    ("0.5,nan\n0.4,0.5\n", "x.csv: preference matrix, row 0, column 1: the entry is NaN,"),
    ("0.5,inf\n0.4,0.5\n", "x.csv: preference matrix, row 0, column 1: the entry is inf,"),
    ("0.5,0.6+0j\n0.4,0.5\n", "x.csv, line 1: '0.6+0j' is not a number"),
    ("0.5,0_6\n0.4,0.5\n", "x.csv, line 1: '0_6' is not a number"),
    ("0.5,1.6\n-0.6,0.5\n", "x.csv: preference matrix, row 0, column 1: the entry is 1.6,"),
    ("0.5,0.7\n0.4,0.5\n", "x.csv: preference matrix, row 0, column 1: 0.7 and its mirror"),
    ("0.6,0.6\n0.4,0.5\n", "x.csv: preference matrix, row 0, column 0: the diagonal entry"),
    ("50,60\n40,50\n", "x.csv: preference matrix, row 0, column 0: the entry is 50.0,"),
    ("0.5;0,6\n0.4;0.5\n", "x.csv, line 1: '0,6 (next to decimal points)' is not a number"),
    ("0.5;0,6\n0,4;0.5\n", "x.csv, line 1: '0,6 (next to decimal points)' is not a number"),
    ('0.5,"0.6\n0.4,0.5\n', "x.csv, line 1: a quote is not closed"),
    (
        "team,score\nann,3\nbob,4\n",
        "x.csv is a log of teams and their scores; a file of preferences is a square matrix",
    ),
    (
        "name,city,age\nann,rome,3\nbob,oslo,4\n",
        "x.csv is no preference matrix: line 2: 'rome' is not a number;",
    ),
    ("winer,loser\na,b\n", "x.csv is no preference matrix: line 2: 'b' is not a number; its"),
    (
        "the quick brown fox\njumps over the dog\n",
        "x.csv is no preference matrix: line 2: 'over' is not a number;",
    ),
    (
        "<html>\n<body>\n</body>\n</html>\n",
        "x.csv is no preference matrix: one cell a line, expected a",
    ),
    ('{"a": 1}\n', "x.csv, line 1: no log of duels; found a; expected one JSON object a line"),
]
# As lists of JSON objects or pairs, by whoever reads duels.
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
PREFLIB = [
    (
        SOC.replace("3: 1,2,3", "three: 1,2,3"),
        "x.soc, line 3: expected 'count: ranking', such as '3:",
    ),
    (SOC.replace("3: 1,2,3", "²: 1,2,3"), "x.soc, line 3: expected 'count: ranking', such as '3:"),
    (SOC.replace("3: 1,2,3", "-3: 1,2,3"), "x.soc, line 3: expected 'count: ranking', such as '3:"),
    (
        SOC.replace("3: 1,2,3", "0.5: 1,2,3"),
        "x.soc, line 3: expected 'count: ranking', such as '3:",
    ),
    (SOC.replace("3: 1,2,3", "3 1,2,3"), "x.soc, line 3: expected 'count: ranking', such as '3:"),
    (SOC.replace("3: 1,2,3", "3: 1;2;3"), "x.soc, line 3: '1;2;3' is not a ranking"),
    (SOC.replace("3: 1,2,3", "3: 1 2 3"), "x.soc, line 3: '1 2 3' is not a ranking"),
    (SOC.replace("3: 1,2,3", "3: {1 2},3"), "x.soc, line 3: '{1 2},3' is not a ranking"),
    (SOC.replace("3: 1,2,3", "3: 1,2,{3"), "x.soc, line 3: '1,2,{3' is not a ranking"),
    (SOC.replace("3: 1,2,3", "3: "), "x.soc, line 3: '' is not a ranking"),
    (SOC.replace("3: 1,2,3", "3: {}"), "x.soc, line 3: a vote that ranks no alternative"),
    (SOC.replace("3: 1,2,3", "3: 1,2,2"), "x.soc, line 3: an alternative is ranked twice"),
    (SOC.replace("3: 1,2,3", "3: 1,2,4"), "x.soc, line 3: an alternative lies outside 1 … 3"),
    (SOC.replace("3: 1,2,3", "3: 0,1,2"), "x.soc, line 3: an alternative lies outside 1 … 3"),
    (
        SOC.replace("3: 1,2,3", "3: 1,2"),
        "x.soc, line 3: 2 of 3 alternatives are ranked; .soc files have",
    ),
    (
        SOC.replace("3: 1,2,3", "3: 1,{2,3}"),
        "x.soc, line 3: a vote with ties; .soc files have none, .toc and",
    ),
    (SOC.replace("3: 1,2,3\n", ""), "x.soc: the votes add up to 1, and the header says that there"),
    (
        SOC.replace("3: 1,2,3\n1: 3,2,1\n", ""),
        "x.soc: no alternatives or no votes; expected a PrefLib file",
    ),
    (SOC.replace("IVES: 3", "IVES: 2"), "x.soc, line 3: an alternative lies outside 1 … 2"),
    (
        SOC.replace("IVES: 3", "IVES: 999999999"),
        "x.soc: 999999999 alternatives, expected 2 to 10,000",
    ),
    (
        SOC.replace("VOTERS: 4", "VOTERS: 5"),
        "x.soc: the votes add up to 4, and the header says that there",
    ),
    ("# NUMBER ALTERNATIVES: 1\n3: 1\n", "x.soc: 1 alternatives, expected 2 to 10,000"),
    (SOC + "# ALTERNATIVE NAME 9: Zoe\n", "x.soc: alternative 9 lies outside 1 … 3"),
    (
        SOC + "# ALTERNATIVE NAME 1: Ann\n# ALTERNATIVE NAME 1: Bob\n",
        "x.soc, line 6: alternative 1 named twice",
    ),
    (
        "3\n1,Ann\n2,Bob\n3,Eve\n4,4,2\n3,1,2,3\n",
        "x.soc: the votes add up to 3, and the header says that there are 4 voters",
    ),
    (
        SOC.replace("3: 1,2,3", "0: 1,2,3").replace("1: 3", "0: 3").replace("VOTERS: 4", "V"),
        "x.soc: no vote compares two alternatives",
    ),
    ("winner,loser\na,b\n", "x.soc, line 1: expected 'count: ranking', such as '3:"),
    ("", "x.soc: no alternatives or no votes; expected a PrefLib file"),
]
MATCHINGS = [
    ("position,winner,loser\np,a,b,c\n", "x.csv, line 2: 4 cells, expected 3, as the header has"),
    ("position,winner,loser\np,a,a\n", "x.csv, line 2: a duel of 'a' against itself"),
    ("position,winner,loser\n,a,b\n", "x.csv, line 2: the cell of 'position' is empty"),
    (
        "position,winner,loser\np,tie,b\n",
        "x.csv, line 2: 'tie' is no arm; a log with ties has the columns",
    ),
    (
        "position,winner,loser,count\np,a,b,0\n",
        "x.csv: no duels, for every count is 0 (position p)",
    ),
    (
        "position,winner,loser,count\np,a,b,1\nq,a,b,0\n",
        "x.csv: no duels, for every count is 0 (position q)",
    ),
    ("position,winner\np,a\n", "x.csv: no log of duels; found position, winner; expected"),
    (
        "position,model_a,model_b,winner\np,a,b,c\n",
        "x.csv, line 2: winner is 'c', expected model_a, model_b, tie,",
    ),
    (PAIRS + "p,a,b,0.6,1\n", "x.csv, line 2: 5 cells, expected 4, as the header has"),
    (PAIRS + "p,a,b,much\n", "x.csv, line 2: probability is 'much', expected a number"),
    (PAIRS + "p,a,b,nan\n", "x.csv, line 2: probability is 'nan', expected a number"),
    (PAIRS + "p,a,b,1.6\n", "x.csv, line 2: probability is 1.6, expected a probability in"),
    (PAIRS + "p,a,a,0.6\n", "x.csv, line 2: probability is 0.6, expected 0.5 against itself"),
    (PAIRS + "p,a,b,\n", "x.csv, line 2: the cell of 'probability' is empty, expected a"),
    (PAIRS + "p,a,,0.6\n", "x.csv, line 2: the cell of 'opponent' is empty"),
    (PAIRS + "p,a,b,0.6\np,b,a,0.6\n", "x.csv, line 3: this pair has two probabilities"),
    (
        PAIRS + "p,a,b,0.6\np,b,c,0.6\n",
        "x.csv: probability of edge 0 (p: a) against edge 2 (p: c):",
    ),
    (
        PAIRS + "p,a,a,0.5\nq,a,a,0.5\n",
        "x.csv: no matching fills every position: 2 position(s) (p, q)",
    ),
    (PAIRS, "x.csv: the file has no lines below its header"),
    (
        "position,candidate,opponent\np,a,b\n",
        "x.csv, line 1: no column 'probability'; found position,",
    ),
    (
        "position,candidate,opponent,probability,date\np,a,b,0.6,may\n",
        "x.csv, line 1: unknown column 'date'; found position,",
    ),
    (
        "position;candidate;opponent;probability\np;a;b;0,6\np;a;c;0.6\n",
        "x.csv, line 2: probability is '0,6', and '0.6' elsewhere; a",
    ),
]
SCORES = [
    ("", "x.csv: the file is empty, expected a header"),
    ("who\nann\n", "x.csv: no column but 'who', expected candidates, then a column"),
    ("who,p\n", "x.csv: the file has no lines below its header"),
    ("who,p\nann,good\n", "x.csv, line 2: p is 'good', expected a number"),
    ("who,p\nann,nan\n", "x.csv, line 2: p is 'nan', expected a number"),
    ("who,p\nann,inf\n", "x.csv, line 2: p is 'inf', expected a number"),
    ("who,p\nann,1,2\n", "x.csv, line 2: 3 cells, expected 2, as the header has (who, p):"),
    ("who,p\nann,1\nann,2\n", "x.csv, line 3: who 'ann' stands there twice"),
    ("who,p,p\nann,1,2\n", "x.csv, line 1: two columns are called 'p'"),
    ("who,p,\nann,1,2\n", "x.csv, line 1: column 3 of the header has no name"),
    ("who,p\n,1\n", "x.csv, line 2: the cell of 'who' is empty"),
    ("who,p\nann,\n", "x.csv: nobody may take 'p', for it has no score"),
    ("who,p,q\nann,1,2\n", "x.csv: no matching fills every position: 2 position(s) (p, q)"),
    ("who,p,q\nann,1,\nbob,2,\n", "x.csv: nobody may take 'q', for it has no score"),
]
GRAPHS = [
    ("candidate,position\na,p\na,p\n", "x.csv, line 3: this edge stands there twice"),
    ("candidate,position\na,p,1\n", "x.csv, line 2: 3 cells, expected 2, as the header has"),
    ("candidate,position\na,\n", "x.csv, line 2: the cell of 'position' is empty"),
    (
        "candidate,position\na,p\na,q\n",
        "x.csv: no matching fills every position: 2 position(s) (p, q)",
    ),
    (
        "candidate,position,score\na,p,1\n",
        "x.csv, line 1: unknown column 'score'; found candidate,",
    ),
    ("candidate,place\na,p\n", "x.csv, line 1: no column 'position'; found candidate, place;"),
    ("candidate,position\n", "x.csv: the file has no lines below its header"),
]
SETS = [
    (
        "element,mean\na,1\nb,2,3\n",
        "x.csv, line 3: 3 cells, expected 2, as the header has (element,",
    ),
    ("element,mean\na,1\n,2\n", "x.csv, line 3: the cell of 'element' is empty"),
    ("element,mean\na,x\n", "x.csv, line 2: mean is 'x', expected a number"),
    ("element,mean\na,nan\n", "x.csv, line 2: mean is 'nan', expected a number"),
    ("element,mean\na,inf\n", "x.csv, line 2: mean is 'inf', expected a number"),
    ("element,mean\na,\n", "x.csv, line 2: the cell of 'mean' is empty, expected a number"),
    ("element,mean\na,1\na,2\n", "x.csv, line 3: element 'a' stands there twice"),
    ("element,mean\n", "x.csv: the file has no lines below its header"),
    ("element,mean,sd\na,1,2\n", "x.csv, line 1: unknown column 'sd'; found element, mean, sd;"),
    ("element,mean,mean\na,1,2\n", "x.csv, line 1: two columns are called 'mean'"),
    ("from,to,mean\na,b\n", "x.csv, line 2: 2 cells, expected 3, as the header has (from,"),
    ("from,to,mean\na,b,x\n", "x.csv, line 2: mean is 'x', expected a number"),
    ("from,to,mean\na,a,1\n", "x.csv: edge 0 is a loop at a"),
    ("from,to,mean\na,b,1\nc,d,1\n", "x.csv: the graph has no spanning tree: no path from a to c"),
    (
        "from,to,mean,length\na,b,1,1\n",
        "x.csv, line 1: unknown column 'length'; found from, to, mean,",
    ),
]
QUESTIONS = "question_id,ann,bob\nq1,A,B\nq2,C,C\n"
TRUTH = "question_id,truth\nq1,A\nq2,C\n"
CROWDS = [
    (
        QUESTIONS.replace("q1,A,B", "q1,A,B,C"),
        TRUTH,
        "answer.csv, line 2: 4 cells, expected 3, as the header has",
    ),
    (
        QUESTIONS.replace("question_id", "question"),
        TRUTH,
        "answer.csv: no column 'question_id'; found question, ann, bob",
    ),
    (QUESTIONS.replace("bob", "ann"), TRUTH, "answer.csv, line 1: two columns are called 'ann'"),
    (QUESTIONS.replace("bob", ""), TRUTH, "answer.csv, line 1: column 3 of the header has no name"),
    (
        QUESTIONS.replace("q2", "q1"),
        TRUTH,
        "answer.csv, line 3: question_id 'q1' stands there twice",
    ),
    (QUESTIONS.replace("q2", ""), TRUTH, "answer.csv, line 3: the cell of 'question_id' is empty"),
    ("question_id,ann\nq1,A\n", TRUTH, "answer.csv: 1 workers, expected at least 2"),
    ("question_id,ann,bob\n", TRUTH, "answer.csv: the file has no lines below its header"),
    ("", TRUTH, "answer.csv: the file is empty, expected a header"),
    (None, TRUTH, "no file"),
    (QUESTIONS, None, "no file"),
    (QUESTIONS, TRUTH.replace("q2,C", "q2,"), "truth.csv, line 3: the truth of 'q2' is empty"),
    (
        QUESTIONS,
        TRUTH.replace("q2,C\n", ""),
        "truth.csv: no truth for question 'q2' of answer.csv, line 3",
    ),
    (QUESTIONS, TRUTH + "q1,B\n", "truth.csv, line 4: question_id 'q1' stands there twice"),
    (
        QUESTIONS,
        TRUTH.replace("truth", "answer"),
        "truth.csv: no column 'truth'; found question_id, answer",
    ),
]
OPINIONS = '{"model": "opinion-sampling", "budget": 8, "arms": [%s]}'
ARM = '{"label": "a", "size": 5, "distribution": {"bernoulli": {"p": 0.5}}}'
BEST = '{"model": "best-k", "k": 1, "observations": "seen.csv"}'
SEPARABLE = [
    ("", "not a readable JSON file (Expecting value: line 1 column 1"),
    ("model: best-k", "not a readable JSON file (Expecting value: line 1 column 1"),
    ("[1, 2]", 'expected {"model": …, "arms": […]} with one of best-k,'),
    ("{}", 'expected {"model": …, "arms": […]} with one of best-k,'),
    ('{"model": "best"}', "unknown model 'best'; did you mean 'best-k'?"),
    (
        '{"model": null, "arms": []}',
        "unknown model None; known: best-k, opinion-sampling, water-plan",
    ),
    ("[" * 100_000, "not a readable JSON file (maximum recursion depth exceeded"),
    (
        '{"model": "best-k", "model": "best-k"}',
        "not a readable JSON file (an object has the key 'model' twice)",
    ),
    (OPINIONS % "", "arms: expected a list of at least one arm"),
    (OPINIONS % "3", "arm 0 is 3, expected an object with its numbers"),
    (OPINIONS % f"{ARM}, {ARM}", "expected 2 different labels, got a, a"),
    (OPINIONS % ARM.replace('"a"', "null"), "arm 0: label is null, expected a name"),
    (OPINIONS % ARM.replace('"a"', '""'), 'arm 0: label is "", expected a name'),
    (OPINIONS % ARM.replace('"a"', "[1]"), "arm 0: label is [1], expected a name"),
    (OPINIONS % ARM.replace("5,", "0,"), "sizes[0] is 0, expected a whole number, at least 1"),
    (OPINIONS % ARM.replace("5,", "2.5,"), "sizes[0] is 2.5, expected a whole number"),
    (OPINIONS % ARM.replace("5,", "NaN,"), "sizes[0] is nan, expected a whole number"),
    (OPINIONS % ARM.replace("5,", '"5",'), "sizes[0] is '5', expected a whole number"),
    (OPINIONS % ARM.replace("0.5", "2"), "arm a: distribution: p is 2, expected a probability"),
    (
        OPINIONS % ARM.replace("0.5", "NaN"),
        "arm a: distribution: p is nan, expected a number, at least 0",
    ),
    (
        OPINIONS % ARM.replace("bernoulli", "normal"),
        'arm a: distribution is {"normal": {"p": 0.5}}, expected one of',
    ),
    (OPINIONS.replace("8", "0") % ARM, "budget is 0, expected a whole number, at least 1"),
    (OPINIONS.replace("8", "Infinity") % ARM, "budget is inf, expected a whole number"),
    (OPINIONS.replace("8", "8.5") % ARM, "budget is 8.5, expected a whole number"),
    (
        OPINIONS.replace("budget", "money") % ARM,
        "the file has 'money', expected model, budget, observations, arms",
    ),
]
OBSERVATIONS = [
    ("a,b\n1,0\n1\n", "seen.csv, line 3: 1 cell, expected 2, as the header has (a, b):"),
    ("a,b\n1,0,1\n", "seen.csv, line 2: 3 cells, expected 2, as the header has (a,"),
    ("a,b\n1,x\n", "seen.csv, line 2: b is 'x', expected a number"),
    ("a,b\n1,2\n", "seen.csv, column b: values: expected numbers in [0, 1], at"),
    ("a,b\n1,\n", "seen.csv, column b: values: expected numbers in [0, 1], at"),
    ("a,a\n1,0\n", "seen.csv, line 1: two columns are called 'a'"),
    ("a,\n1,0\n", "seen.csv, line 1: column 2 of the header has no name"),
    (",a\n1,0\n", "seen.csv: the first column has no name"),
    ("a;b\n0,5;1.0\n0.5;0\n", "seen.csv, line 2: a is '0,5', and '0.5' elsewhere; a column has"),
    ("a,b\n", "seen.csv: the file has no lines below its header"),
    (None, "no file"),
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
    refused(cpe.PreferenceMatrix.from_duels, tmp_path, content, message)


@all_of(("content", "message"), MATRICES)
def test_matrices(tmp_path, content, message):
    refused(cpe.PreferenceMatrix.from_file, tmp_path, content, message)


@all_of(("content", "message"), JSON)
def test_lists_of_json(tmp_path, content, message):
    for read in (cpe.read_votes, cpe.PreferenceMatrix.from_file):
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


@all_of(("content", "message"), PREFLIB)
def test_elections(tmp_path, content, message):
    refused(cpe.PreferenceMatrix.from_preflib, tmp_path, content, message, "x.soc")


@all_of(("content", "message"), MATCHINGS)
def test_problems_of_matchings(tmp_path, content, message):
    refused(read_problem, tmp_path, content, message)


@all_of(("content", "message"), SCORES)
def test_tables_of_scores(tmp_path, content, message):
    refused(cpe.MatchingDuels.from_scores, tmp_path, content, message)


@all_of(("content", "message"), GRAPHS)
def test_graphs(tmp_path, content, message):
    refused(cpe.BipartiteGraph.from_csv, tmp_path, content, message)


@all_of(("content", "message"), SETS)
def test_problems_of_sets(tmp_path, content, message):
    k = None if content.startswith("from") else 1
    refused(lambda path: read_problem(path, k), tmp_path, content, message)


@pytest.mark.parametrize(("answers", "truth", "message"), CROWDS)
def test_crowds(tmp_path, answers, truth, message):
    for name, content in (("answer.csv", answers), ("truth.csv", truth)):
        if content is not None:
            (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(cpe.InputError) as error:
        cpe.SubsetBandit.from_crowdsourcing(tmp_path, 1)
    assert message in str(error.value)


@all_of(("content", "message"), SEPARABLE)
def test_problems_of_separable_rewards(tmp_path, content, message):
    refused(read_problem, tmp_path, content, message, "x.json")


@pytest.mark.parametrize(("content", "message"), OBSERVATIONS)
def test_observations(tmp_path, content, message):
    if content is not None:
        (tmp_path / "seen.csv").write_text(content, encoding="utf-8")
    refused(read_problem, tmp_path, BEST, message, "x.json")
