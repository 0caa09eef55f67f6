"""SAQM: the largest norm by its maximisers, where it stops, and its guarantee."""

import math

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.subsets.saqm import LargestNorm
from tests.formulations.subsets.test_oracle import classes
from tests.learners.subsets.support import PAIRS, first_look, look_at, norms, pulls_until


@pytest.mark.parametrize("maximiser", [None, "exact"])
@classes
def test_certified_norms_of_saqm_are_not_below_the_largest(decisions, maximiser):
    certified = LargestNorm(decisions, maximiser, "certified")
    for seed in range(2):
        look = look_at(decisions, seed)
        true = norms(look, look.support).max()
        assert certified(look) >= true - 1e-9
        if maximiser == "exact":
            assert certified(look) == pytest.approx(true, rel=1e-4)


@pytest.mark.parametrize("maximiser", ["peeling", "greedy", "swap", "ascent", "exact"])
def test_norms_of_saqm_are_those_of_its_maximiser_over_the_ratio(maximiser):
    decisions = cpe.TopK(6, 3)
    for seed in range(3):
        look = look_at(decisions, seed)
        true = norms(look, look.support).max()
        starts = {"starts": 10} if maximiser in ("swap", "ascent") else {}
        best = cpe.ellipsoid_maximum(decisions, look.inverse, maximiser, **starts).value ** 0.5
        plain = LargestNorm(decisions, maximiser, 1.0)(look)
        assert plain == pytest.approx(best)
        assert plain <= true + 1e-9
        assert LargestNorm(decisions, maximiser, 0.5)(look) == pytest.approx(2 * plain)
        if maximiser == "peeling":
            assert LargestNorm(decisions, maximiser, "theorem")(look) >= true - 1e-9
        if maximiser == "swap":
            assert LargestNorm(decisions, None, 1.0)(look) == plain


def test_saqm_stops_at_the_first_look_that_its_rule_allows():
    """θ(M̂) - C‖χ_M̂‖ against the second best value, 1.2, and C/α times the largest norm."""
    chi = np.array([1.0, 1, 0, 0])

    def stops(inverse, c, _):
        norms = [math.sqrt(inverse[np.ix_(pair, pair)].sum()) for pair in PAIRS]
        return 1.5 - c * math.sqrt(chi @ inverse @ chi) >= 1.2 + c / 0.8 * max(norms) - 0.1

    expected = first_look(stops)
    assert expected > 20
    assert pulls_until("saqm", approximation_ratio=0.8) == expected
