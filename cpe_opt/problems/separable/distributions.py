"""Distributions of the observations of an arm, in [0, 1]."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.validation import Interval, Number, checked_finite


class Distribution(ABC):
    """The distribution of an arm's observations, in [0, 1]."""

    @property
    @abstractmethod
    def mean(self) -> float:
        """The expected value."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """The variance."""

    @abstractmethod
    def sample(self, rng: np.random.Generator, count: int) -> FloatArray:
        """Independent observations; shape (count,)."""


@dataclass(frozen=True)
class Bernoulli(Distribution):
    """1 with probability p, else 0."""

    p: float

    def __post_init__(self) -> None:
        Number(float, (Interval(0, 1, words="a probability"),)).check("p", self.p)
        object.__setattr__(self, "p", float(self.p))

    @property
    def mean(self) -> float:
        """The probability ``p``."""
        return self.p

    @property
    def variance(self) -> float:
        """The product ``p (1 - p)``."""
        return self.p * (1.0 - self.p)

    def sample(self, rng: np.random.Generator, count: int) -> FloatArray:
        """Zeros and ones."""
        return np.asarray(rng.random(count) < self.p, dtype=np.float64)


@dataclass(frozen=True)
class Beta(Distribution):
    """The beta distribution."""

    a: float
    b: float

    def __post_init__(self) -> None:
        a, b = (checked_finite(name, getattr(self, name), above=0.0) for name in ("a", "b"))
        if math.isinf(a + b):
            raise InputError(f"a is {a:g} and b is {b:g}, expected a finite sum")
        object.__setattr__(self, "a", a)
        object.__setattr__(self, "b", b)

    @property
    def mean(self) -> float:
        """The ratio ``a / (a + b)``."""
        return self.a / (self.a + self.b)

    @property
    def variance(self) -> float:
        """With the mean m, ``m (1 - m) / (a + b + 1)``."""
        return self.mean * (1.0 - self.mean) / (self.a + self.b + 1.0)

    def sample(self, rng: np.random.Generator, count: int) -> FloatArray:
        """Beta variates."""
        return np.asarray(rng.beta(self.a, self.b, count))


@dataclass(frozen=True)
class Empirical(Distribution):
    """Drawn with equal probability from values seen before, in [0, 1]."""

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        array = checked_array("values", self.values)
        if array.ndim != 1 or not array.size or not ((array >= 0) & (array <= 1)).all():
            raise InputError("values: expected numbers in [0, 1], at least one")
        object.__setattr__(self, "values", tuple(array.tolist()))

    @property
    def mean(self) -> float:
        """The mean of the values."""
        return float(np.mean(self.values))

    @property
    def variance(self) -> float:
        """The variance of the values, divided by their number."""
        return float(np.var(self.values))

    def sample(self, rng: np.random.Generator, count: int) -> FloatArray:
        """Values, with replacement."""
        return np.asarray(rng.choice(self.values, count))
