"""Rounds of questions as files, as batch interfaces of model providers take and give them.

A file has one JSON object per line, each with a ``custom_id``, by which its answer is found: the
question's id in letters, digits, ``-`` and ``_`` alone. A ``.`` is written ``_``, and a ``+`` is
written ``--``. Of a question the line has ``kind``, ``labels``, ``about``, and where there are
items ``item`` and ``orders``, as programs get them (:mod:`cpe_opt.sessions.judges`); what a model
is sent is for the user to write. Of an answer the line has ``outcome``, a number or in words,
``skip`` or ``leave-out``.

A file of answers is read and checked as a whole before any of it counts. Answers that the session
has already are passed over, so that a file may be given again, whatever interrupted the first time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cpe_opt.errors import InputError, errors_of
from cpe_opt.files import atomic_write, check_output
from cpe_opt.formats.text import numbered_lines, require_file
from cpe_opt.sessions.questions import LEAVE_OUT, SKIP, Question, question_of, read_outcome
from cpe_opt.sessions.session import Session
from cpe_opt.validation import shown_value


@dataclass(frozen=True)
class Noted:
    """What became of a file of answers."""

    new: int  #: answers that were noted
    passed: int  #: lines with answers that are there already, or to what is asked no more
    open: int  #: questions of the round that have no answer yet


def custom_id(question: str) -> str:
    """The id of a question as batch interfaces take it, such as ``0-1_7``."""
    return question.replace(".", "_").replace("+", "--")


def question_id(custom: str) -> str:
    """The id of the question whose :func:`custom_id` this is."""
    return custom.replace("--", "+").replace("_", ".")


def open_round(session: Session, rounds: int | None = None) -> list[Question]:
    """All questions that are open in the round, of about so many ``rounds`` in all; or none."""
    if rounds is not None:
        session.ask_in_rounds(rounds)
    questions = session.open_questions()
    session.ask(len(questions) + 1)  # answers count, also where the learner finishes before them
    return questions


def write_questions(
    questions: Sequence[Question], path: str | os.PathLike[str], *, force: bool = False
) -> None:
    """Write a line per question."""
    check_output(path, (".jsonl",), force=force)
    with atomic_write(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        for question in questions:
            said = question.as_dict()
            line = {"custom_id": custom_id(said.pop("id")), **said}
            file.write(f"{json.dumps(line)}\n")


def note_answers(
    session: Session, path: str | os.PathLike[str], *, rater: str | None = None
) -> Noted:
    """Note the answers of a file; :class:`InputError` where one is not valid, and none counts."""
    file = require_file(path)
    open_ = {question.id for question in open_round(session)}
    said: dict[str, Any] = {}
    lines = [(number, line) for number, line in numbered_lines(file) if line.strip()]
    for number, line in lines:
        with errors_of(f"{file.name}: line {number}"):
            id_, outcome = _read(session, line)
            known = said.get(id_, _known(session, id_))
            if known not in (None, outcome):
                raise InputError(
                    f"question {id_!r} has another answer already, and counts once; an answer can "
                    "be withdrawn, and given anew"
                )
            if id_ in open_:
                said[id_] = outcome
            elif known is None and not session.finished:
                session.question(id_)  # says why it is not open
    for id_, outcome in said.items():
        if outcome == LEAVE_OUT:
            session.leave_out(id_)
        elif outcome == SKIP:
            session.skip(id_, rater=rater)
        else:
            session.tell(id_, outcome, rater=rater, sync=False)
    session.commit()
    left = [id_ for id_ in open_ if said.get(id_, SKIP) == SKIP]
    return Noted(len(said), len(lines) - len(said), len(left))


def _known(session: Session, question: str) -> Any:
    """What the session has of a question; None for nothing."""
    if question in session.state.left_out:
        return LEAVE_OUT
    answer = session.answer_of(question)
    return None if answer is None else answer.outcome


def _read(session: Session, line: str) -> tuple[str, Any]:
    """The question that a line answers, and its outcome: of a cell perhaps a text."""
    try:
        said = json.loads(line)
        custom, outcome = said["custom_id"], said["outcome"]
        id_ = question_id(custom)
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        raise InputError(
            f"{shown_value(line)} is no answer, expected an object such as "
            '{"custom_id": "0-1_7", "outcome": 1}'
        ) from None
    asked, header = session.question_set, session.header
    if not asked.asks(id_):
        raise InputError(f"custom_id is {custom!r}, and no question has this id")
    question = question_of(id_, asked, header.seed, header.cells)
    if outcome == LEAVE_OUT and asked.items is not None and LEAVE_OUT not in question.labels:
        return question.id, LEAVE_OUT
    meant = read_outcome(question, float(outcome) if isinstance(outcome, bool) else outcome)
    return question.id, SKIP if meant is None else meant
