"""What is there before the first duel of a learner that tracks: votes, and prices of duels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.prices import relative_prices
from cpe_opt.problems.dueling.prices import checked_prices
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.validation import checked_count


def started_tally(arms: int, counts: npt.ArrayLike | Votes | None) -> DuelTally:
    """A tally of the duels that are there before the first query.

    Raises
    ------
    InputError
        Where these are no counts, are those of rankings, or are those of another number of arms.
    """
    tally = DuelTally(checked_count("arms", arms, least=2))
    if counts is None:
        return tally
    votes = counts if isinstance(counts, Votes) else Votes(counts)
    if votes.arms != arms:
        raise InputError(f"counts: those of {votes.arms} arms, expected {arms}")
    if not votes.independent:
        raise InputError(
            "counts: those of rankings, whose pairs are not independent, so that they prove "
            "nothing together; expected votes on single pairs"
        )
    if votes.counts.selected is not None:
        raise InputError(
            "counts: some pairs are selected by what the votes say, so that they prove nothing; "
            "expected votes that do not depend on what they say"
        )
    for i, j in zip(*np.nonzero(np.triu(votes.duels)), strict=True):
        tally.add(int(i), int(j), votes.wins.item(i, j), round(votes.duels.item(i, j)))
    return tally


def arm_prices(arms: int, prices: npt.ArrayLike | None) -> FloatArray:
    """Prices by pair, relative to each other, as an array of shape (K, K)."""
    return relative_prices(checked_prices(prices, _Numbered(tuple(map(str, range(arms))))))


@dataclass(frozen=True)
class _Numbered:
    labels: tuple[str, ...]
