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


def refused(folder, text, line, words=""):
    with pytest.raises(cpe.InputError) as caught:
        read(folder, text)
    assert f"line {line}: " in str(caught.value)
    assert words in str(caught.value)


def test_all_that_a_file_may_have(tmp_path):
    text = """* of another hand
NAME  all of it
OBJSENSE
    MAXIMIZE
ROWS
 N  profit
 N  other
 L  l
 G  g
 E  e
COLUMNS
 a profit 1.5 l 2
 a g -1e0

 M 'MARKER' 'INTORG'
 b profit .9 e 0.3
 c other 4 e 1
 M 'MARKER' 'INTEND'
 d l .5 g 1e1
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
        program.matrix.toarray(), [[2, 0, 0, 0.5], [-1, 0, 0, 10], [0, 0.3, 1, 0]]
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
        (" FR B x 0\n", -INF, INF, False),
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


def test_fields_of_the_fixed_format_are_words(tmp_path):
    text = (
        "NAME          a plan\nROWS\n N  cost\n L  row1\nCOLUMNS\n"
        "    x1        cost              -1.0   row1               1.0\n"
        "    M         'MARKER'                 'INTORG'\n"
        "    x2        cost              -2.0   row1               1.0\n"
        "    M         'MARKER'                 'INTEND'\n"
        "RHS\n              row1               4.0\nBOUNDS\n UP           x2                 3.0\n"
        "ENDATA\n"
    )
    program = read(tmp_path, text)
    assert program.integer.tolist() == [False, True]
    assert cpe.solve(program).objective == -7.0
    refused(tmp_path, text.replace("x1        cost", "x 1       cost"), 6)


NUMBERS = "0,5 1.000,5 1/2 12abc 1_000 0x10 1D5 nan 1e --1 \u0663 1e-400".split()  # noqa: SIM905
FAULTS = {  # of parts of a file, and the line that is refused
    ("columns", 8): "y c 1; y c 1|y c 1; x cost 1|M 'MARKER' 'INTORG'; M 'MARKER' 'INTORG'",
    ("columns", 7): "y C 1|y c|y c 1 c|y c 1 cost 2 * note|M 'MARKER' 'INTEND'",
    ("rows", 5): "L c|l d|L c d|N cost",
    ("rhs", 9): "S c 1; S c 1|S c 1; T c 1|c 1; c 1",
    ("rhs", 8): "S d 1|S c",
    ("ranges", 9): "R cost 1|R d 1",
    ("bounds", 9): "UP B x|UP B y 1|SC B x 1|FR B y|FR B x 1 2",
    ("bounds", 10): "LO B x 1; UP C x 3|UP B x 3; FX B x 2|UP B x 3; UP B x 3",
}
SECTIONS = {
    ("head", 1): " x 1\n",
    ("head", 3): "NAME p\nOBJSENSE\n BEST\n",
    ("head", 2): "NAME p\n x 1\n",
    ("head", 4): "NAME p\nOBJSENSE\n MAX\n MIN\n",
    ("end", 7): "",
    ("end", 8): "RHS\nENDATA\n|Bounds\nENDATA\n|BOUNDS UP B x 1\nENDATA\n",
    ("end", 9): "|".join(f"QUADOBJ\n {term}\nENDATA\n" for term in ("x y 1", "x x")),
    ("end", 10): "QUADOBJ\n x x 1\n x x 1\nENDATA\n|QUADOBJ\n x x 1\nQMATRIX\nENDATA\n",
}


@all_of(
    ("part", "line", "text"),
    [
        *(("columns", 8, f" y cost 1\n y c {word}\n") for word in NUMBERS),
        *(
            (*place, "".join(f" {line.strip()}\n" for line in fault.split(";")))
            for place, faults in FAULTS.items()
            for fault in faults.split("|")
        ),
        *((*place, text) for place, texts in SECTIONS.items() for text in texts.split("|")),
    ],
)
def test_faults_are_refused_with_their_line(tmp_path, part, line, text):
    refused(tmp_path, file(**{part: text}), line)


@all_of(
    ("text", "words"),
    [
        (file(rows=" G d\n", columns=" y d 1\n", rhs=" S d inf\n"), "row 'd' has the bounds"),
        (file(bounds=" UP B x -1\n"), "column 'x' has the bounds"),
        (file(bounds=" LO B x 5\n UI B x 3\n"), "column 'x' has the bounds"),
        (file(bounds=" LO B x inf\n"), "column 'x' has the bounds"),
        (file(columns=" y c 1e15\n"), "column 'y' has the number 1e.15 in row 'c'"),
        (file(columns=" y cost 1e25\n"), "column 'y' has the number 1e.25 in the objective"),
        (file(rhs=" S cost inf\n"), "has the constant -inf in its objective"),
        (file(end="QUADOBJ\n x x inf\nENDATA\n"), "finite"),
        (file(end="QUADOBJ\n x x -4\nENDATA\n"), "the objective is not convex"),
        ("ROWS\n N o\nENDATA\n", "the end without the section COLUMNS"),
        ("NAME\nROWS\n N o\nCOLUMNS\nRHS\nENDATA\n", "has no columns and no constant"),
    ],
)
def test_what_is_no_program_is_refused_with_its_file(tmp_path, text, words):
    with pytest.raises(cpe.InputError, match=rf"p\.mps'.*{words}"):
        read(tmp_path, text)


@all_of("section", ["QSECTION cost", "QCMATRIX c", "SOS2", "CSECTION k 0 QUAD", "INDICATORS"])
def test_other_programs_are_refused_by_name(tmp_path, section):
    text = file(end=f"{section}\n x x 1\nENDATA\n")
    refused(tmp_path, text, 8, f"the section {section.split()[0]!r}, expected a program of")


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


@all_of(
    ("section", "lines", "line"),
    [
        ("QUADOBJ", " x x 4\n x y -2\n y x -2\n y y 3\n", 15),
        ("QMATRIX", " x x 4\n x y -2\n y y 3\n", 14),
        ("QMATRIX", " x x 4\n x y -2\n y x -1\n y y 3\n", 14),
    ],
)
def test_triangles_have_to_agree(tmp_path, section, lines, line):
    refused(tmp_path, quadratic(section, lines), line, section)


def test_quadratic_terms_of_0_leave_a_linear_program(tmp_path):
    assert isinstance(read(tmp_path, quadratic("QUADOBJ", " x x 0\n")), cpe.LinearProgram)
