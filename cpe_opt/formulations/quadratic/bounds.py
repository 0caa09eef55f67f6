r"""Certified upper bounds on a quadratic form over sets of a given size.

For indicators χ of k of n elements, any δ, and any matrix N ≥ 0 with zero diagonal,

.. math:: \chi^\top W \chi + d^\top \chi \le \chi^\top W' \chi + (d + \delta)^\top \chi, \qquad
    W' = W + N - \mathrm{Diag}(\delta),

because χ is 0/1 and non-negative. With :math:`\chi = \frac kn 1 + u`, :math:`u \perp 1`,
:math:`|u|^2 = r^2 = k(n-k)/n`, this is a quadratic form on a sphere,

.. math:: c_0 + c^\top u + u^\top B u \le c_0 + \lambda r^2
    + \tfrac14 c^\top (\lambda I - B)^{-1} c \qquad (\lambda > \lambda_{\max}(B)) ,

with B and c what :math:`W'` and :math:`d + \delta + \frac{2k}{n} W' 1` are on the space orthogonal
to 1, in an orthonormal basis of it (the other columns of the reflection that turns 1 into a
multiple of the first unit vector). The best λ makes it exact over the sphere. The bound is convex
in δ, which is improved by subgradient steps, or taken, with N, from the dual of the semidefinite
relaxation

.. math:: \max \langle W, X \rangle + d^\top x \quad\text{s.t.}\quad
    \begin{pmatrix} 1 & x^\top \\ x & X \end{pmatrix} \succeq 0, \quad \mathrm{diag} X = x, \quad
    1^\top x = k, \quad X 1 = k x, \quad X \ge 0 .

Whatever they are, the bound is recomputed by the formula above, with the eigenvalues of a symmetric
matrix and nothing else to trust. W and d are divided by a power of two of their size, so that the
bound of a multiple is the multiple of the bound.

**Branch and bound** brings the bound as close as is asked for. A node has elements that are in,
elements that are out, and the form over sets of the right number of the rest,

.. math:: \chi^\top W_{RR} \chi + (d_R + 2 W_{RI} 1)^\top \chi + 1^\top W_{II} 1 + d_I^\top 1,

bounded by eigenvalues as above, from the δ of the node that was split. The node of the largest
bound is split on the element that weighs most in it. Where few elements weigh much, as in the
pricing of designs that tell some sets from one, few splits are needed. The largest bound of the
nodes that are left is a bound on all sets whenever it stops.
"""

from __future__ import annotations

import heapq
import math
import time
from itertools import count
from typing import NamedTuple, Unpack

import numpy as np
from scipy.optimize import brentq

from cpe_opt.arrays import FloatArray, IntArray, unit_of
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.result import NotOptimal
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.registry import require_backend
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import first_largest

_ROUNDING = 1e-13
_STEPS = 60
_REACH = 0.1  # of the bound, what a step aims to gain
_PATIENCE = 5
_FLAT = 1e-12
_FIRST = 3_000


class Bound(NamedTuple):
    """An upper bound, and the δ that gives it: a good start for a similar matrix."""

    value: float
    shift: FloatArray


def spectral_bound(
    matrix: FloatArray,
    k: int,
    linear: FloatArray,
    *,
    value: float = -np.inf,
    target: float = -np.inf,
    steps: int = _STEPS,
    shift: FloatArray | None = None,
) -> Bound:
    """The best bound met in subgradient steps in δ, sized by the distance to ``value``.

    ``value`` is attained, and steps end at a bound of ``target``; the first δ is ``shift`` or 0.
    """
    n = len(matrix)
    if k == n:
        kept = np.zeros(n) if shift is None else shift
        return Bound(float(matrix.sum() + linear.sum()), kept)
    unit = unit_of(matrix, linear)
    matrix, linear, value, target = matrix / unit, linear / unit, value / unit, target / unit
    here = np.zeros(n) if shift is None else shift / unit
    bound, slope = _bound(matrix, k, linear, here)
    best = Bound(bound, here)
    reach, idle = _REACH, 0
    for _ in range(steps):
        length = float(slope @ slope)
        flat = length < _FLAT or best.value - value <= _FLAT * (1.0 + abs(best.value))
        if flat or best.value <= target:
            break
        aim = max(value, best.value - reach * abs(best.value))
        here = here - max(bound - aim, 0.0) / length * slope
        bound, slope = _bound(matrix, k, linear, here)
        idle += 1
        if bound < best.value:
            if best.value - bound > 0.1 * (best.value - aim):
                idle = 0
            best = Bound(bound, here)
        if idle == _PATIENCE:
            reach, idle = reach / 2.0, 0
            here = best.shift
    return Bound(best.value * unit, best.shift * unit)


def semidefinite_bound(
    matrix: FloatArray, k: int, linear: FloatArray, **solving: Unpack[SolveOptions]
) -> float:
    """The bound with δ and N from the dual of the relaxation, by default by ``clarabel``."""
    n = len(matrix)
    solving.setdefault("solver", "clarabel")
    require_backend(solving["solver"], "conic")
    if k == n:
        return float(matrix.sum() + linear.sum())
    unit = unit_of(matrix, linear)
    matrix, linear = matrix / unit, linear / unit
    program = semidefinite_bound_program(matrix, k, linear)
    # An imprecise dual gives a bound, too: it is recomputed.
    result = solve(program, check=False, **solving)
    if result.x is None:
        raise NotOptimal(result)
    diagonal, nonnegative = program.problem.constraints[1], program.problem.constraints[-1]
    extra = np.zeros((n, n))
    extra[np.triu_indices(n, 1)] = np.maximum(0.0, nonnegative.dual_value) / 2.0
    raised: FloatArray = matrix + extra + extra.T
    shift: FloatArray = np.asarray(diagonal.dual_value, dtype=np.float64)
    # The sign of an equality's multiplier is a convention: both bounds hold, the smaller is meant.
    bounds = [_bound(raised, k, linear, sign * shift)[0] for sign in (1.0, -1.0)]
    return min(bounds) * unit


def semidefinite_bound_program(matrix: FloatArray, k: int, linear: FloatArray) -> ConicProgram:
    """The semidefinite relaxation, in the matrix ``moments`` of order n + 1."""
    import cvxpy as cp

    started = time.perf_counter()
    n = len(matrix)
    moments = cp.Variable((n + 1, n + 1), PSD=True, name="moments")
    x, products = moments[0, 1:], moments[1:, 1:]
    each = np.ones(n)
    trace = matrix.ravel() @ cp.vec(products, order="C")
    problem = cp.Problem(
        cp.Maximize(trace + linear @ x),
        [
            moments[0, 0] == 1,
            cp.diag(products) == x,
            each @ x == k,
            products @ each == k * x,
            products[np.triu_indices(n, 1)] >= 0,
        ],
    )
    return ConicProgram("semidefinite_bound", problem, build_seconds=time.perf_counter() - started)


def _bound(
    matrix: FloatArray, k: int, linear: FloatArray, shift: FloatArray
) -> tuple[float, FloatArray]:
    """The bound at δ, rounding errors included, and a subgradient there."""
    n = len(matrix)
    part, radius = k / n, k * (n - k) / n  # radius is r², squared
    shifted = matrix - np.diag(shift)
    sums = shifted.sum(axis=1)
    slope = linear + shift + 2.0 * part * sums
    constant = part * (linear + shift).sum() + part**2 * sums.sum()
    # I - vv' is the reflection.
    v = np.full(n, 1.0 / math.sqrt(n))
    v[0] += 1.0
    v /= math.sqrt(v[0])
    image = shifted @ v
    image -= 0.5 * float(v @ image) * v
    reflected = shifted - np.outer(v, image) - np.outer(image, v)
    eigenvalues, vectors = np.linalg.eigh(reflected[1:, 1:])
    vectors = np.vstack([np.zeros(n - 1), vectors]) - np.outer(v, v[1:] @ vectors)
    linear = vectors.T @ slope
    level = _level(eigenvalues, linear, radius)
    u = vectors @ (linear / (2.0 * (level - eigenvalues)))
    # Where the tilt leaves the top eigenvector out, the maximiser has some of it all the same.
    u = u + np.sqrt(max(0.0, radius - float(u @ u))) * vectors[:, -1]
    bound = constant + level * radius + 0.25 * float(linear**2 @ (1.0 / (level - eigenvalues)))
    size = np.abs(shifted).max() * k * k + np.abs(slope).max() * k + abs(level) * radius
    chi = part + u
    return float(bound + _ROUNDING * n * size), chi * (1.0 - chi)


def _level(eigenvalues: FloatArray, linear: FloatArray, radius: float) -> float:
    """The λ above all eigenvalues at which the maximiser has the length of the sphere."""
    top = float(eigenvalues[-1])
    scale = 1.0 + float(np.abs(eigenvalues).max()) + float(np.abs(linear).max())
    # |u| falls from infinity, or from a finite length, to 0; at most |tilt| / 2 (λ - top).
    low, high = top + 1e-12 * scale, top + float(np.linalg.norm(linear)) / (2.0 * math.sqrt(radius))
    squares, goal = 0.25 * linear**2, 1.0 / math.sqrt(radius)

    def shortness(level: float) -> float:
        """1 / |u| is nearly linear in λ, so that few steps find where it is 1 / r."""
        return float(1.0 / np.sqrt(squares @ (level - eigenvalues) ** -2) - goal)

    if high <= low or shortness(low) >= 0.0:
        return low
    if shortness(high) <= 0.0:  # it is there, up to rounding
        return high
    return float(brentq(shortness, low, high, xtol=1e-14 * scale))


def branched_bound(
    matrix: FloatArray,
    k: int,
    *,
    value: float,
    target: float,
    nodes: int = 2_000,
    shift: FloatArray | None = None,
    deadline: float = math.inf,
) -> float:
    """No set of k elements has a larger value than this, by branch and bound in ``nodes`` splits.

    ``value`` is attained, a bound of ``target``, at least that, is good enough; the first δ is
    ``shift``.
    """
    every = np.arange(len(matrix))
    nothing = np.zeros(0, dtype=np.int64)
    order = count()
    first = np.zeros(len(matrix)) if shift is None else shift
    root = _node_bound(matrix, k, nothing, every, first, value, target, _FIRST)
    heap = [(-root.value, next(order), nothing, every, root.shift)]
    for _ in range(nodes):
        largest, _, inside, rest, first = heap[0]
        single = len(inside) == k or len(inside) + len(rest) == k
        if -largest <= target or single or time.perf_counter() > deadline:
            break
        heapq.heappop(heap)
        split = int(rest[_heaviest(matrix, inside, rest)])
        rest = rest[rest != split]
        for chosen in (np.append(inside, split), inside):
            if len(chosen) <= k <= len(chosen) + len(rest):
                node = _node_bound(matrix, k, chosen, rest, first, value, target, _STEPS)
                bound = min(-largest, node.value)
                heapq.heappush(heap, (-bound, next(order), chosen, rest, node.shift))
    return max(value, -heap[0][0])


def _node_bound(
    matrix: FloatArray,
    k: int,
    inside: IntArray,
    rest: IntArray,
    shift: FloatArray,
    value: float,
    target: float,
    steps: int,
) -> Bound:
    """A bound on the sets that have these elements and others of the rest, and its δ."""
    constant = float(matrix[np.ix_(inside, inside)].sum())
    left = k - len(inside)
    if left == 0:
        return Bound(constant, shift)
    bound = spectral_bound(
        matrix[np.ix_(rest, rest)],
        left,
        2.0 * matrix[np.ix_(rest, inside)].sum(axis=1),
        value=value - constant,
        target=target - constant,
        steps=steps,
        shift=shift[rest],
    )
    shift = shift.copy()
    shift[rest] = bound.shift
    return Bound(constant + bound.value, shift)


def _heaviest(matrix: FloatArray, inside: IntArray, rest: IntArray) -> int:
    """The place of the element of the rest with the largest entries."""
    form = np.abs(matrix[np.ix_(rest, rest)]).sum(axis=1)
    return int(first_largest(form + 2.0 * np.abs(matrix[np.ix_(rest, inside)]).sum(axis=1)))
