"""The cutting-plane loop on programs whose optimum over all rows is known."""

import time
from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.modelling.program import CutOptions, RowBlock
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import RawSolution
from cpe_opt.solvers.cutting_planes import CuttingPlanes

N, SIZE = 8, 3

SUBSETS = np.zeros((56, N))
for row, subset in enumerate(combinations(range(N), SIZE)):
    SUBSETS[row, list(subset)] = 1
ALL = RowBlock(sp.csr_array(SUBSETS), np.ones(56), np.full(56, np.inf))


def separate(x, tolerance):
    return ALL.select(ALL.violation(x) > tolerance)


def every_subset(costs):
    """minimise costs'x with every SIZE-subset summing to at least 1."""
    builder = cpe.ProgramBuilder("subsets")
    builder.columns("x", N, cost=costs, upper=1)
    return cpe.LazyProgram(builder.build(), separate)


def listed(costs):
    program = every_subset(costs).relaxation
    names = tuple(f"all_{row}" for row in range(len(ALL)))
    return program.with_rows(RowBlock(ALL.matrix, ALL.lower, ALL.upper, names))


@pytest.fixture
def costs():
    return np.random.default_rng(0).uniform(1, 2, size=N)


@pytest.mark.parametrize("solver", ["highs", "glop", "clarabel"])
def test_attains_the_optimum_over_all_rows(solver, costs):
    expected = cpe.solve(listed(costs)).objective
    result = cpe.solve(every_subset(costs), solver)
    assert result.objective == pytest.approx(expected, rel=1e-6)
    assert ALL.violation(result.x).max() < 1e-6
    assert result.program.shape[0] == result.cuts
    assert result.program.row_names[0] == "cut_1"


@pytest.mark.parametrize(
    "options",
    [CutOptions(max_cuts=1), CutOptions(max_cuts=5, purge_after=1), CutOptions(purge_after=2)],
)
def test_caps_and_purging_do_not_change_the_optimum_and_the_log_tells_the_story(options, costs):
    expected = cpe.solve(listed(costs)).objective
    result = cpe.solve(every_subset(costs), cut_options=options)
    assert result.objective == pytest.approx(expected, rel=1e-9)
    assert result.bound == pytest.approx(expected, rel=1e-9)
    assert result.residuals.within(1e-8)
    log = result.cut_rounds
    assert [entry.round for entry in log] == list(range(1, len(log) + 1))
    assert (log[0].rows, log[0].objective) == (0, 0.0)
    objectives = [entry.objective for entry in log]
    assert objectives == pytest.approx(sorted(objectives))
    assert all(entry.added <= (options.max_cuts or len(ALL)) for entry in log)
    assert all((entry.violation > 1e-8) == (entry.added > 0) for entry in log)
    assert log[-1].added == 0
    assert log[-1].rows == result.program.shape[0]
    assert (result.cuts > result.program.shape[0]) == (options.purge_after == 1)


def test_a_round_limit_leaves_a_bound_and_says_so(costs):
    options = CutOptions(max_cuts=1, max_rounds=2)
    result = cpe.solve(every_subset(costs), cut_options=options, check=False)
    assert result.status is Status.ROUND_LIMIT
    assert "after the last round" in result.message
    assert result.bound == pytest.approx(result.objective)
    assert result.objective < cpe.solve(listed(costs)).objective


def test_a_time_limit_is_a_status_and_leaves_the_last_bound(costs, monkeypatch):
    rounds, clock = [], time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: clock() + 2e6 * (len(rounds) >= 3))

    def separate_slowly(x, tolerance):
        rounds.append(x)
        return separate(x, tolerance)

    options = CutOptions(max_cuts=1)
    lazy = cpe.LazyProgram(every_subset(costs).relaxation, separate_slowly)
    result = cpe.solve(lazy, time_limit=1e6, check=False, cut_options=options)
    assert result.status is Status.TIME_LIMIT
    assert result.bound == pytest.approx(result.cut_rounds[-1].objective)
    assert 0 < result.bound < cpe.solve(listed(costs)).objective


@pytest.mark.parametrize("purge_after", [1, 10])
def test_a_resolve_keeps_rows_and_basis_and_a_purged_row_may_come_back(costs, purge_after):
    options = CutOptions(purge_after=purge_after)
    loop = CuttingPlanes.open(every_subset(costs), cut_options=options)
    loop.solve()
    first_rounds, first_rows = len(loop.log), len(loop.pool)
    rng = np.random.default_rng(1)
    for _ in range(20):
        column = int(rng.integers(N))
        costs[column] *= rng.uniform(0.9, 1.1)
        loop.set_costs(np.array([column]), costs[[column]])
        raw = loop.solve()
        assert costs @ raw.x == pytest.approx(cpe.solve(listed(costs)).objective, rel=1e-9)
    if purge_after == 1:
        return
    again = loop.log[first_rounds:]
    assert loop.program.costs.tolist() == costs.tolist()
    assert sum(entry.added for entry in again) < 20 * first_rows / 4
    assert np.mean([entry.iterations for entry in again]) < 3


def test_rows_that_stay_violated_end_the_loop(costs):
    class Stubborn:
        def add_rows(self, block): ...
        def keep_rows(self, keep): ...
        def optimise(self, time_limit):
            return RawSolution(Status.OPTIMAL, np.zeros(N), None)

    raw = CuttingPlanes(every_subset(costs), Stubborn()).solve()
    assert raw.status is Status.IMPRECISE
    assert "stay violated by 1.0e+00" in raw.message


def test_an_infeasible_relaxation_is_reported():
    builder = cpe.ProgramBuilder("contradictory")
    x = builder.columns("x", N, lower=0.2, upper=0.8)
    builder.row("cap", x, upper=1.5)
    with pytest.raises(cpe.NotOptimal, match="infeasible"):
        cpe.solve(cpe.LazyProgram(builder.build(), separate))


def test_an_unbounded_relaxation_is_not_an_unbounded_program():
    """max x_0 with x_0 <= 3 found by separation: only its rows make it bounded."""
    limit = RowBlock(sp.csr_array([[1.0]]), np.array([-np.inf]), np.array([3.0]))

    def violated(x, tolerance):
        return limit.select(limit.violation(x) > tolerance)

    builder = cpe.ProgramBuilder("open", sense="max")
    x = builder.columns("x", 1, cost=1.0)
    result = cpe.solve(cpe.LazyProgram(builder.build(), violated), check=False)
    assert result.status is Status.IMPRECISE
    assert "give the columns finite bounds" in result.message
    builder.row("cap", x, [1.0], upper=10.0)
    assert cpe.solve(cpe.LazyProgram(builder.build(), violated)).objective == 3.0
