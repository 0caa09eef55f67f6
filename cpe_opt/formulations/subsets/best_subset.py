"""The best set of a decision class, and the best other one, as answers.

Methods and programs: :mod:`cpe_opt.formulations.subsets.oracle`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.subsets.oracle import (
    Optimum,
    SubsetMethod,
    SubsetOracle,
    checked_weights,
    element_masks,
)
from cpe_opt.modelling.program import Sense
from cpe_opt.problems.subsets.bandit import SubsetBandit
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.validation import Numbers, checked_types


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Subset(Answer):
    """An optimal set of a decision class; ``value`` is its weight, recomputed.

    Attributes
    ----------
    elements : tuple of int
        In ascending order.
    """

    elements: tuple[int, ...]

    def report(self, problem: SubsetBandit) -> dict[str, Any]:
        """The set by the labels of its elements."""
        return {"set": problem.decisions.describe(self.elements)}


@checked_types
def best_subset(
    decisions: DecisionClass,
    weights: Numbers,
    *,
    include: Iterable[int] = (),
    exclude: Iterable[int] = (),
    sense: Sense = "max",
    method: SubsetMethod | None = None,
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
    method : str, optional
        See :mod:`cpe_opt.formulations.subsets.oracle`: ``combinatorial`` where the class has an
        algorithm, ``program`` where it has none or a solver is named.
    **solving
        As for :func:`cpe_opt.solve`, with the method ``program`` alone.

    Raises
    ------
    InputError
        Where no set contains and avoids these elements, or an argument is wrong.

    Examples
    --------
    >>> from cpe_opt.problems.subsets.matroids import TopK
    >>> best = best_subset(TopK(4, 2), [3, 1, 2, 5])
    >>> best.elements, best.value, best.method
    ((0, 3), 8.0, 'combinatorial')
    >>> best_subset(TopK(4, 2), [3, 1, 2, 5], exclude=[3], solver="glop").elements
    (0, 2)
    """
    weights = checked_weights(decisions, weights)
    forced, forbidden = element_masks(decisions, include, exclude)
    inside, outside = np.flatnonzero(forced).tolist(), np.flatnonzero(forbidden).tolist()
    oracle = SubsetOracle(decisions, method, **solving)
    best = oracle.optimum(weights, inside, outside, sense)
    if best is None:
        parts = [
            f"{verb} {decisions.describe(elements)}"
            for verb, elements in (("contains", inside), ("avoids", outside))
            if elements
        ]
        raise InputError(f"no set of {decisions.name} {' and '.join(parts)}")
    return _subset(best, oracle)


@checked_types
def second_best_subset(
    decisions: DecisionClass,
    weights: Numbers,
    *,
    than: Iterable[int] | None = None,
    sense: Sense = "max",
    method: SubsetMethod | None = None,
    **solving: Unpack[SolveOptions],
) -> Subset | None:
    """The best set other than ``than`` (by default, than an optimal one); None if it is alone."""
    weights = checked_weights(decisions, weights)
    oracle = SubsetOracle(decisions, method, **solving)
    if than is not None:
        first = decisions.check(than)
    else:
        best = oracle.optimum(weights, sense=sense)
        if best is None:
            raise InputError(f"{decisions.name} has no set")
        first = best.elements
    other = oracle.other_optimum(weights, first, sense)
    return None if other is None else _subset(other, oracle)


def _subset(optimum: Optimum, oracle: SubsetOracle) -> Subset:
    return Subset(
        elements=optimum.elements,
        value=optimum.value,
        bound=optimum.bound,
        method=oracle.method,
        result=optimum.result,
    )
