r"""Solvers by CVXPY: a table of what differs between them, and one class.

A program with linear rows goes to CVXPY in matrices, always as a minimisation,

.. math:: \min\ \pm(c^\top x + \tfrac12 x^\top Q x) \quad\text{s.t.}\quad
          E x = e, \quad F x \le f, \quad l \le x \le u,

where a row with two sides is two rows of F. CVXPY's multipliers :math:`y` of :math:`E x = e` and
:math:`\lambda \ge 0` of :math:`F x \le f` are derivatives of this minimum by the sides, negated; of
a row with two sides one of the two is 0, and the dual is their difference.

What CVXPY says is passed on as a claim, an inaccurate optimum among them. Which limit was met it
does not say; that is read from the solver's own words.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, SolverUnable
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.program import ENDLESS, LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import Backend, RawSolution, SolverSettings, gaps, out_of_time

# Gurobi tells MKL which processor to assume, and COPT ends the process where it is another one.
_PROCESSOR = "MKL_DEBUG_CPU_TYPE"
# What is in the words of a solver that stopped early; the first that is there counts.
_LIMITS = {
    "time": Status.TIME_LIMIT,
    "iter": Status.ITERATION_LIMIT,
    "primal objective limit": Status.UNBOUNDED,
    "dual objective limit": Status.INFEASIBLE,
    "limit": Status.OTHER_LIMIT,
}
_INTERRUPTED = ("interrupt", "abort", "ctrlc")
_CLAIMS = {
    "optimal": Status.OPTIMAL,
    "optimal_inaccurate": Status.OPTIMAL,
    "infeasible": Status.INFEASIBLE,
    "infeasible_inaccurate": Status.INFEASIBLE,
    "unbounded": Status.UNBOUNDED,
    "unbounded_inaccurate": Status.UNBOUNDED,
    "infeasible_or_unbounded": Status.INFEASIBLE_OR_UNBOUNDED,
    "user_limit": Status.OTHER_LIMIT,
}
_COPT_LIMITS = {6: "node limit", 8: "time limit", 10: "interrupted", 11: "iteration limit"}


@dataclass(frozen=True)
class Entry:
    """What differs from solver to solver.

    ``defaults`` are options of the solver, those of 0.0 its gaps of integer programs; ``always``
    are options of CVXPY. Options are arguments of CVXPY, or entries of the argument ``keyword``;
    ``known`` reads their names off the module. ``words`` and ``bound`` read what a solver ended
    with, and its bound of an integer program, off what CVXPY has from it; where it ended by an
    error that CVXPY keeps to itself, ``again`` meets it once more. ``refusals`` are in the words of
    a missing licence, or one that is too small. ``no_start`` stands for a column without a value to
    start from. CVXPY's name of a solver is its name in capitals; its package is named like it, and
    its module like the package, unless they are given.
    """

    name: str
    solves: tuple[str, ...]
    about: str
    licence: str
    time_option: str
    words: Callable[[Any], str]
    defaults: Mapping[str, Any]
    package: str = ""
    module: str = ""
    always: Mapping[str, Any] = field(default_factory=dict)
    keyword: str = ""
    known: Callable[[Any], Iterable[str]] | None = None
    threads_option: str = ""
    seed_option: str = ""
    bound: Callable[[Any], float] | None = None
    again: Callable[[Any], object] | None = None
    refusals: tuple[str, ...] = ("licen", "expired")
    no_start: float | None = None
    greets: bool = False
    cut_tolerance: float = 1e-8


def _public(names: Any) -> list[str]:
    return [name for name in dir(names) if not name.startswith("_")]


def _name_of(names: Any, value: Any) -> str:
    """The name of a value of an enumeration."""
    return next((name for name in _public(names) if getattr(names, name) == value), str(value))


def _gurobi_words(answer: Any) -> str:
    from gurobipy import GRB

    return _name_of(GRB.Status, answer["model"].Status)


def _xpress_words(answer: Any) -> str:
    import xpress

    return _name_of(xpress.StopType, answer["model"].attributes.stopstatus)


def _mosek_bound(answer: Any) -> float:
    import mosek

    return float(answer["task"].getdouinf(mosek.dinfitem.mio_obj_bound))


def _cuopt_options(module: Any) -> list[str]:
    from cuopt.linear_programming.solver import solver_parameters

    names = [name for name in dir(solver_parameters) if name.startswith("CUOPT_")]
    return [str(getattr(solver_parameters, name)) for name in names]


_LICENSED = "commercial; size-limited without a licence file"
ENTRIES = (
    Entry(
        name="clarabel",
        solves=("LP", "QP", "conic"),
        about="interior point for cone programs",
        licence="Apache-2.0",
        time_option="time_limit",
        words=lambda answer: str(answer.status),
        defaults={"tol_gap_abs": 1e-9, "tol_gap_rel": 1e-9, "tol_feas": 1e-9},
        always={"accept_unknown": True},
        known=lambda module: _public(module.DefaultSettings()),
        cut_tolerance=1e-6,
    ),
    Entry(
        name="scs",
        solves=("LP", "QP", "conic"),
        about="operator splitting for cone programs",
        licence="MIT",
        time_option="time_limit_secs",
        words=lambda answer: str(answer["info"]["status"]),
        defaults={"eps_abs": 1e-9, "eps_rel": 1e-9, "max_iters": 200_000},
        cut_tolerance=1e-5,
    ),
    Entry(
        name="osqp",
        solves=("LP", "QP"),
        about="operator splitting for quadratic programs",
        licence="Apache-2.0",
        time_option="time_limit",
        words=lambda answer: str(answer.info.status),
        defaults={"eps_abs": 1e-9, "eps_rel": 1e-9, "max_iter": 200_000, "polishing": True},
        cut_tolerance=1e-5,
    ),
    Entry(
        name="cuopt",
        solves=("LP", "MIP"),
        package="cuopt-cu12",
        module="cuopt.linear_programming",
        about="first-order method, simplex, and branch and bound on a GPU; not tested",
        licence="Apache-2.0",
        time_option="time_limit",
        words=lambda answer: str(answer.status),
        defaults={
            **{f"absolute_{each}_tolerance": 1e-8 for each in ("primal", "dual", "gap")},
            **{f"relative_{each}_tolerance": 1e-8 for each in ("primal", "dual", "gap")},
            "mip_absolute_tolerance": 1e-9,
            "mip_integrality_tolerance": 1e-9,
            "mip_relative_gap": 0.0,
            "mip_absolute_gap": 0.0,
        },
        known=_cuopt_options,
        threads_option="num_cpu_threads",
        bound=lambda answer: float(answer.attr["extra_stats"]["solution_bound"]),
        refusals=("CUOPT_REMOTE_HOST",),  # it says so where there is no GPU
        cut_tolerance=1e-6,
    ),
    Entry(
        name="gurobi",
        solves=("LP", "MIP", "QP", "MIQP"),
        package="gurobipy",
        about="simplex, barrier, branch and cut",
        licence=_LICENSED,
        time_option="TimeLimit",
        words=_gurobi_words,
        defaults={
            "FeasibilityTol": 1e-9,
            "OptimalityTol": 1e-9,
            "IntFeasTol": 1e-9,
            "MIPGap": 0.0,
            "MIPGapAbs": 0.0,
            "BarConvTol": 1e-12,
        },
        known=lambda module: _public(module.GRB.Param),
        threads_option="Threads",
        seed_option="Seed",
        bound=lambda answer: float(answer["model"].ObjBound),
        again=lambda answer: answer["model"].optimize(),
        no_start=1e101,
        greets=True,
    ),
    Entry(
        name="copt",
        solves=("LP", "MIP", "QP", "MIQP"),
        package="coptpy",
        about="simplex, barrier, first-order, branch and cut",
        licence=_LICENSED,
        time_option="TimeLimit",
        words=lambda answer: _COPT_LIMITS.get(answer["model"].status, ""),
        defaults={"FeasTol": 1e-9, "DualTol": 1e-9, "IntTol": 1e-9, "RelGap": 0.0, "AbsGap": 0.0},
        known=lambda module: _public(module.COPT.Param),
        threads_option="Threads",
        bound=lambda answer: float(answer["model"].bestbnd),
        again=lambda answer: answer["model"].solve(),
        greets=True,
    ),
    Entry(
        name="xpress",
        solves=("LP", "MIP", "QP", "MIQP"),
        about="simplex, barrier, branch and cut",
        licence=_LICENSED,
        time_option="timelimit",
        words=_xpress_words,
        defaults={
            "feastol": 1e-9,
            "optimalitytol": 1e-9,
            "miptol": 1e-9,
            "miprelstop": 0.0,
            "mipabsstop": 0.0,
            # By default it asks for points that are better by 1e-5 than the best one.
            "mipaddcutoff": 0.0,
            "miprelcutoff": 0.0,
            "bargapstop": 1e-13,
        },
        known=lambda module: _public(module.controls),
        threads_option="threads",
        seed_option="randomseed",
        bound=lambda answer: float(answer["model"].attributes.bestbound),
        refusals=("?120 ", "licen"),
        no_start=np.nan,
    ),
    Entry(
        name="cplex",
        solves=("LP", "MIP", "QP", "MIQP"),
        about="simplex, barrier, branch and cut",
        licence=_LICENSED,
        time_option="timelimit",
        words=lambda answer: str(answer["model"].solution.get_status_string()),
        keyword="cplex_params",
        defaults={
            "simplex.tolerances.feasibility": 1e-9,
            "simplex.tolerances.optimality": 1e-9,
            "mip.tolerances.integrality": 1e-9,
            "mip.tolerances.mipgap": 0.0,
            "mip.tolerances.absmipgap": 0.0,
            "mip.tolerances.objdifference": 0.0,
            "barrier.convergetol": 1e-12,
        },
        threads_option="threads",
        seed_option="randomseed",
        bound=lambda answer: float(answer["model"].solution.MIP.get_best_objective()),
        again=lambda answer: answer["model"].solve(),
        refusals=("1016", "licen"),
    ),
    Entry(
        name="mosek",
        solves=("LP", "MIP", "QP", "MIQP", "conic"),
        about="simplex, interior point, branch and cut; not tested",
        licence="commercial; solves nothing without a licence file",
        time_option="MSK_DPAR_OPTIMIZER_MAX_TIME",
        words=lambda _: "",
        keyword="mosek_params",
        defaults={
            "MSK_DPAR_BASIS_TOL_X": 1e-9,
            "MSK_DPAR_BASIS_TOL_S": 1e-9,
            "MSK_DPAR_MIO_TOL_FEAS": 1e-9,
            "MSK_DPAR_MIO_TOL_ABS_RELAX_INT": 1e-9,
            "MSK_DPAR_MIO_TOL_REL_GAP": 0.0,
            "MSK_DPAR_MIO_TOL_ABS_GAP": 0.0,
        },
        threads_option="MSK_IPAR_NUM_THREADS",
        seed_option="MSK_IPAR_MIO_SEED",
        bound=_mosek_bound,
    ),
)


class _Answer(NamedTuple):
    """What CVXPY has from a solver, and what it makes of it.

    ``solution`` is None where it made nothing of it.
    """

    raw: RawSolution
    solution: Any = None
    answer: Any = None


class Bridged(Backend):
    """One solver of the table."""

    def __init__(self, entry: Entry) -> None:
        self.entry, self.name, self.about = entry, entry.name, entry.about
        self.package, self.licence = entry.package or entry.name, entry.licence
        self.module, self.install = entry.module or self.package, f"pip install {self.package}"
        self.solves, self.gap_options = frozenset(entry.solves), gaps(entry.defaults)
        self.takes_threads, self.cut_tolerance = bool(entry.threads_option), entry.cut_tolerance
        self.starts = frozenset({"MIP"} if entry.no_start is not None else ())

    def solve(
        self, program: LinearProgram | QuadraticProgram, settings: SolverSettings
    ) -> RawSolution:
        """Solve a program with linear rows from scratch."""
        started = time.perf_counter()
        linear = program.linear if isinstance(program, QuadraticProgram) else program
        quadratic = program.quadratic if isinstance(program, QuadraticProgram) else None
        rows = _Rows(linear, quadratic)
        if settings.start is not None:
            unset = np.isnan(settings.start)
            none = np.nan if self.entry.no_start is None else self.entry.no_start
            rows.x.save_value(np.where(unset, none, settings.start))
        left = settings.limited(settings.time_left(started))
        raw, solution, answer = self._solved(rows.problem, left, linear)
        if solution is None:
            return raw
        x = solution.primal_vars.get(rows.x.id)
        duals = None
        if not linear.is_integer and x is not None and solution.dual_vars:
            duals = rows.row_duals(solution.dual_vars)
        bound = None
        if linear.is_integer and self.entry.bound is not None:
            with suppress(Exception):  # after a limit there may be none
                bound = self.entry.bound(answer)
        if bound is not None:
            bound = rows.sign * bound + linear.offset if abs(bound) < ENDLESS else None
        x = None if x is None else np.asarray(x, dtype=np.float64).ravel()
        return RawSolution(raw.status, x, duals, bound, raw.iterations, raw.message)

    def solve_conic(self, program: ConicProgram, settings: SolverSettings) -> RawSolution:
        """Solve a cone program; its variables keep the values that they have."""
        raw, solution, answer = self._solved(program.problem, settings, program)
        if solution is None:
            return raw
        x = multipliers = cone = None
        if solution.primal_vars:
            values = [solution.primal_vars[each.id] for each in program.problem.variables()]
            x = np.concatenate([np.zeros(0), *(np.ravel(each, order="F") for each in values)])
            duals = solution.dual_vars or {}
            multipliers = tuple(duals.get(each.id) for each in program.problem.constraints)
        if self.name == "clarabel":
            cone = np.array(answer.x, dtype=np.float64), np.array(answer.z, dtype=np.float64)
        message, iterations = raw.message, raw.iterations
        return RawSolution(raw.status, x, None, None, iterations, message, multipliers, cone)

    def _solved(
        self, problem: Any, settings: SolverSettings, program: LinearProgram | ConicProgram
    ) -> _Answer:
        """Solve a ``cvxpy.Problem`` and leave its variables alone."""
        import cvxpy

        started, module = time.perf_counter(), self.load()
        if _PROCESSOR not in os.environ:  # only libraries have set it
            os.unsetenv(_PROCESSOR)
        if self.entry.known is not None:
            self.check_options(settings.solver_options, self.entry.known(module))
        try:
            with warnings.catch_warnings(), unheard(self.entry.greets and not settings.log):
                # CVXPY warns of inaccuracy, and numpy of the unset memory that CVXPY adds up to
                # learn the shape of a sum.
                warnings.simplefilter("ignore")
                options = self._options(settings, None)
                data, chain, inverse = problem.get_problem_data(
                    self.name.upper(), solver_opts=options
                )
                left = settings.time_left(started)
                if left is not None and left <= 0.0:
                    return _Answer(out_of_time())
                options = self._options(settings, left)
                answer = chain.solve_via_data(
                    problem,
                    data,
                    warm_start=settings.start is not None,
                    verbose=settings.log,
                    solver_opts=options,
                )
                solution = None
                with suppress(Exception):  # it asks for duals, say, that a limit has left out
                    solution = chain.invert(answer, inverse)
        except cvxpy.error.DCPError as error:
            raise InputError(f"the cvxpy problem is not convex by its rules: {error}") from error
        except Exception as error:  # each solver has errors of its own
            return self._refused(error, settings, program)
        finally:
            _hear_ctrl_c()
        if solution is None or solution.status == "solver_error":
            try:
                words = self.entry.words(answer).lower()
                if not any(each in words for each in _LIMITS) and self.entry.again is not None:
                    with unheard(not settings.log):
                        self.entry.again(answer)
            except Exception as error:
                return self._refused(error, settings, program)
        return _Answer(self._raw(answer, solution, settings, started), solution, answer)

    def _options(self, settings: SolverSettings, left: float | None) -> dict[str, Any]:
        """The arguments of CVXPY."""
        entry = self.entry
        chosen = {**entry.defaults, **settings.solver_options}
        if entry.threads_option:
            chosen[entry.threads_option] = settings.threads
        if entry.seed_option:
            chosen[entry.seed_option] = settings.seed
        if left is not None:
            chosen[entry.time_option] = left
        return {**entry.always, **({entry.keyword: chosen} if entry.keyword else chosen)}

    def _raw(
        self, answer: Any, solution: Any, settings: SolverSettings, started: float
    ) -> RawSolution:
        """The claim: a limit by the solver's own words, or what CVXPY says."""
        words = self.entry.words(answer)
        lower = words.lower()
        if any(each in lower for each in _INTERRUPTED):
            raise KeyboardInterrupt
        claim = "solver_error" if solution is None else str(solution.status)
        status = next((limit for each, limit in _LIMITS.items() if each in lower), None)
        if status is None:
            status = _CLAIMS.get(claim, Status.ERROR)
            left = settings.time_left(started)
            if status in (Status.ERROR, Status.OTHER_LIMIT) and left is not None and left <= 0.0:
                status = Status.TIME_LIMIT
        said = "" if claim == "optimal" else f"{self.name}: {words or claim}, CVXPY: {claim}"
        iterations = 0 if solution is None else int(solution.attr.get("num_iters") or 0)
        return RawSolution(status, iterations=iterations, message=said)

    def _refused(
        self, error: Exception, settings: SolverSettings, program: LinearProgram | ConicProgram
    ) -> _Answer:
        """What to say of a solver that raised an error: of its licence, its options, or its own."""
        said = str(error) or type(error).__name__
        if any(each in said for each in self.entry.refusals):
            raise SolverUnable(
                f"solver {self.name!r} cannot solve {program.name!r} here, whose rows and columns "
                f"are {program.shape}: {said}"
            ) from error
        if settings.solver_options:
            given = dict(settings.solver_options)
            raise InputError(f"{self.name} did not accept its options {given}: {said}") from error
        return _Answer(RawSolution(Status.ERROR, message=f"{self.name}: {said}"))


class _Rows:
    """A program in CVXPY's matrices; see the module's first lines.

    ``sign`` is -1 for a maximisation.
    """

    def __init__(self, program: LinearProgram, quadratic: sp.csr_array | None) -> None:
        import cvxpy

        self.sign = sign = 1.0 if program.sense == "min" else -1.0
        lower, upper, matrix = program.row_lower, program.row_upper, program.matrix
        equal = lower == upper
        self._equal = np.flatnonzero(equal)
        self._above = np.flatnonzero(~equal & np.isfinite(upper))
        self._below = np.flatnonzero(~equal & np.isfinite(lower))
        self._count = len(lower)
        bounds: Any = [program.column_lower, program.column_upper]
        if not np.isfinite(bounds).any():
            bounds = None
        whole: Any = [(int(place),) for place in np.flatnonzero(program.integer)]
        whole = True if program.integer.all() else whole or False
        self.x = x = cvxpy.Variable(program.shape[1], bounds=bounds, integer=whole)
        objective = sign * program.costs @ x
        if quadratic is not None and quadratic.nnz:
            form = sp.csc_array(0.5 * sign * quadratic)
            objective = objective + cvxpy.quad_form(x, cvxpy.psd_wrap(form))
        self._equations = self._inequalities = None
        constraints = []
        if self._equal.size:
            self._equations = matrix[self._equal] @ x == upper[self._equal]
            constraints.append(self._equations)
        if self._above.size + self._below.size:
            rows = sp.vstack([matrix[self._above], -matrix[self._below]], format="csr")
            sides = np.concatenate([upper[self._above], -lower[self._below]])
            self._inequalities = rows @ x <= sides
            constraints.append(self._inequalities)
        if not constraints:  # some solvers take no program without rows
            constraints.append(sp.csr_array((1, program.shape[1])) @ x <= np.ones(1))
        self.problem = cvxpy.Problem(cvxpy.Minimize(objective), constraints)

    def row_duals(self, multipliers: Mapping[int, Any]) -> FloatArray:
        """Derivatives of the optimum by the rows' sides."""
        duals = np.zeros(self._count)
        if self._equations is not None:
            duals[self._equal] = -self.sign * np.ravel(multipliers[self._equations.id])
        if self._inequalities is not None:
            both = self.sign * np.ravel(multipliers[self._inequalities.id])
            duals[self._above] -= both[: self._above.size]
            duals[self._below] += both[self._above.size :]
        return duals


def _handler_of_c() -> Any:
    get = ctypes.pythonapi.PyOS_getsig
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.c_int]
    return get(signal.SIGINT)


_PYTHONS_HANDLER = _handler_of_c() if callable(signal.getsignal(signal.SIGINT)) else None


def _hear_ctrl_c() -> None:
    """Give Ctrl-C back to Python, from which solvers take it, in whichever thread they run."""
    if _PYTHONS_HANDLER is not None and callable(signal.getsignal(signal.SIGINT)):
        put = ctypes.pythonapi.PyOS_setsig
        put.restype, put.argtypes = ctypes.c_void_p, [ctypes.c_int, ctypes.c_void_p]
        put(signal.SIGINT, _PYTHONS_HANDLER)


@contextmanager
def unheard(wanted: bool) -> Iterator[None]:
    """Let libraries that greet print nothing, which lasts for the whole process."""
    if not wanted or sys.stdout is None:
        yield
        return
    try:
        sys.stdout.flush()
        output = os.dup(1)
    except OSError:  # where there is no output, there is nothing to keep clean
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        yield
    finally:
        os.dup2(output, 1)
        os.close(output)


BACKENDS: dict[str, Backend] = {entry.name: Bridged(entry) for entry in ENTRIES}
