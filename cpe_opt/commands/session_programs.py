"""A session's questions for programs: what is shown meanwhile, and how it is stopped."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from cpe_opt.commands.session_watch import Watch
from cpe_opt.commands.session_words import count_answers, rewrite

if TYPE_CHECKING:
    from cpe_opt.sessions.judge_dispatch import JudgeEvent

_FAILURES = 20  # that are shown, each
_SILENCE = 60.0  # seconds
_REDRAWN = 0.1


class Reporter:
    """Says what programs do: in one line on a terminal, by the minute elsewhere.

    Parameters
    ----------
    watch : Watch
    answers : int
        From before.
    """

    def __init__(self, watch: Watch, answers: int) -> None:
        self.watch, self.answers, self.failures = watch, answers, 0
        self.terminal = sys.stderr.isatty()
        self.said = time.monotonic()

    def line(self) -> str:
        """How far it is."""
        failures = f", {self.failures:,} failed" if self.failures else ""
        seen = f"; {self.watch.line}" if self.watch.line else ""
        return f"{count_answers(self.answers)}{failures}{seen}"

    def event(self, event: JudgeEvent) -> None:
        """Something happened."""
        if event.kind == "answer":
            self.answers += 1
            self.watch.changed()
        elif event.kind == "waiting":
            self.say("raters have all questions that are open; waiting for their leases to end")
        elif event.kind == "put back" and event.question is not None:
            self.say(f"{event.question.id}: put back without an answer")
        elif event.kind == "failure" and event.question is not None:
            self.failures += 1
            if self.failures <= _FAILURES:
                self.say(f"{event.question.id}: the program {event.message}")
            elif self.failures == _FAILURES + 1:
                self.say("further failures are only counted")
        now = time.monotonic()
        if self.terminal and now - self.said >= _REDRAWN:
            self.said = now
            rewrite(self.line(), sys.stderr)
        elif now - self.said >= _SILENCE:
            self.said = now
            typer.echo(self.line(), err=True)

    def say(self, text: str) -> None:
        """A line of its own."""
        self.clear()
        typer.echo(text, err=True)

    def clear(self) -> None:
        """Take the line away."""
        if self.terminal:
            rewrite("", sys.stderr)


@contextmanager
def stopped_by_signals() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set; a second Ctrl-C interrupts as ever."""
    stop = threading.Event()
    names = [signal.SIGINT, signal.SIGTERM]
    before = {name: signal.getsignal(name) for name in names}

    def note(number: int, frame: Any) -> None:
        stop.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    for name in names:
        signal.signal(name, note)
    try:
        yield stop
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
