r"""SAVAGE with the Copeland winner, or the Condorcet winner, as its target.

Sensitivity analysis of variables for generic exploration: of the pairs that still matter, duel one
that has been duelled least; after every duel, pairs leave that cannot change the winner any more.
A pair leaves when it is decided, :math:`|\hat\mu_{ij} - \frac12| > c(N_{ij})`, and

- ``copeland``: when neither of its arms may be a winner, because both have lost so often that some
  arm has surely won more; when one arm is left that may be a winner, no pair matters;
- ``condorcet``: when one of its arms has lost. Fewer pairs matter, but the answer is right only
  where a Condorcet winner exists. Where one does, this is the variant that other implementations
  of SAVAGE run.

With :math:`N = K(K-1)/2` pairs

.. math:: c(n) = \sqrt{\frac{\ln(\eta(n) / \delta)}{2n}} ,
    \qquad \eta(n) = 2NT \text{ for a horizon } T , \quad \pi^2 N n^2 / 3 \text{ without one.}

Pairs duelled equally often are taken in turn, so this is a race
(:mod:`cpe_opt.learners.dueling.elimination`).
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Literal, TypeAlias

import numpy as np

from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.elimination import PairRace, arms_tie, at_any_time, play_on, up_to
from cpe_opt.learners.queries import HAS_CONDORCET_WINNER, Conditional, HorizonReached
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.validation import Arms, ErrorProbability, Rounds, checked_delta

SavageTarget: TypeAlias = Literal["copeland", "condorcet"]


@declare(
    family="dueling",
    goal="identification",
    guarantee="a Copeland winner with probability at least 1 - delta",
    paper="Urvoy, Clerot, Féraud, Naamane (ICML 2013)",
    endless_if="two arms tie",
    endless_on=arms_tie,
    batches="passes that decide no pair; of others the pairs up to the first that may be decided",
)
def savage(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    horizon: Rounds | None = None,
    delta: ErrorProbability | None = None,
    target: SavageTarget = "copeland",
) -> Generator[Duel | Batch, Any, int | Conditional]:
    """Find a winner with probability at least 1 - delta, and play it from then on.

    A tied pair is never decided: with one the algorithm may explore up to the horizon.

    Parameters
    ----------
    horizon, delta : optional
        As for :func:`cpe_opt.learners.pbr`.
    target : "copeland" or "condorcet"
        The winner of what; ``condorcet`` is what to compare with where there is a Condorcet winner.

    Returns
    -------
    int
        The arm; where the rounds end before it is known, the first that leads against the most
        others.

    References
    ----------
    Urvoy, Clerot, Féraud, Naamane, "Generic Exploration and K-armed Voting Bandits", ICML 2013.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("savage", mu, delta=0.1, seed=0)
    >>> trace.answer, trace.proved
    (0, True)
    """
    pairs = arms * (arms - 1) // 2
    error = checked_delta(delta, horizon) / pairs
    needed = at_any_time(error) if horizon is None else up_to(horizon, error)
    race = PairRace(arms, needed, horizon)
    try:
        if target == "copeland":
            yield from race.run(race.possible_winners, at_once=True)
        else:
            yield from race.run(race.unbeaten, both=True, at_once=True)
    except HorizonReached:
        return race.leader()
    unbeaten = [arm for arm in range(arms) if not race.losses[arm]]
    winner = unbeaten[0] if len(unbeaten) == 1 else race.leader()
    if horizon is not None:
        yield from play_on(winner, horizon - race.rounds)
    if target == "copeland":
        return winner
    # Of the pairs of this arm those with arms that had lost before are not decided.
    return Conditional(winner, HAS_CONDORCET_WINNER)
