r"""Matchings as a decision class: sets of edges of a bipartite graph that fill every position.

The polytope of the matchings is that of

.. math:: \sum_{e \in E_j} x_e = 1 \;\forall j, \quad \sum_{e \ni c} x_e \le 1 \;\forall c, \quad
    x \ge 0 ;

every vertex of it is a matching, also where some edges are fixed at 0 or at 1. A matching of the
largest weight is an assignment of candidates to positions at the least cost.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.subsets.decisions import DecisionClass, Halves, RowBuilder
from cpe_opt.validation import checked_types


class Matchings(DecisionClass):
    """The matchings of a bipartite graph that fill every position.

    Parameters
    ----------
    graph : BipartiteGraph

    Examples
    --------
    >>> Matchings(BipartiteGraph.complete(3, 2)).count()
    6
    """

    noun: ClassVar[str] = "edge"

    @checked_types
    def __init__(self, graph: BipartiteGraph) -> None:
        super().__init__(graph.size, graph.edge_labels)
        self.graph = graph
        self._number = np.full((graph.positions, graph.candidates), -1)
        self._number[graph.position, graph.candidate] = np.arange(graph.size)
        self._rows = np.arange(graph.positions)
        self._blank = np.full((graph.positions, graph.candidates), np.inf)
        self._place = graph.position * graph.candidates + graph.candidate  # in a flat table

    @property
    def name(self) -> str:
        """Such as ``matchings of 4 candidates, 2 positions``."""
        return f"matchings of {self.graph.candidates} candidates, {self.graph.positions} positions"

    @property
    def fingerprint(self) -> dict[str, Any]:
        """The edges."""
        return {"matchings": self.graph.edges}

    @property
    def sizes(self) -> tuple[int, ...]:
        """One edge a position."""
        return (self.graph.positions,)

    def count(self) -> int:
        """By dynamic programming."""
        return self.graph.count_matchings()

    def log_count_bound(self) -> float:
        """Positions filled in turns, those with the fewest edges first.

        Each by one of its edges, and by one of the candidates that are left.
        """
        edges = sorted(len(edges) for edges in self.graph.edges_at)
        left = range(self.graph.candidates, 0, -1)
        return math.fsum(math.log(min(ways)) for ways in zip(edges, left, strict=False))

    def sets(self) -> Iterator[tuple[int, ...]]:
        """Every matching."""
        return iter(self.graph.matchings())

    @checked_types
    def contains(self, chosen: Iterable[int]) -> bool:
        """One edge a position, and no candidate twice."""
        edges = sorted(chosen)
        places = self.graph.position[edges].tolist()
        people = self.graph.candidate[edges].tolist()
        return places == list(range(self.graph.positions)) and len(set(people)) == len(people)

    def best(
        self, weights: FloatArray, include: Sequence[int] = (), exclude: Sequence[int] = ()
    ) -> tuple[int, ...] | None:
        """By shortest augmenting paths; one edge a position, in their order."""
        edges = self.cheapest(-weights, include, exclude)
        return None if edges is None else tuple(edges.tolist())

    def cheapest(
        self,
        costs: FloatArray,
        include: Sequence[int] | IntArray = (),
        exclude: Sequence[int] | IntArray = (),
    ) -> IntArray | None:
        """A matching of the least cost, shape (positions,), as :meth:`best` finds it."""
        from scipy.optimize import linear_sum_assignment  # slow to load

        try:
            _, columns = linear_sum_assignment(self.cost_table(costs, include, exclude))
        except ValueError:
            if not np.isfinite(costs).all():
                raise InputError("a weight is not a finite number") from None
            return None
        return self.assigned_elements(columns)

    def cost_table(
        self,
        costs: FloatArray,
        include: Sequence[int] | IntArray = (),
        exclude: Sequence[int] | IntArray = (),
    ) -> FloatArray:
        """The assignment of candidates to positions, shape (positions, candidates)."""
        position, candidate = self.graph.position, self.graph.candidate
        table = self._blank.copy()
        table.ravel()[self._place] = costs
        if len(exclude):
            table.ravel()[self._place[np.asarray(exclude)]] = np.inf
        for edge in include:
            j, c = position[edge], candidate[edge]
            cost = table[j, c]
            table[j, :] = table[:, c] = np.inf
            table[j, c] = cost
        return table

    def assigned_elements(self, columns: IntArray) -> IntArray:
        """The edges that give every position its candidate; shape (positions,)."""
        return np.asarray(self._number[self._rows, columns])

    def halves(self, most: int) -> Halves | None:
        """Matchings of the first half of the positions, and of the last half."""
        try:
            if self.count() > most:
                return None
        except InputError:  # too many to be counted
            return None
        middle = self.graph.positions // 2
        first, second = (
            self._partial(range(*ends)) for ends in ((0, middle), (middle, self.graph.positions))
        )
        blocks = []
        for taken, halves in first.items():
            others = [group for used, group in second.items() if not taken & used]
            if others:
                blocks.append((halves, [half for group in others for half in group]))
        early = self.graph.position < middle
        return Halves.of((np.flatnonzero(early).tolist(), np.flatnonzero(~early).tolist()), blocks)

    def _partial(self, positions: Iterable[int]) -> dict[frozenset[int], list[tuple[int, ...]]]:
        """The matchings of some positions by the candidates that they use."""
        found: dict[frozenset[int], list[tuple[int, ...]]] = {frozenset(): [()]}
        for position in positions:
            longer: dict[frozenset[int], list[tuple[int, ...]]] = {}
            for edge in self.graph.edges_at[position].tolist():
                candidate = self.graph.edges[edge][0]
                for used, halves in found.items():
                    if candidate not in used:
                        group = longer.setdefault(used | {candidate}, [])
                        group += [(*half, edge) for half in halves]
            found = longer
        return found

    @property
    def keys(self) -> Sequence[Any]:
        """(candidate, position) of every edge."""
        return self.graph.edges

    @property
    def integral(self) -> bool:
        """The rows of an assignment are totally unimodular."""
        return True

    def program_rows(
        self, builder: RowBuilder, columns: IntArray, *, integer: bool = False, prefix: str = ""
    ) -> None:
        """``position_s``: one of its edges; ``candidate_c``: at most one of its edges."""
        graph, ones = self.graph, np.ones(self.size)
        builder.rows(
            f"{prefix}position",
            graph.positions,
            graph.position,
            columns,
            ones,
            lower=1.0,
            upper=1.0,
        )
        builder.rows(
            f"{prefix}candidate", graph.candidates, graph.candidate, columns, ones, upper=1.0
        )
