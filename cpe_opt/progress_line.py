"""What takes longer than a second says so: one line, which turns and names the step.

Functions that may take long have an argument ``progress`` of one meaning (:data:`ShowProgress`) and
are decorated by :func:`shows_progress`. What they call says by :func:`step` where it is; without a
listener that is a look at a variable. An inner function with ``progress=None`` joins the line of
the outer one.

rich draws the line from a thread of its own, so that no step waits for a terminal. By default there
is none where nobody watches: if standard error is neither a terminal nor a notebook's, in other
threads than the main one, and in child processes.
"""

from __future__ import annotations

import functools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias, TypeVar, cast

ShowProgress: TypeAlias = bool | Callable[[str], None] | None
"""None: a line at a terminal or in a notebook, after a second. True: always. False: never. A
function is told each step in words."""

Function = TypeVar("Function", bound=Callable[..., Any])
Hear: TypeAlias = Callable[[str, int | None], None]
_UNNOTICED = 1.0  # seconds without a sign of life; a log file has a count as often
_TURN = 0.1  # seconds; a count is told as often
_LISTENER: ContextVar[Hear | None] = ContextVar("listener", default=None)


def step(what: str, number: int | None = None) -> None:
    """Say which step comes now, to whoever listens.

    With a number, such as 12,000 "lines read", it may be called at every step: it is told ten times
    a second at most.
    """
    hear = _LISTENER.get()
    if hear is not None:
        hear(what, number)


@contextmanager
def progress_line(what: str, progress: ShowProgress = None) -> Iterator[None]:
    """Show a line, or tell a function, while the block runs; it should not print."""
    if progress is None and (_LISTENER.get() is not None or not _watched()):
        yield
        return
    with ExitStack() as stack:
        hear: Hear = _deaf
        if callable(progress):
            hear = _hearing(progress)
        elif progress is not False and _turns():
            delay = _UNNOTICED if progress is None else 0.0
            hear = _hearing(stack.enter_context(_turning_line(what, delay)))
        elif progress is not False and sys.stderr is not None:
            tell = functools.partial(print, file=sys.stderr, flush=True)
            tell(what)
            hear = _hearing(tell, pause=_UNNOTICED)
        token = _LISTENER.set(hear)
        try:
            yield
        finally:
            _LISTENER.reset(token)


@contextmanager
def own_steps() -> Iterator[Hear | None]:
    """Hide the steps of what the block calls; yields what its own are told to, as :func:`step`."""
    hear = _LISTENER.get()
    if hear in (None, _deaf):
        yield None
        return
    with progress_line("", False):
        yield hear


def shows_progress(what: str) -> Callable[[Function], Function]:
    """Decorate a function that has a keyword ``progress`` of the type :data:`ShowProgress`."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def shown(*arguments: Any, **named: Any) -> Any:
            # The log of a solver is a sign of life itself, on the same terminal.
            quiet = False if named.get("log") else None
            with progress_line(what, named.pop("progress", quiet)):
                return function(*arguments, **named)

        return cast(Function, shown)

    return decorate


def _hearing(tell: Callable[[str], None], pause: float = _TURN) -> Hear:
    """Tell the steps in words, and those with a number once a pause."""
    due = 0.0

    def hear(what: str, number: int | None) -> None:
        nonlocal due
        if number is not None:
            if time.monotonic() < due:
                return
            due = time.monotonic() + pause
            what = f"{number:,} {what}"
        tell(what)

    return hear


def _deaf(what: str, number: int | None) -> None:
    """Whom nothing is told."""


@contextmanager
def _turning_line(what: str, delay: float) -> Iterator[Callable[[str], None]]:
    """A line at the end of a terminal, or of a notebook's cell, gone when it ends."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    display = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    task = display.add_task(what, total=None)
    timer = threading.Timer(delay, display.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda text: display.update(task, description=f"{what}: {text}")
    finally:
        timer.cancel()
        timer.join()
        if display.live.is_started:
            display.stop()


def _turns() -> bool:
    """Whether standard error is a terminal or a notebook's."""
    notebook = type(sys.stderr).__module__.startswith("ipykernel")
    return sys.stderr is not None and (sys.stderr.isatty() or notebook)


def _watched() -> bool:
    """Whether somebody may see a line that this thread asks for."""
    processes = sys.modules.get("multiprocessing.process")  # imported in every child
    child = processes is not None and processes.parent_process() is not None
    main = threading.current_thread() is threading.main_thread()
    return main and not child and _turns()
