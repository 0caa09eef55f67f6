"""The solvers by name: what each can solve, and the line that installs it.

A backend is imported when it is first asked for; a missing, unknown or unable one says so and names
what would help.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module

from cpe_opt.errors import SolverUnable, UnknownName
from cpe_opt.solvers.assignment import ASSIGNERS
from cpe_opt.solvers.base import Backend

_BACKENDS = {
    "highs": ("cpe_opt.solvers.highs", "Highs"),
    "glop": ("cpe_opt.solvers.mathopt", "Glop"),
    "pdlp": ("cpe_opt.solvers.mathopt", "Pdlp"),
    "scip": ("cpe_opt.solvers.mathopt", "Scip"),
    "cp-sat": ("cpe_opt.solvers.cp_sat", "CpSat"),
    "clarabel": ("cpe_opt.solvers.conic", "Clarabel"),
    "scs": ("cpe_opt.solvers.conic", "Scs"),
}
SOLVERS = tuple(_BACKENDS)


@cache
def get_backend(name: str) -> Backend:
    """The backend of this name.

    Raises
    ------
    UnknownName
        With the nearest names.
    """
    if name not in _BACKENDS:
        raise UnknownName("solver", name, _BACKENDS)
    module, cls = _BACKENDS[name]
    backend: Backend = getattr(import_module(module), cls)()
    return backend


def check_start(backend: Backend, kind: str) -> None:
    """Raise :class:`SolverUnable` unless the backend takes a start of this kind of program."""
    if kind not in backend.starts:
        able = [name for name in SOLVERS if kind in get_backend(name).starts]
        raise SolverUnable(
            f"solver {backend.name!r} takes no warm start of {kind} programs; able: "
            f"{', '.join(able) or 'none'}"
        )


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


def solver_table() -> list[SolverInfo]:
    """Every backend: what it can solve, its version, or the line that installs it.

    Assignment solvers come last; they solve matchings, not programs.
    """
    rows = []
    for name in SOLVERS:
        backend = get_backend(name)
        rows.append(
            SolverInfo(
                name,
                tuple(sorted(backend.solves)),
                backend.incremental,
                backend.version() if backend.available else None,
                backend.package,
                backend.install,
                backend.about,
            )
        )
    for name, assigner in ASSIGNERS.items():
        rows.append(
            SolverInfo(
                name,
                ("assignment",),
                False,
                assigner.version(),
                assigner.package,
                f"pip install {assigner.package}",
                assigner.about,
            )
        )
    return rows


def require_backend(name: str, kind: str, threads: int = 1) -> Backend:
    """The backend of this name, installed and able to solve this kind of program on these threads.

    Raises
    ------
    UnknownName, SolverMissing, SolverUnable
    """
    backend = get_backend(name)
    if kind not in backend.solves:
        able = [other for other in SOLVERS if kind in get_backend(other).solves]
        raise SolverUnable(
            f"solver {name!r} does not solve {kind} programs (it solves "
            f"{', '.join(sorted(backend.solves))}); able: {', '.join(able)}"
        )
    if threads > 1 and not backend.takes_threads:
        raise SolverUnable(f"solver {name!r} runs on one thread, threads is {threads}")
    backend.require()
    return backend
