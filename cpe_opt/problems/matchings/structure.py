"""How a bipartite graph hangs together: its width, and why no matching fills every position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from cpe_opt.arrays import IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.matchings import counting

_MOST_MATCHINGS = 1000


class Graph(counting.Graph, Protocol):
    """What these need of a bipartite graph beyond what counting does."""

    candidate: IntArray
    position: IntArray

    @property
    def is_complete(self) -> bool:
        """Whether every candidate may take every position."""

    def matchings(self) -> Iterator[tuple[int, ...]]:
        """Every matching."""


def width(graph: Graph) -> int:
    """The width of the graph, see :meth:`cpe_opt.BipartiteGraph.width`."""
    count = counting.count_matchings(graph)
    if count < 2:
        raise InputError(f"{graph.name} has a single matching and so no width")
    if graph.is_complete:
        return 2 * graph.positions
    if count > _MOST_MATCHINGS:
        raise InputError(
            f"{graph.name} has {count:,} matchings; the width of a graph that is not complete "
            f"is found by enumerating at most {_MOST_MATCHINGS:,}"
        )
    every = [tuple(graph.candidate[list(matching)].tolist()) for matching in graph.matchings()]
    return max(
        largest_component(first, second)
        for number, first in enumerate(every)
        for second in every[:number]
    )


def hall_violator(graph: Graph) -> tuple[int, ...]:
    """Positions with fewer candidates between them than they are; empty where none are."""
    ones = np.ones(graph.size, dtype=np.int8)
    shape = (graph.positions, graph.candidates)
    table = csr_array((ones, (graph.position, graph.candidate)), shape=shape)
    taken = maximum_bipartite_matching(table, perm_type="column").tolist()
    free = [j for j, candidate in enumerate(taken) if candidate < 0]
    if not free:
        return ()
    holder = {candidate: j for j, candidate in enumerate(taken) if candidate >= 0}
    # Alternating paths from a free position end at positions only: their neighbours are taken.
    reached, waiting = {free[0]}, [free[0]]
    while waiting:
        for edge in graph.edges_at[waiting.pop()].tolist():
            other = holder[graph.edges[edge][0]]
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return tuple(sorted(reached))


def largest_component(first: Sequence[int], second: Sequence[int]) -> int:
    """The most edges in a component of the union of two matchings, given as candidates by position.

    Positions hang together where one's candidate in one matching is another's in the other.
    """
    holder = {candidate: j for j, candidate in enumerate(second)}
    seen: set[int] = set()
    best = 0
    # Paths start where the first matching's candidate is free in the second; cycles anywhere.
    starts = sorted(range(len(first)), key=lambda j: second[j] in set(first))
    for start in starts:
        if start in seen:
            continue
        size, j = 0, start
        members: set[int] = set()
        while j is not None and j not in members:
            members.add(j)
            size += 1 if first[j] == second[j] else 2
            j = holder.get(first[j])  # type: ignore[assignment]
        seen |= members
        best = max(best, size)
    return best
