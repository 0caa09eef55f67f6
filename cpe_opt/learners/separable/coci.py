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
arms are certain beforehand are played at once (:class:`SafePulls`).

``coci-uniform`` pulls the arm with the largest radius of all.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.separable.box_test import BoxRange, BoxTest, CachedBoxTest, FreshBoxTest
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached, Unproved, ask_all
from cpe_opt.problems.queries import Batch, Pull
from cpe_opt.problems.separable.model import VARIANCE, SeparableModel
from cpe_opt.solvers.options import refuse_unused, solver_option
from cpe_opt.validation import ErrorProbability, Rounds

CociMethod: TypeAlias = Literal["cached", "program"]
_ROUNDING = 1e-12
_SHARE = 16
_MOST_LEVELS = 2**16
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
    horizon: Rounds | None = None,
    delta: ErrorProbability = 0.05,
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
    horizon : int, optional
        Rounds that are played at once end before it.
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
    return (yield from _rounds(model, horizon, delta, method, solver, uniform=False))


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
    horizon: Rounds | None = None,
    delta: ErrorProbability = 0.05,
    method: CociMethod = "cached",
    solver: str | None = None,
) -> Generator[Pull | Batch, Any, tuple[float, ...] | Unproved]:
    """COCI with uniform sampling, what it is compared with.

    Parameters
    ----------
    horizon, method, solver
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
    refuse_unused(solving, "method 'cached'", instead=("program",))
    test = BoxTest(model)
    return test, CachedBoxTest(test)


class ArmEstimates:
    r"""Means or variances of the arms, their intervals, and the intervals that may follow.

    With S the sum of an arm's T rewards, all in [0, 1], its estimate is :math:`S / T`, or, where
    the parameters are variances, :math:`Q / (T - 1)` with Q the sum of the squared distances from
    the mean. In round t, one more than the pulls of all arms so far,

    .. math:: \hat\theta \pm \sqrt{\ln(4 t^3 / \tau\delta) / 2 T} \quad\text{cut to } [0, 1] .

    **What k more pulls can do.** Means: S grows by 0 to k, so that the new one is between
    :math:`S / (T + k)` and :math:`(S + k) / (T + k)`; both ends move outwards with k. Variances: a
    further reward x adds :math:`n / (n + 1) \cdot (x - m)^2` to Q, where m is the mean of the n
    rewards before it. That is at least 0 and at most :math:`D^2`, D the largest distance of a point
    of [0, 1] from a mean that k pulls can lead to. So the new one is at least
    :math:`Q / (T - 1 + k)`, which falls with k, and at most :math:`(Q + k D^2) / (T - 1 + k)`: an
    average of :math:`Q / (T - 1)` and :math:`D^2` with weights :math:`T - 1` and k, so that the
    larger of the old one and this bounds what fewer pulls lead to, too. The radius falls with T and
    grows with t.
    """

    def __init__(self, size: int, *, tau: int, delta: float) -> None:
        self.pulls = [0] * size  # T, of each arm
        self.rounds = 0  # pulls of all arms
        self.values = [0.0] * size  # the estimates; 0 where an arm has too few pulls for one
        self._tau, self._delta = tau, delta
        self._lost = int(tau == VARIANCE)  # degrees of freedom
        self._sum = [0.0] * size
        self._squares = [0.0] * size
        self._evidence = [0.0] * size  # S, or Q
        self._width = [math.inf] * size  # the radius over the root of the logarithm

    def add(self, arm: int, rewards: FloatArray) -> None:
        """Count observations."""
        total, squares = self._sum[arm], self._squares[arm]
        # One after the other: sums do not depend on how the rewards were batched.
        for reward in rewards.tolist():
            total += reward
            squares += reward * reward
        self._sum[arm], self._squares[arm] = total, squares
        self.rounds += len(rewards)
        self.pulls[arm] += len(rewards)
        count = self.pulls[arm]
        self._width[arm] = math.sqrt(0.5 / count)
        evidence = max(0.0, squares - total**2 / count) if self._lost else total
        self._evidence[arm] = evidence
        if count > self._lost:
            self.values[arm] = evidence / (count - self._lost)

    def box(self) -> tuple[list[float], list[float]]:
        """The lower and the upper ends of the intervals in the next round."""
        root = self._root(self.rounds + 1)
        low, high = [], []
        for value, width in zip(self.values, self._width, strict=True):
            radius = root * width
            low.append(value - radius if value > radius else 0.0)
            high.append(value + radius if value + radius < 1.0 else 1.0)
        return low, high

    def reach(self, more: Sequence[int]) -> BoxRange:
        """Bounds on the boxes of the next rounds, which have so many more pulls of each arm.

        They hold whatever is observed, and in whatever order; 1e-12 to spare for rounding.
        """
        evidence, further = np.array(self._evidence), np.array(more)
        after = np.array(self.pulls) + further
        gain: float | FloatArray = 1.0
        if self._lost:
            mean = np.array(self._sum) / after
            gain = np.maximum(mean + further / after, 1.0 - mean) ** 2
        least = evidence / (after - self._lost)
        largest = np.maximum(self.values, (evidence + gain * further) / (after - self._lost))
        widest = self._root(self.rounds + sum(more)) * np.array(self._width) + _ROUNDING
        narrowest = self._root(self.rounds + 1) * np.sqrt(0.5 / after) - _ROUNDING
        return BoxRange(
            np.maximum(0.0, largest - narrowest),
            np.minimum(1.0, least + narrowest),
            np.maximum(0.0, least - widest),
            np.minimum(1.0, largest + widest),
        )

    def _root(self, t: int) -> float:
        """The root of ``ln(4 t^3 / tau delta)``."""
        return math.sqrt(math.log(4.0 * t**3 / self._tau) - math.log(self._delta))


class SafePulls:
    """The pulls of the next rounds, as many as are the same whatever is observed in between.

    As long as the same arms are undecided, COCI pulls that of them with the fewest pulls: all whose
    pulls are below a level L get L, one after the other, and then the next level follows. So it is
    in the coming rounds if, on every box that may occur in them (:meth:`ArmEstimates.reach`), each
    arm with fewer than L pulls is undecided, or decided, as it is now
    (:mod:`cpe_opt.formulations.separable.box_test`). What an arm with L pulls or more becomes does
    not matter: it is not the first. Uniform sampling fills up all arms, as long as one of them
    stays undecided.

    Then the pulls up to L are those of single rounds, and are one batch with one query per arm.
    It holds at most a sixteenth of the rounds so far and 65,536 pulls of an arm, so that memory
    does not grow with the horizon, and ends before that: the last round is a single one. The box
    test has to be moved to the box of the next round before it is asked.
    """

    def __init__(
        self,
        estimates: ArmEstimates,
        box: CachedBoxTest | FreshBoxTest,
        horizon: int | None,
        *,
        uniform: bool,
    ) -> None:
        self._estimates, self._box = estimates, box
        self._horizon, self._uniform = horizon, uniform
        self._levels = 1  # of the last batch
        self._resume = 0  # the round before which no batch is tried

    def next(self) -> list[tuple[int, int]]:
        """Arms and their pulls, above 0; none where the next round alone is certain."""
        pulls = self._estimates.pulls
        if not self._box.knows_others or self._estimates.rounds < self._resume:
            return []
        undecided = [arm for arm in range(len(pulls)) if self._box.undecided(arm)]
        pulled = range(len(pulls)) if self._uniform else undecided
        lowest = min(pulls[arm] for arm in pulled)
        levels = min(2 * self._levels, _MOST_LEVELS)
        while levels:
            level = lowest + levels
            more = [0] * len(pulls)
            for arm in pulled:
                more[arm] = max(0, level - pulls[arm])
            if self._fits(sum(more)) and self._is_safe(undecided, more, level):
                self._levels = levels
                return [(arm, times) for arm, times in enumerate(more) if times]
            levels //= 2
        self._levels, self._resume = 1, self._estimates.rounds + len(pulled)
        return []

    def _fits(self, rounds: int) -> bool:
        played = self._estimates.rounds
        ends_before = self._horizon is None or played + rounds < self._horizon
        return ends_before and rounds * _SHARE <= played

    def _is_safe(self, undecided: list[int], more: list[int], level: int) -> bool:
        """Whether the same arms are pulled in all of these rounds."""
        boxes = self._estimates.reach(more)
        if self._uniform:
            return any(self._box.unchanged([arm], boxes) for arm in undecided)
        below = [arm for arm, pulls in enumerate(self._estimates.pulls) if pulls < level]
        return self._box.unchanged(below, boxes)
