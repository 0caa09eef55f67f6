"""GLOP, PDLP and SCIP through OR-Tools' MathOpt.

CVXPY's own interfaces to GLOP and PDLP refuse versions of OR-Tools that CVXPY does not know.

MathOpt's duals are derivatives of the optimum by the right-hand side in either sense, which is this
package's convention.
"""

from __future__ import annotations

import datetime
import math
import time
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from cpe_opt.errors import InputError
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import (
    Backend,
    RawSolution,
    SolverSettings,
    decided_without_columns,
    out_of_time,
)


class MathOpt(Backend):
    """What the three share; each names its solver type and its parameter message."""

    package = "ortools"
    module = "ortools.math_opt.python.mathopt"
    install = "pip install ortools"
    licence = "Apache-2.0"
    solver_type: ClassVar[str]
    parameters: ClassVar[str]
    defaults: ClassVar[dict[str, Any]] = {}
    iteration_option: ClassVar[str] = ""
    takes_seed: ClassVar[bool] = True

    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve from scratch."""
        started = time.perf_counter()
        mathopt = self.load()
        if not program.shape[1]:
            return decided_without_columns(program)
        parameters = mathopt.SolveParameters(
            enable_output=options.log, random_seed=options.seed if self.takes_seed else None
        )
        self.set_options(parameters, {**self.defaults, **options.solver_options})
        model, columns, rows = _model(mathopt, program)
        left = options.time_left(started)
        if left is not None:
            if left <= 0.0:
                return out_of_time()
            parameters.time_limit = datetime.timedelta(seconds=left)
        try:
            result = mathopt.solve(
                model,
                getattr(mathopt.SolverType, self.solver_type),
                params=parameters,
                model_params=_start(mathopt, columns, options),
            )
        except (ValueError, RuntimeError, AttributeError) as error:
            # MathOpt may trip over its own translation of a failure; the cause is one level down.
            return self.failed(str(error.__context__ or error))
        raw = _raw(mathopt, result, columns, rows)
        # MathOpt does not always say that it met a limit on iterations.
        most = options.solver_options.get(self.iteration_option, math.inf)
        if raw.status is Status.OTHER_LIMIT and raw.iterations >= most:
            return replace(raw, status=Status.ITERATION_LIMIT)
        return raw

    def failed(self, message: str) -> RawSolution:
        """What to say of a solver that did not start."""
        return RawSolution(Status.ERROR, message=f"{self.name}: {message}")

    def set_options(self, parameters: Any, chosen: dict[str, Any]) -> None:
        """Fill the solver's own parameter message."""
        message = getattr(parameters, self.parameters)
        self.check_options(chosen, message.DESCRIPTOR.fields_by_name)
        self.fill_message(message, chosen)


class Glop(MathOpt):
    """Google's simplex solver."""

    name = "glop"
    solves = frozenset({"LP"})
    solver_type, parameters = "GLOP", "glop"
    iteration_option = "max_number_of_iterations"
    defaults: ClassVar[dict[str, Any]] = {
        "primal_feasibility_tolerance": 1e-9,
        "dual_feasibility_tolerance": 1e-9,
    }
    about = "revised simplex"


class Pdlp(MathOpt):
    """First-order method: large programs, moderate accuracy."""

    name = "pdlp"
    solves = frozenset({"LP"})
    solver_type, parameters = "PDLP", "pdlp"
    takes_seed = False
    cut_tolerance = 1e-5
    accuracy = 1e-4
    defaults: ClassVar[dict[str, Any]] = {
        "termination_criteria": {
            "simple_optimality_criteria": {
                "eps_optimal_absolute": 1e-7,
                "eps_optimal_relative": 1e-7,
            }
        }
    }
    about = "first-order method, accuracy about 1e-6"


class Scip(MathOpt):
    """SCIP as shipped inside OR-Tools."""

    name = "scip"
    solves = frozenset({"LP", "MIP"})
    solver_type, parameters = "GSCIP", "gscip"
    about = "branch, cut and price, as shipped in OR-Tools"
    gap_options = frozenset({"limits/gap", "limits/absgap"})
    starts = frozenset({"MIP"})
    # Its presolve takes points for feasible that break rows of fractional coefficients.
    defaults: ClassVar[dict[str, Any]] = {
        "presolving/maxrounds": 0,
        "limits/gap": 0.0,
        "limits/absgap": 0.0,
        "numerics/feastol": 1e-9,
        "numerics/dualfeastol": 1e-9,
    }
    # Everything else that is whole is an int to SCIP, not a Longint.
    long_options: ClassVar[frozenset[str]] = frozenset(
        {"limits/nodes", "limits/stallnodes", "limits/totalnodes"}
    )
    option_errors: ClassVar[dict[str, str]] = {
        "-12": "there is no such option",
        "-13": "a value has the wrong type",
        "-14": "a value is out of range",
    }

    def set_options(self, parameters: Any, chosen: dict[str, Any]) -> None:
        """Options carry SCIP's own names, such as ``limits/gap``; the type picks the table."""
        tables = {
            bool: "bool_params",
            int: "int_params",
            float: "real_params",
            str: "string_params",
        }
        for name, value in chosen.items():
            if type(value) not in tables:
                raise InputError(f"scip option {name!r} does not accept the value {value!r}")
            table = "long_params" if name in self.long_options else tables[type(value)]
            getattr(parameters.gscip, table)[name] = value

    def failed(self, message: str) -> RawSolution:
        """Options are checked by SCIP itself."""
        for code, meaning in self.option_errors.items():
            if f"SCIP error code {code} " in message:
                raise InputError(f"scip did not accept its options: {meaning}")
        if "Expected no NaN or inf" in message:
            # Its point lies at infinity, which MathOpt does not translate.
            return RawSolution(Status.INFEASIBLE_OR_UNBOUNDED, message=f"scip: {message}")
        return super().failed(message)


def _model(mathopt: Any, program: LinearProgram) -> tuple[Any, list[Any], list[Any]]:
    """The program as a MathOpt model, with its variables and rows in our order."""
    model = mathopt.Model(name=program.name)
    columns = [
        model.add_variable(lb=lower, ub=upper, is_integer=whole, name=name)
        for lower, upper, whole, name in zip(
            program.column_lower.tolist(),
            program.column_upper.tolist(),
            program.integer.tolist(),
            program.column_names,
            strict=True,
        )
    ]
    rows = [
        model.add_linear_constraint(lb=lower, ub=upper, name=name)
        for lower, upper, name in zip(
            program.row_lower.tolist(), program.row_upper.tolist(), program.row_names, strict=True
        )
    ]
    entries = program.matrix.tocoo()
    for row, column, value in zip(
        entries.coords[0].tolist(), entries.coords[1].tolist(), entries.data.tolist(), strict=True
    ):
        rows[row].set_coefficient(columns[column], value)
    model.objective.is_maximize = program.sense == "max"
    model.objective.offset = program.offset
    for column in np.flatnonzero(program.costs).tolist():
        model.objective.set_linear_coefficient(columns[column], float(program.costs[column]))
    return model, columns, rows


def _start(mathopt: Any, columns: list[Any], options: SolverSettings) -> Any:
    """The point to start from, if any, as a hint."""
    parameters = mathopt.ModelSolveParameters()
    if options.start is not None:
        known = {
            column: value
            for column, value in zip(columns, options.start.tolist(), strict=True)
            if not math.isnan(value)
        }
        parameters.solution_hints = [mathopt.SolutionHint(variable_values=known)]
    return parameters


def _raw(mathopt: Any, result: Any, columns: list[Any], rows: list[Any]) -> RawSolution:
    reason = mathopt.TerminationReason
    status = {
        reason.OPTIMAL: Status.OPTIMAL,
        reason.INFEASIBLE: Status.INFEASIBLE,
        reason.UNBOUNDED: Status.UNBOUNDED,
        reason.INFEASIBLE_OR_UNBOUNDED: Status.INFEASIBLE_OR_UNBOUNDED,
        reason.IMPRECISE: Status.IMPRECISE,
    }.get(result.termination.reason, Status.ERROR)
    if result.termination.reason in (reason.FEASIBLE, reason.NO_SOLUTION_FOUND):
        limits = {
            mathopt.Limit.TIME: Status.TIME_LIMIT,
            mathopt.Limit.ITERATION: Status.ITERATION_LIMIT,
        }
        status = limits.get(result.termination.limit, Status.OTHER_LIMIT)
    message = "" if status is Status.OPTIMAL else f"MathOpt: {result.termination}"
    x = duals = bound = None
    if result.has_primal_feasible_solution():
        x = np.array(result.variable_values(columns), dtype=np.float64)
    if result.has_dual_feasible_solution():
        duals = np.array(result.dual_values(rows), dtype=np.float64)
    elif np.isfinite(result.dual_bound()):
        bound = float(result.dual_bound())
    stats = result.solve_stats
    iterations = stats.simplex_iterations + stats.first_order_iterations
    return RawSolution(status, x, duals, bound, int(iterations), message)
