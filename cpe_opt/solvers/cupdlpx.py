"""cuPDLPx: linear programs by a first-order method on a GPU.

This module is built after the documentation and the Python source of cuPDLPx 0.3, and tested by a
module that plays it: it has not been run, for lack of a GPU.

An error of CUDA, such as that there is no GPU, ends the process of cuPDLPx, so it has one of its
own, and the error is among its last words. Every program is minimised, a maximisation with its
costs negated: the multiplier of a row is the derivative of that minimum by the side that holds.

Options have cuPDLPx's names, those of Python or those of C, such as ``OptimalityTol`` or
``eps_optimal_relative``.
"""

from __future__ import annotations

import time
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import (
    RawSolution,
    SolverSettings,
    Translated,
    decided_without_columns,
    out_of_time,
    with_a_row,
)

_POINTS = ("OPTIMAL", "TIME_LIMIT", "ITERATION_LIMIT", "FEAS_POLISH_SUCCESS")


class CuPdlpx(Translated):
    """cuPDLPx."""

    name = "cupdlpx"
    own_name = "cuPDLPx"
    solves = frozenset({"LP"})
    package = module = "cupdlpx"
    install = "pip install cupdlpx"
    about = "first-order method on a GPU, accuracy about 1e-6"
    licence = "Apache-2.0"
    ends_process = True
    cut_tolerance = 1e-5
    accuracy = 1e-4
    defaults: ClassVar[dict[str, Any]] = {
        "OptimalityTol": 1e-7,
        "FeasibilityTol": 1e-7,
        "MatrixZeroTol": 0.0,  # else it drops small coefficients
        "TimeLimit": 1e9,  # else an hour
    }
    statuses: ClassVar[dict[str, Status]] = {
        "OPTIMAL": Status.OPTIMAL,
        "PRIMAL_INFEASIBLE": Status.INFEASIBLE,
        "DUAL_INFEASIBLE": Status.INFEASIBLE_OR_UNBOUNDED,
        "INFEASIBLE_OR_UNBOUNDED": Status.INFEASIBLE_OR_UNBOUNDED,
        "TIME_LIMIT": Status.TIME_LIMIT,
        "ITERATION_LIMIT": Status.ITERATION_LIMIT,
        "FEAS_POLISH_SUCCESS": Status.IMPRECISE,
        "UNSPECIFIED": Status.ERROR,
    }

    def known_options(self) -> list[str]:
        """CuPDLPx's parameters, by both of their names."""
        module = self.load()
        model = module.Model([0.0], np.zeros((1, 1)), None, None)
        return [*module.PDLP._PARAM_ALIAS, *model.Params.keys()]

    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve from scratch."""
        started = time.perf_counter()
        module = self.load()
        self.check_options(options.solver_options, self.known_options())
        if not program.shape[1]:
            return decided_without_columns(program)
        sign = 1.0 if program.sense == "min" else -1.0
        held = with_a_row(program)
        model = module.Model(
            sign * held.costs,
            sp.csr_matrix(held.matrix),
            held.row_lower,
            held.row_upper,
            held.column_lower,
            held.column_upper,
        )
        self._set_options(model, options)
        left = options.time_left(started)
        if left is not None:
            if left <= 0.0:
                return out_of_time()
            model.setParam("TimeLimit", left)
        try:
            model.optimize()
        except (RuntimeError, ValueError) as error:
            return RawSolution(Status.ERROR, message=f"cuPDLPx: error: {error}")
        name = model.StatusName
        status, message = self.translated(name if name in self.statuses else None, model.Status)
        x = duals = None
        if name in _POINTS:
            x = np.array(model.X, dtype=np.float64)
            duals = sign * np.array(model.Pi, dtype=np.float64)[: program.shape[0]]
        return RawSolution(status, x, duals, None, int(model.IterCount or 0), message)

    def _set_options(self, model: Any, options: SolverSettings) -> None:
        for name, value in {**self.defaults, **options.solver_options}.items():
            try:
                model.setParam(name, value)
            except (TypeError, ValueError) as error:
                raise self.refused(name, value, error) from None
        model.setParam("OutputFlag", options.log)
