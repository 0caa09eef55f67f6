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

How the optimum is found is what CW-RMED, ECW-RMED and their plain programs differ in:
:class:`~cpe_opt.learners.dueling.reference_optimum.EmpiricalOptimum`. All else is kept up to date
duel by duel, so that a round costs what has changed in it; each class below says how.

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

import heapq
import math
from collections.abc import Generator, Iterable
from typing import Any

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.learners.dueling.duel_counts import DuelTally, Estimates
from cpe_opt.learners.dueling.intervals import first_above
from cpe_opt.learners.dueling.reference_optimum import MakeOptimum, OptimalSolution
from cpe_opt.learners.queries import HorizonReached, ask_all
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.ties import ascending, first_smallest

# How many moments the heap has.
_NEAREST = 256
# With more arms than _MANY a bound on the evidence comes from the rows of _FEW challengers.
_FEW, _MANY = 4, 32
_MARGIN = 1e-9  # for comparisons with ln t that a shortcut decides


def copeland_rmed(
    arms: int, make: MakeOptimum, alpha: float, beta: float
) -> Generator[Duel | Batch, Any, int]:
    """Algorithm 1, by pairs ``i * K + j``, i <= j; the answer has the most evidence."""
    exploration = CopelandExploration(arms, make)
    forced = ForcedPairs(exploration.tally, alpha, beta)
    duels = {i * arms + j: Duel(i, j) for i in range(arms) for j in range(i, arms)}

    def count(pair: int, won: int) -> None:
        duel = duels[pair]
        if duel.i != duel.j:
            exploration.count(duel.i, duel.j, won)
            forced.drawn(pair)

    L_C = [pair for pair, duel in duels.items() if duel.i != duel.j]
    t = 1
    try:
        while True:
            due = forced.due(t)
            wins = (yield from ask_all([duels[pair] for pair in due])) if due else ()
            for pair, won in zip(due, wins, strict=True):
                count(pair, won)
                t += 1
            # Only where nothing was due: a pair that was just drawn may be due again at once.
            if (
                not due
                and len(L_C) == 1
                and exploration.satisfied(math.log(t))
                and L_C[0] == exploration.safest_pair
            ):
                rounds = idle_rounds(exploration.evidence, forced.fewest(), t, alpha)
                if rounds > 0:
                    yield Duel(exploration.safest, exploration.safest, rounds)
                    t += rounds
                    continue
            # Of two pairs, one is usually a winner against itself, which needs no answer.
            at_once: list[int] = []
            if len(L_C) > 2:
                at_once = yield Batch(tuple(duels[pair] for pair in L_C))
            L_R, L_N, noted = set(L_C), set[int](), False
            for place, pair in enumerate(L_C):
                count(pair, at_once[place] if at_once else (yield duels[pair]))
                L_R.discard(pair)
                log_t = math.log(t)
                if exploration.satisfied(log_t):
                    L_N |= {exploration.safest_pair} - L_R
                    noted = False
                else:
                    L_NC, added = exploration.wanted(log_t)
                    # Of an L_NC that was noted before, L_N lacks only what is new, and this pair.
                    L_N |= (added if noted else L_NC) - L_R
                    if pair in L_NC:
                        L_N.add(pair)
                    noted = True
                t += 1
            L_C = sorted(L_N)
    except HorizonReached:
        return exploration.safest


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
    r"""Step 1: the pairs that are drawn whatever the optimum says, as codes, i < j.

    Few rounds have to test every pair: draws only grow, so no pair falls short before
    :math:`\alpha\sqrt{\ln t}` passes the least number of draws; and :math:`\beta / \ln\ln t` only
    falls, so a pair comes near ½ only by being drawn.
    """

    def __init__(self, tally: DuelTally, alpha: float, beta: float) -> None:
        self._tally, self._alpha, self._beta = tally, alpha, beta
        self._upper = np.flatnonzero(np.triu(np.ones((tally.arms, tally.arms)), 1))
        self._near = set(self._upper.tolist())  # all that may be near one half
        self._short_from = 1  # the first round at which a pair may have too few draws

    def drawn(self, code: int) -> None:
        """Take note that a pair was drawn."""
        self._near.add(code)

    def due(self, t: int) -> list[int]:
        """The codes of the pairs due at round t, ascending; t may not fall from call to call."""
        log_t = math.log(t)
        due: set[int] = set()
        if log_t > 1.0:
            limit, estimate = self._beta / math.log(log_t), self._tally.estimate.item
            self._near = due = {code for code in self._near if abs(estimate(code) - 0.5) <= limit}
        if t < self._short_from:
            return sorted(due)
        least = self._alpha * math.sqrt(log_t)
        short = self._upper[self._tally.draws.ravel()[self._upper] < least]
        if not len(short):
            fewest = self.fewest()
            self._short_from = first_above(self._needed, fewest, (fewest / self._alpha) ** 2)
        return sorted(due.union(short.tolist()))

    def fewest(self) -> float:
        """The least number of draws of a pair."""
        return float(self._tally.draws.ravel()[self._upper].min())

    def _needed(self, t: int) -> float:
        return self._alpha * math.sqrt(math.log(t))


class CopelandExploration:
    """What the estimates ask for: whether a winner is sure, and the pairs that an optimum wants."""

    def __init__(self, arms: int, make: MakeOptimum) -> None:
        self.tally = DuelTally(arms)
        self._estimates = Estimates(self.tally)
        self._evidence = WinnerEvidence(self._estimates)
        self._optimum = make(self._estimates)
        self._wanted = WantedPairs(self.tally)
        self._drawn: set[int] = set()  # since the wanted pairs were last asked for

    def count(self, i: int, j: int, won: int) -> None:
        """Count one duel of i and j, i < j, of which i won ``won``."""
        gained, change = self._estimates.count(i, j, won)
        self._evidence.grown(gained, flipped=change is None)
        self._drawn.add(i * self.tally.arms + j)
        if change is not None:
            ahead, behind = (i, j) if self.tally.leads(i, j) else (j, i)
            self._optimum.cost_changed(ahead, behind, change)

    def satisfied(self, log_t: float) -> bool:
        """Whether the rows of some empirical winner hold (lines 7 and 8 of Algorithm 1)."""
        return self._evidence.reaches(log_t)

    @property
    def evidence(self) -> float:
        """The most evidence of an empirical winner."""
        return self._evidence.largest

    @property
    def safest(self) -> int:
        """The empirical winner with the most evidence."""
        return self._evidence.safest

    @property
    def safest_pair(self) -> int:
        """The pair (winner, winner) of that winner."""
        return self._evidence.safest * (self.tally.arms + 1)

    def wanted(self, log_t: float) -> tuple[set[int], set[int]]:
        """L_NC, the pairs that the optimum asks for (lines 11 and 12); ``log_t`` may not fall.

        Returns all of them, in a set that is not to be changed, and those that are new since the
        last call (perhaps with some that are not).
        """
        added = self._wanted.update(self._optimum.solution(), self._drawn, log_t)
        self._drawn.clear()
        return self._wanted.codes, added


class WantedPairs:
    r"""The pairs that an optimum wants drawn, :math:`x^*_{ij} \ln t > \hat d_{ij} N_{ij}`.

    Between two rounds few pairs change: those just drawn, those whose x* has changed, and those
    that time alone makes due, once :math:`\ln t` passes the pair's *moment*
    :math:`\hat d_{ij} N_{ij} / x^*_{ij}`. A heap has the nearest moments, and all others lie
    beyond a known one.
    """

    def __init__(self, tally: DuelTally) -> None:
        self._tally = tally
        self._upper = np.triu(np.ones((tally.arms, tally.arms), dtype=np.bool_))
        self._solution: OptimalSolution | None = None
        self._moments: list[tuple[float, int]] = []
        self._beyond = math.inf
        self._added: set[int] = set()
        self.codes: set[int] = set()  # of the wanted pairs, and of the pair (winner, winner)

    def update(self, solution: OptimalSolution, drawn: Iterable[int], log_t: float) -> set[int]:
        """Move on to a later round and perhaps another optimum; ``drawn`` since the last call.

        Returns the codes that have become wanted since then; all of them where much has changed.
        """
        self._added = set()
        before, self._solution, self._x = self._solution, solution, solution.x
        if before is None or before.winner != solution.winner:
            self._restart(solution, log_t)
            return self._added
        if before is not solution:
            changed = np.flatnonzero((before.x != solution.x) & self._upper)
            if len(changed) > self._tally.arms:
                self._restart(solution, log_t)
                return self._added
            for code in changed.tolist():
                self._test_pair(code, log_t)
        for code in drawn:
            self._test_pair(code, log_t)
        self._advance(log_t)
        return self._added

    def _restart(self, solution: OptimalSolution, log_t: float) -> None:
        """Test every pair."""
        wanted = np.flatnonzero((solution.x * log_t > self._tally.evidence) & self._upper)
        self.codes = {solution.winner * (self._tally.arms + 1), *wanted.tolist()}
        self._added = self.codes.copy()
        # The moments are found when the optimum has lasted for a round.
        self._moments, self._beyond = [], log_t

    def _test_pair(self, code: int, log_t: float) -> None:
        """Test one pair."""
        share, evidence = self._x.item(code), self._tally.evidence.item(code)
        if share * log_t > evidence:
            if code not in self.codes:
                self.codes.add(code)
                self._added.add(code)
            return
        self.codes.discard(code)
        if share > 0.0 and (moment := evidence / share) < self._beyond:
            heapq.heappush(self._moments, (moment, code))

    def _advance(self, log_t: float) -> None:
        """Test the pairs that time may have made due."""
        if log_t >= self._beyond - _MARGIN or len(self._moments) > 4 * _NEAREST:
            self._test_all(log_t)
            return
        close: list[int] = []
        while self._moments and self._moments[0][0] - _MARGIN <= log_t:
            _, code = heapq.heappop(self._moments)
            if code not in self.codes:
                close.append(code)
        for code in close:
            self._test_pair(code, log_t)

    def _test_all(self, log_t: float) -> None:
        """Test every pair, and find the nearest moments of those that are not wanted."""
        x, evidence = self._x, self._tally.evidence
        codes = np.flatnonzero((x > 0.0) & self._upper)
        shares, reached = x.ravel()[codes], evidence.ravel()[codes]
        wanted = shares * log_t > reached
        due = set(codes[wanted].tolist()) - self.codes
        self.codes |= due
        self._added |= due
        codes, moments = codes[~wanted], (reached / shares)[~wanted]
        self._beyond = math.inf
        if len(codes) > _NEAREST:
            self._beyond = np.partition(moments, _NEAREST).item(_NEAREST)
            near = moments < self._beyond
            codes, moments = codes[near], moments[near]
        self._moments = list(zip(moments.tolist(), codes.tolist(), strict=True))
        heapq.heapify(self._moments)


class WinnerEvidence:
    """The most evidence of an empirical winner, and that winner.

    Evidence is a minimum of sums in which a pair occurs at most once, so it grows by no more than
    the pairs do: between two calls their gains bound it, and while that bound stays below ln t the
    rows cannot hold and nothing is computed. Where a sign has changed and arms are many, the first
    bound comes from rows of one challenger, and the next from those of a few: they have the fewest
    losses, so that their rows have the fewest pairs.
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
            tournament = self._estimates.tournament
            few = np.argsort(tournament.losses, kind="stable")[:_FEW]
            if len(tournament.winners) < _FEW:
                self._bound = max(
                    evidence_bound(self._estimates, winner, int(few[int(few[0] == winner)]))
                    for winner in tournament.winners
                )
                if self._bound < log_t - _MARGIN:
                    return False
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


def evidence_bound(estimates: Estimates, winner: int, challenger: int) -> float:
    """The least :math:`G_{i_1} + S_{i_2}` of :func:`evidence_of_winners`, of one challenger."""
    tournament, evidence = estimates.tournament, estimates.tally.evidence
    own, others = tournament.beaten[:, winner].copy(), tournament.beaten[challenger].copy()
    own[challenger] = others[winner] = False
    heads, tails = (
        [0.0, *np.sort(evidence[arm, members]).cumsum().tolist()]
        for arm, members in ((winner, own), (challenger, others))
    )
    losses, first = int(tournament.losses[challenger]), tournament.first
    return min(
        (
            heads[level + 1 - first] + tails[max(0, losses - level)]
            for level in range(max(0, first - 1), tournament.second + 1)
            if level + 1 - first < len(heads) and losses - level < len(tails)
        ),
        default=math.inf,
    )


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
