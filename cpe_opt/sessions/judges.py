"""Programs that answer a session's questions, several at once.

Each program runs in a process that is kept for many questions; what is said to it and what it says
is in :mod:`cpe_opt.sessions.judges`. An asking may fail: no answer in time, the program ends,
or what it writes cannot be read. Nothing of that is ever an answer. The process is ended, because
what it writes next might belong to what it was asked before; the question is asked anew, of a new
process. When that has failed ``retries`` times it is put back, as skipped, and not asked again in
this run. A program may also skip a question; then it is asked again after all others, as often.

**Budget.** What answers cost that count, those from before included, and what the questions cost
that programs have, is never more than the budget: a question that would exceed it is not asked.

Questions are taken from the session, and answers told to it, by the thread that calls
:func:`run_judges` alone; a thread a process does the waiting.
"""

from __future__ import annotations

import json
import math
import os
import queue
import shlex
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, Literal

from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.files import os_reason
from cpe_opt.sessions.content import Item
from cpe_opt.sessions.questions import Question, checked_rater, read_outcome
from cpe_opt.sessions.session import Session
from cpe_opt.validation import checked_count, checked_finite, checked_number


def run_judges(
    session: Session,
    command: str | Sequence[str],
    *,
    parallel: int = 1,
    timeout: float = 60.0,
    retries: int = 2,
    budget: float | None = None,
    rater: str | None = None,
    content: Mapping[str, Item] | None = None,
    stop: threading.Event | None = None,
    on_event: Callable[[JudgeEvent], None] | None = None,
) -> JudgesReport:
    """Let programs answer until the learner has finished or the budget is used up.

    Parameters
    ----------
    session : Session
    command : str or sequence of str
        The program and its arguments; a text is split as a shell would, and no shell reads it.
    parallel : int
        At most so many processes, each with one question at a time. More than one has something to
        do only where the learner asks several questions at once.
    timeout : float
        Seconds for an answer, the start of the program included.
    retries : int
        How often a question is asked anew.
    budget : float, optional
        In the unit of the session's prices, or answers where it has none.
    rater : str, optional
        Under which name answers are noted.
    content : mapping from str to Item, optional
        What is shown of each label; see :func:`cpe_opt.sessions.content.read_content`.
    stop : Event, optional
        When it is set, programs are ended, and the function returns.
    on_event : callable, optional
        Told of everything that happens.

    Returns
    -------
    JudgesReport

    Raises
    ------
    InputError
        Where the program cannot be started.
    JudgeFailed
        Where it fails time and again, with the last failure; answers from before stay.
    WriteFailed
        Where answers cannot be written.
    """
    if budget is not None:
        checked_finite("budget", budget, least=0.0)
    checked_number("timeout", timeout, above=0.0)
    program = _arguments(command)
    results: queue.SimpleQueue[Result] = queue.SimpleQueue()
    judges = Dispatcher(
        session,
        [Worker(program, timeout, results) for _ in range(checked_count("parallel", parallel))],
        results,
        retries=checked_count("retries", retries, least=0),
        budget=math.inf if budget is None else budget,
        rater=checked_rater(rater),
        content=content,
        on_event=on_event or _ignore,
    )
    return judges.run(threading.Event() if stop is None else stop)


def _arguments(command: str | Sequence[str]) -> list[str]:
    """The program and its arguments."""
    parts: Sequence[str] = ()
    if not isinstance(command, str):
        parts = command
    else:
        try:
            parts = shlex.split(command, posix=os.name == "posix")
        except ValueError as error:
            raise InputError(f"the command {command!r} cannot be read: {error}") from None
    if not parts or not all(isinstance(part, str) for part in parts):
        raise InputError(f"the command is {command!r}, expected a program and its arguments")
    return list(parts)


def _ignore(event: JudgeEvent) -> None:
    pass


# Which program is asked what, and what becomes of it; see :mod:`cpe_opt.sessions.judges`.


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


# A thread that keeps a program running, and asks it one question at a time.
#
# A program whose answer cannot be used is ended, and started again for the next question: after a
# pause that doubles with every failure in a row. One that just ends, with the status 0, after it
# has answered something is started again at once, and asked what it was to be asked: so a program
# may answer a single question and end.


PAUSE, LONGEST = 0.1, 10.0
"""Seconds before a program is started again after its first failure, and at most."""


@dataclass(frozen=True)
class Result:
    """What became of a question.

    Attributes
    ----------
    worker : Worker
        Which is free again.
    question : Question
    outcome : float, None or Exception
        None for a skip; :class:`JudgeFailed` where there is no answer.
    """

    worker: Worker
    question: Question
    outcome: float | Exception | None


class Worker:
    """One program at a time, with one question at a time.

    Parameters
    ----------
    command : sequence of str
    timeout : float
        Seconds for an answer.
    results : SimpleQueue of Result
        Where outcomes are put.
    """

    def __init__(
        self, command: Sequence[str], timeout: float, results: queue.SimpleQueue[Result]
    ) -> None:
        self._command, self._timeout, self._results = command, timeout, results
        self._tasks: queue.SimpleQueue[tuple[Question, bytes] | None] = queue.SimpleQueue()
        self._process: JudgeProcess | None = None
        self._lock = threading.Lock()
        self._hurry = threading.Event()
        self._failures = 0
        self._thread: threading.Thread | None = None

    def ask(self, question: Question, line: bytes) -> None:
        """Begin to ask a question."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        self._tasks.put((question, line))

    def end(self, *, patient: bool) -> None:
        """Begin to end the program; if not patient, whatever it does just now."""
        if not patient:
            with self._lock:
                self._hurry.set()
                if self._process is not None:
                    self._process.wake()
        self._tasks.put(None)

    def join(self) -> None:
        """Wait until the program has ended."""
        if self._thread is not None:
            self._thread.join(5.0 * GRACE)

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            question, line = task
            outcome: float | Exception | None
            try:
                outcome = self._outcome(question, line)
            except Exception as error:  # for the thread that waits for it
                outcome = error
            self._results.put(Result(self, question, outcome))
        if self._process is not None:
            self._process.stop(patient=not self._hurry.is_set())

    def _outcome(self, question: Question, line: bytes) -> float | None:
        if self._failures:
            self._hurry.wait(min(PAUSE * 2.0 ** (self._failures - 1), LONGEST))
        while True:
            process = self._ready()
            used = process.answered > 0
            try:
                outcome = read_answer(question, process.exchange(line, self._timeout))
            except JudgeFailed as failure:
                if self._hurry.is_set():
                    raise
                process.kill()
                if failure.ended_well and used:
                    continue
                self._failures += 1
                raise
            self._failures = 0
            return outcome

    def _ready(self) -> JudgeProcess:
        """A program that runs."""
        with self._lock:
            if self._hurry.is_set():
                raise JudgeFailed("was stopped")
            if self._process is None or self._process.ended:
                if self._process is not None:
                    self._process.kill()
                self._process = JudgeProcess(self._command)
            return self._process


# A program that answers questions, in a process of its own: lines out, lines in.
#
# Three threads stand between: one writes, one reads lines, one reads what the program says on its
# standard error, of which the end is kept. So no full pipe stops anything, whatever the program
# does with its ends; and what is waited for is a queue, with a limit of time.
#
# A process leads a group of its own (where the system has these), so that Ctrl-C at the terminal is
# not sent to it, and whatever it has started dies with it when it is killed.


MOST = 1 << 20
"""Bytes of a line that a program may write."""
GRACE = 2.0
"""Seconds that a program has to end, before it is told more firmly."""
_STDERR = 2000
_WAITING = 8  # lines that were read and not yet asked for


class JudgeFailed(CpeOptError):
    """A program gave no answer that can be used.

    Attributes
    ----------
    ended_well : bool
        Whether it just ended, with the status 0.
    """

    def __init__(self, reason: str, *, ended_well: bool = False) -> None:
        super().__init__(reason)
        self.ended_well = ended_well


class _Broken:
    """In place of a line: why there is none."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


class JudgeProcess:
    """A program that runs.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments; no shell reads them.

    Attributes
    ----------
    answered : int
        How many lines it has given.

    Raises
    ------
    InputError
        Where there is no such program, or it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = os_reason(error) if isinstance(error, OSError) else str(error)
            raise InputError(f"cannot start {command[0]!r}: {reason}") from None
        self.answered = 0
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._incoming: queue.Queue[bytes | _Broken] = queue.Queue(_WAITING)
        self._over = threading.Event()
        self._stderr = bytearray()
        self._threads = [
            threading.Thread(target=self._write, args=(self._process.stdin,), daemon=True),
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._drain, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def exchange(self, line: bytes, timeout: float) -> bytes:
        """Send a line, and wait for one.

        Raises
        ------
        JudgeFailed
            Where none comes in time, or the program ends, or the line is too long.
        """
        self._outgoing.put(line)
        try:
            got = self._incoming.get(timeout=timeout)
        except queue.Empty:
            raise JudgeFailed(f"gave no answer in {timeout:g} s{self._saying()}") from None
        if isinstance(got, bytes):
            self.answered += 1
            return got
        if got.reason:
            raise JudgeFailed(got.reason)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        raise JudgeFailed(self._ending(), ended_well=self._process.returncode == 0)

    def stop(self, *, patient: bool) -> None:
        """End the program: by the end of its input where there is time, by signals where not."""
        self._outgoing.put(None)
        if not (patient and self._gone(GRACE)):
            self._signal("SIGTERM")
            if not self._gone(GRACE):
                self.kill()
        self._let_go()

    def kill(self) -> None:
        """End the program at once, and all that it has started."""
        self._signal("SIGKILL")
        self._outgoing.put(None)
        self._gone(GRACE)
        self._let_go()

    def wake(self) -> None:
        """Let go whoever waits for a line: there will be none."""
        with suppress(queue.Empty):
            while True:
                self._incoming.get_nowait()
        with suppress(queue.Full):
            self._incoming.put_nowait(_Broken("was stopped"))

    def _gone(self, seconds: float) -> bool:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self.ended

    def _signal(self, name: str) -> None:
        if self.ended:
            return
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, getattr(signal, name))
            else:
                self._process.terminate()

    def _let_go(self) -> None:
        """Free whoever waits for a line, and the thread that has one to give."""
        self._over.set()
        self.wake()

    def _ending(self) -> str:
        """How it ended, with the last line that it said."""
        status = self._process.returncode
        if status is None:
            how = "closed its output"
        elif status < 0:
            how = f"was ended by signal {-status}"
        else:
            how = f"ended with status {status}"
        self._threads[2].join(0.2)  # what it says last
        return f"{how}{self._saying()}"

    def _saying(self) -> str:
        """The last line on its standard error."""
        said = bytes(self._stderr).decode("utf-8", "replace").strip().splitlines()
        return f", saying {said[-1][-300:]!r}" if said else ""

    def _write(self, pipe: IO[bytes]) -> None:
        with suppress(OSError):
            while (line := self._outgoing.get()) is not None:
                pipe.write(line)
                pipe.flush()
        with suppress(OSError):
            pipe.close()

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            while not self._over.is_set():
                line = pipe.readline(MOST + 1)
                if line.endswith(b"\n"):
                    self._incoming.put(line)
                    continue
                reason = ""
                if len(line) > MOST:
                    reason = f"wrote a line of more than {MOST:,} bytes: {_start(line)!r}"
                elif line:
                    reason = f"ended in the middle of a line: {_start(line)!r}"
                self._incoming.put(_Broken(reason))
                return

    def _drain(self, pipe: IO[bytes]) -> None:
        with pipe:
            while part := pipe.read1(1 << 16):  # type: ignore[attr-defined]
                self._stderr += part
                del self._stderr[:-_STDERR]


def _start(line: bytes) -> str:
    """The start of a line, for messages."""
    return line[:80].decode("utf-8", "replace").rstrip()


# What is said to programs that judge, and what they say: one line of JSON each.
#
# A question::
#
#     {"id": "0-3.7", "kind": "duel", "labels": ["tuna", "squid"], "about": ""}
#
# ``labels`` stand in the order in which the two are to be shown, which the session has drawn;
# ``about`` is the position that candidates are compared for. Of a pull (``"kind": "pull"``) or a
# set (``"set"``) ``labels`` are what is pulled. With content there is also ``"content"``, an object
# for each label with ``"text"``, ``"image"`` or both.
#
# An answer, on a line of its own, with the same id::
#
#     {"id": "0-3.7", "outcome": 1}
#
# The outcome of a duel is 1 where the first won, 0 where the second did, 0.5 for a tie; or a text:
# ``"first"``, ``"second"``, ``"tie"``, ``"skip"``, or the label of the one that won; of a pull or a
# set, a number. Other keys are not read. Standard output is for answers alone, and is to be flushed
# after each; whatever else a program has to say belongs on standard error.


def question_line(question: Question, content: Mapping[str, Item] | None = None) -> bytes:
    """The line that asks a question."""
    said: dict[str, Any] = question.as_dict()
    if content is not None:
        said["content"] = [_shown(content.get(label, Item())) for label in question.labels]
    return json.dumps(said, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def read_answer(question: Question, line: bytes) -> float | None:
    """The outcome that a line says; None for a skip.

    Raises
    ------
    JudgeFailed
        With the line, where it is no answer to this question.
    """
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
    return {name: value for name, value in (("text", item.text), ("image", item.image)) if value}
