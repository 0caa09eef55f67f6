r"""What single rewards tell of the best set, and when that is enough.

:math:`\hat\theta` are the means of :math:`N_e` pulls of each element, with normal noise of standard
deviation σ, and :math:`\hat M` is best for them. The nearest instance to the means in which M is as
good is at the distance, in nats,

.. math:: \inf_{\lambda(M) \ge \lambda(\hat M)} \sum_e N_e \frac{(\hat\theta_e - \lambda_e)^2}
    {2 \sigma^2} = \frac{\Delta_M^2}{2 \sigma^2 \sum_{e \in M \triangle \hat M} 1/N_e}, \qquad
    \Delta_M = \hat\theta(\hat M) - \hat\theta(M) ,

and is :math:`\lambda_e = \hat\theta_e \mp \Delta_M N_e^{-1} / \sum_{M \triangle \hat M} 1/N`, less
inside :math:`\hat M` and more outside. The least distance over the sets M is the *evidence*. For a
matroid it is that of an exchange of one element
(:mod:`cpe_opt.formulations.subsets.alternatives`); for other classes all sets are gone through,
where they can be listed.

**When it is enough.** Every M has a threshold of its own: that of
:mod:`cpe_opt.proofs.subsets.glr_threshold`, :math:`\beta_D` of the set
:math:`D = M \triangle \hat M` at :math:`X = \ln(J/\delta)`, with J = k(n - k) for exchanges, and
K - 1 for a list of K sets. Where all distances are above theirs, :math:`\hat M` is wrong with
probability at most δ. Fix a best set :math:`M^\circ` of the truth. A wrong answer is one of K - 1,
and the truth is an instance in which :math:`M^\circ` is as good, so that its distance is at most
the sum over :math:`D = M^\circ \triangle \hat M`. A wrong base of a matroid has an exchange with an
element of :math:`M^\circ` that is as good for the truth, one of k(n - k) pairs (as in
:mod:`cpe_opt.proofs.subsets.planned_blocks`), and D is that pair.

**Where sets cannot be listed,** the sets found so far are compared with :math:`\hat M`, and J is a
bound on K. It is enough where all of these have distances above their thresholds and
:mod:`cpe_opt.proofs.subsets.optimistic_gap` proves the same of all other sets: a distance is above
its threshold where the optimistic gap is below 0. The probability of an error is that of a list,
whenever sets are sought, and however many. With a *margin* ε, Δ + ε replaces Δ: no set is then
better by more than ε.

The corollary is stated for normal noise; the martingales behind it, mixtures of
:math:`\exp(\eta S - \eta^2 N / 2)`, are supermartingales for sub-Gaussian noise.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.subsets.alternatives import LeadingSet, best_on_grid
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.queries import Unproved
from cpe_opt.proofs.subsets.glr_threshold import GlrThreshold, ThresholdRadius, glr_terms
from cpe_opt.proofs.subsets.optimistic_gap import OptimisticGap, Radius, SetPool
from cpe_opt.proofs.subsets.planned_blocks import Differences, TooManySets
from cpe_opt.ties import on_grid

Threshold: TypeAlias = Literal["proved", "heuristic"]
_HEURISTIC = "its threshold is not proved"
_NEAR = 1e-9  # of the sum of means that a gap is: less is rounding
_GROWTH, _PROOF_GROWTH = 1.1, 1.02  # of pulls until sets are sought, or a proof is tried, again
_MOST, _KEPT = 1_000, 500


class SingleEvidence:
    """Means and pulls of the elements, shapes (n,), and the evidence for the best set."""

    def __init__(
        self,
        oracle: SubsetOracle,
        sigma: float,
        delta: float,
        threshold: Threshold = "proved",
        margin: float = 0.0,
    ) -> None:
        decisions, size = oracle.decisions, oracle.size
        self._rivals: Differences | SetPool
        self._proof: ProofSchedule | None = None
        try:
            self._rivals = rivals = Differences(decisions, best_on_grid(oracle, np.zeros(size)))
            log = math.log(rivals.count) - math.log(delta)
        except TooManySets:
            self._proof = ProofSchedule(oracle)
            self._rivals = self._proof.found
            log = decisions.log_count_bound() - math.log(delta)
        self.proved = threshold == "proved"
        self._oracle, self._sigma, self._delta = oracle, sigma, delta
        self._margin, self._threshold = margin, GlrThreshold(log)
        self._constants: FloatArray = np.zeros(0)
        self._total = np.zeros(size)
        self.mean: FloatArray = np.zeros(size)
        self.pulls: FloatArray = np.zeros(size)
        self._leading = LeadingSet(oracle, self.mean, sparing=self._proof is not None)
        self._rows: FloatArray = np.zeros((0, size))
        self._different: FloatArray = self._rows
        self._rows_of: tuple[tuple[int, ...], int] | None = None

    def add(self, element: int, total: float, times: int = 1) -> None:
        """Count rewards of an element: their sum, and how many they are."""
        self._total[element] += total
        self.pulls[element] += times
        self._leading.change(element, float(self._total[element] / self.pulls[element]))

    def best(self) -> tuple[int, ...]:
        """A best set for the means; 0 is that of an element without a pull."""
        return self._leading.best()

    def answer(self) -> tuple[int, ...] | Unproved:
        """The best set, with a doubt where the threshold is not proved."""
        return self.best() if self.proved else Unproved(self.best(), _HEURISTIC)

    def gaps(self) -> FloatArray:
        """Δ of every set that the best one is compared with; shape (J,), empty if it is alone."""
        self._refresh()
        gaps = np.maximum(0.0, self._rows @ self.mean)
        near = gaps <= _NEAR * (self._different @ np.abs(self.mean))
        return np.where(near, 0.0, gaps)

    def distances(self, gaps: FloatArray, pulls: FloatArray) -> FloatArray:
        """Nats to the instances in which those sets are as good, by these pulls; shape (J,)."""
        return np.asarray(gaps**2 / (2.0 * self._sigma**2 * (self._different @ (1.0 / pulls))))

    def gradients(self, gaps: FloatArray, pulls: FloatArray, chosen: IntArray) -> FloatArray:
        r""":math:`(\hat\theta_e - \lambda_e)^2 / 2\sigma^2` of some distances; (chosen, n)."""
        different = self._different[chosen]
        total = different @ (1.0 / pulls)
        moved = gaps[chosen, None] * different / (pulls * total[:, None])
        return np.asarray((moved / self._sigma) ** 2 / 2.0)

    def enough(self) -> bool:
        """Whether the distances by all pulls are above their thresholds."""
        answer, pulls = self.best(), float(self.pulls.sum())
        if self._proof is not None:
            self._proof.seek(answer, self.mean, self._terms(), pulls)
        distances = self.distances(self.gaps() + self._margin, self.pulls)
        if self.proved:
            told = bool((distances > self.thresholds()).all())
        else:
            told = bool((distances > heuristic_threshold(pulls, self._delta)).all())
        if self._proof is None or not told:
            return told
        return self._proof.proves(answer, self.mean, self._terms(), pulls, self._margin)

    def loss(self) -> float:
        """By how much another set may be better; by the proved threshold, of sets not listed."""
        assert self._proof is not None
        gap = OptimisticGap(self._oracle, self._proof.found, self.best(), self.mean, self._terms())
        return max(0.0, gap.bound())

    @property
    def rows(self) -> FloatArray:
        """The differences of the best set to those that it is compared with; shape (J, n)."""
        self._refresh()
        return self._rows

    def thresholds(self) -> FloatArray:
        """β of each of them; shape (J,)."""
        return np.asarray(self._different @ glr_terms(self.pulls) + self._constants)

    def _refresh(self) -> None:
        """The differences of the set that leads now to those that have been found by now."""
        key = self.best(), 0 if self._proof is None else self._proof.found.changes
        if key != self._rows_of:
            self._rows_of, self._rows = key, self._rivals.rows(key[0])
            self._different = np.abs(self._rows)
            self._constants = self._threshold.constants(self._different.sum(axis=1))

    def _terms(self) -> ThresholdRadius:
        """What the radii of sets are made of."""
        spread = 2.0 * self._sigma**2 / self.pulls
        if self.proved:
            affine = self._threshold.affine(2 * self._oracle.decisions.rank)
            return ThresholdRadius(spread, glr_terms(self.pulls), *affine)
        alike = np.array([heuristic_threshold(float(self.pulls.sum()), self._delta)])
        return ThresholdRadius(spread, np.zeros(len(spread)), alike, np.zeros(1))


def heuristic_threshold(pulls: float, delta: float) -> float:
    r"""Of experiments, :math:`\ln((1 + \ln t) / \delta)`: errors may be more frequent than δ."""
    return math.log(1.0 + math.log(pulls)) - math.log(delta)


class ProofSchedule:
    """When further sets are sought, and when a proof for all sets is tried.

    For a class that is no matroid and has too many sets to list, the best set is compared with the
    sets found so far. Whenever pulls have grown by a tenth, the oracle is asked, for each element
    of the best set, for a set without it that has a large optimistic gap
    (:mod:`cpe_opt.proofs.subsets.optimistic_gap`): such sets are those that the pulls tell apart
    worst. A proof is tried only where all sets found so far are told apart. Where it fails, the set
    for which it fails joins them, and the next proof is tried when pulls have grown by 2 %. Of more
    than a thousand sets those with the largest gaps stay.
    """

    def __init__(self, oracle: SubsetOracle) -> None:
        self._oracle = oracle
        self.found = SetPool(oracle.decisions)
        self._next_search = self._next_proof = 0.0

    def seek(self, best: tuple[int, ...], mean: FloatArray, radius: Radius, pulls: float) -> None:
        """Seek further sets, if it is time."""
        if pulls < self._next_search:
            return
        self._next_search = _GROWTH * pulls
        gap = OptimisticGap(self._oracle, self.found, best, mean, radius)
        gap.extend_pool()
        if len(self.found) > _MOST:
            kept = np.zeros(len(self.found), np.bool_)
            values = gap.pool_gaps
            largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
            order = np.argsort(-on_grid(values, largest=largest), kind="stable")
            kept[order[:_KEPT]] = True
            self.found.keep(kept)

    def proves(
        self, best: tuple[int, ...], mean: FloatArray, radius: Radius, pulls: float, margin: float
    ) -> bool:
        """Whether no set has an optimistic gap above the margin; not tried before it is time."""
        if pulls < self._next_proof:
            return False
        self._next_proof = _PROOF_GROWTH * pulls
        return OptimisticGap(self._oracle, self.found, best, mean, radius).at_most(margin) <= margin
