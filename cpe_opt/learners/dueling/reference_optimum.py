r"""The optimum of Algorithm 1, line 11, and the plain way to find it: a program for every winner.

Of all empirical Copeland winners :math:`i_1` the one with the smallest optimum counts,

.. math:: \min_{i_1} \min_x \sum_{i<j} c_{ij} x_{ij} \quad\text{s.t. the rows of } i_1 ,

with the rows of equation (2) (CW) or (5) (ECW) of Komiyama, Honda, Nakagawa (ICML 2016). An
:class:`EmpiricalOptimum` follows it from duel to duel. :class:`ReferenceOptimum` builds and solves
all programs afresh: it shows every program, and the fast ways are compared with it, that of CW
(:mod:`cpe_opt.learners.dueling.exact_optimum`) and that of ECW
(:mod:`cpe_opt.learners.dueling.relaxed_optimum`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import CpeOptError
from cpe_opt.formulations.dueling.best_winner import Method, winner_program
from cpe_opt.formulations.dueling.confusing_instances import RowFamilies
from cpe_opt.learners.dueling.duel_counts import Estimates
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import first_smallest


@dataclass(frozen=True, eq=False)
class OptimalSolution:
    """The winner with the smallest optimum, and an optimal point of its program."""

    winner: int
    x: FloatArray  # the evidence of every pair, symmetric, shape (K, K); never changed


class EmpiricalOptimum(ABC):
    """The optimum by the estimates of a learner."""

    def __init__(self, estimates: Estimates) -> None:
        self.estimates = estimates

    @abstractmethod
    def cost_changed(self, better: int, worse: int, change: float) -> None:
        """In the same tournament the cost of a pair has grown; ``better`` beats ``worse``."""

    @abstractmethod
    def solution(self) -> OptimalSolution:
        """The optimal solution by the current estimates."""


MakeOptimum: TypeAlias = Callable[[Estimates], EmpiricalOptimum]


class ReferenceOptimum(EmpiricalOptimum):
    """The program of every empirical winner, solved from scratch whenever an estimate has moved.

    ``rows`` makes the rows of a program from the estimates and the winner; ``method`` is a
    formulation of :mod:`cpe_opt.formulations.dueling.lower_bound`; the winner's number is added to
    ``name``, that of the programs.
    """

    def __init__(
        self,
        estimates: Estimates,
        *,
        rows: Callable[[FloatArray, int], RowFamilies],
        method: Method,
        name: str,
        solving: SolveOptions,
    ) -> None:
        super().__init__(estimates)
        self._rows, self._method, self._name, self._solving = rows, method, name, solving
        self._solved: tuple[int, OptimalSolution] | None = None

    def cost_changed(self, better: int, worse: int, change: float) -> None:
        """Solve again before the next answer."""
        self._solved = None

    def solution(self) -> OptimalSolution:
        """The first winner with the smallest optimum, and its program's optimal point."""
        tournament = self.estimates.tournament
        if self._solved is None or self._solved[0] != tournament.version:
            points = [self._optimal_x(winner) for winner in tournament.winners]
            best = 0
            if len(points) > 1:
                costs = self.estimates.costs
                best = first_smallest([float(np.vdot(x, costs)) / 2 for x in points])
            solution = OptimalSolution(tournament.winners[best], points[best])
            self._solved = tournament.version, solution
        return self._solved[1]

    def _optimal_x(self, winner: int) -> FloatArray:
        rows = self._rows(self.estimates.tally.estimate, winner)
        name = f"{self._name}_{winner}"
        program = winner_program(rows, self.estimates.costs, self._method, name)
        result = solve(program.program, **self._solving)
        if result.x is None:
            raise CpeOptError(f"{result.solver} left no point of {name}")
        return program.evidence(result.x)
