r"""Quadratic programs as values, and the bounds that their duals prove.

A :class:`QuadraticProgram` is a linear or mixed-integer program with a quadratic objective::

    minimise (or maximise)  offset + c' x + 1/2 x' Q x
    subject to              the rows, bounds and integrality of a linear program,

where the matrix ``Q`` is symmetric, and positive semidefinite in a minimisation, negative
semidefinite in a maximisation. Rounding is allowed for: along no direction d may
:math:`d^\top Q d` have the wrong sign by more than 1e-10 of :math:`\sum_j |q_{jj}| d_j^2`.

*Wolfe duality.* A convex function lies above its tangents: at any point u, feasible or not,

.. math:: f(x) \ge f(u) + \nabla f(u)^\top (x - u)
          = \text{offset} - \tfrac12 u^\top Q u + (c + Q u)^\top x .

So the optimum of the *tangent*, which is a linear program, bounds the optimum, and so does every
bound on it by duals y of its rows (:mod:`cpe_opt.modelling.certify`). At an optimum u = x these
bounds are the optimal value itself.

Where the optimum is known up to an error, reduced costs :math:`z = c + Q u - A^\top y` of columns
without bounds are not quite 0, and the tangent has no finite optimum. Both u and y may then be
moved. To this end the terms of Q become rows of a linear program, the *lifted* one,

.. math:: -Q x = -\tfrac12 Q u \quad\text{with the multipliers } u ,

whose reduced costs are those above, and whose weak-duality bound is the one above; the repair of
duals applies to it as to any linear program (:func:`wolfe_proof`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.modelling.certify import ROUNDING, DualProof, dual_proof
from cpe_opt.modelling.program import LinearProgram, RowBlock, Sense
from cpe_opt.validation import checked_types

_SYMMETRIC = 1e-12  # of the largest entry: how far apart two entries may be that should be equal
_CONVEX = 1e-10


@dataclass(frozen=True, eq=False, repr=False)
class QuadraticProgram:
    """A program with a convex quadratic objective; see the module's first lines for what it means.

    Attributes
    ----------
    linear : LinearProgram
        Everything but the quadratic terms.
    quadratic : csr_array, shape (columns, columns)
        The matrix Q, of which the objective has one half: ``x ** 2`` is an entry of 2.

    Raises
    ------
    InputError
        Where Q has another shape, is not symmetric or not finite, or the objective is not convex
        (of a maximisation, not concave).

    Examples
    --------
    >>> from cpe_opt.modelling.builder import ProgramBuilder
    >>> builder = ProgramBuilder("nearest")
    >>> x = builder.columns("x", 2, cost=[-2, 0])
    >>> builder.quadratic(x, x)
    >>> _ = builder.row("sum", x, lower=3)
    >>> program = builder.build()
    >>> program, program.objective([2.0, 1.0])
    (QuadraticProgram('nearest', 2 columns, 1 row, 2 quadratic terms, min), 1.0)
    """

    linear: LinearProgram
    quadratic: sp.csr_array

    def __post_init__(self) -> None:
        object.__setattr__(self, "quadratic", _checked_matrix(self.linear, self.quadratic))
        shape, sign = ("convex", 1.0) if self.sense == "min" else ("concave", -1.0)
        if not _is_semidefinite(sp.csr_array(sign * self.quadratic)):
            expected = f"expected a {shape} one to {self.sense}imise"
            raise InputError(f"program {self.name!r}: the objective is not {shape}, {expected}")

    @property
    def name(self) -> str:
        """The linear program's name."""
        return self.linear.name

    @property
    def sense(self) -> Sense:
        """Whether it is a minimisation or a maximisation."""
        return self.linear.sense

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.linear.shape

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.linear.column_names

    @property
    def row_names(self) -> tuple[str, ...]:
        """The names of the rows."""
        return self.linear.row_names

    @property
    def build_seconds(self) -> float:
        """Wall-clock time its builder took."""
        return self.linear.build_seconds

    @property
    def is_integer(self) -> bool:
        """Whether any column must be whole."""
        return self.linear.is_integer

    @property
    def kind(self) -> Literal["QP", "MIQP"]:
        """What a solver must be able to solve."""
        return "MIQP" if self.is_integer else "QP"

    @checked_types
    def objective(self, x: FloatArray) -> float:
        """The objective at ``x``, shape (columns,)."""
        value = self.linear.objective(x)
        x = np.asarray(x, dtype=np.float64)
        return value + 0.5 * float(x @ (self.quadratic @ x))

    def with_linear(self, linear: LinearProgram) -> Self:
        """The same quadratic terms over other rows and bounds of the same columns."""
        return self._of(linear, self.quadratic)

    def negated(self) -> Self:
        """The minimisation of the negated objective for a maximisation, and the other way round."""
        linear = replace(
            self.linear,
            sense="max" if self.sense == "min" else "min",
            costs=0.0 - self.linear.costs,
            offset=0.0 - self.linear.offset,
        )
        return self._of(linear, sp.csr_array(-self.quadratic))

    def tangent(self, point: FloatArray) -> LinearProgram:
        """The linear program that bounds this one, by the tangent of its objective at the point.

        ``point`` has shape (columns,). A cost that is nothing but rounding errors becomes 0.
        """
        change = self.quadratic @ point
        costs = self.linear.costs + change
        size = np.abs(self.linear.costs) + abs(self.quadratic) @ np.abs(point)
        costs[np.abs(costs) <= ROUNDING * size] = 0.0
        offset = self.linear.offset - 0.5 * float(point @ change)
        return replace(self.linear, costs=costs, offset=offset)

    def lifted(self, point: FloatArray) -> tuple[LinearProgram, FloatArray]:
        """The lifted program at the point, shape (columns,), and the multipliers of its last rows.

        These rows belong to the columns that have quadratic terms, in their order.
        """
        rows = self.quadratic_columns
        matrix = self.quadratic[rows]
        sides = -0.5 * (matrix @ point)
        names = tuple(f"gradient_{row}" for row in rows)
        block = RowBlock(sp.csr_array(-matrix), sides, sides, names)
        return self.linear.with_rows(block), point[rows]

    @property
    def quadratic_columns(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The numbers of the columns that have quadratic terms."""
        return np.asarray(np.flatnonzero(np.diff(self.quadratic.indptr)))

    def recession(self) -> LinearProgram:
        """The linear program whose rays are those along which the objective is linear."""
        return self.lifted(np.zeros(self.shape[1]))[0]

    def _of(self, linear: LinearProgram, quadratic: sp.csr_array) -> Self:
        """A program with a matrix that is known to be convex."""
        program = object.__new__(type(self))
        object.__setattr__(program, "linear", linear)
        object.__setattr__(program, "quadratic", quadratic)
        return program

    def __repr__(self) -> str:
        rows, columns = self.shape
        whole = int(self.linear.integer.sum())
        terms = sp.triu(self.quadratic).nnz
        return (
            f"QuadraticProgram({self.name!r}, {columns} column{'s' * (columns != 1)}"
            f"{f' ({whole} whole)' if whole else ''}, {rows} row{'s' * (rows != 1)}, "
            f"{terms} quadratic term{'s' * (terms != 1)}, {self.sense})"
        )


def wolfe_proof(
    program: QuadraticProgram, point: FloatArray, row_duals: FloatArray
) -> tuple[DualProof, FloatArray]:
    """What duals of rows prove by the tangent at a point near the given one; and that point."""
    rows, columns = program.shape
    lifted, multipliers = program.lifted(point)
    proof = dual_proof(lifted, np.concatenate([row_duals, multipliers]))
    if proof.bound is not None and not (proof.row_duals[rows:] == multipliers).all():
        # The multipliers were moved, and the sides of the lifted rows are to move with them.
        point = np.zeros(columns)
        point[program.quadratic_columns] = proof.row_duals[rows:]
        moved = dual_proof(program.lifted(point)[0], proof.row_duals)
        proof = moved._replace(residual=proof.residual)
    return proof._replace(row_duals=proof.row_duals[:rows]), point


def _checked_matrix(linear: LinearProgram, quadratic: sp.csr_array) -> sp.csr_array:
    """The matrix without zeros, symmetric to the last bit."""
    columns = linear.shape[1]
    matrix = sp.csr_array(quadratic, dtype=np.float64)
    if matrix.shape != (columns, columns):
        raise InputError(
            f"program {linear.name!r}: the quadratic part has shape {matrix.shape}, expected "
            f"{(columns, columns)}"
        )
    if not np.isfinite(matrix.data).all():
        raise InputError(f"program {linear.name!r}: the quadratic part must be of finite numbers")
    apart = abs(matrix - matrix.T).tocoo()
    if apart.nnz and apart.data.max() > _SYMMETRIC * np.abs(matrix.data).max():
        i, j = (int(each[apart.data.argmax()]) for each in apart.coords)
        one, other = linear.column_names[i], linear.column_names[j]
        raise InputError(
            f"program {linear.name!r}: the quadratic part is not symmetric: {matrix[i, j]:g} of "
            f"{one!r} and {other!r}, {matrix[j, i]:g} of {other!r} and {one!r}"
        )
    matrix = sp.csr_array(0.5 * matrix + 0.5 * matrix.T)
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return matrix


def _is_semidefinite(matrix: sp.csr_array) -> bool:
    r"""Whether a symmetric matrix without stored zeros is positive semidefinite, up to rounding.

    It is scaled to a matrix M of diagonal 1, and factored,
    :math:`P (M + \epsilon I) P^\top = L D L^\top` with pivots from the diagonal. If M is
    semidefinite, all pivots D are at least ε, of which rounding takes far less away; if one is not
    positive, or there is none on the diagonal, M is negative along some direction.
    """
    diagonal = matrix.diagonal()
    used = np.flatnonzero(np.diff(matrix.indptr))
    if not (diagonal[used] > 0.0).all():
        return False
    if matrix.nnz == len(used):
        return True
    from scipy.sparse.linalg import splu

    scale = sp.diags_array(1.0 / np.sqrt(diagonal[used]))
    unit = scale @ matrix[used][:, used] @ scale + _CONVEX * sp.eye_array(len(used))
    options = {"SymmetricMode": True}
    try:
        factors = splu(sp.csc_array(unit), "MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    except RuntimeError:  # a pivot is 0
        return False
    on_diagonal = (factors.perm_r == factors.perm_c).all()
    return bool(on_diagonal and (factors.U.diagonal() > 0.0).all())
