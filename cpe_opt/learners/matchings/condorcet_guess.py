r"""The likeliest Condorcet winner by estimates: what CAR algorithms answer where their rounds end.

With :math:`\hat P` the shares of duels won, nobody beats a matching M by the estimates where
:math:`\min_{M'} f(M, M', \hat P) \ge \frac12`. The guess is

1. the matching of the largest :math:`\sum_{e \in M} \hat w(e)`, :math:`\hat w(e)` the mean of
   :math:`\hat p_{ef}` over the other edges f at e's position, if nobody beats it;
2. otherwise the matching that the optimal strategy :math:`x^*` of the minimax problem for
   :math:`\hat P` plays most, if nobody beats it: where the estimates have a Condorcet winner, this
   is it, because :math:`x^*` plays nothing else;
3. otherwise, as there is no such winner, that of 1.

Edges that are accepted or rejected restrict both the matchings and their rivals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError
from cpe_opt.formulations.matchings.assignment import constrained
from cpe_opt.formulations.matchings.condorcet import BestResponses, saddle_point
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.problems.matchings.bipartite import BipartiteGraph
from cpe_opt.problems.matchings.decisions import Matchings
from cpe_opt.ties import on_grid


def condorcet_guess(
    graph: BipartiteGraph,
    estimates: FloatArray,
    accepted: Sequence[int] = (),
    rejected: Sequence[int] = (),
    oracle: SubsetOracle | None = None,
) -> tuple[int, ...]:
    """The matching that is the Condorcet winner for all that the estimates say.

    Some matching has the accepted edges and lacks the rejected ones; estimates are to 2⁻³⁰.
    """
    matchings = Matchings(graph)
    limits = constrained(graph, accepted, rejected)
    best_of = SubsetOracle(matchings) if oracle is None else oracle
    replies = BestResponses(matchings, estimates, limits, limits)

    def heaviest(weights: FloatArray) -> tuple[int, ...]:
        best = best_of.maximise(on_grid(weights), accepted, rejected)
        if best is None:
            raise InputError("no matching has the accepted edges and lacks the rejected ones")
        return best

    def unbeaten(matching: tuple[int, ...]) -> bool:
        chi = np.zeros(graph.size)
        chi[list(matching)] = 1.0
        return replies.against_x(chi)[0] >= 0.5

    others = np.bincount(graph.position)[graph.position] - 1
    strongest = heaviest((estimates.sum(axis=1) - 0.5) / np.maximum(1, others))
    if unbeaten(strongest):
        return strongest
    played = heaviest(saddle_point(replies).x)
    return played if unbeaten(played) else strongest
