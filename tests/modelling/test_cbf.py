"""Cone programs as files: the same program comes back, and the same optimum."""

from dataclasses import replace

import cvxpy
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import ExportFailed, SolverUnable
from cpe_opt.formulations.quadratic.bounds import semidefinite_bound_program
from cpe_opt.modelling.cbf_reader import read_cone_form
from cpe_opt.modelling.cones import Cone, ConeForm, cone_form
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.conic import Clarabel

RNG = np.random.default_rng(3)
SYMMETRIC = RNG.normal(size=(4, 4)) + RNG.normal(size=(4, 4)).T
PLAN = cpe.WaterPlan(
    (cpe.Quadratic(1.0), cpe.Power(1.0, 3.0), cpe.PiecewiseLinear([0, 1], [0.1, 0.5])),
    caps=(2.0, 2.0, 3.0),
    demand=1.0,
    labels=("well", "lake", "sea"),
)


def everything():
    """A maximisation with a constant, an equality, and cones of every kind."""
    matrix = cvxpy.Variable((3, 3), PSD=True, name="matrix")
    y = cvxpy.Variable(2, nonneg=True, name="y")
    rows = [matrix[0, 1] == 0.3, cvxpy.trace(matrix) <= 3 + y[0], cvxpy.log(y) >= -5]
    rows += [cvxpy.norm(y) <= 1.5, matrix[2, 0] >= -0.1]
    goal = np.ones(2) @ y + 7 - cvxpy.sum_squares(y - 0.5) + matrix[0, 2]
    return cpe.ConicProgram("everything", cvxpy.Problem(cvxpy.Maximize(goal), rows))


MODELS = {
    "g-design": lambda: cpe.g_design_program(cpe.TopK(5, 2)),
    "xy-design": lambda: cpe.xy_design_program(np.eye(3)),
    "sample-allocation": lambda: cpe.sample_allocation_program(
        [0.25, 0.01, 0.09], [10, 10, 20], 12, method="continuous"
    ),
    "water-plan": lambda: cpe.water_plan_program(PLAN, [0.5, 0.9, 0.3], method="continuous"),
    "semidefinite-bound": lambda: semidefinite_bound_program(SYMMETRIC, 2, np.ones(4)),
    "everything": everything,
}
models = pytest.mark.parametrize("model", MODELS)


@models
def test_a_file_reads_back_with_the_same_optimum(tmp_path, model):
    program = MODELS[model]()
    path = cpe.export(program, tmp_path / f"{model}.cbf")
    back = cpe.read_program(path)
    assert back.name == model.replace("-", "_")
    assert back.sense == program.sense
    optimum = cpe.solve(program, "clarabel").objective
    assert cpe.solve(back, "clarabel").objective == pytest.approx(optimum, rel=1e-6, abs=1e-6)
    assert cpe.solve(back, "scs").objective == pytest.approx(optimum, rel=1e-4, abs=1e-4)


@models
def test_a_file_reads_back_as_the_same_matrices(tmp_path, model):
    form = cone_form(MODELS[model]())
    back = read_cone_form(cpe.export(MODELS[model](), tmp_path / "p.cbf"))
    assert (back.sense, back.offset, back.cones) == (form.sense, form.offset, form.cones)
    assert back.costs.tolist() == form.costs.tolist()
    assert back.constants.tolist() == form.constants.tolist()
    assert (back.matrix != form.matrix).nnz == 0
    again = cpe.export(back.program(), tmp_path / "again.cbf")
    assert cpe.solve(cpe.read_program(again), "clarabel").objective == pytest.approx(
        cpe.solve(form.program(), "clarabel").objective, rel=1e-5, abs=1e-5
    )


def test_the_program_s_own_columns_come_first_with_their_labels(tmp_path):
    program = MODELS["water-plan"]()
    result = cpe.solve(program, "clarabel")
    text = cpe.export(program, tmp_path / "water.cbf").read_text()
    assert text.splitlines()[:4] == [
        "# water_plan",
        "# x_0: amount_0, well",
        "# x_1: amount_1, lake",
        "# x_2: amount_2, sea",
    ]
    back = cpe.solve(cpe.read_program(tmp_path / "water.cbf"), "clarabel")
    assert back.x[:3] == pytest.approx(result.x, abs=1e-4)
    named = cpe.export(program, tmp_path / "b.cbf", legend={"amount_1": "the\nlake", "z": "none"})
    assert "# x_1: amount_1, the lake\n# x_2: amount_2\n" in named.read_text()
    with pytest.raises(cpe.InputError, match="the legend has no name of 'water_plan': 'z' is no"):
        cpe.export(program, tmp_path / "b.cbf", legend={"z": "none"})


def test_entries_of_a_symmetric_matrix_are_its_upper_triangle():
    form = cone_form(MODELS["semidefinite-bound"]())
    assert form.column_names[:6] == (
        "moments_0_0",
        "moments_0_1",
        "moments_0_2",
        "moments_0_3",
        "moments_0_4",
        "moments_1_1",
    )
    assert form.cones[-1] == Cone("PSD", 15)
    assert form.cones[-1].order == 5


# Every cone by a program whose optimum is known; the file is of another hand.
OTHER_HAND = """VER
2
OBJSENSE  # the sense
MAX

VAR
4 3
F 1
L+ 2
L- 1

CON
{rows} 2
{cone}
L= 1

OBJACOORD
1
0 1.0

OBJBCOORD
5

ACOORD
{entries}

BCOORD
{constants}
"""


@pytest.mark.parametrize(
    ("cone", "size", "entries", "constants", "optimum"),
    [
        # 1 >= |x_0|
        ("Q", 2, ["1 0 1"], ["0 1"], 6.0),
        # 2 * 3 * 1 >= x_0²
        ("QR", 3, ["2 0 1"], ["0 3", "1 1"], 5.0 + np.sqrt(6)),
        # e >= exp(x_0)
        ("EXP", 3, ["2 0 1"], [f"0 {np.e}", "1 1"], 6.0),
        # x_0 - 2 <= 0
        ("L-", 1, ["0 0 1"], ["0 -2"], 7.0),
    ],
)
def test_cones_mean_what_the_format_says(tmp_path, cone, size, entries, constants, optimum):
    last = [f"{size} 1 1", f"{size} 2 1", f"{size} 3 -1"]  # x_1 + x_2 - x_3 = 0: they are all 0
    text = OTHER_HAND.format(
        rows=size + 1,
        cone=f"{cone} {size}",
        entries="\n".join([str(len(entries) + 3), *entries, *last]),
        constants="\n".join([str(len(constants)), *constants]),
    )
    (tmp_path / "other hand.cbf").write_text(text)
    program = cpe.read_program(tmp_path / "other hand.cbf")
    assert program.name == "other_hand"
    result = cpe.solve(program, "clarabel")
    assert result.objective == pytest.approx(optimum, abs=1e-6)
    assert result.x[1:] == pytest.approx(0.0, abs=1e-6)


def test_matrices_are_read_by_either_triangle(tmp_path):
    text = "VER\n1\nOBJSENSE\nMIN\nVAR\n1 1\nF 1\nPSDCON\n1\n2\nOBJACOORD\n1\n0 1\n"
    text += "HCOORD\n2\n0 0 0 0 1\n0 0 1 1 1\nDCOORD\n1\n0 {} 2.5\n"
    for place in ("0 1", "1 0"):
        (tmp_path / "p.cbf").write_text(text.format(place))
        program = cpe.read_program(tmp_path / "p.cbf")  # x I + 2.5 (offdiagonal) >= 0
        assert cpe.solve(program, "clarabel").objective == pytest.approx(2.5, abs=1e-6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("VER\n3", "VER\n9"), "line 3: it has version 9, expected one up to 4"),
        (("OBJSENSE\nMIN", "OBJSENSE\nLEAST"), "it has the sense 'LEAST', expected MIN or MAX"),
        (("F 3", "G 3"), "it has the cone 'G', expected L=, L.*, EXP"),
        (("F 3", "EXP 4"), "it has a cone EXP of size 4"),
        (("3 1\nF 3", "4 1\nF 3"), "it has cones whose sizes do not add up to 4"),
        (("CON\n2 2", "SUM\n1\n0\nCON\n2 2"), "it has the section 'SUM', which is not read"),
        (("0 1 2.5", "0 7 2.5"), "the section ACOORD has an entry at 0 7, where there is no row"),
        (("0 1 2.5", "0 0 2.5"), "the section ACOORD has 0 0 twice"),
        (("0 1 2.5", "0 -1 2.5"), "line 18: it has '0 -1', expected whole numbers, 0 or more"),
        (("0 1 2.5", "0 1 much"), "it has 'much', expected a finite number"),
        (("0 1 2.5", "0 1"), "it has 2 words, expected 3"),
        (("\n0 1 2.5\n", ""), "ends in the middle of a section"),
        (("OBJSENSE\nMIN", ""), "has no section OBJSENSE: it is no model file"),
    ],
)
def test_files_that_are_no_programs_are_refused_with_the_line(tmp_path, change, message):
    text = "# small\nVER\n3\nOBJSENSE\nMIN\nVAR\n3 1\nF 3\nCON\n2 2\nL+ 1\nL= 1\nACOORD\n2\n"
    text += "# entries\n\n0 0 1\n0 1 2.5\n"
    (tmp_path / "p.cbf").write_text(text)
    cpe.read_program(tmp_path / "p.cbf")
    (tmp_path / "p.cbf").write_text(text.replace(*change))
    with pytest.raises(cpe.InputError, match=message):
        cpe.read_program(tmp_path / "p.cbf")


def test_files_that_cannot_be_read_are_refused(tmp_path):
    with pytest.raises(cpe.InputError, match="no file"):
        cpe.read_program(tmp_path / "missing.cbf")
    (tmp_path / "p.cbf").write_bytes(b"VER\n\xff\xfe")
    with pytest.raises(cpe.InputError, match=r"p.cbf' is no text"):
        cpe.read_program(tmp_path / "p.cbf")


def test_each_kind_of_program_has_its_suffixes(tmp_path):
    with pytest.raises(cpe.InputError, match=r"'everything' is a cone program, which no .lp file"):
        cpe.export(everything(), tmp_path / "p.lp")
    builder = cpe.ProgramBuilder("linear")
    builder.columns("x", 2)
    with pytest.raises(cpe.InputError, match=r"'linear' is a linear program, and a .cbf file"):
        cpe.export(builder.build(), tmp_path / "p.cbf")
    with pytest.raises(cpe.InputError, match=r"expected .lp, .mps, .mps.gz, .cbf"):
        cpe.export(everything(), tmp_path / "p.txt")
    with pytest.raises(cpe.InputError, match="relaxation has no effect on 'everything'"):
        cpe.export(everything(), tmp_path / "p.cbf", relaxation=True)
    assert list(tmp_path.iterdir()) == []


def test_what_no_file_can_hold_is_refused_in_words(tmp_path):
    x = cvxpy.Variable(3, name="x")
    whole = cvxpy.Variable(name="n", integer=True)
    for problem, message in (
        (cvxpy.Problem(cvxpy.Maximize(cvxpy.norm(x))), "not convex by CVXPY's rules"),
        (cvxpy.Problem(cvxpy.Minimize(whole), [whole >= 1]), "'p' has whole variables"),
    ):
        with pytest.raises(cpe.InputError, match=message):
            cpe.export(cpe.ConicProgram("p", problem), tmp_path / "p.cbf")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("the sense", lambda f: {"sense": "min"}),
        ("the constant", lambda f: {"offset": np.nextafter(f.offset, 9)}),
        ("the cones", lambda f: {"cones": (Cone("L+", f.cones[0].size), *f.cones[1:])}),
        ("an objective coefficient", lambda f: {"costs": np.nextafter(f.costs, 9)}),
        ("a constant of a row", lambda f: {"constants": np.nextafter(f.constants, 9)}),
        ("a coefficient", lambda f: {"matrix": f.matrix * np.nextafter(1.0, 2)}),
    ],
)
def test_nothing_is_left_behind_when_the_file_is_wrong(tmp_path, monkeypatch, what, change):
    """A writer that changes a part by one unit in the last place is found out."""
    from cpe_opt.modelling import cbf as module

    write = module.cbf_text

    def careless(form: ConeForm, legend):
        return write(replace(form, **change(form)), legend)

    monkeypatch.setattr(module, "cbf_text", careless)
    with pytest.raises(ExportFailed, match=f"{what} of 'everything'"):
        cpe.export(everything(), tmp_path / "p.cbf")
    assert list(tmp_path.iterdir()) == []


def solved(folder, text, solver="clarabel"):
    (folder / "p.cbf").write_text(text)
    return cpe.solve(cpe.read_program(folder / "p.cbf"), solver)


def section(keyword, *lines):
    return "\n".join([keyword, *map(str, lines), ""])


CYCLE = [(i, (i + 1) % 5) for i in range(5)]


def max_cut():
    """The relaxation of the largest cut of the cycle of 5, which Goemans and Williamson give."""
    return (
        section("VER", 4)
        + section("OBJSENSE", "MAX")
        + section("PSDVAR", 1, 5)
        + section("CON", "5 1", "L= 5")
        # A sum of (1 - X_ij) / 2, and an entry off the diagonal stands for both triangles.
        + section("OBJFCOORD", 5, *(f"0 {i} {j} -0.25" for i, j in CYCLE))
        + section("OBJBCOORD", 2.5)
        + section("FCOORD", 5, *(f"{i} 0 {i} {i} 1" for i in range(5)))
        + section("BCOORD", 5, *(f"{i} -1" for i in range(5)))
    )


def theta():
    """Lovász's number of the cycle of 5, less a scalar column that is 3, beside a PSDCON."""
    ones = [f"0 {i} {j} 1" for i in range(5) for j in range(i + 1)]
    edges = [f"{k + 1} 0 {max(e)} {min(e)} 1" for k, e in enumerate(CYCLE)]
    return (
        section("VER", 2)
        + section("OBJSENSE", "MAX")
        + section("PSDVAR", 1, 5)
        + section("VAR", "1 1", "F 1")
        + section("PSDCON", 1, 2)
        + section("CON", "6 1", "L= 6")
        + section("OBJFCOORD", 15, *ones)
        + section("OBJACOORD", 1, "0 -1")
        + section("FCOORD", 10, *(f"0 0 {i} {i} 1" for i in range(5)), *edges)
        + section("BCOORD", 1, "0 -1")
        # x >= 3 by a matrix with x and 3 on its diagonal and 3 elsewhere.
        + section("HCOORD", 1, "0 0 0 0 1")
        + section("DCOORD", 2, "0 1 0 3", "0 1 1 3")
    )


MATRICES = {
    "max-cut": (max_cut, 5 / 8 * (5 + np.sqrt(5))),
    "theta": (theta, np.sqrt(5) - 3),
}


@pytest.mark.parametrize("solver", ["clarabel", "scs"])
@pytest.mark.parametrize("model", MATRICES)
def test_matrix_variables(tmp_path, model, solver):
    text, optimum = MATRICES[model]
    result = solved(tmp_path, text(), solver)
    assert result.objective == pytest.approx(optimum, abs=1e-5)
    assert result.bound == pytest.approx(optimum, abs=1e-5)
    assert result.column_names[-1] == f"x_{len(result.x) - 1}"
    again = cpe.export(cpe.read_program(tmp_path / "p.cbf"), tmp_path / "again.cbf")
    assert cpe.solve(cpe.read_program(again), solver).objective == pytest.approx(optimum, abs=1e-5)


def power(table, cone, rows, exponents):
    """The first columns, one for each exponent, add up to 6; the objective is the sum of others."""
    first = len(exponents)
    return (
        section("VER", 4)
        + section("OBJSENSE", "MAX")
        + section(table, f"2 {first + 1}", 1, 7, first, *exponents)
        + section("VAR", f"{rows} 1", f"@1:{cone} {rows}")
        + section("CON", "1 1", "L= 1")
        + section("OBJACOORD", rows - first, *(f"{j} 1" for j in range(first, rows)))
        + section("ACOORD", first, *(f"0 {j} 1" for j in range(first)))
        + section("BCOORD", 1, "0 -6")
    )


MEAN = 2 ** (1 / 3) * 3 ** (1 / 2)  # of 1, 2 and 3, with these weights over their sum


@pytest.mark.parametrize("solver", ["clarabel", "scs"])
@pytest.mark.parametrize(
    ("table", "cone", "rows", "exponents", "optimum"),
    [
        ("POWCONES", "POW", 4, (1, 2, 3), MEAN),
        ("POWCONES", "POW", 6, (1, 2, 3), MEAN * np.sqrt(3)),
        ("POWCONES", "POW", 3, (0.25, 0.25), 3.0),
        ("POWCONES", "POW", 4, (1, 2), 2 * 2 ** (2 / 3) * np.sqrt(2)),
        ("POWCONES", "POW", 3, (5,), 6.0 * np.sqrt(2)),
        ("POW*CONES", "POW*", 4, (1, 2, 3), 6.0),
        ("POW*CONES", "POW*", 3, (1, 3), 6.0),
    ],
)
def test_power_cones(tmp_path, table, cone, rows, exponents, optimum, solver):
    text = power(table, cone, rows, exponents)
    result = solved(tmp_path, text, solver)
    assert result.objective == pytest.approx(optimum, rel=1e-5)
    assert result.bound == pytest.approx(optimum, rel=1e-5)
    again = cpe.export(cpe.read_program(tmp_path / "p.cbf"), tmp_path / "again.cbf")
    assert cpe.solve(cpe.read_program(again), solver).objective == pytest.approx(optimum, rel=1e-5)


def test_the_dual_exponential_cone(tmp_path):
    text = section("VER", 4) + section("OBJSENSE", "MIN") + section("VAR", "3 1", "EXP* 3")
    text += section("CON", "2 1", "L= 2") + section("OBJACOORD", 1, "0 1")
    text += section("ACOORD", 2, "0 1 1", "1 2 1") + section("BCOORD", 2, "0 -1", "1 2")
    # s_2 = 1 and s_3 = -2: the least s_1 is 2 exp(-1/2 - 1).
    assert solved(tmp_path, text).objective == pytest.approx(2 * np.exp(-1.5), abs=1e-7)


def test_power_cones_are_written_with_their_exponents(tmp_path):
    x = cvxpy.Variable(5, name="x", nonneg=True)
    rows = [cvxpy.PowCone3D(x[0], x[1], x[3], 0.3), cvxpy.sum_squares(x[:3]) <= 1]
    rows += [cvxpy.PowConeND(x[:3], x[4], np.array([0.2, 0.3, 0.5]))]
    rows += [cvxpy.log(x[2]) >= -3, cvxpy.bmat([[x[0], x[3]], [x[3], x[1]]]) >> 0]
    problem = cvxpy.Problem(cvxpy.Maximize(x[3] + x[4]), rows)
    program = cpe.ConicProgram("powers", problem)
    expected = cpe.solve(program, "clarabel")
    assert expected.bound == pytest.approx(expected.objective, rel=1e-6)
    path = cpe.export(program, tmp_path / "p.cbf")
    assert "POWCONES\n2 5\n2\n0.3\n0.7\n3\n0.2\n0.3\n0.5\n" in path.read_text()
    for solver in ("clarabel", "scs"):
        result = cpe.solve(cpe.read_program(path), solver)
        assert result.objective == pytest.approx(expected.objective, rel=1e-5)
        assert result.x[:5] == pytest.approx(expected.x, abs=1e-3)


INTEGER = (
    section("VER", 1)
    + section("OBJSENSE", "MAX")
    + section("VAR", "2 2", "L+ 1", "F 1")
    + section("INT", 1, 0)
    + section("CON", "2 1", "L- 2")
    + section("OBJACOORD", 2, "0 1", "1 1")
    + section("ACOORD", 2, "0 0 2", "1 1 2")
    + section("BCOORD", 2, "0 -5", "1 -5")
)


def test_whole_columns_next_to_linear_cones(tmp_path):
    result = solved(tmp_path, INTEGER, "highs")
    assert result.objective == pytest.approx(4.5)
    assert result.x == pytest.approx([2.0, 2.5])
    for solver in ("clarabel", "scs"):
        with pytest.raises(SolverUnable):
            solved(tmp_path, INTEGER, solver)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (INTEGER.replace("F 1", "Q 1"), "line 9: it has whole columns next to a cone Q, which no"),
        (INTEGER + section("PSDCON", 1, 2), "line 9: it has whole columns next to a cone PSD"),
        (INTEGER.replace("INT\n1\n0", "INT\n1\n2"), "line 11: it has the whole column 2, of 2"),
        (INTEGER + "CHANGE\n", "line 27: it has a second instance behind CHANGE, expected one"),
        (power("POWCONES", "POW", 3, (1, 2, 3)), "line 15: it has a cone @1:POW of size 3"),
        (power("POWCONES", "POW", 4, (1, -2, 3)), r"line 12: .* exponents \(1.0, -2.0, 3.0\)"),
        (power("POWCONES", "POW", 4, (1, 1e-12, 3)), "line 12: .* at least 1e-09 of their sum"),
        (power("POW*CONES", "POW", 4, (1, 2)), "'@1:POW', but 0 under POWCONES before it"),
        (
            power("POWCONES", "POW", 4, (1, 2)).replace("2 3\n", "2 4\n"),
            "line 11: it has 3 exponents, expected 4",
        ),
        (max_cut().replace("0 1 2 -0.25", "0 5 2 -0.25"), "OBJFCOORD has an entry at 0 5 2"),
        (max_cut().replace("0 1 2 -0.25", "0 1 0 -0.25"), "OBJFCOORD has 0 1 0 twice"),
        (max_cut() + section("ACOORD", 1, "0 0 1"), "ACOORD has an entry at 0 0"),
        (max_cut().replace("PSDVAR\n1\n5", "PSDVAR\n1\n0"), "it has matrices of the orders .0."),
    ],
)
def test_what_is_not_read_is_refused_with_the_line(tmp_path, text, message):
    with pytest.raises(cpe.InputError, match=message):
        solved(tmp_path, text)


IDENTITY = [float(i == j) for i in range(5) for j in range(i + 1)]


@pytest.mark.parametrize(
    ("text", "feasible"),
    [
        (max_cut(), IDENTITY),
        (power("POWCONES", "POW", 6, (1, 2, 3)), [2.0, 2.0, 2.0, 0.0, 0.0, 0.0]),
    ],
    ids=["max-cut", "power"],
)
def test_a_solver_that_stops_short_is_not_believed(tmp_path, monkeypatch, text, feasible):
    exact = Clarabel.solve_conic

    def careless(self, problem, options):
        """A feasible point next to the optimum, called optimal."""
        raw, _ = exact(self, problem, options)
        for variable in problem.variables():
            other = np.array(feasible) if variable.name() == "x" else 0.0
            variable.value = 0.99 * variable.value + 0.01 * other
        return raw, float(problem.objective.value)

    monkeypatch.setattr(Clarabel, "solve_conic", careless)
    (tmp_path / "p.cbf").write_text(text)
    result = cpe.solve(cpe.read_program(tmp_path / "p.cbf"), "clarabel", check=False)
    assert result.status is Status.IMPRECISE
    assert "its point is proved only within a gap of" in result.message


@pytest.mark.parametrize(
    ("point", "violation"),
    [
        ((1.0, 1.0, 1.0), 0.0),
        ((4.0, 9.0, -6.5), 0.5),
        ((-0.1, 9.0, 0.0), 0.1),
        ((1e-12, 1.0, 2e-6), 3e-12),  # a little more of x is enough
        ((1.0, 1e-12, 2e-6), 3e-12),
        ((0.0, 0.0, 0.3), 0.3),
    ],
)
def test_how_far_a_point_is_from_a_power_cone(point, violation):
    x = cvxpy.Variable(3, name="x")
    cone = cvxpy.PowCone3D(*(x[[k]] for k in range(3)), 0.5)
    program = cpe.ConicProgram("p", cvxpy.Problem(cvxpy.Minimize(x[0]), [cone]))
    x.value = np.array(point)
    assert program.violation() == pytest.approx(violation, rel=1e-6, abs=1e-15)
