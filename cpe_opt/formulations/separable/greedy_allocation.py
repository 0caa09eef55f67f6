r"""GreedyOSA: the lexicographically first best allocation of samples.

To minimise :math:`\sum_i a_i^2 / y_i` over whole :math:`y_i \ge 1` that add up to k, start from the
base :math:`\max(1, \lfloor \alpha_i - \sum_{j \ne i} \delta_j \rfloor)`,
:math:`\alpha_i = k a_i / \sum_j a_j`, :math:`\delta_i = 0` where
:math:`\lceil\alpha_i\rceil (\lceil\alpha_i\rceil - 1) \ge \alpha_i^2` and
:math:`\lceil\alpha_i\rceil - \alpha_i` else, and add one where it helps most; of the last ones,
which help equally, those with the largest index. As gains fall with every sample, no allocation is
better.

The base is safe, the floor of the real optimum is not (Lemma 8); where :math:`a_i = 0` the printed
:math:`\delta_i = 0` is not either, and 1 takes its place. Increments whose gain exceeds a threshold
are made at once, one by one only the last. Gains within a relative 1e-12 count as equal.

Huang, Ok, Li, Chen (IJCAI 2018), appendix B.2.
"""

from __future__ import annotations

import heapq
import math

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.magnitude import unit_of

_EQUAL = 1e-12


def greedy_allocation(scale: FloatArray, budget: int) -> IntArray:
    """GreedyOSA with :math:`a_i` = ``scale``; shape (m,)."""
    if not scale.any():
        return np.ones(len(scale), dtype=np.int64)
    scale = scale / unit_of(scale)
    allocation = safe_base(scale, budget)
    left = budget - int(allocation.sum())
    if left > len(scale):
        allocation = _above_threshold(scale, allocation, budget)
        left = budget - int(allocation.sum())
    # Roots of gains: squares of entries far below the largest would all be 0.
    heap = [
        (-a / math.sqrt(y * (y + 1.0)), -i)
        for i, (a, y) in enumerate(zip(scale.tolist(), allocation.tolist(), strict=True))
    ]
    heapq.heapify(heap)
    while left:
        # All whose gain is largest, up to rounding; of more than are left, the largest indices.
        best = heap[0][0]
        equal = []
        while heap and heap[0][0] <= best * (1.0 - 0.5 * _EQUAL):
            equal.append(-heapq.heappop(heap)[1])
        for i in sorted(equal, reverse=True)[:left]:
            allocation[i] += 1
            left -= 1
        for i in equal:
            y = float(allocation[i])
            heapq.heappush(heap, (-scale[i] / math.sqrt(y * (y + 1.0)), -i))
    return allocation


def safe_base(scale: FloatArray, budget: int) -> IntArray:
    """GreedyOSA's base, no larger than any optimal allocation."""
    if not scale.any():
        return np.ones(len(scale), dtype=np.int64)
    alpha = budget * scale / scale.sum()
    ceiling = np.ceil(alpha)
    delta = np.where(ceiling * (ceiling - 1.0) >= alpha**2, 0.0, ceiling - alpha)
    delta[alpha == 0.0] = 1.0  # as printed it is 0, though such an arm has one of the samples
    # A base that rounding makes too small costs a step; one too large would be wrong.
    floor = np.floor(alpha - (delta.sum() - delta) - _EQUAL * budget)
    return np.asarray(np.maximum(1, floor), dtype=np.int64)


def _above_threshold(scale: FloatArray, base: IntArray, budget: int) -> IntArray:
    """The increments with gains above a threshold; all but at most m of them all."""

    def at(threshold: float) -> IntArray:
        # y is reached where the root of the gain a² / (y - 1) y of its last step exceeds this.
        root = np.floor(0.5 + np.sqrt(0.25 + (scale / threshold) ** 2) - 1e-9)
        return np.asarray(np.maximum(base, root.astype(np.int64)))

    high = float((scale / np.sqrt(base * (base + 1.0))).max())
    low = high
    while at(low).sum() <= budget:
        low /= math.sqrt(2.0)
    for _ in range(200):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        total = int(at(middle).sum())
        if total <= budget:
            high = middle
            if budget - total <= len(scale):
                break
        else:
            low = middle
    return at(high)
