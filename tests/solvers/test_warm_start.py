"""A start arrives at the solver, by the names of columns, from mappings and files."""

import json

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import SolverUnable
from cpe_opt.solvers.highs import HighsSession
from cpe_opt.solvers.warm_start import read_values, write_values

# What ends a solve with the first solution that it has.
FIRST = {
    "highs": {"mip_max_nodes": 0, "mip_heuristic_effort": 0.0, "presolve": "off"},
    "scip": {"limits/solutions": 1},
    "cp-sat": {"stop_after_first_solution": True},
}


def knapsacks(seed=0, n=40, rows=10, integer=True, scale=1.0):
    rng = np.random.default_rng(seed)
    builder = cpe.ProgramBuilder("knapsacks", sense="max", offset=3.0)
    take = builder.columns("take", n, cost=scale * rng.integers(5, 30, n), upper=1, integer=integer)
    for row in range(rows):
        builder.row(f"sack_{row}", take, scale * rng.integers(5, 30, n), upper=scale * 10 * n / 3)
    return builder.build()


def good_point(program):
    """A point that no rounding heuristic finds at once."""
    options = {"relative_gap_limit": 0.02}
    result = cpe.solve(program, "cp-sat", solver_options=options, check=False, time_limit=20)
    return result.values, result.objective


@pytest.mark.parametrize("solver", FIRST)
def test_a_solve_that_ends_at_once_has_at_least_the_start(solver):
    program = knapsacks()
    start, value = good_point(program)
    options = {"solver_options": FIRST[solver], "check": False, "time_limit": 20}
    cold = cpe.solve(program, solver, **options)
    warm = cpe.solve(program, solver, warm_start=start, **options)
    assert cold.objective is None or cold.objective < value - 1e-6
    assert warm.objective >= value - 1e-6
    assert warm.options["warm_start"] is True
    assert "warm_start" not in cold.options


@pytest.mark.parametrize("solver", ["highs", "scip"])
def test_a_start_is_scaled_with_its_program(solver):
    """Coefficients of 1e9 are scaled inside; the point stays the same point."""
    program = knapsacks(scale=1e9)
    start, value = good_point(knapsacks())
    options = {"solver_options": FIRST[solver], "check": False, "time_limit": 20}
    warm = cpe.solve(program, solver, warm_start=start, **options)
    assert warm.objective >= 1e9 * (value - 3.0) - 10


def test_columns_of_another_unit_start_in_it():
    """Continuous columns are scaled: the start that HiGHS sees is, too."""
    builder = cpe.ProgramBuilder("units")
    x = builder.columns("x", 3, cost=[1.0, 2.0, 3.0], upper=1e7)
    builder.row("r", x, [1e-6, 3e-6, 1e-6], lower=2.0)
    builder.row("s", x, [1e-6, -1e-6, 2e-6], lower=0.5)
    program = builder.build()
    best = cpe.solve(program)
    assert best.iterations > 0
    again = cpe.solve(program, warm_start=best.values)
    assert again.objective == pytest.approx(best.objective)
    assert again.iterations == 0


def test_a_linear_program_starts_from_its_optimum_without_a_step():
    program = knapsacks(integer=False)
    cold = cpe.solve(program)
    warm = cpe.solve(program, warm_start=cold.values)
    assert cold.iterations > 0
    assert warm.iterations == 0
    assert warm.objective == pytest.approx(cold.objective)
    assert warm.duals == pytest.approx(cold.duals)


@pytest.mark.parametrize(
    ("solver", "integer"), [("highs", False), ("highs", True), ("scip", True), ("cp-sat", True)]
)
def test_a_bad_start_changes_no_optimum(solver, integer):
    rng = np.random.default_rng(5)
    for seed in range(8):
        program = knapsacks(seed, n=12, rows=4, integer=integer)
        optimum = cpe.solve(program).objective
        values = rng.normal(0.5, 2.0, 12)
        start = dict(
            zip(program.column_names, np.round(values) if integer else values, strict=True)
        )
        assert cpe.solve(program, solver, warm_start=start).objective == pytest.approx(optimum)


@pytest.mark.parametrize("solver", FIRST)
def test_a_start_of_an_integer_program_may_leave_columns_out(solver, monkeypatch):
    program = knapsacks()
    start, _ = good_point(program)
    part = {name: start[name] for name in program.column_names[:30]}
    assert cpe.solve(program, solver, warm_start=part, check=False, time_limit=20).x is not None
    seen = []
    monkeypatch.setattr(HighsSession, "set_start", lambda self, start: seen.append(start))
    cpe.solve(program, "highs", warm_start=part, check=False, time_limit=0.2)
    assert np.isnan(seen[0]).sum() == 10


@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_values_go_to_a_file_and_come_back(tmp_path, suffix):
    result = cpe.solve(knapsacks(integer=False))
    path = write_values(result, tmp_path / f"values{suffix}")
    assert read_values(path) == result.values
    assert cpe.solve(knapsacks(integer=False), warm_start=path).iterations == 0
    assert cpe.solve(knapsacks(integer=False), warm_start=str(path)).iterations == 0


def test_a_solution_file_of_highs_is_read(tmp_path):
    import highspy

    program = knapsacks(integer=False)
    path = cpe.export(program, tmp_path / "p.mps")
    highs = highspy.Highs()
    highs.silent()
    highs.readModel(str(path))
    highs.run()
    highs.writeSolution(str(tmp_path / "p.sol"), 0)
    values = read_values(tmp_path / "p.sol")
    best = cpe.solve(program)
    assert {name: values[name] for name in program.column_names} == pytest.approx(best.values)
    assert cpe.solve(cpe.read_program(path), warm_start=tmp_path / "p.sol").iterations == 0


def test_json_may_have_the_values_under_a_key(tmp_path):
    (tmp_path / "p.json").write_text(json.dumps({"status": "optimal", "values": {"take_0": 1}}))
    assert read_values(tmp_path / "p.json") == {"take_0": 1.0}


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ({"take_99": 1.0}, "unknown column of knapsacks 'take_99'; did you mean 'take_"),
        ({}, "warm_start has no value of a column of 'knapsacks'"),
        ({"take_1": np.nan}, "warm_start: take_1 is nan, expected a number"),
        ({"take_1": np.inf}, "warm_start: take_1 is inf, expected a finite number"),
        ({"take_1": "one"}, "warm_start: take_1 is 'one', expected a number"),
        (7, "warm_start is 7, expected a mapping or a text or a path"),
    ],
)
def test_starts_that_are_none_are_refused_in_words(start, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.solve(knapsacks(), warm_start=start)


def test_a_linear_program_needs_a_whole_point():
    program = knapsacks(integer=False)
    with pytest.raises(
        cpe.InputError, match="no value of the column 'take_1': a start of a linear"
    ):
        cpe.solve(program, warm_start={"take_0": 1.0})


@pytest.mark.parametrize("solver", ["glop", "pdlp", "scip", "clarabel", "scs"])
def test_solvers_that_take_no_start_say_so(solver):
    program = knapsacks(integer=False)
    message = f"'{solver}' takes no warm start of LP programs; able: highs"
    with pytest.raises(SolverUnable, match=message):
        cpe.solve(program, solver, warm_start={"take_0": 1.0})


def test_programs_that_take_no_start_say_so():
    lazy = cpe.copeland_bound_program(cpe.load_instance("gap"))
    with pytest.raises(SolverUnable, match="a LazyProgram takes no warm start"):
        cpe.solve(lazy, warm_start={"x": 1.0})
    with pytest.raises(SolverUnable, match="a ConicProgram takes no warm start"):
        cpe.solve(cpe.g_design_program(np.eye(2)), "clarabel", warm_start={"x": 1.0})


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.csv", "x,1\n", "has no header name,value"),
        ("p.csv", "name,value\nx,1,2\n", "line 2: 3 cells, expected 2"),
        ("p.csv", "name,value\nx,1\nx,2\n", "line 3: 'x' has a value already"),
        ("p.csv", "name,value\nx,much\n", "line 2: the value of 'x' is 'much', expected a finite"),
        ("p.csv", "name,value\n", "has no values"),
        ("p.json", "{", "is no JSON"),
        ("p.json", "[1]", "holds no mapping from names to values"),
        ("p.json", '{"x": true}', "the value of 'x' is True, expected a finite number"),
        ("p.sol", "Model status\n", "is no solution file of HiGHS"),
        ("p.sol", "# Columns 2\nx 1\ny\n", "line 3: 'y', expected name and value"),
        ("p.txt", "", r"cannot tell the format of 'p.txt': expected .* .csv, .json, .sol"),
    ],
)
def test_files_that_hold_no_values_are_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(cpe.InputError, match=message):
        read_values(tmp_path / name)


def test_files_that_cannot_be_read_or_written_are_refused(tmp_path):
    with pytest.raises(cpe.InputError, match="no file"):
        read_values(tmp_path / "missing.csv")
    result = cpe.solve(knapsacks(integer=False))
    with pytest.raises(cpe.InputError, match=r"expected a name that ends in .csv, .json"):
        write_values(result, tmp_path / "p.sol")
