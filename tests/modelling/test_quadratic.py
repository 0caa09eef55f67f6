"""Quadratic programs as values: what is convex, objectives, tangents, and what duals prove."""

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import InputError
from cpe_opt.modelling.quadratic import QuadraticProgram, wolfe_proof


def box(columns, *, sense="min", costs=0.0, lower=-np.inf, upper=np.inf, name="box"):
    """A linear program without rows, of columns ``x_0``, ``x_1``, …."""
    builder = cpe.ProgramBuilder(name, sense=sense)
    builder.columns("x", columns, cost=costs, lower=lower, upper=upper)
    return builder.build()


def test_the_objective_has_one_half_of_the_matrix_and_the_builder_has_none():
    builder = cpe.ProgramBuilder("p", offset=7.0)
    x = builder.columns("x", 2, cost=[1, -2])
    builder.quadratic(x, x, [3, 5])  # 3 x_0² + 5 x_1²
    builder.quadratic(x[0], x[1], 4)  # 4 x_0 x_1
    builder.quadratic(x[1], x[0], -2)
    program = builder.build()
    assert program.quadratic.toarray().tolist() == [[6, 2], [2, 10]]
    assert program.objective([2.0, -1.0]) == 7 + 2 + 2 + 3 * 4 + 5 - 2 * 2
    assert program.gradient([2.0, -1.0]).tolist() == [1 + 12 - 2, -2 + 4 - 10]
    assert (program.kind, program.shape, program.name) == ("QP", (0, 2), "p")
    assert program.build_seconds > 0.0


def test_without_quadratic_terms_the_builder_makes_a_linear_program():
    assert isinstance(box(2), cpe.LinearProgram)


def test_whole_columns_make_it_a_mixed_integer_quadratic_program():
    builder = cpe.ProgramBuilder("p")
    x = builder.columns("x", 2, integer=True)
    builder.quadratic(x, x)
    program = builder.build()
    assert program.kind == "MIQP"
    assert repr(program) == (
        "QuadraticProgram('p', 2 columns (2 whole), 0 rows, 2 quadratic terms, min)"
    )


@pytest.mark.parametrize(
    ("first", "second", "value", "words"),
    [
        ([0, 1], [0], 1.0, "2 first columns, 1 second ones"),
        ([0], [2], 1.0, "lies outside 0 … 1"),
        ([-1], [0], 1.0, "lies outside 0 … 1"),
        ([0.5], [0], 1.0, "expected whole numbers"),
        ([0, 1], [0, 1], [1.0, 2.0, 3.0], "expected one or 2"),
    ],
)
def test_quadratic_terms_of_no_columns_are_refused(first, second, value, words):
    builder = cpe.ProgramBuilder("p")
    builder.columns("x", 2)
    with pytest.raises(InputError, match=words):
        builder.quadratic(first, second, value)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[1.0]], r"shape \(1, 1\), expected \(2, 2\)"),
        ([[1.0, 2.0], [0.0, 5.0]], "not symmetric: 2 of 'x_0' and 'x_1', 0 of 'x_1' and 'x_0'"),
        ([[np.nan, 0.0], [0.0, 1.0]], "finite"),
    ],
)
def test_a_matrix_that_is_none_of_a_quadratic_form_is_refused(matrix, words):
    with pytest.raises(InputError, match=words):
        QuadraticProgram(box(2), sp.csr_array(np.array(matrix)))


@pytest.mark.parametrize(
    ("matrix", "value"),
    [
        ([[-2.0, 0.0], [0.0, 1.0]], "-1 along the direction (x_0: 1)"),
        ([[0.0, 1.0], [1.0, 0.0]], "-1 along the direction"),
        ([[1.0, 2.0], [2.0, 1.0]], "-1 along the direction"),
        ([[0.0, 1e-3], [1e-3, 9.0]], "along the direction"),
    ],
)
@pytest.mark.parametrize("sense", ["min", "max"])
def test_a_direction_shows_that_an_objective_is_not_convex(matrix, value, sense):
    sign = 1.0 if sense == "min" else -1.0
    matrix = sign * np.array(matrix)
    with pytest.raises(InputError, match="is not c") as refused:
        QuadraticProgram(box(2, sense=sense), sp.csr_array(matrix))
    assert value.replace("-1", f"{-sign:g}") in str(refused.value)
    parts = str(refused.value).rpartition("(")[2].rstrip(")").split(", ")
    direction = np.zeros(2)
    for part in parts:
        name, number = part.split(": ")
        direction[int(name[2:])] = float(number)
    assert sign * direction @ matrix @ direction < 0.0


@pytest.mark.parametrize("columns", [3, 60, 1200])
def test_convex_matrices_pass_and_those_a_hair_from_convex_do_not(columns):
    rng = np.random.default_rng(columns)
    factor = sp.random_array((columns - 1, columns), density=min(1.0, 4 / columns), rng=rng)
    scale = sp.diags_array(10.0 ** rng.integers(-4, 5, size=columns))
    singular = sp.csr_array(scale @ (factor.T @ factor) @ scale)
    linear = box(columns)
    QuadraticProgram(linear, sp.csr_array((singular + singular.T) / 2))
    concave = sp.lil_array((columns, columns))
    concave[0, 0], concave[1, 1], concave[0, 1] = 1.0, 1.0, 1.0 + 1e-6
    concave[1, 0] = concave[0, 1]
    concave[2, 2] = 1.0
    with pytest.raises(InputError, match="not convex"):
        QuadraticProgram(linear, sp.csr_array(concave))
    with pytest.raises(InputError, match="not concave"):
        QuadraticProgram(box(columns, sense="max"), sp.csr_array((singular + singular.T) / 2))


def test_a_large_block_that_is_not_convex_is_found_without_dense_algebra():
    # The second differences of a path, whose least eigenvalue is near 0, moved below it.
    columns = 1500
    path = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(columns, columns))
    QuadraticProgram(box(columns), sp.csr_array(path))
    with pytest.raises(InputError, match=r"not convex.*and 1497 more"):
        QuadraticProgram(box(columns), sp.csr_array(path - 0.5 * sp.eye_array(columns)))


@pytest.mark.parametrize("sense", ["min", "max"])
def test_the_tangent_touches_and_bounds_the_objective(sense):
    rng = np.random.default_rng(0)
    factor = rng.normal(size=(3, 4))
    sign = 1.0 if sense == "min" else -1.0
    linear = box(4, sense=sense, costs=rng.normal(size=4))
    program = QuadraticProgram(linear, sp.csr_array(sign * factor.T @ factor))
    u = rng.normal(size=4)
    tangent = program.tangent(u)
    assert tangent.objective(u) == pytest.approx(program.objective(u))
    for _ in range(50):
        x = 3.0 * rng.normal(size=4)
        assert sign * (program.objective(x) - tangent.objective(x)) >= 0.0


def test_the_bound_of_duals_is_that_of_the_closed_form_and_never_above_it():
    # Minimise ½ |x|² over sum x = 1: x = 1/n, the dual is 1/n, and the optimum 1/(2n).
    builder = cpe.ProgramBuilder("simplex")
    x = builder.columns("x", 5, lower=-np.inf)
    builder.quadratic(x, x, 0.5)
    builder.row("sum", x, lower=1, upper=1)
    program = builder.build()
    proof, point = wolfe_proof(program, np.full(5, 0.2), np.array([0.2]))
    assert proof.bound == pytest.approx(0.1, abs=1e-15)
    assert point == pytest.approx(np.full(5, 0.2))
    rng = np.random.default_rng(0)
    for _ in range(20):
        # Off the optimum the reduced costs of free columns are not 0, until both have moved.
        proof, point = wolfe_proof(program, rng.normal(size=5), rng.normal(size=1))
        assert proof.residual > 0.0
        assert proof.bound is not None
        assert proof.bound <= 0.1 + 1e-12
        assert program.gradient(point) == pytest.approx(np.full(5, proof.row_duals[0]))


def test_no_bound_is_above_any_point_of_random_programs():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        rows, columns = int(rng.integers(0, 4)), int(rng.integers(1, 5))
        factor = rng.normal(size=(columns, columns))
        builder = cpe.ProgramBuilder("p", sense="max" if seed % 2 else "min", offset=rng.normal())
        x = builder.columns("x", columns, cost=rng.normal(size=columns), lower=-1.0, upper=1.0)
        matrix = rng.normal(size=(rows, columns))
        for row in range(rows):
            builder.row(f"r_{row}", x, matrix[row], lower=-0.5, upper=2.0)
        sign = -1.0 if seed % 2 else 1.0
        program = QuadraticProgram(builder.build(), sp.csr_array(sign * factor.T @ factor))
        points = rng.uniform(-1.0, 1.0, size=(200, columns))
        inside = points[((points @ matrix.T >= -0.5) & (points @ matrix.T <= 2.0)).all(axis=1)]
        proof, _ = wolfe_proof(program, rng.normal(size=columns), rng.normal(size=rows))
        assert proof.bound is not None
        assert len(inside)
        for point in inside:
            assert sign * (program.objective(point) - proof.bound) >= 0.0


def random_quadratic(seed, *, alone=0.0):
    """A random program with an optimum, in numbers of all digits; ``alone`` costs a lone column."""
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    sense = ("min", "max")[seed % 2]
    builder = cpe.ProgramBuilder("p", sense=sense, offset=float(rng.normal()))
    x = builder.columns("x", columns, cost=rng.normal(size=columns), lower=-1.0, upper=3.0)
    matrix = rng.normal(size=(rows, columns))
    builder.columns("alone", 1, cost=alone, lower=-1.0, upper=1.0)
    for row in range(rows):
        builder.row(f"r_{row}", x, matrix[row], lower=-rng.random(), upper=rng.random())
    factor = rng.normal(size=(columns, columns)) * (rng.random((columns, columns)) < 0.7)
    one, other = np.indices((columns, columns)).reshape(2, -1)
    sign = 1.0 if sense == "min" else -1.0
    builder.quadratic(x[one], x[other], sign * (factor.T @ factor).ravel())
    builder.quadratic([columns], [columns], sign)
    return builder.build()


def by_highs(path):
    """The optimum of a file as HiGHS reads it, and the file that it writes of it."""
    import highspy

    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    again = path.with_name(f"highs_{path.name}")
    highs.writeModel(str(again))
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return highs.getInfo().objective_function_value, again


@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_files_are_read_as_the_same_program_by_us_and_by_highs(tmp_path, suffix):
    for seed in range(12):
        # HiGHS 1.16 leaves a column without a linear cost or a row out of the MPS files it writes.
        program = random_quadratic(seed, alone=0.25)
        path = cpe.export(program, tmp_path / f"p_{seed}{suffix}")
        back = cpe.read_program(path)
        assert isinstance(back, QuadraticProgram)
        assert back.sense == program.sense
        size = program.shape[1]
        assert (back.quadratic[:size, :size] != program.quadratic).nnz == 0
        expected = cpe.solve(program, "clarabel").objective
        assert cpe.solve(back, "clarabel").objective == pytest.approx(expected, abs=1e-6)
        value, again = by_highs(path)
        # A maximisation is written to MPS as the minimisation of the negated objective.
        turned = -1.0 if suffix == ".mps" and program.sense == "max" else 1.0
        assert turned * value == pytest.approx(expected, abs=1e-5)
        result = cpe.solve(cpe.read_program(again), "clarabel")
        assert result.objective == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("suffix", "line"),
    [(".lp", " obj: + 1 x + 0 y + [ + 6 x ^ 2 - 8 x * y + 10 y ^ 2 ] / 2"), (".mps", " x y -4")],
)
def test_what_is_written(tmp_path, suffix, line):
    builder = cpe.ProgramBuilder("p")
    x = builder.columns("x", [()], cost=1)
    y = builder.columns("y", [()])
    builder.quadratic([x[0], x[0], y[0]], [x[0], y[0], y[0]], [3.0, -4.0, 5.0])
    path = cpe.export(builder.build(), tmp_path / f"p{suffix}")
    assert line in path.read_text(encoding="utf-8").splitlines()


def test_whole_columns_and_odd_names_survive_a_file(tmp_path):
    text = (
        "Minimize\n obj: [ 2 x[1] ^ 2 + 2 x[1] * b + b ^ 2 ] / 2\n"
        "Subject To\n c: x[1] + b >= 1\nBounds\n b <= 4\nGeneral\n b\nEnd\n"
    )
    (tmp_path / "a.lp").write_text(text, encoding="utf-8")
    program = cpe.read_program(tmp_path / "a.lp")
    assert program.kind == "MIQP"
    back = cpe.read_program(cpe.export(program, tmp_path / "b.lp"))
    assert back.column_names == ("x[1]", "b")
    assert back.quadratic.toarray().tolist() == [[2, 1], [1, 1]]
    assert back.linear.integer.tolist() == [False, True]


@pytest.mark.parametrize("value", [1e15, 1e-13])
def test_quadratic_terms_that_readers_do_not_take_are_refused(tmp_path, value):
    program = QuadraticProgram(box(1), sp.csr_array([[value]]))
    with pytest.raises(InputError, match="'x_0' has the quadratic term"):
        cpe.export(program, tmp_path / "p.lp")
    with pytest.raises(InputError, match=r"cannot tell the format of 'p.cbf'"):
        cpe.export(program, tmp_path / "p.cbf")
