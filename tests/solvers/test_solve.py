import itertools
import re
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import NoDuals, SolverMissing, SolverUnable, UnknownName
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.registry import get_backend, solver_table
from tests.support import LICENSED, random_program

LP_SOLVERS = ["highs", "glop", "pdlp", "scip", "clarabel", "scs", *LICENSED]
MIP_SOLVERS = ["highs", "scip", "cp-sat", *LICENSED]


def infeasible(integer=False):
    builder = cpe.ProgramBuilder("contradictory")
    x = builder.columns("x", 2, cost=1, upper=5, integer=integer)
    builder.row("low", x, upper=1)
    builder.row("high", x, lower=2)
    return builder.build()


def market_split(rng, rows=4, columns=30):
    """Hard to solve, hopeless within a blink."""
    builder = cpe.ProgramBuilder("market")
    x = builder.columns("x", columns, upper=1, integer=True)
    weights = rng.integers(0, 100, size=(rows, columns))
    over = builder.columns("over", rows, cost=1, upper=10_000, integer=True)
    under = builder.columns("under", rows, cost=1, upper=10_000, integer=True)
    for row in range(rows):
        builder.row(
            f"split_{row}",
            [*x, over[row], under[row]],
            [*weights[row], -1, 1],
            lower=weights[row].sum() // 2,
            upper=weights[row].sum() // 2,
        )
    return builder.build()


@pytest.mark.parametrize("solver", MIP_SOLVERS)
def test_a_knapsack_by_every_integer_solver(solver):
    builder = cpe.ProgramBuilder("knapsack", sense="max", offset=5)
    take = builder.columns("take", 3, cost=[60, 100, 120], upper=1, integer=True)
    builder.row("weight", take, [10, 20, 30], upper=50)
    result = cpe.solve(builder.build(), solver)
    assert result.objective == 225.0
    assert result.values == {"take_0": 0.0, "take_1": 1.0, "take_2": 1.0}
    assert result.bound == pytest.approx(225.0)
    assert result.residuals.primal <= 1e-9
    with pytest.raises(NoDuals, match="proved an optimum of 'knapsack', a MIP program"):
        _ = result.duals


def test_a_result_tells_everything():
    program = random_program(np.random.default_rng(0))
    result = cpe.solve(program, "highs", threads=2, seed=3, solver_options={"presolve": "off"})
    assert result.is_optimal
    assert result.solver == "highs"
    assert result.solver_version == version("highspy")
    assert result.options == {"time_limit": None, "threads": 2, "seed": 3, "presolve": "off"}
    assert set(result.values) == set(program.column_names)
    assert set(result.duals) == set(program.row_names)
    assert result.objective == pytest.approx(result.bound)
    assert result.residuals.within(1e-8)
    assert result.program is program
    assert result.solve_seconds > 0
    assert result.cuts == 0


@pytest.mark.parametrize("solver", LP_SOLVERS)
def test_infeasibility_is_a_status_and_raises(solver):
    result = cpe.solve(infeasible(), solver, check=False)
    assert result.status in (Status.INFEASIBLE, Status.INFEASIBLE_OR_UNBOUNDED)
    with pytest.raises(cpe.NotOptimal, match="infeasible") as caught:
        cpe.solve(infeasible(), solver)
    assert caught.value.result.solver == solver
    with pytest.raises(cpe.NotOptimal):
        _ = result.values


@pytest.mark.parametrize("solver", MIP_SOLVERS)
def test_a_time_limit_is_a_status_of_its_own(solver):
    program = market_split(np.random.default_rng(0))
    result = cpe.solve(program, solver, time_limit=0.2, check=False)
    assert result.status is Status.TIME_LIMIT
    assert result.message
    if result.objective is not None and result.bound is not None:
        assert result.bound <= result.objective
    with pytest.raises(cpe.NotOptimal, match="time limit"):
        cpe.solve(program, solver, time_limit=0.2)


def test_unknown_solvers_are_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="unknown solver 'higs'; did you mean 'highs'"):
        cpe.solve(infeasible(), "higs")
    with pytest.raises(UnknownName, match=r"known: .*cp-sat.*highs"):
        cpe.solve(infeasible(), "zzz")


@pytest.mark.parametrize(
    ("solver", "integer", "able"),
    [("glop", True, ("highs", "scip", "cp-sat")), ("cp-sat", False, ("highs", "glop", "pdlp"))],
)
def test_unable_solvers_name_the_able_ones(solver, integer, able):
    there = ", ".join(name for name in able if get_backend(name).available)
    with pytest.raises(SolverUnable, match=f"able: {there}"):
        cpe.solve(infeasible(integer), solver)


def test_cp_sat_refuses_what_it_would_round():
    builder = cpe.ProgramBuilder("mixed")
    builder.columns("n", 1, upper=5, integer=True)
    builder.columns("x", 1, upper=1)
    with pytest.raises(SolverUnable, match="column 'x_0' of 'mixed' is not; highs and scip"):
        cpe.solve(builder.build(), "cp-sat")


@pytest.mark.parametrize("solver", cpe.SOLVERS)
def test_a_missing_package_is_answered_with_the_install_line(solver, monkeypatch):
    backend = get_backend(solver)
    monkeypatch.setattr(type(backend), "available", property(lambda self: False))
    integer = solver == "cp-sat"
    with pytest.raises(SolverMissing, match=re.escape(backend.install)):
        cpe.solve(infeasible(integer), solver)
    row = next(row for row in solver_table() if row.name == solver)
    assert row.version is None


@pytest.mark.parametrize(
    ("solver", "option", "near"),
    [
        ("highs", "presolv", "presolve"),
        ("glop", "use_preprocesing", "use_preprocessing"),
        ("pdlp", "termination_criterion", "termination_criteria"),
        ("cp-sat", "num_worker", "num_workers"),
        ("clarabel", "max_itr", "max_iter"),
        ("scs", "eps_ab", "eps_abs"),
        ("osqp", "polish", "polishing"),
    ],
)
def test_unknown_options_are_answered_with_the_nearest(solver, option, near):
    integer = solver == "cp-sat"
    with pytest.raises(UnknownName, match=f"unknown {solver} option .* did you mean '{near}'"):
        cpe.solve(
            random_program(np.random.default_rng(0), integer=integer),
            solver,
            solver_options={option: 1},
        )


@pytest.mark.parametrize(
    ("solver", "option"),
    [
        ("highs", {"primal_feasibility_tolerance": "tight"}),
        ("glop", {"max_number_of_iterations": "many"}),
        ("scip", {"limits/gap": None}),
    ],
)
def test_bad_option_values_are_refused(solver, option):
    program = random_program(np.random.default_rng(0))
    with pytest.raises(cpe.InputError, match="does not accept the value"):
        cpe.solve(program, solver, solver_options=option)


def test_options_reach_the_solver():
    program = market_split(np.random.default_rng(0), rows=3, columns=20)
    result = cpe.solve(program, "scip", solver_options={"limits/nodes": 1}, check=False)
    assert result.status is Status.OTHER_LIMIT
    with pytest.raises(cpe.InputError, match="scip did not accept its options: there is no such"):
        cpe.solve(program, "scip", solver_options={"limits/nods": 1})
    with pytest.raises(cpe.InputError, match="a value has the wrong type"):
        cpe.solve(program, "scip", solver_options={"limits/gap": 1})
    lp = random_program(np.random.default_rng(0), columns=30, rows=20)
    options = {"simplex_iteration_limit": 1, "presolve": "off"}
    limited = cpe.solve(lp, "highs", check=False, solver_options=options)
    assert limited.status is Status.ITERATION_LIMIT


@pytest.mark.parametrize(
    ("name", "value"), [("time_limit", 0), ("threads", 0), ("seed", -1), ("threads", 1.5)]
)
def test_bad_arguments_are_refused(name, value):
    with pytest.raises(cpe.InputError, match=f"{name} is {value}"):
        cpe.solve(infeasible(), **{name: value})


def test_things_that_are_no_programs_are_refused():
    with pytest.raises(cpe.InputError, match="cannot solve a dict"):
        cpe.solve({})


@pytest.mark.parametrize("solver", ["highs", "glop", "clarabel", *LICENSED])
def test_the_log_is_printed_on_demand(solver, capfd):
    program = random_program(np.random.default_rng(0))
    cpe.solve(program, solver)
    assert capfd.readouterr().out == ""
    cpe.solve(program, solver, log=True)
    assert len(capfd.readouterr().out) > 100


def test_the_table_names_every_solver():
    table = {row.name: row for row in solver_table()}
    assert tuple(table) == (*cpe.SOLVERS, "assignment", "scipy", "networkx")
    assert table["highs"].incremental
    assert table["highs"].solves == ("LP", "MIP", "QP")
    assert table["cp-sat"].solves == ("MIP",)
    assert "conic" in table["clarabel"].solves
    assert table["glop"].version == version("ortools")


def test_the_page_on_swapping_has_the_table():
    page = Path(__file__).parents[2] / "docs" / "howto" / "swap-a-solver.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    for row in solver_table()[: len(cpe.SOLVERS)]:
        starts = ", ".join(sorted(get_backend(row.name).starts))
        cells = f"| `{row.name}` | {{}} | {starts} | {row.licence} |".replace("|  |", "| |")
        assert any(
            cells.format(kinds) in lines
            for kinds in map(", ".join, itertools.permutations(row.solves))
        )


@pytest.mark.parametrize("solver", ["highs", "glop", "scip", "clarabel", *LICENSED])
def test_programs_without_rows(solver):
    builder = cpe.ProgramBuilder("bare", sense="max")
    builder.columns("x", 3, cost=[1, 2, -1], lower=-1, upper=1)
    assert cpe.solve(builder.build(), solver).objective == pytest.approx(4.0)


@pytest.mark.parametrize("solver", LP_SOLVERS)
def test_programs_without_columns(solver):
    builder = cpe.ProgramBuilder("empty", offset=3)
    assert cpe.solve(builder.build(), solver).objective == 3.0


@pytest.mark.parametrize("solver", ["glop", "pdlp", "scip", "clarabel", "scs"])
def test_threads_that_a_solver_cannot_use_are_refused(solver):
    program = random_program(np.random.default_rng(0))
    with pytest.raises(SolverUnable, match=f"'{solver}' runs on one thread, threads is 2"):
        cpe.solve(program, solver, threads=2)
