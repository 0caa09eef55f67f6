"""What people and assistants say, read in one way, and what they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cpe_opt.sessions.questions import LEAVE_OUT, outcome_in_words, read_outcome

if TYPE_CHECKING:
    from cpe_opt.sessions.session import Session
    from cpe_opt.sessions.status import Progress, SessionView


def note_answer(session: Session, id: str, said: Any, *, rater: str | None = None) -> str:  # noqa: A002
    """Answer, skip or leave out an open question, as was said; gives what was noted in words."""
    question = session.question(id)
    if isinstance(said, str) and said == LEAVE_OUT and said not in question.labels:
        session.leave_out(id)
        return "left out; it counts as the worst for what is proved"
    outcome = read_outcome(question, said)
    if outcome is None:
        session.skip(id, rater=rater)
        return "skipped"
    session.tell(id, outcome, rater=rater)
    return outcome_in_words(question, outcome)


def nothing_open(session: SessionView) -> str:
    """Why there is no question."""
    status = session.status()
    if status.finished:
        return "\n".join([f"finished: {status.answer}, {status.claim}", *status.warnings])
    return (
        f"no question is free: raters have all {status.waiting:,} that are open, until their "
        "leases run out"
    )


def standing(view: SessionView, progress: Progress) -> dict[str, Any]:
    """How a session stands, as plain values; NaN or infinity where a number is not known."""
    status = view.status()
    return {
        **status.as_dict(),
        "left": status.left if status.budget else None,
        "favourite": progress.favourite,
        "proved": progress.proved,
        "warnings": list(progress.warnings),
        "so_far": progress.so_far,
        "delta": progress.delta,
        "shares": view.header.shares.as_json(),
        "remaining": progress.remaining,
        "remaining_cost": progress.cost,
    }
