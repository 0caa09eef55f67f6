"""Confidence intervals of duels: verdicts, the next change, and the largest upper bound."""

import math

import numpy as np
import pytest

from cpe_opt.learners.dueling.intervals import (
    FOREVER,
    DuelIntervals,
    Uniforms,
    UpperBounds,
    first_above,
    first_reaching,
)


class AllLines:
    """Every bound, in every round."""

    def __init__(self, arms, against):
        self.lines = [(2.0, 0.0)] * arms
        self.lines[against] = (0.5, 0.0)
        self.barred = set()

    def maximisers(self, width):
        bounds = {
            arm: share + width * radius
            for arm, (share, radius) in enumerate(self.lines)
            if arm not in self.barred
        }
        return [arm for arm, bound in bounds.items() if bound == max(bounds.values())]


@pytest.mark.parametrize("arms", [2, 12, 60])
@pytest.mark.parametrize("seed", range(1))
def test_few_lines_lead_as_all_lines_do(arms, seed):
    """The leader's duels are counted, as a learner does, or another arm's; arms come and go."""
    rng = np.random.default_rng([seed, arms])
    chances = rng.choice([0.2, 0.5, 0.5, 0.55], arms)
    ours, every = UpperBounds(arms, 0), AllLines(arms, 0)
    wins, draws = np.zeros(arms, dtype=int), np.zeros(arms, dtype=int)
    quick = 0
    for t in range(1, 2000):
        width = math.sqrt(0.51 * math.log(t))
        expected, leader = every.maximisers(width), ours.leader(width)
        if leader is None:
            assert ours.maximisers(width) == expected
        else:
            assert [leader] == expected
            quick += 1
        if t % 50 == 0:
            arm = int(rng.integers(1, arms))
            (every.barred.discard if arm in every.barred else every.barred.add)(arm)
            (ours.bar if arm in every.barred else ours.admit)(arm)
        arm = expected[0] if rng.random() < 0.8 else int(rng.integers(arms))
        if arm:
            wins[arm] += rng.random() < chances[arm]
            draws[arm] += 1
            line = every.lines[arm] = (int(wins[arm]) / int(draws[arm]), float(draws[arm]) ** -0.5)
            ours.change(arm, *line)
    assert quick > 1000


def test_intervals_follow_their_definition():
    """Verdicts, scores and the moment of the next change against the formula."""
    rng = np.random.default_rng(5)
    arms, alpha = 5, 0.7
    intervals = DuelIntervals(arms, alpha, Uniforms(rng))
    wins = np.zeros((arms, arms))
    for t in range(1, 3000):
        intervals.advance(t)
        n = wins + wins.T
        share = np.divide(wins, n, out=np.full_like(wins, 0.5), where=n > 0)
        radius = np.sqrt(alpha * math.log(t) / np.maximum(n, 1))
        above = (n > 0) & (share - radius > 0.5)
        assert intervals.wins == above.sum(axis=1).tolist()
        assert intervals.losses == above.sum(axis=0).tolist()
        assert intervals.unbeaten == np.flatnonzero(above.sum(axis=0) == 0).tolist()
        i, j = rng.permutation(arms)[:2].tolist()
        won = int(rng.random() < 0.5 + 0.1 * (j - i))
        intervals.add(i, j, won)
        wins[i, j] += won
        wins[j, i] += 1 - won
    until = intervals.valid_until()
    before = list(intervals.wins)
    intervals.advance(until - 1)
    assert intervals.wins == before
    intervals.advance(until)
    assert intervals.wins != before


def test_the_first_round_whose_logarithm_reaches_or_exceeds_a_value():
    for s in (2, 3, 10, 12345):
        assert first_reaching(math.log(s)) == s
        assert first_reaching(math.nextafter(math.log(s), 99)) == s + 1
    assert first_reaching(-1.0) == 1
    for s in (3, 10, 1000, 123_456, 10**9):
        assert first_above(math.log, math.log(s), math.log(s)) == s + 1
        below = math.nextafter(math.log(s), 0)
        assert first_above(math.log, below, below) == s
    assert first_above(math.log, math.inf, math.inf) == FOREVER


def test_an_interval_that_holds_one_half_decides_nothing():
    """8 of 10 more wins than losses: z = 64/(4 · 10 · 0.51) = 3.1, and ln 100 = 4.6."""
    intervals = DuelIntervals(2, 0.51, Uniforms(np.random.default_rng(0)))
    intervals.advance(100)
    intervals.add(0, 1, 9, 10)
    assert intervals.sign(0, 1) == 0
    intervals.advance(101)
    intervals.add(0, 1, 10, 10)
    assert intervals.sign(0, 1) == 1
