r"""A sequential test of two arms, by bets that are placed where the user says that it matters.

**The question.** The first arm plays pairs of games against the second: two games from the same
opening with colours reversed, or one vote, or one question in both orders. What it gets in pair t,
the mean of the two games, is :math:`y_t \in \{0, \frac14, \frac12, \frac34, 1\}`. Let
:math:`m_t = E(y_t \mid y_1, \dots, y_{t-1})`, whose distribution is unknown and may change. For
two *means* low < high the nulls are

- *not better*: :math:`m_t \le low` for all t;
- *not worse*: :math:`m_t \ge high` for all t.

Where pairs are independent with the same mean m, as where each opening is drawn at random, these
are m ≤ low and m ≥ high. How the two games of a pair depend on each other does not matter.

**Two bets.** With stakes :math:`0 \le \lambda_t \le 1/low` and
:math:`0 \le \kappa_t \le 1/(1 - high)` that are fixed before pair t is seen, let

.. math:: F_n = \prod_{t \le n} \bigl(1 + \lambda_t (y_t - low)\bigr), \qquad
          G_n = \prod_{t \le n} \bigl(1 + \kappa_t (high - y_t)\bigr).

**Theorem.** Say "better than low" once :math:`F_n \ge 1/\alpha`, "worse than high" once
:math:`G_n \ge 1/\beta`, and stop at the first of both. Where the first arm is not better, the first
is ever said with probability at most :math:`\alpha`; where it is not worse, the second is with
probability at most :math:`\beta`; whatever the distribution of the pairs, and however often one
looks. *Proof.* A factor of F is at least 0, and its mean given the pairs before is
:math:`1 + \lambda_t (m_t - low) \le 1` under the first null. So F is a non-negative supermartingale
that begins at 1, and by Ville's inequality it ever reaches :math:`1/\alpha` with probability at
most :math:`\alpha`. G is the same of :math:`1 - y_t`, :math:`1 - high`. Only one of the nulls can
be true, since low < high: what is said is wrong with probability at most
:math:`\max(\alpha, \beta)`. Between low and high both sayings are true.

**The stake** is to grow F fastest if the mean is just high. Let :math:`\hat p` be the distribution
of the pairs so far, with half a pair added to each of the five outcomes, and
:math:`p_k \propto \hat p_k e^{\theta y_k}` that of the mean high: of all distributions with this
mean the nearest to :math:`\hat p`. Then :math:`\lambda_t` maximises
:math:`\sum_k p_k \ln(1 + \lambda (y_k - low))`, a concave function. :math:`\kappa_t` is the same of
the other side. Stakes are chosen anew when the pairs have become more by a part, not at each pair:
a stake by fewer pairs is a stake that is fixed before. They leave a part of the money, so that no
outcome ends the bet.

With the variance :math:`\sigma^2` of a pair and a small difference d = high - low both stakes are
about :math:`d/\sigma^2`, and :math:`\ln F` and :math:`-\ln G` about

.. math:: \sum_t \frac{d}{\sigma^2} \Bigl(y_t - \frac{low + high}{2}\Bigr),

the log-likelihood ratio (LLR) of the generalised sequential probability ratio test (GSPRT), whose
bounds :math:`\ln((1 - \beta)/\alpha)`, :math:`\ln(\beta/(1 - \alpha))` are nearly these. So it
takes about as many pairs, by Wald's formulas (:func:`expected_pairs`).

**Counts without their order.** Where several pairs are told by their counts :math:`c_k` alone, the
bet on them is a mixture, with weights that are fixed before, of stakes that are the same on each:
:math:`\sum_g w_g \prod_k (1 + \lambda_g (y_k - low))^{c_k}`. It does not depend on the order, so
that it is what bets on one pair after the other would make, and the theorem holds of it, too. The
stakes :math:`\lambda_g` are those for pairs of several variances; not knowing which costs about
another nat. Counts at later looks are bet on with the stake that follows from those before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.ties import in_bits, just_below

SCORES: FloatArray = np.arange(5.0) / 4.0
"""What the first arm can get in a pair of games."""
_GRID = 2.0**-24
_BITS = 30


@dataclass(frozen=True)
class _Tuning:
    """Numbers that decide how soon something is proved, and nothing of what is."""

    added: float = 0.5  # pairs added to each outcome; double: 5 % more pairs where 90 % are draws
    renewed: float = 1 / 32  # by which part pairs grow between stakes; double: 1 % more pairs
    kept: float = 2.0**-10  # of the money that no stake risks; double: not to be seen
    # Variances of a pair that stakes on unordered counts are for, 2^-g/2: from that of one vote to
    # that of pairs of games with 90 % draws.
    variances: tuple[float, ...] = tuple(2.0 ** (-g / 2) for g in range(4, 13))


_TUNING = _Tuning()


def checked_means(low: float, high: float) -> None:
    """Raise :class:`InputError` unless 0 < low < high < 1."""
    if not 0.0 < low < high < 1.0:
        raise InputError(
            f"low is {low:.10g} and high is {high:.10g}, expected two shares, 0 < low < high < 1: "
            "what is not to be said falsely is that the mean is above low, or below high"
        )


class TwoArmBets:
    """The logarithms of F and G of the pairs so far, rounded down to multiples of 2^-24."""

    def __init__(self, low: float, high: float) -> None:
        checked_means(low, high)
        self.low, self.high = low, high
        self.counts: FloatArray = np.zeros(5)
        self.log_better = self.log_worse = 0.0
        self._renewed_at = -1.0
        self._better, self._worse = [0.0] * 5, [0.0] * 5

    def add(self, outcome: int) -> None:
        """Count a pair in which the first arm got ``SCORES[outcome]``."""
        self._renew()
        self.log_better += self._better[outcome]
        self.log_worse += self._worse[outcome]
        self.counts[outcome] += 1.0

    def add_look(self, counts: FloatArray) -> None:
        """Count pairs whose order is not known: how many there are of each outcome."""
        if self.counts.any():
            self._renew()
            self.log_better += float(counts @ self._better)
            self.log_worse += float(counts @ self._worse)
        else:
            self.log_better = _log_mixture(counts, self.low, self.high)
            self.log_worse = _log_mixture(counts[::-1], 1.0 - self.high, 1.0 - self.low)
        self.counts = self.counts + counts

    def state(self) -> FloatArray:
        """All that it knows, as numbers."""
        stakes = [*self._better, *self._worse, self._renewed_at]
        return np.array([*self.counts.tolist(), self.log_better, self.log_worse, *stakes])

    def restore(self, state: FloatArray) -> None:
        """Go on from a state."""
        self.counts = state[:5].copy()
        self.log_better, self.log_worse = state[5:7].tolist()
        self._better, self._worse = state[7:12].tolist(), state[12:17].tolist()
        self._renewed_at = state.item(17)

    def _renew(self) -> None:
        """Choose both stakes by the pairs so far, where these have become more by a part."""
        pairs = float(self.counts.sum())
        if pairs < self._renewed_at * (1.0 + _TUNING.renewed) or pairs == self._renewed_at:
            return
        weights, self._renewed_at = self.counts + _TUNING.added, pairs
        better = growth_optimal_stake(weights, self.low, self.high)
        worse = growth_optimal_stake(weights[::-1], 1.0 - self.high, 1.0 - self.low)
        self._better = _log_factors(better, self.low).tolist()
        self._worse = _log_factors(worse, 1.0 - self.high)[::-1].tolist()


def growth_optimal_stake(weights: FloatArray, low: float, high: float) -> float:
    """The best stake against a mean of at most ``low``, where it is ``high``.

    ``weights`` are those of the five outcomes, all of them positive, which are tilted to that mean.
    """
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
    low: float, high: float, alpha: float, beta: float, variance: float
) -> FloatArray:
    r"""How many pairs the test takes if the mean is low, halfway, or high, by Wald's formulas.

    With :math:`a = \ln(1/\alpha)`, :math:`b = \ln(1/\beta)` and d = high - low:
    :math:`((1 - \alpha) b - \alpha a)\,2\sigma^2/d^2`, :math:`ab\,\sigma^2/d^2` and
    :math:`((1 - \beta) a - \beta b)\,2\sigma^2/d^2`, for a difference d that is small.
    """
    a, b, unit = -math.log(alpha), -math.log(beta), variance / (high - low) ** 2
    at_low, at_high = (1.0 - alpha) * b - alpha * a, (1.0 - beta) * a - beta * b
    return unit * np.array([2.0 * at_low, a * b, 2.0 * at_high])


def share_of_elo(elo: float) -> float:
    """The mean score of an arm that is so many Elo stronger."""
    return 1.0 / (1.0 + 10.0 ** (-elo / 400.0))


def elo_of_share(share: float) -> float:
    """By how many Elo an arm with this mean score is stronger; infinite at 0 and 1."""
    return (
        math.copysign(math.inf, share - 0.5)
        if share in (0.0, 1.0)
        else 400.0 * math.log10(share / (1.0 - share))
    )


def _log_factors(stake: float, low: float) -> FloatArray:
    """The logarithm of the factor of each outcome, rounded down."""
    return just_below(np.log1p(stake * (SCORES - low)), _GRID)


def _log_mixture(counts: FloatArray, low: float, high: float) -> float:
    """The logarithm of the mixture of stakes on pairs without their order, rounded down."""
    most = (1.0 - _TUNING.kept) / low
    stakes = [min(most, (high - low) / variance) for variance in _TUNING.variances]
    logs = np.array([counts @ np.log1p(stake * (SCORES - low)) for stake in stakes])
    return float(just_below(np.logaddexp.reduce(logs) - math.log(len(logs)), _GRID))
