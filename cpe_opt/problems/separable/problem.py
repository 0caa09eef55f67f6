"""Problems of separable rewards: a model with the distributions of its arms."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.problems.environments import PullRecorder, refuse_units
from cpe_opt.problems.queries import Pull
from cpe_opt.problems.separable.model import MEAN, SeparableModel
from cpe_opt.validation import Interval, Name, Positive, checked_types

_BUFFER = 4096  # observations of an arm that are drawn at once


class SeparableProblem:
    """A model with the distributions of its arms.

    Parameters
    ----------
    model : SeparableModel
    arms : sequence of Distribution, length m
    name : str

    Attributes
    ----------
    theta : float array, shape (m,)
        Means, or variances where the model is about these.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> model = cpe.BestSet(cpe.TopK(2, 1))
    >>> problem = cpe.SeparableProblem(model, [cpe.Bernoulli(0.3), cpe.Beta(2, 2)])
    >>> problem.theta.tolist()
    [0.3, 0.5]
    """

    family = "separable"

    @checked_types
    def __init__(
        self, model: SeparableModel, arms: Sequence[Distribution], *, name: Name = "separable"
    ) -> None:
        self.model, self.arms, self.name = model, tuple(arms), str(name)
        if len(self.arms) != model.size:
            raise InputError(f"{len(self.arms)} distributions for {model.size} arms")
        self.theta: FloatArray = np.array(
            [arm.mean if model.tau == MEAN else arm.variance for arm in self.arms]
        )
        self.theta.flags.writeable = False

    def __repr__(self) -> str:
        return f"SeparableProblem({self.name!r}, {self.model!r})"

    @property
    def known(self) -> SeparableModel:
        """What a learner may know of the problem: the model."""
        return self.model

    @property
    def labels(self) -> tuple[str, ...]:
        """Those of the arms."""
        return self.model.labels

    @property
    def fingerprint(self) -> tuple[SeparableModel, tuple[Distribution, ...]]:
        """The model and the distributions."""
        return self.model, self.arms

    def environment(self, rng: np.random.Generator) -> ArmEnvironment:
        """Simulated observations of arms."""
        return ArmEnvironment(self.arms, rng)

    def recorder(
        self, *, horizon: int | None = None, regret: str | None = None, points: int | None = None
    ) -> PullRecorder:
        """Counts observations; there is no regret; see :class:`cpe_opt.Problem`."""
        refuse_units("separable rewards", regret, points)
        return PullRecorder(self.model.size)


class ArmEnvironment:
    """Answers :class:`Pull` queries by the distributions of the arms."""

    def __init__(self, arms: Sequence[Distribution], rng: np.random.Generator) -> None:
        self._arms = tuple(arms)
        self._streams = rng.spawn(len(arms))
        self._ahead = [np.zeros(0) for _ in arms]

    def check(self, query: object) -> Pull:
        """The query, or :class:`InputError` if it is not a legal one."""
        if not isinstance(query, Pull):
            raise InputError(f"this problem answers Pull queries, the learner asked {query!r}")
        if not (0 <= query.arm < len(self._arms) and query.times >= 1):
            raise InputError(f"the learner asked {query!r}; arms are 0 … {len(self._arms) - 1}")
        return query

    def answer(self, query: Pull) -> FloatArray:
        """The next observations of the arm."""
        ahead = self._ahead[query.arm]
        if len(ahead) < query.times:
            count = max(query.times, _BUFFER)
            more = self._arms[query.arm].sample(self._streams[query.arm], count)
            ahead = np.concatenate([ahead, more])
        self._ahead[query.arm] = ahead[query.times :]
        return ahead[: query.times]


# Distributions of the observations of an arm, in [0, 1].


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


@checked_types
@dataclass(frozen=True)
class Bernoulli(Distribution):
    """1 with probability p, else 0."""

    p: Annotated[float, Interval(0, 1, words="a probability")]

    def __post_init__(self) -> None:
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


@checked_types
@dataclass(frozen=True)
class Beta(Distribution):
    """The beta distribution."""

    a: Positive
    b: Positive

    def __post_init__(self) -> None:
        if math.isinf(float(self.a) + float(self.b)):
            raise InputError(f"a is {self.a:g} and b is {self.b:g}, expected a finite sum")
        object.__setattr__(self, "a", float(self.a))
        object.__setattr__(self, "b", float(self.b))

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
