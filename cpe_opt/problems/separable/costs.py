"""Convex cost functions of one amount, f(0) = 0."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.validation import checked_finite


class Cost(ABC):
    """A convex function on [0, ∞) with f(0) = 0."""

    @abstractmethod
    def __call__(self, amount: FloatArray) -> FloatArray:
        """The costs of amounts, elementwise."""


@dataclass(frozen=True)
class Quadratic(Cost):
    """``a y² + b y``, a at least 0."""

    a: float
    b: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "a", checked_finite("a", self.a, least=0.0))
        object.__setattr__(self, "b", checked_finite("b", self.b))

    def __call__(self, amount: FloatArray) -> FloatArray:
        """The costs."""
        return np.asarray(self.a * amount**2 + self.b * amount)


@dataclass(frozen=True)
class Power(Cost):
    """``a y^p``, a at least 0, p at least 1."""

    a: float
    p: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "a", checked_finite("a", self.a, least=0.0))
        object.__setattr__(self, "p", checked_finite("p", self.p, least=1.0))

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
