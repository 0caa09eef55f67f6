import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.problems.readers import read_preferences
from tests.support import DATA

SOC = """# FILE NAME: small.soc
# NUMBER ALTERNATIVES: 3
# ALTERNATIVE NAME 1: Ann
# ALTERNATIVE NAME 2: Bob
# ALTERNATIVE NAME 3: Eve
3: 1,2,3
1: 3,2,1
"""


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m.csv: the file is empty"),
        ("0.5,0.6\n0.4\n", "m.csv, line 2: 1 cells, expected 2"),
        ("0.5,0.6\n0.4,x\n", "m.csv, line 2: 'x' is not a number"),
        (",a,b\na,0.5,0.6\nc,0.4,0.5\n", "labels of the rows differ"),
        ("0.5,0.7\n0.4,0.5\n", "do not add up to 1"),
    ],
)
def test_bad_matrix_files_are_refused_with_the_line(tmp_path, text, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.PreferenceMatrix.from_csv(write(tmp_path, "m.csv", text))


def test_written_matrices_read_back(tmp_path):
    mu = cpe.load_instance("sushi")
    mu.to_csv(tmp_path / "deep" / "sushi.csv")
    assert cpe.PreferenceMatrix.from_csv(tmp_path / "deep" / "sushi.csv") == mu
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["sushi.csv"]


def test_missing_files_are_refused(tmp_path):
    for read in (cpe.PreferenceMatrix.from_csv, cpe.PreferenceMatrix.from_duels, read_preferences):
        with pytest.raises(cpe.InputError, match="no file"):
            read(tmp_path / "none.csv")


def test_duels_are_counted(tmp_path):
    path = write(tmp_path, "d.csv", "winner,loser,count\nx,y,3\ny,x,1\nz,x,2\n")
    mu = cpe.PreferenceMatrix.from_duels(path)
    assert mu.labels == ("x", "y", "z")
    assert mu.array[0, 1] == 0.75
    assert mu.array[2, 0] == 1.0
    assert mu.ties == ((1, 2),)  # never met
    plain = write(tmp_path, "p.csv", "winner,loser\n1,2\n1,2\n2,1\n")
    assert cpe.PreferenceMatrix.from_duels(plain).array[0, 1] == pytest.approx(2 / 3)
    frame = pd.DataFrame({"winner": ["a", "b"], "loser": ["b", "a"], "count": [1, 3]})
    assert cpe.PreferenceMatrix.from_duels(frame).array[0, 1] == 0.25


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("winner,looser\na,b\n", "no column 'loser'"),
        ("winner,loser\n", "no duels"),
        ("winner,loser\na,a\n", "duel 1: 'a' against itself"),
        ("winner,loser\na,\n", "without a winner or a loser"),
        ("winner,loser,count\na,b,-1\n", "duel 1: the count is -1.0"),
        ("winner,loser,count\na,b,many\n", "duel 1: the count is nan"),
    ],
)
def test_bad_logs_are_refused(tmp_path, text, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.PreferenceMatrix.from_duels(write(tmp_path, "d.csv", text))


def test_strict_complete_orders(tmp_path):
    mu = cpe.PreferenceMatrix.from_preflib(write(tmp_path, "s.soc", SOC))
    assert mu.labels == ("Ann", "Bob", "Eve")
    assert mu.array[0].tolist() == [0.5, 0.75, 0.75]


def test_ties_within_a_vote_are_half_a_win(tmp_path):
    text = SOC.replace("3: 1,2,3", "3: 1,{2,3}").replace("1: 3,2,1", "1: {1,2},3")
    mu = cpe.PreferenceMatrix.from_preflib(write(tmp_path, "s.toc", text))
    assert mu.array[0, 1] == (3 + 0.5) / 4
    assert mu.array[1, 2] == (1.5 + 1) / 4


def test_incomplete_orders_say_nothing_or_last(tmp_path):
    text = SOC.replace("3: 1,2,3", "3: 1,2").replace("1: 3,2,1", "1: 3,1")
    path = write(tmp_path, "s.soi", text)
    ignored = cpe.PreferenceMatrix.from_preflib(path)
    assert ignored.array[0].tolist() == [0.5, 1.0, 0.0]
    assert ignored.ties == ((1, 2),)
    last = cpe.PreferenceMatrix.from_preflib(path, unranked="last")
    assert last.array[0].tolist() == [0.5, 1.0, 0.75]
    assert last.array[1, 2] == 0.75
    with pytest.raises(cpe.UnknownName, match="'first'"):
        cpe.PreferenceMatrix.from_preflib(path, unranked="first")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("3: 1,2,3", "three: 1,2,3", "line 6: expected 'count: ranking'"),
        ("3: 1,2,3", "3: 1;2;3", "line 6: '1;2;3' is not a ranking"),
        ("3: 1,2,3", "3: 1,2,2", "line 6: an alternative is ranked twice"),
        ("3: 1,2,3", "3: 1,2,4", "line 6: an alternative lies outside 1 … 3"),
        ("3: 1,2,3\n1: 3,2,1\n", "", "no alternatives or no votes"),
    ],
)
def test_bad_elections_are_refused_with_the_line(tmp_path, old, new, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.PreferenceMatrix.from_preflib(write(tmp_path, "s.soc", SOC.replace(old, new)))


def test_other_suffixes_are_no_elections(tmp_path):
    with pytest.raises(cpe.InputError, match=r"expected one of the suffixes \.soc"):
        cpe.PreferenceMatrix.from_preflib(write(tmp_path, "s.txt", SOC))


def test_repeated_names_are_numbered(tmp_path):
    path = write(tmp_path, "s.soc", SOC.replace("Bob", "Ann"))
    assert cpe.PreferenceMatrix.from_preflib(path).labels == ("Ann (1)", "Ann (2)", "Eve (3)")


def test_the_format_is_told_from_the_file(tmp_path):
    assert read_preferences(write(tmp_path, "a.soc", SOC)).labels[0] == "Ann"
    assert read_preferences(write(tmp_path, "b.csv", "Winner, Loser\n".lower() + "x,y\n")).arms == 2
    assert read_preferences(write(tmp_path, "c.txt", "0.5 0.6\n0.4 0.5\n")).arms == 2


@pytest.mark.skipif(not (DATA / "preflib").is_dir(), reason="no election data on this machine")
def test_real_elections_read():
    files = sorted(DATA.glob("preflib/*/*.[st]o[ci]"))
    assert files
    for path in files:
        mu = cpe.PreferenceMatrix.from_preflib(path)
        assert np.allclose(mu.array + mu.array.T, 1)
        assert len(set(mu.labels)) == mu.arms


@pytest.mark.skipif(not (DATA / "mslr").is_dir(), reason="no ranker data on this machine")
def test_real_rankers_read():
    assert cpe.PreferenceMatrix.from_csv(DATA / "mslr" / "navigational.txt").arms == 136
