r"""Plans of amounts at a cost: :math:`\max_y \sum_i \theta_i y_i - f_i(y_i)` on a grid.

:math:`\sum_i y_i \ge b`, :math:`0 \le y_i \le c_i`, every :math:`y_i` a multiple of a step; the f
are convex. Huang, Ok, Li, Chen (IJCAI 2018), section 4.1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from cpe_opt.arrays import FloatArray, checked_array, checked_shape
from cpe_opt.errors import InputError
from cpe_opt.problems.pairs import in_order_of
from cpe_opt.problems.separable.model import SeparableModel
from cpe_opt.validation import (
    Finite,
    Interval,
    Labels,
    NonNegative,
    Numbers,
    Positive,
    checked,
    checked_types,
)

MOST_STEPS = 10_000_000
_MULTIPLE = 1e-9
_WHOLE_NUMBERS = 2.0**53


class Cost(ABC):
    """A convex function on [0, ∞) with f(0) = 0."""

    @abstractmethod
    def __call__(self, amount: FloatArray) -> FloatArray:
        """The costs of amounts, elementwise."""


@checked_types
@dataclass(frozen=True)
class Quadratic(Cost):
    """``a y² + b y``, a at least 0."""

    a: NonNegative
    b: Finite = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "a", float(self.a))
        object.__setattr__(self, "b", float(self.b))

    def __call__(self, amount: FloatArray) -> FloatArray:
        """The costs."""
        return np.asarray(self.a * amount**2 + self.b * amount)


@checked_types
@dataclass(frozen=True)
class Power(Cost):
    """``a y^p``, a at least 0, p at least 1."""

    a: NonNegative
    p: Annotated[float, Interval(1, closed="left")]

    def __post_init__(self) -> None:
        object.__setattr__(self, "a", float(self.a))
        object.__setattr__(self, "p", float(self.p))

    def __call__(self, amount: FloatArray) -> FloatArray:
        """The costs."""
        return np.asarray(self.a * amount**self.p)


@dataclass(frozen=True)
class PiecewiseLinear(Cost):
    """Slopes that grow at breaks: ``slopes[j]`` from ``breaks[j]`` on, the first break 0."""

    breaks: tuple[float, ...]
    slopes: tuple[float, ...]

    def __post_init__(self) -> None:
        breaks = checked_array("breaks", self.breaks)
        slopes = checked_array("slopes", self.slopes)
        if breaks.ndim != 1 or slopes.ndim != 1:
            raise InputError(f"breaks {self.breaks}, slopes {self.slopes}: expected two lists")
        if not len(breaks) or len(breaks) != len(slopes):
            raise InputError(f"{len(slopes)} slopes for {len(breaks)} breaks")
        if not (np.isfinite(breaks).all() and np.isfinite(slopes).all()):
            raise InputError(f"breaks {self.breaks}, slopes {self.slopes}: expected finite numbers")
        if breaks[0] != 0 or (np.diff(breaks) <= 0).any():
            raise InputError(f"breaks are {self.breaks}, expected growing numbers from 0")
        if (np.diff(slopes) < 0).any():
            raise InputError(f"slopes are {self.slopes}, not convex: they must not fall")
        object.__setattr__(self, "breaks", tuple(breaks.tolist()))
        object.__setattr__(self, "slopes", tuple(slopes.tolist()))

    def __call__(self, amount: FloatArray) -> FloatArray:
        """The costs."""
        rises = np.diff(np.array([0.0, *self.slopes]))
        beyond = np.maximum(0.0, np.asarray(amount)[..., None] - np.array(self.breaks))
        # A sum, no product of matrices: those differ between machines in their last bits.
        return np.asarray((beyond * rises).sum(axis=-1))


class WaterPlan(SeparableModel):
    """How much to purify where: the model of this module.

    Parameters
    ----------
    costs : sequence of Cost
        The convex f.
    caps : sequence of float
        c, above 0.
    demand : float
        b, at least 0 and at most what the caps allow.
    step : float
        Of the grid; caps and demand are in multiples of it.
    labels : sequence of str, optional
    """

    @checked_types
    def __init__(
        self,
        costs: Sequence[Cost],
        caps: Numbers,
        demand: NonNegative,
        *,
        step: Positive = 1.0,
        labels: Labels | None = None,
    ) -> None:
        super().__init__(len(costs), labels)
        self.costs = tuple(costs)
        self.step = float(step)
        amounts = checked_shape("caps", in_order_of("caps", caps, self.labels), (self.size,))
        for place, cap in enumerate(amounts.tolist()):
            checked(f"cap {place}", cap, Positive)
        self.caps: FloatArray = amounts
        self.demand = float(demand)
        self.caps_in_steps = np.array(
            [_steps(f"cap {place}", cap, self.step) for place, cap in enumerate(self.caps.tolist())]
        )
        self.demand_in_steps = _steps("demand", self.demand, self.step)
        if self.caps_in_steps.sum() > MOST_STEPS:
            raise InputError(
                f"the caps are {self.caps_in_steps.sum():,} steps of {self.step:g} in all, at most "
                f"{MOST_STEPS:,} can be planned; take a larger step"
            )
        if self.demand_in_steps > self.caps_in_steps.sum():
            raise InputError(
                f"demand is {self.demand:g}, and the caps add up to {self.caps.sum():g}"
            )

    @property
    def name(self) -> str:
        """Such as ``water plan of 4 sources``."""
        return f"water plan of {self.size} sources"

    @property
    def bi_monotone(self) -> bool:
        """Whether the demand is met exactly at the optimum for every θ.

        That is, where no source is worth its first step beyond the demand even at θ = 1.
        """
        slopes = [float(np.diff(cost(np.array([0.0, self.step])))[0]) for cost in self.costs]
        return min(slopes) >= self.step

    @property
    def fingerprint(self) -> dict[str, Any]:
        """Costs, caps, demand and step."""
        return {
            "costs": self.costs,
            "caps": self.caps.tolist(),
            "demand": self.demand,
            "step": self.step,
        }


def _steps(what: str, amount: float, step: float) -> int:
    """How many steps an amount is, or :class:`InputError` if it is no multiple of one."""
    steps = amount / step
    if not steps < _WHOLE_NUMBERS or abs(round(steps) - steps) > _MULTIPLE * steps:
        raise InputError(f"{what} is {amount:g}, expected a multiple of the step {step:g}")
    return round(steps)
