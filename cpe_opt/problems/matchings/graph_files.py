"""Graphs from tables of edges."""

from __future__ import annotations

import os

from cpe_opt.errors import InputError
from cpe_opt.problems.tables import read_table


def read_edges(path: str | os.PathLike[str]) -> tuple[str, list[tuple[str, str]]]:
    """The file's name and its edges: columns ``candidate, position``, one line an edge.

    Raises
    ------
    InputError
        Where a line cannot be read, or an edge stands there twice.
    """
    table = read_table(path, ("candidate", "position"))
    edges = list(zip(table.names("candidate"), table.names("position"), strict=True))
    first: dict[tuple[str, str], int] = {}
    for row, edge in enumerate(edges):
        if first.setdefault(edge, row) < row:
            raise InputError(f"{table.place(row)}: this edge stands there twice")
    return table.source, edges
