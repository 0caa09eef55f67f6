r"""Best replies of the two players of the minimax problem, each a matching.

Against x, the reply y of least :math:`x^\top Q y`; against y, the reply x of the largest: linear
problems over matchings. They certify any pair of strategies: the reply to x bounds the value of
:mod:`cpe_opt.formulations.matchings.condorcet` from below, that to y from above.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.matchings.assignment import Constraints
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.ties import on_grid


@dataclass(frozen=True, eq=False)
class BestResponses:
    """Best replies of both players for one matrix: what certifies their strategies.

    With ``rounded``, replies are best by :func:`cpe_opt.ties.on_grid`: of equal ones each machine
    takes the same, and values are within 1e-9 of the best. A certificate wants the best itself.
    """

    matchings: Matchings
    matrix: FloatArray
    constraints_x: Constraints
    constraints_y: Constraints
    rounded: bool = False

    def against_x(self, x: FloatArray) -> tuple[float, FloatArray]:
        """The least value over replies y, and such a reply."""
        costs = x @ self.matrix
        return self._reply(self._priced(costs), self.constraints_y, costs)

    def against_y(self, y: FloatArray) -> tuple[float, FloatArray]:
        """The largest value over replies x, and such a reply."""
        gains = self.matrix @ y
        return self._reply(self._priced(-gains), self.constraints_x, gains)

    def _priced(self, costs: FloatArray) -> FloatArray:
        return on_grid(costs) if self.rounded else costs

    def _reply(
        self, costs: FloatArray, constraints: Constraints, amounts: FloatArray
    ) -> tuple[float, FloatArray]:
        edges = self.matchings.cheapest_of(costs, constraints.banned)
        if edges is None:
            raise InputError("no matching satisfies the constraints")
        reply = np.zeros(self.matchings.size)
        reply[edges] = 1.0
        return float(amounts[edges].sum()) / self.matchings.graph.positions, reply
