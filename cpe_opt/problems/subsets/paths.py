r"""Simple paths of a graph, from a source to a target.

A path is a unit of flow. Where the graph has no cycle, the polytope of flows has the paths as its
vertices, and a longest path is found along the topological order. With cycles, flows would also go
round them: levels of the vertices exclude it (Miller, Tucker, Zemlin), in an integer program.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.subsets.decisions import DecisionClass, RowBuilder
from cpe_opt.problems.subsets.edges import Edge, edge_labels, numbered
from cpe_opt.validation import checked_types

if TYPE_CHECKING:
    import networkx as nx


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
        labels: Sequence[str] | None = None,
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
        vertices, arcs = len(self.vertices), len(element)
        flow = columns[element]
        if not self.acyclic:
            flow = self._arc_columns(builder, columns, prefix)
        supply = np.zeros(vertices)
        supply[[self.source, self.target]] = 1.0, -1.0
        builder.rows(
            f"{prefix}node",
            vertices,
            np.concatenate([tail, head]),
            np.concatenate([flow, flow]),
            np.repeat([1.0, -1.0], arcs),
            lower=supply,
            upper=supply,
        )

    def _arc_columns(self, builder: RowBuilder, columns: IntArray, prefix: str) -> IntArray:
        """Columns of the arcs, which use no cycle and add up to the edges."""
        element, tail, head = (np.array(part) for part in zip(*self.arcs, strict=True))
        vertices, arcs = len(self.vertices), len(element)
        # Into the source and out of the target there is nothing to do.
        useless = (head == self.source) | (tail == self.target)
        flow = builder.columns(f"{prefix}y", arcs, upper=np.where(useless, 0.0, 1.0), integer=True)
        builder.rows(
            f"{prefix}edge",
            self.size,
            np.concatenate([element, np.arange(self.size)]),
            np.concatenate([flow, columns]),
            np.repeat([1.0, -1.0], [arcs, self.size]),
            lower=0.0,
            upper=0.0,
        )
        level = builder.columns(f"{prefix}u", vertices, upper=vertices - 1.0, integer=True)
        every = np.arange(arcs)
        builder.rows(
            f"{prefix}order",
            arcs,
            np.concatenate([every, every, every]),
            np.concatenate([level[tail], level[head], flow]),
            np.repeat([1.0, -1.0, float(vertices)], arcs),
            upper=vertices - 1.0,
        )
        return flow
