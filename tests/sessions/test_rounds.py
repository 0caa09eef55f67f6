"""Rounds of questions as files: lines with a custom id out, outcomes in, each counted once."""

import json
import re

import pytest

import cpe_opt as cpe
from cpe_opt.sessions.rounds import (
    custom_id,
    note_answers,
    open_round,
    question_id,
    write_questions,
)
from tests.commands.test_cli import run

LABELS = ["ant", "bee", "cow"]
GRADE = {"ant": 3, "bee": 2, "cow": 1}
OVER = {"labels": LABELS, "items": 40, "seed": 1}


def begun(path, **options):
    return cpe.Session.open(path, "copeland-tracking", **OVER, **options)


def better(labels):
    return max(labels, key=GRADE.__getitem__)


def lines_of(questions):
    return [{"custom_id": custom_id(each.id), "outcome": better(each.labels)} for each in questions]


def written(path, lines):
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


@pytest.mark.parametrize("identity", ["0-1.7", "12-345.6789", "3.2", "0+4+5.1", "3+.1"])
def test_custom_ids_are_of_letters_digits_dashes_and_lines_and_lead_back(identity):
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", custom_id(identity))
    assert question_id(custom_id(identity)) == identity


def test_a_session_is_answered_round_by_round_from_files(path, tmp_path):
    waits = 0
    with begun(path) as session:
        while questions := open_round(session, 12):
            waits += 1
            assert waits > 1 or len(questions) > 3
            file = tmp_path / f"{waits}.jsonl"
            write_questions(questions, file)
            asked = [json.loads(line) for line in file.read_text().splitlines()]
            assert [each["custom_id"] for each in asked] == [custom_id(q.id) for q in questions]
            assert all({"labels", "item", "kind"} <= set(each) for each in asked)
            answers = [
                {"custom_id": each["custom_id"], "outcome": better(each["labels"])}
                for each in asked
            ]
            noted = note_answers(session, written(tmp_path / "a.jsonl", answers), rater="model")
            assert (noted.new, noted.passed, noted.open) == (len(questions), 0, 0)
        status = session.status()
    assert (status.answer, status.finished) == ("ant", True)
    assert 1 < waits < 20
    with cpe.Session.open(path) as again:
        assert again.status().answer == "ant"
        assert again.rounds == 12


def test_answers_that_are_there_are_passed_over_and_others_refused(path, tmp_path):
    with begun(path, rounds=3) as session:
        questions = open_round(session)
        lines = lines_of(questions)
        first = note_answers(session, written(tmp_path / "a.jsonl", lines[:2]))
        second = note_answers(session, written(tmp_path / "b.jsonl", lines[:4]))
        changed = [{**lines[0], "outcome": 0.5}, lines[5]]
        with pytest.raises(cpe.InputError, match=r"c\.jsonl: line 1: .* another answer already"):
            note_answers(session, written(tmp_path / "c.jsonl", changed))
        assert session.status().answers == 4
    assert (first.new, first.passed, first.open) == (2, 0, len(lines) - 2)
    assert (second.new, second.passed, second.open) == (2, 2, len(lines) - 4)


def test_answers_that_come_after_the_proof_are_no_mistake(path, tmp_path):
    with begun(path) as session:
        while questions := open_round(session, 2):
            last = lines_of(questions)
            note_answers(session, written(tmp_path / "a.jsonl", last))
        assert note_answers(session, tmp_path / "a.jsonl").passed == len(last)
        session.withdraw(questions_of(last)[-1])
        late = note_answers(session, tmp_path / "a.jsonl")
    assert (late.new, late.passed) in [(0, len(last)), (1, len(last) - 1)]


def questions_of(lines):
    return [question_id(line["custom_id"]) for line in lines]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[]", "is no answer, expected an object"),
        ("{", "is no answer, expected an object"),
        ('{"custom_id": 3, "outcome": 1}', "is no answer, expected an object"),
        ('{"custom_id": "0-1_1"}', "is no answer, expected an object"),
        ('{"custom_id": "0-9_1", "outcome": 1}', "no question has this id"),
        ('{"custom_id": "hello", "outcome": 1}', "no question has this id"),
        ('{"custom_id": "0-1_1", "outcome": 7}', "is no outcome"),
        ('{"custom_id": "0-1_80", "outcome": 1}', "is no open question"),
    ],
)
def test_a_line_that_is_wrong_is_named_and_nothing_of_the_file_counts(path, tmp_path, line, said):
    with begun(path, rounds=4) as session:
        good = json.dumps(lines_of(open_round(session))[0])
        file = tmp_path / "a.jsonl"
        file.write_text(f"{good}\n\n{line}\n")
        with pytest.raises(cpe.InputError, match=f"line 3: .*{said}"):
            note_answers(session, file)
        assert session.status().answers == 0


def test_words_skips_and_cells_that_are_left_out(path, tmp_path):
    with begun(path, rounds=4) as session:
        ids = [custom_id(each.id) for each in open_round(session)]
        said = ["first", "second", "tie", 0.25, True, "skip", "leave-out"]
        lines = [{"custom_id": i, "outcome": o} for i, o in zip(ids, said, strict=False)]
        noted = note_answers(session, written(tmp_path / "a.jsonl", lines))
        status, answers = session.status(), session.answers()
    assert (noted.new, noted.open) == (7, len(ids) - 6)
    assert (status.answers, status.left_out) == (5, 1)
    assert answers["outcome"].tolist() == [1.0, 0.0, 0.5, 0.25, 1.0]


def test_the_number_of_rounds_stays(path):
    with begun(path) as session:
        assert session.rounds is None
        session.ask_in_rounds(4)
        session.ask_in_rounds(4)
        with pytest.raises(cpe.InputError, match="asks in about 4 rounds, not in 5"):
            session.ask_in_rounds(5)
        assert session.ask_at_once(8) is None
    assert path.read_text().count('{"rounds":4') == 1
    with cpe.Session.open(path) as session:
        assert session.rounds == 4


def test_a_learner_that_cannot_says_so(path):
    with (
        cpe.Session.open(path, "savage", labels=LABELS, delta=0.1) as session,
        pytest.raises(cpe.InputError, match="savage does not ask in rounds"),
    ):
        session.ask_in_rounds(3)


def test_scores_are_asked_in_rounds_from_files(path, tmp_path):
    given = {"labels": LABELS, "items": 200, "seed": 1}
    waits = 0
    with cpe.Session.open(path, "score-tracking", **given) as session:
        while questions := open_round(session, 15):
            waits += 1
            lines = [
                {"custom_id": custom_id(q.id), "outcome": int(q.item_id) % 10 < 3 * GRADE[q.label]}
                for q in questions
            ]
            note_answers(session, written(tmp_path / "a.jsonl", lines))
        assert session.status().answer == "ant"
    assert 1 < waits < 20


def test_best_of_by_scores_in_rounds():
    def right(question):
        return int(question.item_id) % 10 < 3 * GRADE[question.label]

    found = cpe.best_of(LABELS, score=right, items=200, rounds=3, seed=1, workers=3)
    assert (found.best, found.proved) == ("ant", True)


def test_best_of_in_rounds():
    found = cpe.best_of(LABELS, lambda each: better(each.labels), items=40, rounds=3, seed=1)
    assert (found.best, found.proved) == ("ant", True)
    assert found.session.rounds == 3


def test_the_commands(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    begun(path).close()
    done = run("session", "next", path, "--out", "q.jsonl")
    assert done.exit_code == 2
    assert "in how many rounds is it to ask?" in done.output
    assert run("session", "next", path, "--round", 3).exit_code == 2
    done = run("session", "next", path, "--round", 12, "--out", "q.jsonl")
    assert "wrote q.jsonl" in done.output, done.output
    asked = [json.loads(line) for line in (tmp_path / "q.jsonl").read_text().splitlines()]
    lines = [{"custom_id": each["custom_id"], "outcome": better(each["labels"])} for each in asked]
    written(tmp_path / "a.jsonl", lines[1:])
    done = run("session", "answer", path, "--file", "a.jsonl")
    assert "1 of the round are still open" in done.output, done.output
    written(tmp_path / "a.jsonl", lines)
    done = run("session", "answer", path, "--file", "a.jsonl")
    assert f"1 answer, {len(lines) - 1} passed over" in done.output
    assert "the next round: cpe-opt session next" in done.output
    assert run("session", "answer", path).exit_code == 2
    assert run("session", "next", path, "--out", "q.jsonl").exit_code == 2  # it is there
    assert run("session", "next", path, "--out", "q.jsonl", "--force").exit_code == 0
