"""Outcomes as people and programs say them.

Of a duel: ``first``, ``second``, ``tie`` or ``skip``; the label of the one that won; or 1 where the
first one shown won, 0 where the second did, 0.5 for a tie. Of a pull or a set: a number, or
``skip``. Labels count in small letters, too, where no two are the same then. What could mean two
things means nothing: among things called ``1`` and ``2``, a ``1`` is refused unless both of its
meanings agree.
"""

from __future__ import annotations

import math
import numbers
from typing import Any

from cpe_opt.errors import InputError
from cpe_opt.problems.text import shortened
from cpe_opt.sessions.questions import WORDS, Question

SKIP = "skip"
_NUMBERS = {1.0, 0.0, 0.5}


def read_outcome(question: Question, said: Any) -> float | None:
    """The outcome that somebody said, for :meth:`cpe_opt.Session.tell`; None for a skip.

    Parameters
    ----------
    question : Question
    said : str or number

    Raises
    ------
    InputError
        Where it is none, or could mean two things.

    Examples
    --------
    >>> from cpe_opt.problems.queries import Duel
    >>> question = Question("0-1.1", Duel(1, 0), ("Tuna", "salmon"))
    >>> [read_outcome(question, said) for said in ("first", "salmon", "tuna", 0.5)]
    [1.0, 0.0, 1.0, 0.5]
    """
    text = said.strip() if isinstance(said, str) else None
    number = _number(said if text is None else text)
    meanings: set[float | None] = set()
    if text is not None and text.lower() == SKIP:
        meanings.add(None)
    if question.kind == "duel":
        if number in _NUMBERS:
            meanings.add(number)
        if text is not None:
            meanings |= {value for word, value in WORDS.items() if word == text.lower()}
            meanings |= _winners(question.labels, text)
    elif number is not None:
        meanings.add(number)
    if len(meanings) == 1:
        return meanings.pop()
    shown = repr(shortened(said) if isinstance(said, str) else said)
    what = "could mean two things, expected" if meanings else "is no outcome, expected"
    raise InputError(f"{shown} {what} {_expected(question, said)}")


def _number(said: Any) -> float | None:
    """The finite number that it is, or that a text stands for."""
    if isinstance(said, bool) or not isinstance(said, str | numbers.Real):
        return None
    try:
        number = float(said)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _winners(labels: tuple[str, ...], text: str) -> set[float | None]:
    """Who won, by label."""
    for same in (str, str.casefold):
        found: set[float | None] = {
            outcome
            for label, outcome in zip(labels, (1.0, 0.0), strict=True)
            if same(label.strip()) == same(text)
        }
        if found:
            return found
    return set()


def _expected(question: Question, said: Any) -> str:
    """What can be said of a question."""
    if question.kind != "duel":
        return "a number, or skip"
    first, second = question.labels
    return (
        f"first ({first}), second ({second}), tie or skip; or 1, 0, 0.5"
        if isinstance(said, str)
        else "1 where the first of the two won, 0 where the second did, 0.5 for a tie"
    )
