"""Opening a session: what is given, beside what its log says."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpe_opt.errors import InputError
from cpe_opt.problems.text import errors_of
from cpe_opt.sessions.header import Header, check_same, new_header, read_header
from cpe_opt.sessions.journal import Record
from cpe_opt.sessions.subject import Subject

if TYPE_CHECKING:
    from cpe_opt.sessions.before import Seen


def opened(records: Sequence[Record], given: Mapping[str, Any], path: Path) -> Header:
    """The header of a session that is there, compared with what is given, or of a new one.

    Parameters
    ----------
    records : sequence of dict
        Those of the log; empty for a new session.
    given : mapping
        The arguments of :meth:`cpe_opt.Session.open` by name; None where one is not given.
    path : Path
        For messages.

    Raises
    ------
    InputError
    """
    counts = _seen(given.get("counts"))
    subject, learner = _subject(given), given.get("learner")
    if not records:
        if learner is None:
            raise InputError(f"no session was begun in {str(path)!r}: a new one needs a learner")
        if subject is None and counts is not None:
            from cpe_opt.sessions.before import subject_of

            subject = subject_of(counts)
        if subject is None:
            raise InputError(
                f"{str(path)!r} is a new session: expected labels, of arms that duel each other, "
                "or problem, for anything else"
            )
        return _header(learner, subject, given, counts)
    stored = records[0]
    with errors_of(path.name):
        header = read_header(stored, learner if callable(learner) else None, subject)
        is_given = {
            name: given.get(name) is not None
            for name in ("learner", "seed", "horizon", "prices", "counts")
        }
        is_given |= {"parameters": bool(given.get("parameters")), "subject": subject is not None}
        if any(is_given.values()):
            there = header.learner if stored["code"] else header.name
            now = _header(learner or there, subject or header.subject, given, counts)
            check_same(stored, now, is_given)
    return header


def _seen(counts: object) -> Seen | None:
    """What was seen before, where it is given."""
    if counts is None:
        return None
    from cpe_opt.sessions.before import read_before

    return read_before(counts)


def _header(
    learner: Any, subject: Subject, given: Mapping[str, Any], counts: Seen | None
) -> Header:
    return new_header(
        learner,
        subject,
        seed=given.get("seed"),
        horizon=given.get("horizon"),
        prices=given.get("prices"),
        counts=counts,
        parameters=given.get("parameters") or {},
    )


def _subject(given: Mapping[str, Any]) -> Subject | None:
    labels, problem = given.get("labels"), given.get("problem")
    if labels is not None and problem is not None:
        raise InputError("labels and problem are both given, expected one of them")
    if problem is not None:
        if isinstance(problem, str | os.PathLike):
            from cpe_opt.problems.files import load_problem

            problem = load_problem(problem)
        return Subject.of_problem(problem)
    return None if labels is None else Subject.of_labels(labels)
