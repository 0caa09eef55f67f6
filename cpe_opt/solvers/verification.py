r"""What a solver says is believed only where numbers agree with it.

*Optimal*: the point satisfies every row, bound and integrality, and lies at the bound. The bound of
a linear program is that of its duals (:mod:`cpe_opt.modelling.certify`); of HiGHS's, where a solver
gives none or its own prove nothing; and of these moved into the interior of the dual feasible set,
where they prove nothing either. That of a quadratic program is the bound of its duals for the
tangent at the point (:mod:`cpe_opt.modelling.quadratic`), or of those of a second solver's point.
That of an integer program is the solver's word, which must not contradict the point; that there is
one at all is proved by its relaxation. Feasibility is measured by the backend's accuracy in units
of the scaled program: a row may be broken by that share of :math:`1 + \sum_j |a_{ij} x_j|`. The gap
must be at most the accuracy, relative to the values themselves, or be lost in the rounding of the
terms that they are sums of. Whole columns are rounded before, and a column that is a little outside
its bounds is moved to the bound, as it may be small next to that, or its cost large. A point that
breaks a row by what a proof of infeasibility could show, within these tolerances, is not believed
where there is such a proof.

Of a version that is known to return wrong optima of integer programs
(:mod:`cpe_opt.solvers.compatibility`) nothing is believed: SCIP solves the program again.

*Infeasible*: the least total violation of the rows, a linear program of its own, has a lower bound
above 0 by weak duality (Farkas). Where an integer program has a feasible relaxation, another solver
is asked for a point, unless the first computes in whole numbers (rows whose coefficients are more
than 1e8 apart stay open, because solvers drop the small ones); where OR-Tools cannot be imported,
HiGHS itself, without its presolve.

*Unbounded*: there is a point, and a ray along which the objective improves by more than 1e-7 of the
terms that the gain is the sum of, while it breaks no row by more than 1e-10 of its terms; of a
quadratic program, a ray d with :math:`Q d = 0`, up to the same share.

Of a conic problem the constraints must hold at an optimum, and multipliers in the dual cone prove
its bound (:mod:`cpe_opt.modelling.cone_duality`): Clarabel's own, or for another solver's point
those of a second solve by Clarabel; with whole variables, the solver's word. The gap is judged as
above. That there is no optimum must be the word of two solvers.

What is not confirmed is ``IMPRECISE``, with the reason in ``message``.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.modelling.certify import (
    ROUNDING,
    DualProof,
    blended_duals,
    dual_proof,
    interior_program,
    least_violation,
    reduced_costs,
    relative_gap,
)
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram, WolfeProof, wolfe_proof
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import Backend, RawSolution, SolverSettings, limited
from cpe_opt.solvers.compatibility import Combination

_TERMS = 1e-2  # of the accuracy: what rounding may take of the terms of a gap
_PROVED = 1e-10
_RAY = 1e-7
_DOUBTFUL = 1e-9  # of a row's terms and side: what a simplex method may break it by
_WHOLE = 1e-6  # how far from a whole number an integer column may be
_SECOND_LOOK = 10.0  # seconds
_DROPPED = 1e8  # times a coefficient of a row: what makes solvers take that one for 0
_NO_OPTIMUM = (Status.INFEASIBLE, Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED)


@dataclass(frozen=True)
class Verifier:
    """Checks what one backend said of one program.

    Attributes
    ----------
    deadline : float or None
        Of ``time.perf_counter``.
    backend_of : callable
        The backend of a name: HiGHS solves the programs of proofs.
    proofs : dict
        By the identity of a program, what the duals of its solution prove.
    """

    backend: Backend
    options: SolverSettings
    deadline: float | None
    backend_of: Callable[[str], Backend]
    proofs: dict[int, DualProof] = field(default_factory=dict, init=False)

    def judged(self, program: LinearProgram | QuadraticProgram, raw: RawSolution) -> RawSolution:
        """The solution with a status that can be believed."""
        given, raw = raw, self._formed(program, raw)
        if raw is not given and raw.status is Status.ERROR:
            return raw
        linear = program if isinstance(program, LinearProgram) else program.linear
        if raw.status in _NO_OPTIMUM:
            return self._without_optimum(program, raw)
        raw = self._usable(program, raw)
        reason = ""
        if raw.x is None:
            reason = "it gives no point"
        elif broken := infeasibility(linear, raw.x, self.backend.accuracy):
            reason = f"its point {broken}"
        if raw.status is not Status.OPTIMAL:
            return self._interrupted(program, raw, reason)
        if reason or raw.x is None:
            # The word of a solver that erred is worth nothing, a bound by duals is what it was.
            raw = replace(raw, bound=None) if program.is_integer else self._bounded(program, raw)
            return self._imprecise(raw, reason)
        if self._doubtful(linear, raw.x) and self._infeasible(_relaxation(linear)):
            return self._imprecise(replace(raw, bound=None), "no point satisfies every row")
        objective = program.objective(raw.x)
        raw = self._bounded(program, raw)
        bound = raw.bound
        if endless := self._endless(program, raw, objective):
            return endless
        if bound is None:
            return self._imprecise(raw, "nothing proves a bound")
        tolerance = self._agreement(program, raw, objective, bound)
        sign = 1.0 if program.sense == "min" else -1.0
        lead = sign * (objective - bound)
        if program.is_integer and lead < 0.0:
            if lead < -tolerance:
                reason = f"its bound {bound:.10g} contradicts its point of value {objective:.10g}"
                return self._imprecise(replace(raw, bound=None), reason)
            bound = objective
        raw = replace(raw, bound=bound)
        if abs(objective - bound) <= tolerance:
            return raw
        return self._apart(raw, relative_gap(objective, bound))

    def _formed(self, program: LinearProgram | QuadraticProgram, raw: Any) -> RawSolution:
        """The answer, an error where it has not the form of one; what is no number is left out."""
        if not isinstance(raw, RawSolution):
            kind = type(raw).__name__
            message = f"{self.backend.name} returned a {kind}, expected a RawSolution"
            return RawSolution(Status.ERROR, message=message)
        sizes = program.shape
        for what, given, size in (("point", raw.x, sizes[1]), ("duals", raw.row_duals, sizes[0])):
            if given is not None and np.shape(given) != (size,):
                message = f"{self.backend.name} returned {what} of shape {np.shape(given)}"
                return RawSolution(Status.ERROR, message=f"{message}, expected ({size},)")
        if raw.row_duals is not None and not np.isfinite(raw.row_duals).all():
            raw = replace(raw, row_duals=None)
        if raw.bound is not None and not np.isfinite(raw.bound):
            raw = replace(raw, bound=None)
        if raw.x is not None and not np.isfinite(raw.x).all():
            bare = replace(raw, x=None, bound=None)
            return self._imprecise(bare, "its point is not finite")
        formed: RawSolution = raw
        return formed

    def _usable(self, program: LinearProgram | QuadraticProgram, raw: RawSolution) -> RawSolution:
        """The solution with whole columns rounded, or another solver's where this one errs."""
        if isinstance(program, LinearProgram):
            raw = rounded(program, raw)
            fault = self.backend.fault("MIP") if program.is_integer else None
            return raw if fault is None else self._solved_again(program, raw, fault)
        return rounded(program.linear, raw)

    def _endless(
        self, program: LinearProgram | QuadraticProgram, raw: RawSolution, objective: float
    ) -> RawSolution | None:
        """What to say where the optimum of a quadratic program is a point far along a ray.

        A solver that adds a little curvature ends there; None if its bound is the objective, or
        there is no ray.
        """
        if isinstance(program, LinearProgram) or program.is_integer:
            return None
        if raw.bound is not None and relative_gap(objective, raw.bound) <= self.backend.accuracy:
            return None
        endless = self._without_optimum(program, replace(raw, status=Status.UNBOUNDED))
        return endless if endless.status is Status.UNBOUNDED else None

    def _apart(self, raw: RawSolution, gap: float) -> RawSolution:
        """A value and a bound that are not equal: what options allow, or not what was claimed."""
        if self.backend.gap_options & set(self.options.solver_options):
            message = f"stopped within a gap of {gap:.3g}, as its options allow"
            return replace(raw, status=Status.GAP_LIMIT, message=message)
        return self._imprecise(raw, f"its point is proved only within a gap of {gap:.3g}")

    def _interrupted(
        self, program: LinearProgram | QuadraticProgram, raw: RawSolution, reason: str
    ) -> RawSolution:
        """A solve that ended early: a point that is none is dropped, and a bound that is false."""
        raw = self._bounded(program, raw)
        bound = raw.bound
        if raw.x is None or raw.status is Status.ROUND_LIMIT:
            return raw
        if reason and raw.status is not Status.IMPRECISE:
            return replace(raw, x=None, message=f"{raw.message}; {reason}")
        sign = 1.0 if program.sense == "min" else -1.0
        if bound is not None and program.is_integer and not reason:
            objective = program.objective(raw.x)
            lead = sign * (objective - bound)
            if lead < 0.0:
                within = -lead <= self._agreement(program, raw, objective, bound)
                bound = objective if within else None
        return replace(raw, bound=bound)

    def _bounded(self, program: LinearProgram | QuadraticProgram, raw: RawSolution) -> RawSolution:
        """The solution with its bound, and with the duals that prove it where it has duals."""
        if program.is_integer:
            word = raw.bound is not None and self._has_bound(program)
            return raw if word else replace(raw, bound=None)
        if isinstance(program, QuadraticProgram):
            return self._bounded_by_tangent(program, raw)
        proof = None if raw.row_duals is None else dual_proof(program, raw.row_duals)
        # Duals of a solve that ended early prove what they prove: no other solve is worth it.
        claimed = raw.row_duals is None or raw.status is Status.OPTIMAL
        if claimed and raw.x is not None and (proof is None or proof.bound is None):
            proof = self._other_proof(program, raw)
        if proof is None or proof.bound is None:
            return replace(raw, bound=None)
        if raw.row_duals is None:
            return replace(raw, bound=proof.bound)
        self.proofs[id(program)] = proof
        return replace(raw, bound=proof.bound, row_duals=proof.row_duals)

    def _bounded_by_tangent(self, program: QuadraticProgram, raw: RawSolution) -> RawSolution:
        """The solution with the bound of its duals and of a tangent at its point or near it."""
        raw = replace(raw, bound=None)
        if raw.x is None:
            return replace(raw, row_duals=None)
        found = None
        if raw.row_duals is not None:
            found = wolfe_proof(program, raw.x, raw.row_duals)
        claimed = raw.row_duals is None or raw.status is Status.OPTIMAL
        if claimed and (found is None or found.proof.bound is None):
            found = self._other_tangent(program, raw)
        if found is None or found.proof.bound is None:
            return raw
        proof, point = found
        return replace(raw, bound=proof.bound, row_duals=proof.row_duals, tangent_point=point)

    def _other_tangent(self, program: QuadraticProgram, raw: RawSolution) -> WolfeProof | None:
        """A proof by other duals than the solver's own: of its tangent, or of a second solver."""
        points = [raw.x]
        for name in ("clarabel", "highs"):
            if name == self.backend.name:
                continue
            second = self.backend_of(name).solve_quadratic(program, self._left())
            if second.x is None or second.row_duals is None or not np.isfinite(second.x).all():
                continue
            found = wolfe_proof(program, second.x, second.row_duals)
            if found.proof.bound is not None:
                return found
            points.append(second.x)
        for point in points:
            if point is None:
                continue
            tangent = program.tangent(point)
            solved = self._proof(tangent)
            if solved.row_duals is None:
                continue
            proof = dual_proof(tangent, solved.row_duals)
            if proof.bound is None:
                interior = self._interior_proof(tangent, solved)
                proof = proof if interior is None else interior
            if proof.bound is not None:
                return WolfeProof(proof, point)
        return None

    def _other_proof(self, program: LinearProgram, raw: RawSolution) -> DualProof | None:
        """A proof by other duals than the solver's own: HiGHS's, or these in the interior."""
        duals = raw.row_duals
        if self.backend.name != "highs":
            duals = self._proof(program).row_duals
            proof = None if duals is None else dual_proof(program, duals)
            if proof is not None and proof.bound is not None:
                return proof
        return self._interior_proof(program, replace(raw, row_duals=duals))

    def _has_bound(self, program: LinearProgram | QuadraticProgram) -> bool:
        """Whether an integer program's relaxation is bounded, as far as that needs a proof.

        A solver may take a cost that is small next to the others for none at all, and then finds an
        optimum if there is none.
        """
        if isinstance(program, QuadraticProgram):
            linear = program.linear
            if np.isfinite([linear.column_lower, linear.column_upper]).all():
                return True
            relaxation = program.with_linear(_relaxation(linear))
            found = self._other_tangent(relaxation, RawSolution(Status.OPTIMAL))
            return found is not None and found.proof.bound is not None
        gains = program.costs if program.sense == "max" else -program.costs
        ends = np.where(gains > 0.0, program.column_upper, program.column_lower)
        if np.isfinite(ends[gains != 0.0]).all():
            return True
        relaxed = _relaxation(program)
        raw = self._proof(relaxed)
        proof = None if raw.row_duals is None else dual_proof(relaxed, raw.row_duals)
        if proof is None or proof.bound is None:
            proof = self._interior_proof(relaxed, raw)
        return proof is not None and proof.bound is not None

    def _interior_proof(self, program: LinearProgram, raw: RawSolution) -> DualProof | None:
        """A proof by the duals of this solution, moved into the interior of the feasible ones."""
        if raw.x is None or raw.row_duals is None:
            return None
        interior = self._proof(interior_program(program, raw.x)).row_duals
        if interior is None:
            return None
        blend = blended_duals(program, raw.row_duals, interior)
        return None if blend is None else dual_proof(program, blend)

    def _agreement(
        self,
        program: LinearProgram | QuadraticProgram,
        raw: RawSolution,
        objective: float,
        bound: float,
    ) -> float:
        """How far apart a value and a bound may be and count as equal."""
        accuracy = self.backend.accuracy
        relative = accuracy * max(abs(objective), abs(bound))
        x = raw.x
        if x is None or abs(objective - bound) <= relative:
            return relative
        reach, curved = np.abs(x), 0.0
        if isinstance(program, QuadraticProgram):
            # Where the gradient is 0, an error of the point counts by its square.
            curved = accuracy**2 * float(reach @ (abs(program.quadratic) @ reach))
            linear = program.linear
            point = x if raw.tangent_point is None else raw.tangent_point
            gradient = linear.costs if program.is_integer else program.gradient(point)
            program, costs = replace(linear, costs=gradient), linear.costs
        else:
            costs = program.costs
        if program.is_integer or raw.row_duals is None:
            terms = float(np.abs(program.costs) @ reach)
        else:
            terms = float(
                np.abs(raw.row_duals) @ (abs(program.matrix) @ reach)
                + np.abs(reduced_costs(program, raw.row_duals)) @ reach
            )
        # Columns that are not 0 are of the size 1 here, and the largest cost is, unless all are 0.
        terms += abs(program.offset) + max(1.0, float(np.abs(costs).sum()))
        return max(relative, _TERMS * accuracy * terms + curved)

    def _imprecise(self, raw: RawSolution, reason: str) -> RawSolution:
        says = f"{self.backend.name} says {raw.status.value!r}, but {reason}"
        message = f"{says} ({raw.message})" if raw.message else says
        return replace(raw, status=Status.IMPRECISE, message=message)

    def _without_optimum(
        self, given: LinearProgram | QuadraticProgram, raw: RawSolution
    ) -> RawSolution:
        """The claim that there is no optimum, confirmed by a certificate or by a second solver."""
        program = given if isinstance(given, LinearProgram) else given.linear
        rays = given if isinstance(given, LinearProgram) else given.recession()
        bare = replace(raw, x=None, row_duals=None, bound=None)
        if self.backend.exact:
            return bare
        relaxation = _relaxation(program)
        infeasible = self._infeasible(relaxation)
        if infeasible:
            return replace(bare, status=Status.INFEASIBLE)
        if infeasible is None:
            return self._imprecise(bare, "that could not be confirmed")
        ray = None
        if raw.status is not Status.INFEASIBLE:
            ray = self.improving_ray(_relaxation(rays))
        if ray is not None:
            if not program.is_integer:
                return replace(bare, status=Status.UNBOUNDED)
            second = self._second_look(program)
            if second is not None and second.x is not None:
                return replace(bare, status=Status.UNBOUNDED)
            if self._refuted(program, second):
                return replace(bare, status=Status.INFEASIBLE)
            return self._imprecise(bare, "that could not be confirmed")
        if raw.status is not Status.UNBOUNDED and program.is_integer:
            second = self._second_look(program)
            if self._refuted(program, second):
                return replace(bare, status=Status.INFEASIBLE)
            if second is None or second.x is None:
                return self._imprecise(bare, "that could not be confirmed")
            return self._imprecise(bare, "another solver has a point that satisfies every row")
        if raw.status is Status.INFEASIBLE:
            return self._imprecise(bare, "there is a point that satisfies every row")
        return self._imprecise(bare, "there is a point, and no improving ray was found")

    @staticmethod
    def _refuted(program: LinearProgram, second: RawSolution | None) -> bool:
        """Whether another solver's word settles that an integer program has no point.

        Not where a row has coefficients so far apart that all solvers drop the small ones.
        """
        if second is None or second.status is not Status.INFEASIBLE:
            return False
        matrix = program.matrix
        sizes, starts = np.abs(matrix.data), matrix.indptr
        for start, end in itertools.pairwise(starts.tolist()):
            row = sizes[start:end]
            row = row[row > 0.0]
            if row.size and row.max() > _DROPPED * row.min():
                return False
        return True

    @staticmethod
    def _doubtful(program: LinearProgram, x: FloatArray) -> bool:
        """Whether a row is broken by what a proof of infeasibility could show, however little.

        That is more than such a proof's threshold, and a share of the row's own terms and side that
        is more than rounding.
        """
        broken = program.row_block.violation(x)
        rows = np.flatnonzero(broken > _PROVED)
        if not rows.size:
            return False
        block = program.row_block.select(rows)
        terms = abs(block.matrix) @ np.abs(x)
        sides = np.minimum(np.abs(block.lower), np.abs(block.upper))
        return bool((broken[rows] > _DOUBTFUL * (terms + sides)).any())

    def contradiction(self, program: LinearProgram) -> FloatArray | None:
        """Multipliers y of the rows, shape (rows,), by which they contradict each other (Farkas).

        For every x that satisfies the rows ``y'Ax`` would be at least the sum of the sides that y
        asks for, and within the column bounds it cannot be. None if nothing proves that.
        """
        proof = self._least_violation(_relaxation(program))[1]
        return proof.row_duals if _is_positive(proof) and proof is not None else None

    def _infeasible(self, program: LinearProgram) -> bool | None:
        """Whether the rows contradict each other, by weak duality; None if that stays open."""
        if (program.column_lower > program.column_upper).any():
            return True
        raw, proof = self._least_violation(program)
        if _is_positive(proof):
            return True
        columns = program.shape[1]
        if raw.x is None or infeasibility(program, raw.x[:columns], self.backend.accuracy):
            return None
        return False

    def _least_violation(self, program: LinearProgram) -> tuple[RawSolution, DualProof | None]:
        """A point of the least total violation of the rows, and what proves how large it is."""
        phase = least_violation(program)
        raw = self._proof(phase)
        proof: DualProof | None = None
        if raw.row_duals is not None:
            proof = dual_proof(phase, raw.row_duals)
            if proof.bound is None:
                proof = self._interior_proof(phase, raw)
        return raw, proof

    def improving_ray(self, program: LinearProgram) -> FloatArray | None:
        """A ray along which the objective improves without end, shape (columns,); None without.

        No entry is larger than 1. Whole columns are taken for any others.
        """
        cone = replace(
            _relaxation(program),
            offset=0.0,
            column_lower=np.where(np.isfinite(program.column_lower), 0.0, -1.0),
            column_upper=np.where(np.isfinite(program.column_upper), 0.0, 1.0),
            row_lower=np.where(np.isfinite(program.row_lower), 0.0, -np.inf),
            row_upper=np.where(np.isfinite(program.row_upper), 0.0, np.inf),
        )
        raw = self._proof(cone)
        if raw.x is None:
            return None
        ray = np.where(np.abs(raw.x) > _PROVED, raw.x, 0.0)
        ray = np.clip(ray, cone.column_lower, cone.column_upper)
        return ray if improves(program, ray) else None

    def judged_conic(
        self, program: ConicProgram, raw: RawSolution, objective: float, violation: float
    ) -> RawSolution:
        """The solution of a conic problem, which has a point, with a status that can be believed.

        ``objective`` is that of the point, ``violation`` the largest of any constraint.
        """
        accuracy, prover = self.backend.accuracy, self.backend_of("clarabel")
        if raw.bound is None and program.kind != "MIP" and prover is not self.backend:
            accuracy = max(accuracy, prover.accuracy)
            bound, terms = prover.prove_conic(program.problem, self._left())
            raw = replace(raw, bound=bound, terms=terms)
        reach = 0.0 if raw.x is None else float(np.abs(raw.x).max(initial=0.0))
        if violation > self.backend.accuracy * (1.0 + reach):
            reason = f"its point breaks a constraint by {violation:.3g}"
            if raw.status is Status.OPTIMAL:
                return self._imprecise(raw, reason)
            if raw.status is Status.IMPRECISE:
                return replace(raw, message=f"{raw.message}; {reason}")
            return replace(raw, x=None, message=f"{raw.message}; {reason}")
        if raw.status is not Status.OPTIMAL:
            return raw
        if raw.bound is None:
            return self._imprecise(raw, "nothing proves a bound")
        tolerance = accuracy * max(abs(objective), abs(raw.bound))
        tolerance = max(tolerance, _TERMS * accuracy * raw.terms)
        if abs(objective - raw.bound) <= tolerance:
            return raw
        return self._apart(raw, relative_gap(objective, raw.bound))

    def without_point(self, program: ConicProgram, raw: RawSolution) -> RawSolution:
        """A conic solver's claim that there is no optimum, if a second solver says so, too."""
        second = self.backend_of("scs" if self.backend.name == "clarabel" else "clarabel")
        if raw.status not in _NO_OPTIMUM or program.kind not in second.solves:
            return raw
        status = second.solve_conic(program.problem, self._left())[0].status
        if status in _NO_OPTIMUM:
            return raw
        return self._imprecise(raw, f"{second.name} says {status.value!r}")

    def _solved_again(
        self, program: LinearProgram, raw: RawSolution, fault: Combination
    ) -> RawSolution:
        """The better of the points of a solver that is known to err and of another, with its bound.

        The first one's own bound is worth nothing.
        """
        raw = replace(raw, bound=None)
        if raw.status is not Status.OPTIMAL:
            return raw
        if not self._another.available:
            return replace(raw, status=Status.ERROR, x=None, message=str(fault))
        second = rounded(program, self._another.solve(program, self._left()))
        if second.status is not Status.OPTIMAL or second.x is None:
            reason = f"{self._another.name} says {second.status.value!r}, and {fault}"
            return self._imprecise(raw, reason)
        return replace(
            second, message=f"the point and the bound are {self._another.name}'s: {fault}"
        )

    @property
    def _another(self) -> Backend:
        """Another solver of integer programs."""
        return self.backend_of("scip" if self.backend.name == "highs" else "highs")

    def _second_look(self, program: LinearProgram) -> RawSolution | None:
        """What another solver says of the rows alone; None if it cannot be believed either.

        HiGHS is asked twice where there is no other: by another seed, and without its presolve, for
        at most ``_SECOND_LOOK`` seconds.
        """
        bare = replace(program, costs=np.zeros(program.shape[1]), offset=0.0)
        backend, settings = self._another, self._left()
        if not backend.available and not self.backend.fault("MIP"):
            backend = self.backend
            settings = replace(settings, seed=1, solver_options={"presolve": "off"})
            if settings.time_limit is None or settings.time_limit > _SECOND_LOOK:
                settings = limited(settings, _SECOND_LOOK)
        raw = rounded(bare, backend.solve(bare, settings))
        if raw.status is Status.INFEASIBLE:
            return raw
        if raw.x is None or infeasibility(bare, raw.x, self.backend.accuracy):
            return None
        return raw

    def _proof(self, program: LinearProgram) -> RawSolution:
        return self.backend_of("highs").solve(program, self._left())

    def _left(self) -> SolverSettings:
        """Plain options for the programs of proofs, within what is left of the time limit."""
        left = None if self.deadline is None else self.deadline - time.perf_counter()
        return limited(
            SolverSettings(
                threads=self.options.threads,
                process=self.options.process,
                memory_limit=self.options.memory_limit,
            ),
            left,
        )


def _relaxation(program: LinearProgram) -> LinearProgram:
    """The program without whole columns."""
    if not program.is_integer:
        return program
    return replace(program, integer=np.zeros(program.shape[1], dtype=np.bool_))


def _is_positive(proof: DualProof | None) -> bool:
    """Whether the bound that is proved of a total violation is above 0, by more than rounding."""
    if proof is None or not proof.bound:
        return False
    return proof.bound > max(_PROVED, ROUNDING * proof.terms)


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
    if (np.maximum(below, above) > _PROVED * (abs(program.matrix) @ reach)).any():
        return False
    gain = float(program.costs @ ray)
    gain = -gain if program.sense == "min" else gain
    return gain > _RAY * float(np.abs(program.costs) @ reach)


def infeasibility(program: LinearProgram, x: FloatArray, tolerance: float) -> str:
    """What the point breaks by more than the tolerance, in words; empty if nothing."""
    if not np.isfinite(x).all():
        return "is not finite"
    broken = program.row_block.violation(x)
    worst = broken.max(initial=0.0)
    if worst > tolerance:
        broken = broken / (1.0 + abs(program.matrix) @ np.abs(x))
        row = int(broken.argmax())
        if broken[row] > tolerance:
            by = program.row_block.violation(x)[row]
            return f"breaks row {program.row_names[row]!r} by {by:.3g}"
    outside = np.maximum(program.column_lower - x, x - program.column_upper)
    outside = outside / (1.0 + np.abs(x))
    if outside.max(initial=0.0) > tolerance:
        column = int(outside.argmax())
        return f"breaks a bound of column {program.column_names[column]!r}"
    whole = x[program.integer]
    if np.abs(whole - np.round(whole)).max(initial=0.0) > min(tolerance, _WHOLE):
        return "has columns that are not whole"
    return ""


def rounded(program: LinearProgram, raw: RawSolution) -> RawSolution:
    """The solution with its integer columns rounded, and all columns within their bounds.

    As it was where integer columns are not whole, and columns not within bounds, up to an error.
    """
    if raw.x is None or not np.isfinite(raw.x).all():
        return raw
    x = raw.x.copy()
    whole = x[program.integer]
    if np.abs(whole - np.round(whole)).max(initial=0.0) > _WHOLE:
        return raw
    x[program.integer] = np.round(whole) + 0.0
    inside = np.clip(x, program.column_lower, program.column_upper)
    near = np.abs(inside - x) <= _WHOLE * (1.0 + np.abs(x))
    return replace(raw, x=np.where(near, inside, x))
