"""Files of matrices: layouts, labels, and what is written and read back."""

import numpy as np
import pytest

import cpe_opt as cpe
from tests.support import DATA


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("0.5,0.6\n0.4,0.5\n", ("0", "1")),
        ("0.5 0.6\n\n# comment\n0.4 0.5\n", ("0", "1")),
        (",a,b\na,0.5,0.6\nb,0.4,0.5\n", ("a", "b")),
        ("a,b\n0.5,0.6\n0.4,0.5\n", ("a", "b")),
        ('"x, y",b\n0.5,0.6\n0.4,0.5\n', ("x, y", "b")),
        ("7,9\n0.5,0.6\n0.4,0.5\n", ("7", "9")),
        ("\ufeff0.5,0.6\n0.4,0.5\n", ("0", "1")),
    ],
)
def test_matrix_files_with_and_without_labels(tmp_path, text, labels):
    mu = cpe.PreferenceMatrix.from_csv(write(tmp_path, "m.csv", text))
    assert mu.labels == labels
    assert mu.array[0, 1] == 0.6
    assert mu.name == "m"


def test_written_matrices_read_back(tmp_path):
    mu = cpe.load_instance("sushi")
    mu.to_csv(tmp_path / "deep" / "sushi.csv")
    assert cpe.PreferenceMatrix.from_csv(tmp_path / "deep" / "sushi.csv") == mu
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["sushi.csv"]


def test_missing_files_are_refused(tmp_path):
    for read in (
        cpe.PreferenceMatrix.from_csv,
        cpe.PreferenceMatrix.from_duels,
        cpe.PreferenceMatrix.from_file,
    ):
        with pytest.raises(cpe.InputError, match="no file"):
            read(tmp_path / "none.csv")


MATRIX = ",a,b\na,0.5,0.6\nb,0.4,0.5\n"


@pytest.mark.parametrize(
    "text",
    [
        MATRIX.replace(",", ";"),
        MATRIX.replace(",", ";").replace(".", ","),
        MATRIX.replace(",", "\t"),
        MATRIX.replace(",", "\t").replace(".", ","),
        "a b\n0,5 0,6\n0,4 0,5\n",
        "a\t0,5\t0,6\nb\t0,4\t0,5\n",
        "a,0.5,0.6\nb,0.4,0.5\n",
        "a,+0.5,6e-1\nb,.4,0.5\n",
        "a b\na 0.5 0.6\nb  0.4\t0.5\n",
    ],
)
def test_one_matrix_with_many_separators(tmp_path, text):
    mu = cpe.PreferenceMatrix.from_file(write(tmp_path, "m.csv", text))
    assert mu == cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]], ["a", "b"])


def test_labels_that_need_quotes_are_read_back(tmp_path):
    labels = ["#1", 'the "best"', "x, y", "a;b", "C #", "10"]
    mu = cpe.PreferenceMatrix(np.full((6, 6), 0.5), labels)
    mu.to_csv(tmp_path / "m.csv")
    assert cpe.PreferenceMatrix.from_csv(tmp_path / "m.csv").labels == tuple(labels)
    with pytest.raises(cpe.InputError, match="has a line break"):
        cpe.PreferenceMatrix([[0.5, 1], [0, 0.5]], ["a\nb", "c"]).to_csv(tmp_path / "n.csv")


def test_numbers_are_written_exactly(tmp_path):
    values = [1 / 3, 1e-7, 5e-324, 1.0, 0.1 + 0.2]
    size = len(values) + 1
    matrix = np.full((size, size), 0.5)
    matrix[0, 1:], matrix[1:, 0] = values, 1 - np.array(values)
    mu = cpe.PreferenceMatrix(matrix)
    mu.to_csv(tmp_path / "m.csv")
    assert cpe.PreferenceMatrix.from_csv(tmp_path / "m.csv").array[0, 1:].tolist() == values


@pytest.mark.skipif(not (DATA / "mslr").is_dir(), reason="no ranker data on this machine")
def test_real_rankers_read():
    assert cpe.PreferenceMatrix.from_csv(DATA / "mslr" / "navigational.txt").arms == 136
