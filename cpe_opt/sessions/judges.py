"""Functions and programs that answer a session's questions, several at once.

A function takes a :class:`~cpe_opt.sessions.questions.Question` and returns its outcome; it may be
a coroutine function. What it raises is a failure, whatever it is, except KeyboardInterrupt and
SystemExit, which end the run. Functions run in threads, and coroutines in an event loop of their
own: nobody waits for one that is late, or that goes on when it is cancelled. Programs read and
write lines of JSON (``docs/sessions.md``, which says what is promised of failures and budgets).

One event loop, in a thread, does all of it, with a task for each judge; it alone uses the session.
Answers that come together are brought to the disk together. Only then is an answer said to be one
(:class:`JudgeEvent`), and nothing returns before that.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import subprocess
import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, ClassVar, Literal, TypeAlias, cast

from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.files import os_reason
from cpe_opt.sessions.content import Item, Key, shown_of
from cpe_opt.sessions.questions import Question, checked_rater, read_outcome
from cpe_opt.sessions.status import within_budget
from cpe_opt.validation import checked_count, checked_finite, checked_number

GRACE = 2.0
"""Seconds that a program has to end, before it is told more firmly."""
PAUSE, LONGEST_PAUSE = 0.1, 10.0
"""Seconds before a program is asked again after a failure, and at most, once it has answered."""
LONGEST_LINE = 1 << 20
"""Bytes of a line that a program may write."""
_KEPT = 2000  # bytes of standard error
_SECONDS = 0.2  # after which it is looked whether to stop
_READING = 0.05  # to read what came in time, where the loop was busy
_SPARE = 4  # a question more is open for so many judges
_HELD = 1e9  # seconds: nobody else is asked while a judge has a question
_PATIENCE = 12  # questions without an answer, one after another
Session: TypeAlias = Any
""":class:`cpe_opt.Session`, which imports this module."""
Reason = Literal["finished", "budget", "unanswered", "stopped"]
Outcome: TypeAlias = float | tuple[float, float]
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
    at_once: int  #: the most questions that judges had at the same time
    spent: float  #: what the session's answers cost in all


class JudgeFailed(CpeOptError):
    """A judge gave no answer that can be used."""

    def __init__(self, reason: str, *, ended_well: bool = False) -> None:
        super().__init__(reason)
        self.ended_well = ended_well  # whether it just ended, with the status 0


@dataclass(frozen=True, kw_only=True)
class Calling:
    """How judges are called: so many at once, each as long, a question as often, within a budget.

    Answers are noted under the name of a ``rater``. ``parallel`` is the number of judges.
    """

    parallel: int = 1
    timeout: float = 60.0  # seconds
    retries: int = 2
    budget: float | None = None
    rater: str | None = None

    def __post_init__(self) -> None:
        if self.budget is not None:
            checked_finite("budget", self.budget, least=0.0)
        checked_number("timeout", self.timeout, above=0.0)
        checked_count("parallel", self.parallel)
        checked_count("retries", self.retries, least=0)
        object.__setattr__(self, "rater", checked_rater(self.rater))


def open_at_once(workers: int) -> int:
    """How many questions a learner is to have open, so that none of the workers waits for it."""
    return workers + workers // _SPARE


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
    run = _Run(session, judge, calling, content, on_event or (lambda event: None))
    stop = threading.Event() if stop is None else stop
    with ThreadPoolExecutor(1) as thread:  # a notebook has a loop of its own in this one
        try:
            return thread.submit(asyncio.run, run.report(stop)).result()
        except BaseException:
            stop.set()
            raise


class _Run:
    """The state of one run; ``asked`` holds the questions that judges have."""

    def __init__(
        self,
        session: Session,
        judge: str | Sequence[str] | JudgeFunction,
        calling: Calling,
        content: Mapping[Key, Item] | None,
        on_event: Callable[[JudgeEvent], None],
    ) -> None:
        self.session, self.calling, self.on_event = session, calling, on_event
        self.shared: _Coroutines | _Guard
        self.judges: list[_Judge]
        count = range(calling.parallel)
        if callable(judge):
            self.shared = coroutines = _Coroutines()
            self.judges = [_Calls(judge, calling.timeout, coroutines) for _ in count]
        else:
            command = _arguments(judge)
            self.shared = guard = _Guard()
            self.judges = [_Programs(command, calling.timeout, content, guard) for _ in count]
        self.asked: dict[str, Question] = {}
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
        self.news = asyncio.Event()  # set, and replaced, when there may be something to ask
        self.unsaved = asyncio.Event()

    async def report(self, stop: threading.Event) -> JudgesReport:
        """Let all judges work until there is nothing to ask, or they are to stop."""
        workers = [asyncio.create_task(self.work(judge)) for judge in self.judges]
        running = {*workers, asyncio.create_task(self.save())}
        try:
            while len(running) > 1 and not stop.is_set():
                done, running = await asyncio.wait(
                    running, timeout=_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                for each in done:
                    each.result()
        finally:
            for asked in self.asked:
                self.session.hand_back(asked)
            for each in running:
                each.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            signals = ("", "SIGTERM", "SIGKILL") if self.reason else ("SIGTERM", "SIGKILL")
            await asyncio.gather(*(judge.end(*signals) for judge in self.judges))
            await self.shared.end()
            if self.reason != "finished":
                self.open_again()
            self.session.commit()
        self.acknowledge(self.written)
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
        """Have one judge answer question after question."""
        while question := await self.next_question():
            await self.ask(judge, question)
            del self.asked[question.id]
            self.there_is_news()

    async def next_question(self) -> Question | None:
        """A question for a judge, once there is one; None at the end."""
        while self.reason is None:
            self.too_dear, news = False, self.news
            if not self.given_up:
                open_ones: list[Question] = self.session.ask(lease=_HELD, only=self.may_be_asked)
                for question in open_ones:
                    self.asked[question.id] = question
                    self.at_once = max(self.at_once, len(self.asked))
                    return question
            if not self.asked:
                self.reason = self.end()
                self.there_is_news()
            with suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), _SECONDS)
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
        prices = [self.session.price(each) for each in (*self.asked.values(), question)]
        fits = within_budget([self.spent, *prices], self.calling.budget)
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
            tried_out = self.tries[question.id] > self.calling.retries
            if skipped or tried_out:
                break
        if self.is_open(question):
            self.session.skip(question.id, rater=self.calling.rater)
        self.on_event(JudgeEvent("skip" if skipped else "put back", question))
        if tried_out:
            self.set_aside(question)

    def tell(self, question: Question, outcome: Outcome) -> None:
        """Note an answer; :class:`JudgeFailed` where the question takes no such outcome."""
        try:
            self.session.tell(question.id, outcome, rater=self.calling.rater, sync=False)
        except InputError as error:
            if self.is_open(question):
                said = f"{outcome:g}" if isinstance(outcome, float) else str(outcome)
                raise JudgeFailed(f"answered {said}: {error}") from None
            return  # somebody else has answered it
        self.answers += 1
        self.lost, self.failure = {}, None
        self.spent += self.session.price(question)
        self.written.append(question)
        self.unsaved.set()
        self.there_is_news()

    async def save(self) -> None:
        """Bring answers to the disk, those that come together at once, and say so."""
        while True:
            await self.unsaved.wait()
            self.unsaved.clear()
            written = [*self.written]
            await asyncio.to_thread(self.session.commit)
            self.acknowledge(written)

    def acknowledge(self, written: list[Question]) -> None:
        """Say that these answers, the first of those that were written, are on the disk."""
        self.written = self.written[len(written) :]
        for question in written:
            self.on_event(JudgeEvent("answer", question))

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

    async def answer(self, question: Question) -> Outcome | None:
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
    async def outcome(self, question: Question) -> Outcome | None:
        """Ask once."""

    @abstractmethod
    async def end(self, *signals: str) -> None:
        """End what runs: see :meth:`_Program.end`."""


class _Calls(_Judge):
    """A function that is called."""

    kind = "function"

    def __init__(self, function: JudgeFunction, timeout: float, coroutines: _Coroutines) -> None:
        super().__init__()
        self._function, self._timeout, self._coroutines = function, timeout, coroutines

    async def outcome(self, question: Question) -> Outcome | None:
        """What it returns; nobody waits for it after that time, even if it cannot be ended."""
        heard: Future[Outcome | BaseException | None] = Future()
        heard.set_running_or_notify_cancel()  # from now on it cannot be cancelled
        started: list[Future[None]] = []

        async def finish(promise: Awaitable[Any]) -> None:
            with _failures_into(heard):
                _set(heard, _read(question, await promise))

        def call() -> None:
            with _failures_into(heard):
                said = self._function(question)
                if isawaitable(said):
                    started.append(self._coroutines.start(finish(said)))
                else:
                    _set(heard, _read(question, said))

        threading.Thread(target=call, daemon=True).start()
        waiting = asyncio.wrap_future(heard)
        try:
            await asyncio.wait([waiting], timeout=self._timeout)
        finally:
            waiting.cancel()
            for each in started:
                each.cancel()
        if not heard.done():  # what came in time counts, however late the loop looks at it
            raise JudgeFailed(f"gave no answer in {self._timeout:g} s")
        if isinstance(outcome := heard.result(), BaseException):
            raise outcome
        return outcome

    async def end(self, *signals: str) -> None:
        """Calls end by themselves, and nobody waits for threads."""


def _set(heard: Future[Any], said: Any) -> None:
    """Keep what was said first."""
    with suppress(InvalidStateError):
        heard.set_result(said)


def _read(question: Question, said: Any) -> Outcome | None:
    """The outcome that a function returned."""
    try:
        return read_outcome(question, said)
    except InputError as error:
        raise JudgeFailed(f"returned what is no outcome: {error}") from None


@contextmanager
def _failures_into(heard: Future[Any]) -> Iterator[None]:
    """Make a failure of whatever is raised, except what is to end the run."""
    try:
        yield
    except (JudgeFailed, KeyboardInterrupt, SystemExit) as error:
        _set(heard, error)
    except BaseException as error:
        try:
            said = f"{type(error).__name__}: {error}"
        except BaseException:
            said = "what cannot be printed"
        failure = JudgeFailed(f"raised {said}")
        failure.__cause__ = error
        _set(heard, failure)


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
            runner.run(self._ended.wait())


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
        self._command, self._timeout, self._content, self._guard = command, timeout, content, guard
        self._program: _Program | None = None

    async def outcome(self, question: Question) -> Outcome | None:
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


class _Guard:
    """Kills programs, and all they have started, when the pipe from this process closes."""

    _SCRIPT = "while read -r line; do groups=$line; done; kill -s KILL -- $groups"

    def __init__(self) -> None:
        self._programs: list[_Program] = []
        self._other: subprocess.Popen[bytes] | None = None

    def add(self, program: _Program) -> None:
        """Watch over a program."""
        self._programs.append(program)
        if self._other is None and hasattr(os, "killpg"):
            self._other = subprocess.Popen(
                ["/bin/sh", "-c", self._SCRIPT],
                stdin=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
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
            groups = " ".join(f"-{program.group}" for program in self._programs)
            with suppress(BrokenPipeError):  # somebody has ended it
                self._other.stdin.write(f"{groups}\n".encode())


class _Program:
    """A process that leads a group of its own: Ctrl-C spares it, and its children end with it."""

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        protocol: asyncio.subprocess.SubprocessStreamProtocol,
    ) -> None:
        self.answered = 0  # how many lines it has given
        self._transport = transport
        self._input = cast("asyncio.StreamWriter", protocol.stdin)
        self._output = cast("asyncio.StreamReader", protocol.stdout)
        self._errors = b""
        listening = self._listen(cast("asyncio.StreamReader", protocol.stderr))
        self._listening = asyncio.create_task(listening)

    @classmethod
    async def start(cls, command: Sequence[str]) -> _Program:
        """Start a program; :class:`InputError` if there is none, or it cannot be started."""
        loop = asyncio.get_running_loop()
        try:
            transport, protocol = await loop.subprocess_exec(
                lambda: asyncio.subprocess.SubprocessStreamProtocol(LONGEST_LINE, loop),
                *command,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = os_reason(error) if isinstance(error, OSError) else str(error)
            raise InputError(f"cannot start {command[0]!r}: {reason}") from None
        return cls(transport, protocol)

    @property
    def group(self) -> int:
        """The number of the process, and of the group that it leads."""
        return self._transport.get_pid()

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self._transport.get_returncode() is not None

    async def ask(self, line: bytes, timeout: float) -> bytes:
        """Send a line, and wait for one; what came in time counts, however busy the loop was."""
        self._input.write(line)
        reading = asyncio.create_task(self._output.readuntil())
        try:
            for seconds in (timeout, _READING):
                await asyncio.wait([reading], timeout=seconds)
            if not reading.done():
                raise JudgeFailed(f"gave no answer in {timeout:g} s{self._saying()}")
            answer = await reading
        except asyncio.LimitOverrunError:
            what = f"wrote a line of more than {LONGEST_LINE:,} bytes"
            raise JudgeFailed(f"{what}: {_shown(await self._output.read(80))}") from None
        except asyncio.IncompleteReadError as rest:
            if rest.partial:
                what = f"ended in the middle of a line: {_shown(rest.partial[:80])}"
                raise JudgeFailed(what) from None
            await self._wait(GRACE)
            await asyncio.wait([self._listening], timeout=0.2)
            status = self._transport.get_returncode()
            how = f"ended with status {status}"
            if status is None:
                how = "closed its output"
            elif status < 0:
                how = f"was ended by signal {-status}"
            raise JudgeFailed(f"{how}{self._saying()}", ended_well=status == 0) from None
        finally:
            reading.cancel()
        self.answered += 1
        return answer[:-1]

    async def end(self, *signals: str) -> None:
        """Close its input, send one signal after another until it has ended, and let go of it."""
        self._input.close()
        for name in signals:
            if not self.ended and name:
                _send(self.group, name)
            await self._wait(GRACE)
        self._listening.cancel()
        self._transport.close()

    async def _wait(self, seconds: float) -> None:
        """Wait until it has ended, whoever else has its pipes."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.ended:
                    await asyncio.sleep(0.005)

    async def _listen(self, errors: asyncio.StreamReader) -> None:
        while part := await errors.read(1 << 16):
            self._errors = (self._errors + part)[-_KEPT:]

    def _saying(self) -> str:
        """The last line on its standard error."""
        said = self._errors.decode("utf-8", "replace").strip().splitlines()
        return f", saying {said[-1][-300:]!r}" if said else ""


def _shown(line: bytes) -> str:
    return repr(line[:200].decode("utf-8", "replace").rstrip("\r\n"))


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


def read_answer(question: Question, line: bytes) -> Outcome | None:
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
