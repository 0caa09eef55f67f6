"""Ctrl-C while a solver works, and after it has: a KeyboardInterrupt of Python, in time."""

import signal
import threading
import time

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.solvers.compatibility import importable
from cpe_opt.solvers.registry import SOLVERS, get_backend


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


def interrupt_after(seconds):
    threading.Timer(seconds, signal.pthread_kill, (threading.get_ident(), signal.SIGINT)).start()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals to a thread")
@pytest.mark.parametrize("solver", SOLVERS)
def test_python_hears_ctrl_c_after_a_solve(solver):
    backend = get_backend(solver)
    if not importable(backend.package):
        pytest.skip(f"{solver} cannot be imported here")
    cpe.solve(small("LP" not in backend.solves), solver)
    interrupt_after(0.1)
    with pytest.raises(KeyboardInterrupt):
        time.sleep(10)


WHERE = [
    *(("cp-sat", "here"), ("gurobi", "here"), ("cplex", "here")),
    *(("highs", "child"), ("copt", "child"), ("xpress", "child")),
]


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals to a thread")
@pytest.mark.parametrize(("solver", "process"), WHERE)
def test_a_long_solve_is_interrupted(solver, process):
    if not importable(get_backend(solver).package):
        pytest.skip(f"{solver} cannot be imported here")
    cpe.solve(small(integer=True), solver, process=process)
    started = time.perf_counter()
    interrupt_after(0.5)
    with pytest.raises(KeyboardInterrupt):
        cpe.solve(market_split(5), solver, process=process, time_limit=60)
    assert time.perf_counter() - started < 30.0
    assert cpe.solve(small(integer=True), solver, process=process).objective == 2.0
