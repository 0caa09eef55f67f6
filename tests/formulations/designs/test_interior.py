"""Points of the central path of a design: what holds there, and that it leads to the optimum."""

import numpy as np
import pytest

from cpe_opt.formulations.designs.column_generation import central_pulls
from cpe_opt.formulations.designs.design import inverse_of
from cpe_opt.formulations.designs.enumerated import saddle_at, xy_cvxpy


def instance(seed):
    """Vectors that span the space, and rows of several lengths."""
    rng = np.random.default_rng([19, seed])
    dimension = int(rng.integers(2, 6))
    vectors = rng.normal(size=(int(rng.integers(dimension, 30)), dimension))
    rows = rng.normal(size=(int(rng.integers(1, 12)), dimension))
    return vectors, rows * 10.0 ** rng.uniform(-1, 1, size=(len(rows), 1)), rng


@pytest.mark.parametrize("share", [0.1, 1e-3, 1e-6])
@pytest.mark.parametrize("seed", range(8))
def test_the_central_path_is_where_its_equations_hold(seed, share):
    vectors, rows, rng = instance(seed)
    start = rng.exponential(size=len(vectors)) + 1e-3
    pulls, mixture = central_pulls(vectors, rows, start, share)
    for _ in range(3):  # of a sum that no longer changes
        pulls, mixture = central_pulls(vectors, rows, pulls, share)
    inverse = inverse_of(vectors, pulls)
    norms = ((rows @ inverse) * rows).sum(axis=1)
    assert norms.max() < 1.0
    unit = share * pulls.sum() / (len(vectors) + len(rows))
    weights = unit / (1.0 - norms)
    assert mixture == pytest.approx(weights / weights.sum(), rel=1e-3, abs=1e-9)
    against = inverse @ (rows.T * weights) @ rows @ inverse
    values = ((vectors @ against) * vectors).sum(axis=1)
    assert values == pytest.approx(1.0 - unit / pulls, rel=2e-2, abs=2e-2)
    assert pulls.sum() - unit * len(pulls) == pytest.approx(weights @ norms, rel=2e-2)


@pytest.mark.parametrize("seed", range(8))
def test_the_path_leads_to_the_optimum(seed):
    vectors, rows, rng = instance(seed)
    start = rng.exponential(size=len(vectors)) + 1e-3
    pulls, mixture = central_pulls(vectors, rows, start, 1e-7)
    saddle = saddle_at(vectors, rows, pulls / pulls.sum(), mixture)
    assert saddle.value <= saddle.bound * (1.0 + 1e-6)
    conic = xy_cvxpy(vectors, rows, 1e-6)[0]
    assert saddle.bound <= conic.value * (1.0 + 1e-6)
    assert saddle.value <= conic.value * (1.0 + 1e-6)


def test_a_deadline_that_has_passed_leaves_pulls_that_are_inside():
    vectors, rows, _ = instance(1)
    pulls, mixture = central_pulls(vectors, rows, np.ones(len(vectors)), 1e-6, deadline=0.0)
    inverse = inverse_of(vectors, pulls)
    assert ((rows @ inverse) * rows).sum(axis=1).max() < 1.0
    assert mixture.sum() == pytest.approx(1.0)
