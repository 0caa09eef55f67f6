"""A start arrives at the solver, by the names of columns, from mappings and files."""

import json
from dataclasses import replace

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import SolverUnable
from cpe_opt.solvers.highs import HighsSession
from cpe_opt.solvers.warm_start import read_values, start_of, write_values
from tests.support import all_of, random_program

# What ends a solve with the first solution that it has.
FIRST = {
    "highs": {"mip_max_nodes": 0, "mip_heuristic_effort": 0.0, "presolve": "off"},
    "scip": {"limits/solutions": 1},
    "cp-sat": {"stop_after_first_solution": True},
    "gurobi": {"SolutionLimit": 1, "Heuristics": 0.0},
    "copt": {"NodeLimit": 0, "HeurLevel": 0},
    "xpress": {"maxnode": 1, "heuremphasis": 0},
    "cplex": {"mip.limits.solutions": 1},
}

LINEAR = ("highs", "gurobi")  # start linear programs, too


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


@pytest.mark.parametrize("solver", ["highs", "scip", "gurobi", "copt", "xpress", "cplex"])
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


@pytest.mark.parametrize(("solver", "method"), [("gurobi", {"Method": 0})])
def test_a_linear_program_takes_fewer_steps_from_its_optimum(solver, method):
    """With ``method`` the solver uses the algorithm that a start makes it use."""
    program = random_program(np.random.default_rng(0), columns=60, rows=40)
    cold = cpe.solve(program, solver, solver_options=method)
    warm = cpe.solve(program, solver, warm_start=cold.values)
    assert warm.iterations < 0.7 * cold.iterations
    assert warm.objective == pytest.approx(cold.objective)


def test_a_linear_program_starts_from_its_optimum_without_a_step():
    program = knapsacks(integer=False)
    cold = cpe.solve(program)
    warm = cpe.solve(program, warm_start=cold.values)
    assert cold.iterations > 0
    assert warm.iterations == 0
    assert warm.objective == pytest.approx(cold.objective)
    assert warm.duals == pytest.approx(cold.duals)


@pytest.mark.parametrize(
    ("solver", "integer"),
    [(solver, True) for solver in FIRST] + [(solver, False) for solver in LINEAR],
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


@pytest.mark.parametrize("suffix", [".csv", ".json", ".sol"])
def test_values_go_to_a_file_and_come_back(tmp_path, suffix):
    result = cpe.solve(knapsacks(integer=False))
    path = write_values(result, tmp_path / f"values{suffix}")
    # A solution file fits the exported model, where the objective's constant is a column.
    constant = {"objective_constant": 1.0} if suffix == ".sol" else {}
    assert read_values(path) == result.values | constant
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


def read_by_highs(model, solution):
    """A model of HiGHS with the solution of a file, which it has accepted."""
    import highspy

    highs = highspy.Highs()
    highs.silent()
    highs.readModel(str(model))
    assert highs.readSolution(str(solution), 0) == highspy.HighsStatus.kOk
    return highs


def mixed_rows(integer=False):
    """A constant, a row of two sides, one without, an equality, and names that no file holds."""
    builder = cpe.ProgramBuilder("mixed", offset=4.0)
    x = builder.columns("x", 3, cost=[-1.0, -2.0, 1.0], upper=[4, 5, 6], integer=integer)
    builder.row("range", x, [1, 1, 1], lower=1, upper=6.5)
    builder.row("nothing", x, [1, 0, 0])
    builder.row("equal", x, [0, 1, -1], lower=1, upper=1)
    program = builder.build()
    return replace(program, column_names=("x[1 2]", "x_1", "E1"))


@pytest.mark.parametrize("integer", [False, True])
def test_highs_takes_a_solution_file_as_written_here(tmp_path, integer):
    program = mixed_rows(integer)
    result = cpe.solve(program)
    model = cpe.export(program, tmp_path / "p.mps")
    highs = read_by_highs(model, write_values(result, tmp_path / "p.sol"))
    values = np.array(highs.getSolution().col_value)
    assert values[:3].tolist() == result.x.tolist()
    assert values[3:].tolist() == [1.0]
    highs.run()
    assert highs.getInfo().simplex_iteration_count == 0
    # What HiGHS itself writes of it has the same values, and where there are any, the same duals.
    highs.writeSolution(str(tmp_path / "q.sol"), 0)
    sections = [
        (tmp_path / f"{name}.sol").read_text().split("# Basis")[0].split("# Dual") for name in "pq"
    ]
    kept = [[words_of(section) for section in parts] for parts in sections]
    for ours, theirs in zip(*kept, strict=True):
        numbers = [[_number(word) for word in words] for words in (ours, theirs)]
        assert numbers[0] == numbers[1]


def words_of(section):
    """Those below the head, without the lines on bound and gap that HiGHS has from 1.16 on."""
    lines = section.split("\n")[3:]
    return " ".join(
        line for line in lines if not line.startswith(("Objective_bound", "MIP_rel_gap"))
    ).split()


def _number(word):
    try:
        return pytest.approx(float(word), abs=1e-9)
    except ValueError:
        return word


def test_solution_files_have_the_names_of_model_files(tmp_path):
    """The names and the extra column of an exported file are those of the program, too."""
    program = mixed_rows()
    path = write_values(cpe.solve(program), tmp_path / "p.sol")
    assert list(read_values(path)) == ["x_1_2_", "x_1", "E1", "objective_constant"]
    assert cpe.solve(program, warm_start=path).iterations == 0
    # In an LP file E1 has another name, too.
    text = path.read_text().replace("\nE1 ", "\ncolumn_E1 ")
    assert "column_E1" in cpe.export(program, tmp_path / "p.lp").read_text()
    path.write_text(text)
    assert cpe.solve(program, warm_start=path).iterations == 0


def test_a_result_without_an_optimum_says_so_in_its_file(tmp_path):
    program = knapsacks()
    start, _ = good_point(program)
    options = {"solver_options": FIRST["highs"], "check": False, "warm_start": start}
    result = cpe.solve(program, **options)
    assert not result.is_optimal
    path = write_values(result, tmp_path / "p.sol")
    assert path.read_text().splitlines()[1] == "Unknown"
    read_by_highs(cpe.export(program, tmp_path / "p.mps"), path)


def test_what_has_no_rows_or_no_point_is_not_written(tmp_path):
    design = cpe.solve(cpe.g_design_program(np.eye(2)), "clarabel")
    with pytest.raises(cpe.InputError, match=r"is no linear program, and a .sol file holds its"):
        write_values(design, tmp_path / "p.sol")
    impossible = knapsacks().with_row({"take_0": 1.0}, lower=2.0)
    with pytest.raises(cpe.NotOptimal, match="infeasible"):
        write_values(cpe.solve(impossible, check=False), tmp_path / "p.sol")
    assert not list(tmp_path.iterdir())


FLAVOURS = {
    "HiGHS": "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 9\n"
    "# Columns 3\nx 2\ny 0\nz -1.5\n# Rows 1\nr 0.5\n\n# Dual solution values\nNone\n",
    "HiGHS without zeros": "# Primal solution values\nFeasible\nObjective 9\n"
    "# Columns -2\nx 2 0\nz -1.5 2\n# Rows 1\nr 0.5\n",
    "SCIP": "solution status: optimal solution found\nobjective value:       9\n"
    "x                          2 \t(obj:3)\nz       -1.5 \t(obj:-2)\n",
    "SCIP without a status": "objective value:       9\nx 2 \t(obj:3)\nz -1.5 \t(obj:0)\n",
    "Gurobi": "# Solution for model p\n# Objective value = 9\nx 2\ny 0\nz -1.5\n",
    "Gurobi without an objective": "# Solution file\nx 2.0\ny 0.0\nz -1.5\n",
    "CPLEX": """<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolution version="1.2">
 <header problemName="p" objectiveValue="9"/>
 <linearConstraints>
  <constraint name="r" index="0" slack="0"/>
 </linearConstraints>
 <variables>
  <variable name="x" index="0" value="2"/>
  <variable name="y" index="1" value="0"/>
  <variable name="z" index="2" value="-1.5"/>
 </variables>
</CPLEXSolution>
""",
    "CPLEX without zeros": """<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>
<CPLEXSolution version="1.2">
 <header problemName="p" objectiveValue="9" writeLevel="3"/>
 <variables>
  <variable name="x" index="0" value="2"/>
  <variable name="z" index="2" value="-1.5"/>
 </variables>
</CPLEXSolution>
""",
}


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_solution_files_of_other_solvers_are_told_apart(tmp_path, flavour):
    (tmp_path / "p.sol").write_text(FLAVOURS[flavour])
    sparse = "SCIP" in flavour or "zeros" in flavour
    values = {"x": 2.0, "z": -1.5} if sparse else {"x": 2.0, "y": 0.0, "z": -1.5}
    assert read_values(tmp_path / "p.sol") == values
    builder = cpe.ProgramBuilder("p")
    builder.columns("x", [()], cost=1)
    builder.columns("y", [()])
    builder.columns("z", [()], lower=-2)
    program = builder.build()
    assert start_of(program, tmp_path / "p.sol").tolist() == [2.0, 0.0, -1.5]


def test_a_solution_file_of_scip_itself_is_read(tmp_path):
    pyscipopt = pytest.importorskip("pyscipopt", reason="the extra scip is not installed")
    program = mixed_rows(integer=True)
    model = pyscipopt.Model()
    model.hideOutput()
    model.readProblem(str(cpe.export(program, tmp_path / "p.lp")))
    model.optimize()
    model.writeBestSol(str(tmp_path / "p.sol"))
    start = start_of(program, tmp_path / "p.sol")
    assert (start == 0.0).any()
    best = cpe.solve(program)
    assert program.objective(start) == pytest.approx(best.objective)
    assert cpe.solve(program, warm_start=tmp_path / "p.sol").objective == best.objective


def test_only_solvers_that_leave_out_zeros_may_leave_columns_out(tmp_path):
    """SCIP's file of a point at 0 has no column; one of Gurobi without a column lacks its value."""
    program = knapsacks(integer=False)
    (tmp_path / "p.sol").write_text("solution status: optimal\nobjective value: 0\n")
    assert not start_of(program, tmp_path / "p.sol").any()
    assert cpe.solve(program, warm_start=tmp_path / "p.sol").is_optimal
    (tmp_path / "p.sol").write_text("# Objective value = 0\ntake_0 0\n")
    with pytest.raises(cpe.InputError, match="no value of the column 'take_1'"):
        cpe.solve(program, warm_start=tmp_path / "p.sol")
    (tmp_path / "p.sol").write_text("objective value: 0\nsold 1\n")
    with pytest.raises(cpe.InputError, match="unknown column of knapsacks 'sold'"):
        cpe.solve(program, warm_start=tmp_path / "p.sol")


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


@all_of(
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
        (
            "p.sol",
            "Model status\n",
            "is no solution file of a known kind: expected HiGHS's .*CPLEX",
        ),
        ("p.sol", "x 1\n", "is no solution file of a known kind"),
        ("p.sol", "# Columns 3\nx 1\n\n", "line 1: 1 columns follow, expected 3"),
        ("p.sol", "objective value: 1\nx 1 2\n", "line 2: 'x 1 2', expected name and value"),
        ("p.sol", "objective value: 1\nx unknown\n", "line 2: .* 'unknown', expected a finite"),
        ("p.sol", "solution status: infeasible\nno solution available\n", "says 'no solution avai"),
        ("p.sol", "# Objective value = 1\nx\n", "line 2: 'x', expected name and value"),
        ("p.sol", "# Objective value = 1\nx 1\nx 2\n", "line 3: 'x' has a value already"),
        ("p.sol", "<CPLEXSolution><variables>", "is no XML: "),
        ("p.sol", "<CPLEXSolution></CPLEXSolution>", "has no values"),
        ("p.sol", "<a><CPLEXSolution/><CPLEXSolution/></a>", "holds 2 solutions, expected one"),
        ("p.sol", "<!DOCTYPE a><CPLEXSolution/>", "declares a document type"),
        (
            "p.sol",
            "<CPLEXSolution><variables><variable name='x'/></variables></CPLEXSolution>",
            "variable 1 has no attribute 'value'",
        ),
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
    with pytest.raises(cpe.InputError, match=r"expected a name that ends in .csv, .json, .sol"):
        write_values(result, tmp_path / "p.txt")
