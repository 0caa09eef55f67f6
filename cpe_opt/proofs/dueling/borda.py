r"""What votes, and blocks of duels, prove about Borda scores: which arm's is larger.

The Borda score of arm i is :math:`b_i = \frac1{K-1} \sum_{k \ne i} \mu_{ik}`. For two arms i, j the
difference is linear in the probabilities of the 2K - 3 pairs that hold one of them,

.. math:: (K-1)(b_i - b_j) = \mathrm{const} + \sum_a c_a \mu_a, \qquad
          |c_a| = 2 \text{ for } a = \{i, j\}, \; 1 \text{ for the others} .

**The claim.** Let :math:`N_a` votes of the pair a have the mean :math:`\hat\mu_a`, let
:math:`\hat\Delta` be the least estimate of :math:`(K-1)(b_i - b_j)`, pairs that never met put to
their worst, and let all sums be over the pairs that did. For :math:`\tau > 0`,
:math:`0 < \kappa \le \infty` let

.. math:: G_{\tau\kappa} = \prod_a \Bigl(1 + \frac{N_a}\tau\Bigr)^{-\frac12}
    \Bigl(1 + \frac1\kappa \sum_a \frac{c_a^2 N_a \tau}{N_a + \tau}\Bigr)^{-\frac12}
    \exp\frac{2\hat\Delta^2}{V + \tau\bigl(S - V^2/(C + \kappa/\tau)\bigr)}, \quad
    C = \sum_a c_a^2, \; V = \sum_a \frac{c_a^2}{N_a}, \; S = \sum_a \frac{c_a^2}{N_a^2} .

With a mean of these over a fixed grid of :math:`\tau, \kappa`, say that :math:`b_i > b_j` is proved
where :math:`\hat\Delta > 0` and the mean is at least :math:`\frac{K(K-1)}{2\delta}`. With
probability at least :math:`1 - \delta` nothing wrong is ever proved, at any time and whatever rule
chose the pairs.

*Proof.* Outcomes in [0, 1] are sub-Gaussian: with the truth :math:`\mu` and the sums
:math:`X_a = N_a(\hat\mu_a - \mu_a)`, :math:`\exp(\lambda^T X - \frac18 \sum_a \lambda_a^2 N_a)` is
a supermartingale that starts at 1, for every :math:`\lambda` (Hoeffding's lemma; a vote moves one
term). So is its mean over :math:`\lambda \sim N(0, \Sigma)`,

.. math:: e_\Sigma(\mu) = \det\bigl(I + \tfrac14 \Sigma N\bigr)^{-\frac12}
          \exp\bigl(\tfrac12 X^T (\Sigma^{-1} + \tfrac14 N)^{-1} X\bigr), \qquad
          N = \mathrm{diag}(N_a) ,

and the mean of these over the grid, with :math:`\Sigma = \frac4\tau I + \frac4\kappa c c^T`; pairs
that never met have no part in it. There is one for each two arms, whichever is ahead, and by
Ville's inequality all of them stay below :math:`\frac{K(K-1)}{2\delta}` at the truth. If
:math:`b_i \le b_j`, then :math:`\sum_a c_a (\hat\mu_a - \mu_a) \ge \hat\Delta`. The exponent is a
quadratic form :math:`d^T Q d` in :math:`d = \hat\mu - \mu`, with :math:`Q^{-1} = 2 N^{-1}
(\Sigma^{-1} + \frac14 N) N^{-1}`, and at least :math:`\hat\Delta^2 / (c^T Q^{-1} c)` on that
half-space (Cauchy and Schwarz). The rank-one formulas for :math:`\Sigma^{-1}` and for the
determinant give :math:`G_{\tau\kappa}`. ∎

What :math:`\kappa` is for: where all pairs have about N votes, :math:`X^T c` alone is a test of
one number, and pays for one, :math:`\frac12 \ln N`; with :math:`\kappa = \infty`, which suits any
counts, every one of the 2K - 3 means is paid for.

**Votes that are not independent**: the probability of each pair has an interval of its own, with
:math:`\delta` shared among all pairs and the grid of :math:`\tau`,

.. math:: |\hat\mu_a - \mu_a| < \min_\tau \sqrt{\frac{N_a + \tau}{2 N_a^2} \Bigl(
          \ln\frac{m\,K(K-1)}{2\delta} + \tfrac12 \ln\bigl(1 + \tfrac{N_a}\tau\bigr)\Bigr)}

(m points; the mean of one pair's :math:`e_\Sigma` over the grid), and :math:`b_i > b_j` is proved
where it holds for all probabilities in the intervals.

**Blocks of duels.** A *block* is a plan made before it begins: :math:`m_a \ge 1` duels of every
pair a. With the mean outcome :math:`\bar Y_a` of each pair in it, and now :math:`c_a` the
coefficient of :math:`\mu_a` in :math:`b_i - b_j` itself
(:mod:`cpe_opt.formulations.dueling.borda_time`),

.. math:: X = \text{const} + \sum_a c_a \bar Y_a, \qquad v = \sum_a \frac{c_a^2}{4 m_a}

are an unbiased estimate of :math:`b_i - b_j` and its variance proxy: outcomes in [0, 1] are
½-sub-Gaussian, so that :math:`E\, e^{s (X - (b_i - b_j))} \le e^{s^2 v / 2}`, given all that was
before the block. With X and v of all blocks so far and :math:`S = \sum X/v`,
:math:`V = \sum 1/v`, the mixture

.. math:: E_{ij} = \sum_k w_k\, e^{\rho_k S - \rho_k^2 V / 2}

of :mod:`cpe_opt.proofs.mixture` is at most that of the mean :math:`b_i - b_j` where :math:`b_i
\le b_j`: below a supermartingale that starts at 1. The plan of a block may depend on all blocks
before it.

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

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.proofs.mixture import BlockMixture, log_sum
from cpe_opt.ties import just_below

_TAU = 16.0 ** np.arange(7)
_KAPPA = (*(16.0 ** np.arange(6)).tolist(), math.inf)  # in units of the mean of c^2 over all pairs
_LEAST = 1e-200
_GRID = 2.0**-20
_MIXTURE = BlockMixture.of_range(largest=1.0, smallest=1e-5, alike=0.002)


def borda_order(wins: FloatArray, delta: float, *, independent: bool = True) -> BoolArray:
    """Which arm's Borda score is proved to be larger.

    Parameters
    ----------
    wins : float array, shape (K, K)
        ``wins[i, j]``: how often i beat j, ties as half a win.
    delta : float
        Between 0 and 1.
    independent : bool
        Whether votes on several pairs are.

    Returns
    -------
    bool array, shape (K, K)
        Entry [i, j]: the score of i is larger than that of j.

    Examples
    --------
    >>> import numpy as np
    >>> wins = np.array([[0.0, 60.0, 70.0], [40.0, 0.0, 90.0], [30.0, 10.0, 0.0]])
    >>> borda_order(wins, 0.05).tolist()
    [[False, False, True], [False, False, True], [False, False, False]]
    """
    if independent:
        return borda_evidence(wins) >= math.log(len(wins) * (len(wins) - 1) / 2.0) - math.log(delta)
    radius = _radius(wins, delta)
    return np.asarray(_lead(wins, radius) > _GRID)


def borda_evidence(wins: FloatArray) -> FloatArray:
    """The logarithm of the mean of G for "i has the larger score", for one log or for several.

    Parameters
    ----------
    wins : float array, shape (..., K, K)

    Returns
    -------
    float array of that shape
        Minus infinity where the score of i is not larger by the estimate.
    """
    lead = _lead(wins, np.zeros_like(wins))
    votes = wins + wins.swapaxes(-1, -2)
    met = votes > 0.0
    inverse = np.divide(1.0, votes, out=np.zeros_like(votes), where=met)
    size, v, s = _over_pairs(met.astype(np.float64)), _over_pairs(inverse), _over_pairs(inverse**2)
    arms = wins.shape[-1]
    unit = 2.0 * arms / (2.0 * arms - 3.0)
    logs = []
    for tau in _TAU.tolist():
        paid = np.log1p(votes / tau)
        each = _over_pairs(paid) - 3.0 * paid
        shrunk = _over_pairs(votes * tau / (votes + tau))
        for kappa in _KAPPA:
            spread = v + tau * (s - v**2 / np.maximum(size + unit * kappa / tau, 1.0))
            exponent = 2.0 * lead**2 / np.maximum(spread, _LEAST)
            logs.append(exponent - 0.5 * (each + np.log1p(shrunk / (unit * kappa))))
    mean = log_sum(np.stack(logs), axis=0)[0] - math.log(len(logs))
    return np.where(lead > _GRID, just_below(mean), -math.inf)


def _lead(wins: FloatArray, radius: FloatArray) -> FloatArray:
    """The least (K-1)(b_i - b_j) with every probability within a radius of its estimate."""
    votes = wins + wins.swapaxes(-1, -2)
    met = votes > 0.0
    fractions = np.divide(wins, votes, out=np.zeros_like(votes), where=met)
    low = np.where(met, np.maximum(fractions - radius, 0.0), 0.0)
    high = np.where(met, np.minimum(fractions + radius, 1.0), 1.0)
    high = np.where(np.eye(wins.shape[-1], dtype=np.bool_), 0.0, high)
    return np.asarray(low.sum(axis=-1)[..., :, None] - high.sum(axis=-1)[..., None, :])


def _over_pairs(values: FloatArray) -> FloatArray:
    """``sum c_a^2 values_a`` over the pairs of two arms: once each, and four times their own."""
    rows = values.sum(axis=-1)
    return np.asarray(rows[..., :, None] + rows[..., None, :] + 2.0 * values)


def _radius(wins: FloatArray, delta: float) -> FloatArray:
    """Half the length of each pair's interval; shape (K, K)."""
    arms, votes = len(wins), np.maximum(wins + wins.T, 1.0)
    union = math.log(len(_TAU) * arms * (arms - 1) / 2.0) - math.log(delta)
    squares = [
        (votes + tau) / (2.0 * votes**2) * (union + 0.5 * np.log1p(votes / tau))
        for tau in _TAU.tolist()
    ]
    return np.asarray(np.sqrt(np.min(squares, axis=0)))


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
        log_e = _MIXTURE.log_values(self.sums, self.information)
        np.fill_diagonal(log_e, math.inf)
        return just_below(log_e)
