"""Equal shares of sets that span a decision class."""

from __future__ import annotations

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.design import Design, design_of, inverse_of, span_of
from cpe_opt.formulations.designs.pricing import Pricing
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.validation import PositiveInt, Seed, checked_types


@checked_types
def uniform_design(
    decisions: DecisionClass, *, sets: PositiveInt | None = None, seed: Seed = 0
) -> Design:
    """Equal shares for random sets that span the class: the baseline of optimal designs.

    Sets that span the class, then best sets for random weights (for k of n: uniform random sets).

    Parameters
    ----------
    decisions : DecisionClass
    sets : int, optional
        How many, 2n by default; repeated ones are left out.
    seed : int

    Returns
    -------
    Design
        With an upper bound on its G value, which may be far from tight, and is infinite for classes
        where no bound is cheap.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> design = uniform_design(cpe.TopK(4, 2), seed=0)
    >>> round(float(design.weights.sum()), 9), len(set(design.weights))
    (1.0, 1)
    """
    count = 2 * decisions.size if sets is None else sets
    rng = np.random.default_rng(seed)
    spanning, basis = span_of(decisions, rng)
    if count < len(spanning):
        raise InputError(f"sets is {count}, expected at least {len(spanning)} to span the class")
    oracle = SubsetOracle.quick(decisions)
    drawn = [oracle.maximise(rng.normal(size=decisions.size)) for _ in range(count)]
    more = indicators([members for members in drawn if members is not None], decisions.size)
    vectors = np.vstack([spanning, more])[:count]
    vectors = np.unique(vectors, axis=0)
    weights = np.full(len(vectors), 1.0 / len(vectors))
    inside = vectors @ basis
    inverse = basis @ inverse_of(inside, weights) @ basis.T
    worst = float(quadratic_forms(vectors, inverse).max())
    value = max(worst, Pricing(decisions, rng).bound(inverse, worst, certify=False))
    return design_of(
        decisions,
        vectors,
        weights,
        criterion="G",
        value=value,
        bound=float(basis.shape[1]),
        method="uniform",
    )
