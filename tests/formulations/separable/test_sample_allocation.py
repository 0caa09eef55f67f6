"""Sample allocations and water plans: brute force, integer programs, conic programs."""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.separable.oracle import oracle_of
from cpe_opt.formulations.separable.water_plan import plan_value


def all_allocations(m, k):
    return [y for y in itertools.product(range(1, k - m + 2), repeat=m) if sum(y) <= k]


def first_best(scale, allocations):
    """The value and the lexicographically first of the best allocations."""
    best = None
    for y in allocations:
        value = sum(a * a / b for a, b in zip(scale, y, strict=True))
        if best is None or value < best[0] * (1 - 1e-12) - 1e-15:
            best = value, y
    return best


@pytest.mark.parametrize("seed", range(8))
def test_greedy_is_brute_force(seed):
    """With zeros, equal arms and k = m among them; the first optimum of all."""
    rng = np.random.default_rng(seed)
    for trial in range(25):
        m = int(rng.integers(1, 5))
        k = m if trial % 5 == 0 else int(rng.integers(m, 12))
        theta = rng.random(m) * (rng.random(m) < 0.8)
        if trial % 3 == 0:
            theta = np.round(2 * theta) / 2
        sizes = rng.integers(1, 4, m)
        scale = sizes * np.sqrt(theta)
        value, first = first_best(scale.tolist(), all_allocations(m, k))
        greedy = cpe.sample_allocation(theta, sizes, k).allocation
        assert tuple(greedy) == first
        assert (scale**2 / greedy).sum() == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("solver", ["highs", "scip", "cp-sat"])
def test_the_integer_program_agrees(solver):
    rng = np.random.default_rng(1)
    for trial in range(5):
        m = int(rng.integers(2, 7))
        theta, sizes = rng.random(m) * (rng.random(m) < 0.8), rng.integers(1, 50, m)
        k = int(rng.integers(m, 60)) if trial else m
        greedy = cpe.sample_allocation(theta, sizes, k).allocation
        milp = cpe.sample_allocation(theta, sizes, k, "milp", solver=solver).allocation
        assert milp.sum() <= k
        assert milp.min() >= 1
        value = (sizes**2 * theta / greedy).sum()
        assert (sizes**2 * theta / milp).sum() == pytest.approx(value, rel=1e-6, abs=1e-9)
        program = cpe.sample_allocation_program(theta, sizes, k)
        assert cpe.solve(program).objective == pytest.approx(value, rel=1e-6, abs=1e-9)


def test_the_continuous_optimum_is_the_conic_one_and_near_the_whole_one():
    rng = np.random.default_rng(2)
    for _ in range(5):
        m = int(rng.integers(2, 7))
        theta, sizes = rng.random(m) ** 4, rng.integers(1, 100, m)
        k = int(rng.integers(m + 1, 200))
        real = cpe.sample_allocation(theta, sizes, k, "continuous").allocation
        program = cpe.sample_allocation_program(theta, sizes, k, method="continuous")
        conic = cpe.solve(program, "clarabel").objective
        assert real.min() >= 1
        assert real.sum() <= k * (1 + 1e-9)
        value = (sizes**2 * theta / real).sum()
        assert value == pytest.approx(conic, rel=1e-5)
        whole = cpe.sample_allocation(theta, sizes, k).allocation
        assert value <= (sizes**2 * theta / whole).sum() * (1 + 1e-9)


def test_the_instance_of_lemma_8():
    """The floor of the real optimum is (m-1)/2 above the whole one."""
    for m, c in ((11, 8), (21, 20)):
        sizes = [c * (m - 1)] + [1] * (m - 1)
        k = 3 * (c + 1) * (m - 1) // 2
        alpha = 1.5 * c * (m - 1)
        expected = [round(alpha - (m - 1) / 2)] + [2] * (m - 1)
        assert cpe.sample_allocation(np.ones(m), sizes, k).allocation.tolist() == expected
        assert np.floor(alpha) > expected[0]


def test_huge_budgets_take_few_steps():
    rng = np.random.default_rng(3)
    theta, sizes = rng.random(10_000), rng.integers(1, 1000, 10_000)
    allocation = cpe.sample_allocation(theta, sizes, 10**12).allocation
    assert allocation.sum() == 10**12
    last = sizes**2 * theta / (allocation * np.maximum(1, allocation - 1))
    following = sizes**2 * theta / (allocation * (allocation + 1))
    assert last[allocation > 1].min() >= following.max() * (1 - 1e-9)


def test_nothing_to_learn_is_answered_by_ones():
    assert cpe.sample_allocation([0, 0, 0], [5, 6, 7], 100).allocation.tolist() == [1, 1, 1]
    assert cpe.sample_allocation([0, 0.5], [5, 6], 4).allocation.tolist() == [1, 3]


def random_plan(rng, *, whole=True):
    m = int(rng.integers(1, 5))
    kinds = [
        lambda: cpe.Quadratic(rng.random(), rng.random() - 0.5),
        lambda: cpe.Power(rng.random(), 1 + 2 * rng.random()),
        lambda: cpe.PiecewiseLinear((0, 1, 2.5), tuple(np.sort(rng.random(3) * 2 - 0.5))),
    ]
    costs = [kinds[rng.integers(3)]() for _ in range(m)]
    step = 0.5 if whole else 0.01
    caps = rng.integers(1, 5, m) * 0.5
    demand = np.floor(rng.random() * caps.sum() / 0.5) * 0.5
    return cpe.WaterPlan(costs, caps, demand, step=step), rng.random(m)


@pytest.mark.parametrize("seed", range(5))
def test_water_plans_are_brute_force(seed):
    rng = np.random.default_rng(seed)
    for trial in range(9):
        plan, theta = random_plan(rng)
        if trial % 3 == 0:  # ties
            plan = cpe.WaterPlan([cpe.Quadratic(0.5)] * plan.size, plan.caps, plan.demand, step=0.5)
            theta = np.round(2 * theta) / 2
        grids = [np.arange(most + 1) * plan.step for most in plan.caps_in_steps]
        best = None
        for y in itertools.product(*grids):
            if sum(y) >= plan.demand - 1e-9:
                value = plan_value(plan, theta, y)
                if best is None or value > best[0] + 1e-9:
                    best = value, y
        greedy = cpe.water_plan(plan, theta).amounts
        assert tuple(greedy) == best[1]
        solver = ("highs", "scip", "cp-sat")[trial % 3]
        milp = cpe.water_plan(plan, theta, "milp", solver=solver).amounts
        assert plan_value(plan, theta, milp) == pytest.approx(best[0], abs=1e-6)


def test_on_a_fine_grid_the_plan_is_the_conic_one():
    rng = np.random.default_rng(10)
    for _ in range(4):
        plan, theta = random_plan(rng, whole=False)
        real = cpe.water_plan(plan, theta, "continuous").amounts
        whole = cpe.water_plan(plan, theta).amounts
        value = plan_value(plan, theta, real)
        assert plan_value(plan, theta, whole) == pytest.approx(value, abs=2e-3)
        assert plan_value(plan, theta, whole) <= value + 1e-5


def test_costs_are_what_they_say():
    y = np.array([0.0, 0.5, 1.0, 2.0, 3.0])
    np.testing.assert_allclose(cpe.Quadratic(2, -1)(y), 2 * y**2 - y)
    np.testing.assert_allclose(cpe.Power(0.5, 1.5)(y), 0.5 * y**1.5)
    np.testing.assert_allclose(cpe.PiecewiseLinear((0, 1, 2), (-1, 0, 3))(y), [0, -0.5, -1, -1, 2])


def test_allocations_do_not_depend_on_the_unit():
    rng = np.random.default_rng(4)
    theta, sizes = rng.random(6), rng.integers(1, 90, 6).astype(float)
    for budget in (9, 40, 1000):
        expected = cpe.sample_allocation(theta, sizes, budget).allocation.tolist()
        for one, other in ((4.0**-500, 1.0), (4.0**500, 1.0), (1.0, 2.0**1000), (1.0, 2.0**-1000)):
            found = cpe.sample_allocation(theta * one, sizes * other, budget)
            assert found.allocation.tolist() == expected


def test_the_oracle_of_opinions_is_the_best_allocation():
    """Of variances, whose roots the allocation follows."""
    model, theta = cpe.OpinionSampling([10, 10, 20], 12), np.array([0.25, 0.01, 0.09])
    assert oracle_of(model)(theta).tolist() == [5.0, 1.0, 6.0]
