"""cuPDLPx and cuOpt, which need a GPU: by modules that have their interfaces and solve by HiGHS.

The interfaces are those that are documented: cuPDLPx 0.3, cuOpt 26.10. Where the packages are
installed without a GPU, what they say is a sentence.
"""

import importlib.machinery
import sys
from dataclasses import replace
from enum import IntEnum
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

import cpe_opt as cpe
from cpe_opt.errors import SolverUnable, UnknownName
from cpe_opt.modelling.program import LinearProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.registry import get_backend, runs_in
from tests.support import random_program

PLAIN = SolverSettings()
CUPDLPX = {
    "OPTIMAL": (0, Status.OPTIMAL),
    "PRIMAL_INFEASIBLE": (1, Status.INFEASIBLE),
    "DUAL_INFEASIBLE": (2, Status.INFEASIBLE_OR_UNBOUNDED),
    "TIME_LIMIT": (3, Status.TIME_LIMIT),
    "ITERATION_LIMIT": (4, Status.ITERATION_LIMIT),
    "INFEASIBLE_OR_UNBOUNDED": (5, Status.INFEASIBLE_OR_UNBOUNDED),
    "FEAS_POLISH_SUCCESS": (6, Status.IMPRECISE),
    "UNSPECIFIED": (-1, Status.ERROR),
}
CUOPT_LP = {
    "NoTermination": (0, Status.ERROR),
    "Optimal": (1, Status.OPTIMAL),
    "PrimalInfeasible": (2, Status.INFEASIBLE),
    "DualInfeasible": (3, Status.INFEASIBLE_OR_UNBOUNDED),
    "IterationLimit": (4, Status.ITERATION_LIMIT),
    "TimeLimit": (5, Status.TIME_LIMIT),
    "NumericalError": (6, Status.IMPRECISE),
    "PrimalFeasible": (7, Status.IMPRECISE),
    "UnboundedOrInfeasible": (11, Status.INFEASIBLE_OR_UNBOUNDED),
}
CUOPT_MIP = {
    "NoTermination": (0, Status.ERROR),
    "Optimal": (1, Status.OPTIMAL),
    "Infeasible": (2, Status.INFEASIBLE),
    "Unbounded": (3, Status.UNBOUNDED),
    "TimeLimit": (5, Status.TIME_LIMIT),
    "FeasibleFound": (8, Status.OTHER_LIMIT),
    "UnboundedOrInfeasible": (11, Status.INFEASIBLE_OR_UNBOUNDED),
}
POINTLESS = ("INFEASIBLE", "Infeasible", "UNSPECIFIED", "NoTermination", "Numerical", "Unbounded")


def solved(costs, matrix, rows, columns, integer=None):
    """What HiGHS says of a minimisation in arrays."""
    n, m = len(costs), matrix.shape[0]
    whole = np.zeros(n, dtype=np.bool_) if integer is None else integer
    names = tuple(f"x_{j}" for j in range(n)), tuple(f"r_{i}" for i in range(m))
    program = LinearProgram("played", "min", costs, *columns, whole, sp.csr_array(matrix), *rows,
                            *names)  # fmt: skip
    return get_backend("highs").solve(program, PLAIN)


def put(monkeypatch, name, module):
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture
def cupdlpx(monkeypatch):
    """A module of its interface, and what it is told; ``end`` replaces the status, if given."""
    told = SimpleNamespace(end=None, params={}, sign=None, error=None)
    names = {"TimeLimit": "time_sec_limit", "OptimalityTol": "eps_optimal_relative",
             "FeasibilityTol": "eps_feasible_relative", "OutputFlag": "verbose",
             "MatrixZeroTol": "matrix_zero_tol", "IterationLimit": "iteration_limit"}  # fmt: skip

    class Model:
        def __init__(self, costs, matrix, low, high, lower=None, upper=None):
            self.given = costs, matrix, (low, high), (lower, upper)
            self.Params = told.params = dict.fromkeys(names.values())

        def setParam(self, name, value):  # noqa: N802
            if not isinstance(value, int | float):
                raise TypeError(f"Parameter '{name}' must be a number.")
            self.Params[names.get(name, name)] = value

        def optimize(self):
            if told.error:
                raise told.error
            assert sp.isspmatrix_csr(self.given[1])
            assert self.given[1].shape[0] > 0
            raw = solved(*self.given)
            self.StatusName = told.end or raw.status.name
            self.Status = CUPDLPX.get(self.StatusName, (777,))[0]
            self.X, self.Pi, self.IterCount = raw.x, raw.row_duals, 200

    module = ModuleType("cupdlpx")
    module.Model, module.PDLP = Model, SimpleNamespace(_PARAM_ALIAS=names)
    put(monkeypatch, "cupdlpx", module)
    return told


@pytest.fixture
def cuopt(monkeypatch):
    """A module of its interface, and what it is told; ``end`` replaces the reason, if given."""
    told = SimpleNamespace(end=None, params={}, error=None, failed=0)
    known = {"time_limit": np.inf, "log_to_console": True, "random_seed": -1, "method": 0,
             "num_cpu_threads": -1, "log_file": ""}  # fmt: skip
    known |= dict.fromkeys(get_backend("cuopt").defaults, 1e-4)

    class DataModel:
        def __init__(self):
            self.given = {}

        def __getattr__(self, name):
            assert name.startswith("set_"), name
            return lambda *values: self.given.update({name[4:]: values})

    class SolverSettings:
        def get_parameter(self, name):
            return known[name]

        def set_parameter(self, name, value):
            assert type(value) is type(known[name]), name
            told.params[name] = value

    class Solution:
        def __init__(self, raw, integer):
            self.raw, ends = raw, CUOPT_MIP if integer else CUOPT_LP
            self.reason = told.end or {"OPTIMAL": "Optimal"}.get(raw.status.name, "TimeLimit")
            self.code = IntEnum("Code", {name: code for name, (code, _) in ends.items()})

        def get_termination_reason(self):
            return self.reason

        def get_termination_status(self):
            return getattr(self.code, self.reason, 777)

        def get_error_status(self):
            return told.failed

        def get_error_message(self):
            return "it ran out"

        def get_primal_solution(self):
            return [] if self.raw.x is None else self.raw.x

        def get_dual_solution(self):
            return self.raw.row_duals

        def get_lp_stats(self):
            return {"nb_iterations": 7}

        def get_milp_stats(self):
            return {"solution_bound": self.raw.bound, "num_simplex_iterations": 9}

    def solve(model, settings):
        if told.error:
            raise told.error
        given = model.given
        (costs,), kinds = given["objective_coefficients"], given.get("variable_types")
        values, indices, starts = given["csr_constraint_matrix"]
        assert indices.dtype == starts.dtype == np.int32
        matrix = sp.csr_array((values, indices, starts), shape=(len(starts) - 1, len(costs)))
        rows, columns = ([given[f"{kind}_{side}_bounds"][0] for side in ("lower", "upper")]
                         for kind in ("constraint", "variable"))  # fmt: skip
        integer = None if kinds is None else kinds[0] == "I"
        return Solution(solved(costs, matrix, rows, columns, integer), kinds is not None)

    module = ModuleType("cuopt.linear_programming")
    module.DataModel, module.SolverSettings, module.Solve = DataModel, SolverSettings, solve
    parameters = ModuleType("cuopt.linear_programming.solver.solver_parameters")
    parameters.solver_params = [*known, "method"]
    for each in (ModuleType("cuopt"), module, parameters):
        put(monkeypatch, each.__name__, each)
    monkeypatch.setattr(type(get_backend("cuopt")), "version", lambda self: "26.10.0")
    return told


@pytest.fixture(params=["cupdlpx", "cuopt"])
def played(request, monkeypatch):
    """The name of each, and what it is told."""
    told = request.getfixturevalue(request.param)
    monkeypatch.setattr(type(get_backend(request.param)), "version", lambda self: "0")
    return request.param, told


def test_linear_programs_have_their_points_and_duals(played):
    """In either sense, with two-sided, one-sided and equal rows, and free columns."""
    solver, told = played
    rng = np.random.default_rng(1)
    for number in range(8):
        program = random_program(rng, sense="min" if number % 2 else "max", columns=9, rows=5)
        result, expected = cpe.solve(program, solver, process="here"), cpe.solve(program)
        assert result.objective == pytest.approx(expected.objective, abs=1e-9)
        raw = get_backend(solver).solve(program, PLAIN)
        assert raw.row_duals == pytest.approx(expected.row_duals, abs=1e-9)
        assert raw.iterations in (7, 200)
    builder = cpe.ProgramBuilder("bare", sense="max", offset=2.0)
    builder.columns("x", 2, cost=[1, -3], lower=-1, upper=4)
    assert cpe.solve(builder.build(), solver, process="here").objective == pytest.approx(9.0)
    assert told.params.get("matrix_zero_tol", 0.0) == 0.0


def test_whole_columns_have_a_bound_in_the_sense_of_the_program(cuopt):
    rng = np.random.default_rng(2)
    for sense in ("min", "max"):
        program = random_program(rng, sense=sense, integer=True)
        result, expected = cpe.solve(program, "cuopt"), cpe.solve(program)
        assert result.objective == pytest.approx(expected.objective)
        assert result.bound == pytest.approx(expected.objective)
        assert get_backend("cuopt").solve(program, PLAIN).iterations == 9
    assert cuopt.params["mip_relative_gap"] == cuopt.params["mip_absolute_gap"] == 0.0


@pytest.mark.parametrize(
    ("solver", "name", "integer"),
    [("cupdlpx", name, False) for name in CUPDLPX]
    + [("cuopt", name, False) for name in CUOPT_LP]
    + [("cuopt", name, True) for name in CUOPT_MIP],
)
def test_statuses(request, solver, name, integer):
    told = request.getfixturevalue(solver)
    told.end = name
    status = (CUPDLPX if solver == "cupdlpx" else CUOPT_MIP if integer else CUOPT_LP)[name][1]
    backend = get_backend(solver)
    program = random_program(np.random.default_rng(3), integer=integer)
    raw = backend.solve(program, PLAIN)
    assert raw.status is status
    assert raw.message == ("" if status is Status.OPTIMAL else f"{backend.own_name}: {name}")
    assert (raw.x is None) == any(part in name for part in POINTLESS)
    if name == "FeasibleFound":
        limited = replace(PLAIN, time_limit=60.0)
        assert backend.solve(program, limited).status is Status.TIME_LIMIT


def test_a_status_that_is_not_documented_is_an_error(played):
    solver, told = played
    told.end = "Unheard"
    raw = get_backend(solver).solve(random_program(np.random.default_rng(3)), PLAIN)
    assert raw.status is Status.ERROR
    assert raw.message == f"{get_backend(solver).own_name}: unknown status 777"
    assert raw.x is raw.row_duals is None


def test_limits_and_options_reach_the_solver(played):
    solver, told = played
    backend, program = get_backend(solver), random_program(np.random.default_rng(3))
    backend.solve(program, replace(PLAIN, time_limit=30.0, log=True))
    limit, log = {
        "cupdlpx": ("time_sec_limit", "verbose"),
        "cuopt": ("time_limit", "log_to_console"),
    }[solver]
    assert 29.0 < told.params[limit] <= 30.0
    assert told.params[log] is True
    assert backend.solve(program, replace(PLAIN, time_limit=1e-9)).status is Status.TIME_LIMIT
    backend.solve(program, PLAIN)
    assert told.params[log] is False
    assert solver == "cuopt" or told.params[limit] == 1e9  # its own default is an hour
    near = {"cupdlpx": ("TimeLimt", "TimeLimit"), "cuopt": ("time_limt", "time_limit")}[solver]
    wrong = {"cupdlpx": {"OptimalityTol": "tight"}, "cuopt": {"method": 0.5}}[solver]
    with pytest.raises(UnknownName, match=f"unknown {solver} option .*did you mean '{near[1]}'"):
        backend.solve(program, replace(PLAIN, solver_options={near[0]: 1}))
    with pytest.raises(cpe.InputError, match=f"{solver} option .* does not accept the value"):
        backend.solve(program, replace(PLAIN, solver_options=wrong))


def test_without_a_gpu(played):
    solver, told = played
    backend, program = get_backend(solver), random_program(np.random.default_rng(3))
    told.error = RuntimeError("an illegal memory access")
    raw = backend.solve(program, PLAIN)
    assert raw.status is Status.ERROR
    assert "an illegal memory access" in raw.message
    if solver == "cuopt":
        told.error = Exception("A CPU-memory problem requires remote execution. "
                               "Set CUOPT_REMOTE_HOST and CUOPT_REMOTE_PORT.")  # fmt: skip
        with pytest.raises(SolverUnable, match="solver 'cuopt' finds no GPU here: A CPU-memory"):
            backend.solve(program, PLAIN)
        told.error = ValueError("Parameter method value 99 out of range")
        with pytest.raises(cpe.InputError, match="accept its options: Parameter method value 99"):
            backend.solve(program, PLAIN)
        told.error, told.failed = None, 5
        assert backend.solve(program, PLAIN).message == "cuOpt: it ran out"
    # Its errors end the process that it is in.
    assert runs_in(backend, None) == ("child" if solver == "cupdlpx" else "here")


def test_what_the_installed_package_says_without_a_gpu():
    backend = get_backend("cuopt")
    if not backend.available:
        pytest.skip("cuopt is not installed")
    program = random_program(np.random.default_rng(3))
    raised = None
    try:
        objective = cpe.solve(program, "cuopt").objective
    except SolverUnable as error:
        raised = str(error)
    if raised is None:
        assert objective == pytest.approx(cpe.solve(program).objective)
    else:
        assert raised.startswith("solver 'cuopt' finds no GPU here")
    with pytest.raises(UnknownName, match="did you mean 'time_limit'"):
        cpe.solve(program, "cuopt", solver_options={"time_limt": 1.0})
