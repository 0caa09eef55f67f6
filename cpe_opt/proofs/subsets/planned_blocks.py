r"""What is proved of sets after blocks of pulls, how many are missing, and the next block.

**Theorem.** Let :math:`L_y` be the bound :math:`(S - s(V)) / V` on :math:`y^\top \theta` of
:mod:`cpe_opt.proofs.blocks`, weights its own, with :math:`\delta / J` in place of :math:`\delta`.
Except with probability :math:`\delta`, at all times and for every answer :math:`\hat M`, no set is
better than :math:`\hat M` by more than

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
19.4 for the best 10 of 36.

**The next block.** For a difference y with the estimate :math:`\hat\Delta` of all pulls about

.. math:: S + \hat\Delta R \ge \sqrt{L (V + R)}, \qquad L = 2 (\ln(J/\delta) + 3)

is needed, where 3 is what the mixture costs. R solves it with equality, the block's design
minimises :math:`\max_y R_y \|y\|^2_{\Lambda^{-1}}`
(:mod:`cpe_opt.formulations.designs.block_designs`), and that is how many pulls are missing. Where
pulls are few :math:`\hat\Delta^2` is raised by the variance of the estimate, so that the first
designs treat all differences alike that are not known better; none of the R is taken below a
twentieth of what is needed in all. With :math:`\delta` small R is
:math:`L / \hat\Delta^2`, and designs those of the characteristic time. The first block is that of a
design which tells all sets apart.

Pulls from before the first block that may have been chosen by what was seen count as
:mod:`cpe_opt.proofs.subsets.adaptive_samples` says: R is then the least of the one without them, at
:math:`L + 2 \ln 3`, and of those that take them for a block, at L and :math:`2 \ln 3` and twice
what each of their :math:`\lambda` costs.

The code is in units of σ.
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.block_designs import BlockDesign
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.subsets.alternatives import MOST_ALTERNATIVES, best_on_grid, exchange_rows
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.proofs.blocks import BlockMixture, OwnWeights, Pace
from cpe_opt.proofs.subsets.adaptive_samples import SelfNormalizedBound

SET_MIXTURE = BlockMixture.of_range(largest=2.0, smallest=1e-6, alike=0.003)
MIXTURE_COST = 3.0
"""About what a mixture costs, in nats, as ln(1/δ) is."""
_FIRST = 4  # pulls a dimension
_PACE = Pace()
_LEAST_NEED = 0.05
_SINGULAR = 1e-9
_ALONG = 1e-5  # of a vector: what is more than the rounding of directions


class PlannedBlocks:
    """The estimate, the proof, and the plan of the next block.

    Rewards and the margin are in units of sigma. ``loss`` is by how much a set may be better than
    ``best``, ``missing`` what the pulls cost that were missing when the last block was planned.
    """

    def __init__(
        self,
        oracle: SubsetOracle,
        differences: Differences,
        design: BlockDesign,
        delta: float,
        margin: float,
    ) -> None:
        self._oracle, self._differences, self._design = oracle, differences, design
        self._margin = margin
        self._bounds = differences.bounds(delta)
        self._before: SelfNormalizedBound | None = None
        self._information: FloatArray = np.zeros((oracle.size, oracle.size))
        self._inverse: FloatArray = np.zeros((oracle.size, oracle.size))
        self._weighted: FloatArray = np.zeros(oracle.size)
        self._theta: FloatArray = np.zeros(oracle.size)
        self._sums: FloatArray = np.zeros(0)
        self._precisions: FloatArray = np.zeros(0)
        self._spent = 0.0
        self.best = best_on_grid(oracle, self._theta)
        self.loss = self.missing = math.inf

    @property
    def finished(self) -> bool:
        """Whether no other set can be better than the answer by more than the margin."""
        return self.loss <= self._margin

    @property
    def vectors(self) -> FloatArray:
        """Those that the next block can pull; shape (X, n)."""
        return self._design.vectors

    def count(self, planned: IntArray, sums: FloatArray) -> None:
        """Count a block: the estimate, and what is proved, are those after it."""
        self._add(self._design.vectors, planned, sums)
        self._estimate(float(planned @ self._design.prices))

    def recall(
        self, vectors: FloatArray, times: IntArray, sums: FloatArray, *, planned: bool
    ) -> None:
        """Count pulls from before the first block; what is proved is known where they span all.

        Vectors may be of no set of the class. What is along none of its sets is left out of those
        that are nothing else, or nothing else but rounding.
        """
        inside = vectors @ self._design.basis @ self._design.basis.T
        along, across = (np.abs(each) > _ALONG for each in (inside, vectors - inside))
        mixed = along.any(axis=1) & across.any(axis=1)
        inside[mixed] = vectors[mixed]
        if not planned:
            self._before = SelfNormalizedBound(inside, times, sums)
        self._add(inside, times, sums, proves=planned)
        self._estimate(float(times.sum()) * float(self._design.prices.mean()))

    def _add(
        self, vectors: FloatArray, times: IntArray, sums: FloatArray, *, proves: bool = True
    ) -> None:
        information, weighted = vectors.T @ (times[:, None] * vectors), vectors.T @ sums
        if proves:
            self._bounds.add(*least_squares(information, weighted))
        self._information += information
        self._weighted += weighted

    def _estimate(self, cost: float) -> None:
        """The estimate and what is proved, unless pulls do not tell all sets apart."""
        theta, inverse, unseen = least_squares(self._information, self._weighted)
        if (np.abs(unseen.T @ self._design.basis) > _ALONG).any():
            return
        self._theta, self._inverse = theta, inverse
        self._spent += cost
        self.best = best_on_grid(self._oracle, self._theta)
        rows = self._differences.rows(self.best)
        self._sums, self._precisions = self._bounds.sums(rows)
        if self._before is None:
            lower = self._bounds.lower(self._sums, self._precisions)
        else:
            told = (self._sums, self._precisions, self._bounds, self._differences.count)
            lower = self._before.lower_with(rows, *told)
        self.loss = self._differences.loss(self.best, lower)

    def plan(self, parallel: int = 1) -> IntArray:
        """The pulls of the next block, so many at least."""
        design = self._design
        if not self._spent:
            first = _FIRST * design.dimension * float(design.prices.mean())
            return design.block(first, parallel)
        rows = self._differences.rows(self.best)
        self.missing = design.balance(np.sqrt(self._needs(rows))[:, None] * rows)
        return design.block(_PACE.cost(self._spent, self.missing), parallel)

    def _needs(self, rows: FloatArray) -> FloatArray:
        """R of each difference; shape (rows,)."""
        allowed = self._margin / self._differences.share
        gaps = rows @ self._theta + allowed
        slope = np.sqrt(gaps**2 + quadratic_forms(rows, self._inverse))
        sums = self._sums + allowed * self._precisions
        level = 2.0 * (self._bounds.needed + MIXTURE_COST)
        if self._before is None:
            return missing_precision(slope, sums, self._precisions, level)
        level += 2.0 * math.log(3.0)
        needs = missing_precision(slope, sums, self._precisions, level)
        centres = self._before.centres(rows) + allowed
        variances = self._before.variances(rows).T
        for variance, cost in zip(variances, self._before.costs, strict=True):
            more = 1.0 / variance
            with_them = missing_precision(
                slope, sums + more * centres, self._precisions + more, level + 2.0 * cost
            )
            needs = np.minimum(needs, with_them)
        return needs


def least_squares(
    information: FloatArray, weighted: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The estimate, the inverse of A on the span of the pulls, and columns that span the rest."""
    sizes, directions = np.linalg.eigh(information)
    seen = sizes > _SINGULAR * sizes[-1]
    along = directions[:, seen]
    inverse = (along / sizes[seen]) @ along.T
    return inverse @ weighted, inverse, directions[:, ~seen]


def missing_precision(
    slope: FloatArray, sums: FloatArray, precision: FloatArray, level: float
) -> FloatArray:
    """R of differences with these estimates, S and V, at this L."""
    in_all = level / slope**2
    half = sums / slope - in_all / 2.0
    left = sums**2 / slope**2 - in_all * precision
    more = np.sqrt(np.maximum(0.0, half**2 - left)) - half
    # With enough already the root is no need.
    more = np.where((left >= 0.0) & (sums > 0.0), 0.0, more)
    return np.asarray(np.maximum(_LEAST_NEED * in_all, more))


class TooManySets(InputError):
    """The class is no matroid, and has more sets than are listed."""


class Differences:
    """The differences that an answer must be proved by; ``some`` is any set of the class."""

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

    def bounds(self, delta: float) -> OwnWeights:
        """The bounds by blocks on all of them at once, but with probability delta."""
        return OwnWeights(SET_MIXTURE, math.log(self.count) - math.log(delta))

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
        from scipy.optimize import linear_sum_assignment  # slow to load

        worst = np.maximum(0.0, -lower)
        if self._pairs is None or not worst.any():
            return float(worst.max())
        weights = np.zeros((len(best), self._decisions.size))
        weights[self._pairs] = worst
        matched = linear_sum_assignment(weights, maximize=True)
        return float(weights[matched].sum())
