r"""Matchings counted, and how often each edge is in one, by dynamic programming.

Candidates take positions one after another; :math:`f_c(S)` is in how many ways the first c
candidates can fill exactly the positions in S:

.. math:: f_0(\emptyset) = 1, \quad f_{c+1}(S) = f_c(S) + \sum_{j \in S, (c, j) \in E}
    f_c(S \setminus \{j\}),

so :math:`f_n` of all positions is the number of matchings. Running through the candidates
backwards gives :math:`b_c(S)`, the ways in which candidates c, …, n − 1 fill exactly S, and edge
(c, j) is in :math:`\sum_S f_c(S)\, b_{c+1}(\bar S \setminus \{j\})` matchings. Time and memory are
:math:`O(m 2^\ell)` and :math:`O(n 2^\ell)`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError

MOST_STATES = 2**26  # n 2^ℓ numbers of 8 bytes: half a gigabyte


class CountableGraph(Protocol):
    """What counting needs of a bipartite graph."""

    name: str
    candidates: int
    positions: int
    edges_at: tuple[IntArray, ...]

    @property
    def size(self) -> int:
        """The number of edges."""

    @property
    def edges(self) -> Sequence[tuple[int, int]]:
        """Candidate and position of every edge."""


def count_matchings(graph: CountableGraph) -> int:
    """The number of matchings, exactly."""
    most = math.prod(len(edges) for edges in graph.edges_at)
    # Numbers of Python's own where those of the machine might overflow.
    table = _table(graph, np.int64 if most < 2**62 else object)
    return int(table[-1, -1])


def edge_frequencies(graph: CountableGraph) -> FloatArray:
    """The share of matchings that each edge is in; shape (m,). Sums to 1 at each position."""
    forward = _table(graph, np.float64)
    full = len(forward[0]) - 1
    states = np.arange(full + 1)
    frequencies = np.empty(graph.size)
    backward = np.zeros(full + 1)
    backward[0] = 1.0
    neighbours = _neighbours(graph)
    for candidate in reversed(range(graph.candidates)):
        following = backward.copy()
        for edge, position in neighbours[candidate]:
            bit = 1 << position
            without = states[(states & bit) == 0]
            rest = full ^ without ^ bit
            frequencies[edge] = float((forward[candidate, without] * backward[rest]).sum())
            following[without | bit] += backward[without]
        backward = following
    return np.asarray(frequencies / forward[-1, full], dtype=np.float64)


def forward_table(graph: CountableGraph) -> FloatArray:
    """f, relative to the number of matchings; shape (n + 1, 2^ℓ)."""
    table = _table(graph, np.float64)
    return np.asarray(table / table[-1, -1], dtype=np.float64)


def _table(graph: CountableGraph, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    size = 1 << graph.positions
    if (graph.candidates + 1) * size > MOST_STATES:
        raise InputError(
            f"{graph.name}: {graph.candidates} candidates and {graph.positions} positions are too "
            "many to count matchings by dynamic programming; sampler='mcmc' needs no count"
        )
    states = np.arange(size)
    table = np.zeros((graph.candidates + 1, size), dtype=dtype)
    table[0, 0] = 1
    for candidate, edges in enumerate(_neighbours(graph)):
        table[candidate + 1] = table[candidate]
        for _, position in edges:
            bit = 1 << position
            without = states[(states & bit) == 0]
            table[candidate + 1, without | bit] += table[candidate, without]
    return table


def _neighbours(graph: CountableGraph) -> list[list[tuple[int, int]]]:
    """(edge, position) of every candidate's edges."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(graph.candidates)]
    for edge, (candidate, position) in enumerate(graph.edges):
        found[candidate].append((edge, position))
    return found
