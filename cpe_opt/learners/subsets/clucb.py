r"""CLUCB: the best set of a decision class, by the confidence bounds of its elements.

After one pull of each element, in every round: :math:`M_t` is best for the means :math:`\bar w`,
:math:`\tilde M_t` for :math:`\tilde w`, which takes the radius away inside :math:`M_t` and adds it
outside. Where :math:`\tilde M_t` is no better than :math:`M_t` under :math:`\tilde w`, nothing
within the bounds beats :math:`M_t`; else the element of their symmetric difference with the largest
radius is pulled. "No better" is tested within 1e-9 of the largest bound, the oracle sees weights on
the grid of :mod:`cpe_opt.ties`, and of several elements with the largest radius the first is
pulled.

.. math:: rad_t(e) = R \sqrt{2 \ln(4 m t^3 / \delta) / T(e)}
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any, NamedTuple

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.formulations.subsets.alternatives import LeadingSet, best_on_grid
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached, pull_each_once
from cpe_opt.problems.queries import Batch, Pull
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.solvers.options import solver_option
from cpe_opt.validation import ErrorProbability, Positive

_TIE = 1e-9


class Comparison(NamedTuple):
    """The best set for the means against the best one under the bounds, in one round."""

    best: tuple[int, ...]  # M_t
    excess: float  # by how much the best set under the bounds beats M_t under them, at least 0
    largest: float  # the largest of the bounds, their signs apart
    # The element of the symmetric difference with the largest radius; -1 if it is empty.
    widest: int

    @property
    def certain(self) -> bool:
        """Whether nothing beats M_t under the bounds, in whatever unit rewards are measured."""
        return self.excess <= _TIE * self.largest


class ElementMeans:
    """Means of the elements, and what their bounds leave open."""

    def __init__(self, oracle: SubsetOracle) -> None:
        self._oracle = oracle
        size = oracle.size
        self._total = [0.0] * size
        self._pulls = [0] * size
        self.mean: FloatArray = np.zeros(size)
        self._inverse: FloatArray = np.zeros(size)  # 1 / T, 0 before the first pull
        self._new: BoolArray = np.ones(size, np.bool_)
        self.complete = False
        self._leading = LeadingSet(oracle, self.mean)
        self._pair = _Pair((), (), size)

    def add(self, element: int, reward: float) -> None:
        """Count one reward."""
        self._total[element] += reward
        self._pulls[element] += 1
        self._leading.change(element, self._total[element] / self._pulls[element])
        self._inverse[element] = 1.0 / self._pulls[element]
        if self._pulls[element] == 1:
            self._new[element] = False
            self.complete = not self._new.any()

    def compare(self, scale: float, *, extra: float = 0.0, unknown: float = 1.0) -> Comparison:
        """Compare M_t with the best set under the bounds.

        ``scale`` is T(e) times the squared radius of an element e, ``unknown`` the radius of one
        without a pull; ``extra`` is added to every radius in the bounds.
        """
        radius = np.sqrt(scale * self._inverse)
        if not self.complete:
            radius[self._new] = unknown
        best = self.best()
        if best != self._pair.best:
            self._pair = _Pair(best, (), len(radius))
        bounds = self.mean + radius + extra
        bounds -= self._pair.twice_best * (radius + extra)
        largest = float(np.maximum.reduce(np.abs(bounds)))
        rival = best_on_grid(self._oracle, bounds, largest)
        if rival != self._pair.rival:
            self._pair = _Pair(best, rival, len(radius))
        return self._pair.comparison(bounds, radius, largest)

    def best(self) -> tuple[int, ...]:
        """M_t, best for the means; 0 is that of an element without a pull."""
        return self._leading.best()


class _Pair:
    """M_t and the best set under the bounds, the same for some rounds."""

    def __init__(self, best: tuple[int, ...], rival: tuple[int, ...], size: int) -> None:
        self.best, self.rival = best, rival
        self._inside = np.array(best, dtype=np.intp)
        self._other = np.array(rival, dtype=np.intp)
        self.twice_best = np.zeros(size)
        self.twice_best[self._inside] = 2.0
        self._different = np.array(sorted(set(best) ^ set(rival)), dtype=np.intp)

    def comparison(self, bounds: FloatArray, radius: FloatArray, largest: float) -> Comparison:
        excess = float(np.add.reduce(bounds[self._other]) - np.add.reduce(bounds[self._inside]))
        widest = -1
        if self._different.size:
            widest = int(self._different[radius[self._different].argmax()])
        return Comparison(self.best, max(0.0, excess), largest, widest)


@declare(
    family="subsets",
    goal="identification",
    guarantee="the best set with probability at least 1 - delta",
    paper="Chen, Lin, King, Lyu, Chen (NIPS 2014), Algorithm 1",
    endless_if="two sets are equally good",
    batches="the first pull of every element; then one query at a time",
)
def clucb(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator | None = None,
    delta: ErrorProbability = 0.05,
    noise: Positive = 0.5,
    method: SubsetMethod | None = None,
    solver: str | None = None,
) -> Generator[Pull | Batch, Any, tuple[int, ...]]:
    """Find the best set of a decision class with probability at least 1 - delta.

    Parameters
    ----------
    decisions : DecisionClass
        Such as :class:`cpe_opt.TopK` or :class:`cpe_opt.Matchings`.
    noise : float
        R: rewards are R-sub-Gaussian; ½ for rewards in [0, 1].
    method, solver : str, optional
        Of the linear oracle, as for :func:`cpe_opt.best_subset`: by default the algorithm of the
        class, where it has one; ``method="program"`` solves its program, twice a round.

    Returns
    -------
    tuple of int
        The set; where the rounds end before it is certain, the best one for the means.

    References
    ----------
    Chen, Lin, King, Lyu, Chen, "Combinatorial Pure Exploration of Multi-Armed Bandits", NIPS 2014,
    Algorithm 1.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = cpe.planted_subsets(5, 2, gap=1.0, noise=0.1, seed=0)
    >>> trace = cpe.simulate("clucb", bandit, noise=0.1, seed=0)
    >>> trace.answer, trace.proved
    ((1, 3), True)
    """
    means = ElementMeans(SubsetOracle(decisions, method, **solver_option(solver)))
    try:
        yield from pull_each_once(decisions.size, means.add)
        t = decisions.size
        while True:
            log = math.log(4.0 * decisions.size * t**3) - math.log(delta)
            scale = 2.0 * noise**2 * log  # T(e) times rad_t(e) squared
            seen = means.compare(scale)
            if seen.certain:
                return seen.best
            means.add(seen.widest, float((yield Pull(seen.widest))[0]))
            t += 1
    except HorizonReached:
        return means.best()
