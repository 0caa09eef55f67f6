"""What every backend is: a name, what it can solve, its version, its options, and a solve."""

from __future__ import annotations

import copy
import importlib.machinery
import importlib.util
import math
import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import InputError, SolverMissing, SolverUnable, UnknownName
from cpe_opt.modelling.program import LinearProgram, RowBlock
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.compatibility import Combination, fault_of, installed, load

KINDS = ("LP", "MIP", "QP", "MIQP", "conic")
"""What solvers solve. "QP" and "MIQP" are programs with linear rows and a convex objective, as a
:class:`~cpe_opt.modelling.quadratic.QuadraticProgram` or, without whole columns, of CVXPY."""
Process = Literal["here", "child"]


@dataclass(frozen=True)
class SolverSettings:
    """What a caller may say about solving; see :func:`cpe_opt.solve`.

    ``start`` is a point, shape (columns,), to start from, NaN if it has no value; the memory
    limit is in megabytes.
    """

    time_limit: float | None = None
    threads: int = 1
    seed: int = 0
    log: bool = False
    solver_options: Mapping[str, Any] = field(default_factory=dict)
    start: FloatArray | None = None
    process: Process | None = None
    memory_limit: float | None = None

    def time_left(self, started: float) -> float | None:
        """Seconds left of the limit that began at this ``time.perf_counter``."""
        return None if self.time_limit is None else self.time_limit - time.perf_counter() + started

    def as_dict(self) -> dict[str, Any]:
        """A plain mapping for the record in a result."""
        return {
            "time_limit": self.time_limit,
            "threads": self.threads,
            "seed": self.seed,
            **({} if self.start is None else {"warm_start": True}),
            **({} if self.process is None else {"process": self.process}),
            **({} if self.memory_limit is None else {"memory_limit": self.memory_limit}),
            **self.solver_options,
        }


@dataclass(frozen=True, eq=False)
class RawSolution:
    """What a backend reports of one solve, before anything is checked.

    ``row_duals`` follow the sign convention of :mod:`cpe_opt.modelling.certify`. ``terms``, for a
    cone program, is the sum of the sizes of the terms that its objective and its bound are made of.
    ``tangent_point``, for a quadratic program, is where the tangent is taken that proves its bound,
    and ``x`` if it is None (:mod:`cpe_opt.modelling.quadratic`).
    """

    status: Status
    x: FloatArray | None = None
    row_duals: FloatArray | None = None
    bound: float | None = None
    iterations: int = 0
    message: str = ""
    terms: float = 0.0
    tangent_point: FloatArray | None = None


@contextmanager
def unheard() -> Iterator[None]:
    """Let libraries print nothing, whatever they are set to.

    It lasts for the whole process, so it is for the moment in which a library greets.
    """
    if sys.stdout is None:  # its number may be that of a file
        yield
        return
    try:
        sys.stdout.flush()
        output = os.dup(1)
    except OSError:  # where there is no output, there is nothing to keep clean
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        yield
    finally:
        os.dup2(output, 1)
        os.close(output)


class Reoptimiser(Protocol):
    """A solver that holds one program and re-solves it after changes."""

    def set_costs(self, columns: npt.NDArray[np.integer], costs: FloatArray) -> None:
        """Change objective coefficients."""

    def set_upper(self, columns: npt.NDArray[np.integer], upper: FloatArray) -> None:
        """Change upper bounds of columns, whose lower bounds are 0."""

    def add_rows(self, block: RowBlock) -> None:
        """Append rows."""

    def keep_rows(self, keep: BoolArray) -> None:
        """Delete every row outside the mask."""

    def optimise(self, time_limit: float | None) -> RawSolution:
        """Solve from wherever the last solve ended."""


class Backend(ABC):
    """One solver.

    Attributes
    ----------
    name : str
    solves : frozenset of the names in ``KINDS``
    incremental : bool
        Whether a re-solve after a change starts from the last basis.
    package, install : str
        The Python package it lives in, and the line that installs it.
    about : str
        One line for the table of solvers.
    licence : str
        What one may do with it, as its package says; for the table of solvers.
    accuracy : float
        How far its optima may be from feasible and from their bounds; see
        :mod:`cpe_opt.solvers.verification`.
    gap_options : frozenset of str
        Its options that let it stop before an optimum of an integer program is proved.
    exact : bool
        Whether it computes in whole numbers, without rounding.
    ends_process : bool
        Whether its errors end the process that it is in, so that it has one of its own.
    takes_threads : bool
        Whether more than one thread has an effect.
    starts : frozenset of str
        The kinds of programs of which it takes a point to start from.
    folder : Path or None
        Where its package is, in place of where Python finds packages; see :meth:`of_folder`.
    """

    name: ClassVar[str]
    solves: ClassVar[frozenset[str]]
    incremental: ClassVar[bool] = False
    package: ClassVar[str]
    module: ClassVar[str]
    install: ClassVar[str]
    about: ClassVar[str]
    licence: ClassVar[str] = "not known"
    cut_tolerance: ClassVar[float] = 1e-8
    takes_threads: ClassVar[bool] = False
    starts: ClassVar[frozenset[str]] = frozenset()
    accuracy: ClassVar[float] = 1e-7
    gap_options: ClassVar[frozenset[str]] = frozenset()
    exact: ClassVar[bool] = False
    ends_process: ClassVar[bool] = False
    folder: Path | None = None

    def of_folder(self, folder: Path) -> Backend:
        """The same solver by the packages of a folder, which only a process of its own imports."""
        other = copy.copy(self)
        other.folder = folder
        return other

    @property
    def available(self) -> bool:
        """Whether its package is installed."""
        top = self.module.partition(".")[0]
        if self.folder is None:
            return importlib.util.find_spec(top) is not None
        return importlib.machinery.PathFinder.find_spec(top, [str(self.folder)]) is not None

    def version(self) -> str:
        """The version of the package that holds it."""
        self.require()
        return str(installed(self.package, self.folder))

    def fault(self, kind: str) -> Combination | None:
        """Why the optima of programs of this kind are wrong in this version, None where not."""
        return fault_of(self.name, kind, self.folder)

    def require(self) -> None:
        """Raise :class:`SolverMissing` with the install line unless it is installed."""
        if self.available:
            return
        where, install = "installed", self.install
        if self.folder is not None:
            where = f"in {self.folder}"
            install = install.replace("pip install", f"pip install --target {self.folder}")
        raise SolverMissing(
            f"solver {self.name!r} needs the package {self.package!r}, which is not {where}: "
            f"{install}"
        )

    def load(self) -> Any:
        """Import its module, or say why not; see :func:`cpe_opt.solvers.compatibility.load`."""
        self.require()
        return load(self.module, self.package, f"solver {self.name!r}", self.install)

    def check_options(self, given: Iterable[str], known: Iterable[str]) -> None:
        """Raise :class:`UnknownName` for an option that the solver does not have."""
        known = list(known)
        for name in given:
            if name not in known:
                raise UnknownName(f"{self.name} option", name, known)

    def fill_message(self, message: Any, chosen: Mapping[str, Any]) -> None:
        """Set fields of a message of parameters, or :class:`InputError` for a value of none."""
        from google.protobuf import json_format

        for name, value in chosen.items():
            try:
                json_format.ParseDict({name: value}, message)
            except json_format.ParseError as error:
                raise InputError(
                    f"{self.name} option {name!r} does not accept the value {value!r}: {error}"
                ) from error

    @abstractmethod
    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve a linear or mixed-integer program from scratch."""

    def solve_quadratic(self, program: QuadraticProgram, options: SolverSettings) -> RawSolution:
        """Solve a convex quadratic program, or a mixed-integer one, from scratch."""
        raise SolverUnable(f"solver {self.name!r} takes no QuadraticProgram")

    def solve_conic(
        self, problem: Any, options: SolverSettings
    ) -> tuple[RawSolution, float | None]:
        """Solve a ``cvxpy.Problem``; returns the raw solution and the objective."""
        raise SolverUnable(f"solver {self.name!r} takes no ConicProgram")

    def prove_conic(self, problem: Any, options: SolverSettings) -> tuple[float | None, float]:
        """A bound on the optimum of a ``cvxpy.Problem``, whose variables keep their values.

        With the terms of :class:`~cpe_opt.modelling.cone_duality.ConeProof`.
        """
        return None, 0.0

    def open(self, program: LinearProgram, options: SolverSettings) -> Reoptimiser:
        """Hold a program for repeated solves."""
        return ColdStart(self, program, options)


class Translated(Backend):
    """A solver whose statuses are translated by a table.

    Attributes
    ----------
    own_name : str
        What the solver calls itself.
    statuses : dict of str to Status
        The status of each of the solver's own, by the name that its documentation has for it.
    interrupted : frozenset of str
        Those of a solve that heard Ctrl-C in place of Python; nothing else interrupts one here.
    """

    own_name: ClassVar[str]
    statuses: ClassVar[dict[str, Status]]
    interrupted: ClassVar[frozenset[str]] = frozenset()

    def translated(self, name: str | None, code: object) -> tuple[Status, str]:
        """The status of one of the solver's own, and the message: its name, or a foreign code.

        Raises ``KeyboardInterrupt`` where the solver has heard Ctrl-C.
        """
        if name is None:
            return Status.ERROR, f"{self.own_name}: unknown status {code}"
        if name in self.interrupted:
            raise KeyboardInterrupt
        status = self.statuses.get(name, Status.ERROR)
        return status, "" if status is Status.OPTIMAL else f"{self.own_name}: {name}"

    def refused(self, option: str, value: object, reason: object = "") -> InputError:
        """What to raise where an option does not take a value."""
        why = f": {reason}" if str(reason) else ""
        return InputError(f"{self.name} option {option!r} does not accept the value {value!r}{why}")

    def typed(self, option: str, value: Any, kind: type) -> Any:
        """The value as the type that an option has; solvers cut fractions off in silence."""
        if kind is float and isinstance(value, int | np.integer) and not isinstance(value, bool):
            return float(value)
        if kind is int and isinstance(value, bool | np.bool_ | np.integer):
            return int(value)
        if not isinstance(value, kind) or (isinstance(value, float) and math.isnan(value)):
            words = {int: "a whole number", float: "a number", str: "a text", bool: "True or False"}
            raise self.refused(option, value, f"expected {words[kind]}")
        return kind(value)


class ColdStart:
    """Repeated solves by a solver that cannot keep a model: each starts from scratch.

    ``program`` is the program with every change so far.
    """

    def __init__(self, backend: Backend, program: LinearProgram, options: SolverSettings) -> None:
        self._backend, self.program, self._options = backend, program, options

    def set_costs(self, columns: npt.NDArray[np.integer], costs: FloatArray) -> None:
        """Change objective coefficients."""
        self.program = self.program.with_costs(columns, costs)

    def set_upper(self, columns: npt.NDArray[np.integer], upper: FloatArray) -> None:
        """Change upper bounds of columns."""
        self.program = self.program.with_upper(columns, upper)

    def add_rows(self, block: RowBlock) -> None:
        """Append rows."""
        self.program = self.program.with_rows(block)

    def keep_rows(self, keep: BoolArray) -> None:
        """Delete every row outside the mask."""
        self.program = self.program.keeping_rows(keep)

    def optimise(self, time_limit: float | None) -> RawSolution:
        """Solve from scratch."""
        return self._backend.solve(self.program, limited(self._options, time_limit))


def limited(options: SolverSettings, time_limit: float | None) -> SolverSettings:
    """The same options with another time limit (never zero, which is no legal one)."""
    return replace(options, time_limit=None if time_limit is None else max(time_limit, 1e-9))


def out_of_time() -> RawSolution:
    """What to say where nothing of the time limit is left for the solve itself."""
    return RawSolution(
        Status.TIME_LIMIT, message="the time limit was reached before the solver had its model"
    )


def with_a_row(program: LinearProgram) -> LinearProgram:
    """The program, with a row that says nothing new if it has none: some solvers ask for one."""
    if program.shape[0]:
        return program
    empty = sp.csr_array((1, program.shape[1]))
    return program.with_rows(RowBlock(empty, np.array([-np.inf]), np.array([1.0]), ("row_0",)))


def decided_without_columns(program: LinearProgram) -> RawSolution:
    """A program without columns is decided by its rows' sides."""
    feasible = bool(((program.row_lower <= 0) & (program.row_upper >= 0)).all())
    status = Status.OPTIMAL if feasible else Status.INFEASIBLE
    zeros = np.zeros(program.shape[0])
    return RawSolution(status, np.zeros(0), zeros if feasible else None)
