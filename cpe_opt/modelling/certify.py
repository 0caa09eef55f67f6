r"""Residuals and bounds recomputed from a program alone.

Sign convention of duals, used everywhere: the dual :math:`y_i` of a row is the derivative of the
optimum with respect to that row's right-hand side. In a minimisation a row that holds at its lower
side therefore has :math:`y_i \ge 0`, one that holds at its upper side :math:`y_i \le 0`; in a
maximisation the signs are the other way round.

With reduced costs :math:`z = c - A^\top y`, weak duality bounds a minimisation from below by

.. math:: \sum_{y_i>0} y_i l_i + \sum_{y_i<0} y_i u_i
          + \sum_{z_j>0} z_j \ell_j + \sum_{z_j<0} z_j \upsilon_j .

A multiplier that asks for an infinite side makes this -∞: its size is the *dual residual*. A row's
is set to 0. Reduced costs of the wrong sign are repaired: multipliers of rows below 1e-14 of the
largest become 0, and then y moves by the least change that takes these reduced costs to 0, as often
as others turn wrong by it. Where some remain, the duals give no bound (:func:`dual_proof`).

A point is measured in the units of the program (:func:`tolerances`): it keeps a row of a side b
within :math:`10^{-6} \max(1, |b|)` and the rounding of its terms, :math:`10^{-9} \sum_j |a_{ij}
x_j|`. Where it breaks rows by r, the program that is relaxed by r has the bound above less
:math:`\sum_i |y_i| r_i`: so far may the objective at the point be better than the optimum.

In floating point a reduced cost of the wrong sign and below :data:`ROUNDING` of the terms it is the
sum of, :math:`t_j = |c_j| + \sum_i |a_{ij} y_i|`, counts as 0. So no feasible x is better than the
bound by more than :data:`ROUNDING` :math:`\cdot \sum_j t_j |x_j|`, the sum over these columns. The
terms of the bound itself are added with a relative error of :math:`2^{-53}` each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.validation import checked_types

ROUNDING = 1e-12
TOLERANCE = 1e-6
_TERMS = 1e-9
_NOISE = 1e-14  # of the largest multiplier of a row
_REPAIRS = 6
_DENSE = 5_000_000  # of a dense least-squares problem: its size by its smaller side
_ITERATIONS = 1000  # of a sparse one


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
        Of objective and bound, by :func:`relative_gap`; nan without a bound.
    lead : float
        How much better than the optimum the violations of rows may make the objective; nan without
        duals.
    """

    row: float
    column: float
    integrality: float = 0.0
    dual: float = math.nan
    gap: float = math.nan
    lead: float = math.nan

    @property
    def primal(self) -> float:
        """The largest violation of anything the point must satisfy."""
        return max(self.row, self.column, self.integrality)

    def within(self, tolerance: float) -> bool:
        """Whether every residual that is known is at most ``tolerance``."""
        known = [r for r in (self.primal, self.dual, self.gap) if not math.isnan(r)]
        return max(known) <= tolerance


def relative_gap(value: float, bound: float) -> float:
    """``|value - bound| / max(1, |value|, |bound|)``; 0 where equal, nan where one is infinite."""
    if value == bound:
        return 0.0
    largest = max(1.0, abs(value), abs(bound))
    return math.nan if math.isinf(largest) else abs(value - bound) / largest


def tolerances(program: LinearProgram, x: FloatArray) -> FloatArray:
    """By how much the point, shape (columns,), may break each row; shape (rows,)."""
    side = np.fmin(np.abs(program.row_lower), np.abs(program.row_upper))  # the finite one
    side = np.maximum(1.0, np.where(np.isinf(side), 0.0, side))
    return np.asarray(TOLERANCE * side + _TERMS * (abs(program.matrix) @ np.abs(x)))


def sign_of(program: LinearProgram) -> float:
    """1 for a minimisation, -1 for a maximisation, which minimises the negated costs."""
    return 1.0 if program.sense == "min" else -1.0


@checked_types
def certify(
    program: LinearProgram,
    x: FloatArray,
    row_duals: FloatArray | None = None,
    bound: float | None = None,
) -> tuple[Residuals, float | None]:
    """Residuals of ``x``, and a bound on the optimum, recomputed in numpy."""
    rows, columns = program.shape
    for name, vector, size in (("x", x, columns), ("row_duals", row_duals, rows)):
        if vector is not None and np.shape(vector) != (size,):
            raise InputError(f"{name} has shape {np.shape(vector)}, expected ({size},)")
    x = np.asarray(x, dtype=np.float64)
    proof = DualProof(bound)
    if row_duals is not None and not program.is_integer:
        proof = dual_proof(program, row_duals)
    return residuals_of(program, x, program.objective(x), proof), proof.bound


def residuals_of(
    program: LinearProgram, x: FloatArray, value: float, proof: DualProof
) -> Residuals:
    """The residuals of a point with this objective, and of what is proved of the optimum."""
    broken = program.row_block.violation(x)
    whole = x[program.integer]
    return Residuals(
        row=_largest(broken),
        column=_largest(np.maximum(program.column_lower - x, x - program.column_upper)),
        integrality=_largest(np.abs(whole - np.round(whole))),
        dual=proof.residual,
        gap=math.nan if proof.bound is None else relative_gap(value, proof.bound),
        lead=math.nan if math.isnan(proof.residual) else float(np.abs(proof.row_duals) @ broken),
    )


def reduced_costs(program: LinearProgram, row_duals: FloatArray) -> FloatArray:
    """``c - A'y``, shape (columns,)."""
    return np.asarray(program.costs - program.matrix.T @ row_duals)


class DualProof(NamedTuple):
    """What is proved of an optimum, by duals of rows or by the word of a solver."""

    bound: float | None  # by weak duality; None if nothing is proved
    # the largest multiplier of the given duals that asks for an infinite side; nan without duals
    residual: float = math.nan
    terms: float = 0.0  # what rounding is relative to: the sum of the sizes of the bound's terms
    # those that prove the bound, the given or repaired ones, shape (rows,); empty without duals
    row_duals: FloatArray = np.zeros(0)
    point: FloatArray | None = None  # of a quadratic program, where the tangent touches


def dual_proof(program: LinearProgram, row_duals: FloatArray) -> DualProof:
    """The weak-duality bound of these duals, repaired where they need it."""
    sign = sign_of(program)
    # A maximisation of c'x is the minimisation of -c'x over the same rows: hence the sign.
    duals = np.nan_to_num(sign * row_duals)
    lower, upper = program.row_lower, program.row_upper
    endless = _asks_infinity(duals, lower, upper)
    residual = _largest(np.abs(duals[endless]))
    duals = np.where(endless, 0.0, duals)
    costs, wrong = _signed_reduced_costs(program, duals)
    residual = max(residual, _largest(np.abs(costs[wrong])))
    if wrong.any():
        # What rounding left of a multiplier that is 0 may be all that a reduced cost consists of.
        duals = np.where(np.abs(duals) <= _NOISE * _largest(np.abs(duals)), 0.0, duals)
        costs, wrong = _signed_reduced_costs(program, duals)
    if wrong.any():
        repaired = _repaired(program, duals, wrong, _NOISE * _largest(np.abs(row_duals)))
        if repaired is None:
            return DualProof(None, residual, 0.0, sign * duals)
        duals, costs = repaired
    multipliers = np.concatenate([duals, costs])
    lower = np.concatenate([lower, program.column_lower])
    upper = np.concatenate([upper, program.column_upper])
    used = multipliers != 0.0
    multipliers, sides = multipliers[used], np.where(multipliers > 0, lower, upper)[used]
    value, terms = float(multipliers @ sides), float(np.abs(multipliers) @ np.abs(sides))
    return DualProof(sign * value + program.offset, residual, terms, sign * duals)


def least_violation(program: LinearProgram) -> LinearProgram:
    """The program whose optimum is the least total violation of the rows within the bounds."""
    rows, columns = program.shape
    slack = sp.csr_array(sp.eye_array(rows))
    return replace(
        program,
        sense="min",
        offset=0.0,
        costs=np.concatenate([np.zeros(columns), np.ones(2 * rows)]),
        column_lower=np.concatenate([program.column_lower, np.zeros(2 * rows)]),
        column_upper=np.concatenate([program.column_upper, np.full(2 * rows, np.inf)]),
        integer=np.zeros(columns + 2 * rows, dtype=np.bool_),
        matrix=sp.csr_array(sp.hstack([program.matrix, slack, -slack], format="csr")),
        column_names=tuple(f"c{j}" for j in range(columns + 2 * rows)),
    )


def _signed_reduced_costs(
    program: LinearProgram, duals: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """Reduced costs of the minimisation, and which of them ask for an infinite side."""
    costs = sign_of(program) * program.costs - program.matrix.T @ duals
    wrong = _asks_infinity(costs, program.column_lower, program.column_upper)
    if wrong.any():
        size = np.abs(program.costs) + abs(program.matrix).T @ np.abs(duals)
        costs[wrong & (np.abs(costs) <= ROUNDING * size)] = 0.0
        wrong &= costs != 0.0
    return costs, wrong


def _asks_infinity(multipliers: FloatArray, lower: FloatArray, upper: FloatArray) -> BoolArray:
    """Which multipliers ask for a side that is infinite."""
    return np.asarray(
        ((multipliers > 0) & (lower == -math.inf)) | ((multipliers < 0) & (upper == math.inf))
    )


def _repaired(
    program: LinearProgram, duals: FloatArray, wrong: BoolArray, noise: float
) -> tuple[FloatArray, FloatArray] | None:
    """Duals whose reduced costs ask for no infinite side, near the given ones; None if not met."""
    lower, upper = program.row_lower, program.row_upper
    chosen = wrong.copy()
    for _ in range(_REPAIRS):
        # Rows that may move without asking for an infinite side: of two sides, or in use.
        rows = np.flatnonzero((np.isfinite(lower) & np.isfinite(upper)) | (duals != 0.0))
        columns = np.flatnonzero(chosen)
        costs, _ = _signed_reduced_costs(program, duals)
        change = _least_change(program, rows, columns, costs[columns])
        if change is None:
            return None
        duals = duals.copy()
        duals[rows] += change
        duals[_asks_infinity(duals, lower, upper) | (np.abs(duals) <= noise)] = 0.0
        costs, wrong = _signed_reduced_costs(program, duals)
        if not wrong.any():
            return duals, costs
        chosen |= wrong
    return None


def _least_change(
    program: LinearProgram,
    rows: IntArray,
    columns: IntArray,
    costs: FloatArray,
) -> FloatArray | None:
    """The least d with ``A[rows, columns]' d = costs``, or the nearest; None if not finite."""
    if not rows.size:
        return None
    part = program.matrix[rows][:, columns]
    scale = abs(part).max(axis=1).toarray().ravel()
    scale[scale == 0.0] = 1.0
    system = sp.csr_array(sp.diags_array(1.0 / scale) @ part).T
    if rows.size * columns.size * min(rows.size, columns.size) <= _DENSE:
        change = np.linalg.lstsq(system.toarray(), costs, rcond=None)[0]
    else:
        from scipy.sparse.linalg import lsqr

        change = lsqr(system, costs, atol=0.0, btol=1e-15, conlim=0.0, iter_lim=_ITERATIONS)[0]
    return np.asarray(change / scale) if np.isfinite(change).all() else None


def _largest(violations: FloatArray) -> float:
    return float(max(0.0, violations.max())) if violations.size else 0.0
