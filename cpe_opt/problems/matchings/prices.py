"""Prices of duels of edges: what asking once about a pair costs, in any unit."""

from __future__ import annotations

from cpe_opt.arrays import FloatArray
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.prices import Prices, pair_prices, price_array


def checked_edge_prices(prices: Prices, graph: BipartiteGraph) -> FloatArray:
    """The price of a duel of each comparable pair of edges, shape (m, m), symmetric; 0 elsewhere.

    ``prices`` are one for all pairs, or an array of shape (m, m) of which incomparable pairs and
    the diagonal are not read; by default each is 1.
    """
    shape = (graph.size, graph.size)
    matrix = price_array(prices, shape, "pair of edges")
    return pair_prices(
        matrix, graph.pairs, lambda e, f: f": {graph.label(e)} against {graph.label(f)}"
    )
