"""Single programs that solvers got wrong, or a scaling did, each with its right answer."""

import math

import cvxpy
import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import InputError
from tests.suites import EXACT, able, outcome
from tests.suites.packages import linear


def made(costs, rows, low, high, *, lower=0.0, upper=math.inf, integer=False):
    """A minimisation by dense rows, columns with the same bounds."""
    n, ends = len(costs), (lower, upper)
    bounds = tuple(np.broadcast_to(np.asarray(end, dtype=float), n).copy() for end in ends)
    return linear("named", costs, sp.csr_array(rows), (low, high), bounds, [integer] * n)


FAR = made([-1, 0], [[100.4534, 1e12], [100.4534, -1e12]], [-np.inf] * 2, [1e12, 0],
           upper=1.0, integer=True)  # fmt: skip
# Each with its optimum; None where the value is beyond doubles.
NAMED = {
    "a side of rounding": (
        made([3, 2, 1], [[1.2, 1.1, 0], [0, 0, 1000]], [-np.inf, 1], [-8.8e-16, np.inf]), 0.001
    ),
    "a small coefficient of a long column": (
        made([1], [[1e-12]], [1], [np.inf], upper=1e13), 1e12
    ),
    "a value beyond doubles": (made([1e300], [[1e-300]], [1e10], [np.inf]), None),
    # 4y - z = 0 and 8x + z = -19 ask for an odd multiple of 4.
    "whole equations without a solution": (
        made([0, 0, 1], [[0, 4, -1], [8, 0, 1]], [0, -19], [0, -19], lower=-np.inf, integer=True),
        math.inf,
    ),
}  # fmt: skip


ENDLESS = ("whole equations without a solution", "scip")  # until its limit on time
CASES = [
    pytest.param(*case, marks=[pytest.mark.slow] * (case == ENDLESS))
    for case in [(name, solver) for name in NAMED for solver in able(NAMED[name][0])]
]


@pytest.mark.parametrize(("name", "solver"), CASES)
def test_what_is_claimed_is_right(name, solver):
    program, value = NAMED[name]
    end, words = outcome(program, solver, value)
    assert end != "wrong", words
    assert value is not None or end != "right", words
    assert name != "a side of rounding" or solver not in EXACT or end == "right", words


@pytest.mark.parametrize("solver", able(FAR))
def test_a_whole_column_next_to_a_large_coefficient(solver):
    """(1, 0) breaks the second row, whose side is 0, by 100.45; (1, 1) is within the tolerance."""
    result = cpe.solve(FAR, solver, check=False)
    points = ([0.0, 0.0], [0.0, 1.0], [1.0, 1.0])
    assert not result.is_optimal or result.x.tolist() in points


def test_two_columns_or_rows_of_one_name_are_refused():
    for axis in ("column_names", "row_names"):
        names = {"column_names": ("x", "y"), "row_names": ("r", "s")} | {axis: ("twin", "twin")}
        with pytest.raises(InputError, match="twin"):
            cpe.LinearProgram(
                "twice", "min", np.ones(2), np.zeros(2), np.ones(2), np.zeros(2, dtype=bool),
                sp.csr_array(np.eye(2)), np.zeros(2), np.ones(2), **names,
            )  # fmt: skip


def test_a_problem_that_is_not_convex_is_refused():
    x = cvxpy.Variable(2)
    concave = cvxpy.Problem(cvxpy.Maximize(cvxpy.norm(x)), [x <= 1])
    with pytest.raises(InputError, match="not convex"):
        cpe.solve(cpe.ConicProgram("concave", concave), "clarabel")
