r"""What a table of scores proves of new items: differences of means, ranks, who is equal, who best.

K arms have scores :math:`y_{at} \in [0, 1]` on n items. Their means over *these* items are known,
and nothing is left to prove of them. What is proved is about :math:`\theta_a = E\, y_a`, the mean
on *new* items, where these items and new ones are drawn independently from one source.

**One difference.** Let :math:`d_t = y_{it} - y_{jt}` and :math:`\Delta = \theta_i - \theta_j`. For
a number :math:`c > -1` and a stake :math:`0 \le s \le 1`,

.. math:: E(c) = \sum_s w_s \prod_{t \le n} \Bigl(1 - s + s\,\frac{1 + d_t}{1 + c}\Bigr),
          \qquad w_s \ge 0, \quad \sum_s w_s = 1.

**Theorem.** If :math:`\Delta \le c`, then E(c), item by item, is a non-negative supermartingale
that begins at 1: given the items before, a factor has the mean
:math:`1 - s + s (1 + \Delta)/(1 + c) \le 1`, and it is at least 0, as :math:`d_t \ge -1`. By Ville
it ever reaches :math:`1/\delta'` with probability at most :math:`\delta'`. E(c) falls in c. So with

.. math:: L = \sup\,\{c : E(c) \ge 1/\delta'\}

:math:`\Delta > c` for every c below L, except with probability :math:`\delta'`, for every n, and at
all of them at once: items may be added until something is proved. In a product the order of items
does not matter; so none has to be chosen, and nobody can choose one.

**All at once.** Each of the K(K − 1) ordered pairs has :math:`\delta' = \delta / K(K-1)`: with
probability at least :math:`1 - \delta` no bound is ever wrong, and neither is anything that follows
from bounds alone:

- :math:`\theta_i - \theta_k > L_{ij} + L_{jk}`, so that each L is the largest sum along a path;
- *i is better than j* where :math:`L_{ij} \ge 0`; the best rank of i is 1 and how many are better,
  its worst one K less how many it is better than; i is *the best* where it is better than all;
- *equal within* :math:`\varepsilon` where both of :math:`L_{ij}, L_{ji} \ge -\varepsilon`; the
  *tied set* is all that may be the best, once every two of them are equal.

**Clusters.** Where items come in clusters that are drawn independently, the mean of :math:`d_t`
over the items of a cluster takes the place of :math:`d_t`; it is in [-1, 1] whatever depends on
what within. :math:`\theta` is then the mean over clusters, in which each weighs the same. Looks at
several times are covered as long as whole clusters are added: one that grows has another mean.

**Missing scores.** A pair uses the items that both arms have. That the source of these is that of
all is an assumption: whether a score is missing may not depend on what it would be.

The stakes are geometric, with equal weights: that costs at most :math:`\ln` of their number, and
for a stake between two of them a part of a nat. L is rounded down to a multiple of
:math:`2^{-16}`. Relatives: Waudby-Smith, Ramdas, *Estimating means of bounded random variables by
betting* (2023).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.ties import TIE, in_bits

STAKES = (0.95, *(2.0 ** (-k / 2) for k in range(1, 14)))
"""s: half as many cost about a nat in bounds of middling differences."""
_STEP = 2.0**-16
_PART = 16  # factors of a product, none of which leaves the range of floats


@dataclass(frozen=True, eq=False, kw_only=True)
class NewItemStatements:
    """What a table of scores proves of new items."""

    labels: tuple[str, ...]  # of the K arms
    delta: float  # the probability that anything said is wrong
    margin: float
    # of the scores that are there, or over clusters: estimates on new items; NaN without any; (K,)
    means: FloatArray
    scored: IntArray  # how many items have a score of each arm, shape (K,)
    items: int
    clusters: int | None  # how many there are, if items come in clusters
    # the mean of i on new items exceeds that of j by more than `lower[i, j]`; 0 on the diagonal, -1
    # where nothing is known; shape (K, K)
    lower: FloatArray

    @property
    def better(self) -> BoolArray:
        """Whether it is proved that i is better than j; shape (K, K)."""
        return np.asarray((self.lower >= 0.0) & ~np.eye(len(self.lower), dtype=np.bool_))

    @property
    def ranks(self) -> tuple[tuple[int, int], ...]:
        """The best and the worst rank that each arm may have; equal means share the best one."""
        worse, better = self.better.sum(axis=1), self.better.sum(axis=0)
        return tuple((1 + int(b), len(worse) - int(w)) for w, b in zip(worse, better, strict=True))

    @property
    def equal(self) -> BoolArray:
        """Whether two arms are proved to be equal within the margin; shape (K, K)."""
        within = self.lower >= -self.margin - TIE
        return np.asarray(within & within.T & ~np.eye(len(within), dtype=np.bool_))

    @property
    def tied_set(self) -> tuple[int, ...]:
        """All that may be the best, if every two of them are equal within the margin."""
        possible = [arm for arm, (best, _) in enumerate(self.ranks) if best == 1]
        equal = self.equal[np.ix_(possible, possible)] | np.eye(len(possible), dtype=np.bool_)
        return tuple(possible) if self.margin and len(possible) > 1 and equal.all() else ()

    @property
    def order(self) -> IntArray:
        """The arms, the best first by the means."""
        return np.argsort(-in_bits(self.means, 40), kind="stable")


def new_item_statements(
    scores: FloatArray,
    labels: Sequence[str],
    delta: float,
    *,
    margin: float = 0.0,
    clusters: Sequence[object] | None = None,
) -> NewItemStatements:
    """What scores of shape (K, n), in [0, 1] and NaN where there is none, prove of new items."""
    arms, items = scores.shape
    if clusters is not None and len(clusters) != items:
        raise InputError(f"clusters: {len(clusters):,}, expected one per item, {items:,}")
    if arms < 2:
        raise InputError(f"scores: {arms} arm, expected at least 2")
    number = None if clusters is None else np.unique([*map(str, clusters)], return_inverse=True)[1]
    lower = np.zeros((arms, arms))
    for i in range(arms):
        others = np.delete(np.arange(arms), i)
        units = unit_means(scores[i] - scores[others], number)
        lower[i, others] = lower_bounds(units, delta / (arms * (arms - 1)))
    for k in range(arms):  # paths by way of k
        lower = np.maximum(lower, lower[:, [k]] + lower[[k], :])
    np.fill_diagonal(lower, 0.0)
    units = unit_means(scores, number)
    there = ~np.isnan(units)
    means = np.full(arms, np.nan)
    means[there.any(axis=1)] = np.nanmean(units[there.any(axis=1)], axis=1)
    return NewItemStatements(
        labels=tuple(labels),
        delta=delta,
        margin=margin,
        means=means,
        scored=(~np.isnan(scores)).sum(axis=1),
        items=items,
        clusters=None if number is None else int(number.max()) + 1,
        lower=lower,
    )


def unit_means(values: FloatArray, cluster: IntArray | None) -> FloatArray:
    """Means over the items of each cluster that have a value; items themselves without clusters."""
    import pandas as pd

    if cluster is None:
        return values
    return pd.DataFrame(values.T).groupby(cluster).mean().to_numpy(dtype=np.float64).T


def lower_bounds(differences: FloatArray, delta: float) -> FloatArray:
    """L of every row of differences in [-1, 1], NaN where there is none; shape (m,)."""
    enough = math.log(1.0 / delta) + TIE
    low = np.zeros(len(differences), dtype=np.int64)  # in steps from -1 on
    high = np.full(len(differences), round(2.0 / _STEP))
    while (high - low > 1).any():
        middle = (low + high) // 2
        refuted = log_e_value(differences, middle * _STEP - 1.0) >= enough
        low, high = np.where(refuted, middle, low), np.where(refuted, high, middle)
    return np.asarray(low * _STEP - 1.0)


def log_e_value(differences: FloatArray, c: FloatArray) -> FloatArray:
    """The logarithm of E(c) of every row, above -1; shape (m,)."""
    # A difference that is not there counts for c, whose factor is 1.
    ratio = (1.0 + differences) / (1.0 + c[:, None])
    ratio[np.isnan(ratio)] = 1.0
    short = -ratio.shape[1] % _PART
    ratio = np.concatenate([ratio, np.ones((len(ratio), short))], axis=1)
    ratio = ratio.reshape(len(ratio), -1, _PART)
    logs = [np.log(np.prod(1.0 + s * (ratio - 1.0), axis=2)).sum(axis=1) for s in STAKES]
    return np.asarray(np.logaddexp.reduce(np.array(logs), axis=0) - math.log(len(STAKES)))
