r"""Arm elimination by confidence intervals in Kullback–Leibler divergence.

Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015), Algorithm 4: K arms with rewards 0 or 1. After t
rewards of an arm, of which :math:`S_i` were 1, its interval is

.. math:: I_i = \{q : t\, d_{KL}(S_i/t, q) \le \ln(4tK/\delta) + 2 \ln\ln t\} .

Every active arm draws one reward more; arm i leaves when :math:`\max I_i < \min I_j` for some j;
stop when :math:`(1 - \max_i \min I_i) / (1 - \max_i \max I_i) \le 1 + \epsilon` and return the
arm with the largest :math:`\min I_i`.

Read as follows: :math:`\ln\ln t` is at least 0; rewards are drawn from a finite population without
replacement, so that after the whole of it an arm's mean is known and its interval is a point; stop
also when one arm is left, or all intervals left are the same point (several winners). Of several
equally good arms the first is returned; intervals are looked at from the second reward on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator

from cpe_opt.problems.queries import Duel

Reward = Callable[[int], Generator[Duel, int, int]]
_BISECTIONS = 60


def kl_elimination(
    arms: int, reward: Reward, *, population: int, delta: float, epsilon: float
) -> Generator[Duel, int, int]:
    """Find an arm with (nearly) the largest mean reward.

    Parameters
    ----------
    arms : int
        K.
    reward : callable
        ``reward(arm)`` is a generator of queries that returns the next reward, 0 or 1.
    population : int
        How many rewards an arm has in all.
    delta, epsilon : float
        Confidence, and the tolerated excess of 1 - mean, as a factor.

    Returns
    -------
    int
        The arm.
    """
    active = list(range(arms))
    total = [0] * arms
    for t in range(1, population + 1):
        for arm in active:
            total[arm] += yield from reward(arm)
        if t < 2 and population > 1:
            continue
        if t == population:
            # Every mean is known.
            return max(active, key=total.__getitem__)
        threshold = (
            math.log(4 * t * arms) - math.log(delta) + 2 * max(0.0, math.log(max(1.0, math.log(t))))
        )
        bounds = {arm: divergence_interval(total[arm] / t, threshold / t) for arm in active}
        best = max(low for low, _ in bounds.values())
        active = [arm for arm in active if bounds[arm][1] >= best]
        highest = max(bounds[arm][1] for arm in active)
        if len(active) == 1 or 1 - best <= (1 + epsilon) * (1 - highest):
            return max(active, key=lambda arm: (bounds[arm][0], -arm))
    return active[0]


def divergence_interval(mean: float, radius: float) -> tuple[float, float]:
    """The smallest and the largest q with ``d_KL(mean, q) <= radius``, by bisection."""
    return _edge(mean, radius, 0.0), _edge(mean, radius, 1.0)


def _edge(mean: float, radius: float, end: float) -> float:
    inside, outside = mean, end
    if divergence(mean, end) <= radius:
        return end
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        if divergence(mean, middle) <= radius:
            inside = middle
        else:
            outside = middle
    return inside


def divergence(p: float, q: float) -> float:
    """``d_KL(p, q)`` between Bernoulli distributions, in nats; may be infinite."""
    total = 0.0
    for here, there in ((p, q), (1 - p, 1 - q)):
        if here > 0.0:
            if there <= 0.0:
                return math.inf
            total += here * math.log(here / there)
    return max(0.0, total)
