r"""Track and stop: a Copeland winner with a proof, by nearly as few duels as there may be.

- *Goal.* An arm with the fewest losses.
- *Proof.* The theorem of :mod:`cpe_opt.proofs.dueling.predictable_bets`, by bets placed before each
  duel, of the weakest of the rows of :mod:`cpe_opt.formulations.dueling.confusing_instances`.
- *Duels.* Two methods choose the pairs, and the proof holds for either:

  - ``"model"``: a model of all pairs, by which pairs need not have met, leads to the champion and
    to the weakest truth, one duel or a few of them at a time
    (:mod:`cpe_opt.learners.dueling.guided_tracking`). It needs far fewer duels where arms are many,
    and none of a program.
  - ``"kept"``, and others that solve the same program differently: the exploration of T*, the LP of
    :mod:`cpe_opt.formulations.dueling.copeland_time` at the current estimates, or the relaxed plan
    where that costs less at this delta, so that as delta falls the learner tracks T*; see below.

  By default it is the model, except below a delta of 1e-40, where the optimal proportions count for
  more than a quick start. With a margin, or on the cells of a fixed test set, it is always the
  model.

With votes from before on at most 64 arms the first duels are those that :func:`cpe_opt.evidence` of
the same votes lists as remaining, or shows as undecided, until there are a quarter more duels than
votes or a sign changes.

**Duel pairs in the proportions of the exploration of T*, as its program says at the estimates.**

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
from collections.abc import Callable, Generator
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.dueling.best_winner import METHODS
from cpe_opt.formulations.dueling.confusing_instances import copeland_rows
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.duel_counts import DuelTally, Estimates
from cpe_opt.learners.dueling.elimination import arms_tie
from cpe_opt.learners.dueling.exact_optimum import ExactOptimum
from cpe_opt.learners.dueling.guided_tracking import GuidedCopeland, beliefs_and_bets
from cpe_opt.learners.dueling.pair_tracking import (
    Assessment,
    EvidenceOfBets,
    PairGoal,
    PairTracker,
    arm_prices,
    prior_tally,
)
from cpe_opt.learners.dueling.reference_optimum import MakeOptimum, ReferenceOptimum
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.tracking import Checkpoint, track, track_singly
from cpe_opt.problems.dueling.checks import checked_margin
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.queries import Batch, Duel, Window
from cpe_opt.proofs.dueling.copeland import WeakestTruth, charged_cost, relaxed_cost, weakest_truth
from cpe_opt.proofs.dueling.remaining_duels import RemainingDuels, remaining_duels
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.registry import require_backend
from cpe_opt.ties import TIE, first_largest, first_smallest
from cpe_opt.validation import checked_delta

TrackingMethod: TypeAlias = Literal["model", "kept", "cuts", "compact", "enumerate"]
_TRACKED_DELTA = 1e-40  # from where on down the exploration of T* is tracked
_LISTED_ARMS = 64  # at most, with votes from before, for a list of the first duels


@declare(
    family="dueling",
    goal="identification",
    guarantee="a Copeland winner with probability at least 1 - delta; duels near T* ln(1/delta)",
    paper="ours; after Garivier, Kaufmann (COLT 2016), Degenne, Koolen (NeurIPS 2019)",
    endless_if="every Copeland winner has a tie that may cost it its rank, and the margin is 0",
    endless_on=arms_tie,
    batches="as many duels as the parameter parallel says, or more, if above 1",
    starts="votes",
    within="no arm is ahead of it by more than {margin:g}",
    winner="Copeland",
)
def copeland_tracking(
    arms: int,
    *,
    rng: np.random.Generator | None = None,
    delta: float = 0.05,
    prices: npt.ArrayLike | None = None,
    prior: npt.ArrayLike | Votes | None = None,
    parallel: int = 1,
    margin: float = 0.0,
    cells: npt.ArrayLike | None = None,
    answered: npt.ArrayLike | None = None,
    checkpoint: Checkpoint | None = None,
    method: TrackingMethod | None = None,
    solver: str | None = None,
) -> Generator[Duel | Batch | Window, Any, int | Unproved]:
    """Find a Copeland winner with probability at least 1 - delta, with few duels.

    Parameters
    ----------
    prices : array_like, shape (K, K), or number, optional
        What a duel of each pair costs; 1 by default. The exploration is that of the least cost.
    prior : array_like, shape (K, K), or Votes, optional
        Wins from before the first duel, ties half a win; they count in the proof, however
        they came about.
    parallel : int
        How many duels may be open at once. Above 1 so many are open all the time, as a
        :class:`cpe_opt.problems.queries.Window`; where T*'s exploration is tracked, a batch holds
        at least so many, spread over pairs. It takes more duels, and the guarantee is the same.
    margin : float
        From 0 to below ½. The answer is a Copeland winner within it: no arm is ahead of it by more
        than the margin (:mod:`cpe_opt.proofs.dueling.predictable_bets`).
    method : "model", "kept", "cuts", "compact" or "enumerate", optional
        How pairs are chosen: by a model, or by the exploration of T*, of which the program is kept,
        or is that of :func:`cpe_opt.copeland_time`, from scratch whenever it is asked. By default
        the model, as a rule; the module says when not.
    solver : str, optional
        An LP solver, for the program; HiGHS by default.

    Returns
    -------
    int
        A Copeland winner; where the rounds end before it is proved, the arm that is
        best proved.

    References
    ----------
    Garivier, Kaufmann, "Optimal Best Arm Identification with Fixed Confidence", COLT 2016.

    Degenne, Koolen, "Pure Exploration with Multiple Correct Answers", NeurIPS 2019.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("copeland-tracking", mu, delta=0.05, seed=0)
    >>> trace.answer, trace.proved
    (0, True)
    """
    checked_delta(delta, None)
    margin = checked_margin(margin)
    charged = arm_prices(arms, prices)
    by_model = cells is not None or margin > 0.0
    if by_model and (method or "model", solver) != ("model", None):
        raise InputError(
            "method and solver have no effect with cells or a margin: no program is solved then"
        )
    if method is None:
        method = "model" if by_model or delta > _TRACKED_DELTA else "kept"
    if method == "model":
        if solver is not None:
            raise InputError("solver has no effect: no program is solved where a model chooses")
        beliefs, bets = beliefs_and_bets(
            arms, margin=margin, cells=cells, answered=answered, prior=prior
        )
        outlook = None
        if prior is not None and margin == 0.0 and arms <= _LISTED_ARMS:
            outlook = partial(first_duels, prior_tally(arms, prior), delta, charged)
        guided: int | Unproved = yield from track_singly(
            GuidedCopeland(beliefs, bets, delta, charged, parallel, outlook), checkpoint
        )
        return guided
    if method not in get_args(TrackingMethod):
        raise UnknownName("method", method, get_args(TrackingMethod))
    # Programs are slow to load, and most runs solve none.

    goal = exploration_goal(prior_tally(arms, prior), charged, method, solver, delta)
    answer: int | Unproved = yield from track(PairTracker(goal, delta, parallel))
    return answer


# Duel pairs in the proportions of the exploration of T*, as its program says at the estimates.


_MEMORY = 64.0 * 2**20
_OFTEN, _SELDOM = 1.05, 1.5
_CHARGE = 3.0  # what a pair costs beyond its evidence, for not knowing its odds, in nats


def exploration_goal(
    tally: DuelTally, prices: FloatArray, method: str, solver: str | None, delta: float
) -> CopelandGoal:
    """The goal of :class:`cpe_opt.learners.dueling.pair_tracking.PairTracker`."""
    solver = require_backend(solver or "highs", "LP").name
    make: MakeOptimum = partial(ExactOptimum, solver=solver, memory=_MEMORY)
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
