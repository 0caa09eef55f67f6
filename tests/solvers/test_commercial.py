"""Solvers that ask for a licence: what they say is translated right, and is true.

Where a package is installed, the solver runs. What it can say that small programs do not bring
about (statuses, missing licences) is played everywhere by modules (:mod:`tests.solvers.played`).
"""

import ctypes
import math
import multiprocessing
import os
import re
import signal
import sys
from dataclasses import dataclass, replace
from threading import Thread

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import SolverMissing, SolverUnable, UnknownName
from cpe_opt.modelling.certify import dual_proof
from cpe_opt.modelling.result import Status
from cpe_opt.solvers.base import SolverSettings
from cpe_opt.solvers.commercial import side_kinds
from cpe_opt.solvers.registry import get_backend
from tests.catalogue import ENTRIES, read_toml
from tests.solvers.fuzz import run
from tests.solvers.played import DOCUMENTED, FEASIBLE, codes, play
from tests.support import A_HANG, LICENSED, all_of, random_program

PLAIN = SolverSettings()


@dataclass(frozen=True)
class Facts:
    """What a solver calls things.

    ``most`` are the columns and rows that its licence allows for without a file, if any.
    """

    gap: dict
    iterations: dict
    nodes: dict
    near: tuple
    wrong: tuple
    most: tuple = ()


FACTS = {
    "gurobi": Facts(
        gap={"MIPGap": 0.5, "Heuristics": 0.5},
        iterations={"IterationLimit": 1},
        nodes={"NodeLimit": 0, "Heuristics": 0.0, "Cuts": 0},
        near=("MipGap", "MIPGap"),
        wrong=(
            ("Method", 77),
            ("Method", "dual"),
            ("Presolve", 1.5),
            ("MIPGap", None),
            ("IterationLimit", -1.0),
            ("LogFile", 3),
            ("ServerPassword", "word"),
        ),
        most=(2000, 2000),
    ),
    "copt": Facts(
        gap={"RelGap": 0.5},
        iterations={"BarIterLimit": 1, "LpMethod": 2, "Presolve": 0},
        nodes={"NodeLimit": 0},
        near=("RelGp", "RelGap"),
        wrong=(
            ("LpMethod", 77),
            ("Presolve", "on"),
            ("Presolve", 1.5),
            ("RelGap", None),
            ("FeasTol", 1e-12),
        ),
        most=(10_000, 10_000),
    ),
    "xpress": Facts(
        gap={"miprelstop": 0.5},
        iterations={"lpiterlimit": 1},
        nodes={"maxnode": 1, "heuremphasis": 0},
        near=("miprelstp", "miprelstop"),
        wrong=(
            ("presolve", "on"),
            ("presolve", 1.5),
            ("presolve", 10**12),
            ("miprelstop", None),
            ("version", "best"),
        ),
        most=(4999, 4998),
    ),
    "cplex": Facts(
        gap={"mip.tolerances.mipgap": 0.5},
        iterations={"simplex.limits.iterations": 1},
        nodes={"mip.limits.nodes": 0},
        near=("mip.tolerances.gap", "mip.tolerances.mipgap"),
        wrong=(
            ("lpmethod", 77),
            ("lpmethod", "dual"),
            ("lpmethod", 1.5),
            ("mip.tolerances.mipgap", None),
            ("simplex.tolerances.feasibility", 1e-12),
            ("workdir", 3),
        ),
        most=(1000, 1000),
    ),
    "mosek": Facts(
        gap={"MSK_DPAR_MIO_TOL_REL_GAP": 0.5},
        iterations={
            "MSK_IPAR_SIM_MAX_ITERATIONS": 1,
            "MSK_IPAR_OPTIMIZER": "MSK_OPTIMIZER_DUAL_SIMPLEX",
        },
        nodes={"MSK_IPAR_MIO_MAX_NUM_BRANCHES": 0},
        near=("MSK_DPAR_MIO_TOL_RELGAP", "MSK_DPAR_MIO_TOL_REL_GAP"),
        wrong=(
            ("MSK_IPAR_PRESOLVE_USE", "on"),
            ("MSK_IPAR_PRESOLVE_USE", 1.5),
            ("MSK_IPAR_PRESOLVE_USE", 77),
            ("MSK_DPAR_MIO_TOL_REL_GAP", math.nan),
            ("MSK_DPAR_BASIS_TOL_X", 1e-12),
        ),
    ),
}
every = pytest.mark.parametrize("solver", LICENSED)


def ranged(sense, *, low=-math.inf, high=math.inf, towards=1.0):
    """Optimise ``towards (2x + y)`` over one row of slope 1, and x, y in [0, 10]."""
    builder = cpe.ProgramBuilder("ranged", sense=sense, offset=7.0)
    x = builder.columns("x", 2, cost=[2 * towards, towards], upper=10)
    builder.row("r", x, [1, 1], lower=low, upper=high)
    builder.row("idle", x, [1, -1], lower=-30, upper=40)
    return builder.build()


def knapsack(n=30, rows=8, seed=0):
    rng = np.random.default_rng(seed)
    builder = cpe.ProgramBuilder("knapsack", sense="max")
    take = builder.columns("take", n, cost=rng.integers(5, 30, n), upper=1, integer=True)
    for row in range(rows):
        builder.row(f"sack_{row}", take, rng.integers(5, 30, n), upper=10 * n / 3)
    return builder.build()


def wide(columns, rows):
    """Any program of this size, with an optimum of 1."""
    builder = cpe.ProgramBuilder("wide")
    x = builder.columns("x", columns, cost=1, upper=2)
    place = np.arange(rows)
    builder.rows("r", rows, place, x[place % columns], np.ones(rows), lower=np.where(place, 0, 1))
    return builder.build()


# Where the solver runs


@every
def test_every_kind_of_row_has_the_dual_of_its_side(solver):
    """The derivative of the optimum by the side that holds, at either side, in either sense."""
    get_backend(solver).require()
    for sense, towards, at in (("min", 1, 3), ("min", -1, 5), ("max", 1, 5), ("max", -1, 3)):
        sides = [{"low": at, "high": at}, {"low": 3.0, "high": 5.0}]
        sides.append({"low": at} if at == 3 else {"high": at})
        for each in sides:
            program = ranged(sense, towards=float(towards), **each)
            raw = get_backend(solver).solve(program, PLAIN)
            assert raw.status is Status.OPTIMAL
            moved = {name: side + 0.5 for name, side in each.items()}
            slope = 2 * (
                cpe.solve(ranged(sense, towards=float(towards), **moved)).objective
                - program.objective(raw.x)
            )
            assert raw.row_duals == pytest.approx([slope, 0.0], abs=1e-9)
            assert abs(slope) in (1.0, 2.0)


@every
def test_duals_alone_prove_the_optimum(solver):
    """Of random programs with one-sided, two-sided, equal and empty rows, without HiGHS's help."""
    rng = np.random.default_rng(3)
    get_backend(solver).require()
    for number in range(20):
        program = random_program(rng, sense="min" if number % 2 else "max", columns=12, rows=8)
        first = np.arange(8) == 0  # has no lower side as it is
        program = replace(program, row_upper=np.where(first, np.inf, program.row_upper))
        raw = get_backend(solver).solve(program, PLAIN)
        bound, residual, *_ = dual_proof(program, raw.row_duals)
        expected = cpe.solve(program)
        assert residual <= 1e-8
        assert bound == pytest.approx(program.objective(raw.x), rel=1e-9)
        assert bound == pytest.approx(expected.objective, rel=1e-9)
        assert raw.row_duals == pytest.approx(expected.row_duals, abs=1e-7)
        assert raw.iterations >= 0


@every
def test_programs_without_an_optimum(solver):
    for sense, costs in (("min", [-1, -1]), ("max", [1, 1])):
        builder = cpe.ProgramBuilder("endless", sense=sense)
        x = builder.columns("x", 2, cost=costs)
        builder.row("r", x, [1, -1], upper=1)
        program = builder.build()
        for endless in (program, replace(program, integer=np.ones(2, dtype=np.bool_))):
            assert cpe.solve(endless, solver, check=False).status is Status.UNBOUNDED
        empty = program.with_row({"x_0": 1.0, "x_1": 1.0}, upper=-1.0)
        for each in (empty, replace(empty, integer=np.ones(2, dtype=np.bool_))):
            assert cpe.solve(each, solver, check=False).status is Status.INFEASIBLE


@every
def test_integer_programs_are_solved_to_the_end(solver):
    for seed in range(4):
        program = knapsack(n=15, rows=5, seed=seed)
        raw = get_backend(solver).solve(program, PLAIN)
        expected = cpe.solve(program).objective
        assert raw.status is Status.OPTIMAL
        assert program.objective(raw.x) == pytest.approx(expected, abs=1e-6)
        assert raw.bound == pytest.approx(expected, abs=1e-6)
        assert raw.row_duals is None
        mixed = replace(program, integer=np.arange(15) < 7)
        assert cpe.solve(mixed, solver).objective == pytest.approx(cpe.solve(mixed).objective)


@every
def test_a_gap_is_allowed_by_the_solvers_own_option(solver):
    result = cpe.solve(knapsack(), solver, solver_options=FACTS[solver].gap, check=False)
    assert result.status is Status.GAP_LIMIT
    assert result.objective <= cpe.solve(knapsack()).objective < result.bound


@every
def test_limits_are_told_apart(solver):
    program = random_program(np.random.default_rng(0), columns=60, rows=40)
    options = FACTS[solver].iterations
    result = cpe.solve(program, solver, solver_options=options, check=False)
    assert result.status is Status.ITERATION_LIMIT
    options = FACTS[solver].nodes
    result = cpe.solve(knapsack(60, 20), solver, solver_options=options, check=False)
    assert result.status is Status.OTHER_LIMIT
    assert result.message.startswith(get_backend(solver).own_name)


@every
def test_options_are_checked(solver):
    program, (wrong, right) = knapsack(), FACTS[solver].near
    with pytest.raises(UnknownName, match=f"unknown {solver} option '{wrong}'; did .*'{right}'"):
        cpe.solve(program, solver, solver_options={wrong: 1})
    assert right in get_backend(solver).known_options()
    for name, value in FACTS[solver].wrong:
        message = f"{solver} option '{name}' does not accept the value {value!r}"
        with pytest.raises(cpe.InputError, match=message):
            cpe.solve(program, solver, solver_options={name: value})


@pytest.mark.parametrize("solver", [solver for solver in FACTS if FACTS[solver].most])
def test_a_program_beyond_the_licence_is_refused_in_a_sentence(solver):
    columns, rows = FACTS[solver].most
    assert cpe.solve(wide(columns // 2, rows // 2), solver).objective == pytest.approx(1.0)
    for size in ((columns + 1, 1), (2, rows + 1)):
        program = wide(*size)
        with pytest.raises(SolverUnable) as caught:
            cpe.solve(program, solver)
        said = str(caught.value)
        assert said.startswith(f"solver '{solver}' has a size-limited licence here (")
        assert f"'wide' has {size[0]:,} columns and {size[1]:,} row" in said
        assert said.endswith("; a full licence lifts the limit")


@every
def test_threads_and_seeds_reach_the_solver(solver, capfd):
    result = cpe.solve(knapsack(), solver, threads=2, seed=5, log=True)
    assert result.objective == pytest.approx(cpe.solve(knapsack()).objective)
    assert result.options["threads"] == 2
    assert "2 threads" in capfd.readouterr().out


def optimum(solver):
    return cpe.solve(knapsack(15, 5), solver).objective


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@every
def test_threads_and_forked_processes_solve(solver):
    """Licences are held by environments, of which each thread and each process has its own."""
    expected, found = optimum(solver), []
    handler = ctypes.pythonapi.PyOS_getsig(signal.SIGINT)
    threads = [Thread(target=lambda: found.append(optimum(solver))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 3
    assert ctypes.pythonapi.PyOS_getsig(signal.SIGINT) == handler  # of Ctrl-C
    if "fork" in multiprocessing.get_all_start_methods():
        children = multiprocessing.get_context("fork").Pool(1)
        try:
            assert children.apply_async(optimum, (solver,)).get(timeout=A_HANG) == expected
        finally:
            children.terminate()
    assert optimum(solver) == expected


@every
def test_stored_programs_have_their_optima(solver):
    """Those that the licence allows for."""
    solved = 0
    for entry in ENTRIES:
        if not entry.is_conic:
            program = cpe.read_program(entry.folder / f"{entry.stem}.lp")
            if 2 * max(program.shape) <= min(FACTS[solver].most or (10_000,)):
                found, optimum = cpe.solve(program, solver), read_toml(entry)["optimum"]
                assert found.objective == pytest.approx(optimum, rel=1e-6, abs=1e-6)
                solved += 1
    assert solved >= 20


@every
def test_no_false_claims(solver):
    false, ends = run(0, 200, solvers=[solver])
    assert false == []
    assert ends[solver, "optimal"] > 140
    assert set(ends) <= {(solver, "optimal"), (solver, "infeasible"), (solver, "unbounded")}


@every
def test_every_status_of_the_solver_is_known(solver):
    """Those of the installed version are the documented ones."""
    module, documented = get_backend(solver).load(), codes(solver)
    installed = INSTALLED[solver](module)
    assert {name: documented.get(name) for name in installed} == installed


def ends_of(mosek):
    """Statuses of solutions, those of problems that have none, and terminations."""
    good = ("prim_feas", "dual_feas", "prim_and_dual_feas", "unknown")
    names = [str(each).rpartition(".")[2] for kind in (mosek.solsta, mosek.prosta, mosek.rescode)
             for each in kind.values]  # fmt: skip
    errors = ("err_", "wrn_", "ok")
    return [name for name in names if name not in good and not name.startswith(errors)]


def cplex_codes(cplex):
    with cplex.Cplex() as model:
        kinds = model.solution.status
        return {name: getattr(kinds, name) for name in dir(kinds) if not name.startswith("_")}


INSTALLED = {
    "gurobi": lambda gurobi: {
        name: code for name, code in vars(type(gurobi.GRB.Status)).items() if name.isupper()
    },
    # Its statuses are among all its other constants.
    "copt": lambda copt: {
        name: getattr(copt.COPT, name) for name in codes("copt") if hasattr(copt.COPT, name)
    },
    "xpress": lambda xpress: {
        **{each.name: (int(each), 0, 0) for each in xpress.SolveStatus if int(each) == 0},
        **{each.name: (3, int(each), 0) for each in xpress.SolStatus},
        **{each.name: (1, 2, int(each)) for each in xpress.StopType},
    },
    "cplex": cplex_codes,
    "mosek": lambda mosek: {name: codes("mosek").get(name) or "new" for name in ends_of(mosek)},
}


# Where a module plays it


# Ends that say that there is no point, whatever else there is.
POINTLESS = dict.fromkeys(DOCUMENTED, ()) | {
    "xpress": ("UNSTARTED", "NOTFOUND", "INFEASIBLE", "UNBOUNDED"),
    "mosek": [name for name, (_, *parts) in codes("mosek").items() if parts[1] not in FEASIBLE],
}


@all_of(
    ("solver", "name"), [(solver, name) for solver in DOCUMENTED for name in DOCUMENTED[solver]]
)
def test_statuses(monkeypatch, solver, name):
    code, status = DOCUMENTED[solver][name]
    backend = play(monkeypatch, solver, code)
    if name in backend.interrupted:
        with pytest.raises(KeyboardInterrupt):
            backend.solve(ranged("min", low=1), PLAIN)
        return
    raw = backend.solve(ranged("min", low=1), PLAIN)
    assert raw.status is status
    assert raw.message == ("" if status is Status.OPTIMAL else f"{backend.own_name}: {name}")
    assert raw.iterations == 7
    if name in POINTLESS[solver]:
        assert (raw.x, raw.row_duals) == (None, None)
    else:
        assert raw.x.tolist() == [1.0, 1.0]
        assert raw.row_duals.tolist() == [0.5, 0.5]


def bowl(whole=False):
    """Minimise x² + xy + 2y² - 3x - 2y + 7, whose matrix is ((2, 1), (1, 4)), over one row."""
    builder = cpe.ProgramBuilder("bowl", offset=7.0)
    x = builder.columns("x", 2, cost=[-3, -2], upper=10, integer=whole)
    builder.quadratic(x[[0, 0, 1]], x[[0, 1, 1]], [1, 1, 2])
    builder.row("r", x, upper=10)
    return builder.build()


HALVED = [(0, 0, 1.0), (0, 1, 0.5), (1, 0, 0.5), (1, 1, 2.0)]
QUADRATIC = {
    "gurobi": HALVED,
    "copt": HALVED,
    "xpress": [(0, 0, 2.0), (0, 1, 1.0), (1, 1, 4.0)],
    "cplex": [(0, 0, 2.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 4.0)],
}


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("solver", QUADRATIC)
def test_quadratic_terms_are_handed_over_with_the_half_of_the_solver(monkeypatch, solver, whole):
    name = {"cplex": "MIP_optimal"}.get(solver, "OPTIMAL") if whole else "OPTIMAL"
    name = name if name in DOCUMENTED[solver] else name.lower()
    backend = play(monkeypatch, solver, DOCUMENTED[solver][name][0])
    raw = backend.solve_quadratic(bowl(whole), PLAIN)
    assert raw.status is Status.OPTIMAL
    assert raw.x.tolist() == [1.0, 1.0]
    assert (raw.row_duals is None) == whole
    module = sys.modules[backend.module]
    factor = 1024.0 if whole and solver == "copt" else 1.0
    assert module.terms == [(i, j, factor * value) for i, j, value in QUADRATIC[solver]]
    if solver in ("gurobi", "copt"):
        assert module.linear[0] == [-3.0 * factor, -2.0 * factor]
        assert solver == "copt" or module.linear[1] == 7.0


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("abort_primal_obj_limit", Status.UNBOUNDED),
        ("abort_dual_obj_limit", Status.INFEASIBLE),
        ("abort_obj_limit", Status.OTHER_LIMIT),
    ],
)
def test_cplex_ends_quadratic_programs_without_optimum_at_a_range(monkeypatch, name, status):
    backend = play(monkeypatch, "cplex", DOCUMENTED["cplex"][name][0])
    assert backend.solve_quadratic(bowl(), PLAIN).status is status
    given = replace(PLAIN, solver_options={"barrier.limits.objrange": 1e3})
    assert backend.solve_quadratic(bowl(), given).status is Status.OTHER_LIMIT


def test_xpress_leaves_open_which_quadratic_programs_are_infeasible(monkeypatch):
    backend = play(monkeypatch, "xpress", DOCUMENTED["xpress"]["INFEASIBLE"][0])
    open_ = Status.INFEASIBLE_OR_UNBOUNDED
    assert backend.solve_quadratic(bowl(), PLAIN).status is open_
    assert backend.solve_quadratic(bowl(whole=True), PLAIN).status is Status.INFEASIBLE


@pytest.mark.parametrize("solver", DOCUMENTED)
def test_a_status_that_is_not_documented_is_an_error(monkeypatch, solver):
    unknown = {"xpress": (3, 777, 0), "mosek": ("trm_new", "unknown", "unknown")}.get(solver, 777)
    backend = play(monkeypatch, solver, unknown)
    raw = backend.solve(knapsack(), PLAIN)
    assert raw.status is Status.ERROR
    assert raw.message == f"{backend.own_name}: unknown status {unknown}"
    assert (raw.row_duals, raw.bound) == (None, None)


# The number of the error, and where it comes: without a licence, and with one for less.
LICENCES = {
    "gurobi": (("start", 10009), ("solve", 10010)),
    "copt": (("start", 4), ("solve", 4)),
    "xpress": (("start", 1), ("solve", 120)),
    "cplex": (("start", 32201), ("solve", 1016)),
    "mosek": (("solve", "err_license_expired"),),
}


@pytest.mark.parametrize("solver", DOCUMENTED)
def test_licences_that_are_missing_or_too_small(monkeypatch, solver):
    (at, number), *rest = LICENCES[solver]
    end = next(iter(codes(solver).values()))
    backend = play(monkeypatch, solver, end, error=(number, "it is out of date"), at=at)
    message = f"^solver '{solver}' found no valid licence here: it is out of date$"
    with pytest.raises(SolverUnable, match=message):
        backend.solve(knapsack(), PLAIN)
    for later, another in rest:
        backend = play(monkeypatch, solver, end, error=(another, "too large"), at=later)
        message = "has a size-limited licence here .*'knapsack' has 30 columns and 8 rows; a full "
        with pytest.raises(SolverUnable, match=message):
            backend.solve(knapsack(), PLAIN)
    backend = play(monkeypatch, solver, end, error=(2, "out of memory"))
    raw = backend.solve(knapsack(), PLAIN)
    assert raw.status is Status.ERROR
    assert re.fullmatch(f"{backend.own_name}: error .?2.*: out of memory", raw.message)


@pytest.mark.skipif(sys.platform != "linux", reason="asks the C library of Linux")
def test_copt_forgets_the_processor_that_gurobi_assumes(monkeypatch):
    """Else its barrier method uses instructions that this processor may not have."""
    backend = play(monkeypatch, "copt", 1)
    for by_the_user in (False, True):
        os.putenv("MKL_DEBUG_CPU_TYPE", "6")  # as a library does, past os.environ
        if by_the_user:
            monkeypatch.setenv("MKL_DEBUG_CPU_TYPE", "6")
        backend.solve(ranged("min", low=1), PLAIN)
        assert bool(ctypes.CDLL(None).getenv(b"MKL_DEBUG_CPU_TYPE")) is by_the_user


# What needs no solver


def test_rows_are_told_apart_by_their_sides():
    builder = cpe.ProgramBuilder("rows")
    x = builder.columns("x", 1)
    for name, sides in {
        "E": (2, 2), "R": (1, 2), "L": (-np.inf, 2), "G": (1, np.inf), "N": (-np.inf, np.inf)
    }.items():  # fmt: skip
        builder.rows(name, 1, [0], x, [1.0], lower=sides[0], upper=sides[1])
    program = builder.build()
    assert "".join(side_kinds(program.row_lower, program.row_upper)) == "ERLGN"


@every
def test_a_missing_solver_says_how_to_install_it(solver, monkeypatch):
    backend = get_backend(solver)
    monkeypatch.setattr(type(backend), "available", property(lambda self: False))
    with pytest.raises(SolverMissing, match=f"{solver!r} needs .*: pip install {backend.package}"):
        cpe.solve(knapsack(), solver)
    assert backend.licence.startswith("commercial")
