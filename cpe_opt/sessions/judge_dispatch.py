"""Which program is asked what, and what becomes of it; see :mod:`cpe_opt.sessions.judges`."""

from __future__ import annotations

import math
import queue
import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from cpe_opt.errors import InputError
from cpe_opt.sessions.content import Item
from cpe_opt.sessions.judge_lines import question_line
from cpe_opt.sessions.judge_process import JudgeFailed
from cpe_opt.sessions.judge_worker import Result, Worker
from cpe_opt.sessions.questions import Question
from cpe_opt.sessions.session import Session

Reason = Literal["finished", "budget", "unanswered", "stopped"]
_SECONDS = 0.2  # after which it is looked whether to stop
_HELD = 1e9  # seconds: nobody else is asked while a program has a question
_PATIENCE_AT_FIRST, _PATIENCE = 2, 8  # rounds of failures, of a program that has answered or not
_SLACK = 1e-9


@dataclass(frozen=True)
class JudgeEvent:
    """Something that happened.

    Attributes
    ----------
    kind : "answer", "skip", "failure", "put back" or "waiting"
        The last where others have all questions that are open.
    question : Question or None
    message : str
        Of a failure, why.
    """

    kind: Literal["answer", "skip", "failure", "put back", "waiting"]
    question: Question | None = None
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class JudgesReport:
    """What programs did.

    Attributes
    ----------
    reason : "finished", "budget", "unanswered" or "stopped"
        Why it ended: the learner has its answer; what is open would exceed the budget; only
        questions are open that were put back; it was told to stop.
    answers, skips, failures : int
    put_back : tuple of str
        Ids of the questions that got no answer.
    at_once : int
        The most questions that programs had at the same time.
    spent : float
        What the session's answers cost in all.
    """

    reason: Reason
    answers: int
    skips: int
    failures: int
    put_back: tuple[str, ...]
    at_once: int
    spent: float


class Dispatcher:
    """The state of one run; ``asked`` holds what programs have, and what is to be asked anew."""

    def __init__(
        self,
        session: Session,
        workers: list[Worker],
        results: queue.SimpleQueue[Result],
        *,
        retries: int,
        budget: float,
        rater: str | None,
        content: Mapping[str, Item] | None,
        on_event: Callable[[JudgeEvent], None],
    ) -> None:
        self.session, self.retries, self.budget, self.rater = session, retries, budget, rater
        self.workers, self.results, self.content = workers, results, content
        self.on_event = on_event
        self.idle = list(reversed(workers))  # who answered last is asked first
        self.asked: dict[str, Question] = {}
        self.again: deque[Question] = deque()
        self.tries: dict[str, int] = {}
        self.put_back: dict[str, None] = {}
        self.spent = session.status().spent
        self.too_dear = False
        self.answers = self.skips = self.failures = self.in_a_row = self.at_once = 0
        self.last = ""

    def run(self, stop: threading.Event) -> JudgesReport:
        """Ask until there is nothing to ask."""
        waiting, patient = False, False
        try:
            while not stop.is_set():
                self.hand_out()
                if self.asked:
                    with suppress(queue.Empty):
                        self.take(self.results.get(timeout=_SECONDS))
                    continue
                reason = self.end()
                if reason is not None:
                    patient = True
                    return self.report(reason)
                if not waiting:
                    self.on_event(JudgeEvent("waiting"))
                waiting = True
                stop.wait(_SECONDS)
            with suppress(queue.Empty):
                while True:  # what has come meanwhile
                    self.take(self.results.get_nowait())
            return self.report("stopped")
        finally:
            for worker in self.workers:
                worker.end(patient=patient)
            for worker in self.workers:
                worker.join()
            for question in self.asked:
                self.session.hand_back(question)

    def hand_out(self) -> None:
        """Give questions to programs that have none."""
        while self.idle:
            if self.again:
                question = self.again.popleft()
            else:
                self.too_dear = False
                questions = self.session.ask(lease=_HELD, only=self.may_be_asked)
                if not questions:
                    return
                question = questions[0]
            self.asked[question.id] = question
            self.at_once = max(self.at_once, len(self.asked))
            self.idle.pop().ask(question, question_line(question, self.content))

    def may_be_asked(self, question: Question) -> bool:
        """Whether it was not put back, and its price is within the budget."""
        if question.id in self.put_back:
            return False
        prices = [self.session.price(each) for each in (*self.asked.values(), question)]
        if self.spent + math.fsum(prices) <= self.budget * (1.0 + _SLACK):
            return True
        self.too_dear = True
        return False

    def end(self) -> Reason | None:
        """Why nothing is asked, or None where others have what is open."""
        status = self.session.status()
        if status.finished:
            return "finished"
        if self.too_dear:
            return "budget"
        if status.leased or not self.put_back:
            return None
        if not self.answers and self.failures:
            raise JudgeFailed(f"no question was answered: at last, the program {self.last}")
        return "unanswered"

    def take(self, result: Result) -> None:
        """What a program has said, or why it said nothing."""
        self.idle.append(result.worker)
        question, outcome = result.question, result.outcome
        if isinstance(outcome, Exception):
            if not isinstance(outcome, JudgeFailed):
                raise outcome
            self.failed(question, str(outcome))
        elif outcome is None:
            self.in_a_row = 0
            self.skips += 1
            self.tries[question.id] = self.tries.get(question.id, 0) + 1
            self.skip(question, JudgeEvent("skip", question))
        else:
            self.tell(question, outcome)

    def tell(self, question: Question, outcome: float) -> None:
        """An answer; or none, where the session takes no such outcome."""
        try:
            self.session.tell(question.id, outcome, rater=self.rater)
        except InputError as error:
            if self.is_open(question):
                self.failed(question, f"answered {outcome:g}: {error}")
            else:  # somebody else has answered it
                del self.asked[question.id]
            return
        del self.asked[question.id]
        self.in_a_row = 0
        self.answers += 1
        self.spent += self.session.price(question)
        self.on_event(JudgeEvent("answer", question))

    def failed(self, question: Question, why: str) -> None:
        """No answer: the question is asked anew, or put back."""
        self.failures += 1
        self.in_a_row += 1
        self.last = why
        self.tries[question.id] = self.tries.get(question.id, 0) + 1
        self.on_event(JudgeEvent("failure", question, why))
        if self.tries[question.id] <= self.retries:
            self.again.append(question)
        else:
            self.skip(question, JudgeEvent("put back", question))
        most = max(len(self.workers), self.retries + 1)
        if self.in_a_row >= most * (_PATIENCE if self.answers else _PATIENCE_AT_FIRST):
            raise JudgeFailed(
                f"the program failed {self.in_a_row} times in a row; at last it {why}"
            )

    def skip(self, question: Question, event: JudgeEvent) -> None:
        """Put a question back; not to be asked again where it was asked often enough."""
        del self.asked[question.id]
        if self.tries[question.id] > self.retries:
            self.put_back[question.id] = None
        if self.is_open(question):
            self.session.skip(question.id, rater=self.rater)
        self.on_event(event)

    def is_open(self, question: Question) -> bool:
        """Whether nobody else has answered it."""
        with suppress(InputError):
            return bool(self.session.question(question.id))
        return False

    def report(self, reason: Reason) -> JudgesReport:
        """What was done."""
        return JudgesReport(
            reason=reason,
            answers=self.answers,
            skips=self.skips,
            failures=self.failures,
            put_back=tuple(self.put_back),
            at_once=self.at_once,
            spent=self.spent,
        )
