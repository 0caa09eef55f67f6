"""Random pairs: uniform, and the answer is the arm that fewest beat."""

import math

import numpy as np
import pytest

import cpe_opt as cpe


def test_random_pairs_are_uniform_and_regret_is_their_mean():
    mu = cpe.load_instance("sushi")
    trace = cpe.simulate("random-pairs", mu, horizon=30_000, seed=0)
    draws = trace.draws[np.triu_indices(16, 1)]
    expected = 30_000 / len(draws)
    chi_square = ((draws - expected) ** 2 / expected).sum()
    assert chi_square < 119 + 4 * math.sqrt(2 * 119)  # 119 degrees of freedom
    mean = mu.regret()[np.triu_indices(16, 1)].mean()
    assert trace.regret[-1] / 30_000 == pytest.approx(mean, rel=0.02)
    assert trace.answer in (0, 1)  # 0.512 apart
