"""Full-bandit problems: their data and the synthetic generator."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import second_best_subset


@pytest.mark.parametrize(("n", "k", "gap"), [(10, 5, 0.1), (10, 5, 1.0), (4, 3, 0.3), (6, 1, 0.2)])
def test_planted_subsets_have_the_chosen_gap(n, k, gap):
    for seed in range(10):
        bandit = cpe.planted_subsets(n, k, gap=gap, seed=seed)
        top = np.sort(bandit.theta)[::-1]
        assert top[k - 1] - top[k] == pytest.approx(gap)
        assert (top[:k] >= 0).all()
        assert (top[:k] <= 1).all()
        assert (top[k:] >= -1).all()
        best, second = (
            cpe.best_subset(bandit.known, bandit.theta),
            second_best_subset(bandit.known, bandit.theta),
        )
        assert best.value - second.value == pytest.approx(gap)
    np.testing.assert_array_equal(bandit.theta, cpe.planted_subsets(n, k, gap=gap, seed=9).theta)
