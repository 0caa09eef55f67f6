r"""Copeland winner identification: Algorithm 2 of Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015).

An arm's normalised Copeland score is the mean of a reward: draw an opponent at random, and find out
who beats whom. KL-based elimination (:mod:`cpe_opt.learners.dueling.kl_elimination`) finds the arm
with the largest mean.

Read as the paper's own remark asks: the opponents of an arm are drawn without replacement, so that
the algorithm also stops with :math:`\epsilon = 0`. The sign of a pair is remembered and serves
both of its arms.

A pair is duelled until the sign of :math:`p_{ij} - \frac12` is known with probability :math:`1 -
\delta/K^2` (:mod:`cpe_opt.learners.dueling.sign_tests`). The first duel that could end this is
known in advance, and all duels up to it are one query.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.kl_elimination import kl_elimination
from cpe_opt.learners.dueling.sign_tests import at_any_time, duels_to_a_sign
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel
from cpe_opt.validation import checked_count, checked_delta, checked_number


@declare(
    family="dueling",
    goal="PAC",
    guarantee="a Copeland winner with probability at least 1 - delta; with epsilon, nearly one",
    paper="Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015), Algorithm 2",
    endless_if="two arms tie",
)
def copeland_identification(
    arms: int,
    *,
    rng: np.random.Generator,
    delta: float,
    epsilon: float = 0.0,
) -> Generator[Duel, int, int]:
    """Find a Copeland winner with probability at least 1 - delta.

    A tied pair is never decided: with one the algorithm does not stop by itself.

    Parameters
    ----------
    arms : int
        K, at least 2.
    rng : Generator
    delta : float
        Between 0 and 1.
    epsilon : float
        Accept an arm whose 1 - score is at most 1 + epsilon times a winner's; 0 for a winner.

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
    checked_count("arms", arms, least=2)
    checked_number("epsilon", epsilon, least=0.0)
    checked_delta(delta, None)
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
            yield from kl_elimination(
                arms, reward, population=arms - 1, delta=delta, epsilon=epsilon
            )
        )
    except HorizonReached:
        return max(range(arms), key=lambda arm: sum(lead > 0 for lead in leads[arm]))


def decide(
    i: int, j: int, delta: float, leads: list[list[int]] | None = None
) -> Generator[Duel, int, bool]:
    """Duel two arms until it is known, with probability 1 - delta, whether i beats j.

    ``leads``, shape (K, K), gets by how many duels each leads, as they come.
    """
    needed = at_any_time(delta)
    draws = lead = 0
    while True:
        times = duels_to_a_sign(draws, abs(lead), needed)
        won = yield Duel(i, j, times)
        draws += times
        lead += 2 * won - times
        if leads is not None:
            leads[i][j], leads[j][i] = lead, -lead
        if abs(lead) > needed(draws):
            return lead > 0
