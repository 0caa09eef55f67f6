"""Who answers in ``cpe-opt session run``: a person at the terminal, or programs.

A person types lines (:class:`Person`); what programs do is reported (:func:`report_event`). Neither
is told who is ahead: that might change what they say.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from json import dumps
from typing import TYPE_CHECKING, Any

import typer

import cpe_opt as cpe
from cpe_opt.errors import InputError

if TYPE_CHECKING:
    from cpe_opt.sessions.content import Item, Key
    from cpe_opt.sessions.judges import JudgeEvent
    from cpe_opt.sessions.questions import Question

_WORDS = {"1": "first", "2": "second", "t": "tie", "s": "skip", "q": "q"}
_STOP = ("q", "quit", "stop")
_NO_LEASE = 1e-3


def count_answers(count: int) -> str:
    """Such as ``1 answer``."""
    return f"{count:,} answer{'s' * (count != 1)}"


@dataclass
class Person:
    """Asks one person at the terminal, until the budget is spent or nothing is open."""

    session: cpe.Session
    rater: str | None
    budget: float
    content: Mapping[Key, Item]
    too_dear: bool = False

    def run(self) -> str:
        """Ask until there is nothing to ask, or the person stops; gives the reason."""
        typer.echo("1 the first, 2 the second, t tie, s skip, q stop; then Enter")
        while (question := self.next()) is not None:
            said = self.answer(question)
            while said not in _STOP and not self.note(question, said):
                said = self.answer(question)
            if said in _STOP:
                self.session.hand_back(question.id)
                return "stopped"
        if self.session.finished:
            return "finished"
        return "budget" if self.too_dear else "waiting"

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
        from cpe_opt.sessions.session import note_answer

        try:
            noted = note_answer(self.session, question.id, said, rater=self.rater)
        except InputError as error:
            typer.echo(f"  {error}")
            return False
        typer.echo(f"  {noted}")
        return True

    def answer(self, question: Question) -> str:
        """What the person says of a question that is shown."""
        self.show(question)
        typer.echo(f"  [{count_answers(self.session.status().answers)}]")
        line = sys.stdin.readline()
        said = line.strip() if line else "q"
        if question.kind in ("pull", "set") or said in question.labels:
            return said
        words = _WORDS | {label: label for label in question.labels}
        return ",".join(words.get(each.strip().lower(), each) for each in said.split(","))

    def show(self, question: Question) -> None:
        """The two, or what is pulled, with what there is to read about each."""
        from cpe_opt.sessions.content import shown_of

        about = f" for {question.about}" if question.about else ""
        duel = question.kind in ("duel", "games")
        asks = f"which is better{about}?" if duel else "how much?"
        asks = "who won each of the two games of a pair? Such as 1,t" if question.games else asks
        typer.echo(f"\n{question.id}: {asks}")
        if question.item is not None:
            typer.echo(f"  item {question.item['id']}")
            for name, value in question.item.items():
                if name != "id":
                    text = value if isinstance(value, str) else dumps(value, ensure_ascii=False)
                    typer.echo(f"    {name}: {text}".replace("\n", "\n      "))
        shown = shown_of(self.content, question)
        for number, (label, item) in enumerate(zip(question.labels, shown, strict=True), 1):
            typer.echo(f"  {number}  {label}" if duel else f"  {label}")
            if item is not None:
                for line in [*item.words.splitlines(), *([item.image] if item.image else [])]:
                    typer.echo(f"     {line}")


def report_event(event: JudgeEvent) -> None:
    """Say on the standard error what programs fail of."""
    question = "" if event.question is None else event.question.id
    words = {
        "waiting": "raters have all questions that are open; waiting for their leases to end",
        "left out": f"{event.message}: left out, for it got no answer",
        "put back": f"{question}: put back without an answer",
        "failure": f"{question}: the program {event.message}",
    }
    if event.kind in words:
        typer.echo(words[event.kind], err=True)


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
