"""Arrays of what is no number, or none that makes sense, are refused in words by every oracle."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.matchings.assignment import second_best_matching
from cpe_opt.formulations.quadratic.maximise import peeling_ratio, quadratic_bound
from cpe_opt.formulations.subsets.oracle import second_best_subset
from tests.support import all_of

DUELS = cpe.load_instance("figure1")
GRAPH, SETS = cpe.BipartiteGraph.complete(3, 2), cpe.TopK(3, 1)
PLAN = cpe.WaterPlan([cpe.Quadratic(1.0)] * 2, [2, 2], 1)


def vector(n, bad):
    """Ones, the first of them replaced."""
    return [bad, *[1.0] * (n - 1)]


def matrix(n, bad):
    """The unit matrix with another first entry."""
    rows = np.eye(n).tolist()
    rows[0][0] = bad
    return rows


ARRAYS = {
    "second_best_subset": lambda bad: second_best_subset(SETS, vector(3, bad)),
    "second_best_matching": lambda bad: second_best_matching(GRAPH, vector(6, bad)),
    "best_matching_program": lambda bad: cpe.best_matching_program(GRAPH, vector(6, bad)),
    "condorcet_value": lambda bad: cpe.condorcet_value(DUELS.graph, matrix(5, bad)),
    "condorcet_value_program": lambda bad: cpe.condorcet_value_program(DUELS.graph, matrix(5, bad)),
    "linear": lambda bad: cpe.ellipsoid_maximum(1, np.eye(3), linear=vector(3, bad)),
    "quadratic_bound": lambda bad: quadratic_bound(1, matrix(3, bad)),
    "peeling_ratio": lambda bad: peeling_ratio(matrix(3, bad), 1),
    "xy_design": lambda bad: cpe.xy_design(matrix(3, bad)),
    "theta": lambda bad: cpe.sample_allocation(vector(2, bad), [1, 2], 4),
    "sizes": lambda bad: cpe.sample_allocation([0.1, 0.2], vector(2, bad), 4),
    "water_plan": lambda bad: cpe.water_plan(PLAN, vector(2, bad)),
}


@all_of("name", ARRAYS)
def test_arrays_of_other_things_are_refused(name):
    for bad in (np.nan, np.inf, "a", "1.0", 1j, None, []):
        with pytest.raises(cpe.InputError, match=r"expected|not an array|finite number"):
            ARRAYS[name](bad)
