"""What the commands of sessions say: questions, answers, how a session stands."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import typer

from cpe_opt.commands.console import print_table
from cpe_opt.commands.session_options import go_on
from cpe_opt.learners.queries import condition

if TYPE_CHECKING:
    from cpe_opt.sessions.outlook import Outlook
    from cpe_opt.sessions.questions import Question
    from cpe_opt.sessions.status import Status
    from cpe_opt.sessions.view import SessionView


def things(status: Status) -> str:
    """What is asked about, such as ``3 arms``."""
    kind = {"dueling": "arms", "matchings": "edges"}.get(status.family, "elements")
    return f"{len(status.labels):,} {kind}"


def show_questions(questions: list[Question], file: Path) -> None:
    """A row a question, and how they are answered."""
    duels = questions[0].kind == "duel"
    about = any(question.about for question in questions)
    head = ["id", "first", "second"] if duels else ["id", questions[0].kind]
    print_table(
        [*head, *(["for"] if about else [])],
        [
            [
                question.id,
                *(question.labels if duels else [" + ".join(question.labels)]),
                *([question.about] if about else []),
            ]
            for question in questions
        ],
    )
    said = "first" if duels else "0.5"
    typer.echo(f"to answer: {go_on('answer', file, questions[0].id, said)}")
    if duels:
        typer.echo("or second, tie, skip; or the label of the one that won")


def nothing_open(session: SessionView) -> str:
    """Why there is no question."""
    status = session.status()
    if status.finished:
        return "\n".join([f"finished: {finished(status)}", *status.warnings])
    return (
        f"no question is free: raters have all {status.waiting:,} that are open, until their "
        "leases run out"
    )


def told(question: Question, value: float) -> str:
    """An answer that was noted, in words."""
    if question.kind != "duel":
        return f"{value:g}"
    if value == 0.5:
        return "a tie"
    return f"{question.labels[0 if value == 1.0 else 1]} wins"


def count_answers(count: int) -> str:
    """Such as ``1 answer``."""
    return f"{count:,} answer{'s' * (count != 1)}"


def rewrite(text: str, stream: TextIO) -> None:
    """Put another text on the line of a terminal's cursor, cut to its width."""
    width = max(20, shutil.get_terminal_size().columns) - 1
    shown = text if len(text) <= width else f"{text[: width - 1]}…"
    stream.write(f"\r{' ' * width}\r{shown}")
    stream.flush()


def finished(status: Status) -> str:
    """The answer of a learner that has finished, and whether it is proved."""
    return f"{status.answer}, {status.claim}"


def proved(seen: Outlook) -> str:
    """What is proved, or how far it is from that."""
    found = seen.proved or seen.so_far
    return f"{found}{condition(seen.assumption)}" if found else "nothing of winners yet"


def facts(status: Status, seen: Outlook) -> list[list[Any]]:
    """What a person wants to know first."""
    answers = f"{status.answers:,}"
    notes = [
        f"{number:,} {what}"
        for number, what in [
            (status.ties, "tied"),
            (status.repeats, "repeats beside"),
            (status.withdrawn, "withdrawn"),
            (status.skips, "skipped"),
        ]
        if number
    ]
    rows = [
        ["learner", status.learner],
        ["asks about", things(status)],
        ["answers", answers + (f" ({', '.join(notes)})" if notes else "")],
    ]
    if status.spent != status.answers + status.repeats:
        rows.append(["spent", f"{status.spent:,.10g}"])
    if status.finished:
        known = status.doubt or status.assumption
        rows.append(["answer", f"{status.answer}{f', {status.claim}' * bool(known)}"])
    else:
        leased = f", of which raters have {status.leased:,}" if status.leased else ""
        rows.append(["open questions", f"{status.waiting:,}{leased}"])
        rows.append(["ahead", seen.favourite or "nobody yet"])
    rows.append(["proved", proved(seen)])
    rows.append(["confidence", seen.confidence])
    if not status.finished and math.isfinite(seen.remaining) and seen.remaining > 0:
        cost = f", which cost {seen.cost:,.10g}" if seen.cost != seen.remaining else ""
        rows.append(["remaining", f"about {seen.remaining:,.0f} duels if it stays so{cost}"])
    return rows


def share(value: float) -> str:
    """In per cent; a dash where there is none."""
    return "–" if math.isnan(value) else f"{100.0 * value:.0f} %"
