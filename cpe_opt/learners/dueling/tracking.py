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
  than a tenth of all: the pair with the smallest :math:`\hat d_{ij} N_{ij} + \ln N_{ij}`, the index
  of IMED (Honda, Takemura, JMLR 2015), if that is less than :math:`\ln t`; in turn among all pairs,
  those of the arm to prove, and those of the arm that would replace it. A pair that is known well
  has a large first term, one that is nearly tied a growing second. Without them a wrong sign of a
  pair with few duels may make another pair, nearly tied, look necessary, and there the learner
  would stay. As that shows in a plan that costs much more than has been spent, the tenth is a half
  while not even a tenth of the plan's cost has been.

Plans go by costs :math:`\pi_{ij} / d_{ij}` at estimates that are drawn to ½ as by two more duels,
half of them won: else pairs with one duel would look the cheapest of all.

Pairs whose estimate is exactly ½, as those that never met, are duelled once each before the next
turn. A turn is one duel, or a batch that costs 1 % of what all duels so far cost; one that explores
is not larger than the pair's duels so far. The learner looks between turns alone, so that it stops
half a percent of the duels late, on average.

With ``threshold="unproven"`` a learner stops by the evidence of estimates,
:math:`\sum \hat d_{ij} N_{ij}` over the weakest row, above :math:`\ln((1 + \ln t)/\delta)`. That is
customary, and not proved to be wrong with probability at most :math:`\delta`: such an answer is
never called proved.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.dueling.e_values import log_e_values
from cpe_opt.formulations.dueling.winners import unit_costs
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.queries import HorizonReached, Unproved
from cpe_opt.problems.dueling.prices import checked_prices
from cpe_opt.problems.dueling.scores import binary_divergence
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.queries import Duel
from cpe_opt.ties import first_largest, first_smallest, in_bits
from cpe_opt.validation import checked_count

Threshold: TypeAlias = Literal["proved", "unproven"]
THRESHOLDS: tuple[Threshold, ...] = get_args(Threshold)
_EXPLORED, _EXPLORED_AT_FIRST, _FIRST = 0.1, 0.5, 0.1
_BATCH = 0.01
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
    """

    def __init__(self, tally: DuelTally, prices: FloatArray) -> None:
        self.tally, self.prices = tally, prices
        won = np.asarray(tally.draws * tally.estimate)
        self.log_e = log_e_values(won, tally.draws - won)

    def drawn(self, i: int, j: int, won: int, times: int) -> None:
        """Count duels."""
        self.count(i, j, won, times)
        draws, share = self.tally.draws[i, j], self.tally.estimate[i, j]
        won_by = np.array([draws * share, draws - draws * share])
        self.log_e[i, j], self.log_e[j, i] = log_e_values(won_by, won_by[::-1])

    def enough(self, delta: float) -> float:
        """The evidence at which an answer is given: ``ln(1/delta)``."""
        return math.log(1.0 / delta)

    def customary(self, delta: float) -> float:
        """``ln((1 + ln t) / delta)``, at which evidence is enough by custom, without a proof."""
        return math.log((1.0 + math.log(float(self.tally.draws.sum()) / 2)) / delta)

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
    for i, j in zip(*np.nonzero(np.triu(votes.duels)), strict=True):
        tally.add(int(i), int(j), votes.wins.item(i, j), round(votes.duels.item(i, j)))
    return tally


def arm_prices(arms: int, prices: npt.ArrayLike | None) -> FloatArray:
    """Prices by pair as an array of shape (K, K)."""
    return checked_prices(prices, _Numbered(tuple(map(str, range(arms)))))


@dataclass(frozen=True)
class _Numbered:
    labels: tuple[str, ...]


def track(goal: Goal, delta: float) -> Generator[Duel, int, int | Unproved]:
    """Duel until the answer is proved."""
    tally, prices = goal.tally, goal.prices
    look: Look | None = None
    groups = itertools.cycle((None, 0, 1))
    spent, explored = float(np.vdot(tally.draws, prices)) / 2, 0.0
    undecided = [(int(i), int(j)) for i, j in np.argwhere(np.triu(tally.estimate == 0.5, 1))]
    try:
        while True:
            pair, times = None, 1
            if undecided:
                i, j = undecided.pop(0)
            else:
                look = goal.look()
                needed = goal.enough(delta)
                if look.evidence >= needed:
                    return look.answer
                x, cost = goal.plan(needed)
                share = _EXPLORED if spent >= _FIRST * cost else _EXPLORED_AT_FIRST
                if explored <= share * spent:
                    group = next(groups)
                    among = range(tally.arms) if group is None else (look.arms[group],)
                    pair = _doubtful(tally, np.array(among))
                i, j = _furthest_behind(goal, look.pairs, x) if pair is None else pair
                most = math.floor(_BATCH * spent / prices.item(i, j))
                times = max(1, most if pair is None else min(most, round(tally.draws[i, j])))
            goal.drawn(i, j, (yield Duel(i, j, times)), times)
            price = times * prices.item(i, j)
            spent += price
            explored += 0.0 if pair is None else price
            if tally.estimate.item(i, j) == 0.5:
                undecided.append((i, j))
    except HorizonReached:
        answer = goal.guess() if look is None else look.answer
        evidence = -math.inf if look is None else look.evidence
        return Unproved(answer, proved_so_far(evidence, delta))


def proved_so_far(evidence: float, delta: float) -> str:
    """What an answer before its time is worth, in words."""
    if evidence <= 0.0:
        return "nothing is proved of the answer by then"
    return f"by then it is proved at delta = {math.exp(-evidence):.2g}, not at {delta:g}"


def without_proof(found: int | Unproved) -> Unproved:
    """The answer of a learner that stops by a threshold that is not proved."""
    answer = found.answer if isinstance(found, Unproved) else found
    return Unproved(answer, "its threshold is not proved")


def checked_threshold(threshold: str) -> bool:
    """Whether the threshold is the proved one, or :class:`UnknownName`."""
    if threshold not in THRESHOLDS:
        raise UnknownName("threshold", threshold, THRESHOLDS)
    return threshold == "proved"


def _furthest_behind(goal: Goal, pairs: list[tuple[int, int]], x: FloatArray) -> tuple[int, int]:
    """The pair with the largest share for its evidence; the cheapest where none has a share."""
    first, second = np.array(pairs).T
    shares, known = x[first, second], goal.tally.evidence[first, second]
    if not (shares > 0.0).any():
        shares = 1.0 / goal.costs()[first, second]
    return pairs[int(first_largest(shares / known))]


def _doubtful(tally: DuelTally, arms: IntArray) -> tuple[int, int] | None:
    """Of the pairs of these arms the one with the smallest index, unless all are known well."""
    index = tally.evidence[arms] + np.log(np.maximum(tally.draws[arms], 1.0))
    index[np.arange(len(arms)), arms] = math.inf
    place, other = divmod(first_smallest(index.ravel()), tally.arms)
    arm = int(arms[place])
    return (arm, other) if index[place, other] < math.log(tally.draws.sum() / 2) else None
