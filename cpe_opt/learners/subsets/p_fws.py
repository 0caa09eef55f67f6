r"""P-FWS: perturbed Frank–Wolfe sampling, the best set from single rewards by a smoothed bound.

The evidence after t rounds is :math:`t F(\omega)` as in :mod:`cpe_opt.learners.subsets.fws`, with
:math:`\omega = N / t` and the least :math:`F = \min_M f_M` over all sets but :math:`\hat M`. F is
concave and has kinks, where its gradient says little of what a step does. So it is averaged over a
small ball: :math:`F_\eta(\omega) = E F(\omega + \eta Z)`, with Z uniform in the unit ball, is
smooth. Its gradient is the mean of those of :math:`f_M` at the perturbed shares, each for its *most
confusing* M, which has the least :math:`f_M` there. A round plays one *action* x: all elements of a
set of the class (``actions="sets"``, the paper's), or a single element, as in ``fws`` and
``comb-game``.

- At first, for each element an action that has it, :math:`X_0`; these again in turn while
  :math:`\lfloor t / |X_0| \rfloor` is a square, and where another set is as good for the means.
- Stop and answer :math:`\hat M` where the evidence of
  :mod:`cpe_opt.learners.subsets.single_rewards` is enough.
- Else, with :math:`\eta = 1 / 4 \sqrt{t n}` and :math:`\lceil t^{1/4} \rceil` draws of Z, the
  action with the largest :math:`G^\top x`, where G is the mean of
  :math:`\nabla f_M(\omega + \eta Z)`: a step of Frank and Wolfe's algorithm, by the linear oracle.

**The most confusing set.** :math:`f_M(\omega) = \max_\alpha g(M, \alpha)` with

.. math:: g(M, \alpha) = \frac1{\sigma^2} \Bigl(\alpha \Delta_M -
          \frac{\alpha^2}2 \sum_{e \in M \triangle \hat M} \frac1{\omega_e}\Bigr) ,

which for a fixed :math:`\alpha` is linear in the indicator of M. So a game between :math:`\alpha`
and M needs only the linear oracle. Where the class is a matroid or can be listed, exchanges or all
sets are compared. Else both players answer each other's last choice at :math:`\omega` until no more
confusing set is found, whenever t has grown by a hundredth, and M is the most confusing of all sets
found so far.

**Theorem.** With a threshold that keeps errors below δ, the answer is wrong with probability at
most δ, whatever is pulled. The paper shows for its actions, its game and its threshold that pulls
are :math:`T^* \ln(1/\delta)` in the limit, and that their mean is polynomial in the size of the
problem; neither is claimed here.

Deviations. In the paper's game M follows a perturbed leader, for
:math:`(c (1 + \epsilon) / \epsilon F)^2` steps with a c that is large even in small classes: the
authors' program ends it after 5,000 or 100,000. Here it is the game above, which may miss a set
where several mix. The authors' program also draws Z with a uniform length, takes the gradient
partly at :math:`\omega`, and never plays :math:`X_0` again.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any, Literal, TypeAlias

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.subsets.oracle import SubsetMethod, SubsetOracle
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.queries import HorizonReached, Unproved, pull_each_once
from cpe_opt.learners.subsets.single_rewards import SingleEvidence, Threshold
from cpe_opt.problems.queries import Batch, Pull
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.solvers.options import solver_option
from cpe_opt.ties import first_largest, first_smallest, on_grid
from cpe_opt.validation import ErrorProbability, Positive

Actions: TypeAlias = Literal["elements", "sets"]
_GROWTH = 1.01


@declare(
    family="subsets",
    goal="identification",
    guarantee="the best set with probability at least 1 - delta",
    paper="Tzeng, Wang, Proutiere, Lu (NeurIPS 2023), Algorithm 2",
    endless_if="two sets are equally good",
    batches="the elements of a set, where sets are played; else the first pull of every element, "
    "then one query at a time",
)
def p_fws(
    decisions: DecisionClass,
    *,
    rng: np.random.Generator,
    delta: ErrorProbability = 0.05,
    noise: Positive = 0.5,
    actions: Actions = "elements",
    threshold: Threshold = "proved",
    method: SubsetMethod | None = None,
    solver: str | None = None,
) -> Generator[Pull | Batch, Any, tuple[int, ...] | Unproved]:
    """Find the best set of a decision class with probability at least 1 - delta.

    Parameters
    ----------
    noise, threshold
        As for :func:`cpe_opt.learners.fws`.
    rng : Generator
        For the perturbations.
    actions : "elements" or "sets"
        What a round pulls: a single element, or all elements of a set, each of which shows its
        reward.
    method, solver : str, optional
        Of the linear oracle, as for :func:`cpe_opt.best_subset`.

    Returns
    -------
    tuple of int
        The set; where the rounds end before it is certain, the best one for the means.

    References
    ----------
    Tzeng, Wang, Proutiere, Lu, "Closing the Computational-Statistical Gap in Best Arm
    Identification for Combinatorial Semi-bandits", NeurIPS 2023; the authors' programs:
    github.com/rctzeng/NeurIPS2023-PerturbedFWS.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> bandit = cpe.planted_subsets(5, 2, gap=1.0, noise=0.1, seed=0)
    >>> trace = cpe.simulate("p-fws", bandit, noise=0.1, seed=0)
    >>> trace.answer, trace.proved
    ((1, 3), True)
    """
    size = decisions.size
    oracle = SubsetOracle(decisions, method, **solver_option(solver))
    evidence = SingleEvidence(oracle, noise, delta, threshold)
    cover: list[tuple[int, ...]] = [(element,) for element in range(size)]
    if actions == "sets":
        cover = covering_sets(oracle, evidence)
    t, next_search = 0, 0.0
    try:
        if actions == "elements":
            yield from pull_each_once(size, evidence.add)
            t = size
        for action in cover:
            if not evidence.pulls[list(action)].all():
                yield from _play(action, evidence)
                t += 1
        while True:
            if evidence.enough():
                return evidence.answer()
            if math.isqrt(t // len(cover)) ** 2 == t // len(cover) or not evidence.gaps().all():
                action = cover[t % len(cover)]
            else:
                if t >= next_search:
                    evidence.seek_confusing(evidence.pulls / t)
                    next_search = _GROWTH * t
                slopes = on_grid(smoothed_gradient(evidence, t, rng))
                action = _steepest_action(oracle, slopes, actions)
            yield from _play(action, evidence)
            t += 1
    except HorizonReached:
        return evidence.best()


def _play(action: tuple[int, ...], evidence: SingleEvidence) -> Generator[Pull | Batch, Any, None]:
    """Pull each element of an action."""
    if len(action) == 1:
        evidence.add(action[0], float((yield Pull(action[0]))[0]))
        return
    seen = yield Batch(tuple(Pull(element) for element in action))
    for element, rewards in zip(action, seen, strict=True):
        evidence.add(element, float(rewards[0]))


def _steepest_action(oracle: SubsetOracle, slopes: FloatArray, actions: Actions) -> tuple[int, ...]:
    """The action along which the bound grows most."""
    if actions == "elements":
        return (int(first_largest(slopes)),)
    best = oracle.maximise(slopes)
    assert best is not None
    return best


def covering_sets(oracle: SubsetOracle, evidence: SingleEvidence) -> list[tuple[int, ...]]:
    """For each element a set that has it; those of no set count as pulled, as any mean is good."""
    sets = list[tuple[int, ...]]()
    for element, alone in enumerate(np.eye(oracle.size)):
        members = oracle.maximise(alone, (element,))
        if members is None:
            evidence.add(element, 0.0)
        else:
            sets.append(members)
    return sets


def smoothed_gradient(evidence: SingleEvidence, t: int, rng: np.random.Generator) -> FloatArray:
    """The gradient of the bound averaged over a small ball around the shares; shape (n,)."""
    shares, gaps, size = evidence.pulls / t, evidence.gaps(), len(evidence.pulls)
    total, draws = np.zeros(size), math.ceil(t**0.25)
    for _ in range(draws):
        direction = rng.normal(size=size)
        length = rng.uniform() ** (1.0 / size) / np.linalg.norm(direction)
        perturbed = shares + length * direction / (4.0 * math.sqrt(t * size))
        perturbed = np.maximum(shares / 2.0, perturbed)
        confusing = first_smallest(evidence.distances(gaps, perturbed))
        total += evidence.gradients(gaps, perturbed, np.array([confusing]))[0]
    return np.asarray(total / draws)
