r"""POCOWISTA: potential Copeland winner stays.

Of every arm it keeps :math:`D_i`, the arms that it has been compared with, and :math:`\hat c_i`,
how many of them it beat. Its potential score, what it may still reach, is
:math:`\hat c_i + |\{j \ne i : j \notin D_i\}|`. Until some :math:`\hat c_i` is at least the
potential score of every other arm:

1. i has the largest potential score;
2. j has the largest :math:`\hat c_j` of the arms that i has not been compared with;
3. i and j duel until it is decided which of them wins, wrongly with probability at most
   :math:`\delta / \binom K2`.

Of equal arms the first is taken.

**When duels decide a pair** (PPR, the ratio of prior and posterior). Of n duels the leader has won
w. The uniform prior's density at ½ over the posterior's,

.. math:: \frac{1}{\text{Beta}(\tfrac12; w + 1, n - w + 1)} = 2^n B(w + 1, n - w + 1) ,

is, at the true probability in place of ½, a martingale of mean 1; so all probabilities at which it
stays below :math:`1/\delta` are a confidence sequence, an interval, for all n at once
(Waudby-Smith, Ramdas 2020). The pair is decided for its leader as soon as ½ is outside:

.. math:: n \ln 2 + \ln B(w + 1, n - w + 1) \ge \ln \frac1\delta ,

wrongly with probability at most :math:`\delta` (Jain et al., AISTATS 2022, for two outcomes). A
win of the leader changes the left side by :math:`\ln \frac{2(w+1)}{n+2} \ge 0`, and it is convex
in w: no other outcomes decide a pair sooner than wins of the leader alone, so the first duel that
can decide it is known in advance, and the duels up to it are one query.

**Indifferences.** In the paper a duel has three outcomes: the third is an indifference, counts half
a point to either arm where it is the likeliest outcome of a pair, and splits the error of a pair in
two. A duel of this package has a winner, so this is the algorithm for two outcomes, with the whole
error for the one that there is to make. A pair whose arms beat each other equally often is then no
indifference but undecidable: the algorithm does not stop by itself where its decision is needed.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Generator

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.elimination import arms_tie
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel
from cpe_opt.validation import Arms, ErrorProbability

_LN2 = math.log(2.0)


@declare(
    family="dueling",
    goal="identification",
    guarantee="a Copeland winner with probability at least 1 - delta",
    paper="Bengs, Haddenhorst, Hüllermeier (AISTATS 2024), POCOWISTA",
    endless_if="two arms tie",
    endless_on=arms_tie,
    winner="Copeland",
)
def pocowista(
    arms: Arms, *, rng: np.random.Generator | None = None, delta: ErrorProbability = 0.05
) -> Generator[Duel, int, int]:
    """Find a Copeland winner with probability at least 1 - delta.

    A tied pair is never decided: with one the algorithm may not stop by itself.

    Returns
    -------
    int
        The arm; where the rounds end before it is known, the first that leads against the most
        others, of the pairs duelled so far.

    References
    ----------
    Bengs, Haddenhorst, Hüllermeier, "Identifying Copeland Winners in Dueling Bandits with
    Indifferences", AISTATS 2024. Jain et al., "PAC Mode Estimation using PPR
    Martingale Confidence Sequences", AISTATS 2022.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("pocowista", mu, delta=0.1, seed=0)
    >>> trace.answer, trace.proved
    (0, True)
    """
    needed = math.log(arms * (arms - 1) / 2) - math.log(delta)
    wins = [[0] * arms for _ in range(arms)]
    score, open_pairs = [0] * arms, [arms - 1] * arms
    compared = [{arm} for arm in range(arms)]
    try:
        while True:
            potential = [own + left for own, left in zip(score, open_pairs, strict=True)]
            winner = score.index(max(score))
            if all(score[winner] >= potential[arm] for arm in range(arms) if arm != winner):
                return winner
            i = potential.index(max(potential))
            j = max((arm for arm in range(arms) if arm not in compared[i]), key=score.__getitem__)
            yield from _decide(i, j, needed, wins)
            score[i if wins[i][j] > wins[j][i] else j] += 1
            for arm, other in ((i, j), (j, i)):
                compared[arm].add(other)
                open_pairs[arm] -= 1
    except HorizonReached:
        leads = [sum(wins[i][j] > wins[j][i] for j in range(arms)) for i in range(arms)]
        return leads.index(max(leads))


def _decide(i: int, j: int, needed: float, wins: list[list[int]]) -> Generator[Duel, int, None]:
    """Duel two arms until the ratio of prior and posterior decides, and count their wins."""
    while True:
        times = duels_to_a_decision(wins[i][j], wins[j][i], needed)
        won = yield Duel(i, j, times)
        wins[i][j] += won
        wins[j][i] += times - won
        if log_posterior_ratio(wins[i][j], wins[j][i]) >= needed:
            return


def log_posterior_ratio(wins: int, losses: int) -> float:
    """The logarithm of the prior's density at ½ over the posterior's."""
    draws = wins + losses
    return draws * _LN2 + math.lgamma(wins + 1) + math.lgamma(losses + 1) - math.lgamma(draws + 2)


def duels_to_a_decision(wins: int, losses: int, needed: float) -> int:
    """The fewest duels more, at least 1, after which the ratio could reach e^needed."""
    ahead, behind = max(wins, losses), min(wins, losses)

    def enough(more: int) -> bool:
        return log_posterior_ratio(ahead + more, behind) >= needed

    most = 1
    while not enough(most):
        most *= 2
    return bisect_left(range(most), x=True, lo=most // 2 + 1, key=enough)
