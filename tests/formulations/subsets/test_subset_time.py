"""T* of best sets from single pulls: cones, steps, cuts, against programs with every set listed."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets import alternatives as listing, single_pulls
from cpe_opt.formulations.subsets.alternatives import Alternatives
from cpe_opt.formulations.subsets.single_pulls import Separation
from tests.formulations import inverse_rows
from tests.support import all_of, some_quick

METHODS = ("cone", "multiplicative")
RING = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)]


def random_class(rng):
    """A small class of one of eight kinds."""
    kind = int(rng.integers(8))
    if kind == 0:
        n = int(rng.integers(3, 8))
        return cpe.TopK(n, int(rng.integers(1, n)))
    if kind == 1:
        return cpe.PartitionMatroid([0, 1, 0, 1, 1, 2, 0], [int(rng.integers(1, 3)), 2, 0])
    if kind == 2:
        return cpe.SpanningTrees([*RING, (3, 4), (4, 0)])
    if kind == 3:
        return cpe.SpanningTrees([*RING[:5], (0, "a"), ("a", "b"), (0, "b"), ("b", "c")])
    if kind == 4:
        size = int(rng.integers(4, 7))
        edges = [(a, b) for a in range(size) for b in range(a + 1, size) if b <= a + 3]
        return cpe.Paths(edges, 0, size - 1)
    if kind == 5:
        return cpe.Paths([*RING, (2, 1), (3, 1), (1, 0)], 0, 3)
    if kind == 6:
        return cpe.Paths([*RING, (3, 4), (2, 4)], 0, 4, directed=False)
    return cpe.Matchings(cpe.BipartiteGraph.complete(int(rng.integers(3, 5)), 3))


def random_problem(seed):
    """A class, rewards, prices for two of three, a deviation of noise."""
    rng = np.random.default_rng([16, seed])
    decisions = random_class(rng)
    bandit = cpe.SubsetBandit(
        decisions, rng.uniform(-1, 1, decisions.size), noise=float(rng.uniform(0.5, 2))
    )
    prices = rng.uniform(0.2, 3.0, decisions.size) if seed % 3 else np.ones(decisions.size)
    return bandit, prices


def every_difference(bandit):
    """All sets beside the best one, as differences from it, by definition."""
    sets = [set(members) for members in bandit.decisions.sets()]
    best = max(sets, key=lambda members: sum(bandit.theta[e] for e in members))
    return [
        (best ^ other, sum(bandit.theta[e] for e in best) - sum(bandit.theta[e] for e in other))
        for other in sets
        if other != best
    ]


def least_cost(bandit, prices, sigma):
    """The program of the definition, a row a set."""
    every = every_difference(bandit)
    rows = np.zeros((len(every), len(prices)))
    for row, (elements, gap) in zip(rows, every, strict=True):
        row[list(elements)] = 2 * sigma**2 / gap**2
    return inverse_rows.least_cost(rows, prices)


def check(bandit, prices, expected, **arguments):
    time = cpe.subset_time(bandit, prices=prices, **arguments)
    assert time.bound * (1 - 1e-6) <= expected <= time.value * (1 + 1e-6)
    assert time.bound <= time.value
    assert time.exploration @ prices == pytest.approx(time.value, rel=1e-12)
    for elements, gap in every_difference(bandit):
        told = 2 * bandit.noise**2 * (1 / time.exploration[list(elements)]).sum()
        assert told <= gap**2 * (1 + 1e-9)
    return time


@pytest.mark.parametrize("method", METHODS)
def test_cut_off_after_few_rows_its_pulls_still_suffice(method, monkeypatch):
    """They are scaled by the row that is broken most, which is not among the first."""
    monkeypatch.setattr(single_pulls, "_FIRST", 0)
    monkeypatch.setattr(single_pulls, "deadline_of", lambda limit: 0.0)
    late = 0
    for seed in (9, 10, 11):
        bandit, prices = random_problem(seed)
        expected = least_cost(bandit, prices, bandit.noise)
        time = check(bandit, prices, expected, method=method)
        late += time.value > 1.001 * expected
        assert time.timed_out == (time.gap > 1e-7)
    assert late >= 1


@pytest.mark.parametrize("seed", some_quick([15, 16, 19], range(200)))
def test_the_program_with_every_set_listed_has_the_same_optimum(seed, monkeypatch):
    bandit, prices = random_problem(seed)
    expected = least_cost(bandit, prices, bandit.noise)
    time = check(bandit, prices, expected)
    assert time.value == pytest.approx(expected, rel=1e-6)
    assert time.gap <= 1e-6
    assert time.elements == cpe.best_subset(bandit.decisions, bandit.theta).elements
    check(bandit, prices, expected, method="multiplicative")
    check(bandit, prices, expected, solver="scs")
    monkeypatch.setattr(listing, "MOST_ALTERNATIVES", 1)
    cut = check(bandit, prices, expected)
    assert cut.value == pytest.approx(expected, rel=3e-6)
    assert cut.gap <= 3e-6


@all_of("seed", range(20))
def test_exchanges_of_a_matroid_imply_all_rows(seed):
    """Whatever q keeps the rows of exchanges keeps those of all sets; the norm alike."""
    rng = np.random.default_rng(seed)
    decisions = None
    while decisions is None or decisions.exchanges((0,)) is None:
        decisions = random_class(rng)
    bandit = cpe.SubsetBandit(decisions, rng.uniform(size=decisions.size))
    known = Alternatives.of(bandit)
    assert known.complete
    assert set(np.abs(known.rows).sum(axis=1)) == {2.0}
    sets = decisions.indicator_matrix()
    every = sets[[tuple(np.flatnonzero(row)) == known.best for row in sets]][0] - sets
    every = every[every.any(axis=1)]
    weights, root = rng.exponential(size=decisions.size), rng.normal(size=(decisions.size, 3))

    def worst(rows):
        gaps = rows @ bandit.theta
        norms = (((rows @ root) / gaps[:, None]) ** 2).sum(axis=1)
        return [(np.abs(rows) @ weights / gaps**2).max(), norms.max()]

    assert worst(known.rows) == pytest.approx(worst(every), rel=1e-9)


def test_a_set_that_no_linear_objective_finds_is_found():
    """Three paths of one detour each: (A, Δ) = (1, 1), (8.9, 3), (4.1, 2)."""
    edges = [("s", "t1"), ("t1", "t")] + [("s", f"v{i}") for i in range(3)]
    edges += [(f"v{i}", "t") for i in range(3)]
    gaps, sums = np.array([1.0, 3.0, 2.0]), np.array([1.0, 8.9, 4.1])
    theta = np.concatenate([[1.5, 1.5], 1.5 - gaps / 2, 1.5 - gaps / 2])
    bandit = cpe.SubsetBandit(cpe.Paths(edges, "s", "t"), theta)
    full = Alternatives.of(bandit)
    nearest = full.rows[[int(full.gaps.argmin())]]
    start = np.vstack([nearest, full.rows[[int(full.gaps.argmax())]]])
    known = Alternatives(full.decisions, full.theta, full.best, start, complete=False)
    search = Separation(known, 0.5)
    inverse = np.concatenate([[0.0, 0.0], sums / 2, sums / 2])
    assert search.ratios(search.quick(inverse), inverse).max() < 1.0
    rows, bound = search.exact(start, inverse)
    assert search.ratios(rows, inverse).max() == pytest.approx(4.1 / 4)
    assert bound >= 4.1 / 4


@pytest.mark.slow
def test_classes_too_large_to_list_are_certified():
    """Matchings of nine and nine, 362,880 of them."""
    decisions = cpe.Matchings(cpe.BipartiteGraph.complete(9, 9))
    theta = np.random.default_rng(3).uniform(size=decisions.size)
    bandit = cpe.SubsetBandit(decisions, theta)
    time = cpe.subset_time(bandit)
    assert time.gap <= 3e-6
    late = cpe.subset_time(bandit, time_limit=1e-3)
    assert late.bound <= time.value * (1 + 1e-6)
    assert time.value * (1 - 1e-6) <= late.value < math.inf
    with pytest.raises(cpe.InputError, match="too many sets to list all rows"):
        cpe.subset_time_program(bandit)


@pytest.mark.parametrize("method", METHODS)
def test_two_elements_cost_what_the_formula_says(method):
    bandit = cpe.SubsetBandit(cpe.TopK(2, 1), [0.7, 0.3], noise=2.0)
    for sigma, prices in ((None, 1.0), (0.5, 1.0), (2.0, [1.0, 4.0])):
        time = cpe.subset_time(bandit, sigma=sigma, prices=prices, method=method)
        paid = np.sqrt(np.broadcast_to(prices, 2)).sum() ** 2
        assert time.value == pytest.approx(2 * (sigma or 2.0) ** 2 / 0.4**2 * paid)
        assert time.sigma == (sigma or 2.0)
        assert time.proportions.sum() == pytest.approx(1.0)
    assert time.proportions == pytest.approx([2 / 3, 1 / 3], rel=1e-4)
    assert time.pulls(0.05) == pytest.approx(time.value * 0.9 * math.log(19))
    assert time.pulls(0.5) == 0.0


def test_elements_in_all_sets_or_none_are_not_pulled():
    trees = cpe.SpanningTrees([(0, 1), (1, 2), (2, 0), (2, 3)])
    time = cpe.subset_time(cpe.SubsetBandit(trees, [0.9, 0.5, 0.2, 0.1]))
    assert time.exploration[3] == 0.0
    assert (time.exploration[:3] > 0.0).all()
    assert cpe.subset_time_program(cpe.SubsetBandit(trees, [0.9, 0.5, 0.2, 0.1])).shape[1] == 6


@pytest.mark.parametrize("method", METHODS)
def test_sets_that_are_as_good_are_never_told_apart(method):
    bandit = cpe.SubsetBandit(cpe.TopK(4, 2), [0.9, 0.1 + 0.2, 0.3, 0.2])
    time = cpe.subset_time(bandit, method=method)
    assert (time.value, time.bound, time.gap) == (math.inf, math.inf, 0.0)
    assert time.exploration.tolist() == [0.0, math.inf, math.inf, 0.0]
    assert time.proportions.tolist() == [0.0, 0.5, 0.5, 0.0]
    assert time.pulls(0.05) == math.inf
    with pytest.raises(cpe.InputError, match=r"is as good as .* no number of pulls is enough"):
        cpe.subset_time_program(bandit)


def test_a_single_set_needs_no_pulls():
    bandit = cpe.SubsetBandit(cpe.TopK(3, 3), [0.9, 0.5, 0.2])
    time = cpe.subset_time(bandit)
    assert (time.value, time.bound, time.gap) == (0.0, 0.0, 0.0)
    assert not time.exploration.any()
    assert not time.proportions.any()
    with pytest.raises(cpe.InputError, match="single set, and nothing to tell apart"):
        cpe.subset_time_program(bandit)


def test_without_a_deviation_of_noise_it_is_asked_for():
    table = cpe.SubsetBandit.from_outcomes([[1.0, 0.0], [1.0, 1.0]], 1)
    silent = cpe.SubsetBandit(cpe.TopK(2, 1), [1.0, 0.0], noise=0.0)
    for bandit in (table, silent):
        with pytest.raises(
            cpe.InputError, match=r"outcomes in place of noise|no noise: give sigma"
        ):
            cpe.subset_time(bandit)
    assert cpe.subset_time(table, sigma=0.5).value == pytest.approx(8 * 0.25 / 0.25)
