"""One function for every program and solver: results, statuses, arguments, the table of solvers."""

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
from tests.support import random_program


def infeasible(integer=False):
    builder = cpe.ProgramBuilder("contradictory")
    x = builder.columns("x", 2, cost=1, upper=5, integer=integer)
    builder.row("low", x, upper=1)
    builder.row("high", x, lower=2)
    return builder.build()


def test_a_result_tells_everything():
    program = random_program(np.random.default_rng(0))
    result = cpe.solve(program, "highs", threads=2, seed=3, solver_options={"presolve": "off"})
    assert result.is_optimal
    assert (result.solver, result.solver_version) == ("highs", version("highspy"))
    assert result.options == {"time_limit": None, "threads": 2, "seed": 3, "presolve": "off"}
    assert set(result.values) == set(program.column_names)
    assert set(result.duals) == set(program.row_names)
    assert result.objective == pytest.approx(result.bound)
    assert result.residuals.within(1e-8)
    assert result.program is program
    assert result.solve_seconds > 0
    assert (result.cuts, result.message) == (0, "")


def test_what_did_not_end_with_an_optimum_raises_and_keeps_what_there_is():
    result = cpe.solve(infeasible(), check=False)
    assert result.status is Status.INFEASIBLE
    with pytest.raises(cpe.NotOptimal, match="infeasible") as caught:
        cpe.solve(infeasible())
    assert caught.value.result.solver == "highs"
    for what in ("values", "duals"):
        with pytest.raises(cpe.NotOptimal):
            getattr(result, what)


def test_integer_programs_have_no_duals():
    result = cpe.solve(random_program(np.random.default_rng(1), integer=True))
    with pytest.raises(NoDuals, match="proved an optimum of 'random' and gave no duals"):
        _ = result.duals


@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize(("lower", "status"), [(0.0, Status.OPTIMAL), (1.0, Status.INFEASIBLE)])
def test_programs_without_columns_are_decided_by_their_rows(sense, lower, status):
    builder = cpe.ProgramBuilder("empty", sense=sense, offset=3)
    builder.row("r", [], lower=lower, upper=2)
    result = cpe.solve(builder.build(), check=False)
    assert result.status is status
    assert result.objective == (3.0 if status is Status.OPTIMAL else None)


def test_unknown_solvers_are_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="unknown solver 'higs'; did you mean 'highs'"):
        cpe.solve(infeasible(), "higs")
    with pytest.raises(UnknownName, match=r"known: .*cp-sat.*highs"):
        cpe.solve(infeasible(), "zzz")
    with pytest.raises(cpe.InputError, match=r"'scipy' solves assignments, .*--method scipy"):
        cpe.solve(infeasible(), "scipy")


def test_unable_solvers_name_the_able_ones():
    able = {"glop": ("highs", "scip", "cp-sat"), "cp-sat": ("highs", "glop", "pdlp")}
    for solver, names in able.items():
        there = ", ".join(name for name in names if get_backend(name).available)
        with pytest.raises(SolverUnable, match=f"able: {there}"):
            cpe.solve(infeasible(integer=solver == "glop"), solver)


@pytest.mark.parametrize("solver", cpe.SOLVERS)
def test_a_missing_package_is_answered_with_the_install_line(solver, monkeypatch):
    backend = get_backend(solver)
    monkeypatch.setattr("cpe_opt.solvers.base.importable", lambda package: False)
    with pytest.raises(SolverMissing, match=re.escape(backend.install)):
        cpe.solve(infeasible("LP" not in backend.solves), solver)


def test_what_has_no_effect_is_refused():
    program = infeasible()
    with pytest.raises(cpe.InputError, match="expected a LinearProgram or a Quad"):
        cpe.solve({})
    with pytest.raises(cpe.InputError, match="memory_limit is for a process of its own"):
        cpe.solve(program, memory_limit=100)
    with pytest.raises(SolverUnable, match="'glop' runs on one thread, threads is 2"):
        cpe.solve(program, "glop", threads=2)
    with pytest.raises(cpe.InputError, match="does not accept the value 'tight'"):
        cpe.solve(program, solver_options={"primal_feasibility_tolerance": "tight"})


def test_what_highs_does_not_take_is_its_answer():
    builder = cpe.ProgramBuilder("large")
    builder.row("r", builder.columns("x", 1, cost=1), [1e16], lower=1)
    result = cpe.solve(builder.build(), check=False)
    assert result.status is Status.ERROR
    assert "highs did not accept the program 'large'" in result.message


def test_a_point_of_an_interrupted_solve_that_breaks_rows_is_none():
    program = random_program(np.random.default_rng(0), columns=60, rows=40)
    options = {"simplex_iteration_limit": 1, "presolve": "off"}
    result = cpe.solve(program, solver_options=options, check=False)
    assert (result.status, result.objective) == (Status.ITERATION_LIMIT, None)


def test_the_log_is_printed_on_demand(capfd):
    cpe.solve(random_program(np.random.default_rng(0)), log=True)
    assert len(capfd.readouterr().out) > 100


def test_the_table_names_every_solver(monkeypatch):
    table = {row.name: row for row in solver_table()}
    assert tuple(table) == (*cpe.SOLVERS, "assignment", "scipy", "networkx")
    assert table["highs"].incremental
    assert table["highs"].solves == ("LP", "MIP", "QP")
    assert table["highs"].version == version("highspy")
    assert table["cp-sat"].solves == ("MIP",)
    assert "conic" in table["clarabel"].solves
    monkeypatch.setattr(type(get_backend("highs")), "available", property(lambda self: False))
    assert next(row for row in solver_table() if row.name == "highs").version is None


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
