r"""Track and stop: the best set with a proof, from sums or from single rewards.

- *Goal.* The best set, or one that is worse by no more than a margin.
- *Plan and proof, of a matroid or a class of at most 20,000 sets:* by designs, and by bounds on the
  differences of sets, :mod:`cpe_opt.proofs.subsets.planned_blocks`.
- *Plan and proof, of any other class:* from single rewards, by a linear oracle in place of a list,
  :mod:`cpe_opt.learners.subsets.oracle_tracking`.

All pulls of a block are one query of sums, or one batch of pulls of single elements.

Pulls from before the first query count in the proof, however they were chosen: by a bound for all
differences at once, :mod:`cpe_opt.proofs.subsets.adaptive_samples`. With ``planned`` they are a
block, which proves more; that holds only if what was pulled did not depend on what was seen. They
prove nothing of differences outside their span.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.designs.block_designs import BlockDesign
from cpe_opt.formulations.subsets.alternatives import best_on_grid
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.formulations.subsets.subset_time import FEEDBACKS, Feedback
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.subsets.oracle_tracking import OracleBlocks
from cpe_opt.learners.tracking import loss_so_far, relative_prices, track
from cpe_opt.problems.queries import Batch, Pull, PullSets
from cpe_opt.problems.subsets.decisions import (
    DecisionClass,
    check_class,
    checked_element_prices,
    indicators,
)
from cpe_opt.proofs.subsets.planned_blocks import Differences, TooManySets
from cpe_opt.proofs.subsets.planned_blocks import PlannedBlocks
from cpe_opt.solvers.options import solver_option
from cpe_opt.validation import checked_count, checked_delta, checked_finite, checked_number


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
    delta: float = 0.05,
    feedback: Feedback = "single",
    margin: float = 0.0,
    noise: float = 1.0,
    sigma: float | None = None,
    prices: npt.ArrayLike | None = None,
    prior: Iterable[tuple[Iterable[int], int, float]] | None = None,
    planned: bool = False,
    parallel: int = 1,
    method: SubsetMethod | None = None,
    solver: str | None = None,
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
        Pulls from before the first query: the elements, only one with single rewards; how often
        they were pulled; and the sum of all that was seen. They count in the proof.
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
    check_class(decisions)
    checked_delta(delta, None)
    if feedback not in FEEDBACKS:
        raise UnknownName("feedback", feedback, FEEDBACKS)
    checked_number("margin", margin, least=0.0)
    checked_number("noise", noise, above=0.0)
    checked_count("parallel", parallel)
    if feedback == "sums" and prices is not None:
        raise InputError("prices: those of elements, which have no effect with feedback 'sums'")
    if planned and prior is None:
        raise InputError("planned: has no effect without prior, which it is said of")
    costs = relative_prices(checked_element_prices(prices, decisions))
    if sigma is None:
        scale = noise * (math.sqrt(decisions.rank) if feedback == "sums" else 1.0)
    else:
        scale = checked_number("sigma", sigma, above=0.0)
    oracle = SubsetOracle.quick(decisions, method, **solver_option(solver))
    some = best_on_grid(oracle, np.zeros(decisions.size))
    state: PlannedBlocks | OracleBlocks
    try:
        rivals = Differences(decisions, some)
    except TooManySets:
        if feedback == "sums":
            raise
        state = OracleBlocks(oracle, costs, delta, margin / scale, parallel)
    else:
        rows = rivals.rows(some)
        if feedback == "single" or not len(rows):
            design = BlockDesign.of_elements(rows, costs)
        else:
            design = BlockDesign.of_sets(decisions, rng, solver)
        state = PlannedBlocks(oracle, rivals, design, delta, margin / scale, parallel)
    vectors, times, sums = _prior_arrays(decisions, feedback, () if prior is None else prior)
    if len(state.vectors) and times.any():
        state.recall(vectors, times, sums / scale, planned=planned)
    answer: tuple[int, ...] | Unproved = yield from track(
        SetTracker(state, feedback, scale, margin)
    )
    return answer


class SetTracker:
    """Pulls of what a state plans, and what they show, in the units of the problem."""

    def __init__(
        self, state: PlannedBlocks | OracleBlocks, feedback: Feedback, scale: float, margin: float
    ) -> None:
        self._state, self._feedback = state, feedback
        self._scale, self._margin = scale, margin

    def proved(self) -> tuple[int, ...] | None:
        """The best set of the estimate, if it is proved or there is no other."""
        state = self._state
        return state.best if state.finished or not len(state.vectors) else None

    def block(self) -> Iterator[list[PullSets] | list[Pull]]:
        """All pulls of a block, and then what they prove."""
        planned, vectors = self._state.plan(), self._state.vectors
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


def _prior_arrays(
    decisions: DecisionClass, feedback: Feedback, prior: Iterable[tuple[Iterable[int], int, float]]
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Indicators, times and sums of the prior pulls; shapes (X, n), (X,) and (X,)."""
    sets, times, sums = [], [], []
    for number, entry in enumerate(prior, 1):
        what = f"prior, entry {number}"
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
