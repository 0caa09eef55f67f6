r"""The G- and the XY-design of a list as cone programs.

A design p on vectors x has :math:`\Lambda_p = \sum_x p_x x x^\top`.

- **G**: maximise :math:`\log\det \Lambda_p`. By the theorem of Kiefer and Wolfowitz its designs
  minimise the largest :math:`x^\top \Lambda_p^{-1} x`.
- **XY**: minimise the largest :math:`y^\top \Lambda_p^{-1} y` over differences y, by second-order
  cones.

Where the vectors span less than their space, the programs are in r coordinates that decide the
others.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from cpe_opt.arrays import FloatArray
from cpe_opt.formulations.designs.vectors import (
    action_vectors,
    differences,
    independent_columns,
)
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.problems.subsets.decisions import DecisionClass
from cpe_opt.validation import checked_types


@checked_types
def g_design_program(actions: npt.ArrayLike | DecisionClass) -> ConicProgram:
    """The G design of a list of actions as a cone program; see :func:`log_det_program`.

    Parameters
    ----------
    actions : array_like, shape (N, n), or DecisionClass
        Vectors, one a row, or a class that can be listed.

    Raises
    ------
    InputError

    Examples
    --------
    >>> g_design_program([[1, 0], [0, 1], [1, 1]])
    ConicProgram('g_design', 3 variables, 1 constraint, max)
    """
    vectors = action_vectors(actions)
    program = log_det_program(independent_columns(vectors))
    return replace(program, labels=_labels(actions, vectors))


@checked_types
def xy_design_program(actions: npt.ArrayLike | DecisionClass) -> ConicProgram:
    """The XY design of a list as a cone program, with every difference in it.

    Parameters, errors and the kinds of actions are those of :func:`g_design_program`; see
    :func:`minimax_program`.

    Examples
    --------
    >>> xy_design_program([[1, 0], [0, 1]])
    ConicProgram('xy_design', 7 variables, 10 constraints, min)
    """
    vectors = action_vectors(actions)
    inside = independent_columns(vectors)
    program = minimax_program(inside, differences(inside))
    return replace(program, labels=_labels(actions, vectors))


def _labels(actions: npt.ArrayLike | DecisionClass, vectors: FloatArray) -> dict[str, str]:
    """The set that each weight is of; none for a list of vectors."""
    if not isinstance(actions, DecisionClass):
        return {}
    sets = (np.flatnonzero(vector).tolist() for vector in vectors)
    return {f"weights_{place}": actions.describe(members) for place, members in enumerate(sets)}


def log_det_program(vectors: FloatArray) -> ConicProgram:
    """``maximise log det`` of the information matrix, in ``weights``; a program ``g_design``."""
    import cvxpy as cp

    started = time.perf_counter()
    weights = cp.Variable(len(vectors), nonneg=True, name="weights")
    information = vectors.T @ cp.diag(weights) @ vectors
    problem = cp.Problem(
        cp.Maximize(cp.log_det(information)), [np.ones(len(vectors)) @ weights == 1]
    )
    return ConicProgram("g_design", problem, build_seconds=time.perf_counter() - started)


def minimax_program(vectors: FloatArray, differences: FloatArray) -> ConicProgram:
    r"""The XY design as a second-order cone program ``xy_design`` in ``weights``.

    :math:`y^\top \Lambda_p^{-1} y` is the least :math:`\sum_i u_i^2 / p_i` with
    :math:`\sum_i u_i x_i = y`: one column of ``paths`` a difference, one cone an entry.
    """
    import cvxpy as cp

    started = time.perf_counter()
    count, rivals = len(vectors), len(differences)
    weights = cp.Variable(count, nonneg=True, name="weights")
    paths = cp.Variable((count, rivals), name="paths")
    costs = cp.Variable((count, rivals), name="costs")
    value = cp.Variable(name="value")
    flat, cost = cp.vec(paths, order="F"), cp.vec(costs, order="F")
    spread = cp.hstack([weights] * rivals)
    each = np.ones(count)
    cone = cp.SOC(cost + spread, cp.vstack([2 * flat, cost - spread]))
    problem = cp.Problem(
        cp.Minimize(value),
        [
            each @ costs <= value,
            each @ weights == 1,
            vectors.T @ paths == differences.T,
            cone,
        ],
    )
    return ConicProgram("xy_design", problem, build_seconds=time.perf_counter() - started)
