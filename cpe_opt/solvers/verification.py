r"""What a solver says is believed only where numbers agree with it.

A point and a bound are recomputed from the program as it was given, in its own units, in the order
in which :func:`verified` reads:

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
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray
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
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram, wolfe_proof
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import NO_OPTIMUM, Backend, RawSolution, SolverSettings

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
    """Checks what one backend said of programs.

    ``backend_of`` gives the backend of a name, for the programs of proofs, and ``deadline`` is one
    of ``time.perf_counter``.
    """

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
