r"""An upper bound on a quadratic form over sets of k of n elements, as close as is asked for.

Branch and bound: a node has elements that are in, elements that are out, and the form over sets of
so many of the rest,

.. math:: \chi^\top W_{RR} \chi + (d_R + 2 W_{RI} 1)^\top \chi + 1^\top W_{II} 1 + d_I^\top 1,

bounded by eigenvalues (:mod:`cpe_opt.formulations.quadratic.bounds`), from the δ of the node above.
The node of the largest bound is split on the element that weighs most in it. Where few elements
weigh much, as in the pricing of designs that tell some sets from one, few splits are needed. The
largest bound of the nodes that are left is a bound on all sets whenever it stops.
"""

from __future__ import annotations

import heapq
import math
import time
from itertools import count

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.quadratic.bounds import Bound, spectral_bound
from cpe_opt.ties import first_largest

_FIRST, _STEPS = 3_000, 60


def branched_bound(
    matrix: FloatArray,
    k: int,
    *,
    value: float,
    target: float,
    nodes: int = 2_000,
    shift: FloatArray | None = None,
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
    shift : float array, shape (n,), optional
        The first δ, 0 by default.
    deadline : float
        Of the clock of ``time.perf_counter``.
    """
    every = np.arange(len(matrix))
    nothing = np.zeros(0, dtype=np.int64)
    order = count()
    first = np.zeros(len(matrix)) if shift is None else shift
    root = _node_bound(matrix, k, nothing, every, first, value, target, _FIRST)
    heap = [(-root.value, next(order), nothing, every, root.shift)]
    for _ in range(nodes):
        largest, _, inside, rest, first = heap[0]
        single = len(inside) == k or len(inside) + len(rest) == k
        if -largest <= target or single or time.perf_counter() > deadline:
            break
        heapq.heappop(heap)
        split = int(rest[_heaviest(matrix, inside, rest)])
        rest = rest[rest != split]
        for chosen in (np.append(inside, split), inside):
            if len(chosen) <= k <= len(chosen) + len(rest):
                node = _node_bound(matrix, k, chosen, rest, first, value, target, _STEPS)
                bound = min(-largest, node.value)
                heapq.heappush(heap, (-bound, next(order), chosen, rest, node.shift))
    return max(value, -heap[0][0])


def _node_bound(
    matrix: FloatArray,
    k: int,
    inside: IntArray,
    rest: IntArray,
    shift: FloatArray,
    value: float,
    target: float,
    steps: int,
) -> Bound:
    """A bound on the sets that have these elements and so many of the rest, and its δ."""
    constant = float(matrix[np.ix_(inside, inside)].sum())
    left = k - len(inside)
    if left == 0:
        return Bound(constant, shift)
    bound = spectral_bound(
        matrix[np.ix_(rest, rest)],
        left,
        2.0 * matrix[np.ix_(rest, inside)].sum(axis=1),
        value=value - constant,
        target=target - constant,
        steps=steps,
        shift=shift[rest],
    )
    shift = shift.copy()
    shift[rest] = bound.shift
    return Bound(constant + bound.value, shift)


def _heaviest(matrix: FloatArray, inside: IntArray, rest: IntArray) -> int:
    """The place of the element of the rest with the largest entries."""
    form = np.abs(matrix[np.ix_(rest, rest)]).sum(axis=1)
    return int(first_largest(form + 2.0 * np.abs(matrix[np.ix_(rest, inside)]).sum(axis=1)))
