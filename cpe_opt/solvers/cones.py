r"""Cone programs: solved, put into the variables of CVXPY, and verified by weak duality.

*Residuals.* A constraint holds where it is broken by at most :math:`10^{-6} \max(1, |b|)`, b being
what it has at :math:`x = 0`: of an equation or inequality entry by entry, of a cone the largest of
its entries.

*Bound.* Clarabel's multipliers prove one; for the point of another solver they come from a second
solve by Clarabel.

*Verdict.* A point is optimal where the constraints hold, and its value v and the bound differ by at
most :math:`10^{-6} \max(1, |v|)`. A program is infeasible where multipliers prove it. What is not
confirmed, as that a program is unbounded, is imprecise, and the message says why. A limit stays a
limit, with whatever point and bound there are.

A cone program in CVXPY's form is

.. math:: \min\ c_0 + c^\top x + \tfrac12 x^\top P x \quad\text{s.t.}\quad A x + s = b,\ s \in K,

with P positive semidefinite and K a product of cones. For every w, every z of the dual cone
:math:`K^*` and the residual :math:`\rho = P w + A^\top z + c`, no x that keeps the rows and has
:math:`|x_j| \le R_j` is better than

.. math:: c_0 - b^\top z - \tfrac12 w^\top P w - \sum_j R_j |\rho_j| .

**Repair.** A solver's z leaves a residual of the size of its tolerance. As an interior point method
ends inside the cone, the residual is removed by a step of :math:`(\Delta w, \Delta z)` that is
short in the cone's own metric: with H the Hessian of the barrier of :math:`K^*` at z,

.. math:: P \Delta w + A^\top \Delta z = -\rho, \qquad H \Delta z = A \Delta w .

A step shorter than 1 in this metric stays inside :math:`K^*` (Dikin's ellipsoid); whether it does
is checked cone by cone. What rounding leaves of the residual, some 1e-15 of the terms it is the sum
of, is charged with :math:`R_j = 1000\, (1 + |\hat x_j|)`, where :math:`\hat x` is the solver's
point. So the bound holds for all x in this box. As the program is convex, it says something of the
others, too: a feasible x that is k times as far from a feasible :math:`\hat x` as the box reaches
is not better by more than k times the gap.

Where no such z exists near the solver's, as with an infimum that no point attains, the charge or
the gap is large, and there is no proof. With the objective 0, a bound above 0 proves that no x in
the box keeps the rows.

Dual cones, with rows in the order of CVXPY's reductions for Clarabel:

==================== ==============================================================================
equations            all of :math:`\mathbb R^m`
:math:`s \ge 0`      itself
second order         itself
semidefinite         itself; z is the upper triangle, column by column, times :math:`\sqrt2` off the
                     diagonal
exponential          :math:`\{(u, v, w) : u < 0,\ w > 0,\ v \ge u + u \log(-w / u)\}`
==================== ==============================================================================

Of programs with power cones nothing is proved.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from cpe_opt.arrays import FloatArray
from cpe_opt.modelling.certify import TOLERANCE
from cpe_opt.modelling.conic import ConicProgram, violations
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import Backend, RawSolution, SolverSettings
from cpe_opt.solvers.bridge import BACKENDS

_LIMITS = (Status.TIME_LIMIT, Status.ITERATION_LIMIT, Status.OTHER_LIMIT)
_NO_POINT = (Status.INFEASIBLE, Status.INFEASIBLE_OR_UNBOUNDED)
_STEPS = 4  # the given multipliers, and three repairs; each mends the rounding of the last
_REACH = 1e3  # of R_j
_FREE = 1e3  # how much longer steps of multipliers of equations may be, next to the largest of all
_REGULAR = 1e-25  # keeps the system regular where columns have multipliers near 0 alone
_PIVOT = 0.01  # of the largest entry of a column: how small a pivot on the diagonal may be
_CHARGE = 1e-10  # of the bound: a charge that no further step is worth
_CERTAIN = 1e-6  # how much of 1 may be charged where rows are infeasible: they are up to 1e9
_TINY = 2.0**-50  # of a multiplier: what counts as inside a cone


def solved_cones(program: ConicProgram, backend: Backend, settings: SolverSettings) -> RawSolution:
    """Solve a program of kind "conic" and verify what the backend says of it."""
    started = time.perf_counter()
    raw = backend.solve_conic(program, settings)
    program.put(raw.x)
    program.put_multipliers(raw.multipliers)
    if raw.status is Status.ERROR or (raw.status in _LIMITS and raw.cone is None):
        return raw
    data, cone = ConeData.of(program.problem), raw.cone
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
    bound = None if proof is None or not math.isfinite(proof) else data.sign * proof + data.offset
    raw = replace(raw, bound=bound)
    if raw.status in _LIMITS:
        return raw
    broken, value = largest_excess(program), objective_of(program, raw)
    if broken > 1.0:
        return _unconfirmed(raw, f"its point breaks a constraint by {broken:.3g} tolerances")
    if bound is None:
        return _unconfirmed(raw, "nothing proves a bound")
    apart = abs(value - bound)
    if not apart <= TOLERANCE * max(1.0, abs(value)):
        return _unconfirmed(raw, f"its point is proved only within a gap of {apart:.3g}")
    return replace(raw, status=Status.OPTIMAL)


def objective_of(program: ConicProgram, raw: RawSolution) -> float:
    """The objective at the values of the variables."""
    with np.errstate(invalid="ignore", divide="ignore"):
        value = float(program.problem.objective.value)
    return value if math.isfinite(value) else raw.value


def largest_excess(program: ConicProgram) -> float:
    """The largest violation of a constraint or of a declaration of a variable, in tolerances."""
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
    return max((float(each.max(initial=0.0)) for each in (*away, *parts)), default=0.0) / TOLERANCE


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


@dataclass(frozen=True, eq=False)
class ConeData:
    """A cone program in CVXPY's form: c, P with both triangles, A, b, and CVXPY's ``ConeDims``.

    A bound of it times ``sign``, and with ``offset``, is one of the problem.
    """

    costs: FloatArray
    quadratic: sp.csc_array
    matrix: sp.csc_array
    sides: FloatArray
    dims: Any
    sign: float = 1.0
    offset: float = 0.0

    @staticmethod
    def of(problem: Any) -> ConeData:
        """The form that CVXPY gives to Clarabel."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data, _, inverse = problem.get_problem_data("CLARABEL")
        count = len(data["c"])
        quadratic = data.get("P")
        sign = -1.0 if problem.objective.NAME == "maximize" else 1.0
        return ConeData(
            np.asarray(data["c"], dtype=np.float64),
            sp.csc_array((count, count) if quadratic is None else quadratic),
            sp.csc_array(data["A"]),
            np.asarray(data["b"], dtype=np.float64),
            data["dims"],
            sign,
            sign * float(inverse[-1]["offset"]),
        )

    def residual(self, w: FloatArray, z: FloatArray) -> FloatArray:
        """``P w + A' z + c``, shape (n,)."""
        return np.asarray(self.costs + self.matrix.T @ z + self.quadratic @ w)

    def dual_objective(self, w: FloatArray, z: FloatArray) -> float:
        """``-b' z - w' P w / 2``."""
        return float(-(self.sides @ z) - 0.5 * (w @ (self.quadratic @ w)))


def cone_proof(data: ConeData, x: FloatArray, z: FloatArray) -> float | None:
    """The best bound from multipliers near these, without :math:`c_0`; None if there is none.

    A lower bound, as the form is a minimisation. ``x``, shape (n,), is the solver's point, and
    ``z``, shape (m,), its multipliers of the rows.
    """
    if not (np.isfinite(x).all() and np.isfinite(z).all() and _inside(data.dims, z)):
        return None
    reach = _REACH * (1.0 + np.abs(x))
    repair, count = _repair(data, z), len(x)
    w, best = x, -np.inf
    for _ in range(_STEPS):
        residual = data.residual(w, z)
        value, charge = data.dual_objective(w, z), float(reach @ np.abs(residual))
        best = max(best, value - charge)
        if charge <= _CHARGE * abs(value) or repair is None:
            break
        changes = repair(residual)
        w, z = w + changes[:count], z + changes[count:]
        if not (np.isfinite(changes).all() and _inside(data.dims, z)):
            break
    return best


def proves_infeasible(data: ConeData, z: FloatArray) -> bool:
    """Whether multipliers near these prove that no x with entries up to 1e9 keeps the rows.

    They do where they bound the objective 0 by more than 0, b' z = -1 being their scale.
    """
    scale = -float(data.sides @ z)
    if not (np.isfinite(scale) and scale > 0.0):
        return False
    nothing = replace(data, costs=0.0 * data.costs, quadratic=0.0 * data.quadratic)
    bound = cone_proof(nothing, np.zeros(len(data.costs)), z / scale)
    return bound is not None and bound >= 1.0 - _CERTAIN


def _inside(dims: Any, z: FloatArray) -> bool:
    """Whether z is in the dual cone, by more than rounding or at 0; of power cones it is not."""
    if dims.p3d or dims.pnd or (z[dims.zero : dims.zero + dims.nonneg] < 0.0).any():
        return False
    with np.errstate(divide="ignore", invalid="ignore"):
        return all((_margin(kind, part, side) >= 0.0).all() for kind, side, part in _cones(dims, z))


def _margin(kind: str, z: FloatArray, side: int) -> FloatArray:
    """By how much more than rounding points, a row each, are inside the dual of their cone."""
    if kind == "soc":
        return np.asarray(z[:, 0] * (1.0 - _TINY) - np.linalg.norm(z[:, 1:], axis=1))
    if kind == "psd":
        matrices = _matrices(z, side)
        trace = np.trace(matrices, axis1=1, axis2=2)
        return np.asarray(np.linalg.eigvalsh(matrices)[:, 0] - _TINY * trace)
    u, v, w = z.T
    logs = u * np.log(-w / u)
    margin = v - u - logs - _TINY * (np.abs(v) + np.abs(u) + np.abs(logs))
    return np.where(u < 0.0, margin, -np.inf)


def _repair(data: ConeData, z: FloatArray) -> Callable[[FloatArray], FloatArray] | None:
    """What takes a residual to the changes of w and z; None where the system is singular."""
    root, count = _metric_root(data.dims, z), len(data.costs)
    scaled = sp.csc_array(root.T @ data.matrix)
    largest = float(abs(data.quadratic).max()) if data.quadratic.nnz else 1.0
    corner = data.quadratic + _REGULAR * largest * sp.eye_array(count)
    ones = sp.eye_array(scaled.shape[0])
    system = sp.block_array([[corner, scaled.T], [scaled, -ones]], format="csc")
    options = {"SymmetricMode": True}
    try:
        factors = splu(
            system, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=_PIVOT, options=options
        )
    except RuntimeError:  # singular
        return None

    def repair(residual: FloatArray) -> FloatArray:
        changes = factors.solve(np.concatenate([-residual, np.zeros(root.shape[1])]))
        return np.concatenate([changes[:count], root @ changes[count:]])

    return repair


def _cones(dims: Any, z: FloatArray) -> Iterator[tuple[str, int, FloatArray]]:
    """Equal cones that follow each other: their kind, order of matrices, and rows of z."""
    first = dims.zero + dims.nonneg
    cones = [("soc", int(size), 0) for size in dims.soc]
    cones += [("psd", side * (side + 1) // 2, side) for side in dims.psd]
    cones += [("exp", 3, 0)] * dims.exp
    for (kind, size, side), group in groupby(cones):
        last = first + size * len(list(group))
        yield kind, side, z[first:last].reshape(-1, size)
        first = last


def _matrices(z: FloatArray, side: int) -> FloatArray:
    """Symmetric matrices of upper triangles, column by column, scaled off the diagonal."""
    full = np.zeros((len(z), side, side))
    i, j = np.tril_indices(side)
    full[:, i, j] = full[:, j, i] = np.where(i == j, z, z / np.sqrt(2.0))
    return full


def _metric_root(dims: Any, z: FloatArray) -> sp.csc_array:
    """D with ``D D'`` the inverse Hessian of the barrier at z, shape (m, m)."""
    largest = float(np.abs(z).max(initial=1.0))
    signed = z[dims.zero : dims.zero + dims.nonneg]
    parts: list[Any] = [
        sp.diags_array(np.concatenate([np.full(dims.zero, _FREE * largest), signed]))
    ]
    for kind, side, cones in _cones(dims, z):
        number = len(cones)
        if kind == "psd":
            roots = _psd_roots(cones, side)
        else:
            roots = _soc_roots(cones) if kind == "soc" else _exp_roots(cones)
        parts.append(sp.bsr_array((roots, np.arange(number), np.arange(number + 1))))
    return sp.csc_array(sp.block_diag(parts, format="csc"))


def _soc_roots(z: FloatArray) -> FloatArray:
    """The matrices ``z z' - d J / 2``, J = diag(1, -1, ...), d = z' J z; shape (cones, size, size).

    This is half the quadratic map of z, with the eigenvalues ``(z_0 + norm)^2`` and
    ``(z_0 - norm)^2`` along the axis and their geometric mean across.
    """
    norm = np.linalg.norm(z[:, 1:], axis=1)
    unit = z[:, 1:] / np.where(norm > 0.0, norm, 1.0)[:, None]
    high, low = z[:, 0] + norm, z[:, 0] - norm
    middle, half, across = 0.5 * (high + low), 0.5 * (high - low), np.sqrt(high * low)
    roots = across[:, None, None] * np.eye(z.shape[1])
    roots[:, 0, 0] = middle
    roots[:, 0, 1:] = roots[:, 1:, 0] = half[:, None] * unit
    roots[:, 1:, 1:] += (middle - across)[:, None, None] * unit[:, :, None] * unit[:, None, :]
    return np.asarray(roots / np.sqrt(2.0))


def _psd_roots(z: FloatArray, side: int) -> FloatArray:
    """The maps S -> Z S Z in the scaled triangle, from S -> L S L' with ``Z = L L'``."""
    values, vectors = np.linalg.eigh(_matrices(z, side))
    lower = vectors * np.sqrt(values)[:, None, :]
    i, j = np.tril_indices(side)
    off = np.where(i == j, 1.0, np.sqrt(2.0))
    # Column (k, l): the triangle of L E L', E the unit matrix of the entry.
    left = lower[:, i][:, :, i] * lower[:, j][:, :, j]
    right = lower[:, i][:, :, j] * lower[:, j][:, :, i]
    half = np.where(i == j, 0.5, 1.0 / np.sqrt(2.0))
    return np.asarray(off[:, None] * (left + right) * half)


def _exp_roots(z: FloatArray) -> FloatArray:
    """For the barrier ``-log(v - u - u log(-w / u)) - log(-u) - log(w)``.

    From its Hessian in units of the entries of z; 0 where rounding spoils it.
    """
    u, v, w = z.T
    log = np.log(-w / u)
    gap = v - u - u * log
    slope = np.stack([-log, np.ones_like(u), -u / w], axis=1) / gap[:, None]
    hessian = slope[:, :, None] * slope[:, None, :]
    hessian[:, 0, 0] += u**-2 - 1.0 / (u * gap)
    hessian[:, 0, 2] += 1.0 / (w * gap)
    hessian[:, 2, 0] += 1.0 / (w * gap)
    hessian[:, 2, 2] += w**-2 - u / (w**2 * gap)
    size = np.abs(z)
    unit = np.maximum(size, 1e-8 * size.max(axis=1, keepdims=True))
    values, vectors = np.linalg.eigh(hessian * unit[:, :, None] * unit[:, None, :])
    values = np.maximum(values, np.finfo(float).eps * values.max(axis=1, keepdims=True))
    return np.asarray(unit[:, :, None] * vectors / np.sqrt(values)[:, None, :])
