r"""Cone programs of characteristic times: rows that are linear in the inverse of what is sampled.

With prices :math:`\pi_a > 0` and a matrix :math:`A \ge 0` without a column of zeros

.. math:: T^* = \min_{q > 0} \sum_a \pi_a q_a \quad\text{s.t.}\quad
          \sum_a A_{ja} / q_a \le 1 \quad \forall j .

**The bound.** For multipliers :math:`t \rho` with :math:`\rho \ge 0`, :math:`\sum_j \rho_j = 1` and
:math:`w_a = \sum_j \rho_j A_{ja}` the Lagrangian is least at :math:`q_a = \sqrt{t w_a/\pi_a}`,
where it is :math:`2 \sqrt t \sum_a \sqrt{\pi_a w_a} - t`; at the best t

.. math:: \Bigl( \sum_a \sqrt{\pi_a w_a} \Bigr)^2 \le T^* ,

with equality at the best :math:`\rho`. Rows that are left out have :math:`\rho_j = 0`: the bound is
true for any program that has these rows and others.

**Steps without a solver.** Take the q of :math:`\rho`, multiply each :math:`\rho_j` by the
left-hand side of its row, divide by the sum, as is done for optimal designs (Silvey, Titterington,
Torsney 1978), until the cost of the least feasible multiple of q and the bound agree.

**The cone program.** Two columns for every a, :math:`y_a = q_a/u_a` and :math:`s_a \ge 1/y_a`, in
units :math:`u_a`, powers of two near the optimum; one cone each,

.. math:: s_a y_a \ge 1 \iff \| (2, s_a - y_a) \| \le s_a + y_a ,

and the rows :math:`\sum_a A_{ja}/u_a\, s_a \le 1`. The objective is the cost
:math:`\sum_a \pi_a u_a y_a`; where that is beyond a million, or below 1, in units of a power of two
near it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Unpack

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.result import NotOptimal, SolveResult
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.solve import solve

LEAST_WEIGHT = 1e-200
"""Below this no weight of a row falls, so that it may rise again."""
_LEAST_AMOUNT = 1e-9
_STEPS_OF_UNITS = 30
_ACCURATE = 1e-9
_USUAL = 20


@dataclass(frozen=True, eq=False)
class InverseRows:
    """The prices, shape (P,), and the rows A, shape (J, P), of such a program."""

    prices: FloatArray
    rows: sp.csr_array | FloatArray

    @cached_property
    def _columns(self) -> sp.csc_array | FloatArray:
        return self.rows.T

    def amounts(self, weights: FloatArray) -> FloatArray:
        """The q that these weights of the rows ask for, up to a factor; shape (P,)."""
        return np.asarray(np.sqrt(self._columns @ weights / self.prices))

    def feasible(self, amounts: FloatArray) -> FloatArray:
        """The multiple of them at which the tightest row holds."""
        return np.asarray(amounts * float((self.rows @ (1.0 / amounts)).max()))

    def bound(self, weights: FloatArray) -> float:
        """The value of the Lagrangian dual at the best multiple of weights that add up to 1."""
        return float(np.sqrt(self.prices * (self._columns @ weights)).sum() ** 2)

    def balanced(self, steps: int, *, accuracy: float = _ACCURATE) -> FloatArray:
        """Weights of the rows, which add up to 1, after at most ``steps`` multiplicative steps."""
        weights = np.full(self.rows.shape[0], 1.0 / self.rows.shape[0])
        for _ in range(steps):
            amounts = self.amounts(weights)
            sides = self.rows @ (1.0 / amounts)
            largest = float(sides.max())
            if self.prices @ amounts * largest <= self.bound(weights) * (1.0 + accuracy):
                break
            weights = np.maximum(weights * (sides / largest), LEAST_WEIGHT)
            weights = weights / weights.sum()
        return weights

    @cached_property
    def units(self) -> FloatArray:
        """Powers of two near the q of the optimum; shape (P,)."""
        near = self.feasible(self.amounts(self.balanced(_STEPS_OF_UNITS)))
        # A number next to a power of two is common, one next to 1/1.3 of it is not.
        return np.asarray(np.ldexp(1.0, np.frexp(1.3 * near)[1] - 1), dtype=np.float64)

    @property
    def cost_unit(self) -> float:
        """1, or the power of two next below the cost where that is no number of a usual size."""
        magnitude = math.frexp(float(self.prices @ self.units))[1] - 1
        return 1.0 if 0 <= magnitude <= _USUAL else math.ldexp(1.0, magnitude)

    def cone_program(
        self, name: str, column: str, labels: Mapping[str, str] | None = None
    ) -> ConicProgram:
        """The cone program, with y in the columns ``column`` and s in the columns ``inverse``."""
        import cvxpy as cp

        started = time.perf_counter()
        units, count = self.units, len(self.units)
        amounts = cp.Variable(count, nonneg=True, name=column)
        inverse = cp.Variable(count, nonneg=True, name="inverse")
        rows = sp.csr_array(self.rows @ sp.diags_array(1.0 / units))
        cones = cp.SOC(inverse + amounts, cp.vstack([np.full(count, 2.0), inverse - amounts]))
        costs = self.prices * units / self.cost_unit
        problem = cp.Problem(cp.Minimize(costs @ amounts), [rows @ inverse <= 1, cones])
        seconds = time.perf_counter() - started
        return ConicProgram(name, problem, labels=labels or {}, build_seconds=seconds)

    def solved(
        self, program: ConicProgram, **solving: Unpack[SolveOptions]
    ) -> tuple[FloatArray, FloatArray, SolveResult]:
        """A feasible q, shape (P,), weights of the rows, (J,), and the solve of the program."""
        solving.setdefault("solver", "clarabel")
        result = solve(program, check=False, **solving)
        if result.x is None:
            raise NotOptimal(result)
        columns = program.problem.variables()
        amounts = next(each for each in columns if each.name() != "inverse")
        weights = _above(LEAST_WEIGHT, program.problem.constraints[0].dual_value)
        # In units near the optimum, so that a solver far off still leads to a finite multiple.
        amounts_found = self.feasible(_above(_LEAST_AMOUNT, amounts.value) * self.units)
        return amounts_found, weights / weights.sum(), result


def _above(least: float, values: npt.ArrayLike) -> FloatArray:
    return np.maximum(np.nan_to_num(np.asarray(values, dtype=np.float64)), least)
