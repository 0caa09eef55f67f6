"""What a box of intervals leaves open: the test, and what is remembered of it."""

import itertools

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.separable.box_test import BoxRange, BoxTest, CachedBoxTest, FreshBoxTest
from cpe_opt.formulations.separable.oracle import oracle_of

TOP = cpe.BestSet(cpe.TopK(5, 2))
COSTS = [cpe.Quadratic(0.5, 1.0), cpe.Power(1.2, 1.5), cpe.PiecewiseLinear((0, 1), (1.1, 1.4))]
WATER = cpe.WaterPlan(COSTS, [2, 2, 2], 3)
OPINIONS = cpe.OpinionSampling([10, 20, 30], 8)
TREES = cpe.BestSet(cpe.SpanningTrees([(0, 1), (1, 2), (2, 0), (2, 3)]))
CHEAP = cpe.WaterPlan([cpe.Quadratic(0.1), cpe.Quadratic(0.2), cpe.Quadratic(0.15)], [3, 3, 3], 1)
MODELS = {"top": TOP, "water": WATER, "opinions": OPINIONS, "trees": TREES, "cheap": CHEAP}


def undecided_by_grid(model, low, high, points=5):
    """Arms whose decision differs between two points of a grid on the box."""
    axes = [np.linspace(a, b, points) for a, b in zip(low, high, strict=True)]
    seen = np.array([oracle_of(model)(np.array(p)) for p in itertools.product(*axes)])
    return (seen != seen[0]).any(axis=0)


@pytest.mark.parametrize("name", MODELS)
def test_the_box_test_misses_no_change_and_invents_none(name):
    """No change on a grid where it says decided; where it says undecided two points differ."""
    model, rng = MODELS[name], np.random.default_rng(len(name))
    box, asked = BoxTest(model), 0
    for _ in range(12):
        low = rng.random(model.size)
        high = np.minimum(1.0, low + 0.3 * rng.random(model.size))
        changed = undecided_by_grid(model, low, high, 4)
        told = [box.undecided(i, low.tolist(), high.tolist()) for i in range(model.size)]
        assert not (changed & ~np.array(told)).any()
        asked += sum(told)
        if model.bi_monotone:
            for arm in np.flatnonzero(told):
                up, down = low.copy(), high.copy()
                up[arm], down[arm] = high[arm], low[arm]
                assert box.oracle(up)[arm] != box.oracle(down)[arm]
    assert asked >= 5


def test_the_count_of_bounds_is_the_two_call_test():
    """For k of m, ties included."""
    own = cpe.CustomModel(5, oracle_of(TOP), bi_monotone=True)
    rng, fast, slow = np.random.default_rng(0), BoxTest(TOP), BoxTest(own)
    for _ in range(200):
        low = np.round(4 * rng.random(5)) / 8
        high = low + np.round(4 * rng.random(5)) / 8
        for arm in range(5):
            box = arm, low.tolist(), high.tolist()
            assert fast.undecided(*box) == slow.undecided(*box)


@pytest.mark.parametrize("name", MODELS)
def test_remembered_verdicts_are_those_of_the_test(name):
    """On boxes that shrink around a wandering point, as a learner's do, and jump at times."""
    model, rng = MODELS[name], np.random.default_rng(len(name))
    plain = BoxTest(model)
    remembered, seen = CachedBoxTest(BoxTest(model)), set()
    middle, steps = rng.random(model.size), 60 if name == "trees" else 240
    for step in range(steps):
        middle = np.clip(middle + 0.003 * rng.normal(size=model.size), 0.0, 1.0)
        if step % 100 == 99:
            middle = rng.random(model.size)
        radius = 0.4 * 0.99 ** (step % 200) * (1.0 + 0.001 * rng.random(model.size))
        low = np.maximum(0.0, middle - radius).tolist()
        high = np.minimum(1.0, middle + radius).tolist()
        remembered.move(low, high)
        for arm in range(model.size):
            told = plain.undecided(arm, low, high)
            assert remembered.undecided(arm) == told
            seen.add(told)
    assert seen == {True, False}


@pytest.mark.parametrize("name", ["top", "water", "opinions"])
def test_what_is_unchanged_on_a_range_of_boxes_is_the_same_on_each(name):
    model, rng = MODELS[name], np.random.default_rng(len(name))
    plain, seen = BoxTest(model), set()
    remembered, arms = CachedBoxTest(BoxTest(model)), range(model.size)
    for step in range(240):
        if step % 8 == 0:
            low, high = np.sort(rng.random((2, model.size)), axis=0)
        a, b, c, d = 0.45 * rng.random(4) ** rng.choice([1, 9], 4) * (high - low).min()
        others = BoxRange(low + a, high - b, np.maximum(0, low - c), np.minimum(1, high + d))
        remembered.move(low.tolist(), high.tolist())
        assert not FreshBoxTest(plain).unchanged(arms, others)
        for arm in arms:
            unchanged = remembered.unchanged([arm], others)
            now = remembered.undecided(arm)
            seen.add((unchanged, now))
            share = rng.random((2, model.size))
            between = (
                others.outer_low + share[0] * (others.inner_low - others.outer_low),
                others.inner_high + share[1] * (others.outer_high - others.inner_high),
            )
            for box in (between, (others.inner_low, others.inner_high), others[2:]):
                if unchanged:
                    assert plain.undecided(arm, *(ends.tolist() for ends in box)) == now
    assert len(seen) == 4


def test_vertices_tell_nothing_of_other_boxes():
    box = CachedBoxTest(BoxTest(TREES))
    low, high = np.zeros(4), np.ones(4)
    box.move(low.tolist(), high.tolist())
    assert box.undecided(0)
    assert not box.unchanged([0], BoxRange(low, high, low, high))


def test_a_decision_that_only_falls_over_the_vertices_is_undecided():
    model = cpe.CustomModel(2, lambda theta: np.array([0.0, theta[0] < 0.5]), bi_monotone=False)
    assert BoxTest(model).undecided(1, [0.4, 0.1], [0.6, 0.2])
    assert not BoxTest(model).undecided(1, [0.4, 0.1], [0.45, 0.2])
