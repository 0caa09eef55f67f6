"""Ctrl-C while a solver works, and after it has: a KeyboardInterrupt of Python, in time."""

import signal
import threading

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.solvers.registry import SOLVERS, get_backend
from tests.support import A_HANG


def market_split(rows, seed=1):
    """Four rows of forty 0-1 columns to be met exactly: nothing solves it in minutes."""
    rng = np.random.default_rng(seed)
    builder = cpe.ProgramBuilder("market_split")
    x = builder.columns("x", 10 * rows, upper=1, integer=True)
    for row in range(rows):
        share = rng.integers(0, 100, len(x))
        half = float(share.sum() // 2)
        builder.row(f"r{row}", x, share, lower=half, upper=half)
    return builder.build()


def small(integer):
    builder = cpe.ProgramBuilder("small")
    x = builder.columns("x", 2, cost=1, upper=9, integer=integer)
    builder.row("enough", x, [1, 2], lower=4)
    return builder.build()


@pytest.mark.parametrize("solver", SOLVERS)
def test_python_hears_ctrl_c_after_a_solve(solver):
    backend = get_backend(solver)
    backend.load()
    cpe.solve(small("LP" not in backend.solves), solver)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize(
    ("solver", "process"),
    [("cp-sat", "here"), ("scip", "here"), ("gurobi", "here"), ("highs", "child")],
)
def test_a_long_solve_is_interrupted(solver, process):
    cpe.solve(small(integer=True), solver, process=process)
    program, main = market_split(5), threading.get_ident()
    timer = threading.Timer(0.25, signal.pthread_kill, (main, signal.SIGINT))

    def solve():
        timer.start()
        cpe.solve(program, solver, process=process, time_limit=A_HANG)

    with pytest.raises(KeyboardInterrupt):  # and not the status of the limit
        solve()
    assert cpe.solve(small(integer=True), solver, process=process).objective == 2.0
