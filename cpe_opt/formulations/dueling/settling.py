r"""How many further duels of which pairs would prove a Copeland winner, if estimates stay.

The exploration q of the characteristic time (:mod:`cpe_opt.formulations.dueling.copeland_time`)
says in which proportion the pairs of a winner tell it from every other answer at the least cost,
for small :math:`\delta`. Votes that are there count: with :math:`N_a` votes of the pair a there are
:math:`N'_a = \max(N_a, \lceil s\, q_a \rceil)` after duels in this proportion. The least s at which
votes :math:`N'`, won in the same fractions as N, prove the winner is found by bisection; to settle
it takes :math:`N' - N`.

It is an outlook, no guarantee: estimates will move. There is none where the votes have the winner
tied with arms that may cost it its rank, pairs that never met among them: then those have to be
asked about first.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Unpack

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray, IntArray
from cpe_opt.formulations.dueling.copeland_time import copeland_time, winner_ties
from cpe_opt.formulations.dueling.pair_proof import pair_proof
from cpe_opt.formulations.dueling.proved_winners import (
    COPELAND_SHARE,
    PAIRS_SHARE,
    copeland_proved,
)
from cpe_opt.problems.dueling.preferences import PreferenceMatrix
from cpe_opt.problems.dueling.prices import checked_prices
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.solvers.options import SolveOptions

_PRECISION = 1e-3
_MOST_VOTES = 2.0**50
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Settling:
    """Further duels that would prove a Copeland winner.

    Attributes
    ----------
    winner : int
        The arm that would be proved, or is.
    duels : int array, shape (K, K), or None
        Of each pair, symmetric; None where no number is known.
    cost : float
        Of all of them; infinite where ``duels`` is None.
    undecided : tuple of (int, int)
        Then, the pairs to be asked about first: a winner, and an arm that it ties with or has never
        met; the smaller number first.
    """

    winner: int
    duels: IntArray | None
    cost: float
    undecided: tuple[tuple[int, int], ...] = ()


def settling(
    votes: Votes,
    estimate: PreferenceMatrix,
    delta: float,
    winner: int | None = None,
    *,
    prices: npt.ArrayLike | str | os.PathLike[str] | None = None,
    **solving: Unpack[SolveOptions],
) -> Settling:
    """The further duels, in the proportions that cost least.

    Parameters
    ----------
    votes : Votes
    estimate : PreferenceMatrix
        Of these votes.
    delta : float
        Of the whole of what is said.
    winner : int, optional
        A Copeland winner of the estimate; by default the one that costs least.
    prices : array_like or path, optional
        Of a duel of each pair, as for :func:`cpe_opt.copeland_time`.
    **solving
        As for :func:`cpe_opt.copeland_time`.
    """
    price = checked_prices(prices, estimate)
    time = copeland_time(estimate, winner, prices=price, **solving)
    arm = time.winner
    if math.isinf(time.value):
        ties = {
            (min(each, other), max(each, other))
            for each in time.by_winner
            for other in winner_ties(estimate.array, each).tolist()
        }
        return Settling(arm, None, math.inf, tuple(sorted(ties)))

    def after(scale: float) -> FloatArray:
        """Votes of each pair after duels in proportion."""
        planned = np.ceil(scale * time.exploration * (1.0 - _ROUNDING))
        return np.asarray(np.maximum(votes.duels, planned))

    def proved(scale: float) -> bool:
        wins = after(scale) * estimate.array
        np.fill_diagonal(wins, 0.0)
        proof = pair_proof(estimate.array, wins, PAIRS_SHARE * delta, independent=votes.independent)
        return copeland_proved(
            estimate.array,
            wins,
            proof,
            arm,
            COPELAND_SHARE * delta,
            independent=votes.independent,
        )

    low = high = 0.0
    while not proved(high):
        low, high = high, 2.0 * max(high, 0.5)
        if high * time.exploration.max() > _MOST_VOTES:
            return Settling(arm, None, math.inf)
    while high - low > _PRECISION * high:
        middle = (low + high) / 2.0
        low, high = (low, middle) if proved(middle) else (middle, high)
    duels = np.asarray(after(high) - votes.duels, dtype=np.int64)
    return Settling(arm, duels, float((np.triu(duels) * price).sum()))
