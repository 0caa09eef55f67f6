r"""IBM ILOG CPLEX: linear and mixed-integer programs, and convex quadratic ones.

A row with two sides is given by its upper side and the distance of the lower one, so that one is
rounded. A row without a side becomes one with a lower side of :math:`-\infty`. Its duals are
derivatives of the optimum by the right-hand side in either sense, which is this package's
convention. A quadratic objective is handed over by its matrix, with the same one half before it.

Options have the names of CPLEX's Python interface, without its first word, such as
``mip.tolerances.mipgap``.
"""

from __future__ import annotations

import itertools
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
from cpe_opt.solvers.commercial import CTRL_C, Commercial, side_kinds

_DEFAULTS = {
    "simplex.tolerances.feasibility": 1e-9,
    "simplex.tolerances.optimality": 1e-9,
    "mip.tolerances.integrality": 1e-9,
    "mip.tolerances.mipgap": 0.0,
    "mip.tolerances.absmipgap": 0.0,
}
_QUADRATIC = {"barrier.convergetol": 1e-12}  # the gap at which the barrier method ends
_RANGE = "barrier.limits.objrange"
_BEYOND = {
    "CPLEX: abort_primal_obj_limit": Status.UNBOUNDED,
    "CPLEX: abort_dual_obj_limit": Status.INFEASIBLE,
}
_TOO_LARGE = 1016
_LICENSING = range(32000, 33000)  # errors of the licence manager
_PREFIX = "parameters."


class Cplex(Commercial):
    """CPLEX through its Python interface."""

    name = "cplex"
    solves = frozenset({"LP", "MIP", "QP", "MIQP"})
    own_name = "CPLEX"
    package = "cplex"
    module = "cplex"
    install = "pip install cplex"
    about = "simplex, barrier, branch and cut"
    licence = "commercial; size-limited without a licence file"
    size_limit = "1,000 columns and 1,000 rows"
    gap_options = frozenset(
        {"mip.tolerances.mipgap", "mip.tolerances.absmipgap", "mip.tolerances.objdifference"}
    )
    starts = frozenset({"MIP"})
    interrupted = frozenset({"abort_user", "MIP_abort_feasible", "MIP_abort_infeasible"})
    statuses: ClassVar[dict[str, Status]] = {
        "unknown": Status.ERROR,
        "optimal": Status.OPTIMAL,
        "unbounded": Status.UNBOUNDED,
        "infeasible": Status.INFEASIBLE,
        "infeasible_or_unbounded": Status.INFEASIBLE_OR_UNBOUNDED,
        "optimal_infeasible": Status.IMPRECISE,
        "num_best": Status.IMPRECISE,
        "abort_iteration_limit": Status.ITERATION_LIMIT,
        "abort_time_limit": Status.TIME_LIMIT,
        "abort_dettime_limit": Status.OTHER_LIMIT,
        "abort_obj_limit": Status.OTHER_LIMIT,
        "abort_primal_obj_limit": Status.OTHER_LIMIT,
        "abort_dual_obj_limit": Status.OTHER_LIMIT,
        "abort_user": Status.OTHER_LIMIT,
        "abort_relaxed": Status.OTHER_LIMIT,
        "optimal_face_unbounded": Status.IMPRECISE,
        "feasible": Status.IMPRECISE,
        "first_order": Status.IMPRECISE,
        "benders_num_best": Status.IMPRECISE,
        "MIP_optimal": Status.OPTIMAL,
        "optimal_tolerance": Status.OPTIMAL,  # within the gap that is allowed
        "MIP_infeasible": Status.INFEASIBLE,
        "MIP_unbounded": Status.UNBOUNDED,
        "MIP_infeasible_or_unbounded": Status.INFEASIBLE_OR_UNBOUNDED,
        "MIP_optimal_infeasible": Status.IMPRECISE,
        "MIP_feasible": Status.IMPRECISE,
        "MIP_time_limit_feasible": Status.TIME_LIMIT,
        "MIP_time_limit_infeasible": Status.TIME_LIMIT,
        "MIP_dettime_limit_feasible": Status.OTHER_LIMIT,
        "MIP_dettime_limit_infeasible": Status.OTHER_LIMIT,
        "MIP_abort_feasible": Status.OTHER_LIMIT,
        "MIP_abort_infeasible": Status.OTHER_LIMIT,
        "solution_limit": Status.OTHER_LIMIT,
        "node_limit_feasible": Status.OTHER_LIMIT,
        "node_limit_infeasible": Status.OTHER_LIMIT,
        "mem_limit_feasible": Status.OTHER_LIMIT,
        "mem_limit_infeasible": Status.OTHER_LIMIT,
        "fail_feasible": Status.ERROR,
        "fail_infeasible": Status.ERROR,
        "fail_feasible_no_tree": Status.ERROR,
        "fail_infeasible_no_tree": Status.ERROR,
        "relaxation_unbounded": Status.INFEASIBLE_OR_UNBOUNDED,
        # What follows is of solves for a relaxation, a conflict, a pool of solutions or several
        # objectives, which are not asked for.
        **dict.fromkeys(
            (
                *("feasible_relaxed_sum", "optimal_relaxed_sum", "feasible_relaxed_inf"),
                *("optimal_relaxed_inf", "feasible_relaxed_quad", "optimal_relaxed_quad"),
                *("MIP_feasible_relaxed_sum", "MIP_optimal_relaxed_sum"),
                *("MIP_feasible_relaxed_inf", "MIP_optimal_relaxed_inf"),
                *("MIP_feasible_relaxed_quad", "MIP_optimal_relaxed_quad"),
                *("conflict_feasible", "conflict_minimal", "conflict_abort_contradiction"),
                *("conflict_abort_time_limit", "conflict_abort_dettime_limit"),
                *("conflict_abort_iteration_limit", "conflict_abort_node_limit"),
                *("conflict_abort_obj_limit", "conflict_abort_memory_limit"),
                *("conflict_abort_user", "populate_solution_limit", "optimal_populated"),
                *("optimal_populated_tolerance", "multiobj_optimal", "multiobj_infeasible"),
                *("multiobj_inforunbd", "multiobj_unbounded", "multiobj_non_optimal"),
                "multiobj_stopped",
            ),
            Status.ERROR,
        ),
    }

    def known_options(self) -> list[str]:
        """CPLEX's parameters."""
        return list(_parameter_names(self.load()))

    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve from scratch."""
        return self._solved(program, None, options)

    def solve_quadratic(self, program: QuadraticProgram, options: SolverSettings) -> RawSolution:
        """Solve by the barrier method, with whole columns by branch and cut."""
        given = replace(options, solver_options=_QUADRATIC | dict(options.solver_options))
        raw = self._solved(program.linear, program.quadratic, given)
        if _RANGE in options.solver_options:
            return raw
        # The objective of an iterate is beyond 1e20, which is no limit that anybody has set.
        return replace(raw, status=_BEYOND.get(raw.message, raw.status))

    def _solved(
        self, program: LinearProgram, quadratic: sp.csr_array | None, options: SolverSettings
    ) -> RawSolution:
        """Solve a program, with the terms ½ x'Qx in its objective where there is a matrix Q."""
        started = time.perf_counter()
        cplex = self.load()
        try:
            self.check_options(options.solver_options, _parameter_names(cplex))
            if not program.shape[1]:
                return decided_without_columns(program)
            with cplex.Cplex() as model:
                if not options.log:
                    _silence(model)
                self._set_options(cplex, model, options)
                _pass_model(cplex, model, program)
                if quadratic is not None and quadratic.nnz:
                    _pass_quadratic(model, quadratic)
                if options.start is not None:
                    _set_start(model, options.start)
                left = options.time_left(started)
                if left is not None:
                    if left <= 0.0:
                        return out_of_time()
                    model.parameters.timelimit.set(left)
                with CTRL_C.kept():
                    model.solve()
                return self._raw(cplex, model, program)
        except cplex.exceptions.CplexSolverError as error:
            said, _, number = error.args
            if number == _TOO_LARGE:
                raise self.too_large(program) from None
            if number in _LICENSING:
                raise self.unlicensed(said) from None
            return RawSolution(Status.ERROR, message=f"CPLEX: error {number}: {said}")

    def _set_options(self, cplex: Any, model: Any, options: SolverSettings) -> None:
        chosen = {**_DEFAULTS, **options.solver_options}
        chosen |= {"threads": options.threads, "randomseed": options.seed}
        parameters = _parameters(model)
        for name, value in chosen.items():
            parameter = parameters[name]
            given = self.typed(name, value, parameter.type())
            try:
                parameter.set(given)
            except (cplex.exceptions.CplexError, TypeError, OverflowError) as error:
                raise self.refused(name, value, error.args[0]) from error

    def _raw(self, cplex: Any, model: Any, program: LinearProgram) -> RawSolution:
        found = model.solution
        code = found.get_status()
        status, message = self.translated(_status_names(cplex).get(code), code)
        x = duals = bound = None
        if found.is_primal_feasible():
            x = np.array(found.get_values(), dtype=np.float64)
        if program.is_integer:
            bound = _or_none(cplex, found.MIP.get_best_objective)
            if bound is not None and abs(bound) >= cplex.infinity:
                bound = None
        elif x is not None:
            rows = _or_none(cplex, found.get_dual_values)
            duals = None if rows is None else np.array(rows, dtype=np.float64)
        progress = found.progress
        iterations = progress.get_num_iterations() + progress.get_num_barrier_iterations()
        return RawSolution(status, x, duals, bound, int(iterations), message)


def _pass_model(cplex: Any, model: Any, program: LinearProgram) -> None:
    """Hand over the program in lists, without names."""
    types = {"types": np.where(program.integer, "I", "C").tolist()} if program.is_integer else {}
    model.variables.add(
        obj=program.costs.tolist(),
        lb=np.maximum(program.column_lower, -cplex.infinity).tolist(),
        ub=np.minimum(program.column_upper, cplex.infinity).tolist(),
        **types,
    )
    kinds = side_kinds(program.row_lower, program.row_upper)
    ranged = kinds == "R"
    sides = np.where(kinds == "G", program.row_lower, program.row_upper)
    sides = np.where(kinds == "N", -cplex.infinity, sides)
    distances = np.zeros(len(kinds))
    distances[ranged] = program.row_lower[ranged] - program.row_upper[ranged]
    model.linear_constraints.add(
        senses=np.where(kinds == "N", "G", kinds).tolist(),
        rhs=sides.tolist(),
        range_values=distances.tolist(),
    )
    entries = program.matrix.tocoo()
    rows, columns = (places.tolist() for places in entries.coords)
    if entries.nnz:
        model.linear_constraints.set_coefficients(
            list(zip(rows, columns, entries.data.tolist(), strict=True))
        )
    sense = model.objective.sense
    model.objective.set_sense(sense.minimize if program.sense == "min" else sense.maximize)
    model.objective.set_offset(program.offset)


def _pass_quadratic(model: Any, quadratic: sp.csr_array) -> None:
    """Add the quadratic terms, row by row, to the objective."""
    places, values = quadratic.indices.tolist(), quadratic.data.tolist()
    ends = quadratic.indptr.tolist()
    rows = [[places[start:end], values[start:end]] for start, end in itertools.pairwise(ends)]
    model.objective.set_quadratic(rows)


def _set_start(model: Any, start: FloatArray) -> None:
    known = np.flatnonzero(~np.isnan(start))
    values = [known.tolist(), start[known].tolist()]
    model.MIP_starts.add(values, model.MIP_starts.effort_level.auto)


def _silence(model: Any) -> None:
    for stream in ("log", "results", "warning", "error"):
        getattr(model, f"set_{stream}_stream")(None)


def _or_none(cplex: Any, get: Any) -> Any:
    """What CPLEX has of a solution, None if there is none."""
    try:
        return get()
    except cplex.exceptions.CplexSolverError:
        return None


def _parameters(model: Any) -> dict[str, Any]:
    return {str(each).removeprefix(_PREFIX): each for each, _ in model.parameters.get_all()}


@cache
def _parameter_names(cplex: Any) -> tuple[str, ...]:
    with cplex.Cplex() as model:
        return tuple(_parameters(model))


@cache
def _status_names(cplex: Any) -> dict[int, str]:
    with cplex.Cplex() as model:
        kinds = model.solution.status
        names = [name for name in dir(kinds) if not name.startswith("_")]
        return {getattr(kinds, name): name for name in names}
