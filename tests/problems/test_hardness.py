import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.problems.hardness import copeland_hardness
from tests.support import random_preferences


def test_gap_by_hand():
    """Arm 0 wins with one loss; 1 loses to 0 and 3 by 0.3 each, 3 loses to 0 by 0.01, to 1 …"""
    mu = cpe.load_instance("gap")
    hardness = copeland_hardness(mu)
    assert (hardness.winners, hardness.losses_of_winner) == (1, 1)
    assert hardness.star[0] is None
    assert hardness.star_gap[0] == 0
    assert hardness.star_gap[1:] == pytest.approx([0.3, 0.3, 0.3, 0.3])
    assert hardness.smallest_gap == pytest.approx(0.01)
    assert hardness.gap == pytest.approx(0.01)
    assert hardness.hardness[0] == pytest.approx(3 / 0.09 + 1 / 0.0001)
    assert hardness.largest_hardness == pytest.approx(3 / 0.09 + 1 / 0.0001)
    assert hardness.score_gap.tolist() == [0.25, 0.25, 0.25, 0.5, 0.25]
    # A^(3): pairs of the winner with the others, and 2 (L_C + 1) / Delta*_i^2 for four others.
    assert hardness.ccb_constant == pytest.approx(3 / 0.09 + 1e4 + 4 * 4 / 0.09)
    assert hardness.ccb_bound == pytest.approx(2 * 5 * 3 / 1e-4)
    assert hardness.pair_star_gap[0, 1] == pytest.approx(0.3)
    assert hardness.pair_star_gap[3, 0] == pytest.approx(0.3)  # loses: the larger of 0.3 and 0.01
    assert hardness.pair_star_gap[3, 1] == pytest.approx(0.6)  # wins: 0.3 + 0.3


@pytest.mark.parametrize("seed", range(20))
def test_definitions_against_loops(seed):
    mu = random_preferences(7, np.random.default_rng(seed))
    hardness = copeland_hardness(mu)
    winners = set(mu.copeland_winners)
    fewest = int(mu.losses.min())
    smallest = math.inf
    for i in range(7):
        if i in winners:
            smallest = min(smallest, *(mu.gaps[i, j] for j in range(7) if j not in winners))
            continue
        ordered = sorted((mu.gaps[i, j] for j in mu.superiors(i)), reverse=True)
        assert hardness.star_gap[i] == ordered[fewest]
        assert mu.gaps[i, hardness.star[i]] == ordered[fewest]
        smallest = min(smallest, ordered[fewest])
        for j in range(7):
            if mu.array[i, j] >= 0.5:
                expected = ordered[fewest] + mu.gaps[i, j]
            else:
                expected = max(ordered[fewest], mu.gaps[i, j])
            assert hardness.pair_star_gap[i, j] == pytest.approx(expected)
    assert hardness.gap == pytest.approx(smallest)
    assert hardness.ccb_constant <= hardness.ccb_bound * (1 + 1e-12)
    assert (hardness.pair_star_gap >= mu.gaps - 1e-12).all()


def test_ties_are_infinitely_hard():
    hardness = copeland_hardness(cpe.load_instance("arxiv"))
    assert hardness.smallest_gap == 0
    assert hardness.largest_hardness == math.inf
    assert math.isfinite(hardness.ccb_constant)
    nobody = copeland_hardness(cpe.PreferenceMatrix(np.full((3, 3), 0.5)))
    assert nobody.winners == 3
    assert nobody.gap == math.inf
