"""MPS files by hand: what each line means, and in which line a faulty one is refused."""

import gzip
import re

import highspy
import numpy as np
import pytest

import cpe_opt as cpe
from tests.support import all_of

INF = np.inf


def read(folder, text, name="p.mps"):
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return cpe.read_program(folder / name)


def file(
    *, head="NAME p FREE\n", rows="", columns="", rhs="", ranges="", bounds="", end="ENDATA\n"
):
    """A file with the column x in the objective and in the row c, and more."""
    return (
        f"{head}ROWS\n N cost\n L c\n{rows}COLUMNS\n x cost 1 c 1\n{columns}RHS\n{rhs}"
        f"{ranges and f'RANGES{chr(10)}{ranges}'}{bounds and f'BOUNDS{chr(10)}{bounds}'}{end}"
    )


def refused(folder, text, line, words):
    with pytest.raises(cpe.InputError) as caught:
        read(folder, text)
    assert f"line {line}: " in str(caught.value)
    assert words in str(caught.value)


def test_all_that_a_file_may_have(tmp_path):
    text = """* of another hand
NAME  all of it
OBJSENSE
    MAXIMIZE
OBJNAME
    profit
ROWS
 N  other
 N  profit
 L  l
 G  g
 E  e
COLUMNS
 a profit 1.5 l 2
 a g -1e0

 M 'MARKER' 'INTORG'
 b profit 9/10 e 1/3
 c other 4 e 1
 M 'MARKER' 'INTEND'
 d l .5 g 1e1 $ a comment
RHS
 S profit -7 l 4
 S g -3 e 5
RANGES
 R l 1.5 g 2
 R e -3
BOUNDS
 UP B a 4
 MI B b
 UI B b 1e30
 BV B c 1
 FR B d 0
ENDATA
and what nobody reads
"""
    program = read(tmp_path, text)
    assert (program.sense, program.offset) == ("max", 7.0)
    assert program.column_names == ("a", "b", "c", "d")
    assert program.row_names == ("l", "g", "e")
    np.testing.assert_array_equal(program.costs, [1.5, 0.9, 0.0, 0.0])
    np.testing.assert_array_equal(
        program.matrix.toarray(), [[2, 0, 0, 0.5], [-1, 0, 0, 10], [0, 1 / 3, 1, 0]]
    )
    np.testing.assert_array_equal(program.row_lower, [2.5, -3, 2])
    np.testing.assert_array_equal(program.row_upper, [4, -1, 5])
    np.testing.assert_array_equal(program.column_lower, [0, -INF, 0, -INF])
    np.testing.assert_array_equal(program.column_upper, [4, INF, 1, INF])
    assert program.integer.tolist() == [False, True, True, False]


@pytest.mark.parametrize(
    ("kind", "width", "lower", "upper"),
    [
        ("L", 3, 2, 5),
        ("L", -3, 2, 5),
        ("G", 3, 5, 8),
        ("G", -3, 5, 8),
        ("E", 3, 5, 8),
        ("E", -3, 2, 5),
        ("E", 0, 5, 5),
        ("L", "inf", -INF, 5),
    ],
)
def test_ranges(tmp_path, kind, width, lower, upper):
    text = file(rows=f" {kind} r\n", columns=" y r 1\n", rhs=" S r 5\n", ranges=f" R r {width}\n")
    program = read(tmp_path, text)
    assert (program.row_lower[1], program.row_upper[1]) == (lower, upper)


@all_of(
    ("bounds", "lower", "upper", "whole"),
    [
        ("", 0, INF, False),
        (" LO B x -2\n", -2, INF, False),
        (" UP B x 0\n", 0, 0, False),
        (" FX B x -3.5\n", -3.5, -3.5, False),
        (" MI B x\n", -INF, INF, False),
        (" MI B x\n UP B x -5\n", -INF, -5, False),
        (" UP B x -5\n LO B x -9\n", -9, -5, False),
        (" PL B x\n", 0, INF, False),
        (" FR x\n", -INF, INF, False),
        (" BV x\n", 0, 1, True),
        (" LI B x -4\n", -4, INF, True),
        (" UI B x 4\n", 0, 4, True),
        (" UP x 1e20\n LO x -Infinity\n", -INF, INF, False),
        (" UP B x 4\n UP B x 4.0\n", 0, 4, False),
    ],
)
def test_bounds(tmp_path, bounds, lower, upper, whole):
    program = read(tmp_path, file(bounds=bounds))
    assert (program.column_lower[0], program.column_upper[0]) == (lower, upper)
    assert program.is_integer == whole


@all_of(
    ("bounds", "lower", "upper"),
    [
        ("", 0, 1),
        (" LO B y 2\n", 2, INF),
        (" LO B y 0\n", 0, INF),
        (" LI B y 2\n", 2, INF),
        (" MI B y\n", -INF, INF),
        (" PL B y\n", 0, INF),
        (" UP B y 5\n", 0, 5),
        (" UP B y 5\n LO B y 2\n", 2, 5),
    ],
)
def test_a_whole_column_is_0_or_1_unless_a_bound_says_otherwise(tmp_path, bounds, lower, upper):
    marked = " M 'MARKER' 'INTORG'\n y c 1\n M 'MARKER' 'INTEND'\n z c 1\n"
    text = file(columns=marked, bounds=bounds)
    program = read(tmp_path, text)
    assert (program.column_lower[1], program.column_upper[1]) == (lower, upper)
    assert program.integer.tolist() == [False, True, False]
    highs = highspy.Highs()
    highs.silent()
    highs.readModel(str(tmp_path / "p.mps"))
    assert (highs.getLp().col_lower_[1], highs.getLp().col_upper_[1]) == (lower, upper)


@all_of(
    ("head", "sense"),
    [
        ("OBJSENSE\n MAX\nNAME p\n", "max"),
        ("OBJSENSE\n    MAXIMIZE\n*SENSE:Maximize\nNAME p\n", "max"),
        ("OBJSENSE MAX\nNAME p\n", "max"),
        ("OBJSENSE MIN\n", "min"),
        ("NAME\nOBJSENSE Minimise\n", "min"),
        ("* no name\n", "min"),
        ("", "min"),
    ],
)
def test_heads_of_other_writers(tmp_path, head, sense):
    program = read(tmp_path, file(head=head))
    assert (program.sense, program.column_names) == (sense, ("x",))


def test_a_constant_needs_no_columns(tmp_path):
    program = read(tmp_path, "ROWS\n N cost\nCOLUMNS\nRHS\n R cost -7\nENDATA\n")
    assert (program.shape, program.offset) == ((0, 0), 7.0)
    program = read(tmp_path, file(rhs=" R cost 7\n", columns=" y c 1\n").replace("x cost 1 ", "x "))
    assert (program.offset, program.costs.tolist()) == (-7.0, [0.0, 0.0])


def test_fixed_files_have_names_with_blanks(tmp_path):
    text = (
        "NAME          a plan\nROWS\n N  cost\n L  row 1\nCOLUMNS\n"
        "    x 1       cost              -1.0   row 1              1.0\n"
        "    M         'MARKER'                 'INTORG'\n"
        "    x 2       cost              -2.0   row 1              1.0\n"
        "    M         'MARKER'                 'INTEND'\n"
        "RHS\n              row 1              4.0\nBOUNDS\n UP           x 2                3.0\n"
        "ENDATA\n"
    )
    program = read(tmp_path, text)
    assert program.column_names == ("x 1", "x 2")
    assert program.integer.tolist() == [False, True]
    assert cpe.solve(program).objective == -7.0
    refused(tmp_path, text.replace("-2.0   row 1", "-2.0   row 2"), 8, "the row 'row 2', which is")
    refused(tmp_path, text.replace("UP           x 2", "UP        x 2   "), 13, "outside of the")


def test_a_misspelt_name_does_not_change_the_model(tmp_path):
    """Readers that overlook the row find an optimum of -320, and call it proved."""
    text = file(columns=" y cost -4 c 1\n", rhs=" RHS c 80\n")
    assert cpe.solve(read(tmp_path, text)).objective == -320.0
    refused(tmp_path, text.replace("-4 c 1", "-4 C 1"), 7, "the row 'C', which is not under ROWS")
    refused(tmp_path, text.replace("RHS c", "RHS cc"), 9, "the row 'cc', which is not under ROWS")
    for section, start in (("RANGES\n R c1 1\n", 11), ("BOUNDS\n UP B xx 1\n", 11)):
        what = "column 'xx', which is not under COLUMNS" if "xx" in section else "row 'c1'"
        refused(tmp_path, text.replace("ENDATA", f"{section}ENDATA"), start, what)


def test_rationals_are_rounded_once(tmp_path):
    program = read(tmp_path, file(columns=" y cost 9/10 c -1/3\n", rhs=" S c 2e1/8\n"))
    assert (program.costs[1], program.matrix.toarray()[0, 1]) == (0.9, -1 / 3)
    assert program.row_upper[0] == 2.5


@all_of(
    ("word", "words"),
    [
        ("0,5", "'0,5' has a decimal comma, expected a decimal point"),
        ("1.000,5", "'1.000,5' is no number"),
        ("1/0", "'1/0' divides by 0"),
        ("1/2/3", "'1/2/3' is no number"),
        ("12abc", "'12abc' is no number"),
        ("1_000", "'1_000' is no number"),
        ("0x10", "'0x10' is no number"),
        ("nan", "'nan' is no number"),
        ("1e", "'1e' is no number"),
        ("--1", "'--1' is no number"),
        ("٣", "is no number"),
        ("1e400", "row 'c' has the coefficient inf of column 'y', expected one below 1e+15"),
        ("1e15", "the coefficient 1e+15 of column 'y'"),
        ("1e-400", "'1e-400' is too small"),
        ("-inf", "the coefficient -inf"),
    ],
)
def test_numbers_that_are_none(tmp_path, word, words):
    refused(tmp_path, file(columns=f" y cost 1\n y c {word}\n"), 8, words)


@all_of(
    ("change", "line", "words"),
    [
        ({"columns": " y c 1\n y c 1\n"}, 8, "a second entry of column 'y' in row 'c'"),
        ({"columns": " y c 1\n x cost 1\n"}, 8, "column 'x' again, which begins in line 6"),
        ({"columns": " z c 1\n y cost 1e25\n"}, 8, "column 'y' has the cost 1e+25"),
        ({"columns": " y d 1\n"}, 7, "the row 'd', which is not under ROWS"),
        ({"columns": " y c\n"}, 7, "2 words, expected a column, a row and a number"),
        ({"columns": " y c 1 c\n"}, 7, "4 words"),
        ({"columns": " y c 1 cost 2 * note\n"}, 7, "7 words"),
        ({"columns": " M 'MARKER' 'INTEND'\n"}, 7, "a second INTEND"),
        ({"columns": " M 'MARKER' 'WHOLE'\n"}, 7, "the marker 'WHOLE', expected INTORG"),
        ({"rows": " L c\n"}, 5, "a second row 'c'; the first is in line 4"),
        ({"rows": " l d\n"}, 5, "'l d', expected N, L, G or E and a name"),
        ({"rhs": " S c 1\n S c 1\n"}, 9, "a second side of row 'c'"),
        ({"rhs": " S c 1\n T c 1\n"}, 9, "a second set of RHS, 'T' after 'S'"),
        ({"rhs": " S c 1\n", "ranges": " R cost 1\n"}, 10, "a range of row 'cost', which is of"),
        ({"rows": " G d\n", "columns": " y d 1\n", "rhs": " S d inf\n"}, 10, "row 'd' lies"),
        ({"rhs": " S cost inf\n"}, 8, "the constant inf of the objective"),
        ({"bounds": " UP B x\n"}, 9, "3 words, expected UP, a set, a column and a number"),
        ({"bounds": " LO B x 1\n UP C x 3\n"}, 10, "a second set of BOUNDS, 'C' after 'B'"),
        ({"bounds": " UP B x -1\n"}, 9, "expected LO or MI, too"),
        ({"bounds": " UI B x -1\n"}, 9, "expected LO or MI, too"),
        ({"bounds": " LO B x 5\n UP B x 3\n"}, 10, "the upper bound 3, below its lower bound 5"),
        ({"bounds": " LO B x inf\n"}, 9, "column 'x' has the lower bound inf"),
        ({"bounds": " UP B x 3\n FX B x 2\n"}, 10, "the upper bound 2, and 3 in line 9"),
        (
            {"head": "NAME p\n x 1\nOBJSENSE\n MAX\n MIN\n"},
            5,
            "a second entry of OBJSENSE, expected one",
        ),
        ({"head": " x 1\n"}, 1, "'x 1', expected a section such as ROWS"),
        ({"head": "NAME p\nOBJSENSE\n BEST\n"}, 3, "the sense 'BEST', expected MIN or MAX"),
        ({"head": "NAME p\nOBJNAME\n best\n"}, 3, "the objective 'best', but no row of kind N"),
        ({"end": ""}, 7, "the file ends without ENDATA, as if it had been cut off"),
        ({"end": "RHS\nENDATA\n"}, 8, "a second section RHS"),
        ({"end": "QUADOBJ\n x y 1\nENDATA\n"}, 9, "the column 'y', which is not under COLUMNS"),
        ({"end": "QUADOBJ\n x x\nENDATA\n"}, 9, "2 words, expected two columns and a number"),
        ({"end": "QUADOBJ\n x x inf\nENDATA\n"}, 9, "the quadratic term inf, expected one below"),
        ({"end": "QUADOBJ\n x x 1\n x x 1\nENDATA\n"}, 10, "a second quadratic term of columns"),
        ({"end": "QUADOBJ\n x x 1\nQMATRIX\nENDATA\n"}, 10, "QMATRIX after QUADOBJ, expected one"),
        ({"end": "QSECTION c\n x x 1\nENDATA\n"}, 8, "QSECTION of 'c', which is not the objective"),
        ({"end": "QCMATRIX c\n x x 1\nENDATA\n"}, 8, "the program has quadratic rows"),
        ({"end": "SOS2\nENDATA\n"}, 8, "the program has special ordered sets"),
        ({"end": "CSECTION k 0 QUAD\n x\nENDATA\n"}, 8, "the program has cones"),
        ({"end": "Bounds\nENDATA\n"}, 8, "the section 'Bounds', expected one of NAME"),
        ({"end": "BOUNDS UP B x 1\nENDATA\n"}, 8, "'UP' behind BOUNDS; lines of data begin"),
    ],
)
def test_faults_are_refused_with_their_line(tmp_path, change, line, words):
    refused(tmp_path, file(**change), line, words)


def test_texts_of_other_systems(tmp_path):
    text = file(columns=" é cost 2 c 1\n", rhs=" S c 3\n")
    names = ("x", "é")
    for content in (
        text.encode("utf-8-sig"),
        text.replace("\n", "\r\n").encode(),
        text.replace("\n", "\r").encode(),
        (text + "\x1a").encode(),
    ):
        assert read(tmp_path, content).column_names == names
    assert read(tmp_path, gzip.compress(text.encode()), "p.mps.gz").column_names == names
    refused(tmp_path, text.encode("latin-1"), 7, "bytes that are no UTF-8")
    refused(tmp_path, text.replace("é", "a\x00b"), 7, r"the character '\x00'")
    refused(tmp_path, text.replace("é", "a\u202eb"), 7, r"the character '\u202e'")
    refused(tmp_path, text.replace("é", "a\u00a0b"), 7, r"the character '\xa0'")


def test_an_empty_objective_and_no_rows(tmp_path):
    program = read(tmp_path, "NAME\nROWS\n N o\nCOLUMNS\n x o 0\nRHS\nBOUNDS\n UP b x 1\nENDATA\n")
    assert program.shape == (0, 1)
    with pytest.raises(cpe.InputError, match="has no columns and no constant"):
        read(tmp_path, "NAME\nROWS\n N o\nCOLUMNS\nRHS\nENDATA\n")


def quadratic(section, lines, *, sense="MIN"):
    """A file with the columns x and y, and quadratic terms."""
    return (
        f"NAME p FREE\nOBJSENSE\n {sense}\nROWS\n N cost\n G c\nCOLUMNS\n x cost 1 c 1\n y c 1\n"
        f"RHS\n R c 1\n{section}\n{lines}ENDATA\n"
    )


@pytest.mark.parametrize(
    ("section", "lines"),
    [
        ("QUADOBJ", " x x 4\n x y -2\n y y 3\n"),
        ("QUADOBJ", " y y 3\n y x -2\n x x 4\n"),
        ("QSECTION", " x x 4\n y x -2\n y y 3\n"),
        ("QSECTION cost", " x x 4\n y x -2\n y y 3\n"),
        ("QMATRIX", " x x 4\n x y -2\n y x -2\n y y 3\n"),
    ],
)
@all_of("sense", ["MIN", "MAX"])
def test_quadratic_objectives(tmp_path, section, lines, sense):
    sign = 1 if sense == "MIN" else -1
    if sign < 0:
        lines = re.sub(r"-?\d", lambda number: f"{-int(number[0])}", lines)
    program = read(tmp_path, quadratic(section, lines, sense=sense))
    assert isinstance(program, cpe.QuadraticProgram)
    assert program.sense == sense.lower()
    assert (sign * program.quadratic.toarray()).tolist() == [[4, -2], [-2, 3]]
    assert program.linear.costs.tolist() == [1, 0]
    # One half of x'Qx: x + sign (2 x² - 2 x y + 1.5 y²).
    assert program.objective([1.0, 2.0]) == 1 + sign * (2 - 4 + 6)


@pytest.mark.parametrize(
    ("section", "lines", "line", "words"),
    [
        ("QUADOBJ", " x x 4\n x y -2\n y x -2\n y y 3\n", 15, "the other way round in line 14"),
        ("QSECTION", " x x 4\n x y -2\n y x -2\n y y 3\n", 15, "one triangle under QSECTION"),
        ("QMATRIX", " x x 4\n x y -2\n y y 3\n", 14, "0 the other way round; expected both"),
        ("QMATRIX", " x x 4\n x y -2\n y x -1\n", 14, "-1 the other way round; expected both"),
    ],
)
def test_triangles_of_quadratic_objectives(tmp_path, section, lines, line, words):
    refused(tmp_path, quadratic(section, lines), line, words)


def test_an_objective_that_is_not_convex_is_refused_with_its_file(tmp_path):
    with pytest.raises(cpe.InputError, match=r"p\.mps.*is minimised and is not convex.*-2 along"):
        read(tmp_path, quadratic("QUADOBJ", " x x -4\n"))


def test_quadratic_terms_of_0_leave_a_linear_program(tmp_path):
    assert isinstance(read(tmp_path, quadratic("QUADOBJ", " x x 0\n")), cpe.LinearProgram)
