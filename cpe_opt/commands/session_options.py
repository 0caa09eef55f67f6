"""What the commands of sessions share: their arguments, opening a file, saying how to go on."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from cpe_opt.sessions.session import Session

FileArgument = Annotated[Path, typer.Argument(help="The session's file.")]
QuestionArgument = Annotated[
    str, typer.Argument(metavar="ID", help="A question's, such as 0-1.7; see `session next`.")
]
RaterOption = Annotated[str | None, typer.Option(help="Who answers; recorded with each answer.")]
ProblemOption = Annotated[
    str | None,
    typer.Option(
        help="The problem again, if the file could not hold it: spanning trees, paths, separable "
        "rewards."
    ),
]
SetSizeOption = Annotated[int | None, typer.Option("--k", help="As for `session new`.")]

DEFAULT = {"learner": "copeland-tracking", "delta": 0.05}
"""For arms that duel; so that nothing need be said of algorithms."""
_STARTING = {"subsets": "subset-tracking", "matchings": "matching-tracking"}


def given_problem(problem: str | None, k: int | None) -> dict[str, Any]:
    """The argument ``problem`` of a session, where one is given."""
    from cpe_opt.errors import InputError

    if problem is None:
        if k is not None:
            raise InputError("--k has no effect without --problem")
        return {}
    from cpe_opt.problems.files import load_problem

    return {"problem": load_problem(problem, k)}


def from_counts(
    counts: Path | None, problem: str | None, k: int | None
) -> tuple[dict[str, Any], str]:
    """The argument ``problem`` of a new session, and the family that counts are of.

    Of a log of teams ``k`` says how many members are to be chosen.
    """
    from cpe_opt.problems.subsets.team_scores import TeamScores
    from cpe_opt.sessions.before import read_before

    seen = read_before(counts)
    if problem is None and k is not None and isinstance(seen, TeamScores):
        return {"problem": seen.decisions(k)}, seen.family
    return given_problem(problem, k), "" if seen is None else seen.family


def open_session(file: Path, problem: str | None = None, k: int | None = None) -> Session:
    """The session of a file that is there."""
    from cpe_opt.sessions.session import Session

    require_session(file)
    return Session.open(file, **given_problem(problem, k))


def require_session(file: Path) -> None:
    """Raise :class:`cpe_opt.errors.InputError` where there is no file."""
    from cpe_opt.errors import InputError
    from cpe_opt.problems.text import require_file

    try:
        require_file(file)
    except InputError as error:
        raise InputError(f"{error}; `cpe-opt session new` begins a session") from None


def go_on(command: str, file: Path, *rest: str) -> str:
    """A command line that goes on with a session, to be typed as it stands."""
    return shlex.join(["cpe-opt", "session", command, str(file), *rest])


def labels_option(text: str) -> list[str]:
    """Labels from ``a,b,c``, or from a file."""
    from cpe_opt.errors import InputError
    from cpe_opt.problems.files import is_path
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


def default_learner(family: str, *, from_counts: bool = False) -> str:
    """That of arms that duel, or the one that starts from what was seen; else there are several."""
    from cpe_opt.errors import InputError
    from cpe_opt.learners.registry import learners_of

    if family == "dueling":
        return str(DEFAULT["learner"])
    if from_counts and family in _STARTING:
        return _STARTING[family]
    raise InputError(f"which learner? For a problem of {family}: {', '.join(learners_of(family))}")
