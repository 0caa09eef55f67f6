r"""What blocks of single pulls prove of a class too large to list, by two kinds of weights.

Block b is planned before it begins: :math:`n_{be} \ge 1` pulls of each element, and its weight
:math:`w_b`. Its means are :math:`\hat\theta_b`. For a difference y of two sets, with entries -1, 0
and 1, :math:`y^\top \hat\theta_b` is an unbiased estimate of :math:`y^\top \theta`, and its
variance proxy is :math:`\sum_{e \in y} 1/n_{be}` (in units of σ). So with

.. math:: S_y = \sum_b w_b\, y^\top \hat\theta_b, \qquad W = \sum_b w_b, \qquad
          V_y = \sum_{e \in y} a_e, \qquad a_e = \sum_b \frac{w_b^2}{n_{be}} ,

:math:`e^{\rho (S_y - W y^\top \theta) - \rho^2 V_y / 2}` is a non-negative supermartingale that
starts at 1, for every :math:`\rho`; and so are mixtures of these, also with the sign of y turned.
By Ville's inequality and a union over J differences, with s(V) as in
:mod:`cpe_opt.proofs.mixture` for :math:`\ln (J/\delta)`,

.. math:: y^\top \theta > \frac{S_y - s(V_y)}W

at all times and for all of them, except with probability δ. J is one less than the number of sets,
as in :mod:`cpe_opt.proofs.subsets.listed_blocks`. Here the weights are the same for all y
(:class:`WeightedBlocks`), so that :math:`S_y` is linear in the indicator of a set, and :math:`V_y`
is: a linear oracle can go through all sets. The weight that is planned with a block minimises the
largest :math:`\sqrt{2 L V_y} / W - \hat\Delta_y` after it, over the differences that are known.

**Weights of its own.** The bound of :mod:`cpe_opt.proofs.subsets.listed_blocks` weights blocks by
what they tell of y (:class:`OwnWeights`),

.. math:: S^*_y = \sum_b \frac{y^\top \hat\theta_b}{v_b(y)}, \qquad
          V^*_y = \sum_b \frac1{v_b(y)}, \qquad v_b(y) = \sum_{e \in y} \frac1{n_{be}} .

The two are the same where blocks have the same proportions and :math:`w_b` is how large they are.
Else it is the better one, by a factor of about two in pulls, but it is no function of few sums, so
that it can be computed only for sets that are named.

**Both at once.** At :math:`(1 - \gamma) \delta` the first bound fails for some y with probability
:math:`(1 - \gamma) \delta` at most, at :math:`\gamma \delta` the second one with probability
:math:`\gamma \delta`. So except with probability δ both hold at all times for all y, and any set
may be told apart by either. Those for which the first is not enough are few near the end of a run:
the search by the oracle meets them one after another, and goes on without those that the second
tells apart.

**Concave.** The logarithm of the mixture is convex in S and V, and the points where it is at most
:math:`\ln (J/\delta)` are a convex set, of which s(V) is the upper end: s is concave, and below its
tangents. These are linear in the set once more, which is what
:mod:`cpe_opt.proofs.subsets.optimistic_gap` asks for.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.proofs.mixture import BlockMixture
from cpe_opt.ties import first_smallest

_MIXTURE = BlockMixture.of_range(largest=2.0, smallest=1e-6, alike=0.003)
_TYPICAL = 4.0  # elements in which two sets differ that are near: the unit of ρ
_FACTORS = np.geomspace(0.05, 20.0, 49)
_ROUNDING = 1e-9
MIXTURE_COST = 3.0
"""About what a mixture costs, in nats, as ln(1/δ) is."""


class WeightedBlocks:
    """Weighted sums of the means of blocks, and the radii of sets by them.

    Parameters
    ----------
    size : int
        n.
    needed : float
        The logarithm of J/δ.

    Attributes
    ----------
    needed : float
        As given.
    weight : float
        W.
    """

    def __init__(self, size: int, needed: float) -> None:
        self.needed, self.weight = needed, 0.0
        self._sums: FloatArray = np.zeros(size)
        self._variances: FloatArray = np.zeros(size)

    def weight_of(
        self, elements: IntArray, times: IntArray, different: FloatArray, gaps: FloatArray
    ) -> float:
        """A weight for a planned block, good for the differences that are known."""
        usual = float(times.mean()) / _TYPICAL
        if not self.weight or not len(gaps):
            return usual
        weights = usual * _FACTORS
        before, block = different @ self._variances, different[:, elements] @ (1.0 / times)
        variances = before[:, None] + block[:, None] * weights**2
        radii = np.sqrt(2.0 * (self.needed + MIXTURE_COST) * variances) / (self.weight + weights)
        return float(weights[first_smallest((radii - gaps[:, None]).max(axis=0))])

    def add(self, elements: IntArray, times: IntArray, means: FloatArray, weight: float) -> None:
        """Count a block."""
        self.weight += weight
        self._sums[elements] += weight * means
        self._variances[elements] += weight**2 / times

    @property
    def means(self) -> FloatArray:
        """Those of the blocks, weighted; shape (n,)."""
        return np.asarray(self._sums / self.weight)

    @property
    def features(self) -> FloatArray:
        """The a of the elements, which those of a difference add up to V; shape (n, 1)."""
        return self._variances[:, None]

    def precisions(self, different: FloatArray) -> FloatArray:
        """One over the variance of the estimates of differences; shape (sets,)."""
        return np.asarray(self.weight**2 / (different @ self._variances))

    def radii(self, sums: FloatArray) -> FloatArray:
        """s(V)/W, a little more; shape (sets,) for V of shape (sets, 1)."""
        return np.asarray(_MIXTURE.least_sums(sums[:, 0], self.needed) * self._share)

    def places(self, sums: FloatArray) -> FloatArray:
        """V: where the line of a set touches."""
        return np.asarray(sums[:, 0])

    def lines(self, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Tangents of s(V)/W."""
        constants, slopes = _MIXTURE.tangents(places, self.needed)
        return constants * self._share, slopes[:, None] * self._share

    @property
    def _share(self) -> float:
        """1/W, a little more so that rounding decides nothing."""
        return (1.0 + _ROUNDING) / self.weight


class OwnWeights:
    """The means of blocks, weighted for each difference by what they tell of it.

    Parameters
    ----------
    needed : float
        The logarithm of J over the part of δ that this bound is at.
    """

    def __init__(self, needed: float) -> None:
        self.needed = needed
        self._means: list[FloatArray] = []
        self._variances: list[FloatArray] = []

    def add(self, elements: IntArray, times: IntArray, means: FloatArray, size: int) -> None:
        """Count a block, as :meth:`WeightedBlocks.add`."""
        for kept, values in ((self._means, means), (self._variances, 1.0 / times)):
            kept.append(np.zeros(size))
            kept[-1][elements] = values

    def sums(self, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
        """S and V of differences, none of 0; shapes (sets,)."""
        precisions = 1.0 / (np.abs(rows) @ np.array(self._variances).T)
        return (
            np.asarray((precisions * (rows @ np.array(self._means).T)).sum(axis=1)),
            np.asarray(precisions.sum(axis=1)),
        )

    def tell(self, rows: FloatArray, margin: float) -> BoolArray:
        """Of which differences the bound says that they are above minus the margin."""
        told, different = np.zeros(len(rows), np.bool_), rows.any(axis=1)
        sums, information = self.sums(rows[different])
        least = _MIXTURE.least_sums(information, self.needed)
        rounding = _ROUNDING * (np.abs(sums) + least)
        told[different] = sums - least - rounding >= -margin * information
        return told
