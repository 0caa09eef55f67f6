"""COPT, the Cardinal Optimizer: linear and mixed-integer programs, and convex quadratic ones.

COPT takes rows with two sides as they are, and its duals are derivatives of the optimum by the
right-hand side in either sense, which is this package's convention. It has no seed: two runs are
the same.

Of two points of an integer program whose objectives differ by less than about 1e-7, COPT may take
the worse one for an optimum, and its objective for the bound. So costs are multiplied by 1,024
first, which changes no digit.

A quadratic objective is handed over by its matrix, without the one half that is before it here.

While it solves, Ctrl-C ends the process, unless it runs in one of its own.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import (
    RawSolution,
    SolverSettings,
    decided_without_columns,
    out_of_time,
    unheard,
)
from cpe_opt.solvers.commercial import CTRL_C, Commercial, Environments

_DEFAULTS = {"FeasTol": 1e-9, "DualTol": 1e-9, "IntTol": 1e-9, "RelGap": 0.0, "AbsGap": 0.0}
_MULTIPLE = 2.0**10  # of the costs of an integer program
_LICENCE = 4  # of its return codes
_PROCESSOR = "MKL_DEBUG_CPU_TYPE"


class Copt(Commercial):
    """COPT through coptpy's matrices."""

    name = "copt"
    solves = frozenset({"LP", "MIP", "QP", "MIQP"})
    own_name = "COPT"
    package = "coptpy"
    module = "coptpy"
    install = "pip install coptpy"
    about = "simplex, barrier, first-order, branch and cut"
    licence = "commercial; size-limited without a licence file"
    size_limit = (
        "10,000 columns and 10,000 rows; 2,000 of each with whole columns or quadratic terms"
    )
    gap_options = frozenset({"RelGap", "AbsGap"})
    starts = frozenset({"MIP"})
    interrupted = frozenset({"INTERRUPTED"})
    statuses: ClassVar[dict[str, Status]] = {
        "UNSTARTED": Status.ERROR,
        "OPTIMAL": Status.OPTIMAL,
        "INFEASIBLE": Status.INFEASIBLE,
        "UNBOUNDED": Status.UNBOUNDED,
        "INF_OR_UNB": Status.INFEASIBLE_OR_UNBOUNDED,
        "NUMERICAL": Status.IMPRECISE,
        "NODELIMIT": Status.OTHER_LIMIT,
        "IMPRECISE": Status.IMPRECISE,
        "TIMEOUT": Status.TIME_LIMIT,
        "UNFINISHED": Status.IMPRECISE,
        "INTERRUPTED": Status.OTHER_LIMIT,
        "ITERLIMIT": Status.ITERATION_LIMIT,
        "LOCAL_OPTIMAL": Status.ERROR,
        "LOCAL_INFEASIBLE": Status.ERROR,
    }

    def known_options(self) -> list[str]:
        """COPT's parameters."""
        return list(_parameters(self.load()))

    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve from scratch."""
        return self._solved(program, None, options)

    def solve_quadratic(self, program: QuadraticProgram, options: SolverSettings) -> RawSolution:
        """Solve by the barrier method, with whole columns by branch and cut."""
        return self._solved(program.linear, program.quadratic, options)

    def _solved(
        self, program: LinearProgram, quadratic: sp.csr_array | None, options: SolverSettings
    ) -> RawSolution:
        """Solve a program, with the terms ½ x'Qx in its objective where there is a matrix Q."""
        started = time.perf_counter()
        copt = self.load()
        self.check_options(options.solver_options, _parameters(copt))
        if not program.shape[1]:
            return decided_without_columns(program)
        try:
            environment = ENVIRONMENTS.of_this_thread(lambda: _started(copt))
        except copt.CoptError as error:
            raise self.unlicensed(error.message) from None
        multiple = _MULTIPLE if program.is_integer else 1.0
        model = environment.createModel()
        try:
            model.setParam("Logging", 0)
            self._set_options(copt, model, options, multiple)
            _pass_model(copt, model, program, multiple)
            if quadratic is not None and quadratic.nnz:
                model.loadQ(sp.coo_matrix(0.5 * multiple * quadratic))
            if options.start is not None:
                _set_start(model, options.start)
            left = options.time_left(started)
            if left is not None:
                if left <= 0.0:
                    return out_of_time()
                model.setParam("TimeLimit", left)
            model.setParam("Logging", int(options.log))
            _forget_processor()
            with CTRL_C.kept():
                model.solve()
            return self._raw(copt, model, program, multiple)
        except copt.CoptError as error:
            if error.retcode == _LICENCE:
                raise self.too_large(program) from None
            return RawSolution(
                Status.ERROR, message=f"COPT: error {error.retcode}: {error.message}"
            )

    def _set_options(self, copt: Any, model: Any, options: SolverSettings, multiple: float) -> None:
        chosen = {**_DEFAULTS, **options.solver_options, "Threads": options.threads}
        for name, value in chosen.items():
            _, _, default, least, most = model.getParamInfo(name)
            given = self.typed(name, value, type(default))
            if not least <= given <= most:  # COPT would take the nearest in silence
                raise self.refused(name, value, f"expected {least} … {most}")
            if name == "AbsGap":
                given *= multiple
            try:
                model.setParam(name, given)
            except copt.CoptError as error:
                raise self.refused(name, value, error.message) from error

    def _raw(self, copt: Any, model: Any, program: LinearProgram, multiple: float) -> RawSolution:
        status, message = self.translated(_status_names(copt).get(model.status), model.status)
        x = duals = bound = None
        if program.is_integer:
            if model.HasMipSol:
                x = np.array(model.getValues(), dtype=np.float64)
            if abs(model.BestBnd) < copt.COPT.INFINITY:
                bound = float(model.BestBnd) / multiple
        elif model.HasLpSol:
            x = np.array(model.getValues(), dtype=np.float64)
            duals = np.array(model.getDuals(), dtype=np.float64)
        iterations = int(model.SimplexIter + model.BarrierIter + model.PDLPIter)
        return RawSolution(status, x, duals, bound, iterations, message)


ENVIRONMENTS = Environments()


def _started(copt: Any) -> Any:
    """An environment, whose greeting does not get into what this process prints."""
    with unheard():
        return copt.Envr()


def _forget_processor() -> None:
    """Take out of the environment what Gurobi puts there: which processor MKL is to assume.

    COPT's barrier method believes it, and ends the process where the processor is another one. What
    the user has set stays: it is in ``os.environ``, which knows nothing of what libraries set.
    """
    if _PROCESSOR not in os.environ:
        os.unsetenv(_PROCESSOR)


def _pass_model(copt: Any, model: Any, program: LinearProgram, multiple: float) -> None:
    """Hand over the program in arrays, without names, its costs multiplied."""
    kind = copt.COPT
    model.loadMatrix(
        program.costs * multiple,
        sp.csc_matrix(program.matrix),
        program.row_lower,
        program.row_upper,
        program.column_lower,
        program.column_upper,
        np.where(program.integer, kind.INTEGER, kind.CONTINUOUS),
    )
    model.setObjSense(kind.MINIMIZE if program.sense == "min" else kind.MAXIMIZE)
    model.setObjConst(program.offset * multiple)


def _set_start(model: Any, start: FloatArray) -> None:
    known = np.flatnonzero(~np.isnan(start)).tolist()
    columns: Sequence[Any] = model.getVars().getAll()
    model.setMipStart([columns[place] for place in known], start[known].tolist())
    model.loadMipStart()


@cache
def _parameters(copt: Any) -> tuple[str, ...]:
    return tuple(name for name in dir(copt.COPT.Param) if not name.startswith("_"))


@cache
def _status_names(copt: Any) -> dict[int, str]:
    return {getattr(copt.COPT, name): name for name in Copt.statuses if hasattr(copt.COPT, name)}
