r"""The alternative that a design tells worst: the largest ratio of a norm to a gap.

For a matrix :math:`W \succeq 0`, such as :math:`\Lambda_p^{-1}`, the alternatives y of
:mod:`cpe_opt.formulations.subsets.alternatives` are to be found with the largest
:math:`y^\top W y / \Delta(y)^2`, :math:`\Delta(y) = \theta^\top y > 0`. Rows are
:math:`z = y s/\Delta(y)` with a scale s, so that the ratio is :math:`z^\top W z / s^2`.

- *Listed alternatives*: all are looked at.
- *Ascent*: the norm is convex, so :math:`\|y\| \ge u^\top y` with
  :math:`u = W y_0/\|y_0\|`, and :math:`u^\top y/\Delta(y)`, a ratio of two linear forms, is largest
  at the y of the largest :math:`(u - \lambda\theta)^\top y` for :math:`\lambda` the largest ratio:
  take :math:`\lambda` at the present y, the best set for it, and again (Dinkelbach 1967).
- *The certificate*: with c the largest ratio known, the integer program of
  :mod:`cpe_opt.formulations.quadratic.program` maximises
  :math:`y^\top (W - c\,\theta\theta^\top) y` over all sets but :math:`M^*`. If that is at most
  :math:`\eta \ge 0`, no ratio is above :math:`c + \eta/\Delta_{\min}^2`; if it is above 0, its
  set has a larger ratio.
"""

from __future__ import annotations

import math
import time
from typing import Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.quadratic.program import ellipsoid_maximum_program
from cpe_opt.formulations.subsets.alternatives import Alternatives
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.subsets.decisions import indicators
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import on_grid

_MOST = 60  # rows at once
_STARTS = 20
_GAIN = 1e-9
_PROGRAMS = 20


class RatioPricing:
    """Scaled alternatives with large norms, and a bound on the largest.

    Parameters
    ----------
    alternatives : Alternatives
        With one best set.
    scale : float
        s.
    deadline : float
        Of the clock of ``time.perf_counter``, for the integer programs.
    **exact
        As for :func:`cpe_opt.solve`, for the integer programs.
    """

    def __init__(
        self,
        alternatives: Alternatives,
        scale: float,
        deadline: float = math.inf,
        **exact: Unpack[SolveOptions],
    ) -> None:
        self._alternatives, self._scale, self._exact = alternatives, scale, exact
        self._deadline = deadline
        self._oracle = SubsetOracle(alternatives.decisions)
        self._known = alternatives.rows
        self._least = float(alternatives.gaps.min())

    @property
    def solves_programs(self) -> bool:
        """Whether the bound is that of an integer program."""
        return not self._alternatives.complete

    def rows(self, alternatives: FloatArray) -> FloatArray:
        """Z of each y; shapes (J, n)."""
        gaps = alternatives @ self._alternatives.theta
        return np.asarray(alternatives * (self._scale / gaps)[:, None])

    def columns(self, matrix: FloatArray) -> FloatArray:
        """Distinct rows with large values; shape (some, n)."""
        if not self._alternatives.complete:
            order = self._order(matrix)[:_STARTS]
            fresh = [self._ascent(matrix, start) for start in self._known[order]]
            self._learn(np.array(fresh))
        return self.rows(self._known[self._order(matrix)[:_MOST]])

    def bound(self, matrix: FloatArray, *, certify: bool) -> float:
        """No row has a larger value; infinite where asked only for ``certify``."""
        largest = float(quadratic_forms(self.rows(self._known), matrix).max())
        if self._alternatives.complete:
            return largest
        if not certify:
            return math.inf
        bound = math.inf
        for _ in range(_PROGRAMS):
            if time.perf_counter() > self._deadline:
                break
            ratio = largest / self._scale**2
            found, most = self._widest(matrix, ratio)
            bound = min(bound, self._scale**2 * (ratio + max(0.0, most) / self._least**2))
            if found is None or not found.any():
                break
            self._learn(found[None, :])
            reached = float(quadratic_forms(self.rows(found[None, :]), matrix)[0])
            if reached <= largest * (1.0 + _GAIN):
                break
            largest = reached
        return max(largest, bound)

    def _order(self, matrix: FloatArray) -> np.ndarray:
        values = quadratic_forms(self.rows(self._known), matrix)
        return np.argsort(-on_grid(values), kind="stable")

    def _learn(self, fresh: FloatArray) -> None:
        self._known = np.unique(np.vstack([self._known, fresh]), axis=0)

    def _ascent(self, matrix: FloatArray, start: FloatArray) -> FloatArray:
        """An alternative that no linearisation improves."""
        theta, y = self._alternatives.theta, start
        ratio = math.sqrt(float(y @ matrix @ y)) / float(y @ theta)
        while True:
            slope = matrix @ y / math.sqrt(float(y @ matrix @ y))
            members = self._oracle.maximise(on_grid(ratio * theta - slope))
            if members is None or members == self._alternatives.best:
                return y
            other = self._alternatives.difference(members)
            reached = math.sqrt(float(other @ matrix @ other)) / float(other @ theta)
            if reached <= ratio * (1.0 + _GAIN):
                return y
            y, ratio = other, reached

    def _widest(self, matrix: FloatArray, ratio: float) -> tuple[FloatArray | None, float]:
        """The alternative with the largest y'(W - c theta theta')y, and a bound on all."""
        known = self._alternatives
        best = indicators([known.best], known.decisions.size)[0]
        form = matrix - ratio * np.outer(known.theta, known.theta)
        program = ellipsoid_maximum_program(
            known.decisions, form, linear=-2.0 * (form @ best), other_than=known.best
        )
        solving = self._exact.copy()
        if math.isfinite(self._deadline):
            solving["time_limit"] = max(0.01, self._deadline - time.perf_counter())
        solving.setdefault("solver", "highs")
        result = solve(program, check=False, **solving)
        most = math.inf if result.bound is None else result.bound + float(best @ form @ best)
        if result.x is None:
            return None, most
        members = np.flatnonzero(result.x[: known.decisions.size] > 0.5).tolist()
        return known.difference(tuple(members)), most
