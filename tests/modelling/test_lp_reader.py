"""LP files by hand: what each line means, and in which line a faulty one is refused."""

import numpy as np
import pytest

import cpe_opt as cpe
from tests.support import all_of

INF = np.inf


def read(folder, text):
    (folder / "p.lp").write_bytes(text.encode())
    return cpe.read_program(folder / "p.lp")


def file(row="c: x + y >= 2", objective="obj: x + y", rest=""):
    return f"Minimize\n {objective}\nSubject To\n {row}\n{rest}End\n"


def refused(folder, text, line, words):
    with pytest.raises(cpe.InputError) as caught:
        read(folder, text)
    assert f"line {line}: " in str(caught.value)
    assert words in str(caught.value)


def test_all_that_a_file_may_have(tmp_path):
    text = r"""\ of another hand

MAXIMISE
profit: 3 a - b
  + 2.5e0 c + 7 \ a constant
  - .5 d
such that
 first: a + 2b
   - c <= 4
 -2 <= a - d <= 3
 c - d
   => -3
 x[0,1] + a.b + y#2 = .5

 late: c < 8.5
bounds
 -1 <= a <= 5
 b free
 7.5 >= c
 0 <= d <= 1
GENERALS
 a
 c
BINARIES
 d
semi
END
"""
    program = read(tmp_path, text)
    assert (program.sense, program.offset) == ("max", 7.0)
    assert program.column_names == ("a", "b", "c", "d", "x[0,1]", "a.b", "y#2")
    assert program.row_names == ("first", "row_1", "row_2", "row_3", "late")
    np.testing.assert_array_equal(program.costs, [3, -1, 2.5, -0.5, 0, 0, 0])
    np.testing.assert_array_equal(
        program.matrix.toarray(),
        [
            [1, 2, -1, 0, 0, 0, 0],
            [1, 0, 0, -1, 0, 0, 0],
            [0, 0, 1, -1, 0, 0, 0],
            [0, 0, 0, 0, 1, 1, 1],
            [0, 0, 1, 0, 0, 0, 0],
        ],
    )
    np.testing.assert_array_equal(program.row_lower, [-INF, -2, -3, 0.5, -INF])
    np.testing.assert_array_equal(program.row_upper, [4, 3, INF, 0.5, 8.5])
    np.testing.assert_array_equal(program.column_lower, [-1, -INF, 0, 0, 0, 0, 0])
    np.testing.assert_array_equal(program.column_upper, [5, INF, 7.5, 1, INF, INF, INF])
    assert program.integer.tolist() == [True, False, True, True, False, False, False]


@all_of(
    ("row", "x", "y", "lower", "upper"),
    [
        ("4 >= x - y >= 1", 1, -1, 1, 4),
        ("-inf <= x <= 4", 1, 0, -INF, 4),
        ("x <= 1e30", 1, 0, -INF, INF),
        ("x + 2 x - y - y <= 1", 3, -2, -INF, 1),
        ("x - x + y <= 1", 0, 1, -INF, 1),
        ("- - x <= 1", 1, 0, -INF, 1),
        ("+ - 2 x <= - 1", -2, 0, -INF, -1),
        ("x + 1e1 x -\n .25 y + - y - 3. x >= 1", 8, -1.25, 1, INF),
        ("3x+2y>=-1", 3, 2, -1, INF),
        ("x\n +\n y\n =<\n 3", 1, 1, -INF, 3),
        ("- 1 <=\n 2 x - 3\n y <= 1", 2, -3, -1, 1),
        ("0 x + 0 y >= -1", 0, 0, -1, INF),
        ("2.x < .5", 2, 0, -INF, 0.5),
    ],
)
def test_a_row(tmp_path, row, x, y, lower, upper):
    for name in ("", "c: "):
        program = read(tmp_path, file(f"{name}{row}\n- x > 3"))
        assert program.matrix.toarray().tolist() == [[x, y], [-1, 0]]
        assert (program.row_lower[0], program.row_upper[0]) == (lower, upper)


@all_of(
    ("bounds", "lower", "upper"),
    [
        ("x <= 5", 0, 5),
        ("x >= -5", -5, INF),
        ("- 5 <= x", -5, INF),
        ("5 >= x >= 1", 1, 5),
        ("1<=x<=5", 1, 5),
        ("x = 3", 3, 3),
        ("3 = x", 3, 3),
        ("x free", -INF, INF),
        ("x >= -Infinity\n x <= -5", -INF, -5),
        ("-1e30 < x < +inf", -INF, INF),
    ],
)
def test_bounds(tmp_path, bounds, lower, upper):
    program = read(tmp_path, file(rest=f"Bounds\n {bounds}\n"))
    assert (program.column_lower[0], program.column_upper[0]) == (lower, upper)


def test_binary_columns_keep_bounds_within_0_and_1(tmp_path):
    program = read(tmp_path, file(rest="Bounds\n x >= 0\nBinary\n x y\n"))
    assert program.column_lower.tolist() == [0, 0]
    assert program.column_upper.tolist() == [1, 1]
    for rest in ("Bounds\n x = 1\nBinary\n x\n", "Binary\n x\nBounds\n x = 1\n"):
        program = read(tmp_path, file(rest=rest))
        assert (program.column_lower[0], program.column_upper[0]) == (1, 1)
        assert program.integer.tolist() == [True, False]
    for bound in ("x <= 5", "x >= -1", "x free"):
        refused(tmp_path, file(rest=f"Bounds\n {bound}\nBinary\n x\n"), 8, "bounds of 0 and 1")


def test_an_objective_may_be_empty_or_alone(tmp_path):
    assert read(tmp_path, "min\nobj:\nst\n x >= 2\nend\n").costs.tolist() == [0]
    program = read(tmp_path, "max\n obj: 2 x + 3 x - 4\nbounds\n x <= 3\nend\n")
    assert (program.shape, program.costs.tolist(), program.offset) == ((0, 1), [5.0], -4.0)
    program = read(tmp_path, "max\n obj: 5 - 2\nst\nend\n")
    assert (program.shape, program.offset) == ((0, 0), 3.0)
    with pytest.raises(cpe.InputError, match="no columns and no constant: it is no model file"):
        read(tmp_path, "min\nst\nend\n")


def test_names_of_rows_without_one_are_not_taken_from_others(tmp_path):
    program = read(tmp_path, file("row_1: x >= 1\n y >= 1\n x + y >= 3"))
    assert program.row_names == ("row_1", "row_1_", "row_2")


ROWS = """1,5 x >= 2|x >= 1,5|x >= 1O|12e x >= 1|1_0 x >= 1|. x >= 1|1.2.3 x >= 1|x ≥ 1
x >= \u22125|3 2 x >= 1|2 * x >= 1|3 (x + y) >= 1|x y >= 1|x/2 >= 1|x == 1|x <> 1
x >= 1 y >= 2|1 <= x >= 0|1 = x = 2|x <= y <= 2|c: x|c: x >=|c: >= 2|c: 1 >= 0|x + 3 >= 7|x >= y
2 <= x|2: x >= 1|c: d: x >= 1|c: b = 1 -> x >= 1|c: x + [ y ^2 ] >= 1|x >= 2 + 1|x >= - - 1
c: 1e-400 x >= 1|c: x >= 2 end|c: x free|free >= 1|st[: x >= 1|x >= 7[|c,: x >= 1|max: x >= 1"""
OBJECTIVES = """x + x^2|x + free|x;|x²|x +|a: b: x|x >= 2|x + [ x ^ 2 ]
x + [ x ^ 2 ] / 4|x + [ x ^ 3 ] / 2|x + [ x ] / 2|x + [ x * 2 ] / 2|x + [ 3 ] / 2
x + [ x ^ 2 y ^ 2 ] / 2|x + [ x ^ 2 + ] / 2|x + [ x ^ 2 ] / 2 + [ y ^ 2 ] / 2
x + [ x ^ 2 ] / 2 y|x 3 [ x ^ 2 ] / 2|x + [ x ^ 2"""
BOUNDS = """z <= 1|2 x <= 1|x <= y|1 <= x >= 0|x <= 1O|x <= 1 + 2|b: x <= 1
x <=|x|x == 1|free <= 1|x <= 1 y <= 2|x fre"""


def cases_of(words):
    return words.replace("\n", "|").split("|")


@all_of(
    ("text", "line"),
    [
        *((file(row), 4) for row in cases_of(ROWS)),
        *((file(objective=objective), 2) for objective in cases_of(OBJECTIVES)),
        *((file(rest=f"Bounds\n {bound}\n"), 6) for bound in cases_of(BOUNDS)),
        (file("c: x >= 1\n d: 3 4 x >= 1"), 5),
        (file().replace("Subject", "Subjct"), 2),
        (file().replace("Minimize", "Mini mize"), 1),
        (file().replace("Minimize\n", "Minimize"), 1),
        (file(rest="Bounds\n x <= 1\n x <= 2\n"), 7),
        (file(rest="Bounds\n x <= 1\nBounds\n y <= 1\n"), 7),
        (file(rest="Bounds:\n x <= 1\n"), 5),
        (file(rest="General\n x z\n"), 6),
        (file(rest="General\n x 2\n"), 6),
        (file(rest="Subject To\n y <= 1\n"), 5),
        (file().replace("End\n", ""), 4),
        (file() + "x", 6),
        ("x + y", 1),
        ("", 1),
        ("Minimize\n x\nMaximize\n x\nEnd\n", 3),
        ("Minimize\n x\nBounds\n x <= 1\nst\n x >= 0\nEnd\n", 5),
    ],
)
def test_faults_are_refused_with_their_line(tmp_path, text, line):
    refused(tmp_path, text, line, "")


@all_of(
    ("text", "words"),
    [
        (file("c: x >= 1\n c: y >= 0"), "two rows have the name 'c'"),
        (file("c: 4 <= x <= 1"), r"row 'c' has the bounds \[4.0, 1.0\]"),
        (file("c: x >= inf"), "row 'c' has the bounds"),
        (file(rest="Bounds\n x <= -1\n"), "column 'x' has the bounds"),
        (file(rest="Bounds\n x >= inf\n"), "column 'x' has the bounds"),
        (file("c: 1e15 x >= 1"), "column 'x' has the number 1e.15 in row 'c'"),
        (file("c: + inf x >= 1"), "column 'x' has the number inf in row 'c'"),
        (file(objective="1e20 x"), "column 'x' has the number 1e.20 in the objective"),
        (file(objective="x + [ inf x ^ 2 ] / 2"), "finite"),
        (file(objective="x + [ x ^ 2 + 4 x * y + y ^ 2 ] / 2"), "the objective is not convex"),
    ],
)
def test_what_is_no_program_is_refused_with_its_file(tmp_path, text, words):
    with pytest.raises(cpe.InputError, match=rf"p\.lp'.*{words}"):
        read(tmp_path, text)


@all_of(
    "section",
    ["Semi-integer\n x", "SOS2\n s: x:1", "User Cuts\n u: x <= 1", "Semi-Continuous\n x"],
)
def test_other_programs_are_refused_by_name(tmp_path, section):
    name = section.partition("\n")[0].lower()
    refused(tmp_path, file(rest=f"{section}\n"), 5, f"the section {name!r}, expected a program of")


@pytest.mark.parametrize(
    "objective",
    [
        "obj: x + [ 4 x ^ 2 - 4 x * y + 3 y ^ 2 ] / 2 + 5",
        "x + 5 + [ 4 x^2 - 4 x*y + 3 y^2 ]/2",
        "[4x^2 - 4y*x + 3y^2]/2 + x + 5",
        "x + [ 2 x ^ 2 + 2 x * x - 3 x * y\n - y * x + 3 y ^ 2\n ] / 2 + 5",
        "x + 5 - [ - 4 x ^ 2 + 4 x * y - 3 y ^ 2 ] / 2",
    ],
)
def test_quadratic_objectives(tmp_path, objective):
    program = read(tmp_path, file(objective=objective))
    assert isinstance(program, cpe.QuadraticProgram)
    assert program.column_names == ("x", "y")
    assert program.quadratic.toarray().tolist() == [[4, -2], [-2, 3]]
    assert program.linear.costs.tolist() == [1, 0]
    # x + 5 and one half of what is in brackets.
    assert program.objective([1.0, 2.0]) == 1 + 5 + (4 - 8 + 12) / 2


@all_of(
    ("objective", "at_4"),
    [
        ("3 [ x^2 ]/2 - 12 x", -24),
        ("- 12 x + 3 [ x ^ 2 ] / 2", -24),
        ("obj: 3 + 3 [ x ^ 2 ] / 2 - 12 x", -21),
        ("-12 x - - .5 [ 6 x ^ 2 ] / 2", -24),
        ("[ 3 x ^ 2 ] / 2 + 3 - 12 x", -21),
    ],
)
def test_a_factor_before_brackets_multiplies_them(tmp_path, objective, at_4):
    program = read(tmp_path, file("c: x >= 2", objective=objective))
    assert program.objective([4.0]) == at_4
