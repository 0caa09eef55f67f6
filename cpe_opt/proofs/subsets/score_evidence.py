r"""What scores of teams prove: which team is the best, who is in it, and which team to see next.

The best team of the estimate is proved where no other set can be better. However the teams were
chosen, also by the scores before, :mod:`cpe_opt.proofs.subsets.adaptive_samples` bounds how much
better each is, at any time at which one looks; of teams that were *planned* before any score was
seen, the narrower bound of one block does, :mod:`cpe_opt.proofs.subsets.planned_blocks`. Both
are for scores whose noise is :math:`\sigma`-sub-Gaussian. Where :math:`\sigma` is not given, a
tenth of delta is for its bound from the residuals being too small at any time
(:mod:`cpe_opt.proofs.subsets.noise_bound`, which says what that takes for granted), the rest
for the proof. All of it assumes that scores do not depend on each other.

**Teams that may not be chosen**, of other sizes or of another budget, count as well: of a score
all proofs ask that its mean is :math:`\theta(M)`, whatever set M is. A constant that is added to
every score is a part of :math:`\theta` where all teams are of one size, and there alone; so what
several sizes take for granted is said.

**Who is in the best team.** Of a class that is listed, a member is in the best team where every set
without it is proved to be worse, and not in it where every set with it is. Of a matroid, a member e
of the base is in the best one where it is proved to be better than all that it may be exchanged
for, for it is the only best one of a cocircuit then; and f is not where it is proved to be worse
than all that may be exchanged for it, the only worst one of a circuit.

**The next teams** are those of the block that ``subset-tracking`` plans after these scores
(:mod:`cpe_opt.proofs.subsets.planned_blocks`). The sentences and tables are in
:mod:`cpe_opt.reports.team_evidence`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.designs.block_designs import SetDesign
from cpe_opt.formulations.subsets.alternatives import best_on_grid
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.problems.subsets.team_scores import SIZES_ASSUMED, TeamScores
from cpe_opt.proofs.subsets.adaptive_samples import SelfNormalizedBound
from cpe_opt.proofs.subsets.noise_bound import SIGMA_SHARE, largest_sigma, noise_assumed
from cpe_opt.proofs.subsets.planned_blocks import Differences, PlannedBlocks, least_squares
from cpe_opt.validation import ErrorProbability, PositiveOrInfinite, checked_types

ElementStanding: TypeAlias = Literal["in", "possible", "out"]
Block: TypeAlias = tuple[tuple[tuple[int, ...], int], ...]
"""Sets to see, and how often each, the most often first."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreEvidence:
    """What scores of teams prove, and which teams to see next."""

    scores: TeamScores
    decisions: DecisionClass
    delta: float
    sigma: float  # the standard deviation of one score
    sigma_given: bool  # whether it was; else it is a bound from the residuals, at all times
    planned: bool  # whether the teams are taken to have been chosen before any score was seen
    # what each element adds, by least squares, shape (n,); the smallest such numbers of several
    theta: FloatArray
    best: tuple[int, ...]  # the best set of the estimate
    loss: float  # by how much another set may be better than that, at most; 0 where it is proved
    standing: tuple[ElementStanding, ...]  # whether each element is in the best set
    # about how many further scores prove it, if estimates stay; infinite where that is not known
    missing: float
    next: Block  # nothing where the best set is proved

    @property
    def proved(self) -> bool:
        """Whether the best set of the estimate is proved to be the best one."""
        return self.loss == 0.0

    @property
    def assumes(self) -> tuple[str, ...]:
        """On what all that is said rests."""
        planned = ("teams were chosen before any score was seen",) if self.planned else ()
        sizes = (SIZES_ASSUMED,) if self.scores.size is None else ()
        return (*planned, *sizes, noise_assumed(given=self.sigma_given, planned=self.planned))

    @property
    def others(self) -> int:
        """How many scores are of teams that may not be chosen."""
        totals = self.scores.totals(self.decisions)
        return sum(times for team, times, _ in totals if not self.decisions.contains(team))


@checked_types
def score_evidence(
    scores: TeamScores,
    decisions: DecisionClass,
    delta: ErrorProbability,
    *,
    sigma: PositiveOrInfinite | None = None,
    planned: bool = False,
    seed: int = 0,
) -> ScoreEvidence:
    """What scores prove; arguments as for :func:`cpe_opt.team_evidence`."""
    totals = scores.totals(decisions)
    given, share = sigma is not None, delta
    if sigma is None:
        sigma = largest_sigma(scores, SIGMA_SHARE * delta, planned=planned)
        share = (1.0 - SIGMA_SHARE) * delta
    vectors = indicators([chosen for chosen, _, _ in totals], decisions.size)
    times = np.array([count for _, count, _ in totals], dtype=np.int64)
    sums = np.array([total for _, _, total in totals]) / sigma
    information = vectors.T @ (times[:, None] * vectors)
    theta, inverse, unseen = least_squares(information, vectors.T @ sums)
    oracle = SubsetOracle.quick(decisions)
    best = best_on_grid(oracle, theta)
    differences = Differences(decisions, best)
    rows = differences.rows(best)
    if planned:
        bounds = differences.bounds(share)
        bounds.add(theta, inverse, unseen)
        with np.errstate(divide="ignore"):  # of what was not seen
            lower = bounds.lower(*bounds.sums(rows))
    else:
        lower = SelfNormalizedBound(vectors, times, sums).lower(rows, math.log(1.0 / share))
    loss = differences.loss(best, lower) if np.isfinite(lower).all() else math.inf
    following: Block = ()
    missing = 0.0
    if loss > 0.0:
        design = SetDesign(decisions, np.random.default_rng(seed))
        blocks = PlannedBlocks(oracle, differences, design, share, 0.0)
        blocks.recall(vectors, times, sums, planned=planned)
        following = _next_block(blocks)
        missing = blocks.missing
    return ScoreEvidence(
        scores=scores,
        decisions=decisions,
        delta=delta,
        sigma=sigma,
        sigma_given=given,
        planned=planned,
        theta=theta * sigma,
        best=best,
        loss=loss * sigma,
        standing=_standings(rows, best, lower),
        missing=missing,
        next=following,
    )


def _next_block(blocks: PlannedBlocks) -> Block:
    """The sets of the next block, those without a pull left out."""
    times = blocks.plan()
    return tuple(
        (tuple(np.flatnonzero(blocks.vectors[place] > 0.5).tolist()), int(times[place]))
        for place in np.argsort(-times, kind="stable")
        if times[place]
    )


def _standings(
    rows: FloatArray, best: tuple[int, ...], lower: FloatArray
) -> tuple[ElementStanding, ...]:
    """Of each element, where ``lower`` are the bounds of the rows of the best set."""
    standings: list[ElementStanding] = []
    for element, column in enumerate(rows.T):
        sure = bool((lower[column != 0.0] > 0.0).all())
        proved: ElementStanding = "in" if element in best else "out"
        standings.append(proved if sure else "possible")
    return tuple(standings)
