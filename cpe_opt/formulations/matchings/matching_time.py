r"""The characteristic time of the Condorcet matching: the least cost of proving it by duels.

The Condorcet winner :math:`x^*` is preferred to every other matching y of the graph,

.. math:: B(y) = \sum_{j :\, x^*_j \ne y_j} \bigl(P_{x^*_j y_j} - \tfrac12\bigr) > 0 .

**Information.** q duels of a pair of edges tell :math:`p` from :math:`p'` by
:math:`2 q (p - p')^2` nats: exactly so for normal outcomes of variance ¼, and at least so for every
½-sub-Gaussian outcome. :math:`x^*` is the wrong answer where :math:`B'(y) \le 0` for some y. Of the
duels only those with :math:`x^*_j` count, :math:`q_e` of :math:`x^*_j` against the edge e of
position j, and the nearest such instance differs, by Cauchy and Schwarz, by

.. math:: \min_d \Bigl\{ \sum_e 2 q_e d_e^2 : \sum_e d_e \ge B(y) \Bigr\}
          = \frac{2 B(y)^2}{A(y)}, \qquad A(y) = \sum_{e \in y \setminus x^*} \frac{1}{q_e} ,

so that with prices :math:`\pi_e`

.. math:: T^* = \min_{q > 0} \sum_{e \notin x^*} \pi_e q_e \quad\text{s.t.}\quad
          A(y) \le 2 B(y)^2 \quad \forall y \ne x^* ,

a program of :mod:`cpe_opt.formulations.inverse_rows`.

**Which bound it is.** :math:`T^*\,\mathrm{kl}(\delta, 1-\delta)` bounds the mean cost of every
algorithm that, for normal outcomes of variance ¼, names with probability at most :math:`\delta` a
matching that is no Condorcet winner, also if there is none. Outcomes of Bernoulli duels tell
more, :math:`d_{KL}(p, p') \ge 2(p-p')^2` (Pinsker): for them :math:`T^*` is **at least** the
characteristic time, and no lower bound. An algorithm that may take for granted that there is a
Condorcet winner has fewer instances to tell apart, and may need less.

**Rows.** With the rewards :math:`\frac12 - P_{x^*_j e}` of the edges, 0 and known on :math:`x^*`,
:math:`x^*` is the best matching, the gap of y is :math:`B(y)`, and the rows are those of single
pulls with :math:`\sigma = \frac12` (:mod:`cpe_opt.formulations.subsets.single_pulls`). Up to 20,000
matchings are listed; of more, rows are separated by assignments and by an integer program, whose
bound proves that none is left.

Chen, Du, Huang, Zhao, "Combinatorial pure exploration for dueling bandits", ICML 2020; Garivier,
Kaufmann, "Optimal best arm identification with fixed confidence", COLT 2016.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.information import asymptotic_cost, least_cost, reported_costs
from cpe_opt.formulations.matchings.condorcet_value import condorcet_winner
from cpe_opt.formulations.subsets.alternatives import Alternatives
from cpe_opt.formulations.subsets.single_pulls import inverse_rows, single_time
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.problems.matchings.bipartite import BipartiteGraph, checked_edge_prices
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.ties import on_grid
from cpe_opt.validation import Numbers, checked_types

Method: TypeAlias = Literal["cone", "multiplicative"]
SIGMA = 0.5
"""The outcome of a duel, in [0, 1], is sub-Gaussian with this parameter."""
_LARGEST = 5  # shares in a report


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class MatchingTime(Answer):
    """T*, and the duels that attain it.

    Attributes
    ----------
    value : float
        T*: the cost per ``ln(1/delta)``, a number of duels where these have no prices; 0 where the
        graph has a single matching.
    bound : float
        No duels that suffice cost less.
    matching : tuple of int
        The Condorcet winner.
    exploration : float array, shape (m, m)
        Duels of each pair of edges per ``ln(1/delta)``, symmetric; 0 for pairs without an edge of
        the winner.
    """

    matching: tuple[int, ...]
    exploration: FloatArray

    @property
    def proportions(self) -> FloatArray:
        """The share of each pair in all duels, shape (m, m), symmetric; each half adds up to 1."""
        total = float(np.triu(self.exploration).sum())
        return np.asarray(self.exploration / total) if total else self.exploration

    def duels(self, delta: float = 0.05) -> float:
        """T* kl(delta, 1 - delta), from ``bound``: what no algorithm can cost less than on average.

        A number of duels where these have no prices; for which algorithms, the module says. From
        ``delta`` = ½ on it is 0.

        Examples
        --------
        >>> import cpe_opt as cpe
        >>> round(cpe.matching_time(cpe.load_instance("figure1")).duels(0.05), 1)
        1065.3
        """
        return least_cost([self.bound], delta)

    def asymptotic_duels(self, delta: float = 0.05) -> float:
        """T* ln(1/delta): what the best algorithms cost in the limit of small ``delta``.

        Examples
        --------
        >>> import cpe_opt as cpe
        >>> round(cpe.matching_time(cpe.load_instance("figure1")).asymptotic_duels(0.05), 1)
        1204.3
        """
        return asymptotic_cost(self.value, delta)

    def report(self, problem: MatchingDuels) -> dict[str, Any]:
        """The winner, the largest shares, and the cost at usual probabilities of an error."""
        graph = problem.graph
        rivals = opponents(graph, self.matching)
        shares = self.proportions[rivals, np.arange(graph.size)]
        heaviest = (-on_grid(shares)).argsort(kind="stable")[:_LARGEST].tolist()
        return {
            "matching": "; ".join(graph.label(edge) for edge in self.matching),
            "largest shares": {
                _pair(graph, int(rivals[edge]), edge): float(shares[edge])
                for edge in heaviest
                if shares[edge]
            },
            **reported_costs("duels", self.duels, self.asymptotic_duels),
        }


@checked_types
def matching_time_program(duels: MatchingDuels, *, prices: Numbers | None = None) -> ConicProgram:
    """The cone program of the characteristic time, with all matchings listed.

    Arguments are those of :func:`matching_time`; the graph has at least two matchings and at most
    20,000.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> cpe.matching_time_program(cpe.load_instance("figure1"))
    ConicProgram('matching_time', 6 variables, 13 constraints, min)
    """
    alternatives, costs = _asked(duels, prices)
    graph, rivals = duels.graph, opponents(duels.graph, alternatives.best)
    if not len(alternatives.rows):
        raise InputError(f"{duels.name} has a single matching, and nothing to tell apart")
    if not alternatives.complete:
        raise InputError(
            f"{graph.name} has too many matchings to list all rows; matching_time finds those that "
            "matter"
        )
    rows, used = inverse_rows(alternatives, alternatives.rows, SIGMA, costs)
    labels = {
        f"duels_{place}": f"{_pair(graph, int(rivals[edge]), edge)}, in units of {unit:g} duels"
        for place, (edge, unit) in enumerate(
            zip(np.flatnonzero(used).tolist(), rows.units, strict=True)
        )
    }
    return rows.cone_program("matching_time", "duels", labels)


@checked_types
@shows_progress("T* of the best matching")
def matching_time(
    duels: MatchingDuels,
    *,
    prices: Numbers | None = None,
    method: Method = "cone",
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> MatchingTime:
    """T*: the cost per ln(1/δ) of proving the Condorcet matching, and the duels that attain it.

    By squared errors: an upper bound on the characteristic time of Bernoulli duels; see the module.

    Parameters
    ----------
    duels : MatchingDuels
        With a Condorcet winner.
    prices : array_like, optional
        What a duel of each pair of edges costs: one positive number, or an array of shape (m, m),
        such as :func:`cpe_opt.read_prices` reads; 1 by default.
    method : "cone" or "multiplicative"
        Cone programs with a solver, or multiplicative steps without one.
    progress : bool or callable, optional
        As for :func:`cpe_opt.copeland_bound`.
    **solving
        As for :func:`cpe_opt.solve`. ``time_limit`` is for all. With ``cone`` the others are those
        of the cone programs, ``clarabel`` by default. More than 20,000 matchings need integer
        programs, by ``highs`` unless ``multiplicative`` is given another solver.

    Raises
    ------
    InputError, UnknownName
        Where there is no Condorcet winner, or on bad prices.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> time = cpe.matching_time(cpe.load_instance("figure1"))
    >>> round(time.value, 2), time.gap < 1e-6
    (402.0, True)
    """
    alternatives, costs = _asked(duels, prices)
    q = np.zeros_like(duels.array)
    if not len(alternatives.rows):
        return MatchingTime(
            value=0.0, bound=0.0, method=method, matching=alternatives.best, exploration=q
        )
    time = single_time(alternatives, SIGMA, costs, method, **solving)
    rivals = opponents(duels.graph, alternatives.best)
    each = np.arange(duels.graph.size)
    q[rivals, each] = q[each, rivals] = time.exploration
    return MatchingTime(
        value=time.value,
        bound=time.bound,
        method=method,
        result=time.result,
        matching=alternatives.best,
        exploration=q,
    )


def opponents(graph: BipartiteGraph, matching: tuple[int, ...]) -> IntArray:
    """The edge of the matching at the position of every edge; shape (m,)."""
    return np.asarray(np.array(matching, dtype=np.int64)[graph.position])


def _asked(duels: MatchingDuels, prices: npt.ArrayLike | None) -> tuple[Alternatives, FloatArray]:
    """What the winner must be told from, and the price of a duel of each edge with it."""
    graph = duels.graph
    charged = checked_edge_prices(prices, graph)
    winner = condorcet_winner(duels)
    if winner is None:
        raise InputError(
            f"{duels.name} has no Condorcet winner: no matching is preferred to all others, so "
            "that no number of duels proves one"
        )
    rivals, each = opponents(graph, winner), np.arange(graph.size)
    bandit = SubsetBandit(Matchings(graph), 0.5 - duels.array[rivals, each])
    costs = charged[rivals, each]
    costs[list(winner)] = 1.0  # of no duel
    return Alternatives.of(bandit, known=winner), costs


def _pair(graph: BipartiteGraph, winner: int, edge: int) -> str:
    """Such as ``s0: c0 - c1``."""
    return f"{graph.label(winner)} - {graph.candidate_labels[int(graph.candidate[edge])]}"
