r"""What is said to programs that judge, and what they say: one line of JSON each.

A question::

    {"id": "0-3.7", "kind": "duel", "labels": ["tuna", "squid"], "about": ""}

``labels`` stand in the order in which the two are to be shown, which the session has drawn;
``about`` is the position that candidates are compared for. Of a pull (``"kind": "pull"``) or a set
(``"set"``) ``labels`` are what is pulled. With content there is also ``"content"``, an object for
each label with ``"text"``, ``"image"`` or both.

An answer, on a line of its own, with the same id::

    {"id": "0-3.7", "outcome": 1}

The outcome of a duel is 1 where the first won, 0 where the second did, 0.5 for a tie; or a text:
``"first"``, ``"second"``, ``"tie"``, ``"skip"``, or the label of the one that won; of a pull or a
set, a number. Other keys are not read. Standard output is for answers alone, and is to be flushed
after each; whatever else a program has to say belongs on standard error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cpe_opt.errors import InputError
from cpe_opt.sessions.content import Item
from cpe_opt.sessions.judge_process import JudgeFailed
from cpe_opt.sessions.outcomes import read_outcome
from cpe_opt.sessions.questions import Question


def question_line(question: Question, content: Mapping[str, Item] | None = None) -> bytes:
    """The line that asks a question."""
    said: dict[str, Any] = question.as_dict()
    if content is not None:
        said["content"] = [_shown(content.get(label, Item())) for label in question.labels]
    return json.dumps(said, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def read_answer(question: Question, line: bytes) -> float | None:
    """The outcome that a line says; None for a skip.

    Raises
    ------
    JudgeFailed
        With the line, where it is no answer to this question.
    """
    shown = repr(line[:200].decode("utf-8", "replace").rstrip("\r\n"))
    try:
        said = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise JudgeFailed(f"wrote a line that is no JSON: {shown}") from None
    if not isinstance(said, dict) or "id" not in said or "outcome" not in said:
        raise JudgeFailed(f"wrote no object with id and outcome: {shown}")
    if said["id"] != question.id:
        raise JudgeFailed(f"answered another question than {question.id}: {shown}")
    try:
        return read_outcome(question, said["outcome"])
    except InputError as error:
        raise JudgeFailed(f"{error}; it wrote {shown}") from None


def _shown(item: Item) -> dict[str, str]:
    return {name: value for name, value in (("text", item.text), ("image", item.image)) if value}
