r"""Cone programs: solved, put into the variables of CVXPY, and verified.

*Residuals.* A constraint holds where it is broken by at most :math:`10^{-6} \max(1, |b|)`, b being
what it has at :math:`x = 0`: of an equation or inequality entry by entry, of a cone the largest of
its entries.

*Bound.* Clarabel's multipliers prove one (:mod:`cpe_opt.modelling.cone_duality`); for the point of
another solver they come from a second solve by Clarabel.

*Verdict.* A point is optimal where the constraints hold, and its value v and the bound differ by at
most :math:`10^{-6} \max(1, |v|)`. A program is infeasible where multipliers prove it. What is not
confirmed, as that a program is unbounded, is imprecise, and the message says why. A limit stays a
limit, with whatever point and bound there are.
"""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.modelling.cone_duality import ConeData, cone_proof, proves_infeasible
from cpe_opt.modelling.conic import ConicProgram, violations
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import Backend, RawSolution, SolverSettings
from cpe_opt.solvers.bridge import BACKENDS

_TOLERANCE = 1e-6
_LIMITS = (Status.TIME_LIMIT, Status.ITERATION_LIMIT, Status.OTHER_LIMIT)
_NO_POINT = (Status.INFEASIBLE, Status.INFEASIBLE_OR_UNBOUNDED)


def solved_cones(program: ConicProgram, backend: Backend, settings: SolverSettings) -> RawSolution:
    """Solve a program of kind "conic" and verify what the backend says of it.

    The variables and the constraints of its problem have the point and the multipliers afterwards,
    or none where there is none. Returned are the status, the bound and the message that hold.
    """
    started = time.perf_counter()
    raw = backend.solve_conic(program, settings)
    program.put(raw.x)
    program.put_multipliers(raw.multipliers)
    if raw.status is Status.ERROR or (raw.status in _LIMITS and raw.cone is None):
        return raw
    data, sign, offset = _cone_form(program.problem)
    cone = raw.cone
    if cone is None:
        again = SolverSettings().limited(settings.time_left(started))
        cone = BACKENDS["clarabel"].solve_conic(program, again).cone
    if cone is not None and (len(cone[1]), len(cone[0])) != data.matrix.shape:
        cone = None
    if raw.x is None:
        if raw.status in _NO_POINT and cone is not None and proves_infeasible(data, cone[1]):
            return replace(raw, status=Status.INFEASIBLE)
        return raw if raw.status in _LIMITS else _unconfirmed(raw, "nothing confirms it")
    proof = None if cone is None else cone_proof(data, *cone)
    bound = None if proof is None or not math.isfinite(proof) else sign * proof + offset
    raw = replace(raw, bound=bound)
    if raw.status in _LIMITS:
        return raw
    broken, value = largest_excess(program), objective_of(program, raw)
    if broken > 1.0:
        return _unconfirmed(raw, f"its point breaks a constraint by {broken:.3g} tolerances")
    if bound is None:
        return _unconfirmed(raw, "nothing proves a bound")
    apart = abs(value - bound)
    if not apart <= _TOLERANCE * max(1.0, abs(value)):
        return _unconfirmed(raw, f"its point is proved only within a gap of {apart:.3g}")
    return replace(raw, status=Status.OPTIMAL)


def objective_of(program: ConicProgram, raw: RawSolution) -> float:
    """The objective at the values of the variables.

    Where rounding takes them off its domain, it is what the solver says.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        value = float(program.problem.objective.value)
    return value if math.isfinite(value) else raw.value


def largest_excess(program: ConicProgram) -> float:
    """The largest violation of a constraint or of what a variable is declared to be, in tolerances.

    The room of an entry of an equation or inequality is that of its own side.
    """
    variables = program.problem.variables()
    away = [np.abs(each.project(each.value) - each.value) for each in variables]
    broken = [violations(each) for each in program.problem.constraints]
    x = program.x
    program.put(np.zeros(x.shape))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sides = [_side(each) for each in program.problem.constraints]
    program.put(x)
    parts = [each / np.maximum(1.0, side) for each, side in zip(broken, sides, strict=True)]
    return max((float(each.max(initial=0.0)) for each in (*away, *parts)), default=0.0) / _TOLERANCE


def _side(constraint: Any) -> FloatArray:
    """The sizes of what a constraint has at the values of the variables; of a cone, the largest."""
    from cvxpy import constraints as kinds

    entrywise = (kinds.Equality, kinds.Inequality, kinds.Zero, kinds.NonNeg, kinds.NonPos)
    if isinstance(constraint, entrywise):
        return np.nan_to_num(np.abs(np.ravel(constraint.expr.value)), posinf=0.0)
    sizes = np.concatenate([np.abs(np.ravel(part.value)) for part in constraint.args])
    return np.array([np.nan_to_num(sizes, posinf=0.0).max(initial=0.0)])


def _unconfirmed(raw: RawSolution, reason: str) -> RawSolution:
    said = f"the solver says {raw.status.value!r}, and {reason}"
    message = f"{said} ({raw.message})" if raw.message else said
    return replace(raw, status=Status.IMPRECISE, message=message)


def _cone_form(problem: Any) -> tuple[ConeData, float, float]:
    """The program in CVXPY's form for Clarabel; the sign of its objective there, its constant."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data, _, inverse = problem.get_problem_data("CLARABEL")
    sign = -1.0 if problem.objective.NAME == "maximize" else 1.0
    return ConeData.of(data), sign, sign * float(inverse[-1]["offset"])
