r"""Residuals and bounds recomputed from a program alone.

Sign convention of duals, used everywhere: the dual :math:`y_i` of a row is the derivative of the
optimum with respect to that row's right-hand side. In a minimisation a row that holds at its lower
side therefore has :math:`y_i \ge 0`, one that holds at its upper side :math:`y_i \le 0`; in a
maximisation the signs are the other way round.

With reduced costs :math:`z = c - A^\top y`, weak duality bounds a minimisation from below by

.. math:: \sum_{y_i>0} y_i l_i + \sum_{y_i<0} y_i u_i
          + \sum_{z_j>0} z_j \ell_j + \sum_{z_j<0} z_j \upsilon_j .

A multiplier that asks for an infinite side makes this -∞: its size is the *dual residual*. A row's
is set to 0, which costs nothing but the quality of the bound. Reduced costs of the wrong sign are
repaired:

- by setting multipliers of rows below 1e-14 of the largest to 0;
- by the smallest change of y, in the least-squares sense, that takes them to 0; where some remain,
  these duals give no bound (:func:`dual_proof`);
- then by *interior duals*. With :math:`\sigma_j = 1` for a column with a lower bound alone and -1
  for one with an upper bound alone, and a small :math:`\varepsilon`, :func:`interior_program` is

  .. math:: \min\ c^\top x + \sum_j (\sigma_j c_j - \varepsilon) u_j \quad\text{s.t.}\quad
            l \le A (x + \sigma u) \le u', \quad \ell \le x \le \upsilon, \quad
            0 \le u_j \le U_j .

  Its optimum is finite where the program's is, and its duals have :math:`\sigma_j z_j =
  \varepsilon` or more wherever that is possible at all, so no rounding changes the sign.
  :func:`blended_duals` moves y towards them by the least share that makes every sign right, which
  costs that share of the difference of the two bounds.

What a bound means in floating point: a reduced cost of the wrong sign and below :data:`ROUNDING` of
the terms it is the sum of, :math:`t_j = |c_j| + \sum_i |a_{ij} y_i|`, counts as 0. So in exact
arithmetic the bound is a true one for costs that differ from the given ones by at most that share
of :math:`t_j`, in these columns alone. In other words: no feasible x of the given program is better
than the bound by more than :data:`ROUNDING` :math:`\cdot \sum_j t_j |x_j|`, the sum over these
columns. The terms of the bound itself are added with a relative error of :math:`2^{-53}` each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import InputError
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.validation import checked_types

ROUNDING = 1e-12
_NOISE = 1e-14  # of the largest multiplier of a row
_REPAIRS = 6
_DENSE = 5_000_000  # of a dense least-squares problem: its size by its smaller side
_TILT = 1e-6  # ε of the interior program, in the units of a scaled program
_REACH = 10.0  # U_j of the interior program, by the size of the column at the point


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
        Relative, of objective and bound; nan without a bound.
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
    proof: DualProof | None = None,
) -> tuple[Residuals, float | None]:
    """Residuals of ``x``, and a bound on the optimum, recomputed in numpy.

    Parameters
    ----------
    x : float array, shape (columns,)
    row_duals : float array, shape (rows,), optional
        With them the bound is recomputed by weak duality.
    bound : float, optional
        The solver's own bound, used where there are no duals (integer programs).
    proof : DualProof, optional
        What :func:`dual_proof` says of the duals, where that is known.
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
        bound, dual, *_ = proof or dual_proof(program, row_duals)
    gap = math.nan if bound is None else relative_gap(program.objective(x), bound)
    return Residuals(row, column, integrality, dual, gap), bound


def reduced_costs(program: LinearProgram, row_duals: FloatArray) -> FloatArray:
    """``c - A'y``, shape (columns,)."""
    return program.costs - _combined(program, row_duals)


class DualProof(NamedTuple):
    """What duals prove.

    Attributes
    ----------
    bound : float or None
        By weak duality; None if they prove nothing.
    residual : float
        The largest multiplier of the given duals that asks for an infinite side.
    terms : float
        What rounding is relative to: the sum of the sizes of the terms of the bound.
    row_duals : float array, shape (rows,)
        The duals that prove the bound: the given ones, or repaired ones.
    """

    bound: float | None
    residual: float
    terms: float
    row_duals: FloatArray


def dual_proof(program: LinearProgram, row_duals: FloatArray) -> DualProof:
    """The weak-duality bound of these duals, repaired where they need it."""
    sign = 1.0 if program.sense == "min" else -1.0
    # A maximisation of c'x is the minimisation of -c'x over the same rows: hence the sign.
    duals = np.nan_to_num(sign * row_duals)
    lower, upper = program.row_lower, program.row_upper
    residual = _largest(np.abs(duals[_asks_infinity(duals, lower, upper)]))
    duals = np.where(_asks_infinity(duals, lower, upper), 0.0, duals)
    costs, wrong = _signed_reduced_costs(program, sign, duals)
    residual = max(residual, _largest(np.abs(costs[wrong])))
    if wrong.any():
        # What rounding left of a multiplier that is 0 may be all that a reduced cost consists of.
        duals = np.where(np.abs(duals) <= _NOISE * _largest(np.abs(duals)), 0.0, duals)
        costs, wrong = _signed_reduced_costs(program, sign, duals)
    if wrong.any():
        repaired = _repaired(program, sign, duals, wrong)
        if repaired is None:
            return DualProof(None, residual, 0.0, sign * duals)
        duals, costs = repaired
    multipliers = np.concatenate([duals, costs])
    sides = np.where(
        multipliers > 0,
        np.concatenate([lower, program.column_lower]),
        np.concatenate([upper, program.column_upper]),
    )
    used = multipliers != 0.0
    value = float(multipliers[used] @ sides[used])
    terms = float(np.abs(multipliers[used]) @ np.abs(sides[used]))
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


def interior_program(program: LinearProgram, x: FloatArray) -> LinearProgram:
    """The program whose duals make one-sided reduced costs positive; see the module's first lines.

    The given program has no integer columns and numbers of a common size; ``x``, shape (columns,),
    is a point near the optimum, for the sizes of the added columns, one for each that has one
    finite bound.
    """
    sides = _single_sides(program)
    chosen = np.flatnonzero(sides)
    sides, count = sides[chosen], len(chosen)
    gain = _TILT if program.sense == "min" else -_TILT
    added = program.matrix[:, chosen] @ sp.diags_array(sides)
    return replace(
        program,
        costs=np.concatenate([program.costs, sides * program.costs[chosen] - gain]),
        column_lower=np.concatenate([program.column_lower, np.zeros(count)]),
        column_upper=np.concatenate([program.column_upper, _REACH * (1.0 + np.abs(x[chosen]))]),
        integer=np.concatenate([program.integer, np.zeros(count, dtype=np.bool_)]),
        matrix=sp.csr_array(sp.hstack([program.matrix, added], format="csr")),
        column_names=tuple(f"c{j}" for j in range(program.shape[1] + count)),
    )


def blended_duals(
    program: LinearProgram, row_duals: FloatArray, interior: FloatArray
) -> FloatArray | None:
    """Duals between the given ones and interior ones, as near the given ones as signs allow.

    Both have shape (rows,); ``interior`` are duals of :func:`interior_program`. None where some
    reduced cost has the wrong sign at both.
    """
    sign = 1.0 if program.sense == "min" else -1.0
    near = _with_free_columns_at_zero(program, sign, row_duals)
    far = _with_free_columns_at_zero(program, sign, interior)
    if near is None or far is None:
        return None
    sides = _single_sides(program)
    chosen = np.flatnonzero(sides)
    slack, size = (np.zeros((2, len(chosen))) for _ in range(2))
    for place, duals in enumerate((near, far)):
        costs = sign * program.costs - _combined(program, duals)
        slack[place] = (sides * costs)[chosen]
        size[place] = _sizes_of_terms(program, duals)[chosen]
    # What rounding may take of a reduced cost; where there is no room for it, nearly 0 must do.
    entries = np.bincount(program.matrix.indices, minlength=program.shape[1])[chosen]
    margin = 2.0**-52 * (entries + 2) * size.max(axis=0)
    needed = np.where(slack[1] >= 2.0 * margin, margin, -0.5 * ROUNDING * size.min(axis=0))
    if (slack[1] < needed).any():
        return None
    short = slack[0] < needed
    share = ((needed - slack[0])[short] / (slack[1] - slack[0])[short]).max(initial=0.0)
    blend = (1.0 - share) * near + share * far
    return np.asarray(sign * blend, dtype=np.float64)


def _with_free_columns_at_zero(
    program: LinearProgram, sign: float, row_duals: FloatArray
) -> FloatArray | None:
    """Duals of the minimisation that ask for no row's infinite side, nor for a free column's."""
    lower, upper = program.row_lower, program.row_upper
    duals = np.nan_to_num(sign * row_duals)
    duals = np.where(_asks_infinity(duals, lower, upper), 0.0, duals)
    free = np.isinf(program.column_lower) & np.isinf(program.column_upper)
    for _ in range(_REPAIRS):
        if not (_signed_reduced_costs(program, sign, duals)[1] & free).any():
            return duals
        moved = _moved(program, sign, duals, free)
        if moved is None:
            return None
        duals = moved
    return None


def _single_sides(program: LinearProgram) -> FloatArray:
    """1 for a column with a lower bound alone, -1 for one with an upper bound alone, else 0."""
    lower, upper = np.isfinite(program.column_lower), np.isfinite(program.column_upper)
    return lower.astype(np.float64) - upper.astype(np.float64)


def _signed_reduced_costs(
    program: LinearProgram, sign: float, duals: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """Reduced costs of the minimisation, and which of them ask for an infinite side.

    One that asks for an infinite side and is nothing but rounding errors becomes 0.
    """
    costs = sign * program.costs - _combined(program, duals)
    wrong = _asks_infinity(costs, program.column_lower, program.column_upper)
    if wrong.any():
        size = _sizes_of_terms(program, duals)
        costs[wrong & (np.abs(costs) <= ROUNDING * size)] = 0.0
        wrong &= costs != 0.0
    return costs, wrong


def _sizes_of_terms(program: LinearProgram, duals: FloatArray) -> FloatArray:
    """``|c| + |A|'|y|``, shape (columns,)."""
    return np.abs(program.costs) + _combined(program, duals, absolute=True)


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
    columns = wrong.copy()
    for _ in range(_REPAIRS):
        moved = _moved(program, sign, duals, columns)
        if moved is None:
            return None
        duals = moved
        costs, wrong = _signed_reduced_costs(program, sign, duals)
        if not wrong.any():
            return duals, costs
        columns |= wrong
    return None


def _moved(
    program: LinearProgram, sign: float, duals: FloatArray, chosen: BoolArray
) -> FloatArray | None:
    """Duals with reduced costs of 0 in the chosen columns, as near as can be; None if too large."""
    lower, upper = program.row_lower, program.row_upper
    # Rows that may move without asking for an infinite side: of two sides, or in use.
    rows = np.flatnonzero((np.isfinite(lower) & np.isfinite(upper)) | (duals != 0.0))
    columns = np.flatnonzero(chosen)
    costs, _ = _signed_reduced_costs(program, sign, duals)
    change = _least_change(program, rows, columns, costs[columns])
    if change is None:
        return None
    duals = duals.copy()
    duals[rows] += change
    duals[_asks_infinity(duals, lower, upper)] = 0.0
    return duals


def _least_change(
    program: LinearProgram,
    rows: np.ndarray[tuple[int], np.dtype[np.int64]],
    columns: np.ndarray[tuple[int], np.dtype[np.int64]],
    costs: FloatArray,
) -> FloatArray | None:
    """The least d with ``A[rows, columns]' d = costs``, or the nearest; None if it is too large."""
    if not rows.size or rows.size * columns.size * min(rows.size, columns.size) > _DENSE:
        return None
    part = program.matrix[rows][:, columns].toarray()
    scale = np.abs(part).max(axis=1, initial=0.0)
    scale[scale == 0.0] = 1.0
    change = np.linalg.lstsq((part / scale[:, None]).T, costs, rcond=None)[0] / scale
    return np.asarray(change) if np.isfinite(change).all() else None


def _largest(violations: FloatArray) -> float:
    return float(max(0.0, violations.max())) if violations.size else 0.0
