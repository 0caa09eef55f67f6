r"""COCI: the best decision for separable rewards, by its certainty on a box of intervals.

After τ pulls of each arm, in every round with
:math:`rad_i = \sqrt{\ln(4 t^3 / \tau\delta) / 2 T_i}`, the box :math:`\hat\Theta` of the
intervals :math:`\hat\theta_i \pm rad_i` cut to [0, 1], and the set C of arms whose part of the
decision is not constant on it: stop where C is empty, else pull the arm of C with the largest
radius. t is the round that begins, one more than the pulls so far; Algorithm 1 takes the pulls so
far. The answer is φ at the lower ends of the intervals. Estimates are means, or unbiased variances
where the model is about these.

All radii but that of the arm pulled change by the clock alone, and alike, so that the largest
radius in C is that of the first undecided arm in order of pulls: only as many arms are tested as it
takes to find it. Decisions on two boxes around the round's answer for most rounds, and rounds whose
arms are certain beforehand are played at once (:mod:`cpe_opt.learners.separable.safe_pulls`).

``uniform``: pull the arm with the largest radius of all.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from cpe_opt.errors import InputError, UnknownName
from cpe_opt.formulations.separable.box_test import BoxTest, CachedBoxTest, FreshBoxTest
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached, Unproved, ask_all
from cpe_opt.learners.separable.estimates import ArmEstimates
from cpe_opt.learners.separable.safe_pulls import SafePulls
from cpe_opt.problems.queries import Batch, Pull
from cpe_opt.problems.separable.model import SeparableModel
from cpe_opt.solvers.options import refuse_unused, solver_option
from cpe_opt.validation import checked_delta

CociMethod: TypeAlias = Literal["cached", "program"]
_VERTICES = "the model is not bi-monotone: its decision was compared at vertices of the box alone"


@declare(
    family="separable",
    goal="identification",
    guarantee="the best decision, if it is unique, with probability at least 1 - delta",
    paper="Huang, Ok, Li, Chen (IJCAI 2018), Algorithm 1",
    endless_if="the leading decision is not the only best one",
    unit_rewards=True,
    batches="the first pulls of every arm, and rounds whose arms are certain beforehand",
)
def coci(
    model: SeparableModel,
    *,
    rng: np.random.Generator | None = None,
    horizon: int | None = None,
    delta: float = 0.05,
    uniform: bool = False,
    method: CociMethod = "cached",
    solver: str | None = None,
) -> Generator[Pull | Batch, Any, tuple[float, ...] | Unproved]:
    """Find the best decision with probability at least 1 - delta.

    Where the leading decision is not the only best one it may not stop by itself.

    Parameters
    ----------
    model : SeparableModel
        Bi-monotone, or of at most 12 arms. The guarantee is for bi-monotone models,
        :class:`~cpe_opt.BestSet` and :class:`~cpe_opt.WaterPlan`. For others only the vertices of
        the box are looked at (:mod:`cpe_opt.formulations.separable.box_test`), and the decision is
        not proved.
    rng : Generator, optional
        Not used: the algorithm makes no random choice.
    horizon : int, optional
        Rounds that are played at once end before it.
    delta : float
        Between 0 and 1.
    uniform : bool
        Pull all arms equally often.
    method : "cached" or "program"
        ``cached``: decisions on two boxes answer for most rounds, by the model's fast algorithm,
        and rounds are played at once where that changes nothing. ``program``: every arm that is
        tested, in every round, by the model's linear or integer programs; the same pulls where the
        optima of the tests are unique.
    solver : str, optional
        Of the programs, ``highs`` by default.

    Returns
    -------
    tuple of float
        The decision; where the rounds end before it is certain, the best one for the estimates.

    References
    ----------
    Huang, Ok, Li, Chen, "Combinatorial Pure Exploration with Continuous and Separable Reward
    Functions and Its Applications", IJCAI 2018, Algorithm 1.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> coins = [cpe.Bernoulli(p) for p in (0.1, 0.9, 0.2)]
    >>> problem = cpe.SeparableProblem(cpe.BestSet(cpe.TopK(3, 1)), coins)
    >>> trace = cpe.simulate("coci", problem, delta=0.1, seed=0)
    >>> trace.answer, trace.proved
    ((0.0, 1.0, 0.0), True)
    """
    return (yield from _rounds(model, horizon, delta, method, solver, uniform=uniform))


@declare(
    family="separable",
    goal="identification",
    guarantee="the best decision, if it is unique, with probability at least 1 - delta",
    paper="Huang, Ok, Li, Chen (IJCAI 2018), Theorem 4",
    endless_if="the leading decision is not the only best one",
    unit_rewards=True,
    batches="the first pulls of every arm, and rounds whose arms are certain beforehand",
)
def coci_uniform(
    model: SeparableModel,
    *,
    rng: np.random.Generator | None = None,
    horizon: int | None = None,
    delta: float = 0.05,
    method: CociMethod = "cached",
    solver: str | None = None,
) -> Generator[Pull | Batch, Any, tuple[float, ...] | Unproved]:
    """COCI with uniform sampling, what it is compared with.

    Parameters
    ----------
    model, rng, horizon, delta, method, solver
        As for :func:`coci`.

    Returns
    -------
    tuple of float
        The decision; where the rounds end before it is certain, the best one for the estimates.

    References
    ----------
    Huang, Ok, Li, Chen (IJCAI 2018), Theorem 4.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> coins = [cpe.Bernoulli(p) for p in (0.1, 0.9, 0.2)]
    >>> problem = cpe.SeparableProblem(cpe.BestSet(cpe.TopK(3, 1)), coins)
    >>> trace = cpe.simulate("coci-uniform", problem, delta=0.1, seed=0)
    >>> trace.answer, trace.proved
    ((0.0, 1.0, 0.0), True)
    """
    return (yield from _rounds(model, horizon, delta, method, solver, uniform=True))


def _rounds(
    model: SeparableModel,
    horizon: int | None,
    delta: float,
    method: CociMethod,
    solver: str | None,
    *,
    uniform: bool,
) -> Generator[Pull | Batch, Any, tuple[float, ...] | Unproved]:
    """The algorithm."""
    checked_delta(delta, None)
    if not isinstance(model, SeparableModel):
        raise InputError(f"model is {model!r}, expected a SeparableModel")
    test, box = _box_test(model, method, solver)
    size, tau = model.size, model.tau
    estimates = ArmEstimates(size, tau=tau, delta=delta)
    batches = SafePulls(estimates, box, horizon, uniform=uniform)
    try:
        first = yield from ask_all([Pull(arm, tau) for arm in range(size)])
        for arm, rewards in enumerate(first):
            estimates.add(arm, rewards)
        while True:
            low, high = estimates.box()
            box.move(low, high)
            by_radius = sorted(range(size), key=estimates.pulls.__getitem__)
            open_arm = next((arm for arm in by_radius if box.undecided(arm)), None)
            if open_arm is None:
                decision = tuple(test.oracle(np.array(low)).tolist())
                return decision if test.proves else Unproved(decision, _VERTICES)
            widest = by_radius[0] if uniform else open_arm
            pulls = [Pull(arm, times) for arm, times in batches.next() or [(widest, 1)]]
            observed = yield from ask_all(pulls)
            for pull, rewards in zip(pulls, observed, strict=True):
                estimates.add(pull.arm, rewards)
    except HorizonReached:
        return tuple(test.oracle(np.array(estimates.values)).tolist())


def _box_test(
    model: SeparableModel, method: CociMethod, solver: str | None
) -> tuple[BoxTest, FreshBoxTest | CachedBoxTest]:
    """The test of one box, and that of a box that moves."""
    solving = solver_option(solver)
    if method == "program":
        test = BoxTest(model, "program", **solving)
        return test, FreshBoxTest(test)
    if method != "cached":
        raise UnknownName("method", method, get_args(CociMethod))
    refuse_unused(solving, "method 'cached'", instead=("program",))
    test = BoxTest(model)
    return test, CachedBoxTest(test)
