r"""SAQM: the best set from sums, by confidence ellipsoids and approximate quadratic maximisation.

With :math:`\hat M_t` best for the estimate and :math:`M'_t` a set with a large
:math:`\|\chi\|_{A^{-1}}`, stop where

.. math:: \hat\theta(\hat M_t) - C_t \|\chi_{\hat M_t}\|_{A^{-1}} \ge
    \max_{M \ne \hat M_t} \hat\theta(M) + \tfrac{1}{\alpha_t} C_t \|\chi_{M'_t}\|_{A^{-1}}
    - \epsilon .

``approximation_ratio`` is what takes the place of :math:`\alpha_t`: ``"theorem"``, the guarantee of
Theorem 1 for peeling; a number, such as the 0.9 of the paper's experiments, for which nothing is
guaranteed; or ``"certified"``: the norm is replaced by a certified upper bound on the largest one,
which is tight for a G-optimal design. Theorem 1 is about the squared norm: :math:`\alpha_t` is the
root of its ratio. ``swap`` and ``ascent`` make ten starts at each look. (Algorithm 2 as printed
multiplies by C_t twice.)
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.design import Design
from cpe_opt.formulations.quadratic.bounds import spectral_bound
from cpe_opt.formulations.quadratic.maximise import ellipsoid_maximum, peeling_ratio
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle, default_method
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.subsets.static_allocation import (
    DesignName,
    Growth,
    LeastSquaresFit,
    checked_aim,
    sample_until,
)
from cpe_opt.problems.queries import PullSets
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.problems.subsets.matroids import TopK
from cpe_opt.solvers.options import solver_option
from cpe_opt.ties import on_grid
from cpe_opt.validation import ErrorProbability, NonNegative, Positive, Share

Maximiser: TypeAlias = Literal["peeling", "greedy", "swap", "ascent", "exact"]
Ratio: TypeAlias = Share | Literal["theorem", "certified"]
NO_GUARANTEE = "nothing is guaranteed with a number as approximation_ratio"
_STARTS = 10
_STEPS = 2


@declare(
    family="subsets",
    goal="PAC",
    guarantee=(
        "a set within a margin of the best with probability at least 1 - delta; "
        "none for a number as approximation_ratio"
    ),
    paper="Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020), Algorithm 2",
    endless_if="two sets are equally good and the margin is 0",
    within="no set is better by more than {margin:g}",
)
def saqm(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator,
    delta: ErrorProbability = 0.05,
    margin: NonNegative = 0.0,
    noise: Positive = 1.0,
    sigma: Positive | None = None,
    design: Design | DesignName = "g",
    maximiser: Maximiser | None = None,
    approximation_ratio: Ratio = "certified",
    method: SubsetMethod | None = None,
    solver: str | None = None,
    growth: Growth = 1.01,
) -> Generator[PullSets, FloatArray, tuple[int, ...] | Unproved]:
    """Find a set within a margin of the best with probability at least 1 - delta.

    Parameters
    ----------
    rng : Generator
        For the support of the design ``uniform`` alone.
    margin : float
        0 to find the best set itself; then it does not stop while two sets are equally good.
    noise : float
        R: the noise of an element is at most this.
    sigma : float, optional
        The reward of a set is sigma-sub-Gaussian; by default k R, as in the paper. For independent
        noise √k R suffices.
    design : Design or "g", "xy", "uniform"
        The allocation; ``uniform`` is over 2n random sets.
    maximiser : "peeling", "greedy", "swap", "ascent" or "exact", optional
        What finds a set with a large norm; peeling is the paper's. The first three are for k of n.
        By default ``swap``; with the ratio ``certified`` none, a bound on all norms at once, or
        ``exact``.
    approximation_ratio : "certified", "theorem" or a number above 0 and at most 1
    method : str, optional
        Of the linear oracle, as for :func:`cpe_opt.best_subset`: by default the algorithm of the
        class, where it has one; ``program`` solves its programs at every look.
    solver : str, optional
        Of the programs of ``method="program"``, of the integer programs of the maximiser
        ``exact``, and of the design's, as for :func:`cpe_opt.learners.subsets.icb`.
    growth : float
        Of the blocks.

    Returns
    -------
    tuple of int
        The set.

    References
    ----------
    Kuroki, Xu, Miyauchi, Honda, Sugiyama, "Polynomial-time Algorithms for Multiple-arm
    Identification with Full-bandit Feedback", 2020, Algorithm 2.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = cpe.planted_subsets(5, 2, gap=1.0, noise=0.1, seed=0)
    >>> trace = cpe.simulate("saqm", bandit, noise=0.1, sigma=0.2, growth=1.1, seed=0)
    >>> trace.answer, trace.proved
    ((1, 3), True)
    """
    aim = checked_aim(decisions, margin, delta, noise, sigma)
    exact = maximiser == "exact"
    if exact and method is None:
        method = default_method(decisions)
    for_exact_alone = exact and method != "program"
    oracle = SubsetOracle(decisions, method, **solver_option(None if for_exact_alone else solver))
    largest = LargestNorm(decisions, maximiser, approximation_ratio, solver)

    def stop(look: LeastSquaresFit) -> bool:
        radius = aim.ellipsoid_radius(look.t, decisions)
        other = oracle.maximise_other(on_grid(look.theta), look.best)
        if other is None:
            return True
        own = float(look.norms(look.chi[None, :])[0])
        rival = float(look.theta[list(other)].sum())
        return look.value - radius * own >= rival + radius * largest(look) - aim.margin

    answer = yield from sample_until(oracle, design, stop, rng=rng, growth=growth, solver=solver)
    return answer if isinstance(approximation_ratio, str) else Unproved(answer, NO_GUARANTEE)


class LargestNorm:
    """The norm of the worst set, or what stands for it."""

    def __init__(
        self,
        decisions: DecisionClass,
        maximiser: Maximiser | None,
        ratio: Ratio,
        solver: str | None = None,
    ) -> None:
        if ratio == "certified":
            check_unused("maximiser", None if maximiser == "exact" else maximiser)
        else:
            maximiser = maximiser or "swap"
        if ratio == "theorem" and (
            maximiser != "peeling" or not isinstance(decisions, TopK) or decisions.k < 2
        ):
            raise InputError(
                "approximation_ratio 'theorem' is that of the maximiser 'peeling' for k of n with "
                f"k at least 2; the maximiser is {maximiser!r}, the sets are {decisions.name}"
            )
        if not isinstance(decisions, TopK) and maximiser in ("peeling", "greedy", "swap"):
            raise InputError(
                f"maximiser {maximiser!r} is for k of n; for {decisions.name} use 'ascent' or "
                "'exact'"
            )
        self._decisions, self._maximiser, self._ratio = decisions, maximiser, ratio
        self._solving = solver_option(solver if maximiser == "exact" else None)
        self._bounds = {size: np.zeros(decisions.size) for size in decisions.sizes}
        self._last = 1

    def __call__(self, look: LeastSquaresFit) -> float:
        """At a look."""
        if self._maximiser is None:
            return math.sqrt(max(0.0, self._bound(look)))
        starts = _STARTS if self._maximiser in ("swap", "ascent") else None
        found = ellipsoid_maximum(
            self._decisions, look.inverse, self._maximiser, starts=starts, **self._solving
        )
        if self._ratio == "certified":
            return math.sqrt(found.bound)
        norm = math.sqrt(max(0.0, found.value))
        if self._ratio == "theorem":
            return norm / math.sqrt(peeling_ratio(look.inverse, self._decisions.rank))
        return norm / float(self._ratio)

    def _bound(self, look: LeastSquaresFit) -> float:
        """A certified bound on the squared norm; its δ is handed on, as A⁻¹ shrinks like 1/t."""
        zero, shrunk = np.zeros(self._decisions.size), self._last / look.t
        largest = 0.0
        for size, shift in self._bounds.items():
            bound = spectral_bound(look.inverse, size, zero, steps=_STEPS, shift=shift * shrunk)
            self._bounds[size] = bound.shift
            largest = max(largest, bound.value)
        self._last = look.t
        return largest


def check_unused(name: str, value: object) -> None:
    """Raise :class:`InputError` if an argument is given that ``"certified"`` does not use."""
    if value is not None:
        raise InputError(
            f"{name} is {value!r}, which has no effect with approximation_ratio 'certified', a "
            "bound on all sets at once: leave it out, or give a number as approximation_ratio"
        )
