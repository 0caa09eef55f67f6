r"""DKWT: a tournament in which the winner stays, for the Condorcet winner.

The Dvoretzky–Kiefer–Wolfowitz tournament for pairs: two random arms duel until one of them wins,
the winner meets an arm that has not been in the tournament, drawn at random, and so on through all
K arms. Where there is a Condorcet winner, and no decision about it is wrong, it wins from its first
pair on; the others may be wrong or not make sense at all.

A pair is decided in trials s = 1, 2, …, each with duels of its own. With :math:`\gamma = \delta/K`,
:math:`\gamma_s = 6\gamma/(\pi s)^2` and :math:`h_s = 2^{-s-1}`, trial s makes

.. math:: T_s = \left\lceil \frac{8}{h_s^2} \ln \frac{4}{\gamma_s} \right\rceil

duels, and decides for the arm that has won more of them, if its lead is above :math:`h_s T_s`. By
the inequality of Dvoretzky, Kiefer and Wolfowitz it errs with probability at most :math:`\gamma_s`.
The duels of a trial are one query.

Readings: for k = 2 arms a query the paper's loop has K steps, of which the last finds no new
arm; it is left out. (The authors' programs differ there: one plays the last pair twice.)
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.elimination import arms_tie
from cpe_opt.learners.queries import HAS_CONDORCET_WINNER, HorizonReached
from cpe_opt.problems.queries import Duel
from cpe_opt.validation import Arms, ErrorProbability


@declare(
    family="dueling",
    goal="identification",
    guarantee="the Condorcet winner, if there is one, with probability at least 1 - delta",
    paper="Haddenhorst, Bengs, Hüllermeier (NeurIPS 2021), DKWT",
    assumption=HAS_CONDORCET_WINNER,
    endless_if="two arms tie",
    endless_on=arms_tie,
    winner="Condorcet",
)
def dkwt(
    arms: Arms, *, rng: np.random.Generator, delta: ErrorProbability = 0.05
) -> Generator[Duel, int, int]:
    """Find the Condorcet winner, which is assumed to exist, with probability at least 1 - delta.

    Where there is none, some arm is named. A tied pair is never decided: with one the algorithm may
    not stop by itself.

    Parameters
    ----------
    rng : Generator
        For the order of the arms.

    Returns
    -------
    int
        The arm; where the rounds end before it is known, the one that has stayed so far.

    References
    ----------
    Haddenhorst, Bengs, Hüllermeier, "Identification of the Generalized Condorcet Winner in
    Multi-dueling Bandits", NeurIPS 2021: DKWT for k = 2.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("dkwt", mu, delta=0.1, seed=0)
    >>> trace.answer, trace.proved
    (0, True)
    """
    gamma = delta / arms
    stays, *others = rng.permutation(arms).tolist()
    try:
        for other in others:
            stays = yield from _winner_of(stays, other, gamma)
    except HorizonReached:
        pass
    return int(stays)


def trial_size(s: int, gamma: float) -> int:
    """T_s: how many duels trial s makes."""
    gamma_s = 6.0 * gamma / (math.pi * s) ** 2
    return math.ceil(8.0 * 4.0 ** (s + 1) * math.log(4.0 / gamma_s))


def _winner_of(i: int, j: int, gamma: float) -> Generator[Duel, int, int]:
    """Trials until one decides."""
    s = 1
    while True:
        duels = trial_size(s, gamma)
        lead = 2 * (yield Duel(i, j, duels)) - duels
        if abs(lead) * 2 ** (s + 1) > duels:
            return i if lead > 0 else j
        s += 1
