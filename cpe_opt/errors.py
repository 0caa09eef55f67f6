"""Everything that can go wrong, in words a user can act on.

Every error derives from :class:`CpeOptError`. A message says what is wrong, where, and what was
expected.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

_LONGEST = 1000  # characters of a message
_BREAK = re.compile(r"\s*[\n\r]\s*")


class CpeOptError(Exception):
    """Base class of every error this package raises on purpose."""


class InputError(CpeOptError, ValueError):
    r"""An argument, a file or a problem is not what the function needs.

    The message is a line of at most 1,000 characters, whatever value it quotes: arrays and data
    frames are printed in several.

    Examples
    --------
    >>> print(InputError("delta is [0.1\n 0.2], expected a number"))
    delta is [0.1 0.2], expected a number
    """

    def __init__(self, message: str = "") -> None:
        line = _BREAK.sub(" ", message)
        if len(line) > _LONGEST:
            line = f"{line[: _LONGEST // 2]}…{line[-_LONGEST // 2 + 1 :]}"
        super().__init__(line)


class FileInUse(InputError):
    """A session's file is open for writing in another process, or twice in this one."""


class LearnerFault(InputError):
    """A learner asks or answers what it may not."""


class UnknownName(InputError):
    """A name of an instance, solver, learner, model, method or option is not known."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        near = difflib.get_close_matches(str(name), self.known, n=3, cutoff=0.5)
        if near:
            hint = f"did you mean {' or '.join(map(repr, near))}?"
        else:
            hint = f"known: {listed(sorted(self.known), 'names', most=60)}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, object, tuple[str, ...]]]:
        """Errors travel between processes."""
        return type(self), (self.kind, self.name, self.known)


class SolverFailed(CpeOptError):
    """A solver's answer is wrong and was recognised as such."""


class SolverMissing(CpeOptError):
    """The solver exists but its package is not installed."""


class SolverUnable(CpeOptError):
    """The solver is installed but cannot solve this kind of program."""


class WriteFailed(CpeOptError):
    """A file cannot be written: the disk is full, or its folder cannot be written to."""


class WorkerDied(CpeOptError):
    """A process that made runs has ended without saying why."""


class NotCertified(CpeOptError):
    """Nothing can be proved of a program in exact numbers."""


class NoDuals(CpeOptError):
    """A result has no duals: the program is an integer or a conic one, or the solver gave none."""


@contextmanager
def errors_of(source: str) -> Iterator[None]:
    """Put the name of a file before what is wrong with its content."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{source}: {error}") from None


def shortened(text: str, most: int = 60) -> str:
    """The start of a long text."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def counted(things: Sequence[object], name: str) -> str:
    """``1 cell``, ``2 cells``."""
    return f"{len(things):,} {name}{'' if len(things) == 1 else 's'}"


def listed(names: Sequence[str], what: str = "columns", most: int = 12) -> str:
    """Names, of columns as a rule, for a message: the first of many."""
    shown = [shortened(name, 30) or "(no name)" for name in names[:most]]
    rest = f", … ({len(names)} {what})" if len(names) > most else ""
    return (", ".join(shown) or "none") + rest
