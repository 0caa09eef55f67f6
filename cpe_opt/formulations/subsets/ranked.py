r"""The best sets of a class in order, by the linear oracle alone.

A *part* of the class has the sets that contain some elements I and lack others R. Let M be its best
set, and :math:`e_1, e_2, \dots` the elements of M that are not in I. As no set contains another,
every other set of the part lacks one of them, and so is in exactly one of the parts with
:math:`I \cup \{e_1, \dots, e_{i-1}\}` and :math:`R \cup \{e_i\}`. The next best set of the class is
the best one of all parts that are left: at most as many problems a set as it has elements.

E. L. Lawler, "A procedure for computing the K best solutions to discrete optimization problems and
its application to the shortest path problem", Management Science 18, 1972.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.ties import on_grid

_Part = tuple[float, tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def ranked_subsets(
    oracle: SubsetOracle, weights: FloatArray, count: int
) -> list[tuple[tuple[int, ...], float]]:
    """The best sets and what they weigh, best first; all of them where there are no more.

    Parameters
    ----------
    oracle : SubsetOracle
    weights : float array, shape (n,)
        Seen on the grid of :mod:`cpe_opt.ties`, as are the values.
    count : int
        How many, at least 1.
    """
    gridded, parts = on_grid(weights), list[_Part]()

    def add(include: Sequence[int], exclude: Sequence[int]) -> None:
        members = oracle.maximise(gridded, include, exclude)
        if members is not None:
            value = float(gridded[list(members)].sum())
            heapq.heappush(parts, (-value, members, tuple(include), tuple(exclude)))

    add((), ())
    found: list[tuple[tuple[int, ...], float]] = []
    while parts and len(found) < count:
        loss, members, include, exclude = heapq.heappop(parts)
        found.append((members, -loss))
        if len(found) == count:
            break
        kept = list(include)
        for element in members:
            if element not in include:
                add(kept, (*exclude, element))
                kept.append(element)
    return found
