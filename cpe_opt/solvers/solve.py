"""One function, :func:`solve`, for every program and every solver.

A program goes to the backend of the solver's name as it is, and what the backend says is verified
before it is a result (:mod:`cpe_opt.solvers.verification`). A cone program that is linear or
quadratic is solved as one, by any solver of these.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, SolverUnable, UnknownName
from cpe_opt.modelling.certify import Residuals, relative_gap
from cpe_opt.modelling.conic import ConicProgram, as_program
from cpe_opt.modelling.program import CutOptions, LazyProgram, LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult, Status
from cpe_opt.solvers.base import Backend, Process, RawSolution, SolverSettings
from cpe_opt.solvers.cutting_planes import CuttingPlanes
from cpe_opt.solvers.recording import record
from cpe_opt.solvers.registry import check_start, require_backend
from cpe_opt.solvers.verification import Verdict, Verifier
from cpe_opt.validation import (
    Positive,
    PositiveInt,
    PositiveOrInfinite,
    Seed,
    checked_finite,
    checked_types,
)

_UNBOUNDED_RELAXATION = (
    "the rows listed so far leave the objective unbounded, which says nothing of all rows: give "
    "the columns finite bounds"
)


@checked_types
def solve(
    program: LinearProgram | QuadraticProgram | LazyProgram | ConicProgram | Any,
    solver: str = "highs",
    *,
    time_limit: PositiveOrInfinite | None = None,
    threads: PositiveInt = 1,
    seed: Seed = 0,
    log: bool = False,
    solver_options: Mapping[str, Any] | None = None,
    check: bool = True,
    cut_options: CutOptions | None = None,
    warm_start: Mapping[str, float] | None = None,
    process: Process | None = None,
    memory_limit: Positive | None = None,
) -> SolveResult:
    """Solve a program.

    Parameters
    ----------
    program : LinearProgram, QuadraticProgram, LazyProgram or ConicProgram
    solver : str
        A name in ``cpe_opt.SOLVERS``, or ``file.py:name``, a class of a script that inherits from
        :class:`cpe_opt.solvers.base.Backend`.
    time_limit : float, optional
        Seconds; reaching it is a status of its own.
    threads : int
        More than one for ``highs``, ``cp-sat`` and solvers with a commercial licence alone.
    seed : int
    log : bool
        Print the solver's log.
    solver_options : mapping, optional
        The solver's own options by their own names, checked against what it knows.
    check : bool
        Raise :class:`NotOptimal` unless an optimum was proved.
    cut_options : CutOptions, optional
        For a lazy program: tolerance, cap on cuts a round, purging.
    warm_start : mapping of str to float, optional
        Values of columns by name to start from, such as the ``values`` of another result: of a
        linear program all of them, an integer program may leave some out. For ``highs``, and of
        integer programs ``scip`` and ``cp-sat``; not for quadratic, lazy and cone programs.
    process : "here" or "child", optional
        In a process of its own (:mod:`cpe_opt.solvers.child`) a solver may crash, hang and print as
        it likes: the result says so. Here by default.
    memory_limit : float, optional
        Megabytes, of a process of its own; reaching it is another limit.

    Raises
    ------
    UnknownName, SolverMissing, SolverUnable, InputError, NotOptimal

    Examples
    --------
    >>> from cpe_opt.modelling.builder import ProgramBuilder
    >>> builder = ProgramBuilder("knapsack", sense="max")
    >>> take = builder.columns("take", 3, cost=[60, 100, 120], upper=1, integer=True)
    >>> _ = builder.row("weight", take, [10, 20, 30], upper=50)
    >>> solve(builder.build()).objective
    220.0
    """
    settings = SolverSettings(
        time_limit, threads, seed, log, dict(solver_options or {}), None, process, memory_limit
    )
    if memory_limit is not None and process != "child":
        raise InputError('memory_limit is for a process of its own: pass process="child", too')
    if not isinstance(program, LinearProgram | QuadraticProgram | LazyProgram | ConicProgram):
        raise InputError(
            f"cannot solve a {type(program).__name__}: expected a LinearProgram, a "
            'QuadraticProgram, a LazyProgram or a ConicProgram; ConicProgram("name", problem) '
            "makes one of a cvxpy.Problem"
        )
    backend = require_backend(solver, program.kind, threads, process)
    if warm_start is not None:
        if isinstance(program, LazyProgram | ConicProgram):
            kind = type(program).__name__
            raise SolverUnable(f"a {kind} takes no warm start, {program.name!r} is one")
        check_start(backend, program.kind)
        settings = replace(settings, start=_start(program.linear, warm_start))
    if isinstance(program, LazyProgram):
        result = _solve_lazy(program, backend, settings, cut_options)
    elif isinstance(program, ConicProgram):
        result = _solve_conic(program, backend, settings)
    else:
        result = _solve_listed(program, backend, settings)
    written = program if isinstance(program, ConicProgram) else result.program
    record(lambda: written, result.objective, result.solve_seconds, result.solver)
    if check and not result.is_optimal:
        raise NotOptimal(result)
    return result


def _start(program: LinearProgram, values: Mapping[str, float]) -> FloatArray:
    """The values as a point, NaN where there is none; shape (columns,)."""
    column_of = {name: number for number, name in enumerate(program.column_names)}
    start = np.full(program.shape[1], np.nan)
    for name, value in values.items():
        if name not in column_of:
            raise UnknownName(f"column of {program.name}", name, program.column_names)
        start[column_of[name]] = checked_finite(f"warm_start: {name}", value)
    missing = np.flatnonzero(np.isnan(start))
    if missing.size == len(start):
        raise InputError(f"warm_start has no value of a column of {program.name!r}")
    if missing.size and not program.is_integer:
        name = program.column_names[missing[0]]
        raise InputError(f"warm_start has no value of {name!r}: a linear program needs all")
    return start


def _solve_listed(
    program: LinearProgram | QuadraticProgram, backend: Backend, settings: SolverSettings
) -> SolveResult:
    """Solve a program of which all rows are listed."""
    started = time.perf_counter()
    raw: Any = backend.solve(program, settings) if program.shape[1] else _without_columns(program)
    if not isinstance(raw, RawSolution):  # a solver of a script may return anything
        message = f"{backend.name} returned a {type(raw).__name__}, expected a RawSolution"
        raw = RawSolution(Status.ERROR, message=message)
    verdict = verifier_of(backend, settings, started).verified(program, raw)
    return _result(program, verdict, backend, settings, started, raw.iterations)


def _without_columns(program: LinearProgram | QuadraticProgram) -> RawSolution:
    """A program without columns is decided by its rows' sides."""
    linear = program.linear
    if ((linear.row_lower <= 0.0) & (linear.row_upper >= 0.0)).all():
        return RawSolution(Status.OPTIMAL, np.zeros(0), np.zeros(program.shape[0]))
    return RawSolution(Status.INFEASIBLE)


def _solve_lazy(
    lazy: LazyProgram, backend: Backend, settings: SolverSettings, cuts: CutOptions | None
) -> SolveResult:
    """Solve a program whose rows are found by separation."""
    started = time.perf_counter()
    session = backend.open(lazy.relaxation, settings)
    loop = CuttingPlanes(lazy, session, cuts or CutOptions(tolerance=backend.cut_tolerance))
    raw = loop.run(settings.time_left(started))
    program = loop.program
    verdict = verifier_of(backend, settings, started).verified(program, raw)
    if verdict.status is Status.UNBOUNDED:
        verdict = replace(verdict, status=Status.IMPRECISE, message=_UNBOUNDED_RELAXATION)
    iterations = sum(entry.iterations for entry in loop.log)
    result = _result(program, verdict, backend, settings, started, iterations)
    return replace(result, cut_rounds=tuple(loop.log))


def _solve_conic(program: ConicProgram, backend: Backend, settings: SolverSettings) -> SolveResult:
    """Solve a cone program, or what it is: a linear or a quadratic one."""
    if program.kind != "conic":
        plain, put = as_program(program)
        result = replace(
            _solve_listed(plain, backend, settings), program=None, row_names=(), row_duals=None
        )
        if result.x is None:
            return result
        put(result.x)
        return replace(result, x=program.x, column_names=program.column_names)
    from cpe_opt.solvers.cones import objective_of, solved_cones

    started = time.perf_counter()
    raw = solved_cones(program, backend, settings)
    verdict = Verdict(raw.status, raw.message, raw.x, bound=raw.bound)
    result = _result(program, verdict, backend, settings, started, raw.iterations)
    if raw.x is None:
        return result
    objective = objective_of(program, raw)
    gap = np.nan if raw.bound is None else relative_gap(objective, raw.bound)
    residuals = Residuals(row=program.violation(), column=0.0, gap=gap)
    return replace(result, objective=objective, residuals=residuals)


def verifier_of(backend: Backend, settings: SolverSettings, started: float) -> Verifier:
    """What checks the answers of this backend; the time limit began at this ``perf_counter``."""
    deadline = None if settings.time_limit is None else started + settings.time_limit
    backend_of = partial(require_backend, kind="LP", process=settings.process)
    return Verifier(backend, settings, deadline, backend_of)


def _result(
    program: LinearProgram | QuadraticProgram | ConicProgram,
    verdict: Verdict,
    backend: Backend,
    settings: SolverSettings,
    started: float,
    iterations: int,
) -> SolveResult:
    """What is believed, with who said it and how long that took."""
    listed = None if isinstance(program, ConicProgram) else program
    return SolveResult(
        status=verdict.status,
        objective=None if verdict.x is None or listed is None else listed.objective(verdict.x),
        bound=verdict.bound,
        x=verdict.x,
        row_duals=verdict.row_duals,
        residuals=verdict.residuals,
        solver=backend.name,
        solver_version=backend.version(),
        options=settings.as_dict(),
        build_seconds=program.build_seconds,
        solve_seconds=time.perf_counter() - started,
        iterations=iterations,
        message=verdict.message,
        program_name=program.name,
        column_names=program.column_names,
        row_names=() if listed is None else listed.row_names,
        program=listed,
    )
