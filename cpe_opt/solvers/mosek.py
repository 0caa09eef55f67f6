"""MOSEK: linear and mixed-integer programs.

MOSEK solves nothing without a licence file. This module is built after its documentation: models,
parameters and error codes are tested without a licence, what a solve returns by modules that play
it.

Of a linear program the basic solution is taken, or the interior one where there is no basic one.
The multipliers of rows, lower less upper, are derivatives of the optimum by the side that holds in
either sense, which is this package's convention.

Options have MOSEK's generic names, such as ``MSK_DPAR_MIO_TOL_REL_GAP``.
"""

from __future__ import annotations

import sys
import time
from functools import cache
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import (
    RawSolution,
    SolverSettings,
    decided_without_columns,
    out_of_time,
)
from cpe_opt.solvers.commercial import CTRL_C, Commercial, side_kinds

_DEFAULTS = {
    "MSK_DPAR_BASIS_TOL_X": 1e-9,
    "MSK_DPAR_BASIS_TOL_S": 1e-9,
    "MSK_DPAR_MIO_TOL_FEAS": 1e-9,
    "MSK_DPAR_MIO_TOL_ABS_RELAX_INT": 1e-9,
    "MSK_DPAR_MIO_TOL_REL_GAP": 0.0,
    "MSK_DPAR_MIO_TOL_ABS_GAP": 0.0,
}
_INFINITY = 1e30
_KEYS = {"E": "fx", "R": "ra", "L": "up", "G": "lo", "N": "fr"}
# The statuses of a solution that say what it is, and of a problem that has none.
_SOLVED = (
    *("optimal", "integer_optimal", "prim_infeas_cer", "dual_infeas_cer"),
    *("prim_illposed_cer", "dual_illposed_cer"),
)
_UNSOLVABLE = (
    *("prim_infeas", "dual_infeas", "prim_and_dual_infeas", "prim_infeas_or_unbounded"),
    "ill_posed",
)
_POINTS = ("optimal", "integer_optimal", "prim_feas", "prim_and_dual_feas")


class Mosek(Commercial):
    """MOSEK through its Optimizer API."""

    name = "mosek"
    own_name = "MOSEK"
    package = "mosek"
    module = "mosek"
    install = "pip install mosek"
    about = "simplex, interior point, branch and cut"
    licence = "commercial; solves nothing without a licence file"
    size_limit = "that of the licence file"
    gap_options = frozenset({"MSK_DPAR_MIO_TOL_REL_GAP", "MSK_DPAR_MIO_TOL_ABS_GAP"})
    interrupted = frozenset({"trm_user_callback"})
    # Statuses of the solution, of the problem, and of the termination, which have other names.
    statuses: ClassVar[dict[str, Status]] = {
        "optimal": Status.OPTIMAL,
        "integer_optimal": Status.OPTIMAL,
        "prim_infeas_cer": Status.INFEASIBLE,
        "dual_infeas_cer": Status.INFEASIBLE_OR_UNBOUNDED,
        "prim_illposed_cer": Status.IMPRECISE,
        "dual_illposed_cer": Status.IMPRECISE,
        "unknown": Status.ERROR,
        "prim_feas": Status.IMPRECISE,
        "dual_feas": Status.IMPRECISE,
        "prim_and_dual_feas": Status.IMPRECISE,
        "prim_infeas": Status.INFEASIBLE,
        "dual_infeas": Status.INFEASIBLE_OR_UNBOUNDED,
        "prim_and_dual_infeas": Status.INFEASIBLE,
        "prim_infeas_or_unbounded": Status.INFEASIBLE_OR_UNBOUNDED,
        "ill_posed": Status.IMPRECISE,
        "trm_max_iterations": Status.ITERATION_LIMIT,
        "trm_max_time": Status.TIME_LIMIT,
        "trm_server_max_time": Status.TIME_LIMIT,
        "trm_server_max_memory": Status.OTHER_LIMIT,
        "trm_objective_range": Status.OTHER_LIMIT,
        "trm_mio_num_relaxs": Status.OTHER_LIMIT,
        "trm_mio_num_branches": Status.OTHER_LIMIT,
        "trm_num_max_num_int_solutions": Status.OTHER_LIMIT,
        "trm_user_callback": Status.OTHER_LIMIT,
        "trm_stall": Status.IMPRECISE,
        "trm_numerical_problem": Status.IMPRECISE,
        "trm_max_num_setbacks": Status.IMPRECISE,
        "trm_lost_race": Status.ERROR,
        "trm_internal": Status.ERROR,
        "trm_internal_stop": Status.ERROR,
    }

    def known_options(self) -> list[str]:
        """MOSEK's parameters."""
        return list(_parameters(self.load()))

    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve from scratch."""
        started = time.perf_counter()
        mosek = self.load()
        self.check_options(options.solver_options, _parameters(mosek))
        if not program.shape[1]:
            return decided_without_columns(program)
        try:
            with mosek.Task() as task:
                if options.log:
                    task.set_Stream(mosek.streamtype.log, sys.stdout.write)
                self._set_options(mosek, task, options)
                _pass_model(mosek, task, program)
                left = options.time_left(started)
                if left is not None:
                    if left <= 0.0:
                        return out_of_time()
                    task.putparam("MSK_DPAR_OPTIMIZER_MAX_TIME", repr(left))
                with CTRL_C.kept():
                    termination = task.optimize()
                return self._raw(mosek, task, program, termination)
        except mosek.Error as error:
            said = " ".join(str(error.msg).split())
            if "license" in str(error.errno):
                raise self.unlicensed(said) from None
            return RawSolution(Status.ERROR, message=f"MOSEK: error {int(error.errno)}: {said}")

    def _set_options(self, mosek: Any, task: Any, options: SolverSettings) -> None:
        chosen = {**_DEFAULTS, **options.solver_options}
        chosen |= {"MSK_IPAR_NUM_THREADS": options.threads, "MSK_IPAR_MIO_SEED": options.seed}
        kinds = {"D": float, "I": int, "S": str}
        for name, value in chosen.items():
            given = value
            # Whole numbers have names, such as MSK_ON.
            if not (name.startswith("MSK_I") and isinstance(value, str)):
                given = self.typed(name, value, kinds[name.removeprefix("MSK_")[0]])
            try:
                task.putparam(name, given if isinstance(given, str) else repr(given))
            except mosek.Error as error:
                raise self.refused(name, value, " ".join(str(error.msg).split())) from error

    def _raw(self, mosek: Any, task: Any, program: LinearProgram, termination: Any) -> RawSolution:
        kinds = mosek.soltype
        wanted = (kinds.itg,) if program.is_integer else (kinds.bas, kinds.itr)
        solution = next((kind for kind in wanted if task.solutiondef(kind)), None)
        name, code = _ended(mosek, task, solution, termination)
        status, message = self.translated(name if name in self.statuses else None, code)
        x = duals = bound = None
        if solution is not None and _name(task.getsolsta(solution)) in _POINTS:
            x = np.array(task.getxx(solution), dtype=np.float64)
        if program.is_integer:
            bound = float(task.getdouinf(mosek.dinfitem.mio_obj_bound))
            if abs(bound) >= _INFINITY or (x is None and bound == 0.0):  # 0 is what it begins with
                bound = None
        elif x is not None:
            duals = np.array(task.gety(solution), dtype=np.float64)
        items = mosek.iinfitem
        counts = (items.intpnt_iter, items.sim_primal_iter, items.sim_dual_iter)
        iterations = sum(task.getintinf(item) for item in counts)
        return RawSolution(status, x, duals, bound, int(iterations), message)


def _ended(
    mosek: Any, task: Any, solution: Any, termination: Any
) -> tuple[str, tuple[str, str, str]]:
    """The name of how a solve ended, and all three of its statuses."""
    problem = found = "unknown"
    if solution is not None:
        problem, found = _name(task.getprosta(solution)), _name(task.getsolsta(solution))
    stopped = _name(termination)
    code = stopped, problem, found
    if found in _SOLVED:
        return found, code
    if problem in _UNSOLVABLE:
        return problem, code
    return (found if termination == mosek.rescode.ok else stopped), code


def _name(value: Any) -> str:
    """The name of a value of MOSEK's, without the kind of value that it is."""
    return str(value).rpartition(".")[2]


def _pass_model(mosek: Any, task: Any, program: LinearProgram) -> None:
    """Hand over the program in arrays, without names."""
    rows, columns = program.shape
    matrix = sp.csc_array(program.matrix)
    starts = matrix.indptr.astype(np.int64)
    keys = {letter: getattr(mosek.boundkey, key) for letter, key in _KEYS.items()}
    task.inputdata(
        rows,
        columns,
        program.costs,
        program.offset,
        starts[:-1].copy(),
        starts[1:].copy(),
        matrix.indices.astype(np.int32),
        matrix.data,
        [keys[kind] for kind in side_kinds(program.row_lower, program.row_upper).tolist()],
        *_finite(program.row_lower, program.row_upper),
        [keys[kind] for kind in side_kinds(program.column_lower, program.column_upper).tolist()],
        *_finite(program.column_lower, program.column_upper),
    )
    sense = mosek.objsense
    task.putobjsense(sense.minimize if program.sense == "min" else sense.maximize)
    whole = np.flatnonzero(program.integer).tolist()
    if whole:
        task.putvartypelist(whole, [mosek.variabletype.type_int] * len(whole))


def _finite(lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The sides, with MOSEK's own infinity."""
    return np.maximum(lower, -_INFINITY), np.minimum(upper, _INFINITY)


@cache
def _parameters(mosek: Any) -> tuple[str, ...]:
    kinds = {"MSK_DPAR_": mosek.dparam, "MSK_IPAR_": mosek.iparam, "MSK_SPAR_": mosek.sparam}
    return tuple(
        prefix + _name(each).upper() for prefix, kind in kinds.items() for each in kind.values
    )
