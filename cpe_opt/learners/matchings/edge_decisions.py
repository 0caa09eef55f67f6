r"""Decisions of CAR-Cond without solving every saddle LP: strategies kept as certificates.

A pair of strategies (x, y) found for one matrix brackets the value of another: the best reply to x
bounds it from below, that to y from above, a matching each. And values move by at most the largest
change of an entry, because both strategies are distributions over a position's edges, averaged over
positions. So a decision that was far from flipping cannot flip before the bounds have moved that
far, and where it might have, brackets mostly decide; only where they overlap is an LP solved.

A bracket proves a decision, and so it need not be narrow: InL > ExU + ε is accepted where the lower
end of the one exceeds the upper end of the other by ε, or by 1e-9 where ε is less. Solved values
are those of the paper's oracle, an x with what it guarantees, and decide as in the paper where they
differ by an ε that covers the accuracy of the oracle; where it does not, brackets decide alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias, get_args

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import UnknownName
from cpe_opt.formulations.matchings.assignment import Constraints, constrained
from cpe_opt.formulations.matchings.condorcet import (
    BestResponses,
    SaddlePrograms,
    saddle_point,
    subgradient_point,
)
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.solvers.options import refuse_unused, solver_option

_EXACT = 1e-9
CarMethod: TypeAlias = Literal["certificates", "program", "subgradient"]


@dataclass
class Bracket:
    """The value of one saddle problem at the current matrix, between ``low`` and ``high``."""

    low: float = -np.inf
    high: float = np.inf

    @property
    def width(self) -> float:
        """What is open."""
        return self.high - self.low


@dataclass
class SaddleState:
    """One saddle problem whose matrix changes: its player's constraints and last strategies."""

    constraints_x: Constraints
    x: FloatArray | None = None
    y: FloatArray | None = None
    at: Bracket = field(default_factory=Bracket)
    solved: bool = False  # for the current matrix


@dataclass(frozen=True)
class Decision:
    """``True`` accepts, ``False`` rejects the edge; ``margin``: how far None is from either."""

    accept: bool | None
    margin: float


class EdgeDecisions:
    """The decisions on all undecided edges for given sets A (accepted) and R (rejected)."""

    def __init__(
        self,
        graph: BipartiteGraph,
        accepted: Iterable[int],
        rejected: Iterable[int],
        *,
        method: CarMethod,
        solver: str | None = None,
    ) -> None:
        self._matchings = Matchings(graph)
        self._accepted, self._rejected = list(accepted), list(rejected)
        self._constraints_y = constrained(graph, self._accepted, self._rejected)
        if method not in get_args(CarMethod):
            raise UnknownName("method", method, get_args(CarMethod))
        self._solving, self._method = solver_option(solver), method
        self._certify = method != "program"
        if method == "subgradient":
            refuse_unused(
                self._solving, "method 'subgradient'", instead=("certificates", "program")
            )
        self._constraints_x: dict[tuple[int, bool], Constraints | None] = {}
        self._saddles: dict[tuple[int, bool, bool], SaddleState | None] = {}
        self._upper: FloatArray = np.zeros((graph.size, graph.size))
        self._lower = self._upper
        self.solved = 0  # how many LPs were solved

    def update(self, upper: FloatArray, lower: FloatArray) -> None:
        """Take new bounds on the probabilities."""
        self._upper, self._lower = upper, lower
        for (_, _, above), saddle in self._saddles.items():
            if saddle is not None:
                self._bracket(saddle, upper if above else lower)

    def decision(self, edge: int, slack: float, *, accuracy: float) -> Decision:
        """Accept where InL > ExU + slack, reject where ExL > InU + slack."""
        inside, outside = (
            self._saddle(edge, member, accuracy, above=False) for member in (True, False)
        )
        if inside is None:
            return Decision(False, np.inf)
        if outside is None:
            return Decision(True, np.inf)
        margins = []
        for better, worse, accept in ((True, False, True), (False, True, False)):
            exceeds, margin = self._exceeds(edge, better, worse, max(slack, _EXACT), accuracy)
            if exceeds:
                return Decision(accept, 0.0)
            margins.append(margin)
        return Decision(None, min(margins))

    def _exceeds(
        self, edge: int, better: bool, worse: bool, slack: float, accuracy: float
    ) -> tuple[bool, float]:
        """Whether the lower value of one beats the upper value of the other by ``slack``."""
        low = self._saddle(edge, better, accuracy, above=False)
        high = self._saddle(edge, worse, accuracy, above=True)
        assert low is not None
        assert high is not None
        while True:
            if low.at.low > high.at.high + slack:
                return True, 0.0
            margin = high.at.low + slack - low.at.high
            if margin >= 0.0:
                return False, margin
            if low.solved and high.solved:
                # The oracle's value may be below the true one, by no more than the slack or not.
                return low.at.low > max(high.at.low + slack, high.at.high), 0.0
            first = not low.solved and (high.solved or low.at.width >= high.at.width)
            self._solve(low if first else high, above=not first, accuracy=accuracy)

    def _saddle(
        self, edge: int, member: bool, accuracy: float, *, above: bool
    ) -> SaddleState | None:
        """The problem with the edge forced in or out, or None if that leaves no matching."""
        key = edge, member, above
        if key not in self._saddles:
            constraints_x = self._constraints(edge, member)
            saddle = None if constraints_x is None else SaddleState(constraints_x)
            self._saddles[key] = saddle
            if saddle is not None and not self._certify:
                self._solve(saddle, above=above, accuracy=accuracy)
        return self._saddles[key]

    def _constraints(self, edge: int, member: bool) -> Constraints | None:
        """Those of x with the edge forced in or out, or None if that leaves no matching."""
        key = edge, member
        if key not in self._constraints_x:
            graph = self._matchings.graph
            accepted = [*self._accepted, edge] if member else self._accepted
            rejected = self._rejected if member else [*self._rejected, edge]
            matching = None
            if self._constraints_y.free[edge] or not member:
                matching = self._matchings.best(np.zeros(graph.size), accepted, rejected)
            limits = None if matching is None else constrained(graph, accepted, rejected)
            self._constraints_x[key] = limits
        return self._constraints_x[key]

    @cached_property
    def _programs(self) -> SaddlePrograms:
        return SaddlePrograms(self._matchings, self._constraints_y)

    def _replies(self, saddle: SaddleState, matrix: FloatArray) -> BestResponses:
        return BestResponses(self._matchings, matrix, saddle.constraints_x, self._constraints_y)

    def _bracket(self, saddle: SaddleState, matrix: FloatArray) -> None:
        """What the last strategies say of the new matrix."""
        saddle.at, saddle.solved = Bracket(), False
        if not self._certify:
            saddle.x = saddle.y = None
        if saddle.x is not None and saddle.y is not None:
            replies = self._replies(saddle, matrix)
            saddle.at = Bracket(replies.against_x(saddle.x)[0], replies.against_y(saddle.y)[0])

    def _solve(self, saddle: SaddleState, *, above: bool, accuracy: float) -> None:
        """Solve at the current matrix."""
        replies = self._replies(saddle, self._upper if above else self._lower)
        if self._method == "subgradient":
            point = subgradient_point(replies, accuracy)
        else:
            point = saddle_point(replies, self._programs, **self._solving)
        self.solved += 1
        saddle.x, saddle.y, saddle.solved = point.x, point.y, True
        saddle.at = Bracket(point.value, point.bound)
