r"""Who is in the best team, by bounds on differences of sets.

Of a class that is listed, a member is in the best team where every set without it is proved to be
worse, and not in it where every set with it is. Of a matroid, a member e of the base is in the best
one where it is proved to be better than all that it may be exchanged for, for it is the only best
one of a cocircuit then; and f is not where it is proved to be worse than all that may be exchanged
for it, the only worst one of a circuit.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.subsets.block_bounds import Rivals
from cpe_opt.problems.subsets.decisions import DecisionClass

Standing: TypeAlias = Literal["in", "possible", "out"]


def shortest_estimate(vectors: FloatArray, times: IntArray, sums: FloatArray) -> FloatArray:
    """Least squares; the smallest numbers where several do."""
    root = np.sqrt(times)
    return np.asarray(np.linalg.lstsq(root[:, None] * vectors, sums / root, rcond=1e-9)[0])


def block_estimate(
    vectors: FloatArray, times: IntArray, sums: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Least squares of a block, its inverse on the span, and the projection on all else."""
    information = vectors.T @ (times[:, None] * vectors)
    inverse = np.asarray(np.linalg.pinv(information, rcond=1e-9, hermitian=True), np.float64)
    hidden = np.eye(len(information)) - information @ inverse
    return inverse @ (vectors.T @ sums), inverse, (hidden + hidden.T) / 2.0


def standings(
    decisions: DecisionClass, rivals: Rivals, best: tuple[int, ...], lower: FloatArray
) -> tuple[Standing, ...]:
    """Of each element, where ``lower`` are the bounds of the rows of the best set."""
    rows, inside = rivals.rows(best), np.zeros(decisions.size, dtype=bool)
    inside[list(best)] = True
    found: list[Standing] = []
    for element in range(decisions.size):
        against = lower[rows[:, element] != 0.0]
        sure = bool((against > 0.0).all())
        word: Standing = "in" if inside[element] else "out"
        found.append(word if sure else "possible")
    return tuple(found)
