r"""Full-bandit problems: sets are pulled, and only the sum of their elements' rewards is seen.

Element e has the mean reward θ(e); pulling a set M shows :math:`\sum_{e \in M} (\theta(e) +
\epsilon(e))` with noise that is either normal and independent, or that of a table of outcomes: a
pull draws one of its rows and shows the sum of the entries of M.

Kuroki, Xu, Miyauchi, Honda, Sugiyama, "Polynomial-time Algorithms for Multiple-arm Identification
with Full-bandit Feedback", 2020.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, checked_array
from cpe_opt.errors import InputError
from cpe_opt.problems.recorders import PullRecorder, refuse_points, refuse_regret
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.environment import PullEnvironment
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.validation import checked_count, checked_finite, checked_number, checked_types


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
        theta: npt.ArrayLike,
        *,
        noise: float = 1.0,
        outcomes: npt.ArrayLike | None = None,
        name: str = "subsets",
    ) -> None:
        if not isinstance(decisions, DecisionClass):
            raise InputError(f"decisions is {decisions!r}, expected a DecisionClass")
        self.decisions, self.name = decisions, name
        self.theta = _numbers(theta, (decisions.size,), "theta", decisions.labels)
        self.noise = checked_finite("noise", noise, least=0.0)
        self.outcomes: FloatArray | None = None
        if outcomes is not None:
            rows = len(np.atleast_1d(checked_array("outcomes", outcomes)))
            self.outcomes = _numbers(outcomes, (rows, decisions.size), "outcomes", ())
            if not rows or np.abs(self.outcomes.mean(axis=0) - self.theta).max() > 1e-9:
                raise InputError("outcomes: expected rows whose column means are theta")

    @classmethod
    @checked_types
    def from_outcomes(
        cls,
        outcomes: npt.ArrayLike,
        decisions: int | DecisionClass,
        *,
        labels: Sequence[str] | None = None,
        name: str = "outcomes",
    ) -> SubsetBandit:
        """A table of rewards, tasks × elements; ``decisions`` may be k, for all sets of k."""
        table = checked_array("outcomes", outcomes)
        if table.ndim != 2 or 0 in table.shape:
            raise InputError(f"outcomes have shape {table.shape}, expected (tasks, elements)")
        chosen = (
            decisions
            if isinstance(decisions, DecisionClass)
            else TopK(table.shape[1], decisions, labels)
        )
        return cls(chosen, table.mean(axis=0), noise=0.0, outcomes=table, name=name)

    @classmethod
    def from_crowdsourcing(
        cls, folder: str | os.PathLike[str], k: int, *, name: str | None = None
    ) -> SubsetBandit:
        """Answers of workers and the truth; see :mod:`cpe_opt.problems.subsets.crowdsourcing`."""
        from cpe_opt.problems.subsets.crowdsourcing import read_crowdsourcing

        return read_crowdsourcing(folder, k, name=name)

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
        refuse_regret("sets", regret)
        refuse_points("sets", points)
        return PullRecorder(self.decisions.size)

    @checked_types
    def value(self, chosen: Iterable[int]) -> float:
        """θ(M), the mean reward of a set."""
        return float(self.theta[list(self.decisions.check(chosen))].sum())


@checked_types
def planted_subsets(
    size: int,
    k: int,
    *,
    gap: float = 0.1,
    noise: float = 1.0,
    seed: int = 0,
    name: str | None = None,
) -> SubsetBandit:
    """The synthetic instances of the paper: the best k of n, with a chosen gap.

    The means of the top k are uniform in [0, 1], the next is the least of these less ``gap``, the
    rest uniform between -1 and that; elements are in random order.

    Parameters
    ----------
    size, k : int
        n, and how many to find; k below n.
    gap : float
        Above 0 and at most 1: the difference between the best and the second-best set.
    noise : float
        Standard deviation of an element's noise.
    seed : int
    name : str, optional

    Raises
    ------
    InputError
    """
    checked_count("size", size, least=2)
    checked_count("k", k)
    checked_count("seed", seed, least=0)
    if k >= size:
        raise InputError(f"k is {k}, expected less than the number of elements, {size}")
    if not 0.0 < checked_number("gap", gap, above=0.0) <= 1.0:
        raise InputError(f"gap is {gap}, expected a number above 0 and at most 1")
    rng = np.random.default_rng(seed)
    top = rng.uniform(0.0, 1.0, k)
    following = float(top.min()) - gap
    rest = rng.uniform(-1.0, following, size - k - 1)
    theta = rng.permutation(np.concatenate([top, [following], rest]))
    name = name or f"planted-{size}-{k}-{gap:g}-{seed}"
    return SubsetBandit(TopK(size, k), theta, noise=noise, name=name)


def _numbers(
    values: npt.ArrayLike, shape: tuple[int, ...], what: str, labels: Sequence[str]
) -> FloatArray:
    """A read-only float array of this shape, or :class:`InputError`."""
    array = checked_array(what, values)
    if array.shape != shape:
        raise InputError(f"{what} has shape {array.shape}, expected {shape}")
    if not np.isfinite(array).all():
        place = tuple(int(index[0]) for index in np.nonzero(~np.isfinite(array)))
        who = f" ({labels[place[0]]})" if labels else ""
        raise InputError(f"{what}{list(place)}{who} is {array[place]}, expected a finite number")
    array.flags.writeable = False
    return array
