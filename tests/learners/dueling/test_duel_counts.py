"""Counts of duels: divergences and who is beaten."""

import math

import numpy as np
import pytest

from cpe_opt.learners.dueling.duel_counts import DuelTally, bernoulli_divergence


@pytest.mark.parametrize("margin", [0.0, 1e-5, -9e-4, 2e-3, 0.3, -0.8, 0.999999, 1.0, -1.0])
def test_divergences_from_one_half_are_right_to_their_bits(margin):
    """p ln 2p + (1 - p) ln 2(1 - p) with p = (1 + margin)/2; margin²/2 to begin with."""
    chances = [(1 + margin) / 2, (1 - margin) / 2]
    expected = sum(p * math.log(2 * p) for p in chances if p > 0)
    found = bernoulli_divergence(margin)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-15)
    if 0 < abs(margin) < 0.01:
        assert found == pytest.approx(margin**2 / 2 + margin**4 / 12, rel=1e-9)


def test_an_arm_is_beaten_below_one_half_and_by_no_tie():
    tally = DuelTally(3)
    tally.add(0, 1, 1, 2)
    tally.add(1, 2, 0, 1)
    assert np.argwhere(tally.beaten).tolist() == [[1, 2]]
