r"""SA-FOA: the best k of n from sums, by confidence bounds on differences.

With :math:`\hat M` best for the estimate, stop where :math:`\epsilon/2 \ge Z'_t -
\hat\theta(\hat M)`, :math:`Z'_t` an approximation of

.. math:: \max_{M \ne \hat M} \hat\theta(M) + C_t \|\chi_M - \chi_{\hat M}\|_{A^{-1}} .

The paper's: for ℓn random anchors :math:`M_i` of the support the norm is replaced by its tangent at
:math:`d_i = \|\chi_{M_i} - \chi_{\hat M}\|`, :math:`\gamma_i = C_t / 2 d_i`, which leaves the
quadratic maximisation of :math:`\gamma_i A^{-1} - \mathrm{Diag}(2 \gamma_i A^{-1} \chi_{\hat M}) +
\mathrm{Diag}(\hat\theta)`; the best of the sets found, by the true objective, gives :math:`Z'_t`
(anchors and answers equal to :math:`\hat M` are left out). (Algorithm 3 as printed empties the
collection of these sets at every anchor; it is meant to be emptied at every look.) That is a lower
bound on the maximum, so the answer is not guaranteed; a number as ``approximation_ratio`` divides
C_t.

``approximation_ratio="certified"``: an upper bound. A set with s elements outside
:math:`\hat M` differs from it by a vector of squared length 2s that adds up to 0, so

.. math:: Z'_t \le \hat\theta(\hat M) + \max_{s \ge 1} \; g_s + C_t \sqrt{2 s\,
    \lambda_{\max}(P A^{-1} P)} ,

:math:`g_s` the largest gain of estimated value by s swaps and P the projection along 1. For a
G-optimal design that is the maximum of the problem itself, up to the rounding of the allocation:
its ellipsoid is a ball there.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.design import Design
from cpe_opt.formulations.quadratic import local_search as search
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import Unproved
from cpe_opt.learners.subsets.saqm import NO_GUARANTEE, Ratio, check_unused
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
from cpe_opt.validation import ErrorProbability, NonNegative, Positive, PositiveInt

BatchMaximiser: TypeAlias = Literal["peeling", "greedy", "swap"]


@declare(
    family="subsets",
    goal="PAC",
    guarantee=(
        "a set within a margin of the best with probability at least 1 - delta; "
        "none for a number as approximation_ratio"
    ),
    paper="Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020), Algorithm 3",
    endless_if="two sets are equally good and the margin is 0",
    within="no set is better by more than {margin:g}",
)
def sa_foa(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator,
    delta: ErrorProbability = 0.05,
    margin: NonNegative = 0.0,
    noise: Positive = 1.0,
    sigma: Positive | None = None,
    design: Design | DesignName = "g",
    maximiser: BatchMaximiser | None = None,
    approximation_ratio: Ratio = "certified",
    anchors: PositiveInt | None = None,
    method: SubsetMethod | None = None,
    solver: str | None = None,
    growth: Growth = 1.01,
) -> Generator[PullSets, FloatArray, tuple[int, ...] | Unproved]:
    """Find a set within a margin of the best k of n.

    With the ratio ``"certified"`` it is wrong with probability at most delta.

    Parameters
    ----------
    decisions : TopK
    rng : Generator
        For the anchors, and the support of the design ``uniform``.
    margin, noise, sigma, design, growth
        As for :func:`cpe_opt.learners.subsets.saqm`.
    maximiser : "peeling", "greedy" or "swap", optional
        With a number as ratio; peeling is the paper's, ``swap`` the default.
    approximation_ratio : "certified" or a number above 0 and at most 1
        1 is the paper's algorithm.
    anchors : int, optional
        With a number as ratio: ℓ, there are ℓ n anchors at each look; 1 by default.
    method, solver
        As for :func:`cpe_opt.learners.subsets.icb`.

    Returns
    -------
    tuple of int
        The set.

    References
    ----------
    Kuroki, Xu, Miyauchi, Honda, Sugiyama, "Polynomial-time Algorithms for Multiple-arm
    Identification with Full-bandit Feedback", 2020, Algorithm 3.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = cpe.planted_subsets(5, 2, gap=1.0, noise=0.1, seed=0)
    >>> trace = cpe.simulate("sa-foa", bandit, noise=0.1, sigma=0.2, growth=1.1, seed=0)
    >>> trace.answer, trace.proved
    ((1, 3), True)
    """
    aim = checked_aim(decisions, margin, delta, noise, sigma)
    if not isinstance(decisions, TopK):
        raise InputError(f"sa-foa is for k of n, not for {decisions.name}; use icb or saqm")
    if approximation_ratio == "theorem":
        raise InputError("there is no theorem on the ratio of sa-foa: expected 'certified' or 1")
    divisor = 1.0 if approximation_ratio == "certified" else float(approximation_ratio)
    starts_per_element = 1 if anchors is None else anchors
    if approximation_ratio == "certified":
        check_unused("maximiser", maximiser)
        check_unused("anchors", anchors)
    oracle = SubsetOracle(decisions, method, **solver_option(solver))
    n, k = decisions.size, decisions.k

    def stop(look: LeastSquaresFit) -> bool:
        if k == n:
            return True
        radius = aim.ellipsoid_radius(look.t, decisions)
        if approximation_ratio == "certified":
            gap_bound = certified_gap_bound(look, radius)
        else:
            chosen = rng.integers(len(look.support), size=starts_per_element * n)
            starts = look.support[chosen] > 0.5
            gap_bound = first_order_gap_bound(look, radius / divisor, starts, maximiser or "swap")
        return gap_bound <= aim.margin / 2.0

    answer = yield from sample_until(oracle, design, stop, rng=rng, growth=growth, solver=solver)
    return answer if approximation_ratio == "certified" else Unproved(answer, NO_GUARANTEE)


def certified_gap_bound(look: LeastSquaresFit, radius: float) -> float:
    """No set other than the best can lead it by more than this; see the formula above."""
    inside = np.sort(look.theta[look.chi > 0.5])
    outside = -np.sort(-look.theta[look.chi < 0.5])
    most = min(len(inside), len(outside))
    gains = np.cumsum(outside[:most] - inside[:most])
    means = look.inverse.mean(axis=1)
    projected = look.inverse - means[:, None] - means[None, :] + means.mean()
    widest = max(0.0, float(np.linalg.eigvalsh(projected)[-1]))
    swaps = np.arange(1, most + 1)
    return float((gains + radius * np.sqrt(2.0 * swaps * widest)).max())


def first_order_gap_bound(
    look: LeastSquaresFit, radius: float, anchors: BoolArray, maximiser: BatchMaximiser
) -> float:
    """Z' - θ̂(M̂) by tangents at the anchors; minus infinity where only M̂ was found."""
    best = look.chi > 0.5
    distance = look.norms(anchors - look.chi)
    usable = distance > 0.0
    if not usable.any():
        return -np.inf
    gamma = radius / (2.0 * distance[usable])
    image = look.inverse @ look.chi
    linear = look.theta[None, :] - 2.0 * gamma[:, None] * image[None, :]
    k = int(best.sum())
    if maximiser == "swap":
        found = search.swap_search(look.inverse, gamma, linear, anchors[usable])
    elif maximiser == "peeling":
        found = search.peeling(look.inverse, k, gamma, linear)
    else:
        found = search.greedy(look.inverse, k, gamma, linear)
    found = found[(found != best).any(axis=1)]
    if not len(found):
        return -np.inf
    objective = found @ look.theta + radius * look.norms(found - look.chi)
    return float(objective.max()) - look.value
