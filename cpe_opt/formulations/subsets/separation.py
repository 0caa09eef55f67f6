r"""The alternative that single pulls of elements tell worst, in a class that cannot be listed.

For :math:`a_e = 1/q_e` the sets M other than :math:`M^*` are to be found with the largest

.. math:: \rho_M = \frac{A_M}{b_M}, \qquad A_M = \sum_{e \in M \triangle M^*} a_e, \quad
          b_M = \frac{\Delta_M^2}{2 \sigma^2} ,

A and Δ both linear in the indicator x of M:
:math:`A = \sum_{e \in M^*} a_e (1 - x_e) + \sum_{e \notin M^*} a_e x_e`. The set
:math:`\{A \ge c \Delta^2\}` is convex, not its complement: the largest ratio may be that of a set
which is best for no linear objective in A and Δ. (Of three sets with (A, Δ) = (1, 1), (8.9, 3) and
(4.1, 2) the third has the largest ratio, and lies below the chord of the others.) There are two
ways:

- *the linear oracle*: :math:`\Delta^2 \ge 2 s \Delta - s^2` for any s, with equality at
  :math:`s = \Delta`. The set of the largest :math:`A_M - s\Delta_M/\sigma^2` is taken, then that
  for its own Δ as s, until it is the same. A heuristic;
- *the integer program* ``separation``: with the least gap :math:`\Delta_{\min}` as the unit of Δ
  and its b as that of A, minimise :math:`t - A` over x in the class's program, with ``tangent_n``:
  :math:`t \ge 2 s \Delta - s^2` for several s, ``gap``: :math:`\Delta \ge 1`, ``other``:
  :math:`\sum_{e \in M^*} x_e \le |M^*| - 1`. The tangent at the Δ of its set joins until t is
  :math:`\Delta^2` there. Whatever the set, a lower bound :math:`-\eta` on its optimum proves that
  :math:`A \le \Delta^2 + \eta`, so that no ratio is above :math:`1 + \eta`, as Δ ≥ 1.

Without any of it no ratio is above :math:`\max_M A_M / b_{\min}`.
"""

from __future__ import annotations

import math
import time
from typing import Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.subsets.alternatives import Alternatives
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import on_grid

_MULTIPLIERS = 8
_STEPS = 5  # of the linear oracle from one multiplier
_TANGENTS = 30
_NEAR = 0.05
_PROGRAMS = 200
_WHOLE = 0.5
_EXACT = 1e-6


class Separation:
    """Alternatives with large ratios, and a bound on all.

    Parameters
    ----------
    alternatives : Alternatives
        With one best set.
    variance : float
        σ².
    **exact
        As for :func:`cpe_opt.solve`, for the integer programs.
    """

    def __init__(
        self, alternatives: Alternatives, variance: float, **exact: Unpack[SolveOptions]
    ) -> None:
        self._alternatives, self._variance, self._exact = alternatives, variance, exact
        self._oracle = SubsetOracle(alternatives.decisions)
        self._chosen = np.zeros(alternatives.decisions.size, np.bool_)
        self._chosen[list(alternatives.best)] = True
        self._sign = np.where(self._chosen, -1.0, 1.0)
        gaps = alternatives.gaps
        self._least = float(gaps.min())
        self._multipliers = np.geomspace(self._least, float(gaps.max()), _MULTIPLIERS)

    def ratios(self, rows: FloatArray, inverse: FloatArray) -> FloatArray:
        """ρ of each row for a = 1/q; shape (J,)."""
        needed = (rows @ self._alternatives.theta) ** 2 / (2.0 * self._variance)
        return np.asarray(np.abs(rows) @ inverse / needed)

    def quick(self, inverse: FloatArray) -> FloatArray:
        """Alternatives found by the linear oracle; shape (some, n)."""
        theta, found = self._alternatives.theta, dict[tuple[int, ...], FloatArray]()
        for first in self._multipliers.tolist():
            multiplier = first
            for _ in range(_STEPS):
                weights = self._sign * inverse + (multiplier / self._variance) * theta
                members = self._oracle.maximise(on_grid(weights))
                if members is None or members == self._alternatives.best or members in found:
                    break
                found[members] = self._alternatives.difference(members)
                multiplier = float(found[members] @ theta)
        return np.array(list(found.values())).reshape(len(found), len(theta))

    def exact(
        self, rows: FloatArray, inverse: FloatArray, deadline: float
    ) -> tuple[FloatArray, float]:
        """Alternatives found by the integer program, shape (some, n), and a bound on all ratios.

        There are tangents at those of the known ``rows`` that nearly break.
        """
        unit = self._least**2 / (2.0 * self._variance)
        found: list[FloatArray] = []
        proved = self.simple_bound(inverse)
        # No ratio is above 1 where Δ² is above all A.
        farthest = math.sqrt(max(1.0, proved))
        near = rows[self.ratios(rows, inverse) > 1.0 - _NEAR]
        touched = np.geomspace(1.0, farthest, _TANGENTS).tolist()
        touched += np.unique(on_grid(near @ self._alternatives.theta) / self._least).tolist()
        for _ in range(_PROGRAMS):
            if time.perf_counter() > deadline:
                break
            result = self._solve(self._program(inverse / unit, touched), deadline)
            if result.bound is not None and math.isfinite(result.bound):
                proved = min(proved, 1.0 + max(0.0, -result.bound))
            if result.x is None:
                break
            members = tuple(np.flatnonzero(result.x[: len(inverse)] > _WHOLE).tolist())
            row = self._alternatives.difference(members)
            found.append(row)
            worst = float(self.ratios(row[None, :], inverse)[0])
            if worst > 1.0 + _EXACT or proved <= max(1.0, worst) + _EXACT:
                break
            gap = float(row @ self._alternatives.theta) / self._least
            touched.append(gap)
        return np.array(found).reshape(len(found), len(inverse)), proved

    def simple_bound(self, inverse: FloatArray) -> float:
        """The largest A over the least b."""
        weights = self._sign * inverse
        farthest = self._oracle.optimum(weights)
        assert farthest is not None
        most = farthest.bound + float(inverse[self._chosen].sum())
        return most * 2.0 * self._variance / self._least**2

    def _solve(self, program: LinearProgram, deadline: float) -> SolveResult:
        solving = self._exact.copy()
        if math.isfinite(deadline):
            solving["time_limit"] = max(0.01, deadline - time.perf_counter())
        solving.setdefault("solver", "highs")
        return solve(program, check=False, **solving)

    def _program(self, weights: FloatArray, touched: list[float]) -> LinearProgram:
        """The integer program with tangents at these Δ; ``weights`` are a in units of b."""
        decisions, chosen = self._alternatives.decisions, self._chosen
        gains = self._alternatives.theta / self._least
        best = float(gains[chosen].sum())
        builder = ProgramBuilder("separation", offset=-float(weights[chosen].sum()))
        x = builder.columns(
            "x", decisions.keys, cost=-self._sign * weights, upper=1.0, integer=True
        )
        square = builder.columns("square", 1, cost=1.0)
        decisions.program_rows(builder, x, integer=False)
        builder.row("gap", x, gains, upper=best - 1.0)
        builder.row("other", x[chosen], upper=float(chosen.sum()) - 1.0)
        places = np.arange(len(touched))
        slopes = 2.0 * np.array(touched)
        # t + s' theta(M) >= s' theta(M*) - s²
        builder.rows(
            "tangent",
            len(touched),
            np.concatenate([np.repeat(places, len(x)), places]),
            np.concatenate([np.tile(x, len(touched)), np.repeat(square, len(touched))]),
            np.concatenate([np.outer(slopes, gains).ravel(), np.ones(len(touched))]),
            lower=slopes * best - np.array(touched) ** 2,
        )
        return builder.build()
