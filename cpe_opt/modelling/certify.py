r"""Residuals and bounds recomputed from a program alone.

Sign convention of duals, used everywhere: the dual :math:`y_i` of a row is the derivative of the
optimum with respect to that row's right-hand side. In a minimisation a row that holds at its lower
side therefore has :math:`y_i \ge 0`, one that holds at its upper side :math:`y_i \le 0`; in a
maximisation the signs are the other way round.

With reduced costs :math:`z = c - A^\top y`, weak duality bounds a minimisation from below by

.. math:: \sum_{y_i>0} y_i l_i + \sum_{y_i<0} y_i u_i
          + \sum_{z_j>0} z_j \ell_j + \sum_{z_j<0} z_j \upsilon_j .

A multiplier that asks for an infinite side makes this -∞: its size is the *dual residual*. A row's
is set to 0, which costs nothing but the quality of the bound. A reduced cost of the wrong sign is
repaired by the smallest change of y, in the least-squares sense, that takes it to 0; where some
remain there is no bound.

In floating point: a reduced cost of the wrong sign and below :data:`ROUNDING` of the terms it is
the sum of counts as 0, and the bound is a sum of terms with a rounding error of some 1e-16 each. So
the bound is a true one for costs that differ from the given ones by at most that share of
:math:`|c_j| + \sum_i |a_{ij} y_i|`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.modelling.program import BoolArray, LinearProgram
from cpe_opt.validation import checked_types

ROUNDING = 1e-12
_REPAIRS = 6
_DENSE = 4_000_000  # entries of a least-squares problem that is solved as a dense one


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
        :func:`relative_gap` of objective and bound; nan without a bound.
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


def relative_gap(value: float, bound: float) -> float:
    """``|value - bound| / max(|value|, |bound|)``; 0 where equal, nan where one is infinite."""
    if value == bound:
        return 0.0
    largest = max(abs(value), abs(bound))
    if math.isinf(largest):
        return math.nan
    return abs(value - bound) / largest if largest else 0.0


@checked_types
def certify(
    program: LinearProgram,
    x: FloatArray,
    row_duals: FloatArray | None = None,
    bound: float | None = None,
    *,
    proof: tuple[float | None, float] | None = None,
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
    proof : (float or None, float), optional
        What :func:`dual_bound` says of the duals, where that is known already.

    Returns
    -------
    (Residuals, float or None)
        The bound is a lower one for a minimisation, an upper one for a maximisation.
    """
    rows, columns = program.shape
    for name, vector, size in (("x", x, columns), ("row_duals", row_duals, rows)):
        if vector is not None and np.shape(vector) != (size,):
            raise InputError(f"{name} has shape {np.shape(vector)}, expected ({size},)")
    x = np.asarray(x, dtype=np.float64)
    row = _largest(program.row_block.violation(x))
    column = _largest(np.maximum(program.column_lower - x, x - program.column_upper))
    whole = x[program.integer]
    integrality = _largest(np.abs(whole - np.round(whole)))
    dual = math.nan
    if row_duals is not None and not program.is_integer:
        bound, dual = proof or dual_bound(program, row_duals)
    gap = math.nan if bound is None else relative_gap(program.objective(x), bound)
    return Residuals(row, column, integrality, dual, gap), bound


def reduced_costs(program: LinearProgram, row_duals: FloatArray) -> FloatArray:
    """``c - A'y``, shape (columns,)."""
    return program.costs - _combined(program, row_duals)


def dual_bound(program: LinearProgram, row_duals: FloatArray) -> tuple[float | None, float]:
    """The weak-duality bound of these duals (None where there is none), and their dual residual."""
    sign = 1.0 if program.sense == "min" else -1.0
    # A maximisation of c'x is the minimisation of -c'x over the same rows: hence the sign.
    duals = np.nan_to_num(sign * row_duals)
    lower, upper = program.row_lower, program.row_upper
    residual = _largest(np.abs(duals[_asks_infinity(duals, lower, upper)]))
    duals = np.where(_asks_infinity(duals, lower, upper), 0.0, duals)
    costs, wrong = _signed_reduced_costs(program, sign, duals)
    residual = max(residual, _largest(np.abs(costs[wrong])))
    if wrong.any():
        repaired = _repaired(program, sign, duals, wrong)
        if repaired is None:
            return None, residual
        duals, costs = repaired
    multipliers = np.concatenate([duals, costs])
    sides = np.where(
        multipliers > 0,
        np.concatenate([lower, program.column_lower]),
        np.concatenate([upper, program.column_upper]),
    )
    used = multipliers != 0.0
    value = float(multipliers[used] @ sides[used])
    return sign * value + program.offset, residual


def _signed_reduced_costs(
    program: LinearProgram, sign: float, duals: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """Reduced costs of the minimisation, and which of them ask for an infinite side.

    One that asks for an infinite side and is nothing but rounding errors becomes 0.
    """
    costs = sign * program.costs - _combined(program, duals)
    wrong = _asks_infinity(costs, program.column_lower, program.column_upper)
    if wrong.any():
        size = np.abs(program.costs) + _combined(program, duals, absolute=True)
        costs[wrong & (np.abs(costs) <= ROUNDING * size)] = 0.0
        wrong &= costs != 0.0
    return costs, wrong


def _combined(program: LinearProgram, duals: FloatArray, *, absolute: bool = False) -> FloatArray:
    """``A'y``, or the sums of the sizes of its terms; shape (columns,)."""
    matrix = program.matrix
    terms = matrix.data * np.repeat(duals, np.diff(matrix.indptr))
    if absolute:
        terms = np.abs(terms)
    sums = np.bincount(matrix.indices, weights=terms, minlength=matrix.shape[1])
    return np.asarray(sums, dtype=np.float64)


def _asks_infinity(multipliers: FloatArray, lower: FloatArray, upper: FloatArray) -> BoolArray:
    """Which multipliers ask for a side that is infinite."""
    return np.asarray(
        ((multipliers > 0) & (lower == -math.inf)) | ((multipliers < 0) & (upper == math.inf))
    )


def _repaired(
    program: LinearProgram, sign: float, duals: FloatArray, wrong: BoolArray
) -> tuple[FloatArray, FloatArray] | None:
    """Duals whose reduced costs ask for no infinite side, near the given ones; None if not met."""
    lower, upper = program.row_lower, program.row_upper
    either = np.isfinite(lower) & np.isfinite(upper)
    columns = wrong.copy()
    for _ in range(_REPAIRS):
        # Rows that may move without asking for an infinite side: of two sides, or in use.
        rows = np.flatnonzero(either | (duals != 0.0))
        numbers = np.flatnonzero(columns)
        costs, _ = _signed_reduced_costs(program, sign, duals)
        change = _least_change(program, rows, numbers, costs[numbers])
        if change is None:
            return None
        duals = duals.copy()
        duals[rows] += change
        duals[_asks_infinity(duals, lower, upper)] = 0.0
        costs, wrong = _signed_reduced_costs(program, sign, duals)
        if not wrong.any():
            return duals, costs
        columns |= wrong
    return None


def _least_change(
    program: LinearProgram,
    rows: np.ndarray[tuple[int], np.dtype[np.int64]],
    columns: np.ndarray[tuple[int], np.dtype[np.int64]],
    costs: FloatArray,
) -> FloatArray | None:
    """The least d with ``A[rows, columns]' d = costs``, or the nearest; None if it is too large."""
    if not rows.size or rows.size * columns.size > _DENSE:
        return None
    part = program.matrix[rows][:, columns].toarray()
    scale = np.abs(part).max(axis=1, initial=0.0)
    scale[scale == 0.0] = 1.0
    change = np.linalg.lstsq((part / scale[:, None]).T, costs, rcond=None)[0] / scale
    return np.asarray(change) if np.isfinite(change).all() else None


def _largest(violations: FloatArray) -> float:
    return float(max(0.0, violations.max())) if violations.size else 0.0
