r"""Algorithm 1 of Komiyama, Honda, Nakagawa (ICML 2016): what CW-RMED and ECW-RMED share.

With :math:`N_{ij}` draws of a pair, estimates :math:`\hat\mu` and evidence
:math:`\hat d_{ij} N_{ij}`, a turn of the loop is

1. draw, once each, all pairs with :math:`N_{ij} < \alpha\sqrt{\ln t}` or
   :math:`|\hat\mu_{ij} - \frac12| \le \beta / \ln\ln t` (the latter once :math:`\ln\ln t > 0`);
2. draw the pairs of the current list :math:`L_C` one by one, all pairs at first. After each draw
   :math:`L_R` are the pairs still to come in the list, and the pairs :math:`L_{NC}` are asked for:

   * if some empirical Copeland winner's rows hold for :math:`x = \hat d N / \ln t` (their smallest
     left-hand side, the winner's *evidence*, is at least :math:`\ln t`), the pair (winner, winner);
   * otherwise those of the empirical winner with the smallest optimum: every pair whose optimal
     :math:`x^*_{ij} \ln t` exceeds :math:`\hat d_{ij} N_{ij}`, and (winner, winner);

   :math:`L_{NC} \setminus L_R` joins the next list :math:`L_N`.

How the optimum of all empirical winners,

.. math:: \min_{i_1} \min_x \sum_{i<j} c_{ij} x_{ij} \quad\text{s.t. the rows of } i_1 ,

is found is what CW-RMED (rows of equation (2)) and ECW-RMED (rows of equation (5)) differ in, each
with a fast way of its own; :class:`ReferenceOptimum` builds and solves all programs afresh, shows
them, and is what the fast ways are compared with. All else is kept up to date duel by duel, so that
a round costs what has changed in it; each class below says how.

**Batches.** Step 1 goes by the round at which it begins: a pair that becomes due during it waits
for the next turn. So what is drawn in a step is known when it begins. The pairs of step 1 are one
batch, and so is a list of three or more: the answers are gone through in order, as if they had come
one by one.

The region's other bounds, :math:`x \le 1`, are not tested: a pair may well have been drawn more
often than its share, and with its x cut down to 1 every row that it is in still holds.

Step 1 has "at most", where the paper has "less than". It matters for :math:`\beta = 0` alone: two
arms with estimates of exactly ½ against each other may both be winners without any row that asks
for their pair, and would stay so for good.

For the same reason rows and optima are the paper's own, ``ties="literal"`` (see
:mod:`cpe_opt.formulations.dueling.confusing_instances`): step 1 draws every pair whose estimate is
exactly ½, so a flip that costs nothing does not last.

Choices the paper leaves open: lists are gone through in lexicographic order; of several empirical
winners whose rows hold, the one with the most evidence is played; ties go to the arm with the
smallest number.

Idle stretches: when only (i, i) is left to draw, no estimate changes, so nothing happens until the
first t with :math:`\ln t` above the evidence of i, or with :math:`\alpha\sqrt{\ln t}` above the
least number of draws. Both are known in closed form, and the stretch is one query.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import CpeOptError
from cpe_opt.formulations.dueling.best_winner import Method, winner_program
from cpe_opt.formulations.dueling.confusing_instances import RowFamilies
from cpe_opt.learners.dueling.duel_counts import DuelTally, Estimates
from cpe_opt.learners.dueling.intervals import first_above
from cpe_opt.learners.queries import HorizonReached, ask_all
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import ascending, first_smallest

# With more arms than _MANY a bound on the evidence comes from the rows of _FEW challengers.
_FEW, _MANY = 4, 32
_MARGIN = 1e-9  # for comparisons with ln t that a shortcut decides


def copeland_rmed(
    arms: int, make: MakeOptimum, alpha: float, beta: float
) -> Generator[Duel | Batch, Any, int]:
    """Algorithm 1, by pairs ``i * K + j``, i <= j; the answer has the most evidence."""
    tally = DuelTally(arms)
    estimates = Estimates(tally)
    evidence, optimum = WinnerEvidence(estimates), make(estimates)
    duels = {i * arms + j: Duel(i, j) for i in range(arms) for j in range(i, arms)}
    forced, wanted = ForcedPairs(tally, alpha, beta), WantedPairs(tally)

    def count(pair: int, won: int) -> None:
        i, j = divmod(pair, arms)
        if i != j:
            gained, change = estimates.count(i, j, won)
            wanted.drawn.add(pair)
            evidence.grown(gained, flipped=change is None)
            if change is not None:
                ahead, behind = (i, j) if tally.leads(i, j) else (j, i)
                optimum.cost_changed(ahead, behind, change)

    is_listed = np.triu(np.ones((arms, arms), dtype=np.bool_)).ravel()
    last = L_C = forced.pairs.tolist()
    L_R = np.zeros(arms * arms, dtype=np.bool_)
    t = 1
    try:
        while True:
            due = forced.due(t, last)
            wins = (yield from ask_all([duels[pair] for pair in due])) if due else ()
            for pair, won in zip(due, wins, strict=True):
                count(pair, won)
                t += 1
            # Only where nothing was due: a pair that was just drawn may be due again at once.
            if not due and len(L_C) == 1 and evidence.reaches(math.log(t)):
                rounds = idle_rounds(evidence.largest, forced.fewest, t, alpha)
                if L_C[0] == evidence.safest * (arms + 1) and rounds > 0:
                    yield Duel(evidence.safest, evidence.safest, rounds)
                    t += rounds
                    continue
            # Of two pairs, one is usually a winner against itself, which needs no answer.
            answers: list[int] = []
            if len(L_C) > 2:
                answers = yield Batch(tuple(duels[pair] for pair in L_C))
            L_N = np.zeros(arms * arms, dtype=np.bool_)
            for pair in L_C:
                L_R[pair] = True
            for place, pair in enumerate(L_C):
                count(pair, answers[place] if answers else (yield duels[pair]))
                L_R[pair] = False
                log_t = math.log(t)
                if evidence.reaches(log_t):
                    safest = evidence.safest * (arms + 1)
                    L_N[safest] |= not L_R[safest]
                else:
                    L_NC = wanted.pairs(optimum.solution(), log_t)
                    L_N |= L_NC > L_R
                t += 1
            last, L_C = L_C, (L_N & is_listed).nonzero()[0].tolist()
    except HorizonReached:
        return evidence.safest


def idle_rounds(evidence: float, fewest: float, t: int, alpha: float) -> int:
    """How many rounds from t on change nothing while only (i, i) is drawn.

    No pair is forced and the rows hold at rounds t, …, t + rounds - 1. The rule with beta starts at
    t = 3 and never catches a pair later that it has spared before.
    """
    if t < 3:
        return 0
    forced_at = first_above(lambda s: alpha * math.sqrt(math.log(s)), fewest, (fewest / alpha) ** 2)
    fails_at = first_above(math.log, evidence, evidence)
    return max(0, min(forced_at, fails_at) - t)


class ForcedPairs:
    """The pairs of step 1, i < j, all of them tested only where one may be due.

    Draws grow, so that none has too few before a round known in advance; and β / ln ln t falls, so
    that a pair comes near ½ only by being drawn.
    """

    def __init__(self, tally: DuelTally, alpha: float, beta: float) -> None:
        self._tally, self._alpha, self._beta = tally, alpha, beta
        self.pairs: IntArray = np.flatnonzero(np.triu(np.ones((tally.arms, tally.arms)), 1))
        self._calm = 1  # before this round only what has been drawn since may be due

    @property
    def fewest(self) -> float:
        """The least number of draws of a pair."""
        return float(self._tally.draws.ravel()[self.pairs].min())

    def due(self, t: int, drawn: list[int]) -> list[int]:
        """The pairs due at round t; ``drawn`` has those of the last list, and (i, i)."""
        log_t, estimate = math.log(t), self._tally.estimate.ravel()
        near = self._beta / math.log(log_t) if log_t > 1.0 else -1.0
        others = (pair for pair in drawn if pair % (self._tally.arms + 1))
        if t < self._calm and all(abs(estimate.item(pair) - 0.5) > near for pair in others):
            return []
        is_due = self._tally.draws.ravel()[self.pairs] < self._alpha * math.sqrt(log_t)
        is_due |= np.abs(estimate[self.pairs] - 0.5) <= near
        due: list[int] = self.pairs[is_due].tolist()
        self._calm = t + (0 if due else idle_rounds(math.inf, self.fewest, t, self._alpha))
        return due


class WantedPairs:
    r"""L_NC, kept from round to round.

    While the optimum x stays, a duel changes whether its own pair is asked for, and another pair
    joins when :math:`\ln t` passes the least :math:`\hat d_{ij} N_{ij} / x_{ij}` above it.
    """

    def __init__(self, tally: DuelTally) -> None:
        self._arms, self._reached = tally.arms, tally.evidence.ravel()
        self._pairs: BoolArray = np.zeros(tally.arms**2, dtype=np.bool_)
        self.drawn: set[int] = set()  # pairs that were drawn since the last call
        self._solution: OptimalSolution | None = None
        self._next = -math.inf  # below it no pair joins that has not been drawn

    def pairs(self, solution: OptimalSolution, log_t: float) -> BoolArray:
        """L_NC of this optimum, in i <= j; ``log_t`` may not fall from call to call."""
        kept, x = solution is self._solution, solution.x.ravel()
        for pair in self.drawn if kept else ():
            share, reached = x.item(pair), self._reached.item(pair)
            self._pairs[pair] = share * log_t > reached
            if 0.0 < share * log_t <= reached:
                self._next = min(self._next, reached / share)
        self.drawn.clear()
        if not kept or log_t >= self._next - _MARGIN:
            self._pairs = x * log_t > self._reached
            self._pairs[solution.winner * (self._arms + 1)] = True
            self._solution, self._next = solution, -math.inf
            if kept:
                later = (x > 0.0) > self._pairs
                self._next = float((self._reached[later] / x[later]).min(initial=math.inf))
        return self._pairs


@dataclass(frozen=True, eq=False)
class OptimalSolution:
    """The winner with the smallest optimum, and an optimal point of its program."""

    winner: int
    x: FloatArray  # the evidence of every pair, symmetric, shape (K, K); never changed


class EmpiricalOptimum(Protocol):
    """The optimum by the estimates of a learner."""

    def cost_changed(self, better: int, worse: int, change: float) -> None:
        """In the same tournament the cost of a pair has grown; ``better`` beats ``worse``."""

    def solution(self) -> OptimalSolution:
        """The optimal solution by the current estimates."""


MakeOptimum: TypeAlias = Callable[[Estimates], EmpiricalOptimum]


class ReferenceOptimum:
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
        self.estimates = estimates
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


class WinnerEvidence:
    """The most evidence of an empirical winner, and that winner.

    Evidence is a minimum of sums in which a pair occurs at most once, so it grows by no more than
    the pairs do: between two calls their gains bound it, and while that bound stays below ln t the
    rows cannot hold and nothing is computed. Where a sign has changed and arms are many, the bound
    comes from the rows of the few challengers with the fewest losses: these have the fewest pairs.
    """

    def __init__(self, estimates: Estimates) -> None:
        self._estimates = estimates
        self._bound, self._exact = math.inf, False
        self._safest = 0

    def grown(self, gained: float, *, flipped: bool) -> None:
        """Take note of a duel: by how much evidence grew, and whether a sign has changed."""
        self._exact = False
        self._bound = math.inf if flipped else self._bound + max(0.0, gained)

    def reaches(self, log_t: float) -> bool:
        """Whether the rows of some winner hold: its evidence is at least ``log_t``."""
        if math.isinf(self._bound) and not self._exact and self._estimates.tally.arms > _MANY:
            few = np.argsort(self._estimates.tournament.losses, kind="stable")[:_FEW]
            self._bound = float(evidence_of_winners(self._estimates, few).max())
        return self._bound >= log_t - _MARGIN and self.largest >= log_t

    @property
    def largest(self) -> float:
        """The largest evidence of an empirical winner; inf where it has no rows."""
        self._refresh()
        return self._bound

    @property
    def safest(self) -> int:
        """The empirical winner with the most evidence."""
        self._refresh()
        return self._safest

    def _refresh(self) -> None:
        if self._exact:
            return
        evidence = evidence_of_winners(self._estimates)
        best = first_smallest(-evidence)
        self._bound, self._safest = float(evidence[best]), self._estimates.tournament.winners[best]
        self._exact = True


def evidence_of_winners(estimates: Estimates, challengers: IntArray | None = None) -> FloatArray:
    r"""The smallest left-hand side over the rows of each empirical winner.

    With :math:`x_{ij} = \hat d_{ij} N_{ij}`, :math:`G_i(n)` the sum of the n smallest x of the
    pairs that arm i wins, :math:`S_i(n)` of those that it loses, and both infinite where there are
    fewer, the rows (:mod:`cpe_opt.formulations.dueling.confusing_instances`) of a winner
    :math:`i_1`, a challenger :math:`i_2` and a level l hold at

    .. math:: G_{i_1}(l + 1 - L_{i_1}) + S_{i_2}(\max(0, L_{i_2} - l)) , \qquad
              x_{i_1 i_2} + G_{i_1}(l - L_{i_1}) + S_{i_2}(\max(0, L_{i_2} - l - 1)) ,

    the second where :math:`i_1` beats :math:`i_2`. In both, the sums leave out the pair
    :math:`\{i_1, i_2\}`: without a pair that has x = v, the sum of the n smallest of a list is
    :math:`S(n + 1) - v` where the pair is among them, else :math:`S(n)`. So each arm's lists are
    sorted once, whoever the winners are, and the evidence of all winners is a few operations per
    level on arrays of shape (winners, K).
    """
    tournament = estimates.tournament
    first, winners = tournament.first, np.array(tournament.winners)
    if challengers is None:
        challengers = np.arange(len(tournament.losses))
    losses, evidence = tournament.losses[challengers], estimates.tally.evidence
    own = evidence[winners[:, None], challengers]
    wins = tournament.beaten.T[winners]
    beats = wins[:, challengers]
    heads, ranks = _ascending(evidence[winners], wins)
    head_ranks = ranks[:, challengers]
    tails, ranks = _ascending(evidence[challengers], tournament.beaten[challengers])
    tail_ranks = ranks[:, winners].T
    rows, columns = np.arange(len(winners))[:, None], np.arange(len(challengers))

    def head(number: int) -> FloatArray:
        """The winner's smallest pairs without the challenger's; (winners, challengers)."""
        inside = head_ranks < number
        size = np.minimum(number + inside, heads.shape[1] - 1)
        return np.asarray(heads[rows, size] - inside * own)

    def tail(level: int) -> FloatArray:
        """The challengers' smallest pairs without the winner's; (winners, challengers)."""
        number = np.maximum(0, losses - level)
        inside = tail_ranks < number
        size = np.minimum(number + inside, tails.shape[1] - 1)
        return np.asarray(tails[columns, size] - inside * own)

    least = np.full(own.shape, math.inf)
    for level in range(max(0, first - 1), tournament.second + 1):
        taken = level + 1 - first
        np.minimum(least, head(taken) + tail(level), out=least)
        if taken >= 1:
            case = own + head(taken - 1) + tail(level + 1)
            np.minimum(least, case, out=least, where=beats)
    least[winners[:, None] == challengers] = math.inf
    return np.asarray(least.min(axis=1))


def _ascending(x: FloatArray, members: BoolArray) -> tuple[FloatArray, IntArray]:
    """Sums of the n smallest members of each row, and the rank of each member, from 0.

    Shapes (R, M + 2), n from 0 to M + 1, and (R, K), where M is the most members of a row. Sums are
    infinite for n above a row's number, ranks at least M for arms that are no members.
    """
    rows, arms = x.shape
    most = int(members.sum(axis=1).max(initial=0))
    values = np.where(members, x, math.inf)
    order = ascending(values)
    index = np.arange(rows)[:, None]
    sums = np.full((rows, most + 2), math.inf)
    sums[:, 0] = 0.0
    np.cumsum(values[index, order[:, :most]], axis=1, out=sums[:, 1 : most + 1])
    ranks = np.empty_like(order)
    ranks[index, order] = np.arange(arms)
    return sums, np.where(members, ranks, arms)
