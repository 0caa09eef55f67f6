"""What every backend is: a name, what it can solve, its version, its options, and a solve.

Versions of packages that return wrong answers, or that cannot be in one process with another
solver's, are excluded in ``pyproject.toml``.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import SolverMissing, SolverUnable, UnknownName
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.program import LinearProgram, RowBlock
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import Status

KINDS = ("LP", "MIP", "QP", "MIQP", "conic")
"""What solvers solve. "QP" and "MIQP" are programs with linear rows and a convex objective. A
:class:`~cpe_opt.modelling.conic.ConicProgram` has one of these kinds, too."""
Process = Literal["here", "child"]
NO_OPTIMUM = (Status.INFEASIBLE, Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED)


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

    def limited(self, time_limit: float | None) -> SolverSettings:
        """The same with another time limit (never zero, which is no legal one)."""
        return replace(self, time_limit=None if time_limit is None else max(time_limit, 1e-9))

    def time_left(self, started: float) -> float | None:
        """Seconds left of the limit that began at this ``time.perf_counter``."""
        return None if self.time_limit is None else self.time_limit - time.perf_counter() + started

    def as_dict(self) -> dict[str, Any]:
        """A plain mapping for the record in a result."""
        started = None if self.start is None else True
        rare = {"warm_start": started, "process": self.process, "memory_limit": self.memory_limit}
        return {
            "time_limit": self.time_limit,
            "threads": self.threads,
            "seed": self.seed,
            **{name: value for name, value in rare.items() if value is not None},
            **self.solver_options,
        }


@dataclass(frozen=True, eq=False)
class RawSolution:
    """What a backend reports of one solve, before anything is checked.

    ``row_duals``, shape (rows,), are derivatives of the optimum by the sides of the rows, in either
    sense. ``bound`` is the solver's own bound on the optimum of an integer program. Of a cone
    program ``x`` has its columns in their order, ``multipliers`` has the duals of each constraint,
    and ``cone`` the point and the multipliers in the form that CVXPY gives to Clarabel.
    """

    status: Status
    x: FloatArray | None = None
    row_duals: FloatArray | None = None
    bound: float | None = None
    iterations: int = 0
    message: str = ""
    multipliers: tuple[Any, ...] | None = None
    cone: tuple[FloatArray, FloatArray] | None = None
    value: float = math.nan


class Backend(ABC):
    """One solver.

    It has a ``name``, ``solves`` kinds of programs, and lives in a ``package``, of which ``module``
    is imported and ``install`` is the line that installs it; ``about`` and ``licence`` are for the
    table of solvers. ``incremental`` ones start a re-solve from the last basis. A row violated by
    less than ``cut_tolerance`` counts as satisfied in the cutting-plane loop. By ``gap_options`` it
    may stop before an optimum of an integer program is proved. It ``takes_threads`` if more than
    one has an effect, and ``starts`` from a point for these kinds.
    """

    name: str
    solves: frozenset[str]
    package: str
    module: str
    install: str
    about: str
    licence: str = "not known"
    incremental: ClassVar[bool] = False
    cut_tolerance: float = 1e-8
    gap_options: frozenset[str] = frozenset()
    takes_threads: bool = False
    starts: frozenset[str] = frozenset()

    @property
    def available(self) -> bool:
        """Whether its package is installed."""
        return importable(self.module)

    def version(self) -> str:
        """The version of the package that holds it."""
        self.require()
        return str(installed(self.package))

    def require(self) -> None:
        """Raise :class:`SolverMissing` with the install line unless it is installed."""
        require(self.module, self.package, f"solver {self.name!r}", self.install)

    def load(self) -> Any:
        """Import its module, or say why not; see :func:`load`."""
        return load(self.module, self.package, f"solver {self.name!r}", self.install)

    def check_options(self, given: Iterable[str], known: Iterable[str]) -> None:
        """Raise :class:`UnknownName` for an option that the solver does not have."""
        known = list(known)
        for name in given:
            if name not in known:
                raise UnknownName(f"{self.name} option", name, known)

    @abstractmethod
    def solve(
        self, program: LinearProgram | QuadraticProgram, settings: SolverSettings
    ) -> RawSolution:
        """Solve a program with columns, of a kind that it ``solves``, from scratch."""

    def solve_conic(self, program: ConicProgram, settings: SolverSettings) -> RawSolution:
        """Solve a program of the kind "conic"; its variables keep the values that they have."""
        raise SolverUnable(f"solver {self.name!r} takes no cone program")

    def open(self, program: LinearProgram, settings: SolverSettings) -> Reoptimiser:
        """Hold a program for repeated solves."""
        return Reoptimiser(self, program, settings)


class Reoptimiser:
    """What holds one program and solves it again after changes.

    From scratch here, for solvers that cannot keep a model; ``program`` has every change so far.
    """

    def __init__(self, backend: Backend, program: LinearProgram, settings: SolverSettings) -> None:
        self._backend, self.program, self._settings = backend, program, settings

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
        return self._backend.solve(self.program, self._settings.limited(time_limit))


def out_of_time() -> RawSolution:
    """What to say where nothing of the time limit is left for the solve itself."""
    return RawSolution(
        Status.TIME_LIMIT, message="the time limit was reached before the solver had its model"
    )


# The packages of solvers: whether they are installed, in which version, and what installs them.


@cache
def installed(package: str) -> str | None:
    """The version of a package; None if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def importable(module: str) -> bool:
    """Whether the package of a module is installed."""
    return importlib.util.find_spec(module.partition(".")[0]) is not None


def require(module: str, package: str, what: str, install: str) -> None:
    """Raise :class:`SolverMissing`, with the line that installs it, if ``what`` lacks a package."""
    if not importable(module):
        raise SolverMissing(
            f"{what} needs the package {package!r}, which is not installed: {install}"
        )


def load(module: str, package: str, what: str, install: str) -> Any:
    """Import a module of a package that ``what`` needs.

    Raises :class:`SolverMissing` without the package, :class:`SolverUnable` where importing fails.
    """
    require(module, package, what, install)
    try:
        return importlib.import_module(module)
    except Exception as error:  # what packages run when they are imported may fail by anything
        said = error if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
        raise SolverUnable(f"{what} cannot be imported: {said}") from error
