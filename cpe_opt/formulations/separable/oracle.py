"""The oracle φ of a separable model: the leading optimal decision for its parameters.

Huang, Ok, Li, Chen, "Combinatorial Pure Exploration with Continuous and Separable Reward Functions
and Its Applications", IJCAI 2018.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, Unpack, cast

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.separable.sample_allocation import greedy_allocation, sample_allocation
from cpe_opt.formulations.separable.water_plan import WaterOracle, water_plan
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.separable.model import BestSet, CustomModel, OpinionSampling, SeparableModel
from cpe_opt.problems.separable.water_plan import WaterPlan
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.validation import PositiveInt, Seed, checked_types

Oracle = Callable[[FloatArray], FloatArray]
OracleMethod: TypeAlias = Literal["combinatorial", "program"]


@checked_types
def oracle_of(
    model: SeparableModel, method: OracleMethod = "combinatorial", **solving: Unpack[SolveOptions]
) -> Oracle:
    """The oracle φ: from θ, shape (m,), to the leading optimal decision, shape (m,)."""
    program = method == "program"
    if not program:
        refuse_unused(solving, "method 'combinatorial'", instead=("program",))
    match model:
        case BestSet():
            decisions = cast(DecisionClass, model.decisions)
            return _indicator_of(SubsetOracle(decisions, "program" if program else None, **solving))
        case WaterPlan() if program:
            return lambda theta: water_plan(model, theta, "milp", **solving).amounts
        case WaterPlan():
            return WaterOracle(model)
        case OpinionSampling(budget=budget) if program:
            return lambda theta: np.asarray(
                sample_allocation(theta, model.sizes, budget, "milp", **solving).allocation,
                dtype=np.float64,
            )
        case OpinionSampling(budget=budget):
            sizes = np.array(model.sizes, dtype=np.float64)
            return lambda theta: greedy_allocation(sizes * np.sqrt(theta), budget).astype(float)
        case CustomModel() if not program:
            return _checked_oracle(model)
    if program:
        raise InputError(
            f"no program is known for {model.name}: method 'combinatorial' calls its own"
        )
    raise InputError(f"no oracle is known for {model!r}")


def _checked_oracle(model: CustomModel) -> Oracle:
    def decide(theta: FloatArray) -> FloatArray:
        decision = np.asarray(model.oracle(theta), dtype=np.float64)
        if decision.shape != (model.size,):
            raise InputError(
                f"the oracle returned shape {decision.shape}, expected ({model.size},)"
            )
        return decision

    return decide


def _indicator_of(linear: SubsetOracle) -> Oracle:
    def decide(theta: FloatArray) -> FloatArray:
        best = linear.maximise(theta)
        if best is None:
            raise InputError(f"{linear.decisions.name} has no set")
        chosen = np.zeros(linear.size)
        chosen[list(best)] = 1.0
        return chosen

    return decide


@checked_types
def find_bi_monotone_violation(
    model: SeparableModel, *, trials: PositiveInt = 1000, seed: Seed = 0
) -> tuple[FloatArray, FloatArray, int] | None:
    """Look for a counterexample to bi-monotonicity.

    Random pairs of parameters that differ in one entry: φ of that arm must move one way (the same
    in all trials), φ of the others not that way. The answer has two parameters, the second larger
    in one entry, and the arm whose decision moved the wrong way.
    """
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
