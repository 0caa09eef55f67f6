"""What learners from sums with a static allocation share: radii, blocks, arguments."""

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.formulations.designs.design import efficient_rounding
from cpe_opt.learners.subsets.static_allocation import Guarantee, checked_aim
from tests.learners.subsets.support import pulls_of


def test_radii_are_the_paper_s():
    aim = Guarantee(0.0, 0.05, 3.0)
    log = np.log(6 * 100**2 * 20 / (np.pi**2 * 0.05))
    assert aim.ellipsoid_radius(100, cpe.TopK(6, 3)) == pytest.approx(2 * 2**0.5 * 3 * log**0.5)
    log = np.log(6 * 100**2 * 6 / (np.pi**2 * 0.05))
    assert aim.element_radius(100, 6) == pytest.approx(3 * (2 * log) ** 0.5)
    assert checked_aim(cpe.TopK(6, 3), 0.0, 0.1, 2.0, None).sigma == 6.0
    assert checked_aim(cpe.TopK(6, 3), 0.0, 0.1, 2.0, 1.5).sigma == 1.5


@pytest.mark.parametrize("name", ["saqm", "sa-foa", "icb", "exhaustive"])
def test_blocks_keep_the_static_allocation(name):
    """After every block each set has been pulled as often as the furthest-behind rule has it."""
    decisions, theta = cpe.TopK(5, 2), np.array([0.9, 0.1, 0.5, -0.5, 0.0])
    design = cpe.uniform_design(decisions, seed=1)
    queries, answer = pulls_of(
        cpe.learners.get_learner(name), decisions, theta, design=design, growth=1.2
    )
    assert answer == (0, 2)
    total = np.zeros(len(design.weights), dtype=int)
    assert sum(queries[0].times) == max(5, len(design.weights))
    for query in queries:
        assert query.sets == design.support
        total += query.times
        np.testing.assert_array_equal(total, efficient_rounding(design.weights, total.sum()))


def test_looks_overshoot_by_the_growth_at_most():
    decisions, theta = cpe.TopK(4, 2), np.array([1.0, 0.8, 0.1, 0.0])
    fine = sum(q.rounds for q in pulls_of(cpe.learners.icb, decisions, theta, growth=1.01)[0])
    for growth in (1.03, 1.5):
        coarse = sum(
            q.rounds for q in pulls_of(cpe.learners.icb, decisions, theta, growth=growth)[0]
        )
        assert fine * 0.99 <= coarse <= fine * growth * 1.01


def test_a_ratio_that_guarantees_nothing_proves_nothing():
    bandit = cpe.planted_subsets(4, 2, gap=1.0, noise=0.1, seed=0)
    for name in ("saqm", "sa-foa"):
        assert cpe.simulate(name, bandit, sigma=0.15).proved
        trace = cpe.simulate(name, bandit, sigma=0.15, approximation_ratio=0.9)
        assert trace.doubt == "nothing is guaranteed with a number as approximation_ratio"
