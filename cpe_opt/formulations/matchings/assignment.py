r"""Matchings of the largest or least weight, with edges that must or must not be in.

.. math:: \max \sum_e w_e x_e \quad\text{s.t.}\quad \sum_{e \in E_j} x_e = 1 \;\forall j, \quad
    \sum_{e \ni c} x_e \le 1 \;\forall c, \quad x \ge 0, \quad x_A = 1, \quad x_R = 0 .

Every vertex of this polytope is a matching that contains A and avoids R, so the linear program
needs no integrality. Columns ``x_c_s`` (candidate, position), rows ``position_s`` and
``candidate_c``.

A matching is a set of the class :class:`cpe_opt.Matchings`, and these functions are the oracle of
all classes, :mod:`cpe_opt.formulations.subsets.oracle`, for that one. By default they solve the
constrained assignment with OR-Tools (method ``assignment``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from cpe_opt.arrays import BoolArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.subsets.oracle import (
    Optimum,
    SubsetMethod,
    SubsetOracle,
    checked_weights,
    subset_program,
)
from cpe_opt.modelling.program import LinearProgram, Sense
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.solvers.assignment import default_assigner
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.validation import Numbers, checked_types


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Matching(Answer):
    """An optimal matching; ``value`` is its weight, recomputed from the weights.

    Attributes
    ----------
    edges : tuple of int
        Edge numbers, one a position.
    """

    edges: tuple[int, ...]

    def report(self, problem: MatchingDuels) -> dict[str, Any]:
        """The matching by the labels of its edges."""
        return {"matching": "; ".join(problem.graph.label(edge) for edge in self.edges)}


@dataclass(frozen=True, eq=False)
class Constraints:
    """Which edges must and must not be in a matching, checked against a graph."""

    graph: BipartiteGraph
    # (m,); `forbidden` are those given; free leaves out what forced edges exclude, too
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
    def include(self) -> IntArray:
        """The edges that must be in."""
        return np.flatnonzero(self.forced)

    @cached_property
    def exclude(self) -> IntArray:
        """The edges given that must not be in."""
        return np.flatnonzero(self.forbidden)

    @cached_property
    def banned(self) -> IntArray:
        """The edges that cannot be in: those given, and those that forced ones exclude."""
        return np.flatnonzero(~(self.free | self.forced))

    @property
    def describe(self) -> str:
        """For messages."""
        parts = [
            f"{verb} {', '.join(self.graph.label(edge) for edge in edges.tolist())}"
            for verb, edges in (("contains", self.include), ("avoids", self.exclude))
            if edges.size
        ]
        return " and ".join(parts) or "fills every position"


def constrained(
    graph: BipartiteGraph, include: Iterable[int] = (), exclude: Iterable[int] = ()
) -> Constraints:
    """The constraints of these edges, or :class:`InputError` where no matching can keep them."""
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
    weights: Numbers,
    *,
    include: Iterable[int] = (),
    exclude: Iterable[int] = (),
    sense: Sense = "max",
    integer: bool = False,
) -> LinearProgram:
    """The matching polytope as a linear program; its optima are matchings.

    Arguments are those of :func:`best_matching`; ``integer`` declares the columns integer all the
    same.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> graph = BipartiteGraph.complete(3, 2)
    >>> cpe.solve(best_matching_program(graph, [3, 2, 0, 3, 0, 1])).objective
    5.0
    """
    constraints = constrained(graph, include, exclude)
    return subset_program(
        Matchings(graph),
        weights,
        include=constraints.include.tolist(),
        exclude=constraints.exclude.tolist(),
        sense=sense,
        integer=integer,
        name="matching",
    )


@checked_types
def best_matching(
    graph: BipartiteGraph,
    weights: Numbers,
    *,
    include: Iterable[int] = (),
    exclude: Iterable[int] = (),
    sense: Sense = "max",
    method: SubsetMethod | None = None,
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
    method : str, optional
        ``assignment`` (OR-Tools, the default, or ``scipy`` where OR-Tools cannot be imported),
        ``scipy``, ``networkx``, ``combinatorial`` or ``program``, which is the default where a
        solver is named.
    **solving
        As for :func:`cpe_opt.solve`, with the method ``program`` alone.

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
    >>> best_matching(graph, [3, 2, 0, 3, 0, 1], solver="glop").method
    'program'
    """
    constraints = constrained(graph, include, exclude)
    oracle = _oracle(graph, method, **solving)
    weights = checked_weights(oracle.decisions, weights)
    inside, outside = constraints.include.tolist(), constraints.exclude.tolist()
    best = oracle.optimum(weights, inside, outside, sense)
    if best is None:
        raise InputError(f"no matching {constraints.describe}")
    return _matching(best, oracle)


@checked_types
def second_best_matching(
    graph: BipartiteGraph,
    weights: Numbers,
    *,
    than: Sequence[int] | None = None,
    sense: Sense = "max",
    method: SubsetMethod | None = None,
    **solving: Unpack[SolveOptions],
) -> Matching | None:
    """The best matching other than ``than`` (by default, than an optimal one), if there is one."""
    oracle = _oracle(graph, method, **solving)
    weights = checked_weights(oracle.decisions, weights)
    if than is not None:
        first: Sequence[int] = graph.check_matching(than)
    else:
        best = oracle.optimum(weights, sense=sense)
        first = () if best is None else best.elements
    other = oracle.other_optimum(weights, first, sense)
    return None if other is None else _matching(other, oracle)


def _oracle(
    graph: BipartiteGraph, method: SubsetMethod | None, **solving: Unpack[SolveOptions]
) -> SubsetOracle:
    """The oracle of all classes over the matchings; an assignment solver unless one is named."""
    if method is None:
        method = "program" if solving.get("solver") is not None else default_assigner()
    return SubsetOracle(Matchings(graph), method, name="matching", **solving)


def _matching(optimum: Optimum, oracle: SubsetOracle) -> Matching:
    return Matching(
        edges=optimum.elements,
        value=optimum.value,
        bound=optimum.bound,
        method=oracle.method,
        result=optimum.result,
    )
