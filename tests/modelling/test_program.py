import re
from dataclasses import replace

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.modelling.builder import check_names


def knapsack():
    builder = cpe.ProgramBuilder("knapsack", sense="max", offset=1.0)
    take = builder.columns("take", 3, cost=[60, 100, 120], upper=1, integer=True)
    builder.row("weight", take, [10, 20, 30], upper=50)
    return builder.build()


def test_blocks_become_named_columns_and_rows():
    builder = cpe.ProgramBuilder("blocks")
    q = builder.columns("q", np.array([(3, 7), (0, 1)]), cost=[1.0, 2.0], upper=4)
    u = builder.columns("u", ["left", "right"], lower=-1)
    rows = builder.rows("cut", 2, [0, 0, 1, 1], [q[0], u[1], q[1], q[1]], [1, 2, 1, 2], lower=0)
    program = builder.build()
    assert program.column_names == ("q_3_7", "q_0_1", "u_left", "u_right")
    assert program.row_names == ("cut_0", "cut_1")
    assert rows.tolist() == [0, 1]
    assert program.matrix.toarray().tolist() == [[1, 0, 0, 2], [0, 3, 0, 0]]
    assert program.column_upper.tolist() == [4, 4, np.inf, np.inf]
    assert program.column_lower.tolist() == [0, 0, -1, -1]
    assert program.shape == (2, 4)


def test_sums_are_rows_of_terms():
    """One column a row, a single one of all rows, a matrix, and lists; no term, no entry."""
    builder = cpe.ProgramBuilder("terms")
    x, y = builder.columns("x", 3), builder.columns("y", 1)
    rows = builder.sums("a", 3, ([1, 2, 3], x), (-1.0, y), lower=[0, 1, 2])
    builder.sums("b", ["up", "down"], ([[0, 4, 0], [5, 0, 6]], x), upper=7)
    builder.sums("c", 2, (1.5, [x[:2], y]), ([np.zeros(0), np.array([8.0])], [x[:0], x[2:]]))
    builder.sums("d", 1, lower=0)
    program = builder.build()
    assert rows.tolist() == [0, 1, 2]
    assert program.row_names[3:] == ("b_up", "b_down", "c_0", "c_1", "d_0")
    assert program.matrix.toarray().tolist() == [
        [1, 0, 0, -1], [0, 2, 0, -1], [0, 0, 3, -1],
        [0, 4, 0, 0], [5, 0, 6, 0],
        [1.5, 1.5, 0, 0], [0, 0, 8, 1.5],
        [0, 0, 0, 0],
    ]  # fmt: skip
    assert program.row_lower[:3].tolist() == [0, 1, 2]
    assert program.row_upper[3:5].tolist() == [7, 7]
    assert len(program.matrix.data) == 13  # zeros of a matrix are no entries


def test_objective_counts_the_offset_and_violation_is_measured_on_both_sides():
    program, x = knapsack(), np.array([1.0, 1.0, 0.0])
    assert (program.objective(x), program.kind) == (161.0, "MIP")
    for lower, upper, by in ((-np.inf, 20.0, 10.0), (45.0, np.inf, 15.0), (30.0, 30.0, 0.0)):
        block = replace(program.row_block, lower=np.array([lower]), upper=np.array([upper]))
        assert block.violation(x).tolist() == [by]


def test_rows_can_be_appended_dropped_and_costs_changed():
    program = knapsack()
    longer = program.with_rows(replace(program.row_block, names=("again",)))
    assert longer.shape == (2, 3)
    assert longer.keeping_rows(np.array([False, True])).matrix.toarray().tolist() == [[10, 20, 30]]
    changed = program.with_costs(np.array([1]), np.array([7.0]))
    assert changed.costs.tolist() == [60, 7, 120]
    assert program.costs.tolist() == [60, 100, 120]


def test_a_row_is_added_by_the_names_of_columns():
    program = knapsack()
    longer = program.with_row({"take_2": 2.0, "take_0": -1.0}, lower=0.5, upper=1, name="two")
    longer = longer.with_row({"take_1": 1}, upper=0)
    assert longer.matrix.toarray().tolist()[1:] == [[-1.0, 0.0, 2.0], [0.0, 1.0, 0.0]]
    assert longer.row_lower.tolist()[1:] == [0.5, -np.inf]
    assert longer.row_upper.tolist()[1:] == [1.0, 0.0]
    assert longer.row_names[1:] == ("two", "row_2")
    assert program.shape == (1, 3)


def test_names_that_some_reader_cannot_read_are_refused_and_programs_may_have_more():
    of_programs = ("Free", "st", "e1x", "Infinite", "nan_1")
    for name in ("3x", "x-1", "", "x" * 151, "negated_objective", *of_programs):
        with pytest.raises(cpe.InputError, match=f"column 1 has the name '{name[:60]}': expected"):
            check_names(["fine", name], "column")
    check_names(["x" * 150, "e_12", "x_inf"], "column")
    for name in of_programs:
        assert cpe.ProgramBuilder(name).build().name == name
    for name in ("", "a b", "3x", "x" * 151):
        with pytest.raises(cpe.InputError, match=r"a program has the name .*: expected up to 150"):
            cpe.ProgramBuilder(name)


def test_repeated_names_are_refused():
    builder = cpe.ProgramBuilder("twice")
    builder.columns("x", 1)
    builder.columns("x", 1)
    with pytest.raises(cpe.InputError, match="'twice': two columns have the name 'x_0'"):
        builder.build()
    program = knapsack()
    with pytest.raises(cpe.InputError, match="two rows have the name 'weight'"):
        program.with_rows(program.row_block)


@pytest.mark.parametrize(
    ("bounds", "reason"),
    [
        ((2.0, 1.0), "[2.0, 1.0], expected lower <= upper"),
        ((0.0, 1e20), "[0.0, 1e+20], expected lower <= upper, each infinite or of a size below"),
        ((-1e30, 0.0), "[-1e+30, 0.0], expected lower <= upper"),
    ],
)
def test_bounds_that_no_point_meets_or_that_solvers_drop_are_refused(bounds, reason):
    for column, row in ((bounds, (-9.9e19, 9.9e19)), ((-9.9e19, 9.9e19), bounds)):
        builder = cpe.ProgramBuilder("far")
        x = builder.columns("x", [()], lower=column[0], upper=column[1])
        builder.row("x", x, lower=row[0], upper=row[1])
        with pytest.raises(cpe.InputError, match=re.escape(f"'x' has the bounds {reason}")):
            builder.build()
