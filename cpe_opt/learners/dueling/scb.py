r"""SCB: scalable Copeland bandits, by identifying a winner ever more surely.

Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015), Algorithm 3: for r = 1, 2, … with T = 2^(2^r), run
the identification below with confidence ln(T)/T, cut off after T rounds; where it has ended with an
arm, play that arm against itself for the rest of the T rounds. Every r starts afresh. A run that
would end with the last of the T rounds counts as cut off, too: no round is left to play its arm.

**Copeland winner identification: Algorithm 2 of Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015).**

An arm's normalised Copeland score is the mean of a reward: draw an opponent at random, and find out
who beats whom. Algorithm 4, elimination by confidence intervals in Kullback–Leibler divergence,
finds the arm with the largest mean of K arms with rewards 0 or 1. After t rewards of an arm, of
which :math:`S_i` were 1, its interval is

.. math:: I_i = \{q : t\, d_{KL}(S_i/t, q) \le \ln(4tK/\delta) + 2 \ln\ln t\} .

Every active arm draws one reward more; arm i leaves when :math:`\max I_i < \min I_j` for some j;
stop when :math:`(1 - \max_i \min I_i) / (1 - \max_i \max I_i) \le 1 + \epsilon` and return the
arm with the largest :math:`\min I_i`.

Readings: as the paper's own remark asks, the opponents of an arm are drawn without replacement:
after all of them its mean is known and its interval is a point, so that the algorithm also stops
with :math:`\epsilon = 0`. The sign of a pair is remembered and serves both of its arms.
:math:`\ln\ln t` is at least 0; stop also when one arm is left, or all intervals left are the same
point (several winners). Of several equally good arms the first is returned; intervals are looked at
from the second reward on.

A pair is duelled until the sign of :math:`p_{ij} - \frac12` is known with probability :math:`1 -
\delta/K^2` (:mod:`cpe_opt.learners.dueling.elimination`). The first duel that could end this is
known in advance, and all duels up to it are one query.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import replace

import numpy as np
from scipy.optimize import bisect
from scipy.special import rel_entr

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.elimination import (
    arms_tie,
    at_any_time,
    duels_to_a_sign,
    most_leads,
)
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel
from cpe_opt.validation import Arms, ErrorProbability, NonNegative


@declare(
    family="dueling",
    goal="regret",
    guarantee="expected regret O(K (L_C + ln K) ln T / Δ_min²), without ties",
    paper="Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015), Algorithm 3",
    endless=True,
)
def scb(arms: Arms, *, rng: np.random.Generator) -> Generator[Duel, int, int]:
    """Play near a Copeland winner by duels; made for many arms.

    Returns
    -------
    int
        The arm identified last when the horizon is reached; before the first, the best guess of
        the identification that is under way.

    References
    ----------
    Zoghi, Karnin, Whiteson, de Rijke, "Copeland Dueling Bandits", NIPS 2015, Algorithm 3.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("scb", mu, horizon=10**6, seed=0)
    >>> trace.answer
    0
    """
    winner: int | None = None
    r = 0
    while True:
        r += 1
        budget = 2 ** (2**r)
        delta = math.log(budget) / budget
        identification = Exchange(copeland_identification, arms, rng, delta=delta)
        try:
            spent = yield from cut_off(identification, budget)
            if spent < budget:
                winner = identification.answer
                yield Duel(winner, winner, budget - spent)
        except HorizonReached:
            identification.stop()
            return identification.answer if winner is None else winner


def cut_off(exchange: Exchange, budget: int) -> Generator[Duel, int, int]:
    """Carry on an exchange for at most ``budget`` rounds; how many it took."""
    spent = 0
    while not exchange.finished:
        query = exchange.query
        if spent + query.times >= budget:
            yield replace(query, times=budget - spent)
            exchange.stop()
            return budget
        exchange.tell((yield query))
        spent += query.times
    return spent


# Copeland winner identification.

Reward = Callable[[int], Generator[Duel, int, int]]
_CLOSE = 1e-15


@declare(
    family="dueling",
    goal="PAC",
    guarantee="a Copeland winner with probability at least 1 - delta; with a margin, nearly one",
    paper="Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015), Algorithm 2",
    endless_if="two arms tie",
    endless_on=arms_tie,
)
def copeland_identification(
    arms: Arms,
    *,
    rng: np.random.Generator,
    delta: ErrorProbability = 0.05,
    margin: NonNegative = 0.0,
) -> Generator[Duel, int, int]:
    """Find a Copeland winner with probability at least 1 - delta.

    A tied pair is never decided: with one the algorithm does not stop by itself.

    Parameters
    ----------
    margin : float
        Accept an arm whose 1 - score is at most 1 + margin times a winner's; 0 for a winner.

    Returns
    -------
    int
        The arm; where the rounds end before it is known, the first that leads against the most
        others, of the pairs duelled so far.

    References
    ----------
    Zoghi, Karnin, Whiteson, de Rijke, "Copeland Dueling Bandits", NIPS 2015, Algorithms 2 and 4.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("copeland-identification", mu, delta=0.1, seed=0)
    >>> trace.answer, trace.proved
    (0, True)
    """
    opponents = [
        rng.permutation([other for other in range(arms) if other != arm]).tolist()
        for arm in range(arms)
    ]
    signs: dict[tuple[int, int], int] = {}
    leads = [[0] * arms for _ in range(arms)]

    def reward(arm: int) -> Generator[Duel, int, int]:
        other = opponents[arm].pop()
        if (arm, other) not in signs:
            first_wins = yield from decide(arm, other, delta / arms**2, leads)
            signs[arm, other], signs[other, arm] = int(first_wins), int(not first_wins)
        return signs[arm, other]

    try:
        return (
            yield from kl_elimination(arms, reward, population=arms - 1, delta=delta, margin=margin)
        )
    except HorizonReached:
        return most_leads(leads)


def decide(i: int, j: int, delta: float, leads: list[list[int]]) -> Generator[Duel, int, bool]:
    """Duel two arms until it is decided at ``delta`` whether i beats j; ``leads`` are counted."""
    needed = at_any_time(delta)
    draws = lead = 0
    while True:
        times = duels_to_a_sign(draws, abs(lead), needed)
        won = yield Duel(i, j, times)
        draws += times
        lead += 2 * won - times
        leads[i][j], leads[j][i] = lead, -lead
        if abs(lead) > needed(draws):
            return lead > 0


def kl_elimination(
    arms: int, reward: Reward, *, population: int, delta: float, margin: float
) -> Generator[Duel, int, int]:
    """An arm with (nearly) the largest mean; its 1 - mean is at most 1 + margin times the least.

    ``reward(arm)`` generates queries and returns the next of the ``population`` rewards of an arm.
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
        if len(active) == 1 or 1 - best <= (1 + margin) * (1 - highest):
            return max(active, key=lambda arm: (bounds[arm][0], -arm))
    return active[0]


def divergence_interval(mean: float, radius: float) -> tuple[float, float]:
    """The smallest and the largest q with ``d_KL(mean, q) <= radius``."""

    def excess(q: float) -> float:
        return divergence(mean, q) - radius

    low, high = (
        end if excess(end) <= 0.0 else float(bisect(excess, mean, end, xtol=_CLOSE))
        for end in (0.0, 1.0)
    )
    return low, high


def divergence(p: float, q: float) -> float:
    """``d_KL(p, q)`` between Bernoulli distributions, in nats; may be infinite."""
    return float(rel_entr(p, q) + rel_entr(1.0 - p, 1.0 - q))
