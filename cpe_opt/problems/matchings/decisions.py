"""Matchings as a decision class: sets of edges of a bipartite graph that fill every position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.validation import checked_types


class Matchings(DecisionClass):
    """The matchings of a bipartite graph that fill every position.

    Parameters
    ----------
    graph : BipartiteGraph
    """

    @checked_types
    def __init__(self, graph: BipartiteGraph) -> None:
        super().__init__(graph.size, [graph.label(edge) for edge in range(graph.size)])
        self.graph = graph

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
