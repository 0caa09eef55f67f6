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
what was before them. As c is the same for all y, **S and V are sums over edges**: which matching is
told from x the worst is a question to an assignment, or to an integer program. In blocks that share
n duels out in the same proportions q, with c = n, the exponent is that of the characteristic time,
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

**The weights w.** The :math:`\rho_k` are geometric in steps of 20 %, about a centre that is chosen
when the matching is taken up, and fall like the inverse square of the number of steps from it.

**Too many matchings to list.** :math:`\ln\varphi` is convex and grows with S, so that
:math:`\varphi \ge e^\ell` is :math:`S \ge h(V)` with a concave h. Tangents of h lie above it, and
the integer program ``proof``, the largest :math:`t - S_y` over the matchings y other than x with
``tangent_n``: :math:`t \le h(V_n) + h'(V_n)(V_y - V_n)`, bounds :math:`h(V_y) - S_y`. Where its
bound is not above 0, all y have :math:`E_y \ge e^\ell`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import in_bits, just_below

_STEP, _POINTS, _WIDTH = 1.2, 60, 5.0
_BITS = 12
_TANGENTS = 40
_WHOLE = 0.5
_CLEAR = 1e-6
_HALVINGS = 60


def log_weight(number: int) -> float:
    """Ln ω of the number-th matching that is taken up, from 1 on."""
    return -math.log(number * (number + 1.0))


class BlockProof:
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
    """

    def __init__(self, size: int, centre: float) -> None:
        self.sums: FloatArray = np.zeros(size)
        self.variances: FloatArray = np.zeros(size)
        steps = np.arange(-_POINTS, _POINTS + 1, dtype=np.float64)
        weights = 1.0 / (1.0 + (steps / _WIDTH) ** 2)
        self._rho = float(in_bits(centre, _BITS)) * _STEP**steps
        self._weights = np.log(weights / weights.sum())

    def add(self, won: FloatArray, planned: IntArray, scale: float) -> None:
        """Count a block.

        Parameters
        ----------
        won : float array, shape (m,)
            How often the matching won against each edge, at its position.
        planned : int array, shape (m,)
            The duels against each edge; 0 where there are none and no other matching has it.
        scale : float
            c.
        """
        duelled = planned > 0
        duels = planned[duelled]
        self.sums[duelled] += scale * (won[duelled] / duels - 0.5)
        self.variances[duelled] += scale**2 / (4.0 * duels)

    def log_e_values(self, rows: FloatArray) -> FloatArray:
        """``ln E`` of matchings by the edges that they have and the one proved has not; (J,)."""
        return just_below(self._log_mixture(rows @ self.sums, rows @ self.variances))

    def _log_mixture(self, sums: FloatArray, variances: FloatArray) -> FloatArray:
        exponents = sums[..., None] * self._rho - variances[..., None] * self._rho**2 / 2
        exponents = exponents + self._weights
        largest = exponents.max(axis=-1)
        return np.asarray(largest + np.log(np.exp(exponents - largest[..., None]).sum(axis=-1)))

    def boundary(self, variances: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
        """The least S at which ``ln E`` is ``level``, and its slope in V, at some V above 0."""
        low = np.zeros_like(variances)
        high = (level - float(self._weights.max())) / self._rho.min() + variances * self._rho.max()
        for _ in range(_HALVINGS):
            middle = (low + high) / 2.0
            above = self._log_mixture(middle, variances) >= level
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        exponents = high[:, None] * self._rho - variances[:, None] * self._rho**2 / 2
        shares = np.exp(exponents + self._weights - level)
        slope = (shares * self._rho**2 / 2).sum(axis=1) / (shares * self._rho).sum(axis=1)
        return high, slope


@dataclass(frozen=True)
class Certificate:
    """Whether all other matchings have the evidence asked for, and else one that may not.

    Attributes
    ----------
    proved : bool
    rival : tuple of int or None
    """

    proved: bool
    rival: tuple[int, ...] | None


def certificate(
    matchings: Matchings,
    winner: tuple[int, ...],
    proof: BlockProof,
    level: float,
    **solving: Unpack[SolveOptions],
) -> Certificate:
    """Whether ``ln E`` is at least ``level`` against every other matching, by a program.

    Parameters
    ----------
    matchings : Matchings
    winner : tuple of int
        The matching that the proof is of.
    proof : BlockProof
    level : float
    **solving
        As for :func:`cpe_opt.solve`.
    """
    solving.setdefault("solver", "highs")
    result = solve(_program(matchings, winner, proof, level), check=False, **solving)
    proved = result.bound is not None and result.bound <= -_CLEAR
    if result.x is None:
        return Certificate(proved, None)
    rival = tuple(np.flatnonzero(result.x[: matchings.size] > _WHOLE).tolist())
    return Certificate(proved, rival)


def _program(
    matchings: Matchings, winner: tuple[int, ...], proof: BlockProof, level: float
) -> LinearProgram:
    """The integer program with tangents between the least and the largest V."""
    largest = matchings.best(proof.variances)
    assert largest is not None
    most = float(proof.variances[list(largest)].sum())
    least = float(proof.variances[proof.variances > 0.0].min())
    at = np.geomspace(least, max(most, least), _TANGENTS)
    height, slope = proof.boundary(at, level)
    unit = float(height.max())
    builder = ProgramBuilder("proof", sense="max")
    x = builder.columns("x", matchings.keys, cost=-proof.sums / unit, upper=1.0, integer=True)
    t = builder.columns("t", 1, cost=1.0, lower=-math.inf)
    matchings.program_rows(builder, x, integer=False)
    builder.row("other", x[list(winner)], upper=len(winner) - 1.0)
    places = np.arange(_TANGENTS)
    builder.rows(
        "tangent",
        _TANGENTS,
        np.concatenate([np.repeat(places, len(x)), places]),
        np.concatenate([np.tile(x, _TANGENTS), np.repeat(t, _TANGENTS)]),
        np.concatenate([-np.outer(slope, proof.variances).ravel() / unit, np.ones(_TANGENTS)]),
        upper=(height - slope * at) / unit,
    )
    return builder.build()
