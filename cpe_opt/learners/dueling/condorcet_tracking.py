r"""Track and stop: the Condorcet winner, where there is one, with a proof.

- *Goal.* To rule out all arms but one.
- *Proof.* The theorem of :mod:`cpe_opt.proofs.dueling.condorcet`, if there is a Condorcet winner.
- *Plan.* An arm that is not the winner is ruled out by any one arm that beats it, so that the least
  that rules out all of them is :math:`T^* = \sum_j \min_k \pi_{kj} / d_{kj}` over the arms k that
  beat j (:func:`cpe_opt.condorcet_time`): the optimal exploration duels every arm against the one
  by which it is ruled out at the least cost.
- *Duels.* Chosen pair by pair, :mod:`cpe_opt.learners.dueling.pair_tracking`; the weakest truth is
  that the winner is the second of the arms in the order of what rules them out, the least first.

With a margin, on the cells of a fixed test set, or with more than 16 arms and no votes from before,
a model chooses the pairs and bets are placed in advance:
:mod:`cpe_opt.learners.dueling.guided_tracking`. Then most pairs need not meet.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.guided_tracking import (
    GuidedCondorcet,
    beliefs_and_bets,
)
from cpe_opt.learners.dueling.pair_tracking import (
    Assessment,
    EvidenceOfCounts,
    PairGoal,
    PairTracker,
    arm_prices,
    prior_tally,
)
from cpe_opt.learners.queries import HAS_CONDORCET_WINNER, Conditional, Unproved
from cpe_opt.learners.tracking import Checkpoint, track, track_singly
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.pairs import checked_margin
from cpe_opt.problems.queries import Batch, Duel, Window
from cpe_opt.proofs.dueling.condorcet import evidence_against
from cpe_opt.ties import first_largest, first_smallest
from cpe_opt.validation import checked_delta

_PAIR_BY_PAIR = 16  # arms: of more the first duels of all pairs would cost too much
_ALL_RULED_OUT = "every arm is ruled out: there is no Condorcet winner"


def no_condorcet_winner(mu: Any, parameters: Mapping[str, Any]) -> bool:
    """Whether every arm loses to another, or may."""
    return getattr(mu, "condorcet_winner", None) is None


@declare(
    family="dueling",
    goal="identification",
    guarantee="the Condorcet winner, if there is one, with probability at least 1 - delta; duels "
    "near T* ln(1/delta)",
    paper="ours; after Garivier, Kaufmann (COLT 2016)",
    assumption=HAS_CONDORCET_WINNER,
    endless_if="there is no Condorcet winner",
    endless_on=no_condorcet_winner,
    batches="as many duels as the parameter parallel says, or more, if above 1",
    starts="votes",
    within="the Condorcet winner beats it by at most {margin:g}",
    winner="Condorcet",
)
def condorcet_tracking(
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
) -> Generator[Duel | Batch | Window, Any, Conditional | Unproved]:
    """Find the Condorcet winner, known to exist, with probability at least 1 - delta.

    Where there is none, nothing is proved: then it may stop with any arm, and its answer is
    "proved, if there is a Condorcet winner". Where the duels rule out that arm, too, they prove
    that there is none, and it says so; where there is one, a false answer and this have a
    probability of at most delta together.

    Parameters
    ----------
    prices, prior, parallel : optional
        As for :func:`copeland_tracking`.
    margin : float
        From 0 to below ½: the answer is the Condorcet winner, or an arm that it beats by at most
        the margin.

    Returns
    -------
    int
        The Condorcet winner; where the rounds end before it is proved, or all arms are ruled out,
        the arm that is ruled out the least.

    References
    ----------
    Garivier, Kaufmann, "Optimal Best Arm Identification with Fixed Confidence", COLT 2016.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("condorcet-tracking", mu, delta=0.05, seed=0)
    >>> trace.answer, trace.claim
    (0, 'proved, if there is a Condorcet winner')
    """
    checked_delta(delta, None)
    margin = checked_margin(margin)
    many = arms > _PAIR_BY_PAIR and prior is None
    if many or cells is not None or margin > 0.0:
        beliefs, bets = beliefs_and_bets(
            arms, margin=margin, cells=cells, answered=answered, prior=prior
        )
        plain = bets
        if margin > 0.0:
            _, plain = beliefs_and_bets(
                arms, margin=0.0, cells=cells, answered=answered, prior=prior
            )
        guided: Conditional | Unproved = yield from track_singly(
            GuidedCondorcet(beliefs, bets, delta, arm_prices(arms, prices), parallel, plain),
            checkpoint,
        )
        return guided
    goal = CondorcetGoal(prior_tally(arms, prior), arm_prices(arms, prices))
    answer: Conditional | Unproved = yield from track(PairTracker(goal, delta, parallel))
    return answer


class CondorcetGoal(PairGoal[EvidenceOfCounts]):
    """To rule out all arms but one."""

    assumption = HAS_CONDORCET_WINNER

    def evidence(self) -> EvidenceOfCounts:
        """E-values of the counts."""
        return EvidenceOfCounts(self.tally)

    def answered(
        self, assessment: Assessment, evidence: EvidenceOfCounts, needed: float
    ) -> int | Conditional | Unproved:
        """The arm that is left, unless it is ruled out as well."""
        if evidence_against(evidence.log_e)[assessment.answer] >= needed:
            return Unproved(assessment.answer, _ALL_RULED_OUT)
        return super().answered(assessment, evidence, needed)

    def assess(self, evidence: EvidenceOfCounts) -> Assessment:
        """The arm that is ruled out the least; to be proved next, that which leads against all."""
        against = evidence_against(evidence.log_e)
        answer = first_smallest(against)
        proved = float(np.delete(against, answer).min())
        leads = self.tally.estimate > 0.5
        unbeaten = np.flatnonzero(~leads.any(axis=0))
        arm = int(unbeaten[0]) if len(unbeaten) else answer
        others = np.where(np.arange(len(against)) == arm, math.inf, against)
        rival = first_smallest(others)
        pairs = [(int(other), rival) for other in np.flatnonzero(leads[:, rival])]
        return Assessment(answer, proved, (arm, rival), pairs)

    def plan(self, assessment: Assessment, needed: float) -> tuple[FloatArray, float]:
        """All evidence against an arm on the pair that costs the least."""
        del assessment
        leads = self.tally.estimate > 0.5
        costs = np.where(leads, self.costs(), math.inf)
        cheapest = first_largest(-costs.T)
        arms = np.flatnonzero(leads.any(axis=0))
        x = np.zeros_like(costs)
        x[cheapest[arms], arms] = x[arms, cheapest[arms]] = 1.0
        return x, needed * float(costs[cheapest[arms], arms].sum())

    def guess(self, evidence: EvidenceOfCounts) -> int:
        """The arm that is ruled out the least."""
        return first_smallest(evidence_against(evidence.log_e))
