r"""Residuals and bounds recomputed from a program alone.

Sign convention of duals, used everywhere: the dual :math:`y_i` of a row is the derivative of the
optimum with respect to that row's right-hand side. In a minimisation a row that holds at its lower
side therefore has :math:`y_i \ge 0`, one that holds at its upper side :math:`y_i \le 0`; in a
maximisation the signs are the other way round.

With reduced costs :math:`z = c - A^\top y`, weak duality bounds a minimisation from below by

.. math:: \sum_{y_i>0} y_i l_i + \sum_{y_i<0} y_i u_i
          + \sum_{z_j>0} z_j \ell_j + \sum_{z_j<0} z_j \upsilon_j ,

where a multiplier that asks for an infinite side is dual infeasible: its size is the dual residual
and its term is left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cpe_opt.modelling.program import FloatArray, LinearProgram


@dataclass(frozen=True)
class Residuals:
    """How far a point and its duals are from optimal; 0 everywhere is perfect.

    Attributes
    ----------
    row, column : float
        Largest violation of a row's side and of a column's bound.
    integrality : float
        Largest distance of an integer column from a whole number.
    dual : float
        Largest multiplier that asks for an infinite side; nan without duals.
    gap : float
        ``|objective - bound| / max(1, |objective|)``; nan without a bound.
    """

    row: float
    column: float
    integrality: float = 0.0
    dual: float = math.nan
    gap: float = math.nan

    @property
    def primal(self) -> float:
        """The largest violation of anything the point must satisfy."""
        return max(self.row, self.column, self.integrality)

    def within(self, tolerance: float) -> bool:
        """Whether every residual that is known is at most ``tolerance``."""
        known = [r for r in (self.primal, self.dual, self.gap) if not math.isnan(r)]
        return max(known) <= tolerance


def certify(
    program: LinearProgram,
    x: FloatArray,
    row_duals: FloatArray | None = None,
    bound: float | None = None,
) -> tuple[Residuals, float | None]:
    """Residuals of ``x`` and a bound on the optimum, recomputed in numpy.

    Parameters
    ----------
    program : LinearProgram
    x : float array, shape (columns,)
    row_duals : float array, shape (rows,), optional
        In the sign convention above. With them the bound is recomputed by weak duality.
    bound : float, optional
        The solver's own bound, used where there are no duals (integer programs).

    Returns
    -------
    (Residuals, float or None)
        The bound is a lower one for a minimisation, an upper one for a maximisation.
    """
    row = _largest(program.row_block.violation(x))
    column = _largest(np.maximum(program.column_lower - x, x - program.column_upper))
    whole = x[program.integer]
    integrality = _largest(np.abs(whole - np.round(whole)))
    dual = math.nan
    if row_duals is not None and not program.is_integer:
        bound, dual = dual_bound(program, row_duals)
    objective = program.objective(x)
    gap = math.nan if bound is None else abs(objective - bound) / max(1.0, abs(objective))
    return Residuals(row, column, integrality, dual, gap), bound


def reduced_costs(program: LinearProgram, row_duals: FloatArray) -> FloatArray:
    """``c - A'y``, shape (columns,)."""
    return np.asarray(program.costs - program.matrix.T @ row_duals, dtype=np.float64)


def dual_bound(program: LinearProgram, row_duals: FloatArray) -> tuple[float, float]:
    """The weak-duality bound of these duals, and their dual residual."""
    sign = 1.0 if program.sense == "min" else -1.0
    multipliers = np.concatenate([row_duals, reduced_costs(program, row_duals)]) * sign
    lower = np.concatenate([program.row_lower, program.column_lower])
    upper = np.concatenate([program.row_upper, program.column_upper])
    # A maximisation of c'x is the minimisation of -c'x over the same rows: hence the sign.
    side = np.where(multipliers > 0, lower, upper)
    used = multipliers != 0.0
    infinite = used & ~np.isfinite(side)
    residual = _largest(np.abs(multipliers[infinite]))
    finite = used & np.isfinite(side)
    value = float(multipliers[finite] @ side[finite])
    return sign * value + program.offset, residual


def _largest(violations: FloatArray) -> float:
    return float(max(0.0, violations.max())) if violations.size else 0.0
