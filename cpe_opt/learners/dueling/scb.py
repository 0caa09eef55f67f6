"""SCB: scalable Copeland bandits, by identifying a winner ever more surely.

Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015), Algorithm 3: for r = 1, 2, … with T = 2^(2^r), run
the identification (:mod:`cpe_opt.learners.dueling.copeland_identification`) with confidence
ln(T)/T, cut off after T rounds; where it has ended with an arm, play that arm against itself for
the rest of the T rounds. Every r starts afresh. A run that would end with the last of the T rounds
counts as cut off, too: no round is left to play its arm.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.copeland_identification import copeland_identification
from cpe_opt.learners.exchange import Exchange
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.problems.queries import Duel
from cpe_opt.validation import checked_count


@declare(
    family="dueling",
    goal="regret",
    guarantee="expected regret O(K (L_C + ln K) ln T / Δ_min²), without ties",
    paper="Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015), Algorithm 3",
    endless=True,
)
def scb(arms: int, *, rng: np.random.Generator) -> Generator[Duel, int, int]:
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
    checked_count("arms", arms, least=2)
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
