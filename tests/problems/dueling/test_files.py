import numpy as np
import pandas as pd
import pytest

import cpe_opt as cpe
from cpe_opt.errors import UnknownName
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
        ("0.5,0.6\n0.4\n", "m.csv, line 2: 1 cell, expected 2"),
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
    for read in (
        cpe.PreferenceMatrix.from_csv,
        cpe.PreferenceMatrix.from_duels,
        cpe.PreferenceMatrix.from_file,
    ):
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
        ("winner,looser\na,b\n", "no log of duels; found winner, looser; expected winner, loser; "),
        ("winner,loser\n", "no lines below its header"),
        ("winner,loser\na,a\n", "d.csv, line 2: a duel of 'a' against itself"),
        ("winner,loser\na,\n", "d.csv, line 2: the cell of 'loser' is empty"),
        ("winner,loser,count\na,b,-1\n", "line 2: count is '-1', expected a whole number, 0 or"),
        ("winner,loser,count\na,b,many\n", "line 2: count is 'many', expected a whole number"),
    ],
)
def test_bad_logs_are_refused(tmp_path, text, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.PreferenceMatrix.from_duels(write(tmp_path, "d.csv", text))


ARENA = """model_a,model_b,winner
x,y,model_a
y,x,Model_A
x,y,tie
y,z,tie (bothbad)
z,y,both_bad
z,x,model_b
"""


def test_logs_of_ties_count_half_a_win_for_each(tmp_path):
    mu = cpe.PreferenceMatrix.from_duels(write(tmp_path, "a.csv", ARENA))
    assert mu.labels == ("x", "y", "z")
    assert mu.array[0, 1] == 1.5 / 3
    assert mu.array[1, 2] == 0.5
    assert mu.array[0, 2] == 1
    assert mu.votes.duels.tolist() == [[0, 3, 1], [3, 0, 2], [1, 2, 0]]
    assert mu.votes.tied.tolist() == [[0, 1, 0], [1, 0, 2], [0, 2, 0]]
    flags = {"model_a": "100", "model_b": "010"}
    rows = [line.split(",") for line in ARENA.splitlines()[1:]]
    text = "".join(
        ",".join([first, second, *flags.get(winner.lower(), "001")]) + "\n"
        for first, second, winner in rows
    )
    header = "model_a,model_b,winner_model_a,winner_model_b,winner_tie\n"
    assert cpe.PreferenceMatrix.from_duels(write(tmp_path, "b.csv", header + text)) == mu
    frame = pd.read_csv(tmp_path / "a.csv")
    assert cpe.PreferenceMatrix.from_duels(frame) == mu
    assert (
        cpe.PreferenceMatrix.from_file(tmp_path / "a.csv")
        == cpe.PreferenceMatrix.from_file(tmp_path / "b.csv")
        == mu
    )


def test_columns_that_say_nothing_of_the_winner_are_named(tmp_path):
    text = "judge,winner,loser,turn\nann,x,y,1\nbob,y,x,2\nbob,x,y,2\n"
    mu = cpe.PreferenceMatrix.from_duels(write(tmp_path, "d.csv", text))
    assert mu.array[0, 1] == 2 / 3
    assert mu.votes.summary.unused == ("judge", "turn")


LOG = "winner,loser,count\n# a comment\nJosé,b,3\n\nb, José ,1\n"


@pytest.mark.parametrize(
    "data",
    [
        LOG.encode(),
        LOG.encode("utf-8-sig"),
        LOG.encode("utf-16"),
        LOG.encode("utf-32"),
        LOG.replace("\n", "\r\n").encode(),
        LOG.replace("\n", "\r").encode(),
        LOG.replace(",", ";").encode(),
        LOG.replace(",", "\t").encode(),
        LOG.replace("b", '"b"').encode(),
        LOG.replace("José ", "José").replace("José", '"José"').replace(",", ", ").encode(),
        LOG.upper().replace("JOSÉ", "José").replace("B,", "b,").replace("\nB", "\nb").encode(),
        LOG.replace(",3", ",3.0").strip().encode(),
    ],
)
def test_one_log_in_many_encodings_and_separators(tmp_path, data):
    path = tmp_path / "d.csv"
    path.write_bytes(data)
    mu = cpe.PreferenceMatrix.from_file(path)
    assert mu.labels == ("José", "b")
    assert mu.array[0, 1] == 0.75


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


def test_large_logs_are_read_by_columns(tmp_path, monkeypatch):
    """No line is looked at by itself where nothing is wrong, quoted or not."""

    def refuse(*_, **__):
        raise AssertionError("read line by line")

    monkeypatch.setattr("cpe_opt.problems.tables._Columns.add_all", refuse)
    for quote in ("", '"'):
        cells = [f"{quote}{cell}{quote}" for cell in ("a", "b", "b", "c")]
        lines = [f"{cells[k % 2]},{cells[2 + k % 2]}" for k in range(2)] * 500
        text = "# head\n" * (not quote) + "winner,loser\n\n" + "\n".join(lines)
        mu = cpe.PreferenceMatrix.from_duels(write(tmp_path, "d.csv", text))
        assert mu.votes.wins.tolist() == [[0, 500, 0], [0, 0, 500], [0, 0, 0]]


def test_strict_complete_orders(tmp_path):
    mu = cpe.PreferenceMatrix.from_preflib(write(tmp_path, "s.soc", SOC))
    assert mu.labels == ("Ann", "Bob", "Eve")
    assert mu.array[0].tolist() == [0.5, 0.75, 0.75]


def test_ties_within_a_vote_are_half_a_win(tmp_path):
    text = SOC.replace("3: 1,2,3", "3: 1,{2,3}").replace("1: 3,2,1", "1: {1,2},3")
    mu = cpe.PreferenceMatrix.from_preflib(write(tmp_path, "s.toc", text))
    assert mu.array[0, 1] == (3 + 0.5) / 4
    assert mu.array[1, 2] == (1.5 + 1) / 4


def test_incomplete_orders_say_last_or_nothing(tmp_path):
    text = SOC.replace("3: 1,2,3", "3: 1,2").replace("1: 3,2,1", "1: 3,1")
    path = write(tmp_path, "s.soi", text)
    ignored = cpe.PreferenceMatrix.from_preflib(path, unranked="ignore")
    assert ignored.array[0].tolist() == [0.5, 1.0, 0.0]
    assert ignored.ties == ((1, 2),)
    last = cpe.PreferenceMatrix.from_preflib(path)
    assert last == cpe.PreferenceMatrix.from_preflib(path, unranked="last")
    assert last.array[0].tolist() == [0.5, 1.0, 0.75]
    assert last.array[1, 2] == 0.75
    with pytest.raises(UnknownName, match="'first'"):
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
    assert cpe.PreferenceMatrix.from_file(write(tmp_path, "a.soc", SOC)).labels[0] == "Ann"
    assert (
        cpe.PreferenceMatrix.from_file(
            write(tmp_path, "b.csv", "Winner, Loser\n".lower() + "x,y\n")
        ).arms
        == 2
    )
    assert cpe.PreferenceMatrix.from_file(write(tmp_path, "c.txt", "0.5 0.6\n0.4 0.5\n")).arms == 2


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
