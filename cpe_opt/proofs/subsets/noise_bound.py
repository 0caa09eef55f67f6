r"""An upper bound on the noise of one score, from the residuals of least squares.

Line r of a log is the mean of :math:`c_r` scores of one team. With
:math:`y_r = \sqrt{c_r} s_r` and :math:`x_r = \sqrt{c_r} \chi_r`,

.. math:: y_r = x_r^\top \theta + \epsilon_r , \qquad
    \epsilon_r \sim N(0, \sigma^2) \text{ given all lines before.}

The assumptions: **the noise of a score is normal, equally large for all teams and independent of
the past, and** :math:`c_r` **was fixed before its scores were seen.** A team may be chosen by all
scores before. Let :math:`A = \sum_r x_r x_r^\top`, :math:`\hat\theta` least squares, and RSS the
sum of the n squared residuals.

**Teams chosen in any way.** For :math:`\lambda, \kappa > 0`

.. math:: L = (1 + \lambda)^{n/2} \det\Bigl(I + \frac{A}{\kappa (1+\lambda)}\Bigr)^{-1/2}
    \exp\Bigl(-\frac{\lambda}{2\sigma^2} \sum_r \epsilon_r^2 + \frac{1}{2\sigma^2}
    S^\top \Bigl(\frac{A}{1+\lambda} + \kappa I\Bigr)^{-1} S\Bigr), \qquad
    S = \sum_r x_r \epsilon_r ,

is a non-negative martingale that starts at 1: the mixture over u, normal with covariance
:math:`I/\kappa`, of the products of
:math:`\sqrt{1+\lambda}\, e^{-\lambda z^2/2 + b z - b^2/2(1+\lambda)}`, :math:`b = u^\top x_r`, each
of mean 1 for a standard normal :math:`z = \epsilon_r/\sigma`. Now
:math:`\sum_r \epsilon_r^2 = \mathrm{RSS} + d^\top A d` and :math:`S = A d`,
:math:`d = \hat\theta - \theta`. So :math:`2\sigma^2` times the exponent is
:math:`-\lambda\,\mathrm{RSS}` and, for each eigenvalue a of A,
:math:`a^2/(a/(1+\lambda) + \kappa) - \lambda a` times the square of d along it: 0 for a = 0, and
non-negative exactly where :math:`a \ge \rho = \lambda (1+\lambda) \kappa`. If all positive
eigenvalues are at least :math:`\rho`, therefore, whatever :math:`\theta` is,

.. math:: \ln L \ge \frac n2 \ln(1+\lambda) - \frac12 \sum_a \ln\Bigl(1 + \lambda \frac a\rho\Bigr)
    - \frac{\lambda}{2} \frac{\mathrm{RSS}}{\sigma^2} .

A mean of such L with fixed weights on :math:`\lambda` and :math:`\rho` is a martingale, too, and
terms with :math:`\rho > a` are at least 0. By Ville's inequality it is below :math:`1/\eta` at all
times with probability at least :math:`1 - \eta`: then :math:`\mathrm{RSS}/\sigma^2` is at least
the number at which the mean of the bounds is :math:`1/\eta`. In a design whose eigenvalues are all
:math:`\rho` each costs :math:`\tfrac12\ln(1+\lambda)`, as much as a line gains: n less the rank.

**Teams planned before any score.** The recursive residuals, of each line from the least squares
estimate by all lines before, scaled, are independent :math:`N(0, \sigma^2)`, whatever
:math:`\theta` is, and their squares add up to RSS. There are :math:`\nu = n - r` of them, r the
rank, so that

.. math:: (1 + \lambda)^{\nu/2} \exp\Bigl(-\frac{\lambda}{2} \frac{\mathrm{RSS}}{\sigma^2}\Bigr)

is a martingale that starts at 1, and again a mean over :math:`\lambda` is. (The quantile of
:math:`\chi^2_\nu`, which is narrower, holds at one look that was fixed in advance, and at no
other.)

**What it costs.** The bound on sigma divided by that of the quantile of :math:`\chi^2_\nu`, at
:math:`\eta = 0.005`, for all pairs of five members, equally often:

============================================  =====  =====  =====  ======
spare lines :math:`\nu`                           5     20    100    1000
============================================  =====  =====  =====  ======
planned teams                                  1.62   1.30   1.12    1.04
teams chosen in any way                        3.23   1.77   1.24    1.06
============================================  =====  =====  =====  ======

Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of Mathematical
Statistics 41, 1970; Brown, Durbin, Evans, "Techniques for testing the constancy of regression
relationships over time", JRSS B 37, 1975 (recursive residuals); Abbasi-Yadkori, Pál, Szepesvári,
"Improved Algorithms for Linear Stochastic Bandits", NeurIPS 2011 (the mixture over u).
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import FloatArray, log_sum
from cpe_opt.errors import InputError
from cpe_opt.problems.subsets.decisions import indicators
from cpe_opt.problems.subsets.team_scores import TeamScores

SIGMA_SHARE = 0.1
"""Of delta: the probability that an estimated sigma is too small; the rest is for the proof."""
NOISE_ASSUMED = (
    "the noise of scores is normal, equally large for all teams and independent of earlier scores, "
    "and counts were fixed before their scores"
)
"""What every claim takes for granted whose sigma was estimated."""

_LARGEST, _STEP, _LAMBDAS = 64.0, 4.0, 12
_LEVELS = 8  # of rho, below the smallest eigenvalue; lower ones add nothing
_BELOW = 0.99  # rho stays off powers of two, which eigenvalues of designs often are
_ROUNDING = 1e-11
_NO_NOISE = 1e-18
_NEWTON = 100
_SAFE = 1e-9


def largest_sigma(scores: TeamScores, error: float, *, planned: bool = False) -> float:
    """What one score's standard deviation is at most, at all times but with this probability.

    Rounded up to four digits, which are the same on every machine. ``planned`` tells whether all
    teams were chosen before any score was seen. Raises :class:`cpe_opt.InputError` where the log
    has too few lines more than it takes to explain all scores, or its scores are without noise.

    Examples
    --------
    >>> import itertools, numpy as np
    >>> pairs = [[*pair] for pair in itertools.combinations("abcd", 2)] * 5
    >>> log = TeamScores(pairs, np.random.default_rng(0).normal(size=30))
    >>> largest_sigma(log, 0.005), largest_sigma(log, 0.005, planned=True)
    (1.876, 1.603)
    """
    root = np.sqrt(scores.counts)
    sets = indicators(scores.teams, len(scores.members))
    fitted = np.linalg.lstsq(root[:, None] * sets, root * scores.scores, rcond=None)[0]
    left = root * (scores.scores - (sets * fitted).sum(axis=1))
    squares = float((left**2).sum())
    lines, sizes = len(sets), positive_sizes(sets, scores.counts)
    unknown = f"{scores.name}: sigma, the standard deviation of a team's score, is not known, and "
    if lines == len(sizes) or squares <= _NO_NOISE * float(
        (scores.counts * scores.scores**2).sum()
    ):
        raise InputError(
            f"{unknown}{lines} lines do not tell it, for what members add explains all of them; "
            "give sigma: 0.5 is enough for scores from 0 to 1"
        )
    mixture = planned_mixture(lines - len(sizes)) if planned else adaptive_mixture(lines, sizes)
    least = least_ratio(*mixture, -math.log(error) if error > 0.0 else math.inf)
    if least <= 0.0:
        raise InputError(
            f"{unknown}{lines} lines do not bound it with an error of {error:.3g}: only "
            f"{lines - len(sizes)} are more than it takes to explain all of them; give sigma, or "
            "more lines"
        )
    limit = math.sqrt(squares / least)
    unit = 10.0 ** (math.floor(math.log10(limit)) - 3)
    return float(f"{math.ceil(limit / unit) * unit:.4g}")


def noise_assumed(*, given: bool, planned: bool) -> str:
    """What a claim takes for granted of noise, whether its sigma was given or estimated.

    The bound for planned teams is that of one block, looked at once. Of normal noise the estimate
    by all scores is independent of what those by fewer differ from it, so that S of the block
    moves in independent steps, and it may be looked at after each.
    """
    if not given:
        return NOISE_ASSUMED
    often = ", and normal if one looks more than once" if planned else ""
    return f"the noise of a score is sigma-sub-Gaussian{often}"


def adaptive_mixture(lines: int, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    r"""The bound's terms for teams that were chosen in any way: their logarithms and lambdas.

    Weights are :math:`2^{-j-1}` on :math:`\lambda = 64/4^j`, :math:`j \ge 0`, and
    :math:`\tfrac23 / (|m|+1)(|m|+2)` on :math:`\rho = 0.99 \cdot 2^m`, m any whole number. The
    ``sizes`` are the positive eigenvalues of A, up to a rounding that is taken against the claim.
    The mixture is at least the sum of ``exp(logs - lambdas * ratio / 2)``, where ``ratio`` is RSS
    by the square of sigma.
    """
    slack = _ROUNDING * float(sizes.sum())
    least, sizes = float(sizes.min()) - slack, sizes + slack
    logs, lambdas = planned_mixture(lines)
    if least <= 0.0:
        return logs[:0], lambdas[:0]
    top = math.floor(math.log2(least / _BELOW))
    terms = []
    for level in range(top, top - _LEVELS, -1):
        weight = 2.0 / 3.0 / ((abs(level) + 1) * (abs(level) + 2))
        rho = _BELOW * 2.0**level
        volumes = np.log1p(lambdas[:, None] * sizes / rho).sum(axis=1) / 2.0
        terms.append(logs + math.log(weight) - volumes)
    return np.concatenate(terms), np.tile(lambdas, _LEVELS)


def planned_mixture(spare: int) -> tuple[FloatArray, FloatArray]:
    """The same for teams that were planned, of n - r spare lines."""
    place = np.arange(_LAMBDAS, dtype=np.float64)
    lambdas: FloatArray = _LARGEST / _STEP**place
    return spare / 2.0 * np.log1p(lambdas) - (place + 1.0) * math.log(2.0), lambdas


def least_ratio(logs: FloatArray, lambdas: FloatArray, needed: float) -> float:
    """The ratio at which a mixture is ``exp(needed)``, or a little less; at most 0 for none.

    Its logarithm is convex and falls, so that steps by Newton's method from a single term's ratio,
    where it is at least as much, never go beyond.
    """
    if not len(logs) or not math.isfinite(needed):
        return 0.0
    ratio = float((2.0 * (logs - needed) / lambdas).max())
    for _ in range(_NEWTON):
        logarithm, shares = log_sum(logs - lambdas * ratio / 2.0)
        value, slope = float(logarithm), float(shares @ lambdas) / 2.0
        if value - needed <= _ROUNDING:
            break
        ratio += (value - needed) / slope
    return ratio - _SAFE * abs(ratio)


def positive_sizes(sets: FloatArray, counts: FloatArray) -> FloatArray:
    """The positive eigenvalues of A, as many as its rank; shape (r,).

    Floating point cannot tell a small eigenvalue from 0. The rank is that of a matrix of whole
    numbers, and is found exactly where one is in doubt.
    """
    sizes = np.linalg.eigvalsh(sets.T @ (counts[:, None] * sets))
    if sizes[0] > _ROUNDING * sizes.sum():
        return np.asarray(sizes)
    return np.asarray(sizes[len(sizes) - exact_rank(np.unique(sets, axis=0)) :])


def exact_rank(sets: FloatArray) -> int:
    """The rank of a matrix of whole numbers, by elimination without fractions (Bareiss 1968).

    Of the matrix of inner products, whose remainders are positive semidefinite: any diagonal entry
    other than 0 is a pivot, and without one the remainder is 0.
    """
    left = np.rint(sets.T @ sets).astype(np.int64).astype(object)
    rank, last = 0, 1
    while len(left):
        chosen = int(np.argmax(np.diag(left) != 0))
        pivot = left[chosen, chosen]
        if pivot == 0:
            break
        others = np.arange(len(left)) != chosen
        product = np.outer(left[others, chosen], left[chosen, others])
        left = (left[np.ix_(others, others)] * pivot - product) // last
        rank, last = rank + 1, pivot
    return rank
