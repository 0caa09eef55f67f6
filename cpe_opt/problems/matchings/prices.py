"""Prices of duels of edges: what asking once about a pair costs, in any unit."""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.pairs import TOLERANCE
from cpe_opt.problems.prices import Prices, price_array


def checked_edge_prices(prices: Prices, graph: BipartiteGraph) -> FloatArray:
    """The price of a duel of each comparable pair of edges, shape (m, m), symmetric; 0 elsewhere.

    ``prices`` are one for all pairs, or an array of shape (m, m) of which incomparable pairs and
    the diagonal are not read; by default each is 1.

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
    matrix = price_array(prices, shape, "pair of edges")
    checked = np.zeros(shape)
    for e, f in graph.pairs.tolist():
        price, mirror = matrix[e, f], matrix[f, e]
        place = f"prices: {graph.label(e)} against {graph.label(f)}"
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
