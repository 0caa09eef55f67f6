r"""Sets of edges of a graph: its spanning trees, and its simple paths.

**Spanning trees**, the bases of the graphic matroid. Their polytope has exponentially
many facets and a small extended formulation: for every vertex r an orientation of each edge towards
r, such that at most one edge leaves any vertex and none leaves r (R. K. Martin, "Using separation
algorithms to generate mixed integer model reformulations", Operations Research Letters 10, 1991).

**Simple paths** from a source to a target. A path is a unit of flow. Where the graph has no cycle,
the polytope of flows has the paths as its vertices, and a longest path is found along the
topological order. With cycles, flows would also go round them: levels of the vertices exclude it
(Miller, Tucker, Zemlin), in an integer program.

Edges are given as pairs of vertices of any kind.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray, row_entries
from cpe_opt.errors import InputError
from cpe_opt.problems.subsets.decisions import DecisionClass, Halves, RowBuilder
from cpe_opt.problems.subsets.matroids import Matroid
from cpe_opt.validation import Labels, checked_types

if TYPE_CHECKING:
    import networkx as nx

Edge = tuple[Hashable, Hashable]


class SpanningTrees(Matroid):
    """The spanning trees of a connected undirected graph: the bases of its graphic matroid.

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

    Examples
    --------
    >>> SpanningTrees([("a", "b"), ("b", "c"), ("a", "c")]).count()
    3
    """

    @checked_types
    def __init__(self, edges: Sequence[Edge], labels: Labels | None = None) -> None:
        import networkx as nx

        self.vertices, self.ends = numbered(edges)
        super().__init__(len(self.ends), edge_labels(edges, "-") if labels is None else labels)
        parts = [sorted(part) for part in nx.connected_components(nx.Graph(self.ends))]
        if len(parts) > 1:
            here, there = (self.vertices[part[0]] for part in parts[:2])
            raise InputError(f"the graph has no spanning tree: no path from {here} to {there}")

    @property
    def name(self) -> str:
        """Such as ``trees of 5 vertices, 8 edges``."""
        return f"trees of {len(self.vertices)} vertices, {self.size} edges"

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

    @property
    def sizes(self) -> tuple[int, ...]:
        """One size: vertices less 1."""
        return (len(self.vertices) - 1,)

    def count(self) -> int:
        """Kirchhoff's theorem; exact below 2^53."""
        laplacian = np.zeros((len(self.vertices), len(self.vertices)))
        for u, v in self.ends:
            laplacian[[u, v, u, v], [u, v, v, u]] += [1.0, 1.0, -1.0, -1.0]
        return round(float(np.linalg.det(laplacian[1:, 1:])))

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
        edge = np.arange(edges)
        for root in range(vertices):
            first, second = (
                builder.columns(
                    f"{prefix}z_{root}",
                    [(number, side) for number in range(edges)],
                    upper=np.where(ends[:, side] == root, 0.0, 1.0),
                    integer=integer,
                )
                for side in (0, 1)
            )
            joined = row_entries((edge, first, 1.0), (edge, second, 1.0), (edge, columns, -1.0))
            builder.rows(f"{prefix}joined_{root}", edges, *joined, lower=0.0, upper=0.0)
            away = row_entries((ends[:, 0], first, 1.0), (ends[:, 1], second, 1.0))
            builder.rows(f"{prefix}away_{root}", vertices, *away, upper=1.0)


class Paths(DecisionClass):
    """The simple paths from a source to a target.

    Parameters
    ----------
    edges : sequence of (vertex, vertex)
        No loops and no parallel edges.
    source, target : vertices
    directed : bool
        False where an edge can be taken either way.
    labels : sequence of str, optional
        ``u>v`` or ``u-v`` by default.

    Attributes
    ----------
    arcs : tuple of (element, tail, head)
        Each edge, in each direction it can be taken.
    acyclic : bool
        Whether the arcs form no cycle; the longest path is easy to find only then.

    Examples
    --------
    >>> sorted(Paths([("s", "a"), ("a", "t"), ("s", "t")], "s", "t").sets())
    [(0, 1), (2,)]
    """

    @checked_types
    def __init__(
        self,
        edges: Sequence[Edge],
        source: Hashable,
        target: Hashable,
        *,
        directed: bool = True,
        labels: Labels | None = None,
    ) -> None:
        import networkx as nx

        self.vertices, ends = numbered(edges)
        kinds = [end if directed else tuple(sorted(end)) for end in ends]
        if len(set(kinds)) < len(kinds):
            twice = next(kind for kind in kinds if kinds.count(kind) > 1)
            raise InputError(
                f"edge {self.vertices[twice[0]]}, {self.vertices[twice[1]]} is given twice"
            )
        names = edge_labels(edges, ">" if directed else "-") if labels is None else labels
        super().__init__(len(ends), names)
        number = {vertex: place for place, vertex in enumerate(self.vertices)}
        for what, vertex in (("source", source), ("target", target)):
            if vertex not in number:
                raise InputError(f"{what} {vertex!r} is no vertex of the graph")
        self.source, self.target = number[source], number[target]
        if self.source == self.target:
            raise InputError("source and target are the same vertex")
        self.directed = directed
        arcs = [(element, u, v) for element, (u, v) in enumerate(ends)]
        if not directed:
            arcs += [(element, v, u) for element, (u, v) in enumerate(ends)]
        self.arcs = tuple(arcs)
        self._graph: nx.DiGraph[int] = nx.DiGraph()
        for element, u, v in self.arcs:
            self._graph.add_edge(u, v, element=element)
        if not nx.has_path(self._graph, self.source, self.target):
            raise InputError(f"there is no path from {source} to {target}")
        self.acyclic = bool(nx.is_directed_acyclic_graph(self._graph))

    @property
    def name(self) -> str:
        """Such as ``paths of 6 vertices, 9 edges``."""
        return f"paths of {len(self.vertices)} vertices, {self.size} edges"

    @property
    def fingerprint(self) -> dict[str, Any]:
        """The arcs, and between which vertices."""
        return {"arcs": self.arcs, "source": self.source, "target": self.target}

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Vertices in topological order; only without cycles."""
        import networkx as nx

        return tuple(nx.topological_sort(self._graph))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Lengths of paths; with cycles, all up to the number of vertices less 1."""
        if not self.acyclic:
            return tuple(range(1, len(self.vertices)))
        lengths: dict[int, set[int]] = {vertex: set() for vertex in self.order}
        lengths[self.source] = {0}
        for vertex in self.order:
            for successor in self._graph.successors(vertex):
                lengths[successor] |= {length + 1 for length in lengths[vertex]}
        return tuple(sorted(lengths[self.target]))

    def count(self) -> int:
        """Along the order of vertices; by enumeration with cycles."""
        if not self.acyclic:
            return sum(1 for _ in self.sets())
        ways = dict.fromkeys(self.order, 0)
        ways[self.source] = 1
        for vertex in self.order:
            for successor in self._graph.successors(vertex):
                ways[successor] += ways[vertex]
        return ways[self.target]

    def log_count_bound(self) -> float:
        """The logarithm of the count where there are no cycles."""
        return math.log(self.count()) if self.acyclic else super().log_count_bound()

    def sets(self) -> Iterator[tuple[int, ...]]:
        """Every simple path."""
        import networkx as nx

        for path in nx.all_simple_edge_paths(self._graph, self.source, self.target):
            yield tuple(sorted(self._graph.edges[u, v]["element"] for u, v in path))

    @checked_types
    def contains(self, chosen: Iterable[int]) -> bool:
        """Whether the edges lead from the source to the target, each used."""
        members = set(chosen)
        onward: dict[int, list[tuple[int, int]]] = {}
        for element, u, v in self.arcs:
            if element in members:
                onward.setdefault(u, []).append((element, v))
        vertex, used, seen = self.source, set[int](), {self.source}
        while vertex != self.target:
            ways = [(e, v) for e, v in onward.get(vertex, ()) if e not in used]
            if len(ways) != 1 or ways[0][1] in seen:
                return False
            element, vertex = ways[0]
            used.add(element)
            seen.add(vertex)
        return used == members

    def halves(self, most: int) -> Halves | None:
        """Paths as far as they cross a cut of the vertices in topological order, and from there on.

        None where there are cycles.
        """
        if not self.acyclic or self.count() > most:
            return None
        place = {vertex: number for number, vertex in enumerate(self.order)}
        arcs = sorted(self.arcs, key=lambda arc: (place[arc[1]], place[arc[2]]))
        ways, onward = dict.fromkeys(self.order, 0), dict.fromkeys(self.order, 0)
        ways[self.source] = onward[self.target] = 1
        for _, u, v in arcs:
            ways[v] += ways[u]
        for _, u, v in reversed(arcs):
            onward[u] += onward[v]

        def halves_at(cut: int) -> int:
            across = [(u, v) for _, u, v in arcs if place[u] <= cut < place[v]]
            return sum(ways[u] for u, _ in across) + sum(onward[v] for v in {v for _, v in across})

        cut = min(range(place[self.source], place[self.target]), key=halves_at)
        before: dict[int, list[tuple[int, ...]]] = {vertex: [] for vertex in self.order}
        after: dict[int, list[tuple[int, ...]]] = {vertex: [] for vertex in self.order}
        before[self.source], after[self.target] = [()], [()]
        for edge, u, v in arcs:
            if place[u] <= cut:
                before[v] += [(*half, edge) for half in before[u]]
        for edge, u, v in reversed(arcs):
            if place[u] > cut:
                after[u] += [(edge, *half) for half in after[v]]
        early = {edge for edge, u, _ in arcs if place[u] <= cut}
        return Halves.of(
            (sorted(early), sorted(set(range(self.size)) - early)),
            [
                (before[v], after[v])
                for v in self.order
                if place[v] > cut and before[v] and after[v]
            ],
        )

    @property
    def obstacle(self) -> str:
        """Cycles."""
        if self.acyclic:
            return ""
        return "the graph has cycles, and no fast way is known to a longest path"

    @property
    def integral(self) -> bool:
        """Without cycles."""
        return self.acyclic

    def best(
        self, weights: FloatArray, include: Sequence[int] = (), exclude: Sequence[int] = ()
    ) -> tuple[int, ...] | None:
        """The longest path, by dynamic programming along the topological order."""
        place = {vertex: at for at, vertex in enumerate(self.order)}
        banned = set(exclude)
        arcs = [(place[u], place[v], e) for e, u, v in self.arcs if e not in banned]
        for forced in include:
            _, tail, head = self.arcs[forced]
            before, after = place[tail], place[head]
            # The other arcs of a path through a forced one end before it or start after it.
            arcs = [(u, v, e) for u, v, e in arcs if e == forced or v <= before or u >= after]
        value = {place[self.source]: 0.0}
        came: dict[int, tuple[int, int]] = {}
        for u, v, e in sorted(arcs):
            if u in value and (v not in value or value[u] + weights[e] > value[v]):
                value[v], came[v] = value[u] + float(weights[e]), (u, e)
        vertex, members = place[self.target], []
        if vertex not in value:
            return None
        while vertex != place[self.source]:
            vertex, element = came[vertex]
            members.append(element)
        return tuple(sorted(members)) if set(include) <= set(members) else None

    def program_rows(
        self, builder: RowBuilder, columns: IntArray, *, integer: bool = False, prefix: str = ""
    ) -> None:
        """``node_v``: what flows out of v less what flows in is 1, -1 or 0.

        With cycles: arcs ``y_a``, always integer, ``edge_e`` adds them up, and ``order_a`` raises
        the level ``u_v`` of a vertex along every arc that is used.
        """
        element, tail, head = (np.array(part) for part in zip(*self.arcs, strict=True))
        flow = columns[element]
        if not self.acyclic:
            flow = self._arc_columns(builder, columns, prefix)
        supply = np.zeros(len(self.vertices))
        supply[[self.source, self.target]] = 1.0, -1.0
        out_less_in = row_entries((tail, flow, 1.0), (head, flow, -1.0))
        builder.rows(f"{prefix}node", len(supply), *out_less_in, lower=supply, upper=supply)

    def _arc_columns(self, builder: RowBuilder, columns: IntArray, prefix: str) -> IntArray:
        """Columns of the arcs, which use no cycle and add up to the edges."""
        element, tail, head = (np.array(part) for part in zip(*self.arcs, strict=True))
        vertices, arcs = len(self.vertices), len(element)
        # Into the source and out of the target there is nothing to do.
        useless = (head == self.source) | (tail == self.target)
        flow = builder.columns(f"{prefix}y", arcs, upper=np.where(useless, 0.0, 1.0), integer=True)
        taken = row_entries((element, flow, 1.0), (np.arange(self.size), columns, -1.0))
        builder.rows(f"{prefix}edge", self.size, *taken, lower=0.0, upper=0.0)
        level = builder.columns(f"{prefix}u", vertices, upper=vertices - 1.0, integer=True)
        arc = np.arange(arcs)
        order = row_entries((arc, level[tail], 1), (arc, level[head], -1), (arc, flow, vertices))
        builder.rows(f"{prefix}order", arcs, *order, upper=vertices - 1.0)
        return flow


def numbered(edges: Sequence[Edge]) -> tuple[tuple[Hashable, ...], tuple[tuple[int, int], ...]]:
    """Vertices in the order of appearance, and the edges between their numbers."""
    if not len(edges):
        raise InputError("the graph has no edges")
    number: dict[Hashable, int] = {}
    ends = []
    for place, edge in enumerate(edges):
        if len(edge) != 2:
            raise InputError(f"edge {place} is {edge!r}, expected two vertices")
        u, v = (number.setdefault(vertex, len(number)) for vertex in edge)
        if u == v:
            raise InputError(f"edge {place} is a loop at {edge[0]}")
        ends.append((u, v))
    return tuple(number), tuple(ends)


def edge_labels(edges: Sequence[Edge], joint: str) -> list[str]:
    """Such as ``a-b``; parallel edges get a number."""
    names = [joint.join(map(str, edge)) for edge in edges]
    return [
        name if names.count(name) == 1 else f"{name}#{names[:place].count(name) + 1}"
        for place, name in enumerate(names)
    ]
