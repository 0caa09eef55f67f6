"""Files read back as the same program, digit by digit, by our reader and by that of HiGHS."""

import gzip
import json
from dataclasses import replace

import highspy
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.modelling.export import plain_dialect, write_program
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram
from tests.support import random_program

SMALL = sp.csr_array(np.eye(4, 6))
NAMES = [
    "x",
    "r_1",
    "r_1_lo",
    "r_1_up",
    "objective_constant",
    "no_row",
    "L" * 150,
    "UP",
    "e_1",
    "to_",
]
ODD_NAMES = [
    "x[1,2]",
    "x(1)",
    "2",
    "e1x",
    "a b",
    "a_b",
    'say "x"',
    "back\\slash",
    "RHS",
    "$x",
    "öl",
]
ODD = (0.0, 1.0, -1.0, 1 / 3, 0.1, 1e-300, 5e-324, -2.5e-7, 123456.789, 1e15, 2.0**53 + 2, -9.9e19)
FINITE = st.sampled_from(ODD) | st.floats(-1e19, 1e19) | st.integers(-5, 5).map(float)
COEFFICIENT = st.sampled_from((1.0, -1 / 3, 2e-12, 9.9e14)) | st.floats(1e-9, 1e6)


@st.composite
def bounds(draw):
    lower, upper = sorted((draw(FINITE), draw(FINITE)))
    kinds = (lower, upper), (lower, np.inf), (-np.inf, upper), (lower, lower), (-np.inf, np.inf)
    return draw(st.sampled_from((*kinds, (0.0, np.inf), (0.0, 1.0), (-7.0, -2.0))))


@st.composite
def programs(draw):
    """Linear and quadratic programs of a few columns and rows, with all that readers trip over."""
    rows, columns = draw(st.integers(0, 3)), draw(st.integers(1, 4))
    names = draw(st.permutations(NAMES + ODD_NAMES))
    entries = draw(st.lists(COEFFICIENT, min_size=rows * columns, max_size=rows * columns))
    kept = draw(st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns))
    matrix = np.where(kept, entries, 0.0).reshape(rows, columns)
    column_bounds = np.array([draw(bounds()) for _ in range(columns)]).reshape(columns, 2)
    row_bounds = np.array([draw(bounds()) for _ in range(rows)]).reshape(rows, 2)
    program = LinearProgram(
        name="p",
        sense=draw(st.sampled_from(["min", "max"])),
        costs=np.array([draw(FINITE) for _ in range(columns)]),
        column_lower=column_bounds[:, 0],
        column_upper=column_bounds[:, 1],
        integer=np.array([draw(st.booleans()) for _ in range(columns)]),
        matrix=sp.csr_array(matrix),
        row_lower=row_bounds[:, 0],
        row_upper=row_bounds[:, 1],
        column_names=tuple(names[:columns]),
        row_names=tuple(names[columns : columns + rows]),
        offset=draw(st.sampled_from([0.0, 1 / 3, -1e5])),
    )
    if not draw(st.booleans()):
        return program
    root = np.array(draw(st.lists(st.integers(-3, 3), min_size=columns, max_size=columns))) / 3
    sign = 1.0 if program.sense == "min" else -1.0
    return QuadraticProgram(program, sp.csr_array(sign * np.outer(root, root)))


def parts(program):
    """The numbers of a program, with the quadratic terms."""
    linear = program.linear if isinstance(program, QuadraticProgram) else program
    size = linear.shape[1]
    quadratic = np.zeros((size, size)) if linear is program else program.quadratic.toarray()
    sides = linear.row_lower, linear.row_upper, linear.column_lower, linear.column_upper
    return (*sides, linear.costs, linear.integer, linear.matrix.toarray(), quadratic)


def as_written(program, suffix):
    """The plain program of a file: what stands in it, up to names."""
    linear = program.linear if isinstance(program, QuadraticProgram) else program
    plain = plain_dialect(linear, keep_ranges=suffix != ".lp")
    if linear is program or not program.quadratic.nnz:
        return plain
    quadratic = program.quadratic.copy()
    quadratic.resize((plain.shape[1], plain.shape[1]))
    return QuadraticProgram(plain, quadratic)


def highs_parts(path):
    """What the reader of HiGHS finds in a file."""
    highs = highspy.Highs()
    highs.silent()
    highs.setOptionValue("small_matrix_value", 1e-12)
    assert highs.readModel(str(path)) != highspy.HighsStatus.kError
    lp, hessian = highs.getLp(), highs.getModel().hessian_
    size = lp.num_col_
    columns = lp.a_matrix_.value_, lp.a_matrix_.index_, lp.a_matrix_.start_
    matrix = sp.csc_array(columns, shape=(lp.num_row_, size))
    half = np.zeros((size, size))
    if hessian.dim_:
        half = sp.csc_array((hessian.value_, hessian.index_, hessian.start_), half.shape).toarray()
    whole = [kind == highspy.HighsVarType.kInteger for kind in lp.integrality_] or [False] * size
    sides = lp.row_lower_, lp.row_upper_, lp.col_lower_, lp.col_upper_
    costs = (lp.col_cost_, np.array(whole), matrix.toarray(), np.tril(half) + np.tril(half, -1).T)
    return lp.col_names_, lp.row_names_, lp.sense_, (*sides, *costs)


@pytest.mark.parametrize("suffix", [".lp", ".mps", ".mps.gz"])
@settings(deadline=None, max_examples=15)
@given(program=programs())
def test_a_file_is_the_program_to_the_last_bit(tmp_path_factory, suffix, program):
    path = write_program(program, tmp_path_factory.mktemp("p") / f"p{suffix}")
    expected, back = as_written(program, suffix), cpe.read_program(path)
    assert (back.sense, set(back.row_names)) == (expected.sense, set(expected.row_names))
    columns = [back.column_names.index(name) for name in expected.column_names]
    rows = [back.row_names.index(name) for name in expected.row_names]
    assert sorted(columns) == list(range(back.shape[1]))
    *one, matrix, quadratic = parts(back)
    found = *(part[rows] for part in one[:2]), *(part[columns] for part in one[2:])
    found += matrix[rows][:, columns], quadratic[columns][:, columns]
    for theirs, ours in zip(found, parts(expected), strict=True):
        np.testing.assert_array_equal(theirs, ours)


@pytest.mark.parametrize("suffix", [".lp", ".mps"])
@settings(deadline=None, max_examples=15)
@given(program=programs())
def test_highs_reads_the_same_numbers(tmp_path_factory, suffix, program):
    path = write_program(program, tmp_path_factory.mktemp("p") / f"p{suffix}")
    expected = as_written(program, suffix)
    negated = suffix == ".mps" and program.sense == "max"
    names, row_names, sense, found = highs_parts(path)
    assert (sense == highspy.ObjSense.kMaximize) == (program.sense == "max" and not negated)
    held = names_in(path, expected)
    columns = [names.index(held["column", name]) for name in expected.column_names]
    rows = [row_names.index(held["row", name]) for name in expected.row_names]
    for k, (theirs, ours) in enumerate(zip(found, parts(expected), strict=True)):
        order = rows if k in (0, 1, 6) else columns
        part = np.asarray(theirs)[order]
        part = part[:, columns] if k in (6, 7) else part
        np.testing.assert_array_equal(part, -ours if negated and k in (4, 7) else ours)


def names_in(path, program):
    """The names in a file of the columns and rows of a program, by its comments."""
    held = {("column", name): name for name in program.column_names}
    held |= {("row", name): name for name in program.row_names}
    for line in path.read_text(encoding="utf-8").splitlines():
        if " stands for " in line:
            words, own = line.split(" stands for ")
            _, what, name = words.split()
            held[what, json.loads(own)] = name
    return held


def test_the_form_of_rows_and_constants():
    """A constant is a fixed column, a row without sides goes, one with two sides is two in LP."""
    program = random_program(np.random.default_rng(0))
    ranged = plain_dialect(program, keep_ranges=True)
    assert ranged.row_names == program.row_names
    assert (ranged.offset, ranged.column_names[-1]) == (0.0, "objective_constant")
    assert ranged.column_lower[-1] == ranged.column_upper[-1] == 1
    assert ranged.costs[-1] == program.offset
    assert plain_dialect(ranged, keep_ranges=True) is ranged
    plain = plain_dialect(program)
    both, lower, upper = (plain.row_names.index(f"r_{k}") for k in ("1", "2_lo", "2_up"))
    assert "r_2" not in plain.row_names
    assert (plain.row_lower[lower], plain.row_upper[lower]) == (program.row_lower[2], np.inf)
    assert (plain.row_lower[upper], plain.row_upper[upper]) == (-np.inf, program.row_upper[2])
    assert plain.row_lower[both] == program.row_lower[1]
    loose = replace(program, row_lower=np.full(4, -np.inf), row_upper=np.full(4, np.inf))
    assert plain_dialect(loose, keep_ranges=True).shape[0] == 0
    assert plain_dialect(loose).row_names == ("no_row",)


@pytest.mark.parametrize(
    ("lower", "upper", "rows"),
    [
        (0.1, 0.9, 1),
        (-1e15, 0.1, 1),  # exact from the upper side alone
        (-(2.0**52 + 1), 2.0**52 + 2, 2),  # no width of a double gives both
        (-9e19, 9e19, 2),  # readers take the width for infinite
    ],
)
def test_a_range_is_kept_where_a_width_is_exact(lower, upper, rows):
    program = random_program(np.random.default_rng(0), rows=1)
    program = replace(program, row_lower=np.array([lower]), row_upper=np.array([upper]))
    assert plain_dialect(program, keep_ranges=True).shape[0] == rows


def test_the_same_program_gives_the_same_bytes(tmp_path):
    program = random_program(np.random.default_rng(0))
    first = cpe.export(program, tmp_path / "a.MPS.gz").read_bytes()
    assert first == cpe.export(program, tmp_path / "b.mps.GZ").read_bytes()
    text = gzip.decompress(first).decode()
    assert text == cpe.export(program, tmp_path / "c.mps").read_text()


def test_lines_end_before_the_two_hundredth_character(tmp_path):
    """A row of 40 terms, and an objective whose products of long names fill a line each."""
    builder = cpe.ProgramBuilder("long")
    x = builder.columns("x" * 100, 40, cost=1 / 3)
    builder.row("r" * 140, x, 0.5, lower=1.0)
    builder.quadratic(x[1:], x[:-1], 1e-3)
    builder.quadratic(x, x, 1.0)
    path = cpe.export(builder.build(), tmp_path / "p.lp")
    lines = path.read_text().splitlines()
    products = [line for line in lines if " * " in line]
    assert len(products) == 39
    assert all(len(line.split(" * ")) == 2 for line in products)
    assert max(len(line) for line in lines if " * " not in line) < 200
    assert any(len(line) > 120 for line in lines)
    assert lines[lines.index("Subject To") + 1] == f" {'r' * 140}:"
    assert cpe.read_program(path).linear.matrix.sum() == 20


def test_a_lazy_program_is_exported_with_the_rows_its_solve_needs(tmp_path):
    lazy = cpe.copeland_bound_program(cpe.load_instance("gap"))
    back = cpe.read_program(cpe.export(lazy, tmp_path / "p.lp", solver="glop"))
    assert cpe.solve(back).objective == pytest.approx(11.0249, abs=5e-5)
    listed = cpe.read_program(cpe.export(lazy, tmp_path / "q.lp", relaxation=True))
    assert set(listed.column_names) == set(lazy.relaxation.column_names)
    assert cpe.solve(listed).objective == 0
    with pytest.raises(cpe.InputError, match="export of a relaxation solves no program"):
        cpe.export(lazy, tmp_path / "p.lp", relaxation=True, solver="glop")


@pytest.mark.parametrize(
    ("change", "name", "arguments", "message"),
    [
        ({}, "p.lp", {"solver": "glop"}, "solves no program, so solver has no effect"),
        ({}, "p.lp", {"relaxation": True}, "relaxation has no effect on 'random': all rows are"),
        ({}, ".lp", {}, r"expected .lp, .mps, .mps.gz"),
        ({"costs": np.full(6, 1e20)}, "p.mps", {}, "'x_0_1' has the number 1e.20, which readers"),
        ({"matrix": SMALL * 1e-12}, "p.mps", {}, "'r_0' has the coefficient 1e-12; readers drop"),
        ({"matrix": SMALL * 1e15}, "p.mps", {}, "'r_0' has the coefficient 1e.15; readers drop"),
    ],
)
def test_what_no_file_can_hold_is_refused_in_words(tmp_path, change, name, arguments, message):
    program = replace(random_program(np.random.default_rng(0)), **change)
    with pytest.raises(cpe.InputError, match=message):
        cpe.export(program, tmp_path / name, **arguments)
    with pytest.raises(cpe.InputError, match="expected a LinearProgram or a Quad"):
        cpe.export("program", tmp_path / "p.lp")
    with pytest.raises(cpe.InputError, match="'empty' has no columns"):
        cpe.export(cpe.ProgramBuilder("empty").build(), tmp_path / "p.lp")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("reader", ["glpsol", "cbc", "scip"])
@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_every_reader_finds_the_optimum(tmp_path, suffix, reader, request):
    read = request.getfixturevalue(reader)
    rng = np.random.default_rng(5)
    for number in range(8):
        sense, names = ("min", "max")[number % 2], rng.permutation(NAMES + ODD_NAMES[:8])
        program = random_program(rng, sense=sense, integer=number % 4 > 1, rows=5)
        lower = np.array([-1.0, -1.0, 0.0, 1.0, -np.inf, 2.0])
        program = replace(program, column_lower=lower, column_names=tuple(names[:6].tolist()))
        result = cpe.solve(program, check=False)
        if result.is_optimal:
            path = cpe.export(program, tmp_path / f"p{number}{suffix}")
            assert read(path, sense) == pytest.approx(result.objective, rel=1e-6, abs=1e-6)
