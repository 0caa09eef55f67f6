"""Edges as people give them: pairs of vertices of any kind, numbered and labelled."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from cpe_opt.errors import InputError

Edge = tuple[Hashable, Hashable]


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
