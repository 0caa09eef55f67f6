"""A session's questions for a person at the terminal: a key an answer."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from cpe_opt.commands.keys import Keys, at_terminal
from cpe_opt.commands.session_watch import Watch
from cpe_opt.commands.session_words import count_answers, rewrite, told

if TYPE_CHECKING:
    from cpe_opt.sessions.content import Item
    from cpe_opt.sessions.questions import Question
    from cpe_opt.sessions.session import Session

KEYS = {"1": "first", "left": "first", "2": "second", "right": "second", "t": "tie", "s": "skip"}
_HELP = "1 or ← the first, 2 or → the second, t tie, s skip, u undo, q stop"
_LINES = {"1": "first", "2": "second", "t": "tie", "s": "skip"}
_STOP, _UNDO = ("q", "quit", "stop"), ("u", "undo")
_SECONDS = 0.1
_NO_LEASE = 1e-3
_SLACK = 1e-9


@dataclass
class Person:
    """Asks one person.

    Attributes
    ----------
    session : Session
    watch : Watch
    rater : str or None
    budget : float
    content : mapping from str to Item
    answers : int
        How many were given.
    """

    session: Session
    watch: Watch
    rater: str | None
    budget: float
    content: Mapping[str, Item]
    answers: int = 0
    too_dear: bool = False
    keys: Keys | None = None

    def run(self) -> str:
        """Ask until there is nothing to ask, or the person stops; gives the reason."""
        if at_terminal() and self.session.subject.family in ("dueling", "matchings"):
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
        self.too_dear = False
        spent = self.session.status().spent

        def fits(question: Question) -> bool:
            fit = spent + self.session.price(question) <= self.budget * (1.0 + _SLACK)
            self.too_dear |= not fit
            return fit

        # A lease is noted of raters with a name, and is not to outlast this process: as long as
        # the file is open here, nobody else is asked.
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
        from cpe_opt.sessions.outcomes import read_outcome

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
        self.answers += 1
        typer.echo(f"  {told(question, value)}")
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
        about = f" for {question.about}" if question.about else ""
        asks = f"which is better{about}?" if question.kind == "duel" else "how much?"
        typer.echo(f"\n{question.id}: {asks}")
        for number, label in enumerate(question.labels, 1):
            typer.echo(f"  {number}  {label}" if question.kind == "duel" else f"  {label}")
            item = self.content.get(label)
            if item is not None:
                for line in [*item.text.splitlines(), *([item.image] if item.image else [])]:
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
            key = keys.read(_SECONDS)
            if key is None:
                continue
            said = "q" if not key else KEYS.get(key, key)
            if said in (*KEYS.values(), "q", "u"):
                rewrite("", sys.stdout)
                return said
            rewrite(_HELP, sys.stdout)
