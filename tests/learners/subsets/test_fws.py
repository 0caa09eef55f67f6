"""Frank–Wolfe sampling: its directions, its pulls, and where it tends to."""

import math

import numpy as np
import pytest
import scipy.optimize as so

import cpe_opt as cpe
from cpe_opt.learners import fws
from cpe_opt.learners.subsets.fws import steepest
from cpe_opt.ties import first_largest
from tests.formulations.subsets.test_oracle import CLASSES
from tests.learners.conformance import SubsetLearnerConformance
from tests.learners.subsets.support import check_class_of_ones_own, efficiencies, pulled_by

TREES = cpe.SpanningTrees([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])


class TestFws(SubsetLearnerConformance):
    learner = "fws"
    horizon = 200  # a query a pull


def direction(slopes, shares):
    """The value of the matrix game, by SciPy."""
    count, size = slopes.shape
    payoffs = slopes - (slopes @ shares)[:, None]
    rows = np.hstack([-payoffs, np.ones((count, 1))])
    total = np.append(np.ones(size), 0.0)[None, :]
    cost = np.append(np.zeros(size), -1.0)
    bounds = [(0, 1)] * size + [(None, None)]
    return -so.linprog(cost, rows, np.zeros(count), total, [1.0], bounds=bounds).fun


@pytest.mark.parametrize("count", [1, 2, 3, 6])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e4])
def test_directions_are_optimal_for_the_matrix_game(count, scale):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        slopes, shares = scale * rng.random((count, 5)), rng.dirichlet(np.ones(5))
        z = steepest(slopes, shares, solver="highs")
        assert z.sum() == pytest.approx(1.0)
        assert z.min() >= 0.0
        least = (slopes @ (z - shares)).min()
        assert least == pytest.approx(direction(slopes, shares), rel=1e-6, abs=1e-9 * scale)


def reference(decisions, rewards, sigma):
    """The elements pulled, by the paper's lines, with every set or every exchange in a loop."""
    size = decisions.size
    pulls, sums, x = np.ones(size), rewards[:size].copy(), np.full(size, 1 / size)
    pulled, sets = list(range(size)), list(decisions.sets())
    matroid = decisions.exchanges(sets[0]) is not None
    for t in range(size, len(rewards)):
        means = sums / pulls
        best = max(sets, key=lambda s: means[list(s)].sum())
        f, slopes = [], []
        for members in sets:
            apart = sorted(set(best) ^ set(members))
            if not apart or (matroid and len(apart) > 2):
                continue
            gap = means[list(best)].sum() - means[list(members)].sum()
            total = (1 / x[apart]).sum()
            f.append(gap**2 / (2 * sigma**2 * total))
            slope = np.zeros(size)
            slope[apart] = f[-1] / (x[apart] ** 2 * total)
            slopes.append(slope)
        root = math.sqrt(t // size)
        if root == int(root):
            z = np.full(size, 1 / size)
        else:
            near = [j for j in range(len(f)) if f[j] < min(f) + t ** (-9 / 10) / size]
            z = steepest(np.array(slopes)[near], x, solver="highs")
        x = (t - 1) / t * x + z / t
        element = int(first_largest(x / (pulls / t)))
        pulled.append(element)
        pulls[element] += 1
        sums[element] += rewards[t]
    return pulled


@pytest.mark.parametrize("name", ["trees", "matchings"])
@pytest.mark.parametrize("sigma", [0.05, 1.0])
def test_it_pulls_what_the_plain_reference_pulls(name, sigma):
    decisions = CLASSES[name]
    rewards = np.random.default_rng(3).normal(size=120)
    learner = fws(decisions, noise=sigma, delta=1e-300)
    assert pulled_by(learner, decisions.size, rewards) == reference(decisions, rewards, sigma)


@pytest.mark.slow
def test_pulls_tend_to_the_best_proportions():
    """With exact rewards the evidence a pull comes near 1/T*; that of equal shares does not."""
    decisions, theta = TREES, np.array([0.9, 0.2, 0.6, 0.25, 0.5])
    learner = fws(decisions, noise=1.0, delta=1e-300)
    equal, tracked = efficiencies(learner, decisions, theta, 900)
    assert equal < 0.8
    assert 0.95 < tracked <= 1.0 + 1e-6


def test_solvers_and_oracles_agree():
    bandit = cpe.SubsetBandit(TREES, [0.9, 0.2, 0.8, 0.25, 0.6], noise=0.2, name="trees")
    traces = [
        cpe.simulate("fws", bandit, noise=0.2, delta=0.2, seed=1, **way)
        for way in ({}, {"method": "enumerate"}, {"method": "program", "solver": "highs"})
    ]
    assert len({(trace.answer, trace.samples) for trace in traces}) == 1
    other = cpe.simulate("fws", bandit, noise=0.2, delta=0.2, seed=1, solver="glop")
    assert (other.answer, other.proved) == (traces[0].answer, True)


def test_it_needs_fewer_pulls_than_clucb():
    bandit = cpe.planted_subsets(4, 2, gap=0.8, noise=1.0, seed=0)
    pulls = {
        name: sum(cpe.simulate(name, bandit, noise=1.0, seed=s).samples for s in range(2))
        for name in ("fws", "clucb")
    }
    assert pulls["fws"] < pulls["clucb"] / 2


def test_a_class_of_ones_own_runs_and_what_is_none_is_refused():
    check_class_of_ones_own("fws")


def test_a_class_of_one_set_needs_a_pull_each():
    bandit = cpe.SubsetBandit(cpe.TopK(3, 3), np.ones(3), noise=0.5)
    trace = cpe.simulate("fws", bandit, seed=0)
    assert (trace.answer, trace.samples, trace.proved) == ((0, 1, 2), 3, True)
