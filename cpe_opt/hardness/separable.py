r"""How hard a problem of separable rewards is.

With φ(θ) the leading optimal decision,
:math:`\Lambda_i = \inf \{\|\theta - \theta^*\|_\infty : \phi_i(\theta) \ne \phi_i(\theta^*)\}`, by
bisection along the two extreme directions; :math:`H_\Lambda = \sum_i \Lambda_i^{-2}`,
:math:`H^U = m / \min_i \Lambda_i^2`.

Huang, Ok, Li, Chen (IJCAI 2018), Theorems 1 and 4.

**The least number of observations.** Where these are ½-sub-Gaussian, as those in [0, 1] are, an
allocation q identifies φ(θ) at the rate :math:`\ln(1/\delta)` if it tells every alternative,

.. math:: T^* = \min \sum_i q_i \quad\text{s.t.}\quad 2 \sum_i q_i (\theta_i - \lambda_i)^2 \ge 1
          \quad\text{for all } \lambda \text{ with } \phi(\lambda) \ne \phi(\theta) .

No program is known for it. It is linear in q, with a row for each alternative; but the nearest
alternative to a given q is a nearest point of a union of up-sets (in :math:`\lambda_i` and
:math:`-\lambda_j, j \ne i`), which are not convex: their boundaries are stairs, and the two extreme
directions of the box test find one point of each, not the nearest. Two bounds hold nonetheless.
That point is an alternative, at distance :math:`\Lambda_i` in every coordinate at most; and any
alternative differs from θ by :math:`\min_i \Lambda_i` in some coordinate:

.. math:: \frac{1}{2 \min_i \Lambda_i^2} \le T^* \le \frac{m}{2 \min_i \Lambda_i^2} .

For the best set of a decision class alternatives are half-spaces, and T* is
:func:`cpe_opt.subset_time` of single rewards with σ = ½.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.separable.oracle import Oracle, oracle_of
from cpe_opt.problems.separable.problem import SeparableProblem
from cpe_opt.validation import ErrorProbability, checked_types

_HALVINGS = 50


@dataclass(frozen=True, eq=False)
class SeparableHardness:
    """Hardness of finding the best decision.

    Attributes
    ----------
    problem : SeparableProblem
    decision : float array, shape (m,)
        The leading optimal one.
    radius : float array, shape (m,)
        Λ; infinite where an arm's part of the decision never changes.
    hardness, uniform : float
        H_Λ and H^U.
    """

    problem: SeparableProblem
    decision: FloatArray
    radius: FloatArray
    hardness: float
    uniform: float

    @property
    def time_bounds(self) -> tuple[float, float]:
        """Bounds of T* from below and above, of means (τ = 1); see the module."""
        nearest = float(self.radius.min())
        least = 0.5 / nearest**2 if nearest else math.inf
        return least, len(self.radius) * least

    @checked_types
    def coci_sample_bound(self, *, delta: ErrorProbability) -> float:
        """Theorem 1: rounds of COCI, with probability 1 - delta; constants included."""
        return self._bound(self.hardness, delta)

    @checked_types
    def coci_uniform_sample_bound(self, *, delta: ErrorProbability) -> float:
        """Theorem 4: the same for uniform sampling."""
        return self._bound(self.uniform, delta)

    def sample_bounds(self, *, delta: float = 0.05) -> dict[str, float]:
        """What the theorems bound."""
        return {
            "COCI (Theorem 1)": self.coci_sample_bound(delta=delta),
            "uniform sampling (Theorem 4)": self.coci_uniform_sample_bound(delta=delta),
        }

    def _bound(self, hardness: float, delta: float) -> float:
        start = 2.0 * self.problem.model.size
        if not 0.0 < hardness < math.inf:
            return hardness + start
        log = math.log(4.0 / (self.problem.model.tau * delta))
        return start + 12.0 * hardness * math.log(24.0 * hardness) + 4.0 * hardness * log


@checked_types
def separable_hardness(problem: SeparableProblem) -> SeparableHardness:
    """Hardness of a bi-monotone problem: the radii Λ, H_Λ and H^U.

    Raises
    ------
    InputError
        Where φ is not bi-monotone: no efficient way is known there.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> hard = cpe.separable_hardness(cpe.load_instance("coins"))
    >>> hard.decision.tolist(), hard.radius.round(4).tolist()
    ([1.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0.2, 0.1, 0.1, 0.15, 0.2, 0.25])
    """
    model = problem.model
    if not model.bi_monotone:
        raise InputError(f"{model.name} is not bi-monotone: its radii have no efficient form")
    oracle, theta = oracle_of(model), problem.theta
    decision = oracle(theta)
    radius = np.array(
        [
            min(_change(oracle, theta, arm, float(decision[arm]), sign) for sign in (1.0, -1.0))
            for arm in range(model.size)
        ]
    )
    with np.errstate(divide="ignore"):
        terms = radius**-2.0
    return SeparableHardness(
        problem, decision, radius, float(terms.sum()), model.size * float(terms.max())
    )


def _change(oracle: Oracle, theta: FloatArray, arm: int, value: float, sign: float) -> float:
    """How far θ may go in an extreme direction before φ of the arm changes."""

    def same(distance: float) -> bool:
        moved = theta - sign * distance
        moved[arm] = theta[arm] + sign * distance
        return bool(oracle(np.clip(moved, 0.0, 1.0))[arm] == value)

    if same(1.0):
        return math.inf
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if same(middle) else (low, middle)
    return high
