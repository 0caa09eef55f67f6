r"""Maximisation of a quadratic form over a decision class as an integer program.

.. math:: \max \; \sum_i (W_{ii} + d_i) x_i + 2 \sum_{i<j} W_{ij} y_{ij} \quad\text{s.t.}\quad
    x \in \{\chi_M\}, \quad y_{ij} = x_i x_j .

The rows of the class in ``x`` (:meth:`cpe_opt.DecisionClass.program_rows`), and products ``y_i_j``
for i < j with rows ``left_i_j``, ``right_i_j`` (:math:`y \le x_i, x_j`), ``both_i_j``
(:math:`y \ge x_i + x_j - 1`), and, where all sets have k elements, ``pairs_i``:
:math:`\sum_j y_{ij} = (k - 1) x_i`. A set M that is left out is one row more, ``other``:
:math:`\sum_{i \in M} x_i \le |M| - 1`, because no set contains another.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, check_sums, checked_array
from cpe_opt.errors import InputError
from cpe_opt.formulations.subsets.oracle import checked_weights
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.validation import Numbers, checked_types

_SYMMETRY = 1e-9


@checked_types
def ellipsoid_maximum_program(
    decisions: int | DecisionClass,
    matrix: Numbers,
    *,
    linear: Numbers | None = None,
    other_than: Iterable[int] | None = None,
) -> LinearProgram:
    """The integer program of :func:`cpe_opt.ellipsoid_maximum`.

    The set ``other_than`` is left out, by the row ``other``.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> program = ellipsoid_maximum_program(2, [[2, 1, 0], [1, 2, 0], [0, 0, 3]])
    >>> cpe.solve(program).objective
    6.0
    """
    matrix, decisions, linear = checked_form(matrix, decisions, linear)
    n = len(matrix)
    builder = ProgramBuilder("ellipsoid", sense="max")
    x = builder.columns("x", n, cost=np.diag(matrix) + linear, upper=1.0, integer=True)
    decisions.program_rows(builder, x, integer=True)
    first, second = np.triu_indices(n, 1)
    pairs = np.column_stack([first, second])
    y = builder.columns("y", pairs, cost=2.0 * matrix[first, second], upper=1.0, integer=True)
    builder.sums("left", pairs, (1.0, y), (-1.0, x[first]), upper=0.0)
    builder.sums("right", pairs, (1.0, y), (-1.0, x[second]), upper=0.0)
    builder.sums("both", pairs, (1.0, x[first]), (1.0, x[second]), (-1.0, y), upper=1.0)
    if len(decisions.sizes) == 1:
        pairs_of = [y[(first == i) | (second == i)] for i in range(n)]
        builder.sums("pairs", n, (1.0, pairs_of), (1.0 - decisions.rank, x), lower=0.0, upper=0.0)
    if other_than is not None:
        members = decisions.check(other_than)
        builder.row("other", x[list(members)], upper=len(members) - 1.0)
    return builder.build()


def checked_form(
    matrix: npt.ArrayLike, decisions: int | DecisionClass, linear: npt.ArrayLike | None
) -> tuple[FloatArray, DecisionClass, FloatArray]:
    """W, the class and d, or :class:`InputError` if they do not fit."""
    matrix = _checked_matrix(matrix)
    n = len(matrix)
    if isinstance(decisions, int | np.integer) and not isinstance(decisions, bool):
        decisions = TopK(n, int(decisions))
    if not isinstance(decisions, DecisionClass):
        raise InputError(f"decisions is {decisions!r}, expected k or a DecisionClass")
    if decisions.size != n:
        raise InputError(f"the matrix is {n} × {n}, and {decisions.name} has {decisions.size}")
    return matrix, decisions, checked_weights(decisions, np.zeros(n) if linear is None else linear)


def _checked_matrix(matrix: npt.ArrayLike) -> FloatArray:
    """A symmetric float matrix, or :class:`InputError`."""
    array = checked_array("the matrix", matrix)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or not array.size:
        raise InputError(f"the matrix has shape {array.shape}, expected a square one")
    if not np.isfinite(array).all():
        i, j = (int(index[0]) for index in np.nonzero(~np.isfinite(array)))
        raise InputError(f"entry ({i}, {j}) of the matrix is {array[i, j]}, expected a number")
    check_sums("the matrix", array)
    if np.abs(array - array.T).max() > _SYMMETRY * np.abs(array).max():
        i, j = divmod(int(np.abs(array - array.T).argmax()), len(array))
        raise InputError(
            f"the matrix is not symmetric: ({i}, {j}) is {array[i, j]}, ({j}, {i}) {array[j, i]}"
        )
    return np.asarray((array + array.T) / 2.0)
