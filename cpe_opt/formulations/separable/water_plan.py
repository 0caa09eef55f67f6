r"""Water plans: how much to purify at which source.

:math:`\max \sum_i \theta_i y_i - f_i(y_i)`, :math:`\sum y_i \ge b`,
:math:`0 \le y_i \le c_i` in multiples of a step, f convex.

- ``greedy``: steps by what they gain, see below.
- ``milp``: columns ``step_i_j`` for the steps; row ``demand``.
- ``continuous``: without the grid, by a cone program, and a bound by duality.

**Duality.** For any price :math:`\lambda \ge 0` of the demand b, no plan, on the grid or off it,
earns more than

.. math:: d(\lambda) = \sum_i \max_{0 \le y \le c_i} \bigl((\theta_i + \lambda) y - f_i(y)\bigr)
    - \lambda b .

d is convex, and its slope is the total of the best amounts minus b, which grows with the price:
at the least price at which they meet the demand d is least, and the bound is attained. A price of
another plan gives a weaker bound and never a false one.

**The greedy algorithm.** The steps of a source are worth :math:`\theta_i h - f_i(y + h) + f_i(y)`,
ever less as f is convex: all that gain are taken, then the best of the others until the demand is
met, and no plan on the grid is better. Among equal gains, within a relative 1e-12, the source with
the largest index grows first, so that the plan is the lexicographically first best one.

Huang, Ok, Li, Chen (IJCAI 2018), section 4.1.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any, Literal, Unpack, overload

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.answer import Answer
from cpe_opt.formulations.separable.sample_allocation import (
    Method,
    ProgramMethod,
    checked_vector,
)
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.problems.separable.water_plan import Cost, PiecewiseLinear, Power, Quadratic, WaterPlan
from cpe_opt.solvers.options import SolveOptions, refuse_unused
from cpe_opt.solvers.solve import solve
from cpe_opt.validation import Numbers, checked_types

_DOUBLINGS = 100
_HALVINGS = 200
_EQUAL = 1e-12


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Purification(Answer):
    """A best water plan.

    Attributes
    ----------
    amounts : float array, shape (m,)
        What to purify at each source.
    """

    amounts: FloatArray

    def report(self, problem: SeparableProblem) -> dict[str, Any]:
        """The amounts by the sources' labels."""
        amounts = map(float, self.amounts)
        return {"decision": dict(zip(problem.model.labels, amounts, strict=True))}


@checked_types
def water_plan(
    plan: WaterPlan,
    theta: Numbers,
    method: Method = "greedy",
    **solving: Unpack[SolveOptions],
) -> Purification:
    """How much to purify at each source.

    Parameters
    ----------
    plan : WaterPlan
    theta : array_like, shape (m,)
        What a unit is worth.
    method : "greedy", "milp" or "continuous"
        The last one leaves the grid.
    **solving
        For ``milp`` and ``continuous``, as for :func:`cpe_opt.solve`.

    Returns
    -------
    Purification
        Its bound is the value for ``greedy``, as the gains of a source's steps fall; the solver's,
        verified, for ``milp``; that of duality for ``continuous``.

    Raises
    ------
    InputError, UnknownName, NotOptimal

    Examples
    --------
    >>> from cpe_opt.problems.separable.water_plan import Quadratic
    >>> plan = WaterPlan([Quadratic(0.1), Quadratic(0.2)], [2, 2], 1)
    >>> best = water_plan(plan, [0.5, 0.7])
    >>> best.amounts.tolist(), round(best.value, 9)
    ([2.0, 2.0], 1.2)
    """
    worth = _checked_worth(plan, theta)
    if method == "greedy":
        refuse_unused(solving, "water_plan with method 'greedy'", instead=("milp", "continuous"))
        amounts = WaterOracle(plan)(worth)
        value = plan_value(plan, worth, amounts)
        return Purification(value=value, bound=value, method=method, amounts=amounts)
    if method == "milp":
        result = solve(_steps(plan, worth), **solving)
        if result.x is None or result.bound is None:
            raise NotOptimal(result)
        steps = np.bincount(WaterOracle(plan).arm[result.x > 0.5], minlength=plan.size)
        amounts, bound = np.asarray(plan.step * steps, dtype=np.float64), result.bound
    else:
        solving.setdefault("solver", "clarabel")
        result = solve(_real_amounts(plan, worth), **solving)
        if result.x is None:
            raise NotOptimal(result)
        amounts = np.clip(result.x, 0.0, plan.caps)
        bound = dual_bound(plan, worth)
    return Purification(
        value=plan_value(plan, worth, amounts),
        bound=bound,
        method=method,
        result=result,
        amounts=amounts,
    )


@checked_types
def plan_value(plan: WaterPlan, theta: Numbers, amounts: Numbers) -> float:
    """What a plan earns."""
    worth = _checked_worth(plan, theta)
    amount = checked_vector("amounts", amounts, plan.size)
    with np.errstate(over="ignore", invalid="ignore"):
        costs = [float(cost(y)) for cost, y in zip(plan.costs, amount, strict=True)]
        value = float((worth * amount).sum()) - sum(costs)
    if not math.isfinite(value):
        raise InputError(f"what the plan earns overflows: {worth.max():g}, {amount.max():g}")
    return value


def _checked_worth(plan: WaterPlan, theta: npt.ArrayLike) -> FloatArray:
    """θ, of which a step's worth is a finite number, or :class:`InputError`."""
    worth = checked_vector("theta", theta, plan.size)
    largest = float(np.abs(worth).max())
    if largest > np.finfo(np.float64).max / (16.0 * plan.step * float(plan.caps_in_steps.max())):
        raise InputError(f"theta has {largest:g}, so large that what a plan earns overflows")
    return worth


@overload
def water_plan_program(
    plan: WaterPlan, theta: npt.ArrayLike, *, method: Literal["milp"] = "milp"
) -> LinearProgram: ...


@overload
def water_plan_program(
    plan: WaterPlan, theta: npt.ArrayLike, *, method: Literal["continuous"]
) -> ConicProgram: ...


@checked_types
def water_plan_program(
    plan: WaterPlan, theta: Numbers, *, method: ProgramMethod = "milp"
) -> LinearProgram | ConicProgram:
    """The program whose optimum is what the best plan earns, for the data of :func:`water_plan`.

    ``method`` is ``milp``, the integer program of the steps, or ``continuous``, the cone program of
    ``amount`` without the grid.

    Examples
    --------
    >>> from cpe_opt.problems.separable.water_plan import Quadratic
    >>> plan = WaterPlan([Quadratic(1), Quadratic(2)], [1, 1], 1)
    >>> water_plan_program(plan, [0.5, 0.4], method="continuous")
    ConicProgram('water_plan', 2 variables, 5 constraints, max)
    """
    worth = _checked_worth(plan, theta)
    if method == "milp":
        return _steps(plan, worth)
    return _real_amounts(plan, worth)


def _steps(plan: WaterPlan, worth: FloatArray) -> LinearProgram:
    steps = WaterOracle(plan)
    builder = ProgramBuilder("water_plan", sense="max")
    columns = builder.columns(
        "step",
        np.column_stack([steps.arm, steps.number]),
        cost=steps.gains(worth),
        upper=1.0,
        integer=True,
    )
    builder.row("demand", columns, lower=plan.demand_in_steps)
    return builder.build()


def _real_amounts(plan: WaterPlan, worth: FloatArray) -> ConicProgram:
    import cvxpy as cp

    started = time.perf_counter()
    amount = cp.Variable(plan.size, name="amount")
    costs = [_expression(cost, amount[i]) for i, cost in enumerate(plan.costs)]
    problem = cp.Problem(
        cp.Maximize(worth @ amount - sum(costs)),
        [amount >= 0, amount <= plan.caps, np.ones(plan.size) @ amount >= plan.demand],
    )
    labels = {f"amount_{i}": label for i, label in enumerate(plan.labels)}
    return ConicProgram("water_plan", problem, labels, time.perf_counter() - started)


def _expression(cost: Cost, amount: Any) -> Any:
    """A cost as a CVXPY expression."""
    import cvxpy as cp

    match cost:
        case Quadratic(a, b):
            return a * cp.square(amount) + b * amount
        case Power(a, p):
            return a * (amount if p == 1.0 else cp.power(amount, p))
        case PiecewiseLinear(breaks, slopes):
            # The first slope may be negative; later ones only grow.
            rises = np.diff([0.0, *slopes])
            first = float(rises[0]) * amount
            later = zip(rises[1:].tolist(), breaks[1:], strict=True)
            return first + sum(rise * cp.pos(amount - start) for rise, start in later)
    raise InputError(f"no conic form is known for {cost!r}")


def dual_bound(plan: WaterPlan, worth: FloatArray) -> float:
    """The least bound over prices of the demand; ``worth`` is θ, shape (m,)."""
    low, bound, total = 0.0, *_dual_value(plan, worth, 0.0)
    if total >= plan.demand:
        return bound
    high = 1.0 + float(np.abs(worth).max())
    for _ in range(_DOUBLINGS):
        value, total = _dual_value(plan, worth, high)
        bound = min(bound, value)
        if total >= plan.demand:
            break
        low, high = high, 2.0 * high
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        value, total = _dual_value(plan, worth, middle)
        bound = min(bound, value)
        low, high = (low, middle) if total >= plan.demand else (middle, high)
    return bound


def _dual_value(plan: WaterPlan, worth: FloatArray, price: float) -> tuple[float, float]:
    """The bound at a price, and the total of the best amounts."""
    bound, total = -price * plan.demand, 0.0
    for cost, cap, value in zip(plan.costs, plan.caps, worth.tolist(), strict=True):
        amount = best_amount(cost, value + price, float(cap))
        bound += (value + price) * amount - float(cost(np.asarray(amount)))
        total += amount
    return bound, total


def best_amount(cost: Cost, worth: float, cap: float) -> float:
    """The amount y in [0, cap] with the largest ``worth * y - cost(y)``."""
    match cost:
        case Quadratic(a, b):
            gain = worth - b
            if gain <= 0.0:
                return 0.0
            return cap if gain >= 2.0 * a * cap else gain / (2.0 * a)
        case Power(a, p):
            if worth <= 0.0:
                return 0.0
            if worth >= a * p * cap ** (p - 1.0):
                return cap
            return 0.0 if p == 1.0 else float((worth / (a * p)) ** (1.0 / (p - 1.0)))
        case PiecewiseLinear(breaks, slopes):
            pieces = zip(breaks, slopes, strict=True)
            return min(cap, next((start for start, slope in pieces if slope >= worth), cap))
    raise InputError(f"no best amount is known for {cost!r}")


class WaterOracle:
    """The lexicographically first optimal plan, again and again."""

    def __init__(self, plan: WaterPlan) -> None:
        self._plan = plan
        self.arm = np.repeat(np.arange(plan.size), plan.caps_in_steps)
        self.number = np.concatenate([np.arange(1, most + 1) for most in plan.caps_in_steps])
        with np.errstate(over="ignore", invalid="ignore"):
            rises = [
                np.diff(cost(plan.step * np.arange(most + 1.0)))
                for cost, most in zip(plan.costs, plan.caps_in_steps, strict=True)
            ]
        for place, of_source in enumerate(rises):
            if not np.isfinite(of_source).all():
                cap, cost = plan.caps[place], plan.costs[place]
                raise InputError(f"cost {place}, {cost!r}, overflows at amounts up to {cap:g}")
        self._rises = np.concatenate(rises)
        # Sources from the last, each with its steps in order: a stable sort keeps to it.
        self._order = np.lexsort((self.number, -self.arm))

    def gains(self, worth: FloatArray) -> FloatArray:
        """What every step of every source gains."""
        return np.asarray(worth[self.arm] * self._plan.step - self._rises)

    def __call__(self, worth: FloatArray) -> FloatArray:
        """The amounts."""
        gain = self.gains(worth)[self._order]
        # Rounded, so that gains that differ by rounding alone are neighbours.
        level = np.round(gain / (float(np.abs(gain).max()) or 1.0) / _EQUAL)
        taken = max(int((level > 0).sum()), self._plan.demand_in_steps)
        chosen = self._order[np.argsort(-level, kind="stable")[:taken]]
        steps = np.bincount(self.arm[chosen], minlength=self._plan.size)
        return np.asarray(self._plan.step * steps, dtype=np.float64)
