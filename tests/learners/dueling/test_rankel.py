"""RankEl: against a plain version, distances of rankings, and its guarantee."""

import itertools
import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.dueling.rankel import doubts, ranked
from tests.learners.dueling.reference_races import hoeffding, race_problem, reference_rankel
from tests.learners.support import OutcomesByPair, run_to_the_end


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rho", [0, 2])
def test_rankel_explores_exactly_as_the_reference(seed, rho):
    mu = race_problem(seed)
    pairs = mu.arms * (mu.arms - 1) / 2
    plain, ours = OutcomesByPair(mu, seed), OutcomesByPair(mu, seed)
    radius = hoeffding(lambda n: math.pi**2 * pairs * n**2 / 3, 0.05)
    expected = reference_rankel(mu.arms, plain.duel, radius, rho)
    assert run_to_the_end(cpe.learners.rankel(mu.arms, rho=rho), ours) == expected
    assert (ours.draws == plain.draws).all()


def kendall(ranking, scores):
    return sum(scores[a] < scores[b] for a, b in itertools.combinations(ranking, 2))


def displacement(ranking, scores):
    """Over all orders that the scores allow, the least of the largest displacement."""
    orders = (
        order for order in itertools.permutations(range(len(scores))) if not kendall(order, scores)
    )
    return min(max(abs(ranking.index(a) - order.index(a)) for a in ranking) for order in orders)


@pytest.mark.parametrize("seed", range(12))
def test_distances_never_exceed_their_bounds(seed):
    """Whatever the scores between their bounds; for points the Kendall bound is the distance."""
    rng = np.random.default_rng(seed)
    lowest = rng.integers(0, 4, size=4)
    highest = np.minimum(lowest + rng.integers(0, 3, size=4), 4)
    ranking = ranked(lowest, highest)
    bound = doubts(ranking, lowest, highest, "kendall").sum() / 2
    largest = doubts(ranking, lowest, highest, "displacement").max()
    worst = 0
    for scores in itertools.product(
        *(range(a, b + 1) for a, b in zip(lowest, highest, strict=True))
    ):
        worst = max(worst, kendall(ranking, scores))
        assert displacement(ranking, scores) <= largest
    assert worst <= bound
    if (lowest == highest).all():
        assert bound == largest == 0
