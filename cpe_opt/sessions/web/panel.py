"""What raters do: get a question, answer it, skip it, take an answer back.

Every reply says what happened and what is next, so that a page that missed a reply is right again
after its next request. An answer that arrives twice counts once. Whether a rater is asked a
question that somebody else has answered is drawn by the session's seed, the rater's name and how
many questions that rater has had: not by who is quicker. A cell of a test set that cannot be shown
is left out at the third try.

Raters for whom nothing is open wait in a line. A rater who has answered gets a new question only if
there is one for each of those, too: where a learner asks one question at a time, raters take turns.

On pages a question has another name than in the log, where the name tells which arms it is about,
how often they were compared, and whether it is asked a second time. The name on the page is a hash
with a key that is drawn when the session is begun, so that a page that was loaded before the server
was restarted can still send its answer.

A panel is called from one thread at a time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import declaration_of
from cpe_opt.sessions.content import shown_of
from cpe_opt.sessions.questions import Question, Slot, checked_outcome, slot_of
from cpe_opt.sessions.session import Session
from cpe_opt.sessions.web.access import Refused
from cpe_opt.sessions.web.content import Content, shown_item

MOST_RATERS = 1000
_TRIES = 3  # to show a question
_REMEMBERED = 50  # of a rater's requests and questions
_WORDS = ("first", "second", "tie")
_COUNTED = "Your answer was counted already."
_ELSE = "Somebody else has answered this question meanwhile."
Reply = dict[str, Any]


class RaterPanel:
    """The raters of a session; ``repeats`` is the share of questions that others have answered."""

    def __init__(
        self,
        session: Session,
        content: Content,
        *,
        question: str,
        repeats: float = 0.0,
        lease: float = 120.0,
    ) -> None:
        self.session, self.content = session, content
        self.question, self.repeats, self.lease = question, repeats, lease
        self._raters: dict[str, _Memory] = {}
        self._line: list[str] = []
        self._questions: dict[str, str] = {}
        self._failures: dict[str, int] = {}  # to show a question

    def ask(self, rater: str) -> Reply:
        """What is next: a question, a pause, or the end."""
        self._remembered(rater)
        return self._next(rater, "")

    def join(self, rater: str) -> None:
        """Begin to wait, behind all others."""
        self._line.append(rater)

    def leave(self, rater: str) -> None:
        """Wait no more."""
        self._line.remove(rater)

    def answer(self, rater: str, question: str, outcome: object, attempt: str) -> Reply:
        """Count an answer, once; it is to be acknowledged after ``session.commit()``.

        The outcome is "first", "second" or "tie", or a number where one is asked for; a list
        of two where both orders are asked at once. ``attempt`` is the same whenever the same answer
        is sent again, and differs for all others.
        """
        asked = self._asked(rater, question)
        value = self._outcome(asked, outcome)
        return self._act(
            rater, asked, attempt, lambda: self.session.tell(asked, value, rater=rater, sync=False)
        )

    def _outcome(self, question: str, outcome: Any) -> float | str | list[str]:
        """What was said to a question, if it can be."""
        slot = Slot.of_id(slot_of(question))
        items = self.session.question_set.items
        if items is not None and items.paired:
            both = isinstance(outcome, list) and len(outcome) == 2
            if not both or not all(each in _WORDS for each in outcome):
                raise Refused(400, f"outcome is {outcome!r}, expected two of first, second, tie")
            return [str(each) for each in outcome]
        if slot.duel:
            if outcome not in _WORDS:
                raise Refused(400, f"outcome is {outcome!r}, expected first, second or tie")
            return str(outcome)
        unit = declaration_of(self.session.header.learner).unit_rewards
        try:
            return checked_outcome(slot, outcome, unit_rewards=unit)
        except InputError as error:
            raise Refused(400, f"{error}.") from None

    def skip(self, rater: str, question: str, attempt: str) -> Reply:
        """Hand a question back."""
        asked = self._asked(rater, question)
        reply = self._act(rater, asked, attempt, lambda: self.session.skip(asked, rater=rater))
        if not reply["note"] and reply.get("question", {}).get("id") == question:
            reply["note"] = "Nothing else is open: this is the question that you skipped."
        return reply

    def undo(self, rater: str, question: str) -> Reply:
        """Take back the rater's last answer, if it is to this question."""
        memory, asked = self._remembered(rater), self._asked(rater, question)
        given = self.session.answer_of(asked)
        if given is None:
            return self._next(rater, "This answer was taken back already.")
        if given.rater != rater:
            return self._next(rater, "This is the answer of another rater.")
        if self.session.last_of(rater) != asked:
            return self._next(rater, "Only your last answer can be taken back.")
        self.session.withdraw(asked)
        memory.current = asked
        return self._next(rater, "")

    def _act(self, rater: str, question: str, attempt: str, act: Callable[[], None]) -> Reply:
        """Do it if it can be done and was not done before; say what is next in any case."""
        memory = self._remembered(rater)
        given = self.session.answer_of(question)
        if attempt in memory.attempts or (given is not None and given.rater == rater):
            return self._next(rater, _COUNTED)
        if self.session.holder_of(question) != rater and question not in memory.asked:
            raise _not_asked(self._shown_name(question))
        if given is not None:
            return self._next(rater, _ELSE)
        try:
            act()
        except InputError:  # the learner wants it no more, because an answer was taken back
            return self._next(rater, "This question is not open any more.")
        memory.remember(memory.attempts, attempt)
        return self._next(rater, "")

    def _next(self, rater: str, note: str) -> Reply:
        session = self.session
        last = session.last_of(rater)
        reply: Reply = {
            "note": note,
            "rater": rater,
            "answered": session.turns_of(rater)[0],
            "undo": None if last is None else self._shown_name(last),
        }
        if session.finished:
            return {**reply, "state": "finished"}
        question, shown = self._question(rater), None
        while question is not None and shown is None:
            shown = self._rendered(question)
            question = question if shown else self._question(rater)
        if question is None:
            return {**reply, "state": "finished" if session.finished else "waiting"}
        memory = self._raters[rater]
        memory.current = question.id
        memory.remember(memory.asked, question.id)
        return {**reply, "state": "question", "question": shown}

    def _rendered(self, question: Question) -> Reply | None:
        """What is shown of a question; None once it is left out because that failed too often."""
        try:
            shown = self._shown(question)
            json.dumps(shown, ensure_ascii=False).encode()
        except Exception as error:
            self._failures[question.id] = failures = self._failures.get(question.id, 0) + 1
            if failures < _TRIES:
                raise
            if self.session.question_set.items is None or slot_of(question.id) != question.id:
                raise Refused(409, f"The question cannot be shown: {error!r}") from error
            self.session.leave_out(question.id)
            return None
        return shown

    def _question(self, rater: str) -> Question | None:
        """What the rater has in hand, or something new."""
        held = self.session.held(rater)
        current = self._raters[rater].current
        if held:
            return next((each for each in held if each.id == current), held[0])
        ahead = self._ahead(rater)
        if ahead and self.session.free() <= ahead:
            return None
        found: list[Question] = []
        if self._again(rater):
            found = self.session.ask(rater=rater, lease=self.lease, repeat=True)
        return next(iter(found or self.session.ask(rater=rater, lease=self.lease)), None)

    def _ahead(self, rater: str) -> int:
        """How many others wait before the rater."""
        place = self._line.index(rater) if rater in self._line else len(self._line)
        return len(set(self._line[:place]) - {rater})

    def _again(self, rater: str) -> bool:
        """Whether the rater's next question is to be a second one."""
        text = f"{self.session.header.seed}/{sum(self.session.turns_of(rater))}/{rater}"
        digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
        return int.from_bytes(digest, "big") < self.repeats * 2.0**64

    def _shown(self, question: Question) -> Reply:
        things = shown_of(self.content.things, question)
        return {
            "id": self._shown_name(question.id),
            "kind": question.kind,
            "about": question.about,
            "things": things,
            "item": None if question.item is None else shown_item(question.item),
            "paired": question.paired,
        }

    def _shown_name(self, question: str) -> str:
        """What a question is called on pages."""
        name = shown_name(question, self.session.header.key)
        self._questions[name] = question
        return name

    def _asked(self, rater: str, name: str) -> str:
        """The question of this name, if the rater may have been asked it."""
        memory = self._remembered(rater)
        if name not in self._questions and not memory.looked_up:
            memory.looked_up = True
            for question in self.session.questions_of(rater):
                self._shown_name(question)
        if name not in self._questions:
            raise _not_asked(name)
        return self._questions[name]

    def _remembered(self, rater: str) -> _Memory:
        if rater not in self._raters:
            if len(self._raters) >= MOST_RATERS:
                raise Refused(409, f"There are {MOST_RATERS} raters already.")
            self._raters[rater] = _Memory()
        return self._raters[rater]


def shown_name(question: str, key: str) -> str:
    """What the pages of a session call a question."""
    return hashlib.blake2b(question.encode(), key=key.encode(), digest_size=12).hexdigest()


def _not_asked(name: str) -> Refused:
    return Refused(409, f"{name[:40]!r} is no question that you were asked.")


class _Memory:
    """What is kept of a rater while the page is served."""

    def __init__(self) -> None:
        self.current = ""  # the question on the page
        self.looked_up = False  # whether the rater's earlier questions were sought in the log
        self.asked: dict[str, None] = {}  # the last questions
        self.attempts: dict[str, None] = {}  # the last requests that were carried out

    @staticmethod
    def remember(what: dict[str, None], name: str) -> None:
        """Note a name, the newest last, and forget the oldest of many."""
        what.pop(name, None)
        what[name] = None
        if len(what) > _REMEMBERED:
            del what[next(iter(what))]
