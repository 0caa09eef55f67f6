r"""Candidates, positions, and who may take which: bipartite graphs and their matchings.

An edge says that a candidate may take a position. Edges are numbered by position, then by
candidate. A matching fills every position, each with a candidate of its own; it is a tuple of edge
numbers, one a position. Two edges are comparable where they share their position, and
:math:`K = \sum_j |E_j|(|E_j|-1)/2` is the number of comparable pairs.

**Counting** matchings, and how often each edge is in one, is dynamic programming. Candidates take
positions one after another; :math:`f_c(S)` is in how many ways the first c candidates can fill
exactly the positions in S:

.. math:: f_0(\emptyset) = 1, \quad f_{c+1}(S) = f_c(S) + \sum_{j \in S, (c, j) \in E}
    f_c(S \setminus \{j\}),

so :math:`f_n` of all positions is the number of matchings. Running through the candidates
backwards gives :math:`b_c(S)`, the ways in which candidates c, …, n − 1 fill exactly S, and edge
(c, j) is in :math:`\sum_S f_c(S)\, b_{c+1}(\bar S \setminus \{j\})` matchings. Time and memory are
:math:`O(m 2^\ell)` and :math:`O(n 2^\ell)`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, errors_of
from cpe_opt.problems.pairs import Prices, pair_prices, price_array
from cpe_opt.validation import (
    MOST_THINGS,
    Labels,
    Name,
    Size,
    checked_count,
    checked_labels,
    checked_place,
    checked_types,
)

_MOST_MATCHINGS = 1000
_MOST_STATES = 2**26  # n 2^ℓ numbers of 8 bytes: half a gigabyte


class BipartiteGraph:
    """A validated bipartite graph with at least one matching that fills every position.

    Parameters
    ----------
    candidates, positions : int
        n and ℓ.
    edges : sequence of (candidate, position)
        In any order.
    candidate_labels, position_labels : sequences of str, optional
        ``c0``, ``c1``, … and ``s0``, ``s1``, … by default.
    name : str

    Attributes
    ----------
    candidate, position : int arrays, shape (m,)
        The ends of every edge.
    edges_at : tuple of int arrays
        The edges of each position.

    Raises
    ------
    InputError
        Where an edge is out of range or given twice, or no matching fills every position: then
        with positions that have too few candidates between them (a Hall violator).

    Examples
    --------
    >>> graph = BipartiteGraph(3, 2, [(0, 0), (1, 0), (1, 1), (2, 1)])
    >>> graph.count_matchings(), graph.n_pairs
    (3, 2)
    """

    @checked_types
    def __init__(
        self,
        candidates: Size,
        positions: Size,
        edges: Sequence[tuple[int, int]],
        *,
        candidate_labels: Labels | None = None,
        position_labels: Labels | None = None,
        name: Name = "graph",
    ) -> None:
        self.candidates = int(candidates)
        self.positions = int(positions)
        self.candidate_labels = checked_labels(
            candidate_labels, self.candidates, "candidate", "candidate_labels", "c"
        )
        self.position_labels = checked_labels(
            position_labels, self.positions, "position", "position_labels", "s"
        )
        self.name = str(name)
        self.candidate, self.position = self._checked(edges)
        self.edges_at: tuple[IntArray, ...] = tuple(
            np.flatnonzero(self.position == j) for j in range(self.positions)
        )
        self._number = {edge: number for number, edge in enumerate(self.edges)}
        self._refuse_unfillable()

    @classmethod
    @checked_types
    def complete(cls, candidates: Size, positions: Size, *, name: Name | None = None) -> Self:
        """Every candidate may take every position."""
        checked_count("candidates × positions", candidates * positions, most=MOST_THINGS)
        edges = [(i, j) for j in range(positions) for i in range(candidates)]
        return cls(
            candidates,
            positions,
            edges,
            name=f"complete-{candidates}-{positions}" if name is None else name,
        )

    @classmethod
    @checked_types
    def from_labels(cls, edges: Sequence[tuple[str, str]], *, name: Name = "graph") -> Self:
        """Edges as (candidate, position) labels, numbered in the order of appearance."""
        who = list(dict.fromkeys(candidate for candidate, _ in edges))
        where = list(dict.fromkeys(position for _, position in edges))
        number_of = {label: number for number, label in enumerate(who)}
        place_of = {label: number for number, label in enumerate(where)}
        return cls(
            len(who),
            len(where),
            [(number_of[candidate], place_of[position]) for candidate, position in edges],
            candidate_labels=who,
            position_labels=where,
            name=name,
        )

    def __repr__(self) -> str:
        return (
            f"BipartiteGraph({self.name!r}, {self.candidates} candidates, {self.positions} "
            f"positions, {self.size} edges)"
        )

    @property
    def size(self) -> int:
        """m, the number of edges."""
        return len(self.candidate)

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """(candidate, position) of every edge."""
        return tuple(zip(self.candidate.tolist(), self.position.tolist(), strict=True))

    @cached_property
    def pairs(self) -> IntArray:
        """The comparable pairs (e, f), e < f; shape (K, 2)."""
        found = [
            np.column_stack([edges[first], edges[second]])
            for edges in self.edges_at
            for first, second in [np.triu_indices(len(edges), 1)]
        ]
        return np.concatenate(found)

    @property
    def n_pairs(self) -> int:
        """K, the number of comparable pairs."""
        return sum(len(edges) * (len(edges) - 1) // 2 for edges in self.edges_at)

    @property
    def is_complete(self) -> bool:
        """Whether every candidate may take every position."""
        return self.size == self.candidates * self.positions

    @checked_types
    def edge(self, candidate: int, position: int) -> int:
        """The number of an edge, or :class:`InputError` if there is none."""
        if (candidate, position) not in self._number:
            raise InputError(f"candidate {candidate} may not take position {position}")
        return self._number[candidate, position]

    def label(self, edge: int) -> str:
        """An edge for people: ``position: candidate``."""
        return self.edge_labels[self.check_edge(edge)]

    @cached_property
    def edge_labels(self) -> tuple[str, ...]:
        """Every edge as :meth:`label` gives it."""
        return tuple(
            f"{self.position_labels[j]}: {self.candidate_labels[c]}" for c, j in self.edges
        )

    def check_edge(self, edge: int) -> int:
        """The edge as an int, or :class:`InputError`."""
        return checked_place("edge", edge, self.size)

    @checked_types
    def check_matching(self, matching: Sequence[int]) -> tuple[int, ...]:
        """The matching, one edge a position in their order, or :class:`InputError`."""
        edges = tuple(sorted(self.check_edge(edge) for edge in matching))
        if [self.edges[edge][1] for edge in edges] != list(range(self.positions)):
            raise InputError(f"{edges} is no matching: expected one edge for each position")
        if len({self.edges[edge][0] for edge in edges}) != self.positions:
            raise InputError(f"{edges} is no matching: a candidate has two positions")
        return edges

    def matchings(self) -> Iterator[tuple[int, ...]]:
        """Every matching, in lexicographic order; there may be very many."""

        def complete_greedily(
            chosen: tuple[int, ...], used: frozenset[int]
        ) -> Iterator[tuple[int, ...]]:
            if len(chosen) == self.positions:
                yield chosen
                return
            for edge in self.edges_at[len(chosen)].tolist():
                candidate = self.edges[edge][0]
                if candidate not in used:
                    yield from complete_greedily((*chosen, edge), used | {candidate})

        return complete_greedily((), frozenset())

    def count_matchings(self) -> int:
        """The number of matchings, exactly."""
        most = math.prod(len(edges) for edges in self.edges_at)
        # Numbers of Python's own where those of the machine might overflow.
        table = _table(self, np.int64 if most < 2**62 else object)
        return int(table[-1, -1])

    def width(self) -> int:
        """The width of the graph (Chen, Du, Huang, Zhao 2020, Definition 2).

        The most edges in a connected component of the union of two different matchings: 2ℓ where
        the graph is complete with a choice of matchings, else by enumeration. :class:`InputError`
        where there are more than 1,000 matchings to enumerate, or only one.
        """
        count = self.count_matchings()
        if count < 2:
            raise InputError(f"{self.name} has a single matching and so no width")
        if self.is_complete:
            return 2 * self.positions
        if count > _MOST_MATCHINGS:
            raise InputError(
                f"{self.name} has {count:,} matchings; the width of a graph that is not complete "
                f"is found by enumerating at most {_MOST_MATCHINGS:,}"
            )
        every = [tuple(self.candidate[list(matching)].tolist()) for matching in self.matchings()]
        return max(
            largest_component(first, second)
            for number, first in enumerate(every)
            for second in every[:number]
        )

    def hall_violator(self) -> tuple[int, ...]:
        """Positions with fewer candidates between them than they are; empty if none are."""
        from scipy.sparse import csr_array  # slow to load
        from scipy.sparse.csgraph import maximum_bipartite_matching

        ones = np.ones(self.size, dtype=np.int8)
        shape = (self.positions, self.candidates)
        table = csr_array((ones, (self.position, self.candidate)), shape=shape)
        taken = maximum_bipartite_matching(table, perm_type="column").tolist()
        free = [j for j, candidate in enumerate(taken) if candidate < 0]
        if not free:
            return ()
        holder = {candidate: j for j, candidate in enumerate(taken) if candidate >= 0}
        # Alternating paths from a free position end at positions only: their neighbours are taken.
        reached, waiting = {free[0]}, [free[0]]
        while waiting:
            for edge in self.edges_at[waiting.pop()].tolist():
                other = holder[self.edges[edge][0]]
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
        return tuple(sorted(reached))

    def _checked(self, edges: Sequence[tuple[int, int]]) -> tuple[IntArray, IntArray]:
        try:
            ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
        except (TypeError, ValueError):
            raise InputError("edges: expected a sequence of (candidate, position)") from None
        for number, (candidate, position) in enumerate(ends.tolist()):
            with errors_of(f"edges[{number}] = ({candidate}, {position})"):
                checked_place("candidate", candidate, self.candidates)
                checked_place("position", position, self.positions)
        order = np.lexsort((ends[:, 0], ends[:, 1]))
        ends = ends[order]
        twice = np.flatnonzero((np.diff(ends, axis=0) == 0).all(axis=1))
        if twice.size:
            candidate, position = ends[twice[0]].tolist()
            raise InputError(f"edge ({candidate}, {position}) is given twice")
        return ends[:, 0].copy(), ends[:, 1].copy()

    def _refuse_unfillable(self) -> None:
        violator = self.hall_violator()
        if violator:
            places = ", ".join(self.position_labels[j] for j in violator)
            able = sorted({self.edges[e][0] for j in violator for e in self.edges_at[j].tolist()})
            who = ", ".join(self.candidate_labels[i] for i in able) or "none"
            raise InputError(
                f"no matching fills every position: {len(violator)} position(s) ({places}) have "
                f"{len(able)} candidate(s) between them ({who})"
            )


def largest_component(first: Sequence[int], second: Sequence[int]) -> int:
    """The most edges in a component of the union of two matchings (candidates by position)."""
    holder = {candidate: j for j, candidate in enumerate(second)}
    seen: set[int] = set()
    best = 0
    # Paths start where the first matching's candidate is free in the second; cycles anywhere.
    starts = sorted(range(len(first)), key=lambda j: second[j] in set(first))
    for start in starts:
        if start in seen:
            continue
        size, j = 0, start
        members: set[int] = set()
        while j is not None and j not in members:
            members.add(j)
            size += 1 if first[j] == second[j] else 2
            j = holder.get(first[j])  # type: ignore[assignment]
        seen |= members
        best = max(best, size)
    return best


def edge_frequencies(graph: BipartiteGraph) -> FloatArray:
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


def forward_table(graph: BipartiteGraph) -> FloatArray:
    """f, relative to the number of matchings; shape (n + 1, 2^ℓ)."""
    table = _table(graph, np.float64)
    return np.asarray(table / table[-1, -1], dtype=np.float64)


def _table(graph: BipartiteGraph, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    size = 1 << graph.positions
    if (graph.candidates + 1) * size > _MOST_STATES:
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


def _neighbours(graph: BipartiteGraph) -> list[list[tuple[int, int]]]:
    """(edge, position) of every candidate's edges."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(graph.candidates)]
    for edge, (candidate, position) in enumerate(graph.edges):
        found[candidate].append((edge, position))
    return found


def checked_edge_prices(prices: Prices, graph: BipartiteGraph) -> FloatArray:
    """The price of a duel of each comparable pair of edges, shape (m, m); 0 elsewhere."""
    shape = (graph.size, graph.size)
    matrix = price_array(prices, shape, "pair of edges")
    return pair_prices(
        matrix, graph.pairs, lambda e, f: f": {graph.label(e)} against {graph.label(f)}"
    )
