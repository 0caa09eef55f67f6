r"""Linear maximisation over a decision class as a linear or integer program.

.. math:: \max \sum_e w_e x_e \quad\text{s.t.}\quad x \in \mathrm{conv}\{\chi_M\}, \quad
    x_A = 1, \quad x_R = 0 .

Columns ``x_e``, one an element, come first; rows by class:

- top-k: ``size``, :math:`\sum x = k`; partition matroids: ``group_g`` alike;
- spanning trees and forests: Martin's extended formulation. For every vertex r an orientation
  ``z_r_e_0``, ``z_r_e_1`` of each edge towards r, ``joined_r_e``: the two add up to :math:`x_e`;
  ``away_r_v``: at most one edge leaves v, none leaves r; ``edges``: as many as the rank;
- paths: one unit of flow from source to target, ``node_v``. Where the graph has cycles, arcs
  ``y_a`` are integer, ``edge_e`` adds them up, and ``order_a`` with levels ``u_v`` excludes cycles
  (Miller, Tucker, Zemlin): an integer program;
- matchings: as in :mod:`cpe_opt.formulations.matchings.assignment`.

All but paths with cycles are integral polytopes: linear programs suffice.

R. K. Martin, "Using separation algorithms to generate mixed integer model reformulations",
Operations Research Letters 10 (1991).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.formulations.magnitude import check_sums
from cpe_opt.formulations.matchings.assignment import add_matching_rows
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import BoolArray, LinearProgram, Sense
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.subsets.decisions import DecisionClass, PairedSets
from cpe_opt.problems.subsets.matroids import PartitionMatroid, TopK
from cpe_opt.problems.subsets.paths import Paths
from cpe_opt.problems.subsets.trees import GraphicMatroid
from cpe_opt.validation import checked_types


@checked_types
def best_subset_program(
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
    forced, forbidden = element_masks(decisions, include, exclude)
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


def element_masks(
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
    array = checked_array("weights", weights)
    if array.shape != (decisions.size,):
        raise InputError(
            f"weights have shape {array.shape}, expected ({decisions.size},): one an element"
        )
    if not np.isfinite(array).all():
        element = int(np.flatnonzero(~np.isfinite(array))[0])
        raise InputError(
            f"the weight of element {element} is {array[element]}, expected a finite number"
        )
    check_sums("weights", array)
    return array
