"""``cpe-opt session run``: a person or programs answer until there is a proof, or no more money.

A person answers by single keys (:class:`Person`, :class:`Keys`); for programs, one line says what
they do (:class:`Reporter`). Meanwhile a thread follows the session's progress (:class:`Watch`).
"""

from __future__ import annotations

import math
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from cpe_opt.commands import JsonOption
from cpe_opt.commands.console import print_json
from cpe_opt.commands.session_options import (
    FileArgument,
    ProblemOption,
    RaterOption,
    SetSizeOption,
    count_answers,
    go_on,
    item_lines,
    open_session,
    proved,
    rewrite,
)
from cpe_opt.progress_line import progress_line

if TYPE_CHECKING:
    from cpe_opt.sessions.content import Item, Key
    from cpe_opt.sessions.judges import JudgeEvent
    from cpe_opt.sessions.progress import Progress
    from cpe_opt.sessions.questions import Question
    from cpe_opt.sessions.session import Session

EXAMPLE = 'Example: cpe-opt session run taste.jsonl --command "python judge.py" --budget 500'
_WORDS = {
    "finished": "finished",
    "budget": "the budget is used up",
    "unanswered": "stopped: only questions are open that programs could not answer",
    "waiting": "stopped: raters have all questions that are open, until their leases run out",
    "stopped": "stopped",
}


def run(
    file: FileArgument,
    command: Annotated[
        str | None,
        typer.Option(
            help="A program that answers instead of you: one line of JSON in, such as "
            '{"id": "0-1.7", "labels": ["tuna", "squid"]}, and one out, '
            '{"id": "0-1.7", "outcome": 1}.'
        ),
    ] = None,
    parallel: Annotated[
        int | None, typer.Option(help="The most of these programs that run at once; 1 by default.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(help="Seconds that a program has to answer; 60 by default.")
    ] = None,
    retries: Annotated[
        int | None,
        typer.Option(
            help="How often a question that a program failed is asked again; 2 by default."
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            help="What all answers of the session may cost, in the unit of its prices; without "
            "prices, how many there may be."
        ),
    ] = None,
    rater: RaterOption = None,
    content: Annotated[
        Path | None,
        typer.Option(help="A CSV of label and text, markdown or image: what is shown of each."),
    ] = None,
    judge_id: Annotated[
        str | None,
        typer.Option(
            help="What tells the judge from any other, such as a model and its date: recorded, and "
            "another one is refused."
        ),
    ] = None,
    problem: ProblemOption = None,
    k: SetSizeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer questions at the terminal, with one key each, or let programs answer them.

    Stop whenever you like, with q or Ctrl-C: all answers are in the file, and the same command
    continues.
    """
    from cpe_opt.errors import InputError
    from cpe_opt.sessions.content import by_label, read_content
    from cpe_opt.sessions.progress import progress_of
    from cpe_opt.validation import checked_finite

    of_programs = {"parallel": parallel, "timeout": timeout, "retries": retries}
    options = {name: value for name, value in of_programs.items() if value is not None}
    if command is None and options:
        raise InputError(f"--{next(iter(options))} has no effect without --command")
    if budget is not None:
        checked_finite("budget", budget, least=0.0)
    with open_session(file, problem, k) as session:
        asked = session.question_set
        ids = None if asked.items is None else asked.items.ids
        items = None
        if content is not None:
            items = read_content(content, asked.things, ids)
            shown = by_label(items, content.parent)
            session.check_unchanged({label: shown[label] for label in asked.things})
        session.check_unchanged(judge_id=judge_id)
        with progress_line("the learner goes through the answers"):
            before = session.status().answers
        with Watch(partial(progress_of, session)) as watch:
            if command is None:
                limit = math.inf if budget is None else budget
                try:
                    reason = Person(session, watch, rater, limit, items or {}).run()
                    done: dict[str, Any] = {"reason": reason}
                except KeyboardInterrupt:
                    typer.echo("")
                    done = {"reason": "stopped", "interrupted": True}
                done["answers"] = session.status().answers - before
            else:
                done = _programs(
                    session, watch, command, budget=budget, rater=rater, content=items, **options
                )
        with progress_line("looking what is proved"):
            progress = progress_of(session)
        _tell_end(session, done, progress, file, as_json=as_json)
    if done.get("interrupted"):
        raise typer.Exit(130)


def _programs(session: Session, watch: Watch, command: str, **options: Any) -> dict[str, Any]:
    """Let programs answer; what they did, as plain values."""
    from cpe_opt.learners.declaration import parameters_of
    from cpe_opt.sessions.judges import run_judges

    reporter = Reporter(watch, session.status().answers)
    with stopped_by_signals() as stop:
        try:
            report = run_judges(session, command, stop=stop, on_event=reporter.event, **options)
        finally:
            reporter.clear()
    wanted = options.get("parallel", 1)
    if report.reason != "stopped" and report.at_once < wanted and report.answers:
        learner = session.header
        advice = ""
        if "parallel" in parameters_of(learner.learner):
            advice = f"; a session begun with -p parallel={wanted} has {wanted}"
        typer.echo(
            f"{learner.name} had at most {report.at_once} open at once, so that no more than "
            f"{report.at_once} of {wanted} programs had something to do{advice}",
            err=True,
        )
    return {
        "reason": report.reason,
        "answers": report.answers,
        "skips": report.skips,
        "failures": report.failures,
        "put_back": list(report.put_back),
        "left_out": list(report.left_out),
        **({"interrupted": True} if stop.is_set() else {}),
    }


def _tell_end(
    session: Session, done: dict[str, Any], progress: Progress, file: Path, *, as_json: bool
) -> None:
    """Why it ended, the best answer, what is proved, and how to go on."""
    status, best = session.status(), session.best()
    if as_json:
        print_json(
            {
                **done,
                "all_answers": status.answers,
                "spent": status.spent,
                "finished": status.finished,
                "position": status.position,
                "best": best.description,
                "doubt": best.doubt,
                "assumption": best.assumption,
                "proved": progress.proved,
                "warnings": list(progress.warnings),
                "delta": progress.delta,
                "remaining": progress.remaining,
            }
        )
        return
    cost = (
        "" if status.spent == status.answers + status.repeats else f", {status.spent:,.10g} spent"
    )
    typer.echo(
        f"{_WORDS[done['reason']]}: {count_answers(done['answers'])}, {status.answers:,} in all"
        f"{cost}"
    )
    if done.get("put_back"):
        typer.echo(f"without an answer: {', '.join(done['put_back'][:10])}")
        if status.cells:
            from cpe_opt.sessions.questions import LEAVE_OUT

            without = go_on("answer", file, done["put_back"][0], LEAVE_OUT)
            typer.echo(f"`{without}` goes on without it, as a tie")
    if status.left_out:
        typer.echo(f"left out: {status.left_out:,} of {status.cells:,} cells")
    if status.position:
        typer.echo(f"position: {status.position}")
    if status.answers:
        typer.echo(f"best answer: {best.description}")
    typer.echo("\n".join([f"proved: {proved(progress)}", *progress.warnings]))
    if not status.finished:
        if math.isfinite(progress.remaining) and progress.remaining > 0:
            typer.echo(f"remaining: about {progress.remaining:,.0f} duels, if estimates stay")
        typer.echo(f"nothing is lost; to go on: {go_on('run', file)}")


KEYS = {"1": "first", "left": "first", "2": "second", "right": "second", "t": "tie", "s": "skip"}
_LINES = {"1": "first", "2": "second", "t": "tie", "s": "skip"}
_STOP, _UNDO = ("q", "quit", "stop"), ("u", "undo")
_HELP = "1 or ← the first, 2 or → the second, t tie, s skip, u undo, q stop"
_KEY_SECONDS = 0.1  # to wait for a key before the line is drawn again
_NO_LEASE = 1e-3


@dataclass
class Person:
    """Asks one person at the terminal, until the budget is spent or nothing is open."""

    session: Session
    watch: Watch
    rater: str | None
    budget: float
    content: Mapping[Key, Item]
    too_dear: bool = False
    keys: Keys | None = None

    def run(self) -> str:
        """Ask until there is nothing to ask, or the person stops; gives the reason."""
        at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        if at_terminal and self.session.question_set.family in ("dueling", "matchings"):
            with Keys() as self.keys:
                return self.converse(_HELP)
        return self.converse(f"{_HELP}; then Enter")

    def converse(self, advice: str) -> str:
        """Questions and answers."""
        typer.echo(advice)
        anew: Question | None = None
        while True:
            question = anew or self.next()
            anew = None
            if question is None:
                return self.reason()
            said = self.answer(question)
            if said in _STOP:
                self.session.hand_back(question.id)
                return "stopped"
            if said in _UNDO:
                self.session.hand_back(question.id)
                anew = self.undo() or question
            elif not self.note(question, said):
                anew = question

    def next(self) -> Question | None:
        """An open question that the budget allows."""
        from cpe_opt.sessions.status import within_budget

        self.too_dear = False
        spent = self.session.status().spent

        def fits(question: Question) -> bool:
            fit = within_budget([spent, self.session.price(question)], self.budget)
            self.too_dear |= not fit
            return fit

        # A lease of a rater with a name is recorded, and is not to outlast this process: while the
        # file is open here, nobody else is asked.
        questions = self.session.ask(rater=self.rater, lease=_NO_LEASE, only=fits)
        return questions[0] if questions else None

    def reason(self) -> str:
        """Why nothing is asked."""
        if self.session.finished:
            return "finished"
        return "budget" if self.too_dear else "waiting"

    def note(self, question: Question, said: str) -> bool:
        """Tell the session; false where it cannot be read."""
        from cpe_opt.errors import InputError
        from cpe_opt.sessions.questions import outcome_in_words, read_outcome

        try:
            value = read_outcome(question, said)
        except InputError as error:
            typer.echo(f"  {error}")
            return False
        if value is None:
            self.session.skip(question.id, rater=self.rater)
            typer.echo("  skipped")
            return True
        self.session.tell(question.id, value, rater=self.rater)
        typer.echo(f"  {outcome_in_words(question, value)}")
        self.watch.changed()
        return True

    def undo(self) -> Question | None:
        """Take the last answer back, and ask that again."""
        last = self.session.last_of(self.rater)
        if last is None:
            typer.echo("  nothing to undo")
            return None
        self.session.withdraw(last)
        self.session.ask(rater=self.rater, lease=_NO_LEASE, only=lambda each: each.id == last)
        self.watch.changed()
        typer.echo(f"  {last}: withdrawn")
        return self.session.question(last)

    def answer(self, question: Question) -> str:
        """What the person says of a question that is shown."""
        if question.paired:
            said = self.answer(replace(question, paired=False))
            if said in (*_STOP, *_UNDO, "skip"):
                return said
            swapped = replace(question, paired=False, labels=question.labels[::-1])
            other = self.answer(swapped)
            return other if other in (*_STOP, *_UNDO, "skip") else f"{said},{other}"
        self.show(question)
        if self.keys is not None:
            return self.pressed(self.keys)
        typer.echo(f"  {self.line()}")
        line = sys.stdin.readline()
        if not line:
            return "q"
        said = line.strip()
        if question.kind != "duel" or said in question.labels:
            return said
        return _LINES.get(said.lower(), said)

    def show(self, question: Question) -> None:
        """The two, or what is pulled, with what there is to read about each."""
        from cpe_opt.sessions.content import shown_of

        about = f" for {question.about}" if question.about else ""
        asks = f"which is better{about}?" if question.kind == "duel" else "how much?"
        typer.echo(f"\n{question.id}: {asks}")
        for line in item_lines(question):
            typer.echo(f"  {line}")
        shown = shown_of(self.content, question)
        for number, (label, item) in enumerate(zip(question.labels, shown, strict=True), 1):
            typer.echo(f"  {number}  {label}" if question.kind == "duel" else f"  {label}")
            if item is not None:
                for line in [*item.words.splitlines(), *([item.image] if item.image else [])]:
                    typer.echo(f"     {line}")

    def line(self) -> str:
        """How far it is."""
        seen = f"; {self.watch.line}" if self.watch.line else ""
        return f"[{count_answers(self.session.status().answers)}{seen}]"

    def pressed(self, keys: Keys) -> str:
        """A key, while the last line says how far it is."""
        shown: str | None = None
        while True:
            if shown != self.watch.line:
                shown = self.watch.line
                rewrite(self.line(), sys.stdout)
            key = keys.read(_KEY_SECONDS)
            if key is None:
                continue
            said = "q" if not key else KEYS.get(key, key)
            if said in (*KEYS.values(), "q", "u"):
                rewrite("", sys.stdout)
                return said
            rewrite(_HELP, sys.stdout)


_ARROWS = {b"\x1b[D": "left", b"\x1b[C": "right", b"\x1bOD": "left", b"\x1bOC": "right"}
_ON_WINDOWS = {"K": "left", "M": "right"}


class Keys:
    """Keys as they are pressed, without Enter and without being shown; a context manager.

    Ctrl-C stays what it is. Where the terminal cannot do this, :class:`OSError` is raised.
    """

    def __init__(self) -> None:
        self._before: Any = None

    def __enter__(self) -> Self:
        if sys.platform != "win32":
            import termios
            import tty

            try:
                self._before = termios.tcgetattr(sys.stdin)
                tty.setcbreak(sys.stdin, termios.TCSADRAIN)
            except termios.error as error:
                raise OSError(*error.args) from None
        return self

    def __exit__(self, *error: object) -> None:
        if sys.platform != "win32" and self._before is not None:
            import termios

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)

    def read(self, seconds: float) -> str | None:
        """The next key: a letter, ``left`` or ``right``; empty at the end, None if none came."""
        if sys.platform == "win32":
            return _read_windows(seconds)
        handle = sys.stdin.fileno()
        if not select.select([handle], [], [], seconds)[0]:
            return None
        try:
            pressed = os.read(handle, 1)
        except OSError:  # the terminal is gone
            return ""
        if pressed == b"\x1b":
            while len(pressed) < 3 and select.select([handle], [], [], 0.02)[0]:
                pressed += os.read(handle, 1)
            return _ARROWS.get(pressed, "escape")
        return "" if pressed in (b"", b"\x04") else pressed.decode("utf-8", "replace").lower()


def _read_windows(seconds: float) -> str | None:
    import msvcrt

    keyboard: Any = msvcrt
    until = time.monotonic() + seconds
    while not keyboard.kbhit():
        if time.monotonic() > until:
            return None
        time.sleep(0.01)
    pressed = str(keyboard.getwch())
    if pressed in ("\x00", "\xe0"):
        return _ON_WINDOWS.get(str(keyboard.getwch()), "escape")
    if pressed == "\x03":
        raise KeyboardInterrupt
    return "" if pressed == "\x1a" else pressed.lower()


_FAILURES = 20  # that are shown, each
_SILENCE, _REDRAWN = 60.0, 0.1  # seconds between two lines, and on a terminal


class Reporter:
    """Says what programs do: in one line on a terminal, by the minute elsewhere.

    ``answers`` are those that the session has, from before at first.
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
        elif event.kind == "left out":
            self.say(f"{event.message}: left out, for it got no answer")
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


_REST = 20.0  # times as long as it took
_LEAST, _MOST = 0.05, 10.0  # seconds between two


class Watch:
    """Looks at a session in a thread of its own; a context manager.

    It takes a few percent of the time, as long as a look takes less than half a second of
    computation. ``line`` is what was seen last, in one line; empty at first.
    """

    def __init__(self, look: Callable[[], Progress]) -> None:
        self.line = ""
        self._look = look
        self._changed, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def changed(self) -> None:
        """Say that there is something new to see."""
        self._changed.set()

    def __enter__(self) -> Self:
        self._thread.start()
        self._changed.set()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._changed.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        rest = 0.0  # after the first look, which loads what it needs
        while True:
            self._changed.wait()
            self._changed.clear()
            if self._over.is_set():
                return
            began = time.thread_time()
            try:
                self.line = self._look().line
            except Exception as error:
                self.line = f"cannot say how far it is: {error}"
                return
            if self._over.wait(min(_MOST, max(_LEAST, rest * (time.thread_time() - began)))):
                return
            rest = _REST
