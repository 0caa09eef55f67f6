r"""E-values: how strongly votes on a pair speak against "i does not beat j".

Let i have won w of N duels against j, ties half a win. Whoever bets a share :math:`2\rho` of his
stake on i at even odds, each time, turns a stake of 1 into

.. math:: (1 + 2\rho)^w (1 - 2\rho)^{N - w}, \qquad 0 < \rho \le \tfrac12 .

Where i does not beat j, :math:`\mu_{ij} \le \frac12`, every duel multiplies the stake by at most 1
on average, given all duels before it and whatever rule chose it: the stake is a non-negative
supermartingale. (A duel with outcome :math:`y \in [0, 1]` multiplies it by
:math:`(1 + 2\rho)^y (1 - 2\rho)^{1-y} \le 1 + 2\rho(2y - 1)`, by the inequality of means.) So is a
mixture of such stakes, the *e-value*

.. math:: E_{ij} = \sum_k w_k (1 + 2\rho_k)^w (1 - 2\rho_k)^{N-w}, \qquad \sum_k w_k = 1,

which therefore exceeds :math:`1/\delta` at any time with probability at most :math:`\delta`
(Ville). Where i does beat j, it grows about as :math:`e^{N d_{KL}(\mu_{ij}, 1/2)}`, like the best
stake.

The grid is geometric in the log-odds :math:`\theta = \ln\frac{1/2 + \rho}{1/2 - \rho}`, from 6 down
to 1e-4 in steps of 15 %, and has :math:`\rho = \frac12`, certain wins. Its weights are alike down
to :math:`\theta = 0.02` (a probability of 0.505) and fall in proportion to :math:`\theta` below.
Between two points a rate of growth is lost of at most 0.5 %, and where N duels have an evidence of
9 nats the mixture costs 2.4 of them at any gap, where that of Krichevsky and Trofimov over all of
[0, 1] costs 5.4 at a gap of 0.012 and 3.3 at one of 0.1.

**Another null**, :math:`\mu_{ij} \le c`: the factors are :math:`p/c` for a win and
:math:`(1-p)/(1-c)` for a loss, with p > c of the same grid of log-odds, from those of c on.

**Votes in clusters** (:mod:`cpe_opt.problems.clusters`): an outcome is the mean
:math:`y \in [0, 1]` of a cluster's votes on the pair. With :math:`g_k > 1 > b_k` what a win and a
loss multiply a stake by, :math:`c\,g_k + (1-c)\,b_k = 1`, a bet is the straight line through both,

.. math:: E_{ij} = \sum_k w_k \prod_{\text{clusters}} \bigl(y\, g_k + (1 - y)\, b_k\bigr) ,

whose mean is at most 1 for an outcome with a mean of c at most, whatever its variance. Where
clusters are large, their means vary less than single votes do, and the best stake is a larger one.
The power :math:`g^y b^{1-y}`, by which ties are counted, is never above the line.

**Sums of e-values** may be too large for a floating-point number: a proof at :math:`\delta` asks a
mixture of e-values for :math:`1/\delta`, up to 1e306, and each of them may be larger still, or as
small as what is left of a lost bet. They are added up as :math:`E\, e^{-300}`, those above
:math:`e^{980}` taken for as much, and those below :math:`e^{-400}` as well. The first makes a
mixture smaller. The second may raise it by 1e-173, far less than the step by which evidence is
rounded down (:func:`cpe_opt.ties.just_below`).
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray, log_sum
from cpe_opt.problems.clusters import Outcomes
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.ties import just_below

_LARGEST, _SMALLEST, _STEP = 6.0, 1e-4, 1.15
_ALIKE = 0.02
_CERTAIN_LOSS = -1e6  # ln(1 - 2 rho) for a rho just below 1/2
_GRID = 2.0**-24
_MANY = 4096  # entries at once
_SHIFT, _LEAST, _MOST = 300.0, -400.0, 980.0
ONE = math.exp(-_SHIFT)
"""The number 1, scaled."""


@cache
def _grid(null: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Ln of the weights, and of what a win and a loss multiply each stake by."""
    points = 1 + math.floor(math.log(_LARGEST / _SMALLEST) / math.log(_STEP))
    odds = _LARGEST * _STEP ** -np.arange(points, dtype=np.float64)
    weights = np.append(1.0, np.minimum(1.0, odds / _ALIKE))
    log_weights = np.log(weights / weights.sum())
    # p / c and (1 - p) / (1 - c) with the log-odds of p that much above those of c.
    growth = np.expm1(odds)
    on_win = np.log1p(growth * (1.0 - null) / (1.0 + growth * null))
    return (
        log_weights,
        np.append(-math.log(null), on_win),
        np.append(_CERTAIN_LOSS, -np.log1p(growth * null)),
    )


def log_e_values(won: FloatArray, lost: FloatArray, null: float = 0.5) -> FloatArray:
    """``ln E`` of "wins with probability c, the null, at most", to 2^-24; 0 without duels."""
    if won.size > _MANY:  # most counts are those of others, too
        counts = np.stack(np.broadcast_arrays(won, lost), axis=-1)
        distinct, place = np.unique(
            counts.reshape(-1, 2).view(np.complex128).ravel(), return_inverse=True
        )
        parts = np.array_split(distinct, 1 + len(distinct) // _MANY)
        found = np.concatenate([_log_e(part.real, part.imag, null) for part in parts])
        return np.asarray(found[place].reshape(won.shape))
    return _log_e(won, lost, null)


def _log_e(won: FloatArray, lost: FloatArray, null: float) -> FloatArray:
    weight, on_win, on_loss = _grid(null)
    stakes = won[..., None] * on_win + lost[..., None] * on_loss + weight
    return np.where(won + lost > 0.0, just_below(log_sum(stakes)[0], _GRID), 0.0)


def log_stakes_of_outcomes(
    outcomes: Outcomes, first: IntArray, second: IntArray, null: float = 0.5
) -> FloatArray:
    """What bets on ordered pairs have become, in logarithms without weights; (n, stakes)."""
    _, on_win, on_loss = _grid(null)
    arms = 1 + max(int(each.max()) for each in (first, second, outcomes.second) if len(each))
    row = np.full(arms * arms, -1)
    row[first * arms + second] = np.arange(len(first))
    found = np.zeros((len(first), len(on_win)))
    for i, j, shares in (
        (outcomes.first, outcomes.second, outcomes.share),
        (outcomes.second, outcomes.first, 1.0 - outcomes.share),
    ):
        rows = row[i * arms + j]
        asked = rows >= 0
        rows, share, times = rows[asked], shares[asked], outcomes.times[asked]
        for k, (win, loss) in enumerate(zip(on_win.tolist(), on_loss.tolist(), strict=True)):
            line = share * math.exp(win) + (1.0 - share) * math.exp(loss)
            logs = np.where(share > 0.0, np.log(np.where(share > 0.0, line, 1.0)), loss)
            found[:, k] += np.bincount(rows, times * logs, minlength=len(first))
    return found


def log_e_of_stakes(stakes: FloatArray, null: float = 0.5) -> FloatArray:
    """``ln E`` from the logarithms of bets without their weights, which are on the last axis."""
    return just_below(log_sum(stakes + _grid(null)[0])[0], _GRID)


def log_e_of_votes(votes: Votes, null: float = 0.5) -> FloatArray:
    """``ln E_ij`` of "i wins with at most the null", of clusters in the mean; (K, K)."""
    if votes.counts.outcomes is None:
        return log_e_values(votes.proving_wins, votes.proving_wins.T, null)
    wins = votes.proving_wins
    first, second = np.nonzero(wins + wins.T)
    log_e = np.zeros_like(wins)
    stakes = log_stakes_of_outcomes(votes.counts.outcomes, first, second, null)
    log_e[first, second] = log_e_of_stakes(stakes, null)
    return log_e


def scaled_e_values(log_e: FloatArray) -> FloatArray:
    """The scaled numbers of these logarithms, of the same shape."""
    return np.asarray(np.exp(np.minimum(np.maximum(log_e, _LEAST), _MOST) - _SHIFT))


def unscaled(numbers: FloatArray) -> FloatArray:
    """The logarithms of what was scaled, of the same shape."""
    return np.asarray(np.log(numbers) + _SHIFT)


def log_bet(e: FloatArray, number: npt.ArrayLike) -> FloatArray:
    """``ln(1 + (E - 1)/n)`` of scaled E: that of a bet of a share 1/n."""
    count = np.asarray(number, dtype=np.float64)
    return unscaled((e + (count - 1.0) * ONE) / count)
