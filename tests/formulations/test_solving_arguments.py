"""What is said of a solver is used, or refused where no program is solved."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.errors import UnknownName
from cpe_opt.formulations.quadratic.bounds import semidefinite_bound

SUBSETS = cpe.TopK(4, 2)
TREES = cpe.SpanningTrees([(a, b) for b in range(4) for a in range(b)])
PLAN = cpe.WaterPlan((cpe.Quadratic(1.0), cpe.Power(1.0, 3.0)), caps=(2.0, 2.0), demand=1.0)
DUELS = cpe.load_instance("figure1")
VECTORS = np.eye(3)
CYCLIC = cpe.load_instance("cyclic")

SOLVES = {
    "g cvxpy": lambda **s: cpe.g_design(VECTORS, method="cvxpy", **s),
    "xy cvxpy": lambda **s: cpe.xy_design(VECTORS, method="cvxpy", **s),
    "g columns cvxpy": lambda **s: cpe.g_design(SUBSETS, method="columns", master="cvxpy", **s),
    "xy columns cvxpy": lambda **s: cpe.xy_design(SUBSETS, method="columns", master="cvxpy", **s),
    "ellipsoid exact": lambda **s: cpe.ellipsoid_maximum(2, np.eye(4), "exact", **s),
    "ellipsoid sdp": lambda **s: cpe.ellipsoid_maximum(2, np.eye(4), "sdp", **s),
    "sdp of one set": lambda **s: semidefinite_bound(np.eye(4), 4, np.zeros(4), **s),
    "water continuous": lambda **s: cpe.water_plan(PLAN, [1, 1], "continuous", **s),
    "allocation milp": lambda **s: cpe.sample_allocation([1], [1], 1, "milp", **s),
    "borda time": lambda **s: cpe.borda_time(cpe.load_instance("gap"), **s),
    "condorcet time linear": lambda **s: cpe.condorcet_time(CYCLIC, method="linear", **s),
    "copeland time": lambda **s: cpe.copeland_time(CYCLIC, **s),
    "evidence": lambda **s: cpe.evidence(cpe.Votes([[0, 3], [1, 0]]), **s),
    "g cyclic": lambda **s: cpe.g_design(SUBSETS, **s),
    "xy cyclic": lambda **s: cpe.xy_design(SUBSETS, **s),
    "flips": lambda **s: cpe.cheapest_flips(cpe.load_instance("gap"), 1, **s),
    "subset": lambda **s: cpe.best_subset(SUBSETS, np.ones(4), **s),
    "subset time": lambda **s: cpe.subset_time(cpe.load_instance("trees-of-k4"), **s),
    "matching time": lambda **s: cpe.matching_time(DUELS, **s),
    "matching": lambda **s: cpe.best_matching(DUELS.graph, np.ones(5), **s),
}
SOLVES_NOTHING = {
    "g list": lambda **s: cpe.g_design(VECTORS, **s),
    "xy list": lambda **s: cpe.xy_design(VECTORS, **s),
    "g columns": lambda **s: cpe.g_design(SUBSETS, method="columns", **s),
    "xy columns": lambda **s: cpe.xy_design(TREES, method="columns", **s),
    "ellipsoid swap": lambda **s: cpe.ellipsoid_maximum(2, np.eye(4), "swap", **s),
    "ellipsoid bound": lambda **s: cpe.ellipsoid_maximum(2, np.eye(4), "bound", **s),
    "water greedy": lambda **s: cpe.water_plan(PLAN, [1, 1], **s),
    "allocation greedy": lambda **s: cpe.sample_allocation([1], [1], 1, **s),
    "allocation continuous": lambda **s: cpe.sample_allocation([1], [1], 1, "continuous", **s),
    "flips flow": lambda **s: cpe.cheapest_flips(cpe.load_instance("gap"), 1, method="flow", **s),
    "ecw closed": lambda **s: cpe.ecw_bound(cpe.load_instance("gap"), **s),
    "condorcet time": lambda **s: cpe.condorcet_time(CYCLIC, **s),
    "borda time": lambda **s: cpe.borda_time(CYCLIC, method="multiplicative", **s),
    "subset time": lambda **s: cpe.subset_time(
        cpe.load_instance("trees-of-k4"), method="multiplicative", **s
    ),
    "matching time": lambda **s: cpe.matching_time(DUELS, method="multiplicative", **s),
}


@pytest.mark.parametrize("name", SOLVES)
def test_an_unknown_solver_is_refused_where_programs_are_solved(name):
    with pytest.raises(UnknownName, match="solver 'no-such'"):
        SOLVES[name](solver="no-such")


@pytest.mark.parametrize("name", SOLVES_NOTHING)
def test_arguments_without_an_effect_are_refused(name):
    # Column generation has a choice of masters, and is the only method for large classes.
    choose = "" if name.endswith("columns") else ", or choose the method"
    with pytest.raises(cpe.InputError, match=f"solver has no effect: leave it out{choose}"):
        SOLVES_NOTHING[name](solver="highs")
    with pytest.raises(UnknownName, match=r"unknown argument of .* 'nonsense'"):
        SOLVES_NOTHING[name](nonsense=3)


@pytest.mark.parametrize(
    "call",
    [
        lambda **s: cpe.best_subset(SUBSETS, np.ones(4), **s),
        lambda **s: cpe.best_matching(DUELS.graph, np.ones(5), **s),
        lambda **s: cpe.condorcet_value(DUELS.graph, DUELS.array, method="subgradient", **s),
    ],
)
def test_combinatorial_ways_take_no_limits(call):
    with pytest.raises(cpe.InputError, match="time_limit has no effect"):
        call(time_limit=1.0)
    with pytest.raises(UnknownName, match=r"unknown argument of .* 'nonsense'"):
        call(nonsense=3)


def test_the_solver_asked_for_is_the_one_that_solves(monkeypatch):
    """The certificate of a class too large to list is an integer program by that solver."""
    from cpe_opt.formulations.designs import enumerated as design_lists, pricing
    from cpe_opt.formulations.quadratic import maximise as ellipsoid

    used = []

    def spy(module):
        solve = module.solve

        def solving(program, *arguments, **options):
            used.append(options.get("solver"))
            return solve(program, *arguments, **options)

        monkeypatch.setattr(module, "solve", solving)

    spy(ellipsoid)
    spy(design_lists)
    monkeypatch.setattr(pricing, "MOST_ENUMERATED", 1)
    cpe.g_design(TREES, tolerance=1e-3, solver="scip")
    assert set(used) == {"scip"}
    used.clear()
    cpe.g_design(VECTORS, method="cvxpy", solver="scs")
    assert set(used) == {"scs"}
