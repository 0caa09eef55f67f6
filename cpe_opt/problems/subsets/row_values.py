"""Whether a set fulfils the rows that a class adds to a program, without a program or a solver."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError

_FEASIBLE = 1e-9


class RowValues:
    """A builder of rows that notes what they hold, for classes whose columns are their elements.

    Parameters
    ----------
    x : float array, shape (n,)
        The indicator vector of a set.

    Attributes
    ----------
    fulfilled : bool
        Whether x fulfils all rows so far.
    """

    def __init__(self, x: FloatArray) -> None:
        self._x, self.fulfilled = x, True
        self._rows = 0

    def columns(self, block: str, keys: Any, **bounds: Any) -> IntArray:
        """Refused: what further columns must be is for a solver to find."""
        raise InputError(
            f"the rows have further columns, {block!r}, and do not say by themselves which sets "
            "are in the class: give it a method 'contains', too"
        )

    def rows(
        self,
        block: str,
        keys: Any,
        row: Any,
        column: Any,
        value: Any = 1.0,
        *,
        lower: Any = -math.inf,
        upper: Any = math.inf,
    ) -> IntArray:
        """Rows from entries (row within the block, column, value)."""
        count = keys if isinstance(keys, int | np.integer) else len(keys)
        entries = np.broadcast_arrays(row, column, value)
        rows, columns, values = (np.asarray(entry).ravel() for entry in entries)
        held: FloatArray = np.zeros(int(count))
        np.add.at(held, rows, values * self._x[columns])
        self._note(held, lower, upper)
        self._rows += int(count)
        return np.arange(self._rows - int(count), self._rows)

    def row(
        self,
        name: str,
        column: Any,
        value: Any = 1.0,
        *,
        lower: float = -math.inf,
        upper: float = math.inf,
    ) -> int:
        """One row."""
        entries = np.broadcast_arrays(column, value)
        held = float((entries[1] * self._x[np.asarray(entries[0])]).sum())
        self._note(np.array([held]), lower, upper)
        self._rows += 1
        return self._rows - 1

    def _note(self, held: FloatArray, lower: Any, upper: Any) -> None:
        inside = (held >= np.asarray(lower) - _FEASIBLE) & (held <= np.asarray(upper) + _FEASIBLE)
        self.fulfilled = self.fulfilled and bool(np.all(inside))
