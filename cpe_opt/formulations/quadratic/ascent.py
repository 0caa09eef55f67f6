r"""Sets that no local step improves: swap search for k of n, ascent for every class.

Ascent maximises the linearised form again and again. With c so large that :math:`W + cI \succeq 0`,
the form is :math:`\chi^\top (W + cI) \chi + (d - c 1)^\top \chi` for 0/1 vectors; it is convex, so
it lies above its linearisation, and a set that is better for that is better.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.quadratic import local_search as search
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.modelling.program import BoolArray
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.ties import on_grid

_GAIN = 1e-13  # of the largest entries, each of a set's k² times: less is rounding


def local_maxima(
    matrix: FloatArray,
    decisions: DecisionClass,
    linear: FloatArray,
    starts: int,
    rng: np.random.Generator,
) -> BoolArray:
    """Sets that local search ends at from several starts; indicators, shape (starts, n).

    Swap search for k of n, ascent for every other class.
    """
    if not isinstance(decisions, TopK):
        return ascent(matrix, decisions, linear, starts, rng)
    k, one = decisions.rank, np.ones(1)
    begin = [
        search.peeling(matrix, k, one, linear[None, :]),
        search.greedy(matrix, k, one, linear[None, :]),
        search.random_starts(rng, max(0, starts - 2), len(matrix), k),
    ]
    chi = np.concatenate(begin)[:starts]
    return search.swap_search(matrix, np.ones(len(chi)), np.tile(linear, (len(chi), 1)), chi)


def ascent(
    matrix: FloatArray, decisions: DecisionClass, linear: FloatArray, starts: int,
    rng: np.random.Generator,
) -> BoolArray:  # fmt: skip
    """Sets that ascent ends at from several starts, the first from W's diagonal and d."""
    oracle = SubsetOracle(decisions)
    lift = max(0.0, -float(np.linalg.eigvalsh(matrix)[0]))
    gain = _GAIN * float(np.abs(matrix).max() + np.abs(linear).max()) * decisions.rank**2
    ends = []
    for start in range(starts):
        members = _some(
            oracle, np.diag(matrix) + linear if start == 0 else rng.normal(size=len(linear))
        )
        value = quadratic_value(matrix, linear, members)
        while True:
            chi = indicators([members], decisions.size)[0]
            better = _some(oracle, 2.0 * (matrix @ chi + lift * chi) + linear - lift)
            reached = quadratic_value(matrix, linear, better)
            if reached <= value + gain:
                break
            members, value = better, reached
        ends.append(members)
    return indicators(ends, decisions.size) > 0.5


def _some(oracle: SubsetOracle, weights: FloatArray) -> tuple[int, ...]:
    members = oracle.maximise(on_grid(weights))
    if members is None:
        raise InputError(f"{oracle.decisions.name} has no set")
    return members


def quadratic_value(matrix: FloatArray, linear: FloatArray, members: Iterable[int]) -> float:
    """The form at a set."""
    chosen = list(members)
    return float(matrix[np.ix_(chosen, chosen)].sum() + linear[chosen].sum())
