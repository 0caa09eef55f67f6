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

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.problems.dueling.preferences import TOLERANCE, PreferenceMatrix
from cpe_opt.problems.dueling.votes import Votes, VoteSummary
from cpe_opt.problems.environments import DuelEnvironment
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.recorders import DuelRecorder, refuse_regret
from cpe_opt.validation import checked_count, checked_finite, checked_number, checked_types

if TYPE_CHECKING:
    import pandas as pd

_SPREADS = (3.0, 2.0, 1.5, 1.2, 1.0)  # the largest advantage of a planted winner over the least


class MatchingDuels:
    """A bipartite graph with the probabilities of its duels.

    Parameters
    ----------
    graph : BipartiteGraph
    array : array_like, shape (m, m)
        ``array[e, f]`` is the probability that edge e beats edge f; entries of incomparable pairs
        must be 0 or NaN.
    name : str, optional
        The graph's by default.
    votes : Votes, optional
        Those of the edges, from the log that the array was counted from.

    Attributes
    ----------
    array : float array, shape (m, m)
        P, with ½ on the diagonal and 0 for incomparable pairs.

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
        array: npt.ArrayLike,
        *,
        name: str | None = None,
        votes: Votes | None = None,
    ) -> None:
        if not isinstance(graph, BipartiteGraph):
            raise InputError(f"graph is {graph!r}, expected a BipartiteGraph")
        self.graph = graph
        self.name = name or graph.name
        self.votes = votes
        self.array = _checked(graph, array)
        self.array.flags.writeable = False

    @classmethod
    @checked_types
    def from_preferences(
        cls, by_position: Mapping[str, PreferenceMatrix], *, name: str = "matchings"
    ) -> MatchingDuels:
        """One preference matrix a position; it has the candidates that may take the position.

        Candidates are told by their labels, and numbered in the order of appearance.
        """
        for place, mu in by_position.items():
            if not isinstance(mu, PreferenceMatrix):
                raise InputError(f"position {place!r} has {mu!r}, expected a PreferenceMatrix")
        graph = BipartiteGraph.from_labels(
            [(label, place) for place, mu in by_position.items() for label in mu.labels], name=name
        )
        array = np.zeros((graph.size, graph.size))
        votes = Votes(np.zeros_like(array), np.zeros_like(array))
        number = {label: candidate for candidate, label in enumerate(graph.candidate_labels)}
        for position, mu in enumerate(by_position.values()):
            edges = [graph.edge(number[label], position) for label in mu.labels]
            array[np.ix_(edges, edges)] = mu.array
            if mu.votes is not None:
                votes.wins[np.ix_(edges, edges)] = mu.votes.wins
                votes.tied[np.ix_(edges, edges)] = mu.votes.tied
        counted = [mu.votes for mu in by_position.values()]
        if None in counted:
            return cls(graph, array)
        unused = dict.fromkeys(name for log in counted if log for name in log.unused)
        return cls(graph, array, votes=Votes(votes.wins, votes.tied, tuple(unused)))

    @classmethod
    @checked_types
    def from_preflib(
        cls, by_position: Mapping[str, str | os.PathLike[str]], *, name: str = "matchings"
    ) -> MatchingDuels:
        """One PrefLib file of rankings a position; alternatives are candidates by their names."""
        return cls.from_preferences(
            {place: PreferenceMatrix.from_preflib(path) for place, path in by_position.items()},
            name=name,
        )

    @classmethod
    def from_scores(
        cls, table: str | os.PathLike[str] | pd.DataFrame, *, name: str | None = None
    ) -> MatchingDuels:
        """A table of scores, candidates × positions; see :func:`read_scores`."""
        from cpe_opt.problems.matchings.files import read_scores

        return read_scores(table, name=name)

    @classmethod
    def from_csv(cls, path: str | os.PathLike[str], *, name: str | None = None) -> MatchingDuels:
        """Probabilities or a log of duels; see :func:`read_scores`."""
        from cpe_opt.problems.matchings.files import read_matchings

        return read_matchings(path, name=name)

    @classmethod
    def from_duels(
        cls, duels: str | os.PathLike[str] | pd.DataFrame, *, name: str | None = None
    ) -> MatchingDuels:
        """Count a log of duels: columns ``position, winner, loser`` and, optionally, ``count``."""
        from cpe_opt.problems.matchings.files import read_position_duels

        return read_position_duels(duels, name=name)

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
        refuse_regret("matchings", regret)
        none = np.full(self.array.shape, np.nan)
        return DuelRecorder(none, horizon=horizon, points=points)

    @cached_property
    def vote_summary(self) -> VoteSummary | None:
        """What the log says of the pairs of edges; None where probabilities were given."""
        return None if self.votes is None else self.votes.summary(self.graph.pairs)

    @checked_types
    def preference(self, first: Sequence[int], second: Sequence[int]) -> float:
        """F of two matchings."""
        one, other = self.graph.check_matching(first), self.graph.check_matching(second)
        return float(self.array[one, other].mean())

    @cached_property
    def borda_weights(self) -> FloatArray:
        """w(e), exactly, by dynamic programming over sets of positions; shape (m,)."""
        from cpe_opt.problems.matchings.counting import edge_frequencies

        # A sum, no product of matrices: those differ between machines in their last bits.
        return np.asarray((self.array * edge_frequencies(self.graph)).sum(axis=1))

    @checked_types
    def borda_score(self, matching: Sequence[int]) -> float:
        """B(M)."""
        return float(self.borda_weights[list(self.graph.check_matching(matching))].mean())

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the probabilities, readable by :meth:`from_csv`."""
        import csv

        from cpe_opt.files import atomic_write

        graph = self.graph
        with (
            atomic_write(path) as temporary,
            temporary.open("w", newline="", encoding="utf-8") as file,
        ):
            writer = csv.writer(file)
            writer.writerow(["position", "candidate", "opponent", "probability"])
            for e, f in graph.pairs.tolist():
                (first, place), (second, _) = graph.edges[e], graph.edges[f]
                names = (
                    graph.position_labels[place],
                    graph.candidate_labels[first],
                    graph.candidate_labels[second],
                )
                writer.writerow([*names, repr(float(self.array[e, f]))])
            for edges in graph.edges_at:
                if len(edges) == 1:
                    candidate, place = graph.edges[int(edges[0])]
                    who = graph.candidate_labels[candidate]
                    writer.writerow([graph.position_labels[place], who, who, "0.5"])


@checked_types
def planted_condorcet(
    candidates: int,
    positions: int,
    *,
    gap: float = 0.05,
    seed: int = 0,
    density: float = 1.0,
) -> MatchingDuels:
    """A random problem with a Condorcet winner and a chosen gap.

    A random matching beats every edge at each of its positions; among the others probabilities are
    uniform. The advantages are scaled so that the winner's smallest lead over another matching,
    ``min_M f(M*, M) - 1/2``, is ``gap``.

    Parameters
    ----------
    candidates, positions : int
        At least as many candidates as positions, and at least two matchings.
    gap : float
        Above 0; as large as probabilities of at most 1 allow.
    seed : int
    density : float
        The share of edges beside the winner's, above 0 and at most 1.

    Raises
    ------
    InputError
    """
    checked_count("candidates", candidates, least=2)
    checked_count("positions", positions)
    checked_count("seed", seed, least=0)
    checked_finite("gap", gap, above=0.0)
    if not 0.0 < checked_number("density", density, above=0.0) <= 1.0:
        raise InputError(f"density is {density}, expected a share above 0 and at most 1")
    if candidates < positions:
        raise InputError(f"{candidates} candidates cannot fill {positions} positions")
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(candidates)[:positions].tolist()
    edges = [
        (i, j)
        for j in range(positions)
        for i in range(candidates)
        if i == chosen[j] or rng.random() < density
    ]
    name = f"planted-{candidates}-{positions}-{gap:g}-{seed}"
    graph = BipartiteGraph(candidates, positions, edges, name=name)
    winner = [graph.edge(chosen[j], j) for j in range(positions)]
    advantage = _advantages(graph, winner, gap, rng.uniform(size=graph.size))
    array = np.zeros((graph.size, graph.size))
    for j, at in enumerate(graph.edges_at):
        upper = np.triu(rng.uniform(size=(len(at), len(at))), 1)
        block = upper + np.tril(1.0 - upper.T, -1) + 0.5 * np.eye(len(at))
        place = at.tolist().index(winner[j])
        block[place] = 0.5 + advantage[at]
        block[:, place] = 0.5 - advantage[at]
        array[np.ix_(at, at)] = block
    return MatchingDuels(graph, array)


def _advantages(
    graph: BipartiteGraph, winner: Sequence[int], gap: float, shares: FloatArray
) -> FloatArray:
    """By how much the winner's edges beat the others beyond ½, as unequal as the gap allows."""
    largest = 0.0
    for spread in _SPREADS:
        advantage = 1.0 + (spread - 1.0) * shares
        advantage[list(winner)] = 0.0
        advantage *= gap * graph.positions / _least_total(graph, advantage, winner)
        largest = float(advantage.max())
        if largest <= 0.5:
            return np.asarray(advantage, dtype=np.float64)
    raise InputError(
        f"gap is {gap}, expected at most {gap * 0.5 / largest:.4g} for this graph: an edge would "
        "have to win with probability above 1"
    )


def _least_total(graph: BipartiteGraph, cost: FloatArray, winner: Sequence[int]) -> float:
    """The least total cost of a matching other than the winner."""
    from scipy.optimize import linear_sum_assignment

    table = np.full((graph.positions, graph.candidates), np.inf)
    table[graph.position, graph.candidate] = cost
    least = np.inf
    for j, edge in enumerate(winner):
        forbidden = table.copy()
        forbidden[j, graph.candidate[edge]] = np.inf
        try:
            rows, columns = linear_sum_assignment(forbidden)
        except ValueError:
            continue  # the winner's edge at this position is in every matching
        least = min(least, float(forbidden[rows, columns].sum()))
    if np.isinf(least):
        raise InputError(f"{graph.name} has a single matching: no gap to choose")
    return least


def _checked(graph: BipartiteGraph, array: npt.ArrayLike) -> FloatArray:
    matrix = checked_array("probabilities", array)
    if matrix.shape != (graph.size, graph.size):
        shape = " × ".join(map(str, matrix.shape)) or "a single number"
        raise InputError(
            f"probabilities: got {shape}, expected {graph.size} × {graph.size}, one row an edge"
        )
    comparable = graph.position[:, None] == graph.position[None, :]

    def refuse(where: Any, problem: str) -> None:
        if where.any():
            e, f = (int(index[0]) for index in np.nonzero(where))
            value, mirror = matrix[e, f], matrix[f, e]
            text = problem.format(value=value, mirror=mirror)
            raise InputError(
                f"probability of edge {e} ({graph.label(e)}) against edge {f} ({graph.label(f)}): "
                f"{text}"
            )

    refuse(
        ~comparable & (np.nan_to_num(matrix) != 0.0),
        "{value}, expected 0 for edges of different positions",
    )
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
