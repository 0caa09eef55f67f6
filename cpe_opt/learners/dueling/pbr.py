r"""PBR: preference-based racing for the arm with the best Copeland score.

Every pass duels each pair in the race once. Then an arm is discarded that some other has surely
outscored, and the last one not discarded is selected; a pair leaves the race when it is decided,
:math:`|\hat\mu_{ij} - \frac12| > c(N_{ij})`, and when both of its arms are selected or discarded.

.. math:: c(n) = \sqrt{\frac{1}{2n} \ln\frac{2 K^2 n_{max}}{\delta}}

The race ends when no pair is left in it, or after :math:`n_{max}` passes, with the arm that leads
against the most others.

Readings: for the best arm (κ = 1); each pair of arms is duelled once a pass, not
once as (i, j) and once as (j, i); :math:`n_{max}` is the horizon unless told otherwise. An arm is
discarded as soon as one other has surely won against more arms; the paper waits for more than κ
such arms, each ahead by one win more, and for κ = 1 never selects one.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.learners.declaration import declare
from cpe_opt.learners.dueling.elimination import PairRace, play_on, up_to
from cpe_opt.learners.queries import HorizonReached, Unproved
from cpe_opt.problems.queries import Batch, Duel
from cpe_opt.validation import (
    Arms,
    ErrorProbability,
    PositiveInt,
    Rounds,
    checked_delta,
)


@declare(
    family="dueling",
    goal="identification",
    guarantee="a Copeland winner with probability at least 1 - delta if all pairs are decided",
    paper="Busa-Fekete, Szörényi, Weng, Cheng, Hüllermeier (ICML 2013)",
    batches="every pair of a pass",
    winner="Copeland",
)
def pbr(
    arms: Arms,
    *,
    rng: np.random.Generator | None = None,
    horizon: Rounds | None = None,
    delta: ErrorProbability | None = None,
    max_duels: PositiveInt | None = None,
) -> Generator[Duel | Batch, Any, int | Unproved]:
    """Find a Copeland winner with probability at least 1 - delta, and play it from then on.

    Parameters
    ----------
    horizon : int, optional
        T; the winner is played until then. Without one the algorithm stops when it has found it.
    delta : float, optional
        Between 0 and 1; 1/T by default, 0.05 without a horizon.
    max_duels : int, optional
        n_max, the most duels of a pair; T by default, and needed without a horizon. The guarantee
        holds where every pair in the race is decided by then.

    Returns
    -------
    int
        The arm; where the rounds end before it is known, the first that leads against the most
        others.

    References
    ----------
    Busa-Fekete, Szörényi, Weng, Cheng, Hüllermeier, "Top-k Selection based on Adaptive Sampling of
    Noisy Preferences", ICML 2013.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> mu = cpe.load_instance("cyclic")
    >>> trace = cpe.simulate("pbr", mu, max_duels=1000, delta=0.1, seed=0)
    >>> trace.answer, trace.proved
    (0, True)
    """
    error = checked_delta(delta, horizon) / arms**2
    if max_duels is None:
        if horizon is None:
            raise InputError(
                "pbr needs max_duels, the most duels of a pair, where there is no horizon"
            )
        max_duels = horizon
    race = PairRace(arms, up_to(max_duels, error), horizon)
    try:
        yield from race.run(race.possible_winners, max_duels=max_duels)
    except HorizonReached:
        return race.leader()
    winner = race.leader()
    if horizon is not None:
        yield from play_on(winner, horizon - race.rounds)
    if race.pairs:
        return Unproved(
            winner, f"{len(race.pairs)} pairs were undecided after {max_duels} duels each"
        )
    return winner
