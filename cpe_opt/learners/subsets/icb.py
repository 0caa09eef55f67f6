r"""ICB: the best set of any decision class from sums, by bounds on the elements one by one.

With :math:`\hat M` best for the estimate, stop where

.. math:: \max_{M \ne \hat M} \hat\theta(M) + C_t \sum_i |\chi_M(i) - \chi_{\hat M}(i)|
    \sqrt{A^{-1}_{ii}} - \hat\theta(\hat M) < \epsilon, \qquad
    C_t = \sigma \sqrt{2 \ln(6 t^2 n / \pi^2 \delta)} .

The maximum is linear in :math:`\chi_M`: one call of the linear oracle, or as many as
:math:`\hat M` has elements where it answers :math:`\hat M` itself.

That :math:`C_t` is Lemma 1's, for single elements. Algorithm 4 itself only says :math:`C_t`, which
may also be read as the larger radius of Proposition 1, for whole sets
(:mod:`cpe_opt.learners.subsets.static_allocation`): from four elements on the guarantee holds with
either. (Lemma 1's constant is too small for all t ≥ 1 together: they leave errors of :math:`\pi^2
\delta / 3 t^2` each. For the looks that are taken here, t ≥ n, these add up to less than δ wherever
n is at least 4; with fewer elements only the larger radius proves an answer.)
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.designs.design import Design
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
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
from cpe_opt.solvers.options import solver_option
from cpe_opt.ties import on_grid
from cpe_opt.validation import ErrorProbability, NonNegative, Positive

RadiusName: TypeAlias = Literal["elements", "sets"]
_ENOUGH_ELEMENTS = 4
_TOO_FEW = (
    "with fewer than 4 elements the errors of the radius 'elements' may add up to more than delta; "
    "those of 'sets' do not"
)


@declare(
    family="subsets",
    goal="PAC",
    guarantee="a set within a margin of the best with probability at least 1 - delta",
    paper="Kuroki, Xu, Miyauchi, Honda, Sugiyama (2020), Algorithm 4",
    endless_if="two sets are equally good and the margin is 0",
    within="no set is better by more than {margin:g}",
)
def icb(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator,
    delta: ErrorProbability = 0.05,
    margin: NonNegative = 0.0,
    noise: Positive = 1.0,
    sigma: Positive | None = None,
    design: Design | DesignName = "g",
    method: SubsetMethod | None = None,
    solver: str | None = None,
    growth: Growth = 1.01,
    radius: RadiusName = "elements",
) -> Generator[PullSets, FloatArray, tuple[int, ...] | Unproved]:
    """Find a set within a margin of the best with probability at least 1 - delta.

    Parameters
    ----------
    margin, noise, sigma, design, growth
        As for :func:`cpe_opt.learners.subsets.saqm`.
    method, solver : str, optional
        Of the linear oracle, as for :func:`cpe_opt.best_subset`: by default the algorithm of the
        class, where it has one; ``method="program"``, the default with a solver, solves its
        program at every look. The solver is for the programs of the design ``g`` or ``xy``, too,
        if it solves such ones: linear for k of n, integer for classes that cannot be listed.
    radius : "elements" or "sets"
        C_t of Lemma 1, or the larger one of Proposition 1. With fewer than 4 elements the answer
        with ``elements`` is not proved.

    Returns
    -------
    tuple of int
        The set.

    References
    ----------
    Kuroki, Xu, Miyauchi, Honda, Sugiyama, "Polynomial-time Algorithms for Multiple-arm
    Identification with Full-bandit Feedback", 2020, Algorithm 4.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = cpe.planted_subsets(5, 2, gap=1.0, noise=0.1, seed=0)
    >>> trace = cpe.simulate("icb", bandit, noise=0.1, sigma=0.2, growth=1.1, seed=0)
    >>> trace.answer, trace.proved
    ((1, 3), True)
    """
    aim = checked_aim(decisions, margin, delta, noise, sigma)
    oracle = SubsetOracle(decisions, method, **solver_option(solver))

    def stop(look: LeastSquaresFit) -> bool:
        if radius == "sets":
            c_t = aim.ellipsoid_radius(look.t, decisions)
        else:
            c_t = aim.element_radius(look.t, decisions.size)
        gap_bound = largest_gap_bound(look, c_t, oracle)
        return gap_bound < aim.margin or gap_bound == -np.inf

    answer = yield from sample_until(oracle, design, stop, rng=rng, growth=growth, solver=solver)
    proved = radius == "sets" or decisions.size >= _ENOUGH_ELEMENTS
    if proved or oracle.maximise_other(np.zeros(decisions.size), answer) is None:
        return answer
    return Unproved(answer, _TOO_FEW)


def largest_gap_bound(look: LeastSquaresFit, radius: float, oracle: SubsetOracle) -> float:
    """By how much another set may lead the best one; minus infinity where there is no other."""
    width = radius * np.sqrt(np.maximum(0.0, np.diag(look.inverse)))
    weights = look.theta + np.where(look.chi > 0.5, -width, width)
    rival = oracle.maximise(on_grid(weights))
    if rival == look.best:
        rival = oracle.maximise_other(on_grid(weights), look.best)
    if rival is None:
        return -np.inf
    return float(weights[list(rival)].sum() - weights[list(look.best)].sum())
