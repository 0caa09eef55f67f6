r"""Spanning trees and forests of a graph: the bases of its graphic matroid.

Their polytope has exponentially many facets and a small extended formulation: for every vertex r an
orientation of each edge towards r, such that at most one edge leaves any vertex and none leaves r
(R. K. Martin, "Using separation algorithms to generate mixed integer model reformulations",
Operations Research Letters 10, 1991).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.subsets.decisions import RowBuilder
from cpe_opt.problems.subsets.edges import Edge, edge_labels, numbered
from cpe_opt.problems.subsets.matroids import Matroid
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import networkx as nx


class GraphicMatroid(Matroid):
    """The spanning forests of an undirected graph: the bases of its graphic matroid.

    Parameters
    ----------
    edges : sequence of (vertex, vertex)
        No loops; parallel edges are allowed.
    labels : sequence of str, optional
        ``u-v`` by default.

    Attributes
    ----------
    ends : tuple of (int, int)
        The edges between numbered vertices.
    vertices : tuple
        Their names, in the order of appearance.
    """

    @checked_types
    def __init__(self, edges: Sequence[Edge], labels: Sequence[str] | None = None) -> None:
        self.vertices, self.ends = numbered(edges)
        super().__init__(len(self.ends), edge_labels(edges, "-") if labels is None else labels)

    @property
    def name(self) -> str:
        """Such as ``forests of 5 vertices, 8 edges``."""
        return f"forests of {len(self.vertices)} vertices, {self.size} edges"

    @property
    def fingerprint(self) -> dict[str, Any]:
        """The edges."""
        return {"bases": self.ends}

    def rank_of(self, elements: Sequence[int]) -> int:
        """Edges that join two components."""
        parent = list(range(len(self.vertices)))

        def root(vertex: int) -> int:
            while parent[vertex] != vertex:
                parent[vertex] = parent[parent[vertex]]
                vertex = parent[vertex]
            return vertex

        rank = 0
        for element in elements:
            u, v = (root(end) for end in self.ends[element])
            if u != v:
                parent[u] = v
                rank += 1
        return rank

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """One size: vertices less components."""
        return (self.rank_of(range(self.size)),)

    def count(self) -> int:
        """Kirchhoff's theorem, component by component; exact below 2^53."""
        laplacian = np.zeros((len(self.vertices), len(self.vertices)))
        for u, v in self.ends:
            laplacian[[u, v, u, v], [u, v, v, u]] += [1.0, 1.0, -1.0, -1.0]
        forests = 1.0
        for component in self._components():
            kept = component[1:]
            forests *= float(np.linalg.det(laplacian[np.ix_(kept, kept)])) if kept else 1.0
        return round(forests)

    def sets(self) -> Iterator[tuple[int, ...]]:
        """By deciding edge after edge, with a look at what is still possible."""

        def extend(chosen: tuple[int, ...], element: int) -> Iterator[tuple[int, ...]]:
            if len(chosen) == self.rank:
                yield chosen
                return
            rest = range(element, self.size)
            if self.rank_of([*chosen, *rest]) < self.rank:
                return
            if self.rank_of([*chosen, element]) > len(chosen):
                yield from extend((*chosen, element), element + 1)
            yield from extend(chosen, element + 1)

        return extend((), 0)

    @property
    def integral(self) -> bool:
        """Martin (1991)."""
        return True

    def program_rows(
        self, builder: RowBuilder, columns: IntArray, *, integer: bool = False, prefix: str = ""
    ) -> None:
        """Martin's extended formulation.

        ``edges``: as many as the rank. For every vertex r columns ``z_r_e_0``, ``z_r_e_1``, edge e
        taken from its first or its second end, rows ``joined_r_e``: the two add up to ``x_e``, and
        ``away_r_v``: at most one edge leaves v.
        """
        ends = np.array(self.ends)
        builder.row(f"{prefix}edges", columns, lower=self.rank, upper=self.rank)
        vertices, edges = len(self.vertices), self.size
        every = np.arange(edges)
        for root in range(vertices):
            away = [
                builder.columns(
                    f"{prefix}z_{root}",
                    [(edge, side) for edge in range(edges)],
                    upper=np.where(ends[:, side] == root, 0.0, 1.0),
                    integer=integer,
                )
                for side in (0, 1)
            ]
            builder.rows(
                f"{prefix}joined_{root}",
                edges,
                np.concatenate([every, every, every]),
                np.concatenate([*away, columns]),
                np.repeat([1.0, 1.0, -1.0], edges),
                lower=0.0,
                upper=0.0,
            )
            builder.rows(
                f"{prefix}away_{root}",
                vertices,
                np.concatenate([ends[:, 0], ends[:, 1]]),
                np.concatenate(away),
                upper=1.0,
            )

    def _components(self) -> list[list[int]]:
        import networkx as nx

        graph: nx.Graph[int] = nx.Graph(self.ends)
        return [sorted(component) for component in nx.connected_components(graph)]


class SpanningTrees(GraphicMatroid):
    """The spanning trees of a connected undirected graph; arguments as for its base class.

    Examples
    --------
    >>> SpanningTrees([("a", "b"), ("b", "c"), ("a", "c")]).count()
    3
    """

    @checked_types
    def __init__(self, edges: Sequence[Edge], labels: Sequence[str] | None = None) -> None:
        super().__init__(edges, labels)
        parts = self._components()
        if len(parts) > 1:
            here, there = (self.vertices[part[0]] for part in parts[:2])
            raise InputError(f"the graph has no spanning tree: no path from {here} to {there}")

    @property
    def name(self) -> str:
        """Such as ``trees of 5 vertices, 8 edges``."""
        return f"trees of {len(self.vertices)} vertices, {self.size} edges"
