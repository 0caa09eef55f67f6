r"""CAR-Cond: the Condorcet winner among matchings, by accepting and rejecting edges.

Every round duels each comparable pair of undecided edges once. With :math:`\bar P, \underline P`
the bounds :math:`\hat p \pm c_t` cut to [0, 1], :math:`c_t(e, f) = \sqrt{\ln(4Kt^3/\delta) / 2T(e,
f)}`, and the minimax values of :mod:`cpe_opt.formulations.matchings.condorcet_value` for the sets A
of accepted and R of rejected edges,

.. math:: InU, InL = \mathrm{value}(A \cup e, R \,|\, A, R;\; \bar P, \underline P), \qquad
    ExU, ExL = \mathrm{value}(A, R \cup e \,|\, A, R;\; \bar P, \underline P),

an edge is accepted where :math:`InL > ExU + \epsilon_q` and rejected where :math:`ExL > InU +
\epsilon_q`; in epoch q, which lasts until round 4^q, :math:`\epsilon_q = 2^{-q}`. When ℓ edges are
accepted, they are the answer.

Readings: an edge that no matching can take (leave out) is rejected (accepted) at once;
decisions in a round use the sets of the round before; the ε of the paper's oracle is not needed
where bounds on the values prove a decision: ``slack="none"`` leaves it out. T counts the duels of
the round itself, as the estimates do (equation (7) counts those before it); all edges rejected in a
round join R (line 18 as printed keeps the last alone), and the answer is looked for after them.

Safe batches: between rounds at which a decision could change, however the duels fall, each pair is
one query, and all pairs are one batch.

**Decisions of CAR-Cond without solving every saddle LP: strategies kept as certificates.**

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

import math
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.matchings.assignment import Constraints, constrained
from cpe_opt.formulations.matchings.condorcet_value import (
    BestResponses,
    SaddlePrograms,
    saddle_point,
    subgradient_point,
)
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.matchings.pair_bounds import PairBounds, condorcet_guess
from cpe_opt.learners.queries import (
    HAS_CONDORCET_WINNER,
    Conditional,
    HorizonReached,
    Unproved,
    ask_all,
)
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.solvers.options import SolveOptions, refuse_unused, solver_option
from cpe_opt.validation import ErrorProbability

Slack: TypeAlias = Literal["paper", "none"]
_NO_WINNER = "there is no Condorcet winner: every matching is beaten by another"


@declare(
    family="matchings",
    goal="identification",
    guarantee="the Condorcet winner, if there is one, with probability at least 1 - delta",
    paper="Chen, Du, Huang, Zhao (ICML 2020), Algorithm 2",
    endless_if="the Condorcet winner ties with another matching",
    batches="every pair of undecided edges of a round",
)
def car_cond(
    graph: BipartiteGraph,
    *,
    rng: np.random.Generator | None = None,
    delta: ErrorProbability = 0.05,
    slack: Slack = "paper",
    method: CarMethod = "certificates",
    solver: str | None = None,
    counts: dict[str, int] | None = None,
) -> Generator[Duel | Batch, Any, tuple[int, ...] | Conditional | Unproved]:
    """Find the Condorcet winner with probability at least 1 - delta.

    Where it ties with another matching it does not stop by itself. If there is none it may stop,
    and proves no winner: the answer is None if the duels show a matching that beats the one
    accepted, and otherwise that one, with a ``doubt``. (The one accepted is the winner if there is
    one; often, but not always, the duels also show that there is one.)

    Parameters
    ----------
    slack : "paper" or "none"
        Whether decisions need the epoch's ε.
    method : "certificates", "program" or "subgradient"
        ``certificates``: strategies kept from earlier rounds decide where they can, and a saddle LP
        is solved where they cannot. ``program``: every saddle LP and every best matching by its
        program, in every round: the same decisions in the same rounds, slowly. ``subgradient``:
        the paper's own oracle in place of the LP, to the accuracy of the epoch, its ε.
    solver : str, optional
        Of the linear programs, ``highs`` by default.
    counts : dict, optional
        Gets ``rounds`` played, saddle LPs solved (``lps``), and ``values``: how many of them the
        algorithm as printed would solve.

    Returns
    -------
    tuple of int or None
        Edges, one a position; None if there is no Condorcet winner. Where the rounds end before
        it is known, the winner for all that the duels say
        (:mod:`cpe_opt.learners.matchings.pair_bounds`).

    References
    ----------
    Chen, Du, Huang, Zhao, "Combinatorial Pure Exploration for Dueling Bandits", ICML 2020,
    Algorithm 2.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> duels = cpe.planted_condorcet(3, 2, gap=0.2, seed=1)
    >>> trace = cpe.simulate("car-cond", duels, delta=0.1, seed=0)
    >>> trace.answer, trace.proved
    ((0, 4), True)
    """
    counts = {} if counts is None else counts
    sets = EdgeSets(graph)
    try:
        chosen = yield from accept_and_reject(
            sets, delta=delta, slack=slack, method=method, solver=solver, counts=counts
        )
    except HorizonReached:
        return sets.guess()
    if chosen is None:
        return Unproved(None, _NO_WINNER)
    rivals, half = rivals_of(graph, chosen, method, solver), graph.positions / 2.0
    upper, lower = sets.bounds.bounds(counts["rounds"], delta)
    if rivals.strongest(lower)[1] > half:
        # A winner would be the one accepted, and that loses.
        return Unproved(None, _NO_WINNER)
    if rivals.strongest(upper)[1] > half:
        return Conditional(chosen, HAS_CONDORCET_WINNER)
    return chosen


class EdgeSets:
    """What Algorithm 2 has found so far: bounds by all duels, and the sets A, R and U of edges."""

    def __init__(self, graph: BipartiteGraph) -> None:
        self.graph = graph
        self.bounds = PairBounds(graph)
        self.accepted: list[int] = []
        self.rejected: list[int] = []
        self.undecided = list(range(graph.size))

    def guess(self) -> tuple[int, ...]:
        """The Condorcet winner for all that the duels say."""
        estimates = self.bounds.estimates()
        return condorcet_guess(self.graph, estimates, self.accepted, self.rejected)


def accept_and_reject(
    sets: EdgeSets,
    *,
    delta: float,
    slack: Slack,
    method: CarMethod,
    solver: str | None,
    counts: dict[str, int] | None = None,
) -> Generator[Duel | Batch, Any, tuple[int, ...] | None]:
    """Algorithm 2: the matching accepted; None if every matching is rejected."""
    counts = {} if counts is None else counts
    counts.update(rounds=0, lps=0, values=0)
    graph, bounds = sets.graph, sets.bounds
    accepted, rejected, undecided = sets.accepted, sets.rejected, sets.undecided
    played = 0  # rounds, and so duels of every pair of undecided edges

    def fresh() -> EdgeDecisions:
        return EdgeDecisions(graph, accepted, rejected, method=method, solver=solver)

    decisions = fresh()
    while True:
        margin = 0.0
        open_pairs = [(e, f) for e, f in graph.pairs.tolist() if e in undecided and f in undecided]
        while True:
            rounds = 1
            if method != "program" and margin > 0.0:
                rounds = _safe_rounds(bounds, margin, played, delta, slack) + 1
            wins = yield from ask_all([Duel(e, f, rounds) for e, f in open_pairs])
            for (e, f), won in zip(open_pairs, wins, strict=True):
                bounds.add(e, f, won, rounds)
            played += rounds
            counts["rounds"] = played
            counts["values"] += 4 * rounds * len(undecided)
            solved = decisions.solved
            decisions.update(*bounds.bounds(played, delta))
            epsilon = _epsilon(played)
            needed = epsilon if slack == "paper" else 0.0
            found = [
                (edge, decisions.decision(edge, needed, accuracy=epsilon)) for edge in undecided
            ]
            counts["lps"] += decisions.solved - solved
            decided = [
                (edge, decision.accept) for edge, decision in found if decision.accept is not None
            ]
            if decided:
                break
            margin = min(decision.margin for _, decision in found)
        for edge, accept in decided:
            (accepted if accept else rejected).append(edge)
            undecided.remove(edge)
        if len(accepted) == graph.positions:
            return tuple(sorted(accepted))
        if Matchings(graph).best(np.zeros(graph.size), accepted, rejected) is None:
            return None
        decisions = fresh()


def _epsilon(t: int) -> float:
    """ε_q of the epoch that round t is in: 2^-q for the least q with t <= 4^q."""
    q = 1
    while 4**q < t:
        q += 1
    return 2.0**-q


def _safe_rounds(bounds: PairBounds, margin: float, played: int, delta: float, slack: Slack) -> int:
    """How many rounds cannot change a decision, however their duels fall.

    The bounds of a pair with T duels move by at most k/(T + k) + |c' - c| in k rounds; the two
    values of a decision by as much each. Pairs no longer duelled have larger radii and move less.
    """
    fewest = float(played)

    def moved(rounds: int) -> float:
        then = played + rounds
        here = math.sqrt(bounds.log_term(played, delta) / fewest)
        there = math.sqrt(bounds.log_term(then, delta) / (fewest + rounds))
        settled = bounds.draws[(bounds.draws > 0) & (bounds.draws < played)]
        grown = 0.0
        if settled.size:
            least = float(settled.min())
            grown = math.sqrt(bounds.log_term(then, delta) / least) - math.sqrt(
                bounds.log_term(played, delta) / least
            )
        shift = rounds / (fewest + rounds) + abs(here - there)
        less_slack = _epsilon(played) - _epsilon(then) if slack == "paper" else 0.0
        return 2.0 * max(shift, grown) + less_slack

    safe, step = 0, 1
    while moved(safe + step) < margin:
        safe += step
        step *= 2
    while step > 1:
        step //= 2
        if moved(safe + step) < margin:
            safe += step
    return safe


class RivalOracle:
    """The matchings other than a chosen one, by the probability that they win against it."""

    def __init__(
        self,
        graph: BipartiteGraph,
        chosen: Iterable[int],
        method: SubsetMethod | None = None,
        **solving: Unpack[SolveOptions],
    ) -> None:
        self._chosen = tuple(chosen)
        self._oracle = SubsetOracle(Matchings(graph), method, **solving)
        self._every = np.arange(graph.size)
        # The chosen edge at each edge's position.
        self._met = np.array(self._chosen)[graph.position]

    def strongest(self, probability: FloatArray) -> tuple[IntArray | None, float]:
        r"""A rival with the largest :math:`\ell f(M, \text{chosen}, p)`, if any, and its value."""
        won = probability[self._every, self._met]
        rival = self._oracle.maximise_other(won, self._chosen)
        if rival is None:
            return None, -np.inf
        edges = np.array(rival)
        return edges, float(won[edges].sum())


def rivals_of(
    graph: BipartiteGraph, chosen: Iterable[int], method: CarMethod, solver: str | None
) -> RivalOracle:
    """The rivals of a matching; by linear programs where all is to be solved by programs."""
    if method == "program":
        return RivalOracle(graph, chosen, "program", **solver_option(solver))
    return RivalOracle(graph, chosen)


# Decisions of CAR-Cond without solving every saddle LP: strategies kept as certificates.


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
