"""Programs that answer a session's questions, several at once.

Each program runs in a process that is kept for many questions; what is said to it and what it says
is in :mod:`cpe_opt.sessions.judge_lines`. An asking may fail: no answer in time, the program ends,
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

import math
import os
import queue
import shlex
import threading
from collections.abc import Callable, Mapping, Sequence

from cpe_opt.errors import InputError
from cpe_opt.sessions.content import Item
from cpe_opt.sessions.judge_dispatch import Dispatcher, JudgeEvent, JudgesReport
from cpe_opt.sessions.judge_worker import Result, Worker
from cpe_opt.sessions.questions import checked_rater
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
