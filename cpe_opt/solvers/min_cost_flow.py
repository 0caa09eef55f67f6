"""Flows of least cost in a network, in whole numbers, by OR-Tools' cost scaling.

A flow takes the supplies of some nodes to the demands of others along arcs with capacities and
costs. Where supplies and capacities are whole numbers, so is a cheapest flow.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import IntArray
from cpe_opt.errors import SolverFailed
from cpe_opt.solvers.packages import load

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
        install = "pip install ortools, or choose the method 'program'"
        module = load("ortools.graph.python.min_cost_flow", "ortools", "a cheapest flow", install)
        self._flow = module.SimpleMinCostFlow()
        self._arcs = self._flow.add_arcs_with_capacity_and_unit_cost(
            tails, heads, capacities, costs
        )

    def limit(self, arc: int, capacity: int) -> None:
        """Change the capacity of an arc."""
        self._flow.set_arc_capacity(arc, capacity)

    def solve(self, supplies: IntArray) -> tuple[int, IntArray] | None:
        """The least cost and the flow on each arc; None where demands cannot be met.

        ``supplies``, shape (nodes,), are negative for demands and add up to 0.
        """
        self._flow.set_nodes_supplies(np.arange(len(supplies)), supplies)
        status = self._flow.solve()
        if status == self._flow.INFEASIBLE:
            return None
        if status != self._flow.OPTIMAL:
            raise SolverFailed(f"OR-Tools found no cheapest flow: {status.name}")
        return int(self._flow.optimal_cost()), np.asarray(self._flow.flows(self._arcs))
