r"""Sets of the largest total weight in a decision class, with elements that must or must not be in.

.. math:: \max \sum_e w_e x_e \quad\text{s.t.}\quad x \in \mathrm{conv}\{\chi_M\}, \quad
    x_A = 1, \quad x_R = 0 .

Columns ``x_e``, one an element, come first; rows by class:

- top-k: ``size``, :math:`\sum x = k`; partition matroids: ``group_g`` alike;
- spanning trees and forests: Martin's extended formulation. For every vertex r an orientation
  ``z_r_e_0``, ``z_r_e_1`` of each edge towards r, ``joined_r_e``: the two add up to :math:`x_e`;
  ``away_r_v``: at most one edge leaves v, none leaves r; ``edges``: as many as the rank;
- paths: one unit of flow from source to target, ``node_v``. Where the graph has cycles, arcs
  ``y_a`` are integer, ``edge_e`` sums them up, and ``order_a`` with levels ``u_v`` excludes cycles
  (Miller, Tucker, Zemlin): an integer program;
- matchings: as in :mod:`cpe_opt.formulations.matching`.

All but paths with cycles are integral polytopes: linear programs suffice. The fast way: greedy for
matroids, the order of vertices for paths without cycles, linear assignment for matchings.

R. K. Martin, "Using separation algorithms to generate mixed integer model reformulations",
Operations Research Letters 10 (1991).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.errors import InputError, NotOptimal, SolverFailed, SolverUnable
from cpe_opt.formulations.matching import MatchingOracle, add_matching_rows, constrained
from cpe_opt.modelling.program import (
    BoolArray,
    FloatArray,
    IntArray,
    LinearProgram,
    ProgramBuilder,
    Sense,
)
from cpe_opt.modelling.result import SolveResult, Status
from cpe_opt.problems.decisions import DecisionClass, Matroid, PairedSets, PartitionMatroid, TopK
from cpe_opt.problems.networks import GraphicMatroid, Matchings, Paths
from cpe_opt.solvers import Solving, get_backend, solve

COMBINATORIAL = "combinatorial"
_WHOLE = 1e-6


@dataclass(frozen=True, eq=False)
class Subset:
    """An optimal set of a decision class.

    Attributes
    ----------
    members : tuple of int
        Elements in ascending order.
    value : float
        Its weight, recomputed.
    result : SolveResult or None
        Of the program, where one was solved.
    """

    members: tuple[int, ...]
    value: float
    result: SolveResult | None = None


def subset_program(
    decisions: DecisionClass,
    weights: npt.ArrayLike,
    *,
    include: Iterable[int] = (),
    exclude: Iterable[int] = (),
    sense: Sense = "max",
    integer: bool = False,
) -> LinearProgram:
    """Linear maximisation over a decision class as a linear or integer program.

    Parameters
    ----------
    decisions : DecisionClass
    weights : array_like, shape (n,)
    include, exclude : iterables of elements
        Elements that must and must not be in.
    sense : "max" or "min"
    integer : bool
        Declare ``x`` integer; only paths with cycles need it, and always get it.
    """
    forced, forbidden = _masks(decisions, include, exclude)
    builder = ProgramBuilder("subset", sense=sense)
    columns = builder.columns(
        "x",
        decisions.size,
        cost=checked_weights(decisions, weights),
        lower=forced.astype(np.float64),
        upper=np.where(forbidden, 0.0, 1.0),
        integer=integer or needs_integers(decisions),
    )
    add_class_rows(decisions, builder, columns, integer=integer)
    return builder.build()


def needs_integers(decisions: DecisionClass) -> bool:
    """Whether the linear program of the class has vertices that are no sets."""
    if isinstance(decisions, PairedSets):
        return needs_integers(decisions.base)
    return isinstance(decisions, Paths) and not decisions.acyclic


@singledispatch
def add_class_rows(
    decisions: DecisionClass,
    builder: ProgramBuilder,
    columns: IntArray,
    *,
    integer: bool = False,
    prefix: str = "",
) -> None:
    """Rows (and further columns) that make columns, one an element, a point of the polytope.

    Solvers of purely integer programs want further columns ``integer``, too; ``prefix`` goes before
    all names.
    """
    raise InputError(f"no program is known for {decisions!r}")


@add_class_rows.register
def _(
    decisions: TopK,
    builder: ProgramBuilder,
    columns: IntArray,
    *,
    integer: bool = False,
    prefix: str = "",
) -> None:
    builder.row(f"{prefix}size", columns, lower=decisions.k, upper=decisions.k)


@add_class_rows.register
def _(
    decisions: PartitionMatroid,
    builder: ProgramBuilder,
    columns: IntArray,
    *,
    integer: bool = False,
    prefix: str = "",
) -> None:
    capacities = np.array(decisions.capacities, dtype=np.float64)
    groups = np.array(decisions.groups)
    builder.rows(
        f"{prefix}group", len(capacities), groups, columns, lower=capacities, upper=capacities
    )


@add_class_rows.register
def _(
    decisions: GraphicMatroid,
    builder: ProgramBuilder,
    columns: IntArray,
    *,
    integer: bool = False,
    prefix: str = "",
) -> None:
    ends = np.array(decisions.ends)
    builder.row(f"{prefix}edges", columns, lower=decisions.rank, upper=decisions.rank)
    vertices, edges = len(decisions.vertices), decisions.size
    every = np.arange(edges)
    for root in range(vertices):
        # Towards the root an edge u-v is taken from u (0) or from v (1), never from the root.
        away = [
            builder.columns(
                f"{prefix}z_{root}",
                [(edge, side) for edge in range(edges)],
                upper=np.where(ends[:, side] == root, 0.0, 1.0),
                integer=integer,
            )
            for side in (0, 1)
        ]
        builder.rows(
            f"{prefix}joined_{root}",
            edges,
            np.concatenate([every, every, every]),
            np.concatenate([*away, columns]),
            np.repeat([1.0, 1.0, -1.0], edges),
            lower=0.0,
            upper=0.0,
        )
        builder.rows(
            f"{prefix}away_{root}",
            vertices,
            np.concatenate([ends[:, 0], ends[:, 1]]),
            np.concatenate(away),
            upper=1.0,
        )


@add_class_rows.register
def _(
    decisions: Paths,
    builder: ProgramBuilder,
    columns: IntArray,
    *,
    integer: bool = False,
    prefix: str = "",
) -> None:
    element, tail, head = (np.array(part) for part in zip(*decisions.arcs, strict=True))
    vertices, arcs = len(decisions.vertices), len(element)
    flow = columns[element]
    if not decisions.acyclic:
        # Into the source and out of the target there is nothing to do.
        useless = (head == decisions.source) | (tail == decisions.target)
        flow = builder.columns(f"{prefix}y", arcs, upper=np.where(useless, 0.0, 1.0), integer=True)
        builder.rows(
            f"{prefix}edge",
            decisions.size,
            np.concatenate([element, np.arange(decisions.size)]),
            np.concatenate([flow, columns]),
            np.repeat([1.0, -1.0], [arcs, decisions.size]),
            lower=0.0,
            upper=0.0,
        )
        level = builder.columns(f"{prefix}u", vertices, upper=vertices - 1.0, integer=True)
        every = np.arange(arcs)
        builder.rows(
            f"{prefix}order",
            arcs,
            np.concatenate([every, every, every]),
            np.concatenate([level[tail], level[head], flow]),
            np.repeat([1.0, -1.0, float(vertices)], arcs),
            upper=vertices - 1.0,
        )
    supply = np.zeros(vertices)
    supply[[decisions.source, decisions.target]] = 1.0, -1.0
    builder.rows(
        f"{prefix}node",
        vertices,
        np.concatenate([tail, head]),
        np.concatenate([flow, flow]),
        np.repeat([1.0, -1.0], arcs),
        lower=supply,
        upper=supply,
    )


@add_class_rows.register
def _(
    decisions: Matchings,
    builder: ProgramBuilder,
    columns: IntArray,
    *,
    integer: bool = False,
    prefix: str = "",
) -> None:
    add_matching_rows(builder, decisions.graph, columns, prefix)


@add_class_rows.register
def _(
    decisions: PairedSets,
    builder: ProgramBuilder,
    columns: IntArray,
    *,
    integer: bool = False,
    prefix: str = "",
) -> None:
    for half, columns_of_half in enumerate(np.split(columns, 2)):
        add_class_rows(
            decisions.base,
            builder,
            columns_of_half,
            integer=integer,
            prefix=f"{prefix}{'ab'[half]}_",
        )


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
        return subset_program(
            self.decisions, weights, include=include, exclude=exclude, integer=whole
        )


def best_subset(
    decisions: DecisionClass,
    weights: npt.ArrayLike,
    *,
    include: Iterable[int] = (),
    exclude: Iterable[int] = (),
    sense: Sense = "max",
    **solving: Unpack[Solving],
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
    >>> best_subset(TopK(4, 2), [3, 1, 2, 5]).members
    (0, 3)
    """
    weights = checked_weights(decisions, weights)
    forced, forbidden = _masks(decisions, include, exclude)
    inside, outside = np.flatnonzero(forced).tolist(), np.flatnonzero(forbidden).tolist()
    sign = 1.0 if sense == "max" else -1.0
    oracle = SubsetOracle(decisions, solving.get("solver"))
    result = None
    if oracle.solver == COMBINATORIAL:
        members = oracle.maximise(sign * weights, inside, outside)
    else:
        whole = "LP" not in get_backend(oracle.solver).solves
        program = subset_program(
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
    chosen = decisions.extended(include, order)
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


def _masks(
    decisions: DecisionClass, include: Iterable[int], exclude: Iterable[int]
) -> tuple[BoolArray, BoolArray]:
    """Elements that must and must not be in, as masks, or :class:`InputError`."""
    masks = []
    for what, elements in (("include", include), ("exclude", exclude)):
        mask = np.zeros(decisions.size, np.bool_)
        mask[list(decisions.check_elements(elements, what))] = True
        masks.append(mask)
    both = np.flatnonzero(masks[0] & masks[1])
    if both.size:
        raise InputError(f"element {decisions.labels[both[0]]} is both in and out")
    return masks[0], masks[1]


def checked_weights(decisions: DecisionClass, weights: npt.ArrayLike) -> FloatArray:
    """The weights as floats, one an element, or :class:`InputError`."""
    array = np.asarray(weights, dtype=np.float64)
    if array.shape != (decisions.size,):
        raise InputError(
            f"weights have shape {array.shape}, expected ({decisions.size},): one an element"
        )
    if not np.isfinite(array).all():
        element = int(np.flatnonzero(~np.isfinite(array))[0])
        raise InputError(
            f"the weight of element {element} is {array[element]}, expected a finite number"
        )
    return array
