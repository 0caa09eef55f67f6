"""Functions and programs that answer a session's questions, several at once.

A function takes a :class:`~cpe_opt.sessions.questions.Question` and returns its outcome; it may be
a coroutine function. What it raises is a failure, whatever it is, except KeyboardInterrupt and
SystemExit, which end the run. Programs read and write lines of JSON (``docs/sessions.md``, which
says what is promised of failures and budgets).

One event loop, in a thread, does all of it, with a task for each judge; it alone uses the session.
Calls have threads of their own, and coroutines share another event loop: nobody waits for a call
that is late, or that goes on when it is cancelled. Answers that come together are brought to the
disk together, and only then said to be answers (:class:`JudgeEvent`).
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import shlex
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from inspect import isawaitable
from queue import SimpleQueue
from typing import Annotated, Any, Literal, TypeAlias, cast

from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.files import os_reason
from cpe_opt.sessions.content import Item, Key, shown_of
from cpe_opt.sessions.questions import Question, checked_name, read_outcome
from cpe_opt.sessions.status import within_budget
from cpe_opt.validation import (
    NonNegative,
    NonNegativeInt,
    PositiveInt,
    PositiveOrInfinite,
    checked_types,
)

GRACE = 2.0
"""Seconds that judges have to end, before they are told more firmly."""
PAUSE, LONGEST_PAUSE = 0.1, 10.0
"""Seconds before a judge is asked again after a failure, and at most, once it has answered."""
LONGEST_LINE = 1 << 20
"""Bytes of a line that a program may write."""
_KEPT = 2000  # bytes of standard error
_SECONDS = 0.2  # after which it is looked whether to stop
_LAST_WAIT = 60.0  # seconds for a process that was killed: a busy machine takes long to end it
_HELD = 1e9  # seconds: nobody else is asked while a judge has a question
_PATIENCE = 12  # questions without an answer, one after another
_SIGNALS = ("", "SIGTERM", "SIGKILL")  # that end judges; the empty one closes their input
_GUARD = 'read -r line; kill -s KILL -- "-$0"'  # reads until this process has ended
Session: TypeAlias = Any
""":class:`cpe_opt.Session`, which imports this module."""
Reason = Literal["finished", "budget", "unanswered", "stopped"]
REASONS: dict[Reason, str] = {
    "finished": "finished",
    "budget": "the budget is used up",
    "unanswered": "only questions are open that the judge could not answer",
    "stopped": "stopped",
}
"""In words."""
JudgeFunction: TypeAlias = Callable[[Question], Any]
"""Takes a question and returns its outcome, or an awaitable of it."""


@dataclass(frozen=True)
class JudgeEvent:
    """Something that happened; "waiting" is said where others have all questions that are open."""

    kind: Literal["answer", "skip", "failure", "put back", "left out", "waiting"]
    question: Question | None = None
    message: str = ""  #: of a failure, why; of a cell that is left out, its question's id


@dataclass(frozen=True, kw_only=True)
class JudgesReport:
    """What judges did, and why it ended.

    The ``reason`` is "finished", as the learner has its answer; "budget", as what is open would
    exceed it; "unanswered", as only questions are open that were put back; or "stopped".
    """

    reason: Reason
    answers: int
    skips: int
    failures: int
    put_back: tuple[str, ...]  #: ids of the questions that got no answer
    left_out: tuple[str, ...]  #: ids of the cells of a test set that are not asked any more
    spent: float  #: what the session's answers cost in all


class JudgeFailed(CpeOptError):
    """A judge gave no answer that can be used."""

    def __init__(self, reason: str, *, ended_well: bool = False) -> None:
        super().__init__(reason)
        self.ended_well = ended_well  # a program that ended after answers, with the status 0


@checked_types
@dataclass(frozen=True, kw_only=True)
class Calling:
    """How judges are called: so many at once, each as long, a question as often, within a budget.

    Answers are noted under the name of a ``rater``. ``parallel`` is the number of judges.
    """

    parallel: PositiveInt = 1
    timeout: PositiveOrInfinite = 60.0  # seconds
    retries: NonNegativeInt = 2
    budget: NonNegative | None = None
    rater: Annotated[str, lambda _, name: checked_name(name)] | None = None


def run_judges(
    session: Session,
    judge: str | Sequence[str] | JudgeFunction,
    calling: Calling,
    *,
    content: Mapping[Key, Item] | None = None,
    stop: threading.Event | None = None,
    on_event: Callable[[JudgeEvent], None] | None = None,
) -> JudgesReport:
    """Let a function or programs answer until the learner has finished or the budget is used up.

    The ``content`` is what programs are shown of each thing.
    """
    stop = threading.Event() if stop is None else stop
    with ThreadPoolExecutor(1) as thread:  # a notebook has a loop of its own in this one
        thread.submit(int).result()  # nobody waits for one that is interrupted while it starts
        run = _Run(session, judge, calling, content, on_event)
        try:
            running = thread.submit(asyncio.run, run.report(stop))
            while not running.done():  # a signal may come to any thread, and wakes this one late
                wait([running], timeout=_SECONDS)
            return running.result()
        except BaseException:
            stop.set()
            raise


class _Run:
    """The state of one run; ``asked`` has the questions that judges have, and their prices."""

    def __init__(
        self,
        session: Session,
        judge: str | Sequence[str] | JudgeFunction,
        calling: Calling,
        content: Mapping[Key, Item] | None,
        on_event: Callable[[JudgeEvent], None] | None,
    ) -> None:
        self.session, self.calling, self.content = session, calling, content
        self.on_event = on_event or (lambda event: None)
        self.kind = "function" if callable(judge) else "program"
        self.function = _Function(judge) if callable(judge) else None
        self.command = [] if callable(judge) else _arguments(judge)
        self.programs: dict[int, _Program] = {}  # by the number of the task that asks it
        self.asked: dict[str, float] = {}
        self.written: list[Question] = []  # answers that may not be on the disk
        self.tries: Counter[str] = Counter()
        self.put_back: dict[str, None] = {}
        self.left_out: dict[str, None] = {}
        self.lost: dict[str, None] = {}  # questions put back or left out since the last answer
        self.failure: JudgeFailed | None = None  # the last one since the last answer
        self.spent = session.status().spent
        self.answers = self.skips = self.failures = 0
        self.in_a_row = 0  # failures
        self.too_dear = self.waited = False
        self.reason: Reason | None = None
        self.news = asyncio.Event()  # set, and replaced, when there may be something to ask
        self.nothing_since: asyncio.Event | None = None  # the news after which nothing was free
        self.calls: SimpleQueue[tuple[Any, ...] | None] = SimpleQueue()
        self.free, self.threads = threading.Semaphore(0), 0  # those that wait for calls; all
        self.disk = asyncio.Lock()
        self.batch: asyncio.Task[None] | None = None  # that brings answers to the disk next

    async def report(self, stop: threading.Event) -> JudgesReport:
        """Let all judges work until there is nothing to ask, or they are to stop."""
        running = {asyncio.create_task(self.work(place)) for place in range(self.calling.parallel)}
        try:
            while running and not stop.is_set():
                done, running = await asyncio.wait(
                    running, timeout=_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                await asyncio.gather(*done)
        finally:
            for asked in self.asked:
                self.session.hand_back(asked)
            for each in running:
                each.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            await self.end_judges()
            if self.reason != "finished":
                self.open_again()
            await self.save()
        return JudgesReport(
            reason=self.reason or "stopped",
            answers=self.answers,
            skips=self.skips,
            failures=self.failures,
            put_back=tuple(self.put_back),
            left_out=tuple(self.left_out),
            spent=self.spent,
        )

    async def end_judges(self) -> None:
        """Tell judges to end, more and more firmly; those that are at work without delay."""
        judges: list[_Judge] = [*self.programs.values()]
        if self.function is not None:
            judges = [self.function]
        for name in _SIGNALS if self.reason else _SIGNALS[1:]:
            for judge in judges:
                judge.send(name)
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    while not all(judge.ended for judge in judges):
                        await asyncio.sleep(0.005)
        for _ in range(self.threads):
            self.calls.put(None)
        for program in self.programs.values():
            program.close()

    async def work(self, place: int) -> None:
        """Have one judge answer question after question."""
        while question := await self.next_question():
            await self.ask(place, question)
            del self.asked[question.id]
            self.there_is_news()

    async def next_question(self) -> Question | None:
        """A question for a judge, once there is one; None at the end."""
        while self.reason is None:
            news = self.news
            if not self.given_up and self.nothing_since is not news:
                self.too_dear = False
                for question in self.session.ask(lease=_HELD, only=self.may_be_asked):
                    self.asked[question.id] = self.session.price(question)
                    return cast("Question", question)
                self.nothing_since = news
            if not self.asked:
                self.reason = self.end()
                self.there_is_news()
            with suppress(TimeoutError):  # wait_for may lose that it is cancelled
                async with asyncio.timeout(_SECONDS):
                    await news.wait()
                    continue
            self.nothing_since = None  # what others have may be free by now
        return None

    def there_is_news(self) -> None:
        """Have judges that wait look for questions."""
        self.news.set()
        self.news = asyncio.Event()

    def may_be_asked(self, question: Question) -> bool:
        """Whether it was not put back, and its price is within the budget."""
        if question.id in self.put_back or question.id in self.asked:
            return False
        if self.calling.budget is None:
            return True
        price = self.session.price(question)
        fits = within_budget([self.spent, *self.asked.values(), price], self.calling.budget)
        self.too_dear |= not fits
        return fits

    @property
    def given_up(self) -> bool:
        """Whether so many questions in a row had no answer that the judge does not work."""
        return len(self.lost) >= _PATIENCE * (self.calling.parallel if self.answers else 1)

    def end(self) -> Reason | None:
        """Why nothing is asked, or None where others have what is open."""
        status = self.session.status()
        in_vain = self.given_up or (status.finished and self.lost and not self.answers)
        if not in_vain:
            if status.finished:
                return "finished"
            if self.too_dear:
                return "budget"
            if status.leased or not self.put_back:
                if not self.waited:
                    self.on_event(JudgeEvent("waiting"))
                self.waited = True
                return None
        if self.failure is not None and (in_vain or not self.answers):
            what = f"none of {len(self.lost)} questions" if self.answers else "no question"
            raise JudgeFailed(
                f"{what} was answered: at last, the {self.kind} {self.failure}"
            ) from self.failure.__cause__
        return "unanswered"

    async def ask(self, place: int, question: Question) -> None:
        """Ask until there is an answer or a skip, or the question was tried often enough."""
        tried_out = skipped = False
        while not tried_out and not skipped:
            doubled = 2.0 ** min(self.in_a_row // self.calling.parallel, 50) if self.answers else 1
            await asyncio.sleep(min(PAUSE * doubled, LONGEST_PAUSE) if self.in_a_row else 0.0)
            try:
                outcome = await self.hear(place, question)
                self.in_a_row = 0
                if outcome is not None:
                    self.tell(question, outcome)
                    await self.save()
                    return
                self.skips, skipped = self.skips + 1, True
            except JudgeFailed as failure:
                if place in self.programs:
                    self.programs.pop(place).end()
                if failure.ended_well:
                    continue
                self.in_a_row += 1
                self.failures, self.failure = self.failures + 1, failure
                self.on_event(JudgeEvent("failure", question, str(failure)))
            self.tries[question.id] += 1
            tried_out = self.tries[question.id] > self.calling.retries
        if not self.is_open(question):
            return  # somebody else has answered it
        self.session.skip(question.id, rater=self.calling.rater)
        self.on_event(JudgeEvent("skip" if skipped else "put back", question))
        if tried_out and self.is_open(question):
            self.set_aside(question)

    async def hear(self, place: int, question: Question) -> float | None:
        """The outcome that a judge says, in a thread that it alone has; None for a skip."""
        judge = self.function or self.program(place)
        heard, limit = Future[Any](), self.calling.timeout
        heard.set_running_or_notify_cancel()  # from now on it cannot be cancelled
        self.calls.put((judge, question, heard))
        if not self.free.acquire(blocking=False):
            self.threads += 1
            threading.Thread(target=self.call, daemon=True).start()
        try:
            await asyncio.wait([asyncio.wrap_future(heard)], timeout=limit)
        finally:  # what came in time counts, however late the loop looks at it
            _set(heard, JudgeFailed(f"gave no answer in {limit:g} s{judge.saying}"))
        outcome = heard.result()
        if isinstance(outcome, BaseException):
            raise outcome
        return cast("float | None", outcome)

    def call(self) -> None:
        """Make one call after the other, in a thread."""
        while work := self.calls.get():
            judge, *asked = work
            judge.ask(*asked)
            self.free.release()

    def program(self, place: int) -> _Program:
        """The program of a task, started again where it has ended."""
        if place in self.programs and self.programs[place].ended:
            self.programs.pop(place).close()
        if place not in self.programs:
            self.programs[place] = _Program(self.command, self.content)
        return self.programs[place]

    def tell(self, question: Question, outcome: float) -> None:
        """Note an answer; :class:`JudgeFailed` where the question takes no such outcome."""
        try:
            self.session.tell(question.id, outcome, rater=self.calling.rater, sync=False)
        except InputError as error:
            if self.is_open(question):
                raise JudgeFailed(f"answered {outcome:g}: {error}") from None
            return  # somebody else has answered it
        self.answers += 1
        self.lost, self.failure = {}, None
        self.spent += self.session.price(question)
        self.written.append(question)

    async def save(self) -> None:
        """Wait until answers are on the disk, with those that come until it is free."""
        if self.batch is None or self.batch.cancelling():  # where a judge ends the loop
            self.batch = asyncio.create_task(self.commit())
        await asyncio.shield(self.batch)

    async def commit(self) -> None:
        """Bring answers to the disk, and say so."""
        async with self.disk:
            self.batch, written = None, [*self.written]
            if written:
                await asyncio.to_thread(self.session.commit)
            self.written = self.written[len(written) :]
            for question in written:
                self.on_event(JudgeEvent("answer", question))

    def set_aside(self, question: Question) -> None:
        """Ask a question no more in this run; a cell of a test set is left out."""
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

    def is_open(self, question: Question) -> bool:
        """Whether nobody else has answered it."""
        with suppress(InputError):
            return bool(self.session.question(question.id))
        return False


def _set(heard: Future[Any], said: Any) -> None:
    """Keep what was said first."""
    with suppress(InvalidStateError):
        heard.set_result(said)


class _Function:
    """A function that all judges call; its coroutines run in a loop in a thread of its own."""

    saying = ""

    def __init__(self, function: JudgeFunction) -> None:
        self._function = function
        self._loop, self._ending = asyncio.new_event_loop(), asyncio.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        """Run until the end; a judge may stop the loop, cancel what runs in it, or raise there."""
        with suppress(BaseException), asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._ending.wait())

    def ask(self, question: Question, heard: Future[Any]) -> None:
        """Call it; a coroutine is cancelled when nobody waits for it any more."""
        try:
            said = self._function(question)
            if isawaitable(said):
                running = asyncio.run_coroutine_threadsafe(_awaited(said), self._loop)
                heard.add_done_callback(lambda _: running.cancel())
                said = running.result()
            _set(heard, _outcome(question, said))
        except BaseException as error:
            _set(heard, _failure(error))

    def send(self, name: str) -> None:
        """Cancel coroutines; nobody waits for threads."""
        with suppress(RuntimeError):  # one of them has ended the loop
            self._loop.call_soon_threadsafe(self._ending.set)

    @property
    def ended(self) -> bool:
        """Whether no coroutine runs."""
        return not self._thread.is_alive()


async def _awaited(promise: Awaitable[Any]) -> Any:
    return await promise


def _outcome(question: Question, said: Any) -> float | None:
    """The outcome that a function returned."""
    try:
        return read_outcome(question, said)
    except InputError as error:
        raise JudgeFailed(f"returned what is no outcome: {error}") from None


def _failure(error: BaseException) -> BaseException:
    """A failure for whatever was raised, except what is to end the run."""
    if isinstance(error, JudgeFailed | KeyboardInterrupt | SystemExit):
        return error
    failure = JudgeFailed(f"raised {type(error).__name__}: {error}")
    failure.__cause__ = error
    return failure


class _Program:
    """A process that leads a group of its own: Ctrl-C spares it, and its children end with it.

    A second process kills the group when its pipe from this process closes, however this one ends.
    """

    def __init__(self, command: Sequence[str], content: Mapping[Key, Item] | None) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                command, 0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            reason = os_reason(error) if isinstance(error, OSError) else str(error)
            raise InputError(f"cannot start {command[0]!r}: {reason}") from None
        self._content, self._answered, self._errors = content, 0, b""
        self._input = cast("io.FileIO", self._process.stdin)
        self._output = io.BufferedReader(cast("io.FileIO", self._process.stdout))
        self._reading = threading.Lock()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._guard: subprocess.Popen[bytes] | None = None
        if hasattr(os, "killpg"):
            guard = ["/bin/sh", "-c", _GUARD, str(self._process.pid)]
            self._guard = subprocess.Popen(
                guard, stdin=pipe, stderr=subprocess.DEVNULL, start_new_session=True
            )

    def ask(self, question: Question, heard: Future[Any]) -> None:
        """Send a line, and read one."""
        try:
            line = self._line(question_line(question, self._content))
            _set(heard, read_answer(question, line))
        except BaseException as error:
            _set(heard, error)

    def _line(self, line: bytes) -> bytes:
        with self._reading:
            with suppress(OSError):  # it has ended
                self._input.write(line)
            answer = self._output.readline(LONGEST_LINE + 1)
            if answer.endswith(b"\n"):
                self._answered += 1
                return answer[:-1]
            if answer:
                what = f"wrote no whole line of up to {LONGEST_LINE:,} bytes"
                raise JudgeFailed(f"{what}: {_shown(answer[:80])}")
            self._wait()
            self._listener.join(_SECONDS)
            status = self._process.poll()  # of a signal the negative of its number
            how = "closed its output" if status is None else f"ended with status {status}"
            ended_well = status == 0 and self._answered > 0
            raise JudgeFailed(f"{how}{self.saying}", ended_well=ended_well)

    @property
    def saying(self) -> str:
        """The last line on its standard error."""
        said = self._errors.decode("utf-8", "replace").strip().splitlines()
        return f", saying {said[-1][-300:]!r}" if said else ""

    def _listen(self) -> None:
        with cast("io.FileIO", self._process.stderr) as errors:
            while part := errors.read(1 << 16):
                self._errors = (self._errors + part)[-_KEPT:]

    def end(self) -> None:
        """End it at once: what it writes next might belong to an earlier question."""
        self.send("SIGKILL")
        self._wait()
        self.close()

    def send(self, name: str) -> None:
        """Send a signal to it and all that it has started; without a name, close its input."""
        if self.ended:
            return
        if not name:
            self._input.close()
        elif hasattr(os, "killpg"):
            with suppress(OSError):
                os.killpg(self._process.pid, getattr(signal, name))
        else:  # Windows knows only one, the end
            import psutil

            with suppress(psutil.Error):
                top = psutil.Process(self._process.pid)
                for each in (*top.children(recursive=True), top):
                    with suppress(psutil.NoSuchProcess):
                        each.kill()

    def _wait(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)

    @property
    def ended(self) -> bool:
        """Whether it has ended."""
        return self._process.poll() is not None

    def close(self) -> None:
        """Let go of it; of its output later, where something that it has started still has it."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_WAIT)
        if self._guard is not None:
            self._guard.kill()
            self._guard.communicate()
        self._input.close()
        if self._reading.acquire(timeout=_SECONDS):
            self._output.close()
            self._reading.release()
        self._listener.join(_SECONDS)


_Judge: TypeAlias = _Function | _Program


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


def question_values(
    question: Question, content: Mapping[Key, Item] | None = None
) -> dict[str, Any]:
    """A question as programs are asked it: plain values for JSON."""
    said = question.as_dict()
    if content is not None:
        shown = [each or Item() for each in shown_of(content, question)]
        pairs = [(("text", each.words), ("image", each.image)) for each in shown]
        said["content"] = [{name: value for name, value in each if value} for each in pairs]
    return said


def question_line(question: Question, content: Mapping[Key, Item] | None = None) -> bytes:
    """The line that asks a question."""
    line = json.dumps(question_values(question, content), ensure_ascii=False)
    return f"{line}\n".encode("utf-8", "replace")


def read_answer(question: Question, line: bytes) -> float | None:
    """The outcome that a line says; None for a skip."""
    try:
        said = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise JudgeFailed(f"wrote a line that is no JSON: {_shown(line)}") from None
    if not isinstance(said, dict) or "id" not in said or "outcome" not in said:
        raise JudgeFailed(f"wrote no object with id and outcome: {_shown(line)}")
    if said["id"] != question.id:
        raise JudgeFailed(f"answered another question than {question.id}: {_shown(line)}")
    try:
        return read_outcome(question, said["outcome"])
    except InputError as error:
        raise JudgeFailed(f"{error}; it wrote {_shown(line)}") from None


def _shown(line: bytes) -> str:
    return repr(line[:200].decode("utf-8", "replace").rstrip("\r\n"))
