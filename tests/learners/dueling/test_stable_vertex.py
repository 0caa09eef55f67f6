"""A certified vertex is an optimum of the program with the costs as they have moved."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import linprog

from cpe_opt.learners.dueling.cw_rmed import StableVertex
from tests.support import all_of


def random_covering(rng):
    """Rows with small whole coefficients, columns up to 1 or without a bound."""
    rows, columns = int(rng.integers(1, 9)), int(rng.integers(2, 14))
    matrix = rng.integers(0, 4, size=(rows, columns)) * (rng.random((rows, columns)) < 0.5)
    matrix[:, 0] = 1
    upper = np.where(rng.random(columns) < 0.4, 1.0, np.inf)
    upper[0] = np.inf
    costs = np.where(rng.random(columns) < 0.1, 0.0, rng.random(columns) * 5)
    return sp.csr_array(matrix.astype(float)), upper, costs


def optimum(rows, upper, costs):
    bounds = [(0.0, None if np.isinf(u) else u) for u in upper]
    found = linprog(costs, -rows.toarray(), -np.ones(rows.shape[0]), bounds=bounds, method="highs")
    return found.x, -found.ineqlin.marginals, found.fun


@all_of("seed", range(8))
def test_a_certified_vertex_is_optimal(seed):
    rng = np.random.default_rng(seed)
    rows, upper, costs = random_covering(rng)
    x, duals, _ = optimum(rows, upper, costs)
    vertex = StableVertex(rows, x, upper, costs, duals)
    for _ in range(30):
        if not vertex.certified:
            return
        chosen = rng.permutation(len(costs))[: int(rng.integers(1, 3))]
        moved = np.maximum(0.0, costs[chosen] + rng.normal(size=len(chosen)) * 0.1)
        vertex.move(chosen, moved - costs[chosen])
        costs[chosen] = moved
        least = optimum(rows, upper, costs)[2]
        if vertex.certified:
            assert float(costs @ x) == pytest.approx(least, rel=1e-9, abs=1e-9)


def test_a_point_that_its_duals_do_not_prove_is_not_certified():
    rows, upper = sp.csr_array(np.array([[1.0, 1.0]])), np.full(2, np.inf)
    costs = np.array([1.0, 2.0])
    assert StableVertex(rows, np.array([1.0, 0.0]), upper, costs, np.array([1.0])).certified
    assert not StableVertex(rows, np.array([0.0, 1.0]), upper, costs, np.array([1.0])).certified
    assert not StableVertex(rows, np.array([1.0, 0.0]), upper, costs, np.array([0.5])).certified
    # Once a cost has moved too far nothing is certified any more, though it may move back.
    vertex = StableVertex(rows, np.array([1.0, 0.0]), upper, costs, np.array([1.0]))
    assert vertex.move(np.array([0]), np.array([0.9]))
    assert not vertex.move(np.array([1]), np.array([-0.2]))
    assert not vertex.move(np.array([1]), np.array([0.2]))
