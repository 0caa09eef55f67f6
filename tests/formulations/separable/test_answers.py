"""Allocations and plans as answers: what they are worth, and what nothing is better than."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.separable.sample_allocation import _dual_bound
from cpe_opt.formulations.separable.water_plan import dual_bound, plan_value

METHODS = ("greedy", "milp", "continuous")
COSTS = (
    cpe.Quadratic(0.3, -0.2),
    cpe.Quadratic(0.0, 0.4),
    cpe.Power(0.2, 2.5),
    cpe.Power(0.5, 1.0),
    cpe.PiecewiseLinear((0, 1, 2.5), (-0.3, 0.2, 0.9)),
    cpe.PiecewiseLinear((0,), (0.6,)),
)


def random_samples(rng):
    m = int(rng.integers(2, 6))
    theta, sizes = rng.random(m) ** 3 / 4.0**9, rng.integers(1, 50, m).astype(float)
    return theta, sizes, int(rng.integers(m, 60))


@pytest.mark.parametrize("method", METHODS)
def test_no_allocation_is_better_than_the_bound(method):
    rng = np.random.default_rng(0)
    for _ in range(20):
        theta, sizes, budget = random_samples(rng)
        best = cpe.sample_allocation(theta, sizes, budget, method)
        weights = sizes**2 * theta
        assert best.value == pytest.approx((weights / best.allocation).sum())
        assert best.bound <= best.value * (1 + 1e-9)
        assert best.gap < 1e-6
        assert best.method == method
        for _ in range(50):
            spread = 1 + rng.dirichlet(np.full(len(theta), 0.5)) * (budget - len(theta))
            spread = spread if method == "continuous" else np.floor(spread)
            assert (weights / spread).sum() >= best.bound * (1 - 1e-12)


def test_a_real_allocation_is_certified_by_a_price_without_a_solver():
    """Of another allocation the bound stays a true one and is no longer attained."""
    theta, sizes, budget = np.array([0.5, 0.2, 0.1]), np.array([20.0, 10.0, 1.0]), 30
    best = cpe.sample_allocation(theta, sizes, budget, "continuous")
    assert best.result is None
    assert best.gap < 1e-14
    scale = sizes * np.sqrt(theta)
    equal = _dual_bound(scale, 1.0, budget, np.full(3, 10.0))
    assert equal < 0.9 * best.value
    assert _dual_bound(scale, 1.0, budget, best.allocation) == pytest.approx(best.value)


def random_plan(rng):
    costs = [COSTS[k] for k in rng.integers(len(COSTS), size=4)]
    caps = rng.integers(1, 5, 4) * 0.5
    demand = 0.5 * int(rng.integers(0, int(2 * caps.sum()) + 1))
    return cpe.WaterPlan(costs, caps.tolist(), demand, step=0.5), rng.normal(0.4, 0.5, 4)


@pytest.mark.parametrize("method", METHODS)
def test_no_plan_earns_more_than_the_bound(method):
    rng = np.random.default_rng(1)
    for _ in range(8):
        plan, theta = random_plan(rng)
        best = cpe.water_plan(plan, theta, method)
        assert best.value == pytest.approx(plan_value(plan, theta, best.amounts), abs=1e-12)
        assert best.bound == pytest.approx(best.value, rel=1e-5, abs=1e-5)
        assert best.amounts.min() >= 0
        assert best.amounts.sum() >= plan.demand - 1e-6
        for _ in range(50):
            amounts = rng.random(4) * plan.caps
            if method != "continuous":
                amounts = np.round(2 * amounts) / 2
            if amounts.sum() >= plan.demand:
                assert plan_value(plan, theta, amounts) <= best.bound + 1e-9


def test_the_whole_demand_may_be_all_there_is():
    plan = cpe.WaterPlan([cpe.Power(1.0, 3.0), cpe.Quadratic(1.0)], [2.0, 1.0], 3.0)
    best = cpe.water_plan(plan, [0.1, 0.2], "continuous")
    assert best.amounts == pytest.approx([2.0, 1.0], abs=1e-5)
    assert dual_bound(plan, np.array([0.1, 0.2])) == pytest.approx(0.4 - 8 - 1, rel=1e-9)
