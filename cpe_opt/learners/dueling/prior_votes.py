"""What a learner of duels is given before the first one: votes, and prices of pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.tracking import relative_prices
from cpe_opt.problems.dueling.votes import Votes
from cpe_opt.problems.pairs import checked_prices
from cpe_opt.validation import checked_count


def prior_tally(arms: int, prior: npt.ArrayLike | Votes | None) -> DuelTally:
    """A tally of the duels that were made before the first query."""
    tally = DuelTally(checked_count("arms", arms, least=2))
    if prior is None:
        return tally
    votes = prior if isinstance(prior, Votes) else Votes(prior)
    if votes.arms != arms:
        raise InputError(f"prior: votes on {votes.arms} arms, expected {arms}")
    if not votes.independent:
        raise InputError(
            "prior: votes of rankings, or of raters with several pairs each, which are not "
            "independent, so that they prove nothing together; expected votes on single pairs"
        )
    if votes.counts.outcomes is not None:
        raise InputError(
            "prior: votes in clusters, or shares of one, and a learner counts each vote by itself; "
            "expected votes that do not depend on each other"
        )
    if votes.counts.selected is not None:
        raise InputError(
            "prior: some pairs are selected by what the votes say, so that they prove nothing; "
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
    """Arms without names: numbers are their labels in messages about prices."""

    labels: tuple[str, ...]
