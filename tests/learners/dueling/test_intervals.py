"""Confidence intervals of duels: verdicts, the next change, and the largest upper bound."""

import math

import numpy as np
import pytest

from cpe_opt.learners.dueling.intervals import (
    FOREVER,
    DuelIntervals,
    Uniforms,
    first_above,
    first_reaching,
)


@pytest.mark.parametrize("bar", [False, True])
def test_the_strongest_arm_has_the_largest_bound_of_those_that_are_not_barred(bar):
    """Against the formula; on a tie one of them, but never the arm itself."""
    rng, arms, alpha, tied = np.random.default_rng(1), 6, 0.7, set()
    intervals = DuelIntervals(arms, alpha, Uniforms(rng), bar_beaters=bar)
    wins = np.zeros((arms, arms))
    for t in range(1, 1500):
        intervals.advance(t)
        c = int(rng.integers(arms))
        upper = []
        for j in range(arms):
            n = wins[j, c] + wins[c, j]
            bound = wins[j, c] / n + math.sqrt(alpha * math.log(t)) * n**-0.5 if n else 2.0
            upper.append(-1.0 if bar and intervals.sign(j, c) > 0 else bound)
        upper[c] = 0.5
        d = intervals.strongest_against(c)
        assert upper[d] == pytest.approx(max(upper), rel=1e-12)
        if upper.count(2.0) > 1:
            tied.add(d)
        among = [j for j in range(arms) if j not in (c, d) and upper[j] >= 0.0]
        assert not among or intervals.strongest_against(c, among) in among
        if c != d:
            won = int(rng.random() < 0.5 + 0.1 * (d - c))
            intervals.add(c, d, won)
            wins[c, d] += won
            wins[d, c] += 1 - won
    assert len(tied) > 3


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
