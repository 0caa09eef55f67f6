"""What may be sent to a learner: wrong observations are refused and leave it where it was."""

import re

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import LearnerFault
from cpe_opt.learners.exchange import AT_MAX_SAMPLES, NO_GUARANTEE, Exchange
from cpe_opt.learners.queries import HorizonReached
from cpe_opt.learners.tracking import Checkpoint
from cpe_opt.problems.queries import Batch, CellScores, CellSums, Duel, Pull, PullSets, Window
from tests.support import all_of


def listener(queries, *, heard):
    """Asks what it is told to ask and keeps what it hears; its best guess is how much that is."""
    try:
        for query in queries:
            heard.append((yield query))
    except HorizonReached:
        return -len(heard)
    return len(heard)


def hears(query, observation):
    """What a learner hears."""
    heard = []
    exchange = Exchange(listener, [query], heard=heard)
    exchange.tell(observation)
    assert exchange.finished
    return heard[0]


ONE, FIVE, IDLE = Duel(0, 1), Duel(0, 1, 5), Duel(2, 2, 9)
PULLS = PullSets(((0, 1), (1, 2), (0, 2)), (2, 0, 7))
BATCH = Batch((ONE, Pull(0, 2), IDLE, PULLS))
IN_BATCH = [1, [0.5, 0.25], None, [1.0, 0.0, 2.0]]
REFUSED = [
    (ONE, 2, r"Duel\(i=0, j=1, times=1\) is 2, expected how many of them 0 won, a whole number fr"),
    (ONE, -1, "from 0 to 1"),
    (ONE, 0.5, "no half wins: settle a tie by a fair coin"),
    (ONE, 1.0, "is 1.0, expected"),
    (ONE, np.float64(np.inf), "is .*inf"),
    (FIVE, 6, "from 0 to 5"),
    (FIVE, True, "is True, expected how many"),
    (Pull(0), 0.3, r"is the number 0\.3, expected 1 reward: an array of shape \(1,\)"),
    (Pull(0), [np.nan], "holds nan, expected finite numbers"),
    (Pull(0, 3), [[0.1, 0.2, 0.3]], r"of shape \(1, 3\)"),
    (Pull(0, 3), [0.1, -np.inf, 0.3], "holds -inf"),
    (PULLS, [1.0, 0.0], r"of shape \(2,\), expected 3 sums, one a set"),
    (PULLS, [1.0, 0.5, 2.0], r"the sum of set \(1, 2\) is 0\.5, expected 0: the query does not"),
    (BATCH, None, "the observation of a batch is None, expected a list of 4, one a query"),
    (BATCH, IN_BATCH[:3], "is a list of 3, expected one of 4, one a query"),
    (
        BATCH,
        [2, *IN_BATCH[1:]],
        r"^query 1 of 4 of the batch: the observation of Duel\(i=0, j=1, times=1\) is 2, expected",
    ),
    (BATCH, [*IN_BATCH[:3], [1.0, 0.5, 2.0]], r"^query 4 of 4 .* the sum of set \(1, 2\) is 0\.5"),
    (Batch((ONE, FIVE)), [True, True], "^query 2 of 2 of the batch: .* is True, expected how many"),
]


@all_of(("query", "wrong", "message"), REFUSED)
def test_what_is_no_observation_is_refused_in_words_and_unheard(query, wrong, message):
    heard = []
    exchange = Exchange(listener, [query, ONE], heard=heard)
    assert exchange.query is query
    with pytest.raises(cpe.InputError, match=message):
        exchange.tell(wrong)
    assert exchange.query is query
    assert not heard
    right = 1
    if isinstance(query, Pull):
        right = np.zeros(query.times)
    elif isinstance(query, PullSets):
        right = np.array([1.0, 0.0, 2.0])
    elif isinstance(query, Batch):
        right = [0] * len(query.queries) if query is not BATCH else IN_BATCH
    exchange.tell(right)
    assert exchange.query is ONE
    if query is BATCH:
        assert heard[0][0] == 1
    else:
        np.testing.assert_array_equal(heard[0], right)


def test_wins_are_heard_as_plain_ints_and_rewards_as_arrays_of_floats():
    told = [(ONE, np.int64(1)), (ONE, True), (ONE, np.True_), (IDLE, None), (IDLE, 3)]
    heard = [hears(*each) for each in told]
    assert heard == [1, 1, 1, 0, 3]
    assert {type(each) for each in heard} == {int}
    for query, rewards in ((Pull(0, 2), (np.float32(1.0), False)), (PULLS, [2, 0, 5])):
        heard = hears(query, rewards)
        assert heard.dtype == np.float64
        np.testing.assert_array_equal(heard, np.asarray(rewards, dtype=float))


def test_of_a_batch_the_list_is_heard_in_the_order_of_its_queries():
    heard = hears(BATCH, IN_BATCH)
    assert type(heard) is list
    assert [type(each) for each in heard] == [int, np.ndarray, int, np.ndarray]
    assert (heard[0], heard[2]) == (1, 0)
    np.testing.assert_array_equal(heard[1], [0.5, 0.25])
    np.testing.assert_array_equal(heard[3], [1.0, 0.0, 2.0])


def test_a_learner_of_rewards_in_the_unit_interval_refuses_others():
    exchange = Exchange(cpe.learners.coci, cpe.BestSet(cpe.TopK(2, 1)))
    first = exchange.query
    for wrong in (1.5, -0.1):
        with pytest.raises(cpe.InputError, match=rf"is {wrong}, expected numbers in \[0, 1\]"):
            exchange.tell([[1.0], [wrong]])
    assert exchange.query is first
    exchange.tell([[1.0], [1.0]])
    assert exchange.query == Pull(0)


def test_nothing_can_be_told_after_the_last_query():
    exchange = Exchange(listener, [ONE], heard=[])
    assert exchange.query is ONE
    assert not exchange.finished
    exchange.tell(1)
    assert exchange.finished
    assert exchange.query is None
    with pytest.raises(cpe.InputError, match="has finished, it waits for no observation: 1"):
        exchange.tell(1)
    exchange.stop()
    assert (exchange.answer, exchange.doubt) == (1, NO_GUARANTEE)


def test_a_horizon_and_an_end_reach_the_learner():
    heard = []
    exchange = Exchange(listener, [ONE, ONE], heard=heard)
    exchange.tell(1)
    exchange.stop()
    assert (exchange.finished, exchange.answer) == (True, -1)
    assert exchange.doubt == "the horizon was reached before it stopped"
    exchange = Exchange(listener, [ONE, ONE], heard=heard)
    exchange.stop("nobody answers")
    assert exchange.doubt == "nobody answers"
    exchange = Exchange(listener, [ONE, ONE], heard=heard)
    exchange.close()
    assert (exchange.query, exchange.finished) == (None, False)
    with pytest.raises(cpe.InputError, match="has finished"):
        exchange.tell(1)


def test_a_learner_that_knows_no_horizon_has_no_answer():
    def unaware(known):
        yield ONE

    exchange = Exchange(unaware, 2)
    exchange.stop()
    assert (exchange.finished, exchange.answer) == (True, None)
    assert exchange.doubt


def test_an_error_of_the_learner_comes_through_and_ends_it():
    def faulty(known):
        yield ONE
        raise ZeroDivisionError

    exchange = Exchange(faulty, 2)
    with pytest.raises(ZeroDivisionError):
        exchange.tell(0)
    with pytest.raises(cpe.InputError, match="has finished"):
        exchange.tell(0)


def test_a_learner_is_told_what_it_takes():
    """Random numbers from a seed or a generator, the horizon, its parameters, or none of them."""
    told = {}

    def curious(known, *, rng, horizon, power=2):
        told.update(rng=rng, horizon=horizon, power=power)
        yield ONE

    rng = np.random.default_rng(5)
    Exchange(curious, 3, rng, horizon=9, power=4)
    assert told == {"rng": rng, "horizon": 9, "power": 4}
    Exchange(curious, 3, 5)
    assert told["rng"].random() == np.random.default_rng(5).random()
    assert (told["horizon"], told["power"]) == (None, 2)
    assert Exchange(listener, [ONE], 5, horizon=9, heard=[]).query is ONE


CELLS = np.array([[0, 4, 1], [4, 0, 2], [1, 2, 0]])
PAIRS = [Duel(0, 1), Duel(1, 0, 3), Batch((Duel(0, 2), Duel(2, 1, 2)))]


def over_items(known, *, cells=None, answered=None, heard=None):
    heard += [cells, answered]
    for query in known if isinstance(known, list) else PAIRS:
        heard.append((yield query))
    return 0


def test_over_items_sums_of_both_arms_are_told():
    heard = []
    exchange = Exchange(over_items, 3, cells=CELLS, heard=heard)
    for given in (np.True_, np.float32(1.5), [CellSums(0.0, 0.0), 0.25]):
        exchange.tell(given)
    assert exchange.answer == 0
    assert (heard[0] == CELLS).all()
    sums = [CellSums(1.0, 0.0), CellSums(1.5, 1.5), [CellSums(0.0, 0.0), CellSums(0.25, 1.75)]]
    assert heard[1:] == [None, *sums]
    assert [type(each) for each in (*heard[2:4], *heard[4])] == [CellSums] * 4


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        ([Duel(2, 0, 2)], "2 of the cells of 2 and 0, of which 1 are left"),
        ([Duel(1, 1)], "1 of the cells of 1 and 1, of which 0 are left"),
        ([Duel(0, 1, 3), Duel(1, 0, 2)], "2 of the cells of 1 and 0, of which 1 are left"),
        ([Batch((Duel(0, 2), Duel(2, 0)))], "1 of the cells of 2 and 0, of which 0 are left"),
        ([Window((Duel(0, 2), Duel(2, 0)))], "1 of the cells of 2 and 0, of which 0 are left"),
        ([Duel(0, 3)], r"expected duels of the arms 0 … 2"),
        ([Pull(0)], r"expected duels of the arms"),
    ],
)
def test_no_cell_is_asked_twice(queries, message):
    def asks(known, *, cells):
        for query in queries:
            _ = yield query

    with pytest.raises(LearnerFault, match=message):
        Exchange(asks, 3, cells=CELLS).tell(0)


def test_of_a_window_the_oldest_is_observed_and_the_others_stay_open():
    heard = []

    def asks(known, *, cells):
        """All cells of (0, 1), each of which is open for two queries, and counted once."""
        first, last = Duel(0, 1), Duel(1, 0)
        heard.append((yield Window((first, first, first))))
        heard.append((yield Window((first, first))))
        heard.append((yield Window((first, last))))
        heard.append((yield last))
        return 2

    exchange = Exchange(asks, 3, cells=CELLS)
    for given in (1, 0, 0.5):
        exchange.tell(given)
    with pytest.raises(cpe.InputError, match="1, 0"):
        exchange.tell([1, 0])
    exchange.tell(0.25)
    assert [each[:2] for each in heard] == [(1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.25, 0.75)]
    assert exchange.answer == 2


@pytest.mark.parametrize(
    "following", [Window((Duel(1, 2), Duel(0, 2))), Duel(1, 2), Batch((Duel(0, 2), Duel(1, 2)))]
)
def test_what_is_open_in_a_window_has_to_be_asked_first(following):
    def asks(known):
        _ = yield Window((Duel(0, 1), Duel(0, 2), Duel(1, 2)))
        _ = yield following

    with pytest.raises(LearnerFault, match=r"expected first what is open already: \(Duel"):
        Exchange(asks, 3).tell(0)


def test_who_is_told_of_cells_and_of_those_answered_before():
    sums, heard = np.zeros((3, 3)), []
    sums[0, 1], sums[1, 0] = 1.5, 2
    Exchange(over_items, 3, cells=CELLS, answered=sums, heard=heard)
    assert (heard[1] == sums).all()
    Exchange(over_items, 3, heard=heard)
    assert heard[2:] == [None, None]

    def unaware(known, *, cells):
        yield Duel(0, 1)

    Exchange(unaware, 3, cells=CELLS, answered=0 * sums)
    with pytest.raises(cpe.InputError, match="unaware has no parameter 'answered'"):
        Exchange(unaware, 3, cells=CELLS, answered=sums)
    with pytest.raises(cpe.InputError, match=r"answered is .*, expected sums, 3 × 3"):
        Exchange(over_items, 3, cells=CELLS, answered=sums[0], heard=[])
    with pytest.raises(cpe.InputError, match="answered has no effect without cells"):
        Exchange(over_items, 3, answered=sums, heard=[])
    with pytest.raises(cpe.InputError, match="unaware is for fixed test sets alone"):
        Exchange(unaware, 3)
    with pytest.raises(cpe.InputError, match="rucb has no parameter 'cells'"):
        Exchange(cpe.learners.rucb, 3, cells=CELLS)


@pytest.mark.parametrize(
    ("known", "cells", "asked", "queries", "shown"),
    [
        (2, np.array([[0, 3], [3, 0]]), {(0, 1): 2}, (Duel(0, 1), Duel(1, 0)), "1 and 0"),
        (cpe.TopK(2, 1), 3, {1: 2}, (Pull(0, 3), Pull(1, 2)), "1"),
    ],
)
def test_cells_that_a_checkpoint_has_are_not_left(known, cells, asked, queries, shown):
    def asks(known, *, cells, checkpoint):
        yield Batch(queries)

    left = re.escape(f"{queries[1].times} of the cells of {shown}, of which ")
    with pytest.raises(LearnerFault, match=rf"{left}{queries[1].times - 1} are left"):
        Exchange(asks, known, cells=cells, checkpoint=Checkpoint(None, asked))


def test_of_scores_that_are_refused_no_item_is_known():
    def asks(known, *, cells):
        yield Batch((Pull(0), Pull(1)))

    exchange = Exchange(asks, cpe.TopK(2, 1), cells=3)
    with pytest.raises(cpe.InputError, match=r"query 2 of 2 .* is 5\.0, expected numbers in"):
        exchange.tell([CellScores([1.0], [2]), CellScores([5.0], [2])])
    exchange.tell([CellScores([1.0], [0]), CellScores([0.5], [0])])
    assert exchange.finished


@pytest.mark.parametrize(("most", "answer"), [(1, 0), (7, 0), (8, -1), (9, 2)])
def test_max_samples_ends_it_before_the_whole_batch_that_exceeds_them(most, answer):
    """A batch makes 8 samples, its idle duels none."""
    heard = []
    queries = [Batch((Duel(0, 1, 2), IDLE, Pull(0, 6))), ONE]
    exchange = Exchange(listener, queries, heard=heard, max_samples=most)
    for observation in ([1, 0, np.zeros(6)], 1):
        if not exchange.finished:
            exchange.tell(observation)
    assert exchange.answer == answer
    assert exchange.doubt == (NO_GUARANTEE if most == 9 else AT_MAX_SAMPLES)
