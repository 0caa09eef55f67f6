r"""Heuristics for sets of k elements with a large quadratic value, many problems at once.

Problem b maximises, over sets S of k elements with indicator χ,

.. math:: f_b(\chi) = s_b \chi^\top W \chi + d_b^\top \chi , \qquad s_b \ge 0 .

Problems share W and differ in ``scale`` s, shape (problems,), and ``linear`` d, shape
(problems, n). Answers are indicators, shape (problems, n), as bool.

**Local steps.** Ascent maximises the linearised form again and again. With c so large that
:math:`W + cI \succeq 0`, the form is :math:`\chi^\top (W + cI) \chi + (d - c 1)^\top \chi` for 0/1
vectors; it is convex, so it lies above its linearisation, and a set that is better for that is
better.

**Quadratic forms of all sets of a class, from its halves: exact maxima without a list of sets.**

With the halves f and g of a set (:mod:`cpe_opt.problems.subsets.decisions`), and a symmetric matrix
M with the blocks :math:`M_{11}, M_{12}, M_{22}` of the two parts of the elements,

.. math:: \chi^\top M \chi + b^\top \chi = (f^\top M_{11} f + b_1^\top f)
          + 2 f^\top M_{12}\, g + (g^\top M_{22}\, g + b_2^\top g) .

The parts in brackets are numbers of a half, and the middle ones of all sets of a block are one
product of matrices. Of each block the best set is kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.formulations.subsets.alternatives import best_on_grid
from cpe_opt.formulations.subsets.oracle import OutOfTime, SubsetOracle
from cpe_opt.problems.subsets.decisions import DecisionClass, Halves, indicators
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.ties import first_largest

_GAIN = 1e-12  # of the largest entries: less is rounding
_ASCENT_GAIN = 1e-13  # of the largest entries, each of a set's k² times: less is rounding


def quadratic_forms(vectors: FloatArray, matrix: FloatArray) -> FloatArray:
    """X'Wx of every row x; shape (rows,)."""
    return np.asarray(((vectors @ matrix) * vectors).sum(axis=1))


def values(matrix: FloatArray, scale: FloatArray, linear: FloatArray, chi: BoolArray) -> FloatArray:
    """f_b of each indicator; shape (problems,)."""
    x = chi.astype(np.float64)
    return np.asarray(scale * quadratic_forms(x, matrix) + (linear * x).sum(axis=1))


def peeling(matrix: FloatArray, k: int, scale: FloatArray, linear: FloatArray) -> BoolArray:
    r"""Drop the vertex of least weighted degree until k are left (the paper's Algorithm 1).

    In the complete graph with edge weights :math:`b_{ij} + b_{ii} + b_{jj}`, where b is
    :math:`s W + \mathrm{Diag}(d)`. A constant added to all edges changes no comparison, so that
    weights may have any sign. O(n²) a problem.
    """
    problems, n = linear.shape
    diagonal = scale[:, None] * np.diag(matrix) + linear
    off = matrix - np.diag(np.diag(matrix))
    degree = scale[:, None] * off.sum(axis=1) + (n - 2) * diagonal + diagonal.sum(axis=1)[:, None]
    kept = np.ones((problems, n), np.bool_)
    every = np.arange(problems)
    for _ in range(n - k):
        dropped = _first_largest(np.where(kept, -degree, -np.inf))
        kept[every, dropped] = False
        degree -= scale[:, None] * off[dropped] + diagonal[every, dropped][:, None] + diagonal
    return kept


def greedy(matrix: FloatArray, k: int, scale: FloatArray, linear: FloatArray) -> BoolArray:
    """Add the element of the largest gain until there are k."""
    problems, n = linear.shape
    gain = scale[:, None] * np.diag(matrix) + linear
    chosen = np.zeros((problems, n), np.bool_)
    every = np.arange(problems)
    for _ in range(k):
        added = _first_largest(np.where(chosen, -np.inf, gain))
        chosen[every, added] = True
        gain = gain + 2.0 * scale[:, None] * matrix[added]
    return chosen


def swap_search(
    matrix: FloatArray, scale: FloatArray, linear: FloatArray, start: BoolArray
) -> BoolArray:
    r"""Swap an element inside with one outside, always the best such pair, while it helps.

    From :math:`\chi` to :math:`\chi - e_i + e_j` the value grows by
    :math:`a_j - a_i - 2 s W_{ij}` with :math:`a_j = 2 s (W\chi)_j + s W_{jj} + d_j` outside and
    :math:`a_i = 2 s (W\chi)_i - s W_{ii} + d_i` inside.
    """
    problems, n = start.shape
    k = int(start[0].sum())
    if k == n:
        return start
    inside = np.argsort(~start, axis=1, kind="stable")[:, :k]
    outside = np.argsort(start, axis=1, kind="stable")[:, : n - k]
    slope = start.astype(np.float64) @ matrix  # W chi
    diagonal = np.diag(matrix)
    open_ = np.arange(problems)
    tolerance = _GAIN * (scale * np.abs(matrix).max() + np.abs(linear).max(axis=1))
    while open_.size:
        into, out = inside[open_], outside[open_]
        s, d, g = scale[open_, None], linear[open_], slope[open_]
        loss = _take(2.0 * s * g - s * diagonal + d, into)
        win = _take(2.0 * s * g + s * diagonal + d, out)
        gain = win[:, None, :] - loss[:, :, None]
        gain -= 2.0 * s[:, :, None] * matrix[into[:, :, None], out[:, None, :]]
        flat = gain.reshape(len(open_), -1)
        best = _first_largest(flat)
        every = np.arange(len(open_))
        better = flat[every, best] > tolerance[open_]
        open_, best = open_[better], best[better]
        i, j = np.divmod(best, n - k)
        leaving, coming = inside[open_, i], outside[open_, j]
        inside[open_, i], outside[open_, j] = coming, leaving
        slope[open_] += matrix[coming] - matrix[leaving]
    swapped = np.zeros_like(start)
    np.put_along_axis(swapped, inside, values=True, axis=1)
    return swapped


def random_starts(rng: np.random.Generator, count: int, n: int, k: int) -> BoolArray:
    """Uniform random sets; shape (count, n)."""
    return np.asarray(rng.random((count, n)).argsort(axis=1, kind="stable") < k)


def _first_largest(rows: FloatArray) -> IntArray:
    """The first column of each row's largest number, by the magnitude of the row's numbers."""
    finite = np.where(np.isfinite(rows), np.abs(rows), 0.0)
    return first_largest(rows, scale=finite.max(axis=1, keepdims=True))


def _take(array: FloatArray, columns: np.ndarray) -> FloatArray:
    return np.take_along_axis(array, columns, axis=1)


def local_maxima(
    matrix: FloatArray,
    decisions: DecisionClass,
    linear: FloatArray,
    starts: int,
    rng: np.random.Generator,
    deadline: float = math.inf,
) -> BoolArray:
    """Sets that swap search (k of n) or ascent ends at from several starts; (starts, n)."""
    if not isinstance(decisions, TopK):
        return ascent(matrix, decisions, linear, starts, rng, deadline)
    k, one = decisions.rank, np.ones(1)
    begin = [
        peeling(matrix, k, one, linear[None, :]),
        greedy(matrix, k, one, linear[None, :]),
        random_starts(rng, max(0, starts - 2), len(matrix), k),
    ]
    chi = np.concatenate(begin)[:starts]
    return swap_search(matrix, np.ones(len(chi)), np.tile(linear, (len(chi), 1)), chi)


def ascent(
    matrix: FloatArray, decisions: DecisionClass, linear: FloatArray, starts: int,
    rng: np.random.Generator, deadline: float = math.inf,
) -> BoolArray:  # fmt: skip
    """Sets that ascent ends at from several starts, the first from W's diagonal and d."""
    oracle = SubsetOracle.quick(decisions, deadline=deadline)
    lift = max(0.0, -float(np.linalg.eigvalsh(matrix)[0]))
    gain = _ASCENT_GAIN * float(np.abs(matrix).max() + np.abs(linear).max()) * decisions.rank**2
    ends = []
    with suppress(OutOfTime):
        for start in range(starts):
            if time.perf_counter() > deadline:
                break
            members = best_on_grid(
                oracle, np.diag(matrix) + linear if start == 0 else rng.normal(size=len(linear))
            )
            value = quadratic_value(matrix, linear, members)
            while True:
                chi = indicators([members], decisions.size)[0]
                better = best_on_grid(oracle, 2.0 * (matrix @ chi + lift * chi) + linear - lift)
                reached = quadratic_value(matrix, linear, better)
                if reached <= value + gain:
                    break
                members, value = better, reached
            ends.append(members)
    return indicators(ends, decisions.size) > 0.5


def quadratic_value(matrix: FloatArray, linear: FloatArray, members: Iterable[int]) -> float:
    """The form at a set."""
    chosen = list(members)
    return float(matrix[np.ix_(chosen, chosen)].sum() + linear[chosen].sum())


# Quadratic forms of all sets of a class, from its halves: exact maxima without a list of sets.


_CHUNK = 2**15  # halves at once


def block_forms(halves: Halves, matrix: FloatArray, linear: FloatArray) -> Iterator[FloatArray]:
    """The value of every set, block by block; shapes (first halves, second halves)."""
    one, two = halves.elements
    first, second = (
        _own_forms(rows, matrix[np.ix_(part, part)], linear[part])
        for rows, part in zip(halves.rows, halves.elements, strict=True)
    )
    between = 2.0 * matrix[np.ix_(one, two)]
    for here, there in halves.blocks:
        ahead, behind = (
            rows[block].astype(np.float64)
            for rows, block in zip(halves.rows, (here, there), strict=True)
        )
        yield ahead @ between @ behind.T + first[here, None] + second[there]


def best_of_blocks(
    halves: Halves,
    matrix: FloatArray,
    linear: FloatArray | None = None,
    score: Callable[[FloatArray, FloatArray], FloatArray] | None = None,
    theta: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """The largest value (or ``score``) of each block, and its set's indicator; (B,) and (B, n)."""
    size = len(matrix)
    zero = np.zeros_like(matrix)
    forms = block_forms(halves, matrix, np.zeros(size) if linear is None else linear)
    rewards = None if theta is None else block_forms(halves, zero, theta)
    best, values = [], []
    for form, (here, there) in zip(forms, halves.blocks, strict=True):
        value = form if score is None or rewards is None else score(form, next(rewards))
        place = divmod(int(value.argmax()), value.shape[1])
        values.append(value[place])
        best.append(halves.joined(int(here[place[0]]), int(there[place[1]])).tolist())
    return np.array(values), indicators(best, size)


def _own_forms(rows: np.ndarray, matrix: FloatArray, linear: FloatArray) -> FloatArray:
    """The numbers of halves; shape (halves,)."""
    chunks = (rows[at : at + _CHUNK].astype(np.float64) for at in range(0, len(rows), _CHUNK))
    return np.concatenate([quadratic_forms(part, matrix) + part @ linear for part in chunks])
