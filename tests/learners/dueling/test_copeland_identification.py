"""The identification of SCB: against a plain version, duel by duel, and its guarantee."""

import math
from itertools import count
from typing import ClassVar

import numpy as np
import pytest
from scipy.optimize import brentq

import cpe_opt as cpe
from cpe_opt.learners.dueling.copeland_identification import (
    copeland_identification,
    decide,
    divergence,
    divergence_interval,
    kl_elimination,
)
from cpe_opt.problems.queries import Duel
from tests.learners.conformance import DuelLearnerConformance
from tests.learners.support import driven, halfway, run_to_the_end
from tests.support import binomial_margin, random_preferences, with_gaps


class TestCopelandIdentification(DuelLearnerConformance):
    learner = "copeland-identification"
    parameters: ClassVar[dict] = {"delta": 0.1}


def plain_identification(arms, duel, rng, delta, margin=0.0):
    """Algorithms 2 and 4 duel by duel; returns the arm and the number of duels."""
    opponents = [rng.permutation([o for o in range(arms) if o != a]).tolist() for a in range(arms)]
    known, duels = {}, 0

    def verdict(i, j):
        nonlocal duels
        if (i, j) not in known:
            n = won = 0
            while True:
                won += duel(i, j)
                n += 1
                width = math.sqrt(math.log(math.pi**2 * n**2 * arms**2 / (3 * delta)) / (2 * n))
                if abs(won / n - 0.5) > width * (1 + 1e-15):
                    break
            duels += n
            known[i, j], known[j, i] = won / n > 0.5, won / n < 0.5
        return known[i, j]

    active, total = list(range(arms)), [0] * arms
    for t in range(1, arms):
        for arm in active:
            total[arm] += verdict(arm, opponents[arm].pop())
        if t == arms - 1:
            return max(active, key=lambda a: (total[a], -a)), duels
        if t < 2:
            continue
        radius = (
            math.log(4 * t * arms / delta) + 2 * max(0.0, math.log(max(1.0, math.log(t))))
        ) / t
        grid = {a: divergence_interval(total[a] / t, radius) for a in active}
        best = max(low for low, _ in grid.values())
        active = [a for a in active if grid[a][1] >= best]
        if len(active) == 1 or 1 - best <= (1 + margin) * (1 - max(grid[a][1] for a in active)):
            return max(active, key=lambda a: (grid[a][0], -a)), duels
    return active[0], duels


class NoAnswers:
    """For learners that do not listen."""

    def answer(self, query):
        return 0


@pytest.mark.parametrize("seed", range(10))
def test_it_duels_what_the_plain_version_duels(seed):
    """The same stream of outcomes duel by duel gives the same arm after as many duels."""
    rng = np.random.default_rng(seed)
    mu = with_gaps(random_preferences(4 + seed % 5, rng), 0.1)
    ours = run_to_the_end(
        copeland_identification(mu.arms, rng=np.random.default_rng(seed), delta=0.1),
        mu.environment(np.random.default_rng(77)),
    )
    environment = mu.environment(np.random.default_rng(77))
    theirs = plain_identification(
        mu.arms,
        lambda i, j: environment.answer(Duel(i, j)),
        np.random.default_rng(seed),
        0.1,
    )
    assert ours == theirs


@pytest.mark.parametrize("name", ["cyclic", "multisol", "strict"])
def test_failures_stay_below_delta(name):
    """delta = 0.1, 60 seeds: with more failures than this the claim is false (error 0.001)."""
    delta, seeds = 0.1, 60
    strict = with_gaps(random_preferences(6, np.random.default_rng(3)), 0.08)
    mu = strict if name == "strict" else cpe.load_instance(name)
    failures = sum(
        cpe.simulate("copeland-identification", mu, seed=s, delta=delta).answer
        not in mu.copeland_winners
        for s in range(seeds)
    )
    assert failures <= binomial_margin(seeds, delta)


@pytest.mark.slow
def test_a_tolerance_saves_duels_and_keeps_its_promise():
    mu = with_gaps(random_preferences(60, np.random.default_rng(1)), 0.3)
    scores = mu.copeland_scores / (mu.arms - 1)
    exact, loose = (
        [cpe.simulate("copeland-identification", mu, seed=s, delta=0.1, margin=e) for s in range(2)]
        for e in (0.0, 8.0)
    )
    assert sum(t.samples for t in loose) < sum(t.samples for t in exact)
    assert all(t.answer in mu.copeland_winners for t in exact)
    assert all(1 - scores[t.answer] <= (1 - scores.max()) * 9 + 1e-12 for t in loose)


def test_pairs_are_decided_rightly():
    """delta = 0.05 and a gap of 0.1, 100 seeds."""
    mu = cpe.PreferenceMatrix([[0.5, 0.6], [0.4, 0.5]])
    wrong = sum(
        not run_to_the_end(decide(0, 1, 0.05), mu.environment(np.random.default_rng(s)))[0]
        for s in range(100)
    )
    assert wrong <= binomial_margin(100, 0.05)


def test_divergence_intervals_have_the_radius_at_their_ends():
    for mean in (0.0, 0.2, 0.5, 1.0):
        for radius in (0.01, 0.3, 2.0):
            low, high = divergence_interval(mean, radius)
            assert low <= mean <= high
            for end, limit in ((low, 0.0), (high, 1.0)):
                if end != limit:
                    assert divergence(mean, end) == pytest.approx(radius, abs=1e-9)
    assert divergence(0.5, 0.0) == math.inf
    assert divergence(0.0, 0.0) == 0.0


def test_elimination_alone_finds_the_best_of_known_rewards():
    """Rewards from finite populations: the arm with the most ones."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        ones = rng.permutation(40)[:6]
        pools = [rng.permutation([1] * int(n) + [0] * (40 - int(n))).tolist() for n in ones]

        def reward(arm, pools=pools):
            yield Duel(0, 1)
            return pools[arm].pop()

        learner = kl_elimination(6, reward, population=40, delta=0.01, margin=0.0)
        assert run_to_the_end(learner, NoAnswers())[0] == int(np.argmax(ones))


def test_elimination_drops_an_arm_in_the_round_of_the_threshold():
    """One arm always has 1, one 0: their intervals part where exp(-x) > 1/2, x = threshold/t."""
    asked = []

    def reward(arm):
        asked.append(arm)
        yield Duel(0, 1)
        return 1 - arm

    learner = kl_elimination(2, reward, population=1000, delta=0.1, margin=0.0)
    assert driven(learner, lambda query: 0)[1] == 0

    def parted(t):
        log = math.log(4 * t * 2 / 0.1) + 2 * max(0.0, math.log(math.log(t)))
        return math.exp(-log / t) > 0.5

    assert len(asked) == 2 * next(t for t in count(2) if parted(t))


def test_elimination_stops_when_losses_are_within_a_factor():
    """Two arms of mean ½ and ε = 1: where 1 - low <= 2 (1 - high)."""
    asked = []

    def reward(arm):
        asked.append(arm)
        yield Duel(0, 1)
        return asked.count(arm) % 2

    learner = kl_elimination(2, reward, population=2000, delta=0.1, margin=1.0)
    assert driven(learner, lambda query: 0)[1] == 0

    def stops(t):
        mean = (t + 1) // 2 / t
        log = math.log(4 * t * 2 / 0.1) + 2 * max(0.0, math.log(math.log(t)))

        def excess(q):
            return mean * math.log(mean / q) + (1 - mean) * math.log((1 - mean) / (1 - q)) - log / t

        return 1 - brentq(excess, 1e-12, mean) <= 2 * (1 - brentq(excess, mean, 1 - 1e-12))

    assert len(asked) == 2 * next(t for t in count(3) if stops(t))


def test_cut_off_it_answers_by_the_scores_of_the_estimates():
    name = "copeland-identification"
    first = cpe.learners.Exchange(cpe.learners.copeland_identification, 3, 0, delta=0.1).query
    assert first.i == 0
    assert halfway(name, 3, [0], delta=0.1) == first.j
    assert halfway(name, 3, [1], delta=0.1) == halfway(name, 3, [], delta=0.1) == 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"delta": 0}, "delta is 0, expected a number above 0"),
        ({"delta": 1.0}, "delta is 1.0, expected a probability between 0 and 1"),
        ({"delta": 0.1, "margin": -1}, "margin is -1, expected a number, at least 0"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(cpe.InputError, match=message):
        cpe.simulate("copeland-identification", cpe.load_instance("gap"), **parameters)
