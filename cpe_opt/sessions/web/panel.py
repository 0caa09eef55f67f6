"""What raters do: get a question, answer it, skip it, take an answer back; and who they are.

Every reply says what happened and what is next, so that a page that missed a reply is right again
after its next request. Whether a rater is asked a question that somebody else has answered is drawn
by the session's seed, the rater's name and how many questions that rater has had: not by who is
quicker. Raters who wait ask again and again, and keep their places meanwhile: who has answered gets
a new question only if there is one for each of them, too.

On pages a question has another name than in the log, where the name tells which arms it is about,
how often they were compared, and whether it is asked a second time: a hash with a key that is drawn
when the session is begun, so that it is the same after the server was restarted.
"""

from __future__ import annotations

import hashlib
import hmac
import importlib.util
import re
import secrets
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from cpe_opt.errors import InputError
from cpe_opt.sessions.content import Content, shown_item, shown_of
from cpe_opt.sessions.questions import SKIP, Question, checked_name, read_outcome
from cpe_opt.sessions.session import Session

_TOKEN = re.compile(r"[A-Za-z0-9._~-]{12,200}")
_MODULES = ("starlette", "uvicorn", "markdown_it")
_IN_LINE = 4.0  # seconds for which a rater who does not ask again keeps the place
Reply = dict[str, Any]


def check_modules() -> None:
    """Raise :class:`InputError` with the line that installs what is missing."""
    missing = [name for name in _MODULES if importlib.util.find_spec(name) is None]
    if missing:
        raise InputError(
            f"the page needs {', '.join(missing)}, not installed here: pip install 'cpe-opt[web]'"
        )


class Refused(Exception):
    """A request that is refused: an HTTP status, and why in a sentence."""

    def __init__(self, status_code: int, detail: str) -> None:
        super().__init__(detail)
        self.status_code, self.detail = status_code, detail


@dataclass(frozen=True)
class Access:
    """The tokens of raters and of the organiser."""

    # The token of each rater by name; empty where raters say their name.
    raters: Mapping[str, str] = field(default_factory=dict)
    organiser: str = ""  # empty if no token is needed

    def __post_init__(self) -> None:
        tokens = [*self.raters.values(), *([self.organiser] if self.organiser else [])]
        for token in tokens:
            if not _TOKEN.fullmatch(token):
                raise InputError(
                    "a token has to have 12 to 200 letters, digits or . _ ~ -, for it is in an "
                    "address and must not be guessed"
                )
        if len(set(tokens)) < len(tokens):
            raise InputError("two tokens are the same, expected one for each")
        for name in self.raters:
            checked_name(name)

    def rater(self, authorization: str | None, name: object) -> str:
        """The name of who asks; :class:`Refused` where the token is not known."""
        if not self.raters:
            try:
                return checked_name(name)
            except InputError as error:
                raise Refused(400, str(error)) from None
        known = [each for each, token in self.raters.items() if _same(authorization, token)]
        if not known:
            raise Refused(401, "This link is not valid: open the one that you were given.")
        return known[0]

    def check_organiser(self, authorization: str | None) -> None:
        """Raise :class:`Refused` unless the organiser asks."""
        if self.organiser and not _same(authorization, self.organiser):
            raise Refused(401, "This link is not valid: open the one that the command printed.")


def new_token() -> str:
    """A token of 128 bits."""
    return secrets.token_urlsafe(16)


def _same(authorization: str | None, token: str) -> bool:
    """Whether a header has a token, in a time that says nothing about it."""
    scheme, _, given = (authorization or "").partition(" ")
    same = hmac.compare_digest(given.strip().encode("utf-8", "replace"), token.encode())
    return same and scheme.lower() == "bearer"


@dataclass
class _Memory:
    """What is kept of a rater while the page is served."""

    current: str = ""  # the question on the page
    asked: dict[str, str] = field(default_factory=dict)  # questions, by their names on pages
    attempts: set[str] = field(default_factory=set)  # the requests that were carried out


class RaterPanel:
    """The raters of a session; ``repeats`` is the share of questions that others have answered.

    It is called from one thread at a time.
    """

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
        self._line: dict[str, float] = {}  # raters who wait, and when they asked last
        self._raters: defaultdict[str, _Memory] = defaultdict(_Memory)

    def ask(self, rater: str, note: str = "") -> Reply:
        """What is next: a question, a pause, or the end; after a note on what was before."""
        session, now = self.session, monotonic()
        last = session.last_of(rater)
        reply: Reply = {
            "note": note,
            "rater": rater,
            "answered": session.turns_of(rater)[0],
            "undo": None if last is None else self._name(rater, last),
        }
        if session.finished:
            return {**reply, "state": "finished"}
        self._line = {each: at for each, at in self._line.items() if now - at < _IN_LINE}
        question = self._question(rater)
        if question is None:
            self._line[rater] = now
            return {**reply, "state": "waiting"}
        self._line.pop(rater, None)
        self._raters[rater].current = question.id
        shown = {
            "id": self._name(rater, question.id),
            "kind": question.kind,
            "about": question.about,
            "things": shown_of(self.content.things, question),
            "item": None if question.item is None else shown_item(question.item),
            "paired": question.paired,
        }
        return {**reply, "state": "question", "question": shown}

    def answer(self, rater: str, name: str, outcome: Any, attempt: str) -> Reply:
        """Count an answer, or a skip, once; to be acknowledged after ``session.commit()``.

        The outcome is "first", "second", "tie" or "skip", or a number where one is asked for; a
        list of two where both orders are asked at once. ``attempt`` is the same whenever the same
        answer is sent again, and differs for all others.
        """
        question, memory, session = self._asked(rater, name), self._raters[rater], self.session
        given = session.answer_of(question)
        if attempt in memory.attempts or (given is not None and given.rater == rater):
            return self.ask(rater, "Your answer was counted already.")
        if given is not None:
            return self.ask(rater, "Somebody else has answered this question meanwhile.")
        try:
            asked = session.question(question)
        except InputError:  # the learner wants it no more, because an answer was taken back
            return self.ask(rater, "This question is not open any more.")
        try:
            value = read_outcome(asked, outcome)
            if value is None:
                session.skip(question, rater=rater)
            else:
                session.tell(question, value, rater=rater, sync=False)
        except InputError as error:
            # Of a duel it names the labels, which raters may not be shown.
            why = "This is no answer to the question" if asked.kind == "duel" else error
            raise Refused(400, f"{why}.") from None
        memory.attempts.add(attempt)
        reply = self.ask(rater)
        if outcome == SKIP and reply.get("question", {}).get("id") == name:
            reply["note"] = "Nothing else is open: this is the question that you skipped."
        return reply

    def undo(self, rater: str, name: str) -> Reply:
        """Take back the rater's last answer, if it is to this question."""
        question = self._asked(rater, name)
        if self.session.last_of(rater) != question:
            return self.ask(rater, "Only your last answer can be taken back.")
        self.session.withdraw(question)
        self._raters[rater].current = question
        return self.ask(rater)

    def _question(self, rater: str) -> Question | None:
        """What the rater has in hand, or something new."""
        held = self.session.held(rater)
        current = self._raters[rater].current
        if held:
            return next((each for each in held if each.id == current), held[0])
        ahead = [*self._line, rater].index(rater)
        if ahead and self.session.free() <= ahead:
            return None
        again: list[Question] = []
        if self._again(rater):
            again = self.session.ask(rater=rater, lease=self.lease, repeat=True)
        return next(iter(again or self.session.ask(rater=rater, lease=self.lease)), None)

    def _again(self, rater: str) -> bool:
        """Whether the rater's next question is to be a second one."""
        text = f"{self.session.header.seed}/{sum(self.session.turns_of(rater))}/{rater}"
        digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
        return int.from_bytes(digest, "big") < self.repeats * 2.0**64

    def _name(self, rater: str, question: str) -> str:
        """What a question that a rater may speak of is called on pages."""
        name = shown_name(question, self.session.header.key)
        self._raters[rater].asked[name] = question
        return name

    def _asked(self, rater: str, name: str) -> str:
        """The question of this name, if the rater was asked it."""
        asked = self._raters[rater].asked
        if name not in asked:  # before the server was started
            for question in self.session.questions_of(rater):
                self._name(rater, question)
        if name not in asked:
            raise Refused(409, f"{name[:40]!r} is no question that you were asked.")
        return asked[name]


def shown_name(question: str, key: str) -> str:
    """What the pages of a session call a question."""
    return hashlib.blake2b(question.encode(), key=key.encode(), digest_size=12).hexdigest()
