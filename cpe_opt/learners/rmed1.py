r"""RMED1: relative minimum empirical divergence for problems with a Condorcet winner.

With :math:`\hat O_i = \{j \ne i : \hat\mu_{ij} \le \frac12\}`, the empirical divergence of an arm
is

.. math:: I_i(t) = \sum_{j \in \hat O_i} N_{ij} \, d_{KL}(\hat\mu_{ij}, \tfrac12) ,

:math:`i^*` is an arm with the least of them, and arm i stays a candidate while
:math:`I_i - I_{i^*} \le \ln t + f(K)`, :math:`f(K) = 0.3 K^{1.01}`. After one duel of every pair,
the candidates l of the current list are drawn in order, each against :math:`i^*` where
:math:`i^* \in \hat O_l` or :math:`\hat O_l = \emptyset`, else against the arm with the least
:math:`\hat\mu_{lj}`. After each round every candidate that is not still to come in the current list
joins the next one.

Where there is no Condorcet winner the algorithm has linear regret: its theory does not cover that.

Idle stretches: when the list holds :math:`i^*` alone and nobody seems to beat it, it meets itself,
and nothing happens until another arm is a candidate again,
:math:`\ln t \ge \min_{i \ne i^*} I_i - I_{i^*} - f(K)`.
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from cpe_opt.errors import checked_count, checked_number
from cpe_opt.learners.queries import Duel, HorizonReached
from cpe_opt.learners.rounds import first_reaching
from cpe_opt.learners.tally import DuelTally
from cpe_opt.modelling.program import FloatArray


def rmed1(
    arms: int, *, rng: np.random.Generator | None = None, f: float | None = None
) -> Generator[Duel, int, int]:
    """Play near the Condorcet winner by duels; asymptotically optimal up to a constant factor.

    Parameters
    ----------
    arms : int
        K, at least 2.
    rng : Generator, optional
        Not used: the algorithm makes no random choice.
    f : float, optional
        f(K), 0.3 K^1.01 by default, as in the paper's experiments.

    Returns
    -------
    int
        The arm with the least empirical divergence when the horizon is reached.

    References
    ----------
    Komiyama, Honda, Kashima, Nakagawa, "Regret Lower Bound and Optimal Algorithm in Dueling Bandit
    Problem", COLT 2015, Algorithms 1 and 2.
    """
    checked_count("arms", arms, least=2)
    slack = 0.3 * arms**1.01 if f is None else checked_number("f", f, least=0.0)
    tally = DuelTally(arms)
    divergence: FloatArray = np.zeros(arms)
    counted: FloatArray = np.zeros((arms, arms))
    superiors = [arms - 1] * arms  # how many arms each does not lead against
    best = 0
    t = 1

    def count(i: int, j: int, won: int) -> None:
        nonlocal best
        led = tally.leads(i, j), tally.leads(j, i)
        tally.add(i, j, won)
        superiors[i] += led[0] - tally.leads(i, j)
        superiors[j] += led[1] - tally.leads(j, i)
        evidence = tally.evidence[i, j]
        counted[i, j] = 0.0 if tally.leads(i, j) else evidence
        counted[j, i] = 0.0 if tally.leads(j, i) else evidence
        divergence[i], divergence[j] = counted[i].sum(), counted[j].sum()
        best = int(divergence.argmin())

    def opponent(arm: int) -> int:
        if superiors[arm] == 0 or (best != arm and not tally.leads(arm, best)):
            return best
        return least_other(tally.estimate[arm], arm)

    try:
        for i in range(arms):
            for j in range(i + 1, arms):
                count(i, j, (yield Duel(i, j)))
                t += 1
        current = list(range(arms))
        while True:
            if current == [best] and opponent(best) == best:
                others = np.delete(divergence, best).min() - divergence[best] - slack
                rounds = first_reaching(others) - t
                if rounds > 0:
                    yield Duel(best, best, rounds)
                    t += rounds
            following: set[int] = set()
            for place, arm in enumerate(current):
                other = opponent(arm)
                won = yield Duel(arm, other)
                if arm != other:
                    count(arm, other, won)
                candidates = divergence - divergence[best] <= math.log(t) + slack
                following |= set(candidates.nonzero()[0].tolist()) - set(current[place + 1 :])
                t += 1
            current = sorted(following)
    except HorizonReached:
        return best


def least_other(row: FloatArray, arm: int) -> int:
    """The first arm with the least entry, other than ``arm``."""
    masked = row.copy()
    masked[arm] = math.inf
    return int(masked.argmin())
