r"""What is proved after blocks of pulls, how many are missing, and what the next block pulls.

For a difference y of :math:`\hat M` with the estimate :math:`\hat\Delta` and the sums S and V of
the blocks so far, about

.. math:: S + \hat\Delta R \ge \sqrt{L (V + R)}, \qquad L = 2 (\ln(J/\delta) + 3)

is needed, where 3 is what the mixture costs. R solves it with equality, the block's design
minimises :math:`\max_y R_y \|y\|^2_{\Lambda^{-1}}`
(:mod:`cpe_opt.formulations.designs.block_designs`), and that is how many pulls are missing. Where
pulls are few :math:`\hat\Delta^2` is raised by the variance of the estimate, so that the first
designs treat all differences alike that are not known better; none of the R is taken below a
twentieth of what is needed in all. With :math:`\delta` small R is
:math:`L / \hat\Delta^2`, and designs those of the characteristic time.

Pulls from before the first block that may have been chosen by what was seen count as
:mod:`cpe_opt.proofs.subsets.adaptive_samples` says: R is then the least of the one without them, at
:math:`L + 2 \ln 3`, and of those that take them for a block, at L and :math:`2 \ln 3` and twice
what each of their :math:`\lambda` costs.

The first block is that of a design which tells all sets apart. Later ones are as large as
:mod:`cpe_opt.proofs.mixture` says.

**What blocks of single pulls prove of a class too large to list, by two kinds of weights.**

Block b is planned before it begins: :math:`n_{be} \ge 1` pulls of each element, and its weight
:math:`w_b`. Its means are :math:`\hat\theta_b`. For a difference y of two sets, with entries -1, 0
and 1, :math:`y^\top \hat\theta_b` is an unbiased estimate of :math:`y^\top \theta`, and its
variance proxy is :math:`\sum_{e \in y} 1/n_{be}` (in units of σ). So with

.. math:: S_y = \sum_b w_b\, y^\top \hat\theta_b, \qquad W = \sum_b w_b, \qquad
          V_y = \sum_{e \in y} a_e, \qquad a_e = \sum_b \frac{w_b^2}{n_{be}} ,

:math:`e^{\rho (S_y - W y^\top \theta) - \rho^2 V_y / 2}` is a non-negative supermartingale that
starts at 1, for every :math:`\rho`; and so are mixtures of these, also with the sign of y turned.
By Ville's inequality and a union over J differences, with s(V) as in
:mod:`cpe_opt.proofs.mixture` for :math:`\ln (J/\delta)`,

.. math:: y^\top \theta > \frac{S_y - s(V_y)}W

at all times and for all of them, except with probability δ. J is one less than the number of sets,
as above. Here the weights are the same for all y
(:class:`WeightedBlocks`), so that :math:`S_y` is linear in the indicator of a set, and :math:`V_y`
is: a linear oracle can go through all sets. The weight that is planned with a block minimises the
largest :math:`\sqrt{2 L V_y} / W - \hat\Delta_y` after it, over the differences that are known.

**Weights of its own.** The bound of listed classes weights blocks by
what they tell of y (:class:`OwnWeights`),

.. math:: S^*_y = \sum_b \frac{y^\top \hat\theta_b}{v_b(y)}, \qquad
          V^*_y = \sum_b \frac1{v_b(y)}, \qquad v_b(y) = \sum_{e \in y} \frac1{n_{be}} .

The two are the same where blocks have the same proportions and :math:`w_b` is how large they are.
Else it is the better one, by a factor of about two in pulls, but it is no function of few sums, so
that it can be computed only for sets that are named.

**Both at once.** At :math:`(1 - \gamma) \delta` the first bound fails for some y with probability
:math:`(1 - \gamma) \delta` at most, at :math:`\gamma \delta` the second one with probability
:math:`\gamma \delta`. So except with probability δ both hold at all times for all y, and any set
may be told apart by either. Those for which the first is not enough are few near the end of a run:
the search by the oracle meets them one after another, and goes on without those that the second
tells apart.

**Concave.** The logarithm of the mixture is convex in S and V, and the points where it is at most
:math:`\ln (J/\delta)` are a convex set, of which s(V) is the upper end: s is concave, and below its
tangents. These are linear in the set once more, which is what
:mod:`cpe_opt.proofs.subsets.optimistic_gap` asks for.

**What blocks of observations prove of sets, in one dimension at a time.**

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

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.block_designs import BlockDesign
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.subsets.alternatives import MOST_ALTERNATIVES, best_on_grid, exchange_rows
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.proofs.mixture import BlockMixture, Pace
from cpe_opt.proofs.subsets.adaptive_samples import SelfNormalizedBound
from cpe_opt.ties import first_smallest

_FIRST = 4  # pulls a dimension
_PACE = Pace()
_LEAST_NEED = 0.05
_SINGULAR = 1e-9


class PlannedBlocks:
    """The estimate, the proof, and the plan of the next block.

    Parameters
    ----------
    oracle : SubsetOracle
    differences : Differences
    design : BlockDesign
    delta : float
    margin : float
        In units of sigma, as all rewards.
    parallel : int
        A block has at least so many pulls.

    Attributes
    ----------
    best : tuple of int
        The best set of the estimate.
    loss : float
        By how much another one may be better.
    missing : float
        The cost of the pulls that were missing when the last block was planned, if estimates stay.
    """

    def __init__(
        self,
        oracle: SubsetOracle,
        differences: Differences,
        design: BlockDesign,
        delta: float,
        margin: float,
        parallel: int,
    ) -> None:
        self._oracle, self._differences, self._design = oracle, differences, design
        self._margin, self._parallel = margin, parallel
        self._bounds = ListedBlocks(differences, delta)
        size = oracle.size
        self._information: FloatArray = np.zeros((size, size))
        self._weighted: FloatArray = np.zeros(size)
        self._inverse_of_all: FloatArray = np.zeros((size, size))
        self._theta: FloatArray = np.zeros(size)
        self._sums: FloatArray = np.zeros(0)
        self._precision: FloatArray = np.zeros(0)
        self._spent = 0.0
        self._planned_for: tuple[int, ...] = ()
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
        design = self._design
        self._add(design.vectors, planned, sums)
        self._estimate(float(planned @ design.prices))

    def recall(
        self, vectors: FloatArray, times: IntArray, sums: FloatArray, *, planned: bool
    ) -> None:
        """Count pulls from before the first block; what is proved is known where they span all."""
        inside = vectors @ self._design.basis @ self._design.basis.T
        if not planned:
            self._bounds.before = SelfNormalizedBound(inside, times, sums)
        hidden = self._add(inside, times, sums, proves=planned)
        if hidden is None:
            self._estimate(float(times.sum()) * float(self._design.prices.mean()))

    def _add(
        self, vectors: FloatArray, times: IntArray, sums: FloatArray, *, proves: bool = True
    ) -> FloatArray | None:
        """Count a block; the projection on what its vectors do not span, where there is any."""
        basis = self._design.basis
        information = vectors.T @ (times[:, None] * vectors)
        weighted = vectors.T @ sums
        sizes, directions = np.linalg.eigh(basis.T @ information @ basis)
        seen = sizes > _SINGULAR * sizes[-1]
        along = basis @ directions[:, seen]
        inverse = (along / sizes[seen]) @ along.T
        hidden = None if seen.all() else basis @ basis.T - along @ along.T
        if proves:
            self._bounds.add(inverse @ weighted, inverse, hidden)
        self._information = self._information + information
        self._weighted = self._weighted + weighted
        return hidden

    def _estimate(self, cost: float) -> None:
        """The estimate and what is proved."""
        self._inverse_of_all = self._inverse(self._information)
        self._theta = self._inverse_of_all @ self._weighted
        self._spent += cost
        self.best = best_on_grid(self._oracle, self._theta)
        rows = self._differences.rows(self.best)
        self._sums, self._precision = self._bounds.sums(rows)
        lower = self._bounds.lower(rows, self._sums, self._precision)
        self.loss = self._differences.loss(self.best, lower)

    def plan(self) -> IntArray:
        """The pulls of the next block."""
        design = self._design
        if not self._spent:
            first = _FIRST * design.dimension * float(design.prices.mean())
            return design.block(first, self._parallel)
        rows = self._differences.rows(self.best)
        self.missing = design.balance(
            np.sqrt(self._needs(rows))[:, None] * rows, self._planned_for == self.best
        )
        self._planned_for = self.best
        return design.block(_PACE.cost(self._spent, self.missing), self._parallel)

    def _needs(self, rows: FloatArray) -> FloatArray:
        """R of each difference; shape (rows,)."""
        allowed = self._margin / self._differences.share
        gaps = rows @ self._theta + allowed
        slope = np.sqrt(gaps**2 + quadratic_forms(rows, self._inverse_of_all))
        sums = self._sums + allowed * self._precision
        level = 2.0 * (self._bounds.needed + MIXTURE_COST)
        before = self._bounds.before
        if before is None:
            return missing_precision(slope, sums, self._precision, level)
        level += 2.0 * math.log(3.0)
        needs = missing_precision(slope, sums, self._precision, level)
        centres = before.centres(rows) + allowed
        for variance, cost in zip(before.variances(rows).T, before.costs, strict=True):
            more = 1.0 / variance
            with_them = missing_precision(
                slope, sums + more * centres, self._precision + more, level + 2.0 * cost
            )
            needs = np.minimum(needs, with_them)
        return needs

    def _inverse(self, information: FloatArray) -> FloatArray:
        basis = self._design.basis
        return np.asarray(basis @ np.linalg.inv(basis.T @ information @ basis) @ basis.T)


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


# What blocks of single pulls prove of a class too large to list, by two kinds of weights.


_MIXTURE = BlockMixture.of_range(largest=2.0, smallest=1e-6, alike=0.003)
_TYPICAL = 4.0  # elements in which two sets differ that are near: the unit of ρ
_FACTORS = np.geomspace(0.05, 20.0, 49)
_ROUNDING = 1e-9
MIXTURE_COST = 3.0
"""About what a mixture costs, in nats, as ln(1/δ) is."""


class WeightedBlocks:
    """Weighted sums of the means of blocks, and the radii of sets by them.

    Parameters
    ----------
    size : int
        n.
    needed : float
        The logarithm of J/δ.

    Attributes
    ----------
    needed : float
        As given.
    weight : float
        W.
    """

    def __init__(self, size: int, needed: float) -> None:
        self.needed, self.weight = needed, 0.0
        self._sums: FloatArray = np.zeros(size)
        self._variances: FloatArray = np.zeros(size)

    def weight_of(
        self, elements: IntArray, times: IntArray, different: FloatArray, gaps: FloatArray
    ) -> float:
        """A weight for a planned block, good for the differences that are known."""
        usual = float(times.mean()) / _TYPICAL
        if not self.weight or not len(gaps):
            return usual
        weights = usual * _FACTORS
        before, block = different @ self._variances, different[:, elements] @ (1.0 / times)
        variances = before[:, None] + block[:, None] * weights**2
        radii = np.sqrt(2.0 * (self.needed + MIXTURE_COST) * variances) / (self.weight + weights)
        return float(weights[first_smallest((radii - gaps[:, None]).max(axis=0))])

    def add(self, elements: IntArray, times: IntArray, means: FloatArray, weight: float) -> None:
        """Count a block."""
        self.weight += weight
        self._sums[elements] += weight * means
        self._variances[elements] += weight**2 / times

    @property
    def means(self) -> FloatArray:
        """Those of the blocks, weighted; shape (n,)."""
        return np.asarray(self._sums / self.weight)

    @property
    def features(self) -> FloatArray:
        """The a of the elements, which those of a difference add up to V; shape (n, 1)."""
        return self._variances[:, None]

    def precisions(self, different: FloatArray) -> FloatArray:
        """One over the variance of the estimates of differences; shape (sets,)."""
        return np.asarray(self.weight**2 / (different @ self._variances))

    def radii(self, sums: FloatArray) -> FloatArray:
        """s(V)/W, a little more; shape (sets,) for V of shape (sets, 1)."""
        return np.asarray(_MIXTURE.least_sums(sums[:, 0], self.needed) * self._share)

    def places(self, sums: FloatArray) -> FloatArray:
        """V: where the line of a set touches."""
        return np.asarray(sums[:, 0])

    def lines(self, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Tangents of s(V)/W."""
        constants, slopes = _MIXTURE.tangents(places, self.needed)
        return constants * self._share, slopes[:, None] * self._share

    @property
    def _share(self) -> float:
        """1/W, a little more so that rounding decides nothing."""
        return (1.0 + _ROUNDING) / self.weight


class OwnWeights:
    """The means of blocks, weighted for each difference by what they tell of it.

    Parameters
    ----------
    needed : float
        The logarithm of J over the part of δ that this bound is at.
    """

    def __init__(self, needed: float) -> None:
        self.needed = needed
        self._means: list[FloatArray] = []
        self._variances: list[FloatArray] = []

    def add(self, elements: IntArray, times: IntArray, means: FloatArray, size: int) -> None:
        """Count a block, as :meth:`WeightedBlocks.add`."""
        for kept, values in ((self._means, means), (self._variances, 1.0 / times)):
            kept.append(np.zeros(size))
            kept[-1][elements] = values

    def sums(self, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
        """S and V of differences, none of 0; shapes (sets,)."""
        precisions = 1.0 / (np.abs(rows) @ np.array(self._variances).T)
        return (
            np.asarray((precisions * (rows @ np.array(self._means).T)).sum(axis=1)),
            np.asarray(precisions.sum(axis=1)),
        )

    def tell(self, rows: FloatArray, margin: float) -> BoolArray:
        """Of which differences the bound says that they are above minus the margin."""
        told, different = np.zeros(len(rows), np.bool_), rows.any(axis=1)
        sums, information = self.sums(rows[different])
        least = _MIXTURE.least_sums(information, self.needed)
        rounding = _ROUNDING * (np.abs(sums) + least)
        told[different] = sums - least - rounding >= -margin * information
        return told


# What blocks of observations prove of sets, in one dimension at a time.


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
