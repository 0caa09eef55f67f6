r"""The minimax problem over two matching polytopes, as one linear program.

.. math:: \max_{x \in P(A_1, R_1)} \; \min_{y \in P(A_2, R_2)} \; \tfrac1\ell x^T Q y ,

where :math:`P(A, R)` is the convex hull of the matchings that contain A and avoid R. For a fixed x
the inner problem is a matching problem with costs :math:`q = Q^T x`. Its dual, with :math:`u_j` for
every position and :math:`v_c \ge 0` for every candidate that :math:`A_2` leaves open, makes the
whole one linear program (the *saddle LP*):

.. math:: \max \; \tfrac1\ell \Bigl(\sum_j u_j - \sum_c v_c + \sum_{e \in A_2} (Q^T x)_e\Bigr)
    \quad\text{s.t.}\quad u_{s(e)} - v_{c(e)} \le (Q^T x)_e \;\text{for every free edge } e, \quad
    v \ge 0, \quad x \in P(A_1, R_1) .

An edge is free where :math:`A_2` and :math:`R_2` leave it open. Columns ``x_c_s``, ``u_s``,
``v_c``; rows ``position_s``, ``candidate_c``, ``reply_c_s``. The duals of the reply rows, times ℓ,
are the other player's strategy y. Two matchings certify any pair of strategies: the best reply to
x bounds the value from below, that to y from above.

``method="saddle"`` solves this program; ``method="subgradient"`` is the paper's own oracle for the
same problem (:mod:`cpe_opt.formulations.matchings.subgradient`).

Chen, Du, Huang, Zhao, "Combinatorial Pure Exploration for Dueling Bandits", ICML 2020, section 4.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.magnitude import check_sums
from cpe_opt.formulations.matchings.assignment import Constraints, constrained
from cpe_opt.formulations.matchings.best_response import BestResponses
from cpe_opt.formulations.matchings.saddle_programs import SaddlePrograms
from cpe_opt.formulations.matchings.subgradient import ACCURACY, subgradient_ascent
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.validation import checked_number, checked_types

_PLAYED = 1e-9
Method: TypeAlias = Literal["saddle", "subgradient"]
METHODS: tuple[Method, ...] = ("saddle", "subgradient")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SaddlePoint(Answer):
    """A solution of the minimax problem.

    ``value`` is what x guarantees, the least over all replies y; ``bound`` what y concedes, the
    most over all replies x: each found by a matching, and the optimum is between them.

    Attributes
    ----------
    x, y : float arrays, shape (m,)
        Strategies: points of the two matching polytopes.
    iterations : int
        Of the solver, or steps of the subgradient method.
    """

    x: FloatArray
    y: FloatArray
    iterations: int

    def report(self, problem: MatchingDuels) -> dict[str, Any]:
        """The edges that x plays, by their labels."""
        label = problem.graph.label
        return {"x": {label(int(e)): float(self.x[e]) for e in np.flatnonzero(self.x > _PLAYED)}}


@checked_types
def condorcet_value_program(
    graph: BipartiteGraph,
    matrix: npt.ArrayLike,
    *,
    include_x: Iterable[int] = (),
    exclude_x: Iterable[int] = (),
    include_y: Iterable[int] = (),
    exclude_y: Iterable[int] = (),
) -> LinearProgram:
    """The saddle LP of the minimax problem over matchings.

    Parameters
    ----------
    graph : BipartiteGraph
    matrix : array_like, shape (m, m)
        Q; entries of edges at different positions must be 0.
    include_x, exclude_x, include_y, exclude_y : iterables of edges
        Edges that the matchings of x and of y must contain and avoid.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> duels = cpe.load_instance("figure1")
    >>> round(cpe.solve(condorcet_value_program(duels.graph, duels.array)).objective, 9)
    0.5
    """
    constraints_x = constrained(graph, include_x, exclude_x)
    programs = SaddlePrograms(Matchings(graph), constrained(graph, include_y, exclude_y))
    return programs.program(checked_matrix(graph, matrix), constraints_x)


@checked_types
def condorcet_value(
    graph: BipartiteGraph,
    matrix: npt.ArrayLike,
    *,
    include_x: Iterable[int] = (),
    exclude_x: Iterable[int] = (),
    include_y: Iterable[int] = (),
    exclude_y: Iterable[int] = (),
    method: Method = "saddle",
    epsilon: float | None = None,
    **solving: Unpack[SolveOptions],
) -> SaddlePoint:
    """Solve the minimax problem over matchings.

    Parameters
    ----------
    graph, matrix, include_x, exclude_x, include_y, exclude_y
        As for :func:`condorcet_value_program`.
    method : "saddle" or "subgradient"
        The linear program, or the paper's projected subgradient ascent.
    epsilon : float, optional
        ``bound - value`` at which the subgradient method stops; 0.01 by default.
    **solving
        As for :func:`cpe_opt.solve`, with any LP solver; the subgradient method takes none.

    Returns
    -------
    SaddlePoint

    Raises
    ------
    InputError
        Where a player has no matching that satisfies the constraints, or an argument is wrong.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> duels = cpe.load_instance("figure1")
    >>> point = cpe.condorcet_value(duels.graph, duels.array)
    >>> round(point.value, 9), point.x.round(6).tolist()
    (0.5, [0.0, 1.0, 0.0, 0.0, 1.0])
    """
    constraints_x = constrained(graph, include_x, exclude_x)
    constraints_y = constrained(graph, include_y, exclude_y)
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    accuracy = ACCURACY if epsilon is None else checked_number("epsilon", epsilon, above=0.0)
    if epsilon is not None and method == "saddle":
        raise InputError(f"epsilon is {epsilon}, which has no effect with method 'saddle'")
    replies = BestResponses(
        Matchings(graph), checked_matrix(graph, matrix), constraints_x, constraints_y
    )
    for player, constraints in (("x", constraints_x), ("y", constraints_y)):
        zeros, limits = np.zeros(graph.size), (constraints.include, constraints.exclude)
        if replies.matchings.cheapest(zeros, *limits) is None:
            raise InputError(f"no matching of player {player} {constraints.describe}")
    if method == "subgradient":
        refuse_unused(solving, "condorcet_value with method 'subgradient'", instead=("saddle",))
        return subgradient_point(replies, accuracy)
    return saddle_point(replies, **solving)


def subgradient_point(replies: BestResponses, epsilon: float) -> SaddlePoint:
    """Solve the minimax problem to this accuracy by the paper's oracle."""
    x, y, iterations = subgradient_ascent(replies, epsilon)
    return _certified(replies, x, y, "subgradient", None, iterations)


def saddle_point(
    replies: BestResponses,
    programs: SaddlePrograms | None = None,
    **solving: Unpack[SolveOptions],
) -> SaddlePoint:
    """Solve the saddle LP of these matrices and constraints, known to be feasible.

    ``programs`` are those of the constraints of y, where there are many to solve.
    """
    graph = replies.matchings.graph
    if programs is None:
        programs = SaddlePrograms(replies.matchings, replies.constraints_y)
    result = solve(programs.program(replies.matrix, replies.constraints_x), **solving)
    if result.x is None:
        raise InputError("the solver left no point")
    x = _clean(result.x[: graph.size], replies.constraints_x)
    if result.row_duals is None:
        # No duals from this solver: the other player's problem is a saddle LP, too.
        mirror = SaddlePrograms(replies.matchings, replies.constraints_x)
        other = solve(mirror.program(-replies.matrix.T, replies.constraints_y), **solving)
        y = np.zeros(graph.size) if other.x is None else other.x[: graph.size]
    else:
        y = replies.constraints_y.forced.astype(np.float64)
        free = replies.constraints_y.free
        y[free] = graph.positions * result.row_duals[graph.positions + graph.candidates :]
    y = _clean(y, replies.constraints_y)
    return _certified(replies, x, y, "saddle", result, result.iterations)


def _certified(
    replies: BestResponses,
    x: FloatArray,
    y: FloatArray,
    method: Method,
    result: SolveResult | None,
    iterations: int,
) -> SaddlePoint:
    value, _ = replies.against_x(x)
    bound, _ = replies.against_y(y)
    return SaddlePoint(
        value=value, bound=bound, method=method, result=result, x=x, y=y, iterations=iterations
    )


def _clean(strategy: FloatArray, constraints: Constraints) -> FloatArray:
    """Rounding errors of a solver removed: no negative weights, each position's add up to 1."""
    graph = constraints.graph
    weights = np.where(
        constraints.free | constraints.forced, np.clip(strategy, 0.0, 1.0) + 0.0, 0.0
    )
    totals = np.bincount(graph.position, weights=weights, minlength=graph.positions)
    return np.asarray(weights / totals[graph.position], dtype=np.float64)


def checked_matrix(graph: BipartiteGraph, matrix: npt.ArrayLike) -> FloatArray:
    """The matrix as floats, one row an edge, or :class:`InputError`."""
    array = checked_array("the matrix", matrix)
    if array.shape != (graph.size, graph.size):
        raise InputError(
            f"the matrix has shape {array.shape}, expected ({graph.size}, {graph.size})"
        )
    if not np.isfinite(array).all():
        raise InputError("the matrix has an entry that is not a finite number")
    if array[graph.position[:, None] != graph.position[None, :]].any():
        raise InputError("the matrix has an entry of edges at different positions, expected 0")
    check_sums("the matrix", array)
    return array
