r"""FICO Xpress: linear and mixed-integer programs, and convex quadratic ones.

A row with two sides is given by its upper side and the distance of the lower one, so that one is
rounded. A row without a side becomes one with a lower side of :math:`-\infty`, as Xpress drops rows
that bind nothing. Its duals are derivatives of the optimum by the right-hand side in either sense,
which is this package's convention. A quadratic objective is handed over by one triangle of its
matrix, with the same one half before it.

While it solves an integer program, Ctrl-C may end the process, unless it runs in one of its own.

An integer program is searched for points that are better by any amount: by default Xpress asks for
1e-5 more than the best one.
"""

from __future__ import annotations

import time
import warnings
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
from cpe_opt.solvers.commercial import CTRL_C, Commercial, side_kinds

_DEFAULTS = {
    "feastol": 1e-9,
    "optimalitytol": 1e-9,
    "miptol": 1e-9,
    "miprelstop": 0.0,
    "mipabsstop": 0.0,
    "mipaddcutoff": 0.0,
    "miprelcutoff": 0.0,
}
# The gap at which the barrier method ends; and a method that ends where there is no optimum, too.
_QUADRATIC = {"bargapstop": 1e-13, "baralg": 2}
_LARGEST = 2**31 - 1  # of whole numbers; Xpress would cut larger ones off in silence
_TOO_LARGE = "?120 "  # the error of a program that the licence does not allow for


class Xpress(Commercial):
    """FICO Xpress through its Python interface's arrays."""

    name = "xpress"
    solves = frozenset({"LP", "MIP", "QP", "MIQP"})
    own_name = "Xpress"
    package = "xpress"
    module = "xpress"
    install = "pip install xpress"
    about = "simplex, barrier, branch and cut"
    licence = "commercial; size-limited without a licence file"
    size_limit = "5,000 columns and rows together, of quadratic programs 200"
    gap_options = frozenset({"miprelstop", "mipabsstop", "mipaddcutoff", "miprelcutoff"})
    starts = frozenset({"MIP"})
    interrupted = frozenset({"CTRLC"})
    # What a solve that was completed found, and what stopped another one.
    statuses: ClassVar[dict[str, Status]] = {
        "UNSTARTED": Status.ERROR,
        "NOTFOUND": Status.ERROR,
        "OPTIMAL": Status.OPTIMAL,
        "FEASIBLE": Status.IMPRECISE,
        "INFEASIBLE": Status.INFEASIBLE,
        "UNBOUNDED": Status.UNBOUNDED,
        "NONE": Status.ERROR,
        "TIMELIMIT": Status.TIME_LIMIT,
        "CTRLC": Status.OTHER_LIMIT,
        "NODELIMIT": Status.OTHER_LIMIT,
        "ITERLIMIT": Status.ITERATION_LIMIT,
        "MIPGAP": Status.OPTIMAL,  # within the gap that is allowed, which is 0 or an option
        "SOLLIMIT": Status.OTHER_LIMIT,
        "GENERICERROR": Status.ERROR,
        "MEMORYERROR": Status.OTHER_LIMIT,
        "USER": Status.OTHER_LIMIT,
        "SOLVECOMPLETE": Status.ERROR,
        "LICENSELOST": Status.ERROR,
        "NUMERICALERROR": Status.IMPRECISE,
        "WORKLIMIT": Status.OTHER_LIMIT,
        "NEXTOBJECTIVE": Status.ERROR,
        "MIPSTAGE": Status.OTHER_LIMIT,
    }

    def known_options(self) -> list[str]:
        """Xpress's controls."""
        return list(_controls(self._started()))

    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve from scratch."""
        return self._solved(program, None, options)

    def solve_quadratic(self, program: QuadraticProgram, options: SolverSettings) -> RawSolution:
        """Solve by the barrier method, with whole columns by branch and cut."""
        given = replace(options, solver_options=_QUADRATIC | dict(options.solver_options))
        raw = self._solved(program.linear, program.quadratic, given)
        if raw.status is Status.INFEASIBLE and not program.is_integer:
            # The barrier method says so of some that are unbounded.
            return replace(raw, status=Status.INFEASIBLE_OR_UNBOUNDED)
        return raw

    def _solved(
        self, program: LinearProgram, quadratic: sp.csr_array | None, options: SolverSettings
    ) -> RawSolution:
        """Solve a program, with the terms ½ x'Qx in its objective where there is a matrix Q."""
        started = time.perf_counter()
        xpress = self._started()
        self.check_options(options.solver_options, _controls(xpress))
        if not program.shape[1]:
            return decided_without_columns(program)
        problem = xpress.problem()
        problem.setControl("outputlog", 0)
        self._set_options(xpress, problem, options)
        try:
            _pass_model(xpress, problem, program)
            if quadratic is not None and quadratic.nnz:
                triangle = sp.coo_array(sp.triu(quadratic))
                problem.chgMQObj(triangle.row, triangle.col, triangle.data)
            if options.start is not None:
                _set_start(problem, options.start)
            left = options.time_left(started)
            if left is not None:
                if left <= 0.0:
                    return out_of_time()
                problem.setControl("timelimit", left)
            problem.setControl("outputlog", int(options.log))
            with CTRL_C.kept():
                problem.optimize()
            return self._raw(xpress, problem, program)
        except (xpress.SolverError, xpress.ModelError) as error:
            if _TOO_LARGE in str(error):
                raise self.too_large(program) from None
            return RawSolution(Status.ERROR, message=f"Xpress: error {error}")

    def _started(self) -> Any:
        """The module, which has found its licence."""
        xpress = self.load()
        try:
            _start(xpress)
        except (xpress.InterfaceError, xpress.ModelError) as error:
            raise self.unlicensed(error) from None
        return xpress

    def _set_options(self, xpress: Any, problem: Any, options: SolverSettings) -> None:
        chosen = {**_DEFAULTS, **options.solver_options}
        chosen |= {"threads": options.threads, "randomseed": options.seed}
        kinds = {"INT": int, "INT64": int, "DOUBLE": float, "STRING": str}
        for name, value in chosen.items():
            kind = problem.getControlInfo(name)[1].name
            given = self.typed(name, value, kinds[kind])
            if kind == "INT" and abs(given) > _LARGEST:
                raise self.refused(name, value, f"expected {-_LARGEST} … {_LARGEST}")
            try:
                problem.setControl(name, given)
            except (xpress.SolverError, xpress.ModelError, xpress.InterfaceError) as error:
                raise self.refused(name, value, error) from error

    def _raw(self, xpress: Any, problem: Any, program: LinearProgram) -> RawSolution:
        found = problem.attributes
        name, code = _ended(xpress, found)
        status, message = self.translated(name, code)
        x = duals = bound = None
        if found.solstatus in (xpress.SolStatus.OPTIMAL, xpress.SolStatus.FEASIBLE):
            x = np.array(problem.getSolution(), dtype=np.float64)
        if program.is_integer:
            if abs(found.bestbound) < xpress.infinity:
                bound = float(found.bestbound)
        elif x is not None:
            try:
                rows = problem.getDuals() if program.shape[0] else []
                duals = np.array(rows, dtype=np.float64)
            except xpress.ModelError:  # of a solve that ended early, there may be none
                duals = None
        iterations = int(found.simplexiter + found.bariter)
        return RawSolution(status, x, duals, bound, iterations, message)


def _pass_model(xpress: Any, problem: Any, program: LinearProgram) -> None:
    """Hand over the program in arrays, without names."""
    kinds = side_kinds(program.row_lower, program.row_upper)
    ranged = kinds == "R"
    rows = np.where(kinds == "G", program.row_lower, program.row_upper)
    rows = np.where(kinds == "N", -xpress.infinity, rows)
    distances = np.zeros(len(kinds))
    distances[ranged] = program.row_upper[ranged] - program.row_lower[ranged]
    matrix = sp.csc_array(program.matrix)
    data = {
        "rowtype": np.where(kinds == "N", "G", kinds).tolist(),
        "rhs": rows,
        "rng": distances,
        "objcoef": program.costs,
        "start": matrix.indptr,
        "rowind": matrix.indices,
        "rowcoef": matrix.data,
        "lb": np.maximum(program.column_lower, -xpress.infinity),
        "ub": np.minimum(program.column_upper, xpress.infinity),
    }
    if program.is_integer:
        whole = np.flatnonzero(program.integer)
        problem.loadMIP("", **data, coltype=["I"] * len(whole), entind=whole)
    else:
        problem.loadLP("", **data)
    sense = xpress.ObjSense
    problem.chgObjSense(sense.MINIMIZE if program.sense == "min" else sense.MAXIMIZE)
    problem.chgObj([-1], [-program.offset])  # the constant, by its negative


def _set_start(problem: Any, start: FloatArray) -> None:
    known = np.flatnonzero(~np.isnan(start))
    problem.addMipSol(start[known], known)


def _ended(xpress: Any, found: Any) -> tuple[str | None, tuple[int, int, int]]:
    """The name of how a solve ended, None if it has none, and its three codes."""
    code = int(found.solvestatus), int(found.solstatus), int(found.stopstatus)
    kinds = xpress.SolveStatus
    if found.solvestatus == kinds.COMPLETED:
        return _names(xpress.SolStatus).get(code[1]), code
    if found.solvestatus in (kinds.STOPPED, kinds.FAILED):
        return _names(xpress.StopType).get(code[2]), code
    return _names(kinds).get(code[0]), code


@cache
def _names(kinds: Any) -> dict[int, str]:
    return {int(each.value): each.name for each in kinds}


@cache
def _start(xpress: Any) -> None:
    """Look for a licence; that there is no file is said where a program is too large."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", xpress.LicenseWarning)
        xpress.init()


@cache
def _controls(xpress: Any) -> tuple[str, ...]:
    return tuple(name for name in dir(xpress.problem().controls) if not name.startswith("_"))
