r"""Quadratic forms of all sets of a class, from its halves: exact maxima without a list of sets.

With the halves f and g of a set (:mod:`cpe_opt.problems.subsets.decisions`), and a symmetric matrix M
with the blocks :math:`M_{11}, M_{12}, M_{22}` of the two parts of the elements,

.. math:: \chi^\top M \chi + b^\top \chi = (f^\top M_{11} f + b_1^\top f)
          + 2 f^\top M_{12}\, g + (g^\top M_{22}\, g + b_2^\top g) .

The parts in brackets are numbers of a half, and the middle ones of all sets of a block are one
product of matrices. Of each block the best set is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.problems.subsets.decisions import indicators
from cpe_opt.problems.subsets.decisions import Halves

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
