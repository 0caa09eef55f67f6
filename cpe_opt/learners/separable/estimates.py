r"""Estimates of the arms' parameters, the box of their intervals, and the boxes that may follow.

With S the sum of an arm's T rewards, all in [0, 1], its estimate is :math:`S / T`, or, where the
parameters are variances, :math:`Q / (T - 1)` with Q the sum of the squared distances from the mean.
In round t, one more than the pulls of all arms so far,

.. math:: \hat\theta \pm \sqrt{\ln(4 t^3 / \tau\delta) / 2 T} \quad\text{cut to } [0, 1] .

**What k more pulls can do.** Means: S grows by 0 to k, so that the new one is between
:math:`S / (T + k)` and :math:`(S + k) / (T + k)`; both ends move outwards with k. Variances: a
further reward x adds :math:`n / (n + 1) \cdot (x - m)^2` to Q, where m is the mean of the n rewards
before it. That is at least 0 and at most :math:`D^2`, D the largest distance of a point of [0, 1]
from a mean that k pulls can lead to. So the new one is at least :math:`Q / (T - 1 + k)`, which
falls with k, and at most :math:`(Q + k D^2) / (T - 1 + k)`: an average of :math:`Q / (T - 1)` and
:math:`D^2` with weights :math:`T - 1` and k, so that the larger of the old one and this bounds what
fewer pulls lead to, too. The radius falls with T and grows with t.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.separable.box_test import BoxRange
from cpe_opt.problems.separable.model import VARIANCE

_ROUNDING = 1e-12


class ArmEstimates:
    """Means or variances of the arms, and their intervals.

    Parameters
    ----------
    size : int
        m, the number of arms.
    tau : int
        1 for means, 2 for variances.
    delta : float

    Attributes
    ----------
    pulls : list of int
        T, of each arm.
    rounds : int
        Pulls of all arms.
    values : list of float
        The estimates; 0 where an arm has too few pulls for one.
    """

    def __init__(self, size: int, *, tau: int, delta: float) -> None:
        self.pulls = [0] * size
        self.rounds = 0
        self.values = [0.0] * size
        self._tau, self._delta = tau, delta
        self._lost = int(tau == VARIANCE)  # degrees of freedom
        self._sum = [0.0] * size
        self._squares = [0.0] * size
        self._evidence = [0.0] * size  # S, or Q
        self._width = [math.inf] * size  # the radius over the root of the logarithm

    def add(self, arm: int, rewards: FloatArray) -> None:
        """Count observations."""
        total, squares = self._sum[arm], self._squares[arm]
        # One after the other: sums do not depend on how the rewards were batched.
        for reward in rewards.tolist():
            total += reward
            squares += reward * reward
        self._sum[arm], self._squares[arm] = total, squares
        self.rounds += len(rewards)
        self.pulls[arm] += len(rewards)
        count = self.pulls[arm]
        self._width[arm] = math.sqrt(0.5 / count)
        evidence = total
        if self._lost:
            evidence = max(0.0, squares - total**2 / count)
        self._evidence[arm] = evidence
        if count > self._lost:
            self.values[arm] = evidence / (count - self._lost)

    def box(self) -> tuple[list[float], list[float]]:
        """The lower and the upper ends of the intervals in the next round."""
        root = self._root(self.rounds + 1)
        low, high = [], []
        for value, width in zip(self.values, self._width, strict=True):
            radius = root * width
            low.append(value - radius if value > radius else 0.0)
            high.append(value + radius if value + radius < 1.0 else 1.0)
        return low, high

    def reach(self, more: Sequence[int]) -> BoxRange:
        """Bounds on the boxes of the next rounds, as many as there are further pulls.

        Whatever is observed, and in whatever order; 1e-12 to spare for rounding.

        Parameters
        ----------
        more : sequence of int, length m
            The further pulls of each arm.
        """
        evidence, further = np.array(self._evidence), np.array(more)
        after = np.array(self.pulls) + further
        gain: float | FloatArray = 1.0
        if self._lost:
            mean = np.array(self._sum) / after
            gain = np.maximum(mean + further / after, 1.0 - mean) ** 2
        least = evidence / (after - self._lost)
        largest = np.maximum(self.values, (evidence + gain * further) / (after - self._lost))
        widest = self._root(self.rounds + sum(more)) * np.array(self._width) + _ROUNDING
        narrowest = self._root(self.rounds + 1) * np.sqrt(0.5 / after) - _ROUNDING
        return BoxRange(
            np.maximum(0.0, largest - narrowest),
            np.minimum(1.0, least + narrowest),
            np.maximum(0.0, least - widest),
            np.minimum(1.0, largest + widest),
        )

    def _root(self, t: int) -> float:
        """The root of ``ln(4 t^3 / tau delta)``."""
        return math.sqrt(math.log(4.0 * t**3 / self._tau) - math.log(self._delta))
