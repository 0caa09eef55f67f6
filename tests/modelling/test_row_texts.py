"""Further rows as texts: on programs, nouns and the command line."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import cpe_opt as cpe
from cpe_opt.cli import app
from cpe_opt.modelling.reading import with_row_texts

GAP = cpe.load_instance("gap")
NOUNS = {
    "copeland-bound": (cpe.copeland_bound, cpe.copeland_bound_program),
    "copeland-time": (cpe.copeland_time, cpe.copeland_time_program),
    "ecw-bound": (cpe.ecw_bound, cpe.ecw_bound_program),
}


def test_a_text_is_the_row_that_it_says():
    program = cpe.copeland_bound_program(GAP, method="compact")
    texts = ["two: 2 x_0_1 - x_0_3 >= -1", "0.1 <= x_0_3 <= 0.9", "x_0_1 = 0.5"]
    more = with_row_texts(program, texts)
    assert more.row_names[-3:] == ("two", "extra_1", "extra_2")
    at = [program.column_names.index(name) for name in ("x_0_1", "x_0_3")]
    assert more.matrix[-3:].toarray()[:, at].tolist() == [[2, -1], [0, 1], [1, 0]]
    assert more.row_lower[-3:].tolist() == [-1.0, 0.1, 0.5]
    assert more.row_upper[-3:].tolist() == [np.inf, 0.9, 0.5]
    again = with_row_texts(more, ["x_0_3 >= 0.2", "x_0_1 >= 0.2"])
    assert again.row_names[-2:] == ("extra_0", "extra__1")


@pytest.mark.parametrize("name", NOUNS)
def test_a_noun_with_rows_is_its_program_with_rows(name):
    noun, program_of = NOUNS[name]
    rows = ["enough: x_0_3 >= 0.9"]
    found = noun(GAP, rows=rows)
    assert found.method == "compact"
    assert found.exploration[0, 3] * GAP.divergences[0, 3] >= 0.9 - 1e-9
    by_hand = program_of(GAP, method="enumerate").with_row({"x_0_3": 1.0}, lower=0.9)
    assert found.value == pytest.approx(cpe.solve(by_hand, solver="glop").objective)
    assert program_of(GAP, method="compact", rows=rows).row_names[-1] == "enough"
    loose = ["x_0_3 >= 0", "x_0_3 <= 1"]
    assert noun(GAP, rows=loose).value == pytest.approx(noun(GAP).value)
    with pytest.raises(cpe.InputError, match="the method 'cuts' has others"):
        program_of(GAP, rows=rows)


def test_rows_are_for_one_winner():
    cycle = cpe.load_problem("random-cycle:5")
    with pytest.raises(cpe.InputError, match=r"expected winner .*, one of 0, 1, 2"):
        cpe.copeland_bound(cycle, rows=["x_0_3 >= 0.9"])
    assert cpe.copeland_bound(cycle, winner=1, rows=["x_1_3 >= 0.9"]).winner == 1
    with pytest.raises(cpe.NotOptimal):
        cpe.copeland_bound(GAP, rows=["x_0_3 >= 1.1"])


def test_rows_from_the_command_line(tmp_path):
    def run(*arguments):
        return CliRunner().invoke(app, [str(each) for each in arguments])

    row, file = ("--row", "enough: x_0_3 >= 0.9"), tmp_path / "gap.lp"
    value = cpe.copeland_bound(GAP, rows=[row[1]]).value
    solved = run("solve", "copeland-bound", "gap", *row, "--json")
    assert json.loads(solved.stdout)["value"] == pytest.approx(value)
    assert run("export", "copeland-bound", "gap", file, "--method", "compact", *row).exit_code == 0
    assert "enough: + 1 x_0_3 >= 0.9" in file.read_text()
    again = run("solve", file, "--row", "x_0_1 >= 1", "--json")
    assert json.loads(again.stdout)["objective"] >= value - 1e-9
    refused = run("solve", "von-neumann-winner", "gap", *row)
    assert "--row has no effect on von-neumann-winner; it is for copeland-bound" in refused.stderr
