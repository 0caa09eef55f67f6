"""SCB: scalable Copeland bandits, by identifying a winner ever more surely.

Zoghi, Karnin, Whiteson, de Rijke (NIPS 2015), Algorithm 3: for r = 1, 2, … with T = 2^(2^r), run
the identification (:mod:`cpe_opt.learners.dueling.copeland_identification`) with confidence
ln(T)/T, cut off after T rounds; where it has ended with an arm, play that arm against itself for
the rest of the T rounds. Every r starts afresh.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.copeland_identification import copeland_identification
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
def scb(arms: int, *, rng: np.random.Generator) -> Generator[Duel, int, int | None]:
    """Play near a Copeland winner by duels; made for many arms.

    Parameters
    ----------
    arms : int
        K, at least 2.
    rng : Generator

    Returns
    -------
    int or None
        The arm identified last when the horizon is reached; None before the first.

    References
    ----------
    Zoghi, Karnin, Whiteson, de Rijke, "Copeland Dueling Bandits", NIPS 2015, Algorithm 3.
    """
    checked_count("arms", arms, least=2)
    winner: int | None = None
    r = 1
    try:
        while True:
            budget = 2 ** (2**r)
            delta = math.log(budget) / budget
            found, spent = yield from cut_off(
                copeland_identification(arms, rng=rng, delta=delta), budget
            )
            if found is not None:
                winner = found
                if spent < budget:
                    yield Duel(winner, winner, budget - spent)
            r += 1
    except HorizonReached:
        return winner


def cut_off(
    learner: Generator[Duel, int, int], budget: int
) -> Generator[Duel, int, tuple[int | None, int]]:
    """Run a learner for at most ``budget`` rounds: its answer, or None, and the rounds it took."""
    spent = 0
    try:
        query = next(learner)
        while True:
            if spent + query.times >= budget:
                yield replace(query, times=budget - spent)
                learner.close()
                return None, budget
            observation = yield query
            spent += query.times
            query = learner.send(observation)
    except StopIteration as finished:
        return finished.value, spent
