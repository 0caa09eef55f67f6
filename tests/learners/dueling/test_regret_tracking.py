"""Regret tracking: the weakest ways by brute force over truths, and its rules."""

import math
from itertools import combinations, product

import numpy as np
import pytest

from cpe_opt.learners.dueling.duel_counts import DuelTally
from cpe_opt.learners.dueling.weakest_ways import FlipCosts
from tests.learners.conformance import DuelLearnerConformance


class TestRegretTracking(DuelLearnerConformance):
    learner = "regret-tracking"

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"weight": -1.0}, "weight is -1.0, expected"),
            ({"exploration": 0.0}, "exploration is 0.0, expected"),
        ],
    )
    def test_bad_parameters_are_refused(self, parameters, message):
        self.refused(3, message, **parameters)


def some_duels(arms, rng):
    """A tally in which some pairs have not met, and some are level."""
    tally = DuelTally(arms)
    pairs = list(combinations(range(arms), 2))
    flips = [(i, j, int(rng.integers(0, 9))) for i, j in pairs for _ in range(2)]
    counted = [(i, j, int(rng.integers(0, times + 1)), times) for i, j, times in flips if times]
    return tally, counted


def costs_of_truths(tally, arm, discount):
    """The least cost of the signs, one per pair, under which an arm is no Copeland winner.

    Signs are 1, 0 for a tie, or -1; a tie is neither a loss nor a win.
    """
    pairs = list(combinations(range(tally.arms), 2))
    least = math.inf
    for signs in product((1, 0, -1), repeat=len(pairs)):
        losses, terms = [0] * tally.arms, []
        for (a, b), sign in zip(pairs, signs, strict=True):
            losses[b] += sign == 1
            losses[a] += sign == -1
            ahead = tally.estimate[a, b] - 0.5
            if sign * ahead < 0 or (sign == 0 and ahead):
                terms.append(max(0.0, tally.evidence[a, b] - discount))
        if losses[arm] > min(losses):
            total = sum(terms)
            least = min(least, total + discount * (total > 0))
    return least


@pytest.mark.parametrize(("arms", "seeds"), [(2, 10), (3, 40), (4, 25)])
@pytest.mark.parametrize("discount", [0.0, 0.7])
def test_the_weakest_way_is_the_cheapest_of_all_truths(arms, seeds, discount):
    for seed in range(seeds):
        rng = np.random.default_rng([seed, arms])
        tally, duels = some_duels(arms, rng)
        flips = FlipCosts(tally, 0.0, discount)
        for i, j, won, times in duels:
            tally.add(i, j, won, times)
            flips.update(i, j)
        for arm in range(arms):
            (way,) = flips.weakest(arm)
            expected = costs_of_truths(tally, arm, discount)
            assert way.index == pytest.approx(expected, abs=1e-9)
