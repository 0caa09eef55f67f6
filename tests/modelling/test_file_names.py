"""Names that came with a file go out with the next one, or the file says how they were changed."""

from dataclasses import replace

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.modelling.names import file_names
from tests.support import random_program

ODD = ("...100", "x(1)", "2", "E1", "r[1,2]", "é", "a:b", "free", "inf", "-x", "x_1", "x" * 200)
MPS = """NAME odd FREE
ROWS
 N cost
 L end
 G 7
 E x
COLUMNS
 ...100 cost 1 end 1
 x(1) cost -2 end 3 7 1
 2 cost 1 x 1
 E1 cost -1 end 1 x 2
 r[1,2] cost 3 7 2
RHS
 RHS end 9 7 -4
 RHS x 5
BOUNDS
 MI BOUND 2
 UP BOUND 2 3
 UP BOUND E1 4
ENDATA
""".replace("cost -2 end 3 7 1", "cost -2 end 3\n x(1) 7 1").replace("end 1 x 2", "end 1\n E1 x 2")


def same(one, other):
    """Digit by digit, in any order of rows and columns."""
    columns = [other.column_names.index(name) for name in one.column_names]
    rows = [other.row_names.index(name) for name in one.row_names]
    assert sorted(columns) == list(range(other.shape[1]))
    assert sorted(rows) == list(range(other.shape[0]))
    np.testing.assert_array_equal(one.costs, other.costs[columns])
    np.testing.assert_array_equal(one.column_lower, other.column_lower[columns])
    np.testing.assert_array_equal(one.column_upper, other.column_upper[columns])
    np.testing.assert_array_equal(one.integer, other.integer[columns])
    np.testing.assert_array_equal(one.row_lower, other.row_lower[rows])
    np.testing.assert_array_equal(one.row_upper, other.row_upper[rows])
    assert (one.matrix != other.matrix[rows][:, columns]).nnz == 0
    assert one.sense == other.sense


def test_names_of_a_file_survive_every_format(tmp_path, glpsol, cbc):
    (tmp_path / "odd.mps").write_text(MPS)
    program = cpe.read_program(tmp_path / "odd.mps")
    optimum = cpe.solve(program).objective
    mps = cpe.export(program, tmp_path / "again.mps")
    assert "stands for" not in mps.read_text()
    lp = cpe.export(program, tmp_path / "again.lp")
    assert lp.read_text().splitlines()[:7] == [
        '\\ column _100 stands for "...100"',
        '\\ column column_2 stands for "2"',
        '\\ column column_E1 stands for "E1"',
        '\\ column r_1_2_ stands for "r[1,2]"',
        '\\ row row_end stands for "end"',
        '\\ row row_7 stands for "7"',
        "Minimize",
    ]
    for path in (mps, lp):
        same(program, cpe.read_program(path))
        for reader in (glpsol, cbc):
            assert reader(path) == pytest.approx(optimum)


@pytest.mark.parametrize("solver", ["highs", "glop", "scip", "clarabel", "pdlp", "scs"])
def test_every_solver_takes_such_names(tmp_path, solver):
    (tmp_path / "odd.mps").write_text(MPS)
    program = cpe.read_program(tmp_path / "odd.mps")
    optimum = cpe.solve(program).objective
    names = [f"a {name}" for name in program.column_names]
    result = cpe.solve(replace(program, column_names=tuple(names)), solver)
    assert result.objective == pytest.approx(optimum, abs=1e-4)
    assert list(result.values) == names


@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_any_name_survives(tmp_path, suffix):
    """Blanks, keywords, quotes, what the writer adds, and what other names are changed to."""
    program = random_program(np.random.default_rng(3), columns=12, rows=6)
    columns = ["a b", "a_b", 'say "x"', "back\\slash", "RHS", "$x", *ODD[:6]]
    rows = ["r_1_lo", "r 1", "r_1", "obj", "a\tb", "BOUND"]
    program = replace(program, column_names=tuple(columns), row_names=tuple(rows), offset=0.0)
    program = replace(program, row_upper=np.where(program.row_lower > -np.inf, np.inf, 9.0))
    back = cpe.read_program(cpe.export(program, tmp_path / f"p{suffix}"))
    same(program, back)


def test_a_legend_has_the_names_of_the_file(tmp_path):
    (tmp_path / "odd.mps").write_text(MPS)
    program = cpe.read_program(tmp_path / "odd.mps")
    path = cpe.export(program, tmp_path / "p.lp", legend={"r[1,2]": "rolls"})
    assert "\\ r_1_2_: rolls\n" in path.read_text()


def test_names_are_given_back_only_at_the_top_and_only_where_they_are_free(tmp_path):
    text = "{}Minimize\n{} obj: a + b\nSubject To\n c: a + b >= 1\nEnd\n"
    note = '\\ column a stands for "{}"\n'
    for first, second, names in (
        (note.format("x[1]"), "", ("x[1]", "b")),
        ("\\ of mine\n\n" + note.format("x[1]"), "", ("x[1]", "b")),
        ("", note.format("x[1]"), ("a", "b")),
        (note.format("b"), "", ("a", "b")),
        ('\\ row a stands for "x"\n', "", ("a", "b")),
        ('\\ column a stands for "x\n', "", ("a", "b")),
    ):
        (tmp_path / "p.lp").write_text(text.format(first, second))
        assert cpe.read_program(tmp_path / "p.lp").column_names == names


def test_changed_names_are_unique():
    names = ["x y", "x_y", "x-y", "x+y", "x__y"]
    changed = file_names(names, "column", ".lp")
    assert changed[1] == "x_y"
    assert changed[4] == "x__y"
    assert len({*changed, *names}) == len(changed) + 3
    with pytest.raises(cpe.InputError, match="column 1 has the name 'x': it is used twice"):
        file_names(["x", "x"], "column", ".mps")


def test_highs_reads_what_is_exported(tmp_path):
    """Its reader shares no code with ours."""
    import highspy

    rng = np.random.default_rng(8)
    for number in range(12):
        program = random_program(
            rng, integer=bool(number % 2), sense=("min", "max")[number % 3 % 2], columns=8
        )
        columns = [ODD[k] for k in rng.permutation(8)] if number % 4 else program.column_names
        program = replace(program, column_names=tuple(columns))
        for suffix in (".lp", ".mps"):
            path = cpe.export(program, tmp_path / f"p{number}{suffix}")
            highs = highspy.Highs()
            highs.silent()
            assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
            highs.run()
            value = highs.getInfo().objective_function_value
            sign = -1.0 if suffix == ".mps" and program.sense == "max" else 1.0
            assert sign * value == pytest.approx(cpe.solve(program).objective, abs=1e-6)
