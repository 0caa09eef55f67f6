r"""What no water plan earns more than, by duality.

For any price :math:`\lambda \ge 0` of the demand b, no plan, on the grid or off it, earns more than

.. math:: d(\lambda) = \sum_i \max_{0 \le y \le c_i} \bigl((\theta_i + \lambda) y - f_i(y)\bigr)
    - \lambda b .

d is convex, and its slope is the total of the best amounts minus b, which grows with the price: at
the least price at which they meet the demand d is least, and the bound is attained. A price of
another plan gives a weaker bound and never a false one.
"""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.separable.costs import Cost, PiecewiseLinear, Power, Quadratic
from cpe_opt.problems.separable.water_plan import WaterPlan

_DOUBLINGS = 100
_HALVINGS = 200


def dual_bound(plan: WaterPlan, worth: FloatArray) -> float:
    """The least bound over prices of the demand.

    Parameters
    ----------
    plan : WaterPlan
    worth : float array, shape (m,)
        θ.
    """
    low, bound, total = 0.0, *_at(plan, worth, 0.0)
    if total >= plan.demand:
        return bound
    high = 1.0 + float(np.abs(worth).max())
    for _ in range(_DOUBLINGS):
        value, total = _at(plan, worth, high)
        bound = min(bound, value)
        if total >= plan.demand:
            break
        low, high = high, 2.0 * high
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        value, total = _at(plan, worth, middle)
        bound = min(bound, value)
        low, high = (low, middle) if total >= plan.demand else (middle, high)
    return bound


def _at(plan: WaterPlan, worth: FloatArray, price: float) -> tuple[float, float]:
    """The bound at a price, and the total of the best amounts."""
    bound, total = -price * plan.demand, 0.0
    for cost, cap, value in zip(plan.costs, plan.caps, worth.tolist(), strict=True):
        amount = best_amount(cost, value + price, float(cap))
        bound += (value + price) * amount - float(cost(np.asarray(amount)))
        total += amount
    return bound, total


@singledispatch
def best_amount(cost: Cost, worth: float, cap: float) -> float:
    """The amount y in [0, cap] with the largest ``worth * y - cost(y)``."""
    raise InputError(f"no best amount is known for {cost!r}")


@best_amount.register
def _(cost: Quadratic, worth: float, cap: float) -> float:
    gain = worth - cost.b
    if gain <= 0.0:
        return 0.0
    return cap if gain >= 2.0 * cost.a * cap else gain / (2.0 * cost.a)


@best_amount.register
def _(cost: Power, worth: float, cap: float) -> float:
    if worth <= 0.0:
        return 0.0
    if worth >= cost.a * cost.p * cap ** (cost.p - 1.0):
        return cap
    return 0.0 if cost.p == 1.0 else float((worth / (cost.a * cost.p)) ** (1.0 / (cost.p - 1.0)))


@best_amount.register
def _(cost: PiecewiseLinear, worth: float, cap: float) -> float:
    below = [start for start, slope in zip(cost.breaks, cost.slopes, strict=True) if slope >= worth]
    return min(cap, below[0]) if below else cap
