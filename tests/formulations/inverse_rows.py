"""Times by squared errors from their definition, ``min c' q`` with ``rows @ (1 / q) <= 1``."""

import warnings

import cvxpy
import numpy as np


def least_cost(rows, costs):
    """The optimum, by CVXPY, of the geometric program in ln q; it shares no code with the package.

    No q far below that of its largest entry alone is feasible: the program is in units of that.
    """
    rows = np.asarray(rows, dtype=float)
    used = rows.any(axis=0)
    rows, costs = rows[:, used], np.asarray(costs, dtype=float)[used]
    start = np.log(rows.max(axis=0))
    z = cvxpy.Variable(len(start))
    kept = []
    for row in rows:
        inside = np.flatnonzero(row)
        kept.append(cvxpy.log_sum_exp(np.log(row[inside]) - start[inside] - z[inside]) <= 0)
    logs = np.log(costs) + start
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.log_sum_exp(logs - logs.max() + z)), kept)
    with warnings.catch_warnings():  # its last digits are compared with a tolerance of their own
        warnings.filterwarnings("ignore", "Solution may be inaccurate")
        return np.exp(problem.solve(solver="CLARABEL") + logs.max())
