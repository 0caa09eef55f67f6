"""cuOpt, of NVIDIA: linear and mixed-integer programs on a GPU.

This module is built after the documentation of cuOpt 26.10 and its Python source. Without a GPU its
package imports, takes programs and parameters, and refuses to solve: that has been run. What a
solve returns is tested by a module that plays it.

Every program is minimised, a maximisation with its costs negated: the multiplier of a row is the
derivative of that minimum by the side that holds, and so is the bound of an integer program its
own.

Options have cuOpt's names, such as ``mip_relative_gap``.
"""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from cpe_opt.errors import InputError, SolverUnable
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
from cpe_opt.solvers.compatibility import installed

_PACKAGES = ("cuopt-cu12", "cuopt-cu13")
_PARAMETERS = "cuopt.linear_programming.solver.solver_parameters"
_NO_GPU = "CUOPT_REMOTE_HOST"  # in what it says where there is no GPU
_POINTS = ("Optimal", "IterationLimit", "TimeLimit", "PrimalFeasible", "FeasibleFound")


class CuOpt(Translated):
    """cuOpt through its Python API."""

    name = "cuopt"
    own_name = "cuOpt"
    solves = frozenset({"LP", "MIP"})
    package = "cuopt-cu12"
    module = "cuopt.linear_programming"
    install = "pip install cuopt-cu12"
    about = "first-order method, simplex, interior point, and branch and bound on a GPU"
    licence = "Apache-2.0"
    takes_threads = True
    cut_tolerance = 1e-6
    accuracy = 1e-6
    gap_options = frozenset({"mip_relative_gap", "mip_absolute_gap"})
    defaults: ClassVar[dict[str, Any]] = {
        "absolute_primal_tolerance": 1e-8,
        "relative_primal_tolerance": 1e-8,
        "absolute_dual_tolerance": 1e-8,
        "relative_dual_tolerance": 1e-8,
        "absolute_gap_tolerance": 1e-8,
        "relative_gap_tolerance": 1e-8,
        "mip_absolute_tolerance": 1e-9,
        "mip_integrality_tolerance": 1e-9,
        "mip_relative_gap": 0.0,
        "mip_absolute_gap": 0.0,
    }
    statuses: ClassVar[dict[str, Status]] = {
        "NoTermination": Status.ERROR,
        "NumericalError": Status.IMPRECISE,
        "Optimal": Status.OPTIMAL,
        "PrimalInfeasible": Status.INFEASIBLE,
        "Infeasible": Status.INFEASIBLE,
        "DualInfeasible": Status.INFEASIBLE_OR_UNBOUNDED,
        "Unbounded": Status.UNBOUNDED,
        "UnboundedOrInfeasible": Status.INFEASIBLE_OR_UNBOUNDED,
        "IterationLimit": Status.ITERATION_LIMIT,
        "TimeLimit": Status.TIME_LIMIT,
        "PrimalFeasible": Status.IMPRECISE,
        "FeasibleFound": Status.OTHER_LIMIT,
    }

    def version(self) -> str:
        """The version of the package for either version of CUDA."""
        self.require()
        there = (installed(package, self.folder) for package in _PACKAGES)
        return str(next((version for version in there if version is not None), "unknown"))

    def known_options(self) -> list[str]:
        """CuOpt's parameters."""
        self.load()
        parameters = import_module(_PARAMETERS)
        return list(dict.fromkeys(parameters.solver_params))

    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve from scratch."""
        started = time.perf_counter()
        module = self.load()
        self.check_options(options.solver_options, self.known_options())
        if not program.shape[1]:
            return decided_without_columns(program)
        sign = 1.0 if program.sense == "min" else -1.0
        settings = self._settings(module, options)
        model = _model(module, with_a_row(program), sign)
        left = options.time_left(started)
        if left is not None:
            if left <= 0.0:
                return out_of_time()
            settings.set_parameter("time_limit", left)
        try:
            solution = module.Solve(model, settings)
        except ValueError as error:  # ranges are looked at there
            raise InputError(f"cuopt does not accept its options: {error}") from None
        except Exception as error:  # its exceptions have no class in common
            said = " ".join(str(error).split())
            if _NO_GPU in said:
                raise SolverUnable(f"solver 'cuopt' finds no GPU here: {said}") from None
            return RawSolution(Status.ERROR, message=f"cuOpt: {type(error).__name__}: {said}")
        return self._raw(program, solution, sign, limited=left is not None)

    def _settings(self, module: Any, options: SolverSettings) -> Any:
        settings = module.SolverSettings()
        for name, value in {**self.defaults, **options.solver_options}.items():
            kind = type(settings.get_parameter(name))
            settings.set_parameter(name, self.typed(name, value, kind))
        settings.set_parameter("log_to_console", options.log)
        settings.set_parameter("random_seed", options.seed)
        if options.threads > 1:
            settings.set_parameter("num_cpu_threads", options.threads)
        return settings

    def _raw(
        self, program: LinearProgram, solution: Any, sign: float, *, limited: bool
    ) -> RawSolution:
        if int(solution.get_error_status()):
            return RawSolution(Status.ERROR, message=f"cuOpt: {solution.get_error_message()}")
        name = solution.get_termination_reason()
        code = int(solution.get_termination_status())
        status, message = self.translated(name if name in self.statuses else None, code)
        if status is Status.OTHER_LIMIT and limited:
            status = Status.TIME_LIMIT  # with a point it does not say which limit it met
        x = duals = bound = None
        point = solution.get_primal_solution()
        if name in _POINTS and point is not None and len(point) == program.shape[1]:
            x = np.array(point, dtype=np.float64)
        if program.is_integer:
            numbers = solution.get_milp_stats()
            bound, iterations = numbers["solution_bound"], numbers["num_simplex_iterations"]
            bound = sign * float(bound) + program.offset if np.isfinite(bound) else None
        else:
            iterations = solution.get_lp_stats()["nb_iterations"]
            if x is not None:
                given = np.array(solution.get_dual_solution(), dtype=np.float64)
                duals = sign * given[: program.shape[0]]
        return RawSolution(status, x, duals, bound, int(iterations), message)


def _model(module: Any, program: LinearProgram, sign: float) -> Any:
    """The program in arrays, without its names."""
    matrix = program.matrix
    model = module.DataModel()
    model.set_csr_constraint_matrix(
        matrix.data, matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    )
    model.set_objective_coefficients(sign * program.costs)
    model.set_constraint_lower_bounds(program.row_lower)
    model.set_constraint_upper_bounds(program.row_upper)
    model.set_variable_lower_bounds(program.column_lower)
    model.set_variable_upper_bounds(program.column_upper)
    if program.is_integer:
        model.set_variable_types(np.where(program.integer, "I", "C"))
    return model
