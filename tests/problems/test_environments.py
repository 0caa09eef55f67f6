"""Which duels are legal, and which random numbers they take."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.problems.environments import DuelEnvironment
from cpe_opt.problems.queries import Duel

MU = np.full((4, 4), 0.5)


def environment(**places):
    return DuelEnvironment(MU, np.random.default_rng(0), **places)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ((0, 1, 1), "answers Duel queries, the learner asked"),
        (Duel(1, -1), r"arms are 0 … 3"),
        (Duel(1, 4), r"arms are 0 … 3"),
        (Duel(0, 1, 0), r"times at least 1"),
        (Duel(0.0, 1), "expected whole numbers"),
        (Duel(0, 1, 1.5), "expected whole numbers"),
    ],
)
def test_other_queries_are_refused(query, words):
    with pytest.raises(cpe.InputError, match=words):
        environment().check(query)
    with pytest.raises(cpe.InputError, match=words):
        environment(position=np.zeros(4, dtype=np.int64)).check(query)


def test_edges_duel_at_their_position_only():
    duels = environment(position=np.array([0, 0, 1, 1]))
    assert duels.check(Duel(2, 3)) == Duel(2, 3)
    for numbers in ((1, 2), (np.int64(1), np.int64(2))):
        with pytest.raises(cpe.InputError, match="edges of different positions"):
            duels.check(Duel(*numbers))


def test_whole_numbers_of_numpy_are_welcome():
    query = Duel(np.int64(0), np.int32(3), np.int64(2))
    assert environment().check(query) is query


def test_batches_take_the_numbers_that_single_duels_take():
    one, many = environment(), environment()
    for times in (1, 3, 5000, 1, 4095, 2**16):
        assert many.answer(Duel(0, 1, times)) == sum(one.answer(Duel(0, 1)) for _ in range(times))
        assert many.answer(Duel(2, 2, times)) == 0
