"""Algorithm 1 with its linear programs built and solved afresh: the plain way, round by round.

What the fast ways of CW-RMED and ECW-RMED (kept programs, a closed form) are compared with, and
what shows every program that they stand for.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import CpeOptError
from cpe_opt.formulations.dueling.best_winner import Method, build_program, program_evidence
from cpe_opt.formulations.dueling.confusing_instances import RowFamilies
from cpe_opt.learners.dueling.copeland_rmed import OptimalPlan
from cpe_opt.learners.dueling.tournament import Tournament
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import first_smallest


class FreshPlan(OptimalPlan):
    """The program of every empirical winner, solved from scratch whenever an estimate has moved.

    Parameters
    ----------
    tournament : Tournament
    rows : callable
        From the estimates and the winner to the rows of the program.
    method : "cuts", "compact" or "enumerate"
        A formulation of :mod:`cpe_opt.formulations.dueling.lower_bound`.
    name : str
        Of the programs; the winner's number is added.
    solving : SolveOptions
        As for :func:`cpe_opt.solve`.
    """

    def __init__(
        self,
        tournament: Tournament,
        *,
        rows: Callable[[FloatArray, int], RowFamilies],
        method: Method,
        name: str,
        solving: SolveOptions,
    ) -> None:
        super().__init__(tournament)
        self._rows, self._method, self._name, self._solving = rows, method, name, solving
        self._pattern = 0

    def moved(self, better: int, worse: int, change: float) -> None:
        """Solve again before the next answer."""
        self._pattern = 0

    def settle(self) -> tuple[()] | None:
        """The programs' optima."""
        if self._pattern == self.tournament.pattern:
            return ()
        self._pattern = self.tournament.pattern
        winners, costs = self.tournament.winners, self.tournament.costs
        found = [self._solve(winner) for winner in winners]
        best = 0
        if len(winners) > 1:
            best = first_smallest([float(np.vdot(x, costs)) / 2 for x in found])
        self.winner, self.x = winners[best], found[best]
        return None

    def _solve(self, winner: int) -> FloatArray:
        costs, name = self.tournament.costs, f"{self._name}_{winner}"
        rows = self._rows(self.tournament.tally.estimate, winner)
        result = solve(build_program(rows, costs, self._method, name), **self._solving)
        if result.x is None:
            raise CpeOptError(f"{result.solver} left no point of {name}")
        return program_evidence(rows, costs, self._method, result.x)
