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
MAXIMISE profit: 3 a - b
  + 2.5e0 c + 7 \ a constant
  - .5 d
such that
 first: a + 2b
   - c <= 4
 -2 <= a - d <= 3
 c + 3 => d
 x[0,1] + a.b + y#2 = 1/2
 late: c < 8.5
bounds
 -1 <= a <= 5 b free
 7.5 >= c
 0 <= d <= 1
GENERALS
 a
 c
BINARIES
 d
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
        ("x + 3 >= 7", 1, 0, 4, INF),
        ("3 + x >= 7", 1, 0, 4, INF),
        ("7 <= x + 3", 1, 0, 4, INF),
        ("2 <= x", 1, 0, 2, INF),
        ("x >= y", 1, -1, 0, INF),
        ("x - y >= 1 - y", 1, 0, 1, INF),
        ("x >= 2 y + 1", 1, -2, 1, INF),
        ("x >= - 2 y\n + 1", 1, 2, 1, INF),
        ("x + 1 = y - 2", 1, -1, -3, -3),
        ("1 <= x + 2 <= 4", 1, 0, -1, 2),
        ("4 >= x + 2 >= 1", 1, 0, -1, 2),
        ("-inf <= x <= 4", 1, 0, -INF, 4),
        ("x <= 1e30", 1, 0, -INF, INF),
        ("x + 2 x - y - y <= 1", 3, -2, -INF, 1),
        ("x - x + y <= 1", 0, 1, -INF, 1),
        ("- - x <= 1", 1, 0, -INF, 1),
        ("+ - 2 x <= - - 1", -2, 0, -INF, 1),
        ("3x+2y>=-1", 3, 2, -1, INF),
        ("1/4 x => 9/10", 0.25, 0, 0.9, INF),
        ("x\n +\n y\n =<\n 3", 1, 1, -INF, 3),
        ("x > 2 + 3", 1, 0, 5, INF),
        ("0 x + 0 y >= -1", 0, 0, -1, INF),
        ("2.x < .5", 2, 0, -INF, 0.5),
    ],
)
def test_a_row(tmp_path, row, x, y, lower, upper):
    for name in ("", "c: "):
        program = read(tmp_path, file(f"{name}{row}"))
        assert program.matrix.toarray().tolist() == [[x, y]]
        assert (program.row_lower[0], program.row_upper[0]) == (lower, upper)


def test_a_number_that_ends_its_line_ends_the_row(tmp_path):
    program = read(tmp_path, file("x + y >= 2\n - x + y >= -1\n x <= 4\n 0 <= y"))
    assert program.matrix.toarray().tolist() == [[1, 1], [-1, 1], [1, 0], [0, 1]]
    assert program.row_lower.tolist() == [2, -1, -INF, 0]


@pytest.mark.parametrize(
    ("bounds", "lower", "upper"),
    [
        ("x <= 5", 0, 5),
        ("x >= -5", -5, INF),
        ("-5 <= x", -5, INF),
        ("5 >= x >= 1", 1, 5),
        ("1<=x<=5", 1, 5),
        ("x = 3", 3, 3),
        ("3 = x", 3, 3),
        ("x free", -INF, INF),
        ("x >= -Infinity\n x <= -5", -INF, -5),
        ("-1e30 < x < +inf", -INF, INF),
        ("x <= 1/2", 0, 0.5),
        ("x <= 5\n x <= 5.0", 0, 5),
        ("x >= 1 x <= 5 y <= 3", 1, 5),
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
        for rest in (f"Bounds\n {bound}\nBinary\n x\n", f"Binary\n x\nBounds\n {bound}\n"):
            with pytest.raises(cpe.InputError, match="the binary column 'x' has the bound"):
                read(tmp_path, file(rest=rest))


@pytest.mark.parametrize("keyword", ["min", "MIN", "Minimum", "minimise", "MINIMIZE"])
@all_of("rows", ["st", "ST", "s.t.", "st.", "Subject  To", "SUCH THAT"])
def test_keywords(tmp_path, keyword, rows):
    assert read(tmp_path, f"{keyword} x\n{rows} x >= 2\nend").row_lower.tolist() == [2]


def test_an_objective_may_be_empty_or_alone(tmp_path):
    assert read(tmp_path, "min\nst\n x >= 2\nend\n").costs.tolist() == [0]
    assert read(tmp_path, "min obj:\nst\n x >= 2\nend\n").costs.tolist() == [0]
    program = read(tmp_path, "max\n obj: 2 x + 3 x - 4\nbounds\n x <= 3\nend\n")
    assert program.shape == (0, 1)
    assert cpe.solve(program).objective == 11.0


def test_names_of_rows_without_one_are_not_taken_from_others(tmp_path):
    program = read(tmp_path, file("row_1: x >= 1\n y >= 1\n x + y >= 3"))
    assert program.row_names == ("row_1", "row_1_", "row_2")


@all_of(
    ("text", "line", "words"),
    [
        (file("1,5 x >= 2"), 4, "'1,5' has a decimal comma, expected a decimal point"),
        (file("x >= 1,5"), 4, "'1,5' has a decimal comma"),
        (file("x >= 1O"), 4, "'1O' is no number"),
        (file("12e x >= 1"), 4, "'12e' is no number"),
        (file("1_0 x >= 1"), 4, "'1_0' is no number"),
        (file(". x >= 1"), 4, "'.' is no number"),
        (file("x ≥ 1"), 4, "the column '≥' has other characters"),
        (file("x >= \u22125"), 4, "'\u22125' has other characters"),
        (file().replace("Subject", "Subjct"), 3, "'Subjct', expected a sign and a term"),
        (file("3 2 x >= 1"), 4, "'2', expected one of <=, >=, ="),
        (file("2 * x >= 1"), 4, "'*' (a product; the coefficient stands before its column"),
        (file("3 (x + y) >= 1"), 4, "the column '(x' has '(' and ')' that do not match"),
        (file("x y >= 1"), 4, "'y', expected one of <=, >=, ="),
        (file("x/2 >= 1"), 4, "'/', expected one of <=, >=, ="),
        (file("x == 1"), 4, "'==', expected one of <=, >=, ="),
        (file("x <> 1"), 4, "'<>', expected one of"),
        (file("x >= 1 y >= 2"), 4, "a row with two relations"),
        (file("1 <= x >= 0"), 4, "a row with two relations"),
        (file("c: 4 <= x <= 1"), 4, "row 'c' lies between 4 and 1, which no point does"),
        (file("1 = x = 2"), 4, "a row with two relations"),
        (file("x <= y <= 2"), 4, "a row with two relations"),
        (file("c: x"), 4, "the end of the section, expected one of <=, >=, ="),
        (file("c: x >="), 4, "the end of the section, expected a column or a number"),
        (file("c: >= 2"), 4, "'>=', expected a column or a number"),
        (file("c: 1 >= 0"), 4, "a row without columns"),
        (file("c: x >= inf"), 4, "row 'c' lies between inf and inf"),
        (file("2: x >= 1"), 4, "'2', expected a name before the ':'"),
        (file("c: x >= 1\n d: y >= 1\n c: y >= 0"), 6, "a second row 'c'; the first is in line 4"),
        (file("c: 1e15 x >= 1"), 4, "row 'c' has the coefficient 1e+15 of column 'x'"),
        (file("c: b = 1 -> x >= 1"), 4, "'->': the program has indicator constraints"),
        (file("c: x + [ y ^2 ] >= 1"), 4, "'[' (a quadratic part; only an objective may have one)"),
        (file(objective="x + x^2"), 2, "'^' (a power; those of an objective are in brackets"),
        (file(objective="1e20 x"), 2, "column 'x' has the cost 1e+20"),
        (file(objective="x + free"), 2, "'free', expected a column or a number"),
        (file(objective="x;"), 2, "the column 'x;' begins or ends with ';'"),
        (file(objective="x²"), 2, "has other characters than letters"),
        (file().replace("Minimize", "Minimize multi-objectives"), 1, "several objectives"),
        (file(rest="Bounds\n z <= 1\n"), 6, "the column 'z', which no row and no objective has"),
        (file(rest="Bounds\n x <= 1\n x <= 2\n"), 7, "the upper bound 2, and 1 in line 6"),
        (file(rest="Bounds\n x <= -1\n"), 6, "below its lower bound 0 that a column has if no"),
        (
            file(rest="Bounds\n 2 x <= 1\n"),
            6,
            "a bound of another form than column relation number",
        ),
        (file(rest="Bounds\n x <= y\n"), 6, "a bound of another form"),
        (file(rest="Bounds\n 1 <= x >= 0\n"), 6, "a bound with two relations"),
        (file(rest="Bounds\n x >= inf\n"), 6, "column 'x' has the lower bound inf"),
        (file(rest="General\n x z\n"), 6, "the column 'z', which no row and no objective has"),
        (file(rest="General\n x 2\n"), 6, "'2', expected a column"),
        (file(rest="Bounds\n x <= 1\nBounds\n y <= 1\n"), 7, "a second section 'bounds'"),
        (file(rest="Subject To\n y <= 1\n"), 5, "a second section 'subject to'"),
        (file(rest="Semi-integer\n x\n"), 6, "the program has semi-integer columns"),
        (file(rest="SOS2\n s: x:1\n"), 6, "the program has special ordered sets"),
        (file(rest="User Cuts\n u: x <= 1\n"), 6, "the program has user cuts"),
        (file(rest="General Constraints\n g: x = 1\n"), 6, "the program has general constraints"),
        (file(rest="Bounds:\n x <= 1\n"), 5, "':' behind the keyword 'bounds'"),
        (file().replace("End\n", ""), 4, "the file ends without End"),
        (file(rest="Semi-continuous\n x\n"), 6, "the program has semi-continuous columns"),
        (file(rest="Lazy Constraints\n x <= 3\n"), 6, "the program has lazy constraints"),
        (file(rest="Bounds\n x <= 1O\n"), 6, "'1O' is no number"),
        (file(rest="Bounds\n x <= 1 + 2\n"), 6, "the end of the section, expected one of"),
        (file(rest="Bounds\n b: x <= 1\n"), 6, "expected a name before the ':'"),
        (file() + "x", 6, "text after End, expected none"),
        ("x + y", 1, "'x', expected Minimize or Maximize first"),
        (file().replace("Minimize", "Mini mize"), 1, "'Mini', expected Minimize or Maximize"),
        ("", 1, "no word in the whole file"),
        ("Minimize\n x\nMaximize\n x\nEnd\n", 3, "expected one objective alone"),
    ],
)
def test_faults_are_refused_with_their_line(tmp_path, text, line, words):
    refused(tmp_path, text, line, words)


def test_sections_without_an_entry_change_nothing(tmp_path):
    program = read(tmp_path, file(rest="Bounds\nBinary\nGeneral\nSemi-Continuous\nSOS\n"))
    assert not program.is_integer


@pytest.mark.parametrize("first", ["+", "-", ""])
def test_terms_mean_the_same_in_every_layout(tmp_path, first):
    rng = np.random.default_rng(0)
    rows = [
        [
            (rng.choice(["+", "-"]), repr(value), f"x{j}")
            for value, j in zip(rng.random(5).tolist(), columns, strict=True)
        ]
        for columns in rng.integers(0, 12, (20, 5))
    ]
    for row in rows:
        row[0] = (first, *row[0][1:])

    def program(blank, one):
        terms = [blank.join(blank.join(term) for term in row).strip() for row in rows]
        lines = [f" r{k}: {row} >= {k}" for k, row in enumerate(terms)]
        words = [f" obj: {terms[0]}", "Subject To", *lines, "End", ""]
        return read(tmp_path, "\n".join(["Minimize", *words]).replace(" + ", one))

    plain = program(" ", " + ")
    expected = np.zeros((20, 12))
    for matrix_row, row in zip(expected, rows, strict=True):
        for sign, value, name in row:
            place = plain.column_names.index(name)
            matrix_row[place] += -float(value) if sign == "-" else float(value)
    assert np.allclose(plain.matrix.toarray(), expected[:, : plain.shape[1]], rtol=1e-15)
    for other in (program("\n ", " + "), program(" ", " + + "), program(" ", " - - ")):
        assert other.column_names == plain.column_names
        assert np.array_equal(other.costs, plain.costs)
        assert not (other.matrix != plain.matrix).nnz


@pytest.mark.parametrize(
    ("row", "line", "words"),
    [
        ("c: + inf x >= 2", 4, "'x', expected one of"),
        ("c: + 3 4 >= 2", 4, "'4', expected one of"),
        ("c: 2 x\n + 3 (y >= 2", 5, "the column '(y' has '(' and ')' that do not match"),
        ("c: 2 x + 3 y\n + 3 z: >= 2", 5, "'z', expected one of"),
    ],
)
def test_faults_of_terms(tmp_path, row, line, words):
    refused(tmp_path, file(row), line, words)


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
        ("-12 x - - 1/2 [ 6 x ^ 2 ] / 2", -24),
        ("[ 3 x ^ 2 ] / 2 + 3 - 12 x", -21),
    ],
)
def test_a_factor_before_brackets_multiplies_them(tmp_path, objective, at_4):
    program = read(tmp_path, file("c: x >= 2", objective=objective))
    assert program.objective([4.0]) == at_4


def test_a_constant_needs_no_columns(tmp_path):
    program = read(tmp_path, "max\n obj: 5 - 2\nst\nend\n")
    assert (program.shape, program.offset, program.sense) == ((0, 0), 3.0, "max")
    assert read(tmp_path, file(objective="obj: 5")).offset == 5.0
    with pytest.raises(cpe.InputError, match="no columns and no constant: it is no model file"):
        read(tmp_path, "min\nst\nend\n")


@pytest.mark.parametrize(
    ("objective", "line", "words"),
    [
        ("x + [ x ^ 2 ]", 3, "expected / 2 after the ]"),
        ("x + [ x ^ 2 ] / 4", 2, "'/', expected / 2 after the ]"),
        ("x + [ x ^ 3 ] / 2", 2, "'^' (a power"),
        (
            "x + [ x ] / 2",
            2,
            "']' (a quadratic part; only an objective may have one), expected ^ 2",
        ),
        ("x + [ x * 2 ] / 2", 2, "expected ^ 2, or * and a column"),
        ("x + [ 3 ] / 2", 2, "']'"),
        ("x + [ x ^ 2 y ^ 2 ] / 2", 2, "'y', expected a sign and a product, or ]"),
        ("x + [ x ^ 2 + ] / 2", 2, "']'"),
        ("x + [ x ^ 2", 3, "the end of the section, expected a sign and a product, or ]"),
        ("x + [ x ^ 2 ] / 2 + [ y ^ 2 ] / 2", 2, "a second quadratic part"),
        ("x + [ x ^ 2 ] / 2 y", 2, "'y', expected a sign and a term"),
        ("x + [ 1e300 x ^ 2 ] / 2", 2, "the quadratic term 1e+300, expected one below"),
        ("x 3 [ x ^ 2 ] / 2", 2, "'3', expected a sign and a term"),
        ("x + x ^ 2", 2, "'^' (a power"),
    ],
)
def test_faults_of_quadratic_objectives(tmp_path, objective, line, words):
    with pytest.raises(cpe.InputError) as caught:
        read(tmp_path, file(objective=objective))
    assert f"line {line}: " in str(caught.value) or f"line {line - 1}: " in str(caught.value)
    assert words in str(caught.value)


def test_an_objective_that_is_not_convex_is_refused_with_its_file(tmp_path):
    with pytest.raises(cpe.InputError, match=r"p\.lp.*is minimised and is not convex"):
        read(tmp_path, file(objective="x + [ x ^ 2 + 4 x * y + y ^ 2 ] / 2"))
