"""EB-TCε: whom it pulls, what its evidence is, and when it stops."""

import math

import numpy as np
import pytest
import scipy.optimize as so

import cpe_opt as cpe
from cpe_opt.formulations.subsets.oracle import SubsetOracle
from cpe_opt.learners.subsets.eb_tc import ElementPairs, eb_tc, pair_evidence
from cpe_opt.learners.subsets.single_rewards import SingleEvidence
from tests.learners.subsets.support import pulled_by
from tests.support import all_of

LAMBDAS = [1.0, 8.0, 64.0, 512.0, 4096.0]


def reference(n, k, rewards, slack, share):
    """The elements pulled, by the paper's lines, with every pair in a loop."""
    pulls, sums = [1] * n, rewards[:n].tolist()
    rounds, wanted, challenged = {}, {}, {}
    pulled = list(range(n))
    for reward in rewards[n:]:
        mean = [total / count for total, count in zip(sums, pulls, strict=True)]
        best = sorted(range(n), key=lambda i: -mean[i])[:k]
        pairs = [(i, j) for i in best for j in range(n) if j not in best]
        costs = {
            (i, j): (mean[i] - mean[j] + slack) / math.sqrt(1 / pulls[i] + 1 / pulls[j])
            for i, j in pairs
        }
        i, j = pair = min(pairs, key=costs.get)
        beta = pulls[j] / (pulls[i] + pulls[j]) if share is None else share
        rounds[pair] = rounds.get(pair, 0) + 1
        wanted[pair] = wanted.get(pair, 0.0) + beta
        mean_beta = wanted[pair] / rounds[pair]
        if challenged.get(pair, 0) <= (1 - mean_beta) * rounds[pair] + 1e-9:
            challenged[pair] = challenged.get(pair, 0) + 1
            i = j
        pulled.append(i)
        pulls[i] += 1
        sums[i] += reward
    return pulled


@pytest.mark.parametrize("share", [None, 0.5, 0.7])
@pytest.mark.parametrize("k", [1, 2])
def test_it_pulls_what_the_plain_reference_pulls(k, share):
    rewards = np.random.default_rng(3).normal(size=200)
    learner = eb_tc(cpe.TopK(5, k), delta=1e-300, margin=0.3 * k, noise=1.0, share=share)
    expected = reference(5, k, rewards, 0.3, share)
    assert pulled_by(learner, 5, rewards) == expected
    assert len(set(expected)) == 5


def test_the_slack_is_at_least_a_tenth_of_the_noise():
    rewards = np.random.default_rng(4).normal(size=150)
    for margin, noise, slack in ((0.0, 2.0, 0.2), (0.1, 2.0, 0.2), (0.5, 2.0, 0.5)):
        learner = eb_tc(cpe.TopK(4, 1), delta=1e-300, margin=margin, noise=noise)
        assert pulled_by(learner, 4, rewards) == reference(4, 1, rewards, slack, None)


def term(x, y, pulls, each):
    """The exponent of E for one lambda, for two means that are off by x and y, in units of σ."""
    squares = zip((x, y), pulls, strict=True)
    return sum(n**2 * z**2 / (n + each) - math.log(1 + n / each) for z, n in squares) / 2


def log_e(x, y, pulls):
    return math.log(sum(math.exp(term(x, y, pulls, each)) for each in LAMBDAS) / len(LAMBDAS))


def test_the_evidence_is_the_mean_of_what_the_nearest_truths_pay():
    rng = np.random.default_rng(0)
    for _ in range(20):
        gap, pulls = rng.uniform(0, 0.6), rng.integers(1, 300, 2).astype(float)
        found = pair_evidence(np.array(gap), *map(np.array, pulls))

        def nearest(each, gap=gap, pulls=pulls):
            return so.minimize_scalar(lambda shift: term(shift, gap - shift, pulls, each)).fun

        expected = math.log(np.mean(np.exp([nearest(each) for each in LAMBDAS])))
        assert found == pytest.approx(expected, abs=1e-6)
        for x, further in zip(rng.normal(0, 0.3, 20), rng.uniform(0, 0.3, 20), strict=True):
            assert found <= log_e(x, gap + further - x, pulls) + 1e-9


def test_e_is_one_on_average_whoever_is_pulled_next():
    """By Gauss and Hermite's rule, for the sum of rewards less their mean."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    weights = weights / weights.sum()
    start = [np.exp([log_e(x, y, (1, 1)) for y in nodes]) @ weights for x in nodes]
    assert np.array(start) @ weights == pytest.approx(1.0, abs=1e-4)
    rng = np.random.default_rng(1)
    for _ in range(10):
        first, second = pulls = rng.integers(1, 50, 2).tolist()
        x, y = rng.normal(size=2) / np.sqrt(pulls)
        later = [
            math.exp(log_e((first * x + z) / (first + 1), y, (first + 1, second))) for z in nodes
        ]
        assert later @ weights == pytest.approx(math.exp(log_e(x, y, pulls)), rel=1e-6)


def filled(k, margin, delta, threshold, seed=0):
    evidence = ElementPairs(cpe.TopK(5, k), 0.5, delta, margin, threshold)
    rng = np.random.default_rng(seed)
    for element in range(5):
        for reward in rng.normal(0.4 * element, 0.5, size=60):
            evidence.add(element, reward)
    return evidence


@all_of(("k", "share"), [(1, 1), (2, 2), (3, 2), (4, 1)])
def test_it_is_enough_at_delta_over_the_number_of_pairs_with_a_part_of_the_margin(k, share):
    evidence = filled(k, 0.1, 0.1, "mixture")
    assert evidence.margin == pytest.approx(0.1 / share)
    best = evidence.best()
    worst = min(
        pair_evidence(
            np.array((evidence.mean[i] - evidence.mean[j] + 0.1 / share) / 0.5),
            np.array(60.0),
            np.array(60.0),
        )
        for i in best
        for j in set(range(5)) - set(best)
    )
    delta = k * (5 - k) * math.exp(-float(worst))
    assert delta < 0.5
    assert filled(k, 0.1, delta * 1.001, "mixture").enough()
    assert not filled(k, 0.1, delta * 0.999, "mixture").enough()


@pytest.mark.parametrize(("ours", "theirs"), [("glr", "proved"), ("heuristic", "heuristic")])
@pytest.mark.parametrize(("k", "margin"), [(1, 0.2), (2, 0.0)])
def test_the_other_thresholds_are_those_of_single_rewards(ours, theirs, k, margin):
    decisions, rng = cpe.TopK(5, k), np.random.default_rng(2)
    mine = ElementPairs(decisions, 0.5, 0.1, margin, ours)
    other = SingleEvidence(SubsetOracle(decisions), 0.5, 0.1, theirs, margin)
    said = []
    for turn in range(1500):
        reward = rng.normal(0.4 * (turn % 5), 0.5)
        mine.add(turn % 5, reward)
        other.add(turn % 5, reward)
        if turn >= 4:
            said.append(mine.enough())
            assert said[-1] == other.enough()
            assert mine.best() == other.best()
    assert {True, False} == set(said)
