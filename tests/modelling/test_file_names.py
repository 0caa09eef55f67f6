"""Names that came with a file go out with the next one, or the file says how they were changed."""

import pytest

import cpe_opt as cpe
from cpe_opt.modelling.names import file_names

MPS = """NAME odd FREE
ROWS
 N cost
 L end
 G 7
 E x
COLUMNS
 ...100 cost 1 end 1
 x(1) cost -2 end 3
 x(1) 7 1
 2 cost 1 x 1
 E1 cost -1 end 1
 E1 x 2
 e1x cost -1 end 1
 e1x x 3
 r[1,2] cost 3 7 2
RHS
 RHS end 9 7 -4
 RHS x 5
BOUNDS
 MI BOUND 2
 UP BOUND 2 3
 UP BOUND E1 4
ENDATA
"""


def test_names_of_a_file_survive_every_format(tmp_path, glpsol, cbc):
    (tmp_path / "odd.mps").write_text(MPS)
    program = cpe.read_program(tmp_path / "odd.mps")
    optimum = cpe.solve(program).objective
    mps = cpe.export(program, tmp_path / "again.mps")
    assert "stands for" not in mps.read_text()
    lp = cpe.export(program, tmp_path / "again.lp")
    assert lp.read_text().splitlines()[:8] == [
        '\\ column _100 stands for "...100"',
        '\\ column column_2 stands for "2"',
        '\\ column column_E1 stands for "E1"',
        '\\ column column_e1x stands for "e1x"',
        '\\ column r_1_2_ stands for "r[1,2]"',
        '\\ row row_end stands for "end"',
        '\\ row row_7 stands for "7"',
        "Minimize",
    ]
    for path in (mps, lp):
        assert set(cpe.read_program(path).column_names) == set(program.column_names)
        for reader in (glpsol, cbc):
            assert reader(path) == pytest.approx(optimum)


def test_a_legend_has_the_names_of_the_file(tmp_path):
    (tmp_path / "odd.mps").write_text(MPS)
    program = cpe.read_program(tmp_path / "odd.mps")
    path = cpe.export(program, tmp_path / "p.lp", legend={"r[1,2]": "rolls"})
    assert "\\ r_1_2_: rolls\n" in path.read_text()
    cpe.export(program, tmp_path / "p.mps", legend={"r[1,2]": "rolls"})
    assert (tmp_path / "p.legend.csv").read_text().splitlines() == [
        "name,meaning",
        '"r[1,2]",rolls',
    ]


def test_names_are_given_back_only_at_the_top_and_only_where_they_are_free(tmp_path):
    text = "{}Minimize\n{} obj: a + b\nSubject To\n c: a + b >= 1\nEnd\n"
    note = '\\ column a stands for "{}"\n'
    for first, second, names in (
        (note.format("x[1]"), "", ("x[1]", "b")),
        ("", note.format("x[1]"), ("a", "b")),
        (note.format("b"), "", ("a", "b")),
        ('\\ row a stands for "x"\n', "", ("a", "b")),
        (note.format("\\q"), "", ("a", "b")),
    ):
        (tmp_path / "p.lp").write_text(text.format(first, second))
        assert cpe.read_program(tmp_path / "p.lp").column_names == names


def test_changed_names_are_unique():
    names = ("x y", "x_y", "x-y", "x+y", "x__y")
    changed = file_names(names, "column", ".lp")
    assert changed[1] == "x_y"
    assert changed[4] == "x__y"
    assert len({*changed, *names}) == len(changed) + 3
