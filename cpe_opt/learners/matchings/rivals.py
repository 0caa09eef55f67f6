"""The rivals of a matching: all others, by the probability that they win against it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings


class Rivals:
    """The matchings other than a chosen one."""

    def __init__(self, graph: BipartiteGraph, chosen: Iterable[int]) -> None:
        self._chosen = tuple(chosen)
        self._oracle = SubsetOracle(Matchings(graph))
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
