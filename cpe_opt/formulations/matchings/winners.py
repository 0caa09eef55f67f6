"""The winners of a problem of matchings, by its definition and found by its oracles.

The *Condorcet winner* is preferred to every other matching; the *Borda winner* has the largest
Borda score, which is linear in the matching.

Chen, Du, Huang, Zhao, "Combinatorial Pure Exploration for Dueling Bandits", ICML 2020.
"""

from __future__ import annotations

from typing import Unpack

import numpy as np

from cpe_opt.formulations.matchings.assignment import (
    Matching,
    best_matching,
    second_best_matching,
)
from cpe_opt.formulations.matchings.condorcet import condorcet_value
from cpe_opt.formulations.subsets.oracle import SubsetMethod
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.problems.matchings.duels import MatchingDuels
from cpe_opt.solvers.options import SolveOptions
from cpe_opt.validation import checked_types

_STRICT = 1e-9


@checked_types
def condorcet_winner(
    duels: MatchingDuels, **solving: Unpack[SolveOptions]
) -> tuple[int, ...] | None:
    """The matching that is preferred to every other, or None.

    It is the only optimal strategy of the saddle LP, because nothing else holds ½ against it; its
    lead over the second best is checked by matchings. ``solving`` is for the saddle LP, as for
    :func:`cpe_opt.solve`.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> condorcet_winner(cpe.load_instance("figure1"))
    (1, 4)
    """
    point = condorcet_value(duels.graph, duels.array, **solving)
    matching = Matchings(duels.graph).best(point.x)
    if matching is None or condorcet_lead(duels, matching) <= _STRICT:
        return None
    return matching


def condorcet_lead(duels: MatchingDuels, matching: tuple[int, ...]) -> float:
    """The least of ``f(matching, M) - 1/2`` over all other matchings M; inf without any."""
    against = duels.array[list(matching)].sum(axis=0)
    worst = second_best_matching(
        duels.graph, against, than=matching, sense="min", method="combinatorial"
    )
    return np.inf if worst is None else worst.value / duels.graph.positions - 0.5


@checked_types
def borda_winner(
    duels: MatchingDuels, *, method: SubsetMethod | None = None, **solving: Unpack[SolveOptions]
) -> Matching:
    """The matching with the largest Borda score; its ``value`` is ℓ times the score.

    ``method`` and ``solving`` are those of :func:`cpe_opt.best_matching`.

    Examples
    --------
    >>> import cpe_opt as cpe
    >>> borda_winner(cpe.load_instance("figure1")).edges
    (0, 4)
    """
    return best_matching(duels.graph, duels.borda_weights, method=method, **solving)
