r"""Algorithm 1 of Komiyama, Honda, Nakagawa (ICML 2016): what CW-RMED and ECW-RMED share.

With :math:`N_{ij}` draws of a pair, estimates :math:`\hat\mu` and evidence
:math:`\hat d_{ij} N_{ij}`, a turn of the loop is

1. draw, once each, all pairs with :math:`N_{ij} < \alpha\sqrt{\ln t}` or
   :math:`|\hat\mu_{ij} - \frac12| \le \beta / \ln\ln t` (the latter once :math:`\ln\ln t > 0`);
2. draw the pairs of the current list one by one; after each,

   * if some empirical Copeland winner's rows hold for :math:`x = \hat d N / \ln t` (their smallest
     left-hand side, the winner's *evidence*, is at least :math:`\ln t`), note the pair (winner,
     winner) for the next list;
   * otherwise take the empirical winner with the smallest optimum, and note every pair whose
     optimal :math:`x^*_{ij} \ln t` exceeds :math:`\hat d_{ij} N_{ij}`, and (winner, winner);

   except pairs still to come in the current list.

The region's other bounds, :math:`x \le 1`, are not asked for: a pair may well have been drawn more
often than its share, and with its x cut down to 1 every row that it is in holds all the same. Step
1 goes by the round at which it begins: a pair that becomes due during it waits for the next turn.

Step 1 has "at most", where the paper has "less than". It matters for :math:`\beta = 0` alone: two
arms with estimates of exactly ½ against each other may both be winners without any row that asks
for their pair, and would stay so for good.

For the same reason rows and optima are the paper's own, ``ties="literal"`` (see
:mod:`cpe_opt.formulations.dueling.confusing_instances`): step 1 draws every pair whose estimate is
exactly ½, so a flip that costs nothing does not last.

So what is drawn in a step is known when it begins, and the pairs of a step, if a list has three or
more, are one batch: the answers are gone through in order, as if they had come one by one.

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
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from typing import Any, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.intervals import first_above
from cpe_opt.learners.dueling.tournament import Tournament
from cpe_opt.learners.dueling.winner_evidence import WinnerEvidence
from cpe_opt.learners.queries import HorizonReached, ask_all
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.validation import checked_count, checked_number


def copeland_rmed(
    arms: int, make: MakePlan, alpha: float, beta: float
) -> Generator[Duel | Batch, Any, int]:
    """Algorithm 1; ``make`` says how optimal explorations are found. Returns a winner."""
    checked_count("arms", arms, least=2)
    checked_number("alpha", alpha, above=0.0)
    checked_number("beta", beta, least=0.0)
    tally = DuelTally(arms)
    plans = Exploration(tally, make)
    forced = ForcedPairs(tally, alpha, beta)
    duels = {i * arms + j: Duel(i, j) for i in range(arms) for j in range(i, arms)}
    current = [pair for pair, duel in duels.items() if duel.i != duel.j]
    t = 1
    try:
        while True:
            due = forced.due(t)
            wins = (yield from ask_all([duels[pair] for pair in due])) if due else ()
            for pair, won in zip(due, wins, strict=True):
                duel = duels[pair]
                plans.drawn(duel.i, duel.j, won)
                forced.drawn(pair)
                t += 1
            # A draw just made may be due again; without one, nothing is due before the closed form.
            if not due and len(current) == 1 and plans.is_sure(current[0], math.log(t)):
                rounds = idle_rounds(plans.evidence, forced.fewest(), t, alpha)
                if rounds > 0:
                    yield Duel(plans.safest, plans.safest, rounds)
                    t += rounds
                    continue
            following: set[int] | None = None
            waiting = set(current)
            # Of two pairs, one is a winner against itself as a rule.
            at_once: list[int] = []
            if len(current) > 2:
                at_once = yield Batch(tuple(duels[pair] for pair in current))
            for place, pair in enumerate(current):
                duel = duels[pair]
                won = at_once[place] if at_once else (yield duel)
                if duel.i != duel.j:
                    plans.drawn(duel.i, duel.j, won)
                    forced.drawn(pair)
                waiting.discard(pair)
                entered = plans.look(math.log(t))
                t += 1
                if following is None:
                    following = plans.wanted - waiting
                    continue
                # What was wanted before, and not still to come, has been noted.
                following |= entered - waiting
                if pair in plans.wanted:
                    following.add(pair)
            current = sorted(following or ())
    except HorizonReached:
        return plans.safest


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


# Step 1 of Algorithm 1: the pairs that are drawn whatever the optimal exploration says.
#
# At round t a pair is due with :math:`N_{ij} < \alpha \sqrt{\ln t}`, or with
# :math:`|\hat\mu_{ij} - \frac12| \le \beta / \ln\ln t` once :math:`\ln\ln t > 0`. Both are known
# without a look at every pair: draws only grow, so until :math:`\alpha\sqrt{\ln t}` passes what was
# the least number of them no pair falls short; the second bound only falls, so no pair comes near ½
# but by being drawn.


class ForcedPairs:
    """The pairs due at a round, as codes ``i * K + j``, i < j.

    Parameters
    ----------
    tally : DuelTally
    alpha, beta : float
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
        """The codes of the pairs due at round t, ascending; rounds may not go back."""
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


# What Algorithm 1 of Komiyama, Honda, Nakagawa asks of the estimates at every round.
#
# See :mod:`cpe_opt.learners.dueling.copeland_rmed`. The state is shared by all empirical winners:
# who beats whom (:mod:`~cpe_opt.learners.dueling.tournament`), the evidence of each winner's rows
# (:mod:`~cpe_opt.learners.dueling.winner_evidence`), and the pairs wanted by an optimal exploration
# (:mod:`~cpe_opt.learners.dueling.copeland_rmed`). How optima are found is what CW-RMED, ECW-RMED
# and their plain programs differ in: :class:`OptimalPlan`.


class OptimalPlan(ABC):
    """The empirical winner with the smallest optimum, and an optimal x.

    Attributes
    ----------
    tournament : Tournament
    winner : int
    x : float array, shape (K, K)
        Symmetric. Both are right after :meth:`settle`.
    """

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.winner = 0
        arms = tournament.tally.arms
        self.x: FloatArray = np.zeros((arms, arms))

    @abstractmethod
    def moved(self, better: int, worse: int, change: float) -> None:
        """Take note that the cost of a pair has changed, and no sign."""

    @abstractmethod
    def settle(self) -> Iterable[int] | None:
        """Make ``winner`` and ``x`` right for the estimates of now.

        Returns
        -------
        iterable of int, or None
            The codes ``i * K + j``, i < j, of the pairs whose x has changed; None where the winner
            may be another or ``x`` is another array.
        """


MakePlan: TypeAlias = Callable[[Tournament], OptimalPlan]


class Exploration:
    """The empirical winners, their evidence, and the pairs they want drawn.

    Attributes
    ----------
    wanted : set of int
        What the last look found, as codes ``i * K + j`` with i <= j; not to be changed.
    """

    def __init__(self, tally: DuelTally, make: MakePlan) -> None:
        self._arms = tally.arms
        self.tournament = Tournament(tally)
        self._evidence = WinnerEvidence(self.tournament)
        self._plan = make(self.tournament)
        self._pairs = WantedPairs(tally)
        self._touched: list[int] = []
        self._sure = False
        self.wanted: set[int] = set()

    def drawn(self, i: int, j: int, won: int) -> None:
        """Count one duel."""
        tournament = self.tournament
        voided, gained, change = tournament.count(i, j, won)
        self._evidence.grown(gained, voided)
        if voided:
            return
        self._touched.append(i * self._arms + j if i < j else j * self._arms + i)
        if tournament.tally.leads(i, j):
            self._plan.moved(i, j, change)
        else:
            self._plan.moved(j, i, change)

    @property
    def evidence(self) -> float:
        """The most evidence of an empirical winner."""
        return self._evidence.most

    @property
    def safest(self) -> int:
        """The empirical winner with the most evidence."""
        return self._evidence.safest

    def is_sure(self, code: int, log_t: float) -> bool:
        """Whether the rows of a winner hold, of the safest the one that ``code`` duels itself."""
        return self._evidence.reaches(log_t) and code == self.safest * (self._arms + 1)

    def look(self, log_t: float) -> set[int]:
        """Find L_NC, what a check adds to the next list, as ``wanted``.

        Returns
        -------
        set of int
            Its codes that were not in it at the last look, and perhaps more.
        """
        if self._evidence.reaches(log_t):
            self._sure = True
            self.wanted = {self.safest * (self._arms + 1)}
            return self.wanted
        self.tournament.settle()
        changed = self._plan.settle()
        pairs = self._pairs
        if changed is None:
            pairs.restart(self._plan.x, self._plan.winner, log_t)
        else:
            for code in self._touched:
                pairs.look_at(code, log_t)
            for code in changed:
                pairs.look_at(code, log_t)
            pairs.advance(log_t)
        self._touched.clear()
        entered, pairs.entered = pairs.entered, set()
        self.wanted = pairs.codes
        if self._sure:
            self._sure = False
            return self.wanted
        return entered


# The pairs that an optimal exploration wants drawn now, kept as time, evidence and optimum move.
#
# A pair is wanted while :math:`x^*_{ij} \ln t > \hat d_{ij} N_{ij}`. Between two rounds few pairs
# change: those just drawn, those whose x* has moved, and those that time alone makes due, once
# :math:`\ln t` passes the pair's *moment* :math:`\hat d_{ij} N_{ij} / x^*_{ij}`. The nearest
# moments stand in a heap and all others lie beyond a known one, so that a round costs what has
# changed in it.


_NEAREST = 256
_MARGIN = 1e-9


class WantedPairs:
    """Codes ``i * K + j``, i <= j, of the wanted pairs, and of one arm's pair with itself.

    Attributes
    ----------
    codes : set of int
    entered : set of int
        What has become wanted since it was last emptied; it may have left again.
    """

    def __init__(self, tally: DuelTally) -> None:
        self._tally = tally
        self._upper = np.triu(np.ones((tally.arms, tally.arms), dtype=np.bool_))
        self._x: FloatArray = np.zeros((tally.arms, tally.arms))
        self._moments: list[tuple[float, int]] = []
        self._beyond = math.inf
        self.codes: set[int] = set()
        self.entered: set[int] = set()

    def restart(self, x: FloatArray, winner: int, log_t: float) -> None:
        """Begin anew with an optimum.

        Parameters
        ----------
        x : float array, shape (K, K)
            Symmetric and contiguous. It may be changed in place; see :meth:`look_at`.
        winner : int
            The arm whose pair with itself is always wanted.
        log_t : float
        """
        self._x = x
        wanted = np.flatnonzero((x * log_t > self._tally.evidence) & self._upper)
        self.codes = {winner * (self._tally.arms + 1), *wanted.tolist()}
        self.entered = self.codes.copy()
        # The moments are found when the optimum has lasted for a round.
        self._moments, self._beyond = [], log_t

    def look_at(self, code: int, log_t: float) -> None:
        """Look again at a pair that was drawn, or whose x has been changed."""
        share, evidence = self._x.item(code), self._tally.evidence.item(code)
        if share * log_t > evidence:
            if code not in self.codes:
                self.codes.add(code)
                self.entered.add(code)
            return
        self.codes.discard(code)
        if share > 0.0 and (moment := evidence / share) < self._beyond:
            heapq.heappush(self._moments, (moment, code))

    def advance(self, log_t: float) -> None:
        """Move on to a later round, after :meth:`look_at` for what has changed."""
        if log_t >= self._beyond - _MARGIN or len(self._moments) > 4 * _NEAREST:
            self._sort(log_t)
            return
        close: list[int] = []
        while self._moments and self._moments[0][0] - _MARGIN <= log_t:
            _, code = heapq.heappop(self._moments)
            if code not in self.codes:
                close.append(code)
        for code in close:
            self.look_at(code, log_t)

    def _sort(self, log_t: float) -> None:
        """Test every pair, and find the nearest moments of those that are not wanted."""
        x, evidence = self._x, self._tally.evidence
        codes = np.flatnonzero((x > 0.0) & self._upper)
        shares, reached = x.ravel()[codes], evidence.ravel()[codes]
        wanted = shares * log_t > reached
        due = set(codes[wanted].tolist()) - self.codes
        self.codes |= due
        self.entered |= due
        codes, moments = codes[~wanted], (reached / shares)[~wanted]
        self._beyond = math.inf
        if len(codes) > _NEAREST:
            self._beyond = np.partition(moments, _NEAREST).item(_NEAREST)
            near = moments < self._beyond
            codes, moments = codes[near], moments[near]
        self._moments = list(zip(moments.tolist(), codes.tolist(), strict=True))
        heapq.heapify(self._moments)
