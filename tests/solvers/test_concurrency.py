"""Solves in threads, in forked and in spawned processes."""

import multiprocessing
import threading

import numpy as np
import pytest

import cpe_opt as cpe
from tests.support import A_HANG, random_program, some_quick


def solved(threads=1):
    """An integer program that HiGHS solves with all its threads."""
    program = random_program(np.random.default_rng(0), columns=14, rows=7, integer=True)
    return cpe.solve(program, threads=threads).objective


def test_threads_that_ask_for_different_numbers_of_threads():
    """At once, and one after the other: each thread has workers of its own."""
    expected, outcomes = solved(), []

    def work(numbers):
        outcomes.extend([solved(threads) for threads in numbers])

    workers = [threading.Thread(target=work, args=(n,)) for n in ((1, 2), (2, 2, 1), (3, 1))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    work((1, 2))
    assert outcomes == [expected] * 9


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.parametrize("method", some_quick(["fork"], ["spawn"]))
def test_processes_after_a_solve_with_threads(method):
    """A forked child inherits a scheduler without its workers, and would wait for them."""
    solved()
    expected = solved(threads=2)
    children = multiprocessing.get_context(method).Pool(1)
    try:
        answers = [children.apply_async(solved, (threads,)) for threads in (2, 1)]
        assert [answer.get(timeout=A_HANG) for answer in answers] == [expected] * 2
    finally:
        children.terminate()
    assert solved(threads=2) == expected
