"""Problems of separable rewards: a model with the distributions of its arms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.queries import Pull
from cpe_opt.problems.recorders import PullRecorder, refuse_units
from cpe_opt.problems.separable.distributions import Distribution
from cpe_opt.problems.separable.model import MEAN, SeparableModel
from cpe_opt.validation import Name, checked_types

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
        for place, arm in enumerate(self.arms):
            if not isinstance(arm, Distribution):
                raise InputError(f"arm {place} is {arm!r}, expected a Distribution")
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
    """Answers :class:`Pull` queries by the distributions of the arms.

    Each arm has a stream of its own: its n-th observation does not depend on the other arms.
    """

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
