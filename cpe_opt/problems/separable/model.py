r"""Separable rewards: arms with unknown parameters, and the decision that is best for them.

A decision :math:`y \in \mathcal Y \subset \mathbb R^m` earns
:math:`\sum_i r_i(\theta_i, y_i)`, where :math:`\theta_i \in [0, 1]` is the mean (τ = 1) or the
variance (τ = 2) of arm i. A *model* is what a learner may know: the rewards and decisions, not θ.
The oracle φ(θ) is the leading, that is, the lexicographically first, optimal decision; it is in
:mod:`cpe_opt.formulations.separable.oracle`.

φ is *bi-monotone* where :math:`\phi_i` is monotone one way in :math:`\theta_i` and the other way in
every other :math:`\theta_j`.

Huang, Ok, Li, Chen, "Combinatorial Pure Exploration with Continuous and Separable Reward Functions
and Its Applications", IJCAI 2018.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.problems.pairs import in_order_of
from cpe_opt.validation import (
    MOST_THINGS,
    Labels,
    PositiveInt,
    Size,
    checked_count,
    checked_labels,
    checked_types,
)

MEAN, VARIANCE = 1, 2


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
        self.size = checked_count("the number of arms", size, most=MOST_THINGS)
        self.labels = checked_labels(labels, self.size)

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
        """What tells the model from any other of its class, where runs are kept."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    def describe(self, decision: Sequence[float]) -> str:
        """A decision by the arms' labels."""
        pairs = zip(self.labels, decision, strict=True)
        return ", ".join(f"{label}: {amount:g}" for label, amount in pairs if amount)


@runtime_checkable
class SetsOfArms(Protocol):
    """What :class:`BestSet` needs of a decision class; :class:`cpe_opt.DecisionClass` has it."""

    size: int
    labels: tuple[str, ...]

    @property
    def name(self) -> str:
        """For tables."""

    @property
    def uniform_rank(self) -> int | None:
        """The k, or None."""

    @property
    def fingerprint(self) -> dict[str, Any]:
        """What tells the class from any other."""


class BestSet(SeparableModel):
    """A set of a decision class with the largest sum of means; decisions are indicators.

    Parameters
    ----------
    decisions : DecisionClass
        ``TopK(m, k)`` for the best k arms, where φ is bi-monotone; ``TopK(m, 1)`` for the best arm.
    """

    def __init__(self, decisions: SetsOfArms) -> None:
        if not isinstance(decisions, SetsOfArms):
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
        return self.decisions.uniform_rank is not None

    @property
    def fingerprint(self) -> dict[str, Any]:
        """That of the class."""
        return {"best": self.decisions.fingerprint}


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
        self, sizes: Sequence[PositiveInt], budget: PositiveInt, labels: Labels | None = None
    ) -> None:
        super().__init__(len(sizes), labels)
        ordered = in_order_of("sizes", sizes, self.labels)
        self.sizes = tuple(map(int, ordered))
        self.budget = int(budget)
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
    """A model with an oracle of your own.

    Parameters
    ----------
    size : int
        m.
    oracle : callable
        φ: takes θ, shape (m,), returns the leading optimal decision, shape (m,).
    bi_monotone : bool
        Whether φ is; :func:`cpe_opt.formulations.separable.oracle.find_bi_monotone_violation` looks
        for a counterexample.
    tau : int
        1 for means, 2 for variances.
    labels : sequence of str, optional
    """

    @checked_types
    def __init__(
        self,
        size: Size,
        oracle: Callable[[FloatArray], FloatArray],
        *,
        bi_monotone: bool,
        tau: int = MEAN,
        labels: Labels | None = None,
    ) -> None:
        super().__init__(size, labels)
        if tau not in (MEAN, VARIANCE):
            raise InputError(f"tau is {tau!r}, expected 1 for means or 2 for variances")
        self.oracle, self.tau, self._bi_monotone = oracle, tau, bi_monotone

    @property
    def name(self) -> str:
        """A name with the number of arms."""
        return f"own model of {self.size} arms"

    @property
    def bi_monotone(self) -> bool:
        """What the caller declared."""
        return self._bi_monotone

    @property
    def fingerprint(self) -> dict[str, Any]:
        """The oracle, and what was said of it."""
        return {"oracle": self.oracle, "tau": self.tau, "bi_monotone": self._bi_monotone}
