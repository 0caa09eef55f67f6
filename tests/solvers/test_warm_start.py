"""A start arrives at the solver, by the names of columns, from mappings and files."""

import json
from dataclasses import replace

import highspy
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import SolverUnable
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.warm_start import read_values, start_of, write_values
from tests.support import all_of

FIRST = {  # ends a solve with the first solution that it has
    "highs": {"mip_max_nodes": 0, "mip_heuristic_effort": 0.0, "presolve": "off"},
    "scip": {"limits/solutions": 1},
    "cp-sat": {"stop_after_first_solution": True},
}


def knapsacks(seed=0, n=40, rows=10, integer=True):
    rng = np.random.default_rng(seed)
    builder = cpe.ProgramBuilder("knapsacks", sense="max", offset=3.0)
    take = builder.columns("take", n, cost=rng.integers(5, 30, n), upper=1, integer=integer)
    for row in range(rows):
        builder.row(f"sack_{row}", take, rng.integers(5, 30, n), upper=10 * n / 3)
    return builder.build()


@pytest.fixture(scope="module")
def good():
    """A point that no rounding heuristic finds at once."""
    options = {"relative_gap_limit": 0.02}
    return cpe.solve(knapsacks(), "cp-sat", solver_options=options, check=False, time_limit=20)


@pytest.mark.parametrize("solver", FIRST)
def test_a_solve_that_ends_at_once_has_at_least_the_start(solver, good):
    options = {"solver_options": FIRST[solver], "check": False, "time_limit": 20}
    cold = cpe.solve(knapsacks(), solver, **options)
    warm = cpe.solve(knapsacks(), solver, warm_start=good.values, **options)
    assert cold.objective is None or cold.objective < good.objective - 1e-6
    assert warm.objective >= good.objective - 1e-6


def test_a_linear_program_starts_from_its_optimum_without_a_step():
    cold = cpe.solve(knapsacks(integer=False))
    warm = cpe.solve(knapsacks(integer=False), warm_start=cold.values)
    assert cold.iterations > warm.iterations == 0
    assert warm.objective == pytest.approx(cold.objective)


def test_a_start_of_an_integer_program_may_leave_columns_out():
    part = {f"take_{number}": 0.0 for number in range(30)}
    assert np.flatnonzero(np.isnan(start_of(knapsacks(), part))).tolist() == list(range(30, 40))
    for solver in FIRST:
        result = cpe.solve(knapsacks(), solver, warm_start=part, check=False, time_limit=5)
        assert result.objective > 3.0
    with pytest.raises(cpe.InputError, match="no value of 'take_30': a linear program needs all"):
        cpe.solve(knapsacks(integer=False), warm_start=part)


@pytest.mark.parametrize("suffix", [".csv", ".json", ".sol"])
def test_values_go_to_a_file_and_come_back(tmp_path, suffix):
    program = knapsacks(integer=False)
    result = cpe.solve(program)
    path = write_values(result, tmp_path / f"values{suffix}")
    # A solution file fits the exported model, where the objective's constant is a column.
    constant = {"objective_constant": 1.0} if suffix == ".sol" else {}
    assert read_values(path) == result.values | constant
    if suffix == ".json":  # also under a key, next to other things
        path.write_text(json.dumps({"status": "optimal", "values": read_values(path)}))
    for start in (path, str(path), read_values(path)):
        assert cpe.solve(program, warm_start=start).iterations == 0


def mixed_rows(integer=False):
    """A constant, a row of two sides, one without, an equality, and names that no file holds."""
    builder = cpe.ProgramBuilder("mixed", offset=4.0)
    x = builder.columns("x", 3, cost=[-1.0, -2.0, 1.0], upper=[4, 5, 6], integer=integer)
    builder.row("range", x, [1, 1, 1], lower=1, upper=6.5)
    builder.row("nothing", x, [1, 0, 0])
    builder.row("equal", x, [0, 1, -1], lower=1, upper=1)
    return replace(builder.build(), column_names=("x[1 2]", "x_1", "E1"))


def read_by_highs(program, path):
    highs = highspy.Highs()
    highs.silent()
    highs.readModel(str(cpe.export(program, path)))
    return highs


def test_highs_takes_a_solution_file_as_written_here(tmp_path):
    result = cpe.solve(mixed_rows())
    highs = read_by_highs(result.program, tmp_path / "p.mps")
    path = write_values(result, tmp_path / "p.sol")
    assert highs.readSolution(str(path), 0) == highspy.HighsStatus.kOk
    assert list(highs.getSolution().col_value) == [*result.x.tolist(), 1.0]
    highs.run()
    assert highs.getInfo().simplex_iteration_count == 0
    lines = path.read_text().split("# Dual solution values\n")[1].splitlines()
    solution = highs.getSolution()
    for what, duals in (("Columns 4", solution.col_dual), ("Rows 2", solution.row_dual)):
        first = lines.index(f"# {what}") + 1
        listed = [float(line.split()[1]) for line in lines[first : first + len(duals)]]
        assert listed == pytest.approx(duals, abs=1e-9)


def test_solution_files_have_the_names_of_model_files(tmp_path):
    """The names and the extra column of an exported file are those of the program, too."""
    program = mixed_rows()
    path = write_values(cpe.solve(program), tmp_path / "p.sol")
    assert list(read_values(path)) == ["x_1_2_", "x_1", "E1", "objective_constant"]
    assert cpe.solve(program, warm_start=path).iterations == 0
    # In an LP file E1 has another name, too.
    path.write_text(path.read_text().replace("\nE1 ", "\ncolumn_E1 "))
    assert cpe.solve(program, warm_start=path).iterations == 0


def test_what_is_no_optimum_and_what_has_no_point_is_said(tmp_path, good):
    path = tmp_path / "p.sol"
    design = cpe.solve(cpe.g_design_program(np.eye(2)), "clarabel")
    with pytest.raises(cpe.InputError, match=r"no linear program, as a .sol file holds: expected"):
        write_values(design, path)
    impossible = knapsacks().with_row({"take_0": 1.0}, lower=2.0)
    with pytest.raises(cpe.NotOptimal, match="infeasible"):
        write_values(cpe.solve(impossible, check=False), path)
    assert not list(tmp_path.iterdir())
    text = write_values(replace(good, status=Status.TIME_LIMIT), path).read_text()
    assert text.startswith("Model status\nUnknown\n")
    assert "# Dual solution values\nNone\n" in text


def test_solution_files_of_highs_and_scip_themselves_are_read(tmp_path):
    program = mixed_rows(integer=True)
    best = cpe.solve(program)
    highs = read_by_highs(program, tmp_path / "p.lp")
    highs.run()
    for name, style, held in (("dense", 0, 4), ("sparse", 4, 3)):
        highs.writeSolution(str(tmp_path / f"{name}.sol"), style)
        assert start_of(program, tmp_path / f"{name}.sol").tolist() == best.x.tolist()
        assert len(read_values(tmp_path / f"{name}.sol")) == held
    pyscipopt = pytest.importorskip("pyscipopt", reason="the extra scip is not installed")
    model = pyscipopt.Model()
    model.hideOutput()
    model.readProblem(str(tmp_path / "p.lp"))
    model.optimize()
    model.writeBestSol(str(tmp_path / "scip.sol"))
    assert start_of(program, tmp_path / "scip.sol") == pytest.approx(best.x)


@all_of(
    ("start", "message"),
    [
        ({"take_99": 1.0}, "unknown column of knapsacks 'take_99'; did you mean 'take_"),
        ({}, "warm_start has no value of a column of 'knapsacks'"),
        ({"take_1": np.inf}, "warm_start: take_1 is inf, expected a finite number"),
        (7, "warm_start is 7, expected a mapping or a text or a path"),
    ],
)
def test_starts_that_are_none_are_refused_in_words(start, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.solve(knapsacks(), warm_start=start)


def test_solvers_and_programs_that_take_no_start_say_so():
    with pytest.raises(SolverUnable, match=r"'glop' takes no warm start of LP .*able: highs"):
        cpe.solve(knapsacks(integer=False), "glop", warm_start={"take_0": 1.0})
    with pytest.raises(SolverUnable, match="a LazyProgram takes no warm start"):
        cpe.solve(cpe.LazyProgram(knapsacks(), None), warm_start={"take_0": 1.0})


@all_of(
    ("name", "text", "message"),
    [
        ("p.csv", "x,1\n", "has no header name,value"),
        ("p.csv", "name,value\nx,1\nx,2\n", "line 3: 'x' has a value already"),
        ("p.csv", "name,value\nx,much\n", "line 2: 'x much', expected a name and a number"),
        ("p.csv", "name,value\nx,inf\n", "line 2: the value of 'x' is inf, expected a finite"),
        ("missing.csv", None, "cannot read '.*missing.csv': No such file"),
        ("p.json", "{", "is no JSON"),
        ("p.json", '{"x": true}', "the value of 'x' is True, expected a number"),
        (
            "p.sol",
            "# Objective value = 1\nx 1\n",
            r"no solution file of HiGHS .* make others a \.csv",
        ),
        ("p.sol", "# Columns 3\nx 1\n\nz 1\n", "line 1: fewer columns than 3"),
        ("p.sol", "objective value: 1\nx 1 2\n", "line 2: 'x 1 2', expected a name and a number"),
        ("p.txt", "", "cannot tell the format of 'p.txt': expected .csv, .json, .sol"),
    ],
)
def test_files_that_hold_no_values_are_refused(tmp_path, name, text, message):
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(cpe.InputError, match=message):
        read_values(tmp_path / name)
