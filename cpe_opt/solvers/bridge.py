r"""Solvers by CVXPY: a table of what differs between them, and one class.

A program with linear rows goes to CVXPY in matrices, always as a minimisation,

.. math:: \min\ \pm(c^\top x + \tfrac12 x^\top Q x) \quad\text{s.t.}\quad
          E x = e, \quad F x \le f, \quad l \le x \le u,

where a row with two sides is two rows of F. CVXPY's multipliers :math:`y` of :math:`E x = e` and
:math:`\lambda \ge 0` of :math:`F x \le f` are derivatives of this minimum by the sides, negated; of
a row with two sides one of the two is 0, and the dual is their difference.

What CVXPY says is passed on as a claim, an inaccurate optimum, too. Which limit was met is read in
the solver's own words.
"""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse as sp

from cpe_opt.arrays import FloatArray
from cpe_opt.errors import InputError, SolverUnable
from cpe_opt.modelling.certify import sign_of
from cpe_opt.modelling.conic import ConicProgram
from cpe_opt.modelling.program import ENDLESS, LinearProgram
from cpe_opt.modelling.quadratic import QuadraticProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import (
    NO_OPTIMUM,
    Backend,
    RawSolution,
    SolverSettings,
    out_of_time,
)
from cpe_opt.solvers.highs import unheard

# Gurobi tells MKL which processor to assume, and COPT ends the process where it is another one.
_PROCESSOR = "MKL_DEBUG_CPU_TYPE"
# What is in the words of a solver that stopped early; the first that is there counts.
_LIMIT_WORDS = {
    "time": Status.TIME_LIMIT,
    "iter": Status.ITERATION_LIMIT,
    "primal objective limit": Status.UNBOUNDED,
    "dual objective limit": Status.INFEASIBLE,
    "limit": Status.OTHER_LIMIT,
}
_INTERRUPTED = ("interrupt", "abort")
# The words of solvers that have numbers alone.
_STOPS = {
    "gurobi": {7: "iteration limit", 9: "time limit", 11: "interrupted"},
    "copt": {6: "node limit", 8: "time limit", 10: "interrupted", 11: "iteration limit"},
    "xpress": {1: "time limit", 2: "interrupted", 3: "node limit", 4: "iteration limit"},
}
# What is in the words of a missing licence, of one that is too small, or of a missing GPU.
_REFUSALS = ("licen", "expired", "size limits exceeded", "?120 ", "CUOPT_REMOTE_HOST")
_CLAIMS = {each.value.replace(" ", "_"): each for each in (Status.OPTIMAL, *NO_OPTIMUM)}
_CLAIMS["user_limit"] = Status.OTHER_LIMIT
_ALL = frozenset({"LP", "MIP", "QP", "MIQP"})


@dataclass(eq=False, kw_only=True)
class Bridged(Backend):
    """One solver of the table: what differs from solver to solver.

    CVXPY's name of a solver is its name in capitals; its package is named like it, and its module
    like the package, unless they are given. Of its options, ``tolerances`` are 1e-9 by default, and
    gaps 0; ``always`` are options of CVXPY. Options are arguments of CVXPY, or entries of the
    argument ``keyword``; ``known`` are their names. ``words`` and ``bound``
    read what a solver ended with, and its bound of an integer program, off what CVXPY has from it;
    where it ended by an error that CVXPY keeps to itself, the method ``again`` of its model raises
    it once more.
    """

    name: str
    solves: frozenset[str] = _ALL
    about: str = "simplex, barrier, branch and cut"
    licence: str = "commercial; size-limited without a licence file"
    time_option: str = "time_limit"
    tolerances: tuple[str, ...] = ()
    gap_options: frozenset[str] = frozenset()
    others: Mapping[str, Any] = field(default_factory=dict)
    words: Callable[[Any], str] = lambda answer: ""
    package: str = ""
    module: str = ""
    always: Mapping[str, Any] = field(default_factory=dict)
    keyword: str = ""
    known: Callable[[Any], list[str]] | None = None
    threads_option: str = ""
    seed_option: str = ""
    bound: Callable[[Any], float] | None = None
    again: str = ""
    greets: bool = False
    cut_tolerance: float = 1e-8

    def __post_init__(self) -> None:
        self.package = self.package or self.name
        self.module, self.install = self.module or self.package, f"pip install {self.package}"
        self.takes_threads = bool(self.threads_option)

    def solve(
        self, program: LinearProgram | QuadraticProgram, settings: SolverSettings
    ) -> RawSolution:
        """Solve a program with linear rows from scratch."""
        started = time.perf_counter()
        linear = program.linear
        rows = _Rows(linear, program.quadratic if isinstance(program, QuadraticProgram) else None)
        left = settings.limited(settings.time_left(started))
        raw, answer = self._solved(rows.problem, left, program.name)
        if not linear.is_integer:
            return replace(raw, row_duals=rows.row_duals(raw.multipliers), multipliers=None)
        if self.bound is not None:
            with suppress(Exception):  # after a limit there may be none
                bound = rows.sign * float(self.bound(answer)) + linear.offset
                raw = raw if abs(bound) >= ENDLESS else replace(raw, bound=bound)
        return replace(raw, multipliers=None)

    def solve_conic(self, program: ConicProgram, settings: SolverSettings) -> RawSolution:
        """Solve a cone program; its variables keep the values that they have."""
        raw, answer = self._solved(program.problem, settings, program.name)
        if self.name == "clarabel" and answer is not None:
            raw = replace(raw, cone=(np.array(answer.x), np.array(answer.z)))
        return raw

    def _solved(self, problem: Any, settings: SolverSettings, name: str) -> tuple[RawSolution, Any]:
        """Solve a ``cvxpy.Problem`` and leave its variables alone; also what CVXPY is answered."""
        import cvxpy

        started, module = time.perf_counter(), self.load()
        if _PROCESSOR not in os.environ:  # only libraries have set it
            os.unsetenv(_PROCESSOR)
        if self.known is not None:
            self.check_options(settings.solver_options, self.known(module))
        solution = None
        try:
            with (
                warnings.catch_warnings(),
                unheard() if self.greets and not settings.log else nullcontext(),
            ):
                # CVXPY warns of inaccuracy, and numpy of the unset memory that CVXPY adds up to
                # learn the shape of a sum.
                warnings.simplefilter("ignore")
                data, chain, inverse = problem.get_problem_data(
                    self.name.upper(), solver_opts=self._options(settings, None)
                )
                left = settings.time_left(started)
                if left is not None and left <= 0.0:
                    return out_of_time(), None
                options = self._options(settings, left)
                answer = chain.solve_via_data(problem, data, False, settings.log, options)
                with suppress(Exception):  # it asks for duals, say, that a limit has left out
                    solution = chain.invert(answer, inverse)
                failed = solution is None or solution.status == "solver_error"
                words = self.words(answer).lower()
                if failed and self.again and _limit(words) is None:
                    getattr(answer["model"], self.again)()
        except cvxpy.error.DCPError as error:
            raise InputError(f"the cvxpy problem is not convex by its rules: {error}") from error
        except Exception as error:  # each solver has errors of its own
            return self._refused(error, settings, name), None
        finally:
            _hear_ctrl_c()
        raw = self._claim(words, solution)
        if solution is None or not solution.primal_vars:
            return raw, answer
        values = [solution.primal_vars[each.id] for each in problem.variables()]
        x = np.concatenate([np.zeros(0), *(np.ravel(each, order="F") for each in values)])
        duals = solution.dual_vars or {}
        multipliers = tuple(duals.get(each.id) for each in problem.constraints)
        value = float(solution.opt_val)
        return replace(raw, x=x, multipliers=multipliers, value=value), answer

    def _options(self, settings: SolverSettings, left: float | None) -> dict[str, Any]:
        """The arguments of CVXPY."""
        defaults = dict.fromkeys(self.tolerances, 1e-9) | dict.fromkeys(self.gap_options, 0.0)
        chosen = {**defaults, **self.others, **settings.solver_options}
        if self.threads_option:
            chosen[self.threads_option] = settings.threads
        if self.seed_option:
            chosen[self.seed_option] = settings.seed
        if left is not None:
            chosen[self.time_option] = left
        return {**self.always, **({self.keyword: chosen} if self.keyword else chosen)}

    def _claim(self, words: str, solution: Any) -> RawSolution:
        """A limit by the solver's own words, or what CVXPY says."""
        if any(each in words for each in _INTERRUPTED):
            raise KeyboardInterrupt
        claim = "solver_error" if solution is None else str(solution.status)
        status = _limit(words) or _CLAIMS.get(claim.removesuffix("_inaccurate"), Status.ERROR)
        said = "" if claim == "optimal" else f"{self.name}: {words or claim}, CVXPY: {claim}"
        iterations = 0 if solution is None else int(solution.attr.get("num_iters") or 0)
        return RawSolution(status, iterations=iterations, message=said)

    def _refused(self, error: Exception, settings: SolverSettings, program: str) -> RawSolution:
        """What to say of a solver that raised an error: of its licence, its options, or its own."""
        said = str(error) or type(error).__name__
        if any(each in said for each in _REFUSALS):
            words = f"solver {self.name!r} cannot solve {program!r} here: {said}"
            raise SolverUnable(words) from error
        if settings.solver_options:
            given = dict(settings.solver_options)
            raise InputError(f"{self.name} did not accept its options {given}: {said}") from error
        return RawSolution(Status.ERROR, message=f"{self.name}: {said}")


class _Rows:
    """A program in CVXPY's matrices; see the module's first lines."""

    def __init__(self, program: LinearProgram, quadratic: sp.csr_array | None) -> None:
        import cvxpy

        self.sign = sign = sign_of(program)
        lower, upper, matrix = program.row_lower, program.row_upper, program.matrix
        equal = lower == upper
        self._equal = np.flatnonzero(equal)
        self._above = np.flatnonzero(~equal & np.isfinite(upper))
        self._below = np.flatnonzero(~equal & np.isfinite(lower))
        self._count = len(lower)
        bounds: Any = [program.column_lower, program.column_upper]
        bounds = bounds if np.isfinite(bounds).any() else None
        whole: Any = [(int(place),) for place in np.flatnonzero(program.integer)]
        whole = True if program.integer.all() else whole or False  # CVXPY takes no list of all
        self.x = x = cvxpy.Variable(program.shape[1], bounds=bounds, integer=whole)
        objective = sign * program.costs @ x
        if quadratic is not None and quadratic.nnz:
            form = sp.csc_array(0.5 * sign * quadratic)
            objective = objective + cvxpy.quad_form(x, cvxpy.psd_wrap(form))
        constraints = []
        if self._equal.size:
            constraints.append(matrix[self._equal] @ x == upper[self._equal])
        if self._above.size + self._below.size:
            rows = sp.vstack([matrix[self._above], -matrix[self._below]], format="csr")
            sides = np.concatenate([upper[self._above], -lower[self._below]])
            constraints.append(rows @ x <= sides)
        if not constraints:  # some solvers take no program without rows
            constraints.append(sp.csr_array((1, program.shape[1])) @ x <= np.ones(1))
        self.problem = cvxpy.Problem(cvxpy.Minimize(objective), constraints)

    def row_duals(self, multipliers: Sequence[Any] | None) -> FloatArray | None:
        """Derivatives of the optimum by the rows' sides, from the multipliers of the problem."""
        if multipliers is None or any(each is None for each in multipliers):
            return None
        duals, place = np.zeros(self._count), self._equal.size
        both = -self.sign * np.concatenate([np.ravel(each) for each in multipliers])
        duals[self._equal] = both[:place]
        duals[self._above] += both[place : place + self._above.size]
        duals[self._below] -= both[place + self._above.size :][: self._below.size]
        return duals


def _limit(words: str) -> Status | None:
    """Which limit a solver has met, by its words."""
    return next((limit for each, limit in _LIMIT_WORDS.items() if each in words), None)


def _hear_ctrl_c() -> None:
    """Give Ctrl-C back to Python, from which solvers take it."""
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler) and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, handler)


_TABLE = (
    Bridged(
        name="clarabel",
        solves=frozenset({"LP", "QP", "conic"}),
        about="interior point for cone programs",
        licence="Apache-2.0",
        tolerances=("tol_gap_abs", "tol_gap_rel", "tol_feas"),
        words=lambda answer: str(answer.status),
        always={"accept_unknown": True},
        cut_tolerance=1e-6,
    ),
    Bridged(
        name="scs",
        solves=frozenset({"LP", "QP", "conic"}),
        about="operator splitting for cone programs",
        licence="MIT",
        time_option="time_limit_secs",
        others={"max_iters": 200_000, "eps_abs": 1e-8, "eps_rel": 1e-8},
        words=lambda answer: str(answer["info"]["status"]),
        cut_tolerance=1e-5,
    ),
    Bridged(
        name="osqp",
        solves=frozenset({"LP", "QP"}),
        about="operator splitting for quadratic programs",
        licence="Apache-2.0",
        tolerances=("eps_abs", "eps_rel"),
        others={"max_iter": 200_000, "polishing": False},
        words=lambda answer: str(answer.info.status),
        cut_tolerance=1e-5,
    ),
    Bridged(
        name="cuopt",
        solves=frozenset({"LP", "MIP"}),
        package="cuopt-cu12",
        module="cuopt.linear_programming",
        about="first-order method, simplex, and branch and bound on a GPU; not tested",
        licence="Apache-2.0",
        tolerances=("mip_absolute_tolerance", "mip_integrality_tolerance"),
        gap_options=frozenset({"mip_relative_gap", "mip_absolute_gap"}),
        others={
            f"{kind}_tolerance": 1e-8
            for each in ("primal", "dual", "gap")
            for kind in (f"absolute_{each}", f"relative_{each}")
        },
        words=lambda answer: str(answer.status),
        threads_option="num_cpu_threads",
        bound=lambda answer: answer.attr["extra_stats"]["solution_bound"],
        cut_tolerance=1e-6,
    ),
    Bridged(
        name="gurobi",
        package="gurobipy",
        time_option="TimeLimit",
        tolerances=("FeasibilityTol", "OptimalityTol", "IntFeasTol"),
        gap_options=frozenset({"MIPGap", "MIPGapAbs"}),
        others={"BarConvTol": 1e-12},
        words=lambda answer: _STOPS["gurobi"].get(answer["model"].Status, ""),
        threads_option="Threads",
        seed_option="Seed",
        bound=lambda answer: answer["model"].ObjBound,
        again="optimize",
        greets=True,
    ),
    Bridged(
        name="copt",
        package="coptpy",
        about="simplex, barrier, first-order, branch and cut",
        time_option="TimeLimit",
        tolerances=("FeasTol", "DualTol", "IntTol"),
        gap_options=frozenset({"RelGap", "AbsGap"}),
        words=lambda answer: _STOPS["copt"].get(answer["model"].status, ""),
        threads_option="Threads",
        bound=lambda answer: answer["model"].bestbnd,
        again="solve",
        greets=True,
    ),
    Bridged(
        name="xpress",
        time_option="timelimit",
        tolerances=("feastol", "optimalitytol", "miptol"),
        # By its cutoffs it asks for points that are better by 1e-5 than the best one.
        gap_options=frozenset({"miprelstop", "mipabsstop", "mipaddcutoff", "miprelcutoff"}),
        others={"bargapstop": 1e-13},
        words=lambda answer: _STOPS["xpress"].get(answer["model"].attributes.stopstatus, ""),
        known=lambda module: dir(module.controls),  # it passes over other names
        threads_option="threads",
        seed_option="randomseed",
        bound=lambda answer: answer["model"].attributes.bestbound,
    ),
    Bridged(
        name="cplex",
        time_option="timelimit",
        keyword="cplex_params",
        tolerances=(
            *(f"simplex.tolerances.{each}" for each in ("feasibility", "optimality")),
            "mip.tolerances.integrality",
        ),
        gap_options=frozenset(
            f"mip.tolerances.{each}" for each in ("mipgap", "absmipgap", "objdifference")
        ),
        others={"barrier.convergetol": 1e-12},
        words=lambda answer: str(answer["model"].solution.get_status_string()),
        threads_option="threads",
        seed_option="randomseed",
        bound=lambda answer: answer["model"].solution.MIP.get_best_objective(),
        again="solve",
    ),
    Bridged(
        name="mosek",
        solves=_ALL | {"conic"},
        about="simplex, interior point, branch and cut; not tested",
        licence="commercial; solves nothing without a licence file",
        time_option="MSK_DPAR_OPTIMIZER_MAX_TIME",
        keyword="mosek_params",
        tolerances=tuple(
            f"MSK_DPAR_{each}"
            for each in ("BASIS_TOL_X", "BASIS_TOL_S", "MIO_TOL_FEAS", "MIO_TOL_ABS_RELAX_INT")
        ),
        gap_options=frozenset({"MSK_DPAR_MIO_TOL_REL_GAP", "MSK_DPAR_MIO_TOL_ABS_GAP"}),
        threads_option="MSK_IPAR_NUM_THREADS",
        seed_option="MSK_IPAR_MIO_SEED",
        bound=lambda answer: answer["task"].getdouinf(
            import_module("mosek").dinfitem.mio_obj_bound
        ),
    ),
)


BACKENDS: dict[str, Backend] = {each.name: each for each in _TABLE}
