"""Thresholds, radii and stopping rules of learners against formulas written out by hand."""

import importlib
import math
from itertools import combinations, count

import numpy as np
import pytest

import cpe_opt as cpe
from cpe_opt.learners.kl_elimination import kl_elimination
from cpe_opt.learners.queries import Duel
from cpe_opt.learners.tally import bernoulli_divergence
from cpe_opt.learners.verdicts import at_any_time, checked_delta, up_to
from tests.learners.support import driven


@pytest.mark.parametrize("margin", [0.0, 1e-5, -9e-4, 2e-3, 0.3, -0.8, 0.999999, 1.0, -1.0])
def test_divergences_from_one_half_are_exact(margin):
    """p ln 2p + (1 - p) ln 2(1 - p) with p = (1 + margin)/2; margin²/2 to begin with."""
    chances = [(1 + margin) / 2, (1 - margin) / 2]
    expected = sum(p * math.log(2 * p) for p in chances if p > 0)
    found = bernoulli_divergence(margin)
    assert found == pytest.approx(expected, abs=1e-15)
    if 0 < abs(margin) < 0.01:
        assert found == pytest.approx(margin**2 / 2 + margin**4 / 12, rel=1e-9)


def test_leads_needed_are_the_paper_s():
    """δ = 0.1, n = 8: √(16 ln(64 π² / 0.3)) and √(16 ln(200 / 0.1))."""
    assert at_any_time(0.1)(8) == pytest.approx(11.0651, abs=1e-4)
    assert up_to(100, 0.1)(8) == pytest.approx(11.0279, abs=1e-4)
    assert checked_delta(None, 1000) == 0.001
    assert checked_delta(None, None) == 0.05
    assert checked_delta(0.2, 1000) == 0.2


def test_random_pairs_name_the_arm_that_fewest_beat():
    mu = cpe.PreferenceMatrix([[0.5, 0.0, 0.0], [1.0, 0.5, 0.0], [1.0, 1.0, 0.5]])
    assert cpe.simulate("random-pairs", mu, horizon=100).answer == 2


def test_elimination_drops_an_arm_in_the_round_of_the_threshold():
    """One arm always has 1, one 0: their intervals part where exp(-x) > 1/2, x = threshold/t."""
    asked = []

    def reward(arm):
        asked.append(arm)
        yield Duel(0, 1)
        return 1 - arm

    learner = kl_elimination(2, reward, population=1000, delta=0.1, epsilon=0.0)
    assert driven(learner, lambda query: 0)[1] == 0

    def parted(t):
        log = math.log(4 * t * 2 / 0.1) + 2 * max(0.0, math.log(math.log(t)))
        return math.exp(-log / t) > 0.5

    assert len(asked) == 2 * next(t for t in count(2) if parted(t))


def test_rounds_of_scb_have_a_confidence_of_their_own(monkeypatch):
    """T = 4, 16, 256, 65536 and δ = ln(T)/T."""
    asked = []

    def identification(arms, *, rng, delta):
        asked.append(delta)
        yield Duel(0, 1)
        return 1

    module = importlib.import_module("cpe_opt.learners.scb")
    monkeypatch.setattr(module, "copeland_identification", identification)
    trace = cpe.simulate("scb", cpe.load_instance("gap"), horizon=4 + 16 + 256 + 10)
    assert asked == [math.log(T) / T for T in (4, 16, 256, 65536)]
    assert trace.draws[1, 1] == 3 + 15 + 255 + 9


THETA = np.array([0.9, 0.6, 0.3, 0.0])
PAIRS = list(combinations(range(4), 2))


def pulls_until(name, **parameters):
    """How often a learner pulls pairs of four elements that show their exact sums."""
    rows = np.array([[float(e in pair) for e in range(4)] for pair in PAIRS])
    design = cpe.Design(tuple(PAIRS), np.full(6, 1 / 6), rows, "G", 4.0, 4.0, "given")
    learner = cpe.learners.get_learner(name)(
        cpe.TopK(4, 2),
        rng=np.random.default_rng(0),
        design=design,
        delta=0.1,
        epsilon=0.1,
        sigma=0.2,
        growth=1 + 1e-9,
        **parameters,
    )
    queries, answer = driven(learner, lambda query: np.array(query.times) * (rows @ THETA))
    assert answer == (0, 1)
    return sum(query.rounds for query in queries)


def first_look(stops):
    """The first t at which a rule of t, A⁻¹ and C_t of each kind says stop."""
    for t in count(6):
        times = [t // 6 + (pair < t % 6) for pair in range(6)]
        rows = np.array([[float(e in pair) for e in range(4)] for pair in PAIRS])
        inverse = np.linalg.inv(sum(c * np.outer(x, x) for c, x in zip(times, rows, strict=True)))
        sets = 2 * math.sqrt(2) * 0.2 * math.sqrt(math.log(6 * t**2 * 6 / (math.pi**2 * 0.1)))
        each = 0.2 * math.sqrt(2 * math.log(6 * t**2 * 4 / (math.pi**2 * 0.1)))
        if stops(inverse, sets, each):
            return t
    raise AssertionError


def test_saqm_stops_at_the_first_look_that_its_rule_allows():
    """θ(M̂) - C‖χ_M̂‖ against the second best value, 1.2, and C/α times the largest norm."""
    chi = np.array([1.0, 1, 0, 0])

    def stops(inverse, c, _):
        norms = [math.sqrt(inverse[np.ix_(pair, pair)].sum()) for pair in PAIRS]
        return 1.5 - c * math.sqrt(chi @ inverse @ chi) >= 1.2 + c / 0.8 * max(norms) - 0.1

    expected = first_look(stops)
    assert expected > 20
    assert pulls_until("saqm", approximation_ratio=0.8) == expected


def test_icb_stops_at_the_first_look_that_its_rule_allows():
    """The lead of another pair, with the width of every element in one of both alone."""

    def stops(inverse, _, c):
        width = c * np.sqrt(np.diag(inverse))
        leads = [
            THETA[list(pair)].sum() - 1.5 + sum(width[e] for e in {0, 1} ^ set(pair))
            for pair in PAIRS[1:]
        ]
        return max(leads) < 0.1

    expected = first_look(stops)
    assert expected > 20
    assert pulls_until("icb") == expected
