"""The solvers by name: what each can solve, and the line that installs it.

A backend is imported when it is first asked for; a missing, unknown or unable one says so and names
what would help. ``file.py:name`` is a backend of a user: the class of this name in a script.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from cpe_opt.errors import InputError, SolverUnable, UnknownName
from cpe_opt.scripts import is_script, script_value
from cpe_opt.solvers.base import Backend, Process, installed

_HOMES = {
    "highs": ("highs",),
    "mathopt": ("glop", "pdlp", "scip", "cp-sat"),
    "bridge": (
        *("clarabel", "scs", "osqp"),
        *("cuopt", "gurobi", "copt", "xpress", "cplex", "mosek"),
    ),
}
SOLVERS = tuple(name for names in _HOMES.values() for name in names)
_DECLARED = ("name", "solves", "package", "module", "install", "about")


def get_backend(name: str) -> Backend:
    """The backend of this name, or of a script, ``file.py:name``."""
    if name not in SOLVERS and is_script(name):
        return _of_script(name, script_value(name))
    return _included(name)


@cache
def _included(name: str) -> Backend:
    """The backend of this name that comes with the package."""
    from cpe_opt.solvers.assignment import ASSIGNERS

    if name in ASSIGNERS:
        raise InputError(
            f"solver {name!r} solves assignments, no programs: it is a method (--method {name}) of "
            "best-matching, and of best-subset where sets are matchings"
        )
    for home, names in _HOMES.items():
        if name in names:
            backend: Backend = import_module(f"cpe_opt.solvers.{home}").BACKENDS[name]
            return backend
    raise UnknownName("solver", name, SOLVERS)


@cache
def _of_script(name: str, value: object) -> Backend:
    """The backend that a script calls by this name."""
    if not (isinstance(value, type) and issubclass(value, Backend)):
        raise InputError(
            f"solver {name!r} is {value!r}, expected a class that inherits from "
            "cpe_opt.solvers.base.Backend"
        )
    missing = [each for each in _DECLARED if not hasattr(value, each)]
    missing += sorted(value.__abstractmethods__)
    if missing:
        raise InputError(f"solver {name!r} lacks {', '.join(missing)}")
    backend: Backend = value()
    return backend


def require_backend(
    name: str, kind: str, threads: int = 1, process: Process | None = None
) -> Backend:
    """The backend of this name, installed and able to solve this kind of program on the threads."""
    backend = get_backend(name)
    if kind not in backend.solves:
        raise SolverUnable(
            f"solver {name!r} does not solve {kind} programs (it solves "
            f"{', '.join(sorted(backend.solves))}); able: {_able(kind)}"
        )
    if threads > 1 and not backend.takes_threads:
        raise SolverUnable(f"solver {name!r} runs on one thread, threads is {threads}")
    backend.require()
    if process == "child":
        from cpe_opt.solvers.child import InChild

        path, _, cls = name.rpartition(":")
        return InChild(backend, f"{Path(path).resolve()}:{cls}" if path else name)
    return backend


def check_start(backend: Backend, kind: str) -> None:
    """Raise :class:`SolverUnable` unless the backend takes a start of this kind of program."""
    if kind not in backend.starts:
        raise SolverUnable(
            f"solver {backend.name!r} takes no warm start of {kind} programs; able: "
            f"{_able(kind, 'starts')}"
        )


def _able(kind: str, what: str = "solves") -> str:
    """The installed solvers of a kind of program, or those that take a start of it."""
    backends = [each for each in map(_included, SOLVERS) if each.available]
    return ", ".join(each.name for each in backends if kind in getattr(each, what)) or "none"


@dataclass(frozen=True)
class SolverInfo:
    """One row of the table of solvers; ``version`` is None where the package is missing."""

    name: str
    solves: tuple[str, ...]
    incremental: bool
    version: str | None
    package: str
    install: str
    about: str
    licence: str


def solver_table() -> list[SolverInfo]:
    """Every backend: what it can solve, its version, or the line that installs it.

    Assignment solvers come last; they solve matchings, not programs, and are named as methods.
    """
    from cpe_opt.solvers.assignment import ASSIGNERS

    programs = [
        SolverInfo(
            backend.name,
            tuple(sorted(backend.solves)),
            backend.incremental,
            backend.version() if backend.available else None,
            backend.package,
            backend.install,
            backend.about,
            backend.licence,
        )
        for backend in map(_included, SOLVERS)
    ]
    matchings = [
        SolverInfo(
            name,
            ("assignment",),
            False,
            installed(assigner.package),
            assigner.package,
            f"pip install {assigner.package}",
            assigner.about,
            assigner.licence,
        )
        for name, assigner in ASSIGNERS.items()
    ]
    return programs + matchings
