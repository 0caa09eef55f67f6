r"""An upper bound on a quadratic form over sets of k of n elements, as close as is asked for.

Branch and bound: a node has elements that are in, elements that are out, and the form over sets of
so many of the rest,

.. math:: \chi^\top W_{RR} \chi + (d_R + 2 W_{RI} 1)^\top \chi + 1^\top W_{II} 1 + d_I^\top 1,

bounded by eigenvalues (:mod:`cpe_opt.formulations.quadratic.bounds`). The node of the largest bound
is split on the element that weighs most in it. Where few elements weigh much, as in the pricing of
designs that tell some sets from one, few splits are needed. The largest bound of the nodes that are
left is a bound on all sets whenever it stops.
"""

from __future__ import annotations

import heapq
import math
import time
from itertools import count

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.quadratic.bounds import spectral_bound
from cpe_opt.ties import first_largest

_FIRST, _STEPS = 200, 60


def branched_bound(
    matrix: FloatArray,
    k: int,
    *,
    value: float,
    target: float,
    nodes: int = 2_000,
    deadline: float = math.inf,
) -> float:
    """No set of k elements has a larger value than this.

    Parameters
    ----------
    matrix : float array, shape (n, n)
        W, symmetric.
    k : int
    value : float
        One that is attained.
    target : float
        A bound that is good enough, at least ``value``.
    nodes : int
        At most so many splits.
    deadline : float
        Of the clock of ``time.perf_counter``.
    """
    every = np.arange(len(matrix))
    nothing = np.zeros(0, dtype=np.int64)
    order = count()
    bound = _node_bound(matrix, k, nothing, every, value, _FIRST)
    heap = [(-bound, next(order), nothing, every)]
    for _ in range(nodes):
        largest, _, inside, rest = heap[0]
        single = len(inside) == k or len(inside) + len(rest) == k
        if -largest <= target or single or time.perf_counter() > deadline:
            break
        heapq.heappop(heap)
        split = int(rest[_heaviest(matrix, inside, rest)])
        rest = rest[rest != split]
        for chosen in (np.append(inside, split), inside):
            if len(chosen) <= k <= len(chosen) + len(rest):
                bound = min(-largest, _node_bound(matrix, k, chosen, rest, value, _STEPS))
                heapq.heappush(heap, (-bound, next(order), chosen, rest))
    return max(value, -heap[0][0])


def _node_bound(
    matrix: FloatArray, k: int, inside: IntArray, rest: IntArray, value: float, steps: int
) -> float:
    """A bound on the sets that have these elements and so many of the rest."""
    constant = float(matrix[np.ix_(inside, inside)].sum())
    left = k - len(inside)
    if left == 0:
        return constant
    linear = 2.0 * matrix[np.ix_(rest, inside)].sum(axis=1)
    form = matrix[np.ix_(rest, rest)]
    return constant + spectral_bound(form, left, linear, value=value - constant, steps=steps).value


def _heaviest(matrix: FloatArray, inside: IntArray, rest: IntArray) -> int:
    """The place of the element of the rest with the largest entries."""
    form = np.abs(matrix[np.ix_(rest, rest)]).sum(axis=1)
    return int(first_largest(form + 2.0 * np.abs(matrix[np.ix_(rest, inside)]).sum(axis=1)))
