"""Solvers in a process of their own: their crashes, hangs, prints and memory stay there.

:class:`InChild` is a backend whose solves are calls of another backend in such a process, which
imports the solver once and is kept for the next solve; where threads solve at once, each has one.
Calls and answers are pickled, one after the other, through its standard input and output. What
:meth:`InChild.open` returns starts every solve from scratch.

A solve may end without an answer:

- The time limit is over: the solver has a second and a tenth of the limit more to say so itself.
  Then its process is killed, and the status is a time limit.
- The process, with all that it has started, holds more memory than the limit: killed, another
  limit.
- The process crashes, or somebody kills it: an error, with the last words that it printed.
- Ctrl-C: the process is killed, and ``KeyboardInterrupt`` is raised.

The next solve has another process. A process ends with the one that has started it, however that
one ends; a forked one starts its own.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import math
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import weakref
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from cpe_opt.errors import CpeOptError, SolverFailed
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import Status
from cpe_opt.processes import end_with_parent
from cpe_opt.solvers.base import Backend, RawSolution, SolverSettings

_GRACE = 1.0  # seconds over a time limit
_LOOK = 0.05  # seconds between two looks at the memory, and for Ctrl-C on some systems
_START = 120.0  # seconds for a process to start and to import its solver
_LAST_WORDS = 600  # characters


class InChild(Backend):
    """A backend whose solves run in a process of their own, which finds it by ``solver_name``."""

    def __init__(self, backend: Backend, solver_name: str) -> None:
        for declared in Backend.__annotations__.keys() - {"incremental"}:
            setattr(self, declared, getattr(backend, declared))
        self._backend, self._solver_name = backend, solver_name

    def version(self) -> str:
        """The version of the package that holds it."""
        return self._backend.version()

    def solve(
        self, program: LinearProgram | QuadraticProgram, settings: SolverSettings
    ) -> RawSolution:
        """Solve a program from scratch. A log that is asked for is printed after the solve."""
        return self._solved("solve", program, settings)

    def solve_conic(self, program: ConicProgram, settings: SolverSettings) -> RawSolution:
        """Solve a cone program, whose variables keep the values that they have."""
        return self._solved("solve_conic", program, settings)

    def _solved(self, method: str, program: Any, settings: SolverSettings) -> RawSolution:
        """What a method of the backend returns; starting a process takes none of the time limit."""
        try:
            call = pickle.dumps((method, program, settings))
        except Exception as error:  # objects of users may fail by anything
            words = f"{program.name!r} cannot be sent to the process of {self.name}: {error}"
            raise CpeOptError(words) from error
        idle = _IDLE[os.getpid(), self._solver_name]
        process = _popped(idle) or _SolverProcess(self._solver_name, self.name)
        try:
            answer = process.answer(call, settings)
        except _Ended as ended:
            return RawSolution(ended.status, message=str(ended))
        idle.append(process)
        raw: RawSolution = _value(answer)
        return raw


def end_workers() -> None:
    """End the processes that wait for a solve; the next solve starts another."""
    for (owner, _), idle in list(_IDLE.items()):
        while owner == os.getpid() and (process := _popped(idle)):
            process.end()


class _Ended(Exception):
    """The process of a solver has ended before it answered."""

    def __init__(self, status: Status, message: str) -> None:
        super().__init__(message)
        self.status = status


class _SolverProcess:
    """A process that has imported a solver, for one call at a time."""

    def __init__(self, solver_name: str, name: str) -> None:
        self._name, self._answer = name, b""
        self._exchange: threading.Thread | None = None
        self._printed = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        weakref.finalize(self, self._printed.close)
        code = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from {__name__} import serve; "
            "from cpe_opt.solvers.registry import get_backend; "
            f"serve(get_backend, {solver_name!r}, {os.getpid()})"
        )
        self._popen = psutil.Popen(
            [sys.executable, "-u", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._printed,
        )
        try:
            _value(self.answer(pickle.dumps(("load",)), SolverSettings(_START)))
        except _Ended as ended:
            raise SolverFailed(str(ended)) from None
        except CpeOptError:
            self.end()
            raise

    @property
    def runs(self) -> bool:
        """Whether it has not ended yet."""
        return self._popen.poll() is None

    def answer(self, call: bytes, settings: SolverSettings) -> bytes:
        """The pickled answer to a pickled call; where there is none, the process is ended."""
        try:
            self._printed.seek(0)  # the process has the same file, and writes there, too
            self._printed.truncate()
            self._answer = b""
            self._exchange = threading.Thread(target=self._exchanged, args=(call,), daemon=True)
            self._exchange.start()
            return self._awaited(self._exchange, settings)
        except BaseException:
            self.end()
            raise
        finally:
            if settings.log:
                print(self._text(), end="", flush=True)

    def end(self) -> None:
        """End it with all that it has started."""
        for each in self._tree():
            with contextlib.suppress(psutil.Error):
                each.kill()
        self._popen.wait()
        if self._exchange is not None:
            self._exchange.join(_GRACE)
            if self._exchange.is_alive():  # somebody else holds the pipes
                return
        for pipe in (self._popen.stdin, self._popen.stdout):
            with contextlib.suppress(OSError):
                pipe.close()

    def _exchanged(self, call: bytes) -> None:
        with contextlib.suppress(Exception):  # a pipe is closed, maybe within an answer
            pickle.dump(call, self._popen.stdin)
            self._popen.stdin.flush()
            self._answer = pickle.load(self._popen.stdout)

    def _awaited(self, exchange: threading.Thread, settings: SolverSettings) -> bytes:
        """The answer, once it is there."""
        limit, most = settings.time_limit, settings.memory_limit
        deadline = math.inf if limit is None else time.monotonic() + 1.1 * limit + _GRACE
        while exchange.is_alive() and self.runs:
            exchange.join(_LOOK)
            if time.monotonic() > deadline:
                words = f"{self._name} did not return within its time limit of {limit:.3g} s"
                raise _Ended(Status.TIME_LIMIT, f"{words}, and its process was ended")
            if most is not None and (held := self._memory() / 1e6) > most:
                words = f"{self._name} held {held:,.0f} MB, its memory limit is {most:,.0f} MB"
                raise _Ended(Status.OTHER_LIMIT, f"{words}, and its process was ended")
        exchange.join(_GRACE)
        if not self._answer:
            raise _Ended(Status.ERROR, f"the process of {self._name} ended {self._epitaph()}")
        return self._answer

    def _epitaph(self) -> str:
        """How it has ended, and its last words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(_GRACE)
        code = self._popen.returncode
        names = {-each.value: f"by the signal {each.name}" for each in signal.Signals}
        how = names.get(code, f"with code {code}")
        words = self._text().strip()[-_LAST_WORDS:]
        return f"{how}; its last words: {words}" if words else f"{how}, without a word"

    def _text(self) -> str:
        """What it has printed since the call began."""
        self._printed.seek(0)
        return self._printed.read().decode("utf-8", "replace")

    def _memory(self) -> int:
        held = 0
        for each in self._tree():
            with contextlib.suppress(psutil.Error):
                held += each.memory_info().rss
        return held

    def _tree(self) -> list[Any]:
        """It and what it has started; nothing if it has ended."""
        with contextlib.suppress(psutil.Error):
            return [self._popen, *self._popen.children(recursive=True)]
        return []


# Those that wait, by the process that has started them and the solver that they have imported.
_IDLE: defaultdict[tuple[int, str], list[_SolverProcess]] = defaultdict(list)
atexit.register(end_workers)


def _popped(idle: list[_SolverProcess]) -> _SolverProcess | None:
    """One that waits, and runs, taken from the list; None if there is none."""
    while idle:
        with contextlib.suppress(IndexError):  # another thread has taken it
            if (process := idle.pop()).runs:
                return process
            process.end()
    return None


def _value(answer: bytes) -> Any:
    """What a call has returned; raises what it has raised."""
    fine, value = pickle.loads(answer)
    if fine:
        return value
    raise value


def serve(get_backend: Callable[[str], Backend], solver_name: str, parent: int) -> None:
    """Answer calls until there are no more: the life of a solver's process."""
    end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that calls ends this one if need be
    calls, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    library = ctypes.CDLL(None if os.name == "posix" else "ucrtbase")
    while True:
        try:
            call = pickle.load(calls)
        except EOFError:
            os._exit(0)  # whatever threads a solver has left
        answer = _answered(get_backend, solver_name, call)
        library.fflush(None)
        pickle.dump(answer, answers)
        answers.flush()


def _answered(get_backend: Callable[[str], Backend], solver_name: str, call: bytes) -> bytes:
    """The answer to a call: its value, or an error of ours, which has the words of another's."""
    try:
        backend = get_backend(solver_name)  # again, as a script may have changed
        method, *given = pickle.loads(call)
        if method == "load":
            return pickle.dumps((True, backend.load() and None))
        if method == "solve_conic":
            _number_after(given[0].problem)
        return pickle.dumps((True, getattr(backend, method)(*given)))
    except Exception as error:
        said = error
        if not type(error).__module__.startswith("cpe_opt."):
            said = CpeOptError(f"{type(error).__name__}: {error}")
            said.add_note(f"In the process of the solver:\n{traceback.format_exc()}")
        return pickle.dumps((False, said))


def _number_after(problem: Any) -> None:
    """Make CVXPY number what it makes here after what a problem brings with its numbers."""
    from cvxpy.lin_ops import lin_utils

    duals = [dual for each in problem.constraints for dual in each.dual_variables]
    brought = (*problem.variables(), *problem.parameters(), *problem.constraints, *duals)
    counts = (lin_utils.ID_COUNTER.count, *(each.id + 1 for each in brought))
    lin_utils.ID_COUNTER.count = max(counts)
