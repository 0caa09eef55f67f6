"""GLOP, PDLP, SCIP and CP-SAT through OR-Tools' MathOpt, whose messages are filled from arrays.

MathOpt's duals are derivatives of the optimum by the right-hand side in either sense, which is this
package's convention. SCIP gives none.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, SolverUnable
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import (
    NO_OPTIMUM,
    Backend,
    RawSolution,
    SolverSettings,
    out_of_time,
)

_BETWEEN_INTERRUPTS = 0.05  # seconds
_CLAIMS = {each.name: each for each in (Status.OPTIMAL, Status.IMPRECISE, *NO_OPTIMUM)}
_CLAIMS |= dict.fromkeys(("FEASIBLE", "NO_SOLUTION_FOUND"), Status.OTHER_LIMIT)
_LIMITS = {"TIME": Status.TIME_LIMIT, "ITERATION": Status.ITERATION_LIMIT}
# SCIP's tables of options by the type of the value; of whole numbers these alone are its Longints.
_SCIP_TABLES = {bool: "bool", int: "int", float: "real", str: "string"}
_SCIP_LONG = ("limits/nodes", "limits/stallnodes", "limits/totalnodes")


class MathOpt(Backend):
    """One solver of OR-Tools; ``code`` is MathOpt's name, ``defaults`` are the solver's options."""

    package = "ortools"
    module = "ortools.math_opt.core.python.solver"
    install = "pip install ortools"
    licence = "Apache-2.0"
    code: ClassVar[str]
    defaults: ClassVar[Mapping[str, Any]]
    takes_seed: ClassVar[bool] = True

    def solve(
        self, program: LinearProgram | QuadraticProgram, settings: SolverSettings
    ) -> RawSolution:
        """Solve a linear or integer program from scratch."""
        if isinstance(program, QuadraticProgram):
            raise SolverUnable(f"solver {self.name!r} takes no quadratic program")
        started = time.perf_counter()
        core = self.load()
        from ortools.math_opt import parameters_pb2

        parameters = parameters_pb2.SolveParametersProto(enable_output=settings.log)
        if self.takes_seed:
            parameters.random_seed = settings.seed
        if self.takes_threads:
            parameters.threads = settings.threads
        self._set_options(parameters, settings.solver_options)
        model = _model(program)
        left = settings.time_left(started)
        if left is not None:
            if left <= 0.0:
                return out_of_time()
            parameters.time_limit.FromNanoseconds(round(1e9 * min(left, 1e9)))
        try:
            answer = _interruptible(core, model, self.code, parameters, settings.start)
        except Exception as error:  # a StatusNotOk, which has no base class of Python's
            if "SCIP error code -1" in str(error) and settings.solver_options:
                raise InputError(f"scip did not accept its options: {error}") from error
            status = Status.ERROR
            if "Expected no NaN or inf" in str(error):  # SCIP's point is at infinity
                status = Status.INFEASIBLE_OR_UNBOUNDED
            return RawSolution(status, message=f"{self.name}: {error}")
        raw = _raw(answer, program.shape)
        # MathOpt does not always say that the limit was one of time.
        if raw.status is Status.OTHER_LIMIT and left is not None and not settings.solver_options:
            return replace(raw, status=Status.TIME_LIMIT)
        return raw

    def _set_options(self, parameters: Any, given: Mapping[str, Any]) -> None:
        """Fill the solver's own message of parameters."""
        message = getattr(parameters, self.code.lower())
        if self.name != "scip":  # which does it itself, when it starts
            self.check_options(given, message.DESCRIPTOR.fields_by_name)
        gaps = dict.fromkeys(self.gap_options, 0.0)
        for name, value in {**self.defaults, **gaps, **given}.items():
            try:
                self._set_option(message, name, value)
            except Exception as error:  # protobuf has errors of its own
                raise InputError(
                    f"{self.name} option {name!r} does not accept the value {value!r}: {error}"
                ) from error

    def _set_option(self, message: Any, name: str, value: Any) -> None:
        from google.protobuf import json_format

        json_format.ParseDict({name: value}, message)


class Glop(MathOpt):
    """OR-Tools' simplex method."""

    name, code = "glop", "GLOP"
    about = "revised simplex"
    solves = frozenset({"LP"})
    defaults: ClassVar = {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9}


class Pdlp(MathOpt):
    """OR-Tools' first-order method."""

    name, code = "pdlp", "PDLP"
    about = "first-order method for large programs"
    solves = frozenset({"LP"})
    cut_tolerance = 1e-5
    takes_seed = False
    accuracy: ClassVar = {"eps_optimal_absolute": 1e-8, "eps_optimal_relative": 1e-8}
    defaults: ClassVar = {"termination_criteria": {"simple_optimality_criteria": accuracy}}


class Scip(MathOpt):
    """SCIP, whose presolve takes points for feasible that break rows of fractional coefficients."""

    name, code = "scip", "GSCIP"
    about = "branch, cut and price, as shipped in OR-Tools; no duals"
    solves = frozenset({"LP", "MIP"})
    gap_options = frozenset({"limits/gap", "limits/absgap"})
    starts = frozenset({"MIP"})
    defaults: ClassVar = {
        "presolving/maxrounds": 0,
        "numerics/feastol": 1e-9,
        "numerics/dualfeastol": 1e-9,
    }

    def _set_option(self, message: Any, name: str, value: Any) -> None:
        table = "long" if name in _SCIP_LONG else _SCIP_TABLES[type(value)]
        getattr(message, f"{table}_params")[name] = value


class CpSat(MathOpt):
    """CP-SAT, which takes whole, bounded columns alone."""

    name, code = "cp-sat", "CP_SAT"
    about = "constraint solver: all columns whole and bounded"
    solves = frozenset({"MIP"})
    gap_options = frozenset({"relative_gap_limit", "absolute_gap_limit"})
    starts = frozenset({"MIP"})
    takes_threads = True
    defaults: ClassVar = {"catch_sigint_signal": False}

    def solve(
        self, program: LinearProgram | QuadraticProgram, settings: SolverSettings
    ) -> RawSolution:
        """Solve a program of such columns; raise :class:`SolverUnable` on any other."""
        linear = program.linear
        bounded = np.isfinite(linear.column_lower) & np.isfinite(linear.column_upper)
        wrong = np.flatnonzero(~linear.integer | ~bounded)
        if wrong.size:
            column = program.column_names[int(wrong[0])]
            raise SolverUnable(
                f"cp-sat needs every column whole and bounded, column {column!r} of "
                f"{program.name!r} is not; highs and scip can solve it"
            )
        return super().solve(program, settings)


def _interruptible(
    core: Any, model: Any, code: str, parameters: Any, start: FloatArray | None
) -> Any:
    """What a solve ends with; Ctrl-C stops it, and is raised when it has stopped."""
    from ortools.math_opt import callback_pb2, model_parameters_pb2, parameters_pb2

    hint = model_parameters_pb2.ModelSolveParametersProto()
    if start is not None:
        known = np.flatnonzero(~np.isnan(start))
        values = hint.solution_hints.add().variable_values
        values.ids.extend(known.tolist())
        values.values.extend(start[known].tolist())
    interrupter = _interrupter(core, code)
    with ThreadPoolExecutor(1) as pool:
        solving = pool.submit(
            core.solve,
            model,
            getattr(parameters_pb2, f"SOLVER_TYPE_{code}"),
            parameters_pb2.SolverInitializerProto(),
            parameters,
            hint,
            None,
            callback_pb2.CallbackRegistrationProto(),
            None,
            getattr(interrupter, "pybind_interrupter", interrupter),
        )
        try:
            return solving.result()
        except KeyboardInterrupt:
            while not solving.done():  # it may not have begun yet
                if interrupter is not None:
                    interrupter.interrupt()
                time.sleep(_BETWEEN_INTERRUPTS)
            raise


def _interrupter(core: Any, code: str) -> Any:
    """What stops a solve, or None: from 9.15 on SCIP prints errors if it is given one."""
    if hasattr(core, "SolveInterrupter"):
        return core.SolveInterrupter()
    if code == "GSCIP":
        return None
    from ortools.util.python import solve_interrupter

    return solve_interrupter.SolveInterrupter()


def _model(program: LinearProgram) -> Any:
    """The program as MathOpt's message."""
    from ortools.math_opt import model_pb2

    rows, columns = program.shape
    model = model_pb2.ModelProto(name=program.name)
    model.variables.ids.extend(range(columns))
    model.variables.lower_bounds.extend(program.column_lower.tolist())
    model.variables.upper_bounds.extend(program.column_upper.tolist())
    model.variables.integers.extend(program.integer.tolist())
    model.objective.maximize = program.sense == "max"
    model.objective.offset = program.offset
    priced = np.flatnonzero(program.costs)
    model.objective.linear_coefficients.ids.extend(priced.tolist())
    model.objective.linear_coefficients.values.extend(program.costs[priced].tolist())
    model.linear_constraints.ids.extend(range(rows))
    model.linear_constraints.lower_bounds.extend(program.row_lower.tolist())
    model.linear_constraints.upper_bounds.extend(program.row_upper.tolist())
    matrix = program.matrix.copy()
    matrix.sum_duplicates()  # sorts, too, which MathOpt asks for
    entries, filled = matrix.tocoo(), model.linear_constraint_matrix
    filled.row_ids.extend(entries.coords[0].tolist())
    filled.column_ids.extend(entries.coords[1].tolist())
    filled.coefficients.extend(entries.data.tolist())
    return model


def _raw(answer: Any, shape: tuple[int, int]) -> RawSolution:
    """What MathOpt's message says."""
    from ortools.math_opt import result_pb2, solution_pb2

    ended = answer.termination
    reason = result_pb2.TerminationReasonProto.Name(ended.reason)
    limit = result_pb2.LimitProto.Name(ended.limit).removeprefix("LIMIT_")
    status = _CLAIMS.get(reason.removeprefix("TERMINATION_REASON_"), Status.ERROR)
    if status is Status.OTHER_LIMIT:
        status = _LIMITS.get(limit, status)
    said = "" if status is Status.OPTIMAL else f"MathOpt: {reason}, {limit}, {ended.detail}"
    x = duals = None
    feasible = solution_pb2.SOLUTION_STATUS_FEASIBLE
    if answer.solutions:
        solution = answer.solutions[0]
        if solution.primal_solution.feasibility_status == feasible:
            x = _filled(solution.primal_solution.variable_values, shape[1])
        if solution.dual_solution.feasibility_status == feasible:
            duals = _filled(solution.dual_solution.dual_values, shape[0])
    bound = float(ended.objective_bounds.dual_bound)
    proof = bound if duals is None and np.isfinite(bound) else None
    counts = answer.solve_stats.simplex_iterations, answer.solve_stats.first_order_iterations
    return RawSolution(status, x, duals, proof, sum(map(int, counts)), said)


def _filled(vector: Any, size: int) -> FloatArray:
    """A vector of MathOpt's with its zeros."""
    values = np.zeros(size)
    values[np.array(vector.ids, dtype=np.int64)] = vector.values
    return values


BACKENDS: dict[str, Backend] = {each.name: each() for each in (Glop, Pdlp, Scip, CpSat)}
