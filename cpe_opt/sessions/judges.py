"""Functions and programs that answer a session's questions, several at once.

**A function** takes a :class:`~cpe_opt.sessions.questions.Question` and returns its outcome, as a
program says it; it may be a coroutine function. What it raises is a failure, whatever it is, except
KeyboardInterrupt and SystemExit, which end the run; and so is an answer that does not come in time
or cannot be read. Functions run in threads, one for each call that is made at once, and coroutines
in an event loop of their own: nobody waits for one that is late, or that goes on when it is
cancelled, and what it returns is never an answer.

**A program** reads questions from its standard input and writes answers, by the question's id, to
its standard output, one line of JSON each; the form of both is on the page ``docs/sessions.md``.

**What may fail.** A program is kept for many questions. An asking fails where no answer comes in
time, the program ends, or what it writes cannot be read. Nothing of that is ever an answer. The
program is ended, because what it writes next might belong to what it was asked before; the question
is asked anew, of a new process, after a pause that doubles with every failure in a row. When that
has failed ``retries`` times the question is put back, as skipped, and not asked again in this run.
A program may also skip a question; then it is asked again after all others, as often. One that
ends with the status 0 after an answer is started again at once.

**Left out.** A cell of a test set that was failed or skipped ``retries`` + 1 times is left out
(:meth:`cpe_opt.Session.leave_out`), so that the learner goes on. When a dozen different questions
had no answer, and none came in between, the run ends with the last failure; a run that has had
answers waits for a dozen of each program. The cells that were left out since the last answer are
then opened again: a program that stops working, or never works, has none left out.

**Budget.** What answers cost that count, those from before included, and what the questions cost
that programs have, is never more than the budget: a question that would exceed it is not asked.

**At once.** One event loop does all of it: a task for each program that has a question, and one
that deals questions. A program that has answered gets at once a question that was dealt before, and
the learner counts and chooses while programs work: so a few questions more are open than programs
ask (:func:`open_at_once`). Answers are written as they come, and those that came together are
brought to the disk together, by a thread of its own. Only then is an answer said to be one
(:class:`JudgeEvent`), and nothing returns before that. The session is used by the thread of the
loop alone, which is the caller's, unless a loop runs there already.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import shlex
import signal
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from inspect import isawaitable
from queue import SimpleQueue
from typing import Any, ClassVar, Literal, Protocol, Self, TypeAlias, cast

from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.files import os_reason
from cpe_opt.sessions.content import Item, Key, shown_of
from cpe_opt.sessions.questions import Question, QuestionSet, checked_rater, read_outcome
from cpe_opt.sessions.status import SessionStatus, within_budget
from cpe_opt.validation import checked_count, checked_finite, checked_number

GRACE = 2.0
"""Seconds that a program has to end, before it is told more firmly."""
PAUSE, LONGEST_PAUSE = 0.1, 10.0
"""Seconds before a program is asked again after a failure, and at most, once it has answered."""
LONGEST_LINE = 1 << 20
"""Bytes of a line that a program may write."""
_KEPT = 2000  # bytes of standard error
_SECONDS = 0.2  # after which it is looked whether to stop
_SPARE = 4  # a question is dealt in advance for so many programs
_HELD = 1e9  # seconds: nobody else is asked while a program has a question
_PATIENCE = 12  # questions without an answer, one after another
Reason = Literal["finished", "budget", "unanswered", "stopped"]
_Heard: TypeAlias = float | tuple[float, float] | BaseException | None
JudgeFunction: TypeAlias = Callable[[Question], Any]
"""Takes a question and returns its outcome, or an awaitable of it."""


class Asking(Protocol):
    """What is needed of a :class:`cpe_opt.Session`."""

    @property
    def question_set(self) -> QuestionSet:
        """What is asked about."""

    @property
    def finished(self) -> bool:
        """Whether nothing is open any more."""

    def status(self) -> SessionStatus:
        """How the session stands."""

    def price(self, question: Question) -> float:
        """What an answer costs."""

    def question(self, id: str) -> Question:  # noqa: A002
        """An open question."""

    def ask(self, *, lease: float, only: Callable[[Question], bool] | None) -> list[Question]:
        """A question that is open."""

    def tell(
        self,
        id: str,  # noqa: A002
        outcome: float | tuple[float, float],
        *,
        rater: str | None,
        sync: bool,
    ) -> None:
        """Answer a question."""

    def commit(self) -> None:
        """Bring to the disk what was told without waiting."""

    def skip(self, id: str, *, rater: str | None) -> None:  # noqa: A002
        """Put a question back."""

    def hand_back(self, id: str) -> None:  # noqa: A002
        """Let others be asked."""

    def leave_out(self, id: str) -> None:  # noqa: A002
        """Ask a cell of a test set no more."""

    def withdraw(self, id: str) -> None:  # noqa: A002
        """Open a cell again that was left out."""


def open_at_once(workers: int) -> int:
    """How many questions a learner is to have open, so that none of the workers waits for it."""
    return workers + workers // _SPARE


def run_judges(
    session: Asking,
    judge: str | Sequence[str] | JudgeFunction,
    *,
    parallel: int = 1,
    timeout: float = 60.0,
    retries: int = 2,
    budget: float | None = None,
    rater: str | None = None,
    content: Mapping[Key, Item] | None = None,
    stop: threading.Event | None = None,
    on_event: Callable[[JudgeEvent], None] | None = None,
) -> JudgesReport:
    """Let a function or programs answer until the learner has finished or the budget is used up."""
    if budget is not None:
        checked_finite("budget", budget, least=0.0)
    checked_number("timeout", timeout, above=0.0)
    number, rater = checked_count("parallel", parallel), checked_rater(rater)
    retries = checked_count("retries", retries, least=0)
    run = _Run(
        session,
        *_judges(judge, number, timeout, content),
        retries=retries,
        budget=math.inf if budget is None else budget,
        rater=rater,
        on_event=on_event or (lambda event: None),
    )
    stop = threading.Event() if stop is None else stop
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(run.report(stop))
    with ThreadPoolExecutor(1) as thread:  # such as in a notebook, which has a loop of its own
        try:
            return thread.submit(asyncio.run, run.report(stop)).result()
        except BaseException:
            stop.set()
            raise


def _judges(
    judge: str | Sequence[str] | JudgeFunction,
    number: int,
    timeout: float,
    content: Mapping[Key, Item] | None,
) -> tuple[Sequence[_Judge], _Coroutines | _Guard]:
    """So many judges, and what they share."""
    if callable(judge):
        if content is not None:
            raise InputError("content is for programs, and has no effect on a function")
        coroutines = _Coroutines()
        return [_Calls(judge, timeout, coroutines, number) for _ in range(number)], coroutines
    command, guard = _arguments(judge), _Guard()
    return [_Programs(command, timeout, content, guard) for _ in range(number)], guard


def _arguments(command: str | Sequence[str]) -> list[str]:
    """The program and its arguments."""
    try:
        posix = os.name == "posix"
        parts = shlex.split(command, posix=posix) if isinstance(command, str) else command
    except ValueError as error:
        raise InputError(f"the command {command!r} cannot be read: {error}") from None
    if not parts or not all(isinstance(part, str) for part in parts):
        raise InputError(f"the command is {command!r}, expected a program and its arguments")
    return list(parts)


@dataclass(frozen=True)
class JudgeEvent:
    """Something that happened.

    Attributes
    ----------
    kind : "answer", "skip", "failure", "put back", "left out" or "waiting"
        The last where others have all questions that are open.
    question : Question or None
    message : str
        Of a failure, why; of a cell that is left out, its question's id.
    """

    kind: Literal["answer", "skip", "failure", "put back", "left out", "waiting"]
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
    left_out : tuple of str
        Ids of the cells of a test set that are not asked any more.
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
    left_out: tuple[str, ...]
    at_once: int
    spent: float


class JudgeFailed(CpeOptError):
    """A program gave no answer that can be used."""

    def __init__(self, reason: str, *, ended_well: bool = False) -> None:
        super().__init__(reason)
        self.ended_well = ended_well  # whether it just ended, with the status 0


class _Run:
    """The state of one run; ``asked`` holds the questions that judges have, and those ``dealt``."""

    def __init__(
        self,
        session: Asking,
        judges: Sequence[_Judge],
        shared: _Coroutines | _Guard,
        *,
        retries: int,
        budget: float,
        rater: str | None,
        on_event: Callable[[JudgeEvent], None],
    ) -> None:
        self.session, self.judges, self.shared = session, judges, shared
        self.retries, self.budget = retries, budget
        self.rater, self.on_event = rater, on_event
        self.asked: dict[str, Question] = {}
        self.dealt: deque[Question] = deque()  # for the next judges that have nothing to do
        self.written: list[Question] = []  # answers that may not be on the disk
        self.tries: Counter[str] = Counter()
        self.put_back: dict[str, None] = {}
        self.left_out: dict[str, None] = {}
        self.lost: dict[str, None] = {}  # questions put back or left out since the last answer
        self.failure: JudgeFailed | None = None  # the last one since the last answer
        self.spent = session.status().spent
        self.answers = self.skips = self.failures = self.at_once = 0
        self.too_dear = self.waited = False
        self.reason: Reason | None = None
        self.news, self.deals, self.writes = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def report(self, stop: threading.Event) -> JudgesReport:
        """Let all programs work until there is nothing to ask, or they are to stop."""
        tasks = [asyncio.create_task(each) for each in (self.deal(stop), self.acknowledge())]
        workers = [asyncio.create_task(self.work(judge)) for judge in self.judges]
        working = {*workers}
        try:
            while working and not stop.is_set():
                await asyncio.wait(
                    [each for each in (*working, *tasks) if not each.done()],
                    timeout=_SECONDS,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                for each in (*tasks, *workers):
                    if each.done():
                        each.result()
                working = {worker for worker in workers if not worker.done()}
        finally:
            for question in self.asked:
                self.session.hand_back(question)
            for each in (*workers, *tasks):
                each.cancel()
            await asyncio.gather(*workers, *tasks, return_exceptions=True)
            signals = ("", "SIGTERM", "SIGKILL") if self.reason else ("SIGTERM", "SIGKILL")
            await asyncio.gather(*(judge.end(*signals) for judge in self.judges))
            await self.shared.end()
            if self.reason != "finished":
                self.open_again()
            self.session.commit()
        self.said_to_be_answers()
        return JudgesReport(
            reason=self.reason or "stopped",
            answers=self.answers,
            skips=self.skips,
            failures=self.failures,
            put_back=tuple(self.put_back),
            left_out=tuple(self.left_out),
            at_once=self.at_once,
            spent=self.spent,
        )

    async def work(self, judge: _Judge) -> None:
        """Have one program answer question after question."""
        while question := await self.next_question():
            self.at_once = max(self.at_once, len(self.asked) - len(self.dealt))
            await self.ask(judge, question)
            del self.asked[question.id]
            self.news.set()

    async def next_question(self) -> Question | None:
        """A question that was dealt, once there is one; None at the end."""
        while not self.dealt:
            if self.reason is not None:
                return None
            await self.deals.wait()
            self.deals.clear()
        return self.dealt.popleft()

    async def deal(self, stop: threading.Event) -> None:
        """Have questions ready for programs, until there is nothing to ask."""
        most = open_at_once(len(self.judges))
        while self.reason is None and not stop.is_set():
            self.too_dear = False
            while len(self.asked) < most and not self.given_up:
                questions = self.session.ask(lease=_HELD, only=self.may_be_asked)
                if not questions:
                    break
                [question] = questions
                self.asked[question.id] = question
                self.dealt.append(question)
                self.deals.set()
            if self.dealt and (self.given_up or self.session.finished):
                self.take_back_dealt()
            if not self.asked:
                self.reason = self.end()
                self.deals.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(_SECONDS):
                    await self.news.wait()
                    self.news.clear()

    def take_back_dealt(self) -> None:
        """Take back the questions that nobody has begun to answer."""
        for question in self.dealt:
            self.session.hand_back(question.id)
            del self.asked[question.id]
        self.dealt.clear()

    async def acknowledge(self) -> None:
        """Bring answers to the disk, those that come together at once, and say so."""
        while True:
            await self.writes.wait()
            self.writes.clear()
            written = len(self.written)
            await asyncio.to_thread(self.session.commit)
            self.said_to_be_answers(written)

    def said_to_be_answers(self, count: int | None = None) -> None:
        """Say of the first so many answers, or all, that they are there."""
        said, self.written = self.written[:count], self.written[len(self.written[:count]) :]
        for question in said:
            self.on_event(JudgeEvent("answer", question))

    def may_be_asked(self, question: Question) -> bool:
        """Whether it was not put back, and its price is within the budget."""
        if question.id in self.put_back or question.id in self.asked:
            return False
        if math.isinf(self.budget):
            return True
        prices = [self.session.price(each) for each in (*self.asked.values(), question)]
        fits = within_budget([self.spent, *prices], self.budget)
        self.too_dear |= not fits
        return fits

    @property
    def given_up(self) -> bool:
        """Whether so many questions in a row had no answer that the judge does not work."""
        return len(self.lost) >= _PATIENCE * (len(self.judges) if self.answers else 1)

    def end(self) -> Reason | None:
        """Why nothing is asked, or None where others have what is open."""
        status = self.session.status()
        nothing = self.given_up or (status.finished and self.lost and not self.answers)
        if status.finished and not nothing:
            return "finished"
        if self.too_dear and not nothing:
            return "budget"
        if not nothing and (status.leased or not self.put_back):
            if not self.waited:
                self.on_event(JudgeEvent("waiting"))
            self.waited = True
            return None
        if self.failure is not None and (nothing or not self.answers):
            what = f"none of {len(self.lost)} questions" if self.answers else "no question"
            kind = self.judges[0].kind
            raise JudgeFailed(
                f"{what} was answered: at last, the {kind} {self.failure}"
            ) from self.failure.__cause__
        return "unanswered"

    async def ask(self, judge: _Judge, question: Question) -> None:
        """Ask until there is an answer or a skip, or the question was tried often enough."""
        while True:
            try:
                outcome = await judge.answer(question)
                if outcome is not None:
                    self.tell(question, outcome)
                    return
            except JudgeFailed as failure:
                self.failures, self.failure, skipped = self.failures + 1, failure, False
                self.on_event(JudgeEvent("failure", question, str(failure)))
            else:
                self.skips, skipped = self.skips + 1, True
            self.tries[question.id] += 1
            tried_out = self.tries[question.id] > self.retries
            if skipped or tried_out:
                break
        if self.is_open(question):
            self.session.skip(question.id, rater=self.rater)
        self.on_event(JudgeEvent("skip" if skipped else "put back", question))
        if tried_out:
            self.set_aside(question)

    def set_aside(self, question: Question) -> None:
        """Ask a question no more in this run; a cell of a test set is left out."""
        if not self.is_open(question):
            return  # somebody else has answered it
        self.lost[question.id] = None
        if self.session.question_set.items is None:
            self.put_back[question.id] = None
            return
        self.session.leave_out(question.id)
        self.left_out[question.id] = None
        self.on_event(JudgeEvent("left out", None, question.id))

    def open_again(self) -> None:
        """Open the cells again that were left out since the last answer."""
        for each in [each for each in self.lost if each in self.left_out]:
            with suppress(CpeOptError):  # it cannot be written, which is said elsewhere
                self.session.withdraw(each)
                del self.left_out[each]
                self.put_back[each] = None

    def tell(self, question: Question, outcome: float | tuple[float, float]) -> None:
        """Note an answer; :class:`JudgeFailed` where the question takes no such outcome."""
        try:
            self.session.tell(question.id, outcome, rater=self.rater, sync=False)
        except InputError as error:
            if self.is_open(question):
                said = f"{outcome:g}" if isinstance(outcome, float) else str(outcome)
                raise JudgeFailed(f"answered {said}: {error}") from None
            return  # somebody else has answered it
        self.answers += 1
        self.lost, self.failure = {}, None
        self.spent += self.session.price(question)
        self.written.append(question)
        self.writes.set()

    def is_open(self, question: Question) -> bool:
        """Whether nobody else has answered it."""
        with suppress(InputError):
            return bool(self.session.question(question.id))
        return False


class _Judge(ABC):
    """Who is asked one question at a time; after failures, after a pause."""

    kind: ClassVar[str]

    def __init__(self) -> None:
        self._failures = 0  # in a row
        self._answered = False

    async def answer(self, question: Question) -> float | tuple[float, float] | None:
        """The outcome; None for a skip."""
        if self._failures:
            doubled = 2.0 ** min(self._failures - 1, 50) if self._answered else 1.0
            await asyncio.sleep(min(PAUSE * doubled, LONGEST_PAUSE))
        try:
            outcome = await self.outcome(question)
        except JudgeFailed:
            self._failures += 1
            raise
        self._failures, self._answered = 0, True
        return outcome

    @abstractmethod
    async def outcome(self, question: Question) -> float | tuple[float, float] | None:
        """Ask once."""

    @abstractmethod
    async def end(self, *signals: str) -> None:
        """End what runs: see :meth:`_Program.end`."""


class _Calls(_Judge):
    """A function that is called."""

    kind = "function"

    def __init__(
        self, function: JudgeFunction, timeout: float, coroutines: _Coroutines, number: int
    ) -> None:
        super().__init__()
        self._function, self._timeout, self._coroutines = function, timeout, coroutines
        self._longest = timeout * (number + 1)  # in line behind all others, each as long as it may
        self._thread: _Thread | None = None  # that has nothing to do

    async def outcome(self, question: Question) -> float | tuple[float, float] | None:
        """What it returns; nobody waits for it after that time, even if it cannot be ended.

        The time of a coroutine begins with it: others that block may hold it up.
        """
        loop, limit = asyncio.get_running_loop(), asyncio.timeout(self._timeout)
        heard: Future[_Heard] = Future()
        heard.set_running_or_notify_cancel()  # from now on it cannot be cancelled
        started: list[Future[None]] = []

        def within(seconds: float) -> None:
            with suppress(RuntimeError):  # it is over, or so is the run
                loop.call_soon_threadsafe(_reschedule, limit, loop.time() + seconds)

        def call() -> None:
            with _failures_into(heard):
                said = self._function(question)
                if isawaitable(said):
                    within(self._longest)
                    started.append(self._coroutines.start(finish(said)))
                else:
                    heard.set_result(_read(question, said))

        async def finish(promise: Awaitable[Any]) -> None:
            within(self._timeout)
            with _failures_into(heard):
                heard.set_result(_read(question, await promise))

        thread, self._thread = self._thread or _Thread(), None
        thread.call(call)
        try:
            with suppress(TimeoutError):
                async with limit:
                    await asyncio.wrap_future(heard)
        finally:
            if heard.done():
                self._thread = thread
            else:
                thread.end()
                for each in started:
                    each.cancel()
        if not heard.done():  # what came in time counts, however late the loop looks at it
            raise JudgeFailed(f"gave no answer in {self._timeout:g} s")
        if isinstance(outcome := heard.result(), BaseException):
            raise outcome
        return outcome

    async def end(self, *signals: str) -> None:
        """Calls end by themselves, and nobody waits for threads."""
        if self._thread is not None:
            self._thread.end()


def _reschedule(limit: asyncio.Timeout, when: float) -> None:
    with suppress(RuntimeError):  # it has been left, or has expired
        limit.reschedule(when)


def _read(question: Question, said: Any) -> float | tuple[float, float] | None:
    """The outcome that a function returned."""
    try:
        return read_outcome(question, said)
    except InputError as error:
        raise JudgeFailed(f"returned what is no outcome: {error}") from None


@contextmanager
def _failures_into(heard: Future[_Heard]) -> Iterator[None]:
    """Make a failure of whatever is raised, except what is to end the run."""
    try:
        yield
    except (JudgeFailed, KeyboardInterrupt, SystemExit) as error:
        heard.set_result(error)
    except BaseException as error:
        try:
            said = f"{type(error).__name__}: {error}"
        except BaseException:
            said = "what cannot be printed"
        failure = JudgeFailed(f"raised {said}")
        failure.__cause__ = error
        heard.set_result(failure)


class _Coroutines:
    """An event loop in a thread of its own, for coroutines that nobody waits for."""

    def __init__(self) -> None:
        self._loop, self._ended = asyncio.new_event_loop(), asyncio.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def start(self, coroutine: Coroutine[Any, Any, None]) -> Future[None]:
        """Start one, from any thread."""
        try:
            return asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        except RuntimeError:  # one of them has ended the loop
            coroutine.close()
            raise

    async def end(self) -> None:
        """Cancel all, and give them a little time to end."""
        with suppress(RuntimeError):  # one of them has ended the loop
            self._loop.call_soon_threadsafe(self._ended.set)
        await asyncio.to_thread(self._thread.join, GRACE)

    def _work(self) -> None:
        """Run until the end; a judge may stop the loop, cancel what runs in it, or raise there."""
        with (
            suppress(BaseException),
            asyncio.Runner(loop_factory=lambda: self._loop) as runner,
        ):
            runner.run(self._wait())

    async def _wait(self) -> None:
        await self._ended.wait()


class _Thread:
    """A thread that calls functions, one after the other."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def call(self, function: Callable[[], None]) -> None:
        """Call a function that raises nothing, after those before."""
        self._calls.put(function)

    def end(self) -> None:
        """End, after the last function."""
        self._calls.put(None)

    def _work(self) -> None:
        while function := self._calls.get():
            function()


class _Programs(_Judge):
    """A program that is started again where it fails."""

    kind = "program"

    def __init__(
        self,
        command: Sequence[str],
        timeout: float,
        content: Mapping[Key, Item] | None,
        guard: _Guard,
    ) -> None:
        super().__init__()
        self._command, self._timeout = command, timeout
        self._content, self._guard = content, guard
        self._program: _Program | None = None

    async def outcome(self, question: Question) -> float | tuple[float, float] | None:
        """What it writes; a program that fails is ended."""
        line = question_line(question, self._content)
        while True:
            if self._program is None or self._program.ended:
                await self.end()
                self._program = await _Program.start(self._command)
                self._guard.add(self._program)
            used = self._program.answered > 0
            try:
                return read_answer(question, await self._program.ask(line, self._timeout))
            except JudgeFailed as failure:
                await self.end("SIGKILL")
                if not (failure.ended_well and used):
                    raise

    async def end(self, *signals: str) -> None:
        """End the program, if one runs."""
        if self._program is not None:
            await self._program.end(*signals)
            self._guard.remove(self._program)


class _Guard:
    """Kills programs, and all they have started, when the pipe from this process closes."""

    _SCRIPT = """
import os, signal, sys
groups = []
for line in sys.stdin:
    groups = line.split()
for group in groups:
    try:
        os.killpg(int(group), signal.SIGKILL)
    except OSError:
        pass
"""

    def __init__(self) -> None:
        self._programs: list[_Program] = []
        self._other: subprocess.Popen[bytes] | None = None

    def add(self, program: _Program) -> None:
        """Watch over a program."""
        self._programs.append(program)
        if self._other is None and hasattr(os, "killpg"):
            try:
                self._other = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-c", self._SCRIPT],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                    start_new_session=True,
                )
            except OSError as error:
                raise InputError(f"cannot start {sys.executable!r}: {os_reason(error)}") from None
        self._tell()

    def remove(self, program: _Program) -> None:
        """Leave a program that has ended."""
        if program in self._programs:
            self._programs.remove(program)
            self._tell()

    async def end(self) -> None:
        """End the other process."""
        if self._other is not None:
            self._other.communicate()

    def _tell(self) -> None:
        if self._other is not None and self._other.stdin is not None:
            groups = " ".join(str(program.group) for program in self._programs)
            with suppress(BrokenPipeError):  # somebody has ended it
                self._other.stdin.write(f"{groups}\n".encode())


class _Program(asyncio.SubprocessProtocol):
    """A program that runs, in a process of its own: lines out, lines in.

    The process leads a group of its own (where the system has these), so that Ctrl-C at the
    terminal is not sent to it, and whatever it has started dies with it when it is killed. Whatever
    it writes is read, so that no full pipe stops anything, and of standard error the end is kept.
    """

    def __init__(self) -> None:
        self.answered = 0  # how many lines it has given
        self._output, self._errors = bytearray(), bytearray()
        self._listening = {1, 2}  # the pipes that are open
        self._news = asyncio.Event()

    @classmethod
    async def start(cls, command: Sequence[str]) -> Self:
        """Start a program; :class:`InputError` if there is none, or it cannot be started."""
        try:
            _, program = await asyncio.get_running_loop().subprocess_exec(
                cls, *command, start_new_session=True
            )
        except (OSError, ValueError) as error:
            reason = os_reason(error) if isinstance(error, OSError) else str(error)
            raise InputError(f"cannot start {command[0]!r}: {reason}") from None
        return program

    @property
    def group(self) -> int:
        """The number of the process, and of the group that it leads."""
        return self._transport.get_pid()

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self._transport.get_returncode() is not None

    async def ask(self, line: bytes, timeout: float) -> bytes:
        """Send a line, and wait for one."""
        self._input.write(line)
        await self._heard(
            lambda: (
                b"\n" in self._output
                or len(self._output) > LONGEST_LINE
                or 1 not in self._listening
            ),
            timeout,
        )
        got, end, _ = self._output.partition(b"\n")
        start = got[:80].decode("utf-8", "replace").rstrip()
        if len(got) > LONGEST_LINE:
            raise JudgeFailed(f"wrote a line of more than {LONGEST_LINE:,} bytes: {start!r}")
        if end:
            del self._output[: len(got) + 1]
            self.answered += 1
            return bytes(got)
        if 1 in self._listening:
            raise JudgeFailed(f"gave no answer in {timeout:g} s{self._saying()}")
        if got:
            raise JudgeFailed(f"ended in the middle of a line: {start!r}")
        await self._heard(lambda: self.ended, GRACE)
        await self._heard(lambda: 2 not in self._listening, 0.2)  # what it says last
        raise JudgeFailed(
            f"{self._ending()}{self._saying()}", ended_well=self._transport.get_returncode() == 0
        )

    async def end(self, *signals: str) -> None:
        """Close its input, send one signal after another until it has ended, and let go of it."""
        self._input.close()
        for name in signals:
            if not self.ended and name:
                _send(self.group, name)
            await self._heard(lambda: self.ended, GRACE)
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what the process is controlled by."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._input = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Keep what it writes; no more than a line can have, and then nothing more is read."""
        if fd == 2:
            self._errors += data
            del self._errors[:-_KEPT]
            return
        self._output += data
        if len(self._output) > LONGEST_LINE:
            cast("asyncio.ReadTransport", self._transport.get_pipe_transport(1)).pause_reading()
        self._news.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Note that nothing more will come."""
        self._listening.discard(fd)
        self._news.set()

    def process_exited(self) -> None:
        """Note that it has ended, whoever else has its pipes."""
        self._news.set()

    async def _heard(self, enough: Callable[[], bool], seconds: float) -> None:
        """Wait until enough was heard; no longer than some seconds.

        What came in time counts even where the loop was busy meanwhile: it reads before it looks at
        the clock, and who calls looks at what was read.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not enough():
                    self._news.clear()
                    await self._news.wait()

    def _ending(self) -> str:
        """How it ended."""
        status = self._transport.get_returncode()
        if status is None:
            return "closed its output"
        return f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"

    def _saying(self) -> str:
        """The last line on its standard error."""
        said = self._errors.decode("utf-8", "replace").strip().splitlines()
        return f", saying {said[-1][-300:]!r}" if said else ""


def question_values(
    question: Question, content: Mapping[Key, Item] | None = None
) -> dict[str, Any]:
    """A question as programs are asked it: plain values for JSON."""
    said = question.as_dict()
    if content is not None:
        said["content"] = [_shown(each or Item()) for each in shown_of(content, question)]
    return said


def question_line(question: Question, content: Mapping[Key, Item] | None = None) -> bytes:
    """The line that asks a question."""
    return (
        json.dumps(question_values(question, content), ensure_ascii=False).encode(
            "utf-8", "replace"
        )
        + b"\n"
    )


def read_answer(question: Question, line: bytes) -> float | tuple[float, float] | None:
    """The outcome that a line says; None for a skip."""
    shown = repr(line[:200].decode("utf-8", "replace").rstrip("\r\n"))
    try:
        said = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise JudgeFailed(f"wrote a line that is no JSON: {shown}") from None
    if not isinstance(said, dict) or "id" not in said or "outcome" not in said:
        raise JudgeFailed(f"wrote no object with id and outcome: {shown}")
    if said["id"] != question.id:
        raise JudgeFailed(f"answered another question than {question.id}: {shown}")
    try:
        return read_outcome(question, said["outcome"])
    except InputError as error:
        raise JudgeFailed(f"{error}; it wrote {shown}") from None


def _shown(item: Item) -> dict[str, str]:
    return {name: value for name, value in (("text", item.words), ("image", item.image)) if value}


def _send(process: int, name: str) -> None:
    """Send a signal to a process and all that it has started; Windows knows only one, the end."""
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(process, getattr(signal, name))
        return
    import psutil

    with suppress(psutil.Error):
        top = psutil.Process(process)
        for each in (*top.children(recursive=True), top):
            with suppress(psutil.NoSuchProcess):
                each.kill()
