"""What the commands of sessions share: opening a file, and what they say of a session."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.learners.queries import condition
from cpe_opt.progress_line import progress_line

if TYPE_CHECKING:
    from cpe_opt.sessions.progress import Progress
    from cpe_opt.sessions.status import SessionStatus


@dataclass(frozen=True, kw_only=True)
class Moved:
    """The problem of a session whose file is elsewhere now.

    :param problem: The problem again, if its file has moved; the session remembers where it was.
    :param k: As for `session new`.
    """

    problem: str | None = None
    k: int | None = None

    def given(self) -> dict[str, Any]:
        """The argument ``problem`` of a session, where one is given: its file."""
        from cpe_opt.sessions.questions import ProblemFile

        if self.problem is None:
            if self.k is not None:
                raise InputError("--k has no effect without --problem")
            return {}
        return {"problem": ProblemFile(self.problem, self.k)}


def open_session(file: Path, moved: Moved) -> cpe.Session:
    """The session of a file that is there."""
    require_session(file)
    with progress_line(f"opening {file}"):
        return cpe.Session.open(file, **moved.given())


def require_session(file: Path) -> None:
    """Raise :class:`cpe_opt.errors.InputError` if there is no file."""
    from cpe_opt.text import require_file

    try:
        require_file(file)
    except InputError as error:
        raise InputError(f"{error}; `cpe-opt session new` begins a session") from None


def go_on(command: str, file: Path, *rest: str) -> str:
    """A command line that goes on with a session, to be typed as it stands."""
    return shlex.join(["cpe-opt", "session", command, str(file), *rest])


def things(status: SessionStatus) -> str:
    """What is asked about, such as ``3 arms``."""
    kind = {"dueling": "arms", "matchings": "edges"}.get(status.family, "elements")
    cells = f" in {status.cells:,} cells of a test set" if status.cells else ""
    return f"{len(status.labels):,} {kind}{cells}"


def count_answers(count: int) -> str:
    """Such as ``1 answer``."""
    return f"{count:,} answer{'s' * (count != 1)}"


def proved(progress: Progress) -> str:
    """What is proved, or how far it is from that."""
    said = progress.proved or progress.so_far
    return f"{said}{condition(progress.assumption)}" if said else "nothing of winners yet"


def facts(status: SessionStatus, progress: Progress) -> dict[str, str]:
    """What a person wants to know first."""
    notes = {
        "tied": status.ties,
        "repeats": status.repeats,
        "withdrawn": status.withdrawn,
        "skipped": status.skips,
        "left out": status.left_out,
        "not counted": status.answers - status.told,
    }
    shown = ", ".join(f"{number:,} {what}" for what, number in notes.items() if number)
    rows = {
        "learner": status.learner,
        "asks about": things(status),
        "answers": f"{status.answers:,}{f' ({shown})' * bool(shown)}",
    }
    if status.budget:
        rows["budget"] = f"{status.left:,} of {status.budget:,} duels left"
    if status.position:
        rows["position"] = status.position
    if status.spent != status.answers + status.repeats:
        rows["spent"] = f"{status.spent:,.10g}"
    if status.finished:
        known = status.doubt or status.assumption or status.extent
        rows["answer"] = f"{status.answer}{f', {status.claim}' * bool(known)}"
    else:
        leased = f", of which raters have {status.leased:,}" if status.leased else ""
        rows["open questions"] = f"{status.waiting:,}{leased}"
        rows["ahead"] = progress.ahead or "nobody yet"
    rows |= {"proved": proved(progress), "confidence": progress.confidence}
    if not status.finished and math.isfinite(progress.remaining) and progress.remaining > 0:
        cost = f", which cost {progress.cost:,.10g}" if progress.cost != progress.remaining else ""
        rows["remaining"] = f"about {progress.remaining:,.0f} duels if it stays so{cost}"
    return rows
