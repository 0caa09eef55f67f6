"""What a query counts for, and which batches and windows there are."""

import pytest

import cpe_opt as cpe
from cpe_opt.problems.queries import Window, samples_of, single_queries

ONE, IDLE, PULLS = cpe.Duel(0, 1, 3), cpe.Duel(2, 2, 50), cpe.Pull(1, 4)
SETS = cpe.PullSets(((0,), (1,)), (5, 6))


def test_a_batch_counts_what_its_queries_count():
    batch = cpe.Batch((ONE, IDLE, PULLS, SETS, ONE))
    assert batch.rounds == 3 + 50 + 4 + 11 + 3
    assert samples_of(batch) == batch.rounds - 50
    assert [samples_of(query) for query in (ONE, IDLE, PULLS, SETS)] == [3, 0, 4, 11]
    assert samples_of("raise") == samples_of(cpe.Batch(("raise",))) == 0


def test_a_window_counts_what_its_oldest_query_counts():
    window = Window((PULLS, ONE, IDLE))
    assert single_queries(window) == (PULLS,)
    assert (window.rounds, samples_of(window)) == (4, 4)


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        ((), "a (batch|window) has no queries, expected at least 1"),
        ((ONE, cpe.Batch((ONE,))), "query 2 of 2 of a batch is a batch itself, expected a single"),
        ([ONE], r"the queries of a batch are \[Duel\(.*\], expected a tuple of queries"),
        ((Window((ONE,)), ONE), "query 1 of 2 of a batch is a window itself, expected a sing"),
    ],
)
def test_what_is_no_batch_or_window_is_refused(queries, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.Batch(queries)
    with pytest.raises(cpe.InputError, match=message.replace("of a batch", "of a window")):
        Window(queries)
