r"""A sequential test of two arms, by bets that are placed where the user says that it matters.

**The question.** The first arm plays pairs of games against the second: two games from one opening
with colours reversed, or one vote. What it gets in pair t, the mean of the two, is
:math:`y_t \in \{0, \frac14, \frac12, \frac34, 1\}`, with a distribution that is unknown and may
change; let :math:`m_t = E(y_t \mid y_1, \dots, y_{t-1})`. For two *means* low < high the nulls are
*not better*, :math:`m_t \le low` for all t, and *not worse*, :math:`m_t \ge high` for all t. Where
pairs are independent with the mean m, as where each opening is drawn at random, these are m ≤ low
and m ≥ high. How the two games of a pair depend on each other does not matter.

**Two bets.** With stakes :math:`0 \le \lambda_t \le 1/low` and
:math:`0 \le \kappa_t \le 1/(1 - high)` that are fixed before pair t is seen, let

.. math:: F_n = \prod_{t \le n} \bigl(1 + \lambda_t (y_t - low)\bigr), \qquad
          G_n = \prod_{t \le n} \bigl(1 + \kappa_t (high - y_t)\bigr).

**Theorem.** Say "better than low" once :math:`F_n \ge 1/\alpha`, "worse than high" once
:math:`G_n \ge 1/\beta`. Where the first arm is not better, the first is ever said with probability
at most :math:`\alpha`; where it is not worse, the second is with probability at most :math:`\beta`;
whatever the distribution of the pairs, and however often one looks. *Proof.* A factor of F is at
least 0, and its mean given the pairs before is :math:`1 + \lambda_t (m_t - low) \le 1` under the
first null. So F is a non-negative supermartingale that begins at 1, and by Ville's inequality it
ever reaches :math:`1/\alpha` with probability at most :math:`\alpha`. G is the same of
:math:`1 - y_t`, :math:`1 - high`. Only one of the nulls can be true, since low < high: anything
false is said with probability at most :math:`\max(\alpha, \beta)`.

**The stake** is to grow F fastest if the mean is just high. Let :math:`\hat p` be the distribution
of the pairs so far, with a quarter of one added to each of the five outcomes, and
:math:`p_k \propto \hat p_k e^{\theta y_k}` the nearest to it with the mean high. Then
:math:`\lambda_t` maximises :math:`\sum_k p_k \ln(1 + \lambda (y_k - low))`, and :math:`\kappa_t` is
the same of the other side. Stakes are chosen anew when pairs have become more by a part, and leave
a part of the money, so that no outcome ends the bet. With the variance :math:`\sigma^2` of a pair
and a small difference d = high - low both are about :math:`d/\sigma^2`, and :math:`\ln F` and
:math:`-\ln G` about :math:`\sum_t (y_t - \frac12 (low + high))\,d/\sigma^2`: the log-likelihood
ratio (LLR) of the generalised sequential probability ratio test, whose bounds
:math:`\ln((1 - \beta)/\alpha)`, :math:`\ln(\beta/(1 - \alpha))` are nearly these. So it takes about
as many pairs (:func:`expected_pairs`).

**Counts without their order.** Where pairs are told by their counts alone, stakes cannot learn. For
pairs that are drawn independently from one distribution there is another proof. Let c be halfway
between low and high, and :math:`q_t = (y_t - c)^2 / \max(c, 1 - c)^2 \in [0, 1]`. Its unknown mean
is in one of the cells :math:`[r^{-g-1}, r^{-g}]`, the last of which begins at 0. With the stake
:math:`\lambda_g` for the variance at the upper end of cell g, the same for all pairs, let
:math:`E_g = (1 - \rho) \prod_t (1 + \lambda_g (y_t - low)) + \rho R_g`, where :math:`R_g` is the
mean of :math:`\prod_t (1 - s + s\,q_t r^{g})` and
:math:`\prod_t (1 - s + s (1 - q_t)/(1 - r^{-g-1}))` over several s in (0, 1). *Theorem.* If the
first arm is not better than low, :math:`\min_g E_g` ever reaches :math:`1/\alpha` with probability
at most :math:`\alpha`. *Proof.* In the cell that has the mean of q the factors of :math:`R_g` have
means of at most 1, as those of the other product have; so this :math:`E_g` is a supermartingale
that begins at 1, and the least of all is no more. Worse than high is the same from the other side.
The other cells are refuted soon, by :math:`R_g`: it takes about a tenth more pairs than with stakes
that learn, and a third to a half where 90 % of games are draws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.ties import in_bits, just_below

SCORES: FloatArray = np.arange(5.0) / 4.0
"""What the first arm can get in a pair of games."""
_GRID = 2.0**-24
_BITS = 20


@dataclass(frozen=True)
class _Tuning:
    """Numbers that decide how soon something is proved, and nothing of what is."""

    added: float = 0.25  # pairs added to each outcome; double: 3 % more pairs if 90 % are draws
    renewed: float = 1 / 32  # by which part pairs grow between stakes; double: 1 % more pairs
    kept: float = 2.0**-10  # of the money that no stake risks; double: not to be seen
    cell: float = 1.2  # r, by which cells of variances differ; double: 15 % more pairs by counts
    cells: int = 26  # of them; fewer: more pairs by counts where almost all are draws
    refuted: float = 0.03  # rho; double: 2 % more pairs by counts
    stakes: int = 8  # s = 2^-k, of each side; fewer: 5 % more pairs by counts


_TUNING = _Tuning()


def checked_means(low: float, high: float) -> None:
    """Raise :class:`InputError` unless 0 < low < high < 1."""
    if not 0.0 < low < high < 1.0:
        raise InputError(
            f"low is {low:.10g} and high is {high:.10g}, expected shares, 0 < low < high < 1: "
            "to be proved is that the mean is above low, or that it is below high"
        )


class TwoArmBets:
    """The logarithms of F and G of the pairs so far, rounded down to multiples of 2^-24."""

    def __init__(self, low: float, high: float) -> None:
        checked_means(low, high)
        self.low, self.high = low, high
        self.counts: FloatArray = np.zeros(5)
        self.evidence = 0.0, 0.0
        self._renewed_at = -1.0

    def add(self, score: float) -> None:
        """Count a pair of which the first arm got this share."""
        pairs = float(self.counts.sum())
        if pairs > self._renewed_at and pairs >= self._renewed_at * (1.0 + _TUNING.renewed):
            weights, self._renewed_at = self.counts + _TUNING.added, pairs
            self._better = growth_optimal_stake(weights, self.low, self.high)
            self._worse = growth_optimal_stake(weights[::-1], 1.0 - self.high, 1.0 - self.low)
        gains = self._better * (score - self.low), self._worse * (self.high - score)
        better, worse = (self.evidence + just_below(np.log1p(gains), _GRID)).tolist()
        self.evidence = better, worse
        self.counts[round(4.0 * score)] += 1.0


def log_evidence_of_counts(counts: FloatArray, low: float, high: float) -> tuple[float, float]:
    """The logarithms of the least E of all cells, that it is better, and that it is worse."""
    centre = (low + high) / 2.0
    unit = max(centre, 1.0 - centre) ** 2
    top = _TUNING.cell ** -np.arange(float(_TUNING.cells))
    bottom = np.append(top[1:], 0.0)
    q = (SCORES - centre) ** 2 / unit
    share = (1.0 - _TUNING.kept) * 2.0 ** -np.arange(float(_TUNING.stakes))[:, None, None]
    above, below = q / top[:, None], (1.0 - q) / (1.0 - bottom)[:, None]
    of_stakes = np.log1p(np.concatenate([share * (above - 1.0), share * (below - 1.0)])) @ counts
    refuted = np.logaddexp.reduce(of_stakes) + math.log(_TUNING.refuted / len(of_stakes))

    def least(seen: FloatArray, null: float) -> float:
        stake = np.minimum((high - low) / (top * unit), (1.0 - _TUNING.kept) / null)
        gained = np.log1p(stake[:, None] * (SCORES - null)) @ seen + math.log1p(-_TUNING.refuted)
        return float(just_below(np.logaddexp(gained, refuted).min(), _GRID))

    return least(counts, low), least(counts[::-1], 1.0 - high)


def growth_optimal_stake(weights: FloatArray, low: float, high: float) -> float:
    """The best against a mean of at most ``low``, where positive weights are tilted to ``high``."""
    from scipy.optimize import brentq

    def tilted(theta: float) -> FloatArray:
        logs = np.log(weights) + theta * SCORES
        raw = np.exp(logs - logs.max())
        return np.asarray(raw / raw.sum())

    theta = brentq(lambda theta: float(tilted(theta) @ SCORES) - high, -1e4, 1e4, xtol=1e-10)
    p, gain = tilted(theta), SCORES - low

    def slope(stake: float) -> float:
        return float(p @ (gain / (1.0 + stake * gain)))

    most = (1.0 - _TUNING.kept) / low
    stake: float = most if slope(most) >= 0.0 else brentq(slope, 0.0, most, xtol=1e-12)
    return min(most, float(in_bits(stake, _BITS)))


def expected_pairs(
    mean: float, low: float, high: float, variance: float, up: float, down: float
) -> float:
    r"""How many pairs it takes on average until ln F has risen by ``up``, or fallen by ``down``.

    As for a Brownian motion of drift :math:`(m - c)\,d/\sigma^2`, variance :math:`d^2/\sigma^2`,
    c halfway, d = high - low. With h = 2(m - c)/d it rises so far first with probability
    :math:`p = (1 - e^{-h\,down})/(1 - e^{-h(up + down)})`.
    """
    unit, h = variance / (high - low) ** 2, (2.0 * mean - low - high) / (high - low)
    if h < 0.0:
        up, down, h = down, up, -h
    h = max(h, 1e-6)
    rises = math.expm1(-h * down) / math.expm1(-h * (up + down))
    return ((up + down) * rises - down) * 2.0 * unit / h


def share_of_elo(elo: float) -> float:
    """The mean score of an arm that is so many Elo stronger."""
    return float(1.0 / (1.0 + 10.0 ** (-elo / 400.0)))


def elo_of_share(share: float) -> float:
    """By how many Elo an arm with this mean score is stronger; infinite at 0 and 1."""
    with np.errstate(divide="ignore"):
        return float(400.0 * (np.log10(share) - np.log10(1.0 - share)))
