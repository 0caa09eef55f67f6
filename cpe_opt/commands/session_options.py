"""What the commands of sessions share: options, opening a file, and what they say of a session."""

from __future__ import annotations

import json
import math
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from cpe_opt.commands.console import print_table
from cpe_opt.learners.queries import condition
from cpe_opt.progress_line import progress_line

if TYPE_CHECKING:
    from cpe_opt.sessions.items import GivenItems
    from cpe_opt.sessions.progress import Progress
    from cpe_opt.sessions.questions import Question
    from cpe_opt.sessions.session import Session
    from cpe_opt.sessions.status import SessionStatus

FileArgument = Annotated[Path, typer.Argument(help="The session's file.")]
QuestionArgument = Annotated[
    str, typer.Argument(metavar="ID", help="A question's, such as 0-1.7; see `session next`.")
]
RaterOption = Annotated[str | None, typer.Option(help="Who answers; recorded with each answer.")]
ProblemOption = Annotated[
    str | None,
    typer.Option(
        help="The problem again, if its file has moved; the session remembers where it was."
    ),
]
SetSizeOption = Annotated[int | None, typer.Option("--k", help="As for `session new`.")]

DEFAULT = {"learner": "copeland-tracking", "delta": 0.05}
"""For arms that duel, so that nobody has to choose an algorithm."""
_STARTING = {"subsets": "subset-tracking", "matchings": "matching-tracking"}


def given_problem(problem: str | None, k: int | None) -> dict[str, Any]:
    """The argument ``problem`` of a session, where one is given: its file."""
    from cpe_opt.errors import InputError
    from cpe_opt.sessions.question_set import ProblemFile

    if problem is None:
        if k is not None:
            raise InputError("--k has no effect without --problem")
        return {}
    return {"problem": ProblemFile(problem, k)}


def open_session(file: Path, problem: str | None = None, k: int | None = None) -> Session:
    """The session of a file that is there."""
    from cpe_opt.sessions.session import Session

    require_session(file)
    with progress_line(f"opening {file}"):
        return Session.open(file, **given_problem(problem, k))


def require_session(file: Path) -> None:
    """Raise :class:`cpe_opt.errors.InputError` if there is no file."""
    from cpe_opt.errors import InputError
    from cpe_opt.text import require_file

    try:
        require_file(file)
    except InputError as error:
        raise InputError(f"{error}; `cpe-opt session new` begins a session") from None


def go_on(command: str, file: Path, *rest: str) -> str:
    """A command line that goes on with a session, to be typed as it stands."""
    return shlex.join(["cpe-opt", "session", command, str(file), *rest])


def items_option(text: str | None) -> GivenItems | None:
    """Items: how many, or a file of them."""
    from cpe_opt.sessions.items import read_items

    if text is None:
        return None
    return int(text) if text.isdecimal() else read_items(text)


def labels_option(text: str) -> list[str]:
    """Labels from ``a,b,c``, or from a file."""
    from cpe_opt.errors import InputError
    from cpe_opt.formats.problems import is_path
    from cpe_opt.sessions.content import read_labels

    if "," not in text or Path(text).is_file():
        if not is_path(text):
            raise InputError(f"--labels is {text!r}, expected at least two: a,b,c, or a file")
        return read_labels(text)
    return [label.strip() for label in text.split(",")]


def prices_option(text: str | None) -> float | str | None:
    """Prices: one number, or a file of them."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def default_learner(family: str, *, has_prior: bool = False) -> str:
    """That for arms that duel, or one that starts from earlier observations; else an error."""
    from cpe_opt.errors import InputError
    from cpe_opt.learners.registry import learners_of

    if family == "dueling":
        return str(DEFAULT["learner"])
    if has_prior and family in _STARTING:
        return _STARTING[family]
    raise InputError(f"which learner? For a problem of {family}: {', '.join(learners_of(family))}")


def things(status: SessionStatus) -> str:
    """What is asked about, such as ``3 arms``."""
    kind = {"dueling": "arms", "matchings": "edges"}.get(status.family, "elements")
    cells = f" in {status.cells:,} cells of a test set" if status.cells else ""
    return f"{len(status.labels):,} {kind}{cells}"


def show_questions(questions: list[Question], file: Path) -> None:
    """A row a question, and how they are answered."""
    duels = questions[0].kind == "duel"
    about = any(question.about for question in questions)
    items = any(question.item is not None for question in questions)
    head = ["id", "first", "second"] if duels else ["id", questions[0].kind]
    print_table(
        [*head, *(["for"] if about else []), *(["item"] if items else [])],
        [
            [
                question.id,
                *(question.labels if duels else [" + ".join(question.labels)]),
                *([question.about] if about else []),
                *([question.item["id"]] if question.item is not None else []),
            ]
            for question in questions
        ],
    )
    said = "0.5"
    if duels:
        said = "first,second" if questions[0].paired else "first"
    typer.echo(f"to answer: {go_on('answer', file, questions[0].id, said)}")
    if duels:
        typer.echo("or second, tie, skip; or the label of the one that won")


def item_lines(question: Question) -> list[str]:
    """The item that two are compared on, with what there is to read of it."""
    if question.item is None:
        return []
    lines = [f"item {question.item['id']}"]
    for name, value in question.item.items():
        if name != "id":
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            first, *others = text.split("\n")
            lines += [f"  {name}: {first}", *(f"    {line}" for line in others)]
    return lines


def count_answers(count: int) -> str:
    """Such as ``1 answer``."""
    return f"{count:,} answer{'s' * (count != 1)}"


def rewrite(text: str, stream: TextIO) -> None:
    """Put another text on the line of a terminal's cursor, cut to its width."""
    width = max(20, shutil.get_terminal_size().columns) - 1
    shown = text if len(text) <= width else f"{text[: width - 1]}…"
    stream.write(f"\r{' ' * width}\r{shown}")
    stream.flush()


def proved(progress: Progress) -> str:
    """What is proved, or how far it is from that."""
    said = progress.proved or progress.so_far
    return f"{said}{condition(progress.assumption)}" if said else "nothing of winners yet"


def facts(status: SessionStatus, progress: Progress) -> list[list[Any]]:
    """What a person wants to know first."""
    answers = f"{status.answers:,}"
    notes = [
        f"{number:,} {what}"
        for number, what in [
            (status.ties, "tied"),
            (status.repeats, "repeats"),
            (status.withdrawn, "withdrawn"),
            (status.skips, "skipped"),
            (status.left_out, "left out"),
            (status.answers - status.told, "not counted"),
        ]
        if number
    ]
    rows = [
        ["learner", status.learner],
        ["asks about", things(status)],
        ["answers", answers + (f" ({', '.join(notes)})" if notes else "")],
    ]
    if status.budget:
        rows.append(["budget", f"{status.left:,} of {status.budget:,} duels left"])
    if status.position:
        rows.append(["position", status.position])
    if status.spent != status.answers + status.repeats:
        rows.append(["spent", f"{status.spent:,.10g}"])
    if status.finished:
        known = status.doubt or status.assumption or status.extent
        rows.append(["answer", f"{status.answer}{f', {status.claim}' * bool(known)}"])
    else:
        leased = f", of which raters have {status.leased:,}" if status.leased else ""
        rows.append(["open questions", f"{status.waiting:,}{leased}"])
        rows.append(["ahead", progress.ahead or "nobody yet"])
    rows.append(["proved", proved(progress)])
    rows.append(["confidence", progress.confidence])
    if not status.finished and math.isfinite(progress.remaining) and progress.remaining > 0:
        cost = f", which cost {progress.cost:,.10g}" if progress.cost != progress.remaining else ""
        rows.append(["remaining", f"about {progress.remaining:,.0f} duels if it stays so{cost}"])
    return rows
