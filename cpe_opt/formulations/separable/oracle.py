"""The oracle φ of a separable model: the leading optimal decision for its parameters.

Huang, Ok, Li, Chen, "Combinatorial Pure Exploration with Continuous and Separable Reward Functions
and Its Applications", IJCAI 2018.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import cast

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.separable.greedy_allocation import greedy_allocation
from cpe_opt.formulations.separable.water_steps import WaterOracle
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.separable.model import BestSet, CustomModel, OpinionSampling, SeparableModel
from cpe_opt.problems.separable.water_plan import WaterPlan
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.validation import checked_count, checked_types

Oracle = Callable[[FloatArray], FloatArray]


@singledispatch
def oracle_of(model: SeparableModel) -> Oracle:
    """φ: from θ, shape (m,), to the leading optimal decision, shape (m,)."""
    raise InputError(f"no oracle is known for {model!r}")


@oracle_of.register
def _(model: CustomModel) -> Oracle:
    def decide(theta: FloatArray) -> FloatArray:
        decision = np.asarray(model.oracle(theta), dtype=np.float64)
        if decision.shape != (model.size,):
            raise InputError(
                f"the oracle returned shape {decision.shape}, expected ({model.size},)"
            )
        return decision

    return decide


@oracle_of.register
def _(model: BestSet) -> Oracle:
    linear = SubsetOracle(cast(DecisionClass, model.decisions))

    def decide(theta: FloatArray) -> FloatArray:
        chosen = np.zeros(model.size)
        chosen[list(linear.maximise(theta) or ())] = 1.0
        return chosen

    return decide


@oracle_of.register
def _(model: WaterPlan) -> Oracle:
    return WaterOracle(model)


@oracle_of.register
def _(model: OpinionSampling) -> Oracle:
    sizes = np.array(model.sizes, dtype=np.float64)
    return lambda theta: greedy_allocation(sizes * np.sqrt(theta), model.budget).astype(np.float64)


@checked_types
def find_bi_monotone_violation(
    model: SeparableModel, *, trials: int = 1000, seed: int = 0
) -> tuple[FloatArray, FloatArray, int] | None:
    """Look for a counterexample to bi-monotonicity.

    Random pairs of parameters that differ in one entry: φ of that arm must move one way (the same
    in all trials), φ of the others not that way.

    Parameters
    ----------
    model : SeparableModel
    trials, seed : int

    Returns
    -------
    tuple or None
        Two parameters, the second larger in one entry, and the arm whose decision moved the wrong
        way between them; None where none was found.
    """
    checked_count("trials", trials)
    checked_count("seed", seed, least=0)
    oracle, rng = oracle_of(model), np.random.default_rng(seed)
    direction = 0.0
    for _ in range(trials):
        theta = rng.random(model.size)
        arm = int(rng.integers(model.size))
        raised = theta.copy()
        raised[arm] += (1.0 - theta[arm]) * rng.random()
        moved = np.sign(np.round(oracle(raised) - oracle(theta), 9))
        if direction == 0.0:
            direction = float(moved[arm])
        for other in np.flatnonzero(moved):
            expected = direction if other == arm else -direction
            if direction and moved[other] != expected:
                return theta, raised, int(other)
    return None
