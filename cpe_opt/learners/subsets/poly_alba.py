r"""PolyALBA: the best set from sums, in a class of any size, by a short list and ALBA.

d is the dimension that the K sets of the class span. A class may have far too many sets to compare
them one by one; so there are two stages:

1. *The short list.* The sets of a design for the whole class, a number polynomial in n, are pulled
   in fixed shares until the d best sets of the estimate are the list: until the estimate of the
   best one leads that of the (d + 1)-th by the width w below. The linear oracle finds these sets
   (:mod:`cpe_opt.formulations.subsets.oracle`).
2. *ALBA* (Tao, Blanco, Zhou 2018) among the sets S on the list. Phase r = 1, 2, … goes on until
   :math:`\max(1, \lfloor d / 2^r \rfloor)` are left. Its rounds have the accuracies
   :math:`\epsilon = w/2, w/4, \dots` with w from the end of the first stage; in each a G-optimal
   design on the sets that are left is pulled anew, and those whose estimate by these pulls alone
   lies more than :math:`\epsilon` behind the best one go.

**Theorem.** The answer is the best set, if there is one, with probability at least
:math:`1 - \delta`.

*Proof.* N pulls in the shares p of a design with a support of s sets are rounded so that none has
fewer than :math:`(N - s) p` of them (Pukelsheim, 1993, chapter 12). So with
:math:`D \ge \max_{x, x'} \|x - x'\|^2_{\Lambda_p^{-1}}` over some sets,
:math:`(x - x')^\top (\hat\theta - \theta)`, N and p fixed beforehand, is sub-Gaussian with
:math:`\sigma^2 D / (N - s)`. Let :math:`x^*` be best.

*Stage 1.* At look j after N pulls

.. math:: w = \sigma \sqrt{\frac{2 D}{N - s} \ln \frac{2 j (j + 1) K}{\delta}} .

If :math:`x^*` is not among the d best, the (d + 1)-th is as good for the estimate, and some x with
:math:`\theta(x) \le \theta(x^*)` leads it by w. Each does with probability at most
:math:`\exp(-w^2 (N - s) / 2 \sigma^2 D)`, all of them :math:`\delta / 2j(j + 1)`; this adds up to
:math:`\delta / 2`.

*Stage 2.* Round i, counted through all phases, has

.. math:: N = s + \Bigl\lceil \frac{2 \sigma^2 D}{\epsilon^2} \ln
    \frac{2 i (i + 1) (|S| - 1)}{\delta} \Bigr\rceil

pulls, D for the sets S that are left. Then :math:`x^*` goes only where one of the
:math:`|S| - 1` others leads it by :math:`\epsilon`, in the same way with probability at most
:math:`\delta / 2i(i + 1)`. ∎

Of a G-optimal design D is at most four times the dimension of the span (Kiefer and Wolfowitz). So
the first stage needs of the order of :math:`\sigma^2 d \ln(K / \delta) / \Delta_{d+1}^2` pulls,
:math:`\Delta_i` being the gap of the i-th best set, and the second
:math:`\sigma^2 \sum_{i \le d} \ln(d / \delta) / \Delta_i^2`, both up to logarithms: the smallest
gaps count once, not d times.

**What is not the paper's.** The texts of Du, Kuroki and Chen (2021) and of Tao, Blanco and Zhou
(2018) could not be had: only the abstracts, what other papers tell of them, and a version of ALBA
in the programs of Fiez et al. (2019), whose phases begin anew as they do here. The two stages are
theirs, the d best sets by an oracle after a static allocation and then ALBA; the constants are not.
Widths and numbers of pulls are derived above, from bounds in one dimension and unions. ALBA's first
accuracy is 1/2 in the unit of rewards; w/2 needs none. An upper bound on ln K is used throughout.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Literal, TypeAlias, get_args

import numpy as np

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.designs.design import Design, efficient_rounding
from cpe_opt.formulations.designs.optimal import g_design
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle, ranked_subsets
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.learners.subsets.static_allocation import (
    Growth,
    Guarantee,
    LeastSquaresFit,
    checked_aim,
    named_design,
    sample_until,
)
from cpe_opt.problems.queries import PullSets
from cpe_opt.problems.subsets.decisions import DecisionClass, indicators
from cpe_opt.solvers.options import solver_option
from cpe_opt.ties import TIE, first_largest, in_bits
from cpe_opt.validation import ErrorProbability, Positive

OptimalDesignName: TypeAlias = Literal["g", "xy"]
_DESIGN_GAP = 1e-3
_BITS_OF_SHARES = 24
_ROUNDING = 1e-6  # of D: what shares lose by these bits, and more
_SINGULAR = 1e-9  # of the largest eigenvalue: less is 0


@declare(
    family="subsets",
    goal="identification",
    guarantee="the best set with probability at least 1 - delta; polynomial time in any class",
    paper="Du, Kuroki, Chen (AAAI 2021), PolyALBA",
    endless_if="two sets are equally good",
)
def poly_alba(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator | None = None,
    delta: ErrorProbability = 0.05,
    noise: Positive = 1.0,
    sigma: Positive | None = None,
    design: Design | OptimalDesignName = "g",
    method: SubsetMethod | None = None,
    solver: str | None = None,
    growth: Growth = 1.2,
) -> Generator[PullSets, FloatArray, tuple[int, ...]]:
    """Find the best set of a decision class from sums with probability at least 1 - delta.

    Parameters
    ----------
    decisions : DecisionClass
        It need not be listed.
    noise, sigma
        As for :func:`cpe_opt.learners.subsets.saqm`.
    design : Design, "g" or "xy"
        Of the first stage: one by :func:`cpe_opt.g_design` or :func:`cpe_opt.xy_design`, or its
        name.
    method, solver : str, optional
        As for :func:`cpe_opt.learners.subsets.icb`.
    growth : float
        By which factor the pulls of the first stage grow between two looks; above 1.

    Returns
    -------
    tuple of int
        The set; where the rounds end before it is certain, the best one that is left for the last
        estimate.

    References
    ----------
    Du, Kuroki, Chen, "Combinatorial Pure Exploration with Full-Bandit or Partial Linear Feedback",
    AAAI 2021.

    Tao, Blanco, Zhou, "Best Arm Identification in Linear Bandits with Linear Dimension Dependency",
    ICML 2018: ALBA.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = cpe.planted_subsets(5, 2, gap=1.0, noise=0.1, seed=0)
    >>> trace = cpe.simulate("poly-alba", bandit, noise=0.1, sigma=0.2, seed=0)
    >>> trace.answer, trace.proved
    ((1, 3), True)
    """
    aim = checked_aim(decisions, 0.0, delta, noise, sigma)
    oracle = SubsetOracle(decisions, method, **solver_option(solver))
    shortlist = Shortlist(oracle, _checked(design, decisions, solver), aim)
    # The generator is for designs that are drawn at random, which these are not.
    unused = np.random.default_rng(0) if rng is None else rng
    best = yield from sample_until(
        oracle, shortlist.design, shortlist.complete, rng=unused, growth=growth
    )
    if not shortlist.sets:
        return best
    vectors = indicators(shortlist.sets, decisions.size)
    return (yield from alba(vectors, shortlist.dimension, shortlist.width, aim))


class Shortlist:
    """The sets that may be best, at most d, best first; ``width`` is w at the last look."""

    def __init__(self, oracle: SubsetOracle, design: Design, aim: Guarantee) -> None:
        self.design, self.sets, self.width = design, list[tuple[int, ...]](), math.inf
        self.dimension = int(np.linalg.matrix_rank(design.vectors))
        self._oracle, self._aim, self._looks = oracle, aim, 0
        # The norm of a difference is at most the sum of two norms.
        self._spread = design.value * (4.0 if design.criterion == "G" else 1.0) * (1.0 + _ROUNDING)

    def complete(self, look: LeastSquaresFit) -> bool:
        """Whether the best set is among the best d of the estimate, with its probability."""
        self._looks += 1
        log = math.log(2.0 * self._looks * (self._looks + 1)) - math.log(self._aim.delta)
        log += self._oracle.decisions.log_count_bound()
        if (sure := look.t - len(self.design.weights)) < 1:
            return False
        self.width = self._aim.sigma * math.sqrt(2.0 * self._spread * log / sure)
        ranked = ranked_subsets(self._oracle, look.theta, self.dimension + 1)
        if len(ranked) > self.dimension and ranked[0][1] - ranked[-1][1] < self.width:
            return False
        self.sets = [members for members, _ in ranked[: self.dimension]]
        return True


def alba(
    vectors: FloatArray, dimension: int, width: float, aim: Guarantee
) -> Generator[PullSets, FloatArray, tuple[int, ...]]:
    """ALBA among the sets of a list, best first for what is known: indicators, shape (sets, n).

    ``dimension`` is d, by which phases count, ``width`` is w; half of the delta is for this stage.
    """
    left, theta = vectors, np.zeros(vectors.shape[1])
    target, rounds = dimension, 0
    try:
        while len(left) > 1:
            target, accuracy = max(1, target // 2), width
            while len(left) > target:
                rounds, accuracy = rounds + 1, accuracy / 2.0
                chosen, times = _round(left, accuracy, 2.0 * rounds * (rounds + 1), aim)
                sets = tuple(tuple(np.flatnonzero(row > 0.5).tolist()) for row in chosen)
                sums = yield PullSets(sets, tuple(times.tolist()))
                theta = least_squares(chosen, times, sums)
                left = left[~led(left @ theta, accuracy)]
    except HorizonReached:
        pass
    return tuple(np.flatnonzero(best_row(left, theta) > 0.5).tolist())


def _round(
    left: FloatArray, accuracy: float, split: float, aim: Guarantee
) -> tuple[FloatArray, IntArray]:
    """What to pull so that no set but the best leads it by the accuracy: δ / split."""
    design = g_design(left, tolerance=_DESIGN_GAP)
    shares = in_bits(design.weights, _BITS_OF_SHARES)
    spread = float(pair_norms(left, span_inverse(design.information)).max())
    spread *= 1.0 + _ROUNDING
    log = math.log(split * (len(left) - 1)) - math.log(aim.delta)
    total = len(shares) + math.ceil(2.0 * aim.sigma**2 * spread * log / accuracy**2)
    return design.vectors, efficient_rounding(shares / shares.sum(), total)


def best_row(vectors: FloatArray, theta: FloatArray) -> FloatArray:
    """The first of the sets that are best for the estimate; shape (n,)."""
    scale = float(np.abs(theta).sum())  # values of sets that add up to 0 are rounding
    return np.asarray(vectors[int(first_largest(vectors @ theta, scale=scale))])


def led(values: FloatArray, margin: float) -> BoolArray:
    """Which sets the best one leads by the margin, or a billionth less; shape (sets,).

    Estimates from whole numbers are often a power of two apart, as margins are.
    """
    return np.asarray(values.max() - values >= margin * (1.0 - TIE))


def least_squares(vectors: FloatArray, times: IntArray, sums: FloatArray) -> FloatArray:
    """The estimate in the span of the sets pulled."""
    inverse = span_inverse(vectors.T @ (times[:, None] * vectors))
    return np.asarray(inverse @ (vectors.T @ sums))


def pair_norms(vectors: FloatArray, inverse: FloatArray) -> FloatArray:
    """The squared norm of every difference of two rows by a matrix; shape (rows, rows)."""
    gram = vectors @ inverse @ vectors.T
    own = np.diag(gram)
    return np.asarray(np.maximum(0.0, own[:, None] + own[None, :] - gram - gram.T))


def span_inverse(information: FloatArray) -> FloatArray:
    """The inverse of a matrix Σ w x xᵀ on what its vectors span, 0 elsewhere; shape (n, n)."""
    return np.asarray(np.linalg.pinv(information, rcond=_SINGULAR, hermitian=True))


def _checked(
    design: Design | OptimalDesignName, decisions: DecisionClass, solver: str | None
) -> Design:
    """The design, or the one of that name; it bounds its criterion."""
    chosen = named_design(decisions, design, get_args(OptimalDesignName), solver)
    if not math.isfinite(chosen.value):
        raise InputError("design has no bound on its criterion, which the width of sets needs")
    return chosen
