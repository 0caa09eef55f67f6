"""Rows one by one: what is read of each format, and what cannot be read, by reason."""

import json
import re

import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.errors import InputError


def read(folder, text, name="log.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return cpe.read_answer_rows(path)


def unread(rows):
    return {each.reason: (each.rows, each.places) for each in rows.unread}


def test_rows_of_a_log_with_positions_raters_and_times(tmp_path):
    rows = read(
        tmp_path,
        "model_a,model_b,winner,rater,time\n"
        "x,y,model_a,ann,2026-01-01\ny,x,tie,,2026-01-02\ny,z,model_b,bob,2026-01-03\n",
    )
    assert rows.labels == ("x", "y", "z")
    assert rows.value.tolist() == [1.0, 0.5, 0.0]
    assert rows.of_low.tolist() == [1.0, 0.5, 0.0]
    assert rows.columns["rater"] == ["ann", "", "bob"]
    assert rows.codes("rater").tolist() == [0, -1, 1]
    assert (rows.times[1] - rows.times[0], rows.named_first, rows.unread) == (86400.0, True, ())
    assert len(set(rows.pair[:2].tolist())) == 1 < len(set(rows.pair.tolist()))


def test_what_cannot_be_read_is_counted_by_reason_with_the_first_lines(tmp_path):
    rows = read(
        tmp_path,
        "winner,loser,count\na,b,1\na,a,2\n,b,1\na,b\nb,a,many\nb,b,1\nb,a,0\nb,a,-1\n",
    )
    assert unread(rows) == {
        "a duel of 'a' against itself": (2, ("line 3", "line 7")),
        "count is 'many', expected a whole number, 0 or more": (2, ("line 6", "line 9")),
        "the cell of 'winner' is empty": (1, ("line 4",)),
        "2 cells, expected 3, as the header has": (1, ("line 5",)),
    }
    assert rows.count.tolist() == [1.0]
    many = read(tmp_path, "model_a,model_b,winner\n" + "a,b,modle_a\n" * 9 + "a,b,tie\n")
    assert many.unread[0].rows == 9
    assert len(many.unread[0].places) == 5
    assert "expected model_a, model_b, tie" in many.unread[0].reason


def test_objects_that_are_none_are_counted_too(tmp_path):
    lines = ['{"winner": "a", "loser": "b", "rater": 7}', "{", "[1]", '{"winner": "a"}']
    rows = read(tmp_path, "\n".join(lines) + "\n", "log.jsonl")
    assert rows.columns["rater"] == ["7"]
    assert {each for _, places in unread(rows).values() for each in places} == {
        "line 2",
        "line 3",
        "line 4",
    }


def test_nothing_is_read_after_a_quote_that_is_not_closed(tmp_path):
    rows = read(tmp_path, 'winner,loser\na,b\n"a,b\nb,a\n')
    assert rows.rows == 1
    assert "a quote is not closed" in rows.unread[0].reason


def test_items_scores_teams_and_positions_are_known_by_their_columns(tmp_path):
    items = read(tmp_path, "model_a,model_b,outcome,item,first\na,b,0.7,q1,b\na,b,0.2,q2,a\n")
    assert (items.what, items.over_items) == (
        "a table of duels over the items of a test set",
        True,
    )
    assert items.value.tolist() == pytest.approx([0.3, 0.2])
    assert items.labels == ("b", "a")
    scores = read(tmp_path, "arm,item,score,rater\na,q1,1,x\nb,q1,2,x\nb,q2,0.5,x\n")
    assert not scores.duels
    assert unread(scores) == {"the score is not from 0 to 1": (1, ("line 3",))}
    teams = read(tmp_path, "team,score\nann + bob,5\nbob+ann,7\n")
    assert (teams.labels, teams.value.tolist()) == (("ann + bob",), [5.0, 7.0])
    panel = read(tmp_path, "position,winner,loser\nlead,a,b\ndesk,b,a\n")
    assert panel.labels == ("lead: a", "lead: b", "desk: b", "desk: a")


def test_parquet_files_have_rows_too(tmp_path):
    frame = pd.DataFrame({"Winner": ["a", "b"], "Loser": ["b", "b"]})
    frame.to_parquet(tmp_path / "log.parquet")
    rows = cpe.read_answer_rows(tmp_path / "log.parquet")
    assert (rows.rows, rows.unread[0].places) == (1, ("row 1",))


def test_whatever_the_reader_refuses_is_unread(tmp_path):
    text = "arm,item,score\na,q1,1\na,q1,0\nb,q1,0\n"
    (found,) = read(tmp_path, text).unread
    assert found.places == ("the whole file",)
    assert "line 3: this arm stands there twice" in found.reason
    fine = read(tmp_path, text.replace("a,q1,0\n", ""))
    assert fine.unread == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [("m.csv", "0,3\n2,0\n"), ("x.csv", "one,two\n1,2\n"), ("x.jsonl", json.dumps({"a": 1}))],
)
def test_files_without_rows_of_answers_are_refused(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=re.escape(name)):
        cpe.read_answer_rows(path)
