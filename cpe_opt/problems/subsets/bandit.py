r"""Full-bandit problems: sets are pulled, and only the sum of their elements' rewards is seen.

Element e has the mean reward θ(e); pulling a set M shows :math:`\sum_{e \in M} (\theta(e) +
\epsilon(e))` with noise that is either normal and independent, or that of a table of outcomes: a
pull draws one of its rows and shows the sum of the entries of M.

Kuroki, Xu, Miyauchi, Honda, Sugiyama, "Polynomial-time Algorithms for Multiple-arm Identification
with Full-bandit Feedback", 2020.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Literal, Self

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray, checked_array, checked_shape
from cpe_opt.errors import InputError
from cpe_opt.problems.environments import PullRecorder, refuse_units
from cpe_opt.problems.pairs import in_order_of
from cpe_opt.problems.queries import Pull, PullSets
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.validation import (
    Labels,
    Name,
    NonNegative,
    Numbers,
    NumbersOrTruths,
    PositiveInt,
    checked_types,
)

_checked_outcomes = partial(checked_array, booleans=True)


class SubsetBandit:
    """A decision class with the rewards of its elements.

    Parameters
    ----------
    decisions : DecisionClass
    theta : array_like, shape (n,)
        Mean rewards.
    noise : float
        The standard deviation of an element's normal noise, 0 or more.
    outcomes : array_like, shape (tasks, n), optional
        A table of rewards: a pull draws a row uniformly. Its column means must be ``theta``.
    name : str

    Examples
    --------
    >>> bandit = SubsetBandit(TopK(3, 2), [0.9, 0.2, 0.5])
    >>> bandit.value((0, 2))
    1.4
    """

    family = "subsets"

    @checked_types
    def __init__(
        self,
        decisions: DecisionClass,
        theta: Numbers,
        *,
        noise: NonNegative = 1.0,
        outcomes: NumbersOrTruths | None = None,
        name: Name = "subsets",
    ) -> None:
        self.decisions, self.name = decisions, str(name)
        theta = in_order_of("theta", theta, decisions.labels)
        self.theta = checked_shape("theta", theta, (decisions.size,), finite=True)
        self.theta.flags.writeable = False
        self.noise = float(noise)
        if math.isinf(self.noise * self.noise):
            raise InputError(f"noise is {noise}, expected a number whose square is finite")
        self.outcomes: FloatArray | None = None
        if outcomes is not None:
            table = _checked_outcomes("outcomes", in_order_of("outcomes", outcomes, self.labels))
            rows = len(np.atleast_1d(table))
            self.outcomes = checked_shape("outcomes", table, (rows, decisions.size), finite=True)
            self.outcomes.flags.writeable = False
            if not rows or np.abs(self.outcomes.mean(axis=0) - self.theta).max() > 1e-9:
                raise InputError("outcomes: expected rows whose column means are theta")

    @classmethod
    @checked_types
    def from_outcomes(
        cls,
        outcomes: NumbersOrTruths,
        decisions: PositiveInt | DecisionClass,
        *,
        labels: Labels | None = None,
        name: Name = "outcomes",
    ) -> Self:
        """A table of rewards, tasks × elements.

        Parameters
        ----------
        outcomes : array_like or data frame, shape (tasks, n)
            Numbers or truth values. Where the header of a data frame has labels, they are those of
            the elements, in any order if ``decisions`` or ``labels`` name them too.
        decisions : int or DecisionClass
            The sets; k for all sets of k elements.
        labels : sequence of str, optional
            Of the elements, where ``decisions`` is k.
        name : str

        Examples
        --------
        >>> import pandas as pd
        >>> answers = pd.DataFrame({"ann": [True, True], "bob": [False, True]})
        >>> bandit = SubsetBandit.from_outcomes(answers, 1)
        >>> bandit.labels, bandit.theta.tolist()
        (('ann', 'bob'), [1.0, 0.5])
        """
        shape = np.shape(_checked_outcomes("outcomes", outcomes))
        if len(shape) != 2 or 0 in shape:
            raise InputError(f"outcomes have shape {shape}, expected (tasks, elements)")
        if isinstance(decisions, DecisionClass):
            if labels is not None:
                raise InputError("labels were given, and the elements of decisions have their own")
        else:
            header = list(getattr(outcomes, "columns", range(shape[1])))
            named = header != list(range(shape[1]))
            own = [str(label) for label in header] if named and labels is None else labels
            decisions = TopK(shape[1], decisions, own)
        table = _checked_outcomes("outcomes", in_order_of("outcomes", outcomes, decisions.labels))
        return cls(decisions, table.mean(axis=0), noise=0.0, outcomes=table, name=name)

    def __repr__(self) -> str:
        return f"SubsetBandit({self.name!r}, {self.decisions!r})"

    @property
    def known(self) -> DecisionClass:
        """What a learner may know of the problem: the decision class."""
        return self.decisions

    @property
    def labels(self) -> tuple[str, ...]:
        """Those of the elements."""
        return self.decisions.labels

    @property
    def fingerprint(self) -> tuple[DecisionClass, FloatArray, float, FloatArray | None]:
        """The class, mean rewards, noise and outcomes."""
        return self.decisions, self.theta, self.noise, self.outcomes

    def environment(self, rng: np.random.Generator) -> PullEnvironment:
        """Simulated pulls."""
        return PullEnvironment(
            self.decisions, self.theta, rng, noise=self.noise, outcomes=self.outcomes
        )

    def recorder(
        self, *, horizon: int | None = None, regret: str | None = None, points: int | None = None
    ) -> PullRecorder:
        """Counts pulls; there is no regret; see :class:`cpe_opt.Problem`."""
        refuse_units("sets", regret, points)
        return PullRecorder(self.decisions.size)

    def noise_of(self, feedback: Literal["single", "sums"]) -> float:
        """The standard deviation of the noise of an observation, of elements or sets the largest.

        Of sums of a table of outcomes it is not looked up, and 0.
        """
        if self.outcomes is not None:
            return float(self.outcomes.std(axis=0).max()) if feedback == "single" else 0.0
        return self.noise * (1.0 if feedback == "single" else math.sqrt(self.decisions.rank))

    @checked_types
    def value(self, chosen: Iterable[int]) -> float:
        """θ(M), the mean reward of a set."""
        return float(self.theta[list(self.decisions.check(chosen))].sum())


class PullEnvironment:
    """Answers :class:`PullSets` and :class:`Pull` queries by the rewards of a problem."""

    def __init__(
        self,
        decisions: DecisionClass,
        theta: FloatArray,
        rng: np.random.Generator,
        *,
        noise: float,
        outcomes: FloatArray | None = None,
    ) -> None:
        self._decisions, self._theta, self._rng = decisions, theta, rng
        self._noise, self._outcomes = noise, outcomes
        self._sets: tuple[tuple[int, ...], ...] = ()
        self._vectors: FloatArray = np.zeros((0, decisions.size))

    def check(self, query: object) -> PullSets | Pull:
        """The query, or :class:`InputError` if it is not a legal one."""
        if isinstance(query, Pull):
            if not (0 <= query.arm < self._decisions.size and query.times >= 1):
                raise InputError(f"the learner asked {query!r}, no pull of an element")
            return query
        if not isinstance(query, PullSets):
            raise InputError(f"this problem answers PullSets and Pull, the learner asked {query!r}")
        if len(query.times) != len(query.sets) or min(query.times) < 0 or query.rounds < 1:
            raise InputError(
                f"the learner asked for {query.rounds} pulls of {len(query.sets)} sets: expected a "
                "number for each, at least 1 in all"
            )
        if query.sets is not self._sets:
            for members in query.sets:
                self._check_set(members)
            self._sets = query.sets
            self._vectors = indicators(query.sets, self._decisions.size)
        return query

    def _check_set(self, members: Iterable[int]) -> None:
        try:
            self._decisions.check(members)
        except InputError as error:
            raise InputError(f"the learner asked for pulls of {members!r}: {error}") from None

    def answer(self, query: PullSets | Pull) -> FloatArray:
        """The sums of rewards of the sets, or the rewards of an element one by one."""
        if isinstance(query, Pull):
            vector = indicators([(query.arm,)], self._decisions.size)
            return self._sums(np.repeat(vector, query.times, axis=0), np.ones(query.times, int))
        times = np.array(query.times)
        asked = np.flatnonzero(times)
        sums = np.zeros(len(times))
        sums[asked] = self._sums(self._vectors[asked], times[asked])
        return sums

    def _sums(self, vectors: FloatArray, times: IntArray) -> FloatArray:
        outcomes = self._outcomes
        if outcomes is None:
            spread = self._noise * np.sqrt(vectors.sum(axis=1) * times)
            # No product of matrices: its last bits depend on the machine.
            means = (vectors * self._theta).sum(axis=1)
            return np.asarray(times * means + spread * self._rng.normal(size=len(times)))
        shares = np.full(len(outcomes), 1.0 / len(outcomes))
        drawn = self._rng.multinomial(times, shares)
        return np.asarray((drawn * (vectors @ outcomes.T)).sum(axis=1))
