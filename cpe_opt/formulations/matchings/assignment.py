r"""Matchings of the largest or least weight, with edges that must or must not be in.

.. math:: \max \sum_e w_e x_e \quad\text{s.t.}\quad \sum_{e \in E_j} x_e = 1 \;\forall j, \quad
    \sum_{e \ni c} x_e \le 1 \;\forall c, \quad x \ge 0, \quad x_A = 1, \quad x_R = 0 .

Every vertex of this polytope is a matching that contains A and avoids R, so the linear program
needs no integrality. Columns ``x_c_s`` (candidate, position), rows ``position_s`` and
``candidate_c``. The combinatorial solvers of :mod:`cpe_opt.solvers.assignment` solve the same
problem without a program, in microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.formulations.magnitude import check_sums, unit_of
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import BoolArray, LinearProgram, Sense, checked_sense
from cpe_opt.modelling.result import SolveResult
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.solvers.assignment import ASSIGNERS, assign
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.registry import get_backend
from cpe_opt.solvers.solve import solve
from cpe_opt.validation import checked_types


@dataclass(frozen=True, eq=False)
class Matching:
    """An optimal matching.

    Attributes
    ----------
    edges : tuple of int
        Edge numbers, one a position.
    value : float
        Its weight, recomputed from the weights.
    scaling_error : float
        The optimum is within this of ``value``: rounding of a solver in whole numbers, else 0.
    result : SolveResult or None
        Of the linear program, where one was solved.
    """

    edges: tuple[int, ...]
    value: float
    scaling_error: float = 0.0
    result: SolveResult | None = None


@dataclass(frozen=True, eq=False)
class Constraints:
    """Which edges must and must not be in a matching, checked against a graph.

    Attributes
    ----------
    forced, forbidden : bool arrays, shape (m,)
        ``forbidden`` are those given; :attr:`free` leaves out what forced edges exclude, too.
    """

    graph: BipartiteGraph
    forced: BoolArray
    forbidden: BoolArray

    @cached_property
    def free(self) -> BoolArray:
        """The edges that may or may not be in; shape (m,)."""
        graph = self.graph
        return np.asarray(
            ~self.forced
            & ~self.forbidden
            & ~np.isin(graph.position, graph.position[self.forced])
            & ~np.isin(graph.candidate, graph.candidate[self.forced])
        )

    @cached_property
    def allowed(self) -> IntArray:
        """The edges that a matching may have, free or forced."""
        return np.flatnonzero(self.free | self.forced)

    @property
    def describe(self) -> str:
        """For messages."""
        parts = [
            f"{verb} {', '.join(self.graph.label(int(e)) for e in np.flatnonzero(mask))}"
            for verb, mask in (("contains", self.forced), ("avoids", self.forbidden))
            if mask.any()
        ]
        return " and ".join(parts) or "fills every position"


def constrained(
    graph: BipartiteGraph, include: Iterable[int] = (), exclude: Iterable[int] = ()
) -> Constraints:
    """The constraints of these edges.

    Raises
    ------
    InputError
        Where an edge does not exist or is in both, or two edges of ``include`` share an end.
    """
    forced, forbidden = np.zeros(graph.size, np.bool_), np.zeros(graph.size, np.bool_)
    for mask, edges in ((forced, include), (forbidden, exclude)):
        mask[[graph.check_edge(edge) for edge in edges]] = True
    both = np.flatnonzero(forced & forbidden)
    if both.size:
        raise InputError(f"edge {both[0]} ({graph.label(int(both[0]))}) is both in and out")
    for what, ends, labels in (
        ("position", graph.position, graph.position_labels),
        ("candidate", graph.candidate, graph.candidate_labels),
    ):
        values, counts = np.unique(ends[forced], return_counts=True)
        if (counts > 1).any():
            label = labels[int(values[counts > 1][0])]
            raise InputError(f"include has two edges of {what} {label}")
    return Constraints(graph, forced, forbidden)


@checked_types
def best_matching_program(
    graph: BipartiteGraph,
    weights: npt.ArrayLike,
    *,
    include: Iterable[int] = (),
    exclude: Iterable[int] = (),
    sense: Sense = "max",
    integer: bool = False,
) -> LinearProgram:
    """The matching polytope as a linear (or integer) program.

    Parameters
    ----------
    graph : BipartiteGraph
    weights : array_like, shape (m,)
    include, exclude : iterables of edges
        Edges that must and must not be in.
    sense : "max" or "min"
    integer : bool
        Declare the columns integer; optima are integral anyway.
    """
    constraints = constrained(graph, include, exclude)
    builder = ProgramBuilder("matching", sense=sense)
    columns = builder.columns(
        "x",
        list(graph.edges),
        cost=checked_weights(graph, weights),
        lower=constraints.forced.astype(np.float64),
        upper=np.where(constraints.forbidden, 0.0, 1.0),
        integer=integer,
    )
    add_matching_rows(builder, graph, columns)
    return builder.build()


def add_matching_rows(
    builder: ProgramBuilder, graph: BipartiteGraph, columns: IntArray, prefix: str = ""
) -> None:
    """Rows that make columns, one an edge, a point of the matching polytope."""
    ones = np.ones(graph.size)
    builder.rows(
        f"{prefix}position", graph.positions, graph.position, columns, ones, lower=1.0, upper=1.0
    )
    builder.rows(f"{prefix}candidate", graph.candidates, graph.candidate, columns, ones, upper=1.0)


class MatchingOracle:
    """Optimal matchings of one graph, again and again: the linear oracle of the learners.

    Parameters
    ----------
    graph : BipartiteGraph
    solver : str
        An assignment solver.
    """

    def __init__(self, graph: BipartiteGraph, solver: str = "scipy") -> None:
        self.graph, self.solver = graph, solver
        self._number = np.full((graph.positions, graph.candidates), -1)
        self._number[graph.position, graph.candidate] = np.arange(graph.size)
        self._rows = np.arange(graph.positions)

    @property
    def size(self) -> int:
        """m, the number of edges."""
        return self.graph.size

    def maximise(
        self, weights: FloatArray, constraints: Constraints | None = None
    ) -> tuple[int, ...] | None:
        """A matching of the largest weight; None where none satisfies the constraints."""
        found = self.least_cost(-weights, constraints)[0]
        return None if found is None else tuple(found.tolist())

    def least_cost(
        self, costs: FloatArray, constraints: Constraints | None = None
    ) -> tuple[IntArray | None, float]:
        """A matching of the least cost as edges by position, and its scaling error."""
        graph = self.graph
        table = np.full((graph.positions, graph.candidates), np.inf)
        if constraints is None:
            table[graph.position, graph.candidate] = costs
        else:
            edges = constraints.allowed
            table[graph.position[edges], graph.candidate[edges]] = costs[edges]
        columns, error = assign(table, self.solver)
        return (None if columns is None else self._number[self._rows, columns]), error


class OtherMatchings:
    """The matchings other than a given one: each lacks one of its edges at least.

    The best of them is the best of ℓ problems that each forbid one edge.
    """

    def __init__(self, oracle: MatchingOracle, matching: Iterable[int]) -> None:
        self._oracle = oracle
        self._without = [constrained(oracle.graph, exclude=[edge]) for edge in matching]

    def least_cost(self, costs: FloatArray) -> tuple[IntArray | None, float]:
        """Like :meth:`MatchingOracle.least_cost`; None where there is no other matching."""
        best, found, error = np.inf, None, 0.0
        for constraints in self._without:
            edges, within = self._oracle.least_cost(costs, constraints)
            if edges is not None and costs[edges].sum() < best:
                best, found, error = float(costs[edges].sum()), edges, within
        return found, error


@checked_types
def best_matching(
    graph: BipartiteGraph,
    weights: npt.ArrayLike,
    *,
    include: Iterable[int] = (),
    exclude: Iterable[int] = (),
    sense: Sense = "max",
    **solving: Unpack[SolveOptions],
) -> Matching:
    """A matching of the largest (or least) weight.

    Parameters
    ----------
    graph : BipartiteGraph
    weights : array_like, shape (m,)
    include, exclude : iterables of edges
        Edges that must and must not be in.
    sense : "max" or "min"
    **solving
        As for :func:`cpe_opt.solve`; ``solver`` may also be ``assignment`` (the default),
        ``scipy`` or ``networkx``.

    Returns
    -------
    Matching

    Raises
    ------
    InputError
        Where no matching contains and avoids these edges, or an argument is wrong.

    Examples
    --------
    >>> graph = BipartiteGraph.complete(3, 2)
    >>> best = best_matching(graph, [3, 2, 0, 3, 0, 1])
    >>> [graph.label(edge) for edge in best.edges], best.value
    (['s0: c1', 's1: c0'], 5.0)
    """
    weights = checked_weights(graph, weights)
    constraints = constrained(graph, include, exclude)
    solver = solving.get("solver", "assignment")
    sign = -1.0 if checked_sense(sense) == "max" else 1.0
    if solver in ASSIGNERS:
        refuse_unused(solving, f"best_matching with solver {solver!r}", ("solver",))
    known = solver if solver in ASSIGNERS else "scipy"
    unit = sign * unit_of(weights)
    found, error = MatchingOracle(graph, known).least_cost(weights / unit, constraints)
    if found is None:
        raise InputError(f"no matching {constraints.describe}")
    if solver in ASSIGNERS:
        return Matching(tuple(found.tolist()), float(weights[found].sum()), abs(unit) * error)
    program = best_matching_program(
        graph,
        weights,
        include=np.flatnonzero(constraints.forced).tolist(),
        exclude=np.flatnonzero(constraints.forbidden).tolist(),
        sense=sense,
        integer="LP" not in get_backend(solver).solves,
    )
    result = solve(program, **solving)
    if result.x is None:
        raise InputError("the solver left no point")
    # Where several are optimal, a solver may stop between them: the nearest matching is one.
    nearest, _ = MatchingOracle(graph).least_cost(-result.x, constraints)
    edges = found if nearest is None else nearest
    return Matching(tuple(edges.tolist()), float(weights[edges].sum()), result=result)


@checked_types
def second_best_matching(
    graph: BipartiteGraph,
    weights: npt.ArrayLike,
    *,
    than: Sequence[int] | None = None,
    sense: Sense = "max",
    solver: str = "assignment",
) -> Matching | None:
    """The best matching other than ``than`` (by default, than an optimal one).

    Returns
    -------
    Matching or None
        None where there is a single matching.
    """
    weights = checked_weights(graph, weights)
    best = (
        graph.check_matching(than)
        if than is not None
        else best_matching(graph, weights, sense=sense, solver=solver).edges
    )
    unit = unit_of(weights) if checked_sense(sense) == "min" else -unit_of(weights)
    others = OtherMatchings(MatchingOracle(graph, solver), best)
    found, error = others.least_cost(weights / unit)
    if found is None:
        return None
    return Matching(tuple(found.tolist()), float(weights[found].sum()), abs(unit) * error)


def checked_weights(graph: BipartiteGraph, weights: npt.ArrayLike) -> FloatArray:
    """The weights as floats, one an edge, or :class:`InputError`."""
    array = checked_array("weights", weights)
    if array.shape != (graph.size,):
        raise InputError(f"weights have shape {array.shape}, expected ({graph.size},): one an edge")
    if not np.isfinite(array).all():
        edge = int(np.flatnonzero(~np.isfinite(array))[0])
        raise InputError(f"the weight of edge {edge} is {array[edge]}, expected a finite number")
    check_sums("weights", array)
    return array
