"""What is answered of matchings where the rounds end: against an enumeration of all matchings."""

import numpy as np
import pytest

from cpe_opt.learners.matchings.pair_bounds import condorcet_guess
from tests.support import random_constraints, random_matchings


def chance(matrix, one, other):
    """How many positions ``one`` wins against ``other``, in the mean."""
    return sum(matrix[e, f] for e, f in zip(one, other, strict=True))


def allowed(graph, accepted, rejected):
    return [m for m in graph.matchings() if set(accepted) <= set(m) and not set(rejected) & set(m)]


def coarse(duels):
    """Its probabilities in 64ths, so that sums are exact."""
    rounded = np.round(64 * duels.array) / 64
    upper = np.triu(rounded, 1)
    comparable = duels.graph.position[:, None] == duels.graph.position[None, :]
    return np.where(comparable, upper + np.tril(1 - upper.T, -1) + 0.5 * np.eye(len(rounded)), 0.0)


@pytest.mark.parametrize("seed", range(24))
def test_the_guess_is_the_condorcet_winner_by_the_estimates(seed):
    rng = np.random.default_rng(seed)
    duels = random_matchings(rng, most=4)
    graph, matrix = duels.graph, coarse(duels)
    accepted, rejected = ((), ()) if seed % 2 else random_constraints(rng, graph)
    if not allowed(graph, accepted, rejected):
        rejected = ()
    matchings, half = allowed(graph, accepted, rejected), graph.positions / 2
    found = condorcet_guess(graph, matrix, accepted, rejected)
    assert found in matchings
    winners = [
        m for m in matchings if all(chance(matrix, m, r) > half for r in matchings if r != m)
    ]
    unbeaten = [m for m in matchings if all(chance(matrix, m, r) >= half for r in matchings)]
    weight = {e: np.mean([matrix[e, f] for f in edges if f != e] or [0.0])
              for edges in graph.edges_at for e in edges.tolist()}  # fmt: skip
    best = max(sum(weight[e] for e in m) for m in matchings)
    if winners:
        assert [found] == winners
    elif unbeaten:
        assert found in unbeaten or sum(weight[e] for e in found) == pytest.approx(best)
    else:
        assert sum(weight[e] for e in found) == pytest.approx(best)
