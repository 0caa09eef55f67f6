r"""Duel pairs in the proportions of the exploration of T*, as its program says at the estimates.

The program of T* is solved as CW-RMED solves that of C*, with the prices of duels in place of their
regret: it is kept with its cuts and its basis, and most times a certificate shows that the last
optimum is still optimal (:mod:`cpe_opt.learners.dueling.exact_optimum`). It is solved again when
the duels have grown by 5 %, or by a half where its plan was the more expensive one. An arm that
comes to lead in between has the relaxed plan.

With votes from before the plan is at first the list of further duels that would prove a winner if
estimates stay, the one that :func:`cpe_opt.evidence` of the same votes shows
(:mod:`cpe_opt.proofs.dueling.remaining_duels`), until a sign changes or its duels are made. Exact
ties are then duelled first only where they may cost all arms that lead their rank: other ties
decide nothing, as an arm's losses can only grow by them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.dueling.best_winner import METHODS
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows
from cpe_opt.learners.dueling.duel_counts import DuelTally, Estimates
from cpe_opt.learners.dueling.exact_optimum import ExactOptimum
from cpe_opt.learners.dueling.pair_tracking import Assessment, EvidenceOfBets, PairGoal
from cpe_opt.learners.dueling.reference_optimum import MakeOptimum, ReferenceOptimum
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.proofs.dueling.copeland import WeakestTruth, charged_cost, relaxed_cost, weakest_truth
from cpe_opt.proofs.dueling.remaining_duels import RemainingDuels, remaining_duels
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.registry import require_backend
from cpe_opt.ties import TIE, first_largest, first_smallest

_OFTEN, _SELDOM = 1.05, 1.5
_CHARGE = 3.0  # what a pair costs beyond its evidence, for not knowing its odds, in nats


def exploration_goal(
    tally: DuelTally, prices: FloatArray, method: str, solver: str | None, delta: float
) -> CopelandGoal:
    """The goal of :class:`cpe_opt.learners.dueling.pair_tracking.PairTracker`."""
    solver = require_backend(solver or "highs", "LP").name
    make: MakeOptimum = partial(ExactOptimum, solver=solver)
    if method in METHODS:
        make = partial(
            ReferenceOptimum,
            rows=partial(copeland_rows, ties="literal"),
            method=method,
            name="copeland_time",
            solving=SolveOptions(solver=solver),
        )
    outlook = partial(_listed_duels, tally, delta, prices, solver) if tally.draws.any() else None
    return CopelandGoal(tally, prices, make, outlook)


class CopelandGoal(PairGoal[EvidenceOfBets]):
    """A Copeland winner: the arm to prove is that of the last plan, as long as it leads.

    With votes from before, ``outlook`` says at the first assessment which arm would be proved, and
    after how many duels of each pair, shape (K, K).
    """

    def __init__(
        self,
        tally: DuelTally,
        prices: FloatArray,
        make: MakeOptimum,
        outlook: Callable[[], tuple[int, FloatArray] | None] | None = None,
    ) -> None:
        super().__init__(tally, prices)
        self._outlook, self._has_votes = outlook, outlook is not None
        self._listed: tuple[int, int, FloatArray] | None = None  # version, arm, duels in all
        self.estimates = Estimates(tally, prices)
        self._optimal = make(self.estimates)
        self._optimum: FloatArray | None = None
        self._arm, self._asked, self._growth = -1, 0.0, _SELDOM

    def count(self, i: int, j: int, won: int, times: int) -> None:
        """Add duels to the tally and move the costs of the program."""
        _, change = self.estimates.count(i, j, won, times)
        if change is not None:
            ahead, behind = (i, j) if self.tally.leads(i, j) else (j, i)
            self._optimal.cost_changed(ahead, behind, change)

    @property
    def explores(self) -> bool:
        """Not while a list of further duels is followed."""
        return self._listed is None

    def deciding(self, tied: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """All; with votes from before those of arms that lead, if they may cost each its rank."""
        if not self._has_votes:
            return tied
        if not tied or self._safe_winners():
            return []
        winners = set(self.estimates.tournament.winners)
        return [pair for pair in tied if winners & set(pair)]

    def _safe_winners(self) -> list[int]:
        """The arms that lead, and would if they lost all of their ties (a finite T*)."""
        tournament = self.estimates.tournament
        if not self._has_votes:  # no pair is tied
            return tournament.winners
        ties = (self.tally.estimate == 0.5).sum(axis=1) - 1
        spare = tournament.second - tournament.first
        return [arm for arm in tournament.winners if ties[arm] <= spare]

    def evidence(self) -> EvidenceOfBets:
        """Bets, after the e-values of the votes from before."""
        return EvidenceOfBets(self.tally)

    def assess(self, evidence: EvidenceOfBets) -> Assessment:
        """The best proof of an empirical winner, and the weakest truth of the arm to prove."""
        arm, winners = self._chosen(), self.estimates.tournament.winners
        weakest = evidence.weakest_truth(arm)
        pairs = self._listed_pairs(evidence, weakest, arm)
        if not pairs:
            estimate, disputed = self.tally.estimate, weakest.pairs(arm)
            pairs = [pair for pair in disputed if estimate[pair] > 0.5]
            pairs = pairs or [pair for pair in disputed if estimate[pair] == 0.5]
        proved = [
            weakest.evidence if each == arm else evidence.weakest_truth(each).evidence
            for each in winners
        ]
        best = int(first_largest(proved))
        return Assessment(winners[best], proved[best], (arm, weakest.challenger), pairs)

    def _listed_pairs(
        self, evidence: EvidenceOfBets, weakest: WeakestTruth, arm: int
    ) -> list[tuple[int, int]]:
        """Those of the weakest truth that the list of further duels names; none without a list."""
        if self._listed is None:
            return []
        missing = self._listed[2] > self.tally.draws
        truths = [weakest]
        if evidence.counts is not None:
            truths.append(weakest_truth(evidence.counts.log_e, arm))
        for truth in truths:
            pairs = [pair for pair in truth.pairs(arm) if missing[pair]]
            if pairs:
                return pairs
        self._listed = None
        return []

    def _chosen(self) -> int:
        """The arm to prove: that of the program where it is asked, else one that leads."""
        version = self.estimates.tournament.version
        if self._outlook is not None:
            found, self._outlook = self._outlook(), None
            self._listed = None if found is None else (version, *found)
        if self._listed is not None:
            if self._listed[0] == version:
                return self._listed[1]
            self._listed = None
        winners, duels = self._safe_winners(), float(self.tally.draws.sum()) / 2
        due = duels >= self._growth * self._asked > 0.0
        if self._arm not in winners:
            costs = [self._relaxed(arm, 1.0)[1] for arm in winners]
            best = first_smallest(costs)
            self._arm, self._optimum = winners[best], None
            due = due or math.isinf(costs[best])
        if due:
            solution = self._optimal.solution()
            self._arm, self._optimum = solution.winner, solution.x
        if due or not self._asked:
            self._asked = duels
        return self._arm

    def plan(self, assessment: Assessment, needed: float) -> tuple[FloatArray, float]:
        """The list, or the optimum if it is known of this arm, or the cheaper relaxed plan."""
        if self._listed is not None:
            missing = np.maximum(0.0, self._listed[2] - self.tally.draws)
            cost = float(np.vdot(np.triu(self._listed[2]), self.prices))
            return missing * self.tally.evidence, cost  # the pair that lacks most is the first
        relaxed, cost = self._relaxed(assessment.arms[0], needed + 1.0)
        optimum = self._optimum
        if optimum is not None:
            other = charged_cost(optimum, self.costs(), needed + 1.0, _CHARGE)
            cheaper = relaxed is None or other <= cost * (1.0 + TIE)
            self._growth = _OFTEN if cheaper else _SELDOM
            if cheaper or relaxed is None:
                return optimum, other
        assert relaxed is not None  # else the program was asked
        return relaxed, cost

    def _relaxed(self, arm: int, needed: float) -> tuple[FloatArray | None, float]:
        """The relaxed plan of an arm and its cost; infinite where no plan proves it."""
        beaten = self.estimates.tournament.beaten
        return relaxed_cost(beaten, arm, self.costs(), needed, _CHARGE)

    def guess(self, evidence: EvidenceOfBets) -> int:
        """The first arm with the fewest losses."""
        del evidence
        return self.estimates.tournament.winners[0]


def _listed_duels(
    tally: DuelTally, delta: float, prices: FloatArray, solver: str
) -> tuple[int, FloatArray] | None:
    """The arm that further duels would prove, and the duels of each pair in all; None if none."""
    found = _remaining(tally, delta, prices, solver)
    if found.duels is None or not found.duels.any():
        return None
    return found.winner, np.where(found.duels > 0, tally.draws + found.duels, 0.0)


def first_duels(
    tally: DuelTally, delta: float, prices: FloatArray
) -> tuple[int, FloatArray] | None:
    """The duels that remain, or one more of each tied or unseen pair where that is open."""
    found = _remaining(tally, delta, prices, "highs")
    more = np.zeros_like(tally.draws) if found.duels is None else found.duels.astype(float)
    for i, j in found.undecided:
        more[i, j] = more[j, i] = 1.0
    return (found.winner, np.where(more > 0, tally.draws + more, 0.0)) if more.any() else None


def _remaining(tally: DuelTally, delta: float, prices: FloatArray, solver: str) -> RemainingDuels:
    """By :func:`remaining_duels` of the votes in a tally."""
    votes = Votes(np.rint(2.0 * tally.draws * tally.estimate) / 2.0)
    estimate = PreferenceMatrix.from_votes(votes)
    return remaining_duels(votes, estimate, delta, prices=prices, solver=solver)
