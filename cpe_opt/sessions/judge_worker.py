"""A thread that keeps a program running, and asks it one question at a time.

A program whose answer cannot be used is ended, and started again for the next question: after a
pause that doubles with every failure in a row. One that just ends, with the status 0, after it has
answered something is started again at once, and asked what it was to be asked: so a program may
answer a single question and end.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from cpe_opt.sessions.judge_lines import read_answer
from cpe_opt.sessions.judge_process import GRACE, JudgeFailed, JudgeProcess
from cpe_opt.sessions.questions import Question

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
