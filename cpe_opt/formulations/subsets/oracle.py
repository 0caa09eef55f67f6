r"""Sets of the largest total weight in a decision class, with elements that must or must not be in.

By the programs of :mod:`cpe_opt.formulations.subsets.program`, or by a combinatorial way where one
is known: greedy for matroids, the order of vertices for paths without cycles, linear assignment for
matchings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, SolverFailed, SolverUnable
from cpe_opt.formulations.matchings.assignment import MatchingOracle, constrained
from cpe_opt.formulations.subsets.program import (
    best_subset_program,
    checked_weights,
    element_masks,
    needs_integers,
)
from cpe_opt.modelling.program import LinearProgram, Sense, checked_sense
from cpe_opt.modelling.result import NotOptimal, SolveResult, Status
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.subsets.decisions import DecisionClass, PairedSets
from cpe_opt.problems.subsets.matroids import Matroid
from cpe_opt.problems.subsets.paths import Paths
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.registry import get_backend
from cpe_opt.solvers.solve import solve
from cpe_opt.validation import checked_types

COMBINATORIAL = "combinatorial"
_WHOLE = 1e-6


@dataclass(frozen=True, eq=False)
class Subset:
    """An optimal set of a decision class.

    Attributes
    ----------
    elements : tuple of int
        Elements in ascending order.
    value : float
        Its weight, recomputed.
    result : SolveResult or None
        Of the program, where one was solved.
    """

    elements: tuple[int, ...]
    value: float
    result: SolveResult | None = None


class SubsetOracle:
    """Best sets of one class, again and again: the linear oracle of the learners.

    Parameters
    ----------
    decisions : DecisionClass
    solver : str, optional
        ``combinatorial`` where the class has such a way (the default there), or any solver of
        linear or integer programs (``highs`` where it has none).
    """

    def __init__(self, decisions: DecisionClass, solver: str | None = None) -> None:
        self.decisions = decisions
        fast = not needs_integers(decisions)
        if solver == COMBINATORIAL and not fast:
            raise SolverUnable(
                f"{decisions.name}: the graph has cycles, and no fast way is known to a longest "
                "path; use a solver of integer programs, such as 'highs'"
            )
        self.solver = solver or (COMBINATORIAL if fast else "highs")
        if self.solver != COMBINATORIAL:
            get_backend(self.solver)

    @property
    def size(self) -> int:
        """The number of elements, n."""
        return self.decisions.size

    def maximise(
        self, weights: FloatArray, include: Sequence[int] = (), exclude: Sequence[int] = ()
    ) -> tuple[int, ...] | None:
        """A set of the largest weight; None where none has these and lacks those elements."""
        if self.solver == COMBINATORIAL:
            return _fastest(self.decisions, weights, include, exclude)
        result = solve(self._program(weights, include, exclude), self.solver, check=False)
        if result.status is Status.INFEASIBLE:
            return None
        return _members(self.decisions, result)

    def maximise_other(self, weights: FloatArray, than: Sequence[int]) -> tuple[int, ...] | None:
        """A best set other than the given one; None where there is no other.

        No set contains another, so it is the best of the problems that exclude one element each.
        """
        best, largest = None, -np.inf
        for element in than:
            found = self.maximise(weights, exclude=(element,))
            if found is not None and (value := float(weights[list(found)].sum())) > largest:
                best, largest = found, value
        return best

    def _program(
        self, weights: FloatArray, include: Sequence[int], exclude: Sequence[int]
    ) -> LinearProgram:
        whole = "LP" not in get_backend(self.solver).solves
        return best_subset_program(
            self.decisions, weights, include=include, exclude=exclude, integer=whole
        )


@checked_types
def best_subset(
    decisions: DecisionClass,
    weights: npt.ArrayLike,
    *,
    include: Iterable[int] = (),
    exclude: Iterable[int] = (),
    sense: Sense = "max",
    **solving: Unpack[SolveOptions],
) -> Subset:
    """A set of the largest (or least) weight.

    Parameters
    ----------
    decisions : DecisionClass
    weights : array_like, shape (n,)
    include, exclude : iterables of elements
        Elements that must and must not be in.
    sense : "max" or "min"
    **solving
        As for :func:`cpe_opt.solve`; ``solver`` is ``combinatorial`` by default, or ``highs``
        where the class has no fast way.

    Raises
    ------
    InputError
        Where no set contains and avoids these elements, or an argument is wrong.

    Examples
    --------
    >>> from cpe_opt.problems.subsets.matroids import TopK
    >>> best_subset(TopK(4, 2), [3, 1, 2, 5]).elements
    (0, 3)
    """
    weights = checked_weights(decisions, weights)
    forced, forbidden = element_masks(decisions, include, exclude)
    inside, outside = np.flatnonzero(forced).tolist(), np.flatnonzero(forbidden).tolist()
    sign = 1.0 if checked_sense(sense) == "max" else -1.0
    oracle = SubsetOracle(decisions, solving.get("solver"))
    result = None
    if oracle.solver == COMBINATORIAL:
        refuse_unused(solving, f"best_subset with solver {COMBINATORIAL!r}", ("solver",))
        members = oracle.maximise(sign * weights, inside, outside)
    else:
        whole = "LP" not in get_backend(oracle.solver).solves
        program = best_subset_program(
            decisions, weights, include=inside, exclude=outside, sense=sense, integer=whole
        )
        solving["solver"] = oracle.solver
        result = solve(program, check=False, **solving)
        members = None if result.status is Status.INFEASIBLE else _members(decisions, result)
    if members is None:
        parts = [
            f"{verb} {decisions.describe(elements)}"
            for verb, elements in (("contains", inside), ("avoids", outside))
            if elements
        ]
        raise InputError(f"no set of {decisions.name} {' and '.join(parts)}")
    return Subset(members, float(weights[list(members)].sum()), result)


@checked_types
def second_best_subset(
    decisions: DecisionClass,
    weights: npt.ArrayLike,
    *,
    than: Iterable[int] | None = None,
    solver: str | None = None,
) -> Subset | None:
    """The best set other than ``than`` (by default, than an optimal one); None if it is alone."""
    weights = checked_weights(decisions, weights)
    oracle = SubsetOracle(decisions, solver)
    best = decisions.check(than) if than is not None else oracle.maximise(weights)
    members = None if best is None else oracle.maximise_other(weights, best)
    return None if members is None else Subset(members, float(weights[list(members)].sum()))


@singledispatch
def _fastest(
    decisions: DecisionClass,
    weights: FloatArray,
    include: Sequence[int],
    exclude: Sequence[int],
) -> tuple[int, ...] | None:
    """A set of the largest weight by a combinatorial algorithm."""
    raise SolverUnable(f"no combinatorial algorithm is known for {decisions!r}")


@_fastest.register
def _(
    decisions: Matroid, weights: FloatArray, include: Sequence[int], exclude: Sequence[int]
) -> tuple[int, ...] | None:
    if include and decisions.rank_of(include) < len(include):
        return None
    banned = set(exclude)
    order = [e for e in np.argsort(-weights, kind="stable").tolist() if e not in banned]
    chosen = decisions.complete_greedily(include, order)
    return chosen if len(chosen) == decisions.rank else None


@_fastest.register
def _(
    decisions: Paths, weights: FloatArray, include: Sequence[int], exclude: Sequence[int]
) -> tuple[int, ...] | None:
    place = {vertex: at for at, vertex in enumerate(decisions.order)}
    banned = set(exclude)
    arcs = [(place[u], place[v], e) for e, u, v in decisions.arcs if e not in banned]
    for forced in include:
        _, tail, head = decisions.arcs[forced]
        before, after = place[tail], place[head]
        # The other arcs of a path through a forced one end before it or start after it.
        arcs = [(u, v, e) for u, v, e in arcs if e == forced or v <= before or u >= after]
    value = {place[decisions.source]: 0.0}
    came: dict[int, tuple[int, int]] = {}
    for u, v, e in sorted(arcs):
        if u in value and (v not in value or value[u] + weights[e] > value[v]):
            value[v], came[v] = value[u] + float(weights[e]), (u, e)
    vertex, members = place[decisions.target], []
    if vertex not in value:
        return None
    while vertex != place[decisions.source]:
        vertex, element = came[vertex]
        members.append(element)
    return tuple(sorted(members)) if set(include) <= set(members) else None


@_fastest.register
def _(
    decisions: Matchings, weights: FloatArray, include: Sequence[int], exclude: Sequence[int]
) -> tuple[int, ...] | None:
    graph, wanted = decisions.graph, list(include)
    for ends in (graph.position, graph.candidate):
        if len(set(ends[wanted].tolist())) < len(wanted):
            return None
    constraints = constrained(graph, include, exclude) if include or exclude else None
    return MatchingOracle(graph).maximise(weights, constraints)


@_fastest.register
def _(
    decisions: PairedSets, weights: FloatArray, include: Sequence[int], exclude: Sequence[int]
) -> tuple[int, ...] | None:
    n, chosen = decisions.base.size, list[int]()
    for first in (0, n):
        forced, banned = (
            [e - first for e in elements if first <= e < first + n]
            for elements in (include, exclude)
        )
        half = _fastest(decisions.base, weights[first : first + n], forced, banned)
        if half is None:
            return None
        chosen += [first + e for e in half]
    return tuple(chosen)


def _members(decisions: DecisionClass, result: SolveResult) -> tuple[int, ...]:
    """The set that a solved program ended at.

    Between several optima a solver of linear programs may stop inside: the point is a mixture of
    optimal sets, and a best one among the elements it uses is optimal, too.
    """
    if not result.is_optimal or result.x is None or result.program is None:
        raise NotOptimal(result)
    x = result.x[: decisions.size]
    members = tuple(np.flatnonzero(x > 0.5).tolist())
    if np.abs(x - np.round(x)).max() < _WHOLE and decisions.contains(members):
        return members
    sign = 1.0 if result.program.sense == "max" else -1.0
    weights = result.program.costs[: decisions.size]
    forced = np.flatnonzero(result.program.column_lower[: decisions.size] > 0.5).tolist()
    unused = np.flatnonzero(x < _WHOLE).tolist()
    found = _fastest(decisions, sign * weights, forced, unused)
    if found is None or abs(weights[list(found)].sum() - weights @ x) > _WHOLE * (
        1.0 + np.abs(weights).sum()
    ):
        raise SolverFailed(f"{result.solver}: its solution is no mixture of {decisions.name}")
    return found
