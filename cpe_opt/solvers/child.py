"""Solvers in a process of their own: their crashes, hangs, prints and memory stay there.

:class:`InChild` is a backend whose solves are calls of another backend in such a process, which
imports the solver once and is kept for the next solve; where threads solve at once, each has one.
Calls and answers are pickled, one after the other, through its standard input and output.

A process that is over its time limit (by a second and a tenth of the limit), or holds more memory
than its limit, is killed with all that it has started; so is one at Ctrl-C. One that crashes leaves
its last words. The next solve has another process. A process ends with the one that has started it,
however that one ends; a forked one starts its own.
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
import weakref
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import psutil

from cpe_opt.errors import CpeOptError, SolverFailed
from cpe_opt.modelling.conic import ConicProgram
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
        self._solver_name = solver_name

    def solve(self, program: Any, settings: SolverSettings) -> RawSolution:
        """Solve any program from scratch; a log is printed after the solve.

        Starting a process takes none of the time limit.
        """
        try:
            call = pickle.dumps((program, settings))
        except Exception as error:  # objects of users may fail by anything
            words = f"{program.name!r} cannot be sent to the process of {self.name}: {error}"
            raise CpeOptError(words) from error
        idle = _IDLE[os.getpid(), self._solver_name]
        process = _popped(idle) or _SolverProcess(self._solver_name, self.name)
        try:
            answer = process.answer(call, settings)
        except _Ended as ended:
            status, words = ended.args
            return RawSolution(status, message=words)
        idle.append(process)
        raw: RawSolution = _value(answer)
        return raw

    def solve_conic(self, program: ConicProgram, settings: SolverSettings) -> RawSolution:
        """Solve a cone program, whose variables keep the values that they have."""
        return self.solve(program, settings)


def end_workers() -> None:
    """End the processes that wait for a solve; the next solve starts another."""
    for (owner, _), idle in list(_IDLE.items()):
        while owner == os.getpid() and (process := _popped(idle)):
            process.end()


class _Ended(Exception):
    """The process of a solver has ended before it answered: the status, and why in words."""


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
            _value(self.answer(pickle.dumps(None), SolverSettings(_START)))
        except _Ended as ended:
            raise SolverFailed(ended.args[1]) from None
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
            self._exchange = threading.Thread(target=self._exchanges, args=(call,), daemon=True)
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

    def _exchanges(self, call: bytes) -> None:
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
                words = f"{self._name} was ended: it did not return within {limit:.3g} s"
                raise _Ended(Status.TIME_LIMIT, words)
            if most is not None and (held := self._megabytes()) > most:
                words = f"{self._name} was ended: it held {held:,.0f} MB, its limit is {most:,.0f}"
                raise _Ended(Status.OTHER_LIMIT, words)
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
        return f"{how}; its last words: {self._text().strip()[-_LAST_WORDS:] or 'none'}"

    def _text(self) -> str:
        """What it has printed since the call began."""
        self._printed.seek(0)
        return self._printed.read().decode("utf-8", "replace")

    def _megabytes(self) -> float:
        """What it and what it has started hold; 0 where one of them ends meanwhile."""
        with contextlib.suppress(psutil.Error):
            return float(sum(each.memory_info().rss for each in self._tree())) / 1e6
        return 0.0

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
    value = pickle.loads(answer)
    if isinstance(value, Exception):
        raise value
    return value


def serve(get_backend: Callable[[str], Backend], solver_name: str, parent: int) -> None:
    """Answer calls until there are no more: the life of a solver's process."""
    end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that calls ends this one if need be
    calls, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
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
        if (given := pickle.loads(call)) is None:
            backend.load()
            return pickle.dumps(None)
        program, settings = given
        if program.kind != "conic":
            return pickle.dumps(backend.solve(program, settings))
        _number_after(program.problem)
        return pickle.dumps(backend.solve_conic(program, settings))
    except Exception as error:
        is_ours = type(error).__module__.startswith("cpe_opt.")
        return pickle.dumps(error if is_ours else CpeOptError(f"{type(error).__name__}: {error}"))


def _number_after(problem: Any) -> None:
    """Make CVXPY number what it makes here after what a problem brings with its numbers."""
    from cvxpy.lin_ops import lin_utils

    duals = [dual for each in problem.constraints for dual in each.dual_variables]
    brought = (*problem.variables(), *problem.parameters(), *problem.constraints, *duals)
    counts = (lin_utils.ID_COUNTER.count, *(each.id + 1 for each in brought))
    lin_utils.ID_COUNTER.count = max(counts)
