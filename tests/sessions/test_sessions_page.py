"""docs/sessions.md shows records as they are written."""

import json
import re
from pathlib import Path

import cpe_opt as cpe
from cpe_opt.problems.queries import Duel
from cpe_opt.sessions.judges import question_line, read_answer
from cpe_opt.sessions.questions import Question, question_of

PAGE = (Path(__file__).parents[2] / "docs" / "sessions.md").read_text(encoding="utf-8")


def test_the_page_shows_records_as_they_are_written(tmp_path):
    path = tmp_path / "session.jsonl"
    with cpe.Session.open(path, "copeland-tracking", labels=["a", "b"], delta=0.1) as session:
        [question] = session.ask(rater="ann")
        session.tell(question.id, 1)
        session.withdraw(question.id)
        session.ask_at_once(3)
    written = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    shown = re.search(r"```text\n(.*?)```", PAGE, re.DOTALL).group(1).splitlines()
    assert [list(json.loads(line)) for line in shown[1:]] == [list(each) for each in written[1:]]
    first = json.loads(shown[0].replace(' …,"check"', '"check"'))
    assert list(first)[:3] == list(written[0])[:3]
    assert f'"outcome":{written[2]["outcome"]}' in shown[2]
    assert re.fullmatch(r"\d+-\d+\.\d+", question.id)


def test_the_page_names_every_kind_of_record():
    source = Path(cpe.__file__).parent / "sessions" / "state.py"
    kinds = re.findall(r'if "(\w+)" in record', source.read_text(encoding="utf-8"))
    assert set(kinds) == {"ask", "answer", "skip", "withdraw", "parallel"}
    assert all(f"| `{kind}` |" in PAGE for kind in kinds)


def test_the_page_shows_what_programs_read_and_write(tmp_path):
    question, answer = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL).group(1).splitlines()
    said = json.loads(question)
    path, labels = tmp_path / "session.jsonl", ["tuna", "salmon", "squid"]
    with cpe.Session.open(path, "copeland-tracking", labels=labels, delta=0.1) as session:
        question_set = session.question_set
    duel = Question(said["id"], Duel(*map(labels.index, said["labels"])), tuple(said["labels"]))
    assert question_line(duel).decode() == f"{question}\n"
    assert read_answer(duel, answer.encode()) == 1.0
    assert question_of(said["id"], question_set, 0) == duel
