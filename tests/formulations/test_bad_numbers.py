"""What is no number, or none that makes sense, is refused in words by every oracle."""

import functools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.designs.design import efficient_rounding
from cpe_opt.formulations.matchings.assignment import second_best_matching
from cpe_opt.formulations.quadratic.maximise import peeling_ratio, quadratic_bound
from cpe_opt.formulations.separable.water_plan import plan_value
from cpe_opt.formulations.subsets.best_subset import second_best_subset

GRAPH, SETS = cpe.BipartiteGraph.complete(3, 2), cpe.TopK(3, 1)
TREES = cpe.SpanningTrees([(0, 1), (1, 2), (2, 0)])
PLAN = cpe.WaterPlan([cpe.Quadratic(1.0)] * 2, [2, 2], 1)
load = functools.cache(cpe.load_instance)
hardness_of = {
    "water": functools.cache(lambda: cpe.separable_hardness(load("water"))),
    "sets": functools.cache(lambda: cpe.subset_hardness(cpe.planted_subsets(4, 2, gap=0.2))),
    "borda": functools.cache(lambda: cpe.borda_hardness(load("figure1"))),
    "condorcet": functools.cache(lambda: cpe.condorcet_hardness(load("figure1"))),
}


def vector(n, bad):
    """Ones, the first of them replaced."""
    return [bad, *[1.0] * (n - 1)]


def matrix(n, bad):
    """The unit matrix with another first entry."""
    rows = np.eye(n).tolist()
    rows[0][0] = bad
    return rows


ARRAYS = {
    "best_subset": lambda bad: cpe.best_subset(SETS, vector(3, bad)),
    "second_best_subset": lambda bad: second_best_subset(SETS, vector(3, bad)),
    "best_subset_program": lambda bad: cpe.best_subset_program(SETS, vector(3, bad)),
    "best_matching": lambda bad: cpe.best_matching(GRAPH, vector(6, bad)),
    "second_best_matching": lambda bad: second_best_matching(GRAPH, vector(6, bad)),
    "best_matching_program": lambda bad: cpe.best_matching_program(GRAPH, vector(6, bad)),
    "condorcet_value": lambda bad: cpe.condorcet_value(load("figure1").graph, matrix(5, bad)),
    "condorcet_value_program": lambda bad: cpe.condorcet_value_program(
        load("figure1").graph, matrix(5, bad)
    ),
    "ellipsoid_maximum": lambda bad: cpe.ellipsoid_maximum(1, matrix(3, bad)),
    "linear": lambda bad: cpe.ellipsoid_maximum(1, np.eye(3), linear=vector(3, bad)),
    "quadratic_bound": lambda bad: quadratic_bound(1, matrix(3, bad)),
    "peeling_ratio": lambda bad: peeling_ratio(matrix(3, bad), 1),
    "g_design": lambda bad: cpe.g_design(matrix(3, bad)),
    "xy_design": lambda bad: cpe.xy_design(matrix(3, bad)),
    "efficient_rounding": lambda bad: efficient_rounding(vector(3, bad), 5),
    "theta": lambda bad: cpe.sample_allocation(vector(2, bad), [1, 2], 4),
    "sizes": lambda bad: cpe.sample_allocation([0.1, 0.2], vector(2, bad), 4),
    "water_plan": lambda bad: cpe.water_plan(PLAN, vector(2, bad)),
    "plan_value": lambda bad: plan_value(PLAN, [0.1, 0.2], vector(2, bad)),
    "caps": lambda bad: cpe.WaterPlan([cpe.Quadratic(1.0)] * 2, vector(2, bad), 1),
    "slopes": lambda bad: cpe.PiecewiseLinear((0, 1), (0, bad)),
}
NUMBERS = {
    "accuracy": lambda bad: (
        cpe.condorcet_value(
            load("figure1").graph, load("figure1").array, accuracy=bad, method="subgradient"
        )
        if bad is not None
        else refused()
    ),
    "value": lambda bad: quadratic_bound(1, np.eye(3), value=bad) if bad is not None else refused(),
    "decisions": lambda bad: cpe.ellipsoid_maximum(bad, np.eye(3)),
    "k": lambda bad: cpe.TopK(3, bad),
    "capacities": lambda bad: cpe.PartitionMatroid([0, 0, 1], bad),
    "tolerance": lambda bad: cpe.g_design(TREES, tolerance=bad),
    "total": lambda bad: efficient_rounding([0.5, 0.5], bad),
    "sets": lambda bad: cpe.uniform_design(SETS, sets=bad) if bad is not None else refused(),
    "budget": lambda bad: cpe.sample_allocation([0.1, 0.2], [1, 2], bad),
    "demand": lambda bad: cpe.WaterPlan([cpe.Quadratic(1.0)], [2], bad),
    "step": lambda bad: cpe.WaterPlan([cpe.Quadratic(1.0)], [2], 1, step=bad),
    "a": cpe.Quadratic,
    "p": lambda bad: cpe.Power(1.0, bad),
    "time_limit": lambda bad: cpe.g_design(TREES, time_limit=bad) if bad is not None else refused(),
    "hardness": lambda bad: hardness_of["sets"]().hardness(bad),
    "approximate": lambda bad: hardness_of["borda"]().approximate_hardness(bad, 2),
}
DELTAS = {
    "theorem 1 (separable)": lambda bad: hardness_of["water"]().coci_sample_bound(delta=bad),
    "theorem 4 (separable)": lambda bad: hardness_of["water"]().coci_uniform_sample_bound(
        delta=bad
    ),
    "corollary 1": lambda bad: hardness_of["sets"]().corollary_1(delta=bad),
    "lemma 3": lambda bad: hardness_of["sets"]().icb_sample_bound(delta=bad),
    "theorem 1": lambda bad: hardness_of["borda"]().pac_sample_bound(
        delta=bad, margin=0.1, width=2
    ),
    "theorem 2": lambda bad: hardness_of["borda"]().exact_sample_bound(delta=bad, width=2),
    "theorem 3": lambda bad: hardness_of["borda"]().sample_lower_bound(delta=bad),
    "theorem 4": lambda bad: hardness_of["condorcet"]().car_cond_sample_bound(delta=bad),
    "theorem 5": lambda bad: hardness_of["condorcet"]().car_parallel_sample_bound(delta=bad),
    "theorem 6": lambda bad: hardness_of["condorcet"]().sample_lower_bound(delta=bad),
}


def refused():
    """For the None that means the default."""
    raise cpe.InputError("expected a number")


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_other_things_are_refused(name):
    for bad in (np.nan, np.inf, "a", "1.0", 1j, None, []):
        with pytest.raises(cpe.InputError, match=r"expected|not an array|finite number"):
            ARRAYS[name](bad)


@pytest.mark.parametrize("name", NUMBERS)
def test_other_things_than_numbers_are_refused(name):
    for bad in (np.nan, "a", "1.0", 1j, None, [], -1.5 if name != "value" else np.nan):
        with pytest.raises(cpe.InputError, match=r"expected|capacities"):
            NUMBERS[name](bad)


@pytest.mark.parametrize("name", DELTAS)
def test_probabilities_of_an_error_lie_between_0_and_1(name):
    assert DELTAS[name](0.05) > 0
    for bad in (np.nan, np.inf, "a", 1j, None, [], 0, 1, -0.1, 2):
        with pytest.raises(cpe.InputError, match=r"delta is .*, expected a"):
            DELTAS[name](bad)
