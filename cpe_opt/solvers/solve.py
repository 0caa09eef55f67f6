r"""One function, :func:`solve`, for every program and every solver.

A program goes to the backend of the solver's name as it is, and what the backend says is verified
before it is a result. A cone program that is linear or quadratic is solved as one, by any solver of
these.

**What a solver says is believed only where numbers agree with it.** A point and a bound are
recomputed from the program as it was given, in its own units, in the order in which
:func:`verified` reads:

1. *The point.* Columns that must be whole are rounded, columns a little outside of their bounds
   moved to the bound. It must keep every bound and every row
   (:func:`~cpe_opt.modelling.certify.tolerances`).
2. *The bound*, from the other side. Of a linear program by weak duality, from the solver's duals or
   HiGHS's; of a quadratic program by the tangent at the point
   (:mod:`cpe_opt.modelling.quadratic`), or at a second solver's; of an integer program it is the
   solver's word, if the relaxation has a bound at all, and no number is so small or large that
   solvers may lose it (below 1e-6 where that matters, above 1e9), else the relaxation's.
3. *The decision.* "Optimal" is claimed where value and bound agree within
   :math:`10^{-6} \max(1, |\text{value}|)`.

*Infeasible*: the least total violation of the rows, a linear program, has a lower bound above 0 by
weak duality (Farkas), by more than rounding. Where an integer program has a feasible relaxation, a
second solver must agree, and its numbers must be as above, none below 1e-9 of the largest in its
row. *Unbounded*: there is a point, and a ray d along which the objective improves while no row is
left, up to 1e-12 of the terms of each sum; of a quadratic program also :math:`Q d = 0`.

What is not confirmed is ``IMPRECISE``, with the reason in ``message``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, SolverUnable, UnknownName
from cpe_opt.modelling.certify import (
    ROUNDING,
    TOLERANCE,
    DualProof,
    Residuals,
    dual_proof,
    least_violation,
    relative_gap,
    residuals_of,
    sign_of,
    tolerances,
)
from cpe_opt.modelling.conic import ConicProgram, as_program
from cpe_opt.modelling.program import CutOptions, LazyProgram, LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram, wolfe_proof
from cpe_opt.modelling.result import NotOptimal, SolveResult, Status
from cpe_opt.solvers.base import NO_OPTIMUM, Backend, Process, RawSolution, SolverSettings
from cpe_opt.solvers.cutting_planes import CuttingPlanes
from cpe_opt.solvers.recording import ACTIVE
from cpe_opt.solvers.registry import check_start, require_backend
from cpe_opt.validation import (
    Finite,
    Positive,
    PositiveInt,
    PositiveOrInfinite,
    Seed,
    checked,
    checked_types,
)

_UNBOUNDED_RELAXATION = (
    "the rows listed so far leave the objective unbounded, which says nothing of all rows: give "
    "the columns finite bounds"
)


@checked_types
def solve(
    program: LinearProgram | QuadraticProgram | LazyProgram | ConicProgram,
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
    if (recording := ACTIVE.get()) is not None:
        recording.record(lambda: written, result.objective, result.solve_seconds, result.solver)
    if check and result.status is not Status.OPTIMAL:
        raise NotOptimal(result)
    return result


def _start(program: LinearProgram, values: Mapping[str, float]) -> FloatArray:
    """The values as a point, NaN where there is none; shape (columns,)."""
    column_of = {name: number for number, name in enumerate(program.column_names)}
    start = np.full(program.shape[1], np.nan)
    for name, value in values.items():
        if name not in column_of:
            raise UnknownName(f"column of {program.name}", name, program.column_names)
        start[column_of[name]] = checked(f"warm_start: {name}", value, Finite)
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


# What a solver says is believed only where numbers agree with it.


_RAY = 1e-12  # of the terms of a sum: what rounding leaves of 0
_GAIN = 1e-7  # of the terms of the objective: what it must improve by along a ray
_DROPPED = 1e-9  # of the largest coefficient of a row: what solvers may take for 0
_ORDINARY = (1e-6, 1e9)  # sizes of numbers of which an integer program's bound is believed
_LOST = 1e-9  # the size of a term of a row that may be lost
_STEEP = 1e3  # of the value: a cost that turns a tolerance of 1e-9 into one of 1e-6
_SECOND_LOOK = 10.0  # seconds
# Who is asked for duals that prove a bound, in turn. Those of an interior point method lie inside
# of the feasible duals, where rounding turns no sign.
_INTERIOR = {"solver": "ipm", "run_crossover": "off", "ipm_optimality_tolerance": 1e-10}
_LINEAR_PROOFS: tuple[tuple[str, dict[str, Any]], ...] = (("highs", {}), ("highs", _INTERIOR))
_QUADRATIC_PROOFS: tuple[tuple[str, dict[str, Any]], ...] = (("clarabel", {}), ("highs", {}))

Program = LinearProgram | QuadraticProgram


@dataclass(frozen=True)
class Verdict:
    """What is believed of a solve; the fields are those of a :class:`SolveResult`."""

    status: Status
    message: str = ""
    x: FloatArray | None = None
    row_duals: FloatArray | None = None
    bound: float | None = None
    residuals: Residuals | None = None


@dataclass(frozen=True)
class Verifier:
    """Checks what one backend said of programs."""

    backend: Backend
    settings: SolverSettings
    deadline: float | None
    backend_of: Callable[[str], Backend]

    def verified(self, program: Program, raw: RawSolution) -> Verdict:
        """What is believed of the solver's answer."""
        if fault := _malformed(program, raw):
            return Verdict(Status.ERROR, f"{self.backend.name} returned {fault}")
        if raw.status in NO_OPTIMUM:
            return self._without_optimum(program, raw)
        x, broken = _point(program, raw)
        proof = self._proof(program, x, raw)
        bound = proof.bound
        value = np.nan if x is None else program.objective(x)
        residuals = None if x is None else residuals_of(program.linear, x, value, proof)
        row_duals = None if bound is None or program.is_integer else proof.row_duals
        verdict = Verdict(raw.status, raw.message, x, row_duals, bound, residuals)
        within = TOLERANCE * max(1.0, abs(value))
        ahead = np.nan if bound is None else sign_of(program.linear) * (bound - value)
        contradicted = program.is_integer and not broken and ahead > within
        if contradicted:
            verdict = replace(verdict, bound=None)
        if raw.status is not Status.OPTIMAL:
            if not broken or raw.status in (Status.ROUND_LIMIT, Status.IMPRECISE):
                return verdict
            return replace(verdict, x=None, residuals=None, message=f"{raw.message}; {broken}")
        if x is None or broken:
            bare = replace(verdict, bound=None) if program.is_integer else verdict
            return self._imprecise(bare, broken or "it gives no point")
        if bound is None:
            return self._imprecise(verdict, "nothing proves a bound")
        if contradicted:
            reason = f"its bound {bound:.10g} contradicts its point of value {value:.10g}"
            return self._imprecise(verdict, reason)
        if abs(ahead) <= within:
            if residuals is not None and residuals.lead > within:
                said = f"within the tolerance of rows the optimum may be {residuals.lead:.3g} worse"
                verdict = replace(verdict, message=said)
            return verdict
        gap = f"{abs(ahead):.3g} apart from its bound"
        if self.backend.gap_options & set(self.settings.solver_options):
            message = f"stopped at a value {gap}, as its options allow"
            return replace(verdict, status=Status.GAP_LIMIT, message=message)
        return self._imprecise(verdict, f"its value is {gap}")

    def _imprecise(self, verdict: Verdict, reason: str) -> Verdict:
        says = f"{self.backend.name} says {verdict.status.value!r}, but {reason}"
        message = f"{says} ({verdict.message})" if verdict.message else says
        return replace(verdict, status=Status.IMPRECISE, message=message)

    # The bound

    def _proof(self, program: Program, x: FloatArray | None, raw: RawSolution) -> DualProof:
        """The bound that can be proved, by the solver's duals or, of an optimum, by others."""
        if program.is_integer:
            if raw.bound is None or not np.isfinite(raw.bound) or raw.status is Status.ERROR:
                return DualProof(None)
            believed = _is_ordinary(program, x) and self._ends(program)
            return DualProof(raw.bound if believed else self._relaxed_bound(program))
        best = _proved(program, x, raw.row_duals)
        if x is None or raw.status is not Status.OPTIMAL:
            return best
        value, residual = program.objective(x), best.residual
        others = _LINEAR_PROOFS if isinstance(program, LinearProgram) else _QUADRATIC_PROOFS
        for name, options in others:
            if best.bound is not None and relative_gap(value, best.bound) <= TOLERANCE:
                break
            if name != self.backend.name or options:
                other = self.ask(name, program, options=options)
                best = _best(program, best, _proved(program, other.x, other.row_duals))
        return best._replace(residual=residual)

    def _ends(self, program: Program) -> bool:
        """Whether an integer program's relaxation is bounded, as far as that needs a proof.

        A solver may take a cost that is small next to the others for none at all, and then finds an
        optimum if there is none.
        """
        linear = program.linear
        ends = np.concatenate([linear.column_lower, linear.column_upper])
        if isinstance(program, LinearProgram):  # only where the objective improves
            gains = -sign_of(linear) * linear.costs
            ends = np.where(gains > 0.0, linear.column_upper, linear.column_lower)[gains != 0.0]
        return bool(np.isfinite(ends).all()) or self._relaxed_bound(program) is not None

    def _relaxed_bound(self, program: Program) -> float | None:
        """A bound that is proved of the program without whole columns."""
        relaxed: Program = _relaxed(program.linear)
        name = "highs"
        if isinstance(program, QuadraticProgram):
            relaxed, name = program.with_linear(relaxed.linear), "clarabel"
        raw = self.ask(name, relaxed)
        return _proved(relaxed, raw.x, raw.row_duals).bound

    # No optimum

    def _without_optimum(self, program: Program, raw: RawSolution) -> Verdict:
        """The claim that there is no optimum, confirmed by a ray or by a second solver."""
        verdict = Verdict(raw.status, raw.message)
        rays = program if isinstance(program, LinearProgram) else program.recession()
        has_point = self._has_point(_relaxed(program.linear))
        endless = bool(has_point) and raw.status is not Status.INFEASIBLE
        endless = endless and self.improving_ray(rays) is not None
        if has_point and program.is_integer:
            torn = raw.status is Status.UNBOUNDED and not endless
            has_point = None if torn else self._has_whole_point(program.linear)
        if has_point is None:
            return self._imprecise(verdict, "that could not be confirmed")
        if not has_point:
            return replace(verdict, status=Status.INFEASIBLE)
        if endless:
            return replace(verdict, status=Status.UNBOUNDED)
        reason = "there is a point that satisfies every row"
        if raw.status is not Status.INFEASIBLE:
            reason = "there is a point, and no improving ray was found"
        return self._imprecise(verdict, reason)

    def _has_point(self, program: LinearProgram) -> bool | None:
        """Whether there is a point of a program without whole columns; None if that stays open.

        There is none where the least violation of the rows is above 0 by weak duality (Farkas).
        """
        phase = least_violation(program)
        for name, options in _LINEAR_PROOFS:
            raw = self.ask(name, phase, options=options)
            proof = _proved(phase, None, raw.row_duals)
            if proof.bound is not None and proof.bound > ROUNDING * proof.terms:
                return False
            x = None if raw.x is None else raw.x[: program.shape[1]]
            x, broken = _point(program, replace(raw, x=x))
            if x is not None and not broken:
                return True
        return None

    def improving_ray(self, program: LinearProgram) -> FloatArray | None:
        """A ray along which the objective improves without end, of entries up to 1; or None."""
        box = directions(program)
        raw = self.ask("highs", box)
        if raw.x is None:
            return None
        ray = np.where(np.abs(raw.x) > _RAY, raw.x, 0.0)
        ray = np.clip(ray, box.column_lower, box.column_upper)
        return ray if improves(program, ray) else None

    def _has_whole_point(self, program: LinearProgram) -> bool | None:
        """Whether another solver has a point of the rows; None if it cannot be believed either.

        SCIP, and where it is not installed or was asked at first HiGHS, by another seed and without
        its presolve, for at most ``_SECOND_LOOK`` seconds.
        """
        entries = abs(program.matrix).tocoo()
        largest = abs(program.matrix).max(axis=1).toarray().ravel()[entries.coords[0]]
        narrow = ((entries.data >= _DROPPED * largest) | (entries.data == 0.0)).all()
        bare = replace(program, costs=np.zeros(program.shape[1]), offset=0.0)
        if self.backend.name != "scip" and self.backend_of("scip").available:
            raw = self.ask("scip", bare)
        else:
            options = {"presolve": "off"}
            raw = self.ask("highs", bare, seed=1, options=options, most=_SECOND_LOOK)
        if raw.status is Status.INFEASIBLE:
            return False if narrow and _is_ordinary(bare, None) else None
        x, broken = _point(bare, raw)
        return None if x is None or broken else True

    def ask(
        self,
        solver: str,
        program: Program,
        *,
        seed: int = 0,
        options: dict[str, Any] | None = None,
        most: float | None = None,
    ) -> RawSolution:
        """What a solver says of a program of a proof, within what is left of the time limit."""
        settings = replace(
            self.settings, seed=seed, log=False, solver_options=options or {}, start=None
        )
        left = None if self.deadline is None else self.deadline - time.perf_counter()
        if most is not None:
            left = most if left is None else min(left, most)
        return self.backend_of(solver).solve(program, settings.limited(left))


def _is_ordinary(program: Program, x: FloatArray | None) -> bool:
    """Whether no number is so large or small that solvers of integer programs may lose it.

    A coefficient may be small where its term is too small to matter, and a cost of a column that
    need not be whole may be large next to the value.
    """
    linear = program.linear
    reach = np.fmax(np.abs(linear.column_lower), np.abs(linear.column_upper))
    value = 0.0 if x is None else abs(program.objective(x))
    if (np.abs(linear.costs[~linear.integer]) > _STEEP * max(1.0, value)).any():
        return False
    entries, costs = np.abs(linear.matrix.data), np.abs(linear.costs)
    small = (entries > 0.0) & (entries < _ORDINARY[0])
    cheap = (costs > 0.0) & (costs < _ORDINARY[0])
    lost = (entries[small] * reach[linear.matrix.indices[small]]).max(initial=0.0)
    wasted = (costs[cheap] * reach[cheap]).sum()
    largest = np.concatenate([entries, costs, reach[np.isfinite(reach)]]).max(initial=0.0)
    return bool(lost <= _LOST and wasted <= TOLERANCE * max(1.0, value) and largest <= _ORDINARY[1])


def _malformed(program: Program, raw: RawSolution) -> str:
    """Why an answer has not the form of one; empty if it has."""
    sizes = program.shape
    for what, given, size in (("a point", raw.x, sizes[1]), ("duals", raw.row_duals, sizes[0])):
        if given is not None and np.shape(given) != (size,):
            return f"{what} of shape {np.shape(given)}, expected ({size},)"
    return ""


def _point(program: Program, raw: RawSolution) -> tuple[FloatArray | None, str]:
    """The point with whole columns rounded, within bounds; and what it breaks, in words."""
    if raw.x is None:
        return None, ""
    if not np.isfinite(raw.x).all():
        return None, "its point is not finite"
    linear = program.linear
    x = np.array(raw.x, dtype=np.float64)
    whole = np.round(x[linear.integer]) + 0.0
    if np.abs(x[linear.integer] - whole).max(initial=0.0) > TOLERANCE:
        return x, "its point has columns that are not whole"
    x[linear.integer] = whole
    inside = np.clip(x, linear.column_lower, linear.column_upper)
    far = np.flatnonzero(np.abs(inside - x) > TOLERANCE * np.maximum(1.0, np.abs(inside)))
    if far.size:
        return x, f"its point breaks a bound of column {linear.column_names[far[0]]!r}"
    broken = linear.row_block.violation(inside)
    excess = broken - tolerances(linear, inside)
    if excess.max(initial=0.0) > 0.0:
        row = int(excess.argmax())
        return inside, f"its point breaks row {linear.row_names[row]!r} by {broken[row]:.3g}"
    return inside, ""


def _proved(program: Program, x: FloatArray | None, row_duals: FloatArray | None) -> DualProof:
    """What these duals of rows prove of a program without whole columns."""
    if row_duals is None or not np.isfinite(row_duals).all():
        return DualProof(None)
    if isinstance(program, LinearProgram):
        return dual_proof(program, row_duals)
    if x is None or not np.isfinite(x).all():
        return DualProof(None)
    # Multipliers of rows that the point does not meet are 0, up to what the solver left of them.
    rows = program.linear.row_block
    slack = np.fmin(np.abs(rows.matrix @ x - rows.lower), np.abs(rows.matrix @ x - rows.upper))
    met = np.where(slack <= tolerances(program.linear, x), row_duals, 0.0)
    proofs = [wolfe_proof(program, x, duals) for duals in (row_duals, met)]
    return _best(program, *(proof._replace(point=point) for proof, point in proofs))


def _best(program: Program, *proofs: DualProof) -> DualProof:
    """The first proof of the best bound."""
    sign = sign_of(program.linear)
    return max(proofs, key=lambda each: -np.inf if each.bound is None else sign * each.bound)


def _relaxed(program: LinearProgram) -> LinearProgram:
    """The program without whole columns."""
    if not program.is_integer:
        return program
    return replace(program, integer=np.zeros(program.shape[1], dtype=np.bool_))


def directions(program: LinearProgram) -> LinearProgram:
    """The program of the best direction that leaves no row and no bound, no entry larger than 1."""
    return replace(
        _relaxed(program),
        offset=0.0,
        column_lower=np.where(np.isfinite(program.column_lower), 0.0, -1.0),
        column_upper=np.where(np.isfinite(program.column_upper), 0.0, 1.0),
        row_lower=np.where(np.isfinite(program.row_lower), 0.0, -np.inf),
        row_upper=np.where(np.isfinite(program.row_upper), 0.0, np.inf),
    )


def improves(program: LinearProgram, ray: FloatArray) -> bool:
    """Whether the objective improves without end along a ray, shape (columns,), from any point.

    Costs may differ by many powers of ten, so what counts is the gain next to the terms that it is
    the sum of, and the activity of each row next to its own.
    """
    falls, rises = ray < 0.0, ray > 0.0
    if (falls & np.isfinite(program.column_lower)).any():
        return False
    if (rises & np.isfinite(program.column_upper)).any():
        return False
    activity, reach = program.matrix @ ray, np.abs(ray)
    below = np.where(np.isfinite(program.row_lower), -activity, 0.0)
    above = np.where(np.isfinite(program.row_upper), activity, 0.0)
    if (np.maximum(below, above) > _RAY * (abs(program.matrix) @ reach)).any():
        return False
    gain = -sign_of(program) * float(program.costs @ ray)
    return gain > _GAIN * float(np.abs(program.costs) @ reach)
