r"""Duel where the proof of the answer is weakest: trackers that choose pair by pair.

A *goal* says of the counts so far what it would answer, how strongly they prove it, in which of the
ways to be wrong they speak against the least (the *weakest truth*), and by what plan it would prove
more. The answer is proved once the evidence reaches :math:`\ln(1/\delta)`. The proof holds for any
rule that chooses duels: the rule below decides only how many it takes. A turn duels one pair:

- **One of the weakest truth.** Of the pairs on which it disagrees with the estimate and which the
  plan asks for, the one that is the furthest behind: the largest
  :math:`x_{ij} / (\hat d_{ij} N_{ij})`, x the plan's evidence. The rows of the plan become the
  weakest in turn, so that their evidence grows alike; and where a row needs more than others, for
  the weights of e-values and flips, it stays the weakest for longer and is given more.
- **Or a pair whose estimate may be on the wrong side of ½** (forced exploration), as long as such
  duels have cost less than a tenth of all that were asked for: the pair with the smallest index of
  IMED (Honda, Takemura, JMLR 2015), :math:`\hat d_{ij} N_{ij} + \ln N_{ij}`, if that is less than
  :math:`\ln t`; in turn among all pairs, those of the arm to prove, and those of the arm that would
  replace it. A pair that is known well has a large first term, one that is nearly tied a growing
  second. Without them a wrong sign of a pair with few duels may make another pair, nearly tied,
  look necessary, and there the learner would stay. As that shows in a plan that costs much more
  than has been spent, the tenth is a half while not even a tenth of the plan's cost has been.

Plans go by costs :math:`\pi_{ij} / d_{ij}` at estimates with two more duels of each pair, one of
them won: else pairs with one duel would look the cheapest of all.

Pairs whose estimate is exactly ½, such as those that never met, are duelled once each before the
next turn; where there are votes from before, a goal may put off those that cannot decide
(:meth:`PairGoal.deciding`). A turn is one duel, or as many as cost 1 % of all duels asked for so
far; a turn that explores has no more duels than the pair has had. Duels from before the first query
count in neither share: where there are many of them, a few well-chosen duels may be enough.
Evidence is assessed only between turns, so that a learner stops half a percent of the duels late,
on average.

**Several duels at once.** With ``parallel`` p above 1 a turn is a batch of at least p duels. Their
pairs are chosen one after another by the rule above, as if the duels chosen already had been made
and had not changed the estimates (:class:`PendingDuels`). Each choice is for an eighth of the 1 %,
or a p-th for p below 8. So a batch goes to the pairs that as many turns would choose, and to a
single pair where that is far behind all others. Pairs whose estimate is ½ come first; before the
first assessment they share the batch.

*Why the proof still holds.* The e-values of a pair are supermartingales in its own duels, and the
proof holds for any rule that chooses the next duel by the duels before it. A rule that chooses p of
them without a look at the answers in between is such a rule. The answers of a batch count in the
order of its duels, in whatever order and however late they come, and a proof that is found at some
time, here after a batch, is a proof. But no answer may be left out because of its outcome.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.queries import Conditional, Unproved
from cpe_opt.learners.tracking import evidence_so_far, relative_prices
from cpe_opt.problems.dueling.preferences import binary_divergence, unit_costs
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.pairs import checked_prices
from cpe_opt.problems.queries import Duel
from cpe_opt.proofs.dueling.copeland import WeakestTruth, weakest_truth
from cpe_opt.proofs.dueling.e_values import log_e_values
from cpe_opt.proofs.dueling.predictable_bets import PredictableBets, coin_stake, mean_of_proofs
from cpe_opt.ties import first_largest, first_smallest, in_bits
from cpe_opt.validation import checked_count

_EXPLORED, _EXPLORED_AT_FIRST, _FIRST = 0.1, 0.5, 0.1
_BATCH, _SPREAD = 0.01, 8
_DRAWN_TO_HALF = 2.0
_BITS = 31

Proving = TypeVar("Proving", bound="PairEvidence")


@dataclass(frozen=True)
class Assessment:
    """What a goal makes of the current counts: an answer, its evidence, and the weakest truth."""

    answer: int  # the arm that is best proved
    evidence: float  # how well, as a natural logarithm
    # the arm to prove next, and the one that would replace it under the weakest truth
    arms: tuple[int, int]
    # pairs on which estimate and weakest truth disagree; the first arm leads
    pairs: list[tuple[int, int]]


class PairEvidence(Protocol):
    """What the duels so far prove of each pair; every goal takes the kind that its proof needs."""

    def count(self, i: int, j: int, won: int, times: int, target: int) -> None:
        """Duels were made, chosen while an arm was to be proved, and are in the tally."""

    def suppose(self, i: int, j: int, draws: float) -> None:
        """Count as if the pair had this many duels, with its present share of wins."""

    def copy(self) -> Self:
        """Evidence on which something may be supposed."""


class EvidenceOfCounts:
    """E-values of the counts."""

    def __init__(self, tally: DuelTally, log_e: FloatArray | None = None) -> None:
        self._tally = tally
        if log_e is None:
            won = np.asarray(tally.draws * tally.estimate)
            log_e = log_e_values(won, tally.draws - won)
        self.log_e = log_e  # (K, K); ln of the e-values of "i does not beat j"

    def count(self, i: int, j: int, won: int, times: int, target: int) -> None:
        """Duels were made."""
        del won, times, target
        self.suppose(i, j, self._tally.draws.item(i, j))

    def suppose(self, i: int, j: int, draws: float) -> None:
        """Count as if the pair had this many duels in all."""
        share = self._tally.estimate[i, j]
        won_by = np.array([draws * share, draws - draws * share])
        self.log_e[i, j], self.log_e[j, i] = log_e_values(won_by, won_by[::-1])

    def copy(self) -> EvidenceOfCounts:
        """The same evidence."""
        return EvidenceOfCounts(self._tally, self.log_e.copy())


class EvidenceOfBets:
    """Bets placed before each duel, or before several of one pair, on the arm that leads.

    Votes from before have no order, and bets on them could not be placed: their e-values are what F
    begins with (:mod:`cpe_opt.proofs.dueling.predictable_bets`). Where there are such votes, W is
    the mean of that of the bets and of that of the counts (:mod:`cpe_opt.proofs.dueling.copeland`),
    to which they matter more; the mean of two supermartingales is one.
    """

    def __init__(
        self,
        tally: DuelTally,
        bets: PredictableBets | None = None,
        counts: EvidenceOfCounts | None = None,
    ) -> None:
        self._tally = tally
        if bets is None:
            counts = EvidenceOfCounts(tally) if tally.draws.any() else None
            bets = PredictableBets(tally.arms, before=None if counts is None else counts.log_e)
        self.bets, self.counts = bets, counts  # counts: where there are votes from before
        self._supposed: dict[tuple[int, int], float] = {}

    def count(self, i: int, j: int, won: int, times: int, target: int) -> None:
        """Settle the bets on duels; their stake follows from the duels before them."""
        draws = self._tally.draws.item(i, j)
        total = draws * self._tally.estimate.item(i, j)
        stake = coin_stake(total - won, draws - total - (times - won))
        self.bets.target = target
        self._settle(i, j, stake, won, times)
        if self.counts is not None:
            self.counts.count(i, j, won, times, target)

    def _settle(self, i: int, j: int, stake: float, won: float, times: float) -> None:
        if stake < 0.0:
            i, j, stake, won = j, i, -stake, times - won
        if stake > 0.0:
            self.bets.add(i, j, won * math.log1p(stake) + (times - won) * math.log1p(-stake))

    def suppose(self, i: int, j: int, draws: float) -> None:
        """Bet on all duels up to this many with the present stake."""
        made, share = self._tally.draws.item(i, j), self._tally.estimate.item(i, j)
        stake = coin_stake(made * share, made - made * share)
        more = draws - made - self._supposed.get((i, j), 0.0)
        self._supposed[i, j] = self._supposed[j, i] = draws - made
        self._settle(i, j, stake, more * share, more)
        if self.counts is not None:
            self.counts.suppose(i, j, draws)

    def copy(self) -> EvidenceOfBets:
        """The same bets."""
        counts = None if self.counts is None else self.counts.copy()
        copy = EvidenceOfBets(self._tally, self.bets.copy(), counts)
        copy._supposed = dict(self._supposed)
        return copy

    def weakest_truth(self, answer: int) -> WeakestTruth:
        """The weakest truth under which an answer is wrong, by the part that proves more."""
        by_bets = self.bets.weakest_truth(answer)
        if self.counts is None:
            return by_bets
        return mean_of_proofs(by_bets, weakest_truth(self.counts.log_e, answer))


class PairGoal(ABC, Generic[Proving]):
    """What is to be proved, the evidence for it, and an optimal exploration.

    Evidence is an argument, because each duel of a batch is chosen as if those before it were
    answered. ``assumption`` is what the proof rests on and the duels do not show; empty if nothing.
    """

    assumption = ""

    def __init__(self, tally: DuelTally, prices: FloatArray) -> None:
        self.tally, self.prices = tally, prices  # (K, K)

    def count(self, i: int, j: int, won: int, times: int) -> None:
        """Add duels to the tally."""
        self.tally.add(i, j, won, times)

    @property
    def explores(self) -> bool:
        """Whether a part of the duels goes to pairs whose estimate may be on the wrong side."""
        return True

    def deciding(self, tied: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The pairs with an estimate of ½ that are duelled before the next assessment."""
        return tied

    @abstractmethod
    def evidence(self) -> Proving:
        """The evidence by the tally as it is before the first duel."""

    @abstractmethod
    def assess(self, evidence: Proving) -> Assessment:
        """The current answer and its weakest truth; no pair is tied."""

    @abstractmethod
    def plan(self, assessment: Assessment, needed: float) -> tuple[FloatArray, float]:
        """The evidence x that a plan asks of each pair, shape (K, K), and what all of it costs."""

    @abstractmethod
    def guess(self, evidence: Proving) -> int:
        """An answer before the first assessment."""

    def answered(
        self, assessment: Assessment, evidence: Proving, needed: float
    ) -> int | Conditional | Unproved:
        """The answer of an assessment with the evidence that is needed."""
        del evidence, needed
        return (
            Conditional(assessment.answer, self.assumption)
            if self.assumption
            else assessment.answer
        )

    def costs(self) -> FloatArray:
        """What a unit of evidence costs, at estimates drawn to ½; 0 where they are ½; (K, K)."""
        draws = self.tally.draws
        estimate = (draws * self.tally.estimate + _DRAWN_TO_HALF / 2) / (draws + _DRAWN_TO_HALF)
        return unit_costs(self.prices, in_bits(binary_divergence(estimate), _BITS))


class PairTracker(Generic[Proving]):
    """Blocks of one turn each (:class:`cpe_opt.learners.tracking.Tracker`)."""

    def __init__(self, goal: PairGoal[Proving], delta: float, parallel: int = 1) -> None:
        tally = goal.tally
        self._goal, self._delta, self._needed = goal, delta, -math.log(delta)
        self._parallel = checked_count("parallel", parallel)
        self._choices = min(parallel, _SPREAD)  # of a batch, or more
        self.evidence = goal.evidence()  # of all duels
        self._tied = [(int(i), int(j)) for i, j in np.argwhere(np.triu(tally.estimate == 0.5, 1))]
        self._assessment: Assessment | None = None
        self._groups = itertools.cycle((None, 0, 1))
        # Of all duels, and of those that were asked for: duels from before allow no exploration.
        self._spent = float(np.vdot(tally.draws, goal.prices)) / 2
        self._asked = self._explored = 0.0

    def proved(self) -> int | Conditional | Unproved | None:
        """The answer, if its evidence is enough; none is assessed while pairs are tied."""
        if self._goal.deciding(self._tied):
            return None
        self._assessment = assessment = self._goal.assess(self.evidence)
        if assessment.evidence < self._needed:
            return None
        return self._goal.answered(assessment, self.evidence, self._needed)

    def block(self) -> Iterator[list[Duel]]:
        """One turn: pairs that are tied, and others until there are enough duels."""
        undecided = self._goal.deciding(self._tied)
        yield self._turn(undecided[:1] if self._parallel == 1 else undecided)

    def count(self, query: Duel, observed: int) -> None:
        """Count duels."""
        i, j, tally = query.i, query.j, self._goal.tally
        self._goal.count(i, j, observed, query.times)
        target = -1 if self._assessment is None else self._assessment.arms[0]
        self.evidence.count(i, j, observed, query.times, target)
        self._tied = [pair for pair in self._tied if pair not in ((i, j), (j, i))]
        if tally.estimate.item(i, j) == 0.5:
            self._tied.append((i, j))

    def guess(self) -> int:
        """The arm that is best proved."""
        if self._assessment is None:
            return self._goal.guess(self.evidence)
        return self._assessment.answer

    def doubt(self) -> str:
        """How far that answer is from its proof."""
        evidence = -math.inf if self._assessment is None else self._assessment.evidence
        return evidence_so_far(evidence, self._delta, self._goal.assumption)

    def _turn(self, undecided: list[tuple[int, int]]) -> list[Duel]:
        """One query a pair: the undecided pairs, and others until there are enough."""
        goal, assessment, pending = self._goal, self._assessment, PendingDuels(self._goal.tally)
        times = 1 if assessment else math.ceil(self._parallel / len(undecided))
        for i, j in undecided:
            self._add(pending, i, j, times)
        if assessment is None:
            return pending.queries()
        evidence = self.evidence if self._parallel == 1 else self.evidence.copy()
        while pending.duels < self._parallel or pending.choices < self._choices:
            if not undecided:
                if pending.choices:
                    assessment = goal.assess(evidence)
                self._plan = goal.plan(assessment, self._needed)
            i, j = self._choose(pending, assessment, *self._plan)
            if self._parallel > 1:
                evidence.suppose(i, j, pending.draws.item(i, j))
        return pending.queries()

    def _choose(
        self, pending: PendingDuels, assessment: Assessment, x: FloatArray, cost: float
    ) -> tuple[int, int]:
        """Choose a pair that explores, or one of the weakest truth; x and cost are the plan's."""
        goal, pair = self._goal, None
        share = _EXPLORED if self._spent >= _FIRST * cost else _EXPLORED_AT_FIRST
        if goal.explores and self._explored <= share * self._asked:
            group = next(self._groups)
            among = range(goal.tally.arms) if group is None else (assessment.arms[group],)
            pair = pending.doubtful(np.array(among))
        i, j = pair or pending.furthest_behind(assessment.pairs, x, goal.costs)
        most = math.floor(_BATCH * self._asked / (self._choices * goal.prices.item(i, j)))
        if pair is None:
            cost = self._add(pending, i, j, max(1, most))
            if not goal.explores:  # these duels allow no exploration later on
                self._explored += share * cost
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


class PendingDuels:
    r"""The duels of one batch, as they are chosen one after another.

    The :math:`n_{ij}` duels of a pair that are asked for and not answered yet count as made with
    the share of wins that the pair has: its evidence is :math:`\hat d_{ij} (N_{ij} + n_{ij})`, so
    that the next choice falls on another pair as soon as that is further behind. The tally of those
    made does not change while the batch is chosen.
    """

    def __init__(self, tally: DuelTally) -> None:
        # (K, K); those of the tally and of the batch together
        self.draws, self.evidence = tally.draws, tally.evidence
        self._tally = tally
        self._times: dict[tuple[int, int], int] = {}
        self.duels = self.choices = 0  # how many duels the batch has, and of how many choices

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
        """One query per pair, in the order in which they were chosen first."""
        return [Duel(i, j, times) for (i, j), times in self._times.items()]

    def furthest_behind(
        self, pairs: list[tuple[int, int]], x: FloatArray, costs: Callable[[], FloatArray]
    ) -> tuple[int, int]:
        """The pair with the largest share x for its evidence, those at ½ last; or the cheapest."""
        first, second = np.array(pairs).T
        shares, known = x[first, second], self.evidence[first, second]
        if not (shares > 0.0).any():
            shares = _ratios(np.ones_like(known), costs()[first, second])
        return pairs[int(first_largest(_ratios(shares, known)))]

    def doubtful(self, arms: IntArray) -> tuple[int, int] | None:
        """The pair of these arms with the smallest index, unless all are known well."""
        index = self.evidence[arms] + np.log(np.maximum(self.draws[arms], 1.0))
        index[np.arange(len(arms)), arms] = math.inf
        index[self._tally.estimate[arms] == 0.5] = math.inf  # put off
        place, other = divmod(first_smallest(index.ravel()), self._tally.arms)
        arm = int(arms[place])
        known_well = index[place, other] >= math.log(self.draws.sum() / 2)
        return None if known_well else (arm, other)


def _ratios(above: FloatArray, below: FloatArray) -> FloatArray:
    """Elementwise quotients; 0 where there is nothing to divide by."""
    quotients: FloatArray = np.divide(above, below, out=np.zeros_like(below), where=below > 0.0)
    return quotients


def prior_tally(arms: int, prior: npt.ArrayLike | Votes | None) -> DuelTally:
    """A tally of the duels that were made before the first query."""
    tally = DuelTally(checked_count("arms", arms, least=2))
    if prior is None:
        return tally
    votes = prior if isinstance(prior, Votes) else Votes(prior)
    if votes.arms != arms:
        raise InputError(f"prior: votes on {votes.arms} arms, expected {arms}")
    if not votes.independent:
        raise InputError(
            "prior: votes of rankings, or of raters with several pairs each, which are not "
            "independent, so that they prove nothing together; expected votes on single pairs"
        )
    if votes.counts.outcomes is not None:
        raise InputError(
            "prior: votes in clusters, and a learner counts each vote by itself; expected votes "
            "that do not depend on each other"
        )
    if votes.counts.selected is not None:
        raise InputError(
            "prior: some pairs are selected by what the votes say, so that they prove nothing; "
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
    """Arms without names: numbers are their labels in messages about prices."""

    labels: tuple[str, ...]
