r"""Does an optimal vertex stay optimal while costs move? A certificate that spares a solve.

Let x be optimal for :math:`\min c'x`, :math:`Ax \ge b`, :math:`0 \le x \le u`, with row duals
:math:`y \ge 0` and reduced costs :math:`d = c - A'y`: zero on the columns B, with the sign that its
bound asks for on each other one. Let R be the rows with y > 0. (Where more columns have d = 0 than
R has rows, B is a choice of independent ones, and the others have to keep their signs: d = 0 where
x lies between its bounds.) Where B and R are equally many and the square matrix :math:`M = A_{RB}`
is regular, costs :math:`c + \Delta` have the duals :math:`y' = y + M^{-T} \Delta_B` (0 off R),
which leave the reduced costs of B at zero. As x keeps the complementary slackness with them, x
stays optimal as long as :math:`y' \ge 0` and the reduced costs :math:`d' = c + \Delta - A'y'` keep
their signs. The rows need not be all rows: x satisfies the others, whatever the costs.

The changes are followed step by step, so that a move of a few costs takes time for the columns that
they are in alone.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray

_NEGLIGIBLE = 1e-9
_REGULAR = 1e-9


class StableVertex:
    """An optimal vertex x of min c'x, ``rows @ x >= lower``, 0 <= x <= upper, while costs c move.

    ``certified`` says whether x is known to be optimal for the costs as moved so far. Where the
    duals do not prove it, or make no square, regular system with the columns, a solve can tell.
    """

    def __init__(
        self,
        rows: sp.csr_array,
        x: FloatArray,
        upper: FloatArray,
        costs: FloatArray,
        duals: FloatArray,
    ) -> None:
        active = np.flatnonzero(duals > _NEGLIGIBLE * duals.max(initial=0.0))
        self._rows = rows[active]
        self._transposed = sp.csr_array(self._rows.T)
        self._duals = duals[active]
        paid = self._transposed @ self._duals
        self._reduced = costs - paid
        free, size = upper > 0.0, costs + paid
        self._tolerance = 1e-12 * size
        level = free & (np.abs(self._reduced) <= _NEGLIGIBLE * size)
        full = free & (x >= upper - _NEGLIGIBLE)
        inside = free & ~full & (x > _NEGLIGIBLE)
        # A column at its upper bound may not cost more than its rows pay, one at 0 not less.
        self._lowest = np.where(full | ~free, -np.inf, -self._tolerance)
        self._highest = np.where(inside | full, self._tolerance, np.inf)
        self._directions: dict[int, tuple[FloatArray, FloatArray]] = {}
        basic = self._basis(np.flatnonzero(level & (paid > 0.0)), x)
        self._place = {column: place for place, column in enumerate(basic.tolist())}
        self.certified = len(basic) == len(active) and self._invert(basic) and self._holds()

    def move(self, columns: IntArray, changes: FloatArray) -> bool:
        """Move the costs of some columns; returns ``certified``."""
        if not self.certified:
            return False
        self._reduced[columns] += changes
        for column, change in zip(columns.tolist(), changes.tolist(), strict=True):
            if change and column in self._place:
                duals, reduced = self._direction(column)
                self._duals += change * duals
                self._reduced -= change * reduced
        self.certified = self._holds()
        return self.certified

    def _holds(self) -> bool:
        return bool(
            (self._duals >= 0.0).all()
            and (self._reduced >= self._lowest).all()
            and (self._reduced <= self._highest).all()
        )

    def _basis(self, level: IntArray, x: FloatArray) -> IntArray:
        """As many independent columns as there are rows, those with x > 0 first, if there are."""
        if len(level) <= len(self._duals):
            return level
        system = self._rows[:, level].toarray() * np.where(x[level] > _NEGLIGIBLE, 1e3, 1.0)
        import scipy.linalg  # seldom needed, and slow to load

        *_, pivots = scipy.linalg.qr(system, mode="r", pivoting=True)
        return np.sort(level[pivots[: len(self._duals)]])

    def _invert(self, basic: IntArray) -> bool:
        """Invert the system, or say that it is not regular."""
        system = self._rows[:, basic].toarray()
        try:
            self._inverse = np.linalg.inv(system)
        except np.linalg.LinAlgError:
            return False
        error = np.abs(self._inverse @ system - np.eye(len(system))).max(initial=0.0)
        return bool(error <= _REGULAR)

    def _direction(self, column: int) -> tuple[FloatArray, FloatArray]:
        """How duals and reduced costs of other columns follow the cost of a column of B."""
        if column not in self._directions:
            duals = self._inverse[self._place[column]]
            self._directions[column] = duals, self._transposed @ duals
        return self._directions[column]
