"""Assignment solvers: each row of a cost table a column of its own, at the least total cost.

``assignment``
    OR-Tools' linear sum assignment. It takes whole numbers: costs are scaled by a power of two and
    rounded, which may cost up to the ``scaling_error`` that comes with the answer (with 40 columns
    1e-12 of the largest cost).
``scipy``
    SciPy's shortest augmenting paths, in floating point; the fastest here.
``networkx``
    NetworkX's full matching of least weight, in floating point.

**Flows of least cost.** A flow takes the supplies of some nodes to the demands of others along arcs
with capacities and costs: by OR-Tools' cost scaling, and without OR-Tools by NetworkX's network
simplex, which is exact, too, and some hundred times slower. Where supplies and capacities are whole
numbers, so is a cheapest flow.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.sparse import csr_array

from cpe_opt.arrays import FloatArray, IntArray, row_entries
from cpe_opt.errors import InputError, SolverFailed, UnknownName
from cpe_opt.solvers.base import importable, load

_BITS = 57


@dataclass(frozen=True)
class Assigner:
    """An assignment solver: its function, its package, one line about it, and its licence."""

    solve: Callable[[FloatArray], tuple[IntArray | None, float]]
    package: str
    about: str
    licence: str


def default_assigner() -> Literal["assignment", "scipy"]:
    """OR-Tools' where it can be imported, else SciPy's."""
    return "assignment" if importable("ortools") else "scipy"


def assign(table: FloatArray, solver: str = "assignment") -> tuple[IntArray | None, float]:
    """The column of every row at the least total cost."""
    if solver not in ASSIGNERS:
        raise UnknownName("assignment solver", solver, ASSIGNERS)
    if np.isnan(table).any() or (table == -np.inf).any():
        raise InputError("an assignment cost is NaN or -inf, expected numbers, or inf")
    if len(table) > table.shape[1]:
        return None, 0.0
    return ASSIGNERS[solver].solve(table)


def _scipy(table: FloatArray) -> tuple[IntArray | None, float]:
    from scipy.optimize import linear_sum_assignment

    try:
        return linear_sum_assignment(table)[1], 0.0
    except ValueError:
        return None, 0.0


def _ortools(table: FloatArray) -> tuple[IntArray | None, float]:
    module = load(
        "ortools.graph.python.linear_sum_assignment",
        "ortools",
        "the assignment solver 'assignment'",
        "pip install ortools, or choose 'scipy'",
    )
    rows, columns = table.shape
    allowed = np.isfinite(table)
    # The solver crashes where a node has no arc at all.
    if not allowed.any(axis=1).all():
        return None, 0.0
    if rows == columns and not allowed.any(axis=0).all():
        return None, 0.0
    row, column = np.nonzero(allowed)
    # Its check of infeasibility errs on negative costs; a constant more for each row is no change.
    costs = table[row, column] - table[row, column].min()
    largest = float(costs.max())
    # It wants as many rows as columns: further rows take what is left, at no cost.
    spare = np.arange(rows, columns)
    # Its prices grow to several times costs × (columns + 1)², and must fit into 63 bits.
    scale = 2.0 ** math.floor(_BITS - math.log2((columns + 1) ** 2 * (largest or 1.0)))
    solver = module.SimpleLinearSumAssignment()
    every = np.arange(columns)
    arcs = row_entries((row, column, np.rint(costs * scale)), (spare[:, None], every, 0.0))
    solver.add_arcs_with_cost(*arcs[:2], arcs[2].astype(np.int64))
    if solver.solve() != solver.OPTIMAL:
        from scipy.sparse.csgraph import maximum_bipartite_matching  # slow to import

        matched = maximum_bipartite_matching(csr_array(allowed), perm_type="column")
        if (matched >= 0).all():
            raise SolverFailed("OR-Tools found no assignment where there is one")
        return None, 0.0
    found = np.array([solver.right_mate(k) for k in range(rows)], dtype=np.int64)
    return found, rows / scale


def _networkx(table: FloatArray) -> tuple[IntArray | None, float]:
    import networkx as nx

    rows, columns = table.shape
    graph = nx.Graph()
    graph.add_nodes_from(range(rows + columns))
    row, column = np.nonzero(np.isfinite(table))
    costs = table[row, column].tolist()
    graph.add_weighted_edges_from(zip(row.tolist(), (rows + column).tolist(), costs, strict=True))
    try:
        mates = nx.bipartite.minimum_weight_full_matching(graph, top_nodes=range(rows))
    except ValueError:
        return None, 0.0
    return np.array([mates[k] - rows for k in range(rows)], dtype=np.int64), 0.0


ASSIGNERS = {
    "assignment": Assigner(
        _ortools, "ortools", "linear sum assignment in whole numbers", "Apache-2.0"
    ),
    "scipy": Assigner(_scipy, "scipy", "linear sum assignment in floating point", "BSD-3-Clause"),
    "networkx": Assigner(_networkx, "networkx", "full matching of least weight", "BSD-3-Clause"),
}


_FLOW_BITS = 61
_LARGEST = 2**50


def largest_cost(nodes: int) -> int:
    """The largest cost of an arc: a power of two by which neither prices nor sums overflow."""
    return int(min(_LARGEST, 2 ** max(0, _FLOW_BITS - 2 * nodes.bit_length())))


def min_cost_flow(
    tails: IntArray, heads: IntArray, capacities: IntArray, costs: IntArray, supplies: IntArray
) -> tuple[int, IntArray] | None:
    """The least cost and the flow on each arc; None where demands cannot be met."""
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
