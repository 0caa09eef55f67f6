"""Solvers in a process of their own: their crashes, hangs, prints and memory stay there.

:class:`InChild` is a backend that hands its work to a :class:`Worker`: one process for each solver,
started when it is first needed and kept. Programs and answers go through its pipes as pickled
messages, whose arrays follow as they are in memory, and what comes back is verified here like the
answer of any solver.

What a solve may end with besides an answer:

- The time limit is over: the solver is given ``_GRACE`` seconds and a tenth of the limit more to
  say so itself; then its process is killed, and the status is a time limit.
- Its memory, with all that it started, goes over the limit: killed, another limit. The memory is
  looked at every ``_LOOK`` seconds.
- The process ends by itself or by somebody else: an error, with the last words it wrote.
- This process is interrupted (Ctrl-C): killed, as what it is doing is not wanted any more.

The next solve starts another process; so does one that the process did not live to begin. Kept
programs (:class:`KeptInChild`) remember what they were told, and are told again to the new one.

The process ends when the pipe that it is asked through is closed, and with this process, however
that ends.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
import time
import traceback
import weakref
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy.typing as npt
import psutil

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import CpeOptError, SolverFailed
from cpe_opt.modelling.program import LinearProgram, RowBlock
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import Status
from cpe_opt.processes import end_with_parent
from cpe_opt.solvers.base import Backend, ColdStart, RawSolution, Reoptimiser, SolverSettings

_GRACE = 1.0  # seconds over a time limit
_LOOK = 0.05  # seconds between two looks at the memory
_TURN = 0.5  # seconds, the longest wait that Ctrl-C has to wait for on every system
_START = 120.0  # seconds for a process to start and to import its solver
_LAST_WORDS = 600  # characters
_FOLDED = 256  # changes of a kept program that are remembered one by one
_SIZE = struct.Struct("<Q")
_END_OF_LOG = b"\0"
_Message = list[bytes | bytearray | memoryview]
_BEGUN: _Message = []  # the first answer to every question


class ProcessEnded(Exception):
    """The process of a solver has ended, or was ended, before it answered."""

    def __init__(self, status: Status, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message

    @property
    def raw(self) -> RawSolution:
        """The outcome of the solve that it was to answer."""
        return RawSolution(self.status, message=self.message)


class NotBegun(ProcessEnded):
    """It had ended before it heard the question: another process may be asked."""


class _Process:
    """One running process: its pipes, the answers that wait, and the last it wrote."""

    def __init__(self, solver: str, folder: Path | None) -> None:
        if not sys.executable:
            raise CpeOptError(
                f"solver {solver!r} cannot run in a process of its own: this Python does not know "
                "its own program (sys.executable is empty)"
            )
        path = sys.path if folder is None else [str(folder), *sys.path]
        code = (
            f"import sys; sys.path[:] = {path!r}; "
            "from cpe_opt.solvers.child import serve_solves; "
            "from cpe_opt.solvers.registry import get_backend; "
            f"serve_solves(get_backend, {os.getpid()})"
        )
        self._popen = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self.answers: queue.SimpleQueue[_Message | None] = queue.SimpleQueue()
        self.heard_log = threading.Event()
        self.echo = False
        self._words: deque[str] = deque(maxlen=_LAST_WORDS)
        self._readers = [
            threading.Thread(target=read, daemon=True) for read in (self._listen, self._hear)
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        """Its number in this system."""
        return self._popen.pid

    @property
    def runs(self) -> bool:
        """Whether it has not ended yet."""
        return self._popen.poll() is None

    def send(self, message: _Message) -> None:
        """Write a message; raises ``OSError`` where the process has ended."""
        _write(self._popen.stdin, message)

    def memory(self) -> int:
        """Bytes that it and what it started hold."""
        total = 0
        with contextlib.suppress(psutil.Error):
            top = psutil.Process(self.pid)
            for each in (top, *top.children(recursive=True)):
                with contextlib.suppress(psutil.Error):
                    total += each.memory_info().rss
        return total

    def end(self, patience: float = 0.0) -> None:
        """End it with what it started, and take its pipes down."""
        if patience:
            self._popen.stdin.close()  # type: ignore[union-attr]
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(patience)
        started: list[psutil.Process] = []
        if self.runs:
            with contextlib.suppress(psutil.Error):
                started = psutil.Process(self.pid).children(recursive=True)
            self._popen.kill()
        self._popen.wait()
        for each in started:
            with contextlib.suppress(psutil.Error):
                each.kill()
        for reader in self._readers:
            reader.join(_GRACE)
        self.let_go()

    def let_go(self) -> None:
        """Close the pipes of this side."""
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            with contextlib.suppress(OSError, AttributeError):
                pipe.close()  # type: ignore[union-attr]

    def epitaph(self) -> str:
        """How it ended, and its last words; it has ended."""
        self._popen.wait()
        for reader in self._readers:
            reader.join(_GRACE)
        code = self._popen.returncode
        try:
            how = f"by the signal {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
        except ValueError:
            how = f"by the signal {-code}"
        words = "".join(self._words).strip()
        return f"{how}; its last words: {words}" if words else f"{how}, without a word"

    def _listen(self) -> None:
        """Take answers off the pipe until it is closed."""
        while (message := _read(self._popen.stdout)) is not None:
            self.answers.put(message)
        self.answers.put(None)

    def _hear(self) -> None:
        """Keep the last of what it prints, and print it here where a log is wanted."""
        with contextlib.suppress(OSError, ValueError):
            while chunk := self._popen.stderr.read(1 << 16):  # type: ignore[union-attr]
                ended = _END_OF_LOG in chunk
                text = chunk.replace(_END_OF_LOG, b"").decode("utf-8", "replace")
                self._words.extend(text)
                if self.echo and text:
                    sys.stdout.write(text)
                    sys.stdout.flush()
                if ended:
                    self.heard_log.set()


class Worker:
    """The process of one solver, started when it is needed.

    ``solver`` is what the process finds it by, ``name`` what it is called in messages, and packages
    of ``folder``, if any, come before those that are installed. ``generation`` counts the
    processes, and ``closed`` are numbers of kept programs that nobody needs any more.
    """

    def __init__(self, solver: str, name: str, folder: Path | None = None) -> None:
        self.solver, self.name, self.folder = solver, name, folder
        self.generation = 0
        self.closed: list[int] = []
        self._process: _Process | None = None
        self._lock = threading.RLock()
        _WORKERS.add(self)

    @property
    def pid(self) -> int | None:
        """The number of the process, None if none runs."""
        return self._process.pid if self._process is not None and self._process.runs else None

    def start(self) -> None:
        """Have a process that has imported the solver.

        Raises what importing it raises; :class:`SolverFailed` where the process ends.
        """
        with self._lock:
            if self._process is not None and self._process.runs:
                return
            self.end()
            self._process = _Process(self.solver, self.folder)
            self.generation += 1
            self.closed = []
            try:
                self._exchange(("load", (self.solver,)), SolverSettings(time_limit=_START))
            except ProcessEnded as ended:
                raise SolverFailed(ended.message) from None

    def ask(
        self, method: str, *given: Any, options: SolverSettings, generation: int | None = None
    ) -> Any:
        """What a method of :class:`_Server` answers, in the process of this generation if given.

        The limits on time and memory are those of ``options``. Raises what the method raises,
        :class:`ProcessEnded`, and :class:`NotBegun` where the process is another one by now.
        """
        with self._lock:
            self.start()
            if generation not in (None, self.generation):
                raise NotBegun(Status.ERROR, f"the process of {self.name} has ended")
            return self._exchange((method, given), options)

    def told_since(self, generation: int) -> bool:
        """Whether the process of this generation still runs."""
        return generation == self.generation and self.pid is not None

    def end(self, patience: float = 0.0) -> None:
        """End the process, if any, after at most this many seconds."""
        process, self._process = self._process, None
        if process is not None:
            process.end(patience)

    def forget(self) -> None:
        """Forget the solver's process after a fork: it belongs to the parent."""
        self._lock = threading.RLock()
        process, self._process = self._process, None
        if process is not None:
            process.let_go()

    def _exchange(self, message: Any, options: SolverSettings) -> Any:
        process = self._process
        assert process is not None
        closed, self.closed = self.closed, []
        process.echo = options.log
        process.heard_log.clear()
        limit = options.time_limit
        deadline = None if limit is None else time.monotonic() + 1.1 * limit + _GRACE
        try:
            process.send(_packed((*message, closed, options.log)))
        except OSError:
            lost = self._lost(process, begun=False)
            self.end()
            raise lost from None
        try:
            answer = self._awaited(process, deadline, options)
            if options.log:
                process.heard_log.wait(_GRACE)
        except BaseException:
            self.end()
            raise
        fine, value = _unpacked(answer)
        if fine:
            return value
        raise value

    def _awaited(
        self, process: _Process, deadline: float | None, options: SolverSettings
    ) -> _Message:
        most, begun = options.memory_limit, False
        while True:
            left = _TURN if deadline is None else min(_TURN, deadline - time.monotonic())
            try:
                turn = left if most is None else min(left, _LOOK)
                answer = process.answers.get(timeout=max(turn, 0.0))
            except queue.Empty:
                if deadline is not None and time.monotonic() >= deadline:
                    raise ProcessEnded(
                        Status.TIME_LIMIT,
                        f"{self.name} did not return within its time limit of "
                        f"{options.time_limit:.3g} s, and its process was ended",
                    ) from None
                if most is not None and (held := process.memory()) > most * 1e6:
                    raise ProcessEnded(
                        Status.OTHER_LIMIT,
                        f"{self.name} held {held / 1e6:,.0f} MB, its memory limit is {most:,.0f} "
                        "MB, and its process was ended",
                    ) from None
                continue
            if answer is None:
                raise self._lost(process, begun=begun)
            if answer != _BEGUN:
                return answer
            begun = True

    def _lost(self, process: _Process, *, begun: bool) -> ProcessEnded:
        kind = ProcessEnded if begun else NotBegun
        return kind(Status.ERROR, f"the process of {self.name} ended {process.epitaph()}")


_WORKERS: weakref.WeakSet[Worker] = weakref.WeakSet()


def end_workers() -> None:
    """End the processes of all solvers; the next solve starts one again."""
    for worker in list(_WORKERS):
        worker.end(_GRACE)


def _forget_workers() -> None:
    for worker in list(_WORKERS):
        worker.forget()


atexit.register(end_workers)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_workers)


class InChild(Backend):
    """A backend whose work is done in its process.

    ``inside`` is the backend, and ``solver`` the name by which the process finds it.
    """

    def __init__(self, inside: Backend, solver: str) -> None:
        for declared in Backend.__annotations__:
            setattr(self, declared, getattr(inside, declared))
        self.inside = inside
        self.worker = Worker(solver, inside.name, inside.folder)

    @property
    def available(self) -> bool:
        """Whether its package is installed."""
        return self.inside.available

    def version(self) -> str:
        """The version of the package that holds it."""
        return self.inside.version()

    def start(self) -> None:
        """Have the process ready, so that starting it takes nothing of a time limit."""
        self.worker.start()

    def _ask(self, method: str, *given: Any, options: SolverSettings) -> Any:
        try:
            return self.worker.ask(method, *given, options=options)
        except NotBegun:
            return self.worker.ask(method, *given, options=options)

    def _solved(
        self, method: str, program: LinearProgram | QuadraticProgram, options: SolverSettings
    ) -> RawSolution:
        try:
            raw: RawSolution = self._ask(method, program, options, options=options)
        except ProcessEnded as ended:
            return ended.raw
        return raw

    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve from scratch."""
        return self._solved("solve", program, options)

    def solve_quadratic(self, program: QuadraticProgram, options: SolverSettings) -> RawSolution:
        """Solve a quadratic program from scratch."""
        return self._solved("solve_quadratic", program, options)

    def solve_conic(
        self, problem: Any, options: SolverSettings
    ) -> tuple[RawSolution, float | None]:
        """Solve a ``cvxpy.Problem``, whose variables and constraints get their values here."""
        if type(self.inside).solve_conic is Backend.solve_conic:
            return self.inside.solve_conic(problem, options)  # it says that it cannot
        try:
            raw, objective, values, duals = self._ask(
                "solve_conic", problem, _next_id(), options, options=options
            )
        except ProcessEnded as ended:
            return ended.raw, None
        for variable, value in zip(problem.variables(), values, strict=True):
            variable.save_value(value)
        for constraint, dual in zip(problem.constraints, duals, strict=True):
            for variable, value in zip(constraint.dual_variables, dual, strict=True):
                variable.save_value(value)
        return raw, objective

    def prove_conic(self, problem: Any, options: SolverSettings) -> tuple[float | None, float]:
        """A bound on the optimum of a ``cvxpy.Problem``."""
        try:
            proof: tuple[float | None, float] = self._ask(
                "prove_conic", problem, _next_id(), options, options=options
            )
        except ProcessEnded:
            return None, 0.0
        return proof

    def open(self, program: LinearProgram, options: SolverSettings) -> Reoptimiser:
        """Hold a program in the process for repeated solves."""
        return KeptInChild(self, program, options)


_CHILDREN: dict[tuple[str, Path | None], InChild] = {}


def in_child(backend: Backend, solver: str) -> InChild:
    """The one backend that runs this one in its process; ``solver`` is its name, or its script.

    The process of a script that has changed is ended.
    """
    place = solver, backend.folder
    known = _CHILDREN.get(place)
    if known is None or known.inside is not backend:
        if known is not None:
            known.worker.end()
        known = _CHILDREN[place] = InChild(backend, solver)
    return known


class KeptInChild:
    """A program that a process keeps; changes travel with the next solve.

    ``_program`` with ``_changes``, all since, is what a new process is told.
    """

    def __init__(self, backend: InChild, program: LinearProgram, options: SolverSettings) -> None:
        self._backend, self._worker = backend, backend.worker
        self._program, self._options = program, options
        self._changes: list[tuple[str, tuple[Any, ...]]] = []
        self._told, self._generation = 0, -1
        self._number = _next_number()
        weakref.finalize(self, _close, self._worker, self._number)

    def set_costs(self, columns: npt.NDArray[Any], costs: FloatArray) -> None:
        """Change objective coefficients."""
        self._change("set_costs", columns.copy(), costs.copy())

    def set_upper(self, columns: npt.NDArray[Any], upper: FloatArray) -> None:
        """Change upper bounds of columns, whose lower bounds are 0."""
        self._change("set_upper", columns.copy(), upper.copy())

    def add_rows(self, block: RowBlock) -> None:
        """Append rows."""
        self._change("add_rows", block)

    def keep_rows(self, keep: BoolArray) -> None:
        """Delete every row outside the mask."""
        self._change("keep_rows", keep.copy())

    def optimise(self, time_limit: float | None) -> RawSolution:
        """Solve from wherever the last solve ended, or from scratch in a new process."""
        try:
            try:
                raw = self._asked(time_limit)
            except NotBegun:
                self._generation = -1
                raw = self._asked(time_limit)
        except ProcessEnded as ended:
            self._generation = -1
            return ended.raw
        except BaseException:
            self._generation = -1  # it may have been told a part
            raise
        if len(self._changes) > _FOLDED:
            self._fold()
        return raw

    def _asked(self, time_limit: float | None) -> RawSolution:
        """The answer of the process, which is told the changes it does not know."""
        limits = SolverSettings(
            time_limit=time_limit, log=self._options.log, memory_limit=self._options.memory_limit
        )
        self._worker.start()
        program = None
        if not self._worker.told_since(self._generation):
            self._fold()
            program, self._generation = self._program, self._worker.generation
        told = self._changes[self._told :]
        self._told = len(self._changes)
        raw: RawSolution = self._worker.ask(
            "optimise",
            self._number,
            program,
            self._options,
            told,
            time_limit,
            options=limits,
            generation=self._generation,
        )
        return raw

    def _change(self, method: str, *given: Any) -> None:
        self._changes.append((method, given))

    def _fold(self) -> None:
        """Apply the changes to the program that is remembered."""
        remembered = ColdStart(self._backend, self._program, self._options)
        for method, given in self._changes:
            getattr(remembered, method)(*given)
        self._program = remembered.program
        self._changes, self._told = [], 0


def _close(worker: Worker, number: int) -> None:
    worker.closed.append(number)


_numbers = iter(range(1 << 62))


def _next_number() -> int:
    return next(_numbers)


def _next_id() -> int:
    """The first number that CVXPY has not yet given to a variable or a constraint here."""
    from cvxpy.lin_ops import lin_utils

    return int(lin_utils.ID_COUNTER.count)


def _packed(value: Any) -> _Message:
    """A value as a message: arrays are parts of their own, which are not copied into the first."""
    arrays: list[pickle.PickleBuffer] = []
    first = pickle.dumps(value, protocol=5, buffer_callback=arrays.append)
    return [first, *(array.raw() for array in arrays)]


def _unpacked(message: _Message) -> Any:
    return pickle.loads(message[0], buffers=message[1:])


def _write(pipe: Any, message: _Message) -> None:
    """Write the parts of a message, after how many they are and their lengths."""
    lengths = [len(message), *(len(part) for part in message)]
    for part in (b"".join(map(_SIZE.pack, lengths)), *message):
        rest = memoryview(part)
        while rest:
            rest = rest[pipe.write(rest) :]


def _read(pipe: Any) -> _Message | None:
    """The next message, None where the pipe is closed."""
    try:
        (parts,) = _SIZE.unpack(_exactly(pipe, _SIZE.size))
        lengths = [_SIZE.unpack(_exactly(pipe, _SIZE.size))[0] for _ in range(parts)]
        return [_exactly(pipe, length) for length in lengths]
    except (EOFError, OSError, ValueError):
        return None


def _exactly(pipe: Any, size: int) -> bytearray:
    """As many bytes as asked; raises ``EOFError`` where the pipe is closed before."""
    part = bytearray(size)
    rest = memoryview(part)
    while rest:
        read = pipe.readinto(rest)
        if not read:
            raise EOFError
        rest = rest[read:]
    return part


class _Server:
    """What the process does; each method is asked for by name."""

    def __init__(self, backend_of: Callable[[str], Backend]) -> None:
        self._backend_of = backend_of
        self._kept: dict[int, Reoptimiser] = {}

    def load(self, solver: str) -> None:
        """Import the solver."""
        self._backend = self._backend_of(solver)
        self._backend.load()

    def close(self, numbers: list[int]) -> None:
        """Let go of kept programs."""
        for number in numbers:
            self._kept.pop(number, None)

    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve a linear or integer program."""
        return self._backend.solve(program, options)

    def solve_quadratic(self, program: QuadraticProgram, options: SolverSettings) -> RawSolution:
        """Solve a quadratic program."""
        return self._backend.solve_quadratic(program, options)

    def solve_conic(self, problem: Any, first: int, options: SolverSettings) -> Any:
        """Solve a ``cvxpy.Problem``; with the values of its variables and its duals."""
        _leave_ids(first)
        raw, objective = self._backend.solve_conic(problem, options)
        values = [variable.value for variable in problem.variables()]
        duals = [[dual.value for dual in each.dual_variables] for each in problem.constraints]
        return raw, objective, values, duals

    def prove_conic(self, problem: Any, first: int, options: SolverSettings) -> Any:
        """Bound the optimum of a ``cvxpy.Problem``."""
        _leave_ids(first)
        return self._backend.prove_conic(problem, options)

    def optimise(
        self,
        number: int,
        program: LinearProgram | None,
        options: SolverSettings,
        changes: list[tuple[str, tuple[Any, ...]]],
        time_limit: float | None,
    ) -> RawSolution:
        """Change a kept program, which is new where it comes along, and solve it."""
        if program is not None:
            self._kept[number] = self._backend.open(program, options)
        kept = self._kept[number]
        for method, given in changes:
            getattr(kept, method)(*given)
        return kept.optimise(time_limit)


def _leave_ids(first: int) -> None:
    """Make CVXPY number what it makes here from ``first`` on: a problem brings its numbers."""
    from cvxpy.lin_ops import lin_utils

    lin_utils.ID_COUNTER.count = max(lin_utils.ID_COUNTER.count, first)


def serve_solves(backend_of: Callable[[str], Backend], parent: int) -> None:
    """The life of the process: answer what comes through standard input until it is closed.

    What the solver prints goes to standard error, as answers go through standard output.
    """
    end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked ends this process if need be
    asked = os.fdopen(os.dup(0), "rb", buffering=0)
    answered = os.fdopen(os.dup(1), "wb", buffering=0)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    questions: queue.SimpleQueue[_Message] = queue.SimpleQueue()

    def listen() -> None:
        while (message := _read(asked)) is not None:
            questions.put(message)
        os._exit(0)  # whatever it is doing, nobody waits for it

    threading.Thread(target=listen, daemon=True).start()
    server = _Server(backend_of)
    while True:
        question = questions.get()
        _write(answered, _BEGUN)
        answer, log = _answered(server, question)
        if log:
            sys.stdout.flush()
            ctypes.CDLL(None if os.name == "posix" else "ucrtbase").fflush(None)
            os.write(2, _END_OF_LOG)
        _write(answered, answer)


def _answered(server: _Server, question: _Message) -> tuple[_Message, bool]:
    """The answer to a message, an error where it raises one, and whether its log is wanted."""
    log = False
    try:
        method, given, closed, log = _unpacked(question)
        server.close(closed)
        return _packed((True, getattr(server, method)(*given))), log
    except Exception as error:
        error.add_note(f"In the process of the solver:\n{traceback.format_exc()}")
        try:
            answer = _packed((False, error))
            _unpacked(answer)
            known = type(error).__module__.partition(".")[0] in ("builtins", "cpe_opt")
        except Exception:
            known = False
        if not known:  # whoever asked may not have the package that it is from
            answer = _packed((False, CpeOptError(f"{type(error).__name__}: {error}")))
        return answer, log
