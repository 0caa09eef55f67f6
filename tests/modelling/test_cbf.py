"""Cone programs as files: the same program comes back, and the same optimum."""

import cvxpy
import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.modelling.export import Cone, cone_form
from tests.modelling.cbf import conic_program, read_cone_form

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


def moments():
    """The semidefinite relaxation of a quadratic form over two of four."""
    rng = np.random.default_rng(3)
    matrix = cvxpy.Variable((5, 5), PSD=True, name="moments")
    x, products = matrix[0, 1:], matrix[1:, 1:]
    rows = [matrix[0, 0] == 1, cvxpy.diag(products) == x, np.ones(4) @ x == 2]
    rows += [products @ np.ones(4) == 2 * x, products[np.triu_indices(4, 1)] >= 0]
    form = (rng.normal(size=(4, 4)) + rng.normal(size=(4, 4)).T).ravel()
    goal = form @ cvxpy.vec(products, order="C") + np.ones(4) @ x
    return cpe.ConicProgram("moments", cvxpy.Problem(cvxpy.Maximize(goal), rows))


MODELS = {
    "g-design": lambda: cpe.g_design_program(cpe.TopK(5, 2)),
    "xy-design": lambda: cpe.xy_design_program(np.eye(3)),
    "sample-allocation": lambda: cpe.sample_allocation_program(
        [0.25, 0.01, 0.09], [10, 10, 20], 12, method="continuous"
    ),
    "water-plan": lambda: cpe.water_plan_program(PLAN, [0.5, 0.9, 0.3], method="continuous"),
    "moments": moments,
    "everything": everything,
}
models = pytest.mark.parametrize("model", MODELS)


@models
def test_a_file_is_the_same_program_to_the_last_bit(tmp_path, model):
    """The same matrices, which by the definitions of the cones have the same optimum."""
    program = MODELS[model]()
    form, back = cone_form(program), read_cone_form(cpe.export(program, tmp_path / "p.cbf"))
    assert (back.sense, back.offset, back.cones) == (form.sense, form.offset, form.cones)
    assert back.costs.tolist() == form.costs.tolist()
    assert back.constants.tolist() == form.constants.tolist()
    assert (back.matrix != form.matrix).nnz == 0
    optimum = cpe.solve(program, "clarabel").objective
    again = cpe.solve(conic_program(back), "clarabel")
    assert again.objective == pytest.approx(optimum, rel=1e-5, abs=1e-5)


def test_the_program_s_own_columns_come_first_with_their_labels(tmp_path):
    program = MODELS["water-plan"]()
    result = cpe.solve(program, "clarabel")
    path = cpe.export(program, tmp_path / "water.cbf")
    assert path.read_text().splitlines()[:4] == [
        "# water_plan",
        "# x_0: amount_0, well",
        "# x_1: amount_1, lake",
        "# x_2: amount_2, sea",
    ]
    back = cpe.solve(conic_program(read_cone_form(path)), "clarabel")
    assert back.x[:3] == pytest.approx(result.x, abs=1e-4)
    named = cpe.export(program, tmp_path / "b.cbf", legend={"amount_1": "the\nlake", "z": "none"})
    assert "# x_1: amount_1, the lake\n# x_2: amount_2\n" in named.read_text()
    with pytest.raises(cpe.InputError, match="the legend has no name of 'water_plan': 'z' is no"):
        cpe.export(program, tmp_path / "b.cbf", legend={"z": "none"})


def test_entries_of_a_symmetric_matrix_are_its_upper_triangle():
    form = cone_form(MODELS["moments"]())
    assert form.column_names[3:6] == ("moments_0_3", "moments_0_4", "moments_1_1")
    assert form.cones[-1] == Cone("PSD", 15)
    assert form.cones[-1].order == 5


def test_each_kind_of_program_has_its_suffixes(tmp_path):
    for name, message in (
        ("p.lp", "'everything' is a cone program, which no .lp file can hold: expected .cbf"),
        ("p", "'everything' is a cone program, which no p file can hold"),
    ):
        with pytest.raises(cpe.InputError, match=message):
            cpe.export(everything(), tmp_path / name)
    builder = cpe.ProgramBuilder("linear")
    builder.columns("x", 2)
    with pytest.raises(cpe.InputError, match=r"the format of 'p.cbf': expected .lp, .mps"):
        cpe.export(builder.build(), tmp_path / "p.cbf")
    with pytest.raises(cpe.InputError, match="relaxation has no effect on 'everything'"):
        cpe.export(everything(), tmp_path / "p.cbf", relaxation=True)
    assert list(tmp_path.iterdir()) == []


def test_what_no_file_can_hold_is_refused_in_words(tmp_path):
    x = cvxpy.Variable(3, name="x")
    whole = cvxpy.Variable(name="n", integer=True)
    for problem, message in (
        (cvxpy.Problem(cvxpy.Maximize(cvxpy.norm(x))), "not convex by CVXPY's rules"),
        (cvxpy.Problem(cvxpy.Minimize(whole), [whole >= 1]), "'p' has whole variables"),
        (cvxpy.Problem(cvxpy.Minimize(cvxpy.norm(x) + whole)), "'p' has whole variables"),
        (cvxpy.Problem(cvxpy.Maximize(x[2]), [cvxpy.PowCone3D(*x, 0.3)]), "'p' has power cones"),
    ):
        with pytest.raises(cpe.InputError, match=message):
            cpe.export(cpe.ConicProgram("p", problem), tmp_path / "p.cbf")
    assert list(tmp_path.iterdir()) == []
