r"""What the learners from sums share: a static allocation, its estimates, and confidence radii.

A static allocation pulls the sets M of a design's support in fixed shares :math:`p_M`, always the
one with the least :math:`T_M / p_M`; so what has been pulled after t rounds is known beforehand
(:func:`cpe_opt.formulations.designs.design.efficient_rounding`). With :math:`A = \sum_M T_M
\chi_M \chi_M^\top` and b the sum of :math:`\chi_M` times rewards, :math:`\hat\theta = A^{-1} b`.

With probability at least :math:`1 - \delta`, for every t and every set M, or every difference of
two, with indicator x,

.. math:: |x^\top (\hat\theta - \theta)| \le C_t \|x\|_{A^{-1}}, \qquad
    C_t = 2\sqrt2 \sigma \sqrt{\ln(6 t^2 K / \pi^2 \delta)}

(Proposition 1), K sets in all, σ such that the reward of a set is σ-sub-Gaussian. As the bound
holds for every t, a learner may look at t on a grid: it pulls blocks that grow by a factor, 1.01 by
default, and overshoots by no more. It looks first after each set of the support has been pulled
once, and after n pulls at least; the paper's n pulls need not make A invertible. Where sets span
less than :math:`\mathbb R^n`, the inverse is that on their span, and :math:`\hat\theta` lies in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias, get_args

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.designs.design import Design, efficient_rounding, span_of
from cpe_opt.formulations.designs.optimal import design_solving, g_design, xy_design
from cpe_opt.formulations.designs.uniform import uniform_design
from cpe_opt.formulations.quadratic.local_search import quadratic_forms
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import PullSets
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.ties import in_bits, on_grid
from cpe_opt.validation import Interval

DesignName: TypeAlias = Literal["g", "xy", "uniform"]
_DESIGN_GAP = 1e-3
_BITS_OF_SHARES = 24


Growth: TypeAlias = Annotated[float, Interval(1, closed="neither")]
"""By which factor a block of pulls is longer than the one before."""


@dataclass(frozen=True, eq=False)
class LeastSquaresFit:
    """What a learner sees when it looks."""

    t: int  # pulls so far
    theta: FloatArray  # the estimate, shape (n,)
    inverse: FloatArray  # of A on the span of the sets, shape (n, n)
    best: tuple[int, ...]  # a best set for the estimate, by cpe_opt.ties.on_grid
    chi: FloatArray  # its indicator, shape (n,)
    value: float  # its estimated value
    support: FloatArray  # the sets that are pulled, shape (S, n)

    def norms(self, vectors: FloatArray) -> FloatArray:
        """The norm by A⁻¹ of every row; shape (rows,)."""
        return np.asarray(np.sqrt(np.maximum(0.0, quadratic_forms(vectors, self.inverse))))


@dataclass(frozen=True)
class Guarantee:
    """What is asked of a learner from sums, checked."""

    margin: float  # how far from the best set the answer may be
    delta: float  # the probability that it is farther
    sigma: float  # the reward of a set is sigma-sub-Gaussian

    def ellipsoid_radius(self, t: int, decisions: DecisionClass) -> float:
        """C_t of Proposition 1, with an upper bound on ln K."""
        log = self._log(t) + decisions.log_count_bound()
        return 2.0 * math.sqrt(2.0) * self.sigma * math.sqrt(log)

    def _log(self, t: int) -> float:
        """Minus the logarithm of a look's part of delta: that at t pulls has 6/(pi t)^2 of it."""
        return math.log(6.0 * t**2 / math.pi**2) - math.log(self.delta)

    def element_radius(self, t: int, size: int) -> float:
        """C_t of Lemma 1, for the bounds of the elements one by one."""
        return self.sigma * math.sqrt(2.0 * (self._log(t) + math.log(size)))


def checked_aim(
    decisions: DecisionClass, margin: float, delta: float, noise: float, sigma: float | None
) -> Guarantee:
    """The aim; sigma is ``rank * noise`` unless given, as in the paper."""
    chosen = decisions.rank * noise if sigma is None else sigma
    return Guarantee(margin, delta, chosen)


def sample_until(
    oracle: SubsetOracle,
    design: Design | DesignName,
    stop: Callable[[LeastSquaresFit], bool],
    *,
    rng: np.random.Generator,
    growth: float,
    solver: str | None = None,
) -> Generator[PullSets, FloatArray, tuple[int, ...]]:
    """Pull a design's sets in blocks until ``stop`` says so at a look; return the best set.

    At a horizon the answer is the best set at the last look; before the first all sets are alike.
    """
    decisions = oracle.decisions
    chosen = _checked_design(decisions, design, rng, solver)
    estimates = _LeastSquares(oracle, chosen)
    # Every set of the support once before the first look: only then is A invertible for certain.
    t = max(decisions.size, len(chosen.weights))
    look: LeastSquaresFit | None = None
    try:
        while True:
            block = estimates.block(t)
            estimates.add(block, (yield PullSets(estimates.sets, tuple(block.tolist()))))
            look = estimates.look(t)
            if stop(look):
                return look.best
            t = max(t + 1, math.floor(t * growth))
    except HorizonReached:
        return best_set(oracle, np.zeros(decisions.size)) if look is None else look.best


def best_set(oracle: SubsetOracle, theta: FloatArray) -> tuple[int, ...]:
    """The best set for these rewards of its elements."""
    best = oracle.maximise(on_grid(theta))
    if best is None:
        raise InputError("the decision class is empty")
    return best


class _LeastSquares:
    """Pulls and sums of a design's sets, and the least squares estimate from them."""

    def __init__(self, oracle: SubsetOracle, design: Design) -> None:
        # Shares that are equal on paper are equal, so that rounding decides no pull.
        vectors, weights = design.vectors, in_bits(design.weights, _BITS_OF_SHARES)
        self.sets = tuple(tuple(np.flatnonzero(row > 0.5).tolist()) for row in vectors)
        self._weights, self._support = weights, vectors
        self._vectors = sp.csr_array(vectors)
        self._products = _products(self.sets, vectors.shape[1])
        # Sets span what they span with the design's weights, too.
        _, sizes, directions = np.linalg.svd(design.information)
        self._basis = directions[sizes > 1e-9 * sizes[0]].T
        self._oracle = oracle
        self._times: IntArray = np.zeros(len(weights), dtype=np.int64)
        self._sums: FloatArray = np.zeros(len(weights))

    def block(self, t: int) -> IntArray:
        """What to pull so that t pulls are made in all."""
        return efficient_rounding(self._weights, t) - self._times

    def add(self, times: IntArray, sums: FloatArray) -> None:
        """Count a block."""
        self._times = self._times + times
        self._sums = self._sums + sums

    def look(self, t: int) -> LeastSquaresFit:
        """The estimate and its best set."""
        basis = self._basis
        information = (self._products @ self._times).reshape(len(basis), len(basis))
        inverse = basis @ np.linalg.inv(basis.T @ information @ basis) @ basis.T
        theta = inverse @ (self._vectors.T @ self._sums)
        best = best_set(self._oracle, theta)
        chi = np.zeros(len(theta))
        chi[list(best)] = 1.0
        return LeastSquaresFit(t, theta, inverse, best, chi, float(theta @ chi), self._support)


def named_design(
    decisions: DecisionClass,
    design: Design | str,
    names: Sequence[str],
    solver: str | None = None,
) -> Design:
    """The design itself, or the G- or XY-optimal one by its name, which is one of ``names``."""
    if isinstance(design, Design):
        return design
    if design not in names:
        raise UnknownName("design", design, names)
    if design == "g":
        solving = design_solving(decisions, "G", solver)
        return g_design(decisions, tolerance=_DESIGN_GAP, **solving)
    solving = design_solving(decisions, "XY", solver)
    return xy_design(decisions, tolerance=_DESIGN_GAP, **solving)


def _products(sets: tuple[tuple[int, ...], ...], size: int) -> sp.csr_array:
    """The matrix that takes pulls of each set to Σ T χχ', flattened; shape (n², sets), exact."""
    cells = [np.add.outer(size * np.array(s), np.array(s)).ravel() for s in sets]
    column = np.repeat(np.arange(len(sets)), [len(cell) for cell in cells])
    row = np.concatenate(cells)
    ones = np.ones(len(row), dtype=np.int64)
    return sp.csr_array((ones, (row, column)), shape=(size * size, len(sets)))


def _checked_design(
    decisions: DecisionClass,
    design: Design | DesignName,
    rng: np.random.Generator,
    solver: str | None,
) -> Design:
    """The design itself or by name, over sets of the class that tell all of them apart."""
    if isinstance(design, str) and design == "uniform":
        return uniform_design(decisions, seed=int(rng.integers(2**31)))
    if isinstance(design, str):
        return named_design(decisions, design, get_args(DesignName), solver)
    for row in named_design(decisions, design, get_args(DesignName)).vectors:
        if not decisions.contains(np.flatnonzero(row > 0.5).tolist()):
            raise InputError(f"the design has an action that is no set of {decisions.name}")
    _, basis = span_of(decisions, np.random.default_rng(0))
    if np.linalg.matrix_rank(design.vectors) < basis.shape[1]:
        raise InputError(f"the design is singular: its sets do not span {decisions.name}")
    return design
