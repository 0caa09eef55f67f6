"""Single programs that solvers, scaling or readers got wrong, each with its right answer."""

import math
from contextlib import suppress

import cvxpy
import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import CpeOptError, InputError
from cpe_opt.modelling.result import Status
from tests.solvers.suites import EXACT, able, outcome
from tests.solvers.suites.packages import linear


def made(costs, rows, low, high, *, lower=0.0, upper=math.inf, integer=False, sense="min"):
    """A program by dense rows, columns with the same bounds."""
    n, ends = len(costs), (lower, upper)
    matrix = sp.csr_array(np.reshape(rows, (-1, n)))
    bounds = tuple(np.broadcast_to(np.asarray(end, dtype=float), n).copy() for end in ends)
    sign = 1.0 if sense == "min" else -1.0
    return linear("named", sign * np.array(costs), matrix, (low, high), bounds, [integer] * n)


NOISE = made([3, 2, 1], [[1.2, 1.1, 0], [0, 0, 1000]], [-np.inf, 1], [-8.8e-16, np.inf])
FAR = made([-1, 0], [[100.4534, 1e12], [100.4534, -1e12]], [-np.inf] * 2, [1e12, 0],
           upper=1.0, integer=True)  # fmt: skip
LONG_WAY = made([1], [[1e-12]], [1], [np.inf], upper=1e13)
HUGE = made([1e300], [[1e-300]], [1e10], [np.inf])
# 4y - z = 0 and 8x + z = -19 ask for an odd multiple of 4.
PARITY = made([0, 0, 1], [[0, 4, -1], [8, 0, 1]], [0, -19], [0, -19], lower=-np.inf, integer=True)


@pytest.mark.parametrize("solver", able(NOISE))
def test_a_side_of_rounding_leaves_the_optimum(solver):
    end, words = outcome(NOISE, solver, 0.001)
    assert end == "right" or (solver not in EXACT and end == "unsolved"), words


@pytest.mark.parametrize("solver", able(FAR))
def test_a_whole_column_next_to_a_large_coefficient(solver):
    """(1, 0) breaks the second row, whose side is 0, by 100.45; (1, 1) is within the tolerance."""
    result = cpe.solve(FAR, solver, check=False)
    points = ([0.0, 0.0], [0.0, 1.0], [1.0, 1.0])
    assert not result.is_optimal or result.x.tolist() in points


def test_the_optimum_next_to_a_large_coefficient_is_proved():
    proof = cpe.certificate(FAR)
    assert (proof.claim, float(proof.value)) == ("optimal", 0.0)


@pytest.mark.parametrize("solver", able(LONG_WAY))
def test_a_small_coefficient_of_a_long_column_is_feasible(solver):
    end, words = outcome(LONG_WAY, solver, 1e12)
    assert end in ("right", "unsolved"), words


@pytest.mark.parametrize("solver", able(HUGE))
def test_a_value_beyond_doubles_is_no_optimum(solver):
    end, words = outcome(HUGE, solver, None)
    assert end != "wrong", words
    with suppress(CpeOptError):
        assert cpe.solve(HUGE, solver, check=False).status is not Status.OPTIMAL
    with suppress(CpeOptError):
        cpe.certificate(HUGE)


@pytest.mark.parametrize("solver", able(PARITY))
def test_whole_equations_without_a_solution(solver):
    end, words = outcome(PARITY, solver, math.inf)
    assert end in ("right", "unsolved", "refused"), words


def test_two_columns_or_rows_of_one_name_are_refused():
    for axis in ("column_names", "row_names"):
        names = {"column_names": ("x", "y"), "row_names": ("r", "s")} | {axis: ("twin", "twin")}
        with pytest.raises(InputError, match="twin"):
            cpe.LinearProgram(
                "twice", "min", np.ones(2), np.zeros(2), np.ones(2), np.zeros(2, dtype=bool),
                sp.csr_array(np.eye(2)), np.zeros(2), np.ones(2), **names,
            )  # fmt: skip


TEXTS = {
    "lp": ("minimize\n obj: 3 [ x^2 ]/2 - 12 x\nbounds\n x <= 100\nend\n", -24.0),
    "mps": ("OBJSENSE\n  MAX\nNAME p\nROWS\n N obj\n L r\nCOLUMNS\n x obj 2 r 1\n"
            "RHS\n RHS r 3\nENDATA\n", 6.0),
    "unnamed.mps": ("ROWS\n N obj\n G r\nCOLUMNS\n x obj 2 r 1\nRHS\n RHS r 3\nENDATA\n", 6.0),
    "whole.mps": ("NAME p\nROWS\n N obj\n G r\nCOLUMNS\n M1 'MARKER' 'INTORG'\n x obj 2 r 1\n"
                  " M2 'MARKER' 'INTEND'\nRHS\n RHS r 2.5\nBOUNDS\n LO BND x 1\nENDATA\n", 6.0),
    "constant.lp": ("minimize\n obj: 7\nsubject to\n r: x >= 1\nend\n", 7.0),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_texts_of_other_writers(name, tmp_path):
    text, value = TEXTS[name]
    suffix = name.split(".")[-1]
    file = tmp_path / f"named.{suffix}"
    file.write_text(text)
    assert cpe.solve(cpe.read_program(file)).objective == pytest.approx(value)


def test_a_problem_that_is_not_convex_is_refused():
    x = cvxpy.Variable(2)
    concave = cvxpy.Problem(cvxpy.Maximize(cvxpy.norm(x)), [x <= 1])
    with pytest.raises(InputError, match="not convex"):
        cpe.solve(cpe.ConicProgram("concave", concave), "clarabel")
