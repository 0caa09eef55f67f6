"""Files of matrices: layouts, labels, and what is written and read back."""

import numpy as np
import pytest

import cpe_opt as cpe
from tests.support import DATA, all_of


def write(folder, text, name="m.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


MATRIX = ",a,b\na,0.5,0.6\nb,0.4,0.5\n"


@all_of(
    ("text", "labels"),
    [
        ("0.5,0.6\n0.4,0.5\n", "01"),
        ("0.5 0.6\n\n# comment\n0.4 0.5\n", "01"),
        ("\ufeff0.5,0.6\n0.4,0.5\n", "01"),
        (",7,9\n7,0.5,0.6\n9,0.4,0.5\n", "79"),
        ('"x, y",b\n0.5,0.6\n0.4,0.5\n', ("x, y", "b")),
        ("a,b\n0.5,0.6\n0.4,0.5\n", "ab"),
        (MATRIX, "ab"),
        (MATRIX.replace(",", ";"), "ab"),
        (MATRIX.replace(",", "\t"), "ab"),
        ("a b\n0.5 0.6\n0.4 0.5\n", "ab"),
        ("a,0.5,0.6\nb,0.4,0.5\n", "ab"),
        ("a b\na 0.5 0.6\nb  0.4 0.5\n", "ab"),
    ],
)
def test_layouts_and_labels(tmp_path, text, labels):
    mu = cpe.read_matrix(write(tmp_path, text))
    assert (mu.labels, mu.name) == (tuple(labels), "m")
    assert mu.array.tolist() == [[0.5, 0.6], [0.4, 0.5]]
    assert mu == cpe.load_problem(tmp_path / "m.csv")


def test_labels_that_need_quotes_are_read_back(tmp_path):
    labels = ["#1", 'the "best"', "x, y", "a;b", "C #", "10"]
    cpe.write_problem(cpe.PreferenceMatrix(np.full((6, 6), 0.5), labels), tmp_path / "m.csv")
    assert cpe.read_matrix(tmp_path / "m.csv").labels == tuple(labels)
    with pytest.raises(cpe.InputError, match="has a line break"):
        cpe.write_problem(
            cpe.PreferenceMatrix([[0.5, 1], [0, 0.5]], ["a\nb", "c"]), tmp_path / "n.csv"
        )


def test_numbers_are_written_exactly_and_nothing_else_is_left_in_the_folder(tmp_path):
    values = [1 / 3, 1e-7, 5e-324, 1.0, 0.1 + 0.2]
    size = len(values) + 1
    matrix = np.full((size, size), 0.5)
    matrix[0, 1:], matrix[1:, 0] = values, 1 - np.array(values)
    mu = cpe.PreferenceMatrix(matrix)
    cpe.write_problem(mu, tmp_path / "deep" / "m.csv")
    again = cpe.read_matrix(tmp_path / "deep" / "m.csv", name="again")
    assert again.name == "again"
    assert again.array[0, 1:].tolist() == values
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["m.csv"]


@all_of(
    ("text", "message"),
    [
        ("", "x.csv: the file is empty, expected a preference matrix"),
        ("# winner loser\n0 3\n3 0\n", "x.csv: pairs of arms below a comment"),
        ("a,b\n", "x.csv, line 1: there are no lines below this one; the first line has a, b; exp"),
        ("0.5,0.6\n0.4,0.5,1\n", "x.csv, line 2: 3 cells, expected 2"),
        ("0.5,0.6,0.7\n0.4,0.5,0.6\n", "x.csv, line 1: 2 × 3 numbers (rows × columns), not square"),
        ("a,b\n0.5,0.6,0.7\n0.4,0.5,0.6\n", "x.csv, line 2: 3 cells, and the first line has 2"),
        (",a,b\na,0.5,0.6\nc,0.4,0.5\n", "x.csv: row 2 is 'c', and column 2 is 'b'"),
        (",a,\na,0.5,0.6\n,0.4,0.5\n", "x.csv: labels[1] is '', expected a text that is not bl"),
        ("0.5,0.6\n0.4,x\n", "x.csv, line 2: cell 2: 'x' is not a number"),
        ("0.5,0.6\n0.4,\n", "x.csv, line 2: cell 2: '' is not a number; expected a pref"),
        ("a;b\n0.5;0,6\n0,4;0.5\n", "x.csv, line 2: cell 2: '0,6' is not a number"),
        ("0.5,x\n0.4,0.5\n", "line 2: 1 × 2 numbers (rows × columns), not square; the first line"),
        ("0.5,nan\n0.4,0.5\n", "x.csv: preference matrix, row 0, column 1: the entry is NaN,"),
        ("0.5,0.6\n0.4,0_5\n", "x.csv, line 2: cell 2: '0_5' is not a number"),
        ("0.5,0.7\n0.4,0.5\n", "x.csv: preference matrix, row 0, column 1: 0.7 and its mirror"),
        ('0.5,"0.6\n0.4,0.5\n', "x.csv, line 1: a quote is not closed"),
        ("winer,loser\na,b\n", "x.csv, line 2: cell 1: 'b' is not a number"),
        ("<html>\n<body>\n</html>\n", "x.csv, line 1: 3 × 0 numbers"),
    ],
)
def test_what_is_no_matrix_is_refused_with_the_line_and_the_cell(tmp_path, text, message):
    for read in (cpe.read_matrix, cpe.load_problem):
        with pytest.raises(cpe.InputError) as refused:
            read(write(tmp_path, text, "x.csv"))
        assert message in str(refused.value)


@pytest.mark.skipif(not (DATA / "mslr").is_dir(), reason="no ranker data on this machine")
def test_real_rankers_read():
    assert cpe.read_matrix(DATA / "mslr" / "navigational.txt").arms == 136
