"""One function, :func:`solve`, for every program and every solver.

A program is presolved and scaled, handed to the backend of the solver's name, and what the backend
says is verified before it is a result.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cpe_opt.errors import InputError, SolverUnable
from cpe_opt.modelling.certify import Residuals, certify, relative_gap
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.lazy import CutOptions, LazyProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram, wolfe_proof
from cpe_opt.modelling.result import NotOptimal, SolveResult, Status
from cpe_opt.solvers.base import Backend, Process, RawSolution, SolverSettings, limited
from cpe_opt.solvers.cutting_planes import CuttingPlanes
from cpe_opt.solvers.recording import record
from cpe_opt.solvers.registry import (
    backend_in,
    check_start,
    get_backend,
    require_backend,
    runs_in,
)
from cpe_opt.solvers.scaling import ScaledSession, cost_factor, presolved, scaled
from cpe_opt.solvers.verification import Verifier
from cpe_opt.solvers.warm_start import WarmStart, start_of
from cpe_opt.validation import Positive, PositiveInt, PositiveOrInfinite, Seed, checked_types

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
    warm_start: WarmStart | None = None,
    process: Process | None = None,
    memory_limit: Positive | None = None,
) -> SolveResult:
    """Solve a program.

    Parameters
    ----------
    program : LinearProgram, QuadraticProgram, LazyProgram or ConicProgram
    solver : str
        A name in ``cpe_opt.SOLVERS``; ``name@folder``, one of these by the packages of a folder; or
        ``file.py:name``, a class of a script that inherits from
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
    warm_start : mapping of str to float, or path, optional
        Values of columns by name, or a file of them
        (:func:`cpe_opt.solvers.warm_start.read_values`), to start from; for a linear program all of
        them. For ``highs`` and ``gurobi``, and of integer programs ``scip``, ``cp-sat``,
        ``copt``, ``xpress`` and ``cplex``; not for quadratic, lazy and cone programs.
    process : "here" or "child", optional
        In a process of its own (:mod:`cpe_opt.solvers.child`) a solver may crash, hang and print as
        it likes: the result says so. Here by default, unless the solver's libraries clash with
        those of HiGHS.
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
    options = SolverSettings(
        time_limit, threads, seed, log, dict(solver_options or {}), None, process, memory_limit
    )
    if memory_limit is not None and runs_in(get_backend(solver), process) == "here":
        raise InputError('memory_limit is for a process of its own: pass process="child", too')
    if warm_start is not None and isinstance(program, LazyProgram | ConicProgram):
        raise SolverUnable(
            f"a {type(program).__name__} takes no warm start, {program.name!r} is one"
        )
    if isinstance(program, LinearProgram):
        result = _solve_linear(program, solver, options, warm_start)
    elif isinstance(program, QuadraticProgram):
        result = _solve_quadratic(program, solver, options, warm_start)
    elif isinstance(program, LazyProgram):
        result = _solve_lazy(program, solver, options, cut_options)
    elif isinstance(program, ConicProgram):
        result = _solve_conic(program, solver, options)
    else:
        raise InputError(
            f"cannot solve a {type(program).__name__}: expected a LinearProgram, a "
            'QuadraticProgram, a LazyProgram or a ConicProgram; ConicProgram("name", problem) '
            "makes one of a cvxpy.Problem"
        )
    written = program if isinstance(program, ConicProgram) else result.program
    record(lambda: written, result.objective, result.solve_seconds, result.solver)
    if check and not result.is_optimal:
        raise NotOptimal(result)
    return result


def _solve_linear(
    program: LinearProgram, solver: str, options: SolverSettings, warm_start: WarmStart | None
) -> SolveResult:
    backend = require_backend(solver, program.kind, options.threads, options.process)
    if warm_start is not None:
        check_start(backend, program.kind)
        options = replace(options, start=start_of(program, warm_start))
    started = time.perf_counter()
    verifier = verifier_of(backend, options, started)
    whole = presolved(program)
    if isinstance(whole, str):
        raw = RawSolution(Status.INFEASIBLE, message=whole)
    else:
        inside = scaled(whole)
        settings = inside.settings(limited(options, options.time_left(started)))
        raw = backend.solve(inside.program, settings)
        raw = inside.restored(verifier.judged(inside.program, raw))
    return _certified(program, raw, verifier, time.perf_counter() - started)


def _solve_quadratic(
    program: QuadraticProgram, solver: str, options: SolverSettings, warm_start: WarmStart | None
) -> SolveResult:
    backend = require_backend(solver, program.kind, options.threads, options.process)
    if warm_start is not None:
        check_start(backend, program.kind)
        options = replace(options, start=start_of(program.linear, warm_start))
    started = time.perf_counter()
    verifier = verifier_of(backend, options, started)
    whole = presolved(program.linear)
    if isinstance(whole, str):
        raw = RawSolution(Status.INFEASIBLE, message=whole)
    else:
        inside = scaled(whole, program.quadratic)
        held = program.rescaled(inside.program, inside.quadratic)
        settings = inside.settings(limited(options, options.time_left(started)))
        raw = verifier.judged(held, backend.solve_quadratic(held, settings))
        raw = inside.restored(raw)
    seconds = time.perf_counter() - started
    return _certified(program, raw, verifier, seconds)


def _solve_lazy(
    lazy: LazyProgram, solver: str, options: SolverSettings, cuts: CutOptions | None
) -> SolveResult:
    started = time.perf_counter()
    backend = require_backend(solver, lazy.kind, options.threads, options.process)
    _refuse_faults(backend, lazy)
    verifier = verifier_of(backend, options, started)
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
    loop = CuttingPlanes(lazy, session, cuts or CutOptions(tolerance=backend.cut_tolerance))
    raw = loop.run(options.time_left(started))
    program = loop.program
    raw = verifier.judged(program, raw)
    if raw.status is Status.UNBOUNDED:
        raw = replace(raw, status=Status.IMPRECISE, message=_UNBOUNDED_RELAXATION)
    iterations = sum(entry.iterations for entry in loop.log)
    result = _certified(program, raw, verifier, time.perf_counter() - started)
    return replace(result, iterations=iterations, cut_rounds=tuple(loop.log))


def _refuse_faults(backend: Backend, program: LazyProgram | ConicProgram) -> None:
    """Refuse what this version is known to get wrong, where no second solver can tell."""
    if fault := backend.fault(program.kind):
        raise SolverUnable(f"solver {backend.name!r} does not solve {program.name!r}: {fault}")


def verifier_of(backend: Backend, options: SolverSettings, started: float) -> Verifier:
    """What checks the answers of this backend; the time limit began at this ``perf_counter``."""
    deadline = None if options.time_limit is None else started + options.time_limit
    # "here" is said of the solver that was asked for; where others run is for them to say.
    others: Process | None = "child" if options.process == "child" else None
    return Verifier(backend, options, deadline, lambda name: backend_in(name, others))


def _solve_conic(program: ConicProgram, solver: str, options: SolverSettings) -> SolveResult:
    backend = require_backend(solver, program.kind, options.threads, options.process)
    _refuse_faults(backend, program)
    started = time.perf_counter()
    raw, objective = backend.solve_conic(program.problem, options)
    residuals = None
    verifier = verifier_of(backend, options, started)
    if raw.x is None or objective is None:
        raw = verifier.without_point(program, raw)
    else:
        violation = program.violation()
        raw = verifier.judged_conic(program, raw, objective, violation)
        gap = math.nan if raw.bound is None else relative_gap(objective, raw.bound)
        residuals = Residuals(row=violation, column=0.0, gap=gap)
    result = _reported(program, raw, verifier, time.perf_counter() - started)
    return result if raw.x is None else replace(result, objective=objective, residuals=residuals)


def _certified(
    program: LinearProgram | QuadraticProgram,
    raw: RawSolution,
    verifier: Verifier,
    seconds: float,
) -> SolveResult:
    """The result with objective, bound and residuals recomputed from the program."""
    result = _reported(program, raw, verifier, seconds)
    result = replace(result, row_names=program.row_names, program=program)
    if raw.x is None:
        return result
    result = replace(result, objective=program.objective(raw.x))
    if isinstance(program, LinearProgram):
        proof = verifier.proofs.get(id(program))
        residuals, bound = certify(program, raw.x, raw.row_duals, raw.bound, proof=proof)
        return replace(result, bound=bound, row_duals=raw.row_duals, residuals=residuals)
    bound, duals, point, dual = raw.bound, None, None, math.nan
    if raw.row_duals is not None and not program.is_integer:
        touching = raw.x if raw.tangent_point is None else raw.tangent_point
        tangent, point = wolfe_proof(program, touching, raw.row_duals)
        bound, duals, dual = tangent.bound, tangent.row_duals, tangent.residual
    gap = math.nan if bound is None else relative_gap(program.objective(raw.x), bound)
    residuals = replace(certify(program.linear, raw.x)[0], dual=dual, gap=gap)
    return replace(result, bound=bound, row_duals=duals, residuals=residuals, tangent_point=point)


def _reported(
    program: LinearProgram | QuadraticProgram | ConicProgram,
    raw: RawSolution,
    verifier: Verifier,
    seconds: float,
) -> SolveResult:
    """What the backend itself says, with nothing recomputed yet."""
    return SolveResult(
        status=raw.status,
        objective=None,
        bound=raw.bound,
        x=raw.x,
        row_duals=None,
        residuals=None,
        solver=verifier.backend.name,
        solver_version=verifier.backend.version(),
        options=verifier.options.as_dict(),
        build_seconds=program.build_seconds,
        solve_seconds=seconds,
        iterations=raw.iterations,
        message=raw.message,
        program_name=program.name,
        column_names=program.column_names,
        row_names=(),
        ranger=_ranging,
    )


def _ranging(result: SolveResult) -> Any:
    """The ranging of a result, by what takes time to import."""
    from cpe_opt.solvers.ranging import ranging

    return ranging(result)
