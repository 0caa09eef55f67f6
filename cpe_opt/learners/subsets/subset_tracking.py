r"""Track and stop: the best set with a proof, from sums or from single rewards.

Pulls come in blocks, each planned before it begins, and what they prove of sets is said in
:mod:`cpe_opt.proofs.subsets.listed_blocks`: the answer is the best set of the estimate from
all pulls, given as soon as no other one can be better by more than :math:`\epsilon`. Blocks are
shared out by what is missing for that: :mod:`cpe_opt.proofs.subsets.planned_blocks`.

A block may be pulled in any order and at once: all pulls of it are one query, or one batch of
pulls of single elements.

Pulls that are there before the first count in the proof, however they were chosen: by a bound for
all differences at once, :mod:`cpe_opt.proofs.subsets.adaptive_samples`. With ``planned`` they are a
block, which proves more; that holds only if what was pulled did not hang on what was seen. Of
differences that they do not show they say nothing.

Single rewards of a class that is no matroid and has more than 20,000 sets are pulled and proved as
:mod:`cpe_opt.learners.subsets.element_tracker` says, by the linear oracle in place of a list.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.designs.block_designs import BlockDesign
from cpe_opt.formulations.subsets.leading_set import best_on_grid
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.prices import relative_prices
from cpe_opt.learners.queries import HorizonReached, Unproved, ask_all
from cpe_opt.learners.subsets.block_tracker import BlockTracker
from cpe_opt.learners.subsets.element_tracker import ElementTracker
from cpe_opt.problems.queries import Batch, Pull, PullSets
from cpe_opt.problems.subsets.decisions import DecisionClass, check_class, indicators
from cpe_opt.problems.subsets.prices import checked_element_prices
from cpe_opt.proofs.subsets.listed_blocks import Differences, TooManySets
from cpe_opt.solvers.options import solver_option
from cpe_opt.validation import checked_count, checked_delta, checked_finite, checked_number

Feedback: TypeAlias = Literal["single", "sums"]


@declare(
    family="subsets",
    goal="PAC",
    guarantee="the best set, or one within epsilon, with probability at least 1 - delta; pulls "
    "near T* ln(1/delta)",
    paper="ours; after Garivier, Kaufmann (COLT 2016), Degenne et al. (ICML 2020)",
    endless_if="two sets are equally good and epsilon is 0",
    batches="all pulls of a block, where these are of single elements; sums are one query",
    starts="pulls, which count in the proof",
)
def subset_tracking(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator,
    delta: float,
    feedback: Feedback = "single",
    epsilon: float = 0.0,
    noise: float = 1.0,
    sigma: float | None = None,
    prices: npt.ArrayLike | None = None,
    counts: Iterable[tuple[Iterable[int], int, float]] | None = None,
    planned: bool = False,
    parallel: int = 1,
    method: SubsetMethod | None = None,
    solver: str | None = None,
) -> Generator[Pull | PullSets | Batch, Any, tuple[int, ...] | Unproved]:
    """Find the best set, or one within epsilon, with probability at least 1 - delta.

    Parameters
    ----------
    decisions : DecisionClass
        Any for single rewards; for sums a matroid, such as :class:`cpe_opt.TopK`, or a class of at
        most 20,000 sets.
    rng : Generator
        For the first sets that are pulled, and the search for more.
    delta : float
        The probability of a wrong answer, between 0 and 1.
    feedback : "single" or "sums"
        Whether rewards of single elements are pulled, or sums of sets.
    epsilon : float
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
    counts : iterable of (set, times, sum), optional
        Pulls that are there before the first: the elements, one alone with single rewards; how
        often they were pulled; and the sum of all that was seen. They count in the proof.
    planned : bool
        Whether ``counts`` were planned before any of them was seen, so that they prove more.
    parallel : int
        How many pulls may be open at once: a block has at least so many.
    method, solver : str, optional
        Of the linear oracle, as for :func:`cpe_opt.best_subset`: by default the algorithm of the
        class, where it has one; ``method="program"`` solves its program at every look.

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
    check_class(decisions)
    checked_delta(delta, None)
    if feedback not in get_args(Feedback):
        raise UnknownName("feedback", feedback, get_args(Feedback))
    checked_number("epsilon", epsilon, least=0.0)
    checked_number("noise", noise, above=0.0)
    checked_count("parallel", parallel)
    if feedback == "sums" and prices is not None:
        raise InputError("prices: those of elements, which have no effect with feedback 'sums'")
    if planned and counts is None:
        raise InputError("planned: has no effect without counts, which it is said of")
    costs = relative_prices(checked_element_prices(prices, decisions))
    if sigma is None:
        scale = noise * (math.sqrt(decisions.rank) if feedback == "sums" else 1.0)
    else:
        scale = checked_number("sigma", sigma, above=0.0)
    oracle = SubsetOracle(decisions, method, **solver_option(solver))
    some = best_on_grid(oracle, np.zeros(decisions.size))
    tracker: BlockTracker | ElementTracker
    try:
        rivals = Differences(decisions, some)
    except TooManySets:
        if feedback == "sums":
            raise
        tracker = ElementTracker(oracle, costs, delta, epsilon / scale, parallel)
    else:
        design = _design(rivals.rows(some), decisions, feedback, costs, rng)
        tracker = BlockTracker(oracle, rivals, design, delta, epsilon / scale, parallel)
    if not len(tracker.vectors):
        return some
    vectors, times, sums = _earlier(decisions, feedback, () if counts is None else counts)
    if times.any():
        tracker.recall(vectors, times, sums / scale, planned=planned)
    try:
        while not tracker.finished:
            block = tracker.plan()
            observed = yield from _pulled(tracker.vectors, block, feedback)
            tracker.count(block, observed / scale)
    except HorizonReached:
        return Unproved(tracker.best, tracker.doubt(scale))
    return tracker.best


def _design(
    rows: FloatArray,
    decisions: DecisionClass,
    feedback: Feedback,
    costs: FloatArray,
    rng: np.random.Generator,
) -> BlockDesign:
    """What is pulled; nothing where there is but one set."""
    if feedback == "single" or not len(rows):
        return BlockDesign.of_elements(rows, costs)
    return BlockDesign.of_sets(decisions, rng)


def _earlier(
    decisions: DecisionClass,
    feedback: Feedback,
    counts: Iterable[tuple[Iterable[int], int, float]],
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Indicators, times and sums of pulls that are there; shapes (X, n), (X,) and (X,)."""
    sets, times, sums = [], [], []
    for number, entry in enumerate(counts, 1):
        what = f"counts, entry {number}"
        if not isinstance(entry, tuple) or len(entry) != 3:
            raise InputError(f"{what} is {entry!r}, expected a set, how often, and the sum")
        members = decisions.check_elements(entry[0], what)
        if feedback == "single" and len(members) != 1:
            raise InputError(f"{what} is of {len(members)} elements, expected a single one")
        sets.append(decisions.check(members) if feedback == "sums" else members)
        times.append(checked_count(f"{what}: how often", entry[1], least=0))
        sums.append(checked_finite(f"{what}: the sum", entry[2]))
        if not times[-1] and sums[-1]:
            raise InputError(f"{what}: the sum of no pull is {entry[2]}, expected 0")
    return indicators(sets, decisions.size), np.array(times, dtype=np.int64), np.array(sums)


def _pulled(
    vectors: FloatArray, planned: IntArray, feedback: Feedback
) -> Generator[PullSets | Pull | Batch, Any, FloatArray]:
    """Make a block; the sum of what each vector shows, shape (X,)."""
    sums = np.zeros(len(vectors))
    used = np.flatnonzero(planned)
    members = [tuple(np.flatnonzero(row > 0.5).tolist()) for row in vectors[used]]
    if feedback == "sums":
        sums[used] = yield PullSets(tuple(members), tuple(planned[used].tolist()))
    else:
        pulls = [
            Pull(element, int(planned[place]))
            for (element,), place in zip(members, used, strict=True)
        ]
        rewards = yield from ask_all(pulls)
        sums[used] = [float(np.sum(each)) for each in rewards]
    return sums
