r"""What single rewards tell of the best set, and when that is enough.

:math:`\hat\theta` are the means of :math:`N_e` pulls of each element, with normal noise of standard
deviation σ, and :math:`\hat M` is best for them. The instance nearest to the means in which M is as
good is, in nats,

.. math:: \inf_{\lambda(M) \ge \lambda(\hat M)} \sum_e N_e \frac{(\hat\theta_e - \lambda_e)^2}
    {2 \sigma^2} = \frac{\Delta_M^2}{2 \sigma^2 \sum_{e \in M \triangle \hat M} 1/N_e}, \qquad
    \Delta_M = \hat\theta(\hat M) - \hat\theta(M) ,

away, at :math:`\lambda_e = \hat\theta_e \mp \Delta_M N_e^{-1} / \sum_{M \triangle \hat M} 1/N`,
less inside :math:`\hat M` and more outside. The least over the sets M is the *evidence*. Of a
matroid exchanges of one element alone have the least
(:mod:`cpe_opt.formulations.subsets.alternatives`); all sets are gone through of other classes.

**When it is enough.** Every M has a threshold of its own,

.. math:: \beta_M = 2 \sum_{e \in M \triangle \hat M} \ln(4 + \ln N_e) + d\, C\Bigl(\frac1d
    \ln \frac J\delta\Bigr), \qquad d = |M \triangle \hat M|, \qquad
    C(x) = \min_{1/2 < \lambda < 1} \frac1\lambda \Bigl(x + 2\lambda - 2\lambda \ln(4\lambda) +
    \ln \zeta(2\lambda) - \tfrac12 \ln(1 - \lambda)\Bigr) ,

with J = k(n - k) for exchanges, and K - 1 for a list of K sets. Where all distances are above
theirs, :math:`\hat M` is wrong with probability at most δ: for a fixed set D of d elements

.. math:: \sum_{e \in D} N_e \frac{(\hat\theta_e - \theta_e)^2}{2 \sigma^2} \le
    2 \sum_{e \in D} \ln(4 + \ln N_e) + d\, C\Bigl(\frac1d \ln\frac1\delta\Bigr)

at all times but for a probability of δ, whatever decides what is pulled (Kaufmann, Koolen, "Mixture
martingales revisited with applications to sequential tests and confidence intervals", JMLR 22,
2021, corollary 10). Fix a best set :math:`M^\circ` of the truth. A wrong answer is one of K - 1,
and the truth is an instance in which :math:`M^\circ` is as good, so that its distance is at most
the sum over :math:`D = M^\circ \triangle \hat M`. A wrong base of a matroid has an exchange with an
element of :math:`M^\circ` that is as good for the truth, one of k(n - k) pairs (as in
:mod:`cpe_opt.formulations.subsets.block_bounds`), and D is that pair.

The corollary is stated for normal noise; the martingales behind it, mixtures of
:math:`\exp(\eta S - \eta^2 N / 2)`, are supermartingales for sub-Gaussian noise.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias, get_args

import numpy as np
import scipy.optimize as so
import scipy.special

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.subsets.block_bounds import Rivals
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.subsets.leading_set import LeadingSet, best_on_grid

Threshold: TypeAlias = Literal["proved", "unproven"]
THRESHOLDS: tuple[Threshold, ...] = get_args(Threshold)
_UNPROVEN = "its threshold is not proved"
_NEAR = 1e-9  # of the sum of means that a gap is: less is rounding


class SingleEvidence:
    r"""Means of the elements, and the evidence for the best set.

    Parameters
    ----------
    oracle : SubsetOracle
        Of a matroid, or of a class that can be listed.
    sigma : float
    delta : float
    threshold : "proved" or "unproven"
        β above, or :math:`\ln((1 + \ln t) / \delta)` after t pulls, which is customary in
        experiments.

    Attributes
    ----------
    mean, pulls : float arrays, shape (n,)
    proved : bool
        Whether the threshold is.

    Raises
    ------
    InputError, UnknownName
    """

    def __init__(
        self, oracle: SubsetOracle, sigma: float, delta: float, threshold: Threshold = "proved"
    ) -> None:
        decisions, size = oracle.decisions, oracle.size
        try:
            self._rivals = Rivals(decisions, best_on_grid(oracle, np.zeros(size)))
        except InputError as error:
            if "too many" not in str(error):
                raise
            raise InputError(
                f"{decisions.name} is no matroid and has too many sets to go through all of them "
                "in every round: 'clucb' needs no list"
            ) from None
        self.proved = checked_threshold(threshold)
        self._sigma, self._delta = sigma, delta
        self._constant_of: dict[int, float] = {}
        self._constants: FloatArray = np.zeros(0)
        self._total = np.zeros(size)
        self.mean: FloatArray = np.zeros(size)
        self.pulls: FloatArray = np.zeros(size)
        self._leading = LeadingSet(oracle, self.mean)
        self._rows: FloatArray = np.zeros((0, size))
        self._different: FloatArray = self._rows
        self._answer: tuple[int, ...] | None = None

    def add(self, element: int, reward: float) -> None:
        """Count one reward."""
        self._total[element] += reward
        self.pulls[element] += 1.0
        self._leading.change(element, float(self._total[element] / self.pulls[element]))

    def best(self) -> tuple[int, ...]:
        """A best set for the means; 0 is that of an element without a pull."""
        return self._leading.best()

    def answer(self) -> tuple[int, ...] | Unproved:
        """The best set, with a doubt where the threshold is not proved."""
        return self.best() if self.proved else Unproved(self.best(), _UNPROVEN)

    def gaps(self) -> FloatArray:
        """Δ of every set that the best one is held against; shape (J,), none where it is alone."""
        answer = self.best()
        if answer != self._answer:
            self._answer, self._rows = answer, self._rivals.rows(answer)
            self._different = np.abs(self._rows)
            sizes = self._different.sum(axis=1).astype(int).tolist()
            self._constants = np.array([self._constant(size) for size in sizes])
        gaps = np.maximum(0.0, self._rows @ self.mean)
        near = gaps <= _NEAR * (self._different @ np.abs(self.mean))
        return np.where(near, 0.0, gaps)

    def distances(self, gaps: FloatArray, pulls: FloatArray) -> FloatArray:
        """Nats to the instances in which those sets are as good, by these pulls; shape (J,)."""
        return np.asarray(gaps**2 / (2.0 * self._sigma**2 * (self._different @ (1.0 / pulls))))

    def gradients(self, gaps: FloatArray, pulls: FloatArray, chosen: IntArray) -> FloatArray:
        r"""The derivatives of some of the distances by the pulls; shape (chosen, n).

        They are :math:`(\hat\theta_e - \lambda_e)^2 / 2\sigma^2`.
        """
        different = self._different[chosen]
        total = different @ (1.0 / pulls)
        moved = gaps[chosen, None] * different / (pulls * total[:, None])
        return np.asarray((moved / self._sigma) ** 2 / 2.0)

    def enough(self) -> bool:
        """Whether the distances by all pulls are above their thresholds."""
        distances = self.distances(self.gaps(), self.pulls)
        if not distances.size:
            return True
        if self.proved:
            return bool((distances > self._thresholds()).all())
        return float(distances.min()) > customary(float(self.pulls.sum()), self._delta)

    def _thresholds(self) -> FloatArray:
        """β of each row."""
        return np.asarray(
            2.0 * self._different @ np.log(4.0 + np.log(self.pulls)) + self._constants
        )

    def _constant(self, size: int) -> float:
        """D C(ln(J/δ)/d)."""
        if size not in self._constant_of:
            log = math.log(self._rivals.count / self._delta)
            self._constant_of[size] = size * deviation_constant(log / size)
        return self._constant_of[size]


def customary(pulls: float, delta: float) -> float:
    """The threshold of many experiments, without a proof, for the least distance."""
    return math.log((1.0 + math.log(pulls)) / delta)


def checked_threshold(threshold: str) -> bool:
    """Whether the threshold is the proved one, or :class:`UnknownName`."""
    if threshold not in THRESHOLDS:
        raise UnknownName("threshold", threshold, THRESHOLDS)
    return threshold == "proved"


def deviation_constant(x: float) -> float:
    """C(x) for x above 0: any λ gives a bound, the best one the least."""

    def bound(power: float) -> float:
        entropy = 2.0 * power - 2.0 * power * math.log(4.0 * power)
        zeta = math.log(float(scipy.special.zeta(2.0 * power)))
        return (x + entropy + zeta - 0.5 * math.log1p(-power)) / power

    least = so.minimize_scalar(bound, bounds=(0.5 + 1e-9, 1.0 - 1e-12), method="bounded")
    return float(least.fun)
