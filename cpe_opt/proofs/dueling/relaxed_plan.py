r"""The relaxed plan: how much evidence of which pairs proves a Copeland winner, without a program.

At a given :math:`\delta` each row of :mod:`cpe_opt.formulations.dueling.confusing_instances` needs
an evidence of :math:`\Lambda \approx \ln(1/\delta)` in all, and each pair that has a part in it
needs :math:`\kappa` as well, for the weight of its e-value and of its choice among others
(:mod:`cpe_opt.proofs.dueling.copeland`). A plan x, evidence in units of :math:`\Lambda`, thus costs
about

.. math:: \sum_{i < j} c_{ij} \bigl(\Lambda\, x_{ij} + \kappa\, \mathbb 1\{x_{ij} > 0\}\bigr),
          \qquad c_{ij} = \pi_{ij} / d_{ij},

prices :math:`\pi` over divergences. The exploration of T* is best as :math:`\Lambda \to \infty`,
but at a moderate :math:`\Lambda` it spreads a row over too many pairs: of 64 arms it may ask for a
twentieth of a row from each of a thousand pairs. The *relaxed plan* is the one of ECW-RMED with
this cost (Komiyama, Honda, Nakagawa, ICML 2016, equations (4) to (6)): x = 1 for all pairs that the
winner wins, and for a challenger whose rows leave out k of its pairs x = 1/(h - k) for the h
cheapest, at the h > k with the least :math:`C(h) \bigl(\frac{\Lambda}{h - k} + \kappa\bigr)`, C the
sums of the cheapest costs. It keeps all rows, so that it leads to a proof.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.ties import ascending, first_largest


def relaxed_plan(
    beaten: BoolArray, winner: int, costs: FloatArray, needed: float, charge: float
) -> FloatArray | None:
    """The relaxed plan of a winner; shape (K, K), symmetric.

    Parameters
    ----------
    beaten : bool array, shape (K, K)
        Whether the row's arm loses to the column's.
    winner : int
        An arm with the fewest losses.
    costs : float array, shape (K, K)
        c.
    needed, charge : float
        Lambda and kappa.

    Returns
    -------
    float array or None
        None where an arm may take the winner's rank by losses of the winner alone.
    """
    arms = len(costs)
    losses = beaten.sum(axis=1)
    lists = beaten.copy()
    lists[:, winner] = False
    lists[winner] = False
    sizes = lists.sum(axis=1)
    asked = np.maximum(0, losses - losses[winner] + 1)
    asked[winner] = arms
    if not asked.all():
        return None
    spared = (sizes - asked)[:, None]
    order = ascending(np.where(lists, costs, math.inf))
    listed = np.take_along_axis(lists, order, axis=1)
    sums = np.cumsum(np.where(listed, np.take_along_axis(costs, order, axis=1), 0.0), axis=1)
    number = np.arange(1, arms + 1)
    able = (number > spared) & listed & (spared >= 0)
    margin = np.where(able, number - spared, 1)
    values = np.where(able, sums * (needed / margin + charge), math.inf)
    best = first_largest(-values)[:, None]
    shares = np.where((number - 1 <= best) & able.any(axis=1, keepdims=True), 1.0, 0.0)
    shares = shares / np.take_along_axis(margin, best, axis=1)
    x = np.zeros((arms, arms))
    np.put_along_axis(x, order, shares, axis=1)
    x[winner] = beaten[:, winner]
    return np.maximum(x, x.T)


def relaxed_cost(
    beaten: BoolArray, winner: int, costs: FloatArray, needed: float, charge: float
) -> tuple[FloatArray | None, float]:
    """The relaxed plan of a winner and its cost, which is infinite where there is none.

    Arguments are those of :func:`relaxed_plan`.
    """
    x = relaxed_plan(beaten, winner, costs, needed, charge)
    return x, math.inf if x is None else charged_cost(x, costs, needed, charge)


def charged_cost(x: FloatArray, costs: FloatArray, needed: float, charge: float) -> float:
    """The cost of a plan.

    Parameters
    ----------
    x, costs : float arrays, shape (K, K)
        Symmetric.
    needed, charge : float
        Lambda and kappa.
    """
    upper = np.triu(needed * x + charge * (x > 0.0), 1)
    return float(np.vdot(upper, costs))
