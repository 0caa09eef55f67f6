r"""What pulls prove however they were chosen, even by what was seen before.

Pull t, of a vector :math:`x_t` that may depend on all that was seen before, shows
:math:`x_t^\top \theta` with noise that is 1-sub-Gaussian given it. With
:math:`\Sigma = \sum_t x_t x_t^\top` and the least squares estimate :math:`\hat\theta`, for any
:math:`\lambda > 0`

.. math:: E_\lambda(\theta) = \det(I + \Sigma / \lambda)^{-1/2}
    \exp\Bigl(\tfrac12 \|\Sigma (\hat\theta - \theta)\|^2_{(\Sigma + \lambda I)^{-1}}\Bigr)

is a non-negative supermartingale that starts at 1, where :math:`\theta` is the truth: the mixture
of :math:`e^{\rho^\top S - \rho^\top \Sigma \rho / 2}`, :math:`S = \Sigma (\hat\theta - \theta)`,
over normal :math:`\rho` of covariance :math:`I / \lambda` (Abbasi-Yadkori, Pál, Szepesvári,
"Improved Algorithms for Linear Stochastic Bandits", NeurIPS 2011). So is the mean E of several
:math:`\lambda`, here 1, 8, …, 4096.

**A difference.** For y in the span of the pulls, among all :math:`\theta` with
:math:`y^\top \theta = \mu`,

.. math:: \min_\theta E_\lambda = \det(I + \Sigma/\lambda)^{-1/2}
    e^{(y^\top \hat\theta - \mu)^2 / 2 v_\lambda}, \qquad
    v_\lambda = y^\top (\Sigma^{-1} + \lambda \Sigma^{-2}) y .

The mean of these, with a distance of 0 where :math:`\mu > y^\top \hat\theta`, is
:math:`E_y(\mu)`, convex in :math:`\mu` and never above E. Except with probability :math:`\delta`,
:math:`y^\top \theta \ge \mu` wherever :math:`E_y(\mu) \ge 1/\delta`, for all y at once.

**What is left out, and what is paid.** With the eigenvalues :math:`s_k` of :math:`\Sigma` and its
eigenvectors :math:`u_k`,

.. math:: \ln E_\lambda = \sum_k \Bigl( \frac{s_k^2}{2 (s_k + \lambda)}
    \bigl(u_k^\top (\hat\theta - \theta)\bigr)^2
    - \tfrac12 \ln\bigl(1 + \frac{s_k}\lambda\bigr) \Bigr) .

No squared term is negative, so that any may be left out: what remains is never above
:math:`\ln E_\lambda`, whichever they are and however they were chosen. The directions whose
:math:`s_k` is less than 1e-9 of the largest are left out, as rounding leaves no estimate of them; a
y that is not in the span of the others has no bound. *Their part of the determinant is paid*:
without it, what is left out after the pulls are seen would be a choice among supermartingales. The
determinant is that of eigenvalues raised by what rounding may take off, and the variances of y are
those of eigenvalues lowered by as much.

**Blocks that follow.** Let :math:`M_y(\mu)` be what blocks that were planned before them pay for
:math:`y^\top \theta = \mu` (:mod:`cpe_opt.proofs.blocks`), and J the number of
differences as in :mod:`cpe_opt.proofs.subsets.planned_blocks`. Given the pulls, each
:math:`M_y(y^\top \theta)` starts at 1, so that

.. math:: \tfrac13 \Bigl( \tfrac1J \sum_y M_y + E + E\, \tfrac1J \sum_y M_y \Bigr)

is a supermartingale that starts at 1, too: except with probability :math:`\delta` none of the
differences has
:math:`\tfrac13 (M_y / J + E_y + E_y M_y / J) \ge 1/\delta` at its true value. Pulls that prove
little cost a factor of three, no more.

Everything is in units of the noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray, log_sum
from cpe_opt.proofs.blocks import OwnWeights

LAMBDAS = 8.0 ** np.arange(5)
_SINGULAR, _HIDDEN, _ROUNDING = 1e-9, 1e-12, 1e-9
_EIGENVALUES = 1e-14  # of the largest one and the dimension: what their rounding may be
_NEWTON, _SETTLED = 60, 1e-12
ValueAndSlope: TypeAlias = tuple[FloatArray, FloatArray]
"""The logarithm of something for each row, and its slope in mu."""


class SelfNormalizedBound:
    """The bounds on differences by pulls that were chosen in any way, at least one.

    ``sums``, shape (X,), are of all that was seen of each vector, in units of the noise. ``costs``
    is what each lambda costs, its share in the mean included: the exponent has to exceed it.
    """

    def __init__(self, vectors: FloatArray, times: IntArray, sums: FloatArray) -> None:
        information = vectors.T @ (times[:, None] * vectors)
        sizes, directions = np.linalg.eigh(information)
        lost = _EIGENVALUES * len(sizes) * sizes[-1]
        paid = np.maximum(sizes, 0.0) + lost
        volumes = np.log1p(paid[None, :] / LAMBDAS[:, None]).sum(axis=1) / 2.0
        seen = sizes > _SINGULAR * sizes[-1]
        along = directions[:, seen]
        self._along, self._unseen = along, directions[:, ~seen]
        self._sizes = sizes[seen] - lost
        self._theta = (along / sizes[seen]) @ (along.T @ (vectors.T @ sums))
        self.costs: FloatArray = volumes + math.log(len(LAMBDAS))

    def centres(self, rows: FloatArray) -> FloatArray:
        """The estimate of each row; shape (rows,)."""
        return np.asarray(rows @ self._theta)

    def variances(self, rows: FloatArray) -> FloatArray:
        """``v_lambda`` of each row, infinite outside the span; shape (rows, lambdas)."""
        inside = rows @ self._along
        hidden = ((rows @ self._unseen) ** 2).sum(axis=1) > _HIDDEN
        squares = inside**2 / self._sizes
        plain, more = squares.sum(axis=1), (squares / self._sizes).sum(axis=1)
        variances = plain[:, None] + LAMBDAS * more[:, None]
        variances[hidden] = math.inf
        return np.asarray(variances)

    def lower(self, rows: FloatArray, needed: float) -> FloatArray:
        """The largest mu of each row that has ``ln E >= needed``, or a little less."""
        centres, variances = self.centres(rows), self.variances(rows)
        start = self._alone(centres, variances, needed)
        return _root(start, needed, lambda mu: self._values(mu, centres, variances))

    def lower_with(
        self,
        rows: FloatArray,
        sums: FloatArray,
        information: FloatArray,
        bounds: OwnWeights,
        count: int,
    ) -> FloatArray:
        """The same bounds by these pulls and the blocks that followed, with their S and V."""
        centres, variances = self.centres(rows), self.variances(rows)
        each, mixture = bounds.needed - math.log(count) + math.log(3.0), bounds.mixture
        start = self._alone(centres, variances, each)
        blocks = information > 0.0
        least = mixture.least_sums(information[blocks], each + math.log(count))
        start[blocks] = np.maximum(start[blocks], (sums[blocks] - least) / information[blocks])

        def values(mu: FloatArray) -> ValueAndSlope:
            of_log, log_slope = self._values(mu, centres, variances)
            paid, slope = mixture.values_and_slopes(sums - mu * information, information)
            paid, slope = paid - math.log(count), -information * slope
            parts = np.stack([paid, of_log, paid + of_log])
            value, shares = log_sum(parts, axis=0)
            return value, (shares * np.stack([slope, log_slope, slope + log_slope])).sum(axis=0)

        return _root(start, each, values)

    def _alone(self, centres: FloatArray, variances: FloatArray, needed: float) -> FloatArray:
        """Where the best single lambda has ``needed``: never more than the root."""
        return np.asarray(
            (centres[:, None] - np.sqrt(2.0 * variances * (needed + self.costs))).max(axis=1)
        )

    def _values(self, mu: FloatArray, centres: FloatArray, variances: FloatArray) -> ValueAndSlope:
        below = np.maximum(0.0, centres - mu)[:, None]
        exponents = below**2 / (2.0 * variances) - self.costs
        value, shares = log_sum(exponents)
        return value, -(shares * (below / variances)).sum(axis=-1)


def _root(
    start: FloatArray, needed: float, values: Callable[[FloatArray], ValueAndSlope]
) -> FloatArray:
    """Where a convex falling function is ``needed``, from where it is more, by Newton's method.

    Steps from there never go beyond the root, so that whatever they end with is a bound.
    """
    finite = np.isfinite(start)
    mu = np.where(finite, start, 0.0)
    scale = np.abs(mu)
    for _ in range(_NEWTON):
        value, slope = values(mu)
        steps = np.zeros(len(mu))
        rising = finite & (value > needed) & (slope < 0.0)
        steps[rising] = (needed - value[rising]) / slope[rising]
        mu = mu + steps
        if (steps <= _SETTLED * (scale + np.abs(mu))).all():
            break
    return np.where(finite, mu - _ROUNDING * (scale + np.abs(mu)), -math.inf)
