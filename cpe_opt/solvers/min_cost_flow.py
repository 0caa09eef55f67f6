"""Flows of least cost in a network, in whole numbers.

By OR-Tools' cost scaling; where OR-Tools cannot be imported, by NetworkX's network simplex, which
is exact, too, and some hundred times slower.

A flow takes the supplies of some nodes to the demands of others along arcs with capacities and
costs. Where supplies and capacities are whole numbers, so is a cheapest flow.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.errors import SolverFailed
from cpe_opt.solvers.packages import importable

_BITS = 61
_LARGEST = 2**50


def largest_cost(nodes: int) -> int:
    """The largest cost of an arc: a power of two by which neither prices nor sums overflow."""
    return int(min(_LARGEST, 2 ** max(0, _BITS - 2 * nodes.bit_length())))


class MinCostFlow:
    """A network; arcs are numbered in the order in which they are given.

    All arrays have shape (arcs,); no capacity or cost is negative, and costs are at most
    :func:`largest_cost`.
    """

    def __init__(
        self, tails: IntArray, heads: IntArray, capacities: IntArray, costs: IntArray
    ) -> None:
        flow = _OrTools if importable("ortools") else _NetworkSimplex
        self._flow: _OrTools | _NetworkSimplex = flow(tails, heads, capacities, costs)

    def limit(self, arc: int, capacity: int) -> None:
        """Change the capacity of an arc."""
        self._flow.limit(arc, capacity)

    def solve(self, supplies: IntArray) -> tuple[int, IntArray] | None:
        """The least cost and the flow on each arc; None where demands cannot be met.

        ``supplies``, shape (nodes,), are negative for demands and add up to 0.
        """
        return self._flow.solve(supplies)


class _OrTools:
    """Cost scaling."""

    def __init__(
        self, tails: IntArray, heads: IntArray, capacities: IntArray, costs: IntArray
    ) -> None:
        from ortools.graph.python.min_cost_flow import SimpleMinCostFlow

        self._flow = SimpleMinCostFlow()
        self._arcs = self._flow.add_arcs_with_capacity_and_unit_cost(
            tails, heads, capacities, costs
        )
        self.limit = self._flow.set_arc_capacity

    def solve(self, supplies: IntArray) -> tuple[int, IntArray] | None:
        self._flow.set_nodes_supplies(np.arange(len(supplies)), supplies)
        status = self._flow.solve()
        if status == self._flow.INFEASIBLE:
            return None
        if status != self._flow.OPTIMAL:
            raise SolverFailed(f"OR-Tools found no cheapest flow: {status.name}")
        return int(self._flow.optimal_cost()), np.asarray(self._flow.flows(self._arcs))


class _NetworkSimplex:
    """The network simplex method, in Python's whole numbers."""

    def __init__(
        self, tails: IntArray, heads: IntArray, capacities: IntArray, costs: IntArray
    ) -> None:
        self._arcs = list(zip(tails.tolist(), heads.tolist(), costs.tolist(), strict=True))
        self._capacities = capacities.tolist()

    def limit(self, arc: int, capacity: int) -> None:
        self._capacities[arc] = capacity

    def solve(self, supplies: IntArray) -> tuple[int, IntArray] | None:
        import networkx as nx

        graph = nx.MultiDiGraph()
        graph.add_nodes_from((k, {"demand": -int(s)}) for k, s in enumerate(supplies))
        for arc, (tail, head, cost) in enumerate(self._arcs):
            graph.add_edge(tail, head, key=arc, weight=cost, capacity=self._capacities[arc])
        try:
            cost, flows = nx.network_simplex(graph)
        except nx.NetworkXUnfeasible:
            return None
        amounts = [flows[tail][head][arc] for arc, (tail, head, _) in enumerate(self._arcs)]
        return cost, np.array(amounts, dtype=np.int64)
