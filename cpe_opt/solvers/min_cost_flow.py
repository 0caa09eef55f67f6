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


def min_cost_flow(
    tails: IntArray, heads: IntArray, capacities: IntArray, costs: IntArray, supplies: IntArray
) -> tuple[int, IntArray] | None:
    """The least cost and the flow on each arc; None where demands cannot be met.

    The first four have shape (arcs,); no capacity or cost is negative, and costs are at most
    :func:`largest_cost`. ``supplies``, shape (nodes,), are negative for demands and add up to 0.
    """
    if not importable("ortools"):
        return _network_simplex(tails, heads, capacities, costs, supplies)
    from ortools.graph.python.min_cost_flow import SimpleMinCostFlow

    flow = SimpleMinCostFlow()
    arcs = flow.add_arcs_with_capacity_and_unit_cost(tails, heads, capacities, costs)
    flow.set_nodes_supplies(np.arange(len(supplies)), supplies)
    status = flow.solve()
    if status == flow.INFEASIBLE:
        return None
    if status != flow.OPTIMAL:
        raise SolverFailed(f"OR-Tools found no cheapest flow: {status.name}")
    return int(flow.optimal_cost()), np.asarray(flow.flows(arcs))


def _network_simplex(*network: IntArray) -> tuple[int, IntArray] | None:
    import networkx as nx

    tails, heads, capacities, costs, supplies = network
    graph = nx.MultiDiGraph()
    graph.add_nodes_from((k, {"demand": -int(s)}) for k, s in enumerate(supplies))
    arcs = list(zip(tails.tolist(), heads.tolist(), range(len(tails)), strict=True))
    for each, capacity, cost in zip(arcs, capacities.tolist(), costs.tolist(), strict=True):
        graph.add_edge(*each, weight=cost, capacity=capacity)
    try:
        cost, flows = nx.network_simplex(graph)
    except nx.NetworkXUnfeasible:
        return None
    return cost, np.array([flows[tail][head][arc] for tail, head, arc in arcs], dtype=np.int64)
