"""Algorithm 1 with its linear program built and solved afresh: the plain way, round by round.

What the fast ways of CW-RMED and ECW-RMED (a kept program, a closed form) are compared with, and
what shows every program that they stand for.
"""

from __future__ import annotations

from collections.abc import Callable

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import CpeOptError
from cpe_opt.formulations.dueling.lower_bound import Method, build_program, program_evidence
from cpe_opt.formulations.dueling.rows import ConfusingRows
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.exploration import WinnerPlan
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.solve import solve


class FreshWinnerPlan(WinnerPlan):
    """One empirical winner's program, solved from scratch whenever an estimate has moved.

    Parameters
    ----------
    tally, winner, costs
        As for every plan.
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
        tally: DuelTally,
        winner: int,
        costs: FloatArray,
        *,
        rows: Callable[[FloatArray, int], ConfusingRows],
        method: Method,
        name: str,
        solving: SolveOptions,
    ) -> None:
        self._rows = rows(tally.estimate, winner)
        self._method, self._name, self._solving = method, f"{name}_{winner}", solving
        super().__init__(tally, winner, costs)

    def resume(self) -> None:
        """Solve again before the next answer."""
        super().resume()
        self._x: FloatArray | None = None

    def drawn(self, better: int, worse: int) -> None:
        """Solve again before the next answer."""
        super().drawn(better, worse)
        self._x = None

    def optimum(self) -> FloatArray:
        """The program's optimum."""
        if self._x is None:
            program = build_program(self._rows, self.costs, self._method, self._name)
            result = solve(program, **self._solving)
            if result.x is None:
                raise CpeOptError(f"{result.solver} left no point of {self._name}")
            self._x = program_evidence(self._rows, self.costs, self._method, result.x)
        return self._x
