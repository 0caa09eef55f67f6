"""The solvers by name: what each can solve, and the line that installs it.

A backend is imported when it is first asked for; a missing, unknown or unable one says so and names
what would help. ``file.py:name`` is a backend of a user: the class of this name in a script.
``name@folder`` is a solver of the package by the packages in a folder, such as another version of
HiGHS; it runs in a process of its own.
"""

from __future__ import annotations

import sysconfig
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from cpe_opt.errors import InputError, SolverUnable, UnknownName
from cpe_opt.scripts import is_script, script_value
from cpe_opt.solvers.assignment import ASSIGNERS
from cpe_opt.solvers.base import Backend, Process
from cpe_opt.solvers.child import InChild, in_child
from cpe_opt.solvers.compatibility import stays_out

_BACKENDS = {
    "highs": ("cpe_opt.solvers.highs", "Highs"),
    "glop": ("cpe_opt.solvers.mathopt", "Glop"),
    "pdlp": ("cpe_opt.solvers.mathopt", "Pdlp"),
    "scip": ("cpe_opt.solvers.mathopt", "Scip"),
    "cp-sat": ("cpe_opt.solvers.cp_sat", "CpSat"),
    "clarabel": ("cpe_opt.solvers.conic", "Clarabel"),
    "scs": ("cpe_opt.solvers.conic", "Scs"),
    "osqp": ("cpe_opt.solvers.conic", "Osqp"),
    "hipo": ("cpe_opt.solvers.highs", "Hipo"),
    "cupdlpx": ("cpe_opt.solvers.cupdlpx", "CuPdlpx"),
    "cuopt": ("cpe_opt.solvers.cuopt", "CuOpt"),
    "gurobi": ("cpe_opt.solvers.gurobi", "Gurobi"),
    "copt": ("cpe_opt.solvers.copt", "Copt"),
    "xpress": ("cpe_opt.solvers.xpress", "Xpress"),
    "cplex": ("cpe_opt.solvers.cplex", "Cplex"),
    "mosek": ("cpe_opt.solvers.mosek", "Mosek"),
}
SOLVERS = tuple(_BACKENDS)
_DECLARED = ("name", "solves", "package", "module", "install", "about")


def get_backend(name: str) -> Backend:
    """The backend of this name, of a script, ``file.py:name``, or of a folder, ``name@folder``.

    Raises
    ------
    UnknownName
        With the nearest names.
    InputError
        If a script fails, or has no such backend; if there is no such folder.
    """
    if not is_script(name):
        solver, at, folder = name.partition("@")
        return _of_folder(solver, _packages(name, folder)) if at else _included(name)
    return _of_script(name, script_value(name))


@cache
def _of_script(name: str, found: object) -> Backend:
    """The backend that a script calls by this name."""
    if not (isinstance(found, type) and issubclass(found, Backend)):
        raise InputError(
            f"solver {name!r} is {found!r}, expected a class that inherits from "
            "cpe_opt.solvers.base.Backend"
        )
    missing = [each for each in _DECLARED if not hasattr(found, each)]
    missing += sorted(found.__abstractmethods__)
    if missing:
        raise InputError(f"solver {name!r} lacks {', '.join(missing)}")
    backend: Backend = found()
    return backend


def _packages(name: str, folder: str) -> Path:
    """The folder that has the packages: the one that is given, or that of a virtual environment."""
    place = Path(folder).expanduser().resolve()
    if not folder or not place.is_dir():
        raise InputError(f"solver {name!r}: {folder!r} is no folder of packages")
    if (place / "pyvenv.cfg").is_file():
        base = {"base": str(place), "platbase": str(place)}
        return Path(sysconfig.get_path("platlib", "venv", base))
    return place


@cache
def _of_folder(solver: str, folder: Path) -> Backend:
    return _included(solver).of_folder(folder)


@cache
def _included(name: str) -> Backend:
    if name in ASSIGNERS:
        raise InputError(
            f"solver {name!r} solves assignments, no programs: it is a method (--method {name}) of "
            "best-matching, and of best-subset where sets are matchings"
        )
    if name not in _BACKENDS:
        raise UnknownName("solver", name, _BACKENDS)
    module, cls = _BACKENDS[name]
    backend: Backend = getattr(import_module(module), cls)()
    return backend


def check_start(backend: Backend, kind: str) -> None:
    """Raise :class:`SolverUnable` unless the backend takes a start of this kind of program."""
    if kind not in backend.starts:
        able = [each for each in SOLVERS if kind in get_backend(each).starts and _here(each)]
        raise SolverUnable(
            f"solver {backend.name!r} takes no warm start of {kind} programs; able: "
            f"{', '.join(able) or 'none'}"
        )


def _here(name: str) -> bool:
    return get_backend(name).available


@dataclass(frozen=True)
class SolverInfo:
    """One row of the table of solvers; ``version`` is None where the package is missing.

    ``runs`` is where it runs unless asked otherwise.
    """

    name: str
    solves: tuple[str, ...]
    incremental: bool
    runs: Process
    version: str | None
    package: str
    install: str
    about: str
    licence: str


def solver_table() -> list[SolverInfo]:
    """Every backend: what it can solve, its version, or the line that installs it.

    Assignment solvers come last; they solve matchings, not programs, and are named as methods.
    """
    programs = [
        SolverInfo(
            backend.name,
            tuple(sorted(backend.solves)),
            backend.incremental,
            runs_in(backend, None),
            backend.version() if backend.available else None,
            backend.package,
            backend.install,
            backend.about,
            backend.licence,
        )
        for backend in map(get_backend, SOLVERS)
    ]
    matchings = [
        SolverInfo(
            name,
            ("assignment",),
            False,
            "here",
            assigner.version(),
            assigner.package,
            f"pip install {assigner.package}",
            assigner.about,
            assigner.licence,
        )
        for name, assigner in ASSIGNERS.items()
    ]
    return programs + matchings


def runs_in(backend: Backend, process: Process | None) -> Process:
    """Where a backend runs: here, unless asked otherwise.

    Those whose libraries clash with HiGHS, and those that may end their process, have one of their
    own; so have those of a folder, whatever is asked.
    """
    if backend.folder is not None:
        return "child"
    out = backend.ends_process or stays_out(backend.package)
    return process or ("child" if out else "here")


def backend_in(name: str, process: Process | None) -> Backend:
    """The backend of this name, in a process of its own where it is to run there."""
    backend = get_backend(name)
    if runs_in(backend, process) == "here":
        return backend
    if backend.folder is not None:
        if process == "here":
            raise InputError(f"solver {name!r} runs in a process of its own, process is 'here'")
        return in_child(backend, backend.name)
    place, _, cls = name.rpartition(":")
    return in_child(backend, f"{Path(place).resolve()}:{cls}" if place else name)


def require_backend(
    name: str, kind: str, threads: int = 1, process: Process | None = None
) -> Backend:
    """The backend of this name, installed and able to solve this kind of program on the threads.

    In a process of its own it has that process ready.
    """
    backend = backend_in(name, process)
    if kind not in backend.solves:
        able = [each for each in SOLVERS if kind in get_backend(each).solves and _here(each)]
        raise SolverUnable(
            f"solver {name!r} does not solve {kind} programs (it solves "
            f"{', '.join(sorted(backend.solves))}); able: {', '.join(able) or 'none'}"
        )
    if threads > 1 and not backend.takes_threads:
        raise SolverUnable(f"solver {name!r} runs on one thread, threads is {threads}")
    backend.require()
    if isinstance(backend, InChild):
        backend.start()
    return backend
