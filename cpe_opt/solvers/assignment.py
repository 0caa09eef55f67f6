"""The assignment problem by SciPy: each row of a cost table a column of its own, at the least cost.

SciPy's shortest augmenting paths run in floating point: the total is least up to rounding.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError


def assign(table: FloatArray) -> IntArray | None:
    """The column of every row at the least total cost; None where not all rows can have one.

    Parameters
    ----------
    table : float array, shape (rows, columns)
        Costs; inf where a row may not have a column. At most as many rows as columns.

    Returns
    -------
    int array, shape (rows,), or None

    Raises
    ------
    InputError
        On a cost that is NaN or -inf.

    Examples
    --------
    >>> assign(np.array([[1.0, 2.0, np.inf], [1.0, 4.0, 5.0]])).tolist()
    [1, 0]
    """
    from scipy.optimize import linear_sum_assignment

    if np.isnan(table).any() or (table == -np.inf).any():
        raise InputError("an assignment cost is NaN or -inf, expected numbers, or inf")
    if len(table) > table.shape[1]:
        return None
    try:
        return np.asarray(linear_sum_assignment(table)[1], dtype=np.int64)
    except ValueError:  # it says that no assignment is feasible
        return None
