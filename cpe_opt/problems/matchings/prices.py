"""Prices of duels of edges: what asking once about a pair costs, in any unit.

A file of prices is a table with the columns ``position``, ``first``, ``second``, ``price``: one
line per pair of candidates that may take the position, every pair once, in either order.
"""

from __future__ import annotations

import os

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formats.kinds import COLUMNS, Format
from cpe_opt.formats.tables import read_table
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.pairs import TOLERANCE
from cpe_opt.problems.prices import Prices, price_array


def checked_edge_prices(prices: Prices, graph: BipartiteGraph) -> FloatArray:
    """The price of a duel of each comparable pair of edges, shape (m, m), symmetric; 0 elsewhere.

    ``prices`` are one for all pairs, an array of shape (m, m) of which incomparable pairs and the
    diagonal are not read, or the path of a file; by default each is 1.

    Raises
    ------
    InputError
        Where a price is missing, not positive, not finite, or is another one for the pair in the
        other order, with its place.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> graph = cpe.BipartiteGraph(3, 2, [(0, 0), (1, 0), (2, 1)])
    >>> checked_edge_prices(2.5, graph).tolist()
    [[0.0, 2.5, 0.0], [2.5, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    shape = (graph.size, graph.size)
    where, matrix = price_array(prices, shape, "pair of edges", lambda path: _read(path, graph))
    checked = np.zeros(shape)
    for e, f in graph.pairs.tolist():
        price, mirror = matrix[e, f], matrix[f, e]
        place = f"{where}: {graph.label(e)} against {graph.label(f)}"
        for found in (price, mirror):
            if not (found > 0.0 and np.isfinite(found)):
                raise InputError(f"{place}: the price is {found:g}, expected a number above 0")
        if abs(price - mirror) > TOLERANCE * max(price, mirror):
            raise InputError(
                f"{place}: the price is {price:g}, and {mirror:g} in the other order; a pair has "
                "one price"
            )
        checked[e, f] = checked[f, e] = price
    return checked


def _read(path: str | os.PathLike[str], graph: BipartiteGraph) -> FloatArray:
    """The prices of a file; shape (m, m)."""
    columns = COLUMNS[Format.EDGE_PRICES]
    table = read_table(path, columns)
    number = {
        (graph.position_labels[j], graph.candidate_labels[c]): edge
        for edge, (c, j) in enumerate(graph.edges)
    }
    matrix = np.full((graph.size, graph.size), np.nan)
    lines = zip(*(table.names(column) for column in columns[:3]), strict=True)
    for row, (place, *pair) in enumerate(lines):
        for candidate in pair:
            if (place, candidate) not in number:
                raise InputError(
                    f"{table.place(row)}: {candidate!r} may not take position {place!r}"
                )
        e, f = (number[place, candidate] for candidate in pair)
        if e == f:
            raise InputError(f"{table.place(row)}: a pair of {pair[0]!r} and itself")
        if not np.isnan(matrix[e, f]):
            raise InputError(f"{table.place(row)}: the pair stands there twice")
        matrix[e, f] = matrix[f, e] = table.numbers("price")[row]
    for e, f in graph.pairs.tolist():
        if np.isnan(matrix[e, f]):
            raise InputError(
                f"{table.source}: no price of {graph.label(e)} against {graph.label(f)}; expected "
                "a line for every pair"
            )
    return matrix
