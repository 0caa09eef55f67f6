"""Frank–Wolfe sampling: its directions, its pulls, and where it tends to."""

import math

import numpy as np
import pytest
import scipy.optimize as so

from cpe_opt.learners import fws
from cpe_opt.learners.subsets.fws import steepest
from cpe_opt.ties import first_largest
from tests.formulations.subsets.test_oracle import CLASSES
from tests.learners.subsets.support import pulled_by


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
    rewards = np.random.default_rng(3).normal(size=80)
    learner = fws(decisions, noise=sigma, delta=1e-300)
    assert pulled_by(learner, decisions.size, rewards) == reference(decisions, rewards, sigma)
