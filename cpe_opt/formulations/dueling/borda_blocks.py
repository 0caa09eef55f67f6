r"""What blocks of duels prove of Borda scores.

A *block* is a plan made before it begins: :math:`m_a \ge 1` duels of every pair a. With the mean
outcome :math:`\bar Y_a` of each pair in it, and :math:`c_a` the coefficient of :math:`\mu_a` in the
difference :math:`b_i - b_j` of two Borda scores (:mod:`cpe_opt.formulations.dueling.borda_time`),

.. math:: X = \text{const} + \sum_a c_a \bar Y_a, \qquad v = \sum_a \frac{c_a^2}{4 m_a}

are an unbiased estimate of :math:`b_i - b_j` and its variance proxy: outcomes in [0, 1] are
½-sub-Gaussian, so that :math:`E\, e^{s (X - (b_i - b_j))} \le e^{s^2 v / 2}`, given all that was
before the block. With X and v of all blocks so far and :math:`S = \sum X/v`,
:math:`V = \sum 1/v`, the mixture

.. math:: E_{ij} = \sum_k w_k\, e^{\rho_k S - \rho_k^2 V / 2}

of :mod:`cpe_opt.formulations.block_mixture` is at most that of the mean :math:`b_i - b_j` where
:math:`b_i \le b_j`: below a supermartingale that starts at 1. The plan of a block may depend on all
blocks before it.

*The rule.* An arm i is answered where :math:`E_{ij} \ge (K-1)/\delta` for all other j. Fix a
Borda winner j of the truth. The sum of :math:`E_{ij}` over the arms i that are none, divided by
:math:`K - 1`, starts at 1 at most, and ever reaches :math:`1/\delta` with probability at most
:math:`\delta` (Ville); a wrong answer asks for that. After n duels in the proportions q the
exponent of :math:`E_{ij}` is :math:`2 n (b_i - b_j)^2 / \sum_a c_a^2/q_a`, that of the
characteristic time.

The :math:`\rho_k` go from 1 down to 1e-5, with weights alike down to 0.002.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.block_mixture import BlockMixture
from cpe_opt.ties import just_below

_MIXTURE = BlockMixture(largest=1.0, smallest=1e-5, alike=0.002)


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
        found = _MIXTURE.log_values(self.sums, self.information)
        np.fill_diagonal(found, math.inf)
        return just_below(found)
