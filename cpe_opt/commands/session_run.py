"""``cpe-opt session run``: a person or programs answer until there is a proof, or no more money.

A person answers by single keys (:class:`Person`); for programs, one line says what they do
(:class:`Reporter`). Meanwhile a thread follows the session's progress (:class:`Watch`).
"""

from __future__ import annotations

import math
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TextIO

import typer

import cpe_opt as cpe
from cpe_opt.commands.console import print_json
from cpe_opt.commands.session_options import Moved, count_answers, go_on, open_session, proved
from cpe_opt.errors import InputError
from cpe_opt.progress_line import progress_line

if TYPE_CHECKING:
    from cpe_opt.sessions.content import Item, Key
    from cpe_opt.sessions.judges import Calling, JudgeEvent
    from cpe_opt.sessions.progress import Progress
    from cpe_opt.sessions.questions import Question

EXAMPLE = 'cpe-opt session run taste.jsonl --command "python judge.py" --budget 500'
_WORDS = {
    "finished": "finished",
    "budget": "the budget is used up",
    "unanswered": "stopped: only questions are open that programs could not answer",
    "waiting": "stopped: raters have all questions that are open, until their leases run out",
    "stopped": "stopped",
}


def run(
    file: Path,
    *,
    command: str | None = None,
    parallel: int | None = None,
    timeout: float | None = None,
    retries: int | None = None,
    budget: float | None = None,
    rater: str | None = None,
    content: Path | None = None,
    judge_id: str | None = None,
    moved: Moved,
    json: bool = False,
) -> None:
    """Answer questions at the terminal, with one key each, or let programs answer them.

    Stop whenever you like, with q or Ctrl-C: all answers are in the file, and the same command
    continues.

    :param command: A program that answers instead of you: one line of JSON in, such as
        {"id": "0-1.7", "labels": ["tuna", "squid"]}, and one out, {"id": "0-1.7", "outcome": 1}.
    :param parallel: The most of these programs that run at once; 1 by default.
    :param timeout: Seconds that a program has to answer; 60 by default.
    :param retries: How often a question that a program failed is asked again; 2 by default.
    :param budget: What all answers of the session may cost, in the unit of its prices; without
        prices, how many there may be.
    :param content: A CSV of label and text, markdown or image: what is shown of each.
    :param judge_id: What tells the judge from any other, such as a model and its date: recorded,
        and another one is refused.
    """
    from cpe_opt.sessions.content import by_label, read_content
    from cpe_opt.sessions.judges import Calling
    from cpe_opt.sessions.progress import progress_of
    from cpe_opt.validation import checked_finite

    of_programs = {"parallel": parallel, "timeout": timeout, "retries": retries}
    options: dict[str, Any] = {
        name: value for name, value in of_programs.items() if value is not None
    }
    if command is None and options:
        raise InputError(f"--{next(iter(options))} has no effect without --command")
    limit = math.inf if budget is None else checked_finite("budget", budget, least=0.0)
    with open_session(file, moved) as session:
        asked = session.question_set
        items: Mapping[Key, Item] = {}
        if content is not None:
            ids = None if asked.items is None else asked.items.ids
            items = read_content(content, asked.things, ids)
            shown = by_label(items, content.parent)
            session.check_unchanged({label: shown[label] for label in asked.things})
        session.check_unchanged(judge_id=judge_id)
        with progress_line("the learner goes through the answers"):
            before = session.status().answers
        with Watch(partial(progress_of, session)) as watch:
            if command is None:
                done: dict[str, Any]
                try:
                    done = {"reason": Person(session, watch, rater, limit, items).run()}
                except KeyboardInterrupt:
                    typer.echo("")
                    done = {"reason": "stopped", "interrupted": True}
                done["answers"] = session.status().answers - before
            else:
                calling = Calling(budget=budget, rater=rater, **options)
                done = _programs(session, watch, command, calling, items or None)
        with progress_line("looking what is proved"):
            progress = progress_of(session)
        _tell_end(session, done, progress, file, as_json=json)
    if done.get("interrupted"):
        raise typer.Exit(130)


def _programs(
    session: cpe.Session,
    watch: Watch,
    command: str,
    calling: Calling,
    content: Mapping[Key, Item] | None,
) -> dict[str, Any]:
    """Let programs answer; what they did, as plain values."""
    from cpe_opt.learners.declaration import parameters_of
    from cpe_opt.sessions.judges import run_judges

    reporter = Reporter(watch, session.status().answers)
    with stopped_by_signals() as stop:
        try:
            report = run_judges(
                session, command, calling, content=content, stop=stop, on_event=reporter.event
            )
        finally:
            reporter.clear()
    wanted = calling.parallel
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
    session: cpe.Session, done: dict[str, Any], progress: Progress, file: Path, *, as_json: bool
) -> None:
    """Why it ended, the best answer, what is proved, and how to go on."""
    from cpe_opt.sessions.questions import LEAVE_OUT

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
    said = [f"{_WORDS[done['reason']]}: {count_answers(done['answers'])}"]
    said[0] += f", {status.answers:,} in all"
    if status.spent != status.answers + status.repeats:
        said[0] += f", {status.spent:,.10g} spent"
    put_back = done.get("put_back", [])
    if put_back:
        said.append(f"without an answer: {', '.join(put_back[:10])}")
    if put_back and status.cells:
        without = go_on("answer", file, put_back[0], LEAVE_OUT)
        said.append(f"`{without}` goes on without it, as a tie")
    if status.left_out:
        said.append(f"left out: {status.left_out:,} of {status.cells:,} cells")
    if status.position:
        said.append(f"position: {status.position}")
    if status.answers:
        said.append(f"best answer: {best.description}")
    said += [f"proved: {proved(progress)}", *progress.warnings]
    if not status.finished:
        if math.isfinite(progress.remaining) and progress.remaining > 0:
            said.append(f"remaining: about {progress.remaining:,.0f} duels, if estimates stay")
        said.append(f"nothing is lost; to go on: {go_on('run', file)}")
    typer.echo("\n".join(said))


_KEYS = {"1": "first", "2": "second", "t": "tie", "s": "skip", "u": "u", "q": "q"}
_ARROWS = {"\x1b[D": "first", "\x1b[C": "second", "\x1bOD": "first", "\x1bOC": "second"}
_ARROWS |= {"\xe0K": "first", "\xe0M": "second", "\x00K": "first", "\x00M": "second"}  # of Windows
_STOP, _UNDO = ("q", "quit", "stop"), ("u", "undo")
_HELP = "1 or ← the first, 2 or → the second, t tie, s skip, u undo, q stop"
_NO_LEASE = 1e-3


@dataclass
class Person:
    """Asks one person at the terminal, until the budget is spent or nothing is open."""

    session: cpe.Session
    watch: Watch
    rater: str | None
    budget: float
    content: Mapping[Key, Item]
    too_dear: bool = False
    keys: bool = False

    def run(self) -> str:
        """Ask until there is nothing to ask, or the person stops; gives the reason."""
        duels = self.session.question_set.family in ("dueling", "matchings")
        self.keys = duels and sys.stdin.isatty() and sys.stdout.isatty()
        typer.echo(_HELP if self.keys else f"{_HELP}; then Enter")
        anew: Question | None = None
        while True:
            question = anew or self.next()
            anew = None
            if question is None:
                if self.session.finished:
                    return "finished"
                return "budget" if self.too_dear else "waiting"
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

    def note(self, question: Question, said: str) -> bool:
        """Tell the session; false where it cannot be read."""
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
        if self.keys:
            return self.pressed()
        typer.echo(f"  {self.line()}")
        line = sys.stdin.readline()
        said = line.strip() if line else "q"
        if question.kind != "duel" or said in question.labels:
            return said
        return _KEYS.get(said.lower(), said)

    def show(self, question: Question) -> None:
        """The two, or what is pulled, with what there is to read about each."""
        from cpe_opt.sessions.content import shown_of

        about = f" for {question.about}" if question.about else ""
        asks = f"which is better{about}?" if question.kind == "duel" else "how much?"
        typer.echo(f"\n{question.id}: {asks}")
        if question.item is not None:
            typer.echo(f"  item {question.item['id']}")
            for name, value in question.item.items():
                if name != "id":
                    text = value if isinstance(value, str) else dumps(value, ensure_ascii=False)
                    typer.echo(f"    {name}: {text}".replace("\n", "\n      "))
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

    def pressed(self) -> str:
        """What a key says, while the last line says how far it is."""
        while True:
            try:
                with self.watch.shown(lambda: rewrite(self.line(), sys.stdout)):
                    key = typer.getchar()
            except (EOFError, OSError):  # the terminal is gone
                key = ""
            rewrite("", sys.stdout)
            said = _ARROWS.get(key) or _KEYS.get(key.lower()) if key else "q"
            if said is not None:
                return said
            typer.echo(f"  {_HELP}")


_FAILURES = 20  # that are shown, each
_SILENCE = 60.0  # seconds between two lines where there is no terminal


class Reporter:
    """Says what programs do: in one line on a terminal, by the minute elsewhere.

    ``answers`` are those that the session has, from before at first.
    """

    def __init__(self, watch: Watch, answers: int) -> None:
        self.watch, self.answers, self.failures = watch, answers, 0
        self.terminal = sys.stderr.isatty()
        self.said = time.monotonic()

    def event(self, event: JudgeEvent) -> None:
        """Something happened."""
        question = "" if event.question is None else event.question.id
        if event.kind == "answer":
            self.answers += 1
            self.watch.changed()
        elif event.kind == "waiting":
            self.say("raters have all questions that are open; waiting for their leases to end")
        elif event.kind == "left out":
            self.say(f"{event.message}: left out, for it got no answer")
        elif event.kind == "put back":
            self.say(f"{question}: put back without an answer")
        elif event.kind == "failure":
            self.failures += 1
            if self.failures <= _FAILURES:
                self.say(f"{question}: the program {event.message}")
            elif self.failures == _FAILURES + 1:
                self.say("further failures are only counted")
        failures = f", {self.failures:,} failed" if self.failures else ""
        seen = f"; {self.watch.line}" if self.watch.line else ""
        line = f"{count_answers(self.answers)}{failures}{seen}"
        if self.terminal:
            rewrite(line, sys.stderr)
        elif time.monotonic() - self.said >= _SILENCE:
            self.said = time.monotonic()
            typer.echo(line, err=True)

    def say(self, text: str) -> None:
        """A line of its own."""
        self.clear()
        typer.echo(text, err=True)

    def clear(self) -> None:
        """Take the line away."""
        if self.terminal:
            rewrite("", sys.stderr)


def rewrite(text: str, stream: TextIO) -> None:
    """Put another text on the line of a terminal's cursor, cut to its width."""
    width = max(20, shutil.get_terminal_size().columns) - 1
    shown = text if len(text) <= width else f"{text[: width - 1]}…"
    stream.write(f"\r{' ' * width}\r{shown}")
    stream.flush()


@contextmanager
def stopped_by_signals() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set; a second Ctrl-C interrupts as ever."""
    stop = threading.Event()

    def note(number: int, frame: Any) -> None:
        stop.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {name: signal.signal(name, note) for name in (signal.SIGINT, signal.SIGTERM)}
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
        self._show: Callable[[], None] = lambda: None
        self._showing = threading.Lock()
        self._changed, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def changed(self) -> None:
        """Say that there is something new to see."""
        self._changed.set()

    @contextmanager
    def shown(self, show: Callable[[], None]) -> Iterator[None]:
        """Call a function now, and whenever the line is another one, while the block runs."""
        with self._showing:
            self._show = show
            show()
        try:
            yield
        finally:
            with self._showing:
                self._show = lambda: None

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
            with self._showing:
                self._show()
            if self._over.wait(min(_MOST, max(_LEAST, rest * (time.thread_time() - began)))):
                return
            rest = _REST
