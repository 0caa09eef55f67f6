r"""Track and stop: the best set with a proof, from sums or from single rewards.

- *Goal.* The best set, or one that is worse by no more than a margin.
- *Plan and proof, of a matroid or a class of at most 20,000 sets:* by designs, and by bounds on the
  differences of sets, :mod:`cpe_opt.proofs.subsets.planned_blocks`.
- *Plan and proof, of any other class:* from single rewards, by a linear oracle in place of a list,
  see below.

All pulls of a block are one query of sums, or one batch of pulls of single elements.

Pulls from before the first query count in the proof, however they were chosen: by a bound for all
differences at once, :mod:`cpe_opt.proofs.subsets.adaptive_samples`. With ``planned`` they are a
block, which proves more; that holds only if what was pulled did not depend on what was seen. They
prove nothing of differences outside their span.

**A class that is too large to list, by a linear oracle and single rewards.**

- *Proof.* The answer is :math:`\hat M`, the best set of the means of all pulls, given as soon as
  the linear oracle proves that no set is better by more than the margin
  (:mod:`cpe_opt.proofs.subsets.optimistic_gap`). A set is told apart by either of the two bounds of
  :mod:`cpe_opt.proofs.blocks`, with J, a bound on the number of sets, in a union over all: by
  weights of its own at :math:`\gamma\delta`, which is asked of the sets that the oracle names, and
  by weights that all sets have in common at :math:`(1 - \gamma)\delta`, which covers all others.
  Except with probability δ both hold at all times for all sets. The first is better by a factor of
  about two in pulls; those sets for which the second is not enough are few near the end of a run.
  The common weight of a block is the mean number of pulls of its elements.
- *Plan.* The cheapest pulls that would tell :math:`\hat M` apart from all sets that are known, R as
  in :mod:`cpe_opt.proofs.subsets.planned_blocks` by weights of their own. Then the oracle is asked,
  for each element of the best set, for the set without it that those pulls would tell apart worst,
  and the plan is made anew until all that it names are known. It decides how many pulls the
  proof takes, not whether it is right.

Pulls from before the first block that may have been chosen by what was seen count by the threshold
of :mod:`cpe_opt.learners.subsets.single_rewards`, which holds whatever decided what was pulled, at
half of δ, for all pulls together; the blocks are at the other half, and either may prove the
answer. Where such pulls were planned, and are of all elements, they are a block.

The first block has four pulls of every element. A later one costs a third of what is missing, but
no more than half of all before, and no less than a fiftieth of that. Which elements can be in the
difference of two sets is asked of the oracle before the first pull; no others are pulled.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.block_designs import BlockDesign, ElementDesign, SetDesign
from cpe_opt.formulations.subsets.alternatives import best_on_grid, nearest_sets
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.formulations.subsets.subset_time import Feedback
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.subsets.single_rewards import SingleEvidence
from cpe_opt.learners.tracking import Checkpoint, loss_so_far, relative_prices, track
from cpe_opt.problems.queries import Batch, Pull, PullSets
from cpe_opt.problems.subsets.decisions import (
    DecisionClass,
    checked_element_prices,
    indicators,
)
from cpe_opt.proofs.blocks import CommonWeights, OwnWeights, Pace
from cpe_opt.proofs.subsets.glr_threshold import ThresholdRadius
from cpe_opt.proofs.subsets.optimistic_gap import OptimisticGap, SetPool
from cpe_opt.proofs.subsets.planned_blocks import (
    MIXTURE_COST,
    SET_MIXTURE,
    Differences,
    PlannedBlocks,
    TooManySets,
    missing_precision,
)
from cpe_opt.solvers.options import solver_option
from cpe_opt.validation import (
    ErrorProbability,
    Finite,
    NonNegative,
    Positive,
    PositiveInt,
    checked,
    checked_count,
)

_FIRST = 4
_PACE, _LEAST = Pace(), 0.02
_OWN = 0.8  # of δ, for the bounds with weights of their own
_SEARCHES = 8


@declare(
    family="subsets",
    goal="PAC",
    guarantee="the best set, or one within a margin, with probability at least 1 - delta; pulls "
    "near T* ln(1/delta)",
    paper="ours; after Garivier, Kaufmann (COLT 2016), Degenne et al. (ICML 2020)",
    endless_if="two sets are equally good and the margin is 0",
    batches="all pulls of a block, where these are of single elements; sums are one query",
    starts="pulls, which count in the proof",
    within="no set is better by more than {margin:g}",
)
def subset_tracking(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator,
    delta: ErrorProbability = 0.05,
    feedback: Feedback = "single",
    margin: NonNegative = 0.0,
    noise: Positive = 1.0,
    sigma: Positive | None = None,
    prices: npt.ArrayLike | None = None,
    prior: Iterable[tuple[Iterable[int], int, float]] | None = None,
    planned: bool = False,
    parallel: PositiveInt = 1,
    method: SubsetMethod | None = None,
    solver: str | None = None,
    checkpoint: Checkpoint | None = None,
) -> Generator[Pull | PullSets | Batch, Any, tuple[int, ...] | Unproved]:
    """Find the best set, or one within a margin, with probability at least 1 - delta.

    Parameters
    ----------
    decisions : DecisionClass
        Any for single rewards; for sums a matroid, such as :class:`cpe_opt.TopK`, or a class of at
        most 20,000 sets.
    rng : Generator
        For the first sets that are pulled, and the search for more.
    feedback : "single" or "sums"
        Whether rewards of single elements are pulled, or sums of sets.
    margin : float
        At least 0: how much worse than the best set the answer may be.
    noise : float
        The reward of an element is noise-sub-Gaussian.
    sigma : float, optional
        What an observation is: by default ``noise`` for single rewards, and for sums
        ``sqrt(rank) * noise``, where rewards of different elements are independent; of rewards that
        depend on each other the sum is ``rank * noise``-sub-Gaussian.
    prices : array_like, optional
        What a pull of each element costs, for single rewards: one positive number, or an array of
        shape (n,); 1 by default.
    prior : iterable of (set, times, sum), optional
        Pulls from before the first query: the elements, only one with single rewards, else also
        those of no set of the class; how often they were pulled; and the sum of all that was seen.
        They count in the proof.
    planned : bool
        Whether ``prior`` were planned before any of them was seen, so that they prove more.
    parallel : int
        How many pulls may be open at once: a block has at least so many.
    method, solver
        As for :func:`cpe_opt.learners.subsets.icb`.

    Returns
    -------
    tuple of int
        The set; where the rounds end before it is proved, the best one of the estimate.

    Raises
    ------
    InputError
        Also for sums over a class that is no matroid and has too many sets to list.

    References
    ----------
    Garivier, Kaufmann, "Optimal Best Arm Identification with Fixed Confidence", COLT 2016.

    Degenne, Menard, Shang, Valko, "Gamification of Pure Exploration for Linear Bandits", ICML 2020.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = cpe.planted_subsets(5, 2, gap=1.0, noise=0.1, seed=0)
    >>> trace = cpe.simulate(
    ...     "subset-tracking", bandit, delta=0.05, feedback="sums", noise=0.1, seed=0
    ... )
    >>> trace.answer, trace.proved
    ((1, 3), True)
    """
    if sigma is None:
        sigma = noise * (math.sqrt(decisions.rank) if feedback == "sums" else 1.0)
    costs = _checked_costs(feedback, prices, decisions)
    vectors, times, sums = _prior_arrays(decisions, feedback, prior, planned)
    oracle = SubsetOracle.quick(decisions, method, **solver_option(solver))
    state = _blocks(oracle, costs, feedback, rng, delta, margin / sigma, solver)
    if len(state.vectors) and times.any():
        state.recall(vectors, times, sums / sigma, planned=planned)
    answer: tuple[int, ...] | Unproved = yield from track(
        SetTracker(state, feedback, sigma, margin, parallel), checkpoint
    )
    return answer


def _checked_costs(
    feedback: Feedback, prices: npt.ArrayLike | None, decisions: DecisionClass
) -> FloatArray:
    """What a pull of each element costs, shape (n,)."""
    if feedback == "sums" and prices is not None:
        raise InputError("prices: those of elements, which have no effect with feedback 'sums'")
    return relative_prices(checked_element_prices(prices, decisions))


def _blocks(
    oracle: SubsetOracle,
    costs: FloatArray,
    feedback: Feedback,
    rng: np.random.Generator,
    delta: float,
    margin: float,
    solver: str | None,
) -> PlannedBlocks | OracleBlocks:
    """By designs where the class is a matroid or listed, else by the oracle; margin in sigmas."""
    some = best_on_grid(oracle, np.zeros(oracle.size))
    try:
        rivals = Differences(oracle.decisions, some)
    except TooManySets:
        if feedback == "sums":
            raise
        return OracleBlocks(oracle, costs, delta, margin)
    rows = rivals.rows(some)
    design: BlockDesign
    if feedback == "single" or not len(rows):
        design = ElementDesign(np.flatnonzero(rows.any(axis=0)), costs)
    else:
        design = SetDesign(oracle.decisions, rng, solver)
    return PlannedBlocks(oracle, rivals, design, delta, margin)


class SetTracker:
    """Pulls of what a state plans, and what they show, in the units of the problem."""

    def __init__(
        self,
        state: PlannedBlocks | OracleBlocks,
        feedback: Feedback,
        scale: float,
        margin: float,
        parallel: int,
    ) -> None:
        self._state, self._feedback, self.parallel = state, feedback, parallel
        self._scale, self._margin = scale, margin

    def proved(self) -> tuple[int, ...] | None:
        """The best set of the estimate, if it is proved or there is no other."""
        state = self._state
        return state.best if state.finished or not len(state.vectors) else None

    def block(self) -> Iterator[list[PullSets] | list[Pull]]:
        """All pulls of a block, and then what they prove."""
        planned, vectors = self._state.plan(self.parallel), self._state.vectors
        used = np.flatnonzero(planned)
        times: list[int] = planned[used].tolist()
        members = [tuple(np.flatnonzero(row > 0.5).tolist()) for row in vectors[used]]
        self._seen: list[float] = []
        if self._feedback == "sums":
            yield [PullSets(tuple(members), tuple(times))]
        else:
            yield [Pull(element, each) for (element,), each in zip(members, times, strict=True)]
        sums = np.zeros(len(vectors))
        sums[used] = self._seen
        self._state.count(planned, sums / self._scale)

    def count(self, query: PullSets | Pull, observed: FloatArray) -> None:
        """Keep the sum of what each set or element shows."""
        sums = observed if isinstance(query, PullSets) else [np.sum(observed)]
        self._seen.extend(map(float, sums))

    def guess(self) -> tuple[int, ...]:
        """The best set of the estimate."""
        return self._state.best

    def doubt(self) -> str:
        """By how much another one may be better."""
        return loss_so_far(self._state.loss * self._scale, self._margin)


class OracleBlocks:
    """The means, the proof, and the plan of the next block."""

    def __init__(
        self, oracle: SubsetOracle, costs: FloatArray, delta: float, margin: float
    ) -> None:
        size, nothing = oracle.size, np.zeros(oracle.size)
        self._oracle, self._margin = oracle, margin
        self._delta, self._log_count = delta, oracle.decisions.log_count_bound()
        self.best = best_on_grid(oracle, nothing)
        others = indicators(list(nearest_sets(oracle, nothing, self.best)), size)
        differ = np.abs(indicators([self.best], size) - others).any(axis=0)
        self._used = np.flatnonzero(differ)
        self._design = ElementDesign(self._used, costs)
        self.vectors = self._design.vectors
        self._start_blocks(delta)
        self._pool = SetPool(oracle.decisions)
        self._pulls, self._sums, self._mean = nothing.copy(), nothing.copy(), nothing
        self._before: SingleEvidence | None = None
        self.finished = False

    def _start_blocks(self, delta: float) -> None:
        """No block yet: both bounds, each at its part of this δ."""
        self._common = CommonWeights(self._oracle.size, SET_MIXTURE)
        self._needed = self._log_count - math.log((1.0 - _OWN) * delta)
        self._own = OwnWeights(SET_MIXTURE, self._log_count - math.log(_OWN * delta))

    @property
    def loss(self) -> float:
        """By how much another set may be better; infinite where nothing is proved."""
        loss = math.inf
        if self._common.weight:
            loss = self._gap(told=False).bound() / self._common.weight
        if self._before is not None and self._before.pulls.all():
            loss = min(loss, self._before.loss())
        return loss

    def recall(
        self, elements: FloatArray, times: IntArray, sums: FloatArray, *, planned: bool
    ) -> None:
        """Take in pulls from before the first block, shape (X, n); ``planned`` ones are a block."""
        pulls, totals = times @ elements, sums @ elements
        if planned and pulls[self._used].all():
            self._count_block(pulls, totals)
        else:
            half = self._delta / 2
            self._start_blocks(half)
            self._before = SingleEvidence(self._oracle, 1.0, half, margin=self._margin)
            # No two sets differ in the others: one pull of 0 is as good as any.
            for element in set(range(self._oracle.size)) - set(self._used.tolist()):
                self._before.add(element, 0.0)
        self._add(pulls, totals)

    def count(self, planned: IntArray, sums: FloatArray) -> None:
        """Take a block in, and try to prove an answer."""
        pulls, totals = planned @ self.vectors, sums @ self.vectors
        self._count_block(pulls, totals)
        self._add(pulls, totals)

    def _count_block(self, pulls: FloatArray, sums: FloatArray) -> None:
        means, variances = np.zeros(len(pulls)), np.zeros(len(pulls))
        means[self._used] = sums[self._used] / pulls[self._used]
        variances[self._used] = 1.0 / pulls[self._used]
        self._common.add(means, variances, float(pulls[self._used].mean()))
        self._own.add(means, variances)

    def _add(self, pulls: FloatArray, sums: FloatArray) -> None:
        """The means of all pulls, and whether their best set is proved."""
        self._pulls, self._sums = self._pulls + pulls, self._sums + sums
        self._mean = self._sums / np.maximum(1.0, self._pulls)
        self.best = best_on_grid(self._oracle, self._mean)
        if self._before is not None:
            for element in self._used[pulls[self._used] > 0.0].tolist():
                self._before.add(element, float(sums[element]), int(pulls[element]))
            self.best = self._before.best()
            self.finished = bool(self._before.pulls.all()) and self._before.enough()
        if self._common.weight and not self.finished:
            gap, most = self._gap(), self._margin * self._common.weight
            gap.extend_pool()
            self.finished = gap.at_most(most) <= most

    def _gap(self, *, told: bool = True) -> OptimisticGap:
        """How much better sets may be by common weights, those that are told apart left out."""
        common, others = self._common, self._told if told else None
        radius = common.radius(self._needed)
        return OptimisticGap(self._oracle, self._pool, self.best, common.sums, radius, others)

    def _told(self, vectors: FloatArray) -> BoolArray:
        """Which sets are told apart by weights of their own."""
        rows = indicators([self.best], self._oracle.size) - vectors
        told: BoolArray = np.asarray(rows.any(axis=1))
        told[told] = self._own.lower(*self._own.sums(rows[told])) >= -self._margin
        return told

    def plan(self, parallel: int = 1) -> IntArray:
        """The next block, of so many pulls at least, by element that is pulled; shape (used,)."""
        cost = first = _FIRST * float(self._design.prices.sum())
        if self._common.weight:
            spent = float(self._pulls[self._used] @ self._design.prices)
            cost = _PACE.cost(spent, self._missing(), _LEAST * max(spent, first))
        return self._design.block(cost, parallel)

    def _missing(self) -> float:
        """What it costs to tell all sets of the pool apart from the best, by shares for that."""
        level = 2.0 * (self._own.needed + MIXTURE_COST)
        inverse = np.zeros(self._oracle.size)
        inverse[self._used] = 1.0 / np.maximum(1.0, self._pulls[self._used])
        for _ in range(_SEARCHES):
            rows, known = self._pool.rows(self.best), len(self._pool)
            sums, precisions = self._own.sums(rows)
            gaps = rows @ self._mean + self._margin
            slopes = np.sqrt(gaps**2 + np.abs(rows) @ inverse)
            needs = missing_precision(slopes, sums + self._margin * precisions, precisions, level)
            missing = self._design.balance(np.sqrt(needs)[:, None] * rows)
            pulls = self._pulls[self._used] + missing * self._design.shares / self._design.prices
            after = (level / pulls) @ self.vectors
            # The root of a sum over the elements in which a set differs.
            radius = ThresholdRadius(after, np.zeros(len(after)), np.ones(1), np.zeros(1))
            OptimisticGap(self._oracle, self._pool, self.best, self._mean, radius).extend_pool()
            if len(self._pool) == known:
                break
        return missing


def _prior_arrays(
    decisions: DecisionClass,
    feedback: Feedback,
    prior: Iterable[tuple[Iterable[int], int, float]] | None,
    planned: bool,
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Indicators, times and sums of the prior pulls; shapes (X, n), (X,) and (X,)."""
    if planned and prior is None:
        raise InputError("planned: has no effect without prior, which it is said of")
    sets, times, sums = [], [], []
    for number, entry in enumerate(() if prior is None else prior, 1):
        what = f"prior, entry {number}"
        if not isinstance(entry, tuple) or len(entry) != 3:
            raise InputError(f"{what} is {entry!r}, expected a set, how often, and the sum")
        members = decisions.check_elements(entry[0], what)
        if feedback == "single" and len(members) != 1:
            raise InputError(f"{what} is of {len(members)} elements, expected a single one")
        sets.append(members)
        times.append(checked_count(f"{what}: how often", entry[1], least=0))
        sums.append(checked(f"{what}: the sum", entry[2], Finite))
        if not times[-1] and sums[-1]:
            raise InputError(f"{what}: the sum of no pull is {entry[2]}, expected 0")
    return indicators(sets, decisions.size), np.array(times, dtype=np.int64), np.array(sums)
