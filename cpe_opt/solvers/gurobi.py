r"""Gurobi: linear and mixed-integer programs, and convex quadratic ones.

Gurobi's rows have one side. A row of two, :math:`l \le a^\top x \le u`, becomes the equality
:math:`a^\top x - s = 0` with one more column, :math:`l \le s \le u`: the derivative of the optimum
by the side at which s is, is the dual of the equality. A row without a side is one with an infinite
one, which Gurobi takes. Its duals are derivatives of the optimum by the right-hand side in either
sense, which is this package's convention.

A quadratic objective is handed over by its matrix, without the one half that is before it here.
"""

from __future__ import annotations

import time
from dataclasses import replace
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
)
from cpe_opt.solvers.commercial import CTRL_C, Commercial, Environments, side_kinds

_DEFAULTS = {
    "FeasibilityTol": 1e-9,
    "OptimalityTol": 1e-9,
    "IntFeasTol": 1e-9,
    "MIPGap": 0.0,
    "MIPGapAbs": 0.0,
}
_QUADRATIC = {"BarConvTol": 1e-12}  # the gap at which the barrier method ends
_SENSES = {"E": "=", "R": "=", "L": "<", "G": ">", "N": "<"}


class Gurobi(Commercial):
    """Gurobi through gurobipy's matrices."""

    name = "gurobi"
    solves = frozenset({"LP", "MIP", "QP", "MIQP"})
    own_name = "Gurobi"
    package = "gurobipy"
    module = "gurobipy"
    install = "pip install gurobipy"
    about = "simplex, barrier, branch and cut"
    licence = "commercial; size-limited without a licence file"
    size_limit = (
        "2,000 columns and 2,000 rows, of quadratic programs 200 columns; a row with two sides "
        "takes one more column"
    )
    gap_options = frozenset({"MIPGap", "MIPGapAbs"})
    starts = frozenset({"LP", "MIP"})
    interrupted = frozenset({"INTERRUPTED"})
    statuses: ClassVar[dict[str, Status]] = {
        "LOADED": Status.ERROR,
        "OPTIMAL": Status.OPTIMAL,
        "INFEASIBLE": Status.INFEASIBLE,
        "INF_OR_UNBD": Status.INFEASIBLE_OR_UNBOUNDED,
        "UNBOUNDED": Status.UNBOUNDED,
        "CUTOFF": Status.OTHER_LIMIT,
        "ITERATION_LIMIT": Status.ITERATION_LIMIT,
        "NODE_LIMIT": Status.OTHER_LIMIT,
        "TIME_LIMIT": Status.TIME_LIMIT,
        "SOLUTION_LIMIT": Status.OTHER_LIMIT,
        "INTERRUPTED": Status.OTHER_LIMIT,
        "NUMERIC": Status.IMPRECISE,
        "SUBOPTIMAL": Status.IMPRECISE,
        "INPROGRESS": Status.ERROR,
        "USER_OBJ_LIMIT": Status.OTHER_LIMIT,
        "WORK_LIMIT": Status.OTHER_LIMIT,
        "MEM_LIMIT": Status.OTHER_LIMIT,
        "LOCALLY_OPTIMAL": Status.ERROR,
        "LOCALLY_INFEASIBLE": Status.ERROR,
    }

    def known_options(self) -> list[str]:
        """Gurobi's parameters."""
        return list(_parameters(self.load()))

    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve from scratch."""
        return self._solved(program, None, options)

    def solve_quadratic(self, program: QuadraticProgram, options: SolverSettings) -> RawSolution:
        """Solve by the barrier or the simplex method, with whole columns by branch and cut."""
        given = replace(options, solver_options=_QUADRATIC | dict(options.solver_options))
        return self._solved(program.linear, program.quadratic, given)

    def _solved(
        self, program: LinearProgram, quadratic: sp.csr_array | None, options: SolverSettings
    ) -> RawSolution:
        """Solve a program, with the terms ½ x'Qx in its objective where there is a matrix Q."""
        started = time.perf_counter()
        gurobi = self.load()
        self.check_options(options.solver_options, _parameters(gurobi))
        if not program.shape[1]:
            return decided_without_columns(program)
        try:
            with gurobi.Model(env=ENVIRONMENTS.of_this_thread(lambda: _started(gurobi))) as model:
                self._set_options(gurobi, model, program, options)
                columns, rows = _pass_model(gurobi, model, program)
                if quadratic is not None:
                    _pass_quadratic(model, columns[: program.shape[1]], program, quadratic)
                if options.start is not None:
                    _set_start(gurobi, columns, program, options.start)
                left = options.time_left(started)
                if left is not None:
                    if left <= 0.0:
                        return out_of_time()
                    model.Params.TimeLimit = left
                model.Params.OutputFlag = int(options.log)
                with CTRL_C.kept():
                    model.optimize()
                return self._raw(gurobi, model, program, columns, rows)
        except gurobi.GurobiError as error:
            if error.errno == gurobi.GRB.Error.SIZE_LIMIT_EXCEEDED:
                raise self.too_large(program) from None
            if error.errno == gurobi.GRB.Error.NO_LICENSE:
                raise self.unlicensed(error) from None
            return RawSolution(Status.ERROR, message=f"Gurobi: error {error.errno}: {error}")

    def _set_options(
        self, gurobi: Any, model: Any, program: LinearProgram, options: SolverSettings
    ) -> None:
        # Of linear programs the primal simplex method alone starts from a point.
        primal = {} if options.start is None or program.is_integer else {"Method": 0}
        chosen = {**_DEFAULTS, **primal, **options.solver_options}
        chosen |= {"Threads": options.threads, "Seed": options.seed}
        for name, value in chosen.items():
            kind = model.getParamInfo(name)[1]
            try:
                model.setParam(name, self.typed(name, value, kind))
            except (gurobi.GurobiError, OverflowError) as error:
                raise self.refused(name, value, error) from error

    def _raw(
        self, gurobi: Any, model: Any, program: LinearProgram, columns: Any, rows: Any
    ) -> RawSolution:
        name = _status_names(gurobi).get(model.Status)
        status, message = self.translated(name, model.Status)
        x = duals = bound = None
        if model.SolCount > 0:
            x = np.array(columns.X, dtype=np.float64)[: program.shape[1]]
        if program.is_integer:
            if np.isfinite(model.ObjBound) and abs(model.ObjBound) < gurobi.GRB.INFINITY:
                bound = float(model.ObjBound)
        elif x is not None:
            try:
                duals = np.zeros(0) if rows is None else np.array(rows.Pi, dtype=np.float64)
            except gurobi.GurobiError:  # of a solve that ended early, there may be none
                duals = None
        iterations = int(model.IterCount + model.BarIterCount)
        return RawSolution(status, x, duals, bound, iterations, message)


def _started(gurobi: Any) -> Any:
    """An environment that prints nothing."""
    environment = gurobi.Env(empty=True)
    environment.setParam("OutputFlag", 0)
    environment.start()
    return environment


ENVIRONMENTS = Environments()


def _pass_model(gurobi: Any, model: Any, program: LinearProgram) -> tuple[Any, Any]:
    """Hand over the program in arrays, without names; its columns and rows (None without any)."""
    count = program.shape[1]
    kinds = side_kinds(program.row_lower, program.row_upper)
    ranged = np.flatnonzero(kinds == "R")
    kind = gurobi.GRB
    columns = model.addMVar(
        count + len(ranged),
        lb=np.concatenate([program.column_lower, program.row_lower[ranged]]),
        ub=np.concatenate([program.column_upper, program.row_upper[ranged]]),
        obj=np.concatenate([program.costs, np.zeros(len(ranged))]),
        vtype=np.where(
            np.concatenate([program.integer, np.zeros(len(ranged), dtype=np.bool_)]),
            kind.INTEGER,
            kind.CONTINUOUS,
        ),
    )
    model.ModelSense = kind.MINIMIZE if program.sense == "min" else kind.MAXIMIZE
    model.ObjCon = program.offset
    if not len(kinds):
        model.update()
        return columns, None
    matrix = program.matrix
    if len(ranged):
        activities = sp.csr_array(
            (-np.ones(len(ranged)), (ranged, np.arange(len(ranged)))),
            shape=(len(kinds), len(ranged)),
        )
        matrix = sp.hstack([matrix, activities], format="csr")
    sides = np.where(kinds == "G", program.row_lower, program.row_upper)
    sides = np.where(kinds == "R", 0.0, np.where(kinds == "N", kind.INFINITY, sides))
    senses = np.array([_SENSES[each] for each in kinds.tolist()])
    rows = model.addMConstr(sp.csr_matrix(matrix), columns, senses, sides)
    model.update()
    return columns, rows


def _pass_quadratic(
    model: Any, columns: Any, program: LinearProgram, quadratic: sp.csr_array
) -> None:
    """Set the objective once more, with its quadratic terms."""
    model.setMObjective(
        sp.csr_matrix(0.5 * quadratic), program.costs, program.offset, columns, columns, columns
    )
    model.update()


def _set_start(gurobi: Any, columns: Any, program: LinearProgram, start: FloatArray) -> None:
    """Start from a point: of an integer program a solution, of a linear one the primal simplex."""
    if program.is_integer:
        count = program.shape[1]
        columns[:count].Start = np.where(np.isnan(start), gurobi.GRB.UNDEFINED, start)
        return
    activities = (program.matrix @ start)[side_kinds(program.row_lower, program.row_upper) == "R"]
    columns.PStart = np.concatenate([start, activities])


@cache
def _parameters(gurobi: Any) -> tuple[str, ...]:
    return tuple(name for name in dir(gurobi.GRB.Param) if not name.startswith("_"))


@cache
def _status_names(gurobi: Any) -> dict[int, str]:
    kinds = gurobi.GRB.Status
    return {getattr(kinds, name): name for name in dir(kinds) if not name.startswith("_")}
