r"""Numbers by which arms are compared: divergences, regrets, and the scores of other winners.

**Random walk winner.** A walker at arm i meets a uniformly random other arm j and moves to it where
j wins: :math:`P_{ij} = \mu_{ji}/(K-1)`. The winner has the largest stationary probability.

**Borda winner.** The largest mean probability to beat another arm.

Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015), appendix C.2, compare these with Copeland and
Condorcet winners.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.problems.pairs import TOLERANCE


def binary_divergence(p: npt.ArrayLike) -> FloatArray:
    """``d_KL(p, 1/2) = p ln 2p + (1-p) ln 2(1-p)`` in nats, elementwise.

    Near ½ the two terms cancel; there the Taylor series of the divergence is used.
    """
    from scipy.special import xlogy  # slow to load

    p = np.asarray(p, dtype=np.float64)
    e = 2.0 * p - 1.0
    square = e * e
    series = square / 2 + square * square / 12 + square**3 / 30
    exact = xlogy(p, 2 * p) + xlogy(1 - p, 2 * (1 - p))
    return np.asarray(np.where(np.abs(e) < 1e-3, series, exact), dtype=np.float64)


def divergence_from(p: npt.ArrayLike, q: float) -> FloatArray:
    """``d_KL(p, q)`` of two coins in nats, elementwise in p; q is above 0 and below 1."""
    from scipy.special import xlog1py

    p = np.asarray(p, dtype=np.float64)
    excess = p - q
    return np.asarray(
        np.maximum(xlog1py(p, excess / q) + xlog1py(1.0 - p, -excess / (1.0 - q)), 0.0)
    )


def unit_costs(weights: FloatArray, divergences: FloatArray) -> FloatArray:
    """``weights / divergences``, 0 where the divergence is 0."""
    return np.divide(weights, divergences, out=np.zeros_like(divergences), where=divergences > 0)


def copeland_regret(losses: IntArray, arms: IntArray | slice = slice(None)) -> FloatArray:
    """The mean regret of one duel of each pair from the numbers of superiors; shape (K, K).

    Of the rows of some ``arms``, shape (arms, K).
    """
    excess = losses - losses.min()
    return np.asarray(
        (excess[arms, None] + excess[None, :]) / (2 * (len(losses) - 1)), dtype=np.float64
    )


def copeland_score_regret(scores: IntArray) -> FloatArray:
    """By how much the shares of arms that each of a pair beats fall short, added; shape (K, K)."""
    share = scores / (len(scores) - 1)
    return np.asarray(2 * share.max() - share[:, None] - share[None, :], dtype=np.float64)


def random_walk_scores(array: FloatArray) -> FloatArray:
    """Stationary probabilities of the walk from losers to winners; shape (K,).

    Raises :class:`InputError` if the walk has several stationary distributions: no arm can be
    reached from all.
    """
    arms = len(array)
    walk = array.T / (arms - 1)
    np.fill_diagonal(walk, 0.0)
    np.fill_diagonal(walk, 1.0 - walk.sum(axis=1))
    # pi (P - I) = 0 with the entries of pi adding up to 1.
    system = np.vstack([walk.T - np.eye(arms), np.ones(arms)])
    if np.linalg.matrix_rank(system[:-1], tol=TOLERANCE) < arms - 1:
        raise InputError(
            "the random walk has several stationary distributions (some arms never lose to others)"
        )
    target = np.append(np.zeros(arms), 1.0)
    scores = np.linalg.lstsq(system, target, rcond=None)[0]
    return np.asarray(np.clip(scores, 0.0, None), dtype=np.float64)


def largest(scores: FloatArray) -> tuple[int, ...]:
    """The arms whose score is the largest, within 1e-9, ascending."""
    return tuple(np.flatnonzero(scores >= scores.max() - TOLERANCE).tolist())
