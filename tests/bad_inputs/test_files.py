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
    ("model_a,model_b,winner\nx,y,tie\n", "x.csv, line 1: no column 'item'; found model_a,"),
    ("a,b,item\nx,y,1\n", "x.csv: no log of duels; found a, b, item; expected winner, loser;"),
    (ITEM + "x,y,,tie\n", "x.csv, line 2: the cell of 'item' is empty"),
    (ITEM + "x,x,1,tie\n", "x.csv, line 2: a duel of 'x' against itself"),
    (ITEM + "x,y,1,z\n", "x.csv, line 2: winner is 'z', expected model_a, model_b, tie,"),
    (ITEM + "x,y,1,tie\nx,y,2,tie\n\ny,x,1,model_a\n", "x.csv, line 5: 'y' against 'x' on item"),
    (FIRST + "x,y,1,z,tie\n", "x.csv, line 2: first is 'z', expected the name of one of the two"),
    ("model_a,model_b,item,outcome\nx,y,1,1.5\n", "line 2: outcome is 1.5, expected a number"),
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
    ("winner,loser;judge\na,b;c\n", "x.csv, line 1: the header 'winner,loser;judge' has commas"),
    ("winner|loser\na|b\n", "x.csv: no log of duels; found winner|loser; expected winner,"),
    ("winner,loser\nNA,b\n", "x.csv, line 2: the cell of 'winner' is 'NA', which stands for a"),
    ("winner,loser\n", "x.csv: the file has no lines below its header"),
    ("winner,loser,counts\na,b,1\n", "x.csv: is 'counts' how many duels a line stands for? That"),
    ("winner,loser,count\na,b,0\n", "x.csv: no duels, for every count is 0"),
    ("winner,loser,count\na,b,-1\n", "x.csv, line 2: count is '-1', expected a whole number, 0"),
    ("position,winner,loser\np,a,b\n", "x.csv: a log with a column 'position' is one of"),
    (FLAGS + "x,y,1,1,0\n", "x.csv, line 2: winner_model_a, winner_model_b, winner_tie are"),
    (FLAGS + "x,y,True,False,False\n", "x.csv, line 2: winner_model_a is 'True', expected a"),
    ("", "x.csv: the file is empty, expected a header of winner, loser"),
]
MATRICES = [
    ("", "x.csv: the file is empty, expected a preference matrix"),
    ("a,b\n", "x.csv is no preference matrix: there are no lines below the"),
    ("0.5\n", "x.csv: preference matrix: expected at least 2 arms, got 1"),
    ("0.5,0.6\n0.4\n", "x.csv, line 2: 1 cell, expected 2, as line 1 has"),
    (",a,b\na,0.5,0.6\nc,0.4,0.5\n", "x.csv: the labels of the rows differ from those of the"),
    (",a,a\na,0.5,0.6\na,0.4,0.5\n", "x.csv: labels: arms 0 and 1 are both called 'a'"),
    ("0.5,x\n0.4,0.5\n", "x.csv, line 1: 'x' is not a number"),
    ("0.5,\n0.4,0.5\n", "x.csv, line 1: an empty cell, number 2 of 2; expected a number, on the"),
    ("0.5,0.7\n0.4,0.5\n", "x.csv: preference matrix, row 0, column 1: 0.7 and its mirror"),
    ("0.5,nan\n0.4,0.5\n", "x.csv: preference matrix, row 0, column 1: the entry is NaN,"),
    ("team,score\nann,3\nbob,4\n", "x.csv is a log of teams and their scores; a file of"),
    ('{"a": 1}\n', "x.csv, line 1: no log of duels; found a; expected one JSON object a line"),
]
# As lists of JSON objects or pairs, by whoever reads duels.
JSON = [
    ("", "x.jsonl: no log of duels; nothing is in it; expected one JSON object a line, or an"),
    ("winner,loser\na,b\n", "x.jsonl, line 1: no JSON: Expecting value at column 1: 'winner"),
    ('{"winner": "a", "winner": "b", "loser": "c"}', "line 1: no JSON: an object has the key"),
    (f'{DUEL}\n{{"winner": "a", "loser": ["b"]}}', "line 2: loser is an array, expected a text or"),
    (f'{DUEL}\n{DUEL[:-1]}, "count": 2}}', "line 2: 'count' is a key of some objects, and not of"),
    (f'{DUEL[:-1]}, "outcome": 1}}', "x.jsonl: is 'outcome' a column of outcomes? A log of ties"),
    (f'{DUEL[:-1]}, "position": "p"}}', "x.jsonl: a log with a column 'position' is one of"),
]
# Tables of the newer forms, and pairs as text.
TABLES = [
    ("left,right,winner\na,b,ignore\n", "line 2: winner is 'ignore', expected left, right or tie"),
    ("left,right,winner,weights\na,b,tie,0.5\n", "line 2: weights is '0.5', expected a whole"),
    ("prompt,chosen,rejected\np,yes,no\n", "x.csv: pairs of texts, chosen and rejected, of which"),
    ('chosen_model,rejected_model,chosen\na,b,"one\ntwo\n', "x.csv, line 2: a quote is not"),
    ("chosen_model,rejected_model,is_tie\na,b,1\n", "x.csv: is 'is_tie' a column of outcomes?"),
    ("0 1\n1 2\n2 0\n0 2\n1 x\n", "x.csv, line 5: found '1 x', expected two whole numbers, 0 or"),
    ("# winner loser\n", "x.csv: no pairs, expected two whole numbers, 0 or more"),
    ("0 1\n1 2\n2 0\n", "x.csv: votes, row 0, column 0: the diagonal entry is 1.0, expected 0"),
]
# Whatever the reader.
BYTES = [
    ("winner,loser\nJosé,b\n".encode("latin-1"), "x.csv, line 2: the byte 0xE9 is not UTF-8. The"),
    ("winner,loser\na,b\n".encode("utf-16-le"), "x.csv has NUL bytes: it is a binary file, or"),
    (b"\xff\xfe" + "winner,loser\na,b\n".encode("utf-16-le")[:-1], "x.csv: its byte order mark"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "x.csv is an old Excel or Word document, expected a"),
    (b"\x1f\x8b\x08\x00abc", "x.csv: the gzip archive is damaged: "),
    (b"PAR1\x15\x04", "x.csv: the Parquet file cannot be read: "),
]
PREFLIB = [
    (SOC.replace("3: 1,2,3", "three: 1,2,3"), "x.soc, line 3: expected 'count: ranking', such as"),
    (SOC.replace("3: 1,2,3", "3: 1;2;3"), "x.soc, line 3: '1;2;3' is not a ranking"),
    (SOC.replace("3: 1,2,3", "3: {}"), "x.soc, line 3: a vote that ranks no alternative"),
    (SOC.replace("3: 1,2,3", "3: 1,2,2"), "x.soc, line 3: an alternative is ranked twice"),
    (SOC.replace("3: 1,2,3", "3: 1,2"), "x.soc, line 3: 2 of 3 alternatives are ranked; .soc"),
    (SOC.replace("3: 1,2,3\n", ""), "x.soc: the votes add up to 1, and the header says that there"),
    (SOC.replace("3: 1,2,3\n1: 3,2,1\n", ""), "x.soc: no alternatives or no votes; expected a"),
    (SOC.replace("IVES: 3", "IVES: 999999999"), "x.soc: 999999999 alternatives, expected 2 to"),
    (SOC + "# ALTERNATIVE NAME 9: Zoe\n", "x.soc: alternative 9 lies outside 1 … 3"),
    (SOC + "# ALTERNATIVE NAME 1: Ann\n# ALTERNATIVE NAME 1: Bob\n", "x.soc, line 6: alternative"),
]
MATCHINGS = [
    ("position,winner,loser,count\np,a,b,0\n", "x.csv: no duels, for every count is 0 (position"),
    ("position,winner\np,a\n", "x.csv: no log of duels; found position, winner; expected"),
    (PAIRS + "p,a,b,much\n", "x.csv, line 2: probability is 'much', expected a number"),
    (PAIRS + "p,a,b,0.6\np,b,a,0.6\n", "x.csv, line 3: this pair has two probabilities"),
    (PAIRS + "p,a,b,0.6\np,b,c,0.6\n", "x.csv: probability of edge 0 (p: a) against edge 2 (p:"),
    (PAIRS + "p,a,a,0.5\nq,a,a,0.5\n", "x.csv: no matching fills every position: 2 position(s)"),
    ("position,candidate,opponent\np,a,b\n", "x.csv, line 1: no column 'probability'; found"),
    ("position,candidate,opponent,probability,date\np,a,b,0.6,may\n", "x.csv, line 1: unknown"),
]
SCORES = [
    ("", "x.csv: the file is empty, expected a header"),
    ("who\nann\n", "x.csv: no column but 'who', expected candidates, then a column"),
    ("who,p\nann,good\n", "x.csv, line 2: p is 'good', expected a number"),
    ("who,p\nann,1\nann,2\n", "x.csv, line 3: who 'ann' stands there twice"),
    ("who,p\nann,\n", "x.csv: nobody may take 'p', for it has no score"),
]
GRAPHS = [
    ("candidate,position\na,p\na,p\n", "x.csv, line 3: this edge stands there twice"),
    ("candidate,position,score\na,p,1\n", "x.csv, line 1: unknown column 'score'; found"),
    ("candidate,place\na,p\n", "x.csv, line 1: no column 'position'; found candidate, place;"),
]
SETS = [
    ("element,mean\na,x\n", "x.csv, line 2: mean is 'x', expected a number"),
    ("element,mean\na,1\na,2\n", "x.csv, line 3: element 'a' stands there twice"),
    ("element,mean,sd\na,1,2\n", "x.csv, line 1: unknown column 'sd'; found element, mean, sd;"),
    ("from,to,mean\na,a,1\n", "x.csv: edge 0 is a loop at a"),
    ("from,to,mean\na,b,1\nc,d,1\n", "x.csv: the graph has no spanning tree: no path from a to c"),
]
QUESTIONS = "question_id,ann,bob\nq1,A,B\nq2,C,C\n"
TRUTH = "question_id,truth\nq1,A\nq2,C\n"
CROWDS = [
    (QUESTIONS.replace("question_id", "question"), TRUTH, "answer.csv: no column 'question_id';"),
    ("question_id,ann\nq1,A\n", TRUTH, "answer.csv: 1 workers, expected at least 2"),
    (None, TRUTH, "no file"),
    (QUESTIONS, TRUTH.replace("q2,C", "q2,"), "truth.csv, line 3: the truth of 'q2' is empty"),
    (QUESTIONS, TRUTH.replace("q2,C\n", ""), "truth.csv: no truth for question 'q2' of"),
    (QUESTIONS, TRUTH.replace("truth", "answer"), "truth.csv: no column 'truth'; found"),
]
OPINIONS = '{"model": "opinion-sampling", "budget": 8, "arms": [%s]}'
ARM = '{"label": "a", "size": 5, "distribution": {"bernoulli": {"p": 0.5}}}'
BEST = '{"model": "best-k", "k": 1, "observations": "seen.csv"}'
SEPARABLE = [
    ("", "not a readable JSON file (Expecting value: line 1 column 1"),
    ("[1, 2]", 'expected {"model": …, "arms": […]} with one of best-k,'),
    ('{"model": "best"}', "unknown model 'best'; did you mean 'best-k'?"),
    ('{"model": null, "arms": []}', "unknown model None; known: best-k, opinion-sampling,"),
    (OPINIONS % "", "arms: expected a list of at least one arm"),
    (OPINIONS % "3", "arm 0 is 3, expected an object with its numbers"),
    (OPINIONS % f"{ARM}, {ARM}", "expected 2 different labels, got a, a"),
    (OPINIONS % ARM.replace('"a"', "null"), "arm 0: label is null, expected a name"),
    (OPINIONS % ARM.replace("5,", "0,"), "sizes[0] is 0, expected a whole number, at least 1"),
    (OPINIONS % ARM.replace("5,", "NaN,"), "sizes[0] is nan, expected a whole number"),
    (OPINIONS % ARM.replace("0.5", "2"), "arm a: distribution: p is 2, expected a probability"),
    (OPINIONS % ARM.replace("bernoulli", "normal"), 'arm a: distribution is {"normal": {"p":'),
    (OPINIONS.replace("8", "0") % ARM, "budget is 0, expected a whole number, at least 1"),
    (OPINIONS.replace("8", "Infinity") % ARM, "budget is inf, expected a whole number"),
    (OPINIONS.replace("budget", "money") % ARM, "the file has 'money', expected model, budget,"),
]
OBSERVATIONS = [
    ("a,b\n1,0\n1\n", "seen.csv, line 3: 1 cell, expected 2, as the header has (a, b):"),
    ("a,b\n1,2\n", "seen.csv, column b: values: expected numbers in [0, 1], at"),
    (",a\n1,0\n", "seen.csv: the first column has no name"),
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
    for read in (cpe.Votes.read, cpe.Votes.from_duels, cpe.PreferenceMatrix.from_file):
        refused(read, tmp_path, content, message, "x.jsonl")


@all_of(("content", "message"), TABLES)
def test_logs_of_other_forms(tmp_path, content, message):
    refused(cpe.Votes.read, tmp_path, content, message)


@all_of(("content", "message"), ITEMS)
def test_logs_over_items(tmp_path, content, message):
    refused(cpe.ItemDuels.from_csv, tmp_path, content, message)


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
