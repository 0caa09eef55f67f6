r"""The greedy way with water plans: step by step, the best first.

The steps of a source are worth :math:`\theta_i h - f_i(y + h) + f_i(y)`, ever less as f is convex:
all that gain are taken, then the best of the others until the demand is met, and no plan on the
grid is better. Among equal gains, within a relative 1e-12, the source with the largest index grows
first, so that the plan is the lexicographically first best one.

Huang, Ok, Li, Chen (IJCAI 2018), section 4.1.
"""

from __future__ import annotations

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.separable.water_plan import WaterPlan

_EQUAL = 1e-12


class WaterOracle:
    """The lexicographically first optimal plan, again and again.

    Parameters
    ----------
    plan : WaterPlan
    """

    def __init__(self, plan: WaterPlan) -> None:
        self._plan = plan
        self.arm = np.repeat(np.arange(plan.size), plan.most)
        self.number = np.concatenate([np.arange(1, most + 1) for most in plan.most])
        with np.errstate(over="ignore", invalid="ignore"):
            rises = [
                np.diff(cost(plan.step * np.arange(most + 1.0)))
                for cost, most in zip(plan.costs, plan.most, strict=True)
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
        # Rounded, gains that are equal but for rounding stand together.
        level = np.round(gain / (float(np.abs(gain).max()) or 1.0) / _EQUAL)
        taken = max(int((level > 0).sum()), self._plan.needed)
        chosen = self._order[np.argsort(-level, kind="stable")[:taken]]
        steps = np.bincount(self.arm[chosen], minlength=self._plan.size)
        return np.asarray(self._plan.step * steps, dtype=np.float64)
