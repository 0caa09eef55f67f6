r"""Optimal designs over a list of vectors: G by log-determinants, XY by a saddle point.

A design puts weights p on the rows x of a matrix; :math:`\Lambda_p = \sum_i p_i x_i x_i^\top`.

**G-optimal**: minimise :math:`\max_i g_i`, :math:`g_i = x_i^\top \Lambda_p^{-1} x_i`. By the
theorem of Kiefer and Wolfowitz these are the designs that maximise :math:`\log\det \Lambda_p`, and
their G value is the dimension r; as :math:`\sum_i p_i g_i = r` for every p, ``max g / r - 1`` is a
certified gap.

- ``frank-wolfe``: pairwise steps (towards the largest g, away from the least g in the support),
  with exact line search and rank-two updates of the inverse;
- ``cvxpy``: the conic program :func:`log_det_program`.

**XY-optimal**: minimise :math:`\max_y y^\top \Lambda_p^{-1} y` over given vectors y, the
differences of actions. For weights π on these, :math:`V = \sum_y \pi_y y y^\top` and
:math:`M = \Lambda_p^{-1} V \Lambda_p^{-1}`, duality gives the lower bound
:math:`\mathrm{tr}(\Lambda_p^{-1} V)^2 / \max_i x_i^\top M x_i` on the optimum, whatever p and π.

- ``multiplicative``: :math:`p_i \leftarrow p_i \sqrt{x_i^\top M x_i}` and
  :math:`\pi_y \leftarrow \pi_y\, y^\top \Lambda_p^{-1} y`, both scaled to add up to 1;
- ``cvxpy``: the second-order cone program :func:`minimax_program`, with the π of its duals.

J. Kiefer, J. Wolfowitz, "The equivalence of two extremum problems", Canadian Journal of Mathematics
12 (1960).

Where the vectors span less than their space, the cone programs are in r coordinates that decide
the others.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.designs.design import inverse_of
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import first_largest, first_smallest, on_grid

_REFRESH = 200  # steps after which the inverse is computed anew
_MOST_MULTIPLICATIVE = 100_000
_DROP = 1e-13
_EQUAL = 1e-11  # values of g, or weights, this close differ by rounding alone
_UNSEEN = 1e-12  # of the largest quadratic value: less may be rounding
_TRACE = 1e-8
_TRACE_OF_MIXTURE = 1e-12


class LogDet:
    r"""The log-determinant master: a growing list of vectors, and weights that are improved.

    The vectors, shape (N, r), span the space, and the weights, shape (N,), have an invertible
    :math:`\Lambda_p`.
    """

    def __init__(self, vectors: FloatArray, weights: FloatArray) -> None:
        self.vectors = vectors
        self.weights = weights / weights.sum()
        self.inverse = inverse_of(vectors, self.weights)
        self.g = quadratic_forms(vectors, self.inverse)

    @property
    def dimension(self) -> int:
        """The dimension r: the least G value there is."""
        return int(self.vectors.shape[1])

    @property
    def gap(self) -> float:
        """Certified over the list: max g / r - 1."""
        return float(self.g.max()) / self.dimension - 1.0

    def add(self, vectors: FloatArray) -> None:
        """More vectors, with weight 0."""
        self.vectors = np.vstack([self.vectors, vectors])
        self.weights = np.concatenate([self.weights, np.zeros(len(vectors))])
        self.g = np.concatenate([self.g, quadratic_forms(vectors, self.inverse)])

    def keep(self, mask: np.ndarray) -> None:
        """Forget vectors; those with weight must stay."""
        self.vectors, self.weights, self.g = (
            self.vectors[mask], self.weights[mask], self.g[mask],
        )  # fmt: skip

    def improve(self, tolerance: float, most: int) -> None:
        """Pairwise Frank–Wolfe steps until the gap over the list is small enough."""
        for step in range(most):
            towards = int(first_largest(self.g, tolerance=_EQUAL))
            away = first_smallest(np.where(self.weights > 0, self.g, np.inf), tolerance=_EQUAL)
            if self.gap <= tolerance or self.g[towards] <= self.g[away]:
                return
            self._move(away, towards)
            if step % _REFRESH == _REFRESH - 1:
                self._refresh()
        self._refresh()

    def _move(self, away: int, towards: int) -> None:
        """Move weight d between two vectors so that the determinant grows most.

        It is multiplied by 1 + d (g_i - g_j) - d² (g_i g_j - g_ij²).
        """
        pair = self.vectors[[towards, away]]
        images = pair @ self.inverse
        gram = images @ pair.T
        curvature = gram[0, 0] * gram[1, 1] - gram[0, 1] ** 2
        most = float(self.weights[away])
        moved = most
        if curvature > 0.0:
            moved = min(most, (gram[0, 0] - gram[1, 1]) / (2.0 * curvature))
        self.weights[towards] += moved
        self.weights[away] = 0.0 if moved >= most * (1.0 - _EQUAL) else most - moved
        middle = np.asarray(
            np.linalg.inv(np.diag([1.0 / moved, -1.0 / moved]) + gram), dtype=np.float64
        )
        self.inverse = self.inverse - images.T @ middle @ images
        along = self.vectors @ images.T
        self.g = np.asarray(self.g - quadratic_forms(along, middle))

    def _refresh(self) -> None:
        self.weights = np.asarray(self.weights / self.weights.sum())
        self.inverse = inverse_of(self.vectors, self.weights)
        self.g = quadratic_forms(self.vectors, self.inverse)


def g_frank_wolfe(vectors: FloatArray, tolerance: float, most: int = 200_000) -> FloatArray:
    """Weights of a G-optimal design over the rows; vectors span the space."""
    master = LogDet(vectors, np.full(len(vectors), 1.0 / len(vectors)))
    master.improve(tolerance, most)
    return np.asarray(master.weights)


def g_cvxpy(vectors: FloatArray, **solving: Unpack[SolveOptions]) -> tuple[FloatArray, SolveResult]:
    """The same by a conic solver (``clarabel`` by default), with its solve."""
    return _solved_weights(log_det_program(vectors), solving)


@dataclass(eq=False)
class XYState:
    """An XY design with its weights on both sides."""

    # (N,) and (Y,); p and π
    weights: FloatArray
    mixture: FloatArray
    # (r, r); the inverse of Λ_p, and M
    inverse: FloatArray
    against: FloatArray
    # the largest norm over the list of differences, and the lower bound over the list of actions
    value: float
    bound: float
    trace: float  # the mixture's mean of the norms


def saddle_at(
    vectors: FloatArray, differences: FloatArray, weights: FloatArray, mixture: FloatArray
) -> XYState:
    """What weights on both sides prove."""
    inverse = inverse_of(vectors, weights)
    norms = quadratic_forms(differences, inverse)
    against = inverse @ (differences.T @ (mixture[:, None] * differences)) @ inverse
    against = (against + against.T) / 2.0
    trace = float(mixture @ norms)
    largest = float(quadratic_forms(vectors, against).max())
    return XYState(
        weights, mixture, inverse, against, float(norms.max()), trace**2 / largest, trace
    )


def growth(vectors: FloatArray, against: FloatArray) -> FloatArray:
    r""":math:`\sqrt{x_i^\top M x_i}`, at least 1e-6 of the largest: a 0 is that of rounding."""
    squares = quadratic_forms(vectors, against)
    return np.asarray(np.sqrt(np.maximum(squares, _UNSEEN * squares.max())))


def xy_multiplicative(
    vectors: FloatArray,
    differences: FloatArray,
    tolerance: float,
    *,
    most: int = _MOST_MULTIPLICATIVE,
    weights: FloatArray | None = None,
    mixture: FloatArray | None = None,
    spread: float = 0.0,
) -> XYState:
    """An XY-optimal design over lists of actions and of differences, the best met with its bound.

    Where lengths of differences are of different magnitudes, weights that are needed in the end
    fall so low at first that Λ is singular: a share of all weights, ``spread`` of the relative gap
    so far, is then the same for all.
    """
    if weights is None:
        weights = np.full(len(vectors), 1.0 / len(vectors))
    if mixture is None:
        mixture = np.full(len(differences), 1.0 / len(differences))
    saddle = best = saddle_at(vectors, differences, weights, mixture)
    bound = saddle.bound
    for _ in range(most):
        if best.value <= bound * (1.0 + tolerance):
            break
        weights = saddle.weights * growth(vectors, saddle.against)
        mixture = saddle.mixture * quadratic_forms(differences, saddle.inverse)
        weights, mixture = weights / weights.sum(), mixture / mixture.sum()
        if spread:
            share = spread * min(1.0, best.value / bound - 1.0)
            weights = (1.0 - share) * weights + share / len(weights)
            mixture = np.maximum(mixture, _TRACE_OF_MIXTURE)
            mixture = mixture / mixture.sum()
        saddle = saddle_at(vectors, differences, weights, mixture)
        if not spread:
            best, bound = saddle, saddle.bound
            continue
        bound = max(bound, saddle.bound)
        if saddle.value < best.value:
            best = saddle
    return replace(best, bound=bound)


def xy_cvxpy(
    vectors: FloatArray, differences: FloatArray, tolerance: float, **solving: Unpack[SolveOptions]
) -> tuple[XYState, SolveResult]:
    """The same by a conic solver, with the differences that matter taken in round by round."""
    equal = np.full(len(vectors), 1.0 / len(vectors))
    active = [int(first_largest(quadratic_forms(differences, inverse_of(vectors, equal))))]
    while True:
        program = minimax_program(vectors, differences[active])
        # A direction that no difference needs may get no weight at all: leave it a trace.
        solved, result = _solved_weights(program, solving)
        weights = solved + _TRACE / len(vectors)
        weights = np.asarray(weights / weights.sum())
        mixture = np.zeros(len(differences))
        mixture[active] = np.maximum(_DROP, program.problem.constraints[0].dual_value)
        saddle = saddle_at(vectors, differences, weights, mixture / mixture.sum())
        norms = quadratic_forms(differences, saddle.inverse)
        known = float(norms[active].max())
        fresh = [
            int(y) for y in np.argsort(-on_grid(norms), kind="stable")[: vectors.shape[1]]
            if norms[y] > known * (1.0 + tolerance) and y not in active
        ]  # fmt: skip
        if not fresh:
            return saddle, result
        active += fresh


def _solved_weights(program: ConicProgram, solving: SolveOptions) -> tuple[FloatArray, SolveResult]:
    solving.setdefault("solver", "clarabel")
    result = solve(program, check=False, **solving)
    if result.x is None:
        raise NotOptimal(result)
    variable = next(v for v in program.problem.variables() if v.name() == "weights")
    weights = np.maximum(0.0, np.asarray(variable.value, dtype=np.float64))
    return np.asarray(weights / weights.sum()), result


def log_det_program(vectors: FloatArray) -> ConicProgram:
    """``maximise log det`` of the information matrix, in ``weights``; a program ``g_design``."""
    import cvxpy as cp

    started = time.perf_counter()
    weights = cp.Variable(len(vectors), nonneg=True, name="weights")
    information = vectors.T @ cp.diag(weights) @ vectors
    problem = cp.Problem(
        cp.Maximize(cp.log_det(information)), [np.ones(len(vectors)) @ weights == 1]
    )
    return ConicProgram("g_design", problem, build_seconds=time.perf_counter() - started)


def minimax_program(vectors: FloatArray, differences: FloatArray) -> ConicProgram:
    r"""The XY design as a second-order cone program ``xy_design`` in ``weights``.

    :math:`y^\top \Lambda_p^{-1} y` is the least :math:`\sum_i u_i^2 / p_i` with
    :math:`\sum_i u_i x_i = y`: one column of ``paths`` a difference, one cone an entry.
    """
    import cvxpy as cp

    started = time.perf_counter()
    count, rivals = len(vectors), len(differences)
    weights = cp.Variable(count, nonneg=True, name="weights")
    paths = cp.Variable((count, rivals), name="paths")
    costs = cp.Variable((count, rivals), name="costs")
    value = cp.Variable(name="value")
    flat, cost = cp.vec(paths, order="F"), cp.vec(costs, order="F")
    spread = cp.hstack([weights] * rivals)
    each = np.ones(count)
    cone = cp.SOC(cost + spread, cp.vstack([2 * flat, cost - spread]))
    problem = cp.Problem(
        cp.Minimize(value),
        [each @ costs <= value, each @ weights == 1, vectors.T @ paths == differences.T, cone],
    )
    return ConicProgram("xy_design", problem, build_seconds=time.perf_counter() - started)
