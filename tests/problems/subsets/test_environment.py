"""What a bandit of sets answers: sums of single pulls."""

import numpy as np
import pytest

import cpe_opt as cpe


def test_sums_have_the_mean_and_the_variance_of_single_pulls():
    """6,000 draws each; the test errs with probability below 1e-4."""
    rng = np.random.default_rng(0)
    table = np.array([[1.0, 0, 1], [0, 0, 1], [1, 1, 0], [1, 0, 0]])
    for bandit in (
        cpe.SubsetBandit(cpe.TopK(3, 2), [0.5, -0.2, 0.1], noise=0.7),
        cpe.SubsetBandit.from_outcomes(table, 2),
    ):
        environment = bandit.environment(rng)
        query = cpe.PullSets(((0, 1), (1, 2), (0, 2)), (4, 0, 25))
        sums = np.array([environment.answer(environment.check(query)) for _ in range(6_000)])
        assert not sums[:, 1].any()
        for column, members, times in ((0, [0, 1], 4), (2, [0, 2], 25)):
            if bandit.outcomes is None:
                variance = 2 * 0.7**2
            else:
                variance = table[:, members].sum(axis=1).var()
            error = 4.5 * np.sqrt(times * variance / 6_000)
            assert abs(sums[:, column].mean() - times * bandit.theta[members].sum()) < error
            assert sums[:, column].var() == pytest.approx(times * variance, rel=0.08)
        single = environment.answer(environment.check(cpe.Pull(0, 5)))
        assert single.shape == (5,)
