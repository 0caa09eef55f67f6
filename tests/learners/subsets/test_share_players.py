"""Players of a repeated game: their shares, round by round, and what they regret."""

import math

import numpy as np
import pytest

from cpe_opt.learners.subsets.comb_game import AdaHedge


def hedge(rounds):
    """AdaHedge by the lines of its paper, for losses; the shares before every round."""
    losses, gap, found = np.zeros(rounds.shape[1]), 0.0, []
    for loss in -rounds:
        if gap == 0.0:
            shares = (losses == losses.min()).astype(float)
            shares /= shares.sum()
            mix = loss[shares > 0].min()
        else:
            eta = math.log(len(loss)) / gap
            shares = np.exp(-eta * (losses - losses.min()))
            shares /= shares.sum()
            mix = -math.log(shares @ np.exp(-eta * loss)) / eta
        found.append(shares)
        gap += shares @ loss - mix
        losses = losses + loss
    return found


@pytest.mark.parametrize("scale", [1e-3, 1.0, 50.0])
def test_shares_are_those_of_the_plain_reference(scale):
    rounds = scale * np.random.default_rng(0).random((60, 4))
    plays, expected = AdaHedge(4), hedge(rounds)
    for gains, shares in zip(rounds, expected, strict=True):
        assert np.allclose(plays.shares, shares, atol=1e-8)
        plays.gain(gains)


def test_gains_that_are_equal_but_for_rounding_do_not_set_the_rate():
    for seed in range(5):
        rng, player = np.random.default_rng(seed), AdaHedge(3)
        for _ in range(20):
            player.gain(0.3 * (1.0 + rng.uniform(-4e-16, 4e-16, size=3)))
            assert np.allclose(player.shares, 1.0 / 3.0, rtol=1e-9)
