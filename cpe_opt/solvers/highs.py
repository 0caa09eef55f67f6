"""HiGHS: linear and mixed-integer programs, kept and re-solved from the last basis; and convex QPs.

It counts ``time_limit`` over the life of an object, so a session adds what it has used. The dual of
a row is the derivative of the optimum by the row's side in either sense. A quadratic program is
minimised, if need be with the objective negated.

HiGHS returns wrong optima where bounds of whole columns are fractions: they are rounded inwards. It
takes coefficients up to ``small_matrix_value`` for 0, here its least, 1e-12. To a Hessian it adds a
multiple of the identity, which moves the optimum: a small one at first, and its own default where
no optimum is found so.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray
from cpe_opt.errors import InputError, SolverFailed
from cpe_opt.modelling.program import LinearProgram, RowBlock
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import (
    Backend,
    RawSolution,
    Reoptimiser,
    SolverSettings,
    load,
    out_of_time,
)

_DEFAULTS = {
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
    "mip_feasibility_tolerance": 1e-9,
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 0.0,
    "small_matrix_value": 1e-12,
}
_REGULARISATIONS = (1e-10, 1e-7)  # multiples of the identity that HiGHS adds to the Hessian
_WHOLE = 1e-9  # how far from a whole number a bound counts as it
_LIMITS = ("kSolutionLimit", "kMemoryLimit", "kObjectiveBound", "kObjectiveTarget", "kInterrupt")
_STATUSES = dict.fromkeys(_LIMITS, Status.OTHER_LIMIT) | {
    "kOptimal": Status.OPTIMAL,
    "kInfeasible": Status.INFEASIBLE,
    "kUnbounded": Status.UNBOUNDED,
    "kUnboundedOrInfeasible": Status.INFEASIBLE_OR_UNBOUNDED,
    "kTimeLimit": Status.TIME_LIMIT,
    "kIterationLimit": Status.ITERATION_LIMIT,
}


@cache
def _option_names(module: Any) -> tuple[str, ...]:
    return tuple(name for name in dir(module.HighsOptions()) if not name.startswith("_"))


@contextmanager
def unheard() -> Iterator[None]:
    """Let libraries print nothing, in the whole process: for the moment in which one greets."""
    try:
        sys.stdout.flush()
        output = os.dup(1)
    except (AttributeError, OSError):  # there is no output, and 1 may be a file
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        yield
    finally:
        os.dup2(output, 1)
        os.close(output)


@cache
def _first_object(module: Any) -> None:
    """Make the first object unheard: HiGHS 1.16 prints its name then, before it has any option."""
    with unheard():
        module.Highs()


class Highs(Backend):
    """The default solver."""

    name = "highs"
    solves = frozenset({"LP", "MIP", "QP"})
    incremental = True
    package = module = "highspy"
    install = "pip install highspy"
    about = "simplex, interior point, branch and cut; the default"
    licence = "MIT"
    gap_options = frozenset({"mip_rel_gap", "mip_abs_gap"})
    takes_threads = True
    starts = frozenset({"LP", "MIP"})

    def load(self) -> Any:
        """Import highspy, whose greeting does not get into what this process prints."""
        module = load("highspy", "highspy", f"solver {self.name!r}", self.install)
        _first_object(module)
        return module

    def solve(
        self, program: LinearProgram | QuadraticProgram, settings: SolverSettings
    ) -> RawSolution:
        """Solve from scratch; quadratic programs by the active-set method."""
        started = time.perf_counter()
        try:
            if isinstance(program, QuadraticProgram):
                return self._solve_quadratic(program, settings, started)
            session = HighsSession(self, program, settings)
            return session.optimise(settings.time_left(started))
        except SolverFailed as error:
            return RawSolution(Status.ERROR, message=str(error))

    def _solve_quadratic(
        self, program: QuadraticProgram, settings: SolverSettings, started: float
    ) -> RawSolution:
        """Solve with little regularisation, and where that fails with more."""
        least = program if program.sense == "min" else program.negated()
        raw, option = RawSolution(Status.ERROR), "qp_regularization_value"
        for regularisation in _REGULARISATIONS:
            given = replace(
                settings, solver_options={option: regularisation, **settings.solver_options}
            )
            raw = HighsSession(self, least, given).optimise(settings.time_left(started))
            if raw.status is Status.OPTIMAL or option in settings.solver_options:
                break
        if least is program or raw.row_duals is None:
            return raw
        return replace(raw, row_duals=-raw.row_duals)

    def open(self, program: LinearProgram, settings: SolverSettings) -> Reoptimiser:
        """A session that keeps the model and the basis."""
        return HighsSession(self, program, settings)


class HighsSession(Reoptimiser):
    """One HiGHS object that holds one program."""

    def __init__(
        self, backend: Highs, program: LinearProgram | QuadraticProgram, options: SolverSettings
    ) -> None:
        self._module: Any = backend.load()
        self._highs: Any = self._module.Highs()
        self._highs.setOptionValue("output_flag", options.log)
        chosen = {**_DEFAULTS, **options.solver_options}
        backend.check_options(chosen, _option_names(self._module))
        chosen |= {"threads": options.threads, "random_seed": options.seed}
        self._threads = options.threads
        for name, value in chosen.items():
            if self._highs.setOptionValue(name, value) != self._module.HighsStatus.kOk:
                raise InputError(f"highs option {name!r} does not accept the value {value!r}")
        if (
            _pass_model(self._highs, self._module, program.linear)
            == self._module.HighsStatus.kError
        ):
            raise SolverFailed(f"highs did not accept the program {program.name!r}")
        self._integer = program.is_integer
        if isinstance(program, QuadraticProgram) and program.quadratic.nnz:
            self._pass_hessian(program.quadratic)
        if options.start is not None:
            self.set_start(options.start)

    def _pass_hessian(self, quadratic: sp.csr_array) -> None:
        """Add the terms ½ x'Qx to the objective; Q, symmetric, by its lower triangle."""
        triangle = sp.csc_array(sp.tril(quadratic))
        triangle.sort_indices()
        shape = (triangle.shape[0], triangle.nnz, int(self._module.HessianFormat.kTriangular))
        starts, rows = triangle.indptr[:-1].astype(np.int32), triangle.indices.astype(np.int32)
        self._check(self._highs.passHessian(*shape, starts, rows, triangle.data), "quadratic terms")

    def set_start(self, start: FloatArray) -> None:
        """Start from a point, NaN if it has no value."""
        known = np.flatnonzero(~np.isnan(start))
        status = self._highs.setSolution(len(known), known.astype(np.int32), start[known])
        self._check(status, "point to start from")

    def set_costs(self, columns: npt.NDArray[np.integer], costs: FloatArray) -> None:
        """Change objective coefficients; the basis stays."""
        status = self._highs.changeColsCost(len(columns), columns.astype(np.int32), costs)
        self._check(status, "costs")

    def set_upper(self, columns: npt.NDArray[np.integer], upper: FloatArray) -> None:
        """Change upper bounds of columns, whose lower bounds are 0; the basis stays."""
        numbers, lower = columns.astype(np.int32), np.zeros(len(columns))
        status = self._highs.changeColsBounds(len(columns), numbers, lower, upper)
        self._check(status, "bounds")

    def add_rows(self, block: RowBlock) -> None:
        """Append rows; the basis stays, with the new rows basic."""
        matrix = block.matrix
        starts, columns = matrix.indptr[:-1].astype(np.int32), matrix.indices.astype(np.int32)
        entries = (matrix.nnz, starts, columns, matrix.data)
        self._check(self._highs.addRows(len(block), block.lower, block.upper, *entries), "rows")

    def keep_rows(self, keep: BoolArray) -> None:
        """Delete every row outside the mask."""
        gone = np.flatnonzero(~keep).astype(np.int32)
        self._check(self._highs.deleteRows(len(gone), gone), "deletions")

    def optimise(self, time_limit: float | None) -> RawSolution:
        """Solve from the last basis."""
        if time_limit is not None and time_limit <= 0.0:
            return out_of_time()
        highs = self._highs
        limit = np.inf if time_limit is None else highs.getRunTime() + time_limit
        highs.setOptionValue("time_limit", limit)
        SCHEDULER.prepare(self._module, self._threads)
        highs.run()
        ended, info, solution = highs.getModelStatus(), highs.getInfo(), highs.getSolution()
        if ended.name == "kModelEmpty":
            empty = np.zeros(highs.getNumCol())
            return RawSolution(Status.OPTIMAL, empty, np.zeros(highs.getNumRow()))
        status = _STATUSES.get(ended.name, Status.ERROR)
        message = "" if status is Status.OPTIMAL else f"HiGHS: {highs.modelStatusToString(ended)}"
        x = duals = bound = None
        if info.primal_solution_status == self._module.SolutionStatus.kSolutionStatusFeasible:
            x = np.array(solution.col_value)
            if solution.dual_valid and not self._integer:
                duals = np.array(solution.row_dual)
        if self._integer and np.isfinite(info.mip_dual_bound):
            bound = float(info.mip_dual_bound)
        counts = info.simplex_iteration_count, info.ipm_iteration_count, info.qp_iteration_count
        iterations = sum(max(int(count), 0) for count in counts)
        return RawSolution(status, x, duals, bound, iterations, message)

    def basis(self) -> tuple[list[str], list[str]] | None:
        """Where the last solve left each column and each row; None if it left no basis."""
        basis = self._highs.getBasis()
        if not basis.valid:
            return None
        columns, rows = (
            [status.name.removeprefix("k").lower() for status in statuses]
            for statuses in (basis.col_status, basis.row_status)
        )
        return columns, rows

    def ranging(self) -> Any:
        """HiGHS's intervals of costs, sides and bounds at the last optimum; None without."""
        status, intervals = self._highs.getRanging()
        return intervals if status == self._module.HighsStatus.kOk and intervals.valid else None

    def _check(self, status: Any, what: str) -> None:
        if status == self._module.HighsStatus.kError:
            raise SolverFailed(f"highs did not accept the new {what}")


def _pass_model(highs: Any, module: Any, program: LinearProgram) -> Any:
    """Hand over the program in arrays, without its names, which HiGHS would copy one by one."""
    (rows, columns), matrix = program.shape, program.matrix
    sense = module.ObjSense.kMinimize if program.sense == "min" else module.ObjSense.kMaximize
    lower, upper = program.column_lower, program.column_upper
    if program.is_integer:
        lower = np.where(program.integer, np.ceil(lower - _WHOLE), lower)
        upper = np.where(program.integer, np.floor(upper + _WHOLE), upper)
    return highs.passModel(
        columns,
        rows,
        matrix.nnz,
        int(module.MatrixFormat.kRowwise),
        int(sense),
        program.offset,
        program.costs,
        lower,
        upper,
        program.row_lower,
        program.row_upper,
        matrix.indptr.astype(np.int32, copy=False),
        matrix.indices.astype(np.int32, copy=False),
        matrix.data,
        program.integer.astype(np.int32),  # 0 and 1 are HiGHS's continuous and integer
    )


class Scheduler(threading.local):
    """The workers of HiGHS, which every thread of a process has for itself.

    A thread starts them once, for one number of threads, and a later solve that asks for another
    number fails: so it ends them first. A process that is forked by a thread with workers inherits
    a scheduler without them, and would wait for ever: they are ended before a fork. ``threads`` is
    how many workers this thread has, None if it has none.
    """

    def __init__(self) -> None:
        self.threads: int | None = None
        self._module: Any = None

    def prepare(self, module: Any, threads: int) -> None:
        """Let HiGHS, the module ``highspy``, solve with this number of threads in this thread."""
        if self.threads != threads:
            self.end_workers()
        self._module, self.threads = module, threads

    def end_workers(self) -> None:
        """End the workers of this thread, if it has any."""
        if self.threads is not None:
            self._module.Highs.resetGlobalScheduler(True)
            self.threads = None


SCHEDULER = Scheduler()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=SCHEDULER.end_workers)


BACKENDS = {"highs": Highs()}
