r"""Noisy tournament sampling: whether there is a Condorcet winner, and which arm it is.

Assumed is low noise: :math:`|\mu_{ij} - \frac12| \ge h` for all i ≠ j, h > 0 known. A pair is
duelled until one arm leads by

.. math:: a = \left\lceil \frac{\ln((1 - \gamma)/\gamma)}{\ln((\frac12 + h)/(\frac12 - h))}
    \right\rceil , \qquad \gamma = \frac\delta K

wins, by the sequential probability ratio test of ½ + h against ½ - h wrongly with probability at
most :math:`\gamma`. Which pairs are duelled is the question of an optimal deterministic test for
Condorcet winners (Procaccia 2008):

1. a knockout tournament; in every round the arms meet in pairs, in their order, and an odd one out
   comes first in the next, so that none is left out twice;
2. its winner meets those that it has not met, and is the Condorcet winner if it beats them all.

So at most :math:`2K - \lfloor \log_2 K \rfloor - 2` pairs are duelled, and "none" is the answer as
soon as the winner of the tournament loses.

**Why γ = δ/K is enough.** A Condorcet winner is the answer if the decisions about its K - 1 pairs
are right. Where no arm is one, every arm is beaten by another; if the decisions about these K pairs
are right, no arm is the answer.

Readings: a lead of a is enough; the authors' program waits for one more. Duels that
cannot decide a pair are one query.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Annotated

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.elimination import arms_tie, most_leads
from cpe_opt.learners.queries import HorizonReached, Unproved
from cpe_opt.problems.queries import Duel
from cpe_opt.validation import Arms, ErrorProbability, Interval

NO_WINNER = "every arm has lost to another: there is no Condorcet winner"


@declare(
    family="dueling",
    goal="identification",
    guarantee="the Condorcet winner, or that there is none, with probability at least 1 - delta, "
    "if all probabilities are at least h away from 1/2",
    paper="Haddenhorst, Bengs, Brandt, Hüllermeier (UAI 2021), Algorithm 1",
    assumption="all probabilities are at least h away from 1/2",
    endless_if="two arms tie",
    endless_on=arms_tie,
    winner="Condorcet",
)
def noisy_tournament(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    h: Annotated[float, Interval(0, 0.5, "neither")],
    delta: ErrorProbability = 0.05,
) -> Generator[Duel, int, int | Unproved]:
    """Find the Condorcet winner, or that there is none, with probability at least 1 - delta.

    Parameters
    ----------
    h : float
        Between 0 and ½: every probability is at least this far from ½. If that is not so, nothing
        is promised.

    Returns
    -------
    int or None
        The arm; None if there is no Condorcet winner, which is right with the same probability,
        and is said where other learners say why an answer is not proved. Where the rounds end
        before that is known, the first arm that leads against the most others, of the pairs duelled
        so far.

    References
    ----------
    Haddenhorst, Bengs, Brandt, Hüllermeier, "Testification of Condorcet Winners in Dueling
    Bandits", UAI 2021, Algorithm 1. Procaccia, "A note on the query complexity of the Condorcet
    winner problem", Information Processing Letters 108 (2008).

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.PreferenceMatrix([[0.5, 0.7, 0.8], [0.3, 0.5, 0.6], [0.2, 0.4, 0.5]])
    >>> trace = cpe.simulate("noisy-tournament", mu, h=0.09, seed=0)
    >>> trace.answer, trace.proved
    (0, True)
    """
    needed = lead_needed(h, delta / arms)
    leads = [[0] * arms for _ in range(arms)]
    try:
        left = list(range(arms))
        while len(left) > 1:
            pairs = list(zip(left[::2], left[1::2], strict=False))
            left = left[2 * len(pairs) :]
            for i, j in pairs:
                yield from _decide(i, j, needed, leads)
                left.append(i if leads[i][j] > 0 else j)
        candidate = left[0]
        for other in range(arms):
            if other != candidate:
                yield from _decide(candidate, other, needed, leads)
                if leads[candidate][other] < 0:
                    return Unproved(None, NO_WINNER)
        return candidate
    except HorizonReached:
        return most_leads(leads)


def lead_needed(h: float, gamma: float) -> int:
    """The lead a that decides a pair; at least 1, as gamma is below ½."""
    return math.ceil(math.log((1 - gamma) / gamma) / math.log((0.5 + h) / (0.5 - h)))


def _decide(i: int, j: int, needed: int, leads: list[list[int]]) -> Generator[Duel, int, None]:
    """Duel two arms until one leads by as much as is needed; not at all where one does."""
    while (missing := needed - abs(leads[i][j])) > 0:
        lead = 2 * (yield Duel(i, j, missing)) - missing
        leads[i][j] += lead
        leads[j][i] -= lead
