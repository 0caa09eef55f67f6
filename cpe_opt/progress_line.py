"""What takes longer than a second says so: one line, which turns and names the step.

Functions that may take long have an argument ``progress`` of one meaning (:data:`ShowProgress`) and
are decorated by :func:`shows_progress`. What they call says by :func:`step` where it is; without a
listener that is a look at a variable. An inner function with ``progress=None`` joins the line of
the outer one.

The line is written by a thread of its own, so that no step waits for a terminal. By default there
is none where nobody watches: if standard error is neither a terminal nor a notebook's, in other
threads than the main one, and in child processes.
"""

from __future__ import annotations

import functools
import itertools
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias, TypeVar, cast

ShowProgress: TypeAlias = bool | Callable[[str], None] | None
"""None: a line at a terminal or in a notebook, after a second. True: always. False: never. A
function is told each step in words."""

CountProgress: TypeAlias = bool | Callable[[int, int], None] | None
"""The same where steps are alike: a function is told how many are finished, and of how many."""

Function = TypeVar("Function", bound=Callable[..., Any])
_UNNOTICED = 1.0  # seconds without a sign of life
_TURN = 0.1  # seconds; a count is told as often
_SIGNS = "|/-\\"


def step(what: str, number: int | None = None) -> None:
    """Say which step comes now, to whoever listens.

    With a number, such as 12,000 "lines read", it may be called at every step: it is told ten times
    a second at most.
    """
    listener = _LISTENER.get()
    if listener is not None:
        listener.hear(what, number)


@contextmanager
def progress_line(what: str, progress: ShowProgress = None) -> Iterator[None]:
    """Show a line, or tell a function, while the block runs; it should not print.

    Parameters
    ----------
    what : str
        What is being done, such as "reading votes.csv".
    progress : bool or callable, optional

    Examples
    --------
    >>> with progress_line("counting", print):
    ...     step("apples")
    ...     step("pears", 12000)
    apples
    12,000 pears
    """
    if progress is None and (_LISTENER.get() is not None or not _watched()):
        yield
        return
    shown = progress is None or progress is True
    line: _TurningLine | _PrintedLines | None = None
    if shown:
        always = progress is True
        line = _TurningLine(what, 0.0 if always else _UNNOTICED) if _turns() else _PrintedLines()
    tell = line.tell if line is not None else cast("Callable[[str], None] | bool", progress)
    token = _LISTENER.set(_Listener(tell if callable(tell) else None))
    try:
        if isinstance(line, _PrintedLines):
            line.tell(what)
        yield
    finally:
        _LISTENER.reset(token)
        if line is not None:
            line.end()


@contextmanager
def own_steps() -> Iterator[Callable[[str, int | None], None] | None]:
    """Hide the steps of what the block calls; yields what its own are told to, as :func:`step`.

    That is None where nobody listens.
    """
    listener = _LISTENER.get()
    if listener is None or listener.tell is None:
        yield None
        return
    with progress_line("", False):
        yield listener.hear


@contextmanager
def counted_progress(what: str, progress: CountProgress) -> Iterator[Callable[[int, int], None]]:
    """The same for steps that are alike; yields what is to be told (finished, all)."""
    if callable(progress):
        with progress_line(what, False):  # the function may have a display of its own
            yield progress
        return
    with progress_line(what, progress), own_steps() as tell:
        yield lambda finished, every: tell and tell(f"of {every:,} {what}", finished)


def shows_progress(what: str) -> Callable[[Function], Function]:
    """Decorate a function that has a keyword ``progress`` of the type :data:`ShowProgress`.

    The function itself need not look at it.
    """

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def shown(*arguments: Any, **named: Any) -> Any:
            # The log of a solver is a sign of life itself, on the same terminal.
            quiet = False if named.get("log") else None
            with progress_line(what, named.pop("progress", quiet)):
                return function(*arguments, **named)

        return cast(Function, shown)

    return decorate


class _Listener:
    """Whom steps are told to; nobody where ``tell`` is None."""

    def __init__(self, tell: Callable[[str], None] | None) -> None:
        self.tell, self._due = tell, 0.0

    def hear(self, what: str, number: int | None) -> None:
        if self.tell is None:
            return
        if number is not None:
            now = time.monotonic()
            if now < self._due:
                return
            self._due = now + _TURN
            what = f"{number:,} {what}"
        self.tell(what)


_LISTENER: ContextVar[_Listener | None] = ContextVar("listener", default=None)


class _TurningLine:
    """A line at the end of a terminal, or of a notebook's cell, gone when it ends."""

    def __init__(self, what: str, delay: float) -> None:
        self._what, self._step, self._delay = what, "", delay
        self._ended = threading.Event()
        self._file = sys.stderr
        self._thread = threading.Thread(target=self._turn, daemon=True)
        self._thread.start()

    def tell(self, text: str) -> None:
        self._step = text

    def end(self) -> None:
        self._ended.set()
        self._thread.join()  # so that the line is gone

    def _turn(self) -> None:
        began = time.monotonic()
        if self._ended.wait(self._delay):
            return
        width = 0
        for sign in itertools.cycle(_SIGNS):
            said = f"{self._what}: {self._step}" if self._step else self._what
            text = f"{sign} {said}, {time.monotonic() - began:.0f} s"
            text = text[: shutil.get_terminal_size().columns - 1]
            self._write(f"\r{text.ljust(width)}")
            width = len(text)
            if self._ended.wait(_TURN):
                break
        self._write(f"\r{' ' * width}\r")

    def _write(self, text: str) -> None:
        try:
            self._file.write(text)
            self._file.flush()
        except (OSError, ValueError):  # a terminal that has gone
            self._ended.set()


class _PrintedLines:
    """A line a step where none can turn, such as in a log file; one a second at most."""

    def __init__(self) -> None:
        self._due = 0.0

    def tell(self, text: str) -> None:
        now = time.monotonic()
        if now >= self._due and sys.stderr is not None:
            self._due = now + _UNNOTICED
            print(text, file=sys.stderr, flush=True)

    def end(self) -> None:
        pass


def _turns() -> bool:
    """Whether standard error is a terminal or a notebook's."""
    stream = sys.stderr
    if stream is None:
        return False
    return stream.isatty() or type(stream).__module__.startswith("ipykernel")


def _watched() -> bool:
    """Whether somebody may see a line that this thread asks for."""
    if threading.current_thread() is not threading.main_thread():
        return False
    processes = sys.modules.get("multiprocessing.process")  # imported in every child
    child = processes is not None and processes.parent_process() is not None
    return not child and _turns()
