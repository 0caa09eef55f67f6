r"""Duel where the proof of the answer is weakest: what the learners that track share.

A learner that tracks has a *goal*. Of the counts so far it says what it would answer, how strongly
they prove it, in which of the ways to be wrong they speak against the least (the *weakest truth*),
and by what plan it would prove more. It stops, with a proof, once the evidence reaches
:math:`\ln(1/\delta)`. The proof holds for any rule that chooses duels, so that what follows is
about their number alone. A turn of the loop duels one pair:

- **One of the weakest truth.** Of the pairs on which it disagrees with the estimate and which the
  plan asks for, the one that is the furthest behind: the largest
  :math:`x_{ij} / (\hat d_{ij} N_{ij})`, x the plan's evidence. The rows of the plan become the
  weakest in turn, so that their evidence grows alike; and where a row needs more than others, for
  the weights of e-values and flips, it stays the weakest for longer and is given more.
- **Or a pair whose estimate may be on the wrong side of ½**, as long as such duels have cost less
  than a tenth of all that were asked for: the pair with the smallest index of IMED (Honda,
  Takemura, JMLR 2015), :math:`\hat d_{ij} N_{ij} + \ln N_{ij}`, if that is less than
  :math:`\ln t`; in turn among all pairs, those of the arm to prove, and those of the arm that would
  replace it. A pair that is known well has a large first term, one that is nearly tied a growing
  second. Without them a wrong sign of a pair with few duels may make another pair, nearly tied,
  look necessary, and there the learner would stay. As that shows in a plan that costs much more
  than has been spent, the tenth is a half while not even a tenth of the plan's cost has been.

Plans go by costs :math:`\pi_{ij} / d_{ij}` at estimates that are drawn to ½ as by two more duels,
half of them won: else pairs with one duel would look the cheapest of all.

Pairs whose estimate is exactly ½, as those that never met, are duelled once each before the next
turn. A turn is one duel, or many that cost 1 % of what all that were asked for so far cost; one
that explores is not larger than the pair's duels so far. Duels from before the first query allow
neither large turns nor exploration: where there are many, few that are well chosen may be enough.
The learner looks between turns alone, so that it stops half a percent of the duels late, on
average.

**Several duels at once.** With ``parallel`` p above 1 a turn is a batch of at least p duels. Their
pairs are chosen one after another by the rule above, as if the duels that are chosen already were
made and left their estimates (:mod:`cpe_opt.learners.dueling.tracking`), each for an eighth of
the 1 %, or a p-th for p below 8. So a batch goes to the pairs of the turns that it stands for, and
to one alone where that is far behind all others. Pairs whose estimate is ½ come first; before the
first look they share the batch.

*Why that is as sure.* The e-values of a pair are supermartingales in its own duels, and the proof
holds for any rule that chooses the next duel by the duels before it. A rule that chooses p of them
without a look at the answers in between is such a rule. The answers of a batch count in the order
of its duels, in whatever order and however late they come, and a proof that is found at some time,
here after a batch, is a proof. Only, no answer may be left out because of what it is.

With ``threshold="unproven"`` a learner stops by the evidence of estimates,
:math:`\sum \hat d_{ij} N_{ij}` over the weakest row, above :math:`\ln((1 + \ln t)/\delta)`. That is
customary, and not proved to be wrong with probability at most :math:`\delta`: such an answer is
never called proved.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.dueling.best_winner import unit_costs
from cpe_opt.learners.blocks import evidence_so_far
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.prices import relative_prices
from cpe_opt.learners.queries import Conditional, HorizonReached, Unproved, ask_all
from cpe_opt.problems.dueling.prices import checked_prices
from cpe_opt.problems.dueling.scores import binary_divergence
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.ties import first_largest, first_smallest, in_bits
from cpe_opt.validation import checked_count

Threshold: TypeAlias = Literal["proved", "unproven"]
THRESHOLDS: tuple[Threshold, ...] = get_args(Threshold)
_EXPLORED, _EXPLORED_AT_FIRST, _FIRST = 0.1, 0.5, 0.1
_BATCH, _SPREAD = 0.01, 8
_DRAWN_TO_HALF = 2.0
_BITS = 31


@dataclass(frozen=True)
class Look:
    """What a goal sees in the counts of now.

    Attributes
    ----------
    answer : int
        The arm that is best proved.
    evidence : float
        How well; what is enough says :meth:`Goal.enough`.
    arms : (int, int)
        The arm to prove next, and the one that would replace it under the weakest truth.
    pairs : list of (int, int)
        Pairs on which estimate and weakest truth disagree; the first arm leads.
    """

    answer: int
    evidence: float
    arms: tuple[int, int]
    pairs: list[tuple[int, int]]


class Goal(ABC):
    """What is to be proved, the evidence for it, and an optimal exploration.

    Parameters
    ----------
    tally : DuelTally
    prices : float array, shape (K, K)

    Attributes
    ----------
    tally : DuelTally
    prices : float array, shape (K, K)
    log_e : float array, shape (K, K)
        ln of the e-values of "i does not beat j".
    assumption : str
        What the proof rests on and the duels do not show; empty where nothing.
    """

    assumption = ""

    def __init__(self, tally: DuelTally, prices: FloatArray) -> None:
        self.tally, self.prices = tally, prices
        won = np.asarray(tally.draws * tally.estimate)
        self.log_e = log_e_values(won, tally.draws - won)

    def drawn(self, i: int, j: int, won: int, times: int) -> None:
        """Count duels."""
        self.count(i, j, won, times)
        self.suppose(i, j, self.tally.draws.item(i, j))

    def suppose(self, i: int, j: int, draws: float) -> None:
        """Set the e-values of a pair to those of so many duels with the share of wins it has."""
        share = self.tally.estimate[i, j]
        won_by = np.array([draws * share, draws - draws * share])
        self.log_e[i, j], self.log_e[j, i] = log_e_values(won_by, won_by[::-1])

    def enough(self, delta: float) -> float:
        """The evidence at which an answer is given: ``ln(1/delta)``."""
        return -math.log(delta)

    def answered(self, look: Look, delta: float) -> int | Conditional | Unproved:
        """The answer of a look whose evidence is enough."""
        del delta
        return Conditional(look.answer, self.assumption) if self.assumption else look.answer

    def customary(self, delta: float) -> float:
        """``ln((1 + ln t) / delta)``, at which evidence is enough by custom, without a proof."""
        return customary_threshold(self.tally, delta)

    @abstractmethod
    def count(self, i: int, j: int, won: int, times: int) -> None:
        """Add duels to the tally."""

    def costs(self) -> FloatArray:
        """What a unit of evidence costs, at estimates drawn to ½; 0 where they are ½; (K, K)."""
        draws = self.tally.draws
        estimate = (draws * self.tally.estimate + _DRAWN_TO_HALF / 2) / (draws + _DRAWN_TO_HALF)
        return unit_costs(self.prices, in_bits(binary_divergence(estimate), _BITS))

    @abstractmethod
    def look(self) -> Look:
        """The answer of now and its weakest truth; no pair is tied."""

    @abstractmethod
    def plan(self, needed: float) -> tuple[FloatArray, float]:
        """The evidence x that a plan asks of each pair, shape (K, K), and what all of it costs.

        ``needed`` is the evidence of a proof; after a look.
        """

    @abstractmethod
    def guess(self) -> int:
        """An answer at any time."""


def track(
    goal: Goal, delta: float, parallel: int = 1
) -> Generator[Duel | Batch, Any, int | Conditional | Unproved]:
    """Duel until the answer is proved, at least ``parallel`` duels a turn."""
    tally = goal.tally
    turns = _Turns(goal, delta, checked_count("parallel", parallel))
    look: Look | None = None
    undecided = [(int(i), int(j)) for i, j in np.argwhere(np.triu(tally.estimate == 0.5, 1))]
    try:
        while True:
            now = undecided[:1] if parallel == 1 else undecided
            undecided = undecided[len(now) :]
            if not now:
                look = goal.look()
                if look.evidence >= goal.enough(delta):
                    return goal.answered(look, delta)
            duels = turns.duels(look, now)
            wins = yield from ask_all(duels)
            for duel, won in zip(duels, wins, strict=True):
                goal.drawn(duel.i, duel.j, won, duel.times)
                if tally.estimate.item(duel.i, duel.j) == 0.5:
                    undecided.append((duel.i, duel.j))
    except HorizonReached:
        answer = goal.guess() if look is None else look.answer
        evidence = -math.inf if look is None else look.evidence
        return Unproved(answer, evidence_so_far(evidence, delta, goal.assumption))


class _Turns:
    """Chooses the duels of every turn."""

    def __init__(self, goal: Goal, delta: float, parallel: int) -> None:
        self._goal, self._delta, self._parallel = goal, delta, parallel
        self._groups = itertools.cycle((None, 0, 1))
        # Of all duels, and of those that were asked for: duels from before allow no exploration.
        self._spent = float(np.vdot(goal.tally.draws, goal.prices)) / 2
        self._asked = self._explored = 0.0

    def duels(self, look: Look | None, undecided: list[tuple[int, int]]) -> list[Duel]:
        """One query a pair: the undecided pairs, and others until there are enough.

        ``look`` is what the goal sees now, where no pair is undecided, or else the last time.
        """
        goal, pending = self._goal, PendingDuels(self._goal.tally)
        times = 1 if look else math.ceil(self._parallel / len(undecided))
        for i, j in undecided:
            self._add(pending, i, j, times)
        if look is None:
            return pending.queries()
        least, known = min(self._parallel, _SPREAD), goal.log_e
        if self._parallel > 1:
            goal.log_e = known.copy()
        while pending.duels < self._parallel or pending.choices < least:
            if not undecided:
                if pending.choices:
                    look = goal.look()
                self._plan = goal.plan(goal.enough(self._delta))
            i, j = self._next(pending, look, *self._plan)
            if self._parallel > 1:
                goal.suppose(i, j, pending.draws.item(i, j))
        goal.log_e = known
        return pending.queries()

    def _next(
        self, pending: PendingDuels, look: Look, x: FloatArray, cost: float
    ) -> tuple[int, int]:
        """Choose a pair that explores, or one of the weakest truth; x and cost are the plan's."""
        goal, pair = self._goal, None
        share = _EXPLORED if self._spent >= _FIRST * cost else _EXPLORED_AT_FIRST
        if self._explored <= share * self._asked:
            group = next(self._groups)
            among = range(goal.tally.arms) if group is None else (look.arms[group],)
            pair = pending.doubtful(np.array(among))
        i, j = pair or pending.furthest_behind(look.pairs, x, goal.costs)
        choices = min(self._parallel, _SPREAD)
        most = math.floor(_BATCH * self._asked / (choices * goal.prices.item(i, j)))
        if pair is None:
            self._add(pending, i, j, max(1, most))
        else:
            times = max(1, min(most, round(pending.draws.item(i, j))))
            self._explored += self._add(pending, i, j, times)
        return i, j

    def _add(self, pending: PendingDuels, i: int, j: int, times: int) -> float:
        """Take duels of a pair into the batch; what they cost."""
        pending.add(i, j, times)
        cost = times * self._goal.prices.item(i, j)
        self._spent += cost
        self._asked += cost
        return cost


def customary_threshold(tally: DuelTally, delta: float) -> float:
    """``ln((1 + ln t) / delta)`` after t duels, those from before the first query among them."""
    duels = float(tally.draws.sum()) / 2.0
    return math.log(1.0 + math.log(duels)) - math.log(delta)


def without_proof(found: int | Conditional | Unproved) -> Unproved:
    """The answer of a learner that stops by a threshold that is not proved."""
    answer = found.answer if isinstance(found, Conditional | Unproved) else found
    return Unproved(answer, "its threshold is not proved")


def checked_threshold(threshold: str) -> bool:
    """Whether the threshold is the proved one, or :class:`UnknownName`."""
    if threshold not in THRESHOLDS:
        raise UnknownName("threshold", threshold, THRESHOLDS)
    return threshold == "proved"


# Duels that are asked for and not answered yet, counted as if they were made.
#
# A learner that tracks chooses the duels of a batch one after another. The :math:`n_{ij}` duels of
# a pair that are chosen already count as made with the share of wins that the pair has: its
# evidence is :math:`\hat d_{ij} (N_{ij} + n_{ij})`, so that the next choice falls on another pair
# as soon as that is further behind.


class PendingDuels:
    """The duels of one batch, as they are chosen.

    Parameters
    ----------
    tally : DuelTally
        Of the duels that were made; it does not change while the batch is chosen.

    Attributes
    ----------
    draws, evidence : float arrays, shape (K, K)
        Those of the tally and of the batch together.
    duels, choices : int
        How many duels the batch has, and of how many choices.
    """

    def __init__(self, tally: DuelTally) -> None:
        self.draws, self.evidence = tally.draws, tally.evidence
        self._tally = tally
        self._times: dict[tuple[int, int], int] = {}
        self.duels = self.choices = 0

    def add(self, i: int, j: int, times: int) -> None:
        """Choose so many duels of a pair."""
        if not self._times:
            self.draws, self.evidence = self.draws.copy(), self.evidence.copy()
        pair = (j, i) if (j, i) in self._times else (i, j)
        self._times[pair] = self._times.get(pair, 0) + times
        self.duels += times
        self.choices += 1
        draws = self.draws.item(i, j) + times
        self.draws[i, j] = self.draws[j, i] = draws
        self.evidence[i, j] = self.evidence[j, i] = draws * self._tally.divergence.item(i, j)

    def queries(self) -> list[Duel]:
        """One query a pair, in the order in which they were chosen first."""
        return [Duel(i, j, times) for (i, j), times in self._times.items()]

    def furthest_behind(
        self, pairs: list[tuple[int, int]], x: FloatArray, costs: Callable[[], FloatArray]
    ) -> tuple[int, int]:
        """The pair with the largest share x for its evidence; the cheapest where none has a share.

        Pairs without evidence, whose estimate is ½, come last.
        """
        first, second = np.array(pairs).T
        shares, known = x[first, second], self.evidence[first, second]
        if not (shares > 0.0).any():
            shares = _ratios(np.ones_like(known), costs()[first, second])
        return pairs[int(first_largest(_ratios(shares, known)))]

    def doubtful(self, arms: IntArray) -> tuple[int, int] | None:
        """Of the pairs of these arms that with the smallest index, unless all are known well."""
        index = self.evidence[arms] + np.log(np.maximum(self.draws[arms], 1.0))
        index[np.arange(len(arms)), arms] = math.inf
        place, other = divmod(first_smallest(index.ravel()), self._tally.arms)
        arm = int(arms[place])
        known_well = index[place, other] >= math.log(self.draws.sum() / 2)
        return None if known_well else (arm, other)


def _ratios(above: FloatArray, below: FloatArray) -> FloatArray:
    """Elementwise quotients; 0 where there is nothing to divide by."""
    quotients: FloatArray = np.divide(above, below, out=np.zeros_like(below), where=below > 0.0)
    return quotients


# What is there before the first duel of a learner that tracks: votes, and prices of duels.


def started_tally(arms: int, counts: npt.ArrayLike | Votes | None) -> DuelTally:
    """A tally of the duels that are there before the first query.

    Raises
    ------
    InputError
        Where these are no counts, are those of rankings, or are those of another number of arms.
    """
    tally = DuelTally(checked_count("arms", arms, least=2))
    if counts is None:
        return tally
    votes = counts if isinstance(counts, Votes) else Votes(counts)
    if votes.arms != arms:
        raise InputError(f"counts: those of {votes.arms} arms, expected {arms}")
    if not votes.independent:
        raise InputError(
            "counts: those of rankings, whose pairs are not independent, so that they prove "
            "nothing together; expected votes on single pairs"
        )
    if votes.counts.selected is not None:
        raise InputError(
            "counts: some pairs are selected by what the votes say, so that they prove nothing; "
            "expected votes that do not depend on what they say"
        )
    for i, j in zip(*np.nonzero(np.triu(votes.duels)), strict=True):
        tally.add(int(i), int(j), votes.wins.item(i, j), round(votes.duels.item(i, j)))
    return tally


def arm_prices(arms: int, prices: npt.ArrayLike | None) -> FloatArray:
    """Prices by pair, relative to each other, as an array of shape (K, K)."""
    return relative_prices(checked_prices(prices, _Numbered(tuple(map(str, range(arms))))))


@dataclass(frozen=True)
class _Numbered:
    labels: tuple[str, ...]
