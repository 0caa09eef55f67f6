"""Clarabel, SCS and OSQP through CVXPY: cone programs, or linear and quadratic ones alone."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import BoolArray, FloatArray, IntArray
from cpe_opt.errors import InputError
from cpe_opt.modelling.cone_duality import ConeData, ConeProof, cone_proof
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import (
    Backend,
    RawSolution,
    SolverSettings,
    decided_without_columns,
    limited,
    out_of_time,
)

_SCS_OPTIONS = (
    "acceleration_interval",
    "acceleration_lookback",
    "adaptive_scale",
    "alpha",
    "eps_abs",
    "eps_infeas",
    "eps_rel",
    "max_iters",
    "normalize",
    "rho_x",
    "scale",
    "time_limit_secs",
    "use_indirect",
)
_OSQP_OPTIONS = (
    "adaptive_rho",
    "adaptive_rho_fraction",
    "adaptive_rho_interval",
    "adaptive_rho_tolerance",
    "alpha",
    "check_termination",
    "delta",
    "eps_abs",
    "eps_dual_inf",
    "eps_prim_inf",
    "eps_rel",
    "max_iter",
    "polish_refine_iter",
    "polishing",
    "rho",
    "scaled_termination",
    "scaling",
    "sigma",
    "time_limit",
)

# Words of Clarabel, SCS, OSQP and HiGHS for the limit at which they stopped.
_LIMITS = {
    "MaxTime": Status.TIME_LIMIT,
    "MaxIterations": Status.ITERATION_LIMIT,
    "time_limit_secs": Status.TIME_LIMIT,
    "max_iters": Status.ITERATION_LIMIT,
    "time limit reached": Status.TIME_LIMIT,
    "maximum iterations reached": Status.ITERATION_LIMIT,
    "kTimeLimit": Status.TIME_LIMIT,
    "kIterationLimit": Status.ITERATION_LIMIT,
}


class Conic(Backend):
    """What the CVXPY solvers share."""

    solves = frozenset({"LP", "QP", "conic"})
    cvxpy_name: ClassVar[str]
    time_option: ClassVar[str]
    proves: ClassVar[bool] = False
    defaults: ClassVar[dict[str, Any]] = {}

    @abstractmethod
    def known_options(self) -> list[str]:
        """The names of the solver's own options."""

    def solve_conic(
        self, problem: Any, options: SolverSettings
    ) -> tuple[RawSolution, float | None]:
        """Solve a ``cvxpy.Problem``."""
        return self._solved(problem, options, proving=self.proves)

    def _solved(
        self, problem: Any, options: SolverSettings, *, proving: bool
    ) -> tuple[RawSolution, float | None]:
        self.require()
        self.check_options(options.solver_options, self.known_options())
        extra = {**self.defaults, **options.solver_options}
        return solve_cvxpy(
            problem, self.cvxpy_name, extra, options, self.time_option, proving=proving
        )

    def solve(self, program: LinearProgram, options: SolverSettings) -> RawSolution:
        """Solve a linear program as a cone program."""
        return self._solve_rows(program, None, options)

    def solve_quadratic(self, program: QuadraticProgram, options: SolverSettings) -> RawSolution:
        """Solve a quadratic program as a cone program with a quadratic objective."""
        return self._solve_rows(program.linear, program.quadratic, options)

    def _solve_rows(
        self, program: LinearProgram, quadratic: sp.csr_array | None, options: SolverSettings
    ) -> RawSolution:
        """Solve a program with linear rows, and perhaps quadratic terms in its objective."""
        import cvxpy

        started = time.perf_counter()
        self.require()
        if not program.shape[1]:
            return decided_without_columns(program)
        x = cvxpy.Variable(program.shape[1])
        objective = program.costs @ x + program.offset
        if quadratic is not None and quadratic.nnz:
            sign = 1.0 if program.sense == "min" else -1.0
            form = cvxpy.quad_form(x, cvxpy.psd_wrap(0.5 * sign * quadratic.tocsc()))
            objective = objective + sign * form
        sides = _Sides(program, x)
        sense = cvxpy.Minimize if program.sense == "min" else cvxpy.Maximize
        problem = cvxpy.Problem(sense(objective), sides.constraints)
        left = limited(options, options.time_left(started))
        raw, _ = self._solved(problem, left, proving=False)  # its duals of rows prove a bound
        if raw.x is None:
            # What is claimed with less accuracy is verified like any other claim.
            claim = {
                cvxpy.INFEASIBLE_INACCURATE: Status.INFEASIBLE,
                cvxpy.UNBOUNDED_INACCURATE: Status.UNBOUNDED,
            }.get(problem.status)
            return raw if claim is None else replace(raw, status=claim)
        return RawSolution(
            raw.status, np.asarray(x.value), sides.row_duals(), None, raw.iterations, raw.message
        )


class Clarabel(Conic):
    """Interior point method for cone programs."""

    name = "clarabel"
    package = module = "clarabel"
    install = "pip install clarabel"
    cvxpy_name = "CLARABEL"
    time_option = "time_limit"
    proves = True
    cut_tolerance = 1e-6
    accuracy = 1e-6
    about = "interior point for cone programs"
    licence = "Apache-2.0"

    def known_options(self) -> list[str]:
        """Read off the solver's settings object."""
        return [n for n in dir(self.load().DefaultSettings()) if not n.startswith("_")]

    def prove_conic(self, problem: Any, options: SolverSettings) -> tuple[float | None, float]:
        """The bound that the multipliers of a solve prove."""
        import warnings

        import cvxpy

        limit = {} if options.time_limit is None else {self.time_option: options.time_limit}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                data, chain, inverse = problem.get_problem_data(self.cvxpy_name)
                solution = chain.solve_via_data(problem, data, solver_opts=limit)
                return _proof(problem, data, inverse, solution) or (None, 0.0)
        except cvxpy.error.SolverError:
            return None, 0.0


class Scs(Conic):
    """First-order splitting method for cone programs."""

    name = "scs"
    package = module = "scs"
    install = "pip install scs"
    cvxpy_name = "SCS"
    time_option = "time_limit_secs"
    defaults: ClassVar[dict[str, Any]] = {"eps_abs": 1e-8, "eps_rel": 1e-8, "max_iters": 200_000}
    cut_tolerance = 1e-5
    accuracy = 1e-4
    about = "operator splitting for cone programs"
    licence = "MIT"

    def known_options(self) -> list[str]:
        """SCS has no list to read: these are its documented settings."""
        return list(_SCS_OPTIONS)


class Osqp(Conic):
    """First-order splitting method for quadratic programs."""

    name = "osqp"
    solves = frozenset({"LP", "QP"})
    package = module = "osqp"
    install = "pip install osqp"
    licence = "Apache-2.0"
    cvxpy_name = "OSQP"
    time_option = "time_limit"
    defaults: ClassVar[dict[str, Any]] = {
        "eps_abs": 1e-9,
        "eps_rel": 1e-9,
        "max_iter": 200_000,
        "polishing": False,
    }
    cut_tolerance = 1e-5
    accuracy = 1e-5
    about = "operator splitting for quadratic programs"

    def known_options(self) -> list[str]:
        """Its documented settings; those of its other linear algebra are not for this build."""
        return list(_OSQP_OPTIONS)


class _Sides:
    """The rows and bounds of a program as CVXPY constraints, and their duals by row and column."""

    def __init__(self, program: LinearProgram, x: Any) -> None:
        self._program = program
        lower, upper = program.row_lower, program.row_upper
        equal = lower == upper
        self._groups: list[tuple[IntArray, float, Any]] = []
        # CVXPY's Lagrangian adds the dual times (left - right) of ==, <= and right - left of >=.
        self._add(equal, lambda rows: program.matrix[rows] @ x == lower[rows], -1.0)
        self._add(
            ~equal & np.isfinite(lower), lambda rows: program.matrix[rows] @ x >= lower[rows], 1.0
        )
        self._add(
            ~equal & np.isfinite(upper), lambda rows: program.matrix[rows] @ x <= upper[rows], -1.0
        )
        self.constraints = [constraint for _, _, constraint in self._groups]
        low, high = np.isfinite(program.column_lower), np.isfinite(program.column_upper)
        if low.any():
            self.constraints.append(x[low] >= program.column_lower[low])
        if high.any():
            self.constraints.append(x[high] <= program.column_upper[high])
        if not self.constraints:  # SCS takes no problem without any
            self.constraints.append(sp.csr_array((1, program.shape[1])) @ x <= 1.0)

    def _add(self, rows: BoolArray, build: Callable[[IntArray], Any], sign: float) -> None:
        numbers = np.flatnonzero(rows)
        if numbers.size:
            self._groups.append((numbers, sign, build(numbers)))

    def row_duals(self) -> FloatArray:
        """Derivatives of the optimum by the rows' sides."""
        duals = np.zeros(self._program.shape[0])
        sense = 1.0 if self._program.sense == "min" else -1.0
        for numbers, sign, constraint in self._groups:
            duals[numbers] += sense * sign * np.asarray(constraint.dual_value)
        return duals


def solve_cvxpy(
    problem: Any,
    cvxpy_name: str,
    extra: dict[str, Any],
    options: SolverSettings,
    time_option: str,
    *,
    proving: bool = False,
) -> tuple[RawSolution, float | None]:
    """Solve a ``cvxpy.Problem`` in place and translate what CVXPY and the solver say of it.

    With ``proving``, for Clarabel alone, the solution has the bound that its multipliers prove.
    """
    import warnings

    import cvxpy

    started = time.perf_counter()
    try:
        with warnings.catch_warnings():
            # CVXPY warns of inaccuracy, which is a status of its own here, and numpy of the numbers
            # in unset memory that CVXPY adds up to learn the shape of a sum. (Programs are built
            # without cvxpy.sum, as no warning is silenced there.)
            warnings.simplefilter("ignore")
            data, chain, inverse = problem.get_problem_data(cvxpy_name, solver_opts=extra)
            left = options.time_left(started)
            if left is not None:
                if left <= 0.0:
                    return out_of_time(), None
                extra = {**extra, time_option: left}
            solution = chain.solve_via_data(problem, data, verbose=options.log, solver_opts=extra)
            problem.unpack_results(solution, chain, inverse)
            proof = None
            if proving:
                proof = _proof(problem, data, inverse, solution)
            elif problem.is_mixed_integer():
                proof = _word(problem, data, inverse)
    except cvxpy.error.DCPError as error:
        raise InputError(f"the cvxpy problem is not convex by its rules: {error}") from error
    except cvxpy.error.SolverError as error:
        return RawSolution(Status.ERROR, message=f"CVXPY: {error}"), None
    stats = problem.solver_stats
    status = _limit_met(solution) or {
        cvxpy.OPTIMAL: Status.OPTIMAL,
        cvxpy.INFEASIBLE: Status.INFEASIBLE,
        cvxpy.UNBOUNDED: Status.UNBOUNDED,
        cvxpy.OPTIMAL_INACCURATE: Status.IMPRECISE,
        cvxpy.settings.USER_LIMIT: Status.OTHER_LIMIT,
    }.get(problem.status, Status.ERROR)
    message = "" if status is Status.OPTIMAL else f"CVXPY: {problem.status}"
    iterations = int(stats.num_iters or 0) if stats is not None else 0
    x = None
    if problem.status in (cvxpy.OPTIMAL, cvxpy.OPTIMAL_INACCURATE):
        parts = [np.ravel(v.value, order="F") for v in problem.variables() if v.value is not None]
        x = np.concatenate(parts) if parts else np.zeros(0)
    bound, terms = proof or (None, 0.0)
    raw = RawSolution(status, x, None, bound, iterations, message, terms)
    return raw, _objective(problem, x)


def _word(problem: Any, data: Any, inverse: Any) -> ConeProof | None:
    """The solver's own bound on the optimum of an integer program."""
    info = getattr(problem.solver_stats, "extra_stats", None)
    value = getattr(info, "mip_dual_bound", np.inf)
    if not np.isfinite(value):
        return None
    return _in_sense(problem, inverse, ConeProof(float(value), float(np.abs(data["c"]).sum())))


def _in_sense(problem: Any, inverse: Any, proof: ConeProof) -> ConeProof:
    """A bound of CVXPY's minimisation in the sense of the problem and with its constant."""
    offset = float(inverse[-1].inverse_data["offset"])
    sign = -1.0 if problem.objective.NAME == "maximize" else 1.0
    return ConeProof(sign * (proof.bound + offset), proof.terms + abs(offset))


def _proof(problem: Any, data: Any, inverse: Any, solution: Any) -> ConeProof | None:
    """What Clarabel's multipliers prove."""
    x, z = (np.asarray(part, dtype=np.float64) for part in (solution.x, solution.z))
    cones = ConeData.of(data)
    if len(x) != len(cones.costs) or len(z) != len(cones.sides):
        return None
    proof = cone_proof(cones, x, z)
    if proof is None or not np.isfinite(proof.bound):
        return None
    return _in_sense(problem, inverse, proof)


def _objective(problem: Any, x: FloatArray | None) -> float | None:
    """The objective at the point; what the solver says where rounding takes it off its domain."""
    if x is None:
        return None
    with np.errstate(invalid="ignore", divide="ignore"):
        value = float(problem.objective.value)
    return value if np.isfinite(value) else float(problem.solution.opt_val)


def _limit_met(solution: Any) -> Status | None:
    """The limit that the solver itself says it met; CVXPY tells only that there was one."""
    if isinstance(solution, dict):  # SCS, HiGHS
        info = solution.get("info")
        words = info["status"] if isinstance(info, dict) else str(solution.get("model_status"))
    else:  # OSQP, Clarabel
        words = str(getattr(getattr(solution, "info", solution), "status", ""))
    for sign, status in _LIMITS.items():
        if sign in words:
            return status
    return None
