"""Two of the three packages load a library of the same name: every order must work."""

import subprocess
import sys
from itertools import permutations

import pytest

from cpe_opt.solvers.compatibility import importable

PACKAGES = ("highspy", "ortools.math_opt.python.mathopt", "cvxpy")
CHECK = """
import numpy as np
import cpe_opt as cpe
builder = cpe.ProgramBuilder("knapsack", sense="max")
take = builder.columns("take", 3, cost=[60, 100, 120], upper=1, integer=True)
builder.row("weight", take, [10, 20, 30], upper=50)
program = builder.build()
assert [cpe.solve(program, s).objective for s in ("highs", "scip", "cp-sat")] == [220.0] * 3
bound = cpe.copeland_bound_program(cpe.load_instance("gap"), method="compact")
for solver in ("highs", "glop", "clarabel"):
    assert abs(cpe.solve(bound, solver).objective - 11.0249432) < 1e-4, solver
import cvxpy
x = cvxpy.Variable(2)
problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(x - np.array([1.0, 2.0]))), [x <= 1.5])
for solver in ("highs", "clarabel"):
    assert abs(cpe.solve(cpe.ConicProgram("norm", problem), solver).objective - 0.25) < 1e-6, solver
print("fine")
"""


QUICK = PACKAGES[::-1]  # the other orders with the slow tests
ORDERS = [
    pytest.param(order, marks=[pytest.mark.slow] * (order != QUICK), id="-".join(order))
    for order in permutations(PACKAGES)
]


@pytest.mark.parametrize("order", ORDERS)
def test_every_import_order_solves(order):
    if not importable("ortools"):
        pytest.skip("OR-Tools cannot be imported here")
    script = "".join(f"import {package}\n" for package in order) + CHECK
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout == "fine\n", done.stderr
