r"""The oracle of a separable model, and how hard a problem is.

φ(θ) is the leading optimal decision;
:math:`\Lambda_i = \inf \{\|\theta - \theta^*\|_\infty : \phi_i(\theta) \ne \phi_i(\theta^*)\}`, by
bisection along the two extreme directions; :math:`H_\Lambda = \sum_i \Lambda_i^{-2}`,
:math:`H^U = m / \min_i \Lambda_i^2`.

Huang, Ok, Li, Chen (IJCAI 2018), Theorems 1 and 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.separable.sample_allocation import greedy_allocation
from cpe_opt.formulations.separable.water_plan import WaterOracle
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.separable.model import BestSet, CustomModel, OpinionSampling, SeparableModel
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.problems.separable.water_plan import WaterPlan
from cpe_opt.validation import checked_count, checked_probability, checked_types

Oracle = Callable[[FloatArray], FloatArray]
_HALVINGS = 50


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
    linear = SubsetOracle(model.decisions)

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


@dataclass(frozen=True, eq=False)
class SeparableHardness:
    """Of finding the best decision.

    Attributes
    ----------
    decision : float array, shape (m,)
        The leading optimal one.
    radius : float array, shape (m,)
        Λ; infinite where an arm's part of the decision never changes.
    hardness, uniform : float
        H_Λ and H^U.
    """

    problem: SeparableProblem
    decision: FloatArray
    radius: FloatArray
    hardness: float
    uniform: float

    @checked_types
    def coci_sample_bound(self, *, delta: float) -> float:
        """Theorem 1: rounds of COCI, with probability 1 - delta; constants included."""
        return self._bound(self.hardness, delta)

    @checked_types
    def coci_uniform_sample_bound(self, *, delta: float) -> float:
        """Theorem 4: the same for uniform sampling."""
        return self._bound(self.uniform, delta)

    def _bound(self, hardness: float, delta: float) -> float:
        checked_probability("delta", delta)
        start = 2.0 * self.problem.model.size
        if not 0.0 < hardness < math.inf:
            return hardness + start
        log = math.log(4.0 / (self.problem.model.tau * delta))
        return start + 12.0 * hardness * math.log(24.0 * hardness) + 4.0 * hardness * log


@checked_types
def separable_hardness(problem: SeparableProblem) -> SeparableHardness:
    """Λ, H_Λ and H^U of a bi-monotone problem.

    Raises
    ------
    InputError
        Where φ is not bi-monotone: no efficient way is known there.
    """
    model = problem.model
    if not model.bi_monotone:
        raise InputError(f"{model.name} is not bi-monotone: its radii have no efficient form")
    oracle, theta = oracle_of(model), problem.theta
    decision = oracle(theta)
    radius = np.array(
        [
            min(_change(oracle, theta, arm, float(decision[arm]), sign) for sign in (1.0, -1.0))
            for arm in range(model.size)
        ]
    )
    with np.errstate(divide="ignore"):
        terms = radius**-2.0
    return SeparableHardness(
        problem, decision, radius, float(terms.sum()), model.size * float(terms.max())
    )


def _change(oracle: Oracle, theta: FloatArray, arm: int, value: float, sign: float) -> float:
    """How far θ may go in an extreme direction before φ of the arm changes."""

    def same(distance: float) -> bool:
        moved = theta - sign * distance
        moved[arm] = theta[arm] + sign * distance
        return bool(oracle(np.clip(moved, 0.0, 1.0))[arm] == value)

    if same(1.0):
        return math.inf
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if same(middle) else (low, middle)
    return high


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
