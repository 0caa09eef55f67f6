"""A start arrives at the solver, by the names of columns."""

import functools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import SolverUnable

FIRST = {  # ends a solve with the first solution that it has
    "highs": {"mip_max_nodes": 0, "mip_heuristic_effort": 0.0, "presolve": "off"},
    "scip": {"limits/solutions": 1},
    "cp-sat": {"stop_after_first_solution": True},
}


def knapsacks(integer=True):
    rng = np.random.default_rng(0)
    builder = cpe.ProgramBuilder("knapsacks", sense="max", offset=3.0)
    take = builder.columns("take", 40, cost=rng.integers(5, 30, 40), upper=1, integer=integer)
    for row in range(10):
        builder.row(f"sack_{row}", take, rng.integers(5, 30, 40), upper=400 / 3)
    return builder.build()


@functools.cache
def good():
    """A point that no rounding heuristic finds at once."""
    options = {"relative_gap_limit": 0.02}
    return cpe.solve(knapsacks(), "cp-sat", solver_options=options, check=False, time_limit=20)


@pytest.mark.parametrize("solver", FIRST)
def test_a_solve_that_ends_at_once_has_at_least_the_start(solver):
    options = {"solver_options": FIRST[solver], "check": False, "time_limit": 20}
    cold = cpe.solve(knapsacks(), solver, **options)
    warm = cpe.solve(knapsacks(), solver, warm_start=good().values, **options)
    assert cold.objective is None or cold.objective < good().objective - 1e-6
    assert warm.objective >= good().objective - 1e-6


def test_a_linear_program_starts_from_its_optimum_without_a_step():
    cold = cpe.solve(knapsacks(integer=False))
    warm = cpe.solve(knapsacks(integer=False), warm_start=cold.values)
    assert cold.iterations > warm.iterations == 0
    assert warm.objective == pytest.approx(cold.objective)


def test_solvers_and_programs_that_take_no_start_say_so():
    with pytest.raises(SolverUnable, match=r"'glop' takes no warm start of LP .*able: highs"):
        cpe.solve(knapsacks(integer=False), "glop", warm_start={"take_0": 1.0})
    with pytest.raises(SolverUnable, match="a LazyProgram takes no warm start"):
        cpe.solve(cpe.LazyProgram(knapsacks(), None), warm_start={"take_0": 1.0})
