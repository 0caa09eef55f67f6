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
"""

from __future__ import annotations

import math

import numpy as np

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.designs.block_designs import BlockDesign
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.subsets.alternatives import best_on_grid
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.proofs.mixture import Pace
from cpe_opt.proofs.subsets.adaptive_samples import SelfNormalizedBound
from cpe_opt.proofs.subsets.listed_blocks import Differences, ListedBlocks
from cpe_opt.proofs.subsets.weighted_blocks import MIXTURE_COST

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
