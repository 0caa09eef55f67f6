r"""Separable rewards: arms with unknown parameters, and the decision that is best for them.

A decision :math:`y \in \mathcal Y \subset \mathbb R^m` earns
:math:`\sum_i r_i(\theta_i, y_i)`, where :math:`\theta_i \in [0, 1]` is the mean (τ = 1) or the
variance (τ = 2) of arm i. A *model* is what a learner may know: the rewards and decisions, not θ.
The oracle φ(θ) is the leading, that is, the lexicographically first, optimal decision; it stands in
:mod:`cpe_opt.formulations.separable.oracle`.

φ is *bi-monotone* where :math:`\phi_i` is monotone one way in :math:`\theta_i` and the other way in
every other :math:`\theta_j`.

Huang, Ok, Li, Chen, "Combinatorial Pure Exploration with Continuous and Separable Reward Functions
and Its Applications", IJCAI 2018.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.problems.recorders import PullRecorder, refuse_points, refuse_regret
from cpe_opt.problems.separable.costs import Cost
from cpe_opt.problems.separable.distributions import Distribution
from cpe_opt.problems.separable.environment import ArmEnvironment
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.validation import checked_count, checked_finite, checked_types

MEAN, VARIANCE = 1, 2
MOST_STEPS = 10_000_000
_MULTIPLE = 1e-9
_WHOLE_NUMBERS = 2.0**53


class SeparableModel(ABC):
    """What is known of a problem with separable rewards.

    Attributes
    ----------
    size : int
        m, the number of arms.
    labels : tuple of str
    tau : int
        1 where the parameters are means, 2 where they are variances.
    """

    tau = MEAN

    def __init__(self, size: int, labels: Sequence[str] | None = None) -> None:
        self.size = checked_count("the number of arms", size)
        self.labels = tuple(map(str, range(size) if labels is None else labels))
        if len(self.labels) != size or len(set(self.labels)) < size:
            raise InputError(f"expected {size} different labels, got {', '.join(self.labels)}")

    @property
    @abstractmethod
    def name(self) -> str:
        """For tables."""

    @property
    @abstractmethod
    def bi_monotone(self) -> bool:
        """Whether φ is, as far as is known."""

    @property
    @abstractmethod
    def fingerprint(self) -> dict[str, Any]:
        """What tells the model from any other of its class; see :mod:`cpe_opt.fingerprint`."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    def describe(self, decision: Sequence[float]) -> str:
        """A decision by the arms' labels."""
        pairs = zip(self.labels, decision, strict=True)
        return ", ".join(f"{label}: {amount:g}" for label, amount in pairs if amount)


class BestSet(SeparableModel):
    """A set of a decision class with the largest sum of means; decisions are indicators.

    Parameters
    ----------
    decisions : DecisionClass
        ``TopK(m, k)`` for the best k arms, where φ is bi-monotone; ``TopK(m, 1)`` for the best arm.
    """

    @checked_types
    def __init__(self, decisions: DecisionClass) -> None:
        if not isinstance(decisions, DecisionClass):
            raise InputError(f"decisions is {decisions!r}, expected a DecisionClass")
        super().__init__(decisions.size, decisions.labels)
        self.decisions = decisions

    @property
    def name(self) -> str:
        """That of the class."""
        return f"best {self.decisions.name}"

    @property
    def bi_monotone(self) -> bool:
        """For k of m."""
        return isinstance(self.decisions, TopK)

    @property
    def fingerprint(self) -> dict[str, Any]:
        """That of the class."""
        return {"best": self.decisions.fingerprint}


class WaterPlan(SeparableModel):
    r"""How much to purify where: maximise :math:`\sum_i \theta_i y_i - f_i(y_i)`.

    :math:`\sum y_i \ge b`, :math:`0 \le y_i \le c_i`, y in multiples of a step.

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
        caps: npt.ArrayLike,
        demand: float,
        *,
        step: float = 1.0,
        labels: Sequence[str] | None = None,
    ) -> None:
        super().__init__(len(costs), labels)
        for place, cost in enumerate(costs):
            if not isinstance(cost, Cost):
                raise InputError(f"cost {place} is {cost!r}, expected a Cost")
        self.costs = tuple(costs)
        self.step = checked_finite("step", step, above=0.0)
        amounts = checked_array("caps", caps)
        if amounts.shape != (self.size,):
            raise InputError(f"caps have shape {amounts.shape}, expected ({self.size},)")
        places = enumerate(amounts.tolist())
        self.caps: FloatArray = np.array(
            [checked_finite(f"cap {place}", cap, above=0.0) for place, cap in places]
        )
        self.demand = checked_finite("demand", demand, least=0.0)
        self.most = np.array(
            [_steps(f"cap {place}", cap, self.step) for place, cap in enumerate(self.caps.tolist())]
        )
        self.needed = _steps("demand", self.demand, self.step)
        if self.most.sum() > MOST_STEPS:
            raise InputError(
                f"the caps are {self.most.sum():,} steps of {self.step:g} in all, at most "
                f"{MOST_STEPS:,} can be planned; take a larger step"
            )
        if self.needed > self.most.sum():
            raise InputError(
                f"demand is {self.demand:g}, and the caps add up to {self.caps.sum():g}"
            )

    @property
    def name(self) -> str:
        """Such as ``water plan of 4 sources``."""
        return f"water plan of {self.size} sources"

    @property
    def bi_monotone(self) -> bool:
        """Where the demand is met exactly at the optimum for every θ.

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
    """How many steps an amount is, or :class:`InputError` where it is no multiple of one."""
    steps = amount / step
    if not steps < _WHOLE_NUMBERS or abs(round(steps) - steps) > _MULTIPLE * steps:
        raise InputError(f"{what} is {amount:g}, expected a multiple of the step {step:g}")
    return round(steps)


class OpinionSampling(SeparableModel):
    r"""How many people to ask in each group: minimise :math:`\sum_i n_i^2 \theta_i / y_i`.

    θ are the variances within groups of :math:`n_i` people; :math:`y_i \ge 1` whole,
    :math:`\sum y_i \le k`.

    Parameters
    ----------
    sizes : sequence of int
        n, above 0.
    budget : int
        k, at least the number of groups.
    labels : sequence of str, optional
    """

    tau = VARIANCE

    @checked_types
    def __init__(
        self, sizes: Sequence[int], budget: int, labels: Sequence[str] | None = None
    ) -> None:
        super().__init__(len(sizes), labels)
        self.sizes = tuple(checked_count("a size", n) for n in sizes)
        self.budget = checked_count("budget", budget)
        if budget < self.size:
            raise InputError(f"budget is {budget}, expected at least one for each of {self.size}")

    @property
    def name(self) -> str:
        """Such as ``50 samples of 4 groups``."""
        return f"{self.budget} samples of {self.size} groups"

    @property
    def bi_monotone(self) -> bool:
        """Lemma 9."""
        return True

    @property
    def fingerprint(self) -> dict[str, Any]:
        """Sizes and budget."""
        return {"sizes": self.sizes, "budget": self.budget}


class CustomModel(SeparableModel):
    """A model with an oracle of one's own.

    Parameters
    ----------
    size : int
        m.
    oracle : callable
        φ: takes θ, shape (m,), returns the leading optimal decision, shape (m,).
    bi_monotone : bool
        Whether φ is; :func:`cpe_opt.find_bi_monotone_violation` looks for a counterexample.
    tau : int
        1 for means, 2 for variances.
    labels : sequence of str, optional
    """

    @checked_types
    def __init__(
        self,
        size: int,
        oracle: Callable[[FloatArray], FloatArray],
        *,
        bi_monotone: bool,
        tau: int = MEAN,
        labels: Sequence[str] | None = None,
    ) -> None:
        super().__init__(size, labels)
        if tau not in (MEAN, VARIANCE):
            raise InputError(f"tau is {tau!r}, expected 1 for means or 2 for variances")
        self.oracle, self.tau, self._bi_monotone = oracle, tau, bi_monotone

    @property
    def name(self) -> str:
        """By the number of arms."""
        return f"own model of {self.size} arms"

    @property
    def bi_monotone(self) -> bool:
        """As it was said."""
        return self._bi_monotone

    @property
    def fingerprint(self) -> dict[str, Any]:
        """The oracle, and what was said of it."""
        return {"oracle": self.oracle, "tau": self.tau, "bi_monotone": self._bi_monotone}


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
    >>> from cpe_opt.problems.separable.distributions import Bernoulli, Beta
    >>> problem = SeparableProblem(BestSet(TopK(2, 1)), [Bernoulli(0.3), Beta(2, 2)])
    >>> problem.theta.tolist()
    [0.3, 0.5]
    """

    family = "separable"

    @checked_types
    def __init__(
        self, model: SeparableModel, arms: Sequence[Distribution], *, name: str = "separable"
    ) -> None:
        if not isinstance(model, SeparableModel):
            raise InputError(f"model is {model!r}, expected a SeparableModel")
        self.model, self.arms, self.name = model, tuple(arms), name
        if len(self.arms) != model.size:
            raise InputError(f"{len(self.arms)} distributions for {model.size} arms")
        for place, arm in enumerate(self.arms):
            if not isinstance(arm, Distribution):
                raise InputError(f"arm {place} is {arm!r}, expected a Distribution")
        self.theta: FloatArray = np.array(
            [arm.mean if model.tau == MEAN else arm.variance for arm in self.arms]
        )
        self.theta.flags.writeable = False

    @classmethod
    @checked_types
    def from_csv(
        cls, path: str | os.PathLike[str], model: SeparableModel, *, name: str | None = None
    ) -> SeparableProblem:
        """Observations: a column an arm with its label for a header.

        Columns may differ in length; empty cells and further columns are left out.
        """
        from cpe_opt.problems.separable.files import read_observations

        seen = read_observations(path, model.labels)
        return cls(model, list(seen.values()), name=name or Path(path).stem)

    @classmethod
    def from_json(cls, path: str | os.PathLike[str], k: int | None = None) -> SeparableProblem:
        """Model and distributions; see :mod:`cpe_opt.problems.separable.files`."""
        from cpe_opt.problems.separable.files import read_separable

        return read_separable(path, k)

    def to_json(self, path: str | os.PathLike[str]) -> None:
        """Write the problem, readable by :meth:`from_json`."""
        from cpe_opt.problems.separable.files import write_separable

        write_separable(self, path)

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
        refuse_regret("separable rewards", regret)
        refuse_points("separable rewards", points)
        return PullRecorder(self.model.size)
