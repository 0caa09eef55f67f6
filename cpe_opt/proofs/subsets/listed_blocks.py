r"""What blocks of observations prove of sets, in one dimension at a time.

A *block* is a plan made before it begins: how often each of some vectors x is pulled, so that
:math:`A = \sum x x^\top` is known beforehand. A pull shows :math:`x^\top \theta` with noise that is
:math:`\sigma`-sub-Gaussian given all that was before; x is the indicator of a set where its sum is
seen, and a unit vector where single rewards are. With the least squares estimate
:math:`\hat\theta` of the block alone, for any y in the span of its vectors,

.. math:: X = y^\top \hat\theta, \qquad v = \sigma^2 y^\top A^{-1} y

are an unbiased estimate of :math:`y^\top \theta` and its variance proxy: X is a sum of observations
with coefficients :math:`y^\top A^{-1} x` that the plan fixes, whose squares add up to
:math:`v / \sigma^2`. The bounds of :mod:`cpe_opt.proofs.mixture` hold for it, from all
blocks so far, the plan of each made by those before.

**Theorem.** Let :math:`L_y` be the bound :math:`(S - s(V)) / V` on :math:`y^\top \theta` with
:math:`\ln(J/\delta)` in place of :math:`\ln(1/\delta)`. Except with probability :math:`\delta`,
at all times and for every answer :math:`\hat M`, no set is better than :math:`\hat M` by more than

- *listed classes*: :math:`\max_M -L_y` with :math:`y = \chi_{\hat M} - \chi_M`, and J = K - 1, one
  less than the number of sets;
- *matroids*: the largest weight of a matching of elements e of :math:`\hat M` with elements f that
  they may be exchanged for, each pair of weight :math:`\max(0, -L_y)`,
  :math:`y = \chi_e - \chi_f`, and J = k(n - k).

*Proof.* Fix a best set :math:`M^\circ` of the truth. In the first case there are K - 1 other sets M
that may be answered, and each :math:`\theta(M) - \theta(M^\circ) > L_y` except with probability
:math:`\delta / J`. In the second there are k(n - k) pairs of e outside :math:`M^\circ` and f
inside, for which :math:`\theta_f - \theta_e < -L_y` alike. Let :math:`\hat M` be any other base.
There is a matching of :math:`\hat M \setminus M^\circ` with :math:`M^\circ \setminus \hat M`, each
pair (e, f) of which is an exchange of :math:`\hat M` (Brualdi 1969) and one of those pairs;
:math:`\theta(M^\circ) - \theta(\hat M)` is the sum of its :math:`\theta_f - \theta_e`. ∎

The union is over what may be answered where the truth is fixed, not over all pairs of sets. For
matroids it is over exchanges: ln J is 2.8 in place of 4.2 for the best 4 of 8, and 5.6 in place of
19.4 for the best 10 of 36. After n pulls in the proportions q the exponent against y is
:math:`n (y^\top\theta)^2 / 2 \sigma^2 \|y\|^2_{\Lambda_q^{-1}}`, that of the characteristic time.

The code is in units of σ.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.optimize as so

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.subsets.alternatives import MOST_ALTERNATIVES, exchange_rows
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.proofs.mixture import BlockMixture
from cpe_opt.proofs.subsets.adaptive_samples import SelfNormalizedBound

_MIXTURE = BlockMixture.of_range(largest=2.0, smallest=1e-6, alike=0.003)
_ROUNDING = 1e-9


class TooManySets(InputError):
    """The class is no matroid, and has more sets than are listed."""


class Differences:
    """The differences that an answer must be proved by.

    Parameters
    ----------
    decisions : DecisionClass
        A matroid, or a class that can be listed.
    some : tuple of int
        Any set of it.

    Attributes
    ----------
    count : int
        J, at least 1.

    Raises
    ------
    TooManySets
    """

    def __init__(self, decisions: DecisionClass, some: tuple[int, ...]) -> None:
        self._decisions = decisions
        self._listed: FloatArray | None = None
        if decisions.exchanges(some) is None:
            try:
                self._listed = decisions.indicator_matrix(MOST_ALTERNATIVES)
            except InputError:
                raise TooManySets(
                    f"{decisions.name} is no matroid and has more than {MOST_ALTERNATIVES:,} sets, "
                    "too many to prove an answer from sums against each: 'poly-alba' needs no list"
                ) from None
            self.count = max(1, len(self._listed) - 1)
        else:
            self.count = max(1, len(some) * (decisions.size - len(some)))
        self._best: tuple[int, ...] = ()
        self._pairs: tuple[np.ndarray, ...] | None = None
        self._rows: FloatArray = np.zeros((0, decisions.size))

    @property
    def share(self) -> int:
        """Into how many parts an allowed loss is split at worst."""
        return 1 if self._listed is not None else self._decisions.rank

    def rows(self, best: tuple[int, ...]) -> FloatArray:
        """The y that the answer is to be proved against; shape (some, n)."""
        if best == self._best:
            return self._rows
        self._best, size = best, self._decisions.size
        if self._listed is not None:
            rows = indicators([best], size) - self._listed
            self._rows = np.asarray(rows[rows.any(axis=1)])
            return self._rows
        pairs = self._decisions.exchanges(best)
        assert pairs is not None
        self._rows = exchange_rows(pairs, size)
        self._pairs = (np.searchsorted(np.array(best), pairs[:, 0]), pairs[:, 1])
        return self._rows

    def loss(self, best: tuple[int, ...], lower: FloatArray) -> float:
        """By how much another set may be better, at most, where L of each row is ``lower``."""
        self.rows(best)
        if not lower.size:
            return 0.0
        worst = np.maximum(0.0, -lower)
        if self._pairs is None or not worst.any():
            return float(worst.max())
        weights = np.zeros((len(best), self._decisions.size))
        weights[self._pairs] = worst
        matched = so.linear_sum_assignment(weights, maximize=True)
        return float(weights[matched].sum())


class ListedBlocks:
    """The estimates of all blocks, and the bounds :math:`L_y` that they give.

    Parameters
    ----------
    differences : Differences
    delta : float

    Attributes
    ----------
    needed : float
        The logarithm of J/delta.
    before : SelfNormalizedBound or None
        Pulls from before the first block, chosen in any way.
    """

    def __init__(self, differences: Differences, delta: float) -> None:
        self.needed = math.log(differences.count) - math.log(delta)
        self.before: SelfNormalizedBound | None = None
        self._count = differences.count
        self._blocks: list[tuple[FloatArray, FloatArray, FloatArray | None]] = []

    def add(self, theta: FloatArray, inverse: FloatArray, hidden: FloatArray | None = None) -> None:
        """Count a block."""
        self._blocks.append((theta, inverse, hidden))

    def sums(self, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
        """S and V of each row y; shape (rows,)."""
        sums, information = np.zeros(len(rows)), np.zeros(len(rows))
        for theta, inverse, hidden in self._blocks:
            variance = quadratic_forms(rows, inverse)
            if hidden is not None:
                variance[quadratic_forms(rows, hidden) > _ROUNDING] = math.inf
            precision = 1.0 / variance
            sums += precision * (rows @ theta)
            information += precision
        return sums, information

    def lower(self, rows: FloatArray, sums: FloatArray, information: FloatArray) -> FloatArray:
        """L of rows with these S and V, a little less so that rounding decides nothing."""
        if self.before is not None:
            needed = self.needed - math.log(self._count)
            return self.before.lower_with(rows, sums, information, _MIXTURE, self._count, needed)
        least = _MIXTURE.least_sums(information, self.needed)
        numerators = sums - least - _ROUNDING * (np.abs(sums) + least)
        return np.asarray(numerators / information)
