r"""Linear maximisation over a decision class as a linear or integer program.

.. math:: \max \sum_e w_e x_e \quad\text{s.t.}\quad x \in \mathrm{conv}\{\chi_M\}, \quad
    x_A = 1, \quad x_R = 0 .

Columns ``x_e``, one an element, come first; the rows are the class's own
(:meth:`cpe_opt.DecisionClass.program_rows`):

- top-k: ``size``, :math:`\sum x = k`; partition matroids: ``group_g`` alike;
- spanning trees and forests: Martin's extended formulation, one orientation of the edges towards
  every vertex;
- paths: one unit of flow from source to target, ``node_v``; where the graph has cycles an integer
  program, with levels of the vertices;
- matchings: ``position_s`` and ``candidate_c``.

All but paths with cycles are integral polytopes: linear programs suffice.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array, in_order_of
from cpe_opt.errors import InputError
from cpe_opt.formulations.magnitude import check_sums
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import BoolArray, LinearProgram, Sense
from cpe_opt.problems.subsets.decisions import DecisionClass
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

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> cpe.solve(best_subset_program(cpe.TopK(4, 2), [3, 1, 2, 5])).objective
    8.0
    """
    return subset_program(
        decisions,
        weights,
        include=include,
        exclude=exclude,
        sense=sense,
        integer=integer,
        name="subset",
    )


def subset_program(
    decisions: DecisionClass,
    weights: npt.ArrayLike,
    *,
    include: Iterable[int],
    exclude: Iterable[int],
    sense: Sense,
    integer: bool,
    name: str,
) -> LinearProgram:
    """The program under a name of the caller's."""
    forced, forbidden = element_masks(decisions, include, exclude)
    builder = ProgramBuilder(name, sense=sense)
    columns = builder.columns(
        "x",
        decisions.keys,
        cost=checked_weights(decisions, weights),
        lower=forced.astype(np.float64),
        upper=np.where(forbidden, 0.0, 1.0),
        integer=integer or not decisions.integral,
    )
    decisions.program_rows(builder, columns, integer=integer)
    return builder.build()


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
        raise InputError(f"{decisions.noun} {decisions.labels[both[0]]} is both in and out")
    return masks[0], masks[1]


def checked_weights(decisions: DecisionClass, weights: npt.ArrayLike) -> FloatArray:
    """The weights as floats, one an element, or :class:`InputError`."""
    array = checked_array("weights", in_order_of("weights", weights, decisions.labels))
    if array.shape != (decisions.size,):
        raise InputError(
            f"weights have shape {array.shape}, expected ({decisions.size},): one an "
            f"{decisions.noun}"
        )
    if not np.isfinite(array).all():
        element = int(np.flatnonzero(~np.isfinite(array))[0])
        raise InputError(
            f"the weight of {decisions.noun} {element} is {array[element]}, expected a finite "
            "number"
        )
    check_sums("weights", array)
    return array
