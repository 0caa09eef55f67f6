"""The largest upper bound from a few lines against that of all lines."""

import math

import numpy as np
import pytest

from cpe_opt.learners.dueling.intervals import DuelIntervals, UpperBounds
from cpe_opt.learners.uniforms import Uniforms


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


@pytest.mark.parametrize("arms", [2, 5, 12, 60])
@pytest.mark.parametrize("seed", range(4))
def test_few_lines_lead_as_all_lines_do(arms, seed):
    """The leader's duels are counted, as a learner does, or another arm's; arms come and go."""
    rng = np.random.default_rng([seed, arms])
    chances = rng.choice([0.2, 0.5, 0.5, 0.55], arms)
    ours, every = UpperBounds(arms, 0), AllLines(arms, 0)
    wins, draws = np.zeros(arms, dtype=int), np.zeros(arms, dtype=int)
    quick = 0
    for t in range(1, 3000):
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
    assert quick > 1500


def test_the_strongest_of_a_list_is_so_among_these_alone():
    bounds = UpperBounds(4, 0)
    for arm, share in ((1, 0.7), (2, 0.9), (3, 0.7)):
        bounds.change(arm, share, 0.1)
    assert bounds.maximisers_among([1, 2, 3], 1.0) == [2]
    assert bounds.maximisers_among([1, 3], 1.0) == [1, 3]
    assert bounds.maximisers_among([0, 3], 1.0) == [3]


def test_who_has_beaten_an_arm_is_not_the_strongest_against_it():
    """Until time has opened the interval again: z = 10²/(4 · 10 · 0.51) = 4.902, e^z = 134.56."""
    intervals = DuelIntervals(3, 0.51, Uniforms(np.random.default_rng(0)), bar_beaters=True)
    intervals.advance(100)
    intervals.add(0, 2, 5, 10)
    intervals.add(1, 0, 10, 10)
    assert intervals.beaters(0) == [1]
    assert intervals.strongest_against(0) == 2
    intervals.advance(134)
    assert (intervals.strongest_against(0), intervals.valid_until()) == (2, 135)
    intervals.advance(135)
    assert (intervals.strongest_against(0), intervals.beaters(0)) == (1, [])


def test_a_pair_is_listed_again_only_where_its_moment_comes_forward():
    """So what is kept does not grow with the number of duels."""
    intervals = DuelIntervals(2, 0.51, Uniforms(np.random.default_rng(0)))
    for t in range(1, 5000):
        intervals.advance(t)
        intervals.add(0, 1, int(t % 10 > 0))
    assert intervals.sign(0, 1) == 1
    assert len(intervals._moments) <= 2
    assert intervals.valid_until() > 10**17


def test_uniform_numbers_are_those_of_the_generator():
    rng = np.random.default_rng(3)
    uniforms = Uniforms(np.random.default_rng(3))
    assert [uniforms.next() for _ in range(1500)] == [rng.random() for _ in range(1500)]
    assert [uniforms.below(7) for _ in range(1500)] == [int(7 * rng.random()) for _ in range(1500)]
    sampled = [tuple(sorted(uniforms.sample([3, 5, 8], 2))) for _ in range(3000)]
    for pair in ((3, 5), (3, 8), (5, 8)):
        assert abs(sampled.count(pair) - 1000) < 110  # four standard deviations
