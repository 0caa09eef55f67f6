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
* Theorem 11. With probability :math:`1 - \delta` CCB's regret, the "sum", is at most
  :math:`A^{(1)}_\delta + A^{(2)}_\delta \sqrt{\ln T} + A^{(3)} \ln T`, with :math:`A^{(3)} =
  \sum_{i \le C < j} \Delta_{ij}^{-2} + 2 \sum_{i > C} (L_C + 1) (\Delta^*_i)^{-2} \le
  2K(C+L_C+1)/\Delta^2`. The other two terms are :func:`ccb_regret_bound`'s.

Ties make the quantities that divide by their gap infinite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, cast, get_args

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.dueling.lower_bound import copeland_bound, ecw_bound
from cpe_opt.problems.dueling.preferences import PreferenceMatrix, Units
from cpe_opt.ties import on_grid
from cpe_opt.validation import AboveHalf, ErrorProbability, Interval, checked_types


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


@checked_types
def copeland_hardness(preferences: PreferenceMatrix) -> CopelandHardness:
    """Hardness of a preference matrix: Definitions 3 and 12, and the constants of Theorem 11.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> hard = cpe.copeland_hardness(cpe.load_instance("cyclic"))
    >>> round(hard.gap, 4), round(hard.largest_hardness, 4), hard.star
    (0.1, 300.0, (None, 3, 1, 2))
    """
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
    first_gap = star_gap[:, None]
    pair = np.where(preferences.array >= 0.5, first_gap + gaps, np.maximum(first_gap, gaps))
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


@dataclass(frozen=True)
class CcbRegretBound:
    """Theorem 11, term by term.

    Attributes
    ----------
    constant : float
        A^(1)_delta; inf where it exceeds the range of floats.
    root, log : float
        A^(2)_delta and A^(3), which multiply the root of ln T and ln T.
    warm_up : float
        T_delta: by then CCB knows L_C + 1 arms that beat each arm that is no winner.
    """

    constant: float
    root: float
    log: float
    warm_up: float

    @checked_types
    def at(self, horizon: Annotated[float, Interval(1)]) -> float:
        """The printed bound on the regret "sum" with probability 1 - delta."""
        return (
            self.constant + self.root * math.sqrt(math.log(horizon)) + self.log * math.log(horizon)
        )


@checked_types
def ccb_regret_bound(
    preferences: PreferenceMatrix,
    *,
    delta: ErrorProbability = 0.05,
    alpha: AboveHalf = 0.51,
) -> CcbRegretBound:
    r"""The bound of Theorem 11 on CCB's regret.

    With :math:`C(\delta) = ((4\alpha-1) K^2 / ((2\alpha-1)\delta))^{1/(2\alpha-1)}`,
    :math:`\hat N_i(t) = \sum_{j \ne i} 4\alpha \ln t / (\Delta^*_{ij})^2` and
    :math:`\hat N(t) = 1 + \sum_i \hat N_i(t)`, :math:`T_\delta` is the least integer with

    .. math:: T_\delta \ge C(\tfrac\delta2) + 8K^2(L_C+1)^2 \ln\tfrac{6K^2}{\delta}
        + K^2 \ln\tfrac{6K}{\delta} + \tfrac{32\alpha K(L_C+1)}{\Delta_{min}^2} \ln T_\delta
        + \hat N(T_\delta) + 4K \max_{i > C} \hat N_i(T_\delta) ,

    :math:`A^{(1)}_\delta = C(\delta/4) + \hat N(T_{\delta/2})` and :math:`A^{(2)}_\delta =
    \sum_{i > C} \sqrt{L_C+1} \, \ln(2K/\delta) / \Delta^*_i` (Definitions 3, 5, 10).

    The exponent in C is 50 at :math:`\alpha = 0.51`: there the bound says little before
    astronomic horizons. It is meant for orders of growth, and for larger alpha.

    The terms are those that the paper prints. Its Lemma 8 and Proposition 4 give :math:`4\alpha`
    times :math:`A^{(3)}` and :math:`4\sqrt\alpha` times :math:`A^{(2)}_\delta`, and its proof
    counts rounds, each of which may lose up to 2 of the regret "sum".
    """
    if preferences.ties:
        i, j = preferences.ties[0]
        raise InputError(
            f"{preferences.name} has a tie between {preferences.labels[i]!r} and "
            f"{preferences.labels[j]!r}; Theorem 11 assumes there is none"
        )
    hard, arms = copeland_hardness(preferences), preferences.arms
    needed = hard.losses_of_winner + 1
    with np.errstate(divide="ignore"):
        squares = np.where(np.eye(arms, dtype=np.bool_), np.inf, hard.pair_star_gap) ** -2.0
    per_arm = 4 * alpha * squares.sum(axis=1)
    others = hard.star_gap > 0

    def burn_in(error: float) -> float:
        base = (4 * alpha - 1) * arms**2 / ((2 * alpha - 1) * error)
        log = math.log(base) / (2 * alpha - 1)
        return math.exp(log) if log < math.log(np.finfo(np.float64).max) else math.inf

    def warm_up(error: float) -> float:
        fixed = (
            burn_in(error / 2)
            + 8 * arms**2 * needed**2 * math.log(6 * arms**2 / error)
            + arms**2 * math.log(6 * arms / error)
            + 1
        )
        growing = (
            32 * alpha * arms * needed / hard.smallest_gap**2
            + per_arm.sum()
            + 4 * arms * per_arm[others].max(initial=0.0)
        )
        t, last = fixed, 0.0
        # From below: t -> fixed + growing * ln t contracts towards the least solution.
        while t - last > 1e-12 * t and math.isfinite(t):
            t, last = fixed + growing * math.log(t), t
        return float(np.ceil(t))

    return CcbRegretBound(
        constant=burn_in(delta / 4) + 1 + float(per_arm.sum()) * math.log(warm_up(delta / 2)),
        root=math.sqrt(needed)
        * math.log(2 * arms / delta)
        * float((1 / hard.star_gap[others]).sum()),
        log=hard.ccb_constant,
        warm_up=warm_up(delta),
    )


def regret_bounds(preferences: PreferenceMatrix, units: Units = "mean") -> dict[str, float]:
    """The constants C of the regret bounds C ln T: LB, of any algorithm, and ECWB, of ECW-RMED.

    The regret "sum" is twice the regret "mean" where nothing is tied; with ties the papers' bounds
    do not apply, and the constants are those of the regret "mean", doubled. Constants that are
    infinite are left out.
    """
    scale = 2.0 if units == "sum" else 1.0
    bounds = {"LB": copeland_bound(preferences).value, "ECWB": ecw_bound(preferences).value}
    return {name: scale * value for name, value in bounds.items() if math.isfinite(value)}


def bounds_of(problem: Any, units: str) -> dict[str, float]:
    """Those of :func:`regret_bounds` for a problem of any kind; none if it has no such regret."""
    if units not in get_args(Units) or not hasattr(problem, "regret"):
        return {}
    return regret_bounds(problem, cast("Units", units))


def closest_pair(preferences: PreferenceMatrix) -> tuple[int, int]:
    """The untied pair with the smallest gap; some pair where all are tied."""
    gaps = np.where(preferences.gaps > 0, preferences.gaps, np.inf)
    return divmod(int(np.argmin(gaps)), preferences.arms)


def busiest_pairs(exploration: FloatArray, most: int) -> list[tuple[int, int, float]]:
    """The ``most`` pairs with the most duels per ln T, the busiest first, each with its duels."""
    upper = np.triu(exploration)
    order = np.argsort(-on_grid(upper), axis=None, kind="stable")[:most]
    pairs = [divmod(int(code), len(upper)) for code in order]
    return [(i, j, float(upper[i, j])) for i, j in pairs if upper[i, j] > 0]
