r"""Matchings compared by duels: the problem of combinatorial pure exploration for dueling bandits.

Edges of a bipartite graph that share a position duel each other; :math:`P_{ef} = 1 - P_{fe}` is
the probability that e beats f, :math:`P_{ee} = \frac12`, and 0 for incomparable edges. Matching
:math:`M_1` is preferred to :math:`M_2` by

.. math:: f(M_1, M_2) = \tfrac1\ell \sum_j P_{e(M_1, j), e(M_2, j)} = 1 - f(M_2, M_1) .

- The **Condorcet winner** has f above ½ against every other matching.
- The **Borda score** of a matching is its mean f against all matchings, itself included; it is
  :math:`w(M)/\ell` with edge weights :math:`w(e)`, the mean probability that e beats the edge that
  a uniform random matching has at its position. The **Borda winner** has the largest.

Chen, Du, Huang, Zhao, "Combinatorial Pure Exploration for Dueling Bandits", ICML 2020.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Self

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_shape
from cpe_opt.errors import InputError
from cpe_opt.problems.environments import DuelEnvironment, DuelRecorder, refuse_units
from cpe_opt.problems.matchings.bipartite import BipartiteGraph, edge_frequencies
from cpe_opt.problems.pairs import (
    TOLERANCE,
    LogNotes,
    Preferences,
    VoteCounts,
    VoteSummary,
    refuse_entry,
)
from cpe_opt.validation import Name, Numbers, checked_types


class MatchingDuels:
    """A bipartite graph with the probabilities of its duels.

    Parameters
    ----------
    graph : BipartiteGraph
    array : array_like, shape (m, m)
        ``array[e, f]`` is the probability that edge e beats edge f; entries of incomparable pairs
        must be 0 or NaN, and become 0.
    name : str, optional
        The graph's by default.
    counts : VoteCounts, optional
        The votes on pairs of edges, from the log that the array was counted from.

    Raises
    ------
    InputError
        With the edges concerned, where a probability is missing, out of range, or a pair does not
        add up to 1.

    Examples
    --------
    >>> graph = BipartiteGraph(2, 1, [(0, 0), (1, 0)])
    >>> duels = MatchingDuels(graph, [[0.5, 0.7], [0.3, 0.5]])
    >>> duels.preference((0,), (1,)), duels.borda_score((0,))
    (0.7, 0.6)
    """

    family = "matchings"

    @checked_types
    def __init__(
        self,
        graph: BipartiteGraph,
        array: Numbers,
        *,
        name: Name | None = None,
        counts: VoteCounts | None = None,
    ) -> None:
        self.graph = graph
        self.name = graph.name if name is None else str(name)
        self.counts = counts
        self.array = _checked(graph, array)
        self.array.flags.writeable = False

    @classmethod
    @checked_types
    def from_preferences(
        cls, by_position: Mapping[str, Preferences], *, name: Name = "matchings"
    ) -> Self:
        """One preference matrix a position; it has the candidates that may take the position.

        Candidates are identified by their labels, and numbered in the order of appearance.
        """
        for place, mu in by_position.items():
            if not isinstance(mu, Preferences):
                raise InputError(f"position {place!r} has {mu!r}, expected a PreferenceMatrix")
        labels = {place: list(mu.labels) for place, mu in by_position.items()}
        graph = BipartiteGraph.from_labels(
            [(label, place) for place, names in labels.items() for label in names], name=name
        )
        array = np.zeros((graph.size, graph.size))
        wins, tied = np.zeros_like(array), np.zeros_like(array)
        selected = np.zeros(array.shape, dtype=np.bool_)
        number = {label: candidate for candidate, label in enumerate(graph.candidate_labels)}
        logs = []
        for position, mu in enumerate(by_position.values()):
            edges = [graph.edge(number[label], position) for label in mu.labels]
            block = np.ix_(edges, edges)
            array[block] = mu.array
            if mu.counts is not None:
                logs.append(mu.counts)
                wins[block], tied[block] = mu.counts.wins, mu.counts.tied
                if mu.counts.selected is not None:
                    selected[block] = mu.counts.selected
        if len(logs) < len(by_position):
            return cls(graph, array)
        counts = VoteCounts(
            wins,
            tied,
            LogNotes.of_all([log.notes for log in logs]),
            independent=all(log.independent for log in logs),
            selected=selected if selected.any() else None,
        )
        return cls(graph, array, counts=counts)

    def __repr__(self) -> str:
        return f"MatchingDuels({self.name!r}, {self.graph!r})"

    @property
    def known(self) -> BipartiteGraph:
        """What a learner may know of the problem: the graph."""
        return self.graph

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Those of the edges."""
        return tuple(self.graph.label(edge) for edge in range(self.graph.size))

    @property
    def fingerprint(self) -> tuple[tuple[tuple[int, int], ...], FloatArray]:
        """The edges and the probabilities."""
        return self.graph.edges, self.array

    def environment(self, rng: np.random.Generator) -> DuelEnvironment:
        """Simulated duels of edges at their position."""
        return DuelEnvironment(self.array, rng, self.graph.position)

    def recorder(
        self, *, horizon: int | None = None, regret: str | None = None, points: int | None = None
    ) -> DuelRecorder:
        """Notes duels; there is no regret; see :class:`cpe_opt.Problem`."""
        refuse_units("matchings", regret)
        none = np.full(self.array.shape, np.nan)
        return DuelRecorder(none, horizon=horizon, points=points)

    @cached_property
    def vote_summary(self) -> VoteSummary | None:
        """What the log says of the pairs of edges; None where probabilities were given."""
        return None if self.counts is None else self.counts.summary(self.graph.pairs)

    @checked_types
    def preference(self, first: Sequence[int], second: Sequence[int]) -> float:
        """F of two matchings."""
        one, other = self.graph.check_matching(first), self.graph.check_matching(second)
        return float(self.array[one, other].mean())

    @cached_property
    def borda_weights(self) -> FloatArray:
        """w(e), exactly, by dynamic programming over sets of positions; shape (m,)."""
        # A sum, no product of matrices: those differ between machines in their last bits.
        return np.asarray((self.array * edge_frequencies(self.graph)).sum(axis=1))

    @checked_types
    def borda_score(self, matching: Sequence[int]) -> float:
        """The Borda score B(M) of a matching."""
        return float(self.borda_weights[list(self.graph.check_matching(matching))].mean())


def _checked(graph: BipartiteGraph, array: npt.ArrayLike) -> FloatArray:
    matrix = checked_shape("array", array, (graph.size, graph.size), ", one row per edge")
    comparable = graph.position[:, None] == graph.position[None, :]

    def place(e: int, f: int) -> str:
        return f"probability of edge {e} ({graph.label(e)}) against edge {f} ({graph.label(f)})"

    refuse = partial(refuse_entry, matrix=matrix, place=place)
    apart = ~comparable & (np.nan_to_num(matrix) != 0.0)
    refuse(apart, "{value}, expected 0 for edges of different positions")
    matrix[~comparable] = 0.0
    refuse(np.isnan(matrix), "missing, expected a probability")
    refuse((matrix < 0) | (matrix > 1), "{value}, expected a probability in [0, 1]")
    diagonal = np.eye(graph.size, dtype=np.bool_)
    refuse(diagonal & (np.abs(matrix - 0.5) > TOLERANCE), "{value}, expected 0.5 against itself")
    refuse(
        comparable & (np.abs(matrix + matrix.T - 1) > TOLERANCE),
        "{value} and {mirror} the other way, which do not add up to 1",
    )
    upper = np.triu(matrix, 1)
    lower = np.tril(np.where(comparable, 1.0 - upper.T, 0.0), -1)
    return np.asarray(upper + lower + 0.5 * diagonal, dtype=np.float64)
