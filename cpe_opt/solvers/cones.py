r"""Cone programs: solved, put into the variables of CVXPY, and verified.

*Residuals.* A constraint holds where it is broken by at most :math:`10^{-6} \max(1, |b|)`, b being
what it has at :math:`x = 0`: of an equation or inequality entry by entry, of a cone the largest of
its entries.

*Bound.* Clarabel's multipliers prove one (:mod:`cpe_opt.modelling.cone_duality`); for the point of
another solver they come from a second solve by Clarabel.

*Verdict.* A point is optimal where the constraints hold, and its value v and the bound differ by at
most :math:`10^{-6} \max(1, |v|)`. A program is infeasible where multipliers prove it, and unbounded
where it has a ray and a feasible point. What is not confirmed is imprecise, and the message says
why. A limit stays a limit, with whatever point and bound there are.
"""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.modelling.cone_duality import ConeData, cone_proof, is_ray, proves_infeasible
from cpe_opt.modelling.conic import ConicProgram, violations
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import Backend, RawSolution, SolverSettings
from cpe_opt.solvers.bridge import BACKENDS

_TOLERANCE = 1e-6
_LIMITS = (Status.TIME_LIMIT, Status.ITERATION_LIMIT, Status.OTHER_LIMIT)
_WITHOUT_POINT = (Status.INFEASIBLE, Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED)


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
    second, cone = SolverSettings().limited(settings.time_left(started)), raw.cone
    if cone is None:
        cone = BACKENDS["clarabel"].solve_conic(program, second).cone
    if cone is not None and (len(cone[1]), len(cone[0])) != data.matrix.shape:
        cone = None
    if raw.x is None:
        if cone is None or raw.status not in _WITHOUT_POINT:
            return _unconfirmed(raw, "no ray confirms it")
        return _without_point(program, raw, data, cone, second)
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


def _without_point(
    program: ConicProgram,
    raw: RawSolution,
    data: ConeData,
    cone: tuple[FloatArray, FloatArray],
    settings: SolverSettings,
) -> RawSolution:
    """A claim that there is no optimum, as far as multipliers or a ray confirm it."""
    point, multipliers = cone
    feasible = None if proves_infeasible(data, multipliers) else _feasible(program, settings)
    if feasible is None:
        return replace(raw, status=Status.INFEASIBLE)
    if not is_ray(data, point):
        return _unconfirmed(raw, "no ray confirms it")
    if feasible:
        return replace(raw, status=Status.UNBOUNDED)
    said = "a ray improves its objective without end, and no feasible point is known"
    return replace(raw, status=Status.INFEASIBLE_OR_UNBOUNDED, message=said)


def _feasible(program: ConicProgram, settings: SolverSettings) -> bool | None:
    """Whether Clarabel finds a feasible point; None if it proves that there is none.

    The variables keep no values.
    """
    import cvxpy

    constraints = program.problem.constraints
    if not constraints:
        return True
    feasible = ConicProgram(program.name, cvxpy.Problem(cvxpy.Minimize(0), constraints))
    raw = BACKENDS["clarabel"].solve_conic(feasible, settings)
    feasible.put(raw.x)
    if raw.x is not None and largest_excess(feasible) <= 1.0:
        feasible.put(None)
        return True
    feasible.put(None)
    data, _, _ = _cone_form(feasible.problem)
    if raw.cone is not None and len(raw.cone[1]) == len(data.sides):
        return None if proves_infeasible(data, raw.cone[1]) else False
    return False


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
