r"""FWS: Frank–Wolfe sampling, the best set from single rewards by one step of the bound a round.

With the shares :math:`\omega = N / t` of the pulls so far the evidence of
:mod:`cpe_opt.learners.subsets.single_rewards` is :math:`t F(\omega)`,

.. math:: F(\omega) = \min_M f_M(\omega), \qquad f_M(\omega) = \frac{\Delta_M^2}
    {2 \sigma^2 \sum_{e \in M \triangle \hat M} 1/\omega_e} ,

which the best shares maximise: :math:`\max F = 1/T^*`. F is concave, with a kink where several
:math:`f_M` are least. After one pull of each element, x = 1/n for each; then in every round:

- stop and answer :math:`\hat M` where :math:`t f_M(\omega)` is enough for every M;
- the direction z is the equal shares where :math:`\lfloor t/n \rfloor` is a square, or where
  another set is as good for the means; else the optimal shares of a matrix game,

  .. math:: z \in \arg\max_{z \ge 0,\ \sum z = 1}\ \min_{M:\ f_M(x) < F(x) + r_t}
      (z - x)^\top \nabla f_M(x), \qquad r_t = t^{-9/10} / n ,

  a linear program, and with a single such M the element with the largest derivative;
- :math:`x \leftarrow x + (z - x)/t`, and the element with the largest :math:`x_e / \omega_e` is
  pulled.

:math:`\partial f_M / \partial \omega_e = f_M\, \omega_e^{-2} / \sum_{M \triangle \hat M} 1/\omega`
for e in :math:`M \triangle \hat M`, 0 for others.

**Theorem.** With a threshold that keeps errors below δ, the answer is wrong with probability at
most δ, and pulls are :math:`T^* \ln(1/\delta)` in the limit :math:`\delta \to 0`, almost surely and
on average (theorem 1 of the paper, which asks that F is the least of finitely many smooth
functions; of a matroid's, those of single exchanges do).

Of a class that is no matroid and has more than 20,000 sets, those that have been found stand for
all in F: sets that the linear oracle finds for each element of :math:`\hat M` whenever pulls have
grown by a tenth, and those by which a proof failed
(:mod:`cpe_opt.learners.subsets.single_rewards`). The answer is wrong with probability at most δ all
the same: no run ends without a proof for all sets. The limit is not proved then: the theorem asks
for every set with a nearly least :math:`f_M` in every round, and a set may be missing until the
oracle is next asked, or, as F is no linear function, until a proof fails by it.

Readings: whether the :math:`\lfloor \cdot \rfloor` is within the root, so that equal shares come n
rounds at a time, is taken from the authors' programs. So is t, the number of pulls before the
round. The threshold is a free choice in the paper; its experiments use
:math:`\ln((1 + \ln t)/\delta)`, ``threshold="heuristic"`` here.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any, Unpack

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached, Unproved, pull_each_once
from cpe_opt.learners.subsets.single_rewards import SingleEvidence, Threshold
from cpe_opt.modelling.builder import ProgramBuilder
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import NotOptimal
from cpe_opt.problems.queries import Batch, Pull
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.solvers.options import SolveOptions, solver_option
from cpe_opt.solvers.registry import require_backend
from cpe_opt.solvers.solve import solve
from cpe_opt.ties import first_largest, on_grid
from cpe_opt.validation import ErrorProbability, Positive


@declare(
    family="subsets",
    goal="identification",
    guarantee="the best set with probability at least 1 - delta; pulls T* ln(1/delta) in the limit"
    " where the class is a matroid or can be listed",
    paper="Wang, Tzeng, Proutiere (NeurIPS 2021), Algorithm 1",
    endless_if="two sets are equally good",
    batches="the first pull of every element; then one query at a time",
)
def fws(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator | None = None,
    delta: ErrorProbability = 0.05,
    noise: Positive = 0.5,
    threshold: Threshold = "proved",
    method: SubsetMethod | None = None,
    solver: str = "highs",
) -> Generator[Pull | Batch, Any, tuple[int, ...] | Unproved]:
    """Find the best set of a decision class with probability at least 1 - delta.

    Parameters
    ----------
    decisions : DecisionClass
        Any; a matroid, such as :class:`cpe_opt.TopK`, or a class of at most 20,000 sets for the
        limit T* ln(1/delta).
    noise : float
        σ: rewards are σ-sub-Gaussian; ½ for rewards in [0, 1].
    threshold : "proved" or "heuristic"
        Of the evidence: with a proof, or the smaller one of the paper's experiments, whose answers
        are not proved.
    method : str, optional
        Of the linear oracle, as for :func:`cpe_opt.best_subset`.
    solver : str
        Of the matrix games, and of the linear oracle where ``method`` is ``"program"``.

    Returns
    -------
    tuple of int
        The set; where the rounds end before it is certain, the best one for the means.

    References
    ----------
    Wang, Tzeng, Proutiere, "Fast Pure Exploration via Frank-Wolfe", NeurIPS 2021, Algorithm 1; the
    authors' programs: github.com/rctzeng/NeurIPS2021-FWS.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = cpe.planted_subsets(5, 2, gap=1.0, noise=0.1, seed=0)
    >>> trace = cpe.simulate("fws", bandit, noise=0.1, seed=0)
    >>> trace.answer, trace.proved
    ((1, 3), True)
    """
    require_backend(solver, "LP")
    size = decisions.size
    oracle = SubsetOracle(
        decisions, method, **solver_option(solver if method == "program" else None)
    )
    evidence = SingleEvidence(oracle, noise, delta, threshold)
    shares = np.full(size, 1.0 / size)
    try:
        yield from pull_each_once(size, evidence.add)
        t = size
        while True:
            if evidence.enough():
                return evidence.answer()
            gaps = evidence.gaps()
            if math.isqrt(t // size) ** 2 == t // size or not gaps.all():
                towards = np.full(size, 1.0 / size)
            else:
                values = evidence.distances(gaps, shares)
                near = np.flatnonzero(values < values.min() + t**-0.9 / size)
                slopes = evidence.gradients(gaps, shares, near)
                towards = steepest(slopes, shares, **solver_option(solver))
            shares = shares + (towards - shares) / t
            element = int(first_largest(shares / evidence.pulls))
            evidence.add(element, float((yield Pull(element))[0]))
            t += 1
    except HorizonReached:
        return evidence.best()


def steepest(slopes: FloatArray, shares: FloatArray, **solving: Unpack[SolveOptions]) -> FloatArray:
    """Shares towards which the least of the linear functions ``slopes`` grows most; shape (n,)."""
    size = len(shares)
    if len(slopes) == 1:
        return np.asarray(np.eye(size)[int(first_largest(slopes[0]))])
    result = solve(game_program(slopes, shares), check=False, **solving)
    if not result.is_optimal or result.x is None:
        raise NotOptimal(result)
    found = np.maximum(0.0, result.x[:size])
    return np.asarray(found / found.sum())


def game_program(slopes: FloatArray, shares: FloatArray) -> LinearProgram:
    """The matrix game: shares ``z``, and ``growth``, the least growth of the functions, ``set``."""
    builder = ProgramBuilder("frank_wolfe_direction", sense="max")
    count, size = slopes.shape
    z = builder.columns("z", size, upper=1.0)
    growth = builder.columns("growth", [()], cost=1.0, lower=-math.inf)
    payoffs = on_grid((slopes - (slopes @ shares)[:, None]) / slopes.max())
    builder.sums("set", count, (payoffs, z), (-1.0, growth), lower=0.0)
    builder.row("total", z, lower=1.0, upper=1.0)
    return builder.build()
