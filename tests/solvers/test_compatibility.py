"""Versions that clash or err are known before anything is imported, and never give an answer."""

import importlib.util
import sys
from dataclasses import replace

import cvxpy
import numpy as np
import pytest
from packaging.version import Version

import cpe_opt as cpe
from cpe_opt.errors import SolverMissing, SolverUnable
from cpe_opt.modelling.lazy import LazyProgram
from cpe_opt.modelling.result import Status
from cpe_opt.solvers import compatibility, min_cost_flow
from cpe_opt.solvers.base import RawSolution
from cpe_opt.solvers.highs import Highs
from cpe_opt.solvers.mathopt import Scip
from cpe_opt.solvers.registry import get_backend


@pytest.fixture
def versions(monkeypatch):
    """Say that these versions are installed, and no others of the three."""

    there = compatibility.importable("ortools")

    def say(**given):
        if "ortools" in given and not there:
            pytest.skip("OR-Tools cannot be imported here")
        found = {package: Version(version) for package, version in given.items()}
        monkeypatch.setattr(compatibility, "installed", found.get)

    return say


@pytest.fixture
def no_ortools(monkeypatch, versions):
    versions(highspy="1.16.0", cvxpy="1.9.3")
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name.startswith("ortools") else find(name, *rest),
    )


def stuffing():
    """2x + 3z with x + z at least 4.5 and z whole: 9, where x = 4.5; HiGHS 1.14 says 15."""
    builder = cpe.ProgramBuilder("stuffing")
    x = builder.columns("x", 1, cost=2, upper=10)
    z = builder.columns("z", 1, cost=3, upper=10, integer=True)
    builder.row("enough", [*x, *z], [1, 1], lower=4.5)
    return builder.build()


@pytest.mark.parametrize(
    ("given", "clash", "integer", "quadratic"),
    [
        ({"highspy": "1.13.1", "cvxpy": "1.8.2", "ortools": "9.14.6206"}, False, False, False),
        ({"highspy": "1.13.1", "cvxpy": "1.9.0", "ortools": "9.14.6206"}, False, False, True),
        ({"highspy": "1.14.0", "cvxpy": "1.9.3", "ortools": "9.15.6755"}, False, True, False),
        ({"highspy": "1.15.0", "cvxpy": "1.9.3", "ortools": "9.14.6206"}, True, False, False),
        ({"highspy": "1.15.1", "cvxpy": "1.9.3", "ortools": "9.15.6755"}, True, False, False),
        ({"highspy": "1.15.1", "cvxpy": "1.9.3"}, False, False, False),
        ({"highspy": "1.16.0", "cvxpy": "1.9.3", "ortools": "9.15.6755"}, False, False, False),
    ],
)
def test_what_is_known_of_versions(versions, given, clash, integer, quadratic):
    versions(**given)
    assert bool(compatibility.clash_of("ortools")) == clash
    assert bool(compatibility.fault_of("highs", "MIP")) == integer
    assert bool(compatibility.fault_of("highs", "QP")) == quadratic
    assert compatibility.fault_of("scip", "MIP") is None
    assert compatibility.fault_of("highs", "LP") is None


@pytest.mark.parametrize(
    ("module", "other"),
    [("ortools.math_opt.python.mathopt", "highspy._core"), ("highspy", "ortools.sat.binary")],
)
def test_a_clash_is_a_sentence_whoever_comes_first(versions, monkeypatch, module, other):
    versions(highspy="1.15.1", cvxpy="1.9.3", ortools="9.15.6755")
    for name in list(sys.modules):
        if name.partition(".")[0] in ("highspy", "ortools"):
            monkeypatch.delitem(sys.modules, name)
    library = type(sys)(other)
    library.__file__ = "library.so"
    monkeypatch.setitem(sys.modules, other, library)
    solver = "highs" if module == "highspy" else "glop"
    with pytest.raises(SolverUnable) as caught:
        compatibility.load(module, module.partition(".")[0], f"solver {solver!r}", "")
    assert str(caught.value) == (
        f"solver {solver!r} cannot run in this process (process='child' runs it in its own): "
        "highspy 1.15.1 with ortools 9.15.6755 cannot be in one process, as both load a "
        'libhighs.so.1: pip install "highspy!=1.15.*"'
    )
    assert module not in sys.modules


def test_a_version_that_errs_on_integer_programs_is_not_believed(versions, monkeypatch):
    lie = RawSolution(Status.OPTIMAL, np.array([0.0, 5.0]), None, 15.0)
    honest = Highs.solve
    monkeypatch.setattr(
        Highs,
        "solve",
        lambda self, program, options: (
            lie
            if program.name == "stuffing" and program.is_integer
            else honest(self, program, options)
        ),
    )
    versions(highspy="1.16.0", cvxpy="1.9.3", ortools="9.15.6755")
    believed = cpe.solve(stuffing())
    assert believed.objective == 15.0
    versions(highspy="1.14.0", cvxpy="1.9.3", ortools="9.15.6755")
    result = cpe.solve(stuffing())
    assert result.is_optimal
    assert result.objective == pytest.approx(9.0)
    assert result.bound == pytest.approx(9.0)
    assert "the point and the bound are scip's: highspy 1.14.0 returns wrong" in result.message


@pytest.mark.parametrize("status", [Status.TIME_LIMIT, Status.OPTIMAL])
def test_the_bound_of_a_version_that_errs_is_dropped(versions, monkeypatch, status):
    raw = RawSolution(status, np.array([0.0, 5.0]), None, 15.0)
    monkeypatch.setattr(Highs, "solve", lambda self, program, options: raw)
    monkeypatch.setattr(
        Scip, "solve", lambda self, program, options: RawSolution(Status.TIME_LIMIT)
    )
    versions(highspy="1.14.0", cvxpy="1.9.3", ortools="9.15.6755")
    result = cpe.solve(stuffing(), check=False)
    assert result.status is (Status.IMPRECISE if status is Status.OPTIMAL else status)
    assert result.bound is None


def test_a_version_that_errs_says_so_where_there_is_no_other_solver(no_ortools, versions):
    versions(highspy="1.14.0", cvxpy="1.9.3")
    result = cpe.solve(stuffing(), check=False)
    assert result.status is Status.ERROR
    assert result.objective is result.bound is None
    assert 'pip install "highspy!=1.14.*"' in result.message


def test_programs_that_no_other_solver_can_check_are_refused(versions):
    versions(highspy="1.14.0", cvxpy="1.8.2", ortools="9.14.6206")
    lazy = LazyProgram(stuffing(), lambda x, tolerance, limit: None)
    with pytest.raises(SolverUnable, match=r"'stuffing': highspy 1\.14\.0 returns wrong"):
        cpe.solve(lazy)
    x = cvxpy.Variable(2, integer=True)
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(x)), [x >= 0.5])
    with pytest.raises(SolverUnable, match=r"'whole': highspy 1\.14\.0 returns wrong optima"):
        cpe.solve(cpe.ConicProgram("whole", problem))
    versions(highspy="1.13.1", cvxpy="1.9.3", ortools="9.14.6206")
    y = cvxpy.Variable(2)
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(y - 1)), [y <= 0.5])
    with pytest.raises(SolverUnable, match=r"cvxpy 1.9.3 with highspy 1.13.1 returns wrong optima"):
        cpe.solve(cpe.ConicProgram("squares", problem), "highs")
    assert cpe.solve(cpe.ConicProgram("squares", problem), "clarabel").is_optimal


def test_without_or_tools(no_ortools):
    for solver, integer in (("glop", False), ("scip", True), ("cp-sat", True)):
        program = replace(stuffing(), integer=np.full(2, integer))
        with pytest.raises(SolverMissing, match=f"solver '{solver}' needs the package 'ortools'"):
            cpe.solve(program, solver)
    graph = cpe.BipartiteGraph.complete(3, 2)
    weights = [3, 2, 0, 3, 0, 1]
    best = cpe.best_matching(graph, weights)
    assert (best.method, best.value) == ("scipy", 5.0)
    with pytest.raises(SolverMissing, match=r"'assignment' needs .* or choose 'scipy'"):
        cpe.best_matching(graph, weights, method="assignment")
    assert get_backend("scip").available is False


def test_without_or_tools_highs_confirms_that_no_whole_point_is_there(no_ortools):
    builder = cpe.ProgramBuilder("even")
    x = builder.columns("x", 2, upper=5, integer=True)
    builder.row("odd", x, [2, 2], lower=3, upper=3)
    builder.row("more", x, [1, 3], lower=0.5)
    assert cpe.solve(builder.build(), check=False).status is Status.INFEASIBLE


def test_both_ways_to_cheapest_flows_agree():
    rng = np.random.default_rng(5)
    unmet = 0
    for _ in range(60):
        nodes, arcs = 6, 14
        tails, heads = rng.integers(nodes, size=(2, arcs))
        heads = np.where(tails == heads, (heads + 1) % nodes, heads)
        data = (tails, heads, rng.integers(0, 5, size=arcs), rng.integers(0, 9, size=arcs))
        supplies = rng.integers(-2, 3, size=nodes)
        supplies[-1] -= supplies.sum()
        flows = [way(*data) for way in (min_cost_flow._OrTools, min_cost_flow._NetworkSimplex)]
        for flow in flows:
            flow.limit(0, 7)
        first, second = (flow.solve(supplies) for flow in flows)
        if first is None or second is None:
            assert first is second is None
            unmet += 1
            continue
        assert first[0] == second[0] == int(data[3] @ second[1])
        net = np.zeros(nodes, dtype=int)
        np.add.at(net, tails, second[1])
        np.subtract.at(net, heads, second[1])
        assert (net == supplies).all()
        assert (second[1] <= np.append(7, data[2][1:])).all()
    assert 10 < unmet < 50


def test_cheapest_flips_without_or_tools(no_ortools, monkeypatch):
    monkeypatch.setattr(min_cost_flow, "_OrTools", None)
    rng = np.random.default_rng(3)
    matrix = np.triu(rng.uniform(size=(7, 7)), 1)
    matrix += np.tril(1 - matrix.T, -1)
    np.fill_diagonal(matrix, 0.5)
    mu = cpe.PreferenceMatrix(matrix)
    counts = rng.integers(1, 9, size=(7, 7))
    counts = counts + counts.T
    np.fill_diagonal(counts, 0)
    flips = cpe.cheapest_flips(mu, 2, counts)
    assert flips.value == pytest.approx(cpe.cheapest_flips(mu, 2, counts, solver="highs").value)
