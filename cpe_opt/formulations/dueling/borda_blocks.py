r"""What blocks of duels prove of Borda scores.

A *block* is a plan made before it begins: :math:`m_a \ge 1` duels of every pair a. With the mean
outcome :math:`\bar Y_a` of each pair in it, and :math:`c_a` the coefficient of :math:`\mu_a` in the
difference :math:`b_i - b_j` of two Borda scores (:mod:`cpe_opt.formulations.dueling.borda_time`),

.. math:: X = \text{const} + \sum_a c_a \bar Y_a, \qquad v = \sum_a \frac{c_a^2}{4 m_a}

are an unbiased estimate of :math:`b_i - b_j` and its variance proxy: outcomes in [0, 1] are
½-sub-Gaussian, so that :math:`E\, e^{s (X - (b_i - b_j))} \le e^{s^2 v / 2}`, given all that was
before the block. Where :math:`b_i \le b_j`, therefore, with X and v of all blocks so far and
:math:`S = \sum X/v`, :math:`V = \sum 1/v`,

.. math:: E_{ij} = \sum_k w_k\, e^{\rho_k S - \rho_k^2 V / 2}, \qquad
          \rho_k > 0, \quad \sum_k w_k = 1,

is a non-negative supermartingale that starts at 1: a factor of a block is that inequality at
:math:`s = \rho_k / v`. The plan of a block may depend on all blocks before it.

*The rule.* An arm i is answered where :math:`E_{ij} \ge (K-1)/\delta` for all other j. Fix a
Borda winner j of the truth. The sum of :math:`E_{ij}` over the arms i that are none, divided by
:math:`K - 1`, starts at 1 at most, and ever reaches :math:`1/\delta` with probability at most
:math:`\delta` (Ville); a wrong answer asks for that. After n duels in the proportions q the
exponent of :math:`E_{ij}` is :math:`2 n (b_i - b_j)^2 / \sum_a c_a^2/q_a`, that of the
characteristic time.

The :math:`\rho_k` are geometric, from 1 down to 1e-5 in steps of 15 %, with weights alike down to
0.002, which fall in proportion to :math:`\rho` below.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.ties import just_below

_SMALLEST, _STEP, _ALIKE = 1e-5, 1.15, 0.002


def _points() -> tuple[FloatArray, FloatArray]:
    """rho_k and ln w_k."""
    count = 1 + math.floor(-math.log(_SMALLEST) / math.log(_STEP))
    rho = _STEP ** -np.arange(count, dtype=np.float64)
    weights = np.minimum(1.0, rho / _ALIKE)
    return rho, np.log(weights / weights.sum())


_RHO, _WEIGHT = _points()


class BordaBlocks:
    """The sums S and V of all pairs of arms.

    Parameters
    ----------
    arms : int

    Attributes
    ----------
    sums : float array, shape (K, K)
        S, antisymmetric.
    information : float array, shape (K, K)
        V, symmetric; the diagonals mean nothing.
    """

    def __init__(self, arms: int) -> None:
        self.sums: FloatArray = np.zeros((arms, arms))
        self.information: FloatArray = np.zeros((arms, arms))

    def add(self, won: FloatArray, planned: IntArray) -> None:
        """Count a block.

        Parameters
        ----------
        won : float array, shape (K, K)
            How often the row's arm won against the column's in the block.
        planned : int array, shape (K, K)
            The duels of each pair, symmetric, at least 1; the diagonal is not read.
        """
        others = len(won) - 1
        duels = planned.astype(np.float64)
        np.fill_diagonal(duels, 1.0)
        mean = won / duels
        np.fill_diagonal(mean, 0.0)
        scores = mean.sum(axis=1) / others
        inverse = 1.0 / duels
        np.fill_diagonal(inverse, 0.0)
        of_arm = inverse.sum(axis=1)
        # The pair {i, j} is in both sums, and has twice the coefficient of another.
        variance = (of_arm[:, None] + of_arm + 2.0 * inverse) / (2.0 * others) ** 2
        np.fill_diagonal(variance, 1.0)
        self.sums += (scores[:, None] - scores) / variance
        self.information += 1.0 / variance

    def log_e_values(self) -> FloatArray:
        """``ln E_ij`` against "b_i is at most b_j"; shape (K, K), the diagonal infinite."""
        exponents = self.sums[..., None] * _RHO - self.information[..., None] * _RHO**2 / 2
        exponents = exponents + _WEIGHT
        largest = exponents.max(axis=-1)
        found = largest + np.log(np.exp(exponents - largest[..., None]).sum(axis=-1))
        np.fill_diagonal(found, math.inf)
        return just_below(found)
