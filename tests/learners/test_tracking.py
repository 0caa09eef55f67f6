"""The loop that all learners share which track: what it asks, counts and says, and its blocks."""

import numpy as np
import pytest

from cpe_opt.learners.queries import Conditional, HorizonReached, Unproved
from cpe_opt.learners.tracking import track, whole_duels
from cpe_opt.problems.queries import Batch, Duel


class Steps:
    """Blocks of a single duel and of two at once, until there are enough; notes what happens."""

    def __init__(self, blocks, answer=7):
        self.left, self.answer, self.noted = blocks, answer, []

    def proved(self):
        self.noted.append("proved?")
        return None if self.left else self.answer

    def block(self):
        yield [Duel(0, 1)]
        yield [Duel(0, 2), Duel(1, 2)]
        self.left -= 1
        self.noted.append("judged")

    def count(self, query, observed):
        self.noted.append((query.i, query.j, observed))

    def guess(self):
        return 3

    def doubt(self):
        return "too early"


def test_blocks_are_counted_then_judged_then_asked_for_a_proof():
    steps = Steps(1)
    loop = track(steps)
    assert next(loop) == Duel(0, 1)
    assert loop.send(1) == Batch((Duel(0, 2), Duel(1, 2)))
    with pytest.raises(StopIteration) as end:
        loop.send([0, 1])
    assert end.value.value == 7
    assert steps.noted == ["proved?", (0, 1, 1), (0, 2, 0), (1, 2, 1), "judged", "proved?"]


@pytest.mark.parametrize("answer", [0, Conditional(1, "it rains"), Unproved(2, "no answer")])
def test_what_is_proved_at_the_start_is_answered_without_a_query(answer):
    with pytest.raises(StopIteration) as end:
        next(track(Steps(0, answer)))
    assert end.value.value == answer


def test_at_the_horizon_the_guess_is_answered_and_a_block_that_is_cut_off_is_not_judged():
    steps = Steps(5)
    loop = track(steps)
    next(loop)
    loop.send(0)
    with pytest.raises(StopIteration) as end:
        loop.throw(HorizonReached())
    assert end.value.value == Unproved(3, "too early")
    assert steps.noted == ["proved?", (0, 1, 0)]


@pytest.mark.parametrize(("least", "expected"), [(1, [1, 3, 8]), (12, [1, 3, 8]), (13, [2, 4, 9])])
def test_duels_are_rounded_down_and_raised_alike(least, expected):
    assert whole_duels(np.array([0.3, 3.9, 8.0]), least).tolist() == expected
