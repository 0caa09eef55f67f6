r"""How hard a Copeland problem is: the quantities of Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015).

With :math:`C` Copeland winners that :math:`L_C` arms beat each, :math:`\Delta_{ij} = |p_{ij} -
\frac12|`:

* Definition 3. For an arm i that is no winner, :math:`i^*` is the arm with the
  :math:`(L_C+1)`-th largest :math:`\Delta_{ij}` among those that beat i, :math:`\Delta^*_i =
  \Delta_{i i^*}` (0 for a winner); :math:`\Delta^*_{ij} = \Delta^*_i + \Delta_{ij}` where
  :math:`p_{ij} \ge \frac12` and :math:`\max(\Delta^*_i, \Delta_{ij})` otherwise;
  :math:`\Delta = \min(\min_{i \text{ winner}, j \text{ not}} \Delta_{ij},
  \min_{i \text{ not}} \Delta^*_i)`.
* Definition 12. :math:`H_i = \sum_{j \ne i} \Delta_{ij}^{-2}`, :math:`H_\infty = \max_i H_i`, and
  :math:`\max(\mathrm{cpld}(1) - \mathrm{cpld}(i), 1/(K-1))`.
* Theorem 11. CCB's regret, in ZKWR's units, is at most a constant, plus a term in
  :math:`\sqrt{\ln T}`, plus :math:`A^{(3)} \ln T`, with :math:`A^{(3)} = \sum_{i \le C < j}
  \Delta_{ij}^{-2} + 2 \sum_{i > C} (L_C + 1) (\Delta^*_i)^{-2} \le 2K(C+L_C+1)/\Delta^2`.

Ties make the quantities that divide by their gap infinite.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cpe_opt.modelling.program import FloatArray
from cpe_opt.problems.preferences import PreferenceMatrix


@dataclass(frozen=True, eq=False)
class CopelandHardness:
    """The quantities above, under the papers' names.

    Attributes
    ----------
    winners, losses_of_winner : int
        C and L_C.
    star : tuple of (int or None)
        i* of each arm; None for a winner, or where fewer than L_C + 1 arms beat it (ties).
    star_gap : float array, shape (K,)
        Delta*_i.
    pair_star_gap : float array, shape (K, K)
        Delta*_ij.
    gap : float
        Delta.
    smallest_gap : float
        Delta_min, over all pairs.
    score_gap : float array, shape (K,)
        Definition 12's Delta_i.
    hardness : float array, shape (K,)
        H_i.
    largest_hardness : float
        H_infinity.
    ccb_constant : float
        A^(3), which multiplies ln T in Theorem 11.
    ccb_bound : float
        2K(C + L_C + 1)/Delta^2, the theorem's simpler bound on it.
    """

    winners: int
    losses_of_winner: int
    star: tuple[int | None, ...]
    star_gap: FloatArray
    pair_star_gap: FloatArray
    gap: float
    smallest_gap: float
    score_gap: FloatArray
    hardness: FloatArray
    largest_hardness: float
    ccb_constant: float
    ccb_bound: float


def copeland_hardness(preferences: PreferenceMatrix) -> CopelandHardness:
    """Definitions 3 and 12 and the constants of Theorem 11 for a preference matrix."""
    gaps, arms = preferences.gaps, preferences.arms
    winners = list(preferences.copeland_winners)
    others = [arm for arm in range(arms) if arm not in winners]
    losses = int(preferences.losses.min())
    star: list[int | None] = [None] * arms
    star_gap = np.zeros(arms)
    for arm in others:
        beaters = np.array(preferences.superiors(arm), dtype=np.int64)
        if len(beaters) > losses:
            chosen = int(beaters[np.argsort(-gaps[arm, beaters], kind="stable")[losses]])
            star[arm], star_gap[arm] = chosen, gaps[arm, chosen]
    own = star_gap[:, None]
    pair = np.where(preferences.array >= 0.5, own + gaps, np.maximum(own, gaps))
    off_diagonal = ~np.eye(arms, dtype=np.bool_)
    between = gaps[np.ix_(winners, others)]
    gap = float(min(between.min(initial=np.inf), star_gap[others].min(initial=np.inf)))
    with np.errstate(divide="ignore"):
        inverse = np.where(off_diagonal, gaps, np.inf) ** -2.0
        constant = float(
            (between**-2.0).sum() + 2 * (losses + 1) * (star_gap[others] ** -2.0).sum()
        )
        bound = float(2 * arms * (len(winners) + losses + 1) / np.square(np.float64(gap)))
    hardness = inverse.sum(axis=1)
    scores = preferences.copeland_scores / (arms - 1)
    return CopelandHardness(
        winners=len(winners),
        losses_of_winner=losses,
        star=tuple(star),
        star_gap=star_gap,
        pair_star_gap=pair,
        gap=gap,
        smallest_gap=float(gaps[off_diagonal].min()),
        score_gap=np.maximum(scores.max() - scores, 1.0 / (arms - 1)),
        hardness=hardness,
        largest_hardness=float(hardness.max()),
        ccb_constant=constant,
        ccb_bound=bound,
    )
