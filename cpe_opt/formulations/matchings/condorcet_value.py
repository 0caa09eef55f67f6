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

**The paper's oracle**, ``method="subgradient"``, is projected subgradient ascent. With
:math:`g(x) = \min_y \frac1\ell x^T Q y`, a subgradient at x is :math:`\frac1\ell Q y` for a best
reply y, a matching. A step along it is projected back onto the polytope by Frank–Wolfe, whose steps
are matchings, too (Algorithms 6 and 7). The published numbers of iterations,
:math:`(4\ell K)^2 / \epsilon^2` steps of :math:`16\ell^2/\epsilon'^2` steps each, are worst cases.
Here the method stops at the duality gap between the best x so far (Lemma 9 bounds that one, not the
last) and the mean of the replies y; a projection stops when its own gap, which bounds half the
squared distance to the projection, is a quarter of the squared step, or after 200 steps; steps
shrink like :math:`1/\sqrt t`. What an inexact projection loses shows in the duality gap.

**Winners.** The *Condorcet winner* is preferred to every other matching; the *Borda winner* has the
largest Borda score, which is linear in the matching.

Chen, Du, Huang, Zhao, "Combinatorial Pure Exploration for Dueling Bandits", ICML 2020, section 4.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, check_sums, checked_array
from cpe_opt.errors import InputError
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.matchings.assignment import (
    Constraints,
    Matching,
    best_matching,
    constrained,
    second_best_matching,
)
from cpe_opt.formulations.subsets.oracle import SubsetMethod
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.progress_line import ShowProgress, shows_progress
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import on_grid
from cpe_opt.validation import Numbers, Positive, checked_types

_PLAYED = 1e-9
Method: TypeAlias = Literal["saddle", "subgradient"]
ACCURACY = 1e-2
_MOST_STEPS = 200_000
_MOST_PROJECTION_STEPS = 200
_PROJECTION_SHARE = 0.5
_STRICT = 1e-9


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
    matrix: Numbers,
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
@shows_progress("the saddle point of two matchings")
def condorcet_value(
    graph: BipartiteGraph,
    matrix: Numbers,
    *,
    include_x: Iterable[int] = (),
    exclude_x: Iterable[int] = (),
    include_y: Iterable[int] = (),
    exclude_y: Iterable[int] = (),
    method: Method = "saddle",
    accuracy: Positive | None = None,
    progress: ShowProgress = None,
    **solving: Unpack[SolveOptions],
) -> SaddlePoint:
    """Solve the minimax problem over matchings.

    Parameters
    ----------
    graph, matrix, include_x, exclude_x, include_y, exclude_y
        As for :func:`condorcet_value_program`.
    method : "saddle" or "subgradient"
        The linear program, or the paper's projected subgradient ascent.
    accuracy : float, optional
        ``bound - value`` at which the subgradient method stops; 0.01 by default.
    progress : bool or callable, optional
        As for :func:`cpe_opt.copeland_bound`.
    **solving
        As for :func:`cpe_opt.solve`, with any LP solver; the subgradient method takes none.

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
    if accuracy is not None and method == "saddle":
        raise InputError(f"accuracy is {accuracy}, which has no effect with method 'saddle'")
    replies = BestResponses(
        Matchings(graph), checked_matrix(graph, matrix), constraints_x, constraints_y
    )
    for player, constraints in (("x", constraints_x), ("y", constraints_y)):
        zeros, limits = np.zeros(graph.size), (constraints.include, constraints.exclude)
        if replies.matchings.cheapest(zeros, *limits) is None:
            raise InputError(f"no matching of player {player} {constraints.describe}")
    if method == "subgradient":
        refuse_unused(solving, "condorcet_value with method 'subgradient'", instead=("saddle",))
        return subgradient_point(replies, ACCURACY if accuracy is None else accuracy)
    return saddle_point(replies, **solving)


@dataclass(frozen=True, eq=False)
class BestResponses:
    """Best replies of both players for one matrix: what certifies their strategies.

    With ``rounded``, replies are best by :func:`cpe_opt.ties.on_grid`: of equal ones each machine
    takes the same, and values are within 1e-9 of the best. A certificate wants the best itself.
    """

    matchings: Matchings
    matrix: FloatArray
    constraints_x: Constraints
    constraints_y: Constraints
    rounded: bool = False

    def against_x(self, x: FloatArray) -> tuple[float, FloatArray]:
        """The least value over replies y, and such a reply."""
        costs = x @ self.matrix
        return self._reply(self._priced(costs), self.constraints_y, costs)

    def against_y(self, y: FloatArray) -> tuple[float, FloatArray]:
        """The largest value over replies x, and such a reply."""
        gains = self.matrix @ y
        return self._reply(self._priced(-gains), self.constraints_x, gains)

    def _priced(self, costs: FloatArray) -> FloatArray:
        return on_grid(costs) if self.rounded else costs

    def _reply(
        self, costs: FloatArray, constraints: Constraints, amounts: FloatArray
    ) -> tuple[float, FloatArray]:
        edges = self.matchings.cheapest(costs, exclude=constraints.banned)
        if edges is None:
            raise InputError("no matching satisfies the constraints")
        reply = np.zeros(self.matchings.size)
        reply[edges] = 1.0
        return float(amounts[edges].sum()) / self.matchings.graph.positions, reply


def subgradient_point(replies: BestResponses, accuracy: float) -> SaddlePoint:
    """Solve the minimax problem to this accuracy by the paper's oracle."""
    x, y, iterations = subgradient_ascent(replies, accuracy)
    return _certified(replies, x, y, "subgradient", None, iterations)


def saddle_point(
    replies: BestResponses, programs: SaddlePrograms | None = None, **solving: Unpack[SolveOptions]
) -> SaddlePoint:
    """Solve the saddle LP of these matrices and constraints, known to be feasible."""
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
    """The matrix as floats, one row per edge, or :class:`InputError`."""
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


class SaddlePrograms:
    """The saddle LPs under the same constraints of y, which decide their columns and rows."""

    def __init__(self, matchings: Matchings, constraints_y: Constraints) -> None:
        self._size = matchings.size
        self._scale = 1.0 / matchings.graph.positions
        self._forced_y = constraints_y.forced
        self._template = _template(matchings, constraints_y)
        table = self._template.matrix.tocoo()
        row, column = table.coords
        first = matchings.graph.positions + matchings.graph.candidates
        # The rows of replies come last, and in them the columns of x first.
        self._entries = np.flatnonzero((row >= first) & (column < self._size))
        self._f = column[self._entries]
        self._e = np.flatnonzero(constraints_y.free)[row[self._entries] - first]

    def program(self, matrix: FloatArray, constraints_x: Constraints) -> LinearProgram:
        """The saddle LP of a matrix, shape (m, m), and of these constraints of x."""
        started, template, size = time.perf_counter(), self._template, self._size
        data = template.matrix.data.copy()
        data[self._entries] = -matrix[self._f, self._e]
        table = sp.csr_array(
            (data, template.matrix.indices, template.matrix.indptr), template.shape
        )
        if not data.all():
            table = table.copy()
            table.eliminate_zeros()
        costs, lower = template.costs.copy(), template.column_lower.copy()
        upper = template.column_upper.copy()
        costs[:size] = self._scale * matrix[:, self._forced_y].sum(axis=1)
        lower[:size] = constraints_x.forced
        upper[:size] = np.where(constraints_x.forbidden, 0.0, 1.0)
        return replace(
            template,
            costs=costs,
            column_lower=lower,
            column_upper=upper,
            matrix=table,
            build_seconds=template.build_seconds + time.perf_counter() - started,
        )


def _template(matchings: Matchings, constraints_y: Constraints) -> LinearProgram:
    """The program of a matrix of ones, x unconstrained."""
    graph = matchings.graph
    scale = 1.0 / graph.positions
    builder = ProgramBuilder("condorcet", sense="max")
    columns = builder.columns("x", list(graph.edges), upper=1.0)
    free = np.flatnonzero(constraints_y.free)
    places = np.unique(graph.position[free])
    people = np.unique(graph.candidate[free])
    u = builder.columns("u", places, cost=scale, lower=-np.inf)
    v = builder.columns("v", people, cost=-scale)
    matchings.program_rows(builder, columns)
    # Row e: u_s - v_c - sum_f Q[f, e] x_f <= 0, over the edges f of e's position.
    position, candidate = graph.position[free], graph.candidate[free]
    builder.sums(
        "reply",
        [graph.edges[edge] for edge in free.tolist()],
        (1.0, u[np.searchsorted(places, position)]),
        (-1.0, v[np.searchsorted(people, candidate)]),
        (position[:, None] == graph.position, columns),
        upper=0.0,
    )
    return builder.build()


def subgradient_ascent(
    replies: BestResponses, accuracy: float
) -> tuple[FloatArray, FloatArray, int]:
    """Strategies x and y with a duality gap of at most ``accuracy``, and the number of steps."""
    replies = replace(replies, rounded=True)
    matchings = replies.matchings
    size, positions = matchings.size, matchings.graph.positions
    diameter = math.sqrt(2 * positions)
    _, x = replies.against_y(np.ones(size) / size)
    best, best_x = -math.inf, x
    mean_y = np.zeros(size)
    for step in range(1, _MOST_STEPS + 1):
        value, y = replies.against_x(x)
        if value > best:
            best, best_x = value, x
        mean_y += (y - mean_y) / step
        if replies.against_y(mean_y)[0] - best <= accuracy:
            return best_x, mean_y, step
        gradient = replies.matrix @ y / positions
        norm = float(np.linalg.norm(gradient))
        if norm == 0.0:
            continue
        length = diameter / math.sqrt(step)
        x = project(matchings, replies.constraints_x, x + length * gradient / norm, x, length)
    raise InputError(
        f"the subgradient method did not reach a duality gap of {accuracy} in {_MOST_STEPS:,} steps"
    )


def project(
    matchings: Matchings,
    constraints: Constraints,
    target: FloatArray,
    start: FloatArray,
    length: float,
) -> FloatArray:
    """The point of the matching polytope next to ``target``, nearly, by Frank–Wolfe steps."""
    x = start
    tolerance = (_PROJECTION_SHARE * length) ** 2
    for _ in range(_MOST_PROJECTION_STEPS):
        slope = x - target
        edges = matchings.cheapest(on_grid(slope), constraints.include, constraints.exclude)
        if edges is None:
            raise InputError("no matching satisfies the constraints")
        direction = -x
        direction[edges] += 1.0
        # The Frank–Wolfe gap bounds half the squared distance to the projection, and more.
        gap = -float(slope @ direction)
        if gap <= tolerance:
            break
        x = x + min(1.0, gap / float(direction @ direction)) * direction
    return x


@checked_types
def condorcet_winner(
    duels: MatchingDuels, **solving: Unpack[SolveOptions]
) -> tuple[int, ...] | None:
    """The matching that is preferred to every other, or None.

    It is the only optimal strategy of the saddle LP, because nothing else holds ½ against it; its
    lead over the second best is checked by matchings. ``solving`` is for the saddle LP, as for
    :func:`cpe_opt.solve`.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> condorcet_winner(cpe.load_instance("figure1"))
    (1, 4)
    """
    point = condorcet_value(duels.graph, duels.array, **solving)
    matching = Matchings(duels.graph).best(point.x)
    if matching is None or condorcet_lead(duels, matching) <= _STRICT:
        return None
    return matching


def condorcet_lead(duels: MatchingDuels, matching: tuple[int, ...]) -> float:
    """The least of ``f(matching, M) - 1/2`` over all other matchings M; inf without any."""
    against = duels.array[list(matching)].sum(axis=0)
    worst = second_best_matching(
        duels.graph, against, than=matching, sense="min", method="combinatorial"
    )
    return np.inf if worst is None else worst.value / duels.graph.positions - 0.5


@checked_types
def borda_winner(
    duels: MatchingDuels, *, method: SubsetMethod | None = None, **solving: Unpack[SolveOptions]
) -> Matching:
    """The matching with the largest Borda score; its ``value`` is ℓ times the score.

    ``method`` and ``solving`` are those of :func:`cpe_opt.best_matching`.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> borda_winner(cpe.load_instance("figure1")).edges
    (0, 4)
    """
    return best_matching(duels.graph, duels.borda_weights, method=method, **solving)
