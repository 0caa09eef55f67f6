r"""What blocks of duels prove of one matching: that it is preferred to every other.

A *block* for the matching x is a plan made before it begins: :math:`m_e \ge 1` duels of
:math:`x_j` against every edge e of position j that some other matching has, and a scale
:math:`c > 0`. With the share :math:`\bar Y_e` of these duels that :math:`x_j` wins, and sums over
the edges e that another matching y has and x has not,

.. math:: X_y = c \sum_e \bigl(\bar Y_e - \tfrac12\bigr), \qquad v_y = \sum_e \frac{c^2}{4 m_e}

are, up to c, an unbiased estimate of the lead :math:`B(y) = \sum_e (P_{x_j e} - \frac12)` and its
variance proxy: outcomes in [0, 1] are ½-sub-Gaussian. Where :math:`B(y) \le 0`, therefore, with S
and V the sums of X and v over all blocks for x so far,

.. math:: E_y = \varphi(S_y, V_y), \qquad
          \varphi(S, V) = \sum_k w_k\, e^{\rho_k S - \rho_k^2 V / 2}, \qquad
          \rho_k > 0, \quad \sum_k w_k = 1,

is a non-negative supermartingale that starts at 1, however the plans and scales of blocks depend on
what was before them. As c is the same for all y, **S and V are sums over edges**: an assignment or
an integer program finds the matching that is told apart from x worst. In blocks that divide n duels
in the same proportions q, with c = n, the exponent is that of the characteristic time,
:math:`2 n B(y)^2 / \sum_e q_e^{-1}`.

**A union over the matchings tried.** Matchings are *taken up* one after the other; when the k-th,
:math:`x_k`, is taken up its S and V start at 0, and it gets the weight
:math:`\omega_k = \frac{1}{k(k+1)}`. It is answered where :math:`\omega_k E_y \ge 1/\delta` for all
other y.

*Proof.* Fix the truth, and for every matching x that is no Condorcet winner of it a matching y(x)
with :math:`B_x(y(x)) \le 0`. Which one is taken up as the k-th, and when, depends on the past
alone. Let :math:`F_k` be the :math:`E_{y(x_k)}` of it, and 1 before it is taken up or where it is
the Condorcet winner. Each :math:`F_k` is a supermartingale that starts at 1, and so is
:math:`\sum_k \omega_k F_k`, as the weights add up to 1. It ever reaches :math:`1/\delta` with
probability at most :math:`\delta` (Ville), and a wrong answer asks for that. ∎ So the first one
pays ln 2 for all the matchings that there are, whether they are six or millions: what led to it is
not counted in its proof. It holds where there is no Condorcet winner, too: then every answer is
wrong.

**The weights w** are those around a mean that is chosen when the matching is taken up
(:meth:`cpe_opt.proofs.mixture.BlockMixture.around`).

**Too many matchings to list.** :math:`\ln\varphi` is convex and grows with S, so that
:math:`\varphi \ge e^\ell` is :math:`S \ge h(V)` with a concave h. Tangents of h lie above it, and
with one of them in its place the largest :math:`h(V_y) - S_y` of the matchings y is a problem of
assignment. Where a line, or several for parts of the matchings, has it at most 0, all y have
:math:`E_y \ge e^\ell`: that is :mod:`cpe_opt.proofs.subsets.optimistic_gap` for the class of
matchings, with the estimates -S and the radius h. Nothing in it rests on a solver's tolerance: an
assignment is exact up to the rounding of sums, by which every bound is raised.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.proofs.mixture import BlockMixture
from cpe_opt.proofs.subsets.optimistic_gap import OptimisticGap, SetPool
from cpe_opt.ties import first_largest, in_bits, just_below

_BITS = 12
_ROUNDED_UP = 1.0 + 1e-9


def log_weight(number: int) -> float:
    """``ln ω`` of the matching that is taken up as the ``number``-th, from 1 on."""
    return -math.log(number * (number + 1.0))


class MatchingBlocks:
    """The sums S and V of one matching, edge by edge.

    Parameters
    ----------
    size : int
        m, the edges of the graph.
    centre : float
        The likeliest S/V.

    Attributes
    ----------
    sums, variances : float arrays, shape (m,)
        The parts of S and V that are each edge's; 0 for the edges of the matching.
    mixture : BlockMixture
    """

    def __init__(self, size: int, centre: float) -> None:
        self.sums: FloatArray = np.zeros(size)
        self.variances: FloatArray = np.zeros(size)
        self.mixture = BlockMixture.around(float(in_bits(centre, _BITS)))

    def add(self, won: FloatArray, planned: IntArray, scale: float) -> None:
        """Count a block."""
        duelled = planned > 0
        duels = planned[duelled]
        self.sums[duelled] += scale * (won[duelled] / duels - 0.5)
        self.variances[duelled] += scale**2 / (4.0 * duels)

    def log_e_values(self, rows: FloatArray) -> FloatArray:
        """``ln E`` of matchings by the edges that they have and the one proved has not; (J,)."""
        return just_below(self.mixture.log_values(rows @ self.sums, rows @ self.variances))


@dataclass(frozen=True, eq=False)
class NeededSums:
    """h as the radius of a difference, see :mod:`cpe_opt.proofs.subsets.optimistic_gap`.

    Attributes
    ----------
    blocks : MatchingBlocks
    level : float
        The logarithm of the evidence asked for.
    """

    blocks: MatchingBlocks
    level: float

    @property
    def features(self) -> FloatArray:
        """V of each edge; shape (m, 1)."""
        return self.blocks.variances[:, None]

    def radii(self, sums: FloatArray) -> FloatArray:
        """h(V), a little more; shape (matchings,) for V of shape (matchings, 1)."""
        return self.blocks.mixture.least_sums(sums[:, 0], self.level) * _ROUNDED_UP

    def places(self, sums: FloatArray) -> FloatArray:
        """V: where the line of a matching touches."""
        return np.asarray(sums[:, 0])

    def lines(self, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Tangents of h, a little higher."""
        constants, slopes = self.blocks.mixture.tangents(places, self.level)
        return constants * _ROUNDED_UP, slopes[:, None] * _ROUNDED_UP


@dataclass(frozen=True)
class BlockCertificate:
    """Whether there is enough evidence against all other matchings, and else one without it.

    Attributes
    ----------
    proved : bool
    rival : tuple of int or None
    """

    proved: bool
    rival: tuple[int, ...] | None


def block_certificate(
    oracle: SubsetOracle,
    pool: SetPool,
    winner: tuple[int, ...],
    blocks: MatchingBlocks,
    level: float,
) -> BlockCertificate:
    """Whether ``ln E`` is at least ``level`` against every other matching, by assignments.

    Parameters
    ----------
    oracle : SubsetOracle
        Of matchings.
    pool : SetPool
        Matchings that are known; others join them.
    winner : tuple of int
        The matching that the proof is of.
    blocks : MatchingBlocks
        At least one.
    level : float
    """
    missing = OptimisticGap(oracle, pool, winner, -blocks.sums, NeededSums(blocks, level))
    if missing.at_most(0.0) <= 0.0:
        return BlockCertificate(True, None)
    worst = int(first_largest(missing.pool_gaps))
    return BlockCertificate(False, tuple(np.flatnonzero(pool.vectors[worst] > 0.5).tolist()))
