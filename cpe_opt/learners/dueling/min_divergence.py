r"""Relative minimum empirical divergence: the loop that RMED1 and RMED2FH share.

With :math:`\hat O_i = \{j \ne i : \hat\mu_{ij} \le \frac12\}`, the empirical divergence of an arm
is

.. math:: I_i(t) = \sum_{j \in \hat O_i} N_{ij} \, d_{KL}(\hat\mu_{ij}, \tfrac12) ,

:math:`i^*` is an arm with the least of them, and arm i stays a candidate while
:math:`I_i - I_{i^*} \le \ln t + f(K)`. After L duels of every pair, the candidates l of the current
list are drawn in order, each against an opponent m(l). After each round every candidate that is
not still to come in the current list joins the next one. Ties go to the arm with the smallest
number.

Where there is no Condorcet winner the algorithms have linear regret: their theory does not cover
that.

Idle stretches: when the list holds :math:`i^*` alone and nobody seems to beat it, it meets itself,
and nothing happens until another arm is a candidate again,
:math:`\ln t \ge \min_{i \ne i^*} I_i - I_{i^*} - f(K)`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.learners.dueling.crossing_times import first_reaching
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel


class Divergences:
    """Empirical divergences of K arms, kept up to date duel by duel.

    Attributes
    ----------
    tally : DuelTally
    values : float array, shape (K,)
        I_i.
    best : int
        i*, the first arm with the least divergence.
    """

    def __init__(self, arms: int) -> None:
        self.tally = DuelTally(arms)
        self.values: FloatArray = np.zeros(arms)
        self.best = 0
        self._counted = [[0.0] * arms for _ in range(arms)]
        self._superiors = [arms - 1] * arms

    def count(self, i: int, j: int, won: int, times: int = 1) -> None:
        """Count duels of two different arms, of which i won ``won``."""
        tally, superiors = self.tally, self._superiors
        led = tally.leads(i, j), tally.leads(j, i)
        tally.add(i, j, won, times)
        superiors[i] += led[0] - tally.leads(i, j)
        superiors[j] += led[1] - tally.leads(j, i)
        evidence = float(tally.evidence[i, j])
        for arm, other in ((i, j), (j, i)):
            row = self._counted[arm]
            row[other] = 0.0 if tally.leads(arm, other) else evidence
            self.values[arm] = sum(row)
        self.best = int(self.values.argmin())

    def superior(self, j: int, arm: int) -> bool:
        """Whether j is among the arms that ``arm`` does not lead against."""
        return j != arm and not self.tally.leads(arm, j)

    def likeliest_superior(self, arm: int) -> int:
        """RMED1's opponent: i* if it may beat the arm or none may, else who beats it most."""
        if self._superiors[arm] == 0 or self.superior(self.best, arm):
            return self.best
        row = self.tally.estimate[arm].copy()
        row[arm] = math.inf
        return int(row.argmin())


Opponent = Callable[[int, int], int]


def minimum_divergence(
    arms: int, *, slack: float, draws: int, prepare: Callable[[Divergences], Opponent]
) -> Generator[Duel, int, int]:
    """Play candidates against their opponents.

    Parameters
    ----------
    arms : int
        K.
    slack : float
        f(K).
    draws : int
        L, duels of every pair before anything else.
    prepare : callable
        Called once after these duels; returns ``opponent(arm, t)``.

    Returns
    -------
    int
        i* when the horizon is reached.
    """
    state = Divergences(arms)
    try:
        for _ in range(draws):
            for i in range(arms):
                for j in range(i + 1, arms):
                    state.count(i, j, (yield Duel(i, j)))
        t = draws * arms * (arms - 1) // 2 + 1
        opponent = prepare(state)
        current = list(range(arms))
        while True:
            best = state.best
            if current == [best] and opponent(best, t) == best:
                others = np.delete(state.values, best).min() - state.values[best] - slack
                rounds = first_reaching(others) - t
                if rounds > 0:
                    yield Duel(best, best, rounds)
                    t += rounds
            following: set[int] = set()
            for place, arm in enumerate(current):
                other = opponent(arm, t)
                won = yield Duel(arm, other)
                if arm != other:
                    state.count(arm, other, won)
                candidates = state.values - state.values[state.best] <= math.log(t) + slack
                following.update(candidates.nonzero()[0].tolist())
                following.difference_update(current[place + 1 :])
                t += 1
            current = sorted(following)
    except HorizonReached:
        return state.best


def default_slack(arms: int) -> float:
    """f(K) = 0.3 K^1.01, as in the paper's experiments."""
    return float(0.3 * arms**1.01)
