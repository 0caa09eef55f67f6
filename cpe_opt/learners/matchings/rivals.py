"""The rivals of a matching: all others, by the probability that they win against it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.learners.matchings.edge_decisions import CarMethod
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.solvers.options import SolveOptions, solver_option


class Rivals:
    """The matchings other than a chosen one.

    Parameters
    ----------
    graph : BipartiteGraph
    chosen : iterable of edges
        A matching.
    method, **solving
        Of the linear oracle, as for :func:`cpe_opt.best_subset`.
    """

    def __init__(
        self,
        graph: BipartiteGraph,
        chosen: Iterable[int],
        method: SubsetMethod | None = None,
        **solving: Unpack[SolveOptions],
    ) -> None:
        self._chosen = tuple(chosen)
        self._oracle = SubsetOracle(Matchings(graph), method, **solving)
        self._every = np.arange(graph.size)
        self._met = np.array(self._chosen)[
            graph.position
        ]  # the chosen edge at each edge's position

    def strongest(self, probability: FloatArray) -> tuple[IntArray | None, float]:
        r"""A rival with the largest :math:`\ell f(M, \text{chosen}, p)`, and that number.

        ``probability`` are those of the duels or bounds on them, shape (m, m). None and minus
        infinity where there is no other matching.
        """
        won = probability[self._every, self._met]
        rival = self._oracle.maximise_other(won, self._chosen)
        if rival is None:
            return None, -np.inf
        edges = np.array(rival)
        return edges, float(won[edges].sum())


def rivals_of(
    graph: BipartiteGraph, chosen: Iterable[int], method: CarMethod, solver: str | None
) -> Rivals:
    """The rivals of a matching; by linear programs where all is to be solved by programs."""
    if method == "program":
        return Rivals(graph, chosen, "program", **solver_option(solver))
    return Rivals(graph, chosen)
