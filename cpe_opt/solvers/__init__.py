"""Swappable solvers: one function, :func:`solve`, for every program and every backend.

A backend is imported when it is first asked for; a missing, unknown or unable one says so and names
what would help.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any, TypedDict

import numpy as np

from cpe_opt.errors import InputError, SolverUnable, UnknownName
from cpe_opt.modelling.certify import Residuals, certify
from cpe_opt.modelling.lazy import (
    CutOptions,
    CuttingPlanes,
    LazyProgram,
    RawSolution,
    Reoptimiser,
)
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult, Status
from cpe_opt.solvers.assignment import ASSIGNERS
from cpe_opt.solvers.base import Backend, SolverSettings, limited
from cpe_opt.solvers.scaling import ScaledSession, cost_factor, presolved, scaled
from cpe_opt.solvers.verification import Verifier, judged_conic
from cpe_opt.validation import checked_types

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


class SolveOptions(TypedDict, total=False):
    """What every solve function passes on to :func:`solve`."""

    solver: str
    time_limit: float | None
    threads: int
    seed: int
    log: bool
    solver_options: Mapping[str, Any] | None
    cut_options: CutOptions | None


def refuse_unused(solving: Mapping[str, Any], what: str, used: Collection[str] = ()) -> None:
    """Refuse arguments of :func:`solve` that have no effect where ``what`` solves no program.

    Parameters
    ----------
    solving : mapping
        What the caller gave.
    what : str
        The method, for the message.
    used : collection of str
        Those that it uses all the same.

    Raises
    ------
    UnknownName
        On a name that :func:`solve` does not have either.
    InputError
        On one that has no effect.
    """
    for name, value in solving.items():
        if name not in SolveOptions.__annotations__:
            raise UnknownName("argument", name, SolveOptions.__annotations__)
        if value is not None and name not in used:
            raise InputError(f"{what} solves no program, so {name} has no effect: leave it out")


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


@checked_types
def solve(
    program: LinearProgram | LazyProgram | Any,
    solver: str = "highs",
    *,
    time_limit: float | None = None,
    threads: int = 1,
    seed: int = 0,
    log: bool = False,
    solver_options: Mapping[str, Any] | None = None,
    check: bool = True,
    cut_options: CutOptions | None = None,
) -> SolveResult:
    """Solve a program.

    Parameters
    ----------
    program : LinearProgram, LazyProgram or cvxpy.Problem
    solver : str
        A name in ``cpe_opt.SOLVERS``.
    time_limit : float, optional
        Seconds; reaching it is a status of its own.
    threads : int
        More than one for ``highs`` and ``cp-sat`` alone.
    seed : int
    log : bool
        Print the solver's log.
    solver_options : mapping, optional
        The solver's own options by their own names, checked against what it knows.
    check : bool
        Raise :class:`NotOptimal` unless an optimum was proved.
    cut_options : CutOptions, optional
        For a lazy program: tolerance, cap on cuts a round, purging.

    Returns
    -------
    SolveResult

    Raises
    ------
    UnknownName, SolverMissing, SolverUnable, InputError, NotOptimal

    Examples
    --------
    >>> from cpe_opt.modelling.program import ProgramBuilder
    >>> builder = ProgramBuilder("knapsack", sense="max")
    >>> take = builder.columns("take", 3, cost=[60, 100, 120], upper=1, integer=True)
    >>> _ = builder.row("weight", take, [10, 20, 30], upper=50)
    >>> solve(builder.build()).objective
    220.0
    """
    options = SolverSettings(time_limit, threads, seed, log, dict(solver_options or {}))
    if isinstance(program, LinearProgram):
        result = _solve_linear(program, solver, options)
    elif isinstance(program, LazyProgram):
        result = _solve_lazy(program, solver, options, cut_options)
    elif type(program).__module__.startswith("cvxpy"):
        result = _solve_conic(program, solver, options)
    else:
        raise InputError(
            f"cannot solve a {type(program).__name__}: expected a LinearProgram, a LazyProgram or "
            "a cvxpy.Problem"
        )
    if check and not result.is_optimal:
        raise NotOptimal(result)
    return result


def open_cutting_planes(
    lazy: LazyProgram,
    solver: str = "highs",
    *,
    solver_options: Mapping[str, Any] | None = None,
    cut_options: CutOptions | None = None,
    threads: int = 1,
    seed: int = 0,
) -> CuttingPlanes:
    """A cutting-plane loop that keeps its solver, basis and rows for re-solves after changes."""
    options = SolverSettings(threads=threads, seed=seed, solver_options=dict(solver_options or {}))
    backend = require_backend(solver, lazy.kind, threads)
    # Costs will change, so they keep their units.
    return _loop(lazy, backend.open(lazy.relaxation, options), backend, cut_options)


def _solve_linear(program: LinearProgram, solver: str, options: SolverSettings) -> SolveResult:
    backend = require_backend(solver, program.kind, options.threads)
    started = time.perf_counter()
    verifier = _verifier(backend, options, started)
    whole = presolved(program)
    if isinstance(whole, str):
        raw = RawSolution(Status.INFEASIBLE, message=whole)
    else:
        inside = scaled(whole)
        raw = backend.solve(inside.program, limited(options, options.time_left(started)))
        raw = inside.restored(verifier.judged(inside.program, raw))
    return _certified(program, raw, verifier, time.perf_counter() - started)


def _solve_lazy(
    lazy: LazyProgram, solver: str, options: SolverSettings, cuts: CutOptions | None
) -> SolveResult:
    started = time.perf_counter()
    backend = require_backend(solver, lazy.kind, options.threads)
    verifier = _verifier(backend, options, started)
    whole = presolved(lazy.relaxation)
    if isinstance(whole, str):
        raw = RawSolution(Status.INFEASIBLE, message=whole)
        return _certified(lazy.relaxation, raw, verifier, time.perf_counter() - started)
    lazy = replace(lazy, relaxation=whole)
    factor = cost_factor(whole.costs)
    if factor == 1.0:
        session = backend.open(whole, options)
    else:
        inside = replace(whole, costs=whole.costs * factor, offset=0.0)
        session = ScaledSession(backend.open(inside, options), factor, whole.offset)
    loop = _loop(lazy, session, backend, cuts)
    raw = loop.solve(options.time_left(started))
    program = loop.program
    raw = verifier.judged(program, raw)
    iterations = sum(entry.iterations for entry in loop.log)
    result = _certified(program, raw, verifier, time.perf_counter() - started)
    return replace(result, iterations=iterations, cut_rounds=tuple(loop.log))


def _loop(
    lazy: LazyProgram, session: Reoptimiser, backend: Backend, cuts: CutOptions | None
) -> CuttingPlanes:
    return CuttingPlanes(lazy, session, cuts or CutOptions(tolerance=backend.cut_tolerance))


def _verifier(backend: Backend, options: SolverSettings, started: float) -> Verifier:
    deadline = None if options.time_limit is None else started + options.time_limit
    return Verifier(backend, options, deadline, get_backend)


def _solve_conic(problem: Any, solver: str, options: SolverSettings) -> SolveResult:
    kind = _conic_kind(problem)
    backend = require_backend(solver, kind, options.threads)
    started = time.perf_counter()
    raw, objective = backend.solve_conic(problem, options)
    residuals = None
    if raw.x is not None:
        worst = [float(np.max(c.violation(), initial=0.0)) for c in problem.constraints]
        residuals = Residuals(row=max(worst, default=0.0), column=0.0)
        raw = judged_conic(raw, residuals.row, backend)
    else:
        raw = _verifier(backend, options, started).without_point(problem, kind, raw)
    result = _assembled(raw, backend, options, time.perf_counter() - started)
    if raw.x is None:
        return result
    return replace(
        result,
        objective=objective,
        residuals=residuals,
        column_names=tuple(
            f"{v.name()}_{index}" for v in problem.variables() for index in range(v.size)
        ),
    )


def _conic_kind(problem: Any) -> str:
    if problem.is_mixed_integer():
        return "MIP"
    if problem.is_lp():
        return "LP"
    return "QP" if problem.is_qp() else "conic"


def _certified(
    program: LinearProgram,
    raw: RawSolution,
    verifier: Verifier,
    seconds: float,
) -> SolveResult:
    """The result with objective, bound and residuals recomputed from the program."""
    result = replace(
        _assembled(raw, verifier.backend, verifier.options, seconds),
        build_seconds=program.build_seconds,
        program_name=program.name,
        column_names=program.column_names,
        row_names=program.row_names,
        program=program,
    )
    if raw.x is None:
        return replace(result, bound=raw.bound)
    proof = verifier.proofs.get(id(program))
    residuals, bound = certify(program, raw.x, raw.row_duals, raw.bound, proof=proof)
    return replace(
        result,
        objective=program.objective(raw.x),
        bound=bound,
        row_duals=raw.row_duals,
        residuals=residuals,
    )


def _assembled(
    raw: RawSolution, backend: Backend, options: SolverSettings, seconds: float
) -> SolveResult:
    """What the backend itself says, with nothing recomputed yet."""
    return SolveResult(
        status=raw.status,
        objective=None,
        bound=None,
        x=raw.x,
        row_duals=None,
        residuals=None,
        solver=backend.name,
        solver_version=backend.version(),
        options=options.as_dict(),
        build_seconds=math.nan,
        solve_seconds=seconds,
        iterations=raw.iterations,
        message=raw.message,
        program_name="cvxpy problem",
        column_names=(),
        row_names=(),
    )


__all__ = [
    "SOLVERS",
    "CutOptions",
    "SolverInfo",
    "Solving",
    "Status",
    "able_backend",
    "get_backend",
    "open_cutting_planes",
    "refuse_unused",
    "solve",
    "solver_table",
]
