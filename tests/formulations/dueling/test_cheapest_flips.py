"""The cheapest flips: all sign patterns, an integer program, and flows find the same."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

import cpe_opt as cpe
from cpe_opt.formulations.dueling.cheapest_flips import _Bounds, flips_below, flips_within
from tests.support import random_preferences


def random_costs(arms, rng, *, kind, wide=3):
    """Symmetric costs: small whole numbers with many equal sums, zeros, or wide apart."""
    if kind == "whole":
        costs = rng.integers(0, 4, (arms, arms)).astype(float)
    elif kind == "zeros":
        costs = rng.random((arms, arms)) * (rng.random((arms, arms)) < 0.5)
    else:
        costs = 10.0 ** rng.uniform(-wide, wide, (arms, arms))
    upper = np.triu(costs, 1)
    return upper + upper.T


def instance(seed, arms, ties=0):
    """Random preferences, and costs of one of four kinds, the divergences among them."""
    rng = np.random.default_rng(seed)
    mu = random_preferences(arms, rng, ties=ties)
    kind = ("divergences", "whole", "zeros", "wide")[seed % 4]
    return mu, mu.divergences if kind == "divergences" else random_costs(arms, rng, kind=kind)


def enumerated(mu, costs):
    """The least cost for each arm over all patterns of wins, losses and ties."""
    pairs = list(itertools.combinations(range(mu.arms), 2))
    i, j = np.array(pairs).T
    signs = np.array(list(itertools.product((-1, 0, 1), repeat=len(pairs))))
    now = np.sign(mu.array[i, j] - 0.5)
    price = ((signs != now) & (now != 0)) @ costs[i, j]
    losses = np.zeros((len(signs), mu.arms), dtype=int)
    for pair, (first, second) in enumerate(pairs):
        losses[:, second] += signs[:, pair] > 0
        losses[:, first] += signs[:, pair] < 0
    wins = losses == losses.min(axis=1, keepdims=True)
    return [price[wins[:, arm]].min() for arm in range(mu.arms)]


def assert_true(mu, costs, flips):
    """The flips named make the arm a winner, cost what is said, and none can be left out."""
    after = mu.array.copy()
    for winner, loser in flips.pairs:
        assert mu.array[winner, loser] < 0.5
        after[winner, loser], after[loser, winner] = 1.0, 0.0
    for winner, loser in flips.undecided:
        assert mu.array[winner, loser] == 0.5
        after[winner, loser], after[loser, winner] = 1.0, 0.0
    changed = cpe.PreferenceMatrix(after)
    assert flips.arm in changed.copeland_winners
    assert changed.losses.tolist() == flips.losses.tolist()
    assert flips.value == pytest.approx(math.fsum(costs[j, k] for j, k in flips.pairs), rel=1e-12)
    assert flips.bound <= flips.value
    assert list(flips.pairs) == sorted(flips.pairs)
    for winner, loser in flips.pairs + flips.undecided:
        one_less = after.copy()
        one_less[winner, loser], one_less[loser, winner] = mu.array[
            [winner, loser], [loser, winner]
        ]
        assert flips.arm not in cpe.PreferenceMatrix(one_less).copeland_winners


@given(seed=st.integers(0, 10**6), arms=st.integers(2, 4), ties=st.integers(0, 3))
@example(seed=0, arms=5, ties=0)
@example(seed=1, arms=5, ties=2)
@settings(max_examples=15)
def test_all_sign_patterns_find_nothing_cheaper(seed, arms, ties):
    mu, costs = instance(seed, arms, ties)
    for arm, best in enumerate(enumerated(mu, costs)):
        for method in ("flow", "program"):
            flips = cpe.cheapest_flips(mu, arm, costs, method=method)
            assert flips.value == pytest.approx(best, rel=1e-6, abs=1e-12)
            assert flips.bound <= best * (1 + 1e-12)
            assert_true(mu, costs, flips)


def test_without_an_arm_it_is_the_nearest_that_is_no_winner():
    for name in ("sushi", "gap", "cyclic", "mslr5-cycle"):
        mu = cpe.load_instance(name)
        values = {arm: cpe.cheapest_flips(mu, arm).value for arm in range(mu.arms)}
        for winner in mu.copeland_winners:
            assert values.pop(winner) == 0.0
        for method in ("flow", "program"):
            nearest = cpe.cheapest_flips(mu, method=method)
            assert nearest.arm == min(values, key=values.get)
            assert nearest.value == min(values.values())
        program = cpe.cheapest_flips_program(mu)
        assert program.name == f"cheapest_flips_{min(values)}"
    assert cpe.cheapest_flips(cpe.PreferenceMatrix(np.full((3, 3), 0.5))).arm == 0
    sushi = cpe.load_instance("sushi")
    assert cpe.cheapest_flips(sushi).value == pytest.approx(sushi.divergences[1, 0])


@given(seed=st.integers(0, 10**6), arms=st.integers(2, 10), share=st.floats(0.0, 1.5))
@example(seed=0, arms=7, share=1.0)  # the cutoff is one of the optima
@settings(max_examples=25)
def test_a_cutoff_leaves_out_what_costs_more_and_nothing_else(seed, arms, share):
    mu, costs = instance(seed, arms, ties=seed % 5)
    every = [cpe.cheapest_flips(mu, arm, costs) for arm in range(arms)]
    cutoff = share * float(np.median([flips.value for flips in every]))
    for arm, full in enumerate(every):
        cut = flips_within(mu, arm, costs, cutoff)
        assert cut is not None or full.value != cutoff
        if cut is None:
            assert full.value > cutoff
        else:
            assert cut.value == pytest.approx(full.value, rel=2e-6)
            assert full.value <= cutoff * (1 + 2e-6)


def test_whether_flips_cost_less_than_a_limit_is_said_without_finding_the_cheapest():
    some = 0
    for seed in range(16):
        mu, costs = instance(seed, 3 + seed % 8, ties=seed % 4)
        every = [cpe.cheapest_flips(mu, arm, costs) for arm in range(mu.arms)]
        for limit in (0.0, *(flips.value * share for flips in every for share in (0.999, 1.001))):
            below = flips_below(mu, costs, limit)
            assert below == [flips.value < limit for flips in every]
            some += 0 < sum(below) < len(below)
    assert some > 50


def test_bounds_by_sorts_enclose_the_cheapest_flips():
    tight = np.zeros(3, dtype=int)
    for seed in range(40):
        mu, costs = instance(seed, 3 + seed % 8, ties=seed % 4)
        value = np.array([cpe.cheapest_flips(mu, arm, costs).value for arm in range(mu.arms)])
        bounds = _Bounds(mu.array, costs)
        level, least = bounds.least()
        attained = np.array([bounds.attained(*each) for each in enumerate(level.tolist())])
        assert (least <= value * (1 + 2e-6) + 1e-12).all()
        assert (np.minimum(attained, bounds.easy()) >= value * (1 - 2e-6) - 1e-12).all()
        tight += [np.isclose(each, value).sum() for each in (least, attained, bounds.easy())]
    assert (tight > 100).all(), tight


def test_costs_of_any_unit():
    """Numbers from 1e-300 to 1e290: the same flips, and a value that is as exact."""
    mu, _ = instance(3, 8)
    costs = random_costs(8, np.random.default_rng(1), kind="wide", wide=9)
    for arm in range(8):
        flips = cpe.cheapest_flips(mu, arm, costs)
        for unit in (1e-290, 1e280):
            scaled = cpe.cheapest_flips(mu, arm, costs * unit)
            assert scaled.pairs == flips.pairs
            assert scaled.value == pytest.approx(flips.value * unit, rel=1e-12)
            assert scaled.gap <= 1e-6
