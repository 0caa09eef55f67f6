"""Bets that are spread over the sizes of a mean: their mean, and the sums at which they pay."""

import math

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import norm

from cpe_opt.proofs.mixture import BlockMixture

MIXTURE = BlockMixture.of_range(largest=2.0, smallest=1e-6, alike=0.003)


@pytest.mark.parametrize("information", [0.1, 30.0, 1e4])
@pytest.mark.parametrize("block", [0.5, 200.0])
def test_a_block_without_a_lead_keeps_the_bet_on_average(information, block):
    """By quadrature, from any sum: what E is after a block, in the mean, is what it was before."""
    for before in (0.0, math.sqrt(information)):

        def after(z, before=before):
            sums = np.array([before + math.sqrt(block) * z])
            value = MIXTURE.log_values(sums, np.array([information + block]))[0]
            return math.exp(value + norm.logpdf(z))

        mean = integrate.quad(after, -40.0, 80.0, limit=2000)[0]
        started = MIXTURE.log_values(np.array([before]), np.array([information]))
        assert mean == pytest.approx(math.exp(started[0]), rel=1e-6)
    assert MIXTURE.log_values(np.zeros(1), np.zeros(1))[0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("needed", [0.0, 3.0, 40.0, 700.0])
def test_the_least_sums_are_where_the_bet_pays(needed):
    information = np.geomspace(1e-3, 1e12, 40)
    sums = MIXTURE.least_sums(information, needed)
    values = MIXTURE.log_values(sums, information)
    assert (values >= needed - 1e-9 * (1.0 + needed)).all()
    assert values == pytest.approx(np.full(40, needed), abs=1e-6 * (1.0 + needed))
