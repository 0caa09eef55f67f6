r"""RAGE: the best set from sums, by designs for the differences that are left, phase by phase.

Z is the class, as indicators z, and :math:`Z_1 = Z`. In phase t, with :math:`\delta_t = \delta /
t^2` and an optimal design :math:`\lambda_t` for the differences of sets that are left,

.. math:: \rho_t = \min_\lambda \max_{z, z' \in Z_t} \|z - z'\|^2_{A(\lambda)^{-1}}, \qquad
    A(\lambda) = \sum_{z \in Z} \lambda_z z z^\top ,

so many sets are pulled, any of Z, in whole numbers that lose a factor 1 + ε at most:

.. math:: N_t = \max\Bigl\{ \Bigl\lceil 8 \sigma^2 \bigl(2^{t+1} / u\bigr)^2 \rho_t (1 + \epsilon)
    \ln \frac{|Z|^2}{\delta_t} \Bigr\rceil,\ r(\epsilon) \Bigr\} .

From these pulls alone comes the least squares estimate, and a set is left out where another one
that is left leads it by :math:`u\, 2^{-(t+2)}`. What remains when one set is left is the answer.

**Why.** :math:`w_t(y) = \sigma \|y\|_{A^{-1}} \sqrt{2 \ln(|Z|^2 / \delta_t)}`, A now with the
numbers of pulls, is at most :math:`u\, 2^{-(t+2)}` by the choice of :math:`N_t`. The best set goes
only where another one is overestimated against it by more than that, which has a probability of at
most :math:`(|Z| - 1)\, \delta_t / |Z|^2 \le \delta_t / 4` in phase t, and of less than δ in all. A
lead that is short of its margin by a billionth counts (:func:`led`): by then that multiplies
:math:`\delta_t / 4` by less than :math:`1 + 10^{-6}`.

Readings where the paper, its appendix and its authors' programs leave a choice:

- its noise is 1-sub-Gaussian and its gaps are at most 2: σ and the unit u of gaps (1) are factors
  here. The authors' experiments begin with larger steps, those of u = 4;
- ``elimination="width"`` leaves out by :math:`w_t` of each difference itself instead of the one
  number that bounds them all, which is the default of the authors' program and never later;
- :math:`r(\epsilon)` is twice the size of the design's support over ε, as in their program: enough
  for the rounding of :func:`~cpe_opt.formulations.designs.design.efficient_rounding`, whose loss
  is at most N / (N - s) with a support of s (Pukelsheim, 1993, chapter 12);
- :math:`\sum_t \delta / t^2` is more than δ: the errors that leave out the best set are few enough
  for that not to matter (above), so that :math:`\delta_t` is as printed;
- :math:`\rho_t` is the value of the very design that is pulled, at most 3 % above the least:
  :mod:`cpe_opt.formulations.designs.transductive`.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from itertools import count
from typing import Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.design import efficient_rounding
from cpe_opt.formulations.designs.transductive import (
    TransductiveDesigns,
    TransductiveMethod,
    span_inverse,
)
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.learners.subsets.static_allocation import checked_aim
from cpe_opt.problems.queries import PullSets
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.solvers.options import solver_option
from cpe_opt.ties import TIE, first_largest
from cpe_opt.validation import ErrorProbability, Positive, Share

Elimination: TypeAlias = Literal["gap", "width"]
MOST_SETS = 1000
"""Classes with more sets are refused: a phase goes through all pairs."""


@declare(
    family="subsets",
    goal="identification",
    guarantee="the best set with probability at least 1 - delta; pulls within logarithms of the "
    "least number",
    paper="Fiez, Jain, Jamieson, Ratliff (NeurIPS 2019), Algorithm 1",
    endless_if="two sets are equally good",
)
def rage(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator | None = None,
    delta: ErrorProbability = 0.05,
    noise: Positive = 1.0,
    sigma: Positive | None = None,
    unit: Positive = 1.0,
    rounding: Share = 0.1,
    elimination: Elimination = "gap",
    method: TransductiveMethod = "multiplicative",
    solver: str | None = None,
) -> Generator[PullSets, FloatArray, tuple[int, ...]]:
    """Find the best set of a decision class from sums with probability at least 1 - delta.

    Parameters
    ----------
    decisions : DecisionClass
        Of at most 1,000 sets: the designs are for all their differences.
    noise, sigma
        As for :func:`cpe_opt.learners.subsets.saqm`.
    unit : float
        u, above 0, in the unit of rewards: phase t tells gaps of u / 2^(t+1) for certain. One far
        above the gaps costs phases, one far below them pulls.
    rounding : float
        ε, above 0 and at most 1.
    elimination : "gap" or "width"
        By one number for all differences, or by the width of each.
    method : "multiplicative" or "cvxpy"
        Of the designs, as for :func:`cpe_opt.xy_design`.
    solver : str, optional
        Of ``cvxpy``; ``clarabel`` by default.

    Returns
    -------
    tuple of int
        The set; where the rounds end before it is certain, the best one that is left for the last
        estimate.

    References
    ----------
    Fiez, Jain, Jamieson, Ratliff, "Sequential Experimental Design for Transductive Linear Bandits",
    NeurIPS 2019, Algorithm 1; the authors' programs: github.com/fiezt/Transductive-Linear-Bandit-
    Code.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = cpe.planted_subsets(5, 2, gap=1.0, noise=0.1, seed=0)
    >>> trace = cpe.simulate("rage", bandit, noise=0.1, sigma=0.2, seed=0)
    >>> trace.answer, trace.proved
    ((1, 3), True)
    """
    aim = checked_aim(decisions, 0.0, delta, noise, sigma)
    vectors = _listed(decisions)
    designs = TransductiveDesigns(vectors, method, **solver_option(solver))
    left = np.arange(len(vectors))
    theta = np.zeros(decisions.size)
    try:
        for t in count(1):
            if len(left) == 1:
                break
            chosen, shares, rho, _ = designs.of(left)
            log = math.log(len(vectors) ** 2 * t**2) - math.log(delta)
            precise = 8.0 * (aim.sigma * 2.0 ** (t + 1) / unit) ** 2 * rho * (1.0 + rounding) * log
            least = math.ceil(2.0 * len(chosen) / rounding)
            times = efficient_rounding(shares, max(math.ceil(precise), least))
            sets = tuple(tuple(np.flatnonzero(row > 0.5).tolist()) for row in vectors[chosen])
            sums = yield PullSets(sets, tuple(times.tolist()))
            theta, inverse = least_squares(vectors[chosen], times, sums)
            if elimination == "gap":
                margin = np.full((1, len(left)), unit * 2.0 ** -(t + 2))
            else:
                margin = aim.sigma * math.sqrt(2.0 * log) * pair_norms(vectors[left], inverse)
            left = left[~led(vectors[left] @ theta, margin)]
    except HorizonReached:
        pass
    return tuple(np.flatnonzero(best_row(vectors[left], theta) > 0.5).tolist())


def best_row(vectors: FloatArray, theta: FloatArray) -> FloatArray:
    """The first of the sets that are best for the estimate; shape (n,)."""
    scale = float(np.abs(theta).sum())  # values of sets that add up to 0 are rounding
    return np.asarray(vectors[int(first_largest(vectors @ theta, scale=scale))])


def led(values: FloatArray, margins: FloatArray) -> np.ndarray:
    """Which sets another one leads by the margin of the two; shape (sets,).

    Margins have the shape (sets, sets), or (1, sets) where they are the same for all that lead. A
    lead that is a billionth short is enough: estimates from whole numbers are often a power of two
    apart, as margins are.
    """
    enough = margins * (1.0 - TIE)
    if len(margins) == 1:
        return np.asarray(values.max() - values >= enough[0])
    ahead = values[:, None] - values[None, :] >= enough
    np.fill_diagonal(ahead, val=False)
    return np.asarray(ahead.any(axis=0))


def least_squares(
    vectors: FloatArray, times: IntArray, sums: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The estimate in the span of the sets pulled, and the inverse of their information there."""
    inverse = span_inverse(vectors.T @ (times[:, None] * vectors))
    return np.asarray(inverse @ (vectors.T @ sums)), inverse


def pair_norms(vectors: FloatArray, inverse: FloatArray) -> FloatArray:
    """The norm of every difference of two rows by a matrix; shape (rows, rows)."""
    gram = vectors @ inverse @ vectors.T
    own = np.diag(gram)
    return np.asarray(np.sqrt(np.maximum(0.0, own[:, None] + own[None, :] - gram - gram.T)))


def _listed(decisions: DecisionClass) -> FloatArray:
    """All sets of the class, or :class:`InputError`."""
    try:
        vectors = decisions.indicator_matrix(MOST_SETS)
    except InputError as error:
        raise InputError(
            f"{error}: rage goes through all pairs of sets; icb and clucb need no list"
        ) from error
    if not len(vectors):
        raise InputError(f"{decisions.name} has no set")
    return vectors
