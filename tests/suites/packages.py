"""The programs of the tests of SciPy and CVXPY, as they are installed, with their answers.

SciPy's tests are run, and what they hand to HiGHS is noted, with what came back if the test held.
CVXPY's helpers are problems with their optimum.
"""

import contextlib
import inspect
import io
import math
import warnings
from unittest import SkipTest

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe

_ENDS = {7: math.nan, 8: math.inf, 10: -math.inf}  # HiGHS's optimal, infeasible, unbounded
_STOPS = (Exception, SkipTest, pytest.skip.Exception, pytest.fail.Exception, pytest.xfail.Exception)


def _names(letter, count):
    return tuple(f"{letter}{number}" for number in range(count))


def linear(name, costs, matrix, sides, bounds, integer, *, offset=0.0):
    """A linear program by its arrays, endless bounds as infinities."""
    low, high, lower, upper = (
        np.where(np.abs(ends) >= 1e20, np.copysign(np.inf, ends), ends)
        for ends in (*np.asarray(sides, dtype=float), *np.asarray(bounds, dtype=float))
    )
    rows, columns = matrix.shape
    return cpe.LinearProgram(
        name=name,
        sense="min",
        costs=np.asarray(costs, dtype=float),
        column_lower=lower,
        column_upper=upper,
        integer=np.asarray(integer, dtype=bool),
        matrix=sp.csr_array(matrix, dtype=float),
        row_lower=low,
        row_upper=high,
        column_names=_names("x", columns),
        row_names=_names("r", rows),
        offset=float(offset),
    )


def scipy_programs():
    """(program, optimum) of every program that SciPy's tests of linprog and milp solve."""
    from scipy.optimize import _linprog_highs, _milp

    programs = {}
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setattr(pytest.mark, "_config", None)  # SciPy has marks that are not declared here
        from scipy.optimize.tests import test_linprog, test_milp

        for module, tests in ((_linprog_highs, test_linprog), (_milp, test_milp)):
            solve, noted = module._highs_wrapper, []

            def noting(*given, solve=solve, noted=noted):
                noted.append((given, solve(*given)))
                return noted[-1][1]

            patch.setattr(module, "_highs_wrapper", noting)
            for test in _calls(tests):
                with contextlib.suppress(*_STOPS), contextlib.redirect_stdout(io.StringIO()):
                    noted.clear()
                    test()
                    programs |= {_key(given): _program(given, result) for given, result in noted}
    return [program for program in programs.values() if program]


def _key(given):
    return tuple(np.asarray(each, dtype=float).tobytes() for each in given[:-1])


def _program(given, result):
    """A program with its optimum; None where it has semi-continuous columns or allows a gap."""
    costs, starts, places, data, low, high, lower, upper, integer, options = given
    matrix = sp.csc_array((data, places, starts), shape=(len(low), len(costs)))
    integer = np.asarray(integer) if np.size(integer) else np.zeros(len(costs))
    status = int(result["status"])
    plain = status in _ENDS and np.isin(integer, (0, 1)).all()
    crossed = (np.asarray(lower) > upper).any() or (low > high).any()
    if not plain or crossed or (options.get("mip_rel_gap") or 0.0) > 1e-6:
        return None
    program = linear("scipy", costs, matrix.toarray(), (low, high), (lower, upper), integer)
    return program, result["fun"] if status == 7 else _ENDS[status]


def _calls(module):
    """The tests of a module that need no fixtures, ready to be called."""
    for name, each in list(vars(module).items()):
        tests = [each] if name.startswith("test_") else []
        if inspect.isclass(each) and name.startswith("TestLinprog") and "HiGHS" in name:
            made = each()
            tests = [getattr(made, test) for test in dir(made) if test.startswith("test_")]
        yield from (test for test in tests if not inspect.signature(test).parameters)


def cvxpy_problems():
    """(name, problem, optimum) of CVXPY's helpers."""
    from cvxpy.tests import solver_test_helpers as helpers

    kinds = ("lp_", "qp_", "mi_", "socp_", "sdp_", "expcone_", "pcp_")
    for name, make in inspect.getmembers(helpers, inspect.isfunction):
        if name.startswith(kinds):
            choices = {"objective_sense": ("min", "max"), "axis": (0, 1)}
            needed = list(inspect.signature(make).parameters)
            for choice in choices[needed[0]] if needed else ((),):
                helper = make(choice) if needed else make()
                label = f"{name}_{choice}" if needed else name
                yield label, helper.prob, None if name == "mi_lp_6" else helper.expect_val
